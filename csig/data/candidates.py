"""A table of candidates: which are true, and their order by each method's score, with its ties."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from csig.data.labelled import by_label
from csig.data.units import score_array
from csig.errors import InputError
from csig.validation import as_integer
from csig.wording import clean, count, counted, decimal, first_few, perhaps

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Candidates", "Ranking", "candidates", "list_sizes"]

#: What 1 and 0, True and False can be among objects.
NUMBERS = (int, float, np.integer, np.bool_)


class Ranking(NamedTuple):
    """Candidates in the order of a method, the best first.

    Attributes
    ----------
    name : str
        The method.
    scores : array, (candidates,)
        In the order of the table; more is better.
    order : array of int64, (candidates,)
        Their places in the table; tied ones in the table's order.
    starts, ends : array of int64, (candidates,)
        By rank: how many are before those that have the same score, and how many with them.
    true : array of int64, (candidates + 1,)
        True ones among the first 0, 1, 2, ...
    """

    name: str
    scores: NDArray[Any]
    order: NDArray[np.int64]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    true: NDArray[np.int64]


class Candidates(NamedTuple):
    """Which candidates are true, and how methods rank them."""

    true: NDArray[np.bool_]
    rankings: tuple[Ranking, ...]

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
        found = by_label(found, None, None).rows
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
    table: object, methods: Sequence[str] | str, true: str, lower_is_better: Sequence[str] | str
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
    """
    names = _texts("methods", methods)
    lower = _texts("lower_is_better", lower_is_better)
    _texts("true", [true])
    if not names:
        raise InputError("methods: found none, expected one or more columns of scores")
    if len(set(names)) < len(names):
        raise InputError(f"methods: found one twice among {first_few(names, 12)}")
    if true in names:
        raise InputError(
            f"methods: {true!r} is the column that says which candidates are true (true=)"
        )
    for name in lower:
        if name not in names:
            raise InputError(
                f"lower_is_better: {name!r} is none of the methods{perhaps(name, names)}"
            )
    found = _columns(table, [true, *names])
    which = _checked_true(true, found.pop(true))
    return Candidates(
        which, tuple(_ranking(name, own, which, name in lower) for name, own in found.items())
    )


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
    given = [n] if as_integer(n) is not None or not hasattr(n, "__iter__") else list(n)
    found = [as_integer(own) for own in given]
    for own, value in zip(found, given, strict=True):
        if own is None or own < 1:
            raise InputError(f"n must be an integer of 1 or more, or several, found {value!r}")
        if own > longest:
            raise InputError(f"n = {count(own)}, but the table has {counted(longest, 'candidate')}")
    if not found:
        raise InputError("n: found no number; leave it out for lists of every length")
    return np.array(sorted({own for own in found if own is not None}), dtype=np.int64)
