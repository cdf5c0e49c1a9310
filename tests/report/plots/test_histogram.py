"""Histograms of samples: bars count them, curves have their area."""

from __future__ import annotations

import math

import numpy as np
import pytest
from written import refusal

import csig
from csig.pictures import bytes_of
from csig.report.plots.histogram import (
    MOST_BARS,
    MOST_HISTOGRAMS,
    histogram_of,
    histograms,
    precision_histogram,
)

pytest.importorskip("matplotlib")


def validated(samples=80, sizes=100, precision=0.26, ratio=1.0, given=None):
    rng = np.random.default_rng(1)
    size = np.broadcast_to(sizes, samples) if np.ndim(sizes) == 0 else np.asarray(sizes)
    own = np.full(len(size), precision)
    if ratio > 1:
        weight = (size.mean() - 1) / (ratio**2 - 1) - 1
        own = rng.beta(precision * weight, (1 - precision) * weight, len(size))
    return csig.validate_binomial({"true": rng.binomial(size, own), "size": size}, given)


def words(axes):
    return axes.figure.get_supxlabel().replace("\n", " ")


def area(curve):
    x, y = curve
    return float(((y[1:] + y[:-1]) / 2 * np.diff(x)).sum())


def moments(curve):
    x, y = curve
    mean = (x * y).sum() / y.sum()
    return mean, math.sqrt(((x - mean) ** 2 * y).sum() / y.sum())


@pytest.mark.parametrize("sizes", [100, 7, 2000, np.arange(40, 160)])
@pytest.mark.parametrize("ratio", [1.0, 1.6])
def test_bars_and_curves(sizes, ratio):
    own = histogram_of(validated(120, sizes, ratio=ratio))
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
    found = validated(ratio=1.5)
    mean, sd = moments(histogram_of(found).observed)
    assert mean == pytest.approx(100 * found.precision, abs=0.02)
    assert sd == pytest.approx(100 * found.observed_sd, rel=1e-3)
    assert sd == pytest.approx(np.std(100 * found.true_positives / 100, ddof=1), rel=1e-3)
    other = validated(200, np.arange(60, 260), ratio=1.5, given=0.3)
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
    text = words(axes)
    assert f"{100 * found.expected_sd:.2f} expected, {100 * found.observed_sd:.2f} observed" in text
    assert f"ratio {found.ratio:.3g}" in text
    assert f"Kolmogorov test: p = {found.kolmogorov_pvalue:.3f}" in text
    assert axes.get_xlabel() == "precision, %"
    assert "Short lines" not in text


def test_different_sizes_are_standardized():
    axes = precision_histogram(validated(sizes=np.arange(40, 120), given=0.3))
    assert axes.get_title("left") == "80 samples of 40 to 119 candidates"
    assert axes.get_xlabel() == "standard deviations from the given precision"
    assert "candidates): " in words(axes)
    equal = precision_histogram(validated(given=0.3))
    assert "The model has the given precision, 30.00%." in words(equal)


@pytest.mark.parametrize(("hits", "size"), [([0, 1, 0, 0], 1), ([20, 19, 20, 17], 20)])
def test_there_are_no_percents_below_0_and_above_100(hits, size):
    found = csig.validate_binomial({"true": hits, "size": [size] * 4})
    axes = precision_histogram(found)
    ticks, (low, high) = axes.get_xticks(), axes.get_xlim()
    assert max(0, low) <= ticks.min() < ticks.max() <= min(100, high)
    assert 100 in ticks
    assert (axes.lines[0].get_xdata() >= 0).all()


def test_few_samples_have_marks_and_equal_ones_no_curve():
    axes = precision_histogram(csig.validate_binomial([(3, 10), (3, 10)]))
    (marks,) = [line for line in axes.lines if line.get_label() == "_samples"]
    np.testing.assert_allclose(marks.get_xdata(), [30, 30])
    assert "Short lines" in words(axes)
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["binomial model"]
    two = precision_histogram(csig.validate_binomial([(3, 10), (4, 12)]))
    for own in (axes, two):
        assert b"nan" not in bytes_of(own.figure, "svg")


def test_samples_that_vary_far_too_much():
    hits = np.random.default_rng(1).integers(0, 100_001, 60)
    found = csig.validate_binomial({"true": hits, "size": np.full(60, 100_000)})
    own, axes = histogram_of(found), precision_histogram(found)
    assert axes.get_ylim()[1] < 6 * own.counts.max()
    assert f"curve goes on to {own.model[1].max():,.3g}." in words(axes)
    wild = csig.validate_binomial({"true": hits, "size": 100_000 + np.arange(60)})
    assert max(len(own.counts), len(histogram_of(wild).counts)) <= MOST_BARS + 2


@pytest.mark.parametrize("n", [20_000, pytest.param(1_000_000, marks=pytest.mark.slow)])
def test_very_many_samples(n):
    rng = np.random.default_rng(1)
    sizes = rng.integers(50, 150, n)
    found = csig.validate_binomial({"true": rng.binomial(sizes, 0.3), "size": sizes})
    axes = precision_histogram(found)
    assert axes.patches[0].get_data().values.sum() == n
    assert len(bytes_of(axes.figure, "svg")) < 200_000


def test_mistakes_are_named():
    assert "validation must be" in refusal(precision_histogram, 5)


@pytest.mark.parametrize("number", [1, 3, MOST_HISTOGRAMS + 2])
def test_one_histogram_per_method(number):
    rng = np.random.default_rng(1)
    names = [f"m{i}" for i in range(number)]
    table = {"true": rng.random(120) < 0.4, "part": [i % 6 for i in range(120)],
             **{name: rng.random(120) for name in names}}  # fmt: skip
    found = csig.sample_precision(table, names, sample="part", n=10)
    figure = histograms(found)
    titles = [axes.get_title("left") for axes in figure.axes]
    kept = names[:MOST_HISTOGRAMS]
    assert titles == [f"{name}: 6 samples of 10 candidates" for name in kept]
    others = figure.get_suptitle()
    assert others == ("2 other methods: no picture." if number > MOST_HISTOGRAMS else "")
    for axes, validation in zip(figure.axes, found.validations, strict=False):
        below = f"{axes.get_xlabel()} {figure.get_supxlabel()}".replace("\n", " ")
        assert f"ratio {validation.ratio:.3g}" in below
