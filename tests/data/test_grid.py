"""Scores of many systems in the same steps."""

from fractions import Fraction

import numpy as np
import pytest

from csig.data.fixed_point import SUMMED_BITS, on_grid


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
    assert np.abs(found.values).sum(axis=0).max() <= 2**SUMMED_BITS
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
    assert np.abs(found.values).sum(axis=0).max() <= 2**SUMMED_BITS


@pytest.mark.parametrize("scale", [2.0**-1060, 1e-300, 1e-160, 1e160, 1e290])
def test_scores_near_the_ends_of_doubles(scale: float) -> None:
    """The step may be no double: it is 2^-1100 for the least."""
    rng = np.random.default_rng(1)
    rows = [rng.random(50) * scale for _ in range(3)]
    found = on_grid(rows)
    assert not found.exact
    sums = found.values.sum(axis=0).astype(float)
    sizes = np.array([float(np.sum(own / scale)) for own in rows])
    ratio = (sums[1] - sums[0]) / (sums[2] - sums[0])
    assert ratio == pytest.approx((sizes[1] - sizes[0]) / (sizes[2] - sizes[0]), rel=1e-3)
    assert (found.blur >= 50).all()
    assert np.isfinite(found.blur).all()
