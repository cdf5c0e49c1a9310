"""Certified tails of a sum of signed integers: bounds from a few frequencies.

S is the sum of v_i, each with a fair sign. :func:`enclose` proves low <= P(S >= s) <= high,
with a small relative gap whatever the size of the probability. The characteristic function of the
tilted sum is evaluated at some frequencies near zero and bounded at all others; two
functions that lie above and below the tail's indicator do the rest (Graham and Vaaler 1981).
Integers of few digits have a period that is treated exactly, so that there is no gap.
``docs/theory.md``, "Certified bounds", has the proofs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

import numpy as np

from csig.engines import _fourier_numpy as kernels
from csig.engines.fourier_cost import Reach, factors, kernel_nodes
from csig.engines.fourier_data import Signed, signed
from csig.engines.fourier_far import POOL, Far, Items, Zones
from csig.engines.fourier_remedies import COUNTED, counted, steps_to_count
from csig.engines.fourier_tilt import Sketch, make_plan
from csig.engines.fourier_weights import (
    Kernel,
    U,
    exponential,
    far_weight,
    lattice_far_weight,
    turns_of,
    unit_circle,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from csig.engines.pool import Progress

__all__ = ["BUDGET", "Enclosure", "Settings", "cost", "enclose"]

#: Factors that a run may take: about half a second's.
BUDGET = 2**28

#: Relative width that the lattice is to have.
LATTICE_TOLERANCE = 1e-10

#: Beyond it exp overflows; a tail in units of exp(-rate) has nothing below it then.
LARGEST_RATE = 300.0

#: Cells up to which a period is worth it.
LATTICE_CELLS = 2**16


@dataclass(frozen=True)
class Enclosure:
    """Bounds on a probability: low * 2^exponent <= P(S >= s) <= high * 2^exponent.

    Attributes
    ----------
    lattice : bool
        Whether the period of the integers was treated exactly.
    theta, step : float
        The tilt and the distance of frequencies, in units of the integers; 0 if the sums were
        counted.
    nodes : int
        Frequencies that are evaluated or bounded.
    evaluated : int
        Those that were evaluated.
    factors : int
        Numbers times frequencies evaluated, and numbers times cells.
    """

    low: float
    high: float
    exponent: int
    lattice: bool
    theta: float
    step: float
    nodes: int
    evaluated: int
    factors: int

    @property
    def width(self) -> float:
        """(high - low) / low, infinite where the lower bound is zero."""
        if self.low == self.high:
            return 0.0
        return (self.high - self.low) / self.low if self.low > 0 else math.inf


@dataclass(frozen=True)
class Settings:
    """What is chosen by itself, unless it is given; any choice gives valid bounds.

    Attributes
    ----------
    theta : float or None
        The tilt, in units of the integers.
    form : "kernels", "lattice", "count" or None
    far, alias : float
        Shares of the tolerance for frequencies that are bounded, and for aliasing.
    gap : float
        Share of the tolerance for the gap between the kernels.
    period : float
        A factor of the period.
    """

    theta: float | None = None
    form: Literal["kernels", "lattice", "count"] | None = None
    far: float = 0.02
    alias: float = 0.01
    gap: float = 0.9
    period: float = 1.0


def enclose(
    values: NDArray[np.int64],
    s: int,
    *,
    tolerance: float = 1e-4,
    budget: int = BUDGET,
    threads: int = 1,
    notify: Progress | None = None,
    settings: Settings = Settings(),
) -> Enclosure:
    """Enclose P(S >= s)."""
    data = signed(values, s)
    if data.s > data.total:
        return Enclosure(0.0, 0.0, 0, False, 0.0, 0.0, 0, 0, 0)
    if settings.form in (None, "count"):
        found = counted(data, budget, forced=settings.form == "count")
        if found is not None:
            low, high, exponent, steps = found
            return Enclosure(low, high, exponent, False, 0.0, 0.0, 0, 0, steps)
    return _Run(data, tolerance, budget, settings).enclosure()


def cost(values: NDArray[np.int64], s: int, tolerance: float = 1e-4) -> int:
    """The factors that :func:`enclose` takes, estimated beforehand from the numbers alone."""
    data = signed(values, s)
    if data.s > data.total:
        return 1
    steps = steps_to_count(data)
    if steps <= COUNTED:
        return steps
    return max(1, int(min(_Run(data, tolerance, BUDGET, Settings()).estimate(), 2.0**62)))


class _Run:
    """One enclosure in the making."""

    def __init__(self, data: Signed, tolerance: float, budget: int, settings: Settings) -> None:
        self.data, self.tolerance, self.budget, self.settings = data, tolerance, budget, settings
        self.d = data.d
        self.ordered = np.sort(self.d)
        self.sketch = Sketch.of(self.ordered)
        self.evaluated = 0
        self.factors = 0
        self.k = np.zeros(0, dtype=np.int64)
        self.phi = np.zeros(0, dtype=np.complex128)
        self.error = np.zeros(0)

    def enclosure(self) -> Enclosure:
        """By the lattice where its period is short, else by kernels."""
        form = self.settings.form
        if form == "lattice" or (form is None and self.data.exact):
            self._tilt(min(self.tolerance, LATTICE_TOLERANCE))
            found = self._lattice(form == "lattice")
            if found is not None:
                return found
        self._tilt(self.tolerance)
        return self._kernels()

    def estimate(self) -> float:
        """About the factors of :meth:`enclosure`, from a sketch of the numbers."""
        data, settings, n = self.data, self.settings, len(self.d)
        costs = []
        forms = [("kernels", self.tolerance)]
        if data.exact:
            forms.append(("lattice", min(self.tolerance, LATTICE_TOLERANCE)))
        for form, goal in forms:
            plan = make_plan(self.sketch, data.below, settings.alias * goal, settings.far * goal)
            tau = min(0.5, settings.far * goal * math.exp(plan.expected) / 6)
            items = self._items(plan.theta)
            step = 2 * math.pi / plan.period
            if form == "lattice":
                nodes = plan.period / (4 * data.unit)
                if nodes > LATTICE_CELLS * items.width(step, tau):
                    continue
            else:
                nodes = kernel_nodes(self.sketch, plan, data.below, settings.gap * goal)
            sigma = math.sqrt(self.sketch.slopes(plan.theta)[1])
            near = math.ceil(math.sqrt(-2 * math.log(tau)) / (sigma * step))
            reach = Reach(min(near, math.ceil(nodes)), math.ceil(nodes), step, tau)
            h = np.tanh(plan.theta * self.sketch.d)
            costs.append(factors(items, self.sketch, h, reach, n))
        return costs[-1]

    def _items(self, theta: float) -> Items:
        """Some of the numbers, for cells."""
        stride = -(-len(self.d) // POOL)
        some = self.ordered[stride // 2 :: stride]
        return Items(some, kernels.tilted(some, theta)[1])

    def _tilt(self, tolerance: float) -> None:
        settings, data = self.settings, self.data
        theta = settings.theta
        if theta is not None:
            theta = math.ldexp(theta, data.exponent)
        self.goal = tolerance
        self.plan = plan = make_plan(
            self.sketch, data.below, settings.alias * tolerance, settings.far * tolerance, theta
        )
        self.theta = plan.theta
        self.K, self.K_error, self.K1, *_ = kernels.cumulants(self.d, self.theta)
        self.K1 *= 1 + kernels.SUM_ERROR
        self.h, self.q = kernels.tilted(self.d, self.theta)
        places = self.theta - plan.left, self.theta + plan.right
        self.steps = tuple(abs(self.theta - x) for x in places)
        self.sides = [kernels.cumulants(self.d, x)[:2] if x > 0 else (0.0, 0.0) for x in places]
        self.zones = Zones(self.d, self.q)
        self.items = self._items(self.theta)
        self.k = np.zeros(0, dtype=np.int64)
        self.phi = np.zeros(0, dtype=np.complex128)
        self.error = np.zeros(0)
        period = plan.period * settings.period
        for (k, _), delta, sign in zip(self.sides, self.steps, (1, -1), strict=True):
            # The period again, from all numbers.
            need = -math.log(settings.alias * tolerance) - plan.expected
            period = max(period, (k - self.K + sign * delta * data.below + need) / delta)
        self.period = period

    def _evaluate(self, k: NDArray[np.int64]) -> None:
        """Add the characteristic function at some frequencies."""
        re, im, error = kernels.at(self.d, self.h, self.step, k)
        # h is not tanh(theta d), and the step of a lattice is not the double.
        t = k * self.step * (1 + 8 * U)
        error = error + t * (kernels.H_ERROR * self.K1)
        if self.rounded_step:
            error = error + t * (4 * U) * float(self.d.sum()) * (1 + 1e-9)
        self.k = np.concatenate([self.k, k])
        self.phi = np.concatenate([self.phi, re + 1j * im])
        self.error = np.concatenate([self.error, error * (1 + 1e-9)])
        self.evaluated += len(k)
        self.factors += len(k) * len(self.d)

    def _near(self, tau: float, end: int) -> int:
        """Evaluate the frequencies before the first zone; the last of them."""
        zones = self.zones.below(tau)
        guess = math.sqrt(-2 * math.log(tau) / self.sketch.slopes(self.theta)[1])
        low = min(zones[0][0], 4 * guess) if zones else guess
        last = int(min(max(math.ceil(low / self.step), 1), end, 4096))
        have = len(self.k)
        if last > have:
            self._evaluate(np.arange(have + 1, last + 1, dtype=np.int64))
        return max(last, min(have, end))

    def _far(self, k0: int, end: int, tau: float) -> int:
        """Bound the others, and evaluate their peaks; how far that went."""
        far = Far(
            self.items, self.zones.below(tau), self.step, tau,
            self.budget - self.factors, len(self.d),
        )  # fmt: skip
        far.run(k0, end)
        self.factors += far.factors
        if far.peaks:
            self._evaluate(np.sort(np.concatenate(far.peaks)))
        return far.reached

    # ---- kernels ------------------------------------------------------------------------

    def _kernels(self) -> Enclosure:
        self.step, self.rounded_step = 2 * math.pi / self.period, False
        expected = math.exp(self.plan.expected)
        tau = self.settings.far * self.goal * expected / 6
        k0 = self._near(min(tau, 0.5), 2**40)
        q, density = self._limits()
        if not q > 0.01 * expected:
            q = expected
        type_ = max(2 * math.pi * density / (self.settings.gap * self.goal * q), 0.0)
        n = int(min(max(math.ceil(type_ / self.step), 2), 2**40))
        n = max(n, math.ceil(self.theta * self.period / LARGEST_RATE) + 1)
        rate = 2 * math.pi * self.theta / (n * self.step)
        tau = min(self.settings.far * self.goal * q / max(far_weight(1, n, rate), 1.0), 0.5)
        k0 = self._near(tau, n - 1)
        reached = self._far(k0, n - 1, tau)
        n = max(reached + 1, 2)
        rate = 2 * math.pi * self.theta / (n * self.step)
        if rate > LARGEST_RATE:  # the tilt is too strong for so few frequencies
            return self._result(1.0, 0.0, self.period, False, n - 1)
        missing = tau * far_weight(k0, n, rate)
        keep = self.k < n
        k = self.k[keep]
        kernel = Kernel.at(k, n, rate)
        at_0 = 1 / math.expm1(rate)
        above = self._q(keep, kernel.above, kernel.error, at_0 + 1, n, rate, self.data.above)
        below = self._q(keep, kernel.below, kernel.error, at_0, n, rate, self.data.below)
        period = 2 * math.pi / self.step * (1 - 8 * U)
        return self._result(above[1] + missing, below[0] - missing, period, False, n - 1)

    def _limits(self) -> tuple[float, float]:
        """About Q for an infinite type, and the density."""
        circle, _ = unit_circle(turns_of(self.step, self.data.below), self.k)
        z = self.phi * circle
        part = self.step / (2 * math.pi)
        q = part * (
            1 / self.theta + 2 * float((z / (self.theta + 1j * self.step * self.k)).real.sum())
        )
        return q, part * (1 + 2 * float(z.real.sum()))

    def _q(
        self,
        keep: NDArray[np.bool_],
        weights: NDArray[np.complex128],
        weight_error: NDArray[np.float64],
        at_0: float,
        n: int,
        rate: float,
        s: float,
        turns: int | None = None,
    ) -> tuple[float, float]:
        """Bounds on Q from the frequencies that were evaluated."""
        k, phi, error = self.k[keep], self.phi[keep], self.error[keep]
        circle, circle_error = unit_circle(turns_of(self.step, s) if turns is None else turns, k)
        terms = [at_0, *(2 * (weights * phi * circle).real).tolist()]
        size, modulus = np.abs(weights), np.abs(phi)
        errors = 2 * (
            size * error + modulus * weight_error + size * modulus * (circle_error + 16 * U)
        )
        slack = math.fsum(errors.tolist()) * (1 + 1e-9) + at_0 * (1 + rate) * 256 * U
        found = math.fsum(terms)
        slack += abs(found) * 8 * U
        return (found - slack) / n, (found + slack) / n

    # ---- the lattice --------------------------------------------------------------------

    def _lattice(self, forced: bool) -> Enclosure | None:
        data, unit = self.data, self.data.unit
        pitch = 2 * unit  # S takes every second integer
        n = math.ceil(self.period / pitch) | 1
        if n > 2**40:
            return None
        self.step, self.rounded_step = 2 * math.pi / (n * pitch), True
        expected = math.exp(self.plan.expected)
        half = (n - 1) // 2
        tau = self.settings.far * self.goal * expected / max(lattice_far_weight(1, n), 1.0)
        tau = min(tau, 0.5)
        far = Far(self.items, self.zones.below(tau), self.step, tau, 0, 0)
        if not forced and half > LATTICE_CELLS * far.width:
            return None
        k0 = self._near(tau, half)
        reached = self._far(k0, half, tau)
        if reached < half:
            return None
        missing = tau * lattice_far_weight(k0, n)
        rate = self.theta * pitch
        kernel = Kernel.of_lattice(self.k, n, rate)
        keep = np.ones(len(self.k), dtype=np.bool_)
        # The step is a fraction of a turn: s / (n * pitch).
        turns = round(Fraction(data.s, 2 * n) * 2**192) % 2**192
        low, high = self._q(
            keep, kernel.above, kernel.error, 1 + 1 / math.expm1(rate), n, rate, 0.0, turns
        )
        s = math.ldexp(data.s, -data.exponent)
        return self._result(high + missing, low - missing, n * pitch * (1 - 8 * U), True, half, s)

    # ---- together -----------------------------------------------------------------------

    def _aliasing(self, period: float, s: float) -> float:
        """A bound on what the copies of the tail add, as Q."""
        total = 0.0
        for (k, error), delta, sign in zip(self.sides, self.steps, (1, -1), strict=True):
            x = k - self.K + sign * delta * s
            slack = error + self.K_error + 16 * U * (abs(k) + abs(self.K) + delta * abs(s))
            y = delta * period * (1 - 8 * U)
            top = x + slack - y
            if top > 500:
                return math.inf
            total += math.exp(top) / -math.expm1(-y) * (1 + 1e-9)
        return total

    def _result(
        self, above: float, below: float, period: float, lattice: bool, nodes: int,
        s: float | None = None,
    ) -> Enclosure:  # fmt: skip
        s_above, s_below = (self.data.above, self.data.below) if s is None else (s, s)
        below -= self._aliasing(period, s_below)
        k, theta, slack = Fraction(self.K), Fraction(self.theta), Fraction(self.K_error)
        top, exponent, error = exponential(k + slack - theta * Fraction(s_above))
        high = min(max(above, 0.0), 1.0) * top * (1 + error + 16 * U)
        bottom, other, error = exponential(k - slack - theta * Fraction(s_below))
        low = math.ldexp(max(below, 0.0) * bottom * (1 - error - 16 * U), other - exponent)
        # By symmetry no more than a half; the largest sum alone has 2^-n.
        n = len(self.d)
        if exponent > -1000:
            high = min(high, math.ldexp(0.5, -exponent))
        if -n - exponent > -1000:
            low = max(low, math.ldexp(1.0, -n - exponent))
        unit = self.data.unit / self.data.divisor
        return Enclosure(
            low, high, exponent, lattice, self.theta * unit, self.step * unit, nodes,
            self.evaluated, self.factors,
        )  # fmt: skip
