"""Printed scores and counts: are they possible, and consistent with each other?"""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

from csig.claims.attainable import World, contradictory, needs, numerators, score
from csig.claims.known import Known, intervals
from csig.claims.model import Finding, PrintedScore
from csig.claims.printed import Interval
from csig.claims.words import few, numbers, stands_for

__all__ = ["check_counts", "check_scores", "check_scores_together"]


def check_counts(known: Known) -> list[Finding]:
    """Are the counts possible, and which of their candidates are left?"""
    uncertain = {n: c for n, c in known.claims.counts.items() if len(c) > 1}
    found = []
    if not known.worlds:
        found.append(
            Finding(
                check="counts",
                claim="the counts",
                verdict="inconsistent",
                sentence=f"The counts exclude each other: {known.reason}.",
            )
        )
    for name, candidates in uncertain.items():
        left = tuple(c for c in candidates if any(w[name] == c for w in known.fitting))
        out = [f"{c:,}" for c in candidates if c not in left]
        if not left:
            verdict, say = "impossible", "No candidate fits all printed scores."
        elif len(left) == 1:
            verdict = "confirmed"
            say = f"Only {left[0]:,} fits all printed scores; {few(out)} cannot be right."
        else:
            verdict = "possible"
            say = f"{few([f'{c:,}' for c in left])} fit all printed scores" + (
                f"; {few(out)} cannot be right." if out else "."
            )
        found.append(
            Finding(
                check="counts",
                claim=f"{name}: {' or '.join(f'{c:,}' for c in candidates)}",
                verdict=verdict,
                sentence=say,
                candidates=left,
                limits="every printed score, allowing for its rounding",
            )
        )
    return found


def check_scores(known: Known) -> list[Finding]:
    """Is each score attainable, and do the counts give it?"""
    return [_score(known, said) for said in known.claims.scores]


def check_scores_together(known: Known) -> list[Finding]:
    """Are the scores of a system consistent, and which counts give them?"""
    found = (_together(known, system) for system in "ab")
    return [finding for finding in found if finding is not None]


def _score(known: Known, said: PrintedScore) -> Finding:
    """Is the score attainable, and do the counts give it?"""
    metric, printed, system = said.metric, said.printed, said.system
    interval = printed.interval
    names = needs(metric, system)
    lines, attainable = [], []
    seen: dict[tuple[int, ...], Fraction | None] = {}
    for world in _sorted_worlds(known):
        if any(name not in world for name in names[1:]):
            continue
        value = score(metric, world, system)
        key = tuple(world[name] for name in names if name in world)
        if key in seen:
            continue
        seen[key] = value
        ks = _numerators(said, interval, world)
        attainable.append(bool(ks))
        lines.append(_score_line(said, world, value, ks))
    values = [value for value in seen.values() if value is not None]
    common: dict[str, Any] = {
        "check": "score", "claim": f"{metric.name} of {known.claims.name(system)}: "
        f"{printed.text}", "metric": metric.name, "system": system,
        **numbers(printed),
    }  # fmt: skip
    if not seen:
        missing = [n for n in names[1:] if not any(n in world for world in known.worlds)]
        return Finding(
            **common, verdict="unknown",
            sentence=f"{few(missing) or 'A count that it needs'} is not known; many numbers "
            f"round to {printed.text}.",
        )  # fmt: skip
    if values:
        best = min(values, key=lambda v: (not interval.contains(v), abs(v - interval.middle)))
        common["expected"] = float(best)
        if interval.contains(best):
            verdict = "confirmed"
        else:
            verdict = "contradicted" if any(attainable) else "impossible"
    else:
        verdict = "possible" if any(attainable) else "impossible"
    text = " ".join(lines[:3])
    if len(lines) > 3:
        text += f" {len(lines) - 3:,} more candidates were tried."
    return Finding(**common, verdict=verdict, sentence=text)


def _sorted_worlds(known: Known) -> list[dict[str, int]]:
    """The worlds, with those that fit first."""
    fitting = {id(world) for world in known.fitting}
    return sorted(known.worlds, key=lambda world: id(world) not in fitting)


def _score_line(said: PrintedScore, world: World, value: Fraction | None, ks: range) -> str:
    """What one candidate gives."""
    printed, names = said.printed, needs(said.metric, said.system)
    of = " and ".join(f"{world[name]:,} {_plain(name)}" for name in names[1:])
    text = ""
    if value is not None:
        text = f"{world[names[0]]:,} correct of {of} give {printed.show(value)}, "
        if printed.interval.contains(value):
            return f"{text}which rounds to {printed.text}."
        text += f"not {printed.text}. "
    if ks:
        these = few([f"{k:,}" for k in ks]) if len(ks) < 4 else f"{ks[0]:,} to {ks[-1]:,}"
        return f"{text}With {of}, {these} correct give {printed.text}."
    near, texts = _nearest(said, world)
    if value is not None and world[names[0]] in near:
        text = ""  # it is among the nearest
    ends = f": {', '.join(texts)}" if texts else ""
    return f"{text}With {of}, no whole number of correct responses gives {printed.text}{ends}."


def _nearest(said: PrintedScore, world: World) -> tuple[list[int], list[str]]:
    """The numbers on both sides of a score that is not attainable, and what they give."""
    names = needs(said.metric, said.system)
    limit = min(world[name] for name in names[1:])
    below = _numerators(said, Interval(Fraction(-(10**30)), said.printed.interval.middle), world)
    if not below:
        return [], []
    k = below[-1] if said.metric.greater_is_better else below[0] - 1
    near = [number for number in (k, k + 1) if 0 <= number <= limit]
    scores = [score(said.metric, {**world, names[0]: number}, said.system) for number in near]
    return near, [
        f"{number:,} give {said.printed.show(value)}"
        for number, value in zip(near, scores, strict=True)
        if value is not None
    ]


def _plain(name: str) -> str:
    """What a count counts."""
    return "in the gold" if name == "gold" else "responses"


def _numerators(said: PrintedScore, interval: Interval, world: World) -> range:
    """The numbers of correct responses that give a score; an unknown count is not needed."""
    n, g = world.get(f"predicted_{said.system}"), world.get("gold")
    assert n is not None or g is not None
    return numerators(
        said.metric, interval, (g or 0) if n is None else n, (n or 0) if g is None else g
    )


def _together(known: Known, system: str) -> Finding | None:
    """Are the scores of a system consistent, and which counts give them?"""
    said = known.scores(system)
    if not said or not known.worlds:
        return None
    claim = f"{known.claims.name(system)}: " + ", ".join(
        f"{s.metric.name} {s.printed.text}" for s in said
    )
    common: dict[str, Any] = {
        "check": "scores together", "claim": claim, "system": system,
        "limits": stands_for(*(s.printed for s in said)),
    }  # fmt: skip
    if contradictory(intervals(said)):
        return Finding(
            **common, verdict="inconsistent", n_solutions=0,
            sentence="No counts, however large, give these scores together.",
        )  # fmt: skip
    needed = [needs(s.metric, system) for s in said]
    names = {name for own in needed for name in own}
    if all(names <= world.keys() for world in known.worlds):
        return None  # each score was computed
    if len(said) == 1 and all(world.keys() >= {*needed[0][1:]} for world in known.worlds):
        return None  # the one score was checked alone
    found = known.solutions[system]
    count = sum(s.count for s in found)
    complete = all(s.complete for s in found)
    first = tuple(itertools.islice((row for s in found for row in s.first), 5))
    if not any("gold" in world for world in known.worlds):
        end = "gold is not known"
    else:
        end = "there are too many to list"
    if count:
        verdict = "possible"
        rows = "; ".join(
            f"{k:,} correct of {'any number' if n is None else f'{n:,}'} with gold {g:,}"
            for k, n, g in first
        )
        more = "" if complete else "at least "
        sentence = f"Counts that give all of them: {more}{count:,}. The first: {rows}."
    elif complete:
        verdict, sentence = "impossible", "No counts give all of them."
    else:
        verdict = "unknown"
        sentence = f"The counts that give all of them could not be determined: {end}."
    return Finding(
        **common, verdict=verdict, sentence=sentence, n_solutions=count, solutions=first,
        complete=complete,
    )  # fmt: skip
