"""Many systems' numbers, aligned; tables of data sets by systems."""

import math
from fractions import Fraction

import numpy as np
import pandas as pd
import polars
import pytest

from csig.data.several import dataset_table, several

FRAME = pd.DataFrame({"a": [1, 2], 7: [4, 3]}, index=["y", "x"])


@pytest.mark.parametrize(
    ("systems", "given", "rows", "ids"),
    [
        ({"a": [1, 2, 3], "b": [4, 5, 6]}, {"ids": [*"zxy"]}, [[2, 3, 1], [5, 6, 4]], [*"xyz"]),
        ({"a": {"y": 1, "x": 0.5}, "b": {"x": 2, "y": 3}}, {}, [[0.5, 1.0], [2, 3]], ["x", "y"]),
        ({"a": FRAME[7], "b": FRAME["a"][::-1]}, {}, [[3, 4], [2, 1]], ["x", "y"]),
        (FRAME, {}, [[2, 1], [3, 4]], [*"xy"]),
        (FRAME.reset_index(drop=True), {}, [[1, 2], [4, 3]], None),
        (polars.DataFrame({"a": [1], "b": [0]}), {}, [[1], [0]], None),
        ({"a": [[1, 2]], "b": [[0, 2]]}, {"columns": ("tp", "gold")}, [[[1, 2]], [[0, 2]]], None),
    ],
)
def test_systems_in_any_form(systems, given, rows, ids):
    found = several(systems, **given)
    assert [own.tolist() for own in found.rows] == rows
    assert (found.ids, found.names) == (ids, tuple(map(str, getattr(systems, "columns", systems))))
    assert found.columns == given.get("columns", found.columns)


def test_clusters_go_with_their_ids():
    found = several({"a": [1, 2, 3], "b": [4, 5, 6]}, ids=["z", "x", "y"], clusters=[0, 1, 0])
    assert found.clusters == [1, 0, 0]
    found = several({"a": {"y": 1, "x": 0.5}, "b": {"x": 2, "y": 3}}, clusters={"x": 1, "y": 1})
    assert found.whole(np.array([[1, 2], [3, 4]])).tolist() == [[4, 6]]


def test_one_score_per_data_set():
    scores = {"a": [0.1, 0.2, 0.3], "b": [0.2, 0.1, 0.3]}
    found = dataset_table(scores)
    assert (found.names, found.datasets) == (("a", "b"), ("1", "2", "3"))
    assert found.scores.tolist() == [[0.1, 0.2], [0.2, 0.1], [0.3, 0.3]]
    assert (found.steps.tolist(), found.exact) == ([[1, 2], [2, 1], [3, 3]], True)
    assert (found.units, found.sizes.tolist()) == (None, [1, 1, 1])
    assert found.ranges.tolist() == [1, 1, 0]
    assert dataset_table(scores, ["x", 2, ("y", 3)]).datasets == ("x", "2", "y\t3")
    found = dataset_table({"a": {"x": 1, "y": 2}, "b": {"y": 3, "x": 4}})
    assert (found.datasets, found.scores.tolist()) == (("x", "y"), [[1, 4], [2, 3]])
    found = dataset_table({"a": FRAME["a"], "b": FRAME[7][::-1]})
    assert (found.datasets, found.scores.tolist()) == (("y", "x"), [[1, 4], [2, 3]])


def test_fractions_are_on_a_grid_and_others_keep_their_order():
    """1/3 against 2/7 is 7 against 6 of 21: ties between such scores are seen."""
    found = dataset_table({"a": [1 / 3, 2 / 7], "b": [1 / 7, 1.0]})
    assert (found.steps.tolist(), found.exact) == ([[7, 3], [6, 21]], True)
    found = dataset_table({"a": [2**0.5, 3**0.5], "b": [5**0.5, 7**0.25]})
    assert not found.exact
    assert (np.sign(found.steps[:, 0] - found.steps[:, 1]) == [-1, 1]).all()
    assert found.column(0).tolist() == [2**0.5, 3**0.5]


def test_units_by_labels_that_repeat_and_by_lists_are_the_same():
    flat = dataset_table({"a": [1, 0, 1, 1, 0], "b": [0, 0, 1, 1, 1]}, list("xyxyx"))
    listed = dataset_table({"a": {"x": [1, 1, 0], "y": [0, 1]}, "b": {"x": [0, 1, 1], "y": [0, 1]}})
    for found in (flat, listed):
        assert (found.datasets, found.sizes.tolist()) == (("x", "y"), [3, 2])
        assert found.scores.tolist() == [[2 / 3, 2 / 3], [0.5, 0.5]]
        assert (found.steps.tolist(), found.exact) == ([[4, 4], [3, 3]], True)  # sixths
        assert found.weighted(0).tolist() == [2, 2, 0, 0, 3]
    # No name can be there twice by mistake where it is a key.
    a = {"x": [1, 0, 1], "y": [1], "z": [0]}
    found = dataset_table({"a": a, "b": {"x": [0, 0, 1], "y": [0], "z": [1]}})
    assert (found.datasets, found.sizes.tolist()) == (("x", "y", "z"), [3, 1, 1])
    assert [own.tolist() for own in found.units] == [[1, 0, 1, 1, 0], [0, 0, 1, 0, 1]]
    assert found.scores[1:].tolist() == [[1, 0], [0, 1]]


def test_weighted_units_sum_to_the_means_of_data_sets():
    rng = np.random.default_rng(1)
    labels = np.repeat(["p", "q", "r"], [2, 3, 7])
    for scores in (rng.integers(0, 5, (2, 12)), rng.random((2, 12))):
        found = dataset_table({"a": scores[0], "b": scores[1]}, rng.permutation(labels))
        sums = [sum(Fraction(float(own)) for own in found.weighted(j)) for j in range(2)]
        means = found.scores.sum(axis=0)
        assert found.whole == (scores.dtype != float)
        if found.whole:
            assert float(sums[0] / 42) == pytest.approx(means[0], rel=1e-14)
        assert float(sums[0] / sums[1]) == pytest.approx(means[0] / means[1], rel=1e-13)


def test_means_of_tenths_that_are_tied_are_tied():
    """0.1 + 0.2 + 0.3 is 0.6, also where doubles say otherwise."""
    a, b = [0.1, 0.2, 0.3], [0.0, 0.0, 0.6]
    assert math.fsum(a) / 3 != sum(a) / 3
    found = dataset_table({"a": a * 2, "b": b * 2}, list("xxxyyy"))
    assert (found.scores == 0.2).all()
    assert found.whole
    assert found.weighted(0).tolist() == [1, 2, 3, 1, 2, 3]


def test_many_sizes_without_a_common_multiple_that_fits():
    """Scores are then doubles; zeros have no size of their own to bound the steps by."""
    sizes = [89, 97, 101, 103, 107, 109, 113, 127, 131, 137, 139]
    labels = np.repeat(np.arange(len(sizes)), sizes)
    ones = np.ones(len(labels), dtype=int)
    found = dataset_table({"a": 0 * ones, "b": 0 * ones}, labels)
    assert found.steps.dtype == np.int64
    assert not found.weighted(0).any()
    found = dataset_table({"a": ones[:-139], "b": 1 - ones[:-139]}, labels[:-139])
    assert found.weighted(0).dtype == np.float64
    assert found.scores.tolist() == [[1.0, 0.0]] * 10
