"""Progress: a bar on a terminal, lines where somebody asked, nothing else; no clock but our own."""

import io
from typing import Any

import pytest

import csig
from csig.base.errors import InputError
from csig.base.progress import ProgressBar, announce, announces, asked, shown


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class Clock:
    """Seconds that pass when they are told to."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_a_bar_on_a_terminal_after_a_second_that_vanishes(clock: Clock) -> None:
    stream = Terminal()
    with ProgressBar("Testing", stream=stream, clock=clock) as bar:
        assert bar.wanted
        bar(1, 100)
        assert stream.getvalue() == ""  # most runs end before anybody waits
        clock.now += 1
        bar(2, 100)
        first = stream.getvalue()
        assert first.startswith("\rTesting   2% #")
        assert first.endswith(" 0:49 left")
        assert len(first) <= 80
        clock.now += 0.01
        bar(3, 100)
        assert stream.getvalue() == first  # not more often than one can see
        clock.now += 49
        bar(50, 100)
        assert stream.getvalue().endswith(" 0:50 left")
    last = stream.getvalue().split("\r")
    assert not last[-2].strip()
    assert len(last[-2]) >= len(last[-3].rstrip())
    assert last[-1] == ""


def test_nothing_in_a_file_or_a_pipe_or_where_it_is_not_wanted(clock: Clock) -> None:
    stream = io.StringIO()
    with ProgressBar(stream=stream, clock=clock) as bar:
        assert not bar.wanted
        clock.now += 1000
        bar(1, 2)
    assert stream.getvalue() == ""
    with asked(False):
        assert not ProgressBar(stream=Terminal()).wanted
    assert ProgressBar(stream=Terminal()).wanted


def test_a_line_every_ten_seconds_where_somebody_asked(clock: Clock) -> None:
    """Many short runs are one long one."""
    stream = io.StringIO()
    with asked(True), ProgressBar("Auditing", stream=stream, clock=clock) as bar:
        assert bar.wanted
        for _ in range(125):
            clock.now += 0.25
            bar(int(clock.now) - 100, 100)
    assert stream.getvalue().splitlines() == [
        "csig: auditing, 10% done, 1:30 left",
        "csig: auditing, 20% done, 1:20 left",
        "csig: auditing, 30% done, 1:10 left",
    ]
    with asked(True):
        for _ in range(9):
            with ProgressBar(stream=stream, clock=clock) as bar:
                for i in range(8):
                    clock.now += 0.5
                    bar(i, 8)
    assert stream.getvalue().count("csig: testing") == 3


def test_true_in_python_shows_it_wherever_it_goes(capsys: pytest.CaptureFixture[str]) -> None:
    with shown(True, "Training") as bar:
        assert isinstance(bar, ProgressBar)
        assert bar.wanted
        bar.show(1, 4)
        bar.show(0, 4)
        bar.show(0, 0)
    assert capsys.readouterr().err.splitlines() == [
        "csig: training, 25% done, 0:00 left", "csig: training, 0% done",
        "csig: training, 0% done",
    ]  # fmt: skip


def test_what_else_may_be_given() -> None:
    calls: list[tuple[int, int]] = []
    with shown(lambda done, total: calls.append((done, total))) as bar:
        assert bar is not None
        bar(1, 2)
    with shown(None) as bar:
        assert bar is None
    assert calls == [(1, 2)]
    with pytest.raises(InputError, match="progress must be True or a function"):
        csig.randomization_test(csig.Comparison.from_scores([1], [0]), "mean", progress=3)  # type: ignore[call-overload]


def test_what_will_take_long_is_announced_in_commands_alone(capsys: Any) -> None:
    assert not announces()
    announce("3 flips", 1e9)
    assert capsys.readouterr().err == ""
    with asked(None):
        for seconds, said in (
            (9.9, ""), (10, "10 seconds"), (89, "89 seconds"), (90, "2 minutes"),
            (3600, "60 minutes"), (10_800, "3 hours"), (100 * 86_400, "100 days"),
            (3e10, "950 years"),
        ):  # fmt: skip
            announce("63 shuffles", seconds)
            whole = f"csig: 63 shuffles take about {said}\n"
            assert capsys.readouterr().err == (whole if said else "")
        announce("3 flips", 60, "fewer take less")
    assert capsys.readouterr().err == "csig: 3 flips take about 60 seconds; fewer take less\n"
    for wanted, said in ((None, True), (True, True), (False, False)):
        with asked(wanted):
            assert announces() == said


def test_a_narrow_terminal_hours_and_a_stream_that_is_closed(clock: Clock, monkeypatch) -> None:
    stream = Terminal()
    with ProgressBar(stream=stream, clock=clock) as bar:
        clock.now += 1
        bar(1, 3662)
        assert stream.getvalue().endswith(" 1:01:01 left")
        stream.close()
        clock.now += 2
        bar(2, 3662)
        assert not bar.wanted
    monkeypatch.setenv("COLUMNS", "20")
    stream = Terminal()
    bar = ProgressBar(stream=stream, clock=clock)
    clock.now += 4000
    bar(1, 2)
    assert 0 < len(stream.getvalue()) <= 20
