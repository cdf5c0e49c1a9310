"""Shared sign flips against their replay, and against all sign vectors; their kernel."""

import itertools
import operator
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from numpy.typing import NDArray

import csig
from csig import InputError, replay, streams
from csig.engines.flips import BLOCK, FlipRun, flip_hits, in_steps
from csig_ext import dispatch
from csig_ext.flips import Flips


def table(seed: int, n: int, n_systems: int) -> NDArray[np.int64]:
    """Some rows alike in all systems, and two systems that are the same."""
    found = np.random.default_rng(seed).integers(0, 5, (n, n_systems))
    found[:, 0] += np.arange(n) % 2
    found[:, -1] = found[:, 1]
    found[::7] = 3
    return found


PAIRS = {k: np.triu_indices(k, 1) for k in (2, 3, 4, 7, 40)}


def flipped(values: NDArray[np.int64], n_trials: int, seed: Any, **options: Any) -> Any:
    """The hits of all pairs, with words of this seed."""
    source = seed if isinstance(seed, streams.Source) else streams.make_source(seed)
    return flip_hits(values, PAIRS[values.shape[1]], source, n_trials, **options)


def within(found: float, exact: Fraction, n_trials: int) -> bool:
    """Whether a share of trials is near the exact one."""
    p = float(exact)
    return abs(found - p) <= 5 * (p * (1 - p) / n_trials) ** 0.5 + 1 / n_trials


def brute(
    values: NDArray[np.int64], studentized: bool, two_sided: bool
) -> dict[tuple[int, int], Fraction]:
    """Step-down maxT by its definition, over all sign vectors; of signed D^2 / Q, or D^2."""
    rows, systems, sizes = values.tolist(), range(values.shape[1]), {}
    every = list(itertools.product((1, -1), repeat=len(rows)))
    for j, k in (itertools.combinations if two_sided else itertools.permutations)(systems, 2):
        d = [row[j] - row[k] for row in rows]
        q = sum(x * x for x in d) if studentized else 1
        totals = [sum(map(operator.mul, signs, d)) for signs in every]
        squares = [Fraction(total * abs(total), q or 1) for total in totals]
        sizes[j, k] = [abs(own) for own in squares] if two_sided else squares
    left = sorted(sizes, key=lambda pair: (-sizes[pair][0], pair))
    found, least = {}, Fraction(0)
    for r, pair in enumerate(left):
        observed = sizes[pair][0]
        largest = map(max, zip(*(sizes[own] for own in left[r:]), strict=True))
        least = max(least, Fraction(sum(own >= observed for own in largest), len(every)))
        found[pair] = least if observed else Fraction(1)
    return found


#: The last two systems of the last one have equal totals: nothing is claimed of them, but both of
#: their directions are among the others.
TABLES = [
    np.random.default_rng(0).integers(0, 4, (8, 3)) + np.eye(1, 3, dtype=int),
    np.random.default_rng(1).integers(0, 4, (8, 4)) + np.eye(1, 4, dtype=int),
    np.array([[3, 1, 1], [1, 0, 2], [2, 2, 0], [3, 1, 1], [2, 0, 2], [0, 2, 0]]),
]


@pytest.mark.parametrize("two_sided", [False, True])
@pytest.mark.parametrize("studentized", [False, True])
@pytest.mark.parametrize("values", TABLES)
def test_all_sign_vectors(values: Any, studentized: bool, two_sided: bool) -> None:
    sides = {"two_sided": two_sided, "studentized": studentized}
    expected = brute(values, studentized, two_sided)
    found = flipped(values, 2**16, 1, **sides)
    hits = replay.flips_hits(values.tolist(), 2**16, entropy=1, **sides)
    assert found.hits.tolist() == list(hits.values())
    totals, pairs = values.sum(axis=0), itertools.combinations(range(values.shape[1]), 2)
    for (j, k), p, alone in zip(pairs, found.adjusted, found.single, strict=True):
        pair = (j, k) if two_sided or totals[j] >= totals[k] else (k, j)
        assert within(p, expected[pair], 2**16)
        comparison = csig.Comparison.from_scores(values[:, j], values[:, k])
        exact = csig.randomization_test(comparison, "mean", method="exact").pvalue
        assert within(alone / 2**16, Fraction(exact), 2**16)


def test_two_systems_are_the_two_system_test() -> None:
    """With the words of engine 0, hit for hit."""
    values = table(3, 60, 2)
    result = csig.randomization_test(
        csig.Comparison.from_scores(*values.T),
        "mean", method="approximate", n_resamples=10_000, rng=7,
    )  # fmt: skip
    options = {"two_sided": True, "engine": 0, "entropy": 7}
    for studentized in (False, True):
        found = replay.flips_hits(values.tolist(), 10_000, studentized=studentized, **options)
        assert found == {(0, 1): result.n_hits}


def test_slack_is_what_a_difference_may_stay_below() -> None:
    values = table(6, 50, 4)
    slack = np.array([0.0, 2, 5, 4, 0, 1000])
    asked, order = in_steps(values, PAIRS[4], slack=slack)
    plain, same = in_steps(values, PAIRS[4])
    assert order.tolist() == same.tolist()
    assert asked.weights.tolist() == plain.weights.tolist()
    expected = plain.least - slack[order] * plain.weights
    assert asked.least == pytest.approx(np.maximum(expected, 0))
    found, alone = flipped(values, 999, 1, slack=slack), flipped(values, 999, 1)
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


def test_too_large_sums_and_systems_that_are_the_same() -> None:
    values = np.repeat(np.arange(6)[:, None], 3, axis=1) * [1, 1, 0]
    found = flipped(values, 99, 1)
    assert (found.adjusted[0], found.hits[0], found.single[0]) == (1, 99, 99)
    with pytest.raises(InputError, match=r"2\^52"):
        flipped(np.array([[2**51, 0], [2**51, 0]]), 9, 1)


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
    with patch.object(dispatch, "chosen", isa or dispatch.chosen):
        run = FlipRun(source, asked.kernel, n_trials, threads, first_chunk=first_chunk)
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


#: Largest scores, rows, and the bits of the lanes that hold their sums: differences of 100 fill
#: lanes of 16 bits after 655 rows, those of 2^22 fill 32 bits.
WIDTHS = [(1, 530, 16), (9, 530, 16), (100, 1700, 16), (60_000, 530, 32), (2**22, 1700, 32),
          (2**24, 530, 64), (2**40, 530, 64)]  # fmt: skip


@pytest.mark.parametrize(("most", "n", "width"), WIDTHS)
def test_every_width_with_every_instruction_set(most: int, n: int, width: int) -> None:
    """More than one piece of rows, and slices that are not full."""
    values = wide(n, 11, most)
    asked, _ = in_steps(values, np.triu_indices(11, 1))
    for two_sided in (False, True):
        expected = replayed(values, 300, two_sided=two_sided)
        for isa in dispatch.available:
            assert asked.kernel.width == width
            assert counted(values, 300, isa=isa, two_sided=two_sided) == expected


SHAPES = [
    *((21, k, 130) for k in (2, 3, 4, 5, 8, 9, 16, 17, 31, 32, 33, 64, 65, 70)),
    *((n, 4, 64) for n in (1, 2, 7, 8, 9, 15, 16, 17, 511, 512, 513, 9000)),
    *((20, 4, t) for t in (1, 31, 32, 33, 63, 65, 2047, 2049, BLOCK + 1, 65_537)),
]


@pytest.mark.parametrize(("n", "n_systems", "n_trials"), SHAPES)
def test_every_shape(n: int, n_systems: int, n_trials: int) -> None:
    for most in (1, 60_000) if n_trials < 2000 else (5,):
        values = wide(n, n_systems, most, seed=n)
        expected = replayed(values, n_trials)
        for isa in dispatch.available:
            assert counted(values, n_trials, isa=isa) == expected
        for threads in (2, 5):
            assert counted(values, n_trials, threads=threads) == expected


@pytest.mark.parametrize("generator", ["PCG64", "Philox", "SFC64", "MT19937", np.random.SFC64])
def test_generators_threads_and_chunks(generator: Any) -> None:
    values, n = wide(37, 6, 3), 66_000
    kind = generator if callable(generator) else getattr(np.random, generator)
    expected = replayed(values, n, generator=kind)
    for threads, isa in itertools.zip_longest((1, 2, 5), dispatch.available):
        assert counted(values, n, generator=generator, threads=threads or 1, isa=isa) == expected
    second = counted(values, n, generator=generator, first_chunk=1)
    assert second == replayed(values, n - streams.CHUNK, generator=kind, first_chunk=1)


@pytest.mark.parametrize("n", [140_000, pytest.param(4_200_000, marks=pytest.mark.slow)])
def test_groups_that_do_not_fit_the_buffer(n: int) -> None:
    """A generator that cannot jump fills a buffer with some groups, or with a part of one."""
    values = np.zeros((n, 2), dtype=np.int64)
    values[:, 1] = np.arange(n) % 5 - 2
    values[0] = 900, 0
    n_trials = 2**20 // (n // 280)
    own = counted(values, n_trials, generator=lambda seed: np.random.PCG64DXSM(seed))
    assert own == counted(values, n_trials)


def test_workers_of_an_executor() -> None:
    values = wide(12, 4, 3)
    told: list[list[tuple[int, int]]] = [[], []]
    with ThreadPoolExecutor(2) as executor:
        found, alone = (
            flipped(
                values, 200_000, 5, executor=own, notify=lambda *done, i=i: told[i].append(done)
            )
            for i, own in enumerate((executor, None))
        )
    assert found.hits.tolist() == alone.hits.tolist()
    assert found.single.tolist() == alone.single.tolist()
    assert told[0][-1] == told[1][-1] == (200_000, 200_000)
    assert told == [sorted(own) for own in told]
    with pytest.raises(InputError, match="failed after 0 of 99 flips"):
        flipped(FEW, 99, 1, executor=executor)  # it was shut down


def test_a_stop_flag_is_seen() -> None:
    asked, _ = in_steps(wide(50, 3, 3), np.triu_indices(3, 1))
    source = streams.make_source(1)
    run = FlipRun(source, asked.kernel, 10_000, 1)
    run.pool.stop[0] = 1
    flips = run.kernel
    assert not flips.count(
        "PCG64DXSM", source.assembled("systems", 0), 0, 0, 64, flips.workspace("PCG64DXSM"),
        run.hits, run.single, run.pool.stop,
    )  # fmt: skip
    run()
    assert not run.hits.any()


def test_ctrl_c_ends_a_long_run(press: Any) -> None:
    with pytest.raises(KeyboardInterrupt):
        flipped(wide(3000, 40, 60_000), 2**40, 1, notify=press)  # hours


def test_what_the_kernel_refuses() -> None:
    one, zero = np.ones(1), np.zeros(1, dtype=np.int32)
    for values, second, least, message in (
        (FEW[:0], zero, one, "no rows"),
        (FEW, zero, np.ones(2), "different lengths"),
        (FEW, zero + 2, one, "other systems"),
    ):
        with pytest.raises(ValueError, match=message):
            Flips(values, zero, second, one, least, False, 0)
    asked, _ = in_steps(FEW, PAIRS[2])
    entropy, hits = streams.make_source(1).assembled("systems", 0), np.zeros(1, dtype=np.int64)
    small = np.zeros(1, dtype=np.uint64), np.zeros(1)
    with pytest.raises(ValueError, match="buffer too small"):
        asked.kernel.count("Philox", entropy, 0, 0, 64, small, hits, hits, zero)
