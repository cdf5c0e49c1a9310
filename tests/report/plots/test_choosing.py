"""Which picture suits what."""

import pytest
from drawings import lines, marks, rows
from written import refusal

import csig
from csig.plots import plot

pytest.importorskip("matplotlib")


def test_every_result_has_its_picture(yeh, documents):
    one = csig.randomization_test(yeh, "f1")
    several = csig.randomization_test(yeh, ["recall", "f1"])
    interval = csig.intervals.linearized_interval(yeh, "f1")
    for axes, labels in [
        (plot(one, "forest"), ["F1"]),
        (one.plot("forest"), ["F1"]),
        (plot(several), ["Recall", "F1"]),
        (several.plot(), ["Recall", "F1"]),
        (plot(dict(several), metric=None, alpha=0.01), ["Recall", "F1"]),
        (plot(interval), ["f1"]),
        (plot({"x": interval}), ["x"]),
        (plot(csig.classical.holm(several)), ["Recall", "F1"]),
        (plot(csig.effects.breakdown({"x": yeh}, "f1")), ["x"]),
    ]:
        assert rows(axes) == labels
    assert plot(one).get_title("left") == "F1: p = 0.0296, exact"
    assert plot(one.null).get_title("left") == "p = 0.0296"
    assert one.plot(names=("x", "y")).get_xlabel() == "x - y (points)"
    own = csig.effects.unit_contributions(documents, "f1")
    for axes in (plot(documents, metric="f1"), plot(own), own.plot()):
        assert axes.get_ylabel() == "new: F1 in %"


def test_what_compare_gives():
    a = {f"q{i}": i % 2 for i in range(12)}
    b = {f"q{i}": int(i % 3 > 0) for i in range(12)}
    two = csig.compare({"base": a, "new": b})
    axes = two.plot()
    (name,) = two.metrics
    own = two[name]
    assert [mark.get_xdata()[0] for mark in marks(axes)] == pytest.approx([100 * own.difference])
    assert lines(axes) == [pytest.approx([100 * own.interval.low, 100 * own.interval.high])]
    assert axes.get_xlabel().startswith("new - base (points)")
    assert lines(own.plot("forest")) == lines(axes)
    assert own.plot().get_title("left").startswith(f"{name.capitalize()}: p = ")
    several = csig.compare({"base": a, "new": b, "third": dict.fromkeys(a, 1)})
    assert rows(several.plot()) == ["new", "third"]
    assert rows(several.plot("scores")) == rows(plot(several, "scores")) == ["third", "new", "base"]
    assert several.plot().get_xlabel().startswith("each - base (points)")
    assert rows(plot(several)) == ["new", "third"]
    found = csig.compare_datasets({"x": [1, 2, 3, 4], "y": [0, 1, 2, 4], "z": [0, 0, 1, 1]})
    assert any("CD = " in text.get_text() for text in found.plot(by="nemenyi").texts)
    assert not any("CD = " in text.get_text() for text in plot(found, "critical_difference").texts)


def test_functions_take_what_compare_gives(yeh):
    found = csig.compare(yeh, metric=["recall", "f1"])
    for given in (found, found["f1"], found["f1"].test, found["f1"].interval):
        assert rows(csig.plots.forest(given))[-1].lower() == "f1"
    assert lines(csig.plots.forest(found)) == lines(found.plot())
    one = csig.compare(yeh, metric="f1")
    title = csig.plots.null(found["f1"].test).get_title("left")
    assert csig.plots.null(one).get_title("left") == title
    assert csig.plots.null(found["f1"]).get_title("left") == title
    assert "give one of them, such as found['recall']" in refusal(csig.plots.null, found)
    assert "found.plot('leaderboard')" in refusal(
        csig.plots.forest, csig.compare_systems({"a": [1, 0], "b": [0, 1]})
    )
    own = csig.Comparison.from_scores(
        [2, 1] * 8, [0, 1] * 8, cluster=[i // 2 for i in range(16)], cluster_name="story"
    )
    by_unit = csig.compare(own)
    assert csig.plots.units(by_unit).get_ylabel() == csig.plots.units(own).get_ylabel()
    assert "has its own" in refusal(csig.plots.forest, found, {"f1": found["f1"].interval})
    assert "csig.compare_datasets gives" in refusal(csig.plots.critical_difference, found)


def test_mistakes_are_named(yeh):
    one = csig.randomization_test(yeh, "f1")
    assert "there is 'null', 'forest'" in refusal(plot, one, "units")
    assert "no picture 'cumulative' of Comparison; there is 'units'" in refusal(
        plot, yeh, "cumulative"
    )
    for strange in (5, {}, [], {"a": 5}, "abc"):
        assert "there is no picture of" in refusal(plot, strange)
