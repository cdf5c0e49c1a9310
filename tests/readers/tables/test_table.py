"""What a table means: declared, by reserved names, or refused with the commands that read it."""

import csv
import io
from pathlib import Path
from typing import Any

import pytest
from cases import Files, check, check_refused, refused
from hypothesis import given
from hypothesis import strategies as st
from printed import expected, printed, rewrite
from written import file_of, refusal, shares, text_file

import csig
from csig.base.errors import InputError
from csig.readers import read_table

PRINTED = Path(__file__).with_name("refused.txt")

N = 40
IDS = [f"q{i}" for i in range(N)]
A, B = shares(N, 1), shares(N, 2)
RIGHT, WRONG = [int(x > 0.5) for x in A], [int(x > 0.4) for x in B]
LENGTHS = [7 + (i * 37) % 29 for i in range(N)]


def table(**cells: Any) -> str:
    """The text of a table of these columns; `_` is a column without a name."""
    names = ["" if name == "_" else name for name in cells]
    rows = [names, *zip(*cells.values(), strict=True)]
    return "".join(",".join(map(str, row)) + "\n" for row in rows)


def few(text: Files) -> Files:
    """Rows of texts without commas between slashes, as CSV; files of any other kind as they are."""
    if not isinstance(text, str) or " / " not in text:
        return text
    return "".join(",".join(line.split()) + "\n" for line in text.split(" / "))


def lines(header: str, *rows: Any, sign: str = ",") -> str:
    lines = [header.split(), *rows]
    return "".join(sign.join(map(str, line)) + "\n" for line in lines)


def two(one: str, other: str) -> dict[str, str]:
    return {"one.csv": one.replace(" ", "\n") + "\n", "two.csv": other.replace(" ", "\n") + "\n"}


# ---- one row per unit ----------------------------------------------------------------------------
SCORES = {"a": A, "b": B}


@pytest.mark.parametrize(("cells", "options", "expected"), [
    ({"Item": IDS}, {}, {"ids": IDS}),
    ({"_": IDS}, {}, {"ids": IDS, "id_column": ""}),
    ({"Unnamed: 0": range(N)}, {}, {"id_column": "Unnamed: 0"}),
    ({"rownames": IDS}, {}, {"ids": IDS}),
    ({"whatever": IDS}, {}, {"ids": IDS, "id_column": "whatever"}),
    ({}, {}, {"ids": None}),
    ({"x": IDS, "nr": range(N)}, {"id": "2", "ignore": "1"}, {"id_column": "nr"}),
    ({"task": [f"t{i % 5}" for i in range(N)], "id": IDS}, {}, {"cluster_column": "task"}),
    ({"id": IDS, "part": [f"t{i % 2}" for i in range(N)]}, {"cluster": "part"},
     {"cluster_column": "part"}),
    ({"id": IDS, "part": [f"t{i % 2}" for i in range(N)]}, {"ignore": "part"}, {"clusters": None}),
    # A grouping name whose values all differ is the id; an id that repeats groups the rows.
    ({"topic": IDS}, {}, {"ids": IDS, "clusters": None}),
    ({"topic": [f"t{i % 5}" for i in range(N)]}, {}, {"ids": None, "cluster_column": "topic"}),
])  # fmt: skip
def test_ids_and_clusters(cells, options, expected):
    check(table(**cells, **SCORES), options, systems=SCORES, format="scores", **expected)


KINDS = {
    "shares": SCORES,
    "true and false": {"a": [True, False] * 20, "b": [False, True] * 20},
    "right and wrong": {"a": RIGHT, "b": WRONG},
    "shares beside right and wrong": {"a": A, "b": WRONG},
    "grades": {"a": [i % 5 for i in range(N)], "b": [(i * 3) % 4 for i in range(N)]},
    "BLEU": {"a": [round(100 * x, 1) for x in A], "b": [round(100 * x, 2) for x in B]},
    "COMET": {"a": [2 * x - 0.7 for x in A], "b": [1.9 * x - 0.7 for x in B]},
    "a system below 0": {"a": A, "b": [1.2 * x - 0.2 for x in B], "c": RIGHT},
    "log-probabilities": {"a": [-5 * x for x in A], "b": [-0.9 * x for x in B]},
    "sorted by a system": {"a": sorted(A), "b": B},
    "sorted right and wrong": {"a": sorted(RIGHT), "b": WRONG},
    "all right": {"a": [1] * N, "b": WRONG}, "the same": {"a": A, "b": A},
    "named by runs": {"run_1": A, "run_2": B, "seed_3": A[::-1]},
    "the largest": {"a": [1.7e308, -1.7e308] * 20, "b": [-1.7e308, 1.7e308] * 20},
}  # fmt: skip


@pytest.mark.parametrize("name", KINDS)
def test_numbers_of_one_kind_are_read_without_a_word(name):
    check(table(id=IDS, **KINDS[name]), {}, systems=KINDS[name], cautions=(), notes=())


def beside(**cells: Any) -> str:
    """Why it is refused beside scores: ignored it is not, nor where the systems are chosen."""
    text = table(id=IDS, **SCORES, **cells)
    check(text, {"ignore": list(cells)}, systems=SCORES, clusters=None, cautions=(), notes=())
    reserved = [name for name in cells if name in ("task", "pair")]
    check(text, {"systems": ["b", "a"], "ignore": reserved}, systems=["b", "a"], cautions=())
    return told(text)


def of_options(**options: Any) -> str:
    return refusal(csig.read, file_of(id=IDS, **SCORES), **options)


def test_columns_by_number_and_chosen_systems_in_their_order():
    text = table(id=IDS, a=A, b=B, third=RIGHT)
    check(text, {"systems": ["4", "2"], "id": "1"}, systems=["third", "a"], id_column="id")
    numbered = {str(i): A for i in range(1, 4)}
    check(table(**numbered), {"header": True, "systems": ["3", "1"]}, systems=["3", "1"])


def test_systems_with_reserved_names():
    text = table(id=IDS, model=A, value=B)
    check(text, {"systems": ["model", "value"]}, systems={"model": A, "value": B})
    # What is called the gold, beside other numbers.
    text = table(id=IDS, target=A, x=[x - 0.5 for x in B], y=[x - 0.25 for x in B])
    words = "no column has the labels of the gold, column 'target'"
    check_refused(text, {}, words, "--ignore target")
    check(text, {"format": "scores", "systems": ["target", "x"]}, systems=["target", "x"])
    # Where the form is declared, it is no system.
    check(text, {"format": "scores"}, systems=["x", "y"], gold=None)
    right = table(id=IDS, gold=RIGHT, x=WRONG, y=RIGHT[::-1])
    check(right, {"format": "scores"}, systems=["x", "y"], gold=None)


# ---- labels --------------------------------------------------------------------------------------
LABELS = "id gold x y / 1 pos pos neg / 2 neg neg pos / 3 neg pos neg"
WORDS = ["pos", "neg", "none"]
GOLD = [WORDS[i * 7 % 5 % 3] for i in range(N)]
X = [own if i % 4 else "pos" for i, own in enumerate(GOLD)]
Y = [own if i % 3 else "neg" for i, own in enumerate(GOLD)]


@pytest.mark.parametrize(("text", "options", "expected"), [
    (LABELS, {},
     {"systems": {"x": ["pos", "neg", "pos"], "y": ["neg", "pos", "neg"]},
      "gold": ["pos", "neg", "neg"], "ids": ["1", "2", "3"]}),
    (LABELS.replace("gold", "Target"), {}, {"gold_column": "Target"}),
    (LABELS, {"systems": "y"}, {"systems": ["y"]}),
    ("id gold x y / 1 1 1 0 / 2 0 0 0 / 4 1 1 1", {},
     {"systems": {"x": ["1", "0", "1"], "y": ["0", "0", "1"]}}),
    # Both labels are known, whichever the gold has.
    ("id gold x y / 1 1 1 0 / 2 1 0 0", {}, {"gold": ["1", "1"]}),
    ("id gold x y / 1 + + - / 2 - - + / 3 + - +", {}, {"gold": ["+", "-", "+"]}),
    ("id fold gold x y / 1 7 1 1 0 / 2 8 0 0 0 / 3 9 0 1 1", {"ignore": "fold"},
     {"systems": ["x", "y"]}),
    ("id doc gold x y / 1 d p p n / 2 d n n n / 3 e p n n / 4 f p p p / 5 g n n p", {},
     {"clusters": ["d", "d", "e", "f", "g"]}),
])  # fmt: skip
def test_labels(text, options, expected):
    check(few(text), options, format="labels", columns=("label",), **expected)


def spelt(own: list[str], **labels: str) -> list[str]:
    return [labels.get(label, label) for label in own]


# ---- counts --------------------------------------------------------------------------------------
@pytest.mark.parametrize("text", [
    "id tp_x predicted_x gold_x tp_y predicted_y gold_y / 1 2 3 4 1 2 4 / 2 0 1 1 1 1 1",
    "id gold x.tp x.pred y.tp y.pred / 1 4 2 3 1 2 / 2 1 0 1 1 1",
    "id x-tp x-fp x-fn TP:y FP:y FN:y / 1 2 1 2 1 1 3 / 2 0 1 1 1 0 0",
    "id system tp predicted gold / 1 x 2 3 4 / 2 x 0 1 1 / 2 y 1 1 1 / 1 y 1 2 4",
    "id model tp fp fn / 1 x 2 1 2 / 2 x 0 1 1 / 2 y 1 0 0 / 1 y 1 1 3",
])  # fmt: skip
def test_counts_of_responses(text):
    check(few(text), {}, format="counts", columns=("tp", "predicted", "gold"), ids=["1", "2"],
          systems={"x": [[2, 3, 4], [0, 1, 1]], "y": [[1, 2, 4], [1, 1, 1]]})  # fmt: skip


COUNTS = "id tp_x fp_x fn_x tp_y fp_y fn_y{} / 1 2 3 4 1 2 5{} / 2 0 1 1 1 1 0{}"

# ---- one row per unit and system -----------------------------------------------------------------
LONG = "system id {} / x q1 .5 3 / x q2 1 5 / y q2 0 4 / y q1 .25 3"


@pytest.mark.parametrize(("header", "options", "expected"), [
    ("score time", {"ignore": "time"}, {"systems": {"x": [0.5, 1], "y": [0.25, 0]}}),
    ("em f1", {"score_column": "em"}, {"metric": "mean em", "columns": ("score",)}),
    ("em f1", {"score_column": ["em", "f1"]}, {"columns": ("em", "f1")}),
    ("em f1", {"metrics": ["f1"]}, {"systems": {"x": [3, 5], "y": [3, 4]}}),
    ("em f1", {"metrics": ["f1", "em"]}, {"columns": ("em", "f1")}),
    ("score f1", {"metrics": ["f1"]}, {"metric": "mean f1"}),
    ("score f1", {"systems": ["y", "x"]}, {"systems": ["y", "x"], "metric": None}),
    ("em f1", {"score_column": ["em", "f1"], "metrics": ["f1"]}, {"metric": "mean f1"}),
])  # fmt: skip
def test_rows_that_name_their_system(header, options, expected):
    check(few(LONG.format(header)), options, **expected)
    named = few(LONG.format(header).replace("system", "who"))
    check(named, {"system_column": "who", "score_column": header.split()[0], **options},
          systems=expected.get("systems", ["x", "y"]))  # fmt: skip


def test_percent_beside_shares_and_of_nothing():
    """Of a column, in a long table of a system, or of a file; else the nearest is named."""
    wide = table(id=IDS, **SCORES)
    long = table(system=["x", "y"] * N, id=[i // 2 for i in range(2 * N)], score=[50, 0.5] * N)
    for text, wrong, near in ((wide, "a2", "a"), (long, "X", "x"), (long, "scores", "score")):
        words = rf"--percent: found no '{wrong}' (did you mean '{near}'?); there are "
        check_refused(text, {"percent": wrong}, words)
    check(long, {"percent": "x"}, systems={"x": [0.5] * N, "y": [0.5] * N})
    percent = [round(100 * x, 1) for x in B]
    rows = [(name, i, x) for name, own in (("x", A), ("y", percent)) for i, x in enumerate(own)]
    for files, a, b in (
        ({f"{n}.csv": lines("id em", *enumerate(own)) for n, own in (("a", A), ("b", percent))},
         "a", "b"),
        (lines("model id score", *rows), "x", "y"),
    ):  # fmt: skip
        said = f"'{b}' goes up to 99.9, '{a}' stays within 0 and 1: percent beside shares?"
        check_refused(files, {}, said, f"--percent {b}", f"--system {a} --system {b}")
        _, own = check(files, {"percent": [b]}).systems.values()
        assert own.tolist() == pytest.approx([x / 100 for x in percent])


MIXED = ["62%", "7 %", "0.5", "100%"]
SHARES = ["0.25", "0.5", "1", "0"]


@pytest.mark.parametrize(("files", "percent", "where"), [
    (table(id=IDS[:4], a=MIXED, b=SHARES), "a", "t.csv line 4, column 'a'"),
    (lines("system id score", *(("a", i, x) for i, x in enumerate(MIXED)),
           *(("b", i, x) for i, x in enumerate(SHARES))), "a", "t.csv line 4, column 'score'"),
    ({f"{n}.csv": lines("id em", *enumerate(own)) for n, own in (("a", MIXED), ("b", SHARES))},
     "a", "a.csv line 4, column 'em'"),
    ({"a.txt": "\n".join(MIXED), "b.txt": "\n".join(SHARES)}, "a", "a.txt line 3"),
    ({"a.txt": "\n".join(["em", *MIXED]), "b.txt": "\n".join(["em", *SHARES])}, "em",
     "a.txt line 4"),
])  # fmt: skip
def test_a_share_among_percentages_is_refused_wherever_it_stands(files, percent, where):
    """It was divided by 100 in all but a table with a column for each system."""
    check_refused(files, {"percent": percent}, f"{where}: found '0.5' among percentages")


def test_a_file_of_numbers_is_in_percent_by_the_name_that_a_refusal_gives_it():
    """Files of one name are called by their folders too, and were not divided then."""
    files = {"a/x.txt": "62\n7\n50\n", "b/x.txt": "0.25\n0.5\n1\n"}
    check_refused(files, {}, "percent beside shares?", "--percent a/x", "--system a/x --system b/x")
    check(files, {"percent": "a/x"}, systems={"a/x": [0.62, 0.07, 0.5], "b/x": [0.25, 0.5, 1]})
    check(files, {"percent": "x"}, systems={"a/x": [0.62, 0.07, 0.5], "b/x": [0.0025, 0.005, 0.01]})


@pytest.mark.parametrize(("header", "options", "words"), [
    ("", {"score_column": "em"}, "a.txt: no column 'em'; each line is one number"),
    ("em\n", {"score_column": "f1"}, "a.txt: no column 'f1'; each line is one number"),
    ("em\n", {"ignore": "em"}, "--ignore does not go with files of one number per line"),
    ("", {"drop_row": "mean"}, "--drop-row does not go with files of one number per line"),
])  # fmt: skip
def test_options_of_tables_are_not_for_numbers(header, options, words):
    """They did nothing, and nothing was said."""
    files = {f"{name}.txt": f"{header}0.5\n0.25\n1\n" for name in "ab"}
    check_refused(files, options, words)
    right = {"score_column": "em"} if header else {}
    check(files, right, systems={"a": [0.5, 0.25, 1], "b": [0.5, 0.25, 1]})


ROWS = [("q1", 0.5, 1.0), ("q2", 0.25, 0.5), ("q3", 1.0, 0.75), ("q4", 0.5, 0.25)]
SUM = "names a row that sums up others, and such a row is no unit"


@pytest.mark.parametrize("at", [0, 2, 4])
@pytest.mark.parametrize("first", ["id", "place"])
def test_rows_of_sums(first, at):
    rows = [*ROWS[:at], ("Mean rank", 0.5625, 0.625), *ROWS[at:]]
    text, ids = lines(f"{first} a b", *rows), [row[0] for row in ROWS]
    check_refused(text, {}, f"t.csv line {at + 2}: 'Mean rank' {SUM}", "--drop-row 'Mean rank'",
                  "--keep-row 'Mean rank'")  # fmt: skip
    check(text, {"drop_row": "MEAN RANK"}, ids=ids, systems=["a", "b"])
    check(text, {"keep_row": "Mean rank"}, ids=[row[0] for row in rows])


# ---- cells ---------------------------------------------------------------------------------------
NUMBERS = "id,a,b\nq1,{},0.5\nq2,0.25,1\nq3,0.5,{}\nq4,0.75,0\n"
WAY = "--allow-missing intersection"


@pytest.mark.parametrize("cell", ["", " ", "NA", "nan", "-"])
def test_missing_numbers(cell):
    one, two = NUMBERS.format(cell, 1), NUMBERS.format(cell, cell)
    said = f"the cell {cell!r} is a missing number" if cell.strip() else "the cell is empty"
    check_refused(one, {}, f"t.csv line 2, column 'a': {said}", WAY)
    check(one, {"allow_missing": True}, ids=["q2", "q3", "q4"], left=("q1",),
          systems={"a": [0.25, 0.5, 0.75], "b": [1, 1, 0]},
          cautions=("1 of 4 items is left out: a alone lacks 1.",))  # fmt: skip
    check(two, {"allow_missing": True}, ids=["q2", "q4"],
          cautions=("2 of 4 items are left out: a lacks 1, b lacks 1.",))  # fmt: skip
    more = one + f"q5,1,{cell}\nq6,1,{cell}\n"
    check(more, {"allow_missing": True}, n_units=3,
          cautions=("3 of 6 items are left out: b lacks 2, a lacks 1.",))  # fmt: skip


UNKNOWN = [tuple(row.split()) for row in ("q1 x ? y", "q2 y y x", "q3 ? x x", "q4 x x x")]


@pytest.mark.parametrize(("files", "said", "options"), [
    (lines("id gold a b", *((q, *(" ? " if x == "?" else x for x in own)) for q, *own in UNKNOWN)),
     "'a': found '?'", {"missing": " ?"}),
    ({f"{name}.csv": lines("id gold said", *((*row[:2], row[i]) for row in UNKNOWN)) for i,
      name in ((2, "a"), (3, "b"))}, "'said': found '?'", {}),
])  # fmt: skip
def test_labels_that_are_declared_missing(files, said, options):
    more = {"missing": "?", **options}
    check_refused(files, more, f"column {said}, expected a label", WAY)
    found = check(files, {**more, "allow_missing": True}, format="labels")
    assert "?" not in {*(found.gold or ()), *found.systems["a"], *found.systems["b"]}
    assert {"q2", "q4"} >= {*(found.ids or ())} >= {"q4"}


@pytest.mark.parametrize(("values", "said", "missing"), [
    ({9: -1, 88: 99, 124: 99}, "-1 and 99 in 3 cells", "--missing -1 --missing 99"),
    ({9: -9999, 88: -9999, 124: -9999}, "-9999 in 3 cells", "--missing -9999"),
])  # fmt: skip
def test_sentinels_among_shares(values, said, missing):
    a = [values.get(i, x) for i, x in enumerate(shares(200, 1))]
    b = a if values[9] == -1 else shares(200, 2)
    words = f"holds {said}, all others lie within 0 and 1: do"
    way = f"{missing} {WAY}"
    text = lines("id a b", *zip(range(200), a, b, strict=True))
    check_refused(text, {}, words, way, "--system a --system b")
    files = {f"{n}.csv": lines("id score", *enumerate(own)) for n, own in (("a", a), ("b", b))}
    check_refused(files, {}, words, way, "--score-column score")


@pytest.mark.parametrize("cells", [
    {3: -1}, {3: -0.5, 9: -0.5, 12: -0.5}, {3: 7, 9: 7, 12: 7}, dict.fromkeys(range(120), -1),
])  # fmt: skip
def test_other_values_beyond_shares_are_scores(cells):
    a = [cells.get(i, x) for i, x in enumerate(shares(200, 1))]
    b = [x - 0.5 for x in shares(200, 2)] if a[3] < 2 else [3 * x for x in shares(200, 2)]
    check(lines("id a b", *zip(range(200), a, b, strict=True)), {}, systems={"a": a, "b": b})


def test_rows_that_repeat_without_ids_are_said():
    rows = [*zip(shares(160, 1), shares(160, 2), strict=True)]
    rows += rows[:40]
    said = ("40 rows of 200 repeat another row in every score, and there are no ids: were rows "
            "written twice?")  # fmt: skip
    numbers = {f"{name}.txt": "".join(f"{row[i]}\n" for row in rows) for i, name in enumerate("ab")}
    numbered = ((i, *row) for i, row in enumerate(rows))
    right = [(i % 2, i % 3 % 2) for i in range(200)]
    for files in (lines("a b", *rows), numbers):
        check(files, {}, cautions=(said,))
    for files in (lines("id a b", *numbered), lines("a b", *right)):
        check(files, {}, cautions=())


# ---- ids and clusters ----------------------------------------------------------------------------
def test_ids_that_are_unique_within_clusters_only():
    rows = "".join(f"{task},{item},{item % 2},1\n" for task in "vwxy" for item in range(3))
    pairs = [(task, str(item)) for task in "vwxy" for item in range(3)]
    check("task,item,a,b\n" + rows, {}, ids=pairs, cluster_column="task",
          notes=("Ids (item) are unique only within task.",))  # fmt: skip
    few = "task,item,a,b\n" + rows[: rows.index("x")]
    check_refused(few, {}, "only 2 values: swapping 2 whole gives no p-value below 0.5",
                  "--cluster task --unit unit", "--cluster task")  # fmt: skip
    check(few, {"cluster": "task"}, ids=pairs[:6])


# ---- one row per unit and system -----------------------------------------------------------------
GENRES = "system,id,genre,score\nx,q1,n,0.5\nx,q2,f,1\ny,q2,f,0\ny,q1,n,0.25\n"


def test_rows_of_systems_are_matched_by_id():
    check(GENRES, {"ignore": "genre"}, ids=["q1", "q2"], systems={"x": [0.5, 1], "y": [0.25, 0]})
    found = check(GENRES, {"systems": ["x", "y"]}, others={"genre": ["n", "f"]}, notes=())
    assert csig.read("t.csv", systems=["x", "y"], by="genre").parts.keys() == {"n", "f"}
    other = GENRES.replace("y,q1,n", "y,q1,other")
    found = check(other, {"systems": ["x", "y"]}, others={})
    assert found.notes == ("Columns that differ between systems were not used: 'genre'.",)
    check_refused(other, {"cluster": "genre"}, "id 'q1' has cluster 'other' for y and 'n' for x")


def test_rows_that_systems_lack():
    text = GENRES + "x,q3,n,\ny,q3,n,\nx,q4,n,1\ny,q5,n,1\n"
    more = {"systems": ["x", "y"]}
    check_refused(text, more, "line 6, column 'score': the cell is empty",
                  "--allow-missing intersection")  # fmt: skip
    found = check(text, {**more, "allow_missing": True}, ids=["q1", "q2"])
    assert found.cautions == ("3 of 5 items are left out: x lacks 2, y lacks 2.",)
    twice = text + "y,q2,f,1\n"  # which of both is meant is not known
    check_refused(twice, {**more, "allow_missing": True}, "found the id 'q2'")
    check_refused(
        "system,id,score\nx,q1,1\ny,q2,1\ny,q3,1\n", {"systems": ["x", "y"]}, "no id in common"
    )
    counts = "system,id,tp,fp,fn\nx,1,1,1,1\nx,2,1,0,0\ny,1,1,0,1\ny,2,,0,0\n"
    check(counts, {"allow_missing": True}, ids=["1"], systems={"x": [[1, 2, 2]], "y": [[1, 1, 2]]})


LABELLED = st.tuples(*[st.sampled_from("xy")] * 3)
SENTENCES = st.lists(st.lists(LABELLED, min_size=1, max_size=4), min_size=1, max_size=6)


@given(
    SENTENCES, st.sampled_from(",\t"), st.sampled_from(["\n", "\r\n"]),
    st.sampled_from(["tok", 'a "q"', "a\n\nb"]), st.booleans(),
)  # fmt: skip
def test_blank_lines_are_the_ends_of_sentences(rows, delimiter, end, token, at_ends):
    """Against a plain reading; blank lines above and below all rows end nothing."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, lineterminator=end)
    writer.writerow(["token", "gold", "one", "two"])
    out.write(end * at_ends)
    for i, sentence in enumerate(rows):
        out.write(end * (i and 1 + i % 2))
        for own in sentence:
            writer.writerow(["tok" if delimiter == "\t" else token, *own])
    out.write(end * at_ends)
    path = text_file(out.getvalue())
    try:
        table = read_table(path, format="labels", gold="gold", systems=["one", "two"])
    except InputError as error:
        assert "no label of the gold" in str(error)  # noqa: PT017 - then a column is no system
        return
    flat = [own for sentence in rows for own in sentence]
    assert list(zip(table.gold or (), *table.systems.values(), strict=True)) == flat
    if len(rows) == 1:
        assert (table.clusters, table.units_are, table.notes) == (None, None, ())
        return
    numbers = [str(i) for i, sentence in enumerate(rows) for _ in sentence]
    assert list(table.clusters or ()) == numbers
    assert (table.cluster_column, table.units_are) == ("sentence", "token")
    assert f" into {len(rows)} sentences, which are the clusters; --unit token" in table.notes[0]


GAPS = "id,a,b\n1,0.5,1\n\n2,1,0.25\n"
SPACED = "id,tp_a,predicted_a,gold,tp_b,predicted_b\n1,0,1,2,1,1\n\n2,1,1,1,0,0\n"


@pytest.mark.parametrize(("files", "options", "expected"), [
    ("doc,gold,a,b\nd1,x,x,y\n\nd1,x,y,x\nd2,y,y,y\n\nd3,x,y,x\nd4,x,x,x\n", {},
     {"clusters": ["d1", "d1", "d2", "d3", "d4"], "units_are": None}),
    ("t,gold,a,b\n0,x,x,y\n\n0,x,y,x\n1,y,y,y\n\n0,x,y,x\n", {"id": "t"},
     {"clusters": ["0", "1", "1", "2"], "ids": [*zip("0112", "0010", strict=True)]}),
    ({name: f"id,gold,{name}\n1,x,x\n\n2,x,y\n3,y,y\n" for name in ("a", "b")},
     {"gold": "gold", "systems": ["a", "b"]},
     {"clusters": ["0", "1", "1"], "units_are": "token"}),
    (GAPS, {}, {"clusters": None}), (SPACED, {}, {"clusters": None}),
])  # fmt: skip
def test_blank_lines(files, options, expected):
    found = check(files, options, **expected)
    said = "blank lines between the rows, in 1 place, are ignored. If they separate groups of rows"
    assert [said in own for own in found.cautions] == [True] * (files in (GAPS, SPACED))


def test_rows_of_sentences_that_are_left_out():
    text = "t,gold,a,b\n0,x,x,y\n\n0,x,,x\n1,y,y,y\n\n0,x,y,x\n"
    check_refused(text, {"id": "t"}, "line 4, column 'a': the cell is empty, expected a label",
                  "--allow-missing intersection")  # fmt: skip
    found = check(text, {"id": "t", "allow_missing": True}, clusters=["0", "1", "2"])
    assert found.notes[0] == "Ids (t) are unique only within sentence."
    assert found.cautions == ("1 of 4 items is left out: a alone lacks 1.",)


#: Files with options, and what they mean.
READ: list[tuple[Files, dict[str, Any], dict[str, Any]]] = [
    # Counts.
    ("topic n correct_x correct_y / t1 5 2 3 / t2 4 4 4", {},
     {"columns": ("correct", "items"), "systems": {"x": [[2, 5], [4, 4]], "y": [[3, 5], [4, 4]]}}),
    ("utt words errors_x errors_y / t1 5 7 3 / t2 4 4 1", {},
     {"columns": ("errors", "words"), "ids": ["t1", "t2"]}),
    (COUNTS.format("", "", ""), {"systems": ["y", "x"]}, {"systems": ["y", "x"]}),
    # Rows that stay.
    (lines("id a b", *ROWS, ("all", 1, 1), ("Mean", 1, 1)), {"drop_row": ["all", "mean"]},
     {"n_units": 4}),
    # A cell of another column of texts, if none of the first two has it; of numbers never.
    (lines("id a b lang", *((*row, "de" if i % 2 else "en") for i, row in enumerate(ROWS))),
     {"drop_row": "de", "ignore": "lang"}, {"n_units": 2}),
    (lines("id a b", *ROWS, ("overalls", 0, 1), ("all of it", 1, 0)), {}, {"n_units": 6}),
    # Labels may be called anything.
    (lines("id gold a b", ("q1", "n", "n", "v"), ("q2", "v", "v", "n"), ("all", "n", "n", "n")), {},
     {"n_units": 3}),
    (lines("text a b", *((f"a mean {i}", *row[1:]) for i, row in enumerate(ROWS))), {},
     {"n_units": 4}),
    ("id system Score / x a 1 / x b .5 / y a 0 / y b .25", {"score_column": "Score"},
     {"metric": None}),
    ("id system score / x average 1 / x b .5 / y average 0 / y b .25", {},
     {"systems": {"average": [1, 0], "b": [0.5, 0.25]}}),
    # Cells that are declared.
    ("id a b / w 1 -9.0 / x .5 1 / y .25 .75",
     {"missing": " -9 ", "allow_missing": True, "systems": ["a", "b"]},
     {"systems": {"a": [0.5, 0.25], "b": [1, 0.75]}}),
    (NUMBERS.format("-1", "999"), {"missing": ["-1", "999"], "allow_missing": True},
     {"systems": {"a": [0.25, 0.75], "b": [1, 0]}}),
    (NUMBERS.format("bad", 1), {"missing": "bad", "allow_missing": True},
     {"systems": {"a": [0.25, 0.5, 0.75], "b": [1, 1, 0]}}),
    (lines("id a b", ("q1", "50%", "62.5 %"), ("q2", "0%", "100%")), {"percent": ["a", "b"]},
     {"systems": {"a": [0.5, 0], "b": [0.625, 1]}}),
    (lines("id a b", ("q1", "1,131", "2,5"), ("q2", "1,250", "3"), sign=";"), {"decimal": ","},
     {"systems": {"a": [1.131, 1.25], "b": [2.5, 3]}}),
    ("id,a,b,c\nx,1,2,0.50\ny,3,5,7\n", {"systems": ["a", "b"]}, {"others": {"c": ["0.50", "7"]}}),
    # Files of one system each.
    # By their order: nothing has ids.
    (two("score 1 2 3", "score 3 2 1"), {}, {"ids": None, "notes": ()}),
    (two("kind,score k,1 k,2", "kind,score k,3 k,5"), {"ignore": "kind"},
     {"ids": None, "notes": ("Rows are matched by their order: no column has ids.",)}),
    # One of them in another dress.
    ({"one.csv": "id,score\nx,1\ny,0.5\n", "runs/two.tsv": "id\tscore\ny\t0\nx\t1\n"}, {},
     {"systems": {"one": [1, 0.5], "two": [1, 0]}}),
    # One number per line.
    ({"one.txt": "1\n\n0\n", "two.txt": "0\n1\n1\n"}, {"allow_missing": True},
     {"n_units": 2, "cautions": ("1 of 3 items is left out: one alone lacks 1.",)}),
    ({"one.txt": "1\n0\n", "two.txt": "0\n0\n", "c.txt": "1\n1\n"}, {"format": "scores"},
     {"systems": ["one", "two", "c"]}),
    # Labels, counts, clusters.
    (two("id,gold,said 1,p,p 2,n,p", "id,gold,said 2,n,n 1,p,p"), {},
     {"format": "labels", "systems": {"one": ["p", "p"], "two": ["p", "n"]}}),
    (two("id,tp,predicted,gold 1,2,3,4 2,0,1,1", "id,tp,predicted,gold 2,1,1,1 1,1,2,4"), {},
     {"format": "counts",
      "systems": {"one": [[2, 3, 4], [0, 1, 1]], "two": [[1, 2, 4], [1, 1, 1]]}}),
    ({f"{own}.csv": "id,task,em\n" + "".join(f"{i},t{i % 4},{i % 2}\n" for i in range(8))
      for own in ("one", "two")}, {}, {"cluster_column": "task"}),
    # Columns that are systems.
    (two("id,x,y 1,1,2 2,3,4", "id,x,z 2,5,6 1,7,8"), {"systems": ["y", "z"]},
     {"systems": {"y": [2, 4], "z": [8, 6]}}),
    (two("id,x,y 1,1,2 2,3,4", "id,x,z 2,5,6 1,7,8"), {"ignore": ["y", "z"]},
     {"systems": {"one": [1, 3], "two": [7, 5]}}),
    (two("id,em,f1 1,1,2 2,3,4", "id,em,f1 2,5,6 1,7,8"), {"score_column": "f1"},
     {"metric": "mean f1", "systems": {"one": [2, 4], "two": [8, 6]}}),
    (two("id,em 1,50% 2,75%", "id,em 2,25% 1,100%"), {"percent": "em"},
     {"systems": {"one": [0.5, 0.75], "two": [1, 0.25]}}),
]  # fmt: skip


@pytest.mark.parametrize(("files", "options", "expected"), READ)
def test_what_files_mean(files, options, expected):
    check(few(files), options, **expected)


CUT = "id,gold,said\n1,x,x\n\n2,x,y\n3,y,y\n"


def told(files: Files, **options: Any) -> str:
    """What files are refused with, and what reads them, on lines below it."""
    return refused(few(files), **options)


@pytest.mark.parametrize(("expression", "text"), expected(PRINTED))
def test_what_is_refused_with_the_ways_out(expression, text):
    assert printed(expression, globals()) == text


if __name__ == "__main__":
    rewrite(PRINTED, globals(), folder=True)
