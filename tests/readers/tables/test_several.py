"""Several tables of one system each: by what rows are matched, and what columns are metrics."""

from __future__ import annotations

import os
import random
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from commands import record, refused, run, words
from hypothesis import given
from hypothesis import strategies as st
from written import file_of, refusal, shares, text_file

from csig.errors import InputError
from csig.readers import Table, looks_like_tables, read_table, read_tables

N = 30
A, B = shares(N, 1), shares(N, 2)
MIXED = random.Random(3).sample(range(N), N)
UIDS = [f"u{i}" for i in range(N)]
NUMBERS = [(i * 7919) % 1000 for i in range(N)]


def by_key(table: Table, ids: list[Any]) -> dict[str, tuple[Any, ...]]:
    """Both systems' scores by id, whatever the order."""
    columns = [np.asarray(own).tolist() for own in table.systems.values()]
    return dict(zip(map(str, ids), zip(*columns, strict=True), strict=True))


# ---- rows --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["uid", "sent_id", "name", "whatever"])
@pytest.mark.parametrize("ids", [UIDS, NUMBERS])
@pytest.mark.parametrize("column", ["score", "bleu"])
def test_ids_without_a_known_name_match_the_rows(name, ids, column):
    one = file_of("one.csv", **{name: ids, column: A})
    two = file_of("two.csv", MIXED, **{name: ids, column: B})
    table = read_tables([one, two])
    assert list(table.systems) == ["one", "two"]
    assert table.id_column == name
    assert by_key(table, table.ids) == {str(i): (a, b) for i, a, b in zip(ids, A, B, strict=True)}
    assert f"the rows are matched by {name!r}" in " ".join(table.notes)


def test_a_unit_is_not_compared_with_another():
    """Matched by row number a difference in every unit would look like noise."""
    one = file_of("one.csv", uid=UIDS, score=A)
    two = file_of("two.csv", MIXED, uid=UIDS, score=[min(1.0, a + 0.01) for a in A])
    assert record("compare", one, two)["results"][0]["pvalue"] == pytest.approx(2 / 2**N)
    explicit = record("compare", one, two, "--id", "uid")
    assert explicit["results"] == record("compare", one, two)["results"]


@pytest.mark.parametrize("ids", [UIDS, NUMBERS])
def test_ids_in_the_same_order_confirm_it(ids):
    one, two = file_of("one.csv", uid=ids, score=A), file_of("two.csv", uid=ids, score=B)
    table = read_tables([one, two])
    assert (table.ids, list(table.systems)) == (None, ["one", "two"])
    assert list(table.others["uid"]) == [str(i) for i in ids]
    assert "'uid' is the same in every file row by row" in " ".join(table.notes)


def test_ids_that_are_not_the_same_are_refused():
    one = file_of("one.csv", uid=UIDS, score=A)
    two = file_of("two.csv", uid=[*UIDS[1:], "new"], score=B)
    message = refusal(read_tables, [one, two])
    assert "found 'u0' on line 2 of the first file and 'u1' on line 2 of two.csv" in message
    assert "give --id uid" in message
    assert "lacks 1 id that one has: 'u0'" in refusal(read_tables, [one, two], id="uid")
    table = read_tables([one, two], id="uid", allow_missing=True)
    assert table.n_units == N - 1
    numbered = [
        file_of("one.csv", uid=NUMBERS, score=A),
        file_of("two.csv", MIXED, uid=[*NUMBERS[1:], 5], score=B),
    ]
    assert "give --id uid" in refusal(read_tables, numbered)


def test_two_columns_that_match_the_rows_in_two_ways():
    one = file_of("one.csv", uid=UIDS, text=[f"t{i}" for i in range(N)], score=A)
    two = file_of("two.csv", MIXED, uid=UIDS, text=[f"t{i}" for i in reversed(range(N))], score=B)
    assert (
        "'uid' and 'text' match the rows in different ways; name the one with the ids with --id"
        in refusal(read_tables, [one, two])
    )
    assert read_tables([one, two], id="text").id_column == "text"


def test_answers_that_differ_are_no_doubt_where_the_order_is_confirmed():
    questions = [f"why {i}?" for i in range(N)]
    files = [
        file_of(
            f"{name}.csv",
            question_text=questions,
            output=[f"{name} {i % 7}" for i in range(N)],
            score=own,
        )
        for name, own in (("one", A), ("two", B))
    ]
    assert read_tables(files).ids is None
    gold = ["yes" if i % 3 else "no" for i in range(N)]
    files = [
        file_of(
            f"{name}.csv", gold=gold, pred=gold[::step], output=[f"{name} {i}" for i in range(N)]
        )
        for name, step in (("one", 1), ("two", -1))
    ]
    assert read_tables(files).n_units == N


def test_answers_that_differ_without_an_order_are_refused():
    files = [
        file_of(f"{name}.csv", output=[f"{name} {i % 7}" for i in range(N)], score=own)
        for name, own in (("one", A), ("two", B))
    ]
    message = refusal(read_tables, files)
    assert "in file order the rows disagree in column 'output'" in message
    assert "--ignore output" in message
    assert read_tables(files, ignore=["output"]).n_units == N
    named = [
        file_of(f"{name}.csv", run=[name] * N, score=own) for name, own in (("one", A), ("two", B))
    ]
    assert read_tables(named).n_units == N


def test_predictions_differ_by_nature():
    """Here the gold is in order, and shows nothing of the order of the rows."""
    gold = ["yes"] * 15 + ["no"] * 15
    files = [
        file_of(
            f"{name}.csv", gold=gold, said=[g if i % step else "no" for i, g in enumerate(gold)]
        )
        for name, step in (("one", 3), ("two", 4))
    ]
    for options in ({}, {"gold": "gold"}):
        assert list(read_tables(files, **options).systems) == ["one", "two"]


def test_groups_in_order_confirm_nothing_within_them():
    docs = [f"d{i // 10}" for i in range(N)]
    files = [
        file_of("one.csv", part=docs, said=[f"x{i % 7}" for i in range(N)], score=A),
        file_of("two.csv", part=docs, said=[f"x{i % 5}" for i in range(N)], score=B),
    ]
    assert "disagree in column 'said'" in refusal(read_tables, files)


def test_one_wide_file_needs_no_ids():
    table = read_table(file_of("t.csv", uid=UIDS, a=A, b=B))
    assert (table.ids, list(table.systems), table.cautions) == (None, ["a", "b"], ())


def test_the_same_file_twice():
    path = file_of("one.csv", name=UIDS, score=[(i * 37) % 101 for i in range(N)])
    assert len(read_tables([path, path]).systems) == 2
    path = file_of("one.csv", uid=NUMBERS, score=[(i * 37) % 101 for i in range(N)])
    table = read_tables([path, path])
    assert (list(table.systems), table.metrics) == (["one.csv (1)", "one.csv (2)"], ())


def test_real_systems_in_files_of_their_own(shared_data):
    """Correct answers of four systems: each in a file, in an order of its own, with uids."""
    path = shared_data("llm_gsm8k_four_systems") / "correct.csv"
    whole = read_table(path)
    n = whole.n_units
    rng = random.Random(1)
    files = [
        file_of(f"{name}.csv", rng.sample(range(n), n), uid=list(whole.ids), correct=own.tolist())
        for name, own in whole.systems.items()
    ]
    split = read_tables(files)
    assert list(split.systems) == list(whole.systems)
    places = [list(whole.ids).index(key) for key in split.ids]
    for name, own in whole.systems.items():
        assert np.array_equal(split.systems[name], own[places])
    options = ("--method", "approximate", "--resamples", "999", "--seed", "1")
    separate, together = record("compare", *files, *options), record("compare", path, *options)
    hits = [[r["pvalue"] for r in found["results"]] for found in (separate, together)]
    assert hits[0] == hits[1]


# ---- columns -----------------------------------------------------------------------------------

ERR, NDCG = [A, B, shares(N, 5)], [shares(N, 3), shares(N, 4), shares(N, 6)]
SYSTEMS = ("one", "two", "three")


def runs(*names: str, **more: Any) -> list[str]:
    return [
        file_of(f"{name}.csv", **{"topic": UIDS, "err@20": err, "ndcg@20": ndcg, **more})
        for name, err, ndcg in zip(SYSTEMS, ERR, NDCG, strict=True)
        if name in names
    ]


def test_the_same_columns_are_metrics():
    table = read_tables(runs("one", "two"))
    assert (list(table.systems), table.metrics) == (["one", "two"], ("err@20", "ndcg@20"))
    for metric, scores in zip(table.metrics, (ERR, NDCG), strict=True):
        own = table.of_metric(metric)
        assert own.metric == f"mean {metric}"
        assert [values.tolist() for values in own.systems.values()] == scores[:2]
    assert "each is a metric and each file a system" in table.notes[0]
    chosen = read_tables(runs("one", "two"), metrics=["ndcg@20"])
    assert (chosen.columns, chosen.metric) == (("score",), "mean ndcg@20")
    assert chosen.systems["two"].tolist() == NDCG[1]


def test_integers_and_fractions_stay_what_they_are():
    table = read_tables([
        file_of(f"{name}.csv", id=UIDS, em=[i % 2 for i in range(N)], f1=own)
        for name, own in (("one", A), ("two", B))
    ])  # fmt: skip
    kinds = {own.dtype.kind for own in table.of_metric("em").systems.values()}
    assert (kinds, table.of_metric("f1").systems["one"].dtype.kind) == ({"i"}, "f")


def test_one_row_per_metric_each_as_if_it_were_alone():
    files = runs("one", "two")
    options = ("--method", "approximate", "--resamples", "999", "--seed", "1")
    found = record("compare", *files, *options)
    assert [r["metric"] for r in found["results"]] == ["mean err@20", "mean ndcg@20"]
    assert [own["metric"] for own in found["comparisons"]] == ["mean err@20", "mean ndcg@20"]
    for i, (name, scores) in enumerate((("err@20", ERR), ("ndcg@20", NDCG))):
        alone = record("compare", *files, *options, "--metric", name)
        assert alone["results"] == [found["results"][i]]
        assert found["results"][i]["score"] == pytest.approx(np.mean(scores[1]))
        wide = file_of("wide.csv", topic=UIDS, one=scores[0], two=scores[1])
        own = record("compare", wide, *options)["results"][0]
        for key in ("pvalue", "n_hits", "baseline_score", "difference"):
            assert own[key] == alone["results"][0][key]
    output = words("compare", *files, *options, "--explain")
    assert output.index("Mean err@20 ") < output.index("Mean ndcg@20 ")
    assert " one Mean err@20: 30 items, total score " in output


def test_more_than_two_files_have_a_baseline_and_holm():
    found = record("compare", *runs(*SYSTEMS))
    assert (found["baseline"], found["correction"]) == ("one", "holm")
    assert [(r["metric"], r["system"]) for r in found["results"]] == [
        (f"mean {metric}", system)
        for metric in ("err@20", "ndcg@20") for system in ("two", "three")
    ]  # fmt: skip
    for metric in ("err@20", "ndcg@20"):
        own = record("compare", *runs(*SYSTEMS), "--metric", metric)
        assert own["results"] == [r for r in found["results"] if r["metric"] == f"mean {metric}"]
    assert "Mean ndcg@20" in run("compare", *runs(*SYSTEMS))


def test_three_files_with_a_header_are_no_responses():
    files = [
        file_of(f"{name}.tsv", uid=UIDS, **{"err@20": err, "ndcg@20": ndcg})
        for name, err, ndcg in zip(SYSTEMS, ERR, NDCG, strict=True)
    ]
    assert looks_like_tables(files)
    assert record("compare", *files)["baseline"] == "one"
    for name in "abc":
        Path(f"{name}.tsv").write_text("d1\t3\t5\tPER\nd1\t7\t8\tLOC\n")
    assert not looks_like_tables(["a.tsv", "b.tsv", "c.tsv"])
    for name in "abc":
        Path(f"{name}.tsv").write_text("fox\tden\ndog\thouse\n")
    assert not looks_like_tables(["a.tsv", "b.tsv", "c.tsv"])


def test_less_is_better_for_some_metrics():
    files = [
        file_of(f"{name}.csv", id=UIDS, ter=[100 * x for x in own], bleu=[99 * x for x in own])
        for name, own in (("one", A), ("two", B))
    ]
    found = record("compare", *files)
    assert [r["greater_is_better"] for r in found["results"]] == [False, True]
    found = record("compare", *files, "--lower-is-better", "--metric", "bleu")
    assert [r["greater_is_better"] for r in found["results"]] == [False]
    alone = [file_of(f"{name}.csv", id=UIDS, wer=own) for name, own in (("one", A), ("two", B))]
    (result,) = record("compare", *alone)["results"]
    assert (result["metric"], result["greater_is_better"]) == ("mean", False)


def test_a_length_is_no_metric():
    lengths = [5 + i * 7 % 23 for i in range(N)]
    table = read_tables(runs("one", "two", length=lengths))
    assert table.metrics == ("err@20", "ndcg@20")
    assert "Column 'length' was left out" in table.cautions[0]
    assert "--metric length reads it" in table.cautions[0]
    chosen = read_tables(runs("one", "two", length=lengths), metrics=["length"])
    assert (chosen.metric, chosen.cautions) == ("mean length", ())
    # The same numbers in every file, whatever they are called.
    table = read_tables(runs("one", "two", depth_of_it=[2 + i * 7 % 23 for i in range(N)]))
    assert "the same in every file" in table.cautions[0]


def test_files_that_have_some_columns_in_common():
    one = file_of("one.csv", id=UIDS, x=A, y=B)
    two = file_of("two.csv", id=UIDS, x=B, z=A)
    message = refusal(read_tables, [one, two])
    assert "all files have scores in 'x', but not in 'y'; give --metric x" in message
    assert read_tables([one, two], metrics=["x"]).systems["two"].tolist() == B
    named = read_tables([one, two], systems=["y", "z"])
    assert {name: own.tolist() for name, own in named.systems.items()} == {"y": B, "z": A}


def test_columns_of_several_files_can_be_systems_nevertheless():
    table = read_tables(runs("one", "two"), systems=["one: err@20", "two: ndcg@20"])
    assert table.systems["two: ndcg@20"].tolist() == NDCG[1]
    assert list(read_tables(runs(*SYSTEMS), systems=["three", "one"]).systems) == ["three", "one"]
    base = file_of("base.csv", id=UIDS, base=A)
    new = file_of("new.csv", id=UIDS, new1=B, new2=A)
    assert list(read_tables([base, new]).systems) == ["base", "new1", "new2"]


def test_a_value_that_is_missing_in_one_metric():
    gap = ["" if i == 4 else x for i, x in enumerate(A)]
    files = [
        file_of("one.csv", id=UIDS, x=gap, y=B),
        file_of("two.csv", id=UIDS, x=B, y=A),
    ]
    assert "the cell is empty" in refusal(read_tables, files)
    table = read_tables(files, allow_missing=True)
    assert (table.n_units, table.metrics) == (N - 1, ("x", "y"))
    assert read_tables(files, metrics=["y"]).n_units == N


def test_rows_that_are_left_out_shift_no_others():
    """Without ids a row that is left out of one file is left out of the other, too."""
    gaps = [["" if i in own else x for i, x in enumerate(scores)]
            for own, scores in (({4, 9}, A), ({9, 20}, B))]  # fmt: skip
    files = [
        file_of(f"{name}.csv", kind=["k"] * N, score=own)
        for name, own in zip(("one", "two"), gaps, strict=True)
    ]
    table = read_tables(files, allow_missing=True)
    kept = [i for i in range(N) if i not in (4, 9, 20)]
    assert table.systems["one"].tolist() == [A[i] for i in kept]
    assert table.systems["two"].tolist() == [B[i] for i in kept]
    assert table.ids is None
    assert table.notes == ("3 of 30 units were left out, because not every system has them.",)
    short = file_of("short.csv", kind=["k"] * (N - 1), score=gaps[1][1:])
    assert "without ids both must have the same number" in refusal(
        read_tables, [files[0], short], allow_missing=True
    )


def test_audits_conversions_and_descriptions_of_metrics():
    files = runs("one", "two")
    for command in (("audit",), ("convert", "--output", "-")):
        assert "several metrics, 'err@20', 'ndcg@20'; choose one with --metric" in (
            refused(*command, *files)
        )
    assert "--by needs one metric" in refused("compare", *files, "--by", "topic")
    assert "--metric foo: the files have the metrics 'err@20'" in (
        refused("compare", *files, "--metric", "foo")
    )
    options = ("--metric", "ndcg@20", "--resamples", "99", "--seed", "1")
    run("audit", *files, *options, "--record", "r.json")
    found = words("verify", "r.json", "--inputs", files[0], "--inputs", files[1])
    assert "ndcg@20" in Path("r.json").read_text()
    assert "differ" not in found.split("Verified")[0]
    run("convert", *files, "--metric", "ndcg@20", "--output", "s.csv")
    again, direct = (
        record("compare", *what)["results"][0]
        for what in (("--statistics", "s.csv"), (*files, "--metric", "ndcg@20"))
    )
    for key in ("metric", "pvalue", "difference", "baseline_score", "score", "n_units"):
        assert again[key] == direct[key]
    described = words("convert", "--describe", *files)
    assert "Mean err@20 Mean ndcg@20" in described
    assert f"one {100 * np.mean(A):.2f} " in described


def test_clusters_and_units_of_every_metric():
    groups = [f"t{i % 5}" for i in range(N)]
    files = runs("one", "two", story=groups)
    found = record("compare", *files, "--cluster", "story")
    assert [r["unit"] for r in found["results"]] == ["story", "story"]
    units = [unit["unit"] for unit in found["sensitivity"]["units"]]
    assert units == ["topic", "story"]
    assert [len(unit["results"]) for unit in found["sensitivity"]["units"]] == [2, 2]
    assert "Swapped" in run("compare", *files, "--cluster", "story", "--explain")


def test_two_runs_of_a_real_topic_table(shared_data):
    """The per-topic output of trec_eval as tables of one run each."""
    folder = shared_data("ir_trec_eval_test")
    wanted = ("map", "recip_rank", "P_10")
    scores: dict[str, dict[str, str]] = {}
    for line in (folder / "out.test.aq").read_text().splitlines():
        metric, topic, value = line.split()
        if metric in wanted and topic != "all":
            scores.setdefault(topic, {})[metric] = value
    topics = list(scores)
    whole = {metric: [float(scores[topic][metric]) for topic in topics] for metric in wanted}
    one = file_of("one.csv", unnamed=[f"t{t}" for t in topics], **whole)
    less = {metric: [x / 2 for x in own] for metric, own in whole.items()}
    two = file_of("two.csv", [1, 2, 0], unnamed=[f"t{t}" for t in topics], **less)
    found = record("compare", one, two)
    assert [r["metric"] for r in found["results"]] == [f"mean {metric}" for metric in wanted]
    for result, own in zip(found["results"], whole.values(), strict=True):
        assert result["baseline_score"] == pytest.approx(np.mean(own))
        assert result["score"] == pytest.approx(np.mean(own) / 2)


def test_the_same_numbers_in_another_order_speak_against_the_order():
    lengths = [(i * 37) % 50 for i in range(N)]
    one = file_of("one.csv", length=[*lengths[1:], 3, 3][:N], score=A)
    two = file_of("two.csv", MIXED, length=[*lengths[1:], 3, 3][:N], score=B)
    assert "in file order the rows disagree in column 'length'" in refusal(read_tables, [one, two])
    assert read_tables([one, two], ignore=["length"]).n_units == N
    right = [
        file_of(f"{name}.csv", em=[i % 2 for i in order], f1=own)
        for name, order, own in (("one", range(N), A), ("two", range(1, N + 1), B))
    ]
    assert read_tables(right).metrics == ("em", "f1")


def test_what_is_ignored_need_not_be_in_all_files():
    one, two = file_of("one.csv", id=UIDS, x=A, y=B), file_of("two.csv", id=UIDS, x=B, z=A)
    table = read_tables([one, two], ignore=["y", "z"])
    assert table.systems["two"].tolist() == B
    assert "--ignore: no file has a column 'w'" in refusal(read_tables, [one, two], ignore=["w"])


# ---- any tables --------------------------------------------------------------------------------

COLUMNS = {
    "uid": lambda n, rng: rng.sample([f"u{i}" for i in range(n)], n),
    "id": lambda n, rng: rng.sample(range(n), n),
    "part": lambda n, rng: [f"p{i // 2}" for i in range(n)],
    "task": lambda n, rng: [f"t{i % 5}" for i in range(n)],
    "length": lambda n, rng: [rng.randrange(5, 40) for _ in range(n)],
    "said": lambda n, rng: [f"w{rng.randrange(50)}" for _ in range(n)],
    "gold": lambda n, rng: [rng.choice("abc") for _ in range(n)],
    "pred": lambda n, rng: [rng.choice("abcA") for _ in range(n)],
    "em": lambda n, rng: [rng.randrange(2) for _ in range(n)],
    "f1": lambda n, rng: [rng.choice(["", "0.5", "0.25", "1"]) for _ in range(n)],
    "score": lambda n, rng: [round(rng.random(), 2) for _ in range(n)],
}


@given(
    names=st.lists(st.sampled_from(sorted(COLUMNS)), min_size=1, max_size=5, unique=True),
    rows=st.integers(1, 30),
    files=st.integers(1, 3),
    missing=st.booleans(),
    seed=st.integers(0, 2**32),
)
def test_every_row_is_a_unit_or_something_is_said(names, rows, files, missing, seed):
    """The number of rows is that of the lines below the header."""
    rng = random.Random(seed)
    paths = []
    with tempfile.TemporaryDirectory() as folder:
        for i in range(files):
            own = {name: COLUMNS[name](rows, rng) for name in names}
            paths.append(file_of(os.path.join(folder, f"{i}.csv"), **own))
        lines = {Path(path).read_text(encoding="utf-8").count("\n") - 1 for path in paths}
        try:
            table = read_tables(paths, allow_missing=missing)
        except InputError:
            return
        assert lines == {rows}
        said = " ".join((*table.notes, *table.cautions))
        assert table.n_units == rows or f"{rows - table.n_units:,} of {rows:,} unit" in said
        for values in table.systems.values():
            assert len(values) == table.n_units
        used = {*table.systems, *table.metrics, *table.others, table.id_column}
        used |= {table.cluster_column, table.gold_column}
        lost = [name for name in names if name not in used and repr(name) not in said]
        # Of one column in every file the system takes the file's name.
        assert len(lost) <= (files > 1)


def test_a_column_that_one_of_three_files_lacks():
    """The first and the last have it."""
    for i, (column, number) in enumerate([("0", 1), ("4", 7), ("0", 1)]):
        text_file(f"a\t{column}\nx\t{number}\n", f"k{i}.tsv")
    table = read_tables(["k0.tsv", "k1.tsv", "k2.tsv"], header=True)
    assert len(table.systems) == 3
