"""``python -m benchmarks.shuffled [EXPONENT]``: certified bounds beside very many shuffles.

2,000 real scores, three distances from chance: bounds on the two-sided p-value, the hits among
2^EXPONENT shuffles (2^32: under five minutes each on one core), the processor time of both, and how
many standard errors the hits are away from the bounds.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

import csig
from csig.engines.fourier import enclose
from csig.engines.questions import weights_question

UNITS, EXPONENT = 2000, 32

#: Shifts of the mean, in its standard errors: p near 0.05, 1e-3 and 1e-6.
SHIFTS = 1.96, 3.29, 4.89


class Compared(NamedTuple):
    """A p-value twice."""

    low: float
    high: float
    hits: int
    trials: int
    bounds_seconds: float
    shuffles_seconds: float

    @property
    def errors(self) -> float:
        """Standard errors of the hits from the nearer bound; 0 between them."""
        nearest = min(max(self.hits / self.trials, self.low), self.high)
        spread = math.sqrt(nearest * (1 - nearest) / self.trials)
        return (self.hits / self.trials - nearest) / spread

    def __str__(self) -> str:
        return (
            f"| {self.low:.8g} - {self.high:.8g} | {1e3 * self.bounds_seconds:.3g} ms | "
            f"{self.hits:,} of 2^{math.log2(self.trials):g} | {self.shuffles_seconds:.3g} s | "
            f"{self.hits / self.trials:.8g} | {self.errors:+.2f} |"
        )


def scores(shift: float, units: int = UNITS) -> csig.Comparison:
    """Two systems on the same items; the mean difference is so many standard errors."""
    rng = np.random.default_rng(16)
    d = rng.standard_t(5, units)
    d += shift * math.sqrt(float(d @ d)) / units - d.mean()
    item = rng.normal(size=units)
    return csig.Comparison.from_scores(item + d, item)


def certified(comparison: csig.Comparison) -> tuple[float, float]:
    """Bounds on the two-sided p-value of the mean."""
    question = weights_question(comparison, csig.metrics.mean, "two-sided", 0)
    assert question.line is not None
    assert question.line.low is not None
    assert question.steps is not None
    s = question.line.total - 2 * question.line.low
    found = enclose(np.ascontiguousarray(question.steps[:, 0]), s)
    return math.ldexp(found.low, found.exponent + 1), math.ldexp(found.high, found.exponent + 1)


def compared(shift: float, trials: int, units: int = UNITS) -> Compared:
    """Both ways, on one thread."""
    comparison = scores(shift, units)
    start = time.process_time()
    low, high = certified(comparison)
    middle = time.process_time()
    result = csig.randomization_test(
        comparison, "mean", method="approximate", n_resamples=trials, rng=16, threads=1
    )
    end = time.process_time()
    assert result.n_hits is not None
    return Compared(low, high, result.n_hits, trials, middle - start, end - middle)


def lines(exponent: int) -> Iterator[str]:
    """The table in docs/benchmarks.md."""
    yield "| p between | time | hits | time | hits / shuffles | standard errors |"
    yield "|---|---|---|---|---|---|"
    for shift in SHIFTS:
        yield str(compared(shift, 2**exponent))


if __name__ == "__main__":
    for line in lines(int(sys.argv[1]) if len(sys.argv) > 1 else EXPONENT):
        print(line, flush=True)
