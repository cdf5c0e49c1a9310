"""Statistics and scores by id, by cluster, from frames; names and classes of units; refusals."""

import decimal
import itertools
import math
import re
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from csig import Comparison, InputError, Metric, randomization_test
from csig.data.units import (
    NARROW,
    Classes,
    check_order,
    check_same,
    checked_columns,
    checked_level_names,
    checked_names,
    rows_that_differ,
    units_that_differ,
)

COLUMNS = ("tp", "predicted", "gold")
MEAN = Metric("mean", ("score", "n"), numerator=(1, 0), denominator=(0, 1))
ROWS_A = {"d10": [3, 4, 5], "d9": [2, 2, 2], "é": [0, 1, 1], "d1": [4, 4, 6]}
ROWS_B = {"é": [1, 1, 1], "d1": [3, 5, 6], "d9": [2, 2, 2], "d10": [2, 4, 5]}


def same(one, other):
    """Two comparisons that any test would take for one."""
    assert (one.sums("a"), one.sums("b")) == (other.sums("a"), other.sums("b"))
    assert (one.scale, one.tau, one.unit, one.units.ids) == (
        other.scale, other.tau, other.unit, other.units.ids,
    )  # fmt: skip
    np.testing.assert_array_equal(one.units.differences, other.units.differences)
    return True


# ---- ids and clusters -----------------------------------------------------------------------


def test_ids_are_ordered_as_text():
    comparison = Comparison.from_statistics(ROWS_A, ROWS_B, COLUMNS)
    assert comparison.units.ids == ("d1", "d10", "é")
    assert comparison.units.differences.tolist() == [[1, -1, 0], [1, 0, 0], [-1, 0, 0]]
    assert comparison.units.n_total == 4
    assert comparison.units.moving == [0, 1]
    assert Comparison.from_statistics([[1]], [[2]], ["x"]).units.ids is None


def test_clusters_and_back():
    labels = {"d1": "u", "d9": "t", "d10": "u", "é": "t"}
    by_mapping = Comparison.from_statistics(ROWS_A, ROWS_B, COLUMNS, clusters=labels)
    assert by_mapping.levels == ("unit", "cluster")
    assert by_mapping.units.ids == ("t", "u")
    assert by_mapping.units.differences.tolist() == [[-1, 0, 0], [2, -1, 0]]
    same(by_mapping.at("unit"), Comparison.from_statistics(ROWS_A, ROWS_B, COLUMNS))
    same(by_mapping.at("unit").at("cluster"), by_mapping)
    ids = list(ROWS_A)
    by_array = Comparison.from_statistics(
        list(ROWS_A.values()), [ROWS_B[i] for i in ids], COLUMNS, ids=ids,
        clusters=[labels[i] for i in ids],
    )  # fmt: skip
    same(by_array, by_mapping)
    with pytest.raises(InputError, match="no unit 'response'; available: 'unit', 'cluster'"):
        by_array.at("response")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"clusters": ["u"] * 4}, "clusters must be {id: label}, as a and b are {id: row}"),
        ({"clusters": dict.fromkeys("xyz", "u")}, "clusters: no label for unit 'd1', 'd10'"),
        ({"a": {**ROWS_A, None: [1, 1, 1]}}, "b: no unit None"),
        ({"a": ROWS_A | {"d9": [2, None, 2]}}, "a: unit 'd9', column 'predicted': expected an int"),
        ({"a": ROWS_A | {"d9": [2, 2.5, 2]}}, "a: unit 'd9', column 'predicted': .* found 2.5"),
        ({"a": ROWS_A | {"d9": [2, 2**70, 2]}}, "a: numbers of 2\\^61 or more"),
        ({"a": ROWS_A | {"d9": [2, 2]}}, "a: the rows have different lengths"),
        ({"a": {"tp": [1], "predicted": [2], "gold": [3]}}, "keys are the names of the columns"),
    ],
)
def test_mappings_are_checked(arguments, message):
    given = {"a": ROWS_A, "b": ROWS_B, "columns": COLUMNS} | arguments
    with pytest.raises(InputError, match=message):
        Comparison.from_statistics(**given)


@pytest.mark.parametrize(
    ("ids", "message"),
    [
        ([1, "1"], "ids: 1 and '1' have the same text, by which units are ordered"),
        ([1, 1], "ids: given more than once: 1"),
        ([("d", 1), "d\t1"], "have the same text"),
        ([None, 1], "ids\\[0\\]: None is not a label"),
        ([1, np.float64("nan")], "ids\\[1\\]: .*nan.* is not a label"),
        ([1, np.datetime64("NaT")], "is not a label"),
        ([[1], [2]], "ids\\[0\\]: list is not hashable"),
        (np.array(5), "ids must be a sequence of labels, found 5"),
        ([object(), 1], "cannot be ordered: its text is its address in memory"),
    ],
)
def test_ids_are_checked(ids, message):
    with pytest.raises(InputError, match=message):
        Comparison.from_statistics([[1], [2]], [[2], [2]], ["x"], ids=ids)


def test_ids_of_any_type_have_an_order():
    ids = [frozenset("ab"), ("d", 2), ("d", 10), 7, "x"]
    rng = np.random.default_rng(1)
    a, b = rng.integers(0, 9, size=(2, 5, 1))
    first = Comparison.from_statistics(a, b + 10, ["x"], ids=ids)
    again = Comparison.from_statistics(a[::-1], b[::-1] + 10, ["x"], ids=ids[::-1])
    assert first.units.ids == (7, ("d", 10), ("d", 2), "x", frozenset("ab"))
    same(first, again)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ({1, 2}, "a: expected one row per unit, found set"),
        ("12", "a: expected one row per unit, found str"),
        (np.ma.masked_array([1, 2], mask=[0, 1]), "a: some of its values are masked"),
        (5, "a: expected \\(units, 1\\) for columns 'x', found shape \\(\\)"),
        ([[1], ["x"]], "a: expected numbers, found <U"),
        (np.array([1j, 2]), "a: expected numbers, found complex128"),
        ([decimal.Decimal("1.5"), 2], "a: unit 0, column 'x': expected an integer, found Dec"),
        ([decimal.Decimal("NaN"), 2], "expected an integer, found Decimal"),
        ([Fraction(1, 2), 2], "expected an integer, found Fraction"),
        (np.array(["2020", "2021"], "M8[Y]"), "a: expected numbers, found datetime64"),
    ],
)
def test_tables_are_checked(rows, message):
    with pytest.raises(InputError, match=message):
        Comparison.from_statistics(rows, [1, 2], ["x"])


def test_whole_numbers_of_any_type():
    given = [True, np.int8(2), 3.0, decimal.Decimal(4), Fraction(10, 2), np.bool_(False), 2**60]
    expected = [1, 2, 3, 4, 5, 0, 2**60]
    by_lists = Comparison.from_statistics(given, [0] * 7, ["x"])
    same(by_lists, Comparison.from_statistics(np.array(expected), np.zeros(7), ["x"]))
    same(by_lists, Comparison.from_statistics((v for v in expected), iter([0] * 7), ["x"]))
    assert by_lists.sums("a") == {"x": sum(expected)}


# ---- scores ---------------------------------------------------------------------------------


def test_integers_and_truth_values_stay_integers():
    a, b = [1, 0, 1, 1], [0, 0, 1, 0]
    comparison = Comparison.from_scores(a, b)
    assert (comparison.columns, comparison.scale, comparison.tau) == (("score", "n"), (1, 1), 0)
    assert comparison.units.differences.tolist() == [[1, 0], [1, 0]]
    for like in (np.array(a, dtype=bool), np.array(a, dtype=np.uint8), [bool(x) for x in a]):
        same(Comparison.from_scores(like, b), comparison)
    assert Comparison.from_scores([2**60], [1]).sums("a") == {"score": 2**60, "n": 1}


def test_decimal_scores_are_exact():
    comparison = Comparison.from_scores([30.1, 25.0, 0.25], [29.9, 25.0, 0.5])
    assert comparison.sums("a") == {"score": Fraction("55.35"), "n": 3}
    assert comparison.sums("b")["score"] == Fraction("55.4")
    assert comparison.tau == 0
    assert comparison.scores(MEAN) == (55.35 / 3, pytest.approx(55.4 / 3))
    mixed = Comparison.from_scores([1, 2, 3], [1.5, 2.5, 3])
    assert mixed.sums("b")["score"] == 7
    assert isinstance(mixed.sums("b")["n"], int)


def test_scores_by_id_and_cluster():
    a = {"x": 0.5, "y": 1.25, "z": 3}
    b = {"z": 2.5, "y": 1.25, "x": 0.75}
    by_mapping = Comparison.from_scores(a, b)
    assert by_mapping.units.ids == ("x", "z")
    by_array = Comparison.from_scores([1.25, 3, 0.5], [1.25, 2.5, 0.75], ids=["y", "z", "x"])
    same(by_mapping, by_array)
    clusters = Comparison.from_scores(a, b, clusters={"x": 1, "y": 2, "z": 1})
    assert clusters.units.ids == (1,)
    assert clusters.units.differences[:, 1].tolist() == [0]
    assert clusters.sums("a") == {"score": Fraction("4.75"), "n": 3}
    same(clusters.at("unit"), by_mapping)


@given(st.data())
def test_the_order_of_scores_with_ids_does_not_matter(data):
    n = data.draw(st.integers(1, 20))
    score = st.floats(-1e3, 1e3).filter(lambda x: x == 0 or abs(x) > 1e-6)
    scores = st.lists(score, min_size=n, max_size=n)
    a, b = data.draw(scores), data.draw(scores)
    order = data.draw(st.permutations(range(n)))
    first = Comparison.from_scores(a, b, ids=range(n))
    again = Comparison.from_scores([a[i] for i in order], [b[i] for i in order], ids=order)
    same(first, again)


def test_the_mean_of_scores_is_tested():
    """Fisher (1935): Darwin's 15 pairs of maize, in inches."""
    d = [6.125, -8.375, 1, 2, 0.75, 2.875, 3.5, 5.125, 1.75, 3.625, 7, 3, 9.375, 7.5, -6]
    result = randomization_test(Comparison.from_scores(d, np.zeros(15)), MEAN)
    assert Fraction(result.pvalue) == Fraction(1726, 32768)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"a": [1.5, float("nan")]}, "a: unit 1: expected a finite number, found nan"),
        ({"b": [float("-inf"), 1]}, "b: unit 0: expected a finite number, found -inf"),
        ({"a": {"x": 1.5, "y": None}, "b": {"x": 1, "y": 2}}, "a: unit 'y': expected a number"),
        ({"a": ["x", "y"]}, "a: expected numbers, found <U1"),
        ({"a": [1, "y", None]}, "a: unit 1: expected a number, found 'y'"),
        ({"a": [[1, 2], [3, 4]]}, "a has shape \\(2, 2\\), a leading axis of runs"),
        ({"a": 3.5}, "a: expected one number per unit, found shape \\(\\)"),
        ({"a": [1.5]}, "a has 1 units, b has 2"),
        ({"a": [1.5, 2], "b": [2**53, 1]}, "b: integers of 2\\^53 or more cannot be combined with"),
        ({"a": [2**62, 1]}, "a: numbers of 2\\^61 or more"),
        ({"a": [2**60, 2**60], "b": [0, 0]}, "the sums of the statistics reach 2\\^61"),
        ({"a": [decimal.Decimal("NaN"), 1]}, "a: unit 0: expected a finite number, found nan"),
        ({"a": [1e300, -1.5]}, "a: numbers of 1e300 or more cannot be summed safely"),
        ({"a": {1.0, 2.0}}, "a: expected one row per unit, found set"),
        ({"names": "AB"}, "names must be a pair of names"),
    ],
)
def test_scores_are_checked(arguments, message):
    with pytest.raises(InputError, match=message):
        Comparison.from_scores(**({"a": [1, 2], "b": [2, 2]} | arguments))


def test_no_units_at_all():
    for comparison in (Comparison.from_scores([], []), Comparison.from_statistics([], [], COLUMNS)):
        assert comparison.identical
        assert comparison.units.n_total == 0
    assert Comparison.from_scores({}, {}, clusters={}).unit == "cluster"


@pytest.mark.parametrize(
    ("rows", "columns", "message"),
    [
        ([[5, 3, 9]], COLUMNS, "a: unit 'u': tp is 5, more than predicted, 3; are the columns in"),
        ([[5, 9, 3]], COLUMNS, "a: unit 'u': tp is 5, more than gold, 3; are the columns in the"),
        ([[3, 5]], ("gold", "tp"), "a: unit 'u': tp is 5, more than gold, 3"),
        ([[1]], None, "columns must be names, found None"),
        ([[1]], 3, "columns must be names, found 3"),
        ([[1]], [["x"]], "columns\\[0\\]: expected a name, found \\['x'\\]"),
        ([[1, 2]], ["x", 1], "columns\\[1\\]: expected a name, found 1"),
        ([[]], [], "columns: each needs a name of its own"),
    ],
)
def test_columns_are_checked(rows, columns, message):
    with pytest.raises(InputError, match=message):
        Comparison.from_statistics(rows, rows, columns, ids=["u"])


@pytest.mark.parametrize("kind", [np.float32, np.float64, np.longdouble])
def test_every_type_of_float_keeps_its_digits(kind):
    tenths = np.arange(30, dtype=kind) / 10
    comparison = Comparison.from_scores(tenths, [1] * 30)  # 1 is 1 in any type
    assert (comparison.scale[0], comparison.tau) == (Fraction(1, 10), 0)
    assert comparison.sums("a") == {"score": Fraction(435, 10), "n": 30}


def test_float16_is_known_to_its_own_ulp():
    a = np.array([0.1, 0.2], dtype=np.float16)
    comparison = Comparison.from_scores(a, [0, 1])
    assert comparison.tau * comparison.scale[0] >= Fraction(float(np.spacing(a[1])))


@pytest.mark.parametrize("system", ["A", "gold", None])
def test_there_are_two_systems(system):
    with pytest.raises(InputError, match="system must be 'a' or 'b'"):
        Comparison.from_scores([1], [0]).sums(system)


# ---- data frames ----------------------------------------------------------------------------


@pytest.fixture(params=["pandas", "polars"])
def library(request):
    return pytest.importorskip(request.param)


def frames(library):
    ids = list(ROWS_A)
    return ids, *(
        library.DataFrame(
            {"note": ["x"] * 4}
            | {c: [rows[i][k] for i in ids] for k, c in reversed(list(enumerate(COLUMNS)))}
        )
        for rows in (ROWS_A, ROWS_B)
    )


def test_frames_give_their_columns_by_name(library):
    ids, a, b = frames(library)
    expected = Comparison.from_statistics(ROWS_A, ROWS_B, COLUMNS)
    same(Comparison.from_statistics(a, b, COLUMNS, ids=library.Series(ids)), expected)
    labels = library.Series(["u", "u", "v", "v"])
    same(
        Comparison.from_statistics(a, b, COLUMNS, ids=ids, clusters=labels),
        Comparison.from_statistics(
            ROWS_A, ROWS_B, COLUMNS, clusters=dict(zip(ids, labels, strict=True))
        ),
    )
    assert Comparison.from_statistics(a, b, "tp").columns == ("tp",)
    with pytest.raises(InputError, match="a: no column 'fp'; the frame has 'note', 'gold',"):
        Comparison.from_statistics(a, b, ["tp", "fp"])
    with pytest.raises(InputError, match=r"a: (expected numbers|unit 0, column 'note': expected)"):
        Comparison.from_statistics(a, b, ["note"])
    with pytest.raises(InputError, match="ids must be a sequence of labels, found DataFrame"):
        Comparison.from_statistics(a, b, COLUMNS, ids=a)
    with pytest.raises(InputError, match="a: expected one number per unit, found shape"):
        Comparison.from_scores(a, b)


def test_series_are_scores(library):
    a, b = library.Series([0.5, 1.5, 2.5]), library.Series([1, 2, 3])
    same(Comparison.from_scores(a, b), Comparison.from_scores([0.5, 1.5, 2.5], [1, 2, 3]))
    with pytest.raises(InputError, match=r"a: unit 1: expected a (finite )?number, found"):
        Comparison.from_scores(library.Series([0.5, None, 2.5]), b)
    with pytest.raises(InputError, match=r"ids\[1\]: (None|nan) is not a label"):
        Comparison.from_scores(a, b, ids=library.Series(["x", None, "y"]))


def test_frames_are_no_responses(library):
    frame = library.DataFrame({"x": [1, 2]})
    with pytest.raises(InputError, match="gold: found a DataFrame, expected responses; give its"):
        Comparison.from_responses(frame, frame, frame)
    series = library.Series(["x", None, "y"])
    with pytest.raises(InputError, match=r"a, response 1: (None|nan) is not a (response|fin)"):
        Comparison.from_responses(["x"], series, ["y"])
    assert Comparison.from_responses(series[:1], ["x"], ["y"]).n_units == 2


def test_values_that_are_missing(library):
    a = library.DataFrame({"x": [1, None, 3]})
    with pytest.raises(InputError, match="a: unit 1, column 'x': expected an integer, found nan"):
        Comparison.from_statistics(a, a, ["x"])


def test_the_index_of_pandas_is_the_ids():
    pandas = pytest.importorskip("pandas")
    a = pandas.DataFrame({"x": [1, 2]}, index=["u", "v"])
    b = pandas.DataFrame({"x": [5, 9]}, index=["v", "u"])
    comparison = Comparison.from_statistics(a, b, ["x"])
    assert comparison.units.differences.tolist() == [[-8], [-3]]
    assert comparison.units.ids == ("u", "v")
    same(Comparison.from_scores(a["x"], b["x"], ids=a.index).at("unit"),
         Comparison.from_scores({"u": 1, "v": 2}, {"u": 5, "v": 9}))  # fmt: skip


def test_the_kinds_of_pandas_columns():
    pandas = pytest.importorskip("pandas")
    whole = pandas.DataFrame({"x": pandas.array([1, 2**60], dtype="Int64"), "y": [0.0, 3.0]})
    comparison = Comparison.from_statistics(whole, np.zeros((2, 2)), ["x", "y"])
    assert comparison.sums("a") == {"x": 2**60 + 1, "y": 3}  # no column spoils another
    missing = pandas.DataFrame({"x": pandas.array([1, None], dtype="Int64")})
    with pytest.raises(
        InputError, match=r"a: unit 1, column 'x': expected an integer, found (<NA>|nan)"
    ):
        Comparison.from_statistics(missing, [[1], [2]], ["x"])
    with pytest.raises(
        InputError, match=r"a: unit 1: expected a (finite )?number, found (<NA>|nan)"
    ):
        Comparison.from_scores(missing["x"], [1, 2])
    with pytest.raises(InputError, match=r"ids\[1\]: (<NA>|nan) is not a label"):
        Comparison.from_scores([1, 2], [1, 2], ids=missing["x"])
    without_names = pandas.DataFrame([[1, 2], [3, 4]])
    same(
        Comparison.from_statistics(without_names, [[1, 2], [3, 3]], ["x", "y"]),
        Comparison.from_statistics([[1, 2], [3, 4]], [[1, 2], [3, 3]], ["x", "y"]),
    )
    doubled = pandas.DataFrame([[1, 2]], columns=["x", "x"])
    with pytest.raises(InputError, match="a: the frame has column 'x' more than once"):
        Comparison.from_statistics(doubled, doubled, ["x"])


@pytest.mark.parametrize("columns", [0, 1, 2, NARROW, NARROW + 1, 40])
def test_rows_and_columns_that_differ(columns: int) -> None:
    """However many columns there are, by numpy's own reduction."""
    table = np.random.default_rng(columns).integers(-3, 3, (200, columns)) ** 5 // 200
    table[:, columns // 2 :] *= np.random.default_rng(1).random((200, 1)) < 0.2
    table[:, columns - 1 :] = 0
    assert rows_that_differ(table).tolist() == table.any(axis=1).tolist()
    found = units_that_differ(table)
    assert found.differences.tolist() == table[table.any(axis=1)].tolist()
    assert found.moving == np.flatnonzero(table.any(axis=0)).tolist()


def test_a_pair_of_names():
    assert checked_names(["base", "new"]) == ("base", "new")


@pytest.mark.parametrize("names", ["AB", ["A"], ["A", "B", "C"], None, {"A", "B"}])
def test_names_must_be_a_pair(names):
    with pytest.raises(InputError, match="names must be a pair of names"):
        checked_names(names)


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ({"unit_name": " "}, "unit_name must be a name, found ' '"),
        ({"unit_name": 3}, "unit_name must be a name, found 3"),
        ({"unit_name": "response"}, "unit_name: 'response' is the name of another unit"),
        ({"key_name": "cluster"}, "key_name: 'cluster' is the name of another unit"),
        ({"key_name": "x", "cluster_name": "x"}, "key_name and cluster_name must differ"),
    ],
)
def test_names_of_units(names, message):
    with pytest.raises(InputError, match=message):
        checked_level_names(**names)


def test_a_level_may_have_its_own_name():
    checked_level_names(key_name="key", cluster_name="story")


def test_names_of_columns():
    assert checked_columns("errors") == ("errors",)
    assert checked_columns(iter(["tp", "gold"])) == ("tp", "gold")


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (3, "columns must be names, found 3"),
        (["tp", 3], "columns[1]: expected a name, found 3"),
        ([], "columns: each needs a name of its own"),
        (["tp", "tp"], "columns: each needs a name of its own"),
    ],
)
def test_what_are_no_names(columns, message):
    with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
        checked_columns(columns)


@pytest.mark.parametrize(
    ("columns", "row", "message"),
    [
        (("tp", "gold"), (3, 2), "tp is 3, more than gold, 2"),
        (("predicted", "tp"), (2, 3), "tp is 3, more than predicted, 2"),
        (("correct", "items"), (2, 1), "correct is 2, more than items, 1"),
        (("fn", "x"), (-1, 0), "fn must not be negative, found -1"),
    ],
)
def test_columns_in_the_wrong_order(columns, row, message):
    good = np.ones((2, 2), dtype=np.int64)
    check_order("a", columns, good, None)
    table = np.array([[1, 1], row])
    with pytest.raises(InputError, match=f"^a: unit 1: {message}"):
        check_order("a", columns, table, None)
    with pytest.raises(InputError, match=f"^a: unit 'y': {message}"):
        check_order("a", columns, table, ["x", "y"])
    check_order("a", ("some", "other"), -table, None)  # nobody knows what these are


def test_one_gold():
    a, b = np.array([[1, 5], [2, 6]]), np.array([[1, 5], [0, 7]])
    check_same(("gold", "x"), a[:1], b[:1], None)
    check_same(("x", "y"), a, b, None)
    with pytest.raises(InputError, match=r"^unit 'q': gold is 2 for a and 0 for b, but both were"):
        check_same(("gold", "x"), a, b, ["p", "q"])


SMALL = st.integers(-2, 2)
HUGE = st.sampled_from([0, 1, -1, 2**40, -(2**40), 2**61, -(2**61)])


def rows(numbers, columns):
    return st.lists(st.tuples(*[numbers] * columns), max_size=7)


def all_swaps(differences, columns):
    """The sums of every one of the 2^n swaps."""
    found = Counter()
    for chosen in itertools.product((0, 1), repeat=len(differences)):
        taken = (row for row, z in zip(differences, chosen, strict=True) if z)
        found[tuple(map(sum, zip((0,) * columns, *taken, strict=True)))] += 1
    return found


def all_outcomes(classes):
    """The same from the classes, each outcome as often as its binomial coefficients say."""
    found = Counter()
    sizes = classes.sizes.tolist()
    for counts in itertools.product(*(range(m + 1) for m in sizes)):
        sums = classes.start + np.array(counts, dtype=np.int64) @ classes.steps
        found[tuple(sums.tolist())] += math.prod(map(math.comb, sizes, counts))
    return found


@given(st.one_of(*(rows(SMALL, k).map(lambda r, k=k: (r, k)) for k in (1, 2, 3))))
@example(([(0, 0)], 2))
@example(([(1, -1), (-1, 1), (0, -2), (1, -1)], 2))
def test_classes_have_the_distribution_of_their_units(case):
    differences, columns = case
    array = np.array(differences, dtype=np.int64).reshape(-1, columns)
    classes = Classes.of(array)
    dropped = sum(not any(row) for row in differences)
    every = {s: m << dropped for s, m in all_outcomes(classes).items()}
    assert every == all_swaps(differences, columns)
    assert classes.n_units == len(differences) - dropped
    assert classes.outcomes == math.prod(m + 1 for m in classes.sizes.tolist())


@given(rows(SMALL, 2) | rows(HUGE, 2))
def test_one_class_for_equal_and_opposite_units(differences):
    """Of any size: where a row does not fit one number, too."""
    array = np.array(differences, dtype=np.int64).reshape(-1, 2)
    classes = Classes.of(array)
    steps = [tuple(step) for step in classes.steps.tolist()]
    expected = Counter(max(row, (-row[0], -row[1])) for row in differences if any(row))
    assert steps == sorted(expected)
    assert classes.sizes.tolist() == [expected[step] for step in steps]


@given(rows(SMALL, 3), st.randoms(use_true_random=False))
def test_neither_order_nor_sign_of_the_units_matters(differences, random):
    array = np.array(differences, dtype=np.int64).reshape(-1, 3)
    mixed = [random.choice((-1, 1)) * row for row in array]
    random.shuffle(mixed)
    one, other = Classes.of(array), Classes.of(np.array(mixed, dtype=np.int64).reshape(-1, 3))
    assert (one.steps == other.steps).all()
    assert (one.sizes == other.sizes).all()


def test_another_order():
    classes = Classes.of(np.array([[1, 0], [0, 1], [0, 1], [-2, 5]]))
    turned = classes.in_order(np.argsort(-classes.sizes))
    assert turned.sizes.tolist() == [2, 1, 1]
    assert all_outcomes(turned) == all_outcomes(classes)


def test_frozen():
    with pytest.raises(AttributeError):
        Classes.of(np.ones((1, 1), dtype=np.int64)).sizes = np.zeros(1)
