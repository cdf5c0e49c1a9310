"""Comparisons: counts, responses, documents, and what is refused."""

import numpy as np
import pytest
from brute import PAPER

from csig import Comparison, InputError, randomization_test
from csig.base.shown import WIDTH
from csig.data.responses import Exclusions
from csig.data.units import LEVELS
from csig.metrics import Span, spans

GOLD = {"s1": [(0, 2, "PER"), (5, 6, "LOC")], "s2": [(3, 4, "PER"), (7, 9, "LOC")]}
A = {"s1": [(0, 2, "PER"), (5, 6, "LOC")], "s2": [(3, 4, "PER")]}
B = {"s1": [(0, 1, "PER"), (5, 6, "ORG")], "s2": [(3, 4, "PER"), (7, 9, "LOC")]}


def test_numpys_integers_are_counts():
    comparison = Comparison.from_counts(**{k: np.int64(v) for k, v in PAPER.items()})
    assert comparison == Comparison.from_counts(**PAPER)
    assert comparison.n_units == 86


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"only_a_correct": -1}, "only_a_correct must not be negative, found -1"),
        ({"both_spurious": 1.5}, "both_spurious must be an integer, found 1.5"),
        ({"gold": "103"}, "gold must be an integer, found '103'"),
        ({"gold": True}, "gold must be an integer, found True"),
        ({"gold": np.array([1, 2])}, "gold must be an integer, found array"),
        ({"gold": float("nan")}, "gold must be an integer, found nan"),
        ({"gold": 10**50}, "at most 2\\^60 is possible"),
        ({"names": ("A",)}, "names must be a pair of names, found \\('A',\\)"),
        ({"names": "AB"}, "names must be a pair of names, found 'AB'"),
        ({"gold": 52}, "gold is 52, but the systems found 53 different correct responses"),
        ({"only_a_spurious": 2**31}, "unique spurious responses; at most"),
    ],
)
def test_counts_are_checked(change, message):
    with pytest.raises(InputError, match=message):
        Comparison.from_counts(**(PAPER | change))


def test_other_units_are_refused():
    with pytest.raises(InputError, match=r"unit must be one of 'response', .*, found 'document'"):
        Comparison.from_responses([], [], [], unit="document")


def test_scores_need_the_metrics_columns():
    from csig import Metric

    metric = Metric("m", ("length",), numerator=(1,), denominator=(1,))
    with pytest.raises(InputError, match="reads 'length'; this comparison has 'tp'"):
        Comparison.from_counts(**PAPER).scores(metric)


def test_a_comparison_of_spans_knows_its_exclusions():
    gold = [Span("d", 0, 2, "PER"), Span("d", 5, 6, "LOC")]
    a = [Span("d", 0, 2, "PER"), Span("d", 5, 6, "ORG")]
    b = [Span("d", 0, 2, "PER"), Span("d", 5, 6, "LOC"), Span("d", 8, 9, "LOC")]
    flat = Comparison.from_responses(gold, a, b)
    assert flat.exclusions == Exclusions(pairs=1, responses=2)
    mapped = Comparison.from_responses({"x": gold}, {"x": a}, {"x": b})
    assert mapped.exclusions == flat.exclusions
    assert Comparison.from_responses(["x"], ["x"], ["y"]).exclusions is None


def test_real_taggers_hold_199_overlapping_pairs(shared_data):
    from csig.readers import read_tags

    path = shared_data("conll03_ner_tags") / "conll03_test_tags.tsv"
    tags = read_tags((path, "gold"), (path, "flair"), (path, "elmo"))
    comparison = Comparison.from_responses(tags.gold, tags.a, tags.b, unit="response")
    assert comparison.n_units == 494
    assert comparison.exclusions.pairs == 199
    assert comparison.sums_a == (5270, 5682, 5648)
    assert comparison.sums_b == (5213, 5658, 5648)

    # All 2^494 swaps by convolution in integers, compared as Fractions.
    expected = {
        "recall": 3.7092661643538796e-05,
        "precision": 0.031856029036063035,
        "f1": 2.63850449249722e-05,
    }
    for metric, result in randomization_test(comparison, list(expected)).items():
        assert result.pvalue == pytest.approx(expected[metric], rel=1e-12)


def by_sentence(**options):
    """Three responses of two sentences in one document, all of one system only."""
    return Comparison.from_responses(
        {"s1": [(0, 1, "LOC")], "s2": [(4, 6, "PER")]},
        {"s1": [(0, 1, "PER")], "s2": [(4, 6, "PER")]},
        {"s1": [(0, 1, "LOC")], "s2": []},
        **options,
    )


def test_the_largest_unit_that_is_known_is_the_default():
    documents = {"s1": "d", "s2": "d"}
    assert Comparison.from_responses({"x"}, {"x"}, set()).unit == "response"
    assert Comparison.from_responses({"x"}, {"x"}, set(), conflict=len).unit == "conflict"
    assert by_sentence().unit == "key"
    assert by_sentence(conflict=spans).unit == "key"
    # Also where it leaves one unit, so that nothing could be significant.
    assert by_sentence(clusters=documents).unit == "cluster"
    assert by_sentence(clusters=documents).n_units == 1
    assert Comparison.from_scores([1, 0], [0, 1]).unit == "unit"
    assert Comparison.from_scores([1, 0], [0, 0], clusters=["x", "x"]).unit == "cluster"


def test_units_have_the_names_they_are_given():
    called = {"key_name": "sentence", "cluster_name": "document"}
    comparison = by_sentence(clusters={"s1": "d", "s2": "e"}, conflict=spans, **called)
    assert comparison.unit == "document"
    assert comparison.levels == ("response", "conflict", "sentence", "document")
    for level, name in zip(LEVELS, comparison.levels, strict=True):
        assert comparison.at(level) == comparison.at(name)
        assert comparison.at(level).unit == name
        again = by_sentence(clusters={"s1": "d", "s2": "e"}, conflict=spans, unit=name, **called)
        assert again == comparison.at(name)

    table = Comparison.from_statistics(
        [[1], [2]], [[1], [3]], ["n"], clusters=["x", "x"], unit_name="essay", cluster_name="author"
    )
    assert table.levels == ("essay", "author")
    assert table.at("unit").unit == "essay"
    assert table.at("author") == table.at("cluster")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"key_name": ""}, "key_name must be a name, found ''"),
        ({"key_name": 3}, "key_name must be a name, found 3"),
        ({"key_name": "response"}, "key_name: 'response' is the name of another unit"),
        ({"cluster_name": "unit"}, "cluster_name: 'unit' is the name of another unit"),
        ({"key_name": "x", "cluster_name": "x"}, "key_name and cluster_name must differ"),
        ({"unit": "document"}, "unit must be one of 'response', 'conflict', 'key', 'cluster', f"),
        ({"unit": "text", "key_name": "text", "conflict": spans}, None),
        ({"unit": "story", "cluster_name": "story"}, r"unit 'story' needs clusters=\{key: label\}"),
    ],
)
def test_names_of_units_are_checked(options, message):
    if message is None:
        assert by_sentence(**options).unit == options["unit"]
        return
    with pytest.raises(InputError, match=message):
        by_sentence(**options)


def test_counts_have_no_other_unit():
    with pytest.raises(InputError, match="no unit 'unit'; available: 'response'"):
        Comparison.from_counts(**PAPER).at("unit")


# ---- what is shown -------------------------------------------------------------------------


def test_three_lines_of_responses_units_and_runs():
    by_key = Comparison.from_responses(GOLD, A, B, conflict=spans, names=("new", "base"))
    assert repr(by_key).splitlines() == [
        "<Comparison new / base: tp 3 / 2, predicted 3 / 4, gold 4",
        " swaps keys: 2 of 2 differ",
        " with ids, other units: responses, conflict groups>",
    ]
    assert repr(by_key.at("response")).splitlines()[1:] == [
        " swaps responses: 5 only one system has",
        " other units: conflict groups, keys>",
    ]
    runs = Comparison.from_scores([[1, 0.5, 0]] * 2, [[0, 0.5, 1]] * 2)
    assert repr(runs).splitlines() == [
        "<Comparison A / B: score 3, n 6",
        " swaps items: 2 of 3 differ",
        " without ids, no other unit known, 2 runs of each system>",
    ]


def test_many_columns_and_long_names_stay_within_the_lines():
    columns = [f"count_{i}" for i in range(9)]
    names = ("a\n" * 100, "\x1b[31mb")
    wide = Comparison.from_statistics([[1] * 9], [[0] * 9], columns, names=names)
    lines = repr(wide).split("\n")
    assert len(lines) == 3
    assert all(line.isprintable() and len(line) <= WIDTH for line in lines)
    short = Comparison.from_statistics([[1] * 9], [[0] * 9], columns)
    assert "count_4 1 / 0, ...\n" in repr(short)
