"""Pictures of comparisons and results: the extra ``plot``, for matplotlib.

Every function takes ``ax=``, returns the Axes, and raises :class:`csig.InputError` where matplotlib
is missing; :func:`plot` chooses the picture that suits what it is given. Without ``ax`` the picture
is on a figure of its own that pyplot knows nothing of: a notebook shows it where a cell ends with
it, and ``ax.figure.savefig("figure.pdf")`` writes it. See docs/python.md.
"""

from __future__ import annotations

from types import FunctionType
from typing import TYPE_CHECKING, Any

from csig.base.shown import Shown
from csig.comparing import pictures
from csig.comparing.pictures import forest as forest
from csig.comparing.pictures import null as null
from csig.comparing.pictures import units as units
from csig.comparing.pictures_pages import scores as scores
from csig.datasets.pictures import critical_difference as critical_difference
from csig.rankings.pictures import *  # noqa: F403
from csig.report import shown
from csig.systems.pictures import leaderboard as leaderboard

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot(result: object, kind: str | None = None, ax: Axes | None = None, **options: Any) -> Axes:
    """The picture that suits what is given.

    Parameters
    ----------
    result : object
        What :func:`csig.compare` and other functions of csig give, a comparison, or results by
        name; docs/python.md has the list.
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
        axes = shown.drawn(result, pictures.kinds_of(result), kind, ax=ax, **options)
    return axes


#: The pictures of all topics, and `plot`.
__all__ = sorted(name for name, own in globals().items() if isinstance(own, FunctionType))


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str) -> object:
    raise AttributeError(f"csig.plots has no picture {name!r}; it has {', '.join(__all__)}")
