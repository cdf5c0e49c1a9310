"""Several tables of one system each: how their rows are matched, and which columns are metrics."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from shlex import quote
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from csig.data.strings import Texts
from csig.errors import InputError
from csig.readers.limits import check_metrics
from csig.readers.tables.columns import (
    GOLD_NAMES,
    SCORE_NAMES,
    SYSTEM_NAMES,
    Roles,
    Wanted,
    counts_of,
    known_name,
    recognise,
)
from csig.readers.tables.kinds import known_property, shared_numbers
from csig.readers.tables.layouts import as_columns, score_columns
from csig.readers.tables.matching import LESS_IS_BETTER, MEAN, Table, places_of
from csig.readers.tables.sheets import Sheet, is_numeric
from csig.readers.tables.spelling import spelt_alike
from csig.wording import first_few

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Places: TypeAlias = NDArray[np.intp]

__all__ = ["NO_NAMES", "Part", "matched", "metric_tables"]

#: Names of a column that say nothing about the system.
NO_NAMES = {*SCORE_NAMES, "correct", "prediction", "predicted", "pred", "y_pred", "label"}

#: An equal column shows that the rows are in the same order if its cells change this often, at
#: least: a column that sorts the rows is equal whatever the order within its groups.
CHANGES = 0.25

#: With fewer different values two systems have the same numbers of scores by chance, in some order.
DIFFERENT = 10

#: Words of two files are ids of which some are missing if this many are in both; numbers are in
#: both by chance, too.
COMMON, NEARLY_ALL = 0.5, 0.9


@dataclass(frozen=True, eq=False)
class Part:
    """One of several files: its cells, and which columns say what a row is."""

    sheet: Sheet
    roles: Roles

    def column(self, name: str) -> Texts:
        return self.sheet.column(name)


# ---- rows --------------------------------------------------------------------------------------


def matched(parts: Sequence[Part], wanted: Wanted) -> tuple[list[Part], tuple[str, ...]]:
    """The same with the column of ids, where no column has the name of one.

    Parameters
    ----------
    parts : sequence of Part
        Two or more.
    wanted : Wanted
        What the caller said.

    Returns
    -------
    parts : list of Part
    notes : tuple of str
        By what the rows are matched, where that is not plain.

    Raises
    ------
    InputError
        The rows may be in different orders, and nothing says how they belong together.
    """
    if any(part.roles.id is not None for part in parts):
        return list(parts), ()
    names = _free(parts, wanted)
    ids = [name for name in names if all(_like_ids(part, name) for part in parts)]
    found = {name: places for name in ids if (places := _places(parts, name)) is not None}
    words = [name for name in found if not _in_numbers(parts, name)]
    numbers = _spare(parts, wanted, [name for name in found if name not in words])
    chosen = words or numbers
    if not chosen:
        _check_order(parts, wanted, names, ids)
        return list(parts), ()
    first, *others = chosen
    other = next((name for name in others if not _agree(found[first], found[name])), None)
    if other is not None:
        raise InputError(
            f"{_files(parts)}: {first!r} and {other!r} match the rows in different ways; name the "
            "one with the ids with --id"
        )
    same = [name for name in (*words, *numbers) if _agree(found[first], found[name])]
    rest = _without(parts, same)
    if _agree(found[first], [found[first][0]] * len(parts)):
        return rest, (
            f"No column is named like ids; the rows are matched by their order, and {first!r} is "
            "the same in every file row by row.",
        )
    return [replace(part, roles=replace(part.roles, id=first)) for part in rest], (
        f"No column is named like ids; the rows are matched by {first!r}, which has the same "
        "values in every file, each once, in another order. --id names another column.",
    )


def _free(parts: Sequence[Part], wanted: Wanted) -> list[str]:
    """The columns of all files that may be ids."""
    first, *others = (part.roles.rest for part in parts)
    names = [name for name in first if all(name in other for other in others)]
    used = {column for own in counts_of(names).values() for column in own.values()}
    known = {*GOLD_NAMES, *SYSTEM_NAMES, *NO_NAMES}
    free = [name for name in names if name not in used and name.lower() not in known]
    gold = known_name(names, GOLD_NAMES) if wanted.gold is None else wanted.gold
    if gold not in names or recognise(parts[0].sheet, wanted, names) != "labels":
        return free
    return [name for name in free if name != gold and not _answers(parts, name, str(gold))]


def _answers(parts: Sequence[Part], name: str, gold: str) -> bool:
    """Whether a column has labels, and so is a system, in every file."""
    labels = [set(part.column(gold).stripped().codes()[1]) for part in parts]
    return all(spelt_alike(p.column(name), own) for p, own in zip(parts, labels, strict=True))


def _like_ids(part: Part, name: str) -> bool:
    """Whether a column has no cell twice, and is in words or in whole numbers."""
    column = part.column(name)
    if not len(column) or not column[:1000].distinct():
        return False
    values = part.sheet.numbers(name)
    if values is not None and bool((values != np.rint(values)).any()):
        return False
    return bool(column.sizes.min()) and column.distinct()


def _in_numbers(parts: Sequence[Part], name: str) -> bool:
    return all(is_numeric(part.sheet, name) for part in parts)


def _spare(parts: Sequence[Part], wanted: Wanted, numbers: Sequence[str]) -> list[str]:
    """Of numbers that may be ids those that can be: something has to be left that has scores."""
    if any(recognise(part.sheet, wanted, part.roles.rest) != "scores" for part in parts):
        return list(numbers)
    rest = [name for name in parts[0].roles.rest if name not in numbers]
    common = [name for name in rest if all(name in part.roles.rest for part in parts)]
    if any(_in_numbers(parts, name) for name in common):
        return list(numbers)
    named = [name for name in numbers if known_property(name)]
    return (named or list(numbers))[:1] if len(numbers) > 1 else []


def _agree(one: Sequence[Places], other: Sequence[Places]) -> bool:
    """Whether two columns match the rows in the same way."""
    return all(np.array_equal(x, y) for x, y in zip(one, other, strict=True))


def _places(parts: Sequence[Part], name: str) -> list[Places] | None:
    """For every file where the first one's ids are; None if the files differ in them."""
    found = places_of({str(i): part.column(name) for i, part in enumerate(parts)})
    return None if found is None else list(found.values())  # of the first: 0, 1, 2, ...


def _without(parts: Iterable[Part], names: Sequence[str]) -> list[Part]:
    """The same, with some columns that are not systems."""
    return [
        replace(p, roles=replace(p.roles, rest=tuple(n for n in p.roles.rest if n not in names)))
        for p in parts
    ]


def _check_order(
    parts: Sequence[Part], wanted: Wanted, names: Sequence[str], ids: Sequence[str]
) -> None:
    """Refuse files that are matched by position, if a column speaks against it and none for it."""
    first, *others = parts
    gold = known_name(first.roles.rest, GOLD_NAMES) if wanted.gold is None else wanted.gold
    golds = [gold] if gold is not None and all(gold in p.sheet.names for p in parts) else []
    different = [
        name for name in (*names, *golds)
        if any(part.column(name) != first.column(name) for part in others)
    ]  # fmt: skip
    words = [n for n in different if n in names and not _in_numbers(parts, n)]
    numbers = _spare(parts, wanted, [name for name in ids if name in different])
    for name in (*words, *numbers):
        if name in ids and _overlap(parts, name) >= (COMMON if name in words else NEARLY_ALL):
            raise InputError(_two_orders(parts, name))
    equal = [name for name in (*names, *golds) if name not in different]
    if any(_changes(first.column(name)) for name in equal):
        return
    sheets = [part.sheet for part in parts]
    for name in shared_numbers(sheets, [n for n in different if n in names and n not in words]):
        if len(np.unique(np.asarray(first.sheet.numbers(name)))) >= DIFFERENT:
            raise InputError(_two_orders(parts, name))
    for name in words:
        # What is the same in all rows of a file is the name of the system, or of the run.
        if any(len(part.column(name).codes()[1]) > 1 for part in parts):
            raise InputError(_two_orders(parts, name))


def _overlap(parts: Sequence[Part], name: str) -> float:
    """The largest share of one file's ids that another has, too."""
    first, *others = (set(part.column(name)) for part in parts)
    return max(len(first & own) / min(len(first), len(own)) for own in others)


def _changes(column: Texts) -> bool:
    """Whether a column changes from row to row so often that only one order of them fits it."""
    codes, _ = column.codes()
    return len(codes) > 1 and int(np.count_nonzero(np.diff(codes))) >= CHANGES * len(codes)


def _two_orders(parts: Sequence[Part], name: str) -> str:
    first, *others = parts
    other = next(part for part in others if part.column(name) != first.column(name))
    cells, own = first.column(name), other.column(name)
    n = min(len(cells), len(own))
    row = next((i for i in range(n) if cells[i] != own[i]), None)
    where = f"one has {len(cells):,} rows, the other {len(own):,}"
    if row is not None:
        where = f"found {cells[row]!r} on {first.sheet.place(row)} of the first file and"
        where += f" {own[row]!r} on {other.sheet.place(row)} of {other.sheet.path}"
    return (
        f"{_files(parts)}: no column is named like ids, and in file order the rows disagree in "
        f"column {name!r}: {where}. If it has the ids, give --id {quote(name)}; if the order is "
        f"the same nevertheless, give --ignore {quote(name)}"
    )


def _files(parts: Sequence[Part]) -> str:
    return ", ".join(str(part.sheet.path) for part in parts)


# ---- columns -----------------------------------------------------------------------------------


def metric_tables(
    parts: Sequence[Part], wanted: Wanted, metrics: Sequence[str], forced: bool
) -> list[Table] | None:
    """The scores of several files: the same columns in all are metrics, and files are systems.

    Parameters
    ----------
    parts : sequence of Part
        The files.
    wanted : Wanted
        What the caller said.
    metrics : sequence of str
        The metrics that were asked for; those that are not columns are ignored here.
    forced : bool
        Whether the caller named systems that are columns: then all columns are.

    Returns
    -------
    list of Table or None
        One a file. With several metrics each has one system, whose values have a field a metric.
        None for counts, labels, and rows of several systems.
    """
    if any(_of_another_form(part, wanted) for part in parts):
        return None
    numeric = [[n for n in p.roles.rest if is_numeric(p.sheet, n)] for p in parts]
    if forced:
        return [_columns(p, wanted, own) for p, own in zip(parts, numeric, strict=True)]
    common = _in_all(numeric)
    asked = [name.removeprefix(MEAN) for name in metrics]
    chosen = [name for name in dict.fromkeys((*metrics, *asked)) if name in common]
    if chosen:
        return [_of_metrics(part, wanted, chosen) for part in parts]
    check_metrics(parts[0].sheet.path, len(common))
    same = shared_numbers([part.sheet for part in parts], common)
    what = "--metric" if common else "--system"
    splits = [score_columns(p.sheet, wanted, p.roles, same, what) for p in parts]
    odd = {name for split in splits for name in split.others}
    kept = [[name for name in split.systems if name not in odd] for split in splits]
    cautions = tuple(dict.fromkeys(c for split in splits for c in split.cautions))
    common = _in_all(kept)
    if not common:
        tables = [_columns(p, wanted, own) for p, own in zip(parts, kept, strict=True)]
    elif any(len(own) > len(common) for own in kept):
        raise InputError(_partly(parts, kept, common))
    elif len(common) == 1:
        tables = [_columns(part, wanted, common) for part in parts]
        less = common[0].lower() in LESS_IS_BETTER
        tables = [replace(table, less_is_better=less) for table in tables]
    else:
        tables = [_of_metrics(part, wanted, common) for part in parts]
    return [replace(table, cautions=(*table.cautions, *cautions)) for table in tables]


def _in_all(names: Sequence[Sequence[str]]) -> list[str]:
    """Those of the first that all have."""
    others = [set(own) for own in names[1:]]
    return [name for name in names[0] if all(name in own for own in others)]


def _of_another_form(part: Part, wanted: Wanted) -> bool:
    rest = part.roles.rest
    return recognise(part.sheet, wanted, rest) != "scores" or known_name(rest, SYSTEM_NAMES) in rest


def _columns(part: Part, wanted: Wanted, names: Sequence[str]) -> Table:
    """A file's columns as systems."""
    return as_columns(part.sheet, wanted, part.roles, names)


def _of_metrics(part: Part, wanted: Wanted, metrics: Sequence[str]) -> Table:
    """A file's columns as metrics of one system."""
    table = _columns(part, wanted, metrics)
    scores = [np.asarray(table.systems[name]) for name in metrics]
    if len(metrics) == 1:
        (name,) = metrics
        less = name.lower() in LESS_IS_BETTER
        one = {SCORE_NAMES[0]: scores[0]}
        return replace(table, systems=one, metric=MEAN + name, less_is_better=less)
    kinds = [(name, own.dtype) for name, own in zip(metrics, scores, strict=True)]
    together = np.empty(len(scores[0]), dtype=kinds)
    for name, own in zip(metrics, scores, strict=True):
        together[name] = own
    note = (
        f"The files have the same columns with scores, {first_few(metrics, 12)}: each is a metric "
        f"and each file a system; --metric chooses."
    )
    return replace(
        table,
        columns=tuple(metrics),
        systems={SCORE_NAMES[0]: together},
        notes=(*table.notes, note),
    )


def _partly(parts: Sequence[Part], kept: Sequence[Sequence[str]], common: Sequence[str]) -> str:
    more = [(p, [n for n in own if n not in common]) for p, own in zip(parts, kept, strict=True)]
    part, names = next((part, names) for part, names in more if names)
    return (
        f"{part.sheet.header}: all files have scores in {first_few(common)}, but not in "
        f"{first_few(names)}; give --metric {quote(common[0])} to compare the files by it, "
        f"--system to compare columns, or --ignore {quote(names[0])}"
    )
