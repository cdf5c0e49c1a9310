"""Forest plots: marks, ends and words are those of the results."""

from __future__ import annotations

import numpy as np
import pytest
from drawings import hollow, lines, marks, rows, said
from written import refusal

import csig
from csig.report.plots.forest import Row, forest, height_of, key_of, row_of, rows_of

pytest.importorskip("matplotlib")

METRICS = ["recall", "precision", "f1"]


def results_of(comparison):
    results = csig.randomization_test(comparison, METRICS)
    return results, {name: csig.linearized_interval(comparison, name) for name in METRICS}


def test_marks_and_ends_are_those_of_the_results(yeh):
    results, intervals = results_of(yeh)
    axes = forest(results, intervals)
    assert rows(axes) == ["Recall", "Precision", "F1"]
    found = [mark.get_xdata()[0] for mark in marks(axes)]
    np.testing.assert_allclose(found, [100 * own.statistic for own in results.values()])
    ends = [[100 * own.low, 100 * own.high] for own in intervals.values()]
    np.testing.assert_allclose(lines(axes), ends)
    assert [mark.get_ydata()[0] for mark in marks(axes)] == [2, 1, 0]
    assert axes.get_xlabel().startswith("new - base (points)\n95% intervals")


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
    low, high = own.pvalue_interval
    alpha = (low + high) / 2
    axes = forest({"f1": own}, alpha=alpha)
    assert marks(axes)[0].get_fillstyle() == "left"
    assert any(text.endswith(" ?") for text in said(axes))


@pytest.mark.parametrize("width", [3.3, 6.4])
def test_a_row_without_an_interval_says_so(yeh, width):
    results, intervals = results_of(yeh)
    axes = forest(results, {**intervals, "f1": csig.NoInterval("too few")}, width=width)
    assert len(lines(axes)) == 2
    assert sum("no interval" in text for text in said(axes)) == 1


def test_p_of_several_is_adjusted(yeh):
    results, _ = results_of(yeh)
    corrected = csig.holm(results)
    words = said(forest(corrected))
    assert "p (Holm)" in words
    for own in corrected:
        assert any(text.startswith(f"{own.adjusted:.3g}"[:5]) for text in words)
    assert "p (Holm)" not in said(forest(results))


def test_parts_have_a_row_each():
    rng = np.random.default_rng(1)
    parts = {
        name: csig.Comparison.from_scores(
            rng.integers(0, 2, 30), rng.integers(0, 2, 30), ids=range(30)
        )
        for name in ("数 $x$", "a\nb", "c" * 60)
    }
    found = csig.breakdown(parts, "mean", rng=1)
    axes = forest(found)
    assert rows(axes)[:2] == ["数 $x$", "a\\nb"]
    assert len(rows(axes)[2]) == 30
    assert [mark.get_xdata()[0] for mark in marks(axes)] == pytest.approx(
        [100 * part.results["mean"].statistic for part in found.values()]
    )
    assert all(not label.get_parse_math() for label in axes.get_yticklabels())


def test_one_metric_of_parts_is_chosen(yeh):
    found = csig.breakdown({"x": yeh}, ["recall", "f1"])
    assert rows(forest(found, metric="f1")) == ["x"]
    assert "choose one" in refusal(forest, found)
    assert "no 'mcc' here" in refusal(forest, found, metric="mcc")


def test_less_is_better_is_marked():
    c = csig.Comparison.from_statistics(
        [[1, 9], [0, 9], [0, 9]], [[3, 9], [2, 9], [1, 9]], ("errors", "items")
    )
    own = csig.randomization_test(c, "error_rate")
    axes = forest({"error_rate": own})
    assert rows(axes) == ["Error rate ↓"]
    assert "↓: lower is better" in axes.get_xlabel()
    better = row_of("x", own, None, 0.05)
    assert better.better
    assert better.difference < 0


def test_intervals_alone():
    c = csig.Comparison.from_scores([3, 4, 4, 6, 8], [2, 4, 3, 5, 5])
    interval = csig.linearized_interval(c, "mean")
    axes = forest({"all": interval})
    assert lines(axes) == [pytest.approx([interval.low, interval.high])]
    assert "p" not in said(axes)


def test_a_very_long_interval_is_cut_with_an_arrow():
    own = [Row(label=str(i), difference=0.1, low=-0.1, high=0.2) for i in range(5)]
    wide = Row(label="w", difference=0.1, low=-9.0, high=9.0)
    from csig.pictures import new_figure
    from csig.report.plots.forest import draw

    axes = new_figure().add_subplot()
    draw(axes, [*own, wide], 1.0, "A - B", 0.05, width=6.4, level=0.95)
    assert [mark.get_marker() for mark in marks(axes) if mark.get_marker() in "<>"] == ["<", ">"]
    assert axes.get_xlim()[1] < 2


@pytest.mark.parametrize("n", [1, 3, 12, 60])
def test_as_many_rows_as_there_are(n):
    own = {f"l{i}": csig.randomization_test(
        csig.Comparison.from_scores([i, 2, 3], [1, 2, 2]), "mean") for i in range(n)}  # fmt: skip
    axes = forest(own)
    assert rows(axes) == list(own)
    assert axes.figure.get_figheight() == pytest.approx(height_of(n))
    low, high = axes.get_ylim()
    assert low < 0
    assert high > n - 1


def test_shares_and_other_scores_need_two_pictures(yeh):
    other = csig.randomization_test(csig.Comparison.from_scores([30, 41], [29, 45]), "mean")
    share = csig.randomization_test(yeh, "f1")
    assert "pictures of their own" in refusal(forest, {"f1": share, "mean": other})


def test_mistakes_are_named(yeh):
    result = csig.randomization_test(yeh, "f1")
    assert "there are none" in refusal(forest, {})
    assert "found float" in refusal(forest, 0.5)
    assert "not a result" in refusal(forest, {"f1": 0.5})
    assert "no result is called 'mcc'" in refusal(forest, {"f1": result}, {"mcc": None})
    assert "alpha" in refusal(forest, {"f1": result}, alpha=5)


def test_names_of_several_systems(yeh):
    other = csig.Comparison.from_scores([1, 0], [0, 0], names=("x", "base"))
    found = {"a": csig.randomization_test(yeh, "f1"), "b": csig.randomization_test(other, "mean")}
    assert forest(found).get_xlabel().startswith("each - base (points)")


def test_the_key_names_level_and_intervals(yeh):
    found, scale, holm = rows_of({"f1": csig.randomization_test(yeh, "f1")}, None, None, 0.1)
    assert (scale, holm) == (100.0, False)
    assert key_of(found, 0.1, 0.9) == "90% intervals; filled, *: significant at 0.1"
    single = "90% intervals (not adjusted); filled, *: significant at 0.1"
    assert key_of(found, 0.1, 0.9, holm=True) == single
