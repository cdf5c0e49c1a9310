"""``python -m benchmarks.rankings``: how often what is said of ranking methods is wrong.

The tables are in docs/ranking.md. First, how often limits of the precision hold at every length of
a list, where candidates are true with known probabilities. Then how often the tests of two methods
reject where the candidates of one method only are true with the same probability: by enumeration of
all tables, without chance. How often two methods that are equally good differ at any length. How
often `csig.rankings.validate_binomial` finds that samples vary too much, and is right. And how
often two equally good methods differ in samples whose candidates depend on each other.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

import csig
from csig.probability.binomial import clopper_pearson_limits, fisher_pvalue, simultaneous_limits

__all__ = [
    "MANY",
    "MODELS",
    "PAIRS",
    "SAMPLES",
    "TABLES",
    "claims",
    "coverage",
    "error_rates",
    "main",
    "many_claims",
    "pairs",
    "verdicts",
]

#: Probabilities of being true, by rank.
MODELS = {
    "30% at every rank": lambda n: np.full(n, 0.3),
    "2% at every rank": lambda n: np.full(n, 0.02),
    "falls from 80% to 5%": lambda n: np.geomspace(0.8, 0.05, n),
    "falls, 20 scores only": lambda n: np.geomspace(0.8, 0.05, n),
}

#: Candidates of A only and of B only, true and false ones that both accept, and true ones of all
#: that one method only accepts.
TABLES = [
    (8, 8, 20, 60, 4),
    (30, 30, 20, 60, 15),
    (30, 30, 20, 60, 30),
    (60, 60, 20, 60, 30),
    (145, 145, 119, 236, 65),
    (100, 20, 20, 60, 36),
    (200, 20, 0, 0, 66),
]

#: True candidates, the size of what both methods' scores have in common, and the shortest list.
CURVES = [(0.1, 0, 5), (0.1, 0, 50), (0.1, 2, 5), (0.4, 0, 5), (0.4, 0, 50), (0.4, 2, 5)]

#: Methods, whether scores are rounded, and the lengths.
MANY = [(4, False, (50,)), (4, False, (10, 20, 50, 100)), (4, True, (10, 20, 50, 100)),
        (8, False, (10, 20, 50, 100))]  # fmt: skip

#: Samples, candidates in each, the true precision, and the ratio of the standard deviations.
SAMPLES: list[tuple[int, str, float, float]] = [
    (80, "100", 0.26, 1.0), (10, "100", 0.26, 1.0), (80, "1000", 0.26, 1.0),
    (80, "100", 0.26, 1.3), (80, "100", 0.33, 1.4), (10, "100", 0.26, 2.0),
    (80, "20, 300", 0.26, 1.0), (80, "20, 300", 0.26, 2.0),
]  # fmt: skip

#: Samples of 60 candidates, how many of the candidates have one fate, what both methods know of the
#: truth, and what is accepted.
PAIRS: list[tuple[int, int, float, str, dict[str, object]]] = [
    (20, 1, 1.0, "the 20 best", {"n": 20}), (8, 1, 1.0, "the 20 best", {"n": 20}),
    (20, 10, 0.0, "the 20 best", {"n": 20}), (8, 10, 0.0, "the 20 best", {"n": 20}),
    (20, 10, 0.0, "from 1 and from 1", {"threshold": (1, 1)}),
    (20, 1, 0.0, "from 0.5 and from 2", {"threshold": (0.5, 2)}),
    (20, 10, 0.0, "from 0.5 and from 2", {"threshold": (0.5, 2)}),
    (8, 10, 0.0, "from 0.5 and from 2", {"threshold": (0.5, 2)}),
]  # fmt: skip

#: Tables of the simulation of curves, and sets of samples.
FEWER = 4000

#: Lists of the simulation, and candidates in each.
RUNS, CANDIDATES = 10_000, 1000

Array = NDArray[np.float64]


def coverage(name: str, runs: int, n: int, seed: int = 1) -> tuple[float, float, float]:
    """How often the band holds at all lengths, intervals at all lengths, and at each on average."""
    p = MODELS[name](n)
    rng = np.random.default_rng(seed)
    lengths = np.arange(1, n + 1)
    expected = np.cumsum(p) / lengths
    ends = np.linspace(0, n, 21).astype(int) if "scores" in name else lengths
    if "scores" in name:  # ties: means over all orders are straight lines between the ends
        expected = np.interp(lengths, ends, np.append(0, np.cumsum(p))[ends]) / lengths
    band = pointwise = each = 0.0
    for _ in range(runs):
        true = np.append(0, np.cumsum(rng.random(n) < p)).astype(np.float64)
        hits = np.interp(lengths, ends, true[ends]) if "scores" in name else true[1:]
        low, high = simultaneous_limits(hits, lengths, n, 0.95)
        band += bool(((low <= expected) & (expected <= high)).all())
        whole = np.floor(hits + 1e-9).astype(int), np.ceil(hits - 1e-9).astype(int)
        low, high = clopper_pearson_limits(*whole, lengths, 0.95)
        inside = (low <= expected) & (expected <= high)
        pointwise += bool(inside.all())
        each += inside.mean()
    return band / runs, pointwise / runs, each / runs


def error_rates(
    own_a: int, own_b: int, both_true: int, both_false: int, true: int, alpha: float = 0.05
) -> tuple[float, float]:
    """How often Fisher's test and the randomization test reject, with given margins."""
    ways = math.comb(own_a + own_b, true)
    fisher = shuffled = 0.0
    for right in range(max(0, true - own_b), min(own_a, true) + 1):
        a, b = (right, own_a - right), (true - right, own_b - true + right)
        chance = math.comb(own_a, a[0]) * math.comb(own_b, b[0]) / ways
        comparison = csig.Comparison.from_counts(
            gold=both_true + true, both_correct=both_true, both_spurious=both_false,
            only_a_correct=a[0], only_a_spurious=a[1],
            only_b_correct=b[0], only_b_spurious=b[1],
        )  # fmt: skip
        test = csig.randomization_test(comparison, "precision", method="exact")
        fisher += chance * (fisher_pvalue(a, b) <= alpha)
        shuffled += chance * (test.pvalue <= alpha)
    return fisher, shuffled


def claims(share: float, common: float, first: int, runs: int, seed: int = 1) -> float:
    """How often any length has a claim, of methods that are equally good.

    Tables have 300 candidates; both methods' scores are higher for true ones, and correlated.
    """
    rng = np.random.default_rng(seed)
    found = 0
    for run in range(runs):
        true = rng.random(300) < share
        true[0] = True
        both = true + common * rng.normal(size=300)
        table = {"true": true, "a": both + rng.normal(size=300), "b": both + rng.normal(size=300)}
        result = csig.rank_methods(
            table, ["a", "b"], range(first, 301, 5), n_resamples=1999, rng=run, threads=1
        )
        found += bool(result.pairs[0].regions)
    return found / runs


def many_claims(
    methods: int, ties: bool, lengths: tuple[int, ...], runs: int, seed: int = 1
) -> float:
    """How often any pair of several methods has a claim, where all are equally good."""
    rng = np.random.default_rng(seed)
    names = [f"m{i}" for i in range(methods)]
    found = 0
    for run in range(runs):
        true = rng.random(300) < 0.2
        true[0] = True
        common = true + rng.normal(size=300)
        table = {name: common + rng.normal(size=300) for name in names}
        if ties:
            table = {name: np.round(own) for name, own in table.items()}
        result = csig.rank_methods(
            {**table, "true": true}, names, lengths, n_resamples=1999, rng=run, threads=1
        )
        found += any(pair.regions for pair in result.pairs)
    return found / runs


def verdicts(
    samples: int, size: str, precision: float, ratio: float, runs: int, seed: int = 1
) -> tuple[float, ...]:
    """How often tests at 5% reject: dispersion, Kolmogorov's, misses, precision plain, corrected.

    Then how often the interval of the ratio holds, and the two of the precision. The parts have
    beta-distributed precisions, so that the counts have the variance that was asked for. Several
    sizes take turns.
    """
    rng = np.random.default_rng(seed)
    sizes = np.resize([int(own) for own in size.split(",")], samples)
    within = (ratio**2 - 1) / (sizes.mean() - 1)  # the correlation of two candidates of a sample
    found = np.zeros(8)
    for _ in range(runs):
        own = np.full(samples, precision)
        if within:
            weight = 1 / within - 1
            own = rng.beta(precision * weight, (1 - precision) * weight, samples)
        pairs = {"true": rng.binomial(sizes, own), "size": sizes}
        result = csig.rankings.validate_binomial(pairs, precision)
        tests = (
            result.dispersion_pvalue, result.kolmogorov_pvalue, result.misses_pvalue,
            result.pvalue, result.corrected_pvalue,
        )  # fmt: skip
        found[:5] += np.array(tests) <= 0.05
        for place, (limits, true) in enumerate([
            (result.ratio_interval, ratio), (result.interval, precision),
            (result.corrected_interval, precision),
        ]):  # fmt: skip
            found[5 + place] += limits[0] <= true <= limits[1]
    return tuple((found / runs).tolist())


def pairs(
    samples: int, together: int, known: float, accepted: dict[str, object], runs: int, seed: int = 1
) -> tuple[float, ...]:
    """How often tests of two equally good methods reject at 5%: plain, corrected, samples swapped.

    Then that of Fisher's test corrected by the larger of the methods' own ratios, and how often the
    interval of the difference holds. Samples have beta-distributed shares of true candidates; so
    have groups of candidates that lie together, whose scores are correlated as well.
    """
    rng = np.random.default_rng(seed)
    part = np.repeat(np.arange(samples), 60)
    group = np.arange(len(part)) // together
    found = np.zeros(5)
    for _ in range(runs):
        chance = rng.beta(2.4, 5.6, samples)[part]
        scores = rng.normal(size=(2, len(part)))
        if together > 1:
            chance = np.clip(chance * rng.beta(0.6, 1.4, group[-1] + 1)[group] / 0.3, 0, 1)
            scores += 1.5 * rng.normal(size=(2, group[-1] + 1))[:, group]
        true = rng.random(len(part)) < chance
        scores += known * true
        table = {"part": part, "true": true, "a": scores[0], "b": scores[1]}
        options: dict[str, Any] = {"sample": "part", "rng": 1, "threads": 1, **accepted}
        pair = csig.rank_methods(table, ["a", "b"], **options).pairs[0]
        result = pair.by_sample
        assert result is not None
        deviate = stats.norm.isf(result.fisher_pvalue / 2) / max(1, *result.ratios)
        low, high = result.interval
        tests = (result.fisher_pvalue, result.corrected_pvalue, pair.pvalue,
                 2 * stats.t.sf(deviate, samples - 1))  # fmt: skip
        found += [*(own <= 0.05 for own in tests), low <= 0 <= high]
    return tuple((found / runs).tolist())


def main() -> None:
    """Print the tables."""
    print(
        "| samples | together | accepted | Fisher | corrected | samples swapped "
        f"| own ratios | interval |\n{'|---' * 8}|"
    )
    for number, together, known, said, accepted in PAIRS:
        rates = " | ".join(
            f"{100 * own:.1f}%" for own in pairs(number, together, known, accepted, FEWER // 4)
        )
        print(f"| {number} | {together} | {said} | {rates} |", flush=True)
    print()
    print(
        "| samples | size | precision | ratio | dispersion | Kolmogorov | misses | p "
        f"| corrected p | ratio | interval | corrected |\n{'|---' * 12}|"
    )
    for model in SAMPLES:
        found = " | ".join(f"{100 * own:.1f}%" for own in verdicts(*model, FEWER))
        names = [own if isinstance(own, str) else f"{own:g}" for own in model]
        print(f"| {' | '.join(names)} | {found} |", flush=True)
    print()
    print("| true | common part | lengths from | any claim |\n|---|---|---|---|")
    for share, common, first in CURVES:
        rate = claims(share, common, first, FEWER)
        print(f"| {100 * share:g}% | {common:g} | {first} | {100 * rate:.1f}% |", flush=True)
    print()
    print("| methods | rounded scores | lengths | any claim |\n|---|---|---|---|")
    for methods, ties, lengths in MANY:
        rate = many_claims(methods, ties, lengths, FEWER)
        shown = f"{'yes' if ties else 'no'} | {', '.join(map(str, lengths))}"
        print(f"| {methods} | {shown} | {100 * rate:.1f}% |", flush=True)
    print()
    print("| candidates | band, all n | intervals, all n | intervals, each n |\n|---|---|---|---|")
    for name in MODELS:
        found = " | ".join(f"{100 * own:.1f}%" for own in coverage(name, RUNS, CANDIDATES))
        print(f"| {name} | {found} |", flush=True)
    print("\n| only A | only B | both: true | false | true of one only | Fisher | randomization |")
    print("|---|---|---|---|---|---|---|")
    for table in TABLES:
        found = " | ".join(f"{100 * own:.2f}%" for own in error_rates(*table))
        print(f"| {' | '.join(map(str, table))} | {found} |", flush=True)


if __name__ == "__main__":
    main()
