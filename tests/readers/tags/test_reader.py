"""Tokens with tags as a format: which files have them, which columns, and what they give."""

from __future__ import annotations

import shlex
import tracemalloc
from dataclasses import replace
from pathlib import Path

import pytest
from commands import write
from written import refusal

from csig.base.errors import Refusal
from csig.data.responses import Span
from csig.readers import forms
from csig.readers.data import ResponseData, TableData
from csig.readers.forms import form_of
from csig.readers.request import OptionError, Request
from csig.readers.tags import read as reading
from csig.readers.tags.file import Text
from csig.readers.tags.read import column_remedies, tag_columns, tagged

ROWS = "w gold x y", "Eve B-PER O B-PER", "ran O O O", "", "Rome B-LOC B-LOC O"
GOLD = "Ada\tB-PER\nwas\tO\n\nin\tO\nParis\tB-LOC\n"


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def read(*files: str, **options: object):
    return reading.read(Request(files, **options), ())


# ---- recognising -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (GOLD, True),
        ("0\tB-PER\tO\tI-PER\n0\tI-PER\tO\tI-PER\n1\tI-LOC\tI-LOC\tO\n", True),
        ("# token\ttag\n" + GOLD, True),
        ("#token O\nb O\n", True),
        ("-DOCSTART-\n\n" + GOLD, True),
        ("-DOCSTART- O\n# newdoc id = x\na O\n", True),
        ("-DOCSTART-\n\na B-X\n", False),
        ("\tO\n", True),
        ("a\tO \n\u3000\n", True),
        ("a U-X\nb M-X\nc _\nd O\n", True),
        ("a O\nb x O\n", True),  # a mistake, which the reader is to name
        ("#one\na O\nb x O\n", True),
        ("", False),
        ("\n \n", False),
        ("O\nO\n", False),
        ("a B-X\nb I-X\n", False),
        ("a _\nb _\n", False),
        ("a O\nb NNP\n", False),
        ("a O\nb\n", False),
        ("# NN = O\na b B-X\n", False),  # a comment
        ("a O\n# token tag\n", False),  # a header is the first row
        ("token tag\na O\n", False),
        ("doc-1\t12\t14\tPER\n", False),
        ("gold = 103\n", False),
        ("351 Q0 d1 1 2.5 O\n351 Q0 d2 2 2.0 run\n", False),
    ],
)
@pytest.mark.parametrize("above", [0, 5000])
def test_tagged(text, expected, above):
    """Every row counts, wherever it stands."""
    path = write("x.txt", text.removesuffix("\n"))
    assert tagged(path) is expected
    if above and text.strip() and not text.startswith(("# NN", "#one")):
        assert tagged(write("y.txt", *["a B-X", ""] * above, text)) is (
            expected and "# t" not in text
        )
        assert tagged(write("z.txt", text, *["a B-X", ""] * above)) is expected


def test_files_that_are_no_text_or_large():
    assert "NUL byte" in refusal(tagged, write("x.txt", "a\0b"))
    path = write("numbers.txt", *["0.1234"] * 300_000)
    tracemalloc.start()
    try:
        assert not tagged(path)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 6 * 7 * 300_000


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (ROWS, ["gold", "x", "y"]),
        (("# w gold pos x", "a O N O", "b B-X V I-X"), ["gold", "x"]),
        (("w\tgold\tMISC\tB", "a\tO\t_\tO", "b\tB-X\t_\tB-X"), ["gold", "B"]),
        (("# newdoc id = x", "a O N O", "b B-X V I-X"), ["2", "4"]),
        (("a O", "b O"), []),  # nothing is found
        (("a B-X", "b B-X"), []),
        (("w gold", "a O", "b B-X c"), []),
        ((), []),
    ],
)
def test_columns_with_tags(rows, expected):
    assert tag_columns(write("x.txt", *rows)) == expected


def test_a_file_is_read_once(monkeypatch):
    """What recognises files of tags has read them; where other rules are given they are read."""
    made = []
    monkeypatch.setattr(reading, "Text", lambda path: made.append(path) or Text(path))
    files = tuple(write(f"{name}.txt", GOLD) for name in "gab")
    one = forms.read(Request(files))
    assert (made, one.source.n_tokens) == ([*files], 4)
    other = forms.read(Request(files, rules="strict", scheme="IOB2"))
    assert (made, other.table.gold) == ([*files] * 2, one.table.gold)
    assert all(tagged(path) for path in files)
    assert reading.read_tags(*files).gold == reading.read_tags(*files).gold
    assert made == [*files] * 5


# ---- what is read ------------------------------------------------------------------------------


def test_columns_and_files_give_the_same():
    table = write("t.txt", *ROWS)
    files = [
        write(f"{name}.txt", "w tag", *(" ".join(row.split()[:: i or 1][:2]) for row in ROWS[1:]))
        for name, i in (("g", 1), ("x", 2), ("y", 3))
    ]
    one = read(table, gold_column="gold", system=("x", "y"))
    several = [read(*files, gold_column="tag", system=own) for own in (("tag",), ("tag", "2"))]
    several.append(read(*(write(path, *Path(path).read_text().split("\n")[1:]) for path in files)))
    assert one.table.gold == {0: [Span(0, 0, 1, "PER")], 1: [Span(1, 0, 1, "LOC")]}
    for other in several:
        assert (other.table.gold, other.names) == (one.table.gold, ("x", "y"))
        assert other.table.systems == one.table.systems
        assert other.source.columns is None
        assert list(other.source.files) == ["gold", "a", "b"]
    source = one.source
    assert source.files == {"columns": "t.txt"}
    assert (source.columns.gold, source.columns.a, source.columns.b) == ("gold", "x", "y")
    assert (source.n_sentences, source.n_tokens, source.cautions) == (2, 3, ())
    assert (source.rules, source.scheme, source.systems) == ("conlleval", None, ("t.txt",) * 2)
    strict = read(table, gold_column=2, system=("x",), rules="strict", scheme="IOB2").source
    assert (strict.rules, strict.scheme) == ("strict", "IOB2")
    three = read(table, gold_column="gold", system=("x", "y", "x"), document_column="w")
    assert (len(three.names), three.source.columns, three.source.n_documents) == (3, None, 3)
    twice = read(table, gold_column="gold", system=("x", "x")).source
    assert twice.cautions == ("A and B are the same column.",)
    same = write("s.txt", "a O")
    assert read(same, same, same).source.cautions == ("A and B are the same file.",)


def test_plain_labels_are_a_table():
    files = [write(f"{name}.txt", "an N", "by P") for name in ("g", "a", "b")]
    data = read(*files, scheme="plain", positive="N")
    assert isinstance(data, TableData)
    assert (data.called, data.table.clusters) == (("token", "sentence"), ["0", "0"])
    assert data.metrics(()) == ["recall", "precision", "f1"]


# ---- columns that are lacking ------------------------------------------------------------------

HIPE = "TOKEN\tLIT\tFINE\tMISC", "a\tB-X\tB-Y\t_", "b\tO\tO\tEndOfLine"


@pytest.mark.parametrize(
    ("rows", "n", "given", "found", "ways"),
    [
        (ROWS, 1, {}, "one file with tags needs --gold-column and the systems' columns",
         ["--gold-column gold --system x --system y"]),
        (ROWS, 1, {"gold_column": "x"}, "one file with tags needs", ["--system y"]),
        (ROWS, 1, {"system": ("x", "y")}, "one file with tags needs", ["--gold-column gold"]),
        (ROWS, 1, {"scheme": "plain"}, "one file with tags needs", []),
        (HIPE, 1, {}, "one file with tags needs", ["--gold-column LIT --system FINE"]),
        (HIPE, 3, {}, "line 1: found the tag 'MISC'",
         ["--gold-column LIT --system LIT", "--gold-column FINE --system FINE"]),
        (HIPE, 3, {"gold_column": "LIT"}, "the gold's column is named, but not the systems'",
         ["--system LIT"]),
        (HIPE, 3, {"gold_column": "2"}, "the gold's column", ["--system LIT", "--system FINE"]),
        (HIPE, 3, {"system": ("LIT",)}, "the systems' columns are named, but not the gold's",
         ["--gold-column LIT", "--gold-column FINE"]),
        (HIPE, 4, {"gold_column": "LIT", "system": ("LIT", "FINE")},
         "found 2 columns for 3 systems, expected one that all", ["--system LIT"]),
    ],
)  # fmt: skip
def test_the_columns_that_are_lacking(rows, n, given, found, ways):
    """What a refusal offers is read."""
    files = [write(f"{name}.txt", *rows) for name in "gabc"[:n]]
    with pytest.raises(Refusal) as refused:
        read(*files, **given)
    assert found in refused.value.found
    remedies = [own for own in refused.value.remedies if own.options[0] != "--scheme"]
    assert [shlex.join(own.options) for own in remedies] == ways
    for own in remedies:
        options = {name: value for name, value in given.items() if f"--{name}" not in own.without}
        for option, value in zip(own.options[::2], own.options[1::2], strict=True):
            name = option[2:].replace("-", "_")
            options[name] = (*options.get(name, ()), value) if name == "system" else value
        assert isinstance(read(*files, **options), ResponseData)


def test_columns_of_different_names():
    names = ("gold", "crf", "bert")
    files = [write(f"{name}.txt", f"w {name}", "u O", "v B-X") for name in names]
    (own,) = column_remedies(files)
    assert own.options == ("--gold-column", "gold", "--system", "crf", "--system", "bert")
    (own,) = column_remedies(files, "gold")
    assert own.options == ("--system", "crf", "--system", "bert")
    with pytest.raises(OptionError, match="--match is for several files"):
        read(files[0], match="token", gold_column="gold")


ALL_INSIDE = "w\tgold\tx\ty", "a\tB-P\tB-P\tI-P", "b\tI-P\tB-P\tI-P", "c\tB-Q\tI-Q\tS-Q"


@pytest.mark.parametrize(
    ("n", "cell", "systems", "expected"),
    [
        (1, "B-P", ("x", "y"), None),
        (3, "B-P", ("x",), None),
        (3, "B-P", ("x", "y"), None),
        (1, "O", ("x", "y"), "tags"),
        (1, "B", ("x", "y"), "table"),  # a label of some other kind
        (1, "NN", ("x", "y"), "table"),
        (3, "NN", ("x",), "table"),
        (1, "B-P", (), "table"),
    ],
)
def test_declared_columns_without_any_o(n, cell, systems, expected):
    """Entities or labels: somebody must say it, and both are read then."""
    rows = [ALL_INSIDE[0], ALL_INSIDE[1].replace("B-P", cell), *ALL_INSIDE[2:]]
    files = tuple(write(f"{name}.tsv", *rows) for name in "gab"[:n])
    request = Request(files, gold_column="gold", system=systems)
    if expected is not None:
        assert form_of(request) == expected
        return
    with pytest.raises(Refusal, match="column 'gold' has the tag of an entity, none has O") as no:
        form_of(request)
    entities, labels = (own.options for own in no.value.remedies)
    assert entities == ("--format", "tags")
    assert labels == (("--format", "labels") if n == 1 else ("--scheme", "plain"))
    found = forms.read(replace(request, format="tags"))
    assert isinstance(found, ResponseData)
    assert len(found.table.gold[0]) == 2
    found = forms.read(replace(request, **{labels[0][2:]: labels[1]}))
    assert isinstance(found, TableData)
    assert found.table.gold == ["B-P", "I-P", "B-Q"]
