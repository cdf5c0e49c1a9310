"""The signature: two runs have the same one when they must give the same numbers, and only then.

Every option of ``csig compare``, ``csig interval`` and ``csig systems`` has pairs of runs in
signatures.txt that differ in it: where numbers differ the signatures do, and where they must not
neither does.
"""

import contextlib
import functools
import re
import shlex
from pathlib import Path
from string import Template
from typing import Any

import pytest
from commands import record, run
from golden import file_in, table
from places import DOCS

from csig.cli.compare import compare, interval
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
    return lambda command: monkeypatch.chdir(folders[command])


#: Not numbers: names, options, and what says how a number came about.
NOT_NUMBERS = {
    "compare": {"sentence", "seed", "decision", "confidence_level", "reason", "engine", "label"}
    | {"unit", "name_a", "name_b", "system", "systems", "columns", "scale", "error_bound", "trust"}
    | {"baseline", "minus", "a", "b", "metric"}
    | {"by", "alternative", "method", "pvalue_text", "zero_division", "few", "what"},
    "systems": {"signature", "digest", "name", "system", "other", "better", "baseline", "seed"}
    | {"unit", "possibly_best", "correction", "statistic", "metric", "doubts", "alpha"},
}
NOT_NUMBERS["interval"] = NOT_NUMBERS["compare"]

#: The keys in the table of docs/output.md.
SECTION = (DOCS / "output.md").read_text(encoding="utf-8").partition("## The signature")[2]
DOCUMENTED = {"method", "alternative"} | set(re.findall(r"`([a-z-]+)`", SECTION))


def numbers(value: Any, without: set[str], ordered: bool) -> Any:
    """What is left of a record without names; lists in any order, as systems are."""
    if isinstance(value, dict):
        return {k: numbers(own, without, ordered) for k, own in value.items() if k not in without}
    if not isinstance(value, list):
        return value
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
    if command == "systems":
        return numbers(found, without, False), found["signature"]
    others = [own["results"] + [own["sensitivity"]] for own in found.get("comparisons") or []]
    sets = [numbers(own, without, True) for own in (found["results"], others)]
    rest = numbers([found.get("sensitivity"), found.get("breakdown")], without, True)
    return [*(sorted(own, key=str) for own in sets), rest], found["signature"]


def pairs() -> list[Any]:
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
            both = (shlex.split(one), shlex.split(other))
            found.append(pytest.param(command, what, option, *both, id=f"{command} {line}"))
    return found


PAIRS = pairs()

#: Options that change no number of a run that can be made here, and why they have no pair.
NO_PAIR = {
    "spans": "overlaps are counted in a caution, or decide units, which --unit has",
    "filter": "chooses among the samples of lm-evaluation-harness: other data",
    "scheduler": "needs workers; test_workers.py holds that they change no number",
}
#: Options of what is shown, whose numbers are computed whether or not it is: they can decide none.
SHOWN = {"help_all", "output_format", "explain", "cite", "plot_path", "worst", "progress"}
SHOWN |= {"verbose", "json_path"}


@pytest.mark.parametrize("command", [compare, interval, systems], ids=lambda own: str(own.name))
def test_every_option_is_decided(command: Any):
    """A new option needs a pair, there or of csig compare, or a reason in NO_PAIR."""
    decided = {own.values[2] for own in PAIRS if own.values[0] in (command.name, "compare")}
    assert {param.name for param in command.params} - {*decided, *NO_PAIR, *SHOWN} == set()


@pytest.mark.parametrize(("command", "what", "option", "one", "other"), PAIRS)
def test_signatures_are_the_same_exactly_if_the_numbers_are(
    inside: Any, command: str, what: str, option: str, one: list[str], other: list[str]
):
    inside(command)
    first, second = (results(command, *arguments) for arguments in (one, other))
    assert (first[0] == second[0]) == (first[1] == second[1]) == (what == "same")


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
    exact = parse(results("systems", *asked)[1])
    assert exact["method"] == ("exact",)
    assert "seed" not in exact
    monkeypatch.setattr("csig.systems.ranking.BOUND_WORDS", 2**40)
    real = shlex.split("real.csv --ignore story --ignore id --resamples 200 --seed")
    one, other = (results("systems", *real, seed) for seed in (1, 2))
    assert one == other
    known = parse(one[1])
    assert known["method"][0] in ("exact", "certified")
    assert not {"seed", "flips", "shuffles"} & set(known)
