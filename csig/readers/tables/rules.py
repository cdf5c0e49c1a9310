"""What columns and rows of a table are: what is declared, what has a reserved name, nothing else.

A column that is neither is refused, with the command that says what it is; ``docs/formats.md``
has the rules on one page.
"""

from __future__ import annotations

import re
from collections.abc import Container, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from csig.base.errors import InputError, Refusal, Remedy, argument
from csig.base.wording import counted, first_few, listed
from csig.data.strings import Texts
from csig.readers.limits import check_systems
from csig.readers.lines import StrPath
from csig.readers.request import OptionError, Request, option
from csig.readers.tables import names as words
from csig.readers.tables.matching import check_there
from csig.readers.tables.names import is_metric, is_property, is_statistic, known_name
from csig.readers.tables.sheets import Sheet, check_percents

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


def by_name(sheet: Sheet, request: Request) -> Request:
    """The request with columns that were given by their number, from 1, by their name."""
    fields = ("id", "cluster", "gold_column", "run", "answer_column", "system_column",
              "score_column", "ignore", "system")  # fmt: skip
    roles: dict[str, str] = {}
    named: dict[str, Any] = {}
    for role in fields:
        given = getattr(request, role)
        names = []
        for name in (given,) if isinstance(given, str) else given or ():
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
        if names:
            named[role] = names[0] if isinstance(given, str) else tuple(names)
    return replace(request, **named)


def check_names(sheet: Sheet, names: Iterable[str]) -> None:
    """Refuse names that no column has."""
    for name in names:
        if name in sheet.unusable:
            holds = f"holds {sheet.unusable[name]}, expected text or numbers"
            raise InputError(f"{sheet.header}: column {name!r} {holds}")
        check_there([name], sheet.names, sheet.header, "no column")


def check_in_percent(request: Request, sheets: Sequence[Sheet], files: Sequence[str] = ()) -> None:
    """Refuse percentages of what is no column, no system of a long table and no file."""
    known = [*files]
    for sheet in sheets:
        known += sheet.names
        columns = (request.system_column, words.system_column(sheet.names))
        column = next((name for name in columns if name in sheet.names), None)
        known += [] if column is None else sheet.texts(column).codes()[1]
    for file, sheet in zip(files, sheets, strict=False):
        known += [f"{file}: {name}" for name in sheet.names]
    check_there(request.percent, dict.fromkeys(known), argument("percent"), "found no")


def without_dropped(sheet: Sheet, request: Request) -> Sheet:
    """The sheet without the rows that an option names, by a cell of a column of texts."""
    if not request.drop_row:
        return sheet
    gone = np.zeros(len(sheet), dtype=np.bool_)
    for name in request.drop_row:
        # One of the first two columns comes first, whatever it holds.
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
        for row in some[fits & np.isin(first, words.SUMMARY_STARTS)].tolist():
            cell = texts[row]
            if cell.casefold() not in kept and words.is_summary(cell):
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
    if name in sheet.dialect.percent:
        cells = sheet.texts(name).tolist()
        check_percents(cells, lambda row: f"{sheet.at(row)}, column {name!r}")
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


def why_no_scores(sheet: Sheet, names: Iterable[str], first: str | None = None) -> dict[str, str]:
    """Which columns of numbers may be no scores of a system, and why; the first may be ids."""
    reasons = {}
    for name in names:
        values = sheet.numbers(name).values
        parts = ((name[:i].strip(), name[i + 1 :].strip()) for i, c in enumerate(name) if c == "-")
        is_difference = any({*both} <= {*sheet.names} for both in parts)
        if is_property(name):
            reasons[name] = "is called like a property of units"
        elif is_statistic(name) or is_difference:
            reasons[name] = "is called like a statistic of other columns"
        elif words.is_count(name):
            reasons[name] = "is called like a count, but no system has all that a metric needs"
        elif kind_of(sheet, name) != "whole":
            continue
        elif values.min() == values.max():
            reasons[name] = f"is {values[0]} in every row"
        else:
            steps = np.diff(values)
            blocks = 1 + int(np.count_nonzero(steps))
            if len(values) > 2 and ((steps > 0).all() or (steps < 0).all()):
                reasons[name] = "holds whole numbers in order"
            elif 1 < blocks <= len(values) // 2 and len(np.unique(values)) == blocks:
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
    """Refuse systems with numbers of different kinds."""
    groups: dict[str, list[str]] = {}
    for name, kind in kinds.items():
        if kind != "odd":  # whose cells are refused when they are read
            groups.setdefault("share" if kind == "0/1" else kind, []).append(name)
    values = {name: sheet.numbers(name).values for name in kinds}
    shares, real = groups.get("share", []), groups.get("real", [])
    # Those of a system that is worse than nothing may go down to -1, as correlations do.
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
        if fits and name not in percent and not words.is_loss(words.shared_parts([*kinds])):
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
    declared: Sequence[str] | None,
    systems: Sequence[str],
) -> None:
    """Refuse percent beside shares; what is declared is None where no option can."""
    shares = [name for name, (low, high) in ranges.items() if low >= 0 and high <= 1]
    large = [name for name, (low, high) in ranges.items() if low >= 0 and 1.5 < high <= 100]
    large = [name for name in large if name not in (declared or ())]
    divided = [] if declared is None else [way("divides by 100", percent=large)]
    if large and any(ranges[name][1] > 0 for name in shares):
        raise Refusal(
            f"{what}: {_beside_shares(large, ranges[large[0]][1], shares)}",
            *divided,
            way("if none is in percent", system=systems),
        )


#: A column of a reserved name with fewer values is no clusters unless an option says so: swapping 3
#: whole gives no p-value below 2 / 2^3 = 0.25.
FEWEST_CLUSTERS = 4

#: Of more columns that are ignored a command names the systems.
MANY = 8

#: Parts of names that scores have, and no labels.
JUDGED = frozenset(("correct", "right", "wrong", "score", "hit", "error"))


@dataclass(frozen=True)
class Layout:
    """Which column of a table is what."""

    form: str
    #: What the numbers of a unit are: ("score",), metrics, counts, or ("label",).
    columns: tuple[str, ...]
    #: Every system's columns; where rows name their systems, one entry without a name.
    systems: Mapping[str, tuple[str, ...]]
    #: The column that says whose row it is.
    system: str | None = None
    id: str | None = None
    cluster: str | None = None
    gold: str | None = None
    run: str | None = None


@dataclass
class _Columns:
    """The columns that are declared or have a reserved name, and the rest."""

    sheet: Sheet
    request: Request
    #: Whether there is no other file with the same rows.
    alone: bool
    id: str | None
    cluster: str | None
    gold: str | None
    system: str | None
    scores: tuple[str, ...]
    rest: list[str] = field(default_factory=list)
    #: The columns that nothing accounts for, and why, if it is not for what they hold.
    left: dict[str, str] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)

    def kind(self, name: str) -> str:
        if name not in self.kinds:
            self.kinds[name] = kind_of(self.sheet, name)
        return self.kinds[name]

    def different(self, name: str) -> Texts:
        return self.sheet.texts(name).codes()[1]

    def distinct(self, name: str) -> bool:
        return self.sheet.texts(name).distinct()

    def holds_texts(self, name: str) -> bool:
        odd = self.kind(name) == "odd" and self.gold is not None  # numbers among labels
        return odd or self.kind(name) == "text"

    def numeric(self, names: Iterable[str]) -> list[str]:
        return [name for name in names if self.kind(name) not in ("text", "empty")]

    def is_run(self, name: str) -> bool:
        """Whether a column is called like runs: an option must say what it is."""
        return name.casefold() in words.RUN_NAMES and name not in self.request.system

    @property
    def runs(self) -> list[str]:
        return [name for name in self.rest if self.is_run(name)]

    def once(self, *names: str | None) -> bool:
        """Whether no two rows have the same in these columns."""
        codes = np.zeros(len(self.sheet), dtype=np.intp)
        for name in [name for name in names if name is not None]:
            own, different = self.sheet.texts(name).codes()
            codes = np.unique(codes * len(different) + own, return_inverse=True)[1]
        return len(np.unique(codes)) == len(codes)

    def first_as_id(self) -> None:
        """The first column is the ids if it has another text in every row and nothing else does."""
        first = self.sheet.names[0]
        text = self.id is None and first in self.rest and self.kind(first) == "text"
        if text and self.distinct(first):
            self.id = first
            self.rest.remove(first)

    def fits_as_gold(self, name: str) -> bool:
        """Whether a column is called like a gold, and two others have its values only."""
        if name.casefold() not in words.PERHAPS_GOLD or self.gold or self.system:
            return False
        known = {*self.different(name)}
        others = [own for own in self.rest if own != name]
        return sum(known.issuperset(self.different(own)) for own in others) > self.alone

    def check_edges(self, names: Sequence[str], role: str) -> None:
        """Refuse values that stand for something else."""
        declared = Remedy(option(role, *names))
        for name in names:
            what = f"{self.sheet.path}: column {name!r}"
            check_edges(what, self.sheet.numbers(name).values, declared)

    def layout(
        self, form: str, columns: Iterable[str], systems: Mapping[str, Iterable[str]]
    ) -> Layout:
        named = {name: tuple(own) for name, own in systems.items()}
        gold = self.gold if form == "labels" else None
        roles = (self.system, self.id, self.cluster, gold, self.request.run)
        return Layout(form, tuple(columns), named, *roles)

    def refusal(self, found: str, ways: Sequence[Remedy] = (), without: str = "") -> InputError:
        return refused(f"{self.sheet.header}: {found}", ways, without)

    def leave(self, but: Container[str], reasons: Mapping[str, str]) -> None:
        """Nothing accounts for any of the rest but some."""
        why = {**dict.fromkeys(self.runs, "is called like the runs of a system"), **reasons}
        self.left = {name: why.get(name, "") for name in self.rest if name not in but}

    def all_left(self) -> str:
        """The columns that are left, and why."""
        found = []
        for name, why in [*self.left.items()][:4]:
            if not why and self.kind(name) == "empty":
                why = "is empty"
            elif not why and self.holds_texts(name):
                different = counted(len(self.different(name)), "different text")
                why = f"has {different} in {counted(len(self.sheet), 'row')}"
                if self.distinct(name):
                    why = "has another text in every row"
            found.append(f"column {name!r} {why or 'holds numbers that no rule accounts for'}")
        more = f" and {len(self.left) - 4} more" if len(self.left) > 4 else ""
        return ", ".join(found) + more

    def refuse(self, *first: Remedy, systems: Sequence[str] = ()) -> None:
        """Refuse the columns that are left, if any, with every way to say what they are."""
        if not self.left:
            return

        def but(why: str, **role: str) -> Remedy:
            roles = {option: [name] for option, name in role.items()}
            if len(self.left) > MANY and 1 < len(systems) <= MANY:
                return way(why, **roles, system=systems)
            return way(why, **roles, ignore=[n for n in self.left if n not in role.values()])

        full = [name for name in self.left if self.sheet.texts(name).sizes.min()]
        texts = [name for name in full if self.holds_texts(name)]
        whole = [n for n in full if self.kind(n) == "whole" and not is_metric(n)]
        ids = [n for n in (*texts, *whole) if self.distinct(n)] if self.id is None else []
        groups = []
        if self.cluster is None:
            groups = [n for n in texts if not self.left[n] and len(self.different(n)) > 1]
            groups += [name for name in whole if self.left[name] == BLOCKS]
            groups = [name for name in groups if not self.distinct(name)]
        unit = (self.id, self.system, self.cluster, self.request.run)
        repeated = self.id is not None and not self.once(*unit)
        ways = [way(gold_column=[name]) for name in self.left if self.fits_as_gold(name)]
        ways += first
        for name in groups[:3]:
            ways.append(but("swaps whole groups: right if rows of a group are alike", cluster=name))
        for name in self.runs if repeated and self.gold is None else ():
            if name in self.left and self.once(*unit, name) and not self.distinct(name):
                ways.append(but("swaps a unit with all its runs", run=name))
        for name in sorted(ids, key=full.index)[:1]:
            ways.append(but("names the units", id=name))
        if not ways or not repeated:
            by_order = ids and not self.alone
            ways.append(but("matches rows by their order" if by_order
                            else "swaps single rows" if groups else ""))  # fmt: skip
        raise self.refusal(self.all_left(), ways)


def layout_of(
    sheet: Sheet, request: Request, *, alone: bool = True, metrics: Sequence[str] = ()
) -> Layout:
    """What the columns of a table are."""
    declared = {
        request.cluster, request.gold_column, request.run, request.answer_column,
        request.system_column, *request.system, *request.ignore, *request.score_column,
    }  # fmt: skip
    free = [name for name in sheet.names if name not in declared]
    id_ = request.id or known_name(free, words.ID_NAMES)
    free = [name for name in free if name != id_]
    system = request.system_column or words.system_column(free)
    gold = request.gold_column or known_name(free, words.GOLD_NAMES)
    scores = request.score_column
    if not scores and system is not None and (known := known_name(free, words.SCORE_NAMES)):
        scores = (known,)
    own = _Columns(sheet, request, alone, id_, request.cluster, gold, system, scores)
    _find_units(own, [n for n in free if n.casefold() in words.CLUSTER_NAMES])
    used = {own.id, own.cluster, gold, request.run, request.answer_column, system, *scores}
    used |= {*request.ignore, request.by}
    own.rest = [name for name in sheet.names if name not in used]
    form = request.format if request.format in ("scores", "counts", "labels") else None
    counts = words.complete_counts([n for n in sheet.names if n in own.rest or n == gold])
    gold_declared = form == "labels" or request.gold_column is not None
    if form == "counts" or (form is None and counts and not gold_declared):
        _check_rows(own)
        return _counts(own, counts)
    if system is not None and gold_declared:
        raise OptionError("labels need one column for every system, not one row")
    if system is None and (gold_declared or (form is None and gold is not None)):
        return _labels(own)
    _check_rows(own)
    if system is not None:
        return _long(own, system)
    return _wide(own) if alone else _metrics(own, metrics)


def _find_units(own: _Columns, groups: list[str]) -> None:
    """Ids that repeat group the rows, groups of one row each are ids; one column is clusters."""
    query = None
    if own.system is None and own.request.run is None:
        distinct = [name for name in groups if own.distinct(name)]
        if own.id is None:
            own.id = next(iter(distinct), None)
        elif own.cluster is None and own.request.id is None and not own.distinct(own.id):
            if groups and own.id.casefold() in words.QUERY_NAMES:
                query = own.id
            elif not groups and own.id.casefold() in words.CLUSTER_NAMES:
                groups, own.id = [own.id], None
        groups = [name for name in groups if name not in distinct]
    if own.cluster is not None:
        return
    found = f"{first_few(groups)} have the names of clusters, which are swapped whole, and only "
    found += "one column can be them"
    others = {name: {"ignore": [n for n in groups if n != name]} for name in groups}
    if query and len(groups) == 1 and groups[0].casefold() in words.DOCUMENT_NAMES:
        found = f"columns {query!r} and {groups[0]!r} both repeat, and either may group the rows"
        others = {query: {"id": groups}, groups[0]: {"id": [query]}}
    if len(others) > 1:
        sizes = {name: f"{len(own.different(name)):,}" for name in others}
        raise own.refusal(found, [
            way(f"swaps the {sizes[name]} values of {name} whole", cluster=[name], **more)
            for name, more in others.items()
        ])  # fmt: skip
    if not groups:
        return
    own.cluster = name = groups[0]
    texts = own.sheet.texts(name)
    for looked_at in (texts[:SAMPLE], texts):  # a look at the first ends most searches
        number = len(looked_at.codes()[1])
        if number >= FEWEST_CLUSTERS:
            return
    options = {"cluster": [name], "unit": ["unit"]}
    if own.id is None or own.system is not None or own.distinct(own.id):
        options = {"ignore": [name]}
    raise own.refusal(
        f"column {name!r} has the name of clusters, but only {counted(number, 'value')}: swapping "
        f"{number} whole gives no p-value below {2.0 ** (1 - number):g}",
        [
            way("swaps single rows, as if they were independent", **options),
            way("swaps whole groups", cluster=[name]),
        ],
    )


def _check_rows(own: _Columns) -> None:
    """Refuse rows of several metrics, as trec_eval writes them, and rows that sum up others."""
    sheet, request = own.sheet, own.request
    for name in () if request.system or request.score_column else own.rest:
        metrics = own.different(name) if own.kind(name) == "text" else ()
        known = list(filter(is_metric, metrics))
        if len(known) < 2 or 2 * len(known) < len(metrics):
            continue
        cells = [cell for first in sheet.names[:2] for cell in own.different(first)]
        sums = dict.fromkeys(filter(words.is_summary, cells))
        ways = []
        for metric in known[:3]:
            others = [other for other in metrics if other != metric]
            one = way(f"compares {metric}", ignore=[name], drop_row=[*others, *sums])
            one = replace(one, without=("--metric",))
            if words.direction_of(words.parts_of(metric)) == "lower":
                one = replace(one, options=(*one.options, "--lower-is-better"))
            ways.append(one)
        found = f"column {name!r} names metrics, such as {first_few(metrics, 3)}, and only scores "
        raise own.refusal(found + "of one metric have a mean", ways)
    check_summaries(sheet, request, (own.system, *request.ignore))


def _numbers(own: _Columns) -> tuple[list[str], dict[str, str]]:
    """The columns of numbers that may be scores, and why some of them may be none."""
    refuse_formatted(own.sheet, own.rest)
    own.first_as_id()
    numeric = own.numeric(own.rest)
    odd = [own.sheet.numbers(name).odd for name in numeric]
    if len(odd) > 1 and all(rows is not None and rows[0] and rows.sum() == 1 for rows in odd):
        raise InputError(
            f"{own.sheet.at(0)}: found {own.sheet.texts(numeric[0])[0]!r} and other names in all "
            "columns of numbers, as pandas writes columns with several levels: before it writes "
            "them, join them by frame.columns = map('_'.join, frame.columns)"
        )
    may_be_ids = own.id is None and own.rest and (own.alone or len(numeric) > 1)
    return numeric, why_no_scores(own.sheet, numeric, own.rest[0] if may_be_ids else None)


def _wide(own: _Columns) -> Layout:
    """Scores with a column for every system: numbers of one kind; all others must be known."""
    if systems := [*own.request.system]:
        check_names(own.sheet, systems)
        return own.layout("scores", ["score"], {name: [name] for name in systems})
    check_systems(own.sheet.path, len(own.rest))
    numeric, reasons = _numbers(own)
    truths = [n for n in numeric if own.kind(n) == "0/1" and words.may_be_truth(n)]
    if all(own.kind(name) == "0/1" for name in numeric):
        truths = []  # they are systems that are right or wrong
    beside_x = "x" in numeric or len(numeric) < 3  # x and y are two systems
    for name in numeric:
        if name.casefold() in words.SCORE_NAMES:
            reasons[name] = "is called like the scores of one system"
        elif name in truths:
            reasons[name] = "may say what is true"
        elif _may_be_gold(name) or (name.casefold() == "y" and not beside_x):
            errors = ", and what is compared are the errors of its predictions"
            reasons[name] = "may be the gold" + errors * (own.kind(name) != "0/1")
    systems = [name for name in numeric if not (name in reasons or own.is_run(name))]
    metrics = [name for name in systems if is_metric(name)]
    if len(metrics) == len(systems) > 1:
        raise own.refusal(
            f"columns {first_few(metrics)} have the names of metrics, so this is one system; what "
            "is missing is the same file of a second one",
            [*_naming_systems(own, metrics),
             way("if each column is a system after all", system=metrics)],
        )  # fmt: skip
    systems = [name for name in systems if name not in metrics]
    own.leave(systems, {**reasons, **dict.fromkeys(metrics, "is the name of a metric")})
    methods = [n for n in numeric if n not in truths and not (is_property(n) or is_statistic(n))]
    ways = ranked(truths[0], methods) if truths else []
    if len(systems) < 2:
        raise _one_system(own, systems or metrics, numeric, ways)
    # A name says more than an order, which two or three rows have by chance.
    ordered = [name for name in numeric if name in own.left and not _is_no_system(name)]
    every = [name for name in numeric if name in (*systems, *ordered)]
    own.refuse(*ways, *[way("if each is a system", system=every)][: len(ordered)], systems=systems)
    first = own.sheet.names[0]
    if own.request.id is None and own.id == first and first.casefold() in words.PERHAPS_SYSTEM:
        raise own.refusal(
            f"column {first!r} comes first, and may name units or systems",
            [way("if each row is a unit", id=[first]),
             replace(way("if each row is a system", system_column=[first]), verb="datasets")],
        )  # fmt: skip
    by_metric: dict[str, list[str]] = {}
    for name in systems:
        by_metric.setdefault(words.metric_in(name), []).append(name)
    if "" not in by_metric and len(by_metric) > 1:
        several = {metric: names for metric, names in by_metric.items() if len(names) > 1}
        ways = [way(f"compares {metric}", system=names) for metric, names in several.items()]
        raise own.refusal(
            f"columns {first_few(systems, 4)} have the names of several metrics, "
            f"{first_few(by_metric)}, and systems are compared by one",
            [*ways, way("if each is a system", system=systems)],
        )
    own.check_edges(systems, "system")
    check_kinds(own.sheet, own.request.percent, {name: own.kind(name) for name in systems})
    return own.layout("scores", ["score"], {name: [name] for name in systems})


def _is_no_system(name: str) -> bool:
    return is_property(name) or is_statistic(name) or is_metric(name)


def _may_be_gold(name: str) -> bool:
    return name.casefold() in words.PERHAPS_GOLD - {"y"}


def _naming_systems(own: _Columns, scores: Sequence[str]) -> list[Remedy]:
    """Columns that may say whose row it is, three at most: with the ids, which repeat, once."""
    if own.id is None or own.distinct(own.id):
        return []
    others = [name for name in own.rest if name not in scores]
    few = [name for name in others if 1 < len(own.different(name)) < len(own.sheet)]
    texts = [name for name in others if name not in own.numeric(others)]
    return [
        way(f"if {name} names the system of every row", system_column=[name], score_column=scores,
            ignore=[text for text in texts if text != name])
        for name in few
        if own.once(own.id, name)
    ][:3]  # fmt: skip


def _one_system(
    own: _Columns, systems: Sequence[str], numeric: Sequence[str], first: Sequence[Remedy] = ()
) -> InputError:
    """What to say where no second column has scores; perhaps rows name their systems."""
    if not numeric:
        there = first_few(own.left or own.sheet.names, 12)
        return own.refusal(
            f"no column has numbers, expected one for every system; there are {there}",
            [way(gold_column=[name]) for name in own.left if own.fits_as_gold(name)],
        )
    none = [n for n in own.left if own.kind(n) == "empty" or {"inf"}.issuperset(own.different(n))]
    if none:
        found = f"column {none[0]!r} has no numbers, and there is one system at most without it"
        raise own.refusal(found)
    scores = [name for name in numeric if name.casefold() in words.SCORE_NAMES] or systems
    others = [n for n in numeric if not (own.is_run(n) or is_property(n) or is_statistic(n))]
    found = f"{own.all_left()}; fewer than two columns are left for the systems"
    if scores and len(others) < 2:
        found = f"found one system only, {scores[0]!r}, expected two or more: a column for each, "
        found += "or a file for each"
    score = (*scores, *numeric)[0]
    ways = [*first, *_naming_systems(own, [score])]
    if len(numeric) > 1:
        ways.append(way("if each of these is a system", system=numeric))
    if scores and (own.id is None or own.distinct(own.id)):
        ways.append(_figures(score, [name for name in own.left if name != score]))
    return own.refusal(found, ways)


def _figures(system: str, others: Iterable[str]) -> Remedy:
    """What there is to say of one system."""
    return replace(way("its figures", system=[system], ignore=others), verb="describe")


def _metrics(own: _Columns, wanted: Sequence[str]) -> Layout:
    """One of several files: a system, whose columns of numbers are metrics."""
    sheet, request = own.sheet, own.request
    own.first_as_id()
    if systems := [name for name in request.system if name in sheet.names]:
        return own.layout("scores", ["score"], {name: [name] for name in systems})
    for name in sheet.names if request.format == "auto" and not request.score_column else ():
        predicted = name.casefold() in words.PREDICTIONS and name != request.id
        if predicted and name not in request.ignore and (name == own.id or own.numeric([name])):
            scores = way("if they are scores", score_column=[name])
            raise own.refusal(
                f"column {name!r} is called like predictions, and no column has the gold",
                [way("names the units", id=[name]) if name == own.id else scores],
            )
    asked = dict.fromkeys((*wanted, *(name.removeprefix("mean ") for name in wanted)))
    if chosen := [*request.score_column] or [name for name in asked if name in own.rest]:
        refuse_formatted(sheet, chosen)
    else:
        numeric, reasons = _numbers(own)
        chosen = [name for name in numeric if not (name in reasons or own.is_run(name))]
        own.leave(chosen, reasons)
        if not numeric:
            raise _one_system(own, [], [])
        if not chosen:
            chosen = [name for name in numeric if not words.is_number_of(name)]
            ways = [way("if these are the scores", score_column=chosen)] if chosen else []
            raise own.refusal(own.all_left(), ways, "; what is missing are the scores of the units")
        own.refuse()
    if not request.score_column:
        own.check_edges(chosen, "score-column")
    return own.layout("scores", ["score"] if len(chosen) == 1 else chosen, {"": chosen})


def _long(own: _Columns, system: str) -> Layout:
    """Scores of systems that every row names."""
    sheet, request = own.sheet, own.request
    own.rest = others = [name for name in own.rest if name not in request.system]
    numeric, distinct = own.numeric(others), own.distinct(system)
    reasons = why_no_scores(sheet, numeric)
    plain = [name for name in numeric if name not in reasons]
    numbers = not own.scores and own.numeric([system])
    if distinct and len(sheet) > 1 and not numbers:
        ways = [Remedy(why="tests over the columns as data sets", verb="datasets")]
        raise own.refusal(
            f"column {system!r} has another system in each of {len(sheet):,} rows: a leaderboard, "
            "and one score of a system is no test",
            ways if len({*own.scores, *numeric}) > 1 else [],
            "; what is missing are the scores of the units",
        )
    if not own.scores:
        refuse_formatted(sheet, others)
        scores = list(filter(is_metric, plain)) or plain or numeric
        if not scores:
            raise own.refusal("no column has numbers, expected the scores")
        ways = [way("if each is a system", system=[system, *scores])] if numbers else []
        if not distinct:
            if len(scores) > 1:
                ways.append(way("each is a metric", score_column=scores))
            ways += [way(score_column=[name]) for name in scores[:3]]
        found = f"column {system!r} names the system of every row, but no column is called 'score' "
        raise own.refusal(found + "or 'value'", ways)
    if own.id is None:
        raise _no_ids(own, others)
    columns = ("score",) if len(own.scores) == 1 else own.scores
    if not request.system and not request.score_column:
        own.leave((), {})
        ignored = [name for name in others if name not in plain]
        metrics = [*own.scores, *plain]
        also = way("if these are metrics too", score_column=metrics, ignore=ignored)
        own.refuse(*[also][: len(plain)])
    if not request.score_column:
        own.check_edges(own.scores, "score-column")
    return own.layout("scores", columns, {"": own.scores})


def _no_ids(own: _Columns, names: Sequence[str]) -> InputError:
    """What may have the ids of rows that name their systems: each once for every system."""
    few = [name for name in names if 3 * len(own.different(name)) <= 2 * len(own.sheet)]
    ways = [way(id=[name]) for name in few if own.once(name, own.system)]
    if not ways and own.cluster is not None:
        runs = [name for name in own.runs if own.once(own.cluster, name, own.system)]
        ways = [way(id=[own.cluster], run=[name]) for name in runs if not own.distinct(name)]
    return own.refusal(
        "no column is known to have the ids of the units",
        ways[:3],
        f", which rows of several systems need; there are {first_few(names)}",
    )


def _counts(own: _Columns, complete: Mapping[str, Mapping[str, str]]) -> Layout:
    """Counts of every system: tp, predicted and gold; tp, fp and fn; correct and items; errors."""
    wanted = own.request.system
    if own.system is not None:
        complete = {"": complete[""]} if "" in complete else {}
    if not complete:
        tp = "tp_NAME, predicted_NAME" if own.system is None else "tp, predicted"
        raise own.refusal(
            f"no counts of any system; expected columns such as {tp} and gold, or tp, fp and fn, "
            f"or correct and total; found {first_few(own.rest, 12)}"
        )
    if own.system is not None and own.id is None:
        raise _no_ids(own, [n for n in own.rest if n not in complete[""].values()])
    if own.system is None and wanted:
        check_there(wanted, complete, own.sheet.path)
        complete = {name: complete[name] for name in wanted}
    systems = {name: tuple(counts.values()) for name, counts in complete.items()}
    first, columns = next((name, list(counts)) for name, counts in complete.items())
    for name, counts in complete.items():
        if [*counts] != columns:
            has = f"{name} has {', '.join(counts)}, {first} has {', '.join(columns)}"
            raise own.refusal(f"{has}; expected the same for every system")
    if not wanted:
        own.first_as_id()
        own.leave([*chain.from_iterable(systems.values())], {})
        own.refuse()
    return own.layout("counts", columns, systems)


def _labels(own: _Columns) -> Layout:
    """Labels: the gold's, and columns that have these only; all others must be known."""
    gold, wanted = own.gold, own.request.system
    if gold is None:
        enough = len(own.rest) > 1 + own.alone
        raise own.refusal(
            f"no column {', '.join(words.GOLD_NAMES)} has the gold",
            [way(gold_column=[name]) for name in own.rest[:3] if enough],
            ", and that is what is missing",
        )
    missing = {"", *map(str.strip, own.sheet.dialect.missing)}
    known = {*own.different(gold)} - missing
    check_names(own.sheet, wanted)
    for name in wanted:
        if known.isdisjoint(own.different(name)):
            found = f"{own.sheet.path}: column {name!r} has no label of the gold, column {gold!r}"
            raise refused(found, _without_gold(own, [gold], wanted))
    if wanted:
        return own.layout("labels", ["label"], {name: [name] for name in wanted})
    golds = own.numeric(filter(_may_be_gold, own.rest))
    reasons = dict.fromkeys(golds, "may be the gold")
    systems, shares = [], []
    binary = own.kind(gold) == "0/1"  # then both labels are known, whichever the gold has
    for name in own.rest:
        if _is_no_system(name) or _may_be_gold(name):
            continue
        labels = [label for label in own.different(name) if label not in missing]
        both = binary and own.kind(name) == "0/1" and {*labels} <= {"0", "1"}
        if labels and (both or known.issuperset(labels)):
            systems.append(name)
        elif not known.isdisjoint(labels):
            shares.append(name)
            other = next(label for label in labels if label not in known)
            reasons[name] = f"has labels of the gold and others, such as {other!r}"
    own.leave(systems, reasons)
    predicted = not systems and own.kind(gold) in ("share", "real")
    for name in systems if binary else ():
        if JUDGED.intersection(words.parts_of(name)):
            raise own.refusal(
                f"column {name!r} is called like scores, and column {gold!r}, the gold, has "
                "nothing but 0 and 1",
                [way("if 1 is right", ignore=[gold]),
                 way("if they are labels like the gold's", system=systems)],
            )  # fmt: skip
    every = [name for name in own.rest if name in (*systems, *shares)]
    ways = []
    if shares and not predicted:
        if len(every) > own.alone:
            ways.append(way("if each is a system", system=every))
        if len(systems) <= own.alone:
            raise own.refusal(own.all_left(), ways or _without_gold(own, [gold], own.rest))
    if not systems:
        more = "; what is compared of predicted numbers are their errors" if predicted else ""
        scores = own.numeric(own.rest) if binary else []
        raise own.refusal(
            f"no column has the labels of the gold, column {gold!r}{more}",
            [*ranked(gold, scores), *_without_gold(own, [gold], own.rest)],
            ", expected one for every system, with labels written alike",
        )
    if own.alone and len(systems) == 1:
        texts = [name for name in own.left if own.kind(name) == "text"]
        none = f"; no label of the gold is in {first_few(texts, 3)}" if texts else ""
        raise own.refusal(
            f"found one system only, {systems[0]!r} beside the gold {gold!r}, expected two or "
            f"more{none}",
            [*_without_gold(own, [gold, *systems], own.left), _figures(systems[0], own.left)],
        )
    own.refuse(*ways)
    if not own.alone and len(systems) > 1:
        raise own.refusal(
            f"columns {first_few(systems)} all have labels of the gold, but each of several files "
            "is one system",
            [way(ignore=[n for n in systems if n != name]) for name in systems[:3]],
        )
    return own.layout("labels", ["label"], {name: [name] for name in systems})


def _without_gold(own: _Columns, ignored: Sequence[str], names: Iterable[str]) -> list[Remedy]:
    """Columns of numbers can be compared as scores, without what is called the gold."""
    if own.request.gold_column is not None or len(own.numeric(names)) < 2:
        return []
    return [way("compares scores, which need no gold", ignore=ignored)]
