r"""One label per line: a file with the right ones, and a file for every system.

::

    positive
    negative
    negative

Line 17 of every file is about the same item. A blank line is a missing label, never nothing:
else every label behind it would be compared with that of another item. White space at the ends of a
line does not count. Whether files begin with names ``--header`` says; else they do if each begins
with ``label``, ``gold``, ``prediction`` or the like, or its own name, which is nowhere else.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Literal

from csig.base.errors import InputError, Refusal, Remedy
from csig.base.wording import counted, first_few
from csig.readers.data import Data
from csig.readers.limits import check_systems
from csig.readers.lines import StrPath, read_lines, stem, stems
from csig.readers.request import Request, gold_and_systems
from csig.readers.tables.matching import Table, left_out
from csig.readers.tables.names import GOLD_NAMES
from csig.readers.tables.reader import data_of

#: First lines that are names of a column; each must be one in its file, and nothing below it.
_NAMES = {
    *GOLD_NAMES, "labels", "class", "prediction", "predictions", "predicted", "pred", "y_pred",
}  # fmt: skip

#: Tags of entities: single ones are rarely what is to be compared.
_ENTITY_TAG = re.compile(r"[BIESLUM]-\S+")

#: Words of a line that make it running text, if half of all lines have them.
_RUNNING_TEXT = 4

_AS_PLAIN = Remedy(("--scheme", "plain"), "for tokens with labels", without=("--format",))


def _labels(lines: Sequence[str]) -> list[str]:
    """The lines without white space at their ends, and without blank lines at the end."""
    found = [line.strip() for line in lines]
    while found and not found[-1]:
        found.pop()
    return found


def _names(columns: Sequence[Sequence[str]], known: Sequence[set[str]]) -> list[str]:
    """The first lines, if they are names of columns and no labels."""
    names = [own[0] for own in columns if len(own) > 1]
    below = {label for own in columns for label in own[1:]}
    if len(names) < len(columns) or not below.isdisjoint(names):
        return []
    named = all(name.lower() in own for name, own in zip(names, known, strict=True))
    return list(dict.fromkeys(names)) if named else []


def kind_of_lines(
    paths: Sequence[StrPath], files: Sequence[Sequence[str]]
) -> Literal["responses", "labels"]:
    """What the lines of three or more files are that are neither tables nor tags nor numbers."""
    columns = [_labels(own) for own in files]
    lengths = [len(own) for own in columns]
    twice = any(len({*own} - {""}) < len(own) - own.count("") for own in columns)
    above = bool(_names(columns, [_NAMES] * len(columns)))
    gold, *systems = (set(own[above:]) for own in columns)
    known = len({*lengths}) == 1 and all(own <= gold for own in systems)
    if twice and known and all(x and "\t" not in x and not _ENTITY_TAG.fullmatch(x) for x in gold):
        return "labels"
    as_labels = Remedy(("--format", "labels"), "if each line is a label")
    lines = [line for own in columns for line in own if line]
    long = sum("\t" not in line and len(line.split()) >= _RUNNING_TEXT for line in lines)
    if lines and 2 * long >= len(lines):
        raise Refusal(
            f"{paths[0]}: found running text; csig compares scores, labels or responses: compute a "
            "score per segment first",
            Remedy(("--format", "responses"), "if each line is a response, in any order"),
            *[as_labels] * (len({*lengths}) == 1),
        )
    if not twice:
        return "responses"
    if tags := sorted(filter(_ENTITY_TAG.fullmatch, {*lines})):
        way = Remedy(("--format", "tags"), "for their entities")
        raise Refusal(f"{paths[0]}: found tags such as {tags[0]!r}, one per line", way, as_labels)
    path, line = next(
        (path, line)
        for path, own in zip(paths, columns, strict=True)
        for line, times in Counter(filter(None, own)).most_common(1)
        if times > 1
    )
    found = f"{path}: found the line {line!r} more than once, so lines are no responses"
    if len({*lengths}) > 1:
        raise InputError(
            f"{found}; labels must be as many in every file, found {first_few(lengths)}"
        )
    if any("\t" in line for line in lines):
        raise Refusal(f"{found}, and tabs, so they are no labels", _AS_PLAIN)
    if unknown := sorted({*lines}.difference(columns[0])):
        found += f"; as labels, {first_few(unknown)} would be unknown to the gold"
    raise Refusal(found, as_labels)


def read_labels(
    gold: StrPath, *systems: StrPath, allow_missing: bool = False, header: bool | None = None
) -> Table:
    """The right labels and those of any number of systems, named after their files."""
    check_systems(gold, len(systems))
    paths = (gold, *systems)
    columns = [[line.strip() for line in read_lines(path)] for path in paths]
    n = max(map(len, map(_labels, columns)))
    if n <= bool(header):
        raise InputError(f"{gold}: found an empty file, expected one label per line")
    longest = next(path for path, own in zip(paths, columns, strict=True) if len(own) >= n)
    for path, own in zip(paths, columns, strict=True):
        for i, label in enumerate(own, start=1):
            if "\t" in label:
                found = f"{path} line {i}: found {label!r}, expected one label per line"
                raise Refusal(found, _AS_PLAIN)
        if len(own) < n:
            raise InputError(
                f"{path}: {counted(len(own), 'line')}, but {longest} has {n:,}; labels, one per "
                "line, are matched by line number, so every file must have the same number"
            )
        del own[n:]
    notes: tuple[str, ...] = ()
    names = _names(columns, [{*_NAMES, stem(path).lower()} for path in paths])
    if header is not None:
        names = list(dict.fromkeys(own[0] for own in columns)) if header else []
    if names:
        shown = ", ".join(map(repr, names))
        notes = (f"The first line of every file is read as a name, not as a label: {shown}.",)
        columns = [own[1:] for own in columns]
    missing = {i for own in columns for i, label in enumerate(own) if not label}
    cautions: tuple[str, ...] = ()
    if missing and not allow_missing:
        path, own = next((x, own) for x, own in zip(paths, columns, strict=True) if "" in own)
        raise Refusal(
            f"{path} line {own.index('') + bool(names) + 1}: the line is blank, expected a label",
            Remedy(("--allow-missing", "intersection"), "to leave the item out"),
            Remedy(("--scheme", "plain"), "if blank lines end sentences", without=("--format",)),
        )
    if missing:
        called = [stem(gold), *stems(systems)]
        lacking = {name: own.count("") for name, own in zip(called, columns, strict=True)}
        cautions = left_out(lacking, len(missing), len(columns[0]))
        columns = [[x for i, x in enumerate(own) if i not in missing] for own in columns]
        if not columns[0]:
            raise InputError(f"{gold}: no item has a label in every file")
    by_name = dict(zip(stems(systems), columns[1:], strict=True))
    return Table("labels", ("label",), by_name, gold=columns[0], notes=notes, cautions=cautions)


def read(request: Request, metrics: Sequence[str]) -> Data:
    """The labels, matched by line."""
    gold, systems = gold_and_systems(request, "labels, one per line,")
    table = read_labels(
        gold, *systems, allow_missing=request.allow_missing is not None, header=request.header
    )
    return data_of(request, table, request.files)
