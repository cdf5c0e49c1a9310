"""Precision over n: the lines are the result's numbers, and what is not drawn is said."""

from __future__ import annotations

import re

import numpy as np
import pytest
from drawings import said
from written import refusal

import csig
from csig.pictures import bytes_of
from csig.report.plots.precision import BANDS, MOST, WITH_BANDS, nbest_curves

pytest.importorskip("matplotlib")


def table_of(n=300, methods=2, seed=1, places=None):
    rng = np.random.default_rng(seed)
    true = rng.random(n) < 0.3
    scores = {f"m{i}": true * (0.3 + 0.2 * i) + rng.normal(size=n) for i in range(methods)}
    if places is not None:
        scores = {name: own.round(places) for name, own in scores.items()}
    return {"true": true, **scores}, list(scores)


def found_of(n=None, **options):
    table, methods = table_of(**options)
    return csig.nbest_precision(table, methods, n)


def named(axes):
    """The lines of methods, by name."""
    return {own.get_label(): own for own in axes.lines if not own.get_label().startswith("_")}


def words(axes):
    return axes.figure.get_supxlabel().replace("\n", " ")


def test_lines_and_limits_are_those_of_the_result():
    found = found_of()
    axes = nbest_curves(found)
    lines = named(axes)
    assert list(lines) == ["m0", "m1"]
    for name, line in lines.items():
        own = found[name]
        assert line.get_xdata().tolist() == own.n[9:].tolist()
        np.testing.assert_allclose(line.get_ydata(), 100 * own.precision[9:])
    each = axes.patches[0].get_xy()
    own = found["m0"]
    np.testing.assert_allclose(each[:291, 1], 100 * own.low[9:])
    np.testing.assert_allclose(each[291:582, 1], 100 * own.high[9:][::-1])
    every = [own for own in axes.lines if own.get_label() == "_limit"]
    assert len(every) == 4
    np.testing.assert_allclose(every[1].get_ydata(), 100 * own.band_high[9:])
    base = 100 * found.n_true / found.n_candidates
    assert any(np.allclose(line.get_ydata(), base) for line in axes.lines)
    assert f"all: {base:.3g}%" in said(axes)
    assert "Lists of fewer than 10 are not shown." in words(axes)
    assert "95% intervals for each n by itself; thin lines: 95% limits for all n" in words(axes)


@pytest.mark.parametrize("band", BANDS)
@pytest.mark.parametrize("few", [False, True])
def test_which_limits(band, few):
    found = found_of([20, 50, 100, 250] if few else None)
    axes = nbest_curves(found, band=band)
    each, every = band in ("both", "each"), band in ("both", "all")
    assert ("each n by itself" in words(axes)) == each
    assert ("all n of a method at once" in words(axes)) == every
    if few:
        widths = [own.get_linewidth()[0] for own in axes.collections]
        assert widths == ([2.8] * each + [0.8] * every) * 2
        ends = [path.vertices[:, 1] for path in axes.collections[0].get_paths()] if widths else []
        wanted = ("low", "high") if each else ("band_low", "band_high")
        for i, own in enumerate(ends):
            limits = [100 * getattr(found["m0"], name)[i] for name in wanted]
            np.testing.assert_allclose(own, limits)
    else:
        assert len(axes.patches) == 2 * each
        assert len([own for own in axes.lines if own.get_label() == "_limit"]) == 4 * every


def test_many_methods_are_drawn_without_limits_and_say_so():
    axes = nbest_curves(found_of(methods=WITH_BANDS + 1))
    assert f"More than {WITH_BANDS} methods: drawn without intervals." in words(axes)
    assert not axes.patches
    some = nbest_curves(found_of(methods=9), methods=["m2", "m5"])
    assert list(named(some)) == ["m2", "m5"]
    assert "without intervals" not in words(some)
    quiet = nbest_curves(found_of(methods=9), band="none")
    assert "without intervals" not in words(quiet)


def test_of_very_many_methods_the_best_are_drawn():
    found = found_of(methods=MOST + 5)
    axes = nbest_curves(found)
    best = sorted(found.curves, key=lambda own: own.average_precision)[-MOST:]
    assert set(named(axes)) == {own.name for own in best}
    assert f"The best {MOST} of {MOST + 5} methods by average precision." in words(axes)
    styles = {(own.get_color(), own.get_marker()) for own in named(axes).values()}
    assert len(styles) == MOST


def places(axes, names):
    """The heights of names at the right, from above."""
    texts = [own for own in axes.texts if own.get_text() in names]
    return [own.get_text() for own in sorted(texts, key=lambda own: -own.xy[1])], sorted(
        own.xy[1] for own in texts
    )


@pytest.mark.parametrize("width", [3.3, 6.4])
def test_names_do_not_overlap_and_have_the_order_of_the_lines(width):
    found = found_of(range(20, 201), methods=9)
    axes = nbest_curves(found, width=width)
    order, heights = places(axes, set(named(axes)))
    ends = {own.name: own.precision[-1] for own in found.curves}
    assert [ends[name] for name in order] == sorted(ends.values(), reverse=True)
    figure = axes.figure
    figure.draw_without_rendering()
    tall = axes.get_window_extent().height * 72 / figure.dpi
    assert (np.diff(heights) * tall >= 8).all()
    boxes = [own.get_window_extent() for own in axes.texts]
    assert max(box.x1 for box in boxes) <= figure.bbox.x1 + 1
    assert min(box.y0 for box in boxes) >= figure.bbox.y0


def test_names_stay_beside_the_axis_where_all_lines_end_at_the_top():
    rng = np.random.default_rng(1)
    true = np.arange(400) < 150
    table = {"true": true} | {f"m{i}": true + rng.random(400) / 2 for i in range(12)}
    axes = nbest_curves(csig.nbest_precision(table, list(table)[1:], [20, 50, 100]))
    heights = sorted(own.xy[1] for own in axes.texts)
    assert len(heights) == 13
    assert heights[0] >= 0
    assert heights[-1] <= 1
    assert np.diff(heights).min() > 0.04


def test_long_ties_are_marked():
    table = {"true": [1, 0] * 100, "a": [3] * 50 + [2] * 100 + [1] * 50, "b": range(200)}
    found = csig.nbest_precision(table, ["a", "b"])
    axes = nbest_curves(found, band="none")
    (bars,) = axes.collections
    ends = [path.vertices[:, 0].tolist() for path in bars.get_paths()]
    own = found["a"]
    moved = (
        (own.highest - own.lowest >= 0.01) & (own.tied >= np.maximum(5, own.n / 10)) & (own.n >= 10)
    )
    runs = np.split(own.n[moved], np.flatnonzero(np.diff(own.n[moved]) > 1) + 1)
    assert ends == [[run[0] - 0.5, run[-1] + 0.5] for run in runs]
    assert len(runs) == 3
    assert "within long ties" in words(axes)
    low = axes.get_ylim()[0]
    assert low < bars.get_paths()[0].vertices[0, 1]
    whole = nbest_curves(csig.nbest_precision(table, ["a", "b"], ties="all"), band="none")
    assert "all candidates that are tied at the cut" in words(whole)
    assert not whole.collections


@pytest.mark.parametrize("n", [[7], [7, 90], None])
def test_one_method_at_one_length_or_two(n):
    found = found_of(n, methods=1)
    axes = nbest_curves(found)
    (line,) = named(axes).values()
    assert len(line.get_xdata()) == (len(n) if n else 291)
    low, high = axes.get_ylim()
    assert low < line.get_ydata().min() <= line.get_ydata().max() < high
    for kind in ("png", "svg"):
        assert bytes_of(axes.figure, kind)


@pytest.mark.parametrize("n", [100_000, pytest.param(1_000_000, marks=pytest.mark.slow)])
def test_very_many_lengths_have_the_shape_and_few_points(n):
    table, methods = table_of(n)
    found = csig.nbest_precision(table, methods)
    axes = nbest_curves(found)
    for name, line in named(axes).items():
        assert len(line.get_xdata()) <= 1600
        own = 100 * found[name].precision[9:]
        assert (line.get_ydata().min(), line.get_ydata().max()) == (own.min(), own.max())
        at = line.get_xdata() - 10
        np.testing.assert_array_equal(line.get_ydata(), own[at])
    svg = bytes_of(axes.figure, "svg").decode()
    assert len(svg) < 600_000
    assert not re.search(r"\bnan\b", svg)


def test_on_axes_that_are_given_words_are_below():
    from matplotlib.figure import Figure

    axes = Figure(figsize=(7, 3)).subplots(1, 2)[1]
    nbest_curves(found_of(), ax=axes)
    assert axes.get_xlabel().startswith("n (logarithmic)\nShaded: 95%")
    assert axes.figure.get_supxlabel() == ""


def test_mistakes_are_named():
    found = found_of(methods=1)
    assert "no method 'm7'" in refusal(nbest_curves, found, methods="m7")
    assert "band must be" in refusal(nbest_curves, found, band="pointwise")
    assert "result must be" in refusal(nbest_curves, 5)
    assert "methods: none" in refusal(nbest_curves, found, methods=[])
