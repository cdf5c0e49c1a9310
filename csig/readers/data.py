"""What was read: one object for every kind of input, with what the commands ask of it.

The systems have numbers here, in their order.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from csig.base.errors import InputError, Refusal, Remedy, argument
from csig.base.wording import clean, few, first_few, noun, perhaps, ranged
from csig.data.comparison import Comparison
from csig.data.metrics import Metric, ratio
from csig.data.repeats import (
    PLURALITY,
    is_of_answers,
    numbers,
    per_question,
    with_most_frequent,
)
from csig.data.responses import Span, spans
from csig.data.several import has_gaps
from csig.data.units import RESERVED
from csig.readers.request import PAIRWISE, ByKey, Input, OptionError, ResponseTable
from csig.readers.tables.matching import LOGS, MEAN, Table
from csig.readers.tables.names import direction_of, is_metric, parts_of

#: More parts than this are not a breakdown.
MOST_PARTS = 200

#: What the tasks of a harness are called, as units and as parts.
TASK = "task"

#: What ``csig convert`` writes.
Columns = dict[str, Any]

#: The columns that say what a unit is, by what is in them.
ID_COLUMNS = ("id", "sentence", "document")
CLUSTER_COLUMNS = ("cluster", "document")

#: Those of a span, and what stands before the name of a system.
SPAN = ("start", "end", "label")
KINDS = (
    "tp_", "predicted_", "correct_", "items_", "errors_", "words_", "score_", "loss_", "label_",
)  # fmt: skip

#: The metrics that suit data by one of their columns.
_SUITED: dict[str, tuple[str, ...]] = {
    "tp": ("recall", "precision", "f1"),
    "errors": ("wer",),
    "correct": ("accuracy",),
    "score": ("mean",),
}


def _needs(unit: str) -> str:
    """How a unit becomes known."""
    documents, column, file = map(argument, ("documents", "document_column", "document_file"))
    needs = {
        "conflict": f"; tags and spans have it, and responses with {argument('spans')}",
        "token": f"; labels of tokens have it ({argument('scheme', 'plain')}), but an entity may "
        "have several tokens",
        "sentence": "; tags have it, and tables of labels with blank lines between sentences",
        "document": f"; spans have documents, and so do responses with {documents}, and tags with "
        f"-DOCSTART- lines, comments such as '# newdoc id = x', {column} or {file}",
        "cluster": f"; no clusters are known: name their column with {argument('cluster')}",
        "unit": "; tables of scores, counts or labels have it",
    }
    return needs.get(unit, "")


def suited(columns: Sequence[str]) -> list[str | Metric]:
    """The metrics that suit data with these columns; none where nothing is known of them."""
    return [*next((names for column, names in _SUITED.items() if column in columns), ())]


def check_direction(lower: bool | None) -> None:
    """Refuse lower scores that are better where there are no scores."""
    if lower:
        raise OptionError(f"{argument('lower_is_better')} is for tables of scores")


def less_by_name(name: str, called: str) -> bool:
    """Whether a metric's name, or others, say that less is better; refused where they may."""
    direction = direction_of(parts_of(name))
    if direction is None and not is_metric(name):
        direction = direction_of(parts_of(called))
    if direction == "unknown":
        words = [w for w in parts_of(f"{name} {called}") if direction_of([w]) == "unknown"]
        raise Refusal(
            f"the scores are called {name or words[0]!r}, and nothing says whether lower or "
            "higher is better",
            Remedy(("--lower-is-better",)),
            Remedy(("--higher-is-better",)),
        )
    return direction == "lower"


def one_metric(metrics: Sequence[str | Metric]) -> Refusal:
    """What is said where one of several metrics has to be chosen."""
    names = [own if isinstance(own, str) else own.name for own in metrics]
    names = [name.removeprefix(MEAN) for name in names]
    ways = [Remedy(("--metric", name), without=("--metric",)) for name in names[:3]]
    return Refusal(f"found several metrics, {first_few(names, 12)}, expected one", *ways)


def one_group(groups: Sequence[Group]) -> Group:
    """The only one of several groups of metrics."""
    if len(groups) > 1:
        raise one_metric([own for (own, *_), _ in groups])
    return groups[0]


@dataclass(frozen=True)
class Data(ABC):
    """Systems on the same test data."""

    source: Input
    #: What the systems are called in the output.
    names: tuple[str, ...]

    def pair(self, a: int, b: int) -> tuple[str, str]:
        """The names of two systems; a single one may be looked at beside itself."""
        return self.names[a], self.names[b] if a != b else f"{self.names[b]} itself"

    @abstractmethod
    def comparison(self, a: int, b: int) -> Comparison:
        """Two of the systems, with the largest known unit swapped."""

    def at(self, a: int, b: int, unit: str | None) -> Comparison:
        """The same, swapping the given unit; None for the largest."""
        try:
            comparison = self.comparison(a, b)
        except InputError:
            if a > b:  # what is wrong is said of the systems in their order
                self.comparison(b, a)
            raise
        if unit is None:
            return comparison
        try:
            return comparison.at(unit)
        except InputError:
            raise OptionError(
                f"{argument('unit', unit)} is not possible here, only "
                f"{', '.join(comparison.levels)}{_needs(unit)}"
            ) from None

    def metrics(self, wanted: Sequence[str], lower: bool | None = None) -> list[str | Metric]:
        """The metrics that were asked for, or those that suit the data."""
        check_direction(lower)
        return [*wanted] or suited(("tp",))

    def by_metric(self, wanted: Sequence[str], lower: bool | None = None) -> list[Group]:
        """The metrics that were asked for, with the data that each needs."""
        if (name := next(filter(is_of_answers, wanted), None)) is not None:
            raise OptionError(
                f"{argument('metric', name)} needs several answers to each question: scores, and a "
                f"column that tells the answers to a question apart, {argument('run')}"
            )
        return [(self.metrics(wanted, lower), self)]

    def over_tasks(
        self, a: int, b: int, unit: str, metric: Metric
    ) -> tuple[int, Metric, Comparison] | None:
        """The mean over tasks, each counted alike: how many there are, its metric and its data."""
        return None

    def parts(self, by: str) -> dict[str, Data]:
        """The parts of the data: one per label, or per value of a column."""
        raise OptionError(
            f"{argument('by', by)}: {self.source.format} cannot be broken down further"
        )

    def columns(self, unit: str | None, lower: bool | None = None) -> Columns:
        """What ``csig convert`` writes, with one row per unit; None for the finest."""
        raise OptionError(f"{self.source.format} cannot be converted: only their sums are known")


#: Metrics, and the data that they need.
Group: TypeAlias = tuple[list[str | Metric], Data]


def _chosen(by: str, possible: Mapping[str, Any]) -> Any:
    """What has this name, or is the only one that has it whatever the case."""
    near = [name for name in possible if name.lower() == by.lower()]
    if by not in possible and len(near) != 1:
        there = f"there are {first_few(possible, 12)}" if possible else "there is none"
        raise OptionError(
            f"{argument('by', by)}: no such label or column{perhaps(by, possible)}; {there}"
        )
    return possible[by if by in possible else near[0]]


def _few_enough(by: str, labels: Sequence[str]) -> list[str]:
    """The different labels, the most frequent first."""
    found = Counter(labels)
    if len(found) > MOST_PARTS:
        raise InputError(
            f"{argument('by', by)}: found {len(found):,} different values, expected at most "
            f"{MOST_PARTS}"
        )
    return sorted(found, key=lambda label: (-found[label], label))


@dataclass(frozen=True)
class CountsData(Data):
    """The counts that carry Yeh's test: two systems, and nothing else is known."""

    counts: Comparison

    def comparison(self, a: int, b: int) -> Comparison:
        if (a, b) == (0, 1):
            return self.counts
        if (a, b) != (1, 0):
            raise InputError("counts are for exactly two systems")
        counts = self.counts
        classes = [replace(own, only_a=own.only_b, only_b=own.only_a) for own in counts.classes]
        return replace(
            counts, sums_a=counts.sums_b, sums_b=counts.sums_a, classes=tuple(classes),
            names=(self.names[1], self.names[0]), exclusions=None,
        )  # fmt: skip


@dataclass(frozen=True)
class ResponseData(Data):
    """Responses: of files, of tags, spans."""

    table: ResponseTable

    @property
    def systems(self) -> list[ByKey]:
        """The systems' responses by key."""
        return list(self.table.systems.values())

    def comparison(self, a: int, b: int) -> Comparison:
        table = self.table
        sides: list[Any] = [table.gold, self.systems[a], self.systems[b]]
        if table.key_name is None:
            sides = [own.get(None, []) for own in sides]
        return Comparison.from_responses(
            *sides, cluster=table.clusters, conflict=spans if table.spans else None,
            key_name=table.key_name or "key", cluster_name=table.cluster_name or "cluster",
            names=self.pair(a, b),
        )  # fmt: skip

    def parts(self, by: str) -> dict[str, Data]:
        """By the label of spans, a field of a line by its number, or by sentence or document."""
        table, clusters = self.table, self.table.clusters
        sides = [table.gold, *self.systems]
        every = [(i, k, own) for i, side in enumerate(sides) for k in side for own in side[k]]
        known: dict[str, Callable[[Hashable, Any], str]] = {}
        if table.spans:
            known["label"] = lambda key, response: response.label
        elif every and isinstance(every[0][2], tuple):
            for i in range(len(every[0][2])):
                known[str(i + 1)] = lambda key, response, i=i: response[i]  # type: ignore[misc]
        if table.key_name is not None:
            known[table.key_name] = lambda key, response: str(key)
        if table.cluster_name is not None and clusters is not None:
            known[table.cluster_name] = lambda key, response: str(clusters[key])
        label_of = _chosen(by, known)
        labels = [label_of(key, response) for _, key, response in every]
        if not labels:
            raise InputError(f"{argument('by', by)}: there are no responses to break down")
        # Of every part only the keys that have something in it: labels times keys are many.
        split: dict[str, list[dict[Hashable, list[Hashable]]]] = {
            label: [{} for _ in sides] for label in _few_enough(by, labels)
        }
        for label, (i, key, response) in zip(labels, every, strict=True):
            for own in () if key in split[label][0] else split[label]:
                own[key] = []
            split[label][i][key].append(response)
        found: dict[str, Data] = {}
        for label, (gold, *systems) in split.items():
            of_systems = dict(zip(table.systems, systems, strict=True))
            of_keys = None if clusters is None else {key: clusters[key] for key in gold}
            part = replace(table, gold=gold, systems=of_systems, clusters=of_keys)
            found[label] = replace(self, table=part)
        return found

    def columns(self, unit: str | None, lower: bool | None = None) -> Columns:
        """One row per response, or the sums of a sentence or document."""
        check_direction(lower)
        table = replace(self.table, systems=dict(zip(self.names, self.systems, strict=True)))
        if unit not in (None, "response", table.key_name, table.cluster_name):
            there = filter(None, ("response", table.key_name, table.cluster_name))
            raise OptionError(
                f"{argument('unit', unit)} is not possible here, only {first_few(there)}"
            )
        columns = response_columns(table)
        if unit in (None, "response"):
            return columns
        place = {label: i for i, label in enumerate(dict.fromkeys(columns[unit]))}
        rows = np.array([place[label] for label in columns[unit]], dtype=np.intp)
        found: Columns = {unit: list(place)}
        if unit == table.key_name and table.cluster_name in columns:
            clusters = dict(zip(columns[unit], columns[table.cluster_name], strict=True))
            found[table.cluster_name] = list(clusters.values())
        for name, own in columns.items():
            if name == "gold" or name.startswith(("tp_", "predicted_")):
                found[name] = np.bincount(rows, own, len(place)).astype(int).tolist()
        return found


def _called(column: str | None, default: str) -> str:
    """What the units of a column are, if its name is a plain word: task_id gives task."""
    name = (column or "").lower().removesuffix("_id").replace("_", " ")
    name = {"doc": "document"}.get(name, name)
    vague = {"id", "idx", "index", "qid", "item", "group", "cluster"}
    plain = re.fullmatch(r"[a-z]+( [a-z]+)*", name) and name not in vague | RESERVED
    return name if plain else default


def units_called(table: Table) -> tuple[str, str]:
    """What the units and clusters of a table are called."""
    unit = table.units_are or _called(table.id_column, "unit")
    cluster = _called(table.cluster_column, "cluster")
    return (unit, cluster) if unit != cluster else ("unit", cluster)


@dataclass(frozen=True)
class TableData(Data):
    """Scores, counts or labels, one row per unit."""

    table: Table
    positive: str | None = None
    #: Of a part: whether all scores of the whole are 0 or 1.
    of_binary: bool | None = None

    @property
    def systems(self) -> list[Any]:
        """The systems' values."""
        return list(self.table.systems.values())

    @property
    def of_scores(self) -> bool:
        """Whether these are scores, not counts or labels."""
        return self.table.format in ("scores", *LOGS)

    @property
    def binary(self) -> bool:
        """Whether all scores are 0 or 1."""
        if self.of_binary is not None:
            return self.of_binary
        return self.of_scores and all(
            own.dtype.kind == "i" and bool(((own == 0) | (own == 1)).all())
            for own in map(np.asarray, self.systems)
        )

    @property
    def called(self) -> tuple[str, str]:
        """Names of units and clusters."""
        return units_called(self.table)

    @property
    def metric(self) -> str | None:
        """Name of the scores."""
        return self.table.columns[0] if self.table.format in LOGS else self.table.metric

    @property
    def _by_task(self) -> TableData:
        """The same with the tasks as clusters."""
        table = replace(self.table, clusters=self.table.tasks, cluster_column=TASK)
        return self if self.table.tasks is None else replace(self, table=table)

    def _check(self, lower: bool | None = None) -> None:
        """Refuse several metrics, and a direction of what are no scores."""
        if self.table.metrics:
            raise one_metric(self.table.metrics)
        if not self.of_scores:
            check_direction(lower)

    def _units(self, a: int, b: int) -> dict[str, Any]:
        """What a comparison is told of its units."""
        unit, cluster = self.called
        return {
            "id": self.table.ids,
            "cluster": self.table.clusters,
            "unit_name": unit,
            "cluster_name": cluster,
            "names": self.pair(a, b),
        }

    @property
    def answers(self) -> dict[str, NDArray[np.float64]]:
        """The scores of every system's answers, (questions, answers), if there are several."""
        table = self.table
        known = table.answers or (table.systems if table.runs else {})
        if not known or not self.of_scores or table.metrics:
            return {}
        own = zip(self.names, table.systems, strict=True)
        return {name: np.asarray(known[key], dtype=np.float64) for name, key in own}

    def _counted(self, kind: str) -> tuple[dict[str, NDArray[np.float64]], str]:
        """The answers that count for a metric, and what it makes of them."""
        if kind.lower() != PLURALITY:
            return self.answers, kind
        texts = self.table.texts
        if not texts or any(all(text is None for text in own.flat) for own in texts.values()):
            raise OptionError(
                f"{argument('metric', kind)} needs the text of every answer: name its column with "
                f"{argument('answer_column')}; logs of Inspect and samples of "
                "lm-evaluation-harness have it"
            )
        keys = zip(self.answers.items(), self.table.systems, strict=True)
        return {name: with_most_frequent(own, texts[key]) for (name, own), key in keys}, "mean"

    @property
    def gaps(self) -> bool:
        """Whether systems lack units that others have, which is for csig systems alone."""
        return self.table.format == "scores" and not self.table.metrics and has_gaps(self.systems)

    def comparison(self, a: int, b: int) -> Comparison:
        self._check()
        if self.table.unequal is not None:
            raise self.table.unequal
        table, units = self.table, self._units(a, b)
        one, other = self.systems[a], self.systems[b]
        if table.format == "scores" and has_gaps((one, other)):
            raise OptionError(f"{argument('allow_missing', PAIRWISE)} is for csig systems")
        if table.of_answers:
            answers, kind = self._counted(table.of_answers)
            every = [[row[~np.isnan(row)].tolist() for row in own] for own in answers.values()]
            return Comparison.from_answers(every[a], every[b], kind, **units)
        if table.runs:  # of the units' values to those of the runs
            one, other = np.moveaxis(one, 1, 0), np.moveaxis(other, 1, 0)
            units["runs"] = table.runs
        if table.format == "labels":
            return Comparison.from_labels(table.gold, one, other, positive=self.positive, **units)
        if table.format == "counts":
            return Comparison.from_statistics(one, other, table.columns, **units)
        if not self.binary:
            return Comparison.from_scores(one, other, **units)
        one, other = (np.stack([own, np.ones_like(own)], axis=-1) for own in (one, other))
        return Comparison.from_statistics(one, other, ("correct", "items"), **units)

    def at(self, a: int, b: int, unit: str | None) -> Comparison:
        """The same, swapping the given unit: tasks only where they are asked for."""
        by_task = unit in ("cluster", TASK) and self.table.clusters is None
        return super(TableData, self._by_task if by_task else self).at(a, b, unit)

    def over_tasks(
        self, a: int, b: int, unit: str, metric: Metric
    ) -> tuple[int, Metric, Comparison] | None:
        tasks = self.table.tasks
        number = len(set(tasks or ()))
        if tasks is None or number < 2 or metric.name != self.metric or self.table.runs:
            return None
        from csig.data.fixed_point import weighted  # few have tasks

        own = weighted(np.asarray(self.systems[a]), np.asarray(self.systems[b]), tasks)
        # Scores that are not right or wrong can be shifted, which intervals know by the columns.
        columns = ("right", "weight") if self.binary else ("score", "n")
        units = (self._by_task if unit == TASK else self)._units(a, b)
        comparison = Comparison.from_statistics(own.a, own.b, columns, **units)
        comparison = replace(comparison, scale=own.scale, tau=own.tau).at(unit)
        first = metric.name.removesuffix(")")  # of a metric with its filter in parentheses
        name = f"{first}{'; ' if first != metric.name else ' ('}mean over tasks)"
        return number, ratio(name, *columns, greater_is_better=metric.greater_is_better), comparison

    def metrics(self, wanted: Sequence[str], lower: bool | None = None) -> list[str | Metric]:
        """Those that the format suggests, if none was asked for."""
        self._check(lower)
        table = self.table
        wanted = [MEAN + name if MEAN + name == self.metric else name for name in wanted]
        above, below = ("correct", "items") if self.binary else ("score", "n")
        # A metric that was asked for has its own direction, whatever systems are called.
        named = {*wanted} - {"mean", self.metric} if lower is None else ()
        less = self.of_scores and not named and self.less_is_better(lower)
        for name in (self.metric, "mean" if table.format == "scores" and less else None):
            if name is not None and set(wanted) <= {name}:
                return [ratio(name, above, below, greater_is_better=not less)]
        if table.format == "scores" and less:
            raise OptionError(
                f"{argument('lower_is_better')} goes with {argument('metric', 'mean')}"
            )
        if wanted:  # the mean of 0 and 1 is the accuracy, by another name
            mean = ratio("mean", above, below) if self.binary else "mean"
            return [mean if name == "mean" else name for name in wanted]
        if table.format == "labels":
            return suited(("tp",)) if self.positive else ["accuracy", "macro_f1", "mcc", "kappa"]
        return suited((above,) if self.of_scores else table.columns)

    def by_metric(self, wanted: Sequence[str], lower: bool | None = None) -> list[Group]:
        """One comparison for each column of scores that files of one system each have, and for each
        metric of several answers to a question.
        """
        there = self.table.metrics
        of_answers = self.table.unequal is not None or any(map(is_of_answers, wanted))
        kinds = [name for name in wanted if of_answers and (is_of_answers(name) or name == "mean")]
        if kinds and self.of_scores and (self.table.answers or self.table.runs):
            rest = [name for name in wanted if name not in kinds]
            if not there and self.table.format not in LOGS:  # what is no column is a metric
                of_all = [n for n in rest if self.metric not in (n, MEAN + n)]
                groups: list[Group] = [(self.metrics(of_all, lower), self)] if of_all else []
                return [*groups, *(self._by_question(kind, False, lower) for kind in kinds)]
            parts = [data for _, data in self.by_metric(rest, lower) if isinstance(data, TableData)]
            return [own._by_question(kind, bool(there), lower) for own in parts for kind in kinds]
        if self.table.format in LOGS:
            wanted = ()  # which were chosen when the files were read
        if not there:
            return super().by_metric(wanted, lower)
        asked = [name.removeprefix(MEAN) for name in wanted if name != "mean"]
        for name in asked:
            if name not in there:
                raise OptionError(
                    f"{argument('metric', name)}{perhaps(name, there)}: the files have the metrics "
                    f"{first_few(there, 12)}"
                )
        used = [name for name in there if name in asked] or there
        parts = [replace(self, table=self.table.of_metric(name)) for name in used]
        return [(part.metrics((), lower), part) for part in parts]

    def _by_question(self, kind: str, several: bool, lower: bool | None) -> Group:
        """A metric of several answers, and every question's score by it."""
        table, mean = self.table, kind == "mean"
        if mean and table.unequal is None:
            return self.metrics(() if several or table.format in LOGS else (kind,), lower), self
        less = self.less_is_better(lower)
        if less and not mean:
            raise OptionError(
                f"{argument('metric', kind)}: counts right answers, found scores of which less is "
                "better"
            )
        column = (self.metric or "").removeprefix(MEAN)
        name = f"{column} {kind.lower()}" if several else kind.lower()
        answers, counted = self._counted(kind)
        try:
            scores, value, _ = per_question(answers, counted, table.ids)
        except InputError as error:
            raise InputError(f"{column}: {error}") if several else error from None
        if not mean:
            named = {"columns": (name,)} if table.format in LOGS else {"metric": name}
            table = replace(table, **named)
        table = replace(
            table, runs=(), unequal=None, of_answers=kind, less_is_better=less,
            answers=dict(zip(table.systems, self.answers.values(), strict=True)),
            systems={
                own: rows / value.denominator
                for own, rows in zip(table.systems, scores, strict=True)
            },
        )  # fmt: skip
        data = replace(self, table=table, source=self._with_note())
        return data.metrics((), lower), data

    def _with_note(self) -> Input:
        """The input with what the scores of questions are made of; logs have said it."""
        unit, units = noun(self.called[0]), noun(self.called[0], 2)
        sizes = {name: ranged(numbers(own).tolist()) for name, own in self.answers.items()}
        each = few([f"{number} in {clean(name)}" for name, number in sizes.items()], 5)
        if len({*sizes.values()}) == 1:
            each = f"{each.partition(' ')[0]} of each system"
        note = (
            f"The score of each {unit} is made of all its answers ({each}), with which it is "
            f"swapped; intervals are for other {units} and other answers."
        )
        notes = () if self.table.format in LOGS else (note,)
        return replace(self.source, notes=(*self.source.notes, *notes))

    def less_is_better(self, declared: bool | None = None) -> bool:
        """Whether less is better: as somebody says, as the file does, or by words of its names."""
        known = self.table.less_is_better if declared is None else declared
        if known is not None:
            return known
        return less_by_name((self.metric or "").removeprefix(MEAN), self.table.called)

    def parts(self, by: str) -> dict[str, Data]:
        """By the gold label, the cluster, the task, or any other column of the table."""
        table = self.table
        possible: dict[str, Sequence[str]] = dict(table.others)
        for column, name, found in (
            (table.gold_column, "gold", table.gold),
            (table.cluster_column, self.called[1], table.clusters),
            (TASK, TASK, table.tasks),
        ):
            if found is not None:
                possible[column or name] = found
                possible.setdefault(name, found)
        cells = [str(cell).strip() or "(empty)" for cell in _chosen(by, possible)]
        rows: dict[str, list[int]] = {label: [] for label in _few_enough(by, cells)}
        for i, label in enumerate(cells):
            rows[label].append(i)
        ids = list(range(table.n_units)) if table.ids is None else table.ids
        bare = replace(table, ids=ids, others={}, tasks=None)
        whole = replace(self, of_binary=self.binary)
        return {
            label: replace(whole, table=bare.at(np.asarray(own, dtype=np.intp)))
            for label, own in rows.items()
        }

    def columns(self, unit: str | None, lower: bool | None = None) -> Columns:
        self._check(lower)
        if self.table.runs:
            raise OptionError(
                f"{argument('run')}: a table with runs cannot be written; csig.read(run=) gives a "
                "script its comparisons"
            )
        data = self._by_task
        name, cluster = data.called
        if unit not in (None, "unit", name):
            raise OptionError(f"{argument('unit', unit)} is not possible here, only unit")
        systems = dict(zip(self.names, self.systems, strict=True))
        less = self.table.format != "labels" and self.less_is_better(lower)
        return table_columns(
            replace(data.table, systems=systems, metric=self.metric, less_is_better=less),
            name if name in ID_COLUMNS else "id",
            cluster if cluster in CLUSTER_COLUMNS else "cluster",
        )


def response_columns(table: ResponseTable) -> Columns:
    """The columns of a table with one row per response of the gold or a system."""
    what = SPAN if table.spans else ("response",)
    names = [name for name in (table.key_name, table.cluster_name) if name is not None]
    counted = [f"{kind}_{name}" for name in table.systems for kind in ("tp", "predicted")]
    header = [*names, *what, "gold", *counted]
    rows: list[tuple[Any, ...]] = []
    for key, gold in table.gold.items():
        place: tuple[Any, ...] = () if table.key_name is None else (key,)
        if table.clusters is not None:
            place += (table.clusters[key],)
        sides = [gold, *(own[key] for own in table.systems.values())]
        correct, *claims = map(set, sides)
        everything = dict.fromkeys(response for own in sides for response in own)
        for response in everything:
            right = response in correct
            cells: tuple[Any, ...] = (str(response),)
            if isinstance(response, Span) and table.spans:
                cells = response.start, response.end, response.label
            elif isinstance(response, tuple):
                cells = ("\t".join(map(str, response)),)
            counts = [n for own in claims for n in (right and response in own, response in own)]
            rows.append((*place, *cells, int(right), *map(int, counts)))
        if not everything and place:  # a document without responses
            rows.append((*place, *[""] * len(what), *[0] * (1 + len(counted))))
    columns = [list(column) for column in zip(*rows, strict=True)] or [[] for _ in header]
    return dict(zip(header, columns, strict=True))


def table_columns(table: Table, id_name: str = "id", cluster_name: str = "cluster") -> Columns:
    """The columns of a table with one row per unit: what its ids and clusters are called."""
    columns: Columns = {}
    if table.ids is not None:
        # An id that is unique within a cluster only is by itself, if the clusters are there, too;
        # else as units are ordered.
        alone = table.clusters is None
        columns[id_name] = [
            ("\t".join(map(str, key)) if alone else key[-1]) if isinstance(key, tuple) else key
            for key in table.ids
        ]
    if table.clusters is not None:
        # Without ids a column of documents would be read as ids.
        columns[cluster_name if table.ids is not None else "cluster"] = table.clusters
    reserved = {*ID_COLUMNS, *CLUSTER_COLUMNS, "gold", "response", *SPAN, "metric"}
    for name, cells in table.others.items():
        if name not in reserved and not name.startswith(KINDS) and name:
            columns[name] = cells
    if table.metric is not None:
        columns["metric"] = [table.metric] * table.n_units
    if table.gold is not None:
        columns["gold"] = table.gold
    for name, values in table.systems.items():
        if table.format == "labels":
            columns[f"label_{name}"] = values
        elif table.format == "counts":
            for count, own in zip(table.columns, np.asarray(values).T.tolist(), strict=True):
                columns["gold" if count == "gold" else f"{count}_{name}"] = own
        else:
            columns[f"{'loss' if table.less_is_better else 'score'}_{name}"] = np.asarray(values)
    return columns
