"""Scores of many systems in the same steps."""

from fractions import Fraction

import numpy as np
import pytest

from csig.data.grid import BITS, on_grid


@pytest.mark.parametrize("denominator", [1, 3, 8, 100, 997, 10**5])
def test_fractions_are_exact(denominator: int) -> None:
    whole = np.random.default_rng(1).integers(-2000, 2000, (4, 30))
    found = on_grid(list(whole / denominator))
    assert found.exact
    assert not found.blur.any()
    step = Fraction(int(found.values[0, 0]), int(whole[0, 0]))
    assert (found.values * step.denominator == whole.T * step.numerator).all()


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_blur_bounds_what_sums_are_off_by(dtype: type) -> None:
    rows = np.random.default_rng(2).standard_normal((3, 50)).astype(dtype)
    found = on_grid(list(rows))
    assert not found.exact
    assert np.abs(found.values).sum(axis=0).max() <= 2**BITS
    exact = [[Fraction(float(x)) - Fraction(float(y)) for x, y in zip(own, rows[0], strict=True)]
             for own in rows]  # fmt: skip
    step = sum(map(abs, exact[1])) / int(np.abs(found.values[:, 1]).sum())
    for k in (1, 2):
        off = sum(exact[k]) / step - int(found.values[:, k].sum())
        assert abs(off) <= found.blur[k] + found.blur[0]
    assert bool((found.blur > 2**20).all()) == (dtype is np.float32)


def test_what_all_systems_have_in_common_hides_nothing() -> None:
    scores = np.sqrt(np.random.default_rng(3).random((2, 9)))
    found = on_grid([np.append(own, 1e6) for own in scores])
    assert found.values[-1].tolist() == [0, 0]
    shares = found.values[:-1, 1] / found.values[0, 1]
    expected = (scores[1] - scores[0]) / (scores[1, 0] - scores[0, 0])
    assert shares == pytest.approx(expected, rel=1e-6)


def test_integers_in_doubles_with_large_sums() -> None:
    found = on_grid([np.array([2.0**52, 2.0**52 + 2]), np.array([0.0, 2.0**51])])
    assert not found.exact
    assert np.abs(found.values).sum(axis=0).max() <= 2**BITS
