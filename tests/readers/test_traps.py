"""What is in files that people have: traps that make no difference to what is read."""

import io
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import written

from csig import readers
from csig.readers import counts, responses

Change = Callable[[bytes], bytes]


@dataclass(frozen=True)
class Reader:
    """How a reader is called, and files that it reads."""

    read: Callable[..., Any]
    files: Mapping[str, str]
    #: A text that names something; wherever it is, a ``#`` may stand before it.
    mark: str | None = None
    may_be_empty: bool = False


READERS = {
    "tags": Reader(readers.read_tags,
                   {"gold.conll": "Ada B-PER\nwas O\n\nin O\nParis B-LOC\n",
                    "a.conll": "Ada B-PER\nwas O\n\nin B-LOC\nParis I-LOC\n",
                    "b.conll": "Ada O\nwas O\n\nin O\nParis S-LOC\n"}, "Ada"),
    "tag columns": Reader(
        lambda path: readers.read_tags(*((path, name) for name in ("gold", "a", "b"))),
        {"x.tsv": "token\tgold\ta\tb\nAda\tB-PER\tO\tI-PER\nwas\tO\tO\tO\n\nin\tO\tB-X\tO\n"},
        "Ada"),
    "plain labels": Reader(lambda *paths: readers.read_tags(*paths, scheme="plain"),
                           {"gold.txt": "Ada NN\nwas VB\n\nin IN\n",
                            "a.txt": "Ada NN\nwas NN\n\nin IN\n"}, "Ada"),
    "spans": Reader(
        readers.read_spans,
        {"x.jsonl": '{"document": "d1", "start": 0, "end": 2, "label": "PER"}\n{"document": "d2"}\n'
                    '{"document": "d1", "start": 1, "end": 5, "label": "LOC"}\n'}, "d1", True),
    "standoff": Reader(readers.read_spans,
                       {"d1.ann": "T1\tPER 0 2\tAda\n#1\tnote T1\tx\nT2\tLOC 1 5\tParis\n"},
                       "Ada", True),
    "responses": Reader(responses.read_responses,
                        {"a.tsv": "image-0913\timage-0920\nimage-1\timage-2\nimage-5\timage-6\n"},
                        "image-0913", True),
    "responses with documents": Reader(lambda path: responses.read_responses(path, documents=True),
                                       {"a.tsv": "d1\t0\t2\tPER\nd1\t4\t5\tLOC\nd2\t1\t2\tPER\n"},
                                       "d1", True),
    "scores": Reader(lambda path: readers.read_table(path, cluster="doc"),
                     {"x.csv": "id,doc,a,b\nq1,x,0.5,0.75\nq2,x,1,0.5\nq3,y,0,0\n"}, "q1"),
    "long scores": Reader(readers.read_table,
                          {"x.csv": "system,id,score\na,q1,0.5\na,q2,1\nb,q1,0.25\nb,q2,0.5\n"},
                          "q1"),
    "scores of files": Reader(readers.read_table,
                              {"a.csv": "id,score\nq1,0.5\nq2,1\n",
                               "b.csv": "id,score\nq2,0.5\nq1,0.75\n"}, "q1"),
    "counts of a table": Reader(
        readers.read_table,
        {"x.tsv": "id\tgold\ttp_a\tpredicted_a\ttp_b\tpredicted_b\n"
                  "d1\t6\t3\t5\t4\t5\nd2\t3\t2\t2\t2\t3\n"}, "d1"),
    "labels": Reader(readers.read_table,
                     {"x.csv": "id,gold,a,b\nq1,x,x,y\nq2,y,y,y\nq3,x,y,x\n"}, "q1"),
    "numbers": Reader(readers.read_table, {"a.txt": "0.5\n1\n0.25\n", "b.txt": "0.25\n1\n0.5\n"}),
    "samples": Reader(lambda *paths: written.read_samples([*paths]),
                      {"a.jsonl": '{"doc_id": "q1", "acc": 1.0}\n{"doc_id": "q2", "acc": 0.25}\n',
                       "b.jsonl": '{"doc_id": "q2", "acc": 0.5}\n{"doc_id": "q1", "acc": 0.75}\n'},
                      "q1"),
    "counts in TOML": Reader(
        counts.read_counts,
        {"x.toml": "gold = 9\nonly_a_correct = 4\nonly_b_correct = 1\nname_a = 'I'\n"}),
    "counts in JSON": Reader(
        counts.read_counts,
        {"x.json": '{"gold": 9,\n"only_a_correct": 4,\n"only_b_correct": 1,\n"name_a": "I"}\n'}),
}  # fmt: skip

each = pytest.mark.parametrize("name", READERS)


def plain(found: Any) -> Any:
    if not isinstance(found, readers.Table):
        return found
    systems = {name: np.asarray(own).tolist() for name, own in found.systems.items()}
    return SimpleNamespace(**{**vars(found), "systems": systems, "called": ""})


def write(name: str, change: Change = bytes, others: Change = bytes) -> list[Path]:
    """The files of a reader, the first one changed, in a new folder."""
    folder = Path(str(len(list(Path().iterdir()))))
    folder.mkdir()
    paths = [folder / file for file in READERS[name].files]
    for i, (path, text) in enumerate(zip(paths, READERS[name].files.values(), strict=True)):
        path.write_bytes((others if i else change)(text.encode()))
    return paths


def read(name: str, change: Change = bytes) -> Any:
    return plain(READERS[name].read(*write(name, change, change)))


def refused(name: str, change: Change) -> str:
    """The message, in which `FILE` stands for the first file."""
    paths = write(name, change)
    message = written.refusal(READERS[name].read, *paths)
    assert str(paths[0]) in message
    return message.replace(str(paths[0]), "FILE")


# ---- traps ---------------------------------------------------------------------------------
BOM = b"\xef\xbb\xbf"

TRAPS: dict[str, Change] = {
    "no final line end": lambda data: data.removesuffix(b"\n"),
    "byte order mark and CRLF": lambda data: BOM + data.replace(b"\n", b"\r\n"),
    "blank lines at the end": lambda data: data + b"\n\n  \n",
    "blank lines at the beginning": lambda data: b"\n\n" + data,
    "blank lines after a byte order mark": lambda data: BOM + b"\r\n\n" + data,
}


@each
@pytest.mark.parametrize("trap", TRAPS)
def test_trap_makes_no_difference(name, trap):
    assert read(name, TRAPS[trap]) == read(name)


@pytest.mark.parametrize("name", [name for name in READERS if name != "standoff"])
def test_standard_input(name, monkeypatch):
    """The first file comes from there; what is named after a file is named after it."""
    paths = write(name)
    data = io.BytesIO(paths[0].read_bytes())
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(data, encoding="ascii"))
    found, expected = plain(READERS[name].read("-", *paths[1:])), read(name)
    if isinstance(expected, SimpleNamespace):
        for table in (found, expected):
            table.systems = list(table.systems.values())
    assert found == expected


#: What may stand in the place of a separator, for one reader or several.
SEPARATORS = {
    "tags": [(" ", "\t"), (" ", "    "), (" ", " NNP "), ("\n\n", "\n\n \n")],
    "tag columns": [("\t", " "), ("\t", "   "), ("\n\n", "\n\t\n")],
    "plain labels": [(" ", "\t"), (" ", "   ")],
    "scores": [(",", "\t"), (",", ";"), (",x,", ',"x",')],
    **dict.fromkeys(("long scores", "scores of files", "labels"), ((",", "\t"), (",", ";"))),
    "counts of a table": [("\t", ","), ("\t", ";")],
    **dict.fromkeys(("spans", "samples"), ((", ", ",\t"), ("{", " { "))),
    "counts in TOML": [(" = ", "="), (" = ", "\t=\t")],
    "counts in JSON": [(": ", ":\t"), (",", "  ,\t")],
    "numbers": [("1\n", " 1 \n"), ("0.5", "+5e-1")],
}


@pytest.mark.parametrize("name", SEPARATORS)
def test_tabs_or_spaces(name):
    for old, new in SEPARATORS[name]:
        pair = old.encode(), new.encode()
        found = read(name, lambda data, pair=pair: data.replace(*pair))
        assert found == read(name), pair


@pytest.mark.parametrize("trap", ["#", "# ", "é\u2028\u00a0"])
@pytest.mark.parametrize("name", [name for name, reader in READERS.items() if reader.mark])
def test_text_that_begins_with_number_sign(name, trap):
    """A token, an id, a response: it is no comment, and nothing is cut at odd spaces."""
    if trap == "# " and name in ("tags", "plain labels"):  # there a space separates the columns
        return
    mark = READERS[name].mark or ""
    found = read(name, lambda data: data.replace(mark.encode(), (trap + mark).encode()))
    assert repr(found).replace(repr(trap)[1:-1] + mark, mark) == repr(read(name))


# ---- mistakes --------------------------------------------------------------------------------
@each
@pytest.mark.parametrize("content", [b"", BOM + b" \r\n\t\n"])
def test_file_with_nothing_in_it(name, content):
    reader = READERS[name]
    if reader.may_be_empty:
        assert not [own for own in read(name, lambda data: content) if own not in ("d1",)]
    else:
        assert refused(name, lambda data: content).startswith(("FILE: ", "FILE line "))


def test_numbers_and_names_of_samples_that_are_hardly_any():
    """A double of 1e308 is a whole number, but no 64-bit integer; half a pair names no metric."""
    paths = [
        written.text_file(f'{{"doc_id": 0, "\\ud800": 1.0, "acc": {score}}}\n', f"{score}.jsonl")
        for score in ("1e308", "9007199254740992")
    ]
    found = written.read_samples(paths)
    assert found.columns == ("acc",)
    assert [values.tolist() for values in found.systems.values()] == [[1e308], [2.0**53]]
