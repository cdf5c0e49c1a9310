"""What arguments may be, what is said of the rest, and the constants that commands list."""

from decimal import Decimal
from fractions import Fraction
from typing import get_args

import numpy as np
from workers import Wire

from csig import Comparison, streams
from csig.base import defaults, validation
from csig.classical.paired import ZeroMethod
from csig.comparing.bootstrap import INTERVAL_METHODS
from csig.datasets.pairs import DatasetsCorrection, DatasetTest


class Index:
    def __index__(self):
        return 7


COMPARISON, WIRE = Comparison.from_scores([1, 2], [0, 1]), Wire()
INTEGERS = (7, np.int8(7), np.uint64(7), np.array(7), Index())
OTHERS = (7.0, True, np.True_, "7", None, Fraction(7), Decimal(7), np.array([7, 7]), np.nan)
SHARES = (0.05, 5e-324, 1 - 2**-53, Fraction(1, 2), np.float32(0.5))
ALTERNATIVES = ("two-sided", "less", "greater")


def test_what_is_accepted():
    found = [validation.as_integer(value) for value in INTEGERS]
    assert [(own, type(own)) for own in found] == [(7, int)] * 5
    assert [validation.as_integer(value) for value in OTHERS] == [None] * 9
    for value in (1, np.int32(1), 1024):
        assert validation.positive("threads", value, 1024) == value
    assert validation.positive("n", 2**62) == 2**62
    for value in SHARES:
        share = validation.between("alpha", value)
        assert (share, type(share)) == (float(value), float)
    assert validation.between("risk", 0.4, 0, 0.5) == 0.4
    validation.one_of("method", "exact", ("exact", "auto"))
    assert tuple(map(validation.check_alternative, ALTERNATIVES)) == validation.ALTERNATIVES
    assert validation.ALTERNATIVES == get_args(validation.Alternative) == ALTERNATIVES
    assert get_args(validation.Method) == validation.METHODS
    assert validation.instance("comparison", COMPARISON, Comparison) is COMPARISON
    assert validation.check_zero_division(np.int64(1)) == 1
    assert validation.check_executor(WIRE) is WIRE
    assert validation.check_executor(None) is None


def test_constants_are_those_of_the_tests():
    for name in defaults.GENERATORS:
        assert issubclass(getattr(np.random, name), np.random.BitGenerator)
    assert streams.make_source(0, None).name == defaults.GENERATORS[0]
    assert tuple(streams.BAD) == defaults.BAD_GENERATORS
    assert set(defaults.INTERVALS) - set(defaults.UNDRAWN_INTERVALS) == set(INTERVAL_METHODS)
    assert defaults.INTERVALS[0] in defaults.UNDRAWN_INTERVALS
    assert get_args(DatasetTest) == defaults.DATASET_TESTS
    assert get_args(DatasetsCorrection) == defaults.DATASET_CORRECTIONS
    assert set(defaults.ZERO_METHODS) == set(get_args(ZeroMethod))
