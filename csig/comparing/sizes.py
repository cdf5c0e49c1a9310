"""How large scores and differences are, in cells, words and tables, and what intervals rest on.

Where every metric is a share, the headers say % and points; where only some are, every cell says
so; scores that are no shares have no unit.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from csig.base import wording
from csig.base.defaults import METRICS
from csig.base.wording import Figures
from csig.comparing import verdict
from csig.comparing.verdict import Outcome, outcome
from csig.report.document import Cell, Header, Names, Table, Text, Tone, table
from csig.results.randomization import Interval, RandomizationResult

if TYPE_CHECKING:
    from csig.comparing.effects import Effect
    from csig.comparing.options import Options

#: With fewer units, or units' worth of errors, 95% intervals hold the true score in as little as
#: 84% of test sets: docs/intervals.md.
FEW_OF_SHARE, FEW_UNITS = 6, 50


@dataclass(frozen=True)
class Numbers:
    """How scores and differences of one table are printed."""

    shares: bool  #: Whether all are shares, so that the headers name the units.
    mixed: bool  #: Whether some are, so that their cells do.

    @classmethod
    def of(cls, shares: Iterable[bool]) -> Numbers:
        given = list(shares)
        return cls(all(given), any(given) and not all(given))

    @property
    def of_scores(self) -> str:
        return "\n%" if self.shares else ""

    @property
    def of_differences(self) -> str:
        return "\npoints" if self.shares else ""

    def scores(self, values: Sequence[float], own: Figures) -> list[Cell]:
        unit = "%" * (own.percents and self.mixed)
        return [Cell(own.score(value) + unit, "number") for value in values]

    def difference(self, value: float, own: Figures, sign: bool = True) -> Cell:
        text = own.difference(value, sign=sign)
        return Cell(text + " points" * (own.percents and self.mixed), "number")

    def interval(self, found: Interval | str | None, own: Figures) -> Cell:
        """The interval of a difference; its reason, where there is none, is said elsewhere."""
        known = isinstance(found, Interval)
        return Cell(ends(found, own), "interval" if known else "text")


def direction(metric: str, greater_is_better: bool) -> str:
    """Which scores are better, for the header above scores; of metrics known by name nothing.

    >>> direction("mean wer", False), direction("recall", True)
    ('lower is better', '')
    """
    if metric != "mean" and (metric in METRICS or re.fullmatch(r"f[0-9.]+", metric)):
        return ""
    return f"{'higher' if greater_is_better else 'lower'} is better"


def level(options: Options) -> str:
    return f"{wording.decimal(100 * options.confidence_level)}%"


def ends(interval: Interval | str | None, own: Figures, sign: bool = True) -> str:
    """Both ends of an interval, in the units in which its estimate is printed."""
    if interval is None:
        return ""
    if isinstance(interval, str):
        return "no interval"
    return " to ".join(own.score(end, sign) for end in (interval.low, interval.high))


def gain(interval: Interval, own: Figures, greater_is_better: bool) -> str:
    """How much better or worse a system is by an interval; what it is compared with comes next."""
    low, high = interval.low, interval.high
    if not greater_is_better:
        low, high = -high, -low
    unit = " points" * own.percents
    if low < 0 < high:
        worse, better = own.difference(low), own.difference(high)
        return f"may be {worse}{unit} worse to {better}{unit} better"
    near, far = (low, high) if high > 0 else (high, low)
    if not far:
        return "is neither better nor worse"
    verb, word = "is" if near else "may be", "better" if high > 0 else "worse"
    return f"{verb} {own.difference(near)} to {own.difference(far)}{unit} {word}"


def side(interval: Interval, greater_is_better: bool) -> str:
    """On which side of the baseline an interval leaves a system, if on one."""
    if interval.low <= 0 <= interval.high:
        return "either"
    return "better" if (interval.low > 0) == greater_is_better else "worse"


def few(interval: Interval, n_differ: int | None) -> str | None:
    """What makes the level of an interval doubtful, if anything does; of a difference `n_differ`
    are the units that differ in what the metric reads.
    """
    if interval.method == "clopper-pearson":
        return None
    if n_differ is not None:
        differ = "differs" if n_differ == 1 else "differ"
        few_differ = f"only {wording.counted(n_differ, interval.unit)} that {differ}"
        return few_differ if n_differ < verdict.FEW_DIFFER else None
    if interval.what == "difference":
        return None
    n, estimate = interval.n_units, interval.estimate
    units = wording.counted(n, interval.unit)
    if interval.in_percent:
        share = min(estimate, 1 - estimate)
        if n < 2 * FEW_OF_SHARE:  # whatever the score
            return f"only {units}"
        few_of = f"only {units} for a score this near to {round(estimate)}"
        return few_of if n * share < FEW_OF_SHARE else None
    return f"only {units}" if n < FEW_UNITS else None


def few_data(reasons: Iterable[tuple[str, str | None]]) -> list[str]:
    """The cautions on intervals that rest on few data: whose each is, and why it does."""
    titles = verdict.gathered((why, title) for title, why in reasons if why is not None)
    return wording.coded("few-data", [
        wording.about(
            own, f"the interval rests on few data ({why}); such intervals may hold the true value "
            "in less than 90% of test sets.",
        )
        for why, own in titles.items()
    ])  # fmt: skip


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
    if interval.n_resamples is None:
        not_inverted = "" if interval.instead is None else f" (not inverted: {interval.instead})"
        return f"{interval.method} standard error over {units}, t distribution{not_inverted}"
    title = "BCa" if interval.method == "bca" else interval.method.removesuffix(" bootstrap")
    drawn = f"{title} bootstrap, {wording.count(interval.n_resamples)} resamples of {units}"
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
    """How the intervals of the differences were made, and for what else they hold."""

    def said(interval: Interval) -> str:
        of_runs = (interval.n_runs or 1) > 1 and interval.method != "clopper-pearson"
        other = "other test data of this kind" + " and other runs of both systems" * of_runs
        return f"{level(options)} interval of the difference, for {other}: {made(interval)}."

    lines = verdict.gathered(
        (said(own), name) for name, own in intervals.items() if isinstance(own, Interval)
    )
    return [
        f"{', '.join(map(wording.metric_title, names))}: " * (len(lines) > 1) + line
        for line, names in lines.items()
    ]


def gaps(
    intervals: Mapping[str, Interval | str],
    results: Mapping[str, RandomizationResult],
    options: Options,
    adjusted: Mapping[str, float] | None = None,
) -> list[str]:
    """Where an interval is missing, or does not agree with the test, whose p is adjusted where
    there are several.
    """
    which = f"{level(options)} interval"
    said: list[tuple[tuple[int, str], str]] = []  # in which order, what, and of which metric
    for name, interval in intervals.items():
        if isinstance(interval, str):
            line = wording.joined([f"a {which} cannot be given: ", interval, "."], "")
            said.append(((0, line), name))
            continue
        result = results[name]
        if interval.instead is not None:
            line = f"the {which} is linearized, not inverted: {interval.instead}."
            said.append(((1, line), name))
        # Whether only one of both says that there is a difference, where they ask the same; other
        # runs are another question.
        same = result.alternative == "two-sided" and (interval.n_runs or 1) == 1
        same &= abs(interval.confidence_level - (1 - options.alpha)) <= 1e-9
        p, at = (adjusted or {}).get(name, result.pvalue), wording.decimal(options.alpha)
        if same and (p <= options.alpha) == (interval.low <= 0 <= interval.high):
            apart = f"the {'adjusted ' * bool(adjusted)}p-value and the {which} fall on different "
            close = ", and this is close" * (options.alpha / 2 <= p <= 2 * options.alpha)
            apart += f"sides; they are computed in different ways{close}."
            if result.pvalue <= options.alpha < p:
                apart = f"the {which} leaves out 0, but is not adjusted; adjusted p is above {at}."
            said.append(((2, apart), name))
    in_order = sorted(verdict.gathered(said).items(), key=lambda own: own[0][0])
    return [
        wording.joined([f"{', '.join(map(wording.metric_title, names))}:", line])
        for (_, line), names in in_order
    ]


def flips(effect: Effect) -> str | None:
    """The table of flips on a line."""
    found = effect.flips
    if found is None:
        return None
    a, b = map(wording.clean, effect.names)
    return (
        f"{wording.metric_title(effect.metric)}, single items: right in both "
        f"{wording.count(found.both)}, only in {b} {wording.count(found.only_b)}, only in {a} "
        f"{wording.count(found.only_a)}, in neither {wording.count(found.neither)}"
    )


def headers_of(names: Names, numbers: Numbers) -> list[Header]:
    """B's score, A's, and the difference with its sign rule; whole, and where there is no room."""
    (b, a), below = names.names, numbers.of_differences
    lines = "{} - {}" if len(a) + len(b) < 8 else "{}\n- {}"
    return [
        names.header(f"{{}}{numbers.of_scores}", b),
        names.header(f"{{}}{numbers.of_scores}", a),
        names.header(f"{{}} - {{}}{below}", a, b, short=lines + below),
    ]


def last_headers(options: Options, *, holm: bool) -> tuple[str, str]:
    """Above p and outcomes."""
    sided = "" if options.alternative == "two-sided" else "\none-sided"
    at = f"at {wording.decimal(options.alpha)}"
    return f"p{' (Holm)' * holm}{sided}", f"verdict\n{at}"


def verdict_cell(found: Outcome, names: Names | None = None) -> Cell:
    """An outcome: a star says significant, the colour for whom; both names if no row has one."""
    if found == "undecided":
        return Cell("undecided", "verdict", "doubt")
    if found in ("none", "few", "same"):
        return Cell("same score" if found == "same" else "no evidence", "verdict")
    tone: Tone = "better" if found == "better" else "worse"
    if names is None:
        return Cell(f"* {found}", "verdict", tone)
    better = names.names[found == "better"]
    return names.cell("* {} better", better, kind="verdict", tone=tone, short="* {}")


def outcomes(results: Mapping[str, RandomizationResult], alpha: float) -> dict[str, Outcome]:
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
    """One row a metric: B's score, A's, and all about the difference."""
    figures = {name: verdict.figures(own) for name, own in results.items()}
    numbers = Numbers.of(own.percents for own in figures.values())
    directions = [direction(name, own.greater_is_better) for name, own in results.items()]
    one = directions[0] if len(set(directions)) == 1 else ""
    called = Names(reversed(names))
    headers: list[Header] = [
        (f"Metric, {one}", f"Metric\n{one}") if one else "Metric",
        *headers_of(called, numbers),
    ]
    if intervals:
        headers.append(f"{level(options)} interval{numbers.of_differences}")
    headers += last_headers(options, holm=False)
    found = []
    for (name, own), said in zip(outcomes(results, options.alpha).items(), directions, strict=True):
        result = results[name]
        title = wording.metric_title(name) + f" ({said})" * bool(said and not one)
        row: list[Text] = [
            (title, "strong"),
            *numbers.scores((result.score_b, result.score_a), figures[name]),
            numbers.difference(result.statistic, figures[name]),
        ]
        if intervals:
            row.append(numbers.interval(intervals.get(name), figures[name]))
        found.append([*row, verdict.pvalue_text(result, options.alpha), verdict_cell(own, called)])
    return table("results", "n###" + "i" * bool(intervals) + "pv", headers, found, names=called)
