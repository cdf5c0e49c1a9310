"""Columns of one file of tags: names, numbers, sentences, and every mistake."""

from __future__ import annotations

import pytest
from written import refusal

from csig.data.conflicts import Span
from csig.readers import read_tag_columns

ROWS = "0\tB-PER\tO\tI-PER\n0\tI-PER\tO\tI-PER\n1\tI-LOC\tI-LOC\tO\n"


BOTH = [Span(0, 0, 2, "PER"), Span(1, 0, 1, "LOC")]


@pytest.mark.parametrize("mark", ["", "#", "# ", "## "])
@pytest.mark.parametrize("name", ["sentence_index", "sentence", "sentence_id", "sent_id"])
def test_columns_by_name_and_the_sentence_column(write, mark, name):
    path = write("x.tsv", f"{mark}{name}\tgold\tx\ty z\n" + ROWS)
    found = read_tag_columns(path, "gold", "x", "y z")
    assert (found.gold, found.a, found.b) == (BOTH, BOTH[1:], BOTH[:1])
    assert (found.n_sentences, found.n_tokens) == (2, 3)
    assert read_tag_columns(path, "2", "3", "4") == found


@pytest.mark.parametrize("header", ["# s gold x y\n", "s gold x y\n", "#s gold x y\n"])
def test_columns_between_spaces(write, header):
    path = write("x.txt", header + ROWS.replace("\t", " "))
    assert read_tag_columns(path, "gold", "x", "y", sentence="s").gold == BOTH


def test_columns_without_header(write):
    path = write("x.tsv", ROWS)
    assert read_tag_columns(path, "2", "3", "4", sentence="1").gold == BOTH
    # Without the sentence column the rows are one sentence.
    assert read_tag_columns(path, "2", "3", "4").gold == [
        Span(0, 0, 2, "PER"),
        Span(0, 2, 3, "LOC"),
    ]


def test_column_called_number_sign(write):
    path = write("x.tsv", "#\tgold\tx\n7\tB-X\tO\n")
    assert read_tag_columns(path, "gold", "x", None, sentence="#").gold == [Span(0, 0, 1, "X")]


def test_columns_with_a_header_and_blank_lines(write):
    path = write("x.tsv", "\ntoken\tgold\tx\n\na\tB-X\tO\n\n\nb\tI-X\tI-X\n\n")
    found = read_tag_columns(path, "gold", "x", None)
    assert found.gold == [Span(0, 0, 1, "X"), Span(1, 0, 1, "X")]
    assert (found.a, found.b, found.n_sentences) == ([Span(1, 0, 1, "X")], [], 2)


def test_blank_lines_and_sentence_column_together(write):
    path = write("x.tsv", "0\tB-X\tO\n\n0\tI-X\tO\n1\tI-X\tO\n")
    assert [s.document for s in read_tag_columns(path, "2", "3", None, sentence="1").gold] == [
        0,
        1,
        2,
    ]


def test_first_token_that_begins_with_number_sign(write):
    path = write("x.tsv", "#tag\tB-X\tO\nb\tI-X\tO\n")
    assert read_tag_columns(path, "2", "3", None).gold == [Span(0, 0, 2, "X")]


def test_document_mark_in_columns(write):
    path = write("x.txt", "-DOCSTART- O O\na B-X O\n-DOCSTART- O O\nb I-X O\n")
    found = read_tag_columns(path, "2", "3", None)
    assert found.gold == [Span(1, 0, 1, "X"), Span(3, 0, 1, "X")]


def test_document_mark_with_a_tag_in_columns(write):
    path = write("x.txt", "-DOCSTART- O B-X\n")
    assert refusal(read_tag_columns, path, "2", "3", None) == (
        f"{path} line 1: found the tag 'B-X' at -DOCSTART-, expected O"
    )


@pytest.mark.parametrize("options", [{"gold": "glod"}, {"b": "glod"}, {"sentence": "glod"}])
def test_unknown_column(write, options):
    path = write("x.tsv", "# s\tgold\tx\n0\tO\tO\n")
    columns = {"gold": "gold", "a": "x", "b": "x"} | options
    assert refusal(read_tag_columns, path, **columns) == (
        f"{path}: found no column 'glod' (did you mean 'gold'?); the columns are 's', 'gold', 'x'"
    )


@pytest.mark.parametrize("number", ["0", "4", "999999999"])
def test_column_number_out_of_range(write, number):
    path = write("x.tsv", "0\tO\tO\n")
    assert refusal(read_tag_columns, path, "2", number, None) == (
        f"{path}: found no column {number}, expected 1 to 3"
    )


def test_doubled_column_name(write):
    path = write("x.tsv", "gold\tx\tx\nO\tO\tO\n")
    assert refusal(read_tag_columns, path, "gold", "x", None) == (
        f"{path}: found 2 columns 'x', expected one"
    )


@pytest.mark.parametrize(("line", "found"), [("1\tO", "2 columns"), ("1\tO\tO\tO", "4 columns")])
def test_line_with_another_number_of_columns(write, line, found):
    path = write("x.tsv", f"# s\tgold\tx\n0\tO\tO\n{line}\n")
    assert refusal(read_tag_columns, path, "gold", "x", None) == (
        f"{path} line 3: found {found}, expected 3 as on line 1"
    )


def test_column_with_something_that_is_no_tag(write):
    path = write("x.tsv", "# s\tgold\tx\n0\tO\tO\n0\tO\tNNP\n")
    assert refusal(read_tag_columns, path, "gold", "x", None).startswith(
        f"{path} line 3: found the tag 'NNP', expected O"
    )


def test_first_line_with_one_bad_tag_is_no_header(write):
    path = write("x.tsv", "a\tO\tX-PER\nb\tO\tO\n")
    assert refusal(read_tag_columns, path, "2", "3", None).startswith(
        f"{path} line 1: found the tag 'X-PER', expected O"
    )


def test_empty_sentence_cell(write):
    path = write("x.tsv", "# sentence\tgold\tx\n0\tO\tO\n\tO\tO\n")
    assert refusal(read_tag_columns, path, "gold", "x", None) == (
        f"{path} line 3: found nothing in the column 'sentence', expected the sentence"
    )


@pytest.mark.parametrize("text", ["", "# s\tgold\tx\n", "\n\n"])
def test_columns_without_tokens(write, text):
    path = write("x.tsv", text)
    assert refusal(read_tag_columns, path, "gold", "x", None) == (
        f"{path}: found no tokens, expected one token and its tags per line"
    )
