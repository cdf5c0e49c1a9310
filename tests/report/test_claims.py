"""What is said of published numbers, as a document."""

from __future__ import annotations

from places import EXAMPLES

from csig.claims import check_claims, read_claims
from csig.claims.checker import claims_document
from csig.claims.model import WRONG


def test_every_finding_is_a_row() -> None:
    found = check_claims(read_claims(EXAMPLES / "yeh2000-claims.toml"))
    document = claims_document(found)
    (table,) = document.tables
    for row, finding in zip(table.rows, found.findings, strict=True):
        assert [cell.text for cell in row] == [finding.claim, finding.verdict, finding.sentence]
        assert (row[1].tone == "worse") == (finding.verdict in WRONG)
    bad = sum(finding.verdict in WRONG for finding in found.findings)
    assert bad
    assert found.passed == (bad == 0)
    assert f"{len(table.rows)} findings: " in document.verdict[0]
    assert document.record() == found.as_dict()
