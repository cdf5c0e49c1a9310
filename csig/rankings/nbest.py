"""How good the n best candidates of ranking methods are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

import numpy as np

from csig.base.docs import documented
from csig.base.errors import InputError
from csig.base.shown import Shown
from csig.base.validation import between, one_of
from csig.base.wording import clean, count, counted, first_few, perhaps
from csig.probability.binomial import clopper_pearson_limits, simultaneous_limits, wilson_limits
from csig.rankings.candidates import Candidates, Ranking, candidates, list_sizes

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: What becomes of candidates with the same score of which only some fit into the n best.
Ties: TypeAlias = Literal["expected", "first", "all"]
TIES: tuple[Ties, ...] = get_args(Ties)

#: Intervals for every n by itself.
ProportionInterval: TypeAlias = Literal["clopper-pearson", "wilson"]
INTERVALS: tuple[ProportionInterval, ...] = get_args(ProportionInterval)


@dataclass(frozen=True, eq=False)
class NBestCurve:
    """The n best candidates of a method, for every n that was asked for.

    All arrays have the shape (lengths,).
    """

    name: str  #: The method.
    n: NDArray[np.int64]  #: How many candidates were wanted.
    size: NDArray[np.int64]  #: How many there are: more than n only where all tied ones are taken.
    #: True ones among them; with ties "expected" the mean over all orders of the tied.
    true_positives: NDArray[np.float64]
    #: precision, recall: their share of the list, and of all true candidates.
    precision: NDArray[np.float64]
    recall: NDArray[np.float64]
    low: NDArray[np.float64]  #: low, high: of the precision for every n by itself.
    high: NDArray[np.float64]
    band_low: NDArray[np.float64]  #: band_low, band_high: of the precision for all n at once.
    band_high: NDArray[np.float64]
    #: The candidates that share the score at which the list is cut; 0 where the cut is between two
    #: scores.
    tied: NDArray[np.int64]
    #: lowest, highest: the precision if the tied candidates were in the worst order, and in the
    #: best.
    lowest: NDArray[np.float64]
    highest: NDArray[np.float64]
    #: The mean of the precisions at the ranks of all true candidates, of the whole table.
    average_precision: float


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class NBestResult(Shown):
    """How good the n best of ranking methods are: see :func:`nbest_precision`."""

    curves: tuple[NBestCurve, ...]  #: One per method; ``result["MI"]`` gives that of a name.
    n_candidates: int  #: n_candidates, n_true: of the table.
    n_true: int
    ties: Ties  #: What becomes of ties at the cut.
    interval: ProportionInterval  #: For every n by itself.
    confidence_level: float  #: Of every interval, and of every method's band as a whole.

    def __getitem__(self, name: str) -> NBestCurve:
        for own in self.curves:
            if own.name == name:
                return own
        names = [own.name for own in self.curves]
        raise InputError(f"no method {name!r}{perhaps(name, names)}; there are {first_few(names)}")

    def _line(self) -> str:
        best = max(self.curves, key=lambda own: own.average_precision)
        what = counted(len(self.curves), "method")
        return (
            f"{what}, {counted(self.n_candidates, 'candidate')}, {count(self.n_true)} true; the "
            f"best average precision is {best.average_precision:.4f} ({clean(best.name)})"
        )


def _average_precision(ranking: Ranking, ties: str) -> float:
    """Of a whole table; the formulas are in :func:`nbest_precision`."""
    true, n = ranking.true, len(ranking.order)
    rank = np.arange(1, n + 1)
    if ties == "first":
        own = (true[1:] > true[:-1]) * (true[1:] / rank)
    elif ties == "all":
        own = (true[1:] - true[:-1]) * (true[ranking.ends] / ranking.ends)
    else:
        before, size = true[ranking.starts], ranking.ends - ranking.starts
        inside = true[ranking.ends] - before
        others = (inside - 1) / np.maximum(size - 1, 1)
        own = inside / size * (before + 1 + (rank - ranking.starts - 1) * others) / rank
    return float(own.sum() / true[-1])


def _curve(
    ranking: Ranking,
    n: NDArray[np.int64],
    ties: str,
    interval: ProportionInterval,
    confidence_level: float,
) -> NBestCurve:
    start, end = ranking.starts[n - 1], ranking.ends[n - 1]
    before = ranking.true[start]
    inside, size, taken = ranking.true[end] - before, end - start, n - start
    lengths = n
    if ties == "all":
        hits, lengths = ranking.true[end].astype(np.float64), end
    elif ties == "first":
        hits = ranking.true[n].astype(np.float64)
    else:
        hits = before + taken * inside / size
    limits = clopper_pearson_limits if interval == "clopper-pearson" else wilson_limits
    whole = np.floor(hits).astype(np.int64), np.ceil(hits).astype(np.int64)
    low, high = limits(*whole, lengths, confidence_level)
    band_low, band_high = simultaneous_limits(hits, lengths, len(ranking.order), confidence_level)
    return NBestCurve(
        name=ranking.name,
        n=n,
        size=lengths,
        true_positives=hits,
        precision=hits / lengths,
        recall=hits / ranking.true[-1],
        low=low,
        high=high,
        band_low=band_low,
        band_high=band_high,
        tied=np.where(taken < size, size, 0),
        lowest=(before + np.maximum(0, taken - (size - inside))) / n,
        highest=(before + np.minimum(taken, inside)) / n,
        average_precision=_average_precision(ranking, ties),
    )


def n_best(
    found: Candidates,
    lists: Iterable[tuple[Ranking, NDArray[np.int64], str]],
    ties: Ties,
    interval: ProportionInterval,
    confidence_level: float,
) -> NBestResult:
    """The same of candidates that are ranked already: of each method lengths, and their ties."""
    one_of("interval", interval, INTERVALS)
    level = between("confidence_level", confidence_level)
    return NBestResult(
        curves=tuple(_curve(*own, interval, level) for own in lists),
        n_candidates=len(found.true),
        n_true=found.n_true,
        ties=ties,
        interval=interval,
        confidence_level=level,
    )


@documented
def nbest_precision(
    table: Mapping[str, Any] | Any,
    methods: Sequence[str] | str,
    n: int | Sequence[int] | None = None,
    *,
    true: str = "true",
    lower_is_better: Sequence[str] | str | None = None,
    ties: Ties = "expected",
    interval: ProportionInterval = "clopper-pearson",
    confidence_level: float = 0.95,
) -> NBestResult:
    """The precision and recall of the n best candidates of ranking methods.

    Parameters
    ----------
    %(table)s
    methods : sequence of str
        The columns of scores; candidates with large scores are the best.
    n : int or sequence of int, optional
        Lengths of lists; by default all, from 1 to the number of candidates.
    %(true)s
    ties : {"expected", "first", "all"}
        What becomes of candidates with the same score of which only some fit into the list.
        "expected": the mean over all orders of the tied, which depends on nothing but the table.
        "first": those that come first in the table. "all": all of them, in a list of more than n.
    interval : {"clopper-pearson", "wilson"}
        For the precision of every n by itself. The first, exact, has at least the confidence that
        it claims; the second is narrower and has about that confidence, sometimes less.
    confidence_level : float
        Of every interval, and of the band of a method as a whole.

    Returns
    -------
    NBestResult

    Raises
    ------
    InputError
        For a column that does not exist, no true candidate, a score that is not a finite number,
        a method with the same score for all, and n beyond the candidates.

    Notes
    -----
    *What intervals are for.* The precision of this list, on these data, is known without an error.
    Intervals are for what another sample of the same kind would give: in the model a candidate
    at rank i is true with a probability p_i, independently of the others. The precision
    of the n best then estimates the mean q_n of p_1 ... p_n, which may all differ: the count is at
    most as variable as the binomial one of q_n (Hoeffding 1956). Where candidates depend on each
    other (they come from the same texts, say) every interval here is too narrow.

    *The band* of a method holds for all n at once: "above 30% from n = 100 to n = 400" needs it,
    because n was chosen after looking. It assumes no more than the intervals do; its proof is in
    `csig.probability.proportions.simultaneous_limits`.

    *Ties.* Let m candidates share a score, t of them true, after s candidates with better scores,
    T of which are true. In a random order of the m, the true ones among the first j are
    hypergeometric with the mean j t / m. So the expected count of the n = s + j best is
    T + j t / m. The candidate at rank s + j is true with probability t / m, and given that, of the
    j - 1 before it (j - 1)(t - 1) / (m - 1) are expected to be true. The expected average precision
    is therefore, with R true candidates, the sum over all ranks of

        t / m * (T + 1 + (j - 1)(t - 1) / (m - 1)) / (s + j) / R

    With "first" it is that of the table's order, with "all" every true candidate counts with the
    precision of the list that ends with its ties. Of an expected count that is not whole, the
    interval has the lower limit of the count below it, and the upper limit of the count above.

    References
    ----------
    S. Evert (2004), "Significance tests for the evaluation of ranking methods", COLING.
    F. McSherry and M. Najork (2008), "Computing information retrieval performance measures
    efficiently in the presence of tied scores", ECIR.
    W. Hoeffding (1956), "On the distribution of the number of successes in independent trials",
    Annals of Mathematical Statistics 27.

    Examples
    --------
    >>> import csig
    >>> table = {"true": [1, 1, 0, 1, 0, 0], "MI": [9, 7, 7, 7, 2, 1], "freq": [3, 1, 2, 9, 8, 4]}
    >>> found = csig.rankings.nbest_precision(table, ["MI", "freq"], [1, 2, 4])
    >>> [round(float(own), 4) for own in found["MI"].precision]
    [1.0, 0.8333, 0.75]
    >>> round(found["MI"].average_precision, 4), round(found["freq"].average_precision, 4)
    (0.9074, 0.6667)
    """
    one_of("ties", ties, TIES)
    one_of("interval", interval, INTERVALS)
    level = between("confidence_level", confidence_level)
    lower_is_better = () if lower_is_better is None else lower_is_better
    found = candidates(table, methods, true, lower_is_better)
    lengths = list_sizes(n, len(found.true))
    lists = ((own, lengths, ties) for own in found.rankings)
    return n_best(found, lists, ties, interval, level)
