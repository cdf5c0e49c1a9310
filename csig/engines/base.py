"""What every engine gives: a p-value, or counts of shuffles."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from csig.engines.pool import Progress
from csig.results.randomization import Certificate, Decision
from csig.streams import CHUNK

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

#: Today's edition of records: of the rule which engine comes first, and of the checks of audits.
#: Old records keep theirs. Bounds have been there since the third one, and since the fourth, which
#: is none of records, bounds that count as exact in the place of a lattice's frequencies.
EDITION = 6

#: Unique responses up to which the exact count is given as an integer.
COUNT_LIMIT = 10_000


class Found(NamedTuple):
    """A p-value, value x 2^exponent."""

    value: float
    exponent: int
    #: On the relative error, where the engine gives one; 0 for an integer count.
    error_bound: float | None = None
    #: Gives the number of shuffles at least as extreme, of 2^n, if the engine can count them.
    counter: Callable[[], int] | None = None
    undefined: bool = False  #: Whether a function's score was undefined in some shuffle.
    #: The bounds, where two are proven; the value is then the upper one.
    certificate: Certificate | None = None
    note: str = ""  #: What kept them apart, where they are not as close as was wanted.
    #: Whether they are farther apart than an exact p-value's, and were to be as close.
    apart: bool = False


class Unfit(MemoryError):
    """An engine's numbers are too narrow for these data, and the reason."""

    def __init__(self, reason: str, found: Found | None = None) -> None:
        super().__init__(reason)
        self.found = found  #: Bounds that are too wide for some purposes.


@dataclass(frozen=True)
class Engine:
    """One way to an exact p-value of one question."""

    name: str
    cost: int
    run: Callable[[int, Progress | None], Found]


@dataclass(frozen=True, kw_only=True)
class Counts:
    """What shuffles say about one question."""

    hits: int  #: hits, n_resamples: shuffles at least as extreme as observed, and all of them.
    n_resamples: int
    #: Shuffles that are ties by the band alone; None if they were not counted.
    near: int | None = None
    undefined: bool = False  #: Whether a function's score was undefined in some shuffle.
    differences: NDArray[Any] | None = None  #: Of every shuffle, if they are kept.
    decision: Decision | None = None  #: Given if the hits decided when to stop.


class Block(NamedTuple):
    """Trials of a run, from the start of a chunk: `chunks` of them, but none from `end` on."""

    run: int
    first: int
    chunks: int
    end: int
    #: Trials in a chunk.
    size: int = CHUNK

    @property
    def trials(self) -> int:
        return min((self.first + self.chunks) * self.size, self.end) - self.start

    @property
    def start(self) -> int:
        return self.first * self.size
