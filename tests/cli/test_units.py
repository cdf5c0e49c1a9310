"""The unit to swap on the command line: the default, and how much depends on it."""

from __future__ import annotations

import itertools
from fractions import Fraction

from commands import record, run, words, write

import csig
from csig.base.wording import pvalue

TAGS = [
    "-DOCSTART- O O O", "",
    "x B-X B-X O", "y O O B-Y", "", "z B-X I-X O", "",
    "-DOCSTART- O O O", "",
    "u B-Z B-Z B-Y", "v B-X O O", "",
    "-DOCSTART- O O O", "",
    "w B-X B-X O", "",
]  # fmt: skip
COLUMNS = ("--gold-column", "2", "--system", "3", "--system", "4")


def test_every_known_unit_is_tested():
    path = write("t.conll", *TAGS)
    found = record("compare", path, *COLUMNS)
    assert found["comparison"]["unit"] == "document"
    assert found["input"]["n_documents"] == 3
    rows = {row["unit"]: row for row in found["sensitivity"]}
    assert list(rows) == ["response", "conflict", "sentence", "document"]
    for unit, row in rows.items():
        alone = record("compare", path, *COLUMNS, "--unit", unit)
        assert [r["pvalue"] for r in row["results"]] == [r["pvalue"] for r in alone["results"]]
        assert row["n_units"] == alone["comparison"]["n_units"]
        assert row["n_total"] == alone["comparison"]["n_total"]
        assert alone["sensitivity"] == found["sensitivity"]
    out = run("compare", path, *COLUMNS, "--explain")
    assert "Swapped" in out
    for name in ("responses", "conflict groups", "sentences", "documents"):
        assert f"\n{name} " in out


def test_recall_by_document_is_counted_by_hand():
    found = record("compare", write("t.conll", *TAGS), *COLUMNS, "--metric", "recall")
    # True positives of A less those of B, by document: of x and z, of u, of w.
    differences = [2, 1, 1]  # so many fewer has B, the later one
    # z is B-X I-X in the columns of gold and A: its own sentence, one token, B-X against I-X.
    gold = sum(line.split()[1].startswith("B-") for line in TAGS if line and line[0] != "-")
    assert found["results"][0]["difference"] == -float(Fraction(sum(differences), gold))
    extreme = sum(
        abs(sum(s * d for s, d in zip(signs, differences, strict=True))) >= sum(differences)
        for signs in itertools.product((1, -1), repeat=3)
    )
    assert found["results"][0]["pvalue"] == extreme / 8


def test_all_units_have_one_seed():
    found = record(
        "compare", write("t.conll", *TAGS), *COLUMNS, "--method", "approximate", "--resamples", "99"
    )
    seed = found["results"][0]["seed"]["entropy"][0]
    again = record(
        "compare", "t.conll", *COLUMNS, "--method", "approximate", "--resamples", "99",
        "--seed", seed, "--unit", "sentence",
    )  # fmt: skip
    assert again["sensitivity"] == found["sensitivity"]
    assert again["options"]["seed"] == seed


def test_units_of_many_systems():
    rows = [f"{i},t{i % 4},{i % 2},{(i // 2) % 2},1" for i in range(40)]
    path = write("t.csv", "id,task,base,x,y", *rows)
    found = record("compare", path)
    for own in found["comparisons"]:
        assert [row["unit"] for row in own["sensitivity"]] == ["unit", "task"]
    out = run("compare", path, "--explain")
    assert "Report the p-values of tasks" in " ".join(out.split())
    at_items = {own["comparison"]["system"]: own["sensitivity"][0]["results"][0]
                for own in found["comparisons"]}  # fmt: skip
    for name, result in at_items.items():
        rows = [line.split() for line in out.splitlines() if line.startswith(f"{name} ")]
        assert any(
            pvalue(result["pvalue"], result["log_pvalue"], 0.05) in row and "(20)" in row
            for row in rows
        )


def test_spans_in_json_lines_and_in_standoff():
    spans = {
        "gold": [("d1", 0, 4, "PER"), ("d1", 9, 12, "LOC"), ("d2", 3, 5, "ORG")],
        "x": [("d1", 0, 4, "PER"), ("d2", 3, 5, "ORG")],
        "y": [("d1", 0, 5, "PER"), ("d1", 9, 12, "LOC"), ("d2", 1, 4, "ORG")],
    }
    for name, own in spans.items():
        write(
            f"{name}.jsonl",
            *(f'{{"doc": "{d}", "start": {s}, "end": {e}, "label": "{x}"}}' for d, s, e, x in own),
        )
        for document in ("d1", "d2"):
            here = [(s, e, x) for d, s, e, x in own if d == document]
            lines = [f"T{i}\t{x} {s} {e}\tsome words" for i, (s, e, x) in enumerate(here, 1)]
            write(f"{name}/{document}.ann", *lines)
    files = [f"{name}.jsonl" for name in spans]
    found = record("compare", *files, "--field", "document=doc")
    assert found["input"]["format"] == "spans"
    assert found["comparison"]["unit"] == "document"
    standoff = record("compare", *spans)
    assert standoff["results"] == found["results"]
    by_hand = csig.Comparison.from_responses(
        *({d: [(s, e, x) for d2, s, e, x in own if d2 == d] for d in ("d1", "d2")}
          for own in spans.values()), conflict=csig.metrics.spans,
    )  # fmt: skip
    assert found["comparison"]["exclusions"]["pairs"] == by_hand.exclusions.pairs == 2
    for row in found["sensitivity"]:
        unit = {"document": "key"}.get(row["unit"], row["unit"])
        result = csig.randomization_test(by_hand.at(unit), "f1")
        assert row["results"][2]["pvalue"] == result.pvalue
    renamed = words("compare", *files, "--field", "document=doc", "--explain")
    assert "spans, 2 documents (gold.jsonl, x.jsonl, y.jsonl)" in renamed
