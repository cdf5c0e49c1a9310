"""How much p depends on the unit that is swapped."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from csig import wording
from csig.errors import InputError
from csig.pictures import (
    COLOURS,
    FAINT,
    INK,
    MUTED,
    PAGE,
    SMALL,
    axes_for,
    name_rows,
    plain,
    short,
    styled,
)
from csig.report import verdict
from csig.results import RandomizationResult
from csig.validation import between

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["ByUnit", "sensitivity"]

#: What :func:`csig.sensitivity` gives, for one metric or several.
ByUnit: TypeAlias = (
    Mapping[str, RandomizationResult] | Mapping[str, Mapping[str, RandomizationResult]]
)

#: Marks of metrics, in turn with the colours.
MARKS = ("o", "s", "^", "D", "v", "P")

LN10 = math.log(10)


def _by_metric(results: ByUnit) -> dict[str, dict[str, RandomizationResult]]:
    """The same by metric first."""
    if not isinstance(results, Mapping) or not results:
        raise InputError(
            "results must be what csig.sensitivity gives, {unit: result}, found "
            f"{type(results).__name__ if results else 'nothing'}"
        )
    found: dict[str, dict[str, RandomizationResult]] = {}
    for unit, own in results.items():
        several = own if isinstance(own, Mapping) else {getattr(own, "metric", ""): own}
        for metric, result in several.items():
            if not isinstance(result, RandomizationResult):
                raise InputError(f"results[{unit!r}]: found {type(result).__name__}, not a result")
            found.setdefault(metric, {})[unit] = result
    return found


def sensitivity(
    results: ByUnit, ax: Axes | None = None, *, alpha: float = 0.05, width: float = PAGE
) -> Axes:
    """How p depends on the unit that is swapped: a row per unit, p on a logarithmic axis.

    Filled marks are significant, open ones are not, half-filled ones are undecided; a dashed line
    stands at alpha. Approximate p-values have their interval. The largest unit, whose p to report,
    is at the bottom.

    Parameters
    ----------
    results : mapping {unit: RandomizationResult} or {unit: {metric: RandomizationResult}}
        What :func:`csig.sensitivity` gives.
    ax : Axes, optional
        What to draw on; by default new axes on a figure of their own, as high as it takes.
    alpha : float
        The level of the tests.
    width : float
        Of a new figure, in inches: 3.3 is a column of a paper.

    Returns
    -------
    Axes
        Its horizontal axis is the logarithm of p to base 10.

    Raises
    ------
    InputError
        matplotlib is missing, or these are no such results.

    Examples
    --------
    >>> import csig
    >>> c = csig.Comparison.from_scores(
    ...     a=[1, 1, 1, 0, 1, 1, 1, 1], b=[0, 0, 0, 0, 1, 1, 0, 0],
    ...     clusters=["x", "x", "x", "y", "y", "y", "z", "z"], cluster_name="story")
    >>> ax = csig.plots.sensitivity(csig.sensitivity(c, "mean"))
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['item (5)', 'story (2)']
    """
    between("alpha", alpha)
    found = _by_metric(results)
    units = list(results)
    first = next(iter(found.values()))
    labels = [f"{short(wording.noun(unit), 20)} ({wording.count(first[unit].n_units)})"
              for unit in units if unit in first]  # fmt: skip
    names = [short(wording.metric_title(metric), 16) for metric in found]
    height = 1.0 + 0.3 * len(units) + 0.1 * max(0, len(found) - 2) * len(units)
    with axes_for(ax, [*labels, *names], width, height) as axes:
        step = min(0.22, 0.7 / len(found))
        for i, (metric, own) in enumerate(found.items()):
            offset = step * ((len(found) - 1) / 2 - i)
            places = [len(units) - 1 - units.index(unit) + offset for unit in own]
            _draw(axes, list(own.values()), places, i, alpha, names[i] if metric else "")
        _dress(axes, labels, len(units), alpha, several=len(found) > 1)
    return axes


def _draw(
    axes: Axes,
    results: Sequence[RandomizationResult],
    places: Sequence[float],
    i: int,
    alpha: float,
    name: str,
) -> None:
    """A metric's p-values."""
    colour = COLOURS[i % len(COLOURS)]
    style: dict[str, Any] = {
        "marker": MARKS[i % len(MARKS)], "color": colour, "markersize": 5.5, "linestyle": "none",
        "markeredgewidth": 1.2, "zorder": 3,
    }  # fmt: skip
    for result, y in zip(results, places, strict=True):
        if result.n_hits is not None:
            ends = [math.log10(max(end, 1e-300)) for end in result.pvalue_interval]
            axes.plot(ends, (y, y), color=colour, linewidth=1.2, zorder=2)
        said = verdict.verdict(result, alpha)
        fill: dict[str, Any] = {"markerfacecolor": "white"}
        if said == "significant":
            fill = {}
        elif said == "undecided":
            fill = {"fillstyle": "left", "markerfacecoloralt": "white"}
        axes.plot([result.log_pvalue / LN10], [y], **style, **fill)
    axes.plot([], [], label=name, **style)


def _power(x: float) -> str:
    """A tick: 0.01, but 10^-12.

    >>> _power(-2.0), _power(-12.0), _power(0.0)
    ('0.01', '10^-12', '1')
    """
    if x > 0:  # there is no such p
        return ""
    return f"10^{x:.0f}" if x < -4 else wording.decimal(10**x)


def _dress(axes: Axes, labels: Sequence[str], n: int, alpha: float, *, several: bool) -> None:
    """Ticks, the level, and whose marks are whose."""
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    at = math.log10(alpha)
    axes.axvline(at, color=INK, linewidth=0.9, linestyle=(0, (4, 3)), zorder=1)
    low = min(axes.get_xlim()[0], 1.4 * at)
    axes.set_xlim(low + 0.03 * low, max(0.06 * -low, 0.03))
    axes.set_ylim(-0.6, n - 0.4)
    name_rows(axes, list(range(n - 1, -1, -1)), labels)
    axes.xaxis.set_major_locator(MaxNLocator(5 if low > -10 else 3, integer=True))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: _power(x)))
    axes.grid(axis="x", color=FAINT, linewidth=0.4)
    axes.set_axisbelow(True)
    styled(axes, left=False)
    axes.annotate(
        f"{wording.decimal(alpha)}", (at, n - 0.4), xytext=(0, 2), textcoords="offset points",
        ha="center", va="bottom", fontsize=SMALL, color=MUTED, annotation_clip=False,
    )  # fmt: skip
    filled = f"filled: significant at {wording.decimal(alpha)}"
    plain(axes.set_xlabel(f"p by what is swapped (units that differ)\n{filled}"))
    if several:
        legend = axes.legend(
            loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False, borderaxespad=0
        )
        for text in legend.get_texts():
            plain(text)
