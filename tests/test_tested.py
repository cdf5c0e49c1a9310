"""The result of a classical test: what all of them have in common."""

import copy
import pickle

import pytest

import csig

PAIR = csig.Comparison.from_scores([3, 1, 4, 1, 5], [2, 1, 1, 3, 0], names=("new", "base"))
RIGHT = csig.Comparison.from_scores([1, 1, 1, 0, 0], [1, 0, 0, 1, 0], names=("new", "base"))
RECALL = csig.Comparison.from_counts(gold=9, only_a_correct=2, only_b_correct=1)
FIVE = [[0.02, 0.01], [0.03, 0.00], [0.01, 0.02], [0.04, 0.02], [0.01, 0.01]]

#: A test, its name, its degrees of freedom. All but Cochran's have a difference.
CASES = [
    (csig.classical.sign_test(PAIR), "sign", None),
    (csig.classical.paired_t_test(PAIR), "paired t", 4),
    (csig.classical.wilcoxon_test(PAIR), "Wilcoxon", None),
    (csig.classical.mcnemar_test(RIGHT), "McNemar", None),
    (csig.classical.kfold_t_test([0.3, 0.1, 0.2]), "k-fold t", 2),
    (csig.classical.cv52_t_test(FIVE), "5x2cv t", 5),
    (csig.classical.cv52_f_test(FIVE), "5x2cv F", (10, 5)),
    (csig.classical.cochran_q_test({"a": [1, 0, 0], "b": [0, 1, 1]}), "Cochran's Q", 1),
    (csig.classical.independent_t_test(PAIR), "t", 8),
    (csig.classical.proportions_test(RECALL), "proportions",
     None),
]  # fmt: skip


@pytest.mark.parametrize(("found", "test", "df"), CASES)
def test_every_test_has_the_same_result(found, test, df):
    assert isinstance(found, csig.classical.TestResult)
    statistic, pvalue = found
    assert (statistic, pvalue) == (found.statistic, found.pvalue) == (found[0], found[1])
    assert len(found) == 2
    assert (found.test, found.degrees_of_freedom) == (test, df)
    assert (found.difference is None) == (test == "Cochran's Q")
    assert found.assumes.endswith(".")


@pytest.mark.parametrize("found", [case[0] for case in CASES])
def test_details_are_attributes_of_copies_too(found):
    for own in (found, copy.copy(found), copy.deepcopy(found), pickle.loads(pickle.dumps(found))):
        assert own == found
        assert hash(own) == hash(found)
        assert repr(own) == repr(found)
        for name, value in found.details.items():
            assert getattr(own, name) == value
            assert name in dir(own)
    with pytest.raises(AttributeError, match=f"{found.test} test has no 'nonsense'"):
        _ = found.nonsense
    with pytest.raises(IndexError):
        _ = found[2]


def test_the_difference_is_that_of_the_scores():
    a, b = PAIR.scores("mean")
    for test in (
        csig.classical.sign_test,
        csig.classical.paired_t_test,
        csig.classical.wilcoxon_test,
        csig.classical.independent_t_test,
    ):
        assert test(PAIR).difference == pytest.approx(a - b)
    assert csig.classical.mcnemar_test(RIGHT).difference == pytest.approx(0.2)
    for test in (csig.classical.proportions_test, csig.classical.chi_square_test):
        assert test(RECALL, "recall").difference == pytest.approx(1 / 9)
