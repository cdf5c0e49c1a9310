"""How the cells of a table come out of its text: quoting, blank lines, decimals, headers."""

from __future__ import annotations

import itertools
import os
import tempfile

import pytest
from commands import record, refused, run, words, write
from hypothesis import given
from hypothesis import strategies as st
from written import file_of, refusal

from csig.errors import InputError
from csig.readers import read_table, read_tables
from csig.readers.tables import delimited
from csig.readers.tables.cells import is_number
from csig.readers.tables.grids import read_grid
from csig.readers.tables.sheets import is_numeric, sheet_of

# ---- blank lines -------------------------------------------------------------------------------


@pytest.mark.parametrize("least", [0, 2**62])
def test_blank_lines_in_files_matched_by_their_order(least, monkeypatch):
    if not least:
        pytest.importorskip("pyarrow")
    monkeypatch.setattr(delimited, "ARROW_FROM", least)
    plain = ["kind,score", "u,1", "u,4", "u,3"]
    one = write("one.csv", *plain, "")
    two = write("two.csv", *plain[:2], "", *plain[2:])
    found = refusal(read_tables, [one, two], id=None)
    assert found.startswith("two.csv: a blank line before line 4 may be a missing row, as one.csv")
    assert "two.csv: a blank line" in refusal(read_tables, [two, one])
    # The same blank lines in all files shift nothing; with ids none does.
    assert read_tables([two, write("three.csv", *plain[:2], "", *plain[2:])]).n_units == 3
    ids = ["id,score", "u,1", "v,4", "w,3"]
    write(one, *ids)
    write(two, *ids[:2], "", *ids[2:])
    assert read_tables([one, two]).n_units == 3


# ---- headers -----------------------------------------------------------------------------------


def test_numbers_may_be_names():
    path = write("h.csv", "id,0,1", "q1,0.5,1", "q2,1,0.5")
    assert "--header reads numbers as names" in refused("compare", path)
    assert list(read_table(path, header=True).systems) == ["0", "1"]
    assert record("compare", path, "--header")["input"]["table"]["systems"] == ["0", "1"]


@pytest.mark.parametrize("sign", ["\t", ","])
@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (
            ["pos neg x", "neg pos neg", "pos pos pos"],
            "found 'pos', 'neg', also among the labels of the gold",
        ),
        (["pos pos x", "neg pos neg", "pos pos pos"], "column names given more than once: 'pos'"),
        (["1 1 0", "0 1 1", "1 0 0"], "found the number '1', expected a header"),
    ],
)
def test_the_first_row_of_labels_is_never_lost_in_silence(rows, said, sign):
    path = write("l.csv", *(row.replace(" ", sign) for row in rows))
    columns = ["--gold-column", 1, "--system", 2, "--system", 3]
    found = refused("compare", path, *columns)
    assert f"l.csv line 1: {said}" in found
    assert "--no-header" in found
    found = record("compare", path, *columns, "--no-header", "--metric", "accuracy")
    assert found["input"]["table"]["n_units"] == 3
    right = [sum(row[0] == row[i] for row in map(str.split, rows)) / 3 for i in (1, 2)]
    assert [found["results"][0][own] for own in ("baseline_score", "score")] == right
    table = read_table(path, gold="1", systems=["2", "3"], header=False)
    assert list(table.gold) == [row.split()[0] for row in rows]


def test_a_label_that_is_called_like_its_column():
    path = write("l.csv", "gold,a,b", "gold,gold,iron", "iron,iron,iron")
    assert "--header as names" in refused("compare", path)
    assert read_table(path, header=True).n_units == 2


def test_real_labels_without_their_header(shared_data):
    lines = (shared_data("cls_figqa_sst2_outputs") / "sst2_labels.csv").read_text().splitlines()
    gold = lines[0].split(",").index("gold") + 1
    systems = [gold + 1, gold + 2]
    columns = ["--gold-column", gold, *itertools.chain(*(("--system", i) for i in systems))]
    whole = record("compare", write("w.csv", *lines), *columns, "--metric", "accuracy")
    path = write("h.csv", *lines[1:])
    assert "h.csv line 1: column names given more than once" in refused("compare", path, *columns)
    found = record("compare", path, *columns, "--no-header", "--metric", "accuracy")
    assert found["input"]["table"]["n_units"] == len(lines) - 1
    assert [found["results"][0][own] for own in ("baseline_score", "score")] == [
        whole["results"][0][own] for own in ("baseline_score", "score")
    ]
    assert found["results"][0]["pvalue"] == whole["results"][0]["pvalue"]


@pytest.mark.parametrize(
    ("name", "lines", "options"),
    [
        ("h.csv", ["q1;0,5;0,75", "q2;1;0,25"], ["--no-header", "--decimal", ",", "--id", 1]),
        ("h.tsv", ['"id"\t"a"\t"b"', '"x"\t1\t0.5', '"y"\t1\t0.25'], ["--quoting", "csv"]),
        ("h.json", ['[{"x": {"a": 1, "b": 0.5}}]'], ["--field", "a=x.a", "--field", "b=x.b"]),
        ("h.csv", ["id,a,b", "x,1,0.5", "y,1,0.25"], ["--system", "3", "--system", "2"]),
    ],
)
def test_records_know_how_cells_were_read(name, lines, options):
    path = write(name, *lines)
    drawn = ["--resamples", 99, "--seed", 1, "--threads", 1]
    run("audit", path, *options, *drawn, "--record", "record.json")
    assert "verified" in words("verify", "record.json", "--inputs", path).lower()
    write(name, *lines[:-1], lines[-1].replace("5", "6"))
    assert "is not" in words("verify", "record.json", "--inputs", path, status=1)


def test_names_of_rows_without_a_name_in_the_header():
    path = write("r.tsv", "base\tnew", "q1\t0.5\t1", "q2\t1\t0.25")
    with pytest.raises(
        InputError, match=r"r.tsv line 2: found 3 cells, .*as R writes tables, give"
    ):
        read_table(path)
    path = write("r.tsv", "base\tnew", "0.5\t1", "q2\t1\t0.25")  # one row only is longer
    with pytest.raises(InputError, match=r"r.tsv line 3: found 3 cells, .* as in the header$"):
        read_table(path)


NUMBERS = ["+1", "-1", ".5", "1e3", " 2", "\u0663", "NaN", "Infinity", "inf", "nan", "0x", "", "x"]


@given(st.lists(st.sampled_from([*NUMBERS, "word", "Word", "e5", "\u00e9t\u00e9"]), min_size=1))
def test_what_is_a_column_of_numbers(cells):
    """As if every cell were looked at: at least half of those that are not empty."""
    filled = [cell for cell in cells if cell.strip()]
    expected = 2 * sum(map(is_number, filled)) >= len(filled) > 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "t.csv")
        sheet = sheet_of(read_grid(file_of(path, id=range(len(cells)), x=cells)))
    assert is_numeric(sheet, "x") is expected


@pytest.mark.parametrize(
    ("cell", "kept"),
    [
        ("9007199254740992", 2**53),
        ("-9007199254740994", -(2**53) - 2),
        ("9007199254740993", None),
        ("+1152921504606847010", None),
        ("1e17", 10**17),
        ("9007199254740993.5", 9007199254740994),  # known to one ulp
    ],
)
def test_whole_numbers_lose_no_digits(tmp_path, cell, kept):
    path = tmp_path / "scores.csv"
    write(path, f"id,a,b\nq1,3,{cell}\nq2,3,5\nq3,1,2\n")
    if kept is None:
        with pytest.raises(InputError) as refused_with:
            read_table(path)
        assert str(refused_with.value) == (
            f"{path} line 2, column 'b': found {cell!r}, expected a number that a double holds: "
            "whole ones up to 2^53, or fewer digits"
        )
    else:
        assert read_table(path).systems["b"].ravel().tolist() == [kept, 5, 2]
