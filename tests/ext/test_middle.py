"""Lists of sums with all signs, and pairs of them: every sum by definition."""

import re
from itertools import product

import numpy as np
import pytest
from drawn import examples
from hypothesis import given
from hypothesis import strategies as st

from csig_ext import middle

numbers = st.lists(st.one_of(st.integers(1, 4), st.integers(1, 2**57)), max_size=6)


def of(values: list[int]) -> np.ndarray:
    return middle.sums(np.array(values, dtype=np.int64))


def signed(values: list[int]) -> list[int]:
    return sorted(sum(s * v for s, v in zip(signs, values, strict=True))
                  for signs in product((-1, 1), repeat=len(values)))  # fmt: skip


@examples(300)
@given(numbers, numbers, st.data())
def test_every_sum_and_every_pair(one: list[int], two: list[int], data: st.DataObject) -> None:
    assert of(one).tolist() == signed(one)
    every = sorted(x + y for x in signed(one) for y in signed(two))
    least = data.draw(st.sampled_from(every)) + data.draw(st.integers(-1, 1))
    assert middle.pairs(of(one), of(two), least) == sum(own >= least for own in every)


@pytest.mark.parametrize("largest", [3, 10**9])
def test_lists_longer_than_one_walk(largest: int) -> None:
    """Four walks take turns from 64 sums on, whichever of them ends first."""
    rng = np.random.default_rng(largest)
    for n in range(5, 11):
        values = rng.integers(1, largest + 1, 2 * n)
        one, two = middle.sums(values[:n]), middle.sums(values[n:])
        every = np.sort((one[:, None] + two).ravel())
        assert one.tolist() == signed(values[:n].tolist())
        for least in [*rng.choice(every, 5).tolist(), int(every[-1]), int(every[-1]) + 1, -(2**62)]:
            expected = len(every) - int(np.searchsorted(every, least))
            assert middle.pairs(one, two, least) == expected


@pytest.mark.parametrize(("call", "message"), [
    (lambda: of([1] * 63), "found 63 numbers, expected 62 at most"),
    *((lambda own=own: of(own), "expected positive numbers with a sum below 2^62")
      for own in ([0], [-1], [2**61, 2**61], [2**62])),
    *((lambda own=own: middle.pairs(of([1]), of([2]), own), f"found {own}, expected at most 2^62")
      for own in (2**62 + 1, -(2**62) - 1)),
    (lambda: middle.pairs(np.array([2**62 + 1]), of([2]), 0), f"found {2**62 + 1}, expected at"),
    (lambda: middle.pairs(np.empty(0, dtype=np.int64), of([2]), 1), "expected lists of sums"),
])  # fmt: skip
def test_what_is_refused(call, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(message)}"):
        call()
