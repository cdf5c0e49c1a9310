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
from csig.probability.binomial import clopper_pearson
from csig.results.randomization import (
    Decision,
    RandomizationResult,
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


# ---- sentences --------------------------------------------------------------------------

SPANS = {
    "gold": {"s1": [(0, 1, "LOC"), (4, 5, "PER")], "s2": [(0, 2, "ORG")], "s3": []},
    "a": {"s1": [(0, 1, "LOC"), (4, 5, "PER")], "s2": [(0, 2, "ORG")], "s3": []},
    "b": {"s1": [(0, 1, "PER"), (4, 5, "PER")], "s2": [(0, 1, "ORG")], "s3": []},
}


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


# ---- cautions and notes -----------------------------------------------------------------


def at(unit: str) -> Comparison:
    return Comparison.from_responses(**SPANS, unit=unit, conflict=csig.metrics.spans, names=NAMES)


RIGHT = "tp predicted gold"


# ---- runs and parts ---------------------------------------------------------------------

SCORES = np.random.default_rng(2).random((3, 20)).round(2)
RUNS = Comparison.from_scores(SCORES, SCORES[::-1])


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
