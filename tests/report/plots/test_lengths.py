"""Axes over lengths of lists: which are shown, and lines that keep their shape."""

from __future__ import annotations

import numpy as np
import pytest
from drawings import said
from written import refusal

from csig.report.plots.lengths import COLUMNS, below, corners, dress, folded, lengths_of, thinned

pytest.importorskip("matplotlib")


def axes_of(width=6.4):
    from matplotlib.figure import Figure

    return Figure(figsize=(width, 3)).add_subplot()


@pytest.mark.parametrize(
    ("n", "first", "start", "log"),
    [
        (range(1, 5103), None, 9, True),
        (range(1, 5103), 100, 99, True),
        (range(1, 5103), 1, 0, True),
        (range(100, 2001, 10), None, 0, False),
        (range(1, 51), None, 0, True),  # too few to leave any out
        ([1, 3, 5], None, 0, False),
        ([50, 2000], None, 0, True),
        ([7], None, 0, False),
    ],
)
def test_which_lengths_are_shown(n, first, start, log):
    n = np.array(n)
    shown = lengths_of(n, first, "auto")
    assert shown.n.tolist() == n[start:].tolist()
    assert (shown.start, shown.log) == (start, log)
    assert bool(shown.left_out) == (start > 0)
    if start:
        assert f"fewer than {n[start]}" in shown.left_out


def test_what_is_claimed_is_shown():
    n = np.arange(1, 501)
    claimed = n >= 4
    assert lengths_of(n, None, "auto", claimed).n[0] == 4
    assert lengths_of(n, 50, "auto", claimed).n[0] == 50
    assert lengths_of(n, None, "auto", n > 90).n[0] == 10
    assert lengths_of(n, None, "linear").log is False
    assert lengths_of(n, 400, "log").log is True


def test_mistakes_are_named():
    n = np.arange(1, 31)
    assert "scale must be" in refusal(lengths_of, n, None, "logarithm")
    assert "longest list has 30 candidates, found 31" in refusal(lengths_of, n, 31, "auto")
    assert "first" in refusal(lengths_of, n, 0, "auto")


@pytest.mark.parametrize("log", [False, True])
def test_a_line_keeps_its_extremes_in_every_column(log):
    rng = np.random.default_rng(1)
    n = np.arange(10, 100_010)
    y = np.cumsum(rng.normal(size=len(n)))
    shown = lengths_of(n, None, "log" if log else "linear")
    columns = shown.columns
    assert columns[0] == 0
    assert columns[-1] == COLUMNS - 1
    assert (np.diff(columns) >= 0).all()
    kept = thinned(columns, y)
    assert len(kept) <= 4 * COLUMNS
    assert {0, len(n) - 1} <= set(kept.tolist())
    for column in range(0, COLUMNS, 7):
        inside = np.flatnonzero(columns == column)
        if not len(inside):
            continue
        own = kept[columns[kept] == column]
        assert {inside[0], inside[-1]} <= set(own.tolist())
        assert y[own].min() == y[inside].min()
        assert y[own].max() == y[inside].max()


def test_few_points_are_all_kept():
    y = np.array([3.0, 1.0, 2.0])
    assert thinned(np.array([0, 5, 9]), y).tolist() == [0, 1, 2]
    assert thinned(np.zeros(9, dtype=np.int64), np.zeros(9)).tolist() == [0, 8]


def test_the_outline_of_a_band():
    shown = lengths_of(np.array([1, 2, 4]), None, "linear")
    x, y = corners(shown, np.array([0.0, 1.0, 2.0]), np.array([5.0, 6.0, 7.0]))
    assert x.tolist() == [1, 2, 4, 4, 2, 1]
    assert y.tolist() == [0, 1, 2, 7, 6, 5]


@pytest.mark.parametrize("n", [[5], [5, 6], [10, 90], [10, 10**7], range(100, 2001, 50)])
@pytest.mark.parametrize("scale", ["log", "linear"])
def test_the_axis_holds_all_lengths_and_has_few_numbers(n, scale):
    axes = axes_of()
    shown = lengths_of(np.array(n), None, scale)
    dress(axes, shown, 6.4)
    low, high = axes.get_xlim()
    assert low < n[0]
    assert high > n[-1]
    axes.figure.draw_without_rendering()
    texts = [own.get_text() for own in axes.get_xticklabels()]
    inside = [t for t, at in zip(texts, axes.get_xticks(), strict=True) if low <= at <= high and t]
    assert 1 <= len(inside) <= 12
    assert all(text.replace(",", "").isdigit() for text in inside)


def test_words_below():
    text = "An adjusted value has p = 0.0123 and so on, and n = 100 to 2,000."
    assert all("p =" not in line[-3:] for line in folded(text, 1.3))
    assert " ".join(folded(text, 1.3)) == text
    axes = axes_of()
    below(axes, "n", ["first", "second"], 6.4)
    assert axes.figure.get_supxlabel() == "first\nsecond"
    axes = axes_of()
    below(axes, "n", ["first $x$.", "second."], None)
    assert said(axes)[0] == "n\nfirst $x$. second."
