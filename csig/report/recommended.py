"""Which test is sound, as a document: the recommended test, all others beside it, and why."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from csig import wording
from csig._version import __version__
from csig.advice.base import publications
from csig.advice.outcome import Recommendation
from csig.report.advised import (
    not_applying,
    notes_of_tests,
    pvalue_of,
    records_of_tests,
    rows_of_tests,
    table_of_tests,
)
from csig.report.document import Block, Cell, Column, Document, Section, Table
from csig.report.seeds import record_of_seed
from csig.report.shown import document_of

__all__ = ["as_record", "document_of_advice"]

#: What the verdicts mean.
_MEANING = (
    "Verdicts: sound tests keep their level on such data. Approximate ones keep it with many "
    "units, or under an assumption that cannot be checked. Those with another question are sound, "
    "but their p-value is not about the difference in the metric. Unsound ones find too much or "
    "too little on such data."
)


def _calls(found: Recommendation) -> Table:
    rows = [
        [Cell(own.test, "name"), Cell(own.call, "text"), Cell(own.source, "text")]
        for own in found.tests
    ]
    columns = [Column("Test", "left"), Column("In Python", "left"), Column("Source", "left")]
    return Table(name="calls", columns=columns, rows=rows)


def _explanation(found: Recommendation) -> list[Block]:
    sources = publications(own.source for own in found.tests)
    return [
        _MEANING,
        Section(name="calls", title="How to run each test, and who says so", blocks=[_calls(found)],
                unfolded=True),
        Section(name="sources", title="Sources", blocks=sources, unfolded=True),
    ]  # fmt: skip


def as_record(
    found: Recommendation,
    *,
    command: str | None = None,
    notes: Sequence[str] = (),
    cautions: Sequence[str] = (),
) -> dict[str, Any]:
    """The JSON record; ``docs/json.md`` has its fields.

    Parameters
    ----------
    found : Recommendation
        What is said.
    command : str, optional
        The command that runs the recommended test.
    notes, cautions : sequence of str
        What reading the data brought to light.
    """
    return {
        "schema": "csig.recommend",
        "schema_version": 1,
        "csig_version": __version__,
        "metric": found.metric,
        "systems": list(found.names),
        "rows": found.rows,
        "unit": found.unit,
        "n_units": found.n_units,
        "n_differ": found.n_differ,
        "least_pvalue": found.least_pvalue,
        "r12": found.r12,
        "independence_cost": found.independence_cost
        if found.independence_cost is None or found.independence_cost < float("inf")
        else None,
        "skewness": found.skewness,
        "recommended": found.test.test,
        "call": found.test.call,
        "command": command,
        "tests": records_of_tests(found),
        "facts": list(found.facts),
        "notes": list(notes),
        "cautions": [*cautions, *found.doubts],
        "seed": record_of_seed(found.seed),
    }


def _said(found: Recommendation, command: str | None) -> list[str]:
    own = found.test
    p = "" if own.pvalue is None else f", p = {pvalue_of(own)}"
    said = [
        f"Recommended for {wording.metric_name(found.metric)}: {own.test}{p}. "
        f"{own.reason[:1].upper()}{own.reason[1:]} ({own.source})."
    ]
    said.append(f"In Python: {own.call}")
    if command is not None:
        said.append(f"Command: {command}")
    return said


def document_of_advice(
    found: Recommendation,
    *,
    command: str | None = None,
    notes: Sequence[str] = (),
    doubts: Sequence[str] = (),
) -> Document:
    """The recommended test, all others, and what the data are.

    Parameters
    ----------
    found : Recommendation
        What is said.
    command : str, optional
        The command that runs the recommended test.
    notes, doubts : sequence of str
        What reading the data brought to light.
    """
    said = [*found.facts]
    tested = notes_of_tests({found.metric: found}) if found.seed is not None else []
    lines = [" ".join(said), not_applying(found), *tested, *notes]
    return Document(
        title=f"Tests for {wording.metric_name(found.metric)} of "
        f"{wording.few(list(map(wording.clean, found.names)), 4)}",
        doubts=[*doubts, *found.doubts],
        verdict=_said(found, command),
        tables=[table_of_tests(found)],
        notes=[line for line in lines if line],
        explanation=_explanation(found),
        rows=rows_of_tests(found),
        record=lambda: as_record(found, command=command, notes=notes, cautions=doubts),
    )


@document_of.register
def _(found: Recommendation) -> Document:
    return document_of_advice(found)
