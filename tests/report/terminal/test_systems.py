"""Three systems on a terminal."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from csig.report.systems import Systems
from csig.report.terminal.systems import print_systems


@pytest.mark.parametrize("width", [60, 100, 160])
def test_every_system_has_its_row(systems: Systems, width: int) -> None:
    file = io.StringIO()
    print_systems(Console(file=file, width=width), systems)
    text = file.getvalue()
    lines = text.splitlines()
    assert max(map(len, lines[:-1])) <= width
    rows = [line.split() for line in lines]
    won, lost = (["16", ":", "0"], ["8", ":", "8"]) if width >= 80 else ([], [])
    x = ["x", "1.9375", "+1", *won, "3.05e-05", "6.10e-05"]
    y = ["y", "0.9375", "0", *lost, "1", "1"]
    for row in (x, y):
        assert row in [own[: len(row)] for own in rows]
    assert lines[-1] == systems.signature
