"""``python -m benchmarks.flips``: sign flips of whole rows, step-down over all pairs of systems.

From scores in memory to the result, beside signs times scores in numpy, in processor time. Let
numpy's products have one thread: ``OPENBLAS_NUM_THREADS=1``.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from csig import compare_systems

if TYPE_CHECKING:
    from benchmarks.timing import Row


class Case(NamedTuple):
    """Systems that are a little better one than the other."""

    systems: int
    units: int
    binary: bool
    trials: int
    some: int  # trials of the numpy program, which is slow

    @property
    def what(self) -> str:
        """A line of the table."""
        count = "10^6" if self.trials == 10**6 else f"2^{self.trials.bit_length() - 1}"
        kind = "binary" if self.binary else "real"
        return f"{count} flips of {self.units:,} {kind} scores of {self.systems} systems"

    @property
    def scores(self) -> NDArray[Any]:
        """(units, systems): right or wrong, or normal with five decimals."""
        rng = np.random.default_rng(1)
        hard = rng.normal(size=(self.units, 1))
        shift = np.linspace(0, 0.3, self.systems)
        found = rng.normal(size=(self.units, self.systems)) + hard + shift
        return (found > 0).astype(np.int64) if self.binary else found.round(5)


CASES = (
    Case(20, 2000, False, 10**6, 2**15),
    Case(100, 10_000, False, 2**16, 2**10),
    Case(100, 10_000, True, 2**16, 2**10),
)

#: Trials that the numpy program multiplies at once, and compares at once.
PRODUCT, BLOCK = 1024, 64


def csig_test(case: Case, threads: int = 1) -> Callable[[], object]:
    """From arrays to the result."""
    scores = case.scores
    systems = {f"s{i}": np.ascontiguousarray(own) for i, own in enumerate(scores.T)}

    def run() -> object:
        return compare_systems(
            systems, correction="flips", n_resamples=case.trials, rng=1, threads=threads
        )

    return run


def numpy_test(case: Case, kind: type[np.floating[Any]]) -> Callable[[], NDArray[np.int64]]:
    """The best numpy program: signs times scores, and the steps as a running maximum.

    In single precision sums of long scores are rounded, so that ties are lost; it is faster.
    """
    scores = case.scores
    n_systems = case.systems

    def run() -> NDArray[np.int64]:
        rng = np.random.Generator(np.random.PCG64DXSM(1))
        table = scores.T.astype(kind)
        total = table.sum(axis=1, dtype=np.float64)
        j, k = np.triu_indices(n_systems, 1)
        gram = scores.T.astype(np.float64) @ scores
        own = gram.diagonal()
        w = 1 / np.sqrt(own[j] + own[k] - 2 * gram[j, k])
        size = np.abs(total[j] - total[k]) * w
        order = np.argsort(size)  # the steps begin with the smallest
        up = total[j[order]] >= total[k[order]]
        one, other = np.where(up, (j[order], k[order]), (k[order], j[order]))
        w = w[order, None].astype(kind)
        least = (size[order, None] * (1 - 2.0**-20)).astype(kind)
        hits = np.zeros(len(j), dtype=np.int64)
        for start in range(0, case.some, PRODUCT):
            here = min(PRODUCT, case.some - start)
            words = np.frombuffer(rng.bytes(case.units * here // 8), np.uint8)
            bits = np.unpackbits(words).reshape(case.units, here).astype(kind)
            sums = total[:, None].astype(kind) - 2 * (table @ bits)
            for t in range(0, here, BLOCK):
                block = np.ascontiguousarray(sums[:, t : t + BLOCK])
                found = block[one]
                found -= block[other]
                found *= w
                np.maximum(found[0], -found.min(axis=0), out=found[0])
                np.maximum.accumulate(found, axis=0, out=found)
                hits += np.count_nonzero(found >= least, axis=1)
        return hits[np.argsort(order)]

    return run


def rows() -> Iterator[Row]:
    """All measurements of this file; in processor time, with one thread each."""
    from benchmarks.timing import pairs  # a test takes this file without its package

    for case in CASES:
        for kind in (np.float64, np.float32):
            peer = f"best numpy program (signs times scores), {kind.__name__}"
            yield pairs(
                case.what, peer, numpy_test(case, kind), csig_test(case),
                scale=case.trials / case.some, rounds=7, wanted="5" if case.systems == 20 else "",
                clock=time.process_time,
            )  # fmt: skip
        yield pairs(
            "the same, 2 threads", "csig, 1 thread", csig_test(case), csig_test(case, 2), rounds=7
        )


if __name__ == "__main__":
    from benchmarks.timing import table

    print(table(list(rows())))
