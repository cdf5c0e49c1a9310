"""Tests of independent samples as a document: a row for each benchmark."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import numpy as np

from csig.base import wording
from csig.classical.unpaired import UnpairedTest, UnpairedTests, unpaired_systems
from csig.readers.reading import baseline_of
from csig.readers.request import Request
from csig.readers.timings import read_runs
from csig.report.document import Document, Table, Tone
from csig.report.forms import Row, Text, flat, head, picked, plain, record_of_doubts, table
from csig.report.shown import document_of

#: What is compared, and what it is divided by its standard error for.
_COMPARED = {
    "mean": ("Means", "Welch's t"),
    "median": ("Medians", "the difference of medians, divided by its bootstrap standard error,"),
    "trimmed_mean": ("Means of the middle three fifths", "Yuen's t"),
}

#: What corrections make of p.
_CORRECTED = {
    "holm": "Holm-adjusted", "bonferroni": "Bonferroni-adjusted", "bh": "BH-adjusted",
    "by": "BY-adjusted",
}  # fmt: skip

#: Units of time, in seconds; and times so much longer than others have a unit of their own.
_UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))
_LONGER = 1000


def _scales(tests: UnpairedTests, times: bool) -> list[tuple[float, str]]:
    """What the numbers of each test are divided by, and what they are then."""
    if not times:
        return [(1.0, "")] * len(tests.tests)
    largest = [max(abs(own.score_a), abs(own.score_b)) for own in tests.tests]
    middle = sorted(largest)
    if middle[-1] <= _LONGER * middle[0]:
        largest = [middle[len(middle) // 2]] * len(largest)
    return [next((own for own in _UNITS if time >= own[0]), _UNITS[-1]) for time in largest]


def _verdict(test: UnpairedTest, alpha: float, times: bool) -> tuple[str, Tone]:
    if test.adjusted_pvalue > alpha:
        return "no evidence", "quiet"
    less, more = ("faster", "slower") if times else ("lower", "higher")
    tone: Tone = "plain" if not times else "better" if test.difference < 0 else "worse"
    return f"* {less if test.difference < 0 else more}", tone


def _answer(tests: UnpairedTests, times: bool) -> str:
    """How many are significantly faster and slower."""
    words = [_verdict(own, tests.alpha, times)[0] for own in tests.tests]
    level = f"({_CORRECTED[tests.correction]}, {wording.decimal(tests.alpha)})"
    if len(words) == 1:
        level = f"(p = {wording.pvalue(tests.tests[0].pvalue, alpha=tests.alpha)})"
    counts = {word[2:]: words.count(word) for word in dict.fromkeys(words) if word[0] == "*"}
    if len(tests.names) > 2:
        return (
            f"{sum(counts.values())} of {wording.counted(len(words), 'comparison')} of "
            f"{len(tests.names)} systems are significant {level}."
        )
    a, b = map(wording.clean, (tests.tests[0].system, tests.tests[0].baseline))
    if not counts:
        return f"No evidence of a difference between {a} and {b} {level}."
    if len(words) == 1:
        (own,) = tests.tests
        percent = f"{abs(100 * own.ratio - 100):.1f}"
        by = "" if percent in ("nan", "0.0") else f" by {percent}%"
        return f"{a} is significantly {next(iter(counts))} than {b}{by} {level}."
    several = wording.listed([f"{word} on {n}" for word, n in counts.items()])
    return f"{a} is significantly {several} of {len(words)} benchmarks than {b} {level}."


def _counts(tests: UnpairedTests, times: bool) -> Table:
    """From how many others each of several systems differs, over all benchmarks."""
    less, more = ("faster", "slower") if times else ("lower", "higher")
    rows: list[list[Text]] = []
    for name in tests.names:
        signs = [
            (own.difference < 0) == (own.system == name) if own.adjusted_pvalue <= tests.alpha
            else None
            for own in tests.tests if name in (own.system, own.baseline)
        ]  # fmt: skip
        rows.append([wording.clean(name), *(str(signs.count(own)) for own in (True, None, False))])
    heads = ("System", f"Significantly {less}", "no evidence", f"significantly {more}")
    return table("systems", "n###", heads, rows)


def _results(tests: UnpairedTests, times: bool) -> Table:
    """A row for each test."""
    level = f"{wording.decimal(100 * tests.confidence_level)}% interval"
    scales = _scales(tests, times)
    units, pair = len(set(scales)) > 1, len(tests.names) == 2
    rows: list[list[Text]] = []
    for own, (scale, unit) in zip(tests.tests, scales, strict=True):
        ends = own.interval and [end / scale for end in own.interval]
        b, a, difference = (v / scale for v in (own.score_b, own.score_a, own.difference))
        error = difference / own.statistic if own.statistic else None
        figures = wording.figures([b, a], errors=[error])
        interval = " to ".join(figures.score(end, sign=True) for end in ends) if ends else "-"
        rows.append([
            own.name, *([unit] * units), *([own.baseline, own.system] * (not pair)),
            figures.score(b), figures.score(a),
            "-" if math.isnan(own.ratio) else f"{own.ratio:.3f}",
            figures.difference(difference, sign=True), interval,
            wording.pvalue(own.adjusted_pvalue, alpha=tests.alpha),
            _verdict(own, tests.alpha, times),
        ])  # fmt: skip
    first = tests.tests[0]
    scores = map(wording.clean, (first.baseline, first.system)) if pair else ("from", "to")
    heads = (
        "Benchmark", *(["Unit"] * units), *(["Baseline", "System"] * (not pair)), *scores,
        "Ratio", "Difference", level, "p" if len(rows) == 1 else "adjusted p", "verdict",
    )  # fmt: skip
    return table("results", f"n{'t' * units}{'nn' * (not pair)}#####pv", heads, rows)


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
    compared, statistic = _COMPARED[tests.metric]
    drawn = max(own.n_resamples or 0 for own in tests.tests)
    lines = [f"Read as {form}."] * bool(form)
    units = {unit for _, unit in _scales(tests, times)}
    where = f" in {units.pop()}" if times and len(units) == 1 else ""
    lines += [f"{compared}{where}."] * bool(where or tests.metric != "mean")
    if drawn:
        seed = tests.seed.entropy
        lines.append(f"{wording.count(drawn)} divisions drawn, with the seed {seed}.")
    everything = [*tests.doubts, *doubts]
    meaning = (
        "p: over all divisions of both samples into two of these sizes (drawn, where they are too "
        f"many), how often {statistic} is as large; {_CORRECTED[tests.correction]} over all tests. "
        "The interval holds the shifts that the same test does not reject, each on its own."
    )

    def record() -> Mapping[str, Any]:
        return {
            **head("csig.unpaired"),
            "files": list(files),
            "format": form or None,
            "systems": list(tests.names),
            **picked(tests, "metric alternative correction alpha confidence_level"),
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
        tables=[_counts(tests, times)] * (len(tests.names) > 2) + [_results(tests, times)],
        notes=[*lines, *notes],
        explanation=[meaning],
        rows=[_row(own) for own in tests.tests],
        record=record,
    )


def document_of_files(
    request: Request, baseline: str | None = None, *, all_pairs: bool = False, **how: Any
) -> Document:
    """Runs of two systems or more; beside the first one, a named one, or in all pairs."""
    read = read_runs(request)
    names = list(read.systems)
    if baseline is not None:
        baseline = names[baseline_of(names, baseline)]
    elif not all_pairs:
        baseline = names[0]
    tests = unpaired_systems(read.systems, baseline=baseline, **how)
    return document_of_unpaired(
        tests, times=read.times, files=request.files, form=read.form, notes=tuple(read.notes),
        doubts=tuple(read.cautions),
    )  # fmt: skip
