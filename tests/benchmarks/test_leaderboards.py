"""What is timed is what is said. Loaded by its path, as in test_runs.py."""

import importlib.util

import pytest
from places import BENCHMARKS


@pytest.fixture(scope="module")
def timed():
    spec = importlib.util.spec_from_file_location("leaders", BENCHMARKS / "leaderboards.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_both_ways_run(timed):
    timed.ROUNDS = 1
    scores = timed.table(4, 60)
    assert [len(own) for own in scores.values()] == [60] * 4
    assert timed.in_memory(scores) > 0
    assert timed.from_a_file(scores) > 0
