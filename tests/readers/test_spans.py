"""Spans in JSON Lines and in standoff: layouts, and a message for every mistake."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from written import refusal

import csig
from csig.data.conflicts import Span
from csig.errors import InputError
from csig.readers.spans import read_span_files, read_spans

ROW = '{"document": "d", "start": 0, "end": 5, "label": "X"}'
NESTED = {
    "d": [Span("d", 0, 5, "X"), Span("d", 1, 3, "X"), Span("d", 2, 9, "Y"), Span("d", 0, 5, "Y")],
    "e": [],
}
LINES = [json.dumps(span._asdict()) for span in NESTED["d"]] + ['{"document": "e"}']


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(LINES),
        "\ufeff" + "\r\n".join(LINES) + "\r\n\r\n",
        "\n  \n".join(LINES) + "\n",
    ],
)
def test_nested_and_overlapping_spans(write, text):
    assert read_spans(write("x.jsonl", text)) == NESTED


def test_field_names(write):
    path = write("x.jsonl", '{"id": 7, "from": 1, "to": 2, "label": "X", "score": null}')
    fields = {"document": "id", "start": "from", "end": "to"}
    assert read_spans(path, fields=fields) == {"7": [Span("7", 1, 2, "X")]}


ANN = "T1\tX 0 5\tsome \nR1\trel Arg1:T1 Arg2:T2\n#1\tNote T1\tx\nT2\tY 2 9\nA1\tNeg T1\n"


@pytest.mark.parametrize("text", [ANN, ANN.replace("\n", "\r\n"), "\ufeff" + ANN[:-1]])
def test_standoff(write, text):
    path = write("doc-1.ann", text)
    expected = {"doc-1": [Span("doc-1", 0, 5, "X"), Span("doc-1", 2, 9, "Y")]}
    assert read_spans(path) == expected
    assert read_spans(path.parent) == expected
    assert read_spans(path.rename(path.with_suffix(".txt")), format="standoff") == expected


def test_folder_of_documents(write):
    write("gold/b.ann", ANN)
    write("gold/notes.txt", "x")
    path = write("gold/a.ann", "")
    found = read_spans(path.parent)
    assert list(found) == ["a", "b"]
    assert [len(own) for own in found.values()] == [0, 2]


@pytest.mark.parametrize("unit", ["response", "conflict", "key"])
def test_into_a_comparison(write, unit):
    gold = write("gold.jsonl", "\n".join(LINES))
    a = write("a.jsonl", ROW)
    b = write("b.jsonl", '{"document": "new", "start": 0, "end": 1, "label": "X"}\n' + LINES[2])
    with pytest.raises(InputError, match=r"has 1 document that \S+ lacks: 'new'; give the"):
        read_span_files(gold, a, b)
    gold = write("gold.jsonl", "\n".join([*LINES, '{"document": "new"}']))
    found = read_span_files(gold, a, b)
    assert [list(own) for own in found] == [["d", "e", "new"]] * 3
    comparison = csig.Comparison.from_responses(*found, unit=unit, conflict=csig.spans)
    assert (comparison.sums_a, comparison.sums_b) == ((1, 1, 4), (1, 2, 4))
    assert comparison.exclusions.pairs == 1


SPANS = st.lists(
    st.tuples(
        st.text(min_size=1).filter(str.strip),
        st.integers(0, 2**62),
        st.integers(1, 9),
        st.text(),
    ),
    unique=True,
)


@given(rows=SPANS)
def test_what_json_writes_is_read(tmp_path_factory, rows):
    path = tmp_path_factory.getbasetemp() / "any.jsonl"
    spans = [
        Span(document, start, start + length, label) for document, start, length, label in rows
    ]
    path.write_text("".join(json.dumps(span._asdict()) + "\n" for span in spans), "utf-8")
    found = read_spans(path)
    assert sorted(span for own in found.values() for span in own) == sorted(spans)
    assert all(span.document == document for document, own in found.items() for span in own)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            '{"document": "d", "start": 0, "label": "X"}',
            "found no field 'end', expected document, start, end, label",
        ),
        (
            '{"start": 0, "end": 1, "label": "X"}',
            "found no field 'document', expected document, start, end, label",
        ),
        ("[1]", "found [1], expected an object with document, start, end, label"),
        (
            ROW.replace("0", "1.0"),
            "found start 1.0 and end 5, expected integers 0 <= start < end",
        ),
        (
            ROW.replace("0", "true"),
            "found start True and end 5, expected integers 0 <= start < end",
        ),
        (ROW.replace("0", "-1"), "found start -1 and end 5, expected integers 0 <= start < end"),
        (ROW.replace("0", "5"), "found start 5 and end 5, expected integers 0 <= start < end"),
        (
            ROW.replace("5", str(2**63)),
            f"found start 0 and end {2**63}, expected integers 0 <= start < end",
        ),
        (ROW.replace('"X"', "null"), "found the label None, expected text"),
        (ROW.replace('"d"', '" "'), "found the document ' ', expected an id"),
        (ROW.replace('"d"', "1.5"), "found the document 1.5, expected an id"),
        (
            ROW.replace("label", "end"),
            "found no JSON (a field twice), expected one object per line",
        ),
    ],
)
def test_wrong_line_of_json(write, line, message):
    path = write("x.jsonl", f"\n{line}\n")
    assert refusal(read_spans, path) == f"{path} line 2: {message}"


@pytest.mark.parametrize("line", ["{", "x", "[" * 100_000])
def test_no_json(write, line):
    path = write("x.jsonl", line)
    assert refusal(read_spans, path).startswith(f"{path} line 1: found no JSON (")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            "T1\tX 0 5;8 9\tab",
            "found a discontinuous span, 'T1\\tX 0 5;8 9\\tab'; expected one start and one end, "
            "as csig cannot compare discontinuous spans",
        ),
        ("T1 X 0 5", "found 'T1 X 0 5', expected T1, a tab, label, start and end"),
        ("T1\tX 5 5\t", "found start 5 and end 5, expected integers 0 <= start < end"),
        ('{"a": 1}', "found '{\"a\": 1}', expected T1, a tab, label, start, end"),
    ],
)
def test_wrong_line_of_standoff(write, line, message):
    path = write("x.ann", line)
    assert refusal(read_spans, path) == f"{path} line 1: {message}"


def test_doubled_span(write):
    path = write("x.jsonl", f"{ROW}\n{LINES[1]}\n{ROW}\n")
    assert refusal(read_spans, path) == (
        f"{path} line 3: found the span 0 to 5, 'X', of document 'd' again, first on "
        f"{path} line 1; expected every span once"
    )


def test_no_common_document(write):
    gold, a = write("g.jsonl", ROW), write("a.jsonl", ROW.replace('"d"', '"D"'))
    assert refusal(read_span_files, gold, a) == (
        f"{a}: has 1 document that {gold} lacks: 'D'; give the gold a line with only the "
        "document where it has none; --allow-missing intersection compares only those that both "
        "have"
    )


def test_documents_that_folders_lack(write):
    for name in ("gold/a", "gold/b", "x/a", "x/c", "y/a", "y/b"):
        write(f"{name}.ann", "T1\tX 0 5\n")
    gold, x, y = (write(f"{name}/a.ann", "T1\tX 0 5\n").parent for name in ("gold", "x", "y"))
    assert refusal(read_span_files, gold, x) == (
        f"{x}: lacks 1 document that {gold} has: 'b' and has 1 document that {gold} lacks: 'c'; "
        "--allow-missing intersection compares only those that both have"
    )
    assert [list(own) for own in read_span_files(gold, y)] == [["a", "b"]] * 2
    assert [list(own) for own in read_span_files(gold, x, y, allow_missing=True)] == [["a"]] * 3


def test_folder_without_standoff(tmp_path):
    assert refusal(read_spans, tmp_path) == (
        f"{tmp_path}: found a folder without .ann files, expected brat's standoff"
    )


def test_wrong_arguments(write):
    path = write("x.jsonl", ROW)
    assert refusal(read_spans, path, fields={"doc": "d"}) == (
        "fields: found 'doc' (did you mean 'document'?), expected document, start, end, label"
    )
    assert refusal(read_spans, path, format="json") == (
        "format: found 'json', expected 'auto', 'jsonl' or 'standoff'"
    )


def test_empty_file_is_a_system_without_spans(write):
    gold, a = write("g.jsonl", ROW), write("a.jsonl", "")
    assert read_span_files(gold, a) == [{"d": [Span("d", 0, 5, "X")]}, {"d": []}]
