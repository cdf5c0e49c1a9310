"""What every engine gives: a p-value, or counts of shuffles."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from csig.engines.pool import Progress
from csig.results import Certificate, Decision
from csig.streams import CHUNK

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["COUNT_LIMIT", "Block", "Counts", "Engine", "Found", "Unfit"]

#: Unique responses up to which the exact count is given as an integer.
COUNT_LIMIT = 10_000


class Unfit(MemoryError):
    """An engine's numbers are too narrow for these data, and the reason."""


class Found(NamedTuple):
    """A p-value, value x 2^exponent.

    Attributes
    ----------
    error_bound : float or None
        On the relative error, where the engine gives one; 0 for an integer count.
    counter : callable or None
        Gives the number of shuffles at least as extreme, of 2^n, if the engine can count them.
    undefined : bool
        Whether a function's score was undefined in some shuffle.
    certificate : Certificate or None
        The bounds, where two are proven; the value is then the upper one.
    note : str
        What kept them apart, where they are not as close as was wanted.
    apart : bool
        Whether they are farther apart than an exact p-value's, and were to be as close.
    """

    value: float
    exponent: int
    error_bound: float | None = None
    counter: Callable[[], int] | None = None
    undefined: bool = False
    certificate: Certificate | None = None
    note: str = ""
    apart: bool = False


@dataclass(frozen=True)
class Engine:
    """One way to an exact p-value of one question.

    ``run`` may raise MemoryError, or :class:`Unfit`; the same data then raise it on every machine.
    """

    name: str
    cost: int
    run: Callable[[int, Progress | None], Found]


@dataclass(frozen=True, kw_only=True)
class Counts:
    """What shuffles say about one question.

    Attributes
    ----------
    hits, n_resamples : int
        Shuffles at least as extreme as observed, and all of them.
    near : int or None
        Shuffles that are ties by the band alone; None if they were not counted.
    undefined : bool
        Whether a function's score was undefined in some shuffle.
    differences : array or None
        Of every shuffle, if they are kept.
    decision : Decision or None
        Given if the hits decided when to stop.
    """

    hits: int
    n_resamples: int
    near: int | None = None
    undefined: bool = False
    differences: NDArray[Any] | None = None
    decision: Decision | None = None


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
        """How many they are."""
        return min((self.first + self.chunks) * self.size, self.end) - self.start

    @property
    def start(self) -> int:
        """The first trial."""
        return self.first * self.size
