"""Which units make a difference: on how many each system is better, what every one contributes.

``docs/units.md`` has what a unit contributes, and why that sums to the difference.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from csig.base import wording
from csig.base.errors import InputError
from csig.base.shown import Library, Shown, ShownArrays, as_frame
from csig.base.validation import positive, public
from csig.base.wording import clean, count, counted, documented
from csig.comparing import intervals
from csig.data.comparison import Comparison, PairedError, checked_metric
from csig.data.metrics import Metric
from csig.results.randomization import figures

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Flips:
    """The 2 x 2 table of single items that both systems have right, only one of them, or none."""

    both: int
    only_a: int
    only_b: int
    neither: int


@dataclass(frozen=True, kw_only=True, repr=False)
class Effect(Shown, report="csig.comparing.report"):
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


@public("csig.effects")
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
    return effect_of(intervals.all_units(comparison), comparison, wanted, zero_division)


def effect_of(
    units: intervals.AllUnits, comparison: Comparison, wanted: Metric, zero_division: int
) -> Effect:
    """The same of units that are at hand already, with arguments that are checked."""
    flips = None
    if wanted.linear_fractional:
        ratios = [intervals.ratio_of(comparison, wanted, units, system) for system in "ab"]
        counting = np.logical_or.reduce([(r.x != 0) | (r.y != 0) for r in ratios])
        signs = _signs_of_ratios(ratios, zero_division)
        flips = _flips(units, comparison, wanted)
    else:
        columns, _ = intervals.read_columns(comparison, wanted)
        counting = units.a[:, columns].any(axis=1) | units.b[:, columns].any(axis=1)
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


def _signs_of_ratios(ratios: list[intervals.Ratio], zero_division: int) -> NDArray[np.int64]:
    """The signs of d - d_i."""
    a, b = ratios
    dx, dy = a.x - b.x, a.y - b.y
    if not dy.any():
        if a.below < 0 or b.below < 0:
            raise InputError("the denominator of the metric is negative")
        return np.sign(dx) if a.below or b.below else np.zeros(len(dx), dtype=np.int64)
    rows, place = intervals.different(np.stack([dx, dy], axis=1), 0)
    above, below = difference_of_ratios(a, b, 0, 0, zero_division)
    signs = []
    for x, y in rows.tolist():
        p, q = difference_of_ratios(a, b, x, y, zero_division)
        less, more = p * below, above * q
        signs.append((more > less) - (more < less))
    return np.array(signs, dtype=np.int64)[place]


def difference_of_ratios(
    a: intervals.Ratio, b: intervals.Ratio, x: int, y: int, zero_division: int
) -> tuple[int, int]:
    """The difference of two scores with a unit swapped that has x and y more in A: numerator and
    positive denominator, without the factor of the scores.
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
    comparison: Comparison, metric: Metric, units: intervals.AllUnits, zero_division: int
) -> NDArray[np.float64]:
    """What the difference of a function of sums loses when each unit is swapped alone; zero where
    that is rounding.
    """
    columns, scale = intervals.read_columns(comparison, metric)
    differences = (units.a - units.b)[:, columns]
    moving: NDArray[np.bool_] = np.asarray(differences.any(axis=1))
    rows, place = intervals.different(differences[moving], 0)
    whole = [intervals.sums_read(comparison, metric, system) for system in "ab"]
    before = [metric.raw_values(sums, zero_division)[0] for sums in whole]
    defined = not np.isnan(before).all()
    a, b = np.where(np.isnan(before), zero_division, before).tolist()
    after, size = np.empty(len(rows)), np.empty(len(rows))
    for part in intervals.at_once(rows):
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
    near = max(intervals.ROUNDING, metric.tolerance) * np.maximum(size, max(abs(a), abs(b)))
    lost[np.abs(lost) <= near] = 0.0
    of_all = np.zeros(len(moving))
    of_all[moving] = lost[place]
    return of_all


def _flips(units: intervals.AllUnits, comparison: Comparison, metric: Metric) -> Flips | None:
    """Right or wrong, where every single item is either for both systems."""
    finest = comparison.at(comparison.levels[0])
    if finest.unit != comparison.unit:
        units = intervals.all_units(finest)
    a, b = (intervals.ratio_of(finest, metric, units, system) for system in "ab")
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


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class UnitContributions(ShownArrays, report="csig.comparing.report"):
    """What every unit contributes to the difference of two scores, A's minus B's."""

    metric: str  #: The metric's name.
    greater_is_better: bool  #: Whether a positive contribution speaks for A.
    unit: str  #: What the units are: those that the test swaps.
    names: tuple[str, str]  #: The systems A and B.
    score_a: float  #: score_a, score_b: their scores on all units.
    score_b: float
    difference: float  #: A's score minus B's.
    #: Whether the contributions sum to the difference, as those of all ratios of sums do.
    additive: bool
    #: What identifies each unit; its place from 0 where the data have no ids.
    ids: Sequence[Hashable]
    clusters: Sequence[Hashable] | None  #: The larger unit that each lies in, if one is known.
    columns: tuple[str, ...]  #: Of the statistics.
    a: NDArray[Any] = field(repr=False)  #: a, b: both systems' statistics.
    b: NDArray[Any] = field(repr=False)
    #: scores_a, scores_b: both systems' scores on every unit alone; NaN where it has none.
    scores_a: NDArray[np.float64] = field(repr=False)
    scores_b: NDArray[np.float64] = field(repr=False)
    values: NDArray[np.float64] = field(repr=False)  #: The contributions.
    #: Whether all units' scores lie from 0 to 1; None where that is not known.
    _shares: bool | None = field(default=None, repr=False)
    #: About the standard error of the difference, which decides digits.
    _error: PairedError | None = field(default=None, repr=False, compare=False)

    @property
    def in_percent(self) -> bool:
        """Whether its scores are shares, which are printed in percent."""
        return wording.in_percent((self.score_a, self.score_b), self.metric, self._shares)

    def _line(self) -> str:
        said = f"{self.metric}: {self.names[0]} - {self.names[1]} = "
        said += figures(self).sized(self.difference)
        return f"{said} over {counted(len(self), self.unit)}"

    def __len__(self) -> int:
        return len(self.values)

    @property
    def differs(self) -> NDArray[np.bool_]:
        """Whether the systems differ in each unit."""
        return np.asarray((self.a != self.b).any(axis=1))

    def largest(self, n: int | None = None) -> tuple[list[int], list[int]]:
        """Places of the units that raise the difference most, and of those that lower it most.

        At most `n` each, by default all. Units that contribute nothing are in neither; equal ones
        come in their order.

        >>> c = Comparison.from_scores([1, 0, 5, 3], [1, 2, 1, 2])
        >>> unit_contributions(c, "mean").largest(1)
        ([2], [1])
        """
        most = len(self) if n is None else positive("n", n)
        up = np.argsort(-self.values, kind="stable")
        down = np.argsort(self.values, kind="stable")
        raising = up[self.values[up] > 0][:most]
        lowering = down[self.values[down] < 0][:most]
        return raising.tolist(), lowering.tolist()

    def rows(self, n: int | None = None) -> list[dict[str, Any]]:
        """One dict per unit, from the largest contribution to the smallest.

        Only the `n` units that raise the difference most and the `n` that lower it most; by
        default all, those without a difference too.

        >>> c = Comparison.from_scores({"q1": 1, "q2": 0}, {"q1": 0, "q2": 0})
        >>> for row in unit_contributions(c, "mean").rows():
        ...     print(row["id"], row["score_a"], row["score_b"], row["contribution"])
        q1 1.0 0.0 0.5
        q2 0.0 0.0 0.0
        """
        if n is None:
            places: list[int] = np.argsort(-self.values, kind="stable").tolist()
        else:
            raising, lowering = self.largest(n)
            places = [*raising, *reversed(lowering)]
        differs = self.differs
        found = []
        for i in places:
            row: dict[str, Any] = {"id": self.ids[i]}
            if self.clusters is not None:
                row["cluster"] = self.clusters[i]
            for name, a, b in zip(
                self.columns, self.a[i].tolist(), self.b[i].tolist(), strict=True
            ):
                row |= {f"{name}_a": a, f"{name}_b": b}
            scores = (float(self.scores_a[i]), float(self.scores_b[i]))
            row["score_a"], row["score_b"] = (None if s != s else s for s in scores)
            row["contribution"] = float(self.values[i])
            row["differs"] = bool(differs[i])
            found.append(row)
        return found

    def units_frame(self, n: int | None = None, library: Library | None = None) -> Any:
        """The same as a data frame; ids that are no single texts or numbers are texts.

        `n` is as for :meth:`rows`, `library` as for :meth:`to_frame`.
        """
        rows = self.rows(n)
        for name in ("id", "cluster"):
            kinds = {type(row[name]) for row in rows if name in row}
            if len(kinds) > 1 or not kinds <= {str, int, float, bool}:  # one column, one type
                rows = [row | {name: label(row[name])} for row in rows]
        return as_frame(rows, library)


def label(unit: Hashable) -> str:
    r"""What a unit is called: its id on one line.

    >>> label("d1"), label(("d1", 4, "PER")), label("d1\t4\tPER")
    ('d1', 'd1 4 PER', 'd1 4 PER')
    """
    parts = getattr(unit, "__dict__", None)  # a span
    if isinstance(unit, tuple):
        return " ".join(map(label, unit))
    if parts and all(isinstance(own, Hashable) for own in parts.values()):
        return " ".join(label(own) for own in parts.values() if own is not None)
    return clean(str(unit).replace("\t", " "))


@public("csig.effects")
@documented
def unit_contributions(
    comparison: Comparison, metric: str | Metric, *, zero_division: int = 0
) -> UnitContributions:
    """What every unit contributes to the difference of two scores: docs/units.md has the formula.

    Parameters
    ----------
    comparison : Comparison
        Both systems on the same test data. Its units are those that it swaps: ``at("sentence")``
        looks at sentences.
    %(metric)s
    %(zero_division)s

    Returns
    -------
    UnitContributions
        Of all units; of single responses and of conflict groups those that one system only has.

    Examples
    --------
    Three documents with (tp, predicted, gold):

    >>> c = Comparison.from_statistics(
    ...     a={"d1": [3, 4, 5], "d2": [2, 2, 2], "d3": [0, 1, 1]},
    ...     b={"d1": [1, 4, 5], "d2": [2, 3, 2], "d3": [1, 1, 1]},
    ...     columns=("tp", "predicted", "gold"))
    >>> found = unit_contributions(c, "precision")
    >>> [(name, round(float(value), 4)) for name, value in zip(found.ids, found.values)]
    [('d1', 0.2667), ('d2', 0.081), ('d3', -0.1333)]
    >>> abs(float(sum(found.values)) - found.difference) < 1e-15
    True
    """
    wanted = checked_metric(comparison, metric, zero_division)
    rows, ids, clusters = comparison.labelled_rows()
    units = intervals.AllUnits(rows.a, rows.b, None)
    if wanted.linear_fractional:
        ratios = [intervals.ratio_of(comparison, wanted, units, system) for system in "ab"]
        values, additive = _of_ratios(ratios, zero_division)
        scores = []
        for ratio in ratios:
            with np.errstate(divide="ignore", invalid="ignore"):
                own = np.where(ratio.y == 0, np.nan, float(ratio.factor) * (ratio.x / ratio.y))
            scores.append(own)
    else:
        values, additive = lost_by_swaps(comparison, wanted, units, zero_division) / 2, False
        columns, scale = intervals.read_columns(comparison, wanted)
        scores = []
        for table in rows:
            scores.append(np.full(rows.n, np.nan))
            with suppress(InputError):  # the function refuses what some unit has
                scores[-1] = wanted.raw_values(table[:, columns] * scale)
    whole = [wanted.score(comparison.sums(s), zero_division=zero_division) for s in "ab"]
    a, b = rows
    if any(value != 1 for value in comparison.scale):  # as they were given, without their scale
        a, b = (table.astype(object) for table in rows)
        for table in (a, b):
            for i, value in enumerate(comparison.scale):
                if value != 1:
                    table[:, i] = [float(own * value) for own in table[:, i]]
    return UnitContributions(
        metric=wanted.name,
        greater_is_better=wanted.greater_is_better,
        unit=comparison.unit,
        names=comparison.names,
        score_a=float(whole[0]),
        score_b=float(whole[1]),
        difference=float(whole[0] - whole[1]),
        additive=additive,
        ids=range(rows.n) if ids is None else ids,
        clusters=clusters,
        columns=comparison.columns,
        a=a,
        b=b,
        scores_a=scores[0],
        scores_b=scores[1],
        values=values,
        _shares=comparison.shares,
        _error=PairedError(comparison, wanted, zero_division),
    )


def _of_ratios(
    ratios: Sequence[intervals.Ratio], zero_division: int
) -> tuple[NDArray[np.float64], bool]:
    """The contributions, and whether they sum to the difference; each rounded once."""
    a, b = ratios
    if a.below < 0 or b.below < 0:
        raise InputError("the denominator of the metric is negative")
    table = np.stack([a.x - b.x, a.y - b.y], axis=1)
    rows, place = intervals.different(table, 0)
    linear = bool(a.below and b.below)
    if linear:  # the quotient of two integers is rounded once, as that of a Fraction
        above, below = a.above * b.below + b.above * a.below, 2 * a.below * b.below
        common = a.factor * Fraction(2, below * (a.below + b.below))
        p, q = common.numerator, common.denominator
        found = [p * (dx * below - above * dy) / q for dx, dy in rows.tolist()]
    else:

        def difference(dx: int, dy: int) -> Fraction:
            return a.factor * Fraction(*difference_of_ratios(a, b, dx, dy, zero_division))

        before = difference(0, 0)
        found = [float((before - difference(dx, dy)) / 2) for dx, dy in rows.tolist()]
    return np.array(found, dtype=np.float64)[place], linear
