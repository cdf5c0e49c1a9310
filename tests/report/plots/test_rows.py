"""Pictures with a row each: marks, ends and words are those of the results."""

from __future__ import annotations

import math

import numpy as np
import pytest
from drawings import hollow, lines, marks, rows, said
from written import refusal

import csig
from csig.comparing.pictures import Panel, Row, draw, forest, height_of, names_of, sensitivity
from csig.report.style import new_figure
from csig.systems.pictures import leaderboard

pytest.importorskip("matplotlib")

METRICS = ["recall", "precision", "f1"]


def places(axes):
    return [mark.get_xdata()[0] for mark in marks(axes)]


def key(axes):
    """What is written below."""
    return [*axes.get_xlabel().splitlines(), *axes.figure.get_supxlabel().splitlines()]


# ---- differences -------------------------------------------------------------------------------


@pytest.fixture
def results(yeh):
    return csig.randomization_test(yeh, METRICS)


@pytest.fixture
def intervals(yeh):
    return {name: csig.intervals.linearized_interval(yeh, name) for name in METRICS}


@pytest.mark.parametrize("alpha", [0.05, 0.03, 0.0001])
def test_marks_and_ends_are_those_of_the_results(alpha, results, intervals):
    """Significance is no matter of colour."""
    axes = forest(results, intervals, alpha=alpha)
    assert rows(axes) == ["Recall", "Precision", "F1"]
    np.testing.assert_allclose(places(axes), [100 * own.statistic for own in results.values()])
    ends = [[100 * own.low, 100 * own.high] for own in intervals.values()]
    np.testing.assert_allclose(lines(axes), ends)
    assert [mark.get_ydata()[0] for mark in marks(axes)] == [2, 1, 0]
    for mark, own in zip(marks(axes), results.values(), strict=True):
        assert hollow(mark) == (own.pvalue > alpha)
        assert mark.get_marker() == ("o" if own.pvalue > alpha else "s")
    stars = [text.endswith(" *") for text in said(axes) if text.startswith("0.0")]
    assert sum(stars) == sum(own.pvalue <= alpha for own in results.values())
    below = f"95% intervals; filled, *: significant at {alpha:g}"
    assert key(axes) == ["new - base (points)", below]
    assert axes.figure.get_figheight() == pytest.approx(height_of(3))
    assert "p (Holm)" not in said(axes)
    corrected = csig.classical.holm(results)
    axes = forest(corrected, intervals, alpha=alpha)
    assert key(axes)[1] == below.replace("intervals", "intervals (not adjusted)")
    assert "p (Holm)" in said(axes)
    for own in corrected:
        assert any(text.startswith(f"{own.adjusted_pvalue:.3g}"[:5]) for text in said(axes))


@pytest.mark.parametrize("width", [3.3, 6.4])
def test_what_is_not_known_is_said(width, yeh, results, intervals):
    """A row without an interval, and shuffles that leave the verdict open."""
    axes = forest(results, {**intervals, "f1": csig.intervals.NoInterval("too few")}, width=width)
    assert len(lines(axes)) == 2
    assert sum("no interval" in text for text in said(axes)) == 1
    own = csig.randomization_test(yeh, "f1", method="approximate", n_resamples=500, rng=1)
    axes = forest({"f1": own}, alpha=sum(own.pvalue_interval) / 2, width=width)
    assert marks(axes)[0].get_fillstyle() == "left"
    assert any(text.endswith(" ?") for text in said(axes))


def test_parts_have_a_row_each(yeh):
    rng = np.random.default_rng(1)
    parts = {
        name: csig.Comparison.from_scores(*rng.integers(0, 2, (2, 30)), id=range(30))
        for name in ("数 $x$", "a\nb", "c" * 60)
    }
    found = csig.effects.breakdown(parts, "mean", rng=1)
    axes = forest(found)
    assert rows(axes)[:2] == ["数 $x$", "a\\nb"]
    assert len(rows(axes)[2]) == 30
    differences = [100 * part.results["mean"].statistic for part in found.values()]
    assert places(axes) == pytest.approx(differences)
    assert all(not label.get_parse_math() for label in axes.get_yticklabels())
    several = csig.effects.breakdown({"x": yeh}, ["recall", "f1"])
    assert rows(forest(several, metric="f1")) == ["x"]


def test_less_is_better_is_marked():
    c = csig.Comparison.from_statistics(
        [[1, 9], [0, 9], [0, 9]], [[3, 9], [2, 9], [1, 9]], ("errors", "items")
    )
    own = csig.randomization_test(c, "error_rate")
    axes = forest({"error_rate": own}, alpha=0.5)
    assert rows(axes) == ["Error rate ↓"]
    assert "↓: lower is better" in " ".join(key(axes))
    mean = csig.Comparison.from_scores([3, 2, 1, 1], [1, 0, 0, 0])
    better = forest({"mean": csig.randomization_test(mean, "mean")}, alpha=0.5)
    assert own.statistic < 0
    assert marks(axes)[0].get_color() == marks(better)[0].get_color()  # A is better in both


def test_intervals_alone_and_names_of_several_systems(results):
    c = csig.Comparison.from_scores([3, 4, 4, 6, 8], [2, 4, 3, 5, 5])
    interval = csig.intervals.linearized_interval(c, "mean")
    axes = forest({"all": interval})
    assert lines(axes) == [pytest.approx([interval.low, interval.high])]
    assert "p" not in said(axes)
    other = csig.Comparison.from_scores([1, 0], [0, 0], names=("x", "base"))
    found = {"a": results["f1"], "b": csig.randomization_test(other, "mean")}
    assert key(forest(found))[0] == "each - base (points)"


def test_a_very_long_interval_is_cut_with_an_arrow():
    own = [Row(label=str(i), difference=0.1, ends=(-0.1, 0.2)) for i in range(5)]
    wide = Row(label="w", difference=0.1, ends=(-9.0, 9.0))
    axes = new_figure().add_subplot()
    draw(axes, Panel(rows=[*own, wide], scale=1.0, label="A - B"), width=6.4)
    assert [mark.get_marker() for mark in marks(axes) if mark.get_marker() in "<>"] == ["<", ">"]
    assert axes.get_xlim()[1] < 2


# ---- systems -----------------------------------------------------------------------------------


def found_of(n_systems=6, names=None, **options):
    rng = np.random.default_rng(1)
    shares = np.linspace(0.9, 0.4, n_systems)
    names = names or [f"s{i}" for i in range(n_systems)]
    scores = [(rng.random(120) < share).astype(int) for share in shares]
    return csig.compare_systems(dict(zip(names, scores, strict=True)), **options)


def test_lines_are_the_ranks():
    result = found_of()
    axes = leaderboard(result)
    assert rows(axes) == list(result.ranks)
    drawn = [ends for ends in lines(axes) if ends[0] != ends[1]]
    assert drawn == [list(map(float, own)) for own in result.ranks.values() if own[0] < own[1]]
    words = said(axes)
    for mark, own in zip(marks(axes), result.systems, strict=True):
        assert hollow(mark) == (own.low != 1)
        assert mark.get_xdata()[0] == 1 + own.losses + own.ties / 2
        assert f"{100 * own.score:.2f}" in words
        assert (f"{own.low}" if own.low == own.high else f"{own.low} to {own.high}") in words
    assert [mark.get_ydata()[0] for mark in marks(axes)] == [5, 4, 3, 2, 1, 0]
    assert key(axes) == ["rank by Accuracy: 95% intervals", "filled: may be the best"]
    low, high = axes.get_xlim()
    assert 0 < low < 1 < 6 < high
    assert "ranks" in words
    assert "ranks" not in said(leaderboard(result, width=3.3))
    alike = leaderboard(csig.compare_systems({"a": [1, 0], "b": [1, 0], "c": [0, 1]}))
    assert places(alike) == [2.0, 2.0, 2.0]


def test_beside_a_baseline_marks_are_scores():
    result = found_of(baseline="s3")
    axes = leaderboard(result)
    assert places(axes) == pytest.approx([100 * own.score for own in result.systems])
    better = {own.system: own.better for own in result.pairs}
    for mark, own in zip(marks(axes), result.systems, strict=True):
        assert hollow(mark) == (better.get(own.name) is None)
    stars = [text for text in said(axes) if text.endswith(" *")]
    assert 0 < len(stars) <= sum(name is not None for name in better.values())
    assert "filled, *: s3 differs at 0.05" in " ".join(key(axes))


def test_two_systems_and_many_and_names():
    assert rows(leaderboard(found_of(2))) == ["s0", "s1"]
    many = found_of(103)
    axes = leaderboard(many)
    assert rows(axes) == list(many.ranks)[:100]
    assert "the best 100 of 103 systems" in " ".join(key(axes))
    assert axes.figure.get_size_inches()[1] < 16.5
    assert len(rows(leaderboard(many, most=3))) == 3
    less = leaderboard(found_of(lower_is_better=True))
    assert rows(less)[0] == "s5"
    assert "lower is better" in " ".join(key(less))
    axes = leaderboard(found_of(3, ["$x^2$", "a_{b}\n%", "x" * 90]))
    assert set(rows(axes)) == {"$x^2$", "a_{b}\\n%", f"{'x' * 15}…{'x' * 14}"}
    assert not any(label.get_parse_math() for label in axes.get_yticklabels())


# ---- p by unit ---------------------------------------------------------------------------------


def test_marks_stand_at_p(yeh):
    clustered = csig.Comparison.from_scores(
        [1, 1, 1, 0, 1, 1, 1, 1, 1], [0, 0, 0, 0, 1, 1, 0, 0, 0],
        cluster=list("xxxyyyzzz"), cluster_name="story",
    )  # fmt: skip
    found = csig.effects.sensitivity(clustered, "mean")
    axes = sensitivity(found, alpha=0.1)
    assert rows(axes) == ["item (6)", "story (2)"]
    assert places(axes) == pytest.approx([math.log10(own.pvalue) for own in found.values()])
    assert [hollow(mark) for mark in marks(axes)] == [False, True]
    dashed = next(line for line in axes.lines if line.get_linestyle() == "--")
    assert dashed.get_xdata()[0] == pytest.approx(-1)
    axes = sensitivity(csig.effects.sensitivity(yeh, ["recall", "f1"]))
    assert [mark.get_marker() for mark in marks(axes)] == ["o", "s"]
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["Recall", "F1"]
    found = csig.effects.sensitivity(yeh, "f1", method="approximate", n_resamples=500, rng=1)
    low, high = found["response"].pvalue_interval
    assert lines(sensitivity(found)) == [pytest.approx([math.log10(low), math.log10(high)])]
    big = csig.Comparison.from_counts(gold=30000, only_a_correct=9000, only_b_correct=2500)
    own = csig.randomization_test(big, "recall")  # no double holds this p
    axes = sensitivity({"response": own})
    assert places(axes)[0] == pytest.approx(own.log_pvalue / math.log(10))
    axes.figure.draw_without_rendering()
    assert any(label.get_text().startswith("10^-") for label in axes.get_xticklabels())


def test_what_cannot_be_drawn_is_refused(yeh, results):
    one = {"f1": results["f1"]}
    other = csig.randomization_test(csig.Comparison.from_scores([30, 41], [29, 45]), "mean")
    several = csig.effects.breakdown({"x": yeh}, ["recall", "f1"])
    for picture, arguments, options, message in [
        (forest, ({},), {}, "there are none"),
        (forest, (0.5,), {}, "found float"),
        (forest, ({"f1": 0.5},), {}, "not a result"),
        (forest, (one, {"mcc": None}), {}, "no result is called 'mcc'"),
        (forest, (one,), {"alpha": 5}, "alpha"),
        (forest, ({**one, "mean": other},), {}, "pictures of their own"),
        (forest, (several,), {}, "choose one"),
        (forest, (several,), {"metric": "mcc"}, "no 'mcc' here"),
        (sensitivity, ({},), {}, "found nothing"),
        (sensitivity, ({"unit": 5},), {}, "results['unit'] must be"),
        (sensitivity, (0.5,), {}, "found float"),
        (leaderboard, ({"a": 1},), {}, "leaderboard draws what csig.compare_systems gives"),
        (leaderboard, (found_of(3),), {"most": 0}, "most"),
        (found_of(3).plot, ("forest",), {}, "there is no picture 'forest'"),
        (names_of, ("ab",), {}, "names must be two"),
        (names_of, (["a"],), {}, "names must be two"),
    ]:
        assert message in refusal(picture, *arguments, **options)
