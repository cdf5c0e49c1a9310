"""The bootstrap over 2,000 documents: micro-F1, 100,000 resamples, one thread.

``benchmarks.intervals`` has scipy.stats.bootstrap and the other methods.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

import csig
from benchmarks.data import documents
from benchmarks.timing import Row, pairs
from csig import Comparison
from csig.engines.resample import Resampler
from csig.streams import make_source

RESAMPLES = 100_000
COLUMNS = ("tp", "predicted", "gold")

Table = NDArray[np.int64]


def table(n: int) -> Table:
    """Numerators and denominators of micro-F1, both systems', of n documents."""
    a, b = documents(1, n)
    rows = np.stack([2 * a[:, 0], a[:, 1] + a[:, 2], 2 * b[:, 0], b[:, 1] + b[:, 2]], axis=1)
    return np.ascontiguousarray(rows)


def packed(rows: Table) -> tuple[NDArray[np.uint64], int]:
    """Each row less the least values in one word, 16 bits a column; draws that fit."""
    shifts = np.arange(4, dtype=np.uint64) * np.uint64(16)
    spans = (rows - rows.min(axis=0)).astype(np.uint64)
    return (spans << shifts).sum(axis=1, dtype=np.uint64), (2**16 - 1) // int(spans.max())


def ends(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """A percentile interval of the differences."""
    differences = sums[:, 0] / sums[:, 1] - sums[:, 2] / sums[:, 3]
    return np.asarray(np.quantile(differences, [0.025, 0.975]))


def csig_interval(resamples: int = RESAMPLES) -> Callable[[], object]:
    """From arrays to the interval."""
    a, b = documents(1)

    def run() -> object:
        comparison = Comparison.from_statistics(a, b, COLUMNS)
        return csig.intervals.bootstrap_interval(
            comparison, "f1", method="percentile", n_resamples=resamples, rng=1, threads=1
        )

    return run


def csig_sums(
    n: int, resamples: int, bit_generator: str = "PCG64DXSM", threads: int = 1
) -> Callable[[], object]:
    """The engine alone: sums of four columns, block by block."""
    rows = table(n)

    def run() -> None:
        source = make_source(1, bit_generator)
        Resampler(source, 0, rows, resamples, threads)(lambda start, sums: None)

    return run


def numba_loop() -> Callable[[Table, int], NDArray[np.float64]] | None:
    """Numba: packed rows, units by 32 bits of xoshiro256++ with rejection; if numba is there."""
    try:
        import numba
    except ImportError:
        return None
    word = numba.uint64

    @numba.njit
    def loop(rows, draws, least, state, out):  # type: ignore[no-untyped-def]
        n, low, field = word(len(rows)), word(0xFFFFFFFF), word(0xFFFF)
        s0, s1, s2, s3 = state[0], state[1], state[2], state[3]
        reject = (word(1) << word(32)) % n
        for t in range(len(out)):
            left = len(rows)
            for c in range(4):
                out[t, c] = least[c] * left
            while left > 0:
                span = min(left, draws)
                left -= span
                total = word(0)
                while span > 0:
                    r = s0 + s3
                    r = ((r << word(23)) | (r >> word(41))) + s0
                    x = s1 << word(17)
                    s2 ^= s0
                    s3 ^= s1
                    s1 ^= s2
                    s0 ^= s3
                    s2 ^= x
                    s3 = (s3 << word(45)) | (s3 >> word(19))
                    p = (r & low) * n
                    if (p & low) >= reject:
                        total += rows[p >> word(32)]
                        span -= 1
                    p = (r >> word(32)) * n
                    if (p & low) >= reject and span > 0:
                        total += rows[p >> word(32)]
                        span -= 1
                for c in range(4):
                    out[t, c] += (total >> word(16 * c)) & field
        state[0], state[1], state[2], state[3] = s0, s1, s2, s3

    def sums(rows: Table, resamples: int) -> NDArray[np.float64]:
        state = np.random.SeedSequence(1).generate_state(4, np.uint64)
        out = np.empty((resamples, 4))
        loop(*packed(rows), rows.min(axis=0), state, out)
        return out

    return sums


def numpy_counts(resamples: int) -> Callable[[], object]:
    """The best numpy program: how often each unit is drawn, times the rows."""
    rows = table(2000)
    n, together = len(rows), 16
    values = rows.astype(np.float64)

    def run() -> object:
        rng = np.random.Generator(np.random.PCG64DXSM(1))
        sums = []
        for _ in range(resamples // together):
            drawn = rng.integers(0, n, (together, n), dtype=np.uint16).astype(np.int64)
            drawn += n * np.arange(together)[:, None]
            counts = np.bincount(drawn.ravel(), minlength=n * together).reshape(together, n)
            sums.append(counts @ values)
        return ends(np.concatenate(sums))

    return run


def arch_bootstrap(resamples: int) -> Callable[[], object] | None:
    """Package arch: IIDBootstrap, if arch is there."""
    try:
        from arch.bootstrap import IIDBootstrap
    except ImportError:
        return None
    rows = table(2000)

    def f1(drawn: Table) -> NDArray[np.float64]:
        a, b, c, d = drawn.sum(axis=0)
        return np.array([a / b - c / d])

    def run() -> object:
        return IIDBootstrap(rows, seed=np.random.default_rng(1)).conf_int(
            f1, reps=resamples, method="percentile"
        )

    return run


def beside_peers() -> Iterator[Row]:
    """100,000 resamples of 2,000 documents, to the interval."""
    what = "100,000 resamples of 2,000 documents, micro-F1, 1 thread"
    loop = numba_loop()
    if loop is not None:
        rows = table(2000)
        yield pairs(
            what, "numba, packed rows, 32-bit draws of xoshiro256++",
            lambda: ends(loop(rows, RESAMPLES)), csig_interval(), rounds=11, wanted="2",
        )  # fmt: skip
    for few, peer, wanted, make in (
        (4096, "numpy, counts times rows", "15", numpy_counts(4096)),
        (2000, "arch, IIDBootstrap", "50", arch_bootstrap(2000)),
    ):
        if make is not None:
            yield pairs(
                what, f"{peer} ({few:,}, scaled)", make, csig_interval(), scale=RESAMPLES / few,
                rounds=7, wanted=wanted,
            )  # fmt: skip
    yield pairs(
        "the same, sums alone, 2 threads", "csig, 1 thread", csig_sums(2000, RESAMPLES),
        csig_sums(2000, RESAMPLES, threads=2), rounds=7,
    )  # fmt: skip
    for name in ("PCG64", "Philox", "SFC64"):
        yield pairs(
            "the same, sums alone", f"csig, {name}", csig_sums(2000, RESAMPLES, name),
            csig_sums(2000, RESAMPLES), rounds=7,
        )  # fmt: skip


def by_units() -> Iterator[Row]:
    """Sums of about 4e7 draws each, by the number of units, beside numba's loop."""
    loop = numba_loop()
    if loop is None:
        return
    for n in (100, 2000, 50_000, 1_000_000):
        rows, resamples = table(n), 40_000_000 // n
        yield pairs(
            f"sums of {resamples:,} resamples of {n:,} units", "the same numba loop",
            lambda rows=rows, resamples=resamples: loop(rows, resamples),  # type: ignore[misc]
            csig_sums(n, resamples), rounds=7,
        )  # fmt: skip


def rows() -> Iterator[Row]:
    """All measurements of this file."""
    yield from beside_peers()
    yield from by_units()
