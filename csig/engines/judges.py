"""Which trials are hits: every engine gives sums, a judge counts.

A block of sums is an array of int64, (rows, trials): what the swapped units of each trial take
from A's columns. Its rows are the columns in which any unit differs; of responses, tp and
predicted.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["GIVEN", "Judge", "Shared", "extreme", "taken"]

#: Trials of a block that is made of pairs (x, y): 256 KiB stay in the second-level cache.
PAIRS = 2**14

#: What giving a correct and a spurious response to A takes from (tp, predicted).
GIVEN = np.array([[-1, -1], [0, -1]])


def taken(x: NDArray[np.integer], y: NDArray[np.integer]) -> NDArray[np.int64]:
    """What giving x correct and y spurious responses to A takes from (tp, predicted)."""
    sums = np.empty((2, *x.shape), dtype=np.int64)
    np.negative(x, out=sums[0], dtype=np.int64)
    np.subtract(sums[0], y, out=sums[1], dtype=np.int64)
    return sums


def extreme(
    found: NDArray[np.float64], statistic: float, alternative: str, certain: bool
) -> NDArray[np.bool_]:
    """Which differences are at least as extreme as the observed one; ties are equal to it."""
    if certain:
        return np.ones(found.shape, dtype=np.bool_)
    if alternative == "greater":
        return found >= statistic
    if alternative == "less":
        return found <= statistic
    return np.asarray(np.abs(found) >= abs(statistic))


@dataclass(frozen=True)
class Shared:
    """What all judges of a run have in common."""

    lock: threading.Lock  #: Held while a function runs that need not be safe in threads.
    stop: NDArray[np.int32]  #: Not zero when the run is to stop.
    isa: int  #: The number of the instruction set.


class Judge(ABC):
    """Counts the hits of one question; one object per thread."""

    def __init__(self, keep: NDArray[Any] | None, shared: Shared) -> None:
        self.keep = keep
        self.shared = shared
        self.hits = 0
        self.near = 0
        self.undefined = False

    @abstractmethod
    def add(self, sums: NDArray[np.int64], n_trials: int, start: int) -> None:
        """Count the first n_trials trials of a block; the first is trial `start` of the run."""

    @abstractmethod
    def add_table(self, table: NDArray[np.uint64], columns: int) -> None:
        """Count trials by how often each (x, y) occurred; x is the row of the table."""

    def add_pairs(self, x: NDArray[np.uint32], y: NDArray[np.uint32], start: int) -> None:
        """Count trials that gave x correct and y spurious responses to A."""
        for first in range(0, len(x), PAIRS):
            here = slice(first, first + PAIRS)
            sums = taken(x[here], y[here])
            self.add(sums, sums.shape[1], start + first)
            if self.shared.stop[0]:
                return
