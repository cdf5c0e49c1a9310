"""Several families of tests, each adjusted within itself: Holm's correction over the families."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["over_families"]


def over_families(pvalues: NDArray[np.float64]) -> NDArray[np.float64]:
    r"""Adjust p-values for the number of families as well.

    Parameters
    ----------
    pvalues : array of float, (families, tests)
        Adjusted within each family: with a probability of at most u no true null hypothesis of
        the family has one of u or less, for every u.

    Returns
    -------
    array of float, (families, tests)
        With a probability of at most alpha a true null hypothesis of any family has one of alpha
        or less, however the families depend on each other.

    Notes
    -----
    Begin with all m families, and reject every hypothesis with m p <= alpha. A family of which
    *all* hypotheses are rejected is done; as long as one more is, go on with the k that are not
    done, and reject what has k p <= alpha.

    *Why the error rate holds.* Let m0 families have a true null hypothesis or more. Up to the first
    false rejection none of these is done, so k >= m0, and that rejection takes a true null
    hypothesis with p <= alpha / m0. The probability of one is at most alpha / m0 in each of the m0
    families, and at most alpha in any.

    *Why not Holm's factor as soon as a family has its first rejection.* It would hold for claims
    such as "there is a difference somewhere in this family". But the difference that earns a
    family its place may be real, and leave the family's true null hypotheses as they were: with m
    families of one false and one true null hypothesis each, the factors m, m - 1, ..., 1 give
    the m true ones the levels alpha / m, ..., alpha / 2, alpha, which is alpha in no sense.

    With one test in each family this is Holm's (1979) correction, with one family it changes
    nothing. An adjusted p-value is the smallest alpha at which the hypothesis is rejected. With the
    families sorted by their largest p-values M_0 <= M_1 <= ..., that of a p-value of family i is
    the least, over s <= i, of max((m - s) p, max over r < s of (m - r) M_r).
    """
    m = len(pvalues)
    largest = pvalues.max(axis=1)
    order = np.argsort(largest, kind="stable")
    adjusted = np.empty(pvalues.shape)
    best: NDArray[np.float64] = np.zeros(0)  # what it takes for the first s families to be done
    for i, family in enumerate(order.tolist()):
        done = float((m - i + 1) * largest[order[i - 1]]) if i else 0.0
        best = np.append(best, max(done, *best[-1:].tolist(), 0.0))
        factors = m - np.arange(i + 1)
        own = np.maximum(factors[:, None] * pvalues[family], best[:, None])
        adjusted[family] = own.min(axis=0)
    found: NDArray[np.float64] = np.minimum(1.0, adjusted)
    return found
