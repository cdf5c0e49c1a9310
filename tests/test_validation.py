"""What arguments may be, and what is said of the rest."""

import math
import re
from decimal import Decimal
from fractions import Fraction
from typing import get_args

import numpy as np
import pytest
from workers import Wire

from csig import Comparison, InputError
from csig.base import validation


class Index:
    def __index__(self):
        return 7


@pytest.mark.parametrize("value", [7, np.int8(7), np.uint64(7), np.array(7), Index()])
def test_what_is_an_integer(value):
    found = validation.as_integer(value)
    assert (found, type(found)) == (7, int)


@pytest.mark.parametrize(
    "value", [7.0, True, np.True_, "7", None, Fraction(7), Decimal(7), np.array([7, 7]), np.nan]
)
def test_what_is_none(value):
    assert validation.as_integer(value) is None


def test_one_of_some_words() -> None:
    validation.one_of("method", "exact", ("exact", "auto"))
    with pytest.raises(
        InputError, match=r"^method must be one of 'exact', 'auto', found 'exat' \(d"
    ):
        validation.one_of("method", "exat", ("exact", "auto"))
    for value in (None, 1, np.array(["exact", "auto"]), ["exact"]):
        with pytest.raises(InputError, match="must be one of"):
            validation.one_of("method", value, ("exact", "auto"))


@pytest.mark.parametrize("value", [1, np.int32(1), 1024])
def test_positive_integers(value):
    assert validation.positive("threads", value, 1024) == value


@pytest.mark.parametrize("value", [0, -1, 1025, 1.0, True, "1", None])
def test_other_numbers_than_from_one_to_the_limit(value):
    expected = f"threads must be an integer from 1 to 1024, found {value!r}"
    with pytest.raises(InputError, match=f"^{re.escape(expected)}$"):
        validation.positive("threads", value, 1024)


def test_the_limit_of_integers_without_one_of_their_own():
    assert validation.positive("n", 2**62) == 2**62
    with pytest.raises(InputError, match=f"from 1 to {2**62}, found {2**62 + 1}"):
        validation.positive("n", 2**62 + 1)


@pytest.mark.parametrize("value", [0.05, 5e-324, 1 - 2**-53, Fraction(1, 2), np.float32(0.5)])
def test_between_nought_and_one(value):
    found = validation.between("alpha", value)
    assert (found, type(found)) == (float(value), float)


@pytest.mark.parametrize("value", [0, 1, -0.5, math.nan, math.inf, "0.5", None, 10**400, 0.5j])
def test_not_between(value):
    expected = re.escape(f"alpha must lie between 0 and 1, found {value!r}")
    with pytest.raises(InputError, match=f"^{expected}$"):
        validation.between("alpha", value)


def test_between_other_numbers():
    assert validation.between("risk", 0.4, 0, 0.5) == 0.4
    with pytest.raises(InputError, match=r"risk must lie between 0 and 0\.5, found 0\.5"):
        validation.between("risk", 0.5, 0, 0.5)


@pytest.mark.parametrize("value", ["two sided", "", None, 0, ["less"], np.array(["less", "less"])])
def test_alternatives(value):
    assert [validation.check_alternative(a) for a in validation.ALTERNATIVES] == [
        "two-sided",
        "less",
        "greater",
    ]
    with pytest.raises(InputError, match="must be 'two-sided', 'less' or 'greater', found"):
        validation.check_alternative(value)


def test_types_and_values_are_the_same_words():
    assert get_args(validation.Alternative) == validation.ALTERNATIVES
    assert get_args(validation.Method) == validation.METHODS


def test_instances():
    comparison = Comparison.from_scores([1, 2], [0, 1])
    assert validation.instance("comparison", comparison, Comparison) is comparison
    with pytest.raises(InputError, match=r"parts\['x'\] must be a csig\.Comparison, found dict"):
        validation.instance("parts['x']", {}, Comparison)


def test_the_score_of_a_zero_denominator():
    assert validation.check_zero_division(np.int64(1)) == 1
    for value in (2, 0.0, True, None):
        with pytest.raises(InputError, match="zero_division must be 0 or 1, found"):
            validation.check_zero_division(value)


def test_executors():
    class Client:  # as dask's: it has `submit`, and is no executor
        def submit(self):
            """Like an executor's."""

        def get_executor(self):
            """Gives one."""

    wire = Wire()
    assert validation.check_executor(wire) is wire
    assert validation.check_executor(None) is None
    words = r"executor must be a concurrent\.futures\.Executor, found "
    with pytest.raises(InputError, match=words + r"Client; give client\.get_executor\(\)$"):
        validation.check_executor(Client())
    with pytest.raises(InputError, match=words + "str$"):
        validation.check_executor("pool")
