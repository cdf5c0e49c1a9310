"""Adjusted p-values against their definitions, in fractions."""

import itertools
import math
from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from csig import InputError
from csig.classical import holm
from csig.probability.corrections import CORRECTIONS, Correction, adjusted, shaffer_factors

PVALUES = st.lists(st.integers(1, 64).map(lambda i: i / 64), min_size=1, max_size=12)


def partitions(n: int, largest: int) -> Iterator[list[int]]:
    if n == 0:
        yield []
    for first in range(min(n, largest), 0, -1):
        for rest in partitions(n - first, first):
            yield [first, *rest]


def adjusted_by_definition(p: list[float], correction: str, n_systems: int = 0) -> list[Fraction]:
    """The smallest level at which each is rejected, from the definitions."""
    m = len(p)
    order = sorted(range(m), key=lambda i: p[i])
    sizes = {sum(math.comb(s, 2) for s in own) for own in partitions(n_systems, n_systems)}
    harmonic = sum(Fraction(1, i) for i in range(1, m + 1))
    found = [Fraction(1)] * m
    for rank, i in enumerate(order):
        if correction in ("bh", "by"):
            scale = harmonic if correction == "by" else 1
            levels = [Fraction(p[order[r]]) * m * scale / (r + 1) for r in range(rank, m)]
            found[i] = min(1, *levels, Fraction(1))
            continue
        factors = {
            "holm": lambda r: m - r,
            "bonferroni": lambda r: m,
            "shaffer": lambda r: max(size for size in sizes if size <= m - r),
        }[correction]
        found[i] = min(
            Fraction(1), max(Fraction(p[order[r]]) * factors(r) for r in range(rank + 1))
        )
    return found


@given(PVALUES)
@pytest.mark.parametrize("correction", [own for own in CORRECTIONS if own != "shaffer"])
def test_definition(correction: Correction, p: list[float]) -> None:
    found, logs = adjusted(np.array(p), np.log(p), correction)
    expected = adjusted_by_definition(p, correction)
    assert found.tolist() == pytest.approx([float(own) for own in expected], rel=1e-14)
    assert np.exp(logs) == pytest.approx(found, rel=1e-12)


@pytest.mark.parametrize("n", range(2, 8))
def test_shaffer(n: int) -> None:
    sizes = {sum(math.comb(s, 2) for s in own) for own in partitions(n, n)}
    m = math.comb(n, 2)
    expected = [max(size for size in sizes if size <= m - i) for i in range(m)]
    assert shaffer_factors(n) == expected
    p = np.random.default_rng(n).integers(1, 40, m) / 64
    found = adjusted(p, np.log(p), "shaffer", n_systems=n)[0].tolist()
    assert found == [float(own) for own in adjusted_by_definition(p.tolist(), "shaffer", n)]


def test_shaffer_as_published() -> None:
    """Of 5 systems 0, 1, 2, 3, 4, 6 or 10 pairs can be equal (Shaffer 1986)."""
    assert shaffer_factors(5) == [10, 6, 6, 6, 6, 4, 4, 3, 2, 1]


def test_false_discovery_rate_of_eight() -> None:
    """By hand: p * 8 / rank, and none more than a later one."""
    p = np.array([0.001, 0.008, 0.039, 0.041, 0.042, 0.06, 0.074, 0.205])
    bh = [0.008, 0.032, 0.0672, 0.0672, 0.0672, 0.08, 0.08457142857142858, 0.205]
    assert adjusted(p, np.log(p), "bh")[0].tolist() == pytest.approx(bh, rel=1e-12)
    harmonic = sum(1 / i for i in range(1, 9))
    by = [min(1.0, own * harmonic) for own in bh]
    assert adjusted(p, np.log(p), "by")[0].tolist() == pytest.approx(by, rel=1e-12)


@given(PVALUES)
def test_holm_is_csig_holm(p: list[float]) -> None:
    found = adjusted(np.array(p), np.log(p), "holm")[0].tolist()
    assert found == [row.adjusted for row in holm(p)]


def test_a_larger_family() -> None:
    """The larger p-values of the family need not be there."""
    p = np.array([0.01, 0.02])
    whole = np.array([0.01, 0.02, 0.98, 0.99])
    found = adjusted(p, np.log(p), "holm", total=4)[0]
    assert found.tolist() == adjusted(whole, np.log(whole), "holm")[0][:2].tolist()


def test_tiny_pvalues_are_ordered() -> None:
    logs = np.array([-2000.0, -3000.0, -1.0])
    p = np.exp(logs)
    assert adjusted(p, logs, "holm")[1].tolist() == pytest.approx(
        [-2000 + math.log(2), -3000 + math.log(3), -1.0]
    )


def test_shaffer_refuses() -> None:
    p = np.array([0.1, 0.2])
    with pytest.raises(InputError, match="for all pairs"):
        adjusted(p, np.log(p), "shaffer", n_systems=3)
    with pytest.raises(InputError, match="at most 500 systems, found 501"):
        shaffer_factors(501)


def test_every_correction_is_monotone() -> None:
    for correction, p in itertools.product(CORRECTIONS, ([0.5, 0.01, 0.02], [1.0, 1.0, 1.0])):
        own = np.array(p)
        found = adjusted(own, np.log(own), correction, n_systems=3)[0]
        assert (found >= own).all()
        assert (found <= 1).all()
