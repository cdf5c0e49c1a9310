"""Many systems' numbers, aligned."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

from csig import InputError
from csig.data.several import several


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
    polars = pytest.importorskip("polars")
    assert [own.tolist() for own in several(polars.DataFrame({"a": [1], "b": [0]})).rows] == [
        [1], [0],
    ]  # fmt: skip
    with pytest.raises(InputError, match="two of them have the same name"):
        several(pd.DataFrame([[1, 2]], columns=["a", "a"]))
    with pytest.raises(InputError, match="id: unit 0: expected a number"):
        several(pd.DataFrame({"id": ["x", "y"], "a": [1, 2], "b": [1, 3]}))


def test_statistics() -> None:
    found = several({"a": [[1, 2]], "b": [[0, 2]]}, ("tp", "predicted"))
    assert found.columns == ("tp", "predicted")
    assert [own.tolist() for own in found.rows] == [[[1, 2]], [[0, 2]]]


@pytest.mark.parametrize(
    ("systems", "message"),
    [
        ([[1], [2]], "systems must be a mapping"),
        ({"a\nb": [1], "b": [1, 2]}, r"b has 2 items, a\\nb has 1"),
        ({"a": [1]}, "found 1 system, expected two or more"),
        ({"a": [1], "b": 3}, "b: expected one score per unit, found 3"),
        ({"a": [1], "b": "x"}, "b: expected one score per unit, found 'x'"),
        ({"a": [1], "b": [1, 2]}, "b has 2 items, a has 1"),
        ({"a": [1.0, float("nan")], "b": [1, 2]}, "unit 1: expected a finite number"),
        ({"a": [1, 2], "b": [1, None]}, "unit 1"),
        ({"a": {"x": 1}, "b": {"x": 1, "y": 2}}, "b: has 1 id that a lacks: 'y'"),
        ({"a": {"x": 1, "y": 2}, "b": {"x": 1}}, "b: lacks 1 id that a has: 'y'"),
        ({"a": {"x": 1}, "b": [1]}, "b: found no {id: score}"),
        ({"a": [], "b": []}, "found no units"),
        ({1: [1], "1": [2]}, "names with the same text"),
        ({"a": np.ones((2, 2)), "b": np.ones((2, 2))}, "a: expected one number per unit"),
    ],
)
def test_refused(systems: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        several(systems)


def test_refused_labels() -> None:
    with pytest.raises(InputError, match="the units have no ids"):
        several({"a": [1], "b": [2]}, clusters={"x": 1})
    with pytest.raises(InputError, match="ids already"):
        several({"a": {"x": 1}, "b": {"x": 2}}, ids=["x"])
    with pytest.raises(InputError, match="more than once"):
        several({"a": [1, 2], "b": [2, 2]}, ids=["x", "x"])
