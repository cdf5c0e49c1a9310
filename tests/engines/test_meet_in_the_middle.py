"""Meeting in the middle against all exchanges, convolutions and published counts."""

import random
import tracemalloc
from collections import Counter

import numpy as np
import pytest
from drawn import examples, several
from hypothesis import example, given, settings
from hypothesis import strategies as st

from csig.data.units import Classes
from csig.engines import meet_in_the_middle as middle

DARWIN = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]


def in_tails(sums, low, high):
    """Of sums with their numbers, those in either tail."""
    return sum(
        weight
        for s, weight in sums.items()
        if (low is not None and s <= low) or (high is not None and s >= high)
    )


def all_sums(values):
    """How many exchanges give each sum, unit by unit: the slow twin."""
    sums = Counter({0: 1})
    for v in values:
        new = Counter(sums)
        for s, weight in sums.items():
            new[s + v] += weight
        sums = new
    return sums


def run(values, low, high):
    return middle.count(np.array(values, dtype=np.int64), low, high)


small = st.integers(-4, 4)
large = st.integers(-(2**55), 2**55)
values = st.one_of(
    st.lists(small, max_size=12),
    st.lists(large, max_size=10),
    st.lists(st.sampled_from([2**55, -(2**55), 2**55 - 1, 0, 1, -1]), max_size=12),
    st.lists(st.one_of(small, large), max_size=10),
)


@st.composite
def questions(draw):
    """Values and bounds; bounds are often sums that occur, or next to one."""
    found = draw(values)
    sums = sorted(all_sums(found))
    bound = st.one_of(
        st.none(),
        st.builds(lambda s, d: s + d, st.sampled_from(sums), st.integers(-1, 1)),
        st.integers(-(2**70), 2**70),
    )
    return found, draw(bound), draw(bound)


@settings(max_examples=several(100, 3000))
@example(([], 0, None))
@example(([], None, 1))
@example(([0, 0, 0], 0, 5))
@example(([2, -2, 2], 0, 2))
@example(([1, 2], 2, 3))  # every sum is in one of the tails, none in both
@given(questions())
def test_all_exchanges(question):
    """Also with lists of many blocks, and copies far denser in places than others."""
    found, low, high = question
    expected = in_tails(all_sums(found), low, high)
    assert run(found, low, high) == expected
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(middle, "BLOCK", 4)
        patch.setattr(middle, "AT_ONCE", 2)
        assert run(found, low, high) == expected


def test_darwin():
    """Fisher (1935), section 21: the two-sided sign-flip count is 1726 of 32768."""
    assert run(DARWIN, 0, sum(DARWIN)) == 1726
    assert run(DARWIN, 0, None) == run(DARWIN, None, sum(DARWIN)) == 863


@pytest.mark.parametrize("n", [40, 61, 62, 63, 64, 100])
def test_many_units_of_small_values(n):
    """Weights within and beyond 64 bits."""
    rng = random.Random(n)
    found = [rng.randint(-60, 60) for _ in range(n)]
    sums = all_sums(found)
    total = sum(found)
    for low, high in [sorted((0, total)), (total // 2, total // 2 + 1), (None, total), (-3, None)]:
        expected = in_tails(sums, low, high)
        for scale in (1, 2**44):
            bounds = [None if bound is None else bound * scale for bound in (low, high)]
            assert run([v * scale for v in found], *bounds) == expected


FEW = [5_000_000_021] * 30 + [-7_000_000_003] * 50 + [11_000_000_007] * 25


@pytest.mark.parametrize(("found", "low", "high"), [
    (FEW, 0, sum(FEW)),
    ([3] * 1000, 3 * 400, 3 * 600),  # more than are merged at a time
    ([2**61, -(2**61) + 1], -(2**61) + 1, 2**61),  # just below the limit
])  # fmt: skip
def test_few_values(found, low, high):
    assert run(found, low, high) == in_tails(all_sums(found), low, high)


@pytest.mark.parametrize("bits", [12, 45])
def test_less_memory_more_passes(bits, monkeypatch):
    """Classes of one, two and three units, in one pass and in many."""
    rng = random.Random(bits)
    once = [rng.getrandbits(bits) + 1 for _ in range(30)]
    found = [*once, *once[:4], *(-v for v in once[2:4])]
    total = sum(found)
    limits = [(0, total), (total // 3, None), (None, total // 5), (total // 4, total)]
    expected = [run(found, low, high) for low, high in limits]
    monkeypatch.setattr(middle, "MEMORY", 2**20)
    part, _ = middle.part_of(Classes.of(np.array(found)[:, None]))
    assert middle.divided(part).stop < len(part.v)
    assert [run(found, low, high) for low, high in limits] == expected


@pytest.mark.parametrize("memory", [2_000_000, 20_000_000])
@pytest.mark.parametrize("copies", [1, 2, 30])
def test_memory(memory, copies, monkeypatch):
    """What numpy and Python allocate, weights of many bits included."""
    rng = random.Random(copies)
    found = np.array([rng.getrandbits(50) for _ in range({1: 36, 2: 20, 30: 4}[copies])] * copies)
    monkeypatch.setattr(middle, "MEMORY", memory)
    tracemalloc.start()
    try:
        middle.count(found, 0, int(found.sum()))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak <= memory


@given(st.lists(st.integers(-(2**50), 2**50), max_size=70), st.integers(-(2**50), 2**50))
def test_cost_never_falls(found, more):
    before = middle.cost(np.array(found, dtype=np.int64))
    assert 1 <= before <= middle.cost(np.array([*found, more]))
    assert before == middle.cost(np.array([-v for v in reversed(found)], dtype=np.int64))


@examples(300)
@given(
    st.integers(1, 400), st.sampled_from([3, 10, 26, 34, 45]), st.integers(2, 200),
    st.integers(1, 2**40), st.integers(0, 2**32),
)  # fmt: skip
def test_what_is_beyond_a_budget(n, bits, copies, most, seed):
    rng = np.random.default_rng(seed)
    values = np.repeat(rng.integers(-(2**bits), 2**bits, n), rng.integers(1, copies, n))
    if middle.is_beyond(values, most):
        assert middle.cost(values) > most


def test_cost_of_different_values():
    """A budget of 2^26 admits 44 units; nothing is built to find out that more is hopeless."""
    found = np.random.default_rng(5).integers(-(2**50), 2**50, 10_000)
    assert middle.cost(found[:44]) <= 2**26 < middle.cost(found[:45])
    assert middle.cost(found) == 2**62
    for some, beyond in ((found, True), (found[:44], False), (found[:0], False)):
        assert middle.is_beyond(some, 2**26) == beyond
    assert not middle.is_beyond(np.arange(500), 2**26)


def test_interrupt(monkeypatch, interrupted):
    """Ctrl-C ends a count that would take hours."""
    monkeypatch.setattr(middle, "MEMORY", 2**20)
    found = np.array([random.Random(i).getrandbits(50) for i in range(70)])
    interrupted(0.2, middle.count, found, 0, int(found.sum()))
