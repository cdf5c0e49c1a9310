"""Measures of rankings as trec_eval has them, called as ir-measures calls them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from csig.base.errors import argument
from csig.base.wording import perhaps
from csig.readers.request import OptionError

Ints: TypeAlias = NDArray[np.int64]
#: From the relevance of a topic's documents, as they are ranked and as they are judged.
Measure: TypeAlias = Callable[[Ints, Ints], float]

_NAME = re.compile(r"([A-Za-z]+)(?:\(rel=(\d{1,6})\))?(?:@(\d{1,9}))?", re.ASCII)


def _total(values: NDArray[np.float64]) -> float:
    """A sum from left to right, as in C, to the last bit."""
    return float(np.cumsum(values)[-1]) if len(values) else 0.0


def _average_precision(hits: NDArray[np.bool_], relevant: int) -> float:
    ranks = np.flatnonzero(hits) + 1
    return _total(np.arange(1, len(ranks) + 1) / ranks) / relevant if relevant else 0.0


def _reciprocal_rank(hits: NDArray[np.bool_]) -> float:
    return 1 / (int(hits.argmax()) + 1) if hits.any() else 0.0


def _gain(relevance: Ints) -> float:
    places = np.flatnonzero(relevance > 0)
    return _total(relevance[places] / np.log2(places + 2))


def _ndcg(ranked: Ints, judged: Ints, cutoff: int | None) -> float:
    ideal = _gain(np.sort(judged)[::-1][:cutoff])
    return _gain(ranked[:cutoff]) / ideal if ideal else 0.0


def _preferred(ranked: Ints, judged: Ints, level: int) -> float:
    """Bpref: relevant documents that stand before those that are judged not to be."""
    ranked = ranked[ranked >= 0]
    hits = ranked >= level
    relevant = int((judged >= level).sum())
    others = int(((judged >= 0) & (judged < level)).sum())
    above = np.minimum(np.cumsum(~hits)[hits], relevant)
    return _total(1 - above / max(min(relevant, others), 1)) / relevant if relevant else 0.0


#: Whether a measure has a cutoff (None: it may), and a level of relevance.
_MEASURES: dict[str, tuple[bool | None, bool]] = {
    "AP": (None, True), "nDCG": (None, False), "P": (True, True), "R": (True, True),
    "RR": (None, True), "Rprec": (False, True), "Success": (True, True), "Bpref": (False, True),
}  # fmt: skip


def measure(name: str) -> Measure:
    """A measure by its name, as ir-measures has it: ``nDCG@10``, ``P(rel=2)@5``."""
    found = _NAME.fullmatch(name)
    if found is None or found[1] not in _MEASURES:
        raise OptionError(
            f"{argument('metric', name)}{perhaps(name, _MEASURES)}: runs have AP, nDCG, P@k, R@k, "
            "RR, Rprec, Success@k and Bpref, also as nDCG@10 or AP(rel=2)"
        )
    own = found[1]
    has_cutoff, has_level = _MEASURES[own]
    if has_cutoff is not None and has_cutoff is not (found[3] is not None):
        cutoff = f"a cutoff, such as {own}@10" if has_cutoff else "no cutoff"
        raise OptionError(f"{argument('metric', name)}: {own} has {cutoff}")
    if found[2] is not None and not has_level:
        raise OptionError(f"{argument('metric', name)}: {own} counts every grade, without rel=")
    k, level = None if found[3] is None else int(found[3]), int(found[2] or 1)
    if k == 0 or level == 0:
        raise OptionError(f"{argument('metric', name)}: found 0, expected at least 1")

    def score(ranked: Ints, judged: Ints) -> float:
        if own == "nDCG":
            return _ndcg(ranked, judged, k)
        if own == "Bpref":
            return _preferred(ranked, judged, level)
        relevant = int((judged >= level).sum())
        hits = ranked[: relevant if own == "Rprec" else k] >= level
        if own == "AP":
            return _average_precision(hits, relevant)
        if own == "RR":
            return _reciprocal_rank(hits)
        if own == "Success":
            return float(hits.any())
        of = k if own == "P" else relevant
        return float(hits.sum()) / of if of else 0.0

    return score
