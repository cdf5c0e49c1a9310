"""A table of candidates: which are true, and their order by each method's score, with its ties."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from csig.data.labelled import WAYS_OUT, by_label
from csig.data.units import score_array
from csig.errors import InputError
from csig.validation import as_integer
from csig.wording import clean, count, counted, decimal, first_few, perhaps

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "Candidates",
    "Ranking",
    "candidates",
    "list_sizes",
    "reached",
]

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


def _names(table: Any) -> list[Any]:
    if isinstance(table, Mapping):
        return list(table)
    lazy = hasattr(table, "collect")  # its rows are not there yet
    if not lazy and hasattr(table, "columns") and hasattr(table, "__getitem__"):
        return list(table.columns)
    raise InputError(
        f"table must be a mapping {{column: values}}, or a data frame, found {type(table).__name__}"
    )


def _labelled(found: Mapping[str, Any]) -> dict[str, Any]:
    """Columns with an index each, in the order of the first that has one."""
    try:
        return dict(by_label(found, None, None).rows)
    except InputError as error:  # candidates have no ids=
        raise InputError(str(error).replace(WAYS_OUT, OF_COLUMNS)) from None


def _columns(table: Any, wanted: Sequence[str]) -> dict[str, Any]:
    """The columns that are needed, with one length."""
    names = _names(table)
    if not names:
        raise InputError("table: found no columns")
    for name in wanted:
        if names.count(name) != 1:
            what = "two columns are" if name in names else "no column is"
            raise InputError(
                f"table: {what} called {name!r}{perhaps(name, names)}; there are "
                f"{first_few(names, 20)}"
            )
    found = {name: table[name] for name in wanted}
    for name, values in found.items():
        if isinstance(values, (str, bytes)) or not hasattr(values, "__len__"):
            raise InputError(f"{clean(name)}: expected one value per candidate, found {values!r}")
    if isinstance(table, Mapping):
        found = _labelled(found)
    n = len(found[wanted[0]])
    for name, values in found.items():
        if len(values) != n:
            raise InputError(
                f"{clean(name)} has {counted(len(values), 'value')}, {clean(wanted[0])} has "
                f"{count(n)}"
            )
    if not n:
        raise InputError("table: found no candidates")
    return found


def _checked_true(name: str, values: Any) -> NDArray[np.bool_]:
    array = np.asarray(values)
    if array.ndim != 1:
        raise InputError(
            f"{clean(name)}: expected one value per candidate, found shape {array.shape}"
        )
    if array.dtype.kind != "b":
        found = array.tolist()
        if array.dtype.kind in "iuf":
            right = (array == 0) | (array == 1)
        else:  # text, dates, or objects, whose == may be anything
            right = np.array([isinstance(v, NUMBERS) and v in (0, 1) for v in found])
        if not right.all():
            raise InputError(
                f"{clean(name)}: whether a candidate is true must be True or False, or 1 or 0, "
                f"found {found[int(np.argmin(right))]!r}"
            )
    which = array.astype(bool)
    if not which.any():
        raise InputError(
            f"{clean(name)}: none of {counted(len(which), 'candidate')} is true; there is nothing "
            "to find"
        )
    return which


def _ranking(name: str, values: Any, true: NDArray[np.bool_], lower: bool) -> Ranking:
    scores = score_array(values, clean(name))
    if lower:
        scores = -scores
    order = np.argsort(-scores, kind="stable")
    own = scores[order]
    first = np.flatnonzero(np.concatenate([[True], own[1:] != own[:-1]]))
    if len(first) == 1 and len(own) > 1:
        raise InputError(
            f"{clean(name)}: all {counted(len(own), 'candidate')} have the score "
            f"{decimal(float(np.asarray(values)[0]))}; a method that ranks nothing has no n best"
        )
    sizes = np.diff(np.append(first, len(own)))
    found = np.concatenate([[0], np.cumsum(true[order])])
    return Ranking(
        name, scores, order, np.repeat(first, sizes), np.repeat(first + sizes, sizes), found
    )


def _texts(what: str, given: object) -> list[str]:
    """One or more names of columns."""
    found = [given] if isinstance(given, str) else given
    if not isinstance(found, Iterable):
        raise InputError(f"{what}: expected names of columns, found {given!r}")
    names = list(found)
    for name in names:
        if not isinstance(name, str):
            raise InputError(f"{what}: the name of a column must be text, found {name!r}")
    return names


def candidates(
    table: object,
    methods: Sequence[str] | str,
    true: str,
    lower_is_better: Sequence[str] | str,
    sample: str | None = None,
) -> Candidates:
    """A table, checked and ranked.

    Parameters
    ----------
    table : mapping {column: values}, or data frame
        One row per candidate.
    methods : sequence of str
        The columns of scores.
    true : str
        The column that says which candidates are true.
    lower_is_better : sequence of str
        Those of the methods whose small scores are the best.
    sample : str, optional
        The column that says which sample a candidate is from.
    """
    names = _texts("methods", methods)
    if not isinstance(lower_is_better, Collection):  # an iterator would be used up here
        raise InputError(f"lower_is_better: expected names of columns, found {lower_is_better!r}")
    lower = _texts("lower_is_better", lower_is_better)
    _texts("true", [true])
    extra = [] if sample is None else _texts("sample", [sample])
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
    found = _columns(table, [true, *names, *extra])
    which = _checked_true(true, found.pop(true))
    samples: tuple[str, ...] = ()
    codes = np.zeros(0, dtype=np.int64)
    if sample is not None:
        samples, codes = _sample_codes(sample, found.pop(sample))
    rankings = tuple(_ranking(name, own, which, name in lower) for name, own in found.items())
    return Candidates(which, rankings, samples, codes)


def list_sizes(n: object, longest: int) -> NDArray[np.int64]:
    """The lengths of lists that were asked for, in rising order; all of them for None.

    Parameters
    ----------
    n : int, sequence of int, or None
        What was asked for.
    longest : int
        The candidates of the table.
    """
    if n is None:
        return np.arange(1, longest + 1)
    if isinstance(n, np.ndarray) and n.dtype.kind in "iu" and n.ndim == 1:
        n = n.tolist()  # numbers of Python's: a million of numpy's take seconds
    if isinstance(n, str):
        raise InputError(f"n must be an integer of 1 or more, or several, found {n!r}")
    given = [n] if as_integer(n) is not None or not hasattr(n, "__iter__") else list(n)
    found = [as_integer(own) for own in given]
    for own, value in zip(found, given, strict=True):
        if own is None or own < 1:
            raise InputError(f"n must be an integer of 1 or more, or several, found {value!r}")
        if own > longest:
            raise InputError(f"n = {count(own)}, but the table has {counted(longest, 'candidate')}")
    if not found:
        raise InputError("n: found no number, expected one length of lists or more")
    return np.array(sorted({own for own in found if own is not None}), dtype=np.int64)


def reached(threshold: object, ranking: Ranking, lower: bool) -> int:
    """How many candidates have a score of this or a better one.

    Parameters
    ----------
    threshold : float
        A score of the method.
    ranking : Ranking
        The method.
    lower : bool
        Whether small scores are the best.
    """
    value: Any = threshold
    if isinstance(value, np.number):  # unsigned numbers have no negative ones
        value = value.item()
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise InputError(f"threshold of {clean(ranking.name)} must be a number, found {value!r}")
    if not abs(value) <= sys.float_info.max:
        raise InputError(f"threshold of {clean(ranking.name)} must be finite, found {value!r}")
    found = int((ranking.scores >= (-value if lower else value)).sum())
    if not found:
        raise InputError(
            f"threshold: no candidate has a score of {value!r} or better by {clean(ranking.name)}"
        )
    return found


def _is_missing(label: object) -> bool:
    return label is None or label == "" or label != label or type(label).__name__ == "NAType"


def _sample_codes(name: str, values: Any) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    """The names of the samples, in the order of the table, and that of every candidate."""
    labels = values.tolist() if hasattr(values, "tolist") else list(values)
    codes: dict[str, int] = {}
    kinds: dict[str, object] = {}
    found = np.empty(len(labels), dtype=np.int64)
    for i, label in enumerate(labels):
        if _is_missing(label):
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
        found[i] = codes.setdefault(text, len(codes))
    return tuple(codes), found
