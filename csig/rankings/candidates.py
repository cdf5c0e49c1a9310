"""A table of candidates: which are true, each method's order of them, and which it accepts."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, get_args

import numpy as np

from csig.base.errors import InputError
from csig.base.validation import as_integer, positive
from csig.base.wording import clean, count, counted, decimal, first_few, perhaps
from csig.data.units import WAYS_OUT, by_label, score_array

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: What becomes of candidates with the same score of which only some fit into a list of whole ones.
Ties: TypeAlias = Literal["all", "first"]
TIES: tuple[Ties, ...] = get_args(Ties)

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
        names = list(table.columns)
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
        if isinstance(values, (str, bytes)) or not hasattr(values, "__len__"):
            raise InputError(f"{clean(name)}: expected one value per candidate, found {values!r}")
    if isinstance(table, Mapping):  # columns may have an index each
        try:
            columns = by_label(columns, None, None)[0]
        except InputError as error:  # candidates have no ids=
            raise InputError(str(error).replace(WAYS_OUT, OF_COLUMNS)) from None
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


def _truth(name: str, values: Any) -> NDArray[np.bool_]:
    """Which candidates are true."""
    array = np.asarray(values)
    if array.ndim != 1:
        raise InputError(
            f"{clean(name)}: expected one value per candidate, found shape {array.shape}"
        )
    if array.dtype.kind != "b":
        plain = array.tolist()
        if array.dtype.kind in "iuf":
            right = (array == 0) | (array == 1)
        else:  # text, dates, or objects, whose == may be anything
            right = np.array([isinstance(v, NUMBERS) and v in (0, 1) for v in plain])
        if not right.all():
            raise InputError(
                f"{clean(name)}: whether a candidate is true must be True or False, or 1 or 0, "
                f"found {plain[int(np.argmin(right))]!r}"
            )
    which = array.astype(bool)
    if not which.any():
        raise InputError(
            f"{clean(name)}: none of {counted(len(which), 'candidate')} is true; there is nothing "
            "to find"
        )
    return which


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
    several = [given] if isinstance(given, str) else given
    if not isinstance(several, Iterable):
        raise InputError(f"{what}: expected names of columns, found {given!r}")
    names = list(several)
    for name in names:
        if not isinstance(name, str):
            raise InputError(f"{what}: the name of a column must be text, found {name!r}")
    return names


def _sample_codes(name: str, values: Any) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    """The names of the samples, in the order of the table, and that of every candidate."""
    labels = values.tolist() if hasattr(values, "tolist") else list(values)
    codes: dict[str, int] = {}
    kinds: dict[str, object] = {}
    own = np.empty(len(labels), dtype=np.int64)
    for i, label in enumerate(labels):
        if label is None or label == "" or label != label or type(label).__name__ == "NAType":
            raise InputError(
                f"{clean(name)}: candidate {count(i + 1)} has no value, expected the name of its "
                "sample"
            )
        if not isinstance(label, (str, int, float, np.integer, np.floating)) or label in (
            float("inf"), float("-inf"),
        ):  # fmt: skip
            raise InputError(
                f"{clean(name)}: the name of a sample must be text or a number, found {label!r}"
            )
        text = str(label)
        if kinds.setdefault(text, label) != label:
            raise InputError(
                f"{clean(name)}: {kinds[text]!r} and {label!r} are two samples of the same name"
            )
        own[i] = codes.setdefault(text, len(codes))
    return tuple(codes), own


def candidates(
    table: object,
    methods: Sequence[str] | str,
    true: str,
    lower_is_better: Sequence[str] | str,
    sample: str | None = None,
) -> Candidates:
    """A table, checked and ranked; `sample` is the column that names every candidate's sample."""
    names = texts("methods", methods)
    if not isinstance(lower_is_better, Collection):  # an iterator would be used up here
        raise InputError(f"lower_is_better: expected names of columns, found {lower_is_better!r}")
    lower = texts("lower_is_better", lower_is_better)
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
    which = _truth(true, columns.pop(true))
    samples: tuple[str, ...] = ()
    codes = np.zeros(0, dtype=np.int64)
    if sample is not None:
        samples, codes = _sample_codes(sample, columns.pop(sample))
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
    return Candidates(which, tuple(rankings), samples, codes)


def list_sizes(n: object, longest: int) -> NDArray[np.int64]:
    """The lengths of lists that were asked for, in rising order; all of them for None."""
    if n is None:
        return np.arange(1, longest + 1)
    if isinstance(n, np.ndarray) and n.dtype.kind in "iu" and n.ndim == 1:
        n = n.tolist()  # numbers of Python's: a million of numpy's take seconds
    if isinstance(n, str):
        raise InputError(f"n must be an integer of 1 or more, or several, found {n!r}")
    given = [n] if as_integer(n) is not None or not hasattr(n, "__iter__") else list(n)
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


def _reached(threshold: object, ranking: Ranking, lower: bool) -> int:
    """How many candidates have a score of this or a better one."""
    value: Any = threshold
    if isinstance(value, np.number):  # unsigned numbers have no negative ones
        value = value.item()
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise InputError(f"threshold of {clean(ranking.name)} must be a number, found {value!r}")
    if not abs(value) <= sys.float_info.max:
        raise InputError(f"threshold of {clean(ranking.name)} must be finite, found {value!r}")
    size = int((ranking.scores >= (-value if lower else value)).sum())
    if not size:
        raise InputError(
            f"threshold: no candidate has a score of {value!r} or better by {clean(ranking.name)}"
        )
    return size


def _within(ranking: Ranking, codes: NDArray[np.int64], n: int, ties: str) -> tuple[Any, int]:
    """How many of its sample are before a candidate, and the samples that n cuts within a tie."""
    by_sample = ranking.order[np.argsort(codes[ranking.order], kind="stable")]  # the best first
    sizes = np.bincount(codes)
    starts = np.repeat(np.cumsum(sizes) - sizes, sizes)
    place = np.arange(len(codes))
    scores, own = ranking.scores[by_sample], codes[by_sample]
    new = np.append(True, (scores[1:] != scores[:-1]) | (own[1:] != own[:-1]))
    better = np.maximum.accumulate(np.where(new, place, 0)) - starts
    before = np.empty(len(codes), dtype=np.int64)
    # With "all", tied candidates are after the same ones.
    before[by_sample] = better if ties == "all" else place - starts
    return before, int(((better < n) & (place - starts == n)).sum())


class Rule:
    """Which are accepted: the n best of every sample, or of all, or those above a threshold."""

    n: int | None  #: Of every sample.
    total: int | None  #: Of the whole table.
    thresholds: tuple[float, ...] | None  #: One per method.

    def __init__(self, n: Any, threshold: Any, total: Any, found: Candidates, lower: Any) -> None:
        if (n is None) + (threshold is None) + (total is None) != 2:
            raise InputError(
                "give one of n (the best of every sample), threshold (the scores from which "
                "candidates are accepted) and total (the best of the whole table)"
            )
        methods = len(found.rankings)
        self.n = None if n is None else positive("n", n)
        self.total = None if total is None else positive("total", total)
        self.thresholds = None
        if threshold is not None:
            limits: Any = threshold.item() if getattr(threshold, "shape", None) == () else threshold
            if isinstance(threshold, Mapping):
                for own in found.rankings:
                    if own.name not in threshold:
                        raise InputError(f"threshold: none for {own.name!r}")
                limits = [threshold[own.name] for own in found.rankings]
            elif not hasattr(limits, "__len__") or isinstance(limits, str):
                limits = [limits] * methods
            if len(limits) != methods:
                raise InputError(
                    "threshold must be one number or one per method, found "
                    f"{count(len(limits))} for {counted(methods, 'method')}"
                )
            names = texts("lower_is_better", lower)
            self._sizes = [
                _reached(value, own, own.name in names)
                for value, own in zip(limits, found.rankings, strict=True)
            ]
            self.thresholds = tuple(float(own) for own in limits)
        elif self.n is not None:
            sizes = np.bincount(found.codes)
            least = int(np.argmin(sizes))
            if sizes[least] < self.n:
                raise InputError(
                    f"n = {count(self.n)}, but sample {found.samples[least]!r} has "
                    f"{counted(int(sizes[least]), 'candidate')}; give a smaller n, or threshold or "
                    "total"
                )
        elif self.total is not None and self.total > len(found.true):
            raise InputError(
                f"total = {count(self.total)}, but the table has "
                f"{counted(len(found.true), 'candidate')}"
            )

    def best(self, i: int, found: Candidates, ties: str) -> tuple[Ranking, int, int]:
        """A ranking by method i, how many of its best are wanted, and the cuts within a tie."""
        own = found.rankings[i]
        if self.n is not None:  # candidates are ranked by their place in their sample
            before, cuts = _within(own, found.codes, self.n, ties)
            return _ranking(own.name, -before, found.true), int((before < self.n).sum()), cuts
        if self.total is None:
            return own, self._sizes[i], 0
        return own, self.total, int(own.ends[self.total - 1] > self.total)

    def accepted(self, i: int, found: Candidates, ties: str) -> tuple[NDArray[np.bool_], int]:
        """Those of method i, and how many cuts are within a tie."""
        ranking, size, cuts = self.best(i, found, ties)
        whole = ties == "all" and self.n is None
        which = np.zeros(len(found.true), dtype=bool)
        which[ranking.order[: ranking.ends[size - 1] if whole else size]] = True
        return which, cuts
