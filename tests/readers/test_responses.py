"""Responses, one per line: kept as they are, and wrong files are refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from written import refusal, text_file

from csig.base.errors import InputError, Refusal
from csig.data.responses import Span
from csig.readers import labels, read_responses, responses
from csig.readers.request import Request


@pytest.mark.parametrize(
    ("text", "options", "expected"),
    [
        *((text, options, []) for text in ("", "\n", " \n\t\n\n")
          for options in ({}, {"documents": True}, {"header": True})),
        ("b\n\n \t\na\r\nc", {}, [("b",), ("a",), ("c",)]),
        (" x \t7\t\n x\t07\t#\n\tempty first\tok\r\n", {},
         [(" x ", "7", ""), (" x", "07", "#"), ("", "empty first", "ok")]),
        ("d1\t3\td1\nd2\t3\td1\n", {"documents": True}, [("d1", "3", "d1"), ("d2", "3", "d1")]),
        ("\nname\nb\nname\n", {"header": True}, [("b",), ("name",)]),
    ],
)  # fmt: skip
def test_fields_are_kept_exactly(text, options, expected):
    assert read_responses(text_file(text), **options) == expected


FIELD = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\t\n\r\ufeff"))


@given(data=st.data(), width=st.integers(1, 4))
def test_what_was_written_is_read(tmp_path_factory, data, width):
    row = st.tuples(*[FIELD] * width).filter(lambda fields: "".join(fields).strip())
    rows = data.draw(st.lists(row, unique=True))
    path = tmp_path_factory.mktemp("responses") / "system.tsv"
    path.write_bytes("\n".join("\t".join(fields) for fields in rows).encode())
    assert read_responses(path) == rows


@pytest.mark.parametrize(
    ("text", "documents", "message"),
    [
        ("a\tb\n\nc\td\na\tb\n", False,
         ": found the response 'a\\tb' on line 1 and again on line 4, expected every response "
         "once"),
        ("a\nb\na\n", False,
         ": found the response 'a' on line 1 and again on line 3, expected every response once; "
         "give --format labels (for labels of items)"),
        ("\na\nb\nc\td\ne\n", False,
         ": found 1 field on line 2 and 2 fields on line 4, expected the same number on every "
         "line"),
        ("d1\tx\nd2\n", True,
         " line 2: found 'd2', expected a document id, a tab and at least one more field"),
        *((f"d1\tx\n{document}\tx\n", True,
           f" line 2: found an empty document id in {f'{document}{chr(9)}x'!r}")
          for document in ("", " ")),
    ],
)  # fmt: skip
def test_mistakes(text, documents, message):
    assert refusal(read_responses, text_file(text), documents=documents) == f"t.csv{message}"
    assert "no such file" in refusal(read_responses, "none.tsv")


def read(*texts, **options):
    """The data of a gold and systems with these texts."""
    files = tuple(text_file(text, f"{name}.txt") for name, text in zip("gab", texts, strict=False))
    return responses.of_lines(Request(files, **options), ())


def test_responses_as_a_format():
    data = read("fox\nowl\n", "fox\n", "owl\ncow\n")
    assert data.table.gold == {None: [("fox",), ("owl",)]}
    assert data.table.systems == {"a": {None: [("fox",)]}, "b": {None: [("owl",), ("cow",)]}}
    assert (data.source.cautions, data.source.n_documents) == ((), None)
    assert read("t\nx\n", "t\ny\n", "t\n", header=True).table.systems["b"] == {None: []}
    data = read("d\tx\n", "d\tx\ne\ty\n", "", documents=True)
    assert data.table.systems["a"] == {"d": [("d", "x")], "e": [("e", "y")]}
    assert data.table.systems["b"] == {"d": [], "e": []}
    assert (data.table.key_name, data.source.n_documents) == ("document", 2)
    assert data.source.documents
    assert data.source.cautions == (
        "a has responses in documents that the gold does not have: 'e'. They count as spurious; "
        "are the ids right?",
    )
    assert read("", "d\tx\n", "e\tx\n", documents=True).source.cautions == ()
    data = read("d\t3\t5\tX\n", "d\t3\t5\tX\n", "d\t4\t5\tX\n", documents=True, spans=True)
    assert (data.table.gold, data.table.spans) == ({"d": [Span("d", 3, 5, "X")]}, True)
    assert read("3\t5\tX\n", "", spans=True).table.gold == {None: [Span("", 3, 5, "X")]}


def test_lines_that_may_be_labels():
    texts = "fox\nowl\n", "fox\ncow\n", "owl\ncow\n"
    (caution,) = read(*texts).source.cautions
    assert caution == (
        "All files have 2 lines, which were read as responses in any order. If the lines belong "
        "together one by one, give --format labels; if not, --format responses."
    )
    assert read(*texts, format="responses").source.cautions == ()
    assert read(*(text.replace("\n", "\tx\n") for text in texts)).source.cautions == ()
    assert read("fox\n", "fox\n", "cow\n").source.cautions == ()
    with pytest.raises(Refusal) as refused:
        read("fox\nowl\n", "fox\nfox\n", format="responses")
    (way,) = refused.value.remedies
    assert (way.options, way.without) == (("--format", "labels"), ("--format",))
    assert labels.read(Request(("g.txt", "a.txt"), format="labels"), ())


@pytest.mark.parametrize(
    ("texts", "options", "message"),
    [
        (("a\tb\n", "c\n", "d\n"), {},
         "the files differ in the number of fields per line: g.txt 2, a.txt 1, b.txt 1"),
        (("t\nx\n", "t\n", "u\nx\n"), {"header": True},
         "b.txt: found the first line 'u', but 't' in g.txt; --header needs the same in all files"),
        *((("1\t2\tX\n", f"{row}\n"), {"spans": True},
           "a.txt: with --spans a response is start, end, label with whole numbers, start before "
           f"end, found {row.replace(chr(9), ' | ')!r}")
          for row in ("2\t2\tX", "1\tx\tX", "1\t-2\tX", "1\t" + "2" * 20 + "\tX")),
        (("d\t1\t2\n",) * 2, {"spans": True, "documents": True},
         "g.txt: with --spans a response is document, start, end, label with whole numbers"),
    ],
)  # fmt: skip
def test_files_that_do_not_fit(texts, options, message):
    with pytest.raises(InputError) as error:
        read(*texts, **options)
    assert str(error.value).startswith(message)
