"""How many items an evaluation needs, or what it can detect: `plan`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from csig import streams
from csig.base.errors import in_python
from csig.base.validation import public
from csig.planning.model import Plan, PlannedTest, Repeats

if TYPE_CHECKING:
    from csig.data.comparison import Comparison
    from csig.data.metrics import Metric
    from csig.readers.reading import Reading

__all__ = ["Plan", "PlannedTest", "Repeats", "plan"]


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


def __dir__() -> list[str]:
    return __all__
