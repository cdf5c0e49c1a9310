"""Both kinds of questions against every exchange in fractions."""

from __future__ import annotations

import itertools
import threading
from fractions import Fraction

import numpy as np
import pytest

from csig import Comparison, InputError, Metric
from csig.engines.questions import Shared, make_question
from csig_ext import dispatch

COLUMNS = ("x", "y")
ALTERNATIVES = ("two-sided", "greater", "less")

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


def exchanges(metric: Metric, a: np.ndarray, b: np.ndarray) -> list[Fraction]:
    """The differences of all of them, in the order of their bits."""
    found = []
    for bits in itertools.product((False, True), repeat=len(a)):
        chosen = np.array(bits)[:, None]
        sides = np.where(chosen, b, a).sum(axis=0), np.where(chosen, a, b).sum(axis=0)
        one, other = (score(metric, side.tolist()) for side in sides)
        found.append(one - other)
    return found


def sums_of(comparison: Comparison, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """What the exchanged units take from the columns that differ, all exchanges."""
    moving = comparison.units.moving
    bits = np.array(list(itertools.product((0, 1), repeat=len(a))))
    return np.ascontiguousarray((bits @ (a - b))[:, moving].T.astype(np.int64))


def extreme(found: Fraction, observed: Fraction, alternative: str) -> bool:
    if alternative == "two-sided":
        return abs(found) >= abs(observed)
    return found >= observed if alternative == "greater" else found <= observed


def shared() -> Shared:
    return Shared(threading.Lock(), np.zeros(1, dtype=np.int32), dispatch.number())


@pytest.mark.parametrize("metric", [QUOTIENT, SUM, FUNCTION], ids=lambda m: m.name)
@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("seed", range(4))
def test_a_judge_counts_what_fractions_count(metric, alternative, seed):
    a, b, comparison = drawn(seed, metric is SUM)
    question = make_question(comparison, metric, alternative, 0)
    every = exchanges(metric, a, b)
    assert question.statistic == pytest.approx(float(every[0]), rel=1e-14)
    sums = sums_of(comparison, a, b)
    keep = np.empty(len(every), dtype=question.dtype)
    for where in (None, keep):
        judge = question.judge(where, shared())
        judge.add(sums, len(every), 0)
        assert judge.hits == sum(extreme(d, every[0], alternative) for d in every)
        assert not judge.undefined
    unit = question.weighted.line.value if metric is SUM else 1
    np.testing.assert_allclose([float(unit * k) for k in keep.tolist()], [float(d) for d in every])


@pytest.mark.parametrize("metric", [QUOTIENT, SUM, FUNCTION], ids=lambda m: m.name)
@pytest.mark.parametrize("seed", range(4))
def test_both_tails_are_a_two_sided_question_cut_in_two(metric, seed):
    a, b, comparison = drawn(seed, metric is SUM)
    both = make_question(comparison, metric, "two-sided", 0)
    every = exchanges(metric, a, b)
    sums = sums_of(comparison, a, b)
    for upper in (True, False):
        judge = both.one_tail(upper).judge(None, shared())
        judge.add(sums, len(every), 0)
        size = abs(every[0])
        assert judge.hits == sum(d >= size if upper else d <= -size for d in every)


@pytest.mark.parametrize("metric", [QUOTIENT, FUNCTION], ids=lambda m: m.name)
def test_classes_and_the_question_about_them_have_the_same_differences(metric):
    a, b, comparison = drawn(7, same_y=False)
    question = make_question(comparison, metric, "two-sided", 0)
    classes, of_classes = question.by_class(comparison)
    rows = []
    for counts in itertools.product(*(range(m + 1) for m in classes.sizes.tolist())):
        rows.append(classes.start + np.array(counts, dtype=np.int64) @ classes.steps)
    found, undefined = of_classes.differences(np.ascontiguousarray(np.array(rows).T))
    assert not undefined
    expected = {round(float(d), 12) for d in exchanges(metric, a, b)}
    assert {round(d, 12) for d in found.tolist()} == expected
    assert of_classes.extreme(found).any()


def test_units_that_a_metric_does_not_read_do_not_move_it():
    a, b = np.array([[1, 5], [2, 5], [3, 5]]), np.array([[1, 4], [2, 6], [1, 5]])
    comparison = Comparison.from_statistics(a, b, COLUMNS)
    one = Metric("x", ("x",), numerator=(1,), denominator=(0.5,))
    own = Metric("x", ("x",), function=lambda s: s[:, 0] * 2.0)
    for metric in (one, own):
        assert make_question(comparison, metric, "two-sided", 0).n_moving(comparison) == 1
    assert make_question(comparison, QUOTIENT, "two-sided", 0).n_moving(comparison) == 3


@pytest.mark.parametrize("metric", [QUOTIENT, FUNCTION], ids=lambda m: m.name)
def test_columns_must_be_there(metric):
    comparison = Comparison.from_counts(gold=3, only_a_correct=2, only_b_correct=1)
    with pytest.raises(InputError, match=rf"metric '{metric.name}' reads 'x', 'y'; this compar"):
        make_question(comparison, metric, "two-sided", 0)


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
