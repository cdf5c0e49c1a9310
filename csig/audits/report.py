"""An audit as a document."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib import resources
from typing import Any

from csig.audits.checks import ALIKE
from csig.audits.outcome import Audit, Check
from csig.base import wording
from csig.comparing import conclusions, estimates, sizes
from csig.comparing.options import Options
from csig.comparing.signature import cited_audit, of_audit
from csig.comparing.sizes import outcomes, results_table, verdict_cell
from csig.comparing.verdict import (
    Outcome,
    Said,
    cautions,
    figures,
    limits,
    pvalue_text,
    sentence,
    verdict,
)
from csig.data.metrics import Metric
from csig.report.document import (
    Block,
    Cell,
    Document,
    Names,
    Picture,
    Program,
    Section,
    Table,
    Text,
    Tone,
    picked,
    table,
)
from csig.report.records import canonical, file_digest
from csig.report.shown import document_of
from csig.results.randomization import Interval

#: The level of the intervals of the differences, as in a comparison.
LEVEL = 0.95

#: What every family of checks is about, in the order of the docs. A check's family is what is
#: before the colon of its name, so that records of every version have families.
FAMILIES = {
    "runs": "three runs, one with another generator, agree",
    "sign test": "recall agrees with the sign test (Yeh 2000)",
    "exact": "the shuffles agree with exact arithmetic",
    "symmetry": "shuffles favour both systems equally often",
    "generator": "the random bits pass tests for bad generators",
    "determinism": "another program and other threads: the same hits",
    "independence": "what ignoring the systems' correlation would cost",
    "dependence": "how much p depends on the unit that is swapped",
    "resolution": "whether p is settled on one side of the level",
    "metric itself": "whether a ratio itself differs, not only how much is returned",
}

_STRONG: Tone = "strong"
_TONES: dict[str, Tone] = {"passed": "better", "FAILED": "worse", "-": "quiet"}


# ---- words -------------------------------------------------------------------------------------


def outcome(audit: Audit) -> str:
    """The audit in a sentence."""
    decided = [check for check in audit.checks if check.passed is not None]
    if audit.failed:
        # What is wrong with the generator explains what else fails.
        failed = sorted(audit.failed, key=lambda check: check.kind != "generator")
        names = wording.few([check.name for check in failed], 5)
        return f"The audit FAILED: {len(audit.failed)} of {len(decided)} checks: {names}."
    unsure = [
        check.name.partition(": ")[2]
        for check in audit.checks
        if check.kind == "resolution" and check.passed is None
    ]
    more = f" Not decided at {wording.decimal(audit.alpha)}: {', '.join(unsure)}." if unsure else ""
    return f"The audit passed: all {len(decided)} checks.{more}"


def limit(audit: Audit) -> str:
    """When a check fails, and how often one does for nothing; empty where none has a p-value."""
    for check in audit.checks:
        if check.limit is not None:
            return (
                f"A check fails if p < {check.limit:.2g}, so a faultless audit fails with "
                "probability at most 1e-6."
            )
    return ""


# ---- the results -------------------------------------------------------------------------------


def _apart(audit: Audit) -> dict[str, tuple[str, float]]:
    """By metric, where the difference and the metric itself lead to different verdicts: what is
    said of the metric itself, and its p.
    """
    found = {}
    for check in audit.checks:
        name = check.name.removeprefix("metric itself: ")
        known = name != check.name and name in audit.best
        if known and check.statistic is not None and check.sentence != ALIKE:
            said = f"{wording.metric_title(name)}: {check.sentence} {check.observed}."
            found[name] = said, check.statistic
    return found


def _results(
    audit: Audit,
    intervals: Mapping[str, Interval | str],
    options: Options,
    apart: Mapping[str, tuple[str, float]],
) -> Table:
    """The results; where a metric itself says something else its p and its verdict, as the
    interval is about that, too.
    """
    names, alpha = audit.comparison.names, audit.alpha
    found = results_table(names, audit.best, intervals, options)
    rows = []
    for row, (name, result) in zip(found.rows, audit.best.items(), strict=True):
        if name in apart:
            p = Cell(wording.pvalue(apart[name][1], alpha=alpha), "pvalue")
            better = (result.statistic > 0) == result.greater_is_better
            # They differ: one p is above the level, as the check compares them, and one is not.
            significant = result.pvalue > alpha
            won: Outcome = "none" if not significant else "better" if better else "worse"
            row = [*row[:-2], p, verdict_cell(won, Names(reversed(names)))]
        rows.append(row)
    return replace(found, rows=rows)


def _how(audit: Audit, apart: Iterable[str]) -> str:
    """What was swapped, and which p-values are exact."""
    comparison = audit.comparison
    n, swapped = audit.options["n_resamples"], conclusions.of_all(comparison)
    if comparison.units is None:  # shorter
        number = comparison.n_units
        swapped = f"{wording.count(number)} unique {wording.noun('response', number)}"
    exact = [wording.metric_title(name) for name in audit.exact]
    shuffles = f"three runs of {wording.count(n)} shuffles"
    kinds = " or ".join(dict.fromkeys(own.method for own in audit.exact.values()))
    how = f"p is from the first of {shuffles}"
    if len(exact) == len(audit.results):
        how = f"p is {kinds}, and checked by {shuffles}"
    elif exact:
        which = f"{kinds} for {wording.listed(exact)}"
        how = f"p is {which}, for the others from the first of {shuffles}"
    how += f", swapping {swapped}."
    itself = wording.listed([wording.metric_name(name) for name in apart]) if apart else ""
    if itself:
        how += f" In the table p of {itself} is that of {itself} itself, which no run checks."
    if audit.options["alternative"] != "two-sided":
        how += " Intervals are two-sided."
    return how


def _pvalues(audit: Audit, meanings: Sequence[str]) -> Section:
    """Where the p-values and the intervals come from."""
    level = next(iter(audit.results.values())).pvalue_confidence
    certified = any(own.method == "certified" for own in audit.exact.values())
    headers = [
        "Metric",
        f"Hits of {wording.count(audit.options['n_resamples'])}",
        "p by shuffles",
        f"{wording.decimal(100 * level)}% interval of p",
        *(["p exact or certified", "How"] if certified else ["p exact"]),
    ]
    rows: list[list[Text]] = []
    for name, result in audit.results.items():
        exact = audit.exact.get(name)
        low, high = (wording.pvalue(end, alpha=audit.alpha) for end in result.pvalue_interval)
        rows.append(
            [
                (wording.metric_title(name), "strong"),
                wording.count(result.n_hits or 0),
                pvalue_text(result, audit.alpha),
                f"{low} to {high}",
                "not known" if exact is None else pvalue_text(exact, audit.alpha),
                *["" if exact is None else conclusions.counted_how(exact)] * certified,
            ]
        )
    names = audit.comparison.names
    said = [sentence(result, audit.alpha, names) for result in audit.best.values()]
    kinds = "n#pip" + "t" * certified
    blocks: list[Block] = [table("pvalues", kinds, headers, rows), *said, *meanings]
    return Section(name="pvalues", title="P-values and intervals", blocks=blocks)


def _picture(audit: Audit, metric: Metric) -> Picture:
    result = audit.best[metric.name]
    own = figures(result)
    a, b = map(wording.clean, audit.comparison.names)
    hits = audit.results[metric.name]
    seen = own.difference(result.statistic, sign=True) + " points" * own.percents
    which = {"two-sided": "in either direction", "greater": "upwards", "less": "downwards"}
    exact = f"; {result.method} p = {pvalue_text(result, audit.alpha)}"
    exact *= metric.name in audit.exact

    def draw() -> str:
        from csig.comparing.pictures import null_picture

        return null_picture(audit, metric)

    alt = (
        f"{wording.metric_title(metric.name)}, {a} - {b}: how often each difference arises where "
        f"the systems are interchangeable, around 0, and the observed one, {seen}. "
        f"{wording.count(hits.n_hits or 0)} of {wording.count(hits.n_resamples or 0)} shuffles "
        f"are at least as far {which[result.alternative]} (p = {pvalue_text(hits, audit.alpha)}"
        f"{exact})."
    )
    return Picture(name=f"null-{metric.name}", alt=alt, draw=draw)


# ---- the checks --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Family:
    """The checks of one family."""

    name: str  #: What their names begin with.
    checks: tuple[Check, ...]  #: In the order of the audit.

    @property
    def failed(self) -> tuple[Check, ...]:
        """Its checks that failed."""
        return tuple(check for check in self.checks if check.passed is False)

    @property
    def state(self) -> str:
        """What became of it, in a few words."""
        decided = sum(check.passed is not None for check in self.checks)
        if self.failed:
            return f"{len(self.failed)}/{decided} FAILED"
        if decided:
            return f"{decided}/{decided} passed"
        none = all(check.observed == "not applicable" for check in self.checks)
        return "not applicable" if none else "for information"

    def said(self, *words: str) -> list[str]:
        """What its checks say, each text once, with the names of the checks unless it is of all."""
        names: dict[str, list[str]] = {}
        for check in self.checks:
            text = " ".join(getattr(check, word) for word in words)
            names.setdefault(text, []).append(self.own_name(check))
        if len(names) == 1:
            return list(names)
        return [f"{'; '.join(own)}: {line}" for line, own in names.items()]

    def own_name(self, check: Check) -> str:
        """A check's name within its family."""
        return check.name.removeprefix(f"{self.name}: ")

    def section(self) -> Section:
        """Its checks, and what they mean."""
        rows: list[list[Text]] = []
        for check in sorted(self.checks, key=lambda check: check.passed is not False):
            word = "-" if check.passed is None else "passed" if check.passed else "FAILED"
            p = "" if check.pvalue is None else wording.pvalue(check.pvalue)
            own, outcome = (self.own_name(check), _STRONG), (word, _TONES[word])
            rows.append([own, outcome, p, check.observed, check.expected])
        headers = ("Check", "Outcome", "p", "Seen", "Expected")
        every = table(f"checks-{self.name}".replace(" ", "-"), "nvptt", headers, rows)
        about = FAMILIES.get(self.name)  # none for a family of another version
        # What was done, and what it means: together, unless one of them is the same for all.
        words = [*self.said("what"), *self.said("sentence")]
        if all(len({getattr(own, w) for own in self.checks}) > 1 for w in ("what", "sentence")):
            words = self.said("what", "sentence")
        return Section(
            name=every.name,
            title=f"{self.name} {self.state}" + (f": {about}" if about else ""),
            blocks=[every, *words],
            unfolded=bool(self.failed),
        )


def families(checks: Iterable[Check]) -> tuple[Family, ...]:
    """All checks by their families: those with a failure first, else in their order."""
    found: dict[str, list[Check]] = {}
    for check in checks:
        found.setdefault(check.kind, []).append(check)

    def late(family: Family) -> int:
        return 2 if not family.failed else int(family.name != "generator")

    return tuple(sorted((Family(name, tuple(own)) for name, own in found.items()), key=late))


# ---- an audit ----------------------------------------------------------------------------------


def _facts(audit: Audit, record: Mapping[str, Any]) -> Section:
    """How it came to be, and how to repeat it."""
    run, made = record["runs"][0], record["environment"]
    comparison = audit.comparison
    total = record["comparison"]["n_total"]
    a, b = map(wording.clean, comparison.names)
    units = f"{comparison.n_units:,}" + ("" if total is None else f" of {total:,}")
    facts = [
        ("Systems", f"{a} against {b}; differences are {a} - {b}"),
        ("Swapped", f"{units} {wording.noun(comparison.unit, 2)} where the systems differ"),
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
    rows: list[list[Text]] = [[(name, "strong"), value] for name, value in facts]
    words = (
        "The record of this audit holds the seeds and the counts, and the data or their digest; "
        "csig verify RECORD repeats it and compares every number."
    )
    blocks: list[Block] = [words, table("facts", "nt", ("What", "How"), rows)]
    return Section(name="reproduce", title="How to reproduce it", blocks=blocks)


def _recomputed(record: Mapping[str, Any]) -> Program:
    """How a page recomputes its record: by docs/web, where csig was built with it."""
    script = resources.files("csig.audits").joinpath("recompute.js")
    title = "Recompute it here"
    if not script.is_file():
        words = (
            "This page cannot recompute itself, as the csig that wrote it was built without clang "
            "for WebAssembly: docs/audit.md, In a browser."
        )
        return Program(title=title, words=[words])
    words = (
        "Your browser can recompute this audit from the record in this page: every run's hits, "
        "exact p-values, digests, and the checks that follow from them; it names what it cannot. "
        "Nothing runs before you press the button, and nothing leaves this page. The script came "
        "with the page; csig verify does not need it."
    )
    return Program(
        title=title, words=[words], button="Recompute in this browser", data=canonical(record),
        script=script.read_text("utf-8"),
    )  # fmt: skip


def audit_document(audit: Audit, record: Mapping[str, Any], said: Said | None = None) -> Document:
    """An audit as a document; `said` is what is doubtful about the input, and notes about it."""
    said = said or Said()
    names, best = audit.comparison.names, audit.best
    named = [check.named(names) for check in audit.checks]
    own, metrics = audit.options, audit.options["metrics"]
    options = Options(
        metrics=tuple(audit.results), alternative=own["alternative"], method="approximate",
        n_resamples=own["n_resamples"], seed=None, bit_generator=None, threads=None,
        zero_division=own["zero_division"], pvalue_confidence=own["confidence_level"],
        alpha=audit.alpha, confidence_level=LEVEL,
    )  # fmt: skip
    intervals = estimates.intervals(
        audit.comparison, metrics, "difference", options, 0, tests=best, option=""
    )
    kinds = families(named)
    failures = []
    for check in (check for family in kinds for check in family.failed):
        p = "" if check.pvalue is None else f" (p = {wording.pvalue(check.pvalue)})"
        known = check.observed.lower() in check.sentence.lower()
        seen = "" if known else f" Seen: {check.observed}."
        failures.append(
            f"FAILED {check.name}{p}: {check.sentence}{seen} Expected: {check.expected}."
        )
    apart = _apart(audit)
    # What is said of these metrics instead stands in lines of their own.
    plain = {name: result for name, result in best.items() if name not in apart}
    answer = []
    if plain:
        found = outcomes(plain, audit.alpha)
        answer = [conclusions.of_two(found, plain, names, alpha=audit.alpha)]
    notes = [
        _how(audit, apart),
        *said.notes,
        *sizes.gaps({name: intervals[name] for name in plain if name in intervals}, best, options),
        conclusions.not_corrected(len(best)),
        limit(audit),
        f"The SHA-256 of the record is {file_digest(record)}.",
    ]
    verdicts = [verdict(result, audit.alpha) for result in best.values() if result.n_units]
    given = any(isinstance(interval, Interval) for interval in intervals.values())
    meanings = [*sizes.how(intervals, options), *limits(verdicts, given)]
    pictures: list[Block] = [_picture(audit, metric) for metric in metrics]
    lines: list[list[Text]] = [
        [
            (family.name, "strong"),
            (family.state, _TONES.get(family.state.rpartition(" ")[2], "quiet")),
            FAMILIES.get(family.name, ""),
        ]
        for family in kinds
    ]
    headers = ("Checks", "Outcome", "About")
    return Document(
        title=f"Audit of {' against '.join(names)}",
        doubts=(*said.cautions, *cautions(audit.comparison, list(best.values()), audit.alpha)),
        verdict=[outcome(audit), *failures, *answer, *(said for said, _ in apart.values())],
        tables=[
            _results(audit, intervals, options, apart),
            table("families", "nvt", headers, lines),
        ],
        notes=list(filter(None, notes)),
        explanation=[
            _pvalues(audit, meanings),
            Section(name="pictures", title="Null distribution of the difference", blocks=pictures),
            Section(
                name="checks", title="Details, by family", blocks=[own.section() for own in kinds]
            ),
            _facts(audit, record),
        ],
        signature=of_audit(audit, options, intervals.values(), record["environment"]["csig"]),
        citation=cited_audit(audit, intervals.values(), LEVEL),
        rows=[
            picked(
                check,
                "family=kind check=name passed p=pvalue limit observed expected meaning=sentence",
            )
            for check in named
        ],
        record=partial(dict, record),
        program=partial(_recomputed, record),
    )


@document_of.register
def _of_audit(audit: Audit) -> Document:
    return audit_document(audit, audit.record)
