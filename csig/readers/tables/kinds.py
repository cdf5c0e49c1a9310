"""What the numbers of columns are: of which kind, whether scores, and what they stand for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from csig.errors import InputError, Refusal, Remedy
from csig.readers.lines import StrPath
from csig.readers.request import option
from csig.readers.tables.names import is_count, is_property, is_statistic
from csig.readers.tables.sheets import Sheet
from csig.wording import counted, first_few, listed

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "LEAVE_OUT", "SAMPLE", "check_edges", "check_kinds", "check_percent", "check_thousands",
    "kind_of", "refuse_formatted", "refuse_second_header", "why_no_scores",
]  # fmt: skip

LEAVE_OUT = Remedy(("--allow-missing", "intersection"), "leaves them out")

#: Rows that are looked at to see whether a column has so few values.
SAMPLE = 2**13

#: How cells are written that are numbers to a person only.
FORMATTED = (
    (r"[-+]?(\d+([.,]\d*)?|[.,]\d+)\s*%", "percentages"),
    (r"[-+]?(\d*[.,])?\d+\s*(±|\+/?-|\\pm)\s*(\d*[.,])?\d+", "a score with its error"),
    (r"[-+]?(\d*[.,])?\d+\s*[(\[].*[)\]]", "a score with something in brackets"),
    (r"[-+]?(\d*[.,])?\d+\s*\*+", "a score with stars"),
    (r"[-+]?\d{1,3}(,\d{3})+(\.\d+)?", "a comma before exactly three digits"),
    (r"[-+]?\d*,\d+([eE][-+]?\d+)?", "a decimal comma"),
)

#: A number whose comma may separate thousands.
_THOUSANDS = re.compile(r"[-+]?[1-9]\d{0,2},\d{3}")

_KINDS = {"share": "within 0 and 1", "whole": "whole numbers", "real": "other numbers"}


def kind_of(sheet: Sheet, name: str) -> str:
    """Of "empty", "text", "odd" (numbers and other cells), "0/1", "share", "whole", "real"."""
    column = sheet.numbers(name)
    values = column.values if column.missing is None else column.values[~column.missing]
    if not len(values):
        return "empty"
    if column.odd is not None:
        return "text" if 2 * int(column.odd.sum()) > len(values) else "odd"
    within, whole = values.min() >= 0 and values.max() <= 1, values.dtype.kind in "iu"
    if within:
        return "0/1" if whole else "share"
    return "whole" if whole else "real"


# ---- cells ---------------------------------------------------------------------------------------


def _formatted(sheet: Sheet, name: str) -> tuple[str, str] | None:
    """What most cells of a column are that is a number to a person only, and the first of them."""
    odd = sheet.numbers(name).odd
    cells = [] if odd is None else sheet.texts(name).take(np.flatnonzero(odd)[:1000]).tolist()
    for pattern, what in FORMATTED:
        fits = [cell for cell in cells if re.fullmatch(pattern, cell)]
        if 2 * len(fits) > len(cells):
            return what, fits[0]
    return None


def refuse_formatted(sheet: Sheet, names: Sequence[str]) -> None:
    """Refuse cells that a person reads as numbers, with the way out where there is one."""
    every = {name: found for name in names if (found := _formatted(sheet, name))}
    for name, (what, cell) in every.items():
        said = f"{sheet.path}: column {name!r} holds {what}, such as {cell!r}"
        if what == "percentages":
            alike = [own for own, (kind, _) in every.items() if kind == what]
            raise Refusal(said, Remedy(option("percent", *alike), "reads 62.5% as 0.625"))
        if what == "a decimal comma":
            raise Refusal(said, Remedy(("--decimal", ","), "reads decimal commas"))
        if what.startswith("a comma"):
            said += ", which may be a decimal comma or separate thousands"
            raise InputError(f"{said}: write the numbers without commas")
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


def check_thousands(path: StrPath, cells: Iterable[str]) -> None:
    """Refuse numbers with commas that may be decimal or not: each stands before three digits."""
    with_comma = [cell for cell in cells if "," in cell]
    if with_comma and all(map(_THOUSANDS.fullmatch, with_comma)):
        raise InputError(
            f"{path}: every comma stands before exactly three digits, as in {with_comma[0]!r}, and "
            "may separate thousands rather than decimals: write the numbers without commas"
        )


# ---- columns -------------------------------------------------------------------------------------


def _in_order(values: NDArray[Any]) -> bool:
    """Whether numbers rise throughout, or fall; a look at the first ends most searches."""
    steps = np.diff(values[:SAMPLE])
    return len(values) > 2 and any(
        (sign * steps > 0).all() and (sign * np.diff(values) > 0).all() for sign in (1, -1)
    )


def why_no_scores(sheet: Sheet, names: Iterable[str], first: str | None = None) -> dict[str, str]:
    """Which columns of numbers may be no scores of a system, and why; the first may be ids."""
    reasons = {}
    for name in names:
        values = sheet.numbers(name).values
        if is_property(name):
            reasons[name] = "is called like a property of units"
        elif is_statistic(name):
            reasons[name] = "is called like a statistic of other columns"
        elif is_count(name):
            reasons[name] = "is called like a count, but no system has all that a metric needs"
        elif kind_of(sheet, name) != "whole":
            continue
        elif values.min() == values.max():
            reasons[name] = f"is {values[0]} in every row"
        elif _in_order(values):
            reasons[name] = "holds whole numbers in order"
        elif name == first and sheet.texts(name).distinct():
            reasons[name] = "comes first and holds another whole number in every row, as ids do"
    return reasons


def check_kinds(sheet: Sheet, percent: Sequence[str], kinds: Mapping[str, str]) -> None:
    """Refuse systems with numbers of different kinds.

    Those of a system that is worse than nothing may go down to -1, as correlations do.
    """
    groups: dict[str, list[str]] = {}
    for name, kind in kinds.items():
        if kind != "odd":  # whose cells are refused when they are read
            groups.setdefault("share" if kind == "0/1" else kind, []).append(name)
    shares, real = groups.get("share", []), groups.get("real", [])
    if shares and all(np.abs(sheet.numbers(name).values).max() <= 1 for name in real):
        shares += groups.pop("real", [])
    if len(groups) < 2:
        return
    ways = [
        Remedy(option("system", *names), f"those that are {_KINDS[kind]}")
        for kind, names in groups.items()
        if len(names) > 1
    ]
    ways.append(Remedy(option("system", *kinds), "if all are scores of systems"))
    binary = [name for name, kind in kinds.items() if kind == "0/1"]
    scores = [name for name in kinds if name not in binary]
    large = []
    for name in (*groups.get("real", []), *groups.get("whole", [])) if shares else ():
        values = sheet.numbers(name).values
        if {*shares} <= {*binary}:  # which says little: percent only if they are 0 and 100
            fits = ((values == 0) | (values == 100)).all()
        else:
            least = 1.5 if kinds[name] == "real" else 9
            fits = values.min() >= 0 and least < values.max() <= 100
        if fits and name not in percent:
            large.append(name)
    if large:
        highest = sheet.numbers(large[0]).values.max()
        raise Refusal(
            f"{sheet.header}: column {large[0]!r} goes up to {highest:g}, {first_few(shares, 3)} "
            f"{'stays' if len(shares) == 1 else 'stay'} within 0 and 1: percent beside shares?",
            Remedy(option("percent", *large), "divides by 100"),
            *ways,
        )
    if 0 < len(binary) < 4 and scores:
        ranked = ("--true", binary[0], "--methods", ",".join(scores))
        ways.append(Remedy(ranked, f"if {binary[0]} says which candidates are true", verb="rank"))
    said = " and ".join(f"{first_few(names, 4)} ({_KINDS[kind]})" for kind, names in groups.items())
    raise Refusal(f"{sheet.header}: the columns hold numbers of different kinds: {said}", *ways)


def check_edges(what: str, values: NDArray[Any], declared: Remedy) -> None:
    """Refuse -1 or nines that stand for something else: all other values lie within 0 and 1."""
    beyond = values[(values < 0) | (values > 1)]
    if not max(1, 0.01 * len(values)) < len(beyond) < 0.5 * len(values):
        return
    odd = np.unique(beyond)
    texts = [f"{value:g}" for value in odd[:3]]
    if len(odd) > 2 or not all(re.fullmatch("-1|-?9{2,}", text) for text in texts):
        return
    raise Refusal(
        f"{what} holds {listed(texts)} in {counted(len(beyond), 'cell')}, all others lie within "
        f"0 and 1: {'does it' if len(odd) == 1 else 'do they'} stand for a missing number?",
        Remedy((*option("missing", *texts), *LEAVE_OUT.options), "if so"),
        replace(declared, why="if it is a score" if len(odd) == 1 else "if they are scores"),
    )


def check_percent(
    ranges: Mapping[str, tuple[float, float]],
    what: str,
    declared: Sequence[str],
    systems: Sequence[str] = (),
) -> None:
    """Refuse percent beside shares."""
    shares = [name for name, (low, high) in ranges.items() if low >= 0 and high <= 1]
    large = [name for name, (low, high) in ranges.items() if low >= 0 and 1.5 < high <= 100]
    large = [name for name in large if name not in declared]
    if large and any(ranges[name][1] > 0 for name in shares):
        ways = [Remedy(option("percent", *large), "divides by 100")]
        if systems:
            ways.append(Remedy(option("system", *systems), "if none is in percent"))
        raise Refusal(
            f"{what}: {first_few(large, 3)} goes up to {ranges[large[0]][1]:g}, "
            f"{first_few(shares, 3)} stays within 0 and 1: percent beside shares?",
            *ways,
        )
