r"""One label per line: a file with the right ones, and a file for every system.

::

    positive
    negative
    negative

Line 17 of every file is about the same item. A blank line is a missing label, never nothing:
else every label behind it would be compared with that of another item.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from csig.errors import InputError
from csig.readers.base import gold_and_systems
from csig.readers.data import Data
from csig.readers.limits import check_systems
from csig.readers.lines import (
    StrPath,
    is_parquet,
    lines_of,
    read_bytes,
    read_lines,
    stem,
    stems,
    text_of,
)
from csig.readers.request import OptionError, Request
from csig.readers.tables.base import OfTables, of_table, refuse_filter
from csig.readers.tables.cells import is_number
from csig.readers.tables.columns import GOLD_NAMES
from csig.readers.tables.grids import header_of
from csig.readers.tables.matching import Table, left_out

__all__ = ["LabelReader", "looks_like_labels", "read_labels"]

#: First lines that are names of a column; each must be one in its file, and nothing below it.
_NAMES = {
    *GOLD_NAMES, "labels", "class", "prediction", "predictions", "predicted", "pred", "y_pred",
}  # fmt: skip

#: Tags of entities: single ones are rarely what is to be compared.
_ENTITY_TAG = re.compile(r"[BIESLUM]-\S+")


def _labels(path: StrPath, lines: Sequence[str]) -> list[str]:
    """The lines without white space at their ends."""
    found = [line.strip() for line in lines]
    for number, label in enumerate(found, start=1):
        if "\t" in label:
            raise InputError(
                f"{path} line {number}: found {label!r}, expected one label per line; a table of "
                "labels needs a header, tokens with labels need --scheme plain"
            )
    return found


def _named(paths: Sequence[StrPath], columns: Sequence[Sequence[str]]) -> bool:
    """Whether the first line of every file is the name of its column."""
    for path, labels in zip(paths, columns, strict=True):
        if not labels or labels[0].lower() not in {*_NAMES, stem(path).lower()}:
            return False
    names = {labels[0] for labels in columns}
    return not any(label in names for labels in columns for label in labels[1:])


def _refuse_lengths(paths: Sequence[StrPath], columns: Sequence[Sequence[str]], n: int) -> None:
    """Every file has as many lines as the one that goes furthest."""
    longest = next(path for path, own in zip(paths, columns, strict=True) if len(own) >= n)
    for path, own in zip(paths, columns, strict=True):
        if len(own) < n:
            raise InputError(
                f"{path}: {len(own):,} line{'s' * (len(own) != 1)}, but {longest} has {n:,}; "
                "labels, one per line, are matched by line number, so every file must have the "
                "same number"
            )


def read_labels(gold: StrPath, *systems: StrPath, allow_missing: bool = False) -> Table:
    r"""Read one label per line: the right ones and those of any number of systems.

    Parameters
    ----------
    gold, *systems : str or path-like
        The files, with as many lines each; items are matched by line. White space at the ends of
        a line does not count. If every file begins with a name such as ``label``, ``gold`` or
        ``prediction``, or its own, which is nowhere else, these are names and no labels.
    allow_missing : bool, default False
        Leave out the items for which a file has a blank line, instead of refusing it.

    Returns
    -------
    Table
        Labels, for :meth:`csig.Comparison.from_labels`; systems are named after their files.

    Raises
    ------
    InputError
        If a file cannot be read or has a tab; if a line is blank; if the numbers of lines differ.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     gold, one = pathlib.Path(folder, "gold.txt"), pathlib.Path(folder, "one.txt")
    ...     _ = gold.write_text("pos\nneg\nneg\n"), one.write_text("pos\npos\nneg\n")
    ...     table = read_labels(gold, one)
    >>> table.gold, table.systems
    (['pos', 'neg', 'neg'], {'one': ['pos', 'pos', 'neg']})
    """
    check_systems(gold, len(systems))
    paths = (gold, *systems)
    columns = [_labels(path, read_lines(path)) for path in paths]
    n = max(i for own in columns for i in (0, *(j for j, label in enumerate(own, 1) if label)))
    if not n:
        raise InputError(f"{gold}: found an empty file, expected one label per line")
    _refuse_lengths(paths, columns, n)
    columns = [own[:n] for own in columns]
    notes: tuple[str, ...] = ()
    above = 0
    if n > 1 and _named(paths, columns):
        names = ", ".join(dict.fromkeys(repr(own[0]) for own in columns))
        notes = (f"The first line of every file is read as a name, not as a label: {names}.",)
        columns, above = [own[1:] for own in columns], 1
    missing = _missing(paths, columns, above, allow_missing)
    if missing:
        notes += left_out(len(missing), n - above)
        columns = [[x for i, x in enumerate(own) if i not in missing] for own in columns]
        if not columns[0]:
            raise InputError(f"{gold}: no item has a label in every file")
    by_name = dict(zip(stems(systems), columns[1:], strict=True))
    return Table("labels", ("label",), by_name, gold=columns[0], notes=notes)


def _missing(
    paths: Sequence[StrPath], columns: Sequence[Sequence[str]], above: int, allowed: bool
) -> set[int]:
    """The items for which some file has a blank line."""
    found: set[int] = set()
    for path, own in zip(paths, columns, strict=True):
        blank = [i for i, label in enumerate(own) if not label]
        if blank and not allowed:
            raise InputError(
                f"{path} line {blank[0] + above + 1}: the line is blank, expected a label; "
                "--allow-missing intersection leaves the item out, --scheme plain reads blank "
                "lines as ends of sentences"
            )
        found |= {*blank}
    return found


def looks_like_labels(paths: Sequence[StrPath]) -> bool:
    r"""Whether files without any other mark have one label per line, rather than responses.

    They have if all have as many lines, none of them blank and each with one cell; if every label
    of the gold comes twice on average, and every system has as few; if every system has a
    label of the gold; and if they are not numbers, which may be scores.

    Raises
    ------
    InputError
        If a file cannot be read; or if the labels are tags of entities, which can be read as one
        sentence or as items.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     paths = [pathlib.Path(folder, name) for name in "abc"]
    ...     _ = [path.write_text("x\ny\nx\nx\n") for path in paths]
    ...     looks_like_labels(paths)
    True
    """
    columns = []
    for path in paths:
        data = read_bytes(path)
        if is_parquet(data):
            return False
        found = [line.strip() for line in lines_of(text_of(path, data))]
        while found and not found[-1]:
            found.pop()
        columns.append(found)
        few = 2 * len(set(found)) <= len(found)
        if not found or not few or len(found) != len(columns[0]) or "" in found:
            return False
        if any("\t" in label for label in set(found)):
            return False
    different = [set(own) for own in columns]
    if any(own.isdisjoint(different[0]) for own in different):
        return False
    if all(is_number(label) for own in different for label in own):
        return False
    tags = [label for own in different for label in own if _ENTITY_TAG.fullmatch(label)]
    if tags:
        raise InputError(
            f"{paths[0]}: found tags such as {min(tags)!r}, one per line, and no blank line; "
            "--format tags reads their entities, as one sentence, --format labels compares single "
            "tags"
        )
    return True


class LabelReader(OfTables):
    """One label per line, in a file for the gold and one for every system."""

    name = "labels, one per line"
    formats = ("labels",)

    def sniff(self, request: Request) -> bool:
        """Whether all have one cell per line, if labels are asked for; else if they look so."""
        files = request.files
        if len(files) < 2 or request.gold_column is not None:
            return False
        if request.format == "labels" or request.positive is not None:
            return all(len(header_of(path)) <= 1 for path in files)
        return len(files) >= 3 and looks_like_labels(files)

    def read(self, request: Request, metrics: Sequence[str]) -> Data:
        """The labels, matched by line."""
        refuse_filter(request)
        other = request.given("run", "quoting", "decimal", "header", "field")
        if other:
            raise OptionError(f"{other[0]} does not go with {self.name}")
        gold, systems = gold_and_systems(request, f"{self.name},")
        table = read_labels(gold, *systems, allow_missing=request.allow_missing is not None)
        return of_table(request, table, request.files)
