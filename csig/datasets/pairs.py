"""The p-values of two systems over many data sets, by every test that csig has for them.

A test sees a pair's own scores and nothing of other systems, but for the two that say otherwise:
"ranks" compares ranks among all systems, and "anova" takes the variance from all of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

import numpy as np

from csig.base.errors import InputError
from csig.classical.paired import ZeroMethod, paired_t_test, sign_test, wilcoxon_test
from csig.comparing.randomization import randomization_test
from csig.data.comparison import Comparison
from csig.data.several import DatasetTable
from csig.probability.binomial import sign_tails
from csig.probability.tables import (
    MOST_UNITS,
    near_one,
    pair_t,
    quade_scores,
    rank_sum_tests,
    repeated_anova,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: How two systems are compared over data sets.
DatasetTest: TypeAlias = Literal[
    "wilcoxon", "sign", "t", "randomization", "within", "ranks", "anova"
]
TESTS: tuple[DatasetTest, ...] = get_args(DatasetTest)


@dataclass
class Shuffles:
    """How randomization tests shuffle, and how many of them did."""

    options: dict[str, Any] = field(default_factory=dict)
    used: int = 0


@dataclass(frozen=True)
class PairTest:
    """One test of one pair."""

    pvalue: float  #: pvalue, log_pvalue: two-sided, and its natural logarithm.
    log_pvalue: float
    ahead: float  #: Positive if it speaks for the first system, negative for the second.
    statistic: float  #: The test's own.
    said: str = ""  #: What else there is to say, for a test of two systems only.


def pair_test(
    test: DatasetTest,
    table: DatasetTable,
    j: int,
    k: int,
    *,
    zero_method: ZeroMethod,
    shuffles: Shuffles,
    sign: int = 1,
) -> PairTest:
    """One of the tests that look at a pair's own scores only, two-sided.

    The sign is -1 if lower scores are better, which says what is a win. The t test raises an error
    if all differences are the same.
    """
    # "within" swaps the units of every data set, the others whole data sets.
    scores = table.weighted if test == "within" else table.column
    names = table.names[j], table.names[k]
    comparison = Comparison.from_scores(scores(j), scores(k), names=names)
    if test == "wilcoxon":
        ranked = wilcoxon_test(comparison, zero_method=zero_method)
        a, b = ranked.rank_sum_a, ranked.rank_sum_b
        asymptotic = math.erfc(abs(ranked.z) / math.sqrt(2))
        note = (
            f"rank sums {a:.12g} and {b:.12g}; z = {ranked.z:.3f}, for which the normal "
            f"distribution has p = {asymptotic:.3g}"
        )
        return PairTest(ranked.pvalue, ranked.log_pvalue, a - b, min(a, b), note)
    if test == "sign":
        signs = sign_test(comparison)
        wins, losses = (signs.n_a, signs.n_b)[::sign]
        ties = len(table.datasets) - wins - losses
        note = f"{wins:,} wins and {losses:,} losses"
        if ties:
            note += f"; with ties shared {wins + ties / 2:g} and {losses + ties / 2:g}"
        return PairTest(signs.pvalue, _log(signs.pvalue), signs.n_a - signs.n_b, wins, note)
    if test == "t":
        t = paired_t_test(comparison)
        return PairTest(t.pvalue, _log(t.pvalue), float(t.difference or 0), t.statistic)
    swapped = randomization_test(comparison, "mean", **shuffles.options)
    drawn: str = swapped.method
    if swapped.n_resamples is not None:
        shuffles.used += 1
        drawn = f"{swapped.n_resamples:,} shuffles"
    means = table.scores.mean(axis=0)
    return PairTest(
        swapped.pvalue, swapped.log_pvalue, swapped.statistic, float(means[j] - means[k]), drawn
    )


def _log(pvalue: float) -> float:
    return math.log(pvalue) if pvalue > 0 else -math.inf


@dataclass(frozen=True, eq=False)
class PairTable:
    """All pairs that are compared, by every test; arrays have one entry for each pair."""

    places: list[tuple[int, int]]  #: The systems.
    #: pvalues, logs: of every pair alone, and their natural logarithms.
    pvalues: dict[str, NDArray[np.float64]] = field(default_factory=dict)
    logs: dict[str, NDArray[np.float64]] = field(default_factory=dict)
    #: Positive where the test speaks for the first system.
    ahead: dict[str, NDArray[np.float64]] = field(default_factory=dict)
    #: Of two systems: what there is to say of each test.
    single: dict[str, PairTest] = field(default_factory=dict)

    def add(
        self, test: str, pvalues: NDArray[np.float64], ahead: NDArray[np.float64],
        logs: NDArray[np.float64] | None = None,
    ) -> None:  # fmt: skip
        """The p-values of one more test."""
        with np.errstate(divide="ignore"):
            self.logs[test] = np.log(pvalues) if logs is None else logs
        self.pvalues[test], self.ahead[test] = pvalues, ahead


#: Tests of a pair's own scores.
ALONE: tuple[DatasetTest, ...] = ("wilcoxon", "sign", "t", "randomization", "within")

#: P-values, what is positive where they speak for the first system, and logarithms.
_Arrays: TypeAlias = "tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]"

#: Beyond as many pairs, tests of pairs that are not asked for are left out.
MANY_PAIRS = 105

#: The same of tests on units, counted for all pairs together.
MANY_UNITS = 2**14

#: Beyond as many data sets whose scores are on no grid a randomization test takes its time.
MANY_DATASETS = 30


def pair_table(
    table: DatasetTable,
    ranks: NDArray[np.float64],
    places: list[tuple[int, int]],
    chosen: DatasetTest,
    *,
    sign: int,
    zero_method: ZeroMethod,
    shuffles: Shuffles,
    notify: Callable[[int, int], object] | None = None,
) -> PairTable:
    """The p-values of all pairs, by the chosen test and by those beside it that cost little.

    Ranks are midranks within the data sets, 1 is the best.
    """
    pairs, n_pairs = PairTable(places), len(places)
    cheap = ["wilcoxon", "sign", "t"]
    few = n_pairs <= MANY_PAIRS
    if few and (table.exact or len(table.datasets) <= MANY_DATASETS or n_pairs == 1):
        cheap.append("randomization")
    if table.units is not None and (n_pairs == 1 or n_pairs * table.sizes.sum() <= MANY_UNITS):
        cheap.append("within")
    tests = [test for test in ALONE if test in cheap or test == chosen]
    for i, test in enumerate(tests):

        def part(done: int, i: int = i) -> None:
            if notify is not None:
                notify(i * n_pairs + done, len(tests) * n_pairs)

        arrays = _in_bulk(test, table, places, zero_method) if n_pairs > 1 else None
        if arrays is None:
            arrays = _one_by_one(
                pairs, test, table, chosen, sign=sign, zero_method=zero_method, shuffles=shuffles,
                notify=part,
            )  # fmt: skip
        if arrays is not None:
            pvalues, ahead, logs = arrays
            pairs.add(test, pvalues, ahead * sign, logs)
        part(n_pairs)
    _by_ranks(pairs, ranks)
    _by_rank_t(pairs, table, ranks)
    _by_anova(pairs, table, sign, chosen)
    return pairs


def _one_by_one(
    found: PairTable,
    test: DatasetTest,
    table: DatasetTable,
    chosen: DatasetTest,
    *,
    sign: int,
    zero_method: ZeroMethod,
    shuffles: Shuffles,
    notify: Callable[[int], object],
) -> _Arrays | None:
    """A test of every pair; None if it says nothing of one, and is not the chosen one."""
    numbers = []
    for j, k in found.places:
        try:
            own = pair_test(
                test, table, j, k, zero_method=zero_method, shuffles=shuffles, sign=sign
            )
        except InputError:
            if test != "t":
                raise
            if test != chosen:  # which is infinite if all differences are the same
                return None
            raise InputError(
                f"{table.names[j]} and {table.names[k]}: all {len(table.datasets):,} data sets "
                "have the same difference, and a t test needs some that vary; use 'wilcoxon'"
            ) from None
        numbers.append((own.pvalue, own.ahead, own.log_pvalue))
        if len(found.places) == 1:
            found.single[test] = own
        notify(len(numbers))
    pvalues, ahead, logs = np.array(numbers).T
    return pvalues, ahead, logs


def _in_bulk(
    test: DatasetTest,
    table: DatasetTable,
    places: list[tuple[int, int]],
    zero_method: ZeroMethod,
) -> _Arrays | None:
    """A test of all pairs at once, where that can be done; the same numbers, much sooner."""
    from scipy.special import stdtr

    if not table.exact or test not in ("wilcoxon", "sign", "t"):
        return None
    j, k = np.array(places).T
    n = len(table.datasets)
    differences = table.steps[:, j] - table.steps[:, k]
    if test == "wilcoxon" and n <= MOST_UNITS:
        pvalues, sums = rank_sum_tests(differences, zero_method)
        return pvalues, sums.astype(np.float64), np.log(pvalues)
    if test == "sign":
        wins, losses = (differences > 0).sum(axis=0), (differences < 0).sum(axis=0)
        pvalues, logs = sign_tails(wins, losses)
        return pvalues, (wins - losses).astype(np.float64), logs
    varies = (differences != differences[:1]).any(axis=0)
    if test == "t" and bool((varies | (differences[0] == 0)).all()):
        own = differences.astype(np.float64)
        means = own.mean(axis=0)
        errors = np.sqrt(((own - means) ** 2).sum(axis=0) / (n - 1) / n)
        t = np.divide(means, errors, out=np.zeros(len(j)), where=varies)
        pvalues = np.where(varies, np.minimum(1.0, 2 * stdtr(n - 1, -np.abs(t))), 1.0)
        with np.errstate(divide="ignore"):
            return pvalues, means, np.log(pvalues)
    return None


def _by_ranks(found: PairTable, ranks: NDArray[np.float64]) -> None:
    """Average ranks, in their standard errors: without ties, and with the ties that there are."""
    from scipy.special import log_ndtr, ndtr

    j, k = np.array(found.places).T
    n_sets, n = ranks.shape
    sums = (ranks - (n + 1) / 2).sum(axis=0)
    ahead = sums[k] - sums[j]
    spread = float(((ranks - (n + 1) / 2) ** 2).sum())
    for test, squares in (("ranks", n_sets * n * (n * n - 1) / 12), ("ranks-ties", spread)):
        z = ahead / math.sqrt(2 * squares / (n - 1)) if squares else np.zeros(len(j))
        logs = np.minimum(0.0, log_ndtr(-np.abs(z)) + math.log(2))
        found.add(test, np.minimum(1.0, 2 * ndtr(-np.abs(z))), z, logs)


def _by_rank_t(found: PairTable, table: DatasetTable, ranks: NDArray[np.float64]) -> None:
    """T on ranks, and on those of Quade."""
    from scipy.special import stdtr

    n_sets, n = ranks.shape
    places = tuple(np.array(found.places).T)
    scores = {"conover": ranks - (n + 1) / 2, "quade": quade_scores(ranks, table.ranges)}
    for test, own in scores.items():
        t = pair_t(own)
        if t is not None:
            df = (n - 1) * (n_sets - 1)
            found.add(test, np.minimum(1.0, 2 * stdtr(df, -np.abs(t[places]))), -t[places])


def _by_anova(found: PairTable, table: DatasetTable, sign: int, chosen: DatasetTest) -> None:
    """Differences of means, in standard errors that all systems share."""
    from scipy.special import stdtr

    scores = near_one(table.scores)
    anova = repeated_anova(scores)
    if anova is None:
        if chosen == "anova":
            raise InputError(
                "pairs by 'anova': all systems differ by the same on every data set, and nothing "
                "is left to compare that with; use 'wilcoxon'"
            )
        return
    j, k = np.array(found.places).T
    means = scores.mean(axis=0) * sign
    error = math.sqrt(2 * anova.mean_square / len(scores))
    t = (means[j] - means[k]) / error if error else np.zeros(len(j))
    found.add("anova", np.minimum(1.0, 2 * stdtr(anova.df[1], -np.abs(t))), t)
