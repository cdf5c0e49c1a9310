"""The Wilcoxon signed-rank test, exact with ties and zeros."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

import numpy as np

from csig.comparison import Comparison
from csig.differences import Differences, differences_of, moments
from csig.docs import documented
from csig.errors import InputError
from csig.metrics import Metric
from csig.paired import normal_pvalue
from csig.tested import TestResult
from csig.validation import Alternative, checked, one_of
from csig.wording import count, counted, pvalue

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["RankMethod", "ZeroMethod", "wilcoxon_test"]

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

_ASSUMES = (
    "The units are independent, and under the null hypothesis their differences are symmetric "
    "around zero: a difference of any size is as likely to favor one system as the other."
)


class _Ranks(NamedTuple):
    """Signed ranks of the differences that are not zero, and rank sums of zeros, all doubled."""

    signed: NDArray[np.int64]
    sizes: NDArray[np.int64]  # units with each
    split: int  # of zeros, to be shared by both systems
    split_squares: int
    n_zero: int  # of all units
    ties: bool

    @property
    def sums(self) -> tuple[int, int, int]:
        """Of the signed ranks, of the ranks, and of their squares."""
        signed, squares = moments(self.signed, self.sizes)
        return signed, moments(np.abs(self.signed), self.sizes)[0], squares

    def steps(self) -> NDArray[np.int64]:
        """One row for each unit, as the lattice takes them."""
        if int(self.sizes.sum()) > MOST:
            raise MemoryError("so many ranks are not laid out one by one")
        ranks = np.repeat(self.signed, self.sizes)
        return np.stack([ranks, np.zeros_like(ranks)], axis=1)


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
    steps: NDArray[np.int64], sum_: int, alternative: Alternative, midp: bool
) -> tuple[float, float]:
    """The p-value, and its logarithm, of a sum of integers with random signs."""
    from csig.engines import lattice

    middle = alternative == "two-sided" and sum_ == 0
    if middle and not midp:
        return 1.0, 0.0
    threshold = {"greater": sum_, "less": -sum_, "two-sided": abs(sum_)}[alternative]
    # P(T >= t) - P(T = t) / 2 is the mean of P(T >= t) and P(T > t): a sum, and no difference.
    found = [
        lattice.tail(steps, (sum_, 1, 0, 1), Fraction(t))
        for t in range(threshold, threshold + 1 + midp)
    ]
    if any(own.error_bound > BOUNDED for own in found):
        raise MemoryError("the error of the lattice cannot be bounded")
    first = found[0].exponent
    if middle:  # one outcome, not two: 1 - P(T = 0) / 2, and P(T >= 0) is (1 + P(T = 0)) / 2
        p = 1.5 - math.ldexp(found[0].mantissa, first)
        return p, math.log(p)
    mantissa = math.fsum(
        math.ldexp(own.mantissa, max(own.exponent - first, -1100)) for own in found
    )
    exponent = first + (alternative == "two-sided") - midp
    log = min(0.0, math.log(mantissa) + exponent * math.log(2))
    return min(1.0, math.ldexp(mantissa, max(exponent, -1100))), log


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
        Units without a difference: left out before ranking (Wilcoxon 1945); ranked, and their ranks
        left out (Pratt 1959); or ranked, with half of their ranks for each system, and one of
        them left out before if their number is odd (Demsar 2006), which scipy keeps.
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

    References
    ----------
    Wilcoxon (1945), Biometrics Bulletin 1(6). Pratt (1959), JASA 54. Demsar (2006), JMLR 7,
    section 3.1.3.

    Examples
    --------
    Darwin's 15 pairs of maize, in eighths of an inch:

    >>> import csig
    >>> d = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]
    >>> result = csig.wilcoxon_test(csig.Comparison.from_scores(d, [0] * 15))
    >>> result
    <TestResult mean: rank sums 96 (A) and 24 (B), p = 0.0413 (exact, 15 items)>
    """
    one_of("zero_method", zero_method, get_args(ZeroMethod))
    one_of("method", method, get_args(RankMethod))
    checked(alternative, None, method, continuity)
    own = differences_of(comparison, metric, "Wilcoxon test")
    ranks = _ranks(own, zero_method)
    sum_, total, squares = ranks.sums
    z = 0.0
    if total:
        nearer = {"two-sided": 2 * ((sum_ > 0) - (sum_ < 0)), "greater": 2, "less": -2}[alternative]
        z = (sum_ - nearer * continuity) / math.sqrt(squares + ranks.split_squares)
    used, p, log = _pvalue(ranks, sum_, z, alternative, method)
    of_a, of_b = (((total + sign * sum_) // 2 + ranks.split / 2) / 2 for sign in (1, -1))
    enough = " There are enough of them for the normal distribution."
    sums = f"rank sums {of_a:.12g} ({own.names[0]}) and {of_b:.12g} ({own.names[1]})"
    return TestResult(
        test="Wilcoxon",
        statistic=of_a,
        pvalue=p,
        alternative=alternative,
        assumes=_ASSUMES + (enough if used == "asymptotic" else ""),
        details={
            **own.named,
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
        },
        names=own.names,
        line=f"{own.metric.name}: {sums}, p = {pvalue(p, log)} ({used}, "
        f"{counted(own.n, own.unit)})",
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
            steps = ranks.steps()
            base, threshold = (sum_, 1, 0, 1), Fraction(abs(sum_))
            if asked or lattice.cost(steps, base, threshold) <= BUDGET:
                return exact, *_exact(steps, sum_, alternative, exact == "mid-p")
        except MemoryError:
            if asked:
                raise InputError(
                    f"method {method!r}: the distribution of {count(int(ranks.sizes.sum()))} ranks "
                    f"does not fit the memory; use method='asymptotic', or csig.randomization_test"
                ) from None
    from scipy.special import log_ndtr

    log = float(log_ndtr(z if alternative == "less" else -abs(z) if two_sided else -z))
    return "asymptotic", normal_pvalue(z, alternative), min(0.0, log + math.log(1 + two_sided))
