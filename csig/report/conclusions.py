"""The answer in a sentence: which system beats which, on what, and what the data do not tell.

An outcome is that of the system beside the baseline (of A beside B); the sentences gather the
metrics, systems and parts with the same outcome.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple, TypeAlias

from csig import wording
from csig.report.verdict import least_pvalue
from csig.results import RandomizationResult

__all__ = [
    "Finer", "Outcome", "cannot_tell", "of_parts", "of_systems", "of_two", "outcome", "part_noun",
    "too_few",
]  # fmt: skip

#: What a test found of A beside B: significantly better or worse, the same score, no evidence,
#: undecided, or too few units for any p-value at alpha.
Outcome: TypeAlias = Literal["better", "worse", "none", "same", "undecided", "few"]

#: More names than this are not listed in a sentence.
MOST_NAMES = 6


def outcome(result: RandomizationResult, verdict: str, alpha: float | None = None) -> Outcome:
    """What a test found of A beside B.

    Parameters
    ----------
    result : RandomizationResult
        The test's.
    verdict : {"significant", "not significant", "undecided"}
        What is said of its p-value, corrected or not.
    alpha : float, optional
        The level that a p-value must be able to reach, or there are too few units.
    """
    if verdict == "undecided":
        return "undecided"
    if result.statistic == 0:
        return "same"
    hoped = result.statistic if result.alternative != "less" else -result.statistic
    if verdict != "significant" and alpha is not None and least_pvalue(result) > alpha:
        return "few"
    if verdict != "significant" or (result.alternative != "two-sided" and hoped < 0):
        return "none"
    return "better" if (result.statistic > 0) == result.greater_is_better else "worse"


def _few(names: Sequence[str], noun: str) -> str:
    """Names in a sentence; of very many only how many they are."""
    if len(names) > MOST_NAMES:
        return wording.counted(len(names), noun)
    return wording.listed([wording.clean(name) for name in names])


def _metrics(names: Sequence[str]) -> str:
    if len(names) > MOST_NAMES:
        return wording.counted(len(names), "metric")
    return wording.listed([wording.metric_name(name) for name in names])


def _named(text: str, names: Sequence[str]) -> bool:
    """Whether a sentence begins with a system's name."""
    return any(text.startswith(wording.clean(name)) for name in names)


def _begun(text: str, names: Sequence[str]) -> str:
    """A sentence with a capital letter, unless it begins with a system's name."""
    return text if _named(text, names) else text[:1].upper() + text[1:]


#: Names of systems or parts, and what was found of each.
Found: TypeAlias = Sequence[tuple[str, Outcome]]


def _gathered(found: Iterable[tuple[str, Outcome]]) -> dict[Outcome, list[str]]:
    gathered: dict[Outcome, list[str]] = {}
    for name, own in found:
        gathered.setdefault(own, []).append(name)
    return gathered


# ---- too few units -----------------------------------------------------------------------

#: Numbers of units in words.
_WORDS = (
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve",
)  # fmt: skip


class Finer(NamedTuple):
    """What smaller units say, of the metrics for which the units that were swapped are too few."""

    over: str
    outcomes: Mapping[str, Outcome]
    results: Mapping[str, RandomizationResult]


def cannot_tell(results: Sequence[RandomizationResult], total: int | None = None) -> str:
    """That so few units cannot tell; all of them differ where they are as many as the total."""
    low, *more = sorted({own.n_moving for own in results})
    last = more[-1] if more else low
    number = f"{low} to {last}" if more else _WORDS[low] if low < len(_WORDS) else str(low)
    unit = results[0].unit
    if unit == "response":
        return f"{number} unique {wording.noun(unit, last)} cannot tell"
    that = "" if low == last == total else f" that {'differs' if last == 1 else 'differ'}"
    return f"{number} {wording.noun(unit, last)}{that} cannot tell"


def too_few(
    results: Sequence[RandomizationResult],
    alpha: float,
    total: int | None = None,
    adjusted: float | None = None,
) -> str:
    """The same with the level, and the least p-value; adjusted by Holm where only that is above."""
    kind = "" if adjusted is None else "Holm-adjusted "
    least = min(map(least_pvalue, results)) if adjusted is None else adjusted
    return (
        f"{cannot_tell(results, total)} at {wording.decimal(alpha)}: no {kind}p-value below "
        f"{wording.decimal(least)} is possible"
    )


# ---- two systems -------------------------------------------------------------------------


def _hopes(results: Sequence[RandomizationResult], names: Sequence[str]) -> list[str]:
    """Whom each one-sided test asks to be better."""
    return [
        names[0] if (own.alternative == "greater") == own.greater_is_better else names[1]
        for own in results
    ]


def _nothing(
    names: Sequence[str], metrics: Sequence[str], results: Mapping[str, RandomizationResult]
) -> list[str]:
    """No evidence: which way, where a test looks in one direction only."""
    own = [results[metric] for metric in metrics]
    if own[0].alternative == "two-sided":
        return [f"no evidence either way on {_metrics(metrics)}"]
    found: dict[str, list[str]] = {}
    for metric, hoped in zip(metrics, _hopes(own, names), strict=True):
        found.setdefault(hoped, []).append(metric)
    return [
        f"no evidence that {wording.clean(hoped)} beats "
        f"{wording.clean(names[hoped == names[0]])} on {_metrics(which)}"
        for hoped, which in found.items()
    ]


def of_two(
    outcomes: Mapping[str, Outcome],
    results: Mapping[str, RandomizationResult],
    names: Sequence[str],
    alpha: float = 0.05,
    totals: Mapping[str, int | None] | None = None,
    finer: Finer | None = None,
) -> str:
    """The answer for two systems.

    Parameters
    ----------
    outcomes : mapping {metric: Outcome}
        What the tests found of A beside B.
    results : mapping {metric: RandomizationResult}
        Of the same metrics.
    names : pair of str
        A's and B's.
    alpha : float
        The level of the tests.
    totals : mapping {metric: int or None}, optional
        All units, those without a difference too.
    finer : Finer, optional
        What the sentence goes on with where the units are too few.
    """
    a, b = map(wording.clean, names)
    if all(own.n_units == 0 for own in results.values()):
        unit = next(iter(results.values())).unit
        return f"{b} and {a} do not differ in any {wording.noun(unit)}: there is nothing to test."
    parts = _of_two(outcomes, results, names)
    few: dict[str, list[str]] = {}
    for metric in _gathered(outcomes.items()).get("few", []):
        own, total = [results[metric]], (totals or {}).get(metric)
        line = cannot_tell(own, total) if finer else too_few(own, alpha, total)
        few.setdefault(line, []).append(metric)
    each = bool(parts) or len(few) > 1
    parts += [f"on {_metrics(which)}, {line}" if each else line for line, which in few.items()]
    if finer and few:
        inner = "; ".join(_of_two(finer.outcomes, finer.results, names))
        parts.append(f"over {finer.over} {inner}")
    return _begun("; ".join(parts), names) + "."


def _of_two(
    outcomes: Mapping[str, Outcome],
    results: Mapping[str, RandomizationResult],
    names: Sequence[str],
) -> list[str]:
    """What is said of outcomes that are not for lack of units."""
    a, b = map(wording.clean, names)
    gathered = _gathered(outcomes.items())
    parts = [
        f"{winner} beats {loser} on {_metrics(gathered[own])}"
        for own, winner, loser in (("better", a, b), ("worse", b, a))
        if own in gathered
    ]
    none = gathered.get("none", [])
    if none and not parts and results[none[0]].alternative == "two-sided":
        parts.append(f"no evidence of a difference between {b} and {a} on {_metrics(none)}")
    elif none:
        parts += _nothing(names, none, results)
    if "same" in gathered:
        whose = "" if parts else f"{b} and {a} have "
        parts.append(f"{whose}the same score on {_metrics(gathered['same'])}")
    if "undecided" in gathered:
        whose = "" if parts else f" whether {b} and {a} differ"
        parts.append(f"undecided{whose} on {_metrics(gathered['undecided'])}")
    return parts


# ---- several systems ---------------------------------------------------------------------


def _beside(
    found: Found, base: str, hoped: Literal["", "better", "worse"], few: str
) -> tuple[str, ...]:
    """What the outcomes of several systems say."""
    gathered = {own: _few(names, "system") for own, names in _gathered(found).items()}
    number = {own: len(names) for own, names in _gathered(found).items()}
    parts = []
    if "better" in gathered:
        parts.append(f"{gathered['better']} {'beats' if number['better'] == 1 else 'beat'} {base}")
    if "worse" in gathered:
        parts.append(f"{base} beats {gathered['worse']}")
    if "none" in gathered:
        which = gathered["none"].replace(" and ", " or ")
        if hoped == "better":
            verb = "beats" if number["none"] == 1 or " or " in which else "beat"
            parts.append(f"no evidence that {which} {verb} {base}")
        elif hoped == "worse":
            parts.append(f"no evidence that {base} beats {which}")
        elif parts:
            parts.append(f"no evidence either way for {which}")
        else:
            parts.append(f"no evidence of a difference between {base} and {which}")
    if "same" in gathered:
        parts.append(f"the same score as {base} for {gathered['same']}")
    if "undecided" in gathered:
        parts.append(f"undecided for {gathered['undecided']}")
    if "few" in gathered:
        parts.append(f"for {gathered['few']} {few}" if parts else few)
    return tuple(parts)


def of_systems(
    outcomes: Mapping[str, Found],
    results: Mapping[str, RandomizationResult],
    baseline: str,
    few: Mapping[str, str] | None = None,
    finer: tuple[str, Mapping[str, Found]] | None = None,
) -> list[str]:
    """The answers for several systems beside one: metrics that say the same share a sentence.

    Parameters
    ----------
    outcomes : mapping {metric: [(system, Outcome)]}
        What the tests found of each system beside the baseline.
    results : mapping {metric: RandomizationResult}
        One of each metric's, for the direction of its test.
    baseline : str
        The first system.
    few : mapping {metric: str}, optional
        That some systems have too few units that differ, by metric.
    finer : tuple, optional
        Where all have: that they cannot tell, over which smaller units, and what these say.
    """
    base = wording.clean(baseline)
    names = [baseline, *(name for name, _ in next(iter(outcomes.values())))]
    if finer is not None:
        head, inner = finer
        said = [own[:-1] for own in of_systems(inner, results, baseline)]
        said = [own if _named(own, names) else own[:1].lower() + own[1:] for own in said]
        return [_begun(f"{head} {'; '.join(said)}.", names)]
    found: dict[tuple[str, ...], list[str]] = {}
    for metric, own in outcomes.items():
        hoped = _hoped(results[metric])
        found.setdefault(_beside(own, base, hoped, (few or {}).get(metric, "")), []).append(metric)
    if len(found) == 1:
        ((first, *more), metrics) = next(iter(found.items()))
        if first in (few or {}).values():
            return [_begun(first, names) + "."]
        return [_begun("; ".join([f"{first} on {_metrics(metrics)}", *more]), names) + "."]
    return [f"On {_metrics(metrics)}, {'; '.join(parts)}." for parts, metrics in found.items()]


def _hoped(result: RandomizationResult) -> Literal["", "better", "worse"]:
    if result.alternative == "two-sided":
        return ""
    return "better" if (result.alternative == "greater") == result.greater_is_better else "worse"


# ---- parts of the data -------------------------------------------------------------------


def of_parts(
    outcomes: Mapping[str, Found],
    results: Mapping[str, RandomizationResult],
    names: Sequence[str],
    by: str,
) -> list[str]:
    """The answers for the parts of the data: metrics that say the same share a sentence.

    Parameters
    ----------
    outcomes : mapping {metric: [(part, Outcome)]}
        What the tests found of A beside B in each part.
    results : mapping {metric: RandomizationResult}
        One of each metric's, for the direction of its test.
    names : pair of str
        A's and B's.
    by : str
        What tells the parts apart.
    """
    a, b = map(wording.clean, names)
    part = part_noun(by)
    found: dict[str, list[str]] = {}
    for metric, own in outcomes.items():
        gathered = _gathered(own)
        few = {kind: _few(labels, part) for kind, labels in gathered.items()}
        parts = [
            f"{winner} beats {loser} in {few[kind]}"
            for kind, winner, loser in (("better", a, b), ("worse", b, a))
            if kind in gathered
        ]
        quiet = len(gathered.get("none", [])) + len(gathered.get("same", []))
        hoped = {"": "either way", "better": f"that {a} beats {b}", "worse": f"that {b} beats {a}"}
        if quiet:
            where = f"any {part}" if quiet == len(own) else f"the other {_number(quiet, part)}"
            if "undecided" in gathered and not parts:
                where = wording.counted(quiet, part)
            parts.append(f"no evidence {hoped[_hoped(results[metric])]} in {where}")
        if "undecided" in gathered:
            parts.append(f"undecided in {few['undecided']}")
        found.setdefault("; ".join(parts), []).append(metric)
    return [
        f"By {wording.clean(by)}, on {_metrics(metrics)}: {text}."
        for text, metrics in found.items()
    ]


def part_noun(by: str) -> str:
    """What the parts are called.

    >>> part_noun("topic"), part_noun("2"), part_noun("gold")
    ('topic', 'part', 'gold label')
    """
    return "part" if by.isdigit() else {"gold": "gold label"}.get(by, wording.clean(by))


def _number(number: int, part: str) -> str:
    return part if number == 1 else wording.counted(number, part)
