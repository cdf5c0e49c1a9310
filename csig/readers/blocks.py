"""Units of several systems matched by id."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from csig.errors import InputError, first_few

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Values = NDArray[Any] | list[str]

__all__ = ["Block", "Table", "id_text", "join", "left_out"]


@dataclass(frozen=True, eq=False)
class Block:
    """One system's units, before they are matched with another's.

    Attributes
    ----------
    where : str
        The file, for messages.
    values : array or list
        One entry a unit.
    ids, clusters, gold : list or None
        The same for ids, cluster labels and gold labels.
    """

    where: str
    values: Values
    ids: list[Hashable] | None = None
    clusters: list[str] | None = None
    gold: list[str] | None = None


@dataclass(frozen=True, eq=False)
class Table:
    """Systems over the same units.

    Attributes
    ----------
    format : str
        "scores", "counts", "labels" or "lm-eval".
    columns : tuple of str
        What the numbers of a unit are: ``("score",)``, ``("tp", "predicted", "gold")``,
        ``("correct", "items")`` or ``("label",)``.
    systems : dict of str to array or list
        By name: scores, (units,); counts, (units, columns); or labels.
    gold : list of str or None
        The gold labels.
    ids : list of hashable or None
        One a unit, each once: a text, or (cluster, text) where only both together are unique.
    clusters : list of str or None
        One label a unit.
    others : dict of str to sequence of str
        Columns that are none of these, for the same units; from one table with a row a unit.
    id_column, cluster_column, gold_column : str or None
        Where ids, clusters and gold labels were found.
    notes : tuple of str
        What reading brought to light.
    """

    format: str
    columns: tuple[str, ...]
    systems: Mapping[str, Values]
    gold: list[str] | None = None
    ids: list[Hashable] | None = None
    clusters: list[str] | None = None
    others: Mapping[str, Sequence[str]] = field(default_factory=dict)
    id_column: str | None = None
    cluster_column: str | None = None
    gold_column: str | None = None
    notes: tuple[str, ...] = ()

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
                f"{len(base.values)}; without ids both must have the same"
            )
    if base.ids is None:
        kept = list(range(len(base.values)))
        places = dict.fromkeys(blocks, kept)
        notes: tuple[str, ...] = ()
    else:
        places, notes = _places({n: b.ids or [] for n, b in blocks.items()}, allow_missing)
    units = _picked(base, places[first])
    for name, block in others:
        own = _picked(block, places[name])
        for what in ("clusters", "gold"):
            mine, theirs = getattr(units, what), getattr(own, what)
            if (mine is None) != (theirs is None):
                raise InputError(f"{block.where}: {what} are known of one system only")
            if mine is not None and mine != theirs:
                at = next(
                    i for i, pair in enumerate(zip(mine, theirs, strict=True)) if len({*pair}) > 1
                )
                unit = f"unit {at + 1}" if units.ids is None else f"id {id_text(units.ids[at])}"
                raise InputError(
                    f"{block.where}: {unit} has {what.removesuffix('s')} {theirs[at]!r} for "
                    f"{name} and {mine[at]!r} for {first}"
                )
    return {n: _picked(b, places[n]).values for n, b in blocks.items()}, units, notes


def _picked(block: Block, places: Sequence[int]) -> Block:
    """The units at these places, in this order."""

    def pick(values: Any) -> Any:
        if values is None:
            return None
        if isinstance(values, np.ndarray):
            return values[np.asarray(places, dtype=np.intp)]
        return [values[i] for i in places]

    return Block(
        block.where, pick(block.values), pick(block.ids), pick(block.clusters), pick(block.gold)
    )


def _places(
    ids: Mapping[str, list[Hashable]], allow_missing: bool
) -> tuple[dict[str, list[int]], tuple[str, ...]]:
    """For every system where the common ids are, in the order of the first system's."""
    (first, base), *others = ids.items()
    common = set(base)
    for name, own in others:
        theirs = set(own)
        if theirs != set(base) and not allow_missing:
            missing = [key for key in base if key not in theirs]
            known = set(base)
            extra = [key for key in own if key not in known]
            parts = []
            if missing:
                parts.append(f"lacks {_ids(len(missing))} that {first} has: {first_few(missing)}")
            if extra:
                parts.append(f"has {_ids(len(extra))} that {first} lacks: {first_few(extra)}")
            raise InputError(
                f"{name} {' and '.join(parts)}; --allow-missing intersection goes on with the "
                f"{_ids(len(known & theirs))} of both"
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
        places[name] = [at[key] for key in kept]
    return places, notes


def _ids(count: int) -> str:
    return f"{count:,} id" if count == 1 else f"{count:,} ids"


def left_out(count: int, total: int) -> tuple[str, ...]:
    if not count:
        return ()
    were, them = ("was", "it") if count == 1 else ("were", "them")
    units = "unit" if total == 1 else "units"
    return (
        f"{count:,} of {total:,} {units} {were} left out, because not every system has {them}.",
    )
