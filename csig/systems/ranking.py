"""Many systems on the same units: which can be told apart, and what rank each may have.

Of binary scores all pairs are tested at once: only the units that one of two systems has right
count, and these are heads or tails. Of very few units all flips of whole rows are looked at. Other
pairs are tested one by one, or, where a sample says that this would take too long, by bounds only;
what is left by shuffles of its own, or by flips that all pairs share.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, Unpack

import numpy as np

from csig import streams
from csig.base import wording
from csig.base.defaults import CORRECTIONS, FLIPS, RANKED_BY, YEH_RESAMPLES
from csig.base.errors import InputError, NoInterval, in_python, warn
from csig.base.progress import shown
from csig.base.shown import ShownArrays, ShownRows, ShownTuple
from csig.base.validation import (
    STATISTICS,
    Statistic,
    between,
    check_executor,
    check_zero_division,
    one_of,
    positive,
)
from csig.base.wording import clean, counted, decimal, first_few, listed, noun
from csig.classical.paired import skewed
from csig.comparing import verdict
from csig.comparing.intervals import What, all_units, interval_of
from csig.comparing.options import record_of_seed
from csig.comparing.randomization import randomization_test
from csig.data import metrics
from csig.data.comparison import Comparison, error_of_sum, paired_error
from csig.data.digests import systems_digest
from csig.data.fixed_point import PairIntegers, on_grid
from csig.data.metrics import Metric
from csig.data.several import Several, several
from csig.data.units import LARGEST_SUM, Units, all_shares
from csig.engines.exact import words_of_exact
from csig.engines.flips import Flips, flip_hits, holds
from csig.engines.pair_tests import PairAnswers, PairTests
from csig.engines.questions import integer_weights
from csig.probability.alike import all_alike
from csig.probability.binomial import sign_tails
from csig.probability.corrections import adjusted
from csig.probability.tables import letter_groups, rank_intervals
from csig.readers.objects import check_reading
from csig.readers.reading import Reading, ReadOptions, baseline_of
from csig.readers.tables.matching import MEAN
from csig.results.randomization import LEAST_COUNT, Interval, Seed
from csig.streams import Source
from csig.systems.reading import (
    CALLED,
    RankBy,
    arguments,
    beaten,
    chosen,
    common_units,
    counts_of,
    reading_of,
    with_gaps,
)

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from numpy.typing import NDArray

    from csig.readers.request import Input

    Pairs = tuple[NDArray[np.intp], NDArray[np.intp]]

#: Rows whose flips are all looked at, where pairs are many.
FEW_ROWS, MANY_PAIRS = 12, 100

#: More pairs are not named in a caution.
FEW_PAIRS = 2

#: Numbers in a block of these.
CELLS = 2**21

#: Pairs whose exact tests are planned, to see what all would take.
SAMPLE = 9

#: Random words that take as long as the exact tests of all pairs may: about half a minute's worth,
#: a hundred tests by lattices that just fit the budget of one,
#: or two thousand easy ones.
EXACT_WORDS = 2**33

#: What a pair takes beside its exact test, and what it takes for every unit.
EVERY_PAIR, EVERY_UNIT = 2**21, 2**10

#: What all pairs may take that are certified, or exact where that is chosen: about a minute's worth
#: of one processor. A pair takes so much beside what was counted for it, and so much for a unit.
BOUND_WORDS, BOUND_PAIR, BOUND_UNIT = 5 * 2**33, 2**20, 80

#: Flips leave so many hits to the pair that must pass the smallest level.
HITS = 10

#: Differences that flips look at unless somebody asks for more, about a minute's worth of one
#: processor; how many scores are added in the time of one; and flips that are always drawn.
LOOKS, SCORES, FEWEST = 2**38, 16, 2**16


@dataclass(frozen=True, eq=False)
class Scored:
    """Systems and the metric that compares them."""

    given: Several  #: The systems' numbers.
    metric: Metric  #: What is compared.
    #: What each unit adds to each system's score, if it is a sum over units; clusters are units.
    values: NDArray[np.int64] | None
    #: By how much a system's sum of `values` may be off; 0 if they are exact.
    blur: NDArray[np.float64]
    binary: bool  #: Whether `values` are all 0 or 1.
    scores: tuple[float, ...]  #: One per system.
    unit: str  #: What is swapped.
    #: The comparisons of pairs, by the systems, of scores that are on no grid that all share.
    known: Mapping[frozenset[str], Comparison] | None = None
    rank_by: RankBy = "mean"  #: What `scores` are.
    #: The numbers and the metric that were given.
    asked: tuple[Several, Metric] = field(kw_only=True)

    @property
    def n_units(self) -> int:
        """Units, or clusters."""
        given = self.given
        return len(given.rows[0]) if given.clusters is None else len(set(given.clusters))

    @property
    def differences(self) -> NDArray[np.float64]:
        """Every system's score minus every other's, on the units that both have."""
        scores = np.array(self.scores)
        found = scores[:, None] - scores
        if self.given.gaps:
            rows = np.stack(self.given.rows)
            there = (~np.isnan(rows)).astype(np.float64)
            with np.errstate(invalid="ignore"):  # of a pair that is not tested, without such units
                found = np.stack([np.nansum(own - rows, axis=1) for own in rows])
                found /= there @ there.T
        found.setflags(write=False)
        return np.asarray(found)

    @cached_property
    def differing(self) -> tuple[int, int] | None:
        """The fewest and the most units in which two systems differ, where that is soon counted."""
        values = self.values
        if values is None or self.given.gaps or values.size * len(self.scores) > MOST_COUNTED:
            return None
        pairs = ((values[:, [j]] != values[:, :j]).sum(axis=0) for j in range(1, len(self.scores)))
        counts = np.concatenate([*pairs])
        return int(counts.min()), int(counts.max())

    @property
    def shares(self) -> bool | None:
        """Of scores, whether those of all units lie from 0 to 1."""
        if self.given.columns is not None:
            return None
        if self.rank_by == "borda":  # numbers of systems
            return False
        if self.known is not None:
            return all(own.shares is not False for own in self.known.values())
        return all_shares(own[own == own] for own in self.given.rows)

    def errors(self, base: int) -> list[float | None]:
        """About the standard errors of the differences from one system."""
        values, others = self.values, [i for i in range(len(self.scores)) if i != base]
        top = None if values is None else int(np.abs(values.sum(axis=0, dtype=float)).argmax())
        if values is not None and top is not None and (total := int(values[:, top].sum())):
            a_unit = np.float64(abs(self.scores[top] / total))
            parts = (a_unit * (values[:, i] - values[:, base]) for i in others)
            return [error_of_sum(own, len(values)) for own in parts]
        found = []
        for i in others:
            with suppress(InputError):  # two that nobody compared
                found.append(paired_error(self.comparison(i, base), self.metric))
        return found

    @property
    def own_denominators(self) -> bool:
        """Whether the metric is a ratio whose denominator depends on the system."""
        return (
            self.values is None and self.given.columns is not None and self.metric.linear_fractional
        )

    @property
    def returned(self) -> tuple[int, ...] | None:
        """The responses of every system, where they are counted."""
        columns = self.given.columns or ()
        if "predicted" not in columns:
            return None
        place = columns.index("predicted")
        return tuple(int(own[:, place].sum()) for own in self.given.rows)

    @property
    def denominators(self) -> tuple[float, ...]:
        """What a ratio divides by, of every system."""
        weights = self.metric.weights_of(self.given.columns or ())[1]
        return tuple(
            float(sum(w * n for w, n in zip(weights, own.sum(axis=0).tolist(), strict=True)))
            for own in self.given.rows
        )

    def slack(self, pairs: Pairs) -> NDArray[np.float64]:
        """By how much differences of `values` that are equal may seem to differ, of every pair."""
        # Both systems' sums, in a trial and as they were observed.
        found: NDArray[np.float64] = 2 * (self.blur[pairs[0]] + self.blur[pairs[1]])
        return found

    @cached_property
    def _integers(self) -> PairIntegers:
        return PairIntegers(self.given.rows)

    def comparison(self, j: int, k: int) -> Comparison:
        """Two of the systems."""
        if self.known is None:
            return compared(self.given, j, k)
        names = self.given.names[j], self.given.names[k]
        found = self.known.get(frozenset(names))
        if found is None:
            one, other = map(clean, names)
            raise InputError(
                f"{one} and {other}: no comparison is of these two, and their scores are no "
                "decimals that others share; name a baseline, or give the scores"
            )
        return found

    def intervals(self, level: float, base: int, zero_division: int) -> list[Interval | str]:
        """Of every system's score, by comparisons with one system."""
        found: list[Interval | str] = []
        for i, name in enumerate(self.given.names):
            if self.given.gaps:
                own = chosen(self.given, i)
                comparison = Comparison.from_scores(
                    own.rows[0], 0 * own.rows[0], cluster=own.clusters, names=(name, f"not {name}")
                )
            else:
                comparison = self.comparison(i, base if i != base else int(not base))
            what: What = "a" if comparison.names[0] == self.given.names[i] else "b"
            try:
                units = all_units(comparison)
                found.append(
                    interval_of(units, comparison, self.metric, what, level, zero_division)
                )
            except NoInterval as reason:
                found.append(str(reason))
        return found

    def tested(self, j: int, k: int) -> Comparison:
        """The same for a test: the same integers, and no more than it reads."""
        given = self.given
        if given.columns is not None or given.gaps:
            return self.comparison(j, k)
        found = self._integers.of(j, k)
        if found is None:
            return self.comparison(j, k)
        steps = given.whole((found.a - found.b)[:, None])[:, 0]
        differences = np.zeros((np.count_nonzero(steps), 2), dtype=np.int64)
        differences[:, 0] = steps[steps != 0]
        units, n = Units(differences, len(steps)), len(found.a)
        return Comparison(
            ("score", "n"), self.unit, (int(found.a.sum()), n), (int(found.b.sum()), n), (),
            (given.names[j], given.names[k]), units=units, scale=(found.unit, Fraction(1)),
            tau=found.tau,
        )  # fmt: skip


@dataclass(frozen=True, eq=False)
class PairPvalues:
    """Two-sided p-values of pairs."""

    pvalues: NDArray[np.float64]  #: pvalues, logs: and their natural logarithms.
    logs: NDArray[np.float64]
    n_shuffled: int = 0  #: Pairs whose p-value is neither exact nor certified.
    n_resamples: int | None = None  #: Trials of these.
    #: Whether these pairs share one set of flips; else they have shuffles of their own.
    flips: bool = False
    n_certified: int = 0  #: Pairs whose p-value is the upper one of two proven bounds.
    #: Pairs that rest on so few counts that a low p-value is no evidence.
    sparse: NDArray[np.bool_] | None = None
    #: Of studentised ratios: the p-values of the difference itself, and their logarithms.
    plain: tuple[NDArray[np.float64], NDArray[np.float64]] | None = None
    #: Pairs that are asked whether they are interchangeable, not whether the metric itself differs.
    n_not_studentized: int = 0


def compared(given: Several, j: int, k: int) -> Comparison:
    """Two of the systems; what is wrong with them is said with their names."""
    if given.gaps:
        given, j, k = chosen(given, j, k), 0, 1
    rows: Any = given.rows[j], given.rows[k]
    names = given.names[j], given.names[k]
    units: dict[str, Any] = {"id": given.ids, "cluster": given.clusters, "names": names}
    try:
        if given.columns is None:
            return Comparison.from_scores(*rows, **units)
        return Comparison.from_statistics(rows[0], rows[1], given.columns, **units)
    except InputError as error:
        one, other = map(clean, names)
        raise InputError(f"{error} (a is {one}, b is {other})") from None


def _numerators(given: Several, metric: Metric) -> NDArray[np.int64] | None:
    """What units add to the numerators, if no system changes a denominator."""
    if not metric.linear_fractional:
        return None
    weights = np.array(integer_weights(compared(given, 0, 1), metric), dtype=np.int64)
    tables = [given.whole(own) for own in given.rows]
    reach = max(float(np.abs(own).astype(np.float64).sum()) for own in tables)
    if reach * float(np.abs(weights).max()) * 2 >= LARGEST_SUM:
        return None
    found = [own @ weights.T for own in tables]
    if any((own[:, 1] != found[0][:, 1]).any() for own in found):
        return None
    return np.stack([own[:, 0] for own in found], axis=1)


def scored(
    given: Several,
    metric: str | Metric | None,
    *,
    lower_is_better: bool = False,
    zero_division: object = 0,
    unit: str = "unit",
    known: Mapping[frozenset[str], Comparison] | None = None,
) -> Scored:
    """The systems with their scores by a metric."""
    missing = check_zero_division(zero_division)
    total: NDArray[np.int64] | None = None
    blur = np.zeros(len(given.rows))
    binary = False
    if given.columns is None:
        if all(own.dtype.kind == "i" for own in given.rows):
            total = np.stack(given.rows, axis=1)
            binary = bool(((total == 0) | (total == 1)).all())
        elif given.gaps:
            binary = all(bool(((own == 0) | (own == 1) | (own != own)).all()) for own in given.rows)
        else:
            total, _, blur = on_grid(given.rows)
        name = ("accuracy" if binary else "mean") if metric is None else metric
        if isinstance(name, Metric):
            found = name
        else:  # "mean", "accuracy" or "error_rate"
            less = lower_is_better or name == "error_rate"
            found = metrics.ratio(name, "score", "n", greater_is_better=not less)
        # Whether systems differ in the metric as in their sums of scores.
        is_sum = found.linear_fractional and "score" in found.columns
        if is_sum:
            place = found.columns.index("score")
            is_sum = found.numerator[place] != 0 and found.denominator[place] == 0
        total = given.whole(total) if is_sum and known is None and total is not None else None
        binary = binary and is_sum and given.clusters is None
    else:
        if metric is None:
            raise InputError(
                f"metric: there is no default for {first_few(given.columns)}; name one"
            )
        if lower_is_better:
            raise InputError("lower_is_better is for scores; a metric says it itself")
        found = metrics.get(metric, given.columns)
        found.check_columns(given.columns)
        for k in range(1, len(given.rows)):  # refused, whichever way pairs are tested
            compared(given, 0, k)
        total = _numerators(given, found)
    scores = []
    for own in given.rows:
        if given.columns is None:
            own = own[own == own]
            sums: dict[str, Any] = {
                "score": Fraction(*float(own.mean(dtype=np.float64)).as_integer_ratio()) * len(own)
                if own.dtype.kind == "f"
                else int(own.sum()),
                "n": len(own),
            }
        else:
            sums = dict(zip(given.columns, own.sum(axis=0).tolist(), strict=True))
        scores.append(float(found.score(sums, zero_division=missing)))
    return Scored(
        given, found, total, blur, binary, tuple(scores), unit, known, asked=(given, found)
    )


def _sample(table: Scored, pairs: Pairs) -> list[tuple[int, int]]:
    """Some of the pairs, or all if they are few, in an order of their scores."""
    rows, n = table.given.rows, len(pairs[0])  # neither names nor how systems were listed matter
    place = np.empty(len(rows), dtype=np.intp)
    listed = sorted(range(len(rows)), key=lambda i: rows[i].tobytes())
    place[listed] = np.arange(len(rows))
    one, other = place[pairs[0]], place[pairs[1]]
    low, high = np.minimum(one, other), np.maximum(one, other)
    order = np.lexsort((high, low))
    if n > SAMPLE:
        order = order[[i * (n - 1) // (SAMPLE - 1) for i in range(SAMPLE)]]
    return [(listed[low[i]], listed[high[i]]) for i in order.tolist()]


def _affordable(table: Scored, pairs: Pairs, n_resamples: int, zero_division: int) -> bool:
    """Whether all pairs are exact in time, judged by some of them; the same on every machine."""
    n = len(pairs[0])
    each = EVERY_PAIR + EVERY_UNIT * table.n_units
    if float(each) * n > EXACT_WORDS:
        return False
    sample = _sample(table, pairs)
    total = float(len(sample) * each)
    for j, k in sample:
        words = words_of_exact(table.tested(j, k), table.metric, n_resamples, zero_division)
        if words is None:
            return False
        total += words
    return total / len(sample) * n <= EXACT_WORDS


def planned(
    table: Scored, pairs: Pairs, n_resamples: int, zero_division: int
) -> Callable[..., PairAnswers] | None:
    """What makes pairs exact or certified in time, by what some of them take; None if nothing."""
    # Counted beforehand, so that it is the same on every machine, whatever the order of systems.
    if not table.metric.linear_fractional:
        return None
    tests = PairTests(
        comparison=table.tested, metric=table.metric, n_resamples=n_resamples,
        zero_division=zero_division,
    )  # fmt: skip
    each, n = float(BOUND_PAIR + BOUND_UNIT * table.n_units), len(pairs[0])
    if each * n > BOUND_WORDS:
        return None
    prices = [tests.price(j, k) for j, k in _sample(table, pairs)]
    only_bounds = all(own.engine in (None, "fourier") for own in prices)
    ways = [(True, BOUND_WORDS)]
    if not only_bounds:
        ways.insert(0, (False, EXACT_WORDS))
    elif n <= MANY_PAIRS:
        ways = [(False, BOUND_WORDS)]
    for quickly, limit in ways:
        words = [own.quick if quickly else own.alone for own in prices]
        known = [own for own in words if own is not None]
        total = (each + sum(known) / len(prices)) * n
        if known and total <= limit:
            places = zip(*(systems.tolist() for systems in pairs), strict=True)
            whole = quickly or only_bounds  # whether threads take whole pairs
            return partial(tests.run, places, quickly=quickly, whole=whole, words=total)
    return None


def enough_flips(n_tests: float, alpha: float, looks: float = 0) -> int:
    """How many flips are drawn by default, where one takes so many looks at a difference."""
    # The smallest attainable p-value, times the number of tests, is at most a tenth of alpha, so
    # that the pair that must pass the smallest level may have about ten hits. Fewer if these would
    # take too long, with a thousand systems hours; then 2^16 where not even one hit would do.
    n = YEH_RESAMPLES
    while n_tests * HITS > alpha * n:
        n *= 2
    while n > FEWEST and n * looks > LOOKS:
        n //= 2
    return n if n_tests <= alpha * n else FEWEST


def pair_pvalues(
    table: Scored,
    pairs: Pairs,
    source: Source,
    *,
    n_resamples: int | None,
    alpha: float,
    n_tests: float,
    zero_division: int,
    threads: int | None,
    executor: Executor | None,
    notify: Callable[[int, int], object] | None,
    statistic: Literal["studentized", "difference"],
) -> PairPvalues:
    """The two-sided p-value of every pair."""
    # `n_resamples` is the number of shuffles of every pair, by default 2^20; or of flips of all
    # together, by default as many as the correction needs at `alpha`: `n_tests` is its largest
    # factor.
    at_once, n, values = _at_once(table, pairs), len(pairs[0]), table.values
    if at_once is not None:
        return at_once
    shuffles = YEH_RESAMPLES if n_resamples is None else n_resamples

    def one_by_one(pairs: Pairs) -> PairPvalues:
        """Every pair by the test of two systems."""
        n, shuffled, certified, asked_otherwise = len(pairs[0]), 0, 0, 0
        found, plain = np.empty((2, n)), np.empty((2, n))
        sparse = np.zeros(n, dtype=np.bool_)
        rng = np.random.SeedSequence(source.entropy, spawn_key=source.spawn_key)
        asked = "auto" if statistic == "studentized" else statistic
        for i, (j, k) in enumerate(zip(*(own.tolist() for own in pairs), strict=True)):
            result = randomization_test(
                table.comparison(j, k), table.metric, n_resamples=shuffles,
                zero_division=zero_division, rng=rng, bit_generator=source.factory,
                threads=threads, executor=executor, statistic=asked,
            )  # fmt: skip
            found[:, i] = result.pvalue, result.log_pvalue
            difference = result if result.studentized is None else result.studentized.plain
            plain[:, i] = difference.pvalue, difference.log_pvalue
            sparse[i] = result.sparse
            shuffled += result.method == "approximate"
            certified += result.method == "certified"
            asked_otherwise += result.not_studentized is not None
            if notify is not None:
                notify(i + 1, n)
        return PairPvalues(
            found[0], found[1], shuffled, shuffles if shuffled else None, n_certified=certified,
            sparse=sparse, plain=(plain[0], plain[1]), n_not_studentized=asked_otherwise,
        )  # fmt: skip

    if values is None or n == 1 or _affordable(table, pairs, shuffles, zero_division):
        return one_by_one(pairs)

    def of_flips(pairs: Pairs) -> PairPvalues:
        """Every pair's own p-value, from flips that all share."""
        n = len(pairs[0])
        differing = (values != values[:, :1]).any(axis=1)
        looks = n + int(differing.sum()) * values.shape[1] / SCORES
        trials = n_resamples or enough_flips(n_tests, alpha, looks)
        drawn = flip_hits(
            values, pairs, source, trials, two_sided=True, studentized=False,
            slack=table.slack(pairs), threads=threads, executor=executor, notify=notify,
        )  # fmt: skip
        pvalues = (1 + drawn.single) / (1 + trials)
        return PairPvalues(pvalues, all_alike(np.log(pvalues)), n, trials, True)

    plan = planned(table, pairs, shuffles, zero_division)
    if plan is None:
        return of_flips(pairs) if holds(values) else one_by_one(pairs)
    found = plan(threads=threads, notify=notify)
    n_certified, left = int(found.certified.sum()), found.missing
    if not len(left):
        return PairPvalues(found.pvalues, found.logs, n_certified=n_certified)
    # Pairs that are neither, by shuffles of their own if that is affordable.
    others = pairs[0][left], pairs[1][left]
    words = float(EVERY_PAIR + table.n_units * (EVERY_UNIT + shuffles // 64))
    own_shuffles = words * len(left) <= EXACT_WORDS or not holds(values)
    drawn = one_by_one(others) if own_shuffles else of_flips(others)
    plain = None if drawn.plain is None else (found.pvalues.copy(), found.logs.copy())
    for own, of_left in zip(plain or (), drawn.plain or (), strict=True):
        own[left] = of_left
    found.pvalues[left], found.logs[left] = drawn.pvalues, drawn.logs
    sparse = np.zeros(n, dtype=np.bool_)
    sparse[left] = False if drawn.sparse is None else drawn.sparse
    return replace(
        drawn, pvalues=found.pvalues, logs=found.logs, sparse=sparse, plain=plain,
        n_certified=n_certified + drawn.n_certified,
    )  # fmt: skip


def known_pvalues(
    table: Scored,
    pairs: Pairs,
    *,
    zero_division: int,
    threads: int | None,
    notify: Callable[[int, int], object] | None,
) -> PairPvalues:
    """The same without a draw: NaN where a pair is neither exact nor certified in time."""
    found, n = _at_once(table, pairs), len(pairs[0])
    if found is not None:
        return found
    plan = planned(table, pairs, YEH_RESAMPLES, zero_division)
    if plan is None:
        return PairPvalues(np.full(n, np.nan), np.full(n, np.nan), n)
    made = plan(threads=threads, notify=notify)
    return PairPvalues(
        made.pvalues, made.logs, len(made.missing), n_certified=int(made.certified.sum())
    )


def _at_once(table: Scored, pairs: Pairs) -> PairPvalues | None:
    """Of binary scores, and of few rows where pairs are many."""
    values, n = table.values, len(pairs[0])
    if table.binary and table.given.gaps:
        scores = np.stack(table.given.rows, axis=1)
        wins = (scores == 1).astype(np.float64).T @ (scores == 0)
        return PairPvalues(*sign_tails(*np.rint([wins[pairs], wins.T[pairs]]).astype(np.int64)))
    if values is None:
        return None
    if table.binary:
        own = values.astype(np.float64)
        both, right = own.T @ own, own.sum(axis=0)
        j, k = pairs
        ahead, behind = (np.rint(right[one] - both[j, k]).astype(np.int64) for one in (j, k))
        return PairPvalues(*sign_tails(ahead, behind))
    differing = values[(values != values[:, :1]).any(axis=1)]
    if n > MANY_PAIRS and len(differing) <= FEW_ROWS:
        # All flips of a few rows; half of them, as the others have the same differences negated.
        slack, rows = table.slack(pairs), len(differing)
        signs = 1 - 2 * (np.arange(2 ** max(0, rows - 1))[:, None] >> np.arange(rows) & 1)
        sums = signs @ (differing - differing[:, :1])
        found = np.empty(n)
        step = max(1, CELLS // len(signs))
        for start in range(0, n, step):
            here = slice(start, start + step)
            j, k = (systems[here] for systems in pairs)
            size = np.abs(sums[:, j] - sums[:, k])
            found[here] = (size >= size[0] - slack[here]).mean(axis=0)
        return PairPvalues(found, all_alike(np.log(found)))
    return None


#: Fewer units with scores that are not binary may have asymmetric differences.
FEW_UNITS = 200

#: Cells that are compared to count the units in which systems differ.
MOST_COUNTED = 10**7


def doubts_of(
    table: Scored,
    correction: str,
    p: PairPvalues | Flips,
    alpha: float,
    ranked: bool,
    common: NDArray[np.int64] | None,
) -> list[str]:
    """Sentences, most important first; `ranked` says whether ranks follow from all pairs."""
    n = table.n_units
    found: dict[str, str] = {}
    if common is not None:  # how many units both systems of a pair have
        few = int((2.0 ** (1 - common) > alpha).sum())
        low, n = int(common.min()), int(common.max())
        found["pairwise"] = (
            f"Systems have different {noun(table.unit, 2)}: each pair is compared on those that "
            f"both have, {f'{low:,} to ' * (low < n)}{n:,} of {table.n_units:,}, and a score is "
            "over the system's own."
        )
        if 0 < few < len(common):
            found["pairwise"] += (
                f" Of {counted(few, 'pair')} these are too few for any difference to be "
                "significant."
            )
    if correction == "flips" and not table.binary and n < FEW_UNITS:
        found["asymmetric-flips"] = (
            f"Flips of {counted(n, table.unit)} whose scores are not binary: below {FEW_UNITS} "
            "differences that are not symmetric can make adjusted p-values too small; the "
            "correction holm is safer."
        )
    if isinstance(p, Flips):
        if alpha * (1 + p.n_resamples) < 1:
            found["too-few-shuffles"] = (
                f"With {p.n_resamples:,} flips no adjusted p-value can be as small as "
                f"{decimal(alpha)}; draw {math.ceil(1 / alpha):,} or more."
            )
        least = 2.0 ** (1 - n)  # both directions of a pair are in the family
        if least > alpha:
            found["too-few-units"] = (
                f"With {counted(n, table.unit)} no adjusted p-value can be below {least:.3g}: "
                f"nothing can be significant at {decimal(alpha)}. More units are needed."
            )
        return wording.doubts(found)
    n_pairs = len(p.pvalues)
    differ = n if table.differing is None else table.differing[1]
    least = min(1.0, 2.0 ** (1 - differ))  # all swapped, or none, is as extreme as anything
    if factor_of_all(correction, n_pairs) * least > alpha:
        those = counted(differ, table.unit)
        those += f" that differ{'s' * (differ == 1)}" * (differ < n)
        nothing = f"at {decimal(alpha)} no difference could be significant"
        if n_pairs > 1:
            nothing = f"none of {counted(n_pairs, 'pair')} can be significant at {decimal(alpha)} "
            nothing += f"after the correction {correction}, whatever the scores"
        found["too-few-units"] = (
            f"With {those} no p-value{' of a pair' * (n_pairs > 1)} can be below {least:.3g}: "
            f"{nothing}. More units are needed."
        )
    if p.n_not_studentized:
        found["not-studentized"] = (
            f"Of {counted(p.n_not_studentized, 'pair')} the difference is not divided by its "
            "standard error, for counts that are too large or units that are not known: there the "
            "test asks whether the systems are interchangeable, not whether the metric differs."
        )
    few = 0 if p.sparse is None else int(p.sparse.sum())
    if few:
        found["few-counts"] = (
            f"{counted(few, 'pair')} of systems that return more or less than each other "
            f"{'rests' if few == 1 else 'rest'} on fewer than {LEAST_COUNT} expected counts; no "
            "difference is called significant there."
        )
    if p.flips:
        which = f"{p.n_shuffled:,} of" if p.n_shuffled < n_pairs else "All"
        found["drawn"] = (
            f"{which} {counted(n_pairs, 'p-value')} of pairs are from one set of sign flips, not "
            f"exact, and none of them can be below {1 / (1 + (p.n_resamples or 0)):.2g}: exact "
            "tests of these pairs would take too long, and proven bounds too, or they do not "
            "close."
        )
    elif p.n_shuffled:
        verb = "is" if p.n_shuffled == 1 else "are"
        found["drawn"] = (
            f"{counted(p.n_shuffled, 'p-value')} of pairs {verb} from shuffles, not exact."
        )
    if p.n_resamples is None:
        return wording.doubts(found)
    # Trials that no claim can follow from. Exact p-values may come first: of both directions of
    # their pairs one is out of the way.
    joint = (n_pairs + p.n_shuffled) / 2 if ranked else p.n_shuffled
    drawn_of = {"holm-directions": joint, "holm": p.n_shuffled}
    factor = drawn_of.get(correction, factor_of_all(correction, n_pairs))
    most = alpha * (1 + p.n_resamples)
    drawn = f"With {p.n_resamples:,} {'flips' if p.flips else 'shuffles'}"
    if factor > most:
        out = f"draw {math.ceil(factor / alpha):,} or more"
        if p.flips:
            out += ", or take the correction flips, for which far fewer are enough"
        found["too-few-shuffles"] = (
            f"{drawn} none of these adjusted p-values can be as small as {decimal(alpha)}; {out}."
        )
    elif correction in ("bh", "by", "holm") and ranked and joint > most:
        found["too-few-shuffles"] = (
            f"{drawn} these pairs cannot narrow the ranks, which follow from Holm-adjusted "
            f"p-values; draw {math.ceil(joint / alpha):,} or more."
        )
    return wording.doubts(found)


def places_of(n: int, base: int | None) -> Pairs:
    """The pairs of n systems, or of all others with one."""
    if base is None:
        return np.triu_indices(n, 1)
    return np.delete(np.arange(n), base), np.full(n - 1, base)


def skewed_pairs(table: Scored, pairs: Pairs) -> list[str]:
    """What csig compare says of pairs whose differences are skewed, with their names."""
    given, values = table.given, table.values
    if values is None and not given.gaps and table.known is None:  # no sum over units
        return []
    n, right = len(values) if values is not None else 0, [False] * len(given.rows)
    if values is not None:
        skewness = _skewness(values.astype(np.float64))
        if given.clusters is None:
            right = [bool(((own == 0) | (own == 1)).all()) for own in given.rows]
    found: list[tuple[str, str]] = []
    for j, k in zip(*(own.tolist() for own in pairs), strict=True):
        if values is not None and ((right[j] and right[k]) or not skewed(n, skewness[j, k])):
            continue
        if values is None or given.columns is not None:
            said = verdict.skewed_differences(table.comparison(j, k), [table.metric])
        else:  # of many pairs
            differ = int((values[:, j] != values[:, k]).sum())
            said = verdict.skewed_by(table.metric.name, table.unit, n, differ, skewness[j, k])
        found += [(line, f"{clean(given.names[j])} - {clean(given.names[k])}") for line in said]
    lines, n_pairs = verdict.gathered(found), len(pairs[0])
    for own in lines.values():
        if len(own) == n_pairs:
            own.clear()
        elif len(own) > FEW_PAIRS:
            own[:] = [f"{len(own):,} of {n_pairs:,} pairs"]
    return [wording.about(own, line) if own else line for line, own in lines.items()]


def _skewness(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """That of the differences of every two columns; 0 where they hardly vary."""
    own = values - values.mean(axis=0)
    second, third = own.T @ own, (own * own).T @ own
    squares, cubes = second.diagonal(), third.diagonal()
    second = squares[:, None] + squares - 2 * second
    third = cubes[:, None] - cubes - 3 * (third - third.T)
    third[second <= 1e-12 * (squares[:, None] + squares)] = 0
    with np.errstate(invalid="ignore", divide="ignore"):
        found = np.nan_to_num(third / second**1.5) * math.sqrt(len(values))
    return np.asarray(found)


def largest_factor(correction: str, n_pairs: int) -> float:
    """What the smallest p-value is multiplied with."""
    if correction != "by":
        return n_pairs
    return n_pairs * math.fsum(1 / i for i in range(1, n_pairs + 1))


def factor_of_all(correction: str, n_pairs: int) -> float:
    """What p-values are multiplied with that are all small at once."""
    factor = largest_factor(correction, n_pairs)
    return factor / n_pairs if correction in ("bh", "by") else factor


def check_all_pairs(correction: str, baseline: str | None) -> None:
    """Refuse corrections that take all pairs, beside a baseline."""
    if correction in ("shaffer", "bergmann-hommel") and baseline is not None:
        raise InputError(
            f"correction {correction!r} is for all pairs: beside a baseline any set of systems may "
            "be equal to it; use 'holm'"
        )


#: How p-values are adjusted for the number of pairs.
SystemsCorrection: TypeAlias = Literal[
    "holm", "bonferroni", "shaffer", "bh", "by", "holm-directions", "flips"
]  # fmt: skip

#: How the p-values of pairs were found.
PairMethod: TypeAlias = Literal["exact", "certified", "shuffles", "flips"]


@dataclass(frozen=True)
class SystemRank(ShownRows):
    """A system among the others."""

    name: str  #: The system.
    score: float  #: Its score.
    #: low, high: the ranks that it may have, 1 is the best; None where only a baseline is compared
    #: with.
    low: int | None
    high: int | None
    wins: int  #: wins, ties, losses: other systems with a worse score, the same, a better one.
    ties: int
    losses: int
    #: better_than, worse_than: other systems that are significantly worse, significantly better.
    better_than: int
    worse_than: int


@dataclass(frozen=True)
class SystemPair(ShownRows):
    """Two systems: of all pairs the better first, beside a baseline the baseline second."""

    system: str  #: system, other: their names.
    other: str
    difference: float  #: The first one's score minus the second one's.
    pvalue: float  #: pvalue, log_pvalue: two-sided, of this pair alone, and its natural logarithm.
    log_pvalue: float
    adjusted_pvalue: float  #: What may be compared with alpha, however many pairs there are.
    #: plain_pvalue, plain_adjusted_pvalue: of a studentised ratio the same of the test of the
    #: difference itself, which asks whether the systems are interchangeable; else None.
    plain_pvalue: float | None
    plain_adjusted_pvalue: float | None
    better: str | None  #: The system that is significantly better.


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class SystemsResult(ShownArrays):
    """What can be said of many systems: see :func:`compare_systems`.

    Matrices have one row and one column per system, in the order of `names`. Pairs that were not
    tested have p-values of 1.
    """

    names: tuple[str, ...]  #: The systems.
    scores: tuple[float, ...]  #: Theirs.
    #: ``differences[j, k]``: system j's score minus system k's, on the units that both have.
    differences: NDArray[np.float64]
    metric: str  #: The metric's name.
    greater_is_better: bool  #: False for errors and losses.
    rank_by: RankBy = "mean"  #: What the scores are.
    unit: str  #: What is swapped.
    n_units: int  #: All of them.
    baseline: str | None  #: The system that all others are compared with; None where all pairs are.
    correction: SystemsCorrection  #: How p-values are adjusted.
    #: Of flips, and of ratios whose denominator is the system's own: "studentized" or "difference";
    #: None where both are the same.
    statistic: Statistic | None
    alpha: float  #: The level of all claims together.
    #: pvalues, log_pvalues: two-sided, of every pair alone, and their natural logarithms;
    #: symmetric.
    pvalues: NDArray[np.float64]
    log_pvalues: NDArray[np.float64]
    adjusted_pvalues: NDArray[np.float64]  #: Adjusted for the number of pairs; symmetric.
    #: plain_pvalues, plain_adjusted_pvalues: of a studentised ratio the same of the test of the
    #: difference itself, which asks whether the systems are interchangeable; else None.
    plain_pvalues: NDArray[np.float64] | None = None
    plain_adjusted_pvalues: NDArray[np.float64] | None = None
    #: Pairs that rest on too few counts for a difference to be called significant; symmetric.
    sparse: NDArray[np.bool_] | None = None
    #: returned, denominators: of such a ratio every system's responses, where they are counted, and
    #: what the metric divides by; else None.
    returned: tuple[int, ...] | None = None
    denominators: tuple[float, ...] | None = None
    #: ``better[j, k]``: system j is significantly better than system k, by `adjusted_pvalues`.
    better: NDArray[np.bool_]
    #: The same with all claims true at once with probability 1 - alpha: the ranks follow from it.
    #: It differs from `better` where the correction bounds the share of false claims only.
    ranks_better: NDArray[np.bool_]
    #: How pairs were tested: all exactly; some by proven bounds; or some by shuffles of their own,
    #: or by one set of sign flips that they share, where that takes too long.
    method: PairMethod
    #: n_certified, n_shuffled: pairs whose own p-value is the upper one of two proven bounds within
    #: a relative 1e-4 of each other; from shuffles or flips. Those of all others are exact.
    n_certified: int = 0
    n_shuffled: int
    n_resamples: int | None  #: Trials of these, or flips.
    seed: Seed | None  #: What reproduces them.
    zero_division: int  #: The score where a denominator is zero.
    digest: str  #: The SHA-256 of the data that the numbers depend on.
    doubts: tuple[str, ...] = ()  #: What to know before believing the result.
    source: Input | None = None  #: What was read, if files or a data frame were.
    #: Whether all units' scores lie from 0 to 1; None where that is not known.
    _shares: bool | None = field(default=None, repr=False)
    #: What was compared, of which intervals of the scores are made when somebody draws them.
    _table: Scored | None = field(default=None, repr=False, compare=False)
    #: The options, as a record has them.
    _asked: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @property
    def _figures(self) -> wording.Figures:
        """How its scores and differences are printed: with the decimals of csig compare."""
        base = 0 if self.baseline is None else self.names.index(self.baseline)
        known = None if self.in_percent else self._table
        errors = [] if known is None else known.errors(base)
        return wording.figures(self.scores, self.in_percent, errors)

    @property
    def in_percent(self) -> bool:
        """Whether its scores are shares, which are printed in percent."""
        return wording.in_percent(self.scores, self.metric, self._shares)

    def _line(self) -> str:
        found = int(self.better.sum())
        n = self.n_pairs
        which = f"{found:,} of {counted(n, 'pair')} differ{'s' * (found == 1)}"
        if self.baseline is None:
            best = [clean(name) for name in self.possibly_best]
            many = listed(best, "or") if len(best) <= 3 else f"one of {len(best):,}"
            return f"{self.metric}: the best is {many} of {len(self.names):,}; {which}"
        return f"{self.metric}: {which} from {clean(self.baseline)}"

    def score_intervals(self, confidence_level: float | None = None) -> list[Interval | str]:
        """The linearized interval of every score, by default at 1 - alpha; or why there is none."""
        assert self._table is not None
        base = 0 if self.baseline is None else self.names.index(self.baseline)
        return self._table.intervals(confidence_level or 1 - self.alpha, base, self.zero_division)

    @property
    def n_pairs(self) -> int:
        """Pairs that were tested."""
        n = len(self.names)
        return n - 1 if self.baseline is not None else n * (n - 1) // 2

    @property
    def order(self) -> list[int]:
        """The systems' places, the best score first."""
        sign = -1 if self.greater_is_better else 1
        return sorted(range(len(self.names)), key=lambda i: sign * self.scores[i])

    @property
    def ranks(self) -> dict[str, tuple[int, int]]:
        """The ranks that each system may have, jointly at 1 - alpha; the best score first.

        Raises
        ------
        InputError
            If systems were compared with a baseline only.
        """
        if self.baseline is not None:
            raise InputError(
                "ranks need all pairs of systems; these were compared with a baseline only"
            )
        found = rank_intervals(self.ranks_better)
        return {self.names[i]: found[i] for i in self.order}

    @property
    def possibly_best(self) -> tuple[str, ...]:
        """The systems that may have rank 1."""
        return tuple(name for name, (low, _) in self.ranks.items() if low == 1)

    @property
    def systems(self) -> ShownTuple[SystemRank]:
        """Every system among the others, the best score first."""
        scores = np.array(self.scores) * (1 if self.greater_is_better else -1)
        tested = np.ones(self.better.shape, dtype=bool)
        intervals: Mapping[str, tuple[int | None, int | None]]
        if self.baseline is None:
            intervals = self.ranks
        else:
            intervals = dict.fromkeys(self.names, (None, None))
            tested[:] = False
            base = self.names.index(self.baseline)
            tested[base] = tested[:, base] = True
        np.fill_diagonal(tested, False)
        found = []
        for i in self.order:
            others = scores[tested[i]]
            found.append(
                SystemRank(
                    self.names[i],
                    self.scores[i],
                    *intervals[self.names[i]],
                    int((others < scores[i]).sum()),
                    int((others == scores[i]).sum()),
                    int((others > scores[i]).sum()),
                    int(self.better[i].sum()),
                    int(self.better[:, i].sum()),
                )
            )
        return ShownTuple(found)

    @property
    def pairs(self) -> ShownTuple[SystemPair]:
        """The pairs that were tested, the best systems first."""
        order = self.order
        if self.baseline is not None:
            base = self.names.index(self.baseline)
            places = [(i, base) for i in order if i != base]
        else:
            places = [(i, k) for n, i in enumerate(order) for k in order[n + 1 :]]
        pairs = []
        for i, k in places:
            best = i if self.better[i, k] else k if self.better[k, i] else None
            pairs.append(
                SystemPair(
                    self.names[i],
                    self.names[k],
                    float(self.differences[i, k]),
                    float(self.pvalues[i, k]),
                    float(self.log_pvalues[i, k]),
                    float(self.adjusted_pvalues[i, k]),
                    None if self.plain_pvalues is None else float(self.plain_pvalues[i, k]),
                    None
                    if self.plain_adjusted_pvalues is None
                    else float(self.plain_adjusted_pvalues[i, k]),
                    None if best is None else self.names[best],
                )
            )
        return ShownTuple(pairs)

    def letters(self) -> dict[str, str]:
        """Letters: two systems that share one have no significant difference (Piepho 2004).

        A letter is no group of equals: that no difference was found between two systems does not
        say that there is none, and a system can have several letters.

        Raises
        ------
        InputError
            If more than 26 letters are needed, or systems were compared with a baseline only.
        """
        if self.baseline is not None:
            raise InputError("letters need all pairs; these were compared with a baseline only")
        groups = letter_groups(self.better | self.better.T, self.order)
        found = dict.fromkeys((self.names[i] for i in self.order), "")
        for letter, group in zip("abcdefghijklmnopqrstuvwxyz", groups, strict=False):
            for i in group:
                found[self.names[i]] += letter
        return found

    @property
    def record(self) -> dict[str, Any]:
        """All numbers of all systems with the options: what :func:`csig.verify` runs again.

        Raises
        ------
        InputError
            If comparisons were given that have no common numbers.
        """
        # Which stands above what it records, as reports do: see csig.base.shown.
        found: dict[str, Any] = import_module("csig.systems.report").make_record(self)
        return found


def compare_systems(
    *inputs: object,
    systems: str | Sequence[str] | None = None,
    metric: str | Metric | None = None,
    columns: Sequence[str] | None = None,
    baseline: str | None = None,
    id: object = None,
    cluster: object = None,
    gold: object = None,
    positive: str | None = None,
    unit: str | None = None,
    correction: SystemsCorrection = "holm",
    statistic: Statistic | None = "auto",
    alpha: float = 0.05,
    lower_is_better: bool | None = None,
    rank_by: RankBy = "mean",
    n_resamples: int | None = None,
    rng: streams.Seed = None,
    bit_generator: str | None = None,
    threads: int | None = None,
    zero_division: int = 0,
    unit_name: str | None = None,
    executor: Executor | None = None,
    progress: Callable[[int, int], object] | bool | None = None,
    **reading: Unpack[ReadOptions],
) -> SystemsResult:
    """Compare many systems: the ranks that each may have, and adjusted p-values of all pairs.

    Parameters
    ----------
    *inputs
        What :func:`csig.compare` takes, of two systems or a thousand, all on the same units: files,
        a data frame, a mapping {name: scores}, or the scores of each system. Comparisons need no
        common baseline: any that have the same units, each of two of the systems. Or the result of
        :func:`csig.read`.
    systems, id, cluster, gold, positive, unit
        As for :func:`csig.compare`; labels are compared by their accuracy.
    metric : str or Metric, optional
        Of scores their mean ("accuracy" where all are 0 or 1), which needs no name. Of counts any
        metric that has its columns: "f1", "recall", ...
    columns : sequence of str, optional
        The names of counts, where each system has one row of them per unit instead of a score:
        ``("tp", "predicted", "gold")``.
    baseline : str, optional
        Compare all others with this system only, which is fewer tests. By default all pairs.
    correction : {"holm", "bonferroni", "shaffer", "bh", "by", "holm-directions", "flips"}
        How p-values are adjusted. "holm", the default, makes a false claim with probability alpha
        at most, whatever the systems have to do with each other; it is R's p.adjust of the
        two-sided p-values. "holm-directions" adjusts one-sided p-values over both directions of
        every pair, as the ranks do. "shaffer" has smaller factors than "holm", for binary scores.
        "bh" and "by" bound the expected share of false claims instead.
        "flips" draws sign flips of whole rows that all pairs share (step-down maxT): it has more
        power, and is approximate where differences are not symmetric. The p-value of a pair alone
        is drawn only where it can be neither exact nor certified.
    statistic : {"auto", "studentized", "difference"}
        What flips compare, and the test of a pair in a ratio whose denominator is the system's
        own, such as precision: see :func:`csig.randomization_test`. "auto" is studentized.
    alpha : float
        The significance level of all claims together.
    lower_is_better : bool, optional
        For scores: error rates, perplexities. By default only where a name says so.
    rank_by : {"mean", "borda", "win-rate"}
        The mean of the scores, or how many other systems a system beats on a unit, ties counting
        half: their mean number (Borda) or share, which do not depend on the scores' scale but on
        which other systems there are.
    n_resamples : int, optional
        Of correction "flips", by default 65,535. Of other corrections, where p-values can be
        neither exact nor certified: shuffles of each, by default 2^20, or flips that they share,
        as many or as many more as let the smallest adjusted p-value reach a tenth of `alpha`;
        fewer where that would take minutes.
    rng, bit_generator, threads, zero_division, executor, progress
        As for :func:`csig.randomization_test`; an executor draws the flips, too.
    unit_name : str, optional
        What is swapped is called; by default as the input has it.
    **reading
        How files are read: the other keywords of :func:`csig.read`.

    Returns
    -------
    SystemsResult
        With `ranks`, `possibly_best`, `pairs`, `adjusted_pvalues`, `letters()`.

    Warns
    -----
    DataWarning
        For flips of fewer than 200 units whose scores are not binary, or too few for any claim;
        and for what looks wrong in files.

    Raises
    ------
    InputError
        For anything that cannot be used, in one line with the way out.

    Notes
    -----
    The p-value of every pair is that of :func:`csig.randomization_test`: exact, or certified (the
    upper one of two proven bounds), wherever that can be computed. Where all pairs would take more
    than about a minute by a count made beforehand, the same on every machine, they share one set
    of sign flips; so do pairs that can be neither exact nor certified, if they are too many for
    shuffles of their own. A doubt says so. Ranks are claims about directions: they follow from
    p-values adjusted as with "holm-directions", and with "flips" from the directional flips.
    What :func:`csig.compare` adjusts is the differences from one baseline.

    References
    ----------
    Holm, S. (1979). A simple sequentially rejective multiple test procedure. Scandinavian Journal
    of Statistics 6.

    Mogstad, M., Romano, J. P., Shaikh, A. M. and Wilhelm, D. (2024). Inference for ranks with
    applications to mobility across neighbourhoods and academic achievement across countries. Review
    of Economic Studies 91.

    Romano, J. P. and Wolf, M. (2005). Exact and approximate stepdown methods for multiple
    hypothesis testing. Journal of the American Statistical Association 100.

    Examples
    --------
    >>> import csig
    >>> right = {
    ...     "large": [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0],
    ...     "small": [1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0],
    ...     "tuned": [1, 1, 1, 1, 0, 1, 1, 0, 1, 1, 1, 0],
    ... }
    >>> found = csig.compare_systems(right)
    >>> found
    <SystemsResult accuracy: the best is large or tuned of 3; 1 of 3 pairs differs>
    >>> found.ranks
    {'large': (1, 2), 'tuned': (1, 3), 'small': (2, 3)}
    >>> [(own.system, own.other, round(own.adjusted_pvalue, 4)) for own in found.pairs]
    [('large', 'tuned', 0.5), ('large', 'small', 0.0234), ('tuned', 'small', 0.0625)]
    >>> found.letters()
    {'large': 'a', 'tuned': 'ab', 'small': 'b'}
    """
    given = {**locals()}  # every parameter
    inputs = check_reading("csig.compare_systems", inputs, given, reading)
    test = {name: given[name] for name in _OF_TEST}
    cautions: Sequence[str] = ()
    with in_python():
        if columns is None:
            read = reading_of(inputs, given, reading)
            result, cautions = ranked(read, unit_name, rank_by, **test), read.cautions
        else:
            table = table_of(counts_of(inputs, given, reading), zero_division, rank_by)
            result = rank_systems(table, **test)
    said = correction == "flips" or (result._table is not None and result._table.given.gaps)
    for doubt in verdict.of_bad_data(result.doubts if said else cautions):
        warn(doubt)
    return result


def ranked(
    read: Reading, unit_name: str | None = None, rank_by: RankBy = "mean", **options: Any
) -> SystemsResult:
    """What :func:`compare_systems` finds of systems that were read; what was read is with it."""
    found = arguments(read)
    found["unit_name"] = unit_name or found["unit_name"]
    table = table_of(found, options.get("zero_division", 0), rank_by)
    result = rank_systems(table, **options)
    source = read.source
    in_memory = not (source.files or (source.table is not None and source.table.files))
    doubts = (*read.cautions, *result.doubts)
    return replace(result, source=None if in_memory else source, doubts=doubts)


def table_of(
    given: Mapping[str, Any], zero_division: object = 0, rank_by: RankBy = "mean"
) -> Scored:
    """Systems with their scores, of their scores or counts and what is known of the units."""
    data = [given.get(name) for name in ("systems", "columns", "ids", "clusters")]
    return board_of(
        with_gaps(given["systems"], *data[2:]) if given.get("gaps") else several(*data),
        given.get("metric"), rank_by, lower_is_better=bool(given.get("lower_is_better")),
        unit=given.get("unit_name", "unit"), zero_division=zero_division, known=given.get("known"),
    )  # fmt: skip


def board_of(
    data: Several, metric: str | Metric | None, rank_by: RankBy, *, unit: str = "unit", **more: Any
) -> Scored:
    """The same of numbers that were checked; what else there is `scored` takes."""
    one_of("rank_by", rank_by, RANKED_BY)
    table = scored(data, metric, unit=unit, **more)
    if rank_by == "mean":
        return table
    own = table.metric
    usual = own.name in ("mean", "accuracy", "error_rate")
    name = CALLED[rank_by] + ("" if usual else f" by {own.name.removeprefix(MEAN)}")
    ranked = beaten(data, rank_by, not own.greater_is_better)
    table = scored(ranked, metrics.ratio(name, "score", "n"), unit=unit)
    return replace(table, rank_by=rank_by, asked=(data, own))


#: Arguments of the test itself.
_OF_TEST = (
    "baseline", "correction", "statistic", "alpha", "n_resamples", "rng", "bit_generator",
    "threads", "zero_division", "executor", "progress",
)  # fmt: skip


def rank_systems(
    table: Scored,
    *,
    baseline: str | None = None,
    correction: SystemsCorrection = "holm",
    statistic: Statistic | None = "auto",
    alpha: float = 0.05,
    n_resamples: int | None = None,
    rng: streams.Seed = None,
    bit_generator: str | None = None,
    threads: int | None = None,
    zero_division: int = 0,
    executor: Executor | None = None,
    progress: Callable[[int, int], object] | bool | None = None,
) -> SystemsResult:
    """What :func:`compare_systems` finds of systems with their scores."""
    names = table.given.names
    alpha = between("alpha", alpha)
    one_of("correction", correction, CORRECTIONS)
    if statistic is not None:
        one_of("statistic", statistic, STATISTICS)
    flips = correction == "flips"
    statistic = None if statistic == "auto" else statistic
    if not (statistic is None or flips or table.own_denominators):
        raise InputError(
            "statistic goes with correction 'flips', or with a ratio whose denominator is the "
            "system's own, such as precision"
        )
    if baseline is not None:
        baseline = names[baseline_of(names, baseline)]
    check_all_pairs(correction, baseline)
    if correction == "shaffer" and not table.binary:
        raise InputError(
            "correction 'shaffer' is for binary scores: of other scores two pairs can be "
            "symmetric and the third not, so that its smaller factors do not hold; use 'holm'"
        )
    if correction == "shaffer" and table.given.gaps:
        raise InputError(
            "correction 'shaffer' needs all units of every system: on other units two pairs can be "
            "equal and the third not, so that its smaller factors do not hold; use 'holm'"
        )
    if flips and table.given.gaps:
        raise InputError("correction 'flips' needs all units of every system; use 'holm'")
    if flips and table.values is None:
        raise InputError(
            f"correction 'flips' needs a metric that is a sum over units, found "
            f"{table.metric.name!r}; use 'holm'"
        )
    n_resamples = None if n_resamples is None else positive("n_resamples", n_resamples, 2**40)
    asked = {
        "rank_by": table.rank_by, "baseline": baseline, "correction": correction,
        "statistic": statistic, "alpha": alpha, "n_resamples": n_resamples,
        "zero_division": zero_division,
    }  # fmt: skip
    threads = None if threads is None else positive("threads", threads, 1024)
    source = streams.make_source(rng, bit_generator)
    executor = check_executor(executor)
    n = len(names)
    pairs = places_of(n, None if baseline is None else names.index(baseline))
    common = common_units(table.given, pairs) if table.given.gaps else None

    def matrix(values: NDArray[np.float64], diagonal: float = 1.0) -> NDArray[np.float64]:
        found = np.full((n, n), diagonal)
        found[pairs] = found[pairs[::-1]] = values
        found.setflags(write=False)
        return found

    p: PairPvalues | Flips
    with shown(progress) as notify:
        if flips:
            assert table.values is not None
            p = flip_hits(
                table.values, pairs, source, n_resamples or FLIPS, two_sided=baseline is not None,
                studentized=statistic != "difference",
                slack=table.slack(pairs), threads=threads, executor=executor, notify=notify,
            )  # fmt: skip
        else:
            p = pair_pvalues(
                table, pairs, source, n_resamples=n_resamples, alpha=alpha,
                n_tests=largest_factor(correction, len(pairs[0])), zero_division=zero_division,
                threads=threads, executor=executor, notify=notify,
                statistic=statistic or "studentized",
            )  # fmt: skip
    sparse = np.zeros((n, n), dtype=np.bool_)
    plain = None
    if flips or table.own_denominators:
        statistic = statistic or "studentized"
    if isinstance(p, Flips):
        # P-values of pairs alone, where these are known without a draw; else those of flips.
        with shown(progress) as notify:
            known = known_pvalues(
                table, pairs, zero_division=zero_division, threads=threads, notify=notify
            )
        missing, alone = np.isnan(known.pvalues), (1 + p.single) / (1 + p.n_resamples)
        logs = np.where(missing, all_alike(np.log(alone)), known.logs)
        alone = np.where(missing, alone, known.pvalues)
        # All flips together would say no less than that; some may, by chance.
        by_flips = np.maximum(p.adjusted, alone)
        by_shown = by_joint = matrix(by_flips)
        shuffled, certified = known.n_shuffled, known.n_certified
    else:
        alone, logs = p.pvalues, p.logs
        by_shown, by_joint = map(matrix, _corrected(alone, logs, correction, baseline is None, n))
        shuffled, certified = p.n_shuffled, p.n_certified
        if p.sparse is not None:
            sparse[pairs] = sparse[pairs[::-1]] = p.sparse
        if p.plain is not None and statistic == "studentized":
            plain = p.plain[0], _corrected(*p.plain, correction, baseline is None, n)[0]
    sparse.setflags(write=False)
    method: PairMethod = "certified" if certified else "exact"
    if isinstance(p, Flips) or p.flips:
        method = "flips"
    elif shuffled:
        method = "shuffles"

    differences = table.differences
    sign = 1 if table.metric.greater_is_better else -1
    ahead = (sign * differences > 0) & ~sparse
    doubts = doubts_of(table, correction, p, alpha, baseline is None, common)
    doubts += skewed_pairs(table, pairs)
    seed = Seed(source.name, source.entropy, source.spawn_key, 0)
    return SystemsResult(
        names=names,
        scores=table.scores,
        differences=differences,
        metric=table.metric.name,
        greater_is_better=table.metric.greater_is_better,
        rank_by=table.rank_by,
        unit=table.unit,
        n_units=table.n_units,
        baseline=baseline,
        correction=correction,
        statistic=statistic,
        alpha=alpha,
        pvalues=matrix(alone),
        log_pvalues=matrix(logs, 0.0),
        adjusted_pvalues=by_shown,
        plain_pvalues=None if plain is None else matrix(plain[0]),
        plain_adjusted_pvalues=None if plain is None else matrix(plain[1]),
        sparse=None if plain is None else sparse,
        returned=None if plain is None else table.returned,
        denominators=None if plain is None else table.denominators,
        better=(by_shown <= alpha) & ahead,
        ranks_better=(by_joint <= alpha) & ahead,
        method=method,
        n_certified=certified,
        n_shuffled=shuffled,
        n_resamples=p.n_resamples,
        seed=seed if method in ("flips", "shuffles") else None,
        zero_division=zero_division,
        digest=systems_digest(table.given, table.metric, baseline),
        doubts=tuple(doubts),
        _shares=table.shares,
        _table=table,
        _asked=asked | {"seed": record_of_seed(seed)},
    )


def _corrected(
    own: NDArray[np.float64], logs: NDArray[np.float64], correction: SystemsCorrection,
    all_pairs: bool, n_systems: int,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:  # fmt: skip
    """P-values of pairs, adjusted, and adjusted for ranks."""
    # Of both directions of a pair one has half the p-value, and the other no chance.
    halves = {"total": 2 * len(own)} if all_pairs else {}
    share = 0.5 if all_pairs else 1.0
    joint = adjusted(own * share, logs + np.log(share), "holm", **halves)[0]
    if correction not in ("holm", "bonferroni", "shaffer", "bh", "by"):
        return joint, joint
    return adjusted(own, logs, correction, n_systems=n_systems)[0], joint
