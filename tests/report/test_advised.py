"""Tests side by side, as tables and rows."""

from __future__ import annotations

from advised import clustered, paper

import csig
from csig.report.advised import (
    entropy_text,
    not_applying,
    notes_of_tests,
    pvalue_of,
    records_of_tests,
    rows_of_tests,
    table_of_tests,
)
from csig.results import Seed

RUN = csig.all_tests(paper(), "recall", rng=7, n_resamples=99, bootstrap_resamples=99)


def test_unsound_rows_are_marked() -> None:
    table = table_of_tests(RUN)
    assert [column.header for column in table.columns] == ["Test", "p", "Verdict", "Why"]
    by_test = {row[0].text: row for row in table.rows}
    assert {name for name, row in by_test.items() if row[2].text.startswith("! ")} == {
        own.test for own in RUN.unsound
    }
    assert by_test["sign test"][1].text == "0.000195"
    assert by_test["interval of the difference"][1].text == "-"
    assert by_test["interval of the difference"][2].text == "other question"
    assert table.rows[0][0].tone == "strong"
    assert by_test["chi-square test (two-sided)"][3].text == "(the same)"


def test_without_pvalues_there_is_no_column_of_them() -> None:
    table = table_of_tests(csig.recommend(paper(), "recall"), "own", "All")
    assert [column.header for column in table.columns] == ["Test", "Verdict", "Why"]
    assert (table.name, table.title) == ("own", "All")


def test_what_does_not_apply_is_said_once_by_reason() -> None:
    said = not_applying(csig.recommend(paper(), "f1"))
    assert said.startswith("Not applicable: sign test, Wilcoxon test, paired t test (F1 is no mean")
    assert said.count("F1 is no mean over responses") == 1


def test_rows_have_all_tests() -> None:
    rows = rows_of_tests(RUN)
    assert [row["test"] for row in rows] == [own.test for own in RUN.tests]
    assert [row["recommended"] for row in rows] == [True] + [False] * (len(rows) - 1)
    assert records_of_tests(RUN)[0] == {k: v for k, v in rows[0].items() if k != "metric"}


def test_notes() -> None:
    (said,) = notes_of_tests({"recall": RUN})
    assert "8 marked ! are unsound here" in said
    assert "seed 7" in said
    assert entropy_text(Seed("PCG64DXSM", (1, 2), (), 0)) == "1, 2"
    assert pvalue_of(RUN.test) == "0.000195"
    stories = csig.all_tests(clustered(), "mean", rng=1, n_resamples=99, bootstrap_resamples=99)
    assert f"{len(stories.unsound)} marked" in notes_of_tests({"mean": stories})[0]
