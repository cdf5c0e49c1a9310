"""The rules for many data sets."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import csig
from csig.advice.sets import FEW, Found, candidates, of_sets
from csig.errors import InputError

# Demsar (2006), table 6: AUC times 1,000.
AUC = {
    "C4.5": [763, 599, 954, 628, 882, 936, 661, 583, 775, 1000, 940, 619, 972, 957],
    "C4.5+m": [768, 591, 971, 661, 888, 931, 668, 583, 838, 1000, 962, 666, 981, 978],
    "C4.5+cf": [771, 590, 968, 654, 886, 916, 609, 563, 866, 1000, 965, 614, 975, 946],
    "C4.5+m+cf": [798, 569, 967, 657, 898, 931, 685, 625, 875, 1000, 962, 669, 975, 970],
}
TWO = {name: AUC[name] for name in ("C4.5", "C4.5+m+cf")}
RNG = np.random.default_rng(1)
WIDE = {f"s{i}": RNG.normal(size=11).round(2) for i in range(6)}
LONG = {name: RNG.normal(size=FEW).round(2) for name in "ab"}
MANY = {name: RNG.normal(size=31).round(2) for name in "abc"}
UNITS = {name: RNG.integers(0, 2, 60) for name in "ab"}
OF = [f"d{i % 12}" for i in range(60)]

OTHER = "sound, but asks something else"


def verdicts(**given: Any) -> dict[str, tuple[str, str]]:
    found = candidates(of_sets(given))
    return {own.advice.test: (own.advice.verdict, own.advice.reason) for own in found}


@pytest.mark.parametrize(
    ("given", "test", "verdict", "named"),
    [
        ({"table": TWO}, "Wilcoxon test over data sets", "sound", "14 data sets"),
        ({"table": TWO}, "Wilcoxon test over data sets", "sound", "symmetric"),
        ({"table": AUC}, "Wilcoxon test over data sets, Holm", "sound", "14 data sets"),
        ({"table": TWO}, "sign test over data sets", "sound", "14 data sets"),
        ({"table": TWO}, "randomization test over data sets", OTHER, "14 data sets"),
        ({"table": TWO}, "paired t test over data sets", "unsound", "fewer than 30"),
        ({"table": LONG}, "paired t test over data sets", "approximate", "30 data sets"),
        ({"table": TWO}, "randomization test within data sets", "does not apply", "one score"),
        ({"table": UNITS, "datasets": OF}, "randomization test within data sets", OTHER, "12 data"),
        ({"table": AUC}, "Nemenyi", "unsound", "4 systems"),
        ({"table": AUC}, "ANOVA, Tukey", "unsound", "14 data sets"),
        ({"table": AUC}, "Friedman, F of Iman and Davenport", OTHER, "4 systems"),
        ({"table": AUC}, "Friedman, chi-square", "approximate", "rough with at most 10"),
        ({"table": WIDE}, "Friedman, chi-square", OTHER, "6 systems"),
        ({"table": MANY}, "Friedman, chi-square", OTHER, "31 data sets"),
        ({"table": AUC}, "Wilcoxon test over data sets, unadjusted", "unsound", "up to 30%"),
        ({"table": TWO}, "tests on one data set", "does not apply", "14 data sets"),
    ],
)
def test_rules(given: dict[str, Any], test: str, verdict: str, named: str) -> None:
    found, reason = verdicts(**given)[test]
    assert found == verdict, reason
    assert named in reason


def test_two_systems_have_no_tests_of_many() -> None:
    assert not [name for name in verdicts(table=TWO) if "Friedman" in name or "Holm" in name]


def test_wilcoxon_is_recommended_and_its_pvalue_is_the_published_one() -> None:
    """Demsar (2006), section 3.1.3: the larger rank sum of C4.5 and C4.5+m is 93 of 105."""
    pair = {name: AUC[name] for name in ("C4.5", "C4.5+m")}
    found = csig.all_tests(pair, rows="datasets", rng=1)
    own = csig.wilcoxon_test(csig.Comparison.from_scores(*pair.values()), zero_method="zsplit")
    assert max(own.rank_sum_a, own.rank_sum_b) == 93
    assert found.test.test == "Wilcoxon test over data sets"
    assert found.test.pvalue == pytest.approx(own.pvalue, rel=1e-12)


def test_pvalues_are_those_of_compare_over_datasets() -> None:
    found = csig.all_tests(AUC, rows="datasets", rng=1)
    own = csig.compare_over_datasets(AUC, rng=1)
    for name, key in {
        "Wilcoxon test over data sets, Holm": "wilcoxon",
        "sign test over data sets, Holm": "sign",
        "paired t test over data sets, Holm": "t",
        "randomization test over data sets, Holm": "randomization",
        "Nemenyi": "nemenyi",
        "ANOVA, Tukey": "tukey",
    }.items():
        assert found[name].pvalue == min(pair.adjusted_by[key] for pair in own.pairs), name
    overall = {one.name: one for one in own.overall}
    for name, key in (("F of Iman and Davenport", "iman-davenport"), ("chi-square", "friedman")):
        got = found[f"Friedman, {name}"]
        assert (got.pvalue, got.statistic) == (overall[key].pvalue, overall[key].statistic)
    alone = found["Wilcoxon test over data sets, unadjusted"]
    assert alone.pvalue == min(pair.pvalue for pair in own.pairs)
    assert Found(1.0, 0.5).pvalue == 0.5


def test_units_in_data_sets() -> None:
    found = csig.all_tests(UNITS, datasets=OF, rng=1, n_resamples=999)
    own = csig.compare_over_datasets(UNITS, datasets=OF, rng=1, n_resamples=999)
    assert found["randomization test within data sets"].pvalue == own.pairs[0].pvalues["within"]
    assert found.n_units == 12
    assert "60 units in all" in found.facts[0]


def test_too_few_data_sets_are_doubted() -> None:
    few = {name: own[:5] for name, own in TWO.items()}
    found = csig.recommend(few, rows="datasets")
    assert found.least_pvalue == 0.0625
    assert "no two-sided p of a pair can be below 0.0625" in found.doubts[0]
    assert csig.recommend(TWO, rows="datasets").doubts == ()


def test_every_unsound_mark_names_a_number() -> None:
    for table in (AUC, TWO, WIDE, LONG):
        for own in csig.recommend(table, rows="datasets").unsound:
            assert any(c.isdigit() for c in own.reason), own


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"table": {"a": [1], "b": [2]}}, "found 1 data set, expected two or more"),
        ({"table": {"a": [1, 2]}}, "two"),
    ],
)
def test_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        of_sets(given)
