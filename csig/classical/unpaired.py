"""Two independent samples, as timings of two programs: the studentised permutation test.

There are no units in common: under the null hypothesis every division of all values into samples
of these sizes is as likely. Where the samples may differ in more than the mean, the studentised
difference keeps the level nearly (Janssen 1997; Chung and Romano 2013).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.random import Generator

from csig import streams
from csig.base.errors import InputError
from csig.base.shown import Shown, ShownRows, ShownTuple
from csig.base.validation import Alternative, between, check_alternative, positive, public
from csig.base.wording import coded, counted, listed
from csig.classical.paired import t_pvalue
from csig.probability.corrections import holm
from csig.probability.tables import midranks
from csig.results.randomization import Seed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

#: More different divisions are not enumerated; so many are drawn at most, or as have these cells.
MOST_DIVISIONS, RESAMPLES, CELLS = 2**18, 99_999, 2**25

#: The most ways that doubles can count, and what larger values have no finite sums.
MOST_WAYS, LARGEST = 10**300, 1e300

#: Divisions whose statistics differ by less, and than this share, are ties.
SAME = 1e-10

#: Halvings of the interval's ends, and how far they may lie, in standard errors (a power of two).
HALVINGS, FARTHEST = 16, 2**12

#: The order of the runs is doubted where they correlate so much, with so small a p-value.
NOTABLE, DOUBTED = 0.2, 0.001


@dataclass(frozen=True, kw_only=True)
class UnpairedTest(ShownRows):
    """Two independent samples, A and B."""

    name: str  #: What was measured.
    n_a: int  #: n_a, n_b: how many values there are.
    n_b: int
    mean_a: float  #: mean_a, mean_b: their means.
    mean_b: float
    difference: float  #: The mean of A minus that of B.
    statistic: float  #: The difference divided by its standard error (Welch's t).
    pvalue: float  #: Of the permutation test.
    #: The shifts of A that are not rejected; None of one-sided tests, and where none can be.
    interval: tuple[float, float] | None
    adjusted_pvalue: float | None  #: Holm-adjusted over all that are tested together.
    n_resamples: int | None  #: Divisions that were drawn; None where all were enumerated.
    autocorrelations: tuple[float, float]  #: Of A and B: of every value with the next.
    order_pvalues: tuple[float, float]  #: Of A and B: that the order is random (Bartels 1982).

    @property
    def ratio(self) -> float:
        """The mean of A as a share of B's; NaN unless B's is above 0, and A's is not below."""
        return self.mean_a / self.mean_b if self.mean_b > 0 <= self.mean_a else math.nan


@dataclass(frozen=True, kw_only=True, repr=False)
class UnpairedTests(Shown, report="csig.classical.unpaired_report"):
    """Tests of the same things in two independent runs, as the benchmarks of a suite."""

    tests: ShownTuple[UnpairedTest]  #: In the order of the first mapping.
    alternative: Alternative  #: Of A minus B.
    alpha: float  #: The level of the verdicts, all together.
    confidence_level: float  #: Of the intervals.
    seed: Seed  #: What repeats the drawn divisions.
    doubts: tuple[str, ...] = ()  #: What may be wrong.
    names: tuple[str, str] = ("A", "B")  #: What A and B are called.

    def _line(self) -> str:
        n = sum((own.adjusted_pvalue or 0) <= self.alpha for own in self.tests)
        return f"{n} of {len(self.tests)} significant at {self.alpha:g}"


class _Divisions(NamedTuple):
    """Divisions of all values: how many of the first sample are A's, sums, and of A's the sum."""

    k: Floats
    sums: Floats
    squares: Floats
    of_a: Floats
    weights: Floats  # in how many ways each arises
    drawn: bool

    def statistics(self, x: Floats, y: Floats, shift: float) -> tuple[Floats, float]:
        """Those of all divisions, and of the observed one, if A is moved down by `shift`."""
        n, m = len(x), len(y)
        moved = x - shift
        total, squares = float(moved.sum() + y.sum()), float(moved @ moved + y @ y)
        own = _statistic(moved.sum(), moved @ moved, total, squares, n, m)
        s = self.sums - shift * self.k
        q = self.squares - 2 * shift * self.of_a + shift**2 * self.k
        return _statistic(s, q, total, squares, n, m), float(own)

    def pvalue(self, x: Floats, y: Floats, shift: float, alternative: Alternative) -> float:
        """How often a division is as extreme."""
        found, own = self.statistics(x, y, shift)
        if alternative == "two-sided":
            found, own = np.abs(found), abs(own)
        elif alternative == "less":
            found, own = -found, -own
        hits = found >= (own - SAME * (1 + abs(own)) if math.isfinite(own) else own)
        if self.drawn:
            return float((hits.sum() + 1) / (len(hits) + 1))
        return min(1.0, float(self.weights @ hits / self.weights.sum()))


def _statistic(s: Any, q: Any, total: float, squares: float, n: int, m: int) -> Floats:
    """The studentised difference of a sample with this sum and sum of squares from the rest."""
    difference = s / n - (total - s) / m
    first, rest = q - s * s / n, (squares - q) - (total - s) ** 2 / m
    variance = first / ((n - 1) * n) + rest / ((m - 1) * m)
    least = 1e-14 * squares / (n + m)
    beyond = np.where(np.abs(difference) <= 1e-14 * math.sqrt(squares), 0.0, np.inf)
    root = np.sqrt(np.maximum(variance, least))
    studentized = np.divide(difference, root, out=np.zeros_like(root), where=variance > least)
    return np.asarray(np.where(variance > least, studentized, np.copysign(beyond, difference)))


def _parts(values: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """All parts of a sample: their sizes, sums, sums of squares, and in how many ways they arise.

    Equal values are taken together, so that few values have few parts however many there are.
    """
    k, s, q, ways = (np.array([start]) for start in (0.0, 0.0, 0.0, 1.0))
    for value, number in zip(*np.unique(values, return_counts=True), strict=True):
        t = np.arange(number + 1.0)
        choices = np.array([math.comb(int(number), int(i)) for i in t], dtype=float)
        k, s, q = (np.add.outer(t * step, own).ravel()
                   for step, own in ((1.0, k), (value, s), (value**2, q)))  # fmt: skip
        ways = np.multiply.outer(choices, ways).ravel()
    return k, s, q, ways


def _sizes(values: Floats) -> list[int]:
    """How many different parts of each size there are."""
    sizes = [1]
    for number in np.unique(values, return_counts=True)[1].tolist():
        sizes = np.convolve(np.array(sizes, dtype=object), [1] * (number + 1)).tolist()
    return sizes


def _divisions(x: Floats, y: Floats, source: streams.Source, number: int, run: int) -> _Divisions:
    """All divisions, if they are few enough, else some."""
    n, m = len(x), len(y)
    a, b = _sizes(x), _sizes(y)
    different = sum(a[k] * b[n - k] for k in range(max(0, n - m), n + 1))
    if different <= MOST_DIVISIONS and math.comb(n + m, n) <= MOST_WAYS:
        of_x, of_y = _parts(x), _parts(y)
        blocks = []
        for k in range(max(0, n - m), n + 1):
            k_x, s_x, q_x, w_x = (own[of_x[0] == k] for own in of_x)
            _, s_y, q_y, w_y = (own[of_y[0] == n - k] for own in of_y)
            blocks.append([
                np.repeat(k_x, len(s_y)), np.add.outer(s_x, s_y).ravel(),
                np.add.outer(q_x, q_y).ravel(), np.repeat(s_x, len(s_y)),
                np.multiply.outer(w_x, w_y).ravel(),
            ])  # fmt: skip
        k_, s, q, of_a, weights = (np.concatenate(own) for own in zip(*blocks, strict=True))
        return _Divisions(k_, s, q, of_a, weights, False)
    rng = Generator(source.bit_generator("unpaired", run, 0))
    every, blocks = np.concatenate([x, y]), []
    for start in range(0, number, step := max(1, 2**20 // (n + m))):
        rows = np.broadcast_to(np.arange(n + m), (min(step, number - start), n + m))
        index = rng.permuted(rows, axis=1)[:, :n]
        values, of_a = every[index], index < n
        blocks.append([of_a.sum(axis=1), values.sum(axis=1), (values**2).sum(axis=1),
                       (values * of_a).sum(axis=1)])  # fmt: skip
    k_, s, q, of_a = (np.concatenate(own).astype(float) for own in zip(*blocks, strict=True))
    return _Divisions(k_, s, q, of_a, np.empty(0), True)


def _interval(
    divisions: _Divisions, x: Floats, y: Floats, alpha: float
) -> tuple[float, float] | None:
    """The shifts that are not rejected: from the difference outward until one is, then halving."""
    middle = x.mean() - y.mean()
    error = math.sqrt(x.var(ddof=1) / len(x) + y.var(ddof=1) / len(y))
    ends = []
    for side in (-1, 1):
        near, far = 0.0, 2.0
        while divisions.pvalue(x, y, middle + side * far * error, "two-sided") > alpha:
            if far == FARTHEST or error == 0:
                return None
            near, far = far, 2 * far
        for _ in range(HALVINGS):
            between_ = (near + far) / 2
            kept = divisions.pvalue(x, y, middle + side * between_ * error, "two-sided") > alpha
            near, far = (between_, far) if kept else (near, between_)
        ends.append(float(middle + side * far * error))
    return ends[0], ends[1]


def autocorrelation(values: Floats) -> tuple[float, float]:
    """That of every value with the next, and the p-value that the order is random.

    Bartels's rank version of von Neumann's ratio (1982, Journal of the American Statistical
    Association 77), one-sided: neighbours are more alike than at random.
    """
    if np.ptp(values) == 0:
        return 0.0, 1.0
    apart = values - values.mean()
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


@public("csig.classical")
def unpaired_tests(
    a: Mapping[str, Sequence[float]] | Sequence[float],
    b: Mapping[str, Sequence[float]] | Sequence[float],
    *,
    alternative: Alternative = "two-sided",
    alpha: float = 0.05,
    confidence_level: float | None = None,
    n_resamples: int | None = None,
    rng: streams.Seed = None,
    names: tuple[str, str] = ("A", "B"),
) -> UnpairedTests:
    """Test independent samples, as timings: is A's mean another than B's?

    Parameters
    ----------
    a, b : mapping {name: values}, or sequence of float
        The values of single runs, two or more; of several benchmarks by their names, which are the
        same in both. They are in the order in which they were taken.
    alternative : {"two-sided", "less", "greater"}
        Whether A differs from B, is less, is greater.
    alpha : float
        The level of the verdicts, Holm-adjusted over the benchmarks.
    confidence_level : float, optional
        Of the intervals of the differences, each on its own; by default 1 - alpha.
    n_resamples : int, optional
        Divisions that are drawn where all are too many: by default 99,999, fewer of more than some
        300 values.
    rng : None, int, sequence of int, SeedSequence, BitGenerator or Generator
        The seed.
    names : pair of str
        What A and B are called in reports.

    Returns
    -------
    UnpairedTests
        In `tests` the means, the ratio, p and its adjusted value, the interval, and whether
        successive values correlate; in `doubts` what that means for p.

    Raises
    ------
    InputError
        If a sample has fewer than two values, or the benchmarks are others.

    Notes
    -----
    The statistic is the difference of the means divided by its standard error. Its distribution is
    that over all divisions of the values into two samples of these sizes, which are enumerated up
    to 2^18 that differ, equal values taken together, else drawn. p is exact if both distributions
    are the same, and nearly so if only the means are (Janssen 1997, Statistics and Probability
    Letters 36; Chung and Romano 2013, Annals of Statistics 41). The interval holds the shifts of A
    that the same test does not reject. All this takes runs for independent of each other.

    Examples
    --------
    >>> import csig
    >>> new, base = [9.1, 8.7, 9.0, 8.8, 8.9], [9.4, 9.9, 9.3, 9.6, 9.5]
    >>> (test,) = csig.classical.unpaired_tests(new, base).tests
    >>> round(test.pvalue, 4), round(test.ratio, 3)
    (0.0079, 0.933)
    """
    check_alternative(alternative)
    between("alpha", alpha)
    level = 1 - alpha if confidence_level is None else confidence_level
    between("confidence_level", level)
    if not (isinstance(a, Mapping) and isinstance(b, Mapping)):
        if isinstance(a, Mapping) or isinstance(b, Mapping):
            raise InputError("a, b: expected two mappings, or two sequences")
        a, b = {f"{names[0]} - {names[1]}": a}, {f"{names[0]} - {names[1]}": b}
    if a.keys() != b.keys() or not a:
        raise InputError(f"a, b: found {len(a)} and {len(b)} benchmarks, expected the same names")
    source = streams.make_source(rng)
    tests, doubted = [], []
    for run, name in enumerate(a):
        x, y = (_sample(f"{side}[{name!r}]", own[name]) for side, own in (("a", a), ("b", b)))
        # What is far from 0, or very small, loses digits in squares.
        centre, unit = float(y.mean()), float(np.ptp(np.concatenate([x, y]))) or 1.0
        u, v = (x - centre) / unit, (y - centre) / unit
        number = max(9_999, min(RESAMPLES, CELLS // (len(x) + len(y))))
        number = number if n_resamples is None else positive("n_resamples", n_resamples, 2**24)
        divisions = _divisions(u, v, source, number, run)
        ends = None
        if alternative == "two-sided":
            ends = _interval(divisions, u, v, (1 - level) * (1 + 1e-12))  # both are rounded
        orders = [autocorrelation(own) for own in (x, y)]
        test = UnpairedTest(
            name=name,
            n_a=len(x),
            n_b=len(y),
            mean_a=float(x.mean()),
            mean_b=float(y.mean()),
            difference=float(x.mean() - y.mean()),
            statistic=divisions.statistics(u, v, 0.0)[1],
            pvalue=divisions.pvalue(u, v, 0.0, alternative),
            interval=None if ends is None else (ends[0] * unit, ends[1] * unit),
            adjusted_pvalue=None,
            n_resamples=number if divisions.drawn else None,
            autocorrelations=(orders[0][0], orders[1][0]),
            order_pvalues=(orders[0][1], orders[1][1]),
        )
        tests.append(test)
        for who, (r, p) in zip(names, orders, strict=True):
            doubted += [(f"{who}, {name} (r = {r:.2f})", r)] * (r >= NOTABLE and p <= DOUBTED)
    corrected = holm([own.pvalue for own in tests], alpha)
    doubts = []
    if doubted:
        shown = listed([text for text, _ in sorted(doubted, key=lambda own: -own[1])[:3]])
        doubts = coded("successive-runs", [
            f"Successive runs are alike in {counted(len(doubted), 'sample')}: {shown}. The test "
            "takes runs for independent, so that its p is too small there; interleave base and "
            "new, or restart the program for each run."
        ])  # fmt: skip
    return UnpairedTests(
        tests=ShownTuple(
            replace(own, adjusted_pvalue=row.adjusted_pvalue)
            for own, row in zip(tests, corrected, strict=True)
        ),
        alternative=alternative,
        alpha=alpha,
        confidence_level=level,
        seed=Seed(source.name, source.entropy, source.spawn_key, 0),
        doubts=tuple(doubts),
        names=names,
    )
