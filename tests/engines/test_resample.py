"""The resample engine against its replay in pure numpy, sum for sum."""

import functools
import sys
from fractions import Fraction
from unittest.mock import patch

import numpy as np
import pytest
from drawn import examples
from hypothesis import given
from hypothesis import strategies as st
from numpy.random import MT19937, PCG64, PCG64DXSM, SFC64, Philox

from csig import InputError, replay
from csig.engines.resample import Resampler, chunk_size, n_chunks, scores
from csig.streams import make_source
from csig_ext import dispatch
from csig_ext import resample as kernel
from csig_ext.resample import Rows, Walk

GENERATORS = {g.__name__: g for g in (PCG64DXSM, PCG64, Philox, SFC64, MT19937)}
LARGEST = 2**61


def sums_of(rows, n, rng=1, *, threads=1, run=0, first=0, **options):
    """All sums of a run, (resamples, columns); those that were not drawn stay 0."""
    found = np.zeros((n, rows.shape[1]), dtype=np.int64)
    seen = []

    def take(start, sums):
        assert sums.shape[0] == rows.shape[1]
        assert 1 <= sums.shape[1] <= 2**14
        assert all(row.flags.c_contiguous for row in sums)
        found[start : start + sums.shape[1]] = sums.T
        seen.append((start, sums.shape[1]))

    source = rng if not isinstance(rng, int) else make_source(rng)
    Resampler(source, run, rows, n, threads, **options)(take)
    covered = [t for start, m in seen for t in range(start, start + m)]
    assert sorted(covered) == list(range(min(covered), max(covered) + 1))
    return found


def table(n, k, high, low=0, seed=0):
    return np.random.default_rng([n, k, seed]).integers(low, high, (n, k), endpoint=True)


# Both sizes of pieces, without and with many rejections; one resample and several chunks.
SIZES = [(1, 70_000), (2, 300), (3, 66_000), (10, 3000), (100, 700), (255, 300), (2000, 200),
         (32_768, 8), (32_769, 8), (50_000, 7), (2**16, 6), (2**16 + 1, 6),
         (200_003, 3)]  # fmt: skip


def by_every_isa(rows, expected, *arguments, **options):
    for isa in dispatch.available:
        with patch.object(dispatch, "chosen", isa):
            found = sums_of(rows, len(expected), *arguments, **options)
        np.testing.assert_array_equal(found, expected, isa)


@pytest.mark.parametrize(("n", "resamples"), SIZES)
def test_every_size_and_instruction_set(n, resamples):
    rows = table(n, 4, 40)
    by_every_isa(rows, replay.resample_sums(rows, resamples, entropy=5, run=3), 5, run=3)


def test_every_number_of_columns():
    """From all columns in one word to a word for each, and constant columns in between."""
    for k in (*range(1, 10), 17, 40):
        for n, high in ((7, 1), (300, 40), (300, 10**5), (300, 2**40), (300, LARGEST // 301)):
            rows = table(n, k, high, -high)
            rows[:, k // 2] = -high if k > 1 else rows[:, 0]
            by_every_isa(rows, replay.resample_sums(rows, 50, entropy=2), 2)


@pytest.mark.usefixtures("_every_isa")
def test_fields_are_unpacked_before_they_overflow():
    """Half of the units have the greatest value, and resamples are longer than a field has room."""
    n = 20_000
    rows = np.zeros((n, 4), dtype=np.int64)
    rows[::2] = [63, 1, 1023, 31]
    words, draws = Rows(rows).layout
    assert words == 1
    assert draws < n
    expected = replay.resample_sums(rows, 20, entropy=4)
    np.testing.assert_array_equal(sums_of(rows, 20, 4), expected)
    assert (sums_of(rows + 1, 20, 4) == expected + n).all()
    bits = np.array([[0], [1], [1]])  # a word for itself has room for 2^64 - 1 draws
    expected = replay.resample_sums(bits, 40, entropy=4)
    np.testing.assert_array_equal(sums_of(bits, 40, 4), expected)
    rows[:] = [63, 1, 1023, 31]
    rows[0] = 0
    assert (sums_of(rows, 2, 4) > 0.99 * n * rows[1]).all()


@examples(200)
@given(data=st.data())
def test_any_integers_are_summed(data):
    """Sums of Python's integers, which are as large as they like."""
    n = data.draw(st.integers(1, 12))
    k = data.draw(st.integers(1, 5))
    high = (LARGEST - 1) // n
    number = st.one_of(st.integers(-high, high), st.integers(-3, 3), st.sampled_from([-high, high]))
    rows = data.draw(st.lists(st.lists(number, min_size=k, max_size=k), min_size=n, max_size=n))
    with patch.object(dispatch, "chosen", data.draw(st.sampled_from(dispatch.available))):
        found = sums_of(np.array(rows), 9, 3)
    (units,) = replay.resample_indices(n, 9, entropy=3)
    for drawn, sums in zip(units.tolist(), found.tolist(), strict=True):
        assert sums == [sum(rows[i][c] for i in drawn) for c in range(k)]


@functools.cache
def replayed(generator, n, resamples):
    """The same for every number of threads."""
    made = GENERATORS.get(generator, generator)
    rows = table(n, 3, 99)
    return replay.resample_sums(
        rows, resamples, entropy=99, spawn_key=(7,), bit_generator=made, run=1
    )


def xoshiro(seed):
    """A generator of another package."""
    return pytest.importorskip("randomgen").Xoshiro256(seed)


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize(
    "generator", [*GENERATORS, xoshiro], ids=lambda g: getattr(g, "__name__", g)
)
@pytest.mark.parametrize(("n", "resamples"), [(3, 2 * 2**16 + 77), (700, 200), (70_000, 3)])
def test_every_generator_and_number_of_threads(n, resamples, generator, threads):
    """Small units have large chunks, so that three of them are drawn in no time."""
    source = make_source(np.random.SeedSequence(99, spawn_key=(7,)), generator)
    found = sums_of(table(n, 3, 99), resamples, source, threads=threads, run=1)
    np.testing.assert_array_equal(found, replayed(generator, n, resamples))


def test_any_blocks_of_chunks_are_the_same_resamples(monkeypatch):
    """Among other processes, a run is cut as anybody likes; progress counts resamples."""
    monkeypatch.setattr("csig.engines.resample.MOST_CHUNKS", 3)
    n, size = 2, chunk_size(2)
    rows, told, taken = table(n, 2, 40), [], []
    total = 2 * size + 100
    assert n_chunks(n, total) == 3
    source = make_source(2, "Philox")
    every = sums_of(rows, total, source)
    parts = [sums_of(rows, total, source, first_chunk=c, chunks=m) for c, m in ((0, 1), (1, 9))]
    assert not parts[0][size:].any()
    assert not parts[1][:size].any()
    np.testing.assert_array_equal(sum(parts), every)
    later = replay.resample_sums(rows, 5, first_chunk=2, entropy=2, bit_generator=Philox)
    np.testing.assert_array_equal(every[2 * size :][:5], later)
    run = Resampler(source, 0, rows, total, 2, first_chunk=3, chunks=1)
    run(lambda *block: taken.append(block))
    assert not taken
    Resampler(source, 0, rows, total, 2, lambda *at: told.append(at))(lambda *_: None)
    assert told[-1] == (total, total)
    with pytest.raises(InputError, match=f"n_resamples: at most {3 * size} resamples of 2 units"):
        Resampler(source, 0, rows, 3 * size + 1, 2)


@pytest.mark.parametrize("n", [1, 2, 3, 100, 255, 256, 257, 2**16, 2**16 + 1, 2**24, 2**24 + 1])
def test_chunks_hold_as_much_as_the_contract_says(n):
    size = chunk_size(n)
    assert size == replay.resample_chunk(n)
    assert size == 1 or size * n <= 2**24
    assert size == 2**16 or 2 * size * n > 2**24
    assert n_chunks(n, size) == 1
    assert n_chunks(n, size + 1) == 2


@pytest.mark.parametrize("threads", [1, 2])
def test_an_error_in_take_ends_the_run(threads):
    def take(start, sums):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        Resampler(make_source(1), 0, table(300, 2, 9), 200_000, threads)(take)


@pytest.mark.usefixtures("_every_isa")
def test_what_is_stopped_draws_nothing():
    run = Resampler(make_source(1), 0, np.ones((100, 1), dtype=np.int64), 9, 1)
    run.stop[0] = 1
    run(lambda *_: pytest.fail("a block was handed over"))
    walk = Walk(run.rows, run.source.name, run.source.assembled("resample", 0), 0, run.isa)
    sums = np.full((1, 9), 77, dtype=np.int64)
    assert not walk.next(9, sums, run.stop)
    assert (sums == 77).all()


@pytest.mark.usefixtures("_every_isa")
@pytest.mark.parametrize("generator", GENERATORS)
def test_a_stop_between_the_resamples_of_a_block(generator):
    """The flag is a part of the sums, which the first resample sets."""
    n, most = 2**13, 4096
    rows = Rows(np.arange(n).reshape(n, 1))
    sums = np.zeros((1, most), dtype=np.int64)
    stop = sums.view(np.int32)[0, 0 if sys.byteorder == "little" else 1 :]
    source = make_source(1, generator)
    made, entropy = generator, source.assembled("resample", 0)
    if not source.native:
        made, entropy = source.bit_generator("resample", 0, 0), None
    walk = Walk(rows, made, entropy, 0, dispatch.number())
    assert not walk.next(most, sums, stop)
    drawn = np.count_nonzero(sums) * n / 4  # words, as four units are cut from one
    assert 0 < drawn <= 2**22
    assert not sums[0, -1]


def test_what_does_not_fit_is_refused():
    with pytest.raises(ValueError, match=r"2\^61"):
        Rows(np.array([[2**60], [0]]))


@pytest.mark.usefixtures("_every_isa")
@pytest.mark.parametrize("m", [1, 7, 512, 1500])
def test_scores_are_quotients_of_weighted_sums(m):
    rng = np.random.default_rng(m)
    sums = np.ascontiguousarray(rng.integers(-40, 40, (4, m)))
    sums[:, 0] = 0
    above, below = np.array([2, 0, 0, -3]), np.array([0, 1, 1, 5])
    found, zeros = scores(sums, above, below, 1.0)
    weighted = np.stack([above @ sums, below @ sums]).T.tolist()
    assert found.tolist() == [float(Fraction(x, y)) if y else 1.0 for x, y in weighted]
    assert zeros == sum(not y for _, y in weighted) > 0
    large = rng.integers(2**59, 2**60, (2, m))
    found, _ = scores(large, np.array([1, 0]), np.array([0, 1]), 0.0)
    assert found.tolist() == [float(n) / float(d) for n, d in large.T.tolist()]


@pytest.mark.parametrize(("shape", "below", "out"), [((2, 3), 1, 3), ((1, 3), 2, 3),
                                                    ((1, 3), 1, 4), ((1, 0), 1, 0)])  # fmt: skip
def test_scores_refuse_other_shapes(shape, below, out):
    sums, one, two = np.ones(shape, dtype=np.int64), np.array([1]), np.ones(below, dtype=np.int64)
    with pytest.raises(ValueError, match=r"length|nothing"):
        kernel.scores(sums, one, two, 0.0, np.empty(out), dispatch.number())
