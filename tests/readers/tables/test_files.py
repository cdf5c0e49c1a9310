"""Tables as text, beside the csv module: delimiters, quotation marks, headers, refusals."""

import csv
import io
import json
import math
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from written import refusal, text_file

from csig.base.errors import InputError
from csig.readers.request import DELIMITERS
from csig.readers.tables import files
from csig.readers.tables.files import NumberLines, begins_with_numbers, read_numbers, read_sheet
from csig.readers.tables.sheets import MISSING, Dialect, Sheet


def sheet(text: str, **options: Any) -> Sheet:
    return read_sheet(text_file(text), Dialect(**options))


def cells(found: Sheet) -> list[list[str]]:
    columns = [list(found.texts(name)) for name in found.names]
    return [found.names, *map(list, zip(*columns, strict=True))]


def rows(text: str) -> list[list[str]]:
    """What a text with blanks between cells means; ~ is an empty cell."""
    return [[cell.strip("~") for cell in line.split()] for line in text.split("\n")]


# ---- what separates cells ------------------------------------------------------------------------
READ = {
    "TSV": ("id\ta b\tc\nq1\tx, y\t1\n", [["id", "a b", "c"], ["q1", "x, y", "1"]]),
    "TSV, other signs": ("a\tb,c\nx\t1;2\ny\t1,2\n", rows("a b,c\nx 1;2\ny 1,2")),
    "CSV": ("id,a\nq1,\n,2\n", rows("id a\nq1 ~\n~ 2")),
    "CSV, semicolons": ("id;a,b\nq1;0,5\nq2;1\n", rows("id a,b\nq1 0,5\nq2 1")),
    "CSV, no end, CRLF": ("\ufeffid,a\r\nq1,1\r\nq2,2", rows("id a\nq1 1\nq2 2")),
    "one cell per line": ("score\n0.5\n\n7\n", rows("score\n0.5\n7")),
    "one cell per line, prose": ("The name\na b c\nd, e\n", [["The name"], ["a b c"], ["d, e"]]),
    "table aligned by spaces": (" id   a\n q1 0.5\n\nq2    1 \n", rows("id a\nq1 0.5\nq2 1")),
    "table aligned by spaces, tabs": ("a b\nx \t 1\n", rows("a b\nx 1")),
    "table aligned by spaces, quoted": (
        '"a b"   "c"\n"x y" 1\n"z"   2\n', [["a b", "c"], ["x y", "1"], ["z", "2"]]),
    "Markdown table": ("| id | a |\n| --- | ---: |\n| q1 | x\\|y |\n|q2||\n",
                       [["id", "a"], ["q1", "x|y"], ["q2", ""]]),
    "Markdown table, blanks": ("| id | a | \n|---|---|\n| q1 | 1 | \n", rows("id a\nq1 1")),
    "Markdown table, bare": ("id | a\n--|--\nq1 | 1\n", rows("id a\nq1 1")),
}  # fmt: skip


@pytest.mark.parametrize("form", READ)
def test_what_cuts_every_row_as_the_header(form):
    text, expected = READ[form]
    found = sheet(text)
    assert found.form == form.split(",")[0]
    assert cells(found) == expected
    assert (found.notes, found.cautions) == ((), ())


@pytest.mark.parametrize("text", [
    "a\tb\nx\t1\t2\ny\t3\t4\n", '"a" "b"\n"x" 1 2\n"y" 3 4\n', "   a  b\nx  1  2\ny  3  4\n",
    '"a","b"\n"x","1","2.0"\n"y",3,4.0\n',
])  # fmt: skip
def test_names_of_rows_as_r_writes_them(text):
    found = sheet(text)
    assert found.notes == ("The first cells of the rows are their names, as R writes them.",)
    assert cells(found)[0] == ["", "a", "b"]
    assert [found.texts(""), found.numbers("b").values.tolist()] == [["x", "y"], [2, 4]]
    one = sheet('"x"\n"1" 0.5\n"2" 0.25\n')  # of one column
    assert cells(one) == [["", "x"], ["1", "0.5"], ["2", "0.25"]]


@given(st.data())
def test_rows_are_what_python_reads(data):
    """With and without quoted cells; blank lines are no rows, and every row has its line."""
    sign = data.draw(st.sampled_from(["tab", "comma", "semicolon"]))
    quoting = data.draw(st.sampled_from([csv.QUOTE_NONE, csv.QUOTE_ALL]))
    characters = "ab1 é\u2028" + (",;\t\n\"'" if quoting == csv.QUOTE_ALL else "")
    cell = st.text(st.sampled_from(characters), max_size=4).map(str.strip)
    table = data.draw(st.lists(st.tuples(cell, cell), min_size=1, max_size=5))
    ends = data.draw(st.lists(st.sampled_from([1, 1, 1, 2, 3]), min_size=7, max_size=7))
    end = data.draw(st.sampled_from(["\n", "\r\n"]))
    rows = [["id", "x", "y"], *([f"q{i}", *own] for i, own in enumerate(table))]
    text, lines, gaps = "", [], []
    for i, row in enumerate(rows):
        line = io.StringIO(newline="")
        options = {"delimiter": DELIMITERS[sign], "quoting": quoting, "lineterminator": end}
        csv.writer(line, **options).writerow(row)
        lines.append(text.count("\n") + 1)
        text += line.getvalue() + end * (ends[i] - 1)
        gaps += [i] if i and ends[i] > 1 and i < len(table) else []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(files, "CHUNK", 2)
        found = sheet(text, delimiter=data.draw(st.sampled_from([sign, None])))
        assert cells(found)[1:] == [[own.strip() for own in row] for row in rows[1:]]
    assert found.gaps() == gaps
    assert [found.place(i) for i in range(-1, len(found))] == [f"line {line}" for line in lines]


WORDS = ['"', '""', '"a', 'b"', '"a b"', '"a ""b"" c"', "it's", "x", "", " ", "é", "#", '5" pipe',
         "a,b", ";", "\\", "NA", "\u2028", "0,5", "2", "B-PER", "id", "'", ",", '","']  # fmt: skip


@given(
    rows=st.lists(st.lists(st.sampled_from(WORDS), min_size=3, max_size=3), min_size=1),
    sign=st.sampled_from("\t,"), quoting=st.sampled_from([None, None, "none"]),
    blank=st.sampled_from(["", "\n", "  \n"]),
)  # fmt: skip
def test_no_row_disappears(rows, sign, quoting, blank):
    """As careless writers write them, with lone quotation marks: as many, said, or refused."""
    text = "".join(blank + sign.join((f"q{i}", *row)) + "\n" for i, row in enumerate(rows))
    path = text_file(f"id{sign}x{sign}y{sign}z\n{text}")
    try:
        found = read_sheet(path, Dialect(quoting=quoting))
    except InputError as error:
        assert "\n" not in str(error)  # noqa: PT017 - what is read is looked at below
        return
    assert len(found) == len(rows) or any(
        f" {len(found)} row" in said and f" {len(rows)} lines" in said for said in found.cautions
    )


# ---- what is refused -----------------------------------------------------------------------------
# ---- what options say ----------------------------------------------------------------------------
OPTIONS = [
    ("q1,0.5\nq2,1\n", {"header": False}, rows("1 2\nq1 0.5\nq2 1")),
    ("\na\ta\na\tb\n", {"header": False}, rows("1 2\na a\na b")),
    ('"q 1" 0.5\n"q" 1\n', {"header": False, "quoting": "csv", "delimiter": "space"},
     [["1", "2"], ["q 1", "0.5"], ["q", "1"]]),
    ("id,2020\nq2,1\n", {"header": True}, rows("id 2020\nq2 1")),
    ("a,b;c\nx,1;2\ny,3;4\n", {"delimiter": "comma"}, rows("a b;c\nx 1;2\ny 3;4")),
    ("a,b c\nx,1 2\n", {"delimiter": "space"}, rows("a,b c\nx,1 2")),
    ('"a"\n"x y"\n"z"\n', {}, [["a"], ["x y"], ["z"]]),
    ('t,a\n",O\nb",O\n', {"quoting": "none"}, rows('t a\n" O\nb" O')),
    ('t,a\n",O\nb",O\n', {"quoting": "csv"}, [["t", "a"], [",O\nb", "O"]]),
    ('id\ta\n"q\t1"\t"x"\n', {"quoting": "csv"}, [["id", "a"], ["q\t1", "x"]]),
    ('"id"\t"a"\n"q ""1"""\t1\n', {}, [["id", "a"], ['q "1"', "1"]]),
    ('"id"\t"a"\n"q"\t1\n', {"quoting": "none"}, rows('"id" "a"\n"q" 1')),
    ('t\ta\n"\tO\n"x" y\tO\n', {}, [["t", "a"], ['"', "O"], ['"x" y', "O"]]),
    ('id,t\n1,5" pipe\n2,a "b" c\n', {}, [["id", "t"], ["1", '5" pipe'], ["2", 'a "b" c']]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "options", "expected"), OPTIONS)
def test_what_is_declared(text, options, expected):
    found = sheet(text, **options)
    assert cells(found) == expected
    assert found.cautions == ()


def test_line_breaks_in_quoted_cells_are_a_caution():
    text = 'id,text,a\n1,"one\ntwo",0.5\n2,x,1\n3,"y\n\nz",0\n'
    found = sheet(text)
    assert found.texts("text") == ["one\ntwo", "x", "y\n\nz"]
    assert found.cautions == (
        "t.csv: 2 quoted cells hold line breaks, the first on line 2: 5 lines are 3 rows. If "
        "quotation marks are text in this file, give --quoting none.",
    )
    assert [found.place(i) for i in range(3)] == ["line 2", "line 4", "line 5"]
    assert sheet(text, quoting="csv").cautions == ()
    whole = sheet('"id","a"\n"1,2\n3,4","0"\n')  # all of them, on purpose
    assert (whole.texts("id"), len(whole.cautions)) == (["1,2\n3,4"], 1)


def test_real_tokens_with_quotation_marks(shared_data):
    path = shared_data("wnut17_ner") / "gold.emerging.test.annotated.conll"
    lines = path.read_bytes().decode().replace("\r\n", "\n").split("\n")
    table = [line.split("\t") for line in lines if line.strip("\t ")]
    found = read_sheet(path, Dialect(header=False))
    assert cells(found)[1:] == [[cell.strip() for cell in row] for row in table]
    write = [",".join(row) for row in table if "," not in row[0]]
    assert "--quoting none" in refusal(read_sheet, text_file("\n".join(["token,gold", *write])))


# ---- one number per line -------------------------------------------------------------------------
NAN = math.nan


def lines_of(text: str | bytes, **options: Any) -> NumberLines | None:
    return read_numbers(text_file(text, "new.txt"), Dialect(**options))


def values(found: NumberLines | None) -> list[float] | None:
    if found is None:
        return None
    missing = found.numbers.missing
    assert found.numbers.odd is None
    return np.where(False if missing is None else missing, NAN, found.numbers.values).tolist()


@pytest.mark.parametrize(("text", "options", "expected"), [
    ("1\n2\n", {}, (None, [1, 2], 0, 0, 1)),
    ("F1\r\n0.5\r\n1", {}, ("F1", [0.5, 1], 0, 0, 2)),
    ("\n\n1\n\n2\n\n \n", {}, (None, [NAN, NAN, 1, NAN, 2], 2, 2, 1)),
    ("1\n  ", {}, (None, [1], 0, 1, 1)),
    ("\nF1\n\n1\nNA\n-\n\n", {}, ("F1", [NAN, 1, NAN, NAN], 1, 1, 3)),
    ("NA\n1\n", {}, (None, [NAN, 1], 0, 0, 1)),
    ("2020\n1\n", {"header": True}, ("2020", [1], 0, 0, 2)),
    ("2020\n1\n", {"header": False}, (None, [2020, 1], 0, 0, 1)),
    ('"x"\n"0.5"\n""\n', {}, ("x", [0.5, NAN], 0, 0, 2)),
    ("0,5\n-1,25e0\n", {"decimal": ","}, (None, [0.5, -1.25], 0, 0, 1)),
    ("acc\n62.5%\n7\n", {"percent": ("acc",)}, ("acc", [0.625, 0.07], 0, 0, 2)),
    ("29%\n7%\n", {"percent": ("new",)}, (None, [0.29, 0.07], 0, 0, 1)),
    ("0.5\n-1\n-1.0\n", {"missing": ("-1",)}, (None, [0.5, NAN, NAN], 0, 0, 1)),
    ("True\nfalse\n", {}, (None, [1, 0], 0, 0, 1)),
    ("9007199254740992\n1\n", {}, (None, [2.0**53, 1], 0, 0, 1)),
])  # fmt: skip
def test_what_stands_on_the_lines(text, options, expected):
    name, numbers, leading, trailing, line = expected
    for own in (text, b"\xef\xbb\xbf" + text.encode(), text.encode("utf-16")):
        found = lines_of(own, **options)
        assert (found.name, found.leading, found.trailing) == (name, leading, trailing)
        assert np.array_equal(values(found), numbers, equal_nan=True)
        assert found.at(0) == f"new.txt line {line}"


@pytest.mark.parametrize(("text", "options"), [
    ("", {}), ("\n", {}), ("F1\n", {}), ("NA\n\n", {}), ("1\ninf\n", {}), ("1\n1_0\n", {}),
    ("1\n٣\n", {}), ("1\n1e999\n", {}), ("1\n9007199254740993\n", {}), ("1\t2\n", {}),
    ("1\n1.5.2\n", {}), ("62%\n1\n", {}),
    ("0.5\n", {"decimal": ","}), ('"0.5"\n', {"quoting": "none"}), ("[1]\n2\n", {}),
    ("PAR1\n1\n", {}), ("1\r2\n", {}), ("x" * 300_000 + "\n1\n", {}), ("1\n" + "1" * 300_000, {}),
    ("1\n2\n3 \n\n 4 5\n", {}),
])  # fmt: skip
def test_other_files(text, options):
    assert lines_of(text, **options) is None


CELL = st.one_of(
    st.floats(allow_infinity=False).map(repr), st.integers(-(10**6), 10**6).map(str),
    st.sampled_from([*MISSING, " 1", "1 ", "1e5", "x", "1 2", "+.5", "-", "1-", "\u00a07"]),
)  # fmt: skip
LINES = st.lists(CELL, min_size=1, max_size=9)


@given(LINES, st.sampled_from(["\n", "\r\n"]), st.integers(1, 9))
def test_lines_are_what_python_reads(cells, end, piece):
    """Whatever is looked at at a time."""
    text = end.join([*cells, ""])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(files, "PIECE", 30 + piece)
        found = lines_of(text, header=False)
    rows = [cell.strip() for cell in text.rstrip().replace("\r\n", "\n").split("\n")]
    try:
        expected = [NAN if cell in MISSING else float(cell) for cell in rows]
    except ValueError:
        expected = [NAN]
    if np.isnan(expected).all():
        assert found is None
    else:
        assert np.array_equal(values(found), expected, equal_nan=True)


def test_a_character_that_the_first_look_cuts():
    """Of a long file the first bytes are looked at, and a character may have several."""
    for before in range(3):
        path = text_file("x" * before + "\n" + "\u0436" * 10 + "\n" + "\u0436\u20ac\n" * 4000)
        assert begins_with_numbers(path) is None


def json_table(value: Any, **fields: str) -> Sheet:
    text = value if isinstance(value, str) else json.dumps(value)
    return read_sheet(text_file(text, "new.json"), Dialect(fields=fields))


def json_rows(found: Sheet) -> list[dict[str, str]]:
    columns = [found.texts(name) for name in found.names]
    return [dict(zip(found.names, cells, strict=True)) for cells in zip(*columns, strict=True)]


RECORDS = [{"id": "q1", "a": 0.5, "b": True}, {"id": "q2", "a": None},
           {"id": "q3", "a": 1, "b": 0}, {"id": "q4", "a": 2, "b": False}]  # fmt: skip
CELLS = [{"id": "q1", "a": "0.5", "b": "1"}, {"id": "q2", "a": "", "b": ""},
         {"id": "q3", "a": "1", "b": "0"}, {"id": "q4", "a": "2", "b": "0"}]  # fmt: skip
COLUMNS = {"id": ["q1", "q2", "q3", "q4"], "a": [0.5, None, 1, 2], "b": [True, None, 0, False]}
PANDAS = {name: {str(i): cell for i, cell in enumerate(own)} for name, own in COLUMNS.items()}


@pytest.mark.parametrize(("value", "place"), [
    (RECORDS, "record 2"), (json.dumps(RECORDS, indent=2), "record 2"),
    ("\n\n".join(map(json.dumps, RECORDS)), "line 3"),
    ("\n".join(json.dumps(row, indent=1) for row in RECORDS), "line 6"),
    (COLUMNS, "record 2"), (json.dumps(COLUMNS, indent=2), "record 2"), (PANDAS, "record 2"),
])  # fmt: skip
def test_every_layout_has_the_same_cells(value, place):
    found = json_table(value)
    assert found.form == "JSON"
    assert json_rows(found) == CELLS
    assert found.numbers("a").values.tolist() == [0.5, 0, 1, 2]
    assert found.numbers("a").missing.tolist() == [False, True, False, False]
    assert (found.header, found.at(1)) == ("new.json fields", f"new.json {place}")
    renamed = json_table(value, first="a", a="b")
    assert renamed.names == ["id", "first", "a"]
    assert [list(renamed.texts(name)) for name in renamed.names] == [
        list(found.texts(name)) for name in found.names
    ]


def test_lists_and_paths_that_are_fields_too():
    found = json_table([{"id": 1, "l": [1], "o": {"l": []}}, {"id": 2, "l": None, "e": {}}])
    assert (found.names, found.unusable) == (["id"], {"l": "lists", "o.l": "lists"})
    assert json_table([{"m": {"a": 1}, "x": 2}], base="m.a").names == ["base", "x"]
    twice = json_table([{"a.b": 1, "a": {"b": 2, "c.d": {"e": 5}}}])
    assert (twice.names, twice.unusable) == (["a.c.d.e"], {"a.b": "a field and a path"})


SCALARS = (st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats(allow_nan=False)
           | st.text(max_size=3))  # fmt: skip
NESTED = st.dictionaries(st.sampled_from("abc"), SCALARS | st.dictionaries(st.sampled_from("de"),
                         SCALARS), min_size=1)  # fmt: skip


def paths(value: Any, before: str = "") -> dict[str, Any]:
    if not isinstance(value, dict):
        return {before[:-1]: value}
    inside = (paths(own, f"{before}{name}.") for name, own in value.items())
    return dict(item for found in inside for item in found.items())


@given(st.lists(NESTED, min_size=1), st.booleans())
def test_every_path_to_a_scalar_is_a_column(records, lines):
    flat = [paths(record) for record in records]
    names = {name for row in flat for name in row}
    inner = {name for record in records for name in record if isinstance(record[name], dict)}
    filled = {name for row in flat for name in row if row[name] is not None}
    text = "\n".join(map(json.dumps, records)) if lines and records[1:] else json.dumps(records)
    if not names - inner:
        assert "no fields of text or numbers" in refusal(json_table, text)
        return
    found = json_table(text)
    assert (set(found.names), set(found.unusable)) == (names - inner, inner & filled)
    for name in found.names:
        column = [row.get(name) for row in flat]
        known = {None: "", True: "1", False: "0"}
        expected = [known[x] if x is None or isinstance(x, bool) else str(x) for x in column]
        assert found.texts(name, stripped=False) == expected
        numbers = found.numbers(name)
        for i, own in enumerate(column):
            if isinstance(own, (int, float)) and (numbers.odd is None or not numbers.odd[i]):
                assert numbers.values[i] == own
                assert numbers.missing is None or not numbers.missing[i]


def test_records_inside_an_object_are_named():
    found = refusal(json_table, {"n": 2, "rows": [{"a": 1}, {"a": 2}]})
    way = found.partition("; to read 'rows': python -c ")[2]
    subprocess.run([sys.executable, "-c", way.strip('"')], check=True)
    assert json_rows(read_sheet("new.records.json")) == [{"a": "1"}, {"a": "2"}]
    found = refusal(lambda: json_table([{"id": 1, "meta": {"n": 2}}], c="meta.m"))
    assert found == (
        "new.json: --field: no record has the field 'meta.m' (did you mean 'meta.n'?); "
        "there are 'id', 'meta.n'"
    )
    assert json_table([{"l": [1], "a": 1}], x="l").unusable == {"l": "lists", "x": "lists"}
