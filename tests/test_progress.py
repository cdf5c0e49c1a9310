"""The progress bar of the command line."""

from __future__ import annotations

import pytest

from csig.progress import ProgressBar


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
