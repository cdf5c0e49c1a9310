"""Printed numbers and what they may stand for; claims and findings, and what JSON has of them."""

import contextlib
import decimal
import json
import math
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import pytest
from claimed import NUMBER, PVALUE
from hypothesis import given
from hypothesis import strategies as st
from written import refusal

from csig.base.errors import InputError
from csig.claims.model import (
    ROUNDINGS,
    VERDICTS,
    ClaimsReport,
    Interval,
    printed_number,
    printed_pvalue,
)

MODES = {
    "half-up": decimal.ROUND_HALF_UP,
    "half-even": decimal.ROUND_HALF_EVEN,
    "truncated": decimal.ROUND_DOWN,
}


@given(st.integers(-3000, 3000), st.integers(0, 2))
def test_conventions_are_decimals(thousandths, decimals):
    """Every number belongs to what it is rounded to, and to nothing else; nearest is either."""
    exact, unit = Decimal(thousandths).scaleb(-3), Decimal(1).scaleb(-decimals)
    for convention, mode in MODES.items():
        right = exact.quantize(unit, mode)
        for step in (-2, -1, 0, 1, 2):
            printed = str(right + step * unit)
            found = printed_number(printed, (convention,)).interval
            assert found.contains(Fraction(exact)) == (step == 0)
            near = abs(Decimal(printed) - exact) <= unit / 2
            assert printed_number(printed).interval.contains(Fraction(exact)) == near


@pytest.mark.parametrize(("text", "low", "high"), [
    ("45.6 %", "0.4555", "0.4565"), (" 45.60%", "0.45595", "0.45605"), (".5", "0.45", "0.55"),
    ("5.", "4.5", "5.5"), ("-0.3", "-0.35", "-0.25"), ("9.2e-5", "0.0000915", "0.0000925"),
    ("1E2", "50", "150"), ("0", "-0.5", "0.5"), ("1e9999", "0.5e9999", "1.5e9999"),
])  # fmt: skip
def test_numbers(text, low, high):
    interval = printed_number(text).interval
    assert (interval.low, interval.high) == (Fraction(low), Fraction(high))


def test_several_conventions_are_joined():
    found = printed_number("0.5", ("truncated", "half-up")).interval
    assert found == Interval(Fraction("0.45"), Fraction("0.6"), True, False)
    assert set(ROUNDINGS) == {"nearest", *MODES}


@pytest.mark.parametrize(("text", "low", "high", "closed"), [
    ("p = .01", "0.005", "0.015", (True, True)), ("3 %", "0.025", "0.035", (True, True)),
    ("0.00", "0", "0.005", (True, True)), ("< 0.05", "0", "0.05", (True, False)),
    ("less than 4 %", "0", "0.04", (True, False)), ("At most 4%", "0", "0.04", (True, True)),
    ("≤ 0.05", "0", "0.05", (True, True)), ("> 0.1", "0.1", "1", (False, True)),
    ("at least 0.1", "0.1", "1", (True, True)), ("10 to 20 %", "0.1", "0.2", (True, True)),
    ("between 1e-5 and 0.01", "0.00001", "0.01", (True, True)),
])  # fmt: skip
def test_pvalues(text, low, high, closed):
    assert printed_pvalue(text).interval == Interval(Fraction(low), Fraction(high), *closed)


@pytest.mark.parametrize(("parse", "text", "expected"), [
    *((printed_number, text, NUMBER) for text in
      ("", "45,6", "1_0", "nan", "1e99999", "٣", "1" * 61)),
    (printed_pvalue, "p", PVALUE),
    (printed_pvalue, "0 to " + " " * 10_000 + "1", PVALUE),
    (printed_pvalue, "-0.1", "expected a p-value from 0 to 1, or in percent"),
    (printed_pvalue, "5", "expected a p-value from 0 to 1, or in percent"),
    (printed_pvalue, "< 0", "expected a bound that some p-value meets"),
    (printed_pvalue, "10 % to 0.2", "expected a range within 0 to 1, the lower end first"),
])  # fmt: skip
def test_what_is_no_number(parse, text, expected):
    assert refusal(parse, text) == f"found {text[:60]!r}, {expected}"


@given(st.text(alphabet="0123456789.e+-%<>=≤ ptoandbetweenlesthanmor", max_size=40))
def test_nothing_but_input_errors(text):
    for parse in (printed_number, printed_pvalue):
        with contextlib.suppress(InputError):
            found = parse(text)
            assert found.interval.low <= found.interval.high
            assert found.meaning
            assert found.show(Fraction(1, 3))


def test_intervals():
    """A double is as near as a relative 1e-10."""
    closed, opened = (Interval(Fraction(0), Fraction(1), own, own) for own in (True, False))
    beyond = Interval(Fraction(1), Fraction(2))
    assert closed.meets(beyond)
    assert not opened.meets(beyond)
    assert not beyond.meets(opened)
    assert closed.times(2) == Interval(Fraction(0), Fraction(2))
    interval = printed_number("0.25").interval
    assert interval.middle == Fraction(1, 4)
    assert (interval.floats(), interval.floats(2)) == ((0.245, 0.255), (0.1225, 0.1275))
    end, step = Fraction(255, 1000), Fraction(1, 10**10)
    near = [interval.near(end * (1 + off)) for off in (0, step / 2, 2 * step, -Fraction(1, 2))]
    assert near == [True, True, False, False]


def test_json_has_every_finding_but_neither_infinity_nor_large_numbers(report):
    found = json.loads(json.dumps(report.to_dict(), allow_nan=False))
    assert (found["schema"], found["schema_version"]) == ("csig.claims", 1)
    assert found["counts"]["gold"] == ["103", "104"]
    assert len(found["findings"]) == len(report.findings)
    assert found["findings"][0]["candidates"] == ["103"]
    for finding in found["findings"]:
        assert finding["verdict"] in VERDICTS
        assert finding.keys() == found["findings"][0].keys()
    finding = replace(
        report.findings[0], log_pvalue=-math.inf, z=math.nan, trials=2**60,
        solutions=((2**60, None, 1),), n_solutions=2**70, interval=(0.0, 1.0),
    )  # fmt: skip
    (found,) = ClaimsReport(report.claims, (finding,)).to_dict()["findings"]
    assert (found["log_pvalue"], found["z"]) == (None, None)
    assert (found["trials"], found["n_solutions"]) == (str(2**60), str(2**70))
    assert found["solutions"] == [[str(2**60), None, "1"]]
    assert found["interval"] == [0.0, 1.0]


def test_what_passes_and_the_best_verdict_is_first(report):
    """Nothing is wrong with what is doubtful, or not known."""
    findings = [replace(report.findings[0], verdict=v) for v in reversed(VERDICTS)]
    for finding in findings:
        found = ClaimsReport(report.claims, (finding, finding))
        assert found.totals == {finding.verdict: 2}
        wrong = finding.verdict in {"contradicted", "inconsistent", "impossible"}
        assert found.passed is not wrong
    assert list(ClaimsReport(report.claims, tuple(findings)).totals) == list(VERDICTS)
