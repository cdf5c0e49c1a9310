"""Cochran's Q test: is there any difference among several systems' shares of right items?"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from csig.data.several import several
from csig.errors import InputError
from csig.paired import sign_test_pvalue
from csig.shown import Shown
from csig.wording import count, counted, first_few, perhaps, pvalue

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["CochranMethod", "CochranResult", "cochran_q_test"]

#: How the p-value is found.
CochranMethod = Literal["auto", "exact", "asymptotic"]

#: Steps that "auto" spends on an exact p-value, and "exact" at most; and cells of a table.
BUDGET, LIMIT, CELLS = 2**26, 2**33, 2**22

#: Informative items, and results of theirs, below which chi-square is rough.
FEW, FEW_RESULTS = 4, 24

#: The least probable outcome that is computed: exp(-690) is a double with all its digits.
LEAST = 690.0


@dataclass(frozen=True, kw_only=True, repr=False)
class CochranResult(Shown):
    """The result of Cochran's Q test."""

    names: tuple[str, ...]  #: The systems.
    right: tuple[int, ...]  #: Items that each has right.
    n_units: int  #: All items.
    n_informative: int  #: Items that some systems have right and others wrong; only these count.
    statistic: float  #: Q; 0 if no item is informative.
    df: int  #: Degrees of freedom of the asymptotic test: one less than there are systems.
    pvalue: float  #: `exact_pvalue` where `method` is "exact", else `asymptotic_pvalue`.
    method: Literal["exact", "asymptotic"]  #: Which of them.
    #: Of the distribution of Q with the results of every item permuted among the systems; None
    #: where it was not computed.
    exact_pvalue: float | None
    asymptotic_pvalue: float  #: Of chi-square.
    assumes: str  #: What the test assumes, in plain words.

    def _line(self) -> str:
        systems = counted(len(self.names), "system")
        p = f"p = {pvalue(self.pvalue)} ({self.method})"
        return f"{systems}, {counted(self.n_units, 'unit')}: Q = {self.statistic:.4g}, {p}"


_ASSUMES = (
    "The items are independent, and under the null hypothesis no item favors any system: all are "
    "equally good, and equally correlated with each other."
)


def cochran_q_test(
    systems: Mapping[str, Any], *, ids: object = None, method: CochranMethod = "auto"
) -> CochranResult:
    """Cochran's Q test: do systems that are right or wrong on the same items differ at all?

    Parameters
    ----------
    systems : mapping {name: results}
        Of every system 1 or 0 (True or False) for each item, right or wrong; or {id: result}.
    ids : sequence, optional
        One per item.
    method : {"auto", "exact", "asymptotic"}
        "exact" permutes the results of every item among the systems, in all ways. "auto" does it
        where that takes a second at most: for 2 systems always, for 3 with up to some 400
        informative items, 4 with 80, 5 with 30; else it is asymptotic, and the result says so.

    Returns
    -------
    CochranResult
        Q = 0 and p = 1 if on every item all systems are right, or all wrong.

    Raises
    ------
    InputError
        A result is neither 0 nor 1, the systems have different items, there are fewer than two
        systems, or the exact distribution is too large.

    Notes
    -----
    With k systems, C_j right items of system j, R_i systems that have item i right and N = sum R_i,
    Q = (k - 1) (k sum C_j^2 - N^2) / (k N - sum R_i^2), which is asymptotically chi-square with
    k - 1 degrees of freedom (Cochran 1950). Given the R_i only sum C_j^2 varies, an integer; its
    exact distribution is that of a sum of independent vectors, one for each item, and built
    item by item. With two systems Q is McNemar's chi-square without correction, and the exact test
    McNemar's.

    It is an omnibus test: a small p-value says that some systems differ, and not which.
    :func:`csig.compare_systems` says which, and needs no such test before it: its familywise error
    is bounded with or without. The null hypothesis of the exact test is that all systems are
    interchangeable on every item, which is more than equal accuracies.

    References
    ----------
    Cochran, W. G. (1950). The comparison of percentages in matched samples. Biometrika 37.

    Examples
    --------
    Twelve items, three systems (Conover 1999, p. 253):

    >>> rows = "111 111 010 110 000 111 111 110 001 010 111 111".split()
    >>> right = {f"s{j}": [int(row[j]) for row in rows] for j in range(3)}
    >>> found = cochran_q_test(right)
    >>> found
    <CochranResult 3 systems, 12 items: Q = 2.8, p = 0.395 (exact)>
    >>> round(found.asymptotic_pvalue, 6)
    0.246597
    """
    if method not in get_args(CochranMethod):
        choices = get_args(CochranMethod)
        raise InputError(
            f"method must be one of {first_few(choices)}, found {method!r}"
            f"{perhaps(method, choices)}"
        )
    given = several(systems, ids=ids)
    table = _binary(given.names, given.rows, given.ids)
    k, n = table.shape
    of_item = table.sum(axis=0)
    informative = (of_item > 0) & (of_item < k)
    totals: list[int] = of_item[informative].tolist()
    columns: list[int] = table[:, informative].sum(axis=1).tolist()
    q = _statistic(columns, totals)
    exact = _exact(columns, totals, method)
    from scipy.special import chdtrc

    normal = float(chdtrc(k - 1, q)) if len(totals) else 1.0
    return CochranResult(
        names=given.names,
        right=tuple(table.sum(axis=1).tolist()),
        n_units=n,
        n_informative=len(totals),
        statistic=q,
        df=k - 1,
        pvalue=normal if exact is None else exact,
        method="asymptotic" if exact is None else "exact",
        exact_pvalue=exact,
        asymptotic_pvalue=normal,
        assumes=_ASSUMES if exact is not None else f"{_ASSUMES} {_enough(k, len(totals))}",
    )


def _enough(k: int, n: int) -> str:
    """What chi-square takes for granted: the rule of Tate and Brown (1970), JASA 65."""
    found = "There are enough informative items for chi-square"
    if n < FEW or n * k < FEW_RESULTS:
        found += (
            f", as a rule at least {FEW} with {FEW_RESULTS} results; here are {count(n)}, so the "
            f"p-value is rough"
        )
    return f"{found}."


def _binary(names: Any, rows: Any, ids: Any) -> NDArray[np.int64]:
    """One row of 0 and 1 for each system."""
    found = []
    for name, own in zip(names, rows, strict=True):
        values = np.asarray(own)
        odd = np.flatnonzero((values != 0) & (values != 1))
        if len(odd):
            place = f"[{odd[0]}]" if ids is None else f", item {ids[odd[0]]!r}"
            raise InputError(
                f"{name}{place}: Cochran's test takes 1 or 0, right or wrong, found "
                f"{float(values[odd[0]]):.6g}; csig.compare_systems takes other scores"
            )
        found.append(values.astype(np.int64))
    return np.stack(found)


def _statistic(columns: list[int], totals: list[int]) -> float:
    if not totals:
        return 0.0
    k, whole = len(columns), sum(totals)
    above = (k - 1) * (k * sum(c * c for c in columns) - whole**2)
    return float(Fraction(above, k * whole - sum(r * r for r in totals)))


def _cost(k: int, totals: list[int]) -> int:
    """Steps of `_tail`: cells of the table before each item, times its patterns."""
    return sum((i + 1) ** (k - 1) * math.comb(k, r) for i, r in enumerate(totals))


def _exact(columns: list[int], totals: list[int], method: CochranMethod) -> float | None:
    """The exact p-value; None where it is not asked for, or "auto" finds it too expensive."""
    k, n = len(columns), len(totals)
    if method == "asymptotic":
        return None
    if not n:
        return 1.0
    if k == 2:
        return sign_test_pvalue(columns[0], columns[1])
    limit = BUDGET if method == "auto" else LIMIT
    if not _fits(k, totals) or _cost(k, totals) > limit:
        if method == "auto":
            return None
        raise InputError(
            f"method 'exact': the distribution for {counted(k, 'system')} and {count(n)} "
            f"informative items is too large; use method='asymptotic', or csig.compare_systems "
            f"for exact tests of all pairs"
        )
    return _tail(columns, totals)


def _fits(k: int, totals: list[int]) -> bool:
    """Whether the table does, and its least probabilities are doubles with all their digits."""
    return (len(totals) + 1) ** (k - 1) <= CELLS and (
        sum(math.log(math.comb(k, r)) for r in totals) <= LEAST
    )


def _tail(columns: list[int], totals: list[int]) -> float:
    """The probability of a sum of squares as large as the observed one.

    The table has one axis for the right items of each system but the last, whose are the rest.
    """
    k, n = len(columns), len(totals)
    table = np.ones((1,) * (k - 1))
    for r in totals:
        size = table.shape[0]
        larger = np.zeros((size + 1,) * (k - 1))
        for pattern in combinations(range(k), r):
            larger[tuple(slice(j in pattern, size + (j in pattern)) for j in range(k - 1))] += table
        table = larger / math.comb(k, r)
    squares = np.zeros((1,) * (k - 1), dtype=np.int64)
    last = np.full((1,) * (k - 1), sum(totals), dtype=np.int64)
    for j in range(k - 1):
        axis = np.arange(n + 1).reshape([-1 if i == j else 1 for i in range(k - 1)])
        squares, last = squares + axis**2, last - axis
    squares = squares + last**2
    return min(1.0, float(table[squares >= sum(c * c for c in columns)].sum()))
