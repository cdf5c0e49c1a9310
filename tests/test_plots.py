"""csig.plots: what holds for every picture."""

import io
from functools import partial

import numpy as np
import pytest
from written import refusal

import csig

matplotlib = pytest.importorskip("matplotlib")

COMPARISON = csig.Comparison.from_scores(
    a=[1, 1, 1, 0, 1, 1, 1, 1], b=[0, 0, 0, 0, 1, 1, 0, 0], id=range(8),
    cluster=["x", "x", "x", "y", "y", "y", "z", "z"], cluster_name="story",
    names=("$x^2$", "a_{b}\n%"),
)  # fmt: skip
RESULT = csig.randomization_test(COMPARISON.at("unit"), "mean")

RANKS = {"$x^2$": 1.2, "a_{b}\n%": 1.8, "c": 3.0}

CANDIDATES = {
    "true": [1, 0, 1, 1, 0, 0, 1, 0], "$x^2$": [8, 8, 6, 5, 4, 3, 2, 1],
    "a_{b}\n%": [1, 7, 3, 2, 8, 6, 4, 5],
}  # fmt: skip

DRAWN = {
    "critical_difference": (partial(csig.plots.critical_difference, cd=0.9), RANKS),
    "null": (csig.plots.null, RESULT),
    "forest": (csig.plots.forest, {"mean": RESULT}),
    "units": (csig.plots.units, COMPARISON),
    "leaderboard": (
        csig.plots.leaderboard,
        csig.compare_systems({"$x^2$": [1, 1, 0], "a_{b}\n%": [0, 0, 1]}),
    ),
    "scores": (
        csig.plots.scores,
        csig.compare({"$x^2$": [1, 1, 0, 1, 1, 1, 1, 1], "a_{b}\n%": [0, 1, 1, 0, 0, 0, 0, 0]}),
    ),
    "nbest_curves": (
        csig.plots.nbest_curves,
        csig.rankings.nbest_precision(CANDIDATES, ["$x^2$", "a_{b}\n%"]),
    ),
    "plot": (csig.plots.plot, RESULT),
    "precision_histogram": (
        csig.plots.precision_histogram,
        csig.rankings.validate_binomial([(3, 10), (4, 12), (9, 20)]),
    ),
    "ranking_difference": (
        csig.plots.ranking_difference,
        csig.rank_methods(CANDIDATES, ["$x^2$", "a_{b}\n%"], n_resamples=99, rng=1),
    ),
}


@pytest.fixture(params=sorted(DRAWN))
def drawn(request):
    """A function, and what it draws."""
    return DRAWN[request.param]


def test_all_are_here():
    assert set(DRAWN) == set(csig.plots.__all__) == set(dir(csig.plots))
    with pytest.raises(AttributeError, match=r"no picture 'cumulative'; it has critical_differ"):
        _ = csig.plots.cumulative


def test_a_picture_has_its_own_axes_or_those_given_and_changes_nothing_global(drawn):
    """Dollars in names are no mathematics, even where the user has everything set by TeX."""
    from matplotlib import pyplot
    from matplotlib.text import Text

    function, what = drawn
    with matplotlib.rc_context({"font.size": 17, "axes.grid": True}):
        before = dict(matplotlib.rcParams)
        axes = function(what)
        if function is csig.plots.null:  # drawing takes longest, and is the same for all
            picture, size = axes._repr_png_()
            axes.figure.savefig(io.BytesIO(), format="png")
            assert picture.startswith(b"\x89PNG")
            assert size["width"] > 200
        assert dict(matplotlib.rcParams) == before
    with matplotlib.rc_context({"text.usetex": True}):
        before = dict(matplotlib.rcParams)
        upper, lower = matplotlib.figure.Figure().subplots(2)
        given = function(what, ax=lower)
        assert dict(matplotlib.rcParams) == before
        assert given is lower
        assert not upper.has_data()
        assert lower.has_data() or lower.patches
        for text in given.findobj(Text):
            if set(text.get_text()) & set("$_{%"):
                assert not text.get_parse_math()
                assert not text.get_usetex()
    within = matplotlib.figure.Figure().subfigures(1, 2)[0].add_subplot()
    assert function(what, ax=within) is within
    for ax in (5, "ax", np.zeros(3)):
        assert "ax must be" in refusal(function, what, ax=ax)
    assert pyplot.get_fignums() == []
    if function is csig.plots.null:
        assert function(what)._repr_png_()[0] == picture
    elif function is not csig.plots.plot:  # captions can be left out, where there is one
        other = function(what, caption=False)
        assert axes.figure.get_supxlabel() or any("Average" in own.get_text() for own in axes.texts)
        assert other.figure.get_supxlabel() == ""
        assert not any("Average" in own.get_text() for own in other.texts)
        assert other.figure.get_figheight() <= axes.figure.get_figheight()
