"""Tests at a margin as documents; a gate: may a system take the baseline's place?

What a gate can see is said beforehand.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache, partial
from typing import Any, Literal

import numpy as np
from numpy.random import SeedSequence

from csig.base import wording
from csig.base.errors import InputError, NoInterval, Refusal, Remedy
from csig.base.shown import Shown, ShownRows
from csig.base.validation import public
from csig.comparing.intervals import linearized_interval
from csig.comparing.randomization import randomization_test
from csig.data import metrics
from csig.data.comparison import Comparison
from csig.data.digests import data_digest
from csig.data.metrics import Metric
from csig.margins.testing import (
    MarginKind,
    MarginResult,
    Unit,
    equivalence_test,
    noninferiority_test,
    normal_power,
)
from csig.probability.corrections import adjusted
from csig.probability.margins import Margin, Region
from csig.probability.student import normal_quantile
from csig.readers.forms import read
from csig.readers.reading import Reading
from csig.readers.request import Input, Request, option
from csig.report.document import Document, Names, Row, picked, plain, records, table
from csig.report.records import record_digest, when_and_where
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


def read_pair(request: Request, names: tuple[str, ...], **how: Any) -> Read:
    """Two systems and a metric; of more somebody has to choose."""
    reading = Reading(read(request, list(names)), metric=names, **how)
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
    seed: int | None,
    **how: Any,
) -> Document:
    """Both sides of the margin, of every system and the baseline, by every metric."""
    reading = Reading(read(request, list(names)), metric=names, **how)
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


SCHEMA = "csig.gate"

Verdict = Literal["PASS", "FAIL", "INCONCLUSIVE"]

#: The exit status of each.
STATUS: Mapping[str, int] = {"PASS": 0, "FAIL": 1, "INCONCLUSIVE": 3}

#: A gate that passes an equal system less often is blind; with this power it is as it should be.
BLIND, ENOUGH = 0.2, 0.8

#: Shares of items that differ, where nobody knows.
SHARES = (0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5)

#: No more items are looked for; of more than these the score decides what passes, which takes
#: milliseconds, and is near the exact test there.
MOST_ITEMS, OF_SCORE = 10**6, 2_000

#: By which factor items are added until the exact test has the power.
STEP = 1.01


@dataclass(frozen=True, kw_only=True, repr=False)
class Design(ShownRows, report="csig.margins.gate"):
    """What a gate can see."""

    items: int  #: Items, or units.
    margin: float  #: In points, or as the gate has it.
    margin_kind: MarginKind = "points"
    percents: bool = True
    #: The share of items that differ; of scores the standard error of the difference.
    discordance: float | None = None
    error: float | None = None
    alpha: float
    level: float  #: How often a system that is worse by the margin passes.
    power: float  #: How often one that is equal passes.
    #: About how many items it takes until an equal one passes in 80%, or the `target`; None if that
    #: is more than a million.
    needed: int | None
    target: float = ENOUGH

    @property
    def blind(self) -> bool:
        """Whether it can hardly pass anything."""
        return self.power < BLIND

    @property
    def sentence(self) -> str:
        """One line, as the gate prints it."""
        unit = Unit(self.margin_kind, self.percents)
        word = "items" if self.discordance is not None else "units"
        own = word if self.items != 1 else word[:-1]
        some = "" if self.discordance is None else f" of which {_percent(self.discordance)} differ"
        line = (
            f"{self.items:,} {own}{some}: a system that is worse by {unit.margin(self.margin)} "
            f"passes in {_percent(self.level)}, an equal one in {_percent(self.power)}"
        )
        if self.needed != self.items:
            more = "more than a million" if self.needed is None else f"about {self.needed:,}"
            line += f"; for {_percent(self.target)} it takes {more} {word}"
        return f"This gate is blind. {line}." if self.blind else f"{line}."


def _percent(share: float) -> str:
    return f"{100 * share:.3g}%"


def design_of_items(
    items: int | None,
    points: float,
    discordance: float,
    alpha: float = 0.05,
    target: float = ENOUGH,
) -> Design:
    """Of right and wrong items, by the test that will be run: what so many see, or are needed."""
    margin = points / 100
    if not margin < discordance <= 1:
        raise InputError(
            f"the share of items that differ, {discordance:g}, is not above the margin, "
            f"{margin:g}: a system that is worse by the margin differs in so many"
        )
    needed = _needed(margin, discordance, alpha, target)
    if items is None and needed is None:
        raise InputError(
            f"margin: {points:g} points would need more than a million items; give a larger "
            "margin, or fewer items that differ"
        )
    n = items or needed or 0
    level, power = passes(n, margin, discordance, alpha)
    return Design(
        items=n, margin=points, discordance=discordance, alpha=alpha, level=level, power=power,
        needed=needed, target=target,
    )  # fmt: skip


def _needed(margin: float, discordance: float, alpha: float, target: float) -> int | None:
    """About the fewest items with which an equal system passes so often."""
    z = normal_quantile(alpha) + normal_quantile(1 - target)
    start = math.ceil(z * z * discordance / margin**2)
    if start > MOST_ITEMS:
        return None
    low, high = start // 2, 2 * start + 400
    while high - low > 1:  # by the score, at once
        n = (low + high) // 2
        enough = passes(n, margin, discordance, alpha, 0)[1] >= target
        low, high = (low, n) if enough else (n, high)
    while high <= OF_SCORE and passes(high, margin, discordance, alpha)[1] < target:
        high = math.ceil(high * STEP)
    return high


@lru_cache(maxsize=64)  # whatever share of items differs, and again for the answer
def _critical(own: Margin, alpha: float) -> Region:
    return own.critical(alpha)


def passes(
    n: int, margin: float, discordance: float, alpha: float, exactly: int = OF_SCORE
) -> tuple[float, float]:
    """How often a system that is worse by the margin passes, and an equal one; up to `exactly` so
    many items by the exact test, else by the score.
    """
    own = Margin(n, margin)
    region = _critical(own, alpha) if n <= exactly else own.region(normal_quantile(alpha))
    half = np.array([discordance / 2])
    worse, equal = own.along(np.array([discordance])), (half, half)
    return float(region.probability(*worse)[0]), float(region.probability(*equal)[0])


def design_of(comparison: Comparison, metric: Metric, test: MarginResult) -> Design | None:
    """What the gate can see with these data; None where the units hardly differ."""
    alpha, n = test.alpha, test.n_units
    if test.method in ("exact", "score") and test.only is not None:
        # With the margin itself, no fewer items differ.
        discordance = max(sum(test.only) / n, test.margin / 100 * 1.0001 + 1 / n)
        return design_of_items(n, test.margin, min(discordance, 1.0), alpha)
    if not math.isfinite(test.worse):
        return None
    try:
        error = linearized_interval(comparison, metric).standard_error
    except NoInterval:
        error = None
    if not error:
        return None
    one = 0.01 if test.percents or test.margin_kind == "relative" else 1.0
    margin = test.margin * one
    if test.margin_kind == "relative":
        margin *= abs(test.baseline_score)
    z = normal_quantile(alpha) + normal_quantile(1 - ENOUGH)
    return Design(
        items=n, margin=test.margin, margin_kind=test.margin_kind, percents=test.percents,
        error=error, alpha=alpha, level=alpha,
        power=normal_power(error, margin, alpha), needed=math.ceil(n * (z * error / margin) ** 2),
    )  # fmt: skip


@dataclass(frozen=True, kw_only=True, repr=False)
class GateResult(Shown, report="csig.margins.gate"):
    """The verdict of a gate."""

    verdict: Verdict  #: PASS: not worse by more than the margin; FAIL: worse; or INCONCLUSIVE.
    test: MarginResult  #: The test at the margin.
    pvalue_equal: float  #: Of the test whether the system is worse at all, one-sided.
    design: Design | None  #: What the gate can see.
    digest: str  #: The SHA-256 of the data.
    seed: int  #: Of what was drawn, if anything was.

    @property
    def worse(self) -> bool:
        """Whether the system is worse at all; a PASS may be, by less than the margin."""
        return self.pvalue_equal <= self.test.alpha

    @property
    def status(self) -> int:
        """The exit status of ``csig gate``."""
        return STATUS[self.verdict]

    @property
    def sentence(self) -> str:
        """The verdict in words."""
        said = sentence(self.test)
        if self.verdict == "PASS" and self.worse:
            said = f"worse, by less than the margin. {said}"
        elif self.verdict == "FAIL":
            said = f"worse ({with_p(self.pvalue_equal)}). {said}"
        return f"{self.verdict}: {said}"

    def _line(self) -> str:
        return self.sentence


@public("csig")
def gate(
    comparison: Comparison,
    metric: str | Metric,
    margin: float,
    *,
    margin_kind: MarginKind = "points",
    alpha: float = 0.05,
    rng: int | None = None,
) -> GateResult:
    """Decide whether a system may take the baseline's place, as ``csig gate`` does.

    PASS if :func:`csig.noninferiority_test` shows that it is not worse by the margin; else FAIL if
    a one-sided randomization test of no difference shows that it is worse; else INCONCLUSIVE.

    Parameters
    ----------
    comparison : Comparison
        Both systems on the same test data: A is the system, B the baseline.
    metric : str or Metric
        Where lower scores are better, worse means higher.
    margin : float
        The most by which the system may be worse. Above 0. Of metrics that csig prints in percent
        1.0 is one percentage point; of others it is in the metric's own unit.
    margin_kind : {"points", "relative"}
        With "relative" the margin is in percent of the baseline's score.
    alpha : float
        The level of each of the two tests.
    rng : int, optional
        The seed, where something is drawn. With None a new one, which the result has.

    Returns
    -------
    GateResult
        `verdict`, the `test` at the margin, and in `design` what a gate with such data can see.

    Raises
    ------
    InputError
        For a margin that is not above 0, or data that allow no test; the message says why.

    Examples
    --------
    >>> import csig
    >>> base = [1] * 170 + [0] * 30
    >>> new = [0] * 4 + [1] * 172 + [0] * 24
    >>> found = csig.gate(csig.Comparison.from_scores(new, base), "mean", 3)
    >>> found.verdict, round(found.test.pvalue, 4), round(found.design.power, 2)
    ('PASS', 0.0144, 0.5)
    """
    entropy: Any = SeedSequence().entropy if rng is None else rng
    test = noninferiority_test(
        comparison, metric, margin, margin_kind=margin_kind, alpha=alpha, rng=entropy
    )
    own = metrics.get(metric, comparison.columns)
    equal = randomization_test(
        comparison, own, statistic="auto", rng=entropy,
        alternative="less" if own.greater_is_better else "greater",
    )  # fmt: skip
    verdict: Verdict = "INCONCLUSIVE"
    if test.shown:
        verdict = "PASS"
    elif equal.pvalue <= alpha:
        verdict = "FAIL"
    return GateResult(
        verdict=verdict, test=test, pvalue_equal=equal.pvalue,
        design=design_of(comparison, own, test), digest=data_digest(comparison), seed=entropy,
    )  # fmt: skip


def document_of_gate(
    found: GateResult, notes: Sequence[str] = (), doubts: Sequence[str] = ()
) -> Document:
    """A gate's verdict as a document; the first line is the verdict."""
    test, unit = found.test, found.test.in_unit
    share = wording.in_percent((test.score, test.baseline_score)) and test.percents
    figures = wording.figures((test.score, test.baseline_score), share)
    a, b = map(wording.clean, test.names)
    rows = [
        (f"{wording.metric_title(test.metric)}, {b}", figures.score(test.baseline_score)),
        (f"{wording.metric_title(test.metric)}, {a}", figures.score(test.score)),
        ("Difference", figures.difference(test.difference, sign=True)),
        ("Margin", unit.margin(test.margin)),
        ("Worse by up to", limit_in_words(unit, test.worse, "better")),
        ("p, worse by the margin", wording.pvalue(test.pvalue, alpha=test.alpha)),
        ("p, worse at all", wording.pvalue(found.pvalue_equal, alpha=test.alpha)),
    ]
    unknown = "What this gate can see is not known: hardly a unit differs more than others."
    design = [unknown if found.design is None else found.design.sentence]
    return Document(
        title="Gate",
        verdict=[found.sentence],
        doubts=[*doubts, *test.cautions],
        tables=[table("gate", "n#", ("", ""), rows)],
        notes=[*design, f"Tested by the {WAYS[test.method]}.", *notes],
        rows=[{"verdict": found.verdict, **row_of(test), "pvalue_equal": found.pvalue_equal}],
        record=partial(record_of_gate, found),
    )


@document_of.register
def _(found: GateResult) -> Document:
    return document_of_gate(found)


def record_of_gate(
    found: GateResult,
    *,
    inputs: Sequence[Mapping[str, Any]] = (),
    request: Mapping[str, Any] | None = None,
    baseline: str | None = None,
) -> dict[str, Any]:
    """The verdict and all numbers, and what the data were read from, and how."""
    record = {
        "schema": SCHEMA,
        "schema_version": 1,
        **when_and_where(),
        "inputs": [dict(file) for file in inputs],
        "request": None if request is None else plain(request),
        "baseline": baseline,
        "seed": str(found.seed),
        "digest": found.digest,
        "verdict": found.verdict,
        "test": plain(asdict(found.test)),
        "pvalue_equal": found.pvalue_equal,
        "design": None if found.design is None else plain(asdict(found.design)),
    }
    record["sha256"] = record_digest(record)
    return record


def document_of_designs(found: Sequence[Design]) -> Document:
    """What gates can see, a row for every share of items that differ."""
    target = _percent(found[0].target)
    asked = any(own.needed != own.items for own in found)  # else the items are those
    rows = [
        (
            "-" if own.discordance is None else _percent(own.discordance), f"{own.items:,}",
            Unit(own.margin_kind, own.percents).margin(own.margin), _percent(own.level),
            _percent(own.power),
            *["-" if own.needed is None else f"{own.needed:,}"] * asked,
            "blind" if own.blind else "weak" if own.power < own.target else "",
        )
        for own in found
    ]  # fmt: skip
    headers = (
        "Items that\ndiffer", "Items", "Margin", "Passes if\nworse by it", "Passes if\nequal",
        *[f"Items\nfor {target}"] * asked, "",
    )  # fmt: skip
    first, last = found[0], found[-1]
    said = found[0].sentence
    if len(found) > 1 and not asked:
        said = (
            f"An equal system passes in {target} with about {first.items:,} items if "
            f"{_percent(first.discordance or 0)} of them differ, with {last.items:,} if "
            f"{_percent(last.discordance or 0)} do."
        )
    elif len(found) > 1:
        blind = sum(own.blind for own in found)
        many = "every" if blind == len(found) else "some" if blind else "no"
        said = f"With {many} share of items that differ this gate is blind."
    by_items = first.discordance is not None
    how = "Over all outcomes of the test that will be run; beyond 2,000 items of its score alone."
    return Document(
        title="What the gate can see",
        verdict=[said],
        tables=[table("design", "#####" + "#" * asked + "t", headers, rows)],
        notes=[how if by_items else "By the normal formula, with the error of these data."],
        rows=[{**asdict(own), "blind": own.blind} for own in found],
        record=lambda: records([{"kind": "Design", **plain(asdict(own))} for own in found]),
    )
