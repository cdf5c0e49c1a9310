"""The staircase engine: a linear-fractional metric over two classes of responses.

The pairs (x, y) that are extreme lie beyond a monotone boundary, whose heights are found in one
walk: ``docs/theory.md``. Metrics without one are summed cell by cell.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from csig.engines.base import COUNT_LIMIT, Engine, Found
from csig.engines.pool import Progress
from csig.engines.questions import Question
from csig.engines.weights import WeightsQuestion
from csig_ext import staircase

__all__ = ["exact_count", "offer"]


def offer(question: Question) -> Engine | None:
    """The engine, if it can answer."""
    whole = question.weighted
    if whole is None or whole.steps is not None:
        return None
    x, y = whole.ratio.sizes
    cost = x + y + 2 if whole.monotone else (x + 1) * (y + 1)
    return Engine("staircase", cost, partial(_run, whole))


def _run(question: WeightsQuestion, threads: int, progress: Progress | None) -> Found:
    value, exponent = staircase.tail(question.ratio, *question.turns, question.monotone)
    counter = None
    if question.monotone and sum(question.ratio.sizes) <= COUNT_LIMIT:
        counter = partial(exact_count, question)
    # The null is symmetric, and the tails are apart.
    return Found(value, exponent + (question.alternative == "two-sided"), counter=counter)


def exact_count(question: WeightsQuestion) -> int:
    """Shuffles at least as extreme, as an integer, from the heights of the staircase."""
    n_first, n_second = question.ratio.sizes
    two_sided = question.alternative == "two-sided"
    if question.certain:
        return 1 << (n_first + n_second)
    heights = np.empty(n_first + 1, dtype=np.int64)
    staircase.tail(question.ratio, *question.turns, True, heights)
    count, below, column, row, last = 0, 0, 1, 1, -1
    for x, height in enumerate(heights.tolist()):
        while last < height:
            last += 1
            below += column
            column = column * (n_second - last) // (last + 1)
        count += row * below
        row = row * (n_first - x) // (x + 1)
    return 2 * count if two_sided else count
