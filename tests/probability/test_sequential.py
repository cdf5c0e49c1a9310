"""The e-processes and the interval that holds at every stop, against their definitions."""

from __future__ import annotations

import math
import runpy
from types import SimpleNamespace

import mpmath
import numpy as np
import pytest
from drawn import several
from hypothesis import given, settings
from hypothesis import strategies as st
from places import BENCHMARKS

from csig.probability.binomial import clopper_pearson
from csig.probability.sequential import (
    ROUNDING,
    STRENGTH,
    Rule,
    evidence,
    interval,
    log_mixture,
    trials_needed,
)

CHUNK = 2**16


# ---- the e-processes -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hits", "trials", "alpha"),
    [
        (3000, 65536, 0.05),
        pytest.param(3400, 65536, 0.05, marks=pytest.mark.slow),
        (10, 65536, 0.001),
        (2, 65536, 1e-5),
        pytest.param(64000, 65536, 0.95, marks=pytest.mark.slow),
        (5, 10, 0.3),
        (0, 1, 0.05),
        (0, 0, 0.05),
    ],
)
def test_evidence_is_the_integral(hits: int, trials: int, alpha: float) -> None:
    """Direct integration of the likelihood ratio over the prior, to 20 digits."""
    with mpmath.workdps(20):
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
    assert abs(log_mixture(a, b, hits, n, q) - expected) < 0.1 * ROUNDING


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


def test_trials_needed() -> None:
    rule = Rule(0.05, 1e-6, 2**16)
    n = trials_needed(49 * 64, 1000 * 64, rule)
    assert n % CHUNK == 0
    for trials, decided in ((n, True), (n - CHUNK, False)):
        assert (evidence(0.049 * trials, trials, 0.05)[1] >= math.log(1e6)) == decided
    assert trials_needed(50, 1000, rule) is None
    assert trials_needed(49, 1000, Rule(0.05, 1e-6, 3)) is None


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
    """Ten looks at each of many runs: Clopper and Pearson's misses far more often."""
    rng = np.random.default_rng(1)
    missed = {interval: 0, clopper_pearson: 0}
    runs = several(400, 2000)
    for counts in rng.binomial(1000, 0.2, (runs, 10)).cumsum(axis=1).tolist():
        for method in missed:
            found = [method(h, 1000 * (i + 1), 0.9) for i, h in enumerate(counts)]
            missed[method] += any(not low <= 0.2 <= high for low, high in found)
    assert missed[interval] < runs / 20
    assert missed[clopper_pearson] > runs / 5
