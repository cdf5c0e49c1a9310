"""The signature of ``csig systems``: the same exactly where the numbers must be the same."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
from commands import record, write
from places import DOCS

from csig.cli.systems import systems
from csig.comparing.signature import parse

NAMES = ["id", "story", "base", "new", "third"]
ROWS = [
    [f"q{i:02}", f"s{i % 7}", i * 7 % 11 / 10, i * 5 % 13 / 10, i % 3 + i * i % 7 / 10]
    for i in range(24)
]

SECTION = (DOCS / "output.md").read_text(encoding="utf-8").partition("## The signature")[2]
DOCUMENTED = {"method"} | set(re.findall(r"`([a-z-]+)`", SECTION))


@pytest.fixture(autouse=True)
def _files(_folder: None, small_files: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("csig.systems.ranking.BOUND_WORDS", 0)  # there is no time for bounds

    def table(name: str, rows: list[list[Any]] = ROWS, names: list[str] = NAMES) -> None:
        write(name, *(",".join(map(str, row)) for row in [names, *rows]))

    table("t.csv")
    table("shuffled.csv", random.Random(1).sample(ROWS, len(ROWS)))
    table("changed.csv", [[*row[:4], row[4] + (row[0] == "q05")] for row in ROWS])
    order = [0, 1, 4, 2, 3]
    table("moved.csv", [[row[i] for i in order] for row in ROWS], [NAMES[i] for i in order])
    renamed = ["id", "story", "|x:y", "b", "c"]
    table("renamed.csv", ROWS, renamed)
    table("real.csv", [[*row[:2], *(x**0.5 / 3 for x in row[2:])] for row in ROWS * 4])
    binary = [[*row[:2], *(int(x > 0.5) for x in row[2:])] for row in ROWS]
    table("binary.csv", binary)
    write("labels.csv", "id,gold,a,b", *(f"q{i},{'xyz'[i % 3]},{'xyz'[i * i % 3]},x"
                                         for i in range(24)))  # fmt: skip
    write("none.conll", "a\tO", "b\tO", "c\tO", "", "d\tO", "e\tO")


#: What the systems are called, as their numbers are of several kinds.
EVERY = ("--system", "base", "--system", "new", "--system", "third")
T = ("t.csv", *EVERY)
RENAMED = ("--system", "|x:y", "--system", "b", "--system", "c")
F = (*T, "--correction", "flips", "--resamples", 99, "--seed", 1)
C = (*T, "--cluster", "story")
B = ("binary.csv", "--ignore", "story")
#: More than can be exact.
R = ("real.csv", "--ignore", "story", "--ignore", "id", "--resamples", 200, "--seed", 1)
CONLL = ("gold.conll", "one.conll", "two.conll")
NONE = ("gold.conll", "one.conll", "none.conll")

#: What an option of csig systems decides; every one has its entry here, or below.
DIFFERENT: dict[str, list[tuple[tuple[object, ...], tuple[object, ...]]]] = {
    "files": [(T, ("changed.csv", *T[1:]))],
    "system": [(T, ("t.csv", "--system", "base", "--system", "new"))],
    "cluster": [(T, C)],
    "baseline": [(T, (*T, "--baseline", "new")), ((*T, "--baseline", "base"), (*T, "--baseline",
                 "new"))],
    "metrics": [(CONLL, (*CONLL, "--metric", "recall"))],
    "lower_is_better": [(T, (*T, "--lower-is-better"))],
    "unit": [(C, (*C, "--unit", "unit"))],
    "correction": [(B, (*B, "--correction", "shaffer")), ((*B, "--correction", "bh"), (*B,
                   "--correction", "by"))],
    "statistic": [(F, (*F, "--statistic", "difference"))],
    "resamples": [(F, (*F, "--resamples", 98)), (R, (*R, "--resamples", 201))],
    "seed": [(F, (*F, "--seed", 2)), (R, (*R, "--seed", 2))],
    "bit_generator": [(F, (*F, "--bit-generator", "Philox"))],
    "alpha": [((*T, "--alpha", 0.999), (*T, "--alpha", 0.0001))],
    "zero_division": [((*NONE, "--metric", "precision"), (*NONE, "--metric", "precision",
                       "--zero-division", 1))],
    "scheme": [(CONLL, (*CONLL, "--scheme", "plain"))],
}  # fmt: skip

SAME: dict[str, list[tuple[tuple[object, ...], tuple[object, ...]]]] = {
    # Neither the order of rows with ids, nor that of the systems, nor their names.
    "files": [(F, ("shuffled.csv", *F[1:])), (F, ("moved.csv", *F[1:])), (F, ("renamed.csv",
              *RENAMED, *F[7:])), (C, ("shuffled.csv", *C[1:])),
              ((*T, "--baseline", "new"), ("moved.csv", *T[1:], "--baseline", "new"))],
    "system": [(T, ("t.csv", "--system", "third", "--system", "base", "--system", "new"))],
    "unit": [(C, (*C, "--unit", "cluster"))],
    "statistic": [(F, (*F, "--statistic", "studentized"))],
    # A test that is exact draws nothing.
    "seed": [(T, (*T, "--seed", 9))],
    "resamples": [(T, (*T, "--resamples", 9))],
    "bit_generator": [(T, (*T, "--bit-generator", "Philox"))],
    "threads": [((*F, "--threads", 1), (*F, "--threads", 2))],
    "format": [(T, (*T, "--format", "scores"))],
    "id": [(F, (*F, "--id", "id"))],
    "ignore": [(C, (*C, "--id", "id"))],
    "letters": [(T, (*T, "--letters"))],
    "gold_column": [(("labels.csv",), ("labels.csv", "--gold-column", "gold"))],
    "strict": [(T, (*T, "--strict"))],
    "max_size": [(T, (*T, "--max-size", "1G"))],
}  # fmt: skip

#: Options of reading, which csig compare has too: tests/cli/test_signature.py has their pairs.
READING = frozenset(
    {"counts", "statistics", "documents", "field", "run", "positive"}
    | {"document_column", "sentence_column", "document_file", "rules", "spans", "filter", "match"}
    | {"allow_missing", "quoting", "decimal", "header", "name_a", "name_b"}
    | {"system_column", "score_column", "drop_row", "keep_row", "missing", "percent", "delimiter"}
)

#: Needs workers; tests/engines/test_flips.py holds that they change no hit.
NO_PAIR = frozenset({"scheduler"})

#: Options of what is shown.
SHOWN = frozenset(
    {"help_all", "output_format", "explain", "cite", "json_path", "plot_path", "progress"}
    | {"verbose"}
)

#: Not numbers, or what says how they came about.
_BESIDE = {"signature", "digest", "name", "system", "other", "better", "baseline", "seed", "unit"}
_BESIDE |= {"possibly_best", "correction", "statistic", "metric", "doubts", "alpha"}


def _numbers(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _numbers(own) for key, own in value.items() if key not in _BESIDE}
    return sorted((_numbers(own) for own in value), key=str) if isinstance(value, list) else value


def results(*arguments: object) -> tuple[Any, str]:
    found = record("systems", *arguments, status=None)
    known = parse(found["signature"])
    assert set(known) <= DOCUMENTED
    assert known["data"][0] == found["digest"][:16]
    return _numbers(found), found["signature"]


def _pairs(found: dict[str, list[tuple[Any, Any]]]) -> list[Any]:
    return [pytest.param(*pair, id=f"{name}-{i}") for name, own in found.items()
            for i, pair in enumerate(own)]  # fmt: skip


def test_every_option_is_decided() -> None:
    """A new option of csig systems needs a pair, or a place among those that need none."""
    decided = {*DIFFERENT, *SAME, *READING, *NO_PAIR, *SHOWN}
    assert {param.name for param in systems.params} - decided == set()


@pytest.mark.parametrize(("one", "other"), _pairs(DIFFERENT))
def test_other_numbers_have_another_signature(one: Any, other: Any) -> None:
    found = [results(*arguments) for arguments in (one, other)]
    assert found[0][0] != found[1][0]
    assert found[0][1] != found[1][1]


@pytest.mark.parametrize(("one", "other"), _pairs(SAME))
def test_the_same_numbers_have_the_same_signature(one: Any, other: Any) -> None:
    found = [results(*arguments) for arguments in (one, other)]
    assert found[0][0] == found[1][0]
    assert found[0][1] == found[1][1]


def test_no_seed_is_in_it_where_pairs_are_certified(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("csig.systems.ranking.BOUND_WORDS", 2**40)
    one, other = (results(*R[:-1], seed) for seed in (1, 2))
    assert one == other
    known = parse(one[1])
    assert known["method"][0] in ("exact", "certified")
    assert not {"seed", "flips", "shuffles"} & set(known)


def test_what_is_in_it() -> None:
    known = parse(results(*F, "--baseline", "new")[1])
    assert known["test"] == ("systems",)
    assert known["systems"] == ("3", "baseline")
    assert known["correction"] == ("flips", "studentized")
    assert (known["flips"], known["seed"]) == (("99",), ("1",))
    exact = parse(results(*T)[1])
    assert exact["method"] == ("exact",)
    assert "seed" not in exact
