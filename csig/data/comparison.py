"""Two systems on the same test data, as the tests see them.

Whatever the input was, a comparison holds the summed statistics of both systems and
the *classes* of exchangeable units: units whose difference vectors are equal (or
opposite) are interchangeable, so only their number matters. Responses fall into two
classes: those that only one system produced and that are correct, (tp, predicted,
gold) = (1, 1, 0), and those that only one produced and that are spurious, (0, 1, 0).
Responses that both produced never matter to a test (Yeh 2000, footnote 4).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from csig.base import wording
from csig.base.errors import InputError, NoInterval
from csig.base.shown import WIDTH, ShownRows
from csig.base.validation import check_zero_division, instance, one_of
from csig.base.wording import amount, clean, count, documented, few, first_few, noun, perhaps
from csig.data import metrics, tables
from csig.data.metrics import Metric
from csig.data.repeats import given_answers
from csig.data.responses import (
    Exclusions,
    RecordedResponses,
    Responses,
    UniqueResponses,
    UnitClass,
    counted,
    counted_rows,
    read_all,
    unique_responses,
    unit_classes,
)
from csig.data.units import (
    LEVELS,
    Rows,
    Units,
    align,
    check_sums,
    checked_columns,
    checked_level_names,
    checked_names,
    integer_table,
    numbered,
    summed,
    units_that_differ,
)

COLUMNS = ("tp", "predicted", "gold")

#: Cells of tables that are subtracted at a time.
CELLS = 2**18

#: Columns whose sums are shown.
MOST_COLUMNS = 5


@dataclass(frozen=True, repr=False)
class Comparison(ShownRows, report="csig.comparing.report"):
    """Two systems on the same test data.

    Made by :meth:`from_counts`, :meth:`from_responses`, :meth:`from_statistics`,
    :meth:`from_scores` or :meth:`from_labels`. Shows its systems and their sums, its unit and how
    many differ, ids and other units.

    >>> Comparison.from_scores([1, 0, 1], [0, 0, 1], names=("new", "base"))
    <Comparison new / base: score 2 / 1, n 3
     swaps items: 1 of 3 differ
     without ids, no other unit known>
    """

    columns: tuple[str, ...]  #: The columns of the statistics.
    unit: str  #: The unit that can be swapped between the systems under the null hypothesis.
    #: sums_a, sums_b: the summed statistics of both systems, in units of `scale`; see :meth:`sums`.
    sums_a: tuple[int, ...]
    sums_b: tuple[int, ...]
    #: Responses that differ, by class; the correct ones first. Empty for other units.
    classes: tuple[UnitClass, ...]
    names: tuple[str, str] = ("A", "B")  #: The systems' names in reports.
    #: If conflicts are known: unique responses that exclude one of the other system.
    exclusions: Exclusions | None = None
    #: Units that differ, with their differences and ids; None for responses.
    units: Units | None = None
    #: The value of 1 in each column: 1, except for scores that are not integers.
    scale: tuple[Fraction, ...] = ()
    #: For scores: sums that differ by this much or less may be equal; see `from_scores`.
    tau: int = 0
    #: For scores: whether those of all units lie from 0 to 1; None where that is not known.
    shares: bool | None = field(default=None, repr=False, compare=False)
    _source: UniqueResponses | RecordedResponses | tables.Tables | None = field(
        default=None, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        if not self.scale:
            object.__setattr__(self, "scale", (Fraction(1),) * len(self.columns))

    def _rows(self) -> list[dict[str, Any]]:
        """Of each system the sums, as numbers that tables have."""
        units = {"unit": self.unit, "n_differ": self.n_units}
        rows = []
        for name, system in zip(self.names, "ab", strict=True):
            sums = self.sums(system).items()
            numbers = {c: own if isinstance(own, int) else float(own) for c, own in sums}
            rows.append({"system": name, **numbers, **units})
        return rows

    def __repr__(self) -> str:
        a, b = self.sums("a"), self.sums("b")
        sums = [
            f"{column} {amount(a[column])}"
            + (f" / {amount(b[column])}" if a[column] != b[column] else "")
            for column in self.columns[:MOST_COLUMNS]
        ]
        sums += ["..."] * (len(self.columns) > MOST_COLUMNS)
        units, details = self.units, []
        differing = f"{count(self.n_units)} only one system has"
        if units is not None:
            differing = f"{count(self.n_units)} of {count(units.n_total)} differ"
            if units.n_total:
                details.append("without ids" if units.ids is None else "with ids")
        others = [noun(level, 2) for level in self.levels if level != self.unit]
        details.append(f"other units: {few(others, 4)}" if others else "no other unit known")
        if self.runs is not None:
            details.append(f"{self.runs.n} runs of each system")
        lines = [
            f"<Comparison {' / '.join(map(clean, self.names))}: {', '.join(sums)}",
            f" swaps {noun(self.unit, 2)}: {differing}",
            f" {', '.join(details)}>",
        ]
        return "\n".join(
            line if len(line) <= WIDTH else f"{line[: WIDTH - 3]}..." for line in lines
        )

    @classmethod
    @documented
    def from_counts(
        cls,
        *,
        gold: int,
        both_correct: int = 0,
        only_a_correct: int,
        only_b_correct: int,
        both_spurious: int = 0,
        only_a_spurious: int = 0,
        only_b_spurious: int = 0,
        names: tuple[str, str] = ("A", "B"),
        exclusions: Exclusions | None = None,
    ) -> Comparison:
        """A comparison from the counts that carry Yeh's whole test.

        Parameters
        ----------
        gold : int
            Responses in the gold, whether or not a system found them.
        both_correct, only_a_correct, only_b_correct : int
            Correct responses that both systems, only A, only B produced.
        both_spurious, only_a_spurious, only_b_spurious : int
            The same for responses that are not in the gold.
        %(names)s
        exclusions : Exclusions, optional
            Known exclusions between unique responses; they cause a caution in reports.

        Raises
        ------
        InputError
            A count is negative or not an integer, or more correct responses than gold.

        Examples
        --------
        The example of Yeh (2000), section 3.3:

        >>> c = Comparison.from_counts(gold=103, both_correct=19, only_a_correct=28,
        ...                            only_b_correct=6, both_spurious=5,
        ...                            only_a_spurious=43, only_b_spurious=9)
        >>> [round(score, 3) for score in c.scores("recall")]
        [0.456, 0.243]
        """
        classes, sums_a, sums_b = counted(
            gold=gold, both_correct=both_correct, only_a_correct=only_a_correct,
            only_b_correct=only_b_correct, both_spurious=both_spurious,
            only_a_spurious=only_a_spurious, only_b_spurious=only_b_spurious,
        )  # fmt: skip
        return cls(COLUMNS, "response", sums_a, sums_b, classes, checked_names(names), exclusions)

    @classmethod
    @documented
    def from_responses(
        cls,
        gold: Responses,
        a: Responses,
        b: Responses,
        *,
        unit: str | None = None,
        cluster: Mapping[Any, Hashable] | None = None,
        conflict: Callable[[Any], Hashable] | None = None,
        key_name: str = "key",
        cluster_name: str = "cluster",
        names: tuple[str, str] = ("A", "B"),
    ) -> Comparison:
        """A comparison from the gold standard and two systems' responses.

        Parameters
        ----------
        gold, a, b : iterable of hashable, or mapping {key: iterable}
            The gold responses, and those of each system: anything hashable, as a string, a tuple
            or a :class:`csig.metrics.Span`. With keys (of sentences, documents, questions), all
            three must have the same ones, and a response counts within its key.
        unit : {"response", "conflict", "key", "cluster"}, optional
            The unit to swap: single responses, as in Yeh (2000); conflict groups, that is,
            responses of the two systems that exclude each other and all that depends on them; all
            responses of a key; or of a cluster of keys. By default the largest known one, because
            responses that depend on each other must move together
            (:func:`csig.effects.sensitivity`).
        cluster : mapping {key: label}, optional
            Keys with the same label are one cluster.
        conflict : callable, optional
            A function from a response to its place: anything hashable, or an extent made by
            :func:`csig.metrics.spans`, which is the function for responses (start, end, label) and
            the default for :class:`csig.metrics.Span`. Unique responses of A and of B exclude each
            other when they have the same place, or overlapping extents, within their key.
        key_name, cluster_name : str
            Names of keys and clusters in reports and in `levels`: "sentence", "document".
        %(names)s

        Raises
        ------
        InputError
            A response is given twice by one system (it is named), is not hashable or
            not finite; the keys differ; or the unit needs something that is not given.

        Notes
        -----
        Units take random words in the order of their texts (as UTF-8): the key, the cluster's
        label, or the least text of a conflict group's responses, key first. Neither the order of
        the input nor which system is A matters.

        Examples
        --------
        A says Paris is a person, B says it is a place: at most one of them can be right.

        >>> from csig.metrics import spans
        >>> c = Comparison.from_responses(
        ...     gold={"s1": [(0, 1, "LOC")], "s2": [(4, 6, "PER")]},
        ...     a={"s1": [(0, 1, "PER")], "s2": [(4, 6, "PER")]},
        ...     b={"s1": [(0, 1, "LOC")], "s2": []},
        ...     conflict=spans, key_name="sentence")
        >>> c.unit, c.n_units, c.levels
        ('sentence', 2, ('response', 'conflict', 'sentence'))
        >>> c.at("response").n_units
        3
        """
        checked_level_names(key_name=key_name, cluster_name=cluster_name)
        called = {"key": key_name, "cluster": cluster_name}
        if unit is not None and unit not in [*LEVELS]:
            one_of("unit", unit, [called.get(level, level) for level in LEVELS])
        sets, keys = read_all(gold, a, b)
        source = unique_responses(sets, keys, cluster, conflict, key_name, cluster_name)
        right, both = sets[0], sets[1] & sets[2]
        comparison = cls.from_counts(
            gold=len(right), both_correct=len(both & right), both_spurious=len(both - right),
            **source.counts, names=names, exclusions=source.exclusions,
        )  # fmt: skip
        level = list(source.level_names)[-1]
        if level == "conflict" and conflict is None and not any(sets):
            level = "response"  # nothing says that these are spans
        if unit is not None:
            level = next((level for level, name in called.items() if name == unit), unit)
        if level not in source.level_names:
            raise InputError(f"unit {unit!r} needs {LEVELS[level]}")
        return replace(comparison, _source=source).at(level)

    @classmethod
    @documented
    def from_statistics(
        cls,
        a: object,
        b: object,
        columns: Sequence[str],
        *,
        id: object = None,
        cluster: object = None,
        runs: object = None,
        unit_name: str = "unit",
        cluster_name: str = "cluster",
        names: tuple[str, str] = ("A", "B"),
    ) -> Comparison:
        """A comparison from a few counts per sentence, document, topic or question.

        The test swaps whole units: everything in a unit moves together.

        Parameters
        ----------
        a, b : array_like of int, (units, columns), data frame, or mapping {id: row}
            Statistics that add up over units; both systems must have the same ids. The columns of
            a data frame (pandas, polars) are read by name. An index that is not the default range
            gives the ids. With several runs of each system: (runs, units, columns), or
            {run: {id: row}}; a unit is then swapped with all its runs, whose sums it has (see
            :attr:`runs`). Both systems need the same runs, and every run every unit.
        columns : sequence of str
            Their names; metrics read them: ``tp``, ``predicted``, ``gold``, ...
        %(ids)s
        runs : sequence, optional
            One name per run of arrays with runs.
        %(unit_names)s
        %(names)s

        Raises
        ------
        InputError
            Ids are missing, extra or doubled (the first few are named), a number is not
            an integer, shapes differ, or ``tp`` is more than ``predicted`` or ``gold``.

        Examples
        --------
        Three documents with (tp, predicted, gold):

        >>> c = Comparison.from_statistics(
        ...     a=[[3, 4, 5], [2, 2, 2], [0, 1, 1]],
        ...     b=[[2, 4, 5], [2, 2, 2], [1, 1, 1]],
        ...     columns=("tp", "predicted", "gold"))
        >>> c.n_units, c.scores("recall")
        (2, (0.625, 0.625))
        """
        columns = checked_columns(columns)
        given = tables.given_statistics(a, b, columns, id, cluster, runs)
        return cls._from_given(columns, given, unit_name, cluster_name, names)

    @classmethod
    @documented
    def from_scores(
        cls,
        a: object,
        b: object,
        *,
        id: object = None,
        cluster: object = None,
        runs: object = None,
        unit_name: str = "unit",
        cluster_name: str = "cluster",
        names: tuple[str, str] = ("A", "B"),
    ) -> Comparison:
        """A comparison from one score per sentence, document, topic or question.

        The metric for it is the mean, the sum of ``score`` over that of ``n``.

        Parameters
        ----------
        a, b : array_like of numbers, or mapping {id: number}
            The scores. With several runs of each system: (runs, units), or {run: {id: number}};
            a system's score is then the mean over units and runs. An index of a pandas Series
            that is not the default range gives the ids. Integers and truth values are kept as they
            are; others are mapped to an integer grid, exactly if they have few decimals.
        id, cluster, runs, unit_name, cluster_name, names
            As in :meth:`from_statistics`.

        Returns
        -------
        Comparison
            With the columns ``score`` and ``n``, which is 1 for every unit, or the number of
            runs, and the sum of that for a cluster. A score is an integer times ``scale[0]``;
            sums of scores that lie within ``tau`` of each other count as ties.

        Raises
        ------
        InputError
            Ids are missing, extra or doubled (the first few are named), or something is
            not a finite number.

        Examples
        --------
        >>> c = Comparison.from_scores([1, 0, 1, 1], [0, 0, 1, 0])
        >>> c.columns, c.sums("a"), c.n_units
        (('score', 'n'), {'score': 3, 'n': 4}, 2)
        """
        given = tables.given_scores(a, b, id, cluster, runs)
        return cls._of_scores(given, unit_name, cluster_name, names)

    @classmethod
    @documented
    def from_answers(
        cls,
        a: object,
        b: object,
        metric: str = "mean",
        *,
        id: object = None,
        cluster: object = None,
        unit_name: str = "unit",
        cluster_name: str = "cluster",
        names: tuple[str, str] = ("A", "B"),
    ) -> Comparison:
        """A comparison from several answers to each question, which is swapped with all of them.

        Parameters
        ----------
        a, b : sequence of sequences of numbers, or mapping {id: numbers}
            The scores of the answers to every question, 1 for a right and 0 for a wrong one.
            Questions and systems may have different numbers of answers.
        metric : str
            The score of a question: ``"mean"``; ``"pass@K"``, the probability that at least one of
            K of its answers is right, and ``"pass^K"``, that all are, K drawn without replacement;
            ``"majority"``, 1 if more than half of its answers are right, 1/2 if half are; or
            ``"plurality"``, the mean of the answers with the most frequent text, where answers are
            pairs, (text, score). Texts that are as frequent count alike; None agrees with none.
        id, cluster, unit_name, cluster_name, names
            As in :meth:`from_statistics`.

        Returns
        -------
        Comparison
            As of :meth:`from_scores`; its metric is ``"mean"``, that over the questions. Scores of
            questions are exact fractions, as integers times ``scale[0]``, if these fit 61 bits.

        Raises
        ------
        InputError
            A question has fewer than K answers; an answer is not 0 or 1, but for ``"mean"`` and
            ``"plurality"``.

        Notes
        -----
        pass@k is Chen et al.'s unbiased 1 - C(n - c, k) / C(n, k) (2021, arXiv 2107.03374), pass^k
        Yao et al.'s C(c, k) / C(n, k) (2024, arXiv 2406.12045), with c of n answers right; the
        plurality is Wang et al.'s self-consistency (2022, arXiv 2203.11171).

        Examples
        --------
        >>> a = {"q1": [1, 1, 0], "q2": [0, 1], "q3": [1, 1, 1, 0]}
        >>> b = {"q1": [0, 1, 0], "q2": [0, 0], "q3": [1, 0, 0, 0]}
        >>> c = Comparison.from_answers(a, b, "pass@2")
        >>> c.sums("a")["score"], c.sums("b")["score"], c.n_units
        (Fraction(3, 1), Fraction(7, 6), 3)
        """
        given = given_answers(a, b, metric, id, cluster)
        return cls._of_scores(given, unit_name, cluster_name, names)

    @classmethod
    def _of_scores(
        cls, given: tables.Given, unit_name: str, cluster_name: str, names: tuple[str, str]
    ) -> Comparison:
        comparison = cls._from_given(("score", "n"), given, unit_name, cluster_name, names)
        rows = given.aligned[:2] if given.runs is None else (given.runs.a, given.runs.b)
        shares = all(
            scores.min(initial=0) >= 0 and int(scores.max(initial=0)) * given.value <= 1
            for scores in (table[..., 0] for table in rows)
        )
        return replace(comparison, scale=(given.value, Fraction(1)), tau=given.tau, shares=shares)

    @classmethod
    def from_labels(
        cls,
        gold: object,
        a: object,
        b: object,
        *,
        positive: Hashable | None = None,
        id: object = None,
        cluster: object = None,
        unit_name: str = "unit",
        cluster_name: str = "cluster",
        names: tuple[str, str] = ("A", "B"),
    ) -> Comparison:
        """A comparison from one label per item: the gold label and each system's.

        For accuracy, macro and weighted F1, balanced accuracy, Matthews' correlation,
        Cohen's kappa; with `positive` also for recall, precision, F and specificity.

        Parameters
        ----------
        gold, a, b : sequence of hashable, or mapping {id: label}
            The gold label of every item, and the systems'.
        positive : hashable, optional
            The positive class; all other labels are negative.
        id, cluster, unit_name, cluster_name, names
            As in :meth:`from_statistics`.

        Returns
        -------
        Comparison
            With the columns ``correct``, ``items`` and, for every label,
            :func:`csig.data.tables.class_columns`; or, with `positive`, ``tp``, ``fp``, ``fn``,
            ``tn``.

        Raises
        ------
        InputError
            Ids are missing, extra or doubled, the lengths differ, or no item is `positive`.

        Examples
        --------
        >>> c = Comparison.from_labels(gold=["cat", "dog", "cat", "owl"],
        ...                            a=["cat", "dog", "cat", "cat"],
        ...                            b=["cat", "cat", "dog", "owl"])
        >>> c.scores("accuracy")
        (0.75, 0.5)
        >>> [round(score, 4) for score in c.scores("macro_f1")]
        [0.6, 0.5]
        """
        codes, labels, ids, clusters = tables.codes_of({"gold": gold, "a": a, "b": b}, id, cluster)
        if positive is not None and positive not in labels:
            raise InputError(
                f"no item has the positive label {positive!r}{perhaps(positive, labels)}"
            )
        right = None if positive is None else labels.index(positive)
        columns, (one, other) = tables.label_tables(codes, labels, right)
        aligned = align(one, other, ids, clusters, partial(integer_table, columns=columns))
        return cls._from_given(columns, tables.Given(aligned, None), unit_name, cluster_name, names)

    @classmethod
    def _from_given(
        cls,
        columns: tuple[str, ...],
        given: tables.Given,
        unit_name: str,
        cluster_name: str,
        names: tuple[str, str],
    ) -> Comparison:
        names = checked_names(names)
        checked_level_names(unit_name=unit_name, cluster_name=cluster_name)
        table_a, table_b, ids, clusters = given.aligned
        check_sums((table_a, table_b))
        differences = table_a - table_b
        levels = {unit_name: units_that_differ(differences, ids)}
        numbers = None
        if clusters is not None:
            numbers, labels = numbered(clusters)
            levels[cluster_name] = units_that_differ(summed(differences, numbers), labels)
        unit = list(levels)[-1]
        results = tables.results_of(columns, table_a, table_b)
        rows = Rows(table_a, table_b)
        return cls(
            columns, unit, tuple(table_a.sum(axis=0).tolist()), tuple(table_b.sum(axis=0).tolist()),
            (), names, units=levels[unit],
            _source=tables.Tables(levels, results, rows, clusters, given.runs, ids, numbers),
        )  # fmt: skip

    @property
    def levels(self) -> tuple[str, ...]:
        """The units that :meth:`at` accepts, finest first."""
        return tuple(self._levels.values())

    @property
    def _levels(self) -> dict[str, str]:
        """The same by their general names."""
        if self._source is None or isinstance(self._source, RecordedResponses):
            return {self.unit: self.unit}
        return dict(self._source.level_names)

    def _level(self, unit: str) -> str:
        """The general name of a unit."""
        return next(level for level, called in self._levels.items() if called == unit)

    def at(self, unit: str) -> Comparison:
        """The same comparison with another unit swapped.

        Parameters
        ----------
        unit : str
            One of :attr:`levels`: "response", "conflict", "key" and "cluster" for
            responses, as far as they are known; "unit" and "cluster" for statistics and
            scores; only "response" for counts. Keys, clusters and units with another
            name are known by both names.

        Examples
        --------
        >>> c = Comparison.from_statistics([[1], [2], [3]], [[1], [3], [5]], ["errors"],
        ...                                cluster=["x", "y", "y"], cluster_name="story")
        >>> c.n_units, c.at("unit").n_units
        (1, 2)
        >>> c.unit == c.at("cluster").unit == "story"
        True
        """
        levels = self._levels
        name = unit if unit in self.levels else levels.get(unit) if isinstance(unit, str) else None
        if name is None:
            raise InputError(
                f"this comparison has no unit {unit!r}{perhaps(unit, self.levels)}; available: "
                f"{first_few(self.levels)}"
            )
        source = self._source
        if source is None or isinstance(source, RecordedResponses):
            return self
        level = self._level(name)
        if level == "response":
            return self.by_response() or self
        return replace(self, unit=name, units=source.units(level), classes=())

    def by_response(self) -> Comparison | None:
        """The same with single responses swapped; None where they are not known.

        They are also known, at every unit, in a comparison rebuilt from a record.
        """
        if self.units is None:
            return self
        if isinstance(self._source, (UniqueResponses, RecordedResponses)):
            classes = unit_classes(**self._source.counts)
            return replace(self, unit="response", units=None, classes=classes)
        return None

    def part_of(self, whole: Comparison) -> Comparison:
        """The same, for a part of the responses, with the conflict groups of the whole.

        `whole` has the same systems on all responses; both are by conflict group.

        A's two persons exclude B's place; as persons alone they exclude nothing.

        >>> from csig.metrics import spans
        >>> gold, a, b = [(0, 4, "LOC")], [(0, 1, "PER"), (2, 3, "PER")], [(0, 4, "LOC")]
        >>> whole = Comparison.from_responses(gold, a, b, conflict=spans)
        >>> persons = Comparison.from_responses([], a, [], conflict=spans)
        >>> persons.n_units, persons.part_of(whole).n_units
        (2, 1)
        """
        mine, theirs = self._source, whole._source
        if not (
            isinstance(mine, UniqueResponses)
            and isinstance(theirs, UniqueResponses)
            and self.unit == whole.unit == "conflict"
        ):
            raise InputError("part_of needs two comparisons of responses by conflict group")
        try:
            units = mine.units("conflict", theirs)
        except KeyError as error:
            raise InputError(f"response {error.args[0][2]!r} is not part of the whole") from None
        return replace(self, units=units)

    def sums(self, system: str) -> dict[str, Any]:
        """The summed statistics of system ``"a"`` or ``"b"`` by column.

        They are exact: integers, or Fractions in a column whose `scale` is not 1.
        """
        if system not in ("a", "b"):
            raise InputError(f"system must be 'a' or 'b', found {system!r}")
        sums = self.sums_a if system == "a" else self.sums_b
        return {
            column: total if value == 1 else total * value
            for column, total, value in zip(self.columns, sums, self.scale, strict=True)
        }

    @documented
    def scores(
        self, metric: str | metrics.Metric, *, zero_division: int = 0
    ) -> tuple[float, float]:
        """Both systems' scores.

        Parameters
        ----------
        metric : str or Metric
            ``"recall"``, ``"precision"``, ``"f1"``, ``"jaccard"``, ``"f0.5"``, ... or your own.
        %(zero_division)s
        """
        wanted = checked_metric(self, metric, zero_division)
        a, b = (wanted.score(self.sums(s), zero_division=zero_division) for s in "ab")
        return float(a), float(b)

    def rows(self) -> Rows:
        """Both systems' statistics, one row for every unit, those without a difference too.

        A named pair ``(a, b)`` of int64 arrays, (units, columns), which sum to `sums_a` and
        `sums_b`. Single responses have one row for each in the gold, found or not, and one
        for each spurious one; so have those that belong to no conflict group. There are none
        (:class:`csig.intervals.NoInterval`) where a record keeps only the units that differ, or of
        more single responses than can be laid out one by one.

        >>> c = Comparison.from_scores([1, 0, 1], [1, 1, 0])
        >>> c.rows().b.tolist(), c.n_units
        ([[1, 1], [1, 1], [0, 1]], 2)
        """
        source = self._source
        if self.units is None:
            return counted_rows(self.responses, self.sums_a)
        if source is None or isinstance(source, RecordedResponses):
            raise NoInterval(
                "only the units that differ are known; the interval needs the data themselves"
            )
        every = source.rows(self._level(self.unit))
        known, step = self.units.differences, max(1, CELLS // len(self.columns))
        same, at = True, 0
        for i in range(0, every.n, step):
            differing = units_that_differ(every.a[i : i + step] - every.b[i : i + step]).differences
            same = same and np.array_equal(differing, known[at : at + len(differing)])
            at += len(differing)
        if not same or at != len(known):
            raise NoInterval(f"these {self.unit} units are those of a larger comparison")
        return every

    def labelled_rows(self) -> tuple[Rows, Sequence[Hashable] | None, Sequence[Hashable] | None]:
        """The rows, what identifies each, and what larger unit it lies in; see `rows`.

        Of single responses and conflict groups only those that one system has.
        """
        rows, source = self.rows(), self._source
        if source is None or isinstance(source, RecordedResponses):
            raise InputError("counts have no single units to look at; give the responses")
        ids, larger = source.labels(self._level(self.unit))
        n = None if ids is None else len(ids)
        return Rows(rows.a[:n], rows.b[:n]), ids, larger

    @property
    def responses(self) -> tuple[UnitClass, UnitClass]:
        """The unique correct and the unique spurious responses; at response level only."""
        if len(self.classes) != 2:
            raise InputError(f"this comparison swaps {self.unit}s, not responses")
        return self.classes[0], self.classes[1]

    @property
    def runs(self) -> tables.Runs | None:
        """What every run of both systems has in every unit; None where runs were not given.

        Three questions, two runs of each system:

        >>> c = Comparison.from_scores([[1, 0, 1], [1, 1, 1]], [[0, 0, 1], [1, 0, 0]])
        >>> c.runs.n, c.runs.a.shape, c.sums("a")
        (2, (2, 3, 2), {'score': 5, 'n': 6})
        """
        if not isinstance(self._source, tables.Tables):
            return None
        return self._source.runs_at(self._level(self.unit))

    @property
    def n_units(self) -> int:
        """Number of units that differ and can be swapped."""
        if self.units is not None:
            return len(self.units.differences)
        return sum(group.size for group in self.classes)

    @property
    def identical(self) -> bool:
        """Both systems have the same statistics in every unit."""
        return self.n_units == 0


def checked_metric(
    comparison: object, metric: str | metrics.Metric, zero_division: object = 0
) -> metrics.Metric:
    """The metric, where it can be computed from what must be a comparison."""
    columns = instance("comparison", comparison, Comparison).columns
    wanted = metrics.get(metric, columns)
    wanted.check_columns(columns)
    check_zero_division(zero_division)
    return wanted


Numbers = NDArray[np.float64]

#: Numbers in a block of what a function is given at once.
BLOCK = 2**16


def paired_error(comparison: Comparison, metric: Metric, zero_division: int = 0) -> float | None:
    """About the standard error of a difference; None in percent, or where units do not vary."""
    units = comparison.units
    if units is None or not len(units.differences):
        return None
    scores = comparison.scores(metric, zero_division=zero_division)
    if wording.in_percent(scores, metric.name, comparison.shares):
        return None
    changes = _changes(comparison, metric, units.differences, scores, zero_division)
    return error_of_sum(changes, units.n_total)


class PairedError:
    """`paired_error` of results that may never be shown; a copy or a pickle has its value alone."""

    def __init__(self, comparison: Comparison, metric: Metric, zero_division: int = 0) -> None:
        self._given = comparison, metric, zero_division

    @cached_property
    def value(self) -> float | None:
        return paired_error(*self._given)

    def __getstate__(self) -> dict[str, float | None]:
        return {"value": self.value}


def error_of_sum(parts: Numbers, n: int) -> float | None:
    """The standard error of a sum over n units, of those that add anything what they add."""
    largest = float(np.abs(parts).max(initial=0.0))
    if n < 2 or not 0 < largest < math.inf:
        return None
    parts = parts / largest
    total, squares = float(parts.sum()), float(np.square(parts).sum())
    spread = squares - total * total / n
    return largest * math.sqrt(spread * n / (n - 1)) if spread > 1e-9 * squares else None


def _changes(
    comparison: Comparison,
    metric: Metric,
    differences: NDArray[np.int64],
    scores: tuple[float, float],
    zero_division: int,
) -> Numbers:
    """Half of what swapping each unit alone takes from the difference."""
    sums = [np.array([*map(float, comparison.sums(own).values())]) for own in "ab"]
    scale = np.array([*map(float, comparison.scale)])
    if metric.linear_fractional:
        moved = differences * scale
        above, below = (np.array(w, dtype=float) for w in metric.weights_of(comparison.columns))
        x, y = moved @ above, moved @ below
        bases = [float(own @ below) for own in sums]
        if not all(bases):
            return np.zeros(0)
        parts = [(x - score * y) / base for score, base in zip(scores, bases, strict=True)]
        return np.asarray((parts[0] + parts[1]) / 2)
    places = [comparison.columns.index(column) for column in metric.columns]
    sums, scale = [own[places] for own in sums], scale[places]
    step = max(1, BLOCK // len(places))
    trials = []
    for start in range(0, len(differences), step):
        moved = differences[start : start + step, places] * scale
        a, b = (metric.values(own, zero_division)[0] for own in (sums[0] - moved, sums[1] + moved))
        trials.append(a - b)
    return np.asarray((scores[0] - scores[1] - np.concatenate(trials)) / 2)
