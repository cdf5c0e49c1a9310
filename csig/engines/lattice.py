"""Exact tails of linear-fractional metrics over any units: the lattice engine.

Unit i, when swapped, moves the summed statistics by an integer vector, of which only (s_i, t_i)
matters, its weighted sums in the numerator and the denominator. With fair coins z_i and
(N, M) = sum of z_i (s_i, t_i),

    score_A = (n_A - N) / (m_A - M)        score_B = (n_B + N) / (m_B + M)

and :func:`tail` is P(score_A - score_B >= threshold). Equal and opposite units are merged into
classes. The joint distribution of N and M is built class by class, tilted towards the boundary of
the rejection region: ``docs/theory.md``, "The lattice". Where that takes many cells, their
characteristic function is summed over frequencies instead, of which few count, whatever the
number of units: "Inversion" has the formulas and the proof of the error bound;
``csig_ext/src/inversion.h`` says what is computed in which order. Costs are cell updates, or steps
that take about as long, estimated from the classes of units: the same data take the same way on
every machine.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from csig.base.errors import InputError
from csig.data.units import Classes
from csig.engines.base import Floats, Integers
from csig.engines.pool import in_pieces
from csig.probability.alike import alike
from csig_ext import dispatch, inversion, lattice
from csig_ext.linfrac import Ratio

# ---- units as steps: classes of them, and the question about two sums ---------------------------

#: The sums (n_A, m_A, n_B, m_B): numerators and denominators of both observed scores.
Base = tuple[int, int, int, int]


class Tail(NamedTuple):
    """A tail probability, ``mantissa * 2**exponent``."""

    mantissa: float  #: In [0.5, 1), or 0 when no shuffle reaches the threshold.
    exponent: int  #: The power of two, so that nothing underflows.
    #: Bound on the relative error: what was cut away, and the roundings if all of them went the
    #: same way.
    error_bound: float
    updates: int  #: Cell updates done.


@dataclass(frozen=True, eq=False)
class OnLattice:
    """Classes of units: m units with (x, y) step (a, b), and the question about (x, y)."""

    a: Integers
    b: Integers
    m: Integers
    scale_x: tuple[int, int]  # (N, M) = base + x * scale_x + y * scale_y, up to sign
    scale_y: tuple[int, int]
    shift: tuple[int, int]  # of (N, M) by the units turned round
    line: bool  # y is always 0, and the denominators depend on x

    @cached_property
    def split(self) -> Split:
        return split_of(self)


#: Units whose classes are kept from the estimate to the sum.
KEPT = 2**12


def on_lattice(steps: Integers) -> OnLattice | None:
    """The classes, or None when no unit matters; at once where the same was asked before."""
    return _kept(steps.tobytes()) if len(steps) <= KEPT else _classes(steps)


@lru_cache(maxsize=1)
def _kept(steps: bytes) -> OnLattice | None:
    return _classes(np.frombuffer(steps, dtype=np.int64).reshape(-1, 2))


def _classes(steps: Integers) -> OnLattice | None:
    # No step of (t, -s) lowers y, and along y = 0 none lowers x = -N.
    classes = Classes.of(np.stack([steps[:, 1], -steps[:, 0]], axis=1))
    if not classes.n_units:
        return None
    s, t, m = -classes.steps[:, 1], classes.steps[:, 0], classes.sizes
    shift = -int(classes.start[1]), int(classes.start[0])
    multiple = np.gcd(s, t)
    if (
        (t == 0).any()
        or (s // multiple != s[0] // multiple[0]).any()
        or (t // multiple != t[0] // multiple[0]).any()
    ):
        gcd_s, gcd_t = int(np.gcd.reduce(s)) or 1, int(np.gcd.reduce(t)) or 1
        a, b = -s // gcd_s, t // gcd_t
        scale_x, scale_y, line = (-gcd_s, 0), (0, gcd_t), False
    else:
        common = int(np.gcd.reduce(multiple))
        a, b = multiple // common, np.zeros_like(t)
        scale_x = int(s[0] // multiple[0]) * common, int(t[0] // multiple[0]) * common
        scale_y, line = (0, 0), True
    # Small steps first, so that windows stay small for long.
    x, y = a.astype(np.float64), b.astype(np.float64)
    size = x * x / max(1.0, dot(m, x * x)) + y * y / max(1.0, dot(m, y * y))
    order = np.lexsort((a, b, size))
    return OnLattice(a[order], b[order], m[order], scale_x, scale_y, shift, line)


def dot(x: Floats | Integers, y: Floats | Integers) -> float:
    """Not np.dot, whose order of summation is the BLAS library's."""
    return float((x * y).sum())


def ratio_of(
    steps: Integers, classes: OnLattice | None, base: Base, threshold: Fraction, zero_division: int
) -> Ratio:
    """The metric in x and y, as the kernels take it."""
    n_a, m_a, n_b, m_b = base
    reach = [int(np.abs(column).sum()) for column in steps.T]
    if max(abs(n_a), abs(n_b), abs(n_a + n_b)) + reach[0] >= 2**61 or (
        max(abs(m_a), abs(m_b), abs(m_a + m_b)) + reach[1] >= 2**61
    ):
        raise InputError("the weighted sums reach 2^61")
    (s_x, t_x), (s_y, t_y), (s_0, t_0) = (
        ((0, 0),) * 3 if classes is None else (classes.scale_x, classes.scale_y, classes.shift)
    )
    return Ratio(
        (n_a - s_0, -s_x, -s_y, n_a + n_b),
        (m_a - t_0, -t_x, -t_y, m_a + m_b),
        zero_division,
        (0, 0),
        threshold,
    )


# ---- tilts: the mean of two sums on the boundary of a rejection region --------------------------

#: Up to this many units all probabilities are multiples of 2^-52: sums of doubles are exact.
EXACT_UNITS = 52

#: Without a tilt a cell counts down to 1e-15 of the result: for p below about e^-5 the
#: wider window costs more than a tilt saves.
WORTH_A_TILT = 5.0


#: What a tilt multiplies the odds of the largest step with at most, as a logarithm: certainty, and
#: where much smaller steps decide, more.
CERTAIN, STEEPEST = 60.0, 500.0


class Tilt(NamedTuple):
    """Class c has the odds r_x^-a r_y^-b of being swapped."""

    r_x: float
    r_y: float
    guess: float  # of the result in tilted probability


def rounded(value: float) -> float:
    """20 bits, of what a result is computed with: `csig.probability.alike`."""
    return alike(value, 20)


def _exponential(theta: float) -> float:
    """About exp(theta), relative to its distance from 1."""
    return 1 + rounded(math.expm1(theta)) if abs(theta) < 0.5 else rounded(math.exp(theta))


class Halfspace(NamedTuple):
    """The tilt with mean on the line x - slope y = target, and its rate."""

    theta: float
    rate: float
    deviation: float
    mean_y: float


def to_halfspace(classes: OnLattice, slope: float, target: float, steepest: float) -> Halfspace:
    """Newton's method in a bracket; theta = 0 when the mean lies beyond the line already."""
    a, b, m = (v.astype(np.float64) for v in (classes.a, classes.b, classes.m))
    d = a - slope * b
    largest = float(np.abs(d).max())
    theta, low = 0.0, 0.0
    high = top = CERTAIN / largest if largest > 0 else 0.0
    for _ in range(100):
        w = 1 / (1 + np.exp(-theta * d))
        gap = target - dot(m * d, w)
        variance = dot(m * d * d, w * (1 - w))
        if theta == 0 and gap <= 0:
            break
        if gap > 0:
            low = theta
        else:
            high = theta
        if abs(gap) <= 1e-9 * math.sqrt(variance):
            break
        if high - low <= 1e-12 * top:
            if high < top or top * largest >= steepest:
                break
            high = top = steepest / largest
        step = theta + gap / variance if variance > 0 else math.inf
        theta = step if low < step < high else (low + high) / 2
    cumulant = dot(m, np.logaddexp(0, theta * d) - math.log(2))
    return Halfspace(theta, theta * target - cumulant, math.sqrt(variance), dot(m * b, w))


def tilt_towards(
    classes: OnLattice, place: Halfspace, slope: float, worth: float = WORTH_A_TILT
) -> Tilt:
    """The tilt of a half-space, or none where its rate is not worth one."""
    # Guesses are powers of two.
    depth = math.ldexp(0.5, math.frexp(1 / (1 + 2.5 * place.theta * place.deviation))[1])
    if place.rate >= worth and int(classes.m.sum()) > EXACT_UNITS:
        r_x, r_y = _exponential(-place.theta), _exponential(place.theta * slope)
        if r_x < 1:
            return Tilt(r_x, r_y, depth)
    guess = depth * math.exp(-min(max(place.rate, 0.0), 600.0))
    return Tilt(1.0, 1.0, math.ldexp(0.5, math.frexp(guess)[1]))


def towards_boundary(
    classes: OnLattice, ratio: Ratio, worth: float = WORTH_A_TILT, steepest: float = CERTAIN
) -> Tilt:
    """The tilt whose mean is the dominating point of the boundary x = X(y), a parabola."""
    (n0, n1, _, n_total), (d0, _, d2, d_total) = ratio.numerator, ratio.denominator
    threshold = float(ratio.threshold)
    if d_total == 0:
        return Tilt(1.0, 1.0, 1.0)
    last = dot(classes.m.astype(np.float64), classes.b)
    y, place, slope = last / 2, None, 0.0
    for _ in range(50):  # tangents until the point stays
        den_a = d0 + d2 * y
        den_b = d_total - den_a
        x = (threshold * den_a * den_b - n0 * den_b + (n_total - n0) * den_a) / (n1 * d_total)
        # With one row its slope means nothing, and may be too large for exp.
        slope = d2 * (threshold * (den_b - den_a) + n_total) / (n1 * d_total) if last else 0.0
        place = to_halfspace(classes, slope, x - slope * y, steepest)
        if abs(place.mean_y - y) <= 1e-6 * (1 + last):
            break
        y = place.mean_y
    assert place is not None
    return tilt_towards(classes, place, slope, worth)


# ---- frequencies instead of cells ---------------------------------------------------------------

#: What may be cut away, relative to the result's guess: probability outside the window on each of
#: its sides, and the sum of |phi| in a box of frequencies.
OUTSIDE, DROPPED = 1e-16, 1e-18

#: What may be missing from a result, and the error that is accepted.
MISSING, ACCEPTED = 1e-12, 1e-11

#: A tilt saves accuracy: without one a result of 0.01 has a hundred times the error.
WORTH_ITS_TILT = 0.5

#: Factors that the search for frequencies may look at: so many and these for each class, a fifth of
#: a second at most.
VISITS, VISITS_A_CLASS, MOST_VISITS = 2**22, 2**13, 2**26

#: Where Chernoff's bound is tried: at so many z to each side of a start, by this factor.
Z_STEPS, Z_STEP = 24, 1.06

#: Columns and rows of a window; a row takes some hundred bytes.
WIDEST, MOST_ROWS = 2**30, 2**21

#: Frequencies and rows that a thread takes at a time.
FACTORS, ROWS_AT_ONCE = 64, 1024

#: Steps from which threads are worth starting.
WORTH_THREADS = 2**22

#: What a look at a factor, a product of complex pairs, a phase and a row take, in steps of Horner's
#: rule, of about a cell update of the lattice.
VISIT, PRODUCT, PHASE, ROW = 16, 24, 8, 600

#: The unit of rounding.
_U = 2.0**-53

#: Relative: more than a logarithm of a library is off, or a sum of terms that it enters.
_OF_LOG, _OF_SUM = Fraction(1, 2**50), 1e-12


class Window(NamedTuple):
    """An interval of one sum, and the probability outside it."""

    low: int
    high: int
    outside: float

    @property
    def period(self) -> int:
        """The least odd number of places that hold it."""
        return (self.high - self.low + 1) | 1


@dataclass(frozen=True, eq=False)
class Plan:
    """What is summed for one tilt: windows of both sums, and the frequencies that count."""

    tilt: Tilt
    shares: Floats  #: The probability of each class's units.
    x: Window
    y: Window
    kx: Integers
    ky: Integers
    lost: float  #: Bounds the sum of |phi| over the frequencies that are left out.
    cost: int  #: Steps, counted beforehand.


# ---- the plan -----------------------------------------------------------------------------


@lru_cache(maxsize=1)  # of the classes that were routed, and are summed next
def plan(classes: OnLattice, tilt: Tilt, less: float) -> Plan:
    """Windows and frequencies, `less` of which is cut away; MemoryError where they are too many."""
    a, b, m = classes.a, classes.b, classes.m
    shares = shares_of(classes, tilt)
    windows, outside = [], OUTSIDE * less * tilt.guess
    for d in (a, b):  # where a sum lies, except with this probability on each side
        support = int((m * np.minimum(d, 0)).sum()), int((m * np.maximum(d, 0)).sum())
        low, high = -_reach(-d, m, shares, outside), _reach(d, m, shares, outside)
        cut = (low > support[0]) + (high < support[1])
        windows.append(Window(max(low, support[0]), min(high, support[1]), cut * outside))
    x, y = windows
    if x.period > WIDEST or y.period > MOST_ROWS:
        raise MemoryError(f"the window of the lattice has {x.period} x {y.period} cells")
    turns_x, turns_y, v = a / x.period, b / y.period, 4 * shares * (1 - shares)
    order = np.argsort(-m * v * (turns_x**2 + turns_y**2), kind="stable")
    kx, ky, lost, visits = inversion.find(
        turns_x[order], turns_y[order], m[order] / 2, v[order], x.period, y.period,
        -math.log(DROPPED * less * tilt.guess),
        min(VISITS + VISITS_A_CLASS * len(m), MOST_VISITS),
    )  # fmt: skip
    products = sum(3 + n.bit_length() + n.bit_count() for n in m.tolist())
    rows = y.high - y.low + 1
    cost = VISIT * visits + PRODUCT * len(kx) * products
    cost += rows * (len(kx) + PHASE * len(np.unique(kx)) + ROW)
    return Plan(tilt, shares, x, y, kx, ky, lost, cost)


def window_is_too_wide(classes: OnLattice, tilt: Tilt) -> bool:
    """Whether the windows of :func:`plan` are certainly too wide, by one pass over the classes."""
    # With the mean M of a sum and every z that `_reach` tries, log E exp(z (sum - M)) >= 0
    # (Jensen), so that no window ends nearer to M than the logarithm of the probability beyond it,
    # divided by the largest z.
    shares, size = shares_of(classes, tilt), classes.m.astype(np.float64)
    needed = -math.log(OUTSIDE * tilt.guess)
    for column, most in ((classes.a, WIDEST), (classes.b, MOST_ROWS)):
        step = column.astype(np.float64)
        low = dot(size, np.minimum(step, 0))
        high = dot(size, np.maximum(step, 0))
        mean = dot(size * step, shares)
        variance = dot(size * step * step, shares * (1 - shares))
        if variance <= 0:
            continue
        ends = needed / (math.sqrt(2 * needed / variance) * Z_STEP**Z_STEPS)
        if min(ends, high - mean) + min(ends, mean - low) > 1.01 * most:
            return True
    return False


def shares_of(classes: OnLattice, tilt: Tilt) -> Floats:
    """The probability that a unit of each class is swapped."""
    odds = np.exp(-classes.a * math.log(tilt.r_x) - classes.b * math.log(tilt.r_y))
    return np.asarray(np.minimum(odds / (1 + odds), 1 - _U))


def _reach(d: Integers, m: Integers, shares: Floats, outside: float) -> int:
    """Beyond it lies at most this probability: Chernoff's bound, which every z > 0 gives."""
    step, size = d.astype(np.float64), m.astype(np.float64)
    variance = dot(size * step * step, shares * (1 - shares))
    largest = float(np.abs(step).max())
    needed = -math.log(outside)
    start = math.sqrt(2 * needed / variance) if variance > 0 else math.inf
    best = math.inf
    for i in range(-Z_STEPS, Z_STEPS + 1):
        z = min(start * Z_STEP**i, 600.0 / max(largest, 1e-300))
        best = min(best, (dot(size, log_mean(shares, z * step)) + needed) / z)
    return math.floor(best + 1e-11 * abs(best)) + 1


def log_mean(shares: Floats, exponent: Floats) -> Floats:
    """The logarithm of 1 - share + share exp(exponent)."""
    with np.errstate(divide="ignore"):  # a share of exactly 0 or 1
        return np.asarray(np.logaddexp(np.log1p(-shares), np.log(shares) + exponent))


# ---- the sum ------------------------------------------------------------------------------


def _runs(
    kx: Integers, ky: Integers, re: Floats, im: Floats
) -> tuple[tuple[NDArray[Any], ...], Floats, Floats]:
    """The frequencies by columns of equal kx, in runs of consecutive ky, as the kernel takes them:
    kx and the first run of each column; ky, the step and the place of each run; real and imaginary
    parts. A run is cut where |phi| is largest, and goes from both ends to there. And of a column
    the sums of |phi|, and of |phi| times its place in its run.
    """
    size = np.hypot(re, im)
    starts = np.flatnonzero(np.append(True, (np.diff(kx) != 0) | (np.diff(ky) != 1)))
    ends = np.append(starts[1:], len(kx))
    runs: list[tuple[int, int, int, int]] = []  # first ky, step, length and kx of each
    order: list[int] = []
    for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
        centre = start + int(np.argmax(size[start:end]))
        for run, step in ((range(end - 1, centre - 1, -1), 1), (range(start, centre), -1)):
            if len(run):
                order.extend(run)
                runs.append((int(ky[run[-1]]), step, len(run), int(kx[start])))
    first, steps, lengths, column = np.array(runs, dtype=np.int64).T.copy()
    at = np.concatenate([[0], np.cumsum(lengths)])
    places = np.repeat(at[1:], lengths) - 1 - np.arange(len(order))
    columns, starts_of = np.unique(column, return_index=True)
    size, re, im = (np.ascontiguousarray(v[order]) for v in (size, re, im))
    of_column = at[starts_of]
    laid_out = columns, np.append(starts_of, len(column)), first, steps, at, re, im
    return laid_out, np.add.reduceat(size, of_column), np.add.reduceat(size * places, of_column)


def attempt(
    classes: OnLattice, ratio: Ratio, plan: Plan, threads: int
) -> tuple[Tail | None, float, bool]:
    """The tail by one plan, None where nothing is left but roundings; what it misses; and whether
    roundings alone are too many, whatever the plan.
    """
    isa = dispatch.number()
    a, b, m = classes.a, classes.b, classes.m
    r, r_y, x, y = plan.tilt.r_x, plan.tilt.r_y, plan.x, plan.y
    # Where each row of the window begins to reject.
    x_min, x_max = int((m * np.minimum(a, 0)).sum()), int((m * np.maximum(a, 0)).sum())
    end = x.low + x.period  # past the last cell of every row
    thresholds = lattice.thresholds(ratio, y.low, y.high - y.low + 1, x_min, x_max)
    inside = np.flatnonzero(thresholds <= x_max)
    if not inside.size:
        return None, math.inf, False
    middle = dot(m * b, plan.shares) - y.low
    row = int(inside[np.argmin(np.abs(inside - middle))])
    heights = np.where(thresholds <= x_max, np.clip(thresholds, x.low, end), end)
    reference = int(heights[row]), y.low + row

    # The tilted sum over these rows, times both periods, relative to the reference.
    order = np.lexsort((plan.ky, plan.kx))
    kx, ky = plan.kx[order], plan.ky[order]
    roots_x, roots_y = inversion.Roots(x.period), inversion.Roots(y.period)
    re, im = np.empty((2, len(kx)))
    sums = np.zeros((-(-len(heights) // ROWS_AT_ONCE), 2))
    factors = inversion.Factors(roots_x, roots_y, r, r_y, a, b, m)

    def factor(start: int, to: int, stop: NDArray[np.int32]) -> None:
        factors.at(kx, ky, re, im, start, to, isa, stop)

    def add(start: int, to: int, stop: NDArray[np.int32]) -> None:
        sums[start // ROWS_AT_ONCE] = summed.sum(start, to, isa, stop)

    few = plan.cost < WORTH_THREADS
    in_pieces(len(kx), FACTORS, factor, threads, few=few)
    for values in (re, im):
        values[(kx == 0) & (ky > 0)] *= 2  # the mirror images
    runs, size, path = _runs(kx, ky, re, im)
    summed = inversion.Rows(roots_x, roots_y, r, r_y, heights, y.low, end, reference, *runs)
    in_pieces(len(heights), ROWS_AT_ONCE, add, threads, few=few)
    value, weights = math.fsum(sums.ravel().tolist()), summed.weights
    if not math.isfinite(value):
        return None, math.inf, False

    lengths = (end - heights).astype(np.float64)
    cells = float(x.period) * y.period
    region = dot(weights, np.minimum(lengths, 1 / (1 - r)) if r < 1 else lengths)
    below = np.maximum(x.low - thresholds, 0)  # cells that reject below the window
    with np.errstate(over="ignore"):
        heaviest = float((weights * np.exp(-math.log(r) * below)).max())
    missing = plan.lost * region / cells + heaviest * (2 * x.outside + y.outside)
    missing += _outer_rows(classes, ratio, plan, reference)
    missing *= cells
    # What all roundings add at most: 9 a step of Horner's rule, and those after it.
    others = 34 + len(size) + float(np.diff(runs[1]).max())
    of_column = _U * (9 * path + others * size)
    reach, total = 2 * np.hypot(*summed.factors), float(weights.sum())
    if r == 1:  # the column kx = 0 has as many cells as the row is long, exactly
        rounding = dot(of_column[1:], reach[1:]) * total
        rounding += float(of_column[0]) * dot(weights, lengths)
    else:
        rounding = dot(of_column, reach) * total
    # No plan has fewer roundings, and none finds more than this one may have missed.
    hopeless = rounding > 4 * ACCEPTED * (max(value, 0.0) + missing)
    if value <= 0:
        return None, math.inf, hopeless
    error = missing / value + rounding / value + 16 * _U
    # In tilted probability, relative to the reference's weight; as a probability:
    mantissa, exponent = math.frexp(value / cells)
    for part, power in (
        lattice.constant(r, r_y, a, b, m),
        lattice.power(r, reference[0]),
        lattice.power(r_y, reference[1]),
    ):
        mantissa, more = math.frexp(mantissa * part)
        exponent += power + more
    return Tail(mantissa, exponent, error, plan.cost), missing / value, hopeless


def _outer_rows(classes: OnLattice, ratio: Ratio, plan: Plan, reference: tuple[int, int]) -> float:
    """A bound on the tilted sum over the rows outside the window, relative to the reference."""
    # By blocks whose length doubles: the largest weight of a row times the probability of all rows
    # from the block's near end on.
    if plan.tilt.r_x == plan.tilt.r_y == 1:
        return plan.y.outside
    last, total = int((classes.m * classes.b).sum()), 0.0
    for side, near, far in ((1, plan.y.high + 1, last), (-1, plan.y.low - 1, 0)):
        size = 1
        while side * near <= side * far:
            end = near + side * (size - 1)
            end = far if side * end > side * far else end
            heaviest = _log_weight(classes, ratio, plan.tilt, reference, near, end)
            beyond = _log_beyond(classes, plan.shares, side, near)
            total += math.exp(min(heaviest + beyond + _OF_SUM, 700.0))
            near, size = end + side, 2 * size
    return total


def _log_weight(
    classes: OnLattice, ratio: Ratio, tilt: Tilt, reference: tuple[int, int], near: int, far: int
) -> float:
    """A bound on the logarithm of the weights r_x^x r_y^y of the cells of rows near .. far that
    reject, relative to the reference.
    """
    (n0, n1, _, n_total), (d0, _, d2, d_total) = ratio.numerator, ratio.denominator
    slope_x, slope_y = Fraction(-math.log(tilt.r_x)), Fraction(math.log(tilt.r_y))
    threshold, length = Fraction(ratio.threshold), abs(far - near)
    x_min = int((classes.m * np.minimum(classes.a, 0)).sum())
    high = max(abs(y - reference[1]) for y in (near, far))

    def weight(x: Fraction | int, y: int) -> Fraction:
        return slope_y * (y - reference[1]) - slope_x * (x - reference[0])

    def parabola(y: int) -> Fraction:
        den = d0 + d2 * y
        above = threshold * den * (d_total - den) - n0 * d_total + n_total * den
        return above / (n1 * d_total)

    def above(most: Fraction, wide: Fraction | int) -> Fraction:  # whatever the logarithms
        return most + _OF_LOG * (abs(most) + abs(slope_x) * wide + abs(slope_y) * high)

    lowest = above(max(weight(x_min, y) for y in (near, far)), abs(x_min - reference[0]))
    if any(d0 + d2 * y in (0, d_total) for y in (near, far)):  # a score without a denominator
        return float(lowest)
    ends = [parabola(y) for y in (near, far)]
    first, last = (weight(x, y) for x, y in zip(ends, (near, far), strict=True))
    bend = threshold * d2 * d2 / (n1 * d_total)  # of the parabola and, times slope_x, the weight
    most, curve = max(first, last), slope_x * bend
    if curve < 0 and length:  # the vertex between the ends
        rise = (last - first) / length - curve * length
        if 0 < rise < -2 * curve * length:
            most = first - rise * rise / (4 * curve)
    wide = max(abs(x - reference[0]) for x in ends) + abs(bend) * length * length / 4
    return float(min(lowest, above(most, wide)))


def _log_beyond(classes: OnLattice, shares: Floats, side: int, y: int) -> float:
    """Chernoff's bound on the logarithm of P(Y >= y), or of P(Y <= y), in tilted probability."""
    b, m = side * classes.b.astype(np.float64), classes.m.astype(np.float64)
    start = 0.25 / (math.sqrt(dot(m * b * b, shares * (1 - shares))) + 1e-300)
    last = 600.0 / float(classes.b.max())
    best, z = 0.0, min(start, last)
    while z <= last:
        generating = m * log_mean(shares, z * b)
        rounded = float(np.abs(generating).sum()) + z * abs(y)
        best = min(best, float(generating.sum()) - z * side * y + _OF_SUM * rounded)
        z *= 1.25
    return best


def inverted(
    classes: OnLattice,
    ratio: Ratio,
    threads: int,
    most: float = math.inf,
    steepest: float = CERTAIN,
) -> Tail:
    """The probability that the rows of the lattice, of constant denominators, reach their
    thresholds; MemoryError where windows, frequencies or steps are too many, or the error cannot be
    bounded. Up to three plans are summed, one where the roundings alone are too many.
    """
    tilt = towards_boundary(classes, ratio, WORTH_ITS_TILT, steepest)
    best: Tail | None = None
    updates = 0
    for less in (1.0, 1e-8, 1e-24):
        chosen = plan(classes, tilt, less)
        if not updates and chosen.cost > most:
            raise MemoryError(f"the frequencies of the lattice take {chosen.cost} steps")
        updates += chosen.cost
        found, missing, hopeless = attempt(classes, ratio, chosen, threads)
        if found is not None and (best is None or found.error_bound < best.error_bound):
            best = found
        if missing <= MISSING or hopeless:
            break
    if best is None or not best.error_bound <= ACCEPTED:
        raise MemoryError("the error of the lattice cannot be bounded")
    return best._replace(updates=updates)


# ---- what it costs, and which way it is summed -----------------------------------------------

#: Cell updates below which looking for a better split takes longer than it saves.
SMALL = 2**16

#: ... and beyond which no split makes the lattice worthwhile.
LARGE = 2**48

#: Cell updates, as :func:`split_of` estimates them, up to which cells are always summed: p-values
#: of versions that knew no other way come out to the last bit.
DIRECT = 2**26

#: Classes beyond which no zonotope is measured: the window is smaller.
MANY = 1024


class Split(NamedTuple):
    """Multiplicities by class of the three parts: one twice, and one for each side."""

    shared: Integers
    one: Integers
    two: Integers
    updates: int


def split_of(classes: OnLattice) -> Split:
    """How to split the units into two parts, by the estimated cell updates."""
    a, b, m = classes.a, classes.b, classes.m
    nothing = np.zeros_like(m)
    if classes.line:  # the sum needs every cell
        passes = _passes(a, b, m)[0]
        support = dot(m.astype(np.float64), a)
        return Split(m, nothing, nothing, _as_count(2 * float(passes.sum()) + support))

    def rated(shared: Integers, one: Integers, two: Integers) -> Split:
        return Split(shared, one, two, _as_count(_rate(classes, shared, one, two)))

    undivided = rated(nothing, nothing, m)
    if not SMALL <= undivided.updates <= LARGE:
        return undivided
    places = np.unique(np.linspace(0, len(m), 9).astype(int))
    splits = [(nothing, np.where(np.arange(len(m)) >= i, m, 0)) for i in places.tolist()]
    # Half of each class in both parts, and the odd units to either in turn; or whole classes.
    odd = m % 2
    first = np.where(np.cumsum(odd) % 2 == 1, odd, 0)
    halves = m // 2, first, odd - first
    candidates = [halves, *((shared, one, m - one) for shared, one in splits)]
    return min((rated(*parts) for parts in candidates), key=lambda split: split.updates)


def _rate(
    classes: OnLattice, shared: Integers, one: Integers, two: Integers, v: Floats | None = None
) -> float:
    """The cell updates of a split, `v` as of :func:`_passes`: with it within a factor of 1.5 of
    those that are done, as a rule.
    """

    def passes(at: NDArray[np.intp], sizes: Integers) -> tuple[Floats, float, float]:
        return _passes(classes.a[at], classes.b[at], sizes, None if v is None else v[at])

    chosen, ends = np.flatnonzero(shared), []
    updates = float(passes(np.arange(len(shared)), shared)[0][chosen].sum())
    for rest in (one, two):
        others = np.flatnonzero(rest)
        of_each, cells, rows = passes(
            np.concatenate([chosen, others]), np.concatenate([shared[chosen], rest[others]])
        )
        updates += float(of_each[len(chosen) :].sum())
        ends.append((cells, rows))
    (cells_one, rows_one), (cells_two, rows_two) = ends
    return updates + 0.5 * min(cells_one * rows_two, cells_two * rows_one)


def _as_count(updates: float) -> int:
    return int(min(updates, 2.0**62))


def _passes(
    a: Integers, b: Integers, m: Integers, v: Floats | None = None
) -> tuple[Floats, float, float]:
    """Updates of each class's pass, and the cells and rows at the end, estimated from variances,
    `v` times those without a tilt. The window is an ellipse of nine standard deviations, within the
    support: a box without `v`, as versions estimated it that knew no other way, else the zonotope.
    """
    x, y, n = (one.astype(np.float64) for one in (a, b, m))
    if not n.size:
        return n, 1.0, 1.0
    size = n if v is None else n * v
    var_x, var_y, both = (np.cumsum(size * one) / 4 for one in (x * x, y * y, x * y))
    window = 81 * math.pi * np.sqrt(np.maximum(var_x * var_y - both * both, 0))
    window += 18 * (np.sqrt(var_x) + np.sqrt(var_y)) + 1
    up = np.cumsum(n * y) + 1
    if v is None:
        window = np.minimum(window, (np.cumsum(n * np.abs(x)) + 1) * up)
    elif len(n) <= MANY:
        spans = np.abs(np.outer(x, y) - np.outer(y, x)) * np.outer(n, n)
        edges = np.cumsum(n * np.gcd(a, b)) + 1
        window = np.minimum(window, np.cumsum(np.triu(spans).sum(axis=0)) + edges)
    cells = np.floor(window)
    rows = min(float(up[-1]), 18 * math.sqrt(float(var_y[-1])) + 1)
    # Weights of a binomial that count: nine standard deviations each way.
    terms = np.minimum(n + 1, np.floor(9 * np.sqrt(size)) + 3)
    return terms * np.concatenate([[1.0], cells[:-1]]), float(cells[-1]), rows


def route(classes: OnLattice, ratio: Ratio | None, split: Split) -> tuple[bool, int]:
    """Whether a tail is summed over frequencies, not over cells, and its cost: for a question, or
    without one for p-values that are not small.
    """
    if classes.line:
        return False, split.updates
    tilt = Tilt(1.0, 1.0, 0.125)
    if ratio is not None:
        tilt = towards_boundary(classes, ratio)
    shares = shares_of(classes, tilt)
    updates = _as_count(
        _rate(classes, split.shared, split.one, split.two, 4 * shares * (1 - shares))
    )
    if split.updates <= DIRECT:
        return False, min(updates, DIRECT)
    try:
        if ratio is not None:
            tilt = towards_boundary(classes, ratio, WORTH_ITS_TILT)
        if window_is_too_wide(classes, tilt):  # as the plan says, much later
            return False, updates
        cost = plan(classes, tilt, 1.0).cost
    except MemoryError:
        return False, updates
    return cost <= updates, min(cost, updates)


#: Bytes that the cells of a lattice may take; 24 bytes per cell of one part.
MEMORY = 300_000_000

#: How much may be cut away, relative to the result.
LOST = 1e-14

#: Cell updates up to which cells are summed where frequencies give no bound, and steps up to which
#: frequencies are where the cells do not fit: seconds.
INSTEAD = 2**32

#: Values whose common divisor is looked at.
GCD = 512

#: An error bound beyond which frequencies are asked, too.
BOUNDED = 1e-10


# ---- the sum ----------------------------------------------------------------------------


def _convolve(
    classes: OnLattice, into: lattice.Lattice, sizes: Integers, tilt: Tilt, cut: float
) -> None:
    for a, b, m in zip(classes.a.tolist(), classes.b.tolist(), sizes.tolist(), strict=True):
        if m:
            into.convolve(tilt.r_x, tilt.r_y, a, b, m, cut, dispatch.number())


def _rounding(terms: int) -> float:
    """A weight, its product and its sum, one ulp each, all the same way."""
    return (terms + 64) * 2.0**-53


#: A tail, and what of its error was cut away: the rest are roundings.
Attempt = tuple[Tail, float]


def _widening(
    tilt: Tilt,
    cut: float,
    run: Callable[[Tilt, float, float], Attempt],
    at_most: Callable[[], float],
    *,
    updates: int = 0,
    thorough: bool,
) -> Tail:
    """Attempts until nothing is missing that matters; the best that the memory allows.

    `at_most` is a bound on the logarithm of the result. Attempts that are not `thorough` end with
    an error that counts as exact, and leave out those that are too coarse for so small a result.
    """
    # Where the boundary bends much, rows far from the tilted mean can weigh more than those that
    # the tilt was made for. Without a tilt every row weighs the same, and it suffices to keep cells
    # down to the size of p.
    attempts = [(tilt, factor * cut, factor) for factor in (1.0, 1e-8, 1e-24)]
    for exponent in (20, 40, 80, 160, 290):
        attempts.append((Tilt(1.0, 1.0, 10.0**-exponent), 10.0**-exponent, 1.0))
    best: Attempt | None = None
    for wider, smaller, factor in attempts:
        if not thorough and wider is not tilt and best is not None:
            if best[0].error_bound <= BOUNDED:
                break
            if math.log(smaller) > at_most():
                continue
        try:
            found, missing = run(wider, smaller, 1.0 if thorough else factor)
        except MemoryError:
            if best is None or best[1] > 1:
                raise
            break
        updates += found.updates
        if best is None or missing < best[1]:
            best = found, missing
        if missing <= LOST:
            break
    assert best is not None
    return best[0]._replace(updates=updates)


def rays(classes: OnLattice, ratio: Ratio, split: Split, thorough: bool = True) -> Tail:
    """Rows of constant denominators: each rejects from its threshold on."""
    a, b, m = classes.a, classes.b, classes.m
    x_min = int((m * np.minimum(a, 0)).sum())
    x_max = int((m * np.maximum(a, 0)).sum())
    y_max = int((m * b).sum())
    if y_max >= 2**27:  # each row takes some hundred bytes and a microsecond
        raise MemoryError(f"the lattice has {y_max + 1} rows")
    heights = lattice.thresholds(ratio, 0, y_max + 1, x_min, x_max)
    empty = heights > x_max
    if bool(empty.all()):
        return Tail(0.0, 0, 0.0, 0)
    rows = _passes(a, b, m)[2]
    passes = sum(np.count_nonzero(part) for part in (split.shared, split.one, split.two))
    steepest = CERTAIN if thorough else STEEPEST
    tilt = towards_boundary(classes, ratio, steepest=steepest)
    # What is missing is then a tenth to a half of LOST. With a tilt some rows weigh more.
    share = 0.1 if tilt.r_x == 1 else 0.01
    cut = share * LOST * tilt.guess / ((passes + 1) * (rows + 10))

    def at_most() -> float:  # by the half-space with the tilt's slope that holds all that rejects
        slope = -math.log(tilt.r_y) / math.log(tilt.r_x) if tilt.r_x < 1 else 0.0
        nearest = float((heights - slope * np.arange(y_max + 1))[~empty].min())
        return -to_halfspace(classes, slope, nearest, steepest).rate

    def run(tilt: Tilt, cut: float, share: float) -> Attempt:
        return meet(classes, split, heights, empty, tilt, cut, share)

    return _widening(tilt, cut, run, at_most, thorough=thorough)


def meet(
    classes: OnLattice,
    split: Split,
    heights: Integers,
    empty: NDArray[np.bool_],
    tilt: Tilt,
    cut: float,
    share: float,
) -> Attempt:
    """One tilt and one cut: both parts, their meeting, and what it misses. Rows reject from their
    heights on, but for those that are empty. `share` is of what the meeting may leave out.
    """
    m, b = classes.m, classes.b
    y_max = len(heights) - 1
    constant = lattice.constant(tilt.r_x, tilt.r_y, classes.a, b, m)
    # The logarithm of a row's weight in the result: r_x^L r_y^y.
    weight = heights * math.log(tilt.r_x) + np.arange(y_max + 1) * math.log(tilt.r_y)
    weight[empty] = -math.inf
    odds = np.exp(-classes.a * math.log(tilt.r_x) - b * math.log(tilt.r_y))
    swapped = odds / (1 + odds)
    inside = np.flatnonzero(~empty)
    middle = inside[np.argmin(np.abs(inside - dot(m * b, swapped)))]
    reference = float(weight[middle])
    scale = np.exp(np.minimum(weight - reference, 600.0))
    two = lattice.Lattice(MEMORY // 24)
    _convolve(classes, two, split.shared, tilt, cut)
    one = two.copy()
    _convolve(classes, one, split.one, tilt, cut)
    one.release()
    _convolve(classes, two, split.two, tilt, cut)
    two.release()
    first, count = one.first + two.first, one.rows + two.rows - 1
    window = slice(first, first + count)
    skip = share * 0.01 * LOST * tilt.guess / (one.rows * two.rows)
    value, exponent, skipped = lattice.meet(
        one, two, tilt.r_x, tilt.r_y, heights[window], scale[window].copy(),
        constant, skip, dispatch.number(),
    )  # fmt: skip
    updates = one.updates + two.updates
    lost = 2 * two.lost + one.lost  # what the shared part lost, both parts lost
    rounding = _rounding(one.terms + 2 * two.terms)
    if value == 0:
        missing = 0.0 if lost + skipped == 0 else math.inf
        return Tail(0.0, 0, missing, updates), missing
    # The logarithm of a lost probability in the result.
    unit = math.log(constant[0]) + constant[1] * math.log(2)
    unit -= math.log(value) + exponent * math.log(2)
    error = skipped * _exp(unit + reference)
    if tilt.r_x == tilt.r_y == 1:  # every row weighs 1
        error += 1.001 * lost * _exp(unit)
    elif lost > 0:
        outside = _log_row_bound(classes, swapped, y_max)
        near = outside >= math.log(lost)
        error += 1.001 * lost * _exp(unit + float(weight[near].max(initial=-math.inf)))
        error += float(np.exp(np.minimum(unit + weight + outside, 700.0))[~near].sum())
    return Tail(value, exponent, error + rounding, updates), error


def _exp(value: float) -> float:
    return math.exp(min(value, 700.0))


def _log_row_bound(classes: OnLattice, share: Floats, y_max: int) -> Floats:
    """Chernoff's bound on log P(y) in tilted probability, for every row y."""
    b, m = classes.b.astype(np.float64), classes.m.astype(np.float64)
    deviation = math.sqrt(dot(m * b * b, share * (1 - share)))
    bound = np.zeros(y_max + 1)
    if y_max == 0:
        return bound
    # Each row takes the best of a geometric series of z: exponents within 1% of the optimum.
    last = 60.0 / float(b.max())
    z = min(0.5 / (deviation + 1e-300), last)
    rows = np.arange(y_max + 1)
    while z <= last:
        for slope in (z, -z):
            generating = log_mean(share, slope * b)
            np.minimum(bound, dot(m, generating) - slope * rows, out=bound)
        z *= 1.25
    return bound


def parallel(classes: OnLattice, ratio: Ratio, thorough: bool) -> Tail:
    """All steps are parallel and move the denominators: any set of cells may reject."""
    # x and its mirror image have the same probability. So both sides of the mean are tails upwards,
    # each with a tilt of its own towards its nearest rejecting cell.
    last = int((classes.m * classes.a).sum())
    middle = (last + 1) // 2
    (n0, n1, n2, n), (d0, d1, d2, d) = ratio.numerator, ratio.denominator
    mirrored = Ratio(
        (n0 + n1 * last, -n1, n2, n),
        (d0 + d1 * last, -d1, d2, d),
        ratio.zero_division,
        ratio.sizes,
        ratio.threshold,
    )
    up = _side(classes, ratio, middle, last, thorough)
    down = _side(classes, mirrored, last + 1 - middle, last, thorough)
    if up.mantissa == 0 or (down.mantissa != 0 and down.exponent > up.exponent):
        up, down = down, up  # the larger one first
    smaller = math.ldexp(down.mantissa, max(down.exponent - up.exponent, -2000))
    mantissa, more = math.frexp(up.mantissa + (smaller if down.mantissa else 0.0))
    error = max(up.error_bound, down.error_bound) + 2.0**-53
    return Tail(mantissa, up.exponent + more, error, up.updates + down.updates)


def _side(classes: OnLattice, ratio: Ratio, start: int, last: int, thorough: bool) -> Tail:
    nearest = lattice.find(ratio, start, last + 1)
    searched = min(nearest, last) + 1 - start
    if nearest > last:
        return Tail(0.0, 0, 0.0, searched)
    place = to_halfspace(classes, 0.0, float(nearest), CERTAIN if thorough else STEEPEST)
    tilt = tilt_towards(classes, place, 0.0)

    def run(tilt: Tilt, cut: float, share: float) -> Attempt:
        cells = lattice.Lattice(MEMORY // 24)
        _convolve(classes, cells, classes.m, tilt, cut)
        cells.release()
        reached = lattice.reaching(cells, ratio, tilt.r_x, nearest)
        if reached == 0:
            missing = math.inf if cells.lost else 0.0
            return Tail(0.0, 0, missing, cells.updates), missing
        value, exponent = lattice.constant(tilt.r_x, tilt.r_y, classes.a, classes.b, classes.m)
        weight, power = lattice.power(tilt.r_x, nearest)
        mantissa, more = math.frexp(value * weight * reached)
        missing = 1.001 * cells.lost / reached  # no cell weighs more than the nearest
        error = missing + _rounding(cells.terms)
        return Tail(mantissa, exponent + power + more, error, cells.updates), missing

    cut = 0.01 * LOST * tilt.guess / (len(classes.m) + 1)
    return _widening(tilt, cut, run, lambda: -place.rate, updates=searched, thorough=thorough)


# ---- the public functions -----------------------------------------------------------------


def cost(
    steps: Integers,
    base: Base | None = None,
    threshold: Fraction | None = None,
    *,
    cells_only: bool = False,
) -> int:
    """Estimate the cell updates of :func:`tail`, or steps that take about as long; 2^62 where only
    cells are wanted, so few that they are always summed, and they are not.
    """
    classes = on_lattice(steps)
    if classes is None:
        return 1
    ratio = None
    if base is not None and threshold is not None:
        ratio = ratio_of(steps, classes, base, threshold, 0)
    split = classes.split
    if cells_only and split.updates > DIRECT:
        return 2**62
    return route(classes, ratio, split)[1]


def is_too_wide(values: Integers, s: int) -> bool:
    """Whether a sum with fair signs moves so much, where it reaches s, that no lattice holds it:
    known without sorting the values.
    """
    # The tilt that makes s the mean gives the sizes |v| a variance sum q v^2 with q = 1 - h^2 and
    # sum h |v| = s. As q >= 1 - h and by Cauchy's inequality it is at least (sum |v| - s)^2 / n.
    # The sum over frequencies needs windows of at most 2^30 steps of the lattice, and cells fit the
    # memory to 2^24 of them; a standard deviation of 2^32 steps is beyond both. The values'
    # greatest common divisor is at most that of some of them.
    n = len(values)
    some = values[:: -(-n // GCD) or 1]
    divisor = int(np.gcd.reduce(some)) if len(some) else 0
    if not divisor:
        return False
    room = float(np.abs(values.astype(np.float64)).sum()) - s
    return room > 2.0**32 * divisor * math.sqrt(n)


def first_cost(steps: Integers) -> int:
    """The estimate that chose engines for the first version of records."""
    classes = on_lattice(steps)
    return 1 if classes is None else classes.split.updates


def tail(
    steps: Integers,
    base: Base,
    threshold: Fraction,
    *,
    zero_division: int = 0,
    threads: int = 1,
    frequencies: bool = True,
    thorough: bool = True,
    most: float = math.inf,
) -> Tail:
    """Probability that the difference of the scores reaches a threshold, ties included.

    A step is what swapping a unit takes from A's numerator and denominator and gives to B's, below
    2^61 in all; `base` has both systems' sums before. MemoryError where neither the cells fit the
    memory, nor the frequencies, or where it takes more than `most` steps. `thorough` sums over
    cells go on where the error is bounded.
    """
    classes = on_lattice(steps)
    ratio = ratio_of(steps, classes, base, threshold, zero_division)
    if classes is None:
        reached = lattice.find(ratio, 0, 1) == 0
        return Tail(0.5, 1, 0.0, 1) if reached else Tail(0.0, 0, 0.0, 1)
    if classes.line:
        return parallel(classes, ratio, thorough)
    steepest = CERTAIN if thorough else STEEPEST
    split = classes.split
    if not frequencies:
        return rays(classes, ratio, split)
    by_frequencies, steps_of_it = False, split.updates
    if split.updates > DIRECT or split.updates > most:
        by_frequencies, steps_of_it = route(classes, ratio, split)
    if steps_of_it > most:
        raise MemoryError(f"the lattice takes {steps_of_it} steps")
    if by_frequencies:
        try:
            return inverted(classes, ratio, threads, steepest=steepest)
        except MemoryError:
            if split.updates > INSTEAD:
                raise
        return rays(classes, ratio, split, thorough)
    # Cells, or frequencies where they do not fit: the data decide, wherever they are.
    found: Tail | None = None
    refusal = MemoryError()
    try:
        found = rays(classes, ratio, split, thorough)
        if found.error_bound <= BOUNDED:
            return found
    except MemoryError as error:
        refusal = error
    try:
        return inverted(classes, ratio, threads, INSTEAD, steepest)
    except MemoryError:
        if found is None:
            raise refusal from None
        return found
