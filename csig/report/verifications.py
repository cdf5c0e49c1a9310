"""What verifying a record found, as a document."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from csig import wording
from csig.audits.trust import Trusted
from csig.audits.verify import Verification
from csig.report.document import Cell, Column, Document, Scalar, Table
from csig.report.shown import document_of

__all__ = ["verification_document"]

#: More differences than this are counted, more fields of one reason too.
MOST, MOST_FIELDS = 40, 8


def _table(name: str, title: str, headers: Sequence[str], rows: Iterable[Sequence[str]]) -> Table:
    return Table(
        name=name,
        title=title,
        columns=[Column(header, "left") for header in headers],
        rows=[[Cell(text) for text in row] for row in rows],
    )


def _differences(found: Sequence[str]) -> list[Table]:
    """What differs: the first fields, and how many more there are."""
    if not found:
        return []
    more = len(found) - MOST
    last = [f"and {wording.count(more)} more"] if more > 0 else []
    rows = [(line,) for line in (*found[:MOST], *last)]
    return [_table("differences", "", ("What differs",), rows)]


def _fields(own: Trusted) -> str:
    """The first fields that were taken on trust."""
    shown, before = [], ""
    for field in own.fields[:MOST_FIELDS]:
        place, dot, _ = field.rpartition(".")
        shown.append(field.removeprefix(place) if dot and place == before else field)
        before = place
    more = len(own.fields) - len(shown)
    return f"{', '.join(shown)}{f' and {more} more' if more > 0 else ''}"


def _rows(
    ok: bool, line: str, differences: Iterable[str], trust: Iterable[tuple[str, str]]
) -> list[Mapping[str, Scalar]]:
    """For programs: the outcome, and a row for everything that differs or was taken on trust."""
    outcome = "verified" if ok else "not verified"
    found = [(outcome, "", line)]
    found += [("differs", own.partition(": ")[0], own.partition(": ")[2]) for own in differences]
    found += [("on trust", fields, what) for fields, what in trust]
    return [{"outcome": kind, "fields": field, "what": what} for kind, field, what in found]


def verification_document(found: Verification, record: Mapping[str, Any] | None = None) -> Document:
    """A verification of a record.

    Parameters
    ----------
    found : Verification
        What differs, and what was taken on trust.
    record : mapping, optional
        The record, to say who wrote it.
    """
    n = len(found.differences)
    if found.ok:
        how = ", by the compiled engine and in pure numpy" if found.independent else ""
        line = f"Verified: all {found.compared:,} recomputed values match the record{how}."
    else:
        line = f"NOT verified: {n} of {found.compared:,} fields differ."
    trusted = [(_fields(own), own.what) for own in found.trust]
    title = "Taken on trust, because this verification cannot recompute it:"
    trust = [_table("trust", title, ("Fields", "What they are"), trusted)] if trusted else []
    written = f"The record's SHA-256 is {found.record_sha256}."
    if record is not None:
        made = record["environment"]
        written = (
            f"The record was written by csig {made['csig']} on {record['date']} "
            f"({made['platform']}); its SHA-256 is {found.record_sha256}."
        )
    return Document(
        title="Verification of an audit",
        verdict=[line],
        tables=[*_differences(found.differences), *trust],
        notes=[*([" ".join(found.bounds)] if found.bounds else []), written],
        rows=_rows(
            found.ok,
            line,
            found.differences,
            [(" ".join(own.fields), own.what) for own in found.trust],
        ),
        record=found.as_dict,
    )


@document_of.register
def _of_verification(found: Verification) -> Document:
    return verification_document(found)
