"""One side of a margin: is a system's score below another's by no more than that?

Every side asks of a favoured system F and another one O whether weight_F F - weight_O O is above
-shift, the null hypothesis being that it is not. Equivalence has two sides.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from csig.comparing.bootstrap import studentized_resamples
from csig.comparing.intervals import FACTORS, FACTORS_OF_UNIT, TOLERANCE, Ratio
from csig.comparing.randomization import randomization_test
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
        size = float(np.abs(self._differences(margin)).sum()) + float(step) * float(self.f.y.sum())
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
        scale = max(1.0, LARGEST / largest)
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
