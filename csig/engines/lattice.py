"""Exact tails of linear-fractional metrics over any units: the lattice engine.

Unit i, when swapped, moves the summed statistics by an integer vector, of which only
(s_i, t_i) matters, its weighted sums in the numerator and the denominator. With fair
coins z_i and (N, M) = sum of z_i (s_i, t_i),

    score_A = (n_A - N) / (m_A - M)        score_B = (n_B + N) / (m_B + M)

and :func:`tail` is P(score_A - score_B >= threshold). Equal and opposite units are merged
into classes, and the joint distribution of (N, M) is built class by class, tilted towards
the boundary of the rejection region: ``docs/theory.md``, "The lattice".
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from csig.data.classes import Classes
from csig.errors import InputError
from csig_ext import dispatch, lattice
from csig_ext.linfrac import Ratio

__all__ = ["MEMORY", "Base", "Tail", "cost", "tail"]

#: Bytes that the cells of a lattice may take; 24 bytes per cell of one part.
MEMORY = 300_000_000

#: How much may be cut away, relative to the result.
LOST = 1e-14

#: Up to this many units all probabilities are multiples of 2^-52: sums of doubles are exact.
EXACT_UNITS = 52

#: Without a tilt a cell counts down to 1e-15 of the result: for p below about e^-5 the
#: wider window costs more than a tilt saves.
WORTH_A_TILT = 5.0

#: Cell updates below which looking for a better split takes longer than it saves.
SMALL = 2**16

#: ... and beyond which no split makes the lattice worthwhile.
LARGE = 2**48

#: The sums (n_A, m_A, n_B, m_B): numerators and denominators of both observed scores.
Base = tuple[int, int, int, int]

_Integers = NDArray[np.int64]
_Floats = NDArray[np.float64]


class Tail(NamedTuple):
    """A tail probability, ``mantissa * 2**exponent``.

    Attributes
    ----------
    mantissa : float
        In [0.5, 1), or 0 when no shuffle reaches the threshold.
    exponent : int
        The power of two, so that nothing underflows.
    error_bound : float
        Bound on the relative error: what was cut away, and the roundings if all of them
        went the same way.
    updates : int
        Cell updates done.
    """

    mantissa: float
    exponent: int
    error_bound: float
    updates: int


# ---- units to classes ------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class OnLattice:
    """Classes of units: m units with (x, y) step (a, b), and the question about (x, y)."""

    a: _Integers
    b: _Integers
    m: _Integers
    scale_x: tuple[int, int]  # (N, M) = base + x * scale_x + y * scale_y, up to sign
    scale_y: tuple[int, int]
    shift: tuple[int, int]  # of (N, M) by the units turned round
    line: bool  # y is always 0, and the denominators depend on x


def on_lattice(steps: _Integers) -> OnLattice | None:
    """The classes, or None when no unit matters."""
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
    return OnLattice(*_ordered(a, b, m), scale_x, scale_y, shift, line)


def _ordered(a: _Integers, b: _Integers, m: _Integers) -> tuple[_Integers, _Integers, _Integers]:
    """Small steps first, so that windows stay small for long."""
    x, y = a.astype(np.float64), b.astype(np.float64)
    size = x * x / max(1.0, _dot(m, x * x)) + y * y / max(1.0, _dot(m, y * y))
    order = np.lexsort((a, b, size))
    return a[order], b[order], m[order]


# ---- the cost -------------------------------------------------------------------


class _Spread(NamedTuple):
    """Cells, rows and roundings of prefixes of classes, estimated from their variances."""

    cells: _Floats
    rows: _Floats
    passes: _Floats  # updates of each pass


def _terms(m: _Floats) -> _Floats:
    """Weights of a binomial that count: nine standard deviations each way."""
    return np.asarray(np.minimum(m + 1, np.floor(9 * np.sqrt(m)) + 3))


def _spread(a: _Integers, b: _Integers, m: _Integers) -> _Spread:
    """The window is an ellipse of nine standard deviations, within the support."""
    x, y, n = (v.astype(np.float64) for v in (a, b, m))
    var_x, var_y, both = (np.cumsum(n * v) / 4 for v in (x * x, y * y, x * y))
    box_x, box_y = np.cumsum(n * np.abs(x)) + 1, np.cumsum(n * y) + 1
    rows = np.minimum(box_y, 18 * np.sqrt(var_y) + 1)
    area = 81 * math.pi * np.sqrt(np.maximum(var_x * var_y - both * both, 0))
    around = 18 * (np.sqrt(var_x) + np.sqrt(var_y)) + 1
    cells = np.floor(np.minimum(box_x * box_y, area + around))
    return _Spread(cells, rows, _terms(n) * np.concatenate([[1.0], cells[:-1]]))


class Split(NamedTuple):
    """Multiplicities by class of the three parts: one twice, and one for each side."""

    shared: _Integers
    one: _Integers
    two: _Integers
    updates: int


def _halves(m: _Integers) -> tuple[_Integers, _Integers, _Integers]:
    """Half of each class in both parts; the odd units to either in turn."""
    odd = m % 2
    first = np.where(np.cumsum(odd) % 2 == 1, odd, 0)
    return m // 2, first, odd - first


def split_of(classes: OnLattice) -> Split:
    """How to split the units into two parts, by the estimated cell updates."""
    a, b, m = classes.a, classes.b, classes.m
    nothing = np.zeros_like(m)
    if classes.line:  # the sum needs every cell
        whole = _spread(a, b, m)
        support = _dot(m.astype(np.float64), a)
        return Split(m, nothing, nothing, _as_count(2 * float(whole.passes.sum()) + support))
    undivided = Split(nothing, nothing, m, _as_count(_rate(a, b, nothing, nothing, m)))
    if not SMALL <= undivided.updates <= LARGE:
        return undivided
    places = np.unique(np.linspace(0, len(m), 9).astype(int))
    splits = [(nothing, np.where(np.arange(len(m)) >= i, m, 0)) for i in places.tolist()]
    candidates = [_halves(m), *((shared, one, m - one) for shared, one in splits)]
    rated = [Split(*c, _as_count(_rate(a, b, *c))) for c in candidates]
    return min(rated, key=lambda split: split.updates)


def _rate(a: _Integers, b: _Integers, shared: _Integers, one: _Integers, two: _Integers) -> float:
    updates, sizes = 0.0, []
    common = _spread(a, b, shared)
    updates += float(common.passes[shared > 0].sum())
    for rest in (one, two):
        order = np.concatenate([np.flatnonzero(shared), np.flatnonzero(rest)])
        if not order.size:
            sizes.append((1.0, 1.0))
            continue
        part = _spread(a[order], b[order], np.concatenate([shared[shared > 0], rest[rest > 0]]))
        updates += float(part.passes[np.count_nonzero(shared) :].sum())
        sizes.append((float(part.cells[-1]), float(part.rows[-1])))
    (cells_one, rows_one), (cells_two, rows_two) = sizes
    return updates + 0.5 * min(cells_one * rows_two, cells_two * rows_one)


def _as_count(updates: float) -> int:
    return int(min(updates, 2.0**62))


def cost(steps: NDArray[np.int64]) -> int:
    """Estimate the cell updates of :func:`tail`, from the steps alone.

    Parameters
    ----------
    steps : (n, 2) array of int64
        As for :func:`tail`.

    Returns
    -------
    int
        The same on every machine; usually within a factor of two of what is done. Small
        p-values take fewer.
    """
    classes = on_lattice(_checked(steps))
    return 1 if classes is None else split_of(classes).updates


# ---- the tilt ----------------------------------------------------------------------------


class _Tilt(NamedTuple):
    """Class c has the odds r_x^-a r_y^-b of being swapped."""

    r_x: float
    r_y: float
    guess: float  # of the result in tilted probability


def _rounded(value: float) -> float:
    """20 bits: the last bits of exp and of sums differ between libraries; no result may."""
    mantissa, exponent = math.frexp(value)
    return math.ldexp(round(math.ldexp(mantissa, 20)), exponent - 20)


def _power_of_two(value: float) -> float:
    return math.ldexp(0.5, math.frexp(value)[1])


def _exponential(theta: float) -> float:
    """About exp(theta), relative to its distance from 1."""
    return 1 + _rounded(math.expm1(theta)) if abs(theta) < 0.5 else _rounded(math.exp(theta))


def _dot(x: _Floats | _Integers, y: _Floats | _Integers) -> float:
    """Not np.dot, whose order of summation is the BLAS library's."""
    return float((x * y).sum())


class _Halfspace(NamedTuple):
    """The tilt with mean on the line x - slope y = target, and its rate."""

    theta: float
    rate: float
    deviation: float
    mean_y: float


def _to_halfspace(classes: OnLattice, slope: float, target: float) -> _Halfspace:
    """Minimise the cumulant generating function minus theta * target (Newton's method in
    a bracket); theta = 0 when the mean lies beyond the line already.
    """
    a, b, m = (v.astype(np.float64) for v in (classes.a, classes.b, classes.m))
    d = a - slope * b
    largest = float(np.abs(d).max())
    theta, low = 0.0, 0.0
    high = top = 60.0 / largest if largest > 0 else 0.0  # exp(60) odds are certainty
    for _ in range(100):
        w = 1 / (1 + np.exp(-theta * d))
        gap = target - _dot(m * d, w)
        variance = _dot(m * d * d, w * (1 - w))
        if theta == 0 and gap <= 0:
            break
        if gap > 0:
            low = theta
        else:
            high = theta
        if abs(gap) <= 1e-9 * math.sqrt(variance) or high - low <= 1e-12 * top:
            break
        step = theta + gap / variance if variance > 0 else math.inf
        theta = step if low < step < high else (low + high) / 2
    cumulant = _dot(m, np.logaddexp(0, theta * d) - math.log(2))
    return _Halfspace(theta, theta * target - cumulant, math.sqrt(variance), _dot(m * b, w))


def _tilt(classes: OnLattice, place: _Halfspace, slope: float) -> _Tilt:
    depth = _power_of_two(1 / (1 + 2.5 * place.theta * place.deviation))
    if place.rate >= WORTH_A_TILT and int(classes.m.sum()) > EXACT_UNITS:
        r_x, r_y = _exponential(-place.theta), _exponential(place.theta * slope)
        if r_x < 1:
            return _Tilt(r_x, r_y, depth)
    guess = _power_of_two(depth * math.exp(-min(max(place.rate, 0.0), 600.0)))
    return _Tilt(1.0, 1.0, guess)


def towards_boundary(classes: OnLattice, ratio: Ratio) -> _Tilt:
    """The tilt whose mean is the dominating point of the boundary
    x = X(y), a parabola: tangents until the point stays.
    """
    (n0, n1, _, n_total), (d0, _, d2, d_total) = ratio.numerator, ratio.denominator
    threshold = float(ratio.threshold)
    if d_total == 0:
        return _Tilt(1.0, 1.0, 1.0)
    last = _dot(classes.m.astype(np.float64), classes.b)
    y, place, slope = last / 2, None, 0.0
    for _ in range(50):
        den_a = d0 + d2 * y
        den_b = d_total - den_a
        x = (threshold * den_a * den_b - n0 * den_b + (n_total - n0) * den_a) / (n1 * d_total)
        # With one row its slope means nothing, and may be too large for exp.
        slope = d2 * (threshold * (den_b - den_a) + n_total) / (n1 * d_total) if last else 0.0
        place = _to_halfspace(classes, slope, x - slope * y)
        if abs(place.mean_y - y) <= 1e-6 * (1 + last):
            break
        y = place.mean_y
    assert place is not None
    return _tilt(classes, place, slope)


# ---- the sum ----------------------------------------------------------------------------


def _convolve(
    classes: OnLattice, into: lattice.Lattice, sizes: _Integers, tilt: _Tilt, cut: float, isa: int
) -> None:
    for a, b, m in zip(classes.a.tolist(), classes.b.tolist(), sizes.tolist(), strict=True):
        if m:
            into.convolve(tilt.r_x, tilt.r_y, a, b, m, cut, isa)


def _attempts(tilt: _Tilt, cut: float) -> Iterator[tuple[_Tilt, float]]:
    """Tilts and cuts, ever wider, until what is lost does not matter.

    Where the boundary bends much, rows far from the tilted mean can weigh more than those that
    the tilt was made for. Without a tilt every row weighs the same, and it suffices to keep cells
    down to the size of p.
    """
    for factor in (1.0, 1e-8, 1e-24):
        yield tilt, factor * cut
    for exponent in (20, 40, 80, 160, 290):
        yield _Tilt(1.0, 1.0, 10.0**-exponent), 10.0**-exponent


def _constant(classes: OnLattice, tilt: _Tilt) -> tuple[float, int]:
    return lattice.constant(tilt.r_x, tilt.r_y, classes.a, classes.b, classes.m)


def _log(value: float, exponent: int) -> float:
    return math.log(value) + exponent * math.log(2)


def _rounding(terms: int) -> float:
    """A weight, its product and its sum, one ulp each, all the same way."""
    return (terms + 64) * 2.0**-53


class _Found(NamedTuple):
    """A tail, and both parts of its error: what was cut away, and the roundings."""

    mantissa: float
    exponent: int
    missing: float
    rounding: float
    updates: int


def _widening(tilt: _Tilt, cut: float, run: Callable[[_Tilt, float], _Found], updates: int) -> Tail:
    """Attempts until nothing is missing that matters; the best that the memory allows."""
    best: _Found | None = None
    for wider, smaller in _attempts(tilt, cut):
        try:
            found = run(wider, smaller)
        except MemoryError:
            if best is None or best.missing > 1:
                raise
            break
        updates += found.updates
        if best is None or found.missing < best.missing:
            best = found
        if found.missing <= LOST:
            break
    assert best is not None
    return Tail(best.mantissa, best.exponent, best.missing + best.rounding, updates)


class Region(NamedTuple):
    """The rejection region by rows: L(y), and x_max + 1 where a row has none."""

    heights: _Integers
    empty: NDArray[np.bool_]
    ratio: Ratio
    split: Split


def rays(classes: OnLattice, ratio: Ratio, limit: int, isa: int) -> Tail:
    """Rows of constant denominators: each rejects from its threshold on."""
    a, b, m = classes.a, classes.b, classes.m
    x_min = int((m * np.minimum(a, 0)).sum())
    x_max = int((m * np.maximum(a, 0)).sum())
    y_max = int((m * b).sum())
    if y_max >= 2**27:  # each row takes some hundred bytes and a microsecond
        raise MemoryError(f"the lattice has {y_max + 1} rows")
    heights = lattice.thresholds(ratio, 0, y_max + 1, x_min, x_max)
    if bool((heights > x_max).all()):
        return Tail(0.0, 0, 0.0, 0)
    split = split_of(classes)
    region = Region(heights, heights > x_max, ratio, split)
    rows = float(_spread(a, b, m).rows[-1])
    passes = sum(np.count_nonzero(part) for part in (split.shared, split.one, split.two))
    tilt = towards_boundary(classes, ratio)
    # What is missing is then a tenth to a half of LOST. With a tilt some rows weigh more.
    share = 0.1 if tilt.r_x == 1 else 0.01
    cut = share * LOST * tilt.guess / ((passes + 1) * (rows + 10))
    return _widening(tilt, cut, lambda t, c: meet(classes, region, t, c, limit, isa), 0)


def meet(
    classes: OnLattice, region: Region, tilt: _Tilt, cut: float, limit: int, isa: int
) -> _Found:
    """One tilt and one cut: both parts, their meeting, and what it misses."""
    m, b, split = classes.m, classes.b, region.split
    y_max = len(region.heights) - 1
    constant = _constant(classes, tilt)
    # The logarithm of a row's weight in the result: r_x^L r_y^y.
    weight = region.heights * math.log(tilt.r_x) + np.arange(y_max + 1) * math.log(tilt.r_y)
    weight[region.empty] = -math.inf
    odds = np.exp(-classes.a * math.log(tilt.r_x) - b * math.log(tilt.r_y))
    share = odds / (1 + odds)
    inside = np.flatnonzero(~region.empty)
    middle = inside[np.argmin(np.abs(inside - _dot(m * b, share)))]
    reference = float(weight[middle])
    scale = np.exp(np.minimum(weight - reference, 600.0))
    two = lattice.Lattice(limit)
    _convolve(classes, two, split.shared, tilt, cut, isa)
    one = two.copy()
    _convolve(classes, one, split.one, tilt, cut, isa)
    one.release()
    _convolve(classes, two, split.two, tilt, cut, isa)
    two.release()
    first, count = one.first + two.first, one.rows + two.rows - 1
    window = slice(first, first + count)
    skip = 0.01 * LOST * tilt.guess / (one.rows * two.rows)
    value, exponent, skipped = lattice.meet(
        one, two, tilt.r_x, tilt.r_y, region.heights[window], scale[window].copy(),
        constant, skip, isa,
    )  # fmt: skip
    updates = one.updates + two.updates
    lost = 2 * two.lost + one.lost  # what the shared part lost, both parts lost
    rounding = _rounding(one.terms + 2 * two.terms)
    if value == 0:
        return _Found(0.0, 0, 0.0 if lost + skipped == 0 else math.inf, 0.0, updates)
    unit = _log(*constant) - _log(value, exponent)  # of a lost probability in the result
    error = skipped * _exp(unit + reference)
    if tilt.r_x == tilt.r_y == 1:  # every row weighs 1
        error += 1.001 * lost * _exp(unit)
    elif lost > 0:
        outside = _log_row_bound(classes, share, y_max)
        near = outside >= math.log(lost)
        error += 1.001 * lost * _exp(unit + float(weight[near].max(initial=-math.inf)))
        error += float(np.exp(np.minimum(unit + weight + outside, 700.0))[~near].sum())
    return _Found(value, exponent, error, rounding, updates)


def _exp(value: float) -> float:
    return math.exp(min(value, 700.0))


def _log_row_bound(classes: OnLattice, share: _Floats, y_max: int) -> _Floats:
    """Chernoff's bound on log P(y) in tilted probability, for every row y.

    For any z, P(y) <= E exp(z Y) / exp(z y). Each row takes the best of a geometric
    series of z, whose exponents are within 1% of the optimum.
    """
    b, m = classes.b.astype(np.float64), classes.m.astype(np.float64)
    deviation = math.sqrt(_dot(m * b * b, share * (1 - share)))
    bound = np.zeros(y_max + 1)
    if y_max == 0:
        return bound
    z, last = 0.5 / (deviation + 1e-300), 60.0 / float(b.max())
    z = min(z, last)
    rows = np.arange(y_max + 1)
    while z <= last:
        for slope in (z, -z):
            # log(1 - w + w e^t) through t, which keeps its precision on both sides
            t = slope * b
            with np.errstate(divide="ignore"):  # a share of exactly 0 or 1
                generating = np.logaddexp(np.log1p(-share), np.log(share) + t)
            np.minimum(bound, _dot(m, generating) - slope * rows, out=bound)
        z *= 1.25
    return bound


def parallel(classes: OnLattice, ratio: Ratio, limit: int, isa: int) -> Tail:
    """All steps are parallel and move the denominators: any set of cells may reject.

    x and its mirror image have the same probability. So both sides of the mean are tails
    upwards, each with a tilt of its own towards its nearest rejecting cell.
    """
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
    up = _side(classes, ratio, middle, last, limit, isa)
    down = _side(classes, mirrored, last + 1 - middle, last, limit, isa)
    if up.mantissa == 0 or (down.mantissa != 0 and down.exponent > up.exponent):
        up, down = down, up  # the larger one first
    smaller = math.ldexp(down.mantissa, max(down.exponent - up.exponent, -2000))
    mantissa, more = math.frexp(up.mantissa + (smaller if down.mantissa else 0.0))
    error = max(up.error_bound, down.error_bound) + 2.0**-53
    return Tail(mantissa, up.exponent + more, error, up.updates + down.updates)


def _side(classes: OnLattice, ratio: Ratio, start: int, last: int, limit: int, isa: int) -> Tail:
    nearest = lattice.find(ratio, start, last + 1)
    searched = min(nearest, last) + 1 - start
    if nearest > last:
        return Tail(0.0, 0, 0.0, searched)
    tilt = _tilt(classes, _to_halfspace(classes, 0.0, float(nearest)), 0.0)

    def run(tilt: _Tilt, cut: float) -> _Found:
        cells = lattice.Lattice(limit)
        _convolve(classes, cells, classes.m, tilt, cut, isa)
        cells.release()
        found = lattice.reaching(cells, ratio, tilt.r_x, nearest)
        if found == 0:
            return _Found(0.0, 0, math.inf if cells.lost else 0.0, 0.0, cells.updates)
        value, exponent = _constant(classes, tilt)
        weight, power = lattice.power(tilt.r_x, nearest)
        mantissa, more = math.frexp(value * weight * found)
        missing = 1.001 * cells.lost / found  # no cell weighs more than the nearest
        exponent += power + more
        return _Found(mantissa, exponent, missing, _rounding(cells.terms), cells.updates)

    return _widening(tilt, 0.01 * LOST * tilt.guess / (len(classes.m) + 1), run, searched)


# ---- the public function ------------------------------------------------------------------


def _checked(steps: NDArray[np.int64]) -> _Integers:
    array = np.asarray(steps)
    if array.ndim != 2 or array.shape[1] != 2 or array.dtype.kind not in "iu":
        raise InputError(
            f"steps must be an (n, 2) array of integers, found {array.dtype} of shape {array.shape}"
        )
    if array.size and max(abs(int(array.min())), abs(int(array.max()))) >= 2**61:
        raise InputError("steps: a step reaches 2^61")
    array = array.astype(np.int64, copy=False)
    if float(np.abs(array).max(initial=0)) * len(array) >= 2.0**61:
        for column in array.T:
            if sum(abs(v) for v in column.tolist()) >= 2**61:
                raise InputError("steps: their sum reaches 2^61")
    return array


def tail(
    steps: NDArray[np.int64],
    base: Base,
    threshold: Fraction,
    *,
    zero_division: int = 0,
    memory: int = MEMORY,
    isa: str | None = None,
) -> Tail:
    """Probability that the difference of the scores reaches a threshold.

    Parameters
    ----------
    steps : (n, 2) array of int64
        For each unit, what swapping it takes from A's numerator and denominator and gives to
        B's: A's weighted sums minus B's, (s, t).
    base : tuple of four int
        (n_A, m_A, n_B, m_B), the numerators and denominators of both scores before any
        swap. Absolute sums below 2^61.
    threshold : Fraction
        Numerator and denominator below 2^127.
    zero_division : {0, 1}
        The score where a denominator is 0. The default 0 is scikit-learn's.
    memory : int
        Bytes for the cells; the default is 300 million.
    isa : str, optional
        The instruction set. The result does not depend on it.

    Returns
    -------
    Tail
        P(score_A - score_B >= threshold) over the 2^n shuffles, ties included.

    Raises
    ------
    InputError
        When a swap makes a denominator negative, or sums reach 2^61.
    MemoryError
        When the lattice does not fit ``memory``.

    Examples
    --------
    Darwin's 15 pairs of maize (Fisher 1935): each pair may be swapped.

    >>> d = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]
    >>> steps = np.array([(v, 0) for v in d])
    >>> p = tail(steps, (sum(d), 1, 0, 1), Fraction(sum(d)))
    >>> 2 * p.mantissa * 2**p.exponent * 32768
    1726.0
    """
    steps = _checked(steps)
    classes = on_lattice(steps)
    n_a, m_a, n_b, m_b = (int(v) for v in base)
    ratio = ratio_of(steps, classes, (n_a, m_a, n_b, m_b), threshold, zero_division)
    number = dispatch.number(isa)
    if classes is None:
        reached = lattice.find(ratio, 0, 1) == 0
        return Tail(0.5, 1, 0.0, 1) if reached else Tail(0.0, 0, 0.0, 1)
    run = parallel if classes.line else rays
    return run(classes, ratio, memory // 24, number)


def ratio_of(
    steps: _Integers, classes: OnLattice | None, base: Base, threshold: Fraction, zero_division: int
) -> Ratio:
    """The metric in x and y, as the kernels take it."""
    n_a, m_a, n_b, m_b = base
    reach = [int(np.abs(column).sum()) for column in steps.T]
    if max(abs(n_a), abs(n_b), abs(n_a + n_b)) + reach[0] >= 2**61 or (
        max(abs(m_a), abs(m_b), abs(m_a + m_b)) + reach[1] >= 2**61
    ):
        raise InputError("the weighted sums reach 2^61")
    if zero_division not in (0, 1):
        raise InputError(f"zero_division must be 0 or 1, found {zero_division!r}")
    threshold = Fraction(threshold)
    if max(abs(threshold.numerator), threshold.denominator) >= 2**127:
        raise InputError("threshold: its numerator or denominator reaches 2^127")
    t = steps[:, 1]
    if min(m_a - int(t[t > 0].sum()), m_b + int(t[t < 0].sum())) < 0:
        raise InputError("a denominator is negative for some shuffles")
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
