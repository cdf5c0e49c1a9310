"""The rules for folds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import csig
from csig.advice.folds import candidates, of_folds
from csig.errors import InputError

A = [0.81, 0.84, 0.79, 0.86, 0.83, 0.80, 0.82, 0.85, 0.84, 0.78]
B = [0.80, 0.81, 0.79, 0.82, 0.82, 0.81, 0.80, 0.83, 0.84, 0.77]


def folds(n: int = 10, each: int | None = None, share: float | None = None) -> Any:
    return of_folds(A[:n], B[:n], each, share, ("new", "base"))


def verdicts(found: Any) -> dict[str, str]:
    return {own.advice.test: own.advice.verdict for own in candidates(found)}


@pytest.mark.parametrize(
    ("found", "recommended", "what", "share"),
    [
        (folds(5), "corrected resampled t test", "5 folds of one cross-validation", 0.2),
        (folds(10, 5), "corrected resampled t test", "10 folds of 2 cross-validations", 0.2),
        (folds(10, 2), "5x2cv F test", "10 folds of 5 cross-validations", 0.5),
        (folds(8, 2), "corrected resampled t test", "8 folds of 4 cross-validations", 0.5),
        (folds(10, None, 0.1), "corrected resampled t test", "10 random splits", 0.1),
    ],
)
def test_recommended(found: Any, recommended: str, what: str, share: float) -> None:
    assert candidates(found)[0].advice.test == recommended
    assert found.what == what
    assert float(found.test_share) == share
    five = "approximate" if recommended == "5x2cv F test" else "does not apply"
    assert verdicts(found)["5x2cv t test"] == five
    for own in candidates(found):
        if own.advice.verdict == "unsound":
            assert f"{what} share training items" in own.advice.reason
    unsound = {name for name, own in verdicts(found).items() if own == "unsound"}
    assert unsound == {
        "k-fold t test", "randomization test of folds", "Wilcoxon test of folds",
        "sign test of folds",
    }  # fmt: skip


def test_the_corrected_test_is_told_the_share() -> None:
    call = candidates(folds(10, 5))[0].advice.call
    assert call == "csig.resampled_t_test(a, b, n_train=4, n_test=1)"
    call = candidates(folds(10, None, 0.1))[0].advice.call
    assert call == "csig.resampled_t_test(a, b, n_train=9, n_test=1)"


def test_pvalues_are_those_of_the_functions() -> None:
    found = csig.all_tests({"base": B, "new": A}, rows="folds", folds=2)
    a, b = np.array(A).reshape(5, 2), np.array(B).reshape(5, 2)
    comparison = csig.Comparison.from_scores(A, B)
    expected = {
        "5x2cv F test": csig.cv52_f_test(a, b),
        "5x2cv t test": csig.cv52_t_test(a, b),
        "corrected resampled t test": csig.resampled_t_test(A, B, n_train=1, n_test=1),
        "k-fold t test": csig.kfold_t_test(A, B),
        "randomization test of folds": csig.randomization_test(comparison, "mean"),
        "Wilcoxon test of folds": csig.wilcoxon_test(comparison),
        "sign test of folds": csig.sign_test(comparison),
    }
    for name, own in expected.items():
        assert (found[name].pvalue, found[name].statistic) == (own.pvalue, own.statistic), name
    assert found.names == ("new", "base")
    assert found.rows == "folds"


def test_halves_that_do_not_vary_leave_the_corrected_test() -> None:
    a = [0.5, 0.5, 0.6, 0.6, 0.7, 0.7, 0.8, 0.8, 0.9, 0.9]
    found = of_folds(a, [0.5] * 10, 2, None, ("a", "b"))
    assert candidates(found)[0].advice.test == "corrected resampled t test"
    assert verdicts(found)["5x2cv F test"] == "does not apply"


@pytest.mark.parametrize(
    ("a", "b", "each", "share", "message"),
    [
        ([0.5], [0.4], None, None, "1 fold, and no test can say anything of one"),
        (A, B, 3, None, "10 rows are no whole number of cross-validations"),
        (A, B, 1, None, "at least two folds"),
        (A, B, 5, 0.2, "folds is for cross-validations, test_share for random splits"),
        (A, B, None, 1.5, "test_share"),
        ([0.5, 0.75], [0.25, 0.5], None, None, "all 2 folds have the same difference"),
    ],
)
def test_refused(a: Any, b: Any, each: Any, share: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        of_folds(a, b, each, share, ("a", "b"))
