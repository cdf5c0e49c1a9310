"""What is said of tests of two systems: their names, calls, facts and levels."""

from math import comb
from typing import Any

import numpy as np
import pytest
from advised import CASES, binary, real

import csig
from csig.advice.pairs import candidates, facts_of, mcnemar_level
from csig.data.comparison import Comparison


@pytest.mark.parametrize(("make", "call"), [(real, "inverted"), (binary, "linearized")])
def test_the_interval_is_the_one_that_goes_with_the_test(make: Any, call: str) -> None:
    (own,) = (own for own in csig.recommend(make(), "mean").tests if "interval of" in own.test)
    assert own.call.partition("(")[0] == f"csig.intervals.{call}_interval"


@pytest.mark.parametrize("case", CASES)
def test_all_are_named_once_by_their_function_and_unsound_marks_name_a_fact(case: str) -> None:
    """A number of units, a correlation, a skewness, a level."""
    make, metric = CASES[case]
    names = [own.test for own in candidates(facts_of(make(), metric))]
    assert len(set(names)) == len(names)
    finer = any(name.startswith("randomization test of ") for name in names if "diff" not in name)
    assert finer == bool(facts_of(make(), metric).finer)
    for own in csig.recommend(make(), metric).tests:
        if own.verdict == "unsound":
            assert any(c.isdigit() for c in own.reason), own
            assert own.source
        found: object = csig
        assert own.call.startswith("csig.")
        for name in own.call.partition("(")[0].split(".")[1:]:
            found = getattr(found, name)
        assert callable(found)


@pytest.mark.parametrize("n", [0, 1, 8, 9, 20, 57])
def test_mcnemar_level_is_how_often_the_test_rejects(n: int) -> None:
    """All outcomes of n coins."""
    expected = 0.0
    for k in range(n + 1):
        a = np.arange(n) < k
        found = csig.classical.mcnemar_test(Comparison.from_scores(a, ~a), method="asymptotic")
        expected += comb(n, k) / 2**n * (found.pvalue <= 0.05)
    assert mcnemar_level(n) == pytest.approx(expected, rel=1e-9, abs=1e-15)
    assert n != 8 or mcnemar_level(n) == 18 / 256
