"""The shuffle engine over units: random shuffles, summed column by column."""

from contextlib import nullcontext

import numpy as np
from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int32_t, int64_t, uint16_t, uint32_t, uint64_t

from csig_ext.generators cimport CSIG_FOREIGN, attach, csig_jumps, csig_stream, csig_stream_seed

from csig_ext.generators import NATIVE as _NATIVE

cdef extern from "sums.h":
    enum:
        CSIG_SUMS_PIECE
        CSIG_SUMS_STEP

    ctypedef struct csig_sums:
        int64_t n_units, n_columns, n_counters
        const int32_t *level
        const int32_t *planes
        const int64_t *counters
        const int32_t *width
        const int64_t *shift
        const uint16_t *units
        const int64_t *starts

    int64_t csig_sums_workspace(const csig_sums *u, int jumps) noexcept nogil
    ctypedef struct csig_sums_walk:
        csig_stream stream

    void csig_sums_start(csig_sums_walk *walk, const csig_sums *u) noexcept nogil
    int csig_sums_next(
        csig_sums_walk *walk, int isa, const csig_sums *u, int64_t n_trials,
        uint64_t *workspace, int64_t *sums, int64_t stride, volatile const int *stop
    ) noexcept nogil

STEP = CSIG_SUMS_STEP


def _lists(table, sized):
    """Which units have which bit: for every column and bit the positive ones, then the
    negative ones."""
    for c in range(table.shape[1]):
        for bit in range(int(sized[:, c].max(initial=0)).bit_length()):
            has = (sized[:, c] >> bit) & 1 == 1
            yield has & (table[:, c] > 0)
            yield has & (table[:, c] < 0)


cdef class Columns:
    """The columns of a comparison's unit differences, cut into bits: made once, shared by
    threads.

    `differences` is (units, columns), row-major; every column's absolute sum must be below
    2^62.
    """

    cdef csig_sums u
    cdef readonly int n_columns
    cdef object _arrays

    def __init__(self, const int64_t[:, ::1] differences):
        cdef int64_t n = differences.shape[0]
        table = np.asarray(differences)
        level, planes, counters, width, shift = [], [], [0], [], []
        firsts = np.arange(0, max(n, 1), CSIG_SUMS_PIECE)
        sized = np.abs(table)
        for c in range(table.shape[1]):
            total = int(sized[:, c].sum())
            width.append(max(1, total.bit_length()))
            shift.append(int(sized[table[:, c] < 0, c].sum()))
            for bit in range(int(sized[:, c].max(initial=0)).bit_length()):
                level.append(bit)
                planes.append(max(4, int(((sized[:, c] >> bit) & 1).sum()).bit_length()))
            counters.append(len(level))
        # Two passes, so that no list exists twice: how long each is, then what is in it.
        lengths = np.zeros((len(firsts), 2 * len(level)), dtype=np.int64)
        for number, chosen in enumerate(_lists(table, sized)):
            if n:
                lengths[:, number] = np.add.reduceat(chosen, firsts, dtype=np.int64)
        starts = np.concatenate([[0], np.cumsum(lengths.ravel())])
        begins = starts[:-1].reshape(lengths.shape)
        units = np.zeros(starts[-1] + 1, dtype=np.uint16)
        for number, chosen in enumerate(_lists(table, sized)):
            members = np.flatnonzero(chosen)
            own = lengths[:, number]
            before = np.cumsum(own) - own  # of the members, those in earlier pieces
            places = np.repeat(begins[:, number] - before, own) + np.arange(len(members))
            units[places] = members % CSIG_SUMS_PIECE
        cdef const int32_t[::1] level_ = np.array([*level, 0], dtype=np.int32)
        cdef const int32_t[::1] planes_ = np.array([*planes, 0], dtype=np.int32)
        cdef const int64_t[::1] counters_ = np.array(counters, dtype=np.int64)
        cdef const int32_t[::1] width_ = np.array([*width, 0], dtype=np.int32)
        cdef const int64_t[::1] shift_ = np.array([*shift, 0], dtype=np.int64)
        cdef const uint16_t[::1] units_ = units
        cdef const int64_t[::1] starts_ = starts
        self.u.n_units = n
        self.u.n_columns = self.n_columns = table.shape[1]
        self.u.n_counters = len(level)
        self.u.level = &level_[0]
        self.u.planes = &planes_[0]
        self.u.counters = &counters_[0]
        self.u.width = &width_[0]
        self.u.shift = &shift_[0]
        self.u.units = &units_[0]
        self.u.starts = &starts_[0]
        self._arrays = (level_, planes_, counters_, width_, shift_, units_, starts_)

    def workspace(self, source):
        """The buffer a run with this generator needs."""
        cdef int kind = _NATIVE[source] if isinstance(source, str) else CSIG_FOREIGN
        return np.empty(csig_sums_workspace(&self.u, csig_jumps(kind)), dtype=np.uint64)

    def walk(self, source, const uint32_t[::1] entropy, int64_t chunk):
        """The trials of a chunk from its first one on."""
        return Walk(self, source, entropy, chunk)


cdef class Walk:
    """The trials of one chunk, in pieces."""

    cdef Columns columns
    cdef csig_sums_walk state
    cdef object lock

    def __init__(self, Columns columns, source, const uint32_t[::1] entropy, int64_t chunk):
        self.columns = columns
        if isinstance(source, str):
            csig_stream_seed(
                &self.state.stream, _NATIVE[source], &entropy[0], entropy.shape[0] - 1,
                <uint32_t> chunk
            )
            self.lock = nullcontext()
        else:
            attach(&self.state.stream, source)
            self.lock = source  # which must live as long as its state is used
        csig_sums_start(&self.state, &columns.u)

    def next(
        self, int64_t n_trials, uint64_t[::1] workspace not None,
        int64_t[:, ::1] sums not None, const int[::1] stop not None, int isa
    ):
        """Sums of the next n_trials trials into sums[column, trial].

        All but the last piece of a walk are multiples of STEP. Returns False if the stop flag
        was seen.
        """
        cdef int code = 0
        if (
            sums.shape[0] < self.columns.u.n_columns or sums.shape[1] < n_trials
            or workspace.shape[0] < csig_sums_workspace(&self.columns.u, csig_jumps(self.state.stream.kind))
        ):
            raise ValueError("buffer too small")
        with getattr(self.lock, "lock", self.lock):
            with nogil:
                code = csig_sums_next(
                    &self.state, isa, &self.columns.u, n_trials, &workspace[0], &sums[0, 0],
                    sums.shape[1], &stop[0]
                )
        PyErr_CheckSignals()
        return code == 0
