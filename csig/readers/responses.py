"""The gold's and the systems' responses, one per line, or labelled spans; or labels, one per line.

The fields of a line are separated by tabs, and the first may be a document id. They are text and
are compared as text: ``7`` and ``07`` are two different responses. Blank lines are nothing, and an
empty file is a system without responses.

Spans are places in a document with a label, which may be nested and overlap: JSON objects such as
``{"document": "d1", "start": 0, "end": 12, "label": "PER"}``, where a document alone has no spans;
or brat's standoff, a file with the ending ``.ann`` for each document. `end` is exclusive; whether
tokens or characters are counted must be the same in all files.

Labels are matched by line: a blank line is a missing one, never nothing, else every label behind it
would be compared with that of another item. White space at the ends of a line does not count.
Whether files begin with names ``--header`` says; else they do if each begins with ``label``,
``gold``, ``prediction`` or the like, or its own name, which is nowhere else.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from csig.base.errors import InputError, Refusal, Remedy, argument
from csig.base.validation import as_integer
from csig.base.wording import Line, coded, counted, first_few, joined, lacks_and_has, perhaps
from csig.data.responses import Span
from csig.readers.data import Data, ResponseData
from csig.readers.limits import check_systems
from csig.readers.lines import StrPath, is_text, json_values, read_lines, stem, stems
from csig.readers.request import (
    FIELDS,
    Request,
    ResponseTable,
    beside_gold,
    gold_and_systems,
    names_of,
    same_files,
    shown,
    silent_systems,
)
from csig.readers.tables.matching import Table, left_out
from csig.readers.tables.names import GOLD_NAMES
from csig.readers.tables.reader import data_of

Fields = list[tuple[str, ...]]


def read_responses(path: StrPath, *, documents: bool = False, header: bool = False) -> Fields:
    """The fields of every response of a file, exactly as written, each response once."""
    first_line: dict[tuple[str, ...], int] = {}
    lines = [(i, line) for i, line in enumerate(read_lines(path), start=1) if line.strip()]
    lines = lines[header:]
    width = lines[0][1].count("\t") + 1 if lines else 0
    for number, line in lines:
        response = tuple(line.split("\t"))
        if documents and len(response) < 2:
            raise InputError(
                f"{path} line {number}: found {line!r}, expected a document id, a tab and "
                "at least one more field"
            )
        if documents and not response[0].strip():
            raise InputError(f"{path} line {number}: found an empty document id in {line!r}")
        # Lines of different lengths are the mark of a wrong file, or of spaces where tabs
        # should be. Read on, and nothing in it would ever match the gold.
        if len(response) != width:
            raise InputError(
                f"{path}: found {counted(width, 'field')} on line {lines[0][0]} and "
                f"{counted(len(response), 'field')} on line {number}, expected the same number on "
                "every line"
            )
        earlier = first_line.setdefault(response, number)
        if earlier != number:
            as_labels = Remedy(("--format", "labels"), "for labels of items", without=("--format",))
            raise Refusal(
                f"{path}: found the response {line!r} on line {earlier} and again on "
                f"line {number}, expected every response once",
                *([as_labels] if width == 1 else []),
            )
    return list(first_line)


def whole_or_text(text: str) -> int | str:
    """A whole number, or the text where it is none, or one of too many digits."""
    digits = text.lstrip("0")
    return int(digits or "0") if text.isdecimal() and len(digits) < 20 else text


def span_of(where: str, document: Hashable, start: object, end: object, label: str) -> Span:
    """A span, whose start must come before its end."""
    first, last = as_integer(start), as_integer(end)
    if first is None or last is None or not 0 <= first < last < 2**63:
        raise InputError(
            f"{where}: found start {start!r} and end {end!r}, expected integers 0 <= start < end"
        )
    return Span(document, first, last, label)


def _spans(path: str, responses: Fields, documents: bool) -> Iterator[Span]:
    """Fields start, end (not included) and label, after the document id if there is one."""
    for response in responses:
        document, *fields = response if documents else ("", *response)
        where = f"{path}: {' | '.join(response)!r}"
        if len(fields) != 3:
            raise InputError(
                f"{where}: with {argument('spans')} a response is "
                f"{'document, ' if documents else ''}start, end, label"
            )
        start, end = map(whole_or_text, fields[:2])
        yield span_of(where, document, start, end, fields[2])


def of_lines(request: Request, metrics: Sequence[str]) -> Data:
    """The responses of the gold and of every system, by document where they are known."""
    gold, systems = gold_and_systems(request, "responses")
    paths, documents = (gold, *systems), request.documents
    if request.header:
        first = [next(filter(str.strip, read_lines(path)), "") for path in paths]
        for path, line in zip(paths, first, strict=True):
            if line != first[0]:
                raise InputError(
                    f"{path}: found the first line {line!r}, but {first[0]!r} in {gold}; "
                    f"{argument('header')} needs the same in all files"
                )
    lines = [read_responses(own, documents=documents, header=bool(request.header)) for own in paths]
    widths = {path: len(own[0]) for path, own in zip(paths, lines, strict=True) if own}
    if len({*widths.values()}) > 1:
        found = ", ".join(f"{shown(path)} {n}" for path, n in widths.items())
        raise InputError(f"the files differ in the number of fields per line: {found}")
    keys: list[str | None] = [None]
    if documents:
        keys = list(dict.fromkeys(fields[0] for own in lines for fields in own))
    sides: list[dict[Hashable, list[Hashable]]] = []
    for path, own in zip(paths, lines, strict=True):
        sides.append({key: [] for key in keys})
        responses = _spans(path, own, documents) if request.spans else own
        for fields, response in zip(own, responses, strict=True):
            sides[-1][fields[0] if documents else None].append(response)
    names = names_of(request, stems(systems))
    by_name = dict(zip(names, sides[1:], strict=True))
    cautions = same_files(systems)
    declared = request.format != "auto" or documents or request.spans
    n = len(lines[0])
    if not declared and n > 1 and {*map(len, lines)} == {n} and {*widths.values()} == {1}:
        said = f"All files have {n:,} lines, which were read as responses in any order."
        way = (
            f"If the lines belong together one by one, give {argument('format', 'labels')}; if "
            f"not, {argument('format', 'responses')}."
        )
        cautions.append(joined([said, Line(way)]))
    known = {key for key, right in sides[0].items() if right}
    for name, by_key in by_name.items() if documents and known else ():
        if unknown := [key for key, some in by_key.items() if some and key not in known]:
            cautions.append(
                f"{name} has responses in documents that the gold does not have: "
                f"{first_few(unknown, 3)}. They count as spurious; are the ids right?"
            )
    source = beside_gold(
        "responses", gold, systems, documents=documents,
        n_documents=len(keys) if documents else None,
        cautions=tuple(coded("responses", cautions)),
    )  # fmt: skip
    key_name = "document" if documents else None
    table = ResponseTable(sides[0], by_name, key_name=key_name, spans=request.spans)
    return ResponseData(source, names, table)


_STANDOFF = re.compile(r"T[^\t\s]*\t(\S+) ([0-9]+) ([0-9]+)(?:\t.*)?", re.DOTALL)
_STANDOFF_NAME = re.compile(r"(.*)\.ann(?:\.(?:gz|bz2|xz|zst))?", re.DOTALL)

Spans = dict[str, list[Span]]

#: Where a span was found, its document, and its start, end and label; None says that there is the
#: document.
Member = tuple[str, str, tuple[Any, Any, str] | None]


def is_span(record: Mapping[str, Any]) -> bool:
    """Whether an object of JSON is a span, or a document alone."""
    return {"document", "start", "end"} <= record.keys() or record.keys() == {"document"}


def is_standoff(path: StrPath) -> bool:
    """Whether a file is called as brat calls its own."""
    return _STANDOFF_NAME.fullmatch(os.fspath(path)) is not None


def _of_json(where: str, row: object, fields: Mapping[str, str]) -> Member:
    """What a value of JSON says."""
    expected = ", ".join(fields.values())
    if not isinstance(row, dict):
        raise InputError(f"{where}: found {row!r}, expected an object with {expected}")
    missing = [name for name in FIELDS if fields[name] not in row]
    if "document" in missing or 0 < len(missing) < len(FIELDS) - 1:
        others = [name for name in row if name not in fields.values()]
        found = f"{where}: found no field {first_few(fields[name] for name in missing)}"
        if len(missing) == len(others) == 1:
            way = Remedy(("--field", f"{missing[0]}={others[0]}"))
            raise Refusal(f"{found}, but {others[0]!r}", way)
        raise InputError(f"{found}, expected {expected}; other names are for {argument('field')}")
    document, start, end, label = (row.get(fields[name], "") for name in FIELDS)
    if type(document) is int:  # ids are compared as text, as in every other format
        document = str(document)
    if not is_text(document) or not document.strip():
        raise InputError(f"{where}: found the document {document!r}, expected an id")
    if not is_text(label):
        raise InputError(f"{where}: found the label {label!r}, expected text")
    return where, document, None if missing else (start, end, label)


def _of_standoff(path: StrPath) -> Iterator[Member]:
    """What brat's files say: those of a folder in the order of their names, or one."""
    files = [path]
    if os.path.isdir(path):
        files = [*filter(is_standoff, sorted(Path(path).glob("*.ann*")))]
        if not files:
            raise InputError(f"{path}: found a folder without .ann files, expected brat's standoff")
    earlier: dict[str, StrPath] = {}
    for file in files:
        named = _STANDOFF_NAME.fullmatch(Path(file).name)
        document = Path(file).stem if named is None else named[1]
        if earlier.setdefault(document, file) != file:
            raise InputError(
                f"{file}: found the document {document!r} again, first in {earlier[document]}"
            )
        yield str(file), document, None
        for number, line in enumerate(read_lines(file), start=1):
            if not line or line.isspace() or line[0] in "REAMN#*":
                continue
            where = f"{file} line {number}"
            match = _STANDOFF.fullmatch(line)
            if match is None:
                raise InputError(
                    f"{where}: found {line!r}, expected T1, a tab, label, one start and one end; "
                    "discontinuous spans cannot be compared"
                )
            start, end = map(whole_or_text, match.group(2, 3))
            yield where, document, (start, end, match[1])


def read_spans(path: StrPath, *, fields: Mapping[str, str] = FIELDS) -> Spans:
    r"""Read labelled spans.

    Parameters
    ----------
    path : str or path-like
        JSON in any layout; or a file in brat's standoff that is called ``DOCUMENT.ann``, or a
        folder with such files, which may be packed (``.ann.gz``).
    fields : mapping, optional
        Other names in JSON of ``document``, ``start``, ``end`` and ``label``.

    Returns
    -------
    dict of str to list of Span
        The spans of every document, in the order of the file.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "system.jsonl")
    ...     _ = file.write_text('{"doc": "d1", "start": 0, "end": 12, "label": "PER"}\n')
    ...     read_spans(file, fields={"document": "doc"})
    {'d1': [Span(document='d1', start=0, end=12, label='PER')]}
    """
    if unknown := [name for name in fields if name not in FIELDS]:
        raise InputError(
            f"fields: found {first_few(unknown)}{perhaps(unknown[0], FIELDS)}, expected "
            f"{', '.join(FIELDS)}"
        )
    if os.path.isdir(path) or is_standoff(path):
        members = _of_standoff(path)
    else:
        values, place = json_values(path)
        names = {**FIELDS, **fields}
        members = (_of_json(f"{path} {place(i)}", own, names) for i, own in enumerate(values))
    result: Spans = {}
    places: dict[Span, str] = {}
    for where, document, at in members:
        here = result.setdefault(document, [])
        if at is None:
            continue
        span = span_of(where, document, *at)
        if span in places:
            raise InputError(
                f"{where}: found the span {span.start} to {span.end}, {span.label!r}, of document "
                f"{document!r} again, first on {places[span]}; expected every span once"
            )
        places[span] = where
        here.append(span)
    return result


def of_spans(request: Request, metrics: Sequence[str]) -> Data:
    """The spans of the gold and of every system, by document: those of the gold.

    One that a system's JSON does not have has no spans there. Others are refused; or all that not
    every file has are left out.
    """
    gold, systems = gold_and_systems(request, "spans")
    fields = request.fields
    first, *others = (read_spans(path, fields=fields) for path in (gold, *systems))
    shared = [document for document in first if all(document in own for own in others)]
    documents = [*first]
    if request.allow_missing is not None:
        if first and not shared:
            raise InputError(f"{gold}: no document is in every file")
        documents = shared
    for path, own in zip(systems, others, strict=True) if request.allow_missing is None else ():
        extra = [document for document in own if document not in first]
        # A value of JSON is there for a span, a file of standoff for a document.
        files = os.path.isdir(path) and os.path.isdir(gold)
        missing = [document for document in first if document not in own] if files else []
        if extra or missing:
            hint = "" if files else "; where the gold has none, it needs the document alone"
            way = Remedy(("--allow-missing", "intersection"), "the documents that all have")
            raise Refusal(
                f"{path}: {lacks_and_has(missing, extra, gold, 'document')}{hint}",
                *([way] if shared else []),
            )
    found: list[Any] = [{d: own.get(d, []) for d in documents} for own in (first, *others)]
    names = names_of(request, stems(systems))
    by_name = dict(zip(names, found[1:], strict=True))
    table = ResponseTable(found[0], by_name, key_name="document", spans=True)
    cautions = (*same_files(systems), *coded("silent-documents", silent_systems(table)))
    source = beside_gold("spans", gold, systems, n_documents=len(documents), cautions=cautions)
    return ResponseData(source, names, table)


#: First lines that are names of a column; each must be one in its file, and nothing below it.
_NAMES = {
    *GOLD_NAMES, "labels", "class", "prediction", "predictions", "predicted", "pred", "y_pred",
}  # fmt: skip

#: Tags of entities: single ones are rarely what is to be compared.
_ENTITY_TAG = re.compile(r"[BIESLUM]-\S+")

#: Words of a line that make it running text, if half of all lines have them.
_RUNNING_TEXT = 4

_AS_PLAIN = Remedy(("--scheme", "plain"), "for tokens with labels", without=("--format",))


def _stripped(lines: Sequence[str]) -> list[str]:
    """The lines without white space at their ends, and without blank lines at the end."""
    found = [line.strip() for line in lines]
    while found and not found[-1]:
        found.pop()
    return found


def _first_lines(columns: Sequence[Sequence[str]], known: Sequence[set[str]]) -> list[str]:
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
    columns = [_stripped(own) for own in files]
    lengths = [len(own) for own in columns]
    twice = any(len({*own} - {""}) < len(own) - own.count("") for own in columns)
    above = bool(_first_lines(columns, [_NAMES] * len(columns)))
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
    n = max(map(len, map(_stripped, columns)))
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
    names = _first_lines(columns, [{*_NAMES, stem(path).lower()} for path in paths])
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


def of_labels(request: Request, metrics: Sequence[str]) -> Data:
    """The labels, matched by line."""
    gold, systems = gold_and_systems(request, "labels, one per line,")
    table = read_labels(
        gold, *systems, allow_missing=request.allow_missing is not None, header=request.header
    )
    return data_of(request, table, request.files)
