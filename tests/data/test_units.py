"""Statistics and scores by position, id, index and cluster, in one run or several; classes."""

import decimal
import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pandas
import polars
import pytest
from drawn import examples, several
from hypothesis import given, settings
from hypothesis import strategies as st

from csig import Comparison, randomization_test
from csig.base.shown import WIDTH
from csig.data.tables import results_of
from csig.data.units import LEVELS, NARROW, Classes, units_that_differ
from csig.metrics import spans

COLUMNS = ("tp", "predicted", "gold")
ROWS_A = {"d10": [3, 4, 5], "d9": [2, 2, 2], "é": [0, 1, 1], "d1": [4, 4, 6]}
ROWS_B = {"é": [1, 1, 1], "d1": [3, 5, 6], "d9": [2, 2, 2], "d10": [2, 4, 5]}
scores, statistics = Comparison.from_scores, Comparison.from_statistics
labels = Comparison.from_labels


def same(one, other):
    """Two comparisons that any test would take for one."""
    assert (one.sums("a"), one.sums("b")) == (other.sums("a"), other.sums("b"))
    assert (one.scale, one.tau) == (other.scale, other.tau)
    assert (one.unit, one.levels, one.units) == (other.unit, other.levels, other.units)


# ---- ids and clusters -----------------------------------------------------------------------


def test_clusters_and_back():
    labels = {"d1": "u", "d9": "t", "d10": "u", "é": "t"}
    found = statistics(ROWS_A, ROWS_B, COLUMNS, cluster=labels)
    assert (found.levels, found.units.ids) == (("unit", "cluster"), ("t", "u"))
    assert found.rows().a.tolist() == [[2, 3, 3], [7, 8, 11]]
    assert found.units.differences.tolist() == [[-1, 0, 0], [2, -1, 0]]
    same(found.at("unit").at("cluster"), found)
    units = found.at("unit")
    assert units.units == statistics(ROWS_A, ROWS_B, COLUMNS).units
    assert [own.tolist() for own in units.rows()] == [
        [own[i] for i in sorted(ROWS_A)] for own in (ROWS_A, ROWS_B)
    ]
    ids = list(ROWS_A)
    rows = [list(ROWS_A.values()), [ROWS_B[i] for i in ids]]
    same(statistics(*rows, COLUMNS, id=ids, cluster=[labels[i] for i in ids]), found)


def test_ids_of_any_type_have_an_order():
    ids = [frozenset("ab"), ("d", 2), ("d", 10), 7, "x"]
    a, b = np.random.default_rng(1).integers(0, 9, size=(2, 5, 1))
    first = statistics(a, b + 10, ["x"], id=ids)
    assert first.units.ids == (7, ("d", 10), ("d", 2), "x", frozenset("ab"))
    same(first, statistics(a[::-1], b[::-1] + 10, ["x"], id=ids[::-1]))


@settings(max_examples=several(20, 100))
@given(st.data())
def test_the_order_of_scores_with_ids_does_not_matter(data):
    n = data.draw(st.integers(1, 20))
    score = st.floats(-1e3, 1e3).filter(lambda x: x == 0 or abs(x) > 1e-6)
    a, b = (data.draw(st.lists(score, min_size=n, max_size=n)) for _ in "ab")
    order = data.draw(st.permutations(range(n)))
    mixed = scores([a[i] for i in order], [b[i] for i in order], id=order)
    same(scores(a, b, id=range(n)), mixed)


# ---- kinds of numbers -----------------------------------------------------------------------

GIVEN = [True, np.int8(2), 3.0, decimal.Decimal(4), Fraction(10, 2), np.bool_(False), 2**60]
WHOLE, ZEROS, RIGHT = [1, 2, 3, 4, 5, 0, 2**60], [0] * 7, [1, 0, 1, 1]
ROWS = [[1, 2], [3, 4]], [[1, 2], [3, 3]]
KINDS = pandas.DataFrame({"x": pandas.array([1, 2**60], dtype="Int64"), "y": [0.0, 3.0]})
SHUFFLED = pandas.Series([1, 5, 2], index=[2, 0, 1])
RANGE, PLAIN = (pandas.Series([1, 2, 4]), pandas.Series([0, 5, 5])), ([1, 2, 4], [0, 5, 5])
SPLIT = pandas.Series(["x", "y", "x"], index=[17, 4, 9])  # what comes out of a split of the data
SAID = ["x", "x", "x"], ["y", "y", "x"]
UV = pandas.Series([1, 2], index=["u", "v"]), pandas.Series([1, 5], index=["v", "u"])
PQ = {"p": 1, "q": 2}, {"p": 1, "q": 5}
TWO = {"s1": ["x"], "s2": ["y"]}, {"s1": ["x"], "s2": ["y"]}, {"s1": [], "s2": []}


@pytest.mark.parametrize("ways", [
    lambda: (statistics(GIVEN, ZEROS, ["x"]), statistics(WHOLE, ZEROS, ["x"])),
    lambda: (statistics(iter(WHOLE), iter(ZEROS), ["x"]), statistics(WHOLE, ZEROS, ["x"])),
    lambda: (statistics(np.array(WHOLE), np.zeros(7), ["x"]), statistics(WHOLE, ZEROS, ["x"])),
    *(lambda kind=kind: (scores(np.array(RIGHT, dtype=kind), [0] * 4), scores(RIGHT, [0] * 4))
      for kind in (bool, np.uint8)),
    lambda: (scores([True, False], [0, 0]), scores([1, 0], [0, 0])),
    lambda: (statistics(pandas.DataFrame(ROWS[0]), ROWS[1], [*"xy"]), statistics(*ROWS, [*"xy"])),
    lambda: (statistics(KINDS, np.zeros((2, 2)), [*"xy"]),
             statistics([[1, 0], [2**60, 3]], [[0, 0]] * 2, [*"xy"])),
    # A shuffled range is ids, and the default range is none.
    lambda: (scores(SHUFFLED, SHUFFLED[[1, 0, 2]] + 1),
             scores({2: 1, 0: 5, 1: 2}, {2: 2, 0: 6, 1: 3})),
    lambda: (scores(*RANGE), scores(*PLAIN)),
    lambda: (scores(RANGE[0], PLAIN[1]), scores(*PLAIN)),
    lambda: (scores(RANGE[0].set_axis(pandas.Index([0, 1, 2])), RANGE[1]), scores(*PLAIN)),
    # Arrays, and series of polars, go by position beside an index.
    lambda: (labels(SPLIT, np.array(SAID[0]), SAID[1]), labels([*SPLIT], *SAID, id=[17, 4, 9])),
    lambda: (labels(SPLIT.set_axis([*"abc"]), SAID[0], pandas.Series(SAID[1])),
             labels([*SPLIT], *SAID, id=[*"abc"])),
    lambda: (scores(polars.Series([1, 2]), polars.Series([2, 5])), scores([1, 2], [2, 5])),
    lambda: (scores(UV[0], polars.Series([2, 5])), scores({"u": 1, "v": 2}, {"u": 2, "v": 5})),
    # Ids decide.
    lambda: (scores(*UV, id=["p", "q"]), scores(*PQ)),
    lambda: (scores(*UV, id=["p", "q"], cluster=pandas.Series(["k", "l"], index=["q", "p"])),
             scores(*PQ, cluster={"q": "k", "p": "l"})),
    lambda: (scores(*UV, id=["p", "q"], cluster=pandas.Series(["k", "l"], index=[8, 9])),
             scores(*PQ, cluster={"p": "k", "q": "l"})),
    lambda: (Comparison.from_responses(*TWO, cluster=pandas.Series([2, 1], index=["s2", "s1"])),
             Comparison.from_responses(*TWO, cluster={"s1": 1, "s2": 2})),
])  # fmt: skip
def test_the_same_in_two_ways(ways):
    same(*ways())


def test_decimal_scores_are_exact():
    found = scores([30.1, 25.0, 0.25], [29.9, 25.0, 0.5])
    assert found.sums("a") == {"score": Fraction("55.35"), "n": 3}
    assert found.sums("b")["score"] == Fraction("55.4")
    assert (found.columns, found.tau) == (("score", "n"), 0)
    assert found.scores("mean") == (55.35 / 3, pytest.approx(55.4 / 3))
    assert scores([2**60], [1]).sums("a") == {"score": 2**60, "n": 1}
    mixed = scores([1, 2, 3], [1.5, 2.5, 3])
    assert mixed.sums("b")["score"] == 7
    assert isinstance(mixed.sums("b")["n"], int)


def test_every_type_of_float_keeps_its_digits():
    for kind in (np.float32, np.float64, np.longdouble):
        found = scores(np.arange(30, dtype=kind) / 10, [1] * 30)  # 1 is 1 in any type
        assert (found.scale[0], found.tau) == (Fraction(1, 10), 0)
        assert found.sums("a") == {"score": Fraction(435, 10), "n": 30}
    half = np.array([0.1, 0.2], dtype=np.float16)
    found = scores(half, [0, 1])
    assert found.tau * found.scale[0] >= Fraction(float(np.spacing(half[1])))


def test_no_units_at_all():
    for found in (scores([], []), statistics([], [], COLUMNS)):
        assert found.identical
        assert found.units.n_total == 0
    assert scores({}, {}, cluster={}).unit == "cluster"


# ---- data frames, and an index that is not the default range ---------------------------------


@pytest.mark.parametrize("library", [pandas, polars])
def test_frames_give_their_columns_by_name(library):
    ids, topics = list(ROWS_A), ["u", "u", "v", "v"]
    a, b = (
        library.DataFrame(
            {"note": ["x"] * 4}
            | {c: [rows[i][k] for i in ids] for k, c in reversed(list(enumerate(COLUMNS)))}
        )
        for rows in (ROWS_A, ROWS_B)
    )
    expected = statistics(ROWS_A, ROWS_B, COLUMNS, cluster=dict(zip(ids, topics, strict=True)))
    same(
        statistics(a, b, COLUMNS, id=library.Series(ids), cluster=library.Series(topics)), expected
    )
    assert statistics(a, b, "tp").columns == ("tp",)
    same(scores(library.Series([0.5, 1.5, 2.5]), library.Series([1, 2, 3])),
         scores([0.5, 1.5, 2.5], [1, 2, 3]))  # fmt: skip
    assert Comparison.from_responses(library.Series(["x"]), ["x"], ["y"]).n_units == 2


@examples(200)
@given(
    st.lists(st.tuples(*[st.integers(0, 5)] * 2, st.integers(0, 2)), min_size=1, max_size=9),
    st.randoms(use_true_random=False),
    st.sampled_from(("text", "number", "pair")),
)
def test_any_order_of_an_index(rows, shuffle, kind):
    """Shuffled rows belong together by label; by position a p-value was 0.5 where it is 1."""
    ids = [{"text": f"q{i}", "number": 7 * i + 3, "pair": ("d", i)}[kind] for i in range(len(rows))]
    a, b, c = (dict(zip(ids, column, strict=True)) for column in zip(*rows, strict=True))

    def series(mapping):
        some = list(mapping)
        shuffle.shuffle(some)
        index = pandas.MultiIndex.from_tuples(some) if kind == "pair" else some
        return pandas.Series([mapping[i] for i in some], index=index)

    same(scores(series(a), series(b)), scores(a, b))
    same(scores(series(a), series(b), cluster=series(c)), scores(a, b, cluster=c))
    same(scores(a, b, cluster=series(c)), scores(a, b, cluster=c))
    same(labels(series(c), series(a), series(b), cluster=series(c)), labels(c, a, b, cluster=c))
    same(statistics(series(a).to_frame("x"), series(b).to_frame("x"), ["x"]),
         statistics(*({i: [v] for i, v in own.items()} for own in (a, b)), ["x"]))  # fmt: skip


# ---- several runs of each system ------------------------------------------------------------

TABLES = st.tuples(st.integers(1, 4), st.integers(5, 8)).flatmap(
    lambda shape: st.lists(
        st.lists(st.integers(0, 5), min_size=shape[1], max_size=shape[1]),
        min_size=2 * shape[0], max_size=2 * shape[0],
    )
)  # fmt: skip


def halves(table):
    both = np.array(table)
    return both[: len(both) // 2], both[len(both) // 2 :]


@given(TABLES, st.booleans(), st.integers(2, 4), st.randoms(use_true_random=False))
@examples(80)
def test_the_test_is_that_of_the_sums_over_runs(table, fractions, times, random):
    """In any order of runs; equal runs are one, so many times."""
    a, b = halves(table)
    divisor = 3 if fractions else 1
    with_runs = scores(a / divisor if fractions else a, b / divisor)
    rows = [np.stack([own.sum(axis=0), np.full(own.shape[1], len(own))], 1) for own in (a, b)]
    summed = statistics(*rows, ("score", "n"))
    plain, many = scores(a[0], b[0]), scores([a[0]] * times, [b[0]] * times)
    assert with_runs.scores("mean") == pytest.approx([own.mean() / divisor for own in (a, b)])
    for one, other in ((with_runs, summed), (plain, many)):
        assert one.n_units == other.n_units
        if one.n_units:
            p = [randomization_test(own, "mean", method="exact").pvalue for own in (one, other)]
            assert p[0] == p[1]
    assert scores(a[:1], b[:1]) == plain
    assert (scores(a[:1], b[:1]).runs.n, plain.runs) == (1, None)
    assert many.sums_a == tuple(times * total for total in plain.sums_a)
    order = [random.sample(range(len(a)), len(a)) for _ in "ab"]
    one, other = scores(a / 7.0, b / 7.0), scores(a[order[0]] / 7.0, b[order[1]] / 7.0)
    assert one == other
    np.testing.assert_array_equal(one.runs.a[order[0]], other.runs.a)


def test_scores_that_are_rounded_are_compared_whatever_the_order_of_runs():
    a, b = np.random.default_rng(5).normal(size=(2, 4, 30))
    b[:, ::3] = a[::-1, ::3]  # the same scores, in runs of other numbers
    one = scores(a, b)
    assert one == scores(a[[2, 0, 3, 1]], b)
    assert one.tau > 0
    assert (one.n_units, one.runs.n, one.sums("a")["n"]) == (20, 4, 120)
    assert float(one.scale[0] * int(one.runs.a[1, 7, 0])) == pytest.approx(a[1, 7], rel=1e-12)


def test_runs_are_kept_by_unit_and_by_cluster():
    rng = np.random.default_rng(1)
    tp = rng.integers(0, 3, (2, 3, 6))
    gold = np.broadcast_to(rng.integers(3, 6, 6), (2, 3, 6))
    a, b = np.stack([tp, tp + rng.integers(0, 4, tp.shape), gold], axis=-1)
    found = statistics(a, b, COLUMNS, id=[*"edcbaf"], cluster=list("xyxyzz"))
    units = found.at("unit")
    np.testing.assert_array_equal(units.runs.a, a[:, [4, 3, 2, 1, 0, 5]])
    np.testing.assert_array_equal(units.runs.a.sum(axis=0), units.rows().a)
    assert found.runs.b.shape == (3, 3, 3)
    np.testing.assert_array_equal(found.runs.b.sum(axis=0), found.rows().b)
    np.testing.assert_array_equal(found.runs.b[:, 0], b[:, [0, 2]].sum(axis=1))
    for system, rows, recall in zip("ab", (a, b), found.scores("recall"), strict=True):
        total = rows.sum(axis=(0, 1)).tolist()
        assert found.sums(system)["tp"] == total[0]
        assert Fraction(total[0], total[2]) == pytest.approx(recall)


def test_runs_by_name_are_matched_by_name_and_unit():
    a = {"s1": {"x": 1, "y": 0}, "s2": {"y": 1, "x": 0}}
    b = {"s2": {"x": 0, "y": 0}, "s1": {"y": 1, "x": 1}}
    found = scores(a, b)
    assert found.runs.names == ("s1", "s2")
    assert found.runs.a[:, :, 0].tolist() == [[1, 0], [0, 1]]
    assert found.runs.b[:, :, 0].tolist() == [[1, 1], [0, 0]]
    arrays = [[1, 0], [0, 1]], [[1, 1], [0, 0]]
    assert scores(*arrays, id=["x", "y"], runs=["s1", "s2"]) == found
    rows = {"1": {"x": [1, 2, 2]}, "2": {"x": [0, 1, 2]}}
    assert statistics(rows, rows, COLUMNS).sums_a == (1, 3, 4)
    mixed = {"1": {"x": 1, "y": 0}, "2": {"x": 0.5, "y": 0.25}}
    zeros = {run: dict.fromkeys("xy", 0) for run in "12"}
    assert scores(mixed, zeros).sums("a") == {"score": Fraction(7, 4), "n": 4}


@pytest.mark.parametrize(
    ("columns", "a", "b", "found"),
    [
        (("score", "n"), [[7, 1], [0, 1]], None, ("mean", [7, 0])),
        (("correct", "items"), [[1, 1], [0, 1]], None, ("accuracy", [1, 0])),
        (("items", "errors"), [[1, 4], [1, 0]], None, ("error_rate", [4, 0])),
        (("tp", "predicted", "gold"), [[1, 5, 1], [0, 2, 1], [0, 9, 0]], None, ("recall", [1, 0])),
        (("tp", "fp", "fn"), [[1, 0, 0], [0, 3, 1], [0, 1, 0]], None, ("recall", [1, 0])),
        # Several items a unit, another gold, words that are no items.
        (("score", "n"), [[7, 2]], [[1, 2]], None),
        (("tp", "gold"), [[1, 2]], [[1, 2]], None),
        (("tp", "fn"), [[1, 0]], [[0, 0]], None),
        (("errors", "words"), [[1, 1]], [[1, 1]], None),
        (("x",), [[1]], [[1]], None),
    ],
)
def test_results_of_one_item_a_unit(columns, a, b, found):
    own = results_of(columns, np.array(a), np.array(b or a))
    assert (own and (own.metric, own.a.tolist(), own.b.tolist())) == (found and (*found, found[1]))


# ---- units, their names, what is shown -------------------------------------------------------


def by_sentence(**options):
    """Three responses of two sentences in one document, all of one system only."""
    return Comparison.from_responses(
        {"s1": [(0, 1, "LOC")], "s2": [(4, 6, "PER")]},
        {"s1": [(0, 1, "PER")], "s2": [(4, 6, "PER")]},
        {"s1": [(0, 1, "LOC")], "s2": []},
        **options,
    )


def test_the_largest_unit_that_is_known_is_the_default():
    responses = Comparison.from_responses
    assert responses({"x"}, {"x"}, set()).unit == "response"
    assert responses({"x"}, {"x"}, set(), conflict=len).unit == "conflict"
    assert by_sentence().unit == by_sentence(conflict=spans).unit == "key"
    # Also where it leaves one unit, so that nothing could be significant.
    found = by_sentence(cluster={"s1": "d", "s2": "d"})
    assert (found.unit, found.n_units) == ("cluster", 1)
    assert scores([1, 0], [0, 1]).unit == "unit"
    assert scores([1, 0], [0, 0], cluster=["x", "x"]).unit == "cluster"


def test_units_have_the_names_they_are_given():
    called = {"key_name": "sentence", "cluster_name": "document", "conflict": spans}
    found = by_sentence(cluster={"s1": "d", "s2": "e"}, **called)
    assert found.unit == "document"
    assert found.levels == ("response", "conflict", "sentence", "document")
    for level, name in zip(LEVELS, found.levels, strict=True):
        assert found.at(level) == found.at(name)
        assert found.at(level).unit == name
        assert by_sentence(cluster={"s1": "d", "s2": "e"}, unit=name, **called) == found.at(name)
    assert by_sentence(unit="text", key_name="text", conflict=spans).unit == "text"
    assert by_sentence(key_name="key", cluster_name="story").unit == "key"
    table = statistics([[1], [2]], [[1], [3]], ["n"], cluster=["x", "x"], unit_name="essay",
                       cluster_name="author")  # fmt: skip
    assert table.levels == ("essay", "author")
    assert table.at("unit").unit == "essay"
    assert table.at("author") == table.at("cluster")


def test_three_lines_of_responses_units_and_runs():
    gold = {"s1": [(0, 2, "PER"), (5, 6, "LOC")], "s2": [(3, 4, "PER"), (7, 9, "LOC")]}
    a = {"s1": [(0, 2, "PER"), (5, 6, "LOC")], "s2": [(3, 4, "PER")]}
    b = {"s1": [(0, 1, "PER"), (5, 6, "ORG")], "s2": [(3, 4, "PER"), (7, 9, "LOC")]}
    by_key = Comparison.from_responses(gold, a, b, conflict=spans, names=("new", "base"))
    assert repr(by_key).splitlines() == [
        "<Comparison new / base: tp 3 / 2, predicted 3 / 4, gold 4",
        " swaps keys: 2 of 2 differ",
        " with ids, other units: responses, conflict groups>",
    ]
    assert repr(by_key.at("response")).splitlines()[1:] == [
        " swaps responses: 5 only one system has",
        " other units: conflict groups, keys>",
    ]
    runs = scores([[1, 0.5, 0]] * 2, [[0, 0.5, 1]] * 2)
    assert repr(runs).splitlines() == [
        "<Comparison A / B: score 3, n 6",
        " swaps items: 2 of 3 differ",
        " without ids, no other unit known, 2 runs of each system>",
    ]


def test_many_columns_and_long_names_stay_within_the_lines():
    columns = [f"count_{i}" for i in range(9)]
    wide = statistics([[1] * 9], [[0] * 9], columns, names=("a\n" * 100, "\x1b[31mb"))
    lines = repr(wide).split("\n")
    assert len(lines) == 3
    assert all(line.isprintable() and len(line) <= WIDTH for line in lines)
    assert "count_4 1 / 0, ...\n" in repr(statistics([[1] * 9], [[0] * 9], columns))
    name = "a" * (WIDTH - 25)  # a line that is just full
    full = repr(statistics([[1]], [[0]], ["n"], names=(name, "B")))
    assert full.startswith(f"<Comparison {name} / B: n 1 / 0\n")


# ---- classes of equal units -----------------------------------------------------------------


@pytest.mark.parametrize("columns", [0, 1, NARROW, NARROW + 1])
def test_rows_and_columns_that_differ(columns):
    """However many columns there are, by numpy's own reduction."""
    table = np.random.default_rng(columns).integers(-3, 3, (200, columns)) ** 5 // 200
    table[:, columns // 2 :] *= np.random.default_rng(1).random((200, 1)) < 0.2
    table[:, columns - 1 :] = 0
    found = units_that_differ(table)
    assert found.differences.tolist() == table[table.any(axis=1)].tolist()
    assert found.moving == np.flatnonzero(table.any(axis=0)).tolist()
    assert found.n_total == 200


NUMBERS = st.integers(-2, 2) | st.sampled_from([2**40, -(2**40), 2**58, -(2**58)])


@given(
    st.integers(1, 3).flatmap(lambda k: st.lists(st.tuples(*[NUMBERS] * k), max_size=7)),
    st.randoms(use_true_random=False),
)
def test_one_class_for_equal_and_opposite_units_in_any_order(differences, random):
    """Of any size: where a row does not fit one number, too."""
    columns = len(differences[0]) if differences else 2
    expected = Counter(max(row, tuple(-x for x in row)) for row in differences if any(row))
    mixed = [row if random.random() < 0.5 else tuple(-x for x in row) for row in differences]
    for own in (differences, random.sample(mixed, len(mixed))):
        classes = Classes.of(np.array(own, dtype=np.int64).reshape(-1, columns))
        assert [tuple(step) for step in classes.steps.tolist()] == sorted(expected)
        assert classes.sizes.tolist() == [expected[step] for step in sorted(expected)]
        # What is turned round takes its difference where it is not counted.
        turned = [row for row in own if row < tuple(-x for x in row)]
        assert classes.start.tolist() == [sum(row[c] for row in turned) for c in range(columns)]
        assert classes.n_units == sum(expected.values())
        assert classes.outcomes == math.prod(m + 1 for m in expected.values())
        order = np.argsort(-classes.sizes, kind="stable")
        again = classes.in_order(order)
        assert again.sizes.tolist() == sorted(expected.values(), reverse=True)
        assert again.steps.tolist() == classes.steps[order].tolist()
