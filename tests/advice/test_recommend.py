"""What is recommended, and p-values of all tests."""

from __future__ import annotations

import math

import numpy as np
import pytest
from advised import CASES, binary, clustered, paper, real, three_documents
from hypothesis import given, settings
from hypothesis import strategies as st

import csig
from csig.advice.recommend import Recommendation, all_tests_of, drawing_of

# ---- what is recommended, whatever the data -----------------------------------------------------


FEW = {"n_resamples": 499, "bootstrap_resamples": 199, "rng": 1}


def check(comparison: csig.Comparison, metric: str) -> Recommendation:
    """The recommended test runs and gives a p, and what is said does not depend on running."""
    said = csig.recommend(comparison, metric)
    found = csig.advice.all_tests(comparison, metric, **FEW)
    assert 0 <= found.test.pvalue <= 1
    limits = ("Skewed differences", "Too few", "Few counts")
    limited = any(doubt.startswith(limits) for doubt in said.doubts)
    assert found.test.verdict == ("approximate" if limited else "sound")
    assert found.test.unit == comparison.levels[-1]
    for before, after in zip(said.tests, found.tests, strict=True):
        assert (before.test, before.verdict, before.reason) == (
            after.test, after.verdict, after.reason,
        )  # fmt: skip
        assert before.pvalue is None
        if after.verdict == "does not apply" or after.test.startswith("interval"):
            assert after.pvalue is None
        else:
            assert 0 <= after.pvalue <= 1
            assert math.isfinite(after.statistic)
    return found


@pytest.mark.parametrize("name", CASES)
def test_the_recommended_test_runs(name: str) -> None:
    make, metric = CASES[name]
    found = check(make(), metric)
    alone = csig.randomization_test(
        make().at(make().levels[-1]), metric, rng=1, n_resamples=499, statistic="auto"
    )
    assert found.test.pvalue == alone.pvalue


scores = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=9)


@settings(max_examples=25, deadline=None)
@given(scores, st.booleans(), st.booleans())
def test_whatever_the_scores(rows: list[tuple[int, int]], binary: bool, clusters: bool) -> None:
    a, b = ([min(row[i], 1) if binary else row[i] for row in rows] for i in (0, 1))
    labels = [i // 2 for i in range(len(rows))] if clusters else None
    check(csig.Comparison.from_scores(a, b, clusters=labels), "mean")


counts = st.integers(0, 6)


@settings(max_examples=25, deadline=None)
@given(counts, counts, counts, counts, counts, st.sampled_from(["recall", "precision", "f1"]))
def test_whatever_the_counts(
    both: int, only_a: int, only_b: int, wrong_a: int, wrong_b: int, metric: str
) -> None:
    comparison = csig.Comparison.from_counts(
        gold=20, both_correct=both, only_a_correct=only_a, only_b_correct=only_b,
        only_a_spurious=wrong_a, only_b_spurious=wrong_b,
    )  # fmt: skip
    check(comparison, metric)


def test_doubts() -> None:
    few = csig.recommend(three_documents(), "f1")
    assert "no two-sided p can be below 0.250" in few.doubts[0]
    assert few.least_pvalue == 0.25
    assert "Single responses are swapped" in csig.recommend(paper(), "f1").doubts[0]
    make, metric = CASES["runs"]
    assert any("2 runs of each system" in own for own in csig.recommend(make(), metric).doubts)
    assert csig.recommend(real()).doubts == ()


def test_facts() -> None:
    facts = " ".join(csig.recommend(clustered(), "mean").facts)
    assert "Stories are the largest unit that is known; items within them" in facts
    assert "Nothing larger than items is known." in csig.recommend(real()).facts
    assert "r12 = 0.35" in " ".join(csig.recommend(paper(), "f1").facts)


def test_looking_up_a_test() -> None:
    found = csig.recommend(paper(), "recall")
    assert found["sign test"].verdict == "sound"
    with pytest.raises(csig.InputError, match=r"did you mean 'sign test'"):
        found["sing test"]
    assert repr(found) == (
        "<Recommendation recall: randomization test, exact; 8 of 25 tests unsound>"
    )


def test_the_unsound_ones() -> None:
    found = csig.recommend(paper(), "recall")
    assert {own.test for own in found.unsound} == {
        "bootstrap test, Berg-Kirkpatrick", "bootstrap test, Koehn", "independent t test",
        "Welch's t test", "independent proportions, pooled", "independent proportions, unpooled",
        "chi-square test (two-sided)", "chi-square with Yates (two-sided)",
    }  # fmt: skip


# ---- every test that draws has the p-value of its own function with the same seed ---------------


B = {"n_resamples": 999, "rng": 5}


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_pvalues_of_all_functions(alternative: str) -> None:
    c = binary(100, (14, 6))
    found = csig.advice.all_tests(
        c, "mean", alternative=alternative, rng=5, n_resamples=999, bootstrap_resamples=999
    )
    one = {"alternative": alternative}
    expected = {
        "randomization test, exact": csig.randomization_test(c, "mean", **one),
        "randomization test, shuffles": csig.randomization_test(
            c, "mean", method="approximate", **one, **B
        ),
        "bootstrap test, shift": csig.intervals.bootstrap_test(c, "mean", **one, **B),
        "bootstrap test, Berg-Kirkpatrick": csig.intervals.bootstrap_test(
            c, "mean", method="berg-kirkpatrick", **one, **B
        ),
        "bootstrap test, Koehn": csig.intervals.bootstrap_test(
            c, "mean", method="koehn", **one, **B
        ),
        "sign test": csig.classical.sign_test(c, **one),
        "Wilcoxon test": csig.classical.wilcoxon_test(c, **one),
        "paired t test": csig.classical.paired_t_test(c, **one),
        "McNemar, exact": csig.classical.mcnemar_test(c, **one),
        "McNemar, mid-p": csig.classical.mcnemar_test(c, method="mid-p", **one),
        "McNemar, chi-square": csig.classical.mcnemar_test(c, method="asymptotic", **one),
        "independent t test": csig.classical.independent_t_test(c, **one),
        "Welch's t test": csig.classical.independent_t_test(c, equal_variances=False, **one),
    }
    for name, own in expected.items():
        got = found[name]
        assert (got.pvalue, got.statistic) == (own.pvalue, own.statistic), name
    tested = {own.test for own in found.tests if own.pvalue is not None}
    assert tested - set(expected) <= {
        own for own in tested if "independent" in own or "Welch" in own
    }


def test_pvalues_of_precision() -> None:
    found = csig.advice.all_tests(
        paper(), "precision", rng=5, n_resamples=999, bootstrap_resamples=99
    )
    assert found.test.pvalue == pytest.approx(0.05801056494469097, rel=1e-12)
    plain = found["randomization test of the difference"]
    assert plain.pvalue == pytest.approx(0.039988579124198086, rel=1e-12)
    assert plain.verdict == "approximate"
    assert found["chi-square test (two-sided)"].pvalue == pytest.approx(0.1228915, abs=5e-8)
    for pooled, name in ((True, "pooled"), (False, "unpooled")):
        z = csig.classical.proportions_test(paper(), "precision", pooled=pooled)
        assert found[f"independent proportions, {name}"].pvalue == z.pvalue
    yates = csig.classical.chi_square_test(paper(), "precision", continuity=True)
    assert found["chi-square with Yates (two-sided)"].pvalue == yates.pvalue


def test_smaller_units_have_their_own_pvalues() -> None:
    c = clustered()
    found = csig.advice.all_tests(c, "mean", rng=1, n_resamples=99, bootstrap_resamples=99)
    assert found.test.pvalue == csig.randomization_test(c, "mean").pvalue
    own = csig.randomization_test(c.at("unit"), "mean")
    assert found["randomization test of items"].pvalue == own.pvalue != found.test.pvalue
    again = csig.advice.all_tests(
        c.at("unit"), "mean", rng=1, n_resamples=99, bootstrap_resamples=99
    )
    assert again.test.pvalue == found.test.pvalue  # the largest unit, whatever was asked for


def test_seeds_and_threads() -> None:
    few = {"n_resamples": 2**17, "bootstrap_resamples": 2**17}
    one = csig.advice.all_tests(real(), rng=3, threads=1, **few)
    two = csig.advice.all_tests(real(), rng=3, threads=2, **few)
    assert one.tests == two.tests
    assert one.seed.entropy == 3
    fresh = csig.advice.all_tests(real(), n_resamples=99, bootstrap_resamples=99)
    again = csig.advice.all_tests(
        real(), rng=np.random.SeedSequence(fresh.seed.entropy), n_resamples=99,
        bootstrap_resamples=99,
    )  # fmt: skip
    assert fresh.tests == again.tests


def test_progress_is_told() -> None:
    told: list[tuple[int, int]] = []
    drawing = drawing_of(1, None, n_resamples=2**17)
    assert drawing.n_resamples == 2**17
    all_tests_of(
        real(), "mean", rng=1, bit_generator=None, n_resamples=2**17, bootstrap_resamples=99,
        notify=lambda done, total: told.append((done, total)),
    )  # fmt: skip
    assert told


def test_options_that_are_refused() -> None:
    with pytest.raises(csig.InputError, match="n_resamples"):
        drawing_of(1, None, n_resamples=0)
    with pytest.raises(csig.InputError, match="alternative"):
        drawing_of(1, None, alternative="bigger")  # type: ignore[arg-type]
