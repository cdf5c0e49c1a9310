"""Units with statistics: shuffles against the replay, and what cannot be held or read."""

import itertools
import tracemalloc

import numpy as np
import pytest
from numpy.random import MT19937, PCG64, PCG64DXSM, SFC64, Philox

from csig import Comparison, InputError, Metric, randomization_test, replay
from csig.data import metrics
from csig.engines import questions
from csig.engines.questions import make_question
from csig.engines.shuffle import Run
from csig.streams import make_source
from csig_ext import dispatch

COLUMNS = ("tp", "predicted", "gold")


SIZES = [
    *itertools.product([1, 63, 64, 65, 513], [1, 2, 3, 9]), (2000, 1), (2000, 9), (20_000, 3),
    *(pytest.param(100_000, k, marks=pytest.mark.slow) for k in (1, 2, 3, 9)),
]  # fmt: skip


@pytest.mark.parametrize(("n", "k"), SIZES)
def test_sums_are_the_replays(n, k):
    """Sums of k columns judged by a metric that reads them all, with all instruction sets."""
    rng = np.random.default_rng(n * k)
    a, b = (rng.integers(0, 2 ** (1 + 5 * (k % 3)), size=(n, k)) for _ in "ab")
    names = [f"c{i}" for i in range(k)]
    weights = [1 + i for i in range(k)]
    metric = Metric("m", names, numerator=weights, denominator=weights[::-1])
    comparison = Comparison.from_statistics(a, b, names)
    question = make_question(comparison, metric, "two-sided", 0)
    trials = 1000 if n <= 100 else 350 if n <= 2000 else 130
    expected = replay.unit_hits(a, b, weights, weights[::-1], trials, entropy=5, run=1)
    for isa in dispatch.available:
        run = Run(make_source(5), 1, [question], trials, 2, isa=isa, comparison=comparison)
        assert run() == [expected], isa


@pytest.mark.parametrize("generator", [PCG64DXSM, PCG64, Philox, SFC64, MT19937])
def test_every_generator_and_number_of_threads(generator):
    rng = np.random.default_rng(1)
    gold = rng.integers(0, 9, size=(20, 1))
    tables = []
    for _ in "ab":
        tp = np.minimum(rng.integers(0, 9, size=(20, 1)), gold)
        tables.append(np.hstack([tp, tp + rng.integers(0, 4, size=(20, 1)), gold]))
    n = 2**16 + 99
    expected = replay.unit_hits(
        *tables, (2, 0, 0), (0, 1, 1), n, entropy=9, bit_generator=generator
    )
    for threads in (1, 2, 7):
        found = randomization_test(
            Comparison.from_statistics(*tables, COLUMNS), "f1", method="approximate",
            n_resamples=n, rng=9, bit_generator=generator.__name__, threads=threads,
        )  # fmt: skip
        assert found.n_hits == expected


@pytest.mark.parametrize("isa", dispatch.available)
def test_huge_statistics_do_not_overflow(isa):
    rng = np.random.default_rng(3)
    a, b = (rng.integers(0, 2**54, size=(60, 1)) for _ in "ab")
    a[::2] += b[::2]
    comparison = Comparison.from_statistics(a, b, ["sum"])
    metric = Metric("sum", ["sum"], numerator=[1], denominator=[1])
    question = make_question(comparison, metric, "greater", 0)
    found = Run(make_source(5), 0, [question], 3000, 1, isa=isa, comparison=comparison)()
    assert found == [replay.unit_hits(a, b, [1], [1], 3000, alternative="greater", entropy=5)]


def test_memory_does_not_grow_with_the_trials(monkeypatch):
    # How many rows a function is asked for at once must not hang on the clock.
    monkeypatch.setattr(questions, "seconds_per_row", lambda ask: 1e-6)
    names, peaks = ("x", "y", "z"), []
    comparison = Comparison.from_statistics(
        *np.random.default_rng(4).integers(0, 9, (2, 500, 3)), names
    )
    by_weights = Metric("m", names, numerator=[1] * 3, denominator=[2] * 3)
    asked = [by_weights, Metric("f", names, function=lambda s: s[:, 0] * s[:, -1])]
    for chunks in (1, 4):
        tracemalloc.start()
        try:
            randomization_test(
                comparison, asked, method="approximate", rng=1, threads=2,
                n_resamples=chunks * 2**16,
            )  # fmt: skip
            peaks.append(tracemalloc.get_traced_memory()[1])
        finally:
            tracemalloc.stop()
    assert peaks[1] < min(64 * 2**20, 1.2 * peaks[0] + 2**20)


def test_a_lattice_that_does_not_fit(monkeypatch):
    comparison = Comparison.from_statistics([[1, 2, 3], [3, 3, 3]], [[0, 1, 3], [1, 3, 3]], COLUMNS)
    metric = metrics.precision
    wanted = randomization_test(comparison, metric)
    assert wanted.engine == "lattice"

    def too_large(*arguments, **options):
        raise MemoryError("300 MB are not enough")

    monkeypatch.setattr("csig.engines.lattice.tail", too_large)
    found = randomization_test(comparison, metric)
    assert (found.engine, found.pvalue) == ("enumeration", wanted.pvalue)
    monkeypatch.setattr("csig.engines.enumeration.tail", too_large)
    result = randomization_test(comparison, metric, rng=1)
    assert result.method == "approximate"
    assert result.reason == "the lattice of an exact test does not fit its memory"
    with pytest.raises(InputError, match="no exact test \\(300 MB are not enough\\)"):
        randomization_test(comparison, metric, method="exact")


@pytest.mark.parametrize("weight", [2**62, 2**70])
def test_huge_weights_of_a_column_that_never_differs(weight):
    """It makes a denominator that is the same in every shuffle."""
    names = ("x", "y", "z")
    comparison = Comparison.from_statistics([[1, 2, 0], [1, 1, 1]], [[0, 2, 0], [0, 1, 1]], names)
    metric = Metric("m", names, numerator=(1, 0, 0), denominator=(0, 1, weight))
    assert randomization_test(comparison, metric).pvalue == 0.5
    comparison = Comparison.from_statistics([[1, 2, 0]], [[0, 3, 0]], names)
    with pytest.raises(InputError, match="its weighted sums reach"):
        randomization_test(
            comparison, Metric("m", names, numerator=(weight, 0, 0), denominator=(0, 1, 0))
        )
