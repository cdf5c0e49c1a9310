"""Flips of nested lists against flips of a whole table, and against the replay."""

from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np
import pytest
from numpy.typing import NDArray

from csig import replay, streams
from csig.engines.flips import Flips, Lists, flip_hits, in_lists, nested_hits
from csig_ext import dispatch


class Case(NamedTuple):
    """Where two lists accept candidates, among some lengths; all that is true by chance."""

    first: NDArray[np.int64]
    second: NDArray[np.int64]
    true: NDArray[np.bool_]
    n: int

    @property
    def lists(self) -> Lists:
        return in_lists(*self)

    @property
    def table(self) -> NDArray[np.int64]:
        """What every candidate gives at every length, and a column of zeros: by definition."""
        found = np.zeros((len(self.true), self.n + 1), dtype=np.int64)
        for k in range(self.n):
            a, b = self.first <= k, self.second <= k
            own = a != b
            size, right = int(own.sum()), int((own & self.true).sum())
            found[:, k] = (a.astype(int) - b) * (self.true * size - right)
        return found

    def expected(self, n_trials: int, source: streams.Source) -> Flips:
        pairs = np.arange(self.n), np.full(self.n, self.n)
        return flip_hits(self.table, pairs, source, n_trials, two_sided=True, threads=1)


def case(seed: int, candidates: int, lengths: int, share: float = 0.3, coarse: int = 1) -> Case:
    """Some candidates in no list, some in both from the same length on; coarse scores have ties."""
    rng = np.random.default_rng([seed, candidates, lengths])
    first, second = rng.integers(0, lengths + 2, (2, candidates)) // coarse * coarse
    first[::5] = second[::5]
    true = rng.random(candidates) < share
    first, second = (np.minimum(own, lengths) for own in (first, second))
    return Case(first, np.where(true, (second + first) // 2, second), true, lengths)


def same(found: Flips, expected: Flips) -> bool:
    return (
        found.hits.tolist() == expected.hits.tolist()
        and found.single.tolist() == expected.single.tolist()
        and found.adjusted.tolist() == expected.adjusted.tolist()
    )


@pytest.mark.parametrize("seed", range(30))
def test_a_whole_table(seed: int) -> None:
    rng = np.random.default_rng(seed)
    sizes = [400, 7] if seed == 1 else [20, 300] if seed == 2 else rng.integers(1, 120, 2).tolist()
    own = case(seed, *sizes, float(rng.choice([0.02, 0.5, 0.97])), int(rng.choice([1, 1, 4, 30])))
    source = streams.make_source(seed)
    assert own.lists.totals.tolist() == own.table.sum(axis=0)[:-1].tolist()
    expected = own.expected(200, source)
    for isa in dispatch.available:
        with patch.object(dispatch, "chosen", isa):
            assert same(nested_hits(own.lists, source, 200, threads=1), expected)


def test_the_replay() -> None:
    own = case(8, 30, 5)
    every = replay.flips_hits(own.table.tolist(), 500, two_sided=True, alone=True, entropy=9)
    found = nested_hits(own.lists, streams.make_source(9), 500)
    assert found.single.tolist() == [every[k, 5] for k in range(5)]
    one = own._replace(
        first=np.where(own.first <= 2, 0, 1), second=np.where(own.second <= 2, 0, 1), n=1
    )
    every = replay.flips_hits(one.table.tolist(), 500, two_sided=True, entropy=9)
    assert nested_hits(one.lists, streams.make_source(9), 500).hits.tolist() == [every[0, 1]]


@pytest.mark.parametrize("n_trials", [1, 31, 32, 33, 63, 65, 511, 513, 8193, 66_000])
def test_numbers_of_trials_and_threads(n_trials: int) -> None:
    own = case(7, 25, 12)
    source = streams.make_source(3)
    expected = own.expected(n_trials, source)
    for threads in (1, 2, 5):
        told: list[tuple[int, int]] = []
        notify = lambda *done, told=told: told.append(done)  # noqa: E731
        found = nested_hits(own.lists, source, n_trials, threads=threads, notify=notify)
        assert same(found, expected)
        assert told == sorted(told)
        assert told[-1] == (n_trials, n_trials)


@pytest.mark.parametrize("generator", ["PCG64", "Philox", "SFC64", "MT19937", np.random.SFC64])
def test_generators(generator: Any) -> None:
    """One of a user's own too."""
    own, source = case(9, 40, 30), streams.make_source(3, generator)
    expected = own.expected(66_000, source)
    for isa in dispatch.available:
        with patch.object(dispatch, "chosen", isa):
            assert same(nested_hits(own.lists, source, 66_000, threads=2), expected)


def test_more_candidates_than_are_drawn_in_eight_groups() -> None:
    own = case(11, 70_000, 3)
    assert own.lists.n_rows > 2**15
    for name in ("PCG64DXSM", "PCG64", "Philox"):
        source = streams.make_source(3, name)
        assert same(nested_hits(own.lists, source, 130), own.expected(130, source))


def test_weights_are_of_exact_sums_of_squares() -> None:
    t, f = np.array([0, 3, 2**20 + 1, 2**24 + 3]), np.array([5, 4, 2**20 - 1, 2**25 - 1])
    own = Lists(np.zeros(4, dtype=np.int64), t, f, np.zeros((0, 4), dtype=np.int64), 0)
    squares = [x * (y * y) + y * (x * x) for x, y in zip(t.tolist(), f.tolist(), strict=True)]
    assert own.weights().tolist() == [0, *(1 / np.sqrt(float(q)) for q in squares[1:])]


def test_candidates_that_give_nothing_take_no_words() -> None:
    """True ones alone at lengths 0 and 1, a false one from 2 on."""
    own = Case(np.array([0, 1, 2]), np.array([2, 2, 3]), np.array([True, True, False]), 3)
    assert own.lists.n_rows == 0
    found = nested_hits(own.lists, streams.make_source(1), 99)
    assert found.hits.tolist() == found.single.tolist() == [99, 99, 99]
    assert found.adjusted.tolist() == [1, 1, 1]


def test_ctrl_c_ends_a_long_run(press: Any) -> None:
    with pytest.raises(KeyboardInterrupt):  # it would take days
        nested_hits(case(1, 50_000, 900).lists, streams.make_source(1), 2**40, notify=press)
