"""Columns that group the rows: clusters that nobody named, and those that are too few."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
from written import file_of, shares

from csig.readers import Table, read_table
from csig.readers.tables.groups import FEWEST_CLUSTERS, FEWEST_GROUPS

N = 40
IDS = [f"q{i}" for i in range(N)]
A, B = shares(N, 1), shares(N, 2)


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
    assert "give --cluster story to swap whole groups" in doubt
    assert doubt.endswith("if not, --ignore story.")
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
    path = file_of(
        id=IDS,
        answer=right,
        said_by_a=given,
        a=[int(x > 0.5) for x in A],
        b=[int(x > 0.5) for x in B],
    )
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
    assert table.notes == ("Ids (item) are unique only within task.",)


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
    assert "swapping 2 whole clusters gives no p-value below 0.5" in table.cautions[0]
    assert set(read_table(path, cluster="task").clusters) == set(two)
