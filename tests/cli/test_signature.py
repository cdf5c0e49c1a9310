"""The signature: two runs have the same one when they must give the same numbers, and only then.

Every option of ``csig compare``, ``interval``, ``systems`` and ``datasets`` has pairs of runs in
signatures.txt that differ in it: where numbers differ the signatures do, and where they must not
neither does.
"""

import contextlib
import functools
import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from string import Template
from typing import Any

import pytest
from click.testing import CliRunner
from commands import record, run
from golden import file_in, table
from places import DOCS

import csig
from csig.cli.app import program
from csig.cli.compare import compare, interval
from csig.cli.datasets import datasets
from csig.cli.systems import systems
from csig.comparing.signature import parse


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """All the files, once; those of csig interval are those of csig compare."""
    found: dict[str, Path] = {}
    for line in table("signatures.txt")[2:]:
        if line.startswith("# "):
            folder = found[line[2:]] = tmp_path_factory.mktemp(line[2:])
        elif re.match(r"[\w.]+: ", line):
            name, text = file_in(line)
            (folder / name).write_text(text, encoding="utf-8")
    with contextlib.chdir(found["compare"]):
        run("convert", "labels.csv", "--output", "statistics.tsv")
    return {**found, "interval": found["compare"]}


@pytest.fixture
def inside(_folder: None, folders: dict[str, Path], monkeypatch: pytest.MonkeyPatch):
    """Go to the files of a command."""
    monkeypatch.setattr("csig.systems.ranking.BOUND_WORDS", 0)  # there is no time for bounds

    def go(command: str) -> None:
        monkeypatch.chdir(folders[command])
        if command == "datasets":  # likewise
            monkeypatch.setattr("csig.engines.certified.by_itself", lambda *_: None)

    return go


#: Not numbers: names, options, and what says how a number came about.
NOT_NUMBERS = {
    "compare": {"sentence", "seed", "decision", "confidence_level", "reason", "engine", "label"}
    | {"unit", "name_a", "name_b", "system", "systems", "columns", "scale", "error_bound", "trust"}
    | {"baseline", "minus", "a", "b", "metric"}
    | {"by", "alternative", "method", "pvalue_text", "zero_division", "few", "what"},
    "systems": {"signature", "digest", "name", "system", "other", "better", "baseline", "seed"}
    | {"unit", "possibly_best", "correction", "statistic", "metric", "doubts", "alpha"},
    "datasets": {"signature", "digest", "name", "system", "other", "better", "baseline", "seed"}
    | {"test", "correction", "zero_method", "doubts", "alpha", "greater_is_better", "datasets"},
}
NOT_NUMBERS["interval"] = NOT_NUMBERS["compare"]

#: The keys in the table of docs/output.md.
SECTION = (DOCS / "output.md").read_text(encoding="utf-8").partition("## The signature")[2]
DOCUMENTED = {"method", "alternative"} | set(re.findall(r"`([a-z-]+)`", SECTION))


def numbers(value: Any, without: set[str], ordered: bool) -> Any:
    """What is left of a record without names; lists in any order, as systems are."""
    if isinstance(value, dict):
        return {k: numbers(own, without, ordered) for k, own in value.items() if k not in without}
    if not isinstance(value, list):  # in another order of systems a sum may end in another digit
        return float(f"{value:.13g}") if isinstance(value, float) and not ordered else value
    found = [numbers(own, without, ordered) for own in value]
    return found if ordered else sorted(found, key=str)


@functools.cache
def results(command: str, *arguments: object) -> tuple[Any, str]:
    """The numbers of a command, and its signature."""
    found = record(command, *arguments, status=None)
    known = parse(found["signature"])
    assert set(known) <= DOCUMENTED
    assert known["data"][0] == found["digest"][:16]
    without = NOT_NUMBERS[command]
    if command in ("systems", "datasets"):
        return numbers(found, without, False), found["signature"]
    others = [own["results"] + [own["sensitivity"]] for own in found.get("comparisons") or []]
    sets = [numbers(own, without, True) for own in (found["results"], others)]
    rest = numbers([found.get("sensitivity"), found.get("breakdown")], without, True)
    return [*(sorted(own, key=str) for own in sets), rest], found["signature"]


def pairs() -> list[tuple[str, str, str, list[str], list[str], str]]:
    """Rows of signatures.txt: the command, whether numbers are the same, the option, two runs."""
    names: dict[str, str] = {}
    found = []
    for line in table("signatures.txt")[2:]:
        if line.startswith("# "):
            command, names = line[2:], {}
        elif line.startswith("$"):
            name, _, value = line[1:].partition(": ")
            names[name] = Template(value).substitute(names)
        elif not re.match(r"[\w.]+: ", line):
            head, _, runs = line.partition(": ")
            one, other = (Template(run).substitute(names) for run in runs.split(" | "))
            other = one + other[1:] if other[0] == "+" else other
            what, option = head.split()
            found.append((command, what, option, shlex.split(one), shlex.split(other), line))
    return found


PAIRS = pairs()

#: Options that change no number of a run that can be made here, and why they have no pair.
NO_PAIR = {
    "spans": "overlaps are counted in a caution, or decide units, which --unit has",
    "filter": "chooses among the samples of evaluation harnesses: other data",
    "margin": "tests at a margin have no signature; a gate has a record",
    "margin_kind": "goes with --margin",
    "unpaired": "compares independent runs, which have no signature",
    "scheduler": "needs workers; test_workers.py holds that they change no number",
}
#: Options of what is shown, whose numbers are computed whether or not it is: they can decide none.
SHOWN = {"help_all", "output_format", "explain", "cite", "plot_path", "worst", "progress"}
SHOWN |= {"verbose", "json_path", "signature", "plot_kind", "caption", "label", "card"}
SHOWN |= {"record_path", "fill", "plot_by"}


@pytest.mark.parametrize(
    "command", [compare, interval, systems, datasets], ids=lambda own: str(own.name)
)
def test_every_option_is_decided(command: Any):
    """A new option needs a pair, there or of csig compare, or a reason in NO_PAIR."""
    decided = {own[2] for own in PAIRS if own[0] in (command.name, "compare")}
    assert {param.name for param in command.params} - {*decided, *NO_PAIR, *SHOWN} == set()


@pytest.mark.parametrize("command", NOT_NUMBERS)
def test_signatures_are_the_same_exactly_if_the_numbers_are(inside: Any, command: str):
    inside(command)
    for own, what, _, one, other, line in PAIRS:
        if own == command:
            first, second = (results(command, *arguments) for arguments in (one, other))
            same = (first[0] == second[0], first[1] == second[1])
            assert same == (what == "same",) * 2, f"{command} {line}"


DRAWN = shlex.split("t.csv --system base --system new --method approximate --resamples 999")


def test_seeds_are_in_the_signature_if_something_was_drawn(inside: Any, monkeypatch: Any):
    inside("compare")
    large = shlex.split("large.csv --cluster story --metric kappa --resamples 5000 --seed 1")
    known = parse(results("compare", *large)[1])  # beside the unit that is tested exactly
    assert [known[name] for name in ("method", "beside", "beside-drawn", "seed")] == [
        ("exact",), ("unit",), ("5000",), ("1",)
    ]  # fmt: skip
    numbers, signature = results("compare", *DRAWN)
    (seed,) = parse(signature)["seed"]
    assert results("compare", *DRAWN, "--seed", seed) == (numbers, signature)
    assert results.__wrapped__("compare", *DRAWN)[1] != signature
    assert record("compare", *DRAWN)["digest"] == record("interval", *DRAWN[:5])["digest"]
    inside("systems")
    asked = shlex.split("t.csv --system base --system new --system third")
    flips = (*asked, "--correction", "flips", "--resamples", 99, "--seed", 1, "--baseline", "new")
    known = parse(results("systems", *flips)[1])
    assert [known[name] for name in ("test", "systems", "correction", "flips", "seed")] == [
        ("systems",), ("3", "baseline"), ("flips", "studentized"), ("99",), ("1",)
    ]  # fmt: skip
    gaps = ("gaps.csv", *asked[1:], "--allow-missing", "pairwise")
    assert parse(results("systems", *gaps)[1])["gaps"] == ("pairwise",)
    exact = parse(results("systems", *asked)[1])
    assert "gaps" not in exact
    assert exact["method"] == ("exact",)
    assert "seed" not in exact
    monkeypatch.setattr("csig.systems.ranking.BOUND_WORDS", 2**40)
    real = shlex.split("real.csv --ignore story --ignore id --resamples 200 --seed")
    one, other = (results("systems", *real, seed) for seed in (1, 2))
    assert one == other
    known = parse(one[1])
    assert known["method"][0] in ("exact", "certified")
    assert not {"seed", "flips", "shuffles"} & set(known)


# ---- the short one -------------------------------------------------------------------------------


def hashed(signature: str) -> str:
    return hashlib.sha256(signature.encode("utf-8")).hexdigest()[:10]


#: Commands, and how their last line says that they computed what.
LAST_LINES = {
    "compare t.csv --system base --system new": "exact · items",
    "compare t.csv --system base --system new --cluster story": "exact · stories",
    "compare labels.csv --gold-column gold --metric kappa,accuracy --resamples 99 --seed 1 "
    "--ignore id": "exact · items",
    "compare large.csv --gold-column gold --system a --system b --metric kappa,accuracy --seed 1 "
    "--resamples 5000 --sensitivity --ignore story": "exact and shuffled 5,000 · items",
    "compare --counts yeh.toml --method yeh2000 --seed 1": "shuffled 2 x 1,048,576 · responses",
    "interval t.csv --system base --system new": "inverted and linearized · items",
    "interval t.csv --system base --system new --method bca --resamples 1999 --seed 1":
        "resampled 1,999 · items",
    "systems three.csv --correction flips --resamples 99 --seed 1": "flipped 99 · items",
    "datasets three.csv": "wilcoxon · data sets",
    "rank k.csv --true ok --methods m,n --n 10": "exact · candidates",
    "audit t.csv --system base --system new --resamples 1000 --seed 1":
        "audited, shuffled 1,000 · items",
}  # fmt: skip


def test_the_last_line_is_short_and_has_the_hash_of_the_whole(inside: Any) -> None:
    inside("compare")
    rows = (f"{i},{i % 3 == 0:d},{i * 7 % 40},{i * 11 % 40}" for i in range(40))
    Path("k.csv").write_text("\n".join(["c,ok,m,n", *rows]), "utf-8")
    for command, what in LAST_LINES.items():
        words = shlex.split(command)
        signature = run(*words, "--signature").removesuffix("\n")
        assert signature == signature.strip()
        expected = f"csig {csig.__version__} · {what} · {hashed(signature)}"
        if words[0] == "interval":  # has nothing to explain
            assert run(*words).splitlines()[-1] == expected
            continue
        more = "--verbose" if words[0] == "audit" else "--explain"
        assert run(*words, more).splitlines()[-2:] == [signature, expected]
        if words[0] != "audit":  # whose record has none
            assert record(*words)["signature"] == signature
        if what in ("exact · items", "flipped 99 · items", "audited, shuffled 1,000 · items"):
            assert run(*words).splitlines()[-1] == expected
            assert run(*words, "-f", "markdown").splitlines()[-1] == f"`{expected}`"
            assert f"% {expected}\n" in run(*words, "-f", "latex")


def test_a_script_checks_the_last_line_as_the_page_says(inside: Any, tmp_path: Path) -> None:
    if shutil.which("sha256sum") is None:
        pytest.skip("there is no sha256sum")
    inside("compare")
    (line,) = re.findall(r"^    (printf .*)$", SECTION, re.MULTILINE)
    command = re.search(r"csig (.*) --signature", line)
    assert command is not None
    assert line.replace(command[1], "compare scores.csv") == (
        """printf '%s' "$(csig compare scores.csv --signature)" | sha256sum | cut -c1-10"""
    )
    (tmp_path / "csig").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m csig.cli "$@"\n')
    (tmp_path / "csig").chmod(0o755)
    shutil.copy("three.csv", "scores.csv")
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "PYTHONPATH": os.pathsep.join(sys.path)}
    line = line.replace("scores.csv", "scores.csv --system a --system b")
    printed = subprocess.run(
        ["sh", "-c", line], env=environment, capture_output=True, text=True, check=True
    )
    last = run("compare", "scores.csv", "--system", "a", "--system", "b").splitlines()[-1]
    assert printed.stdout == f"{last.split(' · ')[-1]}\n"


def test_encodings_without_the_dot_have_a_bar(inside: Any) -> None:
    inside("compare")
    words = ["compare", "t.csv", "--system", "base", "--system", "new"]
    for encoding, between in (("ascii", "|"), ("cp1252", "·"), ("shift_jis", "|")):
        found = CliRunner(charset=encoding).invoke(program, words)
        assert found.output.splitlines()[-1].split(" ")[2] == between


def test_one_line_alone_is_on_standard_output(inside: Any) -> None:
    inside("compare")
    words = ["compare", "t.csv", "--system", "base", "--system", "new", "--signature"]
    assert "--signature prints one line alone" in run(*words, "--json", "-", status=2)
    run(*words, "--json", "r.json")
    assert json.loads(Path("r.json").read_text("utf-8"))["signature"] == run(*words).strip()
