"""Tests that assume the two systems are independent, and what that costs: Yeh (2000), section 2.

Two systems run on the same test data are seldom independent: what is easy for one is easy for
the other. Tests for two independent samples then overestimate how much the difference varies,
and miss real differences. They are here for comparison; the tests that csig recommends,
:func:`csig.randomization_test` first, do not assume independence.
"""

from __future__ import annotations

import math
import numbers
from dataclasses import dataclass
from fractions import Fraction
from operator import mul
from typing import TYPE_CHECKING, NamedTuple, overload

from csig import metrics
from csig.comparison import Comparison
from csig.data.items import Tables
from csig.data.responses import RecordedResponses, UniqueResponses
from csig.errors import InputError
from csig.shown import Shown
from csig.validation import Alternative, check_alternative, instance
from csig.wording import first_few, pvalue

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "IndependentTestResult",
    "chi_square_test",
    "correlation",
    "independence_cost",
    "independent_t_test",
    "proportions_test",
]

#: Metrics that are the share of right, or wrong, items among countable ones.
PROPORTIONS = ("recall", "precision", "accuracy", "error_rate", "specificity")

_SAME_DATA = (
    "Both systems ran on the same data, so their results are usually positively correlated, and "
    "the test then misses differences (Yeh 2000, section 2)."
)


@dataclass(frozen=True, kw_only=True, repr=False)
class IndependentTestResult(Shown):
    """The result of a test that assumes independent samples.

    Attributes
    ----------
    test : str
        "t", "proportions" or "chi-square".
    metric : str
        What was compared.
    statistic : float
        t, z or chi-square. NaN where nothing varies and nothing differs.
    pvalue : float
        NaN where the statistic is.
    df : int or None
        Degrees of freedom; z has none.
    alternative : str
        "two-sided", "less" or "greater", of A minus B.
    assumes : str
        What the test assumes, in plain words.
    """

    test: str
    metric: str
    statistic: float
    pvalue: float
    df: int | None
    alternative: Alternative
    assumes: str

    def _line(self) -> str:
        name = {"t": "t", "proportions": "z"}.get(self.test, self.test)
        p = "undefined" if math.isnan(self.pvalue) else pvalue(self.pvalue)
        return f"{self.metric}: {name} = {self.statistic:.4g}, p = {p} ({self.test} test)"


class _ItemSums(NamedTuple):
    """Over all items, exactly: their number, both systems' results, squares and products.

    >>> _ItemSums("recall", n=4, a=2, b=1, aa=2, bb=1, ab=1).covariance
    2
    """

    metric: str  # what the mean of the results is
    n: int
    a: int
    b: int
    aa: int
    bb: int
    ab: int

    @property
    def variances(self) -> tuple[int, int]:
        """Of A's and B's results, times n squared."""
        return self.n * self.aa - self.a**2, self.n * self.bb - self.b**2

    @property
    def covariance(self) -> int:
        """Times n squared."""
        return self.n * self.ab - self.a * self.b


def _item_sums(comparison: Comparison) -> _ItemSums:
    """The sums over a comparison's items, whatever units are swapped."""
    source = comparison._source
    if isinstance(source, Tables):
        if source.results is None:
            raise InputError(
                f"comparison: needs the result on every single item (responses, labels, scores, "
                f"or counts with at most one gold element or one item per unit); its units have "
                f"{first_few(comparison.columns)}"
            )
        metric, *results = source.results
        a, b = (of_system.tolist() for of_system in results)
        products = [sum(map(mul, x, y)) for x, y in ((a, a), (b, b), (a, b))]
        return _ItemSums(metric, len(a), sum(a), sum(b), *products)
    if isinstance(source, (UniqueResponses, RecordedResponses)):
        only_a = source.counts["only_a_correct"]
    else:
        only_a = comparison.responses[0].only_a
    found_a, found_b, gold = comparison.sums_a[0], comparison.sums_b[0], comparison.sums_a[2]
    return _ItemSums("recall", gold, found_a, found_b, found_a, found_b, found_a - only_a)


def correlation(comparison: Comparison) -> float:
    """The correlation between two systems' results, r12: Yeh (2000), section 2.1.

    Parameters
    ----------
    comparison : Comparison
        Both systems on the same test data. The unit that is swapped does not matter: the
        correlation is always over single items.

    Returns
    -------
    float
        From -1 to 1. NaN if it is not defined: a system has the same result on all items (it
        found all of the gold, or nothing), or there are no items.

    Raises
    ------
    InputError
        If the results on single items are unknown: counts over several items per unit, such as
        the correct responses of a document, do not say which items match.

    Notes
    -----
    Over the elements of the gold, each found or not by A and by B, it is the phi coefficient
    of the 2 x 2 table (found by both, by A only, by B only, by neither). That applies to
    responses, to labels with ``positive=``, and to counts with at most one element of the gold
    in a unit. Otherwise it is Pearson's over the units' scores, or over items that are correct
    (1) or not (0). Sums are exact integers; the quotient is rounded once, before its square root
    is taken.

    Examples
    --------
    >>> import csig
    >>> c = csig.Comparison.from_counts(gold=103, both_correct=19, only_a_correct=28,
    ...     only_b_correct=6, both_spurious=5, only_a_spurious=43, only_b_spurious=9)
    >>> round(csig.correlation(c), 6)
    0.345181
    >>> csig.correlation(csig.Comparison.from_scores([0.2, 0.4, 0.9], [0.1, 0.3, 0.8]))
    1.0
    """
    sums = _item_sums(instance("comparison", comparison, Comparison))
    variance_a, variance_b = sums.variances
    if not variance_a or not variance_b:
        return math.nan
    # By Cauchy and Schwarz the square is at most 1, and so is what it is rounded to.
    square = Fraction(sums.covariance**2, variance_a * variance_b)
    return math.copysign(math.sqrt(square), sums.covariance)


@overload
def independence_cost(comparison: Comparison, /) -> float: ...


@overload
def independence_cost(r12: float, /, sd_a: float = ..., sd_b: float = ...) -> float: ...


def independence_cost(
    comparison: Comparison | float, /, sd_a: float | None = None, sd_b: float | None = None
) -> float:
    """The factor by which assuming independence inflates the difference's standard deviation.

    Parameters
    ----------
    comparison : Comparison or float
        Both systems on the same test data, with the results on single items known (see
        :func:`correlation`); or their correlation r12.
    sd_a, sd_b : float, optional
        With r12: the systems' standard deviations, or anything proportional to them. By
        default they are equal.

    Returns
    -------
    float
        sqrt((s1^2 + s2^2) / (s1^2 + s2^2 - 2 r12 s1 s2)); with equal standard deviations
        1 / sqrt(1 - r12). Below 1 for a negative correlation; infinite where the difference
        does not vary but the systems do; NaN where neither system varies.

    Raises
    ------
    InputError
        r12 is not from -1 to 1, or a standard deviation is negative or not finite.

    Notes
    -----
    Yeh (2000), section 2.1: multiplying the t of the independent test by this factor gives that
    of the matched-pair test, except for the degrees of freedom.

    Examples
    --------
    >>> import csig
    >>> [round(csig.independence_cost(r12), 2) for r12 in (0.38, 0.50, 0.80)]
    [1.27, 1.41, 2.24]
    >>> c = csig.Comparison.from_counts(gold=103, both_correct=19, only_a_correct=28,
    ...     only_b_correct=6, both_spurious=5, only_a_spurious=43, only_b_spurious=9)
    >>> round(csig.independence_cost(c), 4)
    1.2322
    """
    if isinstance(comparison, Comparison):
        if sd_a is not None or sd_b is not None:
            raise InputError("sd_a, sd_b: a comparison has its own standard deviations")
        sums = _item_sums(comparison)
        both = Fraction(sum(sums.variances))
        apart = both - 2 * sums.covariance
    else:
        r12 = _number("r12", comparison, -1, 1)
        s_a, s_b = (
            Fraction(1) if sd is None else _number(name, sd, 0, math.inf)
            for name, sd in (("sd_a", sd_a), ("sd_b", sd_b))
        )
        both = s_a**2 + s_b**2
        apart = both - 2 * r12 * s_a * s_b
    if not both:
        return math.nan
    return math.sqrt(both / apart) if apart else math.inf


def _number(name: str, value: object, low: float, high: float) -> Fraction:
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise InputError(f"{name} must be a number, found {value!r}")
    number = float(value)
    if not math.isfinite(number) or not low <= number <= high:
        limits = f"from {low} to {high}" if math.isfinite(high) else f"at least {low}"
        raise InputError(f"{name} must be {limits}, found {value!r}")
    return Fraction(number)


def _p_of_tails(below: float, above: float, alternative: Alternative) -> float:
    """From the probabilities of at most, and of at least, a statistic."""
    if alternative == "two-sided":
        return 2 * min(below, above, 0.5)  # NaN stays NaN
    return below if alternative == "less" else above


def independent_t_test(
    comparison: Comparison, *, alternative: Alternative = "two-sided"
) -> IndependentTestResult:
    """Student's two-sample t test on the items, as if the systems were independent.

    Parameters
    ----------
    comparison : Comparison
        Both systems on the same test data, with the results on single items known (see
        :func:`correlation`).
    alternative : {"two-sided", "less", "greater"}
        Of A minus B.

    Raises
    ------
    InputError
        The results on single items are not known, or there are fewer than two.

    Notes
    -----
    Yeh (2000), section 2.1. With n items in each sample and a common variance there are
    2 n - 2 degrees of freedom. If neither system varies, t is infinite, or NaN if they also
    have the same mean.

    Examples
    --------
    The recalls of Yeh's example; a matched-pair t test gives 4.04.

    >>> import csig
    >>> c = csig.Comparison.from_counts(gold=103, both_correct=19, only_a_correct=28,
    ...     only_b_correct=6, both_spurious=5, only_a_spurious=43, only_b_spurious=9)
    >>> result = csig.independent_t_test(c)
    >>> round(result.statistic, 4), round(result.pvalue, 7), result.df
    (3.2824, 0.0012108, 204)
    """
    from scipy.special import stdtr

    sums = _item_sums(instance("comparison", comparison, Comparison))
    check_alternative(alternative)
    if sums.n < 2:
        raise InputError(f"comparison: a t test needs at least two items, found {sums.n}")
    difference, df = sums.a - sums.b, 2 * sums.n - 2
    spread = sum(sums.variances)
    if spread:
        square = Fraction(difference**2 * (sums.n - 1), spread)
        t = math.copysign(math.sqrt(square), difference)
    else:
        t = math.copysign(math.inf, difference) if difference else math.nan
    return IndependentTestResult(
        test="t",
        metric=sums.metric,
        statistic=t,
        pvalue=_p_of_tails(float(stdtr(df, t)), float(stdtr(df, -t)), alternative),
        df=df,
        alternative=alternative,
        assumes="That the systems' results are two independent samples, with the same variance "
        f"and items that are independent of each other. {_SAME_DATA}",
    )


def _table(comparison: Comparison, metric: str) -> tuple[str, tuple[int, int], tuple[int, int]]:
    """The metric's name, and (right, all) of A and of B."""
    name = metric.strip().lower().replace("-", "_") if isinstance(metric, str) else None
    if name not in PROPORTIONS:
        raise InputError(
            f"metric must be a proportion, one of {', '.join(PROPORTIONS)}; found {metric!r}"
        )
    wanted = metrics.get(name, instance("comparison", comparison, Comparison).columns)
    wanted.check_columns(comparison.columns)

    def parts(sums: Mapping[str, int]) -> tuple[int, int]:
        right, whole = (
            sum(w * sums[c] for c, w in weights.items()) for weights in wanted.integer_weights
        )
        return right, whole

    a, b = (parts(comparison.sums(system)) for system in "ab")
    for system, (right, whole) in (("a", a), ("b", b)):
        if not whole:
            raise InputError(f"metric {name!r}: system {system} has nothing to take a share of")
        if not 0 <= right <= whole:
            raise InputError(f"metric {name!r}: {right} of {whole} is not a proportion")
    return name, a, b


def _chi_square(a: tuple[int, int], b: tuple[int, int]) -> tuple[float, int]:
    """Of the 2 x 2 table without Yates's correction, and the sign of A minus B."""
    (right_a, all_a), (right_b, all_b) = a, b
    right, n = right_a + right_b, all_a + all_b
    cross = right_a * all_b - right_b * all_a
    margins = all_a * all_b * right * (n - right)
    return (n * cross**2 / margins if margins else math.nan), cross


def proportions_test(
    comparison: Comparison, metric: str = "recall", *, alternative: Alternative = "two-sided"
) -> IndependentTestResult:
    """The z test for the difference of two proportions, as if the systems were independent.

    Parameters
    ----------
    comparison : Comparison
        Both systems on the same test data.
    metric : {"recall", "precision", "accuracy", "error_rate", "specificity"}
        The proportions.
    alternative : {"two-sided", "less", "greater"}
        Of A minus B.

    Raises
    ------
    InputError
        If the metric is not a proportion, or its denominator is zero.

    Notes
    -----
    z = (p1 - p2) / sqrt(p (1 - p) (1 / n1 + 1 / n2)) with the common proportion p, against
    the normal distribution. Its square is the chi-square of :func:`chi_square_test`. NaN
    where p is 0 or 1.

    Examples
    --------
    >>> import csig
    >>> c = csig.Comparison.from_counts(gold=103, both_correct=19, only_a_correct=28,
    ...     only_b_correct=6, both_spurious=5, only_a_spurious=43, only_b_spurious=9)
    >>> result = csig.proportions_test(c, "recall")
    >>> round(result.statistic, 4), round(result.pvalue, 7)
    (3.2147, 0.0013059)
    """
    from scipy.special import ndtr

    name, a, b = _table(comparison, metric)
    check_alternative(alternative)
    square, sign = _chi_square(a, b)
    z = math.copysign(math.sqrt(square), sign)
    return IndependentTestResult(
        test="proportions",
        metric=name,
        statistic=z,
        pvalue=_p_of_tails(float(ndtr(z)), float(ndtr(-z)), alternative),
        df=None,
        alternative=alternative,
        assumes="That the two proportions come from independent samples, large enough for the "
        f"normal distribution. {_SAME_DATA}",
    )


def chi_square_test(comparison: Comparison, metric: str = "precision") -> IndependentTestResult:
    """The chi-square test on a 2 x 2 table, as if the systems were independent.

    Parameters
    ----------
    comparison : Comparison
        Both systems on the same test data.
    metric : str
        What is counted, as in :func:`proportions_test`. By default the correct responses R and
        the spurious ones S of both systems, as in Yeh (2000), section 2.2.

    Notes
    -----
    Without Yates's correction; one degree of freedom, always two-sided. NaN where both
    systems have only correct responses, or only wrong ones.

    Examples
    --------
    >>> import csig
    >>> c = csig.Comparison.from_counts(gold=103, both_correct=19, only_a_correct=28,
    ...     only_b_correct=6, both_spurious=5, only_a_spurious=43, only_b_spurious=9)
    >>> result = csig.chi_square_test(c)
    >>> round(result.statistic, 7), round(result.pvalue, 7)
    (2.3800768, 0.1228915)
    """
    from scipy.special import chdtrc

    name, a, b = _table(comparison, metric)
    square, _ = _chi_square(a, b)
    return IndependentTestResult(
        test="chi-square",
        metric=name,
        statistic=square,
        pvalue=float(chdtrc(1, square)),
        df=1,
        alternative="two-sided",
        assumes="That all counts are independent, also those of the two systems, and large "
        f"enough for the chi-square distribution. {_SAME_DATA}",
    )
