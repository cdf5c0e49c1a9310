"""Tables with several runs of each system: a column says of which run a row is."""

import itertools
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cases import check_refused
from written import file_of, text_file

import csig
from csig.readers import Table, read_table
from csig.readers.tables.reader import MOST_RUNS

UNITS, RUNS = [f"q{i}" for i in range(12)], ["1", "2", "10"]
#: (systems, runs, units)
SCORES = np.round(np.random.default_rng(1).random((2, 3, 12)), 3)


def wide(scores: Any = SCORES, seed: int | None = None, **more: Callable[[int, int], str]) -> str:
    rows = list(itertools.product(range(3), range(12)))
    if seed is not None:
        random.Random(seed).shuffle(rows)
    return file_of(
        id=[UNITS[unit] for _, unit in rows], seed=[RUNS[run] for run, _ in rows],
        base=[scores[0][row] for row in rows], new=[scores[1][row] for row in rows],
        **{column: [cell(*row) for row in rows] for column, cell in more.items()},
    )  # fmt: skip


def long(skip: Sequence[tuple[int, ...]] = ()) -> str:
    every = itertools.product(range(2), range(3), range(12))
    rows = [row for row in every if row not in skip and row[:2] not in skip]
    return file_of(
        id=[UNITS[unit] for _, _, unit in rows], run=[RUNS[run] for _, run, _ in rows],
        model=[("base", "new")[system] for system, _, _ in rows],
        score=[SCORES[row] for row in rows],
    )  # fmt: skip


def text_of(path: str) -> str:
    return Path(path).read_text(encoding="utf-8")


def check_runs(table: Table) -> None:
    assert (table.runs, sorted(table.ids or ()), table.cautions) == ((*RUNS,), sorted(UNITS), ())
    places = [UNITS.index(str(unit)) for unit in table.ids or ()]
    for own, expected in zip(map(table.systems.get, ("base", "new")), SCORES, strict=True):
        assert np.array_equal(own, expected[:, places].T)


@pytest.mark.parametrize("skip", [(), ((0, 1, 3),)])
def test_systems_are_in_the_order_of_the_file_whether_or_not_an_answer_is_missing(skip):
    path = text_file(text_of(long(skip)).replace("base", "y").replace("new", "x"))
    assert csig.read(path, run="run", metric="mean").names == ("y", "x")
    assert csig.read(path, run="run", metric="mean", systems=["x", "y"]).names == ("x", "y")


@pytest.mark.parametrize("seed", [None, 1])
def test_one_row_per_unit_and_run(seed):
    table = read_table(wide(seed=seed), run="seed")
    check_runs(table)
    assert (table.run_column, list(table.systems)) == ("seed", ["base", "new"])
    check_runs(read_table(long(), run="run"))


def files_of_systems(scores: Any, seeds: Sequence[int | None] = (0, 1)) -> dict[str, str]:
    """A file for each system: the first three columns of a wide table."""
    texts = {}
    for name, own, seed in zip(("base", "new"), scores, seeds, strict=True):
        rows = text_of(wide(np.stack([own] * 2), seed=seed)).splitlines()
        texts[f"{name}.csv"] = "\n".join(
            row.rsplit(",", 1)[0].replace("base", "score") for row in rows
        )
    return texts


def test_a_file_for_each_system():
    texts = files_of_systems(SCORES)
    check_runs(read_table(*(text_file(text, name) for name, text in texts.items()), run="seed"))
    few = [row for row in texts["new.csv"].splitlines() if row.split(",")[1] != "10"]
    found = "new.csv: no run '10', which base.csv has; every system needs the same runs"
    check_refused({**texts, "new.csv": "\n".join(few)}, {"run": "seed"}, found, "--metric mean")
    files = files_of_systems([SCORES[0], 100 * SCORES[1]])
    check_refused(files, {"run": "seed"}, "stays within 0 and 1: percent beside shares?",
                  "--percent new", "--system base --system new")  # fmt: skip


def test_counts_of_runs():
    rows = [f"d{unit},{run},{unit + 1},{2 * unit + 2},9,{unit},{unit + 2},x{unit % 4}\n"
            for run in (1, 2) for unit in range(8)]  # fmt: skip
    path = text_file("id,run,tp_a,predicted_a,gold,tp_b,predicted_b,story\n" + "".join(rows))
    comparison = csig.read(path, run="run", cluster="story").comparison()
    assert (comparison.unit, comparison.runs.a.shape) == ("story", (2, 4, 3))
    units = comparison.at("unit").runs
    assert (units.a.shape, units.b[1, 0].tolist()) == ((2, 8, 3), [0, 2, 9])
    assert comparison.sums("a")["gold"] == 2 * 8 * 9


def test_columns_that_are_the_same_in_all_runs_can_be_parts():
    path = wide(kind=lambda run, unit: f"k{unit % 2}", time=lambda run, unit: f"t{run}")
    reading = csig.read(path, run="seed", by="kind", ignore="time")
    assert {label: part.runs.a.shape for label, part in reading.parts.items()} == {
        "k0": (3, 6, 2), "k1": (3, 6, 2),
    }  # fmt: skip
    assert set(read_table(path, run="seed", ignore=["time", "kind"]).others) == {"kind"}


def test_missing_units_are_left_out_of_all_runs():
    path = long(skip={(0, 1, 4), (1, 2, 5)})
    check_refused(text_of(path), {"run": "run"}, "new has 1 id that base lacks: 'q4'",
                  "--allow-missing intersection", "--metric mean")  # fmt: skip
    table = read_table(path, run="run", allow_missing=True)
    assert table.n_units == 10
    assert {"q4", "q5"}.isdisjoint(table.ids or ())
    assert table.cautions == ("2 of 12 items are left out: base lacks 1, new lacks 1.",)


def test_equal_runs_are_a_doubt():
    same = SCORES.copy()
    same[1, 2] = same[1, 0]
    (caution,) = read_table(wide(same), run="seed").cautions
    assert caution.startswith("Runs '1' and '10' of new are the same in every unit.")


def test_a_table_with_runs_is_described_and_not_written():
    reading = csig.read(wide(), run="seed")
    described = reading.describe()
    assert described.units == {"unit": 12}
    table = described.input.as_dict()["table"]
    assert (table["run"], table["n_runs"]) == ("seed", 3)
    with pytest.raises(csig.InputError, match="a table with runs cannot be written"):
        reading.data.columns(None)


# ---- what is refused -----------------------------------------------------------------------------
@pytest.mark.parametrize(("options", "words"), [
    ({"run": "sead"}, "no column 'sead'"),
    ({"run": "seed", "id": "seed"}, "--id and --run name the same column, 'seed'"),
    ({"run": "seed", "systems": ["seed"]}, "--run and --system name the same column"),
    ({"run": "seed", "ignore": ["id"]}, "need a column with the ids of the units; name it"),
])  # fmt: skip
def test_columns_that_are_no_runs(options, words):
    check_refused(text_of(wide()), options, words)


def test_runs_that_are_missing_or_doubled():
    found = "t.csv: 'new': no run '10', which t.csv: 'base' has; every system needs the same runs"
    check_refused(text_of(long(skip={(1, 2)})), {"run": "run"}, found, "--metric mean")
    lines = text_of(wide()).splitlines()
    for text, words, way in (
        ([*lines, lines[14]], "found the id 'q1' on line 15 and again on line 38", []),
        (lines[:-1], "run '10' lacks 1 id", ["--allow-missing intersection", "--metric mean"]),
        ([*lines, "q1,,0.5,0.5"], "line 38, column 'seed': the cell is empty, expected the name",
         []),
    ):  # fmt: skip
        check_refused("\n".join(text), {"run": "seed"}, words, *way)
    many = "\n".join(f"q,{i},1,0" for i in range(MOST_RUNS + 1))
    words = "has 1,001 different values, expected at most 1,000 runs"
    check_refused(f"id,run,a,b\n{many}\n", {"run": "run"}, words)


def test_labels_and_other_formats_have_no_runs():
    text_file("id,run,gold,a,b\n" + "".join(f"q{i},1,{'xy'[i % 2]},x,y\n" for i in range(9)))
    with pytest.raises(csig.InputError, match="run= is for tables of scores or counts"):
        csig.read("t.csv", run="run")
    files = [text_file("x\ny\n", f"{name}.txt") for name in ("gold", "a", "b")]
    for form, called in (("labels", "labels, one per line"), ("responses", "responses")):
        with pytest.raises(csig.InputError, match=f"run= does not go with {called}"):
            csig.read(*files, run="run", format=form)
