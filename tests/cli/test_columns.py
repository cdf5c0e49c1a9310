"""Columns of tables on the command line: what is read, and what is refused with the ways out."""

from __future__ import annotations

import random

import pytest
from commands import followed, printed, record, refused, run, words, write


def shares(n: int, seed: int) -> list[float]:
    rng = random.Random(seed)
    return [round(rng.random(), 3) for _ in range(n)]


A, B = shares(60, 1), shares(60, 2)


def plain(name: str = "plain.csv") -> str:
    return write(
        name, "id,a,b", *(f"q{i},{a},{b}" for i, (a, b) in enumerate(zip(A, B, strict=True)))
    )


def test_a_length_is_refused_until_it_is_ignored_or_the_systems_are_named():
    rows = [f"{5 + i * 7 % 31},q{i},{a},{b}" for i, (a, b) in enumerate(zip(A, B, strict=True))]
    path = write("t.csv", "length,id,a,b", *rows)
    message = refused("compare", path)
    assert "column 'length' is called like a property of units" in message
    assert printed(message) == [("compare", path, "--ignore", "length")]
    expected = record("compare", plain())["results"]
    for declared in (("--ignore", "length"), ("--system", "a", "--system", "b")):
        assert record("compare", path, *declared)["results"] == expected
    run("compare", path, "--strict", "--ignore", "length")
    three = record("compare", path, "--system", "a", "--system", "b", "--system", "length")
    assert three["baseline"] == "a"


def test_one_system_beside_a_length():
    rows = [f"q{i},{a},{5 + i * 7 % 31}" for i, a in enumerate(A)]
    message = refused("compare", write("t.csv", "id,a,length", *rows))
    assert "found one system only, 'a', expected two or more" in message
    assert "--system a --system length   # if each of these is a system" in message
    assert followed("compare", "t.csv") == 2


def test_columns_of_two_kinds_are_refused_with_the_way_out():
    rows = [f"q{i},{a},{b},{round(90 * a)}" for i, (a, b) in enumerate(zip(A, B, strict=True))]
    path = write("t.csv", "id,a,b,c", *rows)
    message = refused("compare", path)
    assert "column 'c' goes up to 89, 'a', 'b' stay within 0 and 1: percent beside" in message
    assert ("compare", path, "--system", "a", "--system", "b") in printed(message)
    assert followed("compare", path) == 3
    expected = record("compare", plain())["results"]
    for declared in (("--ignore", "c"), ("--system", "a", "--system", "b")):
        assert record("compare", path, *declared)["results"] == expected
    assert "no column 'x'" in refused("compare", path, "--ignore", "x")
    assert "--ignore does not go with tags" in (
        refused("compare", path, "--ignore", "c", "--format", "tags")
    )


def test_groups_are_refused_with_their_number_and_both_ways_out():
    rows = [f"q{i},s{i // 5},{a},{b}" for i, (a, b) in enumerate(zip(A, B, strict=True))]
    path = write("t.csv", "id,story,a,b", *rows)
    message = refused("compare", path)
    assert "column 'story' has 12 different texts in 60 rows" in message
    assert [own[2:] for own in printed(message)] == [("--cluster", "story"), ("--ignore", "story")]
    clustered = record("compare", path, "--cluster", "story")
    assert clustered["results"][0]["unit"] == "story"
    ignored = record("compare", path, "--ignore", "story")
    assert ignored["results"] == record("compare", plain())["results"]
    assert ignored["doubts"] == []


@pytest.mark.parametrize(("n", "least"), [(2, 0.5), (3, 0.25)])
def test_two_or_three_clusters_are_not_taken_unasked(n, least):
    rows = [f"q{i},g{i % n},{a},{b}" for i, (a, b) in enumerate(zip(A, B, strict=True))]
    path = write("t.csv", "id,group,a,b", *rows)
    message = refused("compare", path)
    assert f"column 'group' has the name of clusters, but only {n} values" in message
    assert f"gives no p-value below {least}\n" in message
    assert (
        record("compare", path, "--ignore", "group")["results"]
        == (record("compare", plain())["results"])
    )
    few = record("compare", path, "--cluster", "group")["results"][0]
    assert (few["unit"], few["n_units"], few["pvalue"] >= least) == ("cluster", n, True)
    assert refused("compare", path, "--by", "group").splitlines()[0] == message.splitlines()[0]
    by_group = record("compare", path, "--by", "group", "--ignore", "group")
    assert by_group["comparison"]["n_units"] == 60
    assert len(by_group["breakdown"]["parts"]) == n


def test_four_clusters_are_taken():
    rows = [f"q{i},g{i % 4},{a},{b}" for i, (a, b) in enumerate(zip(A, B, strict=True))]
    found = record("compare", write("t.csv", "id,group,a,b", *rows))
    assert (found["results"][0]["unit"], found["results"][0]["n_units"]) == ("cluster", 4)


def test_every_command_refuses_the_same():
    rows = [f"q{i},{a},{b},{5 + i * 7 % 31}" for i, (a, b) in enumerate(zip(A, B, strict=True))]
    path = write("t.csv", "id,a,b,length", *rows)
    options = ("--resamples", "99", "--seed", "1")
    for command in (
        ("audit", path, *options),
        ("describe", path),
        ("convert", path, "--output", "-"),
    ):
        assert "column 'length' is called like a property" in run(*command, status=2)
    words("audit", path, *options, "--ignore", "length")
    table = run("convert", path, "--output", "-", "--ignore", "length")
    assert table.splitlines()[:2] == ["id,length,score_a,score_b", f"q0,5,{A[0]!r},{B[0]!r}"]
    assert "--ignore length" in words("describe", path, "--ignore", "length")


def test_a_table_that_was_converted_has_no_new_doubts():
    rows = [
        f"t{i % 2},{i // 2},s{i // 5},{a},{b},{5 + i * 7 % 31}"
        for i, (a, b) in enumerate(zip(A, B, strict=True))
    ]
    path = write("t.csv", "task,item,story,a,b,length", *rows)
    declared = ("--cluster", "task", "--unit", "unit", "--ignore", "story", "--ignore", "length")
    run("convert", path, *declared[:2], *declared[4:], "--output", "s.csv")
    for options in ((), ("--method", "approximate", "--resamples", "999", "--seed", "1")):
        again, direct = (
            record("compare", *what, *options)
            for what in (("--statistics", "s.csv", "--unit", "unit"), (path, *declared))
        )
        assert again["results"][0]["pvalue"] == direct["results"][0]["pvalue"]
        assert again["results"][0]["n_hits"] == direct["results"][0]["n_hits"]
        assert again["doubts"] == []


def test_rows_of_several_systems_with_another_column_of_numbers():
    rows = [
        f"{name},q{i},{x},{5 + i * 7 % 31}"
        for name, own in (("a", A), ("b", B))
        for i, x in enumerate(own)
    ]
    path = write("t.csv", "system,id,acc,length", *rows)
    assert printed(refused("compare", path)) == [("compare", path, "--score-column", "acc")]
    assert followed("compare", path) > 0
    found = record("compare", path, "--score-column", "acc", "--ignore", "length")["results"][0]
    expected = record("compare", plain())["results"][0]
    assert (found["metric"], expected["metric"]) == ("mean acc", "mean")
    assert {**found, "metric": "mean"} == expected


def test_a_column_by_its_number_is_ignored():
    rows = [f"q{i}\t{a}\t{b}\t{round(90 * a)}" for i, (a, b) in enumerate(zip(A, B, strict=True))]
    path = write("t.tsv", *rows)
    options = ("--no-header", "--id", "1")
    assert "column '4' goes up to 89" in refused("compare", path, *options)
    found = record("compare", path, *options, "--ignore", "4")
    assert [r["pvalue"] for r in found["results"]] == [
        r["pvalue"] for r in record("compare", plain())["results"]
    ]


@pytest.mark.parametrize(
    "rows", [("q{i},{x}", "id,score"), ("q{i},{x},0.5", "id,score,f"), ("{x}",)]
)
def test_files_that_are_not_in_percent_are_read_once_their_systems_are_named(rows):
    form, *header = rows
    for name, most in (("a", 3), ("b", 2)):
        own = [form.format(i=i, x=i % most) for i in range(12)]
        write(f"{name}.csv" if header else f"{name}.txt", *header, *own)
    files = ("a.csv", "b.csv") if header else ("a.txt", "b.txt")
    message = refused("compare", *files)
    assert "goes up to 2, " in message
    assert printed(message)[-1] == ("compare", *files, "--system", "a", "--system", "b")
    assert followed("compare", *files) == 2
    found = record("compare", *printed(message)[-1][1:])
    assert (found.get("comparison") or found["comparisons"][0]["comparison"])["baseline"] == "a"
    assert found["results"][0]["baseline_score"] == 1
