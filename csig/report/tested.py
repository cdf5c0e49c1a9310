"""The lines below a table of results: which test it was, and what it depends on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from csig import wording
from csig.comparison import Comparison
from csig.metrics import get
from csig.probability.corrections import holm
from csig.report import verdict
from csig.report.summary import Summary
from csig.report.systems import Systems
from csig.results import RandomizationResult

__all__ = [
    "not_corrected",
    "of_all",
    "other_units",
    "other_units_of_systems",
    "pvalue_intervals",
    "ranged",
    "tested",
    "undecided",
    "volumes",
]

#: An interval of p whose ends differ by more than this factor is shown: its digits say little.
FACTOR = 1.5


def ranged(numbers: Iterable[int]) -> str:
    """A number, or the smallest and the largest of several."""
    low, *more = sorted({*numbers})
    return f"{wording.count(low)} to {wording.count(more[-1])}" if more else wording.count(low)


def _kind(result: RandomizationResult) -> str:
    if result.n_resamples is None:
        return result.method
    twice = "2 x " if result.checks is not None else ""
    return f"approximate ({twice}{wording.count(result.n_resamples)} shuffles)"


def of_all(*comparisons: Comparison) -> str:
    """What tests swap, and of how many: only what differs, as the rest changes nothing."""
    first = comparisons[0]
    differ = ranged(own.n_units for own in comparisons)
    least, most = (f(own.n_units for own in comparisons) for f in (min, max))
    if first.units is None:
        has = "has" if least == most else "have"
        return f"{differ} {wording.noun('response', most)} that only one system {has}"
    totals = [own.units.n_total for own in comparisons if own.units is not None]
    number = f"{ranged(totals)} {wording.noun(first.unit, max(totals))}"
    if least == max(totals) > 1:
        return f"all {number}"
    return f"the {differ} of {number} that {'differs' if most == 1 else 'differ'}"


def _swapped(comparisons: Sequence[Comparison]) -> str:
    """The same, and how many runs each has."""
    number = of_all(*comparisons)
    runs = {own.runs.n for own in comparisons if own.runs is not None and own.runs.n > 1}
    if not runs:
        return number
    return f"{number}, each with its {ranged(runs)} runs"


def tested(summaries: Sequence[Summary], shown: Iterable[str]) -> str:
    """The test in a sentence: how p was computed, and what was swapped.

    Parameters
    ----------
    summaries : sequence of Summary
        Of two systems, or of each with the baseline.
    shown : iterable of str
        The results that have a row.
    """
    shown = list(shown)
    comparisons = [
        own for s in summaries for own in (*s.comparisons.values(), s.comparison) if own.n_units
    ]
    if not comparisons:
        return ""
    kinds: dict[str, list[str]] = {}
    for summary in summaries:
        for name in shown:
            if summary.every[name].n_units:
                kinds.setdefault(_kind(summary.every[name]), []).append(name)
    parts = []
    for kind, names in kinds.items():
        which = wording.listed(list(map(wording.metric_name, dict.fromkeys(names))))
        many = all(set(kinds[own]) != set(names) for own in kinds if own != kind)
        parts.append(f"{kind} for {which}" if len(kinds) > 1 and many else kind)
    alternative = summaries[0].options.alternative
    sided = "" if alternative == "two-sided" else "one-sided "
    if len(parts) == 1:
        word, _, more = parts[0].partition(" ")
        text = f"{word} {sided}test{' ' * bool(more)}{more},".replace("test,", "test")
    else:
        text = f"{sided}tests, {wording.listed(parts)},"
    text = f"{text} swapping {_swapped(comparisons)}."
    if any(summary.intervals for summary in summaries):
        runs = any(own.runs is not None and own.runs.n > 1 for own in comparisons)
        what = [*["two-sided"] * bool(sided), *["for other runs as well"] * runs]
        text += f" Intervals are {' and '.join(what)}." if what else ""
    return text[:1].upper() + text[1:]


def pvalue_intervals(results: Iterable[RandomizationResult], alpha: float) -> str:
    """The intervals of approximate p-values that are not known well."""
    found, level = [], 0.0
    for result in results:
        low, high = result.pvalue_interval
        if result.n_hits is None or high <= FACTOR * low:
            continue
        if verdict.verdict(result, alpha) == "undecided":  # said with what would settle it
            continue
        level = result.confidence_level
        ends = " to ".join(wording.pvalue(end, alpha=alpha) for end in (low, high))
        found.append(f"{wording.metric_name(result.metric)} {ends}")
    if not found:
        return ""
    return f"{wording.decimal(100 * level)}% interval of p: {', '.join(found)}."


def undecided(result: RandomizationResult, alpha: float) -> str:
    """Why a result is undecided and what would settle it, in a line.

    Parameters
    ----------
    result : RandomizationResult
        Whose verdict is "undecided".
    alpha : float
        The level of the test.
    """
    needed = verdict.shuffles_to_decide(result, alpha)
    title = wording.metric_title(result.metric)
    ways = []
    if needed is not None:
        ways.append(f"about {wording.count(needed)} shuffles would settle it")
    if result.studentized is None:
        ways.append("--method exact" if ways else "--method exact may settle it")
    way = ", or ".join(ways) or "more shuffles may never settle it"
    decision = result.decision
    if result.certificate is not None:
        at, way = wording.decimal(alpha), verdict.closer(result)
        text = result.certificate.text
        return f"{title} is undecided: p lies {text}, on either side of {at}; {way}."
    if decision is not None and decision.alpha == alpha:
        number, risk = wording.count(result.n_resamples or 0), wording.decimal(decision.risk)
        return f"{title} is undecided: {number} shuffles leave more risk than {risk}; {way}."
    low, high = (wording.pvalue(end, alpha=alpha) for end in result.pvalue_interval)
    level = wording.decimal(100 * result.confidence_level)
    return (
        f"{title} is undecided: the {level}% interval of p, {low} to {high}, contains "
        f"{wording.decimal(alpha)}; {way}."
    )


def not_corrected(n: int) -> str:
    """What is to be remembered where there are several metrics."""
    return f"Not corrected for testing {wording.count(n)} metrics." if n > 1 else ""


def volumes(summary: Summary, shown: Iterable[str], system: str = "") -> list[str]:
    """Where the systems can be told apart and the metric cannot, or the other way round.

    Parameters
    ----------
    summary : Summary
        Of two systems.
    shown : iterable of str
        The results that have a row.
    system : str
        Which two, where there are more.
    """
    alpha, found = summary.options.alpha, []
    for name in shown:
        result = summary.every[name]
        if result.studentized is None or (result.sparse and result.pvalue <= alpha):
            continue
        plain = result.studentized.plain
        verdicts = [verdict.verdict(own, alpha) for own in (plain, result)]
        if "undecided" in verdicts or verdicts[0] == verdicts[1]:
            continue
        comparison = summary.comparisons.get(name, summary.comparison)
        known = {own if isinstance(own, str) else own.name: own for own in summary.metrics}
        metric = get(known.get(name, name), comparison.columns)
        below = dict(zip(metric.columns, metric.denominator, strict=True))
        sums = [comparison.sums(letter) for letter in "ba"]  # the baseline first
        has = "predicted" in comparison.columns
        sentence = verdict.in_the_metric(
            name,
            *(f"p = {verdict.pvalue_text(one, alpha)}" for one in (plain, result)),
            apart=verdicts[0] == "significant",
            returned=[int(own["predicted"]) for own in sums] if has else None,
            denominators=[
                float(sum(weight * own[column] for column, weight in below.items())) for own in sums
            ],
        )
        found.append(f"{wording.metric_title(name)}{system}: {sentence}")
    return found


# ---- other units ---------------------------------------------------------------------------


def _same(units: Sequence[str], n: int, where: str = "") -> str:
    nouns = wording.listed([wording.noun(unit, 2) for unit in units], "or")
    verdicts = "verdicts" if n > 1 else "verdict"
    return f"Swapping {nouns} instead gives the same {verdicts}{where}."


def _with(unit: str, result: RandomizationResult, alpha: float) -> str:
    """A p-value of other units, and whether it is known on which side of alpha it lies."""
    unsure = " (undecided)" * (verdict.verdict(result, alpha) == "undecided")
    return f"{verdict.pvalue_text(result, alpha)}{unsure} with {wording.noun(unit, 2)}"


def other_units(summary: Summary) -> str:
    """Whether the verdicts depend on the unit that is swapped."""
    alpha, own = summary.options.alpha, summary.comparison.unit
    others = {unit: found for unit, found in summary.sensitivity.items() if unit != own}
    if not others or not any(result.n_units for result in summary.results.values()):
        return ""
    said = {name: verdict.verdict(result, alpha) for name, result in summary.results.items()}
    found = []
    for name, result in summary.results.items():
        if all(verdict.verdict(at[name], alpha) == said[name] for at in others.values()):
            continue
        pvalues = [_with(unit, at[name], alpha) for unit, at in others.items()]
        found.append(
            f"The verdict on {wording.metric_name(result.metric)} depends on the unit: p is "
            f"{wording.listed(pvalues)}."
        )
    if found:
        return " ".join(found)
    # Of parts nothing is known with other units.
    where = " on all the data" if summary.breakdown is not None else ""
    return _same(list(others), len(said), where)


def _holm_at(systems: Systems, metric: str, unit: str) -> list[str]:
    alpha = systems.options.alpha
    rows = holm([summary.sensitivity[unit][metric] for summary in systems.summaries], alpha)
    return [row.verdict for row in rows]


def other_units_of_systems(systems: Systems) -> str:
    """The same for several systems, with Holm's correction."""
    first = systems.summaries[0]
    others = [unit for unit in first.sensitivity if unit != first.comparison.unit]
    if not others:
        return ""
    depends: dict[str, list[str]] = {}
    for metric in systems.metrics:
        own = [row.verdict for row in systems.rows(metric)]
        for unit in others:
            for i, said in enumerate(_holm_at(systems, metric, unit)):
                if said != own[i]:
                    name = wording.clean(systems.summaries[i].comparison.names[0])
                    depends.setdefault(metric, [])
                    if name not in depends[metric]:
                        depends[metric].append(name)
    if not depends:
        return _same(others, 2)
    return " ".join(
        f"The verdict on {wording.metric_name(metric)} depends on the unit for "
        f"{wording.listed(names)}."
        for metric, names in depends.items()
    )
