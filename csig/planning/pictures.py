"""The power of a plan with fewer and more items."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from csig.base.wording import decimal, noun
from csig.planning.model import Plan
from csig.planning.report import share
from csig.report.style import COLOURS, FAINT, LINES, MUTED, axes_for, legend, plain, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def power(plan: Plan, ax: Axes | None = None, *, width: float = 4.5) -> Axes:
    """The power over the number of items, a line for each discordance; marks are plans."""
    with axes_for(ax, [plan.unit, plan.metric], width, 3.0) as axes:
        entries = []
        for i, own in enumerate(plan.tests):
            if not (curve := plan.curve(i)):
                continue
            colour, line = COLOURS[i % len(COLOURS)], LINES[i % len(LINES)]
            (drawn,) = axes.plot(*zip(*curve, strict=True), color=colour, linestyle=line)
            axes.plot([own.items], [own.power], "o", color=colour, markersize=4)
            if own.discordance is not None:
                entries.append((drawn, f"{share(own.discordance)} differ"))
        axes.axhline(plan.alpha, color=FAINT, linewidth=0.8)
        if plan.target is not None:
            axes.axhline(plan.target, color=MUTED, linewidth=0.8, linestyle="dotted")
        axes.set_ylim(0, 1.02)
        if plan.known:
            axes.set_xlim(0)
        else:
            axes.set_xscale("log")
        plain(axes.set_xlabel(noun(plan.unit, 2)))
        axes.set_ylabel(f"power at level {decimal(plan.alpha)}")
        if entries:
            legend(axes, entries, ncols=3)
        return styled(axes)


#: What can be drawn.
KINDS: dict[type, dict[str, Callable[..., Axes]]] = {Plan: {"power": power}}
