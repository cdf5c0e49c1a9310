"""Scores on training samples that somebody else made: one row per sample, system and test set.

Or one row for each of the items too, whose scores are then averaged.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from csig.base.errors import InputError, Refusal
from csig.base.wording import counted, first_few, perhaps
from csig.readers.lines import StrPath
from csig.readers.tables import rules
from csig.readers.tables.files import read_sheet
from csig.readers.tables.names import SCORE_NAMES, SYSTEM_NAMES
from csig.readers.tables.sheets import Dialect, Sheet

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: What the test set is called where a table has no column of them.
ONLY_TEST_SET = "test"

#: What may help where a score is there twice.
NO_ITEMS = "; if these are scores of items, --item-column names the column of the items"

#: Cells of the matrix, with items: 2 GB.
MOST_CELLS = 2**28

#: The names that columns are known by; of several the first.
NAMES = {
    "replicate": (
        "replicate", "sample", "training_sample", "resample", "repetition", "fold", "run", "seed",
    ),
    "system": (*SYSTEM_NAMES, "learner", "classifier"),
    "test_set": ("test_set", "testset", "test", "test_data", "dataset", "data_set", "corpus"),
    "item": (
        "item", "item_id", "sentence", "sentence_id", "question", "question_id", "example",
        "example_id", "id",
    ),
    "score": (*SCORE_NAMES, "recall", "precision", "f1", "accuracy"),
}  # fmt: skip


class Cells(NamedTuple):
    """What a table holds."""

    scores: NDArray[np.float64]  #: Means over the items, if there are items.
    replicates: tuple[str, ...]  #: In their order, by number if they are numbers.
    systems: tuple[str, ...]  #: systems, test_sets: in the order in which they occur.
    test_sets: tuple[str, ...]
    notes: tuple[str, ...] = ()  #: What is to be said of the table.


class _Key(NamedTuple):
    """A column of names, by number."""

    codes: NDArray[np.intp]
    names: tuple[str, ...]


def read_cells(
    path: StrPath,
    *,
    replicate: str | None = None,
    system: str | None = None,
    test_set: str | None = None,
    item: str | None = None,
    score: str | None = None,
    quoting: Literal["none", "csv"] | None = None,
    decimal: Literal[".", ","] = ".",
) -> Cells:
    """Read scores from a table; :meth:`TrainingDistribution.from_table` says what is what."""
    given = {
        "replicate": replicate, "system": system, "test_set": test_set, "item": item,
        "score": score,
    }  # fmt: skip
    sheet = read_sheet(path, Dialect(quoting=quoting, decimal=decimal))
    columns = {role: _column(sheet, role, name) for role, name in given.items()}
    roles: dict[str, str] = {}
    for role, name in columns.items():
        if name in roles:  # a column that would be two things
            pair = (roles[name], role)
            taken = [other for other in pair if given[other] is None]
            way = f"--{(taken or [role])[0].replace('_', '-')}-column names another one"
            if taken and taken[0] in ("test_set", "item"):
                way += ", or give the column another name"
            raise InputError(
                f"{sheet.header}: column {name!r} would have two roles, "
                f"{' and '.join(pair).replace('_', ' ')}; {way}"
            )
        if name is not None:
            roles[name] = role
    keys = {
        role: _key(sheet, columns[role], in_order=role == "replicate")
        for role in ("replicate", "system", "test_set", "item")
    }
    try:
        values = np.asarray(rules.scores(sheet, columns["score"] or ""), dtype=np.float64)
    except Refusal as error:  # no row of a training may be left out
        found = error.found.removesuffix(", expected a finite number")
        raise InputError(f"{found}, expected a finite number") from None
    scores = _matrix(sheet, keys, values)
    unused = [name for name in sheet.names if name not in roles]
    notes = (f"Columns that are not used: {first_few(unused)}.",) if unused else ()
    return Cells(
        scores, keys["replicate"].names, keys["system"].names, keys["test_set"].names, notes
    )


def _column(sheet: Sheet, role: str, given: str | None) -> str | None:
    """The column that has this role."""
    if given is not None:
        if given not in sheet.names:
            raise InputError(
                f"{sheet.header}: there is no column {given!r}{perhaps(given, sheet.names)}, found "
                f"{first_few(sheet.names, 9)}"
            )
        return given
    plain = {re.sub(r"[\s_-]+", "_", name.lower()): name for name in reversed(sheet.names)}
    known = [plain[name] for name in NAMES[role] if name in plain]
    if role == "score" and len(known) > 1:
        raise InputError(
            f"{sheet.header}: found {first_few(known)}, expected one column of scores; "
            "--score-column names it"
        )
    found = known[0] if known else None
    if found is None and role not in ("test_set", "item"):
        raise InputError(
            f"{sheet.header}: no column with the {role}s, such as {NAMES[role][0]!r}, found "
            f"{first_few(sheet.names, 9)}; --{role}-column names it"
        )
    return found


def _key(sheet: Sheet, name: str | None, in_order: bool) -> _Key:
    """The names in a column, in the order in which they occur or by their numbers."""
    if name is None:
        return _Key(np.zeros(len(sheet), dtype=np.intp), (ONLY_TEST_SET,))
    codes, texts = sheet.texts(name).codes()
    different = texts.tolist()
    if "" in different:
        row = int(np.flatnonzero(codes == different.index(""))[0])
        raise rules.bad_cell(sheet, name, row, "a name")
    if in_order and all(re.fullmatch(r"[0-9]{1,18}", text) for text in different):
        order = np.array(sorted(range(len(different)), key=lambda i: int(different[i])))
    elif in_order:
        order = np.arange(len(different))
    else:
        _, first = np.unique(codes, return_index=True)
        order = np.argsort(first)
    place = np.empty(len(different), dtype=np.intp)
    place[order] = np.arange(len(different))
    return _Key(place[codes], tuple(different[i] for i in order))


def _matrix(
    sheet: Sheet, keys: dict[str, _Key], values: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The scores by replicate, system and test set."""
    replicate, system, test_set, item = keys.values()
    n_systems, n_sets = len(system.names), len(test_set.names)
    if len(replicate.names) * n_systems * n_sets > MOST_CELLS:
        raise InputError(
            f"{sheet.path}: {len(replicate.names):,} replicates of {n_systems:,} systems on "
            f"{n_sets:,} test sets are more than {MOST_CELLS:,} scores"
        )
    cells = (replicate.codes * n_systems + system.codes) * len(test_set.names) + test_set.codes
    order = np.lexsort((item.codes, cells))
    cells, items = cells[order], item.codes[order]
    again = np.flatnonzero((cells[1:] == cells[:-1]) & (items[1:] == items[:-1]))
    if len(again):
        first, second = sorted(order[int(again[0]) : int(again[0]) + 2].tolist())
        what = _cell(keys, int(cells[again[0]]))
        of_item = f" and item {item.names[items[again[0]]]!r}" if len(item.names) > 1 else ""
        raise InputError(
            f"{sheet.at(second)}: a second score for {what}{of_item}; the first is on "
            f"{sheet.place(first)}{'' if len(item.names) > 1 else NO_ITEMS}"
        )
    shape = len(replicate.names), n_systems, n_sets
    held = np.bincount(cells, minlength=int(np.prod(shape)))
    matrix = held.reshape(shape)
    names = system.names
    there = (matrix > 0).any(axis=2).sum(axis=0).tolist()
    if len(set(there)) > 1:
        most, least = there.index(max(there)), there.index(min(there))
        lost = np.flatnonzero((matrix[:, least] == 0).all(axis=1)).tolist()
        lacking = first_few([replicate.names[r] for r in lost], 3)
        raise InputError(
            f"{sheet.path}: system {names[most]!r} has {counted(there[most], 'replicate')}, "
            f"{names[least]!r} has {there[least]:,}; it lacks {lacking}. Every system needs a "
            "score for every training sample"
        )
    missing = np.flatnonzero(held == 0)
    if len(missing):
        more = f" ({len(missing):,} scores are missing)" if len(missing) > 1 else ""
        raise InputError(f"{sheet.path}: no score for {_cell(keys, int(missing[0]))}{more}")
    starts = np.flatnonzero(np.r_[True, cells[1:] != cells[:-1]])
    if len(item.names) > 1:
        _refuse_other_items(sheet, keys, cells, items, held)
        pieces = np.split(values[order], starts[1:])
        return np.array([math.fsum(piece) / len(piece) for piece in pieces]).reshape(shape)
    return values[order].reshape(shape)


def _cell(keys: dict[str, _Key], cell: int) -> str:
    """Which cell of the matrix it is, in words."""
    rest, t = divmod(cell, len(keys["test_set"].names))
    r, s = divmod(rest, len(keys["system"].names))
    of_set = (
        f" on test set {keys['test_set'].names[t]!r}" if len(keys["test_set"].names) > 1 else ""
    )
    return f"replicate {keys['replicate'].names[r]!r} of system {keys['system'].names[s]!r}{of_set}"


def _refuse_other_items(
    sheet: Sheet,
    keys: dict[str, _Key],
    cells: NDArray[np.intp],
    items: NDArray[np.intp],
    held: NDArray[np.intp],
) -> None:
    """Refuse scores that are means over other items than those of the first replicate."""
    n_sets = len(keys["test_set"].names)
    ends = np.cumsum(held)
    first: list[NDArray[np.intp]] = [items[ends[t] - held[t] : ends[t]] for t in range(n_sets)]
    for cell, (end, n) in enumerate(zip(ends.tolist(), held.tolist(), strict=True)):
        expected, own = first[cell % n_sets], items[end - n : end]
        if n != len(expected) or not np.array_equal(own, expected):
            names, lacks = keys["item"].names, np.setdiff1d(expected, own)
            other = f"lacks item {names[int(lacks[0])]!r} of" if len(lacks) else ""
            if not other:
                more = names[int(np.setdiff1d(own, expected)[0])]
                other = f"has item {more!r}, which is not one of"
            raise InputError(
                f"{sheet.path}: {_cell(keys, cell)} {other} "
                f"{_cell(keys, cell % n_sets)}; all need the same items"
            )
