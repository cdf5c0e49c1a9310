"""Systems on the same data, of every kind: comparisons, metrics, parts and columns agree."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from csig.base.errors import InputError
from csig.data.comparison import Comparison
from csig.data.responses import Span
from csig.readers.data import CountsData, ResponseData, TableData
from csig.readers.request import Input, OptionError, ResponseTable
from csig.readers.tables.matching import Table

NAMES = ("a", "b")
SOURCE = Input("spans", {})


def spans_data(gold, *systems, clusters=None) -> ResponseData:
    """Labels of single places, by document."""
    everybody = [
        {key: [Span(key, i, i + 1, label) for i, label in enumerate(own) if label != "-"]
         for key, own in side.items()}
        for side in (gold, *systems)
    ]  # fmt: skip
    table = ResponseTable(
        everybody[0], dict(zip(NAMES, everybody[1:], strict=True)), clusters, "document",
        None if clusters is None else "cluster", spans=True,
    )  # fmt: skip
    return ResponseData(SOURCE, NAMES, table)


SIDES = st.fixed_dictionaries(
    {key: st.text("-PL", min_size=4, max_size=4) for key in ("d1", "d2", "d3")}
)


@given(SIDES, SIDES, SIDES)
def test_parts_by_label_add_up(gold, a, b):
    data = spans_data(gold, a, b)
    if not any(set("PL") & set(text) for own in (gold, a, b) for text in own.values()):
        with pytest.raises(InputError, match="no responses to break down"):
            data.parts("label")
        return
    whole = data.comparison(0, 1)
    for side in "ab":
        sums = [part.comparison(0, 1).sums(side) for part in data.parts("label").values()]
        for column, total in whole.sums(side).items():
            assert sum(own[column] for own in sums) == total


@given(SIDES, SIDES, SIDES)
def test_rows_of_documents_are_the_sums_of_responses(gold, a, b):
    data = spans_data(gold, a, b)
    fine, coarse = data.columns(None), data.columns("document")
    sums = data.comparison(0, 1).sums("a")
    for column, name in (("tp_a", "tp"), ("predicted_a", "predicted"), ("gold", "gold")):
        assert sum(fine[column]) == sum(coarse[column]) == sums[name]


@pytest.mark.parametrize(("ask", "message"), [
    (lambda data: data.at(0, 1, "token"), "--unit token is not possible here, only .*; labels"),
    (lambda data: data.parts("colour"), "--by colour: no such .* or column; there are 'label'"),
    (lambda data: data.columns("token"), "--unit token is not possible here, only 'response'"),
    (lambda data: data.metrics((), lower=True), "--lower-is-better is for tables of scores"),
])  # fmt: skip
def test_units_that_are_known_and_others(ask, message):
    document = {"d1": "P", "d2": "L"}
    data = spans_data(document, document, document, clusters={"d1": "x", "d2": "x"})
    assert data.at(0, 1, None).unit == "cluster"
    assert data.at(0, 1, "response").unit == "response"
    with pytest.raises(OptionError, match=message):
        ask(data)


def table_of(format_, systems, **more) -> TableData:
    columns = {"labels": ("label",), "scores": ("score",)}[format_]
    return TableData(Input(format_, {}), NAMES, Table(format_, columns, systems, **more))


def test_scores_of_right_and_wrong_are_counts():
    systems = {name: np.array(own) for name, own in (("a", [1, 0, 1]), ("b", [0, 0, 1]))}
    data = table_of("scores", systems, clusters=["x", "x", "y"], cluster_column="task_id")
    assert data.binary
    assert data.metrics(()) == ["accuracy"]
    comparison = data.comparison(0, 1)
    assert comparison.unit == "task"
    assert comparison.sums("a") == {"correct": 2, "items": 3}
    assert all(part.binary for part in data.parts("task").values())
    halves = table_of("scores", {"a": np.array([0.5, 1]), "b": np.array([1, 1.0])})
    assert halves.metrics(()) == ["mean"]
    assert halves.metrics((), lower=True)[0].greater_is_better is False


def test_labels_are_by_class_or_by_one():
    systems = {"a": ["x", "y"], "b": ["y", "y"]}
    data = table_of("labels", systems, gold=["x", "y"], gold_column="gold")
    assert data.metrics(()) == ["accuracy", "macro_f1", "mcc", "kappa"]
    assert {*data.parts("gold")} == {"x", "y"}
    assert data.columns(None)["label_b"] == ["y", "y"]


@pytest.mark.parametrize(("ask", "message"), [
    (lambda data: data.comparison(2, 0), "counts are for exactly two systems"),
    (lambda data: data.metrics((), lower=True), "--lower-is-better is for tables of scores"),
    (lambda data: data.parts("x"), "^--by x: counts cannot be"),
    (lambda data: data.columns(None), "^counts cannot be"),
])  # fmt: skip
def test_counts_are_of_two_systems_and_no_more(ask, message):
    counts = Comparison.from_counts(gold=4, only_a_correct=2, only_b_correct=1)
    data = CountsData(Input("counts", {}), NAMES, counts)
    assert data.comparison(0, 1) is counts
    turned = Comparison.from_counts(gold=4, only_a_correct=1, only_b_correct=2, names=("b", "a"))
    assert data.comparison(1, 0) == turned
    with pytest.raises(InputError, match=message):
        ask(data)
