"""Sign flips of candidates in two nested lists, counted by step-down maxT over their lengths."""

import numpy as np
from libc.stdint cimport int16_t, int64_t, uint32_t, uint64_t

from csig_ext.flips cimport Steps
from csig_ext.generators cimport csig_stream, held

cdef extern from "nested.h" nogil:
    enum:
        CSIG_NESTED_BLOCK

    ctypedef struct csig_nested_event:
        uint32_t row
        int16_t right, wrong

    ctypedef struct csig_nested:
        int64_t n_rows, n_lengths
        const csig_nested_event *events
        const int64_t *ends
        const double *t
        const double *f
        const double *totals
        const double *weights
        const int64_t *places
        const double *least

    int64_t csig_nested_workspace(const csig_nested *f, int jumps)
    int csig_nested_count(
        csig_stream *stream, int isa, const csig_nested *f, int64_t n_trials, uint64_t *words,
        double *sizes, int64_t *hits, int64_t *single, volatile const int *stop
    )


def _events(lengths, rows, is_true, steps, n_lengths):
    """In the order of lengths, an even number for each and two or more; and where each ends."""
    counts = np.bincount(lengths, minlength=n_lengths)
    padded = np.maximum(counts + counts % 2, 2)
    ends = np.cumsum(padded)
    found = np.zeros(ends[-1], dtype=[("row", "u4"), ("right", "i2"), ("wrong", "i2")])
    order = np.argsort(lengths, kind="stable")
    # Those added to a length come behind its own ones.
    shift = ends - padded - (np.cumsum(counts) - counts)
    at = np.arange(len(order)) + shift[lengths[order]]
    found["row"][at] = rows[order]
    found["right"][at] = np.where(is_true, steps, 0)[order]
    found["wrong"][at] = np.where(is_true, 0, steps)[order]
    return found, ends


cdef class Nested(Steps):
    """Two nested lists at many lengths, which are the steps.

    `events` is (events, 4): a length, a candidate that takes words, whether it is true, and the
    sign with which it counts from this length on (1 or -1, taken back by the other one). The other
    arrays have one entry for each length, as nested.h says.
    """

    cdef csig_nested f

    def __init__(
        self, const int64_t[:, ::1] events, int64_t n_rows, const double[::1] true,
        const double[::1] false, const double[::1] totals, const double[::1] weights,
        const int64_t[::1] places, const double[::1] least, int isa
    ):
        cdef int64_t n = least.shape[0]
        if n == 0 or not (
            len(true) == len(false) == len(totals) == len(weights) == len(places) == n
        ):
            raise ValueError("no lengths, or arrays of different lengths")
        table = np.asarray(events)
        if n_rows < 1 or events.shape[1] != 4 or not (
            (table >= [0, 0, 0, -1]) & (table < [n, min(n_rows, 2**32), 2, 2])
        ).all():
            raise ValueError("events of other lengths or candidates")
        if (np.sort(places) != np.arange(n)).any():
            raise ValueError("steps are not numbered")
        made, ends = _events(*table.T, n)
        arrays = self._arrays = [true, false, totals, weights, places, least]
        self.isa = isa
        self.f.n_rows = self.n_rows = n_rows
        self.f.n_lengths = self.n_pairs = n
        self.f.events = <const csig_nested_event *> held(arrays, made, made.dtype)
        self.f.ends = <const int64_t *> held(arrays, ends, np.int64)
        self.f.t = &true[0]
        self.f.f = &false[0]
        self.f.totals = &totals[0]
        self.f.weights = &weights[0]
        self.f.places = &places[0]
        self.f.least = &least[0]
        self.n_words[0] = csig_nested_workspace(&self.f, 0)
        self.n_words[1] = csig_nested_workspace(&self.f, 1)
        self.n_sums = n * CSIG_NESTED_BLOCK
        self.cost = n_rows + len(made) + 2 * n

    cdef int draw(
        self, csig_stream *stream, int64_t n_trials, uint64_t *words, double *sums, int64_t *hits,
        int64_t *single, volatile const int *stop
    ) noexcept nogil:
        return csig_nested_count(
            stream, self.isa, &self.f, n_trials, words, sums, hits, single, stop
        )
