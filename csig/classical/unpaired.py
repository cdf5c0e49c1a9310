"""Two independent samples, as timings of two programs: the studentised permutation test.

There are no units in common: under the null hypothesis every division of all values into samples
of these sizes is as likely. Where the samples may differ in more than what is compared, the
studentised difference keeps the level nearly (Janssen 1997; Chung and Romano 2013).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, get_args

import numpy as np
from numpy.random import BitGenerator, Generator

from csig import streams
from csig.base.errors import InputError
from csig.base.shown import Shown, ShownRows, ShownTuple
from csig.base.validation import (
    Alternative,
    between,
    check_alternative,
    one_of,
    positive,
    public,
)
from csig.base.wording import coded, counted, listed
from csig.classical.paired import t_pvalue
from csig.probability.corrections import adjusted
from csig.probability.tables import midranks
from csig.results.randomization import Seed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats: TypeAlias = NDArray[np.float64]

UnpairedMetric: TypeAlias = Literal["mean", "median", "trimmed_mean"]


class _Limits(NamedTuple):
    """More different divisions are not enumerated; so many are drawn, or as have these cells."""

    divisions: int
    drawn: int
    cells: int
    fewest: int


#: Of means four numbers of a division are enough; others need the order of all its values.
OF_MEANS = _Limits(2**18, 99_999, 2**25, 9_999)
OF_ORDERS = _Limits(2**16, 9_999, 2**22, 199)

#: The most ways that doubles can count.
MOST_WAYS = 10**300

#: Statistics that differ by less, and than this share, are ties.
SAME = 1e-10

#: How well the interval's ends are known, and how far they may lie, in standard errors.
TOLERANCE, FARTHEST = 2**-13, 2**12


class _Pool(NamedTuple):
    """All values: the different ones of A, then those of B, and how often each arises."""

    values: Floats
    numbers: NDArray[np.intp]
    of_a: NDArray[np.bool_]
    n: int
    m: int

    @classmethod
    def of(cls, x: Floats, y: Floats) -> _Pool:
        (a, in_a), (b, in_b) = (np.unique(own, return_counts=True) for own in (x, y))
        of_a = np.arange(len(a) + len(b)) < len(a)
        return cls(np.append(a, b), np.append(in_a, in_b), of_a, len(x), len(y))

    def shifted(self, shift: float) -> Floats:
        """The values, those of A moved down."""
        return self.values - shift * self.of_a


#: Of every division, and of the observed one first, the difference and its variance if A is moved
#: down by a shift; and below which variance there is none.
Moments = Callable[[float], tuple["Floats", "Floats", float]]


class Divisions(NamedTuple):
    """The divisions of two samples, the observed one first, and in how many ways each arises."""

    moments: Moments
    weights: Floats
    n_drawn: int | None

    def statistic(self) -> float:
        """The observed one: the difference divided by its standard error."""
        difference, variance, least = self.moments(0.0)
        if variance[0] > least:
            return float(difference[0] / math.sqrt(variance[0]))
        return math.copysign(math.inf, difference[0]) if difference[0] else 0.0

    def pvalue(self, shift: float, alternative: Alternative) -> float:
        """How often a division is as extreme, if A is moved down by a shift."""
        difference, variance, least = self.moments(shift)
        found = difference / np.sqrt(np.maximum(variance, least))
        if alternative != "greater":
            found = np.abs(found) if alternative == "two-sided" else -found
        hits = found >= found[0] - SAME * (1 + abs(found[0]))
        return min(1.0, float(self.weights.sum(where=hits) / self.weights.sum()))

    def interval(self, alpha: float) -> tuple[float, float] | None:
        """The shifts that are not rejected: from the difference outward until one is.

        0 is among them just if it is not rejected, though p may cross alpha more than once.
        """
        differences, variances, least = self.moments(0.0)
        middle, error = float(differences[0]), math.sqrt(max(0.0, variances[0]))
        if error**2 <= least:
            return None
        ends = []
        for side in (-error, error):

            def excess(distance: float, side: float = side) -> float:
                """Above 0 where a shift is not rejected, and falling nearly as a line does."""
                p = self.pvalue(middle + distance * side, "two-sided")
                return math.sqrt(-math.log(alpha)) - math.sqrt(-math.log(p))

            near, above, most = 0.0, math.sqrt(-math.log(alpha)), float(FARTHEST)
            if (zero := -middle / side) > 0:
                if (at_zero := excess(zero)) > 0:
                    near, above = zero, at_zero
                else:
                    most = zero
            far = min(near + 2, most)
            below = excess(far)
            while below > 0:
                if far >= most:
                    return None
                near, above, far = far, below, min(2 * far, most)
                below = excess(far)
            last = 0.0
            while far - near > TOLERANCE:  # where the line crosses 0; an end that stays weighs half
                at = near + (far - near) * above / (above - below)
                at = min(max(at, near + TOLERANCE / 2), far - TOLERANCE / 2)
                own = excess(at)
                if own > 0:
                    near, above, below = at, own, below / 2 if last > 0 else below
                else:
                    far, above, below = at, above / 2 if last < 0 else above, own
                last = own
            ends.append(middle + side * far)
        return ends[0], ends[1]


def _of_means(pool: _Pool, rows: Floats) -> Moments:
    """Welch's: of divisions are known how many values are A's, sums, of squares, and of A's."""
    k, s, q, of_a = np.ascontiguousarray(rows.T)
    n, m = pool.n, pool.m
    a, b = 1 / (n * (n - 1)), 1 / (m * (m - 1))

    def moments(shift: float) -> tuple[Floats, Floats, float]:
        values = pool.shifted(shift)
        total, squares = float(pool.numbers @ values), float(pool.numbers @ values**2)
        sums = s - shift * k
        own = q - shift * (2 * of_a - shift * k)
        variance = own * (a - b) - sums * (sums * (a / n + b / m) - 2 * total * b / m)
        variance += squares * b - total**2 * b / m
        return sums * (1 / n + 1 / m) - total / m, variance, _least(squares, pool)

    return moments


def _least(squares: float, pool: _Pool) -> float:
    return max(1e-14 * squares / (pool.n + pool.m), 1e-300)


class _Weights(NamedTuple):
    """How many values, in their order, have which share of an estimate and of its variance."""

    estimate: Floats
    variance: Floats
    factor: float


def _weights(metric: UnpairedMetric, n: int) -> _Weights:
    below = np.arange(n + 1)
    if metric == "median":
        from scipy.special import betainc  # for those who want medians

        estimate = np.clip((below - (n - 1) // 2) / (2 - n % 2), 0, 1)
        return _Weights(estimate, betainc((n + 1) / 2, (n + 1) / 2, below / n), 1.0)
    cut = n // 5 if metric == "trimmed_mean" else 0
    kept = n - 2 * cut
    winsorized = np.where(below <= cut, 0, np.where(below < n - cut, below / n, 1))
    factor = n / (kept * (kept - 1))
    return _Weights(np.clip((below - cut) / kept, 0, 1), winsorized, factor)


def estimate_of(metric: UnpairedMetric, values: Floats) -> float:
    """A sample's mean, median or trimmed mean."""
    if metric == "mean":
        return float(values.mean())
    return float(np.sort(values) @ np.diff(_weights(metric, len(values)).estimate))


def _of_orders(pool: _Pool, rows: Floats, metric: UnpairedMetric) -> Moments:
    """Of divisions are known how often each value is in the first sample."""
    sides = [(-1, _weights(metric, pool.n)), (1, _weights(metric, pool.m))]
    counts = np.ascontiguousarray(rows.T, np.min_scalar_type(pool.n))
    number = counts.shape[1]
    step = max(1, 2**15 // len(counts))

    def moments(shift: float) -> tuple[Floats, Floats, float]:
        values = pool.shifted(shift)
        values -= values.max()
        order = np.argsort(values, kind="stable")
        gaps = np.diff(np.stack([values[order], values[order] ** 2]))
        below = np.cumsum(pool.numbers[order])[:-1, None]
        difference, variance = np.zeros((2, number))
        for start in range(0, number, step):
            block = slice(start, start + step)
            first = counts[order[:-1], block].astype(np.intp)
            for one, two in pairwise(first):  # sums, four times as fast as np.cumsum
                two += one
            for (sign, own), inside in zip(sides, (first, below - first), strict=True):
                difference[block] += sign * (gaps[0] @ own.estimate.take(inside))
                mean, square = gaps @ own.variance.take(inside)
                variance[block] -= own.factor * (square + mean**2)
        return difference, variance, _least(float(pool.numbers @ values**2), pool)

    return moments


def _sizes(numbers: NDArray[np.intp], most: int, limit: int) -> NDArray[np.int64]:
    """How many different parts there are of each size up to one; of more than a limit, too many."""
    sizes = np.ones(1, np.int64)
    for number in numbers.tolist():
        sums = np.cumsum(np.append(sizes, np.zeros(min(number, most), np.int64)))
        sums[number + 1 :] -= sums[: -number - 1].copy()
        sizes = sums[: most + 1]
        if sizes.sum() > limit:
            return np.full(most + 1, limit + 1)
    return sizes


def _parts(
    numbers: NDArray[np.intp], features: Floats, most: int
) -> tuple[NDArray[np.intp], Floats, Floats]:
    """All parts of up to so many values: sizes, sums of features, in how many ways they arise.

    Equal values are taken together, so that few values have few parts however many there are.
    """
    sizes, sums, ways = np.zeros(1, np.intp), np.zeros((1, features.shape[1])), np.ones(1)
    for number, own in zip(numbers.tolist(), features, strict=True):
        t = np.arange(min(number, most) + 1)
        sizes = np.add.outer(sizes, t).ravel()
        kept = sizes <= most
        sums = (sums[:, None] + np.multiply.outer(t, own)).reshape(-1, len(own))[kept]
        choices = np.array([math.comb(number, i) for i in t.tolist()], dtype=float)
        sizes, ways = sizes[kept], np.multiply.outer(ways, choices).ravel()[kept]
    return sizes, sums, ways


def _enumerated(pool: _Pool, features: Floats) -> tuple[Floats, Floats]:
    """Every division: some values of A leave, at first none, and as many of B enter."""
    most = min(pool.n, pool.m)
    left, entered = (
        _parts(pool.numbers[own], features[own], most) for own in (pool.of_a, ~pool.of_a)
    )
    start = pool.numbers[pool.of_a] @ features[pool.of_a]
    rows, weights = [], []
    for size in range(most + 1):
        (out, out_ways), (in_, in_ways) = (
            (sums[sizes == size], ways[sizes == size]) for sizes, sums, ways in (left, entered)
        )
        rows.append((start - out[:, None] + in_).reshape(-1, features.shape[1]))
        weights.append(np.multiply.outer(out_ways, in_ways).ravel())
    return np.concatenate(rows), np.concatenate(weights)


def _drawn(
    pool: _Pool, x: Floats, y: Floats, features: Floats | None, rng: Generator, number: int
) -> Iterator[NDArray[Any]]:
    """Of so many divisions, by blocks, the sums of features, or how often each value is in A."""
    every, values = pool.n + pool.m, len(pool.values)
    few = 4 * values <= every  # then their numbers are drawn, else values one by one
    a, b = pool.values[pool.of_a], pool.values[~pool.of_a]
    column = np.append(np.searchsorted(a, x), len(a) + np.searchsorted(b, y))
    step = max(1, 2**20 // (values if few else every))
    for size in (min(step, number - start) for start in range(0, number, step)):
        if few:
            counts = rng.multivariate_hypergeometric(pool.numbers, pool.n, size, method="marginals")
            yield counts if features is None else counts @ features
            continue
        index = rng.permuted(np.broadcast_to(np.arange(every), (size, every)), axis=1)
        chosen = column[index[:, : pool.n]]
        if features is not None:
            yield np.stack([own.take(chosen).sum(axis=1) for own in features.T], axis=1)
            continue
        chosen += values * np.arange(size)[:, None]
        yield np.bincount(chosen.ravel(), minlength=size * values).reshape(size, values)


def divisions(
    x: Floats,
    y: Floats,
    metric: UnpairedMetric,
    n_resamples: int | None,
    bits: Callable[[], BitGenerator],
) -> Divisions:
    """All divisions, if they are few enough, else some."""
    pool, means = _Pool.of(x, y), metric == "mean"
    limits, values, of_a = OF_MEANS if means else OF_ORDERS, pool.values, pool.of_a
    features = np.stack([of_a, values, values**2, values * of_a], axis=1) if means else None
    most = min(pool.n, pool.m)
    a, b = (_sizes(pool.numbers[own], most, limits.divisions) for own in (of_a, ~of_a))
    number = None
    if a @ b <= limits.divisions and math.comb(len(x) + len(y), len(x)) <= MOST_WAYS:
        rows, weights = _enumerated(pool, np.eye(len(values)) if features is None else features)
    else:
        size = len(x) + len(y) if means else len(values)
        usual = max(limits.fewest, min(limits.drawn, limits.cells // size))
        number = usual if n_resamples is None else n_resamples
        kind = float if means else np.min_scalar_type(len(x))
        rows = np.empty((number + 1, 4 if means else len(values)), kind)
        weights, own = np.ones(number + 1), pool.numbers * of_a
        rows[0], start = own if features is None else own @ features, 1
        for block in _drawn(pool, x, y, features, Generator(bits()), number):
            rows[start : start + len(block)] = block
            start += len(block)
    found = _of_means(pool, rows) if means else _of_orders(pool, rows, metric)
    return Divisions(found, weights, number)


#: Corrections for tests of any kind.
UnpairedCorrection: TypeAlias = Literal["holm", "bonferroni", "bh", "by"]

#: Larger values have no finite sums.
LARGEST = 1e300

#: The order of the runs is doubted where they correlate so much, with so small a p-value.
NOTABLE, DOUBTED = 0.2, 0.001


@dataclass(frozen=True, kw_only=True)
class UnpairedTest(ShownRows):
    """Two independent samples, A and B."""

    name: str  #: What was measured.
    system: str  #: What A is called.
    baseline: str  #: What B is called.
    n_a: int  #: n_a, n_b: how many values there are.
    n_b: int
    score_a: float  #: score_a, score_b: their means, or medians, or trimmed means.
    score_b: float
    difference: float  #: That of A minus that of B.
    statistic: float  #: The difference divided by its standard error; Welch's t of means.
    pvalue: float  #: Of the permutation test.
    #: The shifts of A that are not rejected; None of one-sided tests, and where none can be.
    interval: tuple[float, float] | None
    adjusted_pvalue: float  #: Adjusted for all that are tested together.
    n_resamples: int | None  #: Divisions that were drawn; None where all were enumerated.
    autocorrelations: tuple[float, float]  #: Of A and B: of every value with the next.
    order_pvalues: tuple[float, float]  #: Of A and B: that the order is random (Bartels 1982).

    @property
    def ratio(self) -> float:
        """The score of A as a share of B's; NaN unless B's is above 0, and A's is not below."""
        return self.score_a / self.score_b if self.score_b > 0 <= self.score_a else math.nan


@dataclass(frozen=True, kw_only=True, repr=False)
class UnpairedTests(Shown, report="csig.classical.report"):
    """Tests of the same things in independent runs, as the benchmarks of a suite."""

    tests: ShownTuple[UnpairedTest]  #: By benchmark, in the order of the first mapping.
    names: tuple[str, ...]  #: What the systems are called; of two, A and B.
    metric: UnpairedMetric  #: What is compared.
    alternative: Alternative  #: Of A minus B.
    correction: UnpairedCorrection  #: For all tests.
    alpha: float  #: The level of the verdicts, all together.
    confidence_level: float  #: Of the intervals.
    seed: Seed  #: What repeats the drawn divisions.
    doubts: tuple[str, ...] = ()  #: What may be wrong.

    def _line(self) -> str:
        n = sum(own.adjusted_pvalue <= self.alpha for own in self.tests)
        return f"{n} of {len(self.tests)} significant at {self.alpha:g}"


def autocorrelation(values: Floats) -> tuple[float, float]:
    """That of every value with the next, and the p-value that the order is random.

    Bartels's rank version of von Neumann's ratio (1982, Journal of the American Statistical
    Association 77), one-sided: neighbours are more alike than at random.
    """
    if np.ptp(values) == 0:
        return 0.0, 1.0
    apart = (values - values[0]) / np.ptp(values)  # squares of the smallest are 0, of others inf
    apart -= apart.mean()
    square = float(apart @ apart)
    n, ranks = len(values), midranks(values[None])[0]
    spread = float(((ranks - ranks.mean()) ** 2).sum())
    ratio = float((np.diff(ranks) ** 2).sum()) / spread
    variance = 4 * (n - 2) * (5 * n * n - 2 * n - 9) / (5 * n * (n + 1) * (n - 1) ** 2)
    z = (ratio - 2) / math.sqrt(variance) if variance else 0.0
    return float(apart[:-1] @ apart[1:]) / square, t_pvalue(z, None, "less")


def _sample(name: str, values: object) -> Floats:
    """One number per run."""
    try:
        numbers = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        numbers = np.empty(0)
    if numbers.ndim != 1 or len(numbers) < 2 or not (np.abs(numbers) < LARGEST).all():
        raise InputError(f"{name}: expected two finite numbers or more, found {values!r:.80}")
    return numbers


def _tested(
    systems: Sequence[tuple[str, Mapping[str, Sequence[float]]]],
    pairs: Sequence[tuple[int, int]],
    metric: UnpairedMetric,
    alternative: Alternative,
    correction: UnpairedCorrection,
    alpha: float,
    confidence_level: float | None,
    n_resamples: int | None,
    rng: streams.Seed,
) -> UnpairedTests:
    """Every pair of systems, by their numbers, on every benchmark."""
    check_alternative(alternative)
    one_of("metric", metric, get_args(UnpairedMetric))
    one_of("correction", correction, get_args(UnpairedCorrection))
    between("alpha", alpha)
    level = 1 - alpha if confidence_level is None else confidence_level
    between("confidence_level", level)
    if n_resamples is not None:
        positive("n_resamples", n_resamples, 2**24)
    source = streams.make_source(rng)
    tests: list[UnpairedTest] = []
    doubted: dict[str, float] = {}
    for name in systems[0][1]:
        samples = [_sample(f"{who}[{name!r}]", own[name]) for who, own in systems]
        orders = [autocorrelation(own) for own in samples]
        for (who, _), (r, p) in zip(systems, orders, strict=True):
            if r >= NOTABLE and p <= DOUBTED:
                doubted[f"{who}, {name} (r = {r:.2f})"] = r
        for i, j in pairs:
            x, y = samples[i], samples[j]
            # What is far from 0, or very small, loses digits in squares.
            unit = float(np.ptp(np.concatenate([x, y]))) or 1.0
            found = divisions(
                (x - y[0]) / unit, (y - y[0]) / unit, metric, n_resamples,
                partial(source.bit_generator, "unpaired", len(tests), 0),
            )  # fmt: skip
            ends = None
            if alternative == "two-sided":
                ends = found.interval((1 - level) * (1 + 1e-12))  # both are rounded
            scores = [estimate_of(metric, own) for own in (x, y)]
            tests.append(
                UnpairedTest(
                    name=name,
                    system=systems[i][0],
                    baseline=systems[j][0],
                    n_a=len(x),
                    n_b=len(y),
                    score_a=scores[0],
                    score_b=scores[1],
                    difference=scores[0] - scores[1],
                    statistic=found.statistic(),
                    pvalue=found.pvalue(0.0, alternative),
                    interval=None if ends is None else (ends[0] * unit, ends[1] * unit),
                    adjusted_pvalue=math.nan,
                    n_resamples=found.n_drawn,
                    autocorrelations=(orders[i][0], orders[j][0]),
                    order_pvalues=(orders[i][1], orders[j][1]),
                )
            )
    pvalues = np.array([own.pvalue for own in tests])
    together = adjusted(pvalues, np.log(pvalues), correction)[0].tolist()
    doubts = []
    if doubted:
        shown = listed(sorted(doubted, key=lambda own: -doubted[own])[:3])
        doubts = coded("successive-runs", [
            f"Successive runs are alike in {counted(len(doubted), 'sample')}: {shown}. The test "
            "takes runs for independent, so that its p is too small there; interleave base and "
            "new, or restart the program for each run."
        ])  # fmt: skip
    return UnpairedTests(
        tests=ShownTuple(
            replace(own, adjusted_pvalue=p) for own, p in zip(tests, together, strict=True)
        ),
        names=tuple(name for name, _ in systems),
        metric=metric,
        alternative=alternative,
        correction=correction,
        alpha=alpha,
        confidence_level=level,
        seed=Seed(source.name, source.entropy, source.spawn_key, 0),
        doubts=tuple(doubts),
    )


@public("csig.classical")
def unpaired_tests(
    a: Mapping[str, Sequence[float]] | Sequence[float],
    b: Mapping[str, Sequence[float]] | Sequence[float],
    metric: UnpairedMetric = "mean",
    *,
    alternative: Alternative = "two-sided",
    alpha: float = 0.05,
    confidence_level: float | None = None,
    n_resamples: int | None = None,
    rng: streams.Seed = None,
    names: tuple[str, str] = ("A", "B"),
) -> UnpairedTests:
    """Test independent samples, as timings: is A's mean, or median, another than B's?

    Parameters
    ----------
    a, b : mapping {name: values}, or sequence of float
        The values of single runs, two or more; of several benchmarks by their names, which are the
        same in both. They are in the order in which they were taken.
    metric : {"mean", "median", "trimmed_mean"}
        What is compared. The trimmed mean is that without the lowest and the highest fifth.
    alternative : {"two-sided", "less", "greater"}
        Whether A differs from B, is less, is greater.
    alpha : float
        The level of the verdicts, Holm-adjusted over the benchmarks.
    confidence_level : float, optional
        Of the intervals of the differences, each on its own; by default 1 - alpha.
    n_resamples : int, optional
        Divisions that are drawn where all are too many: by default 99,999, or 9,999 for medians and
        trimmed means; fewer of more than some 300 values (different ones of medians).
    rng : None, int, sequence of int, SeedSequence, BitGenerator or Generator
        The seed.
    names : pair of str
        What A and B are called in reports.

    Returns
    -------
    UnpairedTests
        In `tests` the scores, the ratio, p and its adjusted value, the interval, and whether
        successive values correlate; in `doubts` what that means for p.

    Raises
    ------
    InputError
        If a sample has fewer than two values, or the benchmarks are others.

    Notes
    -----
    The statistic is the difference divided by its standard error: Welch's of means, Yuen's (1974,
    Biometrika 61) of trimmed means, of medians that over all bootstrap samples (Efron 1979, Annals
    of Statistics 7). Its distribution is that over all divisions of the values into two samples of
    these sizes, which are enumerated up to 2^18 that differ (2^16 but for means), equal values
    taken together, else drawn. p is exact if both distributions are the same, and nearly so if only
    the scores are (Janssen 1997, Statistics and Probability Letters 36; Chung and Romano 2013,
    Annals of Statistics 41). The interval holds the shifts of A that the same test does not reject,
    from the difference outward. All this takes runs for independent of each other.

    Examples
    --------
    >>> import csig
    >>> new, base = [9.1, 8.7, 9.0, 8.8, 8.9], [9.4, 9.9, 9.3, 9.6, 9.5]
    >>> (test,) = csig.classical.unpaired_tests(new, base).tests
    >>> round(test.pvalue, 4), round(test.ratio, 3)
    (0.0079, 0.933)
    >>> csig.classical.unpaired_tests(new, base, "median").tests[0].difference
    -0.5999999999999996
    """
    if len({own for own in names if isinstance(own, str)}) != 2 or len(names) != 2:
        raise InputError(f"names: expected two different texts, found {names!r:.80}")
    if not (isinstance(a, Mapping) and isinstance(b, Mapping)):
        if isinstance(a, Mapping) or isinstance(b, Mapping):
            raise InputError("a, b: expected two mappings, or two sequences")
        a, b = {" - ".join(names): a}, {" - ".join(names): b}
    if a.keys() != b.keys() or not a:
        raise InputError(f"a, b: found {len(a)} and {len(b)} benchmarks, expected the same names")
    return _tested(
        list(zip(names, (a, b), strict=True)), [(0, 1)], metric, alternative, "holm", alpha,
        confidence_level, n_resamples, rng,
    )  # fmt: skip


@public("csig.classical")
def unpaired_systems(
    systems: Mapping[str, Mapping[str, Sequence[float]]],
    metric: UnpairedMetric = "mean",
    *,
    baseline: str | None = None,
    correction: UnpairedCorrection = "holm",
    alternative: Alternative = "two-sided",
    alpha: float = 0.05,
    confidence_level: float | None = None,
    n_resamples: int | None = None,
    rng: streams.Seed = None,
) -> UnpairedTests:
    """Test every pair of systems on every benchmark, as :func:`unpaired_tests` tests two.

    Parameters
    ----------
    systems : mapping {system: {name: values}}
        The values of single runs of every system, by benchmark, whose names are the same in all.
    metric : {"mean", "median", "trimmed_mean"}
        What is compared.
    baseline : str, optional
        The system with which all others are compared; by default all are, with those before them.
    correction : {"holm", "bonferroni", "bh", "by"}
        How p is adjusted for the number of tests: all pairs on all benchmarks.
    alternative : {"two-sided", "less", "greater"}
        Whether a system differs from the other, is less, is greater.
    alpha, confidence_level, n_resamples, rng
        As those of :func:`unpaired_tests`.

    Returns
    -------
    UnpairedTests
        In `tests` every pair on the first benchmark, then on the second.

    Raises
    ------
    InputError
        If there are fewer than two systems, a sample has fewer than two values, or the benchmarks
        are others.

    Examples
    --------
    >>> import csig
    >>> one, two = [9.1, 8.7, 9.0, 8.8, 8.9], [9.4, 9.9, 9.3, 9.6, 9.5]
    >>> systems = {"base": {"parse": two}, "new": {"parse": one}, "newer": {"parse": one}}
    >>> for test in csig.classical.unpaired_systems(systems).tests:
    ...     print(test.system, test.baseline, round(test.adjusted_pvalue, 3))
    new base 0.024
    newer base 0.024
    newer new 1.0
    """
    if not isinstance(systems, Mapping) or len(systems) < 2:
        raise InputError(f"systems: expected two or more by their names, found {systems!r:.80}")
    names = list(systems)
    if baseline is not None:
        one_of("baseline", baseline, names)
    first = systems[names[0]]
    for name in names:
        if not isinstance(systems[name], Mapping):
            raise InputError(f"systems: expected a mapping {{name: values}} for {name!r}")
        if systems[name].keys() != first.keys() or not first:
            raise InputError(
                f"systems: {names[0]} and {name} have {len(first)} and {len(systems[name])} "
                "benchmarks, expected the same names"
            )
    pairs = [(j, i) for i, j in combinations(range(len(names)), 2)]
    if baseline is not None:
        of_all = names.index(baseline)
        pairs = [(i, of_all) for i in range(len(names)) if i != of_all]
    return _tested(
        list(systems.items()), pairs, metric, alternative, correction, alpha, confidence_level,
        n_resamples, rng,
    )  # fmt: skip
