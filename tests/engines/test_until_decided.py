"""Shuffles until a verdict is decided: the runs."""

import math
from typing import Any

import numpy as np
import pytest
from brute import PAPER

from csig import Comparison, Metric, randomization_test, replay
from csig.probability.binomial import ROUNDING, evidence, sequential_interval
from csig.results.randomization import Decision
from csig.streams import CHUNK

METRICS = ["recall", "precision", "f1"]


def paper() -> Comparison:
    return Comparison.from_counts(**PAPER)


def near() -> Comparison:
    """The exact p-value of F1 is 0.049015."""
    return Comparison.from_counts(
        gold=40, both_correct=10, only_a_correct=12, only_b_correct=4, only_a_spurious=3,
        only_b_spurious=4,
    )  # fmt: skip


def shuffled(comparison: Comparison, metric: Any, **options: Any) -> Any:
    return randomization_test(comparison, metric, method="approximate", **options)


@pytest.mark.parametrize(("alpha", "verdict"), [(0.05, "below"), (0.048, "above")])
def test_near_the_level_too(alpha: float, verdict: str) -> None:
    exact = randomization_test(near(), "f1")
    assert exact.pvalue == pytest.approx(0.049015, abs=1e-6)
    stops = []
    for seed in range(25):
        found = shuffled(near(), "f1", rng=seed, decide_at=alpha, threads=1)
        assert found.decision == Decision(alpha, 1e-6, verdict, found.n_resamples)
        stops.append(found.n_resamples // CHUNK)
    assert len(set(stops)) > 10  # the shuffles differ, and what they say does not
    assert 15 < np.mean(stops) < 40


@pytest.mark.parametrize("threads", [2, 7])
@pytest.mark.parametrize("seed", [1, 2])
def test_neither_hits_nor_stop_depend_on_threads(threads: int, seed: int) -> None:
    def run(n: int) -> dict[str, object]:
        return shuffled(near(), METRICS, rng=seed, decide_at=0.05, threads=n)

    assert run(threads) == run(1)
    assert run(1)["f1"].n_resamples > 10 * CHUNK  # several waves


def _scores(n: int = 300) -> Comparison:
    rng = np.random.default_rng(3)
    return Comparison.from_scores(rng.normal(0.108, 1, n), rng.normal(0, 1, n))


def _rarely_undefined() -> Comparison:
    """Of 2^20 exchanges one leaves A without anything, and one B: 0/0 in every eighth chunk."""
    rows = [[1, 1 + i % 3] for i in range(20)]
    a = [row if i % 2 else [0, 0] for i, row in enumerate(rows)]
    b = [[0, 0] if i % 2 else row for i, row in enumerate(rows)]
    return Comparison.from_statistics(a, b, ("x", "y"))


def _quotient(sums: np.ndarray) -> np.ndarray:
    return sums[:, 0] / sums[:, 1]


QUOTIENT = Metric("quotient", ("x", "y"), function=_quotient)


@pytest.mark.parametrize(
    ("comparison", "metric", "alpha"),
    [(_scores(), "mean", 0.332), (_rarely_undefined(), QUOTIENT, 0.06)],
)
@pytest.mark.parametrize("seed", range(4))
def test_all_that_is_counted_ends_at_the_stop(
    comparison: Comparison, metric: str | Metric, alpha: float, seed: int
) -> None:
    options = {"rng": seed, "decide_at": alpha, "max_resamples": 9 * CHUNK}
    one, many = (shuffled(comparison, metric, threads=threads, **options) for threads in (1, 7))
    assert one == many
    assert one.n_within_tau is not None
    again = shuffled(comparison, metric, rng=seed, n_resamples=one.n_resamples)
    for field in ("n_hits", "n_within_tau", "zero_denominator", "pvalue"):
        assert getattr(one, field) == getattr(again, field)


def test_the_stop_is_the_first_chunk_that_decides() -> None:
    seen: list[tuple[int, int]] = []
    found = shuffled(near(), "f1", rng=5, decide_at=0.05, risk=1e-6, threads=3,
        progress=lambda done, total: seen.append((done, total)),
    )  # fmt: skip
    assert seen[-1] == (found.n_resamples, found.n_resamples)
    assert all(0 < done <= total for done, total in seen)
    assert found.decision.guarantee == (
        "Two seeds give opposite verdicts at 0.05 with a probability of at most 2e-06."
    )
    assert found.pvalue_interval == sequential_interval(found.n_hits, found.n_resamples, 0.99)
    for n, decided in ((found.n_resamples, True), (found.n_resamples - CHUNK, False)):
        plain = shuffled(near(), "f1", rng=5, n_resamples=n)
        said, log_evidence = evidence(plain.n_hits, n, 0.05)
        assert said == "below"
        assert (log_evidence >= math.log(1e6) + ROUNDING) == decided
        assert (found.n_hits == plain.n_hits) == decided
    early = shuffled(paper(), "f1", rng=11, decide_at=0.03, max_resamples=1)
    hits = replay.class_hits(PAPER, {"tp": 2}, {"predicted": 1, "gold": 1}, CHUNK, entropy=11)
    assert (early.n_resamples, early.n_hits) == (CHUNK, hits)


def test_each_metric_is_decided_at_its_own_chunk() -> None:
    both = shuffled(near(), METRICS, rng=1, decide_at=0.05)
    alone = {name: shuffled(near(), name, rng=1, decide_at=0.05) for name in METRICS}
    for name, result in both.items():
        assert result.decision == alone[name].decision
        assert result.decision.n_resamples == alone[name].n_resamples
        assert result.n_resamples == max(r.n_resamples for r in alone.values())
    assert both["precision"].decision.n_resamples < both["f1"].decision.n_resamples


def test_an_undecided_end_says_so() -> None:
    found = shuffled(near(), "f1", rng=1, decide_at=0.05, max_resamples=CHUNK + 1)
    assert found.n_resamples == 2 * CHUNK
    assert found.decision == Decision(0.05, 1e-6, "undecided", None)
    assert "ended before they settled on which side of 0.05 p lies" in found.decision.guarantee
    assert "at most 1e-06" in found.decision.guarantee
    same = Comparison.from_counts(gold=5, both_correct=3, only_a_correct=0, only_b_correct=0)
    found = shuffled(same, "f1", rng=1, decide_at=0.05)
    assert (found.n_hits, found.n_resamples) == (CHUNK, CHUNK)
    assert found.decision.verdict == "above"


def test_exact_results_are_decided_without_risk() -> None:
    exact = randomization_test(near(), "f1")
    for alpha, verdict in ((0.05, "below"), (0.049, "above"), (exact.pvalue, "below")):
        found = randomization_test(near(), "f1", decide_at=alpha)
        assert found.method == "exact"
        assert found.decision == Decision(alpha, 0.0, verdict, None)
        assert "exact" in found.decision.guarantee
        assert found.pvalue_interval == (found.pvalue, found.pvalue)
    assert exact.decision is None
