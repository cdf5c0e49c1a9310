"""Which columns of a table of labels are systems, however their labels are spelt.

A column with labels of the gold is a system. One whose labels are the gold's in another spelling
is meant to be one, and so is one that has a label of its own for each of the gold's: compared as
they are, none of their labels would be right, so both are refused, with the way out.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from shlex import quote
from typing import TYPE_CHECKING

import numpy as np

from csig.data.strings import Texts
from csig.errors import InputError
from csig.readers.tables.cells import is_number
from csig.readers.tables.kinds import Split, known_property
from csig.readers.tables.sheets import Sheet
from csig.wording import first_few

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["answer_columns", "check_answers", "folded", "spelt_alike"]

#: The share of a column's cells that are labels of the gold, from which on it is a system, and
#: from which on it may be one.
SYSTEM, PERHAPS = 0.5, 0.1

#: A column that is named like a property of units is not a system if it agrees with the gold no
#: better than chance: kappa is below this.
CHANCE = 0.2

#: How much the gold is better known from a column's values than from its most frequent label
#: (Goodman and Kruskal's lambda) if these values are the gold's labels by other names.
KNOWN = 0.25

#: Labels repeat: this many rows per label on average.
ROWS_A_LABEL = 5

#: Rows that are looked at to tell labels from scores.
SAMPLE = 2**13


def folded(label: str) -> str:
    """A label without what people spell in different ways: case, and what joins words.

    >>> folded("Not_Entailment") == folded("not entailment"), folded("0.0") == folded("0")
    (True, True)
    >>> folded("B-PER") == folded("I-PER"), folded("+") == folded("-")
    (False, False)
    """
    if is_number(label) and math.isfinite(value := float(label)):
        return repr(value)
    text = unicodedata.normalize("NFKC", label).casefold().strip()
    return re.sub(r"(?<=[^\W_])[\s_-]+(?=[^\W_])", "", text)


def spelt_alike(column: Texts, labels: set[str]) -> bool:
    """Whether the first cells of a column are mostly labels, in whatever spelling."""
    some = column[:SAMPLE].stripped()
    codes, different = some.codes()
    alike = {folded(label) for label in labels}
    known = np.array([folded(cell) in alike for cell in different])
    return bool(len(some)) and 2 * int(known[codes].sum()) >= len(some)


@dataclass(frozen=True)
class _Gold:
    """The gold's column: how often each label is there, and the labels by their folded spelling."""

    name: str
    times: Mapping[str, int]
    spellings: Mapping[str, str]

    @classmethod
    def of(cls, sheet: Sheet, name: str) -> _Gold:
        times = {label: n for label, n in sheet.counts(name).items() if label}
        return cls(name, times, {folded(label): label for label in times})

    def pairs(self, cells: Mapping[str, int]) -> dict[str, str]:
        """The cells that are a label in another spelling only, with that label."""
        return {
            cell: self.spellings[key]
            for cell in cells
            if cell and cell not in self.times and (key := folded(cell)) in self.spellings
        }


def answer_columns(sheet: Sheet, gold: str, names: Sequence[str]) -> Split:
    """Which of some columns are systems.

    Parameters
    ----------
    sheet : Sheet
        The table.
    gold : str
        The column of the gold.
    names : sequence of str
        The others.

    Raises
    ------
    InputError
        A column looks like a system whose labels are not the gold's.
    """
    right = _Gold.of(sheet, gold)
    systems: list[str] = []
    others: list[str] = []
    cautions: list[str] = []
    for name in names:
        cells = sheet.counts(name)
        if not _is_system(sheet, right, name, cells):
            cautions += _as_many(sheet, right, name, cells)
            continue
        if _by_chance(sheet, gold, name):
            others.append(name)
            cautions.append(
                f"Column {name!r} was left out: it is named like a property of units, and agrees "
                f"with the gold no better than by chance; --system {quote(name)} reads it as a "
                f"system, --ignore {quote(name)} leaves it out silently."
            )
            continue
        systems.append(name)
        cautions += _other_spellings(right, name, cells)
    return Split(tuple(systems), tuple(others), tuple(cautions))


def check_answers(sheet: Sheet, gold: str, names: Sequence[str]) -> tuple[str, ...]:
    """Cautions about the given systems; refused without a label of the gold."""
    right = _Gold.of(sheet, gold)
    cautions: list[str] = []
    for name in names:
        cells = sheet.counts(name)
        pairs = right.pairs(cells)
        if right.times.keys().isdisjoint(cells):
            spelt = f"; found {_shown(pairs)}" if pairs else ""
            raise InputError(
                f"{sheet.path}: column {name!r} has no label of the gold, column {gold!r}{spelt}"
            )
        cautions += _other_spellings(right, name, cells)
    return tuple(cautions)


def _is_system(sheet: Sheet, gold: _Gold, name: str, cells: Mapping[str, int]) -> bool:
    """Whether a column is a system; refused if it is meant to be one and cannot be."""
    filled = sum(times for cell, times in cells.items() if cell)
    known = sum(times for cell, times in cells.items() if cell and cell in gold.times)
    if known >= SYSTEM * filled > 0:
        return True
    pairs = gold.pairs(cells)
    spelt = known + sum(cells[cell] for cell in pairs)
    own = quote(name)
    if spelt >= SYSTEM * filled > 0:
        raise InputError(
            f"{sheet.path}: column {name!r} has the labels of the gold, column {gold.name!r}, in "
            f"another spelling, {_shown(pairs)}, and none of these would count as correct; spell "
            f"them alike, or leave the column out with --ignore {own} (scores need --format "
            "scores)"
        )
    if known_property(name):
        return False
    if known >= PERHAPS * filled > 0:
        raise InputError(
            f"{sheet.path}: column {name!r} has labels of the gold, column {gold.name!r}, in "
            f"{known:,} of {filled:,} cells; if it is a system, choose the systems with --system, "
            f"otherwise leave it out with --ignore {own}"
        )
    renamed = _renamed(sheet, gold, name, cells)
    if renamed:
        raise InputError(
            f"{sheet.path}: column {name!r} has other labels than the gold, column {gold.name!r}, "
            f"but seems to mean the same ({_shown(renamed)}?); spell them alike, or leave the "
            f"column out with --ignore {own}"
        )
    return False


def _as_many(sheet: Sheet, gold: _Gold, name: str, cells: Mapping[str, int]) -> list[str]:
    """A doubt where a column in words has as many different values as the gold has labels."""
    own, labels = [cell for cell in cells if cell], list(gold.times)
    alike = len(own) == len(labels) > 1 and len(sheet) >= ROWS_A_LABEL * len(labels)
    if not alike or known_property(name) or all(map(is_number, own)):
        return []
    return [
        f"Column {name!r} was left out: it has {len(own)} different values, as many as the gold, "
        f"column {gold.name!r}, but {first_few(own, 2)} are not among its labels. If it is a "
        f"system, write its labels like the gold's; --ignore {quote(name)} leaves it out silently."
    ]


def _shown(pairs: Mapping[str, str]) -> str:
    """Up to three pairs of spellings."""
    some = [f"{cell!r} for {label!r}" for cell, label in list(pairs.items())[:3]]
    return ", ".join(some) + (f" and {len(pairs) - 3} more" if len(pairs) > 3 else "")


def _other_spellings(gold: _Gold, name: str, cells: Mapping[str, int]) -> list[str]:
    """A doubt where some labels of a system are the gold's in another spelling."""
    pairs = gold.pairs(cells)
    if not pairs:
        return []
    many = sum(cells[cell] for cell in pairs)
    are = "1 label" if many == 1 else f"{many:,} labels"
    return [
        f"{are} of {name} are spelt as in {_shown(pairs)} of the gold, and count as wrong. Are "
        f"they the same labels?"
    ]


def _by_chance(sheet: Sheet, gold: str, name: str) -> bool:
    """Whether a column of a property's name agrees with the gold no better than by chance."""
    if not known_property(name):
        return False
    table, values, labels = _cross(sheet, name, gold)
    share = table / table.sum()
    both = [(i, labels.index(value)) for i, value in enumerate(values) if value in labels]
    observed = sum(float(share[place]) for place in both)
    by_chance = sum(float(share[i].sum() * share[:, j].sum()) for i, j in both)
    return observed - by_chance < CHANCE * (1 - by_chance)


def _renamed(sheet: Sheet, gold: _Gold, name: str, cells: Mapping[str, int]) -> dict[str, str]:
    """A column's values with the gold's labels that they seem to mean; empty if they do not."""
    own = [cell for cell in cells if cell]
    labels = list(gold.times)
    alike = 2 <= len(own) <= 2 * len(labels) and len(labels) <= 2 * len(own)
    if not alike or len(sheet) < ROWS_A_LABEL * max(len(own), len(labels)):
        return {}
    table, values, right = _cross(sheet, name, gold.name)
    most = int(table.sum(axis=0).max())
    by_value = int(table.max(axis=1).sum())
    if by_value - most < KNOWN * (len(sheet) - most) or most == len(sheet):
        return {}
    meant = table.argmax(axis=1)
    return {values[i]: right[int(meant[i])] for i in range(len(values)) if values[i]}


def _cross(sheet: Sheet, name: str, gold: str) -> tuple[NDArray[np.int64], list[str], list[str]]:
    """How often each value of a column stands beside each label of the gold."""
    (rows, values), (columns, labels) = (
        sheet.column(own).stripped().codes() for own in (name, gold)
    )
    together = rows * len(labels) + columns
    table = np.bincount(together, minlength=len(values) * len(labels))
    return table.reshape(len(values), len(labels)), list(values), list(labels)
