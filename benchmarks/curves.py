"""``python -m benchmarks.curves``: ranking methods at all lengths of their lists.

From scores in memory to the result, in processor time, one thread each. Two methods are compared
beside two numpy programs: one that knows that candidates come and go once, as csig does, and the
table of what each candidate gives at each length, multiplied by signs. Let numpy's products have
one thread: ``OPENBLAS_NUM_THREADS=1``. Limits of the precision are compared with scipy's quantiles.
Then nine methods and all their pairs, and a million candidates: by the clock, and in processor
time, which other programs do not change as much.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import csig

if TYPE_CHECKING:
    from benchmarks.timing import Row

#: Trials that the numpy programs take at once.
BLOCK = 64


class Case(NamedTuple):
    """Methods whose scores are higher for true candidates, and have a part in common."""

    candidates: int
    lengths: range
    values: int  # of scores; 0: all differ
    trials: int
    some: int  # trials of the numpy programs, which are slow

    @property
    def what(self) -> str:
        """A line of the table."""
        kind = f"scores of {self.values} values" if self.values else "scores"
        return (
            f"{self.trials:,} flips of {self.candidates:,} candidates, {kind}, two methods at "
            f"{len(self.lengths):,} lengths"
        )

    def table(self, methods: int = 2) -> dict[str, NDArray[Any]]:
        """True ones are a ninth."""
        rng = np.random.default_rng(1)
        true = rng.random(self.candidates) < 1 / 9
        both = rng.normal(size=self.candidates) + true
        scores = both + rng.normal(size=(methods, self.candidates))
        if self.values:
            edges = np.quantile(scores, np.arange(1, self.values) / self.values)
            scores = np.searchsorted(edges, scores).astype(float)
        return {"true": true, **{f"m{i}": own for i, own in enumerate(scores)}}


CASES = (
    Case(5102, range(1, 2001), 0, 2**16, 2**10),
    Case(5102, range(1, 2001), 20, 2**16, 2**10),
    Case(100_000, range(1000, 100_001, 1000), 0, 2**12, 2**6),
)

#: All pairs of nine methods; and how many candidates are many.
PAIRS, MANY = Case(5102, range(1, 2001), 0, 10_000, 0), 1_000_000


def csig_test(case: Case, threads: int = 1) -> Callable[[], object]:
    """From arrays to the result."""
    table = case.table()

    def run() -> object:
        return csig.rank_methods(
            table, ["m0", "m1"], case.lengths, n_resamples=case.trials, rng=1, threads=threads
        )

    return run


def entered(scores: NDArray[Any], lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """The first of the lengths whose list has the candidate; all that are tied enter together."""
    order = np.sort(-scores)
    return np.searchsorted(lengths, np.searchsorted(order, -scores, side="left") + 1)


class _Lists(NamedTuple):
    begin: NDArray[np.int64]
    end: NDArray[np.int64]
    sign: NDArray[np.int64]
    true: NDArray[np.bool_]
    t: NDArray[np.int64]
    f: NDArray[np.int64]
    total: NDArray[np.int64]

    @classmethod
    def of(cls, table: dict[str, NDArray[Any]], lengths: NDArray[np.int64]) -> _Lists:
        a, b = (entered(table[name], lengths) for name in ("m0", "m1"))
        own = a != b
        a, b, true = a[own], b[own], table["true"][own]
        begin, end, sign = np.minimum(a, b), np.maximum(a, b), np.sign(b - a)
        n = len(lengths)

        def sums(which: NDArray[np.bool_], what: NDArray[np.int64]) -> NDArray[np.int64]:
            found = np.zeros(n + 1, dtype=np.int64)
            np.add.at(found, begin[which], what[which])
            np.subtract.at(found, end[which], what[which])
            return found.cumsum()[:n]

        ones = np.ones_like(sign)
        t, f = sums(true, ones), sums(~true, ones)
        return cls(begin, end, sign, true, t, f, f * sums(true, sign) - t * sums(~true, sign))


def _steps(lists: _Lists) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Weights, the order of the steps from the smallest, and what a hit reaches."""
    squares = (lists.t * lists.f * (lists.t + lists.f)).astype(float)
    w = np.divide(1, np.sqrt(squares), out=np.zeros(len(squares)), where=squares > 0)
    size = np.abs(lists.total) * w
    order = np.argsort(size)
    return w[:, None], order, (size * (1 - 2.0**-40))[order, None]


def numpy_test(case: Case, dense: bool) -> Callable[[], NDArray[np.int64]]:
    """The best numpy programs: running sums of events, or a product of signs and a table."""
    table, lengths = case.table(), np.array(case.lengths)

    def run() -> NDArray[np.int64]:
        rng = np.random.Generator(np.random.PCG64DXSM(1))
        lists = _Lists.of(table, lengths)
        n, rows = len(lengths), len(lists.sign)
        w, order, least = _steps(lists)
        hits = np.zeros(n, dtype=np.int64)
        if dense:
            gives = np.where(lists.true[:, None], lists.f, -lists.t) * lists.sign[:, None]
            place = np.arange(n)
            gives *= (lists.begin[:, None] <= place) & (place < lists.end[:, None])
            values = gives.T.astype(float)
        else:
            at = np.concatenate([lists.begin, lists.end])
            by_place = np.argsort(at, kind="stable")
            row = np.tile(np.arange(rows), 2)[by_place]
            step = np.concatenate([lists.sign, -lists.sign])[by_place].astype(np.int32)
            ends = np.searchsorted(at[by_place], np.arange(n), side="right")
            kinds = [np.where(lists.true[row] == kind, step, 0)[:, None] for kind in (True, False)]
            t, f = (own[:, None].astype(float) for own in (lists.t, lists.f))
        for start in range(0, case.some, BLOCK):
            here = min(BLOCK, case.some - start)
            words = np.frombuffer(rng.bytes(rows * BLOCK // 8), np.uint8)
            bits = np.unpackbits(words).reshape(rows, BLOCK)[:, :here]
            if dense:
                sums = values @ (1 - 2.0 * bits)
            else:
                signs = (1 - 2 * bits.astype(np.int8))[row]
                right, wrong = (
                    np.append(np.zeros((1, here), np.int32), (signs * own).cumsum(axis=0), axis=0)
                    for own in kinds
                )
                sums = f * right[ends] - t * wrong[ends]
            found = np.abs(sums) * w
            found = found[order]
            np.maximum.accumulate(found, axis=0, out=found)
            hits += np.count_nonzero(found >= least, axis=1)
        return hits[np.argsort(order)]

    return run


def limits(n: int) -> tuple[Callable[[], object], Callable[[], object]]:
    """Limits of the precision of all lists, by scipy and by csig, where a ninth is true."""
    from scipy.special import betaincinv

    from csig.probability.binomial import clopper_pearson_limits

    size = np.arange(1, n + 1)
    true = np.cumsum(np.random.default_rng(1).random(n) < 1 / 9)
    some, open_ = true > 0, true < size

    def slow() -> object:
        low, high = np.zeros(n), np.ones(n)
        low[some] = betaincinv(true[some], (size - true + 1)[some], 0.025)
        high[open_] = betaincinv((true + 1)[open_], (size - true)[open_], 0.975)
        return low, high

    return slow, lambda: clopper_pearson_limits(true, true, size, 0.95)


def rows() -> Iterator[Row]:
    """All measurements of this file beside a peer; in processor time, with one thread each."""
    from benchmarks.timing import pairs  # a test takes this file without its package

    for case in CASES:
        for dense in (False, True):
            peer = "numpy, signs times a table" if dense else "numpy, running sums of events"
            yield pairs(
                case.what, peer, numpy_test(case, dense), csig_test(case),
                scale=case.trials / case.some, rounds=5, clock=time.process_time,
            )  # fmt: skip
    yield pairs(
        "Clopper-Pearson limits of 100,000 lists", "scipy.special.betaincinv", *limits(100_000),
        rounds=3, clock=time.process_time,
    )  # fmt: skip


def seconds(function: Callable[[], object]) -> str:
    """By the clock, and of processors."""
    start, spent = time.perf_counter(), time.process_time()
    function()
    clock, own = time.perf_counter() - start, time.process_time() - spent
    return f"{clock:.2f} s ({own:.2f} s of processor time)"


def all_pairs(threads: int) -> str:
    """Nine methods: how long the comparison of all 36 pairs takes."""
    table = PAIRS.table(9)

    def run() -> None:
        csig.rank_methods(
            table, [name for name in table if name != "true"], PAIRS.lengths,
            n_resamples=PAIRS.trials, rng=1, threads=threads,
        )  # fmt: skip

    return seconds(run)


def main() -> None:
    """Print the tables."""
    from benchmarks.timing import table

    print(table(list(rows())))
    print()
    for threads in (1, 2):
        print(
            f"{PAIRS.trials:,} flips of {PAIRS.candidates:,} candidates at {len(PAIRS.lengths):,} "
            f"lengths, all 36 pairs of 9 methods, threads={threads}: {all_pairs(threads)}"
        )
    many = Case(MANY, range(10_000, MANY + 1, 10_000), 0, 2**16 - 1, 0)
    scores = many.table()
    for name, values in (("", scores["m0"]), (", scores of few values", np.floor(scores["m0"]))):
        one = {"true": scores["true"], "m0": values}
        print(
            f"{MANY:,} candidates{name}, all lengths, intervals and band: "
            f"{seconds(lambda one=one: csig.rankings.nbest_precision(one, 'm0'))}"  # type: ignore[misc]
        )
    print(f"{many.what}, threads=2: {seconds(csig_test(many, 2))}")


if __name__ == "__main__":
    main()
