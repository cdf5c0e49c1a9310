"""Several tests at once: Holm's correction."""

from __future__ import annotations

import math
from collections.abc import Sequence

__all__ = ["holm", "holm_steps"]


def holm(pvalues: Sequence[float]) -> list[float]:
    """Holm's (1979) adjusted p-values: each may be compared with alpha.

    The least is multiplied by their number, the next by one less, and so on; none is then
    less than one before it.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    logs = [math.log(p) if p else -math.inf for p in pvalues]
    return [min(1.0, factor * pvalues[i]) for i, factor in holm_steps(logs)]


def holm_steps(log_pvalues: Sequence[float]) -> list[tuple[int, int]]:
    """For each p-value whose p-value, times which factor, is the adjusted one.

    By their logarithms, because doubles have no p-values below 1e-308.
    """
    n = len(log_pvalues)
    order = sorted(range(n), key=log_pvalues.__getitem__)
    found, best = [(0, 1)] * n, (order[0], n)

    def log(step: tuple[int, int]) -> float:
        return log_pvalues[step[0]] + math.log(step[1])

    for rank, i in enumerate(order):
        best = max(best, (i, n - rank), key=log)
        found[i] = best
    return found
