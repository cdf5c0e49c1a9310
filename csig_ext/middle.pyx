"""Counts of the sums of numbers with signs, by meeting in the middle."""

import numpy as np

from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int64_t

cdef extern from "middle.h" nogil:
    void csig_middle_double(const int64_t *sums, int64_t m, int64_t v, int64_t *more)
    int64_t csig_middle_pairs(
        const int64_t *one, int64_t m, const int64_t *two, int64_t n, int64_t least, int64_t first,
        int64_t count
    )

# Sums of the first list between two looks at Ctrl-C; and numbers that have signs, of which 2^62
# sums are as many as can be counted, and more than fit any memory.
cdef enum:
    SLICE = 1 << 20
    MOST = 62


def sums(const int64_t[::1] values not None):
    """All sums of positive numbers with signs, ascending."""
    cdef int64_t i, m = 1, total = 0, n = values.shape[0]
    cdef int64_t[::1] found, more
    if n > MOST:
        raise ValueError(f"found {n} numbers, expected {MOST} at most")
    for i in range(n):
        if not 0 < values[i] < (<int64_t>1 << 62) - total:
            raise ValueError("expected positive numbers with a sum below 2^62")
        total += values[i]
    # Of two arrays in turn, of which the larger has the last list.
    arrays = np.empty(1 << n, dtype=np.int64), np.empty((1 << n) // 2 + 1, dtype=np.int64)
    found, more = arrays if n % 2 == 0 else arrays[::-1]
    found[0] = 0
    for i in range(n):
        with nogil:
            csig_middle_double(&found[0], m, values[i], &more[0])
        PyErr_CheckSignals()
        found, more = more, found
        m *= 2
    return arrays[0]


def pairs(const int64_t[::1] one not None, const int64_t[::1] two not None, int64_t least):
    """Pairs of a sum of each of two such lists that add up to `least` or more."""
    cdef int64_t done = 0, count, hits = 0, m = one.shape[0], n = two.shape[0]
    if m < 1 or n < 1 or m > ((<int64_t>1 << MOST) // n):
        raise ValueError("expected lists of sums")
    for own in (least, one[0], one[m - 1], two[0], two[n - 1]):
        if not -((<int64_t>1 << 62)) <= own <= (<int64_t>1 << 62):
            raise ValueError(f"found {own}, expected at most 2^62 in size")
    while done < m:
        count = min(<int64_t>SLICE, m - done)
        with nogil:
            hits += csig_middle_pairs(&one[0], m, &two[0], n, least, done, count)
        done += count
        PyErr_CheckSignals()
    return hits
