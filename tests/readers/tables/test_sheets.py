"""How the cells of a table come out of its text: quoting, blank lines, decimals, headers."""

from __future__ import annotations

import csv
import io
import itertools
from pathlib import Path

import numpy as np
import pytest
from commands import record, refused, run, words, write
from hypothesis import given
from hypothesis import strategies as st
from written import refusal

from csig.errors import InputError
from csig.readers import read_table, read_tables
from csig.readers.statistics import read_statistics
from csig.readers.tables import delimited
from csig.readers.writing import encoded


def scores(found) -> list[float]:
    """Of both systems, by the first metric of a record."""
    return [found["results"][0][f"score_{side}"] for side in "ab"]


def test_the_names_of_rows_are_ids_unless_there_are_better_ones():
    path = write("r.csv", '"rownames","base","new"', '"b",0.5,1', '"a",1,0.25')
    assert read_table(path).id_column == "rownames"
    index = write("p.csv", "Unnamed: 0,base,new", "0,0.5,1", "1,1,0.25")  # pandas', saved twice
    assert read_table(index).id_column == "Unnamed: 0"
    write("r.csv", "rownames,item,base,new", "1,b,0.5,1", "2,a,1,0.25")
    assert read_table(path, systems=["base", "new"]).id_column == "item"


# ---- quotation marks ---------------------------------------------------------------------------

#: Tokens with labels; two of the tokens are lone quotation marks, with two rows between them.
TOKENS = ["token gold base new", '" O O O', "Ada PER O PER", "was O O O", '" O PER O', "in O O O"]


@pytest.mark.parametrize("large", [False, True])
def test_a_quotation_mark_in_tsv_is_text(large, monkeypatch):
    if large:
        pytest.importorskip("pyarrow")
        monkeypatch.setattr(delimited, "ARROW_FROM", 0)
    path = write("t.tsv", *(line.replace(" ", "\t") for line in TOKENS))
    table = read_table(path)
    assert table.n_units == 5
    assert list(table.others["token"]) == ['"', "Ada", "was", '"', "in"]
    assert table.cautions == ()
    assert read_table(path, quoting="none").n_units == 5


def test_quotation_marks_that_join_rows_of_csv_are_refused():
    path = write("t.csv", *(line.replace(" ", ",") for line in TOKENS))
    found = refusal(read_table, path)
    assert found.startswith("t.csv line 2: a quotation mark opens a cell that ends on line 5, and ")
    assert "so 5 lines are 2 rows" in found
    assert read_table(path, quoting="none").n_units == 5
    joined = read_table(path, quoting="csv")  # as one may say; but then it is said
    assert joined.n_units == 2
    assert "1 quoted cell holds line breaks, the first on line 2: 5 lines are 2 rows" in " ".join(
        joined.cautions
    )
    assert "5 lines are 2 rows" in refused("compare", path)
    assert record("compare", path, "--quoting", "none")["input"]["table"]["n_units"] == 5
    assert "Caution: t.csv: 1 quoted cell" in words("compare", path, "--quoting", "csv")


def test_line_breaks_in_quoted_cells_are_said():
    path = write("t.csv", "id,text,a,b", '1,"one', 'two",0.5,1', "2,x,1,1", '3,"y', "", 'z",0,1')
    table = read_table(path)
    assert table.n_units == 3
    assert table.others["text"] == ["one\ntwo", "x", "y\n\nz"]
    assert len(table.cautions) == 1
    assert (
        "t.csv: 2 quoted cells hold line breaks, the first on line 2: 5 lines are 3 rows"
        in (table.cautions[0])
    )
    asked = read_table(path, quoting="csv")
    assert asked.cautions == ()
    assert asked.notes == (
        "t.csv: 2 quoted cells hold line breaks, the first on line 2: 5 lines are 3 rows.",
    )
    assert "expected 4 as in the header" in refusal(read_table, path, quoting="none")


def test_where_every_name_is_quoted_line_breaks_are_no_doubt_of_the_rows():
    path = write("t.csv", '"id","a","b"', '"1,2', '3,4","0","1"', '"x","1","1"')
    table = read_table(path)
    assert table.ids == ["1,2\n3,4", "x"]
    assert len(table.cautions) == 1


def test_quotation_marks_within_unquoted_cells_are_text():
    path = write("t.csv", "id,text,a,b", '1,5" pipe,0.5,1', '2,a "b" c,1,1')
    table = read_table(path)
    assert list(table.others["text"]) == ['5" pipe', 'a "b" c']
    assert table.cautions == ()


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (['"id"\t"base"\t"new"', '"q1"\t0.5\t1'], "line 1: found the column name '\"id\"'"),
        (["id\tbase\tnew", '"q1"\t0.5\t1'], "line 2, column 'id': found '\"q1\"' and every"),
        (["id\tbase\tnew", 'q1\t"0.5"\t1', 'q2\t"1"\t1'], "line 2, column 'base': found '\"0.5\"'"),
    ],
)
def test_tsv_whose_cells_are_quoted_is_refused_with_the_way_out(lines, said):
    path = write("t.tsv", *lines)
    found = refusal(read_table, path)
    assert found.startswith(f"t.tsv {said}")
    assert found.endswith("--quoting csv takes the quotation marks off, --quoting none keeps them")
    table = read_table(path, quoting="csv")
    assert list(table.systems) == ["base", "new"]
    assert table.ids is not None
    assert table.ids[0] == "q1"
    assert (
        read_table(path, quoting="none", systems=[lines[0].split("\t")[2]]).n_units
        == len(lines) - 1
    )


def test_cells_of_tsv_that_look_quoted_are_a_doubt():
    path = write("t.tsv", "id\ttext\ta\tb", 'q1\t"he said ""no"""\t1\t0.5', 'q2\t"x" y\t1\t1')
    assert "line 2, column 'text': 1 cell looks quoted" in read_table(path).cautions[0]
    assert read_table(path, quoting="none").cautions == ()
    assert "expected after" in refusal(read_table, path, quoting="csv")
    write("t.tsv", "id\ttext\ta\tb", 'q1\t"a\tb"\t1\t0.5')
    assert refusal(read_table, path).endswith("--quoting csv reads quoted cells")
    assert read_table(path, quoting="csv").others["text"] == ["a\tb"]


@pytest.mark.parametrize("name", ["base.tsv", "base.csv", "base.tsv.gz"])
def test_several_files_and_statistics_take_quoting_too(name):
    quoted = ['"id"\t"score"', '"x"\t"1"', '"y"\t"0.5"']
    one, two = write("one.tsv", *quoted), write("two.tsv", *quoted)
    assert read_tables([one, two], quoting="csv").n_units == 2
    assert "--quoting csv" in refused("compare", one, two)
    assert record("compare", one, two, "--quoting", "csv")["input"]["table"]["n_units"] == 2
    columns = {"id": ["a", 'b\t"c', "\n"], "score_x": [1, 2, 3], "score_y": [3, 2, 2]}
    Path(name).write_bytes(encoded(name, columns))
    assert read_statistics(name).ids == columns["id"]


def test_statistics_in_tsv_with_lone_quotation_marks():
    lines = ["id\tscore_x\tscore_y", '"\t1\t2', "b\t1\t3", '"c"\t1\t2']
    path = write("s.tsv", *lines)
    assert "--quoting none" in refused("compare", "--statistics", path)
    assert read_statistics(path, quoting="none").n_units == 3
    found = record("compare", "--statistics", path, "--quoting", "none")
    assert found["input"]["table"]["n_units"] == 3


def test_responses_with_quotation_marks_are_no_table():
    paths = [write(f"{name}.tsv", 'd1\t"x"', f'd2\t"{name}"') for name in ("gold", "a", "b")]
    assert record("compare", *paths)["input"]["format"] == "responses"
    names = [write(f"{name}.tsv", '"id"\t"score"', '"x"\t1') for name in ("one", "two", "three")]
    assert "--quoting csv takes the quotation marks off" in refused("compare", *names)


CELLS = st.text(st.sampled_from('ab",\t;\n\r\u2028 '), max_size=6)


@given(st.lists(CELLS, min_size=1, max_size=6, unique=True), st.sampled_from(["csv", "tsv"]))
def test_what_convert_writes_comes_back_to_the_last_character(ids, ending):
    ids = [f"{i}{text}." for i, text in enumerate(ids)]
    path = f"s.{ending}"
    own = np.arange(len(ids)) / 7
    data = encoded(path, {"id": ids, "score_a": own, "score_b": own + 1})
    Path(path).write_bytes(data)
    table = read_statistics(path)
    assert list(table.ids) == ids
    assert [table.systems[name].tolist() for name in "ab"] == [
        own.tolist(), (own + 1).tolist(),
    ]  # fmt: skip
    if ending == "tsv" and not any(set(text) & set('"\t\n\r') for text in ids):
        assert b'"' not in data


@given(st.data())
def test_what_the_first_version_wrote_comes_back_too(data):
    ids = data.draw(st.lists(st.text('ab",\t; ', max_size=5), min_size=1, max_size=5, unique=True))
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter="\t", lineterminator="\n")
    writer.writerows([("id", "score_a", "score_b"), *((f"{own}.", 1, 2) for own in ids)])
    Path("s.tsv").write_text(text.getvalue(), newline="")
    assert read_statistics("s.tsv").ids == [f"{own}." for own in ids]


def plain_rows(path: Path, column: int) -> list[list[str]]:
    """Token and label of every line that is not blank; nothing is quoted."""
    lines = path.read_bytes().decode().replace("\r\n", "\n").split("\n")
    return [line.rsplit("\t", 1) for line in lines if line.strip("\t ")]


def test_real_tokens(shared_data):
    folder = shared_data("wnut17_ner")
    names = ["gold.emerging.test.annotated", "spinningbytes", "uh_ritual"]
    gold, a, b = (plain_rows(folder / f"{name}.conll", 1) for name in names)
    rows = [(g[0], g[1], x[1], y[1]) for g, x, y in zip(gold, a, b, strict=True)]
    # Up to here an even number of tokens are lone quotation marks; the rest is one too many.
    rows = rows[:23_126]
    assert sum(row[0] == '"' for row in rows) % 2 == 0
    for name, sign in (("t.tsv", "\t"), ("t.csv", ",")):
        commas = [row for row in rows if sign == "\t" or "," not in row[0]]
        lines = [sign.join(row) for row in [("token", "gold", "spin", "ritual"), *commas]]
        write(name, *lines)
    correct = [sum(row[1] == row[i] for row in rows) for i in (2, 3)]
    found = record("compare", "t.tsv", "--format", "labels", "--metric", "accuracy")
    assert found["input"]["table"]["n_units"] == 23_126
    assert correct == [21_757, 21_779]
    assert scores(found) == [right / 23_126 for right in correct]
    assert "22,677 lines are 8,000 rows" in refused("compare", "t.csv", "--format", "labels")
    table = read_table("t.tsv", format="labels", quoting="csv")
    assert table.n_units == 8_144
    assert "23,126 lines are 8,144 rows" in table.cautions[0]


# ---- blank lines -------------------------------------------------------------------------------


def test_a_blank_line_among_numbers_is_a_missing_one():
    one, two = write("one.txt", "0.5", "", "0.25", "1"), write("two.txt", "1", "0.75", "1", "0")
    found = refusal(read_tables, [one, two])
    assert found.startswith("one.txt line 2: the line is blank, expected a finite number; 1 line")
    assert "one.txt line 2" in refused("compare", one, two)
    table = read_tables([one, two], allow_missing=True)
    assert {name: own.tolist() for name, own in table.systems.items()} == {
        "one": [0.5, 0.25, 1.0],
        "two": [1, 1, 0],
    }
    assert table.notes == ("1 of 4 units was left out, because not every system has it.",)
    said = words("compare", one, two, "--allow-missing", "intersection")
    assert "1 of 4 units was left out" in said


@pytest.mark.parametrize(
    ("one", "two", "pairs"),
    [
        ("1\n2\n\n\n", "3\n4\n", [(1, 3), (2, 4)]),  # just the end
        ("1\n2\n\n", "3\n4\n\n\n", [(1, 3), (2, 4)]),
        ("1\n2", "3\n4\n \n", [(1, 3), (2, 4)]),
        ("F1\n1\n2\n\n", "3\n4\n5\n", "one.txt line 4: the line is blank"),
        ("1\n2\n\n\n", "3\n4\n5\n", "one.txt line 3: the line is blank"),
        ("\n1\n2\n", "3\n4\n5\n", "one.txt line 1: the line is blank"),
        ("\nF1\n1\n2\n", "3\n4\n", [(1, 3), (2, 4)]),  # before the name there are no numbers
        ("\n\n1\n2\n", "F1\n\n\n3\n4\n", [(1, 3), (2, 4)]),  # all begin with them
        ("\n\n1\n2\n", "\n3\n4\n", "one.txt line 2: the line is blank"),
        ("F1\n\n1\n2\n", "3\n4\n5\n", "one.txt line 2: the line is blank"),
        ("1\n2\n", "3\n4\n5\n", "one.txt has 2"),
        ("1\r\n\r\n2\r\n", "3\n4\n5\n", "one.txt line 2: the line is blank"),
        ("1\n\n2\n", "3\n\n5\n", "one.txt line 2: the line is blank"),
    ],
)
def test_blank_lines_at_the_ends_of_files(one, two, pairs):
    Path("one.txt").write_text(one, newline="")
    Path("two.txt").write_text(two, newline="")
    if isinstance(pairs, str):
        assert pairs in refusal(read_tables, ["one.txt", "two.txt"])
        return
    table = read_tables(["one.txt", "two.txt"])
    assert list(zip(*(own.tolist() for own in table.systems.values()), strict=True)) == pairs


@given(
    st.lists(st.tuples(*[st.sampled_from(["", " ", "1", "0.5", "-3"])] * 3), min_size=1),
    st.tuples(*[st.integers(0, 2)] * 3),
)
def test_pairs_never_shift(rows, ends):
    """Beside a plain reading: line i of every file is unit i."""
    names = [f"{name}.txt" for name in "abc"]
    for column, (name, end) in enumerate(zip(names, ends, strict=True)):
        Path(name).write_text("".join(f"{row[column]}\n" for row in rows) + "\n" * end)
    full = [row for row in rows if all(cell.strip() for cell in row)]
    filled = [i for i, row in enumerate(rows) if "".join(row).strip()]
    size = filled[-1] + 1 - filled[0] if filled else 0
    try:
        table = read_tables(names, allow_missing=True)
    except InputError:
        assert not full or any(not any(row[i].strip() for row in rows) for i in range(3))
        return
    assert [[float(x) for x in own] for own in table.systems.values()] == [
        [float(row[i]) for row in full] for i in range(3)
    ]
    left_out = size - len(full)
    assert bool(table.notes) is bool(left_out)
    if left_out:
        assert table.notes[0].startswith(f"{left_out} of {size} unit")
        assert "blank" in refusal(read_tables, names)
    else:
        assert read_tables(names).n_units == len(full)


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


def test_real_scores_with_a_line_taken_out(shared_data):
    rows = (shared_data("llm_gsm8k_four_systems") / "correct.csv").read_text().splitlines()
    header, *body = [line.split(",") for line in rows]
    columns = dict(zip(header, zip(*body, strict=True), strict=True))
    a, b = header[-2:]
    one, two = write("one.txt", *columns[a]), write("two.txt", *columns[b])
    whole = record("compare", one, two)
    blank = list(columns[b])
    blank[7] = ""
    write("two.txt", *blank)
    assert "two.txt line 8: the line is blank" in refused("compare", one, two)
    found = record("compare", one, two, "--allow-missing", "intersection")
    assert found["input"]["table"]["n_units"] == whole["input"]["table"]["n_units"] - 1
    pairs = list(zip(columns[a], columns[b], strict=True))
    del pairs[7]
    assert found["comparison"]["n_units"] == sum(x != y for x, y in pairs)


# ---- decimal commas ----------------------------------------------------------------------------


@pytest.mark.parametrize("large", [False, True])
@pytest.mark.parametrize(
    "lines",
    [
        ["id;base;new", "q1;0,5;1", "q2;-1,25;2,5e-1", "q3;3;,5"],
        ["id\tbase\tnew", "q1\t0,5\t1", "q2\t-1,25\t2,5e-1", "q3\t3\t,5"],
        ["id,base,new", 'q1,"0,5",1', 'q2,"-1,25","2,5e-1"', 'q3,3,",5"'],
    ],
)
def test_decimal_commas(lines, large, monkeypatch):
    if large:
        pytest.importorskip("pyarrow")
        monkeypatch.setattr(delimited, "ARROW_FROM", 0)
    path = write("d.csv", *lines)
    found = refusal(read_table, path)
    assert found.startswith("d.csv line 2, column 'base': found '0,5', which is a number with a")
    assert "--decimal , reads decimal commas" in refused("compare", path)
    table = read_table(path, decimal=",")
    assert {name: own.tolist() for name, own in table.systems.items()} == {
        "base": [0.5, -1.25, 3.0],
        "new": [1.0, 0.25, 0.5],
    }
    assert record("compare", path, "--decimal", ",")["input"]["table"]["n_units"] == 3


def test_decimal_points_among_decimal_commas():
    path = write("d.csv", "id;base;new", "q1;0,5;1", "q2;1.500;2", "q3;1;1")
    found = refusal(read_table, path, decimal=",")
    assert (
        "line 3, column 'base': found '1.500', expected a finite number with a decimal co" in found
    )
    found = refusal(read_table, path, systems=["base", "new"])
    assert "line 2, column 'base': found '0,5'" in found
    assert "--decimal , reads decimal commas" in found


def test_decimal_commas_that_cut_cells():
    path = write("d.csv", "id,base,new", "q1,0,5,0,7", "q2,0,25,1,0")
    assert "decimal commas (--decimal ,) need semicolons" in refusal(read_table, path)
    one, two = write("one.txt", "0,5", "0,25"), write("two.txt", "F1", "0,75", "1")
    assert "one.txt line 1: found '0,5', which is a number with a decimal comma" in refusal(
        lambda: read_tables([one, two])
    )
    table = read_tables([one, two], decimal=",")
    assert [own.tolist() for own in table.systems.values()] == [[0.5, 0.25], [0.75, 1.0]]
    with pytest.raises(InputError, match=r"decimal must be '\.' or ',', found ';'"):
        read_tables([one, two], decimal=";")


@given(st.lists(st.tuples(*[st.floats(allow_nan=False, allow_infinity=False)] * 2), min_size=1))
def test_decimal_commas_are_the_same_doubles(pairs):
    rows = [f"q{i};{a!r};{b!r}" for i, (a, b) in enumerate(pairs)]
    point = read_table(write("p.csv", "id;a;b", *rows), systems=["a", "b"])
    commas = [row.replace(".", ",") for row in rows]
    comma = read_table(write("c.csv", "id;a;b", *commas), systems=["a", "b"], decimal=",")
    for name in "ab":
        assert point.systems[name].tobytes() == comma.systems[name].tobytes()


# ---- headers -----------------------------------------------------------------------------------

DATA = ["q1,0.5,0.75", "q2,0.25,1", "q3,1,0"]


@pytest.mark.parametrize("large", [False, True])
@pytest.mark.parametrize("extra", [[], ['"q4",1,0']])
def test_columns_by_number_where_there_are_no_names(large, extra, monkeypatch):
    if large:
        pytest.importorskip("pyarrow")
        monkeypatch.setattr(delimited, "ARROW_FROM", 0)
    path = write("h.csv", "", *DATA, *extra)
    found = refused("compare", path)
    assert "h.csv line 2: found the number '0.5', expected a header" in found
    assert "--no-header reads the first row as data" in found
    table = read_table(path, header=False, id="1")
    assert table.ids == ["q1", "q2", "q3", "q4"][: len(table.ids)]
    assert table.n_units == 3 + len(extra)
    assert {name: own.tolist()[:3] for name, own in table.systems.items()} == {
        "2": [0.5, 0.25, 1.0],
        "3": [0.75, 1.0, 0.0],
    }
    found = record("compare", path, "--no-header", "--id", 1, "--system", 3, "--system", 2)
    assert found["input"]["table"]["n_units"] == 3 + len(extra)
    assert found["input"]["table"]["systems"] == ["3", "2"]


def test_mistakes_below_no_header_have_their_line():
    path = write("h.csv", *DATA, "q4,1,x")
    assert "h.csv line 4, column '3': found 'x'" in refusal(read_table, path, header=False)
    write("h.csv", *DATA, "q4,1")
    assert "line 4: found 2 cells, expected 3 as in the first row" in refusal(
        lambda: read_table(path, header=False)
    )


def test_numbers_may_be_names():
    path = write("h.csv", "id,0,1", "q1,0.5,1", "q2,1,0.5")
    assert "--header takes numbers for names" in refused("compare", path)
    assert list(read_table(path, header=True).systems) == ["0", "1"]
    assert record("compare", path, "--header")["input"]["table"]["systems"] == ["0", "1"]


def test_columns_by_number_where_there_are_names():
    path = write("h.csv", "id,base,new,third", "q1,0.5,1,0", "q2,1,0.5,1")
    assert list(read_table(path, systems=["4", "2"]).systems) == ["third", "base"]
    found = record("compare", path, "--system", 4, "--system", "2", "--id", 1)
    assert found["input"]["table"]["systems"] == ["third", "base"]
    assert found["input"]["table"]["id"] == "id"


@pytest.mark.parametrize("sign", ["\t", ","])
@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (["pos neg x", "neg pos neg", "pos pos pos"], "found 'pos', 'neg', which the gold has as"),
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
    assert scores(found) == right
    table = read_table(path, gold="1", systems=["2", "3"], header=False)
    assert list(table.gold) == [row.split()[0] for row in rows]


def test_a_column_that_is_not_there():
    path = write("l.csv", "id,gold,a,b", "1,x,x,y", "2,y,x,y")
    assert "no column '9'; there are 'id', 'gold', 'a', 'b'" in refused(
        "compare", path, "--gold-column", 9, "--system", 3, "--system", 4
    )
    write("l.csv", "B-PER\tO\tO", "O\tO\tO")  # tags, which never have a header
    found = record("compare", path, "--gold-column", 1, "--a-column", 2, "--b-column", 3)
    assert found["input"]["format"] == "tags"


def test_a_label_that_is_called_like_its_column():
    path = write("l.csv", "gold,a,b", "gold,gold,iron", "iron,iron,iron")
    assert "--header takes it for names" in refused("compare", path)
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
    assert scores(found) == scores(whole)
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


def test_options_that_are_wrong_for_a_file():
    with pytest.raises(InputError, match="quoting must be 'none' or 'csv', found 'tsv'"):
        read_table(write("t.csv", *DATA), quoting="tsv")
    names = [write(name, "x", "y") for name in ("gold.txt", "a.txt", "b.txt")]
    assert "--quoting does not go with labels, one a line" in refused(
        "compare", *names, "--format", "labels", "--quoting", "csv"
    )
    path = write("t.json", '[{"a": 1, "b": 2}]')
    assert "JSON, which always has names" in refusal(read_table, path, header=False)
    assert "--quoting is for tables" in refused(
        "compare", write("g.tsv", "x O"), "g.tsv", "g.tsv", "--rules", "strict", "--quoting", "none"
    )


def test_names_of_rows_without_a_name_in_the_header():
    path = write("r.tsv", "base\tnew", "q1\t0.5\t1", "q2\t1\t0.25")
    with pytest.raises(
        InputError, match=r"r.tsv line 2: found 3 cells, .*as R writes tables, give"
    ):
        read_table(path)
    path = write("r.tsv", "base\tnew", "0.5\t1", "q2\t1\t0.25")  # one row only is longer
    with pytest.raises(InputError, match=r"r.tsv line 3: found 3 cells, .* as in the header$"):
        read_table(path)
