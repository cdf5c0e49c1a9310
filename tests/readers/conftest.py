"""Where files for readers are."""

from collections.abc import Callable
from pathlib import Path

import pytest
from written import text_file


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty folder, and a console of the usual width."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COLUMNS", raising=False)


@pytest.fixture
def write() -> Callable[[str, str], Path]:
    """Write a text file of this name, whose lines end as they are written."""
    return lambda name, text: Path(text_file(text, name)).resolve()
