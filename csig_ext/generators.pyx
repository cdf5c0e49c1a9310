"""Streams of 64-bit words: numpy's generators, natively and through their capsules."""

from contextlib import nullcontext

import numpy as np
from cpython.pycapsule cimport PyCapsule_GetPointer, PyCapsule_IsValid

cdef extern from "numpy/random/bitgen.h":
    ctypedef struct bitgen_t:
        void *state
        uint64_t (*next_uint64)(void *) noexcept nogil
        uint64_t (*next_raw)(void *) noexcept nogil

#: Generators the kernels run themselves, by the name of numpy's class.
NATIVE = {"PCG64DXSM": CSIG_PCG64DXSM, "PCG64": CSIG_PCG64, "Philox": CSIG_PHILOX}


cdef bitgen_t *attach(csig_stream *stream, object bit_generator) except NULL:
    """Let `stream` draw from a numpy BitGenerator."""
    capsule = getattr(bit_generator, "capsule", None)
    if not PyCapsule_IsValid(capsule, "BitGenerator"):
        raise TypeError(f"{type(bit_generator).__name__} is not a numpy BitGenerator")
    cdef bitgen_t *state = <bitgen_t *> PyCapsule_GetPointer(capsule, "BitGenerator")
    if state.next_uint64 == NULL:  # a subclass of BitGenerator written in Python
        raise TypeError(f"{type(bit_generator).__name__} has no compiled next_uint64")
    stream.kind, stream.foreign = CSIG_FOREIGN, state.state
    stream.next_uint64 = state.next_uint64
    return state


cdef object begin(
    csig_stream *stream, object source, const uint32_t[::1] entropy, uint32_t chunk, uint64_t skipped
):
    """Let `stream` give the words of a chunk, and return what is locked meanwhile.

    A native generator is seeded from `entropy`, as csig_stream_seed says, and leaves out some words
    first; a BitGenerator, which has to live as long as the stream, goes on from where it is.
    """
    if not isinstance(source, str):
        attach(stream, source)
        return source.lock
    csig_stream_seed(stream, NATIVE[source], &entropy[0], entropy.shape[0] - 1, chunk)
    csig_stream_skip(stream, skipped)
    return nullcontext()


cdef int jumps(object source) except -1:
    """Whether the words of far trials can be had at once."""
    return csig_jumps(NATIVE[source]) if isinstance(source, str) else 0


cdef object aligned(int64_t n):
    """Words, all 0, that begin at a multiple of 64 bytes: at a cache line."""
    words = np.zeros(n + 7, dtype=np.uint64)
    skipped = -(words.ctypes.data // 8) % 8
    return words[skipped : skipped + n]


cdef const void *held(list arrays, values, dtype) except NULL:
    """Where an array of this type begins, which the list keeps alive."""
    array = np.ascontiguousarray(values, dtype=dtype)
    arrays.append(array)
    return <const void *> <size_t> array.__array_interface__["data"][0]


cdef class Stream:
    """One chunk's stream of words.

    `source` is the name of a native generator, seeded from `entropy`, or a numpy BitGenerator as
    it stands.
    """

    cdef csig_stream stream
    cdef object source, lock

    def __init__(self, source, const uint32_t[::1] entropy=None):
        self.source = source
        self.lock = begin(
            &self.stream, source, entropy, entropy[-1] if isinstance(source, str) else 0, 0
        )

    def skip(self, uint64_t n):
        """Leave out the next n words; of a native generator only."""
        if not isinstance(self.source, str):
            raise TypeError("only a native generator can leave out words")
        csig_stream_skip(&self.stream, n)

    def fill(self, uint64_t[::1] out, int isa):
        """Write the next words of the stream to `out`."""
        if out.shape[0] == 0:
            return
        with self.lock, nogil:
            csig_stream_fill(&self.stream, isa, &out[0], out.shape[0])


def raw(bit_generator, uint64_t[::1] out not None):
    """Write the next raw outputs of a numpy BitGenerator; False if it gives none.

    A class derived from numpy's may have replaced ``random_raw``.
    """
    cdef csig_stream stream
    cdef bitgen_t *g = attach(&stream, bit_generator)
    cdef int64_t i
    if g.next_raw == NULL:
        return False
    with bit_generator.lock, nogil:
        for i in range(out.shape[0]):
            out[i] = g.next_raw(g.state)
    return True
