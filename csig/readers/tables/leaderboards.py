"""Tables with a row per system and a column per data set."""

from __future__ import annotations

import numpy as np

from csig.base.errors import Refusal
from csig.base.wording import coded, first_few
from csig.readers.lines import stem
from csig.readers.request import Request
from csig.readers.tables import names as words
from csig.readers.tables import rules
from csig.readers.tables.matching import Table, check_there
from csig.readers.tables.names import is_property, is_statistic, parts_of, shared_parts
from csig.readers.tables.rules import kind_of, way
from csig.readers.tables.sheets import Sheet


def leaderboard(sheet: Sheet, request: Request) -> Table | None:
    """The scores of systems in rows over data sets in columns; None for another table."""
    sheet = rules.without_dropped(sheet, request)
    free = [name for name in sheet.names if name not in request.ignore]
    column = request.system_column
    if column is None:
        column = words.system_column(free)
    bare = request.id is None and request.cluster is None and not request.system
    first = free[0] if free else ""
    if column is None and bare and first.casefold() in ("", *words.PERHAPS_SYSTEM):
        texts = [name for name in free if kind_of(sheet, name) == "text"]
        if texts == [first] and sheet.texts(first).distinct():
            called = f"is called {first!r}" if first else "has no name"
            raise Refusal(
                f"{sheet.header}: the first column {called}, and may name systems or data sets",
                way("if each row is a system", system_column=[first]),
                way("if each row is a data set", id=[first]),
            )
    if column is None or not sheet.texts(column).distinct():
        return None
    others = list(request.score_column)
    if not others:
        others = [name for name in free if name not in (column, request.id, request.cluster)]
        _check_datasets(sheet, others)
    rules.check_summaries(sheet, request, [name for name in sheet.names if name != column])
    places = {name: i for i, name in enumerate(sheet.texts(column))}
    check_there(request.system, places, sheet.path)
    places = {name: i for name, i in places.items() if name in (request.system or places)}
    chosen = sheet.only(np.array([*places.values()]))
    kept = [name for name in others if not rules.missing_in(chosen, name).any()]
    if request.allow_missing is None or not kept:
        kept = others
    gone = [name for name in others if name not in kept]
    said = (
        f"{len(gone):,} of {len(others):,} data sets are left out, as not every system has a "
        f"score there: {first_few(gone)}."
    )
    doubts = coded("left-out", [said][: len(gone)], n_left_out=len(gone), n_units=len(others))
    where = column or "the first column"
    if sheet.dialect.decimal == ",":
        rules.check_thousands(sheet.path, (cell for name in kept for cell in chosen.texts(name)))
    together = np.stack([rules.scores(chosen, name) for name in kept], axis=1)
    return Table(
        "scores", ("score",), dict(zip(places, together, strict=True)), ids=kept,
        notes=(f"Systems are in rows ({where}); each other column is a data set.",),
        cautions=tuple(doubts), called=" ".join((stem(sheet.path), *shared_parts(kept))),
    )  # fmt: skip


def _check_datasets(sheet: Sheet, names: list[str]) -> None:
    """Refuse columns that are no data sets, or are measured otherwise than the rest."""
    kinds = {name: kind_of(sheet, name) for name in names}
    rules.refuse_formatted(sheet, [name for name in names if kinds[name] in ("text", "odd")])
    numeric = [name for name in names if kinds[name] not in ("text", "empty")]
    highest = {name: sheet.numbers(name).values.max() for name in numeric}
    within = [name for name in numeric if highest[name] <= 100]
    beyond = len(numeric) > len(within) >= 2 and 2 * len(within) >= len(numeric)
    odd = {}
    for name in names:
        if name not in numeric:
            odd[name] = "holds texts"
        elif is_statistic(name) or is_property(name) or words.NO_DATASETS & {*parts_of(name)}:
            odd[name] = "is called like a statistic or a property"
        elif beyond and name not in within:
            odd[name] = f"goes up to {highest[name]:,g}, others stay below 100"
    if not odd:
        return
    why = ", ".join(f"column {name!r} {why}" for name, why in [*odd.items()][:4])
    ways = [way(ignore=odd)] if len(odd) < len(names) else []
    if len(numeric) <= 12 and any(name in odd for name in numeric):
        ways.append(way("if each is a data set", score_column=numeric))
    message = f"{sheet.header}: {why}, and each column of a leaderboard is a data set"
    raise rules.refused(message, ways)
