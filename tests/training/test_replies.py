"""What a training function may return, and what every other reply is called."""

from __future__ import annotations

import sys
from fractions import Fraction

import numpy as np
import pytest
from written import refusal

from csig.training.running import reply_of, scores_of

GOOD = {"a": {"t": 1, "u": np.float32(0.5)}, "b": {"t": [True, False, 1], "u": Fraction(1, 4)}}


def test_numbers_and_scores_of_items():
    assert scores_of(GOOD, ("b", "a"), ("u", "t")) == [[0.25, 2 / 3], [0.5, 1.0]]
    assert scores_of({"a": {"t": np.array([[0.1] * 10])}}, ["a"], ["t"]) == [[0.1]]


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (None, "train_and_score must return {system: {test set: score}}, found None"),
        (0.5, "found float"),
        ({"a": GOOD["a"]}, "for 'a', 'b', found 'a'"),
        ({**GOOD, "c": {}}, "for 'a', 'b', found 'a', 'b', 'c'"),
        ({**GOOD, "b": None}, "system 'b' must have {test set: score}, found None"),
        ({**GOOD, "b": {"t": 1}}, "system 'b' must have {test set: score} for 't', 'u', found 't'"),
        ({**GOOD, "b": {"t": 1, "u": float("nan")}}, "system 'b' on test set 'u': found nan, exp"),
        ({**GOOD, "b": {"t": 1, "u": [1, float("inf")]}}, "found a score that is not finite"),
        ({**GOOD, "b": {"t": 1, "u": "good"}}, "expected a number, found 'good'"),
        ({**GOOD, "b": {"t": 1, "u": []}}, "found no score of any item"),
        ({**GOOD, "b": {"t": 1, "u": None}}, "test set 'u': "),
    ],
)
def test_other_replies(found, words):
    assert words in refusal(scores_of, found, ("a", "b"), ("t", "u"))
    assert words in reply_of(lambda *_: found, [], {"t": 0, "u": 0}, ("a", "b"))[1]


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (ValueError("no\n data "), "ValueError: no data (test_replies.py line "),
        (KeyError(), "KeyError (test_replies.py line "),
        (SystemExit(3), "SystemExit: 3 (test_replies.py line "),
        (RecursionError("\x1b[31m"), "RecursionError: \\x1b[31m (test"),
    ],
)
def test_errors_are_one_line(error, line):
    def function(training, tests):
        raise error

    scores, found = reply_of(function, [], {}, ("a",))
    assert scores is None
    assert found.startswith(line)
    assert "\n" not in found


def test_a_function_that_cannot_be_called():
    assert reply_of(lambda: {}, [], {}, ("a",))[1].startswith("TypeError: ")  # type: ignore


def test_ctrl_c_is_no_reply():
    def function(training, tests):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        reply_of(function, [], {}, ("a",))
    assert sys.exc_info()[0] is None
