"""Responses: checked, reduced to the unique ones, and these grouped into units.

Only responses that one system produced and the other did not tell the systems apart
(Yeh 2000, footnote 4), so only these are kept. They are swapped one by one, or by
conflict group, by key (a sentence, a document) or by cluster of keys.

Two responses exclude each other when they claim the same place: another label for the
same thing, or spans that share a token. A system whose responses do not overlap cannot
claim both, so they cannot be shuffled independently of each other. Every response has a
*place*: anything hashable, or the extent of a span (:func:`spans`). Unique responses of A
and of B exclude each other when their places are equal, or their extents overlap; the
connected components of this graph are the *conflict groups*, which can only move whole.
"""

from __future__ import annotations

import cmath
import itertools
import numbers
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from csig.base.errors import InputError, NoInterval
from csig.base.validation import as_integer, public
from csig.base.wording import first_few
from csig.data.units import (
    LEVELS,
    Rows,
    Units,
    cluster_mapping,
    in_order,
    is_missing,
    labels_of,
    ordered,
    refuse_missing,
    text,
    units_that_differ,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

Responses = Iterable[Hashable] | Mapping[Hashable, Iterable[Hashable]]

Conflict = Callable[[Any], Hashable]


class Span(NamedTuple):
    """A labelled stretch of tokens: positions ``start`` up to, not including, ``end``."""

    document: Hashable
    start: int
    end: int
    label: str


class Extent(NamedTuple):
    """Where a span is, whatever its label. Made by :func:`spans`."""

    document: Hashable
    start: int
    end: int


@public("csig.metrics")
def spans(response: Span | tuple[int, int, Hashable]) -> Extent:
    """The extent of a span: the place of a response that excludes all it overlaps.

    Give it to :meth:`csig.Comparison.from_responses` as ``conflict=csig.metrics.spans``, or use
    it in a function of your own that finds start and end in your responses.

    Parameters
    ----------
    response : (start, end, label) or Span
        Positions ``start`` up to, not including, ``end``. Spans of different documents
        never overlap; without a document that of the key counts, where there are keys.

    Returns
    -------
    Extent
        Document (None for a plain tuple), start and end.

    Raises
    ------
    InputError
        For anything else, or where not start < end.

    Examples
    --------
    >>> spans((3, 5, "PER"))
    Extent(document=None, start=3, end=5)
    """
    if isinstance(response, Span):
        document, start, end, _ = response
    elif isinstance(response, tuple) and len(response) == 3:
        document, (start, end, _) = None, response
    else:
        raise InputError(
            f"expected a span (start, end, label), found {response!r}; "
            f"make it a csig.metrics.Span where it has a document"
        )
    first, last = as_integer(start), as_integer(end)
    if first is None or last is None or first >= last:
        raise InputError(f"a span needs integers start < end, found {response!r}")
    return Extent(document, first, last)


class Places(NamedTuple):
    """Places as intervals on one axis, document after document."""

    # One pass from left to right finds the groups: a million spans take seconds, however many
    # overlap.

    start: NDArray[np.int64]
    end: NDArray[np.int64]


def lay_out(places: Iterable[tuple[Hashable, Hashable]]) -> Places:
    """Intervals that overlap exactly where the places of one key are the same or overlap."""
    numbers: dict[Hashable, int] = {}
    documents, starts, ends = [], [], []
    for key, place in places:
        if isinstance(place, Extent):
            document: Hashable = (key, True, place.document)
            start, end = place.start, place.end
        else:  # a document of its own with one position
            document, start, end = (key, False, place), 0, 1
        documents.append(numbers.setdefault(document, len(numbers)))
        starts.append(start)
        ends.append(end)
    # Positions by rank: their size does not matter, and no sum can overflow.
    try:
        positions = np.array([starts, ends], dtype=np.int64).reshape(2, -1)
    except OverflowError:
        raise InputError("a position in a span does not fit 64 bits") from None
    values, ranks = np.unique(positions, return_inverse=True)
    axis = np.array(documents, dtype=np.int64) * len(values) + ranks.reshape(positions.shape)
    return Places(axis[0], axis[1])


@dataclass(frozen=True)
class Exclusions:
    """Unique responses that exclude one of the other system: same or overlapping place."""

    pairs: int  #: Pairs at the same or an overlapping place.
    responses: int  #: Responses of either system that are in at least one such pair.


def exclusions(places: Places, n_a: int) -> Exclusions:
    """Count the pairs of a response of A, the first `n_a`, and one of B that exclude each other."""
    a, b = (Places(places.start[half], places.end[half]) for half in (slice(n_a), slice(n_a, None)))

    def overlaps(one: Places, other: Places) -> NDArray[np.int64]:
        """For each interval how many of the others begin before its end and are not over."""
        begun = np.searchsorted(np.sort(other.start), one.end)
        over = np.searchsorted(np.sort(other.end), one.start, side="right")
        return np.asarray(begun - over, dtype=np.int64)

    of_a, of_b = overlaps(a, b), overlaps(b, a)
    involved = np.count_nonzero(of_a) + np.count_nonzero(of_b)
    return Exclusions(int(of_a.sum()), int(involved))


def groups(places: Places, n_a: int) -> NDArray[np.intp]:
    """The conflict group of every response, by number."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    n = len(places.start)
    start, end = places.start.tolist(), places.end.tolist()
    # From left to right, with the intervals of each system that may still go on. All of
    # the other system that go on where one begins overlap it, so they are one group with
    # it from here on, and the one that reaches furthest stands for them. Two of one system are
    # in one group only if something of the other connects them.
    going: tuple[list[int], list[int]] = ([], [])
    edges: tuple[list[int], list[int]] = ([], [])
    for i in np.argsort(places.start, kind="stable").tolist():
        mine = i >= n_a
        if others := going[not mine]:
            overlapping = [j for j in others if end[j] > start[i]]
            edges[0].extend([i] * len(overlapping))
            edges[1].extend(overlapping)
            others[:] = [max(overlapping, key=end.__getitem__)] if overlapping else []
        going[mine].append(i)
    graph = coo_array((np.ones(len(edges[0]), dtype=np.int8), edges), shape=(n, n))
    return np.asarray(connected_components(graph, directed=False)[1], dtype=np.intp)


def _not_finite(response: object) -> bool:
    """NaN or infinite, of whatever type, inside tuples too."""
    if isinstance(response, tuple):
        return any(map(_not_finite, response))
    if isinstance(response, (str, int)) or response is None:
        return False
    if not isinstance(response, numbers.Number):
        return is_missing(response)  # what pandas and numpy have for nothing
    try:
        return not cmath.isfinite(complex(response))  # type: ignore[call-overload]
    except (TypeError, ValueError, OverflowError):  # a signalling NaN; a huge fraction
        return not isinstance(response, numbers.Rational)


def _response_set(argument: str, responses: object) -> set[Hashable]:
    """The responses as a set; a doubled one is named, never dropped."""
    if hasattr(responses, "columns"):  # going through it would give the names of its columns
        raise InputError(
            f"{argument}: found a {type(responses).__name__}, expected responses; "
            f"give its rows as tuples"
        )
    without_items = isinstance(responses, Iterable) and getattr(responses, "shape", None) == ()
    if isinstance(responses, (str, bytes)) or not isinstance(responses, Iterable) or without_items:
        raise InputError(
            f"{argument} must be an iterable of responses or {{key: responses}}, "
            f"found {type(responses).__name__}"
        )
    distinct: set[Hashable] = set()
    doubled: dict[Hashable, None] = {}
    for index, response in enumerate(responses):
        try:
            before = len(distinct)
            distinct.add(response)
        except TypeError:
            raise InputError(
                f"{argument}, response {index}: {type(response).__name__} is not hashable; "
                f"use a tuple or a string"
            ) from None
        if response is None:
            raise InputError(f"{argument}, response {index}: None is not a response")
        if len(distinct) == before:
            doubled[response] = None
        elif isinstance(response, Span):
            start, end = as_integer(response.start), as_integer(response.end)
            if start is None or end is None or start >= end:
                raise InputError(
                    f"{argument}, response {index}: a span needs integers start < end, "
                    f"found {response}"
                )
        elif _not_finite(response):
            raise InputError(f"{argument}, response {index}: {response!r} is not a finite number")
    if doubled:
        raise InputError(f"{argument}: responses given more than once: {first_few(doubled)}")
    return distinct


def read_all(
    gold: Responses, a: Responses, b: Responses
) -> tuple[list[set[Hashable]], list[Hashable] | None]:
    """The responses of gold, A and B as sets, with keys as pairs (key, response); and the keys."""
    given = {"gold": gold, "a": a, "b": b}
    with_keys = [name for name, r in given.items() if isinstance(r, Mapping)]
    if with_keys and len(with_keys) < 3:
        others = [name for name in given if name not in with_keys]
        raise InputError(
            f"{' and '.join(with_keys)} is {{key: responses}}, "
            f"{' and '.join(others)} is not; give all three the same form"
        )
    if not isinstance(gold, Mapping):
        return [_response_set(name, r) for name, r in given.items()], None
    for key in gold:
        if is_missing(key) or _not_finite(key):
            raise InputError(f"gold: {key!r} is not a key")
    sets: list[set[Hashable]] = []
    for name, responses in given.items():
        assert isinstance(responses, Mapping)
        empty = "; give an empty list for a key without responses"
        refuse_missing(f"{name}: keys missing:", gold, responses, empty)
        empty = "; give gold an empty list for a key without any"
        refuse_missing(f"{name}: keys that are not in gold:", responses, gold, empty)
        here = {key: _response_set(f"{name}[{key!r}]", of_key) for key, of_key in responses.items()}
        sets.append({(key, response) for key, of_key in here.items() for response in of_key})
    return sets, list(gold)


def _place(conflict: Conflict, response: Hashable) -> Hashable:
    """Where the user's function puts a response."""
    what = f"conflict, response {response!r}"
    try:
        place = conflict(response)
    except InputError as error:
        raise InputError(f"{what}: {error}") from None
    except Exception as error:
        raise InputError(f"{what}: {type(error).__name__}: {error}") from error
    if isinstance(place, Extent):
        return place
    if isinstance(place, Span):
        return spans(place)
    if place is None:  # a function that forgot to return would put everything in one group
        raise InputError(
            f"{what}: found None, expected a place; return the response itself where it "
            f"excludes no other"
        )
    try:
        hash(place)
    except TypeError:
        raise InputError(
            f"{what}: its place is a {type(place).__name__}, which is not hashable; "
            f"return a tuple or a string"
        ) from None
    if _not_finite(place):
        raise InputError(f"{what}: {place!r} is not a place")
    return place


def _places(
    responses: list[Hashable], of_key: list[Hashable] | None, conflict: Conflict | None
) -> Places | None:
    """Where the unique responses are; None where that is unknown."""
    if conflict is None:  # responses that are all spans have their extents for places
        labelled = [r for r in responses if isinstance(r, Span)]
        if not labelled:
            return None
        if len(labelled) < len(responses):
            raise InputError(
                "some responses are spans and some are not; make all of them csig.metrics.Span"
            )
        where: Iterable[Hashable] = (Extent(s.document, s.start, s.end) for s in labelled)
    elif not callable(conflict):
        raise InputError(
            f"conflict must be a function from a response to its place, found {conflict!r}"
        )
    else:
        where = (_place(conflict, r) for r in responses)
    keys = itertools.repeat(None) if of_key is None else of_key
    return lay_out(zip(keys, where, strict=of_key is not None))


def typed(label: Hashable) -> str:
    """A text that tells 1 from "1", and (a, b) from (a + tab + b,)."""
    if isinstance(label, tuple):
        return f"({','.join(map(typed, label))})"
    if isinstance(label, frozenset):
        return f"{{{','.join(sorted(map(typed, label)))}}}"
    return f"{type(label).__name__}:{text(label)}"


@dataclass(frozen=True)
class UnitClass:
    """Interchangeable units: each adds ``step`` to the statistics of the system that holds it."""

    name: str
    step: tuple[int, ...]
    only_a: int
    only_b: int

    @property
    def size(self) -> int:
        """How many units can be swapped."""
        return self.only_a + self.only_b


def unit_classes(
    only_a_correct: int, only_b_correct: int, only_a_spurious: int, only_b_spurious: int
) -> tuple[UnitClass, UnitClass]:
    """Unique responses, correct and spurious."""
    return (
        UnitClass("correct", (1, 1, 0), only_a_correct, only_b_correct),
        UnitClass("spurious", (0, 1, 0), only_a_spurious, only_b_spurious),
    )


@dataclass(frozen=True)
class RecordedResponses:
    """The responses of one system only, of which a record keeps the numbers."""

    #: How many are correct and spurious, by system, named as in :attr:`UniqueResponses.counts`.
    counts: Mapping[str, int]


@dataclass(frozen=True, eq=False)
class UniqueResponses:
    """The responses of one system only: A's, then B's."""

    responses: list[Hashable]  #: In no particular order within each system.
    of_key: list[Hashable] | None  #: The key of each.
    n_a: int  #: How many are A's.
    correct: NDArray[np.bool_]  #: Whether each is in the gold.
    keys: list[Hashable] | None  #: All keys, those without unique responses too.
    clusters: Mapping[Hashable, Hashable] | None  #: The cluster of every key.
    places: Places | None  #: Where each is, if conflicts are known.
    level_names: Mapping[str, str]  #: Names of the known units that can be swapped, finest first.
    #: Of every key, of everything without keys: correct responses and spurious ones of both
    #: systems, and all in the gold.
    shared: NDArray[np.int64]

    @property
    def exclusions(self) -> Exclusions | None:
        """How many exclude each other; None where that is unknown."""
        return None if self.places is None else exclusions(self.places, self.n_a)

    @property
    def counts(self) -> dict[str, int]:
        """How many are correct and spurious, by system."""
        a, b = self.correct[: self.n_a], self.correct[self.n_a :]
        return {
            "only_a_correct": int(a.sum()),
            "only_b_correct": int(b.sum()),
            "only_a_spurious": int((~a).sum()),
            "only_b_spurious": int((~b).sum()),
        }

    def units(self, level: str, whole: UniqueResponses | None = None) -> Units:
        """The unique responses as units of one of `LEVELS` but the finest."""
        # Where these are a part of the `whole`, its conflict groups are theirs: what is in one
        # group moves together, also where it is in several parts.
        if level == "conflict" and whole is not None:
            numbers, texts = whole._conflict_groups()
            group = dict(zip(whole._identified(), numbers.tolist(), strict=True))
            if missing := set(self._identified()).difference(group):
                raise KeyError(min(missing, key=str))
            mine = np.array([group[own] for own in self._identified()], dtype=np.intp)
            kept, number = np.unique(mine, return_inverse=True)
            ids = [texts[i] for i in kept.tolist()]
        elif level == "conflict":
            number, ids = self._conflict_groups()
        else:
            number, ids = self._labelled(level)
        sign = np.ones(len(self.responses), dtype=np.int64)
        sign[self.n_a :] = -1
        differences = np.zeros((len(ids), 3), dtype=np.int64)
        np.add.at(differences[:, 0], number, sign * self.correct)
        np.add.at(differences[:, 1], number, sign)
        return units_that_differ(differences, ids)

    def rows(self, level: str) -> Rows:
        """What both systems have in every unit of one of `LEVELS` but the finest."""
        correct, spurious, gold = self.shared.T
        if level in ("key", "cluster"):
            of_key, ids = self._numbered(level)
            base = np.zeros((len(ids), 3), dtype=np.int64)
            np.add.at(base, of_key, np.stack([correct, correct + spurious, gold], axis=1))
            return self._added(self._labelled(level)[0], base)
        number, texts = self._conflict_groups()
        base = np.zeros((len(texts), 3), dtype=np.int64)
        np.add.at(base[:, 2], number, self.correct)
        unique = self._added(number, base)
        # Then what is in no group, one by one: responses of both systems, and what both missed.
        missed = gold.sum() - correct.sum() - self.correct.sum()
        rest = _rows_of_kinds([0] * 4 + [int(correct.sum()), int(missed), int(spurious.sum())])
        return Rows(*(np.concatenate(pair) for pair in zip(unique, rest, strict=True)))

    def labels(self, level: str) -> tuple[Sequence[Hashable], Sequence[Hashable] | None]:
        """What identifies the units of a level, and what larger unit each lies in; of single
        responses and conflict groups only those of one system, the first rows.
        """
        if level == "conflict":
            return self._conflict_groups()[1], None
        if level != "response":
            ids = self._numbered(level)[1]
            if level == "cluster" or self.clusters is None:
                return ids, None
            return ids, [self.clusters[key] for key in ids]
        in_a = np.arange(len(self.responses)) < self.n_a
        order = np.lexsort((~in_a, ~self.correct)).tolist()  # as the counts have them
        keys = self.of_key
        inner = None if keys is None else [keys[i] for i in order]
        return [self.responses[i] for i in order], inner

    def _added(self, number: NDArray[np.intp], base: NDArray[np.int64]) -> Rows:
        """The unique responses added to what both systems have in every unit."""
        tables = base.copy(), base.copy()
        parts = slice(self.n_a), slice(self.n_a, None)
        for table, part in zip(tables, parts, strict=True):
            np.add.at(table[:, 0], number[part], self.correct[part])
            np.add.at(table[:, 1], number[part], 1)
        return Rows(*tables)

    def _labelled(self, level: str) -> tuple[NDArray[np.intp], list[Hashable]]:
        """The key or the cluster of every response, by number, and all of them in order."""
        of_key, ids = self._numbered(level)
        place = dict(zip(self.keys or [], of_key.tolist(), strict=True))
        return np.array([place[key] for key in self.of_key or []], dtype=np.intp), ids

    def _numbered(self, level: str) -> tuple[NDArray[np.intp], list[Hashable]]:
        """The same of every key."""
        keys = self.keys or []
        label = self.clusters if level == "cluster" else None
        labels = keys if label is None else [label[key] for key in keys]
        names = list(dict.fromkeys(labels))
        ids = [names[i] for i in ordered(names, "keys" if level == "key" else level)]
        rank = {name: i for i, name in enumerate(ids)}
        return np.array([rank[name] for name in labels], dtype=np.intp), ids

    def _identified(self) -> list[Hashable]:
        """Every response with its key, and by whose it is."""
        keys: Iterable[Hashable] = self.of_key or itertools.repeat(None)
        pairs = zip(keys, self.responses, strict=False)
        return [(i < self.n_a, *pair) for i, pair in enumerate(pairs)]

    def _conflict_groups(self) -> tuple[NDArray[np.intp], list[Hashable]]:
        """The same for conflict groups, in the order of the least text in each."""
        assert self.places is not None
        number = groups(self.places, self.n_a)
        n = len(number)
        responses = (
            self.responses
            if self.of_key is None
            else list(zip(self.of_key, self.responses, strict=True))
        )
        texts = [text(response) for response in responses]
        order = sorted(range(n), key=texts.__getitem__)
        if any(texts[i] == texts[j] for i, j in itertools.pairwise(order)):
            full = [(t, typed(response)) for t, response in zip(texts, responses, strict=True)]
            order.sort(key=full.__getitem__)
            for i, j in itertools.pairwise(order):
                if number[i] != number[j] and full[i] == full[j]:
                    raise InputError(
                        f"responses {responses[i]!r} and {responses[j]!r} have the same text, by "
                        f"which conflict groups are ordered"
                    )
        rank = np.empty(n, dtype=np.intp)
        rank[order] = np.arange(n)
        first = np.full(int(number.max(initial=-1)) + 1, n, dtype=np.intp)
        np.minimum.at(first, number, rank)
        by_first = np.argsort(first)
        new = np.empty_like(by_first)
        new[by_first] = np.arange(len(first))
        return new[number], [texts[order[i]] for i in first[by_first].tolist()]


def unique_responses(
    sets: Sequence[set[Any]],
    keys: list[Hashable] | None,
    clusters: object,
    conflict: Conflict | None,
    key_name: str = "key",
    cluster_name: str = "cluster",
) -> UniqueResponses:
    """Reduce the responses, as :func:`read_all` gives them, to those of one system only."""
    right, in_a, in_b = sets
    only_a, only_b = list(in_a - in_b), list(in_b - in_a)
    unique = only_a + only_b
    correct = np.array([response in right for response in unique], dtype=np.bool_)
    of_key = None if keys is None else [key for key, _ in unique]
    responses = unique if keys is None else [response for _, response in unique]
    if conflict is None and not unique:  # then the others say what responses are
        others = right | in_a
        if all(isinstance(r if keys is None else r[1], Span) for r in others):
            conflict = spans
    label_of = None
    if clusters is not None:
        if keys is None:
            raise InputError(f"cluster needs {LEVELS['key']}")
        clusters = cluster_mapping(clusters)
        if not isinstance(clusters, Mapping):
            raise InputError(f"cluster must be {{key: label}}, found {type(clusters).__name__}")
        labels = labels_of("cluster", in_order(clusters, keys, "key"), len(keys))
        label_of = dict(zip(keys, labels, strict=True))
    places = _places(responses, of_key, conflict)
    names = {"response": "response"}
    names |= {"conflict": "conflict"} if places is not None else {}
    names |= {"key": key_name} if keys is not None else {}
    names |= {"cluster": cluster_name} if label_of is not None else {}
    both = in_a & in_b
    parts = [both & right, both - right, right]
    if keys is None:
        shared = [[len(part) for part in parts]]
    else:
        counts = [Counter(map(itemgetter(0), part)) for part in parts]
        shared = [[count[key] for count in counts] for key in keys]
    return UniqueResponses(
        responses, of_key, len(only_a), correct, keys, label_of, places, names,
        np.array(shared, dtype=np.int64).reshape(-1, 3),
    )  # fmt: skip


Sums = tuple[int, int, int]

#: More single responses are not laid out one by one.
MOST_ROWS = 2**27

#: What a system has of a response, (tp, predicted, gold): all that is in the gold, or not.
FOUND, MISSED, SPURIOUS, NOTHING = (1, 1, 1), (0, 0, 1), (0, 1, 0), (0, 0, 0)

#: What both systems have of each kind: of one system only (correct ones first), found by both,
#: missed by both, spurious of both.
KINDS = Rows(
    np.array([FOUND, MISSED, SPURIOUS, NOTHING, FOUND, MISSED, SPURIOUS], dtype=np.int64),
    np.array([MISSED, FOUND, NOTHING, SPURIOUS, FOUND, MISSED, SPURIOUS], dtype=np.int64),
)


def counted(**counts: int) -> tuple[tuple[UnitClass, UnitClass], Sums, Sums]:
    """The unique responses, and both systems' (tp, predicted, gold)."""
    for name, value in counts.items():
        number = as_integer(value)
        if number is None:
            raise InputError(f"{name} must be an integer, found {value!r}")
        if number < 0:
            raise InputError(f"{name} must not be negative, found {number}")
        counts[name] = number
    gold, tp, spurious_of_both = (
        counts.pop(name) for name in ("gold", "both_correct", "both_spurious")
    )
    correct, spurious = unit_classes(**counts)
    if gold >= 2**60:
        raise InputError(f"gold is {gold}; it must be below 2^60")
    if tp + correct.size > gold:
        raise InputError(
            f"gold is {gold}, but the systems found {tp + correct.size} different correct responses"
        )
    for group in (correct, spurious):
        if group.size >= 2**31:
            raise InputError(
                f"{group.size} unique {group.name} responses; at most 2^31 - 1 are possible"
            )
    tp_a, tp_b = tp + correct.only_a, tp + correct.only_b
    sums_a = tp_a, tp_a + spurious_of_both + spurious.only_a, gold
    sums_b = tp_b, tp_b + spurious_of_both + spurious.only_b, gold
    return (correct, spurious), sums_a, sums_b


def numbers_of_kinds(classes: tuple[UnitClass, UnitClass], sums_a: tuple[int, ...]) -> list[int]:
    """How many responses there are of each of `KINDS`."""
    correct, spurious = classes
    tp, predicted, gold = sums_a
    both_correct, both_spurious = tp - correct.only_a, predicted - tp - spurious.only_a
    unique = [correct.only_a, correct.only_b, spurious.only_a, spurious.only_b]
    return [*unique, both_correct, gold - both_correct - correct.size, both_spurious]


def _rows_of_kinds(numbers: list[int]) -> Rows:
    for part in (numbers[:4], numbers[4:]):
        if sum(part) > MOST_ROWS:
            raise NoInterval(
                f"{sum(part)} single responses: more than the {MOST_ROWS} that can be drawn one by "
                "one; use a larger unit"
            )
    return Rows(*(np.repeat(rows, numbers, axis=0) for rows in KINDS))


def counted_rows(classes: tuple[UnitClass, UnitClass], sums_a: tuple[int, ...]) -> Rows:
    """One row per response of the gold and per spurious one, in the order of `KINDS`."""
    return _rows_of_kinds(numbers_of_kinds(classes, sums_a))
