"""Printed hits and p-values: against each other, on one side and on both, and the exact ones."""

from __future__ import annotations

import math

import pytest
from claimed import COUNTS, by_check, counts, printed_test, verdict

import csig
from csig.claims.checker import check_claims
from csig.claims.model import Claims


@pytest.mark.parametrize(
    ("metric", "exact", "expected", "z"),
    [
        ("recall", 9.756279177963734e-05, 102.302, -0.6),
        ("f1", 0.014775685752788524, 15493.429, -5.7),
        ("precision", 0.019994289562099043, 20965.532, 33.5),
    ],
)
def test_hits_of_the_paper(report, metric, exact, expected, z):
    """REFERENCE, section 1."""
    (finding,) = by_check(report, "exact hits", metric=metric)
    assert finding.exact_pvalue == pytest.approx(exact, rel=1e-12)
    assert round(finding.expected, 3) == expected
    assert round(finding.z, 1) == z
    assert finding.trials == 2**20


def test_4_percent_and_3_percent(report):
    first, second = by_check(report, "exact p")
    assert first.sentence.startswith("The exact p is 1.9994%, not 3 %.")
    assert second.sentence == "The exact p is 3.9989%, in agreement with less than 4 %."
    _, finding = by_check(report, "one-sided and two-sided")
    assert finding.claim.endswith("one-sided: p 3 %; two-sided: p less than 4 %")
    assert finding.interval == (0.025, 0.035)
    assert finding.expected_interval == (0, 0.02)
    assert finding.sentence.endswith("The exact values are 1.9994% and 3.9989%.")


@pytest.mark.parametrize(
    ("hits", "text", "expected"),
    [
        (96, "0.00009", "confirmed"),
        (96, "0.0000916", "confirmed"),  # hits / shuffles
        (96, "0.00009251", "confirmed"),  # (hits + 1) / (shuffles + 1)
        (96, "0.00010", "inconsistent"),
        (106, "0.00009", "inconsistent"),
        (96, "< 0.0001", "confirmed"),
        (96, "> 0.0001", "inconsistent"),
        (0, "0.000", "confirmed"),
    ],
)
def test_hits_and_p(hits, text, expected):
    test = printed_test("recall", "greater", hits, 2**20, text)
    assert verdict(Claims(tests=(test,)), "hits and p") == expected


def test_hits_by_either_formula_are_said():
    for text, formula in (("0.1", "hits / shuffles"), ("0.2", "(hits + 1) / (shuffles + 1)")):
        test = printed_test("recall", "greater", 1, 9, text)
        (finding,) = by_check(check_claims(Claims(tests=(test,))), "hits and p")
        assert finding.sentence.endswith(f"{text} is {formula}.")


@pytest.mark.parametrize(
    ("one", "two", "expected"),
    [
        ("0.02", "0.04", "confirmed"),
        ("0.02", "0.05", "confirmed"),  # 0.0245 and 0.049
        ("0.02", "0.06", "inconsistent"),
        ("3 %", "less than 4 %", "inconsistent"),
        ("3 %", "less than 5 %", "inconsistent"),  # 2.5 % is not less
        ("3 %", "at most 5 %", "confirmed"),
        ("3 %", "5 % to 10 %", "confirmed"),
        ("0.02", "0.02", "inconsistent"),
        ("0.7", "0.6", "unknown"),
    ],
)
def test_one_sided_and_two_sided(one, two, expected):
    tests = (
        printed_test("recall", "less", pvalue=one), printed_test("recall", "two-sided", pvalue=two),
    )  # fmt: skip
    assert verdict(Claims(tests=tests), "one-sided and two-sided") == expected


def test_one_sided_and_two_sided_by_shuffles_may_differ_by_chance():
    def check(hits, trials, two):
        tests = (
            printed_test("recall", "less", hits, trials),
            printed_test("recall", "two-sided", pvalue=two),
        )
        return verdict(Claims(tests=tests), "one-sided and two-sided")

    assert check(20, 1000, "0.060") == "confirmed"
    assert check(20_000, 10**6, "0.060") == "inconsistent"
    tests = (
        printed_test("recall", "less", pvalue="0.020", trials=1000),
        printed_test("recall", "two-sided", pvalue="0.060"),
    )
    assert verdict(Claims(tests=tests), "one-sided and two-sided") == "confirmed"


def test_other_metrics_are_no_pair():
    tests = (
        printed_test("recall", "less", pvalue="0.1"), printed_test("f1", "two-sided", pvalue="0.1"),
        printed_test("f1", "two-sided", pvalue="0.1"),
    )  # fmt: skip
    assert by_check(check_claims(Claims(tests=tests)), "one-sided and two-sided") == []


@pytest.mark.parametrize(
    ("hits", "expected"),
    [(20966, "confirmed"), (20392, "doubtful"), (21539, "doubtful"), (20000, "contradicted")],
)
def test_limits_of_hits(hits, expected):
    test = printed_test("precision", "less", hits, 2**20)
    assert verdict(Claims(counts=counts(), tests=(test,))) == expected


@pytest.mark.parametrize(
    ("text", "trials", "expected"),
    [
        ("0.020", None, "confirmed"),
        ("0.0200", None, "confirmed"),
        ("0.025", None, "contradicted"),
        ("< 0.05", None, "confirmed"),
        ("> 0.05", None, "contradicted"),
        ("0.025", 1000, "confirmed"),  # chance
        ("0.025", 2**20, "contradicted"),
        ("0.02", 1000, "confirmed"),
        ("0.0205", 40_000, "confirmed"),
        ("0.0240", 20_000, "doubtful"),
        ("0.0123", 7, "contradicted"),  # of 7 shuffles no share is that
    ],
)
def test_printed_p_alone(text, trials, expected):
    test = printed_test("precision", "less", trials=trials, pvalue=text)
    assert verdict(Claims(counts=counts(), tests=(test,)), "exact p") == expected


@pytest.mark.parametrize("trials", [10**18, 10**18 - 1])
def test_as_many_trials_as_may_be(trials):
    test = printed_test("precision", "less", trials // 50, trials, "0.02")
    (finding,) = by_check(check_claims(Claims(counts=counts(), tests=(test,))), "exact hits")
    assert finding.verdict == "contradicted"
    assert finding.pvalue == 0
    assert math.isfinite(finding.log_pvalue)


def test_an_exact_p_that_underflows():
    """2000 to 0: p is 2^-2000."""
    many = counts({"only_a_correct": 2000, "only_b_correct": 0})
    for hits, expected in ((0, "confirmed"), (1, "contradicted")):
        test = printed_test("recall", "greater", hits, 10**6)
        (finding,) = by_check(check_claims(Claims(counts=many, tests=(test,))), "exact hits")
        assert finding.verdict == expected
        assert "The exact p is 10^-602.1," in finding.sentence
    test = printed_test("recall", "greater", pvalue="< 1e-600")
    assert verdict(Claims(counts=many, tests=(test,)), "exact p") == "confirmed"


@pytest.mark.parametrize("seed", range(5))
def test_hits_of_the_shuffles_are_not_contradicted(seed):
    comparison = csig.Comparison.from_counts(**COUNTS)
    found = csig.randomization_test(
        comparison, ["recall", "precision", "f1"], alternative="less", method="approximate",
        n_resamples=2**16, rng=seed,
    )  # fmt: skip
    tests = tuple(printed_test(m, "less", r.n_hits, 2**16) for m, r in found.items())
    report = check_claims(Claims(counts=counts(), tests=tests))
    assert [f.verdict for f in report.findings] == ["confirmed"] * 3
