"""Tables with several runs of each system: a column says of which run a row is."""

from __future__ import annotations

import random
import re
from pathlib import Path

import numpy as np
import pytest
from written import file_of, refusal, text_file

import csig
from csig.readers import read_table, read_tables
from csig.readers.tables.runs import MOST_RUNS

UNITS, RUNS = [f"q{i}" for i in range(12)], ["1", "2", "10"]
rng = np.random.default_rng(1)
#: (systems, runs, units)
SCORES = np.round(rng.random((2, 3, 12)), 3)


def wide(name="t.csv", scores=SCORES, runs=RUNS, seed=None, **more):
    """One row per unit and run, in some order."""
    rows = [(run, unit) for run in range(len(runs)) for unit in range(12)]
    order = list(range(len(rows)))
    if seed is not None:
        random.Random(seed).shuffle(order)
    return file_of(
        name,
        order,
        id=[UNITS[unit] for _, unit in rows],
        seed=[runs[run] for run, _ in rows],
        base=[scores[0][run][unit] for run, unit in rows],
        new=[scores[1][run][unit] for run, unit in rows],
        **{column: [cell(run, unit) for run, unit in rows] for column, cell in more.items()},
    )


def long(name="t.csv", skip=(), runs=RUNS):
    """One row per unit, run and system, but for some."""
    rows = [
        (system, run, unit)
        for system in range(2)
        for run in range(3)
        for unit in range(12)
        if (system, run, unit) not in skip and (system, run) not in skip
    ]
    return file_of(
        name,
        id=[UNITS[unit] for _, _, unit in rows],
        model=[("base", "new")[system] for system, _, _ in rows],
        run=[runs[run] for _, run, _ in rows],
        score=[SCORES[row] for row in rows],
    )


def check(table):
    assert table.runs == tuple(RUNS)
    assert table.n_units == 12
    assert set(table.ids) == set(UNITS)
    for i, name in enumerate(("base", "new")):
        assert table.systems[name].shape == (12, 3)
        for unit, scores in zip(table.ids, table.systems[name], strict=True):
            assert scores.tolist() == SCORES[i, :, UNITS.index(unit)].tolist()


@pytest.mark.parametrize("seed", [None, 1, 2])
def test_one_row_per_unit_and_run(seed):
    table = read_table(wide(seed=seed), run="seed")
    check(table)
    assert (table.run_column, table.cautions, list(table.systems)) == ("seed", (), ["base", "new"])


def test_one_row_per_unit_run_and_system():
    table = read_table(long(), run="run")
    check(table)
    assert table.cautions == ()


def test_a_file_for_each_system():
    for system, name in enumerate(("base", "new")):
        own = np.stack([SCORES[system], SCORES[system]])
        path = wide(f"{name}.csv", own, seed=system)
        text = "\n".join(line.rsplit(",", 1)[0] for line in Path(path).read_text().splitlines())
        text_file(text.replace("base", "score", 1), path)
    check(read_tables(["base.csv", "new.csv"], run="seed"))
    third = Path("new.csv").read_text()
    text_file("\n".join(x for x in third.splitlines() if x.split(",")[1] != "10"), "new.csv")
    found = refusal(read_tables, ["base.csv", "new.csv"], run="seed")
    assert found == "new.csv: no run '10', which base.csv has; every system needs the same runs"


def test_the_comparison_is_that_of_the_arrays():
    reading = csig.read(wide(seed=3), run="seed")
    expected = csig.Comparison.from_scores(
        SCORES[0], SCORES[1], ids=UNITS, runs=RUNS, names=("base", "new")
    )
    assert reading.comparison() == expected
    np.testing.assert_array_equal(reading.comparison().runs.a, expected.runs.a)
    assert reading.comparison().runs.names == tuple(RUNS)
    one = csig.crossed_interval(reading.comparison(), "mean")
    assert one == csig.crossed_interval(expected, "mean")


def test_results_of_zero_and_one_have_an_accuracy():
    right = (SCORES > 0.4).astype(int)
    reading = csig.read(wide(scores=right), run="seed")
    assert reading.metrics == ["accuracy"]
    comparison = reading.comparison()
    assert comparison.sums("a") == {"correct": int(right[0].sum()), "items": 36}
    assert comparison.scores("accuracy")[1] == pytest.approx(right[1].mean())


def test_counts_of_runs():
    rows = [
        f"d{unit},{run},{unit + 1},{2 * unit + run},9,{unit},{unit + 2},x{unit % 4}"
        for run in (1, 2)
        for unit in range(8)
    ]
    header = "id,run,tp_a,predicted_a,gold,tp_b,predicted_b,story"
    text_file("\n".join([header, *rows]).replace(",1,0,9", ",1,1,9"))
    reading = csig.read(
        text_file("\n".join([header, *rows[1:8], *rows[9:]])), run="run", cluster="story"
    )
    comparison = reading.comparison()
    assert (comparison.unit, comparison.runs.a.shape) == ("story", (2, 4, 3))
    units = comparison.at("unit").runs
    assert units.a.shape == (2, 7, 3)
    assert units.b[1, 0].tolist() == [1, 3, 9]
    assert comparison.sums("a")["gold"] == 2 * 7 * 9


def test_columns_that_are_the_same_in_all_runs_can_be_parts():
    path = wide(kind=lambda run, unit: f"k{unit % 2}", time=lambda run, unit: f"t{run}")
    reading = csig.read(path, run="seed", by="kind", ignore="time")
    assert {label: part.runs.a.shape for label, part in reading.parts.items()} == {
        "k0": (3, 6, 2),
        "k1": (3, 6, 2),
    }
    table = read_table(path, run="seed")
    assert "Columns that differ between runs and were not used: 'time'." in table.notes
    chosen = read_table(path, run="seed", systems=["base"])
    assert not any("differ between runs" in note for note in chosen.notes)


def test_missing_units_are_left_out_of_all_runs():
    path = long(skip={(0, 1, 4), (1, 2, 5)})
    message = refusal(read_table, path, run="run")
    assert "new has 1 id that base lacks: 'q4'" in message
    assert message.endswith("(run '2')")
    table = read_table(path, run="run", allow_missing=True)
    assert table.n_units == 10
    assert {"q4", "q5"}.isdisjoint(table.ids)
    assert "2 of 12 units were left out, because not every system has them." in table.notes


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"run": "sead"}, "no column 'sead'"),
        ({"run": "seed", "id": "seed"}, "--run and --id name the same column, 'seed'"),
        ({"run": "seed", "systems": ["seed"]}, "--run and --system name the same column"),
        ({"run": "seed", "ignore": ["id"]}, "need a column with the ids of the units"),
    ],
)
def test_what_is_wrong_with_the_column_is_said(options, message):
    assert re.search(message, refusal(read_table, wide(), **options))


def test_runs_that_are_missing_or_doubled_are_refused():
    found = refusal(read_table, long(skip={(1, 2)}), run="run")
    assert found == "t.csv: new has no run '10', which base has; every system needs the same runs"
    path = wide()
    lines = Path(path).read_text().splitlines()
    text_file("\n".join([*lines, lines[14]]), path)
    found = refusal(read_table, path, run="seed")
    assert "found the id 'q1' on line 15 and again on line 38" in found
    assert found.endswith("(run '2')")
    text_file("\n".join(lines[:-1]), path)
    assert "run '10' lacks 1 id" in refusal(read_table, path, run="seed")
    text_file("\n".join([*lines, "q1,,0.5,0.5"]), path)
    found = refusal(read_table, path, run="seed")
    assert found.endswith("line 38, column 'seed': the cell is empty, expected the name of a run")
    many = "\n".join(f"q,{i},1,0" for i in range(MOST_RUNS + 1))
    found = refusal(read_table, text_file(f"id,run,a,b\n{many}\n"), run="run")
    assert "has 1,001 different values, expected at most 1,000 runs" in found


def test_labels_and_other_formats_have_no_runs():
    text_file("id,run,gold,a,b\n" + "".join(f"q{i},1,x,x,y\n" for i in range(9)))
    with pytest.raises(csig.InputError, match="--run is for tables of scores or counts"):
        csig.read("t.csv", run="run")
    for name in ("gold", "a", "b"):
        text_file("x\ny\n", f"{name}.txt")
    with pytest.raises(csig.InputError, match=r"--run does not go with|--run is for"):
        csig.read("gold.txt", "a.txt", "b.txt", run="run", format="labels")
    with pytest.raises(csig.InputError, match="--run is for tables"):
        csig.read("gold.txt", "a.txt", "b.txt", run="run", format="responses")


# ---- without the option ------------------------------------------------------------------------


def test_repeated_ids_suggest_the_option():
    found = refusal(read_table, wide())
    assert "40 ids" not in found
    assert found.endswith("if column 'seed' tells runs of each system apart, give --run seed")
    text_file("id,part,a,b\nq1,x,1,0\nq1,y,0,1\n")
    assert "between clusters (--cluster) or runs (--run)" in refusal(read_table, "t.csv")


def test_a_column_that_is_left_out_suggests_the_option():
    text_file("seed,a,b\n" + "".join(f"{i % 3 + 7},0.{i},0.{9 - i}5\n" for i in range(9)))
    (caution,) = read_table("t.csv").cautions
    assert "Column 'seed' was left out" in caution
    assert caution.endswith("silently, --run seed reads it as the runs of each system.")
    text_file("seed,a,b\n" + "".join(f"s{i % 3},0.{i},0.{9 - i}5\n" for i in range(9)))
    (caution,) = read_table("t.csv").cautions
    assert "'seed' was not used: it has 3 different values in 9 rows" in caution
    assert "--run seed swaps a unit with all its runs" in caution
    assert read_table("t.csv", ignore=["seed"]).cautions == ()


def test_equal_runs_are_a_doubt():
    same = SCORES.copy()
    same[1, 2] = same[1, 0]
    (caution,) = read_table(wide(scores=same), run="seed").cautions
    assert caution.startswith("Runs '1' and '10' of new are the same in every unit.")


def test_a_table_with_runs_is_described_and_not_written():
    reading = csig.read(wide(), run="seed")
    described = reading.describe()
    assert described.units == {"unit": 12}
    assert described.input.as_dict()["table"]["run"] == "seed"
    assert described.input.as_dict()["table"]["n_runs"] == 3
    with pytest.raises(csig.InputError, match="a table with runs cannot be written"):
        reading.data.columns(None)
