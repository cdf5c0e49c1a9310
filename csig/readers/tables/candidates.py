"""Candidates of ranking methods from a table: which are true, and the methods' scores."""

from __future__ import annotations

from collections.abc import Sequence
from shlex import quote
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from csig.readers.lines import StrPath
from csig.readers.request import OptionError
from csig.readers.tables.columns import ID_NAMES, check_names
from csig.readers.tables.delimited import Dialect
from csig.readers.tables.grids import read_grid
from csig.readers.tables.sheets import Sheet, bad_cell, is_numeric, sheet_of
from csig.wording import counted, first_few, perhaps

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["CandidateTable", "read_candidates"]

#: How true and false are spelt, beside 1 and 0.
_SPELLINGS = (("true", "false"), ("yes", "no"))

#: All ways, as text that has other cells beside it.
_KINDS = (*_SPELLINGS, ("1", "0"), ("1.0", "0.0"))

#: More different texts than true and false can have.
_SOME = 4

#: What a cell of such a column must be.
_EXPECTED = "True or False, 1 or 0, or yes or no"

#: Names of columns of which lower is better, or that are no scores.
_NO_SCORES = {"rank", "p", "pvalue", "p_value", "p.value", "p-value"}


class CandidateTable(NamedTuple):
    """What was read.

    Attributes
    ----------
    columns : mapping {column: values}
        Which candidates are true, and the scores of every method.
    true : str
        The column that says which are true.
    methods : tuple of str
        The columns of scores.
    chosen : bool
        Whether the methods were named; else they are all columns of numbers.
    unused : tuple of str
        The other columns.
    cautions, notes : tuple of str
        What reading brought to light.
    sheet : Sheet
        The whole table.
    """

    columns: dict[str, Any]
    true: str
    methods: tuple[str, ...]
    chosen: bool
    unused: tuple[str, ...]
    cautions: tuple[str, ...]
    notes: tuple[str, ...]
    sheet: Sheet


def read_candidates(
    path: StrPath,
    true: str | None,
    methods: Sequence[str] = (),
    lower_is_better: Sequence[str] = (),
    *,
    more: Sequence[str] = (),
    dialect: Dialect,
) -> CandidateTable:
    """Read candidates from CSV, TSV, JSON or Parquet.

    Parameters
    ----------
    path : str or path-like
        The file.
    true : str or None
        The column that says which are true; without it the message says which may do so.
    methods : sequence of str
        The columns of scores, also several in one text with commas between them; by default all
        columns of numbers, where no other may be meant.
    lower_is_better : sequence of str
        Those of the methods whose small scores are the best, written the same way.
    more : sequence of str
        Other columns that must be there.
    dialect : Dialect
        How the file is to be read.

    Raises
    ------
    InputError
        In one line: for a column that is not there, a cell that is no finite number, or one that
        is neither true nor false.
    """
    wanted = [own for given in (methods, lower_is_better, more) for own in given]
    parts = {part.strip() for text in wanted for part in (text, *text.split(","))}
    named = dialect.wanted + tuple(sorted(parts)) + ((true,) if true is not None else ())
    sheet = sheet_of(read_grid(path, _with(dialect, named)))
    if true is None:
        raise OptionError(_no_true(sheet))
    check_names(sheet, [true, *more])
    columns: dict[str, Any] = {true: _true(sheet, true)}
    names = _split(sheet, methods, "--methods")
    lower = _split(sheet, lower_is_better, "--lower-is-better")
    _check(names, lower, true, more)
    chosen = bool(names)
    names = names or _all_numbers(sheet, true, lower, more)
    check_names(sheet, names)
    columns |= {name: _scores(sheet, name) for name in names}
    unused = tuple(own for own in sheet.names if own not in columns and own not in more)
    return CandidateTable(
        columns, true, tuple(names), chosen, unused, sheet.cautions, sheet.notes, sheet
    )


def _with(dialect: Dialect, wanted: tuple[str, ...]) -> Dialect:
    return Dialect(
        dialect.quoting, dialect.decimal, dialect.header, fields=dialect.fields, wanted=wanted
    )


def _split(sheet: Sheet, given: Sequence[str], option: str) -> list[str]:
    """Names of columns; a text that is none may be several."""
    found: list[str] = []
    for text in given:
        own = [text] if text in sheet.names else [part.strip() for part in text.split(",")]
        found += [part for part in own if part]
    if given and not found:
        raise OptionError(f"{option}: found no name of a column")
    return found


def _check(names: Sequence[str], lower: Sequence[str], true: str, more: Sequence[str]) -> None:
    """Refuse names that contradict each other."""
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise OptionError(f"--methods: {twice!r} is given twice")
    for column, option in ((true, "--true"), *((name, "--sample") for name in more)):
        if column in names:
            raise OptionError(f"--methods and {option} name the same column, {column!r}")
    for name in lower:
        if names and name not in names:
            raise OptionError(
                f"--lower-is-better: {name!r} is none of the methods{perhaps(name, names)}; there "
                f"are {first_few(names, 12)}"
            )


# ---- what is true ------------------------------------------------------------------------------


def _no_true(sheet: Sheet) -> str:
    """What is said without --true."""
    some = [name for name in sheet.names if _tells(sheet, name)]
    if not some:
        return (
            f"give --true COLUMN, the column that says which candidates are true ({_EXPECTED}); "
            f"{sheet.path} has none such, its columns are {first_few(sheet.names, 20)}"
        )
    return (
        "give --true COLUMN, the column that says which candidates are true; "
        f"{first_few(some, 12)} {'has' if len(some) == 1 else 'have'} nothing but true and false"
    )


def _tells(sheet: Sheet, name: str) -> bool:
    """Whether a column has true and false, and nothing else."""
    values = sheet.numbers(name)
    if values is not None:
        return set(np.unique(values[:1000]).tolist()) <= {0, 1} and bool(
            ((values == 0) | (values == 1)).all()
        )
    if len({cell.casefold().strip() for cell in sheet.column(name)[:1000]}) > _SOME:
        return False
    cells = {cell.casefold() for cell in sheet.counts(name)}
    return any(cells <= set(pair) for pair in _SPELLINGS)


def _true(sheet: Sheet, name: str) -> NDArray[np.bool_]:
    values = sheet.numbers(name)
    if values is not None:
        odd = np.flatnonzero((values != 0) & (values != 1))
        if len(odd):
            raise bad_cell(sheet, name, int(odd[0]), _EXPECTED, "")
        return np.asarray(values != 0)
    codes, different = sheet.column(name).stripped().codes()
    spelt = [cell.casefold() for cell in different.tolist()]
    for pair in _SPELLINGS:
        if set(spelt) <= set(pair):
            return np.array([own == pair[0] for own in spelt])[codes]
    known = {word for pair in _KINDS for word in pair}
    odd = np.flatnonzero(np.array([own not in known for own in spelt])[codes])
    if not len(odd):  # two spellings: the second one to come
        first = next(pair for pair in _KINDS if spelt[int(codes[0])] in pair)
        odd = np.flatnonzero(np.array([own not in first for own in spelt])[codes])
    missing = "; candidates that nobody judged are neither, leave them out"
    raise bad_cell(sheet, name, int(odd[0]), f"{_EXPECTED}, all of one kind", missing)


# ---- scores ------------------------------------------------------------------------------------


def _scores(sheet: Sheet, name: str) -> NDArray[Any]:
    values = sheet.numbers(name)
    if values is None:
        missing = "; give a candidate without a score the worst one, or leave it out"
        raise bad_cell(sheet, name, sheet.first_bad(name), "a finite number", missing)
    return values


def _all_numbers(sheet: Sheet, true: str, lower: Sequence[str], more: Sequence[str]) -> list[str]:
    """All columns of numbers, if each can only be a method."""
    found = [name for name in sheet.names if name not in (true, *more) and is_numeric(sheet, name)]
    if not found:
        raise OptionError(
            f"{sheet.header}: no column of numbers beside {true!r}, so there are no methods; the "
            f"columns are {first_few(sheet.names, 20)}"
        )
    odd = [(name, why) for name in found if (why := _doubtful(sheet, name, lower))]
    if odd:
        name, why = odd[0]
        bad = dict(odd)
        good = ",".join(own for own in found if own not in bad) or ",".join(found)
        raise OptionError(
            f"give --methods, the columns of scores: {name!r} {why}, and may be none; "
            f"--methods {quote(good)} takes {'the others' if len(odd) == 1 else 'all sure ones'}"
        )
    for name in lower:
        if name not in found:
            raise OptionError(
                f"--lower-is-better: {name!r} is no column of numbers{perhaps(name, found)}"
            )
    return found


def _doubtful(sheet: Sheet, name: str, lower: Sequence[str]) -> str:
    """Why a column of numbers may be no method of which more is better."""
    small = name.strip().casefold()
    if small in ID_NAMES:
        return "is named like an id"
    if small in _NO_SCORES and name not in lower:
        return "may be best where it is low (--lower-is-better)"
    values = sheet.numbers(name)
    if values is None:
        return "has cells that are no numbers"
    if _tells(sheet, name):
        return "has nothing but 1 and 0"
    if len(values) > 2 and bool((np.diff(values) == 1).all()):
        return f"counts {counted(len(values), 'row')}"
    return ""
