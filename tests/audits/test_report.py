"""An audit and a verification as documents."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from audited import LARGER
from brute import PAPER
from places import ROOT

import csig
from csig.audits.outcome import Audit
from csig.audits.records import file_digest
from csig.audits.report import (
    FAMILIES,
    audit_document,
    families,
    limit,
    outcome,
)
from csig.audits.verify import MOST, verification_document
from csig.comparing.signature import parse
from csig.comparing.verdict import Said
from csig.report.document import Document, Picture, Section, Table
from csig.report.rendering import FORMATS, Rendering, render
from csig.report.shown import document_of

# ---- an audit as a document, and its words ------------------------------------------------------


def of_unlike_documents() -> list[np.ndarray]:
    """Both systems' counts in documents that differ in difficulty: A returns four times as much."""
    rng = np.random.default_rng(21)
    share = rng.beta(1.2, 2.8, 20)
    returned = [rng.poisson(volume, 20) for volume in (40, 10)]
    correct = [rng.binomial(returned[0], share), rng.binomial(returned[1], share * 0.75)]
    gold = np.maximum(*correct) + 5
    return [np.stack([c, k, gold], axis=1) for c, k in zip(correct, returned, strict=True)]


NAMES = {"A": "new", "B": "base"}


@pytest.fixture(name="audit", scope="module")
def audit_fixture() -> Audit:
    comparison = csig.Comparison.from_counts(**PAPER, names=("new", "base"))
    return csig.audit(comparison, ["recall", "f1"], n_resamples=1024, rng=1)


@pytest.fixture(name="document", scope="module")
def document_fixture(audit: Audit) -> Document:
    return audit_document(audit, audit.record, Said(("a doubt",), ("a note",)))


def named(text: str) -> str:
    """What is printed where a record has this text."""
    return re.sub(r"\b(favour|for|to) ([AB])\b", lambda m: f"{m[1]} {NAMES[m[2]]}", text)


def spoilt(audit: Audit) -> Audit:
    checks = [
        replace(check, passed=False) if check.kind in ("exact", "generator") else check
        for check in audit.checks
    ]
    return replace(audit, checks=tuple(checks))


# ---- words -----------------------------------------------------------------------------------


def test_an_audit_that_passed(audit: Audit) -> None:
    decided = [check for check in audit.checks if check.passed is not None]
    assert f"all {len(decided)} checks" in outcome(audit)


def test_a_generator_that_failed_is_named_before_what_it_spoils(audit: Audit) -> None:
    found = outcome(spoilt(audit))
    assert "FAILED" in found
    assert found.partition("checks: ")[2].startswith("generator")


def test_the_limit_is_that_of_the_checks(audit: Audit) -> None:
    (found,) = {check.limit for check in audit.checks if check.limit is not None}
    assert f"p < {found:.2g}" in limit(audit)
    none = [replace(check, limit=None) for check in audit.checks]
    assert limit(replace(audit, checks=tuple(none))) == ""


# ---- the document ----------------------------------------------------------------------------


def test_the_answer_and_the_doubts_come_first(audit: Audit, document: Document) -> None:
    assert document.doubts[0] == "a doubt"
    assert list(document.verdict) == [outcome(audit), "new beats base on recall and F1."]
    assert "a note" in document.notes
    assert render(document, "text").startswith("Caution: a doubt\n\nThe audit passed: ")


def test_the_later_system_less_the_first_with_its_interval(document: Document) -> None:
    """The numbers of Yeh's example: 47 and 25 of 103 are correct; the intervals csig's own."""
    results = document.tables[0]
    headers = [column.header.replace("\n", " ") for column in results.columns]
    assert headers[1:5] == ["base %", "new %", "new - base points", "95% interval points"]
    recall, f1 = ([cell.text for cell in row] for row in results.rows)
    assert recall[:4] == ["Recall", "24.27", "45.63", "+21.36"]
    found = csig.intervals.linearized_interval(csig.Comparison.from_counts(**PAPER), "f1")
    assert f1[4] == f"{100 * found.low:+.2f} to {100 * found.high:+.2f}"
    assert recall[-1] == "* new better"


@pytest.mark.parametrize("unit", ["response", "document"])
def test_systems_are_named_in_all_that_is_printed(unit: str) -> None:
    given = csig.Comparison.from_counts(**PAPER) if unit == "response" else LARGER["document"]()
    audit = csig.audit(
        replace(given, names=("new", "base")), ["recall", "precision"], n_resamples=1024, rng=1,
        bit_generator="randu", allow_bad_generator=True,
    )  # fmt: skip
    assert not audit.passed
    wrong = {**audit.record, "checks": [{**own, "what": "x"} for own in audit.record["checks"]]}
    for document in (
        audit_document(audit, audit.record),
        verification_document(csig.verify(wrong), audit.record),
    ):
        for format in ("text", "markdown", "latex", "html", "csv"):
            if format == "csv" and document.title.startswith("Verification"):
                continue  # for programs: paths and values of the record
            text = render(document, format, Rendering(explain=format != "html", width=1000))
            assert "new" in text
            assert not re.search(r"\b(favou?r|hits for|for|to|from|than|is|of) [AB]\b", text)
            assert not re.search(r"\bA (-|is|beats|differs)|[ (]B[ ,.);]", text)


@pytest.mark.parametrize(
    ("found", "cells"),
    [
        (
            # Yeh's example: told apart, but not in precision itself.
            csig.Comparison.from_counts(**PAPER, names=("new", "base")),
            ["0.0580", "no evidence"],
        ),
        (
            # Documents of equal shares: precision itself differs, which swapping cannot show.
            csig.Comparison.from_statistics(*of_unlike_documents(), ("tp", "predicted", "gold"),
                                            names=("new", "base")),
            ["0.00155", "* new better"],
        ),
    ],
)  # fmt: skip
def test_the_row_of_a_ratio_agrees_with_what_is_said_of_it(
    found: csig.Comparison, cells: list[str]
) -> None:
    """The cells are those of a comparison, p and verdict of the ratio itself."""
    audit = csig.audit(found, ["precision", "recall"], n_resamples=1024, rng=1)
    document = audit_document(audit, audit.record)
    row = [cell.text for cell in document.tables[0].rows[0]]
    assert row[0] == "Precision"
    assert row[-2:] == cells
    compared = document_of(csig.compare(found, metric=["precision", "recall"], rng=1))
    assert row == [cell.text for cell in compared.tables[0].rows[0]]
    assert "precision itself, which no run checks" in " ".join(document.notes)
    (line,) = (own for own in document.verdict if own.startswith("Precision: "))
    assert ("not in precision itself" in line) is (cells[1] == "no evidence")


def test_the_row_of_a_ratio_agrees_where_shuffles_leave_the_difference_undecided() -> None:
    comparison = csig.Comparison.from_counts(**PAPER, names=("new", "base"))
    found = replace(csig.audit(comparison, "precision", n_resamples=1024, rng=3), exact={})
    drawn = found.best["precision"]
    assert drawn.pvalue <= 0.05 < drawn.pvalue_interval[1]
    row = [cell.text for cell in audit_document(found, found.record).tables[0].rows[0]]
    assert row[-2:] == ["0.0580", "no evidence"]


def test_one_line_for_every_family(audit: Audit, document: Document) -> None:
    families = document.tables[1]
    kinds = list(dict.fromkeys(check.kind for check in audit.checks))
    assert [row[0].text for row in families.rows] == kinds
    text = render(document, "text", Rendering(width=80))
    assert re.search("^runs +6/6 passed +three runs, ", text, re.MULTILINE)
    assert all(len(line) <= 80 for line in text.splitlines()[:-1])  # the last is to be copied


def test_everything_is_in_the_explanation(audit: Audit, document: Document) -> None:
    text = render(document, "text", Rendering(width=300, explain=True))
    words = " ".join(text.split())  # prose is folded
    for check in audit.checks:
        assert named(check.observed) in text
        assert named(check.what) in words
    names = [block.name for block in document.explanation if isinstance(block, Section)]
    assert names == ["pvalues", "pictures", "checks", "reproduce"]


def test_failures_are_said_in_full_and_unfolded(audit: Audit) -> None:
    wrong = spoilt(audit)
    document = audit_document(wrong, audit.record)
    assert len(document.verdict) == 1 + len(wrong.failed) + 1
    assert document.verdict[1].startswith("FAILED generator: ")
    for line, check in zip(document.verdict[1:], wrong.failed[-11:], strict=False):
        assert check.sentence in line
    assert [row[1].text for row in document.tables[1].rows[:2]] == ["11/11 FAILED", "2/2 FAILED"]
    every = document.explanation[2]
    assert isinstance(every, Section)
    unfolded = [own.unfolded for own in every.blocks if isinstance(own, Section)]
    assert unfolded == [True, True] + [False] * 8


def test_a_picture_has_its_numbers_in_words(audit: Audit, document: Document) -> None:
    pictures = document.explanation[1]
    assert isinstance(pictures, Section)
    recall, _ = (own for own in pictures.blocks if isinstance(own, Picture))
    hits = audit.results["recall"].n_hits
    assert recall.alt.startswith("Recall, new - base: ")
    assert "+21.36 points" in recall.alt
    assert f"{hits} of 1,024 shuffles are at least as far in either direction" in recall.alt
    assert f"exact p = {audit.exact['recall'].pvalue:.3g}" in recall.alt


def test_rows_for_programs_are_the_checks(audit: Audit, document: Document) -> None:
    assert [row["check"] for row in document.rows] == [check.name for check in audit.checks]
    assert document.record() == audit.record
    assert any(file_digest(audit.record) in note for note in document.notes)


def test_the_signature_is_the_same_where_the_numbers_must_be(
    audit: Audit, document: Document
) -> None:
    def signed(**changed: Any) -> str:
        given = {"metric": ["recall", "f1"], "n_resamples": 1024, "rng": 1} | changed
        comparison = csig.Comparison.from_counts(**PAPER, names=given.pop("names", ("x", "y")))
        found = csig.audit(comparison, given.pop("metric"), **given)
        return audit_document(found, found.record).signature

    assert document.signature == signed() == signed(names=("1", "2"), threads=1)
    assert parse(document.signature)["test"] == ("audit",)
    others = [
        {"rng": 2}, {"n_resamples": 2048}, {"alpha": 0.01}, {"metric": ["f1"]},
        {"alternative": "less"}, {"pvalue_confidence": 0.9}, {"exact_budget": 100},
        {"bit_generator": "Philox"}, {"zero_division": 1},
    ]  # fmt: skip
    found = {signed(**other) for other in others}
    assert len(found | {document.signature}) == len(others) + 1


def test_a_mean_has_no_percent_and_no_unit() -> None:
    comparison = csig.Comparison.from_scores([3.0, 4.5, 7.0, 1.0] * 9, [2.0, 4.0, 5.0, 2.0] * 9)
    audit = csig.audit(comparison, "mean", n_resamples=1024, rng=1)
    table = audit_document(audit, audit.record).tables[0]
    assert [column.header for column in table.columns][1:4] == ["B", "A", "A - B"]
    assert [cell.text for cell in table.rows[0]][1:4] == ["3.250", "3.875", "+0.625"]


def test_an_audit_of_a_record_says_why_it_has_no_interval(audit: Audit) -> None:
    """A table of the units that differ is not the data: intervals need all units."""
    rows = [[1, 2, 3], [2, 2, 3], [0, 1, 2]] * 4
    comparison = csig.Comparison.from_statistics(
        rows, [[max(0, r[0] - 1), *r[1:]] for r in rows], columns=("tp", "predicted", "gold")
    )
    found = csig.audit(comparison, "recall", n_resamples=1024, rng=1)
    assert " to " in audit_document(found, found.record).tables[0].rows[0][4].text


def test_every_table_says_what_its_rows_are(document: Document) -> None:
    every = document.explanation[2]
    assert isinstance(every, Section)
    for own in every.blocks:
        assert isinstance(own, Section)
        assert isinstance(own.blocks[0], Table)
        assert own.blocks[0].columns[0].header == "Check"


def test_an_audit_shows_itself(audit: Audit, document: Document) -> None:
    assert str(audit).startswith("The audit passed: all 29 checks.\n\nnew beats base")
    assert "runs" in audit.summary("markdown")
    assert "<table" in audit._repr_html_()


def test_how_to_cite_it(audit: Audit, document: Document) -> None:
    assert document.citation is not None
    methods = document.citation.methods
    assert "differences between new and base in recall and f1 were tested by" in methods
    assert "The p-values are exact." in methods
    assert "ran 29 checks on them, all of which passed, among them three runs of 1,024" in methods
    assert "Yeh" in document.citation.references[0].text
    wrong = audit_document(spoilt(audit), audit.record).citation
    assert wrong is not None
    assert "of which 13 failed" in wrong.methods
    drawn = replace(audit, exact={"recall": audit.exact["recall"]})
    some = audit_document(drawn, audit.record).citation
    assert some is not None
    assert "are exact, but for f1, where they are (hits + 1) / (shuffles + 1)" in some.methods
    assert "two further runs" in some.methods


@pytest.mark.parametrize(("less", "asked"), [(False, "worse"), (True, "better")])
def test_one_side_is_cited_as_it_was_asked(audit: Audit, less: bool, asked: str) -> None:
    best = {k: replace(v, greater_is_better=not less) for k, v in audit.best.items()}
    one_sided = replace(audit, options=audit.options | {"alternative": "less"}, exact=best)
    found = audit_document(one_sided, audit.record)
    assert found.citation is not None
    assert f"(Yeh 2000), one-sided ({asked} than base), swapping" in found.citation.methods
    assert "swapping 86 unique responses. Intervals are two-sided." in " ".join(found.notes)


# ---- every check has a family, in the code and in the docs --------------------------------------


def test_every_check_of_an_audit_has_a_family():
    found = csig.audit(csig.Comparison.from_counts(**PAPER), "f1", n_resamples=1024, rng=1)
    kinds = families(found.checks)
    assert [family.name for family in kinds] == list(FAMILIES)
    assert [check for family in kinds for check in family.checks] == list(found.checks)
    states = {family.name: family.state for family in kinds}
    assert states["runs"] == "3/3 passed"
    assert states["generator"] == "11/11 passed"
    assert (states["independence"], states["dependence"]) == ("informs", "not applicable")


def test_the_docs_have_every_family():
    text = (ROOT / "docs" / "audit.md").read_text(encoding="utf-8")
    section = text.partition("## The checks")[2].partition("\n## ")[0]
    assert re.findall(r"^\*\*`([a-z ]+)`\*\*", section, re.MULTILINE) == list(FAMILIES)


def test_records_of_every_version_have_families():
    for path in sorted((ROOT / "tests" / "reference").glob("audit-*.json")):
        names = {
            check["name"].partition(":")[0] for check in json.loads(path.read_text())["checks"]
        }
        assert names <= set(FAMILIES)


def test_failures_come_first_and_the_generator_before_them():
    found = csig.audit(csig.Comparison.from_counts(**PAPER), "f1", n_resamples=1024, rng=1)
    spoilt = [
        replace(check, passed=False) if check.kind in ("exact", "generator") else check
        for check in found.checks
    ]
    kinds = families(spoilt)
    assert [family.name for family in kinds][:3] == ["generator", "exact", "runs"]
    assert kinds[0].state == "11/11 FAILED"
    assert len(kinds[1].failed) == 2  # recall is shuffled, too


def test_a_family_of_another_version_has_a_name_and_nothing_more():
    found = csig.audit(csig.Comparison.from_counts(**PAPER), "f1", n_resamples=1024, rng=1)
    (own,) = families([replace(found.checks[0], name="luck: f1")])
    assert (own.name, own.section().title) == ("luck", "luck 1/1 passed")
    assert own.own_name(own.checks[0]) == "f1"


# ---- what verifying found, as a document --------------------------------------------------------


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
    assert document.record() == found.to_dict()
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
