"""Metrics that are functions: what they are asked, when, and by whom."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from csig import Comparison, InputError, Metric, metrics
from csig.engines.questions import BLOCK, OF_FUNCTION, OF_USER, Shared, function_question

COLUMNS = ("x", "y")
UNITS = Comparison.from_statistics([(3, 2), (1, 2), (2, 1)], [(1, 3), (2, 2), (5, 1)], COLUMNS)


def asked(function, comparison=UNITS):
    return function_question(comparison, Metric("own", COLUMNS, function=function), "two-sided", 0)


def shared() -> Shared:
    return Shared(threading.Lock(), np.zeros(1, dtype=np.int32), 0)


def test_a_function_is_asked_in_blocks_under_its_lock():
    judge_shared, sizes = shared(), []

    def function(sums):
        if recording:
            sizes.append(len(sums))
            assert judge_shared.lock.locked()
        return sums[:, 0] * 1.0

    recording = False
    question = asked(function)
    assert question.seconds_a_trial > 0  # measured now, not below
    recording = True
    judge = question.judge(None, judge_shared)
    judge.add(np.zeros((2, 2 * BLOCK + 1), dtype=np.int64), 2 * BLOCK + 1, 0)
    assert max(sizes) <= BLOCK
    assert sum(sizes) == 2 * (2 * BLOCK + 1)  # A's scores and B's
    assert judge.hits == judge.near == 2 * BLOCK + 1


def test_a_stopped_function_is_not_asked_again():
    calls = []

    def function(sums):
        calls.append(len(sums))
        return sums[:, 0] * 1.0

    question = asked(function)
    before = len(calls)
    question.differences(np.zeros((2, 5), dtype=np.int64), lambda: True)
    assert set(calls[before:]) <= {8**k for k in range(5)}  # the clock may have been set


def test_an_undefined_score_is_remembered():
    question = asked(lambda s: np.where(s[:, 0] > 6, np.nan, s[:, 0]))
    sums = np.array([[0, -1], [0, 0]])  # the first trial exchanges nothing
    judge = question.judge(None, shared())
    judge.add(sums[:, :1].copy(), 1, 0)
    first = judge.undefined
    judge.add(sums, 2, 1)
    assert (first, judge.undefined) == (question.zero_denominator, True)


def test_functions_of_ones_own_cost_more():
    comparison = Comparison.from_labels([0, 1, 1, 0], [0, 1, 0, 0], [1, 1, 1, 0])
    own = metrics.get("kappa", comparison.columns)
    builtin = function_question(comparison, own, "two-sided", 0)
    user = function_question(
        comparison, Metric("own", own.columns, function=lambda s: s[:, 0] * 1.0), "two-sided", 0
    )
    assert builtin.outcome_cost * OF_USER == user.outcome_cost * OF_FUNCTION
    assert (builtin.thread_safe, builtin.seconds_a_trial) == (True, 0)
    assert not user.thread_safe


def test_a_function_must_score_every_row_by_itself():
    with pytest.raises(InputError, match="must score every row by itself"):
        asked(lambda s: s[:, 0] / s[:, 0].sum())
