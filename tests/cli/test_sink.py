"""Output files: written whole or not at all, on the disk, and no two of them one."""

import errno
import json
import os
import sys
from pathlib import Path

import pytest
from commands import refused, run, write
from places import EXAMPLES

from csig.base.errors import InputError
from csig.cli import output as sink

pytestmark = pytest.mark.usefixtures("scores")

FEW = ("--resamples", "256", "--seed", "1")


def left():
    return sorted(name for name in os.listdir() if name.endswith(".tmp"))


def test_temporary_files_have_other_names_in_every_run(monkeypatch):
    """A container's process is always number 1, and one that was killed leaves its file."""
    monkeypatch.setattr(os, "getpid", lambda: 1)
    with sink.OutputFile("r.json") as first, sink.OutputFile("r.json") as second:
        names = left()
        assert len(names) == 2
        first.write(b"first")
        second.write(b"second")
    assert left() == []
    assert Path("r.json").read_bytes() == b"second"
    for name in (".r.json.1.tmp", *names):
        write(name, "of a run that was killed")
    run("compare", "t.csv", "--json", "r.json")
    assert json.loads(Path("r.json").read_text())["schema"] == "csig.compare"
    assert len(left()) == 3


def test_files_are_on_the_disk_before_they_replace_others(monkeypatch):
    steps = []
    monkeypatch.setattr(os, "fsync", lambda number: steps.append(os.fstat(number).st_ino))
    replace = os.replace
    monkeypatch.setattr(os, "replace", lambda *names: [steps.append("replace"), replace(*names)])
    Path("folder").mkdir()
    with sink.OutputFile("folder/r.json") as file:
        file.write(b"text")
    folder = ["folder"] if hasattr(os, "O_DIRECTORY") else []
    before, *after = (os.stat(path).st_ino for path in ("folder/r.json", *folder))
    assert steps == [before, "replace", *after]


def test_a_disk_that_is_full_leaves_the_old_file(monkeypatch):
    write("r.json", "old")

    def full(_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    cannot = pytest.raises(InputError, match=r"r\.json: the page cannot be written")
    with cannot, sink.OutputFile("r.json", what="page") as file:
        file.write(b"new")
    assert Path("r.json").read_text() == "old\n"
    assert left() == []


@pytest.mark.parametrize(
    ("arguments", "shown", "said"),
    [
        (("audit", "--record", "r", *FEW), "The audit passed", "r: the record"),
        (("audit", "--html", "h", "--markdown", "r", *FEW), "The audit passed", "h: the page"),
        (("compare", "--json", "r", *FEW), "No evidence", "r: the JSON record"),
        (("convert", "--output", "r.csv"), "", "r.csv: the table"),
        (("audit", "--claims", EXAMPLES / "yeh2000-claims.toml", "--record", "r"), "contradicted",
         "r: the record"),
    ],
)  # fmt: skip
def test_results_are_shown_before_the_error(monkeypatch, arguments, shown, said):
    """Every file is opened, and takes nothing; the first that does not is named."""

    def write_nothing(self, data):
        raise InputError(f"{self.path}: the {self.what} cannot be written (No space left)")

    monkeypatch.setattr(sink.OutputFile, "write", write_nothing)
    if "--html" in arguments:
        pytest.importorskip("matplotlib")
    verb, *options = arguments
    out = run(verb, *["t.csv"] * ("--claims" not in options), *options, status=2)
    results, _, error = out.rpartition("csig: ")
    assert shown in results
    assert error == f"{said} cannot be written (No space left)\n"
    assert sorted(os.listdir()) == ["t.csv"]


@pytest.mark.parametrize("other", ["x/../r.json", "link.json", "hard.json"])
def test_one_file_for_two_outputs(other):
    Path("x").mkdir()
    if other == "link.json":
        os.symlink("r.json", other)
    if other == "hard.json":
        Path("r.json").touch()
        os.link("r.json", other)
    before = sorted(os.listdir())
    for option in ("--markdown", "--html"):
        assert refused("audit", "t.csv", "--record", "r.json", option, other) == (
            f"csig: --record r.json and {option} {other} are one file; give two\n"
        )
    assert sorted(os.listdir()) == before


@pytest.mark.skipif(not os.path.exists("/dev/null"), reason="needs /dev/null")
def test_a_device_takes_several():
    run("audit", "t.csv", *FEW, "--record", "/dev/null", "--markdown", "/dev/null")
    assert not os.path.isfile("/dev/null")


@pytest.mark.skipif(not hasattr(os, "symlink") or sys.platform == "win32", reason="needs links")
def test_a_link_and_the_mode_of_its_file_stay():
    write("target.json", "old")
    os.chmod("target.json", 0o640)
    os.symlink("target.json", "link.json")
    run("compare", "t.csv", "--json", "link.json")
    assert os.path.islink("link.json")
    assert json.loads(Path("target.json").read_text())["schema"] == "csig.compare"
    assert os.stat("target.json").st_mode & 0o777 == 0o640
