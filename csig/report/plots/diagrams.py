"""Where everything stands in a critical-difference diagram (Demsar 2006), whatever draws it.

The average ranks are an axis from 1 to the number of systems. Every system hangs from its rank on a
line of its own, half of them to the left and half to the right, the outermost next to the axis: so
no line crosses another and no two labels share a row. Between axis and labels, bars connect systems
without a significant difference. Heights are in lines of text below the axis, places along the axis
in ranks.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Literal, TypeAlias, get_args

from csig.errors import InputError
from csig.wording import counted, first_few, perhaps

__all__ = ["BESTS", "Bar", "Best", "Diagram", "Label", "arranged", "runs_of", "within"]

#: The side of rank 1.
Best: TypeAlias = Literal["left", "right"]
BESTS: tuple[Best, ...] = get_args(Best)

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

    names: tuple[str, ...]  #: The systems, the best rank first.
    #: The ranks with a number on the axis; the first is 1, the last the number of systems.
    ticks: tuple[int, ...]
    halves: tuple[float, ...]  #: Ranks with a short mark and no number.
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
        share = (rank - 1) / (self.ticks[-1] - 1)
        return share if self.best == "left" else 1 - share

    def lines(self) -> list[list[tuple[float, float]]]:
        """The line of every system as (place, depth), from the axis to the end at its label."""
        found = []
        for own in self.labels:
            x = self.place(own.rank)
            end = 0.0 if own.side == "left" else 1.0
            found.append([(x, 0.0), (x, own.depth), (end, own.depth)])
        return found


# ---- groups ------------------------------------------------------------------------------------


def within(ranks: Mapping[str, float], critical: float) -> set[frozenset[str]]:
    """The pairs whose average ranks differ by less than a critical difference.

    >>> sorted(map(sorted, within({"a": 1.2, "b": 2.0, "c": 2.8}, 1.0)))
    [['a', 'b'], ['b', 'c']]
    """
    return {
        frozenset((a, b)) for a, b in combinations(ranks, 2) if abs(ranks[a] - ranks[b]) < critical
    }


def runs_of(ranks: Mapping[str, float], same: set[frozenset[str]]) -> list[tuple[str, ...]]:
    """The largest runs along the axis of which no two differ.

    A run holds every system whose rank lies between its ends, so that a bar over it connects
    exactly its members; systems with one rank are in it together or not at all.

    Parameters
    ----------
    ranks : mapping {name: average rank}
        All systems.
    same : set of frozenset
        The pairs without a significant difference.

    Returns
    -------
    list of tuple of str
        The best ranks first; runs of one system are left out.

    Examples
    --------
    >>> runs_of({"a": 1.0, "b": 2.0, "c": 3.0}, {frozenset("ab"), frozenset("bc")})
    [('a', 'b'), ('b', 'c')]
    """
    order = sorted(ranks, key=lambda name: ranks[name])
    n = len(order)
    # Behind each system the first one that differs from it; and where other ranks begin.
    ends = [
        next((j for j in range(i + 1, n) if frozenset((own, order[j])) not in same), n)
        for i, own in enumerate(order)
    ]
    cuts = [0, *(j for j in range(1, n) if ranks[order[j]] > ranks[order[j - 1]]), n]
    found: list[tuple[str, ...]] = []
    last = 0
    for k, start in enumerate(cuts[:-1]):
        stop, end = start, n
        for low, high in pairwise(cuts[k:]):
            end = min(end, *ends[low:high])
            if end < high:
                break
            stop = high
        if stop > max(start + 1, last):  # else it is alone, or within the run before
            found.append(tuple(order[start:stop]))
            last = stop
    return found


def _stacked(
    runs: Sequence[tuple[str, ...]], ranks: Mapping[str, float]
) -> tuple[tuple[Bar, ...], float]:
    """Bars in as few rows as they need, and the depth of the last row."""
    values = sorted(ranks.values())
    whole = len(ranks) - 1
    rows: list[float] = []  # where the last bar of each ends
    bars = []
    for run in runs:
        low, high = ranks[run[0]], ranks[run[-1]]
        before = low - max((own for own in values if own < low), default=-math.inf)
        behind = min((own for own in values if own > high), default=math.inf) - high
        left = low - min(BEYOND * whole, ROOM * before)
        right = high + min(BEYOND * whole, ROOM * behind)
        row = next((i for i, end in enumerate(rows) if left > end + APART * whole), len(rows))
        rows[row : row + 1] = [right]
        bars.append(Bar(run, left, right, FIRST + STEP * row))
    return tuple(bars), FIRST + STEP * (len(rows) - 1) if rows else 0.0


# ---- the whole ---------------------------------------------------------------------------------


def _ticks(n: int) -> tuple[int, ...]:
    """Whole ranks, few enough to stand beside each other."""
    step = next(own for own in (1, 2, 5, 10, 20, 50, 100, 10**6) if n / own <= TICKS)
    inner = [own for own in range(step, n, step) if own > 1 and n - own >= 0.6 * step]
    return (1, *inner, n)


def _checked(ranks: Mapping[str, float]) -> dict[str, float]:
    """Average ranks of two systems or more."""
    found = {}
    for name, rank in ranks.items():
        try:
            found[str(name)] = float(rank)
        except (TypeError, ValueError):
            raise InputError(f"ranks: {name!s:.40} has {rank!r:.40}, expected a number") from None
    n = len(found)
    if n < len(ranks):
        raise InputError("ranks: two systems have names with the same text")
    if n < 2:
        raise InputError(f"ranks: found {counted(n, 'system')}, expected two or more")
    for name, rank in found.items():
        if not 1 <= rank <= n:
            raise InputError(
                f"ranks: {name:.40} has {rank:g}, expected an average rank from 1 to {n}"
            )
    total = sum(found.values())
    if abs(total - n * (n + 1) / 2) > ROUNDED * n:
        raise InputError(
            f"ranks: found a sum of {total:g}, expected {n * (n + 1) / 2:g}, as average ranks of "
            f"{n} systems have; give those of all systems that were ranked"
        )
    return found


def _known(name: str, ranks: Mapping[str, float], what: str) -> str:
    if name not in ranks:
        raise InputError(
            f"{what}: no system {name!r:.40}{perhaps(name, ranks)}; there are "
            f"{first_few(ranks, 12)}"
        )
    return name


def _runs_given(
    groups: Iterable[Iterable[str]], ranks: Mapping[str, float]
) -> list[tuple[str, ...]]:
    """Groups as they were asked for, each of which a bar must be able to connect."""
    found = []
    for group in groups:
        if isinstance(group, str):
            raise InputError(f"groups: found {group!r:.40}, expected groups of names")
        own = {_known(str(name), ranks, "groups") for name in group}
        if len(own) < 2:
            raise InputError(f"groups: found a group of {len(own)}, expected two systems or more")
        low, high = (bound(ranks[name] for name in own) for bound in (min, max))
        between = [name for name in ranks if low <= ranks[name] <= high and name not in own]
        if between:
            raise InputError(
                f"groups: a bar over {first_few(sorted(own))} would hold {first_few(between)} too; "
                "leave it out, and name its pairs in the text"
            )
        found.append(tuple(sorted(own, key=lambda name: ranks[name])))
    return sorted(dict.fromkeys(found), key=lambda run: (ranks[run[0]], -ranks[run[-1]]))


def arranged(
    ranks: Mapping[str, float],
    *,
    critical: float | None = None,
    same: Iterable[Iterable[str]] | None = None,
    groups: Iterable[Iterable[str]] | None = None,
    control: str | None = None,
    marked: Iterable[str] = (),
    best: Best = "left",
) -> Diagram:
    """A diagram of average ranks.

    Parameters
    ----------
    ranks : mapping {name: average rank}
        All systems, 1 is the best rank.
    critical : float, optional
        Systems whose ranks differ by less have no significant difference: a bar connects them, or
        beside a control an interval holds them.
    same : iterable of pairs of names, optional
        Instead: the pairs without a significant difference.
    groups : iterable of groups of names, optional
        Instead: what the bars connect.
    control : str, optional
        The system that all others are compared with.
    marked : iterable of str
        Systems that differ from it.
    best : {"left", "right"}
        The side of rank 1; Demsar (2006) has it at the right.

    Raises
    ------
    InputError
        For ranks that cannot be average ranks of these systems, unknown names, and groups that no
        bar can connect.
    """
    found = _checked(ranks)
    if best not in BESTS:
        raise InputError(f"best must be left or right, found {best!r:.40}{perhaps(best, BESTS)}")
    if critical is not None and not (math.isfinite(critical) and critical > 0):
        raise InputError(f"cd: found {critical!r:.40}, expected a positive number")
    if control is not None:
        _known(control, found, "baseline")
    order = sorted(found, key=lambda name: found[name])
    n = len(order)
    runs: list[tuple[str, ...]] = []
    pairs: set[frozenset[str]] = set()
    if groups is not None:
        runs = _runs_given(groups, found)
    elif control is None:
        if same is not None:
            pairs = {frozenset(_known(str(name), found, "same") for name in own) for own in same}
        elif critical is not None:
            pairs = within(found, critical)
        runs = runs_of(found, pairs)
    bars, depth = _stacked(runs, found)
    top = depth + LAST
    half = (n + 1) // 2
    sides: tuple[Best, Best] = ("left", "right") if best == "left" else ("right", "left")
    labels = [
        Label(name, found[name], sides[i >= half], top + (i if i < half else n - 1 - i))
        for i, name in enumerate(order)
    ]
    linked = {frozenset(pair) for run in runs for pair in combinations(run, 2)}
    alone = pairs - linked
    unlinked = [own for own in combinations(order, 2) if frozenset(own) in alone]
    interval = None
    if control is not None and critical is not None:
        interval = max(1.0, found[control] - critical), min(float(n), found[control] + critical)
    return Diagram(
        names=tuple(order),
        ticks=_ticks(n),
        halves=tuple(i + 0.5 for i in range(1, n)) if n <= TICKS else (),
        labels=tuple(labels),
        bars=bars,
        unlinked=tuple(unlinked),
        critical=critical,
        interval=interval,
        control=control,
        marked=frozenset(_known(str(name), found, "marked") for name in marked),
        best=best,
        depth=top + half - 1,
    )
