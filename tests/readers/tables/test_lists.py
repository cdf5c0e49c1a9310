"""One number a line: which lines are missing numbers, and that pairs never shift."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import record, refused, words, write
from hypothesis import given
from hypothesis import strategies as st
from written import refusal, text_file

from csig.errors import InputError
from csig.readers import read_tables


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


def test_one_number_per_line():
    one, two = text_file("0.5\n1\n0\n\n", "one.txt"), text_file("F1\r\n1\r\n1\r\n0.25", "two.txt")
    table = read_tables([one, two])
    assert {name: scores.tolist() for name, scores in table.systems.items()} == {
        "one": [0.5, 1.0, 0.0],
        "two": [1.0, 1.0, 0.25],
    }
    assert table.ids is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0.5\n1\nx\n", "two.txt line 3: found 'x'"),
        ("F1\n0.5\n1\nnan\n", "two.txt line 4: found 'nan'"),
        (
            "1\n2\n",
            "two.txt: 2 units, but one.txt has 3; without ids both must have the same number",
        ),
    ],
)
def test_mistakes_in_one_number_per_line(text, expected):
    with pytest.raises(InputError, match=expected):
        read_tables([text_file("1\n2\n3\n", "one.txt"), text_file(text, "two.txt")])


@pytest.mark.parametrize(("cells", "line"), [(["{}", "0.5", '""'], 4), (['""', "{}", "0.5"], 2)])
def test_an_empty_cell_in_quotation_marks_is_missing_wherever_it_is(cells, line):
    text = "\n".join(["f1", *cells, ""])
    paths = [text_file(text.format(number), f"{number}.csv") for number in (1, 0)]
    assert f"1.csv line {line}: the line is blank" in refusal(read_tables, paths)
    table = read_tables(paths, allow_missing=True)
    assert table.n_units == 2
    assert "1 of 3 units" in " ".join(table.notes)


def test_files_of_which_no_line_holds_a_number():
    for name in ("one.txt", "two.txt"):
        text_file('f1\n""\n', name)
    found = refusal(read_tables, ["one.txt", "two.txt"], allow_missing=True)
    assert found == "one.txt: no line holds a number"
