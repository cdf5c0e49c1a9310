"""The precision of several ranking methods in many samples: a histogram for each."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from csig import wording
from csig.pictures import INK, PAGE, SMALL, drawing, new_figure, plain, short
from csig.ranking_by_sample import SamplePrecision
from csig.report.plots.histogram import precision_histogram

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["MOST_HISTOGRAMS", "histograms"]

#: Methods of one page.
MOST_HISTOGRAMS = 12

#: Histograms beside each other, and inches that each is high.
ACROSS, HEIGHT = 2, 3.5


def histograms(samples: SamplePrecision, width: float = PAGE) -> Figure:
    """One histogram per method, two of them side by side.

    Parameters
    ----------
    samples : SamplePrecision
        What :func:`csig.sample_precision` gives.
    width : float
        Of the figure, in inches.

    Returns
    -------
    Figure
        Of the first twelve methods; how many others there are stands above.
    """
    shown = list(zip(samples.names, samples.validations, strict=True))[:MOST_HISTOGRAMS]
    if len(shown) == 1:
        ((name, validation),) = shown
        alone = precision_histogram(validation, width=width)
        _named(alone, name, 24)
        figure: Any = alone.figure
        return figure  # type: ignore[no-any-return]
    down = math.ceil(len(shown) / ACROSS)
    with drawing("".join(name for name, _ in shown)):
        figure = new_figure(width, HEIGHT * down)
        for i, (name, validation) in enumerate(shown):
            axes = figure.add_subplot(down, ACROSS, i + 1)
            _named(precision_histogram(validation, axes), name, 12)
        others = len(samples.names) - len(shown)
        if others:
            said = f"{wording.counted(others, 'other method')}: no picture."
            plain(figure.suptitle(said, x=0.01, ha="left", fontsize=SMALL, color=INK))
    return figure  # type: ignore[no-any-return]


def _named(axes: Axes, name: str, length: int) -> None:
    """The method's name before the title, which stays where it is."""
    title = axes.get_title("left")
    for own in axes.get_children():
        text: Any = own
        if hasattr(text, "get_text") and text.get_text() == title:
            text.set_text(f"{short(name, length)}: {title}")
