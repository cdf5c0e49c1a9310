"""Certified tails of a sum of signed integers: bounds from a few frequencies.

S is the sum of v_i, each with a fair sign. :func:`enclose` proves low <= P(S >= s) <= high,
with a small relative gap whatever the size of the probability. The characteristic function of the
tilted sum is evaluated at some frequencies near zero and bounded at all others; two
functions that lie above and below the tail's indicator do the rest (Graham and Vaaler 1981).
Integers of few digits have a period that is treated exactly, so that there is no gap. Where bounds
cannot close, or few sums count, numbers that must keep their sign are dropped, a few that outweigh
all others are taken with either sign, and where few sums are left they are counted.

``docs/theory.md``, "Certified bounds", has the proofs, and the names: p = exp(K - theta s) Q, and Q
is a sum over frequencies k * step.
"""

from __future__ import annotations

import itertools
import math
import numbers
from collections import Counter
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from operator import neg
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from csig.base.errors import InputError
from csig.base.wording import noun
from csig.engines import meet_in_the_middle
from csig.engines.frequencies import (
    TURN,
    Far,
    Items,
    Kernel,
    Passes,
    Plan,
    Sketch,
    U,
    Zones,
    exponential,
    factors,
    far_weight,
    kernel_nodes,
    lattice_far_weight,
    make_plan,
    turns_of,
    unit_circle,
)
from csig_ext import dispatch
from csig_ext import fourier as kernels

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from csig.engines.pool import Progress

# ---- integers as doubles: what is lost moves the threshold outward -------------------------------

#: Relative widths that are aimed at: doubles have no smaller ones, and larger ones, which cost
#: hardly less, are not proportional to the gap.
FINEST, COARSEST = 2.0**-52, 0.1


@dataclass(frozen=True, eq=False)
class Signed:
    """A question about S, the sum of v_i with fair signs: P(S >= s)."""

    v: NDArray[np.int64]  #: Positive, without a common divisor.
    d: NDArray[np.float64]  #: v / 2^exponent, as doubles; the largest is between 1/2 and 1.
    #: Of the same parity as the sum of v: a value that S may take. S takes every second integer at
    #: most.
    s: int
    total: int  #: The sum of v.
    divisor: int  #: What v and s were divided by.
    exponent: int
    #: above, below: thresholds for d with P(sum of d >= below) <= P(S >= s) <= P(sum of d >=
    #: above).
    above: float
    below: float

    @property
    def exact(self) -> bool:
        """Whether d holds v without any loss."""
        return self.above == self.below

    @property
    def unit(self) -> float:
        """What an integer of `v` is in `d`."""
        return math.ldexp(1.0, -self.exponent)


def checked(tolerance: object) -> float:
    """The relative width to aim at; 0 may be asked for."""
    if not isinstance(tolerance, numbers.Real) or not 0 <= float(tolerance) < math.inf:
        raise InputError(f"tolerance must be a finite number from 0, found {tolerance!r}")
    return min(max(float(tolerance), FINEST), COARSEST)


def _down(value: int) -> float:
    """The largest double that is at most an integer."""
    found = float(value)
    return found if int(found) <= value else math.nextafter(found, -math.inf)


def signed(values: NDArray[np.int64], s: int) -> Signed:
    """The question whether the sum of integers with fair signs reaches s > 0."""
    if s < 1:
        raise InputError(f"s must be a positive integer, found {s}")
    v = np.abs(values[values != 0])
    # -2^63 has no opposite, and stays negative.
    large = v.size and (int(v.min()) < 0 or float(v.sum(dtype=np.float64)) >= 2.0**61)
    if large and sum(map(abs, v.tolist())) >= 2**62:
        raise InputError("values: the sum of their absolute values reaches 2^62")
    total = int(v.sum())
    divisor = int(np.gcd.reduce(v)) if v.size else 1
    if divisor > 1:
        v, total = v // divisor, total // divisor
    s = -(-s // divisor)
    s += (s - total) % 2
    exponent = int(v.max()).bit_length() if v.size else 0
    d = v.astype(np.float64)
    lost = 0 if exponent <= 53 else int(np.abs(v - d.astype(np.int64)).sum())
    np.ldexp(d, -exponent, out=d)
    # S >= s is S > s - 2: a threshold half a step below s is as good and far from both values.
    above, below = _down(s - 1 - lost), -_down(-(s - 1 + lost))
    return Signed(
        v, d, s, total, divisor, exponent,
        math.ldexp(above, -exponent), math.ldexp(below, -exponent),
    )  # fmt: skip


#: Steps of meeting in the middle that are taken without asking what bounds would cost.
COUNTED = 2**20

#: So many different numbers among so many are too many to count.
MOST_DIFFERENT, LOOKED_AT = 40, 512

#: Sums listed, and added in all on the way to a list; so many small numbers make too many.
LISTED, ADDED, SMALL = 2**18, 2**22, 18

#: Up to so many numbers are taken with either sign, if all of them are so many times larger than
#: the root of the sum of squares of the others: one tilt cannot serve two heaps.
HEAPS, APART = 8, 8.0


class Part(NamedTuple):
    """A question with the weight that its answer has in another's."""

    weight: Fraction
    data: Signed


# ---- smaller questions --------------------------------------------------------------------


def parts(data: Signed) -> tuple[Fraction, list[Part]]:
    """P(S >= s) as a constant and weighted probabilities of the same kind, none foregone."""
    constant, found = Fraction(0), []
    stack = [Part(Fraction(1), data)]
    while stack:
        weight, data = stack.pop()
        if data.s > data.total:
            continue
        room = (data.total - data.s) // 2
        if int(data.v.max()) > room:
            # S >= s wants these to be positive.
            large = data.v > room
            smaller = [(data.s - int(data.v[large].sum()), 1)]
            weight, rest = weight / (1 << int(large.sum())), data.v[~large]
        else:
            # How many of the largest numbers are to be taken with either sign.
            n, most, squares = 0, min(HEAPS, len(data.d) - 1), np.square(data.d).sum()
            if most >= 1 and float(squares) <= (HEAPS + 1) * float(data.d.max()) ** 2:
                large = np.sort(np.partition(data.d, len(data.d) - most - 1)[-most:])
                others = max(float(squares - np.square(large).sum()), 0.0)
                apart = np.flatnonzero(
                    large[1:] ** 2 > APART**2 * (others + np.cumsum(large * large)[:-1])
                )
                n = most - int(apart[0]) if len(apart) else 0
            if not n:
                found.append(Part(weight, data))
                continue
            order = np.argsort(data.v, kind="stable")
            rest, top = data.v[order[:-n]], data.v[order[-n:]].tolist()
            sums = (sum(signs) for signs in itertools.product(*((-x, x) for x in top)))
            smaller = sorted(Counter(data.s - x for x in sums).items())
            weight /= 1 << n
        for s, times in smaller:
            if s > 0:
                stack.append(Part(weight * times, signed(rest, s)))
            else:  # the complement of P(S > -s), by symmetry
                constant += weight * times
                stack.append(Part(-weight * times, signed(rest, 1 - s)))
    return constant, found


def at_most(data: Signed) -> Fraction:
    """A bound on P(S >= s) by Hoeffding's inequality (1963): exp(-s^2 / (2 sum of v^2))."""
    # Where d holds v with a loss only, S >= s needs the sum of d to reach `above`. By symmetry the
    # probability is 1/2 at most.
    squares = float(np.square(data.d).sum()) * (1 + 1e-6)
    exponent = min(max(data.above, 0.0) ** 2 / (2 * squares), 10_000.0)
    value, binary, error = exponential(Fraction(-exponent) * Fraction(999, 1000))
    return min(Fraction(value * (1 + error)) * Fraction(2) ** binary, Fraction(1, 2))


# ---- counts -------------------------------------------------------------------------------


def _free(data: Signed) -> tuple[NDArray[np.int64], int, int | None]:
    """The numbers that may be flipped, what flips may add up to, and how many sums of flips are at
    most that, if these are few.
    """
    # S >= s needs flips that add up to at most (total - s) / 2: larger numbers have no choice.
    room = (data.total - data.s) // 2
    free = data.v if int(data.v.max(initial=0)) <= room else data.v[data.v <= room]
    if (
        len(free) >= SMALL
        and (
            int(free[:SMALL].sum()) <= room  # as a rule the first ones are small enough
            or int(np.partition(free, SMALL - 1)[:SMALL].sum()) <= room
        )
    ):
        return free, room, None
    sums, added = np.zeros(1, dtype=np.int64), 0
    for v in np.sort(free)[::-1].tolist():
        added += len(sums)
        more = sums[sums <= room - v] + v
        sums = np.concatenate([sums, more]) if len(more) else sums
        if len(sums) > LISTED or added > ADDED:
            return free, room, None
    return free, room, len(sums)


def _steps(free: NDArray[np.int64]) -> int:
    # D different numbers make at least 2^(D/2) sums in the halves.
    if len(np.unique(free[:: -(-len(free) // LOOKED_AT) or 1])) > MOST_DIFFERENT:
        return 2**62
    return meet_in_the_middle.cost(free)


def steps_to_count(data: Signed) -> int:
    """What counting takes, in steps of meeting in the middle; 2^62 if it is clearly too much."""
    free, _, count = _free(data)
    return _steps(free) if count is None else len(free) + 1


def counted(
    data: Signed, budget: int, *, forced: bool = False
) -> tuple[float, float, int, int] | None:
    """Low, high, exponent and steps, exact up to one rounding; None if there are too many sums."""
    free, room, count = _free(data)
    steps = len(free) + 1
    if count is None:
        steps = meet_in_the_middle.cost(free) if forced else _steps(free)
        if not forced and steps > min(COUNTED, budget):
            return None
        count = meet_in_the_middle.count(free, room, None)
    exact = Fraction(count, 1 << len(data.v))
    low, exponent = bits(exact, up=False)
    high, other = bits(exact, up=True)
    return low, math.ldexp(high, other - exponent), exponent, steps


def bits(value: Fraction, *, up: bool) -> tuple[float, int]:
    """A fraction of at least 0 as double x 2^exponent, rounded down or up."""
    if value <= 0:
        return 0.0, 0
    exponent = value.numerator.bit_length() - value.denominator.bit_length() - 53
    scaled = value / Fraction(2) ** exponent  # between 2^52 and 2^54
    whole = scaled.numerator // scaled.denominator
    if whole >= 2**53:
        exponent, whole = exponent + 1, whole // 2
        scaled /= 2
    if up and whole < scaled:
        whole += 1
    return math.ldexp(whole, -53), exponent + 53


# ---- one question -------------------------------------------------------------------------------

#: Relative width that the lattice is to have.
LATTICE_TOLERANCE = 1e-10

#: A period is taken if it costs no more than this, or so many times what kernels cost.
LATTICE_FACTORS, LATTICE_WORTH = 2**25, 4

#: Of the budget: where a period takes more after all, kernels can still do with the rest.
LATTICE_SHARE = 0.75

#: Frequencies that there may be; those that are evaluated before any zone begins.
MOST_NODES, MOST_NEAR = 2**40, 2**12

#: Frequencies that are weighted at a time.
AT_ONCE = 2**17

#: Beyond it exp overflows; a tail in units of exp(-rate) has nothing below it then.
LARGEST_RATE = 300.0


@dataclass(frozen=True)
class Settings:
    """What is chosen by itself, unless it is given; any choice gives valid bounds."""

    theta: float | None = None  #: The tilt, in units of the integers.
    form: Literal["kernels", "lattice", "count"] | None = None
    #: far, alias: shares of the tolerance for frequencies that are bounded, and for aliasing.
    far: float = 0.02
    alias: float = 0.01
    gap: float = 0.9  #: Share of the tolerance for the gap between the kernels.
    period: float = 1.0  #: A factor of the period.


@dataclass(frozen=True)
class Enclosure:
    """Bounds on a probability: low * 2^exponent <= P(S >= s) <= high * 2^exponent."""

    low: float
    high: float
    exponent: int
    lattice: bool  #: Whether the period of the integers was treated exactly.
    #: theta, step: the tilt and the distance of frequencies, in units of the integers; 0 if the
    #: sums were counted.
    theta: float
    step: float
    nodes: int  #: Frequencies that are evaluated or bounded.
    evaluated: int  #: Those that were evaluated.
    factors: int  #: Numbers times frequencies evaluated, and numbers times cells.
    reason: str = ""  #: Why the tolerance was not reached, in words; empty if it was.

    @property
    def width(self) -> float:
        """(high - low) / low, infinite where the lower bound is zero."""
        if self.low == self.high:
            return 0.0
        return (self.high - self.low) / self.low if self.low > 0 else math.inf


class Bounds(NamedTuple):
    """low * 2^exponent <= p <= high * 2^exponent, and what they were made of."""

    low: float
    high: float
    exponent: int
    lattice: bool
    step: float
    nodes: int
    wanted: int

    @property
    def width(self) -> float:
        """(high - low) / low, infinite where the lower bound is zero."""
        return (self.high - self.low) / self.low if self.low > 0 else math.inf


class Run:
    """One question, none of whose numbers may be dropped."""

    def __init__(
        self,
        data: Signed,
        tolerance: float,
        budget: int,
        settings: Settings,
        threads: int = 1,
        notify: Progress | None = None,
    ) -> None:
        self.data, self.tolerance, self.budget, self.settings = data, tolerance, budget, settings
        self.threads, self.notify = threads, notify
        self.evaluated = self.factors = 0
        self.theta = math.nan
        self._plans: dict[tuple[float, float], Plan] = {}
        self._tilted: dict[float, Items] = {}
        self._estimates: dict[tuple[str, float], float] = {}

    @cached_property
    def passes(self) -> Passes:
        return Passes(self.data.d, self.threads)

    @cached_property
    def some(self) -> Sketch:
        return Sketch.of(self.data.d)

    @cached_property
    def sketch(self) -> Sketch:
        return self.some.coarse()

    @cached_property
    def steps_to_count(self) -> int:
        return steps_to_count(self.data)

    @property
    def cost(self) -> int:
        if self.steps_to_count <= COUNTED:
            return self.steps_to_count
        return int(min(self.choice[1], 2.0**62))

    @property
    def closes(self) -> bool:
        """Whether sums are counted, or a period is treated exactly."""
        return self.steps_to_count <= COUNTED or self.choice[0] == "lattice"

    def enclose(self, budget: int, threads: int, notify: Progress | None) -> Enclosure:
        """Its bounds, counted where few sums are left."""
        form, data = self.settings.form, self.data
        if form in (None, "count"):
            few = counted(data, budget, forced=form == "count")
            if few is not None:
                return Enclosure(*few[:3], False, 0.0, 0.0, 0, 0, few[3])
        self.budget, self.notify, self.passes.threads = budget, notify, threads
        self.evaluated = self.factors = 0
        made = self.bounds()
        unit = data.unit / data.divisor
        found = Enclosure(
            made.low, made.high, made.exponent, made.lattice, self.theta * unit, made.step * unit,
            made.nodes, self.evaluated, self.factors,
        )  # fmt: skip
        if found.width <= self.tolerance:
            return found
        reason = (
            f"sums equal to the threshold, or next to it, have a share of about {found.width:.2g} "
            f"of p"
        )
        if made.lattice:
            reason = (
                f"rounding, and frequencies that are bounded only, leave {found.width:.2g} of p"
            )
        elif made.nodes < made.wanted:
            reason = (
                f"of {made.wanted:,} frequencies that are needed {made.nodes:,} were reached "
                f"within {budget:,} {noun('factor', budget)}: too few units, or too few different "
                f"differences"
            )
        return replace(found, reason=reason)

    def bounds(self) -> Bounds:
        """By the lattice where its period is short, else by kernels."""
        form = self.settings.form
        if form is None:
            form, cost = self.choice
            form = form if cost <= LATTICE_SHARE * self.budget else "kernels"
        if form == "lattice" and self.data.exact:
            whole = self.budget
            if self.settings.form is None:
                self.budget = int(LATTICE_SHARE * whole)
            found = self._lattice()
            self.budget = whole
            if found is not None:
                return found
        # The tolerance, or the least one that the rest of the budget is about enough for.
        left = max(self.budget - self.factors, 1)
        goal, cost = self.tolerance, self.estimate("kernels")
        while cost > left and goal < 1:
            wider = min(goal * max(1.5, min(cost / left, 1e3)), 1.0)
            less = self.estimate("kernels", wider)
            if less > 0.9 * cost:
                break  # it is not the frequencies far away that cost
            goal, cost = wider, less
        found, left = self._kernels(goal), self.budget - self.factors
        rest = (1 + self.settings.gap) * self.tolerance - found.width
        if found.width <= self.tolerance or rest <= 0 or found.nodes < found.wanted:
            return found
        # Sums equal to the threshold have a share of p. The rest of the tolerance is for the gap.
        if self.estimate("kernels", 0.9 * rest) > left:
            return found
        return min(found, self._kernels(0.9 * rest), key=lambda made: made.width)

    @cached_property
    def choice(self) -> tuple[Literal["kernels", "lattice"], float]:
        """The form that is chosen, and about the factors that it takes."""
        by_kernels = self.estimate("kernels")
        period = self._plan(self._goal("kernels")).period
        if self.data.exact and period < MOST_NODES * self.data.unit:
            by_lattice = self.estimate("lattice")
            if by_lattice <= max(LATTICE_FACTORS, LATTICE_WORTH * by_kernels):
                return "lattice", by_lattice
        return "kernels", by_kernels

    # ---- beforehand -----------------------------------------------------------------------

    def _goal(self, form: str) -> float:
        return self.tolerance if form == "kernels" else min(self.tolerance, LATTICE_TOLERANCE)

    def _plan(self, goal: float, shift: float = 0.0) -> Plan:
        settings, data = self.settings, self.data
        theta = settings.theta
        if theta is not None:
            theta = math.ldexp(theta * data.divisor, data.exponent)
        shares = settings.alias * goal, settings.far * goal
        found = self._plans.get((goal, shift))
        if found is None:
            found = make_plan(self.sketch, data.below, *shares, theta, shift)
            self._plans[goal, shift] = found
        return found

    def _items(self, theta: float) -> Items:
        if theta not in self._tilted:
            q = kernels.tilted(self.some.d, theta, dispatch.number())[1]
            self._tilted[theta] = Items(self.some.d, q)
        return self._tilted[theta]

    def estimate(self, form: Literal["kernels", "lattice"], goal: float | None = None) -> float:
        """About the factors of a form, from a sketch of the numbers."""
        goal = self._goal(form) if goal is None else goal
        if (form, goal) not in self._estimates:
            plan, sketch = self._plan(goal), self.sketch
            tau = min(0.5, self.settings.far * goal * math.exp(plan.expected) / 6)
            if form == "lattice":
                nodes = plan.period / (4 * self.data.unit)
            else:
                nodes = kernel_nodes(sketch, plan, self.data.below, self.settings.gap * goal)
            far = math.ceil(min(max(nodes, 1.0), MOST_NODES))
            step = 2 * math.pi / plan.period
            sigma = math.sqrt(sketch.slopes(plan.theta)[1])
            near = min(math.ceil(math.sqrt(-2 * math.log(tau)) / (sigma * step)), far)
            self._estimates[form, goal] = factors(
                self._items(plan.theta), sketch, plan.theta, near, far, step, tau, len(self.data.d)
            )
        return self._estimates[form, goal]

    # ---- the characteristic function ------------------------------------------------------

    def _tilt(self, goal: float, shift: float = 0.0) -> None:
        """Choose the tilt and the period, and pass by all numbers."""
        self.plan = plan = self._plan(goal, shift)
        self.theta = plan.theta
        self.K, self.K_error, *_ = self.passes.cumulants(self.theta)
        self.h, q = self.passes.tilted(self.theta)
        places = self.theta - plan.left, self.theta + plan.right
        self.steps = tuple(abs(self.theta - x) for x in places)
        self.sides = [self.passes.cumulants(x)[:2] if x > 0 else (0.0, 0.0) for x in places]
        inverse = 1 / self.h
        self.by_h = float(inverse.sum()), float((self.data.d * inverse).sum())
        self.zones = Zones(self.data.d, q)
        self.items = self._items(self.theta)
        self.k = np.zeros(0, dtype=np.int64)
        self.phi = np.zeros(0, dtype=np.complex128)
        self.error = np.zeros(0)
        # The period again, from all numbers.
        need = -math.log(self.settings.alias * goal) - plan.expected
        self.period = self.settings.period * max(
            2 / math.sqrt(self.sketch.slopes(self.theta)[1]),
            *(
                (k - self.K + sign * delta * self.data.below + need) / delta
                for (k, _), delta, sign in zip(self.sides, self.steps, (1, -1), strict=True)
            ),
        )

    def _evaluate(self, k: NDArray[np.int64]) -> None:
        """Add the characteristic function at some frequencies."""
        re, im, error = self.passes.at(self.h, self.step, k)
        phi = np.empty(len(k), dtype=np.complex128)
        phi.real, phi.imag = re, im
        t = (k + 8) * (self.step * 1.01)  # the largest angle that a frequency is made from
        turned = t * (8 * U) if self.rounded_step else 0 * t
        # The true step of a lattice is no double. As no factor is below h, errors of the factors
        # are relative errors of phi: a small bound where the tilt is strong and phi small.
        ones, by_h = self.by_h
        relative = U * (36 * kernels.blocks(len(self.h)) + 230 * ones + 4 * t * by_h)
        relative += turned * by_h
        small = np.where(relative < 0.01, np.abs(phi) * relative * 1.05 + 1e-289, 1.0)
        known = error < 0.01  # else phi was given up, and is 0 there
        error = np.where(known, np.minimum(error + turned * self.passes.total, small), error)
        self.k = np.concatenate([self.k, k])
        self.phi = np.concatenate([self.phi, phi])
        self.error = np.concatenate([self.error, error])
        self.evaluated += len(k)
        self.factors += len(k) * len(self.data.d)

    def _near(self, tau: float, end: int) -> int:
        """Evaluate the frequencies before the first zone; the last of them."""
        zones = self.zones.below(tau)
        guess = math.sqrt(-2 * math.log(tau) / self.sketch.slopes(self.theta)[1])
        low = min(zones[0][0], 4 * guess) if zones else guess
        last = int(min(max(math.ceil(low / self.step), 1), end, MOST_NEAR))
        have = len(self.k)
        if last > have:
            self._evaluate(np.arange(have + 1, last + 1, dtype=np.int64))
        return max(last, min(have, end))

    def _far(self, k0: int, end: int, tau: float) -> int:
        """Bound the others, and evaluate their peaks; how far that went."""
        left = self.budget - self.factors
        far = Far(
            self.items, self.zones.below(tau), self.step, tau, left, len(self.data.d), self.notify
        )
        far.run(k0, end)
        self.factors += far.factors
        if far.peaks:
            self._evaluate(np.sort(np.concatenate(far.peaks)))
        return far.reached

    # ---- kernels --------------------------------------------------------------------------

    def _kernels(self, goal: float) -> Bounds:
        shift = 0.0
        for _ in range(3):  # until the expected probability is about right
            self._tilt(goal, shift)
            expected = math.exp(self.plan.expected)
            self.step, self.rounded_step = 2 * math.pi / self.period, False
            self._near(min(self.settings.far * goal * expected / 6, 0.5), MOST_NODES)
            # About Q for an infinite type, and the density of the tilted sum at s.
            circle, _ = unit_circle(turns_of(self.step, self.data.below), self.k)
            z, part = self.phi * circle, self.step / (2 * math.pi)
            tail = (z / (self.theta + 1j * self.step * self.k)).real
            q = part * (1 / self.theta + 2 * float(tail.sum()))
            density = part * (1 + 2 * float(z.real.sum()))
            if not 0 < q < expected / 2:
                break
            shift += max(math.log(q / expected), -20.0)
        q = max(q, 0.01 * expected)
        nodes = 2 * math.pi * density / (self.settings.gap * goal * q * self.step)
        least = self.theta * self.period / LARGEST_RATE + 1
        n = math.ceil(min(max(nodes, least, 2.0), MOST_NODES))
        wanted = math.ceil(n * max(min(goal / self.tolerance, MOST_NODES), 1.0))
        tau = self.settings.far * goal * q / max(far_weight(1, n, self._rate(n)), 1.0)
        tau = min(tau, 0.5)
        k0 = self._near(tau, n - 1)
        n = max(self._far(k0, n - 1, tau) + 1, 2)
        rate = self._rate(n)
        if rate > LARGEST_RATE:  # the tilt is too strong for so few frequencies
            return self._result(1.0, 0.0, self.period, n, wanted)
        missing = tau * far_weight(k0, n, rate)
        turns = turns_of(self.step, self.data.above), turns_of(self.step, self.data.below)
        high, low = self._sums(n, rate, turns)
        period = 2 * math.pi / self.step * (1 - 8 * U)
        return self._result(high + missing, low - missing, period, n, wanted)

    def _rate(self, n: int) -> float:
        return 2 * math.pi * self.theta / (n * self.step)

    def _sums(
        self, n: int, rate: float, turns: tuple[int, int], *, lattice: bool = False
    ) -> tuple[float, float]:
        """An upper bound on the sum above and a lower one on that below, from the frequencies that
        were evaluated; `turns` are those of a step at either threshold.
        """
        at_0 = 1 / math.expm1(rate)
        ends = 1 + at_0, 1 + at_0 if lattice else at_0
        terms: tuple[list[float], list[float]] = [ends[0]], [ends[1]]
        slacks: tuple[list[float], list[float]] = [], []
        for i in range(0, len(self.k), AT_ONCE):
            at = i + np.flatnonzero(self.k[i : i + AT_ONCE] < n)
            k, phi, error = self.k[at], self.phi[at], self.error[at]
            kernel = Kernel.at(k, n, rate, lattice=lattice)
            for side, weight in enumerate((kernel.above, kernel.below)):
                circle, circle_error = unit_circle(turns[side], k)
                terms[side].append(2 * math.fsum((weight * phi * circle).real.tolist()))
                size, modulus = np.abs(weight) + kernel.error, np.abs(phi) + error
                lost = size * (error + modulus * (circle_error + 16 * U)) + modulus * kernel.error
                slacks[side].append(2 * (1 + 1e-9) * math.fsum(lost.tolist()))
        for side, end in enumerate(ends):
            # The transform at zero is off by (40 + 4 rate) U; parts and their sum are rounded once.
            slacks[side].append(256 * U * math.fsum([end * rate, *map(abs, terms[side])]))
        high = math.fsum([*terms[0], *slacks[0]])
        low = math.fsum([*terms[1], *map(neg, slacks[1])])
        return high / n * (1 + 4 * U), low / n * (1 - 4 * U)

    # ---- the lattice ----------------------------------------------------------------------

    def _lattice(self) -> Bounds | None:
        data, pitch = self.data, 2 * self.data.unit  # S takes every second integer
        goal = self._goal("lattice")
        self._tilt(goal)
        n = math.ceil(self.period / pitch) | 1
        half = (n - 1) // 2
        if n > MOST_NODES:
            return None
        self.step, self.rounded_step = 2 * math.pi / (n * pitch), True
        size = self.settings.far * goal * math.exp(self.plan.expected)
        tau = min(size / max(lattice_far_weight(1, n), 1.0), 0.5)
        k0 = self._near(tau, half)
        if self._far(k0, half, tau) < half:
            return None
        missing = tau * lattice_far_weight(k0, n)
        rate = self.theta * pitch
        if rate > LARGEST_RATE:
            return None
        # Of a turn the step is the fraction s / (n * pitch).
        turns = round(Fraction(data.s, 2 * n) * 2**TURN) % 2**TURN
        high, low = self._sums(n, rate, (turns, turns), lattice=True)
        s = Fraction(data.s, 1 << data.exponent)  # a double may be next to it
        period = n * pitch * (1 - 8 * U)
        return self._result(high + missing, low - missing, period, half, half, s)

    # ---- together -------------------------------------------------------------------------

    def _result(
        self,
        above: float,
        below: float,
        period: float,
        nodes: int,
        wanted: int,
        s: Fraction | None = None,
    ) -> Bounds:
        """Bounds on p from bounds on Q; of a lattice with its own threshold."""
        s_above, s_below = (self.data.above, self.data.below) if s is None else (s, s)
        aliasing = 0.0
        # What the copies of the tail add to Q at most.
        for (k, error), delta, sign in zip(self.sides, self.steps, (1, -1), strict=True):
            x = k - self.K + sign * delta * float(s_below)
            slack = error + self.K_error
            slack += 16 * U * (abs(k) + abs(self.K) + delta * abs(float(s_below)))
            y = delta * period * (1 - 8 * U)
            top = x + slack - y
            aliasing += math.inf if top > 500 else math.exp(top) / -math.expm1(-y) * (1 + 1e-9)
        below -= aliasing
        cumulant, theta, lost = Fraction(self.K), Fraction(self.theta), Fraction(self.K_error)
        top, exponent, error = exponential(cumulant + lost - theta * Fraction(s_above))
        high = min(max(above, 0.0), 1.0) * top * (1 + error + 16 * U)
        bottom, other, error = exponential(cumulant - lost - theta * Fraction(s_below))
        low = max(below, 0.0) * bottom * (1 - error - 16 * U)
        low = math.ldexp(low, other - exponent)
        if low < 1e-300:  # it may have been rounded up, as there are no digits below that
            low = 0.0
        # By symmetry no more than a half; the largest sum alone has 2^-n.
        n = len(self.data.d)
        if exponent > 900:  # of a tilt that is far too strong; a half is no double in these units
            low, high, exponent = 0.0, 0.5, 0
        if exponent > -1000:
            high = min(high, math.ldexp(0.5, -exponent))
        if -n - exponent > -1000:
            low = max(low, math.ldexp(1.0, -n - exponent))
        return Bounds(low, high, exponent, s is not None, self.step, nodes, wanted)


# ---- all together -------------------------------------------------------------------------------

#: Factors that a run may take: some two seconds' where most are those of peaks, else less.
BUDGET = 2**28

#: Everything is chosen.
BY_ITSELF = Settings()


def enclose(
    values: NDArray[np.int64],
    s: int,
    *,
    tolerance: float = 1e-4,
    budget: int = BUDGET,
    threads: int = 1,
    notify: Progress | None = None,
    settings: Settings = BY_ITSELF,
) -> Enclosure:
    """Enclose the probability that a sum of numbers with fair signs reaches s.

    The sum of the absolute values is below 2^62, and s at least 1. Where the budget of factors ends
    before the tolerance, relative, is reached the bounds are valid, only wider, and say why.
    """
    own = Prepared(values, s, tolerance, settings)
    return own.enclose(budget, threads=threads, notify=notify)


class Prepared:
    """A question whose cost is estimated before it is answered."""

    def __init__(
        self,
        values: NDArray[np.int64],
        s: int,
        tolerance: float = 1e-4,
        settings: Settings = BY_ITSELF,
    ) -> None:
        data = signed(values, s)
        self._tolerance = tolerance = checked(tolerance)
        self._constant, self._parts = Fraction(0), [Part(Fraction(1), data)]
        if settings.form is None or data.s > data.total:
            self._constant, self._parts = parts(data)
        self._runs = [Run(part.data, tolerance, 1, settings) for part in self._parts]

    @property
    def cost(self) -> int:
        """About the factors that an answer takes: at least 1, at most 2^62."""
        return max(1, min(sum(run.cost for run in self._runs), 2**62))

    @property
    def closes(self) -> bool:
        """Whether nothing keeps the bounds apart but roundings."""
        return all(run.closes for run in self._runs)

    def enclose(
        self, budget: int = BUDGET, *, threads: int = 1, notify: Progress | None = None
    ) -> Enclosure:
        if self._constant == 0 and [part.weight for part in self._parts] == [1]:
            return self._runs[0].enclose(budget, threads, notify)
        # A sum of weighted probabilities; what is certain to be too small is not asked. A
        # complement is at least half its weight, as P(S >= s) <= 1/2 for s > 0.
        low = high = self._constant
        sure = low - sum((abs(part.weight) / 2 for part in self._parts if part.weight < 0), low * 0)
        made: list[Enclosure] = []
        left = budget
        asked = [
            (part.weight, run, at_most(part.data))
            for part, run in zip(self._parts, self._runs, strict=True)
        ]
        for weight, run, most in sorted(asked, key=lambda one: -one[2]):
            if abs(weight) * most <= sure * Fraction(self._tolerance) / (200 * len(asked)):
                ends = Fraction(0), most
            else:
                one = run.enclose(max(left, 1), threads, notify)
                made.append(one)
                left -= one.factors
                unit = Fraction(2) ** one.exponent
                ends = Fraction(one.low) * unit, Fraction(one.high) * unit
            ends = (ends[0], ends[1]) if weight > 0 else (ends[1], ends[0])
            low, high = low + weight * ends[0], high + weight * ends[1]
            sure = sure + weight * ends[0] if weight > 0 else sure
        bottom, other = bits(low, up=False)
        top, exponent = bits(min(high, Fraction(1, 2)), up=True)
        # In one exponent; what is too small for that is rounded down to 0.
        bottom = math.ldexp(bottom, other - exponent) if other - exponent > -1000 else 0.0
        nothing = Enclosure(0, 0, 0, False, 0, 0, 0, 0, 0)
        main = max(made, key=lambda one: one.factors, default=nothing)
        found = Enclosure(
            bottom, top, exponent, any(one.lattice for one in made), main.theta, main.step,
            sum(one.nodes for one in made), sum(one.evaluated for one in made),
            sum(one.factors for one in made),
        )  # fmt: skip
        return found if found.width <= self._tolerance else replace(found, reason=main.reason)


def cost(values: NDArray[np.int64], s: int, tolerance: float = 1e-4) -> int:
    """Estimate the factors that :func:`enclose` takes, from the numbers alone."""
    return Prepared(values, s, tolerance).cost
