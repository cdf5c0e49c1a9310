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

from collections.abc import Hashable, Mapping, Sequence

from csig.data.conflicts import Span
from csig.errors import InputError
from csig.readers.base import Reader, files_alone, names_of, roles_of, same_files
from csig.readers.data import Data, ResponseData
from csig.readers.lines import StrPath, read_lines
from csig.readers.request import Request, shown, stem
from csig.readers.source import ByKey, Input, ResponseTable
from csig.wording import counted, first_few

__all__ = ["ResponseReader", "read_responses"]


def read_responses(path: StrPath, *, documents: bool = False) -> list[tuple[str, ...]]:
    r"""Read a file with one response per line.

    Parameters
    ----------
    path : str or path-like
        The file. Lines that are empty or only white space are skipped. An empty file is
        a system without responses.
    documents : bool, default False
        True if the first field is a document id. A line then has at least two fields.

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
    width = width_line = 0
    for number, line in enumerate(read_lines(path), start=1):
        if not line or line.isspace():
            continue
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
        if not width:
            width, width_line = len(response), number
        elif len(response) != width:
            raise InputError(
                f"{path}: found {counted(width, 'field')} on line {width_line} and "
                f"{counted(len(response), 'field')} on line {number}, expected the same number on "
                "every line"
            )
        earlier = first_line.setdefault(response, number)
        if earlier != number:
            raise InputError(
                f"{path}: found the response {line!r} on line {earlier} and again on "
                f"line {number}, expected every response once"
                + ("; labels of items, one per line: --format labels" if width == 1 else "")
            )
    return list(first_line)


# ---- several files -----------------------------------------------------------------------------

Fields = list[tuple[str, ...]]


def _check_widths(paths: Sequence[str], responses: Sequence[Fields]) -> None:
    """Refuse files whose lines have different numbers of fields: nothing could agree."""
    widths = {path: len(own[0]) for path, own in zip(paths, responses, strict=True) if own}
    if len(set(widths.values())) > 1:
        found = ", ".join(f"{shown(path)} {width}" for path, width in widths.items())
        raise InputError(f"the files differ in the number of fields per line: {found}")


def _spans(path: str, responses: Fields, documents: bool) -> list[Hashable]:
    """Fields start, end (not included) and label, after the document id if there is one."""
    spans: list[Hashable] = []
    for response in responses:
        document, fields = (response[0], response[1:]) if documents else ("", response)
        # int() refuses more than 4300 digits, and no text is that long.
        if len(fields) != 3 or not all(f.isdecimal() and len(f) < 20 for f in fields[:2]):
            raise InputError(
                f"{path}: with --spans a response is {'document, ' if documents else ''}start, "
                f"end, label with whole numbers, found {' | '.join(response)!r}"
            )
        start, end = int(fields[0]), int(fields[1])
        if start >= end:
            raise InputError(
                f"{path}: with --spans a start must be before its end, found "
                f"{' | '.join(response)!r}"
            )
        spans.append(Span(document, start, end, fields[2]))
    return spans


def _unknown_documents(gold: ByKey, systems: Mapping[str, ByKey]) -> tuple[str, ...]:
    """Documents of a system that the gold does not have: perhaps ids that are misspelt."""
    known = {key for key, right in gold.items() if right}
    found = []
    for name, own in systems.items():
        unknown = [key for key, said in own.items() if said and key not in known]
        if unknown and known:
            found.append(
                f"{name} has responses in documents that the gold does not have: "
                f"{first_few(unknown, 3)}. They count as spurious; are the ids right?"
            )
    return tuple(found)


def _perhaps_labels(request: Request, responses: Sequence[Fields]) -> tuple[str, ...]:
    """Whether lines that were taken for responses may belong together, one of each file."""
    sizes = {len(own) for own in responses}
    (n,) = sizes if len(sizes) == 1 else (0,)
    guessed = request.format == "auto" and not (request.documents or request.spans)
    if not guessed or n < 2 or any(len(line) > 1 for own in responses for line in own[:1]):
        return ()
    return (
        f"All files have {n:,} lines, which were read as responses in any order. If the lines "
        "belong together one by one, give --format labels; if not, --format responses.",
    )


class ResponseReader(Reader):
    """Responses, one per line: the format of files that fit no other."""

    name = "responses"
    formats = ("responses",)
    options = ("documents", "spans")

    def sniff(self, request: Request) -> bool:
        """Any file may be one."""
        return True

    def read(self, request: Request, metrics: Sequence[str]) -> Data:
        """The responses of the gold and of every system, by document where they are known."""
        gold, systems = files_alone(request, self.name)
        paths = (gold, *systems)
        lines = [read_responses(path, documents=request.documents) for path in paths]
        _check_widths(paths, lines)
        claims: list[list[Hashable]] = [list(own) for own in lines]
        if request.spans:
            claims = [
                _spans(path, own, request.documents) for path, own in zip(paths, lines, strict=True)
            ]
        key_name = "document" if request.documents else None
        everybody: list[dict[Hashable, list[Hashable]]] = [{None: own} for own in claims]
        if request.documents:
            keys = dict.fromkeys(line[0] for own in lines for line in own)
            everybody = [{key: [] for key in keys} for _ in paths]
            for by_key, own, claimed in zip(everybody, lines, claims, strict=True):
                for line, response in zip(own, claimed, strict=True):
                    by_key[line[0]].append(response)
        names = names_of(request, list(map(stem, systems)))
        by_name = dict(zip(names, everybody[1:], strict=True))
        source = Input(
            "responses",
            roles_of(gold, systems),
            documents=request.documents,
            systems=tuple(map(shown, systems)),
            n_documents=len(everybody[0]) if request.documents else None,
            cautions=(
                *same_files(systems),
                *_perhaps_labels(request, lines),
                *(_unknown_documents(everybody[0], by_name) if request.documents else ()),
            ),
        )
        return ResponseData(
            source,
            names,
            ResponseTable(everybody[0], by_name, key_name=key_name, spans=request.spans),
        )
