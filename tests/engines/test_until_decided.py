"""Shuffles until a verdict is decided: the mathematics, and the runs."""

from __future__ import annotations

import math
import pickle
import runpy
import subprocess
import sys
from types import SimpleNamespace

import mpmath
import numpy as np
import pytest
from brute import PAPER
from hypothesis import given, settings
from hypothesis import strategies as st
from places import BENCHMARKS

from csig import Comparison, InputError, Metric, randomization_test, replay, sensitivity
from csig.probability.sequential import (
    ROUNDING,
    STRENGTH,
    Rule,
    _log_mixture,
    evidence,
    interval,
    trials_needed,
)
from csig.results import Decision

CHUNK = 2**16
METRICS = ["recall", "precision", "f1"]


def paper() -> Comparison:
    return Comparison.from_counts(**PAPER)


def near() -> Comparison:
    """The exact p-value of F1 is 0.049015."""
    return Comparison.from_counts(
        gold=40, both_correct=10, only_a_correct=12, only_b_correct=4, only_a_spurious=3,
        only_b_spurious=4,
    )  # fmt: skip


# ---- the e-processes -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hits", "trials", "alpha"),
    [
        (3000, 65536, 0.05),
        (3400, 65536, 0.05),
        (10, 65536, 0.001),
        (2, 65536, 1e-5),
        (64000, 65536, 0.95),
        (5, 10, 0.3),
        (0, 1, 0.05),
        (0, 0, 0.05),
    ],
)
def test_evidence_is_the_integral(hits: int, trials: int, alpha: float) -> None:
    """Direct integration of the likelihood ratio over the prior, to 30 digits."""
    with mpmath.workdps(30):
        level = mpmath.mpf(alpha)
        below = hits <= trials * alpha
        low, high = (mpmath.mpf(0), level) if below else (level, mpmath.mpf(1))
        a, b = STRENGTH * level + 0.5, STRENGTH * (1 - level) + 0.5
        lead = mpmath.loggamma(a) + mpmath.loggamma(b) - mpmath.loggamma(a + b)

        def prior(q: mpmath.mpf) -> mpmath.mpf:
            return mpmath.exp((a - 1) * mpmath.log(q) + (b - 1) * mpmath.log(1 - q) - lead)

        def ratio(q: mpmath.mpf) -> mpmath.mpf:
            misses = trials - hits
            more = hits * mpmath.log(q / level) + misses * mpmath.log((1 - q) / (1 - level))
            return prior(q) * mpmath.exp(more)

        # Cut where the integrands change: about alpha and about the share of hits.
        steps = [mpmath.mpf(0)] + [s * mpmath.mpf(2) ** k for k in range(-16, 1) for s in (-1, 1)]
        ends = {min(max(c * (1 + s), low), high)
                for c in (level, mpmath.mpf(hits + 1) / (trials + 2)) for s in steps}  # fmt: skip
        cuts = sorted(ends | {low, high})
        expected = mpmath.log(mpmath.quad(ratio, cuts) / mpmath.quad(prior, cuts))
    said, found = evidence(hits, trials, alpha)
    assert said == ("below" if below else "above")
    assert found == pytest.approx(float(expected), rel=1e-9, abs=1e-9)


@settings(max_examples=300)
@given(
    exponent=st.integers(0, 48),
    q=st.sampled_from([0.05, 0.01, 1e-6, 1e-12, 0.5, 0.95, 1 - 1e-9]),
    deviation=st.floats(-8, 8),
    prior=st.sampled_from([0, STRENGTH]),
)
def test_the_logarithm_keeps_its_digits(
    exponent: int, q: float, deviation: float, prior: int
) -> None:
    """Log-gamma functions cancel nearly all of their digits; 60 are enough."""
    n = 2**exponent
    hits = min(n, max(0, round(n * q + deviation * math.sqrt(n * q * (1 - q)))))
    a, b = prior * q + 0.5, prior * (1 - q) + 0.5
    with mpmath.workdps(60):
        share = mpmath.mpf(q)
        one, other = mpmath.mpf(a) + hits, mpmath.mpf(b) + n - hits
        expected = mpmath.loggamma(one) + mpmath.loggamma(other) - mpmath.loggamma(one + other)
        expected -= hits * mpmath.log(share) + (n - hits) * mpmath.log(1 - share)
    assert abs(_log_mixture(a, b, hits, n, q) - expected) < 0.1 * ROUNDING


@pytest.mark.parametrize("alpha", [0.05, 0.3])
def test_the_means_of_both_processes_never_rise(alpha: float) -> None:
    """Over all sequences of 12 trials: at p = alpha the mean stays 1, beyond it falls."""
    n = 12
    tails = {"below": [], "above": []}
    for p in (alpha, alpha * 1.3, alpha / 1.3):
        for k in (n - 1, n):
            means = {"below": 0.0, "above": 0.0}
            for h in range(k + 1):
                weight = math.comb(k, h) * p**h * (1 - p) ** (k - h)
                for side in means:
                    means[side] += weight * math.exp(_both_sides(h, k, alpha)[side])
            for side, mean in means.items():
                tails[side].append(mean)
    for side, wrong in (("below", slice(2, 4)), ("above", slice(4, 6))):
        assert tails[side][:2] == pytest.approx([1, 1], abs=1e-10)
        before, after = tails[side][wrong]
        assert after < before < 1


def _both_sides(hits: int, trials: int, alpha: float) -> dict[str, float]:
    """The e-processes by scipy alone, whose beta functions suffice for few trials."""
    from scipy.special import betainc, betaincc, betaln

    a, b = STRENGTH * alpha + 0.5, STRENGTH * (1 - alpha) + 0.5
    misses = trials - hits
    whole = betaln(a + hits, b + misses) - betaln(a, b)
    whole -= hits * math.log(alpha) + misses * math.log(1 - alpha)
    found = {}
    for side, tail in (("below", betainc), ("above", betaincc)):
        found[side] = whole + math.log(tail(a + hits, b + misses, alpha) / tail(a, b, alpha))
    said, log_evidence = evidence(hits, trials, alpha)
    assert log_evidence == pytest.approx(found[said], abs=1e-10)
    return found


@given(hits=st.integers(0, 2**20), extra=st.integers(0, 2**20), alpha=st.floats(1e-12, 0.999))
def test_the_other_side_has_no_evidence(hits: int, extra: int, alpha: float) -> None:
    """Only the side that `evidence` names can be decided: the other integrand is at most 1."""
    trials = hits + extra
    said, log_evidence = evidence(hits, trials, alpha)
    assert said == ("below" if hits <= trials * alpha else "above")
    assert math.isfinite(log_evidence)
    # The mirror image: misses for hits. Both say the same of the same thing.
    mirrored, other = evidence(extra, trials, 1 - alpha)
    if abs(hits - trials * alpha) > 1e-6:
        assert mirrored != said
        assert other == pytest.approx(log_evidence, rel=1e-3, abs=1e-3)


@pytest.mark.parametrize(("p", "wrong"), [(0.05, {"below", "above"}), (0.0502, {"below"})])
def test_errors_are_rarer_than_the_risk(p: float, wrong: set[str]) -> None:
    """1000 runs of up to 60 chunks, looked at after each, at a risk of 0.05 for either side.

    At most 50 of them may end with a wrong verdict of one kind in the mean; 100 would be 7
    standard errors more.
    """
    rng = np.random.default_rng(20001030)
    hits = np.zeros(1000, dtype=np.int64)
    errors = dict.fromkeys(wrong, 0)
    for chunk in range(1, 61):
        hits += rng.binomial(CHUNK, p, len(hits))
        said = [evidence(h, chunk * CHUNK, 0.05) for h in hits.tolist()]
        decided = np.array([log_evidence >= -math.log(0.05) for _, log_evidence in said])
        for (side, _), found in zip(said, decided, strict=True):
            if found and side in errors:
                errors[side] += 1
        hits = hits[~decided]
    assert all(0 < count < 100 for count in errors.values())


def test_the_documented_numbers_come_from_this_formula() -> None:
    """The simulation behind docs/theory.md has the e-processes from scipy."""
    script = BENCHMARKS / "deciding.py"
    simulation = SimpleNamespace(**runpy.run_path(str(script)))
    for hits, chunks in ((3000, 1), (3300, 1), (64_000, 20), (66_000, 20), (0, 1), (CHUNK, 1)):
        said = simulation.log_evidence(np.array([hits]), chunks * CHUNK, STRENGTH)
        assert said[0] == pytest.approx(evidence(hits, chunks * CHUNK, 0.05)[1], abs=1e-7)
    mean, below, above = simulation.simulate(0.045, 200)
    assert (below, above) == (1, 0)
    assert 1 < mean < 2


# ---- the interval --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hits", "trials"),
    [(0, CHUNK), (CHUNK, CHUNK), (1, 2**32), (2**32 - 1, 2**32), (3000, CHUNK), (2**46, 2**48)],
)
def test_ends_of_the_interval(hits: int, trials: int) -> None:
    low, high = interval(hits, trials, 0.99)
    assert 0 <= low <= hits / trials <= high <= 1
    assert (low == 0) == (hits == 0)
    assert high == 1 or hits < trials
    with mpmath.workdps(60):
        for end in (low, high):
            if 0 < end < 1:
                q = mpmath.mpf(end)
                one, other = hits + mpmath.mpf(1) / 2, trials - hits + mpmath.mpf(1) / 2
                log_beta = (
                    mpmath.loggamma(one) + mpmath.loggamma(other) - mpmath.loggamma(one + other)
                )
                powers = hits * mpmath.log(q) + (trials - hits) * mpmath.log(1 - q)
                quotient = mpmath.exp(log_beta - powers) / mpmath.pi
                assert float(quotient) == pytest.approx(100, rel=1e-4)


def test_the_interval_holds_at_every_stop() -> None:
    """Ten looks at each of 2000 runs: Clopper and Pearson's misses far more often."""
    from csig.probability.binomial import clopper_pearson

    rng = np.random.default_rng(1)
    missed = {interval: 0, clopper_pearson: 0}
    for counts in rng.binomial(1000, 0.2, (2000, 10)).cumsum(axis=1).tolist():
        for method in missed:
            found = [method(h, 1000 * (i + 1), 0.9) for i, h in enumerate(counts)]
            missed[method] += any(not low <= 0.2 <= high for low, high in found)
    assert missed[interval] < 100
    assert missed[clopper_pearson] > 400


# ---- verdicts ------------------------------------------------------------------------------


def test_the_papers_verdicts_are_those_of_every_seed() -> None:
    exact = randomization_test(paper(), METRICS)
    assert [r.pvalue < 0.05 for r in exact.values()] == [True, True, True]
    for seed in range(200):
        found = randomization_test(
            paper(), METRICS, method="approximate", rng=seed, decide_at=0.05, threads=1
        )
        assert [r.decision.verdict for r in found.values()] == ["below"] * 3
        assert len({r.n_resamples for r in found.values()}) == 1


@pytest.mark.parametrize(("alpha", "verdict"), [(0.05, "below"), (0.048, "above")])
def test_near_the_level_too(alpha: float, verdict: str) -> None:
    exact = randomization_test(near(), "f1")
    assert exact.pvalue == pytest.approx(0.049015, abs=1e-6)
    stops = []
    for seed in range(200):
        found = randomization_test(
            near(), "f1", method="approximate", rng=seed, decide_at=alpha, threads=1
        )
        assert found.decision == Decision(alpha, 1e-6, verdict, found.n_resamples)
        stops.append(found.n_resamples // CHUNK)
    assert len(set(stops)) > 20  # the shuffles differ, and what they say does not
    assert 15 < np.mean(stops) < 40


@pytest.mark.parametrize("threads", [2, 7])
@pytest.mark.parametrize("seed", [1, 2])
def test_neither_hits_nor_stop_depend_on_threads(threads: int, seed: int) -> None:
    def run(n: int) -> dict[str, object]:
        return randomization_test(
            near(), METRICS, method="approximate", rng=seed, decide_at=0.05, threads=n
        )

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
    one, many = (
        randomization_test(
            comparison, metric, method="approximate", rng=seed, decide_at=alpha, threads=threads,
            max_resamples=9 * CHUNK,
        )
        for threads in (1, 7)
    )  # fmt: skip
    assert one == many
    assert one.n_within_tau is not None
    again = randomization_test(
        comparison, metric, method="approximate", rng=seed, n_resamples=one.n_resamples
    )
    for field in ("n_hits", "n_within_tau", "zero_denominator", "pvalue"):
        assert getattr(one, field) == getattr(again, field)


def test_the_stop_is_the_first_chunk_that_decides() -> None:
    found = randomization_test(near(), "f1", method="approximate", rng=5, decide_at=0.05)
    for n, decided in ((found.n_resamples, True), (found.n_resamples - CHUNK, False)):
        plain = randomization_test(near(), "f1", method="approximate", rng=5, n_resamples=n)
        said, log_evidence = evidence(plain.n_hits, n, 0.05)
        assert said == "below"
        assert (log_evidence >= math.log(1e6) + ROUNDING) == decided
    assert found.n_hits == randomization_test(
        near(), "f1", method="approximate", rng=5, n_resamples=found.n_resamples
    ).n_hits  # fmt: skip


def test_replay_counts_the_same() -> None:
    found = randomization_test(paper(), "f1", method="approximate", rng=11, decide_at=0.03,
                               max_resamples=1)  # fmt: skip
    assert found.n_resamples == CHUNK
    hits = replay.class_hits(PAPER, {"tp": 2}, {"predicted": 1, "gold": 1}, CHUNK, entropy=11)
    assert found.n_hits == hits


def test_each_metric_is_decided_at_its_own_chunk() -> None:
    both = randomization_test(near(), METRICS, method="approximate", rng=1, decide_at=0.05)
    alone = {
        name: randomization_test(near(), name, method="approximate", rng=1, decide_at=0.05)
        for name in METRICS
    }
    for name, result in both.items():
        assert result.decision == alone[name].decision
        assert result.decision.n_resamples == alone[name].n_resamples
        assert result.n_resamples == max(r.n_resamples for r in alone.values())
    assert both["precision"].decision.n_resamples < both["f1"].decision.n_resamples


def test_an_undecided_end_says_so() -> None:
    found = randomization_test(near(), "f1", method="approximate", rng=1, decide_at=0.05,
                               max_resamples=CHUNK + 1)  # fmt: skip
    assert found.n_resamples == 2 * CHUNK
    assert found.decision == Decision(0.05, 1e-6, "undecided", None)
    assert "ended before they decided on which side of 0.05 p lies" in found.decision.guarantee
    assert "at most 1e-06" in found.decision.guarantee


def test_exact_results_are_decided_without_risk() -> None:
    exact = randomization_test(near(), "f1")
    for alpha, verdict in ((0.05, "below"), (0.049, "above"), (exact.pvalue, "below")):
        found = randomization_test(near(), "f1", decide_at=alpha)
        assert found.method == "exact"
        assert found.decision == Decision(alpha, 0.0, verdict, None)
        assert "exact" in found.decision.guarantee
        assert found.pvalue_interval == (found.pvalue, found.pvalue)
    assert exact.decision is None


def test_the_guarantee_is_twice_the_risk() -> None:
    found = randomization_test(paper(), "recall", method="approximate", rng=1, decide_at=0.05,
                               risk=1e-3)  # fmt: skip
    assert found.decision.guarantee == (
        "Two seeds give opposite verdicts at 0.05 with a probability of at most 0.002."
    )
    assert pickle.loads(pickle.dumps(found)) == found
    assert found.pvalue_interval == interval(found.n_hits, CHUNK, 0.99)


def test_identical_systems() -> None:
    same = Comparison.from_counts(gold=5, both_correct=3, only_a_correct=0, only_b_correct=0)
    found = randomization_test(same, "f1", method="approximate", rng=1, decide_at=0.05)
    assert (found.n_hits, found.n_resamples) == (CHUNK, CHUNK)
    assert found.decision.verdict == "above"


def test_every_unit_decides_by_itself() -> None:
    gold = {f"s{i}": [("x", i), ("y", i)] for i in range(40)}
    a = {key: found[: 1 + (i % 3 > 0)] for i, (key, found) in enumerate(gold.items())}
    b = {key: found[: 1 + (i % 5 > 2)] for i, (key, found) in enumerate(gold.items())}
    comparison = Comparison.from_responses(gold, a, b)
    found = sensitivity(comparison, "recall", method="approximate", rng=1, decide_at=0.05)
    assert {unit: r.decision.alpha for unit, r in found.items()} == {"response": 0.05, "key": 0.05}


def test_trials_needed() -> None:
    rule = Rule(0.05, 1e-6, 2**16)
    n = trials_needed(49 * 64, 1000 * 64, rule)
    assert n % CHUNK == 0
    for trials, decided in ((n, True), (n - CHUNK, False)):
        assert (evidence(0.049 * trials, trials, 0.05)[1] >= math.log(1e6)) == decided
    assert trials_needed(50, 1000, rule) is None
    assert trials_needed(49, 1000, Rule(0.05, 1e-6, 3)) is None


@pytest.mark.parametrize("threads", [1, 3])
def test_progress_ends_at_the_stop(threads: int) -> None:
    seen: list[tuple[int, int]] = []
    found = randomization_test(
        near(), "f1", method="approximate", rng=1, decide_at=0.05, threads=threads,
        progress=lambda done, total: seen.append((done, total)),
    )  # fmt: skip
    assert seen[-1] == (found.n_resamples, found.n_resamples)
    assert all(0 < done <= total for done, total in seen)
    assert len(seen) > 3


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT for a child there")
@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c(threads: int) -> None:
    code = (
        "import csig, os, signal\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "n = 20000\n"
        "c = csig.Comparison.from_counts(gold=n, only_a_correct=n // 2, only_b_correct=n // 2)\n"
        "m = csig.Metric('m', ('tp', 'gold'), numerator=(1, 0), denominator=(0, 1))\n"
        "try:\n"
        "    csig.randomization_test(c, m, method='approximate', rng=1, decide_at=1 - 1e-12,\n"
        f"        threads={threads}, max_resamples=2**40,\n"
        "        progress=lambda done, total: os.kill(os.getpid(), signal.SIGINT))\n"
        "except KeyboardInterrupt:\n"
        "    print('stopped')\n"
    )
    command = [sys.executable, "-c", code]
    child = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert (child.stdout, child.stderr) == ("stopped\n", "")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"decide_at": 0}, r"decide_at must lie between 1e-12 and 1 - 1e-12, found 0"),
        ({"decide_at": "0.05"}, "decide_at must lie between .*, found '0.05'"),
        ({"decide_at": math.nan}, "decide_at must lie between .*, found nan"),
        ({"decide_at": 0.05, "risk": 0.5}, r"risk must lie between 0 and 0\.5, found 0\.5"),
        ({"decide_at": 0.05, "risk": 0}, r"risk must lie between 0 and 0\.5, found 0"),
        ({"decide_at": 0.05, "max_resamples": 0}, "max_resamples must be an integer from 1"),
        ({"decide_at": 0.05, "n_resamples": 2**20}, "n_resamples: with decide_at the hits say"),
        ({"decide_at": 0.05, "method": "yeh2000"}, "decide_at: method 'yeh2000' always draws"),
        ({"decide_at": 0.05, "keep_null": True}, "keep_null does not go with decide_at"),
        ({"risk": 1e-3}, "risk and max_resamples go with decide_at only"),
        ({"max_resamples": 10}, "risk and max_resamples go with decide_at only"),
    ],
)
def test_options_are_checked(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        randomization_test(paper(), "f1", **arguments)
