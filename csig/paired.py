"""Classical tests on matched pairs: sign test, t test, McNemar's test.

The Wilcoxon test is in :mod:`csig.signed_ranks`, and the tests on the folds of a cross-validation
are in :mod:`csig.folds`; docs/paired.md compares them all.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal, get_args

import numpy as np

from csig.comparison import Comparison
from csig.differences import check_binary, differences_of, moments
from csig.errors import InputError
from csig.metrics import Metric
from csig.probability.binomial import at_least, at_most
from csig.probability.student import t_quantile
from csig.shown import Shown
from csig.validation import Alternative, between, check_alternative, instance, positive
from csig.wording import count, counted, first_few, perhaps, pvalue

__all__ = [
    "McNemarMethod",
    "McNemarResult",
    "PairedTTestResult",
    "SignTestResult",
    "mcnemar_test",
    "paired_t_test",
    "sign_test",
    "sign_test_critical",
    "sign_test_pvalue",
]

#: How a McNemar test finds its p-value.
McNemarMethod = Literal["exact", "mid-p", "asymptotic"]


@dataclass(frozen=True, kw_only=True, repr=False)
class SignTestResult(Shown):
    """The result of a sign test."""

    metric: str  #: What was compared in every unit.
    unit: str  #: What the units are.
    #: n_a, n_b: units in which A's score is greater, and in which B's is; ties do not count.
    n_a: int
    n_b: int
    pvalue: float  #: Exact.
    alternative: Alternative  #: "two-sided", "less" or "greater", of A minus B.
    names: tuple[str, str] = field(default=("A", "B"), compare=False)  #: The systems' names.

    def _line(self) -> str:
        a, b = self.names
        found = f"{self.metric}: {a} is better on {counted(self.n_a, self.unit)}, {b} on "
        return f"{found}{count(self.n_b)}, p = {pvalue(self.pvalue)}"

    @property
    def statistic(self) -> int:
        """``n_a``, which is Binomial(n_a + n_b, 1/2) under the null hypothesis."""
        return self.n_a

    @property
    def midp(self) -> float:
        """The mid-p-value: outcomes as extreme as the observed one count half; 1 without any.

        It is smaller than `pvalue`, and its error rate is rarely above the nominal one, but it can
        be (Fagerland, Lydersen and Laake 2013).
        """
        return _midp(self.n_a, self.n_b, self.alternative)

    @property
    def assumes(self) -> str:
        """What the test assumes, in plain words."""
        return (
            "The units are independent, and under the null hypothesis a unit in which the systems "
            "differ is as likely to favor one as the other; how much they differ does not count."
        )


def sign_test(
    comparison: Comparison,
    metric: str | Metric | None = None,
    *,
    alternative: Alternative = "two-sided",
) -> SignTestResult:
    """The exact sign test: in how many units is A better, in how many B?

    Parameters
    ----------
    comparison : Comparison
        Both systems on the same test data.
    metric : str or Metric, optional
        One whose denominator is the same for both systems in every unit: recall, accuracy, a
        mean, the error rate. The default is recall, accuracy or the mean, whichever the
        comparison has the columns for.
    alternative : {"two-sided", "less", "greater"}
        "greater": A's score is greater more often.

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
    >>> import csig
    >>> c = csig.Comparison.from_counts(gold=103, both_correct=19, only_a_correct=28,
    ...     only_b_correct=6, both_spurious=5, only_a_spurious=43, only_b_spurious=9)
    >>> result = csig.sign_test(c)
    >>> result.n_a, result.n_b, round(result.pvalue, 9)
    (28, 6, 0.000195126)
    """
    instance("comparison", comparison, Comparison)
    check_alternative(alternative)
    own = differences_of(comparison, metric)
    n_a, n_b = own.signs
    return SignTestResult(
        metric=own.metric.name,
        unit=own.unit,
        n_a=n_a,
        n_b=n_b,
        pvalue=sign_test_pvalue(n_a, n_b, alternative),
        alternative=alternative,
        names=own.names,
    )


def sign_test_pvalue(only_a: int, only_b: int, alternative: Alternative = "two-sided") -> float:
    """The exact sign test on recall: Yeh (2000), section 3.1.

    Under the null hypothesis a correct response that only one system found is equally
    likely to be either's. So ``only_a`` is Binomial(only_a + only_b, 1/2).

    Parameters
    ----------
    only_a, only_b : int
        Correct responses that only A, or only B, found.
    alternative : {"two-sided", "less", "greater"}
        "greater": A finds more.

    Examples
    --------
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
    sides = 2 if check_alternative(alternative) == "two-sided" else 1
    low, high = -1, (n + 1) // 2  # significant, and not
    while high - low > 1:
        middle = (low + high) // 2
        if sides * at_most(middle, n, 0.5) <= alpha:
            low = middle
        else:
            high = middle
    return low


@dataclass(frozen=True, kw_only=True, repr=False)
class PairedTTestResult(Shown):
    """The result of a paired t test."""

    metric: str  #: What was compared.
    unit: str  #: What the units are.
    n_units: int  #: All units, those without a difference too.
    difference: float  #: A's score minus B's.
    standard_error: float  #: Of the difference.
    statistic: float  #: t: the difference in standard errors; 0 if no unit differs.
    df: int  #: Degrees of freedom, ``n_units - 1``.
    pvalue: float  #: 1 if no unit differs.
    interval: tuple[float, float]  #: For the difference, two-sided.
    confidence_level: float  #: Of the interval.
    alternative: Alternative  #: "two-sided", "less" or "greater", of A minus B.
    assumes: str  #: What the test assumes, in plain words.
    names: tuple[str, str] = field(default=("A", "B"), compare=False)  #: The systems' names.

    def _line(self) -> str:
        a, b = self.names
        found = f"{self.metric}: {a} - {b} = {self.difference:+.4g}, t = {self.statistic:.4g}"
        return f"{found}, p = {pvalue(self.pvalue)} ({counted(self.n_units, self.unit)})"


def paired_t_test(
    comparison: Comparison,
    metric: str | Metric | None = None,
    *,
    alternative: Alternative = "two-sided",
    confidence_level: float = 0.95,
) -> PairedTTestResult:
    """The paired t test on the differences of all units.

    Parameters
    ----------
    comparison : Comparison
        Both systems on the same test data.
    metric : str or Metric, optional
        As in :func:`sign_test`: one with a fixed denominator; by default recall, accuracy or
        the mean.
    alternative : {"two-sided", "less", "greater"}
        Of A minus B.
    confidence_level : float
        Of the interval, which is two-sided whatever the alternative.

    Returns
    -------
    PairedTTestResult
        t = 0 and p = 1 if no unit differs.

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

    >>> import csig
    >>> c = csig.Comparison.from_counts(gold=103, both_correct=19, only_a_correct=28,
    ...     only_b_correct=6, both_spurious=5, only_a_spurious=43, only_b_spurious=9)
    >>> result = csig.paired_t_test(c)
    >>> round(result.statistic, 4), round(result.pvalue, 8), result.df
    (4.0445, 0.00010206, 102)
    """
    check_alternative(alternative)
    between("confidence_level", confidence_level)
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
    return PairedTTestResult(
        metric=own.metric.name,
        unit=own.unit,
        n_units=n,
        difference=difference,
        standard_error=error,
        statistic=t,
        df=n - 1,
        pvalue=t_pvalue(t, n - 1, alternative) if spread else 1.0,
        interval=(difference - wide, difference + wide),
        confidence_level=confidence_level,
        alternative=alternative,
        assumes="The units are independent, and the mean of their differences is normally "
        "distributed, as it nearly is for many units; the null hypothesis is a mean of zero.",
        names=own.names,
    )


def t_pvalue(t: float, df: float, alternative: Alternative) -> float:
    """Of Student's t distribution.

    >>> round(t_pvalue(4.0445, 102, "two-sided"), 6)
    0.000102
    """
    from scipy.special import stdtr

    if alternative == "two-sided":
        return min(1.0, 2 * float(stdtr(df, -abs(t))))
    return float(stdtr(df, t if alternative == "less" else -t))


@dataclass(frozen=True, kw_only=True, repr=False)
class McNemarResult(Shown):
    """The result of a McNemar test."""

    metric: str  #: What is 0 or 1 for every item.
    unit: str  #: What the items are.
    n_units: int  #: All items.
    n_a: int  #: n_a, n_b: items that only A has as 1, and only B: the discordant pairs.
    n_b: int
    #: Of the asymptotic test chi-square with one degree of freedom; else `n_a`. 0 if there is no
    #: discordant pair.
    statistic: float
    pvalue: float  #: 1 if there is no discordant pair.
    method: McNemarMethod  #: How it was found.
    correction: bool  #: Whether chi-square was corrected for continuity.
    alternative: Alternative  #: "two-sided", "less" or "greater", of A minus B.
    assumes: str  #: What the test assumes, in plain words.
    names: tuple[str, str] = field(default=("A", "B"), compare=False)  #: The systems' names.

    def _line(self) -> str:
        a, b = self.names
        found = f"{self.metric}: {count(self.n_a)} of {counted(self.n_units, self.unit)} only {a}, "
        return f"{found}{count(self.n_b)} only {b}, p = {pvalue(self.pvalue)} ({self.method})"


def mcnemar_test(
    comparison: Comparison,
    metric: str | Metric | None = None,
    *,
    method: McNemarMethod = "exact",
    correction: bool = False,
    alternative: Alternative = "two-sided",
) -> McNemarResult:
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
    correction : bool
        Whether "asymptotic" is corrected for continuity, as R and statsmodels do by default.
    alternative : {"two-sided", "less", "greater"}
        Of A minus B.

    Returns
    -------
    McNemarResult
        Statistic 0 and p = 1 if there is no discordant pair.

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
    <McNemarResult mean: 7 of 20 items only A, 13 only B, p = 0.263 (exact)>
    """
    check_alternative(alternative)
    if method not in get_args(McNemarMethod):
        names = get_args(McNemarMethod)
        raise InputError(
            f"method must be one of {first_few(names)}, found {method!r}{perhaps(method, names)}"
        )
    if not isinstance(correction, (bool, np.bool_)):
        raise InputError(f"correction must be True or False, found {correction!r}")
    if correction and method != "asymptotic":
        raise InputError("correction: only method='asymptotic' is corrected for continuity")
    own = differences_of(comparison, metric, "McNemar test")
    n = check_binary(comparison, own)
    n_a, n_b = own.signs
    statistic, p = _mcnemar(n_a, n_b, method, bool(correction), alternative)
    return McNemarResult(
        metric=own.metric.name,
        unit=own.unit,
        n_units=n,
        n_a=n_a,
        n_b=n_b,
        statistic=statistic,
        pvalue=p,
        method=method,
        correction=bool(correction),
        alternative=alternative,
        assumes="The items are independent, and under the null hypothesis an item on which the "
        "systems differ is as likely to favor one as the other"
        + ("; there are enough of them for chi-square." if method == "asymptotic" else "."),
        names=own.names,
    )


def _mcnemar(
    n_a: int, n_b: int, method: McNemarMethod, correction: bool, alternative: Alternative
) -> tuple[float, float]:
    """The statistic and the p-value."""
    n, ahead = n_a + n_b, n_a - n_b
    if not n:
        return 0.0, 1.0
    if method == "exact":
        return float(n_a), sign_test_pvalue(n_a, n_b, alternative)
    if method == "mid-p":
        return float(n_a), _midp(n_a, n_b, alternative)
    from scipy.special import ndtr

    nearer = max(0, abs(ahead) - correction)
    if alternative == "two-sided":
        p = min(1.0, 2 * float(ndtr(-nearer / math.sqrt(n))))
    else:
        towards = ahead if alternative == "greater" else -ahead
        p = float(ndtr(-(towards - correction) / math.sqrt(n)))
    return nearer**2 / n, p
