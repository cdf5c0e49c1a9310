"""How many units each system is better on: what stands beside a difference and its p-value.

A difference of two scores may come from many units that each favour one system a little, or from a
few. A unit counts for the system whose lead shrinks when this one unit is swapped: where the
denominators are the same for both systems (recall, accuracy, error rates, means) that is the system
with the better score in the unit; for precision, F and functions of sums, where a unit may have
no score of its own (no response, nothing in the gold), it still says which way the unit pulls.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from csig.base.errors import InputError
from csig.base.shown import Shown
from csig.base.wording import count, counted, documented
from csig.comparing.intervals import (
    BLOCK,
    ROUNDING,
    AllUnits,
    Ratio,
    all_units,
    different,
    ratio_of,
    read_columns,
)
from csig.data.comparison import Comparison, checked_metric
from csig.data.metrics import Metric

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Flips:
    """The 2 x 2 table of results that are right or wrong."""

    #: both, only_a, only_b, neither: single items that both systems have right, only one, or none.
    both: int
    only_a: int
    only_b: int
    neither: int


@dataclass(frozen=True, kw_only=True, repr=False)
class Effect(Shown, report="csig.comparing.parts"):
    """On how many units each system is better."""

    metric: str  #: The metric's name.
    unit: str  #: What the units are: those that the test swaps.
    n_units: int  #: Units that count: those of which the metric counts anything in either system.
    #: a_better, b_better: units that count for A, and for B: swapping one alone makes that system's
    #: lead smaller, or the other's larger. A system is better with less where less is better.
    a_better: int
    b_better: int
    ties: int  #: The others.
    #: Where each single item is right or wrong, whatever unit is swapped; None elsewhere.
    flips: Flips | None
    names: tuple[str, str] = field(default=("A", "B"), compare=False)  #: The systems' names.

    def _line(self) -> str:
        a, b = self.names
        return (
            f"{self.metric}: {a} is better on {count(self.a_better)} of "
            f"{counted(self.n_units, self.unit)}, {b} on {count(self.b_better)}"
        )

    @property
    def share_a_better(self) -> float:
        """``a_better`` of all units that count; 0 where there are none."""
        return self.a_better / self.n_units if self.n_units else 0.0

    @property
    def share_b_better(self) -> float:
        """``b_better`` of all units that count; 0 where there are none."""
        return self.b_better / self.n_units if self.n_units else 0.0


@documented
def effect(comparison: Comparison, metric: str | Metric, *, zero_division: int = 0) -> Effect:
    """On how many units A is better, on how many B, and the table of flips.

    Parameters
    ----------
    %(comparison)s
    metric : str or Metric
        What "better" means.
    %(zero_division)s

    Returns
    -------
    Effect
        Numbers of units; with `flips` where every single item is right or wrong.

    Raises
    ------
    InputError
        An argument cannot be used, a record does not have all units, or a function of sums gives
        NaN for both systems, whichever unit is swapped.

    Notes
    -----
    With d the difference of the scores and d_i what it would be with unit i alone swapped, the unit
    counts for A if d > d_i, for B if d < d_i, and for none if they are equal (or if less is
    better, the other way round). The metrics with weights are compared in integers.

    Examples
    --------
    Five questions, right or wrong:

    >>> c = Comparison.from_scores([1, 1, 1, 0, 0], [1, 0, 0, 1, 0])
    >>> found = effect(c, "mean")
    >>> found.a_better, found.b_better, found.ties
    (2, 1, 2)
    >>> found.flips
    Flips(both=1, only_a=2, only_b=1, neither=1)
    """
    wanted = checked_metric(comparison, metric, zero_division)
    return effect_of(all_units(comparison), comparison, wanted, zero_division)


def effect_of(
    units: AllUnits, comparison: Comparison, wanted: Metric, zero_division: int
) -> Effect:
    """The same of units that are at hand already, with arguments that are checked."""
    flips = None
    if wanted.linear_fractional:
        ratios = [ratio_of(comparison, wanted, units, system) for system in "ab"]
        counting = np.logical_or.reduce([(r.x != 0) | (r.y != 0) for r in ratios])
        signs = _signs_of_ratios(ratios, zero_division)
        flips = _flips(units, comparison, wanted)
    else:
        columns, _ = read_columns(comparison, wanted)
        counting = (units.a[:, columns] != 0).any(axis=1) | (units.b[:, columns] != 0).any(axis=1)
        signs = np.sign(lost_by_swaps(comparison, wanted, units, zero_division)).astype(np.int64)
    if not wanted.greater_is_better:
        signs = -signs
    n, a, b = (units.number(kept) for kept in (counting, signs > 0, signs < 0))
    return Effect(
        metric=wanted.name,
        unit=comparison.unit,
        n_units=n,
        a_better=a,
        b_better=b,
        ties=n - a - b,
        flips=flips,
        names=comparison.names,
    )


def _signs_of_ratios(ratios: list[Ratio], zero_division: int) -> NDArray[np.int64]:
    """The signs of d - d_i."""
    a, b = ratios
    dx, dy = a.x - b.x, a.y - b.y
    if not dy.any():
        if a.below < 0 or b.below < 0:
            raise InputError("the denominator of the metric is negative")
        return np.sign(dx) if a.below or b.below else np.zeros(len(dx), dtype=np.int64)
    moving = (dx != 0) | (dy != 0)
    signs = np.zeros(len(dx), dtype=np.int64)
    rows, place = different(np.stack([dx, dy], axis=1)[moving], 0)
    above, below = difference_of_ratios(a, b, 0, 0, zero_division)
    found = []
    for x, y in rows.tolist():
        p, q = difference_of_ratios(a, b, x, y, zero_division)
        less, more = p * below, above * q
        found.append((more > less) - (more < less))
    values = np.array(found, dtype=np.int64)
    signs[moving] = values if place is None else values[place]
    return signs


def difference_of_ratios(a: Ratio, b: Ratio, x: int, y: int, zero_division: int) -> tuple[int, int]:
    """The difference of two scores with a unit swapped that has x and y more in A: a numerator and
    a positive denominator, without the factor of the scores.
    """
    above_a, below_a, above_b, below_b = a.above - x, a.below - y, b.above + x, b.below + y
    if below_a < 0 or below_b < 0:
        raise InputError("the denominator of the metric is negative")
    undefined = (zero_division * a.factor.denominator, a.factor.numerator)
    if not below_a:
        above_a, below_a = undefined
    if not below_b:
        above_b, below_b = undefined
    return above_a * below_b - above_b * below_a, below_a * below_b


def lost_by_swaps(
    comparison: Comparison, metric: Metric, units: AllUnits, zero_division: int
) -> NDArray[np.float64]:
    """What the difference of a function of sums loses when each unit is swapped alone; zero where
    that is rounding.
    """
    columns, scale = read_columns(comparison, metric)
    differences = (units.a - units.b)[:, columns]
    moving: NDArray[np.bool_] = np.asarray(differences.any(axis=1))
    rows, place = different(differences[moving], 0)
    whole = [np.array([[float(comparison.sums(s)[name]) for name in metric.columns]]) for s in "ab"]
    own = [metric.raw_values(sums, zero_division)[0] for sums in whole]
    defined = not np.isnan(own).all()
    a, b = np.where(np.isnan(own), zero_division, own).tolist()
    after, size = np.empty(len(rows)), np.empty(len(rows))
    for start in range(0, len(rows), BLOCK):
        part = slice(start, start + BLOCK)
        step = rows[part] * scale
        new = np.stack([
            metric.raw_values(whole[0] - step, zero_division),
            metric.raw_values(whole[1] + step, zero_division),
        ])  # fmt: skip
        undefined = np.isnan(new)
        defined = defined or not undefined.all()
        new_a, new_b = np.where(undefined, zero_division, new)
        after[part] = new_a - new_b
        size[part] = np.maximum(np.abs(new_a), np.abs(new_b))
    if len(rows) and not defined:
        raise InputError(
            f"metric {metric.name!r}: its function gives NaN for both systems, whichever unit is "
            "swapped, so no unit speaks for either; use a metric that is defined"
        )
    lost = (a - b) - after
    near = max(ROUNDING, metric.tolerance) * np.maximum(size, max(abs(a), abs(b)))
    lost[np.abs(lost) <= near] = 0.0
    found = np.zeros(len(moving))
    found[moving] = lost if place is None else lost[place]
    return found


def _flips(units: AllUnits, comparison: Comparison, metric: Metric) -> Flips | None:
    """Right or wrong, where every single item is either for both systems."""
    finest = comparison.at(comparison.levels[0])
    if finest.unit != comparison.unit:
        units = all_units(finest)
    a, b = (ratio_of(finest, metric, units, system) for system in "ab")
    if not np.array_equal(a.y, b.y) or a.factor != 1:
        return None
    for ratio in (a, b):
        if not (((ratio.y == 0) | (ratio.y == 1)) & (ratio.x >= 0) & (ratio.x <= ratio.y)).all():
            return None
    counting, good = a.y == 1, int(metric.greater_is_better)
    right_a, right_b = (counting & (ratio.x == good) for ratio in (a, b))
    kinds = (right_a & right_b, right_a & ~right_b, ~right_a & right_b)
    both, only_a, only_b = (units.number(kind) for kind in kinds)
    return Flips(both, only_a, only_b, units.number(counting) - both - only_a - only_b)
