"""What may be concluded from results, and what to doubt."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from brute import PAPER

import csig
from csig import Comparison
from csig.comparing import verdict
from csig.comparing.options import Options
from csig.data.comparison import Exclusions
from csig.probability.binomial import clopper_pearson
from csig.results.randomization import (
    Decision,
    RandomizationResult,
    SecondRun,
    SignCheck,
    Yeh2000Checks,
)

NAMES = ("method I", "method II")
YEH = Comparison.from_counts(**PAPER, names=NAMES)


def result_of(c: Comparison, metric: Any, **options: Any) -> RandomizationResult:
    return csig.randomization_test(c, metric, **options)  # type: ignore[return-value]


def sentence(c: Comparison, metric: Any, alpha: float = 0.05, **options: Any) -> str:
    return verdict.sentence(result_of(c, metric, **options), alpha, NAMES)


def cautions(c: Comparison, metric: Any = "f1", **options: Any) -> str:
    return " ".join(verdict.cautions(c, [result_of(c, metric, **options)]))


def shuffled(hits: int, trials: int, **changes: Any) -> RandomizationResult:
    """A result with these hits; nothing was shuffled."""
    result = result_of(YEH, "f1", method="approximate", n_resamples=1, rng=1)
    pvalue = (hits + 1) / (trials + 1)
    return replace(result, n_hits=hits, n_resamples=trials, pvalue=pvalue, **changes)


def decided(verdict_: str, hits: int, trials: int) -> RandomizationResult:
    n = None if verdict_ == "undecided" else trials
    return shuffled(hits, trials, decision=Decision(0.05, 1e-6, verdict_, n))


# ---- verdicts ---------------------------------------------------------------------------


@pytest.mark.parametrize(("hits", "trials", "expected"), [
    (10, 1000, "significant"),
    (50, 1000, "undecided"),
    (0, 10, "undecided"),
    (200, 1000, "not significant"),
    (1000, 1000, "not significant"),
])  # fmt: skip
def test_verdict_of_shuffles(hits: int, trials: int, expected: str) -> None:
    assert verdict.verdict(shuffled(hits, trials), 0.05) == expected


def test_an_exact_pvalue_is_always_decided() -> None:
    result = result_of(YEH, "f1")
    assert verdict.verdict(result, result.pvalue) == "significant"
    assert verdict.verdict(result, result.pvalue * (1 - 1e-9)) == "not significant"
    assert verdict.shuffles_to_decide(result, result.pvalue) is None


@pytest.mark.parametrize(("hits", "trials"), [(47, 1000), (0, 10), (525, 10_000), (6, 100)])
def test_shuffles_to_decide_is_the_first_doubling_that_decides(hits: int, trials: int) -> None:
    needed = verdict.shuffles_to_decide(shuffled(hits, trials), 0.05)
    assert needed is not None
    factor, rest = divmod(needed, trials)
    assert (rest, factor & (factor - 1)) == (0, 0)
    for n, settled in ((needed, True), (needed // 2, False)):
        low, high = clopper_pearson(hits * n // trials, n, 0.99)
        assert (not low <= 0.05 <= high) == settled


@pytest.mark.parametrize(("said", "expected"), [
    ("below", "significant"), ("above", "not significant"), ("undecided", "undecided"),
])  # fmt: skip
def test_a_decision_is_the_verdict(said: str, expected: str) -> None:
    """At its own level; at another one the interval counts."""
    result = decided(said, 500, 10_000)
    found = [verdict.verdict(result, alpha) for alpha in (0.05, 0.04, 0.051)]
    assert found == [expected, "not significant", "undecided"]


def test_the_guarantee_is_a_note() -> None:
    below, open_ = decided("below", 3000, 65536), decided("undecided", 3200, 65536)
    assert verdict.notes(YEH, [below]) == [
        "Shuffles were added until they decided. Two seeds give opposite verdicts at 0.05 with a "
        "probability of at most 2e-06."
    ]
    (first, *_) = verdict.notes(YEH, [below, replace(open_, metric="recall")])
    assert first.startswith("Shuffles were added until they decided f1. Two")
    assert verdict.notes(YEH, [open_]) == []
    assert verdict.notes(YEH, [result_of(YEH, "f1", decide_at=0.05)]) == []


# ---- sentences --------------------------------------------------------------------------

EQUAL = Comparison.from_counts(gold=10, only_a_correct=3, only_b_correct=3)
TINY = Comparison.from_counts(gold=5000, only_a_correct=4500, only_b_correct=0)
SPANS = {
    "gold": {"s1": [(0, 1, "LOC"), (4, 5, "PER")], "s2": [(0, 2, "ORG")], "s3": []},
    "a": {"s1": [(0, 1, "LOC"), (4, 5, "PER")], "s2": [(0, 2, "ORG")], "s3": []},
    "b": {"s1": [(0, 1, "PER"), (4, 5, "PER")], "s2": [(0, 1, "ORG")], "s3": []},
}
WER = csig.Metric(
    "wer", ("errors", "words"), numerator=(1, 0), denominator=(0, 1), greater_is_better=False
)
LENGTH = csig.Metric("length", ("words", "n"), numerator=(1, 0), denominator=(0, 1))


def tabled(a: Any, b: Any, columns: str = "errors words n") -> Comparison:
    return Comparison.from_statistics(a, b, columns.split(), names=NAMES)


#: Eight units in each of which the first system makes one error less.
ERRORS = tabled([[1, 10, 1]] * 8, [[2, 10, 1]] * 8)
LONG, SHORT = [[0, 31, 1], [0, 29, 1]], [[0, 12, 1], [0, 13, 1]]


@pytest.mark.parametrize(("comparison", "metric", "options", "expected"), [
    (YEH, "recall", {}, ["method I is significantly better at 0.05 (p = 0.000195)",
                         "21.36 points", "0.0195% of shuffles"]),
    (YEH, "precision", {}, ["method II is significantly better"]),
    (YEH, "precision", {"alpha": 0.01}, ["no significant difference at 0.01"]),
    (YEH, "recall", {"alternative": "greater"},
     ["method I is significantly better at 0.05 (p = 9.76e-05, one-sided)",
      "only if the direction was chosen before seeing the data"]),
    (YEH, "precision", {"alternative": "greater"},
     ["no evidence that method I is better: it is worse by", "one direction only"]),
    (YEH, "recall", {"alternative": "less"},
     ["no evidence that method II is better: it is worse by", "one direction only"]),
    (EQUAL, "recall", {}, ["both systems score 30.00%, so p = 1"]),
    (EQUAL, "recall", {"alternative": "greater"},
     ["no evidence that method I is better: both systems score 30.00% (p = 0.656, one-s"]),
    (TINY, "recall", {}, ["method I is significantly better at 0.05 (p = 10^-1354.3)",
                           "fewer than one shuffle in a million"]),
    (ERRORS, WER, {}, ["method I is significantly better at 0.05 (p = 0.00781)"]),
    (ERRORS, WER, {"alternative": "less"},
     ["method I is significantly better at 0.05 (p = 0.00391, one-sided)",
      "10.00 points or more in favour of method I would"]),
    (ERRORS, WER, {"alternative": "greater"},
     ["no evidence that method II is better: it is worse by 10.00 points",
      "Nor is it evidence that method I is better"]),
    (tabled([[2, 10]] * 8, [[1, 10]] * 8, "errors words"), WER, {},
     ["method II is significantly better"]),
    (tabled(LONG, SHORT), LENGTH, {"alpha": 0.9},
     ["method I is significantly better at 0.9 (p = 0.500)",
      "a difference of 17.5 or more in either direction"]),
    (tabled(LONG, LONG[::-1]), LENGTH, {"alpha": 0.9},
     ["both systems score 30, so p = 1"]),
])  # fmt: skip
def test_what_is_said_of_a_result(comparison, metric, options, expected):
    said = sentence(comparison, metric, **options)
    assert said.partition(": ")[2].startswith(expected[0])
    assert not [part for part in expected if part not in said], said
    assert ("points" in said) <= (metric is not LENGTH)
    assert "equal" not in said
    named = verdict.sentence(result_of(YEH, "recall"), 0.05, ("a\x1b[2J", "b\n"))
    assert named.isprintable()


def test_what_shuffles_leave_open() -> None:
    """No hits are no proof of a rate below one in a million."""
    said = verdict.sentence(shuffled(470, 10_000), 0.05, NAMES)
    assert "undecided at 0.05" in said
    assert "99% interval of p, 0.0417 to 0.0527, contains 0.05" in said
    more = "shuffles would settle it if the share of hits stays the same (or use --method exact)"
    assert re.search(rf"about [\d,]+ {re.escape(more)}", said)
    never = verdict.sentence(shuffled(0, 2**20), 0.05, NAMES)
    assert "would arise by chance in at most 0.000505% of shuffles" in never
    result = shuffled(50, 1000)  # the share of hits is alpha
    assert verdict.shuffles_to_decide(result, 0.05) is None
    said = verdict.sentence(result, 0.05, NAMES)
    assert "more shuffles may never settle it (use --method exact)" in said
    result = decided("undecided", 3200, 65536)
    needed = verdict.shuffles_to_decide(result, 0.05)
    assert needed is not None
    assert needed % 65536 == 0
    said = verdict.sentence(result, 0.05, NAMES)
    assert said.startswith(
        "F1: undecided at 0.05 (p = 0.0488). 65,536 shuffles were not enough to settle it with a "
        f"risk of 1e-06; about {needed:,} shuffles would settle it if the share of hits"
    )
    assert "interval" not in said
    assert verdict.shuffles_to_decide(decided("undecided", 50, 1000), 0.05) is None


SAME = {"gold": SPANS["gold"], "a": SPANS["b"], "b": SPANS["b"]}


@pytest.mark.parametrize(("comparison", "said", "note"), [
    (Comparison.from_counts(gold=10, both_correct=3, only_a_correct=0, only_b_correct=0),
     "the systems are identical", "identical"),
    *((Comparison.from_responses(**SAME, unit=unit, conflict=csig.metrics.spans),
       "the systems do not differ in any", "The systems are identical: every response")
      for unit in ("conflict", "key")),
    # Two wrong labels for one place: no test of groups can tell them apart.
    (Comparison.from_responses(["1/x"], ["1/y"], ["1/z"], unit="conflict", conflict=lambda r: r[0]),
     "F1: the systems do not differ in any conflict group, so p = 1",
     "statistics of both systems are the same in every conflict group"),
])  # fmt: skip
@pytest.mark.parametrize("method", ["exact", "approximate"])
def test_systems_without_a_difference(comparison, said, note, method):
    result = result_of(comparison, "f1", method=method, n_resamples=64, rng=1)
    assert result.pvalue == 1
    assert said in verdict.sentence(result, 0.05, NAMES)
    assert verdict.verdict(result, 0.999) == "not significant"
    assert note in verdict.notes(comparison, [result])[0]


# ---- cautions and notes -----------------------------------------------------------------


def at(unit: str) -> Comparison:
    return Comparison.from_responses(**SPANS, unit=unit, conflict=csig.metrics.spans, names=NAMES)


def unequal(n: int) -> Comparison:
    return Comparison.from_counts(gold=20, both_correct=1, only_a_correct=n, only_b_correct=0)


GOLD = Comparison.from_counts(gold=4, only_a_correct=4, only_b_correct=0, names=("x", "y"))
ONE = {0: [(0, 1, "X")]}
SENTENCE = Comparison.from_responses(
    ONE, ONE, {0: [(0, 1, "Y")]}, key_name="sentence", conflict=csig.metrics.spans
)
RIGHT = "tp predicted gold"


@pytest.mark.parametrize(("comparison", "metric", "options", "expected"), [
    (replace(YEH, exclusions=Exclusions(pairs=7, responses=12)), "f1", {},
     ["12 of the 86 unique responses exclude a response of the other system", "7 pairs",
      "as if independent"]),
    (GOLD, "f1", {}, ["responses of x are exactly the gold", "y has no responses"]),
    (unequal(1), "recall", {}, ["no p-value can be below 1:"]),
    (unequal(5), "recall", {}, ["no p-value can be below 0.0625:"]),
    (unequal(4), "recall", {"alternative": "greater"}, ["no p-value can be below 0.0625:"]),
    (at("response"), "f1", {}, ["4 of the 4 unique responses exclude",
                                "--unit conflict swaps them together",
                                "With 4 unique responses no p-value can be below 0.125: at"]),
    (at("conflict"), "f1", {},
     ["With 2 conflict groups that differ no p-value can be below 0.5: at"]),
    (at("key"), "f1", {}, ["With 2 keys that differ no p-value can be below 0.5: at"]),
    (tabled([[1, 2, 3]], [[0, 2, 3]], RIGHT), "f1", {},
     ["All the data are one item, and a test on one unit cannot show anything:",
      "p is never below 1."]),
    (tabled([[1, 2, 3]], [[0, 2, 3]], RIGHT), "f1", {"alternative": "greater"},
     ["All the data are one item, and", "p is never below 0.5."]),
    (tabled([[1, 2, 3], [1, 1, 1]], [[0, 2, 3], [1, 1, 1]], RIGHT), "f1", {},
     ["With 1 item that differs no p-value can be below 1:"]),
    (SENTENCE, "f1", {},
     ["Do the files mark where sentences begin? --unit conflict swaps smaller units."]),
])  # fmt: skip
def test_what_is_doubted(comparison, metric, options, expected):
    said = cautions(comparison, metric, **options)
    assert not [part for part in expected if said.count(part) != 1], said
    alone = "All the data are one item"
    assert said.startswith(alone) == expected[0].startswith(alone)
    assert ("exclude" in said) == any("exclude" in part for part in expected)


def test_enough_units_are_no_doubt() -> None:
    """Nor are exclusions that there are none of, or other columns without a gold."""
    assert "no p-value" not in cautions(unequal(6), "recall")
    assert "no p-value" not in cautions(unequal(5), "recall", alternative="greater")
    assert verdict.cautions(ERRORS, [result_of(ERRORS, WER)]) == []
    none = replace(YEH, exclusions=Exclusions(pairs=0, responses=0))
    assert cautions(none) == ""
    said = "None of the 86 unique responses excludes"
    assert any(note.startswith(said) for note in verdict.notes(none, [result_of(none, "f1")]))


@pytest.mark.parametrize(("comparison", "metrics", "expected"), [
    (YEH, ["f1"], []),
    (YEH, ["recall", "f1"], ["not corrected"]),
    (ERRORS, [WER], ["Lower is better: wer."]),
    (at("key"), ["f1"], []),
    (at("conflict"), ["f1"], ["The 4 unique responses form 2 conflict groups: responses of"]),
])  # fmt: skip
def test_notes(comparison: Comparison, metrics: list[Any], expected: list[str]) -> None:
    results = csig.randomization_test(comparison, metrics).values()
    found = verdict.notes(comparison, results)
    assert len(found) == len(expected), found
    assert all(part in own for part, own in zip(expected, found, strict=True))


def test_zero_denominators() -> None:
    c = Comparison.from_counts(gold=0, only_a_correct=0, only_b_correct=0, only_a_spurious=9)
    results = csig.randomization_test(c, ["recall", "precision"], zero_division=1).values()
    said = " ".join(verdict.cautions(c, results))
    assert "denominator of recall, precision is zero" in said
    assert "counts as 1" in said


def test_failed_checks() -> None:
    bad = Yeh2000Checks(
        SecondRun(n_hits=99, pvalue=0.1, agreement_pvalue=1e-9),
        SignCheck(n_hits=3, pvalue=0.004, sign_pvalue=0.5, agreement_pvalue=1e-12),
    )
    results = [shuffled(3, 1000, checks=bad), shuffled(3, 1000, checks=bad, metric="recall")]
    said = verdict.cautions(YEH, results)
    assert sum("first run" in line for line in said) == 2
    assert sum("sign test" in line for line in said) == 1
    assert "1.00e-09" in said[0]


@pytest.mark.parametrize(
    ("near", "alpha", "p"), [(12, 0.095, "0.0879"), (12, 0.05, None), (0, 0.095, None)]
)
def test_ties_that_rounding_may_hide(near: int, alpha: float, p: str | None) -> None:
    result = shuffled(99, 1000, tau=2.5e-15, n_within_tau=near)  # p = 0.0999
    said = " ".join(verdict.cautions(YEH, [result], alpha))
    assert ("F1: 12 shuffles came within 2.5e-15 of the observed difference" in said) == bool(p)
    assert p is None or f"Without them p would be {p}." in said


# ---- runs and parts ---------------------------------------------------------------------

SCORES = np.random.default_rng(2).random((3, 20)).round(2)
RUNS = Comparison.from_scores(SCORES, SCORES[::-1])
SINGLE = Comparison.from_scores(SCORES[0], SCORES[1])


def test_how_many_runs_there_are() -> None:
    (note,) = verdict.notes_of_runs(RUNS)
    assert note.startswith("3 runs of each system: the test swaps each item with all its runs, and")
    (paired, *_) = verdict.notes_of_runs(RUNS, True)
    assert paired.startswith("3 runs of each system, in pairs: the test")
    one = Comparison.from_scores(SCORES[:1], SCORES[1:2])
    assert verdict.notes_of_runs(one)[0].startswith("Only one run of each system is known")
    assert verdict.notes_of_runs(SINGLE) == []


@pytest.mark.parametrize(
    ("pvalue", "low", "said"), [(0.01, -0.1, True), (0.01, 0.1, False), (0.5, -0.1, False)]
)
def test_a_significant_test_beside_an_interval_that_holds_zero_is_a_caution(pvalue, low, said):
    result = replace(result_of(RUNS, "mean"), pvalue=pvalue)
    interval = replace(csig.intervals.crossed_interval(RUNS, "mean"), low=low, high=0.5)
    found = verdict.cautions_of_runs({"mean": interval}, {"mean": result}, 0.05)
    head = "Mean: these runs differ significantly, but the interval for"
    assert [own[: len(head)] for own in found] == [head] * said
    units = replace(interval, n_runs=None)
    assert verdict.cautions_of_runs({"mean": units, "x": "no reason"}, {"mean": result}, 0.05) == []


@pytest.mark.parametrize(("sizes", "alternative", "said"), [
    ({"p6": 6, "q7": 7}, "two-sided", None),
    ({"p5": 5, "q7": 7}, "two-sided", "p5"),
    ({"p5": 5, "q2": 2}, "two-sided", "every part"),
    ({"p5": 5}, "greater", None),
])  # fmt: skip
def test_parts_that_are_too_small_are_said(sizes, alternative, said, options):
    """On each unit A is better: five give 2^-4 at best, two-sided, and six 2^-5."""
    own = {
        name: Comparison.from_scores(np.ones(n), np.zeros(n), id=[f"{name}{i}" for i in range(n)])
        for name, n in sizes.items()
    }
    found = csig.effects.breakdown(own, "mean", rng=1)
    asked = replace(options, by="size", alternative=alternative)
    cautions = verdict.cautions_of_parts(found, asked)
    assert len(cautions) == (said is not None)
    assert said is None or said in cautions[0]
    assert not any("q7" in line for line in cautions)


def test_another_question_than_that_of_the_metric_is_said(options: Options) -> None:
    """Both systems' responses together are 2^61 or more in one part, and few in the other."""
    large = np.array([[2**57, 2**58, 2**58]] * 4)
    few = np.array([[1, 3, 4], [2, 2, 3], [0, 5, 2]])
    pairs = {
        label: Comparison.from_statistics(one, other, RIGHT.split(), id=range(len(one)))
        for label, one, other in (
            ("large", large, large - [[1, 5, 0], [2, 1, 0], [0, 9, 0], [5, 5, 0]]),
            ("few", few, few + np.array([[1, 1, 0], [0, 3, 0], [1, 1, 0]])),
        )
    }
    found = csig.effects.breakdown(pairs, "precision", statistic="auto", rng=1)
    assert found["few"].results["precision"].not_studentized is None
    said = verdict.cautions_of_parts(found, replace(options, by="size"))
    assert any(line.startswith("By size: for precision the difference is not") for line in said)
