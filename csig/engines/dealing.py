"""Shuffles drawn by the workers of an executor, block by block.

Blocks are cut so that each takes about :data:`TARGET` seconds, and a few for every worker are under
way, so that 2^40 shuffles do not make a million futures. The first ones are cut by the words they
draw, counted beforehand, and are single chunks where a metric is a function, whose time nobody
knows; later ones by the time that blocks took. Nothing but time depends on how the chunks are cut.
"""

from __future__ import annotations

import hashlib
import pickle
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    wait,
)
from dataclasses import dataclass, field
from typing import Any, Protocol

from csig import streams
from csig.engines.base import Block, Counts
from csig.engines.packing import packed_question, packed_source, packed_swapped
from csig.engines.pool import LOOK, Progress, default_threads, interruptible
from csig.engines.questions import Question
from csig.engines.remote import HERE, draw, forget
from csig.engines.shuffle import Joint, Swapped
from csig.errors import InputError

__all__ = ["Dealer", "Dealt", "Gatherer", "ShuffleDealer", "is_lost", "named"]

#: Seconds that a block is to take.
TARGET = 0.75

#: Random words of the first blocks: about a tenth of that.
FIRST_WORDS = 2**26

#: Blocks under way, for every worker.
PER_WORKER = 3

#: Towards the end blocks get shorter, down to this part of the others.
SHORTEST = 16

#: Bytes of a table up to which a job comes with every block.
SMALL = 2**13

#: What an engine draws.
DRAWN = {"shuffle": "shuffles", "resample": "resamples", "flips": "flips"}

#: How often a block is given again that failed for another reason than csig's.
RETRIES = 2


@dataclass
class Dealt:
    """What was counted of a run's shuffles: as :class:`csig.engines.shuffle.Run` has it."""

    questions: Sequence[Question]
    n_resamples: int
    hits: list[int] = field(default_factory=list)
    near: list[int] = field(default_factory=list)
    undefined: list[bool] = field(default_factory=list)
    chunk_hits: dict[int, list[int]] = field(default_factory=dict)
    chunk_near: dict[int, list[int]] = field(default_factory=dict)
    chunk_undefined: dict[int, list[bool]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        n = len(self.questions)
        self.hits, self.near, self.undefined = [0] * n, [0] * n, [False] * n

    def add(self, drawn: Mapping[str, Any], block: Block | None = None) -> None:
        """A block more."""
        self.hits = [x + y for x, y in zip(self.hits, drawn["hits"], strict=True)]
        self.near = [x + y for x, y in zip(self.near, drawn["near"], strict=True)]
        self.undefined = [x | y for x, y in zip(self.undefined, drawn["undefined"], strict=True)]
        for chunk, (hits, near, undefined) in drawn.get("chunks", {}).items():
            self.chunk_hits[chunk] = hits
            self.chunk_near[chunk] = near
            self.chunk_undefined[chunk] = undefined

    @property
    def counts(self) -> dict[Question, Counts]:
        """What the run says about each question."""
        parts = zip(self.questions, self.hits, self.near, self.undefined, strict=True)
        return {
            question: Counts(
                hits=hits, n_resamples=self.n_resamples, near=near, undefined=undefined
            )
            for question, hits, near, undefined in parts
        }


def _workers(executor: Executor) -> int:
    """How many an executor has, as far as that can be known; those that answer are counted."""
    known = getattr(executor, "_max_workers", None)  # of the standard library, loky, mpi4py
    if isinstance(known, int) and known > 0:
        return known
    client: Any = getattr(executor, "_client", None)  # dask's
    if hasattr(client, "nthreads"):
        return max(1, sum(map(int, client.nthreads().values())))
    return default_threads()


class Gatherer(Protocol):
    """What takes blocks as they come, in any order."""

    def add(self, drawn: Mapping[str, Any], block: Block | None = None) -> None:
        """Take what a worker said of a block."""


class Dealer:
    """Gives blocks of a job to the workers of an executor.

    Parameters
    ----------
    executor : Executor
    threads : int
        Of each block.
    job : mapping
        Plain data, with ``engine`` and ``source``; what workers make it from is
        :mod:`csig.engines.remote`'s.
    words : int
        Random words of a chunk.
    size : int
        Bytes of the tables in it.
    """

    def __init__(
        self,
        executor: Executor,
        threads: int,
        job: Mapping[str, Any],
        words: int,
        size: int,
    ) -> None:
        self.executor = executor
        self.threads = threads
        self.words = words
        self.job = job
        self.objects = _objects(job)
        if self.objects:  # whether two functions are the same nobody knows
            self.key = secrets.token_hex(16)
        else:
            self.key = hashlib.sha256(pickle.dumps(job)).hexdigest()
        self.small = size <= SMALL
        self.functions = any("of_metric" in own for own in job["questions"])
        self.workers = _workers(self.executor)
        self.seen: set[tuple[object, ...]] = set()
        #: What a chunk took.
        self.seconds: float | None = None

    def gather(
        self,
        whole: Block,
        found: Gatherer,
        notify: Progress | None = None,
        *,
        by_chunk: bool = False,
    ) -> None:
        """Draw a block in parts."""
        try:
            _Deal(self, found, [whole], whole.end, by_chunk, notify).finish()
        finally:
            forget(self.key)

    def submit(self, block: Block, by_chunk: bool, with_job: bool) -> Future[Any]:
        """Give a block to a worker."""
        job = self.job if with_job or self.small else None
        try:
            return self.executor.submit(
                draw, HERE, self.key, job, (*block,), by_chunk, self.threads
            )
        except RuntimeError as error:  # after a shutdown, or broken
            failed: Future[Any] = Future()
            failed.set_exception(error)
            return failed


def _objects(job: Mapping[str, Any]) -> dict[str, object]:
    """What is not plain data, by what to call it."""
    source = job["source"]
    found = {f"bit_generator {source['name']!r}: it": source["factory"]}
    for question in job["questions"]:
        found[f"metric {question['name']!r}: its function"] = question.get("function")
    return {what: value for what, value in found.items() if value is not None}


class ShuffleDealer:
    """Draws runs of shuffles on an executor.

    Parameters
    ----------
    executor, threads
        As of :class:`Dealer`.
    source, questions, swapped
        What is drawn and asked.
    """

    def __init__(
        self,
        executor: Executor,
        threads: int,
        source: streams.Source,
        questions: Sequence[Question],
        swapped: Swapped,
    ) -> None:
        self.questions = questions
        packed = packed_swapped(swapped)
        job = {
            "engine": "shuffle",
            "source": packed_source(source),
            "questions": [packed_question(question) for question in questions],
            "swapped": packed,
        }
        n = len(swapped.table) if isinstance(swapped, Joint) else sum(swapped)
        words = max(1, n) * streams.CHUNK // 64
        size = len(packed["table"][2]) if "table" in packed else 0
        self.dealer = Dealer(executor, threads, job, words, size)

    @property
    def workers(self) -> int:
        """How many there are, as far as that is known."""
        return self.dealer.workers

    def deal(
        self,
        run: int,
        n_resamples: int,
        notify: Progress | None = None,
        *,
        by_chunk: bool = False,
        first_chunk: int = 0,
    ) -> Dealt:
        """Draw the trials of a run from the start of a chunk on."""
        found = Dealt(self.questions, n_resamples)
        chunks = -(-n_resamples // streams.CHUNK) - first_chunk
        whole = Block(run, first_chunk, chunks, n_resamples)
        self.dealer.gather(whole, found, notify, by_chunk=by_chunk)
        return found


class _Deal:
    """One run that is being drawn."""

    def __init__(
        self,
        dealer: Dealer,
        found: Gatherer,
        gaps: list[Block],
        n_resamples: int,
        by_chunk: bool,
        notify: Progress | None,
    ) -> None:
        self.dealer = dealer
        self.found = found
        self.by_chunk = by_chunk
        self.notify = notify
        self.total = n_resamples
        self.left = sum(gap.chunks for gap in gaps)
        self.done = n_resamples - sum(gap.trials for gap in gaps)
        self.blocks = self._cut(gaps)
        #: How often a block failed, of those under way.
        self.pending: dict[Future[Any], tuple[Block, int]] = {}
        self.taught = 0

    def _cut(self, gaps: Iterable[Block]) -> Iterator[Block]:
        """Blocks of about as long as they should take."""
        for gap in gaps:
            first, end = gap.first, gap.first + gap.chunks
            while first < end:
                chunks = min(end - first, self._size())
                self.left -= chunks
                yield gap._replace(first=first, chunks=chunks)
                first += chunks

    def _size(self) -> int:
        """Chunks of the next block."""
        dealer = self.dealer
        if dealer.seconds is None and dealer.functions:
            wanted = 1
        elif dealer.seconds is None:
            wanted = FIRST_WORDS // dealer.words * dealer.threads
        else:
            wanted = int(TARGET / max(dealer.seconds, 1e-9))
        # At the end no worker waits long for another.
        fair = -(-self.left // (2 * max(dealer.workers, len(dealer.seen))))
        wanted = min(wanted, max(fair, wanted // SHORTEST))
        return max(1, wanted)

    def finish(self) -> None:
        """Draw until nothing is left; whatever ends it earlier takes what is under way along."""
        try:
            self._fill()
            while self.pending:
                with interruptible():
                    ready, _ = wait(self.pending, LOOK, FIRST_COMPLETED)
                self._take(ready)
                if self.notify is not None:
                    self.notify(self.done, self.total)
                self._fill()
        except BaseException:
            for future in self.pending:
                future.cancel()
            raise

    def _fill(self) -> None:
        dealer = self.dealer
        most = PER_WORKER * max(dealer.workers, len(dealer.seen))
        while len(self.pending) < most:
            block = next(self.blocks, None)
            if block is None:
                return
            self.taught += 1  # the first blocks teach the workers the job
            self._give(block, 0, self.taught <= dealer.workers)

    def _give(self, block: Block, failures: int, with_job: bool) -> None:
        future = self.dealer.submit(block, self.by_chunk, with_job)
        self.pending[future] = block, failures

    def _take(self, ready: Iterable[Future[Any]]) -> None:
        drawn = []
        failed: BaseException | None = None
        for future in ready:
            block, failures = self.pending.pop(future)
            error = CancelledError() if future.cancelled() else future.exception()
            if error is None:
                said = future.result()
                self.dealer.seen.add(tuple(said["worker"]))
                if said["found"] == "drawn":
                    drawn.append((block, said))
                else:
                    self._again(block, failures, said)
            elif failures < RETRIES and _may_pass(error):
                self._give(block, failures + 1, True)
            else:
                failed = failed or error
        self._add(drawn)
        if failed is not None:
            explained = self._explained(failed)
            if explained is failed:
                raise failed
            raise explained from failed

    def _again(self, block: Block, failures: int, said: Mapping[str, Any]) -> None:
        if said["found"] == "unknown":
            self._give(block, failures, True)
            return
        (version, contract), (own, mine) = said["csig"], HERE
        raise InputError(
            f"executor: the worker on {said['worker'][0]} has csig {version} (streams contract "
            f"{contract}), and this is csig {own} (streams contract {mine}); install the same there"
        )

    def _add(self, drawn: Sequence[tuple[Block, Mapping[str, Any]]]) -> None:
        for block, said in drawn:
            self.found.add(said, block)
            self.done += block.trials
            self.dealer.seconds = said["seconds"] / block.chunks

    def _explained(self, error: BaseException) -> BaseException:
        """What ended the run, and how far it got."""
        if isinstance(error, InputError):
            return error
        if _is_pickling(error):
            return InputError(
                f"{self._culprit()} cannot be sent to the executor's workers ({_line(error)})"
            )
        far = f"after {self.done:,} of {self.total:,} {DRAWN[self.dealer.job['engine']]}"
        if isinstance(error, ImportError) and "csig" in str(error):
            return InputError(
                f"executor: a worker cannot import csig ({error}); install csig-stats "
                f"{HERE[0]} there"
            )
        if is_lost(error):
            start = "" if self.done else (
                "; if no worker can start, put the program under if __name__ == '__main__'"
            )  # fmt: skip
            return InputError(f"executor: it failed {far} ({named(error)}){start}")
        error.add_note(f"csig: raised {far}")
        return error

    def _culprit(self) -> str:
        """What cannot be pickled."""
        for what, value in self.dealer.objects.items():
            try:
                pickle.dumps(value)
            except Exception:
                return f"{what} must be defined at the top level of a module, or use threads: it"
        return "executor: a block"


def _line(error: BaseException) -> str:
    """The first line of its message."""
    return str(error).partition("\n")[0]


def named(error: BaseException) -> str:
    """An error's type, and the first line of its message."""
    name, said = type(error).__name__, _line(error)
    return f"{name}: {said}" if said else name


def _is_pickling(error: BaseException) -> bool:
    return isinstance(error, pickle.PicklingError) or (
        isinstance(error, (AttributeError, TypeError)) and "pickle" in str(error).lower()
    )


def is_lost(error: BaseException) -> bool:
    """Whether it is the executor's error, not that of what it ran."""
    module = type(error).__module__.partition(".")[0]
    return (
        isinstance(error, (BrokenExecutor, CancelledError, OSError, EOFError, TimeoutError))
        or module in ("distributed", "mpi4py", "loky")
        or "shutdown" in str(error)
    )


def _may_pass(error: BaseException) -> bool:
    """Whether it is worth the while to try again."""
    if isinstance(error, (InputError, BrokenExecutor, CancelledError, ImportError)):
        return False
    return not _is_pickling(error) and "shutdown" not in str(error)
