"""Histograms of several methods on one page."""

from __future__ import annotations

import numpy as np
import pytest

import csig

pytest.importorskip("matplotlib")

from csig.report.plots.by_sample import MOST_HISTOGRAMS, histograms

RNG = np.random.default_rng(1)
NAMES = [f"m{i}" for i in range(MOST_HISTOGRAMS + 2)]
TABLE = {
    "true": RNG.random(120) < 0.4,
    "part": [i % 6 for i in range(120)],
    **{name: RNG.random(120) for name in NAMES},
}


@pytest.mark.parametrize("number", [1, 3, len(NAMES)])
def test_one_histogram_per_method(number: int) -> None:
    names = NAMES[:number]
    found = csig.sample_precision(TABLE, names, sample="part", n=10)
    figure = histograms(found)
    kept = names[:MOST_HISTOGRAMS]
    titles = [axes.get_title("left") for axes in figure.axes]
    assert titles == [f"{name}: 6 samples of 10 candidates" for name in kept]
    others = figure.get_suptitle()
    assert others == ("2 other methods: no picture." if number > MOST_HISTOGRAMS else "")
    for axes, validation in zip(figure.axes, found.validations, strict=False):
        assert f"ratio {validation.ratio:.3g}" in " ".join(
            [axes.get_xlabel(), *(text.get_text() for text in figure.texts),
             figure.get_supxlabel()]
        ).replace("\n", " ")  # fmt: skip


def test_the_difference_of_methods_at_several_lengths() -> None:
    found = csig.rank_methods(TABLE, ["m0", "m1"], [10, 20, 40], n_resamples=99, rng=1)
    (curves,) = found.curves
    pair = found.pairs[0]
    assert (curves.adjusted == pair.adjusted).all()
    assert (curves.difference == pair.difference).all()
    assert found.plot("ranking_difference").get_title("left") == curves.plot().get_title("left")
    for methods, n in ((["m0", "m1", "m2"], [10, 20]), (["m0", "m1"], 10)):
        other = csig.rank_methods(TABLE, methods, n, n_resamples=99, rng=1)
        assert len(other.curves) == (3 if len(methods) == 3 else 0)
        with pytest.raises(csig.InputError, match="is of one pair of methods at several lengths"):
            other.plot("ranking_difference")
