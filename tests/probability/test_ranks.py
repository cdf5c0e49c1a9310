"""Ranks against all orders of the systems, letters against all sets of them."""

import itertools

import numpy as np
import pytest
from numpy.typing import NDArray

from csig import InputError
from csig.probability.tables import letter_groups, rank_intervals


def random_claims(rng: np.random.Generator, n: int) -> NDArray[np.bool_]:
    """A transitive set of claims."""
    found = np.triu(rng.random((n, n)) < 0.3, 1)
    for _ in range(n):
        found |= found @ found
    place = rng.permutation(n)
    return found[np.ix_(place, place)]


@pytest.mark.parametrize("seed", range(12))
def test_ranks_of_all_orders(seed: int) -> None:
    n = 2 + seed % 4
    better = random_claims(np.random.default_rng(seed), n)
    ranks: list[set[int]] = [set() for _ in range(n)]
    for order in itertools.permutations(range(n)):
        place = {system: rank for rank, system in enumerate(order, 1)}
        if all(place[j] < place[k] for j, k in zip(*np.nonzero(better), strict=True)):
            for system, rank in place.items():
                ranks[system].add(rank)
    assert rank_intervals(better) == [(min(own), max(own)) for own in ranks]


@pytest.mark.parametrize("seed", range(30))
def test_letters_are_maximal_cliques(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = 2 + seed % 6
    differ = np.triu(rng.random((n, n)) < rng.random(), 1)
    differ |= differ.T
    order = rng.permutation(n).tolist()
    same = [
        set(own)
        for size in range(1, n + 1)
        for own in itertools.combinations(range(n), size)
        if not any(differ[i, k] for i, k in itertools.combinations(own, 2))
    ]
    largest = [own for own in same if not any(own < other for other in same)]
    found = letter_groups(differ, order)
    assert sorted(map(sorted, found)) == sorted(map(sorted, largest))
    places = [[order.index(i) for i in own] for own in found]
    assert places == sorted(map(sorted, places))


def test_too_many_letters() -> None:
    differ = ~np.eye(27, dtype=bool)
    assert len(letter_groups(differ[:26, :26], range(26))) == 26
    with pytest.raises(InputError, match="more than 26 letters; use the rank intervals"):
        letter_groups(differ, range(27))


def test_far_too_many_letters() -> None:
    """3^20 groups: given up on the way."""
    differ = np.kron(np.eye(20, dtype=bool), ~np.eye(3, dtype=bool))
    with pytest.raises(InputError, match="more than 26"):
        letter_groups(differ, range(60))
