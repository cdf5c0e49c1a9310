"""Which column of a table is what: by the names, and by the cells where names do not tell."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from csig.errors import InputError
from csig.readers.lines import StrPath
from csig.readers.tables.cells import is_number
from csig.readers.tables.groups import few_groups, too_few
from csig.readers.tables.sheets import Sheet, is_numeric
from csig.readers.tables.spelling import spelt_alike
from csig.wording import first_few, perhaps

__all__ = [
    "CLUSTER_NAMES",
    "FORMATS",
    "GOLD_NAMES",
    "SCORE_NAMES",
    "SYSTEM_NAMES",
    "Roles",
    "Wanted",
    "check_names",
    "check_there",
    "counts_of",
    "known_name",
    "recognise",
    "roles_of",
]

#: What a table can hold.
FORMATS = ("scores", "counts", "labels")

#: Names of the column with the ids; the first that is there is taken. pandas writes its index
#: without a name.
ID_NAMES = (
    "id", "item", "item_id", "doc_id", "example_id", "question_id", "query_id", "topic_id", "qid",
    "sentence_id", "segment_id", "index", "idx", "example", "question", "sentence", "segment",
    "query", "topic", "document", "doc", "rownames", "unnamed: 0", "",
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


#: With more different labels no other spelling of them is looked for to tell labels from scores.
MOST_LABELS = 1000


@dataclass(frozen=True)
class Wanted:
    """What the caller said about the columns."""

    format: str | None
    id: str | None
    cluster: str | None
    gold: str | None
    systems: tuple[str, ...]
    allow_missing: bool
    ignore: tuple[str, ...] = ()
    run: str | None = None


@dataclass(frozen=True)
class Roles:
    """Which columns say what a row is.

    Attributes
    ----------
    id, cluster : str or None
        The columns of the ids and of the clusters.
    within : str or None
        Where ids may be unique only within the values of a column: the clusters, or a column that
        has too few values for clusters.
    rest : tuple of str
        The columns that may be anything else.
    cautions : tuple of str
    run : str or None
        The column of the runs, if it was given.
    """

    id: str | None
    cluster: str | None
    within: str | None
    rest: tuple[str, ...]
    cautions: tuple[str, ...] = ()
    run: str | None = None


def check_there(wanted: Iterable[str], there: Iterable[str], path: StrPath | None = None) -> None:
    """Refuse given systems that do not exist."""
    there = list(there)
    missing = [name for name in wanted if name not in there]
    if missing:
        where = "" if path is None else f"{path}: "
        raise InputError(
            f"{where}no system {first_few(missing)}{perhaps(missing[0], there)}; there are "
            f"{first_few(there, 12)}"
        )


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
            "text or numbers"
        )
    if missing:
        raise InputError(
            f"{sheet.header}: no column {first_few(missing)}{perhaps(missing[0], sheet.names)}; "
            f"there are {first_few(sheet.names, 12)}"
        )


def _check_run(wanted: Wanted) -> None:
    """The column of the runs can be nothing else."""
    if wanted.run is None:
        return
    others = {
        "--id": [wanted.id],
        "--cluster": [wanted.cluster],
        "--gold-column": [wanted.gold],
        "--ignore": wanted.ignore,
        "--system": wanted.systems,
    }
    for option, names in others.items():
        if wanted.run in names:
            raise InputError(f"--run and {option} name the same column, {wanted.run!r}")


def roles_of(sheet: Sheet, wanted: Wanted) -> Roles:
    """The columns of ids and clusters, as asked for or known by their names."""
    check_names(sheet, (wanted.id, wanted.cluster, wanted.run, *wanted.ignore))
    _check_run(wanted)
    taken = {wanted.cluster, wanted.gold, wanted.run, *wanted.systems, *wanted.ignore}
    free = [name for name in sheet.names if name not in taken]
    id_ = wanted.id if wanted.id is not None else known_name(free, ID_NAMES)
    cluster = within = wanted.cluster
    cautions: tuple[str, ...] = ()
    if cluster is None:
        found = [name for name in free if name != id_ and name.lower() in CLUSTER_NAMES]
        cluster, within, cautions = _clusters(sheet, found)
    used = {id_, cluster, within, wanted.run, *wanted.ignore}
    rest = tuple(name for name in sheet.names if name not in used)
    return Roles(id_, cluster, within, rest, cautions, wanted.run)


def _clusters(sheet: Sheet, found: Sequence[str]) -> tuple[str | None, str | None, tuple[str, ...]]:
    """Of columns with the name of clusters: the clusters, within what ids count, and doubts."""
    few = {name: few_groups(sheet.column(name)) for name in found} if len(sheet) else {}
    many = [name for name in found if few[name] is None]
    if len(many or found) > 1:
        raise InputError(
            f"{sheet.header}: {first_few(many or found)} may all be clusters; say which with "
            f"--cluster"
        )
    cautions = tuple(too_few(name, n) for name, n in few.items() if n is not None)
    name = (*many, *found, None)[0]
    return (many[0] if many else None), name, cautions


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
        others = [name for name in rest if name != gold]
        if any(_answers(sheet, name, labels) for name in others):
            return "labels"
        few = {label.strip() for label in labels} if len(labels) <= MOST_LABELS else set()
        if any(spelt_alike(sheet.column(name), few) for name in others):
            return "labels"
        if others and not any(is_numeric(sheet, name) for name in others):
            return "labels"
    return "scores"


def _answers(sheet: Sheet, name: str, labels: set[str]) -> bool:
    """Whether a column has labels of the gold.

    Scores have nothing in common with labels in words; predictions have. With labels that are
    numbers a score may have one by chance, but not half of its cells.
    """
    if labels.isdisjoint(sheet.column(name).codes()[1]):
        return False
    if not all(map(is_number, labels)):
        return True
    times = sheet.counts(name)
    return 2 * sum(times.get(label, 0) for label in {x.strip() for x in labels}) >= len(sheet)
