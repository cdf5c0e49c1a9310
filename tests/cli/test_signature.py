"""The signature: two runs have the same one when they must give the same numbers, and only then.

Every option of ``csig compare``, ``csig interval`` and ``csig systems`` has pairs of runs in
signatures.txt that differ in it: where numbers differ the signatures do, and where they must not
neither does.
"""

from __future__ import annotations

import contextlib
import functools
import json
import random
import re
import shlex
from pathlib import Path
from string import Template
from typing import Any

import pytest
from brute import PAPER
from commands import record, run, write
from places import DOCS

from csig.cli.compare import compare, interval
from csig.cli.systems import systems
from csig.comparing.signature import parse


def table(name: str, rows: list[list[Any]], names: list[str], mark: str = ",", decimal: str = "."):
    lines = (mark.join(str(cell).replace(".", decimal) for cell in row) for row in rows)
    write(name, mark.join(names), *lines)


def small_files():
    """Yeh's counts, responses, tags."""
    write("yeh.toml", *(f"{key} = {value}" for key, value in PAPER.items()))
    write("yeh2.toml", *(f"{key} = {value - (value == 43)}" for key, value in PAPER.items()))
    write("yeh.json", json.dumps(PAPER))
    write("gold.tsv", "d1\t1\tx", "d1\t4\ty", "d2\t2\tx", "d2\t9\ty")
    write("one.tsv", "d1\t1\tx", "d1\t4\ty", "d2\t2\tz")
    write("two.tsv", "d1\t1\tx", "d2\t3\tx")
    write("empty.tsv")
    write("gold.conll", "a\tB-X", "b\tI-X", "c\tO", "", "d\tB-Y", "e\tO")
    write("one.conll", "a\tB-X", "b\tI-X", "c\tO", "", "d\tB-X", "e\tO")
    write("two.conll", "a\tB-X", "b\tB-X", "c\tO", "", "d\tB-Y", "e\tO")
    write("none.conll", "a\tO", "b\tO", "c\tO", "", "d\tO", "e\tO")
    write("docs.txt", "x", "y")
    tags = ["B-X\tB-X\tB-Y", "I-X\tI-X\tO", "O\tB-X\tO", "B-X\tO\tB-X", "B-Y\tO\tI-Y"] * 2
    rows = [f"{i // 5}\t{i // 3}\t{own}" for i, own in enumerate(tags)]
    write("tags.tsv", "doc\tsentence\tgold\tcrf\tbert", *rows)


def scores():
    """Tables of scores of 24 units, of labels and of runs."""
    names = ["id", "story", "kind", "base", "new", "third"]
    kinds = ["odd", "even"] * 12
    units = [
        [f"q{i:02}", f"s{i % 7}", kinds[i], i * 7 % 11 / 10, i * 5 % 13 / 10, i % 3]
        for i in range(24)
    ]

    def changed(name: str, *changes: tuple[int, int, object], more: Any = (), **form: str):
        rows = [list(row) for row in units]
        for i, column, value in changes:
            rows[i][column] = value
        table(name, [*rows, *more], names, **form)

    changed("t.csv")
    changed("changed.csv", (5, 4, units[5][4] + 0.1))
    changed("moved.csv", (5, 1, "s0"))
    changed("both.csv", (3, 3, 0.75), (3, 4, 0.75))  # no difference there, but another before
    changed("same.csv", (3, 3, 0.25), (3, 4, 0.25))
    changed("rows.tsv", mark="\t")
    changed("comma.csv", mark=";", decimal=",")
    changed("mean.csv", more=[["mean", "s0", "odd", 0.5, 0.6, 1]])
    changed("gap.csv", (7, 4, "NA"))
    changed("minus.csv", (7, 4, -1))
    changed("percent.csv", *((i, 4, i * 5 % 13 * 10) for i in range(24)))
    table("shuffled.csv", random.Random(1).sample(units, 24), names)
    write("bare.csv", *(",".join(map(str, row)) for row in units))
    records = [dict(zip(names, row, strict=True)) for row in units]
    write("t.jsonl", *map(json.dumps, records))
    deep = ({"id": r["id"], "story": r["story"], "s": r} for r in records)
    write("deep.jsonl", *map(json.dumps, deep))
    three = [[r[0], r[3], r[4] / 2, r[3] * r[4] / 2] for r in units]
    table("three.csv", three, ["id", "a", "b", "c"])
    long = [[r[0], names[i], r[i], r[i] / 3] for r in units for i in (3, 4)]
    table("long.csv", long, ["id", "who", "score", "thirds"])
    runs = [[row[0], seed, row[3] + seed * i % 3 / 10, row[4] + seed * i % 5 / 10]
            for i, row in enumerate(units) for seed in (1, 2, 3)]  # fmt: skip
    table("runs.csv", runs, ["id", "seed", "base", "new"])
    rng = random.Random(3)
    many = [[f"q{i}", f"s{i % 6}", *rng.choices("xyzuv", k=3)] for i in range(120)]
    table("large.csv", many, ["id", "story", "gold", "a", "b"])
    labels = [[f"q{i}", "xyz"[i % 3], "xyz"[i * i % 3], "xyz"[i * 7 % 5 % 3]] for i in range(24)]
    table("labels.csv", labels, ["id", "gold", "a", "b"])


def many_systems():
    names = ["id", "story", "base", "new", "third"]
    units = [
        [f"q{i:02}", f"s{i % 7}", i * 7 % 11 / 10, i * 5 % 13 / 10, i % 3 + i * i % 7 / 10]
        for i in range(24)
    ]
    order = [0, 1, 4, 2, 3]
    table("t.csv", units, names)
    table("shuffled.csv", random.Random(1).sample(units, 24), names)
    table("changed.csv", [[*row[:4], row[4] + (row[0] == "q05")] for row in units], names)
    table("moved.csv", [[row[i] for i in order] for row in units], [names[i] for i in order])
    table("renamed.csv", units, ["id", "story", "|x:y", "b", "c"])
    real = [[*row[:2], *(x**0.5 / 3 for x in row[2:])] for row in units * 4]
    table("real.csv", real, names)
    table("binary.csv", [[*row[:2], *(int(x > 0.5) for x in row[2:])] for row in units], names)
    labels = [[f"q{i}", "xyz"[i % 3], "xyz"[i * i % 3], "x"] for i in range(24)]
    table("labels.csv", labels, ["id", "gold", "a", "b"])


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """All the files, once."""
    found = {}
    for name, files in (("compare", scores), ("systems", many_systems)):
        found[name] = tmp_path_factory.mktemp(name)
        with contextlib.chdir(found[name]):
            small_files()
            files()
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
    for line in Path(__file__).with_name("signatures.txt").read_text("utf-8").splitlines()[3:]:
        if line.startswith("# "):
            command, names = line[2:], {}
        elif line.startswith("$"):
            name, _, value = line[1:].partition(": ")
            names[name] = Template(value).substitute(names)
        elif line:
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
