"""What the columns of a table are: declared, by a reserved name, or refused with the commands."""

from __future__ import annotations

from typing import Any

import pytest
from cases import check, check_refused
from written import file_of, refusal, shares

import csig
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


def few(text: str) -> str:
    """Rows of texts without commas, as CSV."""
    return "".join(",".join(line.split()) + "\n" for line in text.split(" / "))


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
    ({"n_tokens": LENGTHS}, "a property of units", ["--ignore n_tokens"]),
    ({"seed": [42] * N}, f"'seed' {PLAIN} a property", ["--ignore seed"]),
    ({"note": [""] * N}, "column 'note' is empty", ["--ignore note"]),
    ({f"note{i}": [f"n{k % 7}" for k in range(N)] for i in range(9)}, " and 5 more",
     [*[f"--cluster note{i} --system a --system b" for i in range(3)], "--system a --system b"]),
    ({"kind": ["x"] * N}, "column 'kind' has 1 different text in 40 rows", ["--ignore kind"]),
    ({"repo": [f"r{i % 9}" for i in range(N)], "length": LENGTHS},
     "column 'repo' has 9 different texts in 40 rows, column 'length' is called like",
     ["--cluster repo --ignore length", "--ignore repo --ignore length"]),
    ({"lang": ["de", "en"] * 20, "repo": [f"r{i % 11}" for i in range(N)]},
     "column 'lang' has 2 different texts in 40 rows, column 'repo' has 11 different texts",
     ["--cluster lang --ignore repo", "--cluster repo --ignore lang",
      "--ignore lang --ignore repo"]),
    ({"x": [300 + i // 4 for i in range(N)]},
     "column 'x' holds whole numbers that repeat in blocks",
     ["--system a --system b --system x", "--cluster x", "--ignore x"]),
    ({"x": [300 + i * 37 % 101 for i in range(N)]},
     "different kinds: 'a', 'b' (within 0 and 1) and 'x' (whole numbers)",
     ["--system a --system b", "--system a --system b --system x"]),
    ({"mark": range(7, 7 + N)}, "'mark' holds whole numbers in order",
     ["--system a --system b --system mark", "--ignore mark"]),
    ({"mark": [500 - 3 * i for i in range(N)]}, "in order",
     ["--system a --system b --system mark", "--ignore mark"]),
    ({"three": [3] * N}, "column 'three' is 3 in every row",
     ["--system a --system b --system three", "--ignore three"]),
    ({"big": [300 * x for x in A]}, "'big' (other numbers)",
     ["--system a --system b", "--system a --system b --system big"]),
    ({"pct": [round(100 * x, 1) for x in B]},
     "column 'pct' goes up to 99.9, 'a', 'b' stay within 0 and 1: percent beside shares?",
     ["--percent pct", "--system a --system b", "--system a --system b --system pct"]),
    ({"pct": [round(4 * x, 1) for x in B]}, "'pct' goes up to 4, 'a', 'b' stay within 0 and 1",
     ["--percent pct", "--system a --system b", "--system a --system b --system pct"]),
    ({"few": [(i * 3) % 8 for i in range(N)]}, "'few' (whole numbers)",
     ["--system a --system b", "--system a --system b --system few"]),
    ({"task": ["x", "y"] * 20}, "'task' has the name of clusters, but only 2 values: swapping 2 "
     "whole gives no p-value below 0.5", ["--ignore task", "--cluster task"]),
    ({"task": [f"t{i % 5}" for i in range(N)], "pair": [f"p{i // 2}" for i in range(N)]},
     "'task', 'pair' have the names of clusters, which are swapped whole, and only one",
     ["--cluster task --ignore pair", "--cluster pair --ignore task"]),
])  # fmt: skip
def test_a_column_that_nothing_accounts_for(cells, words, ways):
    """It is refused; ignored when that is said; and beside chosen systems without a word."""
    text = table(id=IDS, **SCORES, **cells)
    check_refused(text, {}, words, *ways)
    check(text, {"ignore": list(cells)}, systems=SCORES, clusters=None, cautions=(), notes=())
    reserved = [name for name in cells if name in ("task", "pair")]
    check(text, {"system": ["b", "a"], "ignore": reserved}, systems=["b", "a"], cautions=())


@pytest.mark.parametrize(("text", "words", "ways"), [
    (table(id=IDS, a=RIGHT, b=[100 * x for x in WRONG]), "percent beside shares",
     ["--percent b", "--system a --system b"]),
    (table(id=[i // 4 for i in range(N)], seed=[i % 4 for i in range(N)], accuracy=RIGHT, f1=A),
     "have the names of metrics",
     ["--system-column seed --score-column accuracy --score-column f1",
      "--system accuracy --system f1"]),
    (table(id=IDS, length=LENGTHS, year=LENGTHS),
     "column 'year' is called like a property of units; fewer than two columns are left for",
     ["--system length --system year"]),
    (table(id=IDS, size=A, b=B), "found one system only, 'b'",
     ["--system size --system b", "csig describe --system b --ignore size"]),
    (table(id=IDS, task=IDS), "no column has numbers", []),
    (table(_=range(N), item=IDS, a=A, b=B), "column '' is called like a property of units",
     ["--ignore ''"]),
    # Of columns that may name the systems three are enough.
    (few("id p q r s em / 1 x x x x 1 / 2 x x x x 0 / 1 y y y y 0 / 2 y y y y 1"),
     "found one system only, 'em'",
     ["--system-column p --score-column em --ignore q --ignore r --ignore s",
      "--system-column q --score-column em --ignore p --ignore r --ignore s",
      "--system-column r --score-column em --ignore p --ignore q --ignore s"]),
    (table(id=IDS, x=IDS, y=IDS), "no column has numbers, expected one for every system", []),
    (table(x=[(i * 37) % 101 for i in range(N)], a=LENGTHS, b=LENGTHS[::-1]),
     "'x' comes first and holds another whole number in every row, as ids do",
     ["--system x --system a --system b", "--id x", "--ignore x"]),
    ("a\n1\n2\n", "found one column only, 'a', so this is one system at most", []),
])  # fmt: skip
def test_tables_that_are_refused(text, words, ways):
    check_refused(text, {}, words, *ways)


@pytest.mark.parametrize(("options", "words"), [
    ({"id": "x"}, "line 1: no column 'x'; there are 'id', 'a', 'b'"),
    ({"cluster": "9"}, "line 1: no column '9'"),
    ({"gold_column": "A"}, "line 1: no column 'A' (did you mean 'a'?)"),
    ({"system": ["a", "x"]}, "line 1: no column 'x'"),
    ({"ignore": "x"}, "line 1: no column 'x'"),
    ({"format": "counts"}, "line 1: no counts of any system; expected columns such as tp_NAME"),
    ({"ignore": "a", "system": "a"}, "ignore= and system= name the same column, 'a'"),
    ({"id": "a", "system": ["a", "b"]}, "id= and system= name the same column, 'a'"),
    ({"positive": "x"}, "positive= is for tables of labels"),
    ({"system": ["a", "a"]}, "system=: give each system only once"),
])  # fmt: skip
def test_options_that_do_not_fit(options, words):
    path = file_of(id=IDS, **SCORES)
    assert words in refusal(csig.read, path, **options)


def test_columns_by_number_and_chosen_systems_in_their_order():
    text = table(id=IDS, a=A, b=B, third=RIGHT)
    check(text, {"system": ["4", "2"], "id": "1"}, systems=["third", "a"], id_column="id")
    numbered = {str(i): A for i in range(1, 4)}
    check(table(**numbered), {"header": True, "system": ["3", "1"]}, systems=["3", "1"])


def test_systems_with_reserved_names():
    text = table(id=IDS, model=A, value=B)
    check(text, {"system": ["model", "value"]}, systems={"model": A, "value": B})
    # What is called the gold, beside other numbers.
    text = table(id=IDS, target=A, x=[x - 0.5 for x in B], y=[x - 0.25 for x in B])
    words = "no column has the labels of the gold, column 'target'"
    check_refused(text, {}, words, "--ignore target")
    check(text, {"format": "scores", "system": ["target", "x"]}, systems=["target", "x"])
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
BINARY = few("id gold x y / 1 1 1 0 / 2 0 0 0 / 4 1 1 1")


@pytest.mark.parametrize(("text", "options", "expected"), [
    (few(LABELS), {},
     {"systems": {"x": ["pos", "neg", "pos"], "y": ["neg", "pos", "neg"]},
      "gold": ["pos", "neg", "neg"], "ids": ["1", "2", "3"]}),
    (few(LABELS).replace("gold", "Target"), {}, {"gold_column": "Target"}),
    (few(LABELS), {"system": "y"}, {"systems": ["y"]}),
    (BINARY, {}, {"systems": {"x": ["1", "0", "1"], "y": ["0", "0", "1"]}}),
    # Both labels are known, whichever the gold has.
    (few("id gold x y / 1 1 1 0 / 2 1 0 0"), {}, {"gold": ["1", "1"]}),
    (few("id gold x y / 1 + + - / 2 - - + / 3 + - +"), {}, {"gold": ["+", "-", "+"]}),
    (few("id fold gold x y / 1 7 1 1 0 / 2 8 0 0 0 / 3 9 0 1 1"), {"ignore": "fold"},
     {"systems": ["x", "y"]}),
    (few("id doc gold x y / 1 d p p n / 2 d n n n / 3 e p n n / 4 f p p p / 5 g n n p"), {},
     {"clusters": ["d", "d", "e", "f", "g"]}),
])  # fmt: skip
def test_labels(text, options, expected):
    check(text, options, format="labels", columns=("label",), **expected)


def spelt(own: list[str], **labels: str) -> list[str]:
    return [labels.get(label, label) for label in own]


@pytest.mark.parametrize(("cells", "words", "ways"), [
    ({"x": X, "y": [own.upper() for own in Y]}, "found one system only, 'x' beside the gold",
     ["csig describe --system x --ignore y"]),
    ({"x": X, "y": Y, "z": spelt(Y, none="NONE")},
     "column 'z' has labels of the gold and others, such as 'NONE'",
     ["--system x --system y --system z", "--ignore z"]),
    ({"z": spelt(X, none="NONE")}, "column 'z' has labels of the gold and others, such as 'NONE'",
     []),
    ({"x": X, "y": Y, "length": LENGTHS}, "'length' holds numbers", ["--ignore length"]),
    ({"x": X, "y": Y, "genre": ["u", "v"] * 20}, "'genre' has 2 different texts in 40 rows",
     ["--cluster genre", "--ignore genre"]),
    ({"x": X}, "found one system only, 'x' beside the gold 'gold', expected two or more",
     ["csig describe --system x"]),
    ({"x": A, "y": B}, "no column has the labels of the gold, column 'gold'", ["--ignore gold"]),
    ({"x": IDS}, "no column has the labels of the gold, column 'gold', expected one for", []),
])  # fmt: skip
def test_columns_beside_labels(cells, words, ways):
    check_refused(table(id=IDS, gold=GOLD, **cells), {}, words, *ways)


def test_one_column_that_shares_numbers_with_a_gold_is_no_pair_of_systems():
    text = few("doc gold x y / 1 20 4 20 / 2 20 5 6 / 3 20 9 7")
    check_refused(text, {}, "column 'y' has labels of the gold and others, such as '6'",
                  "--ignore gold")  # fmt: skip


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


@pytest.mark.parametrize(("text", "options", "expected"), [
    ("topic n correct_x correct_y / t1 5 2 3 / t2 4 4 4", {},
     {"columns": ("correct", "items"), "systems": {"x": [[2, 5], [4, 4]], "y": [[3, 5], [4, 4]]}}),
    ("utt words errors_x errors_y / t1 5 2 3 / t2 4 4 1", {},
     {"columns": ("errors", "words"), "ids": ["t1", "t2"]}),
    (COUNTS, {"system": ["y", "x"]}, {"systems": ["y", "x"]}),
])  # fmt: skip
def test_counts(text, options, expected):
    check(few(text.format("", "", "")), options, format="counts", **expected)


# ---- one row per unit and system -----------------------------------------------------------------
LONG = "system id {} / x q1 .5 3 / x q2 1 5 / y q2 0 4 / y q1 .25 3"


@pytest.mark.parametrize(("header", "options", "expected"), [
    ("score time", {"ignore": "time"}, {"systems": {"x": [0.5, 1], "y": [0.25, 0]}}),
    ("em f1", {"score_column": "em"}, {"metric": "mean em", "columns": ("score",)}),
    ("em f1", {"score_column": ["em", "f1"]}, {"columns": ("em", "f1")}),
    ("em f1", {"metrics": ["f1"]}, {"systems": {"x": [3, 5], "y": [3, 4]}}),
    ("em f1", {"metrics": ["f1", "em"]}, {"columns": ("em", "f1")}),
    ("score f1", {"metrics": ["f1"]}, {"metric": "mean f1"}),
    ("score f1", {"system": ["y", "x"]}, {"systems": ["y", "x"], "metric": None}),
    ("em f1", {"score_column": ["em", "f1"], "metrics": ["f1"]}, {"metric": "mean f1"}),
])  # fmt: skip
def test_rows_that_name_their_system(header, options, expected):
    check(few(LONG.format(header)), options, **expected)
    named = few(LONG.format(header).replace("system", "who"))
    check(named, {"system_column": "who", "score_column": header.split()[0], **options},
          systems=expected.get("systems", ["x", "y"]))  # fmt: skip


# ---- refused -------------------------------------------------------------------------------------
@pytest.mark.parametrize(("text", "options", "words", "ways"), [
    # Labels.
    (few("id a b c / 1 p n p / 2 n n n"), {"format": "labels"}, "no column gold, gold_label",
     ["--gold-column a", "--gold-column b", "--gold-column c"]),
    (few(LABELS), {"system": ["x", "id"]}, "column 'id' has no label of the gold", []),
    (few(LABELS).replace("3,neg", "3,"), {}, "line 4, column 'gold': the cell is empty",
     ["--allow-missing intersection"]),
    (few("id system gold said / 1 x p p / 1 y p n"), {"gold_column": "gold"},
     "labels need one column for every system, not one row", []),
    # Counts.
    (few("id correct_x n correct_y / 1 3 2 1"), {}, "line 2: found 3 of 2, more than all", []),
    (few("id correct_x n correct_y / 1 1.5 2 1"), {},
     "line 2, column 'correct_x': found '1.5', expected a whole number of 0 or more", []),
    (few("id correct_x n correct_y / 1 -1 2 1"), {}, "found '-1', expected a whole number", []),
    (few("id correct_x n correct_y / 1 NA 2 1 / 2 1 2 1"), {}, "the cell 'NA' is a missing number",
     ["--allow-missing intersection"]),
    (few("id correct_x n tp_y fp_y fn_y / 1 1 2 1 1 1"), {},
     "y has tp, fp, fn, x has correct, items; expected the same for every system", []),
    (few("id system score / 1 x 2 / 1 y 2"), {"format": "counts"},
     "expected columns such as tp, predicted and gold, or tp, fp and fn", []),
    (few("id correct_x n correct_y / 1 1 2 1"), {"system": ["x", "z"]},
     "no system 'z'; there are 'x', 'y'", []),
    (few(COUNTS.format(" length", " 7", " 9")), {}, "'length' holds numbers", ["--ignore length"]),
    # Rows that name their system.
    (few(LONG.format("score f1")), {}, "column 'f1' holds numbers that no rule accounts for",
     ["--score-column score --score-column f1", "--ignore f1"]),
    (few(LONG.replace(" id", " key").format("score f1")), {"ignore": "f1"},
     "no column is known to have the ids of the units", ["--id key"]),
    (few("system score / x 1 / x 2 / y 3 / y 4"), {}, "no column is known to have the ids", []),
    (few("id system score / 1 x 2 / 2 x 1 / 1 _ 2").replace("_", ""), {},
     "column 'system': the cell is empty", []),
    (few("id system score / 1 x 2 / 1 y 2 / 2 x 2 / 1 x 3"), {},
     "found the id '1' on line 2 and again on line 5", []),
    (few("id system score / 1 x 2 / 2 x 2 / 1 y 3 / 2 y 1"), {"system": ["x", "z"]},
     "no system 'z'; there are 'x', 'y'", []),
    (few("model score / big .5 / small .4"), {}, "what is missing are the scores of the units", []),
])  # fmt: skip
def test_what_is_refused(text, options, words, ways):
    check_refused(text, options, words, *ways)


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


def test_percent_of_nothing():
    """A column, or in a long table a system; else the nearest is named."""
    wide = table(id=IDS, **SCORES)
    long = table(system=["x", "y"] * N, id=[i // 2 for i in range(2 * N)], score=[50, 0.5] * N)
    for text, wrong, near in ((wide, "a2", "a"), (long, "X", "x"), (long, "scores", "score")):
        words = rf"--percent: found no '{wrong}' (did you mean '{near}'?); there are "
        check_refused(text, {"percent": wrong}, words)
    check(long, {"percent": "x"}, systems={"x": [0.5] * N, "y": [0.5] * N})
