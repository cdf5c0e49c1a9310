"""Streams of 64-bit words: numpy's generators, natively and through their capsules."""

#: Generators the kernels run themselves, by the name of numpy's class.
NATIVE = {
    "PCG64DXSM": CSIG_PCG64DXSM,
    "PCG64": CSIG_PCG64,
    "Philox": CSIG_PHILOX,
}


cdef class Stream:
    """One chunk's stream of words.

    `source` is the name of a native generator, seeded from `entropy` (the assembled
    32-bit words of a SeedSequence: run entropy, then spawn key), or a numpy
    BitGenerator as it stands.
    """

    cdef csig_stream stream
    cdef object bit_generator

    def __init__(self, source, const uint32_t[::1] entropy=None):
        if isinstance(source, str):
            csig_stream_seed(
                &self.stream, NATIVE[source], &entropy[0], entropy.shape[0] - 1, entropy[-1]
            )
        else:
            attach(&self.stream, source)
            self.bit_generator = source

    def skip(self, uint64_t n):
        """Leave out the next n words; of a native generator only."""
        if self.bit_generator is not None:
            raise TypeError("only a native generator can leave out words")
        csig_stream_skip(&self.stream, n)

    def fill(self, uint64_t[::1] out, int isa):
        """Write the next words of the stream to `out`."""
        if out.shape[0] == 0:
            return
        if self.bit_generator is None:
            with nogil:
                csig_stream_fill(&self.stream, isa, &out[0], out.shape[0])
        else:
            with self.bit_generator.lock, nogil:
                csig_stream_fill(&self.stream, isa, &out[0], out.shape[0])


def raw(bit_generator, uint64_t[::1] out not None):
    """Write the next raw outputs of a numpy BitGenerator; False if it gives none.

    Through the capsule, as the words are: ``random_raw`` calls the functions of numpy's own
    class, which a class derived from it may have replaced, or not have at all.
    """
    cdef csig_stream stream
    attach(&stream, bit_generator)
    cdef bitgen_t *g = <bitgen_t *> PyCapsule_GetPointer(bit_generator.capsule, "BitGenerator")
    cdef int64_t i
    if g.next_raw == NULL:
        return False
    with bit_generator.lock, nogil:
        for i in range(out.shape[0]):
            out[i] = g.next_raw(g.state)
    return True
