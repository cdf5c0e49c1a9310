"""Documents on standard output: as wide and as colourful as it is."""

import dataclasses
import io
import json
import sys

import click
import pytest

from csig import InputError
from csig.cli.output import PIPED_WIDTH, Output, colourful, print_document, width_of
from csig.report.document import Cell, Column, Document, Rendering, Table

DOCUMENT = Document(
    title="new against base",
    verdict=["new beats base."],
    tables=[
        Table(
            name="results",
            columns=[Column("", "left"), Column("p")],
            rows=[[Cell("F1", "name", "better"), Cell("0.018", "pvalue")]],
        )
    ],
    explanation=["word " * 59 + "word"],
)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def _plain(monkeypatch):
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")


@pytest.mark.parametrize(
    ("file", "variables", "colours"),
    [
        (io.StringIO(), {}, False),
        (io.StringIO(), {"FORCE_COLOR": "1"}, True),
        (io.StringIO(), {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        (Terminal(), {}, True),
        (Terminal(), {"TERM": "dumb"}, False),
        (Terminal(), {"NO_COLOR": "1"}, False),
        (Terminal(), {"NO_COLOR": ""}, True),
    ],
)
def test_a_terminal_has_colours_unless_it_says_not(monkeypatch, file, variables, colours):
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert colourful(file) is colours


def test_how_wide(monkeypatch):
    assert width_of(io.StringIO()) == PIPED_WIDTH
    for columns, width in (("60", 60), ("20", 20), ("7", 80), ("many", PIPED_WIDTH)):
        monkeypatch.setenv("COLUMNS", columns)
        assert width_of(io.StringIO()) == width


@pytest.mark.parametrize("columns", [60, 80, 200])
def test_text_is_as_wide_as_the_terminal(monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setattr(sys, "stdout", file := Terminal())
    print_document(DOCUMENT, options=Rendering(explain=True))
    lines = file.getvalue().splitlines()
    assert lines[0] == "new beats base."
    assert columns * 0.85 <= max(map(len, lines)) <= columns or columns == 200
    assert max(map(len, lines)) <= 90  # prose
    assert "\x1b[" in file.getvalue()


def test_text_in_a_pipe_has_no_escapes(monkeypatch):
    monkeypatch.setattr(sys, "stdout", file := io.StringIO())
    print_document(DOCUMENT)
    assert file.getvalue() == "new beats base.\n\n        p\nF1  0.018\n"
    monkeypatch.setattr(sys, "stdout", None)  # closed
    print_document(DOCUMENT)


def test_csv_has_its_doubts_and_notes_on_standard_error(capfdbinary):
    document = Document(title="", doubts=["a\nb"], notes=["c"], rows=[{"p": 0.5}])
    print_document(document, "csv")
    out, err = b"p\r\n0.5\r\n", b"csig: caution: a\\nb\ncsig: note: c\n"
    assert capfdbinary.readouterr() == (out, err)
    print_document(document, "json")
    assert capfdbinary.readouterr().err == b""


def test_what_is_printed_and_written(tmp_path, capsys, monkeypatch):
    path, made = tmp_path / "found.json", []

    def make():
        made.append(1)
        return 7, dataclasses.replace(DOCUMENT, record=lambda: {"schema": "csig.some"})

    Output().give(make, ())
    assert capsys.readouterr().out.startswith("new beats base.")
    Output(json_path="-", output_format="csv").give(make, ())
    assert json.loads(capsys.readouterr().out) == {"schema": "csig.some"}
    Output(json_path=str(path), output_format="markdown").give(make, ())
    assert capsys.readouterr().out.startswith("## new against base")
    assert json.loads(path.read_text(encoding="utf-8")) == {"schema": "csig.some"}
    n = len(made)
    with pytest.raises(InputError, match="found"):
        Output(json_path=str(path)).give(make, [str(path)])
    monkeypatch.setattr(sys, "stdout", None)
    with pytest.raises(click.UsageError, match="standard output is closed; give --json FILE"):
        Output(json_path="-").give(make, ())
    assert len(made) == n
    Output(json_path=str(path)).give(make, ())
    assert len(made) == n + 1
