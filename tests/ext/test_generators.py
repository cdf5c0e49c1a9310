"""The native generators give numpy's numbers, word for word, on every path."""

import os
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from drawn import several
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.random import Generator, SeedSequence
from places import ROOT

from csig.base.defaults import GENERATORS
from csig.streams import Source, known_answers, make_source
from csig_ext import dispatch, generators

ISAS = range(len(dispatch.available))


def stream(source: Source, run: int = 0) -> generators.Stream:
    return generators.Stream(source.name, source.assembled("shuffle", run))


@pytest.mark.parametrize("isa", ISAS)
@pytest.mark.parametrize("name", generators.NATIVE)
@settings(max_examples=several(20, 100))
@given(
    entropy=st.integers(0, 2**300) | st.lists(st.integers(0, 2**70), min_size=1, max_size=4),
    key=st.lists(st.integers(0, 2**32 - 1), max_size=3),
    sizes=st.lists(st.integers(0, 400), min_size=1, max_size=8),
)
def test_words_are_numpys_whatever_the_pieces(name, isa, entropy, key, sizes):
    source = make_source(SeedSequence(entropy, spawn_key=tuple(key)), name)
    native, numpys = stream(source, run=3), source.bit_generator("shuffle", 3, 0)
    for size in sizes:
        words = np.empty(size, dtype=np.uint64)
        native.fill(words, isa)
        np.testing.assert_array_equal(words, numpys.random_raw(size))


@pytest.mark.parametrize("name", generators.NATIVE)
@given(sizes=st.lists(st.tuples(st.integers(0, 9), st.integers(0, 300)), min_size=1, max_size=6))
def test_words_are_left_out(name, sizes):
    source = make_source(1, name)
    native, numpys = stream(source), source.bit_generator("shuffle", 0, 0)
    for drawn, skipped in sizes:
        words = np.empty(drawn, dtype=np.uint64)
        native.fill(words, 0)
        np.testing.assert_array_equal(words, numpys.random_raw(drawn))
        native.skip(skipped)
        numpys.random_raw(skipped)


@pytest.mark.parametrize("name", generators.NATIVE)
@pytest.mark.parametrize("times", [1, 2, 7])
def test_very_many_words_are_left_out(name, times):
    """Beyond 2^64 words, where the lowest part of Philox's counter of blocks begins anew."""
    source = make_source(1, name)
    native, numpys = stream(source), source.bit_generator("shuffle", 0, 0)
    skipped = 2**64 - 4
    for _ in range(times):
        native.skip(skipped)
    numpys.advance(times * (skipped // 4 if name == "Philox" else skipped))
    words = np.empty(9, dtype=np.uint64)
    native.fill(words, 0)
    np.testing.assert_array_equal(words, numpys.random_raw(9))


def test_only_native_generators_leave_out_words():
    with pytest.raises(TypeError, match="native"):
        generators.Stream(np.random.SFC64(1)).skip(1)


@pytest.mark.parametrize("name", GENERATORS)
@pytest.mark.parametrize("seed", [0, 0xDEADBEAF])
def test_known_answers(name, seed):
    """BitGenerator(seed) has no spawn key."""
    known = known_answers(name, seed)
    assert sorted(known) == [0, 1, 999]
    words = getattr(np.random, name)(seed).random_raw(1000)
    assert {number: int(words[number]) for number in known} == known


@pytest.mark.parametrize("portable", [False, True])
def test_known_answers_in_c(portable, tmp_path):
    """The kernels without Python, and without what a compiler may offer."""
    if not (compiler := shutil.which("cc")):
        pytest.skip("no C compiler")
    program, source = tmp_path / "known_answers", ROOT / "csig_ext" / "src"
    files = Path(__file__).with_name("known_answers.c"), source / "generators.c"
    flags = "-std=c11", "-O0", f"-I{source}", *["-DCSIG_PORTABLE=1"] * portable
    plain = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
    subprocess.run([compiler, *flags, *files, "-o", program], check=True, env=plain)
    answers = ROOT / "csig_ext" / "known_answers.txt"
    done = subprocess.run([program, answers], capture_output=True, text=True, env=plain)
    compared = {f"{18 * n} words\n" for n in ([1] if portable else [1, 2, 3])}
    assert done.returncode == 0, done.stdout
    assert done.stdout in compared


@pytest.mark.parametrize("name", GENERATORS)
@pytest.mark.parametrize("testset", [1, 2])
def test_published_vectors(name, testset, shared_data):
    """As numpy's file, BitGenerator(seed): no spawn key, so the entropy stands alone."""
    path = shared_data("rng_known_answers") / f"numpy_{name.lower()}-testset-{testset}.csv"
    seed, *words = (int(line.split(",")[1], 16) for line in path.read_text().splitlines())
    assert known_answers(name, seed) == {number: words[number] for number in (0, 1, 999)}
    if name in generators.NATIVE:
        found = np.empty(1000, dtype=np.uint64)
        generators.Stream(name, np.array([seed], dtype=np.uint32)).fill(found, 0)
        assert found.tolist() == words


@pytest.mark.parametrize("name", ["SFC64", "MT19937", "PCG64"])
def test_foreign_generators_are_numpys(name):
    ours, numpys, raw, plain = (getattr(np.random, name)(SeedSequence(5)) for _ in range(4))
    words, out = np.empty((2, 1001), dtype=np.uint64)
    generators.Stream(ours).fill(words, 0)
    expected = Generator(numpys).integers(0, 2**64, size=1001, dtype=np.uint64)
    np.testing.assert_array_equal(words, expected)
    assert generators.raw(raw, out)
    np.testing.assert_array_equal(out, plain.random_raw(1001))


def test_a_generator_written_in_python_is_refused():
    class Fake(np.random.BitGenerator):
        def __init__(self, seed=None):
            super().__init__(seed)

    with pytest.raises(TypeError, match="no compiled next_uint64"):
        generators.Stream(Fake(1))
    with pytest.raises(TypeError, match="no compiled next_uint64"):
        generators.raw(Fake(1), np.empty(1, dtype=np.uint64))
    with pytest.raises(TypeError, match="not a numpy BitGenerator"):
        generators.Stream(object())


def test_instruction_sets_are_ordered_and_one_is_chosen():
    assert dispatch.available[0] == "base"
    assert set(dispatch.available) <= set(dispatch.built)
    assert dispatch.chosen in dispatch.available
    assert [dispatch.number(isa) for isa in dispatch.available] == list(ISAS)
