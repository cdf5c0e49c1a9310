"""Columns and rows of a table: what is declared, what the cells are, and what stands for none."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from csig.base.errors import InputError, Refusal, Remedy, argument
from csig.base.wording import counted, first_few, listed
from csig.readers.lines import StrPath
from csig.readers.request import Request, option
from csig.readers.tables.matching import check_there
from csig.readers.tables.names import (
    SUMMARY_STARTS,
    is_count,
    is_loss,
    is_property,
    is_statistic,
    is_summary,
    shared_parts,
    system_column,
)
from csig.readers.tables.sheets import Sheet, is_number

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from csig.data.strings import Texts

LEAVE_OUT = Remedy(("--allow-missing", "intersection"), "leaves them out")

#: Rows that are looked at to see whether a column has so few values.
SAMPLE = 2**13

#: The longest name of a row that sums up others, in bytes.
LONGEST_SUMMARY = 30

#: How cells are written that are numbers to a person only.
FORMATTED = (
    (r"[-+]?(\d+([.,]\d*)?|[.,]\d+)\s*%", "percentages"),
    (r"[-+]?(\d*[.,])?\d+\s*(±|\+/?-|\\pm)\s*(\d*[.,])?\d+", "a score with its error"),
    (r"[-+]?(\d*[.,])?\d+\s*[(\[].*[)\]]", "a score with something in brackets"),
    (r"\**[-+]?(\d*[.,])?\d+\s*\*+", "a score with stars"),
    (r"\N{MINUS SIGN}[\d.,]+", "a dash for a minus sign"),
    (r"\$.+\$|\\\w+\{.+\}", "LaTeX"),
    (r"[-+]?\d{1,3}(,\d{3})+(\.\d+)?", "a comma before exactly three digits"),
    (r"[-+]?\d*,\d+([eE][-+]?\d+)?", "a decimal comma"),
)

#: What is written where there is no score: -1, and nines.
STAND_INS = (-1, -9, *(sign * (10**digits - 1) for digits in range(2, 7) for sign in (1, -1)))

#: Why a column of numbers may group the rows.
BLOCKS = "holds whole numbers that repeat in blocks"

#: A number whose comma may separate thousands.
_THOUSANDS = re.compile(r"[-+]?[1-9]\d{0,2},\d{3}")

_KINDS = {"share": "within 0 and 1", "whole": "whole numbers", "real": "other numbers"}


def way(why: str = "", /, **options: Iterable[str]) -> Remedy:
    """Options with their values, and what they do."""
    words = [option(name.replace("_", "-"), *values) for name, values in options.items()]
    return Remedy(sum(words, ()), why)


def refused(message: str, ways: Sequence[Remedy], without: str = "") -> InputError:
    """A refusal with the ways out; without any, an error that may say what is missing."""
    return Refusal(message, *ways) if ways else InputError(message + without)


# ---- what is declared ----------------------------------------------------------------------------


def by_name(sheet: Sheet, request: Request) -> Request:
    """The request with columns that were given by their number, from 1, by their name."""
    fields = ("id", "cluster", "gold_column", "run", "system_column", "score_column", "ignore",
              "system")  # fmt: skip
    roles: dict[str, str] = {}
    named: dict[str, Any] = {}
    for field in fields:
        given, role = getattr(request, field) or (), field
        names = []
        for name in (given,) if isinstance(given, str) else given:
            number = int(name) if name.isdecimal() and len(name) < 10 else 0
            if name not in sheet.names and 1 <= number <= len(sheet.names):
                name = sheet.names[number - 1]
            if role != "system":
                check_names(sheet, [name])
            before = roles.setdefault(name, role)
            # Ids and clusters may be one column, and an id of a unit is no run of it.
            if before != role and {before, role} != {"id", "cluster"}:
                both = f"{argument(before)} and {argument(role)}"
                raise InputError(f"{both} name the same column, {name!r}")
            names.append(name)
            roles[name] = role
        if given:
            named[field] = names[0] if isinstance(given, str) else tuple(names)
    return replace(request, **named)


def check_names(sheet: Sheet, names: Iterable[str]) -> None:
    """Refuse names that no column has."""
    for name in names:
        if name in sheet.unusable:
            holds = f"holds {sheet.unusable[name]}, expected text or numbers"
            raise InputError(f"{sheet.header}: column {name!r} {holds}")
        check_there([name], sheet.names, sheet.header, "no column")


def check_percents(sheet: Sheet, names: Iterable[str]) -> None:
    """Refuse shares among cells with a percent sign: which are divided by 100, nobody knows."""
    for name in names:
        cells = list(sheet.texts(name)) if name in sheet.names else []
        for row, cell in enumerate(cells if any(own.endswith("%") for own in cells) else ()):
            if is_number(cell) and abs(float(cell)) <= 1:
                raise InputError(
                    f"{sheet.at(row)}, column {name!r}: found {cell!r} among percentages; is it a "
                    "share, or is the sign missing?"
                )


def check_in_percent(request: Request, sheets: Sequence[Sheet], files: Sequence[str] = ()) -> None:
    """Refuse percentages of what is no column, no system of a long table and no file."""
    known = [*files]
    for sheet in sheets:
        known += sheet.names
        columns = (request.system_column, system_column(sheet.names))
        column = next((name for name in columns if name in sheet.names), None)
        known += [] if column is None else sheet.texts(column).codes()[1]
    for file, sheet in zip(files, sheets, strict=False):
        known += [f"{file}: {name}" for name in sheet.names]
    check_there(request.percent, dict.fromkeys(known), argument("percent"), "found no")


# ---- rows ----------------------------------------------------------------------------------------


def without_dropped(sheet: Sheet, request: Request) -> Sheet:
    """The sheet without the rows that an option names, by a cell of a column of texts.

    One of the first two columns comes first, whatever it holds.
    """
    if not request.drop_row:
        return sheet
    gone = np.zeros(len(sheet), dtype=np.bool_)
    for name in request.drop_row:
        here = np.any([_equal(sheet.texts(column), name) for column in sheet.names[:2]], axis=0)
        for column in sheet.names[2:] if not here.any() else ():
            if kind_of(sheet, column) == "text":
                here |= _equal(sheet.texts(column), name)
        if not here.any():
            raise InputError(f"{sheet.path}: {argument('drop_row')}: no row is called {name!r}")
        gone |= here
    if gone.all():
        raise InputError(f"{sheet.path}: {argument('drop_row')}: no row is left")
    note = f"{counted(int(gone.sum()), 'row')} left out: {first_few(request.drop_row)}."
    return replace(sheet.only(np.flatnonzero(~gone)), notes=(*sheet.notes, note))


def _equal(texts: Texts, text: str) -> NDArray[np.bool_]:
    """Which texts are this one, whatever their case."""
    equal: NDArray[np.bool_] = texts.sizes == len(text.encode())
    equal[equal] = [own.casefold() == text.casefold() for own in texts.take(np.flatnonzero(equal))]
    return equal


def check_summaries(sheet: Sheet, request: Request, but: Sequence[str | None]) -> None:
    """Refuse rows that are called like sums or means of others, in one of the first two columns."""
    kept = {name.casefold() for name in request.keep_row}
    for name in sheet.names[:2]:
        if name in but or sheet.numbers(name).odd is None:
            continue
        texts = sheet.texts(name)
        # Most ids of a million end in a digit, or begin like none of these: no look at their texts.
        some = np.flatnonzero((texts.sizes > 1) & (texts.sizes <= LONGEST_SUMMARY))
        first, last = texts.edges(some)
        fits = (last > ord("9")) | np.isin(last, list(b".:)"))
        for row in some[fits & np.isin(first, SUMMARY_STARTS)].tolist():
            cell = texts[row]
            if cell.casefold() not in kept and is_summary(cell):
                raise Refusal(
                    f"{sheet.at(row)}: {cell!r} names a row that sums up others, and such a row "
                    "is no unit",
                    way("leaves it out", drop_row=[cell]),
                    way("if it is a unit", keep_row=[cell]),
                )


def repeated(ids: Sequence[Hashable] | None, values: Sequence[NDArray[Any]]) -> tuple[str, ...]:
    """A doubt where rows without ids are the same in every score, though scores hardly repeat."""
    if ids is not None or values[0].ndim != 1 or any(own.dtype.names for own in values):
        return ()
    n = len(values[0])
    if n < 10 or len(np.unique(values[0])) < n // 4:
        return ()
    again = n - len(np.unique(np.stack(values, axis=1, dtype=np.float64), axis=0))
    if not again:
        return ()
    return (
        f"{counted(again, 'row')} of {n:,} repeat another row in every score, and there are "
        "no ids: were rows written twice?",
    )


# ---- cells ---------------------------------------------------------------------------------------


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


def refuse_formatted(sheet: Sheet, names: Sequence[str]) -> None:
    """Refuse columns most of whose cells a person reads as numbers, and nobody else."""
    found: dict[str, tuple[str, str]] = {}
    for name in names:
        odd = sheet.numbers(name).odd
        cells = [] if odd is None else sheet.texts(name).take(np.flatnonzero(odd)[:1000]).tolist()
        for pattern, what in FORMATTED:
            fits = [cell for cell in cells if re.fullmatch(pattern, cell)]
            if 2 * len(fits) > len(cells):
                found.setdefault(name, (what, fits[0]))
    for name, (what, cell) in found.items():
        message = f"{sheet.path}: column {name!r} holds {what}, such as {cell!r}"
        if what == "percentages":
            alike = [other for other in found if found[other][0] == what]
            raise Refusal(message, way("reads 62.5% as 0.625", percent=alike))
        if what == "a decimal comma":
            raise Refusal(message, way("reads decimal commas", decimal=[","]))
        if what.startswith("a comma"):
            message += ", which may be a decimal comma or separate thousands"
            raise InputError(f"{message}: write the numbers without commas")
        raise InputError(f"{message}: write the score alone")


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


def filled(sheet: Sheet, name: str, expected: str, *ways: Remedy) -> Texts:
    """A column in which no cell is empty; a label may not be declared missing either."""
    empty = unlabelled(sheet, name) if ways else sheet.texts(name).sizes == 0
    if empty.any():
        raise refused(str(bad_cell(sheet, name, int(np.argmax(empty)), expected)), ways)
    return sheet.texts(name)


def unlabelled(sheet: Sheet, name: str) -> NDArray[np.bool_]:
    """The rows whose cell is empty, or declared missing."""
    texts = sheet.texts(name)
    empty: NDArray[np.bool_] = texts.sizes == 0
    if missing := {*map(str.strip, sheet.dialect.missing)}:
        codes, different = texts.codes()
        empty |= np.array([cell in missing for cell in different])[codes]
    return empty


def missing_in(sheet: Sheet, name: str) -> NDArray[np.bool_]:
    """The rows in which a column of numbers has none."""
    missing = sheet.numbers(name).missing
    return np.zeros(len(sheet), dtype=np.bool_) if missing is None else missing


def bad_cell(sheet: Sheet, name: str, row: int, expected: str) -> InputError:
    """What to say of a cell that is not what it should be."""
    cell = sheet.texts(name)[row]
    found = f"found {cell!r}" if cell else "the cell is empty"
    return InputError(f"{sheet.at(row)}, column {name!r}: {found}, expected {expected}")


def scores(sheet: Sheet, name: str) -> NDArray[Any]:
    """A column of finite numbers."""
    column = sheet.numbers(name)
    if column.odd is not None:
        refuse_formatted(sheet, [name])
        odd = np.flatnonzero(column.odd)
        cell = sheet.texts(name)[int(odd[0])]
        where = f"{sheet.at(int(odd[0]))}, column {name!r}: found {cell!r}"
        if cell.strip("+-").isdigit():
            raise InputError(f"{where}, which has more digits than a double holds")
        if "\N{MINUS SIGN}" in cell:
            raise InputError(f"{where}: a dash; write '-' for a minus sign")
        if sheet.dialect.decimal == "," and "." in cell:
            raise InputError(f"{where}, expected a number with a decimal comma")
        if len({*sheet.texts(name).take(odd)}) > 1:
            more = counted(len(odd) - 1, "other cell")
            raise InputError(f"{where} and {more}, expected finite numbers")
        stands_for = way("if it stands for a missing number", missing=[cell])
        options = (*stands_for.options, *LEAVE_OUT.options)
        raise Refusal(f"{where}, expected a finite number", replace(stands_for, options=options))
    if column.missing is not None:
        row, many = int(np.argmax(column.missing)), int(column.missing.sum())
        cell = sheet.texts(name)[row]
        what = f"the cell {cell!r} is a missing number" if cell else "the cell is empty"
        in_all = f", one of {many:,}" if many > 1 else ""
        raise Refusal(f"{sheet.at(row)}, column {name!r}: {what}{in_all}", LEAVE_OUT)
    return column.values


def integers(sheet: Sheet, name: str) -> NDArray[np.int64]:
    """A column of counts: whole numbers of at least 0."""
    values = scores(sheet, name)
    wrong = np.flatnonzero((values != np.rint(values)) | (values < 0) | (values >= 2**53))
    if len(wrong):
        raise bad_cell(sheet, name, int(wrong[0]), "a whole number of 0 or more")
    return values.astype(np.int64)


# ---- numbers that are no scores ------------------------------------------------------------------


def _in_order(values: NDArray[Any]) -> bool:
    """Whether numbers rise throughout, or fall; a look at the first ends most searches."""
    steps = np.diff(values[:SAMPLE])
    return len(values) > 2 and any(
        (sign * steps > 0).all() and (sign * np.diff(values) > 0).all() for sign in (1, -1)
    )


def _in_blocks(values: NDArray[Any]) -> bool:
    """Whether every number comes several times, and all times one after the other."""
    blocks = 1 + int(np.count_nonzero(np.diff(values)))
    return 1 < blocks <= len(values) // 2 and len(np.unique(values)) == blocks


def _is_difference(name: str, names: Sequence[str]) -> bool:
    """Whether a column is called like two others with a minus sign between them."""
    signs = (i for i, sign in enumerate(name) if sign == "-")
    return any(name[:i].strip() in names and name[i + 1 :].strip() in names for i in signs)


def why_no_scores(sheet: Sheet, names: Iterable[str], first: str | None = None) -> dict[str, str]:
    """Which columns of numbers may be no scores of a system, and why; the first may be ids."""
    reasons = {}
    for name in names:
        values = sheet.numbers(name).values
        if is_property(name):
            reasons[name] = "is called like a property of units"
        elif is_statistic(name) or _is_difference(name, sheet.names):
            reasons[name] = "is called like a statistic of other columns"
        elif is_count(name):
            reasons[name] = "is called like a count, but no system has all that a metric needs"
        elif kind_of(sheet, name) != "whole":
            continue
        elif values.min() == values.max():
            reasons[name] = f"is {values[0]} in every row"
        elif _in_order(values):
            reasons[name] = "holds whole numbers in order"
        elif _in_blocks(values):
            reasons[name] = BLOCKS
        elif name == first and sheet.texts(name).distinct():
            reasons[name] = "comes first and holds another whole number in every row, as ids do"
    return reasons


def _beside_shares(large: Sequence[str], highest: float, shares: Sequence[str]) -> str:
    stay = "stays" if len(shares) == 1 else "stay"
    return (
        f"{first_few(large, 3)} goes up to {highest:g}, {first_few(shares, 3)} {stay} within 0 "
        "and 1: percent beside shares?"
    )


def check_kinds(sheet: Sheet, percent: Sequence[str], kinds: Mapping[str, str]) -> None:
    """Refuse systems with numbers of different kinds.

    Those of a system that is worse than nothing may go down to -1, as correlations do.
    """
    groups: dict[str, list[str]] = {}
    for name, kind in kinds.items():
        if kind != "odd":  # whose cells are refused when they are read
            groups.setdefault("share" if kind == "0/1" else kind, []).append(name)
    values = {name: sheet.numbers(name).values for name in kinds}
    shares, real = groups.get("share", []), groups.get("real", [])
    if shares and all(np.abs(values[name]).max() <= 1 for name in real):
        shares += groups.pop("real", [])
    if len(groups) < 2:
        return
    binary = [name for name, kind in kinds.items() if kind == "0/1"]
    large = []
    for name in (*groups.get("real", []), *groups.get("whole", [])) if shares else ():
        own = values[name]
        if {*shares} <= {*binary}:  # which says little: percent only if they are 0 and 100
            fits = ((own == 0) | (own == 100)).all()
        else:
            fits = own.min() >= 0 and (1.5 if kinds[name] == "real" else 9) < own.max() <= 100
        if fits and name not in percent and not is_loss(shared_parts([*kinds])):
            large.append(name)
    ways = [
        way(f"those that are {_KINDS[kind]}", system=names)
        for kind, names in groups.items()
        if len(names) > 1
    ]
    ways.append(way("if all are scores of systems", system=kinds))
    if large:
        ways.insert(0, way("divides by 100", percent=large))
        found = f"column {_beside_shares(large[:1], values[large[0]].max(), shares)}"
    else:
        each = [f"{first_few(names, 4)} ({_KINDS[kind]})" for kind, names in groups.items()]
        found = f"the columns hold numbers of different kinds: {' and '.join(each)}"
        if 0 < len(binary) < 4:
            ways += ranked(binary[0], [name for name in kinds if name not in binary])
    raise Refusal(f"{sheet.header}: {found}", *ways)


def ranked(true: str, methods: Sequence[str]) -> list[Remedy]:
    """The way of ranking methods, whose candidates are true where a column has 1."""
    options = ("--true", true, "--methods", ",".join(methods))
    way = Remedy(options, f"if {true} says which candidates are true", verb="rank")
    return [way] if methods else []


def check_edges(what: str, values: NDArray[Any], declared: Remedy) -> None:
    """Refuse -1 or nines that stand for something else: they lie apart from all other values."""
    odd = np.isin(values, STAND_INS)
    if not odd.any():
        return
    negative, highest = values < 0, values.max()
    if values.dtype.kind in "iu" and highest > 1 and (values == 0).any():
        odd &= values != -1  # which is next to 0 among whole numbers
    if not odd[negative].all():
        negative &= False
    odd &= negative | (values == highest)
    rest = values[~odd]
    if (rest > max(highest, 2) / 2).any():  # the highest is like the others
        odd, rest = negative, values[~negative]
    if not max(1, 0.01 * len(values)) < odd.sum() < 0.5 * len(values):
        return
    texts = [f"{value:g}" for value in np.unique(values[odd])]
    low, high = (0, 1) if rest.min() >= 0 and rest.max() <= 1 else (rest.min(), rest.max())
    raise Refusal(
        f"{what} holds {listed(texts)} in {counted(int(odd.sum()), 'cell')}, all others lie within "
        f"{low:g} and {high:g}: {'does it' if len(texts) == 1 else 'do they'} stand for a missing "
        "number?",
        Remedy((*option("missing", *texts), *LEAVE_OUT.options), "if so"),
        replace(declared, why="if it is a score" if len(texts) == 1 else "if they are scores"),
    )


def check_percent(
    ranges: Mapping[str, tuple[float, float]],
    what: str,
    declared: Sequence[str],
    systems: Sequence[str],
) -> None:
    """Refuse percent beside shares."""
    shares = [name for name, (low, high) in ranges.items() if low >= 0 and high <= 1]
    large = [name for name, (low, high) in ranges.items() if low >= 0 and 1.5 < high <= 100]
    large = [name for name in large if name not in declared]
    if large and any(ranges[name][1] > 0 for name in shares):
        raise Refusal(
            f"{what}: {_beside_shares(large, ranges[large[0]][1], shares)}",
            way("divides by 100", percent=large),
            way("if none is in percent", system=systems),
        )
