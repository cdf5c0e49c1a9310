"""Many pairs of systems, each by its own exact engine or its own bounds.

What a pair is answered is what :func:`csig.randomization_test` answers; what is saved is what
reports need. Threads share the pairs, and no result depends on them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from csig.base.progress import announce
from csig.base.wording import counted
from csig.data.comparison import Comparison
from csig.data.metrics import Metric
from csig.engines import certified
from csig.engines.base import Engine, Floats, Unfit
from csig.engines.exact import Answer, counting, exactly, is_certified, pvalues_of, route, words_of
from csig.engines.pool import Pool, Progress, default_threads
from csig.engines.questions import Question
from csig.engines.tasks import EXACT_BUDGET, Task, make_task

#: Units up to which a thread takes whole pairs: with more, bounds of a pair take so long that
#: Ctrl-C would not be heard in time, and threads share the passes of a pair instead.
WHOLE = 2**17

#: Seconds of a random word.
WORD = 2e-9


class Price(NamedTuple):
    """What a pair takes, in random words that take as long."""

    engine: str | None  #: What answers the test of two systems; None for shuffles.
    alone: float | None  #: What that takes; None for shuffles.
    quick: float | None  #: What a count of few units takes, or bounds; None if there is neither.


@dataclass(frozen=True, eq=False)
class PairAnswers:
    """Answers of pairs."""

    pvalues: Floats  #: pvalues, logs: NaN where a pair has no answer.
    logs: Floats
    #: Whether the p-value is the upper one of two bounds that do not count as one number.
    certified: NDArray[np.bool_]

    @property
    def missing(self) -> NDArray[np.intp]:
        """The pairs without an answer."""
        return np.flatnonzero(np.isnan(self.pvalues))


def _quick(question: Question) -> Engine | None:
    """A count, where units are few, or bounds."""
    engine = counting(question)
    if engine is not None:
        return engine
    bounds = certified.by_itself(question)
    if bounds is None:
        return None
    return bounds.engine if bounds.engine.cost <= EXACT_BUDGET else bounds.attempt


class _Stopped(Exception):
    """A thread was told to stop."""


@dataclass(frozen=True, kw_only=True)
class PairTests:
    """Two-sided tests of pairs by one metric."""

    #: Called as ``comparison(j, k)``: two systems, in any thread.
    comparison: Callable[[int, int], Comparison]
    metric: Metric  #: What is compared.
    n_resamples: int  #: Shuffles of a pair, which an exact engine is compared with.
    zero_division: int  #: The score where the denominator is zero.

    @cached_property
    def _task(self) -> Task:
        return make_task(
            self.comparison(0, 1), n_resamples=self.n_resamples, rng=0, threads=1,
            zero_division=self.zero_division,
        )  # fmt: skip

    def price(self, j: int, k: int) -> Price:
        task = replace(self._task, comparison=self.comparison(j, k))
        question = task.question(self.metric)
        engine = next(iter(route(task, question)[0]), None)
        quick = _quick(question)
        return Price(
            None if engine is None else engine.name,
            None if engine is None else words_of(engine),
            None if quick is None else words_of(quick),
        )

    def run(
        self,
        pairs: Iterable[tuple[int, int]],
        *,
        quickly: bool,
        words: float = 0,
        whole: bool = True,
        threads: int | None = None,
        notify: Progress | None = None,
    ) -> PairAnswers:
        """The p-values of pairs: `quickly` by bounds also where an exact engine would be taken.

        Threads take whole pairs, or share the work on each. That all take so many random words'
        time is said beforehand.
        """
        listed = list(pairs)
        n = len(listed)
        answers = PairAnswers(np.full(n, np.nan), np.full(n, np.nan), np.zeros(n, dtype=np.bool_))
        threads = threads or default_threads()
        announce(counted(n, "pair"), words * WORD / threads)

        def settle(i: int, threads: int, notify: Progress | None) -> None:
            comparison = self.comparison(*listed[i])
            task = replace(self._task, comparison=comparison, threads=threads, notify=notify)
            question = task.question(self.metric)
            engine = _quick(question) if quickly and not question.foregone else None
            if engine is None:
                answer = exactly(task, question)
            else:  # whatever else there is
                try:
                    answer = Answer(engine.run(threads, notify), engine.name, "")
                except Unfit as error:
                    wide = error.found
                    proof = None if wide is None else wide.certificate
                    if proof is None or not certified.better_than_shuffles(proof, self.n_resamples):
                        return
                    answer = Answer(wide, engine.name, "")
            if answer.found is not None:
                answers.pvalues[i], answers.logs[i] = pvalues_of(answer.found)
                answers.certified[i] = is_certified(answer.found)

        units = self._task.comparison.units
        if not whole or (units is not None and units.n_total > WHOLE):
            for i in range(n):
                settle(i, threads, None)
                if notify is not None:
                    notify(i + 1, n)
            return answers
        pool = Pool(range(n), threads, total=n)

        def look(done: int, total: int) -> None:
            if pool.stop[0]:
                raise _Stopped

        def work() -> None:
            for i in pool.blocks():
                try:
                    settle(i, 1, look)
                except _Stopped:
                    return
                pool.tick(1)

        pool.run(work, notify)
        return answers
