"""What a certified bound costs, estimated beforehand from the numbers alone."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from csig.engines.fourier_far import Items
from csig.engines.fourier_tilt import Plan, Sketch

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Reach", "factors", "kernel_nodes", "log_density"]

#: Numbers that a cell takes, as a share of those it may take; of more than so many it takes no
#: more.
CELL_LOSS, TAKEN = 0.5, 192


class Reach(NamedTuple):
    """Frequencies of a run: `near` of them evaluated, `far` in all, bounded below tau."""

    near: int
    far: int
    step: float
    tau: float


def log_density(sketch: Sketch, plan: Plan, s: float) -> float:
    """About the logarithm of the tilted sum's density at s."""
    slope, variance = sketch.slopes(plan.theta)
    spread = max(variance, 1e-12 * float(sketch.d[-1]) ** 2)
    return -0.5 * (s - slope) ** 2 / spread - 0.5 * math.log(2 * math.pi * spread)


def kernel_nodes(sketch: Sketch, plan: Plan, s: float, tolerance: float) -> float:
    """About how many frequencies the kernels need for a relative gap."""
    size = math.exp(min(log_density(sketch, plan, s) - plan.expected, 300.0))
    return plan.period * size / tolerance + 1


def factors(items: Items, sketch: Sketch, h: NDArray[np.float64], reach: Reach, n: int) -> float:
    """About the numbers times frequencies evaluated and cells bounded."""
    ratio = ((1 - h) / (1 + h)) ** 2
    mean = float(sketch.counts @ np.log((1 + h) / 2))
    spread = math.sqrt(float(sketch.counts @ (ratio * (1 + 0.645 * ratio**2))) / 2) + 1e-9
    above = 0.5 * math.erfc((math.log(reach.tau) - mean) / spread / math.sqrt(2))
    if above > 0.5:
        return float(n) * (reach.near + reach.far) * 2
    width = items.width(reach.step, reach.tau)
    _, q = items.choose((width - 1) * 0.5 * reach.step)
    return (
        float(n) * (reach.near + above * reach.far)
        + reach.far * (CELL_LOSS * min(len(q), TAKEN) / width + 4 * above * len(q))
    )  # fmt: skip
