"""The p-values of two systems over many data sets, by every test that csig has for them.

A test sees a pair's own scores and nothing of other systems, but for the two that say otherwise:
"ranks" compares ranks among all systems, and "anova" takes the variance from all of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from csig.base import wording
from csig.base.errors import InputError
from csig.base.shown import ShownRows
from csig.base.wording import counted
from csig.classical.paired import ZeroMethod, paired_t_test, sign_test, wilcoxon_test
from csig.comparing.randomization import randomization_test
from csig.data.comparison import Comparison
from csig.data.fixed_point import PairIntegers, to_integers
from csig.data.several import DatasetTable
from csig.probability import corrections, tables
from csig.probability.alike import alike, all_alike, log
from csig.probability.binomial import sign_tails
from csig.probability.corrections import MOST_PARTED, bergmann_hommel, exhaustive_sets
from csig.probability.student import dunnett_quantile, dunnett_tail, range_quantile, range_tail
from csig.systems.ranking import check_all_pairs, factor_of_all

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: How two systems are compared over data sets.
DatasetTest: TypeAlias = Literal[
    "wilcoxon", "sign", "t", "randomization", "within", "ranks", "anova"
]


@dataclass
class Shuffles:
    """How randomization tests shuffle, and how many of them did."""

    options: dict[str, Any]
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
    sign: int,
) -> PairTest:
    """One of the tests that look at a pair's own scores only, two-sided."""
    # The sign is -1 if lower scores are better, which says what is a win. The t test raises an
    # error if all differences are the same.
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
        return PairTest(signs.pvalue, log(signs.pvalue), signs.n_a - signs.n_b, wins, note)
    if test == "t":
        t = paired_t_test(comparison)
        return PairTest(t.pvalue, log(t.pvalue), float(t.difference or 0), t.statistic)
    swapped = randomization_test(comparison, "mean", **shuffles.options)
    drawn: str = swapped.method
    if swapped.n_resamples is not None:
        shuffles.used += 1
        drawn = f"{swapped.n_resamples:,} shuffles"
    means = table.scores.mean(axis=0)
    return PairTest(
        swapped.pvalue, swapped.log_pvalue, swapped.statistic, float(means[j] - means[k]), drawn
    )


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
        """The p-values of one more test; without logarithms they are rounded."""
        if logs is None:
            pvalues = all_alike(pvalues)
            with np.errstate(divide="ignore"):
                logs = all_alike(np.log(pvalues))
        self.pvalues[test], self.ahead[test], self.logs[test] = pvalues, ahead, logs


#: Beyond as many pairs, tests of pairs that are not asked for are left out.
MANY_PAIRS = 105

#: The same of tests on units, counted for all pairs together.
MANY_UNITS = 2**14

#: Beyond as many data sets whose scores are on no grid a randomization test takes its time.
MANY_OFF_GRID = 30


def pair_table(
    table: DatasetTable,
    ranks: NDArray[np.float64],
    places: list[tuple[int, int]],
    chosen: DatasetTest,
    *,
    sign: int,
    zero_method: ZeroMethod,
    shuffles: Shuffles,
    notify: Callable[[int, int], object] | None,
) -> PairTable:
    """The p-values of all pairs, by the chosen test and by those beside it that cost little."""
    from scipy.special import stdtr

    pairs, n_pairs = PairTable(places), len(places)
    one, few = n_pairs == 1, n_pairs <= MANY_PAIRS
    tests: list[DatasetTest] = ["wilcoxon", "sign", "t"]
    quick = one or (few and (table.exact or len(table.datasets) <= MANY_OFF_GRID))
    if quick or chosen == "randomization":
        tests.append("randomization")
    quick = table.units is not None and (one or n_pairs * table.sizes.sum() <= MANY_UNITS)
    if quick or chosen == "within":
        tests.append("within")
    differences = None if one else _differences(table, places)
    for i, test in enumerate(tests):

        def part(done: int, i: int = i) -> None:
            if notify is not None:
                notify(i * n_pairs + done, len(tests) * n_pairs)

        numbers = np.full((3, n_pairs), np.nan)
        if differences is not None and test in ("wilcoxon", "sign", "t"):
            numbers[:] = _in_bulk(test, *differences, zero_method)
        left = np.flatnonzero(np.isnan(numbers[0])).tolist()
        for done, place in enumerate(left, n_pairs - len(left)):
            j, k = places[place]
            part(done)
            try:
                own = pair_test(
                    test, table, j, k, zero_method=zero_method, shuffles=shuffles, sign=sign
                )
            except InputError:
                if test != "t":
                    raise
                if test != chosen:  # which is infinite if all differences are the same
                    break
                raise InputError(
                    f"{table.names[j]} and {table.names[k]}: all {len(table.datasets):,} data sets "
                    "have the same difference, and a t test needs some that vary; use 'wilcoxon'"
                ) from None
            numbers[:, place] = own.pvalue, own.ahead, own.log_pvalue
            if one:
                pairs.single[test] = own
        else:
            pvalues, ahead, logs = numbers
            pairs.add(test, pvalues, ahead * sign, logs)
        part(n_pairs)
    _by_ranks(pairs, table, ranks)
    scores = tables.near_one(table.scores)
    anova = tables.repeated_anova(scores)
    if anova is not None:  # differences of means, in standard errors that all systems share
        j, k = np.array(places).T
        means = scores.mean(axis=0) * sign
        error = math.sqrt(2 * anova.mean_square / len(scores))
        t = (means[j] - means[k]) / error if error else np.zeros(n_pairs)
        pairs.add("anova", np.minimum(1.0, 2 * stdtr(anova.df[1], -np.abs(t))), t)
    elif chosen == "anova":
        raise InputError(
            "pairs by 'anova': all systems differ by the same on every data set, and nothing "
            "is left to compare that with; use 'wilcoxon'"
        )
    return pairs


def _differences(
    table: DatasetTable, places: list[tuple[int, int]]
) -> tuple[NDArray[np.int64], list[int] | None]:
    """As integers, (data sets, pairs), and what each pair's are not known by; None if exact."""
    j, k = np.array(places).T
    if table.exact:
        return table.steps[:, j] - table.steps[:, k], None
    columns = [table.column(i) for i in range(len(table.names))]
    known = PairIntegers(columns)
    integers = [
        known.of(one, other) or to_integers(columns[one], columns[other]) for one, other in places
    ]
    return np.stack([pair.a - pair.b for pair in integers], 1), [pair.tau for pair in integers]


def _in_bulk(
    test: DatasetTest,
    differences: NDArray[np.int64],
    bands: list[int] | None,
    zero_method: ZeroMethod,
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """P-values, NaN where a pair is to be tested alone; which system they speak for; logarithms."""
    from scipy.special import stdtr

    n, n_pairs = differences.shape
    if test == "wilcoxon":
        pvalues, sums = tables.rank_sum_tests(differences, zero_method, bands)
        return pvalues, sums.astype(np.float64), all_alike(np.log(pvalues))
    if test == "sign":
        wins, losses = (differences > 0).sum(axis=0), (differences < 0).sum(axis=0)
        pvalues, logs = sign_tails(wins, losses)
        return pvalues, (wins - losses).astype(np.float64), logs
    band = np.array([0] if bands is None else bands)
    # Large integers that nearly agree are subtracted before they are rounded.
    first = differences[:1] if bands is not None else np.zeros_like(differences[:1])
    own = (differences - first).astype(np.float64)
    means = own.mean(axis=0)
    errors = np.sqrt(((own - means) ** 2).sum(axis=0) / (n - 1) / n)
    means += first[0]
    some = np.abs(differences).max(axis=0) > band
    varies = np.ptp(differences, axis=0) > band
    t = np.divide(means, errors, out=np.zeros(n_pairs), where=some & varies)
    pvalues = np.where(some, all_alike(np.minimum(1.0, 2 * stdtr(n - 1, -np.abs(t)))), 1.0)
    pvalues[some & ~varies] = np.nan
    with np.errstate(divide="ignore"):
        return pvalues, means, all_alike(np.log(pvalues))


def _by_ranks(pairs: PairTable, table: DatasetTable, ranks: NDArray[np.float64]) -> None:
    """Average ranks in their standard errors, without ties and with them; and t on ranks."""
    from scipy.special import log_ndtr, ndtr, stdtr

    places = j, k = tuple(np.array(pairs.places).T)
    n_sets, n = ranks.shape
    centred = ranks - (n + 1) / 2
    sums = centred.sum(axis=0)
    ahead = sums[k] - sums[j]
    spread = float((centred**2).sum())
    for test, squares in (("ranks", n_sets * n * (n * n - 1) / 12), ("ranks-ties", spread)):
        z = ahead / math.sqrt(2 * squares / (n - 1)) if squares else np.zeros(len(j))
        logs = all_alike(np.minimum(0.0, log_ndtr(-np.abs(z)) + math.log(2)))
        pairs.add(test, all_alike(np.minimum(1.0, 2 * ndtr(-np.abs(z)))), z, logs)
    scores = {"conover": centred, "quade": tables.quade_scores(ranks, table.ranges)}
    for test, own in scores.items():
        t = tables.pair_t(own)
        if t is not None:
            df = (n - 1) * (n_sets - 1)
            pairs.add(test, np.minimum(1.0, 2 * stdtr(df, -np.abs(t[places]))), -t[places])


@dataclass(frozen=True)
class OverallTest(ShownRows):
    """A test of all systems at once, or of two."""

    #: Of all systems "friedman", "friedman-ties", "iman-davenport", "iman-davenport-ties", "quade",
    #: "quade-chi2", "aligned-ranks", "anova", "anova-greenhouse-geisser", "anova-huynh-feldt". Of
    #: two "wilcoxon", "sign", "t", "randomization", "within".
    name: str
    statistic: float  #: The test's own.
    #: One degree of freedom for chi-square and t, two for F, none for exact tests.
    degrees_of_freedom: tuple[float, ...]
    pvalue: float  #: Two-sided, where there are sides.
    note: str = ""  #: What else there is to know of it.


def overall_tests(table: DatasetTable, ranks: NDArray[np.float64]) -> list[OverallTest]:
    """Friedman's test and what is like it, for two systems or more, by midranks in data sets."""
    n, k = ranks.shape
    centred = ranks - (k + 1) / 2
    plain, tied = tables.rank_chi2(centred, ties=False), tables.rank_chi2(centred)
    quade = tables.rank_chi2(tables.quade_scores(ranks, table.ranges))
    sizes = np.unique(ranks[0], return_counts=True)[1]
    orders = math.factorial(k) // math.prod(map(math.factorial, sizes.tolist()))

    def f_of(name: str, chi2: tables.RankTest, note: str) -> OverallTest:
        f = tables.f_form(chi2.statistic, n, k, orders)
        if not np.isfinite(f.statistic):
            note = "every data set orders the systems alike: p is the probability of that"
        return OverallTest(name, *f, note)

    tests = [
        OverallTest("friedman", *plain, "chi-square, as if no ranks were tied (Demsar 2006)"),
        OverallTest(
            "friedman-ties", *tied, "chi-square with the variance of the ranks as they are"
        ),
        f_of("iman-davenport", plain, "F of the first chi-square (Iman and Davenport 1980)"),
        f_of("iman-davenport-ties", tied, "F of the chi-square with ties"),
        f_of("quade", quade, "data sets weighted by the rank of their range (Quade 1979)"),
        OverallTest("quade-chi2", *quade, "the same as chi-square"),
        OverallTest(
            "aligned-ranks", *tables.rank_chi2(tables.aligned_scores(table.steps)),
            "ranks among all scores minus their data set's mean (Hodges and Lehmann 1962)",
        ),
    ]  # fmt: skip
    anova = tables.repeated_anova(tables.near_one(table.scores))
    if anova is not None:
        notes = (
            "repeated measures; normal scores whose differences have equal variances",
            f"its degrees of freedom times epsilon = {anova.epsilons[0]:.3f}",
            f"its degrees of freedom times epsilon = {anova.epsilons[1]:.3f}",
        )
        names = ("anova", "anova-greenhouse-geisser", "anova-huynh-feldt")
        forms = zip(names, (1.0, *anova.epsilons), notes, strict=True)
        tests += [
            OverallTest(name, anova.statistic, *anova.corrected(share), note)
            for name, share, note in forms
        ]
    return tests


#: How p-values are adjusted for the number of pairs.
DatasetsCorrection: TypeAlias = Literal[
    "holm", "bonferroni", "shaffer", "bergmann-hommel", "bh", "by", "nemenyi", "tukey", "dunnett"
]

#: Of more systems the distributions of Tukey and Dunnett take seconds: only where asked for.
MANY_SYSTEMS = 50

#: Corrections of one test only, and whether it is for all pairs.
OF_ONE_TEST = {"nemenyi": ("ranks", True), "tukey": ("anova", True), "dunnett": ("anova", False)}


def check_correction(
    correction: DatasetsCorrection, test: DatasetTest, n_systems: int, baseline: str | None
) -> None:
    """Refuse corrections that do not go with the test, or with a baseline."""
    if correction in OF_ONE_TEST:
        needed, all_pairs = OF_ONE_TEST[correction]
        if test != needed:
            raise InputError(
                f"correction {correction!r} goes with pairs tested by {needed!r}, found {test!r}; "
                "'holm' goes with every test"
            )
        if all_pairs != (baseline is None):
            other = "'dunnett'" if correction == "tukey" else "'holm'"
            way = f"{other} compares with a baseline" if all_pairs else "give one, or use 'tukey'"
            raise InputError(
                f"correction {correction!r} is for "
                f"{'all pairs' if all_pairs else 'comparisons with a baseline'}; {way}"
            )
    check_all_pairs(correction, baseline)
    if correction == "bergmann-hommel":
        exhaustive_sets(n_systems)


def _adjusted(
    pvalues: NDArray[np.float64], logs: NDArray[np.float64], correction: str, n_systems: int
) -> NDArray[np.float64]:
    if correction == "bergmann-hommel":
        return bergmann_hommel(pvalues, n_systems)
    return corrections.adjusted(pvalues, logs, correction, n_systems=n_systems)[0]  # type: ignore[arg-type]


def adjusted_by(
    pairs: PairTable, correction: DatasetsCorrection, n_systems: int, n_datasets: int, *,
    all_pairs: bool,
) -> dict[str, NDArray[np.float64]]:  # fmt: skip
    """Adjusted p-values by procedure; see `DatasetPair.adjusted_by` for their names."""
    general = "holm" if correction in OF_ONE_TEST else correction
    by_procedure = {
        test: _adjusted(own, pairs.logs[test], general, n_systems)
        for test, own in pairs.pvalues.items()
    }
    own, logs = pairs.pvalues["ranks"], pairs.logs["ranks"]
    by_procedure["ranks-holm"] = _adjusted(own, logs, "holm", n_systems)
    if all_pairs:
        for test, name in (("ranks", "nemenyi"), ("ranks-ties", "nemenyi-ties")):
            z = np.abs(pairs.ahead[test])
            by_procedure[name] = range_tail(math.sqrt(2) * z, n_systems)
        if n_systems <= corrections.MOST_SYSTEMS:
            by_procedure["ranks-shaffer"] = _adjusted(own, logs, "shaffer", n_systems)
        if n_systems <= MOST_PARTED:
            by_procedure["ranks-bergmann-hommel"] = _adjusted(
                own, logs, "bergmann-hommel", n_systems
            )
    else:
        by_procedure["bonferroni-dunn"] = np.minimum(1.0, own * len(own))
    name = "tukey" if all_pairs else "dunnett"
    if "anova" in pairs.ahead and (n_systems <= MANY_SYSTEMS or correction == name):
        t, df = np.abs(pairs.ahead["anova"]), (n_systems - 1) * (n_datasets - 1)
        if all_pairs:
            by_procedure[name] = range_tail(math.sqrt(2) * t, n_systems, df)
        else:
            by_procedure[name] = dunnett_tail(t, n_systems - 1, df)
    return by_procedure


def critical_difference(procedure: str, alpha: float, n_systems: int, n_datasets: int) -> float:
    """The least difference of two average ranks that is significant."""
    # "nemenyi" is of all pairs, the others of all systems beside one: by Bonferroni's inequality,
    # or by the joint distribution of ranks that have one system in common.
    from scipy.special import ndtri

    error = math.sqrt(n_systems * (n_systems + 1) / (6 * n_datasets))
    if procedure == "nemenyi":
        return range_quantile(alpha, n_systems) / math.sqrt(2) * error
    if procedure == "dunnett":
        return dunnett_quantile(alpha, n_systems - 1) * error
    return alike(-float(ndtri(alpha / (2 * (n_systems - 1)))) * error)


#: Friedman's chi-square needs more data sets than this, and more systems (Demsar 2006).
FEW_DATASETS, FEW_SYSTEMS = 10, 5

#: With as many data sets its rate at 0.05 is 0.045 to 0.055, however few systems there are.
MANY_DATASETS = 30


def is_rough(n_datasets: int, n_systems: int) -> bool:
    """Whether Friedman's chi-square is a rough approximation with so many."""
    few = n_systems <= FEW_SYSTEMS and n_datasets <= MANY_DATASETS
    return n_systems > 2 and (n_datasets <= FEW_DATASETS or few)


def doubts(
    table: DatasetTable,
    test: DatasetTest,
    correction: DatasetsCorrection,
    alpha: float,
    *,
    n_pairs: int,
    n_shuffled: int,
    n_against: int,
) -> tuple[str, ...]:
    """What to know before believing the verdicts."""
    n = len(table.scores)
    least = 2.0 ** (1 - n)  # the smallest p-value that signs of so many data sets can have
    reasons = {}
    if table.units is not None:
        reasons["repeated-names"] = units_in(table.sizes.tolist())
    if bool((table.scores == table.scores[:, :1]).all()):
        reasons["same-scores"] = "All systems have the same scores: nothing can differ."
    on_signs = test in ("wilcoxon", "sign", "randomization")
    if on_signs and least * factor_of_all(correction, n_pairs) > alpha:
        of_pairs = f"none of {counted(n_pairs, 'pair')} can be significant at {alpha:g} after the "
        reasons["too-few-datasets"] = (
            f"With {counted(n, 'data set')} no p-value of a pair can be below {least:.3g}: "
            + (f"{of_pairs}correction {correction}" if n_pairs > 1 else f"it is above {alpha:g}")
            + ", whatever the scores. More data sets are needed."
        )
    if n_against and test in ("wilcoxon", "sign", "ranks"):
        reasons["against-the-mean"] = (
            f"The better system of {counted(n_against, 'significant pair')} has the worse mean: "
            "large differences on a few data sets contradict the others, and tests on signs and "
            "ranks are not about means."
        )
    if test == "ranks":
        reasons["average-ranks"] = (
            "Average ranks among all systems: whether two of them differ depends on which others "
            "are in the table (Benavoli, Corani and Mangili 2016)."
        )
    if correction in ("shaffer", "bergmann-hommel") and test not in ("ranks", "t", "anova"):
        reasons["transitive-equality"] = (
            f"The correction {correction} takes from 'j equals k, and k equals l' that j equals l. "
            "That follows if equal systems are interchangeable, not if their differences are only "
            "symmetric; the correction holm needs neither."
        )
    if n_shuffled and test in ("randomization", "within"):
        reasons["drawn"] = (
            f"{counted(n_shuffled, 'p-value')} of pairs are from shuffles, not exact."
        )
    return tuple(wording.doubts(reasons))


def sizes_in_words(sizes: Sequence[int]) -> str:
    """The least and the largest, or both as one."""
    low, high = min(sizes), max(sizes)
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def units_in(sizes: Sequence[int]) -> str:
    """That names of data sets repeat, which makes the scores those of units."""
    return (
        f"Names of data sets repeat: {counted(sum(sizes), 'unit')} in "
        f"{counted(len(sizes), 'data set')} of {sizes_in_words(sizes)} each; the score of a data "
        "set is their mean."
    )


def overall_doubts(n_systems: int, n_datasets: int) -> tuple[str, ...]:
    """What to know of the tests of all systems at once; no verdict on a pair rests on them."""
    if not is_rough(n_datasets, n_systems):
        return ()
    said = (
        f"With {counted(n_datasets, 'data set')} and {counted(n_systems, 'system')} Friedman's "
        f"chi-square is a rough approximation; as a rule it takes more than {FEW_DATASETS} data "
        f"sets and more than {FEW_SYSTEMS} systems (Demsar 2006). The F of Iman and "
        "Davenport is closer."
    )
    return tuple(wording.coded("rough-chi-square", [said]))


def advice_on(n_systems: int, n_datasets: int, has_units: bool) -> tuple[str, ...]:
    """Which test to trust, in short sentences with their sources."""
    advice = [
        "Wilcoxon's signed-rank test on the scores of two systems, with Holm's correction, is the "
        "default: it weighs differences by their order only, so that no single data set decides "
        "(Demsar 2006), and a pair's verdict does not depend on other systems (Benavoli, Corani "
        "and Mangili 2016).",
        "It assumes that the differences of equal systems are symmetric around zero, and so does "
        "swapping data sets. Skewed differences can make Wilcoxon's test significant although "
        "their mean is zero.",
        "Do not average scores over data sets that are not comparable: one with large differences "
        "outweighs all others. Average ranks avoid this (Demsar 2006).",
        "t tests and analysis of variance need differences that are nearly normal, and the second "
        "equal variances of all differences; over data sets neither is likely (Demsar 2006).",
        "The sign test assumes only that data sets are independent, and has much less power than "
        "Wilcoxon's (Demsar 2006). It asks which system is better more often, not by how much.",
    ]
    if n_systems > 2:
        advice += [
            "Friedman's test asks whether any systems differ; report the F of Iman and "
            "Davenport, because the chi-square is conservative (Demsar 2006). Pairs can be tested "
            "without it: the correction is enough.",
            "Nemenyi's test, and all tests on average ranks, can tell two systems apart or not "
            "depending on which others are in the table: use them for the diagram, not for "
            "verdicts (Benavoli, Corani and Mangili 2016).",
            "T on ranks after Friedman's test (Conover 1999) has p-values that are too small where "
            "other systems differ clearly, and no correction mends that.",
            "Shaffer and Bergmann-Hommel have more power than Holm, and Holm more than Nemenyi "
            "(Garcia and Herrera 2008); the first two assume that equality is transitive.",
        ]
    if has_units:
        advice.append(
            "Swapping data sets asks whether a difference would hold on other data sets like "
            "these; swapping units within them, whether it would hold on other units of these "
            "data sets. The second usually has a smaller p-value, and says nothing about "
            "other data sets."
        )
    return tuple(advice)
