"""Generators that are bad on purpose, as numpy BitGenerators: RANDU in two forms.

RANDU is x -> 65539 x mod 2^31 with an odd seed, from IBM's Scientific Subroutine Package.
As 65539 = 2^16 + 3, three successive states are related,
x(k+2) = 6 x(k+1) - 9 x(k) mod 2^31, and bits 0 and 2 of a state never change. Its period
is 2^29. G. Marsaglia, "Random numbers fall mainly in the planes" (1968).
"""

from libc.stdint cimport uint32_t, uint64_t

from numpy.random cimport BitGenerator

import numpy as np

cdef enum:
    STATE_BITS = 31

cdef uint32_t STATE_MASK = 0x7FFFFFFF

# `buffer` holds bits that have been drawn and not yet given out, low first.
ctypedef struct randu_t:
    uint32_t state
    uint64_t buffer
    int n_bits
    uint64_t (*next_word)(void *) noexcept nogil


cdef inline uint32_t step(randu_t *g) noexcept nogil:
    g.state = (g.state * <uint32_t> 65539) & STATE_MASK
    return g.state


cdef uint64_t raw(void *state) noexcept nogil:
    return step(<randu_t *> state)


cdef uint64_t packed(void *state) noexcept nogil:
    """The next 64 bits of the stream: 31 of each state, low bits first."""
    cdef randu_t *g = <randu_t *> state
    cdef uint64_t word = g.buffer, x = 0
    cdef int n = g.n_bits  # at most 30
    while n < 64:
        x = step(g)
        word |= x << n  # what is above bit 63 falls off here, and stays in the buffer
        n += STATE_BITS
    g.n_bits = n - 64
    g.buffer = x >> (STATE_BITS - g.n_bits)
    return word


cdef uint64_t top(void *state) noexcept nogil:
    """The top bits of the next 64 states, the first in bit 0."""
    cdef uint64_t word = 0
    cdef int t
    for t in range(64):
        word |= <uint64_t> (step(<randu_t *> state) >> (STATE_BITS - 1)) << t
    return word


# As numpy does with 64-bit generators: the halves of a word are not kept apart.
cdef uint32_t next_uint32(void *state) noexcept nogil:
    return <uint32_t> (<randu_t *> state).next_word(state)


cdef double next_double(void *state) noexcept nogil:
    return ((<randu_t *> state).next_word(state) >> 11) * (1.0 / 9007199254740992.0)


cdef class _Randu(BitGenerator):
    """What both forms share: the state and its seed."""

    cdef randu_t randu

    def __init__(self, seed=None):
        BitGenerator.__init__(self, seed)
        self.randu.state = (int(self._seed_seq.generate_state(1, np.uint32)[0]) & STATE_MASK) | 1
        self.randu.buffer = 0
        self.randu.n_bits = 0
        self._bitgen.state = &self.randu
        self._bitgen.next_raw = &raw
        self._bitgen.next_uint64 = self.randu.next_word
        self._bitgen.next_uint32 = &next_uint32
        self._bitgen.next_double = &next_double

    @property
    def state(self):
        """What continues the stream: the last state, and the bits that are left of it."""
        return {
            "bit_generator": type(self).__name__,
            "state": self.randu.state,
            "buffer": self.randu.buffer,
            "n_bits": self.randu.n_bits,
        }

    @state.setter
    def state(self, value):
        if not isinstance(value, dict) or value.get("bit_generator") != type(self).__name__:
            raise ValueError(f"state must be a dict of a {type(self).__name__}, found {value!r}")
        cdef uint32_t state = value["state"]
        cdef uint64_t buffer = value["buffer"]
        cdef int n_bits = value["n_bits"]
        if not state & 1 or state > STATE_MASK:
            raise ValueError(f"state must be odd and below 2^31, found {state}")
        if not 0 <= n_bits < STATE_BITS or buffer >> n_bits:
            raise ValueError(f"buffer must have n_bits bits, at most 30, found {value!r}")
        self.randu.state, self.randu.buffer, self.randu.n_bits = state, buffer, n_bits


cdef class Randu(_Randu):
    """RANDU as a stream of bits: the 31 bits of every state, low bits first.

    ``random_raw`` gives the states themselves.
    """

    def __cinit__(self):
        self.randu.next_word = &packed


cdef class RanduTop(_Randu):
    """RANDU with the top bit of every state as one coin: 64 states make a word.

    ``random_raw`` gives the states themselves.
    """

    def __cinit__(self):
        self.randu.next_word = &top
