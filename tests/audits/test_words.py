"""The words that are looked at, and the counts of them, against the replay."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from csig import replay
from csig.audits.words import AtHand, Part, Raw, Shuffles, column_sums
from csig.streams import make_source


def coins(source, n, trials, run):
    """Every coin by the replay, (trials, units), and a list of the chunks' sizes."""
    parts, sizes = [], []
    for chunk, start in enumerate(range(0, trials, 2**16)):
        groups = -(-min(2**16, trials - start) // 64)
        words = replay.chunk_words(
            groups * n, entropy=source.entropy, bit_generator=source.factory, run=run, chunk=chunk
        ).reshape(groups, 1, n)
        bits = (words >> np.arange(64, dtype=np.uint64)[:, None]) & np.uint64(1)
        parts.append(bits.reshape(groups * 64, n).astype(np.int64))
        sizes.append(groups * 64)
    return parts, sizes


def test_words_far_from_the_beginning_are_those_of_the_replay():
    words = AtHand(make_source(3), 1, 700, (1500, 64, 5), groups=40)
    chunks = [replay.chunk_words(700 * 40, entropy=3, run=1, chunk=c) for c in range(3)]
    far = [chunks[0][700 * g : 700 * g + 16] for g in range(3, 40)]
    expected = np.concatenate([chunks[0][:1500], *far, chunks[1][:64], chunks[2][:5]])
    np.testing.assert_array_equal(words.words, expected)
    assert [words.place(i) for i in (0, 1499, 1500, 1516, 2092, 2156)] == [
        (0, 0), (0, 1499), (0, 2100), (0, 2800), (1, 0), (2, 0),
    ]  # fmt: skip
    assert [len(groups) for groups in words.groups()] == [2, 0, 0]


@pytest.mark.parametrize(
    ("name", "sizes", "trials"),
    [
        ("PCG64DXSM", (5, 8), 2**16 + 700),
        ("SFC64", (7,), 1000),
        ("Philox", (0, 40), 640),
        ("MT19937", (3, 0), 64),
        ("PCG64", (300,), 2000),
    ],
)
def test_counts_are_those_of_the_replay(name, sizes, trials):
    source, n = make_source(11, name), sum(sizes)
    parts = [Part(f"part{i}", f"given{i}", "done", size) for i, size in enumerate(sizes)]
    found = Shuffles(source, 2, parts, trials)
    chunks, lengths = coins(source, n, trials, run=2)
    assert 64 * found.groups == sum(lengths)
    every = np.concatenate(chunks)
    np.testing.assert_array_equal(found.ones, every.sum(axis=0))
    places = every.sum(axis=1).reshape(-1, 64).sum(axis=0)
    np.testing.assert_array_equal(found.places, places)
    changed = [np.diff(chunk, axis=0) != 0 for chunk in chunks]
    np.testing.assert_array_equal(found.changes, sum(c.sum(axis=0) for c in changed))
    edges = [c[63::64] for c in changed]
    assert found.across == sum(e.sum() for e in edges)
    assert found.within == sum(c.sum() for c in changed) - found.across
    assert found.pairs == sum(len(e) for e in edges)
    columns = [slice(0, sizes[0]), slice(sizes[0], n)][: len(sizes)]
    columns = [c for c, size in zip(columns, sizes, strict=True) if size]
    if len(columns) == 2:
        columns.append(slice(0, n))
    assert len(found.cells) == len(columns)
    for cells, sides, where in zip(found.cells, found.sides, columns, strict=True):
        counts = [chunk[:, where].sum(axis=1) for chunk in chunks]
        expected = np.bincount(np.concatenate(counts), minlength=cells.n + 1)
        inside = expected[cells.low : cells.high + 1].copy()
        inside[0] += expected[: cells.low].sum()
        inside[-1] += expected[cells.high + 1 :].sum()
        np.testing.assert_array_equal(cells.found, inside)
        changes = both = 0
        for count in counts:
            for one, two in itertools.pairwise((2 * count - cells.n).tolist()):
                both += one * two != 0
                changes += one * two < 0
        assert sides == [changes, both]


def test_a_sample_of_the_units_where_there_are_many(monkeypatch):
    monkeypatch.setattr("csig.audits.words.WORDS", 1000)
    monkeypatch.setattr("csig.audits.words.UNITS", 300)
    source = make_source(2)
    assert Shuffles(source, 0, [Part("unit", "x", "y", 100)], 2**20).groups == 10
    many = [Part("a", "x", "y", 200), Part("b", "x", "y", 5000)]
    found = Shuffles(source, 0, many, 2**20)
    assert (found.n, found.groups) == (300, 1)
    words = replay.chunk_words(300, entropy=2)
    np.testing.assert_array_equal(found.ones, np.bitwise_count(words))
    assert found.unit(200) == "b 1 of 100"
    assert {c.n: int(c.found.sum()) for c in found.cells} == {200: 64, 100: 64, 300: 64}


def test_bits_of_the_stream_are_in_order():
    raw = Raw(make_source(4), 1, 2**17)
    words = replay.chunk_words(2**16, entropy=4, run=1)
    stream = sum(int(word) << (64 * i) for i, word in enumerate(words[:100]))
    assert raw.bits[:6400].tolist() == [(stream >> i) & 1 for i in range(6400)]
    np.testing.assert_array_equal(
        raw.heads[0], replay.chunk_words(2**15, entropy=4, run=1, chunk=1)
    )
    assert (
        raw.raw.tolist() == make_source(4).bit_generator("shuffle", 1, 0).random_raw(2**14).tolist()
    )


@given(rows=st.integers(1, 40_000), width=st.sampled_from([31, 64]), seed=st.integers(0, 9))
@settings(max_examples=20)
def test_sums_of_columns(rows, width, seed):
    bits = np.random.default_rng(seed).integers(0, 2, size=(rows, width), dtype=np.uint8)
    np.testing.assert_array_equal(column_sums(bits), bits.sum(axis=0, dtype=np.int64))
