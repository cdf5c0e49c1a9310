"""Which columns with numbers are systems: a length, a fold or a year beside them is none.

A name alone decides nothing, and neither does a scale alone. Where both say the same, or where a
column of another scale also looks like no scores (all different, in order, the same within
clusters), it is left out and a caution says so. What could be read in two ways is refused.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from shlex import quote
from typing import TYPE_CHECKING, Any

import numpy as np

from csig.errors import InputError
from csig.readers.limits import check_systems
from csig.readers.tables.cells import floats, is_number
from csig.readers.tables.sheets import Sheet
from csig.wording import first_few

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from csig.data.strings import Texts

__all__ = ["RUN_NAMES", "Split", "known_property", "shared_numbers", "systems_among"]

#: Names of a column that may tell runs of a system apart; an option has to say so.
RUN_NAMES = frozenset((
    "run", "run_id", "seed", "seed_id", "random_seed", "trial", "replicate", "repetition", "repeat",
))  # fmt: skip

#: With fewer rows the scale of a column is an accident.
FEWEST_ROWS = 4

#: With fewer rows numbers are all different, or in order, by accident: 10 in order are 2 of 10!.
FEWEST_ORDERED = 10

#: If larger by this factor on average, and by its name, a column holds another kind of numbers.
FAR = 10.0

#: Larger numbers count as this, so that no sum of them is infinite.
LARGEST = 1e300

#: Rows that are looked at where all would be too many.
SAMPLE = 2**13

#: Names of properties of units, as a whole.
_NAMES = frozenset((
    "n", "nr", "no", "num", "number", "count", "size", "length", "len", "fold", "seed", "year",
    "month", "day", "split", "epoch", "step", "run", "trial", "round", "rank", "position", "pos",
    "line", "row", "turn", "level", "hop", "hops", "age", "freq", "frequency", "time", "duration",
    "seconds", "ms", "latency", "runtime", "temperature", "cost", "price", "weight", "difficulty",
    "tokens", "words", "chars", "characters", "sentences", "width", "height", "distance", "depth",
    "offset", "start", "end", "id", "uid", "uuid", "key", "idx", "index", "timestamp",
))  # fmt: skip

#: The same at the end of a name of several parts, and at its beginning.
_LAST_PARTS = frozenset((
    "length", "len", "tokens", "words", "chars", "characters", "size", "count", "fold", "seed",
    "year", "id", "idx", "index", "time", "seconds", "ms", "latency", "position", "offset",
))  # fmt: skip
_FIRST_PARTS = frozenset(("n", "num", "number"))


def known_property(name: str) -> bool:
    """Whether a column has a name that properties of units have, rather than systems.

    >>> [known_property(name) for name in ("length", "n_tokens", "DocLen", "fold", "bert", "run_1")]
    [True, True, True, True, False, False]
    """
    apart = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name)
    parts = [part.lower() for part in re.split(r"[\W_]+", apart) if part]
    if len(parts) < 2:
        return name.lower() in _NAMES
    return parts[-1] in _LAST_PARTS or parts[0] in _FIRST_PARTS


@dataclass(frozen=True)
class _Trait:
    """What the numbers of a column look like."""

    name: str
    rows: int
    whole: bool  # all are whole numbers
    low: float
    high: float
    size: float  # the mean of the absolute values, of a sample
    beyond: float  # the share of them that are above 1, of a sample
    fractions: bool  # at least half are not whole numbers
    known: bool
    structure: str | None = None

    @property
    def kind(self) -> str:
        """Of "share", "whole" and "real"."""
        if self.whole:
            return "whole" if max(self.high, -self.low) > 1 else "share"
        return "real" if self.beyond > 0.5 else "share"


def _said(*traits: _Trait) -> str:
    """The numbers of some columns in words."""
    what = "whole numbers" if all(trait.whole for trait in traits) else "numbers"
    low, high = min(trait.low for trait in traits), max(trait.high for trait in traits)
    return f"{what} from {low:g} to {high:g}"


@dataclass(frozen=True)
class Split:
    """The columns that are systems, those that are not, and what to say about them."""

    systems: tuple[str, ...]
    others: tuple[str, ...] = ()
    cautions: tuple[str, ...] = ()


def systems_among(
    sheet: Sheet,
    names: Sequence[str],
    clusters: Texts | None = None,
    shared: Collection[str] = (),
    what: str = "--system",
) -> Split:
    """Which of some columns with numbers are systems.

    Parameters
    ----------
    sheet : Sheet
        The table.
    names : sequence of str
        The columns.
    clusters : Texts or None
        The clusters, if they are known.
    shared : collection of str
        Columns that are the same in every one of several files.
    what : str
        The option that takes a column whatever it looks like.

    Raises
    ------
    InputError
        Where numbers of different kinds could all be scores.
    """
    if len(names) < 2 or len(sheet) < 2:
        return Split(tuple(names))
    check_systems(sheet.path, len(names))  # every one is compared with all others
    traits = [trait_of(sheet, name) for name in names]
    if all(trait.known for trait in traits):  # then the names say nothing
        traits = [replace(trait, known=False) for trait in traits]
    traits = _with_structure(sheet, traits, clusters, shared)
    odd = [trait for trait in traits if _is_none(trait, [t for t in traits if t is not trait])]
    kept = [trait for trait in traits if trait not in odd]
    if not kept:  # all are alike
        odd, kept = [], traits
    _check_kinds(sheet, kept, what)
    _check_order(sheet, kept, what)
    cautions = [
        f"Column {trait.name!r} was left out: {_reason(trait)}, and so not scores of a system; "
        f"{what} {quote(trait.name)} reads it as one, --ignore {quote(trait.name)} leaves it out "
        f"silently{_or_runs(trait.name)}."
        for trait in odd
    ]
    cautions += [
        f"Column {trait.name!r} was read as a system despite its name; --ignore "
        f"{quote(trait.name)} leaves it out{_or_runs(trait.name)}."
        for trait in kept
        if trait.known and len(kept) > 1
    ]
    return Split(
        tuple(trait.name for trait in kept), tuple(trait.name for trait in odd), tuple(cautions)
    )


def _or_runs(name: str) -> str:
    """Another thing that a column may be, by its name."""
    if name.lower() not in RUN_NAMES:
        return ""
    return f", --run {quote(name)} reads it as the runs of each system"


def _values(sheet: Sheet, name: str) -> NDArray[np.float64]:
    """The numbers of a column; of one with other cells the numbers among its first."""
    values = sheet.numbers(name)
    if values is None:
        cells = [cell for cell in sheet.column(name)[:SAMPLE] if is_number(cell, sheet.decimal)]
        values = floats(cells, sheet.decimal)
    return np.empty(0) if values is None else values


def trait_of(sheet: Sheet, name: str) -> _Trait:
    values = _values(sheet, name)
    if not len(values):
        return _Trait(name, 0, True, 0.0, 0.0, 0.0, 0.0, False, known_property(name))
    some = values[:: -(-len(values) // SAMPLE)].astype(np.float64)  # from everywhere
    absolute = np.minimum(np.abs(some), LARGEST)
    # Most columns of fractions show it at once.
    whole = values[:1000] == np.rint(values[:1000])
    fractions = 2 * int(whole.sum()) <= len(whole)
    return _Trait(
        name,
        len(values),
        bool(whole.all()) and bool((values == np.rint(values)).all()),
        float(values.min()),
        float(values.max()),
        float(absolute.mean()),
        float((absolute > 1).mean()),
        fractions,
        known_property(name),
    )


# ---- what is not a score -----------------------------------------------------------------------


def _with_structure(
    sheet: Sheet, traits: list[_Trait], clusters: Texts | None, shared: Collection[str]
) -> list[_Trait]:
    """The same with the marks of numbers that are not scores, unless all have them."""
    found = [
        replace(trait, structure=_structure(sheet, trait, clusters, shared)) for trait in traits
    ]
    if all(trait.structure is not None for trait in found):  # scores may be all different, too
        found = [
            replace(trait, structure=None) if trait.structure == "all different" else trait
            for trait in found
        ]
    return found if any(trait.structure is None for trait in found) else traits


def _structure(
    sheet: Sheet, trait: _Trait, clusters: Texts | None, shared: Collection[str]
) -> str | None:
    if trait.kind != "whole" or trait.rows < FEWEST_ROWS:
        return None
    if trait.low == trait.high:
        return "the same in every row"
    if trait.name in shared:
        return "the same in every file"
    values = _values(sheet, trait.name)
    if trait.rows >= FEWEST_ORDERED:
        if _ordered(values):
            return "in order"
        if _distinct(values):
            return "all different"
    if clusters is not None and len(values) == len(clusters) and _constant(values, clusters):
        return "the same within each cluster"
    return None


def _ordered(values: NDArray[Any]) -> bool:
    """Whether numbers rise, or fall, throughout; a look at the first ends most searches."""
    for some in (values[:SAMPLE], values):
        up, down = some[1:] >= some[:-1], some[1:] <= some[:-1]
        if not (up.all() or down.all()):
            return False
    return True


def _distinct(values: NDArray[Any]) -> bool:
    some = values[:SAMPLE]
    if len(np.unique(some)) < len(some):
        return False
    return len(some) == len(values) or len(np.unique(values)) == len(values)


def _constant(values: NDArray[Any], clusters: Texts) -> bool:
    """Whether all rows of a cluster have the same number, and there are several rows in most."""
    codes, different = clusters.codes()
    if not 2 <= len(different) <= len(values) / 2:
        return False
    first = np.zeros(len(different), dtype=np.intp)
    first[codes[::-1]] = np.arange(len(values))[::-1]
    return bool((values == values[first[codes]]).all())


def _apart(one: _Trait, other: _Trait) -> bool:
    """Whether two columns cannot be scores of one kind, whatever they are called."""
    kinds = {one.kind: one, other.kind: other}
    if min(one.rows, other.rows) < FEWEST_ROWS:
        return False
    if one.kind == other.kind or "whole" not in kinds or (one.whole and other.whole):
        return one.kind != other.kind and _far(one, other)
    whole = kinds.pop("whole")
    ((kind, rest),) = kinds.items()
    if kind == "share":
        return rest.fractions and whole.beyond > 0.5
    return rest.fractions and whole.rows >= FEWEST_ORDERED


def _far(one: _Trait, other: _Trait) -> bool:
    """Whether the numbers of one are much larger than those of the other."""
    low, high = sorted((one.size, other.size))
    return high >= FAR * low


def _is_none(trait: _Trait, others: Sequence[_Trait]) -> bool:
    """Whether a column is left out: its numbers are others, and its name or its order says why."""
    if trait.rows < FEWEST_ROWS:
        return False
    plain = [other for other in others if not other.known and other.structure is None]
    plain = plain or [other for other in others if not other.known]
    differs = bool(plain) and all(own.kind != trait.kind or _far(trait, own) for own in plain)
    if trait.known:
        return bool(plain) and (differs or trait.structure is not None)
    return differs and trait.structure is not None


def _reason(trait: _Trait) -> str:
    return f"it holds {_said(trait)}" + ("" if trait.structure is None else f", {trait.structure}")


def _check_kinds(sheet: Sheet, kept: Sequence[_Trait], what: str) -> None:
    """Refuse columns that cannot all be scores, where nothing tells which are."""
    first = kept[0]
    if not any(_apart(first, trait) for trait in kept):
        return
    alike = [trait for trait in kept if not _apart(first, trait)]
    rest = [trait for trait in kept if trait not in alike]
    raise InputError(
        f"{sheet.header}: {_columns(alike)}, but {_columns(rest)}, so not all can be scores of "
        f"systems; choose them with {what}, or leave columns out with --ignore"
    )


def _columns(traits: Sequence[_Trait]) -> str:
    many = len(traits) > 1
    names = first_few(trait.name for trait in traits)
    return f"column{'s' * many} {names} hold{'s' * (not many)} {_said(*traits)}"


def _check_order(sheet: Sheet, kept: Sequence[_Trait], what: str) -> None:
    """Refuse numbers of rows and other ids that are beside scores of the same kind."""
    for trait in kept:
        why = _like_ids(_values(sheet, trait.name), trait)
        if why is not None:
            own = quote(trait.name)
            raise InputError(
                f"{sheet.header}: column {trait.name!r} {why} and does not look like scores; if "
                f"it has the ids, give --id {own}, otherwise leave it out with --ignore {own}, or "
                f"choose the systems with {what}"
            )


def _like_ids(values: NDArray[Any], trait: _Trait) -> str | None:
    """Why numbers count as ids, or as a property of clusters, whatever is beside them."""
    with np.errstate(over="ignore"):
        steps = np.diff(values[:SAMPLE])
        if len(values) > 2 and bool((steps == 1).all()) and bool((np.diff(values) == 1).all()):
            return "numbers the rows"
    strict = bool((steps > 0).all()) or bool((steps < 0).all())
    if trait.structure == "in order" and strict:
        return f"holds {_said(trait)}, in order and all different,"
    if trait.structure == "the same within each cluster":
        return f"holds {_said(trait)}, {trait.structure},"
    return None


def shared_numbers(sheets: Sequence[Sheet], names: Sequence[str]) -> set[str]:
    """The columns of several files that hold the same numbers in all, in whatever order."""
    found = set()
    for name in names:
        first, *rest = (np.sort(_values(sheet, name)) for sheet in sheets)
        if all(np.array_equal(first, other) for other in rest):
            found.add(name)
    return found
