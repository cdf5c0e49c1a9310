"""Several ranking methods at once: how good their n best are, and which pairs differ."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from csig import streams
from csig.data.candidates import Candidates, Ranking, candidates, list_sizes
from csig.defaults import FLIPS
from csig.errors import InputError
from csig.probability.families import over_families
from csig.probability.fisher import fisher_pvalue, least_pvalue
from csig.ranking import NBestResult, ProportionInterval, nbest_precision
from csig.ranking_curves import RankingCurves, RankingRegion, curves_of, regions_of
from csig.results import Seed
from csig.shown import Shown
from csig.validation import between, positive
from csig.wording import clean, coded, count, counted, decimal, first_few, percent, perhaps, pvalue

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["MethodPair", "RankedMethods", "best_first", "default_lengths", "rank_methods"]

#: The longest list that is looked at unless somebody asks for others, and how many lists.
LONGEST, LENGTHS = 2000, 5

#: Standard deviations below chance from which on a method may be read the wrong way round.
REVERSED = -4

#: How much longer than n a list may be, and how much the order of ties may matter, unsaid.
LONGER, SPREAD = 1.1, 0.02

#: Methods of which this is said one by one.
MOST_DOUBTS = 3


@dataclass(frozen=True, kw_only=True, eq=False)
class MethodPair:
    """Two ranking methods at every length.

    All arrays have the shape (lengths,), but for `only_a` and `only_b`.
    """

    #: The methods A and B: of all pairs A has the better average precision, beside a baseline B is
    #: the baseline.
    names: tuple[str, str]
    n: NDArray[np.int64]  #: How many candidates of each were wanted.
    #: sizes, true_positives: how many each accepts, and the true ones among them.
    sizes: tuple[NDArray[np.int64], NDArray[np.int64]]
    true_positives: tuple[NDArray[np.int64], NDArray[np.int64]]
    #: only_a, only_b: true and false candidates that only one method accepted.
    only_a: NDArray[np.int64]
    only_b: NDArray[np.int64]
    #: Two-sided, of this pair at this length alone: of Fisher's exact test if there is one length,
    #: of the flips of :func:`csig.compare_ranking_curves` if there are several.
    pvalues: NDArray[np.float64]
    adjusted_lengths: NDArray[np.float64]  #: Adjusted for the number of lengths.
    adjusted: NDArray[np.float64]  #: Adjusted for lengths and pairs.
    #: a_better, b_better: where a method is significantly better: by `adjusted`, and more precise
    #: as a whole list.
    a_better: NDArray[np.bool_]
    b_better: NDArray[np.bool_]

    @property
    def precision(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The share of true ones in each list."""
        a, b = (true / size for true, size in zip(self.true_positives, self.sizes, strict=True))
        return a, b

    @property
    def difference(self) -> NDArray[np.float64]:
        """The precision of A minus that of B."""
        return self.precision[0] - self.precision[1]

    @property
    def pvalue(self) -> float:
        """The smallest adjusted p-value: what may be compared with alpha."""
        return float(self.adjusted.min())

    @property
    def regions(self) -> tuple[RankingRegion, ...]:
        """Where one method is better, from the shortest lists on."""
        return regions_of(self.names, self.n, self.a_better, self.b_better)

    @property
    def better(self) -> str | None:
        """The method that is significantly better at some length, if the other is at none."""
        found = {own.better for own in self.regions}
        return found.pop() if len(found) == 1 else None


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class RankedMethods(Shown):
    """What can be said of several ranking methods: see :func:`rank_methods`."""

    names: tuple[str, ...]  #: The methods, as they were given.
    n: NDArray[np.int64]  #: The lengths of lists.
    precision: NBestResult  #: How good the n best of every method are, with intervals.
    #: All of them, or those with the baseline; those of the best average precision first. None of
    #: one method.
    pairs: tuple[MethodPair, ...]
    #: The pairs as :func:`csig.compare_ranking_curves` finds them, without the adjustment for the
    #: number of pairs: for their pictures. None of one length.
    curves: tuple[RankingCurves, ...]
    baseline: str | None  #: The method that all others are compared with; None where all pairs are.
    #: How pairs were tested: one length by Fisher's exact test, several by flips.
    test: Literal["fisher", "flips"]
    lower_is_better: tuple[str, ...]  #: The methods whose small scores are the best.
    ties: Literal["first", "all"]  #: What becomes of ties at the cut.
    alpha: float  #: The level of all claims together.
    n_resamples: int | None  #: Flips of every pair.
    seed: Seed | None  #: What reproduces them.
    digest: str  #: The SHA-256 of the data that the numbers depend on.
    doubts: tuple[str, ...] = ()  #: What to know before believing the result.

    @property
    def order(self) -> list[int]:
        """The methods' places, the best average precision first."""
        return best_first(self.precision)

    def pair(self, a: str, b: str) -> MethodPair:
        """The pair of two methods, in whichever order it was compared.

        Raises
        ------
        InputError
            If they were not compared.
        """
        for own in self.pairs:
            if {a, b} == set(own.names):
                return own
        for name in (a, b):
            if name not in self.names:
                raise InputError(
                    f"no method {name!r}{perhaps(name, self.names)}; there are "
                    f"{first_few(self.names, 20)}"
                )
        raise InputError(f"{a!r} and {b!r} were not compared")

    def _line(self) -> str:
        best = self.precision.curves[self.order[0]]
        found = sum(bool(pair.regions) for pair in self.pairs)
        pairs = f"; {count(found)} of {counted(len(self.pairs), 'pair')} differ"
        return (
            f"{counted(len(self.names), 'method')}: the best average precision is "
            f"{best.average_precision:.4f} ({clean(best.name)}){pairs if self.pairs else ''}"
        )


def best_first(precision: NBestResult) -> list[int]:
    """The methods' places, the best average precision first."""
    curves = precision.curves
    return sorted(range(len(curves)), key=lambda i: -curves[i].average_precision)


def default_lengths(n_candidates: int) -> list[int]:
    """The lengths of lists that are looked at unless somebody asks for others.

    The last five of 1, 2, 5, 10, 20, 50, ... up to 2,000 that hold no more than half of the
    candidates: all methods have the same list of all.

    Examples
    --------
    >>> default_lengths(5102), default_lengths(300), default_lengths(7)
    ([100, 200, 500, 1000, 2000], [5, 10, 20, 50, 100], [1, 2])
    """
    steps = [m * 10**k for k in range(4) for m in (1, 2, 5)]
    most = max(1, min(LONGEST, n_candidates // 2))
    return [own for own in steps if own <= most][-LENGTHS:]


def _entered(ranking: Ranking, n: NDArray[np.int64], ties: str) -> NDArray[np.int64]:
    """The first of the lengths at which every candidate is accepted; their number for none."""
    found = np.empty(len(ranking.order), dtype=np.int64)
    rank = np.arange(1, len(found) + 1)
    found[ranking.order] = ranking.starts + 1 if ties == "all" else rank
    return np.searchsorted(n, found)


class _Lists(NamedTuple):
    """The lists of a method: how many candidates they have, by length, and which."""

    sizes: NDArray[np.int64]
    true: NDArray[np.int64]
    entered: NDArray[np.int64]


def _lists(found: Candidates, n: NDArray[np.int64], ties: str) -> dict[str, _Lists]:
    lists = {}
    for own in found.rankings:
        sizes = own.ends[n - 1] if ties == "all" else n
        lists[own.name] = _Lists(sizes, own.true[sizes], _entered(own, n, ties))
    return lists


def _own_ones(
    a: _Lists, b: _Lists, true: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """True and false candidates of A only, and of B only, by length."""
    at, most = np.maximum(a.entered, b.entered), len(a.sizes)
    both = np.cumsum(np.bincount(at, minlength=most + 1)[:most])
    both_true = np.cumsum(np.bincount(at[true], minlength=most + 1)[:most])
    only_a, only_b = (
        np.stack([own.true - both_true, own.sizes - own.true - both + both_true], axis=1)
        for own in (a, b)
    )
    return only_a, only_b


def _digest(found: Candidates, n: NDArray[np.int64], baseline: str | None) -> str:
    """Of which candidates are true, all scores and lengths, whatever the methods are called."""

    def of(*parts: bytes) -> str:
        return hashlib.sha256(b"".join(parts)).hexdigest()

    def scores(own: Ranking) -> str:
        return of((own.scores.astype("<f8") + 0.0).tobytes())

    base = [scores(own) for own in found.rankings if own.name == baseline]
    others = sorted(scores(own) for own in found.rankings if own.name != baseline)
    truth = of(found.true.astype(np.uint8).tobytes(), n.astype("<i8").tobytes())
    return of("\n".join([truth, *base, "-", *others]).encode())


def _below(ranking: Ranking) -> tuple[float, float]:
    """How often a true candidate is above a false one (ties count half), and its deviate."""
    true = np.diff(ranking.true)
    n, right = len(true), int(ranking.true[-1])
    wrong = n - right
    if not wrong:
        return 0.5, 0.0
    ranks = float((true * (ranking.starts + 1 + ranking.ends)).sum()) / 2  # 1 is the best
    above = 1 - (ranks - right * (right + 1) / 2) / (right * wrong)
    return above, (above - 0.5) / math.sqrt((n + 1) / (12 * right * wrong))


def _tie_doubts(precision: NBestResult) -> list[str]:
    """Methods whose ties decide how long their lists are, or which candidates are in them."""
    said = []
    for own in precision.curves:
        i = int(np.argmax(own.size / own.n))
        k = int(np.argmax(own.highest - own.lowest))
        if own.size[i] > LONGER * own.n[i]:
            n, size = count(int(own.n[i])), count(int(own.size[i]))
            said.append(
                f"{clean(own.name)}: candidates with the same score make lists longer than n: "
                f"{size} candidates for n = {n}."
            )
        elif precision.ties == "first" and own.highest[k] - own.lowest[k] > SPREAD:
            said.append(
                f"{clean(own.name)}: of {counted(int(own.tied[k]), 'candidate')} with the same "
                "score those that come first in the table are taken; in another order the "
                f"precision at n = {count(int(own.n[k]))} is {percent(own.lowest[k])}% to "
                f"{percent(own.highest[k])}%."
            )
    if len(said) > MOST_DOUBTS:
        said[MOST_DOUBTS:] = [f"So it is with {counted(len(said) - MOST_DOUBTS, 'other method')}."]
    return said


def _opposed_doubts(pairs: Sequence[MethodPair], alpha: float) -> list[str]:
    """Pairs that differ, but not in one direction: lists of very different lengths."""
    said = []
    for pair in pairs:
        unclaimed = (pair.adjusted <= alpha) & ~pair.a_better & ~pair.b_better
        own_a, own_b = pair.only_a.sum(axis=1), pair.only_b.sum(axis=1)
        share = pair.only_a[:, 0] * own_b - pair.only_b[:, 0] * own_a
        places = np.flatnonzero(unclaimed & (share * pair.difference < 0))
        if len(places):
            a, b = map(clean, pair.names)
            said.append(
                f"{a} and {b} at n = {count(int(pair.n[places[0]]))}: of the candidates of one "
                "method only, a larger share is true for one method, but the whole list is better "
                "for the other; nothing is claimed."
            )
    if len(said) > MOST_DOUBTS:
        said[MOST_DOUBTS:] = [f"So it is with {counted(len(said) - MOST_DOUBTS, 'other pair')}."]
    return said


def _few_doubts(pairs: Sequence[MethodPair], alpha: float) -> list[str]:
    """Pairs that Fisher's test cannot find to differ, whichever of their candidates are true."""
    own = [[tuple(map(int, only[0])) for only in (pair.only_a, pair.only_b)] for pair in pairs]
    least = np.array([least_pvalue(a, b) for a, b in own])  # type: ignore[arg-type]
    adjusted = over_families(least[:, np.newaxis])[:, 0] if len(least) else least
    said = []
    for i in np.flatnonzero(adjusted > alpha).tolist():
        names = " and ".join(map(clean, pairs[i].names))
        sizes, right = [sum(only) for only in own[i]], sum(only[0] for only in own[i])
        n = count(int(pairs[i].n[0]))
        if not any(sizes):
            said.append(f"{names} accept the same candidates at n = {n}: nothing is compared.")
            continue
        holm = ""
        if adjusted[i] > least[i]:
            holm = f", {pvalue(float(adjusted[i]))} after Holm's correction"
        said.append(
            f"{names} at n = {n}: with {' and '.join(map(count, sizes))} candidates of one method "
            f"only, {count(right)} of them true, no p-value can be below {pvalue(float(least[i]))}"
            f"{holm}, so no difference can be significant at {decimal(alpha)}."
        )
    if len(said) > MOST_DOUBTS:
        said[MOST_DOUBTS:] = [f"So it is with {counted(len(said) - MOST_DOUBTS, 'other pair')}."]
    return said


def _doubts(
    found: Candidates,
    precision: NBestResult,
    pairs: Sequence[MethodPair],
    n_resamples: int | None,
    alpha: float,
) -> tuple[str, ...]:
    said = []
    for own in found.rankings:
        above, deviate = _below(own)
        if deviate < REVERSED:
            said.append(
                f"{clean(own.name)} ranks true candidates below false ones ({percent(above)}% of "
                "pairs are in the right order). Are its small scores the best? Then name it as one "
                "of which lower is better."
            )
    if len(said) > MOST_DOUBTS:
        said[MOST_DOUBTS:] = [f"So do {counted(len(said) - MOST_DOUBTS, 'other method')}."]
    said = coded("reversed", said) + coded("ties", _tie_doubts(precision))
    said += coded("opposed", _opposed_doubts(pairs, alpha))
    if n_resamples is None:
        said += coded("too-few-candidates", _few_doubts(pairs, alpha))
    n_pairs = len(pairs)
    if n_resamples is not None and n_pairs > alpha * (1 + n_resamples):
        said.append(
            f"{counted(n_resamples, 'flip')} for {counted(n_pairs, 'pair')}: no adjusted p-value "
            f"can be {decimal(alpha)} or less; give more."
        )
    return tuple(coded("too-few-shuffles", said))


def _checked_ties(ties: object) -> Literal["first", "all"]:
    if ties == "first":
        return "first"
    if ties != "all":
        way = ""
        if ties == "expected":
            way = "; a test needs lists of whole candidates, csig.nbest_precision has 'expected'"
        raise InputError(f"ties must be 'first' or 'all', found {ties!r}{way}")
    return "all"


def _wanted(names: Sequence[str], order: Sequence[int], baseline: str | None) -> list[list[str]]:
    """The pairs, A before B."""
    best = [names[i] for i in order]
    if baseline is None:
        return [[a, b] for i, a in enumerate(best) for b in best[i + 1 :]]
    if baseline in names and len(names) == 1:
        raise InputError(f"baseline: {baseline!r} is the only method, so nothing is compared")
    if baseline not in names:
        raise InputError(
            f"baseline: {baseline!r} is none of the methods{perhaps(baseline, names)}; there are "
            f"{first_few(names, 20)}"
        )
    return [[name, baseline] for name in best if name != baseline]


def _pairs(
    found: Candidates,
    n: NDArray[np.int64],
    ties: str,
    alpha: float,
    wanted: Sequence[Sequence[str]],
    curves: Sequence[RankingCurves],
) -> tuple[MethodPair, ...]:
    """All pairs, from their curves; without, by Fisher's test."""
    if not wanted:
        return ()
    lists = _lists(found, n, ties)
    own_ones = [_own_ones(lists[a], lists[b], found.true) for a, b in wanted]
    if curves:
        alone = np.array([own.pvalues for own in curves])
        lengths = np.array([own.adjusted for own in curves])
    else:
        tables = [[tuple(map(int, own[0])) for own in pair] for pair in own_ones]
        alone = lengths = np.array([[fisher_pvalue(a, b)] for a, b in tables])  # type: ignore[arg-type]
    adjusted = over_families(lengths)
    made = []
    for i, ((a, b), (only_a, only_b)) in enumerate(zip(wanted, own_ones, strict=True)):
        first, second = lists[a], lists[b]
        share = only_a[:, 0] * only_b.sum(axis=1) - only_b[:, 0] * only_a.sum(axis=1)
        whole = first.true * second.sizes - second.true * first.sizes
        claimed = adjusted[i] <= alpha
        made.append(
            MethodPair(
                names=(a, b),
                n=n,
                sizes=(first.sizes, second.sizes),
                true_positives=(first.true, second.true),
                only_a=only_a,
                only_b=only_b,
                pvalues=alone[i],
                adjusted_lengths=lengths[i],
                adjusted=adjusted[i],
                a_better=claimed & (share > 0) & (whole > 0),
                b_better=claimed & (share < 0) & (whole < 0),
            )
        )
    return tuple(made)


def _notified(
    progress: Callable[[int, int], object], pair: int, pairs: int, done: int, total: int
) -> None:
    """The work of a pair among that of all, in thousandths of a pair."""
    progress(1000 * pair + 1000 * done // max(total, 1), 1000 * pairs)


def rank_methods(
    table: Mapping[str, Any] | Any,
    methods: Sequence[str] | str,
    n: int | Sequence[int] | None = None,
    *,
    true: str = "true",
    baseline: str | None = None,
    lower_is_better: Sequence[str] | str = (),
    ties: Literal["first", "all"] = "all",
    alpha: float = 0.05,
    interval: ProportionInterval = "clopper-pearson",
    confidence_level: float = 0.95,
    n_resamples: int | None = None,
    rng: streams.Seed = None,
    bit_generator: str | None = None,
    threads: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> RankedMethods:
    """How good the n best of several ranking methods are, and which methods differ.

    Parameters
    ----------
    table : mapping {column: values}, or data frame
        One row per candidate.
    methods : sequence of str
        The columns of scores. Of a single one only the precision is computed.
    n : int or sequence of int, optional
        Lengths of lists, chosen before looking at the result; by default `default_lengths`: 100,
        200, 500, 1,000 and 2,000 of 4,000 candidates or more.
    true : str
        The column that says which candidates are true: True and False, or 1 and 0.
    baseline : str, optional
        Compare the other methods with this one only, which is fewer tests; by default all pairs.
    lower_is_better : sequence of str
        Those of the methods whose small scores are the best, as p-values.
    ties : {"all", "first"}
        Of candidates with the same score of which only some fit into the list, all, or those that
        come first in the table; of precisions and tests alike.
    alpha : float
        The probability of any false claim, of all pairs and lengths together.
    interval, confidence_level
        Of precisions: as for :func:`csig.nbest_precision`.
    n_resamples : int, optional
        Flips of every pair, by default 65,535; used for several lengths only.
    rng, bit_generator, threads
        As for :func:`csig.randomization_test`.
    progress : callable, optional
        Called with the work that is done, and all of it.

    Returns
    -------
    RankedMethods

    Raises
    ------
    InputError
        As :func:`csig.nbest_precision`; for a baseline that is none of the methods.

    Notes
    -----
    *One length.* Every pair is compared by Fisher's exact test, as in
    :func:`csig.compare_rankings`, and the p-values are adjusted by Holm's correction.

    *Several lengths.* Every pair is compared by :func:`csig.compare_ranking_curves`, which adjusts
    for the lengths. Every pair begins with the same seed, so what is found of it does not depend on
    the other methods, and is what that function finds with this seed. The correction for the
    number of pairs needs nothing of how they depend on each other: every adjusted p-value is
    multiplied by their number m. Where a pair differs at *all* lengths, the others are
    multiplied by m - 1, and so on: this is Holm's correction with lengths as families, with proof
    in `csig.probability.families.over_families`. A pair that differs at some lengths only keeps its
    share of alpha; that it earned one elsewhere says nothing of its other lengths.

    With probability 1 - alpha no claim at any length, of any pair, is false, as far as each test
    keeps its own level: Fisher's does; docs/ranking.md has the measured error rates of flips.

    References
    ----------
    S. Evert (2004), "Significance tests for the evaluation of ranking methods", COLING.
    S. Holm (1979), "A simple sequentially rejective multiple test procedure", Scandinavian Journal
    of Statistics 6.
    J. P. Romano and M. Wolf (2005), "Exact and approximate stepdown methods for multiple hypothesis
    testing", Journal of the American Statistical Association 100.

    Examples
    --------
    >>> import csig
    >>> table = {"true": [1] * 20 + [0] * 20, "MI": range(40, 0, -1), "freq": range(40),
    ...          "Dice": [i % 7 for i in range(40)]}
    >>> found = csig.rank_methods(table, ["freq", "MI", "Dice"], 10)
    >>> for pair in found.pairs:
    ...     print(*pair.names, pair.only_a[0], pair.only_b[0], round(pair.adjusted[0], 4))
    MI Dice [8 0] [3 5] 0.0513
    MI freq [10  0] [ 0 10] 0.0
    Dice freq [5 3] [0 8] 0.0513
    """
    cut = _checked_ties(ties)
    level = between("alpha", alpha)
    found = candidates(table, methods, true, lower_is_better)
    lengths = list_sizes(n if n is not None else default_lengths(len(found.true)), len(found.true))
    names = [own.name for own in found.rankings]
    lower = [lower_is_better] if isinstance(lower_is_better, str) else lower_is_better
    columns: dict[str, Any] = {own.name: own.scores for own in found.rankings}  # more is better
    precision = nbest_precision(
        {**columns, true: found.true}, names, lengths.tolist(), true=true, ties=cut,
        interval=interval, confidence_level=confidence_level,
    )  # fmt: skip
    wanted = _wanted(names, best_first(precision), baseline)
    several = bool(wanted) and len(lengths) > 1
    source = streams.make_source(rng, bit_generator)
    trials = positive("n_resamples", FLIPS if n_resamples is None else n_resamples, 2**40)
    if threads is not None:
        threads = positive("threads", threads, 1024)

    def test(pair: int, a: str, b: str) -> RankingCurves:
        one, other = (found.rankings[names.index(name)] for name in (a, b))
        notify = None if progress is None else partial(_notified, progress, pair, len(wanted))
        return curves_of(
            one, other, found.true, lengths, source, trials, ties=cut, alpha=level,
            threads=threads, notify=notify,
        )  # fmt: skip

    curves = [test(i, a, b) for i, (a, b) in enumerate(wanted)] if several else []
    pairs = _pairs(found, lengths, cut, level, wanted, curves)
    return RankedMethods(
        names=tuple(names),
        n=lengths,
        precision=precision,
        pairs=pairs,
        curves=tuple(curves),
        baseline=baseline,
        test="flips" if several else "fisher",
        lower_is_better=tuple(name for name in names if name in lower),
        ties=cut,
        alpha=level,
        n_resamples=trials if several else None,
        seed=curves[0].seed if several else None,
        digest=_digest(found, lengths, baseline),
        doubts=_doubts(found, precision, pairs, trials if several else None, level),
    )
