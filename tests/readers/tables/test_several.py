"""Several files, each a system: by what rows are matched, and which columns are metrics."""

import random
from typing import Any

import numpy as np
import pytest
from cases import QUICK, plain
from commands import record, refused, run, words
from written import file_of, shares

from csig.readers import Table, read_table

N = 30
A, B = shares(N, 1), shares(N, 2)
MIXED = random.Random(3).sample(range(N), N)
UIDS = [f"u{i}" for i in range(N)]


def pair(one: dict[str, Any], two: dict[str, Any], mixed: bool = False) -> list[str]:
    return [file_of("one.csv", **one), file_of("two.csv", MIXED if mixed else (), **two)]


def by_key(table: Table) -> dict[str, tuple[Any, ...]]:
    columns = [np.asarray(own).tolist() for own in table.systems.values()]
    return dict(zip(map(str, table.ids or ()), zip(*columns, strict=True), strict=True))


# ---- rows ----------------------------------------------------------------------------------------
@pytest.mark.parametrize(("name", "options"), [
    ("id", {}), ("query", {}), ("", {}), ("name", {}), ("nr", {"id": "nr"}), ("x", {"id": "1"}),
])  # fmt: skip
def test_ids_match_the_rows(name, options):
    ids = [(i * 7919) % 1000 for i in range(N)] if name == "nr" else UIDS
    files = pair({name: ids, "bleu": A}, {name: ids, "bleu": B}, mixed=True)
    table = read_table(*files, **options)
    assert (list(table.systems), table.id_column) == (["one", "two"], name)
    assert by_key(table) == {str(i): (a, b) for i, a, b in zip(ids, A, B, strict=True)}


def test_rows_that_are_left_out_shift_no_others():
    """Without ids a row that is left out of one file is left out of the other, too."""
    gaps = [["" if i in own else x for i, x in enumerate(scores)]
            for own, scores in (({4, 9}, A), ({9, 20}, B))]  # fmt: skip
    files = pair({"kind": ["k"] * N, "score": gaps[0]}, {"kind": ["k"] * N, "score": gaps[1]})
    table = read_table(*files, allow_missing=True, ignore="kind")
    kept = [i for i in range(N) if i not in (4, 9, 20)]
    assert plain(table.systems) == {"one": [A[i] for i in kept], "two": [B[i] for i in kept]}
    assert table.ids is None
    assert table.cautions == ("3 of 30 items are left out: one lacks 2, two lacks 2.",)


# ---- columns -------------------------------------------------------------------------------------
ERR, NDCG = [A, B, shares(N, 5)], [shares(N, 3), shares(N, 4), shares(N, 6)]
SYSTEMS = ("one", "two", "three")


def runs(*names: str, **more: Any) -> list[str]:
    return [
        file_of(f"{name}.csv", **{"topic": UIDS, "err@20": err, "ndcg@20": ndcg, **more})
        for name, err, ndcg in zip(SYSTEMS, ERR, NDCG, strict=True)
        if name in names
    ]


def test_the_same_columns_are_metrics():
    table = read_table(*runs("one", "two"))
    assert (list(table.systems), table.metrics) == (["one", "two"], ("err@20", "ndcg@20"))
    for metric, scores in zip(table.metrics, (ERR, NDCG), strict=True):
        own = table.of_metric(metric)
        assert own.metric == f"mean {metric}"
        assert [values.tolist() for values in own.systems.values()] == scores[:2]
    assert "each is a metric and each file a system" in table.notes[0]
    chosen = read_table(*runs("one", "two"), metrics=["ndcg@20"])
    assert (chosen.columns, chosen.metric) == (("score",), "mean ndcg@20")
    assert chosen.systems["two"].tolist() == NDCG[1]
    chosen = read_table(*runs("one", "two"), systems=["one: err@20", "two: ndcg@20"])
    assert plain(chosen.systems) == {"one: err@20": ERR[0], "two: ndcg@20": NDCG[1]}
    assert list(read_table(*runs(*SYSTEMS), systems=["three", "one"]).systems) == ["three", "one"]


def test_one_row_per_metric_each_as_if_it_were_alone():
    files = runs("one", "two")
    found = record("compare", *files, *QUICK)
    assert [r["metric"] for r in found["results"]] == ["mean err@20", "mean ndcg@20"]
    names = (("err@20", ERR), ("ndcg@20", NDCG))
    for (name, scores), result in zip(names, found["results"], strict=True):
        assert record("compare", *files, *QUICK, "--metric", name)["results"] == [result]
        wide = file_of("wide.csv", topic=UIDS, one=scores[0], two=scores[1])
        own = record("compare", wide, *QUICK)["results"][0]
        for key in ("pvalue", "n_hits", "baseline_score", "score", "difference"):
            assert own[key] == result[key]
    both = record("compare", *files, *QUICK, "--metric", "err@20", "--metric", "ndcg@20")
    assert both["results"] == found["results"]


def test_audits_conversions_and_descriptions_of_metrics():
    files = runs("one", "two")
    for command in (("audit",), ("convert", "--output", "-")):
        said, *commands = refused(*command, *files).splitlines()
        assert said == "csig: found several metrics, 'err@20', 'ndcg@20', expected one"
        assert commands[0].endswith("--metric err@20")
    assert "found several metrics" in refused("compare", *files, "--by", "topic")
    said = refused("compare", *files, "--metric", "foo")
    assert "--metric foo: the files have the metrics 'err@20'" in said
    one = ("--metric", "ndcg@20")
    run("audit", *files, *one, "--resamples", "99", "--seed", "1", "--record", "r.json")
    inputs = (word for file in files for word in ("--inputs", file))
    assert "Verified" in words("verify", "r.json", *inputs)
    run("convert", *files, *one, "--output", "s.csv")
    again, direct = (record("compare", *own, *QUICK)["results"][0]
                     for own in (("--statistics", "s.csv"), (*files, *one)))  # fmt: skip
    for key in ("metric", "pvalue", "difference", "baseline_score", "score", "n_units"):
        assert again[key] == direct[key]
    assert "Mean err@20 Mean ndcg@20" in words("describe", *files)
