"""Exact tails of two sums by inversion of their characteristic function.

The probability of a region of cells is a sum over frequencies instead of cells. A class of equal
units is one factor, however many units it holds, and of all frequencies few count: a thousand or
so, whatever the number of units. ``docs/theory.md``, "Inversion", has the formulas and the proof of
the error bound; ``csig_ext/src/inversion.h`` says what is computed in which order.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from csig.engines.pool import in_pieces
from csig.engines.steps import Floats, Integers, OnLattice, Tail, Tilt, dot, towards_boundary
from csig_ext import inversion, lattice
from csig_ext.linfrac import Ratio

#: What may be cut away, relative to the result's guess: probability outside the window on each of
#: its sides, and the sum of |phi| in a box of frequencies.
OUTSIDE, DROPPED = 1e-16, 1e-18

#: What may be missing from a result, and the error that is accepted.
LOST, ACCEPTED = 1e-12, 1e-11

#: A tilt saves accuracy: without one a result of 0.01 has a hundred times the error.
WORTH_A_TILT = 0.5

#: Factors that the search for frequencies may look at: so many and these for each class, a fifth of
#: a second at most.
VISITS, VISITS_A_CLASS, MOST_VISITS = 2**22, 2**13, 2**26

#: Where Chernoff's bound is tried: at so many z to each side of a start, by this factor.
Z_STEPS, Z_STEP = 24, 1.06

#: Columns and rows of a window; a row takes some hundred bytes.
WIDEST, MOST_ROWS = 2**30, 2**21

#: Frequencies and rows that a thread takes at a time.
FACTORS, ROWS = 64, 1024

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


def plan(classes: OnLattice, tilt: Tilt, less: float = 1.0) -> Plan:
    """Windows and frequencies; MemoryError where they are too many."""
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


def is_too_wide(classes: OnLattice, tilt: Tilt) -> bool:
    """Whether the windows of :func:`plan` are certainly too wide, by one pass over the classes."""
    # With the mean M of a sum and every z that `_reach` tries, log E exp(z (sum - M)) >= 0
    # (Jensen), so that no window ends nearer to M than the logarithm of the probability beyond it,
    # divided by the largest z.
    shares, size = shares_of(classes, tilt), classes.m.astype(np.float64)
    needed = -math.log(OUTSIDE * tilt.guess)
    for own, most in ((classes.a, WIDEST), (classes.b, MOST_ROWS)):
        step = own.astype(np.float64)
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


class _Runs(NamedTuple):
    """The frequencies by columns of equal kx, in runs of consecutive ky: what the kernel takes."""

    kx: Integers
    first_run: Integers
    ky: Integers
    step: Integers
    at: Integers
    re: Floats
    im: Floats
    size: Floats  # of a column: the sum of |phi|, and of |phi| times its place in its run
    path: Floats


def _runs(kx: Integers, ky: Integers, re: Floats, im: Floats) -> _Runs:
    """Each run is cut where |phi| is largest, and goes from both ends to there."""
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
    return _Runs(
        columns, np.append(starts_of, len(column)), first, steps, at, re, im,
        np.add.reduceat(size, of_column), np.add.reduceat(size * places, of_column),
    )  # fmt: skip


class Attempt(NamedTuple):
    """The tail by one plan, None where nothing is left but roundings; and what it misses."""

    tail: Tail | None
    missing: float
    hopeless: bool  # roundings alone are too many, whatever the plan


def attempt(classes: OnLattice, ratio: Ratio, made: Plan, threads: int, isa: int) -> Attempt:
    a, b, m = classes.a, classes.b, classes.m
    r, r_y, x, y = made.tilt.r_x, made.tilt.r_y, made.x, made.y
    # Where each row of the window begins to reject.
    x_min, x_max = int((m * np.minimum(a, 0)).sum()), int((m * np.maximum(a, 0)).sum())
    end = x.low + x.period  # past the last cell of every row
    thresholds = lattice.thresholds(ratio, y.low, y.high - y.low + 1, x_min, x_max)
    inside = np.flatnonzero(thresholds <= x_max)
    if not inside.size:
        return Attempt(None, math.inf, False)
    middle = dot(m * b, made.shares) - y.low
    row = int(inside[np.argmin(np.abs(inside - middle))])
    heights = np.where(thresholds <= x_max, np.clip(thresholds, x.low, end), end)
    reference = int(heights[row]), y.low + row

    # The tilted sum over these rows, times both periods, relative to the reference.
    order = np.lexsort((made.ky, made.kx))
    kx, ky = made.kx[order], made.ky[order]
    roots_x, roots_y = inversion.Roots(x.period), inversion.Roots(y.period)
    re, im = np.empty((2, len(kx)))
    sums = np.zeros((-(-len(heights) // ROWS), 2))
    factors = inversion.Factors(roots_x, roots_y, r, r_y, a, b, m)

    def factor(start: int, to: int, stop: NDArray[np.int32]) -> None:
        factors.at(kx, ky, re, im, start, to, isa, stop)

    def add(start: int, to: int, stop: NDArray[np.int32]) -> None:
        sums[start // ROWS] = summed.sum(start, to, isa, stop)

    few = made.cost < WORTH_THREADS
    in_pieces(len(kx), FACTORS, factor, threads, few=few)
    for values in (re, im):
        values[(kx == 0) & (ky > 0)] *= 2  # the mirror images
    runs = _runs(kx, ky, re, im)
    summed = inversion.Rows(roots_x, roots_y, r, r_y, heights, y.low, end, reference, *runs[:7])
    in_pieces(len(heights), ROWS, add, threads, few=few)
    value, weights = math.fsum(sums.ravel().tolist()), summed.weights
    if not math.isfinite(value):
        return Attempt(None, math.inf, False)

    lengths = (end - heights).astype(np.float64)
    cells = float(x.period) * y.period
    region = dot(weights, np.minimum(lengths, 1 / (1 - r)) if r < 1 else lengths)
    below = np.maximum(x.low - thresholds, 0)  # cells that reject below the window
    with np.errstate(over="ignore"):
        heaviest = float((weights * np.exp(-math.log(r) * below)).max())
    missing = made.lost * region / cells + heaviest * (2 * x.outside + y.outside)
    missing += _outer_rows(classes, ratio, made, reference)
    missing *= cells
    # What all roundings add at most: 9 a step of Horner's rule, and those after it.
    others = 34 + len(runs.kx) + float(np.diff(runs.first_run).max())
    of_column = _U * (9 * runs.path + others * runs.size)
    reach, total = 2 * np.hypot(*summed.factors), float(weights.sum())
    if r == 1:  # the column kx = 0 has as many cells as the row is long, exactly
        rounding = dot(of_column[1:], reach[1:]) * total
        rounding += float(of_column[0]) * dot(weights, lengths)
    else:
        rounding = dot(of_column, reach) * total
    # No plan has fewer roundings, and none finds more than this one may have missed.
    hopeless = rounding > 4 * ACCEPTED * (max(value, 0.0) + missing)
    if value <= 0:
        return Attempt(None, math.inf, hopeless)
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
    return Attempt(Tail(mantissa, exponent, error, made.cost), missing / value, hopeless)


def _outer_rows(classes: OnLattice, ratio: Ratio, made: Plan, reference: tuple[int, int]) -> float:
    """A bound on the tilted sum over the rows outside the window, relative to the reference."""
    # By blocks whose length doubles: the largest weight of a row times the probability of all rows
    # from the block's near end on.
    if made.tilt.r_x == made.tilt.r_y == 1:
        return made.y.outside
    last, total = int((classes.m * classes.b).sum()), 0.0
    for side, near, far in ((1, made.y.high + 1, last), (-1, made.y.low - 1, 0)):
        size = 1
        while side * near <= side * far:
            end = near + side * (size - 1)
            end = far if side * end > side * far else end
            heaviest = _log_weight(classes, ratio, made.tilt, reference, near, end)
            beyond = _log_beyond(classes, made.shares, side, near)
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


# ---- the public function ------------------------------------------------------------------


def tail(classes: OnLattice, ratio: Ratio, threads: int, isa: int, most: float = math.inf) -> Tail:
    """The probability that the rows of the lattice, of constant denominators, reach their
    thresholds; MemoryError where windows, frequencies or steps are too many, or the error cannot be
    bounded. Up to three plans are summed, one where the roundings alone are too many.
    """
    tilt = towards_boundary(classes, ratio, WORTH_A_TILT)
    best: Tail | None = None
    updates = 0
    for less in (1.0, 1e-8, 1e-24):
        made = plan(classes, tilt, less)
        if not updates and made.cost > most:
            raise MemoryError(f"the frequencies of the lattice take {made.cost} steps")
        updates += made.cost
        found, missing, hopeless = attempt(classes, ratio, made, threads, isa)
        if found is not None and (best is None or found.error_bound < best.error_bound):
            best = found
        if missing <= LOST or hopeless:
            break
    if best is None or not best.error_bound <= ACCEPTED:
        raise MemoryError("the error of the lattice cannot be bounded")
    return best._replace(updates=updates)
