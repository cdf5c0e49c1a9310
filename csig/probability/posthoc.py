"""Adjusted p-values of all pairs of systems that use what pairs have to do with each other.

Bergmann and Hommel (1988): a set of pairs is exhaustive if exactly these can be equal at once, that
is if the systems fall into groups of equals and these are the pairs within groups. Of every
exhaustive set the smallest p-value times the number of its pairs is a test; a pair differs if
all sets with it are rejected. Garcia and Herrera (2008) list the sets by an algorithm of their own;
they are the partitions of the systems, which are listed here by growing them.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from csig.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["MOST_SYSTEMS", "bergmann_hommel", "exhaustive_sets"]

#: Ten systems have 115,975 partitions, and every further one six times as many or more.
MOST_SYSTEMS = 9


@lru_cache(maxsize=2)
def exhaustive_sets(n_systems: int) -> NDArray[np.bool_]:
    """The sets of pairs that can be equal at once, without the empty one.

    Parameters
    ----------
    n_systems : int
        From 2 to 9.

    Returns
    -------
    array of bool, (sets, pairs)
        Pairs are in the order of ``numpy.triu_indices(n_systems, 1)``.

    Examples
    --------
    >>> exhaustive_sets(3).astype(int).tolist()
    [[1, 1, 1], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
    """
    if n_systems > MOST_SYSTEMS:
        raise InputError(
            f"correction 'bergmann-hommel' is for at most {MOST_SYSTEMS} systems, found "
            f"{n_systems:,}; 'holm' has no limit"
        )
    groups = np.zeros((1, 1), dtype=np.int8)  # of every partition, the group of each system
    for _ in range(1, n_systems):
        choices = groups.max(axis=1) + 2
        last = np.concatenate([np.arange(n, dtype=np.int8) for n in choices.tolist()])
        groups = np.column_stack([np.repeat(groups, choices, axis=0), last])
    j, k = np.triu_indices(n_systems, 1)
    found: NDArray[np.bool_] = groups[:, j] == groups[:, k]
    found = found[found.any(axis=1)]
    found.setflags(write=False)
    return found


def bergmann_hommel(pvalues: NDArray[np.float64], n_systems: int) -> NDArray[np.float64]:
    """Adjusted p-values of all pairs by the procedure of Bergmann and Hommel.

    Parameters
    ----------
    pvalues : array of float, (pairs,)
        In the order of ``numpy.triu_indices(n_systems, 1)``.
    n_systems : int
        From 2 to 9, whose equality is transitive.

    Examples
    --------
    >>> bergmann_hommel(np.array([0.01, 0.02, 0.6]), 3).tolist()
    [0.03, 0.03, 0.6]
    """
    if len(pvalues) != math.comb(n_systems, 2):
        raise InputError("correction 'bergmann-hommel' is for all pairs of systems")
    sets = exhaustive_sets(n_systems)
    own = np.where(sets, pvalues, np.inf).min(axis=1) * sets.sum(axis=1)
    found: NDArray[np.float64] = np.where(sets, own[:, None], 0.0).max(axis=0)
    return np.minimum(found, 1.0)
