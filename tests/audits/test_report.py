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
from csig.report.identity import short_line
from csig.report.rendering import FORMATS, Rendering, render
from csig.report.shown import document_of


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


#: Yeh's example: 47 and 25 of 103 are correct.
PRINTED = """\
The audit passed: all 29 checks.

new beats base on recall and F1.

Caution: a doubt

         base    new  new - base      95% interval
Metric      %      %      points            points         p  at 0.05
Recall  24.27  45.63      +21.36  +10.88 to +31.83  0.000195  * new better
F1      35.21  47.47      +12.26   +1.28 to +23.25    0.0296  * new better

Checks         Outcome         What they are about
runs           6/6 passed      three runs, one with another generator, agree
sign test      2/2 passed      recall agrees with the sign test (Yeh 2000)
exact          2/2 passed      the shuffles agree with exact arithmetic
symmetry       4/4 passed      shuffles favour both systems equally often
generator      11/11 passed    the random bits pass tests for bad generators
determinism    2/2 passed      another program and other threads: the same hits
independence   informs         what ignoring the systems' correlation would cost
dependence     not applicable  how much p depends on the unit that is swapped
resolution     2/2 passed      whether p is settled on one side of the level
metric itself  informs         whether a ratio itself differs, not only how much is returned

p is exact, and checked by three runs of 1,024 shuffles, swapping 86 unique responses.
a note
Not corrected for testing 2 metrics.
A check fails if p < 4.8e-08, so a faultless audit fails with probability at most 1e-6.
The SHA-256 of the record is
{digest}.
{signature}
"""


def test_what_is_printed(audit: Audit, document: Document) -> None:
    digest = file_digest(audit.record)
    expected = PRINTED.format(digest=digest, signature=short_line(document.signature))
    assert render(document, "text", Rendering(width=100)) == expected
    assert str(audit).startswith("The audit passed: all 29 checks.\n\nnew beats base")
    assert "runs" in audit.summary("markdown")
    assert "<table" in audit._repr_html_()
    found = csig.intervals.linearized_interval(csig.Comparison.from_counts(**PAPER), "f1")
    assert f"{100 * found.low:+.2f} to {100 * found.high:+.2f}" in expected
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


def test_a_mean_has_no_percent() -> None:
    comparison = csig.Comparison.from_scores([3.0, 4.5, 7.0, 1.0] * 9, [2.0, 4.0, 5.0, 2.0] * 9)
    found = csig.audit(comparison, "mean", n_resamples=1024, rng=1)
    table = audit_document(found, found.record).tables[0]
    assert [column.header for column in table.columns][1:4] == ["B", "A", "A - B"]
    assert [cell.text for cell in table.rows[0]][1:4] == ["3.25", "3.88", "+0.62"]


def test_how_to_cite_it(audit: Audit, document: Document) -> None:
    def cited(found: Audit) -> str:
        citation = audit_document(found, audit.record).citation
        assert citation is not None
        assert "Yeh" in citation.references[0].text
        return citation.methods

    assert cited(audit) == (
        "The differences between new and base in recall and f1 were tested by randomization (Yeh "
        "2000), two-sided, swapping responses between the systems. The p-values are exact. An "
        "audit ran 29 checks on them, all of which passed, among them three runs of 1,024 "
        "shuffles. 95% confidence intervals are from standard errors over responses (Liang and "
        f"Zeger 1986; Miller 2024). Computed with csig {csig.__version__}."
    )
    for less, asked in ((False, "worse"), (True, "better")):
        best = {k: replace(v, greater_is_better=not less) for k, v in audit.best.items()}
        options = audit.options | {"alternative": "less"}
        one_sided = replace(audit, options=options, exact=best)
        assert f"(Yeh 2000), one-sided ({asked} than base), swapping" in cited(one_sided)
        notes = " ".join(audit_document(one_sided, audit.record).notes)
        assert "swapping 86 unique responses. Intervals are two-sided." in notes
    assert "of which 13 failed" in cited(spoilt(audit))
    some = cited(replace(audit, exact={"recall": audit.exact["recall"]}))
    assert "are exact, but for f1, where they are (hits + 1) / (shuffles + 1)" in some
    assert "two further runs" in some


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


def test_a_record_of_the_first_version_is_shown_in_every_format() -> None:
    record = json.loads((ROOT / "tests/reference/audit-1.json").read_text(encoding="utf-8"))
    found = csig.verify(record)
    document = verification_document(found, record)
    for format in FORMATS:
        said = f'"compared": {found.compared}' if format == "json" else "Verified: all "
        assert said in render(document, format)
    assert f"csig {record['environment']['csig']} " in document.notes[0]


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
