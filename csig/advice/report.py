"""Which test is sound, as a document: the recommended test, all others beside it, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from csig.advice.base import Advice, Recommendation, publications
from csig.base import wording
from csig.comparing.options import digits_of, record_of_seed
from csig.report.document import (
    Block,
    Document,
    Scalar,
    Section,
    Table,
    Text,
    Tone,
    head,
    picked,
    plain,
    table,
)
from csig.report.shown import document_of

#: How verdicts look.
_TONES: dict[str, Tone] = {"sound": "better", "unsound": "worse", "approximate": "plain"}


def pvalue_of(own: Advice) -> str:
    """The p-value as it is printed."""
    return "-" if own.pvalue is None else wording.pvalue(own.pvalue, own.log_pvalue)


def table_of_tests(found: Recommendation, name: str = "tests", title: str = "") -> Table:
    """One row per test that applies: its verdict and why, with the p-value where it was run."""
    shown = [own for own in found.tests if own.verdict != "does not apply"]
    tested = any(own.pvalue is not None for own in shown)
    rows = []
    for before, own in zip([None, *shown], shown, strict=False):
        same = before is not None and (before.verdict, before.reason) == (own.verdict, own.reason)
        word = "other question" if own.verdict.startswith("sound, but") else own.verdict
        row: list[Text] = [
            (own.test, "strong" if own is found.test else "plain"),
            *[pvalue_of(own)] * tested,
            ("! " * (word == "unsound") + word, _TONES.get(own.verdict, "quiet")),
            "(the same)" if same else own.reason,
        ]
        rows.append(row)
    headers = ["Test", *["p"] * tested, "Verdict", "Why"]
    return table(name, "n" + "p" * tested + "vt", headers, rows, title)


def not_applying(found: Recommendation) -> str:
    """The tests that do not apply, by their reasons; empty where there is none."""
    reasons: dict[str, list[str]] = {}
    for own in found.tests:
        if own.verdict == "does not apply":
            reasons.setdefault(own.reason, []).append(own.test)
    parts = [f"{', '.join(names)} ({reason})" for reason, names in reasons.items()]
    return f"Not applicable: {'; '.join(parts)}." if parts else ""


def notes_of_tests(found: Mapping[str, Recommendation]) -> list[str]:
    """What is to be said of all tests, with p-values, of one or several metrics."""
    seed = next(iter(found.values())).seed
    drawn = ""
    if seed is not None:
        drawn = f" Those that draw have the seed {', '.join(digits_of(seed))}."
    bad = sum(len(one.unsound) for one in found.values())
    return [
        "All tests are for comparison: report the p of the first, which the form of "
        f"the data recommends; {wording.count(bad)} marked ! "
        f"{'is' if bad == 1 else 'are'} unsound here.{drawn}"
    ]


def records_of_tests(found: Recommendation) -> list[dict[str, Any]]:
    """The tests as the JSON record has them."""
    rest = "verdict statistic_name statistic pvalue log_pvalue unit reason source call"
    return [
        {"test": own.test, "recommended": own is found.test, **picked(own, rest)}
        for own in found.tests
    ]


def rows_of_tests(found: Recommendation) -> list[dict[str, Scalar]]:
    """The tests for programs, one flat row each."""
    return [{"metric": found.metric, **own} for own in records_of_tests(found)]


#: What the verdicts mean.
_MEANING = (
    "Verdicts: sound tests keep their level on such data. Approximate ones keep it with many "
    "units, or under an assumption that cannot be checked. Those with another question are sound, "
    "but their p-value is not about the difference in the metric. Unsound ones reject too often or "
    "too rarely on such data."
)


def as_record(
    found: Recommendation,
    *,
    command: str | None = None,
    notes: Sequence[str] = (),
    cautions: Sequence[str] = (),
) -> dict[str, Any]:
    """The JSON record; ``docs/json.md`` has its fields."""
    return {
        **head("csig.recommend"),
        "metric": found.metric,
        "systems": list(found.names),
        **picked(found, "rows unit n_units n_differ least_pvalue r12"),
        "independence_cost": plain(found.independence_cost),
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


def document_of_advice(
    found: Recommendation,
    *,
    command: str | None = None,
    notes: Sequence[str] = (),
    doubts: Sequence[str] = (),
) -> Document:
    """The recommended test, all others, and what the data are."""
    own, metric = found.test, wording.metric_name(found.metric)
    p = "" if own.pvalue is None else f", p = {pvalue_of(own)}"
    said = [
        f"Recommended for {metric}: {own.test}{p}. {own.reason[:1].upper()}{own.reason[1:]} "
        f"({own.source}).",
        wording.Typed(f"In Python: {own.call}"),
    ]
    if command is not None:
        said.append(wording.Typed(f"Command: {command}"))
    tested = notes_of_tests({found.metric: found}) if found.seed is not None else []
    lines = [" ".join(found.facts), not_applying(found), *tested, *notes]
    calls = table(
        "calls",
        "ntt",
        ("Test", "In Python", "Source"),
        [(one.test, one.call, one.source) for one in found.tests],
    )
    how: list[Block] = [calls]
    title = "How to run each test, with sources"
    sources = publications(one.source for one in found.tests)
    return Document(
        title=f"Tests for {metric} of {wording.few(list(map(wording.clean, found.names)), 4)}",
        doubts=[*doubts, *found.doubts],
        verdict=said,
        tables=[table_of_tests(found)],
        notes=[line for line in lines if line],
        explanation=[
            _MEANING,
            Section(name="calls", title=title, blocks=how, unfolded=True),
            Section(name="sources", title="Sources", blocks=sources, unfolded=True),
        ],
        rows=rows_of_tests(found),
        record=lambda: as_record(found, command=command, notes=notes, cautions=doubts),
    )


@document_of.register
def _(found: Recommendation) -> Document:
    return document_of_advice(found)
