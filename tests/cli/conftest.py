"""Where commands run, and small files of every format for them."""

from pathlib import Path

import pytest
from brute import PAPER
from commands import write
from remembered import generators, margins, tails


@pytest.fixture(scope="module", autouse=True)
def _remembered():
    with generators(), tails(), margins():
        yield


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty folder, and a console of the usual width."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COLUMNS", raising=False)


@pytest.fixture
def small_files(_folder: None) -> None:
    """Yeh's counts, responses, tags in files and in columns."""
    write("yeh.toml", *(f"{key} = {value}" for key, value in PAPER.items()))
    write("gold.tsv", "d1\t1\tx", "d1\t4\ty", "d2\t2\tx", "d2\t9\ty")
    write("one.tsv", "d1\t1\tx", "d1\t4\ty", "d2\t2\tz")
    write("two.tsv", "d1\t1\tx", "d2\t3\tx")
    write("empty.tsv")
    write("gold.conll", "a\tB-X", "b\tI-X", "c\tO", "", "d\tB-Y", "e\tO")
    write("one.conll", "a\tB-X", "b\tI-X", "c\tO", "", "d\tB-X", "e\tO")
    write("two.conll", "a\tB-X", "b\tB-X", "c\tO", "", "d\tB-Y", "e\tO")
    write("tags.tsv", "gold\tcrf\tbert", "B-X\tB-X\tB-Y", "O\tO\tO", "", "I-X\tO\tS-X", "O\tB-X\tO")


@pytest.fixture
def scores(_folder: None) -> None:
    """Twenty units of two systems."""
    write("t.csv", "id,a,b", *(f"q{i},{i % 3 / 2},{i % 5 / 4}" for i in range(20)))
