"""Two systems on the same data, and tests that take them for independent: Yeh (2000), section 2.

Two systems run on the same test data are seldom independent: what is easy for one is easy for the
other. r12, the correlation of their results on the same items, measures that. Tests for two
independent samples take it for zero; they overestimate how much the difference varies, and miss
real differences. They are here for comparison; the tests that csig recommends,
:func:`csig.randomization_test` first, do not assume independence.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from operator import mul
from typing import Any, NamedTuple, overload

import numpy as np

from csig.base.errors import InputError
from csig.base.shown import Shown
from csig.base.validation import Alternative, between, checked, instance, public
from csig.base.wording import clean, decimal, documented, first_few, pvalue
from csig.classical.paired import TestResult, exact_number, t_pvalue
from csig.data import metrics
from csig.data.comparison import Comparison
from csig.data.responses import RecordedResponses, UniqueResponses
from csig.data.tables import Tables
from csig.probability.alike import alike
from csig.probability.student import normal_quantile

#: Metrics that are the share of right, or wrong, items among countable ones.
PROPORTIONS = ("recall", "precision", "accuracy", "error_rate", "specificity")

#: Fewer items have no interval for their correlation.
FEWEST = 4

#: The level of the interval that a test's result has.
LEVEL = 0.95

#: Metrics with the same differences, but for their sign.
_OPPOSITE = frozenset({"accuracy", "error_rate"})

_SAME_DATA = (
    "Both systems ran on the same data, so their results are usually positively correlated, and "
    "the test then misses differences (Yeh 2000, section 2)."
)

#: Forms that the line of a result names.
_NAMED = {"Welch": ", Welch", "unpooled": ", unpooled", "Yates": ", Yates"}


@dataclass(frozen=True, kw_only=True, repr=False)
class CorrelationInterval(Shown):
    """An interval for r12, the correlation between two systems' results."""

    estimate: float  #: r12 of these items. NaN if a system has the same result on all of them.
    low: float  #: low, high: the ends, from -1 to 1.
    high: float
    confidence_level: float  #: The share of test sets whose interval should hold the true value.
    #: How it was made: for scores, for results that take two values, or not at all, because these
    #: items say nothing about r12: "fisher", "phi", "none".
    method: str
    metric: str  #: What the mean of the results is.
    n_items: int  #: All items.
    names: tuple[str, str] = field(default=("A", "B"), compare=False)  #: The systems' names.

    def _line(self) -> str:
        known = "undefined" if math.isnan(self.estimate) else f"{self.estimate:.4g}"
        level = f"{decimal(100 * self.confidence_level)}%"
        return f"{self.metric}: r12 = {known}, {level} {self.low:.4g} to {self.high:.4g}"


class ItemSums(NamedTuple):
    """Over all items, exactly: their number, both systems' results, squares and products."""

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

    @property
    def r12(self) -> float:
        """The correlation; NaN where it is not defined."""
        variance_a, variance_b = self.variances
        if not variance_a or not variance_b:
            return math.nan
        # By Cauchy and Schwarz the square is at most 1, and so is what it is rounded to.
        square = Fraction(self.covariance**2, variance_a * variance_b)
        return math.copysign(math.sqrt(square), self.covariance)

    @property
    def cost(self) -> float:
        """The factor of :func:`independence_cost`."""
        both = Fraction(sum(self.variances))
        return _factor(both, both - 2 * self.covariance)


def item_sums(comparison: Comparison) -> ItemSums:
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
        largest = max(float(np.abs(own).max(initial=0)) for own in results)
        if largest**2 * len(results[0]) < 2.0**62:
            x, y = results
            return ItemSums(metric, len(x), *map(int, (x.sum(), y.sum(), x @ x, y @ y, x @ y)))
        a, b = (own.tolist() for own in results)
        products = [sum(map(mul, x, y)) for x, y in ((a, a), (b, b), (a, b))]
        return ItemSums(metric, len(a), sum(a), sum(b), *products)
    if isinstance(source, (UniqueResponses, RecordedResponses)):
        only_a = source.counts["only_a_correct"]
    else:
        only_a = comparison.responses[0].only_a
    found_a, found_b, gold = comparison.sums_a[0], comparison.sums_b[0], comparison.sums_a[2]
    return ItemSums("recall", gold, found_a, found_b, found_a, found_b, found_a - only_a)


@public("csig.classical")
@documented
def correlation(comparison: Comparison) -> float:
    """The correlation between two systems' results, r12: Yeh (2000), section 2.1.

    Parameters
    ----------
    %(comparison)s

    Returns
    -------
    float
        From -1 to 1; always over single items, whatever unit is swapped. NaN if it is not defined:
        a system has the same result on all items, or there are no items.

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
    %(yeh)s
    >>> round(csig.classical.correlation(c), 6)
    0.345181
    """
    return item_sums(instance("comparison", comparison, Comparison)).r12


@public("csig.classical")
@documented
def correlation_interval(
    comparison: Comparison, *, confidence_level: float = 0.95
) -> CorrelationInterval:
    """A confidence interval for r12, the correlation between two systems' results.

    Parameters
    ----------
    %(items)s
    %(level)s

    Returns
    -------
    CorrelationInterval
        Never beyond -1 and 1, and the estimate is in it. All of -1 to 1 where the items say nothing
        about r12: a system has the same result on all of them, or there are fewer than four.

    Raises
    ------
    InputError
        If the results on single items are not known, or the level is not between 0 and 1.

    Notes
    -----
    Both intervals are atanh(r) +- z s, turned back by tanh (Fisher 1921). The textbook's
    s = 1 / sqrt(n - 3) holds for normal scores only: of items that are right or wrong such 95%
    intervals hold the true value in 30% to 99% of test sets. So s comes from the items' own spread,
    s^2 = sum_i (x_i y_i - r (x_i^2 + y_i^2) / 2)^2 / (n^2 (1 - r^2)^2), with standardized results
    x and y, which needs no distribution, but many items (Steiger and Hakstian 1982).

    - "phi", for results that take two values: half an item is added to every cell of the 2 x 2
      table before, so that empty cells do no harm (Haldane 1956).
    - "fisher", for other scores: s^2 is that times n / (n - 3), and at least 1 / (n - 3).

    docs/classical.md has the coverage that was measured. The items are taken for independent of
    each other; where they are not, as in one document, the interval is too narrow.

    References
    ----------
    Fisher (1921), Metron 1. Steiger and Hakstian (1982), British Journal of Mathematical and
    Statistical Psychology 35.

    Examples
    --------
    %(yeh)s
    >>> csig.classical.correlation_interval(c)
    <CorrelationInterval recall: r12 = 0.3452, 95% 0.1521 to 0.4995>
    """
    level = between("confidence_level", confidence_level)
    sums = item_sums(instance("comparison", comparison, Comparison))
    return _interval(comparison, sums, level)


def _interval(comparison: Comparison, sums: ItemSums, level: float) -> CorrelationInterval:
    r = sums.r12
    low, high, method = -1.0, 1.0, "none"
    if not math.isnan(r) and sums.n >= FEWEST:
        cells = _cells(comparison, sums)
        if cells is None:
            method, center, s = "fisher", r, _spread_of_scores(comparison, r)
        else:
            method = "phi"
            center, s = _spread_of_cells([(n + 0.5, x, y) for n, x, y in cells])
        wide = normal_quantile((1 - level) / 2) * s
        low = high = r
        if abs(center) != 1:
            middle = math.atanh(center)
            low, high = (alike(math.tanh(middle + side * wide)) for side in (-1, 1))
            low, high = min(r, low), max(r, high)
    return CorrelationInterval(
        estimate=r,
        low=low,
        high=high,
        confidence_level=level,
        method=method,
        metric=sums.metric,
        n_items=sums.n,
        names=comparison.names,
    )


def _cells(comparison: Comparison, sums: ItemSums) -> list[tuple[int, int, int]] | None:
    """The 2 x 2 table as (items, A's result, B's), if results take two values; else None."""
    both, only_a, only_b, n = sums.ab, sums.a - sums.ab, sums.b - sums.ab, sums.n
    if isinstance(comparison._source, Tables):
        results = comparison._source.results
        assert results is not None
        highest = []
        for own in (results.a, results.b):
            top = own == own.max()
            if (own[~top] != own.min()).any():
                return None
            highest.append(top)
        a, b = highest
        both, only_a, only_b = (int((x & y).sum()) for x, y in ((a, b), (a, ~b), (~a, b)))
    return [(both, 1, 1), (only_a, 1, 0), (only_b, 0, 1), (n - both - only_a - only_b, 0, 0)]


def _spread_of_cells(cells: list[tuple[float, int, int]]) -> tuple[float, float]:
    """The correlation, and the standard deviation of its atanh."""
    n = sum(own for own, _, _ in cells)
    a, b = (sum(own[0] * own[i] for own in cells) / n for i in (1, 2))
    sd_a, sd_b = math.sqrt(a * (1 - a)), math.sqrt(b * (1 - b))
    r = sum(own * (x - a) * (y - b) for own, x, y in cells) / (n * sd_a * sd_b)
    squares = 0.0
    for own, x, y in cells:
        u, v = (x - a) / sd_a, (y - b) / sd_b
        squares += own * (u * v - r / 2 * (u * u + v * v)) ** 2
    return r, math.sqrt(squares) / (n * (1 - r * r))


def _spread_of_scores(comparison: Comparison, r: float) -> float:
    """The standard deviation of atanh(r)."""
    source = comparison._source
    assert isinstance(source, Tables)
    assert source.results is not None
    if abs(r) == 1:
        return 0.0
    standardized = []
    for values in (source.results.a, source.results.b):
        own = (values - values[0]).astype(np.float64)
        own -= own.mean()
        standardized.append(own / math.sqrt(float((own * own).mean())))
    u, v = standardized
    n = len(u)
    squares = float(((u * v - r / 2 * (u * u + v * v)) ** 2).sum())
    return math.sqrt(max(1.0, squares / (n * (1 - r * r) ** 2)) / (n - 3))


def _dependence(comparison: Comparison, metric: str, sums: ItemSums | None) -> dict[str, Any]:
    """What r12 says about a test of a metric that assumes independence; `sums` if at hand."""
    try:
        sums = sums or item_sums(comparison)
    except InputError:
        unknown = (
            "The results on single items are not known, so these data do not say how far the "
            "systems are from independent."
        )
        return {**dict.fromkeys(("r12", "r12_interval", "cost")), "dependence": unknown}
    interval = _interval(comparison, sums, LEVEL)
    of_metric = metric == sums.metric or {metric, sums.metric} == _OPPOSITE
    cost = sums.cost if of_metric else None
    known = interval.method != "none"
    return {
        "r12": interval.estimate,
        "r12_interval": (interval.low, interval.high) if known else None,
        "cost": cost,
        "dependence": _in_words(interval, sums, cost),
    }


def _in_words(interval: CorrelationInterval, sums: ItemSums, cost: float | None) -> str:
    if math.isnan(interval.estimate):
        names = zip(interval.names, sums.variances, strict=True)
        constant = [clean(name) for name, variance in names if not variance]
        verb = "have" if len(constant) == 2 else "has"
        return (
            f"r12 is not defined, because {' and '.join(constant)} {verb} the same result on all "
            f"items; these data say nothing about the assumption of independence."
        )
    if cost == math.inf:
        return (
            "The systems' results never differ, or by a constant (r12 = 1): there is no variation "
            "of the difference, but the test assumes that there is."
        )
    over = " on the gold" if cost is None and interval.metric == "recall" else ""
    r12 = f"The systems' results{over} correlate with r12 = {interval.estimate:.2f}"
    if interval.method != "none":
        r12 += f" ({decimal(100 * LEVEL)}%: {interval.low:.2f} to {interval.high:.2f})"
    deviation = "the standard deviation of the difference"
    if cost is None:
        return f"{r12}, and the test assumes that their counts are independent."
    if abs(cost - 1) < 0.005:
        return f"{r12}: assuming independence changes {deviation} by less than 1%."
    if cost > 1:
        return f"{r12}: the test overestimates {deviation} by a factor of {cost:.2f}."
    return f"{r12}: the test underestimates {deviation}, which is {1 / cost:.2f} times as large."


@overload
def independence_cost(comparison: Comparison, /) -> float: ...


@overload
def independence_cost(r12: float, /, sd_a: float = ..., sd_b: float = ...) -> float: ...


@public("csig.classical")
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
    >>> [round(csig.classical.independence_cost(r12), 2) for r12 in (0.38, 0.50, 0.80)]
    [1.27, 1.41, 2.24]
    """
    if isinstance(comparison, Comparison):
        if sd_a is not None or sd_b is not None:
            raise InputError("sd_a, sd_b: a comparison has its own standard deviations")
        return item_sums(comparison).cost
    r12 = exact_number("r12", comparison, -1, 1)
    s_a, s_b = (
        Fraction(1) if sd is None else exact_number(name, sd, 0, math.inf)
        for name, sd in (("sd_a", sd_a), ("sd_b", sd_b))
    )
    both = s_a**2 + s_b**2
    return _factor(both, both - 2 * r12 * s_a * s_b)


def _factor(both: Fraction, apart: Fraction) -> float:
    if not both:
        return math.nan
    return math.sqrt(both / apart) if apart else math.inf


def _result(
    comparison: Comparison,
    test: str,
    variant: str,
    metric: str,
    scores: tuple[float, float],
    statistic: float,
    p: float,
    df: float | None,
    alternative: Alternative,
    assumes: str,
    sums: ItemSums | None = None,
) -> TestResult:
    """A result with what r12 says about its assumption."""
    name = "z" if test == "proportions" else test
    shown = "undefined" if math.isnan(p) else pvalue(p)
    return TestResult(
        test=test,
        statistic=statistic,
        pvalue=p,
        alternative=alternative,
        assumes=f"{assumes} {_SAME_DATA}",
        degrees_of_freedom=df,
        difference=scores[0] - scores[1],
        details={"metric": metric, "variant": variant, **_dependence(comparison, metric, sums)},
        names=comparison.names,
        line=f"{metric}: {name} = {statistic:.4g}, p = {shown} "
        f"({test} test{_NAMED.get(variant, '')})",
    )


@public("csig.classical")
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
    %(items)s
    equal_variances : bool
        Whether the systems are assumed to have the same variance, as in Yeh (2000): Student's test.
        False is Welch's test.
    %(alternative)s

    Returns
    -------
    TestResult
        With `difference`; `degrees_of_freedom`, an integer but for Welch's t; `metric`; `variant`,
        "Student" or "Welch"; `r12`, the correlation of the systems' results on these items, which
        the test takes for 0 (:func:`csig.classical.correlation`): NaN where it is not defined, None
        where the results on single items are not known; `r12_interval`, at 95%; `cost`, the factor
        by which assuming r12 = 0 inflates the standard deviation of the difference
        (:func:`csig.classical.independence_cost`), None where the metric is not the mean of the
        items' results, as precision; `dependence`, what r12 says about the assumption on these
        data, in a sentence.

    Raises
    ------
    InputError
        The results on single items are not known, or there are fewer than two.

    Notes
    -----
    Yeh (2000), section 2.1. Both samples have n items, so that both tests have the same t.
    Student's has 2 n - 2 degrees of freedom, Welch's (1947, Biometrika 34)
    (n - 1) (s1^2 + s2^2)^2 / (s1^4 + s2^4), which is between n - 1 and that. If neither system
    varies, t is infinite, or NaN if they also have the same mean, and Welch's test has 2 n - 2
    degrees, too.

    Examples
    --------
    The recalls of Yeh's example; a matched-pair t test gives 4.04.

    %(yeh)s
    >>> result = csig.classical.independent_t_test(c)
    >>> round(result.statistic, 4), round(result.pvalue, 7), result.degrees_of_freedom
    (3.2824, 0.0012108, 204)
    >>> round(result.r12, 2), round(result.cost, 2)
    (0.35, 1.23)
    >>> round(csig.classical.independent_t_test(c, equal_variances=False).degrees_of_freedom, 2)
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
    variant = "Student" if equal_variances else "Welch"
    assumes = (
        f"That the systems' results are two independent samples{same} that are independent of each "
        "other."
    )
    p, scores = t_pvalue(t, df, alternative), comparison.scores(sums.metric)
    return _result(
        comparison, "t", variant, sums.metric, scores, t, p, df, alternative, assumes, sums
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


@public("csig.classical")
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
    %(yeh)s
    >>> result = csig.classical.proportions_test(c, "recall")
    >>> round(result.statistic, 4), round(result.pvalue, 7)
    (3.2147, 0.0013059)
    >>> round(csig.classical.proportions_test(c, "recall", pooled=False).statistic, 4)
    3.2985
    """
    name, a, b = _table(comparison, metric)
    checked(alternative, pooled=pooled)
    square: float | Fraction
    square, sign = _chi_square(a, b)
    if not pooled:  # with each proportion's own variance
        difference = Fraction(a[0], a[1]) - Fraction(b[0], b[1])
        variance = sum(Fraction(right * (whole - right), whole**3) for right, whole in (a, b))
        square = difference**2 / variance if variance else math.inf if difference else math.nan
    z = math.copysign(math.sqrt(square), sign)
    variant, scores = "pooled" if pooled else "unpooled", (a[0] / a[1], b[0] / b[1])
    p = t_pvalue(z, None, alternative)
    assumes = (
        "That the two proportions come from independent samples, large enough for the normal "
        "distribution."
    )
    return _result(
        comparison, "proportions", variant, name, scores, z, p, None, alternative, assumes
    )


@public("csig.classical")
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
    %(yeh)s
    >>> result = csig.classical.chi_square_test(c)
    >>> round(result.statistic, 7), round(result.pvalue, 7)
    (2.3800768, 0.1228915)
    >>> round(csig.classical.chi_square_test(c, continuity=True).statistic, 4)
    1.828
    """
    from scipy.special import chdtrc

    name, a, b = _table(comparison, metric)
    checked(continuity=continuity, method="asymptotic")
    square, _ = _chi_square(a, b, continuity)
    variant, scores = "Yates" if continuity else "uncorrected", (a[0] / a[1], b[0] / b[1])
    p = alike(float(chdtrc(1, square)))
    assumes = (
        "That all counts are independent, also those of the two systems, and large enough for the "
        "chi-square distribution."
    )
    return _result(
        comparison, "chi-square", variant, name, scores, square, p, 1, "two-sided", assumes
    )
