"""Bad generators of our own, behind numpy's C interface, each bad in one known way."""

from __future__ import annotations

import ctypes
import itertools

import numpy as np
from numpy.random import SFC64, Generator, Philox

WORD = ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.c_void_p)


class Bitgen(ctypes.Structure):
    """numpy's bitgen_t, numpy/random/bitgen.h."""

    _fields_ = [
        ("state", ctypes.c_void_p),
        ("next_uint64", WORD),
        ("next_uint32", ctypes.c_void_p),
        ("next_double", ctypes.c_void_p),
        ("next_raw", ctypes.c_void_p),
    ]


new_capsule = ctypes.pythonapi.PyCapsule_New
new_capsule.restype = ctypes.py_object
new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]


class Doctored(Philox):
    """Words that Python makes. Its capsule takes the place of Philox's; it has no raw output."""

    def __init__(self, seed):
        super().__init__(seed)
        self.words = self.made(Generator(SFC64(seed)))
        self.call = WORD(lambda _: next(self.words))
        self.table = Bitgen(None, self.call)
        self.own = new_capsule(ctypes.addressof(self.table), b"BitGenerator", None)

    @property
    def capsule(self):
        return self.own

    def made(self, rng):
        """Blocks of words, one after the other."""
        while True:
            yield from self.block(
                rng.integers(0, 2**64, size=(10, 2**13), dtype=np.uint64)
            ).tolist()


class Untouched(Doctored):
    def block(self, words):
        return words[0]


class StuckBit(Doctored):
    """Bit 13 of every word is 0."""

    def block(self, words):
        return words[0] & ~np.uint64(1 << 13)


class Biased(Doctored):
    """Every bit is 1 with probability 1/2 + 1/1024."""

    def block(self, words):
        return words[0] | np.bitwise_and.reduce(words[1:])


class ShortPeriod(Doctored):
    """The stream repeats itself after 2^10 words."""

    def made(self, rng):
        return itertools.cycle(rng.integers(0, 2**64, size=2**10, dtype=np.uint64).tolist())


class SameSeed(SFC64):
    """Takes no notice of its seed."""

    def __init__(self, seed):
        super().__init__(7)


class Alternating(Doctored):
    """Every other trial exchanges just what the one before did not."""

    def block(self, words):
        even = words[0] & np.uint64(0x5555555555555555)
        return even | ((~even & np.uint64(0x5555555555555555)) << np.uint64(1))


class Balanced(Doctored):
    """Words come in pairs that are opposites: too many trials exchange half of all units."""

    def block(self, words):
        return np.stack([words[0], ~words[0]], axis=1).ravel()


class LowBits(Doctored):
    """A linear congruential generator modulo 2^64, whose bit k has the period 2^(k+1)."""

    def made(self, rng):
        x = int(rng.integers(0, 2**63))
        while True:
            x = (6364136223846793005 * x + 1442695040888963407) % 2**64
            yield x


class OfGroups(Doctored):
    """Groups of as many words as there are units, each made from the one before."""

    units = 86

    def made(self, rng):
        last = self.group(rng, rng.integers(0, 2**64, size=self.units, dtype=np.uint64), 0)
        for number in itertools.count(1):
            yield from last.tolist()
            last = self.group(rng, last, number)

    def group(self, rng, last, number):
        return rng.integers(0, 2**64, size=self.units, dtype=np.uint64)


class Copies(OfGroups):
    """A word is that of the same unit in the group before with probability 1/8."""

    def group(self, rng, last, number):
        new = super().group(rng, last, number)
        return np.where(rng.random(self.units) < 1 / 8, last, new)


class Opposites(OfGroups):
    """Every second group is the opposite of the one before: half of all trials are wasted."""

    def group(self, rng, last, number):
        return ~last if number % 2 else super().group(rng, last, number)


class CopiesAndOpposites(OfGroups):
    """As many copies as opposites: as many bits agree as should."""

    def group(self, rng, last, number):
        new, which = super().group(rng, last, number), rng.random(self.units)
        return np.where(which < 1 / 16, last, np.where(which > 15 / 16, ~last, new))


class CopiedBits(OfGroups):
    """Every bit is that of the same unit's word before with probability 1/64, no word is."""

    def group(self, rng, last, number):
        new = super().group(rng, last, number)
        which = np.bitwise_and.reduce(
            rng.integers(0, 2**64, size=(6, self.units), dtype=np.uint64), axis=0
        )
        return new ^ ((new ^ last) & which)


class CopiedPlaces(OfGroups):
    """Bit 5 often is that of the group before, bit 40 its opposite as often."""

    def group(self, rng, last, number):
        new, which = super().group(rng, last, number), rng.integers(0, 2, size=(2, self.units))
        kept, turned = which.astype(np.uint64) << np.array([[5], [40]], dtype=np.uint64)
        return new ^ ((new ^ last) & kept) ^ ((new ^ ~last) & turned)


class ManyCopies(Copies):
    """The same for units of which a word of the next group is far away."""

    units = 70_000


class CopiedUnit(OfGroups):
    """Unit 7 has the same coins in each group as in the one before, turned round every time."""

    def group(self, rng, last, number):
        new = super().group(rng, last, number)
        new[6] = (last[6] << np.uint64(1)) | (last[6] >> np.uint64(63))
        return new


def repeating(period):
    """The stream repeats itself after so many words."""

    class Repeating(Doctored):
        def made(self, rng):
            return itertools.cycle(rng.integers(0, 2**64, size=period, dtype=np.uint64).tolist())

    return Repeating
