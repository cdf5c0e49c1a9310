"""Results: frozen, with intervals and counts that are made when they are asked for."""

import math
import pickle
from dataclasses import asdict, replace

import pytest
import scipy.stats
from brute import PAPER

from csig import Comparison, InputError, randomization_test
from csig.base.wording import pvalue
from csig.intervals import bootstrap_test
from csig.probability import sequential
from csig.probability.binomial import clopper_pearson
from csig.results.randomization import Decision


@pytest.fixture(name="paper", scope="module")
def paper_fixture():
    return Comparison.from_counts(**PAPER)


def test_approximate_p_and_interval(paper):
    result = randomization_test(paper, "f1", method="approximate", n_resamples=9999, rng=5)
    assert result.pvalue == (result.n_hits + 1) / 10_000
    assert result.log_pvalue == pytest.approx(math.log(result.pvalue), rel=1e-15)
    reference = scipy.stats.binomtest(result.n_hits, 9999).proportion_ci(0.99, method="exact")
    assert result.pvalue_interval == pytest.approx((reference.low, reference.high), rel=1e-9)


def test_results_are_frozen_and_can_be_pickled(paper):
    result = randomization_test(paper, "f1", method="yeh2000", rng=1)
    with pytest.raises(AttributeError):
        result.pvalue = 0.5
    assert pickle.loads(pickle.dumps(result)) == result
    exact = randomization_test(paper, "f1")
    assert pickle.loads(pickle.dumps(exact)).exact_count == exact.exact_count


def test_small_p_values_are_printed_as_powers_of_ten():
    comparison = Comparison.from_counts(gold=9000, only_a_correct=9000, only_b_correct=0)
    result = randomization_test(comparison, "recall")
    assert result.pvalue == 0
    assert result.log_pvalue == pytest.approx(-8999 * math.log(2), rel=1e-14)
    assert pvalue(0.0, result.log_pvalue) == "10^-2709.0"
    assert result.exact_count == 2


def test_an_interval_next_to_certainty():
    low, high = clopper_pearson(40, 1000, 1 - 2**-53)
    assert 0.005 < low < 0.04 < high < 0.12


def test_the_interval_is_that_of_the_kind_of_result(paper):
    options = {"method": "approximate", "rng": 1, "pvalue_confidence": 0.9}
    fixed = randomization_test(paper, "f1", n_resamples=2**16, **options)
    stopped = randomization_test(paper, "f1", decide_at=0.05, **options)
    assert fixed.n_hits == stopped.n_hits
    assert fixed.pvalue_interval == clopper_pearson(fixed.n_hits, 2**16, 0.9)
    assert stopped.pvalue_interval == sequential.interval(fixed.n_hits, 2**16, 0.9)
    low, high = fixed.pvalue_interval
    assert stopped.pvalue_interval[0] < low < high < stopped.pvalue_interval[1]
    assert (
        randomization_test(paper, "f1").pvalue_interval[1] == randomization_test(paper, "f1").pvalue
    )


def test_counts_and_nulls_only_where_they_are_known(paper):
    exact = randomization_test(paper, "recall")
    assert exact.total_count == 2**exact.n_units
    assert exact.exact_count / exact.total_count == pytest.approx(exact.pvalue, rel=1e-12)
    assert exact.null.pvalue() == pytest.approx(exact.pvalue, rel=1e-12)
    drawn = randomization_test(paper, "recall", method="approximate", n_resamples=99, rng=1)
    assert (drawn.exact_count, drawn.total_count) == (None, None)
    with pytest.raises(InputError, match="use keep_null=True"):
        assert drawn.null


def test_what_a_decision_guarantees():
    said = {
        (0.0, "below"): "does not depend on a seed",
        (1e-6, "below"): "opposite verdicts at 0.05 with a probability of at most 2e-06",
        (1e-6, "undecided"): "leads to a wrong verdict with probability at most 1e-06",
    }
    for (risk, verdict), words in said.items():
        assert words in Decision(0.05, risk, verdict, None).guarantee


@pytest.mark.parametrize("test", [randomization_test, bootstrap_test])
def test_results_unpack_like_scipys(test, paper):
    result = test(paper, "f1", rng=1)
    statistic, pvalue = result
    assert (statistic, pvalue) == (result.statistic, result.pvalue) == tuple(result)
    assert (result[0], result[1], result[-1]) == (statistic, pvalue, pvalue)
    assert result[:] == (statistic, pvalue)
    assert len(result) == 2
    with pytest.raises(IndexError):
        result[2]
    assert result
    assert result == test(paper, "f1", rng=1)
    assert result != (statistic, pvalue)
    assert replace(result, metric="other") != result
    assert asdict(result)["pvalue"] == pvalue
    assert repr(result).startswith(f"<{type(result).__name__} f1: A - B = ")
    copied = pickle.loads(pickle.dumps(result))
    assert copied == result
    assert tuple(copied) == tuple(result)


@pytest.mark.parametrize("test", [randomization_test, bootstrap_test])
def test_results_of_several_metrics_go_by_metric(test, paper):
    results = test(paper, ["f1", "recall"], rng=1)
    assert [*results] == list(results) == [f"{name}" for name in results] == ["f1", "recall"]
    one, other = results.values()
    assert (one.metric, other.metric) == tuple(results)
    assert tuple(results["f1"]) == (one.statistic, one.pvalue)
    assert {**results} == dict(results) == results == pickle.loads(pickle.dumps(results))


def test_the_confidence_of_a_drawn_p_has_the_name_of_its_option(paper):
    for result in (
        randomization_test(paper, "f1", pvalue_confidence=0.9),
        bootstrap_test(paper, "f1", pvalue_confidence=0.9, rng=1, n_resamples=99),
    ):
        assert result.pvalue_confidence == 0.9
        assert not hasattr(result, "confidence_level")
        assert result.to_dict()["results"][0]["confidence_level"] == 0.9
