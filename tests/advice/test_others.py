"""The rules for folds, for many systems and for many data sets."""

from typing import Any

import numpy as np
import pytest

import csig
from csig.advice.base import Drawing
from csig.advice.others import FEW_SETS, of_folds, of_sets, of_systems
from csig.base.errors import InputError
from csig.systems import ranking

# ---- the rules for folds ------------------------------------------------------------------------


OTHER = "sound, but asks something else"
A = [0.81, 0.84, 0.79, 0.86, 0.83, 0.80, 0.82, 0.85, 0.84, 0.78]
B = [0.80, 0.81, 0.79, 0.82, 0.82, 0.81, 0.80, 0.83, 0.84, 0.77]


def folds(n: int = 10, each: int | None = None, share: float | None = None) -> Any:
    return of_folds(A[:n], B[:n], each, share, ("new", "base"))


HALVES = [0.5, 0.5, 0.6, 0.6, 0.7, 0.7, 0.8, 0.8, 0.9, 0.9]


@pytest.mark.parametrize(
    ("found", "recommended", "what", "trained"),
    [
        (folds(5), "corrected resampled t test", "5 folds of one cross-validation", 4),
        (folds(10, 5), "corrected resampled t test", "10 folds of 2 cross-validations", 4),
        (folds(10, 2), "5x2cv F test", "10 folds of 5 cross-validations", 1),
        (folds(8, 2), "corrected resampled t test", "8 folds of 4 cross-validations", 1),
        (folds(10, None, 0.1), "corrected resampled t test", "10 random splits", 9),
        (of_folds(HALVES, [0.5] * 10, 2, None, ("new", "base")), "corrected resampled t test",
         "10 folds of 5 cross-validations", 1),  # halves do not vary
    ],
)  # fmt: skip
def test_recommended_of_folds(found: Any, recommended: str, what: str, trained: int) -> None:
    verdicts = {own.test: own.verdict for own in found.candidates()}
    assert next(iter(verdicts)) == recommended
    assert found.what == what
    assert float(found.test_share) == 1 / (trained + 1)
    calls = {own.test: own.call for own in found.candidates()}
    assert calls["corrected resampled t test"] == (
        f"csig.classical.resampled_t_test(a, b, n_train={trained}, n_test=1)"
    )
    five = "approximate" if recommended == "5x2cv F test" else "does not apply"
    assert verdicts["5x2cv F test"] == verdicts["5x2cv t test"] == five
    unsound = {own.test: own.reason for own in found.candidates() if own.verdict == "unsound"}
    assert unsound.keys() == {
        "k-fold t test", "randomization test of folds", "Wilcoxon test of folds",
        "sign test of folds",
    }  # fmt: skip
    assert all(f"{what} share training items" in reason for reason in unsound.values())


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


@pytest.mark.parametrize(
    ("a", "b", "each", "share", "message"),
    [
        ([0.5], [0.4], None, None, "1 fold, and no test can say anything of one"),
        (A, B, 3, None, "10 rows are no whole number of cross-validations"),
        (A, B, 1, None, "at least two folds"),
        (A, B, 5, 0.2, "--folds is for cross-validations, --test-share for random splits"),
        (A, B, None, 1.5, "test_share"),
        ([0.5, 0.75], [0.25, 0.5], None, None, "all 2 folds have the same difference"),
    ],
)
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


@pytest.mark.parametrize(
    ("given", "test", "verdict", "named"),
    [
        ({"systems": BINARY}, "all pairs, Holm", "sound", "a probability of at least 0.95"),
        ({"systems": BINARY}, "all pairs, Shaffer", "sound", ""),
        ({"systems": REAL}, "all pairs, Shaffer", "does not apply", ""),
        ({"systems": BINARY}, "all pairs, flips", "approximate", ""),
        ({"systems": REAL}, "all pairs, flips", "unsound", "60 items"),
        ({"systems": LARGE}, "all pairs, flips", "approximate", ""),
        (F1, "all pairs, flips", "does not apply", ""),
        (F1, "all pairs, Holm", "sound", ""),
        ({"systems": REAL}, "all pairs, Bonferroni", "sound", ""),
        ({"systems": BINARY}, "Cochran's Q", OTHER, ""),
        ({"systems": REAL}, "Cochran's Q", "does not apply", ""),
        ({"systems": REAL}, "all pairs, unadjusted", "unsound",
         "3 pairs at 0.05 each: the chance of a false claim is up to 15%"),
        ({"systems": REAL}, "all pairs, Benjamini-Hochberg", OTHER, ""),
        ({"systems": REAL}, "tests of two systems", "does not apply", ""),
        ({"systems": REAL}, "tests over data sets", "does not apply", ""),
        ({"systems": BINARY, "baseline": "b"}, "pairs with the baseline, Holm", "sound",
         "3 pairs of 4 systems"),
        ({"systems": BINARY, "baseline": "b"}, "pairs with the baseline, Shaffer", "does not apply",
         ""),
    ],
)  # fmt: skip
def test_rules_for_systems(given: dict[str, Any], test: str, verdict: str, named: str) -> None:
    found = {own.test: own for own in of_systems(given).candidates()}
    assert found[test].verdict == verdict
    assert named in found[test].reason


def test_holm_is_recommended_and_its_call_runs() -> None:
    first = of_systems(F1).candidates()[0]
    assert first.test == "all pairs, Holm"
    assert first.call == 'csig.compare_systems(systems, metric="f1", columns=columns)'
    names = {"csig": csig, "systems": COUNTS, "columns": F1["columns"]}
    assert eval(first.call, names).correction == "holm"


def test_pvalues_are_the_smallest_of_all_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def counting(table: Any, **options: Any) -> csig.systems.SystemsResult:
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


def test_a_baseline_is_compared_with_every_other_system_only() -> None:
    made = of_systems({"systems": BINARY, "baseline": "b"})
    (holm,) = (own for own in made.candidates() if own.test == "pairs with the baseline, Holm")
    assert 'baseline="b"' in holm.call
    assert holm.run is not None
    own = csig.compare_systems(BINARY, baseline="b")
    drawing = Drawing(seed=np.random.SeedSequence(1))
    assert holm.run(drawing).pvalue == min(pair.adjusted_pvalue for pair in own.pairs)
    assert len(own.pairs) == made.pairs


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
MANY = {name: DRAWN.normal(size=31).round(2) for name in "abc"}
UNITS = {name: DRAWN.integers(0, 2, 60) for name in "ab"}
OF = [f"d{i % 12}" for i in range(60)]


@pytest.mark.parametrize(
    ("given", "test", "verdict", "named"),
    [
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
def test_rules_for_sets(given: dict[str, Any], test: str, verdict: str, named: str) -> None:
    found = {own.test: own for own in of_sets(given).candidates()}
    assert found[test].verdict == verdict, found[test].reason
    assert named in found[test].reason
    many = [name for name in found if "Friedman" in name or "Holm" in name]
    assert bool(many) == (len(given["table"]) > 2)


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
    assert "60 units in all" in found.facts[0]


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
