"""Responses that are spans, and which of them exclude each other.

A span is a stretch of tokens with a label. Two spans of the same document exclude
each other when they share a token: a system whose responses do not overlap cannot
claim both. The randomization test at response level shuffles every response on its
own, so overlapping spans of the two systems break its assumption; how many there
are is what :func:`exclusions` counts.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Hashable
from itertools import accumulate
from typing import NamedTuple

__all__ = ["Span", "exclusions"]


class Span(NamedTuple):
    """A labelled stretch of tokens: positions ``start`` up to, not including, ``end``."""

    document: Hashable
    start: int
    end: int
    label: str


def exclusions(only_a: Collection[Span], only_b: Collection[Span]) -> tuple[int, int]:
    """Count the overlapping pairs of one span of A and one of B.

    Parameters
    ----------
    only_a, only_b : collections of Span
        The spans that only A, or only B, produced.

    Returns
    -------
    pairs : int
        Pairs of a span of A and a span of B that share a token.
    spans : int
        Spans of either system that are in at least one such pair.

    Examples
    --------
    >>> exclusions([Span("d", 0, 2, "PER")], [Span("d", 1, 3, "LOC"), Span("d", 5, 6, "LOC")])
    (1, 2)
    """
    places: dict[Hashable, list[Span]] = {}
    for span in sorted(only_b, key=lambda s: s.start):
        places.setdefault(span.document, []).append(span)
    # By start, with the furthest end so far: no span before place i reaches beyond ends[i].
    starts = {d: [s.start for s in spans] for d, spans in places.items()}
    ends = {d: list(accumulate((s.end for s in spans), max)) for d, spans in places.items()}
    pairs = 0
    involved_a = 0
    involved_b: set[Span] = set()
    for span in only_a:
        others = places.get(span.document, [])
        i = bisect_left(starts.get(span.document, []), span.end) - 1
        hits = []
        while i >= 0 and ends[span.document][i] > span.start:
            if others[i].end > span.start:
                hits.append(others[i])
            i -= 1
        pairs += len(hits)
        involved_a += bool(hits)
        involved_b.update(hits)
    return pairs, involved_a + len(involved_b)
