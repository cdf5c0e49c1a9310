"""What engines give cannot be changed afterwards, and says of itself what is not known."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import pytest

from csig.engines.base import Counts, Engine, Found, Unfit


def test_counts_and_engines_are_frozen():
    counts = Counts(hits=3, n_resamples=10)
    with pytest.raises(FrozenInstanceError):
        counts.hits = 4
    engine = Engine("none", 1, lambda threads, progress: Found(1.0, 0))
    with pytest.raises(FrozenInstanceError):
        engine.cost = 0
    assert engine.run(1, None) == Found(1.0, 0, None, None, False, None, "", False)


def test_what_nobody_counted_is_not_known():
    counts = Counts(hits=3, n_resamples=10)
    assert (counts.near, counts.differences, counts.decision) == (None, None, None)
    assert not counts.undefined


def test_data_that_do_not_fit_end_like_memory_that_does_not_suffice():
    with pytest.raises(MemoryError, match="too narrow"):
        raise Unfit("too narrow")
