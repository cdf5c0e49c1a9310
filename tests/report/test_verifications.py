"""What verifying found, as a document."""

from __future__ import annotations

import json

import pytest
from brute import PAPER
from places import ROOT

import csig
from csig.report.rendering import FORMATS, render
from csig.report.verifications import MOST, verification_document


@pytest.fixture(name="record", scope="module")
def record_fixture() -> dict:
    audit = csig.audit(csig.Comparison.from_counts(**PAPER), "recall", n_resamples=1024, rng=1)
    return audit.record


def test_a_record_that_is_right(record: dict) -> None:
    found = csig.verify(record)
    document = verification_document(found, record)
    assert document.verdict == [
        f"Verified: all {found.compared:,} recomputed values match the record."
    ]
    assert [table.name for table in document.tables] == ["trust"]
    assert len(document.tables[0].rows) == len(found.trust)
    assert found.record_sha256 in document.notes[0]
    assert document.rows[0]["outcome"] == "verified"
    assert document.record() == found.as_dict()
    assert str(found).startswith(document.verdict[0][:40])
    assert found.record_sha256 in str(found)


@pytest.mark.parametrize("version", [1, 2])
def test_records_of_older_versions_verify_and_are_shown(version: int) -> None:
    path = ROOT / "tests" / "reference" / f"audit-{version}.json"
    record = json.loads(path.read_text(encoding="utf-8"))
    found = csig.verify(record)
    document = verification_document(found, record)
    assert found.ok
    for format in FORMATS:
        text = render(document, format)
        said = f'"compared": {found.compared}' if format == "json" else "Verified: all "
        assert said in text
    assert f"csig {record['environment']['csig']} " in document.notes[0]


def test_differences_are_named(record: dict) -> None:
    found = csig.verify({**record, "passed": False})
    document = verification_document(found, record)
    assert document.verdict[0].startswith("NOT verified: ")
    assert [row[0].text for row in document.tables[0].rows] == list(found.differences)
    assert [row["outcome"] for row in document.rows][:2] == ["not verified", "differs"]
    text = render(document, "text")
    assert "sha256: the record was changed after it was written" in text


def test_very_many_differences_are_counted(record: dict) -> None:
    checks = [{**check, "sentence": "x", "what": "y"} for check in record["checks"]]
    found = csig.verify({**record, "checks": checks})
    rows = verification_document(found, record).tables[0].rows
    n = len(found.differences)
    assert n > MOST
    assert len(rows) == MOST + 1
    assert rows[-1][0].text == f"and {n - MOST} more"
