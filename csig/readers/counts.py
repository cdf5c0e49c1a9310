"""A comparison given as counts, in a TOML or JSON file.

The fields are those of ``Comparison.from_counts``::

    gold = 103              # what should be found
    both_correct = 19       # correct responses of both systems
    only_a_correct = 28     # correct responses of A alone
    only_b_correct = 6
    both_spurious = 5       # responses that are not in the gold
    only_a_spurious = 43
    only_b_spurious = 9
    name_a = "method I"     # the names to print
    name_b = "method II"

``gold``, ``only_a_correct`` and ``only_b_correct`` are required, the other counts are 0
when they are not given. A, the first system, may be called ``baseline`` and B ``system``, as in the
JSON record of a comparison: ``only_baseline_correct``, ``only_system_correct``, and ``baseline``
and ``system`` for the names.
"""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from csig.comparison import Comparison
from csig.errors import InputError
from csig.readers import limits
from csig.readers.base import Reader, names_of
from csig.readers.data import CountsData, Data
from csig.readers.lines import StrPath, read_start, read_text
from csig.readers.request import Request, shown
from csig.readers.source import Input
from csig.wording import perhaps

__all__ = ["CountsFile", "CountsReader", "parse_toml", "read_counts", "read_small"]

_REQUIRED = ("gold", "only_a_correct", "only_b_correct")
_OPTIONAL = ("both_correct", "both_spurious", "only_a_spurious", "only_b_spurious")
_NAMES = ("name_a", "name_b")

#: Other spellings, of the JSON record.
_SPELLINGS = {
    "baseline": "name_a",
    "system": "name_b",
    **{
        name.replace(letter, word): name
        for name in (*_REQUIRED, *_OPTIONAL)
        for letter, word in (("_a_", "_baseline_"), ("_b_", "_system_"))
        if letter in name
    },
}


@dataclass(frozen=True)
class CountsFile:
    """What a file of counts holds.

    Attributes
    ----------
    counts : dict of str to int
        All seven counts, as keyword arguments of ``Comparison.from_counts``.
    name_a, name_b : str or None
        The names of the systems, None where the file gives none.
    """

    counts: dict[str, int]
    name_a: str | None
    name_b: str | None


class _DoubledKeyError(Exception):
    """A key that a JSON object has twice."""


class _NotANumberError(Exception):
    """NaN or an infinity, which Python's JSON reader would take."""


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for key, value in pairs:
        if key in result:
            raise _DoubledKeyError(key)
        result[key] = value
    return result


def _not_a_number(text: str) -> NoReturn:
    raise _NotANumberError(text)


def _field_lines(text: str, field: str, as_json: bool) -> list[int]:
    """Find the lines on which a field seems to be set; for messages only."""
    if as_json:
        pattern = f"{re.escape(json.dumps(field, ensure_ascii=False))}\\s*:"
    else:
        pattern = f"^[ \\t]*(?:\\[\\[?[ \\t]*)?[\"']?{re.escape(field)}[\"']?[ \\t]*[=.\\]]"
    return [text.count("\n", 0, m.start()) + 1 for m in re.finditer(pattern, text, re.MULTILINE)]


def _parse_json(path: StrPath, text: str) -> object:
    try:
        return limits.loads(text, object_pairs_hook=_pairs, parse_constant=_not_a_number)
    except json.JSONDecodeError as error:
        raise InputError(
            f"{path} line {error.lineno}: not JSON: {error.msg} (column {error.colno})"
        ) from None
    except _DoubledKeyError as error:
        key = str(error)
        lines = _field_lines(text, key, as_json=True)
        where = f" line {lines[1]}" if len(lines) > 1 else ""
        raise InputError(
            f"{path}{where}: found {key!r} a second time, expected every field once"
        ) from None
    except _NotANumberError as error:
        found = str(error)
        at = re.search(rf":\s*{re.escape(found)}\b", text)
        where = f" line {text.count(chr(10), 0, at.end()) + 1}" if at else ""
        raise InputError(f"{path}{where}: found {found}, expected an integer") from None
    except (ValueError, RecursionError) as error:  # too many digits, too many brackets
        raise InputError(f"{path}: not JSON that can be read: {error}") from None


def read_small(path: StrPath) -> str:
    """The text of a file of counts or claims, which is never long.

    Raises
    ------
    InputError
        If it is, or as :func:`csig.readers.lines.read_text`.
    """
    if len(read_start(path, limits.MOST_TEXT + 1)) > limits.MOST_TEXT:
        raise InputError(
            f"{path}: holds more than {limits.size_text(limits.MOST_TEXT)}, expected a file of a "
            f"few numbers"
        )
    return read_text(path)


def parse_toml(
    path: StrPath, text: str, parse_float: Callable[[str], Any] = float
) -> dict[str, Any]:
    """Read TOML; floats may be kept as they are written."""
    deep = limits.too_deep_in_toml(text)
    if deep is not None:
        raise InputError(
            f"{path} line {deep}: found more than {limits.TOML_DEPTH} dots in a key, or nested "
            "brackets, expected at most 2"
        )
    try:
        # TOML allows LF and CRLF; tomllib takes both.
        return tomllib.loads(text, parse_float=parse_float)
    except tomllib.TOMLDecodeError as error:
        message = str(error)
        at = re.search(r" \(at line (\d+), column (\d+)\)$", message)
        if at is None:  # "(at end of document)"
            raise InputError(f"{path}: not TOML: {message}") from None
        raise InputError(
            f"{path} line {at[1]}: not TOML: {message[: at.start()]} (column {at[2]})"
        ) from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: not TOML that can be read: {error}") from None


def _as_written(path: StrPath, fields: dict[str, Any]) -> dict[str, str]:
    """The names of the fields, by those that csig has for them."""
    found: dict[str, str] = {}
    for field in fields:
        name = _SPELLINGS.get(field, field)
        if name in found:
            raise InputError(
                f"{path}: found {found[name]!r} and {field!r}, which say the same; expected one of "
                "them"
            )
        found[name] = field
    return found


def read_counts(path: StrPath) -> CountsFile:
    r"""Read a comparison that is given as counts.

    Parameters
    ----------
    path : str or path-like
        A TOML file (``.toml``) or a JSON file (``.json``). With another extension the
        file is JSON if its first character that is not white space is ``{``, else TOML.

    Returns
    -------
    CountsFile
        The counts and the names of the systems.

    Raises
    ------
    InputError
        If the file cannot be read, is malformed, lacks a required field, or has a field
        that is unknown, given twice, negative or of another type.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "counts.toml")
    ...     _ = file.write_text("gold = 9\nonly_a_correct = 4\nonly_b_correct = 1\n")
    ...     read_counts(file).counts["only_a_correct"]
    4
    """
    text = read_small(path)
    extension = os.path.splitext(os.fspath(path))[1].lower()
    as_json = extension == ".json" or (extension != ".toml" and text.lstrip().startswith("{"))
    fields: object = _parse_json(path, text) if as_json else parse_toml(path, text)
    if not isinstance(fields, dict):
        raise InputError(
            f"{path}: found a JSON {type(fields).__name__}, expected an object with the fields "
            f"{', '.join(_REQUIRED)}"
        )

    written = _as_written(path, fields)
    fields = {own: fields[field] for own, field in written.items()}

    def where(field: str) -> str:
        lines = _field_lines(text, written.get(field, field), as_json)
        return f"{path} line {lines[0]}" if len(lines) == 1 else f"{path}"

    known = (*_REQUIRED, *_OPTIONAL, *_NAMES)
    # Unknown fields go first: a mistyped field would otherwise be called missing.
    for field in fields:
        if field not in known:
            hint = perhaps(field, known) or f"; expected {', '.join(known)}"
            raise InputError(f"{where(field)}: found the unknown field {field!r}{hint}")
    for field in _REQUIRED:
        if field not in fields:
            raise InputError(f"{path}: the field {field!r} is missing, expected an integer")
    counts: dict[str, int] = {}
    for field in (*_REQUIRED, *_OPTIONAL):
        value = fields.get(field, 0)
        # bool is a subclass of int, but true is not a count.
        if isinstance(value, bool) or not isinstance(value, int):
            raise InputError(f"{where(field)}: {field}: found {value!r}, expected an integer")
        if value < 0:
            raise InputError(f"{where(field)}: {field}: found {value}, expected 0 or more")
        counts[field] = value
    names: list[str | None] = []
    for field in _NAMES:
        name = fields.get(field)
        if field in fields and (not isinstance(name, str) or not name.strip()):
            raise InputError(f"{where(field)}: {field}: found {name!r}, expected a name in quotes")
        names.append(name)
    return CountsFile(counts=counts, name_a=names[0], name_b=names[1])


class CountsReader(Reader):
    """A file of counts: named by ``--counts``, and by nothing else."""

    name = "counts file"

    @staticmethod
    def alone(request: Request) -> Request:
        """The same file, and nothing else that could be asked for but names."""
        return Request(counts=request.counts, name_a=request.name_a, name_b=request.name_b)

    def sniff(self, request: Request) -> bool:
        """Whether it was named."""
        return request.counts is not None

    def read(self, request: Request, metrics: Sequence[str]) -> Data:
        """The counts, which are those of two systems."""
        assert request.counts is not None
        path = request.counts
        found = read_counts(path)
        counts: dict[str, Any] = dict(found.counts)
        names = names_of(request, (found.name_a or "A", found.name_b or "B"))
        try:
            comparison = Comparison.from_counts(**counts, names=(names[0], names[1]))
        except InputError as error:  # the file is only known here
            raise InputError(f"{path}: {error}") from None
        return CountsData(Input("counts", {"counts": shown(path)}), names, comparison)
