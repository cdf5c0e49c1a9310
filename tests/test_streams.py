"""Seeds, generators and keys: what rng= and bit_generator= accept, and what they give."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.random import SFC64, BitGenerator, Philox, SeedSequence
from places import DOCS

from csig import InputError
from csig.base.validation import between, positive
from csig.streams import ENGINES, make_source


@given(
    entropy=st.integers(0, 2**300) | st.lists(st.integers(0, 2**70), min_size=1, max_size=9),
    key=st.lists(st.integers(0, 2**32 - 1), max_size=3),
    chunk=st.integers(0, 2**32 - 1),
)
def test_assembled_words_are_what_numpy_mixes(entropy, key, chunk):
    source = make_source(SeedSequence(entropy, spawn_key=tuple(key)))
    words = source.assembled("resample", 7)
    words[-1] = chunk
    direct = SeedSequence(entropy, spawn_key=(*key, 0x63736967, 1, 7, chunk))
    # Without a spawn key numpy mixes a list of 32-bit words exactly as it is given.
    np.testing.assert_array_equal(
        SeedSequence(words.tolist()).generate_state(8), direct.generate_state(8)
    )


def test_no_two_engines_runs_chunks_or_spawned_seeds_share_a_stream():
    parent = SeedSequence(1)
    seeds = [parent, *parent.spawn(3)]
    keys = {
        make_source(seed).key(engine, run, chunk)
        for seed in seeds
        for engine in ENGINES
        for run in range(3)
        for chunk in range(3)
    }
    assert len(keys) == 4 * len(ENGINES) * 3 * 3
    assert not keys & {seed.spawn_key for seed in seeds}


def test_the_page_on_streams_says_what_every_engine_draws():
    page = (DOCS / "streams.md").read_text(encoding="utf-8")
    (said,) = re.findall(r"Engine 0 draws.*?Every part", page, re.DOTALL)
    numbers = [int(n) for n in re.findall(r"(?:Engine|, \[?|with) ?(\d)\b", said)]
    assert numbers == sorted(ENGINES.values())


def test_a_seed_is_what_numpy_takes_and_none_is_fresh():
    first, second = make_source(), make_source()
    assert first.entropy != second.entropy
    assert (first.name, first.native) == ("PCG64DXSM", True)
    assert make_source(np.uint8(5)).entropy == make_source(np.array(5)).entropy == 5
    assert make_source([1, 2]).entropy == make_source(np.array([1, 2])).entropy == (1, 2)
    seeded = make_source(SeedSequence(9, spawn_key=(4,)))
    assert (seeded.entropy, seeded.spawn_key) == (9, (4,))


def test_the_longest_seeds():
    for seed in (10**4000 - 1, [10**39] * 1000, range(1000), [10**3999] * 10):
        source = make_source(seed)
        assert source.entropy == (seed if isinstance(seed, int) else tuple(seed))


def test_a_generator_lends_its_type_and_two_words():
    rng = np.random.default_rng(3)
    twin = np.random.default_rng(3).integers(0, 2**64, size=4, dtype=np.uint64).tolist()
    for low, high in (twin[:2], twin[2:]):
        source = make_source(rng)
        assert (source.name, source.native) == ("PCG64", True)
        assert source.entropy == low + (high << 64)
    lent = make_source(SFC64(3))
    assert (lent.name, lent.native) == ("SFC64", False)


def test_a_subclass_of_a_native_generator_is_not_run_natively():
    class Mine(Philox):
        pass

    natively = [make_source(1, own).native for own in (Mine, Philox, "philox")]
    assert natively == [False, True, True]


def test_any_factory_plugs_in():
    source = make_source(1, lambda seed: SFC64(seed))
    assert source.name.endswith(".<lambda>")  # with its module: not a name to look up
    words = source.bit_generator("shuffle", 0, 0).random_raw(3)
    expected = SFC64(SeedSequence(1, spawn_key=(0x63736967, 0, 0, 0))).random_raw(3)
    np.testing.assert_array_equal(words, expected)


class Scripted(BitGenerator):
    """Has no compiled next_uint64."""


class Keyed(Philox):
    """Cannot be built from a SeedSequence alone."""

    def __init__(self, seed, key):
        super().__init__(seed)


@pytest.mark.parametrize(
    ("rng", "bit_generator", "message"),
    [
        (None, np.random.Generator(Philox(1)), "give a generator as rng"),
        (None, lambda seed: 7, "gives a int, not a numpy BitGenerator"),
        (None, Keyed, "cannot be built from a SeedSequence alone"),
        (None, Scripted, "cannot be used: Scripted has no compiled next_uint64"),
        (Keyed(1, 2), None, "cannot be built from a SeedSequence alone"),
    ],
)
def test_what_is_refused(rng, bit_generator, message):
    with pytest.raises(InputError, match=message):
        make_source(rng, bit_generator)


def test_a_number_that_python_does_not_write_is_refused_as_others_are():
    large, said = 10**5000, "found one of too many digits$"
    for seed in (-large, [1, -large], SeedSequence(1, spawn_key=(large,))):
        with pytest.raises(InputError, match=f"^rng: .*{said}"):
            make_source(seed)
    for check in (positive, between):
        with pytest.raises(InputError, match=f"^exact_budget must .*{said}"):
            check("exact_budget", large)
