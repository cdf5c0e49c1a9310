"""The recommendation as a document."""

from __future__ import annotations

import json

import pytest
from advised import paper, three_documents

import csig
from csig.report.recommended import as_record, document_of_advice

SAID = csig.recommend(paper(), "precision")


def test_the_answer_the_call_and_the_command() -> None:
    document = document_of_advice(SAID, command="csig compare x", notes=["n"], doubts=["d"])
    assert document.verdict[0].startswith("Recommended for precision: randomization test, exact.")
    assert document.verdict[1:] == [f"In Python: {SAID.test.call}", "Command: csig compare x"]
    assert document.doubts[0] == "d"
    assert document.notes[-1] == "n"
    record = document.record()
    assert (record["command"], record["notes"]) == ("csig compare x", ["n"])
    assert record["cautions"] == ["d", *SAID.doubts]


@pytest.mark.parametrize("form", ["text", "markdown", "latex", "csv", "html", "json"])
def test_formats(form: csig.shown.Format) -> None:  # type: ignore[name-defined]
    said = SAID.summary(form)
    assert "randomization test" in said
    if form == "csv":
        assert len(said.splitlines()) == 1 + len(SAID.tests)
    if form == "json":
        assert json.loads(said) == as_record(SAID)


def test_explained_with_sources() -> None:
    said = " ".join(SAID.summary(explain=True).split())
    assert "Yeh, A. (2000). More accurate tests" in said
    assert "Verdicts: sound tests keep their level" in said
    wide = SAID.summary(explain=True, width=200)
    assert 'csig.chi_square_test(comparison, "precision")' in wide


def test_doubts_come_first() -> None:
    said = str(csig.recommend(three_documents(), "f1"))
    assert said.startswith("Caution: 3 documents can change F1: no two-sided p can be below 0.250")


def test_seeds_and_infinite_costs() -> None:
    same = csig.Comparison.from_scores([1, 0, 1], [1, 0, 1])
    found = csig.all_tests(same, "mean", rng=5, n_resamples=9, bootstrap_resamples=9)
    record = as_record(found)
    assert record["seed"]["entropy"] == ["5"]
    assert record["independence_cost"] is None
    json.dumps(record, allow_nan=False)
