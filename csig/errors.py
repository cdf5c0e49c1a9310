"""The one error of csig's input checks, and what the checks share."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import SupportsIndex

__all__ = ["InputError", "as_integer", "first_few"]


class InputError(ValueError):
    """An input that csig cannot use.

    The message is one line: the file and line, or the argument and index, what was
    found there and what was expected. The command line prints it and exits with
    status 2.
    """


def first_few(items: Iterable[object], limit: int = 5) -> str:
    """Name the first items of a list for an error message.

    >>> first_few(["a", "b", "c"], limit=2)
    "'a', 'b' and 1 more"
    """
    names = [repr(item) for item in items]
    if len(names) <= limit:
        return ", ".join(names)
    return ", ".join(names[:limit]) + f" and {len(names) - limit} more"


def as_integer(value: object) -> int | None:
    """The value of anything that is an integer, numpy's included; None for the rest.

    >>> as_integer(3), as_integer(3.0), as_integer(True)
    (3, None, None)
    """
    if type(value) is int:  # at once: a look at a protocol takes ten times as long
        return value
    if isinstance(value, bool) or not isinstance(value, SupportsIndex):
        return None
    try:
        return operator.index(value)
    except TypeError:  # an array of several numbers has __index__, but no value
        return None
