"""Many systems on the same units: which can be told apart, and what rank each may have."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, get_args

import numpy as np

from csig import streams
from csig.base.defaults import FLIPS
from csig.base.errors import DataWarning, InputError
from csig.base.progress import shown
from csig.base.shown import Library, Shown, as_frame
from csig.base.validation import between, check_executor, check_zero_division, one_of, positive
from csig.base.wording import clean, counted, first_few, listed, perhaps
from csig.data.digests import systems_digest
from csig.data.metrics import Metric
from csig.data.several import several
from csig.engines.flips import Flips, flip_hits
from csig.probability.corrections import CORRECTIONS, adjusted
from csig.probability.tables import letter_groups, rank_intervals
from csig.results.randomization import Seed
from csig.systems.doubts import doubts_of, largest_factor
from csig.systems.pairs import PairPvalues, Scored, known_pvalues, pair_pvalues, scored

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from numpy.typing import NDArray

    from csig.systems.pairs import Pairs

#: How p-values are adjusted for the number of pairs.
SystemsCorrection: TypeAlias = Literal[
    "holm", "bonferroni", "shaffer", "bh", "by", "holm-directions", "flips"
]  # fmt: skip
ALL_CORRECTIONS: tuple[SystemsCorrection, ...] = get_args(SystemsCorrection)
assert ALL_CORRECTIONS[:5] == CORRECTIONS

#: What flips compare.
Statistic: TypeAlias = Literal["studentized", "difference"]
STATISTICS: tuple[Statistic, ...] = get_args(Statistic)

#: How the p-values of pairs were found.
PairMethod: TypeAlias = Literal["exact", "certified", "shuffles", "flips"]


@dataclass(frozen=True)
class SystemRank:
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
class SystemPair:
    """Two systems: of all pairs the better first, beside a baseline the baseline second."""

    system: str  #: system, other: their names.
    other: str
    difference: float  #: The first one's score minus the second one's.
    pvalue: float  #: pvalue, log_pvalue: two-sided, of this pair alone, and its natural logarithm.
    log_pvalue: float
    adjusted: float  #: What may be compared with alpha, however many pairs there are.
    #: plain_pvalue, plain_adjusted: of a studentised ratio the same of the test of the difference
    #: itself, which asks whether the systems are interchangeable; else None.
    plain_pvalue: float | None
    plain_adjusted: float | None
    better: str | None  #: The system that is significantly better.


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class SystemsResult(Shown):
    """What can be said of many systems: see :func:`compare_systems`.

    Matrices have one row and one column per system, in the order of `names`. Pairs that were not
    tested have p-values of 1.
    """

    names: tuple[str, ...]  #: The systems.
    scores: tuple[float, ...]  #: Theirs.
    metric: str  #: The metric's name.
    greater_is_better: bool  #: False for errors and losses.
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
    adjusted: NDArray[np.float64]  #: Adjusted for the number of pairs; symmetric.
    #: plain_pvalues, plain_adjusted: of a studentised ratio the same of the test of the difference
    #: itself, which asks whether the systems are interchangeable; else None.
    plain_pvalues: NDArray[np.float64] | None = None
    plain_adjusted: NDArray[np.float64] | None = None
    #: Pairs that rest on too few counts for a difference to be called significant; symmetric.
    sparse: NDArray[np.bool_] | None = None
    #: returned, denominators: of such a ratio every system's responses, where they are counted, and
    #: what the metric divides by; else None.
    returned: tuple[int, ...] | None = None
    denominators: tuple[float, ...] | None = None
    #: ``better[j, k]``: system j is significantly better than system k, by `adjusted`.
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

    def _line(self) -> str:
        found = int(self.better.sum())
        n = self.n_pairs
        which = f"{found:,} of {counted(n, 'pair')} differ{'s' * (found == 1)}"
        if self.baseline is None:
            best = [clean(name) for name in self.possibly_best]
            many = listed(best, "or") if len(best) <= 3 else f"one of {len(best):,}"
            return f"{self.metric}: the best is {many} of {len(self.names):,}; {which}"
        return f"{self.metric}: {which} from {clean(self.baseline)}"

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
    def systems(self) -> tuple[SystemRank, ...]:
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
        return tuple(found)

    @property
    def pairs(self) -> tuple[SystemPair, ...]:
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
                    self.scores[i] - self.scores[k],
                    float(self.pvalues[i, k]),
                    float(self.log_pvalues[i, k]),
                    float(self.adjusted[i, k]),
                    None if self.plain_pvalues is None else float(self.plain_pvalues[i, k]),
                    None if self.plain_adjusted is None else float(self.plain_adjusted[i, k]),
                    None if best is None else self.names[best],
                )
            )
        return tuple(pairs)

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

    def ranks_frame(self, library: Library | None = None) -> Any:
        """`systems` as a data frame; :meth:`to_frame` has the pairs."""
        return as_frame([vars(own) for own in self.systems], library)


def _check(
    table: Scored, correction: SystemsCorrection, statistic: Statistic | None, baseline: str | None
) -> None:
    """Refuse corrections that do not go with the scores."""
    names = table.given.names
    one_of("correction", correction, ALL_CORRECTIONS)
    if statistic is not None:
        one_of("statistic", statistic, STATISTICS)
        if correction != "flips" and not table.own_denominators:
            raise InputError(
                "statistic goes with correction 'flips', or with a ratio whose denominator is the "
                "system's own, such as precision"
            )
    if baseline is not None and baseline not in names:
        raise InputError(
            f"baseline: no system {baseline!r}{perhaps(baseline, names)}; there are "
            f"{first_few(names, 12)}"
        )
    if correction == "shaffer" and baseline is not None:
        raise InputError(
            "correction 'shaffer' is for all pairs: beside a baseline any set of systems may be "
            "equal to it; use 'holm'"
        )
    if correction == "shaffer" and not table.binary:
        raise InputError(
            "correction 'shaffer' is for binary scores: of other scores two pairs can be "
            "symmetric and the third not, so that its smaller factors do not hold; use 'holm'"
        )
    if correction == "flips" and table.values is None:
        raise InputError(
            f"correction 'flips' needs a metric that is a sum over units, found "
            f"{table.metric.name!r}; use 'holm'"
        )


def compare_systems(
    systems: Mapping[str, Any] | Any,
    metric: str | Metric | None = None,
    *,
    columns: Sequence[str] | None = None,
    ids: object = None,
    clusters: object = None,
    baseline: str | None = None,
    correction: SystemsCorrection = "holm",
    statistic: Statistic | Literal["auto"] | None = "auto",
    alpha: float = 0.05,
    lower_is_better: bool = False,
    n_resamples: int | None = None,
    rng: streams.Seed = None,
    bit_generator: str | None = None,
    threads: int | None = None,
    zero_division: int = 0,
    unit_name: str = "unit",
    executor: Executor | None = None,
    progress: Callable[[int, int], object] | bool | None = None,
) -> SystemsResult:
    """Compare many systems: the ranks that each may have, and adjusted p-values of all pairs.

    Parameters
    ----------
    systems : mapping {name: scores}, or data frame
        One score per unit for each system, or {id: score}; with `columns` one row of counts per
        unit. A data frame has one column per system, and no others; its index is the ids, unless
        it is the default one. Two systems or a thousand, all on the same units.
    metric : str or Metric, optional
        Of scores their mean ("accuracy" where all are 0 or 1), which needs no name. Of counts any
        metric that has its columns: "f1", "recall", ...
    columns : sequence of str, optional
        The names of the counts: ``("tp", "predicted", "gold")``.
    ids : sequence, optional
        One id per unit; the hits of a seeded run then do not depend on the order of the units.
    clusters : sequence or mapping {id: label}, optional
        One label per unit: units with the same label are swapped together.
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
    lower_is_better : bool
        For scores: error rates, perplexities.
    n_resamples : int, optional
        Of correction "flips", by default 65,535. Of other corrections, where p-values can be
        neither exact nor certified: shuffles of each, by default 2^20, or flips that they share,
        as many or as many more as let the smallest adjusted p-value reach a tenth of `alpha`;
        fewer where that would take minutes.
    rng, bit_generator, threads, zero_division, executor, progress
        As for :func:`csig.randomization_test`; an executor draws the flips, too.
    unit_name : str
        What units, or clusters, are called.

    Returns
    -------
    SystemsResult
        With `ranks`, `possibly_best`, `pairs`, `adjusted`, `letters()`.

    Warns
    -----
    DataWarning
        For flips of fewer than 200 units whose scores are not binary, or too few for any claim.

    Raises
    ------
    InputError
        For anything that cannot be used, in one line with the way out.

    Notes
    -----
    The p-value of every pair is that of :func:`csig.randomization_test`: exact, or certified (the
    upper one of two proven bounds), wherever that can be computed. Where all pairs would take more
    than about a minute, as their cost says that is counted beforehand, and the same on every
    machine, they share one set of sign flips; of each pair these are the shuffles of two systems.
    So do pairs that can be neither exact nor certified, if they are too many for shuffles of their
    own. A doubt says so. Ranks are claims about directions: they follow from p-values adjusted as
    with "holm-directions", over both directions of every pair, and with "flips" from the
    directional flips.
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
    >>> [(own.system, own.other, round(own.adjusted, 4)) for own in found.pairs]
    [('large', 'tuned', 0.5), ('large', 'small', 0.0234), ('tuned', 'small', 0.0625)]
    >>> found.letters()
    {'large': 'a', 'tuned': 'ab', 'small': 'b'}
    """
    statistic = None if statistic == "auto" else statistic
    given = several(systems, columns, ids, clusters)
    alpha = between("alpha", alpha)
    table = scored(
        given, metric, lower_is_better=lower_is_better, unit=unit_name,
        zero_division=check_zero_division(zero_division),
    )  # fmt: skip
    _check(table, correction, statistic, baseline)
    flips = correction == "flips"
    n_resamples = None if n_resamples is None else positive("n_resamples", n_resamples, 2**40)
    threads = None if threads is None else positive("threads", threads, 1024)
    source = streams.make_source(rng, bit_generator)
    executor = check_executor(executor)
    n = len(given.names)
    pairs: Pairs = np.triu_indices(n, 1)
    if baseline is not None:
        base = given.names.index(baseline)
        pairs = np.delete(np.arange(n), base), np.full(n - 1, base)
    p: PairPvalues | Flips
    known: PairPvalues | None = None
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
    if flips:
        with shown(progress) as notify:
            known = known_pvalues(
                table, pairs, zero_division=zero_division, threads=threads, notify=notify
            )
    found = _result(
        table, pairs, p, known, source, baseline=baseline, correction=correction, alpha=alpha,
        statistic=statistic, zero_division=zero_division,
    )  # fmt: skip
    for doubt in found.doubts if flips else ():
        warnings.warn(doubt, DataWarning, stacklevel=2)
    return found


class _Claims(NamedTuple):
    """P-values of pairs: alone, their logarithms, adjusted, and adjusted for ranks."""

    own: NDArray[np.float64]
    logs: NDArray[np.float64]
    shown: NDArray[np.float64]
    joint: NDArray[np.float64]


def _corrected(
    own: NDArray[np.float64],
    logs: NDArray[np.float64],
    correction: SystemsCorrection,
    all_pairs: bool,
    n_systems: int,
) -> _Claims:
    # Of both directions of a pair one has half the p-value, and the other no chance.
    halves = {"total": 2 * len(own)} if all_pairs else {}
    share = 0.5 if all_pairs else 1.0
    joint = adjusted(own * share, logs + np.log(share), "holm", **halves)[0]
    shown = joint
    if correction in ("holm", "bonferroni", "shaffer", "bh", "by"):
        shown = adjusted(own, logs, correction, n_systems=n_systems)[0]
    return _Claims(own, logs, shown, joint)


def _result(
    table: Scored,
    pairs: Pairs,
    p: PairPvalues | Flips,
    known: PairPvalues | None,
    source: streams.Source,
    *,
    baseline: str | None,
    correction: SystemsCorrection,
    alpha: float,
    statistic: Statistic | None,
    zero_division: int,
) -> SystemsResult:
    """The p-values as matrices, and what follows from them."""
    n = len(table.given.names)
    sparse = np.zeros((n, n), dtype=np.bool_)
    plain = None
    if correction == "flips" or table.own_denominators:
        statistic = statistic or "studentized"
    if isinstance(p, Flips):
        # P-values of pairs alone, where these are known without a draw; else those of flips.
        assert known is not None
        missing, alone = np.isnan(known.pvalues), (1 + p.single) / (1 + p.n_resamples)
        logs = np.where(missing, np.log(alone), known.logs)
        alone = np.where(missing, alone, known.pvalues)
        # All flips together would say no less than that; some may, by chance.
        by_flips = np.maximum(p.adjusted, alone)
        claims = _Claims(alone, logs, by_flips, by_flips)
        shuffled, certified = known.n_shuffled, known.n_certified
    else:
        claims = _corrected(p.pvalues, p.logs, correction, baseline is None, n)
        shuffled, certified = p.n_shuffled, p.n_certified
        if p.sparse is not None:
            sparse[pairs] = sparse[pairs[::-1]] = p.sparse
        if p.plain is not None and statistic == "studentized":
            plain = _corrected(*p.plain, correction, baseline is None, n)
    sparse.setflags(write=False)
    method: PairMethod = "certified" if certified else "exact"
    if isinstance(p, Flips) or p.flips:
        method = "flips"
    elif shuffled:
        method = "shuffles"

    def matrix(values: NDArray[np.float64], diagonal: float = 1.0) -> NDArray[np.float64]:
        found = np.full((n, n), diagonal)
        found[pairs] = values
        found[pairs[::-1]] = values
        found.setflags(write=False)
        return found

    scores = np.array(table.scores) * (1 if table.metric.greater_is_better else -1)
    ahead = (scores[:, None] > scores[None, :]) & ~sparse
    by_shown, by_joint = matrix(claims.shown), matrix(claims.joint)
    seed = Seed(source.name, source.entropy, source.spawn_key, 0)
    return SystemsResult(
        names=table.given.names,
        scores=table.scores,
        metric=table.metric.name,
        greater_is_better=table.metric.greater_is_better,
        unit=table.unit,
        n_units=table.n_units,
        baseline=baseline,
        correction=correction,
        statistic=statistic,
        alpha=alpha,
        pvalues=matrix(claims.own),
        log_pvalues=matrix(claims.logs, 0.0),
        adjusted=by_shown,
        plain_pvalues=None if plain is None else matrix(plain.own),
        plain_adjusted=None if plain is None else matrix(plain.shown),
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
        doubts=tuple(doubts_of(table, correction, p, alpha, baseline is None)),
    )
