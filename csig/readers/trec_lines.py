"""Lines of TREC's files: fields with white space between them, as columns."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from csig.base.errors import InputError
from csig.base.wording import counted
from csig.data.strings import Texts
from csig.readers.lines import Bytes, StrPath, read_bytes, text_bytes, utf8_bytes
from csig.readers.trec_measures import Ints

#: The largest numbers: grades of relevance, and scores.
_MOST: dict[type, float] = {int: 2**20, float: sys.float_info.max}

#: Which bytes are no white space, as ``bytes.split`` has it.
_FILLED = np.array([not bytes([i]).isspace() for i in range(256)])


def line_of(path: StrPath, row: int) -> str:
    """Where a row is, for messages."""
    lines = enumerate(utf8_bytes(path).split(b"\n"), start=1)
    places = (i for i, line in lines if line.lstrip()[:1] not in (b"", b"#"))
    return f"{path} line {next(islice(places, row, None))}"


def _edges(data: Bytes) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Where fields begin and end."""
    filled = np.zeros(len(data) + 2, dtype=np.bool_)
    np.take(_FILLED, data, out=filled[1:-1])
    edges = np.flatnonzero(filled[1:] != filled[:-1])
    return edges[::2], edges[1::2]


def columns_of(path: StrPath, what: str, most: int | None = None) -> list[Texts]:
    """The columns of a file with these fields a line, and what else stands there up to `most`."""
    data, size = text_bytes(path, read_bytes(path)), len(what.split())
    starts, ends = _edges(data)
    breaks = np.flatnonzero(data == ord("\n"))
    n = len(starts) // size
    regular = len(starts) == n * size > 0 and len(breaks) in (n - 1, n)
    if (
        not regular
        or (ends[size - 1 :: size][: len(breaks)] > breaks).any()
        or (starts[size::size] < breaks[: n - 1]).any()
        or (data[starts[::size]] == ord("#")).any()
    ):
        rows = list[bytes]()
        for row in _rows(path):
            if not size <= len(row) <= (most or len(row)):
                where, fields = line_of(path, len(rows)), counted(len(row), "field")
                raise InputError(f"{where}: found {fields}, expected {size}: {what}")
            rows.append(b" ".join(row[:size]))
        if not rows:
            raise InputError(f"{path}: found no lines, expected {what}")
        data = np.frombuffer(b"\n".join(rows), dtype=np.uint8)
        starts, ends = _edges(data)
    return [Texts(data, starts[i::size], ends[i::size]) for i in range(size)]


def _rows(path: StrPath) -> Iterator[list[bytes]]:
    """The fields of lines that are neither blank nor comments."""
    rows = (line.split() for line in utf8_bytes(path).split(b"\n"))
    return (row for row in rows if row and row[0][:1] != b"#")


def _decimals(cells: Texts) -> tuple[Ints, Ints] | None:
    """Digits and how many are decimals of plain numbers, such as -12.50; None if some are not."""
    size = int(cells.sizes.max(initial=0))
    if not 0 < size < 18:
        return None
    digits, decimals = np.zeros((2, len(cells)), dtype=np.int64)
    points = np.zeros(len(cells), dtype=np.int64)
    first = cells.byte(0)
    negative = first == ord("-")
    signed = negative | (first == ord("+"))
    for k in range(size):
        byte = cells.byte(k)
        digit = byte - np.uint8(ord("0"))
        is_digit, is_point = digit < 10, byte == ord(".")
        other = ~is_digit & ~is_point & (byte > 0)
        if k == 0:
            other &= ~signed
        if other.any():
            return None
        digits = np.where(is_digit, 10 * digits + digit, digits)
        points += is_point
        decimals += is_digit & (points > 0)
    if (points > 1).any() or (digits >= 2**53).any() or (cells.sizes == points + signed).any():
        return None
    return np.where(negative, -digits, digits), np.where(points > 0, decimals, -1)


def numbers_of(
    path: StrPath, texts: Texts, kind: type, rows: Sequence[int] | None = None
) -> NDArray[Any]:
    """The numbers in cells of some rows: finite, and not 1_000, which Python alone reads."""
    if (plain := _decimals(texts)) is not None:
        digits, decimals = plain
        if kind is float:  # two doubles without an error, and so their quotient is rounded once
            return np.where(digits == 0, 0.0, digits / 10.0 ** np.maximum(decimals, 0))
        if (decimals < 0).all() and (np.abs(digits) <= _MOST[int]).all():
            return digits
    cells = texts.raw()
    with suppress(ValueError, OverflowError):
        found: NDArray[Any] = np.array([*map(kind, cells)], dtype=kind)
        if b"_" not in b"".join(cells) and (np.abs(found) <= _MOST[kind]).all():
            return found
    for row, cell in zip(range(len(cells)) if rows is None else rows, cells, strict=True):
        with suppress(ValueError):
            if b"_" not in cell and abs(kind(cell)) <= _MOST[kind]:
                continue
        expected = "a whole number up to 1,048,576" if kind is int else "a number"
        raise InputError(f"{line_of(path, row)}: found {cell.decode()!r}, expected {expected}")
    raise AssertionError(path)
