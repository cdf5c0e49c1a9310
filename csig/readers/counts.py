"""A comparison given as counts, in a TOML or JSON file.

The fields are those of ``Comparison.from_counts``, of which ``gold``, ``only_a_correct`` and
``only_b_correct`` are required, and ``name_a`` and ``name_b``, the names to print. A, the first
system, may be called ``baseline`` and B ``system``, as in the JSON record of a comparison:
``only_baseline_correct``, ``only_system_correct``, ``baseline`` and ``system``.
"""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from csig.base.errors import InputError
from csig.base.wording import perhaps
from csig.data.comparison import Comparison
from csig.readers import limits
from csig.readers.data import CountsData, Data
from csig.readers.lines import StrPath, read_start, read_text
from csig.readers.request import Input, Request, names_of, shown

_REQUIRED = ("gold", "only_a_correct", "only_b_correct")
_OPTIONAL = ("both_correct", "both_spurious", "only_a_spurious", "only_b_spurious")
_NAMES = ("name_a", "name_b")

#: Other names, of the JSON record.
_SYSTEMS = {"baseline": "name_a", "system": "name_b"}


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


def read_counts(path: StrPath) -> tuple[dict[str, int], tuple[str | None, str | None]]:
    """All seven counts of a file, and the names of the systems as far as it gives them."""
    # With another extension the file is JSON if its first character is "{", else TOML.
    text = read_small(path)

    def where(field: str) -> str:
        """The last line on which a field seems to be set, if there is one."""
        setting = re.compile(rf"""(?<!\w){re.escape(field)}["']?[ \t]*[]:=.]""")
        lines = [i for i, line in enumerate(text.split("\n"), 1) if setting.search(line)]
        return f"{path} line {lines[-1]}" if lines else f"{path}"

    def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        for field, times in Counter(name for name, _ in pairs).items():
            if times > 1:
                raise InputError(
                    f"{where(field)}: found {field!r} a second time, expected every field once"
                )
        return dict(pairs)

    extension = os.path.splitext(os.fspath(path))[1].lower()
    if extension == ".json" or (extension != ".toml" and text.lstrip().startswith("{")):
        try:
            if limits.too_deep(text):
                raise ValueError(f"brackets nested more than {limits.DEPTH} deep")
            fields = json.loads(text, object_pairs_hook=members)
        except InputError:
            raise
        except ValueError as error:  # too many digits
            at = f" line {error.lineno}" if isinstance(error, json.JSONDecodeError) else ""
            raise InputError(f"{path}{at}: not JSON: {error}") from None
        if not isinstance(fields, dict):
            raise InputError(
                f"{path}: found JSON, expected one object with the fields {', '.join(_REQUIRED)}"
            )
    else:
        fields = parse_toml(path, text)
    known = (*_REQUIRED, *_OPTIONAL, *_NAMES)
    found: dict[str, Any] = {}
    for field, value in fields.items():
        name = field.replace("_baseline_", "_a_").replace("_system_", "_b_")
        name = _SYSTEMS.get(name, name)
        # Unknown fields go first: a mistyped field would otherwise be called missing.
        if name not in known:
            hint = perhaps(field, known) or f"; expected {', '.join(known)}"
            raise InputError(f"{where(field)}: found the unknown field {field!r}{hint}")
        if name in found:
            raise InputError(f"{where(field)}: found {name!r} by two names, expected one of them")
        place, found[name] = f"{where(field)}: {name}", value
        if name in _NAMES:
            if not isinstance(value, str) or not value.strip():
                raise InputError(f"{place}: found {value!r}, expected a name in quotes")
        elif type(value) is not int:  # bool is a subclass of int, but true is not a count
            raise InputError(f"{place}: found {value!r}, expected an integer")
        elif value < 0:
            raise InputError(f"{place}: found {value}, expected 0 or more")
    if missing := [field for field in _REQUIRED if field not in found]:
        raise InputError(f"{path}: the field {missing[0]!r} is missing, expected an integer")
    counts = {name: found.get(name, 0) for name in (*_REQUIRED, *_OPTIONAL)}
    return counts, (found.get("name_a"), found.get("name_b"))


def read(request: Request, metrics: Sequence[str]) -> Data:
    """The counts, which are those of two systems."""
    path = str(request.counts)
    found, (a, b) = read_counts(path)
    counts: dict[str, Any] = {**found}
    names = names_of(request, (a or "A", b or "B"))
    try:
        comparison = Comparison.from_counts(**counts, names=(names[0], names[1]))
    except InputError as error:  # the file is only known here
        raise InputError(f"{path}: {error}") from None
    return CountsData(Input("counts", {"counts": shown(path)}), names, comparison)
