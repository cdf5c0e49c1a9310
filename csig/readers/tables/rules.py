"""What the columns of a table are: what is declared, what has a reserved name, and nothing else.

A column that is neither is refused, with the command that says what it is; ``docs/formats.md``
has the rules on one page.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from csig.errors import InputError, Refusal, Remedy
from csig.readers.limits import check_systems
from csig.readers.request import OptionError, Request, option
from csig.readers.tables import names as words
from csig.readers.tables.declared import check_names
from csig.readers.tables.kinds import (
    SAMPLE,
    check_edges,
    check_kinds,
    kind_of,
    refuse_formatted,
    refuse_second_header,
    why_no_score,
)
from csig.readers.tables.names import is_metric, is_property, is_statistic, known_name, may_be_gold
from csig.readers.tables.rows import check_summaries
from csig.readers.tables.sheets import Sheet
from csig.wording import counted, first_few, perhaps

__all__ = ["FEWEST_CLUSTERS", "Layout", "layout_of"]

#: A column of a reserved name with fewer values is no clusters unless an option says so: swapping 3
#: whole gives no p-value below 2 / 2^3 = 0.25.
FEWEST_CLUSTERS = 4

#: Of more columns that are ignored a command names the systems.
MANY = 8


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
    rest: list[str]
    #: Why nothing accounts for a column; those that group the rows, and those that may be ids.
    reasons: dict[str, str] = field(default_factory=dict)
    groups: list[str] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)

    @property
    def runs(self) -> list[str]:
        """Columns that are called like runs: an option must say what they are."""
        known = [name for name in self.rest if name.casefold() in words.RUN_NAMES]
        return [name for name in known if name not in self.request.system]

    def kind(self, name: str) -> str:
        return kind_of(self.sheet, name)

    def numeric(self, names: Iterable[str] | None = None) -> list[str]:
        """Columns that have numbers, of the rest or of others."""
        names = self.rest if names is None else names
        return [name for name in names if self.kind(name) not in ("text", "empty")]

    def refuse_formatted(self, names: Iterable[str]) -> None:
        """Refuse texts that a person reads as numbers."""
        odd = [name for name in names if self.kind(name) in ("text", "odd")]
        refuse_formatted(self.sheet, odd)

    def check_edges(self, names: Sequence[str], declared: str) -> None:
        """Refuse values that stand for something else."""
        for name in names:
            what = f"{self.sheet.path}: column {name!r}"
            values = self.sheet.numbers(name).values
            check_edges(what, values, Remedy(option(declared, *names)))

    def first_as_id(self) -> None:
        """The first column is the ids if it has another text in every row and nothing else does."""
        first = self.sheet.names[0]
        text = self.id is None and first in self.rest and self.kind(first) == "text"
        if text and self.sheet.texts(first).distinct():
            self.id = first
            self.rest.remove(first)

    def once(self, *names: str | None) -> bool:
        """Whether no two rows have the same in these columns."""
        codes = np.zeros(len(self.sheet), dtype=np.intp)
        for name in names:
            if name is not None:
                own, different = self.sheet.texts(name).codes()
                codes = np.unique(codes * len(different) + own, return_inverse=True)[1]
        return len(np.unique(codes)) == len(codes)

    def naming_systems(self, names: Iterable[str]) -> list[str]:
        """Columns that may say whose row it is, at most three: with the ids, which repeat, once."""
        if self.id is None or self.sheet.texts(self.id).distinct():
            return []
        found = [
            name
            for name in names
            if 1 < len(self.sheet.texts(name).codes()[1]) < len(self.sheet)
            and self.once(self.id, name)
        ]
        return found[:3]

    def fits_as_gold(self, name: str) -> bool:
        """Whether a column is called like a gold, and two others have its values only."""
        if name.casefold() not in words.PERHAPS_GOLD or self.gold or self.system:
            return False
        known = {*self.sheet.texts(name).codes()[1]}
        others = [self.sheet.texts(own) for own in self.rest if own != name]
        return sum(known.issuperset(own.codes()[1]) for own in others) > self.alone

    def layout(
        self,
        form: str,
        columns: Sequence[str],
        systems: Mapping[str, Sequence[str]],
        gold: str | None = None,
    ) -> Layout:
        return Layout(
            form,
            tuple(columns),
            {name: tuple(own) for name, own in systems.items()},
            self.system,
            self.id,
            self.cluster,
            gold,
            self.request.run,
        )

    # ---- columns that nothing accounts for -------------------------------------------------------

    def leave(self, name: str, why: str | None = None) -> None:
        """A column that nothing accounts for, by its name or by what it holds."""
        texts, kind = self.sheet.texts(name), self.kind(name)
        if kind == "odd" and self.gold is not None:
            kind = "text"
        if why is None and name in self.runs:
            why = "is called like the runs of a system"
        elif kind == "empty":
            why = "is empty"
        elif kind == "text" and texts.distinct():
            why = "has another text in every row"
        elif kind == "text":
            different = len(texts.codes()[1])
            why = f"has {counted(different, 'different text')} in {counted(len(texts), 'row')}"
            if different > 1 and texts.sizes.min():
                self.groups.append(name)
        if kind in ("text", "whole") and texts.distinct() and texts.sizes.min():
            self.ids.append(name)
        self.reasons[name] = why or "holds numbers that no rule accounts for"

    def refuse(
        self, *first: Remedy, what: str = "", only: bool = False, systems: Sequence[str] = ()
    ) -> None:
        """Refuse the columns that are left, if any, with every way to say what they are.

        Where nothing is left to compare without them, ``only`` the first ways help.
        """
        if self.reasons:
            said = [f"column {name!r} {why}" for name, why in self.reasons.items()]
            more = f" and {len(said) - 4} more" if len(said) > 4 else ""
            ways = first if only else self._ways(first, systems)
            raise Refusal(f"{self.sheet.header}: {', '.join(said[:4])}{more}{what}", *ways)

    def _ways(self, first: Sequence[Remedy], systems: Sequence[str]) -> list[Remedy]:
        def declared(role: str, name: str, why: str) -> Remedy:
            return Remedy(option(role, name) + without(name), why)

        def without(*names: str) -> tuple[str, ...]:
            if len(self.reasons) > MANY and 1 < len(systems) <= MANY:
                return option("system", *systems)
            return option("ignore", *(name for name in self.reasons if name not in names))

        golds = filter(self.fits_as_gold, self.reasons)
        ways = [*(Remedy(option("gold-column", name)) for name in golds), *first]
        groups = self.groups if self.cluster is None else []
        unit = (self.id, self.system, self.cluster, self.request.run)
        repeated = self.id is not None and not self.once(*unit)
        ids = self.ids if self.id is None else []
        for name in groups[:3]:
            why = "swaps whole groups: right if rows of a group are alike"
            ways.append(declared("cluster", name, why))
        for name in self.runs if repeated and self.gold is None else ():
            if name in self.reasons and self.once(*unit, name):
                ways.append(declared("run", name, "swaps a unit with all its runs"))
        for name in ids[:1]:
            ways.append(declared("id", name, "names the units"))
        if not ways or not repeated:
            plain = "swaps single rows" if groups else ""
            by_order = ids and not self.alone
            ways.append(Remedy(without(), "matches rows by their order" if by_order else plain))
        return ways


# ---- roles by name -------------------------------------------------------------------------------


def _columns(sheet: Sheet, request: Request, alone: bool) -> _Columns:
    declared = {
        request.cluster, request.gold_column, request.run, request.system_column,
        *request.system, *request.ignore, *request.score_column,
    }  # fmt: skip
    free = [name for name in sheet.names if name not in declared]
    id_ = request.id or known_name(free, words.ID_NAMES)
    free = [name for name in free if name != id_]
    system = request.system_column or known_name(free, words.SYSTEM_NAMES)
    gold = request.gold_column or known_name(free, words.GOLD_NAMES)
    scores = request.score_column
    if not scores and system is not None and (known := known_name(free, words.SCORE_NAMES)):
        scores = (known,)
    id_, cluster = _units(sheet, request, id_, free, system is None and request.run is None)
    used = {id_, cluster, gold, request.run, system, *scores, *request.ignore, request.by}
    rest = [name for name in sheet.names if name not in used]
    if {*request.system} == {system}:
        system = None
    return _Columns(sheet, request, alone, id_, cluster, gold, system, scores, rest)


def _units(
    sheet: Sheet, request: Request, id_: str | None, free: Sequence[str], rows_are_units: bool
) -> tuple[str | None, str | None]:
    """The ids and the clusters: ids that repeat group the rows, groups of one row each are ids."""
    if request.cluster is not None:
        return id_, request.cluster

    def way(name: str, *more: str) -> Remedy:
        number = len(sheet.texts(name).codes()[1])
        return Remedy(
            option("cluster", name) + more, f"swaps the {number:,} values of {name} whole"
        )

    found = [n for n in free if n.casefold() in words.CLUSTER_NAMES and n != request.by]
    if rows_are_units:
        distinct = [name for name in found if sheet.texts(name).distinct()]
        may_group = id_ is not None and request.id is None and not sheet.texts(id_).distinct()
        if id_ is None:
            id_ = next(iter(distinct), None)
        elif may_group and not found and id_.casefold() in words.CLUSTER_NAMES:
            return None, id_
        found = [name for name in found if name not in distinct]
        if (
            may_group
            and id_ is not None
            and id_.casefold() in words.QUERY_NAMES
            and len(found) == 1
            and found[0].casefold() in words.DOCUMENT_NAMES
        ):
            raise Refusal(
                f"{sheet.header}: columns {id_!r} and {found[0]!r} both repeat, and either may "
                "group the rows",
                way(id_, *option("id", found[0])),
                way(found[0], *option("id", id_)),
            )
    if len(found) > 1:
        raise Refusal(
            f"{sheet.header}: {first_few(found)} have the names of clusters, which are swapped "
            "whole, and only one column can be them",
            *(way(name, *option("ignore", *(n for n in found if n != name))) for name in found),
        )
    return id_, next(iter(found), None)


def _check_clusters(own: _Columns) -> None:
    """Refuse clusters that are too few to show anything, unless they are declared."""
    sheet, name = own.sheet, own.cluster
    if name is None or own.request.cluster is not None:
        return
    texts = sheet.texts(name)
    if len(texts[:SAMPLE].codes()[1]) >= FEWEST_CLUSTERS:  # a look at the first ends most searches
        return
    number = len(texts.codes()[1])
    if number >= FEWEST_CLUSTERS:
        return
    single = (*option("cluster", name), "--unit", "unit")
    if own.id is None or own.system is not None or sheet.texts(own.id).distinct():
        single = option("ignore", name)
    raise Refusal(
        f"{sheet.header}: column {name!r} has the name of clusters, but only "
        f"{counted(number, 'value')}: swapping {number} whole gives no p-value below "
        f"{2.0 ** (1 - number):g}",
        Remedy(single, "swaps single rows, as if they were independent"),
        Remedy(option("cluster", name), "swaps whole groups"),
    )


# ---- one table -----------------------------------------------------------------------------------


def layout_of(
    sheet: Sheet, request: Request, *, alone: bool = True, metrics: Sequence[str] = ()
) -> Layout:
    """What the columns of a table are."""
    own = _columns(sheet, request, alone)
    _check_clusters(own)
    form = request.format if request.format in ("scores", "counts", "labels") else None
    counts = words.complete_counts([n for n in sheet.names if n in own.rest or n == own.gold])
    gold_declared = form == "labels" or request.gold_column is not None
    if form == "counts" or (form is None and counts and not gold_declared):
        _check_rows(own)
        return _counts(own, counts)
    if own.system is not None and gold_declared:
        raise OptionError("labels need one column for every system, not one row")
    if own.system is None and (gold_declared or (form is None and own.gold is not None)):
        return _labels(own)
    _check_rows(own)
    if own.system is not None:
        return _long(own, own.system)
    return _wide(own) if alone else _metrics(own, metrics)


def _check_rows(own: _Columns) -> None:
    """Refuse rows of several metrics, as trec_eval writes them, and rows that sum up others."""
    sheet, request = own.sheet, own.request
    for name in () if request.system or request.score_column else own.rest:
        metrics = sheet.texts(name).codes()[1] if own.kind(name) == "text" else ()
        known = list(filter(is_metric, metrics))
        if len(known) < 2 or 2 * len(known) < len(metrics):
            continue
        cells = [cell for first in sheet.names[:2] for cell in sheet.texts(first).codes()[1]]
        sums = dict.fromkeys(filter(words.is_summary, cells))
        ways = []
        for metric in known[:3]:
            others = [other for other in metrics if other != metric]
            options = option("ignore", name) + option("drop-row", *others, *sums)
            if words.direction_of(words.parts_of(metric)) == "lower":
                options += ("--lower-is-better",)
            ways.append(Remedy(options, f"compares {metric}"))
        raise Refusal(
            f"{sheet.header}: column {name!r} names metrics, such as {first_few(metrics, 3)}, and "
            "only scores of one metric have a mean",
            *ways,
        )
    check_summaries(sheet, request, (own.system, *request.ignore))


# ---- one row per unit ----------------------------------------------------------------------------


def _wide(own: _Columns) -> Layout:
    """Scores with one column per system."""
    sheet, request = own.sheet, own.request
    if request.system:
        check_names(sheet, request.system)
        return own.layout("scores", ("score",), {name: (name,) for name in request.system})
    check_systems(sheet.path, len(own.rest))
    own.refuse_formatted(own.rest)
    own.first_as_id()
    numeric = own.numeric()
    refuse_second_header(sheet, numeric)
    reasons = _why_no_systems(own, numeric)
    systems = [name for name in numeric if name not in reasons and name not in own.runs]
    metrics = [name for name in systems if is_metric(name)]
    if metrics and len(metrics) == len(systems) > 1:
        declared = option("score-column", *metrics)
        raise Refusal(
            f"{sheet.header}: columns {first_few(metrics)} have the names of metrics, so this is "
            "one system; what is missing is the same file of a second one",
            *(
                Remedy(option("system-column", name) + declared, f"if {name} names the systems")
                for name in own.naming_systems(own.runs)
            ),
            Remedy(option("system", *metrics), "if each column is a system after all"),
        )
    for name in own.rest:
        if name in metrics:
            own.reasons[name] = "is the name of a metric"
        elif name not in systems:
            own.leave(name, reasons.get(name))
    systems = [name for name in systems if name not in metrics]
    possible = [n for n in numeric if not (n in own.runs or is_property(n) or is_statistic(n))]
    if len(possible) < 2:
        scores = [name for name in numeric if name.casefold() in words.SCORE_NAMES]
        raise _one_system(own, scores or systems or metrics, numeric)
    if len(systems) < 2:
        way = Remedy(option("system", *numeric), "if each column is a system")
        own.refuse(way, what="; fewer than two columns are left", only=True)
    _check_one_metric(sheet, systems)
    own.check_edges(systems, "system")
    check_kinds(sheet, request, systems, {name: own.kind(name) for name in systems})
    # A name says more than an order, which two or three rows have by chance.
    ordered = [name for name in numeric if name in own.reasons and not _is_no_system(name)]
    every = option("system", *(name for name in numeric if name in (*systems, *ordered)))
    ways = [Remedy(every, "if each is a system")] if ordered else []
    own.refuse(*ways, systems=systems)
    return own.layout("scores", ("score",), {name: (name,) for name in systems})


def _is_no_system(name: str) -> bool:
    return is_property(name) or is_statistic(name) or is_metric(name)


def _why_no_systems(own: _Columns, numeric: Sequence[str]) -> dict[str, str]:
    """Columns of numbers that may be no systems, and why."""
    first = own.rest[0] if own.rest and own.id is None else None
    beside_x = "x" in numeric or len(numeric) < 3  # x and y are two systems
    reasons = {}
    for name in numeric:
        small, why = name.casefold(), why_no_score(own.sheet, name, own.kind(name), first)
        if small in words.SCORE_NAMES:
            why = "is called like the scores of one system"
        elif may_be_gold(name) or (small == "y" and not beside_x):
            why = "may be the gold"
            if own.kind(name) != "0/1":
                why += ", and what is compared are the errors of its predictions"
        if why:
            reasons[name] = why
    return reasons


def _check_one_metric(sheet: Sheet, systems: Sequence[str]) -> None:
    """Refuse columns whose names all have a metric, and not the same."""
    metrics: dict[str, list[str]] = {}
    for name in systems:
        metrics.setdefault(words.metric_in(name), []).append(name)
    if "" in metrics or len(metrics) < 2:
        return
    raise Refusal(
        f"{sheet.header}: columns {first_few(systems, 4)} have the names of several metrics, "
        f"{first_few(metrics)}, and systems are compared by one",
        *(
            Remedy(option("system", *names), f"compares {metric}")
            for metric, names in metrics.items()
            if len(names) > 1
        ),
        Remedy(option("system", *systems), "if each is a system"),
    )


def _one_system(own: _Columns, scores: Sequence[str], numeric: Sequence[str]) -> InputError:
    """What to say where no second column has scores; perhaps rows name their systems."""
    sheet, others = own.sheet, own.reasons
    if not numeric:
        found = "no column has numbers, expected one for every system; there are " + first_few(
            others or sheet.names, 12
        )
        golds = [Remedy(option("gold-column", name)) for name in others if own.fits_as_gold(name)]
        return _refusal(sheet, found, golds)
    score = (scores or numeric)[0]
    found = (
        f"found one system only, {score!r}, expected two or more: a column for each, or a file "
        "for each"
    )
    if not scores:
        why = [f"column {name!r} {others[name]}" for name in numeric[:4]]
        found = f"{', '.join(why)}; no column is left for the systems"
    ways = []
    for name in own.naming_systems(n for n in others if n != score):
        ignored = option("ignore", *(n for n in others if n not in (name, *numeric)))
        options = option("system-column", name) + option("score-column", score) + ignored
        ways.append(Remedy(options, f"if {name} names the system of every row"))
    if len(numeric) > 1:
        ways.append(Remedy(option("system", *numeric), "if each of these is a system"))
    if scores and (own.id is None or sheet.texts(own.id).distinct()):
        ways.append(_figures(score, [name for name in others if name != score]))
    return _refusal(sheet, found, ways)


def _refusal(sheet: Sheet, found: str, ways: Sequence[Remedy], without: str = "") -> InputError:
    """A refusal with the ways out; without any, an error that may say what is missing."""
    found = f"{sheet.header}: {found}"
    return Refusal(found, *ways) if ways else InputError(found + without)


def _figures(system: str, others: Iterable[str]) -> Remedy:
    """What there is to say of one system."""
    options = option("system", system) + option("ignore", *others)
    return Remedy(options, "its figures", verb="describe")


def _metrics(own: _Columns, wanted: Sequence[str]) -> Layout:
    """One of several files: a system, whose columns of numbers are metrics."""
    sheet, request = own.sheet, own.request
    asked = dict.fromkeys((*wanted, *(name.removeprefix("mean ") for name in wanted)))
    chosen = list(request.score_column) or [name for name in asked if name in own.rest]
    own.first_as_id()
    if systems := [name for name in request.system if name in sheet.names]:
        return own.layout("scores", ("score",), {name: (name,) for name in systems})
    own.refuse_formatted(chosen or own.rest)
    if not chosen:
        numeric = own.numeric()
        refuse_second_header(sheet, numeric)
        first = own.rest[0] if own.id is None and len(numeric) > 1 else None
        reasons = {name: why_no_score(sheet, name, own.kind(name), first) for name in numeric}
        chosen = [name for name in numeric if not reasons[name] and name not in own.runs]
        for name in own.rest:
            if name not in chosen:
                own.leave(name, reasons.get(name))
        if not numeric:
            raise _one_system(own, [], [])
        ways = (
            [] if chosen else [Remedy(option("score-column", *numeric), "if these are the scores")]
        )
        own.refuse(*ways, only=not chosen)
    if not request.score_column:
        own.check_edges(chosen, "score-column")
    return own.layout("scores", ["score"] if len(chosen) == 1 else chosen, {"": chosen})


# ---- one row per unit and system -----------------------------------------------------------------


def _long(own: _Columns, system: str) -> Layout:
    """Scores of systems that every row names."""
    sheet, request = own.sheet, own.request
    others = [name for name in own.rest if name not in request.system]
    numeric, distinct = own.numeric(others), sheet.texts(system).distinct()
    numbers = not own.scores and own.numeric([system])
    if distinct and len(sheet) > 1 and not numbers:
        enough = len({*own.scores, *numeric}) > 1
        ways = [Remedy(why="tests over the columns as data sets", verb="datasets")]
        raise _refusal(
            sheet,
            f"column {system!r} has another system in each of {len(sheet):,} rows: a leaderboard, "
            "and one score of a system is no test",
            ways if enough else [],
            "; what is missing are the scores of the units",
        )
    plain = [name for name in numeric if not why_no_score(sheet, name, own.kind(name))]
    if not own.scores:
        own.refuse_formatted(others)
        scores = plain or numeric
        if not scores:
            raise InputError(f"{sheet.header}: no column has numbers, expected the scores")
        ways = [Remedy(option("system", system, *scores), "if each is a system")] if numbers else []
        if not distinct:
            several = len(scores) > 1
            ways.append(Remedy(option("score-column", *scores), "each is a metric" * several))
            ways += [Remedy(option("score-column", name)) for name in scores[:3] if several]
        raise Refusal(
            f"{sheet.header}: column {system!r} names the system of every row, but no column is "
            "called 'score' or 'value'",
            *ways,
        )
    if own.id is None:
        raise _no_ids(own, others)
    if not request.system and not request.score_column:
        for name in others:
            own.leave(name)
        ignored = option("ignore", *(name for name in others if name not in plain))
        also = option("score-column", *own.scores, *plain) + ignored
        own.refuse(*([Remedy(also, "if these are metrics too")] if plain else ()))
    if not request.score_column:
        own.check_edges(own.scores, "score-column")
    columns = ("score",) if len(own.scores) == 1 else own.scores
    return own.layout("scores", columns, {"": own.scores})


def _no_ids(own: _Columns, names: Sequence[str]) -> InputError:
    """What may have the ids of rows that name their systems: each once for every system."""
    sheet = own.sheet
    possible = [
        name
        for name in names
        if 3 * len(sheet.texts(name).codes()[1]) <= 2 * len(sheet) and own.once(name, own.system)
    ]
    return _refusal(
        sheet,
        "no column is known to have the ids of the units",
        [Remedy(option("id", name)) for name in possible[:3]],
        f", which rows of several systems need; there are {first_few(names)}",
    )


# ---- counts --------------------------------------------------------------------------------------


def _counts(own: _Columns, complete: Mapping[str, Mapping[str, str]]) -> Layout:
    """Counts of every system: tp, predicted and gold; tp, fp and fn; correct and items; errors."""
    sheet, request = own.sheet, own.request
    if own.system is not None:
        if "" not in complete:
            raise InputError(
                f"{sheet.header}: expected columns tp, predicted and gold, or tp, fp and fn, or "
                f"correct and total; found {first_few(own.rest, 12)}"
            )
        complete = {"": complete[""]}
        if own.id is None:
            raise _no_ids(own, [n for n in own.rest if n not in complete[""].values()])
    elif not complete:
        raise InputError(
            f"{sheet.header}: no counts of any system; expected columns such as tp_NAME, "
            "predicted_NAME and gold, or tp, fp and fn, or correct and total"
        )
    elif request.system:
        missing = [name for name in request.system if name not in complete]
        if missing:
            raise InputError(
                f"{sheet.path}: no system {first_few(missing)}{perhaps(missing[0], complete)}; "
                f"there are {first_few(complete, 12)}"
            )
        complete = {name: complete[name] for name in request.system}
    first, columns = next((name, tuple(counts)) for name, counts in complete.items())
    for name, counts in complete.items():
        if tuple(counts) != columns:
            raise InputError(
                f"{sheet.header}: {name} has {', '.join(counts)}, {first} has "
                f"{', '.join(columns)}; expected the same for every system"
            )
    if not request.system:
        used = {name for counts in complete.values() for name in counts.values()}
        own.first_as_id()
        for name in own.rest:
            if name not in used:
                own.leave(name)
        own.refuse()
    systems = {name: tuple(counts.values()) for name, counts in complete.items()}
    return own.layout("counts", columns, systems)


# ---- labels --------------------------------------------------------------------------------------


def _labels(own: _Columns) -> Layout:
    """Labels: the gold's, and those of every system."""
    sheet, request, gold = own.sheet, own.request, own.gold
    if gold is None:
        enough = len(own.rest) > 1 + own.alone
        raise _refusal(
            sheet,
            f"no column {', '.join(words.GOLD_NAMES)} has the gold",
            [Remedy(option("gold-column", name)) for name in own.rest[:3] if enough],
            ", and that is what is missing",
        )
    known = {*sheet.texts(gold).codes()[1]} - {""}
    if not request.system:
        systems = _with_labels(own, gold, known)
    else:
        check_names(sheet, request.system)
        systems = list(request.system)
        for name in systems:
            if known.isdisjoint(sheet.texts(name).codes()[1]):
                found = f"{sheet.path}: column {name!r} has no label of the gold, column {gold!r}"
                raise Refusal(found, *_without_gold(own, [gold], systems))
    return own.layout("labels", ("label",), {name: (name,) for name in systems}, gold)


def _with_labels(own: _Columns, gold: str, known: set[str]) -> list[str]:
    """The columns that have the gold's labels only; all others must be ignored or declared."""
    sheet, names = own.sheet, own.rest
    systems: list[str] = []
    shares: list[str] = []
    binary = own.kind(gold) == "0/1"  # then both labels are known, whichever the gold has
    for name in names:
        labels = [label for label in sheet.texts(name).codes()[1] if label]
        both = binary and own.kind(name) == "0/1" and {*labels} <= {"0", "1"}
        none = known.isdisjoint(labels) and not both
        if none or _is_no_system(name) or may_be_gold(name):
            own.leave(name, "may be the gold" if may_be_gold(name) else None)
        elif known.issuperset(labels) or both:
            systems.append(name)
        else:
            shares.append(name)
            other = next(label for label in labels if label not in known)
            own.reasons[name] = f"has labels of the gold and others, such as {other!r}"
    numbers = own.kind(gold) in ("share", "real")
    if numbers and not systems:
        raise _no_answers(own, gold, "; what is compared of predicted numbers are their errors")
    if binary:
        _check_judged(own, gold, systems)
    if shares:
        every = option("system", *(name for name in names if name in (*systems, *shares)))
        own.refuse(Remedy(every, "if each is a system"), only=len(systems) <= own.alone)
    if not systems:
        raise _no_answers(own, gold)
    if own.alone and len(systems) == 1:
        others = [name for name in names if name not in systems]
        texts = [name for name in others if own.kind(name) == "text"]
        more = f"; no label of the gold is in {first_few(texts, 3)}" if texts else ""
        raise Refusal(
            f"{sheet.header}: found one system only, {systems[0]!r} beside the gold {gold!r}, "
            f"expected two or more{more}",
            *_without_gold(own, [gold, *systems], others),
            _figures(systems[0], own.reasons),
        )
    own.refuse()
    if not own.alone and len(systems) > 1:
        raise Refusal(
            f"{sheet.header}: columns {first_few(systems)} all have labels of the gold, but each "
            "of several files is one system",
            *(Remedy(option("ignore", *(n for n in systems if n != name))) for name in systems[:3]),
        )
    return systems


def _check_judged(own: _Columns, gold: str, systems: Sequence[str]) -> None:
    """Refuse columns beside a gold of 0 and 1 whose names say that 1 is right, or wrong."""
    judged = {"correct", "right", "wrong", "score", "hit", "error"}
    for name in systems:
        if judged.intersection(words.parts_of(name)):
            raise Refusal(
                f"{own.sheet.header}: column {name!r} is called like scores, and column {gold!r}, "
                "the gold, has nothing but 0 and 1",
                Remedy(option("ignore", gold), "if 1 is right"),
                Remedy(option("system", *systems), "if they are labels like the gold's"),
            )


def _without_gold(own: _Columns, ignored: Sequence[str], names: Sequence[str]) -> list[Remedy]:
    """Columns of numbers can be compared as scores, without what is called the gold."""
    if own.request.gold_column is not None or len(own.numeric(names)) < 2:
        return []
    return [Remedy(option("ignore", *ignored), "compares scores, which need no gold")]


def _no_answers(own: _Columns, gold: str, more: str = "") -> InputError:
    return _refusal(
        own.sheet,
        f"no column has the labels of the gold, column {gold!r}{more}",
        _without_gold(own, [gold], own.rest),
        ", expected one for every system, with labels written alike",
    )
