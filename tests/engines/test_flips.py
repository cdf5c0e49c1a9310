"""Shared sign flips against their replay, and against all sign vectors."""

import itertools
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

import csig
from csig import InputError, replay, streams
from csig.engines.flips import flip_hits, in_steps


def table(seed: int, n: int, n_systems: int, most: int = 5) -> NDArray[np.int64]:
    """Some rows alike in all systems, and two systems that are the same."""
    found = np.random.default_rng(seed).integers(0, most, (n, n_systems))
    found[:, 0] += np.arange(n) % 2
    if n_systems > 3:
        found[:, -1] = found[:, 1]
    found[::7] = 3
    return found


@pytest.mark.parametrize("two_sided", [False, True])
@pytest.mark.parametrize("studentized", [False, True])
@pytest.mark.parametrize(
    ("n", "n_systems", "n_trials"), [(30, 4, 1000), (90, 7, 66_000), (9, 2, 63)]
)
def test_replay(n: int, n_systems: int, n_trials: int, studentized: bool, two_sided: bool) -> None:
    values = table(n, n, n_systems)
    found = flip_hits(
        values, np.triu_indices(n_systems, 1), streams.make_source(5), n_trials,
        two_sided=two_sided, studentized=studentized,
    )  # fmt: skip
    expected = replay.flips_hits(
        values.tolist(), n_trials, two_sided=two_sided, studentized=studentized, entropy=5
    )
    assert found.hits.tolist() == list(expected.values())


def test_replay_of_several_slabs() -> None:
    values = table(1, 9000, 3)
    found = flip_hits(values, np.triu_indices(3, 1), streams.make_source(1, "Philox"), 130)
    expected = replay.flips_hits(values.tolist(), 130, entropy=1, bit_generator=np.random.Philox)
    assert found.hits.tolist() == list(expected.values())


def test_pairs_with_equal_totals_stay_in_the_family() -> None:
    """Nothing is claimed of them, but both of their directions are among the others."""
    values = np.array([[3, 1, 1], [1, 0, 2], [2, 2, 0], [3, 1, 1], [2, 0, 2], [0, 2, 0]])
    assert values.sum(axis=0).tolist() == [11, 6, 6]
    for two_sided in (False, True):
        found = flip_hits(
            values, np.triu_indices(3, 1), streams.make_source(2), 2**16, two_sided=two_sided
        )
        expected = replay.flips_hits(values.tolist(), 2**16, two_sided=two_sided, entropy=2)
        assert found.hits.tolist() == list(expected.values())
        for pair, p in zip([(0, 1), (0, 2), (1, 2)], found.adjusted, strict=True):
            exact = float(brute(values, True, two_sided)[pair])
            assert abs(p - exact) <= 5 * (exact * (1 - exact) / 2**16) ** 0.5 + 2**-16


class Squared:
    """sign(D) D^2 / Q, or sign(D) D^2: ordered as the statistic itself, and exact."""

    def __init__(self, values: NDArray[np.int64], studentized: bool) -> None:
        rows = [[int(v) for v in row] for row in values]
        pairs = itertools.permutations(range(len(rows[0])), 2)
        self.d = {(j, k): [row[j] - row[k] for row in rows] for j, k in pairs}
        self.q = {
            pair: sum(d * d for d in own) if studentized else 1 for pair, own in self.d.items()
        }

    @cache  # noqa: B019
    def of(self, pair: tuple[int, int], signs: tuple[int, ...]) -> Fraction:
        total = sum(s * d for s, d in zip(signs, self.d[pair], strict=True))
        q = self.q[pair]
        return Fraction(total * abs(total), q) if q else Fraction(0)


def brute(
    values: NDArray[np.int64], studentized: bool, two_sided: bool
) -> dict[tuple[int, int], Fraction]:
    """Step-down maxT by its definition, over all sign vectors."""
    squared = Squared(values, studentized)
    ones = (1,) * len(values)
    every = list(itertools.product((1, -1), repeat=len(values)))
    claims = list(squared.d)
    if two_sided:
        claims = [(j, k) for j, k in claims if j < k]

    def size(pair: tuple[int, int], signs: tuple[int, ...]) -> Fraction:
        found = squared.of(pair, signs)
        return abs(found) if two_sided else found

    left = sorted(claims, key=lambda pair: (-size(pair, ones), pair))
    found, least = {}, Fraction(0)
    for r, pair in enumerate(left):
        observed = size(pair, ones)
        hits = sum(max(size(own, signs) for own in left[r:]) >= observed for signs in every)
        least = max(least, Fraction(hits, len(every)))
        found[pair] = least if observed else Fraction(1)
    return found


@pytest.mark.parametrize("two_sided", [False, True])
@pytest.mark.parametrize("studentized", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_all_sign_vectors(seed: int, studentized: bool, two_sided: bool) -> None:
    n_systems, n = 3 + seed % 2, 8
    values = np.random.default_rng(seed).integers(0, 4, (n, n_systems))
    values[:, 0] += 1
    values[:, 1] += np.arange(n) % 2
    expected = brute(values, studentized, two_sided)
    trials = 2**16
    found = flip_hits(
        values, np.triu_indices(n_systems, 1), streams.make_source(seed), trials,
        two_sided=two_sided, studentized=studentized,
    )  # fmt: skip
    totals = values.sum(axis=0)
    for (j, k), p in zip(itertools.combinations(range(n_systems), 2), found.adjusted, strict=True):
        exact = float(expected[(j, k) if two_sided or totals[j] >= totals[k] else (k, j)])
        assert abs(p - exact) <= 5 * (exact * (1 - exact) / trials) ** 0.5 + 1 / trials


@pytest.mark.parametrize("studentized", [False, True])
def test_two_systems_are_the_two_system_test(studentized: bool) -> None:
    """With the words of engine 0, hit for hit."""
    values = table(3, 60, 2)
    result = csig.randomization_test(
        csig.Comparison.from_scores(values[:, 0], values[:, 1]),
        "mean", method="approximate", n_resamples=10_000, rng=7,
    )  # fmt: skip
    found = replay.flips_hits(
        values.tolist(), 10_000, two_sided=True, studentized=studentized, engine=0, entropy=7
    )
    assert found == {(0, 1): result.n_hits}


def test_single_hits_are_two_sided() -> None:
    values = table(4, 40, 4)
    found = flip_hits(values, np.triu_indices(4, 1), streams.make_source(2), 2**16)
    for (j, k), hits in zip(itertools.combinations(range(4), 2), found.single, strict=True):
        comparison = csig.Comparison.from_scores(values[:, j], values[:, k])
        p = csig.randomization_test(comparison, "mean", method="exact").pvalue
        assert abs(hits / 2**16 - p) <= 5 * (p * (1 - p) / 2**16) ** 0.5


def test_slack_is_what_a_difference_may_stay_below() -> None:
    values = table(6, 50, 4)
    pairs = np.triu_indices(4, 1)
    slack = np.array([0.0, 2, 5, 4, 0, 1000])
    asked, order = in_steps(values, pairs, slack=slack)
    plain, same = in_steps(values, pairs)
    assert order.tolist() == same.tolist()
    weights, expected = plain.weights, plain.least - slack[order] * plain.weights
    assert asked.weights.tolist() == weights.tolist()
    assert asked.least == pytest.approx(np.maximum(expected, 0))
    found = flip_hits(values, pairs, streams.make_source(1), 999, slack=slack)
    alone = flip_hits(values, pairs, streams.make_source(1), 999)
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


def test_systems_that_are_the_same_make_no_claim() -> None:
    values = np.repeat(np.arange(6)[:, None], 3, axis=1)
    values[:, 2] = 0
    found = flip_hits(values, np.triu_indices(3, 1), streams.make_source(1), 99)
    assert found.adjusted[0] == 1
    assert found.hits[0] == found.single[0] == 99


def test_nothing_differs() -> None:
    values = np.ones((5, 3), dtype=np.int64)
    found = flip_hits(values, np.triu_indices(3, 1), streams.make_source(1), 99)
    assert found.adjusted.tolist() == [1, 1, 1]


def test_progress_is_told() -> None:
    told: list[tuple[int, int]] = []
    flip_hits(
        table(1, 9, 3), np.triu_indices(3, 1), streams.make_source(1), 150,
        notify=lambda done, total: told.append((done, total)),
    )  # fmt: skip
    assert told[-1] == (150, 150)
    assert told == sorted(told)


def test_too_large_sums() -> None:
    values = np.array([[2**51, 0], [2**51, 0]])
    with pytest.raises(InputError, match=r"2\^52"):
        flip_hits(values, np.triu_indices(2, 1), streams.make_source(1), 9)
