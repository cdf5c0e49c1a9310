"""Which test is sound, as a document: the recommended test, all others beside it, and why."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from csig._version import __version__
from csig.advice import tables as advised
from csig.advice.base import publications
from csig.advice.outcome import Recommendation
from csig.base import wording
from csig.comparing.options import record_of_seed
from csig.report.document import Block, Document, Section
from csig.report.forms import picked, plain, table
from csig.report.shown import document_of

#: What the verdicts mean.
_MEANING = (
    "Verdicts: sound tests keep their level on such data. Approximate ones keep it with many "
    "units, or under an assumption that cannot be checked. Those with another question are sound, "
    "but their p-value is not about the difference in the metric. Unsound ones find too much or "
    "too little on such data."
)


def as_record(
    found: Recommendation,
    *,
    command: str | None = None,
    notes: Sequence[str] = (),
    cautions: Sequence[str] = (),
) -> dict[str, Any]:
    """The JSON record; ``docs/json.md`` has its fields.

    `command` runs the recommended test; notes and cautions are what reading brought to light.
    """
    return {
        "schema": "csig.recommend",
        "schema_version": 1,
        "csig_version": __version__,
        "metric": found.metric,
        "systems": list(found.names),
        **picked(found, "rows unit n_units n_differ least_pvalue r12"),
        "independence_cost": plain(found.independence_cost),
        "skewness": found.skewness,
        "recommended": found.test.test,
        "call": found.test.call,
        "command": command,
        "tests": advised.records_of_tests(found),
        "facts": list(found.facts),
        "notes": list(notes),
        "cautions": [*cautions, *found.doubts],
        "seed": record_of_seed(found.seed),
    }


def document_of_advice(
    found: Recommendation,
    *,
    command: str | None = None,
    notes: Sequence[str] = (),
    doubts: Sequence[str] = (),
) -> Document:
    """The recommended test, all others, and what the data are.

    `command` runs the recommended test; notes and doubts are what reading brought to light.
    """
    own, metric = found.test, wording.metric_name(found.metric)
    p = "" if own.pvalue is None else f", p = {advised.pvalue_of(own)}"
    said = [
        f"Recommended for {metric}: {own.test}{p}. {own.reason[:1].upper()}{own.reason[1:]} "
        f"({own.source}).",
        f"In Python: {own.call}",
    ]
    if command is not None:
        said.append(f"Command: {command}")
    tested = advised.notes_of_tests({found.metric: found}) if found.seed is not None else []
    lines = [" ".join(found.facts), advised.not_applying(found), *tested, *notes]
    calls = table(
        "calls",
        "ntt",
        ("Test", "In Python", "Source"),
        [(one.test, one.call, one.source) for one in found.tests],
    )
    how: list[Block] = [calls]
    title = "How to run each test, and who says so"
    sources = publications(one.source for one in found.tests)
    return Document(
        title=f"Tests for {metric} of {wording.few(list(map(wording.clean, found.names)), 4)}",
        doubts=[*doubts, *found.doubts],
        verdict=said,
        tables=[advised.table_of_tests(found)],
        notes=[line for line in lines if line],
        explanation=[
            _MEANING,
            Section(name="calls", title=title, blocks=how, unfolded=True),
            Section(name="sources", title="Sources", blocks=sources, unfolded=True),
        ],
        rows=advised.rows_of_tests(found),
        record=lambda: as_record(found, command=command, notes=notes, cautions=doubts),
    )


@document_of.register
def _(found: Recommendation) -> Document:
    return document_of_advice(found)
