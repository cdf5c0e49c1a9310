"""Which trials are hits: every engine gives blocks of sums, a judge counts.

A block is an array of int64, (rows, trials): what the exchanged units of each trial take
from A's columns. Its rows are the columns in which any unit differs.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import numpy as np

from csig.engines.questions import FunctionQuestion, Question, WeightsQuestion

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Weights = tuple[NDArray[np.int64], NDArray[np.int64]]

__all__ = ["Judge", "Weights", "block_of", "differences", "extreme", "tied"]


#: Trials that a function gets at once: a few columns of them fit the first-level cache.
BLOCK = 4096

#: Seconds between two looks at the stop flag where a function is slow.
BETWEEN_LOOKS = 0.05


def block_of(plan: FunctionQuestion) -> int:
    """Trials that a user's function is given at once."""
    return max(1, min(BLOCK, int(BETWEEN_LOOKS / plan.seconds_a_trial)))


def extreme(found: NDArray[np.float64], plan: Question) -> NDArray[np.bool_]:
    """Which differences are at least as extreme as the observed one; ties are equal to it."""
    if plan.certain:
        return np.ones(found.shape, dtype=np.bool_)
    if plan.alternative == "greater":
        return found >= plan.statistic
    if plan.alternative == "less":
        return found <= plan.statistic
    return np.asarray(np.abs(found) >= abs(plan.statistic))


def tied(found: NDArray[np.float64], plan: Question) -> NDArray[np.bool_]:
    """Which differences are ties with the observed one."""
    if plan.alternative == "two-sided":
        return np.asarray(np.abs(found) == abs(plan.statistic))
    return np.asarray(found == plan.statistic)


def differences(
    plan: WeightsQuestion, sums: NDArray[np.int64], weights: Weights, n_trials: int, isa: int
) -> NDArray[Any]:
    """score_A - score_B of the first trials of a block; ties with the observed one are exact.

    For a sum, :class:`csig.engines.questions.Line`, they are integers, which count its `value`.
    """
    if plan.line is not None:
        return plan.line.differences(np.asarray(weights[0] @ sums[:, :n_trials]))
    found = np.empty(n_trials)
    plan.by_size.differences(sums, *weights, found, isa)
    return found


class Judge:
    """Counts the hits of one question; one object a thread.

    Parameters
    ----------
    plan : WeightsQuestion or FunctionQuestion
        The question.
    weights : pair of arrays, optional
        For a WeightsQuestion: what makes x and y of the rows of a block.
    keep : array of float or int64, optional
        Receives the difference of every trial, as :func:`differences` gives it.
    lock : lock
        Held while a function runs: a user's need not be safe in threads.
    stop : array of int32, (1,)
        Not zero when the run is to stop.
    isa : int
        The number of the instruction set.
    """

    def __init__(
        self,
        plan: Question,
        weights: Weights | None,
        keep: NDArray[Any] | None,
        lock: threading.Lock,
        stop: NDArray[np.int32],
        isa: int,
    ) -> None:
        self.plan = plan
        self.isa = isa
        self.stop = stop
        self.block = BLOCK
        if isinstance(plan, FunctionQuestion) and not plan.metric.thread_safe:
            self.block = block_of(plan)
        self.weights = weights
        self.keep = keep
        self.lock = lock
        self.hits = 0
        self.near = 0
        self.undefined = False

    def add(self, sums: NDArray[np.int64], n_trials: int, start: int) -> None:
        """Count the first n_trials trials of a block; the first is trial `start` of the run."""
        if isinstance(self.plan, FunctionQuestion):
            self.add_found(*self.evaluated(sums[:, :n_trials]), start)
            return
        plan, weights = self.plan, self.weights
        assert weights is not None
        if self.keep is not None:
            self.keep[start : start + n_trials] = differences(
                plan, sums, weights, n_trials, self.isa
            )
        if plan.line is None:
            self.hits += plan.ratio.hits_of_sums(sums, *weights, n_trials, self.isa)
            return
        x = sums[0, :n_trials] if weights[0].tolist() == [1] else weights[0] @ sums[:, :n_trials]
        self.hits += int(np.count_nonzero(plan.line.extreme(x)))
        if plan.line.tau:
            same, opposite = plan.line.ties(x)
            near = same | opposite if plan.alternative == "two-sided" else same
            self.near += int(np.count_nonzero(near))

    def evaluated(self, sums: NDArray[np.int64]) -> tuple[NDArray[np.float64], bool]:
        """The function's differences, in blocks short enough to stop between two of them."""
        assert isinstance(self.plan, FunctionQuestion)
        n = sums.shape[1]
        found = np.empty(n)
        undefined = False
        for start in range(0, n, self.block):
            here = slice(start, min(start + self.block, n))
            if self.stop[0]:
                break
            if self.plan.metric.thread_safe:
                found[here], some = self.plan.differences(sums[:, here])
            else:
                with self.lock:
                    found[here], some = self.plan.differences(sums[:, here])
            undefined |= some
        return found, undefined

    def add_found(self, found: NDArray[np.float64], undefined: bool, start: int) -> None:
        """Count trials by their differences."""
        self.hits += int(np.count_nonzero(extreme(found, self.plan)))
        self.near += int(np.count_nonzero(tied(found, self.plan)))
        self.undefined |= undefined
        if self.keep is not None:
            self.keep[start : start + len(found)] = found

    def add_weighted(self, sums: NDArray[np.int64], times: NDArray[np.uint64]) -> None:
        """Count trials that occurred several times each."""
        found, undefined = self.evaluated(sums)
        self.hits += int(times[extreme(found, self.plan)].sum())
        self.near += int(times[tied(found, self.plan)].sum())
        self.undefined |= undefined
