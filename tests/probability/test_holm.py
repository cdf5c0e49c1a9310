"""Holm's correction against the textbook, of p-values and of results."""

import math

import pytest
from brute import PAPER, textbook_holm
from hypothesis import given
from hypothesis import strategies as st

import csig
from csig import Comparison, InputError, randomization_test
from csig.classical import Corrected, holm

PVALUES = st.lists(st.sampled_from([0.0, 1e-300, 1e-9, 0.001, 0.01, 0.02, 0.5, 1.0]))


@given(PVALUES, st.sampled_from([0.05, 0.01, 0.5]))
def test_the_textbooks(pvalues, alpha):
    rows = holm(pvalues, alpha)
    assert [row.adjusted for row in rows] == pytest.approx(textbook_holm(pvalues), rel=1e-14)
    assert [row.pvalue for row in rows] == [row.result for row in rows] == pvalues
    assert [row.name for row in rows] == list(range(len(pvalues)))
    for row in rows:
        assert row.significant == (row.adjusted <= alpha)
        assert row.verdict == ("significant" if row.significant else "not significant")
        if row.adjusted:
            assert row.log_adjusted == pytest.approx(math.log(row.adjusted), rel=1e-14, abs=1e-13)


def test_names():
    rows = holm({"PER": 0.01, "LOC": 0.04, ("x", 1): 1.0})
    assert [(row.name, row.adjusted) for row in rows] == [
        ("PER", 0.03), ("LOC", 0.08), (("x", 1), 1.0)
    ]  # fmt: skip
    assert isinstance(rows[0], Corrected)
    with pytest.raises(AttributeError):
        rows[0].adjusted = 0.0


def counts(n, more=0):
    return Comparison.from_counts(gold=2 * n, only_a_correct=n, only_b_correct=more)


def test_results_where_doubles_end():
    large, small = (randomization_test(counts(n), "recall") for n in (5000, 3))
    rows = holm({"large": large, "small": small})
    assert rows[0].result is large
    assert (rows[0].pvalue, rows[0].adjusted) == (0.0, 0.0)
    assert rows[0].log_pvalue == large.log_pvalue
    assert rows[0].log_adjusted == pytest.approx(-4998 * math.log(2))
    assert rows[1].adjusted == 0.25


def test_approximate_results_may_be_undecided():
    """Their intervals are corrected as their p-values are."""
    result = randomization_test(
        Comparison.from_counts(**PAPER), "recall", method="approximate", n_resamples=999, rng=1
    )
    low, high = result.pvalue_interval
    others = [1e-9, 1e-9, 1e-9]  # the fourth by size is multiplied by one
    for factor, tests in ((1, [*others, result]), (4, [result, 1.0, 1.0, 1.0])):
        for alpha, expected in (
            (factor * high * 1.01, "significant"),
            (factor * high * 0.99, "undecided"),
            (factor * max(low, 1e-9) * 1.01, "undecided"),
        ):
            (row,) = (row for row in holm(tests, alpha) if row.result is result)
            assert row.adjusted == pytest.approx(factor * result.pvalue)
            assert row.verdict == expected
    same = randomization_test(counts(0), "recall", method="approximate", n_resamples=9, rng=1)
    assert holm([same], 0.9)[0].verdict == "not significant"  # nothing differs


@pytest.mark.parametrize(
    ("tests", "alpha", "message"),
    [
        ([0.1, 1.5], 0.05, r"tests\[1\]: expected a p-value from 0 to 1, found 1\.5"),
        ({"x": math.nan}, 0.05, r"tests\['x'\]: expected a p-value from 0 to 1, found nan"),
        ({"x": "0.1"}, 0.05, r"tests\['x'\]: expected a result or its p-value, found '0\.1'"),
        ([0.1], 0, "alpha must lie between 0 and 1, found 0"),
    ],
)
def test_what_cannot_be_corrected(tests, alpha, message):
    with pytest.raises(InputError, match=message):
        holm(tests, alpha)


def test_rows_of_a_breakdown():
    parts = {"x": counts(9), "y": counts(9, 5), "z": counts(0)}
    found = csig.effects.breakdown(parts, ["recall", "f1"])
    for metric in ("recall", "f1"):
        rows = found.corrected(metric, alpha=0.01)
        assert [row.name for row in rows] == ["x", "y", "z"]
        assert [row.result for row in rows] == [p.results[metric] for p in found.parts]
        assert [row.adjusted for row in rows] == [p.adjusted[metric] for p in found.parts]
        assert [row.significant for row in rows] == [False, False, False]
    assert found.corrected("recall")[0].significant
