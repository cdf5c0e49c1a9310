"""The picture that suits a result."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from csig.base.errors import InputError
from csig.base.shown import Shown
from csig.base.wording import first_few
from csig.comparing.breakdowns import Breakdown
from csig.comparing.contributions import UnitContributions
from csig.comparing.pictures_null import null
from csig.comparing.pictures_rows import forest, leaderboard, sensitivity
from csig.comparing.pictures_units import units
from csig.data.comparison import Comparison
from csig.datasets.comparing import DatasetsResult
from csig.datasets.pictures import critical_difference
from csig.probability.corrections import Corrected
from csig.results.null import NullDistribution
from csig.results.randomization import Interval, RandomizationResult
from csig.systems.ranking import SystemsResult

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot"]


def _one(result: Any, **options: Any) -> Axes:
    """A forest of one row."""
    return forest({result.metric: result}, **options)


#: What can be drawn of a result, the best first.
KINDS: dict[type, dict[str, Callable[..., Axes]]] = {
    RandomizationResult: {"null": null, "forest": _one},
    NullDistribution: {"null": null},
    Comparison: {"units": units},
    UnitContributions: {"units": units},
    SystemsResult: {"leaderboard": leaderboard},
    Breakdown: {"forest": forest},
    DatasetsResult: {"critical_difference": critical_difference},
    Interval: {"forest": _one},
}


def _kinds(result: object) -> dict[str, Callable[..., Axes]]:
    room = getattr(type(result), "_room", "")
    kinds = importlib.import_module(f"{room}.pictures").KINDS if room else KINDS
    for kind, pictures in kinds.items():
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
