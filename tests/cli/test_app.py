"""The command line as a process: its help, Ctrl-C, readers that leave, what it imports."""

from __future__ import annotations

import os
import sys

import pytest
from children import MAIN, python
from commands import run

import csig

pytestmark = pytest.mark.usefixtures("small_files")


def test_an_unknown_command_and_no_command():
    assert run("frob", status=2) == "csig: No such command 'frob'; try 'csig --help'\n"
    assert "No such command 'comprae' (did you mean 'compare'?); try" in run("comprae", status=2)
    said = run("compare", "--metrc", "f1", status=2)
    assert "No such option '--metrc' (did you mean --metric?); try" in said
    assert "compare" in run()
    assert run("--version") == f"csig {csig.__version__}\n"


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT for a child on Windows")
def test_ctrl_c():
    # The first report of progress presses the keys: the shuffles run, and nothing waits for them.
    # A child of a background job ignores SIGINT unless told otherwise.
    code = (
        "import os, signal\n"
        "from csig.cli import main\n"
        "from csig.base.progress import ProgressBar\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "ProgressBar.__init__ = lambda bar: setattr(bar, 'wanted', True)\n"
        "ProgressBar.__exit__ = lambda *_: None\n"
        "ProgressBar.__call__ = lambda *_: os.kill(os.getpid(), signal.SIGINT)\n"
        "main()\n"
    )
    arguments = ["compare", "--counts", "yeh.toml", "--method", "approximate"]
    child = python(code, *arguments, "--resamples", 2**46)
    assert (child.returncode, child.stdout, child.stderr) == (130, "", "csig: interrupted\n")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
@pytest.mark.parametrize(
    "arguments",
    [
        ("compare", "--counts", "yeh.toml"),
        ("compare", "--counts", "yeh.toml", "--json", "-"),
        ("--help",),
        ("--version",),
        ("compare", "--help"),
    ],
)
def test_a_full_disk(arguments: tuple[str, ...]):
    with open("/dev/full", "w") as full:
        done = python(MAIN, *arguments, stdout=full)
    assert done.returncode == 2
    assert done.stderr.startswith("csig: the output cannot be written")
    assert done.stderr.count("\n") == 1


def test_without_the_extra():
    code = """
import sys
class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "click":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Blocker())
from csig.cli import main
main()
"""
    done = python(code)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr == "csig: the command line needs click: pip install 'csig-stats[cli]'\n"


def test_csig_itself_needs_no_click():
    code = "import csig, csig.answers.records, sys; print('click' in sys.modules)"
    done = python(code)
    assert done.stdout == "False\n"


#: What takes long to import, and is of no use to counts, which have an exact test and an interval.
HEAVY = (
    "scipy", "matplotlib", "pandas", "polars", "pyarrow", "rich", "logging", "asyncio",
    "csig.comparing.runs", "csig.readers.tables.reader", "csig.readers.tags.read",
    "csig.report.style",
)  # fmt: skip


def test_compare_starts_without_what_it_does_not_need():
    code = f"""
import sys
sys.argv = ["csig", "compare", "--counts", "yeh.toml"]
from csig.cli import main
try:
    main()
except SystemExit as end:
    assert end.code == 0
print([name for name in {HEAVY!r} if name in sys.modules])
"""
    done = python(code)
    assert done.stdout.splitlines()[-1] == "[]", done.stdout + done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="closes a descriptor in the child")
def test_a_closed_standard_output_is_noticed_before_the_work():
    for more in ((), ("--json", "-")):
        done = python(
            MAIN, "compare", "--counts", "yeh.toml", *more, stdout=None,
            preexec_fn=lambda: os.close(1),
        )  # fmt: skip
        assert done.returncode == 2
        assert done.stderr.startswith("csig: standard output is closed; give --json FILE")


def test_an_instruction_set_that_is_not_here():
    done = python(MAIN, "compare", "--counts", "yeh.toml", env={"CSIG_ISA": "mmx"})
    assert done.returncode == 2
    assert done.stderr.startswith("csig: CSIG_ISA=mmx: not available here")
    assert done.stderr.count("\n") == 1


def test_progress_is_said_in_a_log_where_somebody_asks():
    code = """
import itertools, sys
from csig.base import progress
seconds = itertools.count(step=20)
progress.ProgressBar.__init__.__kwdefaults__["clock"] = lambda: float(next(seconds))
from csig.cli import main
main()
"""
    arguments = ["compare", "--counts", "yeh.toml", "--method", "approximate", "--metric", "f1"]
    arguments += ["--resamples", 2**18]
    asked = python(code, *arguments, "--progress")
    assert asked.returncode == 0
    lines = asked.stderr.splitlines()
    assert lines
    assert all(line.startswith("csig: testing, ") for line in lines)
    for more in ((), ("--no-progress",)):
        assert python(code, *arguments, *more).stderr == ""
