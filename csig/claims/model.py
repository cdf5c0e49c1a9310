r"""Published claims: which printed numbers are possible, consistent with each other, and right.

A text prints counts, scores, hits of shuffles, p-values, a correlation, a chi-square. The
checks need only these numbers, and never adjust them.

*Scores.* A number that rounds to 45.6% lies in an interval. With n responses or elements of the
gold, only some k / n lie there, or none (:mod:`csig.claims.attainable`). If a count is uncertain,
the scores decide between its candidates: with 103 elements in the gold, 45.6% is 47 / 103; with
104 it is impossible. If the counts are known, the score is computed from them.

*Hits and p.* With h hits of t shuffles p is h / t, or (h + 1) / (t + 1) (Noreen 1989); one of
them must be rounded to the printed p.

*One-sided and two-sided.* Swapping all units reverses the sign of the difference, so under the
null hypothesis it is symmetric, and the one-sided p in the observed direction is half the
two-sided one. A one-sided p below 1/2 is in the observed direction. If no p in the one interval
is half of one in the other, the two disagree. Where the shuffles are stated, chance is allowed
for first (:mod:`csig.claims.chances`).

*Against the exact answer.* The unique responses determine the exact p of the randomization
test (Yeh 2000, section 3.3), in which a fair coin swaps each response of one system only. The hits
of t shuffles are Binomial(t, p). They are confirmed if a deviation this large from t p has a
probability of at least 0.001, contradicted if it is below 10^-6, and doubtful between. A printed p
without hits must be the exact one, rounded; or, where the shuffles are stated, a share of hits
that chance may give.

*Correlation and chi-square* are computed from the counts.

*Distributions over training samples* are checked by :mod:`csig.claims.checker`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from csig.base.validation import Alternative
from csig.claims.printed import Printed
from csig.data.metrics import Metric

__all__ = [
    "ALTERNATIVES",
    "CONFIRMED",
    "CONTRADICTED",
    "VERDICTS",
    "Claims",
    "ClaimsReport",
    "Finding",
    "PrintedChiSquare",
    "PrintedDistribution",
    "PrintedScore",
    "PrintedTest",
]

#: Alternatives for A minus B.
ALTERNATIVES: tuple[Alternative, ...] = ("greater", "less", "two-sided")

#: Possible verdicts, best first.
VERDICTS = (
    "confirmed",  # recomputed with the same result, or the two printed numbers agree
    "possible",  # some counts give it; which ones are right is unknown
    "unknown",  # the printed numbers do not suffice, or it would take too long
    "doubtful",  # between the two limits
    "contradicted",  # the counts give another number
    "inconsistent",  # two printed numbers exclude each other
    "impossible",  # no counts give it
)
_WRONG = frozenset(("contradicted", "inconsistent", "impossible"))

#: Probabilities of a deviation this large: confirmed from the first on, contradicted below the
#: second.
CONFIRMED, CONTRADICTED = 1e-3, 1e-6


# ---- what is claimed -------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class PrintedScore:
    """A score of a system, "a" or "b"."""

    system: str
    metric: Metric
    printed: Printed


@dataclass(frozen=True, kw_only=True)
class PrintedTest:
    """A randomization test: hits of trials, a p-value, or both; alternative of A minus B."""

    metric: Metric
    alternative: Alternative
    hits: int | None = None
    trials: int | None = None
    pvalue: Printed | None = None


@dataclass(frozen=True, kw_only=True)
class PrintedChiSquare:
    """The chi-square of a 2 x 2 table without Yates's correction, its p-value, or both."""

    metric: str
    statistic: Printed | None = None
    pvalue: Printed | None = None


@dataclass(frozen=True, kw_only=True)
class PrintedDistribution:
    """Two systems' scores over many training samples, on one test set."""

    test_set: str = ""  #: Its name.
    samples: int | None = None  #: How many training samples.
    #: mean_a, mean_b, sd_a, sd_b: the means and the standard deviations of both systems' scores.
    mean_a: Printed | None = None
    mean_b: Printed | None = None
    sd_a: Printed | None = None
    sd_b: Printed | None = None
    correlation: Printed | None = None  #: Of the two systems' scores.
    sd_difference: Printed | None = None  #: The standard deviation of their difference.
    probability: Printed | None = None  #: P(a > b), the share of samples on which A is ahead.


@dataclass(frozen=True, kw_only=True)
class Claims:
    """What a text prints about two systems."""

    #: Title, section and so on; for reports only.
    source: Mapping[str, str] = field(default_factory=dict)
    names: tuple[str, str] = ("A", "B")  #: The systems' names.
    #: Conventions of :data:`csig.claims.printed.ROUNDINGS`.
    rounding: tuple[str, ...] = ("nearest",)
    #: Names of :data:`csig.claims.attainable.COUNTS`; several numbers are candidates. Unknown
    #: counts are left out.
    counts: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    scores: tuple[PrintedScore, ...] = ()
    tests: tuple[PrintedTest, ...] = ()
    correlation: Printed | None = None  #: r12 over the elements of the gold.
    chi_squares: tuple[PrintedChiSquare, ...] = ()
    distributions: tuple[PrintedDistribution, ...] = ()

    def name(self, system: str) -> str:
        """The name of system "a" or "b"."""
        return self.names["ab".index(system)]


@dataclass(frozen=True, kw_only=True)
class Finding:
    """What one check found about one claim."""

    #: "counts", "score", "scores together", "hits and p", "one-sided and two-sided", "exact hits",
    #: "exact p", "correlation", "chi-square", "deviation of the difference", "share of samples",
    #: "share and moments", "share of normal scores".
    check: str
    claim: str  #: What was printed, in words.
    verdict: str  #: One of :data:`VERDICTS`.
    sentence: str  #: What was found, for readers who are not statisticians.
    #: What decides: the interval that a printed number stands for, or probabilities.
    limits: str = ""
    #: metric, system, alternative: what it is about, where it is about one.
    metric: str | None = None
    system: str | None = None
    alternative: Alternative | None = None
    #: pvalue, log_pvalue: the probability of a deviation this large, and its natural logarithm,
    #: which does not underflow.
    pvalue: float | None = None
    log_pvalue: float | None = None
    z: float | None = None  #: Standard errors from the expectation.
    #: The printed number, or hits; None for a bound, a range or a pair.
    printed: float | None = None
    #: What the printed number may stand for. For a pair: the one-sided p, allowing for chance.
    interval: tuple[float, float] | None = None
    #: The same computed: a score, p-value, statistic, or expected hits.
    expected: float | None = None
    expected_interval: tuple[float, float] | None = None  #: For a pair: half the two-sided p.
    exact_pvalue: float | None = None  #: Of the randomization test.
    trials: int | None = None
    candidates: tuple[int, ...] = ()  #: The remaining candidates of an uncertain count.
    n_solutions: int | None = None  #: How many counts fit; a lower bound if not `complete`.
    #: The first of them, (correct, predicted, gold).
    solutions: tuple[tuple[int, int | None, int], ...] = ()
    complete: bool = True  #: Whether all were tried.


@dataclass(frozen=True, repr=False)
class ClaimsReport:
    """All findings about a text."""

    claims: Claims
    findings: tuple[Finding, ...]

    def __repr__(self) -> str:
        counts = ", ".join(f"{n} {verdict}" for verdict, n in self.summary.items())
        return f"<ClaimsReport {counts}>"

    @property
    def passed(self) -> bool:
        """Whether nothing is contradicted, inconsistent or impossible."""
        return not any(finding.verdict in _WRONG for finding in self.findings)

    @property
    def summary(self) -> dict[str, int]:
        """{verdict: how many findings}, the best verdict first."""
        said = [finding.verdict for finding in self.findings]
        return {verdict: said.count(verdict) for verdict in VERDICTS if verdict in said}

    def as_dict(self) -> dict[str, Any]:
        """As Python objects for JSON; ``docs/json.md`` lists the fields.

        Whole numbers that can exceed 2^53 are strings of decimal digits.
        """
        return {
            "schema": "csig.claims",
            "schema_version": 1,
            "source": dict(self.claims.source),
            "systems": list(self.claims.names),
            "rounding": list(self.claims.rounding),
            "counts": {name: list(map(str, found)) for name, found in self.claims.counts.items()},
            "passed": self.passed,
            "summary": self.summary,
            "findings": [_as_dict(finding) for finding in self.findings],
        }


def _as_dict(finding: Finding) -> dict[str, Any]:
    found = dict(vars(finding))
    for name in ("pvalue", "log_pvalue", "z", "printed", "expected", "exact_pvalue"):
        if found[name] is not None and not math.isfinite(found[name]):
            found[name] = None
    for name in ("trials", "n_solutions"):
        found[name] = None if found[name] is None else str(found[name])
    for name in ("interval", "expected_interval"):
        found[name] = None if found[name] is None else list(found[name])
    found["candidates"] = list(map(str, finding.candidates))
    found["solutions"] = [
        [None if number is None else str(number) for number in row] for row in finding.solutions
    ]
    return found
