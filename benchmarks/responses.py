"""The randomization test at response level, on Yeh's example: 34 correct and 52 spurious
unique responses, recall, precision and F1 from the same 2^20 shuffles.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from benchmarks.timing import Row, pairs
from csig import Comparison, randomization_test
from csig.readers.counts import read_counts
from csig.streams import make_source
from csig_ext import dispatch, generators

COUNTS, _ = read_counts(Path(__file__).parents[1] / "examples" / "yeh2000.toml")
METRICS = ("recall", "precision", "f1")
TRIALS = 2**20
CORRECT, SPURIOUS = 34, 52


def csig_test(trials: int = TRIALS, threads: int = 1) -> Callable[[], object]:
    """From arguments to result."""

    def run() -> object:
        comparison = Comparison.from_counts(**COUNTS)
        return randomization_test(
            comparison, METRICS, method="approximate", n_resamples=trials, rng=1, threads=threads
        )

    return run


def scores(x: np.ndarray, y: np.ndarray) -> dict[str, np.ndarray]:
    """Differences of the three metrics in double, for arrays of counts given to A."""
    tp_a, tp_b = 19.0 + x, 19.0 + CORRECT - x
    found_a, found_b = tp_a + 5 + y, tp_b + 5 + SPURIOUS - y
    return {
        "recall": tp_a / 103 - tp_b / 103,
        "precision": tp_a / found_a - tp_b / found_b,
        "f1": 2 * tp_a / (found_a + 103) - 2 * tp_b / (found_b + 103),
    }


def numpy_test() -> object:
    """The best numpy program: two random words a shuffle decide both classes, their set
    bits are counted, one table holds all shuffles, and every metric reads the table.
    """
    rng = np.random.Generator(np.random.PCG64DXSM(1))
    x, y = np.arange(CORRECT + 1.0)[:, None], np.arange(SPURIOUS + 1.0)
    observed = {name: float(d) for name, d in scores(np.float64(28), np.float64(43)).items()}
    extreme = {
        name: np.abs(d) >= abs(observed[name]) - 1e-12
        for name, d in ((n, np.broadcast_to(v, (35, 53))) for n, v in scores(x, y).items())
    }
    table = np.zeros(35 * 53, dtype=np.int64)
    block = 2**16  # fits the cache: faster than one large array
    for _ in range(TRIALS // block):
        words = rng.integers(0, 2**64, size=(2, block), dtype=np.uint64)
        correct = np.bitwise_count(words[0] & np.uint64(2**CORRECT - 1))
        spurious = np.bitwise_count(words[1] & np.uint64(2**SPURIOUS - 1))
        table += np.bincount(correct.astype(np.int64) * 53 + spurious, minlength=35 * 53)
    return {
        name: (int(table[where.ravel()].sum()) + 1) / (TRIALS + 1)
        for name, where in extreme.items()
    }


def scipy_test(trials: int, batch: int) -> Callable[[], object]:
    """scipy.stats.permutation_test on the 86 responses, F1 only."""
    from scipy.stats import permutation_test

    in_a = np.zeros(CORRECT + SPURIOUS)
    in_a[:28] = in_a[CORRECT : CORRECT + 43] = 1

    def f1(a: np.ndarray, b: np.ndarray, axis: int = -1) -> np.ndarray:
        result = []
        for system in (a, b):
            tp = 19 + system[..., :CORRECT].sum(axis=axis)
            found = tp + 5 + system[..., CORRECT:].sum(axis=axis)
            result.append(2 * tp / (found + 103))
        return result[0] - result[1]

    def run() -> object:
        return permutation_test(
            (in_a, 1 - in_a), f1, permutation_type="samples", vectorized=True,
            n_resamples=trials, batch=batch, rng=1,
        )  # fmt: skip

    return run


def fill(isa: int) -> Callable[[], None]:
    """Csig's own fill loop over the words that 2^20 shuffles take, one stream."""
    words = np.empty(4096, dtype=np.uint64)
    entropy = make_source(1).assembled("shuffle", 0)
    times = (CORRECT + SPURIOUS) * TRIALS // 64 // len(words)

    def run() -> None:
        stream = generators.Stream("PCG64DXSM", entropy)
        for _ in range(times):
            stream.fill(words, isa)

    return run


def numpy_fill() -> None:
    rng = np.random.Generator(np.random.PCG64DXSM(1))
    for _ in range((CORRECT + SPURIOUS) * TRIALS // 64 // 4096):
        rng.integers(0, 2**64, size=4096, dtype=np.uint64)


def numba_test() -> Callable[[], object] | None:
    """Numba with popcount and a table, if numba is there."""
    try:
        import numba
    except ImportError:
        return None

    @numba.njit
    def table(words: np.ndarray, cells: np.ndarray) -> None:
        for t in range(words.shape[1]):
            x, y = words[0, t] & np.uint64(2**34 - 1), words[1, t] & np.uint64(2**52 - 1)
            m1, m2 = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333)
            m4, h = np.uint64(0x0F0F0F0F0F0F0F0F), np.uint64(0x0101010101010101)
            x -= (x >> np.uint64(1)) & m1
            y -= (y >> np.uint64(1)) & m1
            x = (x & m2) + ((x >> np.uint64(2)) & m2)
            y = (y & m2) + ((y >> np.uint64(2)) & m2)
            x = (((x + (x >> np.uint64(4))) & m4) * h) >> np.uint64(56)
            y = (((y + (y >> np.uint64(4))) & m4) * h) >> np.uint64(56)
            cells[x * np.uint64(53) + y] += 1

    def run() -> object:
        rng = np.random.Generator(np.random.PCG64DXSM(1))
        cells = np.zeros(35 * 53, dtype=np.int64)
        for _ in range(TRIALS // 2**16):
            table(rng.integers(0, 2**64, size=(2, 2**16), dtype=np.uint64), cells)
        return cells

    return run


def large(threads: int) -> Callable[[], object]:
    """5,000 unique responses: long enough for several threads."""
    comparison = Comparison.from_counts(
        gold=4000, only_a_correct=1100, only_b_correct=1000, only_a_spurious=1500,
        only_b_spurious=1400,
    )  # fmt: skip

    def run() -> object:
        return randomization_test(comparison, METRICS, method="approximate", rng=1, threads=threads)

    return run


def rows() -> Iterator[Row]:
    """All measurements of this file."""
    yield pairs(
        "2^20 shuffles, 86 responses, 3 metrics, 1 thread", "best numpy program",
        numpy_test, csig_test(), wanted="3",
    )  # fmt: skip
    with_numba = numba_test()
    if with_numba is not None:
        yield pairs("the same", "numba, popcount and a table", with_numba, csig_test())
    trials = 20_000
    best = min((100, 1000, 10_000), key=lambda batch: _once(scipy_test(trials, batch)))
    yield pairs(
        "one shuffle", f"scipy.stats.permutation_test, F1 only, batch {best}",
        scipy_test(trials, best), csig_test(), scale=TRIALS / trials, rounds=7, wanted="1000",
    )  # fmt: skip
    here = dispatch.number()
    yield pairs(
        "words of 2^20 shuffles, fill loop", "numpy integers(dtype=uint64)",
        numpy_fill, fill(here), wanted="1",
    )  # fmt: skip
    yield pairs(
        "2^20 shuffles beside drawing their words", f"csig's fill loop ({dispatch.chosen})",
        fill(here), csig_test(), wanted="0.5",
    )  # fmt: skip
    if here:
        yield pairs(
            "2^20 shuffles beside drawing their words", "csig's scalar fill loop",
            fill(0), csig_test(), wanted="0.5",
        )  # fmt: skip
    yield pairs("5,000 responses, 2 threads", "csig, 1 thread", large(1), large(2), rounds=7)


def _once(function: Callable[[], object]) -> float:
    from benchmarks.timing import seconds

    function()
    return seconds(function)
