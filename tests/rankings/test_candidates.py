"""Tables of candidates: what is read, what is accepted, what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas
import polars
import pytest

from csig import InputError
from csig.rankings.nbest import Rule, candidates, list_sizes

TABLE = {"true": [1, 0, 1, 0, 0], "x": [3, 5, 5, 1, 3], "y": [0.5, 0.25, 0.125, 1, 0]}


@pytest.mark.parametrize("kind", [dict, pandas.DataFrame, polars.DataFrame])
def test_orders_and_ties(kind: Any) -> None:
    found = candidates(kind(TABLE), ["x", "y"], "true", "y")
    x, y = found.rankings
    assert found.n_true == 2
    assert x.order.tolist() == [1, 2, 0, 4, 3]
    assert (x.starts.tolist(), x.ends.tolist()) == ([0, 0, 2, 2, 4], [2, 2, 4, 4, 5])
    assert x.true.tolist() == [0, 0, 1, 2, 2, 2]
    assert y.order.tolist() == [4, 2, 1, 0, 3]
    assert y.ends.tolist() == [1, 2, 3, 4, 5]


@pytest.mark.parametrize(
    "true",
    [
        [True, False, True, False, False],
        np.array([1.0, 0, 1, 0, 0]),
        np.array([1, 0, True, 0, 0], dtype=object),
        np.array([np.bool_(True), np.int64(0), np.float64(1), False, 0], dtype=object),
        pandas.Series([True, False, True, False, False]),
    ],
)
def test_what_true_can_be(true: Any) -> None:
    assert candidates(TABLE | {"true": true}, "x", "true", ()).true.tolist() == [1, 0, 1, 0, 0]


def test_series_go_together_by_their_index() -> None:
    true = pandas.Series(TABLE["true"], index=list("abcde"))
    x = pandas.Series(TABLE["x"], index=list("abcde"))
    turned = candidates({"true": true, "x": x[::-1]}, "x", "true", ()).rankings[0]
    assert turned.scores.tolist() == TABLE["x"]
    way_out = "make one data frame of the columns, or drop each index with reset_index.drop=True.$"
    other = pandas.Series(TABLE["true"], index=[4, 3, 2, 1, 0])
    for first, x in (
        (true, pandas.Series(TABLE["x"], index=list("abcdx"))),
        (other, pandas.Series(TABLE["x"])),
    ):
        with pytest.raises(InputError, match=way_out) as error:
            candidates({"true": first, "x": x}, "x", "true", ())
        assert "ids=" not in str(error.value)


@pytest.mark.parametrize(
    ("change", "methods", "message"),
    [
        ({"true": [0] * 5}, "x", "true: none of 5 candidates is true; there is nothing to find"),
        ({"true": [1, 2, 0, 0, 0]}, "x", "true: whether .* True or False, or 1 or 0, found 2"),
        ({"true": ["yes", "no", 1, 0, 0]}, "x", "true: whether .*, found 'yes'"),
        ({"true": [1, None, 1, 0, 0]}, "x", "true: whether .*, found None"),
        ({"true": [1, float("nan"), 1, 0, 0]}, "x", "true: whether .*, found nan"),
        ({"x": [1, 2, float("nan"), 4, 5]}, "x", "x: .*expected a finite number, found nan"),
        ({"x": ["a", 2, 3, 4, 5]}, "x", "x: expected numbers, found"),
        ({"x": [2.5] * 5}, "x", "x: all 5 candidates have the score 2.5; .* no n best"),
        ({"x": [1, 2]}, "x", "x has 2 values, true has 5"),
        ({"x": "word"}, "x", "x: expected one value per candidate, found 'word'"),
        ({}, "z", "no column is called 'z'; there are 'true', 'x', 'y'"),
        ({}, "X", "no column is called 'X' .did you mean 'x'"),
        ({}, [], "methods: found none"),
        ({}, ["x", "x"], "methods: found one twice among 'x', 'x'"),
        ({}, ["true"], "methods: 'true' is the column that says which candidates are true"),
        ({}, 3, "methods: expected names of columns, found 3"),
        ({}, None, "methods: expected names of columns, found None"),
        ({}, ["x", ["y"]], "methods: the name of a column must be text, found .'y'."),
        ({"true": [], "x": []}, "x", "found no candidates"),
    ],
)
def test_what_is_refused(change: dict[str, Any], methods: Any, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        candidates(TABLE | change, methods, "true", ())
    assert "\n" not in str(caught.value)


def test_what_else_is_refused() -> None:
    with pytest.raises(InputError, match="lower_is_better: 'y' is none of the methods"):
        candidates(TABLE, "x", "true", "y")
    with pytest.raises(InputError, match=r"table must be a mapping .* found list"):
        candidates([1, 2], "x", "true", ())
    with pytest.raises(InputError, match="lower_is_better: expected names of columns, found None"):
        candidates(TABLE, "x", "true", None)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="lower_is_better: expected names of columns, found <gen"):
        candidates(TABLE, "x", "true", (name for name in "x"))  # type: ignore[arg-type]
    with pytest.raises(InputError, match="true: the name of a column must be text, found 0"):
        candidates({0: [1, 0], "x": [1, 2]}, "x", 0, ())  # type: ignore[arg-type]
    with pytest.raises(InputError, match="table: found no columns"):
        candidates({}, "x", "true", ())
    with pytest.raises(InputError, match=r"table must be a mapping .* found LazyFrame"):
        candidates(polars.LazyFrame(TABLE), "x", "true", ())
    doubled = pandas.DataFrame([[1, 2, 3], [0, 3, 4]], columns=["true", "x", "x"])
    with pytest.raises(InputError, match="two columns are called 'x'"):
        candidates(doubled, "x", "true", ())


def test_lengths() -> None:
    assert list_sizes(None, 4).tolist() == [1, 2, 3, 4]
    assert list_sizes(3, 4).tolist() == [3]
    assert list_sizes([4, 2, np.int64(2)], 4).tolist() == [2, 4]
    assert list_sizes(np.array([4, 2, 2], dtype=np.uint8), 4).tolist() == [2, 4]
    for bad, message in (
        (5, "n = 5, but the table has 4 candidates"),
        (0, "n must be an integer of 1 or more, or several, found 0"),
        ("10", "n must be an integer of 1 or more, or several, found '10'"),
        ([], "n: found no number, expected one length of lists or more"),
        ([2, 1.5], "found 1.5"),
        (np.array([2, -1]), "found -1"),
        (np.array([[2, 1]]), "n must be an integer"),
        ("many", "found 'many'"),
    ):
        with pytest.raises(InputError, match=message):
            list_sizes(bad, 4)


# ---- what is accepted, against lists that are sorted one by one --------------------------------


RNG = np.random.default_rng(5)
SAMPLED = {
    "true": [1, *RNG.integers(0, 2, 59).tolist()],
    "x": RNG.integers(0, 6, 60).tolist(),
    "y": RNG.integers(0, 30, 60).tolist(),
    "part": RNG.integers(0, 5, 60).tolist(),
}
FOUND = candidates(SAMPLED, ["x", "y"], "true", "y", "part")


def best(rows: list[int], scores: list[float], n: int, ties: str) -> tuple[set[int], bool]:
    order = sorted(rows, key=lambda i: -scores[i])
    whole = {i for i in rows if scores[i] >= scores[order[n - 1]]}
    return (whole if ties == "all" else set(order[:n])), len(whole) > n


@pytest.mark.parametrize("ties", ["all", "first"])
@pytest.mark.parametrize(("i", "scores"), [(0, SAMPLED["x"]), (1, [-own for own in SAMPLED["y"]])])
def test_the_best_of_every_sample_and_of_all(ties: str, i: int, scores: list[float]) -> None:
    for n in range(1, 8):
        taken, cuts = Rule(n, None, None, FOUND, "y").accepted(i, FOUND, ties)
        wanted: set[int] = set()
        cut = 0
        for sample in range(5):
            rows = [k for k in range(60) if SAMPLED["part"][k] == sample]
            own, within = best(rows, scores, n, ties)
            wanted |= own
            cut += within
        assert (set(np.flatnonzero(taken).tolist()), cuts) == (wanted, cut)
    for total in (1, 17, 60):
        taken, cuts = Rule(None, None, total, FOUND, "y").accepted(i, FOUND, ties)
        own, within = best(list(range(60)), scores, total, ties)
        assert (set(np.flatnonzero(taken).tolist()), cuts) == (own, within)


def test_thresholds_are_the_same_in_every_sample() -> None:
    for threshold in ((3, 20), {"y": 20, "x": 3}, np.array([3, 20])):
        rule = Rule(None, threshold, None, FOUND, ["y"])
        assert rule.thresholds == (3, 20)
        assert rule.accepted(0, FOUND, "all")[0].tolist() == [own >= 3 for own in SAMPLED["x"]]
        assert rule.accepted(1, FOUND, "all")[0].tolist() == [own <= 20 for own in SAMPLED["y"]]


@pytest.mark.parametrize(
    ("n", "threshold", "total", "message"),
    [
        (None, None, None, "give one of n .*, threshold .* and total"),
        (3, 2, None, "give one of n .*, threshold .* and total"),
        (0, None, None, "n must be an integer from 1"),
        (None, None, 61, "total = 61, but the table has 60 candidates"),
        (None, (1, 2, 3), None, "threshold must be one number or one per method, found 3 for 2"),
        (None, {"x": 2}, None, "threshold: none for 'y'"),
        (None, "high", None, "threshold of x must be a number, found 'high'"),
        (None, (99, 1), None, "no candidate has a score of 99 or better by x"),
    ],
)
def test_rules_that_are_refused(n: Any, threshold: Any, total: Any, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        Rule(n, threshold, total, FOUND, "y")
    assert "\n" not in str(caught.value)


def test_samples_that_are_too_small_are_named() -> None:
    table = {"true": [1, 0, 1, 0], "x": [1, 2, 3, 4], "part": ["a", "a", "a", "b"]}
    found = candidates(table, "x", "true", (), "part")
    with pytest.raises(InputError, match="n = 2, but sample 'b' has 1 candidate; give a smaller n"):
        Rule(2, None, None, found, ())
