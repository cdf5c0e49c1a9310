"""What every unit contributes to a difference: which ones make it, for a person to look at.

A score R = f X/Y is a factor times a ratio of two sums over units, X = sum x_i and Y = sum y_i.
With dx_i = x_i(A) - x_i(B), dy_i = y_i(A) - y_i(B), the mean r = (X_A/Y_A + X_B/Y_B)/2 of the two
ratios and the mean m = (Y_A + Y_B)/2 of the two denominators, the contribution of unit i is

    c_i = f (dx_i - r dy_i) / m.

These sum to the difference R_A - R_B exactly, whatever the denominators are: as X = (X/Y) Y and
ab - cd = (a + c)/2 (b - d) + (b + d)/2 (a - c),

    X_A - X_B = r (Y_A - Y_B) + m (X_A/Y_A - X_B/Y_B).

Where the denominators are the same for both systems in every unit (recall, accuracy, error rates,
means) c_i = f dx_i / Y is just what the unit adds to the difference. Elsewhere (precision, F) it is
the linearization half way between the systems, the influence of the unit. Where both systems'
denominators are equal in all, swapping a share t of the unit between the systems changes the
difference by -2 c_i t to first order, and by exactly that where dy_i = 0.

For a function of sums, and where a denominator is zero, c_i is half of what the difference loses
when this one unit is swapped, (d - d_i) / 2. For means this is the same. Such contributions need
not sum to the difference, as units of a function act together; `additive` says which kind it is.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from csig.base.errors import InputError
from csig.base.shown import Library, Shown, as_frame
from csig.base.validation import positive
from csig.base.wording import clean, counted, documented
from csig.comparing.effects import difference_of_ratios, lost_by_swaps
from csig.comparing.intervals import AllUnits, Ratio, different, ratio_of, read_columns
from csig.data.comparison import Comparison, checked_metric
from csig.data.metrics import Metric

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class UnitContributions(Shown, report="csig.comparing.worst"):
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

    def _line(self) -> str:
        said = f"{self.metric}: {self.names[0]} - {self.names[1]}"
        return f"{said} = {self.difference:+.4g} over {counted(len(self), self.unit)}"

    def __len__(self) -> int:
        return len(self.values)

    @property
    def differs(self) -> NDArray[np.bool_]:
        """Whether the systems differ in each unit."""
        found: NDArray[np.bool_] = (self.a != self.b).any(axis=1)
        return found

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


@documented
def unit_contributions(
    comparison: Comparison, metric: str | Metric, *, zero_division: int = 0
) -> UnitContributions:
    """What every unit contributes to the difference of two scores.

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

    Raises
    ------
    InputError
        An argument cannot be used; the data are counts, which have no single units; or only the
        units that differ are known, as in a record.

    Notes
    -----
    For ratios of sums, with dx and dy what A has more than B in the unit's numerator and
    denominator, r the mean of the two ratios and m that of the two denominators, it is
    (dx - r dy) / m; these sum to the difference exactly. For a function of sums it is half of what
    the difference loses when the unit alone is swapped.

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
    units = AllUnits(rows.a, rows.b, None)
    if wanted.linear_fractional:
        ratios = [ratio_of(comparison, wanted, units, system) for system in "ab"]
        values, additive = _of_ratios(ratios, zero_division)
        scores = []
        for ratio in ratios:
            with np.errstate(divide="ignore", invalid="ignore"):
                own = np.where(ratio.y == 0, np.nan, float(ratio.factor) * (ratio.x / ratio.y))
            scores.append(own)
    else:
        values, additive = lost_by_swaps(comparison, wanted, units, zero_division) / 2, False
        columns, scale = read_columns(comparison, wanted)
        scores = []
        for table in rows:
            try:
                scores.append(wanted.raw_values(table[:, columns] * scale))
            except InputError:  # the function refuses what some unit has
                scores.append(np.full(rows.n, np.nan))
    whole = [wanted.score(comparison.sums(s), zero_division=zero_division) for s in "ab"]
    a, b = (_as_given(comparison, table) for table in rows)
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
    )


def _as_given(comparison: Comparison, table: NDArray[np.int64]) -> NDArray[Any]:
    """The statistics without their scale."""
    if all(value == 1 for value in comparison.scale):
        return table
    found = np.empty(table.shape, dtype=object)
    for i, value in enumerate(comparison.scale):
        column = table[:, i].tolist()
        found[:, i] = column if value == 1 else [float(own * value) for own in column]
    return found


def _of_ratios(ratios: Sequence[Ratio], zero_division: int) -> tuple[NDArray[np.float64], bool]:
    """The contributions, and whether they sum to the difference; each rounded once."""
    a, b = ratios
    if a.below < 0 or b.below < 0:
        raise InputError("the denominator of the metric is negative")
    table = np.stack([a.x - b.x, a.y - b.y], axis=1)
    rows, place = different(table, 0)
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
    values = np.array(found, dtype=np.float64)
    return (values if place is None else values[place]), linear
