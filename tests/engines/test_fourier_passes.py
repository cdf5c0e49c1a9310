"""Passes over all numbers: the same bits for every number of threads."""

import math
import signal

import numpy as np
import pytest

from csig.engines.frequencies import Passes


def numbers(n):
    d = np.abs(np.random.default_rng(n).normal(size=n))
    return d / d.max()


def test_threads_change_no_bit():
    d = numbers(600_000)
    theta = 2.5 / math.sqrt(float((d * d).sum()))
    one, two = Passes(d, 1), Passes(d, 2)
    assert one.cumulants(theta) == two.cumulants(theta)
    (h, q), (h_two, q_two) = one.tilted(theta), two.tilted(theta)
    assert (h == h_two).all()
    assert (q == q_two).all()
    for k in (np.arange(3, 20), np.array([5, 900, 2**20, *range(2**21, 2**21 + 9)])):
        for a, b in zip(one.at(h, theta, k), two.at(h, theta, k), strict=True):
            assert (a == b).all()


@pytest.mark.parametrize("n", [1, 100, 5000])
def test_values_are_those_of_numpy(n):
    d = numbers(n)
    theta = 2.5 / math.sqrt(float((d * d).sum()))
    passes = Passes(d, 1)
    K, error, *sums = passes.cumulants(theta)
    wide = np.log(np.cosh((theta * d).astype(np.longdouble))).sum()
    assert abs(K - wide) <= error + 1e-18 * n
    h, q = passes.tilted(theta)
    assert sums == pytest.approx([(d * h).sum(), (q * d**2).sum(), (q * d**4).sum()])
    k = np.array([1, 2, 3, 17, 400])
    re, im, error = passes.at(h, theta, k)
    x = np.outer(k, d) * theta
    phi = (np.cos(x) + 1j * h * np.sin(x)).prod(axis=1)
    assert (np.abs(re + 1j * im - phi) <= error + 1e-13).all()
    assert (error < 1e-9).all()


@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_is_heard(threads):
    d = numbers(300_000)
    passes = Passes(d, threads)
    h, _ = passes.tilted(0.001)
    before = signal.signal(signal.SIGVTALRM, signal.default_int_handler)
    try:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0.05)
        with pytest.raises(KeyboardInterrupt):
            passes.at(h, 0.001, np.arange(1, 4000))
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
