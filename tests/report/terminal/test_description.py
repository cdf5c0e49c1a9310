"""A description on a terminal."""

from __future__ import annotations

import io

from rich.console import Console

from csig.readers.describe import describe
from csig.readers.recognise import read
from csig.readers.request import Request
from csig.report.terminal.description import print_description


def test_systems_with_their_scores(table: str) -> None:
    description = describe(read(Request(files=(table,)), ()))
    file = io.StringIO()
    print_description(Console(file=file, width=100), description)
    lines = [line.split() for line in file.getvalue().splitlines()]
    for name, mean in (("base", "0.9375"), ("x", "1.9375"), ("y", "0.9375")):
        assert any(line == [name, mean] for line in lines)
