"""The picture that suits a result."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from csig.breakdowns import Breakdown
from csig.comparison import Comparison
from csig.contributions import UnitContributions
from csig.datasets import DatasetsResult
from csig.errors import InputError
from csig.null import NullDistribution
from csig.probability.corrections import Corrected
from csig.ranking import NBestResult
from csig.ranking_curves import RankingCurves
from csig.ranking_samples import BinomialValidation
from csig.rankings import RankedMethods
from csig.report.plots.critical import critical_difference
from csig.report.plots.curves import nbest_curves, ranking_difference
from csig.report.plots.histogram import precision_histogram
from csig.report.plots.nulls import null
from csig.report.plots.rows import forest, leaderboard, sensitivity
from csig.report.plots.units import units
from csig.results import Interval, RandomizationResult
from csig.shown import Shown
from csig.systems import SystemsResult
from csig.wording import counted, first_few

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot"]


def _one(result: Any, **options: Any) -> Axes:
    """A forest of one row."""
    return forest({result.metric: result}, **options)


def _of_pair(result: RankedMethods, **options: Any) -> Axes:
    """The difference of the only pair."""
    if len(result.curves) != 1:
        pairs = counted(len(result.pairs), "pair")
        lengths = counted(len(result.n), "length")
        raise InputError(
            "the picture of a difference is of one pair of methods at several lengths, found "
            f"{pairs} at {lengths}; .curves has each pair's"
        )
    return ranking_difference(result.curves[0], **options)


#: What can be drawn of a result, the best first.
KINDS: dict[type, dict[str, Callable[..., Axes]]] = {
    RandomizationResult: {"null": null, "forest": _one},
    NullDistribution: {"null": null},
    Comparison: {"units": units},
    UnitContributions: {"units": units},
    SystemsResult: {"leaderboard": leaderboard},
    Breakdown: {"forest": forest},
    DatasetsResult: {"critical_difference": critical_difference},
    NBestResult: {"nbest_curves": nbest_curves},
    RankedMethods: {
        "nbest_curves": lambda result, **options: nbest_curves(result.precision, **options),
        "ranking_difference": _of_pair,
    },
    RankingCurves: {"ranking_difference": ranking_difference},
    BinomialValidation: {"precision_histogram": precision_histogram},
    Interval: {"forest": _one},
}


def _kinds(result: object) -> dict[str, Callable[..., Axes]]:
    for kind, pictures in KINDS.items():
        if isinstance(result, kind):
            return pictures
    if isinstance(result, Mapping) and result:
        name, first = next(iter(result.items()))
        by_unit = isinstance(first, RandomizationResult) and name == first.unit != first.metric
        if by_unit or isinstance(first, Mapping):
            return {"sensitivity": sensitivity}
        if isinstance(first, RandomizationResult | Interval):
            return {"forest": forest}
    elif isinstance(result, Sequence) and result and isinstance(result[0], Corrected):
        return {"forest": forest}
    return {}


def plot(result: object, kind: str | None = None, ax: Axes | None = None, **options: Any) -> Axes:
    """The picture that suits what is given.

    Parameters
    ----------
    result : object
        What :func:`csig.compare` and other functions of csig give, a comparison, or results by
        name; docs/pictures.md has the list.
    kind : str, optional
        The name of the function here that draws; by default the first that suits.
    ax : Axes, optional
        What to draw on; by default new axes on a figure of their own.
    **options
        Those of that function.

    Examples
    --------
    >>> import csig
    >>> c = csig.Comparison.from_scores([1, 1, 1, 1, 0, 1], [0, 0, 0, 0, 1, 1])
    >>> csig.plots.plot(csig.randomization_test(c, "mean")).get_title("left")
    'Mean: p = 0.375, exact'
    >>> csig.plots.plot(c).get_ylabel()
    'A: Mean in %'
    """
    if isinstance(result, Shown) and type(result).plot is not Shown.plot:  # csig.compare's
        axes: Axes = result.plot(kind, ax=ax, **options)
        return axes
    known = _kinds(result)
    if not known:
        raise InputError(f"there is no picture of {type(result).__name__}")
    if kind is not None and kind not in known:
        raise InputError(
            f"kind: there is no picture {kind!r} of {type(result).__name__}; there is "
            f"{first_few(known)}"
        )
    return known[kind or next(iter(known))](result, ax=ax, **options)
