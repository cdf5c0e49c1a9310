"""Ranking methods in many samples, as the parts of a corpus (Evert 2004, section 4).

Candidates of one part of a corpus may be true together. Whether a method's precision varies between
samples as the binomial model says is what `validate_binomial` looks at; the difference of two
methods varies in its own way, which the samples show as well.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from csig.base.errors import InputError, shortened
from csig.base.shown import ShownArrays, ShownTuple
from csig.base.validation import Alternative, between, one_of, public
from csig.base.wording import (
    clean,
    coded,
    count,
    counted,
    documented,
    percent,
    perhaps,
    pvalue,
)
from csig.probability.alike import alike, all_alike
from csig.probability.binomial import (
    at_least,
    clopper_pearson,
    clopper_pearson_limits,
    fisher_pvalue,
)
from csig.probability.student import t_quantile
from csig.rankings.nbest import WHOLE_TIES, Candidates, Rule, WholeTies, candidates, place_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from csig.data.comparison import Comparison
    from csig.results.randomization import RandomizationResult

#: The least expected count for which the chi-square and the normal distribution are near enough.
FEWEST_EXPECTED = 5

#: Degrees of freedom at least, where one sample is nearly all.
LEAST_FREEDOM = 0.1

#: Edges of the histogram, in expected standard deviations; the ends are open.
EDGES = np.concatenate([[-np.inf], np.arange(-4, 4.5, 0.5), [np.inf]])

#: The largest count, for which the sums of `_distance` are accurate to 1e-6; the largest integer up
#: to which doubles have every one.
MOST, WHOLE = 2**31, 2**53

#: Intervals of less width have none but for rounding.
ROUNDING = 1e-12


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class BinomialValidation(ShownArrays):
    """Whether samples vary as the binomial model says: see :func:`validate_binomial`."""

    #: true_positives, sizes: true candidates of every sample, and all that were accepted.
    true_positives: NDArray[np.int64]
    sizes: NDArray[np.int64]
    precision: float  #: Of all samples together.
    #: Of `precision`, Clopper and Pearson's: it assumes the binomial model.
    interval: tuple[float, float]
    corrected_interval: tuple[float, float]  #: Of `precision`, from the observed variation.
    truth: float  #: The true precision that coverage and the Kolmogorov test are about.
    given: bool  #: Whether `truth` was given; else it is `precision`.
    mean_size: float  #: The harmonic mean of the sizes, for which the standard deviations are.
    #: expected_sd, observed_sd: standard deviation of a sample's precision by the model, and as
    #: observed.
    expected_sd: float
    observed_sd: float
    ratio: float  #: The observed one divided by the expected one: 1 if the model is right.
    ratio_interval: tuple[float, float]  #: Of `ratio`, two-sided.
    #: What `ratio` is at least: one-sided, as `dispersion_pvalue` is, and above 1 where that is
    #: below 1 - the confidence level.
    ratio_bound: float
    #: The standard deviation of `precision` as the samples show it, divided by that of the model:
    #: `ratio` for samples of one size.
    pooled_ratio: float
    #: The chi-square statistic of the samples, with ``len(sizes) - 1`` degrees of freedom.
    dispersion: float
    dispersion_pvalue: float  #: Of more variation than the model has; one-sided.
    #: The largest distance between the distribution of `standardized` and the normal one.
    kolmogorov: float
    kolmogorov_pvalue: float  #: Of the Kolmogorov test, with a correction for continuity.
    low: NDArray[np.float64]  #: low, high: every sample's Clopper-Pearson interval.
    high: NDArray[np.float64]
    misses: int  #: How many of these do not contain `truth`.
    #: The probability of so many misses or more, if each has probability 1 - confidence level.
    misses_pvalue: float
    #: pvalue, corrected_pvalue: of `precision` against the `truth` that was given, two-sided: by
    #: the model, and from the observed variation. NaN if none was given.
    pvalue: float
    corrected_pvalue: float
    #: edges, counts, expected_counts: a histogram of `standardized` and what the model expects: the
    #: ends are open.
    edges: NDArray[np.float64]
    counts: NDArray[np.int64]
    expected_counts: NDArray[np.float64]
    confidence_level: float  #: Of every interval.
    doubts: tuple[str, ...] = ()  #: What to know before believing the result.

    @property
    def standardized(self) -> NDArray[np.float64]:
        """Every sample's distance from `truth`, in standard deviations for its own size."""
        return _standardized(self.true_positives, self.sizes, self.truth)

    @property
    def overdispersed(self) -> bool:
        """Whether the samples vary significantly more than the model says."""
        return self.dispersion_pvalue <= 1 - self.confidence_level

    def corrected(self, pvalue: float) -> float:
        """A two-sided p-value of another test, corrected for the variation of these samples.

        Parameters
        ----------
        pvalue : float
            Of a test that assumes independent candidates.

        Returns
        -------
        float
            The normal deviate of the p-value, divided by `ratio`, in Student's distribution with
            ``len(sizes) - 1`` degrees of freedom (quasi-binomial scaling). A ratio below 1 counts
            as 1.

        Raises
        ------
        InputError
            If it does not lie between 0 and 1.

        Notes
        -----
        It is valid where the deviate is near normal and its variance has the same factor as that
        of these samples: for lists of about their size, from parts as they are. The factor grows
        with the size of the lists. Two methods on the *same* part share some of its variation,
        which cancels in their difference; the correction is then too strong.
        """
        if pvalue == 1:
            return 1.0
        from scipy.special import ndtri

        deviate = float(-ndtri(between("pvalue", pvalue) / 2))
        return _student_pvalue(deviate / max(1.0, self.ratio), len(self.sizes) - 1)

    def _line(self) -> str:
        samples = counted(len(self.sizes), "sample")
        return (
            f"{samples}, precision {percent(self.precision)}%, observed / expected sd = "
            f"{self.ratio:.3g}, p = {pvalue(self.dispersion_pvalue)}"
        )


def sizes_text(sizes: NDArray[np.int64]) -> str:
    """The least and the largest size of samples."""
    ends = dict.fromkeys([int(sizes.min()), int(sizes.max())])
    return " to ".join(map(count, ends))


def _student_pvalue(deviate: float, freedom: float) -> float:
    from scipy.special import stdtr

    return alike(min(1.0, 2 * float(stdtr(freedom, -abs(deviate)))))


def _standardized(
    true: NDArray[np.int64], sizes: NDArray[np.int64], precision: float
) -> NDArray[np.float64]:
    spread = np.sqrt(sizes * precision * (1 - precision))
    return np.asarray((true - sizes * precision) / spread)


def _distance(
    true: NDArray[np.int64], sizes: NDArray[np.int64], precision: float
) -> tuple[float, float]:
    """Kolmogorov's statistic and p-value, of counts that are spread over k - 1/2 to k + 1/2.

    Between the ends of these intervals the distribution of the samples is a straight line, so the
    largest distance is at an end, or where the density of the normal one is the slope.
    """
    from scipy.special import ndtr
    from scipy.stats import kstwo

    width = 1 / np.sqrt(sizes * precision * (1 - precision))
    middle = _standardized(true, sizes, precision)
    starts, ends = middle - width / 2, middle + width / 2
    points = np.sort(np.concatenate([starts, ends]))
    share = np.zeros(len(points))
    for corners, sign in ((starts, 1), (ends, -1)):
        order = np.argsort(corners)
        rate = np.append(0, np.cumsum((1 / width)[order]))
        offset = np.append(0, np.cumsum((corners / width)[order]))
        passed = np.searchsorted(corners[order], points, side="right")
        share += sign * (rate[passed] * points - offset[passed])
    share /= len(true)
    largest = float(np.abs(share - ndtr(points)).max())
    length = np.diff(points)
    slope = np.diff(share) / np.where(length > 0, length, np.inf)
    with np.errstate(divide="ignore", invalid="ignore"):  # where the line is too steep, or level
        between_ends = np.sqrt(-2 * np.log(slope * math.sqrt(2 * math.pi)))
    for place in (between_ends, -between_ends):
        inside = (points[:-1] < place) & (place < points[1:])
        line = share[:-1][inside] + slope[inside] * (place - points[:-1])[inside]
        largest = max(largest, float(np.abs(line - ndtr(place[inside])).max(initial=0)))
    return alike(largest), alike(float(kstwo.sf(largest, len(true))))


def _whole(values: object, what: str, least: int) -> NDArray[np.int64]:
    """Counts of every sample."""
    try:
        if np.asarray(values).dtype.kind not in "biufO":
            raise TypeError
        counts = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(
            f"samples: {what} must be whole numbers, found {shortened(repr(values))}"
        ) from None
    if counts.ndim != 1:
        raise InputError(f"samples: {what} must be one number per sample, found {counts.ndim}-d")
    wrong = ~((counts >= least) & (counts <= MOST) & (np.floor(counts) == counts))  # NaN, too
    if wrong.any():
        i = int(np.flatnonzero(wrong)[0])
        reason = f"{what} is {counts[i]:g}, expected a whole number from {least} to 2^31"
        if least == 1 and counts[i] == 0:
            reason = "no candidates, so it has no precision; leave it out"
        raise InputError(f"sample {count(i + 1)}: {reason}")
    return counts.astype(np.int64)


@public("csig.rankings")
def validate_binomial(
    samples: Sequence[Sequence[int]] | Mapping[str, Any] | Any,
    precision: float | None = None,
    *,
    true: str = "true",
    size: str = "size",
    confidence_level: float = 0.95,
) -> BinomialValidation:
    """Whether the precision of many samples varies as the binomial model says (Evert 2004).

    Parameters
    ----------
    samples : sequence of pairs (true, accepted), or mapping {column: values}, or data frame
        One per sample, as the parts of a corpus: the true ones among the accepted candidates, and
        how many were accepted.
    precision : float, optional
        The true precision, as that of the whole corpus; by default the pooled one of the samples.
    true, size : str
        The columns of a table.
    confidence_level : float
        Of every interval; by default 0.95.

    Returns
    -------
    BinomialValidation
        Standard deviations, tests of the model and intervals that do without it.

    Raises
    ------
    InputError
        For fewer than two samples, one without candidates, counts that are no whole numbers or
        missing, more true than accepted candidates, and if all candidates are true, or none.

    Notes
    -----
    Samples are taken for independent of each other; docs/ranking.md says what every number is for.

    *Dispersion.* With k of N accepted candidates true in each of m samples and p the pooled
    precision, X2 is the sum of (k - N p)^2 / (N p (1 - p)), and the ratio of the standard
    deviations sqrt(X2 / (m - 1)). By the model X2 has a chi-square distribution with m - 1 degrees
    of freedom, if no expected count is below 5. The interval of the ratio divides X2 by its
    quantiles: it assumes near-normal precisions whose variance has the same factor in every sample.

    *Kolmogorov's test* is somewhat cautious: every count k is spread evenly from k - 1/2 to
    k + 1/2, as a true model is rejected far too often without.

    *Correction.* `corrected_interval` and `corrected_pvalue` take the variance of the pooled
    precision from the samples: the sum of (k - N p)^2, divided by the squared sum of the N and by
    1 - 1 / e, but at least the binomial one. Here e is the squared sum of the N, divided by the sum
    of their squares: as many samples of one size tell as much, and with one size e is m. Student's
    distribution with e - 1 degrees of freedom takes the place of the normal one. So the variance of
    large samples may have another factor than that of small ones; for samples of one size this is
    quasi-binomial scaling, by ``ratio^2``.

    References
    ----------
    S. Evert (2004), "Significance tests for the evaluation of ranking methods", COLING, section 4;
    P. McCullagh and J. A. Nelder (1989), "Generalized Linear Models", section 4.5.

    Examples
    --------
    >>> import csig
    >>> samples = [(20, 100), (35, 100), (24, 100), (41, 100), (15, 100), (27, 100)]
    >>> found = csig.rankings.validate_binomial(samples)
    >>> round(found.expected_sd, 4), round(found.observed_sd, 4), round(found.ratio, 2)
    (0.0444, 0.0961, 2.17)
    >>> found.misses, round(found.corrected(0.01), 3)
    (2, 0.288)
    """
    level = between("confidence_level", confidence_level)
    if isinstance(samples, Mapping) or hasattr(samples, "columns"):
        table: Any = samples
        names = list(getattr(table, "column_names", getattr(table, "columns", table)))
        for name in (true, size):
            if name not in names:
                raise InputError(
                    f"samples: no column {name!r}{perhaps(name, names)}; name the columns of true "
                    "and of all accepted candidates with true= and size="
                )
        columns = table[true], table[size]
    else:
        try:
            pairs = [(hits, accepted) for hits, accepted in samples]
        except (TypeError, ValueError):
            raise InputError(
                "samples: expected pairs (true, accepted), or a table with a column of each, found "
                f"{shortened(repr(samples))}"
            ) from None
        columns = [hits for hits, _ in pairs], [accepted for _, accepted in pairs]
    hits, sizes = _whole(columns[0], "true", 0), _whole(columns[1], "size", 1)
    if len(hits) != len(sizes):
        raise InputError(
            f"samples: {count(len(hits))} true counts and {count(len(sizes))} sizes, expected one "
            "of each per sample"
        )
    if len(hits) < 2:
        raise InputError(
            f"samples: found {counted(len(hits), 'sample')}, expected 2 or more; one sample does "
            "not show how samples vary"
        )
    over = np.flatnonzero(hits > sizes)
    if len(over):
        i = int(over[0])
        raise InputError(
            f"sample {count(i + 1)}: {count(int(hits[i]))} true of "
            f"{counted(int(sizes[i]), 'candidate')}; expected (true, accepted)"
        )
    right, total, freedom = sum(hits.tolist()), sum(sizes.tolist()), len(sizes) - 1
    if right in (0, total):
        raise InputError(
            f"samples: {'no' if not right else 'every'} candidate is true, so precision does not "
            "vary; expected true and false ones"
        )
    given = None if precision is None else between("precision", precision)
    from scipy.special import chdtrc, chdtri, ndtr

    pooled, tail = right / total, (1 - level) / 2
    truth = pooled if given is None else given
    mean_size = len(sizes) / math.fsum((1 / sizes).tolist())
    dispersion = float((_standardized(hits, sizes, pooled) ** 2).sum())
    ratio = math.sqrt(dispersion / freedom)
    expected = math.sqrt(pooled * (1 - pooled) / mean_size)
    own = _standardized(hits, sizes, truth)
    distance, distance_pvalue = _distance(hits, sizes, truth)
    low, high = clopper_pearson_limits(hits, hits, sizes, level)
    misses = int(((truth < low) | (truth > high)).sum())
    # Effective samples, and the standard deviation of the pooled precision: observed by expected.
    effective = 1 / float(((sizes / float(total)) ** 2).sum())
    observed = float(((hits - sizes * pooled) ** 2).sum())
    observed /= 1 - 1 / effective if effective > 1 else LEAST_FREEDOM
    pooled_ratio = math.sqrt(observed / (float(total) * pooled * (1 - pooled)))
    factor, own_freedom = max(1.0, pooled_ratio), max(LEAST_FREEDOM, effective - 1)
    reach = t_quantile(own_freedom, 1 - tail) * factor
    reach *= math.sqrt(pooled * (1 - pooled) / total)
    deviate = (right - total * truth) / math.sqrt(total * truth * (1 - truth))
    least = float(sizes.min()) * min(pooled, 1 - pooled)

    def ratio_beyond(tail: float) -> float:
        quantile = alike(float(chdtri(freedom, tail)))
        return math.sqrt(dispersion / quantile) if quantile else math.inf

    doubts = []
    if least < FEWEST_EXPECTED:
        doubts.append(
            f"The least expected count is {least:.3g}, below {FEWEST_EXPECTED}: the dispersion and "
            "the Kolmogorov test are rough."
        )
    if not dispersion:
        doubts.append(
            "All samples have the same precision: the ratio of the standard deviations is 0, and "
            "its interval says nothing."
        )
    if effective < len(sizes) / 2:
        doubts.append(
            f"Sizes are very unequal: together they tell as much as {effective:.3g} samples of one "
            "size. The corrected interval is rough."
        )
    return BinomialValidation(
        true_positives=hits,
        sizes=sizes,
        precision=pooled,
        interval=clopper_pearson(right, total, level),
        corrected_interval=(max(0.0, pooled - reach), min(1.0, pooled + reach)),
        truth=truth,
        given=given is not None,
        mean_size=mean_size,
        expected_sd=expected,
        observed_sd=ratio * expected,
        ratio=ratio,
        ratio_interval=(ratio_beyond(tail), ratio_beyond(1 - tail)),
        ratio_bound=ratio_beyond(1 - level),
        pooled_ratio=pooled_ratio,
        dispersion=dispersion,
        dispersion_pvalue=alike(float(chdtrc(freedom, dispersion))),
        kolmogorov=distance,
        kolmogorov_pvalue=distance_pvalue,
        low=low,
        high=high,
        misses=misses,
        misses_pvalue=at_least(misses, len(sizes), 1 - level),
        pvalue=math.nan if given is None else alike(2 * float(ndtr(-abs(deviate)))),
        corrected_pvalue=(
            math.nan if given is None else _student_pvalue(deviate / factor, own_freedom)
        ),
        edges=EDGES.copy(),
        counts=np.diff(np.searchsorted(np.sort(own), EDGES)),
        expected_counts=len(sizes) * all_alike(np.diff(ndtr(EDGES))),
        confidence_level=level,
        doubts=tuple(coded("samples", doubts)),
    )


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class SamplePrecision(ShownArrays):
    """The precision of ranking methods in many samples: see :func:`sample_precision`."""

    names: tuple[str, ...]  #: The methods; ``result["MI"]`` gives the validation of one.
    samples: tuple[str, ...]  #: Their names, in the order of the table.
    #: accepted, true_positives: the candidates that a method accepts in a sample, and the true ones
    #: among them.
    accepted: NDArray[np.int64]
    true_positives: NDArray[np.int64]
    #: One per method, of the samples in which it accepts candidates.
    validations: ShownTuple[BinomialValidation]
    n: int | None  #: n, total: how many of every sample were wanted, or of the whole table.
    total: int | None
    #: The scores from which candidates were accepted, one per method.
    thresholds: tuple[float, ...] | None
    ties: WholeTies  #: What becomes of ties at the cut.
    confidence_level: float  #: Of every interval.
    doubts: tuple[str, ...] = ()  #: What to know before believing the result.

    def __getitem__(self, name: str) -> BinomialValidation:
        return self.validations[place_of(name, self.names)]

    def _line(self) -> str:
        more = sum(own.overdispersed for own in self.validations)
        return (
            f"{counted(len(self.samples), 'sample')}, {counted(len(self.names), 'method')}; more "
            f"variation than the binomial model says: {count(more)}"
        )


def method_doubts(
    name: str, sizes: NDArray[np.int64], cuts: int, ties: str, what: str
) -> list[str]:
    """Samples of which a method accepts nothing, and lists that are cut within a tie."""
    doubts = []
    empty = int((sizes == 0).sum())
    if empty:
        doubts.append(
            f"{clean(name)} accepts no candidate of {count(empty)} of "
            f"{counted(len(sizes), 'sample')}: they have no precision and are left out of its "
            f"{what}."
        )
    if cuts:
        way = "those that come first in the table are taken, so the result depends on its order."
        if ties == "all":
            way = "all are taken, so lists are longer than was asked for."
        doubts.append(
            f"{clean(name)}: in {counted(cuts, 'list')} candidates share the score at which it is "
            f"cut; {way}"
        )
    return doubts


class Taken(NamedTuple):
    """What every method accepts."""

    which: list[NDArray[np.bool_]]  #: Candidates.
    true_positives: NDArray[np.int64]  #: true_positives, accepted: (methods, samples).
    accepted: NDArray[np.int64]
    cuts: list[int]  #: Lists that are cut within a tie.


def taken_by(rule: Rule) -> Taken:
    """Which candidates, and the counts of every sample."""
    data = rule.data
    n = len(data.samples)
    if n < 2:
        raise InputError(
            f"sample: found 1 sample, {data.samples[0]!r}, expected 2 or more; one sample does "
            "not show how samples vary"
        )
    which, cuts, sizes, hits = [], [], [], []
    for i, own in enumerate(data.rankings):
        taken, cut = rule.accepted(i)
        size = np.bincount(data.codes[taken], minlength=n)
        if (size > 0).sum() < 2:
            raise InputError(
                f"{clean(own.name)}: only 1 of {counted(n, 'sample')} has accepted candidates, "
                "expected 2 or more; one sample does not show how samples vary"
            )
        which.append(taken)
        cuts.append(cut)
        sizes.append(size)
        hits.append(np.bincount(data.codes[taken & data.true], minlength=n))
    return Taken(which, np.array(hits), np.array(sizes), cuts)


@public("csig.rankings")
@documented
def sample_precision(
    table: Mapping[str, Any] | Any,
    methods: Sequence[str] | str,
    *,
    sample: str,
    n: int | None = None,
    threshold: float | Sequence[float] | Mapping[str, float] | None = None,
    total: int | None = None,
    true: str = "true",
    lower_is_better: Sequence[str] | str | None = None,
    ties: WholeTies = "all",
    confidence_level: float = 0.95,
) -> SamplePrecision:
    """How the precision of ranking methods varies between samples, as the parts of a corpus.

    Parameters
    ----------
    %(table)s
    methods : sequence of str
        The columns of scores.
    sample : str
        The column that names every candidate's sample.
    %(samples)s
    %(true)s
    %(ties)s
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
    reaches a fixed threshold. That is `threshold`, and nearly `total`, whose threshold is that of
    the whole table; scores must then mean the same in every sample. `n` cuts every sample at a
    threshold of its own: lists have the same length, and scores need no common scale. There is no
    default, because these are different questions.

    *Samples* are taken for independent of each other. Parts of one corpus that have the same
    candidates are not quite: what they share makes the ratio of standard deviations too small.

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
    >>> found = csig.rankings.sample_precision(table, "MI", sample="part", n=2)
    >>> found.true_positives.tolist(), found.accepted.tolist()
    ([[2, 1, 1]], [[2, 2, 2]])
    >>> round(found["MI"].ratio, 3)
    0.866
    """
    one_of("ties", ties, WHOLE_TIES)
    level = between("confidence_level", confidence_level)
    data = candidates(table, methods, true, lower_is_better, sample)
    rule = Rule(n, threshold, total, data, ties)
    taken = taken_by(rule)
    validations: list[BinomialValidation] = []
    doubts: list[str] = []
    for own, hits, sizes, cuts in zip(data.rankings, *taken[1:], strict=True):
        some, right, size = sizes > 0, int(hits.sum()), int(sizes.sum())
        if right in (0, size):
            raise InputError(
                f"{clean(own.name)}: {'none' if not right else 'every one'} of "
                f"{counted(size, 'accepted candidate')} is true, so precision does not vary; "
                "expected true and false ones"
            )
        counts = {"true": hits[some], "size": sizes[some]}
        validations.append(validate_binomial(counts, confidence_level=level))
        doubts += method_doubts(own.name, sizes, cuts, ties, "validation")
        doubts += [f"{clean(own.name)}: {doubt}" for doubt in validations[-1].doubts]
    return SamplePrecision(
        names=tuple(own.name for own in data.rankings),
        samples=data.samples,
        accepted=taken.accepted,
        true_positives=taken.true_positives,
        validations=ShownTuple(validations),
        n=rule.n,
        total=rule.total,
        thresholds=rule.thresholds,
        ties=ties,
        confidence_level=level,
        doubts=tuple(coded("samples", doubts)),
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class SamplePair:
    """What the samples say of the difference of two methods."""

    #: own_a, own_b: true and false candidates that only one method accepts: (samples, 2).
    own_a: NDArray[np.int64]
    own_b: NDArray[np.int64]
    difference: float  #: The precision of A minus that of B, of all samples together.
    #: Of `difference`, from its variation between samples; it is taken for near-normal.
    interval: tuple[float, float]
    #: The standard deviation of the difference between the shares of true ones among the candidates
    #: of one method only as the samples show it, divided by that of independent candidates. NaN
    #: where the latter is 0, and of fewer than two samples.
    ratio: float
    #: Those of the precision of A and of B by themselves, as `BinomialValidation.ratio`, which do
    #: not serve for the difference: an easy sample makes it no larger. NaN where all accepted
    #: candidates are true, or none.
    ratios: tuple[float, float]
    fisher_pvalue: float  #: Fisher's exact test of independent candidates.
    #: The same, with its normal deviate divided by `ratio`, at least by 1, in Student's
    #: distribution with one degree of freedom less than as many samples of one size would tell as
    #: much. NaN without a ratio.
    corrected_pvalue: float
    test: RandomizationResult  #: Whole samples are swapped.
    comparison: Comparison  #: What `test` is of: every sample's score by A and by B.

    @property
    def swapped(self) -> int:
        """The samples in which the methods differ."""
        return self.comparison.n_units


def compared(
    data: Candidates,
    taken: Taken,
    places: tuple[int, int],
    alternative: Alternative,
    level: float,
    **options: Any,
) -> SamplePair:
    """Two methods by their places; `options` are those of :func:`csig.randomization_test`."""
    from scipy.special import ndtri, stdtr

    from csig.comparing.randomization import randomization_test
    from csig.data.comparison import Comparison  # for those who compare two

    n = len(data.samples)
    a, b = places
    owns = []
    for which in (taken.which[a] & ~taken.which[b], taken.which[b] & ~taken.which[a]):
        kinds = [data.codes[which & right] for right in (data.true, ~data.true)]
        owns.append(np.stack([np.bincount(codes, minlength=n) for codes in kinds], axis=1))
    own_a, own_b = owns
    only_a, only_b = (tuple(own.sum(axis=0).tolist()) for own in owns)
    # With m candidates of one method only, t of them true, a sample gives to the difference of
    # shares m_B (m t_Ai - t m_Ai) of A and m_A (m t_Bi - t m_Bi) of B: whole numbers, divided by
    # what all have in common; for m_A = m_B and lists of the same length in every sample this is
    # t_Ai and t_Bi, but for a constant that they share.
    tables = own_a.tolist(), own_b.tolist()
    m_a, m_b, t = sum(only_a), sum(only_b), only_a[0] + only_b[0]
    values: list[Any] = [[true for true, _ in own] for own in tables]
    if m_a != m_b or (own_a.sum(axis=1) != own_b.sum(axis=1)).any():
        values = [
            [m_other * ((m_a + m_b) * true - t * (true + false)) for true, false in own]
            for own, m_other in zip(tables, (m_b, m_a), strict=True)
        ]
        common = math.gcd(*(value for side in values for value in side)) or 1
        values = [[value // common for value in side] for side in values]
    if max(map(abs, (*values[0], *values[1]))) > WHOLE:
        values = [[float(value) for value in side] for side in values]
    comparison = Comparison.from_scores(
        *values, id=data.samples, unit_name="sample",
        names=(data.rankings[a].name, data.rankings[b].name),
    )  # fmt: skip
    test = randomization_test(comparison, "mean", alternative=alternative, **options)
    hits, accepted = taken.true_positives[list(places)], taken.accepted[list(places)]
    totals = accepted.sum(axis=1)
    precision = hits.sum(axis=1) / totals
    difference = float(precision[0]) - float(precision[1])
    rest = (hits - precision[:, None] * accepted) / totals[:, None]
    variance, own_freedom = _variance(rest[0] - rest[1], accepted.sum(axis=0))
    reach = math.sqrt(variance) * t_quantile(own_freedom or 1, (1 + level) / 2)
    ratio, freedom = _ratio(own_a, own_b)
    pvalue = fisher_pvalue(only_a, only_b, alternative)
    corrected = math.nan
    if not math.isnan(ratio):  # the normal deviate is divided by the ratio
        sides = 2 if alternative == "two-sided" else 1
        deviate = float(ndtri(min(pvalue, 1) / sides)) / max(1.0, ratio)
        corrected = alike(min(1.0, sides * float(stdtr(freedom, deviate))))
    ratios = []
    for right, sizes in zip(hits, accepted, strict=True):
        some, varies = sizes > 0, 0 < int(right.sum()) < int(sizes.sum())
        counts = {"true": right[some], "size": sizes[some]}
        ratios.append(validate_binomial(counts).ratio if varies else math.nan)
    return SamplePair(
        own_a=own_a,
        own_b=own_b,
        difference=difference,
        interval=(max(-1.0, difference - reach), min(1.0, difference + reach)),
        ratio=ratio,
        ratios=(ratios[0], ratios[1]),
        fisher_pvalue=pvalue,
        corrected_pvalue=corrected,
        test=test,
        comparison=comparison,
    )


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


def doubts_of_pair(
    pair: SamplePair, taken: Taken, places: tuple[int, int], names: Sequence[str], alpha: float
) -> list[str]:
    """Too few samples, and why the interval of the difference may say too much."""
    doubts = []
    least = min(1.0, (2 if pair.test.alternative == "two-sided" else 1) / 2**pair.swapped)
    if least > alpha and pair.swapped:
        doubts.append(
            f"The methods differ in {counted(pair.swapped, 'sample')} only, so p is never below "
            f"{least:g}: too few to find a difference."
        )
    if pair.interval[1] - pair.interval[0] < ROUNDING:
        doubts.append(
            "The difference does not vary between samples: its interval has no width, and says "
            "nothing."
        )
        return doubts
    for name, i in zip(names, places, strict=True):
        right, total = int(taken.true_positives[i].sum()), int(taken.accepted[i].sum())
        if min(right, total - right) < FEWEST_EXPECTED:
            doubts.append(
                f"{clean(name)}: {count(right)} of {counted(total, 'accepted candidate')} "
                f"{'is' if right == 1 else 'are'} true; with fewer than {FEWEST_EXPECTED} true or "
                "false ones the interval of the difference is rough."
            )
    return doubts
