"""Tests side by side: which is sound and why, as tables, rows and records."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from csig.advice.base import Advice
from csig.advice.outcome import Recommendation
from csig.base import wording
from csig.comparing.options import digits_of
from csig.report.document import Scalar, Table, Tone
from csig.report.forms import Text, picked, table

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
        "All tests are for comparison: the p to report is that of the first, which the form of "
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
