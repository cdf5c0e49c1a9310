"""What `csig.plan` finds: exactly for right/wrong items, by simulation from other pilots."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from scipy.special import ndtr, ndtri

from csig import streams
from csig.base.errors import InputError, Refusal, Remedy, argument
from csig.base.shown import ShownTuple
from csig.base.validation import between, positive
from csig.base.wording import coded, counted, decimal, in_percent
from csig.data.comparison import Comparison
from csig.margins.gate import SHARES, design_of_items
from csig.margins.testing import normal_power
from csig.planning import pairs
from csig.planning.model import Plan, PlannedTest, Repeats, Solved
from csig.planning.pilot import Pilot, searched, simulated
from csig.probability.binomial import clopper_pearson
from csig.readers.reading import Reading
from csig.readers.request import option
from csig.results.randomization import Seed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from csig.data.metrics import Metric

#: The power that is aimed at where nobody says which.
POWER = 0.8

#: Simulations of a power: its standard error is 0.009 where the power is 0.8.
SIMULATIONS, MOST_SIMULATIONS = 2_000, 10**6

#: Repeats of every question that are planned for.
REPEATS = (1, 2, 4, 8, 16)

#: Units of a pilot that differ, below which it is doubted.
FEW = 10


def _solved(
    items: int | None, difference: float | None, margin: float | None, power: float | None
) -> Solved:
    """Which of the three is asked for."""
    if difference is not None and margin is not None:
        raise InputError(
            f"{argument('margin')}: an equal system is to pass; {argument('difference')} does not "
            "go with it"
        )
    if items is not None and (difference is not None or margin is not None):
        if power is not None:
            other = argument("difference" if margin is None else "margin")
            raise InputError(
                f"{argument('power')}: follows from {argument('items')} and {other}; give two of "
                "the three"
            )
        return "power"
    if margin is not None:
        return "items"
    if items is None and difference is None:
        raise InputError(
            f"give {argument('difference')}, the smallest difference that matters, or "
            f"{argument('items')}, the number of items, or both; a pilot's own difference is never "
            "used, as its power says no more than its p-value"
        )
    return "items" if items is None else "difference"


def _of_pairs(
    discordance: float,
    items: int | None,
    difference: float | None,
    target: float,
    margin: float | None,
    alpha: float,
) -> PlannedTest:
    """For right/wrong items of which this share differs: exactly."""
    if margin is not None:
        design = design_of_items(items, margin, discordance, alpha, target)
        return PlannedTest(
            discordance=discordance, items=design.items, difference=0.0, power=design.power,
            standard_error=None, level=design.level, needed=design.needed,
            normal_power=normal_power(math.sqrt(discordance / design.items), margin / 100, alpha),
        )  # fmt: skip
    found = difference
    if items is None:
        assert difference is not None
        items = pairs.items(discordance, difference, target, alpha)
    elif difference is None:
        found = pairs.difference(items, discordance, target, alpha)
    given = (discordance, discordance if found is None else found, alpha)
    return PlannedTest(
        discordance=discordance,
        items=items,
        difference=found,
        power=pairs.power(items, *given),
        standard_error=None,
        level=pairs.power(items, discordance, 0.0, alpha),
        normal_power=pairs.normal_power(items, *given),
    )


def _possible(
    shares: Iterable[float], difference: float | None, margin: float | None
) -> list[float]:
    """The shares of items that can differ, if the system is so much better, or worse."""
    if margin is not None:
        return [own for own in shares if own > margin / 100]
    return [own for own in shares if own >= (difference or 0)]


def _of_pilot(
    pilot: Pilot, asked: tuple[int | None, float | None, float], alpha: float,
    source: streams.Source, number: int,
) -> PlannedTest:  # fmt: skip
    """By simulation."""
    items, difference, target = asked
    if items is not None and difference is not None:
        found = simulated(pilot, items, difference, alpha, source, 0, number)
    else:
        found = searched(pilot, target, alpha, source, number, items=items, difference=difference)
    largest = difference is None and found.difference >= pilot.largest
    reached = not largest or found.power >= target - 3 * found.standard_error
    spread = pilot.spread(found.difference) / math.sqrt(found.items)
    far = found.difference / spread if spread else math.inf
    return PlannedTest(
        discordance=None,
        items=found.items,
        difference=found.difference if reached else None,
        power=found.power,
        standard_error=found.standard_error,
        level=None,
        normal_power=float(ndtr(far + ndtri(alpha / 2)) + ndtr(ndtri(alpha / 2) - far)),
    )


def _repeats(pilot: Pilot, planned: PlannedTest) -> ShownTuple[Repeats]:
    """Questions for other numbers of repeats: the variance within is divided by these."""
    if pilot.variances is None or not sum(pilot.variances):
        return ShownTuple()
    between_, within = pilot.variances
    unit = planned.items / (between_ + within / pilot.n_runs)
    rows = [(k, math.ceil(unit * (between_ + within / k))) for k in {*REPEATS, pilot.n_runs}]
    return ShownTuple(Repeats(repeats=k, items=n, answers=k * n) for k, n in sorted(rows))


def pilot_of(given: Comparison | Reading, metric: str | Metric | None) -> Pilot:
    """The pilot of two systems, by the first metric that suits."""
    if isinstance(given, Reading):
        if len(given.names) > 2:
            raise Refusal(
                f"a pilot is two systems, found {len(given.names)}",
                Remedy(option("system", *given.names[:2]), "the first two"),
            )
        names = [metric] if metric is not None else given.metrics
        wanted = names[-1] if "f1" in names else names[0]
        given = replace(given, metric=(wanted,), lower_is_better=None)  # a power has no direction
        (comparison,) = given.comparisons.values()
        return Pilot.of(comparison, given.metrics[0])
    if not isinstance(given, Comparison):
        raise InputError(
            f"pilot: found {type(given).__name__}, expected a csig.Comparison or what csig.read "
            "gives"
        )
    columns = given.columns
    usual = "mean" if "score" in columns else "f1" if "predicted" in columns else "accuracy"
    return Pilot.of(given, usual if metric is None else metric)


def planned(
    given: Comparison | Reading | None,
    metric: str | Metric | None,
    *,
    items: int | None = None,
    difference: float | None = None,
    discordance: float | None = None,
    margin: float | None = None,
    power: float | None = None,
    alpha: float = 0.05,
    n_simulations: int | None = None,
    rng: streams.Seed = None,
    in_points: bool = False,
) -> Plan:
    """What `plan` gives; differences of shares may be in points."""
    between("alpha", alpha, 0, 1 if margin is None else 0.5)
    solved = _solved(items, difference, margin, power)
    if items is not None:
        positive("items", items, pairs.MOST_ITEMS)
    target = POWER if power is None else between("power", power, alpha, 1)
    if difference is not None and not 0 < difference < math.inf:
        raise InputError(f"difference must be above 0, found {difference!r}")
    if margin is not None:
        between("margin", margin, 0, 100)
    kept: dict[str, Any] = {
        "solved": solved, "target": None if solved == "power" else target, "alpha": alpha,
        "margin": margin,
    }  # fmt: skip
    if given is None:
        if metric is not None:
            raise InputError(f"{argument('metric')} goes with a pilot")
        if n_simulations is not None or rng is not None:
            raise InputError(
                "nothing is simulated without a pilot: the power of right/wrong items is exact"
            )
        if difference is not None and in_points:
            difference /= 100
        largest = 1.0 if discordance is None else discordance
        _check(difference, largest, in_points, "the share of items that differ")
        asked = (items, difference, target)
        return Plan(**kept, **_without_pilot(asked, discordance, margin, alpha))
    if discordance is not None:
        raise InputError(f"{argument('discordance')} is that of the pilot; give one of them")
    pilot = pilot_of(given, metric)
    if not pilot.n_differ:
        raise InputError("the pilot's systems have the same outputs: it says nothing of others")
    percents = in_percent(pilot.scores, pilot.metric.name, pilot.shares)
    if difference is not None and in_points and percents:
        difference /= 100
    _check(
        difference,
        pilot.largest,
        in_points and percents,
        "as the pilot's systems do not differ by more",
    )
    asked = (items, difference, target)
    kept |= {
        "metric": pilot.metric.name,
        "unit": pilot.unit,
        "percents": percents,
        "pilot_units": pilot.n,
        "pilot_differ": pilot.n_differ,
        "doubts": tuple(_doubts(pilot, difference)),
    }
    if pilot.binary:
        ends = clopper_pearson(pilot.n_differ, pilot.n, 0.95)
        found = _possible(ends, difference, margin)
        shares = dict.fromkeys([pilot.n_differ / pilot.n, *found])  # all may differ
        tests = (_of_pairs(own, *asked, margin, alpha) for own in shares)
        return Plan(**kept, tests=ShownTuple(tests))
    if margin is not None:
        raise InputError(
            f"{argument('margin')} is planned for items that are right or wrong; of others the "
            "design of a gate says what these data can see (csig gate --design, csig.gate)"
        )
    number = SIMULATIONS if n_simulations is None else n_simulations
    positive("n_simulations", number, MOST_SIMULATIONS)
    source = streams.make_source(rng)
    test = _of_pilot(pilot, asked, alpha, source, number)
    return Plan(
        **kept,
        tests=ShownTuple((test,)),
        simulations=number,
        seed=Seed(source.name, source.entropy, source.spawn_key, 0),
        repeats=_repeats(pilot, test) if solved == "items" else ShownTuple(),
    )


def _check(difference: float | None, largest: float, percents: bool, why: str) -> None:
    """Refuse a difference that cannot be."""
    if difference is not None and difference > largest:
        most, found = (
            f"{decimal(round(100 * own, 8))} points" if percents else decimal(own)
            for own in (largest, difference)
        )  # fmt: skip
        raise InputError(f"{argument('difference')}: expected at most {most}, {why}; found {found}")


def _without_pilot(
    asked: tuple[int | None, float | None, float],
    discordance: float | None,
    margin: float | None,
    alpha: float,
) -> dict[str, Any]:
    """Right/wrong items of which a share differs that is known, or not."""
    if discordance is not None:
        if not 0 < discordance <= 1:
            raise InputError(f"discordance must be above 0 and at most 1, found {discordance!r}")
        return {"tests": ShownTuple((_of_pairs(discordance, *asked, margin, alpha),))}
    likely = _possible(SHARES, asked[1], margin)
    shares = likely or _possible(sorted({asked[1] or 1.0, 1.0}), asked[1], margin)
    tests = [_of_pairs(own, *asked, margin, alpha) for own in shares]
    return {"tests": ShownTuple(tests), "known": len(tests) == 1}


def _doubts(pilot: Pilot, difference: float | None) -> list[str]:
    """What a pilot may not be good for."""
    doubts = []
    if pilot.n_differ < FEW:
        doubts += coded("small-pilot", [
            f"The systems differ on {counted(pilot.n_differ, pilot.unit)} of the pilot: how often "
            "and how far they do elsewhere is hardly known."
        ])  # fmt: skip
    own = abs(pilot.scores[1] - pilot.scores[0])
    if difference is not None and math.isclose(difference, own, rel_tol=0.005):
        doubts += coded("observed-difference", [
            "The difference is the pilot's own, which chance made larger or smaller: plan for the "
            "smallest difference that matters instead."
        ])  # fmt: skip
    return doubts
