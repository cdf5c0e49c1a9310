"""The shuffle engine against its replay in pure numpy, hit for hit."""

import threading
from functools import cache

import numpy as np
import pytest
from brute import PAPER, SCORES, difference, traded
from drawn import several
from numpy.random import MT19937, PCG64, PCG64DXSM, SFC64, Philox, SeedSequence

from csig import Comparison, InputError, Metric, randomization_test, replay
from csig.data import metrics
from csig.engines import shuffle as shuffling
from csig.engines.questions import make_question
from csig.engines.shuffle import Run
from csig.streams import make_source
from csig_ext import dispatch, shuffle


@pytest.fixture(autouse=True)
def _drawn_once(monkeypatch):
    """Metrics are judged by the same trials of the replay."""
    monkeypatch.setattr(replay, "class_counts", CLASS_COUNTS)


CLASS_COUNTS = cache(replay.class_counts)


def weights(metric):
    return (
        dict(zip(metric.columns, metric.numerator, strict=True)),
        dict(zip(metric.columns, metric.denominator, strict=True)),
    )


def counts_of(correct, spurious, gold_extra=7):
    """Counts whose unique responses are these pairs (only A, only B)."""
    return {
        "gold": sum(correct) + 5 + gold_extra, "both_correct": 5, "both_spurious": 2,
        "only_a_correct": correct[0], "only_b_correct": correct[1],
        "only_a_spurious": spurious[0], "only_b_spurious": spurious[1],
    }  # fmt: skip


def hits(metric="f1", comparison=None, **options):
    """Of the paper's example by default; for several metrics a list."""
    found = randomization_test(
        comparison or Comparison.from_counts(**PAPER), metric,
        **({"method": "approximate", "rng": 1} | options),
    )  # fmt: skip
    return found.n_hits if isinstance(metric, (str, Metric)) else [r.n_hits for r in found.values()]


def test_numbers_of_trials_at_every_border():
    x, y = replay.class_counts(34, 52, 131_073, entropy=4)
    sizes = [[abs(difference(PAPER, SCORES["f1"], i, j, 0)) for j in range(53)] for i in range(35)]
    extreme = np.array([[own >= sizes[28][43] for own in row] for row in sizes])[x, y]
    for n in (1, 63, 64, 65, 511, 512, 513, 65_535, 65_536, 65_537, 131_073):
        assert hits(n_resamples=n, rng=4) == extreme[:n].sum(), n


# Class sizes on both sides of every border in the kernel: bytes, one table, many
# responses in pieces, judged one by one; empty classes; odd remainders.
SIZES = [
    ((28, 6), (43, 9), 70_001), ((1, 0), (0, 0), 1000),
    ((0, 0), (0, 0), 1000), ((0, 0), (3, 2), 1000),
    ((20, 12), (0, 0), 65_536), ((130, 125), (131, 124), 3000),
    ((130, 126), (131, 124), 3000), ((400, 370), (500, 520), 1001),
    ((1020, 1028), (0, 0), 700), ((1400, 1300), (5, 9), 300),
    ((900, 850), (800, 810), 300), ((5000, 4900), (0, 3), 100),
]  # fmt: skip


@pytest.mark.parametrize(("correct", "spurious", "n"), SIZES)
def test_every_size_and_instruction_set(correct, spurious, n):
    counts = counts_of(correct, spurious)
    comparison = Comparison.from_counts(**counts)
    source = make_source(20, "PCG64DXSM")
    for metric in (metrics.f1, metrics.recall):
        question = make_question(comparison, metric, "two-sided", 0)
        expected = replay.class_hits(counts, *weights(metric), n, entropy=20, run=2)
        for isa in dispatch.available:
            run = Run(source, 2, [question], n, 1, isa=isa, comparison=comparison)
            assert run() == [expected], isa


@pytest.mark.parametrize(
    ("generator", "alternative", "threads"),
    [(PCG64DXSM, "two-sided", 1), (PCG64DXSM, "greater", 7), (PCG64, "less", 2),
     (Philox, "greater", 2), (SFC64, "two-sided", 7), (MT19937, "less", 1)],
)  # fmt: skip
def test_every_generator_and_number_of_threads(generator, threads, alternative, monkeypatch):
    monkeypatch.setattr(shuffling, "CALL_WORDS", 22 * 1024)  # one chunk a call
    n, counts = several(2**16, 3 * 2**16) + 77, counts_of((9, 4), (6, 3))
    found = randomization_test(
        Comparison.from_counts(**counts), ["precision", "f1"],
        method="approximate", n_resamples=n, alternative=alternative, threads=threads,
        rng=SeedSequence(99, spawn_key=(7,)), bit_generator=generator.__name__,
    )  # fmt: skip
    for name, result in found.items():
        expected = replay.class_hits(
            counts, *weights(metrics.get(name)), n, alternative=alternative,
            entropy=99, spawn_key=(7,), bit_generator=generator,
        )  # fmt: skip
        assert result.n_hits == expected
        assert result.pvalue == (expected + 1) / (n + 1)


def test_the_same_hits():
    """When the systems are traded; of a run without a seed; of ties that doubles do not see."""
    assert hits(SCORES) == hits(SCORES, Comparison.from_counts(**traded(PAPER)))
    first = randomization_test(Comparison.from_counts(**PAPER), "f1", method="approximate")
    assert first.n_hits == hits(rng=first.seed.entropy, bit_generator=first.seed.bit_generator)
    #: Proportional to F1 in scores that differ in the fifteenth digit or not at all.
    heavy = Metric(
        "heavy", ("tp", "predicted", "gold"),
        numerator=(10**13 + 1, 0, 0), denominator=(0, 10**13, 10**13),
    )  # fmt: skip
    assert hits() == hits(heavy)


@pytest.mark.parametrize(("correct", "spurious"), [(34, 52), (3000, 10)])
def test_a_stop_flag_ends_the_loop(correct, spurious):
    """Raised while the kernel runs: it must look again and again, not only at first."""
    words = shuffle.workspace(correct, spurious)
    table = np.zeros((correct + 1) * (spurious + 1), dtype=np.uint64)
    stop = np.zeros(1, dtype=np.int32)
    entropy = make_source(1).assembled("shuffle", 0)
    arguments = (words, table, None, None, stop, 0)
    assert shuffle.classes("PCG64DXSM", entropy, correct, spurious, 0, 1000, *arguments)
    assert table.sum() == 1000
    timer = threading.Timer(0.1, stop.fill, (1,))
    timer.start()
    # Without a look at the flag this takes hours.
    assert not shuffle.classes("PCG64DXSM", entropy, correct, spurious, 0, 2**45, *arguments)
    timer.join()


def test_an_error_in_a_thread_reaches_the_caller():
    calls = []

    def factory(seed):
        calls.append(threading.get_ident())
        if len(calls) > 3:
            raise RuntimeError("no more words")
        return SFC64(seed)

    with pytest.raises(RuntimeError, match="no more words"):
        hits(bit_generator=factory, threads=3)


def test_progress_ends_at_the_total_and_changes_nothing(monkeypatch):
    seen = []
    assert hits(progress=lambda *both: seen.append(both)) == hits()
    assert seen[-1] == (2**20, 2**20)
    monkeypatch.setattr("csig.engines.pool.LOOK", 60)  # the threads are done before anybody looks
    seen.clear()
    hits(n_resamples=64, progress=lambda *both: seen.append(both))
    assert seen == [(64, 64)]


def test_fewer_threads_than_asked_for_give_the_same(monkeypatch):
    arguments = {"bit_generator": "SFC64", "threads": 5}
    expected = hits(**arguments)
    real, started = threading.Thread.start, []

    def start(self):
        if len(started) == 2:
            raise RuntimeError("can't start new thread")
        started.append(self)
        real(self)

    monkeypatch.setattr(threading.Thread, "start", start)
    assert hits(**arguments) == expected
    with pytest.raises(InputError, match="threads: not even one can be started"):
        hits(**arguments)
