from libc.stdint cimport int64_t, uint32_t, uint64_t


cdef extern from "generators.h":
    ctypedef struct csig_stream:
        int kind
        void *foreign
        uint64_t (*next_uint64)(void *) noexcept nogil

    enum:
        CSIG_PCG64DXSM
        CSIG_PCG64
        CSIG_PHILOX
        CSIG_FOREIGN

    void csig_stream_seed(
        csig_stream *stream, int kind, const uint32_t *entropy, int64_t n_entropy
    ) noexcept nogil
    void csig_stream_fill(csig_stream *stream, int isa, uint64_t *out, int64_t n) noexcept nogil


cdef int attach(csig_stream *stream, object bit_generator) except -1
