"""Bad generators of our own, behind numpy's C interface, each bad in one known way."""

import ctypes
import itertools

import numpy as np
from numpy.random import SFC64, Generator, Philox

#: Without the state that C gives it: the next word comes at once, from no function of Python's.
WORD = ctypes.CFUNCTYPE(ctypes.c_uint64)


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
        self.words = itertools.chain.from_iterable(self.made(Generator(SFC64(seed))))
        self.call = WORD(self.words.__next__)
        self.table = Bitgen(None, self.call)
        self.own = new_capsule(ctypes.addressof(self.table), b"BitGenerator", None)

    @property
    def capsule(self):
        return self.own

    def made(self, rng):
        """Lists of words, one after the other."""
        while True:
            words = rng.integers(0, 2**64, size=(10, 2**13), dtype=np.uint64)
            yield self.block(words).tolist()


def of_blocks(block):
    """A generator whose words are these of ten rows of good ones."""
    return type("OfBlocks", (Doctored,), {"block": staticmethod(block)})


def of_stream(made):
    """A generator whose words are the lists that this gives of a good one."""
    return type("OfStream", (Doctored,), {"made": staticmethod(made)})


Untouched = of_blocks(lambda words: words[0])
#: Bit 13 of every word is 0.
StuckBit = of_blocks(lambda words: words[0] & ~np.uint64(1 << 13))
#: Every bit is 1 with probability 1/2 + 1/1024.
Biased = of_blocks(lambda words: words[0] | np.bitwise_and.reduce(words[1:]))
#: Only some words are possible.
FewWords = of_blocks(lambda words: words[0] & np.uint64(0xFF000000000000FF))
#: Words come in pairs that are opposites: too many trials exchange half of all units.
Balanced = of_blocks(lambda words: np.stack([words[0], ~words[0]], axis=1).ravel())


@of_blocks
def Alternating(words):
    """Every other trial exchanges just what the one before did not."""
    even = words[0] & np.uint64(0x5555555555555555)
    return even | ((~even & np.uint64(0x5555555555555555)) << np.uint64(1))


@of_stream
def LowBits(rng):
    """A linear congruential generator modulo 2^64, whose bit k has the period 2^(k+1)."""
    x = [int(rng.integers(0, 2**63))]
    while True:
        x = [(6364136223846793005 * x[0] + 1442695040888963407) % 2**64]
        yield x


def repeating(period):
    """The stream repeats itself after so many words."""
    return of_stream(
        lambda rng: itertools.repeat(rng.integers(0, 2**64, size=period, dtype=np.uint64).tolist())
    )


class SameSeed(SFC64):
    """Takes no notice of its seed."""

    def __init__(self, seed):
        super().__init__(7)


class Halves(SFC64):
    """All seeds give one of two streams."""

    def __init__(self, seed):
        super().__init__(int(seed.generate_state(1)[0]) % 2)


def of_groups(group, units=86):
    """Groups of as many words as there are units, each made from a new one and the one before."""

    def made(rng):
        last = None
        for number in itertools.count():
            new = rng.integers(0, 2**64, size=units, dtype=np.uint64)
            last = new if last is None else group(new, last, number, rng)
            yield last.tolist()

    return of_stream(made)


def copied(new, last, number, rng):
    """A word is that of the same unit in the group before with probability 1/8."""
    return np.where(rng.random(len(new)) < 1 / 8, last, new)


def copied_and_opposite(new, last, number, rng):
    """As many copies as opposites: as many bits agree as should."""
    which = rng.random(len(new))
    return np.where(which < 1 / 16, last, np.where(which > 15 / 16, ~last, new))


def copied_bits(new, last, number, rng):
    """Every bit is that of the same unit's word before with probability 1/64, no word is."""
    words = rng.integers(0, 2**64, size=(6, len(new)), dtype=np.uint64)
    return new ^ ((new ^ last) & np.bitwise_and.reduce(words, axis=0))


def copied_places(new, last, number, rng):
    """Bit 5 often is that of the group before, bit 40 its opposite as often."""
    which = rng.integers(0, 2, size=(2, len(new))).astype(np.uint64)
    kept, turned = which << np.array([[5], [40]], dtype=np.uint64)
    return new ^ ((new ^ last) & kept) ^ ((new ^ ~last) & turned)


def copied_unit(new, last, number, rng):
    """Unit 7 has the same coins in each group as in the one before, turned round every time."""
    new[6] = (last[6] << np.uint64(1)) | (last[6] >> np.uint64(63))
    return new


Copies, ManyCopies = of_groups(copied), of_groups(copied, 70_000)
#: Every second group is the opposite of the one before: half of all trials are wasted.
Opposites = of_groups(lambda new, last, number, rng: ~last if number % 2 else new)
CopiesAndOpposites, CopiedBits = of_groups(copied_and_opposite), of_groups(copied_bits)
CopiedPlaces, CopiedUnit = of_groups(copied_places), of_groups(copied_unit)
