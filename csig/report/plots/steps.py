"""What every unit has to do with a difference, quickly enough for millions of them.

The numbers are those of :func:`csig.unit_contributions`, in doubles.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from csig import metrics
from csig.comparison import Comparison
from csig.contributions import UnitContributions
from csig.errors import InputError
from csig.metrics import Metric
from csig.validation import check_zero_division, instance

if TYPE_CHECKING:
    from numpy.typing import NDArray

    _Floats = NDArray[np.float64]

__all__ = ["Points", "metric_of", "points_of"]

#: Rows of sums that a metric is given at once.
BLOCK = 2**16


@dataclass(frozen=True, kw_only=True, eq=False)
class Points:
    """All units."""

    metric: str  #: The metric's name.
    unit: str  #: What they are.
    names: tuple[str, str]  #: The systems A and B.
    whole: tuple[float, float]  #: Their scores on all units.
    a: _Floats  #: a, b: their scores on every unit; NaN where it has none.
    b: _Floats
    values: _Floats  #: What every unit contributes to the difference.
    additive: bool  #: Whether these sum to the difference.
    places: NDArray[np.intp]  #: The units that differ.
    ids: Sequence[Hashable] | None  #: Theirs; None where they have no ids and cannot be named.


def metric_of(comparison: Comparison, metric: str | Metric | None) -> Metric:
    """The metric that is meant: for scores the mean, if nothing is said."""
    instance("comparison", comparison, Comparison)
    if metric is None:
        if comparison.columns != ("score", "n"):
            raise InputError("metric: choose one, such as 'f1'")
        metric = "mean"
    wanted = metrics.get(metric, comparison.columns)
    wanted.check_columns(comparison.columns)
    return wanted


def points_of(
    found: Comparison | UnitContributions, metric: str | Metric | None, zero_division: int
) -> Points:
    """All units of a comparison by a metric, or those that are given."""
    check_zero_division(zero_division)
    if isinstance(found, UnitContributions):
        places = np.flatnonzero(found.differs)
        return Points(
            metric=found.metric,
            unit=found.unit,
            names=found.names,
            whole=(found.score_a, found.score_b),
            a=found.scores_a,
            b=found.scores_b,
            values=found.values,
            additive=found.additive,
            places=places,
            ids=[found.ids[i] for i in places.tolist()],
        )
    wanted = metric_of(found, metric)
    rows = found.rows()
    a, b = (own.astype(np.float64) for own in rows)
    values, additive = _contributions(found, wanted, a - b, zero_division)
    places = np.flatnonzero((rows.a != rows.b).any(axis=1))
    ids: Sequence[Hashable] | None = None
    if found.units is not None:
        ids = [f"{found.unit} {i}" for i in places] if found.units.ids is None else found.units.ids
    return Points(
        metric=wanted.name,
        unit=found.unit,
        names=found.names,
        whole=found.scores(wanted, zero_division=zero_division),
        a=_values(found, wanted, a),
        b=_values(found, wanted, b),
        values=values,
        additive=additive,
        places=places,
        ids=ids,
    )


def _weights(comparison: Comparison, metric: Metric) -> tuple[_Floats, _Floats]:
    """Of the numerator and of the denominator, for the integers of a comparison."""
    scale = np.array([float(s) for s in comparison.scale])
    above, below = (
        np.array([float(w) for w in row]) * scale for row in metric.weights_of(comparison.columns)
    )
    return above, below


def _values(comparison: Comparison, metric: Metric, sums: _Floats) -> _Floats:
    """The score of every row of sums, in the columns of the comparison; NaN for 0 / 0."""
    if metric.linear_fractional:
        above, below = _weights(comparison, metric)
        with np.errstate(divide="ignore", invalid="ignore"):
            found = np.asarray((sums @ above) / (sums @ below))
        return np.where(np.isfinite(found), found, np.nan)
    columns = [comparison.columns.index(name) for name in metric.columns]
    rows = sums[:, columns] * np.array([float(comparison.scale[c]) for c in columns])
    parts = [metric.raw_values(rows[i : i + BLOCK], 0) for i in range(0, len(rows), BLOCK)]
    return np.concatenate(parts) if parts else np.empty(0)


def _both(comparison: Comparison) -> tuple[_Floats, _Floats]:
    a, b = (np.array(own, dtype=np.float64) for own in (comparison.sums_a, comparison.sums_b))
    return a, b


def _contributions(
    comparison: Comparison, metric: Metric, moves: _Floats, zero_division: int
) -> tuple[_Floats, bool]:
    """What every unit contributes, and whether that adds up."""
    if metric.linear_fractional:
        above, below = _weights(comparison, metric)
        sums = _both(comparison)
        tops, bottoms = ([float(own @ row) for own in sums] for row in (above, below))
        if all(bottoms):
            ratio = (tops[0] / bottoms[0] + tops[1] / bottoms[1]) / 2
            return np.asarray(2 * (moves @ (above - ratio * below)) / sum(bottoms)), True
    before = _differences(comparison, metric, np.zeros((1, moves.shape[1])), zero_division)
    after = _differences(comparison, metric, moves, zero_division)
    return np.asarray((before[0] - after) / 2), False


def _differences(
    comparison: Comparison, metric: Metric, taken: _Floats, zero_division: int
) -> _Floats:
    """The difference of the scores after A gave B these rows, and got B's."""
    a, b = _both(comparison)
    values = [_values(comparison, metric, own) for own in (a - taken, b + taken)]
    own_a, own_b = (np.where(np.isnan(v), zero_division, v) for v in values)
    return np.asarray(own_a - own_b)
