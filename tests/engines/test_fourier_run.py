"""What a run chooses, and that it ends where it is told to."""

import itertools
import math
import signal
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from csig import InputError
from csig.engines import meet_in_the_middle
from csig.engines.fourier import (
    COARSEST,
    COUNTED,
    FINEST,
    Run,
    at_most,
    bits,
    checked,
    counted,
    parts,
    signed,
    steps_to_count,
)


def question(n, z, size, seed=1):
    values = (np.random.default_rng(seed).normal(size=n) * size).astype(np.int64)
    return signed(values, int(z * math.sqrt(float((values.astype(np.float64) ** 2).sum()))))


def test_decimals_are_a_lattice_and_doubles_are_not():
    assert Run(question(2000, 2, 1e4), 1e-4).bounds(2**28).lattice
    assert not Run(question(2000, 2, 2.0**48), 1e-4).bounds(2**28).lattice


def test_a_small_budget_gives_wider_bounds():
    data = question(60, 2, 2.0**45)
    widths = []
    for budget in (10**3, 10**5, 10**7):
        run = Run(data, 1e-4)
        found = run.bounds(budget)
        widths.append(found.high / found.low)
        assert run.factors < 4 * budget
        assert (found.nodes < found.wanted) == (budget < 10**7)
    assert widths == sorted(widths, reverse=True)
    assert widths[0] > 1.001
    assert widths[-1] < 1.0001


def test_a_period_that_takes_more_than_was_estimated_leaves_something_for_kernels():
    values = np.rint(np.random.default_rng(0).normal(size=100) * 2000).astype(np.int64)
    data = signed(values, int(2 * math.sqrt(float((values**2).sum()))))
    whole = Run(data, 1e-4)
    assert whole.bounds(2**28).lattice
    budget = int(1.2 * whole.estimate("lattice"))
    assert budget < whole.factors
    found = Run(data, 1e-4).bounds(budget)
    assert not found.lattice
    assert found.high / found.low < 1.01


def test_a_share_of_sums_at_the_threshold_leaves_less_for_the_gap():
    each = (np.sqrt([2, 3, 5, 7]) * 2.0**40).astype(np.int64)
    data = signed(np.repeat(each, 200), 20 * int(each.sum()))
    run = Run(data, 1e-3)
    assert run.bounds(2**26).width < 1e-3
    # At once the gap would take 0.9 of it, and the share what is left and more.
    once = Run(data, 1e-3).bounds(run.factors // 2)
    assert 1e-3 < once.width < 1.5e-3


def test_a_wrong_guess_of_p_is_made_again():
    """One large number leaves no sums near s: p is far below the normal approximation."""
    values = np.concatenate([np.full(300, 10**9) + np.arange(300) ** 3, [10**12]])
    found = Run(signed(values, 5 * 10**11), 1e-3).bounds(2**26)
    # s is half way to the large number, and 29 deviations from it.
    assert found.low * 2.0**found.exponent == pytest.approx(0.5, rel=1e-3)
    assert found.high <= found.low * 1.001


def test_progress_is_told_and_threads_change_nothing():
    data = question(30_000, 1.5, 2.0**40)
    told = []
    found = Run(data, 1e-4).bounds(2**28, 2, lambda *both: told.append(both))
    assert found == Run(data, 1e-4).bounds(2**28)
    assert told == sorted(told)
    assert told[-1][0] == told[-1][1]


def test_ctrl_c_ends_a_long_run():
    run = Run(question(45, 2, 2.0**50), 1e-8)
    before = signal.signal(signal.SIGVTALRM, signal.default_int_handler)
    try:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0.2)
        with pytest.raises(KeyboardInterrupt):
            run.bounds(2**45)
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


# ---- Integers as doubles: thresholds that are moved outward, and what they hold


def shares(values, threshold):
    """How many of all signed sums reach a threshold; exact, in integers."""
    return sum(
        sum(sign * v for sign, v in zip(signs, values, strict=True)) >= threshold
        for signs in itertools.product((1, -1), repeat=len(values))
    )


@pytest.mark.parametrize("bits", [5, 30, 56])
@pytest.mark.parametrize("divisor", [1, 3])
def test_thresholds_hold_the_share_between_them(bits, divisor):
    rng = np.random.default_rng(bits)
    for _ in range(20):
        values = rng.integers(-(2**bits), 2**bits, 8) * divisor
        own = abs(sum(values.tolist()))
        for s in {max(1, own + move) for move in (-2, -1, 0, 1, 2)}:
            data = signed(values, s)
            assert (data.total - data.s) % 2 == 0
            assert np.gcd.reduce(data.v) == 1
            whole = [int(d * 2.0**data.exponent) for d in data.d]  # doubles as integers
            assert [float(w) for w in whole] == (data.d * 2.0**data.exponent).tolist()
            scale = 2**data.exponent
            exact = shares([abs(v) for v in values.tolist() if v], s)
            assert shares(whole, data.below * scale) <= exact
            assert exact <= shares(whole, data.above * scale)
            if data.exponent <= 53:
                assert data.exact
                assert shares(whole, data.below * scale) == exact
            # Half a step below: no sum is near.
            assert data.above <= data.below


def test_the_scale_is_that_of_the_largest():
    data = signed(np.array([0, -3, 12, 7]), 5)
    assert data.v.tolist() == [3, 12, 7]
    assert data.d.tolist() == [3 / 16, 12 / 16, 7 / 16]
    assert (data.s, data.total, data.divisor, data.unit) == (6, 22, 1, 1 / 16)
    assert signed(np.array([6, 9]), 4).s == 3
    assert signed(np.array([6, 9]), 4).divisor == 3


@pytest.mark.parametrize(
    ("values", "s"),
    [([1], 0), ([1], -4), ([2**61, 2**61], 1), ([-(2**63)], 1), ([-(2**63), -(2**63), 5, 7], 6)],
)
def test_refused(values, s):
    with pytest.raises(InputError):
        signed(np.array(values), s)


def test_a_tolerance_is_a_number_from_0():
    assert checked(0) == checked(5e-324) == FINEST
    assert checked(np.float64(1e-3)) == 1e-3
    assert checked(2) == checked(1e300) == COARSEST
    for wrong in (-1e-9, float("nan"), float("inf"), "1e-3", None):
        with pytest.raises(InputError, match=r"^tolerance must be a finite number from 0, found"):
            checked(wrong)


# ---- Counts where few sums matter, against all sums


@pytest.mark.parametrize("seed", range(5))
def test_counts_are_those_of_all_signs(seed):
    values = np.random.default_rng(seed).integers(1, 30, 10)
    sums = [
        sum(x * v for x, v in zip(signs, values.tolist(), strict=True))
        for signs in itertools.product((1, -1), repeat=10)
    ]
    for s in (1, 20, int(values.sum()) - 9, int(values.sum())):
        exact = Fraction(sum(x >= s for x in sums), 2**10)
        low, high, exponent, steps = counted(signed(values, s), 2**30)
        assert low == high
        assert Fraction(low) * Fraction(2) ** exponent == exact
        assert steps <= COUNTED


def test_a_large_count_is_rounded_outward():
    values = np.full(70, 123456789012345) + np.repeat([0, 7], 35)
    data = signed(values, int(values.sum()) // 5)
    low, high, exponent, _ = counted(data, 2**30)
    room = (data.total - data.s) // 2
    exact = Fraction(meet_in_the_middle.count(data.v, room, None), 2**70)
    assert (
        Fraction(low) * Fraction(2) ** exponent < exact < Fraction(high) * Fraction(2) ** exponent
    )
    assert high / low < 1 + 1e-15


def test_too_many_sums_are_not_counted():
    values = np.arange(1, 3001) ** 4
    for share in (2, 10**3):
        assert counted(signed(values, int(values.sum()) // share), 2**30) is None
    assert steps_to_count(signed(values, int(values.sum()) // 2)) == 2**62
    # Near the largest sum few flips are left.
    data = signed(values, int(values.sum()) - 30_000)
    low, high, exponent, _ = counted(data, 2**30)
    assert low == high
    assert exponent < -2900


def test_a_budget_may_be_too_small_to_count():
    data = signed(np.repeat([10**9 + 7, 10**9 - 3], 40), 10**10)
    assert counted(data, 1) is None


def of_all_signs(values, s):
    return Fraction(
        sum(
            sum(x * v for x, v in zip(signs, values, strict=True)) >= s
            for signs in itertools.product((1, -1), repeat=len(values))
        ),
        2 ** len(values),
    )


@pytest.mark.parametrize(
    "values",
    [
        [1, 2, 3, 5, 8, 1000],
        [1, 1, 2, 4, 900, 900, 900],
        [3, 1, 4, 100, 5000, 5000, 10**6],
        [7],
        [2, 2, 2, 2, 10**15],
    ],
)
def test_smaller_questions_add_up(values):
    total = sum(values)
    for s in {
        1,
        2,
        total // 3,
        total // 2,
        abs(total - 2 * min(values)),
        total,
        total + 1,
        max(values),
    }:
        constant, found = parts(signed(np.array(values), s))
        assert len(found) < 8
        exact = constant + sum(
            weight * of_all_signs(data.v.tolist(), data.s) for weight, data in found
        )
        assert exact == of_all_signs(values, s)
        for _, data in found:
            assert data.v.max() <= (data.total - data.s) // 2
    assert parts(signed(np.arange(1, 50), 300))[1][0][0] == 1


@pytest.mark.parametrize("value", [Fraction(1, 3), Fraction(2**70 + 1), Fraction(3, 2**5000)])
def test_bits_round_outward(value):
    low, exponent = bits(value, up=False)
    high, other = bits(value, up=True)
    assert Fraction(low) * Fraction(2) ** exponent <= value <= Fraction(high) * Fraction(2) ** other
    assert Fraction(high) * Fraction(2) ** other <= value * (1 + Fraction(1, 2**52))
    assert Fraction(low) * Fraction(2) ** exponent >= value * (1 - Fraction(1, 2**52))


def test_hoeffdings_bound_is_one_on_the_sum_of_doubles():
    rng = np.random.default_rng(3)
    for bits_each in (3, 20, 56):
        values = rng.integers(1, 2**bits_each, 12)
        for share in (0.0, 0.2, 0.5, 0.9, 1.0):
            data = signed(values, max(1, int(share * float(values.sum()))))
            assert of_all_signs(data.v.tolist(), data.s) <= at_most(data) <= 0.5
    # What the integers lose as doubles has moved the threshold down: that one counts.
    data = replace(data, above=0.5, below=2.0, d=np.full(4, 0.125))
    assert float(at_most(data)) == pytest.approx(math.exp(-2), rel=1e-2)
    assert at_most(replace(data, above=-0.5)) == 0.5
