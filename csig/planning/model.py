"""A plan: tests that could be run, each with its power; and `plan`, which makes one."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import numpy as np

from csig import streams
from csig.base.errors import in_python
from csig.base.shown import Shown, ShownRows, ShownTuple
from csig.base.validation import public
from csig.base.wording import counted
from csig.results.randomization import Seed

if TYPE_CHECKING:
    from csig.data.comparison import Comparison
    from csig.data.metrics import Metric
    from csig.readers.reading import Reading

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


@public("csig")
def plan(
    pilot: Comparison | Reading | None = None,
    metric: str | Metric | None = None,
    *,
    items: int | None = None,
    difference: float | None = None,
    discordance: float | None = None,
    margin: float | None = None,
    power: float | None = None,
    alpha: float = 0.05,
    n_simulations: int | None = None,
    rng: streams.Seed = None,
) -> Plan:
    """Power, smallest detectable difference, or items needed, for the test that csig will run.

    Of `items`, `difference` and `power` two are given, and the third is the answer; a power that is
    not given is 0.8. With a `margin` the test is that of :func:`csig.gate`: the power is how often
    an equal system passes, and either `items` or `power` is given.

    Parameters
    ----------
    pilot : Comparison or Reading, optional
        Two systems on other items of the same kind. It says how often and how far the systems
        differ. Without one the plan is for items that are right or wrong.
    metric : str or Metric, optional
        With a pilot: a mean or a ratio of sums, as F1. By default the first that suits the data.
    items : int, optional
        How many items (with a pilot: units that are swapped, such as clusters) there will be.
    difference : float, optional
        The smallest difference that matters, as a score: 0.02 for two points of accuracy.
    discordance : float, optional
        Without a pilot: the share of items on which one system is right and the other wrong. By
        default the answer is given for several.
    margin : float, optional
        By how much a system may be worse, in percentage points, as of :func:`csig.gate`; of items
        that are right or wrong.
    power : float, optional
        How often the difference should be significant.
    alpha : float
        The level of significance, two-sided; of a margin one-sided.
    n_simulations : int, optional
        Test sets that are simulated for a power, by default 2,000; for pilots whose items are not
        just right or wrong.
    rng : None, int, sequence of int, SeedSequence, BitGenerator or Generator
        The seed of the simulations.

    Returns
    -------
    Plan
        With `items`, `difference` and `power`, and each test that was planned in `tests`.

    Raises
    ------
    InputError
        If not two of the three are given, the difference cannot be, or more than a million items
        would be needed.

    Notes
    -----
    Of right/wrong items the power is exact: that of the exact randomization test (the sign test,
    McNemar's exact test), summed over the number of items that differ and how they are divided. It
    does not rise with every item, as p-values of counts are discrete: `items` is the number from
    which on it never falls below `power` again. The usual formula, which takes the mean difference
    for normal (Miller 2024, "Adding error bars to evals", section 5), asks for too few.

    With a margin the power is that of all outcomes of the exact test up to 2,000 items, and of its
    score beyond; the items needed are at most 1% too many.

    From another pilot test sets are simulated, and tested by 499 shuffles each, or all if at most
    12 units differ. Their units are drawn from the pilot with replacement; which of a unit's two
    outputs is the new system's is drawn, too, so that the expected difference is `difference`. This
    assumes that how far the systems differ on a unit says nothing about which is better there.
    The difference that the pilot happens to have is never used: a power at an observed difference
    only restates the p-value (Hoenig and Heisey 2001, The American Statistician 55).

    Examples
    --------
    A fifth of 198 items differ; would 8 points be found?

    >>> import csig
    >>> found = csig.plan(items=198, discordance=0.2, difference=0.08)
    >>> round(found.power, 3), round(found.tests[0].normal_power, 3)
    (0.672, 0.725)
    >>> csig.plan(discordance=0.08, difference=0.02, power=0.8).items
    1645
    >>> round(csig.plan(items=198, discordance=0.2).difference, 4)
    0.0916

    How often does a gate of 200 items pass an equal system, and how many does it take?

    >>> round(csig.plan(items=200, margin=3, discordance=0.1).power, 3)
    0.341
    >>> csig.plan(margin=3, discordance=0.1).items
    721
    """
    with in_python():
        from csig.planning.solving import planned  # scipy, for those who plan

        return planned(
            pilot, metric, items=items, difference=difference, discordance=discordance,
            margin=margin, power=power, alpha=alpha, n_simulations=n_simulations, rng=rng,
        )  # fmt: skip
