"""What is in the data, and what looks wrong with it."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from places import DOCS, EXAMPLES

import csig
from csig.readers.data import TableData
from csig.readers.describe import SCHEMA, as_dict, describe
from csig.readers.request import Input
from csig.readers.tables.matching import Table

LABELS = st.lists(st.tuples(*[st.sampled_from("xyz")] * 3), min_size=1, max_size=20)


@given(LABELS)
def test_labels_are_counted(rows):
    gold, a, b = (list(column) for column in zip(*rows, strict=True))
    table = Table("labels", ("label",), {"a": a, "b": b}, gold=gold, gold_column="gold")
    found = describe(TableData(Input("labels", {}), ("a", "b"), table))
    assert found.units == {"unit": len(rows)}
    assert {row.label: row.gold for row in found.labels} == {
        label: Counter(gold)[label] for label in {*gold, *a, *b}
    }
    for name, own in (("a", a), ("b", b)):
        assert sum(row.predicted[name] for row in found.labels) == len(rows)
        right = sum(x == y for x, y in zip(gold, own, strict=True))
        assert sum(row.correct[name] for row in found.labels) == right
        assert (f"{name} is exactly the gold." in found.suspicious) == (own == gold)
    assert ("a and b are identical." in found.suspicious) == (a == b)
    assert [row.gold for row in found.labels] == sorted(
        (row.gold for row in found.labels), reverse=True
    )


@pytest.mark.parametrize(("clusters", "doubt"), [
    ("uvwxy", "Every cluster has only one unit, so it makes no difference."),
    ("uuvwx", None), ("uuvv", None),
    ("uuuvw", "3 of 5 units are in one cluster, 'u'."),
])  # fmt: skip
def test_odd_clusters(clusters, doubt):
    scores = {name: [i / k for i in range(len(clusters))] for name, k in (("a", 9), ("b", 7))}
    table = Table("scores", ("score",), scores, clusters=list(clusters))
    found = describe(TableData(Input("scores", {}), ("a", "b"), table))
    assert found.units == {"unit": len(clusters), "cluster": len(set(clusters))}
    assert list(found.suspicious) == [doubt] * (doubt is not None)


def test_the_docs_list_every_field():
    names = ("gold", "logistic-regression", "nearest-centroid")
    reading = csig.read(*(EXAMPLES / "digits" / f"{name}.tsv" for name in names))
    found = as_dict(reading.describe(), "1.2")
    assert json.loads(json.dumps(found)) == found
    assert (found["schema"], found["csig_version"]) == (SCHEMA, "1.2")
    assert found["input"] == reading.source.as_dict()
    text = (DOCS / "json.md").read_text(encoding="utf-8")
    assert all(f"`{name}`" in text for name in (SCHEMA, *found))
