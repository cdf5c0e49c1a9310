"""The slow, obvious twin of the randomization test: every shuffle, in Fractions."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import comb

Counts = Mapping[str, int]

#: The paper's example (Yeh 2000, section 3.3) and its exact answers.
PAPER = {
    "gold": 103,
    "both_correct": 19,
    "only_a_correct": 28,
    "only_b_correct": 6,
    "both_spurious": 5,
    "only_a_spurious": 43,
    "only_b_spurious": 9,
}


def quotient(numerator: Fraction | int, denominator: Fraction | int, zero: int) -> Fraction:
    return Fraction(numerator) / denominator if denominator else Fraction(zero)


#: The textbook definitions, written out once more.
SCORES: dict[str, Callable[[int, int, int, int], Fraction]] = {
    "recall": lambda tp, fp, gold, zero: quotient(tp, gold, zero),
    "precision": lambda tp, fp, gold, zero: quotient(tp, tp + fp, zero),
    "f1": lambda tp, fp, gold, zero: quotient(2 * tp, 2 * tp + fp + (gold - tp), zero),
    "f0.5": lambda tp, fp, gold, zero: quotient(
        Fraction(5, 4) * tp, Fraction(5, 4) * tp + Fraction(1, 4) * (gold - tp) + fp, zero
    ),
    "f2": lambda tp, fp, gold, zero: quotient(5 * tp, 5 * tp + 4 * (gold - tp) + fp, zero),
    "jaccard": lambda tp, fp, gold, zero: quotient(tp, gold + fp, zero),
}


def is_extreme(found: Fraction, observed: Fraction, alternative: str) -> bool:
    if alternative == "greater":
        return found >= observed
    if alternative == "less":
        return found <= observed
    return abs(found) >= abs(observed)


def difference(
    counts: Counts, score: Callable[[int, int, int, int], Fraction], x: int, y: int, zero: int
) -> Fraction:
    """A minus B when x of the unique correct and y of the unique spurious are A's."""
    right, wrong = counts.get("both_correct", 0), counts.get("both_spurious", 0)
    n = counts["only_a_correct"] + counts["only_b_correct"]
    m = counts.get("only_a_spurious", 0) + counts.get("only_b_spurious", 0)
    gold = counts["gold"]
    return score(right + x, wrong + y, gold, zero) - score(right + n - x, wrong + m - y, gold, zero)


def extreme_shuffles(
    counts: Counts,
    score: Callable[[int, int, int, int], Fraction],
    alternative: str,
    zero: int = 0,
) -> int:
    """How many of the 2^n shuffles are at least as extreme, by their two counts."""
    n = counts["only_a_correct"] + counts["only_b_correct"]
    m = counts.get("only_a_spurious", 0) + counts.get("only_b_spurious", 0)
    observed = difference(
        counts, score, counts["only_a_correct"], counts.get("only_a_spurious", 0), zero
    )
    return sum(
        comb(n, x) * comb(m, y)
        for x in range(n + 1)
        for y in range(m + 1)
        if is_extreme(difference(counts, score, x, y, zero), observed, alternative)
    )


def extreme_shuffles_one_by_one(
    counts: Counts,
    score: Callable[[int, int, int, int], Fraction],
    alternative: str,
    zero: int = 0,
) -> int:
    """The same, really going through all 2^n assignments."""
    n = counts["only_a_correct"] + counts["only_b_correct"]
    m = counts.get("only_a_spurious", 0) + counts.get("only_b_spurious", 0)
    observed = difference(
        counts, score, counts["only_a_correct"], counts.get("only_a_spurious", 0), zero
    )
    hits = 0
    for coins in itertools.product((0, 1), repeat=n + m):
        found = difference(counts, score, sum(coins[:n]), sum(coins[n:]), zero)
        hits += is_extreme(found, observed, alternative)
    return hits


def textbook_holm(pvalues: Sequence[float]) -> list[float]:
    """Holm's (1979) adjusted p-values, step by step."""
    m = len(pvalues)
    adjusted, running = [0.0] * m, 0.0
    for rank, i in enumerate(sorted(range(m), key=lambda i: pvalues[i])):
        running = max(running, (m - rank) * pvalues[i])
        adjusted[i] = min(1.0, running)
    return adjusted
