"""Tests at a margin as documents: of one result, of several metrics, of files."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from csig.base import wording
from csig.base.errors import Refusal, Remedy
from csig.data import metrics
from csig.data.comparison import Comparison
from csig.data.metrics import Metric
from csig.margins.testing import MarginKind, MarginResult, Unit, equivalence_test
from csig.probability.corrections import adjusted
from csig.readers.forms import read
from csig.readers.reading import Reading
from csig.readers.request import Input, Request, option
from csig.report.document import Document
from csig.report.forms import Names, Row, picked, plain, records, table
from csig.report.shown import document_of

#: How tests are called.
WAYS = {
    "exact": "exact unconditional test in the order of Tango's score",
    "score": "score test of Tango, beyond 20,000 items",
    "clusters": "score test with the design effect of the clusters",
    "ratio": "score test of the ratio of two proportions",
    "alike": "chance of having missed units that lose the whole range of the scores",
    "flips": "sign flips of the shifted differences, certified",
    "bootstrap": "studentized bootstrap, as the differences are skewed or few",
    "swaps": "studentized swaps of shifted ratios",
    "jackknife": "t test of the jackknife's standard error",
}

_FIELDS = (
    "question metric system=names.0 baseline=names.1 score baseline_score difference margin "
    "margin_kind percents pvalue pvalue_worse pvalue_better worse better alpha shown method unit "
    "n_units greater_is_better seed"
)


def sentence(found: MarginResult) -> str:
    """What the test says of one metric."""
    a, b = map(wording.clean, found.names)
    unit, on = found.in_unit, wording.metric_title(found.metric)
    margin, p = unit.margin(found.margin), f"({with_p(found.pvalue)})"
    if found.shown and found.question == "equivalence":
        return f"{on}: {a} and {b} differ by less than {margin} {p}."
    if found.shown:
        return f"{on}: {a} is not worse than {b} by more than {margin} {p}{_limit(found)}."
    if found.question == "equivalence":
        return f"{on}: not shown that {a} and {b} differ by less than {margin} {p}."
    if not math.isfinite(found.worse):
        units = wording.noun(found.unit, 2)
        return f"{on}: these {units} set no limit to how much worse {a} may be than {b} {p}."
    if found.worse < found.margin:  # the limit is not adjusted for other systems, p is
        return f"{on}: not shown that {a} is not worse than {b} by more than {margin} {p}."
    return f"{on}: {a} may be worse than {b} by up to {unit.limit(found.worse)}."


def with_p(value: float) -> str:
    """A p-value in a sentence; one may be too small for a double."""
    return f"p = {wording.pvalue(value)}" if value else "p < 1e-300"


def _limit(found: MarginResult) -> str:
    unit = found.in_unit
    if found.worse < 0 and unit.limit(-found.worse) != unit.limit(0.0):
        return f"; it is better by at least {unit.limit(-found.worse)}"
    return f"; it may be worse by up to {unit.limit(abs(found.worse))}"


def limit_in_words(unit: Unit, value: float, opposite: str) -> str:
    """A limit of one direction; below 0 it lies in the opposite one."""
    if not math.isfinite(value):
        return "no limit"
    text = unit.limit(abs(value))
    return f"{opposite} by {text}" if value < 0 and text != unit.limit(0.0) else text


def row_of(found: MarginResult) -> Row:
    """For programs."""
    only = found.only or (None, None)
    return {**picked(found, _FIELDS), "only_system": only[0], "only_baseline": only[1]}


def _corrected(found: Sequence[MarginResult]) -> list[MarginResult]:
    """With Holm's p-values over the systems, metric by metric: of not worse, and of neither."""
    corrected = list(found)
    for metric in {own.metric for own in found}:
        places = [i for i, own in enumerate(found) if own.metric == metric]
        sides = [(found[i].pvalue_worse, found[i].pvalue_better or 0.0) for i in places]
        worse, both = (
            adjusted(np.array(own), np.log(np.maximum(own, 1e-300)), "holm")[0].tolist()
            for own in ([one for one, _ in sides], [max(two) for two in sides])
        )
        for i, p, q in zip(places, worse, both, strict=True):
            corrected[i] = replace(found[i], pvalue=p, pvalue_worse=p, pvalue_better=q)
    return corrected


def document_of_margins(
    found: Sequence[MarginResult], notes: Sequence[str] = (), doubts: Sequence[str] = ()
) -> Document:
    """One metric or several, of a system and the baseline: both sides of the margin, or one.

    Of several systems and the same baseline p-values are adjusted by Holm.
    """
    first = found[0]
    systems = list(dict.fromkeys(own.names[0] for own in found))
    several = len(systems) > 1
    tested = _corrected(found) if several else found
    a, b = first.names
    names = Names((b, *systems))
    both = any(own.better is not None for own in found)
    rows = []
    for own in tested:
        share = wording.in_percent((own.score, own.baseline_score)) and own.percents
        # A one-sided limit lies 1.645 standard errors beyond the difference.
        beyond = (
            abs(
                own.worse / (100 if own.percents else 1)
                + own.difference * (1 if own.greater_is_better else -1)
            )
            / 1.645
        )
        errors = [beyond] if own.margin_kind == "points" and math.isfinite(beyond) else []
        figures = wording.figures((own.score, own.baseline_score), share, errors)
        cells: list[Any] = [
            wording.metric_title(own.metric), *[names.cell("{}", own.names[0])] * several,
            figures.score(own.baseline_score),
            figures.score(own.score), figures.difference(own.difference, sign=True),
            own.in_unit.margin(own.margin), wording.pvalue(own.pvalue_worse, alpha=own.alpha),
            limit_in_words(own.in_unit, own.worse, "better"),
        ]  # fmt: skip
        if both:
            better = own.pvalue_better
            p = None if better is None else max(own.pvalue_worse, better)
            cells += [
                "-" if own.better is None else limit_in_words(own.in_unit, own.better, "worse"),
                "-" if p is None else wording.pvalue(p, alpha=own.alpha),
            ]  # fmt: skip
        rows.append(cells)
    headers: list[Any] = [
        "Metric", *["System"] * several, names.header("{}", b),
        "Score" if several else names.header("{}", a), "Difference", "Margin",
        "p (worse\nby it)", "Worse by\nup to",
    ]  # fmt: skip
    headers += ["Better by\nup to", "p (not\nequal)"] if both else []
    form = "n" + "n" * several + "####p#" + "#p" * both
    level = wording.decimal(100 * (1 - first.alpha))
    ways = dict.fromkeys(own.method for own in found)
    system = "a system" if several else wording.clean(a)
    said = [
        f"A p-value below {wording.decimal(first.alpha)} shows that {system} is not worse"
        f" by the margin; limits are one-sided, at {level}%.",
        f"Tested by the {wording.listed([WAYS[own] for own in ways])}.",
    ]
    if several:
        said[1:1] = [
            f"p-values are adjusted for {len(systems)} comparisons with {wording.clean(b)} (Holm); "
            "limits are not."
        ]
    seeds = dict.fromkeys(own.seed for own in found if own.seed is not None)
    said += [f"Drawn with the seed {seed}." for seed in seeds]
    cautions = [own for one in found for own in one.cautions]
    holm = [
        {"adjusted_pvalue_worse": own.pvalue_worse, "adjusted_pvalue_better": own.pvalue_better}
        if several else {}
        for own in tested
    ]  # fmt: skip
    return Document(
        title="Are two systems equally good?",
        verdict=[sentence(own) for own in tested],
        doubts=[*doubts, *dict.fromkeys(cautions)],
        tables=[table("margins", form, headers, rows, names=names)],
        notes=[*said, *notes],
        rows=[
            row_of(own) | {"shown": after.shown} | more
            for own, after, more in zip(found, tested, holm, strict=True)
        ],
        record=lambda: records(
            [
                {"kind": "MarginResult", **plain(asdict(own)), "shown": after.shown, **more}
                for own, after, more in zip(found, tested, holm, strict=True)
            ]
        ),
    )


@document_of.register
def _(found: MarginResult) -> Document:
    return document_of_margins([found])


@dataclass(frozen=True)
class Read:
    """A system and the baseline by one metric, as files have them."""

    source: Input
    metric: Metric
    comparison: Comparison


def read_pair(
    request: Request,
    names: tuple[str, ...],
    *,
    unit: str | None = None,
    lower_is_better: bool | None = None,
    baseline: str | None = None,
) -> Read:
    """Two systems and a metric; of more somebody has to choose."""
    reading = Reading(read(request, list(names)), unit, names, lower_is_better, baseline=baseline)
    called = reading.names
    if len(reading.pairs) > 1:
        pairs = [option("system", called[b], called[a]) for a, b in reading.pairs]
        raise Refusal(
            f"a gate is for one system and the baseline, found {len(called)} systems",
            *(Remedy(own, without=("--system",)) for own in pairs),
        )
    tests = _tests(reading, *reading.pairs[0])
    if len(tests) > 1:
        raise Refusal(
            f"a gate has one metric, found {len(tests)}",
            *(Remedy(option("metric", metric.name)) for metric, _ in tests),
        )
    return Read(reading.source, *tests[0])


def _tests(reading: Reading, a: int, b: int) -> list[tuple[Metric, Comparison]]:
    """Every metric with its comparison."""
    return [
        (metrics.get(metric, comparison.columns), comparison)
        for own, comparison in reading.tests(a, b)
        for metric in own
    ]


def document_of_files(
    request: Request,
    names: tuple[str, ...],
    margin: float,
    kind: MarginKind,
    alpha: float,
    *,
    unit: str | None = None,
    lower_is_better: bool | None = None,
    baseline: str | None = None,
    seed: int | None = None,
) -> Document:
    """Both sides of the margin, of every system and the baseline, by every metric."""
    reading = Reading(read(request, list(names)), unit, names, lower_is_better, baseline=baseline)
    results: list[MarginResult] = []
    for pair in reading.pairs:
        for metric, comparison in _tests(reading, *pair):
            result = equivalence_test(
                comparison, metric, margin, margin_kind=kind, alpha=alpha, rng=seed
            )
            results.append(result)
            seed = result.seed if seed is None else seed  # one for all that is drawn
    # Not worse is the question; whether it is not better either stands beside it.
    return document_of_margins([own.not_worse for own in results], reading.notes, reading.cautions)
