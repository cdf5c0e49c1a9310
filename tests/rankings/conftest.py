"""The verb pairs of Evert and Krenn."""

import csv
from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.fixture(name="krenn", scope="session")
def krenn_fixture(shared_data: Callable[[str], Path]) -> dict[str, list[float]]:
    """True ones and all scores, by column."""
    path = shared_data("krenn_ppv_ranking") / "KrennPPV.csv"
    with path.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    names = ["is.colloc", "freq", "MI", "Dice", "z.score", "t.score", "chisq", "chisq.corr",
             "log.like", "Fisher"]  # fmt: skip
    return {name: [float(row[name]) for row in rows] for name in names}
