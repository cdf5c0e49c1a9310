"""The Wilcoxon test beside all signs one by one, scipy, and published numbers."""

import itertools
import json
import math
from fractions import Fraction

import numpy as np
import pytest
from drawn import examples
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import csig
from csig import Comparison, InputError

ALTERNATIVES = ["two-sided", "less", "greater"]
DARWIN = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]
small = st.lists(st.integers(-4, 4), min_size=1, max_size=9)


def of(d, **options):
    return csig.wilcoxon_test(Comparison.from_scores(d, [0] * len(d)), **options)


def examples_of(shared_data):
    folder = shared_data("worked_examples")
    return json.loads((folder / "worked_examples.json").read_text(encoding="utf-8"))


def by_all_signs(d, zero_method, alternative):
    """Both rank sums and the exact p-value, in fractions, by counting all signs."""
    d = list(d)
    if zero_method == "wilcox":
        d = [v for v in d if v]
    elif zero_method == "zsplit" and d.count(0) % 2:
        d.remove(0)
    sizes = [abs(v) for v in d]
    ranks = [sum(w < v for w in sizes) + Fraction(sizes.count(v) + 1, 2) for v in sizes]
    moving = [r for r, v in zip(ranks, d, strict=True) if v]
    half = sum((r for r, v in zip(ranks, d, strict=True) if not v), Fraction(0)) / 2
    half = half if zero_method == "zsplit" else 0
    plus = sum((r for r, v in zip(ranks, d, strict=True) if v > 0), Fraction(0))
    sums = [
        sum((r for r, s in zip(moving, signs, strict=True) if s), Fraction(0))
        for signs in itertools.product((0, 1), repeat=len(moving))
    ]
    above = Fraction(sum(s >= plus for s in sums), len(sums))
    below = Fraction(sum(s <= plus for s in sums), len(sums))
    p = {"greater": above, "less": below, "two-sided": min(Fraction(1), 2 * min(above, below))}
    return plus + half, sum(moving, Fraction(0)) - plus + half, p[alternative]


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("zero_method", ["wilcox", "pratt", "zsplit"])
@given(small)
@examples(200)
def test_ties_and_zeros_against_all_signs(zero_method, alternative, d):
    found = of(d, zero_method=zero_method, alternative=alternative)
    a, b, p = by_all_signs(d, zero_method, alternative)
    assert (found.rank_sum_a, found.rank_sum_b) == (a, b)
    assert found.pvalue == pytest.approx(float(p), rel=1e-12)
    assert found.log_pvalue == pytest.approx(math.log(p), abs=1e-12)
    assert (found.method, found.n_units, found.n_zero) == ("exact", len(d), d.count(0))


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("zero_method", ["wilcox", "pratt", "zsplit"])
@given(small)
@examples(100)
def test_midp_is_the_mean_of_both_tails(zero_method, alternative, d):
    """P(T >= t) - P(T = t) / 2; of all signs one by one. On both sides 0 is one outcome."""
    found = of(d, zero_method=zero_method, alternative=alternative, method="mid-p")
    a, b, at_most = by_all_signs(d, zero_method, "less")
    *_, at_least = by_all_signs(d, zero_method, "greater")
    mid = {"less": at_most, "greater": at_least, "two-sided": 2 * min(at_most, at_least)}
    both = alternative == "two-sided" and a != b
    mid = min(Fraction(1), mid[alternative]) - (at_most + at_least - 1) / (1 if both else 2)
    wanted = float(mid) if any(d) else 1.0
    assert found.pvalue == pytest.approx(wanted, rel=1e-12)
    assert found.log_pvalue == pytest.approx(math.log(wanted), abs=1e-12)
    assert (found.method, found.rank_sum_a, found.rank_sum_b) == ("mid-p", a, b)


def test_scipys_exact_test_takes_ties_for_none():
    d = [1, 1, 1, 2, -2, 3, 3]
    *_, p = by_all_signs(d, "wilcox", "two-sided")
    assert of(d).pvalue == float(p) == 0.140625
    assert stats.wilcoxon(np.array(d, float), method="exact").pvalue != of(d).pvalue  # 0.15625


def test_midp_of_extreme_outcomes():
    found = of([1] * 2000, method="mid-p")
    assert found.log_pvalue == pytest.approx(-2000 * math.log(2))
    assert of([1] * 60, method="mid-p", alternative="less").pvalue == 1.0
    assert of([3, 1, 2], method="mid-p", alternative="greater").pvalue == 1 / 16
    c = Comparison.from_counts(gold=10**9, only_a_correct=3 * 10**8, only_b_correct=2 * 10**8)
    with pytest.raises(InputError, match=r"method 'mid-p': the distribution of 500,000,000 ranks"):
        csig.wilcoxon_test(c, method="mid-p")


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("n", [1, 2, 7, 25, 50])
def test_without_ties_it_is_scipys_exact_test(n, alternative):
    rng = np.random.default_rng(n)
    a, b = rng.normal(0.3, 1, n), rng.normal(0, 1, n)
    expected = stats.wilcoxon(a, b, method="exact", alternative=alternative)
    found = csig.wilcoxon_test(Comparison.from_scores(a, b), alternative=alternative)
    assert found.pvalue == pytest.approx(expected.pvalue, rel=1e-11)
    sums = found.rank_sum_a, found.rank_sum_b
    assert expected.statistic == (min(sums) if alternative == "two-sided" else sums[0])
    assert not found.ties


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("correction", [False, True])
@pytest.mark.parametrize("zero_method", ["wilcox", "pratt", "zsplit"])
@pytest.mark.parametrize("seed", range(4))
def test_asymptotic_it_is_scipys(seed, zero_method, correction, alternative):
    rng = np.random.default_rng(seed)
    d = rng.integers(-6, 8, 60)
    d[np.flatnonzero(d == 0)[: np.count_nonzero(d == 0) % 2]] = 7  # scipy keeps an odd zero
    options = {"zero_method": zero_method, "alternative": alternative}
    expected = stats.wilcoxon(d.astype(float), method="approx", correction=correction, **options)
    found = of(d.tolist(), method="asymptotic", continuity=correction, **options)
    assert found.pvalue == pytest.approx(expected.pvalue, rel=1e-12)
    assert found.log_pvalue == pytest.approx(math.log(expected.pvalue), rel=1e-10)
    if hasattr(expected, "zstatistic") and alternative != "two-sided":
        assert found.z == pytest.approx(expected.zstatistic)


def test_the_exact_test_is_near_the_normal_one_for_many_units():
    rng = np.random.default_rng(5)
    d = np.rint(10 * rng.normal(0.02, 1, 20_000)).astype(int).tolist()
    exact, normal = of(d), of(d, method="asymptotic")
    assert (exact.method, normal.method, exact.ties) == ("exact", "asymptotic", True)
    assert exact.pvalue == pytest.approx(normal.pvalue, rel=0.01)
    assert exact.z == normal.z


def test_what_takes_long_is_asymptotic_unless_asked_for():
    d = np.random.default_rng(6).permutation(np.arange(1, 40_001))
    d[:20_300] *= -1
    found = of(d.tolist())
    assert (found.method, found.ties) == ("asymptotic", False)
    assert found.pvalue == pytest.approx(stats.wilcoxon(d.astype(float)).pvalue, rel=1e-10)
    assert found.assumes.endswith("There are enough of them for the normal distribution.")


def test_published_numbers(shared_data):
    """Of scipy and of R, with their places in worked_examples.json."""
    known = examples_of(shared_data)
    own, *others = known["wilcoxon_scipy_vs_R"]["cases"]
    for alternative, name in (("two-sided", "two"), ("less", "less"), ("greater", "greater")):
        c = Comparison.from_scores(own["x"], own["y"])
        found = csig.wilcoxon_test(c, alternative=alternative)
        assert found.pvalue == pytest.approx(own[f"exact_{name}"], rel=1e-9)
    first, second, tenths, counts = others
    c = Comparison.from_scores(first["x"], first["y"])
    for correction, name in ((False, "no_correction"), (True, "correction")):
        found = csig.wilcoxon_test(c, method="asymptotic", continuity=correction)
        assert min(found.rank_sum_a, found.rank_sum_b) == first["W"]
        assert found.pvalue == pytest.approx(first[f"approx_{name}"], rel=1e-12)
        found = of([0.1] * 10, method="asymptotic", continuity=correction)
        assert found.pvalue == pytest.approx(tenths[f"approx_{name}"], rel=1e-12)
    c = Comparison.from_scores(second["x"], second["y"])
    for alternative in ("less", "greater"):
        for correction, name in ((False, alternative), (True, f"{alternative}_cc")):
            found = csig.wilcoxon_test(
                c, method="asymptotic", continuity=correction, alternative=alternative
            )
            assert found.rank_sum_a == second["W"]
            assert found.pvalue == pytest.approx(second[name], rel=1e-12)
    d = np.repeat(np.arange(-4, 5), counts["values_-4..4_with_counts"]).tolist()
    for zero_method in ("pratt", "zsplit", "wilcox"):
        found = of(d, zero_method=zero_method, method="asymptotic")
        sum_, p = counts[zero_method]
        assert min(found.rank_sum_a, found.rank_sum_b) == sum_
        assert found.pvalue == pytest.approx(p, rel=1e-9)


def test_hollander_and_wolfes_depression_scores(shared_data):
    """R's wilcox.test, coin and exactRankTests."""
    known = examples_of(shared_data)
    own = known["hamilton_depression"]
    c = Comparison.from_scores(own["inputs"]["x"], own["inputs"]["y"])
    printed, greater = own["printed"], csig.wilcoxon_test(c, alternative="greater")
    assert greater.statistic == printed["wilcoxon_V"]
    assert round(greater.pvalue, 5) == printed["wilcoxon_exact_greater"]
    assert round(csig.wilcoxon_test(c).pvalue, 5) == printed["wilcoxon_exact_two_sided"]
    assert round(greater.z, 4) == printed["wilcoxon_Z"]
    mid = csig.wilcoxon_test(c, alternative="greater", method="mid-p")
    assert round(mid.pvalue, 8) == printed["wilcoxon_midp_greater"]
    sign = csig.sign_test(c, alternative="greater")
    assert round(sign.pvalue, 5) == printed["sign_exact_greater"]
    assert sign.midp == printed["sign_midp_greater"]
    assert round(csig.sign_test(c).pvalue, 4) == printed["sign_exact_two_sided"]


def test_demsars_table_splits_its_two_zeros(shared_data):
    """Demsar (2006), table 2: R+ = 93 and R- = 12 over 14 data sets."""
    known = examples_of(shared_data)
    own = known["demsar2006_table6"]
    table = [list(row) for row in own["inputs"]["auc_3_decimals"]]
    a, b = ([row[column] for row in table] for column in (1, 0))
    found = csig.wilcoxon_test(Comparison.from_scores(a, b), zero_method="zsplit")
    sums = own["printed"]["wilcoxon_C45_vs_C45m"]
    assert (found.rank_sum_a, found.rank_sum_b) == (sums["R_plus"], sums["R_minus"])


@given(small, st.integers(1, 1000))
@examples(100)
def test_order_signs_and_scale(d, factor):
    found, other = of(d, alternative="less"), of([-v for v in d], alternative="greater")
    assert (found.pvalue, found.z) == (other.pvalue, -other.z)
    assert found.rank_sum_a == other.rank_sum_b
    assert found.pvalue == of(d[::-1], alternative="less").pvalue
    assert found.pvalue == of([factor * v for v in d], alternative="less").pvalue


def test_rounding_errors_are_ties():
    """0.3 - 0.1 and 0.2 - 0 differ in their last digit; so do thirds of irrational numbers."""
    found = csig.wilcoxon_test(Comparison.from_scores([0.3, 0.2, 0.7], [0.1, 0.0, 0.1]))
    assert found.ties
    x = math.pi * np.array([3.0, 1.0, 4.0, 1.5])
    y = math.pi * np.array([2.0, 2.0, 3.0, 0.5])
    found = csig.wilcoxon_test(Comparison.from_scores(x, y))
    assert (found.rank_sum_a, found.rank_sum_b) == (7.5, 2.5)


@pytest.mark.parametrize("method", ["auto", "exact", "asymptotic"])
@pytest.mark.parametrize("zero_method", ["wilcox", "pratt", "zsplit"])
def test_nothing_differs(zero_method, method):
    for d in ([0], [0, 0, 0]):
        found = of(d, zero_method=zero_method, method=method)
        assert (found.pvalue, found.log_pvalue, found.z) == (1.0, 0.0, 0.0)
        assert found.rank_sum_a == found.rank_sum_b
        assert found.rank_biserial == 0.0


def test_p_values_that_no_double_holds():
    found = of([1] * 2000)
    assert (found.pvalue, found.rank_biserial) == (0.0, 1.0)
    assert found.log_pvalue == pytest.approx(-1999 * math.log(2))
    assert "p = 10^-601.8" in repr(found)
    assert "10^-601.8" in str(found)


def test_counts_of_responses():
    c = Comparison.from_counts(gold=10**9, only_a_correct=3 * 10**8, only_b_correct=2 * 10**8)
    assert csig.wilcoxon_test(c).method == "asymptotic"
    with pytest.raises(InputError, match=r"500,000,000 ranks does not fit .*method='asymptotic'"):
        csig.wilcoxon_test(c, method="exact")
    c = Comparison.from_counts(gold=103, only_a_correct=28, only_b_correct=6)
    assert csig.wilcoxon_test(c).pvalue == pytest.approx(csig.sign_test(c).pvalue, rel=1e-12)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"alternative": "up"}, "alternative must be"),
        ({"zero_method": "prat"}, "zero_method must be one of .*found 'prat'.*pratt"),
        (
            {"method": "approx"},
            "method must be one of 'auto', 'exact', 'mid-p', 'asymptotic', found",
        ),
        ({"continuity": 1}, "continuity must be True or False, found 1"),
        ({"continuity": True}, "only method='asymptotic' is corrected"),
        ({"metric": "f1"}, "'f1' reads"),
    ],
)
def test_what_is_refused(options, message):
    with pytest.raises(InputError, match=message):
        of([1, 2], **options)
    with pytest.raises(InputError, match=r"must be a csig.Comparison"):
        csig.wilcoxon_test([1, 2])
