"""What commands and audits in tests ask for again and again, computed once.

What is found is for tests/audits/test_generator.py and tests/test_intervals.py, which remember
nothing.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import numpy as np
import pytest

from csig.audits import generator
from csig.comparing import intervals
from csig.margins import gate, testing
from csig.probability.margins import Margin

#: What is known in this process, whatever module asked; it is taken only where a module says so.
_GENERATORS: dict[Any, Any] = {}
_TAILS: dict[Any, Any] = {}
_pvalue, _largest_margin, _passes = map(cache, (Margin.pvalue, testing.largest_margin, gate.passes))


@contextmanager
def generators() -> Iterator[None]:
    """The checks of a generator, for as many units and trials."""
    known, original = _GENERATORS, generator.check_generator

    def checked(source: Any, comparison: Any, run: int, n_resamples: int) -> Any:
        words = generator.replay.chunk_words  # which a test may doctor
        key = (repr(source), generator.parts_of(comparison), run, n_resamples, words)
        if key not in known:
            known[key] = original(source, comparison, run, n_resamples)
        return known[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(generator, "check_generator", checked)
        yield


@contextmanager
def tails() -> Iterator[None]:
    """Bounds of p-values on the way to the ends of intervals."""
    known, original = _TAILS, intervals.tail_bounds

    def bounds(values: np.ndarray, *asked: Any) -> Any:
        key = (tuple(values.tolist()), asked)
        if key not in known:
            known[key] = original(values, *asked)
        return known[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(intervals, "tail_bounds", bounds)
        yield


@contextmanager
def margins() -> Iterator[None]:
    """What depends on a few numbers: exact tests at a margin, their limits, what gates see."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Margin, "pvalue", _pvalue)
        patch.setattr(testing, "largest_margin", _largest_margin)
        patch.setattr(gate, "passes", _passes)
        yield
