"""The unit to swap on the command line: the default, and how much depends on it."""

from __future__ import annotations

import itertools
from fractions import Fraction

from commands import record, run, words, write

import csig

TAGS = [
    "-DOCSTART- O O O", "",
    "x B-X B-X O", "y O O B-Y", "", "z B-X I-X O", "",
    "-DOCSTART- O O O", "",
    "u B-Z B-Z B-Y", "v B-X O O", "",
    "-DOCSTART- O O O", "",
    "w B-X B-X O", "",
]  # fmt: skip
COLUMNS = ("t.conll", "--gold-column", "2", "--system", "3", "--system", "4")


def test_every_known_unit_is_tested():
    write("t.conll", *TAGS)
    found = record("compare", *COLUMNS)
    assert found["comparison"]["unit"] == "document"
    assert found["input"]["n_documents"] == 3
    rows = {row["unit"]: row for row in found["sensitivity"]}
    assert list(rows) == ["response", "conflict", "sentence", "document"]
    for unit, row in rows.items():
        alone = record("compare", *COLUMNS, "--unit", unit)
        assert [r["pvalue"] for r in row["results"]] == [r["pvalue"] for r in alone["results"]]
        assert row["n_units"] == alone["comparison"]["n_units"]
        assert row["n_total"] == alone["comparison"]["n_total"]
        assert alone["sensitivity"] == found["sensitivity"]
    out = run("compare", *COLUMNS, "--explain")
    assert "Swapped" in out
    for name in ("responses", "conflict groups", "sentences", "documents"):
        assert f"\n{name} " in out
    # True positives of A less those of B, by document: of x and z, of u, of w.
    differences = [2, 1, 1]  # so many fewer has B, the later one
    # z is B-X I-X in the columns of gold and A: its own sentence, one token, B-X against I-X.
    gold = sum(line.split()[1].startswith("B-") for line in TAGS if line and line[0] != "-")
    recall = found["results"][0]
    assert recall["difference"] == -float(Fraction(sum(differences), gold))
    extreme = sum(
        abs(sum(s * d for s, d in zip(signs, differences, strict=True))) >= sum(differences)
        for signs in itertools.product((1, -1), repeat=3)
    )
    assert recall["pvalue"] == extreme / 8


def test_all_units_have_one_seed():
    write("t.conll", *TAGS)
    drawn = (*COLUMNS, "--method", "approximate", "--resamples", "99")
    found = record("compare", *drawn)
    seed = found["results"][0]["seed"]["entropy"][0]
    again = record("compare", *drawn, "--seed", seed, "--unit", "sentence")
    assert again["sensitivity"] == found["sensitivity"]
    assert again["options"]["seed"] == seed


def test_spans_in_json_lines_and_in_standoff():
    spans = {
        "gold": [("d1", 0, 4, "PER"), ("d1", 9, 12, "LOC"), ("d2", 3, 5, "ORG")],
        "x": [("d1", 0, 4, "PER"), ("d2", 3, 5, "ORG")],
        "y": [("d1", 0, 5, "PER"), ("d1", 9, 12, "LOC"), ("d2", 1, 4, "ORG")],
    }
    for name, own in spans.items():
        form = '{{"doc": "{}", "start": {}, "end": {}, "label": "{}"}}'
        write(f"{name}.jsonl", *(form.format(*span) for span in own))
        for document in ("d1", "d2"):
            here = [(s, e, x) for d, s, e, x in own if d == document]
            lines = [f"T{i}\t{x} {s} {e}\tsome words" for i, (s, e, x) in enumerate(here, 1)]
            write(f"{name}/{document}.ann", *lines)
    files = (*(f"{name}.jsonl" for name in spans), "--field", "document=doc")
    found = record("compare", *files)
    assert found["input"]["format"] == "spans"
    assert found["comparison"]["unit"] == "document"
    assert record("compare", *spans)["results"] == found["results"]
    by_hand = csig.Comparison.from_responses(
        *({d: [(s, e, x) for d2, s, e, x in own if d2 == d] for d in ("d1", "d2")}
          for own in spans.values()), conflict=csig.metrics.spans,
    )  # fmt: skip
    assert found["comparison"]["exclusions"]["pairs"] == by_hand.exclusions.pairs == 2
    for row in found["sensitivity"]:
        unit = {"document": "key"}.get(row["unit"], row["unit"])
        result = csig.randomization_test(by_hand.at(unit), "f1")
        assert row["results"][2]["pvalue"] == result.pvalue
    said = words("compare", *files, "--explain")
    assert "spans, 2 documents (gold.jsonl, x.jsonl, y.jsonl)" in said
