"""How large a difference is, in words: its interval, and on how many units it rests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from csig import wording
from csig.effects import Effect
from csig.report.options import Options
from csig.results import Interval, RandomizationResult

__all__ = [
    "FEW_DIFFER",
    "FEW_OF_SHARE",
    "FEW_UNITS",
    "ends",
    "few",
    "flips",
    "gaps",
    "how",
    "level",
    "made",
    "notes",
]

#: With fewer units that differ, 95% intervals hold the true difference in as little as 89% of test
#: sets; with fewer units, or units' worth of errors, of a score in 84%: docs/intervals.md.
FEW_DIFFER, FEW_OF_SHARE, FEW_UNITS = 6, 6, 50

_TITLES = {"bca": "BCa"}


def level(options: Options) -> str:
    """Of the intervals, in percent."""
    return f"{wording.decimal(100 * options.interval_level)}%"


def ends(interval: Interval | str | None, percents: bool, sign: bool = True) -> str:
    """Both ends of an interval, in the units in which its estimate is printed.

    >>> ends("only 1 sentence counts", True)
    'no interval'
    """
    if interval is None:
        return ""
    if isinstance(interval, str):
        return "no interval"
    low, high = (
        wording.score_difference(end, percents, sign=True) if sign else wording.score(end, percents)
        for end in (interval.low, interval.high)
    )
    return f"{low} to {high}"


def few(interval: Interval, n_differ: int | None) -> str | None:
    """What makes the level of an interval doubtful, if anything does.

    Parameters
    ----------
    interval : Interval
        Of a difference or a score.
    n_differ : int or None
        Of a difference: the units that differ in what the metric reads, where that is known.
    """
    n, estimate = interval.n_units, interval.estimate
    units = wording.counted(n, interval.unit)
    if interval.method == "clopper-pearson":
        return None
    if n_differ is not None:
        differ = "differs" if n_differ == 1 else "differ"
        few_differ = f"only {wording.counted(n_differ, interval.unit)} that {differ}"
        return few_differ if n_differ < FEW_DIFFER else None
    if interval.what == "difference":
        return None
    if wording.in_percent(estimate, estimate, interval.metric):
        share = min(estimate, 1 - estimate)
        if n < 2 * FEW_OF_SHARE:  # whatever the score
            return f"only {units}"
        few_of = f"only {units} for a score this near to {round(estimate)}"
        return few_of if n * share < FEW_OF_SHARE else None
    return f"only {units}" if n < FEW_UNITS else None


def made(interval: Interval) -> str:
    """How an interval was made, and of what."""
    units = wording.noun(interval.unit, 2)
    if interval.method == "clopper-pearson":
        return (
            f"an exact bound (Clopper and Pearson), because no {wording.noun(interval.unit)} shows "
            f"any spread"
        )
    if interval.method == "inverted":
        return f"the differences that the randomization test, swapping {units}, does not reject"
    if interval.method == "components":
        return f"variance components of {units} and runs, t distributions of both"
    if interval.method == "crossed bootstrap":
        return f"crossed bootstrap, {_drawn(interval, f'{units} and runs')}"
    if interval.n_resamples is None:
        not_inverted = "" if interval.instead is None else f" (not inverted: {interval.instead})"
        return f"{interval.method} standard error over {units}, t distribution{not_inverted}"
    title = _TITLES.get(interval.method, interval.method)
    return f"{title} bootstrap, {_drawn(interval, units)}"


def _drawn(interval: Interval, units: str) -> str:
    """What was resampled, and what repeats it."""
    drawn = f"{wording.count(interval.n_resamples or 0)} resamples of {units}"
    if interval.seed is None:
        return drawn
    generator = wording.clean(interval.seed.bit_generator)
    return f"{drawn}, {generator}, seed {interval.seed.entropy}"


def notes(
    intervals: Mapping[str, Interval | str],
    results: Mapping[str, RandomizationResult],
    options: Options,
) -> list[str]:
    """How the intervals of the differences were made, and what is special about them."""
    return [*how(intervals, options), *gaps(intervals, results, options)]


def how(intervals: Mapping[str, Interval | str], options: Options) -> list[str]:
    """How the intervals of the differences were made."""
    which = f"{level(options)} interval"
    how_made: dict[tuple[str, str], list[str]] = {}
    for name, interval in intervals.items():
        if not isinstance(interval, str):
            how_made.setdefault((_other(interval), made(interval)), []).append(name)
    return [
        f"{_titled(names, how_made)}{which} of the difference, for {other}: {method}."
        for (other, method), names in how_made.items()
    ]


def gaps(
    intervals: Mapping[str, Interval | str],
    results: Mapping[str, RandomizationResult],
    options: Options,
) -> list[str]:
    """Where an interval is missing, rests on few data, or does not agree with the test."""
    missing: dict[str, list[str]] = {}
    poor: dict[str, list[str]] = {}
    instead: dict[str, list[str]] = {}
    apart = []
    for name, interval in intervals.items():
        if isinstance(interval, str):
            missing.setdefault(interval, []).append(name)
            continue
        if interval.instead is not None:
            instead.setdefault(interval.instead, []).append(name)
        reason = few(interval, results[name].n_moving)
        if reason is not None:
            poor.setdefault(reason, []).append(name)
        if _disagrees(interval, results[name], options.alpha):
            apart.append(name)
    which = f"{level(options)} interval"
    found = [
        f"{_listed(names)}: a {which} cannot be given: {reason}."
        for reason, names in missing.items()
    ]
    found += [
        f"{_listed(names)}: the {which} is linearized, not inverted: {reason}."
        for reason, names in instead.items()
    ]
    found += [
        f"{_listed(names)}: the {which} rests on few data ({reason}); such intervals may hold the "
        f"true difference in less than 90% of test sets."
        for reason, names in poor.items()
    ]
    if apart:
        found.append(
            f"{_listed(apart)}: the p-value and the {which} fall on different sides; they are "
            f"computed in different ways, and this is close."
        )
    return found


def _other(interval: Interval) -> str:
    """Of what the interval says how much the difference would vary."""
    if (interval.n_runs or 1) > 1 and interval.method != "clopper-pearson":
        return "other test data of this kind and other runs of both systems"
    return "other test data of this kind"


def _disagrees(interval: Interval, result: RandomizationResult, alpha: float) -> bool:
    """Whether only one of both says that there is a difference, where they ask the same."""
    if (interval.n_runs or 1) > 1:  # another question: csig.report.runs
        return False
    if result.alternative != "two-sided" or abs(interval.confidence_level - (1 - alpha)) > 1e-9:
        return False
    return (result.pvalue <= alpha) == (interval.low <= 0 <= interval.high)


def _listed(names: Sequence[str]) -> str:
    return ", ".join(map(wording.metric_title, names))


def _titled(names: Sequence[str], of_all: Mapping[tuple[str, str], Sequence[str]]) -> str:
    return f"{_listed(names)}: " if len(of_all) > 1 else ""


def flips(effect: Effect, names: Sequence[str] = ("A", "B")) -> str | None:
    """The table of flips on a line.

    Parameters
    ----------
    effect : Effect
        Of the systems.
    names : pair of str
        A's and B's.
    """
    found = effect.flips
    if found is None:
        return None
    a, b = map(wording.clean, names)
    return (
        f"{wording.metric_title(effect.metric)}, single items: right in both "
        f"{wording.count(found.both)}, only in {b} {wording.count(found.only_b)}, only in {a} "
        f"{wording.count(found.only_a)}, in neither {wording.count(found.neither)}"
    )
