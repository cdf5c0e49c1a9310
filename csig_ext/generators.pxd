from libc.stdint cimport int64_t, uint32_t, uint64_t


cdef extern from "generators.h" nogil:
    ctypedef struct csig_stream:
        int kind
        void *foreign
        uint64_t (*next_uint64)(void *) noexcept nogil

    ctypedef struct csig_groups:
        csig_stream stream

    enum:
        CSIG_PCG64DXSM
        CSIG_PCG64
        CSIG_PHILOX
        CSIG_FOREIGN

    int csig_jumps(int kind)
    void csig_stream_seed(
        csig_stream *stream, int kind, const uint32_t *entropy, int64_t n_entropy, uint32_t chunk
    )
    void csig_stream_skip(csig_stream *stream, uint64_t n)
    void csig_stream_fill(csig_stream *stream, int isa, uint64_t *out, int64_t n)


cdef object begin(
    csig_stream *stream, object source, const uint32_t[::1] entropy, uint32_t chunk, uint64_t skipped
)
cdef int jumps(object source) except -1
cdef object aligned(int64_t n)
cdef const void *held(list arrays, values, dtype) except NULL
