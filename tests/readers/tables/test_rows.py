"""Rows that are no units, and cells that are no numbers: refused, with the commands that help."""

from __future__ import annotations

from typing import Any

import pytest
from cases import Files, check, check_refused
from written import shares

ROWS = [("q1", 0.5, 1.0), ("q2", 0.25, 0.5), ("q3", 1.0, 0.75), ("q4", 0.5, 0.25)]


def table(header: str, *rows: Any, sign: str = ",") -> str:
    lines = [header.split(), *rows]
    return "".join(sign.join(map(str, line)) + "\n" for line in lines)


SUM = "names a row that sums up others, and such a row is no unit"


@pytest.mark.parametrize("name", ["all", "Avg.", "avg. rank", "Mean rank", "Std", "median", "Wins"])
@pytest.mark.parametrize("at", [0, 2, 4])
def test_rows_of_sums(name, at):
    rows = [*ROWS[:at], (name, 0.5625, 0.625), *ROWS[at:]]
    words = f"t.csv line {at + 2}: {name!r} {SUM}"
    quoted = f"'{name}'" if " " in name else name
    drop, keep = (f"--{what}-row {quoted}" for what in ("drop", "keep"))
    for header in ("id a b", "place a b"):
        check_refused(table(header, *rows), {}, words, drop, keep)
        ids = [row[0] for row in ROWS]
        check(table(header, *rows), {"drop_row": name.upper()}, ids=ids, systems=["a", "b"])
        check(table(header, *rows), {"keep_row": name}, ids=[row[0] for row in rows])


@pytest.mark.parametrize(("files", "options", "words", "ways"), [
    # In the second column; one among several; in one of several files.
    (table("task id a b", *(("t", *row) for row in ROWS), ("t", "all", 0.5, 0.5)),
     {"cluster": "task"}, f"line 6: 'all' {SUM}", ["--drop-row all", "--keep-row all"]),
    (table("topic id a b", *(("t", *row) for row in ROWS), ("all", "q1", 0.5, 0.5)),
     {"cluster": "topic"}, f"line 6: 'all' {SUM}", ["--drop-row all", "--keep-row all"]),
    ({"a.csv": table("topic score", *(row[:2] for row in ROWS), ("all", 0.5)),
      "b.csv": table("topic score", ("all", 0.5), *(row[:2] for row in ROWS))}, {},
     f"a.csv line 6: 'all' {SUM}", ["--drop-row all", "--keep-row all"]),
    (table("doc gold tp_a predicted_a tp_b predicted_b", ("d1", 6, 3, 5, 4, 5),
           ("total", 9, 5, 7, 6, 8)), {}, f"line 3: 'total' {SUM}",
     ["--drop-row total", "--keep-row total"]),
    (table("system id score", *((own, q, 1) for own in "xy" for q in ("q1", "q2", "avg"))), {},
     f"line 4: 'avg' {SUM}", ["--drop-row avg", "--keep-row avg"]),
    (table("id a b", *ROWS), {"drop_row": "all"}, "--drop-row: no row is called 'all'", []),
    (table("id a b", ROWS[0]), {"drop_row": "q1"}, "--drop-row: no row is left", []),
])  # fmt: skip
def test_more_rows_of_sums(files, options, words, ways):
    check_refused(files, options, words, *ways)


@pytest.mark.parametrize(("text", "options", "ids"), [
    (table("id a b", *ROWS, ("all", 1, 1), ("Mean", 1, 1)), {"drop_row": ["all", "mean"]}, 4),
    (table("id a b", *ROWS), {"drop_row": "q3"}, 3),
    # A cell of another column of texts, if none of the first two has it; of numbers never.
    (table("id a b lang", *((*row, "de" if i % 2 else "en") for i, row in enumerate(ROWS))),
     {"drop_row": "de", "ignore": "lang"}, 2),
    (table("id a b", *ROWS, ("overalls", 0, 1), ("all of it", 1, 0)), {}, 6),
    # Labels may be called anything.
    (table("id gold a b", ("q1", "n", "n", "v"), ("q2", "v", "v", "n"), ("all", "n", "n", "n")), {},
     3),
    (table("text a b", *((f"a mean {i}", *row[1:]) for i, row in enumerate(ROWS))), {}, 4),
])  # fmt: skip
def test_rows_that_stay(text, options, ids):
    assert check(text, options).n_units == ids


# ---- cells ---------------------------------------------------------------------------------------
NUMBERS = "id,a,b\nq1,{},0.5\nq2,0.25,1\nq3,0.5,{}\nq4,0.75,0\n"
WAY = "--allow-missing intersection"


@pytest.mark.parametrize("cell", ["", " ", "NA", "N/A", "NaN", "nan", "None", "null", "-"])
def test_missing_numbers(cell):
    text = NUMBERS.format(cell, 1)
    said = f"the cell {cell!r} is a missing number" if cell.strip() else "the cell is empty"
    check_refused(text, {}, f"t.csv line 2, column 'a': {said}", WAY)
    check(text, {"allow_missing": True}, ids=["q2", "q3", "q4"],
          systems={"a": [0.25, 0.5, 0.75], "b": [1, 1, 0]}, left=("q1",),
          cautions=("1 of 4 items is left out: a alone lacks 1.",))  # fmt: skip
    check_refused(NUMBERS.format(cell, cell), {}, said, WAY)
    check(NUMBERS.format(cell, cell), {"allow_missing": True}, ids=["q2", "q4"],
          cautions=("2 of 4 items are left out: a lacks 1, b lacks 1.",))  # fmt: skip


LABELS = [
    ("q1", "x", "?", "y"), ("q2", "y", "y", "x"), ("q3", "?", "x", "x"), ("q4", "x", "x", "x"),
]  # fmt: skip


@pytest.mark.parametrize(("files", "said", "options"), [
    (table("id gold a b", *LABELS), "'a': found '?'", {}),
    (table("id gold a b", *LABELS), "'a': found '?'", {"system": ["a", "b"]}),
    (table("id gold a b", *((q, *(" ? " if x == "?" else x for x in own)) for q, *own in LABELS)),
     "'a': found '?'", {"missing": " ?"}),
    ({f"{name}.csv": table("id gold said", *((*row[:2], row[i]) for row in LABELS)) for i,
      name in ((2, "a"), (3, "b"))}, "'said': found '?'", {}),
])  # fmt: skip
def test_labels_that_are_declared_missing(files, said, options):
    more = {"missing": "?", **options}
    check_refused(files, more, f"column {said}, expected a label", WAY)
    found = check(files, {**more, "allow_missing": True}, format="labels")
    assert "?" not in {*(found.gold or ()), *found.systems["a"], *found.systems["b"]}
    assert {"q2", "q4"} >= {*(found.ids or ())} >= {"q4"}


def test_what_is_left_out_is_said_first_by_system():
    """Of one table, and of rows that name their systems."""
    oboe = ["" if i < 151 else x for i, x in enumerate(shares(190, 1))]
    horn = ["" if i >= 180 else x for i, x in enumerate(shares(190, 2))]
    rows = [(name, i, x) for name, own in (("oboe", oboe), ("horn", horn))
            for i, x in enumerate(own)]  # fmt: skip
    there = table("model id score", *(row for row in rows if row[2] != ""))
    for text in (table("id oboe horn", *zip(range(190), oboe, horn, strict=True)),
                 table("model id score", *rows), there):  # fmt: skip
        found = check(text, {"allow_missing": True}, n_units=29)
        assert found.cautions[0] == "161 of 190 items are left out: oboe lacks 151, horn lacks 10."
    check_refused(there, {}, "horn lacks 10 ids that oboe has", WAY)


@pytest.mark.parametrize(("text", "options", "words", "ways"), [
    (NUMBERS.format("inf", 1), {}, "line 2, column 'a': found 'inf', expected a finite number",
     [f"--missing inf {WAY}"]),
    (NUMBERS.format(2**53 + 1, 1), {}, "which has more digits than a double holds", []),
    (NUMBERS.format(1, "x"), {"system": ["a", "b"]}, "line 4, column 'b': found 'x', expected",
     [f"--missing x {WAY}"]),
    (table("id a b", ("q8", "x", 1), ("q9", "y", 1), *ROWS), {},
     "found 'x' and 1 other cell, expected finite numbers", []),
    (table("id a b", ("q1", "", 1), ("q2", 1, "")), {"allow_missing": True},
     "no unit has values in all of 'a', 'b'", []),
    # Numbers to a person only.
    (table("id a b", ("q1", "50%", "62.5 %"), ("q2", "0%", "100%")), {},
     "t.csv: column 'a' holds percentages, such as '50%'", ["--percent a --percent b"]),
    (table("id a b", ("q1", "93.3+-.5", 1), ("q2", "91.2+/-.4", 2)), {}, "with its error", []),
    (table("id a b", ("q1", "1,131", "2"), ("q2", "1,250", "3"), sign=";"), {},
     "column 'a' holds a comma before exactly three digits, such as '1,131', which may be", []),
    (table("id a b", ("q1", "1,131", "2,5"), ("q2", "1,250", "3"), sign=";"), {},
     "write the numbers without commas", []),
    (table("id a b", ("q1", "1,131", "2"), ("q2", "10,250", "3"), sign=";"),
     {"decimal": ",", "system": ["a", "b"]},
     "every comma stands before exactly three digits, as in '1,131', and may separate", []),
    (table("id a b", ("q1", "0.5", "1"), ("q2", "0,25", "2"), sign=";"), {"decimal": ","},
     "line 2, column 'a': found '0.5', expected a number with a decimal comma", []),
    ({"a.txt": "1,131\n2,250\n", "b.txt": "1,131\n1,150\n"}, {"decimal": ","},
     "a.txt: every comma stands before exactly three digits", []),
])  # fmt: skip
def test_cells_that_are_no_numbers(text, options, words, ways):
    check_refused(text, options, words, *ways)


@pytest.mark.parametrize(("text", "options", "systems"), [
    (NUMBERS.format("-1", "999"), {"missing": ["-1", "999"], "allow_missing": True},
     {"a": [0.25, 0.75], "b": [1, 0]}),
    (NUMBERS.format("bad", 1), {"missing": "bad", "allow_missing": True},
     {"a": [0.25, 0.5, 0.75], "b": [1, 1, 0]}),
    (table("id a b", ("q1", "50%", "62.5 %"), ("q2", "0%", "100%")), {"percent": ["a", "b"]},
     {"a": [0.5, 0], "b": [0.625, 1]}),
    (table("id a b", ("q1", 50, 0.5), ("q2", 7, 1)), {"percent": "a"},
     {"a": [0.5, 0.07], "b": [0.5, 1]}),
    (table("id a b", ("q1", "0,500", "0,25"), ("q2", "0,251", "1"), sign=";"), {"decimal": ","},
     {"a": [0.5, 0.251], "b": [0.25, 1]}),
    (table("id a b", ("q1", "1,131", "2,5"), ("q2", "1,250", "3"), sign=";"), {"decimal": ","},
     {"a": [1.131, 1.25], "b": [2.5, 3]}),
    (table("id a b", ("q1", "-.5", "+5e-1"), ("q2", "1.", "-1E2")), {},
     {"a": [-0.5, 1], "b": [0.5, -100]}),
])  # fmt: skip
def test_cells_that_are_declared(text, options, systems):
    check(text, options, systems=systems)


# ---- values that stand for something else --------------------------------------------------------
@pytest.mark.parametrize(("values", "said"), [
    ({9: -1, 88: 99, 124: 99}, "-1 and 99 in 3 cells"),
    ({9: -9999, 88: -9999, 124: -9999}, "-9999 in 3 cells"),
])  # fmt: skip
@pytest.mark.parametrize("several", [False, True])
def test_sentinels_among_shares(values, said, several):
    a, b = ([values.get(i, x) for i, x in enumerate(own)] for own in (shares(200, 1),) * 2)
    if said[0] == "-" and "and" not in said:
        b = shares(200, 2)
    texts = [word for word in said.replace(" and ", " ").split() if word.strip("-").isdecimal()]
    missing = " ".join(f"--missing {own}" for own in texts[:-1])
    files: Files = table("id a b", *zip(range(200), a, b, strict=True))
    ways = [f"{missing} {WAY}", "--system a --system b"]
    if several:
        files = {
            "a.csv": table("id score", *enumerate(a)),
            "b.csv": table("id score", *enumerate(b)),
        }
        ways = [f"{missing} {WAY}", "--score-column score"]
    check_refused(files, {}, f"holds {said}, all others lie within 0 and 1: do", *ways)


@pytest.mark.parametrize("cells", [
    {3: -1}, {3: -0.5, 9: -0.5, 12: -0.5}, {3: 7, 9: 7, 12: 7}, dict.fromkeys(range(120), -1),
])  # fmt: skip
def test_other_values_beyond_shares_are_scores(cells):
    a = [cells.get(i, x) for i, x in enumerate(shares(200, 1))]
    b = [x - 0.5 for x in shares(200, 2)] if a[3] < 2 else [3 * x for x in shares(200, 2)]
    check(table("id a b", *zip(range(200), a, b, strict=True)), {}, systems={"a": a, "b": b})


SHARES, PERCENT = shares(30, 1), [round(100 * x, 1) for x in shares(30, 2)]


@pytest.mark.parametrize(("files", "words", "ways"), [
    ({f"{name}.csv": table("id em", *enumerate(own)) for name,
      own in (("a", SHARES), ("b", PERCENT))},
     "'b' goes up to 99.5, 'a' stays within 0 and 1: percent beside shares?",
     ["--percent b", "--system a --system b"]),
    (table("model id score", *(("x", i, x) for i, x in enumerate(SHARES)),
           *(("y", i, x) for i, x in enumerate(PERCENT))),
     "t.csv: 'y' goes up to 99.5, 'x' stays within 0 and 1: percent beside shares?",
     ["--percent y", "--system x --system y"]),
])  # fmt: skip
def test_percent_beside_shares(files, words, ways):
    check_refused(files, {}, words, *ways)
    found = check(files, {"percent": [ways[0].split()[-1]]})
    _, own = found.systems.values()
    assert own.tolist() == pytest.approx([x / 100 for x in PERCENT])


# ---- rows that repeat ----------------------------------------------------------------------------
def test_rows_that_repeat_without_ids_are_said():
    rows = [*zip(shares(160, 1), shares(160, 2), strict=True)]
    rows += rows[:40]
    said = (
        "40 rows of 200 repeat another row in every score, and there are no ids: were rows written "
        "twice?"
    )
    assert check(table("a b", *rows), {}).cautions == (said,)
    assert check(table("id a b", *((i, *row) for i, row in enumerate(rows))), {}).cautions == ()
    right = [(i % 2, i % 3 % 2) for i in range(200)]
    assert check(table("a b", *right), {}).cautions == ()
    files = {f"{name}.txt": "".join(f"{row[i]}\n" for row in rows) for i, name in enumerate("ab")}
    assert check(files, {}).cautions == (said,)
