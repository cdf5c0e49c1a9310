"""Functions of counts of any size against every swap in multiple precision."""

import itertools

import mpmath
import numpy as np
import pytest
from drawn import several
from hypothesis import example, given, settings
from hypothesis import strategies as st

from csig import Comparison, InputError, Metric, randomization_test, replay
from csig.data import settling
from csig.data.metrics import class_columns

CELLS = ("tp", "fp", "fn", "tn")
NAMES = ("kappa", "mcc", "macro_f1", "weighted_f1", "balanced_accuracy")
ALTERNATIVES = ("two-sided", "greater", "less")

#: Nothing that is no tie is nearer than this: numerators and denominators have 80 digits at most.
NOTHING = mpmath.mpf(10) ** -250


def score(name, table, zero):
    """Of a table [gold][said]."""
    k = range(len(table))
    gold = [sum(row) for row in table]
    said = [sum(row[c] for row in table) for c in k]
    n = mpmath.mpf(sum(gold))
    if name == "kappa":
        agreed = sum(table[c][c] for c in k) / n
        chance = sum(gold[c] * said[c] for c in k) / n / n
        return (agreed - chance) / (1 - chance) if abs(1 - chance) > NOTHING else zero
    if name == "mcc":
        above = n * sum(table[c][c] for c in k) - sum(gold[c] * said[c] for c in k)
        below = (n**2 - sum(g * g for g in gold)) * (n**2 - sum(s * s for s in said))
        return above / mpmath.sqrt(below) if below else zero
    if name == "balanced_accuracy":
        return mpmath.fsum(mpmath.mpf(table[c][c]) / gold[c] for c in k if gold[c]) / sum(
            g > 0 for g in gold
        )
    f1 = [mpmath.mpf(2 * table[c][c]) / (gold[c] + said[c]) if gold[c] + said[c] else 0 for c in k]
    if name == "weighted_f1":
        return mpmath.fsum(f * g for f, g in zip(f1, gold, strict=True)) / n
    return mpmath.fsum(f1) / sum(g + s > 0 for g, s in zip(gold, said, strict=True))


def is_extreme(found, observed, alternative):
    if alternative == "two-sided":
        return abs(found) >= abs(observed) - NOTHING
    return found >= observed - NOTHING if alternative == "greater" else found <= observed + NOTHING


def added(tables):
    return [[sum(cells) for cells in zip(*rows, strict=True)] for rows in zip(*tables, strict=True)]


def all_differences(name, a, b, zero):
    """After every swap; none first."""
    found = []
    for coins in itertools.product((0, 1), repeat=len(a)):
        one = added([y if z else x for x, y, z in zip(a, b, coins, strict=True)])
        other = added([x if z else y for x, y, z in zip(a, b, coins, strict=True)])
        found.append(score(name, one, zero) - score(name, other, zero))
    return found


def compared(a, b):
    """Tables of one unit each as statistics: cells for two classes, columns by class for more."""
    if len(a[0]) == 2:
        rows = [[(t[0][0], t[1][0], t[0][1], t[1][1]) for t in tables] for tables in (a, b)]
        return Comparison.from_statistics(*rows, CELLS)
    k = range(len(a[0]))
    rows = [
        [[v for c in k for v in (t[c][c], sum(r[c] for r in t), sum(t[c]))] for t in tables]
        for tables in (a, b)
    ]
    return Comparison.from_statistics(*rows, [column for c in k for column in class_columns(c)])


def check(a, b, zero=0):
    comparison = compared(a, b)
    for name in NAMES:
        with mpmath.workdps(300):
            found = all_differences(name, a, b, zero)
            extreme = {own: [is_extreme(d, found[0], own) for d in found] for own in ALTERNATIVES}
        for alternative, own in extreme.items():
            expected = sum(own) / len(own)
            result = randomization_test(
                comparison, name, alternative=alternative, zero_division=zero
            )
            assert (result.method, result.pvalue) == ("exact", expected)
            assert result.null.pvalue() == pytest.approx(expected, rel=1e-15)
            assert result.statistic == pytest.approx(float(found[0]), rel=1e-6, abs=1e-15)


cells = st.one_of(
    st.integers(0, 4),
    st.builds(int.__add__, st.sampled_from((10**4, 10**8, 10**9)), st.integers(-3, 3)),
)


@st.composite
def two_systems(draw, classes):
    """The gold of every unit is the same for both, as a rule."""
    n, k = draw(st.integers(1, 4)), range(classes)
    row = st.lists(cells, min_size=classes, max_size=classes)
    table = st.lists(row, min_size=classes, max_size=classes)
    a, b = (draw(st.lists(table, min_size=n, max_size=n)) for _ in "ab")
    for tables, c in itertools.product((a, b), k):  # nobody is without items
        tables[0][c][c] += 1
    if draw(st.booleans()):  # near each other: one item says something else
        b = [[list(row) for row in t] for t in a]
        for t in b:
            row, one, other = (draw(st.sampled_from(k)) for _ in range(3))
            if t[row][one]:
                t[row][one] -= 1
                t[row][other] += 1
    return a, b


@settings(max_examples=several(5, 40))
@given(st.sampled_from((2, 2, 3)).flatmap(two_systems), st.sampled_from((0, 1)))
def test_two_and_three_classes(systems, zero):
    check(*systems, zero)


LARGE = 10**9
ONE_LARGE = (
    [[[LARGE, 1], [2, 3]], [[LARGE, 0], [1, 1]], [[5, 1], [0, 2]]],
    [[[LARGE, 1], [3, 2]], [[LARGE - 1, 1], [1, 1]], [[5, 1], [1, 1]]],
)
#: Two swaps that are ties, which products of 10^16 in doubles told apart.
TIES = [
    [[[10**8 + tp, 10**8 + fn], [10**8 + fp, 10**8 + tn]] for tp, fp, fn, tn in rows]
    for rows in ([(2, 3, 3, 3), (1, 0, 1, 1)], [(1, 2, 4, 4), (0, 0, 1, 0)])
]


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("systems", [TIES, ONE_LARGE])
def test_large_classes(systems, classes):
    """10^9 items of one class, a few of the others: squares cancel to the last digit."""
    if classes == 3:
        systems = [[[[*row, 0] for row in t] + [[1, 0, 1]] for t in own] for own in systems]
    check(*systems)
    for tables, found in zip(systems, compared(*systems).scores("mcc"), strict=True):
        with mpmath.workdps(60):
            truth = float(score("mcc", added(tables), 0))
        assert found == pytest.approx(truth, rel=1e-12)


@settings(max_examples=several(8, 15))
@example(size=10**8, seed=1, name="kappa")
@given(st.sampled_from((3, 10**4, 10**8, 10**9)), st.integers(0, 99), st.sampled_from(NAMES))
def test_shuffles(size, seed, name):
    """Hits against the same shuffles, judged one by one."""
    rng = np.random.default_rng(seed)
    a, b = (size + rng.integers(-2, 3, size=(2, 6, 4))).tolist()
    comparison = Comparison.from_statistics(a, b, CELLS)
    result = randomization_test(comparison, name, method="approximate", rng=seed, n_resamples=150)
    d = np.array(a) - np.array(b)
    moved = replay.unit_sums(d[d.any(axis=1)], 150, entropy=seed)

    def difference(taken):
        scores = []
        for sums in (np.sum(a, axis=0) - taken, np.sum(b, axis=0) + taken):
            tp, fp, fn, tn = (int(v) for v in sums)
            scores.append(score(name, [[tp, fn], [fp, tn]], 0))
        return scores[0] - scores[1]

    with mpmath.workdps(300):
        observed = difference(0 * d[0])
        hits = sum(is_extreme(difference(row), observed, "two-sided") for row in moved)
    assert result.n_hits == hits


def test_scores_that_grow_beyond_those_seen_first():
    """Both scores grow by 10^8 / 3, and a tie with the observed difference loses digits."""
    x = [2**k for k in range(9)] + [2**9 - 1]
    y = [3, 1, 4, 1, 5, 9, 2, 6, 5, 0]
    rows = [list(pair) for pair in zip(x, y, strict=True)]

    def jump(s):
        return s[:, 1] / 7 + np.where(s[:, 0] == 2**9 - 1, 1e8 / 3, 0)

    metric = Metric("jump", ("x", "y"), function=jump)
    comparison = Comparison.from_statistics(rows, [[0, 0]] * 10, ("x", "y"))
    result = randomization_test(comparison, metric)
    # All of y is on one side, and the unit without y may be on either.
    assert result.pvalue == 4 / 2**10


def test_scores_of_very_different_size():
    """Beside 10^15 a difference of 1/7 is nothing in doubles, but where it is seen it is not."""
    comparison = Comparison.from_statistics([[2], [1], [1]], [[1], [3], [1]], ["x"])

    def jump(high):
        return Metric("jump", ["x"], function=lambda s: np.where(s[:, 0] > 5, high, s[:, 0] / 7))

    message = r"'jump': its scores reach 1e\+15 in some shuffles; .* the logarithm"
    with pytest.raises(InputError, match=message):
        randomization_test(comparison, jump(1e15))
    result = randomization_test(comparison, jump(100.0))
    assert (result.statistic, result.pvalue) == (4 / 7 - 5 / 7, 1)


def test_items_about_the_largest_square():
    """One system's squares of counts are those that doubles hold, the other's are not."""
    columns = [column for label in "xy" for column in class_columns(label)]
    a = (2209421, 33554439, 33554439, 2209416, 33554434, 33554434)
    b = (9195609, 33554425, 33554425, 9195617, 33554433, 33554433)
    comparison = Comparison.from_statistics([a], [b], columns)
    for name in NAMES:
        result = randomization_test(comparison, name)
        assert result.pvalue == 1
        for row, found in ((a, result.score_a), (b, result.score_b)):
            table = [[row[0], row[2] - row[0]], [row[5] - row[3], row[3]]]
            with mpmath.workdps(300):
                expected = float(score(name, table, 0))
            assert found == pytest.approx(expected, rel=1e-15)


@pytest.mark.parametrize(
    ("terms", "is_nothing"),
    [
        ([(1, 1, 2), (-1, 2, 8)], True),  # 1 / sqrt(2) = 2 / sqrt(8)
        ([(1, 1, 2), (-1, 1, 3), (-1, 2, 8), (1, 3, 27)], True),
        ([(1, 1, 2), (1, 1, 3), (-1, 2, 5)], False),
        ([(1, 3, 4), (-1, 3, 1), (1, 3, 4)], True),
        ([(1, 1, 2), (-1, 2, 8), (1, 1, 3)], False),
        ([(1, 0, 7), (-1, 0, 2)], True),
        ([(1, 10**9, 2), (-1, 10**9 + 1, 2)], False),
    ],
)
def test_sums_of_square_roots_are_nothing_or_not(terms, is_nothing):
    scores = [(sign, settling.Score(x, below, True)) for sign, x, below in terms]
    assert settling.is_zero(scores) is is_nothing
