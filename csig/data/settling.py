"""The built-in functions of counts in integers: which differences are ties, exactly.

Matthews' correlation, kappa, the F1 of classes and balanced accuracy are computed in doubles,
trial by trial. A difference whose distance from the observed one is within the rounding of doubles
is settled here: first with 256 bits, and by algebra what even these cannot tell apart. A score is
a fraction of integers, or for Matthews' correlation a / sqrt(s). A sum of such terms is 0 exactly
if it is 0 within every class of terms whose s have square quotients, because the square roots of
different classes are linearly independent over the rationals (Besicovitch 1940, Journal of the
London Mathematical Society 15). ``docs/theory.md``, "Metrics that are functions".
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Counts = tuple[NDArray[Any], NDArray[Any], NDArray[Any]]
    Terms = tuple[NDArray[Any], NDArray[Any], NDArray[Any]]

#: Bits after the point; the rest is algebra.
BITS = 256

_root = np.frompyfunc(math.isqrt, 1, 1)


class Score(NamedTuple):
    """One system's score: above / below, or above / sqrt(below); both integers, below > 0."""

    above: int
    below: int
    root: bool = False


class Formula(NamedTuple):
    """A score in integers, as terms above / below whose sum is divided by `over`."""

    #: Arrays (trials, terms) of numerators and denominators, and `over`, (trials,); where one of
    #: these is not positive the score is not defined.
    terms: Callable[[Counts], Terms]
    root: bool = False


def counts_of_cells(sums: NDArray[Any]) -> Counts:
    """Of two classes: the right ones, those a system gave the class, and those that have it."""
    tp, fp, fn, tn = sums.T
    pairs = ((tp, tn), (tp + fp, tn + fn), (tp + fn, tn + fp))
    right, predicted, gold = (np.stack(pair, axis=1) for pair in pairs)
    return right, predicted, gold


def counts_of_classes(sums: NDArray[Any]) -> Counts:
    """From three columns per class."""
    return sums[:, 0::3], sums[:, 1::3], sums[:, 2::3]


def shares(above: NDArray[Any], below: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Quotients, 0 where there is nothing to divide by."""
    there = below > 0
    return np.where(there, above, 0), np.where(there, below, 1)


def _macro_f1(counts: Counts) -> Terms:
    tp, predicted, gold = counts
    both = predicted + gold
    return *shares(2 * tp, both), (both > 0).sum(axis=1)


def _weighted_f1(counts: Counts) -> Terms:
    tp, predicted, gold = counts
    return *shares(2 * tp * gold, predicted + gold), gold.sum(axis=1)


def _balanced_accuracy(counts: Counts) -> Terms:
    tp, _, gold = counts
    return *shares(tp, gold), (gold > 0).sum(axis=1)


def _agreement(counts: Counts) -> Terms:
    """What is right beyond chance, the squared number of items, and chance."""
    tp, predicted, gold = counts
    items = gold.sum(axis=1)
    chance = (predicted * gold).sum(axis=1)
    return tp.sum(axis=1) * items - chance, items * items, chance


def _kappa(counts: Counts) -> Terms:
    above, square, chance = _agreement(counts)
    return above[:, None], (square - chance)[:, None], np.ones_like(above)


def _mcc(counts: Counts) -> Terms:
    above, square, _ = _agreement(counts)
    spread = (square - (counts[1] ** 2).sum(axis=1)) * (square - (counts[2] ** 2).sum(axis=1))
    return above[:, None], spread[:, None], np.ones_like(above)


#: By the names of the metrics.
FORMULAS = {
    "macro_f1": Formula(_macro_f1),
    "weighted_f1": Formula(_weighted_f1),
    "balanced_accuracy": Formula(_balanced_accuracy),
    "kappa": Formula(_kappa),
    "mcc": Formula(_mcc, root=True),
}


def _scaled(formula: Formula, counts: Counts, zero_division: int, bits: int) -> NDArray[Any]:
    """Scores times 2^bits, each off by less than its number of terms plus one."""
    above, below, over = formula.terms(counts)
    defined = (below > 0).all(axis=1) & (over > 0)
    below, over = np.where(defined[:, None], below, 1), np.where(defined, over, 1)
    if formula.root:
        size = _root((above * above << 2 * bits) // below)
        scores = np.where(above < 0, -size, size)[:, 0]
    else:
        scores = ((above << bits) // below).sum(axis=1) // over
    return np.asarray(np.where(defined, scores, zero_division << bits))


def is_zero(terms: Iterable[tuple[int, Score]]) -> bool:
    """Whether a sum of scores with signs is exactly 0."""
    classes: list[tuple[int, Fraction]] = []  # s, and the factor of 1 / sqrt(s)
    for sign, score in terms:
        value = Fraction(sign * score.above, 1 if score.root else score.below)
        s = score.below if score.root else 1
        for place, (known, factor) in enumerate(classes):
            root = math.isqrt(known * s)
            if root * root == known * s:  # 1 / sqrt(s) = root / s / sqrt(known)
                classes[place] = known, factor + value * root / s
                break
        else:
            classes.append((s, value))
    return all(factor == 0 for _, factor in classes)


class Settled(NamedTuple):
    """What is true of the differences of trials."""

    sign: NDArray[np.int64]  #: -1, 0 or 1: of the difference.
    #: -1, 0 or 1: whether its absolute value is less than that of the observed one, equal, or more.
    size: NDArray[np.int64]
    value: NDArray[np.float64]  #: The difference, rounded from 256 bits.


def settle(
    formula: Formula,
    read: Callable[[NDArray[Any]], Counts],
    of_a: NDArray[np.int64],
    of_b: NDArray[np.int64],
    observed: tuple[NDArray[np.int64], NDArray[np.int64]],
    zero_division: int,
) -> Settled:
    """Compare trials with what was observed, exactly."""
    sides = [
        np.vstack([row, rows]).astype(object)
        for row, rows in zip(observed, (of_a, of_b), strict=True)
    ]
    trials = _Trials(formula, [read(side) for side in sides], zero_division)
    every = np.arange(len(of_a))
    differences, beyond, unsure = trials.compared(every, BITS)
    value = np.array([v / (1 << BITS) for v in differences.tolist()], dtype=np.float64)
    sign, size = _signs(differences, unsure), _signs(beyond, unsure)
    for place in np.flatnonzero((sign == 0) | (size == 0)).tolist():
        sign[place], size[place] = trials.settled(place, int(sign[place]), int(size[place]))
    return Settled(sign, size, value)


def exact_scores(
    formula: Formula,
    read: Callable[[NDArray[Any]], Counts],
    sums: tuple[NDArray[np.int64], NDArray[np.int64]],
    zero_division: int,
) -> tuple[tuple[float, float], float]:
    """Both systems' scores, and their difference, rounded once."""
    counts = [read(side[None].astype(object)) for side in sums]
    a, b = (int(_scaled(formula, c, zero_division, BITS)[0]) for c in counts)
    one = 1 << BITS
    return (a / one, b / one), (a - b) / one


def _signs(values: NDArray[Any], unsure: int) -> NDArray[np.int64]:
    """-1 or 1; 0 where that is not sure."""
    return np.where(values > unsure, 1, np.where(values < -unsure, -1, 0)).astype(np.int64)


class _Trials(NamedTuple):
    """Both systems' counts, those observed in the first row."""

    formula: Formula
    counts: list[Counts]
    zero_division: int

    def compared(self, places: NDArray[Any], bits: int) -> tuple[NDArray[Any], NDArray[Any], int]:
        """Differences of trials, and by how much their sizes pass the observed one, times 2^bits;
        and a bound on the error of both.
        """
        rows = np.append(0, places + 1)
        a, b = (
            _scaled(self.formula, (tp[rows], predicted[rows], gold[rows]), self.zero_division, bits)
            for tp, predicted, gold in self.counts
        )
        differences = a - b
        unsure = 4 * (self.counts[0][0].shape[1] + 2)
        return differences[1:], np.abs(differences[1:]) - abs(differences[0]), unsure

    def scores(self, row: int) -> tuple[Score, Score]:
        scores = []
        for tp, predicted, gold in self.counts:
            terms = self.formula.terms((tp[[row]], predicted[[row]], gold[[row]]))
            above, below, over = (part.ravel().tolist() for part in terms)
            if min(below) <= 0 or over[0] <= 0:
                scores.append(Score(self.zero_division, 1))
            elif self.formula.root:
                scores.append(Score(above[0], below[0], True))
            else:
                score = sum(map(Fraction, above, below), Fraction(0)) / over[0]
                scores.append(Score(score.numerator, score.denominator))
        return scores[0], scores[1]

    def settled(self, place: int, sign: int, size: int) -> tuple[int, int]:
        """What 256 bits did not tell: by algebra, and by as many bits as it takes where that says
        that there is a difference.
        """
        (a, b), (c, d) = self.scores(place + 1), self.scores(0)
        nothing = sign == 0 and is_zero([(1, a), (-1, b)])
        equal = size == 0 and any(
            is_zero([(1, a), (-1, b), (turn, c), (-turn, d)]) for turn in (-1, 1)
        )
        bits = BITS
        while (sign == 0 and not nothing) or (size == 0 and not equal):
            bits *= 2
            differences, beyond, unsure = self.compared(np.array([place]), bits)
            sign = int(_signs(differences, unsure)[0]) if not nothing else 0
            size = int(_signs(beyond, unsure)[0]) if not equal else 0
        return sign, size
