"""Several runs of each system: sums over runs, the runs kept, what is refused; single items."""

from fractions import Fraction

import numpy as np
import pytest
from drawn import examples
from hypothesis import given
from hypothesis import strategies as st

from csig import Comparison, InputError, randomization_test
from csig.data.tables import results_of

COUNTS = ("tp", "predicted", "gold")

scores = st.integers(1, 4).flatmap(
    lambda runs: st.integers(5, 8).flatmap(
        lambda units: st.lists(
            st.lists(st.integers(0, 5), min_size=units, max_size=units),
            min_size=2 * runs,
            max_size=2 * runs,
        )
    )
)


def halves(table, dtype=np.int64):
    both = np.array(table, dtype=dtype)
    return both[: len(both) // 2], both[len(both) // 2 :]


@given(scores, st.booleans())
@examples(50)
def test_the_test_is_that_of_the_sums_over_runs(table, fractions):
    a, b = halves(table)
    divisor = 3 if fractions else 1
    with_runs = Comparison.from_scores(a / divisor if fractions else a, b / divisor)
    rows = [np.stack([own.sum(axis=0), np.full(own.shape[1], len(own))], 1) for own in (a, b)]
    summed = Comparison.from_statistics(*rows, ("score", "n"))
    assert with_runs.n_units == summed.n_units
    assert with_runs.scores("mean") == pytest.approx([own.mean() / divisor for own in (a, b)])
    if summed.n_units:
        p = [randomization_test(own, "mean", method="exact").pvalue for own in (with_runs, summed)]
        assert p[0] == p[1]


@given(scores, st.randoms(use_true_random=False))
@examples(50)
def test_the_order_of_runs_changes_nothing(table, random):
    a, b = (own / 7.0 for own in halves(table))
    order = [random.sample(range(len(a)), len(a)) for _ in "ab"]
    one = Comparison.from_scores(a, b)
    other = Comparison.from_scores(a[order[0]], b[order[1]])
    assert one == other
    np.testing.assert_array_equal(one.runs.a[order[0]], other.runs.a)


def test_scores_that_are_rounded_are_compared_whatever_the_order_of_runs():
    rng = np.random.default_rng(5)
    a, b = rng.normal(size=(2, 4, 30))
    b[:, ::3] = a[::-1, ::3]  # the same scores, in runs of other numbers
    one, other = Comparison.from_scores(a, b), Comparison.from_scores(a[[2, 0, 3, 1]], b)
    assert one == other
    assert one.tau > 0
    assert one.n_units == 20
    assert one.runs.n == 4
    unit = one.scale[0]
    assert float(unit * int(one.runs.a[1, 7, 0])) == pytest.approx(a[1, 7], rel=1e-12)
    assert one.sums("a")["n"] == 120


@given(scores)
@examples(30)
def test_one_run_is_no_runs(table):
    a, b = halves(table)
    one, plain = Comparison.from_scores(a[:1], b[:1]), Comparison.from_scores(a[0], b[0])
    assert one == plain
    assert one.rows().a.tolist() == plain.rows().a.tolist()
    assert (one.runs.n, plain.runs) == (1, None)


@given(scores, st.integers(2, 4))
@examples(30)
def test_equal_runs_are_one_run_so_many_times(table, times):
    a, b = (own[0] for own in halves(table))
    plain = Comparison.from_scores(a, b)
    several = Comparison.from_scores([a] * times, [b] * times)
    assert several.sums_a == tuple(times * total for total in plain.sums_a)
    options = {"method": "approximate", "n_resamples": 1000, "rng": 1}
    if plain.n_units:
        hits = [randomization_test(own, "mean", **options).n_hits for own in (plain, several)]
        assert hits[0] == hits[1]


def test_runs_are_kept_by_unit_and_by_cluster():
    rng = np.random.default_rng(1)
    tp = rng.integers(0, 3, (2, 3, 6))
    gold = np.broadcast_to(rng.integers(3, 6, 6), (2, 3, 6))
    a, b = np.stack([tp, tp + rng.integers(0, 4, tp.shape), gold], axis=-1)
    ids = ["e", "d", "c", "b", "a", "f"]
    c = Comparison.from_statistics(a, b, COUNTS, ids=ids, clusters=list("xyxyzz"))
    units = c.at("unit")
    np.testing.assert_array_equal(units.runs.a, a[:, [4, 3, 2, 1, 0, 5]])
    np.testing.assert_array_equal(units.runs.a.sum(axis=0), units.rows().a)
    assert c.runs.b.shape == (3, 3, 3)
    np.testing.assert_array_equal(c.runs.b.sum(axis=0), c.rows().b)
    np.testing.assert_array_equal(c.runs.b[:, 0], b[:, [0, 2]].sum(axis=1))
    for system, rows in (("a", a), ("b", b)):
        total = rows.sum(axis=(0, 1))
        assert c.sums(system)["tp"] == total[0]
        recall = c.scores("recall")["ab".index(system)]
        assert Fraction(int(total[0]), int(total[2])) == pytest.approx(recall)


def test_runs_by_name_are_matched_by_name_and_unit():
    a = {"s1": {"x": 1, "y": 0}, "s2": {"y": 1, "x": 0}}
    b = {"s2": {"x": 0, "y": 0}, "s1": {"y": 1, "x": 1}}
    c = Comparison.from_scores(a, b)
    assert c.runs.names == ("s1", "s2")
    assert c.runs.a[:, :, 0].tolist() == [[1, 0], [0, 1]]
    assert c.runs.b[:, :, 0].tolist() == [[1, 1], [0, 0]]
    arrays = Comparison.from_scores(
        [[1, 0], [0, 1]], [[1, 1], [0, 0]], ids=["x", "y"], runs=["s1", "s2"]
    )
    assert arrays == c
    rows = {"1": {"x": [1, 2, 2]}, "2": {"x": [0, 1, 2]}}
    assert Comparison.from_statistics(rows, rows, COUNTS).sums_a == (1, 3, 4)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"a": np.ones((2, 3)), "b": np.ones(3)}, r"a has shape \(2, 3\), a leading axis of runs"),
        ({"a": np.ones((2, 4)), "b": np.ones((3, 4))}, "a has 2 runs, b has 3; both need the same"),
        ({"a": np.ones((2, 4)), "b": np.ones((2, 5))}, "a has 4 units, b has 5"),
        ({"a": np.ones((0, 4)), "b": np.ones((0, 4))}, "a: found no runs"),
        (
            {"a": np.ones((5, 1)), "b": np.ones((5, 1))},
            r"shape \(5, 1\) has 5 runs of 1 units, and",
        ),
        ({"a": np.ones((3, 3)), "b": np.ones((3, 3))}, r"give ids= .* or runs="),
        ({"a": [[1, 2, 3], [1, 2]], "b": [[1, 2, 3]] * 2}, "a: the runs have different numbers of"),
        (
            {"a": [[1, 0, 1], [1, np.nan, 0]], "b": [[1, 2, 3]] * 2},
            "a, run '2': unit 1: expected a",
        ),
        ({"a": [1, 2], "b": [2, 3], "runs": "12"}, "runs: a and b have none"),
        ({"a": [[1, 2, 3]] * 2, "b": [[1, 2, 3]] * 2, "runs": "12"}, "runs must be a sequence of"),
        ({"a": [[1, 2, 3]] * 2, "b": [[1, 2, 3]] * 2, "runs": ["1"]}, "runs: 1 names for 2 runs"),
        (
            {"a": [[1, 2, 3]] * 2, "b": [[1, 2, 3]] * 2, "runs": ["1", 1]},
            "given more than once: '1'",
        ),
        ({"a": [[1, 2, 3]] * 2, "b": [[1, 2, 3]] * 2, "ids": ["x", "y"]}, "ids: 2 labels for 3"),
        ({"a": {"x": [1, 2]}, "b": {"x": [1, 2]}}, "a: 'x' has several numbers, which may be runs"),
        ({"a": {"1": {"x": 1}}, "b": {"x": 1}}, r"a is {run: {id: row}} and b has no runs"),
        ({"a": {"1": {"x": 1}, "2": 3}, "b": {"1": {"x": 1}}}, "a: run '2' is not {id: row}"),
        ({"a": {"1": {"x": 1}}, "b": {"1": {"x": 1}}, "runs": ["1"]}, "are the runs already"),
        ({"a": {"1": {"x": 1}}, "b": {"2": {"x": 1}}}, "b: no run '1'; both systems need runs of"),
        (
            {"a": {"1": {"x": 1}, "2": {"x": 1}}, "b": {"1": {"x": 1}}},
            "a has 2 runs, b has 1; both need the same number",
        ),
        (
            {"a": {"1": {"x": 1, "y": 1}, "2": {"x": 1}}, "b": {"1": {}, "2": {}}},
            "a: run '2' has no unit 'y'; every run needs every unit",
        ),
        (
            {"a": {"1": {"x": 1}, "2": {"x": 1, "y": 1}}, "b": {"1": {}, "2": {}}},
            "a: run '1' has no unit 'y'",
        ),
        (
            {"a": {"1": {"x": 1}}, "b": {"1": {"y": 1}}},
            "b: no unit 'x'; both systems need the same",
        ),
        (
            {"a": {"1": {"x": 2**53}, "2": {"x": 0.5}}, "b": {"1": {"x": 1}, "2": {"x": 1}}},
            "integers of 2\\^53 or more cannot be combined",
        ),
    ],
)
def test_what_is_wrong_with_runs_is_said_in_one_line(arguments, message):
    with pytest.raises(InputError, match=message) as caught:
        Comparison.from_scores(arguments.pop("a"), arguments.pop("b"), **arguments)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("a", "message"),
    [
        ({"x": [[1, 2, 2], [1, 2, 2]]}, "a: found several rows per unit; runs of a system are"),
        (np.ones((2, 3, 3), int) * [2, 1, 3], "a, run '1': unit 0: tp is 2, more than predicted"),
        (np.ones((2, 3, 2), int), r"a, run '1': expected \(units, 3\)"),
        (np.ones((2, 3, 3), int) * [0, 1, 2], "gold is 2 for a and 1 for b"),
    ],
)
def test_statistics_of_runs_are_checked(a, message):
    b = a if isinstance(a, dict) else np.ones((2, 3, 3), int)
    with pytest.raises(InputError, match=message):
        Comparison.from_statistics(a, b, COUNTS)


def test_runs_of_frames_need_ids():
    pandas = pytest.importorskip("pandas")
    series = [pandas.Series([1, 0, 1], index=list("xyz"))] * 2
    with pytest.raises(InputError, match="a: found a list of series or frames; for runs give"):
        Comparison.from_scores(series, series)
    with pytest.raises(InputError, match="has several numbers"):
        Comparison.from_scores({"1": series[0]}, {"1": series[0]})


def test_sums_over_runs_that_could_overflow_are_refused():
    rows = np.full((3, 4, 1), 2**57)
    with pytest.raises(InputError, match="the sums of the statistics reach 2"):
        Comparison.from_statistics(np.tile(rows, (2, 1, 1))[:3] * 2, rows, ["errors"])


def test_integers_of_one_run_beside_fractions_of_another():
    runs = {"1": {"x": 1, "y": 0}, "2": {"x": 0.5, "y": 0.25}}
    c = Comparison.from_scores(runs, {"1": {"x": 0, "y": 0}, "2": {"x": 0, "y": 0}})
    assert c.sums("a") == {"score": Fraction(7, 4), "n": 4}


@pytest.mark.parametrize(
    ("columns", "rows", "metric", "results"),
    [
        (("score", "n"), [[7, 1], [0, 1]], "mean", [7, 0]),
        (("correct", "items"), [[1, 1], [0, 1]], "accuracy", [1, 0]),
        (("items", "errors"), [[1, 4], [1, 0]], "error_rate", [4, 0]),
        (("tp", "predicted", "gold"), [[1, 5, 1], [0, 2, 1], [0, 9, 0]], "recall", [1, 0]),
        (("tp", "fp", "fn"), [[1, 0, 0], [0, 3, 1], [0, 1, 0]], "recall", [1, 0]),
    ],
)
def test_one_item_a_unit(columns, rows, metric, results):
    a = np.array(rows)
    found = results_of(columns, a, a.copy())
    assert (found.metric, found.a.tolist(), found.b.tolist()) == (metric, results, results)


@pytest.mark.parametrize(
    ("columns", "a", "b"),
    [
        (("score", "n"), [[7, 2]], [[1, 2]]),  # two items in a unit
        (("tp", "gold"), [[1, 2]], [[1, 2]]),
        (("tp", "fn"), [[1, 0]], [[0, 0]]),  # not the same gold
        (("errors", "words"), [[1, 1]], [[1, 1]]),  # words are no items
        (("x",), [[1]], [[1]]),
    ],
)
def test_several_items_a_unit(columns, a, b):
    assert results_of(columns, np.array(a), np.array(b)) is None
