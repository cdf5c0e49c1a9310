"""Counts that give printed scores, compared with trying all of them."""

import functools
import itertools
from fractions import Fraction

import pytest
from brute import PAPER
from hypothesis import given
from hypothesis import strategies as st

from csig.base.errors import InputError
from csig.claims.attainable import (
    CELLS,
    claimed_metric,
    completed,
    contradictory,
    numerators,
    score,
    solutions,
    worlds,
)
from csig.claims.model import Interval, printed_number

METRICS = ("recall", "precision", "f1", "f0.5", "jaccard", "accuracy", "error_rate")


@functools.cache
def value(name: str, k: int, n: int, g: int) -> Fraction:
    """A score by its textbook formula."""
    if name in ("recall", "accuracy"):
        return Fraction(k, g)
    if name == "error_rate":
        return Fraction(g - k, g)
    if name == "precision":
        return Fraction(k, n) if n else Fraction(0)
    if name == "jaccard":
        return Fraction(k, n + g - k)
    square = Fraction(1, 4) if name == "f0.5" else Fraction(1)
    return (1 + square) * k / (n + square * g)


def printed(**texts):
    return [(claimed_metric(name), printed_number(text).interval) for name, text in texts.items()]


INTERVALS = st.tuples(
    st.fractions(-1, 2, max_denominator=50), st.fractions(0, 1, max_denominator=50),
    st.booleans(), st.booleans(),
).map(lambda t: Interval(t[0], t[0] + t[1], t[2], t[3]))  # fmt: skip


@given(st.sampled_from(METRICS), INTERVALS, st.integers(0, 15), st.integers(1, 15))
def test_numerators(name, interval, n, g):
    found = list(numerators(claimed_metric(name), interval, n, g))
    every = range(min(n, g) + 1)
    assert found == [k for k in every if interval.contains(value(name, k, n, g))]


@given(st.sampled_from(METRICS), st.integers(1, 12), st.integers(1, 12), st.data())
def test_score_is_the_textbooks(name, n, g, data):
    k = data.draw(st.integers(0, min(n, g)))
    world = {"correct_a": k, "predicted_a": n, "gold": g}
    assert score(claimed_metric(name), world, "a") == value(name, k, n, g)


@given(
    st.dictionaries(st.sampled_from(METRICS), INTERVALS, min_size=1, max_size=4),
    st.one_of(st.none(), st.integers(1, 12)),
    st.one_of(st.none(), st.integers(0, 12)),
    st.one_of(st.none(), st.integers(0, 8)),
    st.integers(0, 3),
)
def test_solutions_are_all_there_are(intervals, g, n, k, spurious):
    """Every k <= g <= 12, n <= 12, whatever of them is known."""
    world = {name: v for name, v in (("gold", g), ("predicted_a", n), ("correct_a", k))
             if v is not None}  # fmt: skip
    world["only_a_spurious"] = spurious
    world = completed(world)
    if isinstance(world, str):
        return
    said = [(claimed_metric(name), interval) for name, interval in intervals.items()]
    found = solutions(said, world, "a")
    most = 20
    golds, predicted = (
        range(least, most) if name not in world else [world[name]]
        for name, least in (("gold", 1), ("predicted_a", 0))
    )
    every = [
        (k, n, g)
        for g, n in itertools.product(golds, predicted)
        for k in range(min(n, g) + 1)
        if world.get("correct_a", k) == k
        and n - k >= spurious
        and world.get("spurious_a", n - k) == n - k
        and all(interval.contains(value(name, k, n, g)) for name, interval in intervals.items())
    ]
    if found.excluded:
        assert not every
    if found.complete and all(row[1] is not None for row in found.first):
        inside = [row for row in found.first if max(row[1:]) < most]
        assert set(inside) <= set(every)
        if "gold" in world and "predicted_a" in world:
            assert found.count == len(every)
        else:
            assert found.count >= len(every)
            if found.count <= len(found.first) and len(inside) == found.count:
                assert sorted(inside) == sorted(every)
    for row in found.first:
        if row[1] is None:  # any number that is large enough
            k, _, g = row
            assert all(
                interval.contains(value(name, k, k + spurious + 10**9, g))
                for name, interval in intervals.items()
            )


@pytest.mark.parametrize(("f1", "wrong"), [("47.5 %", False), ("47.1 %", True), ("47.8 %", True)])
def test_scores_that_exclude_each_other(f1, wrong):
    """F is 47.41 % to 47.56 %."""
    assert contradictory(printed(recall="45.6 %", precision="49.5 %", f1=f1)) is wrong


@pytest.mark.parametrize(("texts", "known", "expected"), [
    # No responses have a precision of 0; 47 of g is 45.6 % for 103 alone.
    ({"precision": "0.0 %", "f1": "0.0 %"}, {"gold": 7, "predicted_a": 0}, (0, 0, 7)),
    ({"recall": "45.6 %"}, {"correct_a": 47, "predicted_a": 95}, (47, 95, 103)),
])  # fmt: skip
def test_one_solution(texts, known, expected):
    found = solutions(printed(**texts), completed(known), "a")
    assert (found.count, found.first, found.complete) == (1, (expected,), True)
    assert not contradictory(printed(**texts))


def test_too_many_are_not_listed():
    said = printed(recall="45.6 %", f1="45.6 %")
    found = solutions(said, {"gold": 10**12}, "a", steps=100)
    assert found.count > 0
    assert (len(found.first), found.complete) == (5, False)
    assert not solutions(said, {}, "a").complete  # no end of them
    for n in (5, 10, 45, 48):  # two steps for each of 24 golds
        known = {"correct_a": 470, "predicted_a": 1000}
        cut = solutions(printed(recall="45 %"), known, "a", steps=n)
        assert (cut.count, cut.complete) == (n // 2, n == 48)
    found = solutions(printed(recall="45.6 %"), {"gold": 10_000}, "a")
    assert (found.count, found.first) == (11, tuple((k, None, 10_000) for k in range(4555, 4560)))


def test_completed_counts():
    counts = {cell: PAPER[cell] for cell in CELLS}
    sums = {"correct_a": 47, "spurious_a": 48, "predicted_a": 95,
            "correct_b": 25, "spurious_b": 14, "predicted_b": 39}  # fmt: skip
    assert completed(counts) == counts | sums
    without = {name: n for name, n in counts.items() if name != "only_a_correct"}
    assert completed({**without, "predicted_a": 95}) == counts | sums
    assert completed({"gold": 7}) == {"gold": 7}


@pytest.mark.parametrize(("given", "reason"), [
    ({"correct_a": 9, "both_correct": 3, "only_a_correct": 5},
     "correct_a is 9, but both_correct + only_a_correct are 3 + 5"),
    ({"correct_a": 9, "both_correct": 10}, "only_a_correct would be -1"),
    ({"gold": 3, "correct_b": 4}, "correct_b is 4, more than gold, 3"),
    ({"gold": 3, "only_a_correct": 2, "only_b_correct": 2},
     "the correct responses are 4, more than gold, 3"),
    ({"predicted_a": 3, "only_a_correct": 4}, "predicted_a is 3, less than its parts, 4"),
])  # fmt: skip
def test_counts_that_exclude_each_other(given, reason):
    assert completed(given) == reason


def test_worlds():
    found, reason = worlds({"gold": (3, 5), "correct_a": (4,)})
    assert found == [{"gold": 5, "correct_a": 4}]
    assert reason == "correct_a is 4, more than gold, 3"
    with pytest.raises(InputError, match=r"counts: the candidates have more than 200 combinations"):
        worlds({name: tuple(range(20)) for name in CELLS[:3]})
