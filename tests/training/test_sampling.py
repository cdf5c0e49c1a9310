"""Training samples: what Krymolowski (2001) asks of them, and the words of docs/streams.md."""

import re
import sys

import numpy as np
import pytest
from drawn import examples
from hypothesis import given
from hypothesis import strategies as st
from numpy.random import MT19937, SFC64, SeedSequence
from places import DOCS
from written import refusal

from csig import replay
from csig.training import resample_training, sampling

CORPORA = st.lists(st.integers(0, 6), min_size=1, max_size=40).filter(any)
SEEDS = st.integers(0, 2**40)


@given(instances=CORPORA, size=st.integers(1, 200), seed=SEEDS)
@examples(200)
def test_bootstrap_ends_with_the_sentence_that_reaches_the_size(instances, size, seed):
    for sample in resample_training(len(instances), size, instances=instances, n_samples=2,
                                    rng=seed):  # fmt: skip
        held = [instances[i] for i in sample.indices]
        assert sum(held) == sample.n_instances >= size
        assert sum(held[:-1]) < size
        assert sorted({*sample.indices.tolist(), *sample.held_out.tolist()}) == list(
            range(len(instances))
        )
        assert not set(sample.indices.tolist()) & set(sample.held_out.tolist())


@given(n=st.integers(2, 60), k=st.integers(2, 12), repeats=st.integers(1, 3), seed=SEEDS)
@examples(200)
def test_k_fold_parts_are_disjoint_and_complete(n, k, repeats, seed):
    k = min(n, k)
    samples = resample_training(n, method="kfold", k=k, n_samples=k * repeats, rng=seed)
    for r in range(repeats):
        parts = [sample.held_out.tolist() for sample in samples[r * k : r * k + k]]
        assert sorted(i for part in parts for i in part) == list(range(n))
        assert max(map(len, parts)) - min(map(len, parts)) <= 1
        for sample, part in zip(samples[r * k : r * k + k], parts, strict=True):
            assert sample.indices.tolist() == sorted(set(range(n)) - set(part))


@given(instances=CORPORA, size=st.integers(1, 40), disjoint=st.booleans(), seed=SEEDS)
@examples(200)
def test_subsamples_are_as_equal_as_whole_sentences_allow(instances, size, disjoint, seed):
    size = min(size, sum(instances))
    fits = 1 if disjoint else 3
    samples = resample_training(len(instances), size, "subsample", instances=instances,
                                n_samples=fits, disjoint=disjoint, rng=seed)  # fmt: skip
    for sample in samples:
        assert len(set(sample.indices.tolist())) == len(sample.indices)
        assert size <= sample.n_instances < size + max(instances)


def test_disjoint_subsamples_share_no_sentence():
    instances = [2, 1, 0, 4, 1] * 20
    samples = resample_training(100, 30, "subsample", instances=instances, n_samples=5, rng=3)
    drawn = [i for sample in samples for i in sample.indices.tolist()]
    assert len(drawn) == len(set(drawn))
    message = refusal(resample_training, 100, 30, "subsample", instances=instances, n_samples=6,
                      rng=3)  # fmt: skip
    assert "room for 5 disjoint samples of at least 30 instances, found 6" in message
    first = resample_training(100, 30, "subsample", instances=instances, disjoint=False, rng=3)[0]
    assert first.indices.tolist() == samples[0].indices.tolist()


GENERATORS = {name: getattr(np.random, name) for name in ("PCG64DXSM", "PCG64", "Philox")} | {
    "SFC64": SFC64,
    "MT19937": MT19937,
}


@pytest.mark.parametrize(
    ("name", "n"),
    [*((name, 7) for name in GENERATORS),
     *(("Philox", n) for n in (1, 2, 1000, 2**16)), ("PCG64", 2**16 + 1)],
)  # fmt: skip
def test_every_sample_is_that_of_the_replay(name, n):
    instances = np.random.default_rng(n).integers(0, 4, n)
    instances[0] = 1
    seed = SeedSequence(9, spawn_key=(4,))
    own = {"entropy": 9, "spawn_key": (4,), "bit_generator": GENERATORS[name]}
    given = {"rng": seed, "bit_generator": name}
    size = min(3000, int(instances.sum()))
    for number, sample in enumerate(
        resample_training(n, size, instances=instances, n_samples=2, **given)
    ):
        expected = replay.training_bootstrap(instances.tolist(), size, sample=number, **own)
        assert sample.indices.tolist() == expected
    order = replay.training_order(n, chunk=1, **own)
    if n > 1:
        folds = resample_training(n, method="kfold", k=2, n_samples=4, **given)
        half = -(-n // 2)
        assert folds[2].held_out.tolist() == sorted(order[:half])
        assert folds[3].held_out.tolist() == sorted(order[half:])
    some = resample_training(n, 1, "subsample", n_samples=2, disjoint=False, **given)
    assert some[1].indices.tolist() == order[:1]


def test_the_numbers_of_the_contract():
    page = " ".join((DOCS / "streams.md").read_text(encoding="utf-8").split())
    found = re.search(r"chunk 0 is (0x\w+), bootstrap sample 0 is ([\d ]+), the order of chunk 0 "
                      r"is ([\d ]+)\.", page)  # fmt: skip
    assert found is not None
    assert int(replay.chunk_words(1, entropy=1, engine=3)[0]) == int(found[1], 16)
    assert resample_training(10, rng=1)[0].indices.tolist() == list(map(int, found[2].split()))
    order = list(map(int, found[3].split()))
    fifths = resample_training(10, method="kfold", k=10, rng=1)
    assert [int(sample.held_out[0]) for sample in fifths] == order


@pytest.mark.parametrize("method", ["bootstrap", "kfold", "subsample"])
def test_a_generator_that_repeats_itself_is_refused_after_equal_words(monkeypatch, method):
    """Of 64-bit words no test would live to see two that are equal."""
    stream = iter([[5, 3, 5], [9, 1, 4]])
    monkeypatch.setattr(sampling.streams, "draw", lambda *_: np.array(next(stream), np.uint64))
    fold = resample_training(3, method="kfold", k=3, rng=1)
    assert [int(fold[i].held_out[0]) for i in range(3)] == [1, 2, 0]
    monkeypatch.setattr(sampling.streams, "draw", lambda _, n: np.zeros(n, np.uint64))
    options = {"kfold": {"k": 3}, "subsample": {"size": 2, "disjoint": False}}.get(method, {})
    message = refusal(lambda: resample_training(3, method=method, rng=1, **options)[0])
    assert message.startswith("rng: the generator ")


def test_a_sample_can_be_drawn_alone():
    samples = resample_training(50, rng=2, n_samples=20)
    assert samples[-1].indices.tolist() == list(samples)[19].indices.tolist()
    longer = resample_training(50, rng=2, n_samples=30)
    assert longer[7].indices.tolist() == samples[7].indices.tolist()
    assert [sample.number for sample in samples[3:9:2]] == [3, 5, 7]
    assert len(samples) == 20
    with pytest.raises(IndexError):
        samples[20]


def test_sizes_of_corpora_and_samples():
    for asked, n_units, size in (
        ((["a", "b", "c"],), 3, 3), ((np.zeros((4, 2)),), 4, 4), ((10,), 10, 10),
        ((2**30,), 2**30, 2**30), ((5, 2**26), 5, 2**26),
    ):  # fmt: skip
        found = resample_training(*asked, rng=1)
        assert (found.n_units, found.size) == (n_units, size)
    assert resample_training(3, instances=[1, 5, 3], rng=1).size == 9
    assert resample_training(5, 2**30, instances=[100] * 5, rng=1).size == 2**30
    assert [s.independent for s in (
        resample_training(9, rng=1), resample_training(9, method="kfold", k=3, rng=1),
        resample_training(9, 3, "subsample", rng=1),
        resample_training(9, 3, "subsample", disjoint=False, rng=1),
    )] == [True, False, False, True]  # fmt: skip


def test_threads_may_share_samples():
    """As if another thread asked for another order between any two lines of this one."""
    samples = resample_training(9, method="kfold", k=3, n_samples=6, rng=1)
    expected = [sample.indices.tolist() for sample in samples]
    interrupted = []

    def trace(frame, event, _):
        if frame.f_code.co_name == "order":
            interrupted.append(event)
            samples.order(2 + len(interrupted))
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        found = [samples[i].indices.tolist() for i in range(6)]
    finally:
        sys.settrace(before)
    assert found == expected
    assert "line" in interrupted
