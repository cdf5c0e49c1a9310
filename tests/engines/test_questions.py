"""Both kinds of questions against every exchange in fractions."""

import itertools
import threading
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from brute import exchanges, is_extreme
from drawn import examples
from hypothesis import given
from hypothesis import strategies as st

from csig import Comparison, InputError, Metric, randomization_test
from csig.data.metrics import mean
from csig.engines.questions import Line, Shared, function_question, make_question, weights_question
from csig.intervals import NoInterval, bootstrap_interval
from csig_ext import dispatch

COLUMNS = ("x", "y")

QUOTIENT = Metric("x / y", COLUMNS, numerator=(1, 0), denominator=(0, 1))
SUM = Metric("2 x - y", COLUMNS, numerator=(2, -1), denominator=(0, 0.5))
FUNCTION = Metric("function", COLUMNS, function=lambda s: s[:, 0] / s[:, 1])


def score(metric: Metric, sums: list[int]) -> Fraction:
    x, y = sums
    return Fraction(2 * (2 * x - y), y) if metric is SUM else Fraction(x, y)


def drawn(seed: int, same_y: bool) -> tuple[np.ndarray, np.ndarray, Comparison]:
    """Both systems' units; the denominators of a sum are the same."""
    rng = np.random.default_rng(seed)
    a, b = (rng.integers(1, 5, size=(6, 2)) for _ in "ab")
    if same_y:
        b[:, 1] = a[:, 1]
    a[0], b[0] = (4, 2), (1, 2)  # there is a difference
    return a, b, Comparison.from_statistics(a, b, COLUMNS)


def sums_of(comparison: Comparison, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """What the exchanged units take from the columns that differ, all exchanges."""
    moving = comparison.units.moving
    bits = np.array(list(itertools.product((0, 1), repeat=len(a))))
    return np.ascontiguousarray((bits @ (a - b))[:, moving].T.astype(np.int64))


def shared() -> Shared:
    return Shared(threading.Lock(), np.zeros(1, dtype=np.int32), dispatch.number())


@pytest.mark.parametrize("metric", [QUOTIENT, SUM, FUNCTION], ids=lambda m: m.name)
@pytest.mark.parametrize("seed", range(4))
def test_a_judge_counts_what_fractions_count(metric, seed):
    """In every direction, and both tails of a two-sided question."""
    a, b, comparison = drawn(seed, metric is SUM)
    every = [
        score(metric, one) - score(metric, other)
        for one, other in exchanges(a.tolist(), b.tolist())
    ]
    size = abs(every[0])
    both = make_question(comparison, metric, "two-sided", 0)
    asked = {
        both.one_tail(upper=True): lambda d: d >= size,
        both.one_tail(upper=False): lambda d: d <= -size,
    }
    for alternative in ("two-sided", "greater", "less"):
        question = make_question(comparison, metric, alternative, 0)
        assert question.statistic == pytest.approx(float(every[0]), rel=1e-14)
        asked[question] = partial(is_extreme, observed=every[0], alternative=alternative)
    unit = both.weighted.line.value if metric is SUM else 1
    for question, extreme in asked.items():
        keep = np.empty(len(every), dtype=question.dtype)
        for where in (None, keep):
            judge = question.judge(where, shared())
            judge.add(sums_of(comparison, a, b), len(every), 0)
            assert judge.hits == sum(map(extreme, every))
            assert not judge.undefined
        expected = [float(d) for d in every]
        np.testing.assert_allclose([float(unit * k) for k in keep.tolist()], expected)


def test_units_that_a_metric_does_not_read_do_not_move_it():
    a, b = np.array([[1, 5], [2, 5], [3, 5]]), np.array([[1, 4], [2, 6], [1, 5]])
    comparison = Comparison.from_statistics(a, b, COLUMNS)
    one = Metric("x", ("x",), numerator=(1,), denominator=(0.5,))
    own = Metric("x", ("x",), function=lambda s: s[:, 0] * 2.0)
    for metric in (one, own):
        assert make_question(comparison, metric, "two-sided", 0).n_moving(comparison) == 1
    assert make_question(comparison, QUOTIENT, "two-sided", 0).n_moving(comparison) == 3


def test_only_weights_are_foregone_when_all_is_certain():
    comparison = Comparison.from_statistics([(1, 2), (2, 2)], [(2, 2), (1, 2)], COLUMNS)
    by_weights, by_function = (
        make_question(comparison, m, "two-sided", 0) for m in (QUOTIENT, FUNCTION)
    )
    assert by_weights.certain
    assert by_function.certain
    assert by_weights.foregone
    assert not by_function.foregone  # a score may be undefined in some exchange
    assert not make_question(comparison, QUOTIENT, "greater", 0).certain


UNITS = Comparison.from_statistics([(3, 2), (1, 2), (2, 1)], [(1, 3), (2, 2), (5, 1)], COLUMNS)


def asked(function, comparison=UNITS):
    return function_question(comparison, Metric("own", COLUMNS, function=function), "two-sided", 0)


def test_an_undefined_score_is_remembered():
    question = asked(lambda s: np.where(s[:, 0] > 6, np.nan, s[:, 0]))
    sums = np.array([[0, -1], [0, 0]])  # the first trial exchanges nothing
    judge = question.judge(None, shared())
    judge.add(sums[:, :1].copy(), 1, 0)
    assert judge.undefined == question.zero_denominator
    judge.add(sums, 2, 1)
    assert judge.undefined


small = st.integers(-9, 9)


@examples(200)
@given(total=small, tau=st.integers(0, 2), x=st.lists(small, min_size=1))
def test_a_line_compares_total_minus_twice_x(total, tau, x):
    """Within tau of the observed x, which is 0, or of total, its mirror image, is a tie."""
    line = Line(total, tau, min(total, 0) + tau, max(total, 0) - tau, Fraction(1, 3))
    own = np.array(x)
    same, opposite = line.ties(own)
    assert same.tolist() == [abs(v) <= tau for v in x]
    assert opposite.tolist() == [abs(v - total) <= tau for v in x]
    hits = [abs(total - 2 * v) >= abs(total) - 2 * tau for v in x]
    assert line.extreme(own).tolist() == hits
    for v, found in zip(x, line.differences(own).tolist(), strict=True):
        if abs(v) <= tau:
            assert found == total
        else:
            assert found == (-total if abs(v - total) <= tau else total - 2 * v)


def test_a_denominator_that_a_shuffle_makes_negative_is_refused():
    units = Comparison.from_statistics([(1, 9)], [(1, 2)], COLUMNS)
    responses = Comparison.from_counts(  # predicted - gold is -1 where none is taken, else 0 to 4
        gold=5, both_correct=2, both_spurious=2, only_a_correct=1, only_b_correct=1,
        only_b_spurious=3,
    )  # fmt: skip
    for comparison, columns, below in (
        (units, COLUMNS, (5, -1)),
        (responses, ("predicted", "gold"), (1, -1)),
    ):
        metric = Metric("m", columns, numerator=(1, 0), denominator=below)
        with pytest.raises(InputError, match="its denominator is negative for some shuffles"):
            weights_question(comparison, metric, "two-sided", 0)


def test_numbers_that_lose_digits_as_doubles_are_refused():
    """Integers hold them in a test on a sum; functions, and resamples, read doubles."""
    tiny = Comparison.from_scores([9 * 2.0**-1060, 0.1 * 2.0**-1040], [3 * 2.0**-1060, 0.0])
    assert not float(tiny.scale[0])
    assert make_question(tiny, mean, "two-sided", 0).statistic > 0
    said = "its numbers are too small for doubles; give them in another unit"
    with pytest.raises(InputError, match=f"metric 'own': {said}"):
        randomization_test(tiny, Metric("own", ("score",), function=lambda s: s[:, 0]))
    for metric in (mean, Metric("own", ("score",), function=lambda s: s[:, 0])):
        with pytest.raises(NoInterval, match=f"metric '{metric.name}' of A: {said}"):
            bootstrap_interval(tiny, metric)
