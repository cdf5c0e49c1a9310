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
    assert any(row[:5] == ["x", "1.9375", "+1", "3.05e-05", "6.10e-05"] for row in rows)
    assert any(row[:5] == ["y", "0.9375", "0", "1", "1"] for row in rows)
    assert lines[-1] == systems.signature
