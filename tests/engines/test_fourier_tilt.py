"""Sketches, saddle points and periods, and that they stand for the numbers."""

import math

import numpy as np
import pytest

from csig.engines.frequencies import ALL, Sketch, make_plan, rounded


def cumulant(d, theta):
    x = np.abs(theta * d)
    return float((x + np.log1p(np.exp(-2 * x)) - math.log(2)).sum())


@pytest.mark.parametrize("kind", ["normal", "heavy", "few"])
@pytest.mark.parametrize("n", [5, 2000, 40000])
def test_a_sketch_stands_for_the_numbers(kind, n):
    rng = np.random.default_rng(n)
    d = {
        "normal": lambda: np.abs(rng.normal(size=n)),
        "heavy": lambda: np.abs(rng.standard_t(1.2, size=n)),
        "few": lambda: rng.choice([0.2, 0.7, 1.0], n),
    }[kind]()
    some = Sketch.of(d)
    assert (np.diff(some.d) >= 0).all()
    assert some.counts.sum() == pytest.approx(n)
    assert len(some.d) == n or n > ALL
    sketch = some.coarse()
    assert len(sketch.d) <= 256
    assert sketch.counts.sum() == pytest.approx(n)
    assert sketch.d[-1] == d.max()
    for z in (0.3, 3.0, 12.0):
        theta = z / math.sqrt(float((d * d).sum()))
        tolerance = 1e-12 if n <= 256 else 0.05
        assert float(sketch.cumulant(np.array(theta))) == pytest.approx(
            cumulant(d, theta), rel=tolerance
        )


def test_the_saddle_has_its_mean_at_s():
    d = np.sort(np.abs(np.random.default_rng(2).normal(size=200)))
    sketch = Sketch.of(d)
    for share in (0.001, 0.1, 0.5, 0.95):
        s = share * d.sum()
        theta = sketch.saddle(s)
        assert float((d * np.tanh(theta * d)).sum()) == pytest.approx(s, rel=1e-2)
    assert math.isfinite(sketch.saddle(d.sum()))


def test_a_period_leaves_little_of_the_copies():
    """exp(-theta j P) P(S >= s - j P) and exp(theta j P) P(S >= s + j P), with all sums."""
    d = np.sort(np.abs(np.random.default_rng(3).normal(size=14)))
    sums = np.zeros(1)
    for x in d:
        sums = np.concatenate([sums + x, sums - x])
    for share in (0.1, 0.5):
        s = float(share * d.sum())
        plan = make_plan(Sketch.of(d), s, 1e-3, 1e-3)
        p = np.mean(sums >= s)
        copies = sum(
            math.exp(-plan.theta * j * plan.period) * np.mean(sums >= s - j * plan.period)
            for j in range(-9, 10)
            if j
        )
        assert copies < 10 * 1e-3 * p
        assert plan.left <= plan.theta
        assert abs(plan.expected + cumulant(d, plan.theta) - plan.theta * s - math.log(p)) < 0.5


def test_a_tilt_may_be_given():
    d = np.arange(1.0, 40.0)
    sketch = Sketch.of(d)
    assert make_plan(sketch, 200.0, 1e-3, 1e-3, theta=0.25).theta == 0.25
    assert rounded(math.pi) == round(math.pi * 2**18) / 2**18
