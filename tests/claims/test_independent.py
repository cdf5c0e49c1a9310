"""Printed correlations and chi-squares."""

from __future__ import annotations

import pytest
from claimed import COUNTS, by_check, counts

import csig
from csig.claims.checker import check_claims
from csig.claims.model import Claims, PrintedChiSquare, printed_number


def test_correlation_and_chi_square_of_the_paper(report):
    assert round(by_check(report, "correlation")[0].expected, 6) == 0.345181
    statistic, pvalue = by_check(report, "chi-square")
    assert round(statistic.expected, 7) == 2.3800768
    assert round(pvalue.expected, 7) == 0.1228915


def test_correlation_and_chi_square_need_their_counts():
    found = check_claims(
        Claims(
            correlation=printed_number("0.35"),
            chi_squares=(PrintedChiSquare(metric="recall", statistic=printed_number("1")),),
        )
    )
    assert [f.verdict for f in found.findings] == ["unknown", "unknown"]


def test_chi_square_from_sums_alone():
    sums = {"correct_a": 47, "correct_b": 25, "predicted_a": 95, "predicted_b": 39, "gold": 103}
    squares = (
        PrintedChiSquare(metric="precision", statistic=printed_number("2.38")),
        PrintedChiSquare(metric="recall", statistic=printed_number("10.33")),
        PrintedChiSquare(metric="recall", statistic=printed_number("10.43")),
    )
    found = check_claims(Claims(counts=counts(sums), chi_squares=squares))
    assert [f.verdict for f in found.findings] == ["confirmed", "confirmed", "contradicted"]
    z = csig.classical.proportions_test(csig.Comparison.from_counts(**COUNTS), "recall").statistic
    assert found.findings[1].expected == pytest.approx(z**2)
