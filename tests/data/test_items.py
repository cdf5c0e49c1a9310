"""Which results on single items a table holds."""

import numpy as np
import pytest

from csig.data.tables import results_of


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
