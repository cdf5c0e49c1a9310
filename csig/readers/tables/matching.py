"""Units of several systems matched by id."""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from csig.data.strings import Texts
from csig.errors import InputError
from csig.wording import counted, first_few, lacks_and_has

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "LESS_IS_BETTER",
    "MEAN",
    "Block",
    "Table",
    "Values",
    "id_text",
    "is_left_out",
    "join",
    "left_out",
    "picked",
    "places_of",
]

#: What the metric of a column is called: this and the column's name.
MEAN = "mean "

#: Names of scores of which less is better.
LESS_IS_BETTER = frozenset((
    "perplexity", "word_perplexity", "byte_perplexity", "bits_per_byte", "ter", "wer", "cer",
    "brier_score", "mae", "mse", "rmse", "error_rate",
))  # fmt: skip


#: What a system has: numbers, or labels.
Values: TypeAlias = "NDArray[Any] | Sequence[str]"


@dataclass(frozen=True, eq=False)
class Block:
    """One system's units, before they are matched with another's.

    Attributes
    ----------
    where : str
        The file, for messages.
    values : array or list
        One entry a unit.
    ids, clusters, gold : sequence or None
        The same for ids, cluster labels and gold labels.
    others : mapping
        Other columns for the same units.
    """

    where: str
    values: Values
    ids: Sequence[Hashable] | None = None
    clusters: Sequence[str] | None = None
    gold: Sequence[str] | None = None
    others: Mapping[str, Sequence[str]] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Table:
    """Systems over the same units.

    Attributes
    ----------
    format : str
        "scores", "counts", "labels" or "lm-eval".
    columns : tuple of str
        What the numbers of a unit are: ``("score",)``, ``("tp", "predicted", "gold")``,
        ``("correct", "items")`` or ``("label",)``. Of files with several columns of scores their
        names, which are metrics.
    systems : dict of str to array or sequence
        By name: scores, (units,), with a field a metric where there are several; counts, (units,
        columns); or labels.
    gold : sequence of str or None
        The gold labels.
    ids : sequence of hashable or None
        One a unit, each once: a text, or (cluster, text) where only both together are unique.
    clusters : sequence of str or None
        One label per unit.
    others : mapping of str to sequence of str
        Columns that are none of these, for the same units. Where a unit has several rows, one a
        system, only columns that are the same in all of them.
    id_column, cluster_column, gold_column : str or None
        Where ids, clusters and gold labels were found.
    notes : tuple of str
        What reading brought to light.
    cautions : tuple of str
        What looks wrong, or could have been read in another way: a doubt, which reports say first.
    units_are : str or None
        What the rows are, where that is known: "token".
    metric : str or None
        What the scores are called, if the file says so.
    less_is_better : bool
        Whether the file says that of its scores.
    left : tuple of hashable
        The units of a file that were left out, because a cell is empty: ids, or without ids rows.
    runs : tuple of str
        The runs, if a column tells them apart; each system's values then are (units, runs, ...).
    run_column : str or None
        Which column.
    """

    format: str
    columns: tuple[str, ...]
    systems: Mapping[str, Values]
    gold: Sequence[str] | None = None
    ids: Sequence[Hashable] | None = None
    clusters: Sequence[str] | None = None
    others: Mapping[str, Sequence[str]] = field(default_factory=dict)
    id_column: str | None = None
    cluster_column: str | None = None
    gold_column: str | None = None
    notes: tuple[str, ...] = ()
    cautions: tuple[str, ...] = ()
    units_are: str | None = None
    metric: str | None = None
    less_is_better: bool = False
    left: tuple[Hashable, ...] = ()
    runs: tuple[str, ...] = ()
    run_column: str | None = None

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics, where the scores are of several: the fields of every system's values."""
        return self.columns if self.format == "scores" and len(self.columns) > 1 else ()

    def of_metric(self, name: str) -> Table:
        """The scores by one of `metrics`."""
        return replace(
            self,
            columns=("score",),
            systems={own: np.asarray(values)[name].copy() for own, values in self.systems.items()},
            metric=MEAN + name,
            less_is_better=name.lower() in LESS_IS_BETTER,
        )

    @property
    def n_units(self) -> int:
        """How many units every system has."""
        return len(next(iter(self.systems.values())))


def id_text(key: Hashable) -> str:
    return " ".join(map(repr, key)) if isinstance(key, tuple) else repr(key)


def join(
    blocks: Mapping[str, Block], allow_missing: bool = False
) -> tuple[dict[str, Values], Block, tuple[str, ...]]:
    """Every system's values for the same units in the same order.

    Parameters
    ----------
    blocks : mapping {system: Block}
        At least one.
    allow_missing : bool
        Whether to go on with the ids that all systems have, and say how many that leaves out.

    Returns
    -------
    values : dict
        By system.
    units : Block
        Their ids, clusters and gold labels.
    notes : tuple of str

    Raises
    ------
    InputError
        Ids are missing or extra; lengths differ where there are no ids; or systems disagree on
        the cluster or the gold label of a unit.
    """
    (first, base), *others = blocks.items()
    for name, block in others:
        if (base.ids is None) != (block.ids is None):
            with_ids, without = (first, name) if base.ids is not None else (name, first)
            raise InputError(f"{with_ids} has ids and {without} has none, expected both or neither")
        if base.ids is None and len(base.values) != len(block.values):
            raise InputError(
                f"{block.where}: {len(block.values)} units, but {base.where} has "
                f"{len(base.values)}; without ids both must have the same number"
            )
    if base.ids is None:
        places = dict.fromkeys(blocks, np.arange(len(base.values)))
        notes: tuple[str, ...] = ()
    else:
        places, notes = _places(
            {n: b.ids or [] for n, b in blocks.items()},
            allow_missing,
            {n: b.where for n, b in blocks.items()},
        )
    units = _picked(base, places[first])
    by_name = {first: units}
    for name, block in others:
        own = by_name[name] = _picked(block, places[name])
        for what in ("clusters", "gold"):
            mine, theirs = getattr(units, what), getattr(own, what)
            if (mine is None) != (theirs is None):
                raise InputError(f"{block.where}: {what} are known for only one system")
            if mine is not None and mine != theirs:
                at = next(
                    i for i, pair in enumerate(zip(mine, theirs, strict=True)) if len({*pair}) > 1
                )
                unit = f"unit {at + 1}" if units.ids is None else f"id {id_text(units.ids[at])}"
                raise InputError(
                    f"{block.where}: {unit} has {what.removesuffix('s')} {theirs[at]!r} for "
                    f"{name} and {mine[at]!r} for {first}"
                )
    shared = {
        column: cells
        for column, cells in units.others.items()
        if all(own.others.get(column) == cells for own in by_name.values())
    }
    found = {name: own.values for name, own in by_name.items()}
    return found, replace(units, others=shared), notes


def picked(values: Any, places: NDArray[np.intp]) -> Any:
    """The entries at these places, in this order."""
    if values is None:
        return None
    if isinstance(values, np.ndarray):
        return values[places]
    if isinstance(values, Texts):
        return values.take(places)
    return [values[i] for i in places.tolist()]


def _picked(block: Block, places: NDArray[np.intp]) -> Block:
    """The units at these places, in this order."""
    return Block(
        block.where,
        picked(block.values, places),
        picked(block.ids, places),
        picked(block.clusters, places),
        picked(block.gold, places),
        {name: picked(column, places) for name, column in block.others.items()},
    )


def _places(
    ids: Mapping[str, Sequence[Hashable]], allow_missing: bool, where: Mapping[str, str]
) -> tuple[dict[str, NDArray[np.intp]], tuple[str, ...]]:
    """For every system where the common ids are, in the order of the first system's."""
    (first, base), *others = ids.items()
    same = places_of(ids)
    if same is not None:
        return same, ()
    common = set(base)
    for name, own in others:
        theirs = set(own)
        if theirs != set(base) and not allow_missing:
            missing = [key for key in base if key not in theirs]
            known = set(base)
            extra = [key for key in own if key not in known]
            both = counted(len(known & theirs), "id")
            raise InputError(
                f"{where[name]}: {name} {lacks_and_has(missing, extra, first, 'id')}; "
                f"--allow-missing intersection compares only the {both} that both have"
            )
        common &= theirs
    if not common:
        raise InputError(f"no id is common to {first_few(ids)}")
    kept = [key for key in base if key in common]
    everything = set().union(*ids.values())
    notes = left_out(len(everything) - len(kept), len(everything))
    places = {}
    for name, own in ids.items():
        at = {key: i for i, key in enumerate(own)}
        places[name] = np.array([at[key] for key in kept], dtype=np.intp)
    return places, notes


def places_of(ids: Mapping[str, Sequence[Hashable]]) -> dict[str, NDArray[np.intp]] | None:
    """The same without Python strings, where all systems have the same ids; else None."""
    (first, base), *others = ids.items()
    if not isinstance(base, Texts):
        return None
    places = {first: np.arange(len(base))}
    order: NDArray[np.intp] | None = None
    for name, own in others:
        if not isinstance(own, Texts):
            return None
        if own == base:
            places[name] = places[first]
            continue
        if order is None:
            order = base.order()
        other = own.order()
        if order is None or other is None or own.take(other) != base.take(order):
            return None
        places[name] = np.empty(len(base), dtype=np.intp)
        places[name][order] = other
    return places


def is_left_out(note: str) -> bool:
    """Whether a note says how many units were left out."""
    return (
        re.fullmatch(r"[\d,]+ of [\d,]+ units? (was|were) left out, because .*", note) is not None
    )


def left_out(count: int, total: int) -> tuple[str, ...]:
    if not count:
        return ()
    were, them = ("was", "it") if count == 1 else ("were", "them")
    units = "unit" if total == 1 else "units"
    return (
        f"{count:,} of {total:,} {units} {were} left out, because not every system has {them}.",
    )
