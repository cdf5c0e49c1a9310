"""Lines: only LF and CRLF end one, and what is not text is refused in one line."""

from __future__ import annotations

import gzip
import io
import os
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from csig.errors import InputError
from csig.readers import read_table
from csig.readers.lines import read_bytes, read_lines, read_text, text_bytes, utf8_bytes
from csig.readers.tables.read import stem


@pytest.fixture
def write(tmp_path):
    def write_bytes(data: bytes) -> Path:
        path = tmp_path / "file.txt"
        path.write_bytes(data)
        return path

    return write_bytes


def message(path, read=read_lines) -> str:
    with pytest.raises(InputError) as caught:
        read(path)
    text = str(caught.value)
    assert "\n" not in text
    assert str(path) in text
    return text.removeprefix(str(path))


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"", []),
        (b"a", ["a"]),
        (b"a\n", ["a"]),
        (b"a\n\n", ["a", ""]),
        (b"\n\na", ["", "", "a"]),
        (b"a\r\nb\r\n", ["a", "b"]),
        (b"a\r\nb\r", ["a", "b"]),
        (b"a\r\r\n", ["a\r"]),
        (b"a\rb\n", ["a\rb"]),
        (b"a\r\nb\nc", ["a", "b", "c"]),
        (b" a \t\n", [" a \t"]),
        (b"\xef\xbb\xbfa\n", ["a"]),
        (b"\xef\xbb\xbf", []),
    ],
)
def test_line_ends_and_byte_order_mark(write, data, lines):
    assert read_lines(write(data)) == lines


def test_only_one_byte_order_mark_is_dropped(write):
    assert read_lines(write(b"\xef\xbb\xbf\xef\xbb\xbfa")) == ["\ufeffa"]


@pytest.mark.parametrize("character", list("\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"))
def test_characters_at_which_splitlines_cuts_stay_in_the_line(write, character):
    line = f"a{character}b"
    assert len(line.splitlines()) == 2
    assert read_lines(write(f"{line}\nc".encode())) == [line, "c"]


# No byte order mark, no NUL, and no surrogates, which UTF-8 cannot write.
PLAIN = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\n\r\ufeff"))


@given(lines=st.lists(PLAIN), end=st.sampled_from(["\n", "\r\n"]), bom=st.booleans())
def test_what_was_written_is_read(tmp_path_factory, lines, end, bom):
    path = tmp_path_factory.mktemp("lines") / "file.txt"
    text = "".join(line + end for line in lines)
    path.write_bytes(b"\xef\xbb\xbf" * bom + text.encode())
    assert read_lines(path) == lines
    assert read_text(path) == text
    assert utf8_bytes(path) == text.encode()


def test_path_as_text(write):
    assert read_lines(str(write(b"a"))) == ["a"]


def test_not_utf8_names_offset_and_line(write):
    assert message(write(b"ab\ncd\n\xe9t\xe9\n")) == (
        ": byte offset 6 (line 3) is not UTF-8: found 0xe9, expected a text file in UTF-8"
    )


def test_offset_counts_the_byte_order_mark(write):
    assert "byte offset 4 (line 1)" in message(write(b"\xef\xbb\xbfa\xff"))


@pytest.mark.parametrize("at", [0, 1, 65_533, 65_535, 65_536, 70_000, 131_071])
def test_what_is_not_utf8_is_found_wherever_it_is(write, at):
    """Bytes are looked at in pieces; a character may lie on the border of two."""
    good = ("é" * 70_000).encode()
    good = b"-" * (at % 2) + good
    assert utf8_bytes(write(good)) == good
    for wrong in (b"\xe9 ", b"\xff", b"\xe2\x82 "):
        path = write(good[: at + at % 2] + wrong + good[at + at % 2 :])
        assert "is not UTF-8" in message(path)
        assert message(path, utf8_bytes) == message(path)


def test_character_cut_off_at_the_end_of_the_file(write):
    assert "byte offset 1 (line 1) is not UTF-8" in message(write(b"a\xc3"))


@pytest.mark.skipif(
    sys.platform == "win32" or (hasattr(os, "geteuid") and os.geteuid() == 0),
    reason="needs a user to whom permissions apply",
)
def test_no_permission(write):
    path = write(b"a")
    path.chmod(0)
    assert message(path) == ": no permission to read this file"


def test_no_permission_as_reported_by_the_system(write, monkeypatch):
    def refuse(*_):
        raise PermissionError(13, "Permission denied")

    path = write(b"a")
    monkeypatch.setattr("builtins.open", refuse)
    assert message(path) == ": no permission to read this file"


def test_path_through_a_file(write):
    path = write(b"a")
    assert message(path / "b").startswith((": cannot be read", ": no such file"))


def test_path_with_a_nul():
    with pytest.raises(InputError, match=r"'a\\x00b': not a path"):
        read_lines("a\0b")


# ---- every way in ------------------------------------------------------------------------------

BOM = b"\xef\xbb\xbf"
TEXT = "id,a\nq1,Zo\u00eb\n"

#: How readers take a file, as text.
WAYS = {
    "lines": lambda path: "".join(line + "\n" for line in read_lines(path)),
    "text": read_text,
    "bytes": lambda path: utf8_bytes(path).decode(),
    "table": lambda path: text_bytes(path, read_bytes(path))[0].tobytes().decode(),
}
every_way = pytest.mark.parametrize("way", WAYS)


def packed(data: bytes) -> bytes:
    return gzip.compress(data, mtime=0)


@every_way
@pytest.mark.parametrize(
    "change", [bytes, packed, lambda data: packed(data[:7]) + packed(data[7:])]
)
def test_plain_or_packed(write, way, change):
    """By its first bytes, whatever the name; a packed file may have several members."""
    assert WAYS[way](write(change(BOM + TEXT.encode()))) == TEXT


@every_way
@pytest.mark.parametrize("change", [bytes, packed])
def test_standard_input_is_read_once_and_known_twice(monkeypatch, way, change):
    stream = io.TextIOWrapper(io.BytesIO(change(BOM + TEXT.encode())), encoding="ascii")
    monkeypatch.setattr(sys, "stdin", stream)
    assert WAYS[way]("-") == WAYS[way]("-") == TEXT


@every_way
@pytest.mark.parametrize("bom", [b"", BOM])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
@pytest.mark.parametrize("pack", [bytes, packed])
@pytest.mark.parametrize(
    ("byte", "said"),
    [
        (b"\xe9 ", "is not UTF-8: found 0xe9, expected a text file in UTF-8"),
        (b"\0", "is a NUL byte: found a binary file, expected a text file in UTF-8"),
    ],
)
def test_the_offset_is_that_of_the_unpacked_file(write, way, bom, end, pack, byte, said):
    """With its byte order mark."""
    above = bom + b"id,a" + end + b"q"
    path = write(pack(above + byte + b"1,0" + end))
    assert message(path, WAYS[way]) == f": byte offset {len(above)} (line 2) {said}"


@every_way
@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_other_encodings_of_unicode(write, way, encoding):
    assert message(write(TEXT.encode(encoding)), WAYS[way]).startswith(": byte offset ")


@every_way
@pytest.mark.parametrize("data", [packed(TEXT.encode())[:-9], b"\x1f\x8b" + TEXT.encode()])
def test_gzip_that_is_cut_off_or_none(write, way, data):
    found = message(write(data), WAYS[way])
    assert found.startswith(": not a gzip file that can be read (")


@every_way
def test_no_file(tmp_path, way):
    assert message(tmp_path / "none.txt", WAYS[way]) == ": no such file"
    assert message(tmp_path, WAYS[way]) == ": found a directory, expected a file"


def test_standard_input_that_is_closed(monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(InputError, match="-: standard input is closed"):
        read_table("-")


def test_stems():
    assert [stem(p) for p in ("a/b.csv.gz", "x.v1.tsv", "-", ".gz")] == ["b", "x.v1", "-", ".gz"]
