"""The layout of critical-difference diagrams: nothing overlaps, and bars say what they should."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from written import refusal

from csig.report.plots.diagrams import arranged, runs_of, within

#: The average ranks that Demsar (2006, section 3.2.4) prints.
DEMSAR = {"C4.5": 3.143, "C4.5+m": 2.000, "C4.5+cf": 2.893, "C4.5+m+cf": 1.964}


@st.composite
def ranked(draw):
    """Average ranks of 2 to 9 systems over 1 to 5 data sets, many of them tied."""
    n, sets = draw(st.integers(2, 9)), draw(st.integers(1, 5))
    scores = draw(
        st.lists(st.lists(st.integers(0, 4), min_size=n, max_size=n), min_size=sets, max_size=sets)
    )
    total = np.zeros(n)
    for row in scores:
        total += [sum(x < y for x in row) + (1 + sum(x == y for x in row)) / 2 for y in row]
    return {f"s{i}": float(rank) / sets for i, rank in enumerate(total)}


@st.composite
def with_pairs(draw):
    """Average ranks, and any pairs without a significant difference."""
    ranks = draw(ranked())
    pairs = draw(st.sets(st.sampled_from([frozenset(own) for own in combinations(ranks, 2)])))
    return ranks, pairs


def brute(ranks, same):
    """The maximal sets of two or more, closed under what lies between, of which no two differ."""
    found = []
    for size in range(2, len(ranks) + 1):
        for own in combinations(ranks, size):
            low, high = min(map(ranks.get, own)), max(map(ranks.get, own))
            closed = all(name in own for name in ranks if low <= ranks[name] <= high)
            if closed and all(frozenset(pair) in same for pair in combinations(own, 2)):
                found.append(set(own))
    return [own for own in found if not any(own < other for other in found)]


def test_the_published_groups():
    """Nemenyi's bars of Demsar's figure 1(a), at 0.10, and of the text, at 0.05."""
    wide, narrow = (arranged(DEMSAR, critical=cd) for cd in (1.25, 1.12))
    assert [set(bar.members) for bar in wide.bars] == [set(DEMSAR)]
    # "C4.5+m vs C4.5" and "C4.5+m+cf vs C4.5" differ at 0.10, and no other pair.
    assert [set(bar.members) for bar in narrow.bars] == [
        {"C4.5+m+cf", "C4.5+m", "C4.5+cf"}, {"C4.5+cf", "C4.5"},
    ]  # fmt: skip
    assert narrow.bars[0].depth != narrow.bars[1].depth
    assert narrow.unlinked == ()


@given(with_pairs())
def test_bars_are_the_maximal_runs(case):
    ranks, same = case
    found = runs_of(ranks, same)
    assert sorted(map(sorted, found)) == sorted(map(sorted, brute(ranks, same)))


@given(with_pairs())
def test_a_bar_spans_exactly_its_members(case):
    ranks, same = case
    diagram = arranged(ranks, same=same)
    for bar in diagram.bars:
        assert {name for name in ranks if bar.low <= ranks[name] <= bar.high} == set(bar.members)
        assert bar.low <= min(ranks[name] for name in bar.members)
        assert bar.high >= max(ranks[name] for name in bar.members)
    for one, other in combinations(diagram.bars, 2):
        assert one.depth != other.depth or one.high < other.low or other.high < one.low
    linked = {frozenset(own) for bar in diagram.bars for own in combinations(bar.members, 2)}
    assert linked <= same
    assert {frozenset(own) for own in diagram.unlinked} == same - linked


@given(ranked(), st.floats(0.05, 9))
def test_with_a_critical_difference_every_pair_is_under_a_bar(ranks, critical):
    same = within(ranks, critical)
    near = {frozenset(own) for own in combinations(ranks, 2)
            if abs(ranks[own[0]] - ranks[own[1]]) < critical}  # fmt: skip
    assert same == near
    assert arranged(ranks, critical=critical).unlinked == ()


def crossed(one, other):
    """Whether two upright or level segments meet within both."""
    ((x1, y1), (x2, y2)), ((u1, v1), (u2, _)) = one, other
    if (x1 == x2) == (u1 == u2):
        return False
    if x1 != x2:
        return crossed(other, one)
    low, high = sorted((u1, u2))
    return low < x1 < high and min(y1, y2) < v1 < max(y1, y2)


@given(ranked(), st.sampled_from(["left", "right"]))
def test_no_line_crosses_another_and_no_labels_overlap(ranks, best):
    diagram = arranged(ranks, critical=1.0, best=best)
    rows = [(own.side, own.depth) for own in diagram.labels]
    assert len(set(rows)) == len(rows) == len(ranks)
    depths = sorted({own.depth for own in diagram.labels})
    assert all(later - earlier > 0.99 for earlier, later in pairwise(depths))
    assert all(bar.depth < depths[0] - 0.5 for bar in diagram.bars)
    assert depths[-1] == pytest.approx(diagram.depth)
    lines = diagram.lines()
    for one, other in combinations(lines, 2):
        for a in pairwise(one):
            for b in pairwise(other):
                assert not crossed(a, b)


@given(ranked())
def test_the_best_are_at_the_side_that_was_asked_for(ranks):
    left, right = (arranged(ranks, critical=1.0, best=own) for own in ("left", "right"))
    n = len(ranks)
    assert (left.place(1), left.place(n)) == (0, 1)
    assert (right.place(1), right.place(n)) == (1, 0)
    first = min(ranks, key=ranks.get)
    assert next(own.side for own in left.labels if own.name == left.names[0]) == "left"
    assert next(own.side for own in right.labels if own.name == right.names[0]) == "right"
    assert ranks[left.names[0]] == ranks[first]
    for own in left.labels:  # the half with lower places is at the left
        others = [other.rank for other in left.labels if other.side != own.side]
        if own.side == "left" and others:
            assert own.rank <= min(others)


@pytest.mark.parametrize("n", [2, 5, 13, 14, 30, 61, 200, 1000])
def test_ticks_have_room(n):
    ranks = {f"s{i}": i + 1.0 for i in range(n)}
    ticks = arranged(ranks, critical=1.0).ticks
    assert ticks[0] == 1
    assert ticks[-1] == n
    assert list(ticks) == sorted(set(ticks))
    assert len(ticks) <= 15
    assert min(b - a for a, b in pairwise(ticks)) >= (n - 1) / 30


def test_beside_a_control_an_interval_stands_instead_of_bars():
    found = arranged(DEMSAR, critical=1.17, control="C4.5", marked=["C4.5+m"])
    assert found.bars == ()
    assert found.interval == pytest.approx((3.143 - 1.17, 4.0))
    assert found.control == "C4.5"
    assert found.marked == {"C4.5+m"}


def test_groups_as_they_are_given():
    found = arranged(DEMSAR, groups=[["C4.5", "C4.5+cf"], ["C4.5+m", "C4.5+m+cf"]])
    assert [bar.members for bar in found.bars] == [("C4.5+m+cf", "C4.5+m"), ("C4.5+cf", "C4.5")]
    assert found.bars[0].depth == found.bars[1].depth  # beside each other


@pytest.mark.parametrize(
    ("ranks", "options", "message"),
    [
        ({"a": 1.0}, {}, "found 1 system, expected two or more"),
        ({"a": 1.0, "b": "x"}, {}, "b has 'x', expected a number"),
        ({"a": 0.5, "b": 2.5}, {}, "a has 0.5, expected an average rank from 1 to 2"),
        ({"a": float("nan"), "b": 1.5}, {}, "a has nan"),
        ({"a": 1.0, "b": 1.2, "c": 1.3}, {}, "found a sum of 3.5, expected 6"),
        (DEMSAR, {"critical": 0.0}, "cd: found 0.0, expected a positive number"),
        (DEMSAR, {"critical": float("nan")}, "cd: found nan"),
        (DEMSAR, {"critical": 1.0, "control": "C45"}, "baseline: no system 'C45' (did you mean"),
        (DEMSAR, {"critical": 1.0, "best": "top"}, "best must be left or right, found 'top'"),
        (DEMSAR, {"groups": ["C4.5"]}, "expected groups of names"),
        (DEMSAR, {"groups": [["C4.5"]]}, "found a group of 1"),
        (DEMSAR, {"groups": [["C4.5", "x"]]}, "groups: no system 'x'"),
        (DEMSAR, {"groups": [["C4.5", "C4.5+m"]]}, "would hold 'C4.5+cf' too"),
        (DEMSAR, {"same": [["C4.5", "x"]]}, "same: no system 'x'"),
    ],
)
def test_refused(ranks, options, message):
    assert message in refusal(arranged, ranks, **options)
