"""The rows of all units, at every unit, against what the input says."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from csig import Comparison, InputError
from csig.metrics import Span

KEYS = ["k1", "k2", "k3", "k10"]
SETS = st.fixed_dictionaries({key: st.sets(st.sampled_from("uvwxyz")) for key in KEYS})
STORIES = {"k1": "s", "k2": "t", "k3": "s", "k10": "r"}


def counted(gold, a):
    return [len(gold & a), len(a), len(gold)]


@given(gold=SETS, a=SETS, b=SETS)
def test_keys_and_clusters(gold, a, b):
    comparison = Comparison.from_responses(gold, a, b, clusters=STORIES)
    at_keys = comparison.at("key").rows()
    order = sorted(KEYS)
    for system, found in ((a, at_keys.a), (b, at_keys.b)):
        assert found.tolist() == [counted(gold[key], system[key]) for key in order]
    at_clusters = comparison.rows()
    for mine, parts in zip(at_clusters, at_keys, strict=True):
        by_story = {
            story: sum(row for key, row in zip(order, parts, strict=True) if STORIES[key] == story)
            for story in "rst"
        }
        np.testing.assert_array_equal(mine, list(by_story.values()))


@given(gold=SETS, a=SETS, b=SETS)
def test_every_unit_sums_to_the_same(gold, a, b):
    comparison = Comparison.from_responses(gold, a, b, clusters=STORIES, conflict=str.upper)
    for unit in comparison.levels:
        at = comparison.at(unit)
        rows = at.rows()
        assert tuple(rows.a.sum(axis=0)) == at.sums_a
        assert tuple(rows.b.sum(axis=0)) == at.sums_b
        if unit != "response":
            differing = (rows.a != rows.b).any(axis=1)
            np.testing.assert_array_equal((rows.a - rows.b)[differing], at.units.differences)


def test_conflict_groups_are_followed_by_what_is_in_none():
    gold = [Span("d", 0, 2, "LOC"), Span("d", 5, 6, "PER"), Span("d", 8, 9, "ORG")]
    a = [Span("d", 0, 2, "LOC"), Span("d", 5, 6, "PER")]
    b = [Span("d", 0, 1, "PER"), Span("d", 5, 6, "PER"), Span("d", 7, 8, "PER")]
    rows = Comparison.from_responses(gold, a, b).rows()
    # the place with A's LOC and B's PER; B's last; found by both; missed by both
    assert rows.a.tolist() == [[1, 1, 1], [0, 0, 0], [1, 1, 1], [0, 0, 1]]
    assert rows.b.tolist() == [[0, 1, 1], [0, 1, 0], [1, 1, 1], [0, 0, 1]]


def test_tables_by_id_and_cluster():
    a = {"x": [1, 2], "z": [0, 1], "y": [3, 3]}
    b = {"z": [1, 1], "y": [3, 3], "x": [0, 2]}
    comparison = Comparison.from_statistics(
        a, b, ["tp", "gold"], clusters={"x": "p", "y": "o", "z": "p"}
    )
    assert comparison.rows().a.tolist() == [[3, 3], [1, 3]]
    assert comparison.at("unit").rows().a.tolist() == [[1, 2], [3, 3], [0, 1]]
    assert comparison.at("unit").rows().b.tolist() == [[0, 2], [3, 3], [1, 1]]


def test_a_part_with_the_groups_of_the_whole_has_no_rows_of_its_own():
    gold, a, b = [(0, 4, "LOC")], [(0, 1, "PER"), (2, 3, "PER")], [(0, 4, "LOC")]
    from csig.metrics import spans

    whole = Comparison.from_responses(gold, a, b, conflict=spans)
    persons = Comparison.from_responses([], a, [], conflict=spans).part_of(whole)
    with pytest.raises(InputError, match="those of a larger comparison"):
        persons.rows()
