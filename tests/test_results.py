"""Results: they unpack like scipy's, are frozen, travel, and show themselves; intervals, counts."""

import copy
import dataclasses
import inspect
import math
import pickle
import sys

import pandas
import polars
import pytest
import scipy.stats
from brute import PAPER

import csig
from csig import Comparison, InputError, randomization_test
from csig.base.shown import FORMATS, WIDTH, as_frame
from csig.classical.report import TESTS
from csig.intervals import bootstrap_test
from csig.probability.binomial import clopper_pearson, sequential_interval
from csig.results.randomization import Decision


@pytest.fixture(name="paper", scope="module")
def paper_fixture():
    return Comparison.from_counts(**PAPER, names=("new", "base"))


@pytest.fixture(name="results", scope="module")
def results_fixture(paper):
    return randomization_test(paper, ["recall", "f1"])


def unpacks_and_travels(result):
    statistic, pvalue = result
    assert (statistic, pvalue) == (result.statistic, result.pvalue) == tuple(result) == result[:]
    assert (result[0], result[-1], len(result)) == (statistic, pvalue, 2)
    with pytest.raises(IndexError):
        result[2]
    with pytest.raises(AttributeError):
        result.pvalue = 0.5
    for own in (copy.copy(result), copy.deepcopy(result), pickle.loads(pickle.dumps(result))):
        assert (own, tuple(own), repr(own)) == (result, tuple(result), repr(result))
        assert dataclasses.asdict(own)["pvalue"] == pvalue
    assert result
    assert result != (statistic, pvalue)


@pytest.mark.parametrize("test", [randomization_test, bootstrap_test])
def test_results_unpack_and_travel(test, paper):
    results = test(paper, ["f1", "recall"], rng=1, pvalue_confidence=0.9)
    result = results["f1"]
    unpacks_and_travels(result)
    assert result == test(paper, "f1", rng=1, pvalue_confidence=0.9)
    assert dataclasses.replace(result, metric="other") != result
    assert dataclasses.replace(result, names=("x", "y")) == result
    assert repr(result).startswith(f"<{type(result).__name__} f1: new - base = ")
    assert [own.metric for own in results.values()] == list(results) == ["f1", "recall"]
    assert isinstance(results, dict)
    assert {**results} == results == pickle.loads(pickle.dumps(results))
    # The confidence of a drawn p has the name of its option.
    assert result.pvalue_confidence == 0.9
    assert not hasattr(result, "confidence_level")
    assert result.to_dict()["results"][0]["confidence_level"] == 0.9


def test_approximate_p_and_interval(paper):
    options = {"method": "approximate", "rng": 5}
    result = randomization_test(paper, "f1", n_resamples=9999, **options)
    assert result.pvalue == (result.n_hits + 1) / 10_000
    assert result.log_pvalue == pytest.approx(math.log(result.pvalue), rel=1e-15)
    reference = scipy.stats.binomtest(result.n_hits, 9999).proportion_ci(0.99, method="exact")
    assert result.pvalue_interval == pytest.approx((reference.low, reference.high), rel=1e-9)
    stopped = randomization_test(paper, "f1", decide_at=0.05, pvalue_confidence=0.9, **options)
    assert stopped.pvalue_interval == sequential_interval(stopped.n_hits, stopped.n_resamples, 0.9)
    low, high = clopper_pearson(40, 1000, 1 - 2**-53)  # next to certainty
    assert 0.005 < low < 0.04 < high < 0.12


def test_what_a_decision_guarantees():
    for risk, verdict, words in (
        (0.0, "below", "does not depend on a seed"),
        (1e-6, "below", "opposite verdicts at 0.05 with a probability of at most 2e-06"),
        (1e-6, "undecided", "leads to a wrong verdict with probability at most 1e-06"),
    ):
        assert words in Decision(0.05, risk, verdict, None).guarantee


PAIR = Comparison.from_scores([3, 1, 4, 1, 5], [2, 1, 1, 3, 0], names=("new", "base"))
RIGHT = Comparison.from_scores([1, 1, 1, 0, 0], [1, 0, 0, 1, 0], names=("new", "base"))
RECALL = Comparison.from_counts(gold=9, only_a_correct=2, only_b_correct=1)
FIVE = [[0.02, 0.01], [0.03, 0.00], [0.01, 0.02], [0.04, 0.02], [0.01, 0.01]]

#: A test, its name, its degrees of freedom, and the difference where it is one of two systems.
CASES = [
    (csig.classical.sign_test(PAIR), "sign", None, 1.4),
    (csig.classical.paired_t_test(PAIR), "paired t", 4, 1.4),
    (csig.classical.wilcoxon_test(PAIR), "Wilcoxon", None, 1.4),
    (csig.classical.mcnemar_test(RIGHT), "McNemar", None, 0.2),
    (csig.classical.resampled_t_test([0.3, 0.1, 0.2], n_train=9, n_test=1),
     "corrected resampled t", 2, 0.2),
    (csig.classical.kfold_t_test([0.3, 0.1, 0.2]), "k-fold t", 2, 0.2),
    (csig.classical.cv52_t_test(FIVE), "5x2cv t", 5, 0.017),
    (csig.classical.cv52_f_test(FIVE), "5x2cv F", (10, 5), 0.017),
    (csig.classical.cochran_q_test({"a": [1, 0, 0], "b": [0, 1, 1]}), "Cochran's Q", 1, None),
    (csig.classical.independent_t_test(PAIR), "t", 8, 1.4),
    (csig.classical.proportions_test(RECALL, "recall"), "proportions", None, 1 / 9),
    (csig.classical.chi_square_test(RECALL, "recall"), "chi-square", 1, 1 / 9),
]  # fmt: skip


@pytest.mark.parametrize(("found", "test", "df", "difference"), CASES)
def test_every_classical_test_has_the_same_result(found, test, df, difference):
    assert isinstance(found, csig.classical.TestResult)
    assert (found.test, found.degrees_of_freedom) == (test, df)
    assert found.difference == (difference and pytest.approx(difference))
    assert found.assumes.endswith(".")
    assert len(repr(found)) <= WIDTH
    assert (found.to_dict()["results"][0]["pvalue"], found.to_frame("pandas")["pvalue"][0]) == (
        found.pvalue, found.pvalue,
    )  # fmt: skip
    assert dataclasses.replace(found, names=("x", "y"), line="") == found
    unpacks_and_travels(found)
    for own in (found, copy.copy(found), pickle.loads(pickle.dumps(found))):
        assert hash(own) == hash(found)
        assert {name: getattr(own, name) for name in found.details} == found.details
        assert {*found.details} <= {*dir(own)}
    with pytest.raises(AttributeError, match=f"{found.test} test has no 'nonsense'"):
        _ = found.nonsense


def test_a_classical_test_that_is_in_no_table_is_refused_where_it_is_shown():
    """Every function that gives a `TestResult` is in CASES, and every test of these in TESTS."""
    room = csig.classical
    tests = [n for n in room.__all__ if inspect.isfunction(own := getattr(room, n))
             and inspect.signature(own).return_annotation == "TestResult"]  # fmt: skip
    assert {test for _, test, *_ in CASES} == set(TESTS)
    assert len(tests) == len(TESTS)
    seventh = dataclasses.replace(CASES[0][0], test="seventh")
    for show in (str, csig.classical.TestResult.to_dict, csig.classical.TestResult.to_frame):
        with pytest.raises(InputError, match=r"report of a seventh test; csig\.classical\.report"):
            show(seventh)


def test_a_line_says_what_how_much_and_p(results):
    assert repr(results["f1"]) == (
        "<RandomizationResult f1: new - base = +12.26 points, p = 0.0296 (exact, 86 responses)>"
    )
    assert repr(results) == "<Results recall: p = 0.000195, f1: p = 0.0296>"
    hostile = Comparison.from_scores([1, 2, 3], [2, 4, 5], names=("new\n\x1b[31m", "b" * 200))
    line = repr(randomization_test(hostile, "mean"))
    assert line.isprintable()
    assert len(line) == WIDTH
    assert line.endswith("...>")


def test_text_is_what_the_summary_says(results):
    assert f"{results!s}\n" == results.summary() == results.summary("text")
    assert "A" not in str(results["f1"]).split()
    assert "new - base" in str(results)
    assert "interchangeable" not in str(results)
    assert "interchangeable" in results.summary(explain=True)
    narrow = results.summary(width=40)
    assert max(map(len, narrow.splitlines()[:4])) <= 40
    assert FORMATS == ("text", "markdown", "latex", "csv", "json", "html")
    for bad in ("latx", "", None, 3):
        with pytest.raises(InputError, match="format must be one of 'text', 'markdown'"):
            results.summary(bad)
    with pytest.raises(InputError, match="width"):
        results.summary(width=-3)


@pytest.mark.parametrize("library", [pandas, polars])
def test_records_and_frames_have_a_row_per_metric(results, library):
    record = results.to_dict()
    assert [own["metric"] for own in record["results"]] == ["recall", "f1"]
    assert record["results"][1]["pvalue"] == results["f1"].pvalue
    frame = results.to_frame(library.__name__)
    assert isinstance(frame, library.DataFrame)
    for column, name in (("metric",) * 2, ("pvalue",) * 2, ("difference", "statistic")):
        assert list(frame[column]) == [getattr(own, name) for own in results.values()]
    rows = [{"n": None}] * 200 + [{"n": 1.5}]
    assert as_frame(rows, library.__name__)["n"][200] == 1.5  # after many rows without


def test_without_a_library_frames_are_refused(results, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    assert isinstance(results.to_frame(), polars.DataFrame)
    monkeypatch.setitem(sys.modules, "polars", None)
    for arguments, message in (
        ((), "a data frame needs pandas or polars: pip install"),
        (("polars",), "a data frame needs polars: pip install polars"),
        (("panda",), "library must be one of 'pandas', 'polars'"),
    ):
        with pytest.raises(InputError, match=message):
            results.to_frame(*arguments)


THREE = {"a": [1.0, 2, 3, 5], "b": [2, 2, 1.5, 1], "c": [1, 1, 1, 2.5]}


@pytest.mark.parametrize("result", [
    csig.compare_systems(THREE), csig.compare_datasets(THREE),
    csig.effects.unit_contributions(
        Comparison.from_scores(THREE["a"], THREE["b"]), "mean"
    ),
])  # fmt: skip
def test_a_copy_of_a_result_with_arrays_is_equal(result):
    for own in (copy.copy(result), copy.deepcopy(result), pickle.loads(pickle.dumps(result))):
        assert (own == result, hash(own)) == (True, hash(result))
    assert result != csig.compare_systems({**THREE, "c": [1, 1, 1, 2]})
    assert result != THREE
    for field in (own for own in dataclasses.fields(result) if own.compare):  # whatever is there
        other = dataclasses.replace(result, **{field.name: ...})
        assert (other != result, result != other) == (True, True)
