"""What findings say, number by number."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from csig.claims.checker import exact_text, few, numbers, p_text, share_text, stands_for
from csig.claims.model import printed_number, printed_pvalue


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ([], ""),
        (["a"], "a"),
        (["a", "b"], "a and b"),
        (["a", "b", "c"], "a, b and c"),
        (["a", "b", "c", "d"], "a, b, c and 1 more"),
        ([str(i) for i in range(2003)], "0, 1, 2 and 2,000 more"),
    ],
)
def test_lists(names, expected):
    assert few(names) == expected


@pytest.mark.parametrize(
    ("log_pvalue", "expected"),
    [
        (math.log(0.25), "0.25"),
        (math.log(1.01e-4), "0.0001"),
        (math.log(0.99e-4), "10^-4.0"),
        (-1000 * math.log(10), "10^-1000.0"),
        (-math.inf, "0"),
    ],
)
def test_chances(log_pvalue, expected):
    assert p_text(math.exp(log_pvalue), log_pvalue) == expected


def test_exact_pvalues_are_in_the_form_of_the_printed_one():
    log_p = math.log(0.0123456)
    assert exact_text(0.0123456, log_p, None) == "0.012346"
    assert exact_text(0.0123456, log_p, printed_pvalue("0.01")) == "0.012346"
    assert exact_text(0.0123456, log_p, printed_pvalue("1 %")) == "1.2346%"
    assert exact_text(0.0, -400 * math.log(10), None) == "10^-400.0"


def test_shares_are_in_the_form_of_the_printed_number():
    assert share_text(Fraction(1, 3), printed_number("33 %")) == "33.33%"
    assert share_text(Fraction(1, 3), printed_number("0.33")) == "0.3333"


def test_what_was_printed():
    half = printed_number("50 %")
    assert stands_for(half, None) == "50 % stands for 49.5% to 50.5%"
    assert stands_for(half, printed_pvalue("<0.05")).count("; ") == 1
    assert numbers(half) == {
        "printed": 0.5,
        "interval": (0.495, 0.505),
        "limits": "50 % stands for 49.5% to 50.5%",
    }
    assert numbers(printed_pvalue("<0.05"))["printed"] is None
