"""What a plan is: tests that could be run, each with its power."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from csig.base.shown import Shown, ShownRows, ShownTuple
from csig.base.wording import counted
from csig.results.randomization import Seed

#: Points of a curve, up to this many times the items of the plan.
POINTS, BEYOND = 60, 2

#: What is found from the other two.
Solved = Literal["power", "difference", "items"]


@dataclass(frozen=True, kw_only=True)
class PlannedTest(ShownRows):
    """A test that could be run: three of its numbers are given, the fourth is the answer."""

    #: The share of items on which the systems differ; None where a pilot has scores.
    discordance: float | None
    items: int  #: How many units the test set has.
    #: The true difference of the metric; None where none is detected with the power wanted.
    difference: float | None
    power: float  #: How often the test is significant; at the largest difference if that is None.
    standard_error: float | None  #: Of a simulated power; None of an exact one.
    #: How often the test is significant where the systems are equal, exactly; None if simulated.
    #: With a margin: how often a system passes that is worse by it, and `power` if it is equal.
    level: float | None
    normal_power: float  #: By the formula that takes the mean difference for normal.
    #: With a margin: about how many items it takes until an equal system passes with the target.
    needed: int | None = None


@dataclass(frozen=True, kw_only=True)
class Repeats(ShownRows):
    """As many questions as have the same power with other numbers of repeats of each."""

    repeats: int  #: Answers of each system to a question.
    items: int  #: Questions.
    answers: int  #: Both multiplied.


@dataclass(frozen=True, kw_only=True, repr=False)
class Plan(Shown):
    """The power of the test that :func:`csig.compare` will run, before it is run."""

    solved: Solved  #: What was asked for.
    target: float | None  #: The power that was wanted, unless that was asked for.
    alpha: float  #: The level of significance, two-sided; of a margin one-sided.
    #: One where the discordance is known; else one for each of several. Of a pilot of right/wrong
    #: items those at the ends of the interval of its discordance come second and third.
    tests: ShownTuple[PlannedTest]
    metric: str = "accuracy"  #: What the difference is one of.
    unit: str = "unit"  #: What `items` counts: what the test swaps.
    percents: bool = True  #: Whether a difference is printed in points.
    pilot_units: int | None = None  #: The units of the pilot; None without one.
    pilot_differ: int | None = None  #: Those on which its systems differ.
    simulations: int | None = None  #: How many test sets were simulated for a power.
    seed: Seed | None = None  #: What repeats the simulations.
    #: For pilots with runs.
    repeats: ShownTuple[Repeats] = field(default_factory=ShownTuple)
    known: bool = True  #: Whether the first of the tests is the answer.
    margin: float | None = None  #: In points, if it is a test of not being worse by this.
    doubts: tuple[str, ...] = field(default=(), compare=False)  #: What may be wrong with it.

    @property
    def items(self) -> int | None:
        """The items of the answer; None where the discordance is not known, or none suffice."""
        return self.tests[0].items if self.known else None

    @property
    def difference(self) -> float | None:
        """The difference of the answer; None likewise."""
        return self.tests[0].difference if self.known else None

    @property
    def power(self) -> float | None:
        """The power of the answer; None likewise."""
        return self.tests[0].power if self.known else None

    def curve(self, test: int = 0) -> list[tuple[int, float]]:
        """The power of one of the tests with fewer and more items.

        Of right/wrong items each is exact. From a simulated one the others follow, as the probit of
        the power is linear in the root of their number.

        >>> import csig
        >>> n, power = csig.plan(discordance=0.2, difference=0.08).curve()[-1]
        >>> n, round(power, 3)
        (516, 0.982)
        """
        own = self.tests[test]
        if own.difference is None:
            return []
        most = max(20, BEYOND * own.items)
        numbers = np.unique(np.linspace(most / POINTS, most, POINTS).round().astype(int)).tolist()
        if own.discordance is not None and self.margin is not None:
            from csig.margins.gate import passes

            at = (self.margin / 100, own.discordance, self.alpha)
            return [(n, passes(n, *at, exactly=0)[1]) for n in numbers]
        if own.discordance is not None:
            from csig.planning.pairs import power

            given = (own.discordance, own.difference, self.alpha)
            return [(n, power(n, *given)) for n in numbers]
        from scipy.special import ndtr, ndtri

        z = ndtri(self.alpha / 2)
        slope = (ndtri(min(own.power, 1 - 1e-9)) - z) / math.sqrt(own.items)
        return [(n, float(ndtr(z + slope * math.sqrt(n)))) for n in numbers]

    def _line(self) -> str:
        own = self.tests[0]
        if not self.known:
            return f"{self.solved} for {len(self.tests)} discordances"
        shown = "none" if own.difference is None else f"{own.difference:.4g}"
        return f"{counted(own.items, self.unit)}, difference {shown}, power {own.power:.3f}"
