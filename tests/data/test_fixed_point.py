"""Scores as integers: exact where that is plain to see, else a band of ties."""

import itertools
import random
import re
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from brute import every_swap
from drawn import examples, several
from hypothesis import example, given, settings
from hypothesis import strategies as st

from csig import Comparison, InputError, Metric, randomization_test, replay
from csig.data import fixed_point, metrics
from csig.data.fixed_point import SUMMED_BITS, PairIntegers, Pairs, on_grid, to_integers, weighted
from csig.engines.questions import make_question
from csig.engines.shuffle import Run
from csig.streams import make_source
from csig_ext import dispatch

ALTERNATIVES = ("two-sided", "greater", "less")


def pvalue(a, b, **options):
    return Fraction(randomization_test(Comparison.from_scores(a, b), "mean", **options).pvalue)


def same_integers(one, other):
    assert (one.unit, one.tau) == (other.unit, other.tau)
    assert (one.a.tolist(), one.b.tolist()) == (other.a.tolist(), other.b.tolist())


@pytest.mark.parametrize(
    ("unit", "factor", "alternative"),
    [
        (10, 1, "two-sided"), (10, 1e-9, "greater"), (10, 1e9, "less"), (3, 1, "two-sided"),
        (7, 1, "greater"), (11, 1, "less"), (4096, 1, "two-sided"), (99991, 1, "greater"),
    ],
)  # fmt: skip
def test_ties_that_doubles_do_not_show(unit, factor, alternative):
    """Nine pairs around 10,000 units, where a relative tolerance fails; and near 0."""
    rng = np.random.default_rng(unit)
    for near in (9_980, 0):
        for _ in range(several(9, 500)):
            whole = rng.integers(near, near + 40, (2, 9))
            expected = every_swap((whole[0] - whole[1]).tolist(), alternative)
            assert pvalue(*(whole / unit * factor), alternative=alternative) == expected


def sentence_f1(rng, n=11):
    """Sentence F1 of two systems, as doubles and as fractions."""
    gold = rng.integers(1, 8, n)
    doubles, fractions = [], []
    for _ in "ab":
        tp = np.minimum(rng.integers(0, 8, n), gold)
        both = tp + rng.integers(0, 4, n) + gold
        doubles.append(2 * tp / both)
        fractions.append([Fraction(int(2 * t), int(s)) for t, s in zip(tp, both, strict=True)])
    return doubles, fractions


def test_sentence_f1():
    rng = np.random.default_rng(2)
    with_a_band, number = 0, several(40, 1000)
    for _ in range(number):
        doubles, fractions = sentence_f1(rng)
        result = randomization_test(Comparison.from_scores(*doubles), "mean")
        expected = every_swap([x - y for x, y in zip(*fractions, strict=True)])
        assert Fraction(result.pvalue) == expected
        with_a_band += result.tau > 0
    assert with_a_band > number / 2


def ulp_of(x):
    """The distance to the next number of this type nearer to zero, or twice that."""
    if x == 0:
        return 0
    return 2 * abs(Fraction(float(x)) - Fraction(float(np.nextafter(x, type(x)(0)))))


@examples(300)
@given(
    st.lists(st.tuples(*[st.floats(allow_nan=False, allow_infinity=False)] * 2), min_size=1),
    st.sampled_from([np.float64, np.float32]),
)
def test_the_grid_holds_every_score(pairs, dtype):
    """Nothing overflows, and no score moves by more than what tau allows."""
    with np.errstate(over="ignore"):
        a, b = (np.array(column, dtype=dtype) for column in zip(*pairs, strict=True))
    a, b = (np.where(np.isfinite(v), v, 0) for v in (a, b))
    try:
        found = to_integers(a, b)
    except InputError as error:
        assert "is lost beside" in str(error)  # noqa: PT017
        sizes = np.abs(np.concatenate([a, b]).astype(float))
        assert sizes.max() > 2.0**20 * sizes[sizes > 0].min()
        return
    assert sum(map(abs, found.a.tolist())) + sum(map(abs, found.b.tolist())) < 2**60
    band = Fraction(0)
    for x, y, k, m in zip(a, b, found.a.tolist(), found.b.tolist(), strict=True):
        for value, whole in ((x, k), (y, m)):
            moved = abs(Fraction(float(value)) - whole * found.unit)
            if found.tau == 0 and x != y:
                assert moved <= ulp_of(value)
            band += (moved + ulp_of(value) / 2) * bool(x != y)
    assert found.tau == 0 or band <= found.tau * found.unit
    order = np.argsort(a, kind="stable")
    same_integers(
        to_integers(b[order], a[order]), found._replace(a=found.b[order], b=found.a[order])
    )


def test_what_is_taken_as_rational():
    def unit(*scores, dtype=float):
        return to_integers(np.array(scores, dtype=dtype), np.zeros(len(scores), dtype=dtype)).unit

    assert unit(3.0, 2.0**40) == 1
    assert unit(0.5, 0.25) == Fraction(1, 4)
    assert unit(30.1, 0.07) == Fraction(1, 100)
    assert unit(2 / 3, 1 - 1 / 3, 1 / 3) == Fraction(1, 3)  # one of them is an ulp off
    assert unit(1.5e-7, 2.25e-7) == Fraction(1, 10**9)
    assert unit(0.1, 0.7, 0.93, dtype=np.float32) == Fraction(1, 100)
    assert unit(np.pi, np.e).denominator.bit_count() == 1
    assert unit(0.123456789).denominator.bit_count() == 1  # one number proves nothing
    noise = np.random.default_rng(1).random(40)
    assert unit(*noise.astype(np.float32)).denominator.bit_count() == 1
    # Each type is known to one ulp of its own: 0.1 is the same number in both.
    tenths = np.array([1, 2, 3, 4, 7])
    found = to_integers((tenths / 10).astype(np.float32), tenths[::-1] / 10)
    assert found.unit == Fraction(1, 10)
    assert (found.a.tolist(), found.b.tolist()) == (tenths.tolist(), tenths[::-1].tolist())
    assert to_integers(noise.astype(np.float32), noise).tau > 0


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_hits_are_the_replays(alternative):
    """With the band, in fixed point, for every instruction set."""
    _, fractions = sentence_f1(np.random.default_rng(3), 70)
    a, b = (np.array([float(f) for f in side]) for side in fractions)
    comparison = Comparison.from_scores(a, b)
    assert comparison.tau > 0
    scaled = to_integers(a, b)
    tables = [np.stack([s, np.ones_like(s)], axis=1) for s in (scaled.a, scaled.b)]
    band, n = 2 * comparison.tau * comparison.scale[0] / 70, 1500
    question = make_question(comparison, metrics.mean, alternative, 0)
    expected = replay.unit_hits(
        *tables, (comparison.scale[0], 0), (0, 1), n, alternative=alternative, entropy=7, band=band
    )
    for isa in dispatch.available:
        run = Run(make_source(7, "PCG64DXSM"), 0, [question], n, 2, isa=isa, comparison=comparison)
        assert run() == [expected], isa


def test_weights_of_what_does_not_differ():
    """1 - mean is the mean turned round; its constant part has no rounding and no weight."""
    rng = np.random.default_rng(0)
    a = rng.random(200)
    b = np.clip(a - 0.05 + 0.1 * rng.normal(size=200), 0, None)
    loss = Metric("loss", ("score", "n"), numerator=(-1, 1), denominator=(0, 1))
    more = Metric("more", ("score", "n"), numerator=(1, 10**6), denominator=(0, 3))
    found = randomization_test(Comparison.from_scores(a, b), ["mean", loss, more], rng=1)
    assert found["mean"].n_hits == found["loss"].n_hits == found["more"].n_hits
    assert found["loss"].statistic == pytest.approx(-found["mean"].statistic, rel=1e-9)
    assert found["loss"].tau == found["mean"].tau < 1e-14


def test_a_metric_whose_denominator_is_the_score():
    inverse = Metric("inverse", ("score", "n"), numerator=(0, 1), denominator=(1, 0))
    scores = np.random.default_rng(5).random((2, 5))
    with pytest.raises(InputError, match="not possible with scores that had to be rounded"):
        randomization_test(Comparison.from_scores(*scores), inverse)
    assert randomization_test(Comparison.from_scores(*np.round(scores, 2)), inverse).pvalue


wholes = st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), min_size=1, max_size=8)


@settings(max_examples=several(12, 40))
@example([(1, 0)] * 4, 5e16, 0, "two-sided")
@example([(1, 0)] * 4, 5e16, 1, "two-sided")
@given(
    wholes,
    st.sampled_from((2.0**53, 5e16, 2.0**57)),
    st.sampled_from((0, 1, 2)),
    st.sampled_from(ALTERNATIVES),
)
def test_integers_beside_an_outlier(pairs, outlier, who, alternative):
    """Sums of doubles lose ones beside 5e16; sums of integers do not."""
    pairs = [*pairs, (outlier * (who != 1), outlier * (who != 2))]
    a, b = np.array(pairs, dtype=float).T
    comparison = Comparison.from_scores(a, b)
    assert (comparison.scale[0], comparison.tau) == (1, 0)
    result = randomization_test(comparison, "mean", alternative=alternative)
    steps = [int(x) - int(y) for x, y in pairs]
    assert result.pvalue == every_swap(steps, alternative)
    means = [sum(map(int, system)) / len(pairs) for system in (a, b)]  # rounded once
    assert [result.score_a, result.score_b] == means
    assert result.statistic == sum(steps) / len(pairs)


SAME = [0.1, 0.2, 0.37123] * 10


@pytest.mark.parametrize(
    ("a", "b", "lost", "large"),
    [
        ([5e16, 0.5, 0.5, 0.5], [5e16, 0.1, 0.1, 0.1], "i1", "a's score of 5e+16 for unit 'i0'"),
        ([5e16, 0.5, 0.5, 0.5], [0.0, 0.1, 0.1, 0.1], "i1", "a's score of 5e+16 for unit 'i0'"),
        # As many failures of both, marked by 1e20: the rest decides, and is lost.
        ([1e20, 12.3, 9.5, 8.1], [12.1, 1e20, 8.25, 8.0], "i2", "a's score of 1e+20 for unit 'i0'"),
        ([0.1, 0.2, 0.3, 1e15], [0.0, 0.1, 0.1, 1e15], "i2", "a's score of 1e+15 for unit 'i3'"),
        # So small that even as a double it is nothing in steps of the others.
        ([1e200, 3e-302, 2e-302, 5e-301], [5e199, 1e-302, 0.0, 0.0], "i1",
         "a's score of 1e+200 for unit 'i0'"),
        # A mean that was printed as 0.2637 where it is 0.2582; p = 1 is right.
        ([1e16, *SAME], [0.3, *SAME], "b: the mean", "a's score of 1e+16 for unit 'i0'"),
        ([0.3, *SAME], [1e13, *SAME], "a: the mean", "b's score of 1e+13 for unit 'i0'"),
        ([1e17, *SAME], [0.77, *SAME], "b: the mean", "a's score of 1e+17 for unit 'i0'"),
    ],
)  # fmt: skip
def test_what_would_be_lost_is_refused(a, b, lost, large):
    for ids in (None, [f"i{k:x}" if k < 10 else f"j{k}" for k in range(len(a))]):
        what = lost if "mean" in lost else f"unit '{lost}': the difference of .*"
        message = rf"{what} is lost beside {re.escape(large)}; leave"
        with pytest.raises(InputError, match=message if ids else re.sub("'i(.)'", r"\1", message)):
            Comparison.from_scores(a, b, id=ids)


def test_small_scores_that_decide_nothing_are_no_harm():
    """Probabilities over forty orders of magnitude; and products that vanish but for a few."""
    rng = np.random.default_rng(1)
    for n in (30, 500):
        a, b = 10.0 ** rng.uniform(-40, 0, (2, n))
        result = randomization_test(Comparison.from_scores(a, b), "mean", rng=1, n_resamples=1000)
        assert 0 < result.pvalue <= 1
    a, b = rng.random((2, 12))
    a[:2], b[:2] = (1e-231, 5e-155), (3e-200, 1e-100)
    found = randomization_test(Comparison.from_scores(a, b), "mean").pvalue
    # To the last digit the p-value of the ten others, in multiples of 2^-60.
    steps = [int(Fraction(x - y) * 2**52) for x, y in zip(a[2:], b[2:], strict=True)]
    assert found == every_swap(steps)


def test_printed_means_beside_an_outlier():
    """Single scores are rounded to a grid, but their means are right to what is printed."""
    rng = np.random.default_rng(3)
    a, b = np.round(rng.random((2, 400)), 9) / 7
    a[0], b[0] = 1e11, 0
    result = randomization_test(
        Comparison.from_scores(a, b), "mean", method="approximate", n_resamples=64, rng=1
    )
    means = [float(sum(map(Fraction, system.tolist())) / 400) for system in (a, b)]
    assert result.score_a == pytest.approx(means[0], rel=1e-15)
    assert result.statistic == pytest.approx(means[0] - means[1], rel=1e-15)
    assert result.score_b == pytest.approx(means[1], abs=1e-7)  # the grid of A's outlier


def test_rounding_errors_have_no_mean():
    """Scores of one system that are 0 but for rounding are no reason to refuse."""
    a, b = [0.51, 0.33, 0.217, 0.4567], [1.1e-17, 0.0, -2.2e-17, 3.3e-17]
    assert pvalue(a, b) == 0.125


KINDS = {
    "uniform": lambda rng, n: rng.random((4, n)),
    "normal": lambda rng, n: rng.standard_normal((4, n)) * 10.0 ** rng.integers(-9, 9, (4, 1)),
    "half the same": lambda rng, n: np.where(rng.random((4, n)) < 0.5, rng.random(n),
                                             rng.random((4, n))),
    "zeros and ones": lambda rng, n: np.where(rng.random((4, n)) < 0.6, rng.integers(0, 2, (4, n)),
                                              rng.random((4, n)) ** 2),
    "singles": lambda rng, n: [rng.random(n).astype(np.float32 if i % 2 else np.float64)
                               for i in range(4)],
    "heavy": lambda rng, n: rng.standard_cauchy((4, n)) ** 3,
    "nearly the same": lambda rng, n: rng.random(n) * 100 * (
        1 + np.arange(4)[:, None] * rng.choice([0, 2.0**-52, 1e-9], (4, n))
    ),
    "halves": lambda rng, n: rng.integers(0, 200, (4, n)) / np.array([1, 2, 2, 6])[:, None],
    "large": lambda rng, n: rng.integers(0, 200, (4, n)) / 8 + [[0], [2**20], [2**30], [2**44]],
    "mixed": lambda rng, n: [rng.random(n), rng.integers(0, 9, n), np.round(rng.random(n), 2),
                             rng.random(n) * 1e12],
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_integers(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of every pair, also where not everything is kept."""
    monkeypatch.setattr(fixed_point, "KEPT", 700)
    rng = np.random.default_rng([*KINDS].index(kind))
    known = 0
    for n in (1, 3, 30, 400):
        rows: list[Any] = [*KINDS[kind](rng, n)]
        pairs = PairIntegers(rows)
        for j, k in itertools.product(range(4), repeat=2):
            found = pairs.of(j, k)
            if found is not None:
                known += 1
                same_integers(found, to_integers(rows[j], rows[k]))
    assert known >= (20 if kind in ("uniform", "half the same", "zeros and ones") else 1)


def test_fractions_of_two_systems_have_a_common_one() -> None:
    """Thirds beside quarters are twelfths; 1/97 and 1/89 are asked for together."""
    rng = np.random.default_rng(1)
    rows = [rng.integers(0, 9, 50) / 3, rng.integers(0, 9, 50) / 4, rng.random(50)]
    rows += [rng.integers(0, 9, 50) / 97, rng.integers(0, 9, 50) / 89, rng.integers(0, 9, 50) / 1.0]
    pairs = PairIntegers(rows)
    assert to_integers(rows[0], rows[1]).unit.denominator == 12
    for j, k in itertools.combinations(range(len(rows)), 2):
        found = pairs.of(j, k)
        assert (found is None) == ((j, k) == (3, 4))
        if found is not None:
            same_integers(found, to_integers(rows[j], rows[k]))


def test_what_is_lost_is_left_to_the_messages() -> None:
    a = np.array([1e15, 0.1, 0.2, 0.3, 0.1, 0.25] * 2) * np.sqrt(2)
    b = np.where(np.arange(12) % 6, 0.5 * np.sqrt(3), a)
    with pytest.raises(InputError, match="is lost beside"):
        to_integers(a, b)
    assert PairIntegers([a, b]).of(0, 1) is None
    nothing = np.random.default_rng(3).random((2, 30)) * np.repeat([1e200, 1e-300], [6, 24])
    assert PairIntegers([*nothing]).of(0, 1) is None


@pytest.mark.parametrize("denominator", [1, 3, 8, 997, 10**5])
def test_fractions_are_exact(denominator: int) -> None:
    whole = np.random.default_rng(1).integers(-2000, 2000, (4, 30))
    found = on_grid(list(whole / denominator))
    assert found.exact
    assert not found.blur.any()
    step = Fraction(int(found.values[0, 0]), int(whole[0, 0]))
    assert (found.values * step.denominator == whole.T * step.numerator).all()


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_blur_bounds_what_sums_are_off_by(dtype: type) -> None:
    rows = np.random.default_rng(2).standard_normal((3, 50)).astype(dtype)
    found = on_grid(list(rows))
    assert not found.exact
    assert np.abs(found.values).sum(axis=0).max() <= 2**SUMMED_BITS
    exact = [[Fraction(float(x)) - Fraction(float(y)) for x, y in zip(own, rows[0], strict=True)]
             for own in rows]  # fmt: skip
    step = sum(map(abs, exact[1])) / int(np.abs(found.values[:, 1]).sum())
    for k in (1, 2):
        off = sum(exact[k]) / step - int(found.values[:, k].sum())
        assert abs(off) <= found.blur[k] + found.blur[0]
    assert bool((found.blur > 2**20).all()) == (dtype is np.float32)


def test_what_all_systems_have_in_common_hides_nothing() -> None:
    scores = np.sqrt(np.random.default_rng(3).random((2, 9)))
    found = on_grid([np.append(own, 1e6) for own in scores])
    assert found.values[-1].tolist() == [0, 0]
    shares = found.values[:-1, 1] / found.values[0, 1]
    expected = (scores[1] - scores[0]) / (scores[1, 0] - scores[0, 0])
    assert shares == pytest.approx(expected, rel=1e-6)


def test_integers_in_doubles_with_large_sums() -> None:
    found = on_grid([np.array([2.0**52, 2.0**52 + 2]), np.array([0.0, 2.0**51])])
    assert not found.exact
    assert np.abs(found.values).sum(axis=0).max() <= 2**SUMMED_BITS


@pytest.mark.parametrize("scale", [2.0**-1060, 1e-300, 1e290])
def test_scores_near_the_ends_of_doubles(scale: float) -> None:
    """The step may be no double: it is 2^-1100 for the least."""
    rng = np.random.default_rng(1)
    rows = [rng.random(50) * scale for _ in range(3)]
    found = on_grid(rows)
    assert not found.exact
    sums = found.values.sum(axis=0).astype(float)
    sizes = np.array([float(np.sum(own / scale)) for own in rows])
    ratio = (sums[1] - sums[0]) / (sums[2] - sums[0])
    assert ratio == pytest.approx((sizes[1] - sizes[0]) / (sizes[2] - sizes[0]), rel=1e-3)
    assert (found.blur >= 50).all()
    assert np.isfinite(found.blur).all()


KINDS_OF_SCORES = {
    "right or wrong": lambda rng: Fraction(rng.randint(0, 1)),
    "whole": lambda rng: Fraction(rng.randint(-3, 5)),
    "decimals": lambda rng: Fraction(rng.randint(0, 20), 20),
    "thirds": lambda rng: Fraction(rng.randint(0, 6), 3),
    "doubles": lambda rng: Fraction(rng.random()),
}


def drawn(kind: str, seed: int) -> tuple[list[Fraction], list[Fraction], list[str]]:
    """Scores of two systems on up to 12 units of 2 or 3 strata."""
    rng = random.Random(seed)
    sizes = [rng.randint(1, 5) for _ in range(rng.randint(2, 3))]
    names = [name for name, n in zip("xyz", sizes, strict=False) for _ in range(n)][:12]
    rng.shuffle(names)
    a, b = ([KINDS_OF_SCORES[kind](rng) for _ in names] for _ in "ab")
    return a, b, names


def array(scores: list[Fraction]) -> np.ndarray:
    whole = all(score.denominator == 1 for score in scores)
    return np.array([int(s) if whole else float(s) for s in scores])


@pytest.mark.parametrize("rounded", [False, True])
@pytest.mark.parametrize("kind", KINDS_OF_SCORES)
def test_the_pvalue_is_that_of_every_swap(kind, rounded, monkeypatch):
    """Of the mean of the strata's means."""
    if rounded:  # as if whole weights did not fit
        monkeypatch.setattr(fixed_point, "LARGEST_SUM", 0)
    for seed in range(several(6, 60)):
        a, b, names = drawn(kind, seed)
        found = weighted(array(a), array(b), names)
        made = Comparison.from_statistics(found.a, found.b, ("score", "n"))
        result = randomization_test(replace(made, scale=found.scale, tau=found.tau), "mean")
        sizes = [names.count(name) for name in names]
        parts = [(x - y) / n for x, y, n in zip(a, b, sizes, strict=True)]
        assert result.method == "exact"
        assert result.pvalue == pytest.approx(float(every_swap(parts)), rel=1e-12)
        for score, own in ((result.score_a, a), (result.score_b, b)):
            mean = sum(x / n for x, n in zip(own, sizes, strict=True)) / len(set(names))
            assert score == pytest.approx(float(mean), rel=1e-12, abs=1e-14)


def test_sizes_without_a_common_multiple_that_fits():
    """57 tasks of primes: the least common multiple has hundreds of bits."""
    primes = [n for n in range(100, 500) if all(n % k for k in range(2, 23))][:57]
    names = [str(n) for n in primes for _ in range(n)]
    rng = np.random.default_rng(1)
    a, b = (rng.integers(0, 2, len(names)) for _ in "ab")
    found = weighted(a, b, names)
    assert found.tau > 0
    total = float(found.a[:, 0].sum() * found.scale[0]), float(found.a[:, 1].sum() * found.scale[1])
    shares = [
        np.mean([x for own, x in zip(names, a, strict=True) if own == str(n)]) for n in primes
    ]
    assert total[0] / total[1] == pytest.approx(np.mean(shares), rel=1e-12)


integers = st.integers(-(2**61) + 1, 2**61 - 1)
factors = st.fractions(-4, 4, max_denominator=2**40)


@examples(300)
@given(st.lists(st.tuples(integers, st.integers(-3, 3)), min_size=1, max_size=5), factors)
def test_products_and_differences_have_a_hundred_bits(
    values: list[tuple[int, int]], factor: Fraction
) -> None:
    x = [value for value, _ in values]
    y = [value + more for value, more in values]
    pairs = Pairs.of(np.array(x))
    found = pairs.minus(Pairs.of(np.array(y)).times(factor))
    for a, b, *parts in zip(x, y, *map(np.ndarray.tolist, (*pairs, *found)), strict=True):
        high, low, *rest = map(Fraction, parts)
        assert high + low == a
        size = abs(a) + abs(b * factor)
        assert abs(sum(rest) - (a - b * factor)) <= size * Fraction(2) ** -99
