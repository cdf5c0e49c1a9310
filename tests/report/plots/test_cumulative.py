"""How a difference builds up: the line and the band are what they say."""

from __future__ import annotations

import numpy as np
import pytest
from drawings import said
from written import refusal

import csig
from csig.report.plots.bands import reach
from csig.report.plots.cumulative import cumulative
from csig.report.plots.steps import metric_of, path

pytest.importorskip("matplotlib")


def corners(axes):
    return axes.collections[0].get_paths()[0].vertices


def test_the_line_ends_at_the_difference(documents):
    axes = cumulative(documents, "f1")
    line = axes.lines[0]
    own = csig.unit_contributions(documents, "f1")
    expected = 100 * np.cumsum(own.values[own.differs])
    np.testing.assert_allclose(line.get_ydata(), [0, *expected], atol=1e-12)
    assert line.get_ydata()[-1] == pytest.approx(100 * np.subtract(*documents.scores("f1")))
    assert axes.get_xlabel() == "documents that differ, in their order"
    assert axes.get_title("left") == "F1: new - base (points)"


def test_the_band_is_what_swaps_give():
    c = csig.Comparison.from_scores([3, 5, 1, 4, 0], [1, 4, 2, 2, 3])
    axes = cumulative(c, share=0.9)
    steps = np.array([2, 1, -1, 2, -3]) / 5
    found = {float(x): float(y) for x, y in corners(axes) if y > 0}
    ends = {k: max(y for x, y in corners(axes) if x == k) for k in range(1, 6)}
    for k, high in ends.items():
        assert high == pytest.approx(reach(steps[:k], 0.9))
    assert min(y for _, y in corners(axes)) == pytest.approx(-max(found.values()))
    assert "90% of swaps" in axes.get_legend().get_texts()[0].get_text()


def test_large_steps_first(documents):
    axes = cumulative(documents, "recall", order="size")
    sizes = np.abs(np.diff(axes.lines[0].get_ydata()))
    contributions = csig.unit_contributions(documents, "recall")
    own = np.sort(np.abs(contributions.values[contributions.differs]))[::-1]
    np.testing.assert_allclose(sizes, 100 * own, atol=1e-12)
    again = cumulative(contributions, order="size").lines[0].get_ydata()
    np.testing.assert_allclose(again, axes.lines[0].get_ydata())


def test_functions_do_not_add_up():
    c = csig.Comparison.from_labels(list("aabbccab"), list("aabbccba"), list("abbaccab"))
    line = cumulative(c, "macro_f1").lines[0].get_ydata()
    places = np.flatnonzero((c.rows().a != c.rows().b).any(axis=1))
    np.testing.assert_allclose(line, 100 * path(c, metric_of(c, "macro_f1"), places, 0))
    own = csig.unit_contributions(c, "macro_f1")
    assert "give the comparison" in refusal(cumulative, own)


def test_a_hundred_thousand_units_are_a_thousand_points():
    rng = np.random.default_rng(1)
    c = csig.Comparison.from_scores(rng.integers(0, 9, 100_000), rng.integers(0, 9, 100_000))
    axes = cumulative(c)
    assert len(axes.lines[0].get_xdata()) == 1001
    assert axes.lines[0].get_ydata()[-1] == pytest.approx(np.subtract(*c.scores("mean")))


def test_one_unit_and_none():
    assert "+2" in said(cumulative(csig.Comparison.from_scores([3], [1])))
    axes = cumulative(csig.Comparison.from_scores([3], [3]))
    assert axes.lines[0].get_ydata().tolist() == [0.0]


def test_mistakes_are_named(yeh):
    assert "no order" in refusal(cumulative, yeh, "f1")
    c = csig.Comparison.from_scores([3], [1])
    assert "order must be" in refusal(cumulative, c, order="name")
    assert "share" in refusal(cumulative, c, share=2)
