"""Output: written whole or not at all, on the disk, in two files, and to a reader that leaves."""

from __future__ import annotations

import errno
import json
import os
import subprocess
from pathlib import Path

import pytest
from children import command_line, needs_posix
from commands import refused, run, write
from places import EXAMPLES

from csig.base.errors import InputError
from csig.cli import app
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
        Path(name).write_text("of a run that was killed")
    run("compare", "t.csv", "--json", "r.json")
    assert json.loads(Path("r.json").read_text())["schema"] == "csig.compare"
    assert len(left()) == 3


def test_files_are_on_the_disk_before_they_replace_others(monkeypatch):
    steps = []
    monkeypatch.setattr(
        os, "fsync", lambda number: steps.append(os.fstat(number).st_mode & 0o170000)
    )
    replace = os.replace
    monkeypatch.setattr(os, "replace", lambda *names: [steps.append("replace"), replace(*names)])
    with sink.OutputFile("r.json") as file:
        file.write(b"text")
    folder = [0o040000] if hasattr(os, "O_DIRECTORY") else []
    assert steps == [0o100000, "replace", *folder]


def test_a_disk_that_is_full_leaves_the_old_file(monkeypatch):
    Path("r.json").write_text("old")

    def full(_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    cannot = pytest.raises(InputError, match=r"r\.json: the page cannot be written")
    with cannot, sink.OutputFile("r.json", what="page") as file:
        file.write(b"new")
    assert Path("r.json").read_text() == "old"
    assert left() == []


@pytest.fixture
def full_disk(monkeypatch):
    """Every file is opened, and takes nothing."""

    def write_nothing(self, data):
        raise InputError(f"{self.path}: the {self.what} cannot be written (No space left)")

    monkeypatch.setattr(sink.OutputFile, "write", write_nothing)


@pytest.mark.parametrize(
    ("arguments", "shown", "said"),
    [
        (("audit", "--record", "r", *FEW), "The audit passed", "r: the record"),
        (("audit", "--markdown", "r", *FEW), "The audit passed", "r: the page"),
        (("audit", "--html", "h", "--record", "r", *FEW), "The audit passed", "r: the record"),
        (("compare", "--json", "r", *FEW), "test:randomization", "r: the JSON record"),
        (("describe", "--json", "r"), "20 items", "r: the JSON record"),
        (("convert", "--output", "r.csv"), "", "r.csv: the table"),
    ],
)
def test_results_are_shown_before_the_error(full_disk, arguments, shown, said):
    if "--html" in arguments:
        pytest.importorskip("matplotlib")
    verb, *options = arguments
    out = run(verb, "t.csv", *options, status=2)
    results, _, error = out.rpartition("csig: ")
    assert shown in results
    assert error == f"{said} cannot be written (No space left)\n"
    assert sorted(os.listdir()) == ["t.csv"]


def test_claims_are_shown_before_the_error(full_disk):
    claims = EXAMPLES / "yeh2000-claims.toml"
    out = run("audit", "--claims", claims, "--record", "r", status=2)
    results, _, error = out.rpartition("csig: ")
    assert "contradicted" in results
    assert error == "r: the record cannot be written (No space left)\n"


@pytest.mark.parametrize("other", ["r.json", "./r.json", "x/../r.json", "link.json", "hard.json"])
def test_one_file_for_two_outputs(other):
    Path("x").mkdir()
    if other == "link.json":
        os.symlink("r.json", other)
    if other == "hard.json":
        Path("r.json").touch()
        os.link("r.json", other)
    before = sorted(os.listdir())
    assert refused("audit", "t.csv", "--record", "r.json", "--markdown", other) == (
        f"csig: --record r.json and --markdown {other} are one file; give two\n"
    )
    said = refused("audit", "t.csv", "--record", "r.json", "--html", other)
    assert "--record r.json and --html" in said
    assert sorted(os.listdir()) == before


@pytest.mark.skipif(not os.path.exists("/dev/null"), reason="needs /dev/null")
def test_a_device_takes_several():
    run("audit", "t.csv", *FEW, "--record", "/dev/null", "--markdown", "/dev/null")
    run("compare", "t.csv", "--json", "/dev/null")
    assert not os.path.isfile("/dev/null")


@needs_posix
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_output_that_is_closed_in_the_middle(unbuffered, monkeypatch):
    """A pipe takes 64 KiB; unbuffered, what it took is written without an error."""
    monkeypatch.setenv("PYTHONUNBUFFERED", unbuffered)
    write("long.csv", "id,a,b", *(f"q{i},{i % 2},{i % 3 % 2}" for i in range(60_000)))
    reading, writing = os.pipe()
    with subprocess.Popen(["head", "-c", "9"], stdin=reading, stdout=subprocess.PIPE) as head:
        os.close(reading)
        done = command_line("", "convert", "long.csv", "--output", "-", stdout=writing)
        os.close(writing)
        assert head.communicate()[0] == b"id,score_"
    assert (done.returncode, done.stderr) == (141, "")


@needs_posix
@pytest.mark.parametrize(
    "arguments",
    [
        ("compare", "t.csv"),
        ("compare", "t.csv", "--json", "-"),
        ("convert", "t.csv", "--output", "-"),
        ("audit", "t.csv", *FEW),
        ("verify", "r.json"),
        ("compare", "--help"),
        ("--help",),
    ],
)
def test_output_that_is_closed_early(arguments):
    """1 would say that something differs or fails, 0 that all was written."""
    if "r.json" in arguments:
        run("audit", "t.csv", *FEW, "--record", "r.json")
    reading, writing = os.pipe()
    os.close(reading)
    done = command_line("", *arguments, stdout=writing)
    os.close(writing)
    assert done.stderr == ""
    assert done.returncode == app.CLOSED == 141
