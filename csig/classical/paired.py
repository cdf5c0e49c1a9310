"""Classical tests on matched pairs: sign test, t test, Wilcoxon's and McNemar's, tests on folds.

A metric whose denominator is the same for both systems in every unit (recall, accuracy, an error
rate, a mean) is a sum over units, and its difference is the sum of the units' own: integers, times
the value of 1. Precision and F have no such differences. docs/classical.md compares the tests.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

import numpy as np

from csig.base.errors import InputError, NoInterval
from csig.base.shown import Shown
from csig.base.validation import Alternative, between, checked, instance, one_of, positive, public
from csig.base.wording import count, counted, documented, first_few, pvalue
from csig.data import metrics
from csig.data.comparison import Comparison
from csig.data.metrics import Metric
from csig.data.units import checked_names
from csig.engines.questions import integer_weights, weights_question
from csig.probability.alike import alike, log
from csig.probability.binomial import at_least, at_most
from csig.probability.student import t_quantile
from csig.results.randomization import Unpacked

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True, kw_only=True, repr=False)
class TestResult(Unpacked, Shown):
    """The result of a classical test.

    It unpacks as ``statistic, pvalue``, like those of scipy. What else a test says is in `details`,
    and an attribute, too: ``result.n_a`` of a sign test. Each test's docstring lists it.
    """

    __test__ = False  # pytest collects classes by their names

    #: "sign", "paired t", "Wilcoxon", "McNemar", "Cochran's Q"; of folds "corrected resampled t",
    #: "k-fold t", "5x2cv t", "5x2cv F"; of independent samples "t", "proportions", "chi-square".
    test: str
    statistic: float  #: What the test computes: a count, t, z, F, chi-square or a rank sum.
    pvalue: float  #: 1 if nothing differs; NaN if the test is not defined on these data.
    alternative: Alternative  #: "two-sided", "less" or "greater", of A minus B.
    assumes: str  #: What the test assumes, in plain words.
    #: Two of F; None where there are none.
    degrees_of_freedom: float | tuple[float, float] | None = None
    difference: float | None = None  #: A's score minus B's; None where the test has none.
    details: Mapping[str, Any] = field(default_factory=dict, hash=False)  #: What else is known.
    names: tuple[str, ...] = field(default=("A", "B"), compare=False)  #: The systems' names.
    line: str = field(default="", compare=False)  #: What ``repr`` says.

    def _line(self) -> str:
        return self.line

    def __getattr__(self, name: str) -> Any:
        own = vars(self)  # empty while a copy is made
        if name in own.get("details", {}):
            return own["details"][name]
        raise AttributeError(f"the result of a {own.get('test')} test has no {name!r}")

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.details]


#: How a McNemar test finds its p-value.
McNemarMethod = Literal["exact", "mid-p", "asymptotic"]

#: What becomes of differences that are zero.
ZeroMethod = Literal["wilcox", "pratt", "zsplit"]

#: How the p-value is found.
RankMethod = Literal["auto", "exact", "mid-p", "asymptotic"]

#: Steps that "auto" spends on an exact p-value, and different ranks whose steps it counts: one
#: or two seconds.
BUDGET, DIFFERENT = 2**30, 2**15

#: A relative error of the lattice beyond which its sum is not called exact.
BOUNDED = 1e-10

#: Ranks that are laid out one by one for the lattice.
MOST = 2**25

#: Cochran's rule: a mean whose variance is estimated is nearly normal with more units than the
#: first, and the second times the squared skewness.
BY_SIZE, BY_SKEWNESS = 28, 25

_SYMMETRIC = (
    "The units are independent, and under the null hypothesis their differences are symmetric "
    "around zero: a difference of any size is as likely to favor one system as the other."
)

#: What the exact tests assume of a unit, and of an item.
_FAIR = (
    "The {0}s are independent, and under the null hypothesis {1} which the systems differ is as "
    "likely to favor one as the other"
)

#: The default metric of a test on pairs: the first of these that the comparison has columns for.
_DEFAULTS = {"tp": "recall", "correct": "accuracy", "score": "mean"}


@dataclass(frozen=True, eq=False)
class Differences:
    """What every unit adds to the difference of the scores, A's minus B's."""

    metric: Metric  #: What was compared.
    unit: str  #: What the units are.
    n: int  #: All units, those without a difference too.
    values: NDArray[np.int64]  #: The differences that are not zero, as multiples of `value`.
    sizes: NDArray[np.int64]  #: The units that have each of them.
    value: Fraction  #: What 1 adds to the difference of the scores.
    tau: int  #: Differences that lie this close are equal, as far as their rounding shows.
    names: tuple[str, str]  #: The systems' names.

    @property
    def signs(self) -> tuple[int, int]:
        """Units in which A's score is greater, and in which B's is."""
        above = int(self.sizes[self.values > 0].sum())
        return above, int(self.sizes.sum()) - above

    @cached_property
    def skewness(self) -> float | None:
        """Of the differences of all units, zeros too; None where they do not vary."""
        values, sizes = self.values.astype(np.float64), self.sizes.astype(np.float64)
        if not self.n or np.abs(self.values).max(initial=0) <= self.tau:
            return None
        zeros = self.n - sizes.sum()
        mean = (values * sizes).sum() / self.n
        centred = values - mean
        second = ((centred**2 * sizes).sum() + zeros * mean**2) / self.n
        third = ((centred**3 * sizes).sum() - zeros * mean**3) / self.n
        if second <= (self.tau + 1e-9 * abs(mean)) ** 2:
            return None
        return float(third / second**1.5)

    def result(self, line: str, details: Mapping[str, Any], **fields: Any) -> TestResult:
        """That of a test on them; `line` is what ``repr`` says behind the metric."""
        difference = float(moments(self.values, self.sizes)[0] * self.value)
        return TestResult(
            **{"difference": difference, "names": self.names, **fields},
            details={"metric": self.metric.name, "unit": self.unit, **details},
            line=f"{self.metric.name}: {line}",
        )


def moments(values: NDArray[np.int64], sizes: NDArray[np.int64]) -> tuple[int, int]:
    """The sums of all values and of their squares, where so many have each; exact."""
    largest = float(np.abs(values).max(initial=0))
    if largest * largest * float(sizes.sum()) < 2.0**62:
        return int((values * sizes).sum()), int((values * values * sizes).sum())
    own = list(zip(values.tolist(), sizes.tolist(), strict=True))
    return sum(v * m for v, m in own), sum(v * v * m for v, m in own)


def units_needed(skewness: float) -> float:
    """More units than this make a mean nearly normal whose variance is estimated, by Cochran's rule
    in the form of Sugden, Smith and Jones.
    """
    return float(BY_SIZE + BY_SKEWNESS * skewness**2)


def too_few(n: int, skewness: float | None) -> bool:
    """Whether n units are too few for tests of a mean."""
    return skewness is not None and n <= units_needed(skewness)


def skewed(n: int, skewness: float | None) -> bool:
    """Whether it is the skewness of their differences that makes n units too few; one below 1 tells
    nothing, as that of few normal differences is seldom above.
    """
    return skewness is not None and max(n, BY_SKEWNESS) < BY_SKEWNESS * skewness**2


def default_metric(columns: Sequence[str], names: Mapping[str, str]) -> str:
    """The first name whose column there is, and whose metric these columns give."""
    for column, name in names.items():
        if column in columns and set(metrics.get(name, columns).columns) <= set(columns):
            return name
    raise InputError(f"metric: there is no default for {first_few(columns)}; name one")


def differences_of(
    comparison: Comparison, metric: str | Metric | None, test: str = "sign test"
) -> Differences:
    """The differences of a comparison by a metric; by default recall, accuracy or the mean."""
    instance("comparison", comparison, Comparison)
    if metric is None:
        metric = default_metric(comparison.columns, _DEFAULTS)
    wanted = metrics.get(metric, comparison.columns)
    if not wanted.linear_fractional:
        raise InputError(f"metric {wanted.name!r} is a function; a {test} needs weights")
    found = differences_if_any(comparison, wanted)
    if found is None:
        raise InputError(
            f"metric {wanted.name!r}: its denominator differs between the systems, so its "
            f"difference has no sign in every {comparison.unit}; use a metric with a fixed one, "
            f"like recall, or give the units' own scores to Comparison.from_scores"
        )
    return found


def differences_if_any(comparison: Comparison, metric: Metric) -> Differences | None:
    """The differences by a metric; None where units have none of their own."""
    if not metric.linear_fractional:
        return None
    question = weights_question(comparison, metric, "two-sided", 0)
    if question.steps is not None:
        line, units = question.line, comparison.units
        if line is None or units is None:
            return None
        values = question.steps[:, 0]
        values = values[values != 0]
        sizes, n, value, tau = np.ones_like(values), units.n_total, line.value, line.tau
    else:  # of responses
        numerator, denominator = question.ratio.numerator, question.ratio.denominator
        if denominator[1:3] != (0, 0):
            return None
        correct, spurious = comparison.responses
        classes = [
            (sign * step, number)
            for group, step in zip((correct, spurious), numerator[1:3], strict=True)
            for sign, number in ((1, group.only_a), (-1, group.only_b))
            if step and number
        ]
        values, sizes = np.array(classes, dtype=np.int64).reshape(-1, 2).T
        tp, predicted, n = comparison.sums_a
        if numerator[2]:  # spurious responses are units, too
            n += predicted - tp - spurious.only_a + spurious.size
        value, tau = Fraction(1, denominator[0] or 1), 0
    return Differences(
        question.metric, comparison.unit, n, values, sizes, value, tau, comparison.names
    )


@public("csig.classical")
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
        and `midp`, for which outcomes as extreme as the observed one count half: smaller than
        `pvalue`, with an error rate that is rarely above the nominal one, but can be.

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
    >>> result = csig.classical.sign_test(c)
    >>> result.n_a, result.n_b, round(result.pvalue, 9)
    (28, 6, 0.000195126)
    """
    checked(alternative)
    own = differences_of(comparison, metric)
    n_a, n_b = own.signs
    p = sign_test_pvalue(n_a, n_b, alternative)
    a, b = own.names
    better = f"{a} is better on {counted(n_a, own.unit)}, {b} on {count(n_b)}"
    return own.result(
        f"{better}, p = {pvalue(p)}",
        {"n_a": n_a, "n_b": n_b, "midp": _midp(n_a, n_b, alternative)},
        test="sign",
        statistic=n_a,
        pvalue=p,
        alternative=alternative,
        assumes=f"{_FAIR.format('unit', 'a unit in')}; how much they differ does not count.",
    )


def sign_test_pvalue(only_a: int, only_b: int, alternative: Alternative = "two-sided") -> float:
    """Of the exact sign test: `only_a` is Binomial(only_a + only_b, 1/2) (Yeh 2000, 3.1)."""
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


@public("csig.classical")
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
    low, high = -1, n  # significant, and not
    while high - low > 1:
        middle = (low + high) // 2
        if sides * at_most(middle, n, 0.5) <= alpha:
            low = middle
        else:
            high = middle
    return low


@public("csig.classical")
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
    >>> result = csig.classical.paired_t_test(c)
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
            f"vary; use csig.randomization_test or csig.classical.sign_test"
        )
    fields, details = _student(
        Fraction(total), Fraction(spread, n - 1), n - 1, alternative, confidence_level, own.value
    )
    return own.result(
        f"{_said(own.names, 't', fields)} ({counted(n, own.unit)})",
        {"n_units": n, **details},
        test="paired t",
        assumes="The units are independent, and the mean of their differences is normally "
        "distributed, as it nearly is for many units; the null hypothesis is a mean of zero.",
        **fields,
    )


def _said(names: tuple[str, str], letter: str, fields: Mapping[str, Any]) -> str:
    """The difference, the statistic and p."""
    found = f"{names[0]} - {names[1]} = {fields['difference']:+.4g}, {letter} = "
    return f"{found}{fields['statistic']:.4g}, p = {pvalue(fields['pvalue'])}"


def _student(
    estimate: Fraction,
    variance: Fraction,
    df: int,
    alternative: Alternative,
    level: float,
    value: Fraction = Fraction(1),
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The fields and the details of a t test of an estimate, of which 1 is worth `value`."""
    t = math.copysign(math.sqrt(estimate**2 / variance), estimate) if estimate else 0.0
    # The square root of what may be too small for a double.
    shift = (variance.numerator.bit_length() - variance.denominator.bit_length()) // 2
    error = float(value) * math.ldexp(math.sqrt(variance / Fraction(4) ** shift), shift)
    wide, difference = t_quantile(df, (1 + level) / 2) * error, float(estimate * value)
    fields = {
        "statistic": t,
        "pvalue": t_pvalue(t, df, alternative) if variance else 1.0,
        "alternative": alternative,
        "degrees_of_freedom": df,
        "difference": difference,
    }
    interval = difference - wide, difference + wide
    return fields, {"standard_error": error, "interval": interval, "confidence_level": level}


def t_pvalue(t: float, df: float | None, alternative: Alternative) -> float:
    """Of Student's t distribution; of the standard normal one where `df` is None."""
    from scipy.special import ndtr, stdtr

    two_sided = alternative == "two-sided"
    at = -abs(t) if two_sided else t if alternative == "less" else -t
    below = float(ndtr(at) if df is None else stdtr(df, at))
    return alike(2 * min(below, 0.5) if two_sided else below)  # NaN stays NaN


class _Ranks(NamedTuple):
    """Signed ranks of the differences that are not zero, and rank sums of zeros, all doubled."""

    signed: NDArray[np.int64]
    sizes: NDArray[np.int64]  # units with each
    split: int  # of zeros, to be shared by both systems
    split_squares: int
    n_zero: int  # of all units
    ties: bool


def _ranks(own: Differences, zero_method: ZeroMethod) -> _Ranks:
    """Midranks by size, doubled, so that they are integers."""
    order = np.argsort(np.abs(own.values), kind="stable")
    order = order[np.searchsorted(np.abs(own.values)[order], own.tau, side="right") :]
    ordered, sizes = np.abs(own.values)[order], own.sizes[order]
    n_zero = own.n - int(sizes.sum())
    starts = np.flatnonzero(np.diff(ordered, prepend=ordered[:1] - own.tau - 1) > own.tau)
    together = np.add.reduceat(sizes, starts) if len(starts) else sizes
    below = {"wilcox": 0, "pratt": n_zero, "zsplit": n_zero - n_zero % 2}[zero_method]
    doubled = 2 * (below + np.cumsum(together) - together) + together + 1
    repeats = np.diff(starts, append=len(ordered))
    shared = below if zero_method == "zsplit" else 0
    return _Ranks(
        signed=np.repeat(doubled, repeats) * np.sign(own.values[order]),
        sizes=sizes,
        split=shared * (shared + 1),
        split_squares=shared * (shared + 1) ** 2,
        n_zero=n_zero,
        ties=bool((together > 1).any()),
    )


def _exact(
    steps: NDArray[np.int64], sum_: int, alternative: Alternative, midp: bool, most: float
) -> tuple[float, float]:
    """The p-value, and its logarithm, of a sum of integers with random signs."""
    from csig.engines import lattice

    middle = alternative == "two-sided" and sum_ == 0
    if middle and not midp:
        return 1.0, 0.0
    threshold = {"greater": sum_, "less": -sum_, "two-sided": abs(sum_)}[alternative]
    # P(T >= t) - P(T = t) / 2 is the mean of P(T >= t) and P(T > t): a sum, and no difference.
    found = [
        lattice.tail(steps, (sum_, 1, 0, 1), Fraction(t), most=most)
        for t in range(threshold, threshold + 1 + midp)
    ]
    if any(own.error_bound > BOUNDED for own in found):
        raise MemoryError("the error of the lattice cannot be bounded")
    first = found[0].exponent
    if middle:  # one outcome, not two: 1 - P(T = 0) / 2, and P(T >= 0) is (1 + P(T = 0)) / 2
        p = 1.5 - math.ldexp(found[0].mantissa, first)
        return p, log(p)
    mantissa = math.fsum(
        math.ldexp(own.mantissa, max(own.exponent - first, -1100)) for own in found
    )
    exponent = first + (alternative == "two-sided") - midp
    p = min(1.0, math.ldexp(mantissa, max(exponent, -1100)))
    return p, min(0.0, log(mantissa, exponent))


@public("csig.classical")
@documented
def wilcoxon_test(
    comparison: Comparison,
    metric: str | Metric | None = None,
    *,
    alternative: Alternative = "two-sided",
    zero_method: ZeroMethod = "wilcox",
    method: RankMethod = "auto",
    continuity: bool = False,
) -> TestResult:
    """The Wilcoxon signed-rank test: differences by the ranks of their sizes.

    Parameters
    ----------
    %(comparison)s
    %(pair_metric)s
    %(alternative)s
    zero_method : {"wilcox", "pratt", "zsplit"}
        Units without a difference: left out before ranking (Wilcoxon 1945, Biometrics Bulletin 1);
        ranked, and their ranks left out (Pratt 1959, JASA 54); or ranked, with half of their ranks
        for each system, and one of them left out before if their number is odd (Demsar 2006, JMLR
        7), which scipy keeps.
    method : {"auto", "exact", "mid-p", "asymptotic"}
        "exact" is the distribution of the rank sum over all signs of the ranks that were found,
        ties and zeros included. "mid-p" is the same with half of the outcomes that are as extreme
        as the observed one: smaller, and no longer sure to keep the nominal level. "auto" is exact
        within one or two seconds: for 20,000 units without ties, and for some 200,000 with many.
        Beyond, it is asymptotic.
    continuity : bool
        Whether "asymptotic" is corrected for continuity, by half a rank.

    Returns
    -------
    TestResult
        The statistic is `rank_sum_a`, the rank sum of A: R's V; of two-sided tests scipy gives the
        smaller of both sums. With `rank_sum_b`; `z`, A's rank sum minus its mean in standard
        deviations under the null hypothesis, with `continuity` half a rank nearer to zero;
        `rank_biserial`, A's rank sum minus B's as a share of both, from -1 to 1; `log_pvalue`, for
        p-values that a double cannot hold; `n_zero`, units without a difference; `ties`, whether
        some ranked differences have the same size; `method`, how p was found; `metric`, `unit`,
        `n_units`, `zero_method`, `continuity`. p = 1 and z = 0 if no unit differs.

    Raises
    ------
    InputError
        An argument cannot be used, the metric has no differences by unit, or the exact distribution
        of so many different ranks does not fit the memory.

    Notes
    -----
    Midranks, doubled, are integers; so the exact conditional distribution with ties is that of a
    sum of integers with random signs, as in the randomization test on a mean. The relative
    error is below 1e-10, as a rule 1e-13. z is (T - E T) / sd(T) with the ranks' own squares,
    which is the usual correction for ties; with "zsplit" zeros count as if their signs were random.
    Scores that had to be rounded to fixed point are tied where they lie within the rounding.

    Examples
    --------
    Darwin's 15 pairs of maize, in eighths of an inch:

    >>> import csig
    >>> d = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]
    >>> result = csig.classical.wilcoxon_test(csig.Comparison.from_scores(d, [0] * 15))
    >>> result
    <TestResult mean: rank sums 96 (A) and 24 (B), p = 0.0413 (exact, 15 items)>
    """
    one_of("zero_method", zero_method, get_args(ZeroMethod))
    one_of("method", method, get_args(RankMethod))
    checked(alternative, method=method, continuity=continuity)
    own = differences_of(comparison, metric, "Wilcoxon test")
    ranks = _ranks(own, zero_method)
    sum_, squares = moments(ranks.signed, ranks.sizes)
    total = moments(np.abs(ranks.signed), ranks.sizes)[0]
    z = 0.0
    if total:
        nearer = {"two-sided": 2 * ((sum_ > 0) - (sum_ < 0)), "greater": 2, "less": -2}[alternative]
        z = (sum_ - nearer * continuity) / math.sqrt(squares + ranks.split_squares)
    used, p, log = _pvalue(ranks, sum_, z, alternative, method)
    of_a, of_b = (((total + sign * sum_) // 2 + ranks.split / 2) / 2 for sign in (1, -1))
    enough = " There are enough of them for the normal distribution."
    sums = f"rank sums {of_a:.12g} ({own.names[0]}) and {of_b:.12g} ({own.names[1]})"
    details = {
        "n_units": own.n,
        "n_zero": ranks.n_zero,
        "rank_sum_a": of_a,
        "rank_sum_b": of_b,
        "rank_biserial": (of_a - of_b) / (of_a + of_b) if of_a + of_b else 0.0,
        "z": z,
        "log_pvalue": log,
        "method": used,
        "zero_method": zero_method,
        "ties": ranks.ties,
        "continuity": bool(continuity),
    }
    return own.result(
        f"{sums}, p = {pvalue(p, log)} ({used}, {counted(own.n, own.unit)})",
        details,
        test="Wilcoxon",
        statistic=of_a,
        pvalue=p,
        alternative=alternative,
        assumes=_SYMMETRIC + (enough if used == "asymptotic" else ""),
    )


def _pvalue(
    ranks: _Ranks, sum_: int, z: float, alternative: Alternative, method: RankMethod
) -> tuple[Literal["exact", "mid-p", "asymptotic"], float, float]:
    """How it was found, the p-value, and its logarithm."""
    two_sided = alternative == "two-sided"
    exact: Literal["exact", "mid-p"] = "mid-p" if method == "mid-p" else "exact"
    if not len(ranks.signed):
        return "asymptotic" if method == "asymptotic" else exact, 1.0, 0.0
    different = 1 + int(np.count_nonzero(np.diff(np.abs(ranks.signed))))
    asked = method in ("exact", "mid-p")
    if asked or (method == "auto" and different <= DIFFERENT):
        from csig.engines import lattice  # whose kernels the other tests do not wait for

        try:
            if int(ranks.sizes.sum()) > MOST:
                raise MemoryError("so many ranks are not laid out one by one")
            own = np.repeat(ranks.signed, ranks.sizes)
            steps = np.stack([own, np.zeros_like(own)], axis=1)  # as the lattice takes them
            # Of the tail that is asked for the lattice finds both at once.
            same = two_sided and sum_ != 0
            base, threshold = (sum_, 1, 0, 1), Fraction(abs(sum_))
            if asked or same or lattice.cost(steps, base, threshold) <= BUDGET:
                most = BUDGET if same and not asked else math.inf
                return exact, *_exact(steps, sum_, alternative, exact == "mid-p", most)
        except MemoryError:
            if asked:
                raise InputError(
                    f"method {method!r}: the distribution of {count(int(ranks.sizes.sum()))} ranks "
                    f"does not fit the memory; use method='asymptotic', or csig.randomization_test"
                ) from None
    from scipy.special import log_ndtr

    log_tail = float(log_ndtr(z if alternative == "less" else -abs(z) if two_sided else -z))
    log_p = alike(min(0.0, log_tail + math.log(1 + two_sided)))
    return "asymptotic", t_pvalue(z, None, alternative), log_p


def is_binary(comparison: Comparison, differences: Differences) -> bool:
    """Whether every item is right or wrong."""
    try:
        check_binary(comparison, differences)
    except InputError:
        return False
    return True


def check_binary(comparison: Comparison, differences: Differences) -> int:
    """The number of items, if every one is right or wrong: its score is 0 or 1."""
    metric = differences.metric
    if comparison.units is None:  # responses of the gold, found or not
        if differences.n > comparison.sums_a[2]:
            raise InputError(
                f"metric {metric.name!r}: a McNemar test takes what is right or wrong, like the "
                f"responses of the gold (recall); use csig.classical.sign_test for other weights"
            )
        return differences.n
    try:
        tables = comparison.rows()
    except NoInterval:
        raise InputError(
            "only the units that differ are known, so they may be more than right or wrong; use "
            "csig.classical.sign_test, which gives the same p-value, or give the data themselves"
        ) from None
    weights = integer_weights(comparison, metric)
    largest = max(int(np.abs(table).max(initial=1)) for table in (tables.a, tables.b))
    small = sum(abs(w) for row in weights for w in row) * largest < 2**62
    above, below = (np.array(row, dtype=np.int64 if small else object) for row in weights)
    wholes = tables.a @ below
    finer = [own for own in comparison.levels if own != comparison.unit]
    way = f"compare at a smaller unit ({first_few(finer)}), or " if finer else ""
    way += "use csig.classical.wilcoxon_test or csig.randomization_test"
    if len(np.unique(wholes[wholes != 0])) > 1:
        raise InputError(
            f"metric {metric.name!r}: a McNemar test needs one item in every {comparison.unit}, "
            f"found different numbers of them; {way}"
        )
    for name, table in zip(comparison.names, (tables.a, tables.b), strict=True):
        parts = table @ above
        odd = np.flatnonzero((parts != 0) & (parts != wholes))
        if len(odd):
            score = Fraction(int(parts[odd[0]]), int(wholes[odd[0]]) or 1)
            raise InputError(
                f"metric {metric.name!r}: a McNemar test needs 0 or 1 in every {comparison.unit}, "
                f"found {float(score):.4g} ({name}); {way}"
            )
    return int(np.count_nonzero(wholes))


@public("csig.classical")
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
        "exact" is the binomial test, and the same p-value as that of
        :func:`csig.classical.sign_test` and of the randomization test; "mid-p" counts half of the
        outcomes that are as extreme as the observed one; "asymptotic" is chi-square.
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
    McNemar (1947), Psychometrika 12; of mid-p Fagerland, Lydersen and Laake (2013), BMC Medical
    Research Methodology 13:91. Given b + c discordant pairs, b is Binomial(b + c, 1/2). Chi-square
    is ``(b - c)^2 / (b + c)``, or ``(|b - c| - 1)^2 / (b + c)`` with the correction of Edwards
    (1948), 0 if b = c. One-sided p-values are those of its signed square root.

    Examples
    --------
    >>> import csig
    >>> c = csig.Comparison.from_scores([1] * 7 + [0] * 13, [0] * 7 + [1] * 13)
    >>> csig.classical.mcnemar_test(c)
    <TestResult mean: 7 of 20 items only A, 13 only B, p = 0.263 (exact)>
    """
    one_of("method", method, get_args(McNemarMethod))
    checked(alternative, method=method, continuity=continuity)
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
            p = t_pvalue(nearer / root, None, alternative)
        else:
            p = t_pvalue((ahead - bool(continuity)) / root, None, "greater")
    enough = "; there are enough of them for chi-square" if method == "asymptotic" else ""
    a, b = own.names
    found = f"{count(n_a)} of {counted(n, own.unit)} only {a}, {count(n_b)} only {b}"
    options = {"method": method, "continuity": bool(continuity)}
    return own.result(
        f"{found}, p = {pvalue(p)} ({method})",
        {"n_units": n, "n_a": n_a, "n_b": n_b, **options},
        test="McNemar",
        statistic=statistic,
        pvalue=p,
        alternative=alternative,
        assumes=f"{_FAIR.format('item', 'an item on')}{enough}.",
    )


#: Differences that are closer than this, relative to the largest score, are rounding errors.
ROUNDING = 2.0**-46

#: The squares of such scores are not doubles any more.
LARGEST = 1e150


class _Given(NamedTuple):
    """The differences of one array, or of two with the same shape."""

    differences: list[Fraction]  # exact
    zero: bool  # whether all are too small to show
    noise: float  # what is too small


def _array(name: str, values: object) -> Any:
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        raise InputError(f"{name}: some of its values are masked")
    try:
        found = np.asarray(values)
    except ValueError:
        raise InputError(
            f"{name}: its rows have different lengths; give one number per fold"
        ) from None
    if found.dtype.kind not in "iufb":
        raise InputError(f"{name} must hold numbers, found {found.dtype}")
    found = found.astype(np.float64)
    for wrong, why in (
        (~np.isfinite(found), "give a finite score for every fold"),
        (np.abs(found) >= LARGEST, "scores of 1e150 or more cannot be squared"),
    ):
        for at in np.argwhere(wrong)[:1].tolist():
            place = ", ".join(map(str, at))
            raise InputError(f"{name}[{place}] is {found[tuple(at)]}; {why}")
    return found


def _given(a: object, b: object | None, shape: tuple[int, int] | None = None) -> _Given:
    first = _array("a", a)
    second = np.zeros_like(first) if b is None else _array("b", b)
    if first.shape != second.shape:
        raise InputError(
            f"a has the shape {first.shape} and b {second.shape}; give both systems' scores on "
            f"the same folds"
        )
    if shape is not None and first.shape != shape:
        raise InputError(
            f"a has the shape {first.shape}; give {shape[0]} rows, one per replication, of "
            f"{shape[1]} folds"
        )
    if shape is None and (first.ndim != 1 or len(first) < 2):
        raise InputError(
            f"a has the shape {first.shape}; give one number per fold, and at least two folds"
        )
    pairs = zip(first.ravel().tolist(), second.ravel().tolist(), strict=True)
    differences = [Fraction(v) - Fraction(w) for v, w in pairs]
    noise = ROUNDING * float(max(np.abs(first).max(), np.abs(second).max()))
    return _Given(differences, all(abs(v) <= noise for v in differences), noise)


def exact_number(
    name: str, value: object, low: float, high: float, *, above: bool = False
) -> Fraction:
    """A finite number from `low` to `high`, or above `low`, as it is."""
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise InputError(f"{name} must be a number, found {value!r}")
    number = float(value)
    if math.isinf(number) and math.isinf(high):
        raise InputError(f"{name} must be finite, found {value!r}")
    if not (math.isfinite(number) and low <= number <= high) or (above and number == low):
        limits = f"from {low} to {high}" if math.isfinite(high) else f"at least {low}"
        raise InputError(f"{name} must be {f'above {low}' if above else limits}, found {value!r}")
    return Fraction(value) if isinstance(value, numbers.Rational) else Fraction(number)


def _of_folds(
    test: str,
    n: int,
    names: tuple[str, str],
    assumes: str,
    fields: Mapping[str, Any],
    details: Mapping[str, Any],
) -> TestResult:
    """The result of a test on n folds."""
    return TestResult(
        test=test,
        assumes=assumes,
        details={"n_folds": n, **details},
        names=names,
        line=f"{test} test: {_said(names, test[-1], fields)} ({n} folds)",
        **fields,
    )


def _t_test(
    test: str,
    a: object,
    b: object | None,
    share: Fraction,
    alternative: Alternative,
    level: float,
    names: tuple[str, str],
    assumes: str,
) -> TestResult:
    """A t test whose variance of the mean is (1/J + share) s^2."""
    checked(alternative, level)
    names, given = checked_names(names), _given(a, b)
    n, total = len(given.differences), sum(given.differences, Fraction(0))
    spread = n * sum((v * v for v in given.differences), Fraction(0)) - total * total
    if given.zero:
        total = spread = Fraction(0)
    elif max(given.differences) - min(given.differences) <= given.noise:
        raise InputError(
            f"all {counted(n, 'fold')} have the same difference, and a t test needs some that "
            f"vary; csig.randomization_test compares the systems on the test items"
        )
    variance = (Fraction(1, n) + share) * spread / (n * (n - 1))
    of_t = _student(total / n, variance, n - 1, alternative, level)
    return _of_folds(test, n, names, assumes, *of_t)


@public("csig.classical")
@documented
def resampled_t_test(
    a: ArrayLike,
    b: ArrayLike | None = None,
    *,
    n_train: float,
    n_test: float,
    alternative: Alternative = "two-sided",
    confidence_level: float = 0.95,
    names: tuple[str, str] = ("A", "B"),
) -> TestResult:
    """The corrected resampled t test on repeated random splits.

    Parameters
    ----------
    %(folds)s
    n_train, n_test : float
        Sizes of the training and the test part, or their shares: only their ratio counts.
    %(alternative)s
    %(confidence_level)s
    %(names)s

    Returns
    -------
    TestResult
        With `difference`, the mean of all, `degrees_of_freedom`, `standard_error`, `interval`,
        `confidence_level` and `n_folds`. t = 0 and p = 1 if all differences are zero.

    Raises
    ------
    InputError
        A score is not finite, the systems have different splits, there are fewer than two, or
        all have the same difference.

    Notes
    -----
    Nadeau and Bengio (2003), Machine Learning 52: t = mean / sqrt((1/J + n_test/n_train) s^2) with
    J - 1 degrees of freedom. The share n_test/n_train stands for the correlation of splits
    that share training data. It is a heuristic, not an estimate; the uncorrected test, with
    1/J alone, finds too much. Of k folds, repeated r times, with J = r k differences, it
    is the corrected repeated k-fold test of Bouckaert and Frank (2004).

    Examples
    --------
    >>> d = [0.02, 0.01, 0.04, 0.03, 0.00]
    >>> result = resampled_t_test(d, n_train=900, n_test=100)
    >>> round(result.statistic, 6), result.degrees_of_freedom  # 0.02 / sqrt((1/5 + 1/9) 0.00025)
    (2.267787, 4)
    """
    share = exact_number("n_test", n_test, 0, math.inf, above=True)
    share /= exact_number("n_train", n_train, 0, math.inf, above=True)
    assumes = (
        "The differences are normally distributed, and any two of them have the correlation "
        "n_test / (n_test + n_train) because their training data overlap; the null hypothesis is "
        "a mean of zero."
    )
    test = "corrected resampled t"
    return _t_test(test, a, b, share, alternative, confidence_level, names, assumes)


@public("csig.classical")
@documented
def kfold_t_test(
    a: ArrayLike,
    b: ArrayLike | None = None,
    *,
    alternative: Alternative = "two-sided",
    confidence_level: float = 0.95,
    names: tuple[str, str] = ("A", "B"),
) -> TestResult:
    """The paired t test on the folds of one cross-validation, which finds too much.

    Parameters
    ----------
    %(folds)s
    %(alternative)s
    %(confidence_level)s
    %(names)s

    Returns
    -------
    TestResult
        As of :func:`resampled_t_test`.

    Raises
    ------
    InputError
        As in :func:`resampled_t_test`.

    Notes
    -----
    Dietterich (1998), Neural Computation 10(7): t = mean sqrt(k) / s with k - 1 degrees of
    freedom. Test folds do not overlap, but training sets do, so that its type I error is
    above the nominal one; no unbiased estimate of its variance exists (Bengio and
    Grandvalet 2004). It is here for comparison.

    Examples
    --------
    >>> result = kfold_t_test([0.90, 0.88, 0.93], [0.87, 0.87, 0.88])
    >>> round(result.statistic, 6), result.degrees_of_freedom  # 0.03 sqrt(3) / 0.02
    (2.598076, 2)
    """
    assumes = (
        "The differences are independent and normally distributed, which they are not: the folds "
        "share training data, so the test rejects too often; the null hypothesis is a mean of zero."
    )
    none = Fraction(0)
    return _t_test("k-fold t", a, b, none, alternative, confidence_level, names, assumes)


def _cv52(
    letter: str, a: object, b: object | None, alternative: Alternative, names: tuple[str, str]
) -> TestResult:
    """Of five two-fold cross-validations."""
    checked(alternative)
    names = checked_names(names)
    given = _given(a, b, (5, 2))
    own = given.differences
    pairs = list(zip(own[::2], own[1::2], strict=True))
    if not given.zero and all(abs(x - y) <= given.noise for x, y in pairs):
        raise InputError(
            "both folds of every replication have the same difference, and the test needs some "
            "that vary; csig.randomization_test compares the systems on the test items"
        )
    variances = sum(((x - y) ** 2 / 2 for x, y in pairs), Fraction(0))
    statistic, p, difference = 0.0, 1.0, 0.0
    if not given.zero:
        difference = float(sum(own, Fraction(0)) / 10)
        if letter == "t":
            statistic = math.copysign(math.sqrt(own[0] ** 2 / (variances / 5)), own[0])
            p = t_pvalue(statistic, 5, alternative)
        else:
            from scipy.special import fdtrc

            statistic = float(sum((v * v for v in own), Fraction(0)) / (2 * variances))
            p = alike(float(fdtrc(10, 5, statistic)))
    what = "first difference" if letter == "t" else "differences"
    assumes = (
        "The differences are normally distributed, and the variances within the five replications "
        f"are independent of each other and of the {what}; the null hypothesis is a mean of zero."
    )
    fields = {
        "statistic": statistic,
        "pvalue": p,
        "alternative": alternative,
        "degrees_of_freedom": 5 if letter == "t" else (10, 5),
        "difference": difference,
    }
    none = dict.fromkeys(("standard_error", "interval", "confidence_level"))
    return _of_folds(f"5x2cv {letter}", 10, names, assumes, fields, none)


@public("csig.classical")
@documented
def cv52_t_test(
    a: ArrayLike,
    b: ArrayLike | None = None,
    *,
    alternative: Alternative = "two-sided",
    names: tuple[str, str] = ("A", "B"),
) -> TestResult:
    """The 5x2cv t test: five replications of two-fold cross-validation.

    Parameters
    ----------
    %(replications)s
    %(alternative)s
    %(names)s

    Returns
    -------
    TestResult
        With `difference`, the mean of all ten, `degrees_of_freedom` and `n_folds`; the standard
        error and the interval are None. t = 0 and p = 1 if all differences are zero.

    Raises
    ------
    InputError
        A score is not finite, there are not five rows of two, or nothing varies within them.

    Notes
    -----
    Dietterich (1998): t = p_11 / sqrt(sum s_i^2 / 5), with five degrees of freedom,
    where s_i^2 = (p_i1 - p_i2)^2 / 2. The numerator is the first of the ten differences alone,
    so the result depends on the order of the folds; :func:`cv52_f_test` has no such order.

    Examples
    --------
    >>> d = [[0.02, 0.01], [0.03, 0.00], [0.01, 0.02], [0.04, 0.02], [0.01, 0.01]]
    >>> round(cv52_t_test(d).statistic, 6)  # 0.02 / sqrt(0.00075 / 5)
    1.632993
    """
    return _cv52("t", a, b, alternative, names)


@public("csig.classical")
@documented
def cv52_f_test(
    a: ArrayLike, b: ArrayLike | None = None, *, names: tuple[str, str] = ("A", "B")
) -> TestResult:
    """The combined 5x2cv F test: all ten differences of five two-fold cross-validations.

    Parameters
    ----------
    %(replications)s
    %(names)s

    Returns
    -------
    TestResult
        Always two-sided; F = 0 and p = 1 if all differences are zero.

    Raises
    ------
    InputError
        As in :func:`cv52_t_test`.

    Notes
    -----
    Alpaydin (1999), Neural Computation 11(8): f = sum p_ij^2 / (2 sum s_i^2), with 10 and 5
    degrees of freedom.

    Examples
    --------
    >>> d = [[0.02, 0.01], [0.03, 0.00], [0.01, 0.02], [0.04, 0.02], [0.01, 0.01]]
    >>> round(cv52_f_test(d).statistic, 6)  # 0.0041 / 0.0015
    2.733333
    """
    return _cv52("F", a, b, "two-sided", names)
