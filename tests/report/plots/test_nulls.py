"""Null distributions: every bar against all shuffles, one by one."""

import itertools
import math
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest
from children import python
from drawings import said
from drawn import examples
from hypothesis import given
from hypothesis import strategies as st
from written import refusal

import csig
from csig.comparing.pictures import bars, null, null_picture
from csig.results.randomization import NullDistribution

matplotlib = pytest.importorskip("matplotlib")

ALTERNATIVES = ["two-sided", "less", "greater"]
SCORES = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=7)


def of_mean(pairs, **options):
    a, b = zip(*pairs, strict=True)
    return csig.randomization_test(csig.Comparison.from_scores(a, b), "mean", **options)


def shuffles(pairs):
    """The difference of the means after every shuffle."""
    moves = [a - b for a, b in pairs]
    signs = np.array([*itertools.product((1, -1), repeat=len(moves))])
    return signs @ moves / len(moves)


@examples(100, deadline=None)
@given(SCORES, st.sampled_from(ALTERNATIVES))
def test_bars_are_the_shares_of_all_shuffles(pairs, alternative):
    result = of_mean(pairs, alternative=alternative)
    found, drawn = bars(result.null), shuffles(pairs)
    observed = result.statistic
    extreme = {
        "two-sided": np.abs(drawn) >= abs(observed) - 1e-9,
        "greater": drawn >= observed - 1e-9,
        "less": drawn <= observed + 1e-9,
    }[alternative]
    shares = np.histogram(drawn, found.edges)[0] / len(drawn)
    tails = np.histogram(drawn[extreme], found.edges)[0] / len(drawn)
    np.testing.assert_allclose(found.shares, shares, atol=1e-12)
    np.testing.assert_allclose(found.tails, tails, atol=1e-12)
    assert found.tails.sum() == pytest.approx(result.pvalue)


@pytest.mark.parametrize(("observed", "alternative"), [
    (0.0, "two-sided"), (1.0, "less"), (2.5, "greater"), (2.5, "two-sided"), (40.0, "less"),
    (40.0, "two-sided"),
])  # fmt: skip
def test_a_distribution_known_by_its_tails(observed, alternative):
    """The normal one: every bar and both tails against its distribution function."""
    asked = []

    def upper(t):
        asked.append(t)
        return math.erfc(float(t) / math.sqrt(2)) / 2, 0

    own = NullDistribution.from_tail(observed, alternative, upper, 60.0)
    found = bars(own)

    def cdf(t):
        return math.erfc(-t / math.sqrt(2)) / 2

    shares = np.diff([cdf(t) for t in found.edges])
    np.testing.assert_allclose(found.shares, shares, atol=1e-12)
    expected = {"less": cdf(observed), "greater": cdf(-observed)}.get(
        alternative, 2 * cdf(-observed)
    )
    assert found.tails.sum() == pytest.approx(expected, abs=2e-5)
    assert len(set(asked)) < 200  # each may take an exact test


@pytest.mark.parametrize(("n", "bars_of_values"), [(2, 3), (9, 10), (200, None)])
def test_no_possible_value_lies_on_the_end_of_a_bar(n, bars_of_values):
    """Few have a bar each, with room between them."""
    own = of_mean([(1, 0)] * n).null
    edges = bars(own).edges
    assert np.abs(edges[:, None] - own.support).min() > 0.2 / n
    if bars_of_values is None:
        assert -edges[0] == pytest.approx(edges[-1], rel=0.1)
        assert edges[0] <= -4.5 * own.std
        return
    assert len(edges) == 2 * bars_of_values
    assert ((edges[:-1:2] < own.support) & (edges[1::2] > own.support)).all()


PAIRS = [(1, 0)] * 4 + [(0, 1)]
DRAWN = {"method": "approximate", "n_resamples": 1000, "rng": 1, "keep_null": True}


@pytest.mark.parametrize(("pairs", "options", "title"), [
    (PAIRS, {}, "Mean: p = 0.375, exact"),
    ([(a / 10**7, b / 10**7) for a, b in PAIRS], {}, "Mean: p = 0.375, exact"),
    (PAIRS, {"alternative": "less"}, "Mean: p = 0.969, one-sided, exact"),
    (PAIRS, {**DRAWN, "alternative": "greater"}, "one-sided, 1,000 shuffles"),
    ([(1, 1), (2, 2)], {}, "Mean: p = 1: no unit differs"),
    ([(3, 1), (2, 2)], {}, "Mean: p = 1, exact"),
])  # fmt: skip
def test_p_is_written(pairs, options, title):
    result = of_mean(pairs, **options)
    axes = null(result, names=("new", "$x$"))
    assert axes.get_title("left").endswith(title)
    assert "new - $x$" in axes.get_xlabel()
    assert any(text.startswith("observed ") for text in said(axes))
    assert bars(result.null).tails.sum() == pytest.approx(result.pvalue, abs=1e-3)


def test_a_tail_that_nobody_can_see_is_said():
    big = csig.Comparison.from_counts(
        gold=3000, only_a_correct=900, only_b_correct=150, only_a_spurious=30, only_b_spurious=9
    )
    axes = null(csig.randomization_test(big, "recall"))
    assert axes.get_title("left").startswith("Recall: p = ")
    assert "e-1" in axes.get_title("left")
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["tail too small to see"]


def test_differences_that_were_not_kept_or_are_too_large_are_refused(yeh):
    def upper(t):
        raise MemoryError

    own = NullDistribution.from_tail(1.0, "two-sided", upper, 60.0, std=1.0)
    assert "keep_null=True" in refusal(bars, own)
    result = csig.randomization_test(yeh, "f1", method="approximate", n_resamples=64, rng=1)
    assert "keep_null=True" in refusal(null, result)
    assert "csig.randomization_test gives" in refusal(null, 0.5)


# ---- on the pages of audits --------------------------------------------------------------------


@pytest.fixture(scope="module")
def picture():
    """What draws the picture of an audit of systems with these names."""
    comparison = csig.Comparison.from_counts(
        gold=40, both_correct=5, only_a_correct=20, only_b_correct=9
    )
    audit = csig.audit(comparison, "recall", n_resamples=1024, rng=1)

    def picture(a):
        own = replace(audit, comparison=replace(comparison, names=(a, "base")))
        return null_picture(own, audit.options["metrics"][0])

    return picture


@pytest.mark.parametrize("name", ["Zoë $x$ ნ", "모델 <1> & $x$", "🦊", "Zoë 数"])
def test_words_are_outlines_or_text_where_the_font_lacks_them(name, picture):
    """Warnings are errors here, and matplotlib would draw a box for each letter."""
    svg = picture(name)
    texts = ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")
    written = [element.text for element in texts]
    assert written == [] if "ნ" in name else f"Recall: {name} - base (points)" in written
    assert "<1>" not in svg


def test_settings_of_the_user_play_no_part(picture):
    plain = picture("one")
    own = {"font.family": "serif", "font.size": 30, "axes.grid": True, "svg.fonttype": "none"}
    with matplotlib.rc_context({**own, "axes.facecolor": "black", "text.usetex": True}):
        assert picture("one") == plain
        assert matplotlib.rcParams["font.size"] == 30
    assert picture("one") == plain


PICTURED = """
import os, sys, csig
from csig.report.style import bytes_of
backend = os.environ["MPLBACKEND"]
result = csig.randomization_test(csig.Comparison.from_scores([1, 1, 0], [0, 1, 1]), "mean")
assert bytes_of(result.plot().figure, "svg").startswith(b"<svg")
assert os.environ["MPLBACKEND"] == backend
assert "matplotlib.figure" in sys.modules
assert "matplotlib.pyplot" not in sys.modules
"""


@pytest.mark.parametrize("backend", ["bogus", pytest.param("qtagg", marks=pytest.mark.slow)])
def test_the_backend_plays_no_part(backend):
    """Nor is any window's code imported."""
    done = python(PICTURED, flags=["-W", "error::UserWarning"], env={"MPLBACKEND": backend})
    assert (done.returncode, done.stderr) == (0, "")
