"""Columns with numbers that are no systems: never guessed away in silence."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
from written import file_of, refusal, shares

from csig.readers import read_table
from csig.readers.tables.kinds import known_property


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
    assert f"--system {name} reads it as one" in caution
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
    assert f", {why}, and so not scores" in table.cautions[0]


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
    assert "column 'target' is named like the gold, but no other column has its labels" in message
    assert systems(path, ignore=["target"]) == ["a", "b"]
    assert systems(path, format="scores") == ["target", "a", "b"]


def test_a_name_alone_decides_nothing():
    path = file_of(id=IDS, size=A, b=B)
    table = read_table(path)
    assert list(table.systems) == ["size", "b"]
    assert table.cautions == (
        "Column 'size' was read as a system despite its name; --ignore size leaves it out.",
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
