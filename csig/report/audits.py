"""An audit as a document: the verdict, the results, a line for every family of checks, and all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from csig import wording
from csig.audits.assumptions import ALIKE
from csig.audits.digests import file_digest
from csig.audits.families import Family, families
from csig.audits.outcome import Audit
from csig.report import citation, conclusions, estimates, sizes
from csig.report.answer import outcomes, results_table
from csig.report.document import (
    Block,
    Cell,
    Column,
    Document,
    Kind,
    Picture,
    Scalar,
    Section,
    Table,
    Tone,
)
from csig.report.doubts import Said, cautions
from csig.report.options import Options
from csig.report.shown import document_of
from csig.report.signature import of_audit
from csig.report.verdict import limits, pvalue_text, sentence, verdict
from csig.results import Interval

if TYPE_CHECKING:
    from csig.audits.checks import Check

__all__ = ["audit_document", "limit", "outcome", "sentences", "state"]

#: The level of the intervals of the differences, as in a comparison.
LEVEL = 0.95


def state(check: Check) -> str:
    """What became of a check, in a word."""
    return "-" if check.passed is None else "passed" if check.passed else "FAILED"


def outcome(audit: Audit) -> str:
    """The audit in a sentence."""
    decided = [check for check in audit.checks if check.passed is not None]
    # What is wrong with the generator explains what else fails.
    failed = sorted(audit.failed, key=lambda check: check.kind != "generator")
    names = wording.few([check.name for check in failed], 5)
    if audit.failed:
        return f"The audit FAILED: {len(audit.failed)} of {len(decided)} checks: {names}."
    unsure = [
        check.name.partition(": ")[2]
        for check in audit.checks
        if check.kind == "resolution" and check.passed is None
    ]
    more = f" Not decided at {wording.decimal(audit.alpha)}: {', '.join(unsure)}." if unsure else ""
    return f"The audit passed: all {len(decided)} checks.{more}"


def sentences(audit: Audit) -> list[str]:
    """What every metric's result means."""
    names = audit.comparison.names
    return [sentence(result, audit.alpha, names) for result in audit.best.values()]


def limit(audit: Audit) -> str:
    """When a check fails, and how often one does for nothing; empty where none has a p-value."""
    found = next((check.limit for check in audit.checks if check.limit is not None), None)
    if found is None:
        return ""
    return (
        f"A check fails if p < {found:.2g}, so a faultless audit fails with probability at most "
        f"1e-6."
    )


# ---- the results ---------------------------------------------------------------------------


def _how(audit: Audit) -> str:
    """What was swapped, and which p-values are exact."""
    comparison = audit.comparison
    n, swapped = audit.options["n_resamples"], conclusions.of_all(comparison)
    if comparison.units is None:  # shorter
        number = comparison.n_units
        swapped = f"{wording.count(number)} unique {wording.noun('response', number)}"
    exact = [wording.metric_title(name) for name in audit.exact]
    shuffles = f"{wording.count(n)} shuffles"
    kinds = " or ".join(dict.fromkeys(own.method for own in audit.exact.values()))
    if len(exact) == len(audit.results):
        how = f"p is {kinds}, and checked by three runs of {shuffles}"
    elif exact:
        first = f"from the first of three runs of {shuffles}"
        how = f"p is {kinds} for {wording.listed(exact)}, for the others {first}"
    else:
        how = f"p is from the first of three runs of {shuffles}"
    sided = "" if audit.options["alternative"] == "two-sided" else " Intervals are two-sided."
    return f"{how}, swapping {swapped}.{sided}"


def _pvalues(audit: Audit, made: Sequence[str]) -> Section:
    """Where the p-values and the intervals come from."""
    level = next(iter(audit.results.values())).confidence_level
    interval = f"{wording.decimal(100 * level)}% interval of p"
    n = wording.count(audit.options["n_resamples"])
    certified = any(own.method == "certified" for own in audit.exact.values())
    without = "p exact or certified" if certified else "p exact"
    headers = [f"Hits of {n}", "p by shuffles", interval, without]
    rows = []
    for name, result in audit.results.items():
        exact = audit.exact.get(name)
        low, high = (wording.pvalue(end, alpha=audit.alpha) for end in result.pvalue_interval)
        rows.append(
            [
                Cell(wording.metric_title(name), "name", "strong"),
                Cell(wording.count(result.n_hits or 0), "number"),
                Cell(pvalue_text(result, audit.alpha), "pvalue"),
                Cell(f"{low} to {high}", "interval"),
                Cell("not known" if exact is None else pvalue_text(exact, audit.alpha), "pvalue"),
                Cell("" if exact is None else exact.engine or ""),
            ]
        )
    columns = [Column("Metric", "left"), *map(Column, headers), Column("Engine", "left")]
    blocks: list[Block] = [Table(name="pvalues", columns=columns, rows=rows)]
    blocks += [*sentences(audit), *made]
    return Section(name="pvalues", title="P-values and intervals", blocks=blocks)


def _picture(audit: Audit, metric: Any) -> Picture:
    result = audit.best[metric.name]
    own = wording.in_percent(result.score_a, result.score_b, metric.name)
    a, b = map(wording.clean, audit.comparison.names)
    hits = audit.results[metric.name]
    seen = wording.score_difference(result.statistic, own, sign=True) + " points" * own
    which = {"two-sided": "in either direction", "greater": "upwards", "less": "downwards"}
    exact = f"; {result.method} p = {pvalue_text(result, audit.alpha)}"
    exact *= metric.name in audit.exact

    def draw() -> str:
        from csig.report.plots.nulls import null_picture

        return null_picture(audit, metric)

    alt = (
        f"{wording.metric_title(metric.name)}, {a} - {b}: how often each difference arises where "
        f"the systems are interchangeable, around 0, and the observed one, {seen}. "
        f"{wording.count(hits.n_hits or 0)} of {wording.count(hits.n_resamples or 0)} shuffles "
        f"are at least as far {which[result.alternative]} (p = {pvalue_text(hits, audit.alpha)}"
        f"{exact})."
    )
    return Picture(name=f"null-{metric.name}", alt=alt, draw=draw)


# ---- the checks ----------------------------------------------------------------------------

_TONES: dict[str, Tone] = {"passed": "better", "FAILED": "worse", "-": "quiet"}


def _failure(check: Check) -> str:
    """All of a check that failed, in a paragraph."""
    p = "" if check.pvalue is None else f" (p = {wording.pvalue(check.pvalue)})"
    known = check.observed.lower() in check.sentence.lower()
    seen = "" if known else f" Seen: {check.observed}."
    return f"FAILED {check.name}{p}: {check.sentence}{seen} Expected: {check.expected}."


def _family_cell(family: Family) -> Cell:
    word = family.state
    tone = _TONES.get(word.rpartition(" ")[2], "quiet")
    return Cell(word, "verdict", tone)


def _families(found: Iterable[Family]) -> Table:
    rows = [[Cell(f.name, "name", "strong"), _family_cell(f), Cell(f.about)] for f in found]
    headers = ("Checks", "Outcome", "What they are about")
    return Table(name="families", columns=[Column(h, "left") for h in headers], rows=rows)


def _grouped(family: Family, text: Callable[[Check], str]) -> list[str]:
    """What its checks say, each text once, with the names of the checks unless it is of all."""
    names: dict[str, list[str]] = {}
    for check in family.checks:
        names.setdefault(text(check), []).append(family.own_name(check))
    if len(names) == 1:
        return list(names)
    return [f"{'; '.join(own)}: {line}" for line, own in names.items()]


def _words(family: Family) -> list[str]:
    """What was done, and what it means: together, unless one of them is the same for all."""

    def what(check: Check) -> str:
        return check.what

    def meaning(check: Check) -> str:
        return check.sentence

    if 1 in (len(set(map(what, family.checks))), len(set(map(meaning, family.checks)))):
        return [*_grouped(family, what), *_grouped(family, meaning)]
    return _grouped(family, lambda check: f"{check.what} {check.sentence}")


def _checks(family: Family) -> Section:
    """A family: its checks, and what they mean."""
    headers: list[tuple[str, Kind]] = [
        ("Check", "name"), ("Outcome", "verdict"), ("p", "pvalue"), ("Seen", "text"),
        ("Expected", "text"),
    ]  # fmt: skip
    rows = []
    for check in sorted(family.checks, key=lambda check: check.passed is not False):
        word = state(check)
        rows.append(
            [
                Cell(family.own_name(check), "name", "strong"),
                Cell(word, "verdict", _TONES[word]),
                Cell("" if check.pvalue is None else wording.pvalue(check.pvalue), "pvalue"),
                Cell(check.observed),
                Cell(check.expected),
            ]
        )
    columns = [Column(h, "right" if kind == "pvalue" else "left") for h, kind in headers]
    table = Table(name=f"checks-{family.name}".replace(" ", "-"), columns=columns, rows=rows)
    about = f": {family.about}" if family.about else ""
    return Section(
        name=table.name,
        title=f"{family.name} {family.state}{about}",
        blocks=[table, *_words(family)],
        unfolded=bool(family.failed),
    )


def _row(check: Check) -> Mapping[str, Scalar]:
    return {
        "family": check.kind,
        "check": check.name,
        "passed": check.passed,
        "p": check.pvalue,
        "limit": check.limit,
        "observed": check.observed,
        "expected": check.expected,
        "meaning": check.sentence,
    }


# ---- the whole -----------------------------------------------------------------------------


def _facts(audit: Audit, record: Mapping[str, Any]) -> Section:
    """How it came to be, and how to repeat it."""
    run, made = record["runs"][0], record["environment"]
    comparison = audit.comparison
    total = record["comparison"]["n_total"]
    units = f"{comparison.n_units:,}" + ("" if total is None else f" of {total:,}")
    facts = [
        ("Systems", "A is {}, B is {}".format(*comparison.names)),
        ("Swapped", f"{units} {wording.noun(comparison.unit, 2)} that differ"),
        ("Alternative", record["options"]["alternative"]),
        ("Shuffles", f"{run['n_resamples']:,} per run, three runs"
            + (", and a fourth that swaps single responses" if len(record["runs"]) > 3 else "")),
        ("Generator", f"{run['bit_generator']}, seed {', '.join(run['entropy'])}"),
        ("Written", f"{record['date']} by csig {made['csig']} (Python {made['python']}, numpy "
                    f"{made['numpy']}, scipy {made['scipy']}; {made['platform']})"),
    ]  # fmt: skip
    facts += [("Input", f"{file['path']} (SHA-256 {file['sha256']})") for file in record["inputs"]]
    if record["command"]:
        facts.append(("Command", " ".join(record["command"])))
    facts.append(("Data", f"SHA-256 {record['comparison']['digest']}"))
    facts.append(("Record", f"SHA-256 {file_digest(record)}"))
    table = Table(
        name="facts",
        columns=[Column("What", "left"), Column("How", "left")],
        rows=[[Cell(name, "name", "strong"), Cell(value)] for name, value in facts],
    )
    words = (
        "The record of this audit holds the seeds and the counts, and the data or their digest; "
        "csig verify RECORD repeats it and compares every number."
    )
    return Section(name="reproduce", title="How to reproduce it", blocks=[words, table])


def _options(audit: Audit) -> Options:
    """What intervals need to know."""
    own = audit.options
    return Options(
        metrics=tuple(audit.results), alternative=own["alternative"], method="approximate",
        n_resamples=own["n_resamples"], seed=None, bit_generator=None, threads=None,
        zero_division=own["zero_division"], confidence_level=own["confidence_level"],
        alpha=audit.alpha, interval_level=LEVEL,
    )  # fmt: skip


def _apart(audit: Audit) -> dict[str, str]:
    """By metric, where the difference and the metric itself lead to different verdicts."""
    found = {}
    for check in audit.checks:
        name = check.name.removeprefix("metric itself: ")
        itself = name != check.name and name in audit.best and check.statistic is not None
        if itself and check.sentence != ALIKE:
            found[name] = f"{wording.metric_title(name)}: {check.sentence} {check.observed}."
    return found


def audit_document(audit: Audit, record: Mapping[str, Any], said: Said | None = None) -> Document:
    """An audit as a document.

    Parameters
    ----------
    audit : Audit
        An audit that has run.
    record : mapping
        Its record.
    said : Said, optional
        What is doubtful about the input, and notes about it.
    """
    said = said or Said()
    options, best = _options(audit), list(audit.best.values())
    metrics = audit.options["metrics"]
    intervals = estimates.intervals(
        audit.comparison, metrics, "difference", options, 0, tests=audit.best
    )
    kinds = families(audit.checks)
    failures = [_failure(check) for family in kinds for check in family.failed]
    verdicts = [verdict(own, audit.alpha) for own in best if own.n_units]
    known = any(isinstance(own, Interval) for own in intervals.values())
    meanings = [*sizes.how(intervals, options), *limits(verdicts, known)]
    names = audit.comparison.names
    apart = _apart(audit)
    # What is said of these metrics instead stands in the lines below.
    plain = {name: own for name, own in audit.best.items() if name not in apart}
    answer = []
    if plain:
        found = outcomes(plain, audit.alpha)
        answer = [conclusions.of_two(found, plain, names, alpha=audit.alpha)]
    notes = [
        _how(audit),
        *said.notes,
        *sizes.gaps(
            {n: own for n, own in intervals.items() if n not in apart}, audit.best, options
        ),
        conclusions.not_corrected(len(audit.best)),
        limit(audit),
        f"The SHA-256 of the record is {file_digest(record)}.",
    ]
    pictures = Section(
        name="pictures",
        title="Null distribution of the difference",
        blocks=[_picture(audit, metric) for metric in metrics],
    )
    every = Section(
        name="checks", title="Details, by family", blocks=[_checks(own) for own in kinds]
    )
    cited = citation.of_audit(audit, intervals.values(), LEVEL)
    return Document(
        title=f"Audit of {' against '.join(names)}",
        doubts=(*said.cautions, *cautions(audit.comparison, best, audit.alpha)),
        verdict=[outcome(audit), *failures, *answer, *apart.values()],
        tables=[results_table(names, audit.best, intervals, options), _families(kinds)],
        notes=list(filter(None, notes)),
        explanation=[_pvalues(audit, meanings), pictures, every, _facts(audit, record)],
        signature=of_audit(audit, options, intervals.values(), record["environment"]["csig"]),
        citation=cited,
        rows=[_row(check) for check in audit.checks],
        record=partial(dict, record),
    )


@document_of.register
def _of_audit(audit: Audit) -> Document:
    return audit_document(audit, audit.record)
