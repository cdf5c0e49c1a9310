"""The rules: rows of rules.txt; p-values of folds, of many systems and of many data sets."""

from pathlib import Path
from typing import Any

import advised
import numpy as np
import pytest
from printed import expected, printed, rewrite

import csig
from csig import Comparison
from csig.advice import pairs
from csig.advice.others import FEW_SETS, of_folds, of_sets, of_systems
from csig.base.errors import InputError
from csig.systems import ranking

# ---- the rules for folds ------------------------------------------------------------------------


PRINTED = Path(__file__).with_name("rules.txt")


def rules(found: Any, *only: str) -> list[str]:
    """Every test with its verdict and why, or some tests."""
    every = found.tests if hasattr(found, "tests") else found.candidates()
    return [f"{own.test}: {own.verdict}: {own.reason}" for own in every
            if not only or own.test in only]  # fmt: skip


A = [0.81, 0.84, 0.79, 0.86, 0.83, 0.80, 0.82, 0.85, 0.84, 0.78]
B = [0.80, 0.81, 0.79, 0.82, 0.82, 0.81, 0.80, 0.83, 0.84, 0.77]


def folds(n: int = 10, each: int | None = None, share: float | None = None) -> Any:
    return of_folds(A[:n], B[:n], each, share, ("new", "base"))


HALVES = [0.5, 0.5, 0.6, 0.6, 0.7, 0.7, 0.8, 0.8, 0.9, 0.9]


def rules_of_folds(found: Any) -> list[str]:
    """The rules, what the folds are, and how much a system is trained on."""
    own = {own.test: own.call for own in found.candidates()}
    return [f"{found.what}; {found.test_share}; {own['corrected resampled t test']}", *rules(found)]


def test_pvalues_of_folds_are_those_of_the_functions() -> None:
    found = csig.advice.all_tests({"base": B, "new": A}, rows="folds", folds=2)
    a, b = np.array(A).reshape(5, 2), np.array(B).reshape(5, 2)
    comparison = csig.Comparison.from_scores(A, B)
    expected = {
        "5x2cv F test": csig.classical.cv52_f_test(a, b),
        "5x2cv t test": csig.classical.cv52_t_test(a, b),
        "corrected resampled t test": csig.classical.resampled_t_test(A, B, n_train=1, n_test=1),
        "k-fold t test": csig.classical.kfold_t_test(A, B),
        "randomization test of folds": csig.randomization_test(comparison, "mean"),
        "Wilcoxon test of folds": csig.classical.wilcoxon_test(comparison),
        "sign test of folds": csig.classical.sign_test(comparison),
    }
    for name, own in expected.items():
        assert (found[name].pvalue, found[name].statistic) == (own.pvalue, own.statistic), name
    assert found.names == ("new", "base")
    assert found.rows == "folds"


@pytest.mark.parametrize(("a", "b", "each", "share", "message"), [
    ([0.5], [0.4], None, None, "1 fold, and no test can say anything of one"),
    (A, B, 3, None, "10 rows are no whole number of cross-validations"),
    (A, B, 1, None, "at least two folds"),
    (A, B, 5, 0.2, "--folds is for cross-validations, --test-share for random splits"),
    (A, B, None, 1.5, "test_share"),
    ([0.5, 0.75], [0.25, 0.5], None, None, "all 2 folds have the same difference"),
])  # fmt: skip
def test_folds_that_are_refused(a: Any, b: Any, each: Any, share: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        of_folds(a, b, each, share, ("a", "b"))


# ---- the rules for many systems -----------------------------------------------------------------


RNG = np.random.default_rng(4)
SHARES = {"a": 0.3, "b": 0.5, "c": 0.5, "d": 0.8}
BINARY = {name: (RNG.random(60) < share).astype(int) for name, share in SHARES.items()}
REAL = {name: RNG.normal(size=60).round(2) for name in "abc"}
LARGE = {name: RNG.normal(size=200).round(2) for name in "abc"}
COUNTS = {name: np.column_stack([RNG.integers(0, 3, 20), RNG.integers(3, 5, 20), np.full(20, 4)])
          for name in "abc"}  # fmt: skip
F1 = {"systems": COUNTS, "columns": ("tp", "predicted", "gold"), "metric": "f1"}


def test_holm_is_recommended_and_its_call_runs() -> None:
    first = of_systems(F1).candidates()[0]
    assert first.test == "all pairs, Holm"
    assert first.call == 'csig.compare_systems(systems, metric="f1", columns=columns)'
    names = {"csig": csig, "systems": COUNTS, "columns": F1["columns"]}
    assert eval(first.call, names).correction == "holm"


def test_pvalues_are_the_smallest_of_all_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def counting(table: Any, **options: Any) -> csig.systems.ranking.SystemsResult:
        asked.append(options["correction"])
        return ranking.rank_systems(table, **options)

    monkeypatch.setattr("csig.advice.others.rank_systems", counting)
    found = csig.advice.all_tests(BINARY, rng=3)
    assert sorted(asked) == ["flips", "holm"]  # once for all corrections
    for correction, name in (
        ("holm", "Holm"), ("bonferroni", "Bonferroni"), ("shaffer", "Shaffer"),
        ("bh", "Benjamini-Hochberg"), ("flips", "flips"),
    ):  # fmt: skip
        own = csig.compare_systems(BINARY, correction=correction, rng=3)
        best = min(own.pairs, key=lambda pair: (pair.adjusted_pvalue, pair.pvalue))
        assert found[f"all pairs, {name}"].pvalue == best.adjusted_pvalue, correction
    alone = csig.compare_systems(BINARY)
    assert found["all pairs, unadjusted"].pvalue == min(own.pvalue for own in alone.pairs)
    q = csig.classical.cochran_q_test(BINARY)
    assert (found["Cochran's Q"].pvalue, found["Cochran's Q"].statistic) == (q.pvalue, q.statistic)


# ---- the rules for many data sets ---------------------------------------------------------------


# Demsar (2006), table 6: AUC times 1,000.
AUC = {
    "C4.5": [763, 599, 954, 628, 882, 936, 661, 583, 775, 1000, 940, 619, 972, 957],
    "C4.5+m": [768, 591, 971, 661, 888, 931, 668, 583, 838, 1000, 962, 666, 981, 978],
    "C4.5+cf": [771, 590, 968, 654, 886, 916, 609, 563, 866, 1000, 965, 614, 975, 946],
    "C4.5+m+cf": [798, 569, 967, 657, 898, 931, 685, 625, 875, 1000, 962, 669, 975, 970],
}
TWO = {name: AUC[name] for name in ("C4.5", "C4.5+m+cf")}
DRAWN = np.random.default_rng(1)
WIDE = {f"s{i}": DRAWN.normal(size=11).round(2) for i in range(6)}
LONG = {name: DRAWN.normal(size=FEW_SETS).round(2) for name in "ab"}
MANY_SETS = {name: DRAWN.normal(size=31).round(2) for name in "abc"}
UNITS = {name: DRAWN.integers(0, 2, 60) for name in "ab"}
OF = [f"d{i % 12}" for i in range(60)]


recommend, scores, counted = csig.recommend, Comparison.from_scores, Comparison.from_counts
NAMES = {**vars(pairs), **vars(advised), **globals()}


@pytest.mark.parametrize(("expression", "text"), expected(PRINTED))
def test_rules(expression: str, text: str) -> None:
    assert printed(expression, NAMES) == text


def test_wilcoxon_is_recommended_and_its_pvalue_is_the_published_one() -> None:
    """Demsar (2006), section 3.1.3: the larger rank sum of C4.5 and C4.5+m is 93 of 105."""
    pair = {name: AUC[name] for name in ("C4.5", "C4.5+m")}
    found = csig.advice.all_tests(pair, rows="datasets", rng=1)
    own = csig.classical.wilcoxon_test(
        csig.Comparison.from_scores(*pair.values()), zero_method="zsplit"
    )
    assert max(own.rank_sum_a, own.rank_sum_b) == 93
    assert found.test.test == "Wilcoxon test over data sets"
    assert found.test.pvalue == pytest.approx(own.pvalue, rel=1e-12)


def test_pvalues_are_those_of_compare_over_datasets() -> None:
    found = csig.advice.all_tests(AUC, rows="datasets", rng=1)
    own = csig.compare_datasets(AUC, rng=1)
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
    units = {"datasets": OF, "rng": 1, "n_resamples": 999}
    found = csig.advice.all_tests(UNITS, **units)
    (pair,) = csig.compare_datasets(UNITS, **units).pairs
    assert found["randomization test within data sets"].pvalue == pair.pvalues["within"]
    assert found.n_units == 12
    assert "12 data sets, 60 units;" in found.facts[0]


def test_too_few_data_sets_are_refused_or_doubted_and_unsound_marks_name_a_number() -> None:
    for table, words in (
        ({"a": [1], "b": [2]}, "found 1 data set, expected two or more"), ({"a": [1, 2]}, "two"),
    ):  # fmt: skip
        with pytest.raises(InputError, match=words):
            of_sets({"table": table})
    few = {name: own[:5] for name, own in TWO.items()}
    found = csig.recommend(few, rows="datasets")
    assert found.least_pvalue == 0.0625
    assert "no two-sided p of a pair can be below 0.0625" in found.doubts[0]
    assert csig.recommend(TWO, rows="datasets").doubts == ()
    for table in (AUC, TWO, WIDE, LONG):
        for own in csig.recommend(table, rows="datasets").unsound:
            assert any(c.isdigit() for c in own.reason), own


if __name__ == "__main__":
    rewrite(PRINTED, NAMES)
