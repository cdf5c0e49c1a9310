from libc.stdint cimport int64_t, uint64_t

from csig_ext.generators cimport csig_stream


cdef class Steps:
    cdef int isa
    cdef readonly int64_t n_rows, n_pairs, cost
    cdef int64_t n_sums
    cdef int64_t n_words[2]  # of a generator that cannot jump, and of one that can
    cdef list _arrays
    cdef int draw(
        self, csig_stream *stream, int64_t n_trials, uint64_t *words, double *sums, int64_t *hits,
        int64_t *single, volatile const int *stop
    ) noexcept nogil
