"""Audits, verifications and published claims on a terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from csig import wording
from csig.audits.digests import file_digest
from csig.report.audits import level, limit, outcome, sentences, state
from csig.report.terminal.console import paragraphs, plain_table, print_cautions, printer
from csig.report.verdict import Said, pvalue_text

if TYPE_CHECKING:
    from csig.audits.ledgers import LedgerVerification
    from csig.audits.outcome import Audit
    from csig.audits.trust import Trusted
    from csig.audits.verify import Verification
    from csig.claims.model import ClaimsReport

__all__ = ["print_audit", "print_claims", "print_ledger", "print_verification"]

_STYLES = {"passed": "green", "FAILED": "bold red", "-": ""}


def _results(audit: Audit) -> Table:
    table = plain_table()
    interval = f"{level(audit)}% interval"
    for header in ("Metric", *audit.comparison.names, "p (shuffles)", interval, "p (exact)"):
        justify: Any = "left" if header == "Metric" else "right"
        table.add_column(Text(wording.clean(header)), justify=justify, overflow="fold")
    for name, result in audit.results.items():
        exact = audit.exact.get(name)
        percents = wording.in_percent(result.score_a, result.score_b)
        low, high = (wording.pvalue(end) for end in result.pvalue_interval)
        table.add_row(
            Text(wording.metric_title(name), style="bold"),
            *(
                wording.score(s, percents) + "%" * percents
                for s in (result.score_a, result.score_b)
            ),
            pvalue_text(result),
            f"{low} to {high}",
            "-" if exact is None else pvalue_text(exact),
        )
    return table


def _checks(audit: Audit) -> Table:
    table = plain_table()
    table.add_column(Text("Check"), overflow="fold")
    table.add_column(Text("Outcome"))
    table.add_column(Text("p"), justify="right")
    table.add_column(Text("Seen"), overflow="fold")
    for check in audit.checks:
        word = state(check)
        table.add_row(
            Text(wording.clean(check.name)),
            Text(word, style=_STYLES[word]),
            "" if check.pvalue is None else wording.pvalue(check.pvalue),
            Text(wording.clean(check.observed)),
        )
    return table


@printer
def print_audit(
    console: Console, audit: Audit, record: Mapping[str, Any], said: Said | None = None
) -> None:
    """Print what an audit found, with cautions and notes."""
    said = said or Said()
    print_cautions(said.cautions, console)
    console.print(Text(outcome(audit), style="bold red" if audit.failed else "bold green"))
    console.print()
    console.print(_results(audit))
    console.print()
    paragraphs(console, "-", sentences(audit))
    paragraphs(console, "Note:", said.notes)
    console.print()
    console.print(_checks(audit))
    console.print()
    for check in audit.failed:
        line = f"{check.name}: {check.sentence} Expected: {check.expected}."
        paragraphs(console, "FAILED", [wording.clean(line)], "bold red")
    if limit(audit):
        console.print(Text(limit(audit)))
    run = record["runs"][0]
    console.print(
        Text(
            f"csig {record['environment']['csig']}; audit of unit {audit.comparison.unit}; "
            f"{run['n_resamples']:,} shuffles; {run['bit_generator']}; seed "
            f"{', '.join(run['entropy'])}; SHA-256 of the record {file_digest(record)}"
        ),
        soft_wrap=True,
    )


def _trusted(own: Trusted) -> str:
    """What was taken on trust: the first fields, and what they say."""
    shown, before = [], ""
    for field in own.fields[:8]:
        place, dot, _ = field.rpartition(".")
        shown.append(field.removeprefix(place) if dot and place == before else field)
        before = place
    more = len(own.fields) - len(shown)
    return f"{', '.join(shown)}{f' and {more} more' if more > 0 else ''}: {own.what}"


@printer
def print_verification(console: Console, found: Verification, record: Mapping[str, Any]) -> None:
    """Print what verifying a record found."""
    if found.ok:
        how = ", by the compiled engine and in pure numpy" if found.independent else ""
        line = f"Verified: all {found.compared:,} recomputed values match the record{how}."
        console.print(Text(line, style="bold green"))
    else:
        n = len(found.differences)
        console.print(
            Text(f"NOT verified: {n} of {found.compared:,} fields differ.", style="bold red")
        )
        paragraphs(console, "-", [wording.clean(line) for line in found.differences[:40]])
        if n > 40:
            console.print(Text(f"and {n - 40} more"))
    if found.trust:
        console.print(Text("Taken on trust, because this verification cannot recompute it:"))
        paragraphs(console, "-", [wording.clean(_trusted(own)) for own in found.trust])
    made = record["environment"]
    console.print(
        Text(
            wording.clean(
                f"The record was written by csig {made['csig']} on {record['date']} "
                f"({made['platform']}); its SHA-256 is {found.record_sha256}."
            )
        ),
        soft_wrap=True,
    )


@printer
def print_ledger(console: Console, found: LedgerVerification) -> None:
    """Print what verifying a ledger found."""
    chunks = sum(own.chunks for own in found.redrawn)
    again = f"{len(found.redrawn):,} of {found.blocks:,} blocks ({chunks:,} chunks of shuffles)"
    if found.ok and not found.blocks:
        console.print("Nothing to verify: the ledger has a question, and no shuffles yet.")
    elif found.ok:
        line = f"Verified: {again} were drawn again, with the hits of the ledger."
        console.print(Text(line, style="bold green"))
    else:
        line = f"NOT verified: {again} were drawn again."
        console.print(Text(line, style="bold red"))
        paragraphs(console, "-", [wording.clean(own) for own in found.differences[:40]])
    for own in found.redrawn[:40]:
        last = own.first + own.chunks - 1
        where = (
            f"chunk {own.first:,}" if not own.chunks - 1 else f"chunks {own.first:,} to {last:,}"
        )
        console.print(
            Text(
                f"Line {own.line:,}: run {own.run}, {where}; {own.replayed:,} shuffles of chunk "
                f"{own.chunk:,} in pure numpy."
            )
        )
    for run, n in found.trials.items():
        hits = ", ".join(f"{name} {k:,}" for name, k in found.hits[run].items())
        console.print(Text(wording.clean(f"Run {run} has {n:,} shuffles; hits: {hits}.")))
    console.print(Text("Taken on trust:"))
    paragraphs(console, "-", [wording.clean(own) for own in found.trust])
    console.print(Text(f"The SHA-256 of its question is {found.sha256}."), soft_wrap=True)


@printer
def print_claims(console: Console, found: ClaimsReport) -> None:
    """Print what is to be said of published numbers."""
    table = plain_table()
    table.add_column(Text("Printed"), overflow="fold", ratio=2)
    table.add_column(Text("Verdict"))
    table.add_column(Text("Finding"), overflow="fold", ratio=5)
    bad = {"contradicted", "inconsistent", "impossible"}
    for finding in found.findings:
        style = "bold red" if finding.verdict in bad else ""
        table.add_row(
            Text(wording.clean(finding.claim)),
            Text(finding.verdict, style=style),
            Text(wording.clean(finding.sentence)),
        )
    console.print(table)
