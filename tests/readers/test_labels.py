"""One label a line: items, matched by line, none lost."""

from __future__ import annotations

import random
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from written import refusal

from csig.comparison import Comparison
from csig.errors import InputError
from csig.readers import looks_like_labels, read_labels
from csig.readers.lines import lines_of


def write(name: str, text: str) -> str:
    with open(name, "w", encoding="utf-8", newline="") as file:
        file.write(text)
    return name


def test_labels_by_line():
    gold, a = write("gold.txt", "x\r\nnot x\r\n x \n"), write("a.txt", "x\nx\nO\n\n")
    b = write("b.txt", "not x\nx\nx")
    table = read_labels(gold, a, b)
    assert table.gold == ["x", "not x", "x"]
    assert table.systems == {"a": ["x", "x", "O"], "b": ["not x", "x", "x"]}
    assert (table.format, table.ids, table.clusters, table.notes) == ("labels", None, None, ())
    assert list(read_labels(gold, a, a).systems) == ["a.txt (1)", "a.txt (2)"]


@pytest.mark.parametrize(
    "files", list(product(("x\ny\nx\n", "x\n\ny\nx\n", "\nx\ny\nx\n"), repeat=2))
)
def test_a_blank_line_is_a_missing_label(files):
    """Never nothing: what comes behind it keeps its line."""
    gold, a = write("gold.txt", files[0]), write("a.txt", files[1])
    lines = [lines_of(text) for text in files]
    if len({*map(len, lines)}) > 1:
        assert "every file must have the same number" in refusal(read_labels, gold, a)
        return
    blank = [(i, j) for i, own in enumerate(lines) for j, line in enumerate(own, 1) if not line]
    if not blank:
        assert read_labels(gold, a).gold == ["x", "y", "x"]
        return
    file, line = blank[0]
    assert refusal(read_labels, gold, a).startswith(
        f"{(gold, a)[file]} line {line}: the line is blank,"
    )
    table = read_labels(gold, a, allow_missing=True)
    kept = [pair for pair in zip(*lines, strict=True) if all(pair)]
    assert list(zip(table.gold, table.systems["a"], strict=True)) == kept
    left = len(lines[0]) - len(kept)
    assert table.notes[0].startswith(f"{left} of {len(lines[0])} units w")


LINES = st.lists(st.sampled_from(["x", "y", "", "  ", "not x"]), max_size=8)


@given(LINES, LINES, st.booleans())
def test_no_item_is_lost(gold, a, allow_missing):
    texts = ["".join(f"{line}\n" for line in own) for own in (gold, a)]
    paths = write("gold.txt", texts[0]), write("a.txt", texts[1])
    plain = [[line.strip() for line in own] for own in (gold, a)]
    n = max(i for own in plain for i in (0, *(j for j, x in enumerate(own, 1) if x)))
    try:
        table = read_labels(*paths, allow_missing=allow_missing)
    except InputError:
        same = all(len(own) >= n for own in plain)
        full = [pair for pair in zip(*(own[:n] for own in plain), strict=False) if all(pair)]
        assert not same or not full or (len(full) < n and not allow_missing)
        return
    rows = [pair for pair in zip(*(own[:n] for own in plain), strict=True) if all(pair)]
    assert list(zip(table.gold, table.systems["a"], strict=True)) == rows
    assert table.n_units == n or any("left out" in note for note in table.notes)


def test_names_above_the_labels():
    gold, a = write("gold.txt", "gold\nx\ny\n"), write("a.txt", "Label\nx\nx\n")
    table = read_labels(gold, a)
    assert table.gold == ["x", "y"]
    assert table.notes == (
        "The first line of every file is read as a name, not as a label: 'gold', 'Label'.",
    )
    b = write("b.txt", "label\nx\nlabel\n")  # which is a label
    assert read_labels(gold, b).gold == ["gold", "x", "y"]
    blank = write("c.txt", "c\n\nx\n")
    assert refusal(read_labels, gold, blank).startswith("c.txt line 2: the line is blank")


def test_files_that_do_not_fit():
    gold, a = write("gold.txt", "x\ny\n"), write("a.txt", "x\n")
    assert refusal(read_labels, gold, a) == (
        "a.txt: 1 line, but gold.txt has 2; labels, one per line, are matched by line number, so "
        "every file must have the same number"
    )
    assert "found 'x\\ty', expected one label per line" in refusal(
        read_labels, gold, write("b.txt", "x\ty\nx\n")
    )
    assert "an empty file" in refusal(read_labels, write("c.txt", "\n\n"), "c.txt")
    d = write("d.txt", "\nx\n")
    assert refusal(read_labels, d, write("e.txt", "x\n\n"), allow_missing=True) == (
        "d.txt: no item has a label in every file"
    )


LABELS = "x\ny\nx\ny\n"


@pytest.mark.parametrize(
    ("others", "expected"),
    [
        (["x\nx\nx\ny\n", "y\ny\nx\nx\n\n"], True),
        (["x\nx\nx\ny\n", "y\ny\nx\n"], False),  # another number of lines
        (["x\nx\nx\ny\n", "y\n\nx\nx\n"], False),  # a blank line
        (["x\nx\nx\ny\n", "a\nb\nc\nd\n"], False),  # many different ones
        (["x\nx\nx\ny\n", "a\nb\na\nb\n"], False),  # none of the gold's
        (["x\nx\nx\ny\n", "x\tx\nx\tx\nx\tx\nx\tx\n"], False),  # cells
        ([], True),
    ],
)
def test_labels_are_recognised(others, expected):
    paths = [write(f"{i}.txt", text) for i, text in enumerate([LABELS, *others])]
    assert looks_like_labels(paths) is expected


def test_numbers_and_tags_are_not():
    assert not looks_like_labels([write("n.txt", "1\n0\n1\n0\n"), "n.txt"])
    with pytest.raises(InputError, match="found tags such as 'B-X', one per line"):
        looks_like_labels([write("t.txt", "O\nO\nB-X\nB-X\n"), "t.txt"])


def test_real_labels_of_tokens(shared_data):
    """Columns of a table as files of their own, one label a line: the same items."""
    path = shared_data("cls_figqa_sst2_outputs") / "sst2_labels.csv"
    lines = path.read_text(encoding="utf-8").splitlines()
    header, *rows = (line.split(",") for line in lines)
    columns = {name: [row[i] for row in rows] for i, name in enumerate(header)}
    names = ("gold", "cnn", "lstm")
    files = [write(f"{name}.txt", "\n".join(columns[name]) + "\n") for name in names]
    assert looks_like_labels(files)
    table = read_labels(*files)
    expected = Comparison.from_labels(*(columns[name] for name in names))
    found = Comparison.from_labels(table.gold, *table.systems.values())
    assert (found.sums_a, found.sums_b, found.n_units) == (
        expected.sums_a, expected.sums_b, expected.n_units
    )  # fmt: skip
    # A line of one system gone blank is one item, not a shift of all behind it.
    at = random.Random(1).randrange(len(rows))
    columns["cnn"][at] = ""
    write("cnn.txt", "\n".join(columns["cnn"]) + "\n")
    assert refusal(read_labels, *files).startswith(f"cnn.txt line {at + 1}: the line is blank")
    table = read_labels(*files, allow_missing=True)
    assert table.n_units == len(rows) - 1
    assert table.gold == [x for i, x in enumerate(columns["gold"]) if i != at]
