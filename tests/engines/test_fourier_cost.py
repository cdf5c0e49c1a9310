"""Estimates beforehand: what they depend on."""

import math

import numpy as np

from csig.engines.frequencies import (
    Items,
    Sketch,
    factors,
    kernel_nodes,
    make_plan,
)


def sketched(n):
    d = np.sort(np.abs(np.random.default_rng(n).normal(size=n)))
    return Sketch.of(d), Items(d, np.ones(n))


def test_the_density_is_that_of_a_normal_sum():
    sketch, _ = sketched(200)
    sigma = math.sqrt(float((sketch.d**2).sum()))
    plan = make_plan(sketch, 2 * sigma, 1e-4, 1e-4)
    log_p = plan.expected + float(sketch.cumulant(np.array(plan.theta))) - plan.theta * 2 * sigma
    assert math.exp(log_p) == math.exp(log_p)
    assert abs(math.exp(log_p) / 0.02275 - 1) < 0.1
    nodes = [kernel_nodes(sketch, plan, 2 * sigma, goal) for goal in (1e-2, 1e-3, 1e-4)]
    # Of the tilted sum: the density times exp(theta s - K).
    tilted = math.log(nodes[0] * 1e-2 / plan.period) + log_p
    assert abs(math.exp(tilted) * sigma / 0.05399 - 1) < 0.2
    assert abs(nodes[1] / nodes[0] - 10) < 0.1
    assert abs(nodes[2] / nodes[1] - 10) < 0.1


def test_more_frequencies_and_fewer_numbers_cost_more():
    sketch, items = sketched(500)
    costs = [factors(items, sketch, 0.0, 8, far, 0.05, 1e-8, 500) for far in (10**3, 10**5)]
    assert 2000 < costs[0] < costs[1]
    few, some = sketched(30)
    # Every second frequency of 30 numbers is a peak, or nearly.
    assert factors(some, few, 0.0, 8, 10**5, 0.05, 1e-8, 30) > costs[1]
