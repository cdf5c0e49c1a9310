"""Intervals and effects of a comparison, the reasons where there are none, and csig interval."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from brute import PAPER

import csig
from csig import Comparison
from csig.answers.gathering import gathered
from csig.comparing import estimates
from csig.comparing.estimates import Row, estimated
from csig.comparing.options import Options
from csig.comparing.signature import parse
from csig.comparing.summary import Summary
from csig.readers.forms import read
from csig.readers.reading import Reading
from csig.readers.request import Request

OPTIONS = Options(
    metrics=("recall",), alternative="two-sided", method="auto", n_resamples=99, seed=1,
    bit_generator=None, threads=1, zero_division=0, pvalue_confidence=0.99, alpha=0.05,
)  # fmt: skip
COMPARISON = Comparison.from_counts(**PAPER)


@pytest.mark.parametrize("what", ["difference", "a", "b"])
def test_linearized(what: csig.intervals.What) -> None:
    options = replace(OPTIONS, confidence_level=0.8)
    found = estimates.intervals(COMPARISON, ["recall", "F0.5"], what, options, 1)
    expected = csig.intervals.linearized_interval(COMPARISON, "f0.5", what, confidence_level=0.8)
    assert list(found) == ["recall", "f0.5"]
    assert found["f0.5"] == expected


@pytest.mark.parametrize("method", [m for m in estimates.METHODS if m not in estimates.UNDRAWN])
def test_resampled(method: str) -> None:
    options = replace(OPTIONS, interval=method)
    found = estimates.intervals(COMPARISON, ["recall", "f1"], "difference", options, 7, 500)
    assert found == csig.intervals.bootstrap_interval(
        COMPARISON, ["recall", "f1"], method=method, n_resamples=500, rng=7, threads=1
    )


def test_one_metric_without_an_interval_leaves_the_others() -> None:
    comparison = Comparison.from_statistics(
        [[1, 1, 2], [1, 1, 1], [1, 1, 2]], [[1, 1, 2], [0, 0, 1], [1, 1, 2]],
        ("tp", "predicted", "gold"),
    )  # fmt: skip
    options = replace(OPTIONS, interval="basic")
    found = estimates.intervals(comparison, ["recall", "precision"], "a", options, 1, 400)
    assert isinstance(found["recall"], csig.intervals.Interval)
    assert isinstance(found["precision"], str)


def test_reasons_and_none() -> None:
    comparison = Comparison.from_scores([1.5], [2.5])
    found = estimates.intervals(comparison, ["mean"], "difference", OPTIONS, 1)
    assert found == {"mean": "only 1 item counts for mean: an interval needs at least two items"}
    options = replace(OPTIONS, interval=estimates.NONE)
    assert estimates.intervals(comparison, ["mean"], "difference", options, 1) == {}


def test_effects() -> None:
    found = estimates.effects(COMPARISON, ["recall", "F1"], OPTIONS)
    assert found == {m: csig.effects.effect(COMPARISON, m) for m in ("recall", "f1")}
    alone = Comparison(
        ("x",), "unit", (3,), (2,), (),
        units=Comparison.from_statistics([[3]], [[2]], ["x"]).units,
    )  # fmt: skip
    assert estimates.effects(alone, [csig.Metric("m", "x", numerator=[1], denominator=[1])],
                             OPTIONS) == {}  # fmt: skip


def test_a_mistake_is_no_interval_that_cannot_be_given() -> None:
    """Of the options, that is: the data allow one."""
    options = replace(OPTIONS, interval="bca")
    for metrics in (["recall"], ["recall", "f1"]):
        with pytest.raises(csig.InputError, match="n_resamples: 10 do not show") as refused:
            estimates.intervals(COMPARISON, metrics, "difference", options, 1, 10)
        assert not isinstance(refused.value, csig.intervals.NoInterval)
    with pytest.raises(csig.InputError, match="threads must be"):
        estimates.intervals(COMPARISON, ["recall"], "difference", replace(options, threads=0), 1)
    runs = Comparison.from_scores([[1, 0, 1], [0, 0, 1]], [[1, 1, 0], [0, 1, 0]])
    drawn = replace(OPTIONS, interval="percentile")
    with pytest.raises(csig.InputError, match="n_resamples: 10 do not show"):
        estimates.intervals(runs, ["mean"], "difference", drawn, 1, 10)


@pytest.mark.parametrize("method", ["linearized", "bca"])
def test_data_that_allow_no_interval_say_so(method: str) -> None:
    options = replace(OPTIONS, interval=method)
    known = Comparison.from_scores([1, 4, 2], [2, 5, 3])
    record = Comparison(
        known.columns, known.unit, known.sums_a, known.sums_b, (), units=known.units
    )
    found = estimates.intervals(record, ["mean"], "difference", options, 1, 999)
    assert str(found["mean"]).startswith("only the units that differ are known")
    many = Comparison.from_counts(**{**PAPER, "both_spurious": 2**34})
    found = estimates.intervals(many, ["recall", "precision"], "difference", options, 1, 999)
    if method == "bca":
        assert all("more than the 134217728 that can be" in str(why) for why in found.values())
    else:
        assert all(isinstance(own, csig.intervals.Interval) for own in found.values())


def test_resamples_are_drawn_once_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where some metric has no interval."""
    drawn = []
    draw = csig.comparing.bootstrap.draw_scores

    def counting(*arguments: Any) -> None:
        drawn.append(1)
        draw(*arguments)

    monkeypatch.setattr(csig.comparing.bootstrap, "draw_scores", counting)
    comparison = Comparison.from_statistics(
        [[1, 1, 2], [1, 1, 1], [1, 1, 2], [0, 1, 1]], [[1, 1, 2], [0, 0, 1], [1, 1, 2], [0, 1, 1]],
        ("tp", "predicted", "gold"),
    )  # fmt: skip
    same = csig.Metric("same", "gold", numerator=[1], denominator=[1])
    own = csig.Metric("own", ["tp", "gold"], function=lambda s: s[:, 0] / s[:, 1])
    below = csig.Metric("below", ["tp", "gold"], numerator=[1, 0], denominator=[2, -1])
    wanted = ["recall", same, own, below, "f1"]
    options = replace(OPTIONS, interval="studentized", confidence_level=0.5)
    found = estimates.intervals(comparison, wanted, "a", options, 5, 2000)
    assert len(drawn) == 1
    assert "have the same score, 1" in str(found["same"])
    assert "is a function, for which" in str(found["own"])
    assert "its denominator is negative in unit" in str(found["below"])
    assert list(found) == ["recall", "same", "own", "below", "f1"]
    for name in ("recall", "f1"):
        assert found[name] == csig.intervals.bootstrap_interval(
            comparison, name, "a", method="studentized", confidence_level=0.5, n_resamples=2000,
            rng=5,
        )  # fmt: skip


def test_one_metric_without_effects_leaves_the_others() -> None:
    below = csig.Metric("below", ["tp", "gold"], numerator=[1, 0], denominator=[1, -1])
    tables = [[[1, 1, 2], [1, 1, 1]], [[1, 2, 2], [0, 0, 1]]]
    comparison = Comparison.from_statistics(*tables, ("tp", "predicted", "gold"))
    found = estimates.effects(comparison, ["recall", below, "f1"], OPTIONS)
    assert list(found) == ["recall", "f1"]


def scores(n: int = 40, seed: int = 1) -> Comparison:
    """Real scores, the difference near the limit of significance."""
    rng = np.random.default_rng(seed)
    a = rng.random(n)
    return Comparison.from_scores(a + rng.normal(0.06, 0.2, n), a)


def one(comparison: Comparison, options: Options = OPTIONS, what: Any = "difference", **tests: Any):
    """The interval of the mean."""
    return estimates.intervals(comparison, ["mean"], what, options, 1, **tests)["mean"]


def test_by_default_means_of_scores_are_inverted_and_nothing_else() -> None:
    comparison = scores()
    assert one(comparison) == csig.intervals.inverted_interval(comparison, "mean")
    assert one(comparison, what="a") == csig.intervals.linearized_interval(comparison, "mean", "a")
    right = Comparison.from_scores([1, 0, 1, 1, 0, 1, 1], [0, 0, 1, 0, 0, 0, 0])
    assert one(right) == csig.intervals.linearized_interval(right, "mean")
    asked = replace(OPTIONS, interval="inverted")
    assert one(right, asked) == csig.intervals.inverted_interval(right, "mean")
    plain = replace(OPTIONS, interval="linearized")
    assert one(comparison, plain) == csig.intervals.linearized_interval(comparison, "mean")
    assert one(comparison, asked, "a") == "only differences have an inverted interval"
    of_f1 = estimates.intervals(COMPARISON, ["f1"], "difference", asked, 1)["f1"]
    assert of_f1 == (
        "metric 'f1': the systems have different denominators, so that no shift by unit is known"
    )
    documents = Comparison.from_statistics(
        [[3, 4], [1, 2], [4, 4]], [[2, 4], [1, 2], [3, 4]], ("tp", "gold")
    )
    found = estimates.intervals(documents, ["recall"], "difference", OPTIONS, 1)["recall"]
    assert found == csig.intervals.linearized_interval(documents, "recall")


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_inverted_intervals_agree_with_the_test_beside_them(seed: int, alternative: Any) -> None:
    comparison = scores(60, seed)
    test = csig.randomization_test(comparison, "mean", alternative=alternative)
    both = csig.randomization_test(comparison, "mean")
    for alpha in (0.01, 0.05, round(both.pvalue, 9), round(both.pvalue * (1 + 1e-6), 9)):
        options = replace(OPTIONS, confidence_level=1 - alpha, alternative=alternative)
        found = one(comparison, options, tests={"mean": test})
        assert isinstance(found, csig.intervals.Interval)
        assert (found.method, found.instead) == ("inverted", None)
        assert (found.low > 0 or found.high < 0) == (both.pvalue <= round(alpha, 12))


def test_where_it_cannot_be_inverted_it_says_why() -> None:
    comparison = scores()
    drawn = csig.randomization_test(comparison, "mean", method="approximate", n_resamples=99, rng=1)
    plain = csig.intervals.linearized_interval(comparison, "mean")
    assert one(comparison, tests={"mean": drawn}) == replace(
        plain, instead="the p-value is of shuffles"
    )
    asked = replace(OPTIONS, interval="inverted")  # who asks has it
    assert one(comparison, asked, tests={"mean": drawn}).method == "inverted"
    few = scores(5)
    assert one(few) == replace(
        csig.intervals.linearized_interval(few, "mean"),
        instead="the test of 5 items that differ cannot reject at 0.05",
    )
    assert one(few, asked) == "metric 'mean': 5 items cannot reject any shift at 0.05"
    same = Comparison.from_scores([0.5, 0.7] * 9, [0.25, 0.45] * 9)
    assert "the difference is the same in every item" in one(same)
    clusters = Comparison.from_scores(
        [0.1] * 18, [0] * 18, clusters=[i * i // 40 for i in range(18)]
    )
    assert "the difference is the same in every cluster" in one(clusters)
    wide = np.random.default_rng(1).normal(size=2000)
    wide[0] = 1e12
    found = one(Comparison.from_scores(wide, np.zeros(2000)))
    assert (found.method, found.instead) == (
        "linearized", "the scores differ too much in size for shifts to be exact"
    )  # fmt: skip


def test_runs_have_intervals_of_their_own() -> None:
    rng = np.random.default_rng(3)
    several = Comparison.from_scores(*rng.random((2, 3, 30)))
    assert one(several).method == "components"
    alone = Comparison.from_scores(*rng.random((2, 1, 30)))
    found = one(alone)
    assert (found.method, found.n_runs) == ("inverted", 1)


# ---- csig interval -----------------------------------------------------------------------


def test_every_system_has_its_own_interval(table: str, options: Options) -> None:
    found = estimated(Request(files=(table,), ignore=("story",)), options)
    reading = Reading(read(Request(files=(table,), ignore=("story",)), ()))
    assert (found.unit, list(found.rows)) == ("unit", ["mean"])
    base, x, y, of_x, of_y = found.rows["mean"]
    assert [row.title for row in found.rows["mean"]] == ["base", "x", "y", "x - base", "y - base"]
    for place, row in ((1, x), (2, y)):
        comparison = reading.comparison(place, 0)
        assert row.interval == csig.intervals.linearized_interval(comparison, "mean", "a")
        assert base.interval == csig.intervals.linearized_interval(comparison, "mean", "b")
        assert row.n_differ is None
    assert of_y.interval == csig.intervals.inverted_interval(reading.comparison(2, 0), "mean")
    assert (of_x.estimate, of_x.n_differ, of_y.n_differ) == (1, 16, 16)
    assert isinstance(of_x.interval, str)
    known = parse(found.signature)
    assert (known["test"], known["unit"], known["interval"], known["n"]) == (
        ("none",), ("unit",), ("inverted+linearized", "0.95"), ("16/16",)
    )  # fmt: skip
    assert found.notes == [
        "95% intervals of scores: linearized standard error over items, t distribution.",
        "95% intervals of differences: the differences that the randomization test, swapping "
        "items, does not reject.",
        "Mean of x - base: an interval cannot be given: the difference is the same in every item, "
        "which does not show how far other items may be from it.",
    ]
    assert found.cautions == (
        "Mean of base, Mean of y: the interval rests on few data (only 16 items for a score "
        "this near to 1); such intervals may hold the true value in less than 90% of test sets.",
        "Mean of x: the interval rests on few data (only 16 items); such intervals may hold the "
        "true value in less than 90% of test sets.",
    )


def test_resamples_have_a_seed(table: str, options: Options) -> None:
    drawn = replace(options, interval="basic", seed=None)
    found = estimated(Request(files=(table,), ignore=("story",)), drawn, 500)
    known = parse(found.signature)
    assert known["interval"] == ("basic", "0.95", "500")
    assert known["gen"] == ("PCG64DXSM",)
    assert known["seed"] == (str(found.options.seed),)
    again = estimated(
        Request(files=(table,), ignore=("story",)), replace(drawn, seed=found.options.seed), 500
    )
    assert again.rows == found.rows


def test_few_units(table: str, options: Options) -> None:
    found = estimated(Request(files=(table,), cluster="story"), options)
    assert found.rows["mean"][0].few == "only 4 stories"
    assert any("the interval rests on few data (only 4 stories)" in note for note in found.cautions)


def test_units_that_differ_are_counted_as_csig_compare_does(
    tmp_path: Path, options: Options
) -> None:
    """Eight units differ without a better system: ten differ, and that is not fewer than six."""
    pairs = [((1, 2), (2, 4)), ((2, 4), (1, 2))] * 4 + [((2, 2), (0, 2)), ((0, 2), (2, 2))]
    rows = [f"q{i},{a[0]},{a[1]},{b[0]},{b[1]},4" for i, (a, b) in enumerate(pairs)]
    path = tmp_path / "counts.csv"
    lines = ["id,tp_a,predicted_a,tp_b,predicted_b,gold", *rows, ""]
    path.write_text("\n".join(lines), encoding="utf-8")
    options = replace(options, metrics=("precision",))
    found = estimated(Request(files=(str(path),)), options)
    difference = found.rows["precision"][2]
    beside = gathered(Request(files=(str(path),)), options)
    assert isinstance(beside, Summary)
    assert beside.effects["precision"].ties == 8
    assert difference.n_differ == beside.results["precision"].n_moving == 10
    assert difference.few is None
    assert Row(("a",), 0.5, "no units").few is None
