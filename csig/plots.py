"""Pictures of comparisons and results: the extra ``plot``, for matplotlib.

Every function takes ``ax=``, returns the Axes, and raises :class:`csig.InputError` where matplotlib
is missing; :func:`plot` chooses the picture that suits what it is given. Without ``ax`` the picture
is on a figure of its own that pyplot knows nothing of: a notebook shows it where a cell ends with
it, and ``ax.figure.savefig("figure.pdf")`` writes it. See docs/pictures.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from csig.base.shown import Shown
from csig.comparing.pictures import forest, kinds_of, null, sensitivity, units
from csig.datasets.pictures import critical_difference
from csig.rankings.pictures import nbest_curves, precision_histogram, ranking_difference
from csig.report.shown import drawn
from csig.systems.pictures import leaderboard

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = [
    "critical_difference",
    "forest",
    "leaderboard",
    "nbest_curves",
    "null",
    "plot",
    "precision_histogram",
    "ranking_difference",
    "sensitivity",
    "units",
]


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
    if isinstance(result, Shown):
        axes: Axes = result.plot(kind, ax=ax, **options)
    else:
        axes = drawn(result, kinds_of(result), kind, ax=ax, **options)
    return axes


def __dir__() -> list[str]:
    return sorted(__all__)


def __getattr__(name: str) -> object:
    raise AttributeError(f"csig.plots has no picture {name!r}; it has {', '.join(__all__)}")
