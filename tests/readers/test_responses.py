"""Responses, one per line: kept as they are, and wrong files are refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from csig.errors import InputError
from csig.readers import read_responses


@pytest.fixture
def write(tmp_path):
    def write_text(text: str):
        path = tmp_path / "system.tsv"
        path.write_bytes(text.encode())
        return path

    return write_text


@pytest.fixture
def message(write):
    def message_for(text: str, documents: bool = False) -> str:
        path = write(text)
        with pytest.raises(InputError) as caught:
            read_responses(path, documents=documents)
        found = str(caught.value)
        assert found.startswith(str(path))
        assert "\n" not in found
        return found.removeprefix(str(path))

    return message_for


@pytest.mark.parametrize("text", ["", "\n", " \n\t\n\n"])
def test_no_responses(write, text):
    assert read_responses(write(text)) == []
    assert read_responses(write(text), documents=True) == []


def test_blank_lines_are_skipped_and_order_is_kept(write):
    assert read_responses(write("b\n\n \t\na\r\nc")) == [("b",), ("a",), ("c",)]


def test_fields_are_kept_exactly(write):
    text = " x \t7\t\n x\t07\t#\n\tempty first\tok\r\n"
    assert read_responses(write(text)) == [
        (" x ", "7", ""),
        (" x", "07", "#"),
        ("", "empty first", "ok"),
    ]


def test_documents_are_the_first_field(write):
    text = "d1\t3\td1\nd2\t3\td1\n"
    assert read_responses(write(text), documents=True) == [("d1", "3", "d1"), ("d2", "3", "d1")]


FIELD = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\t\n\r\ufeff"))


@given(data=st.data(), width=st.integers(1, 4))
def test_what_was_written_is_read(tmp_path_factory, data, width):
    row = st.tuples(*[FIELD] * width).filter(lambda fields: "".join(fields).strip())
    rows = data.draw(st.lists(row, unique=True))
    path = tmp_path_factory.mktemp("responses") / "system.tsv"
    path.write_bytes("\n".join("\t".join(fields) for fields in rows).encode())
    assert read_responses(path) == rows


def test_doubled_response(message):
    assert message("a\tb\n\nc\td\na\tb\n") == (
        ": found the response 'a\\tb' on line 1 and again on line 4, expected every response once"
    )


def test_different_numbers_of_fields(message):
    assert message("\na\nb\nc\td\ne\n") == (
        ": found 1 field on line 2 and 2 fields on line 4, expected the same number on every line"
    )


def test_document_without_response(message):
    assert message("d1\tx\nd2\n", documents=True) == (
        " line 2: found 'd2', expected a document id, a tab and at least one more field"
    )


@pytest.mark.parametrize("document", ["", " "])
def test_empty_document(message, document):
    line = f"{document}\tx"
    assert message(f"d1\tx\n{line}\n", documents=True) == (
        f" line 2: found an empty document id in {line!r}"
    )


def test_unreadable_responses(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        read_responses(tmp_path / "none.tsv")
