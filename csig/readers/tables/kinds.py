"""What the numbers of columns are: of which kind, whether scores, and what they stand for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from csig.errors import InputError, Refusal, Remedy
from csig.readers.lines import StrPath
from csig.readers.request import Request, option
from csig.readers.tables.names import is_count, is_property, is_statistic
from csig.readers.tables.sheets import Sheet
from csig.wording import counted, first_few, listed

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "LEAVE_OUT",
    "SAMPLE",
    "check_edges",
    "check_kinds",
    "check_percent",
    "check_thousands",
    "kind_of",
    "refuse_formatted",
    "refuse_second_header",
    "why_no_score",
]

LEAVE_OUT = Remedy(("--allow-missing", "intersection"), "leaves them out")

#: Rows that are looked at to see whether a column has so few values.
SAMPLE = 2**13

#: How cells are written that are numbers to a person only, and what can be done.
FORMATTED = (
    (re.compile(r"[-+]?(\d+([.,]\d*)?|[.,]\d+)\s*%"), "percentages"),
    (re.compile(r"[-+]?(\d*[.,])?\d+\s*(±|\+/?-|\\pm)\s*(\d*[.,])?\d+"), "a score with its error"),
    (re.compile(r"[-+]?(\d*[.,])?\d+\s*[(\[].*[)\]]"), "a score with something in brackets"),
    (re.compile(r"[-+]?(\d*[.,])?\d+\s*\*+"), "a score with stars"),
    (re.compile(r"[-+]?\d{1,3}(,\d{3})+(\.\d+)?"), "a comma before exactly three digits"),
    (re.compile(r"[-+]?\d*,\d+([eE][-+]?\d+)?"), "a decimal comma"),
)

#: A number whose comma may separate thousands.
_THOUSANDS = re.compile(r"[-+]?[1-9]\d{0,2},\d{3}")


def kind_of(sheet: Sheet, name: str) -> str:
    """Of "empty", "text", "odd" (numbers and other cells), "0/1", "share", "whole", "real"."""
    column = sheet.numbers(name)
    values = column.values if column.missing is None else column.values[~column.missing]
    if not len(values):
        return "empty"
    if column.odd is not None and column.odd.any():
        return "text" if 2 * int(column.odd.sum()) > len(values) else "odd"
    low, high = values.min(), values.max()
    if values.dtype.kind in "iu":
        return "0/1" if low >= 0 and high <= 1 else "whole"
    return "share" if low >= 0 and high <= 1 else "real"


def _formatted(sheet: Sheet, name: str) -> tuple[str, str] | None:
    """What most cells of a column are that is a number to a person only, and the first of them."""
    column = sheet.numbers(name)
    if column.odd is None:
        return None
    rows = np.flatnonzero(column.odd)[:1000]
    cells = sheet.texts(name).take(rows).tolist()
    for pattern, what in FORMATTED:
        fits = [cell for cell in cells if pattern.fullmatch(cell)]
        if 2 * len(fits) > len(cells):
            return what, fits[0]
    return None


def refuse_formatted(sheet: Sheet, names: Sequence[str]) -> None:
    """Refuse cells that a person reads as numbers, with the way out where there is one."""
    every = {name: found for name in names if (found := _formatted(sheet, name))}
    if not every:
        return
    name, (what, cell) = next(iter(every.items()))
    said = f"{sheet.path}: column {name!r} holds {what}, such as {cell!r}"
    if what == "percentages":
        alike = [own for own, (kind, _) in every.items() if kind == what]
        raise Refusal(said, Remedy(option("percent", *alike), "reads 62.5% as 0.625"))
    if what == "a decimal comma":
        raise Refusal(said, Remedy(("--decimal", ","), "reads decimal commas"))
    if what.startswith("a comma"):
        raise InputError(
            f"{said}, which may be a decimal comma or separate thousands: write the numbers "
            "without commas"
        )
    raise InputError(f"{said}: write the score alone")


def refuse_second_header(sheet: Sheet, names: Sequence[str]) -> None:
    """Refuse a first row that has names in all columns of numbers."""
    odd = [sheet.numbers(name).odd for name in names]
    if len(odd) > 1 and all(own is not None and own[0] and own.sum() == 1 for own in odd):
        raise InputError(
            f"{sheet.at(0)}: found {sheet.texts(names[0])[0]!r} and other names in all columns of "
            "numbers, as pandas writes columns with several levels: before it writes them, join "
            "them by frame.columns = map('_'.join, frame.columns)"
        )


def _in_order(values: NDArray[np.float64]) -> bool:
    """Whether numbers rise throughout, or fall; a look at the first ends most searches."""
    if len(values) < 3:
        return False
    for some in (values[:SAMPLE], values):
        if not ((some[1:] > some[:-1]).all() or (some[1:] < some[:-1]).all()):
            return False
    return True


def why_no_score(sheet: Sheet, name: str, kind: str, first: str | None = None) -> str | None:
    """Why a column of numbers may be no scores of a system; the first column may be ids."""
    if is_property(name):
        return "is called like a property of units"
    if is_statistic(name):
        return "is called like a statistic of other columns"
    if is_count(name):
        return "is called like a count, but no system has all that a metric needs"
    values = sheet.numbers(name).values
    if kind == "whole":
        if values.min() == values.max():
            return f"is {values[0]} in every row"
        if _in_order(values):
            return "holds whole numbers in order"
        if name == first and sheet.texts(name).distinct():
            return "comes first and holds another whole number in every row, as ids do"
    return None


def check_kinds(
    sheet: Sheet, request: Request, systems: Sequence[str], kinds: Mapping[str, str]
) -> None:
    """Refuse numbers of different kinds: not all can be scores of systems.

    Those of a system that is worse than nothing may go down to -1, as correlations do.
    """
    groups: dict[str, list[str]] = {}
    for name in systems:
        if kinds[name] != "odd":  # whose cells are refused when they are read
            groups.setdefault("share" if kinds[name] == "0/1" else kinds[name], []).append(name)
    shares = groups.get("share", [])
    if shares and all(
        np.abs(sheet.numbers(own).values).max() <= 1 for own in groups.get("real", ())
    ):
        shares += groups.pop("real", [])
    if len(groups) < 2:
        return
    others = [*groups.get("real", []), *groups.get("whole", [])] if shares else []
    large = [
        name
        for name in others
        if name not in request.percent and _may_be_percent(sheet, name, kinds, shares)
    ]
    if large:
        raise Refusal(
            f"{sheet.header}: column {large[0]!r} goes up to "
            f"{sheet.numbers(large[0]).values.max():g}, {first_few(shares, 3)} "
            f"{'stays' if len(shares) == 1 else 'stay'} within 0 and 1: percent beside shares?",
            Remedy(option("percent", *large), "divides by 100"),
            *_each(groups, systems),
        )
    binary = [name for name in systems if kinds[name] == "0/1"]
    said = " and ".join(f"{first_few(names, 4)} ({_KINDS[kind]})" for kind, names in groups.items())
    remedies = _each(groups, systems)
    scores = [name for name in systems if name not in binary]
    if 0 < len(binary) < 4 and scores:
        ranked = ("--true", binary[0], "--methods", ",".join(scores))
        why = f"if {binary[0]} says which candidates are true"
        remedies.append(Remedy(ranked, why, verb="rank"))
    raise Refusal(f"{sheet.header}: the columns hold numbers of different kinds: {said}", *remedies)


def _may_be_percent(
    sheet: Sheet, name: str, kinds: Mapping[str, str], shares: Sequence[str]
) -> bool:
    """Whether a column may hold percent; beside nothing but 0 and 1 only if it has 0 and 100."""
    values = sheet.numbers(name).values
    if all(kinds[own] == "0/1" for own in shares):
        return bool(((values == 0) | (values == 100)).all())
    least = 1.5 if kinds[name] == "real" else 9
    return bool(values.min() >= 0 and least < values.max() <= 100)


_KINDS = {"share": "within 0 and 1", "whole": "whole numbers", "real": "other numbers"}


def _each(groups: Mapping[str, Sequence[str]], systems: Sequence[str]) -> list[Remedy]:
    """Every kind of numbers as the systems; or all of them."""
    found = [
        Remedy(option("system", *names), f"those that are {_KINDS[kind]}")
        for kind, names in groups.items()
        if len(names) > 1
    ]
    return [*found, Remedy(option("system", *systems), "if all are scores of systems")]


def check_edges(what: str, values: NDArray[Any], declared: Remedy) -> None:
    """Refuse a value that stands for something else: all others lie within 0 and 1."""
    beyond = values[(values < 0) | (values > 1)]
    if not 0.01 * len(values) < len(beyond) < 0.5 * len(values) or len(beyond) < 2:
        return
    odd = np.unique(beyond)
    if len(odd) > 2 or not all(value == -1 or _in_nines(value) for value in odd.tolist()):
        return
    texts = [f"{value:g}" for value in odd]
    raise Refusal(
        f"{what} holds {listed(texts)} in {counted(len(beyond), 'cell')}, all others lie within "
        f"0 and 1: {'does it' if len(odd) == 1 else 'do they'} stand for a missing number?",
        Remedy((*option("missing", *texts), *LEAVE_OUT.options), "if so"),
        replace(declared, why="if it is a score" if len(odd) == 1 else "if they are scores"),
    )


def _in_nines(value: float) -> bool:
    """Whether a number is 99, -999 or the like."""
    return abs(value) > 9 and set(f"{abs(value):g}") == {"9"}


def check_thousands(path: StrPath, cells: Iterable[str]) -> None:
    """Refuse numbers with commas that may be decimal or not: each stands before three digits."""
    with_comma = [cell for cell in cells if "," in cell]
    if with_comma and all(map(_THOUSANDS.fullmatch, with_comma)):
        raise InputError(
            f"{path}: every comma stands before exactly three digits, as in {with_comma[0]!r}, and "
            "may separate thousands rather than decimals: write the numbers without commas"
        )


def check_percent(
    ranges: Mapping[str, tuple[float, float]],
    what: str,
    declared: Sequence[str],
    systems: Sequence[str] = (),
) -> None:
    """Refuse percent beside shares."""
    shares = [name for name, (low, high) in ranges.items() if low >= 0 and high <= 1]
    large = [
        name
        for name, (low, high) in ranges.items()
        if low >= 0 and 1.5 < high <= 100 and name not in declared
    ]
    if shares and large and any(ranges[name][1] > 0 for name in shares):
        raise Refusal(
            f"{what}: {first_few(large, 3)} goes up to {ranges[large[0]][1]:g}, "
            f"{first_few(shares, 3)} stays within 0 and 1: percent beside shares?",
            Remedy(option("percent", *large), "divides by 100"),
            *([Remedy(option("system", *systems), "if none is in percent")] if systems else []),
        )
