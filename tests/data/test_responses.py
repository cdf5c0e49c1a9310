"""Responses: counted as sets say, in conflict groups and other units, as rows, as counts."""

import itertools

import numpy as np
import pytest
from children import python
from hypothesis import given
from hypothesis import strategies as st

from csig import Comparison, randomization_test, replay
from csig.data.responses import (
    KINDS,
    Exclusions,
    Extent,
    RecordedResponses,
    counted,
    counted_rows,
    exclusions,
    groups,
    lay_out,
    numbers_of_kinds,
    read_all,
    typed,
    unique_responses,
)
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
    counts = {
        "only_a_correct": len((a - b) & gold), "only_b_correct": len((b - a) & gold),
        "only_a_spurious": len(a - b - gold), "only_b_spurious": len(b - a - gold),
    }  # fmt: skip
    correct, spurious = found.classes
    assert [correct.only_a, correct.only_b, spurious.only_a, spurious.only_b] == [*counts.values()]
    unique = unique_responses(*read_all(gold, a, b), None, None)
    assert set(unique.responses[: unique.n_a]) == a - b
    assert set(unique.responses[unique.n_a :]) == b - a
    assert unique.correct.tolist() == [response in gold for response in unique.responses]
    assert unique.counts == RecordedResponses(counts).counts == counts


@given(st.dictionaries(st.integers(0, 5), st.tuples(RESPONSES, RESPONSES, RESPONSES), max_size=4))
def test_documents_are_part_of_a_response(documents):
    mapped = responses(
        *({d: list(sets[i]) for d, sets in documents.items()} for i in range(3)), unit="response"
    )
    flat = responses(
        *({(d, r) for d, sets in documents.items() for r in sets[i]} for i in range(3))
    )
    assert (mapped.sums_a, mapped.sums_b) == (flat.sums_a, flat.sums_b)
    assert mapped.classes == flat.classes


def test_no_responses_at_all():
    found = responses([], [], [])
    assert found.identical
    assert found.scores("f1") == (0, 0)
    assert found.scores("f1", zero_division=1) == (1, 1)


def test_texts_of_labels_tell_types_apart():
    labels = [1, "1", (1,), ("1",), (1, 2), ((1, 2),), frozenset({1}), 1.5, "a,b", ("a", "b")]
    assert len({typed(label) for label in labels}) == len(labels)
    assert typed(frozenset({1, 2})) == typed(frozenset({2, 1}))


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
        for result in randomization_test(at, ["recall", "precision", "f1"]).values():
            expected = EXPECTED[unit][["recall", "precision", "f1"].index(result.metric)]
            assert result.pvalue == pytest.approx(expected, rel=1e-12)
            assert result.unit == at.unit == unit
    totals = {u: (found.at(u).n_units, found.at(u).units.n_total) for u in found.levels[1:]}
    assert found.at("response").n_units == 494
    assert totals == {"conflict": (252, 295)} | ({"key": (236, 3453)} if keyed else {})


# ---- brute force --------------------------------------------------------------------------

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


@given(sets=SETS)
def test_groups_of_spans_in_any_form(sets):
    gold, a, b = sets
    flat = responses(*sets, unit="conflict")
    of_tuples = responses(
        *({d: [(s.start, s.end, s.label) for s in own if s.document == d] for d in range(3)}
          for own in sets),
        unit="conflict", conflict=spans,
    )  # fmt: skip
    own = responses(
        *([tuple(s) for s in own] for own in sets),
        unit="conflict", conflict=lambda r: spans(Span(*r)),
    )  # fmt: skip
    expected = components(a - b, b - a, lambda r, s: tokens(r) & tokens(s))
    assert by_units(flat) == by_units(of_tuples) == by_units(own) == differences(expected, gold)
    assert flat.exclusions == of_tuples.exclusions or not flat.exclusions


@given(a=st.sets(SPAN), b=st.sets(SPAN))
def test_exclusions_are_shared_tokens(a, b):
    pairs = [(s, t) for s in a for t in b if tokens(s) & tokens(t)]
    involved = {("a", s) for s, _ in pairs} | {("b", t) for _, t in pairs}
    places = lay_out((None, spans(span)) for span in [*a, *b])
    assert exclusions(places, len(a)) == Exclusions(len(pairs), len(involved))


def test_a_comparison_of_spans_knows_its_exclusions():
    gold = [Span("d", 0, 2, "PER"), Span("d", 5, 6, "LOC")]
    a = [Span("d", 0, 2, "PER"), Span("d", 5, 6, "ORG")]
    b = [Span("d", 0, 2, "PER"), Span("d", 5, 6, "LOC"), Span("d", 8, 9, "LOC")]
    mapped = responses({"x": gold}, {"x": a}, {"x": b})
    assert mapped.exclusions == responses(gold, a, b).exclusions == Exclusions(1, 2)
    assert responses(["x"], ["x"], ["y"]).exclusions is None


RESPONSE = st.tuples(st.integers(0, 3), st.integers(0, 4), st.sampled_from("XYZ"))


@given(sets=st.tuples(*[st.sets(RESPONSE, max_size=15)] * 3))
def test_groups_by_place_and_key(sets):
    gold, a, b = sets
    flat = responses(gold, a, b, unit="conflict", conflict=lambda r: r[:2])
    keyed = responses(
        *({k: [r for r in s if r[0] == k] for k in range(4)} for s in sets),
        unit="conflict", conflict=lambda r: r[1],
    )  # fmt: skip
    expected = differences(components(a - b, b - a, lambda r, s: r[:2] == s[:2]), gold)
    pairs = [(r, s) for r in a - b for s in b - a if r[:2] == s[:2]]
    involved = {(i, pair[i]) for pair in pairs for i in (0, 1)}
    for found in (flat, keyed):
        assert by_units(found) == expected
        assert found.exclusions == Exclusions(len(pairs), len(involved))


FOUR_KEYS = ["k1", "k10", "k2", "k3"]
KEYED_SETS = st.fixed_dictionaries({key: st.sets(st.sampled_from("uvwxyz")) for key in FOUR_KEYS})


@given(KEYED_SETS, KEYED_SETS, KEYED_SETS, st.lists(st.sampled_from("rst"), min_size=4, max_size=4))
def test_keys_and_clusters(gold, a, b, stories):
    clusters = dict(zip(reversed(FOUR_KEYS), stories, strict=True))
    found = responses(gold, a, b, cluster=clusters, conflict=str.upper)
    assert found.levels == ("response", "conflict", "key", "cluster")
    rows = {
        key: np.array(
            [[len(gold[key] & own[key]), len(own[key]), len(gold[key])] for own in (a, b)]
        )
        for key in FOUR_KEYS
    }
    by_story = {
        story: sum(rows[key] for key in FOUR_KEYS if clusters[key] == story)
        for story in sorted(set(stories))
    }
    for unit, expected in (("key", rows), ("cluster", by_story)):
        at = found.at(unit)
        assert [own.tolist() for own in at.rows()] == [
            [row[system].tolist() for row in expected.values()] for system in (0, 1)
        ]
        apart = {own: (row[0] - row[1]).tolist() for own, row in expected.items()}
        assert at.units.ids == tuple(own for own, row in apart.items() if any(row))
        assert at.units.differences.tolist() == [row for row in apart.values() if any(row)]
        assert at.units.n_total == len(expected)
        assert at.at("response") == found.at("response")
    for unit in found.levels:
        at = found.at(unit)
        rows = at.rows()
        assert (tuple(rows.a.sum(axis=0)), tuple(rows.b.sum(axis=0))) == (at.sums_a, at.sums_b)
        if unit != "response":
            differing = (rows.a != rows.b).any(axis=1)
            np.testing.assert_array_equal((rows.a - rows.b)[differing], at.units.differences)


# ---- the order of units -------------------------------------------------------------------


def test_only_different_systems_exclude_each_other():
    places = lay_out((None, Extent(None, *ends)) for ends in [(0, 9), (0, 3), (2, 5), (8, 9)])
    assert groups(places, 3).tolist() == [0, 1, 2, 0]
    assert len(set(groups(places, 4).tolist())) == 4


@given(sets=SETS, rng=st.randoms())
def test_neither_the_order_nor_the_system_matters(sets, rng):
    gold, a, b = (list(s) for s in sets)
    first = responses(gold, a, b, unit="conflict").units
    for own in (gold, a, b):
        rng.shuffle(own)
    again = responses(gold, a, b, unit="conflict").units
    traded = responses(gold, b, a, unit="conflict").units
    assert first.ids == again.ids == traded.ids
    np.testing.assert_array_equal(first.differences, again.differences)
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


@pytest.mark.parametrize("pair", [(1, "1"), (("a", "b"), "a\tb"), (("a", "b"), ("a\tb",))])
def test_responses_that_look_the_same_have_an_order(pair):
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
print(c.units.ids, c.units.differences.tolist())
"""
    found = {python(code, env={"PYTHONHASHSEED": seed}).stdout for seed in "12"}
    assert len(found) == 1
    assert all(found)


def test_hits_of_groups_are_the_replays():
    rng = np.random.default_rng(5)
    sets = [
        {Span("d", int(s), int(s) + 2, "x") for s in rng.integers(0, 300, size=90)}
        for _ in range(3)
    ]
    found = responses(*sets, unit="conflict")
    result = randomization_test(found, "f1", method="approximate", n_resamples=5000, rng=3)
    # Groups with sums: their differences, and one unit that both systems share.
    apart = found.units.differences
    rest = np.array(found.sums_a) - apart.sum(axis=0)
    a, b = np.vstack([apart, rest]), np.vstack([np.zeros_like(apart), rest])
    assert tuple(b.sum(axis=0)) == found.sums_b
    assert result.n_hits == replay.unit_hits(a, b, [2, 0, 0], [0, 1, 1], 5000, entropy=3)


# ---- special cases ------------------------------------------------------------------------


@pytest.mark.parametrize("unit", ["response", "conflict", "key", "cluster"])
def test_nothing_that_differs(unit):
    span = Span("d", 0, 1, "X")
    for own in ([span], []):
        found = responses({1: [span]}, {1: own}, {1: own}, unit=unit, cluster={1: "u"})
        assert found.identical
        assert randomization_test(found, "f1").pvalue == 1


def test_a_group_that_differs_in_no_sum():
    """Two wrong labels for the same words: swapping both changes nothing."""
    found = responses(["1/x"], ["1/y", "2/x"], ["1/z"], unit="conflict", conflict=lambda r: r[0])
    assert (found.n_units, found.units.n_total) == (1, 2)
    assert found.at("response").n_units == 3


def test_a_long_span_reaches_over_short_ones():
    """A's long span overlaps both of B's, though its short one ends before the second."""
    a, b = [(0, 10, "X"), (1, 3, "Y")], [(2, 3, "X"), (5, 6, "Y")]
    assert responses([], a, b, unit="conflict", conflict=spans).units.n_total == 1
    assert spans((np.int32(3), np.int64(5), "X")) == Extent(None, 3, 5)


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
    both, only_a, only_b, missed, spurious, wrong_a, wrong_b = sizes
    counts = {
        "gold": both + only_a + only_b + missed, "both_correct": both, "only_a_correct": only_a,
        "only_b_correct": only_b, "both_spurious": spurious, "only_a_spurious": wrong_a,
        "only_b_spurious": wrong_b,
    }  # fmt: skip
    classes, sums_a, sums_b = counted(**counts)
    rows = counted_rows(classes, sums_a)
    assert rows.n == sum(sizes)
    assert (tuple(rows.a.sum(axis=0)), tuple(rows.b.sum(axis=0))) == (sums_a, sums_b)
    hit, miss, wrong, none = (1, 1, 1), (0, 0, 1), (0, 1, 0), (0, 0, 0)
    kinds = [(hit, hit), (hit, miss), (miss, hit), (miss, miss), (wrong, wrong), (wrong, none),
             (none, wrong)]  # fmt: skip
    found = list(zip(map(tuple, rows.a.tolist()), map(tuple, rows.b.tolist()), strict=True))
    assert [found.count(pair) for pair in kinds] == [*sizes]
    times = numbers_of_kinds(classes, sums_a)
    for table, own in zip(rows, KINDS, strict=True):
        np.testing.assert_array_equal(table, np.repeat(own, times, axis=0))


def test_rows_of_counts_are_those_of_responses():
    one = responses(set("abcdefg"), set("abcxy"), set("bcdz"), unit="response")
    other = Comparison.from_counts(
        gold=7, both_correct=2, only_a_correct=1, only_b_correct=1, only_a_spurious=2,
        only_b_spurious=1,
    )  # fmt: skip
    for mine, theirs in zip(one.rows(), other.rows(), strict=True):
        np.testing.assert_array_equal(mine, theirs)
