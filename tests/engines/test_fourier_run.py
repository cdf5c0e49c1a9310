"""What a run chooses, and that it ends where it is told to."""

import math
import signal

import numpy as np
import pytest

from csig.engines.fourier import Run, Settings, signed


def question(n, z, size, seed=1):
    values = (np.random.default_rng(seed).normal(size=n) * size).astype(np.int64)
    return signed(values, int(z * math.sqrt(float((values.astype(np.float64) ** 2).sum()))))


def test_decimals_are_a_lattice_and_doubles_are_not():
    assert Run(question(2000, 2, 1e4), 1e-4, 2**28, Settings()).bounds().lattice
    assert not Run(question(2000, 2, 2.0**48), 1e-4, 2**28, Settings()).bounds().lattice


def test_a_small_budget_gives_wider_bounds():
    data = question(60, 2, 2.0**45)
    widths = []
    for budget in (10**3, 10**5, 10**7):
        run = Run(data, 1e-4, budget, Settings())
        found = run.bounds()
        widths.append(found.high / found.low)
        assert run.factors < 4 * budget
        assert (found.nodes < found.wanted) == (budget < 10**7)
    assert widths == sorted(widths, reverse=True)
    assert widths[0] > 1.001
    assert widths[-1] < 1.0001


def test_a_period_that_takes_more_than_was_estimated_leaves_something_for_kernels():
    values = np.rint(np.random.default_rng(0).normal(size=100) * 2000).astype(np.int64)
    data = signed(values, int(2 * math.sqrt(float((values**2).sum()))))
    whole = Run(data, 1e-4, 2**28, Settings())
    assert whole.bounds().lattice
    run = Run(data, 1e-4, int(1.2 * whole.estimate("lattice")), Settings())
    assert run.budget < whole.factors
    found = run.bounds()
    assert not found.lattice
    assert found.high / found.low < 1.01


def test_a_share_of_sums_at_the_threshold_leaves_less_for_the_gap():
    each = (np.sqrt([2, 3, 5, 7]) * 2.0**40).astype(np.int64)
    data = signed(np.repeat(each, 200), 20 * int(each.sum()))
    run = Run(data, 1e-3, 2**26, Settings())
    assert run.bounds().width < 1e-3
    # At once the gap would take 0.9 of it, and the share what is left and more.
    once = Run(data, 1e-3, run.factors // 2, Settings())
    assert 1e-3 < once.bounds().width < 1.5e-3


def test_a_wrong_guess_of_p_is_made_again():
    """One large number leaves no sums near s: p is far below the normal approximation."""
    values = np.concatenate([np.full(300, 10**9) + np.arange(300) ** 3, [10**12]])
    found = Run(signed(values, 5 * 10**11), 1e-3, 2**26, Settings()).bounds()
    # s is half way to the large number, and 29 deviations from it.
    assert found.low * 2.0**found.exponent == pytest.approx(0.5, rel=1e-3)
    assert found.high <= found.low * 1.001


def test_progress_is_told_and_threads_change_nothing():
    data = question(30_000, 1.5, 2.0**40)
    told = []
    run = Run(data, 1e-4, 2**28, Settings(), 2, lambda *both: told.append(both))
    assert run.bounds() == Run(data, 1e-4, 2**28, Settings()).bounds()
    assert told == sorted(told)
    assert told[-1][0] == told[-1][1]


def test_ctrl_c_ends_a_long_run():
    run = Run(question(45, 2, 2.0**50), 1e-8, 2**45, Settings())
    before = signal.signal(signal.SIGVTALRM, signal.default_int_handler)
    try:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0.2)
        with pytest.raises(KeyboardInterrupt):
            run.bounds()
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
