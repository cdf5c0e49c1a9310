"""What is in files that people have, for every reader: traps read right, mistakes refused.

Every reader reads the same small files again, changed in one way. A trap must make no
difference to the result; a mistake ends in one line that names the file, and the line where
there is one.
"""

from __future__ import annotations

import gzip
import io
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from csig import readers
from csig.errors import InputError


@dataclass(frozen=True)
class Reader:
    """How a reader is called, and files that it reads.

    `mark` is a text that names something; wherever it is, a ``#`` may stand before it.
    `mistakes` has for the name of a mistake a text of the first file, what comes in its place,
    and the line of the message.
    """

    read: Callable[..., Any]
    files: Mapping[str, str]
    mark: str | None = None
    mistakes: Mapping[str, tuple[str, str, int]] = field(default_factory=dict)
    may_be_empty: bool = False


def all_as_list(read: Callable[..., Any], **options: Any) -> Callable[..., Any]:
    return lambda *paths: read(list(paths), **options)


SCORES = "id,doc,a,b\nq1,x,0.5,0.75\nq2,x,1,0.5\nq3,y,0,0\n"
COUNTS = "gold = 9\nonly_a_correct = 4\nonly_b_correct = 1\nname_a = 'I'\n"

READERS = {
    "tags": Reader(
        readers.read_tag_files,
        {
            "gold.conll": "Ada B-PER\nwas O\n\nin O\nParis B-LOC\n",
            "a.conll": "Ada B-PER\nwas O\n\nin B-LOC\nParis I-LOC\n",
            "b.conll": "Ada O\nwas O\n\nin O\nParis S-LOC\n",
        },
        "Ada",
        {"no tag": ("was O", "was NaN", 2), "lost column": ("was O", "was", 2)},
    ),
    "tag columns": Reader(
        lambda path: readers.read_tag_columns(path, "gold", "a", "b"),
        {"x.tsv": "token\tgold\ta\tb\nAda\tB-PER\tO\tI-PER\nwas\tO\tO\tO\n\nin\tO\tB-X\tO\n"},
        "Ada",
        {"no tag": ("was\tO", "was\tNaN", 3), "lost column": ("was\tO", "was", 3)},
    ),
    "plain labels": Reader(
        lambda *paths: readers.read_tags(*paths, scheme="plain"),
        {"gold.txt": "Ada NN\nwas VB\n\nin IN\n", "a.txt": "Ada NN\nwas NN\n\nin IN\n"},
        "Ada",
        {"lost column": ("was VB", "was", 2)},
    ),
    "spans": Reader(
        readers.read_spans,
        {
            "x.jsonl": '{"document": "d1", "start": 0, "end": 2, "label": "PER"}\n'
            '{"document": "d2"}\n'
            '{"document": "d1", "start": 1, "end": 5, "label": "LOC"}\n'
        },
        "d1",
        {
            "NaN": ('"start": 1', '"start": NaN', 3),
            "text for a number": ('"start": 1', '"start": "one"', 3),
            "double": (
                '{"document": "d2"}',
                '{"document":"d1","start":0,"end":2,"label":"PER"}',
                2,
            ),
            "field twice": ('{"document": "d2"}', '{"document": "d2", "document": "d3"}', 2),
            "half a pair": ('"d2"', '"\\ud800"', 2),
            "half a pair in a label": ('"LOC"', '"\\uDC00"', 3),
            "long number": ('"end": 5', '"end": ' + "1" * 5000, 3),
            "large number": ('"end": 5', '"end": 1' + "0" * 400, 3),
            "no JSON": ('{"document": "d2"}', "d2", 2),
            "deep": ('{"document": "d2"}', "[" * 100_000, 2),
        },
        may_be_empty=True,
    ),
    "standoff": Reader(
        lambda path: readers.read_spans(path, format="standoff"),
        {"d1.ann": "T1\tPER 0 2\tAda\n#1\tnote T1\tx\nT2\tLOC 1 5\tParis\n"},
        "Ada",
        {
            "NaN": ("LOC 1", "LOC NaN", 3),
            "double": ("#1\tnote T1\tx", "T3\tPER 0 2\tx", 2),
            "long number": ("1 5", "1 " + "1" * 5000, 3),
            "end before start": ("1 5", "5 1", 3),
            "spaces for a tab": ("T2\tLOC", "T2 LOC", 3),
        },
        may_be_empty=True,
    ),
    "responses": Reader(
        readers.read_responses,
        {"a.tsv": "image-0913\timage-0920\nimage-1\timage-2\nimage-5\timage-6\n"},
        "image-0913",
        {
            "double": ("image-1\timage-2", "image-0913\timage-0920", 2),
            "lost column": ("image-1\timage-2", "image-1 image-2", 2),
        },
        may_be_empty=True,
    ),
    "responses with documents": Reader(
        lambda path: readers.read_responses(path, documents=True),
        {"a.tsv": "d1\t0\t2\tPER\nd1\t4\t5\tLOC\nd2\t1\t2\tPER\n"},
        "d1",
        {
            "double": ("d1\t4\t5\tLOC", "d1\t0\t2\tPER", 2),
            "no document": ("d1\t4\t5\tLOC", "\t4\t5\tLOC", 2),
            "one field": ("d1\t4\t5\tLOC", "d1", 2),
        },
        may_be_empty=True,
    ),
    "scores": Reader(
        readers.read_table,
        {"x.csv": SCORES},
        "q1",
        {
            "NaN": ("x,1,0.5", "x,NaN,0.5", 3),
            "infinity": ("x,1,0.5", "x,-inf,0.5", 3),
            "too large": ("x,1,0.5", "x,1e999,0.5", 3),
            "text for a number": ("x,1,0.5", "x,one,0.5", 3),
            "underscore": ("x,1,0.5", "x,1_0,0.5", 3),
            "empty cell": ("x,1,0.5", "x,,0.5", 3),
            "double": ("q2,x", "q1,x", 3),
            "lost column": ("q2,x", "q2", 3),
            "open quotation mark": ("q3,y", '"q3,y', 4),
        },
    ),
    "long scores": Reader(
        readers.read_table,
        {"x.csv": "system,id,score\na,q1,0.5\na,q2,1\nb,q1,0.25\nb,q2,0.5\n"},
        "q1",
        {
            "NaN": ("q2,1", "q2,nan", 3),
            "text for a number": ("q2,1", "q2,one", 3),
            "double": ("a,q2,1", "a,q1,1", 3),
        },
    ),
    "scores of files": Reader(
        all_as_list(readers.read_tables),
        {"a.csv": "id,score\nq1,0.5\nq2,1\n", "b.csv": "id,score\nq2,0.5\nq1,0.75\n"},
        "q1",
        {
            "NaN": ("q2,1", "q2,NaN", 3),
            "text for a number": ("q2,1", "q2,one", 3),
            "double": ("q2,1", "q1,1", 3),
        },
    ),
    "counts of a table": Reader(
        readers.read_table,
        {
            "x.tsv": "doc\tgold\ttp_a\tpredicted_a\ttp_b\tpredicted_b\n"
            "d1\t6\t3\t5\t4\t5\nd2\t3\t2\t2\t2\t3\n"
        },
        "d1",
        {
            "NaN": ("d2\t3", "d2\tNaN", 3),
            "text for a number": ("d2\t3", "d2\tthree", 3),
            "no whole number": ("d2\t3", "d2\t3.5", 3),
            "less than zero": ("d2\t3", "d2\t-3", 3),
            "too large": ("d2\t3", "d2\t1" + "0" * 18, 3),
            "double": ("d2\t3", "d1\t3", 3),
        },
    ),
    "labels": Reader(
        readers.read_table,
        {"x.csv": "id,gold,a,b\nq1,x,x,y\nq2,y,y,y\nq3,x,y,x\n"},
        "q1",
        {
            "empty cell": ("q2,y,y", "q2,y,", 3),
            "double": ("q2,y", "q1,y", 3),
            "lost column": ("q2,y", "q2", 3),
        },
    ),
    "numbers": Reader(
        all_as_list(readers.read_tables),
        {"a.txt": "0.5\n1\n0.25\n", "b.txt": "0.25\n1\n0.5\n"},
        None,
        {
            "NaN": ("1", "NaN", 2),
            "text for a number": ("1", "one", 2),
            "infinity": ("1", "Infinity", 2),
        },
    ),
    "samples": Reader(
        all_as_list(readers.read_samples),
        {
            "a.jsonl": '{"doc_id": "q1", "acc": 1.0}\n{"doc_id": "q2", "acc": 0.25}\n',
            "b.jsonl": '{"doc_id": "q2", "acc": 0.5}\n{"doc_id": "q1", "acc": 0.75}\n',
        },
        "q1",
        {
            "NaN": ("0.25", "NaN", 2),
            "infinity": ("0.25", "-Infinity", 2),
            "too large": ("0.25", "1" + "0" * 400, 2),
            "long number": ("0.25", "1" * 5000, 2),
            "text for a number": ("0.25", '"one"', 2),
            "double": ("q2", "q1", 2),
            "half a pair": ('"q2"', '"\\ud800"', 2),
            "no id": ('"doc_id": "q2", ', "", 2),
            "no JSON": ('{"doc_id": "q2", "acc": 0.25}', "q2", 2),
            "deep": ('{"doc_id": "q2", "acc": 0.25}', "[" * 100_000, 2),
        },
    ),
    "counts in TOML": Reader(
        readers.read_counts,
        {"x.toml": COUNTS},
        None,
        {
            "NaN": ("= 4", "= nan", 2),
            "text for a number": ("= 4", "= 'four'", 2),
            "no whole number": ("= 4", "= 4.0", 2),
            "less than zero": ("= 4", "= -4", 2),
            "double": ("only_b_correct", "only_a_correct", 3),
            "unknown": ("only_b_correct", "only_c_correct", 3),
            "no TOML": ("= 4", "4", 2),
        },
    ),
    "counts in JSON": Reader(
        readers.read_counts,
        {
            "x.json": '{"gold": 9,\n"only_a_correct": 4,\n"only_b_correct": 1,\n"name_a": "I"}\n',
        },
        None,
        {
            "NaN": (": 4", ": NaN", 2),
            "text for a number": (": 4", ': "four"', 2),
            "no whole number": (": 4", ": 4.0", 2),
            "less than zero": (": 4", ": -4", 2),
            "double": ("only_b_correct", "only_a_correct", 3),
            "unknown": ("only_b_correct", "only_c_correct", 3),
            "no JSON": (": 4", "4", 2),
        },
    ),
}

each = pytest.mark.parametrize("name", READERS)


def every_mistake() -> pytest.MarkDecorator:
    pairs = [(name, what) for name, reader in READERS.items() for what in reader.mistakes]
    return pytest.mark.parametrize(("name", "what"), pairs)


def plain(found: Any) -> Any:
    """A result that can be compared."""
    if isinstance(found, readers.Table):
        systems = {
            name: values.tolist() if isinstance(values, np.ndarray) else values
            for name, values in found.systems.items()
        }
        return SimpleNamespace(**{**vars(found), "systems": systems})
    return found


class Files:
    """Writes the files of a reader, changed, into a new folder each time, and reads them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def write(
        self,
        name: str,
        change: Callable[[bytes], bytes] = bytes,
        only_first: bool = False,
        ending: str = "",
    ) -> list[Path]:
        folder = self.folder / str(len(list(self.folder.iterdir())))
        folder.mkdir()
        paths = []
        for i, (file, text) in enumerate(READERS[name].files.items()):
            paths.append(folder / (file + ending))
            data = text.encode()
            paths[-1].write_bytes(change(data) if i == 0 or not only_first else data)
        return paths

    def read(self, name: str, change: Callable[[bytes], bytes] = bytes, ending: str = "") -> Any:
        return plain(READERS[name].read(*self.write(name, change, ending=ending)))

    def refuse(self, name: str, change: Callable[[bytes], bytes], ending: str = "") -> str:
        """The message, in which `FILE` stands for the first file."""
        return refusal(READERS[name].read, *self.write(name, change, True, ending))


def refusal(read: Callable[..., Any], *paths: Path) -> str:
    with pytest.raises(InputError) as caught:
        read(*paths)
    message = str(caught.value)
    assert len(message.splitlines()) == 1
    assert str(paths[0]) in message
    return message.replace(str(paths[0]), "FILE")


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(tmp_path)


# ---- traps ---------------------------------------------------------------------------------

BOM = b"\xef\xbb\xbf"

TRAPS: dict[str, Callable[[bytes], bytes]] = {
    "CRLF": lambda data: data.replace(b"\n", b"\r\n"),
    "no final line end": lambda data: data.removesuffix(b"\n"),
    "CRLF and no final line end": lambda data: data.removesuffix(b"\n").replace(b"\n", b"\r\n"),
    "byte order mark": lambda data: BOM + data,
    "byte order mark and CRLF": lambda data: BOM + data.replace(b"\n", b"\r\n"),
    "blank lines at the end": lambda data: data + b"\n\n  \n",
    "blank lines at the beginning": lambda data: b"\n\n" + data,
    "blank lines after a byte order mark": lambda data: BOM + b"\r\n\n" + data,
}


@each
@pytest.mark.parametrize("trap", TRAPS)
def test_trap_makes_no_difference(files, name, trap):
    assert files.read(name, TRAPS[trap]) == files.read(name)


@each
@pytest.mark.parametrize("trap", ["CRLF", "byte order mark"])
def test_packed_by_gzip(files, name, trap):
    expected = files.read(name)
    assert files.read(name, gzip.compress, ".gz") == expected
    assert files.read(name, gzip.compress) == expected
    two_members = files.read(name, lambda data: gzip.compress(data[:7]) + gzip.compress(data[7:]))
    assert two_members == expected
    assert files.read(name, lambda data: gzip.compress(TRAPS[trap](data)), ".gz") == expected


@each
@pytest.mark.parametrize(
    "change", [bytes, gzip.compress, TRAPS["CRLF"]], ids=["plain", "gzip", "CRLF"]
)
def test_standard_input(files, name, change, monkeypatch):
    """The first file comes from there; what is named after a file is named after it."""
    paths = files.write(name)
    data = change(paths[0].read_bytes())
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="ascii"))
    found = plain(READERS[name].read("-", *paths[1:]))
    expected = files.read(name)
    if isinstance(expected, SimpleNamespace):
        found.systems, expected.systems = (
            list(table.systems.values()) for table in (found, expected)
        )
    if name == "standoff":
        found, expected = ([s[1:] for own in x.values() for s in own] for x in (found, expected))
    assert found == expected


SEPARATORS = {
    "tags": [(" ", "\t"), (" ", "    "), (" ", " NNP "), ("\n\n", "\n\n \n")],
    "tag columns": [("\t", " "), ("\t", "   "), ("\n\n", "\n\t\n")],
    "plain labels": [(" ", "\t"), (" ", "   ")],
    "scores": [(",", "\t"), (",", ";"), (",x,", ',"x",')],
    "long scores": [(",", "\t"), (",", ";")],
    "scores of files": [(",", "\t"), (",", ";")],
    "counts of a table": [("\t", ","), ("\t", ";")],
    "labels": [(",", "\t"), (",", ";")],
    "spans": [(", ", ",\t"), ("{", " { ")],
    "samples": [(", ", ",\t"), ("{", " { ")],
    "counts in TOML": [(" = ", "="), (" = ", "\t=\t")],
    "counts in JSON": [(": ", ":\t"), (",", "  ,\t")],
    "numbers": [("1\n", " 1 \n"), ("0.5", "+5e-1")],
}


@pytest.mark.parametrize(
    ("name", "old", "new"), [(name, *pair) for name, pairs in SEPARATORS.items() for pair in pairs]
)
def test_tabs_or_spaces(files, name, old, new):
    found = files.read(name, lambda data: data.replace(old.encode(), new.encode()))
    assert found == files.read(name)


@pytest.mark.parametrize(
    ("name", "trap"),
    [
        (name, trap)
        for name, reader in READERS.items()
        for trap in ("#", "# ", "##", "é", "\u2028", "\u00a0")
        # There a space separates the columns.
        if reader.mark is not None and not (trap == "# " and name in ("tags", "plain labels"))
    ],
)
def test_text_that_begins_with_number_sign(files, name, trap):
    """A token, an id, a response: it is no comment, and nothing is cut at odd spaces."""
    mark = READERS[name].mark
    assert mark is not None
    found = files.read(name, lambda data: data.replace(mark.encode(), (trap + mark).encode()))
    expected = repr(files.read(name))
    assert repr(found).replace(repr(trap)[1:-1] + mark, mark) == expected


def test_empty_documents(tmp_path):
    """A document without tokens, without spans or with an empty file is one nevertheless."""
    path = tmp_path / "x.conll"
    path.write_text("-DOCSTART- O\n\n-DOCSTART- O\n\na B-X\n\n-DOCSTART- O\n")
    assert [len(own) for own in readers.read_tags(path).by("document")[0].values()] == [0, 1, 0]
    path = tmp_path / "x.jsonl"
    path.write_text('{"document": "d1"}\n{"document": "d2", "start": 0, "end": 1, "label": "X"}\n')
    assert {key: len(own) for key, own in readers.read_spans(path).items()} == {"d1": 0, "d2": 1}
    folder = tmp_path / "ann"
    folder.mkdir()
    (folder / "d1.ann").write_bytes(b"")
    (folder / "d2.ann").write_bytes(b"\n")
    (folder / "d3.ann").write_bytes(BOM)
    (folder / "d4.ann").write_text("T1\tX 0 1\n")
    with gzip.open(folder / "d5.ann.gz", "wb") as file:
        file.write(b"T1\tX 0 1\n")
    found = {key: len(own) for key, own in readers.read_spans(folder).items()}
    assert found == {"d1": 0, "d2": 0, "d3": 0, "d4": 1, "d5": 1}
    assert list(readers.read_spans(folder / "d5.ann.gz")) == ["d5"]
    (folder / "d5.ann").write_text("T1\tX 3 4\n")
    with pytest.raises(InputError) as caught:
        readers.read_spans(folder)
    assert str(caught.value) == (
        f"{folder / 'd5.ann.gz'}: found the document 'd5' again, first in {folder / 'd5.ann'}"
    )


# ---- mistakes --------------------------------------------------------------------------------


@each
@pytest.mark.parametrize("content", [b"", BOM, b"\n", b" \r\n\t\n"])
def test_file_with_nothing_in_it(files, name, content):
    reader = READERS[name]
    if reader.may_be_empty:
        assert not [own for own in files.read(name, lambda data: content) if own not in ("d1",)]
    else:
        assert files.refuse(name, lambda data: content).startswith(("FILE: ", "FILE line "))


@pytest.mark.parametrize(
    "name", ["scores", "long scores", "labels", "counts of a table", "numbers"]
)
@pytest.mark.parametrize("content", [b'""', b'""\r\n" "\n', b'"\n"\n'])
def test_table_of_empty_cells(files, name, content):
    assert files.refuse(name, lambda data: content).startswith("FILE: found an empty file")


def at_line_2(data: bytes, wrong: bytes) -> tuple[bytes, int]:
    """Something put behind the first character of the second line, and its offset."""
    offset = data.index(b"\n") + 2
    return data[:offset] + wrong + data[offset:], offset


@each
@pytest.mark.parametrize("bom", [b"", BOM])
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
@pytest.mark.parametrize("line_end", [b"\n", b"\r\n"])
def test_windows_1252(files, name, bom, pack, line_end):
    """The offset is that of the unpacked file, its byte order mark included."""
    text = bom + READERS[name].files[next(iter(READERS[name].files))].encode()
    _, offset = at_line_2(text.replace(b"\n", line_end), b"")

    def change(data: bytes) -> bytes:
        data = (bom + data).replace(b"\n", line_end)
        wrong = at_line_2(data, "é".encode("cp1252") + b" ")[0]
        assert wrong[offset] == 0xE9
        return pack(wrong)

    assert files.refuse(name, change) == (
        f"FILE: byte offset {offset} (line 2) is not UTF-8: found 0xe9, expected a text file in "
        f"UTF-8"
    )


@each
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_nul_byte(files, name, pack):
    _, offset = at_line_2(READERS[name].files[next(iter(READERS[name].files))].encode(), b"")
    assert files.refuse(name, lambda data: pack(at_line_2(data, b"\0")[0])) == (
        f"FILE: byte offset {offset} (line 2) is a NUL byte: found a binary file, expected a text "
        f"file in UTF-8"
    )


@each
@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_other_unicode_encodings(files, name, encoding):
    message = files.refuse(name, lambda data: data.decode().encode(encoding))
    assert message.startswith("FILE: byte offset ")


@each
def test_gzip_file_cut_off(files, name):
    message = files.refuse(name, lambda data: gzip.compress(data)[:-9], ".gz")
    assert message.startswith("FILE: not a gzip file that can be read (")


@each
def test_no_gzip_file(files, name):
    message = files.refuse(name, lambda data: b"\x1f\x8b" + data)
    assert message.startswith("FILE: not a gzip file that can be read (")


@each
def test_missing_file(files, name):
    paths = files.write(name)
    paths[0].unlink()
    assert refusal(READERS[name].read, *paths) == "FILE: no such file"


@each
def test_directory(files, name):
    paths = files.write(name)
    paths[0].unlink()
    paths[0].mkdir()
    expected = "FILE: found a directory, expected a file"
    if name in ("spans", "standoff"):
        expected = "FILE: found a folder without .ann files, expected brat's standoff"
    assert refusal(READERS[name].read, *paths) == expected


@every_mistake()
@pytest.mark.parametrize("trap", ["CRLF", "byte order mark", "no final line end"])
def test_mistake_names_the_line(files, name, what, trap):
    old, new, line = READERS[name].mistakes[what]

    def change(data: bytes) -> bytes:
        text = data.decode()
        assert old in text
        return TRAPS[trap](text.replace(old, new, 1).encode())

    message = files.refuse(name, change)
    assert f"line {line}" in message
    assert message.startswith((f"FILE line {line}", "FILE: "))


@pytest.mark.parametrize("name", ["tags", "plain labels", "scores of files", "numbers", "samples"])
def test_one_file_is_shorter(files, name):
    def cut(data: bytes) -> bytes:
        return data[: data.removesuffix(b"\n").rindex(b"\n") + 1]

    paths = files.write(name, cut, only_first=True)
    with pytest.raises(InputError) as caught:
        READERS[name].read(*paths)
    message = str(caught.value)
    assert len(message.splitlines()) == 1
    if name in ("scores of files", "samples"):
        # By id: the systems are named after their files.
        assert "'q2'" in message
        assert "a" in message.split()
    else:
        assert str(paths[0]) in message
        assert str(paths[1]) in message


@pytest.mark.parametrize("name", ["tags", "plain labels"])
def test_other_token_on_a_line(files, name):
    paths = files.write(name, lambda data: data.replace(b"was", b"is"), only_first=True)
    message = refusal(READERS[name].read, *paths)
    assert message == (
        f"FILE line 2: 'is', {paths[1]} line 2: 'was'; expected the same token; --match position, "
        f"where it is only spelt differently"
    )


def test_scores_too_large_for_integers(tmp_path):
    """A double of 1e308 is a whole number, but no 64-bit integer."""
    paths = [tmp_path / name for name in ("a.jsonl", "b.jsonl")]
    paths[0].write_text('{"doc_id": 0, "acc": 1e308}\n')
    paths[1].write_text('{"doc_id": 0, "acc": 9007199254740992}\n')
    found = readers.read_samples(paths)
    assert [values.tolist() for values in found.systems.values()] == [[1e308], [2.0**53]]


def test_samples_by_metrics_whose_name_cannot_be_printed(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"doc_id": 0, "\\ud800": 1.0, "acc": 0.5}\n')
    assert readers.read_samples([path]).columns == ("acc",)
