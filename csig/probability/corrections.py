"""Adjusted p-values of many tests at once: what may be compared with alpha, however many there are.

:func:`csig.holm` corrects a handful of results and says what became of each; here are arrays, as
many as thousands of pairs of systems need.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

import numpy as np

from csig.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["CORRECTIONS", "Correction", "adjusted", "shaffer_factors"]

#: The corrections of p-values that are there already.
Correction: TypeAlias = Literal["holm", "bonferroni", "shaffer", "bh", "by"]
CORRECTIONS: tuple[Correction, ...] = get_args(Correction)

#: More systems would make Shaffer's factors take minutes.
MOST_SYSTEMS = 500


def shaffer_factors(n_systems: int) -> list[int]:
    """What Shaffer's method multiplies the p-values of all pairs with, the smallest first.

    After some pairs were found to differ, not every number of the others can be equal: of three
    systems, if one pair differs at most one other pair is equal. The factor is the largest number
    of equal pairs that is still possible (Shaffer 1986, procedure 1).

    Parameters
    ----------
    n_systems : int
        All their pairs are tested.

    Examples
    --------
    >>> shaffer_factors(4)
    [6, 3, 3, 3, 2, 1]
    """
    if n_systems > MOST_SYSTEMS:
        raise InputError(
            f"correction 'shaffer' is for at most {MOST_SYSTEMS} systems, found {n_systems:,}; "
            "'holm' has no limit"
        )
    # Bit t of possible[k]: k systems can have exactly t equal pairs.
    possible = [1]
    for k in range(1, n_systems + 1):
        found = 0
        for group in range(1, k + 1):
            found |= possible[k - group] << math.comb(group, 2)
        possible.append(found)
    whole = possible[n_systems]
    m = math.comb(n_systems, 2)
    return [(whole & ((1 << (m - i + 1)) - 1)).bit_length() - 1 for i in range(m)]


def adjusted(
    pvalues: NDArray[np.float64],
    log_pvalues: NDArray[np.float64],
    correction: Correction,
    *,
    total: int | None = None,
    n_systems: int | None = None,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Adjusted p-values, and their logarithms.

    Parameters
    ----------
    pvalues, log_pvalues : array of float, (tests,)
        They are ordered by the logarithms, because doubles have no p-values below 1e-308.
    correction : {"holm", "bonferroni", "shaffer", "bh", "by"}
        "holm" (1979) and "bonferroni" bound the probability of any false rejection, however the
        tests depend on each other; so does "shaffer" (1986), for all pairs of `n_systems` whose
        equality is transitive. "bh" (Benjamini and Hochberg 1995) bounds the expected share of
        false rejections among all, if the tests are independent or positively dependent
        (Benjamini and Yekutieli 2001), which tests of all pairs need not be; "by"
        (Benjamini and Yekutieli 2001) however they depend.
    total : int, optional
        The size of the family for "holm" and "bonferroni", where it has further tests whose
        p-values are larger than all these.
    n_systems : int, optional
        For "shaffer".

    Examples
    --------
    >>> p = np.array([0.01, 0.04, 0.03])
    >>> adjusted(p, np.log(p), "holm")[0].tolist()
    [0.03, 0.06, 0.06]
    >>> adjusted(p, np.log(p), "bh")[0].round(12).tolist()
    [0.03, 0.04, 0.04]
    """
    n = len(pvalues)
    m = n if total is None else total
    ranks = np.arange(n)
    if correction == "bonferroni":
        factors = np.full(n, float(m))
    elif correction == "holm":
        factors = (m - ranks).astype(np.float64)
    elif correction == "shaffer":
        if n_systems is None or n != math.comb(n_systems, 2):
            raise InputError("correction 'shaffer' is for all pairs of systems")
        factors = np.array(shaffer_factors(n_systems), dtype=np.float64)
    else:
        harmonic = math.fsum(1 / i for i in range(1, n + 1)) if correction == "by" else 1.0
        factors = n * harmonic / (ranks + 1.0)
    order = np.argsort(log_pvalues, kind="stable")
    found = pvalues[order] * factors
    logs = log_pvalues[order] + np.log(factors)
    if correction in ("bh", "by"):
        found, logs = (np.minimum.accumulate(own[::-1])[::-1] for own in (found, logs))
    else:
        found, logs = (np.maximum.accumulate(own) for own in (found, logs))
    back = np.empty(n, dtype=np.intp)
    back[order] = ranks
    return np.minimum(1.0, found)[back], np.minimum(0.0, logs)[back]
