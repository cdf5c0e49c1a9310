r"""Spans: places in a document with a label; they may be nested and overlap.

JSON Lines, a span a line::

    {"document": "d1", "start": 0, "end": 12, "label": "PER"}
    {"document": "d2"}

A line with a document alone says that it has no spans. Or brat's standoff, a file with the
ending ``.ann`` for each document::

    T1	PER 0 12	Ada Lovelace

Only lines that begin with T are spans; relations, events, attributes and notes are
skipped. `end` is exclusive in both; what is counted, tokens or characters, is the files'
own choice, but must be the same in all of them.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from csig.data.conflicts import Span
from csig.errors import InputError
from csig.readers.base import Reader, files_alone, names_of, roles_of, same_files
from csig.readers.data import Data, ResponseData
from csig.readers.harness import looks_like_samples
from csig.readers.limits import check_systems, loads, members_once
from csig.readers.lines import StrPath, first_object, is_text, read_bytes, read_lines
from csig.readers.request import FIELDS, Request, shown, stem
from csig.readers.source import ByKey, Input, ResponseTable
from csig.validation import as_integer
from csig.wording import first_few, lacks_and_has, perhaps

__all__ = ["FIELDS", "SpanReader", "looks_like_spans", "read_span_files", "read_spans"]

_STANDOFF = re.compile(r"(T[^\t\s]*)\t(\S+) ([0-9]+) ([0-9]+)(?:\t.*)?", re.DOTALL)
_DISCONTINUOUS = re.compile(r"T[^\t\s]*\t\S+ [0-9]+ [0-9]+(?:;[0-9]+ [0-9]+)+(?:\t.*)?", re.DOTALL)

Spans = dict[str, list[Span]]


def _member(where: str, line: str, fields: Mapping[str, str]) -> tuple[str, Span | None]:
    """The document and the span of a line of JSON."""
    try:
        row = loads(line, object_pairs_hook=members_once)
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"{where}: found no JSON ({error}), expected one object per line"
        ) from None
    if not isinstance(row, dict):
        raise InputError(f"{where}: found {row!r}, expected an object with {_listed(fields)}")
    missing = [name for name in fields.values() if name not in row]
    if fields["document"] in missing or 0 < len(missing) < len(FIELDS) - 1:
        raise InputError(
            f"{where}: found no field {first_few(missing)}, expected {_listed(fields)}"
        )
    document = row[fields["document"]]
    if type(document) is int:  # ids are compared as text, as in every other format
        document = str(document)
    if not is_text(document) or not document.strip():
        raise InputError(f"{where}: found the document {document!r}, expected an id")
    if missing:
        return document, None
    start, end, label = (row[fields[name]] for name in ("start", "end", "label"))
    first, last = as_integer(start), as_integer(end)
    if first is None or last is None or not 0 <= first < last < 2**63:
        raise InputError(
            f"{where}: found start {start!r} and end {end!r}, expected integers 0 <= start < end"
        )
    if not is_text(label):
        raise InputError(f"{where}: found the label {label!r}, expected text")
    return document, Span(document, first, last, label)


def _listed(fields: Mapping[str, str]) -> str:
    return ", ".join(fields.values())


def _standoff(where: str, line: str, document: str) -> Span:
    match = _STANDOFF.fullmatch(line)
    if match is None:
        if _DISCONTINUOUS.fullmatch(line):
            raise InputError(
                f"{where}: found a discontinuous span, {line!r}; expected one start and one end, "
                "as csig cannot compare discontinuous spans"
            )
        raise InputError(f"{where}: found {line!r}, expected T1, a tab, label, start and end")
    # int() refuses more than 4300 digits; 20 are too many anyway.
    start, end = (int(match[i]) if len(match[i].lstrip("0")) < 20 else 2**63 for i in (3, 4))
    if not start < end < 2**63:
        raise InputError(
            f"{where}: found start {match[3]} and end {match[4]}, expected integers "
            f"0 <= start < end"
        )
    return Span(document, start, end, match[2])


class _Collected:
    """Spans by document, each once."""

    def __init__(self) -> None:
        self.spans: Spans = {}
        self.places: dict[Span, str] = {}

    def add(self, document: str, span: Span | None, where: str) -> None:
        here = self.spans.setdefault(document, [])
        if span is None:
            return
        earlier = self.places.setdefault(span, where)
        if earlier is not where:
            raise InputError(
                f"{where}: found the span {span.start} to {span.end}, {span.label!r}, of "
                f"document {document!r} again, first on {earlier}; expected every span once"
            )
        here.append(span)


def _is_standoff(path: StrPath) -> bool:
    return os.fspath(path).endswith((".ann", ".ann.gz"))


def _documents(path: StrPath) -> dict[str, StrPath]:
    """The files of a folder in the order of their names, or the file; each is a document."""
    files = [path]
    if os.path.isdir(path):
        files = [*filter(_is_standoff, sorted(Path(path).glob("*.ann*")))]
        if not files:
            raise InputError(f"{path}: found a folder without .ann files, expected brat's standoff")
    found: dict[str, StrPath] = {}
    for file in files:
        document = Path(Path(file).name.removesuffix(".gz")).stem
        earlier = found.setdefault(document, file)
        if earlier is not file:
            raise InputError(f"{file}: found the document {document!r} again, first in {earlier}")
    return found


def looks_like_spans(path: StrPath) -> bool:
    """Whether the first line is a JSON object with a document, or with a start and an end.

    A document with numbers of another kind, where no line has a start, is a row of a table.

    Raises
    ------
    InputError
        If the file cannot be read.
    """
    first = first_object(path)
    if {FIELDS["start"], FIELDS["end"]} <= first.keys():
        return True
    others = [value for name, value in first.items() if name not in FIELDS]
    if any(isinstance(value, (int, float)) for value in others):
        return b'"start"' in read_bytes(path).tobytes() and FIELDS["document"] in first
    return FIELDS["document"] in first


def read_spans(
    path: StrPath,
    *,
    format: Literal["auto", "jsonl", "standoff"] = "auto",
    fields: Mapping[str, str] = FIELDS,
) -> Spans:
    r"""Read labelled spans.

    Parameters
    ----------
    path : str or path-like
        JSON Lines; or a file in brat's standoff, whose name without ``.ann`` is the
        document; or a folder with such files. Files packed by gzip (``.ann.gz``) are unpacked.
    format : {"auto", "jsonl", "standoff"}, default "auto"
        By default standoff for folders and names in ``.ann``, else JSON Lines.
    fields : mapping, optional
        The names in JSON of ``document``, ``start``, ``end`` and ``label``, where they
        are others.

    Returns
    -------
    dict of str to list of Span
        The spans of every document, in the order of the file.

    Raises
    ------
    InputError
        If a file cannot be read, a line is not as it should be, or a span comes twice.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "system.jsonl")
    ...     _ = file.write_text('{"doc": "d1", "start": 0, "end": 12, "label": "PER"}\n')
    ...     read_spans(file, fields={"document": "doc"})
    {'d1': [Span(document='d1', start=0, end=12, label='PER')]}
    """
    unknown = [name for name in fields if name not in FIELDS]
    if unknown:
        raise InputError(
            f"fields: found {first_few(unknown)}{perhaps(unknown[0], FIELDS)}, expected "
            f"{', '.join(FIELDS)}"
        )
    if format not in ("auto", "jsonl", "standoff"):
        raise InputError(f"format: found {format!r}, expected 'auto', 'jsonl' or 'standoff'")
    names = {**FIELDS, **fields}
    collected = _Collected()
    standoff = format == "standoff" or (
        format == "auto" and (os.path.isdir(path) or _is_standoff(path))
    )
    for document, file in (_documents(path) if standoff else {"": path}).items():
        if standoff:
            collected.add(document, None, str(file))
        for number, line in enumerate(read_lines(file), start=1):
            where = f"{file} line {number}"
            if not line or line.isspace():
                continue
            if not standoff:
                collected.add(*_member(where, line, names), where)
            elif line[0] == "T":
                collected.add(document, _standoff(where, line, document), where)
            elif line[0] not in "REAMN#*":
                raise InputError(f"{where}: found {line!r}, expected T1, a tab, label, start, end")
    return collected.spans


def read_span_files(
    gold: StrPath,
    *systems: StrPath,
    format: Literal["auto", "jsonl", "standoff"] = "auto",
    fields: Mapping[str, str] = FIELDS,
    allow_missing: bool = False,
) -> list[Spans]:
    r"""Read the spans of the gold and of systems, over the same documents.

    Parameters
    ----------
    gold, *systems : str or path-like
        Files or folders; see :func:`read_spans`.
    format, fields
        As there, for all.
    allow_missing : bool, default False
        Go on with the documents that all have, instead of refusing others.

    Returns
    -------
    list of dict
        {document: spans} of the gold and of every system. All have the documents of the
        gold; one that a system's JSON Lines do not have has no spans there.

    Raises
    ------
    InputError
        As :func:`read_spans`; or if a system has documents that the gold has not, or a folder
        lacks some of the gold's.

    Examples
    --------
    >>> import csig, pathlib, tempfile
    >>> gold = '{"document": "d", "start": 0, "end": 2, "label": "PER"}\n'
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     paths = [pathlib.Path(folder, f"{name}.jsonl") for name in ("gold", "a", "b")]
    ...     for path, text in zip(paths, (gold, gold, ""), strict=True):
    ...         _ = path.write_text(text)
    ...     responses = read_span_files(*paths)
    >>> comparison = csig.Comparison.from_responses(*responses, unit="key", conflict=csig.spans)
    >>> comparison.sums_a, comparison.sums_b
    ((1, 1, 1), (0, 0, 1))
    """
    check_systems(gold, len(systems))
    found = [read_spans(path, format=format, fields=fields) for path in (gold, *systems)]
    documents = list(found[0])
    if allow_missing:
        documents = [d for d in documents if all(d in own for own in found)]
    for path, own in zip(systems, found[1:], strict=True):
        extra = [document for document in own if document not in found[0]]
        # A line of JSON is there for a span, a file of standoff for a document.
        files = os.path.isdir(path) and os.path.isdir(gold)
        missing = [document for document in found[0] if document not in own] if files else []
        if (extra or missing) and not allow_missing:
            hint = (
                "" if files else "; give the gold a line with only the document where it has none"
            )
            raise InputError(
                f"{path}: {lacks_and_has(missing, extra, gold, 'document')}{hint}; "
                "--allow-missing intersection compares only those that both have"
            )
    return [{document: own.get(document, []) for document in documents} for own in found]


def _silent_documents(gold: ByKey, systems: Mapping[str, ByKey]) -> tuple[str, ...]:
    """Systems that have nothing in half of the documents in which the gold has something."""
    wanted = [key for key, right in gold.items() if right]
    found = []
    for name, own in systems.items():
        silent = [key for key in wanted if not own[key]]
        if len(wanted) > 1 and 2 * len(silent) >= len(wanted):
            found.append(
                f"{name} has no responses in {len(silent):,} of the {len(wanted):,} documents in "
                f"which the gold has some: {first_few(silent)}. Is the file complete?"
            )
    return tuple(found)


class SpanReader(Reader):
    """Spans: JSON Lines in several files, or brat's standoff."""

    name = "spans"
    formats = ("spans",)
    shared = ("allow_missing",)

    def given(self, request: Request) -> list[str]:
        """The names of fields, if they are a span's."""
        return request.given("field") if request.names_spans else []

    def sniff(self, request: Request) -> bool:
        """Whether the first file is a folder or called like standoff, or holds JSON of spans."""
        first, *others = request.files
        if os.path.isdir(first) or _is_standoff(first):
            return True
        return bool(others) and not looks_like_samples(first) and looks_like_spans(first)

    def read(self, request: Request, metrics: Sequence[str]) -> Data:
        """The spans of the gold and of every system, by document."""
        gold, systems = files_alone(request, self.name)
        missing = request.allow_missing is not None
        found: list[Any] = read_span_files(
            gold, *systems, fields=request.fields, allow_missing=missing
        )
        names = names_of(request, list(map(stem, systems)))
        by_name = dict(zip(names, found[1:], strict=True))
        source = Input(
            "spans",
            roles_of(gold, systems),
            systems=tuple(map(shown, systems)),
            n_documents=len(found[0]),
            cautions=(*same_files(systems), *_silent_documents(found[0], by_name)),
        )
        return ResponseData(
            source, names, ResponseTable(found[0], by_name, key_name="document", spans=True)
        )
