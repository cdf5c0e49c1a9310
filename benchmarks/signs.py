"""Exact sign-flip p-values of thousands of tests at once, for simulations.

csig's own exact engines take some milliseconds a test. Here all tests share one grid of
frequencies, so that their characteristic functions are one product of matrices. The tests hold the
p-values against csig's.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["flip_pvalues"]

#: Frequencies, and tests, whose products are made at once.
TURNS, TESTS = 1024, 1024


def flip_pvalues(differences: NDArray[np.int64]) -> NDArray[np.float64]:
    """Two-sided: the probability of a sum at least as large if a fair coin gives every sign.

    Parameters
    ----------
    differences : array of int64, (tests, units)
        Small integers: time and memory grow with the largest, and with their sum.

    Notes
    -----
    With T the sum of the sizes and Y the sum of those whose sign is plus, the sum of all is
    2 Y - T, and p = 2 P(Y <= y) with y = (T - |D|) / 2. By Fourier inversion on N > T points,
    N odd,

        P(Y <= y) = (y + 1) / N + 2 / N * sum over k = 1 ... (N - 1) / 2 of
                    prod cos(t d_i) * cos(t (T - y)) * sin(t (y + 1)) / sin t,    t = pi k / N

    No cosine is 0, because 2 k d is even and N odd; so the product is that of its logarithms, and
    the logarithms of all tests are the counts of the sizes times one table. The absolute error is
    about 1e-13.
    """
    size = np.abs(differences)
    n_tests, largest = len(size), int(size.max(initial=0))
    total = size.sum(axis=1)
    below = (total - np.abs(differences.sum(axis=1))) // 2
    points = int(total.max(initial=0)) + 1
    points += 1 - points % 2
    found = np.zeros(n_tests)
    for first in range(1, points // 2 + 1, TURNS):
        turns = np.arange(first, min(first + TURNS, points // 2 + 1))
        angle = np.pi / points
        # Of k d only the remainder matters; so the angles stay small and exact.
        of_sizes = np.cos(angle * (np.outer(np.arange(largest + 1), turns) % (2 * points)))
        logs, minus = np.log(np.abs(of_sizes)), (of_sizes < 0).astype(np.float64)
        for start in range(0, n_tests, TESTS):
            here = slice(start, start + TESTS)
            own, y = size[here], below[here, None]
            place = own + (largest + 1) * np.arange(len(own))[:, None]
            counts = np.bincount(place.ravel(), minlength=(largest + 1) * len(own))
            shares = counts.reshape(len(own), -1).astype(np.float64)
            product = np.exp(shares @ logs) * (1 - 2 * (np.rint(shares @ minus) % 2))
            rest = np.cos(angle * (turns * (total[here, None] - y) % (2 * points)))
            rest *= np.sin(angle * (turns * (y + 1) % (2 * points)))
            found[here] += (product * rest / np.sin(angle * turns)).sum(axis=1)
    certain = total == 2 * below  # the sum is 0
    return np.where(certain, 1.0, np.clip(2 * (below + 1 + 2 * found) / points, 0.0, 1.0))
