"""Resamples drawn by the workers of an executor: the same scores as those of one thread."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from csig import streams
from csig.engines.base import Block
from csig.engines.dealing import Dealer
from csig.engines.pool import Progress
from csig.engines.replicates import Prepared, Replicates
from csig.engines.resample import chunk_size, n_chunks
from csig.engines.resamples import packed_resamples
from csig.engines.studentizing import StandardErrors

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from numpy.typing import NDArray

__all__ = ["ScoreTaker", "draw_elsewhere"]


class ScoreTaker(Protocol):
    """What is given the scores of resamples."""

    replicates: Replicates
    standard_errors: StandardErrors | None

    @property
    def ties(self) -> tuple[float, ...]:
        """Values that scores may be tied with."""

    def take(
        self,
        start: int,
        values: NDArray[Any],
        undefined: int,
        errors: NDArray[Any] | None,
    ) -> None:
        """Take the scores, or differences, of resamples start, start + 1 and so on; how many of
        them are undefined, and their standard errors.
        """


class _Gathered:
    """Hands over what comes."""

    def __init__(self, takers: Sequence[ScoreTaker]) -> None:
        self.takers = takers

    def add(self, drawn: Mapping[str, Any], block: Block | None = None) -> None:
        """Of a block."""
        assert block is not None
        for i, taker in enumerate(self.takers):
            taker.take(block.start, *(drawn[part][i] for part in ("values", "undefined", "errors")))


def draw_elsewhere(
    executor: Executor,
    threads: int,
    prepared: Prepared,
    source: streams.Source,
    n_resamples: int,
    takers: Sequence[ScoreTaker],
    notify: Progress | None = None,
) -> None:
    """Draw resamples, and give the scores of every block of them to all takers.

    Parameters
    ----------
    executor : Executor
        Whose workers draw.
    threads : int
        Of each block.
    prepared, source, n_resamples
        What is drawn.
    takers : sequence of ScoreTaker
        One for every metric, called by this thread.
    notify : callable, optional
        Called with the number of resamples done, and of all.
    """
    asked = [(taker.replicates, taker.ties, taker.standard_errors) for taker in takers]
    job = packed_resamples(prepared.columns, source, asked)
    n = len(prepared.columns.table())
    size = chunk_size(n)
    dealer = Dealer(executor, threads, job, max(1, size * n // 4), len(job["table"][2]))
    whole = Block(0, 0, n_chunks(n, n_resamples), n_resamples, size)
    dealer.gather(whole, _Gathered(takers), notify)
