"""Whether samples vary as the binomial model says: Evert's figures, and judges from elsewhere."""

import itertools
import math
import random
from fractions import Fraction
from typing import Any

import numpy as np
import pandas
import pyarrow
import pytest
from places import DOCS
from scipy import stats

import csig
from csig import InputError
from csig.rankings.methods import MethodPair, RankedMethods
from csig.rankings.samples import SamplePair

#: 80 samples of 100 whose pooled precision has the standard deviation of the paper, 0.044.
EVEN = [(26, 100)] * 80
RNG = np.random.default_rng(3)
SIZES = RNG.integers(40, 160, 30)
HITS = RNG.binomial(SIZES, RNG.beta(8, 18, 30))
FOUND = csig.rankings.validate_binomial({"true": HITS, "size": SIZES})

#: Samples of one size that would tell as much, and the variance of the ratio of two sums.
EFFECTIVE = SIZES.sum() ** 2 / (SIZES**2).sum()
REST = HITS - SIZES * HITS.sum() / SIZES.sum()
VARIANCE = EFFECTIVE / (EFFECTIVE - 1) * (REST**2).sum() / SIZES.sum() ** 2


def found_close(one, other):
    return one == pytest.approx(other, rel=1e-9)


@pytest.mark.parametrize(("misses", "published"), [(12, 0.00061362), (9, 0.018403)])
def test_misses_of_evert(misses, published):
    samples = [(5, 100) if i < misses else (26, 100) for i in range(80)]
    found = csig.rankings.validate_binomial(samples, 0.26)
    assert found.misses == misses
    assert found.misses_pvalue == pytest.approx(published, rel=1e-4)
    judge = stats.binomtest(misses, 80, 0.05, alternative="greater").pvalue
    assert found.misses_pvalue == pytest.approx(judge, rel=1e-10)


def test_standard_deviations_of_equal_samples_are_everts_and_the_usual_ones():
    for hits, published in ((26, 0.044), (33, 0.047)):
        found = csig.rankings.validate_binomial([(hits, 100)] * 80)
        assert found.expected_sd == pytest.approx(published, abs=0.0005)
        assert (found.ratio, found.observed_sd, found.overdispersed) == (0, 0, False)
    true = np.array([20, 35, 24, 41, 15, 27])
    found = csig.rankings.validate_binomial([(own, 50) for own in true.tolist()])
    p = true.sum() / 300
    assert found_close(found.observed_sd, np.std(true / 50, ddof=1))
    assert found_close(found.expected_sd, math.sqrt(p * (1 - p) / 50))
    assert found_close(found.ratio, found.observed_sd / found.expected_sd)
    assert found.mean_size == 50


def test_dispersion_is_the_chi_square_of_the_table():
    judge = stats.chi2_contingency([HITS, SIZES - HITS], correction=False)
    assert found_close(FOUND.dispersion, judge.statistic)
    assert found_close(FOUND.dispersion_pvalue, judge.pvalue)
    freedom = len(SIZES) - 1
    for limit, chance in zip(FOUND.ratio_interval, (0.025, 0.975), strict=True):
        at_limit = stats.chi2.sf(FOUND.dispersion / limit**2, freedom)
        assert at_limit == pytest.approx(chance, rel=1e-9)
    at_bound = stats.chi2.sf(FOUND.dispersion / FOUND.ratio_bound**2, freedom)
    assert at_bound == pytest.approx(0.05, rel=1e-9)


@pytest.mark.parametrize("level", [0.8, 0.95])
def test_the_bound_of_the_ratio_says_what_the_one_sided_test_says(level):
    """It is above 1 exactly where p is below 1 - level; the two-sided interval need not be."""
    rng = np.random.default_rng(2)
    apart = 0
    for _ in range(30):
        pairs = [(int(own), 60) for own in rng.binomial(60, rng.beta(25, 60, 8))]
        found = csig.rankings.validate_binomial(pairs, confidence_level=level)
        assert (found.ratio_bound > 1) is (found.dispersion_pvalue < 1 - level)
        assert found.ratio_interval[0] < found.ratio_bound < found.ratio
        apart += found.ratio_interval[0] <= 1 < found.ratio_bound
    assert apart > 0


def test_intervals_of_samples_and_of_all():
    judge = stats.binomtest(int(HITS.sum()), int(SIZES.sum())).proportion_ci(0.95, "exact")
    assert FOUND.interval == pytest.approx((judge.low, judge.high), rel=1e-9)
    outside = 0
    for i, (hits, size) in enumerate(zip(HITS.tolist(), SIZES.tolist(), strict=True)):
        own = stats.binomtest(hits, size).proportion_ci(0.95, "exact")
        assert (FOUND.low[i], FOUND.high[i]) == pytest.approx((own.low, own.high), rel=1e-8)
        outside += not own.low <= FOUND.precision <= own.high
    assert FOUND.misses == outside > 0
    half = stats.t.ppf(0.975, EFFECTIVE - 1) * math.sqrt(VARIANCE)
    low, high = FOUND.precision - half, FOUND.precision + half
    assert FOUND.corrected_interval == pytest.approx((low, high), rel=1e-12)


def test_kolmogorov_of_equal_samples_is_corrected_for_continuity():
    true = np.random.default_rng(2).binomial(60, 0.4, 50)
    found = csig.rankings.validate_binomial([(own, 60) for own in true.tolist()], 0.4)
    counts = np.arange(60)
    share = (true[:, None] <= counts).mean(axis=0)
    model = stats.norm.cdf((counts + 0.5 - 24) / math.sqrt(60 * 0.4 * 0.6))
    assert found.kolmogorov == pytest.approx(np.abs(share - model).max(), rel=1e-9)
    assert found_close(found.kolmogorov_pvalue, stats.kstwo.sf(found.kolmogorov, 50))


@pytest.mark.parametrize("samples", [[(0, 1), (1, 1)], [(1, 9), (3, 40), (8, 11), (2, 2)]])
def test_kolmogorov_between_the_ends_of_counts(samples):
    found = csig.rankings.validate_binomial(samples, 0.4)
    sizes = np.array(samples)[:, 1]
    points = np.linspace(-9, 9, 200_001)
    own = [
        stats.uniform.cdf(points, mid - width / 2, width)
        for mid, width in zip(found.standardized, 1 / np.sqrt(sizes * 0.24), strict=True)
    ]
    model = stats.norm.cdf(points)
    assert found.kolmogorov == pytest.approx(np.abs(np.mean(own, axis=0) - model).max(), abs=1e-4)


def test_the_histogram_has_every_sample():
    assert FOUND.counts.sum() == 30
    assert FOUND.expected_counts.sum() == pytest.approx(30, rel=1e-12)
    assert FOUND.edges[0] == -math.inf
    own = FOUND.standardized
    for i, number in enumerate(FOUND.counts.tolist()):
        assert number == ((FOUND.edges[i] <= own) & (own < FOUND.edges[i + 1])).sum()
    middle = stats.norm.cdf(0.5) - 0.5
    assert FOUND.expected_counts[FOUND.edges[:-1] == 0] == pytest.approx(30 * middle)


def test_corrected_pvalues():
    deviate = stats.norm.isf(0.005)
    wanted = 2 * stats.t.sf(deviate / FOUND.ratio, 29)
    assert FOUND.ratio > 1
    assert found_close(FOUND.corrected(0.01), wanted)
    assert FOUND.corrected(1) == 1
    even = csig.rankings.validate_binomial(EVEN)  # a ratio below 1 counts as 1
    assert found_close(even.corrected(0.01), 2 * stats.t.sf(deviate, 79))
    with pytest.raises(csig.InputError, match="pvalue must lie between 0 and 1, found 0"):
        FOUND.corrected(0)


def test_a_precision_that_was_given_is_tested():
    found = csig.rankings.validate_binomial({"true": HITS, "size": SIZES}, 0.35)
    total = int(SIZES.sum())
    deviate = (HITS.sum() - 0.35 * total) / math.sqrt(total * 0.35 * 0.65)
    assert found_close(found.pvalue, 2 * stats.norm.sf(abs(deviate)))
    binomial = FOUND.precision * (1 - FOUND.precision) / total
    assert found_close(found.pooled_ratio, math.sqrt(VARIANCE / binomial))
    deviate /= found.pooled_ratio
    assert found_close(found.corrected_pvalue, 2 * stats.t.sf(abs(deviate), EFFECTIVE - 1))
    assert found.dispersion == FOUND.dispersion
    assert math.isnan(FOUND.pvalue)
    assert math.isnan(FOUND.corrected_pvalue)


def test_confidence_levels_next_to_0_and_1():
    table = {"true": HITS, "size": SIZES}
    median = math.sqrt(FOUND.dispersion / stats.chi2.median(29))
    none = csig.rankings.validate_binomial(table, confidence_level=1e-300)
    assert none.ratio_interval == pytest.approx((median, median))
    assert none.ratio_bound == math.inf
    most = csig.rankings.validate_binomial(table, confidence_level=1 - 2**-53)
    assert most.ratio_interval[0] < most.ratio_bound < FOUND.ratio
    assert most.ratio_interval[1] == math.inf
    for found in (none, most):
        assert "inf" in found.summary()


def test_unequal_sizes_no_variation_and_few_expected_candidates_are_doubted():
    (doubt,) = csig.rankings.validate_binomial([(20, 50), (31, 50), (12, 50), (400, 900)]).doubts
    assert doubt.startswith("Sizes are very unequal: together they tell as much as 1.35 samples")
    (doubt,) = csig.rankings.validate_binomial(EVEN).doubts
    assert doubt.startswith("All samples have the same precision")
    assert FOUND.doubts == ()
    (doubt,) = csig.rankings.validate_binomial([(1, 10), (3, 10), (0, 10)]).doubts
    assert doubt.startswith("The least expected count is 1.33, below 5")


def test_pairs_and_columns_are_the_same():
    pairs = csig.rankings.validate_binomial(list(zip(HITS.tolist(), SIZES.tolist(), strict=True)))
    named = csig.rankings.validate_binomial({"TP": HITS, "n": SIZES}, true="TP", size="n")
    array = csig.rankings.validate_binomial(np.stack([HITS, SIZES], axis=1))
    assert pairs.to_dict() == named.to_dict() == array.to_dict() == FOUND.to_dict()
    for kind in (pandas.DataFrame, pyarrow.table):
        frame = kind({"true": HITS, "size": SIZES})
        assert csig.rankings.validate_binomial(frame).to_dict() == FOUND.to_dict()


# ---- several samples in one table, against all swaps of whole samples --------------------------


def simulated(seed: int, samples: int, size: int) -> dict[str, Any]:
    """Parts whose candidates are true with different probabilities."""
    rng = np.random.default_rng(seed)
    part = np.repeat(np.arange(samples), size)
    true = rng.random(len(part)) < rng.beta(4, 8, samples)[part]
    true[0] = True
    return {
        "part": [f"p{own:02}" for own in part],
        "true": true.tolist(),
        "x": (true + rng.normal(size=len(part))).tolist(),
        "y": (0.3 * true + rng.normal(size=len(part))).round(1).tolist(),
    }


TABLE = simulated(1, 12, 30)


def test_validations_are_those_of_the_counts() -> None:
    found = csig.rankings.sample_precision(TABLE, ["x", "y"], sample="part", n=10, ties="first")
    assert found.samples == tuple(f"p{i:02}" for i in range(12))
    assert found.accepted.tolist() == [[10] * 12] * 2
    for name, right in zip("xy", found.true_positives.tolist(), strict=True):
        expected = csig.rankings.validate_binomial([(own, 10) for own in right])
        assert found[name].to_dict() == expected.to_dict()


def test_samples_without_accepted_candidates_are_left_out_with_a_word() -> None:
    table = {
        "part": list("aaabbbccc"), "true": [1, 0, 0, 1, 1, 0, 1, 0, 1],
        "x": [9, 8, 1, 7, 6, 5, 1, 2, 3],
    }  # fmt: skip
    found = csig.rankings.sample_precision(table, "x", sample="part", threshold=5)
    assert found.accepted.tolist() == [[2, 3, 0]]
    assert found["x"].sizes.tolist() == [2, 3]
    assert found.doubts[0].startswith("x accepts no candidate of 1 of 3 samples")
    rows = found.to_frame("pandas").to_dict("records")
    assert math.isnan(rows[2]["precision"])
    assert rows[1]["low"] == pytest.approx(stats.binomtest(2, 3).proportion_ci().low)
    with pytest.raises(InputError, match="x: only 1 of 3 samples has accepted candidates"):
        csig.rankings.sample_precision(table, "x", sample="part", threshold=8)


def two(
    table: Any, a: str, b: str, n: Any = None, **options: Any
) -> tuple[RankedMethods, MethodPair, SamplePair]:
    """A and B in this order, whichever is better."""
    found = csig.rank_methods(table, [a, b], n, baseline=b, sample="part", **options)
    pair = found.pair(a, b)
    assert pair.by_sample is not None
    return found, pair, pair.by_sample


def swaps(pair: MethodPair, own: SamplePair, alternative: str) -> Fraction:
    """The p-value over all swaps, from the counts of own candidates, by the definition."""
    a, b = own.own_a.tolist(), own.own_b.tolist()
    size = [sum(map(sum, own)) for own in (a, b)]
    share = Fraction(sum(true for true, _ in a + b), sum(size))
    values = [
        Fraction(one[0] - share * sum(one), size[0]) - Fraction(two[0] - share * sum(two), size[1])
        for one, two in zip(a, b, strict=True)
    ]
    observed = sum(values)
    right = [int(only[0, 0]) for only in (pair.only_a, pair.only_b)]
    assert observed == Fraction(right[0], size[0]) - Fraction(right[1], size[1])
    hits = 0
    signs = list(itertools.product((1, -1), repeat=len(values)))
    for own in signs:
        other = sum(sign * value for sign, value in zip(own, values, strict=True))
        hits += {
            "two-sided": abs(other) >= abs(observed),
            "greater": other >= observed,
            "less": other <= observed,
        }[alternative]
    return Fraction(hits, len(signs))


@pytest.mark.parametrize(("seed", "options", "alternative"), [
    (1, {"n": 8}, "two-sided"), (2, {"n": 8}, "greater"), (1, {"threshold": (0.8, 0.3)}, "less"),
    (2, {"threshold": (0.8, 0.3)}, "two-sided"), (1, {"total": 60}, "greater"),
    (2, {"total": 60}, "two-sided"),
])  # fmt: skip
def test_all_swaps_of_whole_samples(seed: int, options: dict[str, Any], alternative: Any) -> None:
    table = simulated(seed, 8, 25)
    found, pair, own = two(table, "x", "y", alternative=alternative, **options)
    assert (found.test, found.n_resamples, found.seed) == ("samples", None, None)
    assert own.test.method == "exact"
    assert pair.pvalues[0] == pytest.approx(float(swaps(pair, own, alternative)), rel=1e-12)
    rows = [pair.only_a[0], pair.only_b[0]]
    fisher = stats.fisher_exact(rows, alternative=alternative).pvalue
    assert own.fisher_pvalue == pytest.approx(fisher, rel=1e-9)
    whole = csig.rankings.sample_precision(table, ["x", "y"], sample="part", **options)
    assert [int(size[0]) for size in pair.sizes] == whole.accepted.sum(axis=1).tolist()
    for i, name in enumerate("xy"):
        assert found.precision[name].precision[0] == pytest.approx(whole.validations[i].precision)


def test_lists_of_the_same_length_swap_their_precision() -> None:
    _, pair, found = two(TABLE, "x", "y", n=10, ties="first")
    lists = csig.rankings.sample_precision(TABLE, ["x", "y"], sample="part", n=10, ties="first")
    whole = csig.Comparison.from_statistics(
        *(
            np.stack([right, size], axis=1)
            for right, size in zip(lists.true_positives, lists.accepted, strict=True)
        ),
        columns=("tp", "predicted"),
    )
    expected = csig.randomization_test(whole, "precision")
    assert pair.pvalues[0] == pytest.approx(expected.pvalue, rel=1e-12)
    assert found.difference == pytest.approx(pair.difference[0], rel=1e-12)
    assert found.difference == pytest.approx(expected.statistic, rel=1e-12)
    paired = stats.ttest_rel(*(lists.true_positives / 10)).confidence_interval()
    assert found.interval == pytest.approx((paired.low, paired.high), rel=1e-9)


def test_the_correction() -> None:
    _, pair, found = two(TABLE, "x", "y", threshold=(0.8, 0.3))
    sizes = [int(only.sum()) for only in (pair.only_a, pair.only_b)]
    shares = [only[0, 0] / only.sum() for only in (pair.only_a, pair.only_b)]
    rest = np.zeros(12)
    for own, share, size, sign in zip(
        (found.own_a, found.own_b), shares, sizes, (1, -1), strict=True
    ):
        rest += sign * (own[:, 0] - share * own.sum(axis=1)) / size
    own_sizes = (found.own_a + found.own_b).sum(axis=1)
    effective = own_sizes.sum() ** 2 / (own_sizes**2).sum()
    observed = (rest**2).sum() * effective / (effective - 1)
    expected = sum(p * (1 - p) / m for p, m in zip(shares, sizes, strict=True))
    assert found.ratio == pytest.approx(math.sqrt(observed / expected), rel=1e-12)
    deviate = stats.norm.isf(found.fisher_pvalue / 2) / max(1, found.ratio)
    assert found.corrected_pvalue == pytest.approx(2 * stats.t.sf(deviate, effective - 1), rel=1e-9)
    *_, less = two(TABLE, "x", "y", threshold=(0.8, 0.3), alternative="less")
    deviate = stats.norm.isf(less.fisher_pvalue) / max(1, less.ratio)
    assert less.corrected_pvalue == pytest.approx(stats.t.sf(deviate, effective - 1), rel=1e-9)
    assert found.ratios == pytest.approx(
        [own.ratio for own in csig.rankings.sample_precision(
            TABLE, ["x", "y"], sample="part", threshold=(0.8, 0.3)).validations]
    )  # fmt: skip


def test_the_same_lists_say_nothing_and_a_perfect_method_can_be_compared() -> None:
    _, pair, found = two(TABLE | {"z": TABLE["x"]}, "x", "z", n=9)
    assert (pair.pvalues[0], found.fisher_pvalue, found.swapped) == (1, 1, 0)
    assert math.isnan(found.ratio)
    assert math.isnan(found.corrected_pvalue)
    table = {
        "part": [i // 8 for i in range(64)], "true": [1, 1, 1, 0, 0, 0, 0, 1] * 8,
        "x": [8, 7, 6, 5, 4, 3, 2, 1] * 8, "y": [1, 2, 3, 4, 5, 6, 7, 8] * 8,
    }  # fmt: skip
    _, pair, found = two(table, "x", "y", n=3)
    assert pair.pvalues[0] == 2 / 2**8
    assert math.isnan(found.ratios[0])
    assert found.ratio == 0  # all samples are alike
    assert found.corrected_pvalue > found.fisher_pvalue  # Student's distribution


def test_few_samples_and_intervals_that_say_too_much_are_doubted() -> None:
    found, _, own = two(simulated(3, 4, 40), "x", "y", n=15, ties="first")
    assert own.swapped == 4
    said = "The methods differ in 4 samples only, so p is never below 0"
    assert found.doubts[-1].startswith(said)
    # Samples that are all the same, of sizes that thirds and sevenths round.
    table = {
        "part": [i // 7 for i in range(21)],
        "true": [1, 1, 0, 0, 1, 1, 0] * 3,
        "x": [7, 6, 5, 4, 3, 2, 1] * 3,
        "y": [1, 2, 3, 4, 5, 6, 7] * 3,
    }
    found, _, own = two(table, "x", "y", 3)
    assert own.interval == pytest.approx((0, 0), abs=1e-12)
    assert any("has no width" in own for own in found.doubts)
    table["true"][0] = 0
    found, _, _ = two(table, "x", "y", 3)
    few = [own for own in found.doubts if "is rough" in own]
    assert few == [
        "x: 5 of 9 accepted candidates are true; with fewer than 5 true or false ones the interval "
        "of the difference is rough.",
        "y: 6 of 9 accepted candidates are true; with fewer than 5 true or false ones the interval "
        "of the difference is rough.",
    ]
    many, _, _ = two(TABLE, "x", "y", 10)
    assert not any("interval" in own for own in many.doubts)


def test_what_is_refused_of_two() -> None:
    table = {"part": list("aabb"), "true": [1, 0, 0, 1], "x": [4, 3, 2, 1], "y": [1, 2, 3, 4]}
    for n, options in ((None, {}), (1, {"total": 2}), ([1, 2], {}), (3, {}), (None, {"total": 5})):
        with pytest.raises(InputError, match=r"^(give one of )?(n|total) |fewer than the \d+ best"):
            csig.rank_methods(table, ["x", "y"], n, sample="part", **options)  # type: ignore[arg-type]


def test_the_parts_of_the_page(krenn: dict[str, list[float]]) -> None:
    methods = ["log.like", "freq"]
    table: dict[str, Any] = dict(krenn)
    table["part"] = [i % 20 for i in range(len(krenn["freq"]))]
    random.Random(1).shuffle(table["part"])
    how: dict[str, Any] = {"n": 25, "true": "is.colloc", "ties": "first"}
    parts = csig.rankings.sample_precision(table, methods, sample="part", **how)
    _, pair, own = two(table, "log.like", "freq", **how)
    said = [
        f"{one.ratio:.2f} ({one.ratio_interval[0]:.2f} to {one.ratio_interval[1]:.2f})"
        for one in parts.validations
    ]
    low, high = (100 * end for end in own.interval)
    said += [
        f"better by {100 * own.difference:.1f} points (interval {low:.1f} to {high:.1f})",
        f"p = {pair.pvalues[0]:.2g} with parts",
        f"{own.fisher_pvalue:.1e} by Fisher's test",
        f"{own.corrected_pvalue:.2g} corrected with the difference's ratio of {own.ratio:.2f}",
    ]
    page = " ".join((DOCS / "ranking.md").read_text(encoding="utf-8").split())
    assert [one for one in said if one not in page] == []
