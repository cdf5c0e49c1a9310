r"""A system's responses, or the gold: one response per line, its fields separated by tabs.

::

    image-0913
    image-0920

or, with a document id in the first field::

    doc-1	12	14	PER
    doc-2	3	4	LOC

Fields are text and are compared as text: ``7`` and ``07`` are two different responses.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from csig.base.errors import InputError, Refusal, Remedy, argument
from csig.base.wording import coded, counted, first_few
from csig.data.responses import Span
from csig.readers.base import gold_and_systems, names_of, roles_of, same_files
from csig.readers.data import Data, ResponseData
from csig.readers.lines import StrPath, read_lines
from csig.readers.request import Request, shown, stem
from csig.readers.source import Input, ResponseTable

Fields = list[tuple[str, ...]]


def read_responses(path: StrPath, *, documents: bool = False, header: bool = False) -> Fields:
    r"""Read a file with one response per line.

    Parameters
    ----------
    path : str or path-like
        The file. Lines that are empty or only white space are skipped. An empty file is
        a system without responses.
    documents : bool, default False
        True if the first field is a document id. A line then has at least two fields.
    header : bool, default False
        True if the first line has names, and is no response.

    Returns
    -------
    list of tuple of str
        The fields of every response, in the order of the file and exactly as written.

    Raises
    ------
    InputError
        If the file cannot be read, holds a response twice, has lines with different
        numbers of fields, or, with `documents`, lacks a document id.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "system.tsv")
    ...     _ = file.write_text("doc-1\t12\t14\tPER\ndoc-2\t3\t4\tLOC\n")
    ...     read_responses(file, documents=True)
    [('doc-1', '12', '14', 'PER'), ('doc-2', '3', '4', 'LOC')]
    """
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


def _spans(path: str, responses: Fields, documents: bool) -> list[Hashable]:
    """Fields start, end (not included) and label, after the document id if there is one."""
    spans: list[Hashable] = []
    for response in responses:
        document, *fields = response if documents else ("", *response)
        # int() refuses more than 4300 digits, and no text is that long.
        whole = len(fields) == 3 and all(f.isdecimal() and len(f) < 20 for f in fields[:2])
        if not (whole and int(fields[0]) < int(fields[1])):
            raise InputError(
                f"{path}: with {argument('spans')} a response is "
                f"{'document, ' if documents else ''}start, "
                f"end, label with whole numbers, start before end, found {' | '.join(response)!r}"
            )
        spans.append(Span(document, int(fields[0]), int(fields[1]), fields[2]))
    return spans


def read(request: Request, metrics: Sequence[str]) -> Data:
    """The responses of the gold and of every system, by document where they are known."""
    gold, systems = gold_and_systems(request, "responses")
    paths, documents = (gold, *systems), request.documents
    if request.header:
        first = [next(filter(str.strip, read_lines(path)), "") for path in paths]
        for path, line in zip(paths, first, strict=True):
            if line != first[0]:
                raise InputError(
                    f"{path}: found the first line {line!r}, but {first[0]!r} in {gold}; "
                    f"{argument('header')} "
                    "needs the same in all files"
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
    names = names_of(request, list(map(stem, systems)))
    by_name = dict(zip(names, sides[1:], strict=True))
    cautions = same_files(systems)
    declared = request.format != "auto" or documents or request.spans
    n = len(lines[0])
    if not declared and n > 1 and {*map(len, lines)} == {n} and {*widths.values()} == {1}:
        cautions.append(
            f"All files have {n:,} lines, which were read as responses in any order. If the "
            f"lines belong together one by one, give {argument('format', 'labels')}; if not, "
            f"{argument('format', 'responses')}."
        )
    known = {key for key, right in sides[0].items() if right}
    for name, by_key in by_name.items() if documents and known else ():
        unknown = [key for key, some in by_key.items() if some and key not in known]
        if unknown:
            cautions.append(
                f"{name} has responses in documents that the gold does not have: "
                f"{first_few(unknown, 3)}. They count as spurious; are the ids right?"
            )
    source = Input(
        "responses",
        roles_of(gold, systems),
        documents=documents,
        systems=tuple(map(shown, systems)),
        n_documents=len(keys) if documents else None,
        cautions=tuple(coded("responses", cautions)),
    )
    key_name = "document" if documents else None
    table = ResponseTable(sides[0], by_name, key_name=key_name, spans=request.spans)
    return ResponseData(source, names, table)
