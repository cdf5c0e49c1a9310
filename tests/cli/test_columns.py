"""Columns of tables on the command line: what is left out, refused or doubted, and said first."""

from __future__ import annotations

import random

import pytest
from commands import record, refused, run, words, write


def shares(n: int, seed: int) -> list[float]:
    rng = random.Random(seed)
    return [round(rng.random(), 3) for _ in range(n)]


A, B = shares(60, 1), shares(60, 2)


def plain(name: str = "plain.csv") -> str:
    return write(
        name, "id,a,b", *(f"q{i},{a},{b}" for i, (a, b) in enumerate(zip(A, B, strict=True)))
    )


def test_a_length_is_left_out_and_said_before_the_results():
    rows = [f"{5 + i * 7 % 31},q{i},{a},{b}" for i, (a, b) in enumerate(zip(A, B, strict=True))]
    path = write("t.csv", "length,id,a,b", *rows)
    found = words("compare", path)
    assert found.index("Caution: Column 'length' was left out") < found.index("Mean ")
    assert record("compare", path)["results"] == record("compare", plain())["results"]
    assert "caution" not in words("compare", path, "--ignore", "length").lower()
    run("compare", path, "--strict", status=3)
    run("compare", path, "--strict", "--ignore", "length")
    three = record("compare", path, "--system", "a", "--system", "b", "--system", "length")
    assert three["baseline"] == "a"


def test_one_system_beside_a_length():
    rows = [f"q{i},{a},{5 + i * 7 % 31}" for i, a in enumerate(A)]
    message = refused("compare", write("t.csv", "id,a,length", *rows))
    assert "found one system only, 'a', expected two or more; Column 'length' was left" in message


def test_columns_of_two_kinds_are_refused_with_the_way_out():
    rows = [f"q{i},{a},{b},{round(90 * a)}" for i, (a, b) in enumerate(zip(A, B, strict=True))]
    path = write("t.csv", "id,a,b,c", *rows)
    assert "leave columns out with --ignore" in refused("compare", path)
    assert (
        record("compare", path, "--ignore", "c")["results"]
        == (record("compare", plain())["results"])
    )
    assert "no column 'x'" in refused("compare", path, "--ignore", "x")
    assert "--ignore is for tables of scores, counts or labels and not for --format tags" in (
        refused("compare", path, "--ignore", "c", "--format", "tags")
    )


def test_groups_are_a_doubt_with_their_numbers_and_the_way_out():
    rows = [f"q{i},s{i // 5},{a},{b}" for i, (a, b) in enumerate(zip(A, B, strict=True))]
    path = write("t.csv", "id,story,a,b", *rows)
    found = words("compare", path)
    assert "Column 'story' groups the 60 rows: 12 different values, each in 5 rows." in found
    assert found.index("groups the 60 rows") < found.index("Mean ")
    assert record("compare", path)["results"] == record("compare", plain())["results"]
    clustered = record("compare", path, "--cluster", "story")
    assert clustered["results"][0]["unit"] == "story"
    ignored = words("compare", path, "--ignore", "story")
    assert "groups" not in ignored
    assert "not used" not in ignored


@pytest.mark.parametrize(("n", "least"), [(2, 0.5), (3, 0.25)])
def test_two_or_three_clusters_are_not_taken_unasked(n, least):
    rows = [f"q{i},g{i % n},{a},{b}" for i, (a, b) in enumerate(zip(A, B, strict=True))]
    path = write("t.csv", "id,group,a,b", *rows)
    found = words("compare", path)
    assert f"Column 'group' has {n} different values and was not read as clusters" in found
    assert f"gives no p-value below {least}." in found
    assert record("compare", path)["results"] == record("compare", plain())["results"]
    few = record("compare", path, "--cluster", "group")["results"][0]
    assert (few["unit"], few["n_units"], few["pvalue"] >= least) == ("cluster", n, True)
    assert "Units" in run("compare", path, "--by", "group")


def test_four_clusters_are_taken():
    rows = [f"q{i},g{i % 4},{a},{b}" for i, (a, b) in enumerate(zip(A, B, strict=True))]
    found = record("compare", write("t.csv", "id,group,a,b", *rows))
    assert (found["results"][0]["unit"], found["results"][0]["n_units"]) == ("cluster", 4)
    assert not any("not read as clusters" in caution for caution in found["cautions"])


def test_audits_and_conversions_leave_the_same_out():
    rows = [f"q{i},{a},{b},{5 + i * 7 % 31}" for i, (a, b) in enumerate(zip(A, B, strict=True))]
    path = write("t.csv", "id,a,b,length", *rows)
    options = ("--resamples", "99", "--seed", "1")
    assert "Column 'length' was left out" in words("audit", path, *options)
    table = run("convert", path, "--output", "-", "--ignore", "length")
    assert table.splitlines()[:2] == ["id,length,score_a,score_b", f"q0,5,{A[0]!r},{B[0]!r}"]
    assert "Column 'length' was left out" in words("convert", path, "--describe")


def test_a_table_that_was_converted_has_no_new_doubts():
    rows = [
        f"t{i % 2},{i // 2},s{i // 5},{a},{b},{5 + i * 7 % 31}"
        for i, (a, b) in enumerate(zip(A, B, strict=True))
    ]
    path = write("t.csv", "task,item,story,a,b,length", *rows)
    assert "not read as clusters" in words("compare", path)
    run("convert", path, "--output", "s.csv")
    for options in ((), ("--method", "approximate", "--resamples", "999", "--seed", "1")):
        again, direct = (
            record("compare", *what, *options) for what in (("--statistics", "s.csv"), (path,))
        )
        assert again["results"][0]["pvalue"] == direct["results"][0]["pvalue"]
        assert again["results"][0]["n_hits"] == direct["results"][0]["n_hits"]
        assert again["cautions"] == []


def test_rows_of_several_systems_with_another_column_of_numbers():
    rows = [
        f"{name},q{i},{x},{5 + i * 7 % 31}"
        for name, own in (("a", A), ("b", B))
        for i, x in enumerate(own)
    ]
    path = write("t.csv", "system,id,acc,length", *rows)
    assert "--ignore COLUMN leaves one out" in refused("compare", path)
    assert (
        record("compare", path, "--ignore", "length")["results"]
        == (record("compare", plain())["results"])
    )


def test_a_column_by_its_number_is_ignored():
    rows = [f"q{i}\t{a}\t{b}\t{round(90 * a)}" for i, (a, b) in enumerate(zip(A, B, strict=True))]
    path = write("t.tsv", *rows)
    options = ("--no-header", "--id", "1")
    assert "leave columns out with --ignore" in refused("compare", path, *options)
    found = record("compare", path, *options, "--ignore", "4")
    assert [r["pvalue"] for r in found["results"]] == [
        r["pvalue"] for r in record("compare", plain())["results"]
    ]
