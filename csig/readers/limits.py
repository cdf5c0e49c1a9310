"""How much is read: what keeps a file from costing more time and memory than it should.

A few kilobytes can be made to unpack to gigabytes. Every limit here is far above what real data
need, and is checked before the work; ``docs/formats.md`` lists them. The size of a file is the
only one that real data reach, so it alone can be set.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from fractions import Fraction
from functools import partial

from csig.base.errors import InputError, argument
from csig.base.validation import as_integer

#: Bytes of a file, unpacked, unless another limit is set.
MAX_SIZE = 2**30

#: Up to here a packed file may hold as many times its size as it likes.
FREE = 2**24

#: Beyond that. Tables pack to a third or a thirtieth, the same row over and over to a thousandth.
MOST_TIMES = 200

#: Each system is a comparison with the first.
MOST_SYSTEMS = 1000

#: Each column is looked at by itself. A table of more is on its side, most likely.
MOST_COLUMNS = 10_000

#: Brackets within brackets of JSON. Python's own reader ends at some 1,000, and what writes or
#: compares its values a little earlier.
DEPTH = 200

#: Brackets within brackets of TOML, and names of a key with dots between: Python's reader keeps all
#: beginnings of a key, so that one of 40 KB took 1.6 GB.
TOML_DEPTH = 8

#: Bytes of a file of counts or claims.
MOST_TEXT = 2**18

_max_size: ContextVar[int] = ContextVar("csig_max_size", default=MAX_SIZE)


@contextmanager
def max_size(size: int) -> Iterator[None]:
    r"""Read files of other sizes than 1 GiB at most, within a ``with`` block.

    Parameters
    ----------
    size : int
        Bytes of a file, unpacked where it is packed; in this thread.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from csig.readers import max_size, read_table
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "scores.csv")
    ...     _ = file.write_text("id,base,new\nq1,0.5,0.75\nq2,1,0.5\n")
    ...     with max_size(2**33):  # 8 GiB
    ...         read_table(file).ids
    ['q1', 'q2']
    """
    number = as_integer(size)
    if number is None or number < 1:
        raise InputError(f"max_size must be a positive integer, found {size!r}")
    token = _max_size.set(number)
    try:
        yield
    finally:
        _max_size.reset(token)


def size_of(text: str) -> int | None:
    """The bytes that a size names; None where it names none."""
    pattern = r"\s*([0-9]{1,15}(\.[0-9]{1,9})?)\s*(([KMGT])(I?B)?)?\s*"
    found = re.fullmatch(pattern, text, re.IGNORECASE)
    if found is None or (found[2] and not found[3]):
        return None
    base = 1000 if (found[5] or "").upper() == "B" else 1024
    return int(Fraction(found[1]) * base ** " KMGT".index((found[4] or " ").upper()))


def size_text(size: int) -> str:
    """A size for people."""
    for unit, name in ((2**30, "GiB"), (2**20, "MiB"), (2**10, "KiB")):
        if size >= unit and size % unit == 0:
            return f"{size // unit:,} {name}"
    return f"{size:,} bytes"


_WAY_OUT = "--max-size (in Python csig.readers.max_size) sets another limit"


def largest() -> int:
    """Bytes of a file that are read."""
    return _max_size.get()


def check_size(path: object, size: int) -> None:
    if size > largest():
        most = size_text(largest()).removesuffix(" bytes")
        raise InputError(f"{path}: holds {size:,} bytes, expected at most {most}; {_WAY_OUT}")


def refuse_longer(path: object) -> InputError:
    """What to say where a file or standard input goes on for longer."""
    return InputError(f"{path}: holds more than {size_text(largest())}; {_WAY_OUT}")


def largest_unpacked(packed: int) -> int:
    """Bytes to which this many packed ones may unpack."""
    return min(largest(), max(FREE, MOST_TIMES * packed))


def refuse_unpacked(path: object, packed: int) -> InputError:
    """What to say where a file unpacks to more."""
    if largest_unpacked(packed) == largest():
        return InputError(f"{path}: unpacks to more than {size_text(largest())}; {_WAY_OUT}")
    return InputError(
        f"{path}: unpacks to more than {size_text(FREE)} and {MOST_TIMES} times its {packed:,} "
        "bytes, which no real data do; if the file is right, give it unpacked"
    )


_TOO_MANY = {
    "systems": (
        ": each would be compared with the first, and Holm's correction multiplies the smallest "
        "p-value by their number; choose some with {system}, or check that each row is a unit, not "
        "a system"
    ),
    "metrics": "; choose some with {metric}",
    "columns": "; check that each row is a unit and each column a system",
}


def _check(what: str, most: int, where: object, count: int) -> None:
    if count > most:
        found = f"{where}: found {count:,} {what}, expected at most {most:,}"
        names = {name: argument(name) for name in ("system", "metric")}
        raise InputError(found + _TOO_MANY[what].format(**names))


check_systems = partial(_check, "systems", MOST_SYSTEMS)
check_metrics = partial(_check, "metrics", MOST_SYSTEMS)
check_columns = partial(_check, "columns", MOST_COLUMNS)


# A text that is left open ends with the file: nothing is looked at twice.
_JSON_TEXT = re.compile(r'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)
_BRACKETS = re.compile(r"[\[\]{}]")

# The texts and comments of TOML, and what its depth is counted by.
_TOML = re.compile(
    r'''
    """ (?: [^"\\]++ | \\. | "{1,2}+ (?!") )*+ "{0,5}
    | \'{3} (?: [^']++ | '{1,2}+ (?!') )*+ '{0,5}
    | " (?: [^"\\n]++ | \\. )*+ "?
    | ' [^'\n]*+ '?
    | \# [^\n]*+
    | [][{}.=,\n]
    ''',
    re.DOTALL | re.VERBOSE,
)


def too_deep(text: str) -> bool:
    """Whether brackets of JSON are nested too deeply."""
    depth = 0
    if text.count("[") + text.count("{") > DEPTH:
        for found in _BRACKETS.finditer(_JSON_TEXT.sub("", text)):
            depth += 1 if found[0] in "[{" else -1
            if depth > DEPTH:
                return True
    return False


def too_deep_in_toml(text: str) -> int | None:
    r"""The line of a key with too many dots, or of brackets nested too deeply, if any."""
    depth = dots = 0
    for found in _TOML.finditer(text):
        mark = found[0]
        if mark == ".":
            dots += 1
        elif mark in "[]{}=,\n":
            dots = 0
            depth += (mark in "[{") - (mark in "]}")
        if max(depth, dots) > TOML_DEPTH:
            return text.count("\n", 0, found.start()) + 1
    return None
