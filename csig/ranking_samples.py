"""Whether precision varies between samples as the binomial model says (Evert 2004, section 4)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from csig.errors import InputError, shortened
from csig.probability.binomial import at_least, clopper_pearson, clopper_pearson_limits
from csig.shown import Shown
from csig.validation import between
from csig.wording import count, counted, percent, perhaps, pvalue

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["BinomialValidation", "validate_binomial"]

#: The least expected count for which the chi-square and the normal distribution are near enough.
FEWEST_EXPECTED = 5

#: Degrees of freedom at least, where one sample is nearly all.
LEAST_FREEDOM = 0.1

#: Edges of the histogram, in expected standard deviations; the ends are open.
EDGES = np.concatenate([[-np.inf], np.arange(-4, 4.5, 0.5), [np.inf]])

#: The largest count, for which the sums of `_distance` are accurate to 1e-6.
MOST = 2**31


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class BinomialValidation(Shown):
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


def _student_pvalue(deviate: float, freedom: float) -> float:
    from scipy.special import stdtr

    return min(1.0, 2 * float(stdtr(freedom, -abs(deviate))))


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
    found = float(np.abs(share - ndtr(points)).max())
    length = np.diff(points)
    slope = np.diff(share) / np.where(length > 0, length, np.inf)
    with np.errstate(divide="ignore", invalid="ignore"):  # where the line is too steep, or level
        between_ends = np.sqrt(-2 * np.log(slope * math.sqrt(2 * math.pi)))
    for place in (between_ends, -between_ends):
        inside = (points[:-1] < place) & (place < points[1:])
        line = share[:-1][inside] + slope[inside] * (place - points[:-1])[inside]
        found = max(found, float(np.abs(line - ndtr(place[inside])).max(initial=0)))
    return found, float(kstwo.sf(found, len(true)))


def _whole(values: object, what: str, least: int) -> NDArray[np.int64]:
    """Counts of every sample."""
    try:
        if np.asarray(values).dtype.kind not in "biufO":
            raise TypeError
        found = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(
            f"samples: {what} must be whole numbers, found {shortened(repr(values))}"
        ) from None
    if found.ndim != 1:
        raise InputError(f"samples: {what} must be one number per sample, found {found.ndim}-d")
    wrong = ~((found >= least) & (found <= MOST) & (np.floor(found) == found))  # NaN, too
    if wrong.any():
        i = int(np.flatnonzero(wrong)[0])
        none = least == 1 and found[i] == 0
        raise InputError(
            f"sample {count(i + 1)}: "
            + ("no candidates, so it has no precision; leave it out" if none else
               f"{what} is {found[i]:g}, expected a whole number from {least} to 2^31")
        )  # fmt: skip
    return found.astype(np.int64)


def _columns(samples: Any, true: str, size: str) -> tuple[object, object]:
    if isinstance(samples, Mapping) or hasattr(samples, "columns"):
        names = list(samples if isinstance(samples, Mapping) else samples.columns)
        for name in (true, size):
            if name not in names:
                raise InputError(
                    f"samples: no column {name!r}{perhaps(name, names)}; name the columns of true "
                    "and of all accepted candidates with true= and size="
                )
        return samples[true], samples[size]
    try:
        pairs = [(hits, size) for hits, size in samples]
    except (TypeError, ValueError):
        raise InputError(
            "samples: expected pairs (true, accepted), or a table with a column of each, found "
            f"{shortened(repr(samples))}"
        ) from None
    return [hits for hits, _ in pairs], [size for _, size in pairs]


def _counts(samples: Any, true: str, size: str) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    columns = _columns(samples, true, size)
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
    total, right = sum(sizes.tolist()), sum(hits.tolist())
    if right in (0, total):
        raise InputError(
            f"samples: {'no' if not right else 'every'} candidate is true, so precision does not "
            "vary; expected true and false ones"
        )
    return hits, sizes


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
    By the model a sample of N accepted candidates has k true ones, binomial with the true precision
    pi; its precision has the standard deviation sqrt(pi (1 - pi) / N). Samples are taken for
    independent of each other.

    *Dispersion.* With p the pooled precision, X2 is the sum of (k - N p)^2 / (N p (1 - p)) over the
    m samples. The ratio of the standard deviations is sqrt(X2 / (m - 1)), whose observed one is
    weighted by size; for samples of equal size it is the usual one. By the model X2 has a
    chi-square distribution with m - 1 degrees of freedom, if no expected count is below 5. The
    interval of the ratio divides X2 by its quantiles: it assumes near-normal precisions whose
    variance has the same factor in every sample. The interval is two-sided and p one-sided, so that
    one may say that the model is right where the other does not; `ratio_bound` goes with p.

    *Kolmogorov's test* compares (k - N pi) / sqrt(N pi (1 - pi)) with the standard normal
    distribution. Counts are discrete, and without a correction the test rejects a true model far
    too often. So every count k is spread evenly from k - 1/2 to k + 1/2. With this, and more so if
    pi is the pooled precision, p is somewhat too large.

    *Coverage.* Misses of Clopper-Pearson intervals are counted and tested one-sided, each with
    probability 1 - `confidence_level`. These intervals miss less often than that, so the
    test finds too little rather than too much.

    *Correction.* `corrected_interval` and `corrected_pvalue` take the variance of the pooled
    precision from the samples: the sum of (k - N p)^2, divided by the squared sum of the N and by
    1 - 1 / e, but at least the binomial one. Here e is the squared sum of the N, divided by the sum
    of their squares: as many samples of one size tell as much, and with one size e is m. Student's
    distribution with e - 1 degrees of freedom takes the place of the normal one. So the variance of
    large samples may have another factor than that of small ones, as it has where candidates of a
    sample are correlated. For samples of one size all of this is quasi-binomial scaling: every
    variance is multiplied by `ratio`^2.

    References
    ----------
    S. Evert (2004), "Significance tests for the evaluation of ranking methods", COLING, section 4;
    P. McCullagh and J. A. Nelder (1989), "Generalized Linear Models", section 4.5.

    Examples
    --------
    >>> import csig
    >>> samples = [(20, 100), (35, 100), (24, 100), (41, 100), (15, 100), (27, 100)]
    >>> found = csig.validate_binomial(samples)
    >>> round(found.expected_sd, 4), round(found.observed_sd, 4), round(found.ratio, 2)
    (0.0444, 0.0961, 2.17)
    >>> found.misses, round(found.corrected(0.01), 3)
    (2, 0.288)
    """
    level = between("confidence_level", confidence_level)
    hits, sizes = _counts(samples, true, size)
    truth = None if precision is None else between("precision", precision)
    return _validated(hits, sizes, truth, level)


def _validated(
    hits: NDArray[np.int64], sizes: NDArray[np.int64], given: float | None, level: float
) -> BinomialValidation:
    from scipy.special import chdtrc, chdtri, ndtr, stdtrit

    right, total, freedom = sum(hits.tolist()), sum(sizes.tolist()), len(sizes) - 1
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
    pooled_ratio, effective = _pooled_ratio(hits, sizes, pooled)
    factor, own_freedom = max(1.0, pooled_ratio), max(LEAST_FREEDOM, effective - 1)
    reach = float(stdtrit(own_freedom, 1 - tail)) * factor
    reach *= math.sqrt(pooled * (1 - pooled) / total)
    deviate = (right - total * truth) / math.sqrt(total * truth * (1 - truth))
    least = float(sizes.min()) * min(pooled, 1 - pooled)
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
        ratio_interval=(
            math.sqrt(dispersion / float(chdtri(freedom, tail))),
            math.sqrt(dispersion / float(chdtri(freedom, 1 - tail))),
        ),
        ratio_bound=math.sqrt(dispersion / float(chdtri(freedom, 1 - level))),
        pooled_ratio=pooled_ratio,
        dispersion=dispersion,
        dispersion_pvalue=float(chdtrc(freedom, dispersion)),
        kolmogorov=distance,
        kolmogorov_pvalue=distance_pvalue,
        low=low,
        high=high,
        misses=misses,
        misses_pvalue=at_least(misses, len(sizes), 1 - level),
        pvalue=math.nan if given is None else 2 * float(ndtr(-abs(deviate))),
        corrected_pvalue=(
            math.nan if given is None else _student_pvalue(deviate / factor, own_freedom)
        ),
        edges=EDGES.copy(),
        counts=np.diff(np.searchsorted(np.sort(own), EDGES)),
        expected_counts=len(sizes) * np.diff(ndtr(EDGES)),
        confidence_level=level,
        doubts=_doubts(least, dispersion, effective, len(sizes)),
    )


def _pooled_ratio(
    true: NDArray[np.int64], sizes: NDArray[np.int64], pooled: float
) -> tuple[float, float]:
    """Observed by expected standard deviation of the pooled precision, and effective samples."""
    share = sizes / float(sizes.sum())
    effective = 1 / float((share**2).sum())
    rest = true - sizes * pooled
    observed = float((rest**2).sum()) / (1 - 1 / effective if effective > 1 else LEAST_FREEDOM)
    return math.sqrt(observed / (float(sizes.sum()) * pooled * (1 - pooled))), effective


def _doubts(least: float, dispersion: float, effective: float, samples: int) -> tuple[str, ...]:
    found = []
    if least < FEWEST_EXPECTED:
        found.append(
            f"The least expected count is {least:.3g}, below {FEWEST_EXPECTED}: the dispersion and "
            "the Kolmogorov test are rough."
        )
    if not dispersion:
        found.append(
            "All samples have the same precision: the ratio of the standard deviations is 0, and "
            "its interval says nothing."
        )
    if effective < samples / 2:
        found.append(
            f"Sizes are very unequal: together they tell as much as {effective:.3g} samples of one "
            "size. The corrected interval is rough."
        )
    return tuple(found)
