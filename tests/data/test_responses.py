"""Responses of two systems: counted as sets say, by key or without, and checked one by one."""

from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from csig import Comparison, InputError
from csig.data.responses import RecordedResponses, read_all, typed, unique_responses
from csig.metrics import Span

RESPONSES = st.sets(st.integers(0, 30))


def counts(comparison):
    correct, spurious = comparison.classes
    return comparison.sums_a, comparison.sums_b, correct.only_a, correct.only_b, (
        spurious.only_a, spurious.only_b,
    )  # fmt: skip


@given(gold=RESPONSES, a=RESPONSES, b=RESPONSES)
def test_responses_are_counted(gold, a, b):
    comparison = Comparison.from_responses(gold, sorted(a), frozenset(b))
    assert comparison.sums("a") == {"tp": len(a & gold), "predicted": len(a), "gold": len(gold)}
    assert comparison.sums("b") == {"tp": len(b & gold), "predicted": len(b), "gold": len(gold)}
    correct, spurious = comparison.classes
    assert (correct.only_a, correct.only_b) == (len((a - b) & gold), len((b - a) & gold))
    assert (spurious.only_a, spurious.only_b) == (len(a - b - gold), len(b - a - gold))
    assert comparison.identical == (a == b)


@given(st.dictionaries(st.integers(0, 5), st.tuples(RESPONSES, RESPONSES, RESPONSES), max_size=4))
def test_documents_are_part_of_a_response(documents):
    mapped = Comparison.from_responses(
        *({d: list(sets[i]) for d, sets in documents.items()} for i in range(3)), unit="response"
    )
    flat = Comparison.from_responses(
        *({(d, r) for d, sets in documents.items() for r in sets[i]} for i in range(3))
    )
    assert counts(mapped) == counts(flat)


@pytest.mark.parametrize(
    ("gold", "a", "b", "message"),
    [
        (["x"], ["x", "y", "x", "y"], [], "a: responses given more than once: 'x', 'y'"),
        (["x", "x"], [], [], "gold: responses given more than once: 'x'"),
        ("xyz", [], [], "gold must be an iterable of responses"),
        (["x"], np.array(3), [], "a must be an iterable of responses or {key: responses}, found"),
        (["x"], 5, [], "a must be an iterable of responses or {key: responses}, found int"),
        (["x"], [], [["x"]], "b, response 0: list is not hashable"),
        (["x"], [float("nan")], [], "a, response 0: nan is not a finite number"),
        (["x"], [], [("d", float("inf"))], "is not a finite number"),
        (["x"], [], [("d", ("e", np.float32("nan")))], "is not a finite number"),
        (["x"], [Decimal("NaN")], [], "is not a finite number"),
        (["x"], [("d", np.datetime64("NaT"))], [], "is not a finite number"),
        (["x"], [None], [], "a, response 0: None is not a response"),
        ([Span("d", 2, 2, "X")], [], [], "gold, response 0: a span needs integers start < end"),
        ([], [Span("d", "0", 2, "X")], [], "a, response 0: a span needs integers start < end"),
        ([], [Span("d", 0, 2, "X")], ["x"], "some responses are spans and some are not"),
        ({"d": ["x"]}, ["x"], [], "gold is {key: responses}, a and b is not"),
        ({"d": ["x"]}, {}, {"d": []}, "a: keys missing: 'd'; give an empty list"),
        ({"d": []}, {"d": []}, {"d": [], "e": []}, "b: keys that are not in gold: 'e'"),
        ({"d": []}, {"d": ["x", "x"]}, {"d": []}, "a\\['d'\\]: responses given more than once"),
    ],
)
def test_responses_are_checked(gold, a, b, message):
    with pytest.raises(InputError, match=message):
        Comparison.from_responses(gold, a, b)


def test_no_responses_at_all():
    comparison = Comparison.from_responses([], [], [])
    assert comparison.identical
    assert comparison.scores("f1") == (0, 0)
    assert comparison.scores("f1", zero_division=1) == (1, 1)


@given(gold=RESPONSES, a=RESPONSES, b=RESPONSES)
def test_the_unique_ones(gold, a, b):
    found = unique_responses(*read_all(gold, a, b), None, None)
    assert set(found.responses[: found.n_a]) == a - b
    assert set(found.responses[found.n_a :]) == b - a
    assert found.correct.tolist() == [response in gold for response in found.responses]
    assert found.counts == {
        "only_a_correct": len((a - b) & gold), "only_b_correct": len((b - a) & gold),
        "only_a_spurious": len(a - b - gold), "only_b_spurious": len(b - a - gold),
    }  # fmt: skip
    assert RecordedResponses(found.counts).counts == found.counts


def test_texts_of_labels_tell_types_apart():
    labels = [1, "1", (1,), ("1",), (1, 2), ((1, 2),), frozenset({1}), 1.5, "a,b", ("a", "b")]
    assert len({typed(label) for label in labels}) == len(labels)
    assert typed(frozenset({1, 2})) == typed(frozenset({2, 1}))
