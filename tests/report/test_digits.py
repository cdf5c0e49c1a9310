"""The same score has the same digits on every command."""

import re

import numpy as np
import pytest
from commands import run

SHAPES = [
    (n, mean, spread, 10.0**power)
    for n, mean, spread in ((12, 3.0, 1.0), (60, 12.0, 5.0), (300, -4.0, 0.5), (40, 0.6, 0.3))
    for power in (-2, 0, 3)
]


def printed(text: str, name: str) -> str:
    """The first number in the row of a system."""
    row = re.search(rf"^{name}  +(-?\d[\d.,]*)", text, re.MULTILINE)
    assert row is not None
    return row[1]


@pytest.mark.parametrize(("n", "mean", "spread", "unit"), SHAPES)
def test_a_mean_has_the_same_digits_everywhere(n, mean, spread, unit, tmp_path):
    """Of scores that are no shares; those of systems rest on about the same intervals."""
    rng = np.random.default_rng(n)
    names = ["base", "newer", "other"]
    table = unit * (rng.normal(mean, spread, (n, 1)) + rng.normal(0, spread / 2, (n, 3)))
    lines = [",".join(["id", *names])]
    lines += [f"q{i}," + ",".join(f"{x:.6g}" for x in row) for i, row in enumerate(table)]
    path = tmp_path / "s.csv"
    path.write_text("\n".join(lines) + "\n")
    texts = [run(command, str(path)) for command in ("compare", "interval", "systems")]
    for name in names:
        assert len({printed(text, name) for text in texts}) == 1
