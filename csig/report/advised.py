"""Tests side by side: which is sound and why, as tables, rows and records."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from csig import wording
from csig.advice.base import Advice
from csig.advice.outcome import Recommendation
from csig.report.document import Cell, Column, Scalar, Table, Tone
from csig.results import Seed

__all__ = [
    "entropy_text",
    "not_applying",
    "notes_of_tests",
    "pvalue_of",
    "records_of_tests",
    "rows_of_tests",
    "table_of_tests",
]

#: How verdicts look.
_TONES: dict[str, Tone] = {"sound": "better", "unsound": "worse", "approximate": "plain"}


def pvalue_of(own: Advice) -> str:
    """The p-value as it is printed."""
    return "-" if own.pvalue is None else wording.pvalue(own.pvalue, own.log_pvalue)


def _verdict(own: Advice) -> Cell:
    mark = "! " if own.verdict == "unsound" else ""
    shown = {"sound, but asks something else": "other question"}.get(own.verdict, own.verdict)
    return Cell(f"{mark}{shown}", "verdict", _TONES.get(own.verdict, "quiet"))


def table_of_tests(found: Recommendation, name: str = "tests", title: str = "") -> Table:
    """One row per test that applies: its verdict and why, with the p-value where it was run.

    Parameters
    ----------
    found : Recommendation
        What is said.
    name, title : str
        The table's.
    """
    shown = [own for own in found.tests if own.verdict != "does not apply"]
    tested = any(own.pvalue is not None for own in shown)
    columns = [Column("Test", "left")] + [Column("p")] * tested
    columns += [Column("Verdict", "left"), Column("Why", "left")]
    rows = []
    for before, own in zip([None, *shown], shown, strict=False):
        row = [Cell(own.test, "name", "strong" if own is found.test else "plain")]
        if tested:
            row.append(Cell(pvalue_of(own), "pvalue"))
        same = before is not None and (before.verdict, before.reason) == (own.verdict, own.reason)
        rows.append([*row, _verdict(own), Cell("(the same)" if same else own.reason, "text")])
    return Table(name=name, title=title, columns=columns, rows=rows)


def not_applying(found: Recommendation) -> str:
    """The tests that do not apply, by their reasons; empty where there is none."""
    reasons: dict[str, list[str]] = {}
    for own in found.tests:
        if own.verdict == "does not apply":
            reasons.setdefault(own.reason, []).append(own.test)
    parts = [f"{', '.join(names)} ({reason})" for reason, names in reasons.items()]
    return f"Not applicable: {'; '.join(parts)}." if parts else ""


def notes_of_tests(found: Mapping[str, Recommendation]) -> list[str]:
    """What is to be said of all tests of one or several metrics.

    Parameters
    ----------
    found : mapping {metric: Recommendation}
        With p-values.
    """
    seed = next(iter(found.values())).seed
    own = "" if seed is None else f" Those that draw have the seed {entropy_text(seed)}."
    bad = sum(len(one.unsound) for one in found.values())
    return [
        "All tests are for comparison: the p to report is that of the first, which the form of "
        f"the data recommends; {wording.count(bad)} marked ! "
        f"{'is' if bad == 1 else 'are'} unsound here.{own}"
    ]


def entropy_text(seed: Seed) -> str:
    """The seed as it is printed."""
    parts = (seed.entropy,) if isinstance(seed.entropy, int) else seed.entropy
    return ", ".join(map(str, parts))


def rows_of_tests(found: Recommendation) -> list[dict[str, Scalar]]:
    """The tests for programs, one flat row each."""
    return [
        {
            "metric": found.metric,
            "test": own.test,
            "recommended": own is found.test,
            "verdict": own.verdict,
            "statistic_name": own.statistic_name,
            "statistic": own.statistic,
            "pvalue": own.pvalue,
            "log_pvalue": own.log_pvalue,
            "unit": own.unit,
            "reason": own.reason,
            "source": own.source,
            "call": own.call,
        }
        for own in found.tests
    ]


def records_of_tests(found: Recommendation) -> list[dict[str, Any]]:
    """The tests as the JSON record has them."""
    return [
        {name: own for name, own in row.items() if name != "metric"} for row in rows_of_tests(found)
    ]
