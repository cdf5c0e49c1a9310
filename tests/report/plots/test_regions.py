"""The difference of two methods over n: what is filled and named is what is claimed."""

from __future__ import annotations

import csv
from dataclasses import replace

import numpy as np
import pytest
from drawings import said
from written import refusal

import csig
from csig.pictures import bytes_of
from csig.report.plots.regions import ranking_difference

pytest.importorskip("matplotlib")


def curves_of(n, better, seed=1, names=("new", "base")):
    """A result with these claims: 1 where A is better, -1 where B is."""
    n, better = np.asarray(n), np.asarray(better)
    rng = np.random.default_rng(seed)
    base = 0.2 + 0.1 * rng.random(len(n))
    table = {"true": [1, 0, 1, 0], "a": [4, 3, 2, 1], "b": [1, 2, 3, 4]}
    found = csig.compare_ranking_curves(table, "a", "b", n_resamples=99, rng=1)
    sign = np.where(better == 0, rng.choice([-1, 1], len(n)), better)
    return replace(
        found, names=names, n=n, sizes=(n, n), precision=(base + sign * 0.1, base),
        pvalues=np.where(better == 0, 0.5, 0.001), adjusted=np.where(better == 0, 0.9, 0.01),
        a_better=better > 0, b_better=better < 0,
    )  # fmt: skip


def words(axes):
    return axes.figure.get_supxlabel().replace("\n", " ")


def filled(axes):
    """The ends of what is filled, and of what is better there."""
    return [(own.get_xy()[:, 0].min(), own.get_xy()[:, 0].max(), bool(own.get_hatch()))
            for own in axes.patches]  # fmt: skip


def legend(axes):
    found = axes.get_legend()
    return [] if found is None else [text.get_text() for text in found.get_texts()]


def test_regions_are_filled_and_named():
    n = np.arange(100, 2001, 10)
    better = np.zeros(len(n), dtype=int)
    better[3:20], better[40:50], better[100:150] = 1, 1, -1
    found = curves_of(n, better)
    axes = ranking_difference(found)
    assert filled(axes) == [(130, 290, False), (500, 590, False), (1100, 1590, True)]
    assert legend(axes) == [
        "new better: n = 130 to 290, 500 to 590",
        "base better: n = 1,100 to 1,590",
    ]
    (line,) = [own for own in axes.lines if own.get_label() == "_difference"]
    assert line.get_xdata().tolist() == n.tolist()
    np.testing.assert_allclose(line.get_ydata(), 100 * found.difference)
    for patch, own in zip(axes.patches, found.regions, strict=True):
        y = patch.get_xy()[:-1, 1]
        inside = (n >= own.first) & (n <= own.last)
        np.testing.assert_allclose(y[1:-1], 100 * found.difference[inside])
        assert (y[0], y[-1]) == (0, 0)
    assert axes.get_title("left") == "Precision: new - base (points)"
    assert "at 0.05, adjusted for the 191 lengths tested (100 to 2,000)" in words(axes)
    assert "probability of about 5%" in words(axes)
    assert any(np.all(np.asarray(own.get_ydata()) == 0) for own in axes.lines)


def test_few_lengths_have_marks():
    found = curves_of([50, 100, 200, 500], [0, 1, 0, -1])
    axes = ranking_difference(found)
    marks = {own.get_label(): own for own in axes.lines if own.get_marker() == "o"}
    assert marks["_significant"].get_xdata().tolist() == [100, 500]
    assert marks["_not"].get_xdata().tolist() == [50, 200]
    assert marks["_not"].get_markerfacecolor() == "white"
    assert legend(axes) == ["new better: n = 100", "base better: n = 500"]
    assert [own[0] < at < own[1] for own, at in zip(filled(axes), (100, 500), strict=True)]
    assert "Filled: significant; open: not." in words(axes)


def test_no_difference_and_one_length():
    axes = ranking_difference(curves_of([100, 200], [0, 0]))
    assert axes.get_legend() is None
    assert not axes.patches
    assert words(axes).startswith("No significant difference.")
    one = ranking_difference(curves_of([100], [1]))
    assert "tested at n = 100 only" in words(one)
    assert bytes_of(one.figure, "png")


def test_claims_about_the_shortest_lists_are_shown():
    n = np.arange(1, 301)
    axes = ranking_difference(curves_of(n, np.where(n < 6, 1, 0)))
    assert axes.get_xlim()[0] < 1
    later = ranking_difference(curves_of(n, np.where(n < 6, 1, 0)), first=50)
    assert legend(later) == ["new better: n = 1 to 5"]
    assert "Lists of fewer than 50 are not shown." in words(later)


def test_claims_that_come_and_go_at_very_many_lengths():
    n = np.arange(1, 50_001)
    rng = np.random.default_rng(1)
    better = rng.integers(-1, 2, len(n))
    axes = ranking_difference(curves_of(n, better), scale="linear")
    assert len(axes.patches) <= 2 * 200
    (line,) = [own for own in axes.lines if own.get_label() == "_difference"]
    assert len(line.get_xdata()) <= 1600
    svg = bytes_of(axes.figure, "svg")
    assert len(svg) < 600_000
    assert b"nan" not in svg
    assert "and" in legend(axes)[0]


def test_real_collocations(shared_data):
    path = shared_data("krenn_ppv_ranking") / "KrennPPV.csv"
    with path.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    names = ("is.colloc", "log.like", "freq")
    table = {name: [float(row[name]) for row in rows] for name in names}
    found = csig.compare_ranking_curves(
        table, "log.like", "freq", range(100, 2001, 50), true="is.colloc", n_resamples=999, rng=1
    )
    assert found.regions
    axes = ranking_difference(found)
    assert [own[:2] for own in filled(axes)] == [(own.first, own.last) for own in found.regions]
    assert "which can be more than n" in words(axes)


def test_names_are_short_and_axes_that_are_given_are_used():
    from matplotlib.figure import Figure

    axes = Figure(figsize=(3.3, 2)).add_subplot()
    long = ("a" * 60, "$x_{1}$ 50%")
    ranking_difference(curves_of([5, 9], [1, -1], names=long), axes)
    assert all(len(line) < 80 for text in said(axes) for line in text.split("\n"))
    assert "$x_{1}$ 50% better: n = 9" in legend(axes)
    assert "Significant at 0.05" in axes.get_xlabel()


def test_mistakes_are_named():
    assert "curves must be" in refusal(ranking_difference, 5)
    assert "scale must be" in refusal(ranking_difference, curves_of([5], [0]), scale="x")
