"""Many systems' numbers, aligned; tables of data sets by systems."""

import math
from fractions import Fraction

import numpy as np
import pandas as pd
import polars
import pytest

from csig.data.several import dataset_table, several


def test_order_of_ids() -> None:
    found = several({"a": [1, 2, 3], "b": [4, 5, 6]}, ids=["z", "x", "y"], clusters=[0, 1, 0])
    assert [own.tolist() for own in found.rows] == [[2, 3, 1], [5, 6, 4]]
    assert found.ids == ["x", "y", "z"]
    assert found.clusters == [1, 0, 0]


def test_mappings() -> None:
    found = several({"a": {"y": 1, "x": 0.5}, "b": {"x": 2, "y": 3}}, clusters={"x": 1, "y": 1})
    assert [own.tolist() for own in found.rows] == [[0.5, 1.0], [2, 3]]
    assert found.whole(np.array([[1, 2], [3, 4]])).tolist() == [[4, 6]]


def test_series_by_their_index() -> None:
    a = pd.Series([1, 2], index=["x", "y"])
    found = several({"a": a, "b": pd.Series([3, 4], index=["y", "x"])})
    assert [own.tolist() for own in found.rows] == [[1, 2], [4, 3]]


def test_data_frames_have_a_column_per_system() -> None:
    scores = {"a": [1, 2], 7: [4, 3]}
    found = several(pd.DataFrame(scores, index=["y", "x"]))
    assert found.names == ("a", "7")
    assert found.ids == ["x", "y"]
    assert [own.tolist() for own in found.rows] == [[2, 1], [3, 4]]
    assert several(pd.DataFrame(scores)).ids is None
    by_polars = several(polars.DataFrame({"a": [1], "b": [0]}))
    assert [own.tolist() for own in by_polars.rows] == [[1], [0]]


def test_statistics() -> None:
    found = several({"a": [[1, 2]], "b": [[0, 2]]}, ("tp", "predicted"))
    assert found.columns == ("tp", "predicted")
    assert [own.tolist() for own in found.rows] == [[[1, 2]], [[0, 2]]]


SCORES = {"a": [0.1, 0.2, 0.3], "b": [0.2, 0.1, 0.3]}


def test_one_score_per_data_set():
    found = dataset_table(SCORES)
    assert found.names == ("a", "b")
    assert found.datasets == ("1", "2", "3")
    assert found.scores.tolist() == [[0.1, 0.2], [0.2, 0.1], [0.3, 0.3]]
    assert (found.steps.tolist(), found.exact) == ([[1, 2], [2, 1], [3, 3]], True)
    assert (found.units, found.sizes.tolist()) == (None, [1, 1, 1])
    assert found.ranges.tolist() == [1, 1, 0]
    assert dataset_table(SCORES, ["x", 2, ("y", 3)]).datasets == ("x", "2", "y\t3")


def test_by_name_in_the_order_of_the_first():
    found = dataset_table({"a": {"x": 1, "y": 2}, "b": {"y": 3, "x": 4}})
    assert found.datasets == ("x", "y")
    assert found.scores.tolist() == [[1, 4], [2, 3]]


def test_scores_on_no_grid_keep_their_order():
    found = dataset_table({"a": [2**0.5, 3**0.5], "b": [5**0.5, 7**0.25]})
    assert not found.exact
    assert (np.sign(found.steps[:, 0] - found.steps[:, 1]) == [-1, 1]).all()
    assert found.column(0).tolist() == [2**0.5, 3**0.5]


def test_fractions_are_on_a_grid():
    """1/3 against 2/7 is 7 against 6 of 21: ties between such scores are seen."""
    found = dataset_table({"a": [1 / 3, 2 / 7], "b": [1 / 7, 1.0]})
    assert (found.steps.tolist(), found.exact) == ([[7, 3], [6, 21]], True)


def test_units_by_labels_that_repeat_and_by_lists_are_the_same():
    flat = dataset_table({"a": [1, 0, 1, 1, 0], "b": [0, 0, 1, 1, 1]}, list("xyxyx"))
    listed = dataset_table({"a": {"x": [1, 1, 0], "y": [0, 1]}, "b": {"x": [0, 1, 1], "y": [0, 1]}})
    for found in (flat, listed):
        assert found.datasets == ("x", "y")
        assert found.sizes.tolist() == [3, 2]
        assert found.scores.tolist() == [[2 / 3, 2 / 3], [0.5, 0.5]]
        assert found.steps.tolist() == [[4, 4], [3, 3]]  # sixths
        assert found.exact
        assert found.weighted(0).tolist() == [2, 2, 0, 0, 3]


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


def test_units_by_data_set_may_be_single_ones():
    """No name can be there twice by mistake: it is a key."""
    a = {"x": [1, 0, 1], "y": [1], "z": [0]}
    found = dataset_table({"a": a, "b": {"x": [0, 0, 1], "y": [0], "z": [1]}})
    assert found.datasets == ("x", "y", "z")
    assert found.sizes.tolist() == [3, 1, 1]
    assert [own.tolist() for own in found.units] == [[1, 0, 1, 1, 0], [0, 0, 1, 0, 1]]
    assert found.scores[1:].tolist() == [[1, 0], [0, 1]]


def test_nothing_on_many_sizes():
    """Zeros have no size of their own to bound the steps by."""
    sizes = [89, 97, 101, 103, 107, 109, 113, 127, 131, 137, 139]
    labels = np.repeat(np.arange(len(sizes)), sizes)
    zeros = np.zeros(len(labels), dtype=int)
    found = dataset_table({"a": zeros, "b": zeros}, labels)
    assert found.steps.dtype == np.int64
    assert not found.weighted(0).any()


def test_units_of_large_data_sets_whose_steps_do_not_fit():
    """A common multiple of many sizes is too large for integers; scores are then doubles."""
    sizes = [89, 97, 101, 103, 107, 109, 113, 127, 131, 137]
    labels = np.repeat(np.arange(len(sizes)), sizes)
    ones = np.ones(len(labels), dtype=int)
    found = dataset_table({"a": ones, "b": 1 - ones}, labels)
    assert found.weighted(0).dtype == np.float64
    assert found.scores.tolist() == [[1.0, 0.0]] * len(sizes)


def test_series_go_by_their_index():
    a, b = pd.Series([1, 2, 3], index=list("xyz")), pd.Series([6, 5, 4], index=list("zyx"))
    found = dataset_table({"a": a, "b": b})
    assert found.datasets == ("x", "y", "z")
    assert found.scores.tolist() == [[1, 4], [2, 5], [3, 6]]
