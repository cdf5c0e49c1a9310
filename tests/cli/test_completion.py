"""Shells complete commands, options, choices, files, metrics and columns, and import little."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from children import python
from click.shell_completion import get_completion_class
from commands import write

from csig.cli.app import COMMANDS, program
from csig.cli.help import names_in

pytestmark = pytest.mark.usefixtures("_words")

HEAVY = ("numpy", "scipy", "csig_ext", "csig.data.comparison", "csig.readers.data")

MAIN = "from csig.cli import main; main()"


@pytest.fixture
def _words(monkeypatch: pytest.MonkeyPatch):
    """What a shell hands on is taken back."""
    monkeypatch.setenv("COMP_WORDS", "")


def completed(*words: str) -> list[str]:
    """What is offered for the last of the words."""
    os.environ["COMP_WORDS"] = " ".join(["csig", *words])
    kind = get_completion_class("bash")
    assert kind is not None
    found = kind(program, {}, "csig", "_CSIG_COMPLETE").get_completions(list(words[:-1]), words[-1])
    return [own.value for own in found]


def test_commands_and_options():
    assert completed("") == list(COMMANDS)
    assert completed("co") == ["compare", "convert"]
    assert completed("compare", "--met") == ["--metric", "--method"]
    assert set(completed("compare", "--help")) == {"--help", "--help-all"}
    assert completed("--vers") == ["--version"]


def test_choices_and_metrics():
    assert completed("compare", "--method", "e") == ["exact"]
    assert completed("compare", "--metric", "macro") == ["macro_f1"]
    assert completed("compare", "--metric", "f1,re") == ["f1,recall"]
    assert completed("compare", "--metric", "nothing") == []


def test_columns_of_the_tables_before():
    write("t.csv", "id,task,base,new", "1,x,0,1")
    write("u.tsv", "# word\tgold", "a\tO")
    for option in ("--system", "--cluster", "--id", "--gold-column", "--baseline"):
        assert completed("compare", "t.csv", option, "") == ["id", "task", "base", "new"]
    assert completed("compare", "t.csv", "--cluster", "t") == ["task"]
    assert completed("compare", "u.tsv", "--system", "") == ["word", "gold"]
    assert completed("compare", "none.csv", "--system", "") == []
    assert completed("compare", "--system", "") == []


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("a.csv", 'x;"y;z"\n1;2\n', ["x", "y;z"]),
        ("a.jsonl", '{"id": 1, "acc": 2}\n', ["id", "acc"]),
        ("b.jsonl", "[1, 2]\n", []),
        ("c.jsonl", "{", []),
        ("a.parquet", "x,y\n", []),
        ("b.csv", "x\x1b[31m,y\n", ["y"]),
        ("c.csv", "", []),
        ("d.csv", "x" * 2**17 + ",y\n", []),
    ],
)
def test_the_first_line_of_a_file(name: str, content: str, expected: list[str]):
    Path(name).write_text(content, encoding="utf-8")
    found = names_in(name)
    assert found == expected or (name == "d.csv" and len(found) == 1)


def test_a_folder_and_bytes_that_are_no_text():
    Path("x.csv").mkdir()
    Path("y.csv").write_bytes(b"\xff\xfe\x00")
    assert names_in("x.csv") == names_in("y.csv") == []


def test_completion_and_help_import_nothing_heavy():
    code = f"""
import os, sys
from csig.cli import main
try:
    main()
except SystemExit:
    pass
print([name for name in {HEAVY!r} if name in sys.modules])
"""
    for verb in ("compare", "interval", "convert"):
        asked = {
            "_CSIG_COMPLETE": "bash_complete", "COMP_CWORD": "2",
            "COMP_WORDS": f"csig {verb} --met",
        }  # fmt: skip
        lines = python(code, env=asked).stdout.splitlines()
        assert lines[0] == "plain,--metric"
        assert lines[-1] == "[]"
        assert python(code, verb, "--help").stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_shell_has_a_script(shell: str):
    done = python(MAIN, env={"_CSIG_COMPLETE": f"{shell}_source"})
    assert done.returncode == 0, done.stderr
    assert f"_CSIG_COMPLETE={shell}_complete" in done.stdout
    assert "csig" in done.stdout.splitlines()[0] or "compdef" in done.stdout


def installed(folder: Path) -> dict[str, str]:
    """An environment in which there is a csig that a shell can call."""
    command = folder / "csig"
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m csig.cli "$@"\n')
    command.chmod(0o755)
    return os.environ | {"PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_bash_completes(tmp_path: Path):
    script = r"""
eval "$(_CSIG_COMPLETE=bash_source csig)"
COMP_WORDS=(csig compare --metric macr); COMP_CWORD=3
_csig_completion csig macr --metric
printf '%s\n' "${COMPREPLY[@]}"
complete -p csig
"""
    done = subprocess.run(
        ["bash", "-c", script], env=installed(tmp_path), capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    assert done.stdout.splitlines()[0] == "macro_f1"
    assert "_csig_completion csig" in done.stdout


@pytest.mark.skipif(shutil.which("fish") is None, reason="needs fish")
def test_fish_completes(tmp_path: Path):
    script = (
        "_CSIG_COMPLETE=fish_source csig | source; complete --do-complete 'csig compare --metho'"
    )
    done = subprocess.run(
        ["fish", "-c", script], env=installed(tmp_path), capture_output=True, text=True, check=False
    )
    assert done.stdout.splitlines()[0].split("\t")[0] == "--method"


def test_metrics_are_those_that_csig_knows():
    from csig.base import defaults
    from csig.data import metrics

    assert set(metrics.BUILTIN) <= set(defaults.METRICS)
    for name in defaults.METRICS:
        assert metrics.get(name).name == name
    assert json.dumps(defaults.METRICS)
