"""Bounds of decimals and the lattice engine: they agree, and a judge that is off is noticed."""

from fractions import Fraction

import pytest
from simulated import simulation

from csig.engines.fourier import enclose

decimals = simulation("decimals")

#: Where the judge takes more than a second, and others.
SLOW = (5, 1000), (6, 100), (6, 300), (6, 1000)
QUICK = [size for size in decimals.SIZES if size[:2] not in SLOW]


@pytest.mark.parametrize(
    "size",
    [
        (5, 60, 0.02),
        (6, 100, 0.005),
        *(pytest.param(size, marks=pytest.mark.slow) for size in QUICK),
    ],
)
def test_bounds_are_those_of_the_lattice_engine(size):
    row = decimals.row(*size)
    assert row.cases >= 5
    assert row.largest < 1e-9
    assert row.widest < 1e-9
    assert row.smallest < 1e-190 if row.numbers >= 10_000 else 1e-7


def test_a_judge_that_is_off_is_noticed():
    values = decimals.differences(3, 50, 0.1)
    found, true = enclose(values, 300, tolerance=1e-10), decimals.judged(values, 300)
    assert decimals.distance(found, true) < 1e-9
    for off in (Fraction(1, 10**9), Fraction(-1, 10**9)):
        with pytest.raises(AssertionError):
            decimals.distance(found, true * (1 + off))
