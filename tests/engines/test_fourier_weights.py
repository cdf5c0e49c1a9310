"""The weights of frequencies against mpmath, and what they promise at every point."""

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest

from csig.engines import frequencies as weights
from csig.engines.frequencies import TURN, Kernel


def exact_kernels(k, n, rate):
    """The transforms, by their formula."""
    u = mpmath.mpf(k) / n
    w = 1 / (mpmath.exp(rate + 2j * mpmath.pi * u) - 1)
    at_0 = 1 / (mpmath.exp(rate) - 1)
    below = (1 - u) * w + rate / (2j * mpmath.pi) * (at_0 - w)
    return below + (1 - u), below, 1 + w


@pytest.mark.parametrize("rate", [1e-12, 3e-5, 0.02, 0.7, 5.0, 60.0])
@pytest.mark.parametrize("n", [2, 3, 1001, 2**33 + 1])
def test_the_transforms_are_within_their_error(n, rate):
    k = np.unique([1, 2, 3, n // 9, n // 4, n // 3, n // 2, n // 2 + 1, n - 2, n - 1])
    k = k[(k > 0) & (k < n)].astype(np.int64)
    kernel, periodic = Kernel.at(k, n, rate), Kernel.at(k, n, rate, lattice=True)
    with mpmath.workdps(50):
        for i, number in enumerate(k.tolist()):
            above, below, whole = exact_kernels(number, n, mpmath.mpf(rate))
            assert abs(kernel.above[i] - above) <= kernel.error[i]
            assert abs(kernel.below[i] - below) <= kernel.error[i]
            assert abs(periodic.above[i] - whole) <= periodic.error[i]
            assert kernel.error[i] < 1e-12 * (1 + rate) * (1 + n / min(number, n - number))


@pytest.mark.parametrize("rate", [0.02, 0.4, 4.0])
def test_the_kernels_lie_above_and_below_the_exponential(rate):
    """Their inverse transforms, at integers, halves and between, against exp(-rate x)."""
    n = 4096
    k = np.arange(1, n, dtype=np.int64)
    kernel = Kernel.at(k, n, rate)
    at_0 = 1 / math.expm1(rate)
    for x in [-40.5, -7.0, -1.3, -0.5, -0.01, 0.0, 0.01, 0.5, 1.0, 1.7, 12.0, 33.3]:
        # The trapezoidal sum repeats the function with the period n, where it is below 1 / n.
        turn = np.exp(2j * np.pi * k * x / n)
        above = (at_0 + 1 + 2 * (kernel.above * turn).real.sum()) / n
        below = (at_0 + 2 * (kernel.below * turn).real.sum()) / n
        true = math.exp(-rate * x) if x >= 0 else 0.0
        assert below - 1e-6 <= true <= above + 1e-6
        assert above - below == pytest.approx(np.sinc(x) ** 2, abs=1e-6)


@pytest.mark.parametrize("rate", [1e-9, 0.01, 1.0, 30.0])
@pytest.mark.parametrize(("k0", "n"), [(1, 2), (1, 1000), (7, 8), (12, 5000)])
def test_the_weights_of_far_frequencies_are_bounded(k0, n, rate):
    k = np.arange(k0 + 1, n, dtype=np.int64)
    kernel = Kernel.at(k, n, rate)
    bound = weights.far_weight(k0, n, rate)
    assert 2 / n * np.abs(kernel.above).sum() <= bound
    assert 2 / n * np.abs(kernel.below).sum() <= bound
    odd = n | 1
    k = np.arange(k0 + 1, (odd - 1) // 2 + 1, dtype=np.int64)
    whole = Kernel.at(k, odd, rate, lattice=True).above
    assert 2 / odd * np.abs(whole).sum() <= weights.lattice_far_weight(k0, odd)


@pytest.mark.parametrize("x", [0, 1, -1, 0.3, -0.3465, 700.1, -12345.678, 1e5 / 3])
def test_the_exponential_has_any_size(x):
    value, exponent, error = weights.exponential(Fraction(x))
    with mpmath.workdps(60):
        true = mpmath.exp(mpmath.mpf(x))
        assert abs(mpmath.ldexp(mpmath.mpf(value), exponent) / true - 1) <= error


def test_turns_keep_their_fraction():
    rng = np.random.default_rng(1)
    for k in ([1, 2, 77, 2**31], [1, 2**39 + 12345]):
        step, s = float(rng.random() * 1e-3), float(rng.random() * 1e6)
        turns = weights.turns_of(step, s)
        assert 0 <= turns < 2**TURN
        circle, error = weights.unit_circle(turns, np.array(k))
        with mpmath.workdps(80):
            for i, number in enumerate(k):
                true = mpmath.expj(-mpmath.mpf(number) * mpmath.mpf(step) * mpmath.mpf(s))
                assert abs(circle[i] - true) <= error
    assert error < 1e-13
