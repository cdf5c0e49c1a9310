"""The mean of 2,000 scores that are not integers, and metrics that are functions."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from benchmarks.data import scores
from benchmarks.timing import Row, pairs, seconds
from csig import Comparison, randomization_test

TRIALS = 2**20

Floats = NDArray[np.float64]


def csig_mean() -> Callable[[], object]:
    """From arrays to result."""
    a, b = scores(1)

    def run() -> object:
        return randomization_test(
            Comparison.from_scores(a, b), "mean", method="approximate", n_resamples=TRIALS, rng=1,
            threads=1,
        )  # fmt: skip

    return run


def numpy_mean(trials: int, rows: int) -> Callable[[], object]:
    """The best numpy program: random bytes look up the sums of eight units at once."""
    a, b = scores(1)
    d = a - b
    bits = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little")
    table = np.ascontiguousarray((bits.astype(float) @ d.reshape(-1, 8).T).T).ravel()
    places = (np.arange(len(d) // 8) * 256).astype(np.int32)
    observed = abs(d.sum()) - 1e-12

    def run() -> int:
        rng = np.random.Generator(np.random.PCG64DXSM(1))
        hits = 0
        for _ in range(trials // rows):
            drawn = np.frombuffer(rng.bytes(rows * len(places)), np.uint8)
            moved = table.take(drawn.reshape(rows, -1) + places).sum(axis=1)
            hits += int(np.count_nonzero(np.abs(d.sum() - 2 * moved) >= observed))
        return hits

    return run


def scipy_mean(trials: int, batch: int) -> Callable[[], object]:
    """scipy.stats.permutation_test, exchanging units."""
    from scipy.stats import permutation_test

    a, b = scores(1)

    def difference(x: Floats, y: Floats, axis: int = -1) -> Floats:
        return np.asarray(x.mean(axis=axis) - y.mean(axis=axis))

    def run() -> object:
        return permutation_test(
            (a, b), difference, permutation_type="samples", vectorized=True, n_resamples=trials,
            batch=batch, rng=1,
        )  # fmt: skip

    return run


def ranx_mean(trials: int) -> Callable[[], object] | None:
    """ranx, compiled by numba, if it is there; one thread."""
    try:
        import numba
        from ranx.statistical_tests import fisher_randomization_test
    except ImportError:
        return None
    a, b = scores(1)
    numba.set_num_threads(1)
    return lambda: fisher_randomization_test(a, b, trials)


def labels(seed: int, n: int = 2000) -> Comparison:
    """Two systems that are right on four items of five of a binary task."""
    rng = np.random.Generator(np.random.PCG64(seed))
    gold = rng.integers(0, 2, n)
    a, b = (np.where(rng.random(n) < error, 1 - gold, gold) for error in (0.2, 0.215))
    return Comparison.from_labels(gold, a, b, positive=1)


def mcc(threads: int = 1) -> Callable[[], object]:
    """2^20 shuffles of Matthews' correlation."""
    comparison = labels(1)
    return lambda: randomization_test(
        comparison, "mcc", method="approximate", n_resamples=TRIALS, rng=1, threads=threads
    )


def numpy_mcc(trials: int, rows: int = 512) -> Callable[[], object]:
    """The same in numpy: bits times differences, and the same formula."""
    comparison = labels(1)
    assert comparison.units is not None
    d = comparison.units.differences.astype(np.float32)
    total_a, total_b = (
        np.array(sums, dtype=float) for sums in (comparison.sums_a, comparison.sums_b)
    )

    def score(sums: Floats) -> Floats:
        tp, fp, fn, tn = sums.T
        spread = (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)
        return np.asarray((tp * tn - fp * fn) / np.sqrt(spread))

    observed = abs(float((score(total_a[None]) - score(total_b[None]))[0])) - 1e-12

    def run() -> int:
        rng = np.random.Generator(np.random.PCG64DXSM(1))
        width = -(-len(d) // 8)
        hits = 0
        for _ in range(trials // rows):
            drawn = np.frombuffer(rng.bytes(rows * width), np.uint8).reshape(rows, width)
            z = np.unpackbits(drawn, axis=1)[:, : len(d)].astype(np.float32)
            moved = (z @ d).astype(float)
            found = score(total_a - moved) - score(total_b + moved)
            hits += int(np.count_nonzero(np.abs(found) >= observed))
        return hits

    return run


def exact_mcc() -> Callable[[], object]:
    """All exchanges, by classes of items."""
    comparison = labels(1)
    return lambda: randomization_test(comparison, "mcc", method="exact")


def signs(n: int) -> Callable[[], object]:
    """All 2^n exchanges of n scores, by meeting in the middle."""
    a, b = (side[:n] for side in scores(1))
    return lambda: randomization_test(Comparison.from_scores(a, b), "mean", method="exact")


def scipy_signs(n: int) -> Callable[[], object]:
    """The same by scipy, one by one."""
    from scipy.stats import permutation_test

    a, b = (side[:n] for side in scores(1))
    return lambda: permutation_test(
        (a, b), lambda x, y, axis: x.mean(axis=axis) - y.mean(axis=axis), vectorized=True,
        permutation_type="samples", n_resamples=2**n, batch=1000,
    )  # fmt: skip


def truescores(binary: bool) -> tuple[Callable[[], object], Callable[[], object]] | None:
    """Truescore's test of 880 items, if it is there, and csig's, which is exact."""
    try:
        from truescore.compare import paired_permutation
    except ImportError:
        return None
    rng = np.random.default_rng(1)
    if binary:
        a = (rng.random(880) < 0.72).astype(int)
        b = np.where(rng.random(880) < 0.85, a, rng.integers(0, 2, 880))
    else:
        a = rng.normal(0.6, 0.2, 880).round(4)
        b = a + rng.normal(0.01, 0.15, 880).round(4)
    one, other = a.tolist(), b.tolist()
    return lambda: paired_permutation(one, other), lambda: randomization_test(one, other)


def rows() -> Iterator[Row]:
    """All measurements of this file."""
    what = "2^20 shuffles of 2,000 scores, their mean, 1 thread"
    some, few = 2**14, 2000
    best = min((64, 256, 1024), key=lambda r: seconds(numpy_mean(some, r)))
    yield pairs(
        what, "best numpy program (byte table)", numpy_mean(some, best), csig_mean(),
        scale=TRIALS / some, rounds=11, wanted="4",
    )  # fmt: skip
    batch = min((50, 200, 1000), key=lambda size: seconds(scipy_mean(few, size)))
    yield pairs(
        what, f"scipy.stats.permutation_test, batch {batch}", scipy_mean(few, batch), csig_mean(),
        scale=TRIALS / few, rounds=5, wanted="600",
    )  # fmt: skip
    ranx = ranx_mean(few)
    if ranx is not None:
        yield pairs(
            what, "ranx, fisher_randomization_test", ranx, csig_mean(), scale=TRIALS / few,
            rounds=5, wanted="400",
        )  # fmt: skip
    for binary, kind in ((True, "right/wrong items"), (False, "scores")):
        if (tests := truescores(binary)) is not None:
            yield pairs(f"exact mean of 880 {kind}", "truescore, 10,000 flips", *tests, rounds=7)
    yield pairs(
        "2^20 shuffles of 2,000 items, MCC, 1 thread", "numpy, bits times differences",
        numpy_mcc(some), mcc(), scale=TRIALS / some, rounds=5,
    )  # fmt: skip
    yield pairs(
        "exact MCC, 2,000 items", "csig, 2^20 shuffles", mcc(), exact_mcc(), rounds=5
    )  # fmt: skip
    yield pairs(
        "exact mean of 44 scores", "scipy.stats.permutation_test, all of 2^16, times 2^28",
        scipy_signs(16), signs(44), scale=2.0**28, rounds=3,
    )  # fmt: skip
