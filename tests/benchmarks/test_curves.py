"""The numpy programs that curves of rankings are measured beside do what csig does."""

from __future__ import annotations

import importlib.util

import numpy as np
import pytest
from places import BENCHMARKS

from csig.engines.flips import in_lists, nested_hits
from csig.streams import make_source


@pytest.fixture(name="curves", scope="module")
def curves_fixture():
    spec = importlib.util.spec_from_file_location("curves_benchmark", BENCHMARKS / "curves.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("dense", [False, True])
@pytest.mark.parametrize("values", [0, 9])
def test_both_programs_count_the_same(curves, values, dense):
    case = curves.Case(300, range(10, 301, 10), values, 2**13, 2**12)
    table, n = case.table(), np.array(case.lengths)
    places = [curves.entered(table[name], n) for name in ("m0", "m1")]
    lists = in_lists(places[0], places[1], table["true"], len(n))
    p = nested_hits(lists, make_source(1), case.trials).hits / case.trials
    hits = curves.numpy_test(case, dense)() / case.some
    error = np.sqrt(p * (1 - p) * (1 / case.trials + 1 / case.some))
    assert 0.001 < p.min() < 0.9
    assert (np.abs(hits - p) < 5 * error + 2 / case.some).all()


def test_limits_are_the_same(curves):
    slow, fast = curves.limits(1000)
    for one, other in zip(slow(), fast(), strict=True):
        assert one == pytest.approx(other, rel=1e-11)
