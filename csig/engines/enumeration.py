"""All shuffles, one by one: the exact engine for any metric and few units.

Units with equal or opposite differences form a class; a class of m units has m + 1 outcomes
with the probabilities C(m, j) / 2^m, so that what is enumerated is the product of the
(m_c + 1), which is 2^n only where no two units are alike. The 2,000 items of a binary
classification are two classes, whatever the metric.

The outcomes of the classes are split in two: some whose combined sums are tabulated once, up
to 2^14 rows, and the others, which are enumerated one by one; each adds its sums to all rows.
Every block is judged as a whole. If a class has a single unit, only half of all outcomes are
enumerated, because the null distribution is symmetric.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from csig.data.units import Classes
from csig.engines.base import Floats, Integers
from csig.engines.pool import Pool, Progress
from csig_ext import staircase

#: Outcomes of a block, and numbers in its sums.
ROWS, NUMBERS = 2**14, 2**17

#: No outcome is impossible, but a probability may be less than any double.
LEAST = 5e-324

#: From a block of sums to the differences of its outcomes, and whether a score was undefined; the
#: other argument says whether to stop, when the rest of the answer no longer matters.
Differences = Callable[[Integers, Callable[[], bool]], tuple[Floats, bool]]


def classes_of_rows(differences: Integers) -> Classes:
    """The classes as blocks take them, from the last: those that fit no block, then by size."""
    classes = Classes.of(differences)
    return classes.in_order(np.lexsort((classes.sizes, classes.sizes < ROWS)))


def _low(sizes: list[int], columns: int) -> tuple[int, int]:
    """How many classes a block holds, counted from the last, and its rows."""
    n_low, rows = 0, 1
    most = min(ROWS, max(64, NUMBERS // max(1, columns)))
    while n_low < len(sizes) and rows * (sizes[-1 - n_low] + 1) <= most:
        rows *= sizes[-1 - n_low] + 1
        n_low += 1
    return n_low, rows


def cost(classes: Classes) -> int:
    """How many outcomes are enumerated; a block counts as at least half a full one."""
    sizes: list[int] = classes.sizes.tolist()
    n_low, rows = _low(sizes, len(classes.start))
    blocks = math.prod(size + 1 for size in sizes[: len(sizes) - n_low])
    return blocks * max(rows, ROWS // 2)


class Outcomes:
    """All outcomes in blocks: their sums and probabilities."""

    def __init__(self, classes: Classes, *, half: bool = False) -> None:
        self.classes, sizes = classes, classes.sizes.tolist()
        self.equal = max(sizes, default=0) <= 1
        if half:  # the first class has one unit
            sizes[0] = 0
        high = len(sizes) - _low(sizes, len(classes.start))[0]
        self.high = [size + 1 for size in sizes[:high]]
        self.blocks = math.prod(self.high)
        # Probabilities as value x 2^exponent; all alike where no class has two units.
        self.weights = [staircase.binomial(m) for m in classes.sizes.tolist()]
        self.table: Integers = classes.start[:, None]
        self.value: Floats = np.ones(1)
        self.exponent: Integers = np.zeros(1, dtype=np.int64)
        for c in range(high, len(sizes)):
            j = np.arange(sizes[c] + 1)
            moved = classes.steps[c][:, None] * j
            self.table = (self.table[:, :, None] + moved[:, None, :]).reshape(len(self.table), -1)
            value, exponent = self.weights[c]
            self.value, more = np.frexp((self.value[:, None] * value[j]).ravel())
            self.exponent = (self.exponent[:, None] + exponent[j]).ravel() + more
        self.table = np.ascontiguousarray(self.table)

    def block(self, number: int) -> tuple[Integers, float, int]:
        """The sums of a block, and the probability of its high part, value x 2^exponent."""
        shift = np.zeros(len(self.table), dtype=np.int64)
        value, exponent = 1.0, 0
        for c, outcomes in enumerate(self.high):
            number, j = divmod(number, outcomes)
            shift += self.classes.steps[c] * j
            value, more = math.frexp(value * float(self.weights[c][0][j]))
            exponent += more + int(self.weights[c][1][j])
        return self.table + shift[:, None], value, exponent


#: A number as value x 2^exponent.
_Scaled = tuple[float, int]


def _plus(one: _Scaled, other: _Scaled) -> _Scaled:
    if one[0] == 0 or other[0] == 0:
        return one if other[0] == 0 else other
    common = max(one[1], other[1])
    total = math.ldexp(one[0], one[1] - common) + math.ldexp(other[0], other[1] - common)
    value, more = math.frexp(total)
    return value, common + more


def tail(
    classes: Classes,
    differences: Differences,
    extreme: Callable[[Floats], NDArray[np.bool_]],
    *,
    threads: int = 1,
    progress: Progress | None = None,
) -> tuple[float, int, int | None, bool]:
    """The p-value of a question, value x 2^exponent; the number of shuffles that are at least as
    extreme, of 2^n, if no two units are alike; and whether a score was undefined.
    """
    half = bool((classes.sizes[:1] == 1).any())
    outcomes = Outcomes(classes, half=half)
    rows = outcomes.table.shape[1]
    pool = Pool(range(outcomes.blocks), threads, total=outcomes.blocks * rows)
    # Summed in a fixed order at the end: no thread can change the last bit.
    parts: dict[int, _Scaled] = {}
    count, undefined = 0, False

    def work() -> None:
        nonlocal count, undefined
        for number in pool.blocks():
            sums, value, exponent = outcomes.block(number)
            of_block, some = differences(sums, lambda: bool(pool.stop[0]))
            hits = [extreme(of_block)]
            if half:  # the other half has the negative differences
                hits.append(extreme(-of_block))
            here = 0.0, 0
            for chosen in hits:
                exponents = outcomes.exponent[chosen]
                if exponents.size and not outcomes.equal:
                    largest = int(exponents.max())
                    total = float(np.ldexp(outcomes.value[chosen], exponents - largest).sum())
                    here = _plus(here, (total * value, largest + exponent))
            with pool.lock:
                parts[number] = here
                count += sum(int(np.count_nonzero(chosen)) for chosen in hits)
                undefined |= some
            pool.tick(rows)

    if outcomes.blocks > 1:
        pool.run(work, progress)
    else:  # not worth a thread, nor importing what starts one
        work()
        if progress is not None:
            progress(pool.done, pool.total)
    if outcomes.equal:
        value, exponent = math.frexp(float(count))
        return value, exponent - classes.n_units, count, undefined
    value, exponent = reduce(_plus, (parts[number] for number in range(outcomes.blocks)), (0.0, 0))
    return value, exponent, None, undefined


def distribution(classes: Classes, differences: Differences) -> tuple[Floats, Floats]:
    """All differences and their probabilities; outcomes with the same one are not merged."""
    outcomes = Outcomes(classes)
    values, weights = [], []
    for number in range(outcomes.blocks):
        sums, value, exponent = outcomes.block(number)
        values.append(differences(sums, lambda: False)[0])
        share = np.ldexp(outcomes.value * value, outcomes.exponent + exponent)
        weights.append(np.maximum(share, LEAST))
    return np.concatenate(values), np.concatenate(weights)
