"""One label a line: items, matched by line, none lost; and what other lines are."""

from __future__ import annotations

import random
import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st
from written import refusal, text_file

from csig.comparison import Comparison
from csig.errors import Refusal
from csig.readers import labels, read_labels, responses
from csig.readers.labels import kind_of_lines, refusal_of_lines
from csig.readers.lines import lines_of
from csig.readers.request import Request
from csig.readers.tags import reader as tags


def files(*texts):
    """Files of a gold and of systems."""
    return [text_file(text, f"{name}.txt") for name, text in zip("gabc", texts, strict=False)]


def test_labels_by_line():
    gold, a, b = files("x\r\nnot x\r\n x \n", "x\nx\nO\n\n", "not x\nx\nx")
    table = read_labels(gold, a, b)
    assert table.gold == ["x", "not x", "x"]
    assert table.systems == {"a": ["x", "x", "O"], "b": ["not x", "x", "x"]}
    assert (table.format, table.ids, table.clusters, table.notes) == ("labels", None, None, ())
    assert list(read_labels(gold, a, a).systems) == ["a.txt (1)", "a.txt (2)"]


LINES = st.lists(st.sampled_from(["x", "y", "", "  ", "not x"]), max_size=8)


@given(LINES, LINES, st.booleans())
def test_no_item_is_lost(gold, a, allow_missing):
    """A blank line is a missing label, never nothing: what comes behind it keeps its line."""
    paths = files(*("".join(f"{line}\n" for line in own) for own in (gold, a)))
    plain = [[line.strip() for line in own] for own in (gold, a)]
    n = max(i for own in plain for i in (0, *(j for j, x in enumerate(own, 1) if x)))
    rows = list(zip(*(own[:n] for own in plain), strict=False))
    full = [pair for pair in rows if all(pair)]
    if not n:
        assert "found an empty file" in refusal(read_labels, *paths)
    elif len(rows) < n:
        assert "every file must have the same number" in refusal(read_labels, *paths)
    elif len(full) < n and not allow_missing:
        file, line = next((i, own.index("") + 1) for i, own in enumerate(plain) if "" in own[:n])
        assert refusal(read_labels, *paths) == (
            f"{paths[file]} line {line}: the line is blank, expected a label; give --allow-missing "
            "intersection (to leave the item out) or --scheme plain (if blank lines end sentences)"
        )
    elif not full:
        message = refusal(read_labels, *paths, allow_missing=True)
        assert message == "g.txt: no item has a label in every file"
    else:
        table = read_labels(*paths, allow_missing=allow_missing)
        assert list(zip(table.gold, table.systems["a"], strict=True)) == full
        assert (len(full) == n) == (table.cautions == ())
        assert all(said.startswith(f"{n - len(full)} of {n} item") for said in table.cautions)


def test_names_above_the_labels():
    gold, a, b, c = files("gold\nx\ny\n", "Label\nx\nx\n", "label\nx\nlabel\n", "c\n\nx\n")
    table = read_labels(gold, a)
    assert (table.gold, table.systems) == (["x", "y"], {"a": ["x", "x"]})
    assert table.notes == (
        "The first line of every file is read as a name, not as a label: 'gold', 'Label'.",
    )
    assert read_labels(gold, b).gold == ["gold", "x", "y"]  # "label" is a label
    assert refusal(read_labels, gold, c).startswith("c.txt line 2: the line is blank")
    assert read_labels(gold, c, allow_missing=True).cautions[0].startswith("1 of 2 items")
    assert read_labels(gold, gold).systems == {"g": ["x", "y"]}
    assert read_labels(*files("gold\n", "label\n")).gold == ["gold"]  # else nothing is left


def test_files_that_do_not_fit():
    gold, a, b = files("x\ny\n", "x\n", "x\ty\nx\n")
    assert refusal(read_labels, gold, a) == (
        "a.txt: 1 line, but g.txt has 2; labels, one per line, are matched by line number, so "
        "every file must have the same number"
    )
    assert refusal(read_labels, gold, b) == (
        "b.txt line 1: found 'x\\ty', expected one label per line; give --scheme plain (for tokens "
        "with labels)"
    )


YES = "x\ny\nx\ny\n"


@pytest.mark.parametrize(
    ("texts", "kind", "ways"),
    [
        ((YES, "x\nx\nx\ny\n", "y\ny\nx\nx\n\n"), "labels", []),
        ((YES, "x\n  x\nx\nx\n", "x\nx\nx\nx\n"), "labels", []),
        (("gold\n" + YES, "label\n" + YES, "label\n" + YES), "labels", []),
        (("not x at\nx\nx\n",) * 3, "labels", []),
        (("fox\ncow\n", "cow\nfox\n", ""), "responses", []),
        (("fox\t1\nfox\t2\n",) * 3, "responses", []),
        (("a b c d\te\n", "a b c d\tf\n", "x\ty\n"), "responses", []),
        (("fox\n\nowl\n\n", "fox\n", "cow\n"), "responses", []),
        (("so he said it\nno\n", "so he said so\nno\n", "it is as is\nyes\n"), "sentences",
         ["--format responses", "--format labels"]),
        (("so he said it\nno\n", "so he said so\n", "it is as is\nyes\n"), "sentences",
         ["--format responses"]),
        (("it is not so\nit is not so\nit is so\n",) * 3, "labels", []),
        (("so he said it\nyes\nno\n",) * 3, "responses", []),
        (("so he said it\nso he said it\n", "no\nno\n", "no\nno\nno\n"), "unclear", []),
        ((YES, YES, "x\ny\nx\n"), "unclear", []),  # another number of lines
        ((YES, YES, "y\n\nx\nx\n"), "unclear",
         ["--format labels"]),
        ((YES, YES, "x\ny\nx\nz\n"), "unclear", ["--format labels"]),  # none of the gold's
        ((YES, YES, "x\tx\nx\ty\nx\tx\nx\tx\n"), "unclear", ["--scheme plain"]),
        (("O\nO\nB-X\nB-X\n",) * 3, "unclear", ["--format tags", "--format labels"]),
        (("O\nO\nI\nI\n",) * 3, "labels", []),
        (("", "", ""), "responses", []),
    ],
)  # fmt: skip
def test_what_lines_are(texts, kind, ways):
    """A refusal offers what reads them, if anything does."""
    paths, lines = files(*texts), [lines_of(text) for text in texts]
    assert kind_of_lines(lines) == kind
    if kind in ("labels", "responses"):
        return
    refused = refusal_of_lines(paths, lines)
    remedies = refused.remedies if isinstance(refused, Refusal) else ()
    assert [shlex.join(own.options) for own in remedies] == ways
    for own in remedies:
        given = {
            option[2:].replace("-", "_"): value
            for option, value in zip(own.options[::2], own.options[1::2], strict=True)
        }
        form = given.get("format", "tags")
        reader = {"labels": labels, "tags": tags, "responses": responses}[form]
        try:
            assert reader.read(Request(tuple(paths), **given), ())
        except Refusal as again:
            assert again.remedies  # noqa: PT017


def test_what_is_said_of_lines():
    def said(*texts):
        return str(refusal_of_lines(files(*texts), [lines_of(text) for text in texts]))

    assert said("so he said it\n", "so he said\n", "he said it so\n") == (
        "g.txt: found running text; csig compares scores, labels or responses: compute a score per "
        "segment first; give --format responses (if each line is a response, in any order) or "
        "--format labels (if each line is a label)"
    )
    assert said("x\n", "y\ny\nz\nz\nz\n", "x\n") == (
        "a.txt: found the line 'z' more than once, so lines are no responses; labels must be as "
        "many in every file, found 1, 5, 1"
    )
    assert said("x\ny\n", "z\nw\n", "y\ny\n").endswith(
        "; as labels, 'w', 'z' would be unknown to the gold; give --format labels (if each "
        "line is a label)"
    )
    assert "found tags such as 'B-X', one per line; give --format tags (for their" in said(
        "O\nO\n", "O\nI-Y\n", "B-X\nO\n"
    )


def test_real_labels_of_tokens(shared_data):
    """Columns of a table as files of their own, one label a line: the same items."""
    path = shared_data("cls_figqa_sst2_outputs") / "sst2_labels.csv"
    header, *rows = (line.split(",") for line in path.read_text(encoding="utf-8").splitlines())
    columns = {name: [row[i] for row in rows] for i, name in enumerate(header)}
    names = ("gold", "cnn", "lstm")
    paths = [text_file("\n".join(columns[name]) + "\n", f"{name}.txt") for name in names]
    assert kind_of_lines([columns[name] for name in names]) == "labels"
    table = read_labels(*paths)
    expected = Comparison.from_labels(*(columns[name] for name in names))
    found = Comparison.from_labels(table.gold, *table.systems.values())
    assert (found.sums_a, found.sums_b, found.n_units) == (
        expected.sums_a, expected.sums_b, expected.n_units
    )  # fmt: skip
    # A line of one system gone blank is one item, not a shift of all behind it.
    at = random.Random(1).randrange(len(rows))
    columns["cnn"][at] = ""
    text_file("\n".join(columns["cnn"]) + "\n", "cnn.txt")
    assert refusal(read_labels, *paths).startswith(f"cnn.txt line {at + 1}: the line is blank")
    table = read_labels(*paths, allow_missing=True)
    assert table.n_units == len(rows) - 1
    assert table.gold == [x for i, x in enumerate(columns["gold"]) if i != at]
