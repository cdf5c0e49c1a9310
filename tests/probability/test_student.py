"""Student's quantiles against scipy's and against 50 digits."""

import math

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtri, stdtrit

from csig.probability.student import MANY, normal_quantile, t_quantile

degrees = st.floats(math.log(0.5), math.log(3e6)).map(math.exp)
freedom = st.one_of(degrees, degrees.map(math.ceil), st.sampled_from([1, 2, MANY - 1, MANY]))
tails = st.floats(math.log(1e-10), math.log(0.49)).map(math.exp)


@given(freedom, tails)
def test_as_scipys(df, tail):
    probability = 1 - tail
    assert t_quantile(df, probability) == pytest.approx(stdtrit(df, probability), rel=4e-13)


@pytest.mark.parametrize("df", [1, 2.5, 9, 100, 499, MANY - 0.5, MANY])
@pytest.mark.parametrize("probability", [0.6, 0.975, 0.9995, 1 - 1e-9])
def test_with_fifty_digits(df, probability):
    """Put back into the distribution, the quantile gives the tail it was asked for."""
    with mpmath.workdps(50):
        t = mpmath.mpf(t_quantile(df, probability))
        tail = mpmath.betainc(mpmath.mpf(df) / 2, 0.5, 0, df / (df + t * t), regularized=True) / 2
        # Wrong by so much in t, the tail is wrong by so much times t's own power.
        power = mpmath.mpf(df + 1) * t * t / (df + t * t) + 1
        assert abs(tail / (1 - mpmath.mpf(probability)) - 1) < 5e-13 * power


@given(st.floats(math.log(1e-300), math.log(0.499)).map(math.exp))
def test_normal_quantiles(tail):
    assert normal_quantile(tail) == pytest.approx(-ndtri(tail), rel=1e-13)


def test_known_forms():
    """Of 1 degree it is Cauchy's distribution, of 2 there is a formula."""
    for probability in (0.55, 0.75, 0.99):
        of_cauchy = math.tan(math.pi * (probability - 0.5))
        of_two = (2 * probability - 1) / math.sqrt(2 * probability * (1 - probability))
        assert t_quantile(1, probability) == pytest.approx(of_cauchy, rel=1e-12)
        assert t_quantile(2, probability) == pytest.approx(of_two, rel=1e-12)


def test_the_ends():
    assert t_quantile(5, 0.5) == 0
    assert t_quantile(0.01, 0.9999) == math.inf


def test_it_grows():
    levels = np.linspace(0.501, 0.99999, 500)
    for df in (1, 3, 30, 300, 30_000):
        assert (np.diff([t_quantile(df, own) for own in levels]) > 0).all()


def test_the_probability_next_to_1():
    for df in (1, 9, 1e9):
        last, end = (t_quantile(df, p) for p in (1 - 2.0**-53, 1.0))
        assert last < end == pytest.approx(-stdtrit(df, 2.0**-54), rel=1e-9)
