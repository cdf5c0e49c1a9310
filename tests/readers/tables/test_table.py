"""What a table means: declared, by reserved names, or refused with the commands that read it."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest
from cases import Files, check, check_refused
from hypothesis import given
from hypothesis import strategies as st
from written import file_of, refusal, shares, text_file

import csig
from csig.base.errors import InputError
from csig.readers import read_table

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


def the(ways: str) -> list[str]:
    return ways.split(" | ") if ways else []


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


PLAIN = "is called like"


@pytest.mark.parametrize(("cells", "words", "ways"), [
    ({"n_tokens": LENGTHS}, "a property of units", "--ignore n_tokens"),
    ({"seed": [42] * N}, f"'seed' {PLAIN} a property", "--ignore seed"),
    ({"note": [""] * N}, "column 'note' is empty", "--ignore note"),
    ({f"note{i}": [f"n{k % 7}" for k in range(N)] for i in range(9)}, " and 5 more",
     " | ".join(f"{own} --system a --system b".strip()
                for own in ("--cluster note0", "--cluster note1", "--cluster note2", ""))),
    ({"kind": ["x"] * N}, "column 'kind' has 1 different text in 40 rows", "--ignore kind"),
    ({"repo": [f"r{i % 9}" for i in range(N)], "length": LENGTHS},
     "column 'repo' has 9 different texts in 40 rows, column 'length' is called like",
     "--cluster repo --ignore length | --ignore repo --ignore length"),
    ({"lang": ["de", "en"] * 20, "repo": [f"r{i % 11}" for i in range(N)]},
     "column 'lang' has 2 different texts in 40 rows, column 'repo' has 11 different texts",
     "--cluster lang --ignore repo | --cluster repo --ignore lang | --ignore lang --ignore repo"),
    ({"x": [300 + i // 4 for i in range(N)]},
     "column 'x' holds whole numbers that repeat in blocks",
     "--system a --system b --system x | --cluster x | --ignore x"),
    ({"x": [300 + i * 37 % 101 for i in range(N)]},
     "different kinds: 'a', 'b' (within 0 and 1) and 'x' (whole numbers)",
     "--system a --system b | --system a --system b --system x"),
    ({"mark": range(7, 7 + N)}, "'mark' holds whole numbers in order",
     "--system a --system b --system mark | --ignore mark"),
    ({"three": [3] * N}, "column 'three' is 3 in every row",
     "--system a --system b --system three | --ignore three"),
    ({"big": [300 * x for x in A]}, "'big' (other numbers)",
     "--system a --system b | --system a --system b --system big"),
    ({"pct": [round(100 * x, 1) for x in B]},
     "column 'pct' goes up to 99.9, 'a', 'b' stay within 0 and 1: percent beside shares?",
     "--percent pct | --system a --system b | --system a --system b --system pct"),
    ({"task": ["x", "y"] * 20}, "'task' has the name of clusters, but only 2 values: swapping 2 "
     "whole gives no p-value below 0.5", "--ignore task | --cluster task"),
    ({"task": [f"t{i % 5}" for i in range(N)], "pair": [f"p{i // 2}" for i in range(N)]},
     "'task', 'pair' have the names of clusters, which are swapped whole, and only one",
     "--cluster task --ignore pair | --cluster pair --ignore task"),
])  # fmt: skip
def test_a_column_that_nothing_accounts_for(cells, words, ways):
    """It is refused; ignored when that is said; and beside chosen systems without a word."""
    text = table(id=IDS, **SCORES, **cells)
    check_refused(text, {}, words, *the(ways))
    check(text, {"ignore": list(cells)}, systems=SCORES, clusters=None, cautions=(), notes=())
    reserved = [name for name in cells if name in ("task", "pair")]
    check(text, {"systems": ["b", "a"], "ignore": reserved}, systems=["b", "a"], cautions=())


@pytest.mark.parametrize(("options", "words"), [
    ({"id": "x"}, "line 1: no column 'x'; there are 'id', 'a', 'b'"),
    ({"cluster": "9"}, "line 1: no column '9'"),
    ({"cluster": ""}, "line 1: no column ''"),
    ({"gold": "A"}, "line 1: no column 'A' (did you mean 'a'?)"),
    ({"systems": ["a", "x"]}, "line 1: no column 'x'"),
    ({"ignore": "x"}, "line 1: no column 'x'"),
    ({"format": "counts"}, "line 1: no counts of any system; expected columns such as tp_NAME"),
    ({"ignore": "a", "systems": "a"}, "ignore= and systems= name the same column, 'a'"),
    ({"id": "a", "systems": ["a", "b"]}, "id= and systems= name the same column, 'a'"),
    ({"positive": "x"}, "positive= is for tables of labels"),
    ({"systems": ["a", "a"]}, "systems=: give each system only once"),
])  # fmt: skip
def test_options_that_do_not_fit(options, words):
    path = file_of(id=IDS, **SCORES)
    assert words in refusal(csig.read, path, **options)


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


@pytest.mark.parametrize(("cells", "words", "ways"), [
    ({"x": X, "y": [own.upper() for own in Y]}, "found one system only, 'x' beside the gold",
     "csig describe --system x --ignore y"),
    ({"x": X, "y": Y, "z": spelt(Y, none="NONE")},
     "column 'z' has labels of the gold and others, such as 'NONE'",
     "--system x --system y --system z | --ignore z"),
    ({"z": spelt(X, none="NONE")}, "column 'z' has labels of the gold and others, such as 'NONE'",
     ""),
    ({"x": X, "y": Y, "length": LENGTHS}, "'length' holds numbers", "--ignore length"),
    ({"x": X, "y": Y, "genre": ["u", "v"] * 20}, "'genre' has 2 different texts in 40 rows",
     "--cluster genre | --ignore genre"),
    ({"x": X}, "found one system only, 'x' beside the gold 'gold', expected two or more",
     "csig describe --system x"),
    ({"x": A, "y": B}, "no column has the labels of the gold, column 'gold'", "--ignore gold"),
    ({"x": IDS}, "no column has the labels of the gold, column 'gold', expected one for", ""),
])  # fmt: skip
def test_columns_beside_labels(cells, words, ways):
    check_refused(table(id=IDS, gold=GOLD, **cells), {}, words, *the(ways))


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


# ---- real tables ---------------------------------------------------------------------------------
@pytest.mark.parametrize(("path", "options", "expected"), [
    ("cls_figqa_sst2_outputs/figqa_correct.csv", {"id": "item", "cluster": "pair"},
     {"id_column": "item", "cluster_column": "pair"}),
    ("cls_figqa_sst2_outputs/sst2_labels.csv", {}, {"format": "labels"}),
    ("mlxtend_cochran_q/predictions.csv", {}, {"format": "labels"}),
    ("llm_gsm8k_four_systems/correct.csv", {}, {"format": "scores", "clusters": None}),
    ("llm_bbh_codex/correct.csv", {}, {"cluster_column": "task"}),
])  # fmt: skip
def test_real_tables(shared_data, path, options, expected):
    folder, name = path.split("/")
    found = read_table(shared_data(folder) / name, **options)
    assert {field: getattr(found, field) for field in expected} == expected
    assert found.cautions == ()


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

#: Files with options, what is said, and the ways out between bars.
REFUSED: list[tuple[Files, dict[str, Any], str, str]] = [
    # Columns.
    (table(id=[i // 4 for i in range(N)], seed=[i % 4 for i in range(N)], accuracy=RIGHT, f1=A), {},
     "have the names of metrics", "--system-column seed --score-column accuracy --score-column f1 "
     "| --system accuracy --system f1"),
    (table(id=IDS, length=LENGTHS, year=LENGTHS), {},
     "column 'year' is called like a property of units; fewer than two columns are left for",
     "--system length --system year"),
    (table(id=IDS, size=A, b=B), {}, "found one system only, 'b'",
     "--system size --system b | csig describe --system b --ignore size"),
    (table(id=IDS, task=IDS), {}, "no column has numbers", ""),
    (table(_=range(N), item=IDS, a=A, b=B), {}, "column '' is called like a property of units",
     "--ignore ''"),
    # Of columns that may name the systems three are enough.
    ("id p q r s em / 1 x x x x 1 / 2 x x x x 0 / 1 y y y y 0 / 2 y y y y 1", {},
     "found one system only, 'em'", "--system-column p --score-column em --ignore q --ignore r "
     "--ignore s | --system-column q --score-column em --ignore p --ignore r --ignore s | "
     "--system-column r --score-column em --ignore p --ignore q --ignore s"),
    (table(x=[(i * 37) % 101 for i in range(N)], a=LENGTHS, b=LENGTHS[::-1]), {},
     "'x' comes first and holds another whole number in every row, as ids do",
     "--system x --system a --system b | --id x | --ignore x"),
    ("a\n1\n2\n", {}, "found one column only, 'a', so this is one system at most", ""),
    ('"a;x"\n"1;2"\n', {}, "found one column only, 'a;x', so this is one system at most", ""),
    # Labels.
    ("id a b c / 1 p n p / 2 n n n", {"format": "labels"}, "no column gold, gold_label",
     "--gold-column a | --gold-column b | --gold-column c"),
    (LABELS, {"systems": ["x", "id"]}, "column 'id' has no label of the gold", ""),
    (few(LABELS).replace("3,neg", "3,"), {}, "line 4, column 'gold': the cell is empty",
     "--allow-missing intersection"),
    ("id system gold said / 1 x p p / 1 y p n", {"gold": "gold"},
     "labels need one column for every system, not one row", ""),
    # Counts.
    ("id correct_x n correct_y / 1 3 2 1", {}, "line 2: found 3 of 2, more than all", ""),
    ("id correct_x n correct_y / 1 1.5 2 1", {},
     "line 2, column 'correct_x': found '1.5', expected a whole number of 0 or more", ""),
    ("id correct_x n tp_y fp_y fn_y / 1 1 2 1 1 1", {},
     "y has tp, fp, fn, x has correct, items; expected the same for every system", ""),
    ("id system score / 1 x 2 / 1 y 2", {"format": "counts"},
     "expected columns such as tp, predicted and gold, or tp, fp and fn", ""),
    (COUNTS.format(" length", " 7", " 9"), {}, "'length' holds numbers", "--ignore length"),
    # Rows that name their system.
    (LONG.format("score f1"), {}, "column 'f1' holds numbers that no rule accounts for",
     "--score-column score --score-column f1 | --ignore f1"),
    (LONG.replace(" id", " key").format("score f1"), {"ignore": "f1"},
     "no column is known to have the ids of the units", "--id key"),
    (few("id system score / 1 x 2 / 2 x 1 / 1 _ 2").replace("_", ""), {},
     "column 'system': the cell is empty", ""),
    ("id system score / 1 x 2 / 1 y 2 / 2 x 2 / 1 x 3", {},
     "found the id '1' on line 2 and again on line 5", ""),
    ("model score / big .5 / small .4", {}, "what is missing are the scores of the units", ""),
    ("doc gold x y / 1 20 4 20 / 2 20 5 6 / 3 20 9 7", {},
     "column 'y' has labels of the gold and others, such as '6'", "--ignore gold"),
    # Ids and clusters.
    ("id,a,b\n1,2,3\n2,3,4\n1,5,6\n3,1,1\n2,1,1\n", {}, "t.csv: found the id '1' on line 2 and "
     "again on line 4, expected every id once; 2 ids are repeated: '1', '2'", ""),
    ("task,item,a,b\nx,1,2,3\nx,1,3,4\n", {"cluster": "task"},
     "found the id 'x' '1' on line 2 and again on line 3", ""),
    ("id,seed,a,b\nq1,1,1,0\nq1,2,0,1\nq2,1,1,1\nq2,2,0,0\n", {"systems": ["a", "b"]},
     "found the id 'q1' on line 2 and again on line 3", "--run seed"),
    ("id,part,a,b\nq1,x,1,0\nq1,y,0,1\n", {"systems": ["a", "b"]}, "found the id 'q1'",
     "--cluster part"),
    ("id,a,b\n1,2,3\n,3,4\n", {}, "line 3, column 'id': the cell is empty, expected an id", ""),
    ("id,task,a,b\n1,x,2,3\n2,,3,4\n3,y,1,1\n4,z,1,2\n", {"cluster": "task"},
     "line 3, column 'task': the cell is empty, expected the label of a cluster", ""),
    # Rows that sum up others.
    # In the second column; one among several; in one of several files.
    (lines("task id a b", *(("t", *row) for row in ROWS), ("t", "all", 0.5, 0.5)),
     {"cluster": "task"}, f"line 6: 'all' {SUM}", "--drop-row all | --keep-row all"),
    ({"a.csv": lines("topic score", *(row[:2] for row in ROWS), ("all", 0.5)),
      "b.csv": lines("topic score", ("all", 0.5), *(row[:2] for row in ROWS))}, {},
     f"a.csv line 6: 'all' {SUM}", "--drop-row all | --keep-row all"),
    (lines("doc gold tp_a predicted_a tp_b predicted_b", ("d1", 6, 3, 5, 4, 5),
           ("total", 9, 5, 7, 6, 8)), {}, f"line 3: 'total' {SUM}",
     "--drop-row total | --keep-row total"),
    (lines("system id score", *((own, q, 1) for own in "xy" for q in ("q1", "q2", "avg"))), {},
     f"line 4: 'avg' {SUM}", "--drop-row avg | --keep-row avg"),
    (lines("id a b", *ROWS), {"drop_row": "all"}, "--drop-row: no row is called 'all'", ""),
    (lines("id a b", ROWS[0]), {"drop_row": "q1"}, "--drop-row: no row is left", ""),
    # Cells.
    (NUMBERS.format("inf", 1), {}, "line 2, column 'a': found 'inf', expected a finite number",
     " | ".join([f"--missing inf {WAY}"])),
    (NUMBERS.format(2**53 + 1, 1), {}, "which has more digits than a double holds", ""),
    (table(id=IDS, a=[-1 if i % 9 == 4 else i % 2 for i in range(N)], b=RIGHT), {},
     "holds -1 in 4 cells, all others lie within 0 and 1: does it stand for a missing number?",
     f"--missing -1 {WAY} | --system a --system b"),
    (lines("id a b", ("q8", "x", 1), ("q9", "y", 1), *ROWS), {},
     "found 'x' and 1 other cell, expected finite numbers", ""),
    (lines("id a b", ("q1", "", 1), ("q2", 1, "")), {"allow_missing": True},
     "no unit has values in all of 'a', 'b'", ""),
    # Numbers to a person only.
    (lines("id a b", ("q1", "50%", "62.5 %"), ("q2", "0%", "100%")), {},
     "t.csv: column 'a' holds percentages, such as '50%'", "--percent a --percent b"),
    (lines("id a b", ("q1", "93.3+-.5", 1), ("q2", "91.2+/-.4", 2)), {}, "with its error", ""),
    (lines("id a b", ("q1", "1,131", "2,5"), ("q2", "1,250", "3"), sign=";"), {},
     "write the numbers without commas", ""),
    (lines("id a b", ("q1", "1,131", "2"), ("q2", "10,250", "3"), sign=";"),
     {"decimal": ",", "systems": ["a", "b"]},
     "every comma stands before exactly three digits, as in '1,131', and may separate", ""),
    (lines("id a b", ("q1", "0.5", "1"), ("q2", "0,25", "2"), sign=";"), {"decimal": ","},
     "line 2, column 'a': found '0.5', expected a number with a decimal comma", ""),
    ({"a.txt": "1,131\n2,250\n", "b.txt": "1,131\n1,150\n"}, {"decimal": ","},
     "a.txt: every comma stands before exactly three digits", ""),
    # Several files.
    ({"one.csv": CUT, "two.csv": CUT.replace("\n\n", "\n")}, {}, "clusters are known for only one",
     ""),
    (two("id,score q0,1 q1,1 q2,1 q3,1", "id,score q0,1 q1,1 z,1"), {},
     "two.csv: two lacks 2 ids that one has: 'q2', 'q3' and has 1 id that one lacks: 'z'",
     "--allow-missing intersection"),
    (two("id,score x,1", "id,score y,1"), {}, "they have no id in common", ""),
    (two("id,score x,1", "id,score y,1"), {"allow_missing": True}, "no id is common to", ""),
    (two("utt,errors,words 1,2,7 2,0,5", "utt,errors,words 2,1,5 1,1,7"), {},
     "column 'utt' holds numbers", "--id utt | --ignore utt"),
    (two("at,em,f1 7,1,.1 3,0,.2 9,1,.3 5,1,.4", "at,em,f1 3,1,.1 7,0,.2 5,1,.3 9,1,.4"), {},
     "column 'at' comes first and holds another whole number in every row, as ids do",
     "--id at | --ignore at"),
    (two("em,said 1,x 0,y 1,z 1,w", "em,said 1,a 0,b 1,c 1,d"), {},
     "column 'said' has another text in every row", "--ignore said"),
    (two("id,gold,said 1,p,p 2,n,p 3,n,n", "id,gold,said 2,p,n 1,p,p 3,n,n"), {},
     "two.csv: id '2' has gold 'p' for two and 'n' for one", ""),
    (two("id,em 1,1 2,0", "em 1 0"), {}, "two.csv: no column 'id', which one.csv has; each file "
     "is a system, and all need the same columns; give the ids one name", ""),
    (two("id,x,y 1,1,2 2,3,4", "id,x,z 2,5,6 1,7,8"), {},
     "one.csv: no column 'z', which two.csv has; each file is a system, and all need the same",
     "--ignore y --ignore z | --system y --system z"),
    (two("id,gold,one 1,p,n 2,n,p", "id,gold,two 2,n,n 1,p,p"), {}, "no column 'two', which",
     "--system one --system two"),
    (two("id,a,b 1,1,2 2,3,4", "id,gold,x 1,p,n 2,n,p"), {}, "no column 'gold', which two", ""),
    (two("id,x 1,1 2,3", "id,x 2,5 1,7"), {"systems": ["one", "z"]},
     "no system 'z'; there are 'one', 'two'", ""),
    (two("id,x 1,1 2,3", "id,x 2,5 1,7"), {"ignore": "w"}, "--ignore: no file has a", ""),
    *((two("id,em 1,0.5 2,0.75", "id,em 2,25 1,50"), {"percent": wrong},
       rf"--percent: found no '{wrong}' (did you mean '{near}'", [])
      for wrong, near in (("tow", "two"), ("e_m", "em"), ("two: e", "two: em"))),
    (two("id,length 1,7 2,3", "id,length 2,7 1,3"), {}, "'length' is called like a property",
     "--score-column length"),
    (two("id,f1,em 1,.1,1 2,.3,0", "id,f1,em 2,50.5,1 1,7.5,0"), {},
     "'two: f1' goes up to 50.5, 'one: f1' stays within 0 and 1: percent beside shares?",
     "--percent 'two: f1' | --system one --system two"),
    (two("kind,x k, k,3", "kind,x k,5 k,7 k,1"), {"allow_missing": True, "ignore": "kind"},
     "two.csv: 3 units, but one.csv has 2; without ids both must have the same number", ""),
    ({"a.txt": "1\n\n", "b.txt": "\n2\n3\n"}, {"allow_missing": True},
     "a.txt: 1 numbers, but b.txt has 3; one number per line is matched by its line, so all", ""),
    ({"a.txt": "1\n2\nNA\n", "b.txt": "NA\nNA\n3\n"}, {"allow_missing": True},
     "no row has a value in all of 'a', 'b'", ""),
    *(({"a.txt": "1\n2\n", "b.txt": f"1\n{own}\n3\n"}, {},
       f"b.txt line 2: found {own!r}, expected a number", "") for own in ("x", "Infinity")),
    ({"a.txt": "1\n2\n", "t.csv": "id,score\nx,1\ny,2\n"}, {},
     "a.txt: found one number per line, but t.csv is another kind of table; each file is a system, "
     "and all need the same columns", ""),
    (dict.fromkeys(("a.csv", "b.csv"), "id,score\n1,1\n"), {"id": "score"},
     "column 'id' is called like a property of units; what is missing are the scores", ""),
    # What is called predictions, as numbers, as texts, and as ids.
    (two("id,em,pred 1,0,.5 2,1,.7", "id,em,pred 2,1,.1 1,1,.9"), {},
     "column 'pred' is called like predictions, and no column has the gold", "--score-column pred"),
    (two("id,prediction x,1 y,0", "id,prediction x,1 y,1"), {}, "called like predictions",
     "--score-column prediction"),
    ("id Score b / x .5 1 / y .25 .75", {}, "column 'Score' is called like the scores of one",
     "--system Score --system b | csig describe --system Score"),
    (two("pred,em u,0 v,1", "pred,em v,1 u,1"), {}, "'pred' is called like predictions",
     "--id pred"),
]  # fmt: skip


@pytest.mark.parametrize(("files", "options", "words", "ways"), REFUSED)
def test_what_is_refused_with_the_ways_out(files, options, words, ways):
    check_refused(few(files), options, words, *the(ways))
