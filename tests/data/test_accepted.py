"""Which candidates of many samples are accepted, against lists that are sorted one by one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from csig import InputError
from csig.data.accepted import Rule
from csig.data.candidates import candidates

RNG = np.random.default_rng(5)
TABLE = {
    "true": [1, *RNG.integers(0, 2, 59).tolist()],
    "x": RNG.integers(0, 6, 60).tolist(),
    "y": RNG.integers(0, 30, 60).tolist(),
    "part": RNG.integers(0, 5, 60).tolist(),
}
FOUND = candidates(TABLE, ["x", "y"], "true", "y", "part")


def best(rows: list[int], scores: list[float], n: int, ties: str) -> tuple[set[int], bool]:
    order = sorted(rows, key=lambda i: -scores[i])
    whole = {i for i in rows if scores[i] >= scores[order[n - 1]]}
    return (whole if ties == "all" else set(order[:n])), len(whole) > n


@pytest.mark.parametrize("ties", ["all", "first"])
@pytest.mark.parametrize(("i", "scores"), [(0, TABLE["x"]), (1, [-own for own in TABLE["y"]])])
def test_the_best_of_every_sample_and_of_all(ties: str, i: int, scores: list[float]) -> None:
    for n in range(1, 8):
        taken, cuts = Rule(n, None, None, FOUND, "y").accepted(i, FOUND, ties)
        wanted: set[int] = set()
        cut = 0
        for sample in range(5):
            rows = [k for k in range(60) if TABLE["part"][k] == sample]
            own, within = best(rows, scores, n, ties)
            wanted |= own
            cut += within
        assert (set(np.flatnonzero(taken).tolist()), cuts) == (wanted, cut)
    for total in (1, 17, 60):
        taken, cuts = Rule(None, None, total, FOUND, "y").accepted(i, FOUND, ties)
        own, within = best(list(range(60)), scores, total, ties)
        assert (set(np.flatnonzero(taken).tolist()), cuts) == (own, within)


def test_thresholds_are_the_same_in_every_sample() -> None:
    for threshold in ((3, 20), {"y": 20, "x": 3}, np.array([3, 20])):
        rule = Rule(None, threshold, None, FOUND, ["y"])
        assert rule.thresholds == (3, 20)
        assert rule.accepted(0, FOUND, "all")[0].tolist() == [own >= 3 for own in TABLE["x"]]
        assert rule.accepted(1, FOUND, "all")[0].tolist() == [own <= 20 for own in TABLE["y"]]


@pytest.mark.parametrize(
    ("n", "threshold", "total", "message"),
    [
        (None, None, None, "give one of n .*, threshold .* and total"),
        (3, 2, None, "give one of n .*, threshold .* and total"),
        (0, None, None, "n must be an integer from 1"),
        (None, None, 61, "total = 61, but the table has 60 candidates"),
        (None, (1, 2, 3), None, "threshold must be one number or one per method, found 3 for 2"),
        (None, {"x": 2}, None, "threshold: none for 'y'"),
        (None, "high", None, "threshold of x must be a number, found 'high'"),
        (None, (99, 1), None, "no candidate has a score of 99 or better by x"),
    ],
)
def test_what_is_refused(n: Any, threshold: Any, total: Any, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        Rule(n, threshold, total, FOUND, "y")
    assert "\n" not in str(caught.value)


def test_samples_that_are_too_small_are_named() -> None:
    table = {"true": [1, 0, 1, 0], "x": [1, 2, 3, 4], "part": ["a", "a", "a", "b"]}
    found = candidates(table, "x", "true", (), "part")
    with pytest.raises(InputError, match="n = 2, but sample 'b' has 1 candidate; give a smaller n"):
        Rule(2, None, None, found, ())
