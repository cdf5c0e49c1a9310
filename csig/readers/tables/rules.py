"""What the columns of a table are: what is declared, what has a reserved name, and nothing else.

A column that is neither is refused, with the command that says what it is; ``docs/formats.md``
has the rules on one page.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from csig.errors import InputError, Refusal, Remedy
from csig.readers.limits import check_systems
from csig.readers.request import OptionError, Request, option
from csig.readers.tables.declared import check_crossed, check_judged, check_names
from csig.readers.tables.kinds import (
    SAMPLE,
    check_edges,
    check_kinds,
    kind_of,
    refuse_formatted,
    refuse_second_header,
    why_no_score,
)
from csig.readers.tables.names import (
    CLUSTER_NAMES,
    GOLD_NAMES,
    ID_NAMES,
    PERHAPS_GOLD,
    RUN_NAMES,
    SCORE_NAMES,
    SYSTEM_NAMES,
    complete_counts,
    direction_of,
    is_metric,
    is_property,
    is_statistic,
    is_summary,
    known_name,
    may_be_gold,
    metric_in,
    parts_of,
)
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


@dataclass(frozen=True)
class _Roles:
    """The columns that are declared or have a reserved name, and the rest."""

    id: str | None
    cluster: str | None
    gold: str | None
    run: str | None
    system: str | None
    scores: tuple[str, ...]
    rest: tuple[str, ...]
    #: Columns of the rest that have the name of runs: an option must say what they are.
    perhaps_runs: tuple[str, ...] = ()


# ---- roles by name -------------------------------------------------------------------------------


def _roles(sheet: Sheet, request: Request) -> _Roles:
    declared = {
        request.cluster, request.gold_column, request.run, request.system_column,
        *request.system, *request.ignore, *request.score_column,
    }  # fmt: skip
    free = [name for name in sheet.names if name not in declared]
    id_ = request.id or known_name(free, ID_NAMES)
    free = [name for name in free if name != id_]
    system = request.system_column or known_name(free, SYSTEM_NAMES)
    gold = request.gold_column or known_name(free, GOLD_NAMES)
    scores = request.score_column
    if not scores and system is not None and (known := known_name(free, SCORE_NAMES)):
        scores = (known,)
    cluster = request.cluster
    if cluster is None:
        found = [name for name in free if name.casefold() in CLUSTER_NAMES and name != request.by]
        rows_are_units = system is None and request.run is None
        if id_ is not None and id_.casefold() in CLUSTER_NAMES and not found:
            free_id = request.id is None and rows_are_units
            if free_id and not sheet.texts(id_).distinct():
                found, id_ = [id_], None  # what repeats groups the rows
        distinct = [name for name in found if rows_are_units and sheet.texts(name).distinct()]
        if id_ is None and distinct:
            id_ = distinct[0]
        found = [name for name in found if name not in distinct]
        if len(found) > 1:
            raise Refusal(
                f"{sheet.header}: {first_few(found)} have the names of clusters, which are swapped "
                "whole, and only one column can be them",
                *(
                    Remedy(
                        option("cluster", name)
                        + option("ignore", *(n for n in found if n != name)),
                        f"swaps the {len(sheet.texts(name).codes()[1]):,} values of {name} whole",
                    )
                    for name in found
                ),
            )
        cluster = found[0] if found else None
        if id_ is not None and cluster is not None and rows_are_units and request.id is None:
            check_crossed(sheet, id_, cluster)
    used = {id_, cluster, gold, request.run, system, *scores, *request.ignore, request.by}
    rest = tuple(name for name in sheet.names if name not in used)
    runs = tuple(n for n in rest if n.casefold() in RUN_NAMES and n not in request.system)
    return _Roles(id_, cluster, gold, request.run, system, scores, rest, runs)


def _check_clusters(sheet: Sheet, request: Request, roles: _Roles) -> None:
    """Refuse clusters that are too few to show anything, unless they are declared."""
    name = roles.cluster
    if name is None or request.cluster is not None:
        return
    texts = sheet.texts(name)
    if len(texts[:SAMPLE].codes()[1]) >= FEWEST_CLUSTERS:  # a look at the first ends most searches
        return
    number = len(texts.codes()[1])
    if number >= FEWEST_CLUSTERS:
        return
    single = (*option("cluster", name), "--unit", "unit")
    if roles.id is None or roles.system is not None or sheet.texts(roles.id).distinct():
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
    roles = _roles(sheet, request)
    if {*request.system} == {roles.system}:
        roles = replace(roles, system=None)
    _check_clusters(sheet, request, roles)
    form = request.format if request.format in ("scores", "counts", "labels") else None
    free = [n for n in (*roles.rest, *([roles.gold] if roles.gold else ())) if n]
    counts = complete_counts([name for name in sheet.names if name in free])
    of_counts = form == "counts" or (form is None and request.gold_column is None and counts)
    declared = form == "labels" or request.gold_column is not None
    if declared and roles.system is not None and not of_counts:
        raise OptionError("labels need one column for every system, not one row")
    of_labels = declared or (form is None and roles.gold is not None)
    if of_labels and roles.system is None and not of_counts:
        return _labels(sheet, request, roles, alone)
    _check_rows(sheet, request, roles)
    if of_counts:
        return _counts(sheet, request, roles, counts)
    if roles.system is not None:
        return _long(sheet, request, roles)
    if form == "scores" and roles.gold is not None and request.gold_column is None:
        rest = tuple(n for n in sheet.names if n in (*roles.rest, roles.gold))
        roles = replace(roles, gold=None, rest=rest)
    return _wide(sheet, request, roles) if alone else _metrics(sheet, request, roles, metrics)


def _layout(form: str, roles: _Roles, columns: Iterable[str], systems: Mapping[str, Sequence[str]],
            **more: object) -> Layout:  # fmt: skip
    named = {name: tuple(own) for name, own in systems.items()}
    values = {"id": roles.id, "cluster": roles.cluster, "run": roles.run, **more}
    return Layout(form, tuple(columns), named, **values)  # type: ignore[arg-type]


@dataclass
class _Rest:
    """Columns that nothing accounts for: why, and which group the rows."""

    sheet: Sheet
    roles: _Roles
    reasons: dict[str, str] = field(default_factory=dict)
    groups: dict[str, int] = field(default_factory=dict)
    ids: list[str] = field(default_factory=list)
    #: The columns that are systems, if they are known.
    systems: list[str] = field(default_factory=list)
    #: Whether there is no other file with the same rows.
    alone: bool = True

    def add(self, name: str, kind: str, why: str | None = None) -> None:
        """A column, with a reason; else with that of its name or of what it holds."""
        texts = self.sheet.texts(name)
        if why is None and name in self.roles.perhaps_runs:
            why = "is called like the runs of a system"
        elif kind == "empty":
            why = "is empty"
        elif kind == "text":
            different = len(texts.codes()[1])
            why = "has another text in every row"
            if not texts.distinct():
                rows = counted(len(self.sheet), "row")
                why = f"has {counted(different, 'different text')} in {rows}"
                if different > 1 and texts.sizes.min():
                    self.groups[name] = different
        if kind in ("text", "whole") and texts.distinct() and texts.sizes.min():
            self.ids.append(name)
        self.reasons[name] = why or "holds numbers that no rule accounts for"

    def refuse(self, *first: Remedy, what: str = "", only: bool = False) -> None:
        """Refuse the columns, if there are any, with every way to say what they are.

        Where nothing is left to compare without them, ``only`` the first ways help.
        """
        if not self.reasons:
            return
        possible = self.roles.id is not None and self.roles.gold is None and not self._once()
        golds = [name for name in self.reasons if not only and self.fits_as_gold(name)]
        runs = [n for n in self.reasons if n in self.roles.perhaps_runs and self._once(n)]
        runs = runs if possible else []
        groups = [] if self.roles.cluster is not None else [*self.groups]

        def but(*names: str) -> tuple[str, ...]:
            if len(self.reasons) > MANY and 1 < len(self.systems) <= MANY:  # ignores the rest
                return option("system", *self.systems)
            return option("ignore", *(name for name in self.reasons if name not in names))

        remedies = [*(Remedy(option("gold-column", name)) for name in golds), *first]
        for name in groups[:3]:
            why = "swaps whole groups: right if rows of a group are alike"
            remedies.append(Remedy(option("cluster", name) + but(name), why))
        for name in runs:
            why = "swaps a unit with all its runs"
            remedies.append(Remedy(option("run", name) + but(name), why))
        if self.roles.id is None:
            for name in self.ids[:1]:
                remedies.append(Remedy(option("id", name) + but(name), "names the units"))
        plain = "swaps single rows" if groups else ""
        if self.ids and self.roles.id is None and not self.alone:
            plain = "matches rows by their order"
        if not remedies or self._once():
            remedies.append(Remedy(but(), plain))
        if only:
            remedies = list(first)
        said = [f"column {name!r} {why}" for name, why in self.reasons.items()]
        more = f" and {len(said) - 4} more" if len(said) > 4 else ""
        raise Refusal(f"{self.sheet.header}: {', '.join(said[:4])}{more}{what}", *remedies)

    def fits_as_gold(self, name: str) -> bool:
        """Whether a column is called like a gold, and two others have its values only."""
        roles = self.roles
        if name.casefold() not in PERHAPS_GOLD or roles.gold or roles.system:
            return False
        known = {*self.sheet.texts(name).codes()[1]}
        others = [self.sheet.texts(own) for own in roles.rest if own != name]
        return sum(known.issuperset(own.codes()[1]) for own in others) > self.alone

    def _once(self, *more: str) -> bool:
        """Whether no two rows have one id, system and cluster, and the same in more columns."""
        roles, codes = self.roles, np.zeros(len(self.sheet), dtype=np.intp)
        for name in (roles.id, roles.system, roles.cluster, roles.run, *more):
            if name is not None:
                own, different = self.sheet.texts(name).codes()
                codes = np.unique(codes * len(different) + own, return_inverse=True)[1]
        return roles.id is None or len(np.unique(codes)) == len(codes)


def _check_rows(sheet: Sheet, request: Request, roles: _Roles) -> None:
    """Refuse rows of several metrics, as trec_eval writes them, and rows that sum up others."""
    declared = request.system or request.score_column
    for name in () if declared else roles.rest:
        metrics = sheet.texts(name).codes()[1] if kind_of(sheet, name) == "text" else ()
        known = list(filter(is_metric, metrics))
        if len(known) < 2 or 2 * len(known) < len(metrics):
            continue
        cells = [cell for own in sheet.names[:2] for cell in sheet.texts(own).codes()[1]]
        sums = dict.fromkeys(filter(is_summary, cells))
        raise Refusal(
            f"{sheet.header}: column {name!r} names metrics, such as {first_few(metrics, 3)}, and "
            "only scores of one metric have a mean",
            *(
                Remedy(
                    option("ignore", name)
                    + option("drop-row", *(n for n in metrics if n != own), *sums)
                    + ("--lower-is-better",) * (direction_of(parts_of(own)) == "lower"),
                    f"compares {own}",
                )
                for own in known[:3]
            ),
        )
    check_summaries(sheet, request, (roles.system, *request.ignore))


def _wide(sheet: Sheet, request: Request, roles: _Roles) -> Layout:
    """Scores with one row per unit and one column per system."""
    if request.system:
        check_names(sheet, request.system)
        return _layout("scores", roles, ("score",), {name: (name,) for name in request.system})
    check_systems(sheet.path, len(roles.rest))
    kinds = {name: kind_of(sheet, name) for name in roles.rest}
    refuse_formatted(sheet, [name for name in roles.rest if kinds[name] in ("text", "odd")])
    roles = _first_as_id(sheet, roles)
    rest = _Rest(sheet, roles)
    numeric = [name for name in roles.rest if kinds[name] not in ("text", "empty")]
    refuse_second_header(sheet, numeric)
    first = next(iter(roles.rest), None) if roles.id is None else None
    reasons = {name: why_no_score(sheet, name, kinds[name], first) for name in numeric}
    plain = "x" in numeric or len(numeric) < 3  # x and y are two systems
    for name in numeric:
        if may_be_gold(name) or (name.casefold() == "y" and not plain):
            numbers = ", and what is compared are the errors of its predictions"
            reasons[name] = "may be the gold" + numbers * (kinds[name] != "0/1")
    scores = [name for name in numeric if name.casefold() in SCORE_NAMES]
    reasons |= dict.fromkeys(scores, "is called like the scores of one system")
    systems = [name for name in numeric if not reasons[name] and name not in roles.perhaps_runs]
    metrics = [name for name in systems if is_metric(name)]
    declared = Remedy(option("system", *numeric), "if each column is a system")
    if metrics and len(metrics) == len(systems) > 1:
        raise Refusal(
            f"{sheet.header}: columns {first_few(metrics)} have the names of metrics, so this is "
            "one system; what is missing is the same file of a second one",
            *(
                Remedy(
                    option("system-column", name) + option("score-column", *metrics),
                    f"if {name} names the systems",
                )
                for name in _naming_systems(sheet, roles, roles.perhaps_runs)
            ),
            Remedy(option("system", *metrics), "if each column is a system after all"),
        )
    for name in roles.rest:
        if name in metrics:
            rest.reasons[name] = "is the name of a metric"
        elif name not in systems:
            rest.add(name, kinds[name], reasons.get(name))
    systems = [name for name in systems if name not in metrics]
    possible = [n for n in numeric if n not in roles.perhaps_runs and not is_property(n)]
    if len([name for name in possible if not is_statistic(name)]) < 2:
        raise _one_system(rest, scores or systems or metrics, numeric)
    if len(systems) < 2:
        rest.refuse(declared, what="; fewer than two columns are left", only=True)
    _check_one_metric(sheet, systems)
    _check_edges(sheet, systems, "system")
    check_kinds(sheet, request, systems, kinds)
    rest.systems = systems
    # A name says more than an order, which two or three rows have by chance.
    named = [n for n in rest.reasons if is_property(n) or is_statistic(n) or is_metric(n)]
    ordered = [name for name in numeric if name in rest.reasons and name not in named]
    every = [name for name in numeric if name in (*systems, *ordered)]
    rest.refuse(*[Remedy(option("system", *every), "if each is a system")][: len(ordered)])
    return _layout("scores", roles, ("score",), {name: (name,) for name in systems})


def _check_one_metric(sheet: Sheet, systems: Sequence[str]) -> None:
    """Refuse columns whose names all have a metric, and not the same."""
    metrics: dict[str, list[str]] = {}
    for name in systems:
        metrics.setdefault(metric_in(name), []).append(name)
    if "" in metrics or len(metrics) < 2:
        return
    raise Refusal(
        f"{sheet.header}: columns {first_few(systems, 4)} have the names of several metrics, "
        f"{first_few(metrics)}, and systems are compared by one",
        *(
            Remedy(option("system", *own), f"compares {metric}")
            for metric, own in metrics.items()
            if len(own) > 1
        ),
        Remedy(option("system", *systems), "if each is a system"),
    )


def _check_edges(sheet: Sheet, names: Sequence[str], declared: str) -> None:
    """Refuse values that stand for something else in one of some columns."""
    for name in names:
        what = f"{sheet.path}: column {name!r}"
        check_edges(what, sheet.numbers(name).values, Remedy(option(declared, *names)))


def _naming_systems(sheet: Sheet, roles: _Roles, names: Iterable[str]) -> list[str]:
    """Columns that may say whose row it is: with the ids they are unique, and ids repeat."""
    if roles.id is None:
        return []
    ids = sheet.texts(roles.id).codes()[0]
    found = []
    for name in names:
        codes, different = sheet.texts(name).codes()
        pairs = np.unique(ids * len(different) + codes)
        if 1 < len(different) < len(sheet) == len(pairs) > ids.max() + 1:
            found.append(name)
    return found


def _one_system(rest: _Rest, own: Sequence[str], numeric: Sequence[str]) -> InputError:
    """What to say where no second column has scores; perhaps rows name their systems."""
    sheet, roles, others = rest.sheet, rest.roles, rest.reasons
    if not numeric:
        found = (
            f"{sheet.header}: no column has numbers, expected one for every system; there are "
            f"{first_few(others or sheet.names, 12)}"
        )
        golds = [Remedy(option("gold-column", name)) for name in others if rest.fits_as_gold(name)]
        return Refusal(found, *golds) if golds else InputError(found)
    score = (own or numeric)[0]
    found = (
        f"{sheet.header}: found one system only, {score!r}, expected two or more: a column for "
        "each, or a file for each"
    )
    if not own:
        why = [f"column {name!r} {others[name]}" for name in numeric[:4]]
        found = f"{sheet.header}: {', '.join(why)}; no column is left for the systems"
    ways = [
        Remedy(
            option("system-column", name)
            + option("score-column", score)
            + option("ignore", *(n for n in others if n not in (name, *numeric))),
            f"if {name} names the system of every row",
        )
        for name in _naming_systems(sheet, roles, [n for n in others if n != score])[:3]
    ]
    if len(numeric) > 1:
        ways.append(Remedy(option("system", *numeric), "if each of these is a system"))
    if own and (roles.id is None or sheet.texts(roles.id).distinct()):
        ways.append(_figures(own[0], [name for name in others if name != own[0]]))
    return Refusal(found, *ways) if ways else InputError(found)


def _figures(system: str, others: Iterable[str]) -> Remedy:
    """What there is to say of one system."""
    words = option("system", system) + option("ignore", *others)
    return Remedy(words, "its figures", verb="describe")


def _long(sheet: Sheet, request: Request, roles: _Roles) -> Layout:
    """Scores with one row per unit and system."""
    system = str(roles.system)
    names, rest = sheet.texts(system), [name for name in roles.rest if name not in request.system]
    kinds = {name: kind_of(sheet, name) for name in rest}
    numeric = [name for name in rest if kinds[name] not in ("text", "empty")]
    numbers = not roles.scores and kind_of(sheet, system) not in ("text", "empty")
    if names.distinct() and len(sheet) > 1 and not numbers:
        found = (
            f"{sheet.header}: column {system!r} has another system in each of {len(sheet):,} rows: "
            "a leaderboard, and one score of a system is no test"
        )
        if len({*roles.scores, *numeric}) < 2:
            raise InputError(f"{found}; what is missing are the scores of the units")
        raise Refusal(found, Remedy(why="tests over the columns as data sets", verb="datasets"))
    others = tuple(name for name in rest if name not in roles.scores)
    if not roles.scores:
        refuse_formatted(sheet, [name for name in rest if kinds[name] in ("text", "odd")])
        scores = [n for n in numeric if not why_no_score(sheet, n, kinds[n])] or numeric
        if not scores:
            raise InputError(f"{sheet.header}: no column has numbers, expected the scores")
        ways = [Remedy(option("score-column", *scores), "each is a metric" * (len(scores) > 1))]
        ways += [Remedy(option("score-column", name)) for name in scores[:3] if len(scores) > 1]
        raise Refusal(
            f"{sheet.header}: column {system!r} names the system of every row, but no column is "
            "called 'score' or 'value'",
            *[Remedy(option("system", system, *scores), "if each is a system")][: int(numbers)],
            *(() if names.distinct() else ways),
        )
    if roles.id is None:
        raise _no_ids(sheet, system, others)
    if not request.system and not request.score_column:
        left = _Rest(sheet, roles)
        for name in others:
            left.add(name, kinds[name])
        more = [n for n in others if n in numeric and not why_no_score(sheet, n, kinds[n])]
        also = Remedy(option("score-column", *roles.scores, *more), "if these are metrics too")
        ignored = option("ignore", *(n for n in others if n not in more))
        left.refuse(*([replace(also, options=also.options + ignored)] if more else ()))
    if not request.score_column:
        _check_edges(sheet, roles.scores, "score-column")
    columns = ("score",) if len(roles.scores) == 1 else roles.scores
    return _layout("scores", roles, columns, {"": roles.scores}, system=system)


def _no_ids(sheet: Sheet, system: str, names: Sequence[str]) -> InputError:
    """What may have the ids of rows that name their systems: each once for every system."""
    codes, _ = sheet.texts(system).codes()
    possible = []
    for name in names:
        own, different = sheet.texts(name).codes()
        pairs = np.unique(own * (int(codes.max()) + 1) + codes)
        if len(pairs) == len(sheet) and 3 * len(different) <= 2 * len(sheet):
            possible.append(name)
    said = f"{sheet.header}: no column is known to have the ids of the units"
    if not possible:
        said += f", which rows of several systems need; there are {first_few(names)}"
        return InputError(said)
    return Refusal(said, *(Remedy(option("id", name)) for name in possible[:3]))


def _counts(
    sheet: Sheet, request: Request, roles: _Roles, complete: Mapping[str, Mapping[str, str]]
) -> Layout:
    """Counts of every system: tp, predicted and gold; tp, fp and fn; correct and items; errors."""
    if roles.system is not None:
        own = complete.get("")
        if own is None:
            raise InputError(
                f"{sheet.header}: expected columns tp, predicted and gold, or tp, fp and fn, or "
                f"correct and total; found {first_few(roles.rest, 12)}"
            )
        if roles.id is None:
            raise _no_ids(sheet, roles.system, [n for n in roles.rest if n not in own.values()])
        complete = {"": own}
    if not complete:
        raise InputError(
            f"{sheet.header}: no counts of any system; expected columns such as tp_NAME, "
            "predicted_NAME and gold, or tp, fp and fn, or correct and total"
        )
    if request.system and roles.system is None:
        missing = [name for name in request.system if name not in complete]
        if missing:
            raise InputError(
                f"{sheet.path}: no system {first_few(missing)}{perhaps(missing[0], complete)}; "
                f"there are {first_few(complete, 12)}"
            )
        complete = {name: complete[name] for name in request.system}
    columns = tuple(next(iter(complete.values())))
    odd = next((name for name, own in complete.items() if tuple(own) != columns), None)
    if odd is not None:
        raise InputError(
            f"{sheet.header}: {odd} has {', '.join(complete[odd])}, {next(iter(complete))} has "
            f"{', '.join(columns)}; expected the same for every system"
        )
    if not request.system:
        used = {name for own in complete.values() for name in own.values()}
        roles = _first_as_id(sheet, roles)
        left = _Rest(sheet, roles)
        for name in roles.rest:
            if name not in used:
                left.add(name, kind_of(sheet, name))
        left.refuse()
    systems = {name: tuple(own.values()) for name, own in complete.items()}
    return _layout("counts", roles, columns, systems, system=roles.system)


def _first_as_id(sheet: Sheet, roles: _Roles) -> _Roles:
    """The first column as ids, if it has another text in every row and nothing else has them."""
    first = sheet.names[0]
    if roles.id is not None or first not in roles.rest or kind_of(sheet, first) != "text":
        return roles
    if not sheet.texts(first).distinct():
        return roles
    return replace(roles, id=first, rest=tuple(name for name in roles.rest if name != first))


def _labels(sheet: Sheet, request: Request, roles: _Roles, alone: bool) -> Layout:
    """Labels: the gold's, and those of every system."""
    gold = roles.gold
    if gold is None:
        enough = len(roles.rest) > 1 + alone
        named = [Remedy(option("gold-column", name)) for name in roles.rest[:3] if enough]
        found = f"{sheet.header}: no column {', '.join(GOLD_NAMES)} has the gold"
        raise (
            Refusal(found, *named) if named else InputError(f"{found}, and that is what is missing")
        )
    missing = {"", *map(str.strip, sheet.dialect.missing)}
    known = set(sheet.texts(gold).codes()[1]) - missing
    names = [name for name in roles.rest if name != gold]
    if request.system:
        check_names(sheet, request.system)
        for name in request.system:
            if known.isdisjoint(sheet.texts(name).codes()[1]):
                raise Refusal(
                    f"{sheet.path}: column {name!r} has no label of the gold, column {gold!r}",
                    *_without_gold(sheet, request, [gold], request.system),
                )
        systems = list(request.system)
    else:
        systems, shares = [], {}
        binary = kind_of(sheet, gold) == "0/1"  # then both labels are known, whichever the gold has
        for name in names:
            if is_metric(name) or is_property(name) or is_statistic(name) or may_be_gold(name):
                continue
            texts = [own for own in sheet.texts(name).codes()[1] if own not in missing]
            both = binary and kind_of(sheet, name) == "0/1" and {*texts} <= {"0", "1"}
            if texts and (known.issuperset(texts) or both):
                systems.append(name)
            elif not known.isdisjoint(texts):
                shares[name] = next(own for own in texts if own not in known)
        if not systems and kind_of(sheet, gold) in ("share", "real"):
            raise _no_answers(sheet, request, gold, names)
        if binary:
            check_judged(sheet, gold, systems)
        left = _Rest(sheet, roles)
        for name in names:
            if name in shares:
                left.reasons[name] = f"has labels of the gold and others, such as {shares[name]!r}"
            elif name not in systems:
                kind = "text" if kind_of(sheet, name) == "odd" else kind_of(sheet, name)
                left.add(name, kind, "may be the gold" if may_be_gold(name) else None)
        if shares:
            every = option("system", *(n for n in names if n in systems or n in shares))
            left.refuse(Remedy(every, "if each is a system"), only=len(systems) <= alone)
        if not systems:
            raise _no_answers(sheet, request, gold, names)
        if alone and len(systems) == 1:
            others = [name for name in names if name not in systems]
            texts = [name for name in others if kind_of(sheet, name) == "text"]
            none = f"; no label of the gold is in {first_few(texts, 3)}" if texts else ""
            found = (
                f"{sheet.header}: found one system only, {systems[0]!r} beside the gold {gold!r}, "
                f"expected two or more{none}"
            )
            ways = _without_gold(sheet, request, [gold, *systems], others)
            unread = [name for name in left.reasons if name not in systems]
            raise Refusal(found, *ways, _figures(systems[0], unread))
        left.refuse()
        if not alone and len(systems) > 1:
            raise Refusal(
                f"{sheet.header}: columns {first_few(systems)} all have labels of the gold, but "
                "each of several files is one system",
                *(
                    Remedy(option("ignore", *(n for n in systems if n != name)))
                    for name in systems[:3]
                ),
            )
    return _layout("labels", roles, ("label",), {name: (name,) for name in systems}, gold=gold)


def _without_gold(
    sheet: Sheet, request: Request, ignored: Sequence[str], names: Sequence[str]
) -> list[Remedy]:
    """Columns of numbers can be compared as scores, without what is called the gold."""
    numeric = [name for name in names if kind_of(sheet, name) not in ("text", "empty")]
    if len(numeric) < 2 or request.gold_column is not None:
        return []
    return [Remedy(option("ignore", *ignored), "compares scores, which need no gold")]


def _no_answers(sheet: Sheet, request: Request, gold: str, names: Sequence[str]) -> InputError:
    found = f"{sheet.header}: no column has the labels of the gold, column {gold!r}"
    if kind_of(sheet, gold) in ("share", "real"):
        found += "; what is compared of predicted numbers are their errors"
    remedies = _without_gold(sheet, request, [gold], names)
    if remedies:
        return Refusal(found, *remedies)
    return InputError(f"{found}, expected one for every system, with labels written alike")


def _metrics(sheet: Sheet, request: Request, roles: _Roles, wanted: Sequence[str]) -> Layout:
    """One of several files: a system, whose columns of numbers are metrics."""
    asked = [name.removeprefix("mean ") for name in wanted]
    chosen = [name for name in dict.fromkeys((*wanted, *asked)) if name in roles.rest]
    chosen = list(request.score_column) or chosen
    roles = _first_as_id(sheet, roles)
    if request.system and set(request.system) & set(sheet.names):
        own = [name for name in request.system if name in sheet.names]
        return _layout("scores", roles, ("score",), {name: (name,) for name in own})
    kinds = {name: kind_of(sheet, name) for name in dict.fromkeys((*chosen, *roles.rest))}
    refuse_formatted(sheet, [n for n in chosen or roles.rest if kinds[n] in ("text", "odd")])
    if not chosen:
        numeric = [name for name in roles.rest if kinds[name] not in ("text", "empty")]
        refuse_second_header(sheet, numeric)
        first = roles.rest[0] if roles.id is None and len(numeric) > 1 else None
        reasons = {name: why_no_score(sheet, name, kinds[name], first) for name in numeric}
        chosen = [n for n in numeric if not reasons[n] and n not in roles.perhaps_runs]
        left = _Rest(sheet, roles, alone=False)
        for name in roles.rest:
            if name not in chosen:
                left.add(name, kinds[name], reasons.get(name))
        if not chosen and not numeric:
            raise _one_system(left, [], [])
        declared = Remedy(option("score-column", *numeric), "if these are the scores")
        left.refuse(*(() if chosen else (declared,)), only=not chosen)
    if not request.score_column:
        _check_edges(sheet, chosen, "score-column")
    columns = ["score"] if len(chosen) == 1 else chosen
    return _layout("scores", roles, columns, {"": chosen})
