"""Two systems on one test set: what their data are, and the rules."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, TypeAlias

from csig.advice.base import (
    ALPHA,
    Candidate,
    Drawing,
    Soundness,
    nothing,
    of_alternative,
    refusal,
)
from csig.base.errors import InputError
from csig.base.validation import instance
from csig.base.wording import count, counted, metric_name, noun
from csig.classical import independent, paired
from csig.classical.independent import item_sums
from csig.classical.paired import (
    Differences,
    check_binary,
    default_metric,
    differences_if_any,
    skewed,
    too_few,
    units_needed,
)
from csig.comparing import bootstrap, randomization
from csig.comparing.intervals import is_mean_of_scores
from csig.comparing.verdict import sparse
from csig.data import metrics
from csig.data.comparison import Comparison
from csig.data.metrics import Metric
from csig.engines.exact import route
from csig.engines.questions import StudentizedQuestion
from csig.engines.resample import Prepared
from csig.engines.tasks import Task, make_task
from csig.probability.binomial import at_least
from csig.results.randomization import Grounds

#: What a metric is: a sum over units whose denominator is fixed; a ratio whose denominator is
#: the system's own; any other function of the summed statistics.
Kind: TypeAlias = Literal["sum", "ratio", "function"]

#: The metric that suits a comparison: the first whose column it has.
DEFAULTS = {"tp": "f1", "correct": "accuracy", "score": "mean"}


@dataclass(frozen=True, kw_only=True, eq=False)
class Facts:
    """What the rules look at; all at the largest unit that is known."""

    comparison: Comparison  #: Swapping the largest unit.
    asked: str  #: What it swapped when it was given.
    metric: Metric  #: What is compared.
    by_name: bool  #: Whether its name says so.
    kind: Kind  #: What the metric is.
    n: int  #: n, n_differ: all units, and those by whose swap the metric can change.
    n_differ: int
    finer: tuple[str, ...]  #: Smaller units that are known and more numerous, finest first.
    own: Differences | None  #: The units' differences, of a sum.
    binary: str | None  #: The unit of which every result is right or wrong, where there is one.
    discordant: tuple[int, int]  #: Of that unit, those that only A, and only B, has right.
    #: What the mean of the results on single items is; None where they are not known.
    item_metric: str | None
    n_items: int  #: Single items, where they are known.
    #: r12, cost: the correlation of the systems' results on single items, and the factor by which
    #: assuming independence inflates the difference's standard deviation; None where they are not
    #: known.
    r12: float | None
    cost: float | None
    #: Of the differences of all units; None where there are none or they do not vary.
    skewness: float | None
    grounds: Grounds | None  #: What the test of a ratio rests on.
    #: The exact engine that the randomization test takes first; None where it takes shuffles.
    engine: str | None
    n_runs: int  #: Runs of each system.
    zero_division: int = 0  #: The score where the denominator is zero.

    @property
    def unit(self) -> str:
        """The largest unit that is known."""
        return self.comparison.unit

    @property
    def title(self) -> str:
        """The metric within a sentence."""
        return metric_name(self.metric.name)

    @property
    def units(self) -> str:
        """How many there are, in words; of single responses those that one system has alone."""
        if self.comparison.units is None:
            return f"{count(self.comparison.n_units)} responses of one system only"
        return counted(self.n, self.unit)

    def within(self, finer: str) -> str:
        """Why smaller units are not independent."""
        n = total_units(self.comparison.at(finer))
        which = " that only one system has" if finer == "response" else ""
        return (
            f"{noun(finer, 2)} in the same {noun(self.unit)} are not independent, and "
            f"{counted(n, finer)}{which} are in {counted(self.n_units, self.unit)}"
        )

    @property
    def r12_is_of_metric(self) -> bool:
        """Whether the metric is the mean of the results that r12 is of."""
        names = {self.item_metric, self.metric.name}
        return len(names) == 1 or (self.item_metric == "mean" and self.kind == "sum")

    @property
    def n_units(self) -> int:
        """All units of the largest kind."""
        return total_units(self.comparison)

    def at(self, unit: str) -> str:
        """The comparison that swaps a unit, as Python writes it."""
        return "comparison" if unit == self.asked else f'comparison.at("{unit}")'

    @property
    def named(self) -> str:
        """The metric as Python writes it."""
        return f'"{self.metric.name}"' if self.by_name else "metric"


def total_units(comparison: Comparison) -> int:
    """All units; of single responses those that only one system has."""
    return comparison.n_units if comparison.units is None else comparison.units.n_total


def _grounds(task: Task, metric: Metric) -> Grounds | None:
    """What the test of a ratio rests on."""
    question = task.question(metric)
    return question.grounds if isinstance(question, StudentizedQuestion) else None


def facts_of(
    comparison: Comparison, metric: str | Metric | None = None, zero_division: int = 0
) -> Facts:
    """What the data are, by a metric: F1, accuracy or the mean by default."""
    instance("comparison", comparison, Comparison)
    wanted = default_metric(comparison.columns, DEFAULTS) if metric is None else metric
    used = metrics.get(wanted, comparison.columns)
    used.check_columns(comparison.columns)
    whole = comparison.at(comparison.levels[-1])
    own = differences_if_any(whole, used)
    kind: Kind = "function"
    if used.linear_fractional:
        kind = "ratio" if own is None else "sum"
    binary, discordant = None, (0, 0)  # of the largest unit all whose results are right or wrong
    for unit in reversed(comparison.levels):
        at = comparison.at(unit)
        found = differences_if_any(at, used)
        if found is None:
            break
        try:
            check_binary(at, found)
        except InputError:
            continue
        binary, discordant = unit, found.signs
        break
    try:
        items = item_sums(comparison)
    except InputError:
        items = None
    known = items if items is not None and not math.isnan(items.r12) else None
    task = make_task(whole, rng=0, threads=1, zero_division=zero_division, statistic="auto")
    engines = route(task, task.question(used))[0]
    finer = []
    for unit in comparison.levels[:-1]:
        at = comparison.at(unit)
        # Whether some larger unit holds several of the smaller.
        more = "response" in at.levels or total_units(at) > total_units(whole)
        if whole.units is not None and more:
            finer.append(unit)
    return Facts(
        comparison=whole,
        asked=comparison.unit,
        metric=used,
        by_name=isinstance(wanted, str) or metrics.BUILTIN.get(used.name) == used,
        kind=kind,
        n=total_units(whole) if own is None else own.n,
        n_differ=whole.n_units if own is None else int(own.sizes.sum()),
        finer=tuple(finer),
        own=own,
        binary=binary,
        discordant=discordant,
        item_metric=None if items is None else items.metric,
        n_items=0 if items is None else items.n,
        r12=None if known is None else known.r12,
        cost=None if known is None else known.cost,
        skewness=None if own is None else own.skewness,
        grounds=_grounds(task, used) if whole.n_units else None,
        engine=engines[0].name if engines else None,
        n_runs=1 if comparison.runs is None else comparison.runs.n,
        zero_division=zero_division,
    )


#: Below so many units csig's simulations found bootstrap tests above their level; from so many
#: on all of them were near it (docs/bootstrap.md).
FEW, MANY = 30, 1000

#: How far r12 may be from independence: the standard deviation is off by a twentieth.
NEAR = 0.05

#: How far above its nominal level a McNemar test by chi-square may be and is called approximate.
LIBERAL = 1.2

#: What says that a p-value, and a statistic, is about something else.
OTHER: Soundness = "sound, but asks something else"

#: Tests on the folds of a cross-validation, with their calls.
FOLDS = (
    (
        "corrected resampled t test",
        "csig.classical.resampled_t_test(a, b, n_train=..., n_test=...)",
    ),
    ("k-fold t test", "csig.classical.kfold_t_test(a, b)"),
    ("5x2cv F test", "csig.classical.cv52_f_test(a, b)"),
    ("5x2cv t test", "csig.classical.cv52_t_test(a, b)"),
)

#: Procedures for three systems or more.
SYSTEMS = (
    ("all pairs, Holm", "csig.compare_systems(systems)"),
    ("all pairs, flips", 'csig.compare_systems(systems, correction="flips")'),
)

#: Tests over many data sets.
DATA_SETS = (("tests over data sets", "csig.compare_datasets(table)"),)


def candidates(f: Facts) -> list[Candidate]:
    """Every test for two systems, the recommended one first."""
    items = counted(f.n_units, f.unit)
    inverted = is_mean_of_scores(f.comparison, f.metric)
    interval = "inverted_interval" if inverted else "linearized_interval"
    call = f"csig.intervals.{interval}({f.at(f.unit)}, {f.named})"
    reason = f"how large the difference in {f.title} may be, from {f.units}; report it beside p"
    return [
        *_randomization(f),
        *_bootstrap(f),
        Candidate("interval of the difference", call, OTHER, reason, "Bestgen 2022", f.unit),
        *_by_unit(f),
        *_mcnemar(f),
        *_independent(f),
        *nothing(FOLDS, f"{items} of one test set are not folds", "Dietterich 1998"),
        *nothing(SYSTEMS, "there are two systems, and one pair", "Holm 1979"),
        *nothing(DATA_SETS, f"{items} are one data set", "Demšar 2006, section 3"),
    ]


# ---- randomization -----------------------------------------------------------------------------


def swapped(
    at: Comparison, metric: str | Metric, *, beside: bool = False, **options: Any
) -> Callable[[Drawing], Any]:
    """What runs the randomization test; with fewer shuffles if it only stands beside another."""

    def run(drawing: Drawing) -> Any:
        drawn = drawing.keywords(drawing.beside(at.n_units) if beside else None)
        return randomization.randomization_test(at, metric, **options, **drawn)

    return run


def _randomization(f: Facts) -> list[Candidate]:
    """As csig runs it, by shuffles, of the difference itself, and with every smaller unit."""
    source = "Yeh 2000, section 3.3; Noreen 1989"
    plain = f"csig.randomization_test({f.at(f.unit)}, {f.named})"
    call, swaps = plain, f"swaps {f.units} and tests {f.title} itself"
    if f.kind == "ratio":
        source += "; Konietschke and Pauly 2014"
        call = f'{call[:-1]}, statistic="studentized")'
        swaps = f"swaps {f.units} and divides the difference in {f.title} by its standard error"
    if f.kind == "function":
        swaps = f"swaps {f.units}: right about {f.title} itself if both return about as much"
    if f.n_differ == 0:
        swaps = f"no {noun(f.unit)} differs in {f.title}, so p is 1"
    verdict: Soundness = "sound"
    if f.kind == "sum" and f.binary != f.unit and too_few(f.n, f.skewness):
        verdict, swaps = "approximate", f"{swaps}; {_of_skewed(f)}"
    elif few := sparse(f.title, f.unit, f.grounds):
        verdict, swaps = "approximate", f"{swaps}; {few[0].rstrip('.')}"

    auto = swapped(f.comparison, f.metric, statistic="auto")
    name, exact = "randomization test", f.engine is not None
    shuffled = swapped(f.comparison, f.metric, beside=exact, method="approximate", statistic="auto")
    if exact:
        bounds = " or lies between two proven bounds" * (f.engine == "fourier")
        reason = f"{swaps}; p is exact{bounds}" if f.n_differ else swaps
        by_shuffles = f"{name}, shuffles"
        slow = f"the same by shuffles of {f.units}; p allows for their number"
        shuffles = f'{call[:-1]}, method="approximate")'
        found = [
            Candidate(name, call, verdict, reason, source, f.unit, auto, "A - B"),
            Candidate(by_shuffles, shuffles, verdict, slow, source, f.unit, shuffled, "A - B"),
        ]
    else:
        reason = f"{swaps}, by shuffles: an exact p would take too long"
        by_all = [(f"{name}, exact", f'{call[:-1]}, method="exact")')]
        found = [
            Candidate(name, call, verdict, reason, source, f.unit, shuffled, "A - B"),
            *nothing(by_all, f"an exact p of {f.units} would take too long", source),
        ]
    if f.kind == "ratio":  # the paper's test of a ratio whose denominator is the system's own
        name = "randomization test of the difference"
        reason = (
            f"asks whether the systems are interchangeable: right about {f.title} only if both "
            "return about as much"
        )
        run, source = swapped(f.comparison, f.metric), "Yeh 2000, section 3.3"
        found.append(Candidate(name, plain, "approximate", reason, source, f.unit, run, "A - B"))
    for unit in f.finer:
        run = swapped(f.comparison.at(unit), f.metric, beside=True, statistic="auto")
        name = f"randomization test of {noun(unit, 2)}"
        call = f"csig.randomization_test({f.at(unit)}, {f.named})"
        reason, source = f.within(unit), "Yeh 2000, section 4"
        found.append(Candidate(name, call, "unsound", reason, source, unit, run, "A - B"))
    return found


# ---- the bootstrap -----------------------------------------------------------------------------


def _bootstrap(f: Facts) -> list[Candidate]:
    methods: dict[bootstrap.TestMethod, tuple[str, str]] = {
        "shift": ("shift", "Noreen 1989; Riezler and Maxwell 2005"),
        "berg-kirkpatrick": ("Berg-Kirkpatrick", "Berg-Kirkpatrick et al. 2012"),
        "koehn": ("Koehn", "Koehn 2004"),
    }
    tests = {
        method: (
            f"bootstrap test, {title}",
            f'csig.intervals.bootstrap_test({f.at(f.unit)}, {f.named}, method="{method}")',
        )
        for method, (title, _) in methods.items()
    }
    try:
        prepared = Prepared(f.comparison, [f.metric], "ab", f.zero_division, conventional=True)
        n = prepared.rows.n
        why = f"resampling needs at least two units, and there is {counted(n, f.unit)}"
    except InputError as error:
        n, why = 0, str(error)
    if n < 2:
        return nothing(tests.values(), why, "docs/bootstrap.md")
    units = counted(n, f.unit)
    found = []
    for method, (_, source) in methods.items():
        verdict: Soundness = "unsound"
        if method == "koehn" and n < MANY:
            reason = (
                f"has no null hypothesis, and rejects too often with {units}: 7.4% at 0.05 with "
                "100 skewed scores in csig's simulation"
            )
        elif method == "berg-kirkpatrick" and n < MANY and f.binary == f.unit:
            reason = (
                f"counts no ties, and {units} that are right or wrong have many: 7.9% at 0.05 with "
                "100 of them in csig's simulation"
            )
        elif n < FEW:
            reason = (
                f"right for many units only, and there are {units}: 8.0% at 0.05 with 20 "
                "documents in csig's simulation"
            )
        else:
            verdict, reason = "approximate", f"right for many units, and there are {units}"

        def run(drawing: Drawing, method: bootstrap.TestMethod = method) -> Any:
            drawn = drawing.keywords(drawing.resampled(n))
            return bootstrap.bootstrap_test(f.comparison, f.metric, method=method, **drawn)

        source = f"{source}; docs/bootstrap.md"
        found.append(Candidate(*tests[method], verdict, reason, source, f.unit, run, "A - B"))
    return found


# ---- differences by unit -----------------------------------------------------------------------


def _by_unit(f: Facts) -> list[Candidate]:
    """The sign test, Wilcoxon's and the t test."""
    sign, wilcoxon, t = (
        (name, f"csig.classical.{function}({f.at(f.unit)}, {f.named})")
        for name, function in (
            ("sign test", "sign_test"),
            ("Wilcoxon test", "wilcoxon_test"),
            ("paired t test", "paired_t_test"),
        )
    )
    one, many, units, skewness = noun(f.unit), noun(f.unit, 2), counted(f.n, f.unit), f.skewness
    if f.own is None:
        why = f"is not a mean over {many}: its denominator differs between the systems"
        if f.kind == "function":
            why = f"is a function of counts over all {many}, no mean over them"
        reason = f"{f.title} {why}, so no {one} has a difference of its own"
        return nothing([sign, wilcoxon, t], reason, "Yeh 2000, section 5")
    given = (f.comparison, f.metric)
    verdict: Soundness = OTHER
    by_sign = f"on how many of {f.units} each system is better, not by how much"
    by_rank = f"whether {units} differ symmetrically around zero, by rank"
    if f.binary == f.unit:
        verdict = "sound"
        by_sign = f"each {one} is right or wrong: it is the randomization test"
        by_rank = f"each {one} is right or wrong: it is the sign test"
    elif skewness is not None and abs(skewness) > 1:
        by_rank += (
            f"; the differences are skewed ({skewness:+.1f}), so their ranks and their mean "
            "may disagree"
        )
    run = of_alternative(paired.sign_test, *given)
    source = "Yeh 2000, section 3.1"
    found = [Candidate(*sign, verdict, by_sign, source, f.unit, run, "wins of A")]
    run = of_alternative(paired.wilcoxon_test, *given)
    source = "Yeh 2000, section 3.2; Smucker et al. 2007"
    found.append(Candidate(*wilcoxon, verdict, by_rank, source, f.unit, run, "rank sum of A"))
    source = "Yeh 2000, section 2.1; Sugden et al. 2000"
    refused = refusal(partial(paired.paired_t_test, *given))
    if refused is not None:
        return [*found, *nothing([t], refused, source)]
    reason = f"the mean difference of {units} is nearly normal"
    if f.n < FEW and not skewed(f.n, skewness):
        reason = f"right only if the differences of {units} are normally distributed"
    elif too_few(f.n, skewness):
        reason = _of_skewed(f)
    run = of_alternative(paired.paired_t_test, *given)
    return [*found, Candidate(*t, "approximate", reason, source, f.unit, run, "t")]


def _of_skewed(f: Facts) -> str:
    """Why no test of a mean is more than approximate."""
    assert f.skewness is not None
    needed = math.floor(units_needed(f.skewness)) + 1
    are = f"the differences are skewed ({f.skewness:+.1f})"
    if not skewed(f.n, f.skewness):
        are = f"so few {noun(f.unit, 2)} do not show whether differences are skewed"
    return (
        f"{are}: their mean is nearly normal from {count(needed)} {noun(f.unit, 2)} on (Cochran's "
        f"rule), and there are {count(f.n)}"
    )


# ---- McNemar -----------------------------------------------------------------------------------


def mcnemar_level(n: int) -> float:
    """How often McNemar's test by chi-square rejects at ALPHA, of n discordant pairs."""
    from scipy.special import chdtri

    limit = math.sqrt(float(chdtri(1, ALPHA)) * n)
    least = math.floor((n + limit) / 2) + 1  # 2 k - n > limit
    while 2 * (least - 1) - n >= limit:
        least -= 1
    return min(1.0, 2 * at_least(least, n, 0.5)) if n > 0 and least <= n else 0.0


def _mcnemar(f: Facts) -> list[Candidate]:
    source, unit = "Fagerland et al. 2013", f.binary
    call = f"csig.classical.mcnemar_test({f.at(unit or f.unit)}, {f.named}"
    tests = {
        "exact": ("McNemar, exact", f"{call})"),
        "mid-p": ("McNemar, mid-p", f'{call}, method="mid-p")'),
        "asymptotic": ("McNemar, chi-square", f'{call}, method="asymptotic")'),
    }
    if f.own is None or unit is None:
        why = f"takes other values than right and wrong in some of {f.units}"
        if f.own is None:
            why = "is not a share of items that are right or wrong"
        return nothing(tests.values(), f"{f.title} {why}", source)
    n = sum(f.discordant)
    pairs = f"{counted(n, unit)} that only one system has right"
    level = mcnemar_level(n)
    said: dict[str, tuple[Soundness, str]] = {
        "exact": (
            "sound",
            f"the same p as the randomization test: each {noun(unit)} is right or wrong",
        ),
        "mid-p": (
            "approximate",
            f"less conservative with {pairs}; its level is not guaranteed, but was kept in all "
            "9,595 settings of its authors",
        ),
        "asymptotic": (
            "unsound" if level > LIBERAL * ALPHA else "approximate",
            f"of {pairs} it rejects {100 * level:.1f}% at 0.05 under the null",
        ),
    }
    found = []
    for method, (verdict, reason) in said.items():
        if unit != f.unit and unit in f.finer:
            verdict, reason = "unsound", f.within(unit)
        given = (f.comparison.at(unit), f.metric)
        run = of_alternative(paired.mcnemar_test, *given, method=method)
        statistic = "chi-square" if method == "asymptotic" else "wins of A"
        found.append(Candidate(*tests[method], verdict, reason, source, unit, run, statistic))
    return found


# ---- tests of independent samples --------------------------------------------------------------


def _independence(f: Facts) -> tuple[Soundness, str]:
    """What assuming independent systems does to these data."""
    if f.r12 is None or f.cost is None:
        n = f.n_units
        return "unsound", f"both systems ran on the same {counted(n, f.unit)}, not on two samples"
    r12 = f"r12 = {f.r12:.2f}"
    if not f.r12_is_of_metric and abs(f.cost - 1) > NEAR:
        return "unsound", (
            f"the systems' results are correlated ({r12} on {f.item_metric}), and the "
            "test assumes that their counts are independent"
        )
    if f.cost < 1 - NEAR:
        return "unsound", (
            f"the systems' results are negatively correlated ({r12}): the difference varies more "
            f"than the test assumes (factor {f.cost:.2f}), and too much is found"
        )
    if f.cost > 1 + NEAR:
        factor = "" if math.isinf(f.cost) else f" (factor {f.cost:.2f})"
        return "unsound", (
            f"the systems' results are correlated ({r12}): the difference varies less than the "
            f"test assumes{factor}, and differences are missed"
        )
    return "approximate", (
        f"the systems' results are hardly correlated ({r12}), but they ran on the same data"
    )


def _independent(f: Facts) -> list[Candidate]:
    """Two-sample t tests, z tests of proportions, chi-square."""
    comparison, name, finest = f.comparison, f.metric.name, f.comparison.levels[0]
    verdict, reason = _independence(f)
    if f.finer and f.item_metric is not None:
        verdict, reason = "unsound", f"{reason}; and {f.within(finest)}"
    of_items = of_shares = None
    if f.item_metric is None:
        of_items = (
            "the results on single items are not known; give results on single items (responses, "
            "labels, scores)"
        )
    elif not f.r12_is_of_metric:
        of_items = f"{f.title} is not a mean over single items, as {f.item_metric} is"
    if name not in independent.PROPORTIONS:
        of_shares = f"{f.title} is not a proportion of items or responses"
    items, shares = f.at(f.unit), f"{f.at(f.unit)}, {f.named}"
    t_test = partial(of_alternative, independent.independent_t_test, comparison)
    proportions = partial(of_alternative, independent.proportions_test, comparison, name)

    def chi_square(continuity: bool) -> Callable[[Drawing], Any]:
        return lambda drawing: independent.chi_square_test(comparison, name, continuity=continuity)

    tests: list[tuple[str, str, Callable[[Drawing], Any], str, str | None]] = [
        ("independent t test", f"independent_t_test({items})", t_test(), "t", of_items),
        ("Welch's t test", f"independent_t_test({items}, equal_variances=False)",
         t_test(equal_variances=False), "t", of_items),
        ("independent proportions, pooled", f"proportions_test({shares})", proportions(), "z",
         of_shares),
        ("independent proportions, unpooled", f"proportions_test({shares}, pooled=False)",
         proportions(pooled=False), "z", of_shares),
        ("chi-square test (two-sided)", f"chi_square_test({shares})", chi_square(False),
         "chi-square", of_shares),
        ("chi-square with Yates (two-sided)", f"chi_square_test({shares}, continuity=True)",
         chi_square(True), "chi-square", of_shares),
    ]  # fmt: skip
    found, source = [], "Yeh 2000, section 2"
    two_sided = Drawing()
    for test, arguments, run, statistic, why in tests:
        call = f"csig.classical.{arguments}"
        refused = why or refusal(partial(run, two_sided))
        if refused is not None:
            found += nothing([(test, call)], refused, source)
            continue
        found.append(Candidate(test, call, verdict, reason, source, finest, run, statistic))
    return found
