"""Intervals and effects: which there are, and what is said of them."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from brute import PAPER
from printed import expected, printed, rewrite

import csig
from csig import Comparison
from csig.answers.gathering import gathered
from csig.base.wording import figures
from csig.comparing import estimates, sizes
from csig.comparing.estimates import Estimates, Row, estimated
from csig.comparing.options import Options
from csig.comparing.signature import parse
from csig.comparing.summary import Summary
from csig.intervals import (
    Interval,
    NoInterval,
    bootstrap_interval,
    inverted_interval,
    linearized_interval,
)
from csig.readers.forms import read
from csig.readers.reading import Reading
from csig.readers.request import Input, Request

OPTIONS = Options(
    metrics=("recall",), alternative="two-sided", method="auto", n_resamples=99, seed=1,
    bit_generator=None, threads=1, zero_division=0, pvalue_confidence=0.99, alpha=0.05,
)  # fmt: skip
COMPARISON = Comparison.from_counts(**PAPER)
RIGHT = ("tp", "predicted", "gold")
PRINTED = Path(__file__).with_name("estimates.txt")


def asked(interval: str, **changes: Any) -> Options:
    return replace(OPTIONS, interval=interval, **changes)


def of(
    comparison: Comparison, metrics: Any, options: Options = OPTIONS, what: Any = "difference",
    n: int | None = None, **more: Any,
) -> dict[str, Any]:  # fmt: skip
    drawn = () if n is None else (n,)
    return estimates.intervals(comparison, metrics, what, options, 1, *drawn, **more)


def one(comparison: Comparison, options: Options = OPTIONS, what: Any = "difference", **more: Any):
    """The interval of the mean."""
    return of(comparison, ["mean"], options, what, **more)["mean"]


# ---- which there are ---------------------------------------------------------------------


def test_linearized_intervals_and_effects_and_where_there_are_none() -> None:
    options = replace(OPTIONS, confidence_level=0.8)
    for what in ("difference", "a", "b"):
        found = of(COMPARISON, ["recall", "F0.5"], options, what)
        assert list(found) == ["recall", "f0.5"]
        assert found["f0.5"] == linearized_interval(COMPARISON, "f0.5", what, confidence_level=0.8)
    found = estimates.effects(COMPARISON, ["recall", "F1"], OPTIONS)
    assert found == {m: csig.effects.effect(COMPARISON, m) for m in ("recall", "f1")}
    units = Comparison.from_statistics([[3]], [[2]], ["x"]).units
    alone = Comparison(("x",), "unit", (3,), (2,), (), units=units)
    own = csig.Metric("m", "x", numerator=[1], denominator=[1])
    assert estimates.effects(alone, [own], OPTIONS) == {}
    below = csig.Metric("below", ["tp", "gold"], numerator=[1, 0], denominator=[1, -1])
    comparison = Comparison.from_statistics([[1, 1, 2], [1, 1, 1]], [[1, 2, 2], [0, 0, 1]], RIGHT)
    assert list(estimates.effects(comparison, ["recall", below, "f1"], OPTIONS)) == ["recall", "f1"]


@pytest.mark.parametrize(("metrics", "options", "n", "message"), [
    (["recall", "f1"], asked("bca"), 10, "n_resamples: 10 do not show"),
    (["recall"], asked("bca", threads=0), None, "threads must be"),
])  # fmt: skip
def test_a_mistake_is_no_interval_that_cannot_be_given(metrics, options, n, message):
    """Of the options, that is: the data allow one."""
    with pytest.raises(csig.InputError, match=message) as refused:
        of(COMPARISON, metrics, options, n=n)
    assert not isinstance(refused.value, NoInterval)


def test_data_that_allow_no_interval_say_so() -> None:
    alone = Comparison.from_scores([1.5], [2.5])
    why = "only 1 item counts for mean: an interval needs at least two items"
    assert of(alone, ["mean"]) == {"mean": why}
    assert of(alone, ["mean"], asked(estimates.NONE)) == {}
    known = Comparison.from_scores([1, 4, 2], [2, 5, 3])
    record = Comparison(
        known.columns, known.unit, known.sums_a, known.sums_b, (), units=known.units
    )
    many = Comparison.from_counts(**{**PAPER, "both_spurious": 2**34})
    for method in ("linearized", "bca"):
        found = one(record, asked(method), n=999)
        assert str(found).startswith("only the units that differ are known")
        found = of(many, ["recall", "precision"], asked(method), n=999)
        if method == "bca":
            assert all("more than the 134217728 that can be" in str(why) for why in found.values())
        else:
            assert all(isinstance(own, Interval) for own in found.values())


def test_every_metric_has_the_interval_that_it_has_alone() -> None:
    """Also where some metric has none."""
    comparison = Comparison.from_statistics(
        [[1, 1, 2], [1, 1, 1], [1, 1, 2], [0, 1, 1]], [[1, 1, 2], [0, 0, 1], [1, 1, 2], [0, 1, 1]],
        RIGHT,
    )  # fmt: skip
    same = csig.Metric("same", "gold", numerator=[1], denominator=[1])
    own = csig.Metric("own", ["tp", "gold"], function=lambda s: s[:, 0] / s[:, 1])
    below = csig.Metric("below", ["tp", "gold"], numerator=[1, 0], denominator=[2, -1])
    how = {"method": "studentized", "confidence_level": 0.5, "n_resamples": 2000, "rng": 1}
    options = asked("studentized", confidence_level=0.5)
    found = of(comparison, ["recall", same, own, below, "f1"], options, "a", 2000)
    assert list(found) == ["recall", "same", "own", "below", "f1"]
    assert "have the same score, 1" in str(found["same"])
    assert "is a function, for which" in str(found["own"])
    assert "its denominator is negative in unit" in str(found["below"])
    for name in ("recall", "f1"):
        assert found[name] == bootstrap_interval(comparison, name, "a", **how)


def scores(n: int = 40, seed: int = 1) -> Comparison:
    """Real scores, the difference near the limit of significance."""
    rng = np.random.default_rng(seed)
    a = rng.random(n)
    return Comparison.from_scores(a + rng.normal(0.06, 0.2, n), a)


def test_by_default_means_of_scores_are_inverted_and_nothing_else() -> None:
    comparison = scores()
    right = Comparison.from_scores([1, 0, 1, 1, 0, 1, 1], [0, 0, 1, 0, 0, 0, 0])
    assert one(comparison) == inverted_interval(comparison, "mean")
    assert one(comparison, what="a") == linearized_interval(comparison, "mean", "a")
    assert one(right) == linearized_interval(right, "mean")
    assert one(right, asked("inverted")) == inverted_interval(right, "mean")
    assert one(comparison, asked("linearized")) == linearized_interval(comparison, "mean")
    assert one(comparison, asked("inverted"), "a") == "only differences have an inverted interval"
    assert of(COMPARISON, ["f1"], asked("inverted"))["f1"] == (
        "metric 'f1': the systems have different denominators, so that no shift by unit is known"
    )
    documents = Comparison.from_statistics(
        [[3, 4], [1, 2], [4, 4]], [[2, 4], [1, 2], [3, 4]], ("tp", "gold")
    )
    assert of(documents, ["recall"])["recall"] == linearized_interval(documents, "recall")


@pytest.mark.parametrize(("seed", "alternative"), [
    (0, "two-sided"), (1, "greater"), (2, "less"), (3, "two-sided"),
])  # fmt: skip
def test_inverted_intervals_agree_with_the_test_beside_them(seed: int, alternative: Any) -> None:
    comparison = scores(40, seed)
    test = csig.randomization_test(comparison, "mean", alternative=alternative)
    both = csig.randomization_test(comparison, "mean")
    for alpha in (0.01, 0.05, round(both.pvalue, 9), round(both.pvalue * (1 + 1e-6), 9)):
        options = replace(OPTIONS, confidence_level=1 - alpha, alternative=alternative)
        found = one(comparison, options, tests={"mean": test})
        assert isinstance(found, Interval)
        assert (found.method, found.instead) == ("inverted", None)
        assert (found.low > 0 or found.high < 0) == (both.pvalue <= round(alpha, 12))


def test_where_it_cannot_be_inverted_it_says_why() -> None:
    """Several runs have intervals of their own."""
    rng = np.random.default_rng(3)
    assert one(Comparison.from_scores(*rng.random((2, 3, 30)))).method == "components"
    found = one(Comparison.from_scores(*rng.random((2, 1, 30))))
    assert (found.method, found.n_runs) == ("inverted", 1)
    comparison, few = scores(), scores(5)
    wide = np.random.default_rng(1).normal(size=2000)
    wide[0] = 1e12
    apart = Comparison.from_scores(wide, np.zeros(2000))
    drawn = csig.randomization_test(comparison, "mean", method="approximate", n_resamples=99, rng=1)
    tests = {"tests": {"mean": drawn}}
    for own, more, why in [
        (comparison, tests, "the p-value is of shuffles"),
        (few, {}, "the test of 5 items that differ cannot reject at 0.05"),
        (apart, {}, "the scores differ too much in size for shifts to be exact"),
    ]:
        assert one(own, **more) == replace(linearized_interval(own, "mean"), instead=why)
    assert one(comparison, asked("inverted"), **tests).method == "inverted"  # who asks has it
    none = "metric 'mean': 5 items cannot reject any shift at 0.05"
    assert one(few, asked("inverted")) == none
    same = Comparison.from_scores([0.5, 0.7] * 9, [0.25, 0.45] * 9)
    assert "the difference is the same in every item" in one(same)
    number = [i * i // 40 for i in range(18)]
    clusters = Comparison.from_scores([0.1] * 18, [0] * 18, cluster=number)
    assert "the difference is the same in every cluster" in one(clusters)


# ---- what is said of them ----------------------------------------------------------------

INTERVAL = linearized_interval(COMPARISON, "recall")
RESULTS = csig.randomization_test(COMPARISON, ["recall", "precision", "f1"])


DRAWN = {"interval": "bca", "confidence_level": 0.9}
EXACT = replace(INTERVAL, method="clopper-pearson", standard_error=None, metric="f1")
LESS: Any = csig.randomization_test(COMPARISON, ["precision"], alternative="less")
FIVE = Comparison.from_scores([1.5, 2, 3, 4, 6], [1, 2.5, 1, 3, 2])


def few(n: int, differ: int | None = None, **changes: Any) -> str | None:
    return sizes.few(replace(INTERVAL, n_units=n, **changes), differ)


def gain(low: float, high: float, greater: bool = True, percents: bool = True) -> str:
    own = figures([low, high], percents, [(high - low) / 4])
    return sizes.gain(replace(INTERVAL, low=low, high=high), own, greater)


def notes(intervals: Any, results: Any = RESULTS, **changes: Any) -> list[str]:
    return sizes.notes(intervals, results, replace(OPTIONS, **changes))


def how(comparison: Comparison) -> list[str]:
    """How the interval of the mean was made, and what is lacking."""
    found, results = of(comparison, ["mean"]), csig.randomization_test(comparison, ["mean"])
    return [*sizes.how(found, OPTIONS), *sizes.gaps(found, results, OPTIONS)]


@pytest.mark.parametrize(("expression", "text"), expected(PRINTED))
def test_what_is_said(expression: str, text: str) -> None:
    assert printed(expression, globals()) == text


# ---- csig interval -----------------------------------------------------------------------


def test_every_system_has_its_own_interval(table: str, options: Options) -> None:
    request = Request(files=(table,), ignore=("story",))
    found = estimated(request, options)
    reading = Reading(read(request, ()))
    assert (found.unit, list(found.rows)) == ("unit", ["mean"])
    assert [row.title for row in found.rows["mean"]] == ["base", "x", "y", "x - base", "y - base"]
    base, x, y, of_x, of_y = found.rows["mean"]
    for place, row in ((1, x), (2, y)):
        comparison = reading.comparison(place, 0)
        assert row.interval == linearized_interval(comparison, "mean", "a")
        assert base.interval == linearized_interval(comparison, "mean", "b")
        assert row.n_differ is None
    assert of_y.interval == inverted_interval(reading.comparison(2, 0), "mean")
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
        "Mean of base, Mean of x, Mean of y: the interval rests on few data (only 16 items); such "
        "intervals may hold the true value in less than 90% of test sets.",
    )


def test_resamples_have_a_seed_and_few_clusters_are_said(table: str, options: Options) -> None:
    request = Request(files=(table,), ignore=("story",))
    drawn = replace(options, interval="basic", seed=None)
    found = estimated(request, drawn, 500)
    known = parse(found.signature)
    assert known["interval"] == ("basic", "0.95", "500")
    assert known["gen"] == ("PCG64DXSM",)
    assert known["seed"] == (str(found.options.seed),)
    assert estimated(request, replace(drawn, seed=found.options.seed), 500).rows == found.rows
    found = estimated(Request(files=(table,), cluster="story"), options)
    assert found.rows["mean"][0].few == "only 4 stories"
    assert any("the interval rests on few data (only 4 stories)" in note for note in found.cautions)


def test_units_that_differ_are_counted_as_csig_compare_does(tmp_path, options):
    """Eight units differ without a better system: ten differ, and that is not fewer than six."""
    pairs = [((1, 2), (2, 4)), ((2, 4), (1, 2))] * 4 + [((2, 2), (0, 2)), ((0, 2), (2, 2))]
    rows = [f"q{i},{a[0]},{a[1]},{b[0]},{b[1]},4" for i, (a, b) in enumerate(pairs)]
    path = tmp_path / "counts.csv"
    lines = ["id,tp_a,predicted_a,tp_b,predicted_b,gold", *rows, ""]
    path.write_text("\n".join(lines), encoding="utf-8")
    options = replace(options, metrics=("precision",))
    difference = estimated(Request(files=(str(path),)), options).rows["precision"][2]
    beside = gathered(Request(files=(str(path),)), options)
    assert isinstance(beside, Summary)
    assert beside.effects["precision"].ties == 8
    assert difference.n_differ == beside.results["precision"].n_moving == 10
    assert difference.few is None
    assert Row(("a",), 0.5, "no units").few is None


@pytest.mark.parametrize("n", [2, 3, 8])
def test_the_answer_has_the_ends_of_the_intervals(tmp_path: Path, options: Options, n: int) -> None:
    """Read back as numbers: to the better side if they are so; of many systems how many are."""
    rng = np.random.default_rng(n)
    scores = (10 + rng.random((60, n)) + np.arange(n) / 9 * (-1) ** np.arange(n)).round(3)
    path = tmp_path / "scores.csv"
    names = [f"s{i}" for i in range(n)]
    rows = [",".join([str(i), *map(str, row)]) for i, row in enumerate(scores)]
    path.write_text("\n".join([",".join(["id", *names]), *rows, ""]), encoding="utf-8")
    for less in (False, True):
        asked = replace(options, lower_is_better=less, metrics=("mean",))
        found = estimated(Request(files=(str(path),)), asked)
        ends = [row.interval for row in found.rows["mean"][n:]]
        signed = [sorted((-1) ** less * end for end in (own.low, own.high)) for own in ends]
        better = sum(low > 0 for low, _ in signed)
        worse = sum(high < 0 for _, high in signed)
        if n > 3:
            (answer,) = found.answer
            assert answer.startswith("Beside s0 on the mean, ")
            assert answer.endswith(" (95% intervals, not adjusted for 7 systems).")
            kinds = ("better", "may be better or worse", "worse")
            numbers = dict.fromkeys(kinds, 0)
            for part in answer.partition(", ")[2].partition(" (")[0].split("; "):
                kind = next(own for own in kinds if re.search(f"(is|are|^.*) {own}$", part))
                numbers[kind] = len(re.findall(r"\bs\d", part))
            assert [*numbers.values()] == [better, 7 - better - worse, worse]
            continue
        for name, (low, high), line in zip(names[1:], signed, found.answer, strict=True):
            numbers = re.fullmatch(
                rf"{name} (?:is|may be) (\S+)( worse)? to (\S+) (better|worse) than s0 on the mean "
                r"\(95% interval\)\.", line)  # fmt: skip
            assert numbers is not None, line
            one, other = float(numbers[1]), float(numbers[3])
            if numbers[2]:
                one = -one
            elif numbers[4] == "worse":
                one, other = -other, -one
            assert (one, other) == pytest.approx((low, high), abs=0.06)


@pytest.fixture
def found() -> Estimates:
    a, difference = (linearized_interval(COMPARISON, "recall", own) for own in ("a", "difference"))
    rows = [
        Row(("[red]a[/red]",), a.estimate, a),
        Row(("b",), 0.0, "one unit"),
        Row(("a", "b"), difference.estimate, difference, 34),
    ]
    source, tests = Input("counts", {"counts": "c.toml"}), [(("recall",), COMPARISON)]
    return Estimates("1.2.3", source, OPTIONS, "response", {"recall": rows}, tests)


if __name__ == "__main__":
    rewrite(PRINTED, globals())
