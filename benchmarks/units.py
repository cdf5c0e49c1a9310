"""The randomization test over 2,000 documents: micro-F1, 2^20 shuffles, one thread."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from benchmarks.data import documents
from benchmarks.timing import Row, pairs, seconds
from csig import Comparison, randomization_test
from csig.base.validation import Statistic
from csig.streams import make_source
from csig_ext import dispatch, generators

TRIALS = 2**20
COLUMNS = ("tp", "predicted", "gold")

Table = NDArray[np.int64]


def csig_test(
    threads: int = 1,
    generator: str = "PCG64DXSM",
    metric: str = "f1",
    statistic: Statistic = "difference",
) -> Callable[[], object]:
    """From arrays to result."""
    a, b = documents(1)

    def run() -> object:
        comparison = Comparison.from_statistics(a, b, COLUMNS)
        return randomization_test(
            comparison, metric, method="approximate", n_resamples=TRIALS, rng=1, threads=threads,
            bit_generator=generator, statistic=statistic,
        )  # fmt: skip

    return run


def f1_differences(sums: Table, a: Table, b: Table) -> NDArray[np.float64]:
    """Differences in micro-F1 from the sums of the exchanged units' differences."""
    tp_a, found_a = a[:, 0].sum() - sums[:, 0], a[:, 1].sum() - sums[:, 1]
    tp_b, found_b = b[:, 0].sum() + sums[:, 0], b[:, 1].sum() + sums[:, 1]
    gold = a[:, 2].sum()
    return 2 * tp_a / (found_a + gold) - 2 * tp_b / (found_b + gold)


def byte_table(a: Table, b: Table) -> Table:
    """For every eight documents the sums of all 256 ways to exchange them."""
    differences = (a - b)[:, :2]
    n = len(differences)
    bits = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little")
    groups = np.zeros((-(-n // 8), 8, 2), dtype=np.int64)
    groups.reshape(-1, 2)[:n] = differences
    return np.einsum("vb,gbk->gvk", bits.astype(np.int64), groups)


def numpy_test(trials: int) -> Callable[[], object]:
    """The best numpy program: random bytes look up the sums of eight documents at once."""
    a, b = documents(1)
    packed = byte_table(a, b).astype(np.int32)
    packed = packed[..., 0] + (packed[..., 1] << 16)  # both columns in one 32-bit add
    groups = np.arange(len(packed))
    observed = abs(float(f1_differences(np.zeros((1, 2), dtype=np.int64), a, b)[0]))

    def run() -> int:
        rng = np.random.Generator(np.random.PCG64DXSM(1))
        hits = 0
        for _ in range(trials // 1024):
            drawn = np.frombuffer(rng.bytes(1024 * len(packed)), np.uint8)
            drawn = drawn.reshape(1024, len(packed))
            sums = packed[groups, drawn].sum(axis=1, dtype=np.int32)
            low = sums.astype(np.int16).astype(np.int64)
            both = np.stack([low, (sums - low) >> 16], axis=1)
            hits += int((np.abs(f1_differences(both, a, b)) >= observed - 1e-12).sum())
        return hits

    return run


def numba_test(trials: int) -> Callable[[], object] | None:
    """Numba with the same table, if numba is there."""
    try:
        import numba
    except ImportError:
        return None
    a, b = documents(1)
    table = byte_table(a, b).astype(np.int32)
    table = np.ascontiguousarray(table[..., 0] + (table[..., 1] << 16))
    gold = int(a[:, 2].sum())
    tp_a, found_a, tp_b, found_b = (int(x[:, c].sum()) for x in (a, b) for c in (0, 1))
    observed = abs(float(f1_differences(np.zeros((1, 2), dtype=np.int64), a, b)[0])) - 1e-12

    @numba.njit
    def count(drawn: NDArray[np.uint8], table: NDArray[np.int32]) -> int:
        hits = 0
        for t in range(drawn.shape[0]):
            total = np.int32(0)
            for g in range(drawn.shape[1]):
                total += table[g, drawn[t, g]]
            low = np.int16(total & 0xFFFF)
            high = (total - low) >> 16
            difference = 2 * (tp_a - low) / (found_a - high + gold) - 2 * (tp_b + low) / (
                found_b + high + gold
            )
            hits += abs(difference) >= observed
        return hits

    def run() -> int:
        rng = np.random.Generator(np.random.PCG64DXSM(1))
        return sum(
            count(
                np.frombuffer(rng.bytes(1024 * len(table)), np.uint8).reshape(1024, len(table)),
                table,
            )
            for _ in range(trials // 1024)
        )

    return run


def scipy_test(trials: int, batch: int) -> Callable[[], object]:
    """scipy.stats.permutation_test, exchanging documents."""
    from scipy.stats import permutation_test

    a, b = documents(1)

    def f1(i: NDArray[np.int64], j: NDArray[np.int64], axis: int = -1) -> NDArray[np.float64]:
        both = np.stack([a, b])
        result = []
        for index in (i, j):
            index = index.astype(np.int64)
            system, unit = index // len(a), index % len(a)
            tp, found = (both[system, unit, c].sum(axis=axis) for c in (0, 1))
            result.append(2 * tp / (found + a[:, 2].sum()))
        return result[0] - result[1]

    def run() -> object:
        return permutation_test(
            (np.arange(len(a)), np.arange(len(a)) + len(a)), f1, permutation_type="samples",
            vectorized=True, n_resamples=trials, batch=batch, rng=1,
        )  # fmt: skip

    return run


def fill(isa: int, generator: str = "PCG64DXSM") -> Callable[[], None]:
    """The words of 2^20 shuffles of 2,000 documents, drawn and left."""
    words = np.empty(4096 + 7, dtype=np.uint64)
    words = words[-(words.ctypes.data // 8) % 8 :][:4096]  # whole cache lines: a tenth faster
    entropy = make_source(1, generator).assembled("shuffle", 0)

    def run() -> None:
        stream = generators.Stream(generator, entropy)
        for _ in range(2000 * TRIALS // 64 // len(words)):
            stream.fill(words, isa)

    return run


def rows() -> Iterator[Row]:
    """All measurements of this file."""
    what = "2^20 shuffles of 2,000 documents, micro-F1, 1 thread"
    some = 2**15
    yield pairs(
        what, "best numpy program (byte table)", numpy_test(some), csig_test(),
        scale=TRIALS / some, rounds=11, wanted="7",
    )  # fmt: skip
    with_numba = numba_test(some * 4)
    if with_numba is not None:
        yield pairs(
            what, "numba, the same table", with_numba, csig_test(), scale=TRIALS / some / 4,
            rounds=11, wanted="2",
        )  # fmt: skip
    few = 2000
    best = min((50, 200, 1000), key=lambda batch: seconds(scipy_test(few, batch)))
    yield pairs(
        what, f"scipy.stats.permutation_test, batch {best}", scipy_test(few, best), csig_test(),
        scale=TRIALS / few, rounds=5, wanted="1500",
    )  # fmt: skip
    yield pairs(
        "2^20 studentised shuffles, and those of the difference, precision, 1 thread",
        "those of the difference alone", csig_test(metric="precision"),
        csig_test(metric="precision", statistic="studentized"), rounds=11, wanted="0.5",
    )  # fmt: skip
    for generator in ("PCG64DXSM", "Philox"):
        peer = f"csig's fill loop, {generator} ({dispatch.chosen})"
        yield pairs(
            what, peer, fill(dispatch.number(), generator), csig_test(1, generator), rounds=11,
            wanted="0.67",
        )  # fmt: skip
    yield pairs("the same, 2 threads", "csig, 1 thread", csig_test(1), csig_test(2), rounds=11,
                wanted="1.8")  # fmt: skip
