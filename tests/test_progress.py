"""The progress bar of the command line."""

from __future__ import annotations

import pytest

from csig.progress import ProgressBar, shown


def test_no_progress_bar_unless_stderr_is_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with ProgressBar() as bar:
        assert bar.wanted is False
        bar(1, 100)
        assert bar.bar is None
        bar.start -= 10
        bar(2, 100)
        assert bar.bar is not None
        bar(3, 100)
        assert bar.bar.tasks[0].completed == 3
    assert "Shuffling" not in capsys.readouterr().out


def test_a_bar_says_what_takes_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ProgressBar, "PATIENCE", 0.0)
    with shown(True, "Training") as bar:
        assert isinstance(bar, ProgressBar)
        bar(1, 2)
        assert bar.bar is not None
        assert getattr(bar.bar.columns[0], "text_format", None) == "Training"
