"""From a seed to one stream of random words for every chunk of every run.

The contract, which is what makes a result reproducible:

- A run is (bit generator, seed, engine, run number). Its trials are numbered from 0 and
  cut into chunks of 2^16.
- Chunk c of run r of an engine draws from
  ``BitGenerator(SeedSequence(entropy, spawn_key=key))`` with the key = the seed's own
  spawn key + (0x63736967, engine, r, c), every part below 2^32. No two engines, runs
  or chunks share a stream, nor does any ``spawn()`` of the caller's.
- Within a chunk trials go in groups of 64. Word g * n + i of the stream (one
  ``next_uint64`` each) decides unit i in group g; bit t is trial 64 g + t. Responses
  are ordered correct ones first, and a set bit assigns the response to A.

Hence nothing else can change a hit: neither the number of threads or machines, nor the
instruction set, nor the order of the input. :mod:`csig.replay` is the same contract in
pure numpy.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.random import BitGenerator, Generator, RandomState, SeedSequence

from csig.base.defaults import GENERATORS
from csig.base.errors import InputError
from csig.base.validation import as_integer, shown
from csig.base.wording import perhaps
from csig_ext import dispatch
from csig_ext.generators import NATIVE, raw
from csig_ext.generators import Stream as Stream
from csig_ext.randu import Randu, RanduTop

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Trials in a chunk.
CHUNK = 2**16

#: The version of the contract: programs of several machines that draw together have the same.
CONTRACT = 1

#: The engines' numbers in the spawn key.
ENGINES = {"shuffle": 0, "resample": 1, "systems": 2, "training": 3, "planning": 4, "unpaired": 5}

#: "csig" in ASCII: keeps csig's streams apart from the caller's own spawned ones.
TAG = 0x63736967

#: Bad on purpose: refused unless asked for by `allow_bad`.
BAD = {"randu": Randu, "randu-top": RanduTop}

#: Every chunk of a run mixes the whole seed anew: with 40,000 digits that takes a millisecond.
MOST_PARTS = 1000
MOST_DIGITS = 40_000

#: Of one number: Python writes no longer ones in decimal, as a record wants them.
MOST_PART_DIGITS = 4000

Factory = Callable[[SeedSequence], BitGenerator]
Seed: TypeAlias = (
    "int | Sequence[int] | NDArray[np.integer] | SeedSequence | BitGenerator | Generator | None"
)


def known_answers(generator: str, seed: int) -> dict[int, int]:
    """Published words of a generator with a seed, by their number; none if none are known."""
    from importlib.resources import files  # for audits only: comparisons do not wait for it

    lines = files("csig_ext").joinpath("known_answers.txt").read_text("ascii").splitlines()
    for line in lines:
        name, its_seed, *words = line.split()
        if not line.startswith("#") and (name, int(its_seed, 0)) == (generator, seed):
            return {int(n): int(w, 0) for n, w in zip(words[::2], words[1::2], strict=True)}
    return {}


def _words(value: int) -> list[int]:
    """A non-negative integer as numpy's SeedSequence cuts it: 32-bit words, low first."""
    words = [value & 0xFFFFFFFF]
    while value := value >> 32:
        words.append(value & 0xFFFFFFFF)
    return words


@dataclass(frozen=True)
class Source:
    """A seeded kind of generator, ready to make every chunk's stream."""

    name: str  #: The bit generator's name.
    factory: Factory  #: Makes a BitGenerator from a SeedSequence.
    native: bool  #: Whether the compiled kernels run this generator themselves.
    #: What a SeedSequence is made from; with the spawn key it repeats the run.
    entropy: int | tuple[int, ...]
    spawn_key: tuple[int, ...] = ()  #: The caller's own.

    def key(self, engine: str, run: int, chunk: int) -> tuple[int, ...]:
        """The spawn key of one chunk."""
        return (*self.spawn_key, TAG, ENGINES[engine], run, chunk)

    def bit_generator(self, engine: str, run: int, chunk: int) -> BitGenerator:
        """The chunk's generator, made by numpy."""
        key = self.key(engine, run, chunk)
        return self.factory(SeedSequence(self.entropy, spawn_key=key))

    def of_chunk(self, engine: str, run: int, chunk: int) -> str | BitGenerator:
        """What a kernel draws a chunk from: native generators by name, seeded by `seed_words`."""
        return self.name if self.native else self.bit_generator(engine, run, chunk)

    def seed_words(self, engine: str, run: int) -> NDArray[np.uint32] | None:
        """The words that seed the chunks of a native generator, an array of the caller's own."""
        return self.assembled(engine, run) if self.native else None

    def stream(self, engine: str, run: int, chunk: int) -> Stream:
        """The chunk's words, as the kernels draw them."""
        if not self.native:
            return Stream(self.bit_generator(engine, run, chunk))
        entropy = self.assembled(engine, run)
        entropy[-1] = chunk
        return Stream(self.name, entropy)

    def assembled(self, engine: str, run: int) -> NDArray[np.uint32]:
        """The 32-bit words that numpy's SeedSequence mixes for chunk 0 of a run; the last is the
        chunk, from which the compiled kernels seed every other.
        """
        values = self.entropy if isinstance(self.entropy, tuple) else (self.entropy,)
        words = [word for value in values for word in _words(value)]
        words += [0] * (4 - len(words))  # numpy pads before it appends a spawn key
        return np.array([*words, *self.key(engine, run, 0)], dtype=np.uint32)


def draw(stream: Stream, n: int, into: NDArray[np.uint64] | None = None) -> NDArray[np.uint64]:
    """The next words of a stream, in an array of their own if there is none for them."""
    words = np.empty(n, dtype=np.uint64) if into is None else into
    stream.fill(words, dispatch.number())
    return words


def raw_words(bit_generator: BitGenerator, n: int) -> NDArray[np.uint64] | None:
    """What a generator itself puts out, before words are made of it, if it lets that be seen."""
    words = np.empty(n, dtype=np.uint64)
    return words if raw(bit_generator, words) else None


def _checked_key(key: Sequence[int]) -> tuple[int, ...]:
    if len(key) > MOST_PARTS:
        raise InputError(
            f"rng: found a spawn key of {len(key):,} numbers, expected at most {MOST_PARTS:,}"
        )
    parts = tuple(int(part) for part in key)
    for part in parts:
        if not 0 <= part < 2**32:
            raise InputError(
                f"rng: every part of a spawn key must be below 2^32, found {shown(part)}"
            )
    return parts


def _number(value: object) -> int:
    number = as_integer(value)
    if number is None or number < 0:
        raise InputError(f"rng: a seed is a non-negative integer, found {shown(value)}")
    if number >= 10**MOST_PART_DIGITS:
        raise InputError(
            f"rng: found a number of {number.bit_length():,} bits, expected one of at most "
            f"{MOST_PART_DIGITS:,} digits"
        )
    return number


def _entropy(value: Any) -> int | tuple[int, ...]:
    """The number of a seed, or those of one that has several."""
    several = isinstance(value, (Sequence, np.ndarray)) and not isinstance(value, (str, bytes))
    if not several or getattr(value, "ndim", 1) == 0:
        return _number(value)
    if len(value) > MOST_PARTS:
        raise InputError(
            f"rng: found a seed of {len(value):,} numbers, expected at most {MOST_PARTS:,}"
        )
    numbers = tuple(map(_number, value))
    digits = sum(len(str(number)) for number in numbers)
    if digits > MOST_DIGITS:
        raise InputError(
            f"rng: found a seed of {digits:,} digits, expected at most {MOST_DIGITS:,}"
        )
    return numbers


def _factory(bit_generator: object, allow_bad: bool) -> tuple[str, Factory, bool]:
    """The name, the factory and whether the kernels run it themselves."""
    for name, kind in BAD.items():
        if bit_generator is kind or (
            isinstance(bit_generator, str) and bit_generator.lower() == name
        ):
            if allow_bad:
                return name, kind, False
            raise InputError(
                f"bit generator {name} is bad on purpose, for audits and teaching; "
                "allow_bad_generator=True allows it"
            )
    if isinstance(bit_generator, str):
        known = {name.lower(): name for name in GENERATORS}
        if bit_generator.lower() not in known:
            raise InputError(
                f"bit_generator {bit_generator!r} is unknown"
                f"{perhaps(bit_generator, GENERATORS)}; there are {', '.join(GENERATORS)}"
            )
        name = known[bit_generator.lower()]
        return name, getattr(np.random, name), name in NATIVE
    if isinstance(bit_generator, (BitGenerator, Generator)) or not callable(bit_generator):
        raise InputError(
            "bit_generator must be a name, a class or a function that makes a numpy "
            f"BitGenerator from a SeedSequence, found {bit_generator!r}; give a generator as rng"
        )
    name = getattr(bit_generator, "__name__", type(bit_generator).__name__)
    numpys = bit_generator is getattr(np.random, name, None)
    native = numpys and name in NATIVE
    if not numpys:  # a class of the same name is another generator
        name = f"{getattr(bit_generator, '__module__', None) or 'unknown'}.{name}"
        _try(bit_generator, name)
    return name, bit_generator, native


def _try(factory: Factory, name: str) -> None:
    """Make one generator, so that a bad factory is refused before any work."""
    try:
        product = factory(SeedSequence(0))
    except Exception as error:
        raise InputError(
            f"bit generator {name} cannot be built from a SeedSequence alone: {error}"
        ) from None
    if not isinstance(product, BitGenerator):
        raise InputError(
            f"bit generator {name} gives a {type(product).__name__}, not a numpy BitGenerator"
        )
    try:
        Stream(product)
    except TypeError as error:  # a subclass written in Python
        raise InputError(f"bit generator {name} cannot be used: {error}") from None


def make_source(
    rng: Seed = None, bit_generator: str | Factory | None = None, *, allow_bad: bool = False
) -> Source:
    """The seeded generator that ``rng=`` and ``bit_generator=`` ask for, by SPEC 7.

    A BitGenerator or Generator lends its type and two words, so that two calls with it differ.
    """
    if isinstance(rng, RandomState):
        raise InputError("rng: RandomState is legacy; give a seed or numpy.random.default_rng()")
    if isinstance(rng, (Generator, BitGenerator)):
        if bit_generator is not None:
            raise InputError("bit_generator: rng is already a generator; give only one of them")
        lender = rng if isinstance(rng, Generator) else Generator(rng)
        kind = type(lender.bit_generator)
        name, factory, native = _factory(kind, allow_bad)
        # The full range makes Generator.integers one next_uint64 a number.
        low, high = (int(w) for w in lender.integers(0, 2**64, size=2, dtype=np.uint64))
        return Source(name, factory, native, low + (high << 64))
    name, factory, native = _factory(
        GENERATORS[0] if bit_generator is None else bit_generator, allow_bad
    )
    if rng is None:
        rng = SeedSequence()
    if isinstance(rng, SeedSequence):
        if rng.pool_size != 4:
            raise InputError(
                f"rng: a SeedSequence with pool_size {rng.pool_size} cannot be repeated from "
                f"its entropy and key; use the default of 4"
            )
        return Source(name, factory, native, _entropy(rng.entropy), _checked_key(rng.spawn_key))
    entropy = _entropy(rng)
    if entropy == ():
        raise InputError("rng: an empty sequence is not a seed")
    return Source(name, factory, native, entropy)
