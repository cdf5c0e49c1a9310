"""The exact test over two classes of responses, as a double sum along a staircase."""

import numpy as np
from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int64_t

from csig_ext.linfrac cimport Ratio, csig_linfrac

cdef extern from "staircase.h" nogil:
    ctypedef struct csig_scaled:
        double value
        int64_t exponent

    ctypedef struct csig_scaled_sum:
        pass

    ctypedef struct csig_staircase:
        csig_scaled_sum total
        int done

    void csig_staircase_start(
        csig_staircase *s, const csig_linfrac *metric, int turn_first, int turn_second
    )
    void csig_staircase_walk(csig_staircase *s, int64_t budget, int64_t *steps)
    void csig_cells_walk(csig_staircase *s, int64_t budget)
    csig_scaled csig_sum_total(const csig_scaled_sum *s)

    ctypedef struct csig_binomial_walk:
        csig_scaled probability

    void csig_binomial_start(csig_binomial_walk *walk, int64_t n)
    void csig_binomial_next(csig_binomial_walk *walk)

# Steps between two looks at Ctrl-C.
cdef enum:
    SLICE = 1 << 20


def tail(Ratio metric not None, tuple turns, int64_t[::1] steps=None):
    """The probability that the difference reaches the threshold, as (mantissa, exponent
    of two); mantissa 0 when no shuffle reaches it.

    `turns` say whether each class is counted from the other end, so that the difference rises with
    the first and falls with the second; where none does that they are None, and every cell is
    visited. `steps` receives L(x) for every x.
    """
    cdef bint monotone = turns is not None
    cdef csig_staircase s
    cdef csig_scaled p
    cdef int64_t *heights = NULL
    if steps is not None:
        if steps.shape[0] < metric.c.n_first + 1 or not monotone:
            raise ValueError("steps need a monotone metric and n_first + 1 places")
        heights = &steps[0]
    csig_staircase_start(&s, &metric.c, monotone and turns[0], monotone and turns[1])
    while not s.done:
        with nogil:
            if monotone:
                csig_staircase_walk(&s, SLICE, heights)
            else:
                csig_cells_walk(&s, SLICE)
        PyErr_CheckSignals()
    p = csig_sum_total(&s.total)
    return p.value, p.exponent


def binomial(int64_t n):
    """The Binomial(n, 1/2) probabilities of 0 .. n, as values x 2^exponents."""
    cdef csig_binomial_walk walk
    cdef double[::1] values = np.empty(n + 1)
    cdef int64_t[::1] exponents = np.empty(n + 1, dtype=np.int64)
    cdef int64_t k
    csig_binomial_start(&walk, n)
    with nogil:
        for k in range(n + 1):
            values[k] = walk.probability.value
            exponents[k] = walk.probability.exponent
            if k < n:
                csig_binomial_next(&walk)
    return np.asarray(values), np.asarray(exponents)
