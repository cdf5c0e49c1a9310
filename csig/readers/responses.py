r"""A system's responses, or the gold: one response a line, its fields separated by tabs.

::

    image-0913
    image-0920

or, with a document id in the first field::

    doc-1	12	14	PER
    doc-2	3	4	LOC

Fields are text and are compared as text: ``7`` and ``07`` are two different responses.
"""

from __future__ import annotations

from csig.errors import InputError
from csig.readers.lines import StrPath, read_lines

__all__ = ["read_responses"]


def read_responses(path: StrPath, *, documents: bool = False) -> list[tuple[str, ...]]:
    r"""Read a file with one response a line.

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
                f"{path}: found {_fields(width)} on line {width_line} and "
                f"{_fields(len(response))} on line {number}, expected the same number on "
                "every line"
            )
        earlier = first_line.setdefault(response, number)
        if earlier != number:
            raise InputError(
                f"{path}: found the response {line!r} on line {earlier} and again on "
                f"line {number}, expected every response once"
                + ("; labels of items, one a line: --format labels" if width == 1 else "")
            )
    return list(first_line)


def _fields(count: int) -> str:
    return f"{count} field" if count == 1 else f"{count} fields"
