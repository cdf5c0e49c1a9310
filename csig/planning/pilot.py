"""Power simulated from a pilot: how far units differ is the pilot's, in which direction declared.

Every unit of a simulated test set is one of the pilot, drawn with replacement, both systems'
outputs on it. The pilot decides how often and how far the systems differ, and nothing else: which
of the two is the new one is drawn for each unit, so that the better output is the new system's
with the probability at which the expected difference is the declared one. The pilot's own
difference is never used. For right/wrong items this is the model of `csig.planning.pairs`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.random import Generator
from scipy.special import ndtri

from csig.base.errors import InputError
from csig.base.wording import counted
from csig.data.comparison import Comparison, checked_metric
from csig.engines.questions import integer_weights
from csig.planning.pairs import MOST_ITEMS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from csig.data.metrics import Metric
    from csig.streams import Source

    Floats = NDArray[np.float64]

#: Shuffles of every simulated test: (hits + 1) / (shuffles + 1) can be 0.05.
SHUFFLES = 499

#: Up to so many units in a test all shuffles are made.
FEW_MOVED = 12

#: Of more units that differ, or of more at all, the shuffles' distribution is taken for normal.
MOST_DIFFER, MOST_SHUFFLED = 500, 20_000

#: Simulations that share their shuffles.
BLOCK = 50

#: A shuffle that is as extreme but for rounding is a hit.
SAME = 1 - 1e-9

#: Rounds of a search, each with a power simulated at a better guess, and where they end too soon.
ROUNDS, MOST_ROUNDS = 4, 14


class Simulated(NamedTuple):
    """The power at a number of units and a difference."""

    items: int
    difference: float
    power: float
    standard_error: float


@dataclass(frozen=True, eq=False)
class Pilot:
    """Both systems' numerators and denominators in every unit, (units, 2), the better one first."""

    better: Floats
    worse: Floats
    unit: str
    metric: Metric
    scores: tuple[float, float]  #: The base's and the new one's.
    names: tuple[str, str]
    #: The variance of a unit's difference between units and, of one repeat, within; None where
    #: there are no repeats, or the metric is no mean.
    variances: tuple[float, float] | None
    n_runs: int
    shares: bool | None  #: Whether all units' scores lie from 0 to 1, where that is known.

    @classmethod
    def of(cls, comparison: Comparison, metric: str | Metric) -> Pilot:
        """From a comparison, new minus base, and a metric that is a ratio of sums."""
        wanted = checked_metric(comparison, metric)
        if not wanted.linear_fractional:
            raise InputError(
                f"metric {wanted.name!r}: power is simulated for means and ratios of sums "
                "(accuracy, recall, precision, F), not for other functions of sums"
            )
        weights = np.array(integer_weights(comparison, wanted), dtype=float).T
        rows = comparison.rows()
        a, b = (own @ weights for own in (rows.a, rows.b))
        counting = (a != 0).any(axis=1) | (b != 0).any(axis=1)
        a, b = a[counting], b[counting]
        new, base = comparison.scores(wanted)
        if not (a[:, 1].sum() > 0 < b[:, 1].sum()):
            raise InputError(f"metric {wanted.name!r}: the pilot has no denominator")
        ratio = (a + b).sum(axis=0)
        gain = (a - b) @ [1.0, -ratio[0] / ratio[1]]
        first = (gain > 0)[:, None]
        variances = None
        if comparison.runs is not None:
            runs = [own @ weights for own in (comparison.runs.a, comparison.runs.b)]
            variances = _variances(*(own[:, counting] for own in runs))
        return cls(
            np.where(first, a, b), np.where(first, b, a), comparison.unit, wanted, (base, new),
            (comparison.names[1], comparison.names[0]), variances,
            1 if comparison.runs is None else comparison.runs.n, comparison.shares,
        )  # fmt: skip

    @property
    def n(self) -> int:
        """The units that the metric counts."""
        return len(self.better)

    @cached_property
    def n_differ(self) -> int:
        """Those on which the systems differ."""
        return int((self.better != self.worse).any(axis=1).sum())

    @cached_property
    def constant(self) -> bool:
        """Whether every unit's denominator is the same for both systems, as of a mean."""
        return bool((self.better[:, 1] == self.worse[:, 1]).all())

    @property
    def binary(self) -> bool:
        """Whether every unit counts once, and is right or wrong."""
        gains = self.better[:, 0] - self.worse[:, 0]
        sizes = np.append(self.better[:, 1], self.worse[:, 1])
        return bool((sizes == sizes[0]).all() and ((gains == 0) | (gains == sizes[0])).all())

    @cached_property
    def _totals(self) -> tuple[Floats, Floats]:
        return self.better.sum(axis=0), self.worse.sum(axis=0)

    def _sums(self, share: float) -> tuple[Floats, Floats]:
        """The expected sums of the new system and of the base."""
        up, down = self._totals
        return share * up + (1 - share) * down, share * down + (1 - share) * up

    def _expected(self, share: float) -> float:
        """The difference, if the better output is the new system's with this probability."""
        new, base = self._sums(share)
        return float(new[0] / new[1] - base[0] / base[1])

    @cached_property
    def largest(self) -> float:
        """The difference if the new system were the better one wherever the two differ."""
        return self._expected(1.0)

    def share(self, difference: float) -> float:
        """How often the better output is the new system's, for a difference up to the largest."""
        low, high = 0.5, 1.0
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if self._expected(middle) < difference else (low, middle)
        return high

    def spread(self, difference: float) -> float:
        """The standard deviation of a unit's part in the difference, for the normal formula."""
        share = self.share(difference)
        new, base = self._sums(share)

        def part(own: Floats, sums: Floats) -> Floats:
            return np.asarray((own[:, 0] - sums[0] / sums[1] * own[:, 1]) / sums[1])

        parts = [
            part(own, new) - part(other, base)
            for own, other in ((self.better, self.worse), (self.worse, self.better))
        ]
        square = share * parts[0] @ parts[0] + (1 - share) * parts[1] @ parts[1]
        return math.sqrt(square * self.n)


def _variances(a: Floats, b: Floats) -> tuple[float, float] | None:
    """Between units and within, of runs by units by numerator and denominator."""
    sizes = np.unique(np.concatenate([a[..., 1], b[..., 1]]))
    if len(sizes) > 1 or len(a) < 2:
        return None
    a, b = a[..., 0] / sizes[0], b[..., 0] / sizes[0]
    within = float(a.var(axis=0, ddof=1).mean() + b.var(axis=0, ddof=1).mean())
    whole = float((a - b).mean(axis=0).var(ddof=1)) if a.shape[1] > 1 else 0.0
    return max(0.0, whole - within / len(a)), within


def _statistic(s: Floats, m_a: Floats, m_b: Floats, q_a: Floats, q_b: Floats, c: Floats) -> Floats:
    """The squared difference divided by its squared standard error, up to a constant factor."""
    below = q_a * m_b**2 + q_b * m_a**2 - 2 * c * m_a * m_b
    return np.divide(s * s, below, out=np.where(s == 0, 0.0, np.inf), where=below > 0)


def _shuffled(pilot: Pilot, n: int, share: float, k: int, alpha: float, rng: Generator) -> float:
    """How many of k simulated tests are significant by their shuffles."""
    if pilot.constant:  # the standard error is that of every shuffle, and what is alike cancels
        gains = pilot.better[:, 0] - pilot.worse[:, 0]
        gains = gains[gains != 0] / 2
        many = rng.binomial(n, len(gains) / pilot.n, size=k)
        shape = (max(1, int(many.max())), k)
        up, there = rng.random(shape) < share, np.arange(shape[0])[:, None] < many
        halves = (gains[rng.integers(len(gains), size=shape)] * np.where(up, 1, -1) * there)[None]
        s = halves[0].sum(axis=0)
    else:
        index, up = rng.integers(pilot.n, size=(n, k)), rng.random((n, k)) < share
        n_a, m_a, n_b, m_b = (
            np.where(up, one[index], other[index])
            for new, base in ((pilot.better, pilot.worse), (pilot.worse, pilot.better))
            for one, other in zip(new.T, base.T, strict=True)
        )
        size_a, size_b = m_a.sum(axis=0), m_b.sum(axis=0)
        size = size_a + size_b
        ratio = (n_a.sum(axis=0) + n_b.sum(axis=0)) / size
        r_a, r_b = n_a - ratio * m_a, n_b - ratio * m_b
        s, q_a, q_b = r_a.sum(axis=0), (r_a * r_a).sum(axis=0), (r_b * r_b).sum(axis=0)
        halves = np.stack([r_a - r_b, m_a - m_b, r_a * r_a - r_b * r_b]) / 2
        still = (halves == 0).all(axis=0)
        moving = np.argsort(still, axis=0, kind="stable")[: max(1, int((~still).sum(axis=0).max()))]
        halves = np.take_along_axis(halves, moving[None], axis=1)  # those that shuffles move
    if every := halves.shape[1] <= FEW_MOVED:
        swapped = np.arange(2 ** halves.shape[1])[:, None] >> np.arange(halves.shape[1]) & 1
    else:
        swapped = rng.integers(2, size=(SHUFFLES, halves.shape[1]), dtype=np.int8)
    signs = 1.0 - 2.0 * swapped
    moved = (signs @ np.concatenate([*halves], axis=1)).reshape(len(signs), -1, k)
    if pilot.constant:
        extreme = np.abs(moved[:, 0]) >= np.abs(s) * SAME
    else:
        c, q = (r_a * r_b).sum(axis=0), q_a + q_b
        of_size, of_square = moved[:, 1], moved[:, 2]
        extreme = SAME * _statistic(s, size_a, size_b, q_a, q_b, c) <= _statistic(
            moved[:, 0], size / 2 + of_size, size / 2 - of_size, q / 2 + of_square,
            q / 2 - of_square, c,
        )  # fmt: skip
    own = 0 if every else 1  # the division as it is, beside those that were drawn
    hits, number = extreme.sum(axis=0) + own, len(signs) + own
    return float((hits <= alpha * number * (1 + 1e-12)).sum())


def _normal(pilot: Pilot, n: int, share: float, k: int, alpha: float, rng: Generator) -> float:
    """The same of many units, by the normal distribution of the statistic."""
    counts = rng.multinomial(n, np.full(pilot.n, 1 / pilot.n), size=k)
    up = rng.binomial(counts, share)
    new, base = (own.sum(axis=0) for own in (pilot.better, pilot.worse))
    middle = (new[0] + base[0]) / (new[1] + base[1])

    def moments(a: Floats, b: Floats) -> Floats:
        """Sums that hold whatever the ratio of a test set is: of residuals by the pilot's."""
        (m, o), (r, t) = (
            (a[:, 1], b[:, 1]),
            (a[:, 0] - middle * a[:, 1], b[:, 0] - middle * b[:, 1]),
        )
        return np.column_stack([r, m, t, o, r * r, r * m, m * m, t * t, t * o, o * o,
                                r * t, r * o + t * m, m * o])  # fmt: skip

    sums = up @ moments(pilot.better, pilot.worse)
    sums += (counts - up) @ moments(pilot.worse, pilot.better)
    r, m, t, o, rr, rm, mm, tt, to, oo, rt, crossed, mo = sums.T
    x = (r + t) / (m + o)
    own = _statistic(
        r - x * m, m, o, rr - 2 * x * rm + x * x * mm, tt - 2 * x * to + x * x * oo,
        rt - x * crossed + x * x * mo,
    )  # fmt: skip
    return float((own * (m + o) ** 2 >= ndtri(alpha / 2) ** 2).sum())


def simulated(
    pilot: Pilot, n: int, difference: float, alpha: float, source: Source, run: int, number: int
) -> Simulated:
    """The power with n units, and its standard error from blocks of simulations."""
    share = pilot.share(difference)
    few = n <= MOST_SHUFFLED and n * pilot.n_differ <= MOST_DIFFER * pilot.n
    one = _shuffled if few else _normal
    sizes = [min(BLOCK, number - start) for start in range(0, number, BLOCK)]
    hits = []
    for chunk, size in enumerate(sizes):
        rng = Generator(source.bit_generator("planning", run, chunk))
        hits.append(one(pilot, n, share, size, alpha, rng))
    power = sum(hits) / number
    # Blocks share shuffles, so that they vary by more than a binomial; never by less.
    spread = sum((own - power * size) ** 2 for own, size in zip(hits, sizes, strict=True))
    least = power * (1 - power) / number or (1 / number) ** 2
    return Simulated(n, difference, power, math.sqrt(max(least, spread / number**2)))


def searched(
    pilot: Pilot,
    target: float,
    alpha: float,
    source: Source,
    number: int,
    *,
    items: int | None = None,
    difference: float | None = None,
) -> Simulated:
    """The number of units, or the difference, at which the power is the target, or nearly.

    The probit of the power is nearly linear in the difference in standard errors: every simulation
    gives the slope, and the mean slope the next guess.
    """
    z, slopes, tried = -float(ndtri(alpha / 2)), list[float](), list[Simulated]()
    for run in range(ROUNDS):
        size = (z + float(ndtri(target))) / (sum(slopes) / len(slopes) if slopes else 1.0)
        if difference is not None:
            n, d = math.ceil((size * pilot.spread(difference) / difference) ** 2), difference
            n = max(n, math.ceil(1 - math.log2(alpha)))  # fewer are never significant
        else:
            assert items is not None
            n, d = items, min(pilot.largest, size * pilot.spread(0.0) / math.sqrt(items))
        if n > MOST_ITEMS:
            raise InputError(
                f"difference: about {counted(n, pilot.unit)} would be needed, more than "
                f"{MOST_ITEMS:,}; give a larger difference"
            )
        found = simulated(pilot, n, d, alpha, source, run, number)
        tried.append(found)
        probit = float(ndtri(min(max(found.power, 0.5 / number), 1 - 0.5 / number)))
        spread = pilot.spread(d if difference is not None else 0.0)
        slopes.append(max(z + probit, 0.1) / (d * math.sqrt(n) / (spread or d)))
        slopes = slopes[-max(run, 1) :]  # the first guess may be far away
    for run in range(ROUNDS, MOST_ROUNDS):  # where few units have another slope: halving
        if abs(found.power - target) <= 3 * found.standard_error:
            return found
        short = [own for own in tried if own.power < target]
        enough = [own for own in tried if own.power >= target]
        n, d = found.items, found.difference
        if items is None:
            low = max((own.items for own in short), default=1)
            high = min((own.items for own in enough), default=min(4 * low, MOST_ITEMS))
            n = (low + high) // 2 if enough else high
            done = high - low <= 1
        else:
            least = max((own.difference for own in short), default=0.0)
            most = min((own.difference for own in enough), default=pilot.largest)
            d = (least + most) / 2 if enough else most
            done = most - least <= 1e-3 * most
        if done:
            break
        found = simulated(pilot, n, d, alpha, source, run, number)
        tried.append(found)
    return min((own for own in tried if own.power >= target), default=found)
