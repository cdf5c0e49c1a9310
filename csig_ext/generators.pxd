from cpython.pycapsule cimport PyCapsule_GetPointer, PyCapsule_IsValid
from libc.stdint cimport int64_t, uint32_t, uint64_t


cdef extern from "generators.h":
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

    int csig_jumps(int kind) noexcept nogil
    void csig_stream_seed(
        csig_stream *stream, int kind, const uint32_t *entropy, int64_t n_entropy, uint32_t chunk
    ) noexcept nogil
    void csig_stream_skip(csig_stream *stream, uint64_t n) noexcept nogil
    void csig_stream_fill(csig_stream *stream, int isa, uint64_t *out, int64_t n) noexcept nogil


cdef extern from "numpy/random/bitgen.h":
    ctypedef struct bitgen_t:
        void *state
        uint64_t (*next_uint64)(void *) noexcept nogil
        uint64_t (*next_raw)(void *) noexcept nogil


#: In generators.pyx.
cdef object begin(
    csig_stream *stream, object source, const uint32_t[::1] entropy, uint32_t chunk, uint64_t skipped
)
cdef int jumps(object source) except -1
cdef object aligned(int64_t n)
cdef const void *held(list arrays, values, dtype) except NULL


cdef inline int attach(csig_stream *stream, object bit_generator) except -1:
    """Let `stream` draw from a numpy BitGenerator; the caller holds its lock."""
    capsule = getattr(bit_generator, "capsule", None)
    if not PyCapsule_IsValid(capsule, "BitGenerator"):
        raise TypeError(f"{type(bit_generator).__name__} is not a numpy BitGenerator")
    cdef bitgen_t *state = <bitgen_t *> PyCapsule_GetPointer(capsule, "BitGenerator")
    if state.next_uint64 == NULL:  # a subclass of BitGenerator written in Python
        raise TypeError(f"{type(bit_generator).__name__} has no compiled next_uint64")
    stream.kind = CSIG_FOREIGN
    stream.foreign = state.state
    stream.next_uint64 = state.next_uint64
    return 0
