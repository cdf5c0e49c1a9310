"""Pictures of ranking methods: lines and bars are the numbers of the results."""

import math
import re
from dataclasses import replace
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from drawings import said
from written import refusal

import csig
from csig.plots import plot
from csig.rankings.pictures import (
    MOST,
    MOST_BARS,
    MOST_HISTOGRAMS,
    POINTS,
    WITH_BANDS,
    histogram_of,
    histograms,
    nbest_curves,
    precision_histogram,
    ranking_difference,
)
from csig.report.style import bytes_of

pytest.importorskip("matplotlib")


def below(axes):
    return axes.figure.get_supxlabel().replace("\n", " ")


def legend(axes):
    found = axes.get_legend()
    return [] if found is None else [text.get_text() for text in found.get_texts()]


# ---- lengths -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "first", "start", "log"), [
    (range(1, 502), None, 9, True),
    (range(1, 502), 100, 99, False),
    (range(1, 502), 1, 0, True),
    (range(100, 2001, 10), None, 0, False),
    (range(1, 51), None, 0, True),  # too few to leave any out
    ([1, 3, 5], None, 0, False),
    ([50, 2000], None, 0, True),
    ([10, 10**7], None, 0, True),
    ([7], None, 0, False),
])  # fmt: skip
def test_the_axis_holds_the_lengths_that_are_shown_and_has_few_numbers(n, first, start, log):
    axes = ranking_difference(curves_of(n, np.zeros(len(n), int)), first=first)
    assert line_of(axes).get_xdata().tolist() == [*n][start:]
    assert axes.get_xscale() == ("log" if log else "linear")
    said = f"Lists of fewer than {n[start]} are not shown."
    assert (said in below(axes)) == ("not shown" in below(axes)) == (start > 0)
    low, high = axes.get_xlim()
    assert low < n[start] <= n[-1] < high
    axes.figure.draw_without_rendering()
    texts = [own.get_text() for own in axes.get_xticklabels()]
    inside = [t for t, at in zip(texts, axes.get_xticks(), strict=True) if low <= at <= high and t]
    assert 1 <= len(inside) <= 12
    assert all(text.replace(",", "").isdigit() for text in inside)


def test_what_is_claimed_is_shown():
    n = np.arange(1, 501)
    for claimed, first, start in [(n >= 4, None, 4), (n >= 4, 50, 50), (n > 90, None, 10)]:
        axes = ranking_difference(curves_of(n, claimed.astype(int)), first=first)
        assert line_of(axes).get_xdata()[0] == start
    assert legend(axes) == ["new better: n = 91 to 500"]
    many = np.arange(1, 20_001)
    claimed = (many == 7_777) | ((many > 12_345) & (many <= 15_000))
    axes = ranking_difference(curves_of(many, claimed.astype(int)))
    shown = set(line_of(axes).get_xdata().tolist())
    assert {7_776, 7_777, 7_778, 12_345, 12_346, 15_000, 15_001} <= shown
    assert {10, 11, 12, 20_000} <= shown
    assert len(shown) <= POINTS + 8
    changing = curves_of(many, np.random.default_rng(1).integers(-1, 2, len(many)))
    axes = ranking_difference(changing)  # claims come and go
    assert len(line_of(axes).get_xdata()) <= POINTS
    assert "and" in legend(axes)[0]
    for first, message in ((20_001, "longest list has 20,000 candidates"), (0, "first")):
        assert message in refusal(ranking_difference, changing, first=first)


# ---- the precision of the n best ---------------------------------------------------------------


def table_of(n=300, methods=2):
    rng = np.random.default_rng(1)
    true = rng.random(n) < 0.3
    scores = {f"m{i}": true * (0.3 + 0.2 * i) + rng.normal(size=n) for i in range(methods)}
    return {"true": true, **scores}, list(scores)


@cache
def found_of(n=None, **options):
    table, methods = table_of(**options)
    return csig.rankings.nbest_precision(table, methods, n)


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
def test_which_limits(band):
    each, every = band in ("both", "each"), band in ("both", "all")
    axes = nbest_curves(found_of(), band=band)
    assert ("each n by itself" in below(axes)) == each
    assert ("all n of a method at once" in below(axes)) == every
    assert len(axes.collections) == 2 * each
    assert len([own for own in axes.lines if own.get_label() == "_limit"]) == 4 * every
    found = found_of((20, 50, 100, 250))
    bars = nbest_curves(found, band=band).collections
    assert [own.get_linewidth()[0] for own in bars] == ([2.8] * each + [0.8] * every) * 2
    ends = [path.vertices[:, 1] for path in bars[0].get_paths()] if bars else []
    names = ("low", "high") if each else ("band_low", "band_high")
    wanted = [100 * getattr(found["m0"], name)[: len(ends)] for name in names]
    np.testing.assert_allclose(np.reshape(ends, (-1, 2)), np.transpose(wanted))


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


def test_names_do_not_overlap_and_have_the_order_of_the_lines():
    found = found_of(range(20, 201), methods=9)
    axes = nbest_curves(found, width=3.3)
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
    found = csig.rankings.nbest_precision(table, ["a", "_b", "six"])
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
    whole = nbest_curves(csig.rankings.nbest_precision(table, ["a", "_b"], ties="all"), band="none")
    assert "all candidates that are tied at the cut" in below(whole)
    assert not whole.collections


def test_very_many_lengths_have_few_points():
    n = 8_000
    table, methods = table_of(n)
    found = csig.rankings.nbest_precision(table, methods)
    axes = nbest_curves(found)
    for name, line in named(axes).items():
        x = line.get_xdata()
        assert (x[0], x[-1], len(x) <= POINTS < n) == (10, n, True)
        np.testing.assert_array_equal(line.get_ydata(), 100 * found[name].precision[x - 1])
    svg = bytes_of(axes.figure, "svg").decode()
    assert len(svg) < 600_000
    assert not re.search(r"\bnan\b", svg)


# ---- the difference of two methods -------------------------------------------------------------


@cache
def ranked():
    table = {"true": [1, 0, 1, 0], "a": [4, 3, 2, 1], "b": [1, 2, 3, 4]}
    return csig.rank_methods(table, ["a", "b"], [1, 2], n_resamples=99, rng=1)


def curves_of(n, better, names=("new", "base")):
    """A result with these claims: 1 where A is better, -1 where B is."""
    n, better = np.asarray(n), np.asarray(better)
    rng = np.random.default_rng(1)
    found = ranked()
    sign = np.where(better == 0, rng.choice([-1, 1], len(n)), better)
    base = 0.2 + 0.1 * rng.random(len(n))
    pair = replace(
        found.pairs[0], names=names, n=n, sizes=(n, n),
        true_positives=(n * (base + sign * 0.1), n * base),
        pvalues=np.where(better == 0, 0.5, 0.001),
        adjusted_pvalues=np.where(better == 0, 0.9, 0.01),
        a_better=better > 0, b_better=better < 0,
    )  # fmt: skip
    return replace(found, n=n, names=names, pairs=(pair,))


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
    np.testing.assert_allclose(line_of(axes).get_ydata(), 100 * found.pairs[0].difference)
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


def test_names_are_short_and_axes_that_are_given_are_used():
    from matplotlib.figure import Figure

    axes = Figure(figsize=(3.3, 2)).add_subplot()
    ranking_difference(curves_of([5, 9], [1, -1], names=("a" * 60, "$x_{1}$ 50%")), axes)
    assert all(len(line) < 80 for text in said(axes) for line in text.split("\n"))
    assert "$x_{1}$ 50% better: n = 9" in legend(axes)
    assert "Significant at 0.05" in axes.get_xlabel()
    axes = Figure(figsize=(7, 3)).subplots(1, 2)[1]
    nbest_curves(found_of(), ax=axes)
    assert axes.get_xlabel().startswith("n (logarithmic)\nShaded: 95%")
    assert axes.figure.get_supxlabel() == ""


@pytest.mark.parametrize(("function", "options", "message"), [
    (nbest_curves, {"methods": "m7"}, "no method 'm7'"),
    (nbest_curves, {"methods": []}, "methods: none"),
    (nbest_curves, {"methods": 5}, "methods: expected names of columns, found 5"),
    (nbest_curves, {"band": "pointwise"}, "band must be"),
    (nbest_curves, None, "csig.rankings.nbest_precision or"),
    (ranking_difference, None, "csig.rank_methods gives"),
    (precision_histogram, None, "csig.rankings.validate_binomial or"),
])  # fmt: skip
def test_refused(function, options, message):
    given = 5 if options is None else found_of(methods=1)
    assert message in refusal(function, given, **(options or {}))


def test_ranking_methods_have_pictures():
    table = {"true": [1, 0, 1, 0, 1, 0], "x": range(6), "y": [3, 1, 2, 5, 0, 4]}
    best = csig.rankings.nbest_precision(table, ["x", "y"])
    assert best.plot().get_title("left") == "Precision of the n best, %"
    samples = csig.rankings.validate_binomial([(3, 9), (2, 9)])
    assert plot(samples).get_title("left") == "2 samples of 9 candidates"
    assert "there is 'nbest_curves'" in refusal(plot, best, "forest")
    own = csig.rank_methods(table, ["x", "y"], [1, 2], n_resamples=9, rng=1)
    assert len(plot(own).lines) == len(plot(own.precision).lines)
    title = "Precision: x - y (points)"
    assert own.plot("ranking_difference").get_title("left") == title
    for methods, n in ((["x", "y", "z"], [1, 2]), (["x", "y"], 1)):
        other = csig.rank_methods({**table, "z": range(6)}, methods, n, n_resamples=9, rng=1)
        message = refusal(other.plot, "ranking_difference")
        assert "is of one pair of methods at several lengths" in message
    several = csig.rank_methods({**table, "z": range(6)}, ["x", "y", "z"], [1, 2], rng=1)
    for pair in ("x", ("x", "y", "z")):
        message = refusal(several.plot, "ranking_difference", pair=pair)
        assert message == f"pair: expected the names of two methods, found {pair!r}"
    axes = several.plot("ranking_difference", pair=("y", "x"))
    assert axes.get_title("left") == title
    assert "adjusted for the 2 lengths tested (1 to 2) and for 3 pairs:" in below(axes)


# ---- samples ------------------------------------------------------------------------------------


def validated(samples=80, sizes=100, precision=0.26, ratio=1.0, given=None):
    rng = np.random.default_rng(1)
    size = np.broadcast_to(sizes, samples) if np.ndim(sizes) == 0 else np.asarray(sizes)
    own = np.full(len(size), precision)
    if ratio > 1:
        weight = (size.mean() - 1) / (ratio**2 - 1) - 1
        own = rng.beta(precision * weight, (1 - precision) * weight, len(size))
    return csig.rankings.validate_binomial({"true": rng.binomial(size, own), "size": size}, given)


def area(curve):
    x, y = curve
    return float(((y[1:] + y[:-1]) / 2 * np.diff(x)).sum())


@pytest.mark.parametrize("sizes", [100, 7, 2000, np.arange(40, 160)])
def test_bars_and_curves(sizes):
    own = histogram_of(validated(120, sizes, ratio=1.6))
    assert own.counts.sum() == 120
    for i, number in enumerate(own.counts):
        inside = (own.values >= own.edges[i]) & (own.values < own.edges[i + 1])
        assert number == inside.sum()
    step = np.diff(own.edges)
    np.testing.assert_allclose(step, step[0])
    whole = 120 * step[0]
    if np.ndim(sizes) == 0 and sizes < 200:  # one height for each possible number
        assert own.model[1].sum() * 100 / sizes == pytest.approx(whole, rel=1e-4)
    else:
        assert area(own.model) == pytest.approx(whole, rel=1e-4)
    if np.min(sizes) > 20:  # of less than 0% there is nothing
        assert area(own.observed) == pytest.approx(whole, rel=1e-4)
    assert own.equal == (np.ndim(sizes) == 0)


def test_the_models_curve_is_binomial():
    found = validated(50, 30, 0.1)
    own, p = histogram_of(found), found.precision
    k = np.rint(own.model[0] * 30 / 100).astype(int)
    step = round(float(own.edges[1] - own.edges[0]) * 30 / 100)
    exact = [math.comb(30, i) * p**i * (1 - p) ** (30 - i) for i in k]
    np.testing.assert_allclose(own.model[1], 50 * step * np.array(exact), rtol=1e-9)
    assert k[0] == 0


def test_the_observed_curve_has_the_observed_standard_deviation():
    def moments(curve):
        x, y = curve
        mean = (x * y).sum() / y.sum()
        return mean, math.sqrt(((x - mean) ** 2 * y).sum() / y.sum())

    found = validated(ratio=1.5)
    mean, sd = moments(histogram_of(found).observed)
    assert mean == pytest.approx(100 * found.precision, abs=0.02)
    assert sd == pytest.approx(100 * found.observed_sd, rel=1e-3)
    other = validated(200, np.arange(60, 260), ratio=1.5, given=0.3)
    assert moments(histogram_of(other).model) == pytest.approx((0, 1), abs=1e-3)
    mean, sd = moments(histogram_of(other).observed)
    assert mean == pytest.approx(other.standardized.mean(), abs=1e-6)
    assert sd == pytest.approx(other.standardized.std(ddof=1), rel=0.05)


def test_what_is_drawn_and_said():
    found = validated(ratio=1.4)
    own, axes = histogram_of(found), precision_histogram(found)
    assert axes.patches[0].get_data().values.tolist() == own.counts.tolist()
    for line, curve in zip(axes.lines, (own.model, own.observed), strict=True):
        np.testing.assert_array_equal(line.get_data(), curve)
    names = [text.get_text() for text in axes.get_legend().get_texts()]
    assert names == ["binomial model", "normal, observed standard deviation"]
    assert axes.get_title("left") == "80 samples of 100 candidates"
    text = below(axes)
    assert f"{100 * found.expected_sd:.2f} expected, {100 * found.observed_sd:.2f} observed" in text
    assert f"ratio {found.ratio:.3g}" in text
    assert f"Kolmogorov test: p = {found.kolmogorov_pvalue:.3f}" in text
    assert axes.get_xlabel() == "precision, %"
    assert "Short lines" not in text


def test_different_sizes_are_standardized():
    axes = precision_histogram(validated(sizes=np.arange(40, 120), given=0.3))
    assert axes.get_title("left") == "80 samples of 40 to 119 candidates"
    assert axes.get_xlabel() == "standard deviations from the given precision"
    assert "candidates): " in below(axes)
    equal = precision_histogram(validated(given=0.3))
    assert "The model has the given precision, 30.00%." in below(equal)


@pytest.mark.parametrize(("hits", "size"), [([0, 1, 0, 0], 1), ([20, 19, 20, 17], 20)])
def test_there_are_no_percents_below_0_and_above_100(hits, size):
    found = csig.rankings.validate_binomial({"true": hits, "size": [size] * 4})
    axes = precision_histogram(found)
    ticks, (low, high) = axes.get_xticks(), axes.get_xlim()
    assert max(0, low) <= ticks.min() < ticks.max() <= min(100, high)
    assert 100 in ticks
    assert (axes.lines[0].get_xdata() >= 0).all()


def test_few_samples_have_marks_and_equal_ones_no_curve():
    axes = precision_histogram(csig.rankings.validate_binomial([(3, 10), (3, 10)]))
    (marks,) = [line for line in axes.lines if line.get_label() == "_samples"]
    np.testing.assert_allclose(marks.get_xdata(), [30, 30])
    assert "Short lines" in below(axes)
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["binomial model"]
    two = precision_histogram(csig.rankings.validate_binomial([(3, 10), (4, 12)]))
    for own in (axes, two):
        assert b"nan" not in bytes_of(own.figure, "svg")


def test_samples_that_vary_far_too_much():
    hits = np.random.default_rng(1).integers(0, 100_001, 60)
    found = csig.rankings.validate_binomial({"true": hits, "size": np.full(60, 100_000)})
    own, axes = histogram_of(found), precision_histogram(found)
    assert axes.get_ylim()[1] < 6 * own.counts.max()
    assert f"curve goes on to {own.model[1].max():,.3g}." in below(axes)
    wild = csig.rankings.validate_binomial({"true": hits, "size": 100_000 + np.arange(60)})
    assert max(len(own.counts), len(histogram_of(wild).counts)) <= MOST_BARS + 2


@pytest.mark.parametrize("number", [1, MOST_HISTOGRAMS + 2])
def test_one_histogram_per_method(number):
    rng = np.random.default_rng(1)
    names = [f"m{i}" for i in range(number)]
    table = {"true": rng.random(120) < 0.4, "part": [i % 6 for i in range(120)],
             **{name: rng.random(120) for name in names}}  # fmt: skip
    found = csig.rankings.sample_precision(table, names, sample="part", n=10)
    figure = histograms(found)
    titles = [axes.get_title("left") for axes in figure.axes]
    kept = names[:MOST_HISTOGRAMS]
    assert titles == [f"{name}: 6 samples of 10 candidates" for name in kept]
    others = figure.get_suptitle()
    assert others == ("2 other methods: no picture." if number > MOST_HISTOGRAMS else "")
    for axes, validation in zip(figure.axes, found.validations, strict=False):
        text = f"{axes.get_xlabel()} {figure.get_supxlabel()}".replace("\n", " ")
        assert f"ratio {validation.ratio:.3g}" in text
