"""The JSON values of a file, whatever its line breaks."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from csig.errors import InputError
from csig.readers.limits import DEPTH, too_deep
from csig.readers.lines import StrPath, read_text

__all__ = ["json_values"]

_VALUE = re.compile(r"[^ \t\n\r]")


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """The members of an object; json keeps the last of two with one name and is silent."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a field twice")
    return found


def json_values(path: StrPath) -> tuple[list[Any], Callable[[int], str]]:
    r"""All values of a file, and the place of each, for messages.

    They are the items of one array, one value per line, or values over several lines each, one
    after the other. A bare NaN is one. Refused are objects with two fields of one name, and
    brackets that are nested deeply.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "values.json")
    ...     _ = file.write_text('{"a": 1}\n{\n  "a": 2\n}\n')
    ...     values, place = json_values(file)
    >>> values, place(1)
    ([{'a': 1}, {'a': 2}], 'line 2')
    """
    text = read_text(path)
    decode = json.JSONDecoder(object_pairs_hook=_once).raw_decode
    values: list[Any] = []
    starts: list[int] = []
    end = 0

    def line(i: int) -> int:
        return text.count("\n", 0, starts[i]) + 1

    try:
        while found := _VALUE.search(text, end):
            starts.append(found.start())
            value, end = decode(text, found.start())
            if too_deep(text[found.start() : end]):
                raise RecursionError
            values.append(value)
    except (ValueError, RecursionError) as error:
        reason = str(error)
        if isinstance(error, RecursionError):
            reason = f"brackets nested more than {DEPTH} deep"
        if isinstance(error, json.JSONDecodeError):
            reason = error.msg + (f" on line {error.lineno}" if error.lineno > line(-1) else "")
        raise InputError(f"{path} line {line(-1)}: not JSON ({reason})") from None
    if len(values) == 1 and isinstance(values[0], list):
        return values[0], lambda i: f"record {i + 1}"
    return values, lambda i: f"line {line(i)}"
