"""Responses: counted as sets say, checked, in conflict groups and other units, as rows, counts."""

import itertools
from decimal import Decimal

import numpy as np
import pytest
from children import python
from hypothesis import given
from hypothesis import strategies as st

import csig
from csig import Comparison, InputError, randomization_test
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
from csig.data.responses import spans as extent
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


#: All swaps of every unit of REAL, by convolution in integers, compared as Fractions.
EXPECTED = {
    "response": {
        "recall": 3.7092661643538796e-05,
        "precision": 0.031856029036063035,
        "f1": 2.63850449249722e-05,
    },
    "conflict": {
        "recall": 6.7894621387607e-05,
        "precision": 0.014778744986828943,
        "f1": 0.0004736889863828708,
    },
    "key": {
        "recall": 9.694475513453997e-05,
        "precision": 0.01516757038328814,
        "f1": 0.0005158300522302089,
    },
}


@pytest.fixture(scope="module")
def taggers(shared_data):
    """Flair (A) and ELMo (B) on the test data of CoNLL-2003, by sentence."""
    from csig.readers import read_tags

    path = shared_data("conll03_ner_tags") / "conll03_test_tags.tsv"
    tags = read_tags((path, "gold"), (path, "flair"), (path, "elmo"))
    by_sentence = []
    for spans in (tags.gold, *tags.systems):
        by_sentence.append({n: [] for n in range(tags.n_sentences)})
        for span in spans:
            by_sentence[-1][span.document].append(span)
    return tags, by_sentence


@pytest.mark.parametrize("keyed", [False, True])
def test_real_taggers_at_every_unit(taggers, keyed):
    tags, by_sentence = taggers
    given = by_sentence if keyed else (tags.gold, *tags.systems)
    comparison = Comparison.from_responses(*given)
    assert comparison.levels == ("response", "conflict", "key")[: 2 + keyed]
    for unit in comparison.levels:
        at = comparison.at(unit)
        assert at.unit == unit
        assert (at.sums_a, at.sums_b) == ((5270, 5682, 5648), (5213, 5658, 5648))
        assert at.exclusions == Exclusions(pairs=199, responses=at.exclusions.responses)
        for metric, result in randomization_test(at, list(EXPECTED[unit])).items():
            assert result.unit == unit
            assert result.pvalue == pytest.approx(EXPECTED[unit][metric], rel=1e-12)
    found = comparison.at("conflict")
    assert (found.n_units, found.units.n_total) == (252, 295)
    if keyed:
        assert (comparison.at("key").n_units, comparison.at("key").units.n_total) == (236, 3453)


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


def share_a_token(a, b):
    return a.document == b.document and a.start < b.end and b.start < a.end


def differences(found, gold):
    """(tp, predicted, gold) of A minus B for every group, with those that do not differ."""
    rows = []
    for group in found:
        sign = [1 if system == "a" else -1 for system, _ in group]
        correct = [r in gold for _, r in group]
        rows.append((sum(s * c for s, c in zip(sign, correct, strict=True)), sum(sign), 0))
    return sorted(rows)


def by_units(comparison):
    """The same of a comparison."""
    units = comparison.units
    rows = [tuple(row) for row in units.differences.tolist()]
    return sorted(rows + [(0, 0, 0)] * (units.n_total - len(rows)))


@given(sets=SETS)
def test_groups_of_spans(sets):
    gold, a, b = sets
    comparison = Comparison.from_responses(gold, a, b, unit="conflict")
    assert by_units(comparison) == differences(components(a - b, b - a, share_a_token), gold)


RESPONSE = st.tuples(st.integers(0, 3), st.integers(0, 4), st.sampled_from("XYZ"))


@given(sets=st.tuples(*[st.sets(RESPONSE, max_size=15)] * 3))
def test_groups_by_place_and_key(sets):
    gold, a, b = sets
    flat = Comparison.from_responses(gold, a, b, unit="conflict", conflict=lambda r: r[:2])
    keyed = Comparison.from_responses(
        *({k: [r for r in s if r[0] == k] for k in range(4)} for s in sets),
        unit="conflict", conflict=lambda r: r[1],
    )  # fmt: skip
    expected = components(a - b, b - a, lambda r, s: r[:2] == s[:2])
    for comparison in (flat, keyed):
        assert by_units(comparison) == differences(expected, gold)
        pairs = [(r, s) for r in a - b for s in b - a if r[:2] == s[:2]]
        involved = {(i, pair[i]) for pair in pairs for i in (0, 1)}
        assert comparison.exclusions == Exclusions(len(pairs), len(involved))


@given(sets=SETS)
def test_extents_are_what_spans_are(sets):
    flat = Comparison.from_responses(*sets, unit="conflict")
    of_tuples = Comparison.from_responses(
        *({d: [(s.start, s.end, s.label) for s in own if s.document == d] for d in range(3)}
          for own in sets),
        unit="conflict", conflict=csig.metrics.spans,
    )  # fmt: skip
    own = Comparison.from_responses(
        *([tuple(s) for s in own] for own in sets),
        unit="conflict", conflict=lambda r: csig.metrics.spans(Span(*r)),
    )  # fmt: skip
    assert by_units(flat) == by_units(of_tuples) == by_units(own)
    assert flat.exclusions == of_tuples.exclusions or not flat.exclusions


@given(
    sets=st.tuples(*[st.sets(RESPONSE, max_size=15)] * 3),
    clusters=st.lists(st.sampled_from("uvw"), min_size=4, max_size=4),
)
def test_keys_and_clusters(sets, clusters):
    gold, a, b = ({k: [r[1:] for r in s if r[0] == k] for k in range(4)} for s in sets)
    comparison = Comparison.from_responses(
        gold, a, b, unit="key", clusters=dict(enumerate(clusters))
    )
    rows = {
        k: (
            len({*a[k]} & {*gold[k]}) - len({*b[k]} & {*gold[k]}),
            len(a[k]) - len(b[k]),
            0,
        )
        for k in gold
    }
    differing = [k for k in gold if any(rows[k])]
    assert comparison.units.ids == tuple(differing)
    assert comparison.units.differences.tolist() == [list(rows[k]) for k in differing]
    assert comparison.units.n_total == 4
    found = comparison.at("cluster")
    assert [u for u in found.levels if u != "conflict"] == ["response", "key", "cluster"]
    assert found.units.n_total == len(set(clusters))
    sums = {
        label: [sum(rows[k][i] for k in rows if clusters[k] == label) for i in range(3)]
        for label in sorted(set(clusters))
    }
    assert found.units.ids == tuple(label for label in sums if any(sums[label]))
    assert found.units.differences.tolist() == [row for row in sums.values() if any(row)]
    assert found.at("response") == comparison.at("response")


# ---- the order of units -------------------------------------------------------------------


def test_only_different_systems_exclude_each_other():
    places = lay_out((None, Extent(None, *ends)) for ends in [(0, 9), (0, 3), (2, 5), (8, 9)])
    assert groups(places, 3).tolist() == [0, 1, 2, 0]
    assert len(set(groups(places, 4).tolist())) == 4


@given(sets=SETS, rng=st.randoms())
def test_neither_the_order_nor_the_system_matters(sets, rng):
    gold, a, b = (list(s) for s in sets)
    first = Comparison.from_responses(gold, a, b, unit="conflict")
    for own in (gold, a, b):
        rng.shuffle(own)
    again = Comparison.from_responses(gold, a, b, unit="conflict")
    traded = Comparison.from_responses(gold, b, a, unit="conflict")
    assert first.units.ids == again.units.ids == traded.units.ids
    np.testing.assert_array_equal(first.units.differences, again.units.differences)
    np.testing.assert_array_equal(first.units.differences, -traded.units.differences)


def test_ids_are_the_least_text():
    comparison = Comparison.from_responses(
        {"d10": ["x/1"], "d9": []}, {"d10": ["y/2", "x/1"], "d9": ["u/1"]},
        {"d10": ["x/2", "a/1"], "d9": []}, unit="conflict", conflict=lambda r: r[2:],
    )  # fmt: skip
    # a/1 and x/1 make a group whose difference is in tp alone; x/2 and y/2 one without any.
    assert comparison.units.ids == ("d10\ta/1", "d9\tu/1")
    assert comparison.units.differences.tolist() == [[1, 0, 0], [0, 1, 0]]
    assert comparison.units.n_total == 3


@pytest.mark.parametrize("pair", [(1, "1"), (("a", "b"), "a\tb"), (("a", "b"), ("a\tb",))])
def test_responses_that_look_the_same_have_an_order(pair):
    one, other = (
        Comparison.from_responses([pair[0]], own, ["z"], unit="conflict", conflict=repr).units
        for own in (pair, pair[::-1])
    )
    assert one.ids == other.ids
    np.testing.assert_array_equal(one.differences, other.differences)


def test_the_hash_seed_does_not_matter():
    code = """
import csig
words = [f"w{i}" for i in range(40)]
a = [(frozenset(words[i:i+3]), i % 7) for i in range(0, 40, 2)]
b = [(frozenset(words[i:i+2]), i % 5) for i in range(0, 40, 3)]
c = csig.Comparison.from_responses(a[:9] + b[:5], a, b, unit="conflict", conflict=lambda r: r[1])
print(c.units.ids, c.units.differences.tolist())
"""
    found = {python(code, env={"PYTHONHASHSEED": seed}).stdout for seed in "123"}
    assert len(found) == 1
    assert all(found)


def test_hits_of_groups_are_the_replays():
    rng = np.random.default_rng(5)
    sets = [
        {Span("d", int(s), int(s) + 2, "x") for s in rng.integers(0, 300, size=90)}
        for _ in range(3)
    ]
    comparison = Comparison.from_responses(*sets, unit="conflict")
    result = randomization_test(comparison, "f1", method="approximate", n_resamples=5000, rng=3)
    # Groups with sums: their differences, and one unit that both systems share.
    rest = np.array(comparison.sums_a) - comparison.units.differences.sum(axis=0)
    a = np.vstack([comparison.units.differences, rest])
    b = np.vstack([np.zeros_like(comparison.units.differences), rest])
    assert tuple(b.sum(axis=0)) == comparison.sums_b
    expected = csig.replay.unit_hits(a, b, [2, 0, 0], [0, 1, 1], 5000, entropy=3)
    assert result.n_hits == expected


# ---- what is refused ----------------------------------------------------------------------

DATA = ({"d": ["x"]}, {"d": ["x"]}, {"d": ["y"]})


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"unit": "sentence"}, r"unit must be one of 'response', 'conflict', 'key', 'cluster'"),
        ({"unit": ["key"]}, r"unit must be one of .*, found \['key'\]"),
        ({"unit": "conflict"}, "unit 'conflict' needs conflict=, a function from a response to"),
        ({"unit": "cluster"}, "unit 'cluster' needs clusters={key: label}"),
        ({"conflict": "spans"}, "conflict must be a function from a response to its place, found"),
        (
            {"conflict": csig.metrics.spans},
            r"conflict, response 'x|y': expected a span \(start, end",
        ),
        ({"conflict": lambda r: [r]}, "its place is a list, which is not hashable"),
        ({"conflict": lambda r: None}, "found None, expected a place"),
        ({"conflict": lambda r: float("nan")}, "nan is not a place"),
        ({"conflict": lambda r: 1 / 0}, "response 'x|y': ZeroDivisionError: division by zero"),
        ({"conflict": lambda r: r[5]}, "response 'x|y': IndexError: string index out of range"),
        ({"clusters": ["u"]}, "clusters must be {key: label}, found list"),
        ({"clusters": {}}, "clusters: no label for key 'd'"),
        ({"clusters": {"d": 1, "e": 2}}, "clusters: labels for keys that do not exist: 'e'"),
        ({"clusters": {"d": ["u"]}}, r"clusters\[0\]: list is not hashable"),
        ({"clusters": {"d": None}}, r"clusters\[0\]: None is not a label"),
    ],
)
def test_what_is_refused(arguments, message):
    with pytest.raises(InputError, match=message):
        Comparison.from_responses(*DATA, **arguments)


@pytest.mark.parametrize(
    ("gold", "unit", "clusters", "message"),
    [
        (["x"], "key", None, "unit 'key' needs gold, a and b as {key: responses}"),
        (["x"], "cluster", {"x": 1}, "clusters needs gold, a and b as {key: responses}"),
        ({float("nan"): ["x"]}, "key", None, "gold: nan is not a key"),
        ({None: ["x"]}, "key", None, "gold: None is not a key"),
        ({1: ["x"], "1": []}, "key", None, "keys: 1 and '1' have the same text"),
        ({1: ["x"], 2: []}, "cluster", {1: 1, 2: "1"}, "clusters: 1 and '1' have the same text"),
        ({1: ["x"], 2: []}, "cluster", {1: 1}, "clusters: no label for key 2"),
    ],
)
def test_keys_that_cannot_be_used(gold, unit, clusters, message):
    other = {k: [] for k in gold} if isinstance(gold, dict) else []
    with pytest.raises(InputError, match=message):
        Comparison.from_responses(gold, gold, other, unit=unit, clusters=clusters)


def test_responses_without_a_text():
    class Thing:
        pass

    things = [Thing(), Thing()]
    given = (things, things[:1], things[1:])
    comparison = Comparison.from_responses(*given, conflict=id, unit="response")
    with pytest.raises(InputError, match="cannot be ordered: its text is its address in memory"):
        comparison.at("conflict")

    class Same(Thing):
        def __str__(self):
            return "same"

    things = [Same(), Same()]
    given = (things, things[:1], things[1:])
    comparison = Comparison.from_responses(*given, conflict=id, unit="response")
    with pytest.raises(InputError, match="have the same text, by which conflict groups are"):
        comparison.at("conflict")


@pytest.mark.parametrize(
    ("response", "message"),
    [
        ("x", r"expected a span \(start, end, label\), found 'x'"),
        ((1, 2), r"expected a span \(start, end, label\), found \(1, 2\)"),
        (("d", 1, 2, "X"), "make it a csig.metrics.Span where it has a document"),
        ((2, 2, "X"), "a span needs integers start < end, found"),
        ((1.0, 2, "X"), "a span needs integers start < end, found"),
        (("1", "2", "X"), "a span needs integers start < end, found"),
        ((0, True, "X"), "a span needs integers start < end, found"),
    ],
)
def test_what_is_no_span(response, message):
    with pytest.raises(InputError, match=message):
        csig.metrics.spans(response)


def test_spans_of_numpys_integers_and_of_huge_ones():
    assert csig.metrics.spans((np.int32(3), np.int64(5), "X")) == Extent(None, 3, 5)
    with pytest.raises(InputError, match="does not fit 64 bits"):
        Comparison.from_responses([], [Span("d", 0, 2**70, "X")], [])


def test_units_that_are_not_there():
    comparison = Comparison.from_responses(*DATA, conflict=lambda r: 1)
    with pytest.raises(InputError, match="no unit 'cluster'; available: 'response', 'conflict',"):
        comparison.at("cluster")
    with pytest.raises(InputError, match=r"no unit \['key'\]; available"):
        comparison.at(["key"])
    counts = Comparison.from_counts(gold=9, only_a_correct=3, only_b_correct=1)
    assert counts.levels == ("response",)
    assert counts.at("response") == counts
    with pytest.raises(InputError, match="no unit 'key'; available: 'response'"):
        counts.at("key")


# ---- special cases ------------------------------------------------------------------------


@pytest.mark.parametrize("unit", ["response", "conflict", "key", "cluster"])
def test_nothing_that_differs(unit):
    span = Span("d", 0, 1, "X")
    for own in ([span], []):
        comparison = Comparison.from_responses(
            {1: [span]}, {1: own}, {1: own}, unit=unit, clusters={1: "u"}
        )
        assert comparison.identical
        assert randomization_test(comparison, "f1").pvalue == 1


def test_a_group_that_differs_in_no_sum():
    """Two wrong labels for the same words: swapping both changes nothing."""
    comparison = Comparison.from_responses(
        ["1/x"], ["1/y", "2/x"], ["1/z"], unit="conflict", conflict=lambda r: r[0]
    )
    assert (comparison.n_units, comparison.units.n_total) == (1, 2)
    assert comparison.at("response").n_units == 3


def test_a_comparison_travels_between_processes():
    import pickle

    comparison = Comparison.from_responses(*DATA, conflict=len)
    again = pickle.loads(pickle.dumps(comparison))
    assert again == comparison
    assert hash(again) == hash(comparison)
    assert again.at("response") == comparison.at("response") != comparison
    assert by_units(again.at("conflict")) == by_units(comparison.at("conflict"))


def test_a_long_span_reaches_over_short_ones():
    """A's long span overlaps both of B's, though its short one ends before the second."""
    a, b = [(0, 10, "X"), (1, 3, "Y")], [(2, 3, "X"), (5, 6, "Y")]
    comparison = Comparison.from_responses([], a, b, unit="conflict", conflict=csig.metrics.spans)
    assert comparison.units.n_total == 1


SHORT_SPAN = st.builds(
    lambda d, start, length, label: Span(d, start, start + length, label),
    st.integers(0, 2), st.integers(0, 9), st.integers(1, 4), st.sampled_from("XY"),
)  # fmt: skip


@given(a=st.sets(SHORT_SPAN), b=st.sets(SHORT_SPAN))
def test_exclusions_are_shared_tokens(a, b):
    def tokens(span):
        return {(span.document, t) for t in range(span.start, span.end)}

    pairs = [(s, t) for s in a for t in b if tokens(s) & tokens(t)]
    spans = {("a", s) for s, _ in pairs} | {("b", t) for _, t in pairs}
    places = lay_out((None, extent(span)) for span in [*a, *b])
    assert exclusions(places, len(a)) == Exclusions(len(pairs), len(spans))


FOUR_KEYS = ["k1", "k2", "k3", "k10"]
KEYED_SETS = st.fixed_dictionaries({key: st.sets(st.sampled_from("uvwxyz")) for key in FOUR_KEYS})
STORIES = {"k1": "s", "k2": "t", "k3": "s", "k10": "r"}


def numbers(gold, a):
    return [len(gold & a), len(a), len(gold)]


@given(gold=KEYED_SETS, a=KEYED_SETS, b=KEYED_SETS)
def test_rows_of_keys_and_clusters(gold, a, b):
    comparison = Comparison.from_responses(gold, a, b, clusters=STORIES)
    at_keys = comparison.at("key").rows()
    order = sorted(FOUR_KEYS)
    for system, found in ((a, at_keys.a), (b, at_keys.b)):
        assert found.tolist() == [numbers(gold[key], system[key]) for key in order]
    at_clusters = comparison.rows()
    for mine, parts in zip(at_clusters, at_keys, strict=True):
        by_story = {
            story: sum(row for key, row in zip(order, parts, strict=True) if STORIES[key] == story)
            for story in "rst"
        }
        np.testing.assert_array_equal(mine, list(by_story.values()))


@given(gold=KEYED_SETS, a=KEYED_SETS, b=KEYED_SETS)
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


SIZES = st.tuples(*[st.integers(0, 9)] * 7)


@given(sizes=SIZES)
def test_rows_are_the_responses_one_by_one(sizes):
    both, only_a, only_b, missed, spurious, wrong_a, wrong_b = sizes
    classes, sums_a, sums_b = counted(
        gold=both + only_a + only_b + missed,
        both_correct=both,
        only_a_correct=only_a,
        only_b_correct=only_b,
        both_spurious=spurious,
        only_a_spurious=wrong_a,
        only_b_spurious=wrong_b,
    )
    rows = counted_rows(classes, sums_a)
    assert rows.n == sum(sizes)
    assert tuple(rows.a.sum(axis=0)) == sums_a
    assert tuple(rows.b.sum(axis=0)) == sums_b
    pairs = {
        ((1, 1, 1), (1, 1, 1)): both,
        ((1, 1, 1), (0, 0, 1)): only_a,
        ((0, 0, 1), (1, 1, 1)): only_b,
        ((0, 0, 1), (0, 0, 1)): missed,
        ((0, 1, 0), (0, 1, 0)): spurious,
        ((0, 1, 0), (0, 0, 0)): wrong_a,
        ((0, 0, 0), (0, 1, 0)): wrong_b,
    }
    found = list(zip(map(tuple, rows.a.tolist()), map(tuple, rows.b.tolist()), strict=True))
    assert {pair: found.count(pair) for pair in pairs} == pairs
    times = numbers_of_kinds(classes, sums_a)
    for table, own in zip(rows, KINDS, strict=True):
        np.testing.assert_array_equal(table, np.repeat(own, times, axis=0))


def test_too_many_single_responses_are_refused():
    counts = dict.fromkeys(
        ("only_a_correct", "only_b_correct", "only_a_spurious", "only_b_spurious"), 1
    )
    big = Comparison.from_counts(gold=2**50, **counts)
    with pytest.raises(InputError, match="use a larger unit"):
        big.rows()


def test_negative_counts_are_refused():
    counts = dict.fromkeys(
        ("gold", "both_correct", "only_a_correct", "only_b_correct", "both_spurious"), 0
    )
    with pytest.raises(InputError, match="only_a_spurious must not be negative, found -1"):
        counted(**counts, only_a_spurious=-1, only_b_spurious=0)


def test_rows_of_counts_are_those_of_responses():
    gold, a, b = set("abcdefg"), set("abcxy"), set("bcdz")
    one = Comparison.from_responses(gold, a, b, unit="response")
    other = Comparison.from_counts(
        gold=7, both_correct=2, only_a_correct=1, only_b_correct=1, only_a_spurious=2,
        only_b_spurious=1,
    )  # fmt: skip
    for mine, theirs in zip(one.rows(), other.rows(), strict=True):
        np.testing.assert_array_equal(mine, theirs)
