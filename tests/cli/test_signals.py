"""Ctrl-C and other signals, whenever they come: files are taken along, the status says it."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from children import command_line, needs_posix, python

pytestmark = pytest.mark.usefixtures("scores")

FEW = ("--resamples", "256", "--seed", "1")


#: Comes while the comparison runs, when the file is open.
_SEND = """
import os, signal
import csig.answers.gathering
def signalled(*_, **__):
    assert [name for name in os.listdir() if name.endswith(".tmp")]
    os.kill(os.getpid(), signal.{})
csig.answers.gathering.gathered = signalled
"""


@needs_posix
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGINT"])
def test_a_signal_takes_the_temporary_file_along(name):
    done = command_line(
        _SEND.format(name), "compare", "t.csv", "--json", "r.json",
        preexec_fn=lambda: signal.signal(getattr(signal, name), signal.SIG_DFL),
    )  # fmt: skip
    assert done.returncode == 128 + getattr(signal, name)
    assert (done.stdout, done.stderr) == ("", "csig: interrupted\n")
    assert sorted(os.listdir()) == ["t.csv"]


@needs_posix
def test_nohup_is_heeded():
    done = command_line(
        "import csig.answers.gathering as c, os, signal\n"
        "run = c.gathered\n"
        "c.gathered = lambda *a, **k: [os.kill(os.getpid(), signal.SIGHUP), run(*a, **k)][1]",
        "compare", "t.csv",
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


_RAISE = "raise KeyboardInterrupt"
_KILL = "import os, signal; os.kill(os.getpid(), signal.SIGINT)"
_WRAP = f"try:\n    {_KILL}\nexcept BaseException:\n    raise ImportError from None"


@needs_posix
@pytest.mark.parametrize("what", [_RAISE, _KILL, _WRAP])
@pytest.mark.parametrize("module", ["click", "numpy", "scipy"])
def test_ctrl_c_while_importing(module, what):
    """Whether it is raised, sent, or sent to compiled code that makes an ImportError of it."""
    if (module, what) == ("scipy", _WRAP):
        pytest.skip("imported while the run is under way, where files are open")
    Path("fake", module).mkdir(parents=True)
    Path("fake", module, "__init__.py").write_text(what)
    done = command_line(
        "", "compare", "t.csv", "--method", "approximate", *FEW, paths=["fake"],
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "csig: interrupted\n")


@needs_posix
def test_a_background_job_ignores_ctrl_c():
    """A shell without job control starts it so."""
    Path("sent").mkdir()
    Path("sent", "sent.py").write_text(_KILL)
    done = command_line(
        "import sent", "compare", "t.csv", *FEW, paths=["sent"],
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def test_the_entry_point_imports_nothing_heavy():
    """Before its handler is there."""
    code = "import csig.cli, sys; print({'numpy', 'click', 'scipy'} & {*sys.modules})"
    assert python(code).stdout == "set()\n"
