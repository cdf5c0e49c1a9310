"""Options, the choice of an engine, and counts of the same shuffles whoever asks."""

from __future__ import annotations

import numpy as np
import pytest
from brute import PAPER, SCORES, extreme_shuffles

from csig import Comparison, InputError, Metric, metrics
from csig.engines.tasks import SlowMetricWarning, Task, exactly, make_task, warn_of_slow
from csig.probability.sequential import Rule
from csig.streams import CHUNK

OPTIONS = {
    "alternative": "two-sided", "method": "auto", "n_resamples": None, "rng": 1,
    "bit_generator": None, "threads": 2, "zero_division": 0, "confidence_level": 0.99,
    "exact_budget": 2**26,
}  # fmt: skip


def task(**options) -> Task:
    return make_task(Comparison.from_counts(**PAPER), **(OPTIONS | options))


def answer(**options):
    asked = task(**options)
    return exactly(asked, asked.question(metrics.f1))


def test_defaults_are_the_papers():
    assert task().n_resamples == 2**20
    assert task(threads=None).threads >= 1


@pytest.mark.parametrize(
    ("options", "engine", "reason"),
    [
        ({}, "staircase", "88 steps, within the budget of 67108864"),
        ({"exact_budget": 87}, "staircase", "88 steps, fewer than the 1409024 random words"),
        (
            {"exact_budget": 87, "n_resamples": 64},
            "shuffle",
            "exact would take 88 steps, budget 87",
        ),
        ({"method": "approximate"}, "shuffle", "asked for"),
        ({"method": "exact", "exact_budget": 1}, "staircase", "asked for"),
        ({"method": "yeh2000"}, "shuffle", "86 unique responses: more than the 20"),
    ],
)
def test_who_answers_and_why(options, engine, reason):
    found = answer(**options)
    assert found.engine == engine
    assert found.reason.startswith(reason)
    assert (found.found is None) == (engine == "shuffle")


def test_what_is_certain_is_not_computed():
    same = {"gold": 9, "only_a_correct": 2, "only_b_correct": 2}
    asked = make_task(Comparison.from_counts(**same), **OPTIONS)
    found = exactly(asked, asked.question(metrics.recall)).found
    assert found is not None
    assert (found.value, found.exponent, found.error_bound) == (1.0, 0, 0.0)
    assert found.counter() == 2**4


def test_counts_are_by_question_and_do_not_depend_on_threads_or_company():
    recall, f1 = (task().question(m) for m in (metrics.recall, metrics.f1))
    together = task(n_resamples=3 * CHUNK).count(0, [recall, f1], None)
    alone = task(n_resamples=3 * CHUNK, threads=1).count(0, [f1], None)
    assert list(together) == [recall, f1]
    assert together[f1] == alone[f1]
    p = extreme_shuffles(PAPER, SCORES["f1"], "two-sided") / 2**86
    n = 3 * CHUNK
    assert abs(together[f1].hits - n * p) < 9 * np.sqrt(n * p * (1 - p))


def test_a_rule_ends_the_counting():
    asked = task(method="approximate")
    question = asked.question(metrics.f1)
    (found,) = asked.count_until_decided([question], Rule(0.05, 1e-6, 100)).values()
    assert found.decision.verdict == "below"
    assert found.n_resamples == found.decision.n_resamples == CHUNK
    assert found.hits == task(n_resamples=CHUNK).count(0, [question], None)[question].hits


def test_only_functions_are_reported_as_slow(monkeypatch, recwarn):
    monkeypatch.setattr("csig.engines.tasks.SLOW", 0.0)
    monkeypatch.setattr("csig.engines.tasks.SLOW_TRIAL", 0.0)
    warn_of_slow([task().question(metrics.f1)], 2**40)
    assert not recwarn.list
    own = Metric("own", ("tp",), function=lambda s: s[:, 0] * 1.0)
    with pytest.warns(SlowMetricWarning, match="metric 'own': its function takes"):
        warn_of_slow([task().question(own)], 10)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "bayes"}, "method must be one of auto, exact, approximate, yeh2000"),
        ({"n_resamples": 2**48 + 1}, "n_resamples must be an integer from 1 to"),
        ({"threads": 1025}, "threads must be an integer from 1 to 1024"),
        ({"zero_division": 2}, "zero_division must be 0 or 1"),
        ({"alternative": "more"}, "alternative must be"),
    ],
)
def test_options_are_checked_at_once(options, message):
    with pytest.raises(InputError, match=message):
        task(**options)
