"""What a tail on a lattice costs, and by which way it is summed.

Costs are cell updates, or steps that take about as long, estimated from the classes of units. The
same data take the same way on every machine.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from csig.engines import inversion
from csig.engines.steps import Floats, Integers, OnLattice, dot
from csig.engines.tilts import Tilt, towards_boundary
from csig_ext.linfrac import Ratio

__all__ = ["DIRECT", "Route", "Split", "route", "rows_of", "split_of", "updates_of"]

#: Cell updates below which looking for a better split takes longer than it saves.
SMALL = 2**16

#: ... and beyond which no split makes the lattice worthwhile.
LARGE = 2**48

#: Cell updates, as :func:`split_of` estimates them, up to which cells are always summed: p-values
#: of versions that knew no other way come out to the last bit.
DIRECT = 2**26

#: Classes beyond which no zonotope is measured: the window is smaller.
MANY = 1024


# ---- how the units are split --------------------------------------------------------------


class _Spread(NamedTuple):
    """Cells, rows and roundings of prefixes of classes, estimated from their variances."""

    cells: Floats
    rows: Floats
    passes: Floats  # updates of each pass


def _terms(m: Floats) -> Floats:
    """Weights of a binomial that count: nine standard deviations each way."""
    return np.asarray(np.minimum(m + 1, np.floor(9 * np.sqrt(m)) + 3))


def _spread(a: Integers, b: Integers, m: Integers) -> _Spread:
    """The window is an ellipse of nine standard deviations, within the support."""
    x, y, n = (v.astype(np.float64) for v in (a, b, m))
    var_x, var_y, both = (np.cumsum(n * v) / 4 for v in (x * x, y * y, x * y))
    box_x, box_y = np.cumsum(n * np.abs(x)) + 1, np.cumsum(n * y) + 1
    rows = np.minimum(box_y, 18 * np.sqrt(var_y) + 1)
    area = 81 * math.pi * np.sqrt(np.maximum(var_x * var_y - both * both, 0))
    around = 18 * (np.sqrt(var_x) + np.sqrt(var_y)) + 1
    cells = np.floor(np.minimum(box_x * box_y, area + around))
    return _Spread(cells, rows, _terms(n) * np.concatenate([[1.0], cells[:-1]]))


def rows_of(classes: OnLattice) -> float:
    """Rows of the whole, estimated."""
    return float(_spread(classes.a, classes.b, classes.m).rows[-1])


class Split(NamedTuple):
    """Multiplicities by class of the three parts: one twice, and one for each side."""

    shared: Integers
    one: Integers
    two: Integers
    updates: int


def _halves(m: Integers) -> tuple[Integers, Integers, Integers]:
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
        support = dot(m.astype(np.float64), a)
        return Split(m, nothing, nothing, _as_count(2 * float(whole.passes.sum()) + support))
    undivided = Split(nothing, nothing, m, _as_count(_rate(a, b, nothing, nothing, m)))
    if not SMALL <= undivided.updates <= LARGE:
        return undivided
    places = np.unique(np.linspace(0, len(m), 9).astype(int))
    splits = [(nothing, np.where(np.arange(len(m)) >= i, m, 0)) for i in places.tolist()]
    candidates = [_halves(m), *((shared, one, m - one) for shared, one in splits)]
    rated = [Split(*c, _as_count(_rate(a, b, *c))) for c in candidates]
    return min(rated, key=lambda split: split.updates)


def _rate(a: Integers, b: Integers, shared: Integers, one: Integers, two: Integers) -> float:
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


# ---- what that costs ----------------------------------------------------------------------


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
