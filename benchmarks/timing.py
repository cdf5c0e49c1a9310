"""Paired timing: peer and csig in turn, so that a machine's moods hit both alike."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One line of the table: how many times faster csig is than its peer."""

    what: str
    peer: str
    peer_seconds: float
    csig_seconds: float
    ratio: float
    low: float
    high: float
    wanted: str = ""


def seconds(
    function: Callable[[], object], clock: Callable[[], float] = time.perf_counter
) -> float:
    start = clock()
    function()
    return clock() - start


def pairs(
    what: str,
    peer: str,
    slow: Callable[[], object],
    fast: Callable[[], object],
    *,
    scale: float = 1.0,
    rounds: int = 21,
    wanted: str = "",
    clock: Callable[[], float] = time.perf_counter,
) -> Row:
    """Time both in turn; the ratio is the median of the pairs' ratios.

    Parameters
    ----------
    what, peer : str
        Names for the table.
    slow, fast : callable
        The peer and csig.
    scale : float
        How many times more work ``fast`` does: the peer's seconds are multiplied by it.
    rounds : int
        Pairs, after one that is not counted.
    wanted : str
        What the ratio should be.
    clock : callable
        ``time.process_time`` counts processor time, of all threads.
    """
    slow()
    fast()
    times = [(scale * seconds(slow, clock), seconds(fast, clock)) for _ in range(rounds)]
    ratios = sorted(s / f for s, f in times)
    return Row(
        what,
        peer,
        statistics.median(s for s, _ in times),
        statistics.median(f for _, f in times),
        statistics.median(ratios),
        ratios[len(ratios) // 4],
        ratios[-1 - len(ratios) // 4],
        wanted,
    )


def table(rows: list[Row]) -> str:
    """The rows as a Markdown table."""
    lines = [
        "| what | peer | peer | csig | ratio (quartiles) | wanted |",
        "|---|---|---|---|---|---|",
    ]
    lines += [
        f"| {r.what} | {r.peer} | {text(r.peer_seconds)} | {text(r.csig_seconds)} | "
        f"{r.ratio:.3g} ({r.low:.3g} - {r.high:.3g}) | {r.wanted} |"
        for r in rows
    ]
    return "\n".join(lines)


def text(duration: float) -> str:
    """A duration with a fitting unit.

    >>> text(0.00123)
    '1.23 ms'
    """
    for unit, size in (("s", 1), ("ms", 1e-3)):
        if duration >= size:
            return f"{duration / size:.3g} {unit}"
    return f"{duration / 1e-6:.3g} us"
