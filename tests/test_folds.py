"""Tests on folds beside scipy, their formulas in floating point, and what they assume."""

import math
from fractions import Fraction

import numpy as np
import pytest
from drawn import examples
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import csig
from csig import InputError

ALTERNATIVES = ["two-sided", "less", "greater"]
folds = st.lists(st.tuples(*[st.integers(0, 1000)] * 2), min_size=2, max_size=12)
tens = st.lists(st.integers(-50, 50), min_size=10, max_size=10)


def split(pairs):
    return tuple(np.array(pairs).T / 1000)


def varies(pairs):
    return len({a - b for a, b in pairs}) > 1


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@given(folds.filter(varies), st.floats(0.5, 0.99))
@examples(100)
def test_the_k_fold_test_is_scipys_paired_t_test(alternative, pairs, level):
    a, b = split(pairs)
    expected = stats.ttest_rel(a, b, alternative=alternative)
    for given_ in ((a, b), (a - b,)):
        found = csig.classical.kfold_t_test(
            *given_, alternative=alternative, confidence_level=level
        )
        assert found.statistic == pytest.approx(expected.statistic, rel=1e-9, abs=1e-9)
        assert found.pvalue == pytest.approx(expected.pvalue, rel=1e-8)
        assert found.degrees_of_freedom == expected.df
    whole = stats.ttest_rel(a, b).confidence_interval(level)
    assert found.interval == pytest.approx((whole.low, whole.high), rel=1e-9, abs=1e-12)


@given(folds.filter(varies), st.integers(1, 900), st.integers(1, 900))
@examples(100)
def test_the_corrected_test_widens_the_k_fold_test(pairs, n_train, n_test):
    a, b = split(pairs)
    plain = csig.classical.kfold_t_test(a, b)
    found = csig.classical.resampled_t_test(a, b, n_train=n_train, n_test=n_test)
    wider = math.sqrt(1 + len(a) * n_test / n_train)
    assert found.statistic == pytest.approx(plain.statistic / wider)
    assert found.standard_error == pytest.approx(plain.standard_error * wider)
    assert found.pvalue >= plain.pvalue
    shares = csig.classical.resampled_t_test(
        a, b, n_train=Fraction(n_train, 7), n_test=Fraction(n_test, 7)
    )
    assert shares == found


def test_the_corrected_test_is_exact_where_its_assumption_holds():
    """Differences that have the correlation n_test / (n_test + n_train) each with each."""
    rng = np.random.default_rng(11)
    rho = 10 / (10 + 90)
    d = math.sqrt(rho) * rng.normal(size=(800, 1)) + math.sqrt(1 - rho) * rng.normal(size=(800, 10))
    corrected = [csig.classical.resampled_t_test(own, n_train=90, n_test=10).pvalue for own in d]
    plain = [csig.classical.kfold_t_test(own).pvalue for own in d]
    assert stats.kstest(corrected, "uniform").pvalue > 0.01
    assert stats.kstest(plain, "uniform").pvalue < 1e-6
    assert np.mean(np.array(plain) <= 0.05) > 0.1


def test_worked_by_hand():
    """Means and variances in the head: d = 0.02, 0.01, 0.04, 0.03, 0; and rows of five."""
    found = csig.classical.resampled_t_test([0.02, 0.01, 0.04, 0.03, 0.0], n_train=9, n_test=1)
    assert found.statistic == pytest.approx(0.02 / math.sqrt((1 / 5 + 1 / 9) * 0.00025), rel=1e-12)
    assert (found.degrees_of_freedom, found.n_folds) == (4, 5)
    d = [[0.02, 0.01], [0.03, 0.00], [0.01, 0.02], [0.04, 0.02], [0.01, 0.01]]
    t, f = csig.classical.cv52_t_test(d), csig.classical.cv52_f_test(d)
    assert t.statistic == pytest.approx(0.02 / math.sqrt(0.00075 / 5), rel=1e-12)
    assert f.statistic == pytest.approx(0.0041 / (2 * 0.00075), rel=1e-12)
    assert (t.degrees_of_freedom, f.degrees_of_freedom, t.difference) == (
        5,
        (10, 5),
        pytest.approx(0.017),
    )
    assert t.pvalue == pytest.approx(2 * stats.t.sf(t.statistic, 5), rel=1e-9)
    assert f.pvalue == pytest.approx(stats.f.sf(f.statistic, 10, 5), rel=1e-9)


@given(tens)
@examples(100)
def test_five_replications_by_their_formulas(values):
    d = np.array(values).reshape(5, 2) / 100
    variances = d.var(axis=1, ddof=1) * 1.0  # of two: half of the squared difference
    if not d.any():
        assert csig.classical.cv52_t_test(d).pvalue == csig.classical.cv52_f_test(d).pvalue == 1.0
        return
    if variances.sum() < 1e-9:
        with pytest.raises(InputError, match="both folds of every replication"):
            csig.classical.cv52_t_test(d)
        return
    t, f = csig.classical.cv52_t_test(d), csig.classical.cv52_f_test(d)
    assert t.statistic == pytest.approx(d[0, 0] / math.sqrt(variances.mean()), abs=1e-12)
    assert f.statistic == pytest.approx((d**2).sum() / (2 * variances.sum()))
    assert csig.classical.cv52_f_test(d[::-1, ::-1]).statistic == f.statistic  # no order
    less, greater = (
        csig.classical.cv52_t_test(d, alternative=way).pvalue for way in ("less", "greater")
    )
    assert less + greater == pytest.approx(1)


@given(folds.filter(varies))
@examples(100)
def test_signs_and_order(pairs):
    a, b = split(pairs)
    for test in (
        csig.classical.kfold_t_test,
        lambda *x: csig.classical.resampled_t_test(*x, n_train=2, n_test=1),
    ):
        found, other, turned = test(a, b), test(b, a), test(a[::-1], b[::-1])
        assert found.statistic == -other.statistic == turned.statistic
        assert found.pvalue == other.pvalue == turned.pvalue
        assert test(3 * a, 3 * b).statistic == pytest.approx(found.statistic)


def test_nothing_differs():
    same = np.linspace(0.8, 0.9, 10)
    noise = same + np.spacing(same)  # the last digit of a score is no difference
    for b in (same, noise):
        for found in (
            csig.classical.kfold_t_test(same, b),
            csig.classical.resampled_t_test(same, b, n_train=9, n_test=1),
            csig.classical.cv52_t_test(same.reshape(5, 2), b.reshape(5, 2)),
            csig.classical.cv52_f_test(same.reshape(5, 2), b.reshape(5, 2)),
        ):
            assert (found.statistic, found.pvalue, found.difference) == (0.0, 1.0, 0.0)
            assert found.interval in ((0.0, 0.0), None)


CV52 = csig.classical.cv52_t_test, csig.classical.cv52_f_test


def corrected(*scores, n_train=9, n_test=1, **options):
    return csig.classical.resampled_t_test(*scores, n_train=n_train, n_test=n_test, **options)


@pytest.mark.parametrize("test", [csig.classical.kfold_t_test, corrected, *CV52])
@pytest.mark.parametrize(
    ("scores", "message"),
    [
        (([0.1],), "shape"),
        (([[0.1, 0.2], [0.3, 0.4]],), r"a has the shape \(2, 2\)"),
        (([[0.1, 0.2], [0.3]],), "a: its rows have different lengths"),
        ((["x", "y"],), "a must hold numbers"),
        (([0.1, math.nan],), r"a\[1\] is nan; give a finite score for every fold"),
        (([0.1, 0.2], [0.1, math.inf]), r"b\[1\] is inf"),
        ((np.ma.array([0.1, 0.2], mask=[False, True]),), "a: some of its values are masked"),
        (([1e308, -1e308],), r"a\[0\] is 1e\+308; scores of 1e150 or more"),
        (([0.5, 0.1], [0.2, -2e150]), r"b\[1\] is -2e\+150; scores of 1e150 or more"),
        (([0.1, 0.2], [0.1, 0.2, 0.3]), r"shape \(2,\) and b \(3,\); .* the same folds"),
    ],
)
def test_folds_that_are_refused(test, scores, message):
    with pytest.raises(InputError, match=message):
        test(*scores)


def test_large_and_small_scores_have_the_same_result():
    """A power of two changes no digit."""
    own = csig.classical.kfold_t_test([0.5, 0.25, 0.75], [0.25, 0.5, 0.125])
    for factor in (2.0**490, 2.0**-900):
        a, b = (factor * np.array(x) for x in ([0.5, 0.25, 0.75], [0.25, 0.5, 0.125]))
        found = csig.classical.kfold_t_test(a, b)
        assert (found.statistic, found.pvalue) == (own.statistic, own.pvalue)
        assert found.standard_error == factor * own.standard_error
        low, high = own.interval
        assert found.interval == pytest.approx((factor * low, factor * high), rel=1e-14)


def test_what_else_is_refused():
    for test in (csig.classical.kfold_t_test, corrected):
        with pytest.raises(InputError, match="all 3 folds have the same difference"):
            test([0.3, 0.4, 0.5], [0.2, 0.3, 0.4])
        with pytest.raises(InputError, match="confidence_level must lie"):
            test([0.3, 0.4], confidence_level=95)
        with pytest.raises(InputError, match="alternative must be"):
            test([0.3, 0.4], alternative="up")
    for test in CV52:
        with pytest.raises(InputError, match="give 5 rows, one per replication, of 2 folds"):
            test(np.zeros((2, 5)))
        with pytest.raises(InputError, match="both folds of every replication have the same"):
            test([[0.1, 0.1]] * 5)
    for sizes, message in (
        ({"n_train": 0, "n_test": 1}, "n_train must be above 0"),
        ({"n_train": 1, "n_test": "x"}, "n_test must be a number"),
        ({"n_train": math.inf, "n_test": 1}, "n_train must be above 0"),
    ):
        with pytest.raises(InputError, match=message):
            corrected([0.1, 0.2], **sizes)
