"""Columns and cells of tables of two systems, and the table of results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from csig.base import wording
from csig.comparing import sizes, verdict
from csig.comparing.conclusions import Outcome, outcome
from csig.comparing.options import Options
from csig.comparing.sizes import Numbers
from csig.report.document import Cell, Table, Tone
from csig.report.forms import Text, table
from csig.results.randomization import Interval, RandomizationResult


def in_percent(result: RandomizationResult) -> bool:
    return wording.in_percent(result.score_a, result.score_b, result.metric)


def headers_of(names: Sequence[str], numbers: Numbers) -> list[tuple[str, str]]:
    """B's score, A's, and the difference with its sign rule; whole, and where there is no room."""
    (a, b), (short_a, short_b) = map(wording.clean, names), wording.short_names(names)
    unit, below = numbers.of_scores, numbers.of_differences
    between = " " if len(short_a) + len(short_b) < 8 else "\n"
    return [
        (f"{b}{unit}", f"{short_b}{unit}"),
        (f"{a}{unit}", f"{short_a}{unit}"),
        (f"{a} - {b}{below}", f"{short_a}{between}- {short_b}{below}"),
    ]


def last_headers(
    options: Options, *, holm: bool, named: bool = True
) -> tuple[str, tuple[str, str]]:
    """Above p and outcomes; where these name the better system, their short form does only."""
    sided = "" if options.alternative == "two-sided" else "\none-sided"
    at = f"at {wording.decimal(options.alpha)}"
    return f"p{' (Holm)' * holm}{sided}", (at, f"better\n{at}" if named else "")


def verdict_cell(found: Outcome, names: Sequence[str] = ()) -> Cell:
    """An outcome: a star says significant, the colour for whom; both names if no row has one."""
    if found == "undecided":
        return Cell("undecided", "verdict", "doubt")
    if found in ("none", "few", "same"):
        return Cell("same score" if found == "same" else "no evidence", "verdict")
    tone: Tone = "better" if found == "better" else "worse"
    if not names:
        return Cell(f"* {found}", "verdict", tone)
    which = 0 if found == "better" else 1
    short = wording.short_names(names)[which]
    return Cell(f"* {wording.clean(names[which])} better", "verdict", tone, short=f"* {short}")


def outcomes(results: Mapping[str, RandomizationResult], alpha: float) -> dict[str, Outcome]:
    """What the tests found, by metric."""
    return {
        name: outcome(result, verdict.verdict(result, alpha), alpha)
        for name, result in results.items()
    }


def results_table(
    names: Sequence[str],
    results: Mapping[str, RandomizationResult],
    intervals: Mapping[str, Interval | str],
    options: Options,
) -> Table:
    """One row a metric: B's score, A's, and all about the difference.

    Instead of an interval there may be the reason why there is none; without any the table has no
    column of them.
    """
    shares = [in_percent(result) for result in results.values()]
    numbers = Numbers.of(shares)
    directions = [sizes.direction(name, own.greater_is_better) for name, own in results.items()]
    one = directions[0] if len(set(directions)) == 1 else ""
    headers: list[str | tuple[str, str]] = [
        (f"Metric, {one}", f"Metric\n{one}") if one else "Metric",
        *headers_of(names, numbers),
    ]
    if intervals:
        headers.append(f"{sizes.level(options)} interval{numbers.of_differences}")
    headers += last_headers(options, holm=False)
    found = []
    for (name, own), share, said in zip(
        outcomes(results, options.alpha).items(), shares, directions, strict=True
    ):
        result = results[name]
        title = wording.metric_title(name) + f" ({said})" * bool(said and not one)
        row: list[Text] = [
            (title, "strong"),
            *numbers.scores((result.score_b, result.score_a), share),
            numbers.difference(result.statistic, share),
        ]
        if intervals:
            row.append(numbers.interval(intervals.get(name), share))
        found.append([*row, verdict.pvalue_text(result, options.alpha), verdict_cell(own, names)])
    return table("results", "n###" + "i" * bool(intervals) + "pv", headers, found)
