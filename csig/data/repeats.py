"""Several answers to a question, each right or wrong: one exact number for every question.

With c of n answers right, k of them drawn without replacement are all wrong with probability
C(n - c, k) / C(n, k) and all right with C(c, k) / C(n, k). So 1 less the first is pass@k (Chen et
al. 2021, arXiv 2107.03374) and the second pass^k (Yao et al. 2024, arXiv 2406.12045), both without
bias whatever n >= k is. ``docs/repeats.md``.
"""

from __future__ import annotations

import math
import re
from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from csig.base.errors import InputError
from csig.base.wording import clean, counted, first_few
from csig.data.fixed_point import to_integers
from csig.data.tables import Given
from csig.data.units import LARGEST_SUM, align, score_array, unit_text

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

MEAN, MAJORITY = "mean", "majority"

_PASS = re.compile(r"pass([@^])([1-9][0-9]{0,5})")


def is_of_answers(name: str) -> bool:
    """Whether a metric is one of several answers to a question, and of nothing else."""
    return name.lower() == MAJORITY or _PASS.fullmatch(name.lower()) is not None


def _score(name: str, n: int, right: Fraction) -> Fraction:
    """The score of a question with n answers whose sum is `right`."""
    if name == MEAN:
        return right / n
    c = int(right)
    if name == MAJORITY:
        return Fraction((2 * c > n) + (2 * c >= n), 2)
    kind, k = _drawn(name)
    if kind == "@":
        return 1 - Fraction(math.comb(n - c, k), math.comb(n, k))
    return Fraction(math.comb(c, k), math.comb(n, k))


def _drawn(name: str) -> tuple[str, int]:
    """What is asked of how many of the answers to a question."""
    found = _PASS.fullmatch(name)
    return (found[1], int(found[2])) if found else ("", 1)


def numbers(answers: Floats) -> NDArray[np.intp]:
    """How many answers every question has."""
    return np.asarray(np.count_nonzero(~np.isnan(answers), axis=1))


def padded(rows: Any, system: str, keys: Sequence[Hashable] | None) -> Floats:
    """The answers to every question, (questions, most answers), NaN where there are fewer."""
    if np.ndim(rows[0] if len(rows) else ()) != 1:
        raise InputError(f"{system}: expected several answers to each question: a list of lists")
    found = [score_array(row, f"{system}: {unit_text(keys, i)}") for i, row in enumerate(rows)]
    table = np.full((len(found), max(map(len, found), default=0)), np.nan)
    for i, row in enumerate(found):
        table[i, : len(row)] = row
    return table


class _OfQuestions(NamedTuple):
    """Every system's scores, (questions,), in units of `value`."""

    rows: list[NDArray[Any]]  #: int64, or doubles where integers would be too large.
    value: Fraction


def per_question(
    systems: Mapping[str, Floats], metric: str, keys: Sequence[Hashable] | None
) -> _OfQuestions:
    """The score of every question by a metric of its answers: integers over one denominator."""
    name = metric.lower()
    for system, answers in systems.items():
        _check(name, clean(system), answers, keys)
    every = np.concatenate([own[~np.isnan(own)] for own in systems.values()])
    scaled = to_integers(every, every)
    if scaled.tau:  # of such answers not even the sums are known exactly
        means = [[math.fsum(r[~np.isnan(r)]) for r in own] for own in systems.values()]
        sizes = map(numbers, systems.values())
        return _OfQuestions(
            [np.array(x) / n for x, n in zip(means, sizes, strict=True)], Fraction(1)
        )
    parts = np.split(scaled.a, np.cumsum([numbers(own).sum() for own in systems.values()])[:-1])
    scores = []
    for answers, integers in zip(systems.values(), parts, strict=True):
        table = np.zeros(answers.shape, dtype=np.int64)
        table[~np.isnan(answers)] = integers
        kinds, places = np.unique(
            np.stack([numbers(answers), table.sum(axis=1)], axis=1), axis=0, return_inverse=True
        )
        scores.append(([_score(name, n, c * scaled.unit) for n, c in kinds.tolist()], places))
    common = math.lcm(*(own.denominator for kinds, _ in scores for own in kinds))
    if all(sum(abs(kinds[i]) for i in p.tolist()) * common < LARGEST_SUM for kinds, p in scores):
        rows = [np.array([int(own * common) for own in kinds])[p] for kinds, p in scores]
        return _OfQuestions(rows, Fraction(1, common))
    return _OfQuestions([np.array([*map(float, kinds)])[p] for kinds, p in scores], Fraction(1))


def _check(
    metric: str, system: str, answers: Floats, keys: Sequence[Hashable] | None
) -> None:
    """Refuse too few answers, and such as are not right or wrong."""

    def questions(wrong: NDArray[np.bool_]) -> str:
        places = np.flatnonzero(wrong).tolist()
        return first_few([i if keys is None else keys[i] for i in places])

    if not is_of_answers(metric) and metric != MEAN:
        raise InputError(f"metric: found {metric!r}, expected 'mean', 'majority', 'pass@K', 'pass^K'")
    n, (_, least) = numbers(answers), _drawn(metric)
    if (few := n < least).any():
        fewest = counted(int(n.min()), "answer")
        raise InputError(
            f"{metric} needs {least} answers to each question, {system} has fewer in "
            f"{counted(int(few.sum()), 'question')}: {questions(few)} ({fewest} at least)"
        )
    odd = ~np.isnan(answers) & (answers != 0) & (answers != 1)
    if metric != MEAN and odd.any():
        raise InputError(
            f"{metric} counts right answers, 1, and wrong ones, 0; {system} has {answers[odd][0]:g} "
            f"in question {questions(odd.any(axis=1))}; ask for 'mean'"
        )


def given_answers(a: object, b: object, metric: str, ids: object, clusters: object) -> Given:
    """Both systems' scores of every question, as columns ``score`` and ``n``."""
    aligned = align(a, b, ids, clusters, padded)
    rows, value = per_question({"a": aligned.a, "b": aligned.b}, metric, aligned.ids)
    scaled = to_integers(*rows, aligned.ids)
    one, other = (np.stack([own, np.ones_like(own)], axis=-1) for own in (scaled.a, scaled.b))
    return Given(aligned._replace(a=one, b=other), None, value * scaled.unit, scaled.tau)
