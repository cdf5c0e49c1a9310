"""Tests side by side, and the recommendation as a document."""

import json

from advised import clustered, paper

import csig
from csig.advice.report import (
    as_record,
    not_applying,
    notes_of_tests,
    pvalue_of,
    records_of_tests,
    rows_of_tests,
    table_of_tests,
)
from csig.report.document import Table

SAID = csig.recommend(paper(), "precision")
FEW = {"n_resamples": 99, "bootstrap_resamples": 99}
RUN = csig.advice.all_tests(paper(), "recall", rng=7, **FEW)


def test_records() -> None:
    """With seeds, and null for an infinite cost; a row of CSV for every test."""
    assert json.loads(SAID.summary("json")) == as_record(SAID)
    assert len(SAID.summary("csv").splitlines()) == 1 + len(SAID.tests)
    same = csig.Comparison.from_scores([1, 0, 1], [1, 0, 1])
    record = as_record(csig.advice.all_tests(same, "mean", rng=5, **FEW))
    assert record["seed"]["entropy"] == ["5"]
    assert record["independence_cost"] is None
    json.dumps(record, allow_nan=False)


# ---- tests side by side ------------------------------------------------------------------


def headers(table: Table) -> list[str]:
    return [column.header for column in table.columns]


def test_unsound_rows_are_marked() -> None:
    """Without p-values there is no column of them."""
    table = table_of_tests(RUN)
    assert headers(table) == ["Test", "p", "Verdict", "Why"]
    rows = {row[0].text: [cell.text for cell in row] for row in table.rows}
    unsound = {own.test for own in RUN.unsound}
    assert {name for name, row in rows.items() if row[2].startswith("! ")} == unsound
    assert rows["sign test"][1] == "0.000195"
    assert rows["interval of the difference"][1:3] == ["-", "other question"]
    assert rows["chi-square test (two-sided)"][3] == "(the same)"
    assert table.rows[0][0].tone == "strong"
    table = table_of_tests(csig.recommend(paper(), "recall"), "own", "All")
    assert headers(table) == ["Test", "Verdict", "Why"]
    assert (table.name, table.title) == ("own", "All")
    rows = rows_of_tests(RUN)
    assert [row["test"] for row in rows] == [own.test for own in RUN.tests]
    assert [row["recommended"] for row in rows] == [True] + [False] * (len(rows) - 1)
    assert records_of_tests(RUN)[0] == {k: v for k, v in rows[0].items() if k != "metric"}


def test_notes() -> None:
    """What does not apply is said once by reason."""
    said = not_applying(csig.recommend(paper(), "f1"))
    assert said.startswith("Not applicable: sign test, Wilcoxon test, paired t test (F1 is not")
    assert said.count("F1 is not a mean over responses") == 1
    (said,) = notes_of_tests({"recall": RUN})
    assert "8 marked ! are unsound here" in said
    assert "seed 7" in said
    assert pvalue_of(RUN.test) == "0.000195"
    stories = csig.advice.all_tests(clustered(), "mean", rng=1, **FEW)
    assert f"{len(stories.unsound)} marked" in notes_of_tests({"mean": stories})[0]
