"""``csig convert``: the same p-values from the table that it writes, and descriptions."""

import csv
import importlib.util
import json
import random
import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from commands import record, run, write

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


#: Kinds of input: arguments, the units that there are, and whether the order of the rows of their
#: tables means nothing.
COLUMNS = "--gold-column 2 --system 3 --system 4"
KINDS = {
    "tags": (f"t.conll {COLUMNS}", "response conflict sentence document", True),
    "plain tags": (f"t.conll {COLUMNS} --scheme plain", "cluster", False),
    "responses": ("g.tsv a.tsv b.tsv", "response", False),
    "documents": ("g.tsv a.tsv b.tsv --documents", "response document", True),
    "spans": ("g.tsv a.tsv b.tsv --documents --spans", "response conflict document", True),
    "scores": ("s.csv --cluster story", "unit cluster", True),
    "binary": ("r.csv --cluster story", "unit cluster", False),
    "numbers": ("a.txt b.txt", "unit", False),
    "labels": ("l.csv --id n", "unit", True),
    "counts": ("c.csv", "unit", True),
    "accuracy": ("k.csv", "unit", False),
    "samples": ("a.jsonl b.jsonl", "unit", False),
}


@pytest.fixture(autouse=True)
def _files(_folder: None):
    rng = random.Random(5)
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


def numbers(found):
    """All that a test computes."""
    keys = ("baseline_score", "score", "pvalue", "log_pvalue", "n_hits", "n_units", "tau")
    return [[r[key] for key in keys] for r in found["results"]]


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_pvalues_to_the_last_bit(kind):
    """Exactly by the default unit, and of shuffles by every one."""
    given, units, any_order = KINDS[kind]
    arguments = given.split()
    written = ["out.csv", *["out.parquet"] * bool(importlib.util.find_spec("pyarrow"))]
    for path in written:
        said = run("convert", *arguments, "--output", path)
        answer, *notes = said.splitlines()
        with open("out.csv", newline="") as file:
            n_rows = len(list(csv.reader(file))) - 1
        unit = re.sub("unit|cluster", r"\\w+", units.split()[0])
        expected = rf"Wrote {path}: {n_rows} rows, one per {unit}, of 2 systems, read from .*\."
        assert re.fullmatch(expected, answer), answer
        assert all(line.startswith("csig: note: ") for line in notes)
    if any_order:
        header, *rows = Path("out.csv").read_text().splitlines(keepends=True)
        random.Random(1).shuffle(rows)
        Path("mixed.csv").write_text(header + "".join(rows))
        written.append("mixed.csv")
    seeded = ("--resamples", "2000", "--seed", "11", "--interval", "none")
    drawn = (*seeded, "--method", "approximate", "--unit")
    for more in (seeded, *((*drawn, own) for own in units.split())):
        original = record("compare", *arguments, *more)
        for path in written if more == seeded else written[:1]:
            again = record("compare", "--statistics", path, *more)
            assert numbers(again) == numbers(original)
            for key in ("baseline", "exclusions"):
                assert again["comparison"][key] == original["comparison"][key]


@pytest.mark.parametrize("unit", ["sentence", "document"])
def test_sums_of_larger_units(unit):
    arguments = KINDS["tags"][0].split()
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


def test_the_table_can_be_printed():
    write("s.csv", "id,genre,x,y", "1,a,0.5,1", "2,b,0.30000000000000004,0.25")
    result = CliRunner().invoke(program, ["convert", "s.csv", "--cluster", "genre", "-o", "-"])
    assert result.stdout_bytes == (
        b"id,cluster,score_x,score_y\n1,a,0.5,1.0\n2,b,0.30000000000000004,0.25\n"
    )


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
