"""What systems are ranked by, where it is not the mean: which others each beats on every item."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from csig.base.errors import InputError, argument
from csig.base.wording import clean
from csig.data.fixed_point import PLAIN
from csig.data.several import Several, has_gaps, several
from csig.data.units import numbered

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: What systems are ranked by.
RankBy: TypeAlias = Literal["mean", "borda", "win-rate"]

#: What these scores are called.
CALLED = {"borda": "Borda score", "win-rate": "win rate"}


def with_gaps(systems: dict[str, Any], ids: object, clusters: object) -> Several:
    """Systems with their units in one order, of which some lack units that others have."""
    empty = {name: np.isnan(np.asarray(own, dtype=np.float64)) for name, own in systems.items()}
    filled = {name: np.where(empty[name], 0.0, own) for name, own in systems.items()}
    found = several(filled, None, ids, clusters)
    there = several({name: own.astype(int) for name, own in empty.items()}, None, ids, clusters)
    rows = [np.where(gap, np.nan, own) for gap, own in zip(there.rows, found.rows, strict=True)]
    for name, own in zip(found.names, rows, strict=True):
        if np.isnan(own).all():
            raise InputError(f"{clean(name)} has no units")
    return replace(found, rows=rows)


def common_units(
    given: Several, pairs: tuple[NDArray[np.intp], NDArray[np.intp]]
) -> NDArray[np.int64]:
    """How many units, or clusters, both systems of every pair have; at least one."""
    there = ~np.isnan(np.stack(given.rows))
    if given.clusters is None:
        whole = there.astype(np.float64)
        shared = (whole @ whole.T).astype(np.int64)
    else:
        codes = numbered(given.clusters)[0]
        order = np.argsort(codes, kind="stable")
        starts = np.flatnonzero(np.diff(codes[order], prepend=-1))
        there = there[:, order]
        shared = np.stack(
            [np.logical_or.reduceat(there & own, starts, axis=1).sum(axis=1) for own in there]
        )
    found = np.asarray(shared[pairs])
    if not found.all():
        one, other = (given.names[systems[int(found.argmin())]] for systems in pairs)
        raise InputError(
            f"{clean(one)} and {clean(other)} have no unit in common; compare systems that have "
            f"({argument('system')}), or all with one that every other shares units with "
            f"({argument('baseline')})"
        )
    return found


def chosen(given: Several, *places: int) -> Several:
    """Some of the systems, on the units that all of these have."""
    kept = np.flatnonzero(~np.isnan([given.rows[i] for i in places]).any(axis=0))
    labels = [own and [own[i] for i in kept.tolist()] for own in (given.ids, given.clusters)]
    names = tuple(given.names[i] for i in places)
    return Several(names, [_whole(given.rows[i][kept]) for i in places], None, *labels)


def _whole(scores: NDArray[np.float64]) -> NDArray[Any]:
    """Integers as such."""
    whole = bool((scores == np.rint(scores)).all()) and bool((np.abs(scores) < 2**53).all())
    return scores.astype(np.int64) if whole else scores


def beaten(given: Several, rank_by: RankBy, lower_is_better: bool) -> Several:
    """Of every system and unit how many others it beats, ties counting half; or which share."""
    # Two systems that trade their outputs of a unit trade these numbers, and those of the others
    # stay: so swapping them is what it is for scores.
    if given.columns is not None:
        raise InputError(
            f"{argument('rank_by', rank_by)} needs one score per unit, found the counts "
            f"{', '.join(given.columns)}"
        )
    if has_gaps(given.rows):
        raise InputError(f"{argument('rank_by', rank_by)} needs every system's score of every unit")
    from scipy.stats import rankdata  # not for everybody who imports csig

    n = len(given.rows)
    places = rankdata(_levels(np.stack(given.rows)), axis=0)  # 1 is the lowest, ties share the mean
    others = n - places if lower_is_better else places - 1
    return replace(given, rows=list(others / (n - 1) if rank_by == "win-rate" else others))


def _levels(scores: NDArray[Any]) -> NDArray[Any]:
    """What orders the systems on every unit: 0.1 + 0.2 is the same as 0.3."""
    if scores.dtype.kind != "f":
        return scores
    scores = scores.astype(np.float64)
    order = scores.argsort(axis=0)
    ranked = np.take_along_axis(scores, order, axis=0)
    ulps = np.spacing(np.maximum(np.abs(ranked[:-1]), np.abs(ranked[1:])))
    above = np.diff(ranked, axis=0) > PLAIN * ulps  # else a rounding error
    found = np.zeros(scores.shape, dtype=np.int64)
    np.put_along_axis(found, order[1:], above.cumsum(axis=0), axis=0)
    return found
