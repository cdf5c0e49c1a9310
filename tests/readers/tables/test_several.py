"""Several files, each a system: by what rows are matched, and which columns are metrics."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cases import check, check_refused, plain, read
from commands import record, refused, run, words
from written import file_of, shares

import csig
from csig.base.errors import InputError
from csig.readers import Table, read_table

N = 30
A, B = shares(N, 1), shares(N, 2)
MIXED = random.Random(3).sample(range(N), N)
UIDS = [f"u{i}" for i in range(N)]
NUMBERS = [(i * 7919) % 1000 for i in range(N)]


def pair(one: dict[str, Any], two: dict[str, Any], mixed: bool = False) -> list[str]:
    return [file_of("one.csv", **one), file_of("two.csv", MIXED if mixed else (), **two)]


def by_key(table: Table) -> dict[str, tuple[Any, ...]]:
    """Both systems' scores by id, whatever the order."""
    columns = [np.asarray(own).tolist() for own in table.systems.values()]
    return dict(zip(map(str, table.ids or ()), zip(*columns, strict=True), strict=True))


# ---- rows ----------------------------------------------------------------------------------------
@pytest.mark.parametrize(("name", "options"), [
    ("id", {}), ("query", {}), ("", {}), ("name", {}), ("nr", {"id": "nr"}), ("x", {"id": "1"}),
])  # fmt: skip
@pytest.mark.parametrize("column", ["score", "bleu"])
def test_ids_match_the_rows(name, options, column):
    ids = NUMBERS if name == "nr" else UIDS
    files = pair({name: ids, column: A}, {name: ids, column: B}, mixed=True)
    table = read_table(*files, **options)
    assert (list(table.systems), table.id_column) == (["one", "two"], name)
    assert by_key(table) == {str(i): (a, b) for i, a, b in zip(ids, A, B, strict=True)}


def two(one: str, other: str) -> dict[str, str]:
    return {"one.csv": one.replace(" ", "\n") + "\n", "two.csv": other.replace(" ", "\n") + "\n"}


@pytest.mark.parametrize(("files", "options", "expected"), [
    # By their order: nothing has ids.
    (two("score 1 2 3", "score 3 2 1"), {}, {"ids": None, "notes": ()}),
    (two("kind,score k,1 k,2", "kind,score k,3 k,5"), {"ignore": "kind"},
     {"ids": None, "notes": ("Rows are matched by their order: no column has ids.",)}),
    # One of them in another dress.
    ({"one.csv": "id,score\nx,1\ny,0.5\n", "runs/two.tsv": "id\tscore\ny\t0\nx\t1\n"}, {},
     {"systems": {"one": [1, 0.5], "two": [1, 0]}}),
    ({"one.json": '[{"id": "x", "score": 1}]', "two.csv": "id,score\nx,0.5\n"}, {},
     {"systems": {"one": [1], "two": [0.5]}}),
    # One number per line.
    ({"one.txt": "F1\n1\n0.5\n", "two.txt": "F1\n0.25\n1\n\n"}, {}, {"n_units": 2}),
    ({"one.txt": "1\n\n0\n", "two.txt": "0\n1\n1\n"}, {"allow_missing": True},
     {"n_units": 2, "cautions": ("1 of 3 items is left out: one alone lacks 1.",)}),
    ({"one.txt": "1\n0\n", "two.txt": "0\n0\n", "c.txt": "1\n1\n"}, {"format": "scores"},
     {"systems": ["one", "two", "c"]}),
    # Labels, counts, clusters.
    (two("id,gold,said 1,p,p 2,n,p", "id,gold,said 2,n,n 1,p,p"), {},
     {"format": "labels", "systems": {"one": ["p", "p"], "two": ["p", "n"]}}),
    (two("id,tp,predicted,gold 1,2,3,4 2,0,1,1", "id,tp,predicted,gold 2,1,1,1 1,1,2,4"), {},
     {"format": "counts",
      "systems": {"one": [[2, 3, 4], [0, 1, 1]], "two": [[1, 2, 4], [1, 1, 1]]}}),
    (two("utt,errors,words 1,2,7 2,0,5", "utt,errors,words 1,1,7 2,1,5"), {"id": "utt"},
     {"columns": ("errors", "words"), "ids": ["1", "2"]}),
    ({f"{own}.csv": "id,task,em\n" + "".join(f"{i},t{i % 4},{i % 2}\n" for i in range(8))
      for own in ("one", "two")}, {}, {"cluster_column": "task"}),
    # Columns that are systems.
    (two("id,x,y 1,1,2 2,3,4", "id,x,z 2,5,6 1,7,8"), {"system": ["y", "z"]},
     {"systems": {"y": [2, 4], "z": [8, 6]}}),
    (two("id,x,y 1,1,2 2,3,4", "id,x,z 2,5,6 1,7,8"), {"ignore": ["y", "z"]},
     {"systems": {"one": [1, 3], "two": [7, 5]}}),
    ({"one.csv": "id,one\n1,5\n2,6\n", "two.csv": "id,two\n2,7\n1,8\n"}, {"system": ["one", "two"]},
     {"systems": {"one": [5, 6], "two": [8, 7]}}),
    (two("id,em,f1 1,1,2 2,3,4", "id,em,f1 2,5,6 1,7,8"), {"score_column": "f1"},
     {"metric": "mean f1", "systems": {"one": [2, 4], "two": [8, 6]}}),
    (two("id,em,f1 1,1,2 2,3,4", "id,em,f1 2,5,6 1,7,8"), {"metrics": ["em"]},
     {"metric": "mean em"}),
    (two("id,em 1,50% 2,75%", "id,em 2,25% 1,100%"), {"percent": "em"},
     {"systems": {"one": [0.5, 0.75], "two": [1, 0.25]}}),
])  # fmt: skip
def test_files_of_one_system_each(files, options, expected):
    check(files, options, **expected)


@pytest.mark.parametrize(("files", "options", "words_", "ways"), [
    (two("id,score q0,1 q1,1 q2,1 q3,1", "id,score q0,1 q1,1 z,1"), {},
     "two.csv: two lacks 2 ids that one has: 'q2', 'q3' and has 1 id that one lacks: 'z'",
     ["--allow-missing intersection"]),
    (two("id,score x,1", "id,score y,1"), {}, "they have no id in common", []),
    (two("id,score x,1", "id,score y,1"), {"allow_missing": True}, "no id is common to", []),
    (two("utt,errors,words 1,2,7 2,0,5", "utt,errors,words 2,1,5 1,1,7"), {},
     "column 'utt' holds numbers", ["--id utt", "--ignore utt"]),
    (two("at,em,f1 7,1,.1 3,0,.2 9,1,.3 5,1,.4", "at,em,f1 3,1,.1 7,0,.2 5,1,.3 9,1,.4"), {},
     "column 'at' comes first and holds another whole number in every row, as ids do",
     ["--id at", "--ignore at"]),
    (two("em,said 1,x 0,y 1,z 1,w", "em,said 1,a 0,b 1,c 1,d"), {},
     "column 'said' has another text in every row", ["--ignore said"]),
    (two("id,gold,said 1,p,p 2,n,p 3,n,n", "id,gold,said 2,p,n 1,p,p 3,n,n"), {},
     "two.csv: id '2' has gold 'p' for two and 'n' for one", []),
    (two("id,em 1,1 2,0", "em 1 0"), {}, "", None),
    (two("id,x,y 1,1,2 2,3,4", "id,x,z 2,5,6 1,7,8"), {},
     "one.csv: no column 'z', which two.csv has; each file is a system, and all need the same",
     ["--ignore y --ignore z", "--system y --system z"]),
    (two("id,x,y 1,1,2 2,3,4", "item,x 2,5 1,7"), {}, "give the ids one name", []),
    (two("id,gold,one 1,p,n 2,n,p", "id,gold,two 2,n,n 1,p,p"), {}, "no column 'two', which",
     ["--system one --system two"]),
    (two("id,a,b 1,1,2 2,3,4", "id,gold,x 1,p,n 2,n,p"), {}, "no column 'gold', which two", []),
    (two("id,x 1,1 2,3", "id,x 2,5 1,7"), {"system": ["one", "z"]},
     "no system 'z'; there are 'one', 'two'", []),
    (two("id,x 1,1 2,3", "id,x 2,5 1,7"), {"ignore": "w"}, "--ignore: no file has a", []),
    *((two("id,em 1,0.5 2,0.75", "id,em 2,25 1,50"), {"percent": wrong},
      rf"--percent: found no '{wrong}' (did you mean '{near}'", [])
     for wrong, near in (("tow", "two"), ("e_m", "em"), ("two: e", "two: em"))),
    ({"one.txt": "1\n2.5\n", "two.txt": "50\n25\n"}, {"percent": "tow"},
     "--percent: found no 'tow' (did you mean 'two'?); there are 'one', 'two'", []),
    (two("id,length 1,7 2,3", "id,length 2,7 1,3"), {}, "'length' is called like a property",
     ["--score-column length"]),
    (two("id,name2 1,x 2,y", "id,name2 2,x 1,y"), {}, "no column has numbers", []),
    (two("id,em 1,50% 2,75%", "id,em 2,25% 1,100%"), {}, "column 'em' holds percentages",
     ["--percent em"]),
    (two("id,f1,em 1,.1,1 2,.3,0", "id,f1,em 2,50.5,1 1,7.5,0"), {},
     "'two: f1' goes up to 50.5, 'one: f1' stays within 0 and 1: percent beside shares?",
     ["--percent 'two: f1'", "--system one --system two"]),
    (two("kind,x k, k,3", "kind,x k,5 k,7 k,1"), {"allow_missing": True, "ignore": "kind"},
     "two.csv: 3 units, but one.csv has 2; without ids both must have the same number", []),
    ({"a.txt": "1\n2\n", "b.txt": "1\n2\n3\n"}, {}, "a.txt: 2 numbers, but b.txt has 3; one", []),
    ({"a.txt": "1\n\n", "b.txt": "\n2\n3\n"}, {"allow_missing": True}, "", None),
    ({"a.txt": "1\n2\nNA\n", "b.txt": "NA\nNA\n3\n"}, {"allow_missing": True},
     "no row has a value in all of 'a', 'b'", []),
    ({"a.txt": "1\n2\n", "b.csv": "id,score\nx,1\n"}, {}, "", None),
    (dict.fromkeys(("a.csv", "b.csv"), "id,score\n1,1\n"), {"id": "score"}, "", None),
    # What is called predictions, as numbers, as texts, and as ids.
    (two("id,em,pred 1,0,.5 2,1,.7", "id,em,pred 2,1,.1 1,1,.9"), {},
     "column 'pred' is called like predictions, and no column has the gold",
     ["--score-column pred"]),
    (two("pred,em u,0 v,1", "pred,em v,1 u,1"), {}, "'pred' is called like predictions",
     ["--id pred"]),
])  # fmt: skip
def test_files_that_do_not_go_together(files, options, words_, ways):
    if ways is None:  # refused, whatever is said
        with pytest.raises(InputError):
            read(files, **options)
    else:
        check_refused(files, options, words_, *ways)


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


def test_the_same_file_twice():
    one = file_of("one.csv", id=UIDS, score=A)
    reading = csig.read(one, one)
    assert list(read_table(one, one).systems) == ["one.csv (1)", "one.csv (2)"]
    assert "A and B are the same file." in reading.cautions


def test_real_systems_in_files_of_their_own(shared_data):
    """Correct answers of four systems: each in a file, in an order of its own, with ids."""
    path = shared_data("llm_gsm8k_four_systems") / "correct.csv"
    whole = read_table(path)
    rng = random.Random(1)
    files = [
        file_of(f"{name}.csv", rng.sample(range(whole.n_units), whole.n_units),
                uid=list(whole.ids or ()), correct=own.tolist())
        for name, own in whole.systems.items()
    ]  # fmt: skip
    split = read_table(*files, id="uid")
    assert list(split.systems) == list(whole.systems)
    places = [list(whole.ids or ()).index(key) for key in split.ids or ()]
    for name, own in whole.systems.items():
        assert np.array_equal(split.systems[name], own[places])
    options = ("--method", "approximate", "--resamples", "999", "--seed", "1")
    found = record("compare", *files, "--id", "uid", *options), record("compare", path, *options)
    assert len({tuple(row["pvalue"] for row in own["results"]) for own in found}) == 1


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
    chosen = read_table(*runs("one", "two"), system=["one: err@20", "two: ndcg@20"])
    assert plain(chosen.systems) == {"one: err@20": ERR[0], "two: ndcg@20": NDCG[1]}
    assert list(read_table(*runs(*SYSTEMS), system=["three", "one"]).systems) == ["three", "one"]


def test_integers_and_fractions_stay_what_they_are():
    em = [i % 2 for i in range(N)]
    table = read_table(*pair({"id": UIDS, "em": em, "f1": A}, {"id": UIDS, "em": em, "f1": B}))
    kinds = {own.dtype.kind for own in table.of_metric("em").systems.values()}
    assert (kinds, table.of_metric("f1").systems["one"].dtype.kind) == ({"i"}, "f")


def test_one_row_per_metric_each_as_if_it_were_alone():
    files = runs("one", "two")
    options = ("--method", "approximate", "--resamples", "999", "--seed", "1")
    found = record("compare", *files, *options)
    assert [r["metric"] for r in found["results"]] == ["mean err@20", "mean ndcg@20"]
    for i, (name, scores) in enumerate((("err@20", ERR), ("ndcg@20", NDCG))):
        alone = record("compare", *files, *options, "--metric", name)
        assert alone["results"] == [found["results"][i]]
        assert found["results"][i]["score"] == pytest.approx(np.mean(scores[1]))
        wide = file_of("wide.csv", topic=UIDS, one=scores[0], two=scores[1])
        own = record("compare", wide, *options)["results"][0]
        for key in ("pvalue", "n_hits", "baseline_score", "difference"):
            assert own[key] == alone["results"][0][key]
    both = record("compare", *files, *options, "--metric", "err@20", "--metric", "ndcg@20")
    assert both["results"] == found["results"]


def test_more_than_two_files_have_a_baseline_and_holm():
    found = record("compare", *runs(*SYSTEMS))
    assert (found["baseline"], found["correction"]) == ("one", "holm")
    assert [(r["metric"], r["system"]) for r in found["results"]] == [
        (f"mean {metric}", system)
        for metric in ("err@20", "ndcg@20") for system in ("two", "three")
    ]  # fmt: skip


def test_less_is_better_for_some_metrics():
    files = pair(*({"id": UIDS, "ter": own, "bleu": own[::-1]} for own in (A, B)))

    def better(*more: str) -> list[bool]:
        return [own["greater_is_better"] for own in record("compare", *files, *more)["results"]]

    assert better() == [False, True]
    assert better("--lower-is-better", "--metric", "bleu") == [False]
    assert better("--higher-is-better", "--metric", "ter") == [True]
    files = pair({"id": UIDS, "wer": A}, {"id": UIDS, "wer": B})
    assert better() == [False]


def test_audits_conversions_and_descriptions_of_metrics():
    files = runs("one", "two")
    for command in (("audit",), ("convert", "--output", "-")):
        said, *commands = refused(*command, *files).splitlines()
        assert said == "csig: found several metrics, 'err@20', 'ndcg@20', expected one"
        assert commands[0].endswith("--metric err@20")
    assert "found several metrics" in refused("compare", *files, "--by", "topic")
    assert "--metric foo: the files have the metrics 'err@20'" in (
        refused("compare", *files, "--metric", "foo")
    )
    options = ("--metric", "ndcg@20", "--resamples", "99", "--seed", "1")
    run("audit", *files, *options, "--record", "r.json")
    found = words("verify", "r.json", "--inputs", files[0], "--inputs", files[1])
    assert "ndcg@20" in Path("r.json").read_text(encoding="utf-8")
    assert "Verified" in found
    run("convert", *files, "--metric", "ndcg@20", "--output", "s.csv")
    again, direct = (
        record("compare", *what)["results"][0]
        for what in (("--statistics", "s.csv"), (*files, "--metric", "ndcg@20"))
    )
    for key in ("metric", "pvalue", "difference", "baseline_score", "score", "n_units"):
        assert again[key] == direct[key]
    assert "Mean err@20 Mean ndcg@20" in words("describe", *files)


def test_clusters_and_units_of_every_metric():
    files = runs("one", "two", story=[f"t{i % 5}" for i in range(N)])
    found = record("compare", *files, "--cluster", "story")
    assert [r["unit"] for r in found["results"]] == ["story", "story"]
    assert [unit["unit"] for unit in found["sensitivity"]] == ["topic", "story"]
