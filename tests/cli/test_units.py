"""The unit to swap on the command line: the default, and how much depends on it."""

import itertools
from fractions import Fraction

from commands import record, run, write

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
