"""Histograms and pairs: drawn of any names and of any numbers."""

from xml.etree import ElementTree

import numpy as np
import pytest

pytest.importorskip("matplotlib")

import csig
from csig.report.style import bytes_of, new_figure


def picture(scores, systems, test_sets, pair=None):
    found = csig.training.TrainingDistribution(scores, systems, test_sets)
    axes = found.plot("page", **dict(zip("ab", pair or (), strict=False)))
    return bytes_of(axes.figure, "svg").decode()


TEXT = "{http://www.w3.org/2000/svg}text"


def test_a_row_for_every_test_set():
    scores = np.random.default_rng(1).random((4, 2, 2))
    for systems, pair, number in ((("a", "b"), ("b", "a"), 4), (("a",), None, 2)):
        drawn = scores[:, : len(systems)], systems, ("x", "y"), pair
        svg = picture(*drawn)
        identifiers = [e.get("id") or "" for e in ElementTree.fromstring(svg).iter()]
        assert sum(own.startswith("axes_") for own in identifiers) == number


def test_names_are_text_and_scores_need_not_vary():
    scores = np.random.default_rng(1).random((5, 2, 1)) * 50
    svg = picture(scores, ("数 $x$ <b>", "a_{b}"), ("\x1b[1m $",), ("a_{b}", "数 $x$ <b>"))
    assert "<svg" in picture(np.full((5, 2, 1), 0.5), ("a", "b"), ("t",), ("a", "b"))
    words = [e.text for e in ElementTree.fromstring(svg).iter(TEXT)]
    assert {"数 $x$ <b>", "a_{b}", "\\x1b[1m $"} <= set(words)


def test_a_distribution_draws_one_test_set():
    scores = np.random.default_rng(1).random((30, 2, 2))
    found = csig.training.TrainingDistribution(scores, ("base", "new"), ("news", "web"))
    ax = found.plot()
    assert ax.get_xlabel() == "news (%)"
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["base", "new"]
    other = found.plot("pairs", ax=new_figure(3, 3).add_subplot(), test_set="web")
    assert (other.get_xlabel(), other.get_ylabel()) == ("new, web (%)", "base, web (%)")
    (points,) = [line for line in other.get_lines() if line.get_marker() == "."]
    assert np.array_equal(points.get_xydata(), 100 * scores[:, ::-1, 1])
    assert csig.plots.plot(found, "pairs").get_xlabel() == "new, news (%)"
    with pytest.raises(csig.InputError, match="there is 'histogram', 'pairs'"):
        found.plot("forest")
    assert len(found.plot("page").figure.axes) == 4
    with pytest.raises(csig.InputError, match="a page has axes of its own"):
        found.plot("page", ax=ax)
    with pytest.raises(csig.InputError, match="did you mean 'web'"):
        found.plot(test_set="wbe")
    alone = csig.training.TrainingDistribution(scores[:, :1], ("base",), ("news", "web"))
    with pytest.raises(csig.InputError, match="pairs are of two systems"):
        alone.plot("pairs")
