"""What may be concluded from results, and what to doubt."""

from __future__ import annotations

import dataclasses
import re
from dataclasses import replace

import numpy as np
import pytest
from brute import PAPER

import csig
from csig import Comparison
from csig.comparing import estimates, verdict
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


def paper(names: tuple[str, str] = NAMES) -> Comparison:
    return Comparison.from_counts(**PAPER, names=names)


def shuffled(hits: int, trials: int, **changes: object) -> RandomizationResult:
    """A result with these hits; nothing was shuffled."""
    result = csig.randomization_test(paper(), "f1", method="approximate", n_resamples=1, rng=1)
    pvalue = (hits + 1) / (trials + 1)
    return dataclasses.replace(result, n_hits=hits, n_resamples=trials, pvalue=pvalue, **changes)


# ---- verdicts ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hits", "trials", "expected"),
    [
        (10, 1000, "significant"),
        (50, 1000, "undecided"),
        (0, 10, "undecided"),
        (200, 1000, "not significant"),
        (1000, 1000, "not significant"),
    ],
)
def test_verdict_of_shuffles(hits: int, trials: int, expected: str) -> None:
    assert verdict.verdict(shuffled(hits, trials), 0.05) == expected


def test_an_exact_pvalue_is_always_decided() -> None:
    result = csig.randomization_test(paper(), "f1")
    assert verdict.verdict(result, result.pvalue) == "significant"
    assert verdict.verdict(result, result.pvalue * (1 - 1e-9)) == "not significant"
    assert verdict.shuffles_to_decide(result, result.pvalue) is None


@pytest.mark.parametrize(("hits", "trials"), [(47, 1000), (0, 10), (525, 10_000), (6, 100)])
def test_shuffles_to_decide_is_the_first_doubling_that_decides(hits: int, trials: int) -> None:
    result = shuffled(hits, trials)
    needed = verdict.shuffles_to_decide(result, 0.05)
    assert needed is not None
    factor = needed // trials
    assert needed == factor * trials
    assert factor & (factor - 1) == 0
    for n, decided in ((needed, True), (needed // 2, False)):
        low, high = clopper_pearson(hits * n // trials, n, 0.99)
        assert (not low <= 0.05 <= high) == decided


def test_a_share_of_hits_that_is_alpha_promises_nothing() -> None:
    result = shuffled(50, 1000)
    assert verdict.shuffles_to_decide(result, 0.05) is None
    said = verdict.sentence(result, 0.05, NAMES)
    assert "more shuffles may never settle it (use --method exact)" in said


def test_no_hits_are_no_proof_of_a_rate_below_one_in_a_million() -> None:
    said = verdict.sentence(shuffled(0, 2**20), 0.05, NAMES)
    assert "would arise by chance in at most 0.000505% of shuffles" in said


def decided(verdict_: str, hits: int, trials: int, alpha: float = 0.05) -> RandomizationResult:
    n = None if verdict_ == "undecided" else trials
    return shuffled(hits, trials, decision=Decision(alpha, 1e-6, verdict_, n))


@pytest.mark.parametrize(
    ("said", "expected"),
    [("below", "significant"), ("above", "not significant"), ("undecided", "undecided")],
)
def test_a_decision_is_the_verdict(said: str, expected: str) -> None:
    """At its own level; at another one the interval counts."""
    result = decided(said, 500, 10_000)
    assert verdict.verdict(result, 0.05) == expected
    assert verdict.verdict(result, 0.04) == "not significant"
    assert verdict.verdict(result, 0.051) == "undecided"


def test_shuffles_that_did_not_suffice() -> None:
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


def test_the_guarantee_is_a_note() -> None:
    below, open_ = decided("below", 3000, 65536), decided("undecided", 3200, 65536)
    (note,) = verdict.notes(paper(), [below])
    assert note == (
        "Shuffles were added until they decided. Two seeds give opposite verdicts at 0.05 with a "
        "probability of at most 2e-06."
    )
    other = dataclasses.replace(open_, metric="recall")
    assert verdict.notes(paper(), [below, other])[0].startswith("Shuffles were added until they "
                                                                "decided f1. Two")  # fmt: skip
    assert verdict.notes(paper(), [open_]) == []
    exact = csig.randomization_test(paper(), "f1", decide_at=0.05)
    assert verdict.notes(paper(), [exact]) == []


# ---- sentences --------------------------------------------------------------------------


def test_significant() -> None:
    result = csig.randomization_test(paper(), "recall")
    said = verdict.sentence(result, 0.05, NAMES)
    assert said.startswith("Recall: method I is significantly better at 0.05 (p = 0.000195)")
    assert "21.36 points" in said
    assert "0.0195% of shuffles" in said
    assert said.count(". ") == 1


def test_the_better_system_may_be_b() -> None:
    result = csig.randomization_test(paper(), "precision")
    assert "method II is significantly better" in verdict.sentence(result, 0.05, NAMES)


def test_not_significant_does_not_say_equal() -> None:
    result = csig.randomization_test(paper(), "precision")
    said = verdict.sentence(result, 0.01, NAMES)
    assert "no significant difference at 0.01" in said
    assert "equal" not in said
    (limit,) = verdict.limits(["not significant"])
    assert "not evidence that the systems are equal" in limit


def test_undecided() -> None:
    said = verdict.sentence(shuffled(470, 10_000), 0.05, NAMES)
    assert "undecided at 0.05" in said
    assert "99% interval of p, 0.0417 to 0.0527, contains 0.05" in said
    assert re.search(
        r"about [\d,]+ shuffles would settle it if the share of hits stays the same "
        r"\(or use --method exact\)",
        said,
    )


def test_one_sided_in_the_right_direction() -> None:
    result = csig.randomization_test(paper(), "recall", alternative="greater")
    said = verdict.sentence(result, 0.05, NAMES)
    assert "method I is significantly better at 0.05 (p = 9.76e-05, one-sided)" in said
    assert "only if the direction was chosen before seeing the data" in said


@pytest.mark.parametrize(
    ("metric", "alternative", "hoped"),
    [("precision", "greater", "method I"), ("recall", "less", "method II")],
)
def test_one_sided_in_the_wrong_direction(metric: str, alternative: str, hoped: str) -> None:
    result = csig.randomization_test(paper(), metric, alternative=alternative)
    said = verdict.sentence(result, 0.05, NAMES)
    assert f"no evidence that {hoped} is better: it is worse by" in said
    assert "one direction only" in said


def test_equal_scores() -> None:
    c = Comparison.from_counts(gold=10, only_a_correct=3, only_b_correct=3)
    said = verdict.sentence(csig.randomization_test(c, "recall"), 0.05, NAMES)
    assert "both systems score 30.00%, so p = 1" in said
    one_sided = csig.randomization_test(c, "recall", alternative="greater")
    assert "both systems score 30.00%" in verdict.sentence(one_sided, 0.05, NAMES)


@pytest.mark.parametrize("method", ["exact", "approximate"])
@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_identical(method: str, alternative: str) -> None:
    c = Comparison.from_counts(gold=10, both_correct=3, only_a_correct=0, only_b_correct=0)
    result = csig.randomization_test(
        c, "f1", method=method, alternative=alternative, n_resamples=64, rng=1
    )
    assert result.pvalue == 1
    assert "the systems are identical" in verdict.sentence(result, 0.05, NAMES)
    assert verdict.verdict(result, 0.999) == "not significant"
    assert any("identical" in note for note in verdict.notes(c, [result]))


def test_a_tiny_pvalue_is_a_power_of_ten() -> None:
    c = Comparison.from_counts(gold=5000, only_a_correct=4500, only_b_correct=0)
    result = csig.randomization_test(c, "recall")
    assert result.pvalue == 0
    said = verdict.sentence(result, 0.05, NAMES)
    assert "p = 10^-1354.3" in said
    assert "fewer than one shuffle in a million" in said


def test_names_cannot_move_the_cursor() -> None:
    result = csig.randomization_test(paper(), "recall")
    assert "\x1b" not in verdict.sentence(result, 0.05, ("a\x1b[2J", "b\n"))


# ---- cautions and notes -----------------------------------------------------------------


def test_exclusions() -> None:
    c = dataclasses.replace(paper(), exclusions=Exclusions(pairs=7, responses=12))
    (said,) = verdict.cautions(c, [csig.randomization_test(c, "f1")])
    assert "12 of the 86 unique responses exclude a response of the other system" in said
    assert "7 pairs" in said
    assert "as if independent" in said


def test_no_exclusions() -> None:
    c = dataclasses.replace(paper(), exclusions=Exclusions(pairs=0, responses=0))
    result = csig.randomization_test(c, "f1")
    assert verdict.cautions(c, [result]) == []
    assert any(
        n.startswith("None of the 86 unique responses excludes") for n in verdict.notes(c, [result])
    )
    assert not any("excludes" in n for n in verdict.notes(paper(), [result]))


def test_zero_denominators() -> None:
    c = Comparison.from_counts(gold=0, only_a_correct=0, only_b_correct=0, only_a_spurious=9)
    results = csig.randomization_test(c, ["recall", "precision"], zero_division=1).values()
    said = " ".join(verdict.cautions(c, results))
    assert "denominator of recall, precision is zero" in said
    assert "counts as 1" in said


@pytest.mark.parametrize(
    ("n", "alternative", "least"),
    [(1, "two-sided", "1"), (5, "two-sided", "0.0625"), (4, "greater", "0.0625")],
)
def test_too_few_responses_to_reject(n: int, alternative: str, least: str) -> None:
    c = Comparison.from_counts(gold=20, both_correct=1, only_a_correct=n, only_b_correct=0)
    result = csig.randomization_test(c, "recall", alternative=alternative)
    assert result.pvalue == float(least)
    said = " ".join(verdict.cautions(c, [result]))
    assert f"no p-value can be below {least}:" in said
    more = Comparison.from_counts(gold=20, both_correct=1, only_a_correct=n + 1, only_b_correct=0)
    again = csig.randomization_test(more, "recall", alternative=alternative)
    assert ("no p-value" in " ".join(verdict.cautions(more, [again]))) == (n == 1)


def test_failed_checks() -> None:
    bad = Yeh2000Checks(
        SecondRun(n_hits=99, pvalue=0.1, agreement_pvalue=1e-9),
        SignCheck(n_hits=3, pvalue=0.004, sign_pvalue=0.5, agreement_pvalue=1e-12),
    )
    results = [shuffled(3, 1000, checks=bad), shuffled(3, 1000, checks=bad, metric="recall")]
    said = verdict.cautions(paper(), results)
    assert sum("first run" in line for line in said) == 2
    assert sum("sign test" in line for line in said) == 1
    assert "1.00e-09" in said[0]


def test_a_system_that_is_the_gold_and_one_without_responses() -> None:
    c = Comparison.from_counts(gold=4, only_a_correct=4, only_b_correct=0, names=("x", "y"))
    said = " ".join(verdict.cautions(c, [csig.randomization_test(c, "f1")]))
    assert "responses of x are exactly the gold" in said
    assert "y has no responses" in said


def test_several_metrics() -> None:
    results = csig.randomization_test(paper(), ["recall", "f1"]).values()
    assert "not corrected" in " ".join(verdict.notes(paper(), results))
    assert verdict.notes(paper(), list(results)[:1]) == []


# ---- other units, other metrics ---------------------------------------------------------

SPANS = {
    "gold": {"s1": [(0, 1, "LOC"), (4, 5, "PER")], "s2": [(0, 2, "ORG")], "s3": []},
    "a": {"s1": [(0, 1, "LOC"), (4, 5, "PER")], "s2": [(0, 2, "ORG")], "s3": []},
    "b": {"s1": [(0, 1, "PER"), (4, 5, "PER")], "s2": [(0, 1, "ORG")], "s3": []},
}
WER = csig.Metric(
    "wer", ("errors", "words"), numerator=(1, 0), denominator=(0, 1), greater_is_better=False
)
LENGTH = csig.Metric("length", ("words", "n"), numerator=(1, 0), denominator=(0, 1))


def at(unit: str) -> Comparison:
    return Comparison.from_responses(**SPANS, unit=unit, conflict=csig.metrics.spans, names=NAMES)


def errors(names: tuple[str, str] = NAMES) -> Comparison:
    """Eight units in each of which the first system makes one error less."""
    a, b = [[1, 10, 1]] * 8, [[2, 10, 1]] * 8
    return Comparison.from_statistics(a, b, ("errors", "words", "n"), names=names)


def test_exclusions_are_a_caution_for_single_responses_only() -> None:
    results = {unit: csig.randomization_test(at(unit), "f1") for unit in at("key").levels}
    said = {unit: " ".join(verdict.cautions(at(unit), [r])) for unit, r in results.items()}
    assert "4 of the 4 unique responses exclude" in said["response"]
    assert said["response"].count("--unit conflict swaps them together") == 1
    assert "exclude" not in said["conflict"] + said["key"]
    notes = verdict.notes(at("conflict"), [results["conflict"]])
    assert notes[0].startswith("The 4 unique responses form 2 conflict groups: responses of the")
    assert not any("groups" in line for line in verdict.notes(at("key"), [results["key"]]))


@pytest.mark.parametrize(
    ("unit", "expected"),
    [
        ("response", "With 4 unique responses no p-value can be below 0.125: at"),
        ("conflict", "With 2 conflict groups that differ no p-value can be below 0.5: at"),
        ("key", "With 2 keys that differ no p-value can be below 0.5: at"),
    ],
)
def test_too_few_units_to_reject(unit: str, expected: str) -> None:
    c = at(unit)
    assert expected in " ".join(verdict.cautions(c, [csig.randomization_test(c, "f1")]))


def test_one_unit() -> None:
    c = Comparison.from_statistics([[1, 2, 3]], [[0, 2, 3]], ("tp", "predicted", "gold"))
    said = " ".join(verdict.cautions(c, [csig.randomization_test(c, "f1")]))
    assert said.startswith(
        "All the data are one item, and a test on one unit cannot show anything:"
    )
    assert "p is never below 1." in said
    one_sided = csig.randomization_test(c, "f1", alternative="greater")
    assert "p is never below 0.5." in " ".join(verdict.cautions(c, [one_sided]))


def test_one_unit_that_differs() -> None:
    rows = [[1, 2, 3], [1, 1, 1]]
    c = Comparison.from_statistics(rows, [[0, 2, 3], [1, 1, 1]], ("tp", "predicted", "gold"))
    said = " ".join(verdict.cautions(c, [csig.randomization_test(c, "f1")]))
    assert "With 1 item that differs no p-value can be below 1:" in said


def test_one_sentence_may_be_several() -> None:
    tags = {"gold": {0: [(0, 1, "X")]}, "a": {0: [(0, 1, "X")]}, "b": {0: [(0, 1, "Y")]}}
    c = Comparison.from_responses(**tags, key_name="sentence", conflict=csig.metrics.spans)
    said = " ".join(verdict.cautions(c, [csig.randomization_test(c, "f1")]))
    assert "Do the files mark where sentences begin? --unit conflict swaps smaller units." in said


@pytest.mark.parametrize("unit", ["conflict", "key"])
def test_identical_systems_at_other_units(unit: str) -> None:
    same = {"gold": SPANS["gold"], "a": SPANS["b"], "b": SPANS["b"]}
    c = Comparison.from_responses(**same, unit=unit, conflict=csig.metrics.spans, names=NAMES)
    result = csig.randomization_test(c, "f1")
    assert "the systems do not differ in any" in verdict.sentence(result, 0.05, NAMES)
    (note,) = verdict.notes(c, [result])
    assert note.startswith("The systems are identical: every response")


def test_systems_that_differ_but_whose_sums_do_not() -> None:
    """Two wrong labels for one place: no test of groups can tell them apart."""
    c = Comparison.from_responses(
        ["1/x"], ["1/y"], ["1/z"], unit="conflict", conflict=lambda response: response[0]
    )
    result = csig.randomization_test(c, "f1")
    assert verdict.sentence(result, 0.05, NAMES).startswith(
        "F1: the systems do not differ in any conflict group, so p = 1"
    )
    notes = verdict.notes(c, [result])
    assert "statistics of both systems are the same in every conflict group" in notes[0]
    assert "2 unique responses form 1 conflict group:" in notes[1]


@pytest.mark.parametrize(
    ("alternative", "expected"),
    [
        ("two-sided", "WER: method I is significantly better at 0.05 (p = 0.00781)"),
        ("less", "WER: method I is significantly better at 0.05 (p = 0.00391, one-sided)"),
        ("greater", "WER: no evidence that method II is better: it is worse by 10.00 points"),
    ],
)
def test_less_is_better(alternative: str, expected: str) -> None:
    result = csig.randomization_test(errors(), WER, alternative=alternative)
    said = verdict.sentence(result, 0.05, NAMES)
    assert said.startswith(expected)
    if alternative == "less":
        assert "10.00 points or more in favour of method I would" in said
    if alternative == "greater":
        assert "Nor is it evidence that method I is better" in said
    assert verdict.notes(errors(), [result]) == ["Lower is better: wer."]


def test_the_worse_system_first() -> None:
    a, b = [[2, 10]] * 8, [[1, 10]] * 8
    c = Comparison.from_statistics(a, b, ("errors", "words"))
    said = verdict.sentence(csig.randomization_test(c, WER), 0.05, NAMES)
    assert said.startswith("WER: method II is significantly better")


def test_other_columns_have_no_gold() -> None:
    c = errors()
    result = csig.randomization_test(c, WER)
    assert verdict.cautions(c, [result]) == []
    assert not any("gold" in line for line in verdict.notes(c, [result]))


def test_scores_that_are_no_shares() -> None:
    a, b = [[0, 31, 1], [0, 29, 1]], [[0, 12, 1], [0, 13, 1]]
    c = Comparison.from_statistics(a, b, ("errors", "words", "n"))
    said = verdict.sentence(csig.randomization_test(c, LENGTH), 0.9, NAMES)
    assert "a difference of 17.5 or more in either direction" in said
    assert "points" not in said
    tied = Comparison.from_statistics(a, a[::-1], ("errors", "words", "n"))
    said = verdict.sentence(csig.randomization_test(tied, LENGTH), 0.9, NAMES)
    assert "Length: both systems score 30, so p = 1" in said


@pytest.mark.parametrize(
    ("near", "alpha", "p"), [(12, 0.095, "0.0879"), (12, 0.05, None), (0, 0.095, None)]
)
def test_ties_that_rounding_may_hide(near: int, alpha: float, p: str | None) -> None:
    result = shuffled(99, 1000, tau=2.5e-15, n_within_tau=near)  # p = 0.0999
    said = " ".join(verdict.cautions(paper(), [result], alpha))
    assert ("F1: 12 shuffles came within 2.5e-15 of the observed difference" in said) == bool(p)
    assert p is None or f"Without them p would be {p}." in said


OPTIONS = Options(("mean",), "two-sided", "auto", 99, 1, None, None, 0, 0.99, 0.05)

rng = np.random.default_rng(2)
SCORES = rng.random((3, 20)).round(2)


def test_how_many_runs_there_are() -> None:
    several = Comparison.from_scores(SCORES, SCORES[::-1])
    (note,) = verdict.notes_of_runs(several)
    assert note.startswith("3 runs of each system: the test swaps each item with all its runs, and")
    one = Comparison.from_scores(SCORES[:1], SCORES[1:2])
    assert verdict.notes_of_runs(one)[0].startswith("Only one run of each system is known")
    assert verdict.notes_of_runs(Comparison.from_scores(SCORES[0], SCORES[1])) == []


def test_variances_are_those_that_are_known() -> None:
    comparison = Comparison.from_scores(SCORES, SCORES[::-1])
    total = csig.Metric("total", ["score"], function=lambda s: s[:, 0])
    found = estimates.variances(comparison, ["mean", total], OPTIONS)
    assert found == {"mean": csig.intervals.run_variance(comparison, "mean")}
    pairs = replace(OPTIONS, paired_runs=True)
    expected = csig.intervals.run_variance(comparison, "mean", paired=True)
    assert estimates.variances(comparison, ["mean"], pairs) == {"mean": expected}
    assert verdict.notes_of_runs(comparison, True)[0].startswith(
        "3 runs of each system, in pairs: the test"
    )
    assert (
        estimates.variances(Comparison.from_scores(SCORES[0], SCORES[1]), ["mean"], OPTIONS) == {}
    )


@pytest.mark.parametrize(("pvalue", "low", "said"), [(0.01, -0.1, True), (0.01, 0.1, False),
                                                     (0.5, -0.1, False)])  # fmt: skip
def test_a_significant_test_beside_an_interval_that_holds_zero_is_a_caution(
    pvalue: float, low: float, said: bool
) -> None:
    comparison = Comparison.from_scores(SCORES, SCORES[::-1])
    result = replace(csig.randomization_test(comparison, "mean"), pvalue=pvalue)
    interval = replace(csig.intervals.crossed_interval(comparison, "mean"), low=low, high=0.5)
    found = verdict.cautions_of_runs({"mean": interval}, {"mean": result}, 0.05)
    assert bool(found) == said
    if said:
        assert found[0].startswith("Mean: these runs differ significantly, but the interval for")
    units = replace(interval, n_runs=None)
    assert verdict.cautions_of_runs({"mean": units, "x": "no reason"}, {"mean": result}, 0.05) == []


# ---- parts -------------------------------------------------------------------------------


def broken_down(sizes: dict[str, int]) -> csig.effects.Breakdown:
    """Parts with so many units, on each of which A is better."""
    own = {
        name: csig.Comparison.from_scores(
            np.ones(n), np.zeros(n), ids=[f"{name}{i}" for i in range(n)]
        )
        for name, n in sizes.items()
    }
    return csig.effects.breakdown(own, "mean", rng=1)


def test_parts_that_are_too_small_are_said(options: Options) -> None:
    """Five units give 2^-4 at best, two-sided, and six 2^-5."""
    asked = replace(options, by="size")
    assert verdict.cautions_of_parts(broken_down({"p6": 6, "q7": 7}), asked) == []
    (caution,) = verdict.cautions_of_parts(broken_down({"p5": 5, "q7": 7}), asked)
    assert "p5" in caution
    assert "q7" not in caution
    (caution,) = verdict.cautions_of_parts(broken_down({"p5": 5, "q2": 2}), asked)
    assert "every part" in caution or "all" in caution
    assert (
        verdict.cautions_of_parts(broken_down({"p5": 5}), replace(asked, alternative="greater"))
        == []
    )


def test_another_question_than_that_of_the_metric_is_said(options: Options) -> None:
    """Both systems' responses together are 2^61 or more in one part, and few in the other."""
    large = np.array([[2**57, 2**58, 2**58]] * 4)
    few = np.array([[1, 3, 4], [2, 2, 3], [0, 5, 2]])
    columns = ("tp", "predicted", "gold")
    pairs = {
        label: csig.Comparison.from_statistics(one, other, columns, ids=range(len(one)))
        for label, one, other in (
            ("large", large, large - [[1, 5, 0], [2, 1, 0], [0, 9, 0], [5, 5, 0]]),
            ("few", few, few + np.array([[1, 1, 0], [0, 3, 0], [1, 1, 0]])),
        )
    }
    found = csig.effects.breakdown(pairs, "precision", statistic="auto", rng=1)
    assert found["few"].results["precision"].not_studentized is None
    said = verdict.cautions_of_parts(found, replace(options, by="size"))
    assert any(line.startswith("By size: for precision the difference is not") for line in said)
