"""A gate: may a system take the baseline's place? With what it can see, said beforehand."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any, Literal

import numpy as np

from csig._version import __version__
from csig.base import wording
from csig.base.errors import InputError, NoInterval
from csig.base.shown import Shown, ShownRows
from csig.comparing.intervals import linearized_interval
from csig.comparing.randomization import randomization_test
from csig.data.comparison import Comparison
from csig.data.digests import data_digest
from csig.data.metrics import Metric
from csig.margins.report import WAYS, limit_in_words, row_of, sentence
from csig.margins.sides import MarginKind, normal_power
from csig.margins.testing import MarginResult, Unit, noninferiority_test
from csig.probability.margins import Margin
from csig.probability.student import normal_quantile
from csig.report.document import Document
from csig.report.forms import plain, records, table
from csig.report.shown import document_of

Verdict = Literal["PASS", "FAIL", "INCONCLUSIVE"]

#: The exit status of each.
STATUS: Mapping[str, int] = {"PASS": 0, "FAIL": 1, "INCONCLUSIVE": 3}

#: A gate that passes an equal system less often is blind; with this power it is as it should be.
BLIND, ENOUGH = 0.2, 0.8

#: Shares of items that differ, where nobody says how many do.
SHARES = (0.02, 0.05, 0.1, 0.2, 0.3)

#: No more items are looked for; of more than these the score decides what passes, which takes
#: milliseconds, and is near the exact test there.
MOST_ITEMS, OF_SCORE = 10**7, 2_000


@dataclass(frozen=True, kw_only=True, repr=False)
class Design(ShownRows, report="csig.margins.gate"):
    """What a gate can see."""

    n: int  #: Items, or units.
    margin: float  #: In points, or as the gate has it.
    margin_kind: MarginKind
    percents: bool
    #: The share of items that differ; of scores the standard error of the difference.
    differing: float | None
    error: float | None
    alpha: float
    level: float  #: How often a system that is worse by the margin passes.
    power: float  #: How often one that is equal passes.
    needed: int | None  #: Items with which an equal one passes in 80%.

    @property
    def blind(self) -> bool:
        """Whether it can hardly pass anything."""
        return self.power < BLIND

    @property
    def sentence(self) -> str:
        """One line, as the gate prints it."""
        unit = Unit(self.margin_kind, self.percents)
        word = "items" if self.differing is not None else "units"
        own = word if self.n != 1 else word[:-1]
        some = "" if self.differing is None else f" of which {_percent(self.differing)} differ"
        more = "more than 10 million" if self.needed is None else f"about {self.needed:,}"
        line = (
            f"{self.n:,} {own}{some}: a system that is worse by {unit.margin(self.margin)} passes "
            f"in {_percent(self.level)}, an equal one in {_percent(self.power)}; for 80% it takes "
            f"{more} {word}."
        )
        return f"This gate is blind. {line}" if self.blind else line


def _percent(share: float) -> str:
    return f"{100 * share:.3g}%"


def design_of_items(n: int, points: float, differing: float, alpha: float = 0.05) -> Design:
    """Of right and wrong items, exactly: the test that will be run, over all outcomes.

    Parameters
    ----------
    n : int
        The items of the test set.
    points : float
        The margin, in percentage points.
    differing : float
        The share of items that only one of the systems gets right; more than the margin.
    alpha : float
        The level of the gate.

    Examples
    --------
    >>> found = design_of_items(200, 3, 0.10)
    >>> round(found.level, 3), round(found.power, 3)
    (0.042, 0.341)
    >>> design_of_items(30, 1, 0.05).blind
    True
    """
    margin = points / 100
    if not margin < differing <= 1:
        raise InputError(
            f"the share of items that differ, {differing:g}, is not above the margin, {margin:g}: "
            "a system that is worse by the margin differs in so many"
        )
    level, power = _passes(n, margin, differing, alpha)
    z = normal_quantile(alpha) + normal_quantile(1 - ENOUGH)
    needed = math.ceil(z * z * differing / margin**2)
    while needed < MOST_ITEMS and _passes(needed, margin, differing, alpha)[1] < ENOUGH:
        needed = math.ceil(needed * 1.04) + 1
    return Design(
        n=n, margin=points, margin_kind="points", percents=True, differing=differing, error=None,
        alpha=alpha, level=level, power=power, needed=needed if needed < MOST_ITEMS else None,
    )  # fmt: skip


def _passes(n: int, margin: float, differing: float, alpha: float) -> tuple[float, float]:
    """How often a system that is worse by the margin passes, and an equal one."""
    exact = Margin(n, margin)
    by_score = n > OF_SCORE
    region = exact.region(normal_quantile(alpha)) if by_score else exact.critical(alpha)
    half = np.array([differing / 2])
    worse, equal = exact.along(np.array([differing])), (half, half)
    return float(region.probability(*worse)[0]), float(region.probability(*equal)[0])


def design_of(comparison: Comparison, metric: Metric, test: MarginResult) -> Design | None:
    """What the gate can see with these data; None where a standard error is not known."""
    alpha, n = test.alpha, test.n_units
    if test.method in ("exact", "score") and test.only is not None:
        # With the margin itself, no fewer items differ.
        differing = max(sum(test.only) / n, test.margin / 100 * 1.0001 + 1 / n)
        return design_of_items(n, test.margin, min(differing, 1.0), alpha)
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
        n=n, margin=test.margin, margin_kind=test.margin_kind, percents=test.percents,
        differing=None, error=error, alpha=alpha, level=alpha,
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
            said = f"worse (p = {wording.pvalue(self.pvalue_equal)}). {said}"
        return f"{self.verdict}: {said}"

    def _line(self) -> str:
        return self.sentence


def gate(
    comparison: Comparison,
    metric: Metric,
    margin: float,
    *,
    margin_kind: MarginKind = "points",
    alpha: float = 0.05,
    rng: int | None = None,
) -> GateResult:
    """Whether a system may take the baseline's place: see :func:`csig.noninferiority_test`."""
    test = noninferiority_test(
        comparison, metric, margin, margin_kind=margin_kind, alpha=alpha, rng=rng
    )
    equal = randomization_test(
        comparison, metric, statistic="auto", rng=rng,
        alternative="less" if metric.greater_is_better else "greater",
    )  # fmt: skip
    verdict: Verdict = "INCONCLUSIVE"
    if test.shown:
        verdict = "PASS"
    elif equal.pvalue <= alpha:
        verdict = "FAIL"
    return GateResult(
        verdict=verdict, test=test, pvalue_equal=equal.pvalue,
        design=design_of(comparison, metric, test), digest=data_digest(comparison),
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
    unknown = "What this gate can see is not known: no unit differs more than another one."
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


def record_of_gate(found: GateResult, **read: Any) -> dict[str, Any]:
    """The verdict and all numbers; `read` is what the data were read from, and how."""
    return {
        "schema": "csig.gate",
        "schema_version": 1,
        "csig_version": __version__,
        "verdict": found.verdict,
        "pvalue_equal": found.pvalue_equal,
        "digest": found.digest,
        "test": plain(asdict(found.test)),
        "design": None if found.design is None else plain(asdict(found.design)),
        **read,
    }


def document_of_designs(found: Sequence[Design]) -> Document:
    """What gates can see, a row for every share of items that differ."""
    rows = [
        (
            "-" if own.differing is None else _percent(own.differing), f"{own.n:,}",
            Unit(own.margin_kind, own.percents).margin(own.margin), _percent(own.level),
            _percent(own.power), "-" if own.needed is None else f"{own.needed:,}",
            "blind" if own.blind else "weak" if own.power < ENOUGH else "",
        )
        for own in found
    ]  # fmt: skip
    headers = (
        "Items that\ndiffer", "Items", "Margin", "Passes if\nworse by it", "Passes if\nequal",
        "Items\nfor 80%", "",
    )  # fmt: skip
    said = [found[0].sentence] if len(found) == 1 else []
    blind = [own for own in found if own.blind]
    if len(found) > 1 and blind:
        many = "every" if len(blind) == len(found) else "some"
        said = [f"With {many} share of items that differ this gate is blind."]
    return Document(
        title="What the gate can see",
        verdict=said,
        tables=[table("design", "######t", headers, rows)],
        notes=["Of right and wrong items: over all outcomes of the test that will be run."]
        if found[0].differing is not None
        else ["By the normal formula, with the standard error of these data."],
        rows=[{**asdict(own), "blind": own.blind} for own in found],
        record=lambda: records([{"kind": "Design", **plain(asdict(own))} for own in found]),
    )
