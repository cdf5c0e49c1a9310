"""What data are refused, and the one line that says why: one table a way to give them."""

from decimal import Decimal

import numpy as np
import pandas
import polars
import pytest
from brute import PAPER

from csig import Comparison, InputError
from csig.data.several import dataset_table, several
from csig.metrics import Span, spans

NAN, NAT = float("nan"), np.datetime64("NaT")
LARGE = r"numbers of 2\^61 or more"
ONE = pandas.Series([1, 0])
MISSING = pandas.DataFrame({"x": pandas.array([1, None], dtype="Int64")})
scores, statistics, labels, responses = (
    Comparison.from_scores, Comparison.from_statistics, Comparison.from_labels,
    Comparison.from_responses,
)  # fmt: skip


def check(call, message):
    with pytest.raises(InputError, match=message) as caught:
        call()
    assert "\n" not in str(caught.value)


SCORES = [
    ({"b": [1.5, -np.inf]}, "b: unit 1: expected a finite number, found -inf"),
    ({"a": {"x": 1.5, "y": None}, "b": {"x": 1, "y": 2}}, "a: unit 'y': expected a number, found"),
    ({"a": ["x", "y"]}, "a: expected numbers, found <U1"),
    ({"a": [Decimal("sNaN"), 1]}, "a: unit 0: expected a finite number, found sNaN"),
    ({"a": [[1, 2], [3, 4]]}, r"a has shape \(2, 2\), a leading axis of runs, and b has no runs"),
    ({"a": 3.5}, r"a: expected one number per unit, found shape \(\)"),
    ({"a": [1.5]}, "a has 1 units, b has 2"),
    ({"a": [1.5, 2], "b": [2**53, 1]}, r"b: integers of 2\^53 or more cannot be combined with"),
    ({"a": [2**62, 1]}, f"a: {LARGE}"),
    ({"a": [2**60, 2**60], "b": [0, 0]}, r"the sums of the statistics reach 2\^61"),
    ({"a": [1e300, -1.5]}, "a: numbers of 1e300 or more cannot be summed safely"),
    ({"a": {1.0, 2.0}}, "a: expected one row per unit, found set"),
    *(({"names": own}, "names must be a pair of names") for own in ("AB", [*"ABC"], {"A", "B"})),
    # runs
    ({"a": np.ones((2, 4)), "b": np.ones((3, 4))}, "a has 2 runs, b has 3; both need the same"),
    ({"a": np.ones((0, 4)), "b": np.ones((0, 4))}, "a: found no runs"),
    ({"a": np.ones((3, 3)), "b": np.ones((3, 3))}, r"\(3, 3\) has 3 runs of 3 units.*give id="),
    ({"a": [[1, 2, 3], [1, 2]], "b": [[1, 2, 3]] * 2}, "a: the runs have different numbers of"),
    ({"a": [[1, 0, 1], [1, NAN, 0]], "b": [[1, 2, 3]] * 2}, "a, run '2': unit 1: expected a"),
    ({"runs": "12"}, "runs: a and b have none"),
    ({"a": {"x": [1, 2]}, "b": {"x": [1, 2]}}, "a: 'x' has several numbers, which may be runs"),
    ({"a": {"1": ONE}, "b": {"1": ONE}}, "has several numbers"),
    ({"a": {"1": {"x": 1}}, "b": {"x": 1}}, r"a is {run: {id: row}} and b has no runs"),
    ({"a": {"1": {"x": 1}, "2": 3}, "b": {"1": {"x": 1}}}, "a: run '2' is not {id: row}"),
    ({"a": {"1": {"x": 1}}, "b": {"1": {"x": 1}}, "runs": ["1"]}, "are the runs already"),
    ({"a": {"1": {"x": 1}}, "b": {"2": {"x": 1}}}, "b: no run '1'; both systems need runs of"),
    ({"a": {"1": {"x": 1}, "2": {"x": 1}}, "b": {"1": {"x": 1}}}, "a has 2 runs, b has 1; both"),
    ({"a": {"1": {"x": 1, "y": 1}, "2": {"x": 1}}, "b": {"1": {}, "2": {}}},
     "a: run '2' has no unit 'y'; every run needs every unit"),
    ({"a": {"1": {"x": 1}, "2": {"x": 1, "y": 1}}, "b": {"1": {}, "2": {}}},
     "a: run '1' has no unit 'y'"),
    ({"a": {"1": {"x": 1}}, "b": {"1": {"y": 1}}}, "b: no unit 'x'; both systems need the same"),
    ({"a": {"1": {"x": 2**53}, "2": {"x": 0.5}}, "b": {"1": {"x": 1}, "2": {"x": 1}}},
     r"integers of 2\^53 or more cannot be combined"),
    ({"a": [pandas.Series([1, 0, 1], index=[*"xyz"])] * 2}, "a: found a list of series or fra"),
    *(({"a": [[1, 2, 3]] * 2, "b": [[1, 2, 3]] * 2} | own, message) for own, message in [
        ({"runs": "12"}, "runs must be a sequence of"),
        ({"runs": ["1"]}, "runs: 1 names for 2 runs"),
        ({"runs": ["1", 1]}, "given more than once: '1'"),
        ({"id": ["x", "y"]}, "id: 2 labels for 3"),
    ]),
]  # fmt: skip

ROWS_A = {"d10": [3, 4, 5], "d9": [2, 2, 2], "é": [0, 1, 1], "d1": [4, 4, 6]}
ROWS_B = {"é": [1, 1, 1], "d1": [3, 5, 6], "d9": [2, 2, 2], "d10": [2, 4, 5]}
RUNS = np.ones((2, 3, 3), int)

STATISTICS = [
    ({"cluster": ["u"] * 4}, "cluster must be {id: label}, as a and b are {id: row}"),
    ({"cluster": dict.fromkeys("xyz", "u")}, "cluster: no label for unit 'd1', 'd10'"),
    ({"a": ROWS_A | {"d9": [2, None, 2]}}, "a: unit 'd9', column 'predicted': expected an int"),
    ({"a": ROWS_A | {"d9": [2, 2.5, 2]}}, "a: unit 'd9', column 'predicted': .* found 2.5"),
    ({"a": ROWS_A | {"d9": [2, 2**70, 2]}}, f"a: {LARGE}"),
    ({"a": ROWS_A | {"d9": [2, 2]}}, "a: the rows have different lengths"),
    ({"a": {"tp": [1], "predicted": [2], "gold": [3]}}, "keys are the names of the columns"),
    ({"a": {"d1": {"tp": 1, "n": 2}}}, "keys are the names of the columns"),
    ({"a": {"d1": pandas.Series({"gold": 3, "tp": 1, "predicted": 2})}},
     "a: 'd1' has the labels 'gold', 'tp', 'predicted', expected those of the columns in their"),
    ({"a": {"x": [[1, 2, 2]] * 2}, "b": {"x": [[1, 2, 2]] * 2}},
     "a: found several rows per unit; runs of a system are"),
    ({"a": RUNS * [2, 1, 3], "b": RUNS}, "a, run '1': unit 0: tp is 2, more than predicted"),
    ({"a": np.ones((2, 3, 2), int), "b": RUNS}, r"a, run '1': expected \(units, 3\)"),
    ({"a": RUNS * [0, 1, 2], "b": RUNS}, "gold is 2 for a and 1 for b"),
    ({"unit_name": "response"}, "unit_name: 'response' is the name of another unit"),
]  # fmt: skip

COLUMN = [
    ("12", "a: expected one row per unit, found str"),
    (np.ma.masked_array([1, 2], mask=[0, 1]), "a: some of its values are masked"),
    (5, r"a: expected \(units, 1\) for columns 'x', found shape \(\)"),
    ([[1], ["x"]], "a: expected numbers, found <U"),
    ([Decimal("1.5"), 2], "a: unit 0, column 'x': expected an integer, found Dec"),
    ([Decimal("NaN"), 2], "expected an integer, found Decimal"),
    (MISSING, r"a: unit 1, column 'x': expected an integer, found (<NA>|nan)"),
    (pandas.DataFrame([[1, 2]], columns=["x", "x"]), "a: the frame has column 'x' more than once"),
    (np.full((3, 4, 1), 2**58), "the sums of the statistics reach 2"),
]

COLUMNS = [
    (
        [[5, 3, 9]],
        ("tp", "predicted", "gold"),
        "a: unit 'u': tp is 5, more than predicted, 3; are ",
    ),
    ([[5, 9, 3]], ("tp", "predicted", "gold"), "a: unit 'u': tp is 5, more than gold, 3; are the "),
    ([[2, 1]], ("correct", "items"), "a: unit 'u': correct is 2, more than items, 1"),
    ([[-1, -2, -3]], ("x", "fn", "tp"), "a: unit 'u': fn must not be negative, found -2"),
    ([[1]], 3, "^columns must be names, found 3$"),
    ([[1, 2]], ["x", 1], r"^columns\[1\]: expected a name, found 1$"),
    ([[]], [], "^columns: each needs a name of its own$"),
    ([[1, 1]], ["tp", "tp"], "^columns: each needs a name of its own$"),
]

IDS = [
    ([1, "1"], "id: 1 and '1' have the same text, by which units are ordered"),
    ([1, 1], "id: given more than once: 1"),
    ([("d", 1), "d\t1"], "have the same text"),
    ([1, np.float64("nan")], r"id\[1\]: .*nan.* is not a label"),
    ([[1], [2]], r"id\[0\]: list is not hashable"),
    (np.array(5), "id must be a sequence of labels, found 5"),
    ([object(), 1], "cannot be ordered: its text is its address in memory"),
    (MISSING["x"], r"id\[1\]: (<NA>|nan) is not a label"),
    (MISSING, "id must be a sequence of labels, found DataFrame"),
]


# ---- an index of pandas ---------------------------------------------------------------------


def series(labels, start=1):
    return pandas.Series(range(start, start + len(labels)), index=labels)


WAY_OUT = r"give id=, or drop the index with reset_index\(drop=True\)"
UV, VU = series(["u", "v"]), series(["v", "u"])
OTHER_NUMBERS = "other numbers: .* by label or by position"
DOUBLED = "its index has labels more than once"
ANOTHER_ORDER = "numbers .* in another order: do .* by label or by position"

INDEX = [
    ((UV, series(["u", "w"])), None, f"b: no row labelled 'v', as a has .*; {WAY_OUT}"),
    ((series(["u"]), series(["u", "w"])), None, "a: no row labelled 'w', as b has"),
    ((series(["u", "u"]), series(["u", "u"])), None, f"a: {DOUBLED}: 'u'; {WAY_OUT}"),
    ((UV, UV), series(["v"]), "cluster: no label for unit 'u'"),
    ((UV, UV), series(["v", "v"]), f"cluster: {DOUBLED}: 'v'"),
    ((UV, VU), [1, 2], "cluster has no index, and a and b have theirs in"),
    ((series([1, 0]), series([0, 1])), None, "b has the default index, and a the same numb"),
    ((series([1, 2]), series([0, 1])), None, f"b has the default index, and a {OTHER_NUMBERS}"),
    ((series([0.0, 2.0]), series([0, 1])), None, f"b has the default .* a {OTHER_NUMBERS}"),
    ((series([1, 2]), [3, 4]), series([0, 1]), f"cluster has the default .* {OTHER_NUMBERS}"),
    ((series([0, 1]), [3, 4]), series([1, 2]), f"a has .* cluster {OTHER_NUMBERS}"),
    ((UV, UV), pandas.DataFrame({"c": [1, 2]}, index=["v", "u"]), "cluster must be a seq"),
    (([1, 2], [3, 4]), series([1, 0]), f"cluster: its index has the {ANOTHER_ORDER}"),
    ((series(["u", None]), series(["u", None])), None, r"id\[1\]: (None|nan) is not a label"),
    # Answers without a score are no shift: a has none for its first item, b for its last.
    ((MISSING["x"], [1, 2]), None, "a: unit 1: expected a (finite )?number, found (<NA>|nan)"),
]

# ---- labels, responses and their counts -------------------------------------------------------

MANY = [f"l{k}" for k in range(8000)]

LABELS = [
    (["x"], ["x", "y"], ["x"], "a: 2 labels for 1 units"),
    (["x"], {"i": "x"}, ["x"], "give all three as sequences, or all as {id: label}"),
    ({"i": "x"}, {"j": "x"}, {"i": "x"}, "a: no label for item 'i'"),
    ({"i": "x"}, {"i": "x"}, {"i": "x", "j": "x"}, "b: items that gold does not have: 'j'"),
    (["x"], ["x"], [None], r"b\[0\]: None is not a label"),
    (["x", 1], ["x", "1"], ["x", 1], "1 and '1' have the same text"),
    ("xy", ["x", "y"], ["x", "y"], "gold must be a sequence of labels, found str"),
    (5, ["x"], ["x"], "gold must be a sequence of labels, found int"),
    (MANY, MANY, MANY, "8000 different labels on 8000 items: too many"),
    (UV, VU, [1, 2], "b has no index, and gold and a have theirs in different"),
    (UV, VU, series(["u", "w"]), "b: no row labelled 'v', as gold has"),
]

RESPONSES = [
    (["x"], ["x", "y", "x", "y"], [], "a: responses given more than once: 'x', 'y'"),
    ("xyz", [], [], "gold must be an iterable of responses"),
    (["x"], np.array(3), [], "a must be an iterable of responses or {key: responses}, found"),
    (["x"], 5, [], "a must be an iterable of responses or {key: responses}, found int"),
    (["x"], [], [["x"]], "b, response 0: list is not hashable"),
    (["x"], [], [("d", ("e", np.float32("nan")))], "b, response 0: .* is not a finite number"),
    (["x"], [("d", NAT)], [], "is not a finite number"),
    (["x"], [None], [], "a, response 0: None is not a response"),
    ([], [Span("d", "0", 2, "X")], [], "a, response 0: a span needs integers start < end"),
    ([], [Span("d", 0, 2, "X")], ["x"], "some responses are spans and some are not"),
    ([], [Span("d", 0, 2**70, "X")], [], "does not fit 64 bits"),
    ({"d": ["x"]}, ["x"], [], "gold is {key: responses}, a and b is not"),
    ({"d": ["x"]}, {}, {"d": []}, "a: keys missing: 'd'; give an empty list"),
    ({"d": []}, {"d": []}, {"d": [], "e": []}, "b: keys that are not in gold: 'e'"),
    ({"d": []}, {"d": ["x", "x"]}, {"d": []}, r"a\['d'\]: responses given more than once"),
]

UNITS = [
    ({"unit": "sentence"}, "unit must be one of 'response', 'conflict', 'key', 'cluster', f"),
    ({"unit": ["key"]}, r"unit must be one of .*, found \['key'\]"),
    ({"unit": "conflict"}, "unit 'conflict' needs conflict=, a function from a response to"),
    ({"conflict": "spans"}, "conflict must be a function from a response to its place, found"),
    ({"conflict": spans}, r"conflict, response 'x|y': expected a span \(start, end"),
    ({"conflict": lambda r: [r]}, "its place is a list, which is not hashable"),
    ({"conflict": lambda r: None}, "found None, expected a place"),
    ({"conflict": lambda r: NAN}, "nan is not a place"),
    ({"conflict": lambda r: 1 / 0}, "response 'x|y': ZeroDivisionError: division by zero"),
    ({"cluster": ["u"]}, "cluster must be {key: label}, found list"),
    ({"cluster": {}}, "cluster: no label for key 'd'"),
    ({"cluster": {"d": 1, "e": 2}}, "cluster: labels for keys that do not exist: 'e'"),
    ({"cluster": {"d": None}}, r"cluster\[0\]: None is not a label"),
    ({"key_name": " "}, "key_name must be a name, found ' '"),
    ({"key_name": 3}, "key_name must be a name, found 3"),
    ({"key_name": "cluster"}, "key_name: 'cluster' is the name of another unit"),
    ({"key_name": "x", "cluster_name": "x"}, "key_name and cluster_name must differ"),
    ({"unit": "story", "cluster_name": "story"}, "unit 'story' needs cluster={key: label}"),
]

KEYS = [
    (["x"], "key", None, "unit 'key' needs gold, a and b as {key: responses}"),
    (["x"], "cluster", {"x": 1}, "cluster needs gold, a and b as {key: responses}"),
    ({NAN: ["x"]}, "key", None, "gold: nan is not a key"),
    ({1: ["x"], "1": []}, "key", None, "keys: 1 and '1' have the same text"),
    ({1: ["x"], 2: []}, "cluster", {1: 1, 2: "1"}, "cluster: 1 and '1' have the same text"),
]

SPANS = [
    ("x", r"expected a span \(start, end, label\), found 'x'; make it a csig.metrics.Span where"),
    ((1, 2), r"expected a span \(start, end, label\), found \(1, 2\)"),
    ((2, 2, "X"), "a span needs integers start < end, found"),
]

COUNTS = [
    ({"only_a_spurious": -1}, "only_a_spurious must not be negative, found -1"),
    ({"both_spurious": 1.5}, "both_spurious must be an integer, found 1.5"),
    ({"gold": 2**60}, r"gold is 1152921504606846976; it must be below 2\^60"),
    ({"gold": 52}, "gold is 52, but the systems found 53 different correct responses"),
    ({"only_a_spurious": 2**31}, "unique spurious responses; at most"),
]

# ---- many systems, and tables of data sets --------------------------------------------------

SYSTEMS = [
    ([[1], [2]], {}, "systems must be a mapping"),
    ({"a\nb": [1], "b": [1, 2]}, {}, r"b has 2 items, a\\nb has 1"),
    ({"a": [1]}, {}, "found 1 system, expected two or more"),
    ({"a": [1], "b": 3}, {}, "b: expected one score per unit, found 3"),
    ({"a": [1.0, NAN], "b": [1, 2]}, {}, "unit 1: expected a finite number"),
    ({"a": {"x": 1}, "b": {"x": 1, "y": 2}}, {}, "b: has 1 id that a lacks: 'y'"),
    ({"a": {"x": 1}, "b": [1]}, {}, "b: found no {id: score}"),
    ({"a": [], "b": []}, {}, "found no units"),
    ({1: [1], "1": [2]}, {}, "names with the same text"),
    ({"a": np.ones((2, 2)), "b": np.ones((2, 2))}, {}, "a: expected one number per unit"),
    (pandas.DataFrame([[1, 2]], columns=["a", "a"]), {}, "two of them have the same name"),
    (pandas.DataFrame({"id": ["x", "y"], "a": [1, 2]}), {}, "id: unit 0: expected a number"),
    ({"a": [1], "b": [2]}, {"clusters": {"x": 1}}, "the units have no ids"),
    ({"a": {"x": 1}, "b": {"x": 2}}, {"ids": ["x"]}, "ids already"),
    ({"a": [1, 2], "b": [2, 2]}, {"ids": ["x", "x"]}, "more than once"),
]

DATASETS = [
    ([1, 2], None, "table must be {system: one score per data set} or a data frame"),
    (np.eye(2), None, "found ndarray; give {name: column} of it"),
    ({"a": [1, 2]}, None, "table: found 1 system, expected two or more"),
    ({"a": [1, 2], "b": 3}, None, "b: expected one score per data set, found 3"),
    ({"a": [1, 2], "b": [1]}, None, "b has 1 score, a has 2"),
    ({"a": [1, 2], "b": [1, None]}, None, "b: unit 1: expected a number, found None"),
    ({"a": [1, 2], "b": [1, NAN]}, list("xy"), "b: unit 'y': expected a finite number"),
    ({"a": [1, 2], "b": [2, 1]}, ["x", "x"], "found 1 data set, expected two or more; systems on"),
    ({"a": [1, 2], "b": [2, 1]}, "xy", "found 'xy', the name of a column, but there is no"),
    ({"a": [1, 2], "b": [2, 1]}, ["x"], "1 names, but a has 2 scores"),
    ({"a": [1, 2], "b": [2, 1]}, {"x": 1}, "found {id: name}, but the scores have no ids"),
    ({"a": UV, "b": UV}, {"u": "x"}, "datasets: no name for 'v'"),
    ({"a": [1, 2], "b": [2, 1]}, [1, "1"], "two of them have names with the same text"),
    ({"a": [1, 2], "b": [2, 1]}, [1, None], r"datasets\[1\]: None is not a label"),
    ({"a": {"x": 1}, "b": [1]}, None, "b: found no {data set: score}, as others have"),
    ({"a": {"x": 1, "y": 2}, "b": {"x": 1}}, None, "b: lacks 1 data set that a has: 'y'"),
    ({"a": {"x": 1}, "b": {"x": 1}}, ["x"], "the keys of the scores are their names already"),
    ({"a": {"x": [1], "y": [1]}, "b": {"x": [1], "y": 2}}, None, "b: data set 'y': expected"),
    ({"a": {"x": [1], "y": []}, "b": {"x": [1], "y": []}}, None, "data set 'y' has no units"),
    ({"a": {"x": [1], "y": [1]}, "b": {"x": [1, 2], "y": [1]}}, None, "b: 2 items in data set 'x'"),
    ({"a": [1, 2, 3, 4], "b": [4, 3, 2, 1]}, list("xyzx"),
     "'x' is given more than once, 2 others once: are these units in data sets"),
    ({"a": series(["x", "x"]), "b": [1, 2]}, None, "'x'; give datasets=, or drop the index"),
]  # fmt: skip

# ---- what a comparison does not have ---------------------------------------------------------

FOUND = responses({"d": ["x"]}, {"d": ["x"]}, {"d": ["y"]}, conflict=lambda r: 1)
PERSONS = [(0, 1, "P"), (2, 3, "P")]
PART = responses([], PERSONS, [], conflict=spans).part_of(
    responses([(0, 4, "LOC")], PERSONS, [(0, 4, "LOC")], conflict=spans)
)
OTHER = responses(["x"], ["x"], ["y"], conflict=lambda r: 1)

ASKED = [
    (lambda: FOUND.at(["key"]), r"no unit \['key'\]; available"),
    (lambda: Comparison.from_counts(**PAPER).at("key"), "no unit 'key'; available: 'response'"),
    (lambda: scores([1], [0], cluster=["x"]).at("response"), "available: 'unit', 'cluster'"),
    (lambda: scores([1], [0]).sums("A"), "system must be 'a' or 'b'"),
    (lambda: scores([1], [0]).scores("mean", zero_division=2), "zero_division must be 0 or 1"),
    (lambda: scores([1], [0]).responses, "this comparison swaps units, not responses"),
    (PART.rows, "those of a larger comparison"),
    (lambda: PART.part_of(FOUND), "part_of needs two comparisons of responses by conflict group"),
    (lambda: PART.part_of(OTHER), r"response \(., ., 'P'\) is not part of the whole"),
    (Comparison.from_counts(gold=2**50, only_a_correct=1, only_b_correct=1).rows,
     "use a larger unit"),
    (lambda: labels(["x"], ["x"], ["y"], positive="z"), "no item has the positive label 'z'"),
]  # fmt: skip


def with_keys(gold, unit, cluster):
    other = {k: [] for k in gold} if isinstance(gold, dict) else []
    return responses(gold, gold, other, unit=unit, cluster=cluster)


DOCUMENT = {"d": ["x"]}, {"d": ["x"]}, {"d": ["y"]}
TABLES = [
    (lambda own: scores(**({"a": [1, 2], "b": [2, 2]} | own)), SCORES),
    (lambda own: statistics(**({"a": ROWS_A, "b": ROWS_B, "columns": COLUMNS[0][1]} | own)),
     STATISTICS),
    (lambda own: statistics(own, own // 2 if np.ndim(own) == 3 else [1, 2], ["x"]), COLUMN),
    (lambda rows, columns: statistics(rows, rows, columns, id=["u"]), COLUMNS),
    (lambda ids: statistics([[1], [2]], [[2], [2]], ["x"], id=ids), IDS),
    (lambda rows, clusters: scores(*rows, cluster=clusters), INDEX),
    (labels, LABELS),
    (responses, RESPONSES),
    (lambda own: responses(*DOCUMENT, **own), UNITS),
    (with_keys, KEYS),
    (spans, SPANS),
    (lambda own: Comparison.from_counts(**(PAPER | own)), COUNTS),
    (lambda systems, own: several(systems, **own), SYSTEMS),
    (dataset_table, DATASETS),
    (lambda ask: ask(), ASKED),
]  # fmt: skip


@pytest.mark.parametrize(
    ("make", "given", "message"),
    [(make, given, message) for make, rows in TABLES for *given, message in rows],
)
def test_what_is_refused(make, given, message):
    check(lambda: make(*given), message)


@pytest.mark.parametrize("library", [pandas, polars])
def test_columns_of_frames(library):
    some, frame = library.Series(["x", None, "y"]), library.DataFrame({"x": [1, None, 3]})
    number = "a: unit 1: expected a (finite )?number, found"
    check(lambda: scores(library.Series([0.5, None, 2.5]), [1, 2, 3]), number)
    check(lambda: scores([1, 2, 3], [1, 2, 3], id=some), r"id\[1\]: (None|nan) is not a label")
    check(lambda: statistics(frame, frame, ["x"]), "a: unit 1, column 'x': expected an .*found nan")
    check(lambda: statistics(frame, frame, ["x", "fp"]), "a: no column 'fp'; the frame has 'x'")
    check(lambda: scores(frame, frame), "a: expected one number per unit, found shape")
    notes = library.DataFrame({"note": ["x"]})
    check(lambda: statistics(notes, notes, ["note"]), r"a: (expected numbers|unit 0, .*: expected)")
    check(lambda: responses(["x"], some, ["y"]), r"a, response 1: (None|nan) is not a (resp|fin)")
    check(lambda: responses(frame, frame, frame), "gold: found a DataFrame, expected responses; gi")


def test_the_gold_is_of_both_and_other_columns_are_nobodys():
    a, b = [[1, 5], [2, 6]], [[1, 5], [0, 7]]
    check(lambda: statistics(a, b, ("gold", "x"), id=["p", "q"]),
          "^unit 'q': gold is 2 for a and 0 for b, but both were")  # fmt: skip
    assert statistics(a, b, ("x", "y")).n_units == 1
    assert statistics([[-1, -1]], [[-3, -2]], ("some", "other")).n_units == 1


def test_responses_without_a_text_of_their_own():
    thing = type("Thing", (), {})
    same = type("Same", (), {"__str__": lambda self: "same"})
    for kind, message in (
        (thing, "cannot be ordered: its text is its address in memory"),
        (same, "have the same text, by which conflict groups are"),
    ):
        one, other = kind(), kind()
        made = responses([one, other], [one], [other], conflict=id, unit="response")
        check(lambda made=made: made.at("conflict"), message)
