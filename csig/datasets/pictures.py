"""Critical-difference diagrams (Demsar 2006): average ranks, with bars over what does not differ.

The average ranks are an axis from 1 to the number of systems. Every system hangs from its rank on a
line of its own, half of them to the left and half to the right, the outermost next to the axis, so
that no line crosses another. Heights are in lines of text below the axis, places along it in ranks.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations, pairwise
from numbers import Real
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from csig.base.errors import InputError
from csig.base.shown import Shown
from csig.base.validation import one_of, public
from csig.base.wording import clean, counted, decimal, documented, few, first_few, perhaps
from csig.comparing import pictures as words
from csig.datasets.comparing import DatasetsResult
from csig.report.shown import not_drawn
from csig.report.style import COLOURS, INK, MUTED, PAGE, SMALL, axes_for, plain, width_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: The side of rank 1.
Best: TypeAlias = Literal["left", "right"]

#: Lines of text from the axis to the first bar, between bars, and from the last to a label.
FIRST, STEP, LAST = 0.65, 0.5, 0.9

#: How far a bar goes beyond its systems, as a share of the axis; of the room beside it.
BEYOND, ROOM = 0.008, 0.35

#: Rows of bars keep this share of the axis between two bars.
APART = 0.01

#: Numbers on the axis, at most.
TICKS = 13

#: By how much printed ranks may miss their sum, for each system.
ROUNDED = 0.05

#: Letters of long names, in points.
SMALLER = 6.5

#: Points from one line of text to the next, for letters of `SMALL` points.
LINE = 13.0

#: Lines above the axis: the numbers of the ranks; with the bar of the critical difference.
NUMBERS, WITH_BAR = 1.5, 3.3

#: The share of the width that names may take at either side, and with their ranks, so that there
#: is an axis; points between a line and its name.
NAMES, MOST, GAP = 0.34, 0.4, 4.0


@dataclass(frozen=True)
class Label:
    """A system."""

    name: str  #: As it was given.
    rank: float  #: Its average rank: where its line leaves the axis.
    side: Best  #: Where its name stands.
    depth: float  #: How many lines below the axis.


@dataclass(frozen=True)
class Bar:
    """Systems that a bar connects."""

    members: tuple[str, ...]  #: The best rank first.
    low: float  #: low, high: the ends of the bar, in ranks.
    high: float
    depth: float  #: How many lines below the axis.


@dataclass(frozen=True)
class Diagram:
    """What is drawn."""

    labels: tuple[Label, ...]  #: The systems, the best rank first.
    bars: tuple[Bar, ...]  #: Groups without a significant difference between any two.
    #: Pairs without a significant difference that no bar can connect, because one between them
    #: differs.
    unlinked: tuple[tuple[str, str], ...]
    critical: float | None  #: The critical difference, where it makes the groups.
    #: What does not differ from a control, in ranks, within the axis.
    interval: tuple[float, float] | None
    control: str | None  #: The system that all others are compared with.
    marked: frozenset[str]  #: Systems that differ from the control.
    best: Best  #: The side of rank 1.
    depth: float  #: How many lines the diagram takes below the axis.

    def place(self, rank: float) -> float:
        """Where a rank is on the axis, from 0 at the left to 1 at the right."""
        share = (rank - 1) / (len(self.labels) - 1)
        return share if self.best == "left" else 1 - share


def diagram_of(
    ranks: DatasetsResult | Mapping[str, float],
    *,
    by: str | None = None,
    cd: float | None = None,
    groups: Iterable[Iterable[str]] | None = None,
    baseline: str | None = None,
    best: Best = "left",
) -> tuple[Diagram, str]:
    """The diagram, and what its marks mean: see :func:`csig.plots.critical_difference`."""
    start = "Average ranks, 1 is the best. "
    if isinstance(ranks, Mapping) and not isinstance(ranks, Shown):  # what somebody else computed
        if by is not None:
            raise InputError("by= chooses a test of a result; average ranks take cd= or groups=")
        if cd is None and groups is None:
            raise InputError("give cd=, the critical difference, or groups=, what the bars connect")
        if groups is not None and (cd is not None or baseline is not None):
            raise InputError("groups= does not go with cd= and baseline=")
        diagram = arranged(ranks, critical=cd, groups=groups, control=baseline, best=best)
        if groups is not None:
            return diagram, f"{start}Bars connect systems without a significant difference."
        if baseline is None:
            key = f"{start}Bars connect systems whose ranks differ by less than CD = {cd:.3g}."
            return diagram, key
        return diagram, (
            f"{start}The band holds the ranks that differ from {clean(baseline)}'s by less than "
            f"CD = {cd:.3g}."
        )
    from csig.datasets.report import adjusted_title, title

    result = ranks
    if not isinstance(result, DatasetsResult):
        raise not_drawn("critical_difference", "csig.compare_datasets", result)
    if not (cd is None and groups is None and baseline is None):
        raise InputError("cd=, groups= and baseline= are for average ranks; a result has its own")
    known = result.pairs[0].adjusted_by
    if by is not None and by not in known:
        raise InputError(
            f"by: expected one of {first_few(known, 20)}, found {by!r:.40}{perhaps(by, known)}"
        )
    average = dict(zip(result.names, result.average_ranks, strict=True))
    name = None if result.baseline is None else clean(result.baseline)
    test = title(result) if by is None else adjusted_title(by, result.correction)
    at = f"at {decimal(result.alpha)} ({test})"
    bars = f"{start}Bars connect systems without a significant difference {at}."
    if by in ("nemenyi", "bonferroni-dunn"):  # for which a critical difference stands
        critical = result.critical_differences[by]
        diagram = arranged(average, critical=critical, control=result.baseline, best=best)
        if name is None:
            return diagram, bars
        return diagram, f"{start}{name} differs significantly {at} from systems outside the band."
    same, marked = [], []
    for pair in result.pairs:
        differs = pair.better is not None if by is None else pair.adjusted_by[by] <= result.alpha
        if differs:
            marked.append(pair.system)  # beside a baseline the other one is that
        else:
            same.append((pair.system, pair.other))
    if name is not None:
        diagram = arranged(average, control=result.baseline, marked=marked, best=best)
        return diagram, f"{start}* differs significantly from {name} {at}."
    diagram = arranged(average, same=same, best=best)
    if diagram.unlinked:
        pairs = [f"{clean(a)} - {clean(b)}" for a, b in diagram.unlinked]
        bars += f" No significant difference either: {few(pairs, 6, 'pair')}."
    return diagram, bars


def arranged(
    ranks: Mapping[str, float],
    *,
    critical: float | None = None,
    same: Iterable[Iterable[str]] = (),
    groups: Iterable[Iterable[str]] | None = None,
    control: str | None = None,
    marked: Iterable[str] = (),
    best: Best = "left",
) -> Diagram:
    """A diagram of average ranks: what a critical difference, pairs or groups say is alike."""
    known: dict[str, float] = {}
    for name, rank in ranks.items():
        try:
            known[str(name)] = float(rank)
        except (TypeError, ValueError):
            raise InputError(f"ranks: {name!s:.40} has {rank!r:.40}, expected a number") from None
    n = len(known)
    if n < len(ranks):
        raise InputError("ranks: two systems have names with the same text")
    if n < 2:
        raise InputError(f"ranks: found {counted(n, 'system')}, expected two or more")
    for name, rank in known.items():
        if not 1 <= rank <= n:
            raise InputError(
                f"ranks: {name:.40} has {rank:g}, expected an average rank from 1 to {n}"
            )
    total = sum(known.values())
    if abs(total - n * (n + 1) / 2) > ROUNDED * n:
        raise InputError(
            f"ranks: found a sum of {total:g}, expected {n * (n + 1) / 2:g}, as average ranks of "
            f"{n} systems have; give those of all systems that were ranked"
        )
    one_of("best", best, ("left", "right"))
    if critical is not None and not (isinstance(critical, Real) and 0 < critical < math.inf):
        raise InputError(f"cd: found {critical!r:.40}, expected a positive number")
    if control is not None:
        _require(control, known, "baseline")
    order = sorted(known, key=lambda name: known[name])
    pairs = {frozenset(pair) for pair in same}
    runs = []
    for group in groups if isinstance(groups, Iterable) else [groups] * (groups is not None):
        if isinstance(group, str) or not isinstance(group, Iterable):
            raise InputError(f"groups: found {group!r:.40}, expected groups of names")
        members = {_require(str(name), known, "groups") for name in group}
        if len(members) < 2:
            raise InputError(
                f"groups: found a group of {len(members)}, expected two systems or more"
            )
        low, high = (bound(known[name] for name in members) for bound in (min, max))
        between = [name for name in known if low <= known[name] <= high and name not in members]
        if between:
            raise InputError(
                f"groups: a bar over {first_few(sorted(members))} would hold {first_few(between)} "
                "too; leave it out, and name its pairs in the text"
            )
        runs.append(tuple(sorted(members, key=lambda name: known[name])))
    if groups is not None:
        runs = sorted(dict.fromkeys(runs), key=lambda run: (known[run[0]], -known[run[-1]]))
    else:
        if critical is not None and control is None:
            pairs = {
                frozenset((a, b))
                for a, b in combinations(known, 2)
                if abs(known[a] - known[b]) < critical
            }
        runs = runs_of(known, pairs)
    rows: list[float] = []  # of bars, as few as they need: where the last bar of each ends
    bars = []
    for run in runs:
        low, high = known[run[0]], known[run[-1]]
        before = low - max((rank for rank in known.values() if rank < low), default=-math.inf)
        behind = min((rank for rank in known.values() if rank > high), default=math.inf) - high
        left = low - min(BEYOND * (n - 1), ROOM * before)
        right = high + min(BEYOND * (n - 1), ROOM * behind)
        row = next((i for i, end in enumerate(rows) if left > end + APART * (n - 1)), len(rows))
        rows[row : row + 1] = [right]
        bars.append(Bar(run, left, right, FIRST + STEP * row))
    top = (FIRST + STEP * (len(rows) - 1) if rows else 0.0) + LAST
    half = (n + 1) // 2
    sides: tuple[Best, Best] = ("left", "right") if best == "left" else ("right", "left")
    labels = [
        Label(name, known[name], sides[i >= half], top + (i if i < half else n - 1 - i))
        for i, name in enumerate(order)
    ]
    unlinked = pairs - {frozenset(pair) for run in runs for pair in combinations(run, 2)}
    interval = None
    if control is not None and critical is not None:
        interval = max(1.0, known[control] - critical), min(float(n), known[control] + critical)
    return Diagram(
        labels=tuple(labels),
        bars=tuple(bars),
        unlinked=tuple(p for p in combinations(order, 2) if frozenset(p) in unlinked),
        critical=critical,
        interval=interval,
        control=control,
        marked=frozenset(marked),
        best=best,
        depth=top + half - 1,
    )


def runs_of(ranks: Mapping[str, float], same: set[frozenset[str]]) -> list[tuple[str, ...]]:
    """The largest runs of two or more along the axis of which no two differ, the best first."""
    # A run holds every system whose rank lies between its ends, so that a bar over it connects
    # exactly its members; systems with one rank are in it together or not at all.
    order = sorted(ranks, key=lambda name: ranks[name])
    n = len(order)
    # Behind each system the first one that differs from it; and where other ranks begin.
    ends = [
        next((j for j in range(i + 1, n) if frozenset((own, order[j])) not in same), n)
        for i, own in enumerate(order)
    ]
    cuts = [0, *(j for j in range(1, n) if ranks[order[j]] > ranks[order[j - 1]]), n]
    runs: list[tuple[str, ...]] = []
    last = 0
    for k, start in enumerate(cuts[:-1]):
        stop, end = start, n
        for low, high in pairwise(cuts[k:]):
            end = min(end, *ends[low:high])
            if end < high:
                break
            stop = high
        if stop > max(start + 1, last):  # else it is alone, or within the run before
            runs.append(tuple(order[start:stop]))
            last = stop
    return runs


def _require(name: str, ranks: Mapping[str, float], what: str) -> str:
    if name not in ranks:
        raise InputError(
            f"{what}: no system {name!r:.40}{perhaps(name, ranks)}; there are "
            f"{first_few(ranks, 12)}"
        )
    return name


@public("csig.plots")
@documented
def critical_difference(
    ranks: DatasetsResult | Mapping[str, float],
    ax: Axes | None = None,
    *,
    by: str | None = None,
    cd: float | None = None,
    groups: Iterable[Iterable[str]] | None = None,
    baseline: str | None = None,
    best: Best = "left",
    caption: bool = True,
    width: float = PAGE,
) -> Axes:
    """Average ranks over data sets, with bars over systems that do not differ (Demsar 2006).

    Parameters
    ----------
    ranks : DatasetsResult or mapping {name: average rank}
        What :func:`csig.compare_datasets` gives; or average ranks, 1 is the best.
    %(ax)s
    by : str, optional
        Of a result: a procedure of ``pairs[0].adjusted_by``. By default the verdicts of the result.
        "nemenyi" makes the bars by the critical difference, which is drawn; beside a baseline
        "bonferroni-dunn" draws the band that holds what does not differ from it.
    cd : float, optional
        Of average ranks: the critical difference.
    groups : iterable of groups of names, optional
        Of average ranks, instead of `cd`: what the bars connect.
    baseline : str, optional
        Of average ranks: the system that all others are compared with; `cd` is then drawn to both
        sides of it.
    best : {"left", "right"}
        The side of rank 1; Demsar (2006) has it at the right.
    %(caption)s

    Raises
    ------
    InputError
        Numbers that cannot be average ranks; a group that no bar can connect without a system that
        is not in it.

    Notes
    -----
    A bar connects systems of which no two differ significantly, and every system between its ends
    is one of them. The p-values of pairs need not follow the order of the ranks: a pair that does
    not differ although one between them does is named below. That no difference was found does not
    show that systems are equal.

    Examples
    --------
    >>> import csig
    >>> ax = csig.plots.critical_difference(
    ...     {"C4.5": 3.143, "C4.5+m": 2.0, "C4.5+cf": 2.893, "C4.5+m+cf": 1.964}, cd=1.25
    ... )
    >>> [text.get_text() for text in ax.texts][-1]
    'Average ranks, 1 is the best. Bars connect systems whose ranks differ by less than CD = 1.25.'
    """
    diagram, key = diagram_of(ranks, by=by, cd=cd, groups=groups, baseline=baseline, best=best)
    above = NUMBERS if diagram.critical is None else WITH_BAR
    wide, high = 72 * width - 8, math.inf
    if ax is not None:  # letters are as large as the lines leave room for
        wide, high = (max(72 * own, 50.0) for own in words.size_of(ax))
    for size in (SMALL, 7.0, 6.0, 5.0, 4.0):
        lines = words.folded(key, wide / 72 - 0.1, size - 1) if caption else []
        lowest = diagram.depth + 1.2 + 0.85 * len(lines)
        if LINE * (above + lowest) * size / SMALL <= high - 7:
            break
    height = LINE * (above + lowest) / 72 + 0.1
    with axes_for(ax, [*(own.name for own in diagram.labels), key], width, height) as axes:
        axes.set_xlim(0, wide)
        axes.set_ylim(lowest, -above)
        axes.set_axis_off()
        _draw(axes, diagram, wide, size)
        for i, line in enumerate(lines):
            plain(axes.text(0, diagram.depth + 1.2 + 0.85 * i, line, ha="left", va="center",
                            fontsize=size - 1, color=MUTED))  # fmt: skip
    return axes


def _draw(axes: Axes, diagram: Diagram, wide: float, size: float) -> None:
    """The diagram, in points across and in lines down."""
    names = [own.name + " *" * (own.name in diagram.marked) for own in diagram.labels]
    # Whole in smaller letters if that is enough, else as long as there is room for.
    small = min(size, SMALLER)
    for letters, length in (*((own, words.WHOLE) for own in (size, small)),
                            *((small, own) for own in range(40, 6, -1))):  # fmt: skip
        shown = words.distinct(names, length)
        least = NAMES * wide - width_of(" (00.00)", letters) - GAP
        if all(width_of(name, letters) <= least for name in shown):
            break
    ends = {"left": 0.0, "right": 0.0}
    for own, name in zip(diagram.labels, shown, strict=True):
        bold = 1.12 if own.name == diagram.control else 1.0
        taken = bold * width_of(f"{name} ({own.rank:.2f})", letters) + 2 * GAP
        ends[own.side] = max(ends[own.side], min(taken, MOST * wide))
    start, end = ends["left"], wide - ends["right"]

    def x(rank: float) -> float:
        return start + diagram.place(rank) * (end - start)

    def level(low: float, high: float, depth: float, width: float, **style: Any) -> None:
        axes.plot([x(low), x(high)], [depth, depth], linewidth=width,
                  **{"color": INK, "solid_capstyle": "butt", **style})  # fmt: skip

    def text(at: float, depth: float, said: str) -> None:
        plain(axes.text(at, depth, said, ha="center", va="center", fontsize=size))

    # The axis, with few enough numbers to stand beside each other.
    n = len(diagram.labels)
    level(1, n, 0, 1.0, zorder=2)
    least = (width_of(str(n), size) + 3) * (n - 1) / (end - start)  # ranks between numbers
    step = next(
        own for own in (1, 2, 5, 10, 20, 50, 100, 10**6) if n / own <= TICKS and own >= least
    )
    inner = [
        own
        for own in range(step, n, step)
        if own - 1 >= least and n - own >= max(least, 0.6 * step)
    ]
    for tick in (1, *inner, n):
        axes.plot([x(tick)] * 2, [0, -0.35], color=INK, linewidth=0.8, zorder=2)
        text(x(tick), -0.9, str(tick))
    for half in range(1, n) if n <= TICKS else ():
        axes.plot([x(half + 0.5)] * 2, [0, -0.2], color=INK, linewidth=0.8, zorder=2)
    if diagram.interval is not None:
        level(*diagram.interval, 0, size / 1.6, color=COLOURS[1], zorder=1.5)
    if diagram.critical is not None:  # from the best rank on, without an end where it is too long
        last = min(1 + diagram.critical, float(n))
        level(1, last, -1.9, 1.2)
        for rank in (1.0, last) if 1 + diagram.critical <= n else (1.0,):
            axes.plot([x(rank)] * 2, [-2.1, -1.7], color=INK, linewidth=1.2)
        text(x((1 + last) / 2), -2.6, f"CD = {diagram.critical:.3g}")
    for own, name in zip(diagram.labels, shown, strict=True):
        left = own.side == "left"
        turn, at = start if left else end, x(own.rank)
        axes.plot([at, at, turn], [0, own.depth, own.depth], color=INK, linewidth=0.8, zorder=2,
                  solid_joinstyle="miter")  # fmt: skip
        plain(
            axes.text(
                turn - GAP if left else turn + GAP, own.depth, f"{name} ({own.rank:.2f})",
                ha="right" if left else "left", va="center", fontsize=letters,
                fontweight="bold" if own.name == diagram.control else "normal",
            )
        )  # fmt: skip
    for bar in diagram.bars:
        level(bar.low, bar.high, bar.depth, size / 2.4, color=COLOURS[0], zorder=3)


#: What can be drawn of results, the best first.
KINDS: dict[type, dict[str, Callable[..., Axes]]] = {
    DatasetsResult: {"critical_difference": critical_difference},
}
