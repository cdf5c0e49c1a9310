"""Ranking methods: how good their n best candidates are, and whether one is better (Evert 2004).

A ranking method gives every candidate a score: collocations, keyphrases, links, answers. The n best
are looked at, and the true ones among them counted.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

import numpy as np

from csig import streams
from csig.comparison import Comparison
from csig.data.candidates import Candidates, Ranking, candidates, list_sizes, reached
from csig.errors import InputError
from csig.independent import chi_square_test
from csig.metrics import Metric
from csig.probability.binomial import (
    clopper_pearson_limits,
    fisher_pvalue,
    least_pvalue,
    sign_tails,
    simultaneous_limits,
    wilson_limits,
)
from csig.randomization import randomization_test
from csig.results import RandomizationResult
from csig.shown import Shown
from csig.validation import Alternative, Method, between, check_alternative, one_of
from csig.wording import clean, count, counted, decimal, first_few, perhaps, pvalue

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "INTERVALS",
    "TIES",
    "NBestCurve",
    "NBestResult",
    "RankingComparison",
    "compare_rankings",
    "nbest_precision",
]

#: What becomes of candidates with the same score of which only some fit into the n best.
Ties: TypeAlias = Literal["expected", "first", "all"]
TIES: tuple[Ties, ...] = get_args(Ties)

#: Intervals for every n by itself.
ProportionInterval: TypeAlias = Literal["clopper-pearson", "wilson"]
INTERVALS: tuple[ProportionInterval, ...] = get_args(ProportionInterval)

#: The level at which so few candidates that nothing can be significant are a doubt.
LEVEL = 0.05

#: The least expected count for which the chi-square distribution is near enough.
FEWEST_EXPECTED = 5

#: Said where lists of different lengths differ one way, and their own candidates the other.
OPPOSED = (
    "Of the candidates of one method only, a larger share is true for one method, but the whole "
    "list is better for the other: lists of such different lengths show no better method."
)

#: Methods whose numbers of own candidates differ at this level are not interchangeable.
UNEQUAL = 0.05


@dataclass(frozen=True, eq=False)
class NBestCurve:
    """The n best candidates of a method, for every n that was asked for.

    All arrays have the shape (lengths,).
    """

    name: str  #: The method.
    n: NDArray[np.int64]  #: How many candidates were wanted.
    size: NDArray[np.int64]  #: How many there are: more than n only where all tied ones are taken.
    #: True ones among them; with ties "expected" the mean over all orders of the tied.
    true_positives: NDArray[np.float64]
    #: precision, recall: their share of the list, and of all true candidates.
    precision: NDArray[np.float64]
    recall: NDArray[np.float64]
    low: NDArray[np.float64]  #: low, high: of the precision for every n by itself.
    high: NDArray[np.float64]
    band_low: NDArray[np.float64]  #: band_low, band_high: of the precision for all n at once.
    band_high: NDArray[np.float64]
    #: The candidates that share the score at which the list is cut; 0 where the cut is between two
    #: scores.
    tied: NDArray[np.int64]
    #: lowest, highest: the precision if the tied candidates were in the worst order, and in the
    #: best.
    lowest: NDArray[np.float64]
    highest: NDArray[np.float64]
    #: The mean of the precisions at the ranks of all true candidates, of the whole table.
    average_precision: float


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class NBestResult(Shown):
    """How good the n best of ranking methods are: see :func:`nbest_precision`."""

    curves: tuple[NBestCurve, ...]  #: One per method; ``result["MI"]`` gives that of a name.
    n_candidates: int  #: n_candidates, n_true: of the table.
    n_true: int
    ties: Ties  #: What becomes of ties at the cut.
    interval: ProportionInterval  #: For every n by itself.
    confidence_level: float  #: Of every interval, and of every method's band as a whole.

    def __getitem__(self, name: str) -> NBestCurve:
        for own in self.curves:
            if own.name == name:
                return own
        names = [own.name for own in self.curves]
        raise InputError(f"no method {name!r}{perhaps(name, names)}; there are {first_few(names)}")

    def _line(self) -> str:
        best = max(self.curves, key=lambda own: own.average_precision)
        what = counted(len(self.curves), "method")
        return (
            f"{what}, {counted(self.n_candidates, 'candidate')}, {count(self.n_true)} true; the "
            f"best average precision is {best.average_precision:.4f} ({clean(best.name)})"
        )


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class RankingComparison(Shown):
    """Two ranking methods: see :func:`compare_rankings`."""

    names: tuple[str, str]  #: The methods A and B.
    n: int | None  #: How many candidates of each were wanted; None where thresholds were given.
    thresholds: tuple[float, float]  #: The scores of the last candidates that were accepted.
    ties: Ties  #: What becomes of ties at the cut.
    #: The candidates that share the score at which the list is cut; 0 where the cut is between two
    #: scores.
    tied: tuple[int, int]
    #: sizes, true_positives: accepted candidates, and the true ones among them.
    sizes: tuple[int, int]
    true_positives: tuple[int, int]
    both_true: int  #: both_true, both_false: candidates that both methods accepted.
    both_false: int
    #: only_a, only_b: true and false candidates that only one method accepted.
    only_a: tuple[int, int]
    only_b: tuple[int, int]
    metric: str  #: What is compared.
    difference: float  #: A's score minus B's.
    comparison: Comparison  #: The same for all other tests of csig.
    pvalue: float  #: Fisher's exact test of `only_a` against `only_b`: what to report.
    #: Yeh's randomization test of the metric of the whole lists, which assumes more.
    test: RandomizationResult
    #: chi_square, chi_square_pvalue: the chi-square test of the same table, without correction;
    #: two-sided. NaN where a row or a column of the table is empty.
    chi_square: float
    chi_square_pvalue: float
    #: The least expected count of that table; NaN where there is none. The chi-square distribution
    #: is an approximation that needs 5 or more.
    least_expected: float
    alternative: Alternative  #: "two-sided", "less" or "greater", of A minus B.
    doubts: tuple[str, ...] = ()  #: What to know before believing the result.

    @property
    def shares(self) -> tuple[float, float]:
        """The share of true ones among the candidates of A only, and of B only; NaN of none."""
        a, b = (own[0] / sum(own) if sum(own) else math.nan for own in (self.only_a, self.only_b))
        return a, b

    def _line(self) -> str:
        a, b = map(clean, self.names)
        only_a, only_b = (f"{own[0]:,} of {sum(own):,}" for own in (self.only_a, self.only_b))
        return (
            f"p = {pvalue(self.pvalue)} (Fisher): true are {only_a} of only {a}, {only_b} of only "
            f"{b}"
        )


def _average_precision(ranking: Ranking, ties: Ties) -> float:
    """Of a whole table; the formulas are in :func:`nbest_precision`."""
    true, n = ranking.true, len(ranking.order)
    rank = np.arange(1, n + 1)
    if ties == "first":
        own = (true[1:] > true[:-1]) * (true[1:] / rank)
    elif ties == "all":
        own = (true[1:] - true[:-1]) * (true[ranking.ends] / ranking.ends)
    else:
        before, size = true[ranking.starts], ranking.ends - ranking.starts
        inside = true[ranking.ends] - before
        others = (inside - 1) / np.maximum(size - 1, 1)
        own = inside / size * (before + 1 + (rank - ranking.starts - 1) * others) / rank
    return float(own.sum() / true[-1])


def _curve(
    ranking: Ranking,
    n: NDArray[np.int64],
    ties: Ties,
    interval: ProportionInterval,
    confidence_level: float,
) -> NBestCurve:
    start, end = ranking.starts[n - 1], ranking.ends[n - 1]
    before = ranking.true[start]
    inside, size, taken = ranking.true[end] - before, end - start, n - start
    least, most = (
        before + np.maximum(0, taken - (size - inside)),
        before + np.minimum(taken, inside),
    )
    lengths = n
    if ties == "all":
        found, lengths = ranking.true[end].astype(np.float64), end
    elif ties == "first":
        found = ranking.true[n].astype(np.float64)
    else:
        found = before + taken * inside / size
    limits = clopper_pearson_limits if interval == "clopper-pearson" else wilson_limits
    whole = np.floor(found).astype(np.int64), np.ceil(found).astype(np.int64)
    low, high = limits(*whole, lengths, confidence_level)
    band = simultaneous_limits(found, lengths, len(ranking.order), confidence_level)
    return NBestCurve(
        name=ranking.name,
        n=n,
        size=lengths,
        true_positives=found,
        precision=found / lengths,
        recall=found / ranking.true[-1],
        low=low,
        high=high,
        band_low=band[0],
        band_high=band[1],
        tied=np.where(taken < size, size, 0),
        lowest=least / n,
        highest=most / n,
        average_precision=_average_precision(ranking, ties),
    )


def nbest_precision(
    table: Mapping[str, Any] | Any,
    methods: Sequence[str] | str,
    n: int | Sequence[int] | None = None,
    *,
    true: str = "true",
    lower_is_better: Sequence[str] | str = (),
    ties: Ties = "expected",
    interval: ProportionInterval = "clopper-pearson",
    confidence_level: float = 0.95,
) -> NBestResult:
    """The precision and recall of the n best candidates of ranking methods.

    Parameters
    ----------
    table : mapping {column: values}, or data frame
        One row per candidate.
    methods : sequence of str
        The columns of scores; candidates with large scores are the best.
    n : int or sequence of int, optional
        Lengths of lists; by default all, from 1 to the number of candidates.
    true : str
        The column that says which candidates are true: True and False, or 1 and 0.
    lower_is_better : sequence of str
        Those of the methods whose small scores are the best, as p-values.
    ties : {"expected", "first", "all"}
        What becomes of candidates with the same score of which only some fit into the list.
        "expected": the mean over all orders of the tied, which depends on nothing but the table.
        "first": those that come first in the table. "all": all of them, in a list of more than n.
    interval : {"clopper-pearson", "wilson"}
        For the precision of every n by itself. The first, exact, has at least the confidence that
        it claims; the second is narrower and has about that confidence, sometimes less.
    confidence_level : float
        Of every interval, and of the band of a method as a whole.

    Returns
    -------
    NBestResult

    Raises
    ------
    InputError
        For a column that does not exist, no true candidate, a score that is not a finite number,
        a method with the same score for all, and n beyond the candidates.

    Notes
    -----
    *What intervals are for.* The precision of this list, on these data, is known without an error.
    Intervals are for what another sample of the same kind would give: in the model a candidate
    at rank i is true with a probability p_i, independently of the others. The precision
    of the n best then estimates the mean q_n of p_1 ... p_n, which may all differ: the count is at
    most as variable as the binomial one of q_n (Hoeffding 1956). Where candidates depend on each
    other (they come from the same texts, say) every interval here is too narrow.

    *The band* holds for all n at once, with the confidence level: a statement such as "above 30%
    from n = 100 to n = 400" needs it, because n was chosen after looking. It assumes no more than
    the intervals do; its proof is in `csig.probability.binomial.simultaneous_limits`. It is for
    one method.

    *Ties.* Let m candidates share a score, t of them true, after s candidates with better scores,
    T of which are true. In a random order of the m, the true ones among the first j are
    hypergeometric with the mean j t / m. So the expected count of the n = s + j best is
    T + j t / m. The candidate at rank s + j is true with probability t / m, and given that, of the
    j - 1 before it (j - 1)(t - 1) / (m - 1) are expected to be true. The expected average precision
    is therefore, with R true candidates, the sum over all ranks of

        t / m * (T + 1 + (j - 1)(t - 1) / (m - 1)) / (s + j) / R

    With "first" it is that of the table's order, with "all" every true candidate counts with the
    precision of the list that ends with its ties. Of an expected count that is not whole, the
    interval has the lower limit of the count below it, and the upper limit of the count above.

    References
    ----------
    S. Evert (2004), "Significance tests for the evaluation of ranking methods", COLING.
    F. McSherry and M. Najork (2008), "Computing information retrieval performance measures
    efficiently in the presence of tied scores", ECIR.
    W. Hoeffding (1956), "On the distribution of the number of successes in independent trials",
    Annals of Mathematical Statistics 27.

    Examples
    --------
    >>> import csig
    >>> table = {"true": [1, 1, 0, 1, 0, 0], "MI": [9, 7, 7, 7, 2, 1], "freq": [3, 1, 2, 9, 8, 4]}
    >>> found = csig.nbest_precision(table, ["MI", "freq"], [1, 2, 4])
    >>> [round(float(own), 4) for own in found["MI"].precision]
    [1.0, 0.8333, 0.75]
    >>> round(found["MI"].average_precision, 4), round(found["freq"].average_precision, 4)
    (0.9074, 0.6667)
    """
    one_of("ties", ties, TIES)
    one_of("interval", interval, INTERVALS)
    level = between("confidence_level", confidence_level)
    found = candidates(table, methods, true, lower_is_better)
    lengths = list_sizes(n, len(found.true))
    return NBestResult(
        curves=tuple(_curve(own, lengths, ties, interval, level) for own in found.rankings),
        n_candidates=len(found.true),
        n_true=found.n_true,
        ties=ties,
        interval=interval,
        confidence_level=level,
    )


def _sizes(
    n: int | None, threshold: Any, rankings: Sequence[Ranking], lower: Sequence[bool]
) -> tuple[int, int]:
    """How many candidates of each were asked for."""
    if (n is None) == (threshold is None):
        raise InputError("give either n or threshold: how many candidates are accepted")
    if n is not None:
        sizes = list_sizes(n, len(rankings[0].order)).tolist()
        if len(sizes) != 1:
            raise InputError(f"n must be one number, found {n!r}")
        return sizes[0], sizes[0]
    given: Any = threshold.item() if getattr(threshold, "shape", None) == () else threshold
    if isinstance(threshold, Mapping):
        for own in rankings:
            if own.name not in threshold:
                raise InputError(f"threshold: none for {own.name!r}")
        given = [threshold[own.name] for own in rankings]
    elif not hasattr(given, "__len__") or isinstance(given, str):
        given = [given, given]
    if len(given) != 2:
        raise InputError(f"threshold must be one number or a pair, found {threshold!r}")
    a, b = (
        reached(value, own, down) for value, own, down in zip(given, rankings, lower, strict=True)
    )
    return a, b


def _accepted(
    found: Candidates, wanted: Sequence[int], ties: Ties, lower: Sequence[str]
) -> tuple[NDArray[np.bool_], NDArray[np.bool_], tuple[float, float]]:
    """Which candidates A accepts, and B, and the last one's scores."""
    accepted = np.zeros((2, len(found.true)), dtype=bool)
    last = []
    for taken, own, size in zip(accepted, found.rankings, wanted, strict=True):
        best = own.order[: own.ends[size - 1] if ties == "all" else size]
        taken[best] = True
        score = own.scores[best[-1]].item()
        last.append(-score if own.name in lower else score)
    return accepted[0], accepted[1], (last[0], last[1])


def _counts(
    in_a: NDArray[np.bool_], in_b: NDArray[np.bool_], found: Candidates
) -> tuple[tuple[int, int], tuple[int, int], tuple[int, int]]:
    """True and false ones of both, of A only, and of B only."""

    def of(which: NDArray[np.bool_]) -> tuple[int, int]:
        right = int((which & found.true).sum())
        return right, int(which.sum()) - right

    return of(in_a & in_b), of(in_a & ~in_b), of(in_b & ~in_a)


def _tied(ranking: Ranking, n: int) -> int:
    """The candidates with the score at which the list is cut; 0 for a cut between two scores."""
    start, end = int(ranking.starts[n - 1]), int(ranking.ends[n - 1])
    return end - start if end > n else 0


def opposed(difference: float, only_a: tuple[int, int], only_b: tuple[int, int]) -> bool:
    """Whether whole lists differ the other way than the shares of true ones of one method only."""
    return difference * (only_a[0] * sum(only_b) - only_b[0] * sum(only_a)) < 0


def _doubts(
    rankings: Sequence[Ranking],
    wanted: Sequence[int],
    ties: Ties,
    only: tuple[tuple[int, int], tuple[int, int]],
    alternative: Alternative,
    expected: float,
) -> list[str]:
    found = []
    own_sizes = sum(only[0]), sum(only[1])
    least = least_pvalue(*only, alternative)
    if least > LEVEL:
        found.append(
            f"Candidates of one method only: {' and '.join(map(count, own_sizes))}, "
            f"{count(only[0][0] + only[1][0])} of them true. No p-value of Fisher's test can be "
            f"below {pvalue(least)}, so no difference can be significant at {decimal(LEVEL)}."
        )
    if sign_tails(*(np.array([own]) for own in own_sizes))[0][0] < UNEQUAL:
        a, b = (f"{clean(r.name)} {count(n)}" for r, n in zip(rankings, own_sizes, strict=True))
        found.append(
            f"Candidates of one method only: {a}, {b}. The randomization test takes the methods "
            "for interchangeable in this, too; its p-value does not say which is more precise."
        )
    for own, n in zip(rankings, wanted, strict=True):
        size, taken = _tied(own, n), n - int(own.starts[n - 1])
        if not size:
            continue
        same = f"{clean(own.name)}: {count(size)} candidates share the score at which"
        if ties == "all":
            end = count(int(own.ends[n - 1]))
            found.append(f"{same} {count(n)} are reached; all are taken, {end} together.")
        else:
            found.append(
                f"{same} the list is cut; the {count(taken)} that come first in the table are "
                "taken, so the result depends on its order."
            )
    if expected < FEWEST_EXPECTED:
        found.append(
            f"Chi-square: an expected count is {expected:.3g}, below {FEWEST_EXPECTED}; its "
            "p-value is not to be relied on."
        )
    return found


def _chi_square(a: tuple[int, int], b: tuple[int, int]) -> tuple[float, float, float]:
    """The statistic, its p-value, and the least expected count."""
    n, right = sum(a) + sum(b), a[0] + b[0]
    if not (sum(a) and sum(b) and 0 < right < n):
        return math.nan, math.nan, math.nan
    table = Comparison.from_counts(
        gold=right, only_a_correct=a[0], only_b_correct=b[0], only_a_spurious=a[1],
        only_b_spurious=b[1],
    )  # fmt: skip
    found = chi_square_test(table, "precision")
    return found.statistic, found.pvalue, min(sum(a), sum(b)) * min(right, n - right) / n


def compare_rankings(
    table: Mapping[str, Any] | Any,
    a: str,
    b: str,
    *,
    n: int | None = None,
    threshold: float | Sequence[float] | Mapping[str, float] | None = None,
    true: str = "true",
    lower_is_better: Sequence[str] | str = (),
    ties: Literal["first", "all"] = "all",
    metric: str | Metric = "precision",
    alternative: Alternative = "two-sided",
    method: Method = "auto",
    n_resamples: int | None = None,
    rng: streams.Seed = None,
    threads: int | None = None,
) -> RankingComparison:
    """Test whether the candidates that one method accepts are better than those of another.

    Parameters
    ----------
    table : mapping {column: values}, or data frame
        One row per candidate.
    a, b : str
        The columns of the methods' scores.
    n : int, optional
        Each method accepts its n best. Give this or `threshold`.
    threshold : float, pair of float, or mapping {method: float}, optional
        Each method accepts the candidates with this score or a better one.
    true : str
        The column that says which candidates are true: True and False, or 1 and 0.
    lower_is_better : sequence of str
        Those of the methods whose small scores are the best.
    ties : {"all", "first"}
        Of candidates with the same score of which only some fit into the list, all, or those that
        come first in the table. Lists of "all" may be longer than n, and do not depend on the order
        of the table; precision takes their lengths into account.
    metric : str or Metric
        Of the whole lists, for the randomization test: "precision", "recall", "f1", ...
    alternative : {"two-sided", "less", "greater"}
        Of A minus B.
    method, n_resamples, rng, threads
        Of :func:`csig.randomization_test`.

    Returns
    -------
    RankingComparison

    Raises
    ------
    InputError
        As :func:`nbest_precision`; for both or neither of `n` and `threshold`; for a threshold that
        no candidate reaches.

    Notes
    -----
    *What counts.* Candidates that both methods accept, or neither, cannot make a difference. Each
    of the others was accepted by one method only: `only_a` and `only_b` are its true and false
    ones. The null hypothesis is that which method accepted such a candidate says nothing about
    whether it is true, and that candidates are independent of each other.

    *Fisher's exact test*, the one to report, permutes the truth of these candidates: given which
    method accepted which, and how many are true, the null hypothesis makes every choice of the true
    ones equally probable. This is so although lists are nested and a candidate's place in one
    depends on all others: the lists are made without looking at the truth, and stay as they are.
    The error rate is at most alpha for lists of any lengths. *Chi-square* is its approximation for
    large counts, always two-sided and without correction.

    *The randomization test* (Yeh 2000), with accepted candidates as responses and the true ones as
    gold, swaps the methods instead: each of these candidates goes to one or the other by a fair
    coin, and stays true or false. It can test any metric of the whole lists. Its null hypothesis
    says more: that the methods are interchangeable, also in how many candidates they have of their
    own. Lists of the same length always have the same number, where coins give all numbers; so with
    few candidates the error rate can pass alpha. Where one method has many more of its own than the
    other, the hypothesis is false whatever their precision, and a small p-value does not mean that
    one is more precise; `doubts` says so. docs/ranking.md has the error rates.

    References
    ----------
    S. Evert (2004), "Significance tests for the evaluation of ranking methods", COLING.
    A. Yeh (2000), "More accurate tests for the statistical significance of result differences".

    Examples
    --------
    >>> import csig
    >>> table = {"true": [1, 1, 1, 1, 1, 0, 0, 0, 0, 0], "MI": range(10, 0, -1),
    ...          "freq": [1, 2, 3, 4, 9, 5, 6, 7, 8, 10]}
    >>> found = csig.compare_rankings(table, "MI", "freq", n=5)
    >>> found.only_a, found.only_b
    ((4, 0), (0, 4))
    >>> round(found.pvalue, 6), round(found.test.pvalue, 6)
    (0.028571, 0.007812)
    """
    one_of("ties", ties, TIES[1:])
    check_alternative(alternative)
    if a == b:
        raise InputError(f"a and b are both {a!r}, expected two methods")
    found = candidates(table, [a, b], true, lower_is_better)
    lower = [lower_is_better] if isinstance(lower_is_better, str) else list(lower_is_better)
    wanted = _sizes(n, threshold, found.rankings, [name in lower for name in (a, b)])
    in_a, in_b, last = _accepted(found, wanted, ties, lower)
    both, only_a, only_b = _counts(in_a, in_b, found)
    comparison = Comparison.from_counts(
        gold=found.n_true, both_correct=both[0], both_spurious=both[1],
        only_a_correct=only_a[0], only_a_spurious=only_a[1],
        only_b_correct=only_b[0], only_b_spurious=only_b[1], names=(a, b),
    )  # fmt: skip
    test = randomization_test(
        comparison, metric, alternative=alternative, method=method, n_resamples=n_resamples,
        rng=rng, threads=threads,
    )  # fmt: skip
    statistic, chi_pvalue, expected = _chi_square(only_a, only_b)
    doubts = _doubts(found.rankings, wanted, ties, (only_a, only_b), alternative, expected)
    return RankingComparison(
        names=(a, b),
        n=wanted[0] if n is not None else None,
        thresholds=last,
        ties=ties,
        tied=(_tied(found.rankings[0], wanted[0]), _tied(found.rankings[1], wanted[1])),
        sizes=(int(in_a.sum()), int(in_b.sum())),
        true_positives=(both[0] + only_a[0], both[0] + only_b[0]),
        both_true=both[0],
        both_false=both[1],
        only_a=only_a,
        only_b=only_b,
        metric=test.metric,
        difference=test.statistic,
        comparison=comparison,
        pvalue=fisher_pvalue(only_a, only_b, alternative),
        test=test,
        chi_square=statistic,
        chi_square_pvalue=chi_pvalue,
        least_expected=expected,
        alternative=alternative,
        doubts=(OPPOSED, *doubts) if opposed(test.statistic, only_a, only_b) else tuple(doubts),
    )
