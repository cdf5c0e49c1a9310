"""Two independent samples, as timings of two programs: the studentised permutation test.

There are no units in common: under the null hypothesis every division of all values into samples
of these sizes is as likely. Where the samples may differ in more than what is compared, the
studentised difference keeps the level nearly (Janssen 1997; Chung and Romano 2013).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

import numpy as np

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
from csig.classical.unpaired_divisions import UnpairedMetric, divisions, estimate_of
from csig.probability.corrections import adjusted
from csig.probability.tables import midranks
from csig.results.randomization import Seed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

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
class UnpairedTests(Shown, report="csig.classical.unpaired_report"):
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
    numbers = np.asarray(values, dtype=np.float64)
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
    if not (isinstance(a, Mapping) and isinstance(b, Mapping)):
        if isinstance(a, Mapping) or isinstance(b, Mapping):
            raise InputError("a, b: expected two mappings, or two sequences")
        a, b = {f"{names[0]} - {names[1]}": a}, {f"{names[0]} - {names[1]}": b}
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
