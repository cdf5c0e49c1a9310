"""Responses: counted as sets say, in conflict groups and other units, as rows, as counts."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from children import python
from drawn import several
from hypothesis import example, given, settings
from hypothesis import strategies as st

from csig import Comparison, randomization_test
from csig.data.responses import Exclusions
from csig.metrics import Span, spans
from csig.readers import read_tags

responses = Comparison.from_responses
RESPONSES = st.sets(st.integers(0, 30))


@given(gold=RESPONSES, a=RESPONSES, b=RESPONSES)
def test_responses_are_counted(gold, a, b):
    found = responses(gold, sorted(a), frozenset(b))
    for system, own in (("a", a), ("b", b)):
        assert found.sums(system) == {
            "tp": len(own & gold), "predicted": len(own), "gold": len(gold)
        }  # fmt: skip
    assert found.identical == (a == b)
    assert found.exclusions is None or not a | b | gold
    correct, spurious = found.classes
    assert (correct.only_a, correct.only_b) == (len((a - b) & gold), len((b - a) & gold))
    assert (spurious.only_a, spurious.only_b) == (len(a - b - gold), len(b - a - gold))


#: All swaps of every unit of the real taggers, by convolution in integers, compared as Fractions.
EXPECTED = {
    "response": (3.7092661643538796e-05, 0.031856029036063035, 2.63850449249722e-05),
    "conflict": (6.7894621387607e-05, 0.014778744986828943, 0.0004736889863828708),
    "key": (9.694475513453997e-05, 0.01516757038328814, 0.0005158300522302089),
}


@pytest.fixture(scope="module")
def taggers(shared_data):
    """Flair (A) and ELMo (B) on the test data of CoNLL-2003, by sentence."""
    path = shared_data("conll03_ner_tags") / "conll03_test_tags.tsv"
    tags = read_tags((path, "gold"), (path, "flair"), (path, "elmo"))
    by_sentence = []
    for own in (tags.gold, *tags.systems):
        by_sentence.append({n: [] for n in range(tags.n_sentences)})
        for span in own:
            by_sentence[-1][span.document].append(span)
    return tags, by_sentence


@pytest.mark.parametrize("keyed", [False, True])
def test_real_taggers_at_every_unit(taggers, keyed):
    tags, by_sentence = taggers
    found = responses(*(by_sentence if keyed else (tags.gold, *tags.systems)))
    assert found.levels == ("response", "conflict", "key")[: 2 + keyed]
    for unit in found.levels:
        at = found.at(unit)
        assert (at.sums_a, at.sums_b) == ((5270, 5682, 5648), (5213, 5658, 5648))
        assert at.exclusions == Exclusions(pairs=199, responses=at.exclusions.responses)
        results = randomization_test(at, ["recall", "precision", "f1"]).values()
        assert [own.pvalue for own in results] == pytest.approx(EXPECTED[unit], rel=1e-12)
        assert {own.unit for own in results} == {at.unit} == {unit}
    totals = {u: (found.at(u).n_units, found.at(u).units.n_total) for u in found.levels[1:]}
    assert found.at("response").n_units == 494
    assert totals == {"conflict": (252, 295)} | ({"key": (236, 3453)} if keyed else {})


SPAN = st.builds(
    lambda d, start, length, label: Span(d, start, start + length, label),
    st.integers(0, 2), st.integers(0, 12), st.integers(1, 4), st.sampled_from("XY"),
)  # fmt: skip
SETS = st.tuples(*[st.sets(SPAN, max_size=12)] * 3)


def components(only_a, only_b, exclude):
    """Connected components, by merging until nothing changes."""
    found = [{("a", r)} for r in only_a] + [{("b", r)} for r in only_b]
    for a, b in itertools.product(only_a, only_b):
        if exclude(a, b):
            touched = [g for g in found if ("a", a) in g or ("b", b) in g]
            found = [g for g in found if g not in touched] + [set().union(*touched)]
    return found


def tokens(span):
    return {(span.document, t) for t in range(span.start, span.end)}


def differences(found, gold):
    """(tp, predicted, gold) of A minus B for every group, with those that do not differ."""
    rows = []
    for group in found:
        sign = [1 if system == "a" else -1 for system, _ in group]
        correct = [r in gold for _, r in group]
        rows.append((sum(s * c for s, c in zip(sign, correct, strict=True)), sum(sign), 0))
    return sorted(rows)


def by_units(found):
    """The same of a comparison."""
    rows = [tuple(row) for row in found.units.differences.tolist()]
    return sorted(rows + [(0, 0, 0)] * (found.units.n_total - len(rows)))


def excluded(a, b, exclude):
    """Pairs of unique responses that exclude each other, and the responses in them."""
    pairs = [(r, s) for r in a - b for s in b - a if exclude(r, s)]
    return Exclusions(len(pairs), len({(i, pair[i]) for pair in pairs for i in (0, 1)}))


def overlap(one, other):
    return bool(tokens(one) & tokens(other))


@settings(max_examples=several(30, 200))
# A's long span overlaps both of B's, though its short one ends before the second.
@example(sets=(set(), {Span(0, 0, 10, "X"), Span(0, 1, 3, "Y")},
               {Span(0, 2, 3, "X"), Span(0, 5, 6, "Y")}))  # fmt: skip
@given(sets=SETS)
def test_groups_of_spans_in_any_form(sets):
    gold, a, b = sets
    flat = responses(*sets, unit="conflict")
    of_tuples = responses(
        *({d: [(s.start, np.int32(s.end), s.label) for s in own if s.document == d]
           for d in range(3)} for own in sets),
        unit="conflict", conflict=spans,
    )  # fmt: skip
    own = responses(
        *([tuple(s) for s in own] for own in sets),
        unit="conflict", conflict=lambda r: spans(Span(*r)),
    )  # fmt: skip
    expected = differences(components(a - b, b - a, overlap), gold)
    for found in (flat, of_tuples, own):
        assert by_units(found) == expected
        if flat.exclusions:  # without any response nothing says that these are spans
            assert found.exclusions == excluded(a, b, overlap)


RESPONSE = st.tuples(st.integers(0, 3), st.integers(0, 4), st.sampled_from("XYZ"))


@settings(max_examples=several(30, 200))
@given(sets=st.tuples(*[st.sets(RESPONSE, max_size=15)] * 3))
def test_groups_by_place_and_key(sets):
    gold, a, b = sets
    flat = responses(gold, a, b, unit="conflict", conflict=lambda r: r[:2])
    keyed = responses(
        *({k: [r for r in s if r[0] == k] for k in range(4)} for s in sets),
        unit="conflict", conflict=lambda r: r[1],
    )  # fmt: skip
    expected = differences(components(a - b, b - a, lambda r, s: r[:2] == s[:2]), gold)
    for found in (flat, keyed):
        assert by_units(found) == expected
        assert found.exclusions == excluded(a, b, lambda r, s: r[:2] == s[:2])
    assert keyed.at("response") == flat.at("response")


FOUR_KEYS = ["k1", "k10", "k2", "k3"]
KEYED_SETS = st.fixed_dictionaries({key: st.sets(st.sampled_from("uvwxyz")) for key in FOUR_KEYS})


@settings(max_examples=several(25, 200))
@given(KEYED_SETS, KEYED_SETS, KEYED_SETS, st.lists(st.sampled_from("rst"), min_size=4, max_size=4))
def test_keys_and_clusters(gold, a, b, stories):
    clusters = dict(zip(reversed(FOUR_KEYS), stories, strict=True))
    found = responses(gold, a, b, cluster=clusters, conflict=str.upper)
    assert found.levels == ("response", "conflict", "key", "cluster")
    rows = {
        key: np.array([[len(gold[key] & s), len(s), len(gold[key])] for s in (a[key], b[key])])
        for key in FOUR_KEYS
    }
    by_story = {
        story: sum(rows[key] for key in FOUR_KEYS if clusters[key] == story)
        for story in sorted(set(stories))
    }
    for unit, expected in (("key", rows), ("cluster", by_story)):
        at = found.at(unit)
        for table, system in zip(at.rows(), (0, 1), strict=True):
            assert table.tolist() == [row[system].tolist() for row in expected.values()]
        apart = {own: (row[0] - row[1]).tolist() for own, row in expected.items()}
        assert at.units.ids == tuple(own for own, row in apart.items() if any(row))
        assert at.units.n_total == len(expected)
        assert at.at("response") == found.at("response")
    for unit in found.levels:
        at = found.at(unit)
        rows = at.rows()
        assert (tuple(rows.a.sum(axis=0)), tuple(rows.b.sum(axis=0))) == (at.sums_a, at.sums_b)
        if unit != "response":
            differing = (rows.a != rows.b).any(axis=1)
            np.testing.assert_array_equal((rows.a - rows.b)[differing], at.units.differences)


@settings(max_examples=several(25, 200))
@given(sets=SETS, rng=st.randoms())
def test_neither_the_order_nor_the_system_matters(sets, rng):
    gold, a, b = (list(s) for s in sets)
    first = responses(gold, a, b, unit="conflict").units
    for own in (gold, a, b):
        rng.shuffle(own)
    assert responses(gold, a, b, unit="conflict").units == first
    traded = responses(gold, b, a, unit="conflict").units
    assert traded.ids == first.ids
    np.testing.assert_array_equal(first.differences, -traded.differences)


def test_ids_are_the_least_text():
    units = responses(
        {"d10": ["x/1"], "d9": []}, {"d10": ["y/2", "x/1"], "d9": ["u/1"]},
        {"d10": ["x/2", "a/1"], "d9": []}, unit="conflict", conflict=lambda r: r[2:],
    ).units  # fmt: skip
    # a/1 and x/1 make a group whose difference is in tp alone; x/2 and y/2 one without any.
    assert units.ids == ("d10\ta/1", "d9\tu/1")
    assert units.differences.tolist() == [[1, 0, 0], [0, 1, 0]]
    assert units.n_total == 3


@pytest.mark.parametrize(
    "same",
    [
        [1, "1", (1,), ("1",), ((1,),)],
        [(1, 2), ("1", 2), (1, "2"), "1\t2", ("1\t2",), ((1, 2),)],
        [frozenset({1, 2}), frozenset({"1", 2}), frozenset({(1, 2)}), "{1\t2}"],
        [1.5, "1.5"],
    ],
)
def test_responses_that_look_the_same_have_an_order(same):
    for pair in itertools.combinations(same, 2):
        one, other = (
            responses([pair[0]], own, ["z"], unit="conflict", conflict=repr).units
            for own in (pair, pair[::-1])
        )
        assert one == other


def test_the_hash_seed_does_not_matter():
    code = """
import csig
words = [f"w{i}" for i in range(40)]
a = [(frozenset(words[i:i+3]), i % 7) for i in range(0, 40, 2)]
b = [(frozenset(words[i:i+2]), i % 5) for i in range(0, 40, 3)]
c = csig.Comparison.from_responses(a[:9] + b[:5], a, b, unit="conflict", conflict=lambda r: r[1])
"""
    here = {}
    exec(code, here)  # with another seed
    shown = "print(c.units.ids, c.units.differences.tolist())"
    ran = python(code + shown, env={"PYTHONHASHSEED": "3"})
    units = here["c"].units
    assert ran.stdout == f"{units.ids} {units.differences.tolist()}\n"


def test_nothing_that_differs():
    span = Span("d", 0, 1, "X")
    for unit, own in itertools.product(("response", "conflict", "key", "cluster"), ([span], [])):
        found = responses({1: [span]}, {1: own}, {1: own}, unit=unit, cluster={1: "u"})
        assert found.identical
        assert randomization_test(found, "f1").pvalue == 1
    found = responses([], [], [])
    assert found.identical
    assert (found.scores("f1"), found.scores("f1", zero_division=1)) == ((0, 0), (1, 1))
    huge = Fraction(10**400, 3)  # no double holds it, and it is a number
    assert responses([huge], [huge], []).sums("a")["tp"] == 1


def test_conflict_groups_are_followed_by_what_is_in_none():
    gold = [Span("d", 0, 2, "LOC"), Span("d", 5, 6, "PER"), Span("d", 8, 9, "ORG")]
    a = [Span("d", 0, 2, "LOC"), Span("d", 5, 6, "PER")]
    b = [Span("d", 0, 1, "PER"), Span("d", 5, 6, "PER"), Span("d", 7, 8, "PER")]
    rows = responses(gold, a, b).rows()
    # the place with A's LOC and B's PER; B's last; found by both; missed by both
    assert rows.a.tolist() == [[1, 1, 1], [0, 0, 0], [1, 1, 1], [0, 0, 1]]
    assert rows.b.tolist() == [[0, 1, 1], [0, 1, 0], [1, 1, 1], [0, 0, 1]]


@given(sizes=st.tuples(*[st.integers(0, 9)] * 7))
def test_rows_are_the_responses_one_by_one(sizes):
    only_a, only_b, wrong_a, wrong_b, both, missed, spurious = sizes
    found = Comparison.from_counts(
        gold=both + only_a + only_b + missed, both_correct=both, only_a_correct=only_a,
        only_b_correct=only_b, both_spurious=spurious, only_a_spurious=wrong_a,
        only_b_spurious=wrong_b,
    )  # fmt: skip
    hit, miss, wrong, none = (1, 1, 1), (0, 0, 1), (0, 1, 0), (0, 0, 0)
    kinds = [(hit, miss), (miss, hit), (wrong, none), (none, wrong), (hit, hit), (miss, miss),
             (wrong, wrong)]  # fmt: skip
    rows = found.rows()
    pairs = list(zip(map(tuple, rows.a.tolist()), map(tuple, rows.b.tolist()), strict=True))
    assert pairs == [pair for pair, n in zip(kinds, sizes, strict=True) for _ in range(n)]
    assert (tuple(rows.a.sum(axis=0)), tuple(rows.b.sum(axis=0))) == (found.sums_a, found.sums_b)
