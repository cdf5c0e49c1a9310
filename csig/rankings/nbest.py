"""A table of candidates, each method's order of them, and how good its n best are."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, get_args

import numpy as np

from csig.base.errors import InputError
from csig.base.shown import ShownArrays, ShownRows, ShownTuple
from csig.base.validation import as_integer, between, one_of, positive, public
from csig.base.wording import clean, count, counted, decimal, documented, first_few, perhaps
from csig.data.units import Unordered, by_label, score_array
from csig.probability.binomial import clopper_pearson_limits, simultaneous_limits, wilson_limits

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: What becomes of candidates with the same score of which only some fit into a list of whole ones.
WholeTies: TypeAlias = Literal["all", "first"]
WHOLE_TIES: tuple[WholeTies, ...] = get_args(WholeTies)

#: What to do where columns are Series that do not go together.
OF_COLUMNS = "make one data frame of the columns, or drop each index with reset_index(drop=True)"

#: What 1 and 0, True and False can be among objects.
NUMBERS = (int, float, np.integer, np.bool_)


class Ranking(NamedTuple):
    """Candidates in the order of a method, the best first."""

    name: str  #: The method.
    scores: NDArray[Any]  #: In the order of the table; more is better.
    order: NDArray[np.int64]  #: Their places in the table; tied ones in the table's order.
    #: starts, ends: by rank: how many are before those that have the same score, and how many with
    #: them.
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    true: NDArray[np.int64]  #: True ones among the first 0, 1, 2, ...


class Candidates(NamedTuple):
    """Which candidates are true, how methods rank them, and what sample each is from."""

    true: NDArray[np.bool_]  #: In the order of the table.
    rankings: tuple[Ranking, ...]  #: One per method.
    #: Their names, in the order of the table; none if no column was asked for.
    samples: tuple[str, ...]
    #: The place of every candidate's sample among `samples`; empty without them.
    codes: NDArray[np.int64]
    lower: list[str]  #: The methods whose small scores are the best.

    @property
    def n_true(self) -> int:
        """True candidates."""
        return int(self.true.sum())


def _columns(table: Any, wanted: Sequence[str]) -> dict[str, Any]:
    """The columns that are needed, with one length."""
    lazy = hasattr(table, "collect")  # its rows are not there yet
    if isinstance(table, Mapping):
        names = list(table)
    elif not lazy and hasattr(table, "columns") and hasattr(table, "__getitem__"):
        names = list(getattr(table, "column_names", table.columns))  # of pyarrow
    else:
        raise InputError(
            "table must be a mapping {column: values}, or a data frame, found "
            f"{type(table).__name__}"
        )
    if not names:
        raise InputError("table: found no columns")
    for name in wanted:
        if names.count(name) != 1:
            what = "two columns are" if name in names else "no column is"
            raise InputError(
                f"table: {what} called {name!r}{perhaps(name, names)}; there are "
                f"{first_few(names, 20)}"
            )
    columns = {name: table[name] for name in wanted}
    for name, values in columns.items():
        several = hasattr(values, "__len__") and getattr(values, "ndim", 1) > 0
        if isinstance(values, (str, bytes)) or not several:
            raise InputError(f"{clean(name)}: expected one value per candidate, found {values!r}")
    if isinstance(table, Mapping):  # columns may have an index each
        try:
            columns = by_label(columns, None, None)[0]
        except Unordered as error:
            raise InputError(f"{error.found} {OF_COLUMNS}") from None
    n = len(columns[wanted[0]])
    for name, values in columns.items():
        if len(values) != n:
            raise InputError(
                f"{clean(name)} has {counted(len(values), 'value')}, {clean(wanted[0])} has "
                f"{count(n)}"
            )
    if not n:
        raise InputError("table: found no candidates")
    return columns


def _ranking(name: str, scores: NDArray[Any], true: NDArray[np.bool_]) -> Ranking:
    order = np.argsort(-scores, kind="stable")
    in_order = scores[order]
    first = np.flatnonzero(np.concatenate([[True], in_order[1:] != in_order[:-1]]))
    sizes = np.diff(np.append(first, len(scores)))
    running = np.concatenate([[0], np.cumsum(true[order])])
    starts, ends = np.repeat(first, sizes), np.repeat(first + sizes, sizes)
    return Ranking(name, scores, order, starts, ends, running)


def texts(what: str, given: object) -> list[str]:
    """One or more names of columns."""
    if not isinstance(given, Iterable):
        raise InputError(f"{what}: expected names of columns, found {given!r}")
    names = [given] if isinstance(given, str) else list(given)
    for name in names:
        if not isinstance(name, str):
            raise InputError(f"{what}: the name of a column must be text, found {name!r}")
    return names


def candidates(
    table: object,
    methods: Sequence[str] | str,
    true: str,
    lower_is_better: Sequence[str] | str | None = None,
    sample: str | None = None,
) -> Candidates:
    """A table, checked and ranked; `sample` is the column that names every candidate's sample."""
    names = texts("methods", methods)
    lower = texts("lower_is_better", () if lower_is_better is None else lower_is_better)
    texts("true", [true])
    extra = [] if sample is None else texts("sample", [sample])
    if not names:
        raise InputError("methods: found none, expected one or more columns of scores")
    if len(set(names)) < len(names):
        raise InputError(f"methods: found one twice among {first_few(names, 12)}")
    if true in names:
        raise InputError(
            f"methods: {true!r} is the column that says which candidates are true (true=)"
        )
    if sample in (true, *names):
        what = "says which candidates are true" if sample == true else "has a method's scores"
        raise InputError(f"sample: the column {sample!r} {what}, expected one that names samples")
    for name in lower:
        if name not in names:
            raise InputError(
                f"lower_is_better: {name!r} is none of the methods{perhaps(name, names)}"
            )
    columns = _columns(table, [true, *names, *extra])
    array = np.asarray(columns.pop(true))
    if array.ndim != 1:
        raise InputError(
            f"{clean(true)}: expected one value per candidate, found shape {array.shape}"
        )
    if array.dtype.kind != "b":
        plain = array.tolist()
        if array.dtype.kind in "iuf":
            right = (array == 0) | (array == 1)
        else:  # text, dates, or objects, whose == may be anything
            right = np.array([isinstance(v, NUMBERS) and v in (0, 1) for v in plain])
        if not right.all():
            raise InputError(
                f"{clean(true)}: whether a candidate is true must be True or False, or 1 or 0, "
                f"found {plain[int(np.argmin(right))]!r}"
            )
    which = array.astype(bool)
    if not which.any():
        raise InputError(
            f"{clean(true)}: none of {counted(len(which), 'candidate')} is true; there is nothing "
            "to find"
        )
    places: dict[str, int] = {}  # of the samples, in the order of the table
    kinds: dict[str, object] = {}
    labels: Any = () if sample is None else columns.pop(sample)
    labels = labels.tolist() if hasattr(labels, "tolist") else list(labels)
    codes = np.empty(len(labels), dtype=np.int64)
    for i, label in enumerate(labels):
        if type(label).__name__ in ("NoneType", "NAType") or label == "" or label != label:
            raise InputError(
                f"{clean(str(sample))}: candidate {count(i + 1)} has no value, expected the name "
                "of its sample"
            )
        text = str(label)
        named = isinstance(label, (str, int, float, np.integer, np.floating))
        if not named or label in (math.inf, -math.inf):
            raise InputError(
                f"{clean(str(sample))}: the name of a sample must be text or a number, found "
                f"{label!r}"
            )
        if kinds.setdefault(text, label) != label:
            raise InputError(
                f"{clean(str(sample))}: {kinds[text]!r} and {label!r} are two samples of the same "
                "name"
            )
        codes[i] = places.setdefault(text, len(places))
    rankings = []
    for name, values in columns.items():
        scores = score_array(values, clean(name))
        if len(scores) > 1 and (scores == scores[0]).all():
            raise InputError(
                f"{clean(name)}: all {counted(len(scores), 'candidate')} have the score "
                f"{decimal(float(np.asarray(values)[0]))}; a method that ranks nothing has no n "
                "best"
            )
        rankings.append(_ranking(name, -scores if name in lower else scores, which))
    return Candidates(which, tuple(rankings), tuple(places), codes, lower)


def list_sizes(n: object, longest: int) -> NDArray[np.int64]:
    """The lengths of lists that were asked for, in rising order; all of them for None."""
    if n is None:
        return np.arange(1, longest + 1)
    if isinstance(n, np.ndarray) and n.dtype.kind in "iu" and n.ndim == 1:
        n = n.tolist()  # numbers of Python's: a million of numpy's take seconds
    if isinstance(n, str):
        raise InputError(f"n must be an integer of 1 or more, or several, found {n!r}")
    given: list[Any] = [n] if as_integer(n) is not None or not hasattr(n, "__iter__") else list(n)
    if set(map(type, given)) == {int} and min(given) >= 1 and max(given) <= longest:
        return np.unique(np.array(given, dtype=np.int64))  # a million at once
    sizes = set()
    for value in given:
        size = as_integer(value)
        if size is None or size < 1:
            raise InputError(f"n must be an integer of 1 or more, or several, found {value!r}")
        if size > longest:
            raise InputError(
                f"n = {count(size)}, but the table has {counted(longest, 'candidate')}"
            )
        sizes.add(size)
    if not sizes:
        raise InputError("n: found no number, expected one length of lists or more")
    return np.array(sorted(sizes), dtype=np.int64)


class Rule:
    """Which are accepted: the n best of every sample, or of all, or those above a threshold."""

    def __init__(self, n: Any, threshold: Any, total: Any, data: Candidates, ties: str) -> None:
        if (n is None) + (threshold is None) + (total is None) != 2:
            raise InputError(
                "give one of n (the best of every sample), threshold (the scores from which "
                "candidates are accepted) and total (the best of the whole table)"
            )
        self.data, self.ties = data, ties
        methods = len(data.rankings)
        self.n = None if n is None else positive("n", n)  # of every sample
        self.total = None if total is None else positive("total", total)  # of the whole table
        self.thresholds: tuple[float, ...] | None = None  # one per method
        if threshold is not None:
            limits: Any = threshold.item() if getattr(threshold, "shape", None) == () else threshold
            if isinstance(threshold, Mapping):
                for own in data.rankings:
                    if own.name not in threshold:
                        raise InputError(f"threshold: none for {own.name!r}")
                limits = [threshold[own.name] for own in data.rankings]
            elif not hasattr(limits, "__len__") or isinstance(limits, str):
                limits = [limits] * methods
            if len(limits) != methods:
                raise InputError(
                    "threshold must be one number or one per method, found "
                    f"{count(len(limits))} for {counted(methods, 'method')}"
                )
            self._sizes = []  # how many candidates have a score of this or a better one
            for value, own in zip(limits, data.rankings, strict=True):
                if isinstance(value, np.number):  # unsigned numbers have no negative ones
                    value = value.item()
                what = f"threshold of {clean(own.name)}"
                if isinstance(value, bool) or not isinstance(value, (int, float)):
                    raise InputError(f"{what} must be a number, found {value!r}")
                if not abs(value) <= sys.float_info.max:
                    raise InputError(f"{what} must be finite, found {value!r}")
                size = int((own.scores >= (-value if own.name in data.lower else value)).sum())
                if not size:
                    raise InputError(
                        f"threshold: no candidate has a score of {value!r} or better by "
                        f"{clean(own.name)}"
                    )
                self._sizes.append(size)
            self.thresholds = tuple(float(own) for own in limits)
        elif self.n is not None:
            sizes = np.bincount(data.codes)
            least = int(np.argmin(sizes))
            if sizes[least] < self.n:
                raise InputError(
                    f"sample {data.samples[least]!r} has "
                    f"{counted(int(sizes[least]), 'candidate')}, fewer than the {count(self.n)} "
                    "best that are asked for"
                )
        elif self.total is not None and self.total > len(data.true):
            raise InputError(
                f"the table has {counted(len(data.true), 'candidate')}, fewer than the "
                f"{count(self.total)} best that are asked for"
            )

    def best(self, i: int) -> tuple[Ranking, int, int]:
        """A ranking by method i, how many of its best are wanted, and the cuts within a tie."""
        own = self.data.rankings[i]
        if self.n is not None:  # candidates are ranked by their place in their sample
            codes = self.data.codes
            by_sample = own.order[np.argsort(codes[own.order], kind="stable")]  # the best first
            sizes = np.bincount(codes)
            starts = np.repeat(np.cumsum(sizes) - sizes, sizes)
            place = np.arange(len(codes))
            scores, sample = own.scores[by_sample], codes[by_sample]
            new = np.append(True, (scores[1:] != scores[:-1]) | (sample[1:] != sample[:-1]))
            better = np.maximum.accumulate(np.where(new, place, 0)) - starts
            before = np.empty(len(codes), dtype=np.int64)
            # With "all", tied candidates are after the same ones.
            before[by_sample] = better if self.ties == "all" else place - starts
            cuts = int(((better < self.n) & (place - starts == self.n)).sum())
            ranking = _ranking(own.name, -before, self.data.true)
            return ranking, int((before < self.n).sum()), cuts
        if self.total is None:
            return own, self._sizes[i], 0
        return own, self.total, int(own.ends[self.total - 1] > self.total)

    def accepted(self, i: int) -> tuple[NDArray[np.bool_], int]:
        """Those of method i, and how many cuts are within a tie."""
        ranking, size, cuts = self.best(i)
        which = np.zeros(len(self.data.true), dtype=bool)
        which[ranking.order[: ranking.ends[size - 1] if self.ties == "all" else size]] = True
        return which, cuts


def place_of(name: str, names: Sequence[str]) -> int:
    """The place of a method among those that there are."""
    if name not in names:
        there = first_few(names, 20)
        raise InputError(f"no method {name!r}{perhaps(name, names)}; there are {there}")
    return names.index(name)


#: What becomes of candidates with the same score of which only some fit into the n best.
Ties: TypeAlias = Literal["expected", "first", "all"]
TIES: tuple[Ties, ...] = get_args(Ties)

#: Intervals for every n by itself.
ProportionInterval: TypeAlias = Literal["clopper-pearson", "wilson"]
INTERVALS: tuple[ProportionInterval, ...] = get_args(ProportionInterval)


@dataclass(frozen=True, eq=False)
class NBestCurve(ShownRows):
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
class NBestResult(ShownArrays):
    """How good the n best of ranking methods are: see :func:`nbest_precision`."""

    curves: ShownTuple[NBestCurve]  #: One per method; ``result["MI"]`` gives that of a name.
    n_candidates: int  #: n_candidates, n_true: of the table.
    n_true: int
    ties: Ties  #: What becomes of ties at the cut.
    interval: ProportionInterval  #: For every n by itself.
    confidence_level: float  #: Of every interval, and of every method's band as a whole.

    def __getitem__(self, name: str) -> NBestCurve:
        return self.curves[place_of(name, [own.name for own in self.curves])]

    @property
    def order(self) -> list[int]:
        """The methods' places, the best average precision first."""
        places = range(len(self.curves))
        return sorted(places, key=lambda i: -self.curves[i].average_precision)

    def _line(self) -> str:
        best = self.curves[self.order[0]]
        what = counted(len(self.curves), "method")
        return (
            f"{what}, {counted(self.n_candidates, 'candidate')}, {count(self.n_true)} true; the "
            f"best average precision is {best.average_precision:.4f} ({clean(best.name)})"
        )


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
    # The mean of the precisions at the ranks of all true ones: formulas in `nbest_precision`.
    true, rank = ranking.true, np.arange(1, len(ranking.order) + 1)
    if ties == "first":
        gains = (true[1:] > true[:-1]) * (true[1:] / rank)
    elif ties == "all":
        gains = (true[1:] - true[:-1]) * (true[ranking.ends] / ranking.ends)
    else:
        above, tied = true[ranking.starts], ranking.ends - ranking.starts
        among = true[ranking.ends] - above
        others = (among - 1) / np.maximum(tied - 1, 1)
        gains = among / tied * (above + 1 + (rank - ranking.starts - 1) * others) / rank
    limits = clopper_pearson_limits if interval == "clopper-pearson" else wilson_limits
    rounded = np.floor(hits).astype(np.int64), np.ceil(hits).astype(np.int64)
    low, high = limits(*rounded, lengths, confidence_level)
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
        average_precision=float(gains.sum() / true[-1]),
    )


def n_best(
    data: Candidates,
    lists: Iterable[tuple[Ranking, NDArray[np.int64], str]],
    ties: Ties,
    interval: ProportionInterval,
    confidence_level: float,
) -> NBestResult:
    """The same of candidates that are ranked already: of each method lengths, and their ties."""
    one_of("interval", interval, INTERVALS)
    level = between("confidence_level", confidence_level)
    return NBestResult(
        curves=ShownTuple(_curve(*own, interval, level) for own in lists),
        n_candidates=len(data.true),
        n_true=data.n_true,
        ties=ties,
        interval=interval,
        confidence_level=level,
    )


@public("csig.rankings")
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
    *Intervals* are for what another sample of the same kind would give: a candidate at rank i is
    true with a probability p_i, independently of the others, and the precision of the n best
    estimates the mean of p_1 ... p_n, which may all differ (Hoeffding 1956). Where candidates
    depend on each other every interval here is too narrow. *The band* of a method holds for all n
    at once; its proof is in `csig.probability.binomial.simultaneous_limits`.

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
    data = candidates(table, methods, true, lower_is_better)
    lengths = list_sizes(n, len(data.true))
    lists = ((own, lengths, ties) for own in data.rankings)
    return n_best(data, lists, ties, interval, confidence_level)
