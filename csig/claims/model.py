r"""Published claims: what a text prints, and what is found of it.

``docs/claims.md`` says what is checked. The checks need only the printed numbers, and never adjust
them. "45.6 %" stands for every number that rounds to it: by default from 45.55% to 45.65%, both
ends included, because a tie may have been rounded either way. (Programs that print a double round
ties by its binary digits, up or down.) Everything is an exact fraction.

*One-sided and two-sided.* Swapping all units reverses the sign of the difference, so under the
null hypothesis it is symmetric, and the one-sided p in the observed direction is half the
two-sided one. A one-sided p below 1/2 is in the observed direction.

*Against the exact answer.* The unique responses determine the exact p of the randomization
test (Yeh 2000, section 3.3), in which a fair coin swaps each response of one system only. The hits
of t shuffles are Binomial(t, p).
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from csig.base.errors import InputError
from csig.base.shown import Shown, ShownRows, ShownTuple
from csig.base.validation import Alternative
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

#: Conventions: what is printed v with a last digit worth u stands for, when v is not negative;
#: a negative number is the mirror image.
ROUNDINGS = {
    "nearest": "v - u/2 to v + u/2, both ends included: ties either way",
    "half-up": "v - u/2 to v + u/2, without the upper end: ties away from zero",
    "half-even": "v - u/2 to v + u/2, the ends included if the last digit is even",
    "truncated": "v to v + u, without the upper end: further digits cut off",
}

#: Characters of a printed number, and its largest power of ten.
_LENGTH, _EXPONENT = 60, 9999

_NUMBER = re.compile(
    r"\s*(?P<sign>[+-]?)(?P<digits>[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:e(?P<exponent>[+-]?[0-9]{1,9}))?"
    r"\s*(?P<percent>%?)\s*",
    re.ASCII | re.IGNORECASE,
)

_RELATIONS = {
    "<": "<", "less than": "<", "below": "<", "under": "<",
    "<=": "<=", "≤": "<=", "at most": "<=",
    ">": ">", "more than": ">", "above": ">", "over": ">",
    ">=": ">=", "≥": ">=", "at least": ">=",
    "=": "", "": "",
}  # fmt: skip
_RELATION = re.compile(
    rf"\s*p?\s*(?P<relation>{'|'.join(sorted(_RELATIONS, key=len, reverse=True))})\s*"
    r"(?P<number>[+\-.0-9].*)",
    re.ASCII | re.IGNORECASE,
)
_RANGE = re.compile(
    r"\s*(?:(?:from|between)\s+)?(?P<low>\S.*?)\s+(?:to|and)\s+(?P<high>.+)", re.IGNORECASE
)


@dataclass(frozen=True)
class Interval:
    """Numbers from low to high; each end belongs to it or not."""

    low: Fraction
    high: Fraction
    low_closed: bool = True
    high_closed: bool = True

    def contains(self, x: Fraction) -> bool:
        """Whether it contains a number."""
        return self.meets(Interval(x, x))

    def meets(self, other: Interval) -> bool:
        """Whether both have a number in common."""
        for below, above in ((self, other), (other, self)):
            if below.high < above.low:
                return False
            if below.high == above.low and not (below.high_closed and above.low_closed):
                return False
        return True

    def times(self, factor: int) -> Interval:
        """All its numbers times a positive integer."""
        return Interval(self.low * factor, self.high * factor, self.low_closed, self.high_closed)

    @property
    def middle(self) -> Fraction:
        """Half-way between its ends."""
        return (self.low + self.high) / 2

    def floats(self, divisor: int = 1) -> tuple[float, float]:
        """Both ends, divided by a positive integer."""
        return float(self.low / divisor), float(self.high / divisor)

    def near(self, x: Fraction) -> bool:
        """Whether it contains a number that is known to a relative 1e-10, as doubles are."""
        slack = abs(x) / 10**10
        return self.meets(Interval(x - slack, x + slack))

    def shares(self, n: int, plus: int = 0) -> range:
        """The whole numbers k up to n whose share (k + plus) / (n + plus) it contains."""
        low, high = (end * (n + plus) - plus for end in (self.low, self.high))
        least = math.ceil(low) if self.low_closed else math.floor(low) + 1
        most = math.floor(high) if self.high_closed else math.ceil(high) - 1
        return range(max(0, least), min(n, most) + 1)

    def negative(self) -> Interval:
        """All its numbers with the other sign."""
        return Interval(-self.high, -self.low, self.high_closed, self.low_closed)


@dataclass(frozen=True)
class Printed:
    """A printed number."""

    text: str  #: As printed.
    interval: Interval  #: What it may stand for.
    value: Fraction | None = None  #: The number itself; None for a bound or a range.
    percent: bool = False  #: Whether it is in percent; the interval is in shares.
    decimals: int = 0  #: Digits after the decimal point.

    def show(self, x: Fraction | float, more: int = 1) -> str:
        """Another number in the same form, with more digits."""
        decimals = min(self.decimals + more, 15)
        return f"{float(100 * x):.{decimals}f}%" if self.percent else f"{float(x):.{decimals}f}"

    @property
    def meaning(self) -> str:
        """What it may stand for, in words."""
        low, high = (
            f"{float(100 * x):.12g}%" if self.percent else f"{float(x):.12g}"
            for x in (self.interval.low, self.interval.high)
        )
        ends = ((low, self.interval.low_closed), (high, self.interval.high_closed))
        without = " and ".join(end for end, closed in ends if not closed)
        return f"{low} to {high}" + (f" (without {without})" if without else "")


def _union(intervals: list[Interval]) -> Interval:
    """Of intervals that meet."""
    low = min((i.low, not i.low_closed) for i in intervals)
    high = max((i.high, i.high_closed) for i in intervals)
    return Interval(low[0], high[0], not low[1], high[1])


def _rounded(value: Fraction, unit: Fraction, convention: str) -> Interval:
    if value < 0:
        return _rounded(-value, unit, convention).negative()
    if convention == "truncated":
        low = value if value else -unit
        return Interval(low, value + unit, bool(value), False)
    even = value / unit % 2 == 0
    closed = convention == "nearest" or (convention == "half-even" and even)
    low_closed = closed or (convention == "half-up" and value > 0)
    return Interval(value - unit / 2, value + unit / 2, low_closed, closed)


@dataclass(frozen=True)
class _Number:
    value: Fraction
    unit: Fraction
    percent: bool
    decimals: int


def _parse(text: str) -> _Number | None:
    found = _NUMBER.fullmatch(text)
    if found is None or len(text) > _LENGTH:
        return None
    exponent = int(found["exponent"] or 0)
    if abs(exponent) > _EXPONENT:
        return None
    whole, _, behind = found["digits"].partition(".")
    percent = bool(found["percent"])
    power = exponent - len(behind) - 2 * percent
    unit = Fraction(10) ** power
    value = int(whole + behind) * unit
    return _Number(
        -value if found["sign"] == "-" else value, unit, percent, max(0, len(behind) - exponent)
    )


def printed_number(text: str, rounding: tuple[str, ...] = ("nearest",)) -> Printed:
    """A printed number, and what it may stand for."""
    number = _parse(text)
    if number is None:
        raise InputError(
            f"found {text[:_LENGTH]!r}, expected a number as printed, like '45.6 %' or '0.456'"
        )
    interval = _union([_rounded(number.value, number.unit, r) for r in rounding])
    return Printed(text.strip(), interval, number.value, number.percent, number.decimals)


def printed_pvalue(text: str, rounding: tuple[str, ...] = ("nearest",)) -> Printed:
    """A printed p-value: a number, a bound, or a range."""
    zero, one = Fraction(0), Fraction(1)
    wrong = InputError(
        f"found {text[:_LENGTH]!r}, expected a p-value as printed, like '0.014', '3 %', '< 0.05', "
        f"'less than 4 %' or '10 % to 20 %'"
    )
    if len(text) > 2 * _LENGTH:
        raise wrong
    both = _RANGE.fullmatch(text)
    if both is not None:
        low, high = _parse(both["low"]), _parse(both["high"])
        if low is None or high is None:
            raise wrong
        if high.percent and not low.percent:  # "10 to 20 %"
            low = _Number(low.value / 100, low.unit / 100, True, low.decimals)
        if low.percent != high.percent or not 0 <= low.value <= high.value <= 1:
            raise InputError(
                f"found {text[:_LENGTH]!r}, expected a range within 0 to 1, the lower end first"
            )
        ends = Interval(low.value, high.value)
        return Printed(text.strip(), ends, None, high.percent, max(low.decimals, high.decimals))
    found = _RELATION.fullmatch(text)
    number = None if found is None else _parse(found["number"])
    if found is None or number is None:
        raise wrong
    if not 0 <= number.value <= 1:
        raise InputError(f"found {text[:_LENGTH]!r}, expected a p-value from 0 to 1, or in percent")
    relation = _RELATIONS[found["relation"].lower()]
    if not relation:
        interval = _union([_rounded(number.value, number.unit, r) for r in rounding])
        low_end, high_end = max(interval.low, zero), min(interval.high, one)
        interval = Interval(
            low_end, high_end,
            interval.low_closed or low_end > interval.low,
            interval.high_closed or high_end < interval.high,
        )  # fmt: skip
    elif relation.startswith("<"):
        interval = Interval(zero, number.value, True, relation == "<=")
    else:
        interval = Interval(number.value, one, relation == ">=", True)
    if not interval.meets(interval):  # "< 0"
        raise InputError(f"found {text[:_LENGTH]!r}, expected a bound that some p-value meets")
    value = None if relation else number.value
    return Printed(text.strip(), interval, value, number.percent, number.decimals)


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
WRONG = frozenset(("contradicted", "inconsistent", "impossible"))

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
    #: Conventions of :data:`csig.claims.model.ROUNDINGS`.
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
class Finding(ShownRows):
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
class ClaimsReport(Shown, report="csig.claims.checker"):
    """All findings about a text."""

    claims: Claims
    findings: ShownTuple[Finding]

    def __repr__(self) -> str:
        counts = ", ".join(f"{n} {verdict}" for verdict, n in self.totals.items())
        return f"<ClaimsReport {counts}>"

    @property
    def passed(self) -> bool:
        """Whether nothing is contradicted, inconsistent or impossible."""
        return not any(finding.verdict in WRONG for finding in self.findings)

    @property
    def totals(self) -> dict[str, int]:
        """{verdict: how many findings}, the best verdict first."""
        said = [finding.verdict for finding in self.findings]
        return {verdict: said.count(verdict) for verdict in VERDICTS if verdict in said}
