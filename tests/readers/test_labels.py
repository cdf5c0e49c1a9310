"""One label a line: items, matched by line, none lost; and what other lines are."""

from __future__ import annotations

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st
from written import refusal, text_file

from csig.base.errors import InputError, Refusal
from csig.data.comparison import Comparison
from csig.readers import labels, responses
from csig.readers.labels import kind_of_lines, read_labels
from csig.readers.lines import lines_of
from csig.readers.request import Request
from csig.readers.tags import read as tags


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


@pytest.mark.parametrize(
    ("one", "other", "gold", "above"),
    [
        ("gold x y", "Label x x", "x y", "'gold', 'Label'"),
        ("gold x y", "a x x", "x y", "'gold', 'a'"),  # the name of the file
        ("gold x y", "label x label", "gold x y", ""),  # "label" is a label
        ("gold", "label", "gold", ""),  # else nothing is left
    ],
)
def test_names_above_the_labels(one, other, gold, above):
    table = read_labels(*files(*("\n".join(text.split()) for text in (one, other))))
    assert table.gold == gold.split()
    note = f"The first line of every file is read as a name, not as a label: {above}."
    assert table.notes == ((note,) if above else ())


YES = "x\ny\nx\ny\n"


@pytest.mark.parametrize(("texts", "message"), [
    (("x\ny\n", "x\n"), "a.txt: 1 line, but g.txt has 2; labels, one per line, are matched by line "
     "number, so every file must have the same number"),
    (("x\ny\n", "x\ty\nx\n"),
     "a.txt line 1: found 'x\\ty', expected one label per line; give --scheme plain (for "
     "tokens with labels)"),
    (("gold\nx\ny\n", "a\n\nx\n"), "a.txt line 2: the line is blank, expected a label; give"),
])  # fmt: skip
def test_files_that_do_not_fit(texts, message):
    assert refusal(read_labels, *files(*texts)).startswith(message)


TWICE = "found the line {!r} more than once, so lines are no responses"


@pytest.mark.parametrize(("texts", "kind"), [
    ((YES, "x\nx\nx\ny\n", "y\ny\nx\nx\n\n"), "labels"),
    ((YES, "x\n  x\nx\nx\n", "x\nx\nx\nx\n"), "labels"),
    (("gold\n" + YES, "label\n" + YES, "label\n" + YES), "labels"),
    (("not x at\nx\nx\n",) * 3, "labels"),
    (("it is not so\nit is not so\nit is so\n",) * 3, "labels"),
    (("O\nO\nI\nI\n",) * 3, "labels"),
    (("fox\ncow\n", "cow\nfox\n", ""), "responses"),
    (("fox\t1\nfox\t2\n",) * 3, "responses"),
    (("a b c d\te\n", "a b c d\tf\n", "x\ty\n"), "responses"),
    (("fox\n\nowl\n\n", "fox\n", "cow\n"), "responses"),
    (("so he said it\nyes\nno\n",) * 3, "responses"),
    (("", "", ""), "responses"),
])  # fmt: skip
def test_lines_that_are_read(texts, kind):
    assert kind_of_lines(files(*texts), [lines_of(text) for text in texts]) == kind


@pytest.mark.parametrize(("texts", "found", "ways"), [
    (("so he said it\nno\n", "so he said so\nno\n", "it is as is\nyes\n"),
     "g.txt: found running text; csig compares scores, labels or responses: compute a score per "
     "segment first", ["--format responses", "--format labels"]),
    (("so he said it\nno\n", "so he said so\n", "it is as is\nyes\n"), "g.txt: found running text",
     ["--format responses"]),
    ((YES, YES, "x\ny\nx\n"),
     "g.txt: " + TWICE.format("x") + "; labels must be as many in every file, found 4, 4, 3", []),
    (("x\n", "y\ny\nz\nz\nz\n", "x\n"), "a.txt: " + TWICE.format("z"), []),
    ((YES, YES, "y\n\nx\nx\n"), "g.txt: " + TWICE.format("x"), ["--format labels"]),
    ((YES, YES, "x\nw\nx\nz\n"),
     "g.txt: " + TWICE.format("x") + "; as labels, 'w', 'z' would be unknown to the gold",
     ["--format labels"]),
    ((YES, YES, "x\tx\nx\ty\nx\tx\nx\tx\n"),
     "g.txt: " + TWICE.format("x") + ", and tabs, so they are no labels", ["--scheme plain"]),
    (("O\nO\nB-X\nB-X\n",) * 3, "g.txt: found tags such as 'B-X', one per line",
     ["--format tags", "--format labels"]),
    (("so he said it\nso he said it\n", "no\nno\n", "no\nno\nno\n"),
     "g.txt: " + TWICE.format("so he said it"), []),
])  # fmt: skip
def test_lines_that_are_refused(texts, found, ways):
    """A refusal offers what reads them, or says more, if anything does."""
    paths, lines = files(*texts), [lines_of(text) for text in texts]
    with pytest.raises(InputError) as error:
        kind_of_lines(paths, lines)
    refused = error.value
    assert str(refused).startswith(found)
    remedies = refused.remedies if isinstance(refused, Refusal) else ()
    assert [shlex.join(own.options) for own in remedies] == ways
    for own in remedies:
        option, value = own.options
        given = {option[2:]: value}
        reader = {"labels": labels.read, "tags": tags.read, "responses": responses.of_lines}
        try:
            assert reader[given.get("format", "tags")](Request(tuple(paths), **given), ())
        except Refusal as again:
            assert again.remedies  # noqa: PT017


def test_real_labels_of_tokens(shared_data):
    """Columns of a table as files of their own, one label a line: the same items."""
    path = shared_data("cls_figqa_sst2_outputs") / "sst2_labels.csv"
    header, *rows = (line.split(",") for line in path.read_text(encoding="utf-8").splitlines())
    columns = {name: [row[i] for row in rows] for i, name in enumerate(header)}
    names = ("gold", "cnn", "lstm")
    paths = [text_file("\n".join(columns[name]) + "\n", f"{name}.txt") for name in names]
    assert kind_of_lines(paths, [columns[name] for name in names]) == "labels"
    table = read_labels(*paths)
    expected = Comparison.from_labels(*(columns[name] for name in names))
    found = Comparison.from_labels(table.gold, *table.systems.values())
    assert (found.sums_a, found.sums_b, found.n_units) == (
        expected.sums_a, expected.sums_b, expected.n_units
    )  # fmt: skip
