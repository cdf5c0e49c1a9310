"""``csig convert``: the same p-values from the table that it writes, and descriptions."""

from __future__ import annotations

import csv
import importlib.util
import json
import random
import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from commands import record, refused, run, words, write

from csig.cli.app import program


def tags(rng, n=60):
    """Three columns of tags in documents; some sentences and documents have no entities."""
    lines = []
    for i in range(n):
        if i % 6 == 0:
            lines.append(f"# newdoc id = d{i % 42}")
        for _ in range(rng.randrange(1, 5)):
            lines.append(" ".join(["w", *rng.choices(["O", "O", "B-X", "I-X", "B-Y"], k=3)]))
        lines.append("")
    return lines


def inputs(rng):
    """For every kind of input: arguments, and the units that there are."""
    write("t.conll", *tags(rng))
    responses = [f"d{i % 9}\t{i}\t{i + 2}\t{rng.choice('XY')}" for i in range(0, 120, 2)]
    for name in ("g", "a", "b"):
        write(f"{name}.tsv", *sorted({rng.choice(responses) for _ in range(40)}))
        write(f"{name}.txt", *(f"{rng.gauss(30, 9)!r}" for _ in range(50)))
        rows = [{"doc_id": i, "doc_hash": str(i), "acc": rng.random()} for i in range(30)]
        write(f"{name}.jsonl", *map(json.dumps, rows))
    write("s.csv", "id,story,x,y", *(f"q{i},s{i % 7},{rng.random()!r},{rng.random()!r}"
                                     for i in range(60)))  # fmt: skip
    write("r.csv", "id,story,x,y", *(f"q{i // 7},s{i % 7},{rng.choice([0, 1])},{rng.choice([0, 1])}"
                                     for i in range(63)))  # fmt: skip
    write("l.csv", "n,gold,x,y", *(f"{i},{','.join(rng.choices('abc', k=3))}" for i in range(30)))
    write("c.csv", "doc,gold,tp_x,predicted_x,tp_y,predicted_y",
          *(f"d{i},5,{(i * 3) % 5},5,{(i * 7) % 4},{4 + i % 2}" for i in range(40)))  # fmt: skip
    write("k.csv", "id,correct_x,total_x,correct_y,total_y",
          *(f"{i},{i % 4},5,{(i * 3) % 5},5" for i in range(40)))  # fmt: skip
    columns = ("--gold-column", "2", "--a-column", "3", "--b-column", "4")
    return {
        "tags": (("t.conll", *columns), ("response", "conflict", "sentence", "document")),
        "plain tags": (("t.conll", *columns, "--scheme", "plain"), ("cluster",)),
        "responses": (("g.tsv", "a.tsv", "b.tsv"), ("response",)),
        "documents": (("g.tsv", "a.tsv", "b.tsv", "--documents"), ("response", "document")),
        "spans": (
            ("g.tsv", "a.tsv", "b.tsv", "--documents", "--spans"),
            ("response", "conflict", "document"),
        ),
        "scores": (("s.csv", "--cluster", "story"), ("unit", "cluster")),
        "binary": (("r.csv", "--cluster", "story"), ("unit", "cluster")),
        "numbers": (("a.txt", "b.txt"), ("unit",)),
        "labels": (("l.csv", "--id", "n"), ("unit",)),
        "counts": (("c.csv",), ("unit",)),
        "accuracy": (("k.csv",), ("unit",)),
        "samples": (("a.jsonl", "b.jsonl"), ("unit",)),
    }


KINDS = [
    "tags", "plain tags", "responses", "documents", "spans", "scores", "binary", "numbers",
    "labels", "counts", "accuracy", "samples",
]  # fmt: skip


def numbers(found):
    """All that a test computes."""
    keys = ("baseline_score", "score", "pvalue", "log_pvalue", "n_hits", "n_units", "tau")
    return [[r[key] for key in keys] for r in found["results"]]


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_pvalues_to_the_last_bit(kind):
    arguments, units = inputs(random.Random(5))[kind]
    written = ["out.csv"]
    if importlib.util.find_spec("pyarrow"):
        written.append("out.parquet")
    for path in written:
        said = run("convert", *arguments, "--output", path)
        assert all(line.startswith("csig: note: ") for line in said.splitlines())
    seeded = ("--resamples", "2000", "--seed", "11")
    for more in (seeded, (*seeded, "--method", "approximate", "--alternative", "greater")):
        original = record("compare", *arguments, *more)
        for path in written:
            again = record("compare", "--statistics", path, *more)
            assert numbers(again) == numbers(original)
            assert again["comparison"]["baseline"] == original["comparison"]["baseline"]
        for unit in units:
            original = record("compare", *arguments, *more, "--unit", unit)
            exclusions = original["comparison"]["exclusions"]
            for path in written:
                again = record("compare", "--statistics", path, *more, "--unit", unit)
                assert numbers(again) == numbers(original)
                assert again["comparison"]["exclusions"] == exclusions


@pytest.mark.parametrize("kind", ["tags", "documents", "spans", "scores", "labels", "counts"])
def test_the_order_of_the_rows_means_nothing(kind):
    arguments, units = inputs(random.Random(5))[kind]
    run("convert", *arguments, "--output", "out.csv")
    header, *rows = Path("out.csv").read_text().splitlines(keepends=True)
    random.Random(1).shuffle(rows)
    Path("mixed.csv").write_text(header + "".join(rows))
    seeded = ("--resamples", "2000", "--seed", "11")
    for more in (seeded, (*seeded, "--method", "approximate")):
        for unit in units:
            found = [
                numbers(record("compare", "--statistics", path, *more, "--unit", unit))
                for path in ("out.csv", "mixed.csv")
            ]
            assert found[0] == found[1]


@pytest.mark.parametrize("unit", ["sentence", "document"])
def test_sums_of_larger_units(unit):
    arguments, _ = inputs(random.Random(5))["tags"]
    run("convert", *arguments, "--unit", unit, "--output", "sums.csv")
    with open("sums.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert next(iter(rows[0])) == unit
    original = record("compare", *arguments)
    for name, sums in (("3", "baseline_sums"), ("4", "sums")):
        summed = [sum(int(row[f"{kind}_{name}"]) for row in rows) for kind in ("tp", "predicted")]
        assert [*map(str, summed)] == original["comparison"][sums][:2]
    again = record("compare", "--statistics", "sums.csv")
    assert numbers(again) == numbers(original)
    assert again["comparison"]["n_total"] == original["comparison"]["n_total"]
    assert again["comparison"]["unit"] == "document"
    # The table is one of counts, and is known as that without the option.
    assert numbers(record("compare", "sums.csv")) == numbers(original)


def test_a_table_of_responses_is_recognised():
    arguments, _ = inputs(random.Random(5))["spans"]
    run("convert", *arguments, "--output", "out.csv")
    found = record("compare", "out.csv")
    assert found["input"]["format"] == "statistics"
    assert numbers(found) == numbers(record("compare", *arguments))
    assert "a statistics table, one row per response, 9 documents (out.csv, a, b)" in words(
        "compare", "out.csv", "--explain"
    )


def test_systems_of_a_table_can_be_chosen():
    path = write("s.csv", "id,x,y,z", *(f"{i},{i % 2},{i % 3},{i % 5}" for i in range(30)))
    run("convert", path, "--output", "out.csv")
    assert record("compare", "--statistics", "out.csv")["baseline"] == "x"
    chosen = ("--a-column", "z", "--b-column", "y")
    found = record("compare", "--statistics", "out.csv", *chosen)
    assert numbers(found) == numbers(record("compare", path, *chosen))
    assert "no system 'q'; there are 'x', 'y', 'z'" in refused(
        "compare", "--statistics", "out.csv", "--system", "q", "--system", "x"
    )


def test_the_table_can_be_printed():
    path = write("s.csv", "id,x,y", "1,0.1,1", "2,0.30000000000000004,2")
    result = CliRunner().invoke(program, ["convert", path, "--output", "-"])
    assert result.stdout_bytes == b"id,score_x,score_y\n1,0.1,1\n2,0.30000000000000004,2\n"


def test_columns_of_a_table_are_kept():
    path = write("s.csv", "id,genre,x,y", "1,a,0.5,1", "2,b,0.25,2")
    run("convert", path, "--output", "out.csv")
    assert Path("out.csv").read_text().splitlines()[0] == "id,genre,score_x,score_y"


# ---- descriptions ------------------------------------------------------------------------------


def test_the_figures_of_conlleval(shared_data):
    path = shared_data("conlleval_sample") / "output.txt"
    out = run("convert", "--describe", path, "--gold-column", "3", "--system", "4")
    assert "40 sentences, 961 tokens" in " ".join(out.split())
    assert "459 in the gold." in " ".join(out.split())
    assert re.search(r"^4 +539 +371 +168 +80\.83 +68\.83 +74\.35$", out, re.MULTILINE)
    for label, found, precision, recall, f1 in (
        ("NP", 317, "64.98", "78.63", "71.16"), ("PP", 107, "83.18", "98.89", "90.36"),
        ("VP", 100, "69.00", "79.31", "73.80"), ("ADVP", 11, "45.45", "62.50", "52.63"),
        ("SBAR", 3, "66.67", "33.33", "44.44"), ("ADJP", 1, "0.00", "0.00", "0.00"),
    ):  # fmt: skip
        row = rf"^{label} +\d+ +{found} +{recall} +{precision} +{f1}$"
        assert re.search(row, out, re.MULTILINE)


@pytest.mark.parametrize(
    ("output_format", "row"),
    [
        ("markdown", "| p | 1 | 2 | 100.00 | 50.00 | 66.67 |"),
        ("latex", r"    p & 1 & 2 & 100.00 & 50.00 & 66.67 \\"),
        ("csv", "x,p,,,,,1,2,1"),
        ("html", '<html lang="en">'),
    ],
)
def test_descriptions_in_other_formats(output_format, row):
    path = write("l.csv", "id,gold,x", "1,p,p", "2,q,p")
    assert row in run("convert", "--describe", path, "-f", output_format).splitlines()


def test_the_figures_of_published_taggers(shared_data):
    path = shared_data("conll03_ner_tags") / "conll03_test_tags.tsv"
    columns = ("--gold-column", "gold", "--system", "elmo", "--system", "flair")
    found = record("convert", "--describe", path, *columns)
    assert found["units"]["sentence"] == 3453
    assert found["input"]["n_tokens"] == 46435
    assert found["gold"] == 5648
    elmo, flair = found["systems"]
    assert (elmo["counts"]["correct"], elmo["counts"]["responses"]) == (5213, 5658)
    assert (flair["counts"]["correct"], flair["counts"]["responses"]) == (5270, 5682)
    assert [round(100 * s["scores"]["f1"], 4) for s in (elmo, flair)] == [92.2165, 93.0274]


def test_the_figures_of_a_shared_task(shared_data):
    folder = shared_data("wnut17_ner")
    names = ("gold.emerging.test.annotated", "spinningbytes", "uh_ritual")
    files = [folder / f"{name}.conll" for name in names]
    found = record("convert", "--describe", *files)
    assert (found["units"]["sentence"], found["input"]["n_tokens"]) == (1287, 23394)
    assert found["gold"] == 1079
    counts = [(s["counts"]["correct"], s["counts"]["responses"]) for s in found["systems"]]
    assert counts == [(388, 824), (355, 617)]
    assert [round(100 * s["scores"]["f1"], 2) for s in found["systems"]] == [40.78, 41.86]


def suspicious(*arguments):
    return " ".join(record("convert", "--describe", *arguments)["suspicious"])


def test_suspicious_responses():
    gold = write("gold.tsv", *(f"d{i}\t{i}\t{i + 1}\tX" for i in range(8)))
    half = write("half.tsv", *(f"d{i}\t{i}\t{i + 1}\tX" for i in range(4)), "d1\t1\t2\tZ")
    copy = write("copy.tsv", *(f"d{i}\t{i}\t{i + 1}\tX" for i in range(8)))
    none = write("none.tsv")
    wrong = write("wrong.tsv", "d0\t7\t8\tX")
    options = ("--documents", "--spans")
    said = suspicious(gold, half, copy, none, wrong, *options)
    assert "1 label is never in the gold: 'Z'." in said
    assert (
        "half has no responses in 4 of the 8 documents in which the gold has some. Is the file "
        "complete?" in said
    )
    assert "copy is exactly the gold." in said
    assert "none has no responses." in said
    assert "None of the responses of wrong is in the gold." in said
    assert "half and copy are identical" not in said
    again = write("again.tsv", *Path("half.tsv").read_text().splitlines())
    assert "half and again are identical." in suspicious(gold, half, again, *options)
    assert "The gold is empty." in suspicious(none, half, *options)
    assert suspicious(gold, copy, *options) == "copy is exactly the gold."


def test_suspicious_tables():
    rows = [f"{i},{i % 2},1,{1000 + 7 * i},{(i * 3) % 5},t{i},u{i // 19}" for i in range(20)]
    write("s.csv", "id,bin,same,uid,score,task,topic", *rows)
    every = [part for name in ("bin", "same", "uid", "score") for part in ("--system", name)]
    said = suspicious("s.csv", "--cluster", "topic", *every)
    assert "All scores of same are 1." in said
    assert "The scores of uid are all different whole numbers. Is it a column of ids?" in said
    assert "19 of 20 units are in one topic, 'u0'." in said
    said = suspicious("s.csv", "--cluster", "task", "--system", "bin", "--system", "score")
    assert "Every task has only one unit, so it makes no difference." in said
    assert "0 or 1" not in said
    said = suspicious("s.csv", "--cluster", "task", "--system", "bin", "--system", "same")
    assert "All scores are 0 or 1: their mean is the accuracy." in said
    labels = write("l.csv", "id,gold,x,y,z", "1,p,p,p,p", "2,q,q,p,p", "3,q,q,r,r")
    said = suspicious(labels)
    assert "1 label is never in the gold: 'r'." in said
    assert "x is exactly the gold." in said
    assert "y and z are identical." in said


def test_counts_are_described():
    path = write("c.toml", "gold = 5", "only_a_correct = 3", "only_b_correct = 1")
    found = record("convert", "--describe", "--counts", path)
    assert [s["scores"]["recall"] for s in found["systems"]] == [0.6, 0.2]
    assert "counts (c.toml)" in words("convert", "--describe", "--counts", path)


def test_one_system_is_enough_for_a_description():
    path = write("s.csv", "id,x", "1,0.5", "2,0.75")
    assert record("convert", "--describe", path)["systems"][0]["scores"] == {"mean": 0.625}


def test_many_labels_and_systems_fit():
    rows = [f"{i},l{i % 60},{','.join(f'l{(i * k) % 60}' for k in (1, 3, 7))}" for i in range(240)]
    path = write("l.csv", "id,gold,x,y,z", *rows)
    out = run("convert", "--describe", path)
    assert "20 more labels are in the record (--json)." in out
    assert len(record("convert", "--describe", path)["labels"]) == 60


def test_json_and_table_and_words_at_once():
    path = write("s.csv", "id,x,y", "1,0.5,1", "2,0.75,0")
    out = run("convert", path, "--describe", "--json", "d.json", "-o", "out.csv")
    assert out == run("convert", path, "--describe")
    assert json.loads(Path("d.json").read_text()) == record("convert", "--describe", path)
    assert Path("out.csv").read_text().startswith("id,score_x,score_y\n")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("s.csv",), "nothing to do: give --output FILE, or --describe"),
        (("s.csv", "-o", "x.csv", "--json", "-"), "--json goes with --describe"),
        (("s.csv", "-o", "x.csv", "-f", "html"), "--output-format goes with --describe"),
        (("s.csv", "--describe", "-o", "-", "-f", "csv"), "--output - and -f csv: give --output"),
        (("s.csv", "--describe", "-o", "-", "--json", "-"), "only one can be on standard output"),
        (("s.csv", "-o", "s.csv"), "s.csv: the table would overwrite an input"),
        (("s.csv", "-o", "no/x.csv"), "no/x.csv: the table cannot be written"),
        (("s.csv", "-o", "x.csv/"), "expected a name in .csv, .tsv or .parquet"),
        (("s.csv", "-o", "x.xlsx"), "--output x.xlsx: expected a name in .csv, .tsv or .parquet"),
        (("s.csv", "-o", "x.parquet.gz"), "Parquet is packed already"),
        (("g.tsv", "g.tsv", "-o", "x.csv", "--lower-is-better"), "is for tables of scores"),
        (("s.csv", "-o", "x.csv", "--unit", "sentence"), "--unit sentence is not possible here"),
        (("g.tsv", "g.tsv", "-o", "x.csv", "--unit", "document"), "here, only 'response'"),
        (
            ("--counts", "c.toml", "-o", "x.csv"),
            "counts cannot be converted: only their sums are known",
        ),
        (("none.csv", "--describe"), "none.csv: no such file"),
    ],
)
def test_mistakes_are_one_line(arguments, expected):
    write("s.csv", "id,x,y", "1,0.5,1", "2,0.75,0")
    write("g.tsv", "r1", "r2")
    write("c.toml", "gold = 5", "only_a_correct = 3", "only_b_correct = 1")
    if arguments[:2] == ("g.tsv", "g.tsv"):
        arguments = (*arguments, "--format", "responses")
    assert expected in refused("convert", *arguments)


def test_a_failed_conversion_leaves_the_old_table_alone():
    write("out.csv", "old")
    write("s.csv", "id,x,y", "1,0.5,1", "2,high,0")
    refused("convert", "s.csv", "-o", "out.csv")
    assert Path("out.csv").read_text() == "old\n"


def test_metric_and_direction_survive():
    for name, score in (("one", 3.5), ("two", 2.5)):
        rows = [{"doc_id": i, "doc_hash": str(i), "word_perplexity": score + i} for i in range(9)]
        write(f"{name}.jsonl", *map(json.dumps, rows))
    run("convert", "one.jsonl", "two.jsonl", "-o", "out.csv")
    assert Path("out.csv").read_text().startswith("document,metric,loss_one,loss_two\n")
    original = record("compare", "one.jsonl", "two.jsonl")["results"][0]
    again = record("compare", "--statistics", "out.csv")["results"][0]
    assert original["greater_is_better"] is False
    for key in ("metric", "greater_is_better", "sentence", "pvalue"):
        assert again[key] == original[key]
    write("s.csv", "id,x,y", *(f"{i},{i / 7},{i / 3}" for i in range(20)))
    run("convert", "s.csv", "--lower-is-better", "-o", "out.csv")
    lower = record("compare", "s.csv", "--lower-is-better")["results"][0]
    assert record("compare", "--statistics", "out.csv")["results"][0] == lower


@pytest.mark.parametrize("column", ["response", "start", "label"])
def test_a_table_of_counts_with_an_odd_column(column):
    rows = [f"d{i},t{i % 6},w{i},1,1,1,{i % 2},1" for i in range(30)]
    path = write("c.csv", f"doc,cluster,{column},gold,tp_x,predicted_x,tp_y,predicted_y", *rows)
    found = record("compare", path)
    assert (found["input"]["format"], found["comparison"]["unit"]) == ("counts", "cluster")
    run("convert", path, "-o", "out.csv")
    again = record("compare", "--statistics", "out.csv")
    assert numbers(again) == numbers(found)


def test_cells_that_only_quotation_marks_save():
    rows = [f'"q{i}\r",{i % 3},{i % 5}' for i in range(9)]
    Path("s.csv").write_bytes(("id,x,y\n" + "\n".join(rows)).encode())
    run("convert", "s.csv", "-o", "out.csv")
    assert numbers(record("compare", "--statistics", "out.csv")) == numbers(
        record("compare", "s.csv")
    )


def test_the_same_table_is_the_same_bytes(monkeypatch):
    write("s.csv", "id,x,y", "1,0.5,1", "2,0.75,0")
    run("convert", "s.csv", "-o", "a.csv.gz")
    monkeypatch.setattr("time.time", lambda: 2.0e9)
    run("convert", "s.csv", "-o", "b.csv.gz")
    assert Path("a.csv.gz").read_bytes() == Path("b.csv.gz").read_bytes()
