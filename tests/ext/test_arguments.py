"""What a compiled function is given to read it only reads."""

import numpy as np
import pytest

from csig.streams import make_source
from csig_ext import generators, inversion, lattice, shuffle
from csig_ext.sums import Columns, Walk

NATIVE = sorted(generators.NATIVE)
RUNNING = np.zeros(1, dtype=np.int32)


def words_of(source, entropy):
    words = np.empty(8, dtype=np.uint64)
    generators.Stream(source, entropy).fill(words, 0)
    return words


def classes_of(source, entropy):
    """The first trials of chunk 5, with 34 and 52 responses, as the words 8 x 86 give them."""
    first, second = np.empty((2, 512), dtype=np.uint32)
    buffers = shuffle.workspace(34, 52), None, first, second
    assert shuffle.classes(source, entropy, 34, 52, 5, 512, *buffers, RUNNING, 0)
    return np.stack([first, second])


def sums_of(source, entropy):
    columns = Columns(np.arange(-3, 3).reshape(3, 2))
    sums = np.empty((2, 512), dtype=np.int64)
    walk = Walk(columns, source, entropy, 5, 0)
    assert walk.next(512, columns.workspace(source), sums, RUNNING)
    return sums


@pytest.mark.parametrize("seed", [0, 2**32 - 1, 2**32, 2**200])
@pytest.mark.parametrize("name", NATIVE)
def test_a_chunk_is_seeded_as_numpy_seeds_it(name, seed):
    """Whatever number stands in the place of the chunk, and nothing is written to it."""
    source = make_source(seed, name)
    entropy = source.assembled("shuffle", 3)
    entropy[-1] = 77  # no call here asks for this one
    before = entropy.copy()
    entropy.flags.writeable = False
    own = source.bit_generator("shuffle", 3, 77)
    np.testing.assert_array_equal(words_of(name, entropy), own.random_raw(8))
    for call in (classes_of, sums_of):
        foreign = source.bit_generator("shuffle", 3, 5)
        np.testing.assert_array_equal(call(name, entropy), call(foreign, None))
    np.testing.assert_array_equal(entropy, before)


def test_thresholds_of_a_meeting_are_not_written_to():
    """Six coins, three in each part: all of them reach a threshold below the least x there is."""
    one, two = (lattice.Lattice(1000) for _ in "ab")
    for part in (one, two):
        part.convolve(1.0, 1.0, 2, 0, 3, 0.0, 0)
    thresholds, scale = np.array([-9]), np.array([1.0])
    thresholds.flags.writeable = scale.flags.writeable = False
    constant = lattice.constant(1.0, 1.0, *np.array([[2], [0], [6]]))
    value, exponent, _ = lattice.meet(one, two, 1.0, 1.0, thresholds, scale, constant, 0.0, 0)
    assert value * 2.0**exponent == 1
    assert thresholds.tolist() == [-9]


@pytest.mark.parametrize(
    "odds", [(0.0, 1.0), (-1.0, 1.0), (1.0, float("nan")), (float("inf"), 1.0)]
)
def test_odds_that_are_none_are_refused(odds):
    with pytest.raises(ValueError, match="expected odds above 0"):
        lattice.Lattice(100).convolve(*odds, 1, 1, 3, 0.0, 0)


@pytest.mark.parametrize("periods", [(2**40 + 1, 1), (1, 2**40 + 1), (-1, 3)])
def test_periods_beyond_doubles_are_refused(periods):
    one = np.ones(1)
    with pytest.raises(ValueError, match="expected periods up to 1099511627776"):
        inversion.find(one, one, one, one, *periods, 1.0, 100)


def test_a_walk_needs_its_columns():
    with pytest.raises(TypeError, match="columns"):
        Walk(None, "PCG64DXSM", make_source(1).assembled("shuffle", 0), 0, 0)
