"""Every test that draws has the p-value of its own function with the same seed."""

from __future__ import annotations

import numpy as np
import pytest
from advised import binary, clustered, paper, real

import csig
from csig.advice.running import all_tests_of, drawing_of

B = {"n_resamples": 999, "rng": 5}


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_pvalues_of_all_functions(alternative: str) -> None:
    c = binary(100, (14, 6))
    found = csig.all_tests(
        c, "mean", alternative=alternative, rng=5, n_resamples=999, bootstrap_resamples=999
    )
    one = {"alternative": alternative}
    expected = {
        "randomization test, exact": csig.randomization_test(c, "mean", **one),
        "randomization test, shuffles": csig.randomization_test(
            c, "mean", method="approximate", **one, **B
        ),
        "bootstrap test, shift": csig.bootstrap_test(c, "mean", **one, **B),
        "bootstrap test, Berg-Kirkpatrick": csig.bootstrap_test(
            c, "mean", method="berg-kirkpatrick", **one, **B
        ),
        "bootstrap test, Koehn": csig.bootstrap_test(c, "mean", method="koehn", **one, **B),
        "sign test": csig.sign_test(c, **one),
        "Wilcoxon test": csig.wilcoxon_test(c, **one),
        "paired t test": csig.paired_t_test(c, **one),
        "McNemar, exact": csig.mcnemar_test(c, **one),
        "McNemar, mid-p": csig.mcnemar_test(c, method="mid-p", **one),
        "McNemar, chi-square": csig.mcnemar_test(c, method="asymptotic", **one),
        "independent t test": csig.independent_t_test(c, **one),
        "Welch's t test": csig.independent_t_test(c, equal_variances=False, **one),
    }
    for name, own in expected.items():
        got = found[name]
        assert (got.pvalue, got.statistic) == (own.pvalue, own.statistic), name
    tested = {own.test for own in found.tests if own.pvalue is not None}
    assert tested - set(expected) <= {
        own for own in tested if "independent" in own or "Welch" in own
    }


def test_pvalues_of_precision() -> None:
    found = csig.all_tests(paper(), "precision", rng=5, n_resamples=999, bootstrap_resamples=99)
    assert found.test.pvalue == pytest.approx(0.05801056494469097, rel=1e-12)
    plain = found["randomization test of the difference"]
    assert plain.pvalue == pytest.approx(0.039988579124198086, rel=1e-12)
    assert plain.verdict == "approximate"
    assert found["chi-square test (two-sided)"].pvalue == pytest.approx(0.1228915, abs=5e-8)
    for pooled, name in ((True, "pooled"), (False, "unpooled")):
        z = csig.proportions_test(paper(), "precision", pooled=pooled)
        assert found[f"independent proportions, {name}"].pvalue == z.pvalue
    yates = csig.chi_square_test(paper(), "precision", continuity=True)
    assert found["chi-square with Yates (two-sided)"].pvalue == yates.pvalue


def test_smaller_units_have_their_own_pvalues() -> None:
    c = clustered()
    found = csig.all_tests(c, "mean", rng=1, n_resamples=99, bootstrap_resamples=99)
    assert found.test.pvalue == csig.randomization_test(c, "mean").pvalue
    own = csig.randomization_test(c.at("unit"), "mean")
    assert found["randomization test of items"].pvalue == own.pvalue != found.test.pvalue
    again = csig.all_tests(c.at("unit"), "mean", rng=1, n_resamples=99, bootstrap_resamples=99)
    assert again.test.pvalue == found.test.pvalue  # the largest unit, whatever was asked for


def test_seeds_and_threads() -> None:
    few = {"n_resamples": 2**17, "bootstrap_resamples": 2**17}
    one = csig.all_tests(real(), rng=3, threads=1, **few)
    two = csig.all_tests(real(), rng=3, threads=2, **few)
    assert one.tests == two.tests
    assert one.seed.entropy == 3
    fresh = csig.all_tests(real(), n_resamples=99, bootstrap_resamples=99)
    again = csig.all_tests(
        real(), rng=np.random.SeedSequence(fresh.seed.entropy), n_resamples=99,
        bootstrap_resamples=99,
    )  # fmt: skip
    assert fresh.tests == again.tests


def test_progress_is_told() -> None:
    told: list[tuple[int, int]] = []
    drawing, _ = drawing_of(1, None, n_resamples=2**17)
    assert drawing.n_resamples == 2**17
    all_tests_of(
        real(), "mean", rng=1, bit_generator=None, n_resamples=2**17, bootstrap_resamples=99,
        notify=lambda done, total: told.append((done, total)),
    )  # fmt: skip
    assert told


def test_refused() -> None:
    with pytest.raises(csig.InputError, match="n_resamples"):
        drawing_of(1, None, n_resamples=0)
    with pytest.raises(csig.InputError, match="alternative"):
        drawing_of(1, None, alternative="bigger")  # type: ignore[arg-type]
