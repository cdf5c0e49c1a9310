"""What the kernel of nested lists refuses; what it counts is in tests/engines/test_nested.py."""

from typing import Any

import numpy as np
import pytest

from csig import streams
from csig_ext.nested import Nested

#: Three candidates at four lengths: true from 0 to 2, false against it from 1 on, true from 1 on.
EVENTS = np.array([[0, 0, 1, 1], [1, 1, 0, -1], [2, 0, 1, -1], [1, 2, 1, 1]])
TRUE, FALSE = np.array([1.0, 2, 1, 1]), np.array([0.0, 1, 1, 1])
ONE_MORE = np.eye(4, dtype=np.int64)


def kernel(**changed: Any) -> Nested:
    arguments = {
        "events": EVENTS, "n_rows": 3, "true": TRUE, "false": FALSE,
        "totals": np.array([0.0, 4, 2, 2]), "weights": np.array([1, 0.5, 0.25, 2]),
        "places": np.array([3, 1, 2, 0]), "least": np.array([4, 1.5, 0.5, 0.125]), "isa": 0,
    }  # fmt: skip
    return Nested(**{**arguments, **changed})


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"true": TRUE[:3]}, "different lengths"),
        ({"least": np.zeros(0)}, "no lengths"),
        ({"n_rows": 2}, "other lengths or candidates"),
        ({"events": EVENTS + 4 * ONE_MORE[0]}, "other lengths or candidates"),
        ({"events": EVENTS - ONE_MORE[1]}, "other lengths or candidates"),
        ({"events": EVENTS[:, :3].copy()}, "other lengths or candidates"),
        ({"places": np.array([0, 1, 2, 2])}, "steps are not numbered"),
    ],
)
def test_what_is_refused(changed: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        kernel(**changed)
    hits, small = np.zeros(4, dtype=np.int64), (np.zeros(1, dtype=np.uint64), np.zeros(1))
    entropy = streams.make_source(4).assembled("systems", 0)
    with pytest.raises(ValueError, match="buffer too small"):
        kernel().count("Philox", entropy, 0, 0, 64, small, hits, hits, np.zeros(1, dtype=np.int32))
