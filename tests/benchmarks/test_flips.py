"""The numpy program that flips are measured beside does what csig does."""

import importlib.util

import numpy as np
import pytest
from places import BENCHMARKS

from csig.engines.flips import flip_hits
from csig.streams import make_source


@pytest.fixture(scope="module")
def flips():
    spec = importlib.util.spec_from_file_location("flips_benchmark", BENCHMARKS / "flips.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("binary", [False, True])
def test_both_programs_count_the_same(flips, binary):
    case = flips.Case(systems=5, units=240, binary=binary, trials=2**15, some=2**13)
    values = np.rint(case.scores * 10**5).astype(np.int64)
    found = flip_hits(values, np.triu_indices(5, 1), make_source(1), case.trials)
    p, hits = found.hits / case.trials, flips.numpy_test(case, np.float64)()
    error = (p * (1 - p) * (1 / case.trials + 1 / case.some)) ** 0.5
    assert 0.0001 < p.min() < 0.5
    assert (np.abs(hits / case.some - p) < 5 * error).all()
