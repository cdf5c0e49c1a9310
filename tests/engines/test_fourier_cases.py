"""Certified bounds in thousands of random cases: every one holds the exact probability.

The judges are counts of all sums by halves, integer polynomials, the lattice engine, and the
slow twin of :mod:`csig.engines.tails`. The exact part is in tests/signs.py. A small part is
run by default; ``--all`` runs 20,000, 2,000 and 200 cases, in some minutes.
"""

import math
from fractions import Fraction

import numpy as np
import pytest
import signs
from drawn import several

from csig.engines import lattice
from csig.engines.fourier import enclose
from csig.engines.tails import certified_tail

#: A batch is one test, so that several processes share them.
KINDS = list(signs.KINDS)


def settings(rng, values):
    """What a caller never chooses: any tilt, cut-off and period, by either form."""
    exact = int(np.abs(values // np.gcd.reduce(values)).sum()) < 2**17
    forms = [None, "kernels", "kernels", "lattice"] if exact else [None, "kernels", "kernels"]
    return {
        "tilt": float(10 ** rng.uniform(-0.7, 1.2)) if rng.random() < 0.6 else None,
        "form": forms[rng.integers(len(forms))],
        "far": float(10 ** rng.uniform(-4, 0)),
        "alias": float(10 ** rng.uniform(-5, 0.5)),
        "gap": float(10 ** rng.uniform(-1, 0.8)),
        "period": float(10 ** rng.uniform(-0.5, 1)),
    }


def check(rng, values, s, true, largest):
    """Bounds of random width, with a random tilt or that of the engine."""
    options = {
        "tolerance": float(10 ** rng.uniform(-6, -0.5)),
        "budget": int(10 ** rng.uniform(2, largest)),
    }
    choices = settings(rng, values) if rng.random() < 0.75 else {}
    values = values * rng.choice([-1, 1], len(values))
    with signs.chosen(**choices):
        found = enclose(values, s, **options)
    low, high = (Fraction(end) * Fraction(2) ** found.exponent for end in (found.low, found.high))
    assert low <= true <= high, (values.tolist(), s, options, choices, found)


def by_halves(seed, kind, least, most, cases, largest):
    rng = np.random.default_rng([seed, *kind.encode()])
    for n in rng.integers(least, most + 1, cases).tolist():
        values, s = signs.case(rng, kind, n)
        check(rng, values, s, Fraction(signs.count(values, s), 2**n), largest)


@pytest.mark.parametrize("kind", KINDS)
def test_all_sums_of_few(kind):
    """With --all 18,000 cases."""
    by_halves(1, kind, 2, 26, several(12, 1000), several(4, 5.5))


@pytest.mark.parametrize("seed", range(10))
def test_many_integers(seed):
    """With --all 2,000 cases, p down to 2^-300."""
    rng = np.random.default_rng([4, seed])
    for _ in range(several(4, 200)):
        n = int(rng.integers(45, several(121, 301)))
        top = min(int(rng.choice([1, 2, 5, 21, 60, 200])), several(2000, 40_000) // n)
        values = rng.integers(0, top + 1, n)
        if rng.random() < 0.2:  # an outlier, too
            values = np.append(rng.integers(1, 3, n - 1), rng.integers(100, 1000))
        spread, total = math.sqrt(values @ values), int(values.sum())
        ways = rng.uniform(0, 2) * spread, rng.uniform(0, 8) * spread, total * rng.random()
        s = min(max(int(rng.choice([*ways, total - 4.0])), 1), total)
        true = Fraction(signs.polynomial(values, s), 2**n)
        common = int(rng.integers(1, 2**61 // total)) if rng.random() < 0.5 else 1
        check(rng, values * common, s * common - int(rng.integers(0, common)), true, 5)


def decimals(rng, places, n, z):
    """Differences of decimals, and an s that may be a sum or lie between two."""
    drawn = rng.random(n) if rng.random() < 0.5 else 0.2 * rng.standard_normal(n)
    if rng.random() < 0.3:
        drawn *= rng.random(n) < 0.5
    values = np.rint(drawn * 10**places).astype(np.int64)
    spread, total = math.sqrt(float(values.astype(float) @ values)), int(np.abs(values).sum())
    s = int(min(z * rng.uniform(0.8, 1.05) * spread, total / 2))
    return values, max(s + int(rng.integers(0, 2)), 1)


def test_decimals_are_those_of_the_lattice_engine():
    """2 or 3 places, with --all 2 to 6 and up to 100,000 numbers; ties are exact."""
    rng = np.random.default_rng(5)
    lowest, treated = 1.0, 0
    for z in [0.01, 1, 2, 5, 10, 20, 30] * several(2, 18):
        places = int(rng.integers(2, several(4, 7)))
        n = int(10 ** rng.uniform(2.5, several(3.5, 5)))
        values, s = decimals(rng, places, n, z)
        found = enclose(values, s, tolerance=1e-10, budget=2**27)
        if not found.lattice:  # too many frequencies
            continue
        size = np.abs(values[values != 0])
        steps, base = np.stack([size, 0 * size], axis=1), (int(size.sum()), 1, 0, 1)
        if lattice.cost(steps, base, Fraction(s)) > 2**31:  # some seconds
            continue
        judge = lattice.tail(steps, base, Fraction(s))
        true = Fraction(judge.mantissa) * Fraction(2) ** judge.exponent
        unit, off = Fraction(2) ** found.exponent, Fraction(judge.error_bound)
        low, high = Fraction(found.low) * unit, Fraction(found.high) * unit
        assert low / (1 + off) <= true <= high / (1 - off), (places, values.tolist(), s)
        assert max(abs(low / true - 1), abs(high / true - 1)) < 1e-9
        lowest, treated = min(lowest, float(true)), treated + 1
    assert treated >= several(12, 80)
    assert lowest < several(1e-60, 1e-150)


@pytest.mark.parametrize("n", [60, 500, 3000])
@pytest.mark.parametrize("z", [0.5, 3, 12])
def test_the_slow_twin_agrees(n, z):
    values = signs.fixed(np.random.default_rng(n).standard_normal(n), 61)
    size = values.astype(np.float64)
    s = int(min(z * math.sqrt(size @ size), 0.6 * np.abs(size).sum()))
    found, twin = enclose(values, s, tolerance=1e-3), certified_tail(values, s, tolerance=2e-2)
    unit = Fraction(2) ** found.exponent
    assert max(Fraction(found.low) * unit, twin.bounds[0]) <= twin.bounds[1]
    assert twin.bounds[0] <= Fraction(found.high) * unit
    assert found.width < 1.01e-3
    assert twin.width < 2e-2
