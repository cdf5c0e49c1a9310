"""Both systems' statistics, one row per unit: what is drawn from where units are resampled.

A test of swaps needs the units that differ only, and what each of them moves. An interval needs
all units with all they hold, because another test set would have others.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from csig.base.errors import NoInterval

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: More single responses are not laid out one by one.
MOST_ROWS = 2**27

#: What a system has of a response, (tp, predicted, gold): all that is in the gold, or not.
FOUND, MISSED, SPURIOUS, NOTHING = (1, 1, 1), (0, 0, 1), (0, 1, 0), (0, 0, 0)


class Rows(NamedTuple):
    """The statistics of every unit, those without a difference too."""

    #: a, b: the units in the order in which they take random words; where they have ids, that of
    #: the ids' texts. Columns as in the comparison, in units of its `scale`.
    a: NDArray[np.int64]
    b: NDArray[np.int64]

    def first(self, n: int) -> Rows:
        """Those of the first units."""
        return Rows(self.a[:n], self.b[:n])

    @property
    def n(self) -> int:
        """How many units there are."""
        return len(self.a)


def _repeated(sizes: Mapping[tuple[tuple[int, ...], tuple[int, ...]], int]) -> Rows:
    """Rows of A and B, each as often as it occurs."""
    if sum(sizes.values()) > MOST_ROWS:
        raise NoInterval(
            f"{sum(sizes.values())} single responses: more than the {MOST_ROWS} that can be "
            f"drawn one by one; use a larger unit"
        )
    times = list(sizes.values())
    a, b = (
        np.repeat(np.array([pair[side] for pair in sizes], dtype=np.int64), times, axis=0)
        for side in (0, 1)
    )
    return Rows(a, b)


def unique_rows(
    only_a_correct: int, only_b_correct: int, only_a_spurious: int, only_b_spurious: int
) -> Rows:
    """One row per response of one system only: (tp, predicted, gold); the correct ones first."""
    return _repeated(
        {
            (FOUND, MISSED): only_a_correct,
            (MISSED, FOUND): only_b_correct,
            (SPURIOUS, NOTHING): only_a_spurious,
            (NOTHING, SPURIOUS): only_b_spurious,
        }
    )


def shared_rows(both_correct: int, missed: int, both_spurious: int) -> Rows:
    """The same for what tells the systems not apart: found by both, missed by both, spurious."""
    return _repeated(
        {
            (FOUND, FOUND): both_correct,
            (MISSED, MISSED): missed,
            (SPURIOUS, SPURIOUS): both_spurious,
        }
    )
