"""The simulation of runs, in small: what the test costs as one of methods; what intervals hold.

Loaded by its path: with the whole checkout on the path, its uncompiled sources would stand before
an installed csig.
"""

import importlib.util

import pytest
from places import BENCHMARKS


@pytest.fixture(scope="module")
def simulation():
    spec = importlib.util.spec_from_file_location("runs_simulation", BENCHMARKS / "runs.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_test_takes_runs_as_given_and_the_interval_does_not(simulation):
    rejected, alone, both, _, of_runs = simulation.row(
        simulation.Case("means", 60, 3, 4.0), data_sets=100, seed=3, bootstrap=False
    )
    assert of_runs > 0.6
    assert rejected > 0.2
    assert alone < 0.8
    assert both > 0.85  # of 0.95, with a standard error of 0.022


@pytest.mark.parametrize("model", ["accuracy", "F1"])
def test_without_run_effects_both_are_right(simulation, model):
    rejected, alone, both, crossed, _ = simulation.row(
        simulation.Case(model, 60, 3, 0.0), data_sets=40, seed=4
    )
    assert rejected <= 0.2
    assert min(alone, both, crossed) > 0.8
