"""Pictures with a row each: the expressions of rows.txt, and what their marks and words are."""

import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from brute import PAPER
from drawings import described, hollow, lines, marks, rows
from drawn import several
from printed import expected, printed, rewrite
from scipy import stats

import csig
from csig import Comparison
from csig.base.wording import Figures
from csig.comparing import pictures
from csig.systems.pictures import leaderboard

pytest.importorskip("matplotlib")

PRINTED = Path(__file__).with_name("rows.txt")

scores = Comparison.from_scores
YEH = Comparison.from_counts(**PAPER, names=("new", "base"))
RESULTS: Any = csig.randomization_test(YEH, ["recall", "precision", "f1"])
ENDS: Any = {name: csig.intervals.linearized_interval(YEH, name) for name in RESULTS}
ONE = {"f1": RESULTS["f1"]}
HALF = csig.randomization_test(YEH, "f1", method="approximate", n_resamples=500, rng=1)
FEWER = Comparison.from_statistics(
    [[1, 9], [0, 9], [0, 9]], [[3, 9], [2, 9], [1, 9]], ("errors", "items")
)
OTHER = csig.randomization_test(scores([1, 0], [0, 0], names=("x", "base")), "mean")
LARGE = csig.randomization_test(scores([30, 41], [29, 45]), "mean")
FIVE = scores([3, 4, 4, 6, 8], [2, 4, 3, 5, 5])
CLUSTERED = scores(
    [1, 1, 1, 0, 1, 1, 1, 1, 1], [0, 0, 0, 0, 1, 1, 0, 0, 0],
    cluster=list("xxxyyyzzz"), cluster_name="story",
)  # fmt: skip
RNG = np.random.default_rng(1)
PARTS = {
    name: scores(*RNG.integers(0, 2, (2, 30)), id=range(30))
    for name in ("数 $x$", "a\nb", "c" * 60)
}
NAMES = ["$x^2$", "a_{b}\n%", "x" * 90]
NO_INTERVAL = csig.intervals.NoInterval("too few")
breakdown = csig.effects.breakdown


def forest(*given: Any, **options: Any) -> list[str]:
    return described(pictures.forest(*given, **options))


def ranked(n: int = 6, names: list[str] | None = None, **options: Any) -> Any:
    rng = np.random.default_rng(1)
    shares = np.linspace(0.9, 0.4, n)
    own = [(rng.random(120) < share).astype(int) for share in shares]
    named = names or [f"s{i}" for i in range(n)]
    return csig.compare_systems(dict(zip(named, own, strict=True)), **options)


def leaders(found: Any, **options: Any) -> list[str]:
    return described(leaderboard(found, **options))


def compared(n: int = 4, **options: Any) -> Any:
    rng = np.random.default_rng(2)
    gold = rng.integers(0, 3, 90)
    shares = np.linspace(0.9, 0.6, n)
    answers = {
        f"s{i}": np.where(rng.random(90) < share, gold, 3 - gold).tolist()
        for i, share in enumerate(shares)
    }
    return csig.compare(answers, gold=gold.tolist(), **options)


def alone(found: Any, **options: Any) -> list[str]:
    return described(csig.plots.scores(found, **options))


#: Both systems of a comparison, by themselves.
ALONE: Any = {
    name: csig.intervals.linearized_interval(YEH, "f1", what)
    for name, what in (("new", "a"), ("base", "b"))
}


#: The average ranks that Demsar (2006, section 3.2.4) prints.
DEMSAR = {"C4.5": 3.143, "C4.5+m": 2.000, "C4.5+cf": 2.893, "C4.5+m+cf": 1.964}
DATASETS = csig.compare_datasets({"a": [3, 1, 2, 5], "b": [2, 1, 1, 3], "c": [1, 2, 0, 0]})
NAN, diagram = math.nan, csig.plots.critical_difference


def cut() -> list[str]:
    """A very long interval beside short ones."""
    from csig.report.style import new_figure

    shown = {"difference": 0.1, "figures": Figures(False, 2)}
    own = [pictures.Row(label=str(i), ends=(-0.1, 0.2), **shown) for i in range(5)]
    wide = pictures.Row(label="w", ends=(-9.0, 9.0), **shown)
    axes = new_figure().add_subplot()
    pictures.draw(axes, pictures.Panel(rows=[*own, wide], scale=1.0, label="A - B"), width=6.4)
    assert axes.get_xlim()[1] < 2
    return described(axes)


@pytest.mark.parametrize(("expression", "text"), expected(PRINTED))
def test_what_is_drawn(expression: str, text: str) -> None:
    assert printed(expression, globals()) == text


def test_marks_and_ends_are_those_of_the_results() -> None:
    axes = pictures.forest(RESULTS, ENDS)
    places = [mark.get_xdata()[0] for mark in marks(axes)]
    np.testing.assert_allclose(places, [100 * own.statistic for own in RESULTS.values()])
    np.testing.assert_allclose(
        lines(axes), [[100 * own.low, 100 * own.high] for own in ENDS.values()]
    )
    assert axes.figure.get_figheight() == pytest.approx(pictures.height_of(["a"] * 3))
    better = pictures.forest({"mean": csig.randomization_test(FIVE, "mean")}, alpha=0.5)
    less = pictures.forest({"error_rate": csig.randomization_test(FEWER, "error_rate")}, alpha=0.5)
    assert marks(less)[0].get_color() == marks(better)[0].get_color()  # A is better in both
    assert all(not label.get_parse_math() for label in less.get_yticklabels())


@pytest.mark.parametrize("method", ["auto", "linearized", "inverted", "percentile"])
def test_no_interval_excludes_0_where_holms_test_does_not_reject(method: str) -> None:
    """Each is that of t, or of the test, at Bonferroni's level, extended to 0 if need be."""
    rng = np.random.default_rng(8)
    few = {"percentile": 1, "linearized": several(1, 8), "inverted": several(2, 8)}
    for trial in range(few.get(method, several(4, 8))):
        n = 3 + trial % 4
        shares = np.linspace(0.8, 0.62, n)
        systems = {f"s{i}": (rng.random(90) < own).astype(int) for i, own in enumerate(shares)}
        found = csig.compare(systems, interval=method, rng=1)
        level = 1 - 0.05 / (n - 1)
        axes = csig.plots.forest(found)
        for own, mark, (low, high) in zip(found.results, marks(axes), lines(axes), strict=True):
            differs = own.verdict == "significant"
            assert hollow(mark) is not differs
            assert differs or low <= 0 <= high
            d = systems[own.system] - systems["s0"]
            if method in ("auto", "linearized"):
                ends = stats.t.interval(level, len(d) - 1, d.mean(), stats.sem(d))
            elif method == "inverted":
                scores_of = csig.Comparison.from_scores(systems[own.system], systems["s0"])
                inverted = csig.intervals.inverted_interval(
                    scores_of, "mean", confidence_level=level
                )
                ends = inverted.low, inverted.high
                # The duality: it excludes 0 where p is at most Bonferroni's alpha.
                assert (low <= 0 <= high) == (own.pvalue > 0.05 / (n - 1))
            else:
                continue
            assert [low, high] == pytest.approx([100 * end for end in ends], abs=1e-6)
        assert f"(Bonferroni: {100 * level:.4g}% each)" in axes.figure.get_supxlabel()
    # 6 of 10 items, all for the system: p is 1/32, above 0.05 / 2, whatever t says.
    few = csig.compare({"base": [0] * 10, "x": [1] * 6 + [0] * 4, "y": [0] * 4 + [1] * 6})
    assert stats.t.interval(0.975, 9, 0.6, stats.sem([1] * 6 + [0] * 4))[0] > 0
    assert lines(csig.plots.forest(few))[0][0] == 0


@pytest.mark.parametrize("lower", [False, True])
@pytest.mark.parametrize("alternative", ["greater", "less"])
def test_one_sided_tests_extend_no_interval_from_the_side_where_they_do_not_look(
    alternative: Any, lower: bool
) -> None:
    rng = np.random.default_rng(8)
    shared = rng.normal(10, 1, 50).round(3)
    added = {"base": 0, "up": 2, "down": -2}
    systems = {name: (shared + rng.normal(own, 0.3, 50)).round(3) for name, own in added.items()}
    found = csig.compare(systems, alternative=alternative, lower_is_better=lower)
    for (low, high), name in zip(lines(csig.plots.forest(found)), ("up", "down"), strict=True):
        d = systems[name] - systems["base"]
        ends = stats.t.interval(0.975, len(d) - 1, d.mean(), stats.sem(d))
        assert [low, high] == pytest.approx(ends, abs=0.03)  # of the test, which t is near to


def test_intervals_of_scores_are_those_of_scipy() -> None:
    """Of means that of t, of systems that are always right that of Clopper and Pearson."""
    rng = np.random.default_rng(5)
    given = {name: rng.normal(30, 9, 40).tolist() for name in "abc"}
    right = {"all": [1] * 30, "some": [1] * 20 + [0] * 10}
    expected = {
        name: stats.t.interval(0.95, 39, np.mean(own), stats.sem(own))
        for name, own in given.items()
    }
    for found in (csig.compare(given), csig.compare_systems(given)):
        axes = csig.plots.scores(found)
        drawn = dict(zip(rows(axes), lines(axes), strict=True))
        assert drawn == {name: pytest.approx(ends) for name, ends in expected.items()}
    for found in (csig.compare(right), csig.compare_systems(right, baseline="some")):
        axes = csig.plots.scores(found, confidence_level=0.9)
        low, high = stats.binomtest(30, 30).proportion_ci(0.9)
        drawn = dict(zip(rows(axes), lines(axes), strict=True))
        assert drawn["all"] == pytest.approx([100 * low, 100 * high])
        middle, error = 2 / 3, stats.sem(right["some"])
        ends = stats.t.interval(0.9, 29, middle, error)
        assert drawn["some"] == pytest.approx([100 * end for end in ends])


@pytest.mark.parametrize("n", [2, 3])
def test_words_below_tell_names_apart_that_differ_in_the_middle(n: int) -> None:
    names = [f"{'P' * 20}{c}{'S' * 20}" for c in "abc"[:n]]
    systems = {name: [int(i < 7 * k) for i in range(20)] for k, name in enumerate(names)}
    said = csig.plots.scores(csig.compare(systems)).figure.get_supxlabel().replace("\n", " ")
    ranked = csig.compare_systems(systems, baseline=names[0])
    for text in (
        said,
        csig.plots.scores(ranked).figure.get_supxlabel(),
        leaderboard(ranked).figure.get_supxlabel(),
        csig.plots.forest(csig.compare(systems)).get_xlabel(),
    ):
        assert re.search("…aS|PaS|Pa…", text), text


def test_intervals_of_several_levels_have_no_common_caption() -> None:
    ends: Any = {
        str(level): csig.intervals.linearized_interval(YEH, "f1", "a", confidence_level=level)
        for level in (0.5, 0.99)
    }
    with pytest.raises(csig.InputError, match=r"one confidence level, found '0\.5', '0\.99'"):
        csig.plots.scores(ends)


def test_many_systems_are_the_best_hundred() -> None:
    many = ranked(103)
    axes = leaderboard(many)
    assert rows(axes) == list(many.ranks)[:100]
    assert "the best 100 of 103 systems" in axes.figure.get_supxlabel()
    assert axes.figure.get_size_inches()[1] < 11.2
    assert not any(label.get_parse_math() for label in axes.get_yticklabels())
    low, high = leaderboard(ranked()).get_xlim()
    assert 0 < low < 1 < 6 < high


if __name__ == "__main__":
    rewrite(PRINTED, globals())


@pytest.mark.parametrize(("width", "whole"), [(3.3, False), (6.4, True)])
def test_long_names_are_whole_where_there_is_room(width, whole):
    """Beside rows that are wide, and wherever words can be folded."""
    name = "bert-large-uncased-whole-word-masking-{}-seed"
    scores = {name.format(i): [0.1 * i + j % 3 for j in range(9)] for i in range(3)}
    base = name.format(0)

    def joined(text):
        return text.replace("-\n", "-").replace("\n", " ")

    axes = pictures.forest(csig.compare(scores), width=width)
    shown = [joined(label.get_text()) for label in axes.get_yticklabels()]
    assert (shown == [name.format(1), name.format(2)]) == whole
    assert joined(axes.get_xlabel()) == f"each - {base}"
    axes = csig.compare_systems(scores, baseline=base).plot(width=width)
    assert f"filled, *: {base} differs" in joined(axes.figure.get_supxlabel())
