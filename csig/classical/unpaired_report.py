"""Tests of independent samples as a document: a row for each benchmark."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import numpy as np

from csig._version import __version__
from csig.base import wording
from csig.classical.unpaired import UnpairedTest, UnpairedTests
from csig.report.document import Document, Tone
from csig.report.forms import Row, Text, flat, plain, record_of_doubts, table
from csig.report.shown import document_of

_MEANING = (
    "p: over all divisions of both samples into two of these sizes (drawn, where they are too "
    "many), how often Welch's t is as large; Holm-adjusted over the benchmarks. The interval holds "
    "the shifts that the same test does not reject, each benchmark on its own."
)

#: Units of time, in seconds.
_UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))


def _scale(tests: UnpairedTests, times: bool) -> tuple[float, str]:
    """What numbers are divided by, and what they are then."""
    if not times:
        return 1.0, ""
    middle = sorted(max(abs(own.mean_a), abs(own.mean_b)) for own in tests.tests)
    typical = middle[len(middle) // 2]
    return next((own for own in _UNITS if typical >= own[0]), _UNITS[-1])


def _verdict(test: UnpairedTest, alpha: float, times: bool) -> tuple[str, Tone]:
    if (test.adjusted_pvalue or 0) > alpha:
        return "no evidence", "quiet"
    less, more = ("faster", "slower") if times else ("lower", "higher")
    tone: Tone = "plain" if not times else "better" if test.difference < 0 else "worse"
    return f"* {less if test.difference < 0 else more}", tone


def _answer(tests: UnpairedTests, times: bool) -> str:
    """How many are significantly faster and slower."""
    words = [_verdict(own, tests.alpha, times)[0] for own in tests.tests]
    a, b = map(wording.clean, tests.names)
    level = f"(Holm-adjusted, {wording.decimal(tests.alpha)})" if len(words) > 1 else (
        f"(p = {wording.pvalue(tests.tests[0].pvalue, alpha=tests.alpha)})"
    )  # fmt: skip
    counts = {word[2:]: words.count(word) for word in dict.fromkeys(words) if word[0] == "*"}
    if not counts:
        return f"No evidence of a difference between {a} and {b} {level}."
    if len(words) == 1:
        (own,) = tests.tests
        percent = f"{abs(100 * own.ratio - 100):.1f}"
        by = "" if percent in ("nan", "0.0") else f" by {percent}%"
        return f"{a} is significantly {next(iter(counts))} than {b}{by} {level}."
    several = wording.listed([f"{word} on {n}" for word, n in counts.items()])
    return f"{a} is significantly {several} of {len(words)} benchmarks than {b} {level}."


def _row(test: UnpairedTest) -> Row:
    """A test for programs."""
    low, high = test.interval or (None, None)
    row = flat({**asdict(test), "ratio": test.ratio})
    return {name: own for name, own in row.items() if name != "interval"} | {
        "low": low, "high": high
    }  # fmt: skip


@document_of.register
def document_of_unpaired(
    tests: UnpairedTests,
    *,
    times: bool = False,
    files: tuple[str, ...] = (),
    form: str = "",
    notes: tuple[str, ...] = (),
    doubts: tuple[str, ...] = (),
) -> Document:
    """The tests, with what was read for them."""
    scale, unit = _scale(tests, times)
    level = f"{wording.decimal(100 * tests.confidence_level)}% interval"
    rows: list[list[Text]] = []
    for own in tests.tests:
        ends = own.interval and [end / scale for end in own.interval]
        b, a, difference = (v / scale for v in (own.mean_b, own.mean_a, own.difference))
        error = difference / own.statistic if own.statistic else None
        figures = wording.figures([b, a], errors=[error])
        interval = " to ".join(figures.score(end, sign=True) for end in ends) if ends else "-"
        rows.append([
            own.name, figures.score(b), figures.score(a),
            "-" if math.isnan(own.ratio) else f"{own.ratio:.3f}",
            figures.difference(difference, sign=True), interval,
            wording.pvalue(own.adjusted_pvalue or 0, alpha=tests.alpha),
            _verdict(own, tests.alpha, times),
        ])  # fmt: skip
    a_name, b_name = map(wording.clean, tests.names)
    head = (
        "Benchmark", b_name, a_name, "Ratio", "Difference", level,
        "p" if len(rows) == 1 else "adjusted p", "verdict",
    )  # fmt: skip
    drawn = next((own.n_resamples for own in tests.tests if own.n_resamples), None)
    lines = [f"Read as {form}."] * bool(form)
    lines += [f"Means in {unit}."] * bool(unit)
    if drawn is not None:
        seed = tests.seed.entropy
        lines.append(f"{wording.count(drawn)} divisions drawn, with the seed {seed}.")
    everything = [*tests.doubts, *doubts]

    def record() -> Mapping[str, Any]:
        return {
            "schema": "csig.unpaired",
            "schema_version": 1,
            "csig_version": __version__,
            "files": list(files),
            "format": form or None,
            "system": tests.names[0],
            "baseline": tests.names[1],
            **{name: getattr(tests, name) for name in ("alternative", "alpha", "confidence_level")},
            "seed": asdict(tests.seed)
            | {
                "entropy": [
                    str(own) for own in np.atleast_1d(np.array(tests.seed.entropy, object))
                ],
                "spawn_key": list(tests.seed.spawn_key),
            },
            "tests": [plain({**asdict(own), "ratio": own.ratio}) for own in tests.tests],
            "doubts": record_of_doubts(everything),
        }

    return Document(
        title="Independent runs",
        doubts=everything,
        verdict=[_answer(tests, times)],
        tables=[table("results", "n#####pv", head, rows)],
        notes=[*lines, *notes],
        explanation=[_MEANING],
        rows=[_row(own) for own in tests.tests],
        record=record,
    )
