"""Exact tails of linear-fractional metrics over any units: the lattice engine.

:func:`tail` is P(score_A - score_B >= threshold) for the sums of :mod:`csig.engines.steps`.
Their joint distribution is built class by class, tilted towards the boundary of the rejection
region: ``docs/theory.md``, "The lattice". Where that takes many cells, they are summed over
frequencies instead: :mod:`csig.engines.inversion`. Costs are cell updates, or steps that take about
as long, estimated from the classes of units: the same data take the same way on every machine.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from csig.engines import inversion
from csig.engines.steps import (
    Base,
    Floats,
    Integers,
    OnLattice,
    Tail,
    Tilt,
    checked,
    dot,
    on_lattice,
    ratio_of,
    tilt_towards,
    to_halfspace,
    towards_boundary,
)
from csig_ext import dispatch, lattice
from csig_ext.linfrac import Ratio

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


def _spread(a: Integers, b: Integers, m: Integers) -> tuple[Floats, Floats, Floats]:
    """Cells and rows of prefixes of classes, estimated from their variances, and the updates of
    each pass. The window is an ellipse of nine standard deviations, within the support.
    """
    x, y, n = (v.astype(np.float64) for v in (a, b, m))
    var_x, var_y, both = (np.cumsum(n * v) / 4 for v in (x * x, y * y, x * y))
    box_x, box_y = np.cumsum(n * np.abs(x)) + 1, np.cumsum(n * y) + 1
    rows = np.minimum(box_y, 18 * np.sqrt(var_y) + 1)
    area = 81 * math.pi * np.sqrt(np.maximum(var_x * var_y - both * both, 0))
    around = 18 * (np.sqrt(var_x) + np.sqrt(var_y)) + 1
    cells = np.floor(np.minimum(box_x * box_y, area + around))
    # Weights of a binomial that count: nine standard deviations each way.
    terms = np.minimum(n + 1, np.floor(9 * np.sqrt(n)) + 3)
    return cells, rows, terms * np.concatenate([[1.0], cells[:-1]])


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
        passes = _spread(a, b, m)[2]
        support = dot(m.astype(np.float64), a)
        return Split(m, nothing, nothing, _as_count(2 * float(passes.sum()) + support))
    undivided = Split(nothing, nothing, m, _as_count(_rate(a, b, nothing, nothing, m)))
    if not SMALL <= undivided.updates <= LARGE:
        return undivided
    places = np.unique(np.linspace(0, len(m), 9).astype(int))
    splits = [(nothing, np.where(np.arange(len(m)) >= i, m, 0)) for i in places.tolist()]
    # Half of each class in both parts, and the odd units to either in turn; or whole classes.
    odd = m % 2
    first = np.where(np.cumsum(odd) % 2 == 1, odd, 0)
    halves = m // 2, first, odd - first
    candidates = [halves, *((shared, one, m - one) for shared, one in splits)]
    rated = [Split(*c, _as_count(_rate(a, b, *c))) for c in candidates]
    return min(rated, key=lambda split: split.updates)


def _rate(a: Integers, b: Integers, shared: Integers, one: Integers, two: Integers) -> float:
    updates, sizes = 0.0, []
    updates += float(_spread(a, b, shared)[2][shared > 0].sum())
    for rest in (one, two):
        order = np.concatenate([np.flatnonzero(shared), np.flatnonzero(rest)])
        if not order.size:
            sizes.append((1.0, 1.0))
            continue
        m = np.concatenate([shared[shared > 0], rest[rest > 0]])
        cells, rows, passes = _spread(a[order], b[order], m)
        updates += float(passes[np.count_nonzero(shared) :].sum())
        sizes.append((float(cells[-1]), float(rows[-1])))
    (cells_one, rows_one), (cells_two, rows_two) = sizes
    return updates + 0.5 * min(cells_one * rows_two, cells_two * rows_one)


def _as_count(updates: float) -> int:
    return int(min(updates, 2.0**62))


def updates_of(classes: OnLattice, split: Split, shares: Floats) -> float:
    """Cell updates of a split: within a factor of 1.5 of those that are done, as a rule."""
    v = 4 * shares * (1 - shares)
    chosen = split.shared > 0
    updates = float(_passes(classes, split.shared, v)[0][chosen].sum())
    sizes = []
    for rest in (split.one, split.two):
        order = np.concatenate([np.flatnonzero(chosen), np.flatnonzero(rest)])
        m = np.concatenate([split.shared[chosen], rest[rest > 0]])
        part = OnLattice(
            classes.a[order], classes.b[order], m, classes.scale_x, classes.scale_y, classes.shift,
            classes.line,
        )  # fmt: skip
        passes, cells, rows = _passes(part, m, v[order])
        updates += float(passes[np.count_nonzero(chosen) :].sum())
        sizes.append((cells, rows))
    (cells_one, rows_one), (cells_two, rows_two) = sizes
    return updates + 0.5 * min(cells_one * rows_two, cells_two * rows_one)


def _passes(classes: OnLattice, sizes: Integers, v: Floats) -> tuple[Floats, float, float]:
    """Updates of each class's pass, and the cells and rows at the end."""
    x, y, n = (one.astype(np.float64) for one in (classes.a, classes.b, sizes))
    if not n.size:
        return n, 1.0, 1.0
    var_x, var_y, both = (np.cumsum(n * v * one) / 4 for one in (x * x, y * y, x * y))
    window = 81 * math.pi * np.sqrt(np.maximum(var_x * var_y - both * both, 0))
    window += 18 * (np.sqrt(var_x) + np.sqrt(var_y)) + 1
    if len(n) <= MANY:
        spans = np.abs(np.outer(x, y) - np.outer(y, x)) * np.outer(n, n)
        edges = np.cumsum(n * np.gcd(classes.a, classes.b)) + 1
        window = np.minimum(window, np.cumsum(np.triu(spans).sum(axis=0)) + edges)
    cells = np.floor(window)
    rows = min(float((n * y).sum()) + 1, 18 * math.sqrt(float(var_y[-1])) + 1)
    terms = np.minimum(n + 1, np.floor(9 * np.sqrt(n * v)) + 3)
    return terms * np.concatenate([[1.0], cells[:-1]]), float(cells[-1]), rows


class Route(NamedTuple):
    """Which way a tail is summed: over frequencies, or over cells, and its cost."""

    inverted: bool
    cost: int
    split: Split


def route(classes: OnLattice, ratio: Ratio | None, split: Split | None = None) -> Route:
    """The way of a question, or without one that of p-values that are not small."""
    split = split_of(classes) if split is None else split
    if classes.line:
        return Route(False, split.updates, split)
    tilt = Tilt(1.0, 1.0, 0.125)
    if ratio is not None:
        tilt = towards_boundary(classes, ratio)
    shares = inversion.shares_of(classes, tilt)
    updates = _as_count(updates_of(classes, split, shares))
    if split.updates <= DIRECT:
        return Route(False, min(updates, DIRECT), split)
    try:
        if ratio is not None:
            tilt = towards_boundary(classes, ratio, inversion.WORTH_A_TILT)
        if inversion.is_too_wide(classes, tilt):  # as the plan says, much later
            return Route(False, updates, split)
        cost = inversion.plan(classes, tilt).cost
    except MemoryError:
        return Route(False, updates, split)
    return Route(cost <= updates, min(cost, updates), split)


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
    classes: OnLattice, into: lattice.Lattice, sizes: Integers, tilt: Tilt, cut: float, isa: int
) -> None:
    for a, b, m in zip(classes.a.tolist(), classes.b.tolist(), sizes.tolist(), strict=True):
        if m:
            into.convolve(tilt.r_x, tilt.r_y, a, b, m, cut, isa)


def _constant(classes: OnLattice, tilt: Tilt) -> tuple[float, int]:
    return lattice.constant(tilt.r_x, tilt.r_y, classes.a, classes.b, classes.m)


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


def _widening(tilt: Tilt, cut: float, run: Callable[[Tilt, float], _Found], updates: int) -> Tail:
    """Attempts until nothing is missing that matters; the best that the memory allows."""
    # Where the boundary bends much, rows far from the tilted mean can weigh more than those that
    # the tilt was made for. Without a tilt every row weighs the same, and it suffices to keep cells
    # down to the size of p.
    attempts = [(tilt, factor * cut) for factor in (1.0, 1e-8, 1e-24)]
    for exponent in (20, 40, 80, 160, 290):
        attempts.append((Tilt(1.0, 1.0, 10.0**-exponent), 10.0**-exponent))
    best: _Found | None = None
    for wider, smaller in attempts:
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


def rays(classes: OnLattice, ratio: Ratio, split: Split, limit: int, isa: int) -> Tail:
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
    rows = float(_spread(a, b, m)[1][-1])
    passes = sum(np.count_nonzero(part) for part in (split.shared, split.one, split.two))
    tilt = towards_boundary(classes, ratio)
    # What is missing is then a tenth to a half of LOST. With a tilt some rows weigh more.
    share = 0.1 if tilt.r_x == 1 else 0.01
    cut = share * LOST * tilt.guess / ((passes + 1) * (rows + 10))
    empty = heights > x_max
    return _widening(
        tilt, cut, lambda t, c: meet(classes, split, heights, empty, t, c, limit, isa), 0
    )


def meet(
    classes: OnLattice,
    split: Split,
    heights: Integers,
    empty: NDArray[np.bool_],
    tilt: Tilt,
    cut: float,
    limit: int,
    isa: int,
) -> _Found:
    """One tilt and one cut: both parts, their meeting, and what it misses. Rows reject from their
    heights on, but for those that are empty.
    """
    m, b = classes.m, classes.b
    y_max = len(heights) - 1
    constant = _constant(classes, tilt)
    # The logarithm of a row's weight in the result: r_x^L r_y^y.
    weight = heights * math.log(tilt.r_x) + np.arange(y_max + 1) * math.log(tilt.r_y)
    weight[empty] = -math.inf
    odds = np.exp(-classes.a * math.log(tilt.r_x) - b * math.log(tilt.r_y))
    share = odds / (1 + odds)
    inside = np.flatnonzero(~empty)
    middle = inside[np.argmin(np.abs(inside - dot(m * b, share)))]
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
        one, two, tilt.r_x, tilt.r_y, heights[window], scale[window].copy(),
        constant, skip, isa,
    )  # fmt: skip
    updates = one.updates + two.updates
    lost = 2 * two.lost + one.lost  # what the shared part lost, both parts lost
    rounding = _rounding(one.terms + 2 * two.terms)
    if value == 0:
        return _Found(0.0, 0, 0.0 if lost + skipped == 0 else math.inf, 0.0, updates)
    # The logarithm of a lost probability in the result.
    unit = math.log(constant[0]) + constant[1] * math.log(2)
    unit -= math.log(value) + exponent * math.log(2)
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


def _log_row_bound(classes: OnLattice, share: Floats, y_max: int) -> Floats:
    """Chernoff's bound on log P(y) in tilted probability, for every row y: for any z,
    P(y) <= E exp(z Y) / exp(z y).
    """
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
            generating = inversion.log_mean(share, slope * b)
            np.minimum(bound, dot(m, generating) - slope * rows, out=bound)
        z *= 1.25
    return bound


def parallel(classes: OnLattice, ratio: Ratio, limit: int, isa: int) -> Tail:
    """All steps are parallel and move the denominators: any set of cells may reject.

    x and its mirror image have the same probability. So both sides of the mean are tails upwards,
    each with a tilt of its own towards its nearest rejecting cell.
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
    tilt = tilt_towards(classes, to_halfspace(classes, 0.0, float(nearest)), 0.0)

    def run(tilt: Tilt, cut: float) -> _Found:
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


# ---- the public functions -----------------------------------------------------------------


def cost(
    steps: NDArray[np.int64], base: Base | None = None, threshold: Fraction | None = None
) -> int:
    """Estimate the cell updates of :func:`tail`, or steps that take about as long."""
    classes, ratio = _asked(steps, base, threshold)
    return 1 if classes is None else route(classes, ratio).cost


def _asked(
    steps: NDArray[np.int64], base: Base | None, threshold: Fraction | None
) -> tuple[OnLattice | None, Ratio | None]:
    steps = checked(steps)
    classes = on_lattice(steps)
    if classes is None or base is None or threshold is None:
        return classes, None
    return classes, ratio_of(steps, classes, base, threshold, 0)


def cost_of_cells(
    steps: NDArray[np.int64], base: Base | None = None, threshold: Fraction | None = None
) -> int | None:
    """The same where cells are so few that they are always summed; None where they are not."""
    classes, ratio = _asked(steps, base, threshold)
    if classes is None:
        return 1
    split = split_of(classes)
    return route(classes, ratio, split).cost if split.updates <= DIRECT else None


def is_too_wide(values: NDArray[np.int64], s: int) -> bool:
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


def first_cost(steps: NDArray[np.int64]) -> int:
    """The estimate that chose engines for the first version of records."""
    classes = on_lattice(checked(steps))
    return 1 if classes is None else split_of(classes).updates


def tail(
    steps: NDArray[np.int64],
    base: Base,
    threshold: Fraction,
    *,
    zero_division: int = 0,
    memory: int = MEMORY,
    threads: int = 1,
    isa: str | None = None,
    frequencies: bool = True,
) -> Tail:
    """Probability that the difference of the scores reaches a threshold, ties included.

    A step is what swapping a unit takes from A's numerator and denominator and gives to B's, below
    2^61 in all; `base` has both systems' sums before. MemoryError where neither the cells fit the
    memory, nor the frequencies.
    """
    steps = checked(steps)
    classes = on_lattice(steps)
    n_a, m_a, n_b, m_b = (int(v) for v in base)
    ratio = ratio_of(steps, classes, (n_a, m_a, n_b, m_b), threshold, zero_division)
    number = dispatch.number(isa)
    if classes is None:
        reached = lattice.find(ratio, 0, 1) == 0
        return Tail(0.5, 1, 0.0, 1) if reached else Tail(0.0, 0, 0.0, 1)
    if classes.line:
        return parallel(classes, ratio, memory // 24, number)
    limit = memory // 24
    if not frequencies:
        return rays(classes, ratio, split_of(classes), limit, number)
    way = route(classes, ratio)
    if way.inverted:
        try:
            return inversion.tail(classes, ratio, threads, number)
        except MemoryError:
            if way.split.updates > INSTEAD:
                raise
        return rays(classes, ratio, way.split, limit, number)
    # Cells, or frequencies where they do not fit: the data decide, wherever they are.
    found: Tail | None = None
    refusal = MemoryError()
    try:
        found = rays(classes, ratio, way.split, limit, number)
        if found.error_bound <= BOUNDED:
            return found
    except MemoryError as error:
        refusal = error
    try:
        return inversion.tail(classes, ratio, threads, number, INSTEAD)
    except MemoryError:
        if found is None:
            raise refusal from None
        return found
