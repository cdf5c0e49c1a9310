"""Sums of shuffles, column by column, against the replay: equal and opposite units count once."""

import tracemalloc

import numpy as np
import pytest
from drawn import examples
from hypothesis import given
from hypothesis import strategies as st

from csig import replay
from csig.streams import make_source
from csig_ext import dispatch
from csig_ext.sums import STEP, Columns, Walk

RUNNING = np.zeros(1, dtype=np.int32)


def sums_of(table, n_trials, isa="base", generator="PCG64DXSM", alone=()):
    columns = Columns(np.ascontiguousarray(table, dtype=np.int64), alone)
    source = make_source(11, generator)
    made, entropy = generator, source.assembled("shuffle", 2)
    if not source.native:
        made, entropy = source.bit_generator("shuffle", 2, 0), None
    sums = np.full((columns.n_columns, n_trials), 77, dtype=np.int64)
    walk = Walk(columns, made, entropy, 0, dispatch.number(isa))
    assert walk.next(n_trials, columns.workspace(made), sums, RUNNING)
    return sums.T


def replayed(table, n_trials, generator="PCG64DXSM"):
    kind = getattr(np.random, generator)
    return replay.unit_sums(np.asarray(table), n_trials, entropy=11, run=2, bit_generator=kind)


def few_classes(n, steps, seed=0):
    """Units with one of some steps, or the opposite."""
    rng = np.random.default_rng(seed)
    return rng.choice(np.array(steps), size=n) * rng.choice([-1, 1], size=(n, 1))


def documents(n=2000):
    rng = np.random.default_rng(4)
    tp = rng.binomial(12, 0.6, (2, n))
    predicted = tp + rng.poisson(4, (2, n))
    return np.stack([tp[0] - tp[1], predicted[0] - predicted[1]], axis=1)


LARGE = 2**62 - 1
TABLES = {
    "documents": documents(),
    "one class": few_classes(300, [[5, -3]]),
    "one class, one sign": np.full((300, 2), [5, -3]),
    "one class of one column": few_classes(130, [[7]]),
    "a column of zeros": few_classes(300, [[3, 0, 1], [1, 0, 3], [7, 0, -7]]),
    "zeros": np.zeros((70, 2)),
    "some units of zeros": few_classes(300, [[0, 0], [3, 5], [0, 7]]),
    "all distinct": np.arange(-150, 151)[:, None] * [1, 1000],
    "distinct and equal": np.vstack([few_classes(200, [[3, 7]]), np.arange(80).reshape(40, 2)]),
    "digits beyond the last bit": [[3], [-3], [3], [3], [3]],
    "one unit": [[LARGE, -LARGE, 1]],
    "opposite giants": [[2**61 - 1, 3], [-(2**61 - 1), 3], [1, -3]],
    "huge equal ones": few_classes(500, [[2**52 - 1, 0x5555555555555], [1, 3]]),
    "huge distinct ones": np.random.default_rng(6).integers(-(2**51), 2**51, (500, 2)),
    "many columns": few_classes(200, np.random.default_rng(5).integers(-9, 10, (12, 20))),
    "a piece": few_classes(2048, [[3, 1], [0, 11], [7, 7]]),
    "a piece and one": few_classes(2049, [[3, 1], [0, 11], [7, 7]]),
    "classes of the first piece": np.vstack(
        [few_classes(2048, [[3, 5]]), np.arange(4100)[:, None] * [1, 3]]
    ),
    "classes of the last piece": np.vstack(
        [np.arange(4096)[:, None] * [1, 3], few_classes(99, [[3, 5]])]
    ),
}


@pytest.mark.parametrize("isa", dispatch.available)
@pytest.mark.parametrize("name", TABLES)
def test_sums_are_the_replays(name, isa):
    table = np.asarray(TABLES[name], dtype=np.int64)
    n_trials = 333 if len(table) > 500 else 2 * STEP + 65
    np.testing.assert_array_equal(sums_of(table, n_trials, isa), replayed(table, n_trials))


@pytest.mark.parametrize("n", [2**17 - 1, 2**17, 2**17 + 1])
def test_lists_that_are_made_in_parts(n):
    """The last unit has more digits than all the others, or is alone in its column."""
    table = np.zeros((n, 1), dtype=np.int64)
    table[:, 0] = few_classes(n, [[1], [3]])[:, 0]
    table[-1] = 0x5555555555
    np.testing.assert_array_equal(sums_of(table, 70), replayed(table, 70))
    wide = np.zeros((n // 2 + 1, 2), dtype=np.int64)
    wide[:, 0], wide[-1] = table[: len(wide), 0], [-(2**40), 3]
    np.testing.assert_array_equal(sums_of(wide, 70), replayed(wide, 70))


def test_the_lists_of_many_units_take_little_beside_them():
    table = np.random.default_rng(3).integers(-3, 4, (400_000, 3))
    tracemalloc.start()
    try:
        columns = Columns(table)
        kept, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert columns.additions < 3 * len(table)
    assert peak < 2 * kept + 8 * 2**20


@pytest.mark.parametrize("generator", ["PCG64DXSM", "Philox"])
def test_a_walk_in_pieces_until_it_is_stopped(generator):
    table = few_classes(300, [[1, 3], [7, -7]])
    columns = Columns(table)
    entropy = make_source(11, generator).assembled("shuffle", 2)
    walk = Walk(columns, generator, entropy, 0, dispatch.number())
    sums, parts = np.empty((2, STEP), dtype=np.int64), []
    more = columns.workspace(generator), sums
    for n_trials in (STEP, STEP, 99):
        assert walk.next(n_trials, *more, RUNNING)
        parts.append(sums[:, :n_trials].T.copy())
    np.testing.assert_array_equal(np.vstack(parts), replayed(table, 2 * STEP + 99, generator))
    assert not walk.next(99, *more, np.ones(1, dtype=np.int32))


@st.composite
def tables(draw):
    """Few different steps, of any size, each for some units and opposite ones."""
    k = draw(st.integers(1, 4))
    size = draw(st.sampled_from([1, 3, 15, 2**20, 2**54]))
    step = st.lists(st.integers(-size, size), min_size=k, max_size=k)
    steps = draw(st.lists(step, min_size=1, max_size=6))
    n = draw(st.integers(1, 200))
    return few_classes(n, steps, seed=draw(st.integers(0, 99)))


@examples(300)
@given(
    table=tables(),
    isa=st.sampled_from(dispatch.available),
    generator=st.sampled_from(["PCG64DXSM", "PCG64", "Philox", "SFC64"]),
)
def test_any_steps(table, isa, generator):
    found = sums_of(table, 200, isa, generator)
    np.testing.assert_array_equal(found, replayed(table, 200, generator))


@examples(200)
@given(table=tables(), isa=st.sampled_from(dispatch.available), data=st.data())
def test_columns_that_are_alone(table, isa, data):
    """Beside a column of many steps, so that counting each by itself is faster."""
    rng = np.random.default_rng(len(table))
    table = np.hstack([rng.integers(-3, 4, (len(table), 2)), table])
    place = st.integers(0, table.shape[1] - 1)
    alone = data.draw(st.lists(place, unique=True))
    found = sums_of(table, 200, isa, alone=alone)
    np.testing.assert_array_equal(found, replayed(table, 200))


def test_columns_of_many_steps_are_counted_alone_in_every_piece():
    rng = np.random.default_rng(7)
    table = np.hstack([rng.integers(-20, 21, (4500, 1)), documents(4500)])
    assert Columns(table, [0]).additions < 0.8 * Columns(table).additions
    np.testing.assert_array_equal(sums_of(table, 70, alone=[0]), replayed(table, 70))
    same = few_classes(4500, [[1, 3, 5], [7, -7, 2]])  # one count serves all columns
    assert Columns(same, [1, 2]).additions == Columns(same).additions


def test_classes_and_digits_of_either_sign_save_additions():
    """One addition for each bit that is set, without them; lists are filled up to eight."""
    table = documents()
    assert Columns(table).additions < 0.75 * sum(int(v).bit_count() for v in table.ravel())
    one = few_classes(2000, [[21, -85]])  # 14,000 bits; counted once, and seven times eleven planes
    assert 2000 + 77 <= Columns(one).additions < 2000 + 77 + 300
    few = np.repeat([[21, 85]], 2, axis=0)
    assert Columns(few).additions <= 14 + 7 * 6
    distinct = 2 ** np.arange(20)[:, None] * [1, 1]
    assert Columns(distinct).additions == 8 * 40  # no class, and each bit has a list of its own
    runs = (2**30 - 1) * 4 ** np.arange(10)[:, None]  # 300 bits: an addition and a subtraction
    assert Columns(runs).additions == 20 * 8
