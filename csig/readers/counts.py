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
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from csig.comparison import Comparison
from csig.errors import InputError
from csig.readers import limits
from csig.readers.base import names_of
from csig.readers.data import CountsData, Data
from csig.readers.lines import StrPath, read_start, read_text
from csig.readers.request import Request, shown
from csig.readers.source import Input
from csig.wording import perhaps

__all__ = ["CountsFile", "parse_toml", "read", "read_counts", "read_small"]

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


def read_small(path: StrPath) -> str:
    """The text of a file of counts or claims, which is never long."""
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
        if at is not None:  # else "(at end of document)"
            path = f"{path} line {at[1]}"
            message = f"{message[: at.start()]} (column {at[2]})"
        raise InputError(f"{path}: not TOML: {message}") from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: not TOML that can be read: {error}") from None


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

    def where(field: str, last: bool = False) -> str:
        """The line on which a field seems to be set, if it is one; or the last one."""
        if as_json:
            pattern = f"{re.escape(json.dumps(field, ensure_ascii=False))}\\s*:"
        else:
            pattern = f"^[ \\t]*(?:\\[\\[?[ \\t]*)?[\"']?{re.escape(field)}[\"']?[ \\t]*[=.\\]]"
        places = [match.start() for match in re.finditer(pattern, text, re.MULTILINE)]
        if not places or (len(places) > 1 and not last):
            return f"{path}"
        return f"{path} line {text.count(chr(10), 0, places[-1]) + 1}"

    def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        fields = dict(pairs)
        if len(fields) < len(pairs):
            twice, _ = Counter(field for field, _ in pairs).most_common(1)[0]
            raise InputError(
                f"{where(twice, last=True)}: found {twice!r} a second time, expected every field "
                "once"
            )
        return fields

    try:
        fields = (
            limits.loads(text, object_pairs_hook=members) if as_json else parse_toml(path, text)
        )
    except InputError:
        raise
    except json.JSONDecodeError as error:
        raise InputError(
            f"{path} line {error.lineno}: not JSON: {error.msg} (column {error.colno})"
        ) from None
    except (ValueError, RecursionError) as error:  # too many digits, too many brackets
        raise InputError(f"{path}: not JSON that can be read: {error}") from None
    if not isinstance(fields, dict):
        raise InputError(
            f"{path}: found a JSON {type(fields).__name__}, expected an object with the fields "
            f"{', '.join(_REQUIRED)}"
        )

    known = (*_REQUIRED, *_OPTIONAL, *_NAMES)
    written: dict[str, str] = {}
    for field in fields:
        name = _SPELLINGS.get(field, field)
        # Unknown fields go first: a mistyped field would otherwise be called missing.
        if name not in known:
            hint = perhaps(field, known) or f"; expected {', '.join(known)}"
            raise InputError(f"{where(field)}: found the unknown field {field!r}{hint}")
        if name in written:
            raise InputError(
                f"{path}: found {written[name]!r} and {field!r}, which say the same; expected one "
                "of them"
            )
        written[name] = field
    missing = [field for field in _REQUIRED if field not in written]
    if missing:
        raise InputError(f"{path}: the field {missing[0]!r} is missing, expected an integer")
    found: dict[str, Any] = {name: fields[field] for name, field in written.items()}
    for name, value in found.items():
        place = f"{where(written[name])}: {name}"
        if name in _NAMES:
            if not isinstance(value, str) or not value.strip():
                raise InputError(f"{place}: found {value!r}, expected a name in quotes")
        elif type(value) is not int:  # bool is a subclass of int, but true is not a count
            raise InputError(f"{place}: found {value!r}, expected an integer")
        elif value < 0:
            raise InputError(f"{place}: found {value}, expected 0 or more")
    counts = {name: found.get(name, 0) for name in (*_REQUIRED, *_OPTIONAL)}
    return CountsFile(counts, found.get("name_a"), found.get("name_b"))


def read(request: Request, metrics: Sequence[str]) -> Data:
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
