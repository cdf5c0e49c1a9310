"""The kernel of flips against the replay: generators, threads, instruction sets, lanes."""

from __future__ import annotations

import os
import signal
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from csig import InputError, replay, streams
from csig.engines.flips import BLOCK, Flipping, FlipRun, flip_hits, in_steps
from csig_ext import dispatch
from csig_ext.flips import Flips

#: Largest scores, and the bits of the lanes that hold their sums.
WIDTHS = {1: 16, 9: 16, 60_000: 32, 2**24: 64, 2**40: 64}

#: Scores of seven rows, of which two are alike.
FEW = np.array([[3, 1], [0, 2], [5, 5], [9, 2], [4, 4], [1, 0], [7, 2]])


def table(n: int, n_systems: int, most: int = 1, seed: int = 0) -> NDArray[np.int64]:
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
    values = table(530, 11, most)
    asked, _ = in_steps(values, np.triu_indices(11, 1))
    assert asked.laid_out(isa).width == WIDTHS[most]
    found = counted(values, 2100, isa=isa, two_sided=two_sided)
    assert found == replayed(values, 2100, two_sided=two_sided)


@pytest.mark.parametrize("isa", dispatch.available)
def test_lanes_that_are_emptied_on_the_way(isa: str) -> None:
    """Differences of 100 fill lanes of 16 bits after 655 rows, those of 2^22 fill 32 bits."""
    for most, width in ((100, 16), (2**22, 32)):
        values = table(1700, 3, most)
        asked, _ = in_steps(values, np.triu_indices(3, 1))
        assert asked.laid_out(isa).width == width
        assert counted(values, 100, isa=isa) == replayed(values, 100)


@pytest.mark.parametrize("n_systems", [2, 3, 4, 5, 8, 9, 16, 17, 31, 32, 33, 64, 65, 70])
def test_numbers_of_systems(n_systems: int) -> None:
    for most in (1, 60_000):
        values = table(21, n_systems, most)
        assert counted(values, 130) == replayed(values, 130)


@pytest.mark.parametrize("n", [1, 2, 7, 8, 9, 15, 16, 17, 511, 512, 513])
def test_numbers_of_rows(n: int) -> None:
    values = table(n, 4, 9, seed=n)
    values[:, 0] += 1
    for isa in dispatch.available:
        assert counted(values, 64, isa=isa) == replayed(values, 64)


@pytest.mark.parametrize("n_trials", [1, 31, 32, 33, 63, 65, 2047, 2049, BLOCK + 1, 65_537])
def test_numbers_of_trials(n_trials: int) -> None:
    values = table(20, 4, 5)
    expected = replayed(values, n_trials)
    for threads in (1, 2, 5):
        assert counted(values, n_trials, threads=threads) == expected


@pytest.mark.parametrize("generator", ["PCG64DXSM", "PCG64", "Philox", "SFC64", "MT19937"])
def test_generators_and_threads(generator: str) -> None:
    values = table(37, 6, 3)
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

    values = table(30, 3, 3)
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
    values = table(9, 3, 3)
    both = counted(values, 66_000)
    first = counted(values, streams.CHUNK)
    second = counted(values, 66_000, first_chunk=1)
    assert both == [x + y for x, y in zip(first, second, strict=True)]
    assert second == replayed(values, 66_000 - streams.CHUNK, first_chunk=1)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_job_draws_what_it_was_made_from(threads: int) -> None:
    from csig.engines.base import Block

    values = table(40, 5, 2**30)
    asked, order = in_steps(values, np.triu_indices(5, 1))
    job = Flipping(streams.make_source(5), asked)
    _, hits = job.draw(Block(0, 0, 1, 3000), False, threads)
    assert hits[np.argsort(order)].tolist() == replayed(values, 3000)


def test_workers_of_an_executor() -> None:
    values = table(12, 4, 3)
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
    asked, _ = in_steps(table(50, 3, 3), np.triu_indices(3, 1))
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
    values = table(3000, 40, 60_000)

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
