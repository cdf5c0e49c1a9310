"""Several ranking methods: how good their n best are, and which pairs differ."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from csig import streams
from csig.base.defaults import FLIPS
from csig.base.errors import InputError
from csig.base.shown import ShownArrays, ShownRows, ShownTuple
from csig.base.validation import Alternative, Method, between, check_alternative, positive, public
from csig.base.wording import (
    clean,
    coded,
    count,
    counted,
    decimal,
    documented,
    first_few,
    percent,
    perhaps,
    pvalue,
)
from csig.data.comparison import Comparison
from csig.engines.flips import in_lists, nested_hits
from csig.probability.binomial import fisher_pvalue, least_pvalue
from csig.probability.corrections import over_families
from csig.rankings.nbest import (
    WHOLE_TIES,
    Candidates,
    NBestResult,
    ProportionInterval,
    Rule,
    WholeTies,
    candidates,
    list_sizes,
    n_best,
    place_of,
)
from csig.rankings.samples import SamplePair, compared, doubts_of_pair, method_doubts, taken_by
from csig.results.randomization import Seed

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: What a method accepts: its n best, those that reach a threshold, the n best of every sample, or
#: the best of all samples together.
Accepted: TypeAlias = Literal["n", "threshold", "sample", "total"]

#: The longest list that is looked at unless somebody asks for others, and how many lists.
LONGEST, LENGTHS = 2000, 5

#: Standard deviations below chance from which on a method may be read the wrong way round.
REVERSED = -4

#: How much longer than n a list may be, and how much the order of ties may matter, unsaid.
LONGER, SPREAD = 1.1, 0.02

#: Methods of which this is said one by one.
MOST_DOUBTS = 3


def where(accepted: Accepted, n: int) -> str:
    """At which list: what is accepted, and how many are wanted."""
    return {
        "n": f"at n = {count(n)}",
        "threshold": "with these thresholds",
        "sample": f"with the {count(n)} best of every sample",
        "total": f"with the {count(n)} best of all samples",
    }[accepted]


@dataclass(frozen=True)
class RankingRegion(ShownRows):
    """Neighbouring lengths, among those that were tested, at which one method is better."""

    first: int  #: first, last: the lengths.
    last: int
    better: str  #: The method.


def widest(
    regions: Sequence[RankingRegion], n: NDArray[np.int64], most: int
) -> tuple[list[RankingRegion], int]:
    """The regions that hold the most lengths, from the shortest lists on, and how many others."""
    if len(regions) <= most:
        return list(regions), 0
    ends = np.array([[own.first, own.last] for own in regions])
    held = np.searchsorted(n, ends[:, 1]) - np.searchsorted(n, ends[:, 0])
    kept = np.sort(np.argsort(-held, kind="stable")[:most])
    return [regions[i] for i in kept.tolist()], len(regions) - most


@dataclass(frozen=True, kw_only=True, eq=False)
class MethodPair(ShownRows):
    """Two ranking methods at every length.

    All arrays have the shape (lengths,), but for `only_a` and `only_b`. Thresholds and samples have
    one list of each method, with the length 1.
    """

    #: The methods A and B: of all pairs A has the better average precision, beside a baseline B is
    #: the baseline.
    names: tuple[str, str]
    n: NDArray[np.int64]  #: How many candidates of each were wanted; 0 for thresholds.
    n_true: int  #: True candidates of the table.
    #: sizes, true_positives: how many each accepts, and the true ones among them.
    sizes: tuple[NDArray[np.int64], NDArray[np.int64]]
    true_positives: tuple[NDArray[np.int64], NDArray[np.int64]]
    #: only_a, only_b: true and false candidates that only one method accepted.
    only_a: NDArray[np.int64]
    only_b: NDArray[np.int64]
    #: Of this pair at this length alone: of Fisher's exact test if there is one length, of flips
    #: if there are several, of whole samples swapped if there are samples.
    pvalues: NDArray[np.float64]
    adjusted_lengths: NDArray[np.float64]  #: Adjusted for the number of lengths.
    adjusted_pvalues: NDArray[np.float64]  #: Adjusted for lengths and pairs.
    #: a_better, b_better: where a method is significantly better: by `adjusted_pvalues`, and more
    #: precise as a whole list.
    a_better: NDArray[np.bool_]
    b_better: NDArray[np.bool_]
    #: Of candidates from several samples: what the samples say of the difference.
    by_sample: SamplePair | None = None

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
        return float(self.adjusted_pvalues.min())

    @property
    def regions(self) -> tuple[RankingRegion, ...]:
        """Where one method is better, from the shortest lists on."""
        code = self.a_better.astype(int) - self.b_better
        steps = np.flatnonzero(np.diff(code)) + 1
        return tuple(
            RankingRegion(
                int(self.n[places[0]]),
                int(self.n[places[-1]]),
                self.names[0 if code[places[0]] > 0 else 1],
            )
            for places in np.split(np.arange(len(code)), steps)
            if code[places[0]]
        )

    @property
    def better(self) -> str | None:
        """The method that is significantly better at some length, if the other is at none."""
        names = {own.better for own in self.regions}
        return names.pop() if len(names) == 1 else None

    def comparison(self, n: int | None = None) -> Comparison:
        """What both methods accept, for all other tests of csig: responses, with a gold standard.

        Parameters
        ----------
        n : int, optional
            One of the lengths; by default the first.

        Raises
        ------
        InputError
            If there was no such length.
        """
        places = [0] if n is None else np.flatnonzero(self.n == n).tolist()
        if not places:
            raise InputError(f"n = {n!r}: there are {first_few(self.n.tolist(), 12)}")
        i = places[0]
        only_a, only_b = self.only_a[i].tolist(), self.only_b[i].tolist()
        right = int(self.true_positives[0][i]) - only_a[0]
        return Comparison.from_counts(
            gold=self.n_true, both_correct=right,
            both_spurious=int(self.sizes[0][i]) - right - sum(only_a),
            only_a_correct=only_a[0], only_a_spurious=only_a[1],
            only_b_correct=only_b[0], only_b_spurious=only_b[1], names=self.names,
        )  # fmt: skip


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class RankedMethods(ShownArrays):
    """What can be said of several ranking methods: see :func:`rank_methods`."""

    names: tuple[str, ...]  #: The methods, as they were given.
    n: NDArray[np.int64]  #: The lengths of lists; of thresholds 0.
    accepted: Accepted  #: "n", "threshold", "sample" or "total": what a method accepts.
    thresholds: tuple[float, ...] | None  #: One per method.
    samples: tuple[str, ...]  #: Their names, in the order of the table.
    precision: NBestResult  #: How good the n best of every method are, with intervals.
    #: All of them, or those with the baseline; those of the best average precision first. None of
    #: one method.
    pairs: ShownTuple[MethodPair]
    baseline: str | None  #: The method that all others are compared with; None where all pairs are.
    #: How pairs were tested: one length by Fisher's exact test, several by flips, samples by
    #: swapping whole samples.
    test: Literal["fisher", "flips", "samples"]
    alternative: Alternative  #: Of A minus B.
    lower_is_better: tuple[str, ...]  #: The methods whose small scores are the best.
    ties: WholeTies  #: What becomes of ties at the cut.
    alpha: float  #: The level of all claims together.
    n_resamples: int | None  #: Flips of every pair; None where all p-values are exact.
    seed: Seed | None  #: What reproduces them.
    digest: str  #: The SHA-256 of the data that the numbers depend on.
    doubts: tuple[str, ...] = ()  #: What to know before believing the result.

    @property
    def order(self) -> list[int]:
        """The methods' places, the best average precision first."""
        return self.precision.order

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
            place_of(name, self.names)
        raise InputError(f"{a!r} and {b!r} were not compared")

    def _line(self) -> str:
        best = self.precision.curves[self.order[0]]
        differ = sum(bool(pair.regions) for pair in self.pairs)
        pairs = f"; {count(differ)} of {counted(len(self.pairs), 'pair')} differ"
        return (
            f"{counted(len(self.names), 'method')}: the best average precision is "
            f"{best.average_precision:.4f} ({clean(best.name)}){pairs if self.pairs else ''}"
        )


def default_lengths(n_candidates: int) -> list[int]:
    """The last five of 1, 2, 5, 10, ... 2,000 that hold no more than half of the candidates."""
    steps = [m * 10**k for k in range(4) for m in (1, 2, 5)]
    most = max(1, min(LONGEST, n_candidates // 2))
    return [own for own in steps if own <= most][-LENGTHS:]


def _digest(
    data: Candidates,
    n: NDArray[np.int64],
    baseline: str | None,
    accepted: Accepted,
    limits: Sequence[float] | None,
) -> str:
    """Of which candidates are true, all scores and lengths, whatever the methods are called."""

    def of(*parts: bytes) -> str:
        return hashlib.sha256(b"".join(parts)).hexdigest()

    base: list[str] = []
    others: list[str] = []
    for i, own in enumerate(data.rankings):
        limit = b"" if limits is None else np.array(limits[i], dtype="<f8").tobytes()
        scores = of((own.scores.astype("<f8") + 0.0).tobytes(), limit)
        (base if own.name == baseline else others).append(scores)
    truth = of(
        data.true.astype(np.uint8).tobytes(),
        n.astype("<i8").tobytes(),
        data.codes.astype("<i8").tobytes(),
        b"" if accepted == "n" else accepted.encode(),
    )
    return of("\n".join([truth, *base, "-", *sorted(others)]).encode())


def _first(sentences: list[str], what: str, verb: str = "So it is with") -> list[str]:
    """The first of what is said, and how many others there are."""
    more = len(sentences) - MOST_DOUBTS
    return sentences if more <= 0 else [*sentences[:MOST_DOUBTS], f"{verb} {counted(more, what)}."]


def _reversed_doubts(data: Candidates) -> list[str]:
    """Methods that rank true candidates below false ones."""
    sentences = []
    size, right = len(data.true), data.n_true
    wrong = size - right
    for own in data.rankings if wrong else ():
        # How often a true candidate is above a false one (ties count half); rank 1 is the best.
        ranks = float((np.diff(own.true) * (own.starts + 1 + own.ends)).sum()) / 2
        above = 1 - (ranks - right * (right + 1) / 2) / (right * wrong)
        if (above - 0.5) / math.sqrt((size + 1) / (12 * right * wrong)) < REVERSED:
            sentences.append(
                f"{clean(own.name)} ranks true candidates below false ones ({percent(above)}% of "
                "pairs are in the right order). Are its small scores the best? Then name it as one "
                "of which lower is better."
            )
    return _first(sentences, "other method", "So do")


def _tie_doubts(precision: NBestResult) -> list[str]:
    """Methods whose ties decide how long their lists are, or which candidates are in them."""
    sentences = []
    for own in precision.curves:
        i = int(np.argmax(own.size / own.n))
        k = int(np.argmax(own.highest - own.lowest))
        if own.size[i] > LONGER * own.n[i]:
            n, size = count(int(own.n[i])), count(int(own.size[i]))
            sentences.append(
                f"{clean(own.name)}: candidates with the same score make lists longer than n: "
                f"{size} candidates for n = {n}."
            )
        elif precision.ties == "first" and own.highest[k] - own.lowest[k] > SPREAD:
            sentences.append(
                f"{clean(own.name)}: of {counted(int(own.tied[k]), 'candidate')} with the same "
                "score those that come first in the table are taken; in another order the "
                f"precision at n = {count(int(own.n[k]))} is {percent(own.lowest[k])}% to "
                f"{percent(own.highest[k])}%."
            )
    return _first(sentences, "other method")


def _opposed_doubts(pairs: Sequence[MethodPair], alpha: float, accepted: Accepted) -> list[str]:
    """Pairs that differ, but not in one direction: lists of very different lengths."""
    sentences = []
    for pair in pairs:
        unclaimed = (pair.adjusted_pvalues <= alpha) & ~pair.a_better & ~pair.b_better
        own_a, own_b = pair.only_a.sum(axis=1), pair.only_b.sum(axis=1)
        share = pair.only_a[:, 0] * own_b - pair.only_b[:, 0] * own_a
        places = np.flatnonzero(unclaimed & (share * pair.difference < 0))
        if len(places):
            a, b = map(clean, pair.names)
            sentences.append(
                f"{a} and {b} {where(accepted, int(pair.n[places[0]]))}: of the candidates of one "
                "method only, a larger share is true for one method, but the whole list is better "
                "for the other; nothing is claimed."
            )
    return _first(sentences, "other pair")


def _few_doubts(
    pairs: Sequence[MethodPair], alpha: float, accepted: Accepted, alternative: Alternative
) -> list[str]:
    """Pairs that Fisher's test cannot find to differ, whichever of their candidates are true."""
    tables = [(tuple(pair.only_a[0].tolist()), tuple(pair.only_b[0].tolist())) for pair in pairs]
    least = np.array([least_pvalue(a, b, alternative) for a, b in tables])
    adjusted = over_families(least[:, np.newaxis])[:, 0] if len(least) else least
    sentences = []
    for i in np.flatnonzero(adjusted > alpha).tolist():
        names = " and ".join(map(clean, pairs[i].names))
        sizes, right = [sum(only) for only in tables[i]], sum(only[0] for only in tables[i])
        at = where(accepted, int(pairs[i].n[0]))
        if not any(sizes):
            sentences.append(f"{names} accept the same candidates {at}: nothing is compared.")
            continue
        holm = ""
        if adjusted[i] > least[i]:
            holm = f", {pvalue(float(adjusted[i]))} after Holm's correction"
        sentences.append(
            f"{names} {at}: with {' and '.join(map(count, sizes))} candidates of one method only, "
            f"{count(right)} of them true, no p-value can be below {pvalue(float(least[i]))}"
            f"{holm}, so no difference can be significant at {decimal(alpha)}."
        )
    return _first(sentences, "other pair")


@public("csig")
@documented
def rank_methods(
    table: Mapping[str, Any] | Any,
    methods: Sequence[str] | str,
    n: int | Sequence[int] | None = None,
    *,
    threshold: float | Sequence[float] | Mapping[str, float] | None = None,
    sample: str | None = None,
    total: int | None = None,
    true: str = "true",
    baseline: str | None = None,
    lower_is_better: Sequence[str] | str | None = None,
    ties: WholeTies = "all",
    alternative: Alternative = "two-sided",
    alpha: float = 0.05,
    interval: ProportionInterval = "clopper-pearson",
    confidence_level: float = 0.95,
    method: Method = "auto",
    n_resamples: int | None = None,
    rng: streams.Seed = None,
    bit_generator: str | None = None,
    threads: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> RankedMethods:
    """How good the n best of several ranking methods are, and which methods differ.

    Parameters
    ----------
    %(table)s
    methods : sequence of str
        The columns of scores. Of a single one only the precision is computed.
    n : int or sequence of int, optional
        Lengths of lists, chosen before looking at the result; by default `default_lengths`: 100,
        200, 500, 1,000 and 2,000 of 4,000 candidates or more. With `sample` one number: a method
        accepts the n best of every sample.
    threshold : float, sequence of float, or mapping {method: float}, optional
        In the place of `n`: a method accepts the candidates with this score or a better one.
    sample : str, optional
        The column that names every candidate's sample, as the part of a corpus. Whole samples are
        what is independent then; give one `n`, `total` or `threshold`, as for
        :func:`csig.rankings.sample_precision`.
    total : int, optional
        With `sample`, in the place of `n`: a method accepts the `total` best of the whole table.
    %(true)s
    baseline : str, optional
        Compare the other methods with this one only, which is fewer tests; by default all pairs.
    %(ties)s
    alternative : {"two-sided", "less", "greater"}
        Of the others minus the baseline; several lengths are tested two-sided.
    alpha : float
        The probability of any false claim, of all pairs and lengths together.
    interval, confidence_level
        Of precisions: as for :func:`csig.rankings.nbest_precision`; with `sample` the level is also
        that of the interval of a difference.
    method : str
        How samples are swapped: as for :func:`csig.randomization_test`.
    n_resamples : int, optional
        Flips of every pair, by default 65,535; used for several lengths and for samples only.
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
        As :func:`csig.rankings.nbest_precision`; for a baseline that is none of the methods; for a
        threshold that no candidate reaches; with `sample` as
        :func:`csig.rankings.sample_precision`.

    Notes
    -----
    Candidates that both methods accept, or neither, cannot make a difference; the null hypothesis
    is that which method accepted one of the others says nothing about whether it is true. Where the
    whole lists' precision differs in the other direction than the shares of true ones among these,
    nothing is claimed. docs/ranking.md says why each test is right, and has measured error rates.

    *One list of each method* (one n, or thresholds) is compared by Fisher's exact test, whose error
    rate is at most alpha for lists of any lengths; p-values of pairs are adjusted by Holm.

    *Several lengths.* A fair coin for every candidate trades its rank by A for its rank by B, at
    all lengths together. At a length let m candidates be accepted by one method only, t of them
    true: every one gives m - t if it is true, -t if not, with the sign of its method. The sum,
    2 (t_A m_B - t_B m_A), is divided by the root of its squares, which no swap changes. The lists
    of a trial differ in length from n, so that the error rate is approximate for short lists.

    *Lengths and pairs.* All lengths of a pair are adjusted by step-down maxT, pairs by Holm's
    correction with lengths as families (`csig.probability.corrections.over_families`). Every pair
    begins with the same seed, so what is found of it does not depend on the other methods.

    *Samples.* A fair coin for every sample trades all that A accepts in it for what B accepts. With
    t of m own candidates of both true, sample i gives (t_Ai - m_Ai t / m) / m_A -
    (t_Bi - m_Bi t / m) / m_B. For lists of the same length the p-value is that of the swapped
    precisions, with an error rate of at most alpha. For others it is that of sign-flipped effective
    scores (Hemerik, Goeman and Finos 2020), whose error rate is alpha for many samples.

    References
    ----------
    S. Evert (2004), "Significance tests for the evaluation of ranking methods", COLING.
    J. Hemerik, J. J. Goeman and L. Finos (2020), "Robust testing in generalized linear models by
    sign flipping score contributions", Journal of the Royal Statistical Society B 82.
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
    ...     print(*pair.names, pair.only_a[0], pair.only_b[0], round(pair.adjusted_pvalues[0], 4))
    MI Dice [8 0] [3 5] 0.0513
    MI freq [10  0] [ 0 10] 0.0
    Dice freq [5 3] [0 8] 0.0513
    """
    if not isinstance(ties, str) or ties not in WHOLE_TIES:
        way = (
            "; a test needs lists of whole candidates, csig.rankings.nbest_precision has 'expected'"
        )
        raise InputError(
            f"ties must be 'first' or 'all', found {ties!r}{way * (str(ties) == 'expected')}"
        )
    level = between("alpha", alpha)
    check_alternative(alternative)
    if sample is None and (total is not None or method != "auto"):
        raise InputError(f"{'method' if total is None else 'total'} goes with sample=")
    data = candidates(table, methods, true, lower_is_better, sample)
    names = [own.name for own in data.rankings]
    rule = None
    accepted: Accepted = "n"
    if sample is None and threshold is None:
        longest = len(data.true)
        lengths = list_sizes(n if n is not None else default_lengths(longest), longest)
        lists = [(own, lengths, str(ties)) for own in data.rankings]
    else:
        if sample is None and n is not None:
            raise InputError("give either n or threshold: how many candidates are accepted")
        rule = Rule(n, threshold, total, data, ties)
        accepted = "threshold" if rule.thresholds else "sample" if rule.n else "total"
        lengths = np.array([rule.n or rule.total or 0])
        kind = ties if accepted == "total" else "all"  # others are cut between scores, or places
        best = map(rule.best, range(len(names)))
        lists = [(own, np.array([size]), kind) for own, size, _ in best]
    precision = n_best(data, lists, ties, interval, confidence_level)

    order = precision.order
    if baseline is None:
        wanted = [(i, k) for place, i in enumerate(order) for k in order[place + 1 :]]
    elif baseline not in names:
        raise InputError(
            f"baseline: {baseline!r} is none of the methods{perhaps(baseline, names)}; there are "
            f"{first_few(names, 20)}"
        )
    elif len(names) == 1:
        raise InputError(f"baseline: {baseline!r} is the only method, so nothing is compared")
    else:
        wanted = [(i, names.index(baseline)) for i in order if names[i] != baseline]
    several = bool(wanted) and len(lengths) > 1
    if alternative != "two-sided" and (several or baseline is None):
        raise InputError(
            f"alternative: {alternative!r} needs a baseline and one length; several lengths, and "
            "all pairs, are tested two-sided"
        )
    source = streams.make_source(rng, bit_generator)
    trials = positive("n_resamples", FLIPS if n_resamples is None else n_resamples, 2**40)
    if threads is not None:
        threads = positive("threads", threads, 1024)

    entered = []  # the place of the first length at which a candidate is accepted, or their number
    for own, sizes, cut in lists:
        shortest = np.empty(len(data.true), dtype=np.int64)  # the first list that has a candidate
        shortest[own.order] = own.starts + 1 if cut == "all" else np.arange(1, len(shortest) + 1)
        entered.append(np.searchsorted(sizes, shortest))
    list_lengths = [own.size for own in precision.curves]
    hits = [own.true_positives.astype(np.int64) for own in precision.curves]
    totals = [
        np.stack([right, size - right], axis=1)
        for right, size in zip(hits, list_lengths, strict=True)
    ]
    only = []  # true and false candidates of A only, and of B only, by length
    for i, k in wanted:
        later = np.maximum(entered[i], entered[k])  # from where on both accept it
        kinds = [later[data.true], later[~data.true]]
        new = [np.bincount(own, minlength=len(lengths) + 1)[: len(lengths)] for own in kinds]
        both = np.cumsum(np.stack(new, axis=1), axis=0)
        only.append((totals[i] - both, totals[k] - both))
    by_sample: list[SamplePair] = []
    alone: list[NDArray[np.float64]] = []
    over_lengths: list[NDArray[np.float64]] = []
    doubts: list[str] = []
    taken = None if rule is None or sample is None else taken_by(rule)
    if taken is not None:
        for name, sizes, cuts in zip(names, taken.accepted, taken.cuts, strict=True):
            doubts += coded("samples", method_doubts(name, sizes, cuts, ties, "precision"))
    for number, (i, k) in enumerate(wanted):
        if taken is not None:
            again = np.random.SeedSequence(source.entropy, spawn_key=source.spawn_key)
            pair = compared(
                data, taken, (i, k), alternative, confidence_level, method=method,
                n_resamples=n_resamples, rng=again, bit_generator=source.name, threads=threads,
            )  # fmt: skip
            by_sample.append(pair)
            alone.append(np.array([pair.test.pvalue]))
            if progress is not None:
                progress(number + 1, len(wanted))
        elif several:

            def notify(done: int, total: int, begun: int = number) -> None:
                assert progress is not None  # in thousandths of a pair
                progress(1000 * begun + 1000 * done // max(total, 1), 1000 * len(wanted))

            flips = nested_hits(
                in_lists(entered[i], entered[k], data.true, len(lengths)), source, trials,
                threads=threads, notify=None if progress is None else notify,
            )  # fmt: skip
            alone.append((1 + flips.single) / (1 + trials))
            over_lengths.append(flips.adjusted)
        else:
            a, b = (tuple(own[0].tolist()) for own in only[number])
            alone.append(np.array([fisher_pvalue(a, b, alternative)]))
    if not several:
        over_lengths = alone
    adjusted = over_families(np.array(over_lengths)) if wanted else np.zeros((0, 1))
    pairs = []
    for number, (i, k) in enumerate(wanted):
        only_a, only_b = only[number]
        share = only_a[:, 0] * only_b.sum(axis=1) - only_b[:, 0] * only_a.sum(axis=1)
        of_lists = hits[i] * list_lengths[k] - hits[k] * list_lengths[i]
        claimed = adjusted[number] <= level
        pairs.append(
            MethodPair(
                names=(names[i], names[k]),
                n=lengths,
                n_true=data.n_true,
                sizes=(list_lengths[i], list_lengths[k]),
                true_positives=(hits[i], hits[k]),
                only_a=only_a,
                only_b=only_b,
                pvalues=alone[number],
                adjusted_lengths=over_lengths[number],
                adjusted_pvalues=adjusted[number],
                a_better=claimed & (share > 0) & (of_lists > 0),
                b_better=claimed & (share < 0) & (of_lists < 0),
                by_sample=by_sample[number] if by_sample else None,
            )
        )

    doubts = [*coded("reversed", _reversed_doubts(data)), *doubts]
    if taken is None:
        doubts += coded("ties", _tie_doubts(precision))
    doubts += coded("opposed", _opposed_doubts(pairs, level, accepted))
    if taken is not None:
        sentences = [
            f"{clean(names[i])} and {clean(names[k])}: {doubt}" if len(pairs) > 1 else doubt
            for pair, (i, k) in zip(by_sample, wanted, strict=True)
            for doubt in doubts_of_pair(pair, taken, (i, k), (names[i], names[k]), level)
        ]
        doubts += coded("samples", _first(sentences, "other doubt", "There are"))
    elif not several:
        few = _few_doubts(pairs, level, accepted, alternative)
        doubts += coded("too-few-candidates", few)
    elif len(pairs) > level * (1 + trials):
        doubts.append(
            f"{counted(trials, 'flip')} for {counted(len(pairs), 'pair')}: no adjusted p-value can "
            f"be {decimal(level)} or less; give more."
        )
    drawn = [own.test for own in by_sample if own.test.n_resamples is not None]
    n_drawn, seed = (drawn[0].n_resamples, drawn[0].seed) if drawn else (None, None)
    if several:
        n_drawn, seed = trials, Seed(source.name, source.entropy, source.spawn_key, 0)
    limits = None if rule is None else rule.thresholds
    return RankedMethods(
        names=tuple(names),
        n=lengths,
        accepted=accepted,
        thresholds=limits,
        samples=data.samples,
        precision=precision,
        pairs=ShownTuple(pairs),
        baseline=baseline,
        test="samples" if sample is not None else "flips" if several else "fisher",
        alternative=alternative,
        lower_is_better=tuple(name for name in names if name in data.lower),
        ties=ties,
        alpha=level,
        n_resamples=n_drawn,
        seed=seed,
        digest=_digest(data, lengths, baseline, accepted, limits),
        doubts=tuple(coded("too-few-shuffles", doubts)),
    )
