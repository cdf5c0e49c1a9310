"""Non-inferiority and equivalence: is a system as good as the baseline, within a margin?

Every side of a margin asks of a favoured system F and another one O whether weight_F F - weight_O O
is above -shift, the null hypothesis being that it is not. Equivalence has two sides.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from numbers import Real
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
from numpy.random import SeedSequence

from csig.base import wording
from csig.base.errors import InputError, NoInterval
from csig.base.shown import Shown
from csig.base.validation import between, instance, one_of, public
from csig.base.wording import documented
from csig.comparing.bootstrap import studentized_resamples
from csig.comparing.intervals import (
    FACTORS,
    FACTORS_OF_UNIT,
    TOLERANCE,
    AllUnits,
    Ratio,
    all_units,
    interval_of,
    ratio_of,
)
from csig.comparing.randomization import randomization_test
from csig.data import metrics
from csig.data.comparison import Comparison
from csig.data.metrics import Metric
from csig.data.units import LARGEST_SUM
from csig.engines.certified import tail_bounds
from csig.probability.margins import MOST_PAIRS, Margin, crossing, largest_margin, score
from csig.probability.student import normal_quantile, t_quantile

if TYPE_CHECKING:
    from numpy.typing import NDArray

MarginKind = Literal["points", "relative"]

#: How a side is tested, by what reports call it.
Way = Literal[
    "exact", "score", "clusters", "ratio", "alike", "flips", "bootstrap", "swaps", "jackknife"
]

#: A sum's flips are taken where the skewness of the shifted differences over the root of their
#: number, which moves the level by 11 points of a percent for every 0.01, is at most this.
SYMMETRIC = 0.05

#: Beyond that the odds of the bootstrap's p rise by so much, over the number of units, where losses
#: have the long tail: samples that miss it are those that pass. So 6% do, of lognormal losses.
MISSED = 250

#: As if in that share of the clusters that do not differ everything differed.
UNSEEN = 0.125

#: Of no more clusters that differ each may be taken to be lost, which t hardly allows for.
COUNTED = 10

#: Resamples of the bootstrap, and shuffles; those of limits, which take a dozen tests.
RESAMPLES, SHUFFLES, OF_LIMITS = 2**15 - 1, 2**17, 2**13

#: The largest numbers of units whose ratios are shifted: sums of their squares stay small.
LARGEST = 2.0**18

_COLUMNS = ("above", "below")
_RATIO = Metric("ratio", _COLUMNS, numerator=(1, 0), denominator=(0, 1))


class Clusters(NamedTuple):
    """Of right and wrong answers: the items of each, and the sums of F and O."""

    sizes: NDArray[np.int64]
    f: NDArray[np.int64]
    o: NDArray[np.int64]

    @property
    def differing(self) -> int:
        """In how many F and O differ."""
        return int(np.count_nonzero(self.f != self.o))

    @property
    def size(self) -> float:
        """That of an item's cluster, on average."""
        return float((self.sizes.astype(float) ** 2).sum()) / float(self.sizes.sum())


class Pairs(NamedTuple):
    """Right and wrong answers: in favour of F, against it, right in both; and clusters of them."""

    n: int
    x: int
    y: int
    both: int
    clusters: Clusters | None = None

    def mirrored(self) -> Pairs:
        """Of O and F."""
        own = self.clusters
        clusters = None if own is None else own._replace(f=own.o, o=own.f)
        return self._replace(x=self.y, y=self.x, clusters=clusters)

    def design_effect(self, favoured: float, other: float) -> float:
        """How many times as variable clusters make the sum of favoured F - other O, 1 at least."""
        clusters = self.clusters
        assert clusters is not None
        neither = self.n - self.x - self.y - self.both
        values = np.array([favoured, -other, favoured - other, 0.0])
        counts = np.array([self.x, self.y, self.both, neither], dtype=float)
        mean = float((counts * values).sum()) / self.n
        single = float((counts * (values - mean) ** 2).sum())
        sums = favoured * clusters.f - other * clusters.o - mean * clusters.sizes
        g, size = len(sums), clusters.size
        unseen = UNSEEN * (1 - clusters.differing / (g + 1))
        clustered = float((sums**2).sum()) * g / (g - 1)
        return max(1.0, (clustered + unseen * size**2) / (single + unseen * size))


def ratio_score(pairs: Pairs, theta: float) -> float:
    """The score statistic of F's share over O's against theta (Nam and Blackwelder 2002, Statistics
    in Medicine 21, 689-699).
    """
    n, x, y = pairs.n, pairs.x / pairs.n, pairs.y / pairs.n
    f, o, some = x + pairs.both / n, y + pairs.both / n, x + y + pairs.both / n
    root = math.sqrt((f - theta**2 * o) ** 2 + 4 * theta**2 * x * y)
    a = (-f + theta**2 * (o + 2 * x) + root) / (2 * theta * (theta + 1))
    b = theta * a - (theta - 1) * some
    variance = theta * (a + b)
    above = f - theta * o
    if above == 0 or variance <= 0:
        return 0.0 if above == 0 else math.copysign(math.inf, above)
    return math.sqrt(n) * above / math.sqrt(variance)


def _normal_tail(z: float) -> float:
    return math.erfc(z / math.sqrt(2)) / 2


def _t_tail(t: float, df: int) -> float:
    from scipy.special import stdtr

    return float(stdtr(df, -t))


def _asymmetry(values: NDArray[np.float64]) -> float:
    values = values - values.mean()
    spread = float((values**2).mean())
    if spread <= 1e-24 * float((values**2).max(initial=0)) or not spread:
        return 0.0
    return float((values**3).mean() / (spread * math.sqrt(spread * len(values))))


@dataclass(frozen=True)
class Side:
    """A question about F and O."""

    f: Ratio
    o: Ratio
    kind: MarginKind
    #: Whether O is the baseline, whose share a relative margin is.
    baseline_is_other: bool
    pairs: Pairs | None
    #: Standard error and score of F - O, and degrees of freedom, of what is a function.
    function: tuple[float, float, int] | None = None
    rng: int | None = None
    slack: int = 0  #: Sums of scores that lie within it of each other are ties.

    def weights(self, margin: Any) -> tuple[Any, Any, Any]:
        """Those of F and O, and the shift."""
        if self.kind == "points":
            return 1, 1, margin
        return (1, 1 - margin, 0) if self.baseline_is_other else (1 + margin, 1, 0)

    @cached_property
    def shared(self) -> bool:
        """Whether both have the same denominator in every unit."""
        return np.array_equal(self.f.y, self.o.y)

    def way(self, margin: float) -> Way:
        """How it is tested; it depends on the data alone, and the margin of the question."""
        if self.function is not None:
            return "jackknife"
        if self.pairs is not None:
            if self.kind == "relative":
                return "ratio"
            if self.pairs.clusters is not None:
                return "clusters"
            return "exact" if self.pairs.n <= MOST_PAIRS else "score"
        if not self.spread:
            return "alike"
        if self.mostly_tied:
            return "bootstrap"
        if not self.shared:
            return "swaps"
        return "flips" if abs(self.asymmetry(margin)) <= SYMMETRIC else "bootstrap"

    @cached_property
    def n_differing(self) -> int:
        """In how many units the systems differ."""
        return int(np.count_nonzero((self.f.x != self.o.x) | (self.f.y != self.o.y)))

    @property
    def mostly_tied(self) -> bool:
        """Whether too few units differ for shifted differences to be symmetric."""
        return 2 * self.n_differing < len(self.f.x)

    @cached_property
    def spread(self) -> bool:
        """Whether some units differ more than others."""
        largest = max(np.abs(own.x).max(initial=0) / own.below for own in (self.f, self.o))
        least = 1e-12 * float(self.f.factor) * float(largest)
        return bool(np.abs(self.residuals).max(initial=0) > least)

    @cached_property
    def residuals(self) -> NDArray[np.float64]:
        """What every unit adds to F - O beyond its share."""
        f, o = (
            (float(own.factor) * own.x - float(own.score) * own.y) / own.below
            for own in (self.f, self.o)
        )
        found: NDArray[np.float64] = f - o
        return found

    @cached_property
    def _range(self) -> float:
        """That of the scores of units, and 0."""
        scores = np.concatenate([own.x[own.y > 0] / own.y[own.y > 0] for own in (self.f, self.o)])
        return float(self.f.factor) * float(scores.max(initial=0) - scores.min(initial=0))

    def _unseen(self, margin: float) -> float:
        """The largest probability that no unit of a sample has a loss, if losses of at most the
        whole range make F worse by the margin.
        """
        favoured, other, shift = self.weights(margin)
        above = favoured * float(self.f.score) - other * float(self.o.score) + shift
        if above <= 0:
            return 1.0
        return float((1 - above / max(self._range, 2 * above)) ** len(self.f.x))

    def asymmetry(self, margin: float) -> float:
        """The skewness of the shifted differences, or residuals, over the root of their number."""
        return _asymmetry(self._differences(margin) if self.shared else self.residuals)

    @cached_property
    def raised(self) -> float:
        """What the odds of the bootstrap's p are multiplied by."""
        least = 0.0 if self.mostly_tied else SYMMETRIC
        return 1 + MISSED * max(0.0, -_asymmetry(self.residuals) - least) / len(self.f.x)

    def _differences(self, margin: float) -> NDArray[np.float64]:
        favoured, other, shift = self.weights(margin)
        found: NDArray[np.float64] = (
            favoured * self.f.x - other * self.o.x + shift / float(self.f.factor) * self.f.y
        )
        return found

    def pvalue(self, margin: float, way: Way, alpha: float, n_resamples: int = SHUFFLES) -> float:
        """Of the null hypothesis that F is worse by that much, at least."""
        if way == "exact" or way == "score":
            assert self.pairs is not None
            return Margin(self.pairs.n, margin).pvalue(self.pairs.x, self.pairs.y, alpha)
        if way in ("clusters", "ratio"):
            return self._by_score(margin)
        if way == "jackknife":
            assert self.function is not None
            difference, error, df = self.function
            return _t_tail((difference + margin) / error, df)
        if way == "alike":
            return self._unseen(margin)
        if way == "flips":
            return self._by_flips(margin)
        if way == "bootstrap":
            t, estimate, error = self._resampled(margin)
            if not error:
                return self._unseen(margin)
            reached = (estimate + self.weights(margin)[2]) / error
            p = (int(np.count_nonzero(t >= reached)) + 1) / (len(t) + 1)
            return self.raised * p / (1 - p + self.raised * p)
        return self._by_swaps(margin, n_resamples)

    def _by_score(self, margin: float) -> float:
        pairs = self.pairs
        assert pairs is not None
        favoured, other, _ = self.weights(margin)
        if self.kind == "points":
            z = float(score(pairs.x, pairs.y, pairs.n, margin))
        elif other <= 0 or favoured <= 0:
            return 0.0
        else:
            z = ratio_score(pairs, other / favoured)
        clusters = pairs.clusters
        if clusters is None:
            return _normal_tail(z)
        z /= math.sqrt(pairs.design_effect(favoured, other))
        differing = clusters.differing
        p = _t_tail(z, min(len(clusters.sizes) - 1, max(differing, 1)))
        return min(p, self._by_lost(clusters, margin)) if differing <= COUNTED else p

    def _by_lost(self, clusters: Clusters, margin: float) -> float:
        """The exact p-value where clusters that lose count as lost; others, if all is better."""
        sizes, f, o = clusters
        points = self._points(margin)
        if abs(points) >= 1:
            return 1.0
        g = max(1, int(sizes.sum() / clusters.size))
        lost = min(g, int(np.count_nonzero(f < o)))
        better = min(g - lost, int(np.count_nonzero(f - o == sizes) * g / len(sizes)))
        return Margin(g, points).pvalue(better, lost)

    def missed(self, margin: float) -> float:
        """The largest probability that a sample has no loss, if clusters that are lost, of its
        largest ones, make F worse by the margin.
        """
        assert self.pairs is not None
        assert self.pairs.clusters is not None
        largest = np.sort(self.pairs.clusters.sizes)[::-1]
        share = self._points(margin) * largest.sum() / np.cumsum(largest)
        return float((np.maximum(1 - share, 0) ** np.arange(1, len(largest) + 1)).max())

    def _points(self, margin: float) -> float:
        return margin if self.kind == "points" else margin * self._base

    @cached_property
    def _base(self) -> float:
        """The baseline's score, of which relative margins are shares."""
        return float((self.o if self.baseline_is_other else self.f).score)

    def _by_flips(self, margin: float) -> float:
        """The certified probability that fair signs make the sum of shifted differences as large.

        In integers, of the margin as the decimal number that it is written as, so that ties count.
        """
        favoured, other, shift = map(Fraction, self.weights(Fraction(str(margin))))
        step = shift / self.f.factor
        size = float(np.abs(self._differences(margin)).sum())
        size += abs(float(step)) * float(self.f.y.sum())
        room = LARGEST_SUM / 4 / max(size, 1.0)
        over = math.lcm(favoured.denominator, other.denominator, step.denominator)
        if over <= room:  # exactly: F - O, which is small, and what the weights change of either
            unit = over << max(0, math.floor(math.log2(room / over)))
            differences = unit * (self.f.x - self.o.x) + int(step * unit) * self.f.y
            for weight, x in ((favoured - 1, self.f.x), (1 - other, self.o.x)):
                if weight:
                    differences += int(weight * unit) * x
            slack = 2 * self.slack * unit
        else:
            differences = np.rint(self._differences(margin) * room).astype(np.int64)
            slack = len(differences) + math.ceil(2 * self.slack * room + 2.0**-50 * size * room)
        budget = FACTORS + FACTORS_OF_UNIT * len(differences)
        reached = int(differences.sum()) - slack
        _, high, exponent = tail_bounds(differences, reached, TOLERANCE, budget)
        return min(1.0, math.ldexp(high, max(exponent, -2000)))

    @cached_property
    def _drawn(self) -> dict[float, tuple[NDArray[np.float64], float, float]]:
        return {}

    def _resampled(self, margin: float) -> tuple[NDArray[np.float64], float, float]:
        """Of the difference without a shift: only weights change what is drawn."""
        favoured, other, _ = self.weights(margin)
        key = other / favoured if favoured else math.inf
        if key not in self._drawn:
            comparison, size = self._weighted(favoured, other, 0.0)
            t, estimate, error = studentized_resamples(comparison, _RATIO, RESAMPLES, self.rng)
            self._drawn[key] = t, estimate * size, error * size
        return self._drawn[key]

    def _weighted(self, favoured: float, other: float, shift: float) -> tuple[Comparison, float]:
        """Both systems as ratios of integers, shifted apart, and what 1 of a ratio stands for."""
        factor = float(self.f.factor)
        total = self.f.below + self.o.below
        up, down = shift / factor * self.o.below / total, shift / factor * self.f.below / total
        f = favoured * self.f.x + up * self.f.y
        o = other * self.o.x - down * self.o.y
        largest = max(np.abs(f).max(initial=0), np.abs(o).max(initial=0), 1.0)
        room = LARGEST_SUM / 4 / (largest * len(f))  # for sums of resamples
        scale = max(min(1.0, room), LARGEST / largest)
        rows = [np.stack([np.rint(own * scale).astype(np.int64), ratio.y], axis=1)
                for own, ratio in ((f, self.f), (o, self.o))]  # fmt: skip
        return Comparison.from_statistics(rows[0], rows[1], _COLUMNS), factor / scale

    def _by_swaps(self, margin: float, n_resamples: int) -> float:
        comparison, _ = self._weighted(*self.weights(margin))
        found = randomization_test(
            comparison, _RATIO, statistic="studentized", alternative="greater",
            method="approximate", n_resamples=n_resamples, rng=self.rng,
        )  # fmt: skip
        return float(found.pvalue)

    def limit(self, way: Way, margin: float, alpha: float, reached: float) -> float:
        """The largest margin that is not rejected; `reached` is the p-value at the margin."""
        found = self._limit(way, alpha)
        # Searches and draws are rough: the limit never contradicts p.
        return min(found, margin) if reached <= alpha else max(found, margin)

    def _limit(self, way: Way, alpha: float) -> float:
        if way in ("exact", "score"):
            assert self.pairs is not None
            return largest_margin(self.pairs.x, self.pairs.y, self.pairs.n, alpha)
        if way == "jackknife":
            assert self.function is not None
            difference, error, df = self.function
            return t_quantile(df, 1 - alpha) * error - difference
        if way == "bootstrap" and self.kind == "points":
            t, estimate, error = self._resampled(0.0)
            level = alpha / (alpha + self.raised * (1 - alpha))
            place = math.floor(level * (len(t) + 1))
            return float(np.sort(t)[-place]) * error - estimate if place else math.inf
        f, o = float(self.f.score), float(self.o.score)
        base = self._base
        error = float(np.sqrt((self.residuals**2).sum()))
        if way == "alike":
            share = 1 - alpha ** (1 / len(self.f.x))
            lost = share * self._range - (f - o)
            return math.inf if share > 0.5 else lost / (1.0 if self.kind == "points" else base)
        if self.kind == "points":
            start, step, most = o - f, error, math.inf if self.pairs is None else 1.0
        elif not base:
            return math.inf
        else:
            start = (o - f) / base if self.baseline_is_other else o / f - 1
            step = error / base
            most = 1.0 if self.baseline_is_other else math.inf
        step = step or abs(start) or 1.0

        def above(margin: float) -> float:
            p = self.pvalue(margin, way, alpha, OF_LIMITS)
            return math.log(max(p, 1e-300) / alpha)

        # At the observed difference nothing is rejected; about here the limit is.
        low, high = start, start + normal_quantile(alpha) * step
        while (rest := above(min(high, most))) > 0:
            if high >= most:
                return most
            if high - start > 64 * step:
                return math.inf
            low, high = high, high + step * max(1.0, rest)
        return crossing(above, low, min(high, most), 1e-3 * step)


def normal_power(error: float, margin: float, alpha: float, difference: float = 0.0) -> float:
    """How often a normal test finds a difference to be above -margin."""
    return _normal_tail(normal_quantile(alpha) - (margin + difference) / error)


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
class MarginResult(Shown, report="csig.margins.gate"):
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
