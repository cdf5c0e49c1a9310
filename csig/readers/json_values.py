"""The JSON values of a file, whatever its line breaks."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from csig.errors import InputError
from csig.readers.limits import DEPTH, members_once, too_deep
from csig.readers.lines import StrPath, read_bytes, text_of

__all__ = ["json_values"]

_SPACE = re.compile(r"[ \t\n\r]*")


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
    text = text_of(path, read_bytes(path))
    scan = json.JSONDecoder(object_pairs_hook=members_once).scan_once  # type: ignore[attr-defined]
    space = _SPACE.match
    values, starts = [], []
    at = space(text).end()  # type: ignore[union-attr]
    try:
        while at < len(text):
            starts.append(at)
            value, at = scan(text, at)
            if too_deep(text[starts[-1] : at]):
                raise RecursionError
            values.append(value)
            at = space(text, at).end()  # type: ignore[union-attr]
    except (ValueError, RecursionError, StopIteration) as error:
        raise _refused(path, text, starts[-1], error) from None
    if len(values) == 1 and isinstance(values[0], list):
        return values[0], lambda i: f"record {i + 1}"
    return values, lambda i: f"line {text.count(chr(10), 0, starts[i]) + 1}"


def _refused(path: StrPath, text: str, start: int, error: Exception) -> InputError:
    """What is wrong with the value that begins here."""
    line = text.count("\n", 0, start) + 1
    reason = str(error)
    if isinstance(error, StopIteration):
        reason = "expected a value"
    if isinstance(error, RecursionError):
        reason = f"brackets nested more than {DEPTH} deep"
    if isinstance(error, json.JSONDecodeError):
        reason = error.msg + (f" on line {error.lineno}" if error.lineno > line else "")
    return InputError(f"{path} line {line}: not JSON ({reason})")
