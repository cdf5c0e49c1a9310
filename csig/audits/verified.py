"""What verifying a record found, as a document; apart, as it needs little of the report."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from csig.audits.outcome import named
from csig.audits.trust import Trusted
from csig.audits.verify import Verification
from csig.base import wording
from csig.report.document import Document, Scalar
from csig.report.forms import table
from csig.report.shown import document_of

#: More differences than this are counted, more fields of one reason too.
MOST, MOST_FIELDS = 40, 8


def _fields(own: Trusted) -> str:
    """The first fields that were taken on trust."""
    shown, before = [], ""
    for field in own.fields[:MOST_FIELDS]:
        place, dot, _ = field.rpartition(".")
        shown.append(field.removeprefix(place) if dot and place == before else field)
        before = place
    more = len(own.fields) - len(shown)
    return f"{', '.join(shown)}{f' and {more} more' if more > 0 else ''}"


def verification_document(found: Verification, record: Mapping[str, Any] | None = None) -> Document:
    """A verification of a record; with the record it says who wrote it."""
    n = len(found.differences)
    if found.ok:
        how = ", by the compiled engine and in pure numpy" if found.independent else ""
        line = f"Verified: all {found.compared:,} recomputed values match the record{how}."
    else:
        line = f"NOT verified: {n} of {found.compared:,} fields differ."
    written = f"The record's SHA-256 is {found.record_sha256}."
    names = ("A", "B")
    if record is not None:
        made, names = record["environment"], record["comparison"]["names"]
        written = (
            f"The record was written by csig {made['csig']} on {record['date']} "
            f"({made['platform']}); its SHA-256 is {found.record_sha256}."
        )
    lines = [
        named(own, names) if own.startswith(("checks[symmetry", "checks[generator")) else own
        for own in found.differences[:MOST]
    ]
    lines += [f"and {wording.count(n - MOST)} more"] * (n > MOST)
    tables = []
    if lines:
        tables.append(table("differences", "t", ("What differs",), [[own] for own in lines]))
    if found.trust:
        title = "Taken on trust, because this verification cannot recompute it:"
        trust = [(_fields(own), own.what) for own in found.trust]
        tables.append(table("trust", "tt", ("Fields", "What they are"), trust, title))
    rows = [("verified" if found.ok else "not verified", "", line)]
    for own in found.differences:
        field, _, what = own.partition(": ")
        rows.append(("differs", field, what))
    rows += [("on trust", " ".join(own.fields), own.what) for own in found.trust]
    programs: list[Mapping[str, Scalar]] = [
        {"outcome": kind, "fields": fields, "what": what} for kind, fields, what in rows
    ]
    return Document(
        title="Verification of an audit",
        verdict=[line],
        tables=tables,
        notes=[*([" ".join(found.bounds)] if found.bounds else []), written],
        rows=programs,
        record=found.as_dict,
    )


@document_of.register
def _of_verification(found: Verification) -> Document:
    return verification_document(found)
