"""What is to be said of published numbers, as a document."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from csig.base import wording
from csig.report.document import Cell, Column, Document, Table, Tone

if TYPE_CHECKING:
    from csig.claims.model import ClaimsReport

#: Verdicts that end with status 1.
BAD = ("contradicted", "inconsistent", "impossible")


def _tone(verdict: str) -> Tone:
    return "worse" if verdict in BAD else "better" if verdict == "confirmed" else "plain"


def claims_document(found: ClaimsReport) -> Document:
    """The findings on published numbers."""
    rows = [
        [
            Cell(own.claim, "name"),
            Cell(own.verdict, "verdict", _tone(own.verdict)),
            Cell(own.sentence),
        ]
        for own in found.findings
    ]
    kinds = Counter(own.verdict for own in found.findings)
    counts = [f"{wording.count(n)} {verdict}" for verdict, n in kinds.items()]
    return Document(
        title="Published numbers",
        verdict=[f"{wording.count(len(rows))} findings: {', '.join(counts)}."],
        tables=[
            Table(
                name="findings",
                columns=[Column(h, "left") for h in ("Printed", "Verdict", "Finding")],
                rows=rows,
            )
        ],
        rows=[
            {"claim": own.claim, "verdict": own.verdict, "finding": own.sentence}
            for own in found.findings
        ],
        record=found.as_dict,
    )
