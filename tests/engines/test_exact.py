"""Which engine answers exactly, what it costs, and that several that can agree."""

import math
from dataclasses import replace

import numpy as np
import pytest
from brute import PAPER

from csig import Comparison, InputError, Metric, randomization_test
from csig.data import metrics
from csig.data.metrics import ratio
from csig.engines.base import Found
from csig.engines.exact import Answer, engines, result_of
from csig.engines.questions import make_question
from csig.engines.tasks import make_task

ALTERNATIVES = ("two-sided", "greater", "less")

#: Functions: no engine knows what they compute.
SQUARES = Metric("x^2 / y", ("x", "y"), function=lambda s: s[:, 0] ** 2 / s[:, 1])
F1 = Metric(
    "own", ("tp", "predicted", "gold"), function=lambda s: 2 * s[:, 0] / (s[:, 1] + s[:, 2])
)


def units(n: int, columns: tuple[str, ...]) -> Comparison:
    rng = np.random.default_rng(n)
    a, b = (rng.integers(1, 6, size=(n, len(columns))) for _ in "ab")
    return Comparison.from_statistics(a, b, columns)


def scores(n: int) -> Comparison:
    a, b = np.random.default_rng(n).integers(1, 10**6, size=(2, n))
    return Comparison.from_scores(a, b)


@pytest.mark.parametrize(("comparison", "metric", "names"), [
    (Comparison.from_counts(**PAPER), metrics.f1, {"staircase"}),
    (Comparison.from_counts(**PAPER), F1, {"enumeration"}),
    (units(9, ("x", "y")), ratio("x / y", "x", "y"), {"lattice", "enumeration"}),
    (scores(9), metrics.mean, {"lattice", "meet in the middle"}),
    (units(9, ("x", "y")), SQUARES, {"enumeration"}),
])  # fmt: skip
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_all_engines_that_can_answer_agree(comparison, metric, names, alternative):
    found = engines(comparison, make_question(comparison, metric, alternative, 0))
    assert {engine.name for engine in found} == names
    assert [e.cost for e in found] == sorted(e.cost for e in found)
    answers = [engine.run(1, None) for engine in found]
    values = [math.ldexp(answer.value, answer.exponent) for answer in answers]
    assert values == pytest.approx([values[0]] * len(values), rel=1e-12)
    for answer, value in zip(answers, values, strict=True):
        if answer.counter is not None:
            assert answer.counter() == pytest.approx(value * 2**comparison.n_units, rel=1e-12)


def test_sums_that_only_the_lattice_cannot_hold():
    """Each system's sum is below 2^61, but not both together; the shuffles do not mind."""
    rng = np.random.default_rng(1)
    a, b = (
        np.stack([2**50 + rng.integers(0, 5, 1030), 2**50 + rng.integers(5, 7, 1030)], axis=1)
        for _ in "ab"
    )
    comparison = Comparison.from_statistics(a, b, ("x", "y"))
    metric = ratio("x / y", "x", "y")
    options = {"rng": 1, "n_resamples": 1000}
    result = randomization_test(comparison, metric, **options)
    assert (result.engine, result.method) == ("shuffle", "approximate")
    assert result.reason == "the lattice cannot hold the sums: the weighted sums reach 2^61"
    assert result == replace(
        randomization_test(comparison, metric, method="approximate", **options),
        reason=result.reason,
    )
    with pytest.raises(InputError, match=r"no exact test \(the lattice cannot .* 'approximate'"):
        randomization_test(comparison, metric, method="exact")


def test_few_units_of_any_size_have_another_engine():
    a, b = [(2**58 + i, 2**60 // 5 + 1) for i in range(4)], [(2**58, 2**60 // 5)] * 4
    comparison = Comparison.from_statistics(a, b, ("x", "y"))
    assert randomization_test(comparison, ratio("x / y", "x", "y")).method == "exact"


def made(found=None, counts=None, **options):
    given = {"n_resamples": 1000, "rng": 7, "threads": 1}
    task = make_task(Comparison.from_counts(**PAPER), **(given | options))
    return result_of(task, task.question(metrics.f1), Answer(found, "some", "why"), counts)


@pytest.mark.parametrize("exponent", [0, -3, -5000])
def test_a_p_value_too_small_for_a_double_has_a_logarithm(exponent):
    result = made(Found(0.75, exponent, 1e-13))
    assert result.pvalue == math.ldexp(0.75, exponent)
    assert result.log_pvalue == pytest.approx(math.log(0.75) + exponent * math.log(2))
    assert (result.error_bound, result.exact_count, result.total_count) == (1e-13, None, None)
    assert (result.seed, result.n_hits) == (None, None)
    nearly = made(Found(1 - 2**-52, 0))  # misses 1 by its rounding
    assert (nearly.pvalue, nearly.log_pvalue) == (1.0, 0.0)


def test_a_count_is_made_when_somebody_asks():
    asked = []
    result = made(Found(0.5, 0, counter=lambda: asked.append(1) or 2**85))
    assert not asked
    assert (result.exact_count, result.total_count) == (2**85, 2**86)
    assert asked == [1]


def test_nothing_extreme_is_the_functions_fault():
    with pytest.raises(InputError, match="gives different scores for the same sums"):
        made(Found(0.0, 0))
