"""Units by class: those whose differences are equal, or opposite, are interchangeable."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Classes:
    """Interchangeable units."""

    # Turning a unit's coin round turns its difference into the negative one and adds a constant,
    # so opposite units are of one class. The number of swapped units out of m is Binomial(m, 1/2).

    #: What one swapped unit takes from the summed statistics; its first number that is not zero is
    #: positive.
    steps: NDArray[np.int64]
    sizes: NDArray[np.int64]  #: Units in each class.
    #: What the units that were turned round take when no unit of any class is counted.
    start: NDArray[np.int64]

    @classmethod
    def of(cls, differences: NDArray[np.int64]) -> Classes:
        """Of units with these differences, in ascending order; those without any do not matter."""
        differences = differences[differences.any(axis=1)]
        n, columns = differences.shape
        if not n:
            return cls(differences, *(np.zeros(k, dtype=np.int64) for k in (0, columns)))
        turned = differences[np.arange(n), np.argmax(differences != 0, axis=1)] < 0
        start = differences[turned].sum(axis=0)
        return cls(*_counted(np.where(turned[:, None], -differences, differences)), start)

    def in_order(self, order: NDArray[np.intp]) -> Classes:
        """The same classes in another order."""
        return Classes(self.steps[order], self.sizes[order], self.start)

    @property
    def outcomes(self) -> int:
        """Different numbers of swapped units, over all classes."""
        return math.prod(m + 1 for m in self.sizes.tolist())

    @property
    def n_units(self) -> int:
        """Units of all classes."""
        return int(self.sizes.sum())


def _counted(rows: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Different rows in ascending order, and how often each occurs."""
    low = rows.min(axis=0)
    spans = [int(m) - int(n) + 1 for m, n in zip(rows.max(axis=0), low, strict=True)]
    if math.prod(spans) >= 2**62:
        found, sizes = np.unique(rows, axis=0, return_counts=True)
        return found, sizes.astype(np.int64)
    # One number per row is sorted many times faster.
    keys = np.zeros(len(rows), dtype=np.int64)
    for column, span in enumerate(spans):
        keys = keys * span + (rows[:, column] - low[column])
    keys, sizes = np.unique(keys, return_counts=True)
    found = np.empty((len(keys), len(spans)), dtype=np.int64)
    for column, span in reversed(list(enumerate(spans))):
        keys, found[:, column] = np.divmod(keys, span)
    return found + low, sizes.astype(np.int64)
