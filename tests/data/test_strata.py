"""The mean over strata, each counted alike: every swap of a few units, in fractions."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import csig
from csig.data import fixed_point
from csig.data.fixed_point import weighted

KINDS = {
    "right or wrong": lambda rng: Fraction(rng.randint(0, 1)),
    "whole": lambda rng: Fraction(rng.randint(-3, 5)),
    "decimals": lambda rng: Fraction(rng.randint(0, 20), 20),
    "thirds": lambda rng: Fraction(rng.randint(0, 6), 3),
    "doubles": lambda rng: Fraction(rng.random()),
}


def drawn(kind: str, seed: int) -> tuple[list[Fraction], list[Fraction], list[str]]:
    """Scores of two systems on up to 12 units of 2 or 3 strata."""
    rng = random.Random(seed)
    sizes = [rng.randint(1, 5) for _ in range(rng.randint(2, 3))]
    names = [name for name, n in zip("xyz", sizes, strict=False) for _ in range(n)][:12]
    rng.shuffle(names)
    a, b = ([KINDS[kind](rng) for _ in names] for _ in "ab")
    return a, b, names


def mean_over(names: list[str], scores: list[Fraction]) -> Fraction:
    by_name = [[s for own, s in zip(names, scores, strict=True) if own == n] for n in set(names)]
    return sum((sum(own) / len(own) for own in by_name), Fraction(0)) / len(by_name)


def every_swap(a: list[Fraction], b: list[Fraction], names: list[str]) -> Fraction:
    """The share of swaps whose difference of means over strata is as large as the observed."""
    sizes = {name: names.count(name) for name in names}
    parts = [(x - y) / sizes[name] for x, y, name in zip(a, b, names, strict=True) if x != y]
    observed = abs(sum(parts, Fraction(0)))
    signs = itertools.product((1, -1), repeat=len(parts))
    hits = sum(abs(sum(map(lambda s, d: s * d, own, parts), Fraction(0))) >= observed
               for own in signs)  # fmt: skip
    return Fraction(hits, 2 ** len(parts))


def comparison(a: list[Fraction], b: list[Fraction], names: list[str]) -> csig.Comparison:
    arrays = []
    for scores in (a, b):
        whole = all(score.denominator == 1 for score in scores)
        arrays.append(np.array([int(s) if whole else float(s) for s in scores]))
    found = weighted(arrays[0], arrays[1], names)
    made = csig.Comparison.from_statistics(found.a, found.b, ("score", "n"))
    return replace(made, scale=found.scale, tau=found.tau)


@pytest.mark.parametrize("rounded", [False, True])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(12))
def test_the_pvalue_is_that_of_every_swap(kind, seed, rounded, monkeypatch):
    a, b, names = drawn(kind, seed)
    if rounded:  # as if whole weights did not fit
        monkeypatch.setattr(fixed_point, "LARGEST_SUM", 0)
    made = comparison(a, b, names)
    result = csig.randomization_test(made, "mean")
    assert result.method == "exact"
    assert result.pvalue == pytest.approx(float(every_swap(a, b, names)), rel=1e-12)
    for score, own in ((result.score_a, a), (result.score_b, b)):
        assert score == pytest.approx(float(mean_over(names, own)), rel=1e-12, abs=1e-14)


def test_whole_weights_where_they_fit():
    ones, zeros = np.ones(5, dtype=np.int64), np.zeros(5, dtype=np.int64)
    found = weighted(ones, zeros, list("xxyyy"))
    assert found.a.tolist() == [[3, 3], [3, 3], [2, 2], [2, 2], [2, 2]]
    assert found.b[:, 0].tolist() == [0] * 5
    assert (found.tau, found.scale) == (0, (1, 1))


def test_sizes_without_a_common_multiple_that_fits():
    """57 tasks of primes: the least common multiple has hundreds of bits."""
    primes = [n for n in range(100, 500) if all(n % k for k in range(2, 23))][:57]
    names = [str(n) for n in primes for _ in range(n)]
    rng = np.random.default_rng(1)
    a, b = (rng.integers(0, 2, len(names)) for _ in "ab")
    found = weighted(a, b, names)
    assert found.tau > 0
    total = float(found.a[:, 0].sum() * found.scale[0]), float(found.a[:, 1].sum() * found.scale[1])
    shares = [
        np.mean([x for own, x in zip(names, a, strict=True) if own == str(n)]) for n in primes
    ]
    assert total[0] / total[1] == pytest.approx(np.mean(shares), rel=1e-12)
