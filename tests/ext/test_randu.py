"""RANDU in both forms against RANDU in plain Python."""

import pickle
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.random import Generator, SeedSequence
from written import refusal

from csig import Comparison, randomization_test, replay
from csig.effects import breakdown, sensitivity
from csig.streams import BAD, known_answers, make_source
from csig_ext import generators
from csig_ext.randu import Randu, RanduTop

FORMS = [Randu, RanduTop]
COUNTS = {"gold": 60, "only_a_correct": 20, "only_b_correct": 9, "only_a_spurious": 3}
TINY = Comparison.from_counts(**COUNTS)


def states(x):
    while True:
        x = 65539 * x % 2**31
        yield x


def coins(kind, x):
    """The bits of the stream, in order."""
    for state in states(x):
        if kind is RanduTop:
            yield state >> 30
        else:
            yield from ((state >> bit) & 1 for bit in range(31))


def words(kind, x, n):
    stream = coins(kind, x)
    return [sum(next(stream) << bit for bit in range(64)) for _ in range(n)]


def started(kind, x):
    made = kind(0)
    made.state = {"bit_generator": kind.__name__, "state": x, "buffer": 0, "n_bits": 0}
    return made


def first_state(seed):
    return int(seed.generate_state(1)[0]) % 2**31 | 1


def test_the_published_sequence():
    expected = known_answers("RANDU", 1)
    for kind in FORMS:
        assert dict(enumerate(started(kind, 1).random_raw(8).tolist())) == expected


@pytest.mark.parametrize("kind", FORMS)
@given(seed=st.integers(0, 2**40), n=st.integers(1, 200))
def test_words_are_those_of_plain_python(kind, seed, n):
    x = first_state(SeedSequence(seed))
    out = np.empty(n, dtype=np.uint64)
    generators.Stream(kind(seed)).fill(out, 0)
    assert out.tolist() == words(kind, x, n)
    drawn = Generator(kind(SeedSequence(seed))).integers(0, 2**64, size=n, dtype=np.uint64)
    np.testing.assert_array_equal(out, drawn)
    rng = Generator(kind(seed))
    low, high = words(kind, x, 2)
    assert rng.random() == (low >> 11) / 2**53
    assert rng.integers(0, 2**32, dtype=np.uint32) == high % 2**32
    source = make_source(kind(seed), allow_bad=True)
    assert (source.native, source.entropy) == (False, low + (high << 64))
    raw = states(x)
    assert kind(seed).random_raw(n).tolist() == [next(raw) for _ in range(n)]


@pytest.mark.parametrize("kind", FORMS)
def test_its_state_continues_the_stream(kind):
    first = Generator(kind(9))
    first.integers(0, 2**64, size=7, dtype=np.uint64)
    second = Generator(kind(1))
    second.bit_generator.state = first.bit_generator.state
    third = pickle.loads(pickle.dumps(first))
    drawn = [
        g.integers(0, 2**64, size=50, dtype=np.uint64).tolist() for g in (first, second, third)
    ]
    assert drawn[0] == drawn[1] == drawn[2]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"bit_generator": "RanduTop"}, "must be a dict of a Randu, found {'bit_gen"),
        ({"state": 4}, "odd and below 2^31, found 4"),
        ({"state": 2**31 + 1}, "odd and below 2^31, found 2147483649"),
        ({"n_bits": 31}, "at most 30"),
        ({"n_bits": 1, "buffer": 2}, "must have n_bits bits"),
        (7, "must be a dict of a Randu, found 7"),
    ],
)
def test_states_that_are_refused(changes, message):
    made = Randu(1)
    with pytest.raises(ValueError, match=re.escape(message)):
        made.state = changes if changes == 7 else made.state | changes


@pytest.mark.parametrize("name", BAD)
def test_it_is_refused_wherever_a_source_is_made(name):
    expected = (
        f"bit generator {name} is bad on purpose, for audits and teaching; "
        "allow_bad_generator=True allows it"
    )
    own = BAD[name]
    for seed in ((1, name), (1, name.upper()), (1, own), (own(1),), (Generator(own(1)),)):
        assert refusal(make_source, *seed) == expected
    for test, data in (
        (randomization_test, TINY), (sensitivity, TINY), (breakdown, {"x": TINY}),
    ):  # fmt: skip
        assert refusal(test, data, "f1", bit_generator=name) == expected


@pytest.mark.parametrize(("name", "threads"), [*zip(BAD, (1, 3), strict=True)])
def test_shuffles_are_the_replays_when_it_is_allowed(name, threads):
    options = {"bit_generator": name, "allow_bad_generator": True, "method": "approximate",
               "n_resamples": 70_000, "rng": 8, "threads": threads}  # fmt: skip
    found = randomization_test(TINY, "recall", **options)
    kind = {"entropy": 8, "bit_generator": BAD[name]}
    expected = replay.class_hits(COUNTS, {"tp": 1}, {"gold": 1}, 70_000, **kind)
    assert found.n_hits == expected
    assert found.seed.bit_generator == name
    assert sensitivity(TINY, "recall", **options)["response"].n_hits == expected
