"""Classical tests on matched pairs: sign test, t test, McNemar's test.

The Wilcoxon test is in :mod:`csig.signed_ranks`, and the tests on the folds of a cross-validation
are in :mod:`csig.folds`; docs/paired.md compares them all.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Literal, get_args

import numpy as np

from csig.comparison import Comparison
from csig.differences import check_binary, differences_of, moments
from csig.docs import documented
from csig.errors import InputError
from csig.metrics import Metric
from csig.probability.binomial import at_least, at_most
from csig.probability.student import t_quantile
from csig.tested import TestResult
from csig.validation import Alternative, between, checked, one_of, positive
from csig.wording import count, counted, pvalue

__all__ = [
    "McNemarMethod",
    "mcnemar_test",
    "normal_pvalue",
    "paired_t_test",
    "sign_test",
    "sign_test_critical",
    "sign_test_pvalue",
    "t_pvalue",
]

#: How a McNemar test finds its p-value.
McNemarMethod = Literal["exact", "mid-p", "asymptotic"]

#: What the exact tests assume of a unit, and of an item.
_FAIR = (
    "The {0}s are independent, and under the null hypothesis {1} which the systems differ is as "
    "likely to favor one as the other"
)


@documented
def sign_test(
    comparison: Comparison,
    metric: str | Metric | None = None,
    *,
    alternative: Alternative = "two-sided",
) -> TestResult:
    """The exact sign test: in how many units is A better, in how many B?

    Parameters
    ----------
    %(comparison)s
    %(pair_metric)s
    alternative : {"two-sided", "less", "greater"}
        "greater": A's score is greater more often.

    Returns
    -------
    TestResult
        The statistic is `n_a`, the units in which A's score is greater, which is Binomial(n_a +
        n_b, 1/2) under the null hypothesis; with `n_b`, those in which B's is, `metric` and `unit`;
        and `midp`, for which outcomes as extreme as the observed one count half: it is smaller than
        `pvalue`, and its error rate is rarely above the nominal one, but it can be (Fagerland,
        Lydersen and Laake 2013).

    Raises
    ------
    InputError
        If the metric's denominator differs, as that of precision or F1 does: give the units' own
        scores to ``Comparison.from_scores``. Or if the metric is unknown or has no weights.

    Notes
    -----
    Yeh (2000), section 3.1. For single responses it tests the correct ones that only A or only B
    found: McNemar's exact test on the gold, and the same number as the randomization test on
    recall. For units it looks only at the sign of each difference, and scores that differ in
    their last digit do differ.

    Examples
    --------
    %(yeh)s
    >>> result = csig.sign_test(c)
    >>> result.n_a, result.n_b, round(result.pvalue, 9)
    (28, 6, 0.000195126)
    """
    checked(alternative)
    own = differences_of(comparison, metric)
    n_a, n_b = own.signs
    p = sign_test_pvalue(n_a, n_b, alternative)
    a, b = own.names
    better = f"{a} is better on {counted(n_a, own.unit)}, {b} on {count(n_b)}"
    return TestResult(
        test="sign",
        statistic=n_a,
        pvalue=p,
        alternative=alternative,
        assumes=f"{_FAIR.format('unit', 'a unit in')}; how much they differ does not count.",
        details=own.named | {"n_a": n_a, "n_b": n_b, "midp": _midp(n_a, n_b, alternative)},
        names=own.names,
        line=f"{own.metric.name}: {better}, p = {pvalue(p)}",
    )


def sign_test_pvalue(only_a: int, only_b: int, alternative: Alternative = "two-sided") -> float:
    """Of the exact sign test: ``only_a`` is Binomial(only_a + only_b, 1/2) (Yeh 2000, section 3.1).

    >>> round(sign_test_pvalue(28, 6), 9)
    0.000195126
    """
    n = only_a + only_b
    if alternative == "greater":
        return at_least(only_a, n, 0.5)
    if alternative == "less":
        return at_most(only_a, n, 0.5)
    return min(1.0, 2 * at_most(min(only_a, only_b), n, 0.5))


def _midp(only_a: int, only_b: int, alternative: Alternative) -> float:
    """P(X <= k) - P(X = k) / 2, without a difference of them; two-sided of both tails."""
    n = only_a + only_b
    if not n:
        return 1.0
    if alternative == "two-sided" and only_a == only_b:  # the middle is one outcome, not two
        return 1.5 - at_most(only_a, n, 0.5)
    k = {"two-sided": min(only_a, only_b), "less": only_a, "greater": only_b}[alternative]
    both = at_most(k, n, 0.5) + (at_most(k - 1, n, 0.5) if k else 0.0)
    return min(1.0, both if alternative == "two-sided" else both / 2)


def sign_test_critical(n: int, alpha: float = 0.05, alternative: Alternative = "two-sided") -> int:
    """The largest number of losses that is still significant in a sign test.

    Parameters
    ----------
    n : int
        Units in which the systems differ.
    alpha : float
        The level.
    alternative : {"two-sided", "less", "greater"}
        Of one-sided tests both have the same number: of losses of the system that should win.

    Returns
    -------
    int
        -1 if even no loss is not significant.

    Examples
    --------
    At 0.10, of 5 to 25 data sets:

    >>> [sign_test_critical(n, 0.10) for n in range(5, 26)]
    [0, 0, 0, 1, 1, 1, 2, 2, 3, 3, 3, 4, 4, 5, 5, 5, 6, 6, 7, 7, 7]
    """
    positive("n", n, 2**53)
    between("alpha", alpha)
    checked(alternative)
    sides = 2 if alternative == "two-sided" else 1
    low, high = -1, (n + 1) // 2  # significant, and not
    while high - low > 1:
        middle = (low + high) // 2
        if sides * at_most(middle, n, 0.5) <= alpha:
            low = middle
        else:
            high = middle
    return low


@documented
def paired_t_test(
    comparison: Comparison,
    metric: str | Metric | None = None,
    *,
    alternative: Alternative = "two-sided",
    confidence_level: float = 0.95,
) -> TestResult:
    """The paired t test on the differences of all units.

    Parameters
    ----------
    %(comparison)s
    %(pair_metric)s
    %(alternative)s
    %(confidence_level)s

    Returns
    -------
    TestResult
        With `difference`, `degrees_of_freedom`, `standard_error`, `interval`, `confidence_level`,
        `metric`, `unit` and `n_units`. t = 0 and p = 1 if no unit differs.

    Raises
    ------
    InputError
        An argument cannot be used, there are fewer than two units, or all have the same
        difference: then t is infinite.

    Notes
    -----
    Yeh (2000), section 2.1. With d_i what unit i adds to the difference of the scores,
    t = sum d / sqrt(n s^2), s the standard deviation of the d_i, and n - 1 degrees of freedom.
    Of recall over documents d_i is the documents' difference in correct responses, not in recall.
    Sums are exact integers; t is rounded once before its square root is taken.

    Examples
    --------
    The recalls of Yeh's example, over the 103 elements of the gold:

    %(yeh)s
    >>> result = csig.paired_t_test(c)
    >>> round(result.statistic, 4), round(result.pvalue, 8), result.degrees_of_freedom
    (4.0445, 0.00010206, 102)
    """
    checked(alternative, confidence_level)
    own = differences_of(comparison, metric, "paired t test")
    n = own.n
    if n < 2:
        raise InputError(f"a paired t test needs two {own.unit}s, found {n}; give more data")
    total, squares = moments(own.values, own.sizes)
    size = int(np.abs(own.values).max(initial=0))
    spread = n * squares - total * total  # n (n - 1) s^2
    if size <= own.tau:  # nothing differs, as far as the rounding shows
        total = spread = 0
    elif len(own.values) and own.sizes.sum() == n and np.ptp(own.values) <= own.tau:
        raise InputError(
            f"all {counted(n, own.unit)} have the same difference, and a t test needs some that "
            f"vary; use csig.randomization_test or csig.sign_test"
        )
    t = math.copysign(math.sqrt(Fraction(total**2 * (n - 1), spread)), total) if total else 0.0
    difference = float(total * own.value)
    error = float(own.value) * math.sqrt(Fraction(spread, n - 1))
    wide = t_quantile(n - 1, (1 + confidence_level) / 2) * error
    p = t_pvalue(t, n - 1, alternative) if spread else 1.0
    found = f"{own.names[0]} - {own.names[1]} = {difference:+.4g}, t = {t:.4g}, p = {pvalue(p)}"
    return TestResult(
        test="paired t",
        statistic=t,
        pvalue=p,
        alternative=alternative,
        assumes="The units are independent, and the mean of their differences is normally "
        "distributed, as it nearly is for many units; the null hypothesis is a mean of zero.",
        degrees_of_freedom=n - 1,
        difference=difference,
        details={
            **own.named,
            "n_units": n,
            "standard_error": error,
            "interval": (difference - wide, difference + wide),
            "confidence_level": confidence_level,
        },
        names=own.names,
        line=f"{own.metric.name}: {found} ({counted(n, own.unit)})",
    )


def t_pvalue(t: float, df: float, alternative: Alternative) -> float:
    """Of Student's t distribution."""
    from scipy.special import stdtr

    if alternative == "two-sided":
        return 2 * min(float(stdtr(df, -abs(t))), 0.5)  # NaN stays NaN
    return float(stdtr(df, t if alternative == "less" else -t))


def normal_pvalue(z: float, alternative: Alternative) -> float:
    """Of the standard normal distribution."""
    from scipy.special import ndtr

    if alternative == "two-sided":
        return 2 * min(float(ndtr(-abs(z))), 0.5)
    return float(ndtr(z if alternative == "less" else -z))


@documented
def mcnemar_test(
    comparison: Comparison,
    metric: str | Metric | None = None,
    *,
    method: McNemarMethod = "exact",
    continuity: bool = False,
    alternative: Alternative = "two-sided",
) -> TestResult:
    """McNemar's test on results that are right or wrong.

    Parameters
    ----------
    comparison : Comparison
        Both systems on the same test data: responses, labels, or scores that are 0 or 1.
    metric : str or Metric, optional
        What is 0 or 1 for every item; by default recall, accuracy or the mean.
    method : {"exact", "mid-p", "asymptotic"}
        "exact" is the binomial test, and the same p-value as that of :func:`csig.sign_test` and of
        the randomization test; "mid-p" counts half of the outcomes that are as
        extreme as the observed one; "asymptotic" is chi-square.
    %(continuity)s
    %(alternative)s

    Returns
    -------
    TestResult
        The statistic is chi-square with one degree of freedom if asymptotic, else `n_a`; 0, and
        p = 1, if there is no discordant pair. With `n_a` and `n_b`, the items that only A and only
        B has as 1; `metric`, `unit`, `n_units`, `method` and `continuity`.

    Raises
    ------
    InputError
        An argument cannot be used, or a result is neither 0 nor 1.

    Notes
    -----
    Given b + c discordant pairs, b is Binomial(b + c, 1/2). Chi-square is (b - c)^2 / (b + c), or
    (|b - c| - 1)^2 / (b + c) with the correction of Edwards (1948), 0 if b = c. One-sided
    p-values are those of its signed square root.

    References
    ----------
    McNemar (1947), Psychometrika 12. Fagerland, Lydersen and Laake (2013), BMC Medical Research
    Methodology 13:91, for mid-p.

    Examples
    --------
    >>> import csig
    >>> c = csig.Comparison.from_scores([1] * 7 + [0] * 13, [0] * 7 + [1] * 13)
    >>> csig.mcnemar_test(c)
    <TestResult mean: 7 of 20 items only A, 13 only B, p = 0.263 (exact)>
    """
    one_of("method", method, get_args(McNemarMethod))
    checked(alternative, None, method, continuity)
    own = differences_of(comparison, metric, "McNemar test")
    n = check_binary(comparison, own)
    n_a, n_b = own.signs
    statistic, p = float(n_a), 1.0
    if method == "exact":
        p = sign_test_pvalue(n_a, n_b, alternative)
    elif method == "mid-p":
        p = _midp(n_a, n_b, alternative)
    elif n_a + n_b:
        ahead, root = n_b - n_a if alternative == "less" else n_a - n_b, math.sqrt(n_a + n_b)
        nearer = max(0, abs(ahead) - bool(continuity))
        statistic = nearer**2 / (n_a + n_b)
        if alternative == "two-sided":
            p = normal_pvalue(nearer / root, alternative)
        else:
            p = normal_pvalue((ahead - bool(continuity)) / root, "greater")
    enough = "; there are enough of them for chi-square" if method == "asymptotic" else ""
    a, b = own.names
    found = f"{count(n_a)} of {counted(n, own.unit)} only {a}, {count(n_b)} only {b}"
    return TestResult(
        test="McNemar",
        statistic=statistic,
        pvalue=p,
        alternative=alternative,
        assumes=f"{_FAIR.format('item', 'an item on')}{enough}.",
        details={
            **own.named,
            "n_units": n,
            "n_a": n_a,
            "n_b": n_b,
            "method": method,
            "continuity": bool(continuity),
        },
        names=own.names,
        line=f"{own.metric.name}: {found}, p = {pvalue(p)} ({method})",
    )
