"""The simulation of errors of the first kind: its tests are csig's, its results the docs'."""

import json

import numpy as np
import pytest
from scipy.stats import binom, chi2_contingency
from simulated import simulation

import csig

type_one = simulation("type_one")


kept = json.loads(type_one.RESULTS.read_text(encoding="utf-8"))


def compared(a, b, i):
    return csig.Comparison.from_scores(a[i].tolist(), b[i].tolist())


def of_csig(comparison, binary):
    """The p-values that csig has; 1 where a test is not defined."""
    found = {
        "randomization": csig.randomization_test(comparison, "mean", method="exact").pvalue,
        "paired t": csig.classical.paired_t_test(comparison).pvalue,
        "independent t": csig.classical.independent_t_test(comparison).pvalue,
    }
    if not binary:
        return found | {
            "sign": csig.classical.sign_test(comparison).pvalue,
            "Wilcoxon": csig.classical.wilcoxon_test(comparison, method="exact").pvalue,
        }
    return found | {
        "mid-p": csig.classical.mcnemar_test(comparison, method="mid-p").pvalue,
        "McNemar": csig.classical.mcnemar_test(comparison, method="asymptotic").pvalue,
        "corrected": csig.classical.mcnemar_test(
            comparison, method="asymptotic", continuity=True
        ).pvalue,
    }


@pytest.mark.parametrize(
    ("scores", "units", "correlation"),
    [("skewed", 12, 0.8), ("asymmetric", 30, 0.0), ("binary", 25, 0.35), ("binary", 8, 0.8)],
)
def test_every_pvalue_is_that_of_csig(scores, units, correlation):
    cell = type_one.Cell(scores, units, correlation, True)
    binary = scores == "binary"
    a, b = type_one.draw(cell, 12)
    found = type_one.pvalues(a, b, binary)
    for i in range(12):
        comparison = compared(a, b, i)
        for test, expected in of_csig(comparison, binary).items():
            own = found[test][i]
            if np.isnan(expected):
                assert own == 1, test
            elif test == "Wilcoxon" and abs(own - type_one.ALPHA) >= type_one.CLEAR:
                assert (own > type_one.ALPHA) == (expected > type_one.ALPHA)
            else:
                assert own == pytest.approx(expected, abs=1e-10), test


def test_the_tests_of_proportions():
    """Against csig's on labels, and with Yates's correction against scipy."""
    a, b = type_one.draw(type_one.Cell("binary", 30, 0.35, True), 20)
    plain, yates = type_one.chi_square(a, b), type_one.chi_square(a, b, True)
    for i in range(20):
        gold = [1] * 30
        labels = csig.Comparison.from_labels(gold, a[i].tolist(), b[i].tolist())
        assert plain[i] == pytest.approx(
            csig.classical.chi_square_test(labels, "accuracy").pvalue, rel=1e-10
        )
        z = csig.classical.proportions_test(labels, "accuracy").pvalue
        assert plain[i] == pytest.approx(z, rel=1e-10)
        table = [[own[i].sum(), 30 - own[i].sum()] for own in (a, b)]
        assert yates[i] == pytest.approx(chi2_contingency(table, correction=True)[1], rel=1e-10)


def test_what_is_kept_is_what_theory_says():
    """The paper's point: sqrt(1 - r12) says how far below the level independence leads."""
    seen = 0
    for own in kept:
        rates, sets = own["rates"], own["data_sets"]
        if own["clustered"]:
            assert (rates["paired t"] > 0.2) is (own["unit"] == "items")
            assert (rates["randomization"] > 0.055) is (own["unit"] == "items")
        if own["better"] or own["clustered"] or own["scores"] == "asymmetric":
            continue
        error = type_one.standard_error(0.05, sets)
        assert rates["randomization"] < 0.05 + 3 * error
        if own["scores"] != "binary":
            for test in ("randomization", "paired t", "Wilcoxon"):
                assert abs(rates[test] - 0.05) < 0.012, own
        expected = type_one.independent_rate(own["correlation"])
        assert abs(rates["independent t"] - expected) < 0.006, own
        seen += 1
    assert seen == 18


def test_the_power_of_mcnemar_is_that_of_the_trinomial_distribution():
    """200 items: A alone is right in 0.24 (1 - c) + 0.1 c of them, B alone in 0.14 (1 - c)."""
    items = np.arange(201)
    for luck in (0.0, 0.35, 0.8):
        only_a, only_b = 0.24 * (1 - luck) + 0.1 * luck, 0.14 * (1 - luck)
        power = 0.0
        for n, share in zip(items, binom.pmf(items, 200, only_a + only_b), strict=True):
            k = items[: n + 1]
            p = 2 * binom.cdf(np.minimum(k, n - k), n, 0.5)
            power += share * binom.pmf(k, n, only_a / (only_a + only_b))[p <= 0.05].sum()
        (own,) = (
            row for row in kept
            if (row["scores"], row["better"], row["correlation"]) == ("binary", True, luck)
        )  # fmt: skip
        assert own["rates"]["randomization"] == pytest.approx(power, abs=4 * 0.005)
