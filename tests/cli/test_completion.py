"""Shells complete commands, options, choices, files, metrics and columns."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.shell_completion import get_completion_class
from written import text_file

from csig.base import defaults
from csig.cli.app import COMMANDS, program
from csig.cli.help import names_in
from csig.data import metrics

COLUMNS = ["id", "task", "base", "new"]
FILES = {
    "t.csv": "id,task,base,new\n1,x,0,1\n", "u.tsv": "# word\tgold\na\tO\n",
    "a.csv": 'x;"y;z"\n1;2\n', "a.jsonl": '{"id": 1, "acc": 2}\n', "b.jsonl": "[1, 2]\n",
    "c.jsonl": "{", "a.parquet": "x,y\n", "b.csv": "x\x1b[31m,y\n", "c.csv": "",
    "x.csv/y": "", "y.csv": b"\xff\xfe\x00",
}  # fmt: skip


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("", list(COMMANDS)),
        ("co", ["compare", "convert"]),
        ("--vers", ["--version"]),
        ("compare --met", ["--metric", "--method"]),
        ("compare --help", ["--help-all", "--help"]),
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
def test_what_is_offered(monkeypatch, words, offered):
    for name, content in FILES.items():
        text_file(content, name)
    monkeypatch.setenv("COMP_WORDS", f"csig {words}")
    kind = get_completion_class("bash")
    assert kind is not None
    *before, last = words.split(" ")
    found = kind(program, {}, "csig", "_CSIG_COMPLETE").get_completions(before, last)
    assert [own.value for own in found] == offered


def test_a_long_line_is_cut():
    assert len(names_in(text_file("x" * 2**17 + ",y\n"))) == 1


BASH = r"""
eval "$(_CSIG_COMPLETE=bash_source csig)"
COMP_WORDS=(csig compare --metric macr); COMP_CWORD=3
_csig_completion csig macr --metric
printf '%s\n' "${COMPREPLY[@]}"
complete -p csig
"""
FISH = "_CSIG_COMPLETE=fish_source csig | source; complete --do-complete 'csig compare --metho'"


@pytest.mark.parametrize(
    ("shell", "script", "offered"),
    [("bash", BASH, "macro_f1"), ("fish", FISH, "--method")],
)
def test_shells_complete(tmp_path: Path, shell: str, script: str, offered: str):
    if shutil.which(shell) is None:
        pytest.skip(f"needs {shell}")
    command = tmp_path / "csig"
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m csig.cli "$@"\n')
    command.chmod(0o755)
    env = os.environ | {"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run([shell, "-c", script], env=env, capture_output=True, text=True)
    assert done.stdout.split()[0] == offered, done.stderr
    assert shell != "bash" or done.stderr == ""


def test_metrics_are_those_that_csig_knows():
    assert set(metrics.BUILTIN) <= set(defaults.METRICS)
    for name in defaults.METRICS:
        assert metrics.get(name).name == name
