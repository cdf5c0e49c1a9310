"""The unit to swap on the command line: the default, and how much depends on it."""

from __future__ import annotations

import itertools
from fractions import Fraction

from commands import record, refused, run, said_beside, words, write

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


def test_a_verdict_that_no_document_could_change():
    out = words("compare", write("t.conll", *TAGS), *COLUMNS, "--explain")
    assert "Report the p-values of documents, the largest unit that is known" in out
    assert "But with 3 documents that differ no p-value can be below 0.25: too few" in out
    assert "With 3 documents that differ no p-value can be below 0.25: at 0.05 no difference" in out
    options = ("--unit", "sentence", "--explain")
    at_sentence = words("compare", write("t.conll", *TAGS), *COLUMNS, *options)
    assert "The other results here are of sentences, as asked for." in at_sentence


def test_one_unit_needs_no_table():
    counts = write("c.toml", "gold = 5", "only_a_correct = 3", "only_b_correct = 1")
    assert record("compare", "--counts", counts)["sensitivity"] is None
    path = write("s.csv", "id,a,b", "1,0.5,1", "2,0.25,1")
    assert record("compare", path)["sensitivity"] is None
    assert "Swapped" not in run("compare", path, "--explain")


def test_nobody_has_to_wait_for_it():
    path = write("t.conll", *TAGS)
    found = record("compare", path, *COLUMNS, "--no-sensitivity")
    assert found["sensitivity"] is None
    assert found["options"]["sensitivity"] is False
    assert found["results"] == record("compare", path, *COLUMNS)["results"]


def test_the_papers_procedure_is_for_responses():
    found = record("compare", write("t.conll", *TAGS), *COLUMNS, "--method", "yeh2000")
    assert found["comparison"]["unit"] == "response"
    assert found["sensitivity"] is None


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


def test_exact_is_asked_for_the_unit_in_question_only():
    scores = [f"{i},c{i % 7},{(i * 7919 % 9973) / 9973},{(i * 104729 % 9949) / 9949}"
              for i in range(300)]  # fmt: skip
    path = write("s.csv", "id,cluster,a,b", *scores)
    found = record("compare", path, "--method", "exact", "--resamples", "999")
    by_unit = {row["unit"]: row["results"][0] for row in found["sensitivity"]}
    assert (by_unit["cluster"]["method"], by_unit["unit"]["method"]) == ("exact", "certified")


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


# ---- what makes units known --------------------------------------------------------------------


def test_documents_by_a_column_or_a_file():
    tokens = [("d1", "B-X", "B-X", "O"), ("d1", "B-X", "B-X", "O"), ("d2", "B-Y", "O", "O"),
              ("d2", "O", "B-X", "O"), ("d3", "B-Y", "O", "B-Y")]  # fmt: skip
    path = write("t.tsv", "doc\tgold\tx\ty", *("\t".join(row) for row in tokens))
    columns = ("--gold-column", "gold", "--system", "x", "--system", "y")
    by_column = record("compare", path, *columns, "--document-column", "doc")
    assert by_column["comparison"]["unit"] == "document"
    assert (by_column["comparison"]["n_units"], by_column["comparison"]["n_total"]) == (3, 3)
    gaps = write("s.tsv", "gold\tx\ty", *("\t".join(row[1:]) + "\n" for row in tokens))
    mapping = write("map.txt", *(row[0] for row in tokens))
    by_file = record("compare", gaps, *columns, "--document-file", mapping)
    assert by_file["results"] == by_column["results"]
    short = write("short.txt", "d1")
    assert "short.txt: found no document for 4 sentences of" in refused(
        "compare", gaps, *columns, "--document-file", short
    )


def test_rules_and_schemes():
    path = write("t.tsv", "gold\tx\ty", "B-X\tI-X\tB-X", "O\tO\tO", "I-X\tB-X\tO")
    columns = ("--gold-column", "gold", "--system", "x", "--system", "y")
    loose = record("compare", path, *columns)
    strict = record("compare", path, *columns, "--rules", "strict", "--scheme", "IOB2")
    assert loose["input"]["rules"] == "conlleval"
    assert (strict["input"]["rules"], strict["input"]["scheme"]) == ("strict", "IOB2")
    assert [r["baseline_sums"] for r in (loose["comparison"], strict["comparison"])] == [
        ["2", "2", "2"], ["0", "1", "1"],
    ]  # fmt: skip
    assert "tags read by conlleval's rules" in words("compare", path, *columns, "--explain")
    options = ("--rules", "strict", "--scheme", "IOB2")
    assert "tags read by strict rules (IOB2)" in words(
        "compare", path, *columns, *options, "--explain"
    )
    assert "scheme must be one of 'IOB1'" in refused("compare", path, *columns, "--scheme", "XYZ")


def test_plain_labels_of_tokens():
    rows = ["NN\tNN\tVB", "DT\tDT\tDT", "", "VB\tNN\tVB", "NN\tNN\tNN"]
    path = write("pos.tsv", "gold\tx\ty", *rows)
    columns = ("--gold-column", "gold", "--system", "x", "--system", "y", "--scheme", "plain")
    found = record("compare", path, *columns, "--metric", "accuracy")
    assert found["input"]["format"] == "labels"
    assert [row["unit"] for row in found["sensitivity"]] == ["token", "sentence"]
    assert [found["results"][0][name] for name in ("baseline_score", "score")] == [0.75, 0.75]
    assert "labels of tokens, 2 sentences, 4 tokens" in words(
        "compare", path, *columns, "--explain"
    )


def test_three_systems_of_tags():
    path = write("t.tsv", "gold\tx\ty\tz", "B-X\tB-X\tO\tB-X", "B-Y\tO\tB-Y\tB-X", "O\tB-X\tO\tO")
    names = ("--system", "x", "--system", "y", "--system", "z")
    found = record("compare", path, "--gold-column", "gold", *names)
    assert found["baseline"] == "x"
    assert [own["comparison"]["system"] for own in found["comparisons"]] == ["y", "z"]
    files = []
    for number, name in enumerate(("gold", "x", "y", "z")):
        column = (row.split("\t")[number] for row in ("B-X\tB-X\tO\tB-X", "B-Y\tO\tB-Y\tB-X",
                                                       "O\tB-X\tO\tO"))  # fmt: skip
        files.append(write(f"{name}.conll", *(f"w{i} {tag}" for i, tag in enumerate(column))))
    in_files = record("compare", *files)
    assert in_files["results"] == found["results"]
    assert "(gold.conll, x.conll, y.conll and 1 more file)" in words("compare", *files, "--explain")


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


def test_a_label_that_is_looked_for():
    path = write(
        "l.csv", "id,gold,x,y", "1,yes,yes,no", "2,no,yes,no", "3,yes,yes,yes", "4,no,no,no"
    )
    found = record("compare", path, "--positive", "yes")
    assert [r["metric"] for r in found["results"]] == ["recall", "precision", "f1"]
    assert [r["baseline_score"] for r in found["results"]] == [1, 2 / 3, 0.8]
    assert "positive: no item has the label 'maybe'" in refused(
        "compare", path, "--positive", "maybe"
    )


def test_the_lower_score_can_be_the_better_one():
    path = write("s.csv", "id,x,y", *(f"{i},{i / 10},{i / 10 + 1}" for i in range(20)))
    assert words("compare", path).startswith("y beats x on the mean.")
    found = record("compare", path, "--lower-is-better")
    assert found["results"][0]["greater_is_better"] is False
    assert words("compare", path, "--lower-is-better").startswith("x beats y on the mean.")
    assert found["results"][0]["pvalue"] == record("compare", path)["results"][0]["pvalue"]
    assert "--lower-is-better is for tables of scores" in refused(
        "compare", "--lower-is-better", write("l.csv", "id,gold,x,y", "1,p,p,q", "2,q,p,q")
    )


def test_units_that_change_nothing_of_a_metric_do_not_count():
    rows = [f"d{i},5,{3 - (i == 0)},5,3,{6 - (i == 0)}" for i in range(8)]
    path = write("c.csv", "doc,gold,tp_x,predicted_x,tp_y,predicted_y", *rows)
    found = record("compare", path, "--metric", "recall,precision")
    cautions = said_beside("compare", path, "--metric", "recall,precision")["cautions"]
    assert found["comparison"]["n_units"] == 8
    assert [r["n_moving"] for r in found["results"]] == [1, 8]
    assert (
        "With 1 document that differs in what recall counts no p-value can be below 1"
        in " ".join(cautions)
    )
    assert not any("precision" in line for line in cautions)


def test_a_system_that_is_the_gold_and_swapped_files():
    for name, spans in (("gold", "0\t2\tX"), ("a", "0\t2\tX"), ("b", "0\t2\tY")):
        write(f"{name}.tsv", spans)
    assert "as a system and 'a.tsv' as the gold; are they swapped?" in refused(
        "compare", "a.tsv", "gold.tsv", "b.tsv"
    )


def test_three_tables_are_no_responses():
    for i, name in enumerate(("base", "new", "third")):
        write(f"{name}.csv", "id,score", *(f"q{k},{(k * (i + 2)) % 7}" for k in range(20)))
        write(f"{name}.txt", *(str((k * (i + 3)) % 9 / 2) for k in range(20)))
    for ending in ("csv", "txt"):
        found = record("compare", *(f"{name}.{ending}" for name in ("base", "new", "third")))
        assert found["baseline"] == "base"
    ids = [write(f"{name}.tsv", *own) for name, own in
           (("g", "123"), ("a", "12"), ("b", "1"))]  # fmt: skip
    assert "each of 3 files has one whole number a line" in refused("compare", *ids)
    found = record("compare", *ids, "--format", "responses")
    assert found["input"]["format"] == "responses"


def test_spans_of_other_documents():
    def jsonl(name, *documents):
        row = '{{"document": "{}", "start": 0, "end": 2, "label": "X"}}'
        return write(f"{name}.jsonl", *(row.format(document) for document in documents))

    gold = jsonl("gold", *"abcdef")
    whole, cut, odd = jsonl("x", *"abcdef"), jsonl("y", *"abc"), jsonl("z", *"abcdez")
    said = " ".join(said_beside("compare", gold, whole, cut)["cautions"])
    assert "y has no responses in 3 of the 6 documents in which the gold has some: 'd'" in said
    assert "z.jsonl: has 1 document that gold.jsonl lacks: 'z'" in refused(
        "compare", gold, whole, odd
    )
    found = record("compare", gold, whole, odd, "--allow-missing", "intersection")
    assert found["input"]["n_documents"] == 5


def test_other_units_of_many_items_take_no_longer_than_the_test():
    rows = [f"{i},c{i % 9},{(i * 7919 % 9973) / 9973},{(i * 104729 % 9949) / 9949}"
            for i in range(9000)]  # fmt: skip
    path = write("s.csv", "id,cluster,a,b", *rows)
    found = record("compare", path, "--seed", "1", "--method", "approximate")
    by_unit = {row["unit"]: row["results"][0] for row in found["sensitivity"]}
    assert by_unit["unit"]["n_resamples"] <= 2**20
