"""Columns that are no systems, and columns that group the rows: never guessed away in silence."""

from __future__ import annotations

import csv
import os
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from written import file_of, refusal, shares

from csig.readers import Table, read_table
from csig.readers.tables.cells import is_number
from csig.readers.tables.grids import read_grid
from csig.readers.tables.groups import FEWEST_CLUSTERS, FEWEST_GROUPS
from csig.readers.tables.kinds import known_property
from csig.readers.tables.sheets import is_numeric, sheet_of


def changed(path: Path, **more: object) -> str:
    """A file with more columns, each a function of the row's number and its cells."""
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    for name, cell in more.items():
        for i, row in enumerate(rows):
            row[name] = cell(i, row)
    return file_of(**{name: [row[name] for row in rows] for name in rows[0]})


def systems(path: str, **options) -> list[str]:
    return list(read_table(path, **options).systems)


# ---- columns with numbers that are no systems --------------------------------------------------

N = 40
IDS = [f"q{i}" for i in range(N)]
A, B = shares(N, 1), shares(N, 2)
RIGHT_A, RIGHT_B = [int(x > 0.5) for x in A], [int(x > 0.5) for x in B]
LENGTHS = [7 + (i * 37) % 29 for i in range(N)]


@pytest.mark.parametrize(
    "scores", [(A, B), (RIGHT_A, RIGHT_B), ([9 * x for x in A], [8 * x for x in B])]
)
@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("length", LENGTHS),
        ("n_tokens", LENGTHS),
        ("fold", [1 + i % 5 for i in range(N)]),
        ("seed", [42] * N),
        ("year", [1990 + i % 3 for i in range(N)]),
        ("latency", [120.5 + i * 37 % 50 for i in range(N)]),
        ("uid", [5000 + (i * 7919) % 1000 for i in range(N)]),
    ],
)
@pytest.mark.parametrize("first", [True, False])
def test_a_property_of_units_is_no_system(scores, name, cells, first):
    own = {"a": scores[0], "b": scores[1]}
    columns = {name: cells, **own} if first else {**own, name: cells}
    path = file_of(id=IDS, **columns)
    table = read_table(path)
    assert list(table.systems) == ["a", "b"]
    (caution,) = table.cautions
    assert caution.startswith(f"Column {name!r} was left out: it holds ")
    assert f"--system {name} takes it as one" in caution
    assert list(table.others[name]) == [str(cell) for cell in cells]
    # What was asked for is done, without a word.
    table = read_table(path, ignore=[name])
    assert (list(table.systems), table.cautions) == (["a", "b"], ())
    table = read_table(path, systems=["a", name])
    assert (list(table.systems), table.cautions) == (["a", name], ())


@pytest.mark.parametrize(
    ("cells", "why"),
    [
        ([3 + i // 4 for i in range(N)], "in order"),
        ([500 - 3 * i for i in range(N)], "in order"),
        ([5000 + (i * 7919) % 1000 for i in range(N)], "all different"),
        ([3] * N, "the same in every row"),
    ],
)
def test_numbers_of_another_scale_that_look_like_no_scores(cells, why):
    table = read_table(file_of(id=IDS, x=cells, a=A, b=B))
    assert list(table.systems) == ["a", "b"]
    assert (
        f"Column 'x' was left out: it holds whole numbers from {min(cells)} to"
        in (table.cautions[0])
    )
    assert f", {why}, and so no scores" in table.cautions[0]


def test_what_is_the_same_within_every_cluster_is_no_system():
    tasks = [f"t{i % 8}" for i in range(N)]
    kinds = [3 + 5 * (i % 8) for i in range(N)]
    table = read_table(file_of(id=IDS, task=tasks, x=kinds, a=A, b=B))
    assert list(table.systems) == ["a", "b"]
    assert "the same within each cluster" in table.cautions[0]
    # Beside whole numbers of the same size nothing but this speaks against it.
    whole = [int(40 * x) for x in A]
    path = file_of(id=IDS, task=tasks, x=kinds, a=whole, b=whole[::-1])
    assert "column 'x' holds whole numbers from 3 to 38, the same within each cluster" in refusal(
        read_table, path
    )
    assert systems(path, ignore=["x"]) == ["a", "b"]
    assert systems(path, systems=["x", "a"]) == ["x", "a"]


def test_two_kinds_of_numbers_without_a_sign_are_refused():
    counts = [1 + (i * 37) % 100 for i in range(N)][::-1]
    counts[3] = counts[4]
    path = file_of(id=IDS, a=A, b=B, c=counts)
    message = refusal(read_table, path)
    assert "t.csv line 1: columns 'a', 'b' hold numbers from 0." in message
    assert "but column 'c' holds whole numbers from" in message
    assert "choose them with --system, or leave columns out with --ignore" in message
    assert systems(path, ignore=["c"]) == ["a", "b"]
    assert systems(path, ignore=["a", "b"]) == ["c"]
    assert systems(path, systems=["a", "b", "c"]) == ["a", "b", "c"]
    assert "but column 'b' holds" in refusal(
        read_table, file_of(id=IDS, a=A, b=[100 * x for x in B])
    )


def test_ids_beside_whole_numbers():
    whole = [(i * 31) % 90 for i in range(N)]
    path = file_of(nr=[7 + 2 * i for i in range(N)], a=whole, b=whole[::-1])
    assert "Column 'nr' was left out" in read_table(path).cautions[0]
    path = file_of(mark=[7 + 2 * i for i in range(N)], a=whole, b=whole[::-1])
    assert "'mark' holds whole numbers from 7 to 85, in order and all different" in refusal(
        read_table, path
    )
    assert read_table(path, id="mark").ids[:2] == ["7", "9"]


def test_numbers_that_are_called_like_the_gold_are_no_system():
    targets = [round(5 * x, 1) for x in A]
    path = file_of(id=IDS, target=targets, a=[x + 0.01 for x in targets], b=[5 * x for x in B])
    message = refusal(read_table, path)
    assert "column 'target' is called like the gold, but no other column has its labels" in message
    assert systems(path, ignore=["target"]) == ["a", "b"]
    assert systems(path, format="scores") == ["target", "a", "b"]


def test_a_name_alone_decides_nothing():
    path = file_of(id=IDS, size=A, b=B)
    table = read_table(path)
    assert list(table.systems) == ["size", "b"]
    assert table.cautions == (
        "Column 'size' was taken for a system, whatever its name; --ignore size leaves it out.",
    )
    assert read_table(file_of(id=IDS, step=A, epoch=B)).cautions == ()


GOOD = {
    "shares": {"a": A, "b": B},
    "right and wrong": {"a": RIGHT_A, "b": RIGHT_B},
    "shares beside right and wrong": {"a": A, "b": RIGHT_B},
    "grades": {"a": [i % 5 for i in range(N)], "b": [(i * 3) % 4 for i in range(N)]},
    "grades of which one has the lowest only": {"a": RIGHT_A, "b": [i % 3 for i in range(N)]},
    "BLEU": {"a": [100 * x for x in A], "b": [100 * x for x in B]},
    "COMET": {"a": [2 * x - 0.7 for x in A], "b": [1.9 * x - 0.7 for x in B]},
    "log-probabilities": {"a": [-5 * x for x in A], "b": [-0.9 * x for x in B]},
    "sorted by a system": {"a": sorted(A), "b": B},
    "sorted grades": {"a": sorted(i % 5 for i in range(N)), "b": [i % 4 for i in range(N)]},
    "sorted right and wrong": {"a": sorted(RIGHT_A), "b": RIGHT_B},
    "all right": {"a": [1] * N, "b": RIGHT_B},
    "all wrong": {"a": [0] * N, "b": A},
    "the same": {"a": A, "b": A},
    "counts": {"a": [100 + (i * 7) % 50 for i in range(N)], "b": [(i * 7) % 50 for i in range(N)]},
    "named by runs": {"run_1": A, "run_2": B, "seed_3": A[::-1]},
}


@pytest.mark.parametrize("name", GOOD)
def test_ordinary_tables_are_read_without_a_doubt(name):
    table = read_table(file_of(id=IDS, **GOOD[name]))
    assert (list(table.systems), table.cautions) == (list(GOOD[name]), ())


def test_the_largest_numbers_are_numbers():
    ends = [1.7e308, -1.7e308] * 20
    assert systems(file_of(id=IDS, a=ends, b=ends[::-1])) == ["a", "b"]
    assert "not all can be scores" in refusal(read_table, file_of(id=IDS, a=A, b=ends))


def test_empty_cells_beside_a_length():
    gaps = ["" if i == 5 else x for i, x in enumerate(A)]
    table = read_table(file_of(id=IDS, a=gaps, b=B, length=LENGTHS), allow_missing=True)
    assert (list(table.systems), table.n_units) == (["a", "b"], N - 1)


@pytest.mark.parametrize(
    ("name", "expected"),
    [("Length", True), ("num words", True), ("docLength", True), ("bert-large", False),
     ("gpt_4", False), ("N", True), ("system_b", False), ("", False)],
)  # fmt: skip
def test_names_of_properties(name, expected):
    assert known_property(name) is expected


def test_real_scores_beside_a_length_and_a_fold(shared_data):
    path = shared_data("llm_gsm8k_four_systems") / "correct.csv"
    plain = read_table(path)
    table = read_table(
        changed(path, length=lambda i, _: 20 + i * 131 % 97, fold=lambda i, _: i % 10)
    )
    assert list(table.systems) == list(plain.systems)
    assert [caution.split("'")[1] for caution in table.cautions] == ["length", "fold"]
    for name, scores in plain.systems.items():
        assert np.array_equal(table.systems[name], scores)


NUMBERS = ["+1", "-1", ".5", "1e3", " 2", "\u0663", "NaN", "Infinity", "inf", "nan", "0x", "", "x"]


@given(st.lists(st.sampled_from([*NUMBERS, "word", "Word", "e5", "\u00e9t\u00e9"]), min_size=1))
def test_what_is_a_column_of_numbers(cells):
    """As if every cell were looked at: at least half of those that are not empty."""
    filled = [cell for cell in cells if cell.strip()]
    expected = 2 * sum(map(is_number, filled)) >= len(filled) > 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "t.csv")
        sheet = sheet_of(read_grid(file_of(path, id=range(len(cells)), x=cells)))
    assert is_numeric(sheet, "x") is expected


# ---- columns that group the rows ---------------------------------------------------------------


def doubts(table: Table) -> list[str]:
    return [caution for caution in table.cautions if "groups the" in caution]


def test_fifty_values_in_five_hundred_rows_are_a_doubt():
    n = 500
    stories = [f"s{i % 50}" for i in range(n)]
    path = file_of(id=range(n), story=stories, a=shares(n, 1), b=shares(n, 2))
    table = read_table(path)
    (doubt,) = table.cautions
    assert doubt.startswith(
        "Column 'story' groups the 500 rows: 50 different values, each in 10 rows."
    )
    assert "--cluster story swaps whole groups; --ignore story says" in doubt
    assert table.clusters is None
    assert read_table(path, ignore=["story"]).cautions == ()
    assert read_table(path, cluster="story").cautions == ()


def test_numbers_group_where_they_stand_together():
    n = 500
    path = file_of(id=range(n), part=[i // 10 for i in range(n)], a=shares(n, 1), b=shares(n, 2))
    said = " ".join(read_table(path).cautions)
    assert "Column 'part' was left out" in said
    assert "Column 'part' groups the 500 rows: 50 different values" in said


def test_labels_group_too():
    n = 200
    gold = ["yes" if i % 3 else "no" for i in range(n)]
    said = ["yes" if i % 5 else "no" for i in range(n)]
    docs = [f"d{i // 4}" for i in range(n)]
    path = file_of(id=range(n), story=docs, gold=gold, x=said, y=said[::-1])
    assert doubts(read_table(path))[0].startswith("Column 'story' groups the 200 rows: 50 diff")


def test_pairs_among_a_hundred_thousand_rows_are_seen():
    n = 100_000
    rng = np.random.default_rng(1)
    pairs = rng.permutation(np.arange(n) // 2)
    a, b = rng.random((2, n)).round(3)
    path = file_of(id=range(n), pairing=[f"p{i}" for i in pairs], a=a, b=b)
    assert "50,000 different values, each in 2 rows" in doubts(read_table(path))[0]


NO_GROUPS = {
    "free text": [f"text {i}" for i in range(N)],
    "free text with a few repeats": [f"text {i if i % 9 else 0}" for i in range(N)],
    "five groups": [f"g{i % 5}" for i in range(N)],
    "one large group": ["" if i % 2 else f"x{i // 4}" for i in range(N)],
    "almost one value": ["none" if i > 15 else f"x{i // 2}" for i in range(N)],
    "words that come back by chance": [f"w{int(N * x**3)}" for x in A],
}


@pytest.mark.parametrize("name", NO_GROUPS)
def test_what_groups_nothing_is_no_doubt(name):
    assert read_table(file_of(id=IDS, text=NO_GROUPS[name], a=A, b=B)).cautions == ()


def test_answers_group_nothing():
    letters = "ABCDEFGH"
    right = [letters[i * 5 % 8] for i in range(N)]
    given = [letters[i * 3 % 8] for i in range(N)]
    path = file_of(id=IDS, answer=right, said_by_a=given, a=RIGHT_A, b=RIGHT_B)
    assert read_table(path).cautions == ()
    labels = file_of(id=IDS, gold=right, x=given, y=given[::-1], z=right[::-1])
    assert read_table(labels, systems=["x", "y"]).cautions == ()


@pytest.mark.parametrize("number", [1, 2, 3, 4, 5])
def test_two_or_three_groups_are_no_clusters_unasked(number):
    groups = [f"g{i % number}" for i in range(N)]
    path = file_of(id=IDS, group=groups, a=A, b=B)
    table = read_table(path)
    if number >= FEWEST_CLUSTERS:
        assert (table.cluster_column, table.cautions) == ("group", ())
        return
    assert (table.cluster_column, table.clusters) == (None, None)
    (doubt,) = table.cautions
    assert f"no p-value below {2 / 2**number:g}." in doubt
    assert "--cluster group swaps whole clusters" in doubt
    assert read_table(path, cluster="group").clusters == groups
    assert read_table(path, ignore=["group"]).cautions == ()


def test_the_larger_of_two_columns_called_clusters_is_taken():
    tasks, pairs = [f"t{i % 2}" for i in range(N)], [f"p{i // 2}" for i in range(N)]
    table = read_table(file_of(id=IDS, task=tasks, pair=pairs, a=A, b=B))
    assert table.cluster_column == "pair"
    assert "Column 'task' has 2 different values" in table.cautions[0]


def test_ids_within_two_tasks_are_ids_nevertheless():
    tasks = [f"t{i % 2}" for i in range(N)]
    table = read_table(file_of(task=tasks, item=[i // 2 for i in range(N)], a=A, b=B))
    assert (table.ids[:3], table.clusters) == ([("t0", "0"), ("t1", "0"), ("t0", "1")], None)
    assert table.notes == ("Ids (item) are unique within task only.",)


def test_thresholds_are_where_nothing_can_be_significant():
    """With G clusters no two-sided p-value is below 2 / 2^G."""
    assert 2 / 2 ** (FEWEST_GROUPS - 1) > 0.05 >= 2 / 2**FEWEST_GROUPS
    assert 2 / 2 ** (FEWEST_CLUSTERS - 1) >= 0.25


def test_pairs_of_real_questions(shared_data):
    path = shared_data("cls_figqa_sst2_outputs") / "figqa_correct.csv"
    assert read_table(path).cautions == ()
    renamed = file_of(**{
        {"pair": "metaphor"}.get(name, name): cells
        for name, cells in zip(*_columns(path), strict=True)
    })  # fmt: skip
    table = read_table(renamed)
    assert table.clusters is None
    assert "Column 'metaphor' groups the 1,094 rows: 547 different values, each in 2 rows" in (
        " ".join(table.cautions)
    )


def _columns(path: Path) -> tuple[list[str], list[tuple[str, ...]]]:
    with open(path, newline="", encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    return header, list(zip(*rows, strict=True))


def test_two_tasks_of_real_questions(shared_data):
    header, cells = _columns(shared_data("llm_bbh_codex") / "correct.csv")
    tasks = cells[header.index("task")]
    two = sorted(set(tasks))[:2]
    rows = [row for row in zip(*cells, strict=True) if row[header.index("task")] in two]
    path = file_of(**dict(zip(header, zip(*rows, strict=True), strict=True)))
    table = read_table(path)
    assert table.clusters is None
    assert "swapping 2 clusters whole gives no p-value below 0.5" in table.cautions[0]
    assert set(read_table(path, cluster="task").clusters) == set(two)
