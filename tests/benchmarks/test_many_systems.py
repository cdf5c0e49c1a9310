"""The simulation of many systems, in small. Loaded by its path, as in test_runs.py."""

import importlib.util
import sys

import pytest
from places import BENCHMARKS


@pytest.fixture(scope="module")
def simulation():
    spec = importlib.util.spec_from_file_location("many_systems", BENCHMARKS / "many_systems.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["many_systems"] = module
    spec.loader.exec_module(module)
    return module


def test_the_range_is_fooled_by_unequal_variances(simulation):
    simulation.FLIPS, simulation.PERMUTATIONS = 499, 99
    case = simulation.Case("noisy", 40, 30, 3.0)
    holm, flips, ranges = simulation.row(case, data_sets=30, seed=5)
    assert max(holm, flips) <= 0.2
    assert ranges > max(0.1, flips)
