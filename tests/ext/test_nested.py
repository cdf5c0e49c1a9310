"""The kernel of nested lists: sums by definition, the stop flag, and what it refuses."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from csig import replay, streams
from csig_ext import dispatch
from csig_ext.nested import Nested

Table = NDArray[np.int64]

#: Three candidates at four lengths: true from 0 to 2, false against it from 1 on, true from 1 on.
EVENTS: Table = np.array([[0, 0, 1, 1], [1, 1, 0, -1], [2, 0, 1, -1], [1, 2, 1, 1]], dtype=np.int64)
TRUE, FALSE = np.array([1.0, 2, 1, 1]), np.array([0.0, 1, 1, 1])

#: By length: what the candidates give.
GIVES = np.array([[0, 1, 0, 0], [0, 2, 1, 1], [0, 1, 1, 1]])


def kernel(isa: int = 0, **changed: Any) -> Nested:
    """Weights that are no roots of anything, and steps in another order than the lengths."""
    arguments: dict[str, Any] = {
        "events": EVENTS, "n_rows": 3, "true": TRUE, "false": FALSE,
        "totals": GIVES.sum(axis=0).astype(float), "weights": np.array([1, 0.5, 0.25, 2]),
        "places": np.array([3, 1, 2, 0]), "least": np.array([4, 1.5, 0.5, 0.125]), "isa": isa,
    }  # fmt: skip
    return Nested(**{**arguments, **changed})


def count(own: Nested, trials: int, generator: str = "PCG64DXSM", stop: int = 0) -> list[Any]:
    hits, single = np.zeros((2, 4), dtype=np.int64)
    entropy = streams.make_source(4).assembled("systems", 0)
    flag = np.array([stop], dtype=np.int32)
    done = own.count(generator, entropy, 0, 0, trials, own.workspace(generator), hits, single, flag)
    return [done, hits.tolist(), single.tolist()]


@pytest.mark.parametrize("isa", range(len(dispatch.available)))
@pytest.mark.parametrize("trials", [1, 40, 64, 1100])
def test_steps_by_definition(isa: int, trials: int) -> None:
    words = replay.chunk_words(3 * (trials // 64 + 1), engine=2, entropy=4).reshape(-1, 3)
    bits = words[:, None, :] >> np.arange(64, dtype=np.uint64)[:, None] & np.uint64(1)
    signs = 1 - 2 * bits.reshape(-1, 3)[:trials].astype(np.int64)
    t = np.abs(signs @ GIVES) * np.array([1, 0.5, 0.25, 2])
    steps = t[:, [3, 1, 2, 0]]
    least = np.array([4, 1.5, 0.5, 0.125])
    largest = np.maximum.accumulate(steps[:, ::-1], axis=1)[:, ::-1]
    expected = [(own >= least).sum(axis=0).tolist() for own in (largest, steps)]
    assert count(kernel(isa), trials) == [True, *expected]


def test_a_stop_flag_is_seen() -> None:
    for generator in ("PCG64DXSM", "Philox"):
        assert count(kernel(), 64, generator, stop=1)[0] is False


ONE_MORE = np.eye(4, dtype=np.int64)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"true": TRUE[:3]}, "different lengths"),
        ({"least": np.zeros(0)}, "no lengths"),
        ({"n_rows": 2}, "other lengths or candidates"),
        ({"n_rows": 0}, "other lengths or candidates"),
        *(
            ({"events": events.copy()}, "other lengths or candidates")
            for events in (
                EVENTS + 4 * ONE_MORE[0], EVENTS - ONE_MORE[1], EVENTS * (1 + ONE_MORE[3]),
                EVENTS[:, :3],
            )
        ),
        ({"places": np.array([0, 1, 2, 2])}, "steps are not numbered"),
        ({"places": np.array([0, 1, 2, 4])}, "steps are not numbered"),
    ],
)  # fmt: skip
def test_what_is_refused(changed: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        kernel(**changed)


def test_buffers_that_are_too_small() -> None:
    own = kernel()
    hits = np.zeros(4, dtype=np.int64)
    small = np.zeros(1, dtype=np.uint64), np.zeros(1)
    entropy = streams.make_source(4).assembled("systems", 0)
    with pytest.raises(ValueError, match="buffer too small"):
        own.count("Philox", entropy, 0, 0, 64, small, hits, hits, np.zeros(1, dtype=np.int32))
