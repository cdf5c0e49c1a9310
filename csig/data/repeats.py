"""Several answers to a question, each right or wrong: one exact number for every question.

With c of n answers right, k of them drawn without replacement are all wrong with probability
C(n - c, k) / C(n, k) and all right with C(c, k) / C(n, k). So 1 less the first is pass@k (Chen et
al. 2021, arXiv 2107.03374) and the second pass^k (Yao et al. 2024, arXiv 2406.12045), both without
bias whatever n >= k is. The answer that is given most often (Wang et al. 2022, arXiv 2203.11171) is
known by its text. ``docs/repeats.md``.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from csig.base.errors import InputError, NoInterval
from csig.base.shown import Shown
from csig.base.validation import public
from csig.base.wording import clean, counted, first_few, ranged
from csig.data.fixed_point import check_exact, to_integers
from csig.data.tables import Given
from csig.data.units import LARGEST_SUM, align, score_array

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

#: Bits of a system's sum, where scores of questions have no common denominator that fits.
SUMMED_BITS = 58

MEAN, MAJORITY, PLURALITY = "mean", "majority", "plurality"

_PASS = re.compile(r"pass([@^])([1-9][0-9]{0,5})")


def is_of_answers(name: str) -> bool:
    """Whether a metric is one of several answers to a question, and of nothing else."""
    name = name.lower()
    return name in (MAJORITY, PLURALITY) or _PASS.fullmatch(name) is not None


def of_files(metrics: Sequence[str]) -> list[str]:
    """The metrics that files have: of those of several answers, and of "mean" beside them, none."""
    several = any(map(is_of_answers, metrics))
    return [n for n in metrics if not (several and (is_of_answers(n) or n == MEAN))]


def text_of(answer: object) -> str | None:
    """What an answer is compared by: its text without blanks around it; None where it has none."""
    if isinstance(answer, (int, float, np.number, np.bool_)) and answer == answer:
        return str(answer)
    return answer.strip() or None if isinstance(answer, str) else None


def most_frequent(texts: Sequence[str | None]) -> list[bool]:
    """Whether each answer has the text that most of a question's have; one without agrees with
    none.
    """
    # The scores of these have the mean that a text has that is drawn from the most frequent ones,
    # since of each there are as many.
    times = Counter(text for text in texts if text is not None)
    most = max(times.values(), default=1)
    return [(1 if text is None else times[text]) == most for text in texts]


def with_most_frequent(answers: Floats, texts: NDArray[Any]) -> Floats:
    """Answers, (questions, answers), of those that have the most frequent text; else NaN."""
    found = np.full_like(answers, np.nan)
    for own, scores, of_question in zip(found, answers, texts, strict=True):
        there = np.flatnonzero(~np.isnan(scores))
        kept = there[most_frequent(of_question[there].tolist())]
        own[kept] = scores[kept]
    return found


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
    nested = rows if hasattr(rows, "__len__") else [rows]
    if not all(hasattr(row, "__len__") and not isinstance(row, str) for row in nested):
        raise InputError(f"{system}: expected several answers to each question: a list of lists")
    sizes = np.array([len(row) for row in rows], dtype=np.intp)
    places = np.repeat(np.arange(len(sizes)), sizes).tolist()
    flat = [answer for row in rows for answer in row]
    values = score_array(flat, system, places if keys is None else [keys[i] for i in places])
    check_exact(system, values)
    table = np.full((len(sizes), int(sizes.max(initial=0))), np.nan)
    table[np.arange(table.shape[1]) < sizes[:, None]] = values
    return table


class _OfQuestions(NamedTuple):
    """Every system's scores, (questions,), in units of `value`."""

    rows: list[NDArray[Any]]  #: int64; doubles of real answers, whose sums are not known exactly.
    value: Fraction
    tau: int = 0  #: Sums within tau of each other are ties, where scores were rounded.


def per_question(
    systems: Mapping[str, Floats], metric: str, keys: Sequence[Hashable] | None
) -> _OfQuestions:
    """The score of every question by a metric of its answers: integers over one denominator."""
    name = metric.lower()
    for system, answers in systems.items():
        _check(name, clean(system), answers, keys)
    every = np.concatenate([own[~np.isnan(own)] for own in systems.values()])
    scaled = to_integers(every, every)
    if scaled.tau:
        sums = [[math.fsum(row[~np.isnan(row)]) for row in own] for own in systems.values()]
        sizes = map(numbers, systems.values())
        means = [np.array(own) / n for own, n in zip(sums, sizes, strict=True)]
        return _OfQuestions(means, Fraction(1))
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
    n = len(scores[0][1])
    steps = 1 << (SUMMED_BITS - n.bit_length())
    rows = [np.array([round(own * steps) for own in kinds])[p] for kinds, p in scores]
    return _OfQuestions(rows, Fraction(1, steps), n)  # a difference is off by 1 at most


def _check(metric: str, system: str, answers: Floats, keys: Sequence[Hashable] | None) -> None:
    """Refuse too few answers, and such as are not right or wrong."""

    def questions(wrong: NDArray[np.bool_]) -> str:
        places = np.flatnonzero(wrong).tolist()
        return first_few([i if keys is None else keys[i] for i in places])

    if not is_of_answers(metric) and metric != MEAN:
        raise InputError(
            f"metric: found {metric!r}, expected 'mean', 'majority', 'plurality', 'pass@K', "
            "'pass^K'"
        )
    n, (_, least) = numbers(answers), _drawn(metric)
    if (few := n < least).any():
        fewest = counted(int(n.min()), "answer")
        raise InputError(
            f"{metric} needs {counted(least, 'answer')} to each question, {system} has fewer in "
            f"{counted(int(few.sum()), 'question')}: {questions(few)} ({fewest} at least)"
        )
    odd = ~np.isnan(answers) & (answers != 0) & (answers != 1)
    if metric != MEAN and odd.any():
        raise InputError(
            f"{metric} counts right answers, 1, and wrong ones, 0; {system} has "
            f"{answers[odd][0]:g} in question {questions(odd.any(axis=1))}; ask for 'mean'"
        )


def _of_texts(system: str, rows: Any) -> Any:
    """The scores of the answers with the most frequent text, of pairs of a text and a score."""
    if isinstance(rows, Mapping):
        return dict(zip(rows, _of_texts(system, [*rows.values()]), strict=True))
    found = []
    for row in rows:
        pairs = [pair for pair in row if isinstance(pair, (tuple, list)) and len(pair) == 2]
        if len(pairs) < len(row):
            raise InputError(f"{system}: {PLURALITY} expects a pair of each answer, (text, score)")
        kept = most_frequent([text_of(text) for text, _ in pairs])
        found.append([score for (_, score), own in zip(pairs, kept, strict=True) if own])
    return found


def given_answers(a: object, b: object, metric: str, ids: object, clusters: object) -> Given:
    """Both systems' scores of every question, as columns ``score`` and ``n``."""
    if metric.lower() == PLURALITY:
        a, b, metric = _of_texts("a", a), _of_texts("b", b), MEAN
    aligned = align(a, b, ids, clusters, padded)
    rows, value, tau = per_question({"a": aligned.a, "b": aligned.b}, metric, aligned.ids)
    scaled = to_integers(rows[0], rows[1], aligned.ids)
    one, other = (np.stack([own, np.ones_like(own)], axis=-1) for own in (scaled.a, scaled.b))
    return Given(aligned._replace(a=one, b=other), None, value * scaled.unit, tau + scaled.tau)


@dataclass(frozen=True, kw_only=True, repr=False)
class AnswerVariance(Shown, report="csig.comparing.report"):
    """How far a mean, or the difference of two, varies with the questions and with the answers."""

    n_questions: int
    fewest_answers: int  #: fewest_answers, most_answers: to a question, of a system.
    most_answers: int
    difference: bool  #: Whether this is of the difference of two systems.
    shares: bool  #: Whether all scores lie from 0 to 1.
    #: between, within: the standard deviation of questions, without what their answers add, and
    #: of the answers to a question; of a difference of one answer of each system.
    between: float
    within: float
    standard_error: float  #: Over other questions and other answers to them.
    error_answers: float  #: Over other answers to the same questions.

    def _line(self) -> str:
        share = f"{self.share_of_answers:.0%} of the variance from the answers"
        return f"standard error {self.standard_error:.4g}, {share}"

    @property
    def share_of_answers(self) -> float:
        """The share of the variance of the mean that comes from the answers, at most 1."""
        return min(self.error_answers**2 / self.standard_error**2, 1.0)

    def narrower(self, *, questions: float = 1, answers: float = 1) -> float:
        """The share by which an interval is narrower with so many times the questions or answers.

        Twice the questions make it narrower by 1 - 1 / sqrt(2), 29%.
        """
        share = self.share_of_answers
        return 1 - math.sqrt((1 - share + share / answers) / questions)

    @property
    def halving_answers(self) -> float:
        """How many times the answers would halve an interval; infinite if none would."""
        share = self.share_of_answers
        return share / (share - 0.75) if share > 0.75 else math.inf

    @property
    def sentences(self) -> str:
        """The standard error, and what more answers and questions would do."""
        error = f"{self.standard_error:.4g}"
        if self.shares:
            error = f"{100 * self.standard_error:.2f} points"
        what = "difference of the means" if self.difference else "mean"
        per = ranged([self.fewest_answers, self.most_answers])
        halving = self.halving_answers
        also = "no number of answers would"
        if math.isfinite(halving):
            also = f"so would {math.ceil(halving)} times the answers"
        return (
            f"The standard error of the {what} is {error}; {self.share_of_answers:.0%} of its "
            f"square comes from the answers, {per} to each of "
            f"{counted(self.n_questions, 'question')}. Twice the answers would make an interval "
            f"{self.narrower(answers=2):.0%} narrower, twice the questions "
            f"{self.narrower(questions=2):.0%}. Four times the questions would halve it; {also}."
        )


@public("csig.intervals")
def answer_variance(a: object, b: object = None) -> AnswerVariance:
    """How far a mean varies with the questions and with the answers, and what more would do.

    Parameters
    ----------
    a : sequence of sequences of numbers, or mapping {id: numbers}
        The scores of a system's answers to every question. Questions may have different numbers.
    b : like `a`, optional
        Those of another system to the same questions: then it is about the difference.

    Returns
    -------
    AnswerVariance

    Raises
    ------
    NoInterval
        There is one question only, no question of a system has two answers, or nothing varies.

    Notes
    -----
    Every question counts alike. With the mean x_i and the variance s_i^2 (divisor m_i - 1) of the
    m_i answers to question i of n, the variance of the mean of all is estimated by V = sum (x_i -
    mean)^2 / (n (n - 1)), and the part of the answers by W = sum (s_i^2 / m_i) / n^2: without bias
    whatever the m_i are, and if answers vary more to some questions than to others. For equal m_i
    they are the mean squares of the one-way analysis of variance (Searle, Casella and McCulloch
    1992, *Variance Components*, chapter 3); Miller (2024, arXiv 2411.00640) has their use for
    evaluations. A question with one answer counts with the mean s^2 of the others. Of two systems
    x_i is the difference, and the parts of both add up: their answers are independent.

    Examples
    --------
    >>> found = answer_variance([[1, 1, 0], [0, 0, 0], [1, 0, 1], [1, 1, 1], [0, 1, 0]])
    >>> round(found.standard_error, 3), round(found.share_of_answers, 3)
    (0.17, 0.462)
    >>> round(found.narrower(answers=2), 3), round(found.narrower(questions=2), 3)
    (0.123, 0.293)
    """
    aligned = align(a, a if b is None else b, None, None, padded)
    return variance_of([aligned.a] if b is None else [aligned.a, aligned.b])


def variance_of(systems: Sequence[Floats]) -> AnswerVariance:
    """The same of one or two systems' answers, (questions, answers), NaN where there is none."""
    n, within, of_answers = len(systems[0]), 0.0, 0.0
    sizes = [numbers(own) for own in systems]
    if n < 2:
        raise NoInterval(f"found {counted(n, 'question')}, expected two or more")
    means = []
    for answers, m in zip(systems, sizes, strict=True):
        if not (m > 1).any():
            raise NoInterval("no question has two answers, so how they vary is not known")
        means.append(np.nansum(answers, axis=1) / m)
        squares = np.nansum((answers - means[-1][:, None]) ** 2, axis=1)
        spread = squares / np.maximum(m - 1, 1)
        usual = float(spread[m > 1].mean())
        within += usual
        of_answers += float((np.where(m > 1, spread, usual) / m).sum()) / n**2
    x = means[0] - means[1] if len(means) > 1 else means[0]
    total = float(x.var(ddof=1)) / n
    if total <= 0:
        raise NoInterval("all questions have the same mean, so that nothing is known of others")
    return AnswerVariance(
        n_questions=n,
        fewest_answers=min(int(m.min()) for m in sizes),
        most_answers=max(int(m.max()) for m in sizes),
        difference=len(systems) > 1,
        shares=all(np.nanmin(own) >= 0 and np.nanmax(own) <= 1 for own in systems),
        between=math.sqrt(max(total - of_answers, 0.0) * n),
        within=math.sqrt(within),
        standard_error=math.sqrt(total),
        error_answers=math.sqrt(of_answers),
    )
