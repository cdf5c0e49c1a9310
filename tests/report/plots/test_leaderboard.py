"""Leaderboards: marks, ends and words are those of the result."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from drawings import hollow, lines, marks, rows, said

import csig
from csig import InputError
from csig.report.plots.leaderboard import MOST_ROWS, figure_of, leaderboard

pytest.importorskip("matplotlib")


def found(n_systems: int = 6, names: list[str] | None = None, **options: Any) -> csig.SystemsResult:
    rng = np.random.default_rng(1)
    shares = np.linspace(0.9, 0.4, n_systems)
    names = names or [f"s{i}" for i in range(n_systems)]
    scores = [(rng.random(120) < share).astype(int) for share in shares]
    return csig.compare_systems(dict(zip(names, scores, strict=True)), **options)


def test_lines_are_the_ranks() -> None:
    result = found()
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
    assert 0 < low < 1
    assert high > 6


def test_ranks_and_scores_stand_beside() -> None:
    result = found()
    words = said(leaderboard(result))
    for own in result.systems:
        assert f"{100 * own.score:.2f}" in words
        assert (f"{own.low}" if own.low == own.high else f"{own.low} to {own.high}") in words
    narrow = said(leaderboard(result, width=3.3))
    assert "ranks" in words
    assert "ranks" not in narrow


def test_beside_a_baseline_marks_are_scores() -> None:
    result = found(baseline="s3")
    axes = leaderboard(result)
    found_marks = marks(axes)
    scores = [100 * own.score for own in result.systems]
    assert [mark.get_xdata()[0] for mark in found_marks] == pytest.approx(scores)
    better = {own.system: own.better for own in result.pairs}
    for mark, own in zip(found_marks, result.systems, strict=True):
        assert hollow(mark) == (better.get(own.name) is None)
    stars = [text for text in said(axes) if text.endswith(" *")]
    assert 0 < len(stars) <= sum(name is not None for name in better.values())
    assert "filled, *: s3 differs at 0.05" in axes.get_xlabel()


def test_two_systems_and_many() -> None:
    assert rows(leaderboard(found(2))) == ["s0", "s1"]
    many = found(MOST_ROWS + 5)
    axes = leaderboard(many)
    assert rows(axes) == list(many.ranks)[:MOST_ROWS]
    assert "the best 100 of 105 systems" in axes.get_xlabel()
    assert len(rows(leaderboard(many, most=3))) == 3
    assert figure_of(found(90)).get_size_inches()[1] < 16


def test_names_are_words() -> None:
    names = ["$x^2$", "a_{b}\n%", "x" * 90]
    axes = leaderboard(found(3, names))
    assert set(rows(axes)) == {"$x^2$", "a_{b}\\n%", f"{'x' * 15}…{'x' * 14}"}
    assert not any(label.get_parse_math() for label in axes.get_yticklabels())


def test_less_is_better() -> None:
    result = found(lower_is_better=True)
    axes = leaderboard(result)
    assert rows(axes)[0] == "s5"
    assert "lower is better" in axes.get_xlabel()


def test_all_systems_alike() -> None:
    axes = leaderboard(csig.compare_systems({"a": [1, 0], "b": [1, 0], "c": [0, 1]}))
    assert [mark.get_xdata()[0] for mark in marks(axes)] == [2.0, 2.0, 2.0]


def test_results_draw_themselves() -> None:
    result = found(3)
    assert rows(result.plot()) == rows(csig.plots.plot(result)) == rows(leaderboard(result))
    from matplotlib.figure import Figure

    own = Figure().add_subplot()
    assert result.plot("leaderboard", ax=own) is own
    with pytest.raises(InputError, match="there is no picture 'forest'"):
        result.plot("forest")


def test_refused() -> None:
    with pytest.raises(InputError, match=r"leaderboard draws what csig\.compare_systems gives"):
        leaderboard({"a": 1})  # type: ignore[arg-type]
    with pytest.raises(InputError, match="most"):
        leaderboard(found(2), most=0)
