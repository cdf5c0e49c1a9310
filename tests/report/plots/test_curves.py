"""Ranking methods over n: lines are the numbers of the results, what is left out is said."""

from __future__ import annotations

import csv
import re
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from drawings import said
from written import refusal

import csig
from csig.pictures import bytes_of
from csig.report.plots.curves import (
    MOST,
    POINTS,
    WITH_BANDS,
    lengths_of,
    nbest_curves,
    ranking_difference,
)

pytest.importorskip("matplotlib")


def below(axes):
    return axes.figure.get_supxlabel().replace("\n", " ")


def legend(axes):
    found = axes.get_legend()
    return [] if found is None else [text.get_text() for text in found.get_texts()]


# ---- lengths -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("n", "first", "start", "log"),
    [
        (range(1, 502), None, 9, True),
        (range(1, 502), 100, 99, False),
        (range(1, 502), 1, 0, True),
        (range(100, 2001, 10), None, 0, False),
        (range(1, 51), None, 0, True),  # too few to leave any out
        ([1, 3, 5], None, 0, False),
        ([50, 2000], None, 0, True),
        ([7], None, 0, False),
    ],
)
def test_which_lengths_are_shown(n, first, start, log):
    n = np.array(n)
    shown = lengths_of(n, first)
    assert shown.n.tolist() == n[start:].tolist() == n[shown.at].tolist()
    assert shown.log == log
    assert bool(shown.left_out) == (start > 0)
    assert start == 0 or f"fewer than {n[start]}" in shown.left_out


def test_what_is_claimed_is_shown():
    n = np.arange(1, 501)
    for claimed, first, start in [(n >= 4, None, 4), (n >= 4, 50, 50), (n > 90, None, 10)]:
        assert lengths_of(n, first, claimed).n[0] == start
    many = np.arange(1, 200_001)
    claimed = (many == 77_777) | ((many > 123_456) & (many <= 150_000))
    shown = set(lengths_of(many, None, claimed).n.tolist())
    assert {77_776, 77_777, 77_778, 123_456, 123_457, 150_000, 150_001} <= shown
    assert {10, 11, 12, 200_000} <= shown
    assert len(shown) <= POINTS + 8
    assert "longest list has 30 candidates, found 31" in refusal(lengths_of, np.arange(1, 31), 31)
    assert "first" in refusal(lengths_of, n, 0)


@pytest.mark.parametrize("n", [[5], [5, 6], [10, 90], [10, 10**7], range(100, 2001, 50)])
def test_the_axis_holds_all_lengths_and_has_few_numbers(n):
    axes = ranking_difference(curves_of(n, np.zeros(len(n), int)))
    low, high = axes.get_xlim()
    assert low < n[0] <= n[-1] < high
    axes.figure.draw_without_rendering()
    texts = [own.get_text() for own in axes.get_xticklabels()]
    inside = [t for t, at in zip(texts, axes.get_xticks(), strict=True) if low <= at <= high and t]
    assert 1 <= len(inside) <= 12
    assert all(text.replace(",", "").isdigit() for text in inside)


# ---- the precision of the n best ---------------------------------------------------------------


def table_of(n=300, methods=2):
    rng = np.random.default_rng(1)
    true = rng.random(n) < 0.3
    scores = {f"m{i}": true * (0.3 + 0.2 * i) + rng.normal(size=n) for i in range(methods)}
    return {"true": true, **scores}, list(scores)


def found_of(n=None, **options):
    table, methods = table_of(**options)
    return csig.nbest_precision(table, methods, n)


def named(axes):
    """The lines of methods, by name."""
    return {own.get_label(): own for own in axes.lines if not own.get_label().startswith("_")}


def test_lines_and_limits_are_those_of_the_result():
    found = found_of()
    axes = nbest_curves(found)
    assert list(named(axes)) == ["m0", "m1"]
    for name, line in named(axes).items():
        assert line.get_xdata().tolist() == found[name].n[9:].tolist()
        np.testing.assert_allclose(line.get_ydata(), 100 * found[name].precision[9:])
    own = found["m0"]
    outline = axes.collections[0].get_paths()[0].vertices
    for ends in (own.low, own.high):
        points = {(float(x), round(float(100 * y), 9)) for x, y in zip(own.n, ends, strict=True)}
        drawn = {(float(x), round(float(y), 9)) for x, y in outline}
        assert {point for point in points if point[0] >= 10} <= drawn
    every = [own for own in axes.lines if own.get_label() == "_limit"]
    assert len(every) == 4
    np.testing.assert_allclose(every[1].get_ydata(), 100 * own.band_high[9:])
    base = 100 * found.n_true / found.n_candidates
    assert any(np.allclose(line.get_ydata(), base) for line in axes.lines)
    assert f"all: {base:.3g}%" in legend(axes)
    assert "Lists of fewer than 10 are not shown." in below(axes)
    assert "95% intervals for each n by itself. Thin lines: 95% limits for all n" in below(axes)


@pytest.mark.parametrize("band", ["both", "each", "all", "none"])
@pytest.mark.parametrize("few", [False, True])
def test_which_limits(band, few):
    found = found_of([20, 50, 100, 250] if few else None)
    axes = nbest_curves(found, band=band)
    each, every = band in ("both", "each"), band in ("both", "all")
    assert ("each n by itself" in below(axes)) == each
    assert ("all n of a method at once" in below(axes)) == every
    if few:
        widths = [own.get_linewidth()[0] for own in axes.collections]
        assert widths == ([2.8] * each + [0.8] * every) * 2
        ends = [path.vertices[:, 1] for path in axes.collections[0].get_paths()] if widths else []
        wanted = ("low", "high") if each else ("band_low", "band_high")
        for i, own in enumerate(ends):
            np.testing.assert_allclose(
                own, [100 * getattr(found["m0"], name)[i] for name in wanted]
            )
    else:
        assert len(axes.collections) == 2 * each
        assert len([own for own in axes.lines if own.get_label() == "_limit"]) == 4 * every


def test_of_many_methods_there_are_no_limits_and_of_very_many_the_best():
    axes = nbest_curves(found_of(methods=WITH_BANDS + 1))
    assert f"More than {WITH_BANDS} methods: drawn without intervals." in below(axes)
    assert not axes.collections
    for options in ({"methods": ["m2", "m5"]}, {"band": "none"}):
        quiet = nbest_curves(found_of(methods=9), **options)
        assert "without intervals" not in below(quiet)
        assert list(named(quiet)) == options.get("methods", [f"m{i}" for i in range(9)])
    found = found_of(methods=MOST + 5)
    axes = nbest_curves(found)
    best = sorted(found.curves, key=lambda own: own.average_precision)[-MOST:]
    assert set(named(axes)) == {own.name for own in best}
    assert f"The best {MOST} of {MOST + 5} methods by average precision." in below(axes)
    styles = {(own.get_color(), own.get_marker()) for own in named(axes).values()}
    assert len(styles) == MOST


@pytest.mark.parametrize("width", [3.3, 6.4])
def test_names_do_not_overlap_and_have_the_order_of_the_lines(width):
    found = found_of(range(20, 201), methods=9)
    axes = nbest_curves(found, width=width)
    ends = {own.name: own.precision[-1] for own in found.curves}
    names = [name for name in legend(axes) if name in ends]
    assert [ends[name] for name in names] == sorted(ends.values(), reverse=True)
    figure = axes.figure
    figure.draw_without_rendering()
    boxes = [own.get_window_extent() for own in axes.get_legend().get_texts()]
    assert all(upper.y0 > lower.y0 for upper, lower in pairwise(boxes))
    assert not any(one.overlaps(other) for one, other in pairwise(boxes))
    assert max(box.x1 for box in boxes) <= figure.bbox.x1 + 1
    assert figure.bbox.y0 <= min(box.y0 for box in boxes)
    assert max(box.y1 for box in boxes) <= figure.bbox.y1


def test_long_ties_are_marked():
    table = {"true": [1, 0] * 100, "a": [3] * 50 + [2] * 100 + [1] * 50, "_b": range(200),
             "six": [-(i // 6) for i in range(200)]}  # fmt: skip
    found = csig.nbest_precision(table, ["a", "_b", "six"])
    axes = nbest_curves(found, band="none")
    assert {"a", "_b", "six"} < set(legend(axes))
    for bars, own in zip(axes.collections, (found["a"], found["six"]), strict=True):
        ends = [path.vertices[:, 0].tolist() for path in bars.get_paths()]
        long = (own.tied >= np.maximum(5, own.n / 10)) & (own.n >= 10)
        n = own.n[long & (own.highest - own.lowest >= 0.01)]
        runs = np.split(n, np.flatnonzero(np.diff(n) > 1) + 1)
        assert ends == [[run[0] - 0.5, run[-1] + 0.5] for run in runs]
        assert len(runs) >= 3
        assert axes.get_ylim()[0] < bars.get_paths()[0].vertices[0, 1]
    assert "within long ties" in below(axes)
    whole = nbest_curves(csig.nbest_precision(table, ["a", "_b"], ties="all"), band="none")
    assert "all candidates that are tied at the cut" in below(whole)
    assert not whole.collections


@pytest.mark.parametrize("n", [[7], [7, 90], None])
def test_one_method_at_one_length_or_two(n):
    axes = nbest_curves(found_of(n, methods=1))
    (line,) = named(axes).values()
    assert len(line.get_xdata()) == (len(n) if n else 291)
    low, high = axes.get_ylim()
    assert low < line.get_ydata().min() <= line.get_ydata().max() < high
    assert all(bytes_of(axes.figure, kind) for kind in ("png", "svg"))


@pytest.mark.parametrize("n", [100_000, pytest.param(1_000_000, marks=pytest.mark.slow)])
def test_very_many_lengths_have_few_points(n):
    table, methods = table_of(n)
    found = csig.nbest_precision(table, methods)
    axes = nbest_curves(found)
    for name, line in named(axes).items():
        x = line.get_xdata()
        assert (x[0], x[-1], len(x) <= POINTS) == (10, n, True)
        np.testing.assert_array_equal(line.get_ydata(), 100 * found[name].precision[x - 1])
    svg = bytes_of(axes.figure, "svg").decode()
    assert len(svg) < 600_000
    assert not re.search(r"\bnan\b", svg)


def test_on_axes_that_are_given_words_are_below():
    from matplotlib.figure import Figure

    axes = Figure(figsize=(7, 3)).subplots(1, 2)[1]
    nbest_curves(found_of(), ax=axes)
    assert axes.get_xlabel().startswith("n (logarithmic)\nShaded: 95%")
    assert axes.figure.get_supxlabel() == ""


# ---- the difference of two methods -------------------------------------------------------------


def curves_of(n, better, names=("new", "base")):
    """A result with these claims: 1 where A is better, -1 where B is."""
    n, better = np.asarray(n), np.asarray(better)
    rng = np.random.default_rng(1)
    base = 0.2 + 0.1 * rng.random(len(n))
    table = {"true": [1, 0, 1, 0], "a": [4, 3, 2, 1], "b": [1, 2, 3, 4]}
    found = csig.compare_ranking_curves(table, "a", "b", n_resamples=99, rng=1)
    sign = np.where(better == 0, rng.choice([-1, 1], len(n)), better)
    return replace(
        found, names=names, n=n, sizes=(n, n), precision=(base + sign * 0.1, base),
        pvalues=np.where(better == 0, 0.5, 0.001), adjusted=np.where(better == 0, 0.9, 0.01),
        a_better=better > 0, b_better=better < 0,
    )  # fmt: skip


def barred(axes):
    """The ends of the bars at zero where A is better, and where B is, without what widens them."""
    ends = [[path.vertices[:, 0] for path in own.get_paths()] for own in axes.collections]
    return [[(low + 0.5, high - 0.5) for low, high in own] for own in ends]


def line_of(axes):
    return next(own for own in axes.lines if own.get_label() == "_difference")


def test_regions_are_marked_and_named():
    n = np.arange(100, 2001, 5)
    better = np.zeros(len(n), dtype=int)
    better[6:40], better[80:100], better[200:300] = 1, 1, -1
    found = curves_of(n, better)
    axes = ranking_difference(found)
    for bars, ends in zip(barred(axes), ([(130, 295), (500, 595)], [(1100, 1595)]), strict=True):
        assert bars == [pytest.approx(own, abs=3) for own in ends]
    assert all((path.vertices[:, 1] == 0).all() for own in axes.collections
               for path in own.get_paths())  # fmt: skip
    assert legend(axes) == [
        "new better: n = 130 to 295, 500 to 595",
        "base better: n = 1,100 to 1,595",
    ]
    assert line_of(axes).get_xdata().tolist() == n.tolist()
    np.testing.assert_allclose(line_of(axes).get_ydata(), 100 * found.difference)
    assert axes.get_title("left") == "Precision: new - base (points)"
    assert "at 0.05, adjusted for the 381 lengths tested (100 to 2,000)" in below(axes)
    assert "probability of about 5%" in below(axes)


def test_few_lengths_have_marks():
    axes = ranking_difference(curves_of([50, 100, 200, 500], [0, 1, 0, -1]))
    marks = {own.get_label(): own for own in axes.lines if own.get_marker() == "o"}
    assert marks["_significant"].get_xdata().tolist() == [100, 500]
    assert marks["_not"].get_xdata().tolist() == [50, 200]
    assert marks["_not"].get_markerfacecolor() == "white"
    assert legend(axes) == ["new better: n = 100", "base better: n = 500"]
    assert [own[0][0] <= at <= own[0][1] for own, at in zip(barred(axes), (100, 500), strict=True)]
    assert "Filled: significant; open: not." in below(axes)


def test_no_difference_and_one_length():
    axes = ranking_difference(curves_of([100, 200], [0, 0]))
    assert axes.get_legend() is None
    assert barred(axes) == [[], []]
    assert below(axes).startswith("No significant difference.")
    one = ranking_difference(curves_of([100], [1]))
    assert "tested at n = 100 only" in below(one)
    assert bytes_of(one.figure, "png")


def test_claims_about_the_shortest_lists_are_shown():
    found = curves_of(range(1, 301), np.where(np.arange(1, 301) < 6, 1, 0))
    assert ranking_difference(found).get_xlim()[0] < 1
    later = ranking_difference(found, first=50)
    assert legend(later) == ["new better: n = 1 to 5"]
    assert "Lists of fewer than 50 are not shown." in below(later)


def test_claims_that_come_and_go_at_very_many_lengths():
    better = np.random.default_rng(1).integers(-1, 2, 50_000)
    axes = ranking_difference(curves_of(np.arange(1, 50_001), better))
    assert len(line_of(axes).get_xdata()) <= POINTS
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
    ends = sorted(end for bars in barred(axes) for end in bars)
    assert ends == [pytest.approx((own.first, own.last), abs=3) for own in found.regions]
    assert "which can be more than n" in below(axes)


def test_names_are_short_and_axes_that_are_given_are_used():
    from matplotlib.figure import Figure

    axes = Figure(figsize=(3.3, 2)).add_subplot()
    ranking_difference(curves_of([5, 9], [1, -1], names=("a" * 60, "$x_{1}$ 50%")), axes)
    assert all(len(line) < 80 for text in said(axes) for line in text.split("\n"))
    assert "$x_{1}$ 50% better: n = 9" in legend(axes)
    assert "Significant at 0.05" in axes.get_xlabel()


@pytest.mark.parametrize(
    ("function", "options", "message"),
    [
        (nbest_curves, {"methods": "m7"}, "no method 'm7'"),
        (nbest_curves, {"methods": []}, "methods: none"),
        (nbest_curves, {"band": "pointwise"}, "band must be"),
        (nbest_curves, None, "result must be"),
        (ranking_difference, None, "curves must be"),
    ],
)
def test_refused(function, options, message):
    given = 5 if options is None else found_of(methods=1)
    assert message in refusal(function, given, **(options or {}))
