"""Two ranking methods at many lengths of their lists: where one is better, with one error rate."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from csig import streams
from csig.data.candidates import Ranking, candidates, list_sizes
from csig.defaults import FLIPS
from csig.engines.flips import in_lists, nested_hits
from csig.errors import InputError
from csig.results import Seed
from csig.shown import Shown
from csig.validation import between, positive
from csig.wording import clean, count, counted, perhaps

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "RankingCurves",
    "RankingRegion",
    "compare_ranking_curves",
    "curves_of",
    "regions_of",
    "widest",
]


#: With so many times as many own candidates deviates are 0.87 times what they could be.
UNEQUAL = 3


@dataclass(frozen=True)
class RankingRegion:
    """Neighbouring lengths, among those that were tested, at which one method is better."""

    first: int  #: first, last: the lengths.
    last: int
    better: str  #: The method.


def regions_of(
    names: tuple[str, str],
    n: NDArray[np.int64],
    a_better: NDArray[np.bool_],
    b_better: NDArray[np.bool_],
) -> tuple[RankingRegion, ...]:
    """Neighbouring lengths at which the same method is better."""
    found: list[RankingRegion] = []
    code = a_better.astype(int) - b_better
    steps = np.flatnonzero(np.diff(code)) + 1
    for places in np.split(np.arange(len(code)), steps):
        if code[places[0]]:
            name = names[0 if code[places[0]] > 0 else 1]
            found.append(RankingRegion(int(n[places[0]]), int(n[places[-1]]), name))
    return tuple(found)


def widest(
    regions: Sequence[RankingRegion], n: NDArray[np.int64], most: int
) -> tuple[list[RankingRegion], int]:
    """The regions that hold the most lengths, from the shortest lists on, and how many others.

    Parameters
    ----------
    regions : sequence of RankingRegion
        All.
    n : array of int64
        The lengths that were tested, in ascending order.
    most : int
        How many there may be.

    Examples
    --------
    >>> found = [RankingRegion(*own, "MI") for own in [(1, 1), (3, 5), (7, 9), (11, 12)]]
    >>> shown, others = widest(found, np.arange(1, 21), 2)
    >>> [(own.first, own.last) for own in shown], others
    ([(3, 5), (7, 9)], 2)
    """
    if len(regions) <= most:
        return list(regions), 0
    ends = np.array([[own.first, own.last] for own in regions])
    held = np.searchsorted(n, ends[:, 1]) - np.searchsorted(n, ends[:, 0])
    kept = np.sort(np.argsort(-held, kind="stable")[:most])
    return [regions[i] for i in kept.tolist()], len(regions) - most


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class RankingCurves(Shown):
    """Two ranking methods at many lengths: see :func:`compare_ranking_curves`.

    All arrays have the shape (lengths,).
    """

    names: tuple[str, str]  #: The methods A and B.
    n: NDArray[np.int64]  #: How many candidates of each were wanted.
    #: How many each accepts: more than n only where all tied ones are taken.
    sizes: tuple[NDArray[np.int64], NDArray[np.int64]]
    #: The share of true ones in each list.
    precision: tuple[NDArray[np.float64], NDArray[np.float64]]
    pvalues: NDArray[np.float64]  #: Two-sided, of each length alone.
    adjusted: NDArray[np.float64]  #: Adjusted for the number of lengths.
    #: a_better, b_better: where a method is significantly better: by `adjusted`, and more precise
    #: as a whole list.
    a_better: NDArray[np.bool_]
    b_better: NDArray[np.bool_]
    alpha: float  #: The level of all claims together.
    ties: Literal["first", "all"]  #: What becomes of ties at the cut.
    n_candidates: int  #: Those that are swapped: at some length only one method accepts them.
    n_resamples: int  #: Flips.
    seed: Seed  #: What reproduces them.
    doubts: tuple[str, ...] = ()  #: What to know before believing the result.

    @property
    def difference(self) -> NDArray[np.float64]:
        """The precision of A minus that of B."""
        return self.precision[0] - self.precision[1]

    @property
    def regions(self) -> tuple[RankingRegion, ...]:
        """Where one method is better, from the shortest lists on."""
        return regions_of(self.names, self.n, self.a_better, self.b_better)

    def _line(self) -> str:
        a, b = map(clean, self.names)
        claims = int((self.a_better | self.b_better).sum())
        return (
            f"{a} - {b}: precision differs at {count(claims)} of {counted(len(self.n), 'length')}"
        )


def _entered(ranking: Ranking, ties: str) -> NDArray[np.int64]:
    """The shortest list that has the candidate, by its place in the table."""
    found = np.empty(len(ranking.order), dtype=np.int64)
    rank = np.arange(1, len(found) + 1)
    found[ranking.order] = ranking.starts + 1 if ties == "all" else rank
    return found


def compare_ranking_curves(
    table: Mapping[str, Any] | Any,
    a: str,
    b: str,
    n: Sequence[int] | int | None = None,
    *,
    true: str = "true",
    lower_is_better: Sequence[str] | str = (),
    ties: Literal["first", "all"] = "all",
    alpha: float = 0.05,
    n_resamples: int | None = None,
    rng: streams.Seed = None,
    bit_generator: str | None = None,
    threads: int | None = None,
) -> RankingCurves:
    """At which lengths of lists one ranking method is more precise than another.

    Parameters
    ----------
    table, true, lower_is_better, ties
        As for :func:`compare_rankings`.
    a, b : str
        The columns of the methods' scores.
    n : sequence of int, optional
        The lengths, as ``range(100, 2001, 10)``; by default all. They are to be chosen before
        looking at the result.
    alpha : float
        The probability of any false claim, of all lengths together.
    n_resamples : int, optional
        Flips that all lengths share, by default 65,535.
    rng, bit_generator, threads
        As for :func:`csig.randomization_test`.

    Returns
    -------
    RankingCurves
        With `regions`: "A is better from n = 150 to n = 600".

    Raises
    ------
    InputError
        As :func:`compare_rankings`.

    Notes
    -----
    *What is swapped.* The null hypothesis is that the methods are interchangeable: candidate by
    candidate, given whether it is true, a fair coin could as well have traded its rank by A for its
    rank by B. Lists of different lengths are nested, so a candidate that A accepts from the 50 best
    on, and B from the 80 best on, is swapped at all lengths from 50 to 79 or at none. Every trial
    draws one coin per candidate and uses it at all lengths: their dependence is kept.

    *What is compared.* At a length let m candidates be accepted by one method only, t of them true.
    Every one gives m - t if it is true, -t if not. With m_A, t_A those of A, the sum over A's less
    the sum over B's is 2 (t_A m_B - t_B m_A): its sign is that of the difference between the shares
    of true ones, and for lists of the same length that of the difference in precision. m and t are
    the same in all trials; a swap changes the sign of what a candidate gives. The sum is divided by
    the root of its squares, which is the same in all trials, too. How many candidates one method
    has of its own is no evidence: because m - t and -t have the mean 0 over the m, the sum is not
    large only because m_A and m_B differ, as they do where lists of "all" are longer than n. The
    p-values of all lengths are adjusted by step-down maxT (Romano and Wolf 2005): with probability
    1 - alpha no claim at any length is false. Where the precision of the whole lists differs in the
    other direction than these shares, which takes lists of different lengths, nothing is claimed.

    With m_A and m_B far apart the test is cautious: its deviates are 2 sqrt(m_A m_B) / m times
    those of the chi-square test, so it finds less, and `doubts` says so.

    The lists of a trial differ in length from n, as in :func:`compare_rankings`, and for the same
    reason the error rate is approximate for short lists: docs/ranking.md has measured ones.

    References
    ----------
    J. P. Romano and M. Wolf (2005), "Exact and approximate stepdown methods for multiple hypothesis
    testing", Journal of the American Statistical Association 100.

    Examples
    --------
    >>> import csig
    >>> table = {"true": [1] * 20 + [0] * 20, "MI": range(40, 0, -1), "freq": range(40)}
    >>> found = csig.compare_ranking_curves(table, "MI", "freq", rng=1)
    >>> found.regions[0]
    RankingRegion(first=3, last=37, better='MI')
    """
    if ties not in ("first", "all"):
        raise InputError(
            f"ties must be 'first' or 'all', found {ties!r}{perhaps(ties, ('first', 'all'))}"
        )
    if a == b:
        raise InputError(f"a and b are both {a!r}, expected two methods")
    level = between("alpha", alpha)
    found = candidates(table, [a, b], true, lower_is_better)
    lengths = list_sizes(n, len(found.true))
    source = streams.make_source(rng, bit_generator)
    trials = positive("n_resamples", FLIPS if n_resamples is None else n_resamples, 2**40)
    if threads is not None:
        threads = positive("threads", threads, 1024)
    return curves_of(
        found.rankings[0], found.rankings[1], found.true, lengths, source, trials,
        ties=ties, alpha=level, threads=threads,
    )  # fmt: skip


def curves_of(
    a: Ranking,
    b: Ranking,
    true: NDArray[np.bool_],
    n: NDArray[np.int64],
    source: streams.Source,
    n_resamples: int,
    *,
    ties: Literal["first", "all"],
    alpha: float,
    threads: int | None = None,
    notify: Callable[[int, int], object] | None = None,
) -> RankingCurves:
    """The same of candidates that are ranked already: what several pairs of a table share.

    Parameters
    ----------
    a, b : Ranking
        The methods.
    true : array of bool, (candidates,)
        Which candidates are true.
    n : array of int64, (lengths,)
        Different lengths in rising order.
    source : Source
        The seeded generator. Pairs with one source get the words that each would get alone.
    n_resamples, ties, alpha, threads
        As :func:`compare_ranking_curves`, checked.
    notify : callable, optional
        Called as (done, total).
    """
    sizes = [own.ends[n - 1] if ties == "all" else n for own in (a, b)]
    right = [own.true[ends] for own, ends in zip((a, b), sizes, strict=True)]
    places = [np.searchsorted(n, _entered(own, ties)) for own in (a, b)]
    lists = in_lists(places[0], places[1], true, len(n))
    flips = nested_hits(lists, source, n_resamples, threads=threads, notify=notify)
    claimed = flips.adjusted <= alpha
    precision = right[0] / sizes[0], right[1] / sizes[1]
    return RankingCurves(
        names=(a.name, b.name),
        n=n,
        sizes=(sizes[0], sizes[1]),
        precision=precision,
        pvalues=(1 + flips.single) / (1 + n_resamples),
        adjusted=flips.adjusted,
        a_better=claimed & (lists.totals > 0) & (precision[0] > precision[1]),
        b_better=claimed & (lists.totals < 0) & (precision[0] < precision[1]),
        alpha=alpha,
        ties=ties,
        n_candidates=int((places[0] != places[1]).sum()),
        n_resamples=n_resamples,
        seed=Seed(source.name, source.entropy, source.spawn_key, 0),
        doubts=_doubts(a, b, sizes[0] - sizes[1], lists.true + lists.false),
    )


def _doubts(
    a: Ranking, b: Ranking, longer: NDArray[np.int64], own: NDArray[np.int64]
) -> tuple[str, ...]:
    """Lengths at which one method has more than `UNEQUAL` times as many own candidates."""
    which = np.abs(longer) * (UNEQUAL + 1) > own * (UNEQUAL - 1)
    if not which.any():
        return ()
    more = [clean(own.name) for own, sign in ((a, 1), (b, -1)) if (sign * longer[which] > 0).any()]
    return (
        f"{' or '.join(more)} has more than {UNEQUAL} times as many candidates of its own as the "
        f"other method at {count(int(which.sum()))} of {counted(len(own), 'length')}, because all "
        "tied ones are taken: there the test seldom finds a difference. For one length, chosen "
        "before looking, Fisher's test of compare_rankings finds more.",
    )
