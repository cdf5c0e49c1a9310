"""Cochran's Q test: is there any difference among several systems' shares of right items?"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from csig.data.several import several
from csig.errors import InputError
from csig.paired import sign_test_pvalue
from csig.tested import TestResult
from csig.validation import one_of
from csig.wording import count, counted, pvalue

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["CochranMethod", "cochran_q_test"]

#: How the p-value is found.
CochranMethod = Literal["auto", "exact", "asymptotic"]

#: Steps that "auto" spends on an exact p-value, and "exact" at most; and cells of a table.
BUDGET, LIMIT, CELLS = 2**26, 2**33, 2**22

#: Informative items, and results of theirs, below which chi-square is rough.
FEW, FEW_RESULTS = 4, 24

#: The least probable outcome that is computed: exp(-690) is a double with all its digits.
LEAST = 690.0


_ASSUMES = (
    "The items are independent, and under the null hypothesis no item favors any system: all are "
    "equally good, and equally correlated with each other."
)


def cochran_q_test(
    systems: Mapping[str, Any], *, ids: object = None, method: CochranMethod = "auto"
) -> TestResult:
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
    TestResult
        With `degrees_of_freedom` of the asymptotic test; `right`, the items that each system has
        right; `n_units`, all items, and `n_informative`, those that some systems have right and
        others wrong, for only these count; `method`; `asymptotic_pvalue`, of chi-square; and
        `exact_pvalue`, None where it was not computed. Q = 0 and p = 1 if on every item all systems
        are right, or all wrong.

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
    <TestResult 3 systems, 12 items: Q = 2.8, p = 0.395 (exact)>
    >>> round(found.asymptotic_pvalue, 6)
    0.246597
    """
    one_of("method", method, get_args(CochranMethod))
    given = several(systems, ids=ids)
    table = _binary(given.names, given.rows, given.ids)
    k, n = table.shape
    of_item = table.sum(axis=0)
    informative = (of_item > 0) & (of_item < k)
    totals: list[int] = of_item[informative].tolist()
    columns: list[int] = table[:, informative].sum(axis=1).tolist()
    q = 0.0
    if totals:
        whole, squares = sum(totals), sum(c * c for c in columns)
        above = (k - 1) * (k * squares - whole**2)
        q = float(Fraction(above, k * whole - sum(r * r for r in totals)))
    exact = _exact(columns, totals, method)
    from scipy.special import chdtrc

    normal = float(chdtrc(k - 1, q)) if len(totals) else 1.0
    p, used = (normal, "asymptotic") if exact is None else (exact, "exact")
    assumes = _ASSUMES
    if exact is None:
        assumes += " There are enough informative items for chi-square"
        if len(totals) < FEW or len(totals) * k < FEW_RESULTS:  # Tate and Brown (1970), JASA 65
            assumes += (
                f", as a rule at least {FEW} with {FEW_RESULTS} results; here are "
                f"{count(len(totals))}, so the p-value is rough"
            )
        assumes += "."
    found = f"{counted(k, 'system')}, {counted(n, 'unit')}: Q = {q:.4g}"
    return TestResult(
        test="Cochran's Q",
        statistic=q,
        pvalue=p,
        alternative="two-sided",
        assumes=assumes,
        degrees_of_freedom=k - 1,
        details={
            "right": tuple(table.sum(axis=1).tolist()),
            "n_units": n,
            "n_informative": len(totals),
            "method": used,
            "exact_pvalue": exact,
            "asymptotic_pvalue": normal,
        },
        names=given.names,
        line=f"{found}, p = {pvalue(p)} ({used})",
    )


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


def _exact(columns: list[int], totals: list[int], method: CochranMethod) -> float | None:
    """The exact p-value; None where it is not asked for, or "auto" finds it too expensive."""
    k, n = len(columns), len(totals)
    if method == "asymptotic":
        return None
    if not n:
        return 1.0
    if k == 2:
        return sign_test_pvalue(columns[0], columns[1])
    # The table fits, and its least probabilities are doubles with all their digits.
    fits = (n + 1) ** (k - 1) <= CELLS and sum(math.log(math.comb(k, r)) for r in totals) <= LEAST
    # Cells of the table before each item, times its patterns.
    steps = sum((i + 1) ** (k - 1) * math.comb(k, r) for i, r in enumerate(totals)) if fits else 0
    if not fits or steps > (BUDGET if method == "auto" else LIMIT):
        if method == "auto":
            return None
        raise InputError(
            f"method 'exact': the distribution for {counted(k, 'system')} and {count(n)} "
            f"informative items is too large; use method='asymptotic', or csig.compare_systems "
            f"for exact tests of all pairs"
        )
    return _tail(columns, totals)


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
