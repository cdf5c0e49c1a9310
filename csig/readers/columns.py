"""Which column of a table is what: by the names, and by the cells where names do not tell."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from csig.errors import InputError, first_few
from csig.readers.sheets import Sheet

__all__ = [
    "FORMATS",
    "GOLD_NAMES",
    "SCORE_NAMES",
    "SYSTEM_NAMES",
    "Wanted",
    "check_names",
    "counts_of",
    "id_and_cluster",
    "known_name",
    "recognise",
]

#: What a table can hold.
FORMATS = ("scores", "counts", "labels")

#: Names of the column with the ids; the first that is there is taken. pandas writes its index
#: without a name.
ID_NAMES = (
    "id", "item", "item_id", "doc_id", "example_id", "question_id", "query_id", "topic_id", "qid",
    "sentence_id", "segment_id", "index", "idx", "example", "question", "sentence", "segment",
    "query", "topic", "document", "doc", "rownames", "",
)  # fmt: skip

#: Names of the column with the clusters.
CLUSTER_NAMES = (
    "cluster", "cluster_id", "group", "group_id", "task", "task_id", "pair", "pair_id",
    "document", "document_id", "doc", "passage", "passage_id", "topic", "session", "dialogue",
    "speaker",
)  # fmt: skip

#: Names of the column with the gold labels.
GOLD_NAMES = ("gold", "gold_label", "label", "y_true", "target")

#: Names of the column that says whose row it is.
SYSTEM_NAMES = ("system", "model", "system_id", "model_id", "system_name", "model_name")

SCORE_NAMES = ("score", "value")

#: Columns of counts by the names they have in files.
_COUNTS = {
    "tp": "tp", "predicted": "predicted", "pred": "predicted", "gold": "gold", "fp": "fp",
    "fn": "fn", "correct": "correct", "total": "items", "items": "items", "n": "items",
}  # fmt: skip

#: What a system needs, the first that is complete.
_SETS = (("tp", "predicted", "gold"), ("tp", "fp", "fn"), ("correct", "items"))

#: Counts that say the same of every system, so that one column may serve them all.
_SHARED = ("gold", "items")


@dataclass(frozen=True)
class Wanted:
    """What the caller said about the columns."""

    format: str | None
    id: str | None
    cluster: str | None
    gold: str | None
    systems: tuple[str, ...]
    allow_missing: bool


def known_name(names: Sequence[str], known: Iterable[str]) -> str | None:
    """The first of the known names that the file has, whatever its case."""
    lower = {name.lower(): name for name in reversed(names)}
    return next((lower[name] for name in known if name in lower), None)


def check_names(sheet: Sheet, names: Iterable[str | None]) -> None:
    """Refuse names that no column has."""
    missing = [name for name in names if name is not None and name not in sheet.names]
    if missing and missing[0] in sheet.unusable:
        raise InputError(
            f"{sheet.header}: column {missing[0]!r} holds {sheet.unusable[missing[0]]}, expected "
            f"texts or numbers"
        )
    if missing:
        raise InputError(
            f"{sheet.header}: no column {first_few(missing)}; there are "
            f"{first_few(sheet.names, 12)}"
        )


def id_and_cluster(sheet: Sheet, wanted: Wanted) -> tuple[str | None, str | None]:
    check_names(sheet, (wanted.id, wanted.cluster))
    free = [n for n in sheet.names if n not in (wanted.cluster, wanted.gold, *wanted.systems)]
    id_ = wanted.id if wanted.id is not None else known_name(free, ID_NAMES)
    if wanted.cluster is not None:
        return id_, wanted.cluster
    found = [n for n in free if n != id_ and n.lower() in CLUSTER_NAMES]
    if len(found) > 1:
        raise InputError(
            f"{sheet.header}: {first_few(found)} may all be clusters; say which with --cluster"
        )
    return id_, found[0] if found else None


def counts_of(names: Sequence[str]) -> dict[str, dict[str, str]]:
    """For every system the columns with its counts: {system: {count: column}}.

    The system's name comes before or after the count's, with one of ``_ . : / -`` or a space
    between them; a file of one system has none.
    """
    found: dict[str, dict[str, str]] = {}
    counts = "|".join(sorted(_COUNTS, key=len, reverse=True))
    for name in names:
        after = re.fullmatch(rf"({counts})[_.:/ -](.+)", name, re.IGNORECASE)
        before = re.fullmatch(rf"(.+)[_.:/ -]({counts})", name, re.IGNORECASE)
        if name.lower() in _COUNTS:
            system, count = "", name
        elif after:
            count, system = after.groups()
        elif before:
            system, count = before.groups()
        else:
            continue
        found.setdefault(system, {}).setdefault(_COUNTS[count.lower()], name)
    shared = {c: n for c, n in found.get("", {}).items() if c in _SHARED}
    complete = {}
    for system, columns in found.items():
        every = {**shared, **columns}
        needs = next((needs for needs in _SETS if set(needs) <= set(every)), None)
        if needs is not None:
            complete[system] = {count: every[count] for count in needs}
    return complete


def recognise(sheet: Sheet, wanted: Wanted, rest: Sequence[str]) -> str:
    """Which of `FORMATS` a table is; ``docs/formats.md`` has the rules in words."""
    if wanted.format is not None:
        return wanted.format
    if wanted.gold is not None:
        return "labels"
    if counts_of(rest):
        return "counts"
    gold = known_name(rest, GOLD_NAMES)
    if gold is not None and known_name(rest, SYSTEM_NAMES) is None:
        labels = set(sheet.column(gold).codes()[1])
        # Scores have nothing in common with labels in words; predictions have.
        others = (sheet.column(name).codes()[1] for name in rest if name != gold)
        if any(not labels.isdisjoint(other) for other in others):
            return "labels"
    return "scores"
