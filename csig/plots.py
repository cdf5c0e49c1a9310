"""Pictures of comparisons and results: the extra ``plot``, for matplotlib.

Every function takes ``ax=``, returns the Axes, and raises :class:`csig.InputError` where matplotlib
is missing; :func:`plot` chooses the picture that suits what it is given. Without ``ax`` the picture
is on a figure of its own that pyplot knows nothing of: a notebook shows it where a cell ends with
it, and ``ax.figure.savefig("figure.pdf")`` writes it. See docs/pictures.md.
"""

from csig.comparing.pictures_null import null
from csig.comparing.pictures_rows import forest, leaderboard, sensitivity
from csig.comparing.pictures_units import units
from csig.datasets.pictures import critical_difference
from csig.rankings.pictures import nbest_curves, precision_histogram, ranking_difference
from csig.report.plots.choosing import plot

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


def __dir__() -> list[str]:
    return sorted(__all__)


def __getattr__(name: str) -> object:
    raise AttributeError(f"csig.plots has no picture {name!r}; it has {', '.join(__all__)}")
