"""Consoles: their width, and what goes to a file."""

from __future__ import annotations

import io

import pytest
from rich.console import Console
from rich.text import Text

from csig.report.terminal.console import (
    PIPED_WIDTH,
    make_console,
    name_headers,
    print_cautions,
    print_words,
    printer,
    widest,
)


def test_a_pipe_has_its_width_unless_somebody_says_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    assert make_console(io.StringIO()).width == PIPED_WIDTH
    monkeypatch.setenv("COLUMNS", "50")
    assert make_console(io.StringIO()).width == 50
    monkeypatch.setenv("COLUMNS", "0")
    assert make_console(io.StringIO()).width == 80


def test_names_without_room_are_a_and_b() -> None:
    assert name_headers(("one", "two"), 12) == ["one", "two"]
    assert name_headers(("one", "two"), 11) == ["A", "B"]
    assert name_headers(("two words", "x" * 9), 18) == ["two words", "x" * 9]
    assert name_headers(("two words", "x" * 9), 15) == ["two\nwords", "x" * 9]


def test_the_widest_line() -> None:
    assert widest(["a", "bcd\nef"]) == 3


def test_no_cautions_print_nothing() -> None:
    file = io.StringIO()
    print_cautions([], Console(file=file))
    assert file.getvalue() == ""


def test_lines_of_a_file_have_no_spaces_at_their_ends() -> None:
    file = io.StringIO()

    @printer
    def show(console: Console) -> None:
        console.print(Text("a" + 5 * " "), end="   \n")

    show(Console(file=file, width=20))
    assert file.getvalue() == "a\n"


def test_the_signature_is_never_folded() -> None:
    file = io.StringIO()
    print_words(["s " * 30], ["n"], "word " * 30, Console(file=file, width=20))
    assert ("word " * 30).strip() in file.getvalue()
