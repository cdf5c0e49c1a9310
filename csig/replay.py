"""The streams contract in pure numpy: an independent replay of the compiled loops.

Nothing here imports csig or its compiled part. It is slow and obvious on purpose:
tests and audits hold the fast loops against it, hit for hit.

Examples
--------
The first shuffles of Yeh's example (34 correct and 52 spurious unique responses) with
seed 1: how many of each went to A.

>>> correct, spurious = class_counts(34, 52, 4, entropy=1)
>>> correct.tolist(), spurious.tolist()
([14, 16, 16, 14], [27, 25, 24, 33])
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

import numpy as np
from numpy.random import PCG64DXSM, BitGenerator, Generator, SeedSequence
from numpy.typing import NDArray

__all__ = ["chunk_words", "class_counts", "class_hits"]

CHUNK = 2**16


def chunk_words(
    n: int,
    *,
    entropy: int | tuple[int, ...],
    spawn_key: tuple[int, ...] = (),
    bit_generator: Callable[[SeedSequence], BitGenerator] = PCG64DXSM,
    engine: int = 0,
    run: int = 0,
    chunk: int = 0,
) -> NDArray[np.uint64]:
    """The first n words of a chunk's stream."""
    key = (*spawn_key, 0x63736967, engine, run, chunk)
    seed = SeedSequence(entropy, spawn_key=key)
    # integers over the full range is one next_uint64 a number; random_raw is not, for
    # generators of 32-bit words.
    return Generator(bit_generator(seed)).integers(0, 2**64, size=n, dtype=np.uint64)


def class_counts(
    n_correct: int,
    n_spurious: int,
    n_trials: int,
    *,
    entropy: int | tuple[int, ...],
    spawn_key: tuple[int, ...] = (),
    bit_generator: Callable[[SeedSequence], BitGenerator] = PCG64DXSM,
    run: int = 0,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """How many unique correct and spurious responses every trial gives to A."""
    n = n_correct + n_spurious
    correct, spurious = np.empty(n_trials, np.int64), np.empty(n_trials, np.int64)
    for chunk, start in enumerate(range(0, n_trials, CHUNK)):
        trials = min(CHUNK, n_trials - start)
        words = chunk_words(
            -(-trials // 64) * n, entropy=entropy, spawn_key=spawn_key,
            bit_generator=bit_generator, run=run, chunk=chunk,
        ).reshape(-1, n)  # group, response  # fmt: skip
        for bit in range(64):
            given = (words >> np.uint64(bit)) & np.uint64(1)
            where = slice(start + bit, start + trials, 64)
            groups = len(range(trials)[bit::64])
            correct[where] = given[:groups, :n_correct].sum(axis=1)
            spurious[where] = given[:groups, n_correct:].sum(axis=1)
    return correct, spurious


def class_hits(
    counts: Mapping[str, int],
    numerator: Mapping[str, int | Fraction],
    denominator: Mapping[str, int | Fraction],
    n_trials: int,
    *,
    alternative: str = "two-sided",
    zero_division: int = 0,
    entropy: int | tuple[int, ...],
    spawn_key: tuple[int, ...] = (),
    bit_generator: Callable[[SeedSequence], BitGenerator] = PCG64DXSM,
    run: int = 0,
) -> int:
    """The hits of a run, from the counts of a comparison and a metric's weights.

    Parameters
    ----------
    counts : mapping
        The arguments of ``Comparison.from_counts``.
    numerator, denominator : mapping {column: weight}
        The metric, over ``tp``, ``predicted`` and ``gold``.
    n_trials : int
        Trials of the run.
    alternative : {"two-sided", "greater", "less"}
        What counts as a hit.
    zero_division : {0, 1}
        The score where the denominator is zero.
    entropy, spawn_key
        The seed.
    bit_generator : callable
        Makes a BitGenerator from a SeedSequence.
    run : int
        The run number.
    """
    correct = counts["only_a_correct"] + counts["only_b_correct"]
    spurious = counts.get("only_a_spurious", 0) + counts.get("only_b_spurious", 0)

    def score(tp: int, wrong: int) -> Fraction:
        sums = {"tp": tp, "predicted": tp + wrong, "gold": counts["gold"]}
        below = sum((w * sums[c] for c, w in denominator.items()), Fraction(0))
        above = sum((w * sums[c] for c, w in numerator.items()), Fraction(0))
        return Fraction(above) / below if below else Fraction(zero_division)

    def difference(x: int, y: int) -> Fraction:
        right, wrong = counts.get("both_correct", 0), counts.get("both_spurious", 0)
        a = score(right + x, wrong + y)
        return a - score(right + correct - x, wrong + spurious - y)

    observed = difference(counts["only_a_correct"], counts.get("only_a_spurious", 0))
    trials = np.stack(
        class_counts(
            correct, spurious, n_trials, entropy=entropy, spawn_key=spawn_key,
            bit_generator=bit_generator, run=run,
        )
    )  # fmt: skip
    hits = 0
    for (x, y), times in _distinct(trials):
        found = difference(x, y)
        hits += (
            times
            * {
                "two-sided": abs(found) >= abs(observed),
                "greater": found >= observed,
                "less": found <= observed,
            }[alternative]
        )
    return hits


def _distinct(trials: NDArray[np.int64]) -> list[tuple[tuple[int, int], int]]:
    """Every pair of counts that occurs, and how often."""
    pairs, times = np.unique(trials, axis=1, return_counts=True)
    return [((int(x), int(y)), int(t)) for x, y, t in zip(*pairs, times, strict=True)]
