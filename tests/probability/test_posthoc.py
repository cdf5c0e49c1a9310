"""Bergmann and Hommel's procedure beside all partitions one by one, and a published example."""

import itertools
import json
from fractions import Fraction

import numpy as np
import pytest
from places import REFERENCE

from csig import InputError
from csig.probability.corrections import adjusted, bergmann_hommel, exhaustive_sets


def partitions(members):
    """All ways to part a list into groups."""
    if not members:
        yield []
        return
    first, rest = members[0], members[1:]
    for n in range(len(rest) + 1):
        for others in itertools.combinations(rest, n):
            left = [own for own in rest if own not in others]
            for groups in partitions(left):
                yield [[first, *others], *groups]


def closed(p, k):
    """Adjusted p-values from the closure: the largest test of all sets of equals with the pair."""
    pairs = list(itertools.combinations(range(k), 2))
    found = dict.fromkeys(pairs, Fraction(0))
    for groups in partitions(list(range(k))):
        own = [pair for group in groups for pair in itertools.combinations(group, 2)]
        if own:
            test = len(own) * min(p[pairs.index(pair)] for pair in own)
            for pair in own:
                found[pair] = max(found[pair], test)
    return [min(Fraction(1), found[pair]) for pair in pairs]


@pytest.mark.parametrize("k", [2, 3, 4, 5, 6])
def test_against_all_partitions(k):
    rng = np.random.default_rng(k)
    n = k * (k - 1) // 2
    for _ in range(5):
        p = [Fraction(int(own), 2**20) for own in rng.integers(1, 2**17, n)]
        found = bergmann_hommel(np.array([float(own) for own in p]), k)
        assert found.tolist() == [float(own) for own in closed(p, k)]


def test_numbers_of_exhaustive_sets():
    """One less than Bell's numbers: all partitions but that into single systems."""
    bell = {2: 2, 3: 5, 4: 15, 5: 52, 6: 203, 7: 877, 8: 4140, 9: 21147}
    for k, number in bell.items():
        sets = exhaustive_sets(k)
        assert sets.shape == (number - 1, k * (k - 1) // 2)
        assert len({own.tobytes() for own in sets}) == number - 1


def test_published_example():
    """Garcia and Herrera (2008), as scmamp prints it: reference/garcia_herrera_2008.json."""
    printed = json.loads((REFERENCE / "garcia_herrera_2008.json").read_text(encoding="utf-8"))
    p = np.array(printed["aligned"])
    found = bergmann_hommel(p, 5)
    assert found.tolist() == pytest.approx(printed["aligned_bergmann_hommel"], rel=1e-6)
    shaffer = adjusted(p, np.log(p), "shaffer", n_systems=5)[0]
    assert shaffer.tolist() == pytest.approx(printed["aligned_shaffer"], rel=1e-6)


def test_between_holm_and_nothing():
    rng = np.random.default_rng(9)
    for _ in range(20):
        p = rng.random(10) ** 4
        holm = adjusted(p, np.log(p), "holm")[0]
        shaffer = adjusted(p, np.log(p), "shaffer", n_systems=5)[0]
        found = bergmann_hommel(p, 5)
        assert (p <= found).all()
        assert (found <= shaffer + 1e-15).all()
        assert (shaffer <= holm + 1e-15).all()


def test_refused():
    with pytest.raises(InputError, match="at most 9 systems, found 10; 'holm' has no limit"):
        bergmann_hommel(np.ones(45), 10)
    with pytest.raises(InputError, match="all pairs"):
        bergmann_hommel(np.ones(4), 4)
