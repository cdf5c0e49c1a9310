"""An audit and a verification as documents."""

import json
import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from audited import LARGER
from brute import PAPER
from places import ROOT
from printed import expected, printed, rewrite

import csig
from csig.audits.outcome import Audit
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
from csig.report.records import file_digest
from csig.report.rendering import Rendering, render
from csig.report.shown import document_of


def of_unlike_documents() -> list[np.ndarray]:
    """Both systems' counts in documents that differ in difficulty: A returns four times as much."""
    rng = np.random.default_rng(21)
    share = rng.beta(1.2, 2.8, 20)
    returned = [rng.poisson(volume, 20) for volume in (40, 10)]
    correct = [rng.binomial(returned[0], share), rng.binomial(returned[1], share * 0.75)]
    gold = np.maximum(*correct) + 5
    return [np.stack([c, k, gold], axis=1) for c, k in zip(correct, returned, strict=True)]


PRINTED = Path(__file__).with_name("report.txt")
NAMES = {"A": "new", "B": "base"}


@pytest.fixture(name="audit", scope="module")
def audit_fixture() -> Audit:
    return paper()


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


@cache
def paper() -> Audit:
    """Yeh's example: 47 and 25 of 103 are correct."""
    comparison = csig.Comparison.from_counts(**PAPER, names=("new", "base"))
    return csig.audit(comparison, ["recall", "f1"], n_resamples=1024, rng=1)


def shown(found: Audit) -> str:
    document = audit_document(found, found.record, Said(("a doubt",), ("a note",)))
    text = render(document, "text", Rendering(width=100))
    return text.replace(file_digest(found.record), "DIGEST")


def of_mean() -> Audit:
    comparison = csig.Comparison.from_scores([3.0, 4.5, 7.0, 1.0] * 9, [2.0, 4.0, 5.0, 2.0] * 9)
    return csig.audit(comparison, "mean", n_resamples=1024, rng=1)


def one_sided(**changes: bool) -> Audit:
    """That the first system has less, which may be better."""
    best = {metric: replace(own, **changes) for metric, own in paper().best.items()}
    return replace(paper(), options=paper().options | {"alternative": "less"}, exact=best)


def cited(found: Audit) -> str:
    citation = audit_document(found, paper().record).citation
    assert citation is not None
    assert "Yeh" in citation.references[0].text
    return citation.methods


@pytest.mark.parametrize(("expression", "text"), expected(PRINTED))
def test_what_is_printed(expression: str, text: str) -> None:
    assert printed(expression, globals()) == text


def test_other_forms_and_the_limit(audit: Audit) -> None:
    assert str(audit).startswith("The audit passed: all 29 checks.\n\nnew beats base")
    assert "runs" in audit.summary("markdown")
    assert "<table" in audit._repr_html_()
    (level,) = {check.limit for check in audit.checks if check.limit is not None}
    assert f"p < {level:.2g}" in limit(audit)
    none = [replace(check, limit=None) for check in audit.checks]
    assert limit(replace(audit, checks=tuple(none))) == ""


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
            text = re.sub(r"(?s)<(template|script)\b.*?</\1>", "", text)  # the record within a page
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
    if cells[1] == "no evidence":  # nor where shuffles leave the difference undecided
        drawn = replace(csig.audit(found, "precision", n_resamples=1024, rng=3), exact={})
        best = drawn.best["precision"]
        assert best.pvalue <= 0.05 < best.pvalue_interval[1]
        row = [cell.text for cell in audit_document(drawn, drawn.record).tables[0].rows[0]]
        assert row[-2:] == cells


def test_everything_is_in_the_explanation_and_in_rows(audit: Audit, document: Document) -> None:
    text = render(document, "text", Rendering(width=300, explain=True))
    words = " ".join(text.split())  # prose is folded
    for check in audit.checks:
        assert named(check.observed) in text
        assert named(check.what) in words
    sections = [block for block in document.explanation if isinstance(block, Section)]
    assert [own.name for own in sections] == ["pvalues", "pictures", "checks", "reproduce"]
    recall, _ = (own for own in sections[1].blocks if isinstance(own, Picture))
    assert recall.alt.startswith("Recall, new - base: ")
    hits = audit.results["recall"].n_hits
    for said in (
        "+21.36 points", f"exact p = {audit.exact['recall'].pvalue:.3g}",
        f"{hits} of 1,024 shuffles are at least as far in either direction",
    ):  # fmt: skip
        assert said in recall.alt
    assert [row["check"] for row in document.rows] == [check.name for check in audit.checks]
    assert document.record() == audit.record


def test_failures_are_said_in_full_and_unfolded(audit: Audit) -> None:
    """The generator before what it spoils."""
    wrong = spoilt(audit)
    document = audit_document(wrong, audit.record)
    assert "FAILED" in outcome(wrong)
    assert outcome(wrong).partition("checks: ")[2].startswith("generator")
    assert len(document.verdict) == 1 + len(wrong.failed) + 1
    assert document.verdict[1].startswith("FAILED generator: ")
    for line, check in zip(document.verdict[1:], wrong.failed[-11:], strict=False):
        assert check.sentence in line
    names = [(row[0].text, row[1].text) for row in document.tables[1].rows[:3]]
    assert names[:2] == [("generator", "11/11 FAILED"), ("exact", "2/2 FAILED")]
    assert names[2][0] == "runs"
    every = document.explanation[2]
    assert isinstance(every, Section)
    unfolded = [own.unfolded for own in every.blocks if isinstance(own, Section)]
    assert unfolded == [True, True] + [False] * 8
    for own in every.blocks:
        assert isinstance(own, Section)
        assert isinstance(own.blocks[0], Table)
        assert own.blocks[0].columns[0].header == "Check"


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


def test_every_check_of_an_audit_of_every_version_has_a_family_that_the_docs_name(
    audit: Audit,
) -> None:
    kinds = families(audit.checks)
    assert [family.name for family in kinds] == list(FAMILIES)
    assert [check for family in kinds for check in family.checks] == list(audit.checks)
    assert [row[0].text for row in audit_document(audit, audit.record).tables[1].rows] == [
        *dict.fromkeys(check.kind for check in audit.checks)
    ]
    (own,) = families([replace(audit.checks[0], name="luck: f1")])  # of another version
    assert (own.name, own.section().title) == ("luck", "luck 1/1 passed")
    assert own.own_name(own.checks[0]) == "f1"
    text = (ROOT / "docs" / "audit.md").read_text(encoding="utf-8")
    section = text.partition("## The checks")[2].partition("\n## ")[0]
    assert re.findall(r"^\*\*`([a-z ]+)`\*\*", section, re.MULTILINE) == list(FAMILIES)
    for path in sorted((ROOT / "tests" / "reference").glob("audit-*.json")):
        checks = json.loads(path.read_text())["checks"]
        assert {check["name"].partition(":")[0] for check in checks} <= set(FAMILIES)


def test_a_record_that_is_right(audit: Audit) -> None:
    record = audit.record
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
    head = {"schema": "csig.verify", "schema_version": 1, "csig_version": csig.__version__}
    assert found.to_dict() == found.to_dict() | head
    assert str(found).startswith(document.verdict[0][:40])


def test_differences_are_named_and_very_many_counted(audit: Audit) -> None:
    record = audit.record
    found = csig.verify({**record, "passed": False})
    document = verification_document(found, record)
    assert document.verdict[0].startswith("NOT verified: ")
    assert [row[0].text for row in document.tables[0].rows] == list(found.differences)
    assert [row["outcome"] for row in document.rows][:2] == ["not verified", "differs"]
    text = render(document, "text")
    assert "sha256: the record was changed after it was written" in text
    turned = [{**record["checks"][0], "passed": False}, *record["checks"][1:]]
    rows = verification_document(csig.verify({**record, "checks": turned})).rows
    where = f"checks[{turned[0]['name']}].passed"
    assert (where, "False in the record, True now") in [(r["fields"], r["what"]) for r in rows]
    checks = [{**check, "sentence": "x", "what": "y"} for check in record["checks"]]
    found = csig.verify({**record, "checks": checks})
    rows = verification_document(found, record).tables[0].rows
    n = len(found.differences)
    assert n > MOST
    assert len(rows) == MOST + 1
    assert rows[-1][0].text == f"and {n - MOST} more"


if __name__ == "__main__":
    rewrite(PRINTED, globals())
