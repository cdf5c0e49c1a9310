"""Shared sign flips against their replay, and against all sign vectors; their kernel."""

import itertools
import os
import signal
import sys
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from functools import cache
from threading import Lock
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import csig
from csig import InputError, replay, streams
from csig.engines.base import Block
from csig.engines.flips import BLOCK, FlipRun, draw_flips, flip_hits, in_steps
from csig_ext import dispatch
from csig_ext.flips import Flips


def table(seed: int, n: int, n_systems: int, most: int = 5) -> NDArray[np.int64]:
    """Some rows alike in all systems, and two systems that are the same."""
    found = np.random.default_rng(seed).integers(0, most, (n, n_systems))
    found[:, 0] += np.arange(n) % 2
    if n_systems > 3:
        found[:, -1] = found[:, 1]
    found[::7] = 3
    return found


@pytest.mark.parametrize("two_sided", [False, True])
@pytest.mark.parametrize("studentized", [False, True])
@pytest.mark.parametrize(
    ("n", "n_systems", "n_trials"), [(30, 4, 1000), (90, 7, 66_000), (9, 2, 63)]
)
def test_replay(n: int, n_systems: int, n_trials: int, studentized: bool, two_sided: bool) -> None:
    values = table(n, n, n_systems)
    found = flip_hits(
        values, np.triu_indices(n_systems, 1), streams.make_source(5), n_trials,
        two_sided=two_sided, studentized=studentized,
    )  # fmt: skip
    expected = replay.flips_hits(
        values.tolist(), n_trials, two_sided=two_sided, studentized=studentized, entropy=5
    )
    assert found.hits.tolist() == list(expected.values())


def test_replay_of_several_slabs() -> None:
    values = table(1, 9000, 3)
    found = flip_hits(values, np.triu_indices(3, 1), streams.make_source(1, "Philox"), 130)
    expected = replay.flips_hits(values.tolist(), 130, entropy=1, bit_generator=np.random.Philox)
    assert found.hits.tolist() == list(expected.values())


def test_pairs_with_equal_totals_stay_in_the_family() -> None:
    """Nothing is claimed of them, but both of their directions are among the others."""
    values = np.array([[3, 1, 1], [1, 0, 2], [2, 2, 0], [3, 1, 1], [2, 0, 2], [0, 2, 0]])
    assert values.sum(axis=0).tolist() == [11, 6, 6]
    for two_sided in (False, True):
        found = flip_hits(
            values, np.triu_indices(3, 1), streams.make_source(2), 2**16, two_sided=two_sided
        )
        expected = replay.flips_hits(values.tolist(), 2**16, two_sided=two_sided, entropy=2)
        assert found.hits.tolist() == list(expected.values())
        for pair, p in zip([(0, 1), (0, 2), (1, 2)], found.adjusted, strict=True):
            exact = float(brute(values, True, two_sided)[pair])
            assert abs(p - exact) <= 5 * (exact * (1 - exact) / 2**16) ** 0.5 + 2**-16


class Squared:
    """sign(D) D^2 / Q, or sign(D) D^2: ordered as the statistic itself, and exact."""

    def __init__(self, values: NDArray[np.int64], studentized: bool) -> None:
        rows = [[int(v) for v in row] for row in values]
        pairs = itertools.permutations(range(len(rows[0])), 2)
        self.d = {(j, k): [row[j] - row[k] for row in rows] for j, k in pairs}
        self.q = {
            pair: sum(d * d for d in own) if studentized else 1 for pair, own in self.d.items()
        }

    @cache  # noqa: B019
    def of(self, pair: tuple[int, int], signs: tuple[int, ...]) -> Fraction:
        total = sum(s * d for s, d in zip(signs, self.d[pair], strict=True))
        q = self.q[pair]
        return Fraction(total * abs(total), q) if q else Fraction(0)


def brute(
    values: NDArray[np.int64], studentized: bool, two_sided: bool
) -> dict[tuple[int, int], Fraction]:
    """Step-down maxT by its definition, over all sign vectors."""
    squared = Squared(values, studentized)
    ones = (1,) * len(values)
    every = list(itertools.product((1, -1), repeat=len(values)))
    claims = list(squared.d)
    if two_sided:
        claims = [(j, k) for j, k in claims if j < k]

    def size(pair: tuple[int, int], signs: tuple[int, ...]) -> Fraction:
        found = squared.of(pair, signs)
        return abs(found) if two_sided else found

    left = sorted(claims, key=lambda pair: (-size(pair, ones), pair))
    found, least = {}, Fraction(0)
    for r, pair in enumerate(left):
        observed = size(pair, ones)
        hits = sum(max(size(own, signs) for own in left[r:]) >= observed for signs in every)
        least = max(least, Fraction(hits, len(every)))
        found[pair] = least if observed else Fraction(1)
    return found


@pytest.mark.parametrize("two_sided", [False, True])
@pytest.mark.parametrize("studentized", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_all_sign_vectors(seed: int, studentized: bool, two_sided: bool) -> None:
    n_systems, n = 3 + seed % 2, 8
    values = np.random.default_rng(seed).integers(0, 4, (n, n_systems))
    values[:, 0] += 1
    values[:, 1] += np.arange(n) % 2
    expected = brute(values, studentized, two_sided)
    trials = 2**16
    found = flip_hits(
        values, np.triu_indices(n_systems, 1), streams.make_source(seed), trials,
        two_sided=two_sided, studentized=studentized,
    )  # fmt: skip
    totals = values.sum(axis=0)
    for (j, k), p in zip(itertools.combinations(range(n_systems), 2), found.adjusted, strict=True):
        exact = float(expected[(j, k) if two_sided or totals[j] >= totals[k] else (k, j)])
        assert abs(p - exact) <= 5 * (exact * (1 - exact) / trials) ** 0.5 + 1 / trials


@pytest.mark.parametrize("studentized", [False, True])
def test_two_systems_are_the_two_system_test(studentized: bool) -> None:
    """With the words of engine 0, hit for hit."""
    values = table(3, 60, 2)
    result = csig.randomization_test(
        csig.Comparison.from_scores(values[:, 0], values[:, 1]),
        "mean", method="approximate", n_resamples=10_000, rng=7,
    )  # fmt: skip
    found = replay.flips_hits(
        values.tolist(), 10_000, two_sided=True, studentized=studentized, engine=0, entropy=7
    )
    assert found == {(0, 1): result.n_hits}


def test_single_hits_are_two_sided() -> None:
    values = table(4, 40, 4)
    found = flip_hits(values, np.triu_indices(4, 1), streams.make_source(2), 2**16)
    for (j, k), hits in zip(itertools.combinations(range(4), 2), found.single, strict=True):
        comparison = csig.Comparison.from_scores(values[:, j], values[:, k])
        p = csig.randomization_test(comparison, "mean", method="exact").pvalue
        assert abs(hits / 2**16 - p) <= 5 * (p * (1 - p) / 2**16) ** 0.5


def test_slack_is_what_a_difference_may_stay_below() -> None:
    values = table(6, 50, 4)
    pairs = np.triu_indices(4, 1)
    slack = np.array([0.0, 2, 5, 4, 0, 1000])
    asked, order = in_steps(values, pairs, slack=slack)
    plain, same = in_steps(values, pairs)
    assert order.tolist() == same.tolist()
    weights, expected = plain.weights, plain.least - slack[order] * plain.weights
    assert asked.weights.tolist() == weights.tolist()
    assert asked.least == pytest.approx(np.maximum(expected, 0))
    found = flip_hits(values, pairs, streams.make_source(1), 999, slack=slack)
    alone = flip_hits(values, pairs, streams.make_source(1), 999)
    assert found.hits[-1] == 999
    assert (found.hits >= alone.hits).all()
    assert (found.single > alone.single)[[1, 2, 3]].all()


@pytest.mark.parametrize("size", [1, 2**19, 2**20, 2**26, 2**33, 2**41])
def test_weights_are_of_exact_sums_of_squares(size: int) -> None:
    rng = np.random.default_rng(size)
    values = rng.integers(-size, size, (700, 4), endpoint=True)
    asked, order = in_steps(values, np.triu_indices(4, 1))
    rows = values.tolist()
    for r, (j, k) in enumerate(itertools.combinations(range(4), 2)):
        square = sum((row[j] - row[k]) ** 2 for row in rows)
        assert asked.weights[np.flatnonzero(order == r)[0]] == 1 / np.sqrt(float(square))


def test_systems_that_are_the_same_make_no_claim() -> None:
    values = np.repeat(np.arange(6)[:, None], 3, axis=1)
    values[:, 2] = 0
    found = flip_hits(values, np.triu_indices(3, 1), streams.make_source(1), 99)
    assert found.adjusted[0] == 1
    assert found.hits[0] == found.single[0] == 99


def test_nothing_differs() -> None:
    values = np.ones((5, 3), dtype=np.int64)
    found = flip_hits(values, np.triu_indices(3, 1), streams.make_source(1), 99)
    assert found.adjusted.tolist() == [1, 1, 1]


def test_progress_is_told() -> None:
    told: list[tuple[int, int]] = []
    flip_hits(
        table(1, 9, 3), np.triu_indices(3, 1), streams.make_source(1), 150,
        notify=lambda done, total: told.append((done, total)),
    )  # fmt: skip
    assert told[-1] == (150, 150)
    assert told == sorted(told)


def test_too_large_sums() -> None:
    values = np.array([[2**51, 0], [2**51, 0]])
    with pytest.raises(InputError, match=r"2\^52"):
        flip_hits(values, np.triu_indices(2, 1), streams.make_source(1), 9)


# ---- the kernel: generators, threads, instruction sets, lanes ------------------------------------

#: Largest scores, and the bits of the lanes that hold their sums.
WIDTHS = {1: 16, 9: 16, 60_000: 32, 2**24: 64, 2**40: 64}

#: Scores of seven rows, of which two are alike.
FEW = np.array([[3, 1], [0, 2], [5, 5], [9, 2], [4, 4], [1, 0], [7, 2]])


def wide(n: int, n_systems: int, most: int = 1, seed: int = 0) -> NDArray[np.int64]:
    """Scores from -1 on, some of which are nearly the largest; the first system is the best."""
    rng = np.random.default_rng([seed, n, n_systems, most])
    found = rng.integers(0, most, (n, n_systems), endpoint=True) - 1
    found[:, 0] += rng.integers(0, 2, n) * (1 + most // 4)
    return found


def counted(
    values: NDArray[np.int64],
    n_trials: int,
    *,
    generator: Any = None,
    threads: int = 1,
    isa: str | None = None,
    first_chunk: int = 0,
    **options: bool,
) -> list[int]:
    """The hits, pair after pair."""
    asked, order = in_steps(values, np.triu_indices(values.shape[1], 1), **options)
    source = streams.make_source(5, generator)
    run = FlipRun(source, asked.laid_out(isa), n_trials, threads, first_chunk=first_chunk)
    run()
    hits = np.empty_like(run.hits)
    hits[order] = np.where(asked.least > 0, run.hits, n_trials - first_chunk * streams.CHUNK)
    return hits.tolist()


def replayed(values: NDArray[np.int64], n_trials: int, **options: Any) -> list[int]:
    generator = options.pop("generator", np.random.PCG64DXSM)
    found = replay.flips_hits(
        values.tolist(), n_trials, entropy=5, bit_generator=generator, **options
    )
    return list(found.values())


@pytest.mark.parametrize("isa", dispatch.available)
@pytest.mark.parametrize("most", WIDTHS)
@pytest.mark.parametrize("two_sided", [False, True])
def test_every_width_with_every_instruction_set(two_sided: bool, most: int, isa: str) -> None:
    """More than one piece of rows, and slices that are not full."""
    values = wide(530, 11, most)
    asked, _ = in_steps(values, np.triu_indices(11, 1))
    assert asked.laid_out(isa).width == WIDTHS[most]
    found = counted(values, 2100, isa=isa, two_sided=two_sided)
    assert found == replayed(values, 2100, two_sided=two_sided)


@pytest.mark.parametrize("isa", dispatch.available)
def test_lanes_that_are_emptied_on_the_way(isa: str) -> None:
    """Differences of 100 fill lanes of 16 bits after 655 rows, those of 2^22 fill 32 bits."""
    for most, width in ((100, 16), (2**22, 32)):
        values = wide(1700, 3, most)
        asked, _ = in_steps(values, np.triu_indices(3, 1))
        assert asked.laid_out(isa).width == width
        assert counted(values, 100, isa=isa) == replayed(values, 100)


@pytest.mark.parametrize("n_systems", [2, 3, 4, 5, 8, 9, 16, 17, 31, 32, 33, 64, 65, 70])
def test_numbers_of_systems(n_systems: int) -> None:
    for most in (1, 60_000):
        values = wide(21, n_systems, most)
        assert counted(values, 130) == replayed(values, 130)


@pytest.mark.parametrize("n", [1, 2, 7, 8, 9, 15, 16, 17, 511, 512, 513])
def test_numbers_of_rows(n: int) -> None:
    values = wide(n, 4, 9, seed=n)
    values[:, 0] += 1
    for isa in dispatch.available:
        assert counted(values, 64, isa=isa) == replayed(values, 64)


@pytest.mark.parametrize("n_trials", [1, 31, 32, 33, 63, 65, 2047, 2049, BLOCK + 1, 65_537])
def test_numbers_of_trials(n_trials: int) -> None:
    values = wide(20, 4, 5)
    expected = replayed(values, n_trials)
    for threads in (1, 2, 5):
        assert counted(values, n_trials, threads=threads) == expected


@pytest.mark.parametrize("generator", ["PCG64DXSM", "PCG64", "Philox", "SFC64", "MT19937"])
def test_generators_and_threads(generator: str) -> None:
    values = wide(37, 6, 3)
    kind = getattr(np.random, generator)
    expected = replayed(values, 70_000, generator=kind)
    for threads in (1, 2, 5):
        assert counted(values, 70_000, generator=generator, threads=threads) == expected
    for isa in dispatch.available:
        own = counted(values, 130, generator=generator, isa=isa)
        assert own == replayed(values, 130, generator=kind)


def test_a_generator_of_the_users_own() -> None:
    def make(seed: np.random.SeedSequence) -> np.random.BitGenerator:
        return np.random.SFC64(seed)

    values = wide(30, 3, 3)
    expected = replayed(values, 300, generator=np.random.SFC64)
    assert counted(values, 300, generator=make) == expected


@pytest.mark.parametrize(
    "n", [140_000, pytest.param(4_200_000, marks=pytest.mark.slow)], ids=["some", "one"]
)
def test_groups_that_do_not_fit_the_buffer(n: int) -> None:
    """A generator that cannot jump fills a buffer with some groups, or with a part of one."""

    def make(seed: np.random.SeedSequence) -> np.random.BitGenerator:
        return np.random.PCG64DXSM(seed)

    values = np.zeros((n, 2), dtype=np.int64)
    values[:, 1] = np.arange(n) % 5 - 2
    values[0] = 900, 0
    n_trials = 2**20 // (n // 280)
    assert counted(values, n_trials) == counted(values, n_trials, generator=make)


def test_chunks_stand_for_themselves() -> None:
    values = wide(9, 3, 3)
    both = counted(values, 66_000)
    first = counted(values, streams.CHUNK)
    second = counted(values, 66_000, first_chunk=1)
    assert both == [x + y for x, y in zip(first, second, strict=True)]
    assert second == replayed(values, 66_000 - streams.CHUNK, first_chunk=1)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_job_draws_what_it_was_made_from(threads: int) -> None:
    values = wide(40, 5, 2**30)
    asked, order = in_steps(values, np.triu_indices(5, 1))
    given: Any = streams.make_source(5), asked, Block(0, 0, 1, 3000), False, threads, Lock()
    _, hits = draw_flips(*given)
    assert hits[np.argsort(order)].tolist() == replayed(values, 3000)


def test_workers_of_an_executor() -> None:
    values = wide(12, 4, 3)
    pairs = np.triu_indices(4, 1)
    source = streams.make_source(5)
    told: list[tuple[int, int]] = []
    with ThreadPoolExecutor(2) as executor:
        found = flip_hits(
            values, pairs, source, 200_000, executor=executor,
            notify=lambda done, total: told.append((done, total)),
        )  # fmt: skip
    alone = flip_hits(values, pairs, source, 200_000)
    assert found.hits.tolist() == alone.hits.tolist()
    assert found.single.tolist() == alone.single.tolist()
    assert told[-1] == (200_000, 200_000)


def test_an_executor_that_was_shut_down() -> None:
    executor = ThreadPoolExecutor(1)
    executor.shutdown()
    with pytest.raises(InputError, match="failed after 0 of 99 flips"):
        flip_hits(FEW, np.triu_indices(2, 1), streams.make_source(1), 99, executor=executor)


def test_a_stop_flag_is_seen() -> None:
    asked, _ = in_steps(wide(50, 3, 3), np.triu_indices(3, 1))
    source = streams.make_source(1)
    run = FlipRun(source, asked.laid_out(), 10_000, 1)
    run.pool.stop[0] = 1
    flips = run.kernel
    assert not flips.count(
        "PCG64DXSM", source.assembled("systems", 0), 0, 0, 64, flips.workspace("PCG64DXSM"),
        run.hits, run.single, run.pool.stop,
    )  # fmt: skip
    run()
    assert not run.hits.any()


@pytest.mark.skipif(sys.platform == "win32", reason="os.kill ends the process there")
def test_ctrl_c_ends_a_long_run() -> None:
    values = wide(3000, 40, 60_000)

    def press(done: int, total: int) -> None:
        os.kill(os.getpid(), signal.SIGINT)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            flip_hits(
                values, np.triu_indices(40, 1), streams.make_source(1), 2**40, notify=press
            )  # hours
    finally:
        signal.signal(signal.SIGINT, before)


def test_what_the_kernel_refuses() -> None:
    asked, _ = in_steps(FEW, np.triu_indices(2, 1))
    one, zero = np.ones(1), np.zeros(1, dtype=np.int32)
    with pytest.raises(ValueError, match="no rows"):
        Flips(FEW[:0], zero, zero, one, one, False, 0)
    with pytest.raises(ValueError, match="different lengths"):
        Flips(FEW, zero, zero, one, np.ones(2), False, 0)
    with pytest.raises(ValueError, match="other systems"):
        Flips(FEW, zero, zero + 2, one, one, False, 0)
    flips = asked.laid_out()
    small = np.zeros(1, dtype=np.uint64), np.zeros(1)
    hits = np.zeros(1, dtype=np.int64)
    with pytest.raises(ValueError, match="buffer too small"):
        flips.count(
            "Philox", streams.make_source(1).assembled("systems", 0), 0, 0, 64, small, hits, hits,
            np.zeros(1, dtype=np.int32),
        )  # fmt: skip
