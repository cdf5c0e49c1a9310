"""Tests that assume the two systems are independent, and what that costs: Yeh (2000), section 2.

Two systems run on the same test data are seldom independent: what is easy for one is easy for
the other. Tests for two independent samples then overestimate how much the difference varies,
and miss real differences. They are here for comparison; the tests that csig recommends,
:func:`csig.randomization_test` first, do not assume independence.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

from csig import metrics
from csig.comparison import Comparison
from csig.dependence import ItemSums, dependence_of, item_sums
from csig.docs import documented
from csig.errors import InputError
from csig.paired import normal_pvalue, t_pvalue
from csig.tested import TestResult
from csig.validation import Alternative, checked, instance
from csig.wording import pvalue

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "chi_square_test",
    "independent_t_test",
    "proportions_test",
]

#: Metrics that are the share of right, or wrong, items among countable ones.
PROPORTIONS = ("recall", "precision", "accuracy", "error_rate", "specificity")

_SAME_DATA = (
    "Both systems ran on the same data, so their results are usually positively correlated, and "
    "the test then misses differences (Yeh 2000, section 2)."
)

#: Forms that the line of a result names.
_NAMED = {"Welch": ", Welch", "unpooled": ", unpooled", "Yates": ", Yates"}


def _result(
    comparison: Comparison,
    test: str,
    variant: str,
    metric: str,
    statistic: float,
    p: float,
    df: float | None,
    alternative: Alternative,
    assumes: str,
    sums: ItemSums | None = None,
) -> TestResult:
    """A result with what r12 says about its assumption."""
    found = dependence_of(comparison, metric, sums)
    name = {"t": "t", "proportions": "z"}.get(test, test)
    shown = "undefined" if math.isnan(p) else pvalue(p)
    return TestResult(
        test=test,
        statistic=statistic,
        pvalue=p,
        alternative=alternative,
        assumes=f"{assumes} {_SAME_DATA}",
        degrees_of_freedom=df,
        details={
            "metric": metric,
            "variant": variant,
            "r12": found.r12,
            "r12_interval": found.interval,
            "cost": found.cost,
            "dependence": found.sentence,
        },
        names=comparison.names,
        line=f"{metric}: {name} = {statistic:.4g}, p = {shown} "
        f"({test} test{_NAMED.get(variant, '')})",
    )


@documented
def independent_t_test(
    comparison: Comparison,
    *,
    equal_variances: bool = True,
    alternative: Alternative = "two-sided",
) -> TestResult:
    """The t test of two independent samples on the items: Student's, or Welch's.

    Parameters
    ----------
    comparison : Comparison
        Both systems on the same test data, with the results on single items known (see
        :func:`correlation`).
    equal_variances : bool
        Whether the systems are assumed to have the same variance, as in Yeh (2000): Student's test.
        False is Welch's test.
    %(alternative)s

    Returns
    -------
    TestResult
        With `degrees_of_freedom`, an integer but for Welch's t; `metric`; `variant`, "Student" or
        "Welch"; `r12`, the correlation of the systems' results on these items, which the test takes
        for 0 (:func:`csig.correlation`): NaN where it is not defined, None where the results on
        single items are not known; `r12_interval`, at 95%; `cost`, the factor by which assuming
        r12 = 0 inflates the standard deviation of the difference (:func:`csig.independence_cost`),
        None where the metric is not the mean of the items' results, as precision; `dependence`,
        what r12 says about the assumption on these data, in a sentence.

    Raises
    ------
    InputError
        The results on single items are not known, or there are fewer than two.

    Notes
    -----
    Yeh (2000), section 2.1. Both samples have n items, so that both tests have the same t.
    Student's has 2 n - 2 degrees of freedom, Welch's (n - 1) (s1^2 + s2^2)^2 / (s1^4 + s2^4),
    which is between n - 1 and that. If neither system varies, t is infinite, or NaN if they also
    have the same mean, and Welch's test has 2 n - 2 degrees, too.

    References
    ----------
    Welch, B. L. (1947). The generalization of "Student's" problem when several different population
    variances are involved. Biometrika 34.

    Examples
    --------
    The recalls of Yeh's example; a matched-pair t test gives 4.04.

    >>> import csig
    >>> c = csig.Comparison.from_counts(gold=103, both_correct=19, only_a_correct=28,
    ...     only_b_correct=6, both_spurious=5, only_a_spurious=43, only_b_spurious=9)
    >>> result = csig.independent_t_test(c)
    >>> round(result.statistic, 4), round(result.pvalue, 7), result.degrees_of_freedom
    (3.2824, 0.0012108, 204)
    >>> round(result.r12, 2), round(result.cost, 2)
    (0.35, 1.23)
    >>> round(csig.independent_t_test(c, equal_variances=False).degrees_of_freedom, 2)
    199.58
    """
    sums = item_sums(instance("comparison", comparison, Comparison))
    checked(alternative, equal_variances=equal_variances)
    if sums.n < 2:
        raise InputError(f"comparison: a t test needs at least two items, found {sums.n}")
    difference = sums.a - sums.b
    a, b = sums.variances
    spread = a + b
    df: float = 2 * sums.n - 2
    if not equal_variances:  # Welch and Satterthwaite, for n items of each system
        df = float(Fraction((sums.n - 1) * spread**2, a * a + b * b)) if spread else float(df)
    if spread:
        square = Fraction(difference**2 * (sums.n - 1), spread)
        t = math.copysign(math.sqrt(square), difference)
    else:
        t = math.copysign(math.inf, difference) if difference else math.nan
    same = ", with the same variance and items" if equal_variances else ", with items"
    return _result(
        comparison,
        "t",
        "Student" if equal_variances else "Welch",
        sums.metric,
        t,
        t_pvalue(t, df, alternative),
        df,
        alternative,
        f"That the systems' results are two independent samples{same} that are independent of each "
        f"other.",
        sums,
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


def _chi_square(
    a: tuple[int, int], b: tuple[int, int], continuity: bool = False
) -> tuple[float, int]:
    """Of the 2 x 2 table, and the sign of A minus B."""
    (right_a, all_a), (right_b, all_b) = a, b
    right, n = right_a + right_b, all_a + all_b
    cross = right_a * all_b - right_b * all_a
    margins = all_a * all_b * right * (n - right)
    if not margins:
        return math.nan, cross
    own = Fraction(abs(cross))
    nearer = own - min(Fraction(n, 2), own) if continuity else own
    return float(n * nearer**2 / margins), cross


def _unpooled(a: tuple[int, int], b: tuple[int, int]) -> float:
    """The statistic with each proportion's own variance."""
    (right_a, all_a), (right_b, all_b) = a, b
    difference = Fraction(right_a, all_a) - Fraction(right_b, all_b)
    variance = sum(Fraction(right * (whole - right), whole**3) for right, whole in (a, b))
    if not variance:
        return math.copysign(math.inf, difference) if difference else math.nan
    return math.copysign(math.sqrt(difference**2 / variance), difference)


@documented
def proportions_test(
    comparison: Comparison,
    metric: str = "recall",
    *,
    pooled: bool = True,
    alternative: Alternative = "two-sided",
) -> TestResult:
    """The z test for the difference of two proportions, as if the systems were independent.

    Parameters
    ----------
    %(comparison)s
    metric : {"recall", "precision", "accuracy", "error_rate", "specificity"}
        The proportions.
    pooled : bool
        Whether the standard error is that of the common proportion, as the null hypothesis has it.
        False: of each system's own, as in a confidence interval (Wald's test).
    %(alternative)s

    Returns
    -------
    TestResult
        As of :func:`independent_t_test`; `variant` is "pooled" or "unpooled".

    Raises
    ------
    InputError
        If the metric is not a proportion, or its denominator is zero.

    Notes
    -----
    z = (p1 - p2) / sqrt(p (1 - p) (1 / n1 + 1 / n2)) with the common proportion p, against
    the normal distribution. Its square is the chi-square of :func:`chi_square_test`. NaN
    where p is 0 or 1. Unpooled the root is of p1 (1 - p1) / n1 + p2 (1 - p2) / n2; then z
    is infinite where one proportion is 0 and the other 1. `cost` is that of the unpooled one.

    Examples
    --------
    >>> import csig
    >>> c = csig.Comparison.from_counts(gold=103, both_correct=19, only_a_correct=28,
    ...     only_b_correct=6, both_spurious=5, only_a_spurious=43, only_b_spurious=9)
    >>> result = csig.proportions_test(c, "recall")
    >>> round(result.statistic, 4), round(result.pvalue, 7)
    (3.2147, 0.0013059)
    >>> round(csig.proportions_test(c, "recall", pooled=False).statistic, 4)
    3.2985
    """
    name, a, b = _table(comparison, metric)
    checked(alternative, pooled=pooled)
    square, sign = _chi_square(a, b)
    z = math.copysign(math.sqrt(square), sign) if pooled else _unpooled(a, b)
    return _result(
        comparison,
        "proportions",
        "pooled" if pooled else "unpooled",
        name,
        z,
        normal_pvalue(z, alternative),
        None,
        alternative,
        "That the two proportions come from independent samples, large enough for the normal "
        "distribution.",
    )


@documented
def chi_square_test(
    comparison: Comparison, metric: str = "precision", *, continuity: bool = False
) -> TestResult:
    """The chi-square test on a 2 x 2 table, as if the systems were independent.

    Parameters
    ----------
    %(comparison)s
    metric : str
        What is counted, as in :func:`proportions_test`. By default the correct responses R and
        the spurious ones S of both systems, as in Yeh (2000), section 2.2.
    continuity : bool
        Whether to correct for continuity (Yates 1934), as scipy and R do by default. The paper does
        not.

    Returns
    -------
    TestResult
        As of :func:`independent_t_test`; `variant` is "uncorrected" or "Yates".

    Raises
    ------
    InputError
        If the metric is not a proportion, or its denominator is zero.

    Notes
    -----
    One degree of freedom, always two-sided. NaN where both systems have only correct responses, or
    only wrong ones. Yates's correction moves every count by 1/2 towards what is expected, or less
    where it is nearer.

    Examples
    --------
    >>> import csig
    >>> c = csig.Comparison.from_counts(gold=103, both_correct=19, only_a_correct=28,
    ...     only_b_correct=6, both_spurious=5, only_a_spurious=43, only_b_spurious=9)
    >>> result = csig.chi_square_test(c)
    >>> round(result.statistic, 7), round(result.pvalue, 7)
    (2.3800768, 0.1228915)
    >>> round(csig.chi_square_test(c, continuity=True).statistic, 4)
    1.828
    """
    from scipy.special import chdtrc

    name, a, b = _table(comparison, metric)
    checked(continuity=continuity, method="asymptotic")
    square, _ = _chi_square(a, b, continuity)
    return _result(
        comparison,
        "chi-square",
        "Yates" if continuity else "uncorrected",
        name,
        square,
        float(chdtrc(1, square)),
        1,
        "two-sided",
        "That all counts are independent, also those of the two systems, and large enough for the "
        "chi-square distribution.",
    )
