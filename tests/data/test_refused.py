"""What data are refused, and the one line that says why: one table a way to give them."""

import decimal
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas
import polars
import pytest
from brute import PAPER

from csig import Comparison, InputError
from csig.data.several import dataset_table, several
from csig.metrics import Span, spans

NAN, INF, NAT = float("nan"), float("inf"), np.datetime64("NaT")
scores, statistics, labels = (
    Comparison.from_scores, Comparison.from_statistics, Comparison.from_labels,
)  # fmt: skip
COLUMNS = ("tp", "predicted", "gold")
LARGE = r"numbers of 2\^61 or more"


def check(call, message):
    with pytest.raises(InputError, match=message) as caught:
        call()
    assert "\n" not in str(caught.value)


ONE = pandas.Series([1, 0])


# ---- scores ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"a": [1.5, NAN]}, "a: unit 1: expected a finite number, found nan"),
        ({"b": [-INF, 1]}, "b: unit 0: expected a finite number, found -inf"),
        ({"a": {"x": 1.5, "y": None}, "b": {"x": 1, "y": 2}}, "a: unit 'y': expected a number"),
        ({"a": ["x", "y"]}, "a: expected numbers, found <U1"),
        ({"a": [1, "y", None]}, "a: unit 1: expected a number, found 'y'"),
        ({"a": [[1, 2], [3, 4]]}, r"a has shape \(2, 2\), a leading axis of runs"),
        ({"a": 3.5}, r"a: expected one number per unit, found shape \(\)"),
        ({"a": [1.5]}, "a has 1 units, b has 2"),
        ({"a": [1.5, 2], "b": [2**53, 1]}, r"b: integers of 2\^53 or more cannot be combined with"),
        ({"a": [2**62, 1]}, f"a: {LARGE}"),
        ({"a": [2**60, 2**60], "b": [0, 0]}, r"the sums of the statistics reach 2\^61"),
        ({"a": [Decimal("NaN"), 1]}, "a: unit 0: expected a finite number, found nan"),
        ({"a": [1e300, -1.5]}, "a: numbers of 1e300 or more cannot be summed safely"),
        ({"a": {1.0, 2.0}}, "a: expected one row per unit, found set"),
        *(
            ({"names": names}, "names must be a pair of names")
            for names in ("AB", ["A"], ["A", "B", "C"], None, {"A", "B"})
        ),
        # runs
        ({"a": np.ones((2, 3)), "b": np.ones(3)}, r"a has shape \(2, 3\), a leading axis of runs"),
        ({"a": np.ones((2, 4)), "b": np.ones((3, 4))}, "a has 2 runs, b has 3; both need the same"),
        ({"a": np.ones((2, 4)), "b": np.ones((2, 5))}, "a has 4 units, b has 5"),
        ({"a": np.ones((0, 4)), "b": np.ones((0, 4))}, "a: found no runs"),
        ({"a": np.ones((5, 1)), "b": np.ones((5, 1))}, r"\(5, 1\) has 5 runs of 1 units, and"),
        ({"a": np.ones((3, 3)), "b": np.ones((3, 3))}, r"give id= .* or runs="),
        ({"a": [[1, 2, 3], [1, 2]], "b": [[1, 2, 3]] * 2}, "a: the runs have different numbers of"),
        ({"a": [[1, 0, 1], [1, NAN, 0]], "b": [[1, 2, 3]] * 2}, "a, run '2': unit 1: expected a"),
        ({"runs": "12"}, "runs: a and b have none"),
        ({"a": {"x": [1, 2]}, "b": {"x": [1, 2]}}, "a: 'x' has several numbers, which may be runs"),
        ({"a": {"1": {"x": 1}}, "b": {"x": 1}}, r"a is {run: {id: row}} and b has no runs"),
        ({"a": {"1": {"x": 1}, "2": 3}, "b": {"1": {"x": 1}}}, "a: run '2' is not {id: row}"),
        ({"a": {"1": {"x": 1}}, "b": {"1": {"x": 1}}, "runs": ["1"]}, "are the runs already"),
        ({"a": {"1": {"x": 1}}, "b": {"2": {"x": 1}}}, "b: no run '1'; both systems need runs of"),
        ({"a": {"1": {"x": 1}, "2": {"x": 1}}, "b": {"1": {"x": 1}}},
         "a has 2 runs, b has 1; both need the same number"),
        ({"a": {"1": {"x": 1, "y": 1}, "2": {"x": 1}}, "b": {"1": {}, "2": {}}},
         "a: run '2' has no unit 'y'; every run needs every unit"),
        ({"a": {"1": {"x": 1}, "2": {"x": 1, "y": 1}}, "b": {"1": {}, "2": {}}},
         "a: run '1' has no unit 'y'"),
        ({"a": {"1": {"x": 1}}, "b": {"1": {"y": 1}}},
         "b: no unit 'x'; both systems need the same"),
        ({"a": {"1": {"x": 2**53}, "2": {"x": 0.5}}, "b": {"1": {"x": 1}, "2": {"x": 1}}},
         r"integers of 2\^53 or more cannot be combined"),
        ({"a": [pandas.Series([1, 0, 1], index=[*"xyz"])] * 2},
         "a: found a list of series or frames; for runs give"),
        ({"a": {"1": ONE}, "b": {"1": ONE}}, "has several numbers"),
    ],
)  # fmt: skip
def test_scores(given, message):
    check(lambda: scores(**({"a": [1, 2], "b": [2, 2]} | given)), message)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"runs": "12"}, "runs must be a sequence of"),
        ({"runs": ["1"]}, "runs: 1 names for 2 runs"),
        ({"runs": ["1", 1]}, "given more than once: '1'"),
        ({"id": ["x", "y"]}, "id: 2 labels for 3"),
    ],
)
def test_names_of_runs_and_their_units(given, message):
    check(lambda: scores([[1, 2, 3]] * 2, [[1, 2, 3]] * 2, **given), message)


@pytest.mark.parametrize("library", [pandas, polars])
def test_missing_values_of_columns(library):
    some, frame = library.Series(["x", None, "y"]), library.DataFrame({"x": [1, None, 3]})
    number = "a: unit 1: expected a (finite )?number, found"
    check(lambda: scores(library.Series([0.5, None, 2.5]), [1, 2, 3]), number)
    check(lambda: scores([1, 2, 3], [1, 2, 3], id=some), r"id\[1\]: (None|nan) is not a label")
    check(lambda: statistics(frame, frame, ["x"]), "a: unit 1, column 'x': expected an .*found nan")
    response = r"a, response 1: (None|nan) is not a (response|fin)"
    check(lambda: Comparison.from_responses(["x"], some, ["y"]), response)
    frames = "gold: found a DataFrame, expected responses; give its"
    check(lambda: Comparison.from_responses(frame, frame, frame), frames)


# ---- statistics -----------------------------------------------------------------------------

ROWS_A = {"d10": [3, 4, 5], "d9": [2, 2, 2], "é": [0, 1, 1], "d1": [4, 4, 6]}
ROWS_B = {"é": [1, 1, 1], "d1": [3, 5, 6], "d9": [2, 2, 2], "d10": [2, 4, 5]}
MISSING = pandas.DataFrame({"x": pandas.array([1, None], dtype="Int64")})
RUNS = np.ones((2, 3, 3), int)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"cluster": ["u"] * 4}, "cluster must be {id: label}, as a and b are {id: row}"),
        ({"cluster": dict.fromkeys("xyz", "u")}, "cluster: no label for unit 'd1', 'd10'"),
        ({"a": {**ROWS_A, None: [1, 1, 1]}}, "b: no unit None"),
        ({"a": ROWS_A | {"d9": [2, None, 2]}}, "a: unit 'd9', column 'predicted': expected an int"),
        ({"a": ROWS_A | {"d9": [2, 2.5, 2]}}, "a: unit 'd9', column 'predicted': .* found 2.5"),
        ({"a": ROWS_A | {"d9": [2, 2**70, 2]}}, f"a: {LARGE}"),
        ({"a": ROWS_A | {"d9": [2, 2]}}, "a: the rows have different lengths"),
        ({"a": {"tp": [1], "predicted": [2], "gold": [3]}}, "keys are the names of the columns"),
        ({"a": {"x": [[1, 2, 2], [1, 2, 2]]}, "b": {"x": [[1, 2, 2], [1, 2, 2]]}},
         "a: found several rows per unit; runs of a system are"),
        ({"a": RUNS * [2, 1, 3], "b": RUNS}, "a, run '1': unit 0: tp is 2, more than predicted"),
        ({"a": np.ones((2, 3, 2), int), "b": RUNS}, r"a, run '1': expected \(units, 3\)"),
        ({"a": RUNS * [0, 1, 2], "b": RUNS}, "gold is 2 for a and 1 for b"),
    ],
)  # fmt: skip
def test_rows(given, message):
    check(lambda: statistics(**({"a": ROWS_A, "b": ROWS_B, "columns": COLUMNS} | given)), message)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ({1, 2}, "a: expected one row per unit, found set"),
        ("12", "a: expected one row per unit, found str"),
        (np.ma.masked_array([1, 2], mask=[0, 1]), "a: some of its values are masked"),
        (5, r"a: expected \(units, 1\) for columns 'x', found shape \(\)"),
        ([[1], ["x"]], "a: expected numbers, found <U"),
        (np.array([1j, 2]), "a: expected numbers, found complex128"),
        ([decimal.Decimal("1.5"), 2], "a: unit 0, column 'x': expected an integer, found Dec"),
        ([decimal.Decimal("NaN"), 2], "expected an integer, found Decimal"),
        ([Fraction(1, 2), 2], "expected an integer, found Fraction"),
        (np.array(["2020", "2021"], "M8[Y]"), "a: expected numbers, found datetime64"),
        (MISSING, r"a: unit 1, column 'x': expected an integer, found (<NA>|nan)"),
        (np.full((3, 4, 1), 2**58), "the sums of the statistics reach 2"),
    ],
)
def test_values_of_one_column(rows, message):
    other = rows // 2 if isinstance(rows, np.ndarray) and rows.ndim == 3 else [1, 2]
    check(lambda: statistics(rows, other, ["x"]), message)


@pytest.mark.parametrize(
    ("rows", "columns", "message"),
    [
        ([[5, 3, 9]], COLUMNS, "a: unit 'u': tp is 5, more than predicted, 3; are the columns in"),
        ([[5, 9, 3]], COLUMNS, "a: unit 'u': tp is 5, more than gold, 3; are the columns in the"),
        ([[3, 5]], ("gold", "tp"), "a: unit 'u': tp is 5, more than gold, 3"),
        ([[2, 1]], ("correct", "items"), "a: unit 'u': correct is 2, more than items, 1"),
        ([[-1, 0]], ("fn", "x"), "a: unit 'u': fn must not be negative, found -1"),
        ([[1]], None, "columns must be names, found None"),
        ([[1]], 3, "^columns must be names, found 3$"),
        ([[1]], [["x"]], r"columns\[0\]: expected a name, found \['x'\]"),
        ([[1, 2]], ["x", 1], r"^columns\[1\]: expected a name, found 1$"),
        ([[]], [], "^columns: each needs a name of its own$"),
        ([[1, 1]], ["tp", "tp"], "^columns: each needs a name of its own$"),
    ],
)
def test_columns(rows, columns, message):
    check(lambda: statistics(rows, rows, columns, id=["u"]), message)


def test_the_gold_of_both():
    message = "^unit 'q': gold is 2 for a and 0 for b, but both were"
    a, b = [[1, 5], [2, 6]], [[1, 5], [0, 7]]
    check(lambda: statistics(a, b, ("gold", "x"), id=["p", "q"]), message)
    assert statistics(a, b, ("x", "y")).n_units == 1
    assert statistics([[-1, -1]], [[-3, -2]], ("some", "other")).n_units == 1  # nobody knows these


@pytest.mark.parametrize(
    ("ids", "message"),
    [
        ([1, "1"], "id: 1 and '1' have the same text, by which units are ordered"),
        ([1, 1], "id: given more than once: 1"),
        ([("d", 1), "d\t1"], "have the same text"),
        ([None, 1], r"id\[0\]: None is not a label"),
        ([1, np.float64("nan")], r"id\[1\]: .*nan.* is not a label"),
        ([1, NAT], "is not a label"),
        ([[1], [2]], r"id\[0\]: list is not hashable"),
        (np.array(5), "id must be a sequence of labels, found 5"),
        ([object(), 1], "cannot be ordered: its text is its address in memory"),
        (MISSING["x"], r"id\[1\]: (<NA>|nan) is not a label"),
        (MISSING, "id must be a sequence of labels, found DataFrame"),
    ],
)
def test_ids(ids, message):
    check(lambda: statistics([[1], [2]], [[2], [2]], ["x"], id=ids), message)


# ---- an index of pandas ---------------------------------------------------------------------


def series(labels, start=1):
    return pandas.Series(range(start, start + len(labels)), index=labels)


WAY_OUT = r"give id=, or drop the index with reset_index\(drop=True\)"
UV, VU = series(["u", "v"]), series(["v", "u"])
OTHER_NUMBERS = "other numbers: .* by label or by position"
DOUBLED = "its index has labels more than once"
ANOTHER_ORDER = "numbers .* in another order: do .* by label or by position"


@pytest.mark.parametrize(
    ("rows", "clusters", "message"),
    [
        ((UV, series(["u", "w"])), None, f"b: no row labelled 'v', as a has .*; {WAY_OUT}"),
        ((series(["u"]), series(["u", "w"])), None, "a: no row labelled 'w', as b has"),
        ((series(["u", "u"]), series(["u", "u"])), None, f"a: {DOUBLED}: 'u'; {WAY_OUT}"),
        ((UV, UV), series(["v"]), "cluster: no label for unit 'u'"),
        ((UV, UV), series(["v", "v"]), f"cluster: {DOUBLED}: 'v'"),
        ((UV, VU), [1, 2], "cluster has no index, and a and b have theirs in"),
        ((series([1, 0]), series([0, 1])), None, "b has the default index, and a the same numb"),
        ((series([1, 2]), series([0, 1])), None, f"b has the default index, and a {OTHER_NUMBERS}"),
        ((series([0, 1]), series([1, 2])), None, f"a has the default index, and b {OTHER_NUMBERS}"),
        ((series([0.0, 2.0]), series([0, 1])), None, f"b has the default .* a {OTHER_NUMBERS}"),
        ((series([1, 2]), [3, 4]), series([0, 1]), f"cluster has the default .* {OTHER_NUMBERS}"),
        ((series([0, 1]), [3, 4]), series([1, 2]), f"a has .* cluster {OTHER_NUMBERS}"),
        ((UV, UV), pandas.DataFrame({"c": [1, 2]}, index=["v", "u"]), "cluster must be a seq"),
        (([1, 2], [3, 4]), series([1, 0]), f"cluster: its index has the {ANOTHER_ORDER}"),
        ((series(["u", None]), series(["u", None])), None, r"id\[1\]: (None|nan) is not a label"),
        # Answers without a score are no shift: a has none for its first item, b for its last.
        ((series(range(1, 6)), series(range(5))), None, f"b has the default .* a {OTHER_NUMBERS}"),
        ((MISSING["x"], [1, 2]), None, "a: unit 1: expected a (finite )?number, found (<NA>|nan)"),
    ],
)
def test_what_an_index_leaves_open(rows, clusters, message):
    check(lambda: scores(*rows, cluster=clusters), message)


# ---- labels ---------------------------------------------------------------------------------

MANY = [f"l{k}" for k in range(8000)]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((["x"], ["x", "y"], ["x"]), "a: 2 labels for 1 units"),
        ((["x"], {"i": "x"}, ["x"]), "give all three as sequences, or all as {id: label}"),
        (({"i": "x"}, {"j": "x"}, {"i": "x"}), "a: no label for item 'i'"),
        (({"i": "x"}, {"i": "x"}, {"i": "x", "j": "x"}), "b: items that gold does not have: 'j'"),
        ((["x"], ["x"], [None]), r"b\[0\]: None is not a label"),
        ((["x", 1], ["x", "1"], ["x", 1]), "1 and '1' have the same text"),
        (("xy", ["x", "y"], ["x", "y"]), "gold must be a sequence of labels, found str"),
        ((5, ["x"], ["x"]), "gold must be a sequence of labels, found int"),
        ((MANY, MANY, MANY), "8000 different labels on 8000 items: too many"),
        ((UV, VU, [1, 2]), "b has no index, and gold and a have theirs in different"),
        ((UV, VU, series(["u", "w"])), "b: no row labelled 'v', as gold has"),
    ],
)
def test_labels(arguments, message):
    check(lambda: labels(*arguments), message)


def test_nobody_has_the_positive_label():
    check(lambda: labels(["x"], ["x"], ["y"], positive="z"), "no item has the positive label 'z'")


# ---- responses and their counts -------------------------------------------------------------


@pytest.mark.parametrize(
    ("gold", "a", "b", "message"),
    [
        (["x"], ["x", "y", "x", "y"], [], "a: responses given more than once: 'x', 'y'"),
        (["x", "x"], [], [], "gold: responses given more than once: 'x'"),
        ("xyz", [], [], "gold must be an iterable of responses"),
        (["x"], np.array(3), [], "a must be an iterable of responses or {key: responses}, found"),
        (["x"], 5, [], "a must be an iterable of responses or {key: responses}, found int"),
        (["x"], [], [["x"]], "b, response 0: list is not hashable"),
        (["x"], [NAN], [], "a, response 0: nan is not a finite number"),
        (["x"], [], [("d", INF)], "is not a finite number"),
        (["x"], [], [("d", ("e", np.float32("nan")))], "is not a finite number"),
        (["x"], [Decimal("NaN")], [], "is not a finite number"),
        (["x"], [("d", NAT)], [], "is not a finite number"),
        (["x"], [None], [], "a, response 0: None is not a response"),
        ([Span("d", 2, 2, "X")], [], [], "gold, response 0: a span needs integers start < end"),
        ([], [Span("d", "0", 2, "X")], [], "a, response 0: a span needs integers start < end"),
        ([], [Span("d", 0, 2, "X")], ["x"], "some responses are spans and some are not"),
        ([], [Span("d", 0, 2**70, "X")], [], "does not fit 64 bits"),
        ({"d": ["x"]}, ["x"], [], "gold is {key: responses}, a and b is not"),
        ({"d": ["x"]}, {}, {"d": []}, "a: keys missing: 'd'; give an empty list"),
        ({"d": []}, {"d": []}, {"d": [], "e": []}, "b: keys that are not in gold: 'e'"),
        ({"d": []}, {"d": ["x", "x"]}, {"d": []}, r"a\['d'\]: responses given more than once"),
    ],
)
def test_responses(gold, a, b, message):
    check(lambda: Comparison.from_responses(gold, a, b), message)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"unit": "sentence"}, "unit must be one of 'response', 'conflict', 'key', 'cluster', f"),
        ({"unit": ["key"]}, r"unit must be one of .*, found \['key'\]"),
        ({"unit": "conflict"}, "unit 'conflict' needs conflict=, a function from a response to"),
        ({"unit": "cluster"}, "unit 'cluster' needs cluster={key: label}"),
        ({"conflict": "spans"}, "conflict must be a function from a response to its place, found"),
        ({"conflict": spans}, r"conflict, response 'x|y': expected a span \(start, end"),
        ({"conflict": lambda r: [r]}, "its place is a list, which is not hashable"),
        ({"conflict": lambda r: None}, "found None, expected a place"),
        ({"conflict": lambda r: NAN}, "nan is not a place"),
        ({"conflict": lambda r: 1 / 0}, "response 'x|y': ZeroDivisionError: division by zero"),
        ({"conflict": lambda r: r[5]}, "response 'x|y': IndexError: string index out of range"),
        ({"cluster": ["u"]}, "cluster must be {key: label}, found list"),
        ({"cluster": {}}, "cluster: no label for key 'd'"),
        ({"cluster": {"d": 1, "e": 2}}, "cluster: labels for keys that do not exist: 'e'"),
        ({"cluster": {"d": ["u"]}}, r"cluster\[0\]: list is not hashable"),
        ({"cluster": {"d": None}}, r"cluster\[0\]: None is not a label"),
        ({"key_name": ""}, "key_name must be a name, found ''"),
        ({"key_name": " "}, "key_name must be a name, found ' '"),
        ({"key_name": 3}, "key_name must be a name, found 3"),
        ({"key_name": "response"}, "key_name: 'response' is the name of another unit"),
        ({"key_name": "cluster"}, "key_name: 'cluster' is the name of another unit"),
        ({"cluster_name": "unit"}, "cluster_name: 'unit' is the name of another unit"),
        ({"key_name": "x", "cluster_name": "x"}, "key_name and cluster_name must differ"),
        ({"unit": "story", "cluster_name": "story"}, "unit 'story' needs cluster={key: label}"),
    ],
)
def test_units_of_responses(given, message):
    check(lambda: Comparison.from_responses({"d": ["x"]}, {"d": ["x"]}, {"d": ["y"]}, **given),
          message)  # fmt: skip


def test_names_of_units_of_statistics():
    for name, message in ((3, "must be a name, found 3"), ("response", ".*another unit")):
        check(
            lambda name=name: statistics([1], [2], ["x"], unit_name=name), f"unit_name:? {message}"
        )


@pytest.mark.parametrize(
    ("gold", "unit", "clusters", "message"),
    [
        (["x"], "key", None, "unit 'key' needs gold, a and b as {key: responses}"),
        (["x"], "cluster", {"x": 1}, "cluster needs gold, a and b as {key: responses}"),
        ({NAN: ["x"]}, "key", None, "gold: nan is not a key"),
        ({None: ["x"]}, "key", None, "gold: None is not a key"),
        ({1: ["x"], "1": []}, "key", None, "keys: 1 and '1' have the same text"),
        ({1: ["x"], 2: []}, "cluster", {1: 1, 2: "1"}, "cluster: 1 and '1' have the same text"),
        ({1: ["x"], 2: []}, "cluster", {1: 1}, "cluster: no label for key 2"),
    ],
)
def test_keys(gold, unit, clusters, message):
    other = {k: [] for k in gold} if isinstance(gold, dict) else []
    check(lambda: Comparison.from_responses(gold, gold, other, unit=unit, cluster=clusters),
          message)  # fmt: skip


def test_responses_without_a_text_of_their_own():
    class Thing:
        pass

    class Same(Thing):
        def __str__(self):
            return "same"

    for kind, message in (
        (Thing, "cannot be ordered: its text is its address in memory"),
        (Same, "have the same text, by which conflict groups are"),
    ):
        things = [kind(), kind()]
        made = Comparison.from_responses(
            things, things[:1], things[1:], conflict=id, unit="response"
        )
        check(lambda made=made: made.at("conflict"), message)


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
def test_spans(response, message):
    check(lambda: spans(response), message)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"only_a_correct": -1}, "only_a_correct must not be negative, found -1"),
        ({"both_spurious": 1.5}, "both_spurious must be an integer, found 1.5"),
        ({"gold": "103"}, "gold must be an integer, found '103'"),
        ({"gold": True}, "gold must be an integer, found True"),
        ({"gold": np.array([1, 2])}, "gold must be an integer, found array"),
        ({"gold": NAN}, "gold must be an integer, found nan"),
        ({"gold": 10**50}, r"at most 2\^60 is possible"),
        ({"names": ("A",)}, r"names must be a pair of names, found \('A',\)"),
        ({"names": "AB"}, "names must be a pair of names, found 'AB'"),
        ({"gold": 52}, "gold is 52, but the systems found 53 different correct responses"),
        ({"only_a_spurious": -1}, "only_a_spurious must not be negative, found -1"),
        ({"only_a_spurious": 2**31}, "unique spurious responses; at most"),
    ],
)
def test_counts(change, message):
    check(lambda: Comparison.from_counts(**(PAPER | change)), message)


# ---- what a comparison does not have ---------------------------------------------------------

FOUND = Comparison.from_responses({"d": ["x"]}, {"d": ["x"]}, {"d": ["y"]}, conflict=lambda r: 1)
COUNTED = Comparison.from_counts(**PAPER)
PART = Comparison.from_responses([], [(0, 1, "P"), (2, 3, "P")], [], conflict=spans).part_of(
    Comparison.from_responses(
        [(0, 4, "LOC")], [(0, 1, "P"), (2, 3, "P")], [(0, 4, "LOC")], conflict=spans
    )
)


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda: FOUND.at("cluster"), "no unit 'cluster'; available: 'response', 'conflict',"),
        (lambda: FOUND.at(["key"]), r"no unit \['key'\]; available"),
        (lambda: COUNTED.at("key"), "no unit 'key'; available: 'response'"),
        (lambda: COUNTED.at("unit"), "no unit 'unit'; available: 'response'"),
        (lambda: scores([1], [0], cluster=["x"]).at("response"), "no unit 'response'; available"
         ": 'unit', 'cluster'"),
        *((lambda own=own: scores([1], [0]).sums(own), "system must be 'a' or 'b'")
          for own in ("A", "gold", None)),
        (PART.rows, "those of a larger comparison"),
        (Comparison.from_counts(gold=2**50, only_a_correct=1, only_b_correct=1).rows,
         "use a larger unit"),
    ],
)  # fmt: skip
def test_what_there_is_not(ask, message):
    check(ask, message)


# ---- many systems, and tables of data sets --------------------------------------------------


@pytest.mark.parametrize(
    ("systems", "message"),
    [
        ([[1], [2]], "systems must be a mapping"),
        ({"a\nb": [1], "b": [1, 2]}, r"b has 2 items, a\\nb has 1"),
        ({"a": [1]}, "found 1 system, expected two or more"),
        ({"a": [1], "b": 3}, "b: expected one score per unit, found 3"),
        ({"a": [1], "b": "x"}, "b: expected one score per unit, found 'x'"),
        ({"a": [1], "b": [1, 2]}, "b has 2 items, a has 1"),
        ({"a": [1.0, NAN], "b": [1, 2]}, "unit 1: expected a finite number"),
        ({"a": [1, 2], "b": [1, None]}, "unit 1"),
        ({"a": {"x": 1}, "b": {"x": 1, "y": 2}}, "b: has 1 id that a lacks: 'y'"),
        ({"a": {"x": 1, "y": 2}, "b": {"x": 1}}, "b: lacks 1 id that a has: 'y'"),
        ({"a": {"x": 1}, "b": [1]}, "b: found no {id: score}"),
        ({"a": [], "b": []}, "found no units"),
        ({1: [1], "1": [2]}, "names with the same text"),
        ({"a": np.ones((2, 2)), "b": np.ones((2, 2))}, "a: expected one number per unit"),
        (pandas.DataFrame([[1, 2]], columns=["a", "a"]), "two of them have the same name"),
        (pandas.DataFrame({"id": ["x", "y"], "a": [1, 2]}), "id: unit 0: expected a number"),
    ],
)
def test_systems(systems, message):
    check(lambda: several(systems), message)


@pytest.mark.parametrize(
    ("systems", "given", "message"),
    [
        ({"a": [1], "b": [2]}, {"clusters": {"x": 1}}, "the units have no ids"),
        ({"a": {"x": 1}, "b": {"x": 2}}, {"ids": ["x"]}, "ids already"),
        ({"a": [1, 2], "b": [2, 2]}, {"ids": ["x", "x"]}, "more than once"),
    ],
)
def test_ids_of_systems(systems, given, message):
    check(lambda: several(systems, **given), message)


@pytest.mark.parametrize(
    ("table", "datasets", "message"),
    [
        ([1, 2], None, "table must be {system: one score per data set} or a data frame"),
        (np.eye(2), None, "found ndarray; give {name: column} of it"),
        ({"a": [1, 2]}, None, "found 1 system, expected two or more"),
        ({"a": [1, 2], "b": 3}, None, "b: expected one score per data set, found 3"),
        ({"a": [1, 2], "b": "12"}, None, "b: expected one score per data set, found '12'"),
        ({1: [1, 2], "1": [1, 2]}, None, "two of them have names with the same text"),
        ({"a": [1, 2], "b": [1]}, None, "b has 1 score, a has 2"),
        ({"a": [1, 2], "b": [1, None]}, None, "b: unit 1: expected a number, found None"),
        ({"a": [1, 2], "b": [1, NAN]}, list("xy"), "b: unit 'y': expected a finite number"),
        ({"a": [1], "b": [2]}, None, "found 1 data set, expected two or more; systems on"),
        ({"a": [1, 2], "b": [2, 1]}, ["x", "x"], "found 1 data set, expected two or more"),
        ({"a": [1, 2], "b": [2, 1]}, "xy", "found 'xy', the name of a column, but there is no"),
        ({"a": [1, 2], "b": [2, 1]}, ["x"], "1 names, but a has 2 scores"),
        ({"a": [1, 2], "b": [2, 1]}, [1, "1"], "two of them have names with the same text"),
        ({"a": [1, 2], "b": [2, 1]}, [1, None], r"datasets\[1\]: None is not a label"),
        ({"a": {"x": 1}, "b": [1]}, None, "b: found no {data set: score}, as others have"),
        ({"a": {"x": 1, "y": 2}, "b": {"x": 1}}, None, "b: lacks 1 data set that a has: 'y'"),
        ({"a": {"x": 1}, "b": {"x": 1}}, ["x"], "the keys of the scores are their names already"),
        ({"a": {"x": [1], "y": [1]}, "b": {"x": [1], "y": 2}}, None, "b: data set 'y': expected"),
        ({"a": {"x": [1], "y": []}, "b": {"x": [1], "y": []}}, None, "data set 'y' has no units"),
        ({"a": {"x": [1], "y": [1]}, "b": {"x": [1, 2], "y": [1]}}, None,
         "b: 2 items in data set 'x', a has 1"),
        ({"a": [1, 2, 3, 4], "b": [4, 3, 2, 1]}, list("xyzx"),
         "'x' is given more than once, 2 others once: are these units in data sets"),
        ({"a": series(["x", "x"]), "b": [1, 2]}, None, "'x'; give datasets=, or drop the index"),
    ],
)  # fmt: skip
def test_tables_of_data_sets(table, datasets, message):
    check(lambda: dataset_table(table, datasets), message)
