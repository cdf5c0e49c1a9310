"""Responses that exclude each other, and the groups they form.

Two responses exclude each other when they claim the same place: another label for the
same thing, or spans that share a token. A system whose responses do not overlap cannot
claim both, so they cannot be shuffled independently of each other. Every response has a
*place*: anything hashable, or the extent of a span (:func:`spans`). Unique responses of A
and of B exclude each other when their places are equal, or their extents overlap; the
connected components of this graph are the *conflict groups*, which can only move whole.

All extents and places are laid out on one axis, document after document, so that one
pass from left to right finds the groups: a million spans take seconds, however many overlap.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from csig.base.errors import InputError
from csig.base.validation import as_integer

if TYPE_CHECKING:
    from numpy.typing import NDArray


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
    """Places as intervals on one axis; intervals of different documents never overlap."""

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
        others = going[not mine]
        if others:
            overlapping = [j for j in others if end[j] > start[i]]
            edges[0].extend([i] * len(overlapping))
            edges[1].extend(overlapping)
            others[:] = [max(overlapping, key=end.__getitem__)] if overlapping else []
        going[mine].append(i)
    graph = coo_array((np.ones(len(edges[0]), dtype=np.int8), edges), shape=(n, n))
    return np.asarray(connected_components(graph, directed=False)[1], dtype=np.intp)
