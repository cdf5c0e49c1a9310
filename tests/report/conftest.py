"""Three systems in a table, and what ``csig compare`` makes of it."""

from pathlib import Path

import pytest
from remembered import generators, tails

from csig.answers.gathering import gathered
from csig.comparing.options import Options
from csig.comparing.summary import Summary, Systems
from csig.readers.request import Request

OPTIONS = Options(
    metrics=(), alternative="two-sided", method="auto", n_resamples=2**14, seed=5,
    bit_generator=None, threads=1, zero_division=0, pvalue_confidence=0.95, alpha=0.05,
)  # fmt: skip


@pytest.fixture(scope="module", autouse=True)
def _remembered():
    with generators(), tails():
        yield


@pytest.fixture
def options() -> Options:
    return OPTIONS


@pytest.fixture(scope="session")
def table(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Scores of 16 units in four clusters; x is better than base on each, y on every second."""
    path: Path = tmp_path_factory.mktemp("table") / "t.csv"
    rows = [f"q{i},c{i % 4},{i % 3},{i % 3 + 1},{i % 3 + (-1) ** i}" for i in range(16)]
    path.write_text("\n".join(["id,story,base,x,y", *rows, ""]), encoding="utf-8")
    return str(path)


@pytest.fixture(scope="session")
def systems(table: str) -> Systems:
    found = gathered(Request(files=(table,), ignore=("story",)), OPTIONS)
    assert isinstance(found, Systems)
    return found


@pytest.fixture(scope="session")
def summary(table: str) -> Summary:
    found = gathered(Request(files=(table,), system=("base", "x"), ignore=("story",)), OPTIONS)
    assert isinstance(found, Summary)
    return found
