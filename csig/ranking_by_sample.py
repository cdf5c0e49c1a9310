"""Ranking methods in many samples, as the parts of a corpus: how precision varies, and what for.

Candidates of one part of a corpus may be true together. Each method's variation between samples is
what `csig.validate_binomial` looks at; the difference of two methods varies in its own way, which
the samples show as well.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from csig import streams
from csig.comparison import Comparison
from csig.data.accepted import Rule
from csig.data.candidates import Candidates, candidates
from csig.errors import InputError
from csig.probability.fisher import fisher_pvalue
from csig.randomization import randomization_test
from csig.ranking import opposed
from csig.ranking_samples import FEWEST_EXPECTED, BinomialValidation, validate_binomial
from csig.results import RandomizationResult
from csig.shown import Shown
from csig.validation import Alternative, Method, between, check_alternative, one_of
from csig.wording import clean, coded, count, counted, first_few, perhaps, points, pvalue

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["SampleComparison", "SamplePrecision", "compare_ranking_samples", "sample_precision"]

#: What becomes of ties: lists are cut in the table's order, or take all.
TIES = ("all", "first")

#: The largest integer up to which doubles have every one.
WHOLE = 2**53

#: Degrees of freedom at least, where one sample is nearly all.
LEAST_FREEDOM = 0.1

#: Intervals of less width have none but for rounding.
ROUNDING = 1e-12

#: The level at which so few samples that no swap of them can be significant are a doubt.
ALPHA = 0.05

#: Said where the whole lists differ one way, and the candidates of one method only the other.
OPPOSED = (
    "Of the candidates of one method only, a larger share is true for one method, but all lists "
    "together are better for the other: lists of such different lengths show no better method."
)


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class SamplePrecision(Shown):
    """The precision of ranking methods in many samples: see :func:`sample_precision`."""

    names: tuple[str, ...]  #: The methods; ``result["MI"]`` gives the validation of one.
    samples: tuple[str, ...]  #: Their names, in the order of the table.
    #: accepted, true_positives: the candidates that a method accepts in a sample, and the true ones
    #: among them.
    accepted: NDArray[np.int64]
    true_positives: NDArray[np.int64]
    #: One per method, of the samples in which it accepts candidates.
    validations: tuple[BinomialValidation, ...]
    n: int | None  #: n, total: how many of every sample were wanted, or of the whole table.
    total: int | None
    #: The scores from which candidates were accepted, one per method.
    thresholds: tuple[float, ...] | None
    ties: Literal["all", "first"]  #: What becomes of ties at the cut.
    confidence_level: float  #: Of every interval.
    doubts: tuple[str, ...] = ()  #: What to know before believing the result.

    def __getitem__(self, name: str) -> BinomialValidation:
        if name in self.names:
            return self.validations[self.names.index(name)]
        raise InputError(
            f"no method {name!r}{perhaps(name, self.names)}; there are {first_few(self.names)}"
        )

    def _line(self) -> str:
        found = sum(own.overdispersed for own in self.validations)
        return (
            f"{counted(len(self.samples), 'sample')}, {counted(len(self.names), 'method')}; more "
            f"variation than the binomial model says: {count(found)}"
        )


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class SampleComparison(Shown):
    """Two ranking methods in many samples: see :func:`compare_ranking_samples`."""

    names: tuple[str, str]  #: The methods A and B.
    samples: tuple[str, ...]  #: Their names, in the order of the table.
    #: accepted, true_positives: the candidates that A and B accept in a sample, and the true ones
    #: among them.
    accepted: NDArray[np.int64]
    true_positives: NDArray[np.int64]
    n: int | None  #: n, total, thresholds, ties: as in :class:`SamplePrecision`.
    total: int | None
    thresholds: tuple[float, ...] | None
    ties: Literal["all", "first"]
    #: own_a, own_b: true and false candidates that only one method accepts.
    own_a: NDArray[np.int64]
    own_b: NDArray[np.int64]
    only_a: tuple[int, int]  #: only_a, only_b: the same of all samples together.
    only_b: tuple[int, int]
    precision: tuple[float, float]  #: Of all samples together.
    difference: float  #: Of these, A minus B.
    interval: tuple[float, float]  #: Of `difference`, from its variation between samples.
    #: The standard deviation of the difference between `shares` as the samples show it, divided by
    #: that of independent candidates. NaN where the latter is 0, and of fewer than two samples.
    ratio: float
    #: Those of the precision of A and of B by themselves, as `BinomialValidation.ratio`; NaN where
    #: all accepted candidates are true, or none.
    ratios: tuple[float, float]
    #: Fisher's exact test of `only_a` against `only_b`: of independent candidates.
    fisher_pvalue: float
    corrected_pvalue: float  #: The same, corrected by `ratio`; NaN without one.
    pvalue: float  #: Of `test`: what to report.
    test: RandomizationResult  #: Whole samples are swapped.
    comparison: Comparison  #: What `test` is of: every sample's score by A and by B.
    swapped: int  #: The samples in which these differ.
    alternative: Alternative  #: Of A minus B.
    confidence_level: float  #: Of `interval`.
    doubts: tuple[str, ...] = ()  #: What to know before believing the result.

    @property
    def shares(self) -> tuple[float, float]:
        """The share of true ones among the candidates of A only, and of B only; NaN of none."""
        a, b = (own[0] / sum(own) if sum(own) else math.nan for own in (self.only_a, self.only_b))
        return a, b

    def _line(self) -> str:
        a, b = map(clean, self.names)
        return (
            f"{a} - {b} = {points(self.difference, sign=True)} points, p = {pvalue(self.pvalue)} "
            f"({counted(self.swapped, 'sample')} swapped)"
        )


def _validation(
    name: str, hits: NDArray[np.int64], sizes: NDArray[np.int64], level: float
) -> BinomialValidation:
    some, right, total = sizes > 0, int(hits.sum()), int(sizes.sum())
    if right in (0, total):
        raise InputError(
            f"{clean(name)}: {'none' if not right else 'every one'} of "
            f"{counted(total, 'accepted candidate')} is true, so precision does not vary; expected "
            "true and false ones"
        )
    return validate_binomial({"true": hits[some], "size": sizes[some]}, confidence_level=level)


def _method_doubts(
    name: str, sizes: NDArray[np.int64], cut: int, ties: str, what: str
) -> list[str]:
    found = []
    empty = int((sizes == 0).sum())
    if empty:
        found.append(
            f"{clean(name)} accepts no candidate of {count(empty)} of "
            f"{counted(len(sizes), 'sample')}: they have no precision and are left out of its "
            f"{what}."
        )
    if cut:
        where = f"in {counted(cut, 'list')} candidates share the score at which it is cut"
        found.append(
            f"{clean(name)}: {where}; "
            + ("all are taken, so lists are longer than was asked for." if ties == "all" else
               "those that come first in the table are taken, so the result depends on its order.")
        )  # fmt: skip
    return found


class _Taken(NamedTuple):
    """What every method accepts: which candidates, and the counts of every sample."""

    which: list[NDArray[np.bool_]]
    accepted: NDArray[np.int64]
    true_positives: NDArray[np.int64]
    cuts: list[int]


def _taken(found: Candidates, rule: Rule, ties: str) -> _Taken:
    n = len(found.samples)
    if n < 2:
        raise InputError(
            f"sample: found 1 sample, {found.samples[0]!r}, expected 2 or more; one sample does "
            "not show how samples vary"
        )
    which, cuts, sizes, hits = [], [], [], []
    for i, own in enumerate(found.rankings):
        taken, cut = rule.accepted(i, found, ties)
        size = np.bincount(found.codes[taken], minlength=n)
        if (size > 0).sum() < 2:
            raise InputError(
                f"{clean(own.name)}: only 1 of {counted(n, 'sample')} has accepted candidates, "
                "expected 2 or more; one sample does not show how samples vary"
            )
        which.append(taken)
        cuts.append(cut)
        sizes.append(size)
        hits.append(np.bincount(found.codes[taken & found.true], minlength=n))
    return _Taken(which, np.array(sizes), np.array(hits), cuts)


def sample_precision(
    table: Mapping[str, Any] | Any,
    methods: Sequence[str] | str,
    *,
    sample: str,
    n: int | None = None,
    threshold: float | Sequence[float] | Mapping[str, float] | None = None,
    total: int | None = None,
    true: str = "true",
    lower_is_better: Sequence[str] | str = (),
    ties: Literal["all", "first"] = "all",
    confidence_level: float = 0.95,
) -> SamplePrecision:
    """How the precision of ranking methods varies between samples, as the parts of a corpus.

    Parameters
    ----------
    table : mapping {column: values}, or data frame
        One row per candidate of a sample.
    methods : sequence of str
        The columns of scores.
    sample : str
        The column that names every candidate's sample.
    n : int, optional
        A method accepts the n best of every sample. Give this, `threshold` or `total`.
    threshold : float, sequence of float, or mapping {method: float}, optional
        A method accepts the candidates with this score or a better one, in every sample the same.
    total : int, optional
        A method accepts the `total` best of the whole table; a sample has those that are its own.
    true : str
        The column that says which candidates are true: True and False, or 1 and 0.
    lower_is_better : sequence of str
        Those of the methods whose small scores are the best.
    ties : {"all", "first"}
        Of candidates with the same score of which only some fit into a list, all, or those that
        come first in the table.
    confidence_level : float
        Of every interval; by default 0.95.

    Returns
    -------
    SamplePrecision
        With a :class:`BinomialValidation` for every method.

    Raises
    ------
    InputError
        As :func:`nbest_precision` and :func:`validate_binomial`; for none or more than one of `n`,
        `threshold` and `total`; for a sample with fewer than n candidates; for a method that
        accepts candidates in one sample only.

    Notes
    -----
    *Which candidates.* In the binomial model a sample is drawn from all candidates whose score
    reaches a fixed threshold: how many these are depends on chance, and given how many, the
    true ones are binomial. That is `threshold`, and nearly `total`, whose threshold is that of
    the whole table. The samples of Evert (2004) have about 100 candidates, which fits. Scores
    must then mean the same in every sample: those that grow with the size of a corpus need
    parts of one size. `n` cuts every sample at a threshold of its own: lists have the same
    length, scores need no common scale, and the precision is that of a fixed length. There is
    no default, because these are different questions.

    *Samples* are taken for independent of each other. Parts of one corpus that have the same
    candidates (the same pair of words in many parts) are not quite: what they share makes them
    more alike, and the ratio of standard deviations too small.

    A sample in which a method accepts nothing has no precision; it is left out of this method's
    validation, and `doubts` says so.

    References
    ----------
    S. Evert (2004), "Significance tests for the evaluation of ranking methods", COLING, section 4.

    Examples
    --------
    >>> import csig
    >>> table = {"part": list("aaaabbbbcccc"), "true": [1, 1, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0],
    ...          "MI": [9, 8, 2, 1, 7, 6, 5, 1, 8, 3, 2, 1]}
    >>> found = csig.sample_precision(table, "MI", sample="part", n=2)
    >>> found.true_positives.tolist(), found.accepted.tolist()
    ([[2, 1, 1]], [[2, 2, 2]])
    >>> round(found["MI"].ratio, 3)
    0.866
    """
    one_of("ties", ties, TIES)
    level = between("confidence_level", confidence_level)
    found = candidates(table, methods, true, lower_is_better, sample)
    rule = Rule(n, threshold, total, found, lower_is_better)
    taken = _taken(found, rule, ties)
    validations, doubts = [], []
    for i, own in enumerate(found.rankings):
        size = taken.accepted[i]
        validations.append(_validation(own.name, taken.true_positives[i], size, level))
        doubts += _method_doubts(own.name, size, taken.cuts[i], ties, "validation")
        doubts += [f"{clean(own.name)}: {doubt}" for doubt in validations[-1].doubts]
    return SamplePrecision(
        names=tuple(own.name for own in found.rankings),
        samples=found.samples,
        accepted=taken.accepted,
        true_positives=taken.true_positives,
        validations=tuple(validations),
        n=rule.n,
        total=rule.total,
        thresholds=rule.thresholds,
        ties=ties,
        confidence_level=level,
        doubts=tuple(coded("samples", doubts)),
    )


def _own(which: NDArray[np.bool_], found: Candidates) -> tuple[NDArray[np.int64], tuple[int, int]]:
    """True and false ones of every sample, and of all."""
    n = len(found.samples)
    by_sample = np.stack(
        [
            np.bincount(found.codes[which & found.true], minlength=n),
            np.bincount(found.codes[which & ~found.true], minlength=n),
        ],
        axis=1,
    )
    right, wrong = by_sample.sum(axis=0).tolist()
    return by_sample, (right, wrong)


def _owns(
    taken: _Taken, found: Candidates
) -> tuple[tuple[NDArray[np.int64], tuple[int, int]], tuple[NDArray[np.int64], tuple[int, int]]]:
    in_a, in_b = taken.which
    return _own(in_a & ~in_b, found), _own(in_b & ~in_a, found)


def _swapped(own_a: NDArray[np.int64], own_b: NDArray[np.int64]) -> list[list[int]]:
    """What every sample gives to the difference of shares, of A and of B: whole numbers.

    With m candidates of one method only, t of them true, a sample's are m_B (m t_Ai - t m_Ai) and
    m_A (m t_Bi - t m_Bi), divided by what all have in common; for m_A = m_B and lists of the same
    length in every sample this is t_Ai and t_Bi, but for a constant that they share.
    """
    sides = own_a.tolist(), own_b.tolist()
    sizes = [sum(map(sum, side)) for side in sides]
    right = sum(true for side in sides for true, _ in side)
    if sizes[0] == sizes[1] and (own_a.sum(axis=1) == own_b.sum(axis=1)).all():
        return [[true for true, _ in side] for side in sides]
    values = [
        [other * (sum(sizes) * true - right * (true + false)) for true, false in side]
        for side, other in zip(sides, reversed(sizes), strict=True)
    ]
    common = math.gcd(*(value for side in values for value in side)) or 1
    return [[value // common for value in side] for side in values]


def _comparison(
    own_a: NDArray[np.int64],
    own_b: NDArray[np.int64],
    samples: tuple[str, ...],
    names: tuple[str, str],
) -> Comparison:
    values: list[Any] = _swapped(own_a, own_b)
    if max(map(abs, (*values[0], *values[1]))) > WHOLE:
        values = [[float(value) for value in side] for side in values]
    return Comparison.from_scores(*values, ids=samples, unit_name="sample", names=names)


def _variance(values: NDArray[np.float64], sizes: NDArray[np.int64]) -> tuple[float, float]:
    """Of the sum of values of independent samples with the mean 0, and degrees of freedom.

    As many samples of one size tell as much as the squared sum of the sizes divided by the sum of
    their squares.
    """
    total = float(sizes.sum())
    effective = total**2 / float((sizes.astype(np.float64) ** 2).sum()) if total else 0.0
    if (sizes > 0).sum() < 2:
        return math.nan, 0
    freedom = max(LEAST_FREEDOM, effective - 1)
    return float((values**2).sum()) * (freedom + 1) / freedom, freedom


def _ratio(own_a: NDArray[np.int64], own_b: NDArray[np.int64]) -> tuple[float, float]:
    """Observed by expected standard deviation of the difference of shares, degrees of freedom."""
    rest = np.zeros(len(own_a))
    expected = 0.0
    for own, sign in ((own_a, 1), (own_b, -1)):
        right, size = int(own[:, 0].sum()), int(own.sum())
        if not size:
            return math.nan, 0
        share = right / size
        rest += sign * (own[:, 0] - share * own.sum(axis=1)) / size
        expected += share * (1 - share) / size
    observed, freedom = _variance(rest, own_a.sum(axis=1) + own_b.sum(axis=1))
    return math.sqrt(observed / expected) if expected else math.nan, freedom


def _corrected(value: float, ratio: float, freedom: float, alternative: Alternative) -> float:
    """A p-value of independent candidates, with its normal deviate divided by the ratio."""
    if math.isnan(ratio):
        return math.nan
    from scipy.special import ndtri, stdtr

    sides = 2 if alternative == "two-sided" else 1
    deviate = float(ndtri(min(value, 1) / sides)) / max(1.0, ratio)
    return min(1.0, sides * float(stdtr(freedom, deviate)))


def _interval(taken: _Taken, level: float) -> tuple[tuple[float, float], tuple[float, float]]:
    """The precision of A and B in all samples together, and the interval of their difference."""
    from scipy.special import stdtrit

    totals = taken.accepted.sum(axis=1)
    precision = taken.true_positives.sum(axis=1) / totals
    a, b = precision.tolist()
    rest = (taken.true_positives - precision[:, None] * taken.accepted) / totals[:, None]
    variance, freedom = _variance(rest[0] - rest[1], taken.accepted.sum(axis=0))
    reach = math.sqrt(variance) * float(stdtrit(freedom, (1 + level) / 2))
    return (a, b), (max(-1.0, a - b - reach), min(1.0, a - b + reach))


def _own_ratio(hits: NDArray[np.int64], sizes: NDArray[np.int64]) -> float:
    some = sizes > 0
    if int(hits.sum()) in (0, int(sizes.sum())):
        return math.nan
    return validate_binomial({"true": hits[some], "size": sizes[some]}).ratio


def _pair_doubts(
    only_a: tuple[int, int],
    only_b: tuple[int, int],
    difference: float,
    swapped: int,
    alternative: Alternative,
) -> list[str]:
    found = []
    if opposed(difference, only_a, only_b):
        found.append(OPPOSED)
    least = min(1.0, (2 if alternative == "two-sided" else 1) / 2**swapped)
    if least > ALPHA and swapped:
        found.append(
            f"The methods differ in {counted(swapped, 'sample')} only, so p is never below "
            f"{least:g}: too few to find a difference."
        )
    return found


def _rough(taken: _Taken, names: Sequence[str], interval: tuple[float, float]) -> list[str]:
    """Why the interval of the difference may say too much."""
    if interval[1] - interval[0] < ROUNDING:
        return [
            "The difference does not vary between samples: its interval has no width, and says "
            "nothing."
        ]
    found = []
    rows = zip(names, taken.true_positives, taken.accepted, strict=True)
    for name, true, size in rows:
        right, total = int(true.sum()), int(size.sum())
        if min(right, total - right) < FEWEST_EXPECTED:
            found.append(
                f"{clean(name)}: {count(right)} of {counted(total, 'accepted candidate')} "
                f"{'is' if right == 1 else 'are'} true; with fewer than {FEWEST_EXPECTED} true or "
                "false ones the interval of the difference is rough."
            )
    return found


def compare_ranking_samples(
    table: Mapping[str, Any] | Any,
    a: str,
    b: str,
    *,
    sample: str,
    n: int | None = None,
    threshold: float | Sequence[float] | Mapping[str, float] | None = None,
    total: int | None = None,
    true: str = "true",
    lower_is_better: Sequence[str] | str = (),
    ties: Literal["all", "first"] = "all",
    alternative: Alternative = "two-sided",
    method: Method = "auto",
    n_resamples: int | None = None,
    rng: streams.Seed = None,
    threads: int | None = None,
    confidence_level: float = 0.95,
) -> SampleComparison:
    """Test whether one ranking method is more precise, with whole samples as what is independent.

    Parameters
    ----------
    table, sample, n, threshold, total, true, lower_is_better, ties, confidence_level
        As for :func:`sample_precision`.
    a, b : str
        The columns of the methods' scores.
    alternative : {"two-sided", "less", "greater"}
        Of A minus B.
    method, n_resamples, rng, threads
        Of :func:`csig.randomization_test`.

    Returns
    -------
    SampleComparison

    Raises
    ------
    InputError
        As :func:`sample_precision`.

    Notes
    -----
    As in :func:`compare_rankings` only candidates that one method accepts, and not the other, make
    a difference. Of A's own m_A candidates t_A are true, of B's t_B of m_B.

    *Fisher's exact test* (`fisher_pvalue`) of these takes candidates for independent. If those of a
    sample are true together, it can find too much.

    *Whole samples swapped* (`test`, `pvalue`): the null hypothesis is that the methods are
    interchangeable in every sample: with a fair coin for each, all that A accepts in it could as
    well be what B accepts. Candidates of a sample may depend on each other in any way; samples are
    independent. With t of m own candidates of both true, sample i gives
    (t_Ai - m_Ai t / m) / m_A - (t_Bi - m_Bi t / m) / m_B, whose sum is the difference between the
    shares of true ones, and a swap changes its sign. For lists of the same length these are the
    differences in true positives, the p-value is that of the swapped precisions, and its error rate
    is at most alpha. For lists of different lengths it is that of sign-flipped effective scores
    (Hemerik, Goeman and Finos 2020), whose error rate is alpha for many samples, however unequal
    the lengths and whatever the variance.

    *The correction* (`corrected_pvalue`): `ratio` compares the standard deviation of the difference
    as the samples show it with that of independent candidates. The normal deviate of Fisher's
    p-value is divided by it, at least by 1, and Student's distribution takes the place of the
    normal one, with one degree of freedom less than as many samples of one size would tell as much
    (see :func:`validate_binomial`). It takes the difference for near-normal. The two methods' own
    `ratios` do not serve: a sample in which everything is easy makes both methods' precision high,
    and their difference no larger, so these correct too much.

    `interval` is that of the difference in precision of all lists, from the same variation. It
    takes the difference for near-normal, and `doubts` says where it is rough: few true or false
    candidates, or samples that do not vary.

    References
    ----------
    J. Hemerik, J. J. Goeman and L. Finos (2020), "Robust testing in generalized linear models by
    sign flipping score contributions", Journal of the Royal Statistical Society B 82.
    S. Evert (2004), "Significance tests for the evaluation of ranking methods", COLING.

    Examples
    --------
    >>> import csig
    >>> table = {"part": [i // 8 for i in range(64)], "true": [1, 1, 1, 0, 0, 0, 0, 1] * 8,
    ...          "MI": [8, 7, 6, 5, 4, 3, 2, 1] * 8, "freq": [1, 2, 3, 4, 5, 6, 7, 8] * 8}
    >>> found = csig.compare_ranking_samples(table, "MI", "freq", sample="part", n=3)
    >>> found.only_a, found.only_b, found.pvalue
    ((24, 0), (8, 16), 0.0078125)
    """
    one_of("ties", ties, TIES)
    check_alternative(alternative)
    if a == b:
        raise InputError(f"a and b are both {a!r}, expected two methods")
    level = between("confidence_level", confidence_level)
    found = candidates(table, [a, b], true, lower_is_better, sample)
    rule = Rule(n, threshold, total, found, lower_is_better)
    taken = _taken(found, rule, ties)
    (own_a, _), (own_b, _) = _owns(taken, found)
    comparison = _comparison(own_a, own_b, found.samples, (a, b))
    test = randomization_test(
        comparison, "mean", alternative=alternative, method=method, n_resamples=n_resamples,
        rng=rng, threads=threads,
    )  # fmt: skip
    return _compared(found, rule, taken, comparison, test, level, ties)


def _compared(
    found: Candidates,
    rule: Rule,
    taken: _Taken,
    comparison: Comparison,
    test: RandomizationResult,
    level: float,
    ties: Literal["all", "first"],
) -> SampleComparison:
    (own_a, only_a), (own_b, only_b) = _owns(taken, found)
    a, b = (own.name for own in found.rankings)
    alternative = test.alternative
    swapped = comparison.n_units
    precision, interval = _interval(taken, level)
    ratio, freedom = _ratio(own_a, own_b)
    plain = fisher_pvalue(only_a, only_b, alternative)
    doubts = _pair_doubts(only_a, only_b, precision[0] - precision[1], swapped, alternative)
    doubts += _rough(taken, (a, b), interval)
    for name, size, cut in zip((a, b), taken.accepted, taken.cuts, strict=True):
        doubts += _method_doubts(name, size, cut, ties, "precision")
    return SampleComparison(
        names=(a, b),
        samples=found.samples,
        accepted=taken.accepted,
        true_positives=taken.true_positives,
        n=rule.n,
        total=rule.total,
        thresholds=rule.thresholds,
        ties=ties,
        own_a=own_a,
        own_b=own_b,
        only_a=only_a,
        only_b=only_b,
        precision=precision,
        difference=precision[0] - precision[1],
        interval=interval,
        ratio=ratio,
        ratios=(
            _own_ratio(taken.true_positives[0], taken.accepted[0]),
            _own_ratio(taken.true_positives[1], taken.accepted[1]),
        ),
        fisher_pvalue=plain,
        corrected_pvalue=_corrected(plain, ratio, freedom, alternative),
        pvalue=test.pvalue,
        test=test,
        comparison=comparison,
        swapped=swapped,
        alternative=alternative,
        confidence_level=level,
        doubts=tuple(doubts),
    )
