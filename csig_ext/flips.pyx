"""Sign flips of whole rows, counted by step-down maxT over pairs of systems."""

import numpy as np
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t

from csig_ext.generators cimport aligned, begin, csig_jumps, csig_stream, held, jumps

cdef extern from "flips.h" nogil:
    enum:
        CSIG_FLIPS_SPAN
        CSIG_FLIPS_PIECE
        CSIG_FLIPS_TRIALS

    ctypedef struct csig_flips:
        int64_t n_rows, n_systems, n_slices, n_pairs
        int width, two_sided
        const uint64_t *rows
        const uint8_t *spill
        const double *totals
        const int32_t *larger
        const int32_t *other
        const double *weights
        const double *least

    int csig_flips_lanes(int isa)
    int64_t csig_flips_workspace(const csig_flips *f, int isa, int jumps)
    int csig_flips_count(
        csig_stream *stream, int isa, const csig_flips *f, int64_t n_trials, uint64_t *workspace,
        double *sums, int64_t *hits, int64_t *single, volatile const int *stop
    )


def _spills(reach, width):
    """After which pieces the lanes are emptied, if none of them fills a lane by itself."""
    pieces = np.add.reduceat(reach, np.arange(0, len(reach), CSIG_FLIPS_PIECE)).tolist()
    found, filled = np.zeros(len(pieces), dtype=np.uint8), 0
    for i, own in enumerate(pieces):
        if own >= 1 << width:
            return None
        if filled + own >= 1 << width:
            found[i - 1], filled = 1, 0
        filled += own
    found[-1] = 1
    return found


cdef class Steps:
    """What is compared in steps, laid out for a kernel once and shared by threads.

    Rows take words; `n_pairs` are compared, in the order of the steps. `cost` are scores that are
    added in a trial, about.
    """

    cdef int draw(
        self, csig_stream *stream, int64_t n_trials, uint64_t *words, double *sums, int64_t *hits,
        int64_t *single, volatile const int *stop
    ) noexcept nogil:
        return 0

    def workspace(self, source):
        """The buffers that one thread needs with this generator."""
        return aligned(self.n_words[jumps(source)]), aligned(self.n_sums).view(np.float64)

    def count(
        self, source, const uint32_t[::1] entropy, int64_t chunk, int64_t first, int64_t n_trials,
        workspace, int64_t[::1] hits not None, int64_t[::1] single not None,
        const int[::1] stop not None
    ):
        """Add some trials of a chunk to hits[step] and single[step].

        `first`, a multiple of 64, is the trial of the chunk that they begin with: a native
        generator leaves out the words before it, a BitGenerator goes on from where it is. Returns
        False if the stop flag was seen.
        """
        cdef csig_stream stream
        cdef uint64_t[::1] words = workspace[0]
        cdef double[::1] sums = workspace[1]
        cdef int code = 0
        lock = begin(
            &stream, source, entropy, <uint32_t> chunk, <uint64_t> (first // 64 * self.n_rows)
        )
        if (
            hits.shape[0] < self.n_pairs or single.shape[0] < self.n_pairs
            or words.shape[0] < self.n_words[csig_jumps(stream.kind)]
            or sums.shape[0] < self.n_sums
        ):
            raise ValueError("buffer too small")
        if self.n_pairs == 0:
            return True
        with lock, nogil:
            code = self.draw(
                &stream, n_trials, &words[0], &sums[0], &hits[0], &single[0], &stop[0]
            )
        return code == 0


cdef class Flips(Steps):
    """Rows of scores and the pairs of systems that are compared, in the order of the steps.

    `values` is (rows, systems); the sum over rows of the largest minus the smallest score is to be
    below 2^52. `larger` is ahead of `other`: numbers of columns. A trial is a hit of a pair where
    the largest statistic left, a difference times its weight, is `least`.
    """

    cdef csig_flips f
    cdef readonly int width

    def __init__(
        self, const int64_t[:, ::1] values, const int32_t[::1] larger, const int32_t[::1] other,
        const double[::1] weights, const double[::1] least, bint two_sided, int isa
    ):
        table = np.asarray(values)
        n, n_systems = table.shape
        pairs = np.asarray(larger), np.asarray(other)
        if n == 0 or not len(larger) == len(other) == len(weights) == len(least):
            raise ValueError("no rows, or arrays of different lengths")
        if any((own < 0).any() or (own >= n_systems).any() for own in pairs):
            raise ValueError("pairs of other systems")
        lowest = table.min(axis=1)
        reach = table.max(axis=1) - lowest
        for width in (16, 32, 64):
            spill = _spills(reach, width)
            if spill is not None:
                break
        if width == 64:  # sums modulo 2^64 have a sign; those of what is above the lowest are larger
            lowest = table[:, 0]
        words = csig_flips_lanes(isa)
        own = 64 // width * words
        n_slices = -(-n_systems // own)
        n_padded = -(-n // CSIG_FLIPS_SPAN) * CSIG_FLIPS_SPAN
        rows = np.zeros((n_slices, n_padded, own), dtype=f"i{width // 8}")
        for i in range(n_slices):
            here = slice(own * i, min(own * (i + 1), n_systems))
            above = table[:, here] - lowest[:, None]
            rows[i, :n, : here.stop - here.start] = above.astype(rows.dtype)
        arrays = self._arrays = [larger, other, weights, least]
        self.isa = isa
        self.f.n_rows = self.n_rows = n
        self.f.n_systems = n_systems
        self.f.n_slices = n_slices
        self.f.width = self.width = width
        self.f.rows = <const uint64_t *> held(arrays, rows, rows.dtype)
        self.f.spill = <const uint8_t *> held(arrays, spill, np.uint8)
        self.f.totals = <const double *> held(
            arrays, table.sum(axis=0) - lowest.sum(), np.float64
        )
        self.f.n_pairs = self.n_pairs = larger.shape[0]
        if larger.shape[0]:
            self.f.larger = &larger[0]
            self.f.other = &other[0]
            self.f.weights = &weights[0]
            self.f.least = &least[0]
        self.f.two_sided = two_sided
        self.n_words[0] = csig_flips_workspace(&self.f, isa, 0)
        self.n_words[1] = csig_flips_workspace(&self.f, isa, 1)
        self.n_sums = n_systems * CSIG_FLIPS_TRIALS
        self.cost = n * n_systems + self.n_pairs

    cdef int draw(
        self, csig_stream *stream, int64_t n_trials, uint64_t *words, double *sums, int64_t *hits,
        int64_t *single, volatile const int *stop
    ) noexcept nogil:
        return csig_flips_count(
            stream, self.isa, &self.f, n_trials, words, sums, hits, single, stop
        )
