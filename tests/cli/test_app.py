"""The command line as a process: Ctrl-C and other signals, readers that leave, full disks."""

import itertools
import os
import re
import signal
import subprocess
import sys

import pytest
from children import MAIN, command_line, needs_posix, python
from commands import both, record, run, write

import csig
from csig.base.progress import ProgressBar

pytestmark = pytest.mark.usefixtures("small_files")

COUNTS = ("compare", "--counts", "yeh.toml")
FEW = (*COUNTS, "--method", "approximate", "--resamples", "256", "--seed", "1")


def test_an_unknown_command_and_no_command():
    assert run("frob", status=2) == "csig: No such command 'frob'; try 'csig --help'\n"
    assert "No such command 'comprae' (did you mean 'compare'?); try" in run("comprae", status=2)
    said = run("compare", "--metrc", "f1", status=2)
    assert "No such option '--metrc' (did you mean --metric?); try" in said
    assert "compare" in run()
    assert run("help") == run("--help") == run()
    assert run("help", "compare") == run("compare", "--help")
    assert "No such command 'comprae' (did you mean 'compare'?)" in run("help", "comprae", status=2)
    said = run("yeh.toml", "a b.csv", "--metric", "f1", status=2)
    assert said.splitlines() == [
        "csig: no command before 'yeh.toml'", "  csig compare yeh.toml 'a b.csv' --metric f1",
    ]  # fmt: skip
    assert run("--version") == f"csig {csig.__version__}\n"


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT for a child on Windows")
def test_ctrl_c():
    # The first report of progress presses the keys: the shuffles run, and nothing waits for them.
    # A child of a background job ignores SIGINT unless told otherwise.
    code = (
        "import os, signal\n"
        "from csig.base.progress import ProgressBar\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "ProgressBar.__init__ = lambda bar: setattr(bar, 'wanted', True)\n"
        "ProgressBar.__exit__ = lambda *_: None\n"
        "ProgressBar.__call__ = lambda *_: os.kill(os.getpid(), signal.SIGINT)\n"
    )
    child = command_line(code, *COUNTS, "--method", "approximate", "--resamples", 2**46)
    announced, *said = child.stderr.splitlines()
    assert announced.startswith("csig: 70,368,744,177,664 shuffles of 86 responses take about ")
    assert (child.returncode, child.stdout, said) == (130, "", ["csig: interrupted"])


#: Comes while the comparison runs, when the file is open.
SEND = """
import os, signal
import csig.answers.gathering as c
run = c.gathered
def signalled(*given, **options):
    assert [name for name in os.listdir() if name.endswith(".tmp")]
    for name in {}:
        os.kill(os.getpid(), getattr(signal, name))
    return run(*given, **options)
c.gathered = signalled
"""


@needs_posix
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGINT"])
def test_a_signal_takes_the_temporary_file_along(name):
    before = sorted(os.listdir())
    done = command_line(
        SEND.format([name]), *COUNTS, "--json", "r.json",
        preexec_fn=lambda: signal.signal(getattr(signal, name), signal.SIG_DFL),
    )  # fmt: skip
    assert done.returncode == 128 + getattr(signal, name)
    assert (done.stdout, done.stderr) == ("", "csig: interrupted\n")
    assert sorted(os.listdir()) == before


RAISE = "raise KeyboardInterrupt"
KILL = "import os, signal; os.kill(os.getpid(), signal.SIGINT)"
WRAP = f"try:\n    {KILL}\nexcept BaseException:\n    raise ImportError from None"


@needs_posix
@pytest.mark.parametrize(
    ("module", "what"),
    [("click", RAISE), ("click", WRAP), ("numpy", KILL), ("numpy", WRAP), ("scipy", KILL)],
)
def test_ctrl_c_while_importing(module, what):
    """Whether it is raised, sent, or sent to compiled code that makes an ImportError of it."""
    write(f"fake/{module}/__init__.py", what)
    done = command_line(
        "", *FEW, paths=["fake"],
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "csig: interrupted\n")


@needs_posix
def test_what_nohup_and_background_jobs_ignore_is_ignored():
    """A shell without job control starts these without Ctrl-C."""
    names = ["SIGHUP", "SIGINT"]
    done = command_line(
        SEND.format(names), *FEW, "--json", "r.json",
        preexec_fn=lambda: [signal.signal(getattr(signal, n), signal.SIG_IGN) for n in names],
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


@needs_posix
@pytest.mark.parametrize("arguments", [COUNTS, ("compare", "--help")])
def test_output_that_is_closed(arguments):
    """1 would say that something differs or fails, 0 that all was written."""
    reading, writing = os.pipe()
    os.close(reading)
    done = command_line("", *arguments, stdout=writing)
    os.close(writing)
    assert (done.returncode, done.stderr) == (141, "")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
@pytest.mark.parametrize("arguments", [COUNTS, (*COUNTS, "--json", "-"), ("--help",)])
def test_output_that_is_full(arguments):
    with open("/dev/full", "w") as full:
        done = command_line("", *arguments, stdout=full)
    assert done.returncode == 2
    assert done.stderr.startswith("csig: the output cannot be written")
    assert done.stderr.count("\n") == 1


@needs_posix
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_output_that_is_closed_in_the_middle(unbuffered, monkeypatch):
    """A pipe takes 64 KiB; unbuffered, what it took is written without an error."""
    monkeypatch.setenv("PYTHONUNBUFFERED", unbuffered)
    write("long.csv", "id,a,b", *(f"q{i},{i % 2},{i % 3 % 2}" for i in range(8_000)))
    reading, writing = os.pipe()
    with subprocess.Popen(["head", "-c", "9"], stdin=reading, stdout=subprocess.PIPE) as head:
        os.close(reading)
        done = command_line("", "convert", "long.csv", "--output", "-", stdout=writing)
        os.close(writing)
        assert head.communicate()[0] == b"id,score_"
    assert (done.returncode, done.stderr) == (141, "")


@needs_posix
def test_a_closed_standard_output_is_noticed_before_the_work():
    done = command_line("", *COUNTS, stdout=None, preexec_fn=lambda: os.close(1))
    assert done.returncode == 2
    assert done.stderr.startswith("csig: standard output is closed; give --json FILE")


def test_without_the_extra():
    done = python("import sys; sys.modules['click'] = None" + MAIN)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "csig: the command line needs click: pip install 'csig-stats[cli]'\n"


def test_an_instruction_set_that_is_not_here():
    done = command_line("", *COUNTS, env={"CSIG_ISA": "mmx"})
    assert done.returncode == 2
    assert done.stderr.startswith("csig: CSIG_ISA=mmx: not available here")
    assert done.stderr.count("\n") == 1


def test_progress_is_said_in_a_log_where_somebody_asks(monkeypatch):
    seconds = itertools.count(step=20)
    defaults = ProgressBar.__init__.__kwdefaults__
    monkeypatch.setitem(defaults, "clock", lambda: float(next(seconds)))
    audit = ("audit", *COUNTS[1:], "--record", "-")
    for command, said in (((*FEW, "--metric", "f1"), "testing, "), (audit, "")):
        asked = (*command, "--resamples", 2**12)
        lines = both(*asked, "--progress")[1].splitlines()
        assert lines
        assert all(line.startswith(f"csig: {said}") for line in lines)
        for more in ((), ("--no-progress",)):
            assert both(*asked, *more)[1] == ""


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("compare", r"csig: 1,024 shuffles of \d+ responses take about \d+ seconds?"),
        ("audit", r"csig: 3 runs of 1,024 shuffles of \d+ responses take about \d+ seconds?"),
    ],
)
def test_what_a_long_run_will_take_is_said_before(monkeypatch, command, said):
    arguments = (command, *COUNTS[1:], "--resamples", 1024, "--seed", 1)
    method = ("--method", "approximate") if command == "compare" else ()
    assert both(*arguments, *method)[1] == ""  # the others are not long
    monkeypatch.setattr("csig.base.progress.LONG", 0.0)
    assert re.fullmatch(said, both(*arguments, *method)[1].rstrip("\n"))
    assert both(*arguments, *method, "--no-progress")[1] == ""
    if command == "compare":  # which draws none for an exact p-value
        assert both(*arguments)[1] == ""


def test_names_in_any_script_survive():
    found = record(*COUNTS, "--name-a", "数据 é", "--name-b", "b\udcff")["comparison"]
    assert found["baseline"] == "数据 é"
    assert "\udcff" not in found["system"]
