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
from written import text_file

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


COLUMNS = ["id", "task", "base", "new"]


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("", list(COMMANDS)),
        ("co", ["compare", "convert"]),
        ("--vers", ["--version"]),
        ("compare --met", ["--metric", "--method"]),
        ("compare --method e", ["exact"]),
        ("compare --metric macro", ["macro_f1"]),
        ("compare --metric f1,re", ["f1,recall"]),
        ("compare --metric nothing", []),
        *((f"compare t.csv --{own} ", COLUMNS) for own in
          ("system", "cluster", "id", "gold-column", "baseline")),
        ("compare t.csv --cluster t", ["task"]),
        ("compare u.tsv --system ", ["word", "gold"]),
        ("compare none.csv --system ", []),
        ("compare --system ", []),
        # The first line of a file.
        *((f"compare {file} --id ", found) for file, found in (
            ("a.csv", ["x", "y;z"]), ("a.jsonl", ["id", "acc"]), ("b.jsonl", []), ("c.jsonl", []),
            ("a.parquet", []), ("b.csv", ["y"]), ("c.csv", []), ("x.csv", []), ("y.csv", []),
        )),
    ],
)  # fmt: skip
def test_what_is_offered(words, offered):
    files = {
        "t.csv": "id,task,base,new\n1,x,0,1\n", "u.tsv": "# word\tgold\na\tO\n",
        "a.csv": 'x;"y;z"\n1;2\n', "a.jsonl": '{"id": 1, "acc": 2}\n', "b.jsonl": "[1, 2]\n",
        "c.jsonl": "{", "a.parquet": "x,y\n", "b.csv": "x\x1b[31m,y\n", "c.csv": "",
    }  # fmt: skip
    for name, content in files.items():
        text_file(content, name)
    Path("x.csv").mkdir()
    Path("y.csv").write_bytes(b"\xff\xfe\x00")
    assert completed(*words.split(" ")) == offered


def test_help_is_offered_and_a_long_line_is_cut():
    assert set(completed("compare", "--help")) == {"--help", "--help-all"}
    assert len(names_in(text_file("x" * 2**17 + ",y\n"))) == 1


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
