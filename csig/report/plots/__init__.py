"""Pictures, with matplotlib: the extra ``plot``. ``csig.plots`` has those for users.

Every one takes ``ax=`` and returns the Axes. What is drawn on new axes is in the house style of
``csig.pictures``, on a figure that pyplot knows nothing of.
"""

from csig.report.plots.audits import null_picture
from csig.report.plots.choosing import plot
from csig.report.plots.critical import critical_difference
from csig.report.plots.forest import forest
from csig.report.plots.histogram import precision_histogram
from csig.report.plots.leaderboard import leaderboard
from csig.report.plots.nulls import null
from csig.report.plots.precision import nbest_curves
from csig.report.plots.regions import ranking_difference
from csig.report.plots.sensitivity import sensitivity
from csig.report.plots.units import units

__all__ = [
    "critical_difference",
    "forest",
    "leaderboard",
    "nbest_curves",
    "null",
    "null_picture",
    "plot",
    "precision_histogram",
    "ranking_difference",
    "sensitivity",
    "units",
]
