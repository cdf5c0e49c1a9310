"""Systems on the same data, from files or in memory: comparisons, metrics, what looks wrong."""

from collections import Counter

import pandas
import pytest
from drawn import several
from hypothesis import given, settings
from hypothesis import strategies as st

import csig
from csig.base.errors import InputError
from csig.data.comparison import Comparison
from csig.data.responses import Span
from csig.readers.data import CountsData, ResponseData, TableData
from csig.readers.describe import describe
from csig.readers.objects import of_comparisons, of_scores
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


COUNTS = Comparison.from_counts(gold=4, only_a_correct=2, only_b_correct=1)


@pytest.mark.parametrize(("kind", "ask", "message"), [
    ("spans", lambda own: own.at(0, 1, "token"),
     "--unit token is not possible here, only .*; labels"),
    ("spans", lambda own: own.parts("colour"),
     "--by colour: no such .* or column; there are 'label'"),
    ("spans", lambda own: own.columns("token"),
     "--unit token is not possible here, only 'response'"),
    ("counts", lambda own: own.comparison(2, 0), "counts are for exactly two systems"),
    *((kind, lambda own: own.metrics((), lower=True), "--lower-is-better is for tables of scores")
      for kind in ("spans", "counts")),
    ("counts", lambda own: own.parts("x"), "^--by x: counts cannot be"),
    ("counts", lambda own: own.columns(None), "^counts cannot be"),
])  # fmt: skip
def test_what_cannot_be_asked_of_spans_and_of_counts(kind, ask, message):
    document = {"d1": "P", "d2": "L"}
    spans = spans_data(document, document, document, clusters={"d1": "x", "d2": "x"})
    assert [spans.at(0, 1, unit).unit for unit in (None, "response")] == ["cluster", "response"]
    assert [*map(list, map(spans.parts, ("cluster", "document")))] == [["x"], ["d1", "d2"]]
    counts = CountsData(Input("counts", {}), NAMES, COUNTS)
    turned = Comparison.from_counts(gold=4, only_a_correct=1, only_b_correct=2, names=("b", "a"))
    assert (counts.comparison(0, 1), counts.comparison(1, 0)) == (COUNTS, turned)
    with pytest.raises(InputError, match=message) as error:
        ask({"spans": spans, "counts": counts}[kind])
    assert isinstance(error.value, OptionError) or kind == "counts"


def table_of(systems, **more) -> TableData:
    return TableData(Input("scores", {}), NAMES, Table("scores", ("score",), systems, **more))


THREE = st.lists(st.tuples(*[st.sampled_from("xyz")] * 3), min_size=1, max_size=20)


@settings(max_examples=several(15, 50))
@given(THREE)
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


@pytest.mark.parametrize(("clusters", "doubts"), [
    ("uvwxy", ["Every cluster has only one unit, so it makes no difference."]),
    ("uuvwx", []), ("uuvv", []), ("uuuvw", ["3 of 5 units are in one cluster, 'u'."]),
])  # fmt: skip
def test_odd_clusters(clusters, doubts):
    scores = {name: [i / k for i in range(len(clusters))] for name, k in (("a", 9), ("b", 7))}
    found = describe(table_of(scores, clusters=list(clusters)))
    assert found.units == {"unit": len(clusters), "cluster": len(set(clusters))}
    assert list(found.suspicious) == doubts


BASE = {"q1": 0.25, "q2": 0.5, "q3": 0.5, "q4": 0.75}
NEW = {"q4": 1.0, "q3": 0.25, "q2": 0.75, "q1": 0.5}
GROUPS = {"q1": "x", "q2": "x", "q3": "y", "q4": "z"}
ROWS = {"base": list(BASE.values()), "new": [NEW[key] for key in BASE]}


@pytest.mark.parametrize(("inputs", "options"), [
    ([{"base": BASE, "new": NEW}], {}), ([BASE, NEW], {"names": ["base", "new"]}),
    ([{"x": BASE, "new": NEW, "base": BASE}], {"names": ["base", "new"]}),
    ([pandas.Series(BASE, name="base"), pandas.Series(NEW, name="new")], {}),
    ([{"base": BASE, "new": NEW}], {"clusters": GROUPS}),
    ([ROWS], {"ids": list(BASE), "clusters": list(GROUPS.values())}),
])  # fmt: skip
def test_systems_by_name_are_aligned_by_id(inputs, options):
    data = of_scores(inputs, **options)
    clusters = GROUPS if "clusters" in options else None
    assert data.names == ("base", "new")
    assert data.comparison(0, 1) == csig.Comparison.from_scores(
        BASE, NEW, names=("base", "new"), cluster=clusters
    )
    assert data.comparison(0, 1).levels == ("unit", "cluster")[: 1 + (clusters is not None)]


def test_labels_with_a_gold():
    gold, a, b = ["x", "y", "x", "z"], ["x", "x", "x", "z"], ["y", "y", "x", "z"]
    data = of_scores([{"a": a, "b": b}], gold=gold)
    assert data.metrics(()) == ["accuracy", "macro_f1", "mcc", "kappa"]
    assert data.comparison(0, 1).scores("accuracy") == (0.75, 0.75)
    assert ({*data.parts("gold")}, data.columns(None)["label_b"]) == ({*"xyz"}, b)
    assert of_scores([a, b], gold=gold, positive="x").metrics(()) == ["recall", "precision", "f1"]
    with pytest.raises(csig.InputError, match="--positive is for labels"):
        of_scores([[1, 0], [0, 1]], positive="x")


def test_what_some_system_lacks_is_left_out_where_asked():
    more = {**NEW, "q9": 1.0}
    data = of_scores([{"base": BASE, "new": more}], allow_missing=True)
    assert data.comparison(0, 1).sums("a")["n"] == 4
    assert data.source.cautions == ("1 of 5 items is left out: base alone lacks 1.",)


def of(system, *, base="base", scores=NEW):
    return csig.Comparison.from_scores(scores, BASE, names=(system, base))


def test_comparisons_share_their_baseline():
    data = of_comparisons([of("x"), of("y")])
    assert data.names == ("base", "x", "y")
    assert data.comparison(2, 0) == of("y")
    assert data.metrics(()) == ["mean"]
    assert data.metrics(["mean"], lower=True)[0].greater_is_better is False
    with pytest.raises(csig.InputError, match="--baseline: comparisons are with 'base'"):
        data.comparison(0, 1)
    with pytest.raises(csig.InputError, match="goes with --metric mean"):
        data.metrics(["f1"], lower=True)


def test_columns_without_a_default_need_a_metric():
    data = of_comparisons([csig.Comparison.from_statistics([[1]], [[0]], ["n"])])
    with pytest.raises(csig.InputError, match="--metric: there is no default for 'n'; name one"):
        data.metrics(())
