"""The p-values of pairs of systems: exact or certified wherever that can be computed in time.

Of binary scores all pairs are tested at once: only the units that one of two systems has right
count, and these are heads or tails. Of very few units all flips of whole rows are looked at. Other
pairs are tested one by one, as :func:`csig.randomization_test` does, unless it is plain from a
sample of them that this would take too long: then by bounds only, or, where these take too long as
well, all pairs share one set of sign flips, of which each pair sees its own differences. So do
pairs that can neither be exact nor bounded, where they are too many for shuffles of their own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from csig.base.defaults import YEH_RESAMPLES
from csig.base.errors import InputError
from csig.base.validation import Statistic
from csig.base.wording import clean, first_few
from csig.comparing.randomization import randomization_test
from csig.data import metrics
from csig.data.comparison import Comparison
from csig.data.fixed_point import OnGrid, PairIntegers, on_grid
from csig.data.metrics import Metric
from csig.data.several import Several
from csig.data.units import LARGEST_SUM, Units
from csig.engines.exact import words_of_exact
from csig.engines.flips import flip_hits, holds
from csig.engines.pair_tests import PairAnswers, PairTests
from csig.engines.questions import integer_weights
from csig.probability.binomial import sign_tails
from csig.streams import Source

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from numpy.typing import NDArray

    Pairs = tuple[NDArray[np.intp], NDArray[np.intp]]

#: Rows whose flips are all looked at, where pairs are many.
FEW_ROWS, MANY_PAIRS = 12, 100

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
    exact: bool  #: Whether `values` are the scores, not scores on a grid.
    #: By how much a system's sum of `values` may be off; 0 if they are exact.
    blur: NDArray[np.float64]
    binary: bool  #: Whether `values` are all 0 or 1.
    scores: tuple[float, ...]  #: One per system.
    unit: str  #: What is swapped.

    @property
    def n_units(self) -> int:
        """Units, or clusters."""
        given = self.given
        return len(given.rows[0]) if given.clusters is None else len(set(given.clusters))

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

    def comparison(self, j: int, k: int) -> Comparison:
        """Two of the systems, the first minus the second."""
        return compared(self.given, j, k)

    @cached_property
    def _integers(self) -> PairIntegers:
        return PairIntegers(self.given.rows)

    def tested(self, j: int, k: int) -> Comparison:
        """The same for a test: the same integers, and no more than it reads."""
        given = self.given
        found = None if given.columns is not None else self._integers.of(j, k)
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
    rows: Any = given.rows[j], given.rows[k]
    names = given.names[j], given.names[k]
    units: dict[str, Any] = {"ids": given.ids, "clusters": given.clusters, "names": names}
    try:
        if given.columns is None:
            return Comparison.from_scores(*rows, **units)
        return Comparison.from_statistics(rows[0], rows[1], given.columns, **units)
    except InputError as error:
        one, other = map(clean, names)
        raise InputError(f"{error} (a is {one}, b is {other})") from None


def _of_scores(
    given: Several, metric: str | Metric | None, lower_is_better: bool
) -> tuple[Metric, OnGrid, bool]:
    """Of scores: the metric, the integers, and whether they are binary."""
    whole = all(own.dtype.kind == "i" for own in given.rows)
    if whole:
        grid = OnGrid(np.stack(given.rows, axis=1), True, np.zeros(len(given.rows)))
    else:
        grid = on_grid(given.rows)
    binary = whole and bool(((grid.values == 0) | (grid.values == 1)).all())
    name = ("accuracy" if binary else "mean") if metric is None else metric
    if not isinstance(name, Metric):
        if name not in ("mean", "accuracy", "error_rate"):
            raise InputError(
                f"metric: found {name!r}; scores have their mean. Other metrics need statistics: "
                "give rows of counts, and columns= with their names"
            )
        less = lower_is_better or name == "error_rate"
        found = metrics.ratio(str(name), "score", "n", greater_is_better=not less)
    else:
        found = name
    grid = grid._replace(values=given.whole(grid.values))
    return found, grid, binary and given.clusters is None


def _of_statistics(given: Several, metric: Metric) -> NDArray[np.int64] | None:
    """The numerators, if no system changes a denominator."""
    if not metric.linear_fractional:
        return None
    above, below = integer_weights(compared(given, 0, 1), metric)
    weights = np.array([above, below], dtype=np.int64)
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
    zero_division: int = 0,
    unit: str = "unit",
) -> Scored:
    """The systems with their scores by a metric."""
    total: NDArray[np.int64] | None
    if given.columns is None:
        found, grid, binary = _of_scores(given, metric, lower_is_better)
        total, exact, blur = grid
        # Whether systems differ in the metric as in their sums of scores.
        is_sum = found.linear_fractional and "score" in found.columns
        if is_sum:
            place = found.columns.index("score")
            is_sum = found.numerator[place] != 0 and found.denominator[place] == 0
        if not is_sum:
            total, binary = None, False
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
        total, exact, binary = _of_statistics(given, found), True, False
        blur = np.zeros(len(given.rows))
    scores = []
    for own in given.rows:
        if given.columns is None:
            sums: dict[str, Any] = {
                "score": Fraction(*float(own.mean(dtype=np.float64)).as_integer_ratio()) * len(own)
                if own.dtype.kind == "f"
                else int(own.sum()),
                "n": len(own),
            }
        else:
            sums = dict(zip(given.columns, own.sum(axis=0).tolist(), strict=True))
        scores.append(float(found.score(sums, zero_division=zero_division)))
    return Scored(given, found, total, exact, blur, binary, tuple(scores), unit)


def _of_few_rows(
    values: NDArray[np.int64], pairs: Pairs, slack: NDArray[np.float64]
) -> PairPvalues:
    """All flips of a few rows; half of them, as the others have the same differences negated."""
    n = len(values)
    signs = 1 - 2 * (np.arange(2 ** max(0, n - 1))[:, None] >> np.arange(n) & 1)
    sums = signs @ (values - values[:, :1])
    found = np.empty(len(pairs[0]))
    step = max(1, CELLS // len(signs))
    for start in range(0, len(found), step):
        here = slice(start, start + step)
        j, k = (own[here] for own in pairs)
        size = np.abs(sums[:, j] - sums[:, k])
        found[here] = (size >= size[0] - slack[here]).mean(axis=0)
    return PairPvalues(found, np.log(found))


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


class Plan(NamedTuple):
    """How pairs are tested by themselves: by bounds only, and whether threads take whole pairs."""

    by_bounds: bool
    whole: bool


def _tests(table: Scored, n_resamples: int, zero_division: int) -> PairTests:
    return PairTests(
        comparison=table.tested, metric=table.metric, n_resamples=n_resamples,
        zero_division=zero_division,
    )  # fmt: skip


def planned(table: Scored, pairs: Pairs, n_resamples: int, zero_division: int) -> Plan | None:
    """How pairs are exact or certified in time, by what some of them take; None if they are not.

    Counted beforehand, so that it is the same on every machine, whatever the order of systems.
    """
    if not table.metric.linear_fractional:
        return None
    tests = _tests(table, n_resamples, zero_division)
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
    for by_bounds, limit in ways:
        words = [own.bounds if by_bounds else own.alone for own in prices]
        known = [own for own in words if own is not None]
        if known and (each + sum(known) / len(prices)) * n <= limit:
            return Plan(by_bounds, by_bounds or only_bounds)
    return None


def enough_flips(n_tests: float, alpha: float, looks: float = 0) -> int:
    """How many flips are drawn by default, where one takes so many looks at a difference.

    The smallest attainable p-value, times the number of tests, is at most a tenth of alpha, so that
    the pair that must pass the smallest level may have about ten hits. Fewer if these would take
    too long, with a thousand systems hours; then 2^16 where not even one hit would do.

    >>> enough_flips(4950, 0.05), enough_flips(19900, 0.05)
    (1048576, 4194304)
    >>> enough_flips(499_500, 0.05, 500_000)
    65536
    """
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
    n_resamples: int | None = None,
    alpha: float = 0.05,
    n_tests: float | None = None,
    zero_division: int = 0,
    threads: int | None = None,
    executor: Executor | None = None,
    notify: Callable[[int, int], object] | None = None,
    statistic: Statistic = "difference",
) -> PairPvalues:
    """The two-sided p-value of every pair.

    `n_resamples` is the number of shuffles of every pair, by default 2^20; or of flips of all
    together, by default as many as the correction needs at `alpha` if `n_tests` is its largest
    factor, by default the number of pairs.
    """
    at_once, n, values = _at_once(table, pairs), len(pairs[0]), table.values
    if at_once is not None:
        return at_once
    shuffles = YEH_RESAMPLES if n_resamples is None else n_resamples

    def one_by_one(pairs: Pairs) -> PairPvalues:
        return _one_by_one(
            table, pairs, notify, n_resamples=shuffles, zero_division=zero_division,
            rng=np.random.SeedSequence(source.entropy, spawn_key=source.spawn_key),
            bit_generator=source.factory, threads=threads, executor=executor,
            statistic="auto" if statistic == "studentized" else statistic,
        )  # fmt: skip

    if values is None or n == 1 or _affordable(table, pairs, shuffles, zero_division):
        return one_by_one(pairs)

    def of_flips(pairs: Pairs) -> PairPvalues:
        """Every pair's own p-value, from flips that all share."""
        n = len(pairs[0])
        differing = (values != values[:, :1]).any(axis=1)
        looks = n + int(differing.sum()) * values.shape[1] / SCORES
        trials = n_resamples or enough_flips(n_tests or len(all_pairs), alpha, looks)
        drawn = flip_hits(
            values, pairs, source, trials, two_sided=True, studentized=False,
            slack=table.slack(pairs), threads=threads, executor=executor, notify=notify,
        )  # fmt: skip
        pvalues = (1 + drawn.single) / (1 + trials)
        return PairPvalues(pvalues, np.log(pvalues), n, trials, True)

    all_pairs = pairs[0]
    plan = planned(table, pairs, shuffles, zero_division)
    if plan is None:
        return of_flips(pairs) if holds(values) else one_by_one(pairs)
    found = _by_plan(table, pairs, plan, shuffles, zero_division, threads, notify)
    n_certified, left = int(found.certified.sum()), found.missing
    if not len(left):
        return PairPvalues(found.pvalues, found.logs, n_certified=n_certified)
    # Pairs that are neither, by shuffles of their own if that is affordable.
    others = pairs[0][left], pairs[1][left]
    words = float(EVERY_PAIR + table.n_units * (EVERY_UNIT + shuffles // 64))
    own_shuffles = words * len(left) <= EXACT_WORDS or not holds(values)
    drawn = one_by_one(others) if own_shuffles else of_flips(others)
    found.pvalues[left], found.logs[left] = drawn.pvalues, drawn.logs
    return replace(
        drawn, pvalues=found.pvalues, logs=found.logs, n_certified=n_certified + drawn.n_certified
    )


def known_pvalues(
    table: Scored,
    pairs: Pairs,
    *,
    zero_division: int = 0,
    threads: int | None = None,
    notify: Callable[[int, int], object] | None = None,
) -> PairPvalues:
    """The same without a draw: NaN where a pair is neither exact nor certified in time."""
    found, n = _at_once(table, pairs), len(pairs[0])
    if found is not None:
        return found
    plan = planned(table, pairs, YEH_RESAMPLES, zero_division)
    if plan is None:
        return PairPvalues(np.full(n, np.nan), np.full(n, np.nan), n)
    made = _by_plan(table, pairs, plan, YEH_RESAMPLES, zero_division, threads, notify)
    return PairPvalues(
        made.pvalues, made.logs, len(made.missing), n_certified=int(made.certified.sum())
    )


def _at_once(table: Scored, pairs: Pairs) -> PairPvalues | None:
    """Of binary scores, and of few rows where pairs are many."""
    values, n = table.values, len(pairs[0])
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
        return _of_few_rows(differing, pairs, table.slack(pairs))
    return None


def _by_plan(
    table: Scored,
    pairs: Pairs,
    plan: Plan,
    n_resamples: int,
    zero_division: int,
    threads: int | None,
    notify: Callable[[int, int], object] | None,
) -> PairAnswers:
    """Every pair exact or certified, where that can be."""
    tests = _tests(table, n_resamples, zero_division)
    places = zip(*(systems.tolist() for systems in pairs), strict=True)
    return tests.run(places, **plan._asdict(), threads=threads, notify=notify)


def _one_by_one(
    table: Scored,
    pairs: Pairs,
    notify: Callable[[int, int], object] | None,
    *,
    n_resamples: int,
    **options: Any,
) -> PairPvalues:
    """Every pair by the test of two systems."""
    n, shuffled, certified, asked_otherwise = len(pairs[0]), 0, 0, 0
    found, logs = np.empty((2, n))
    plain, plain_logs = np.empty((2, n))
    sparse = np.zeros(n, dtype=np.bool_)
    for i, (j, k) in enumerate(zip(*(own.tolist() for own in pairs), strict=True)):
        comparison = table.comparison(j, k)
        result = randomization_test(comparison, table.metric, n_resamples=n_resamples, **options)
        found[i], logs[i] = result.pvalue, result.log_pvalue
        difference = result if result.studentized is None else result.studentized.plain
        plain[i], plain_logs[i] = difference.pvalue, difference.log_pvalue
        sparse[i] = result.sparse
        shuffled += result.method == "approximate"
        certified += result.method == "certified"
        asked_otherwise += result.not_studentized is not None
        if notify is not None:
            notify(i + 1, n)
    return PairPvalues(
        found, logs, shuffled, n_resamples if shuffled else None, n_certified=certified,
        sparse=sparse, plain=(plain, plain_logs), n_not_studentized=asked_otherwise,
    )  # fmt: skip
