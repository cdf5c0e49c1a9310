"""``python -m benchmarks.deciding``: how many shuffles ``decide_at`` takes, and how often it errs.

The tables are in docs/theory.md, *Verdicts that no seed changes*. Runs are simulated by their
binomial hits, with scipy's beta functions, which suffice for so few trials.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc, betaincc, betainccinv, betaincinv, betaln

CHUNK = 2**16
ALPHA, RISK = 0.05, 1e-6
PRIORS = {"m = 2^13": 2**13, "m = 2^9": 2**9, "m = 2^17": 2**17, "Beta(1/2, 1/2)": 0}
RATES = (0.055, 0.051, 0.0505, 0.0495, 0.049, 0.048, 0.046, 0.045, 0.03, 0.01, 0.0001)
FIXED = (0.051, 0.0501, 0.0499, 0.049, 0.045, 0.03, 0.01, 0.0001)

Numbers = NDArray[np.float64]


def log_evidence(hits: Numbers, trials: int, strength: int) -> Numbers:
    """Log E- where the share of hits is at most alpha, log E+ elsewhere."""
    a, b = strength * ALPHA + 0.5, strength * (1 - ALPHA) + 0.5
    misses = trials - hits
    below = hits <= trials * ALPHA
    after = np.where(below, *(f(a + hits, b + misses, ALPHA) for f in (betainc, betaincc)))
    before = np.where(below, *(f(a, b, ALPHA) for f in (betainc, betaincc)))
    whole = betaln(a + hits, b + misses) - betaln(a, b)
    powers = hits * math.log(ALPHA) + misses * math.log1p(-ALPHA)
    return np.asarray(whole + np.log(after / before) - powers)


def simulate(
    p: float, runs: int, *, strength: int = 2**13, risk: float = RISK, chunks: int = 20_000
) -> tuple[float, float, float]:
    """The mean stop in chunks, and the shares of runs that said below and above."""
    rng = np.random.default_rng(20001030)
    hits = np.zeros(runs)
    stops, below, above = 0, 0, 0
    for chunk in range(1, chunks + 1):
        hits += rng.binomial(CHUNK, p, len(hits))
        decided = log_evidence(hits, chunk * CHUNK, strength) >= -math.log(risk)
        stops += chunk * int(decided.sum())
        low = hits[decided] <= chunk * CHUNK * ALPHA
        below, above = below + int(low.sum()), above + int((~low).sum())
        hits = hits[~decided]
        if not len(hits):
            break
    return (stops + chunks * len(hits)) / runs, below / runs, above / runs


def divergence(p: float) -> float:
    """KL(p, alpha) of a trial."""
    return p * math.log(p / ALPHA) + (1 - p) * math.log((1 - p) / (1 - ALPHA))


def fixed(p: float) -> int:
    """Trials at which Clopper and Pearson exclude alpha if the share of hits is just p."""

    def excluded(n: int) -> bool:
        hits = round(n * p)
        if p > ALPHA:
            return bool(betaincinv(hits, n - hits + 1, RISK) > ALPHA)
        return bool(betainccinv(hits + 1, n - hits, RISK) < ALPHA)

    low, high = 1, 2
    while not excluded(high):
        low, high = high, 2 * high
    while high - low > max(1, low // 2000):
        middle = (low + high) // 2
        low, high = (low, middle) if excluded(middle) else (middle, high)
    return high


def row(title: str, cells: list[str]) -> None:
    print(f"| {title} | " + " | ".join(cells) + " |")


def main() -> None:
    row("p", [f"{p:g}" for p in RATES])
    print("|---" * (len(RATES) + 1) + "|")
    for title, strength in PRIORS.items():
        means = [simulate(p, 2000, strength=strength)[0] for p in RATES]
        row(title, [f"{mean:.1f}" for mean in means])
    row(
        "log(1/risk) / KL(p, alpha)",
        [f"{-math.log(RISK) / divergence(p) / CHUNK:.1f}" for p in RATES],
    )
    print()
    row("p", [f"{p:g}" for p in FIXED])
    print("|---" * (len(FIXED) + 1) + "|")
    row("fixed, decided in half of all runs", [f"{fixed(p):,}" for p in FIXED])
    means = [simulate(p, 100 if abs(p - ALPHA) < 0.0002 else 2000)[0] for p in FIXED]
    row("`decide_at`, mean (whole chunks)", [f"{mean * CHUNK:,.0f}" for mean in means])
    print()
    for p in (0.0501, 0.0499, ALPHA):
        _, below, above = simulate(p, 4000, risk=0.05, chunks=1500)
        print(f"p = {p:g}, risk 0.05: {below:.2%} below, {above:.2%} above")


if __name__ == "__main__":
    main()
