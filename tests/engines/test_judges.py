"""What judges have in common, with a judge that only remembers."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from csig.engines.questions import GIVEN, PAIRS, Judge, Shared, extreme, taken


class Remembering(Judge):
    """Keeps what it is given; stops after some calls."""

    def __init__(self, calls: int) -> None:
        super().__init__(None, Shared(threading.Lock(), np.zeros(1, dtype=np.int32), 0))
        self.calls = calls
        self.given: list[tuple[list[list[int]], int, int]] = []

    def add(self, sums, n_trials, start):
        self.given.append((sums.tolist(), n_trials, start))
        if len(self.given) == self.calls:
            self.shared.stop[0] = 1

    def add_table(self, table, columns):
        raise AssertionError


def test_what_is_given_to_a_is_taken_from_nothing():
    x, y = np.array([0, 1, 0, 3]), np.array([0, 0, 1, 2])
    assert taken(x, y).T.tolist() == (np.stack([x, y], axis=1) @ GIVEN).tolist()
    assert taken(x, y)[:, 3].tolist() == [-3, -5]  # three correct ones, five in all


@pytest.mark.parametrize("n", [1, PAIRS, 2 * PAIRS + 3])
def test_pairs_come_in_blocks_that_keep_their_places(n):
    x = np.arange(n, dtype=np.uint32)
    judge = Remembering(0)
    judge.add_pairs(x, np.ones_like(x), 100)
    assert [start for _, _, start in judge.given] == list(range(100, 100 + n, PAIRS))
    assert sum(trials for _, trials, _ in judge.given) == n
    whole = np.concatenate([np.array(sums) for sums, _, _ in judge.given], axis=1)
    assert whole.tolist() == taken(x.astype(np.int64), np.ones(n, dtype=np.int64)).tolist()


def test_a_stopped_judge_takes_no_further_block():
    x = np.zeros(3 * PAIRS, dtype=np.uint32)
    judge = Remembering(2)
    judge.add_pairs(x, x, 0)
    assert len(judge.given) == 2


@pytest.mark.parametrize(
    ("alternative", "expected"),
    [
        ("greater", [False, False, False, True, True]),
        ("less", [True, True, True, True, False]),
        ("two-sided", [True, True, False, True, True]),
    ],
)
def test_ties_are_extreme(alternative, expected):
    found = np.array([-3.0, -2.0, 0.0, 2.0, 2.5])
    assert extreme(found, 2.0, alternative, certain=False).tolist() == expected
    assert extreme(found, 2.0, alternative, certain=True).all()
