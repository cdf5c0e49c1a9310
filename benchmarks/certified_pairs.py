"""``python -m benchmarks.certified_pairs``: all pairs of many systems with real scores, certified.

Beside the test of two systems for every pair, and beside flips that all pairs share. All in
processor time, one thread. Then what share of a pair's time are its passes over all units near
frequency zero, which pairs could at most share.
"""

from __future__ import annotations

import itertools
import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import csig
from benchmarks.timing import Row, pairs, seconds, table, text
from csig import streams
from csig.data.several import several
from csig.engines.certified import tail_of
from csig.engines.flips import flip_hits
from csig.engines.fourier import Passes, enclose
from csig.engines.questions import make_question
from csig.systems.ranking import scored

#: Pairs that are tested alone, and timed for all.
SOME = 60

#: Flips of one call, and those that all pairs had by default.
FEW, FLIPS = 2**15, 2**20

Systems = dict[str, NDArray[np.float64]]


def systems(n_systems: int, n: int) -> Systems:
    """Scores with a part that all have in common, and means that differ a little."""
    rng = np.random.default_rng(1)
    common = rng.beta(2, 2, n)
    return {
        f"s{i}": 0.5 * common + 0.5 * rng.random(n) + 0.02 * i / n_systems for i in range(n_systems)
    }


def rows() -> Iterator[Row]:
    """All measurements but the last."""
    found = systems(100, 10_000)
    own, n = list(found.values()), 4950
    some = list(itertools.islice(itertools.combinations(own, 2), 0, None, n // SOME))

    def together() -> None:
        result = csig.compare_systems(found, threads=1)
        assert result.n_certified == n

    def alone() -> None:
        for a, b in some:
            csig.randomization_test(csig.Comparison.from_scores(a, b), "mean", threads=1)

    what = "4,950 pairs of 100 systems, 10,000 real scores, certified"
    yield pairs(
        what, "csig.randomization_test of each pair", alone, together, scale=n / len(some),
        rounds=3, clock=time.process_time,
    )  # fmt: skip
    values = scored(several(found), None).values
    assert values is not None
    grid, every = values, np.triu_indices(100, 1)

    def flips() -> None:
        flip_hits(
            grid, every, streams.make_source(1, None), FEW, two_sided=True, studentized=False,
            threads=1,
        )  # fmt: skip

    yield pairs(
        what, "2^20 flips that all pairs share", flips, together, scale=FLIPS / FEW, rounds=3,
        clock=time.process_time,
    )  # fmt: skip


@dataclass(frozen=True)
class Shares:
    """Seconds of a pair: the whole test, all passes over its units, those near frequency zero."""

    whole: float
    passes: float
    near: float


def shares(n: int, rounds: int = 20) -> Shares:
    """Of pairs of systems with n units, the median."""
    taken = []
    for a, b in itertools.combinations(systems(7, n).values(), 2):
        comparison = csig.Comparison.from_scores(a, b)
        question = make_question(comparison, csig.metrics.mean, "two-sided", 0)
        whole = question.weighted
        assert whole is not None
        assert whole.line is not None
        assert whole.steps is not None
        tail, values = tail_of(whole.line), np.ascontiguousarray(whole.steps[:, 0])
        assert tail is not None
        s = tail.s
        made = enclose(values, s, tolerance=1e-4)
        top = float(np.abs(values).max())
        passes, k = Passes(np.abs(values) / top, 1), np.arange(1, made.evaluated + 1)
        theta = made.theta * top
        h, _ = passes.tilted(theta)

        def near(
            passes: Passes = passes, h: NDArray[np.float64] = h, step: float = made.step * top,
            k: NDArray[np.int64] = k,
        ) -> None:  # fmt: skip
            passes.at(h, step, k)

        def others(passes: Passes = passes, theta: float = theta) -> None:
            for _ in range(3):
                passes.cumulants(theta)
            passes.tilted(theta)

        parts = []
        for run in (
            lambda values=values, s=s: enclose(values, s, tolerance=1e-4),
            near,
            others,
        ):
            run()
            parts.append(statistics.median(seconds(run, time.process_time) for _ in range(rounds)))
        taken.append((parts[0], parts[1] + parts[2], parts[1]))
    return Shares(*(statistics.median(column) for column in zip(*taken, strict=True)))


def sharing() -> str:
    """What pairs could share at most, by the number of units."""
    lines = ["| units | bounds of a pair | passes over units | near zero |", "|---|---|---|---|"]
    for n in (500, 2000, 10_000, 100_000):
        own = shares(n)
        lines.append(
            f"| {n:,} | {text(own.whole)} | {text(own.passes)}, {own.passes / own.whole:.0%} | "
            f"{text(own.near)}, {own.near / own.whole:.0%} |"
        )
    return "\n".join(lines)


def main() -> None:
    """Ratios, then the shares."""
    print(table(list(rows())))
    print()
    print(sharing())


if __name__ == "__main__":
    main()
