"""Runs of TREC: trec_eval's printed values, measures by definition, ties, and what is refused."""

from __future__ import annotations

import csv
import json
import math
import random
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from commands import record, refused, run, said_beside, words, write
from written import refusal

import csig
from csig.base.errors import InputError
from csig.readers.trec import measure, read_runs

#: trec_eval's names of measures that runs have.
NAMES = {
    "map": "AP", "Rprec": "Rprec", "bpref": "Bpref", "recip_rank": "RR", "ndcg": "nDCG",
    **{f"P_{k}": f"P@{k}" for k in (5, 10, 100, 1000)},
    **{f"recall_{k}": f"R@{k}" for k in (5, 10, 100, 1000)},
    **{f"ndcg_cut_{k}": f"nDCG@{k}" for k in (5, 10, 100, 1000)},
    **{f"map_cut_{k}": f"AP@{k}" for k in (5, 10, 100, 1000)},
    **{f"success_{k}": f"Success@{k}" for k in (1, 5, 10)},
}  # fmt: skip


# ---- values that others printed ------------------------------------------------------------------
@pytest.mark.parametrize(("file", "printed", "note"), [
    ("results.test", "out.test.aq", ""),
    ("results.trunc", "out.test.aqc", "has no results for 1 of 3 topics, which count 0: '302'."),
])  # fmt: skip
def test_trec_evals_own_test(shared_data, file, printed, note):
    folder = shared_data("ir_trec_eval_test")
    table = read_runs([folder / file], folder / "qrels.test", list(NAMES.values()))
    (scores,) = table.systems.values()
    lines = [line.split() for line in (folder / printed).read_text().splitlines()]
    expected = [own for own in lines if own[0] in NAMES and own[1] != "all"]
    assert len(expected) == 3 * len(NAMES)
    for name, topic, value in expected:
        assert f"{scores[NAMES[name]][table.ids.index(topic)]:.4f}" == value
    assert [said.split(" ", 1)[1] for said in table.notes] == [note] * bool(note)


@pytest.mark.parametrize(("folder", "qrels", "files", "columns"), [
    ("trec_cacm", "qrels.cacm.txt", "cacm-bm25.txt", "AP P@5 P@10 nDCG@10 RR Rprec"),
    ("trec_robust03", "robust03_qrels.txt.gz", "input.*.gz", "AP nDCG@10 P@10"),
])  # fmt: skip
def test_values_of_ir_measures(shared_data, folder, qrels, files, columns):
    place = shared_data(folder)
    table = read_runs(sorted(place.glob(files)), place / qrels, columns.split())
    with (place / "ir_measures.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == table.n_units * len(table.systems)
    for row in rows:
        scores = table.systems[row.get("run", "cacm-bm25")][table.ids.index(row["topic"])]
        for name in columns.split():
            assert scores[name] == pytest.approx(float(row[name]), abs=1e-14)


def test_what_trec_eval_printed_is_read(shared_data):
    folder = shared_data("ir_trec_eval_test")
    files = [str(folder / f"out.test.{name}") for name in ("aq", "aqc")]
    found = record("compare", *files, "--metric", "map,P_10")
    assert found["input"]["format"] == "trec-eval"
    assert [own["baseline_score"] for own in found["results"]] == pytest.approx(
        [(0.0324 + 0.4175 + 0.0858) / 3, 0.3]
    )
    assert "of all topics" not in run("compare", *files, "--metric", "map,P_10", "-f", "csv")


# ---- measures by their definitions ---------------------------------------------------------------
def by_definition(name: str, ranked: list[int], judged: list[int]) -> float:
    """A measure of one topic, in fractions."""
    name, _, cutoff = name.partition("@")
    name, _, level = name.partition("(rel=")
    least, k = int(level.strip(")") or 1), int(cutoff or 1000)
    good = [grade >= least for grade in ranked]
    relevant = sum(grade >= least for grade in judged)
    if name == "nDCG":
        best = sorted((grade for grade in judged if grade > 0), reverse=True)
        sums = [
            math.fsum(max(grade, 0) / math.log2(i + 2) for i, grade in enumerate(own[:k]))
            for own in (ranked, best)
        ]
        return sums[0] / sums[1] if sums[1] else 0
    if name == "RR":
        return float(max((Fraction(1, i + 1) for i, own in enumerate(good[:k]) if own), default=0))
    if name == "P":
        return float(Fraction(sum(good[:k]), k))
    if name == "Success":
        return float(any(good[:k]))
    if not relevant:
        return 0
    if name == "Bpref":
        others = sum(0 <= grade < least for grade in judged)
        total = Fraction(0)
        for i, own in enumerate(good):
            above = sum(0 <= grade < least for grade in ranked[:i])
            if own:
                total += 1 - (Fraction(min(above, relevant), min(others, relevant)) if above else 0)
        return float(total / relevant)
    if name == "Rprec":
        return float(Fraction(sum(good[:relevant]), relevant))
    if name == "R":
        return float(Fraction(sum(good[:k]), relevant))
    precisions = (Fraction(sum(good[: i + 1]), i + 1) for i, own in enumerate(good[:k]) if own)
    return float(sum(precisions, Fraction(0)) / relevant)


ALL = [
    "AP", "AP@3", "AP(rel=2)", "AP(rel=2)@4", "nDCG", "nDCG@1", "nDCG@3", "nDCG@50", "P@1", "P@4",
    "P(rel=2)@3", "P@50", "R@2", "R(rel=2)@3", "RR", "RR@2", "RR(rel=3)", "Rprec", "Rprec(rel=2)",
    "Success@1", "Success(rel=2)@3", "Bpref", "Bpref(rel=2)",
]  # fmt: skip


def test_measures_are_those_of_their_definitions():
    rng = random.Random(1)
    for _ in range(120):
        judged = [rng.choice((-2, -1, 0, 0, 0, 1, 1, 2, 3)) for _ in range(rng.randint(1, 9))]
        ranked = [*rng.sample(judged, rng.randint(0, len(judged))), *[-1] * rng.randint(0, 4)]
        rng.shuffle(ranked)
        arrays = [np.array(own, dtype=np.int64) for own in (ranked, judged)]
        for name in ALL:
            expected = by_definition(name, ranked, judged)
            assert measure(name)(*arrays) == pytest.approx(expected, abs=1e-14), (name, ranked)


def written(name: str, rows: list[tuple[str, str, float]], sign: str = " ") -> str:
    """A run: topics, documents and scores; the ranks are wrong."""
    return write(name, *(sign.join((t, "Q0", d, "9", repr(s), "tag")) for t, d, s in rows))


def test_documents_are_ordered_by_score_and_then_by_name_descending():
    rng = random.Random(2)
    topics = [f"{i}" for i in range(30)]
    documents = [f"{letter}{i}" for i in range(12) for letter in ("a", "B", "é")]
    grades = {(t, d): rng.choice((-1, 0, 0, 1, 2)) for t in topics for d in documents[:20]}
    qrels = write("qrels", *(f"{t} 0 {d} {grade}" for (t, d), grade in grades.items()))
    rows = [(t, d, rng.choice((1.0, 1e-3, 2.5, -3.0))) for t in topics[:-1] for d in documents]
    rng.shuffle(rows)
    runs = [written("a.run", rows), written("b.run", [*rows[:200], ("x", "a1", 1)], "\t")]
    table = read_runs(runs, qrels, ALL)
    assert list(table.systems) == ["a", "b"]
    assert table.ids == topics
    for name, own in (("a", rows), ("b", rows[:200])):
        for i, topic in enumerate(topics):
            mine = [(score, d.encode()) for t, d, score in own if t == topic]
            order = [d.decode() for _, d in sorted(mine, reverse=True)]
            ranked = [grades.get((topic, d), -1) for d in order]
            judged = [grade for (t, _), grade in grades.items() if t == topic]
            for metric in ALL:
                expected = by_definition(metric, ranked, judged)
                assert table.systems[name][metric][i] == pytest.approx(expected, abs=1e-14)
    assert table.notes[0] == "a.run has no results for 1 of 30 topics, which count 0: '29'."
    assert table.notes[-1] == "1 topic of b.run that the qrels lack is left out: 'x'."


def test_scores_are_doubles_and_it_is_said_where_single_precision_would_tie():
    qrels = write("qrels", "1 0 a 1", "1 0 b 0")
    runs = [written(name, [("1", "a", 1.00000001), ("1", "b", s)]) for name, s in
            (("x.run", 1.0), ("y.run", 1.00000001))]  # fmt: skip
    table = read_runs(runs, qrels, ["RR"])
    assert [own["RR"][0] for own in table.systems.values()] == [1, 0.5]
    (note,) = table.notes
    assert note.startswith("x.run: 1 score differs from the next one beyond single precision only")


@pytest.mark.parametrize("text", [
    "# a comment\n\n1 Q0 a 1 2 t\n2 Q0 b 1 2 t\n", "1\tQ0\ta\t1\t2\tt\r\n2\tQ0\tb\t1\t2\tt\r\n",
    " 1 Q0  a 1 2 t more words\n2 Q0 b 1 2 t", "\ufeff1 Q0 a 1 2e0 t\n\n\n2 Q0 b 1 +2 t\n\n",
    "1 Q0 a 1 2 t\n1 Q0 b\x01\x1f 1 1 t\n\n2 Q0 b 1 2 t",
])  # fmt: skip
def test_how_lines_may_be_written(text):
    qrels = write("qrels", "# of 2003", "1 0 a 1", "", "2\t0\tb\t0")
    Path("x.run").write_text(text, encoding="utf-8", newline="")
    (scores,) = read_runs(["x.run"], qrels, ["AP", "P@1"]).systems.values()
    assert scores.tolist() == [(1, 1), (0, 0)]


def test_systems_are_named_by_file_or_by_tag():
    qrels = write("qrels", "1 0 a 1")
    lines = "1 Q0 a 1 2 one", "1 Q0 a 1 2 two"
    files = [write(name, line) for name, line in zip(("in.one", "in.two"), lines, strict=True)]
    assert list(read_runs(files, qrels).systems) == ["one", "two"]
    for folder in ("x", "y"):
        Path(folder).mkdir()
        write(f"{folder}/run.txt", lines[0])
    assert list(read_runs(["x/run.txt", "y/run.txt"], qrels).systems) == ["x/run", "y/run"]


# ---- what is refused -----------------------------------------------------------------------------
RUN = "1 Q0 a 1 2 t", "2 Q0 b 1 2 t"


@pytest.mark.parametrize(("lines", "message"), [
    (["1 Q0 a 1 2 t", "1 Q0 a 1 2"],
     "x.run line 2: found 5 fields, expected 6: topic Q0 document rank score tag"),
    (["# x", "", "1 Q0 a 1 2 t", "2 Q0 b 1 2 t", "1 Q0 a 2 1 t"],
     "x.run line 3: found the document 'a' of topic '1', and again on line 5; expected each once"),
    (["1 Q0 a 1 2 t", "1 Q0 b 1 x t"], "x.run line 2: found 'x', expected a number"),
    (["1 Q0 a 1 1_0 t"], "x.run line 1: found '1_0', expected a number"),
    (["1 Q0 a 1 nan t"], "x.run line 1: found 'nan', expected a number"),
    (["1 Q0 a 1 -inf t"], "x.run line 1: found '-inf', expected a number"),
    (["1 Q0 a 1 1e999 t"], "x.run line 1: found '1e999', expected a number"),
    (["1 Q0 z 1 2 t"], "x.run: none of its documents is judged in qrels"),
    (["3 Q0 a 1 2 t"], "x.run: none of its documents is judged in qrels"),
    (["1 Q0 a\x1fb 1 2"],
     "x.run line 1: found 5 fields, expected 6: topic Q0 document rank score tag"),
    (["# only this"], "x.run: found no lines, expected topic Q0 document rank score tag"),
    ([], "x.run: found no lines, expected topic Q0 document rank score tag"),
])  # fmt: skip
def test_runs_that_are_refused(lines, message):
    qrels = write("qrels", "1 0 a 1", "2 0 b 0")
    assert refusal(read_runs, [write("x.run", *lines)], qrels) == message


@pytest.mark.parametrize(("lines", "message"), [
    (["1 0 a 1", "1 0 a"],
     "qrels line 2: found 3 fields, expected 4: topic iteration document relevance"),
    (["1 0 a 1", "1 0 b 1 x"],
     "qrels line 2: found 5 fields, expected 4: topic iteration document relevance"),
    (["1 0 a 1", "2 0 a 1", "1 1 a 0"],
     "qrels line 1: found the document 'a' of topic '1', and again on line 3; expected each once"),
    (["1 0 a 0.5"], "qrels line 1: found '0.5', expected a whole number up to 1,048,576"),
    (["1 0 a 1", "1 0 b 1_0"],
     "qrels line 2: found '1_0', expected a whole number up to 1,048,576"),
    ([f"1 0 a {2**20 + 1}"],
     "qrels line 1: found '1048577', expected a whole number up to 1,048,576"),
    ([f"1 0 a {10**30}"],
     f"qrels line 1: found '{10**30}', expected a whole number up to 1,048,576"),
])  # fmt: skip
def test_qrels_that_are_refused(lines, message):
    assert refusal(read_runs, [write("x.run", *RUN)], write("qrels", *lines)) == message


KNOWN = "runs have AP, nDCG, P@k, R@k, RR, Rprec, Success@k and Bpref, also as nDCG@10 or AP(rel=2)"


@pytest.mark.parametrize(("name", "message"), [
    ("ERR@20", f"--metric ERR@20: {KNOWN}"),
    ("map", f"--metric map (did you mean 'AP'?): {KNOWN}"),
    ("P", "--metric P: P has a cutoff, such as P@10"),
    ("Bpref@5", "--metric Bpref@5: Bpref has no cutoff"),
    ("nDCG(rel=2)", "--metric nDCG(rel=2): nDCG counts every grade, without rel="),
    ("P@0", "--metric P@0: found 0, expected at least 1"),
    ("AP(rel=0)", "--metric AP(rel=0): found 0, expected at least 1"),
])  # fmt: skip
def test_measures_that_are_refused(name, message):
    assert refusal(measure, name) == message


@pytest.mark.parametrize(("arguments", "message"), [
    ("a.run b.run", "a.run line 1: found a run of TREC; --qrels FILE names its judgements"),
    ("a.run b.run --format trec", "runs of TREC need their judgements: --qrels FILE"),
    ("a.run b.run --qrels qrels --id 1", "--id does not go with runs of TREC"),
    ("a.run b.run --qrels qrels --format scores", "--qrels does not go with tables of scores"),
    ("a.run b.run --qrels none", "none: no such file"),
    ("a.run --qrels qrels", "found one system only, 'a', expected two or more"),
    ("a.run b.run --qrels qrels --system c", "no system 'c'; there are 'a', 'b'"),
    ("a.txt c.txt", "c.txt: c lacks 1 id that a has: '2' and has 1 id that a lacks: '3'"),
])  # fmt: skip
def test_commands_that_are_refused(arguments, message):
    write("qrels", "1 0 a 1", "2 0 b 0")
    write("a.run", *RUN)
    write("b.run", *RUN[::-1])
    write("a.txt", line("map", 1, 0.5), line("map", 2, 0.5))
    write("c.txt", line("map", 1, 0.5), line("map", 3, 0.5))
    assert message in refused("compare", *arguments.split())


# ---- what trec_eval prints -----------------------------------------------------------------------
def line(name: str, topic: object, value: object) -> str:
    return f"{name:<22}\t{topic}\t{value}"


TWO = [line("map", 1, 0.5), line("map", 2, "0.2500"), line("P_10", 1, 0.1), line("P_10", 2, 0.3)]


def test_counts_are_no_scores_and_the_mean_is_compared():
    extra = [line("runid", "all", "x y"), line("num_ret", 1, 9), line("num_ret", 2, 9)]
    write("a.txt", *TWO, *extra, line("map", "all", 0.3751))
    write("b.txt", *TWO[::-1], line("map", "all", 0.5))
    found = record("compare", "a.txt", "b.txt")
    assert [own["metric"] for own in found["results"]] == ["mean map", "mean P_10"]
    cautions = said_beside("compare", "a.txt", "b.txt")["cautions"]
    assert [own for own in cautions if "printed" in own] == [
        "b.txt: trec_eval printed 0.5000 as map of all topics, but the mean of the 2 that it "
        "printed is 0.3750."
    ]
    (result,) = record("compare", "a.txt", "b.txt", "--metric", "map")["results"]
    assert result["baseline_score"] == 0.375


def test_a_utility_may_be_any_number():
    for name, value in (("a.txt", -2), ("b.txt", 3)):
        write(name, line("utility", 1, value), line("utility", 2, 1))
    assert csig.read("a.txt", "b.txt").comparison().scores("mean") == (-0.5, 2)


def test_topics_that_not_all_have_are_left_out_if_asked():
    write("a.txt", *TWO)
    write("b.txt", *TWO, line("map", 3, 1), line("P_10", 3, 1))
    assert "--allow-missing intersection" in refused("compare", "a.txt", "b.txt")
    found = record("compare", "a.txt", "b.txt", "--allow-missing", "intersection")
    assert found["input"]["table"]["n_units"] == 2


@pytest.mark.parametrize(("lines", "message"), [
    ([*TWO, line("map", 1, 0.5)], "a.txt line 5: found map of '1' again, expected each once"),
    ([*TWO, line("map", 3, 0.5)], "a.txt: map and P_10 are not of the same topics: '3'"),
    ([line("map", 1, "x")], "a.txt line 1: found 'x', expected a number"),
    ([line("map", "all", 0.5)], "a.txt: found no values of topics, which trec_eval prints with -q"),
    ([line("num_ret", 1, 5)], "a.txt: found no values of topics, which trec_eval prints with -q"),
    ([line("num_ret", 1, 5), line("map", 1, 50), line("P_10", 1, 0.1)],
     "a.txt line 2: found map of '1' as 50, expected a number from 0 to 1; is it in percent? then "
     "divide by 100"),
    ([line("ndcg_cut_10", 1, -0.1)],
     "a.txt line 1: found ndcg_cut_10 of '1' as -0.1, expected a number from 0 to 1"),
    ([line("map", 1, 0.5), "map"], "a.txt line 2: found 1 field, expected 3: measure topic value"),
])  # fmt: skip
def test_what_trec_eval_does_not_print(lines, message):
    write("a.txt", *lines)
    with pytest.raises(InputError) as caught:
        csig.read("a.txt")
    assert str(caught.value) == message


# ---- all commands --------------------------------------------------------------------------------
def test_every_command_reads_runs():
    rng = random.Random(3)
    topics = [f"t{i}" for i in range(20)]
    write("qrels", *(f"{t} 0 d{i} {i % 3}" for t in topics for i in range(6)))
    for name in ("a", "b", "c"):
        written(f"{name}.run", [(t, f"d{i}", rng.random()) for t in topics for i in range(9)])
    given = ["a.run", "b.run", "--qrels", "qrels", "--metric", "AP"]
    (result,) = record("compare", *given)["results"]
    assert (result["metric"], result["greater_is_better"]) == ("mean AP", True)
    for command in (["interval", *given], ["systems", *given, "c.run"]):
        assert "mean AP" in run(*command).replace("Mean", "mean")
    run("convert", *given, "--output", "t.csv")
    assert Path("t.csv").read_text().startswith("id,metric,score_a,score_b\n")
    again = record("compare", "--statistics", "t.csv")["results"][0]
    assert again["pvalue"] == result["pvalue"]
    run("audit", *given, "--seed", "1", "--resamples", "200", "--record", "r.json")
    inputs = json.loads(Path("r.json").read_text())["inputs"]
    assert [own["path"] for own in inputs] == ["a.run", "b.run", "qrels"]
    moved = [word for own in inputs for word in ("--inputs", own["path"])]
    assert run("verify", "r.json", *moved).startswith("Verified")
    write("qrels", *(f"{t} 0 d{i} {(i + 1) % 3}" for t in topics for i in range(6)))
    assert "qrels" in run("verify", "r.json", *moved, status=1)
    assert csig.compare("a.run", "b.run", qrels="qrels", metric=["AP", "RR"])
    assert "--qrels qrels --metric 'mean AP'" in words("recommend", *given)
    assert record("compare", *given[:-1], "mean AP")["results"][0]["metric"] == "mean AP"
