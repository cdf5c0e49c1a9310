"""Two systems on the same test data, as the tests see them.

Whatever the input was, a comparison holds the summed statistics of both systems and
the *classes* of exchangeable units: units whose difference vectors are equal (or
opposite) are interchangeable, so only their number matters. Responses fall into two
classes: those that only one system produced and that are correct, (tp, predicted,
gold) = (1, 1, 0), and those that only one produced and that are spurious, (0, 1, 0).
Responses that both produced never matter to a test (Yeh 2000, footnote 4).
"""

from __future__ import annotations

import cmath
import numbers
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from csig import metrics
from csig.errors import InputError, as_integer, first_few
from csig.spans import Span, exclusions
from csig.units import (
    Units,
    aligned,
    check_sums,
    clustered,
    in_order,
    integer_table,
    labels_of,
    ordered,
)

__all__ = ["Comparison", "Exclusions", "UnitClass"]

COLUMNS = ("tp", "predicted", "gold")

Responses = Iterable[Hashable] | Mapping[Hashable, Iterable[Hashable]]


@dataclass(frozen=True)
class UnitClass:
    """Interchangeable units: each adds ``step`` to the statistics of whoever holds it."""

    name: str
    step: tuple[int, ...]
    only_a: int
    only_b: int

    @property
    def size(self) -> int:
        """How many units are exchanged."""
        return self.only_a + self.only_b


@dataclass(frozen=True)
class Exclusions:
    """Unique responses that exclude one of the other system: same or overlapping place."""

    pairs: int
    responses: int


def _count(name: str, value: object) -> int:
    """A count from anything that is an integer, numpy's included."""
    number = as_integer(value)
    if number is None:
        raise InputError(f"{name} must be an integer, found {value!r}")
    if number < 0:
        raise InputError(f"{name} must not be negative, found {number}")
    return number


def _not_finite(response: object) -> bool:
    """NaN or infinite, of whatever type, inside tuples too."""
    if isinstance(response, tuple):
        return any(map(_not_finite, response))
    if isinstance(response, (str, int)) or not isinstance(response, numbers.Number):
        return False
    try:
        return not cmath.isfinite(complex(response))  # type: ignore[call-overload]
    except (TypeError, ValueError, OverflowError):  # a signalling NaN; a huge fraction
        return not isinstance(response, numbers.Rational)


def _checked_names(names: object) -> tuple[str, str]:
    if isinstance(names, str) or not isinstance(names, Sequence) or len(names) != 2:
        raise InputError(f"names must be a pair of names, found {names!r}")
    return str(names[0]), str(names[1])


def _check_span(argument: str, index: int, span: Span) -> None:
    start, end = as_integer(span.start), as_integer(span.end)
    if start is None or end is None or start >= end:
        raise InputError(
            f"{argument}, response {index}: a span needs integers start < end, found {span}"
        )


def _response_set(argument: str, responses: object) -> set[Hashable]:
    """The responses as a set; a doubled one is named, never dropped."""
    if isinstance(responses, (str, bytes)) or not isinstance(responses, Iterable):
        raise InputError(
            f"{argument} must be an iterable of responses or {{document: responses}}, "
            f"found {type(responses).__name__}"
        )
    found: set[Hashable] = set()
    doubled: dict[Hashable, None] = {}
    for index, response in enumerate(responses):
        try:
            before = len(found)
            found.add(response)
        except TypeError:
            raise InputError(
                f"{argument}, response {index}: {type(response).__name__} is not hashable; "
                f"use a tuple or a string"
            ) from None
        if len(found) == before:
            doubled[response] = None
        elif isinstance(response, Span):
            _check_span(argument, index, response)
        elif _not_finite(response):
            raise InputError(f"{argument}, response {index}: {response!r} is not a finite number")
    if doubled:
        raise InputError(f"{argument}: responses given more than once: {first_few(doubled)}")
    return found


def _with_documents(
    argument: str, responses: Mapping[Hashable, Iterable[Hashable]], documents: Collection[Hashable]
) -> set[Hashable]:
    missing = [d for d in documents if d not in responses]
    if missing:
        raise InputError(
            f"{argument}: documents missing: {first_few(missing)}; "
            f"give an empty list for a document without responses"
        )
    extra = [d for d in responses if d not in documents]
    if extra:
        raise InputError(
            f"{argument}: documents that are not in gold: {first_few(extra)}; "
            f"give gold an empty list for a document without any"
        )
    return {
        (document, response)
        for document, here in responses.items()
        for response in _response_set(f"{argument}[{document!r}]", here)
    }


@dataclass(frozen=True)
class Comparison:
    """Two systems on the same test data.

    Made by :meth:`from_counts`, :meth:`from_responses` or :meth:`from_statistics`.

    Attributes
    ----------
    columns : tuple of str
        The columns of the statistics.
    unit : str
        What the null hypothesis lets us exchange between the systems.
    sums_a, sums_b : tuple of int
        The summed statistics of both systems.
    classes : tuple of UnitClass
        Responses that differ, by class; the correct ones first. Empty for other units.
    names : tuple of str
        The systems' names in reports.
    exclusions : Exclusions or None
        For spans: unique responses that exclude one of the other system.
    units : Units or None
        Units that differ, with their differences; None for responses.
    """

    columns: tuple[str, ...]
    unit: str
    sums_a: tuple[int, ...]
    sums_b: tuple[int, ...]
    classes: tuple[UnitClass, ...]
    names: tuple[str, str] = ("A", "B")
    exclusions: Exclusions | None = None
    units: Units | None = None

    @classmethod
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
            Responses that should be found, by anyone or by nobody.
        both_correct, only_a_correct, only_b_correct : int
            Correct responses that both systems, only A, only B produced.
        both_spurious, only_a_spurious, only_b_spurious : int
            The same for responses that are not in the gold.
        names : pair of str
            The systems' names in reports.
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
        gold = _count("gold", gold)
        both_correct = _count("both_correct", both_correct)
        both_spurious = _count("both_spurious", both_spurious)
        correct = UnitClass(
            "correct",
            (1, 1, 0),
            _count("only_a_correct", only_a_correct),
            _count("only_b_correct", only_b_correct),
        )
        spurious = UnitClass(
            "spurious",
            (0, 1, 0),
            _count("only_a_spurious", only_a_spurious),
            _count("only_b_spurious", only_b_spurious),
        )
        if gold >= 2**60:
            raise InputError(f"gold is {gold}; at most 2^60 is possible")
        found = both_correct + correct.size
        if found > gold:
            raise InputError(
                f"gold is {gold}, but the systems found {found} different correct responses"
            )
        for group in (correct, spurious):
            if group.size >= 2**31:
                raise InputError(
                    f"{group.size} unique {group.name} responses; at most 2^31 - 1 are possible"
                )
        sums_a = (
            both_correct + correct.only_a,
            both_correct + correct.only_a + both_spurious + spurious.only_a,
            gold,
        )
        sums_b = (
            both_correct + correct.only_b,
            both_correct + correct.only_b + both_spurious + spurious.only_b,
            gold,
        )
        return cls(
            COLUMNS,
            "response",
            sums_a,
            sums_b,
            (correct, spurious),
            _checked_names(names),
            exclusions,
        )

    @classmethod
    def from_responses(
        cls,
        gold: Responses,
        a: Responses,
        b: Responses,
        *,
        unit: str = "response",
        names: tuple[str, str] = ("A", "B"),
    ) -> Comparison:
        """A comparison from the gold standard and two systems' responses.

        Parameters
        ----------
        gold, a, b : iterable of hashable, or mapping {document: iterable}
            What should be found, and what each system claims. A response is anything
            hashable: a string, a tuple, a :class:`csig.Span`. With documents, all
            three must have the same ones, and a response counts within its document.
        unit : {"response"}
            What the null hypothesis exchanges.
        names : pair of str
            The systems' names in reports.

        Raises
        ------
        InputError
            A response is given twice by one system (it is named), is not hashable or
            not finite, or the documents differ.

        Examples
        --------
        >>> c = Comparison.from_responses(
        ...     gold={"fox", "dog", "cat"}, a=["fox", "dog", "hen"], b=["fox"])
        >>> [str(metrics.recall.score(c.sums(s))) for s in "ab"]
        ['2/3', '1/3']
        """
        if unit != "response":
            raise InputError(f"unit must be 'response', found {unit!r}")
        given = {"gold": gold, "a": a, "b": b}
        with_documents = [name for name, r in given.items() if isinstance(r, Mapping)]
        sets: dict[str, set[Hashable]]
        if with_documents and len(with_documents) < 3:
            others = [name for name in given if name not in with_documents]
            raise InputError(
                f"{' and '.join(with_documents)} is {{document: responses}}, "
                f"{' and '.join(others)} is not; give all three the same form"
            )
        if isinstance(gold, Mapping):
            sets = {
                name: _with_documents(name, r, gold)
                for name, r in given.items()
                if isinstance(r, Mapping)
            }
        else:
            sets = {name: _response_set(name, r) for name, r in given.items()}
        right, in_a, in_b = sets["gold"], sets["a"], sets["b"]
        only_a, only_b, both = in_a - in_b, in_b - in_a, in_a & in_b
        return cls.from_counts(
            gold=len(right),
            both_correct=len(both & right),
            only_a_correct=len(only_a & right),
            only_b_correct=len(only_b & right),
            both_spurious=len(both - right),
            only_a_spurious=len(only_a - right),
            only_b_spurious=len(only_b - right),
            names=names,
            exclusions=_exclusions(only_a, only_b, isinstance(gold, Mapping)),
        )

    @classmethod
    def from_statistics(
        cls,
        a: object,
        b: object,
        columns: Sequence[str],
        *,
        ids: object = None,
        clusters: object = None,
        names: tuple[str, str] = ("A", "B"),
    ) -> Comparison:
        """A comparison from a few counts per sentence, document, topic or question.

        The null hypothesis exchanges whole units: what is inside one moves together.

        Parameters
        ----------
        a, b : array_like of int, (units, columns), or mapping {id: row}
            Statistics that add up over units. With mappings both systems must have the
            same ids.
        columns : sequence of str
            Their names; metrics read them: ``tp``, ``predicted``, ``gold``, ...
        ids : sequence, optional
            One id a unit, each once; the hits of a seeded run then do not depend on the
            order of the rows. Without ids rows are matched by position.
        clusters : sequence or mapping {id: label}, optional
            One label a unit. Units with the same label are exchanged together.
        names : pair of str
            The systems' names in reports.

        Raises
        ------
        InputError
            Ids are missing, extra or doubled (the first few are named), a number is not
            an integer, or shapes differ.

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
        columns = (columns,) if isinstance(columns, str) else tuple(columns)
        if not columns or len(set(columns)) != len(columns):
            raise InputError("columns: each needs a name of its own")
        if isinstance(a, Mapping) != isinstance(b, Mapping):
            raise InputError("a and b: give both as arrays, or both as {id: row}")
        if isinstance(a, Mapping) and isinstance(b, Mapping):
            if ids is not None:
                raise InputError("ids: the keys of a and b are the ids already")
            keys, a, b = aligned(a, b)
            if isinstance(clusters, Mapping):
                clusters = in_order(clusters, keys)
        table_a, table_b = integer_table(a, columns, "a"), integer_table(b, columns, "b")
        if len(table_a) != len(table_b):
            raise InputError(f"a has {len(table_a)} units, b has {len(table_b)}")
        check_sums((table_a, table_b))
        if ids is not None:
            labels = labels_of("ids", ids, len(table_a))
            if isinstance(clusters, Mapping):
                clusters = in_order(clusters, labels)
            order = ordered(labels, "ids")
            table_a, table_b = table_a[order], table_b[order]
            if clusters is not None:
                given = labels_of("clusters", clusters, len(order))
                clusters = [given[i] for i in order]
        differences, unit = table_a - table_b, "unit"
        if clusters is not None:
            labels = labels_of("clusters", clusters, len(table_a))
            differences, unit = clustered(differences, labels), "cluster"
        differing = differences.any(axis=1)
        return cls(
            columns,
            unit,
            tuple(table_a.sum(axis=0).tolist()),
            tuple(table_b.sum(axis=0).tolist()),
            (),
            _checked_names(names),
            units=Units(np.ascontiguousarray(differences[differing]), len(differences)),
        )

    def sums(self, system: str) -> dict[str, int]:
        """The summed statistics of system ``"a"`` or ``"b"`` by column."""
        return dict(zip(self.columns, self.sums_a if system == "a" else self.sums_b, strict=True))

    def scores(
        self, metric: str | metrics.Metric, *, zero_division: int = 0
    ) -> tuple[float, float]:
        """Both systems' scores.

        Parameters
        ----------
        metric : str or Metric
            ``"recall"``, ``"precision"``, ``"f1"``, ``"jaccard"``, ``"f0.5"``, ... or your own.
        zero_division : {0, 1}
            The score where the denominator is zero.
        """
        wanted = metrics.get(metric)
        missing = [c for c in wanted.columns if c not in self.columns]
        if missing:
            raise InputError(
                f"metric {wanted.name!r} reads {first_few(missing)}; "
                f"this comparison has {first_few(self.columns)}"
            )
        a, b = (wanted.score(self.sums(s), zero_division=zero_division) for s in "ab")
        return float(a), float(b)

    @property
    def responses(self) -> tuple[UnitClass, UnitClass]:
        """The unique correct and the unique spurious responses; at response level only."""
        if len(self.classes) != 2:
            raise InputError(f"this comparison exchanges {self.unit}s, not responses")
        return self.classes[0], self.classes[1]

    @property
    def n_units(self) -> int:
        """Units that differ and can be exchanged."""
        if self.units is not None:
            return len(self.units.differences)
        return sum(group.size for group in self.classes)

    @property
    def identical(self) -> bool:
        """Both systems have the same statistics in every unit."""
        return self.n_units == 0


def _exclusions(
    only_a: set[Hashable], only_b: set[Hashable], with_documents: bool
) -> Exclusions | None:
    """Count exclusions where every unique response is a span."""

    def spans(responses: set[Hashable]) -> list[Span]:
        found: list[Span] = []
        for r in responses:
            if with_documents and isinstance(r, tuple) and isinstance(r[1], Span):
                found.append(r[1]._replace(document=(r[0], r[1].document)))
            elif isinstance(r, Span):
                found.append(r)
        return found

    spans_a, spans_b = spans(only_a), spans(only_b)
    n_spans, n = len(spans_a) + len(spans_b), len(only_a) + len(only_b)
    if n_spans == 0:
        return None
    if n_spans < n:
        raise InputError("some responses are spans and some are not; make all of them csig.Span")
    return Exclusions(*exclusions(spans_a, spans_b))
