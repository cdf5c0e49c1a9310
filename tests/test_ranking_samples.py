"""Whether samples vary as the binomial model says: Evert's figures, and judges from elsewhere."""

from __future__ import annotations

import math

import numpy as np
import pytest
from places import DOCS
from scipy import stats

import csig

#: 80 samples of 100 whose pooled precision has the standard deviation of the paper, 0.044.
EVEN = [(26, 100)] * 80
RNG = np.random.default_rng(3)
SIZES = RNG.integers(40, 160, 30)
HITS = RNG.binomial(SIZES, RNG.beta(8, 18, 30))
FOUND = csig.validate_binomial({"true": HITS, "size": SIZES})

#: Samples of one size that would tell as much, and the variance of the ratio of two sums.
EFFECTIVE = SIZES.sum() ** 2 / (SIZES**2).sum()
REST = HITS - SIZES * HITS.sum() / SIZES.sum()
VARIANCE = EFFECTIVE / (EFFECTIVE - 1) * (REST**2).sum() / SIZES.sum() ** 2


@pytest.mark.parametrize(("misses", "published"), [(12, 0.00061362), (9, 0.018403)])
def test_misses_of_evert(misses, published):
    samples = [(5, 100) if i < misses else (26, 100) for i in range(80)]
    found = csig.validate_binomial(samples, 0.26)
    assert found.misses == misses
    assert found.misses_pvalue == pytest.approx(published, rel=1e-4)
    judge = stats.binomtest(misses, 80, 0.05, alternative="greater").pvalue
    assert found.misses_pvalue == pytest.approx(judge, rel=1e-10)


@pytest.mark.parametrize(("true", "published"), [(26, 0.044), (33, 0.047)])
def test_expected_standard_deviations_of_evert(true, published):
    found = csig.validate_binomial([(true, 100)] * 80)
    assert found.expected_sd == pytest.approx(published, abs=0.0005)
    assert (found.ratio, found.observed_sd, found.overdispersed) == (0, 0, False)


def test_standard_deviations_of_equal_samples_are_the_usual_ones():
    true = np.array([20, 35, 24, 41, 15, 27])
    found = csig.validate_binomial([(own, 50) for own in true.tolist()])
    assert found.observed_sd == pytest.approx(np.std(true / 50, ddof=1), rel=1e-12)
    p = true.sum() / 300
    assert found.expected_sd == pytest.approx(math.sqrt(p * (1 - p) / 50), rel=1e-12)
    assert found.ratio == pytest.approx(found.observed_sd / found.expected_sd, rel=1e-12)
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


@pytest.mark.parametrize("level", [0.8, 0.9, 0.95, 0.99])
def test_the_bound_of_the_ratio_says_what_the_one_sided_test_says(level):
    """It is above 1 exactly where p is below 1 - level; the two-sided interval need not be."""
    rng = np.random.default_rng(2)
    apart = 0
    for _ in range(60):
        pairs = [(int(own), 60) for own in rng.binomial(60, rng.beta(25, 60, 8))]
        found = csig.validate_binomial(pairs, confidence_level=level)
        assert (found.ratio_bound > 1) is (found.dispersion_pvalue < 1 - level)
        assert found.ratio_interval[0] < found.ratio_bound < found.ratio
        apart += found.ratio_interval[0] <= 1 < found.ratio_bound
    assert apart > 0


def found_close(one, other):
    return one == pytest.approx(other, rel=1e-9)


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


def test_kolmogorov_of_large_samples_is_scipys():
    rng = np.random.default_rng(8)
    sizes = rng.integers(10**8, 10**9, 60)
    found = csig.validate_binomial({"true": rng.binomial(sizes, 0.3), "size": sizes}, 0.3)
    judge = stats.kstest(found.standardized, "norm")
    assert found.kolmogorov == pytest.approx(judge.statistic, abs=1e-4)
    assert found.kolmogorov_pvalue == pytest.approx(judge.pvalue, abs=2e-3)


def test_kolmogorov_of_equal_samples_is_corrected_for_continuity():
    true = np.random.default_rng(2).binomial(60, 0.4, 50)
    found = csig.validate_binomial([(own, 60) for own in true.tolist()], 0.4)
    counts = np.arange(60)
    share = (true[:, None] <= counts).mean(axis=0)
    model = stats.norm.cdf((counts + 0.5 - 24) / math.sqrt(60 * 0.4 * 0.6))
    assert found.kolmogorov == pytest.approx(np.abs(share - model).max(), rel=1e-9)
    assert found_close(found.kolmogorov_pvalue, stats.kstwo.sf(found.kolmogorov, 50))


@pytest.mark.parametrize("samples", [[(0, 1), (1, 1)], [(1, 9), (3, 40), (8, 11), (2, 2)]])
def test_kolmogorov_between_the_ends_of_counts(samples):
    found = csig.validate_binomial(samples, 0.4)
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
    even = csig.validate_binomial(EVEN)  # a ratio below 1 counts as 1
    assert found_close(even.corrected(0.01), 2 * stats.t.sf(deviate, 79))
    with pytest.raises(csig.InputError, match="pvalue must lie between 0 and 1, found 0"):
        FOUND.corrected(0)


def test_a_precision_that_was_given_is_tested():
    found = csig.validate_binomial({"true": HITS, "size": SIZES}, 0.35)
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


def test_equal_samples_have_one_ratio():
    found = csig.validate_binomial([(20, 50), (31, 50), (12, 50), (27, 50)], 0.3)
    assert found_close(found.pooled_ratio, found.ratio)
    assert found_close(found.corrected_pvalue, found.corrected(found.pvalue))


def test_corrected_intervals_of_unequal_samples_hold():
    """Large samples vary more than the model says, by a larger factor than small ones."""
    rng = np.random.default_rng(4)
    sizes = np.repeat([10, 1000], [40, 10])
    held = binomial = rejected = 0
    for _ in range(200):
        hits = rng.binomial(sizes, rng.beta(0.26 * 19, 0.74 * 19, 50))
        found = csig.validate_binomial({"true": hits, "size": sizes}, 0.26)
        held += found.corrected_interval[0] <= 0.26 <= found.corrected_interval[1]
        binomial += found.interval[0] <= 0.26 <= found.interval[1]
        rejected += found.corrected_pvalue <= 0.05
    assert held >= 178  # of 200 at 95%, with probability 0.999
    assert rejected <= 22
    assert binomial < 80


@pytest.mark.parametrize("samples", [[(1, 1), (10**9, 2 * 10**9)], [(1, 2**31), (0, 2**31)]])
def test_one_sample_that_is_nearly_all(samples):
    found = csig.validate_binomial(samples, 0.3)
    assert 0 <= found.corrected_interval[0] <= found.precision <= found.corrected_interval[1] <= 1
    assert 0 <= found.corrected_pvalue <= 1
    assert found.corrected_interval[0] < found.interval[0] or found.interval[0] == 0


def test_very_unequal_sizes_and_no_variation_are_doubted():
    (doubt,) = csig.validate_binomial([(20, 50), (31, 50), (12, 50), (400, 900)]).doubts
    assert doubt.startswith("Sizes are very unequal: together they tell as much as 1.35 samples")
    (doubt,) = csig.validate_binomial(EVEN).doubts
    assert doubt.startswith("All samples have the same precision")


def test_pairs_and_columns_are_the_same():
    pairs = csig.validate_binomial(list(zip(HITS.tolist(), SIZES.tolist(), strict=True)))
    named = csig.validate_binomial({"TP": HITS, "n": SIZES}, true="TP", size="n")
    array = csig.validate_binomial(np.stack([HITS, SIZES], axis=1))
    assert pairs.to_dict() == named.to_dict() == array.to_dict() == FOUND.to_dict()
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"true": HITS, "size": SIZES})
    assert csig.validate_binomial(frame).to_dict() == FOUND.to_dict()


def test_few_expected_candidates_are_doubted():
    assert FOUND.doubts == ()
    (doubt,) = csig.validate_binomial([(1, 10), (3, 10), (0, 10)]).doubts
    assert doubt.startswith("The least expected count is 1.33, below 5")


@pytest.mark.parametrize(
    ("samples", "message"),
    [
        ([(1, 2)], "samples: found 1 sample, expected 2 or more; one sample does not show how"),
        ([], "found 0 samples"),
        (5, "expected pairs \\(true, accepted\\), or a table .* found 5"),
        ([(1, 2, 3)], "expected pairs"),
        ([(1, 2), (0, 0)], "sample 2: no candidates, so it has no precision; leave it out"),
        ([(1, 2), (3, 2)], "sample 2: 3 true of 2 candidates; expected \\(true, accepted\\)"),
        ([(1, 2), (math.nan, 2)], "sample 2: true is nan, expected a whole number from 0"),
        ([(1, 2), (1.5, 2)], "sample 2: true is 1.5"),
        ([(1, 2), (-1, 2)], "sample 2: true is -1"),
        ([(1, 2), (1, 2**32)], "sample 2: size is .* expected a whole number from 1 to 2\\^31"),
        ([("1", 2), (1, 2)], "true must be whole numbers, found \\['1', 1\\]"),
        ([(0, 2), (0, 3)], "no candidate is true"),
        ([(2, 2), (3, 3)], "every candidate is true"),
        ({"true": [1, 2], "sise": [3, 4]}, "no column 'size' \\(did you mean 'sise'\\?\\)"),
        ({"true": [1, 2], "size": [3]}, "2 true counts and 1 sizes"),
        ({"true": [[1, 2]], "size": [3, 3]}, "true must be one number per sample, found 2-d"),
    ],
)
def test_bad_samples_are_refused_in_one_line(samples, message):
    with pytest.raises(csig.InputError, match=message) as caught:
        csig.validate_binomial(samples)
    assert "\n" not in str(caught.value)


def test_bad_numbers_are_refused():
    with pytest.raises(csig.InputError, match="precision must lie between 0 and 1, found 26"):
        csig.validate_binomial(EVEN, 26)
    with pytest.raises(csig.InputError, match="confidence_level must lie between 0 and 1"):
        csig.validate_binomial(EVEN, confidence_level=95)


@pytest.mark.parametrize(
    ("expected", "observed", "ratio", "p"),
    [
        (0.044, 0.057, "1.30 (1.12 to 1.53)", "0.00015"),
        (0.047, 0.066, "1.40 (1.22 to 1.66)", "5.9e-07"),
    ],
)
def test_the_page_has_the_ratios_of_evert(expected, observed, ratio, p):
    found = observed / expected
    low, high = (found / math.sqrt(stats.chi2.isf(own, 79) / 79) for own in (0.025, 0.975))
    assert ratio == f"{found:.2f} ({low:.2f} to {high:.2f})"
    assert f"{stats.chi2.sf(79 * found**2, 79):.2g}" == p
    page = (DOCS / "ranking.md").read_text(encoding="utf-8")
    assert ratio in page
    assert p in page
