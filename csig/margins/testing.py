"""Non-inferiority and equivalence: is a system as good as the baseline, within a margin?"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from numbers import Real
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.random import SeedSequence

from csig.base import wording
from csig.base.errors import InputError, NoInterval
from csig.base.shown import Shown
from csig.base.validation import between, instance, one_of, public
from csig.base.wording import documented
from csig.comparing.intervals import AllUnits, Ratio, all_units, interval_of, ratio_of
from csig.data import metrics
from csig.data.comparison import Comparison
from csig.data.metrics import Metric
from csig.margins.sides import COUNTED, Clusters, MarginKind, Pairs, Side, Way

KINDS: tuple[MarginKind, ...] = ("points", "relative")
Question = Literal["noninferiority", "equivalence"]

#: Fewer clusters than these.
FEW_CLUSTERS = 10

#: Beyond this asymmetry (skewness over the root of the number of units) the bootstrap's level may
#: leave 4 to 6.5% at 5%, and with fewer units anyway: docs/margins.md.
SKEWED, FEW_UNITS = 0.2, 15

#: Fewer units that differ than these, where most are tied.
FEW_DIFFERING = 30

#: Where at most `COUNTED` clusters differ, whole losses that so many samples miss are cautioned.
MISSED_LOSSES = 0.05

#: Expected numbers of right and wrong below which shares have no normal limit.
FEW_EXPECTED = 10


class Unit(NamedTuple):
    """What margins are in, in words."""

    kind: MarginKind
    percents: bool

    def margin(self, value: float) -> str:
        """As it was given: 1 point, 2.5 points, 5% of the score, 0.2."""
        text = f"{value:.6g}"
        if self.kind == "relative":
            return f"{text}% of the score"
        return f"{text} {'point' if text == '1' else 'points'}" if self.percents else text

    def limit(self, value: float) -> str:
        """With the digits that are known: two decimals of points, three digits of others."""
        if not math.isfinite(value):
            return "any amount"
        shares = self.percents or self.kind == "relative"
        return self.margin(round(value, 2) if shares else float(f"{value:.3g}"))


@dataclass(frozen=True, kw_only=True, repr=False)
class MarginResult(Shown, report="csig.margins.report"):
    """Whether a system is as good as the baseline, within a margin, by one metric."""

    question: Question  #: "noninferiority", not worse; or "equivalence", neither worse nor better.
    metric: str  #: The metric's name.
    names: tuple[str, str]  #: The system and the baseline.
    score: float  #: score, baseline_score: the observed scores.
    baseline_score: float
    difference: float  #: ``score - baseline_score``.
    margin: float  #: As it was given.
    margin_kind: MarginKind  #: "points", or "relative": in percent of the baseline's score.
    percents: bool  #: Whether a margin in points is one of percentage points.
    pvalue: float  #: Of the null hypothesis that the system is worse by the margin or more, or
    #: for equivalence that it is worse or better by that: the larger one of the two p-values.
    pvalue_worse: float  #: The p-value of the side on which the system is worse,
    pvalue_better: float | None  #: and of the other side, of equivalence.
    #: The largest margin that is not rejected: the system may be worse by up to that, in the unit
    #: of the margin; below 0 it is better at least by that much.
    worse: float
    better: float | None  #: By how much it may be better, of equivalence.
    alpha: float  #: The level of the limits.
    method: Way  #: How it was tested.
    unit: str  #: What was taken to be independent.
    n_units: int  #: Their number; of right and wrong answers that of the answers.
    #: In how many the system alone is right, and in how many the baseline alone.
    only: tuple[int, int] | None
    greater_is_better: bool
    seed: int | None = None  #: Of what was drawn, if anything was.
    cautions: tuple[str, ...] = ()  #: Why p may be wrong.

    @property
    def shown(self) -> bool:
        """Whether the p-value is at most alpha."""
        return self.pvalue <= self.alpha

    @property
    def not_worse(self) -> MarginResult:
        """Of equivalence the side on which the system is worse, alone."""
        return replace(self, question="noninferiority", pvalue=self.pvalue_worse)

    @property
    def in_unit(self) -> Unit:
        """How its margins are written."""
        return Unit(self.margin_kind, self.percents)

    def _line(self) -> str:
        a, b = wording.short_names(self.names)
        margin = self.in_unit.margin(self.margin)
        what = f"{a} within {margin} of {b}"
        if self.question == "noninferiority":
            what = f"{a} not worse than {b} by {margin}"
        return f"{self.metric}: {what}, p = {wording.pvalue(self.pvalue)}"


@public("csig")
@documented
def noninferiority_test(
    comparison: Comparison,
    metric: str | Metric,
    margin: float,
    *,
    margin_kind: MarginKind = "points",
    alpha: float = 0.05,
    rng: int | None = None,
) -> MarginResult:
    """Test whether system A is not worse than the baseline B by a margin or more.

    The null hypothesis is that A's score is worse by at least the margin. A small p-value is
    evidence that it is not; a large one of the usual test never is evidence that two are equal.

    Parameters
    ----------
    comparison : Comparison
        Both systems on the same test data: A is the system, B the baseline. Its unit is what is
        independent: clusters, where it has them.
    metric : str or Metric
        Where lower scores are better, worse means higher.
    margin : float
        Above 0. Of metrics that csig prints in percent 1.0 is one percentage point; of others it is
        in the metric's own unit.
    margin_kind : {"points", "relative"}
        With "relative" the margin is in percent of the baseline's score, which varies as well.
    alpha : float
        The one-sided level of the limit, and of the verdict.
    rng : int, optional
        The seed, where something is drawn: the studentized bootstrap and swaps. With None a new
        one, which the result has.

    Returns
    -------
    MarginResult

    Raises
    ------
    InputError
        For a margin that is not above 0, or data that allow no test; the message says why.

    Notes
    -----
    Right and wrong answers have the exact unconditional test in the order of the score statistic of
    Tango (1998, Statistics in Medicine 17, 891-908): its p-value is the largest over all shares of
    items that differ. In clusters the score is divided by the root of the design effect; a relative
    margin has the score statistic of Nam and Blackwelder (2002, Statistics in Medicine 21,
    689-699). Means of scores have sign flips of the shifted differences where these are
    roughly symmetric, else the studentized bootstrap; ratios such as precision the studentized
    swaps of shifted ratios. docs/margins.md has their levels and power.

    Examples
    --------
    >>> import csig
    >>> base = [1] * 170 + [0] * 30
    >>> new = [0] * 4 + [1] * 172 + [0] * 24
    >>> found = csig.noninferiority_test(csig.Comparison.from_scores(new, base), "mean", 3)
    >>> found.only, round(found.pvalue, 4), found.method
    ((6, 4), 0.0144, 'exact')
    """
    return _tested("noninferiority", comparison, metric, margin, margin_kind, alpha, rng)


@public("csig")
@documented
def equivalence_test(
    comparison: Comparison,
    metric: str | Metric,
    margin: float,
    *,
    margin_kind: MarginKind = "points",
    alpha: float = 0.05,
    rng: int | None = None,
) -> MarginResult:
    """Test whether two systems differ by less than a margin, in either direction.

    Two one-sided tests at `alpha`, as of :func:`csig.noninferiority_test`, whose larger p-value
    counts (Schuirmann 1987, Journal of Pharmacokinetics and Biopharmaceutics 15, 657-680).

    Parameters
    ----------
    comparison, metric, margin, margin_kind, alpha, rng
        As for :func:`csig.noninferiority_test`. With a relative margin the score may be between
        1 - margin and 1 + margin times the baseline's.

    Returns
    -------
    MarginResult
        `worse` and `better` are the ends of the interval at level 1 - 2 `alpha`.

    Examples
    --------
    >>> import csig
    >>> base = [1] * 170 + [0] * 30
    >>> new = [0] * 4 + [1] * 172 + [0] * 24
    >>> found = csig.equivalence_test(csig.Comparison.from_scores(new, base), "mean", 5)
    >>> found.shown, round(found.pvalue, 4)
    (True, 0.0201)
    """
    return _tested("equivalence", comparison, metric, margin, margin_kind, alpha, rng)


def _tested(
    question: Question,
    comparison: Comparison,
    metric: str | Metric,
    margin: float,
    kind: MarginKind,
    alpha: float,
    rng: int | None,
) -> MarginResult:
    instance("comparison", comparison, Comparison)
    one_of("margin_kind", kind, KINDS)
    between("alpha", alpha, 0, 0.5)
    own = metrics.get(metric, comparison.columns)
    own.check_columns(comparison.columns)
    if not isinstance(margin, Real) or not 0 < margin < math.inf:
        raise InputError(f"margin must be a number above 0, found {margin!r}")
    if kind == "relative" and margin >= 100:
        raise InputError(f"margin: relative ones are below 100 (percent), found {margin!r}")
    try:
        scores = comparison.scores(own)
        entropy = SeedSequence().entropy if rng is None else rng
        if type(entropy) is not int or entropy < 0:
            raise InputError(f"rng must be a whole number of at least 0, found {rng!r}")
        case = Case(comparison, own, kind, scores, entropy)
        return case.tested(question, float(margin), alpha)
    except NoInterval as error:
        raise InputError(str(error)) from None


class Case:
    """Two systems and a metric, of which margins are tested."""

    def __init__(
        self,
        comparison: Comparison,
        metric: Metric,
        kind: MarginKind,
        scores: tuple[float, float],
        rng: int | None,
    ) -> None:
        self.comparison, self.metric, self.kind, self.scores = comparison, metric, kind, scores
        self.percents = wording.in_percent(scores, metric.name, comparison.shares)
        #: What a margin is divided by to be one of scores, or a share of the baseline's.
        self.over = 100 if self.percents or kind == "relative" else 1
        if kind == "relative" and scores[1] <= 0:
            raise InputError(
                f"margin_kind: {comparison.names[1]} scores {scores[1]:g}, of which no share is a "
                "margin; give one in points"
            )
        self.rng = rng
        self.function: tuple[float, float, int] | None = None
        self.pairs: Pairs | None = None
        units = all_units(comparison)
        if not metric.linear_fractional:
            self._by_function(units)
            return
        a, b = (ratio_of(comparison, metric, units, system) for system in "ab")
        if not a.below or not b.below:
            raise InputError(f"metric {metric.name!r}: a denominator is zero")
        a, b, counting = _counting(a, b)
        times = None if units.times is None else units.times[counting]
        found = _pairs(a, b, times)
        if found is None and len(comparison.levels) > 1:
            found = self._clustered(a, b)
        self.pairs = found
        if found is None and times is not None:
            a, b = (
                replace(own, x=np.repeat(own.x, times), y=np.repeat(own.y, times)) for own in (a, b)
            )
        self.a, self.b = a, b

    def _by_function(self, units: AllUnits) -> None:
        """The jackknife: a standard error is all that is known."""
        if self.kind == "relative":
            raise InputError(f"metric {self.metric.name!r}: a function has no relative margin")
        found = interval_of(units, self.comparison, self.metric, "difference", 0.95, 0)
        if found.standard_error is None:
            raise InputError(f"metric {self.metric.name!r}: the units show no spread")
        nothing = np.zeros(0, dtype=np.int64)
        self.a = self.b = Ratio(nothing, nothing, 0, 1, Fraction(1), 1)
        self.function = found.estimate, found.standard_error, found.n_units - 1

    def _clustered(self, a: Ratio, b: Ratio) -> Pairs | None:
        """Right and wrong answers, in clusters."""
        single = self.comparison.at(self.comparison.levels[0])
        units = all_units(single)
        if units.times is not None:
            return None
        one, other = (ratio_of(single, self.metric, units, system) for system in "ab")
        one, other, _ = _counting(one, other)
        found = _pairs(one, other, None)
        if found is None or not np.array_equal(a.y, b.y) or len(a.y) < 2:
            return None
        size = int(one.y[0])
        return found._replace(clusters=Clusters(a.y // size, a.x // size, b.x // size))

    def side(self, worse: bool) -> Side:
        """The one on which the system is worse, or the one on which it is better."""
        system_first = worse == self.metric.greater_is_better
        f, o = (self.a, self.b) if system_first else (self.b, self.a)
        pairs, function = self.pairs, self.function
        if not system_first:
            if pairs is not None:
                pairs = pairs.mirrored()
            if function is not None:
                function = -function[0], *function[1:]
        slack = self.comparison.tau * f.largest
        return Side(f, o, self.kind, system_first, pairs, function, self.rng, slack)

    def tested(self, question: Question, margin: float, alpha: float) -> MarginResult:
        """The p-values of both sides, or of one, and the limits."""
        own = margin / self.over
        if self.percents and own >= 1:
            raise InputError(f"margin: no share is worse by 100 points, found {margin:g}")
        found = []
        for worse in (True, False)[: 1 + (question == "equivalence")]:
            side = self.side(worse)
            way = side.way(own)
            p = side.pvalue(own, way, alpha)
            found.append((p, side.limit(way, own, alpha, p) * self.over, way, side))
        p, _, way, side = max(found, key=lambda one: one[0])
        (first, *_), better = found[0], found[1] if len(found) > 1 else None
        pairs = self.pairs
        n = pairs.n if pairs is not None and pairs.clusters is None else self._n_units()
        return MarginResult(
            question=question, metric=self.metric.name, names=self.comparison.names,
            score=self.scores[0], baseline_score=self.scores[1],
            difference=self.scores[0] - self.scores[1], margin=margin, margin_kind=self.kind,
            percents=self.percents, pvalue=p, pvalue_worse=first,
            pvalue_better=None if better is None else better[0], worse=found[0][1],
            better=None if better is None else better[1], alpha=alpha, method=way,
            unit=self.comparison.unit, n_units=n,
            only=None if pairs is None else (pairs.x, pairs.y),
            greater_is_better=self.metric.greater_is_better,
            seed=self.rng if {one[2] for one in found} & {"bootstrap", "swaps"} else None,
            cautions=tuple(self.cautions(way, side, own)),
        )  # fmt: skip

    def _passes_all(self, margin: float) -> bool:
        """Whether no score can be worse by the margin."""
        shares = self.percents and self.kind == "points" and self.metric.greater_is_better
        return shares and margin >= self.scores[1]

    def _n_units(self) -> int:
        return self.function[2] + 1 if self.function is not None else len(self.a.y)

    def cautions(self, way: Way, side: Side, margin: float) -> list[str]:
        """Why the level may not hold: the numbers are those of docs/margins.md."""
        found, n = [], self._n_units()
        unit = wording.noun(self.comparison.unit, 2)
        clusters = None if self.pairs is None else self.pairs.clusters
        if clusters is not None and n < FEW_CLUSTERS:
            found.append(f"{n} {unit}: the level of the test is measured from 10 on.")
        elif clusters is not None and clusters.differing <= COUNTED:
            missed = side.missed(margin)
            if missed > MISSED_LOSSES:
                found.append(
                    f"{clusters.differing} of {n} {unit} differ: if whole ones are lost at times, "
                    f"up to {missed:.0%} of such samples have none that is, and the test may err "
                    "more often than in 5% of cases."
                )
        differing = side.n_differing
        few = differing < (FEW_DIFFERING if side.mostly_tied else FEW_UNITS)
        if way == "bootstrap" and (abs(side.asymmetry(margin)) > SKEWED or few):
            what = (
                f"Few of {n} {unit} differ" if few else f"The differences of {n} {unit} are skewed"
            )
            said = f"{what}: the test may err more often than in 5% of cases, or less often"
            if side.raised > 1.05:
                said += (
                    f"; odds of p are raised {side.raised:.2g} times, as rare losses may be missing"
                )
            found.append(f"{said}.")
        if way == "alike":
            found.append(
                f"Of {n} {unit} none differs more than another: p is the chance of having missed "
                f"{unit} that lose the whole range of the scores."
            )
        if self._passes_all(margin):
            found.append(
                f"The margin is not below the score of {wording.clean(self.comparison.names[1])}: "
                "a system that gets nothing right passes."
            )
        if way in ("swaps", "bootstrap") and not side.shared:
            counts = [min(r.above, r.below - r.above) for r in (self.a, self.b)]
            sized = [float(r.y.sum()) ** 2 / float((r.y.astype(float) ** 2).sum()) for r in
                     (self.a, self.b)]  # fmt: skip
            if min(counts) < FEW_EXPECTED or min(sized) < FEW_UNITS:
                found.append(
                    f"Few {unit} or few of them right or wrong: the level of a ratio's test is not "
                    "kept with fewer than 10 of either, or 15 of about the same size."
                )
        if way == "jackknife":
            found.append(
                f"{self.metric.name} is a function: its test is that of a standard error, which "
                f"holds for many {unit} only."
            )
        return found


def _counting(a: Ratio, b: Ratio) -> tuple[Ratio, Ratio, Any]:
    """Both in the units that count for something, and which these are."""
    kept = (a.x != 0) | (a.y != 0) | (b.x != 0) | (b.y != 0)
    return *(replace(own, x=own.x[kept], y=own.y[kept]) for own in (a, b)), kept


def _pairs(a: Ratio, b: Ratio, times: Any) -> Pairs | None:
    """Units of one size of which each system has all or nothing; None of others."""
    if not len(a.y) or (a.y != b.y).any() or (a.y != a.y[0]).any() or a.y[0] <= 0:
        return None
    whole = int(a.y[0]) / a.factor
    if whole.denominator != 1 or any(((r.x != 0) & (r.x != int(whole))).any() for r in (a, b)):
        return None
    weights = np.ones(len(a.y), dtype=np.int64) if times is None else times
    right, other = a.x != 0, b.x != 0
    x, y, both = (
        int(weights[own].sum()) for own in (right & ~other, other & ~right, right & other)
    )
    return Pairs(int(weights.sum()), x, y, both)
