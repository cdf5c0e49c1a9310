"""The slow, obvious twin of the randomization test: every shuffle, in Fractions."""

import itertools
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import comb

Counts = Mapping[str, int]
Score = Callable[[int, int, int, int], Fraction]
Number = Fraction | int
#: A unit is a row of one number or more.
Rows = Sequence[Sequence[Number]]

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

#: Darwin's maize (Fisher 1935, section 21): differences of 15 pairs, in eighths of an inch.
MAIZE = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]


def traded(counts: dict[str, int]) -> dict[str, int]:
    """Counts with the systems in the other order."""
    letters = {"_a_": "_b_", "_b_": "_a_"}
    return {re.sub("_[ab]_", lambda own: letters[own[0]], name): n for name, n in counts.items()}


def quotient(numerator: Fraction | int, denominator: Fraction | int, zero: int) -> Fraction:
    return Fraction(numerator) / denominator if denominator else Fraction(zero)


#: The textbook definitions, written out once more.
SCORES: dict[str, Score] = {
    "recall": lambda tp, fp, gold, zero: quotient(tp, gold, zero),
    "precision": lambda tp, fp, gold, zero: quotient(tp, tp + fp, zero),
    "f1": lambda tp, fp, gold, zero: quotient(2 * tp, 2 * tp + fp + (gold - tp), zero),
    "f0.5": lambda tp, fp, gold, zero: quotient(
        Fraction(5, 4) * tp, Fraction(5, 4) * tp + Fraction(1, 4) * (gold - tp) + fp, zero
    ),
    "f2": lambda tp, fp, gold, zero: quotient(5 * tp, 5 * tp + 4 * (gold - tp) + fp, zero),
    "jaccard": lambda tp, fp, gold, zero: quotient(tp, gold + fp, zero),
}


def is_extreme(found: Number, observed: Number, alternative: str) -> bool:
    if alternative == "greater":
        return found >= observed
    if alternative == "less":
        return found <= observed
    return abs(found) >= abs(observed)


def every_swap(differences: Sequence[Fraction | int], alternative: str = "two-sided") -> Fraction:
    """The p-value of the sum of these differences of units, from all 2^n swaps."""
    multiple = math.lcm(*(Fraction(d).denominator for d in differences))
    sums, steps = [0], [int(d * multiple) for d in differences if d]
    for step in steps:
        sums = [s + sign for s in sums for sign in (step, -step)]
    return Fraction(sum(is_extreme(s, sum(steps), alternative) for s in sums), len(sums))


def difference(counts: Counts, score: Score, x: int, y: int, zero: int) -> Fraction:
    """A minus B when x of the unique correct and y of the unique spurious are A's."""
    right, wrong = counts.get("both_correct", 0), counts.get("both_spurious", 0)
    n, m = unique(counts)
    gold = counts["gold"]
    return score(right + x, wrong + y, gold, zero) - score(right + n - x, wrong + m - y, gold, zero)


def unique(counts: Counts) -> tuple[int, int]:
    """How many correct and how many spurious responses are of one system only."""
    correct, spurious = (
        sum(counts.get(f"only_{system}_{kind}", 0) for system in "ab")
        for kind in ("correct", "spurious")
    )
    return correct, spurious


def observed_difference(counts: Counts, score: Score, zero: int) -> Fraction:
    own = counts["only_a_correct"], counts.get("only_a_spurious", 0)
    return difference(counts, score, *own, zero)


def extreme_shuffles(
    counts: Counts,
    score: Score,
    alternative: str,
    zero: int = 0,
) -> int:
    """How many of the 2^n shuffles are at least as extreme, by their two counts."""
    n, m = unique(counts)
    observed = observed_difference(counts, score, zero)
    return sum(
        comb(n, x) * comb(m, y)
        for x in range(n + 1)
        for y in range(m + 1)
        if is_extreme(difference(counts, score, x, y, zero), observed, alternative)
    )


def textbook_holm(pvalues: Sequence[float]) -> list[float]:
    """Holm's (1979) adjusted p-values, step by step."""
    m = len(pvalues)
    adjusted, running = [0.0] * m, 0.0
    for rank, i in enumerate(sorted(range(m), key=lambda i: pvalues[i])):
        running = max(running, (m - rank) * pvalues[i])
        adjusted[i] = min(1.0, running)
    return adjusted


def least_significant(
    support: Iterable[Number],
    alpha: float,
    alternative: str,
    pvalue: Callable[[Number, str], Fraction],
) -> Number | float:
    """The smallest size of a difference whose p-value is at most alpha."""
    sign = -1 if alternative == "less" else 1
    sizes = [
        abs(t)
        for t in support
        if (alternative == "two-sided" or sign * t >= 0) and float(pvalue(t, alternative)) <= alpha
    ]
    return min(sizes, default=math.inf)


def exchanges(a: Rows, b: Rows) -> Iterator[tuple[list[Number], list[Number]]]:
    """Both systems' sums after every exchange of units, nothing exchanged first."""
    for coins in itertools.product((False, True), repeat=len(a)):
        pairs = [(y, x) if coin else (x, y) for x, y, coin in zip(a, b, coins, strict=True)]
        one, other = zip(*pairs, strict=True)
        yield [*map(sum, zip(*one, strict=True))], [*map(sum, zip(*other, strict=True))]
