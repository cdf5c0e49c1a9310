"""Pictures with a row each: marks, ends and words are those of the results."""

from __future__ import annotations

import math

import numpy as np
import pytest
from drawings import hollow, lines, marks, rows, said
from written import refusal

import csig
from csig.comparing.pictures import (
    Panel,
    Row,
    difference,
    draw,
    forest,
    height_of,
    names_of,
    per_cent,
    room,
    sensitivity,
    space,
)
from csig.report.style import new_figure
from csig.systems.pictures import leaderboard

pytest.importorskip("matplotlib")

METRICS = ["recall", "precision", "f1"]


def places(axes):
    return [mark.get_xdata()[0] for mark in marks(axes)]


# ---- differences -------------------------------------------------------------------------------


def results_of(comparison):
    results = csig.randomization_test(comparison, METRICS)
    return results, {name: csig.intervals.linearized_interval(comparison, name) for name in METRICS}


def test_marks_and_ends_are_those_of_the_results(yeh):
    results, intervals = results_of(yeh)
    axes = forest(results, intervals)
    assert rows(axes) == ["Recall", "Precision", "F1"]
    np.testing.assert_allclose(places(axes), [100 * own.statistic for own in results.values()])
    ends = [[100 * own.low, 100 * own.high] for own in intervals.values()]
    np.testing.assert_allclose(lines(axes), ends)
    assert [mark.get_ydata()[0] for mark in marks(axes)] == [2, 1, 0]
    key = "new - base (points)\n95% intervals; filled, *: significant at 0.05"
    assert axes.get_xlabel() == key
    adjusted = forest(csig.classical.holm(results), intervals, alpha=0.1)
    key = "95% intervals (not adjusted); filled, *: significant at 0.1"
    assert adjusted.get_xlabel().splitlines()[1] == key


def test_significance_is_no_matter_of_colour(yeh):
    results, _ = results_of(yeh)
    for alpha in (0.05, 0.03, 0.0001):
        axes = forest(results, alpha=alpha)
        for mark, own in zip(marks(axes), results.values(), strict=True):
            assert hollow(mark) == (own.pvalue > alpha)
            assert mark.get_marker() == ("o" if own.pvalue > alpha else "s")
        stars = [text.endswith(" *") for text in said(axes) if text.startswith("0.0")]
        assert sum(stars) == sum(own.pvalue <= alpha for own in results.values())


def test_what_shuffles_leave_open_is_half_filled(yeh):
    own = csig.randomization_test(yeh, "f1", method="approximate", n_resamples=500, rng=1)
    axes = forest({"f1": own}, alpha=sum(own.pvalue_interval) / 2)
    assert marks(axes)[0].get_fillstyle() == "left"
    assert any(text.endswith(" ?") for text in said(axes))


@pytest.mark.parametrize("width", [3.3, 6.4])
def test_a_row_without_an_interval_says_so(yeh, width):
    results, intervals = results_of(yeh)
    axes = forest(results, {**intervals, "f1": csig.intervals.NoInterval("too few")}, width=width)
    assert len(lines(axes)) == 2
    assert sum("no interval" in text for text in said(axes)) == 1


def test_p_of_several_is_adjusted(yeh):
    results, _ = results_of(yeh)
    corrected = csig.classical.holm(results)
    words = said(forest(corrected))
    assert "p (Holm)" in words
    assert "p (Holm)" not in said(forest(results))
    for own in corrected:
        assert any(text.startswith(f"{own.adjusted_pvalue:.3g}"[:5]) for text in words)


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
    assert "↓: lower is better" in axes.get_xlabel()
    mean = csig.Comparison.from_scores([3, 2, 1, 1], [1, 0, 0, 0])
    better = forest({"mean": csig.randomization_test(mean, "mean")}, alpha=0.5)
    assert own.statistic < 0
    assert marks(axes)[0].get_color() == marks(better)[0].get_color()  # A is better in both


def test_intervals_alone_and_names_of_several_systems(yeh):
    c = csig.Comparison.from_scores([3, 4, 4, 6, 8], [2, 4, 3, 5, 5])
    interval = csig.intervals.linearized_interval(c, "mean")
    axes = forest({"all": interval})
    assert lines(axes) == [pytest.approx([interval.low, interval.high])]
    assert "p" not in said(axes)
    other = csig.Comparison.from_scores([1, 0], [0, 0], names=("x", "base"))
    found = {"a": csig.randomization_test(yeh, "f1"), "b": csig.randomization_test(other, "mean")}
    assert forest(found).get_xlabel().startswith("each - base (points)")


def test_a_very_long_interval_is_cut_with_an_arrow():
    own = [Row(label=str(i), difference=0.1, ends=(-0.1, 0.2)) for i in range(5)]
    wide = Row(label="w", difference=0.1, ends=(-9.0, 9.0))
    axes = new_figure().add_subplot()
    draw(axes, Panel(rows=[*own, wide], scale=1.0, label="A - B"), width=6.4)
    assert [mark.get_marker() for mark in marks(axes) if mark.get_marker() in "<>"] == ["<", ">"]
    assert axes.get_xlim()[1] < 2


@pytest.mark.parametrize("n", [1, 3, 12, 60])
def test_as_many_rows_as_there_are(n):
    result = csig.randomization_test(csig.Comparison.from_scores([2, 2, 3], [1, 2, 2]), "mean")
    names = [f"l{i}" for i in range(n)]
    axes = forest(dict.fromkeys(names, result))
    assert rows(axes) == names
    assert axes.figure.get_figheight() == pytest.approx(height_of(n))
    low, high = axes.get_ylim()
    assert low < 0 <= n - 1 < high


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
    for mark, own in zip(marks(axes), result.systems, strict=True):
        assert hollow(mark) == (own.low != 1)
        assert mark.get_xdata()[0] == 1 + own.losses + own.ties / 2
    assert [mark.get_ydata()[0] for mark in marks(axes)] == [5, 4, 3, 2, 1, 0]
    assert axes.get_xlabel() == "rank by Accuracy: 95% intervals\nfilled: may be the best"
    low, high = axes.get_xlim()
    assert 0 < low < 1 < 6 < high
    words = said(axes)
    for own in result.systems:
        assert f"{100 * own.score:.2f}" in words
        assert (f"{own.low}" if own.low == own.high else f"{own.low} to {own.high}") in words
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
    assert "filled, *: s3 differs at 0.05" in axes.get_xlabel()


def test_two_systems_and_many_and_names():
    assert rows(leaderboard(found_of(2))) == ["s0", "s1"]
    many = found_of(105)
    axes = leaderboard(many)
    assert rows(axes) == list(many.ranks)[:100]
    assert "the best 100 of 105 systems" in axes.get_xlabel()
    assert axes.figure.get_size_inches()[1] < 16.5
    assert len(rows(leaderboard(many, most=3))) == 3
    less = leaderboard(found_of(lower_is_better=True))
    assert rows(less)[0] == "s5"
    assert "lower is better" in less.get_xlabel()
    axes = leaderboard(found_of(3, ["$x^2$", "a_{b}\n%", "x" * 90]))
    assert set(rows(axes)) == {"$x^2$", "a_{b}\\n%", f"{'x' * 15}…{'x' * 14}"}
    assert not any(label.get_parse_math() for label in axes.get_yticklabels())


def test_leaderboards_draw_themselves():
    from matplotlib.figure import Figure

    result = found_of(3)
    assert rows(result.plot()) == rows(csig.plots.plot(result)) == rows(leaderboard(result))
    own = Figure().add_subplot()
    assert result.plot("leaderboard", ax=own) is own


# ---- p by unit ---------------------------------------------------------------------------------


def test_marks_stand_at_p():
    clustered = csig.Comparison.from_scores(
        a=[1, 1, 1, 0, 1, 1, 1, 1, 1], b=[0, 0, 0, 0, 1, 1, 0, 0, 0],
        cluster=["x", "x", "x", "y", "y", "y", "z", "z", "z"], cluster_name="story",
    )  # fmt: skip
    found = csig.effects.sensitivity(clustered, "mean")
    axes = sensitivity(found, alpha=0.1)
    assert rows(axes) == ["item (6)", "story (2)"]
    assert places(axes) == pytest.approx([math.log10(own.pvalue) for own in found.values()])
    assert [hollow(mark) for mark in marks(axes)] == [False, True]
    dashed = next(line for line in axes.lines if line.get_linestyle() == "--")
    assert dashed.get_xdata()[0] == pytest.approx(-1)


def test_several_metrics_have_marks_and_approximate_p_an_interval(yeh):
    axes = sensitivity(csig.effects.sensitivity(yeh, ["recall", "f1"]))
    assert [mark.get_marker() for mark in marks(axes)] == ["o", "s"]
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["Recall", "F1"]
    found = csig.effects.sensitivity(yeh, "f1", method="approximate", n_resamples=500, rng=1)
    low, high = found["response"].pvalue_interval
    assert lines(sensitivity(found)) == [pytest.approx([math.log10(low), math.log10(high)])]


def test_p_that_no_double_holds():
    big = csig.Comparison.from_counts(gold=30000, only_a_correct=9000, only_b_correct=2500)
    own = csig.randomization_test(big, "recall")
    axes = sensitivity({"response": own})
    assert places(axes)[0] == pytest.approx(own.log_pvalue / math.log(10))
    axes.figure.draw_without_rendering()
    assert any(label.get_text().startswith("10^-") for label in axes.get_xticklabels())


# ---- words and refusals ------------------------------------------------------------------------


def test_names_and_the_room_for_them():
    """Percent is for shares only."""
    assert names_of(None) == ("A", "B")
    assert names_of(["x\ny", "z" * 50], 10) == ("x\\ny", "zzzzz…zzzz")
    assert (per_cent((0.2, 1.0)), per_cent((0.2, 1.1))) == (100, 1)
    assert difference(("a", "b"), 1.0) == "a - b"
    assert room(None, 3.3) < room(None, 6.4)
    narrow, wide = (new_figure(w).add_subplot() for w in (2.0, 6.4))
    assert space(narrow, 9) < space(wide, 9)
    assert 8 <= room(narrow, 9) <= room(wide, 9) <= 24


def test_what_cannot_be_drawn_is_refused(yeh):
    result = csig.randomization_test(yeh, "f1")
    other = csig.randomization_test(csig.Comparison.from_scores([30, 41], [29, 45]), "mean")
    several = csig.effects.breakdown({"x": yeh}, ["recall", "f1"])
    for picture, arguments, options, message in [
        (forest, ({},), {}, "there are none"),
        (forest, (0.5,), {}, "found float"),
        (forest, ({"f1": 0.5},), {}, "not a result"),
        (forest, ({"f1": result}, {"mcc": None}), {}, "no result is called 'mcc'"),
        (forest, ({"f1": result},), {"alpha": 5}, "alpha"),
        (forest, ({"f1": result, "mean": other},), {}, "pictures of their own"),
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
