"""Bytes and lines: what is packed, in which encoding, and what is refused in one line."""

import bz2
import gzip
import io
import json
import lzma
import math
import os
import pickle
import random
import shlex
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import numpy as np
import pytest
from commands import refused
from drawn import several
from hypothesis import given, settings
from hypothesis import strategies as st
from written import refusal, text_file

from csig import readers
from csig.readers import lines
from csig.readers.lines import (
    first_line,
    json_values,
    read_bytes,
    read_lines,
    read_start,
    read_text,
    utf8_bytes,
)


def zstd(data: bytes) -> bytes:
    return pytest.importorskip("zstandard").compress(data)


PACKINGS = {"gzip": lambda data: gzip.compress(data, mtime=0), "bz2": bz2.compress,
            "xz": lzma.compress, "zstd": zstd}  # fmt: skip
every_packing = pytest.mark.parametrize("packing", PACKINGS)


def file(data: bytes, name: str = "f.txt") -> str:
    Path(name).write_bytes(data)
    return name


# ---- lines and encodings -------------------------------------------------------------------------
@pytest.mark.parametrize(("data", "expected"), [
    (b"a", ["a"]), (b"a\n\n", ["a", ""]), (b"a\r\nb\r", ["a", "b"]), (b"a\r\r\n", ["a\r"]),
    (b"a\rb\n", ["a\rb"]), (b"\xef\xbb\xbf", []), (b"\xef\xbb\xbf\xef\xbb\xbfa", ["\ufeffa"]),
    *((f"a{c}b\nc".encode(), [f"a{c}b", "c"]) for c in "\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"),
])  # fmt: skip
def test_line_ends_and_byte_order_mark(data, expected):
    assert read_lines(file(data)) == expected


# No byte order mark, no NUL, and no surrogates, which UTF-8 cannot write.
PLAIN = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\n\r\ufeff"))
ENCODINGS = ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"]


@given(st.lists(PLAIN), st.sampled_from(["\n", "\r\n"]), st.sampled_from(ENCODINGS))
def test_what_was_written_is_read(rows, end, encoding):
    text = "".join(line + end for line in rows)
    marked = "\ufeff" * encoding.endswith("e") + text
    path = file(marked.encode(encoding))
    assert read_lines(path) == rows
    assert read_text(path) == text
    assert utf8_bytes(path) == text.encode()
    filled = [line.strip() for line in text.split("\n") if line.encode().strip()]
    assert first_line(path).strip() == (filled[0] if filled else "")


@pytest.mark.parametrize("encoding", [*ENCODINGS[:3], "utf-32"])
def test_first_lines_are_read_to_their_end_and_starts_within_a_character(encoding):
    text = "a" * 300_000 + "\nb"
    assert len(first_line(file(text.encode(encoding)))) == 300_000
    assert first_line(file(b"PAR1\n")) == ""
    if encoding != "utf-8-sig":
        text = "😀" * 99
        assert read_start(file(text.encode(encoding)), 9).tobytes() == text.encode()[:9]


@pytest.mark.parametrize("at", [0, 65_533, 262_143, 262_144, 399_999])
def test_what_is_not_utf8_is_found_wherever_it_is(at):
    """Bytes are looked at in pieces; a character may lie on the border of two."""
    good = b"-" * (at % 2) + ("é" * 200_000).encode()
    assert utf8_bytes(file(good)) == good
    for wrong in (b"\xe9 ", b"\xff", b"\xe2\x82 "):
        data = good[:at] + wrong + good[at:]
        with pytest.raises(UnicodeDecodeError) as expected:
            data.decode()
        said = f"byte offset {expected.value.start} (line 1) is not UTF-8"
        assert said in refusal(read_text, file(data))


LATIN = "; convert it: iconv -f latin1 -t utf-8 IN > OUT"


@pytest.mark.parametrize(("data", "said"), [
    (b"ab\ncd\n\xe9t\xe9\n",
     f"byte offset 6 (line 3) is not UTF-8: found 0xe9, expected a text file in UTF-8{LATIN}"),
    (b"\xef\xbb\xbfa\xff", "byte offset 4 (line 1) is not UTF-8: found 0xff"),
    (b"a\xc3", "byte offset 1 (line 1) is not UTF-8"),
    (b"a\n\0", "byte offset 2 (line 2) is a NUL byte: found a binary file, or UTF-16 without"),
    ("aé".encode("utf-16-le"), "byte offset 1 (line 1) is a NUL byte: found a binary file, or"),
    ("\ufeffa".encode("utf-16-le") + b"b", "begins as UTF-16 does, but: "),
])  # fmt: skip
def test_what_is_no_text(data, said):
    for path in (file(data), file(gzip.compress(data), "f.gz")):
        for read in (read_lines, read_text, utf8_bytes):
            assert refusal(read, path).startswith(f"{path}: {said}")


def archive(name: str, data: str = "") -> bytes:
    binary = io.BytesIO()
    with zipfile.ZipFile(binary, "w") as packed:
        packed.writestr(name, data)
    return binary.getvalue()


def array(save) -> bytes:
    binary = io.BytesIO()
    save(binary, np.ones(2))
    return binary.getvalue()


def tar() -> bytes:
    binary = io.BytesIO()
    with tarfile.open(fileobj=binary, mode="w:gz") as packed:
        packed.addfile(tarfile.TarInfo("t.csv"))
    return binary.getvalue()


PANDAS = "pandas.read_{}('x.{}').to_csv('x.csv'".format
BINARY = {
    "x.xlsx": (lambda: archive("[Content_Types].xml"), "an Excel workbook",
               PANDAS("excel", "xlsx")),
    "x.xls": (lambda: b"\xd0\xcf\x11\xe0\xa1", "an Excel workbook", PANDAS("excel", "xls")),
    "x.ods": (lambda: archive("mimetype", "application/vnd.oasis.opendocument.spreadsheet"),
              "an OpenDocument file", PANDAS("excel", "ods")),
    "x.zip": (lambda: archive("t.csv"), "a zip archive", "unzip -p 'x.zip' NAME > NAME"),
    "x.npy": (lambda: array(np.save), "an array of numpy (npy)", "numpy.load('x.npy'),"),
    "x.npz": (lambda: array(np.savez), "arrays of numpy (npz)", "('x.npz')['NAME']"),
    "x.pkl": (lambda: pickle.dumps([1]), "a pickle", PANDAS("pickle", "pkl")),
    "x.feather": (lambda: b"ARROW1\0\0", "an Arrow or feather file", PANDAS("feather", "feather")),
    "x.h5": (lambda: b"\x89HDF\r\n\x1a\n\0", "an HDF5 file", PANDAS("hdf", "h5")),
    "x.db": (lambda: b"SQLite format 3\0", "an SQLite database",
             "sqlite3 -csv -header 'x.db' 'select * from NAME' > "),
    "x.parquet": (lambda: b"PAR1 all in ASCII", "Parquet", PANDAS("parquet", "parquet")),
    "x.RData": (lambda: gzip.compress(b"RDX3\nX\n\0\0\0\3" + bytes(90)), "data of R", "Rscript -e"),
    "x.pdf": (lambda: b"%PDF-1.4\n", "a PDF document", "pdftotext -layout 'x.pdf' 'x.txt'"),
    "x.tgz": (tar, "a tar archive", "tar -xf 'x.tgz'"),
}  # fmt: skip


@pytest.mark.parametrize("name", BINARY)
def test_known_files_are_refused_by_name_with_what_converts_them(name):
    make, what, way = BINARY[name]
    found = refusal(read_lines, file(make(), name))
    assert found.startswith(f"{name}: found {what}, expected text; convert it: ")
    assert way in found
    assert (" -c " in found) is ("it: python -c" in found)
    if name == "x.npy":
        subprocess.run(shlex.split(found.partition("it: ")[2].replace("python", sys.executable)))
        assert read_text("x.csv") == "1\n1\n"


# ---- packed files --------------------------------------------------------------------------------
TEXT = "id,a\nq1,Zoë\n"


@every_packing
def test_packed_files_are_known_by_their_first_bytes(packing):
    """Whatever the name; a packed file may have several members."""
    pack, data = PACKINGS[packing], b"\xef\xbb\xbf" + TEXT.encode()
    for packed in (pack(data), pack(data[:7]) + pack(data[7:])):
        path = file(packed)
        assert (read_text(path), first_line(path)) == (TEXT, "id,a")
        assert read_start(path, 4).tobytes() == data[:4]


@every_packing
def test_damaged_files(packing):
    pack = PACKINGS[packing]
    data = pack(b"id,a,b\n" + random.Random(2).randbytes(300))
    for end in (*range(16, len(data), 9), len(data) - 1):
        said = refusal(read_text, file(data[:end]))
        assert said.startswith(f"f.txt: found {packing}, but cannot unpack it (")
    flipped = data[:60] + bytes([data[60] ^ 255]) + data[61:]
    # The others take what follows for a file of something else.
    for wrong in (flipped, data + b"more") if packing == "gzip" else ():
        assert "found gzip, but cannot unpack it (" in refusal(read_text, file(wrong))


MEMBER = st.builds(lambda n, own: own * 7**n, st.integers(0, 3), st.binary(max_size=9))
MEMBERS = st.lists(MEMBER, min_size=1, max_size=6)


@every_packing
@given(members=MEMBERS, sizes=st.tuples(*[st.integers(1, 40)] * 2), start=st.integers(0, 200))
@settings(max_examples=15)
def test_members_are_joined(packing, members, sizes, start):
    """Whatever is unpacked at a time, and wherever what is kept ends."""
    expected = b"".join(members)
    path = file(b"".join(map(PACKINGS[packing], members)))
    with pytest.MonkeyPatch.context() as patch:
        for name, size in zip(("_READ", "_KEPT"), sizes, strict=True):
            patch.setattr(lines, name, size)
        patch.setattr(lines, "_MARKS", ())
        assert read_bytes(path).tobytes() == expected
        assert read_start(path, start).tobytes() == expected[:start]
        if len(expected) > Path(path).stat().st_size:
            with readers.max_size(len(expected)):
                assert read_bytes(path).tobytes() == expected
            with readers.max_size(len(expected) - 1):
                assert "unpacks to more than" in refusal(read_bytes, path)


def test_zstd_without_its_package(monkeypatch):
    path = file(zstd(b"x"))
    monkeypatch.setattr(sys, "version_info", (3, 13))
    monkeypatch.setitem(sys.modules, "zstandard", None)
    said = "f.txt: found zstd, which needs a package: pip install zstandard"
    assert refusal(read_text, path) == said


@pytest.mark.parametrize("packing", [*PACKINGS, "utf-16"])
def test_a_file_is_unpacked_once_while_somebody_reads(packing):
    pack = PACKINGS.get(packing, lambda data: data.decode().encode("utf-16"))
    path, plain = file(pack(b"x")), file(b"x", "g.txt")
    with lines.read_once():
        once = read_bytes(path)
        assert read_bytes(path) is once
        assert read_bytes(plain) is not read_bytes(plain)  # that is no work
    assert read_bytes(path) is not once
    assert read_bytes(path).tobytes() == once.tobytes() == b"x"


# ---- files ---------------------------------------------------------------------------------------
@pytest.mark.parametrize("pack", [bytes, *PACKINGS.values()])
def test_standard_input_is_read_once_and_known_twice(monkeypatch, pack):
    stream = io.TextIOWrapper(io.BytesIO(pack(TEXT.encode())), encoding="ascii")
    monkeypatch.setattr(sys, "stdin", stream)
    assert read_text("-") == read_text("-") == TEXT
    assert first_line("-") == "id,a"
    monkeypatch.setattr(sys, "stdin", None)
    assert refusal(read_text, "-") == "-: standard input is closed"


def test_paths_that_hold_nothing(tmp_path, monkeypatch):
    path = file(b"a")
    assert refusal(read_text, "none.txt") == "none.txt: no such file"
    assert refusal(read_text, str(tmp_path)) == f"{tmp_path}: found a directory, expected a file"
    assert "'a\\x00b': not a path" in refusal(read_text, "a\0b")
    assert ": cannot be read" in refusal(read_text, f"{path}/b") or os.name == "nt"

    def refuse(*_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("builtins.open", refuse)
    assert refusal(read_text, path) == "f.txt: no permission to read it"
    paths = ["a/b.csv.gz", "b.csv.bz2", "b.csv.xz", "b.zst", "x.v1.tsv", "d/a.v2.csv.gz", "folder/"]
    names = ["b", "b", "b", "b", "x.v1", "a.v2", "folder", "-", ".gz"]
    assert list(map(lines.stem, [*paths, "-", ".gz"])) == names


def test_files_that_go_on_for_ever():
    if not Path("/dev/zero").exists():
        pytest.skip("needs /dev/zero")
    with readers.max_size(2**20):
        assert refusal(read_text, "/dev/zero").startswith("/dev/zero: holds more than 1 MiB;")
    assert "holds more than 1 MiB" in refused("audit", "/dev/zero", "--max-size", "1M")


# ---- JSON ----------------------------------------------------------------------------------------
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=3),
    lambda own: st.lists(own, max_size=3) | st.dictionaries(st.text(max_size=3), own, max_size=3),
    max_leaves=8,
)
ROWS = st.lists(st.dictionaries(st.text(max_size=3), VALUES, max_size=3), min_size=2, max_size=5)


@settings(max_examples=several(12, 40))
@given(ROWS, st.sampled_from([None, 1]), st.sampled_from(["\n", "\r\n", "\n\n", " ", ""]))
def test_values_one_after_the_other(rows, indent, between):
    texts = [json.dumps(row, indent=indent) for row in rows]
    text = "\n" + between.join(texts)
    values, place = json_values(text_file(text, "t.json"))
    assert values == rows
    starts = [1 + sum(len(own) + len(between) for own in texts[:i]) for i in range(len(rows))]
    assert [place(i) for i in range(len(rows))] == [
        f"line {text[:start].count(chr(10)) + 1}" for start in starts
    ]


def test_single_values():
    assert json_values(text_file('{"a":\n 1}'))[0] == [{"a": 1}]
    assert json_values(text_file("[1]\n[2]"))[0] == [[1], [2]]
    assert json_values(text_file(" \n"))[0] == []
    for deep in ('{"a": ' * 200 + "0" + "}" * 200, '["[[[", ' + "[], " * 500 + "1]"):
        assert json_values(text_file(deep))[0] in ([json.loads(deep)], json.loads(deep))
    values, _ = json_values(text_file("[NaN, -Infinity, 1e999]"))
    assert math.isnan(values[0])
    assert values[1:] == [-math.inf, math.inf]


@pytest.mark.parametrize(("paths", "names"), [
    ("a/x.csv b/y.csv.gz", "x y"), ("a/run.csv b/run.csv", "a/run b/run"),
    ("/r/a/run.csv ./b/run.csv", "a/run b/run"), ("a/run.csv run.csv", "a/run run"),
    ("x/a/run.csv y/a/run.csv", "x/a/run y/a/run"), ("a/run.csv a/run.tsv", "a/run.csv a/run.tsv"),
    ("/r/a/run.csv r/a/run.csv", "/r/a/run r/a/run"),
    ("a/run.csv a/run.csv b.csv", "run_(1) run_(2) b_(3)"),
])  # fmt: skip
def test_files_of_one_name_are_told_apart_by_their_folders(paths: str, names: str) -> None:
    assert lines.stems(paths.split()) == [own.replace("_", " ") for own in names.split()]
