"""The integers of two systems are those that to_integers gives, bit by bit."""

import itertools
from typing import Any

import numpy as np
import pytest

from csig.base.errors import InputError
from csig.data.fixed_point import PairIntegers, to_integers


def systems(kind: str, n: int, rng: np.random.Generator) -> list[Any]:
    if kind == "uniform":
        return [rng.random(n) for _ in range(4)]
    if kind == "normal":
        return [rng.standard_normal(n) * 10.0 ** rng.integers(-9, 9) for _ in range(4)]
    if kind == "half the same":
        common = rng.random(n)
        return [np.where(rng.random(n) < 0.5, common, rng.random(n)) for _ in range(4)]
    if kind == "zeros and ones":
        return [np.where(rng.random(n) < 0.6, rng.integers(0, 2, n), rng.random(n) ** 2)
                for _ in range(4)]  # fmt: skip
    if kind == "singles":
        return [rng.random(n).astype(np.float32 if i % 2 else np.float64) for i in range(4)]
    if kind == "heavy":
        return [rng.standard_cauchy(n) ** 3 for _ in range(4)]
    if kind == "nearly the same":
        common = rng.random(n) * 100
        return [common * (1 + i * rng.choice([0, 2.0**-52, 1e-9], n)) for i in range(4)]
    assert kind == "mixed"
    return [rng.random(n), rng.integers(0, 9, n), np.round(rng.random(n), 2), rng.random(n) * 1e12]


KINDS = (
    "uniform", "normal", "half the same", "zeros and ones", "singles", "heavy", "nearly the same",
    "mixed",
)  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_integers(kind: str) -> None:
    rng = np.random.default_rng(KINDS.index(kind))
    known = 0
    for n in (1, 3, 30, 400):
        rows = systems(kind, n, rng)
        pairs = PairIntegers(rows)
        for j, k in itertools.product(range(4), repeat=2):
            found = pairs.of(j, k)
            if found is None:
                continue
            known += 1
            expected = to_integers(rows[j], rows[k])
            assert found.a.tolist() == expected.a.tolist()
            assert found.b.tolist() == expected.b.tolist()
            assert (found.unit, found.tau) == (expected.unit, expected.tau)
    assert known >= (20 if kind in ("uniform", "half the same", "zeros and ones") else 1)


def test_rational_scores_are_asked_for_together() -> None:
    """Thirds beside quarters are twelfths, which neither shows alone."""
    rng = np.random.default_rng(1)
    rows = [rng.integers(0, 9, 50) / 3, rng.integers(0, 9, 50) / 4, rng.random(50)]
    pairs = PairIntegers(rows)
    assert pairs.of(0, 1) is None
    assert to_integers(rows[0], rows[1]).unit.denominator == 12
    found = pairs.of(0, 2)
    assert found is not None
    assert found.unit == to_integers(rows[0], rows[2]).unit


def test_what_is_lost_is_left_to_the_messages() -> None:
    a = np.array([1e15, 0.1, 0.2, 0.3, 0.1, 0.25] * 2) * np.sqrt(2)
    b = np.array([1e15, 0.5, 0.5, 0.5, 0.5, 0.5] * 2) * np.sqrt(3)
    b[0] = a[0]
    b[6] = a[6]
    with pytest.raises(InputError, match="is lost beside"):
        to_integers(a, b)
    assert PairIntegers([a, b]).of(0, 1) is None


def test_not_everything_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(2)
    rows = [rng.random(100) for _ in range(5)]
    monkeypatch.setattr("csig.data.fixed_point.KEPT", 150)
    pairs = PairIntegers(rows)
    for j, k in itertools.combinations(range(5), 2):
        found, expected = pairs.of(j, k), to_integers(rows[j], rows[k])
        assert found is not None
        assert found.a.tolist() == expected.a.tolist()


def test_scores_that_are_nothing_beside_others_are_left_to_the_messages() -> None:
    rng = np.random.default_rng(3)
    one, other = rng.random(30) * 1e200, rng.random(30) * 1e200
    for own in (one, other):
        own[6:] = rng.random(24) * 1e-300
    assert PairIntegers([one, other]).of(0, 1) is None
