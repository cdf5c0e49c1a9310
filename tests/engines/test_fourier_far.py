"""Bounds of far frequencies against the characteristic function itself."""

import itertools

import numpy as np
import pytest

from csig.engines.frequencies import Far, Items, Zones


def drawn(kind, n, seed):
    rng = np.random.default_rng(seed)
    d = {
        "normal": lambda: np.abs(rng.normal(size=n)),
        "heavy": lambda: np.abs(rng.standard_t(1.2, size=n)),
        "two": lambda: rng.choice([1.0, np.sqrt(2)], n),
        "wide": lambda: 2.0 ** (-20 * rng.random(n)),
    }[kind]()
    d = np.sort(d / d.max())
    theta = 2.5 / np.sqrt((d * d).sum())
    return d, np.tanh(theta * d)


def modulus(d, h, t):
    """|phi| in extended precision."""
    q = 1 - h.astype(np.longdouble) ** 2
    sine = np.sin(np.outer(t.astype(np.longdouble), d.astype(np.longdouble)))
    return np.exp(np.log1p(-q * sine * sine).sum(axis=1) / 2)


@pytest.mark.parametrize("kind", ["normal", "heavy", "two", "wide"])
@pytest.mark.parametrize("n", [1, 20, 300])
@pytest.mark.parametrize("tau", [0.3, 1e-4, 1e-11])
def test_what_is_no_peak_is_below_tau(kind, n, tau):
    d, h = drawn(kind, n, n)
    q = 1 - h * h
    zones = Zones(d, q).below(tau)
    for low, high in zones:
        t = np.linspace(low, high, 50)
        assert (modulus(d, h, t) <= tau).all()
    assert all(a[1] < b[0] for a, b in itertools.pairwise(zones))
    step = 0.8 / np.sqrt((d * d * q).sum())
    far = Far(Items(d, q), zones, step, tau, 10**7, n)
    far.run(3, 1500)
    assert far.reached == 1500
    peaks = np.concatenate([*far.peaks, np.zeros(0, dtype=np.int64)])
    others = np.setdiff1d(np.arange(4, 1501), peaks)
    assert (modulus(d, h, others * step) <= tau).all()
    # Few are taken for peaks that are none: a single frequency is bounded by up to 512 numbers.
    size = modulus(d, h, peaks * step)
    assert len(peaks) == 0 or np.mean(size > tau * 0.99) > (0.9 if n < 512 else 0.0)


def test_a_budget_ends_at_an_octave_without_its_peaks():
    d, h = drawn("normal", 12, 1)
    far = Far(Items(d, 1 - h * h), [], 0.5, 1e-3, 3000, 12)
    far.run(4, 10**6)
    assert 4 <= far.reached < 10**6
    assert all((part <= far.reached).all() for part in far.peaks)
    assert far.n_peaks == sum(map(len, far.peaks))
    told = []
    far = Far(Items(d, 1 - h * h), [], 0.5, 1e-3, 10**7, 12, lambda *both: told.append(both))
    far.run(4, 100)
    assert told == [(16, 100), (32, 100), (64, 100), (100, 100)]


def test_no_number_bounds_nothing():
    far = Far(Items(np.ones(3), np.zeros(3)), [], 0.5, 1e-3, 10**7, 3)
    far.run(1, 40)
    assert np.concatenate(far.peaks).tolist() == list(range(2, 41))


def test_items_are_spread_over_their_window():
    items = Items(np.linspace(0.001, 1, 5000), np.ones(5000))
    d, q = items.choose(2.0)
    assert len(d) == len(q) == 512
    assert 0.05 <= d.min() < d.max() <= 0.225
    assert d[:16].max() - d[:16].min() > 0.14
    assert items.width(1.0, 1e-8) > items.width(100.0, 1e-8)


def test_strong_tilts_have_wide_cells_too():
    """Where factors are near 1 it takes some hundreds to come below a small tau."""
    d = np.sort(np.abs(np.random.default_rng(2).normal(size=10_000)))
    d /= d.max()
    theta = 21 / np.sqrt((d * d).sum())
    items = Items(d, 1 - np.tanh(theta * d) ** 2)
    assert [items.width(0.04, tau) for tau in (1e-8, 1e-12, 1e-15, 1e-18)][-1] >= 1024
