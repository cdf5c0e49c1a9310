"""Tables as JSON: an array of objects, or one object per line; the names of fields are columns.

Only fields with one value are columns. What is inside objects is named by its path, with dots:
``scores.accuracy``. A field that is not there, and null, is an empty cell.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from csig.data.strings import Texts
from csig.errors import InputError
from csig.readers.limits import check_columns, loads, members_once
from csig.readers.lines import StrPath, is_text, lines_of, read_start, text_of
from csig.readers.tables.cells import Grid, floats
from csig.wording import first_few, perhaps

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["is_records", "looks_like_records", "records_grid"]

#: Names of files that hold JSON for certain.
_ENDINGS = (".json", ".jsonl", ".ndjson")

#: What stands for a field that a record does not have.
_ABSENT = object()


def looks_like_records(path: StrPath) -> bool:
    """Whether a file is JSON with objects, in an array or one per line.

    Raises
    ------
    InputError
        If the file cannot be read.
    """
    return is_records(path, read_start(path, 4096))


def is_records(path: StrPath, data: NDArray[np.uint8]) -> bool:
    """The same of what has been read."""
    start = data[:4096].tobytes().removeprefix(b"\xef\xbb\xbf").lstrip()
    if not start.startswith((b"{", b"[")):
        return False
    if os.fspath(path).removesuffix(".gz").endswith(_ENDINGS):
        return True
    if start.startswith(b"["):
        return start[1:].lstrip().startswith(b"{")
    return start[1:].lstrip().startswith((b'"', b"}"))


# ---- parsing -----------------------------------------------------------------------------------


def _parsed(where: str, text: str) -> Any:
    try:
        return loads(text, object_pairs_hook=members_once)
    except (ValueError, RecursionError) as error:
        reason = "too many levels" if isinstance(error, RecursionError) else str(error)
        raise InputError(f"{where}: not JSON ({reason.split(': line')[0]})") from None


def _records(path: StrPath, text: str) -> tuple[list[dict[str, Any]], Callable[[int], str]]:
    """All objects, and where each is."""
    if text.lstrip().startswith("["):
        found = _parsed(str(path), text)
        places = [f"record {i + 1}" for i in range(len(found))]
    else:
        lines = [(i, line) for i, line in enumerate(lines_of(text), start=1) if line.strip()]
        if len(lines) > 1 and not _whole(lines[0][1]) and isinstance(_one(text), dict):
            lines = [(1, text)]
        found = [_parsed(f"{path} line {number}", line) for number, line in lines]
        places = [f"line {number}" for number, _ in lines]
        if len(found) == 1 and isinstance(found[0], dict) and "\n" in text.strip():
            raise InputError(
                f"{path}: found one JSON object, expected an array of objects, or one object per "
                f"line; its fields are {first_few(found[0], 12)}"
            )
    odd = next((i for i, record in enumerate(found) if not isinstance(record, dict)), None)
    if odd is not None:
        raise InputError(f"{path} {places[odd]}: found {found[odd]!r}, expected an object")
    if not found:
        raise InputError(f"{path}: found an empty array, expected records")
    return found, places.__getitem__


def _whole(line: str) -> bool:
    return isinstance(_one(line), dict)


def _one(text: str) -> Any:
    """What a text is as JSON; nothing for another text."""
    try:
        return loads(text)
    except (ValueError, RecursionError):
        return None


# ---- columns -----------------------------------------------------------------------------------


def _at(record: Mapping[str, Any], path: str) -> Any:
    """What is at the end of a path: a field whose name it is, or one inside another."""
    if path in record:
        return record[path]
    name, dot, rest = path.partition(".")
    while dot:
        inside = record.get(name)
        if isinstance(inside, dict):
            found = _at(inside, rest)
            if found is not _ABSENT:
                return found
        more, dot, rest = rest.partition(".")
        name = f"{name}.{more}"
    return _ABSENT


def _is_nested(value: object) -> bool:
    return isinstance(value, (dict, list))


@dataclass(frozen=True, eq=False)
class _RecordCells:
    path: StrPath
    columns: list[list[Any]]
    where: Callable[[int], str]
    decimal: str
    _texts: dict[int, Texts] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.columns[0])

    def place(self, row: int) -> str:
        return "fields" if row < 0 else self.where(row)

    def texts(self, column: int) -> Texts:
        if column not in self._texts:
            self._texts[column] = Texts.of(
                [self._written(row, value) for row, value in enumerate(self.columns[column])]
            )
        return self._texts[column]

    def _written(self, row: int, value: Any) -> str:
        if value is None or value is _ABSENT:
            return ""
        if isinstance(value, bool):
            return str(int(value))
        if isinstance(value, str) and not is_text(value):
            raise InputError(
                f"{self.path} {self.where(row)}: found half of a surrogate pair in {value!r}"
            )
        try:
            return str(value)
        except ValueError:  # an integer of more than 4300 digits
            raise InputError(
                f"{self.path} {self.where(row)}: found an integer of more than 4,300 digits"
            ) from None

    def numbers(self, column: int, rows: NDArray[np.intp] | None) -> NDArray[Any] | None:
        values = self.columns[column]
        if rows is not None:
            values = [values[i] for i in rows.tolist()]
        if any(isinstance(value, str) for value in values):
            if any(value is None or value is _ABSENT for value in values):
                return None
            texts = self.texts(column)
            return floats(texts if rows is None else texts.take(rows), self.decimal)
        return _doubles(values)


def _doubles(values: Sequence[Any]) -> NDArray[Any] | None:
    if not all(isinstance(value, (bool, int, float)) for value in values):
        return None
    if all(isinstance(value, int) and -(2**63) <= value < 2**63 for value in values):
        return np.array([int(value) for value in values], dtype=np.int64)
    try:
        doubles = np.array([float(value) for value in values])
    except OverflowError:  # an integer of more than 308 digits
        return None
    return doubles if math.isfinite(float(np.abs(doubles).max(initial=0))) else None


def records_grid(
    path: StrPath,
    data: NDArray[np.uint8],
    fields: Mapping[str, str],
    wanted: Iterable[str],
    decimal: str,
) -> Grid:
    """The records of a JSON file by column.

    Parameters
    ----------
    path : str or path-like
        For messages.
    data : array of uint8
        What the file holds.
    fields : mapping {column: path}
        The paths of columns that have other names in the file, or are inside objects.
    wanted : iterable of str
        Names of columns that may be paths.
    decimal : {".", ","}
        What stands before the decimals of numbers that are texts.

    Raises
    ------
    InputError
        If the file is not JSON with objects, or no record has a field that was asked for.
    """
    text = text_of(path, data)
    if not text.strip():
        raise InputError(f"{path}: found an empty file, expected records")
    records, where = _records(path, text)
    names = list(dict.fromkeys(name for record in records for name in record))
    paths = {name: name for name in names if name not in fields.values()} | dict(fields)
    paths |= {name: name for name in wanted if "." in name and name not in paths}
    check_columns(path, len(paths))
    columns: dict[str, list[Any]] = {}
    unusable: dict[str, str] = {}
    for name, own in paths.items():
        values = [_at(record, own) for record in records]
        if all(value is _ABSENT for value in values):
            if name not in fields:
                continue  # a name that the reader of tables will miss
            raise InputError(
                f"{path}: no record has the field {own!r}{perhaps(own, names)} that --field names; "
                f"there are {first_few(names, 12)}"
            )
        nested = next((value for value in values if _is_nested(value)), None)
        if nested is None:
            columns[name] = values
        else:
            unusable[name] = "objects" if isinstance(nested, dict) else "lists"
    if not columns:
        raise InputError(
            f"{path}: found no fields of text or numbers; --field NAME=PATH reads a nested one, "
            "as in base=scores.base"
        )
    cells = _RecordCells(path, list(columns.values()), where, decimal)
    hint = ""
    if unusable:
        hint = f"; {first_few(unusable)} hold objects or lists: --field NAME=PATH looks inside"
    return Grid(
        path, list(columns), cells, named=True, unusable=unusable, decimal=decimal, hint=hint
    )
