"""What significant differences say about the order of systems: possible ranks, and letters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from csig.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["MOST_LETTERS", "letter_groups", "rank_intervals"]

#: Letters that there are.
MOST_LETTERS = 26

#: Groups on the way to the letters: beyond this the end has more than 26, or takes too long.
MOST_GROUPS = 4096


def rank_intervals(better: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """The ranks that every system may have, from 1, the best.

    A system comes after all that are better and before all that are worse. If no claim in `better`
    is false, every interval holds every rank that ties permit (Mogstad, Romano, Shaikh and Wilhelm
    2024).

    Parameters
    ----------
    better : array of bool, (systems, systems)
        ``better[j, k]``: system j is significantly better than system k.

    Examples
    --------
    >>> rank_intervals(np.array([[0, 0, 1], [0, 0, 0], [0, 0, 0]], dtype=bool))
    [(1, 2), (1, 3), (2, 3)]
    """
    n = len(better)
    above, below = better.sum(axis=0), better.sum(axis=1)
    return [(1 + int(up), n - int(down)) for up, down in zip(above, below, strict=True)]


def letter_groups(differ: NDArray[np.bool_], order: Sequence[int]) -> list[list[int]]:
    """The largest groups of systems without a significant difference between any two.

    Piepho (2004): start with one group of all; split every group that holds a pair that differs,
    and drop groups that lie in others.

    Parameters
    ----------
    differ : array of bool, (systems, systems)
        Whether the difference of two systems is significant; symmetric.
    order : sequence of int
        The systems, the best first: it orders the groups and what is in them.

    Raises
    ------
    InputError
        If there are more than 26 groups.

    Examples
    --------
    >>> differ = np.array([[0, 0, 1], [0, 0, 0], [1, 0, 0]], dtype=bool)
    >>> letter_groups(differ, [0, 1, 2])
    [[0, 1], [1, 2]]
    """
    n = len(order)
    place = np.asarray(order)
    groups = [(1 << n) - 1]
    for i, j in zip(*np.nonzero(np.triu(differ[np.ix_(place, place)], 1)), strict=True):
        pair = 1 << int(i) | 1 << int(j)
        both = [own for own in groups if own & pair == pair]
        if not both:
            continue
        kept = [own for own in groups if own & pair != pair]
        split = [own & ~(1 << int(one)) for own in both for one in (i, j)]
        # What is new may lie in what is kept, or in another that is new; never the other way round.
        split = sorted(set(split), key=int.bit_count, reverse=True)
        fresh: list[int] = []
        for own in split:
            if not any(own & other == own for other in (*kept, *fresh)):
                fresh.append(own)
        groups = kept + fresh
        if len(groups) > MOST_GROUPS:
            break
    if len(groups) > MOST_LETTERS:
        raise InputError(
            f"letters: these systems need more than {MOST_LETTERS} letters; use the rank intervals"
        )
    members = [[k for k in range(n) if own >> k & 1] for own in groups]
    return [[order[k] for k in own] for own in sorted(members)]
