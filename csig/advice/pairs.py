"""The rules for two systems on one test set."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from csig import bootstrap, independent, paired, randomization
from csig.advice.base import Advice, Candidate, Drawing, Soundness, nothing, refusal
from csig.advice.facts import Facts
from csig.engines.resample import Prepared
from csig.errors import InputError
from csig.inverted import is_mean_of_scores
from csig.probability.binomial import at_least
from csig.wording import count, counted, noun

if TYPE_CHECKING:
    from collections.abc import Callable

    from csig.comparison import Comparison


__all__ = ["FEW", "MANY", "candidates", "mcnemar_level", "skewed", "too_few"]

#: Below so many units csig's simulations found bootstrap tests above their level; from so many
#: on all of them were near it (docs/bootstrap.md).
FEW, MANY = 30, 1000

#: Cochran's rule: a mean whose variance is estimated is nearly normal with more units than the
#: first, and the second times the squared skewness.
BY_SIZE, BY_SKEWNESS = 28, 25

#: How far r12 may be from independence: the standard deviation is off by a twentieth.
NEAR = 0.05

#: How far above its nominal level a McNemar test by chi-square may be and is called approximate.
LIBERAL = 1.2

ALPHA = 0.05

_ITEMS = "give results on single items (responses, labels, scores)"

#: Tests on the folds of a cross-validation, with their calls.
FOLDS = (
    ("corrected resampled t test", "csig.resampled_t_test(a, b, n_train=..., n_test=...)"),
    ("k-fold t test", "csig.kfold_t_test(a, b)"),
    ("5x2cv F test", "csig.cv52_f_test(a, b)"),
    ("5x2cv t test", "csig.cv52_t_test(a, b)"),
)

#: Procedures for three systems or more.
SYSTEMS = (
    ("all pairs, Holm", "csig.compare_systems(systems)"),
    ("all pairs, flips", 'csig.compare_systems(systems, correction="flips")'),
)

#: Tests over many data sets.
DATA_SETS = (("tests over data sets", "csig.compare_over_datasets(table)"),)


def _randomization(f: Facts) -> list[Candidate]:
    """Exact, by shuffles, of the difference itself, and with every smaller unit."""
    source = "Yeh 2000, section 3.3; Noreen 1989"
    comparison, metric = f.comparison, f.metric
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

    def auto(drawing: Drawing) -> Any:
        drawn = drawing.keywords(drawing.n_resamples)
        return randomization.randomization_test(comparison, metric, statistic="auto", **drawn)

    def shuffled(drawing: Drawing) -> Any:
        n = drawing.beside(comparison.n_units) if f.exact else drawing.n_resamples
        drawn = drawing.keywords(n)
        return randomization.randomization_test(
            comparison, metric, method="approximate", statistic="auto", **drawn
        )

    name = "randomization test"
    verdict: Soundness = "sound"
    if f.kind == "sum" and f.binary != f.unit and too_few(f.n, f.skewness):
        verdict, swaps = "approximate", f"{swaps}; {_of_skewed(f)}"
    elif f.few is not None:
        verdict, swaps = "approximate", f"{swaps}; {f.few}"
    exact = Candidate(
        Advice(
            test=f"{name}, exact", verdict=verdict, source=source, call=call, unit=f.unit,
            reason=f"{swaps}; every way to swap counts" if f.n_differ else swaps,
        ),
        auto, "A - B",
    )  # fmt: skip
    shuffles = Candidate(
        Advice(
            test=f"{name}, shuffles", verdict=verdict, source=source, unit=f.unit,
            call=f'{call[:-1]}, method="approximate")' if f.exact else call,
            reason=f"the same by shuffles of {f.units}; p allows for their number"
            if f.exact
            else f"{swaps}, by shuffles: an exact p would take too long",
        ),
        shuffled, "A - B",
    )  # fmt: skip
    if not f.exact:
        reason = f"an exact p of {f.units} would take too long"
        exact = nothing([(f"{name}, exact", f'{call[:-1]}, method="exact")')], reason, source)[0]
    found = [exact, shuffles] if f.exact else [shuffles, exact]
    if f.kind == "ratio":
        found.append(_interchangeable(f, plain))
    return found + [_smaller(f, unit) for unit in f.finer]


def _interchangeable(f: Facts, call: str) -> Candidate:
    """The paper's test of a ratio whose denominator is the system's own."""

    def run(drawing: Drawing) -> Any:
        drawn = drawing.keywords(drawing.n_resamples)
        return randomization.randomization_test(f.comparison, f.metric, **drawn)

    return Candidate(
        Advice(
            test="randomization test of the difference", verdict="approximate", unit=f.unit,
            reason="asks whether the systems are interchangeable: right about "
            f"{f.title} only if both return about as much",
            source="Yeh 2000, section 3.3", call=call,
        ),
        run, "A - B",
    )  # fmt: skip


def _smaller(f: Facts, unit: str) -> Candidate:
    """The randomization test with smaller units, which are not independent."""
    at = f.comparison.at(unit)

    def run(drawing: Drawing) -> Any:
        drawn = drawing.keywords(drawing.beside(at.n_units))
        return randomization.randomization_test(at, f.metric, statistic="auto", **drawn)

    return Candidate(
        Advice(
            test=f"randomization test of {noun(unit, 2)}", verdict="unsound", unit=unit,
            reason=f.within(unit), source="Yeh 2000, section 4",
            call=f"csig.randomization_test({f.at(unit)}, {f.named})",
        ),
        run, "A - B",
    )  # fmt: skip


# ---- the bootstrap -----------------------------------------------------------------------


def _bootstrap_verdict(f: Facts, method: str, n: int) -> tuple[Soundness, str]:
    units = counted(n, f.unit)
    binary = f.binary == f.unit
    if method == "koehn" and n < MANY:
        return "unsound", (
            f"has no null hypothesis, and finds too much with {units}: 7.4% at 0.05 with 100 "
            "skewed scores in csig's simulation"
        )
    if method == "berg-kirkpatrick" and n < MANY and binary:
        return "unsound", (
            f"counts no ties, and {units} that are right or wrong have many: 7.9% at 0.05 with "
            "100 of them in csig's simulation"
        )
    if n < FEW:
        return "unsound", (
            f"right for many units only, and there are {units}: 8.0% at 0.05 with 20 "
            "documents in csig's simulation"
        )
    return "approximate", f"right for many units, and there are {units}"


def _bootstrap(f: Facts, zero_division: int) -> list[Candidate]:
    sources = {
        "shift": "Noreen 1989; Riezler and Maxwell 2005",
        "berg-kirkpatrick": "Berg-Kirkpatrick et al. 2012",
        "koehn": "Koehn 2004",
    }
    titles = {"shift": "shift", "berg-kirkpatrick": "Berg-Kirkpatrick", "koehn": "Koehn"}
    calls = {
        method: f'csig.bootstrap_test({f.at(f.unit)}, {f.named}, method="{method}")'
        for method in bootstrap.TEST_METHODS
    }
    names = {method: f"bootstrap test, {titles[method]}" for method in calls}
    comparison, metric = f.comparison, f.metric
    try:
        prepared = Prepared(comparison, [metric], "ab", zero_division, conventional=True)
        n = prepared.rows.n
        why = f"resampling needs at least two units, and there is {counted(n, f.unit)}"
    except InputError as error:
        n, why = 0, str(error)
    if n < 2:
        return nothing([(names[m], calls[m]) for m in calls], why, "docs/bootstrap.md")

    def run(method: Any) -> Callable[[Drawing], Any]:
        def resampled(drawing: Drawing) -> Any:
            drawn = drawing.keywords(drawing.resampled(n))
            return bootstrap.bootstrap_test(comparison, metric, method=method, **drawn)

        return resampled

    found = []
    for method in bootstrap.TEST_METHODS:
        verdict, reason = _bootstrap_verdict(f, method, n)
        advice = Advice(
            test=names[method], verdict=verdict, reason=reason, unit=f.unit, call=calls[method],
            source=f"{sources[method]}; docs/bootstrap.md",
        )  # fmt: skip
        found.append(Candidate(advice, run(method), "A - B"))
    return found


def _interval(f: Facts) -> list[Candidate]:
    """How large the difference is: no test, and it belongs beside one."""
    inverted = is_mean_of_scores(f.comparison, f.metric)
    function = "inverted_interval" if inverted else "linearized_interval"
    return [
        Candidate(
            Advice(
                test="interval of the difference", verdict="sound, but asks something else",
                reason=f"how large the difference in {f.title} may be, from {f.units}; report it "
                "beside p",
                source="Bestgen 2022", unit=f.unit,
                call=f"csig.{function}({f.at(f.unit)}, {f.named})",
            )
        )
    ]  # fmt: skip


# ---- differences by unit -------------------------------------------------------------------


def _by_unit(f: Facts) -> list[Candidate]:
    """The sign test, Wilcoxon's and the t test."""
    tests = [
        (name, f"csig.{function}({f.at(f.unit)}, {f.named})")
        for name, function in (
            ("sign test", "sign_test"),
            ("Wilcoxon test", "wilcoxon_test"),
            ("paired t test", "paired_t_test"),
        )
    ]
    if f.own is None:
        one = noun(f.unit)
        why = f"is no mean over {noun(f.unit, 2)}: its denominator differs between the systems"
        if f.kind == "function":
            why = f"is a function of counts over all {noun(f.unit, 2)}, no mean over them"
        reason = f"{f.title} {why}, so no {one} has a difference of its own"
        return nothing(tests, reason, "Yeh 2000, section 5")
    sign, wilcoxon, t = (call for _, call in tests)
    return [_sign(f, sign), _wilcoxon(f, wilcoxon), _t(f, t)]


def _sign(f: Facts, call: str) -> Candidate:
    same = f.binary == f.unit
    return Candidate(
        Advice(
            test="sign test", unit=f.unit, call=call, source="Yeh 2000, section 3.1",
            verdict="sound" if same else "sound, but asks something else",
            reason=f"each {noun(f.unit)} is right or wrong: it is the randomization test"
            if same
            else f"on how many of {f.units} each system is better, not by how much",
        ),
        lambda drawing: paired.sign_test(
            f.comparison, f.metric, alternative=drawing.alternative
        ),
        "wins of A",
    )  # fmt: skip


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


def units_needed(skewness: float) -> float:
    """More units than this make a mean nearly normal whose variance is estimated, by Cochran's rule
    in the form of Sugden, Smith and Jones.

    >>> units_needed(0), units_needed(-2.0)
    (28.0, 128.0)
    """
    return float(BY_SIZE + BY_SKEWNESS * skewness**2)


def too_few(n: int, skewness: float | None) -> bool:
    """Whether n units are too few for tests of a mean.

    >>> too_few(128, 2.0), too_few(129, 2.0), too_few(28, 0.0), too_few(28, None)
    (True, False, True, False)
    """
    return skewness is not None and n <= units_needed(skewness)


def skewed(n: int, skewness: float | None) -> bool:
    """Whether it is the skewness of their differences that makes n units too few."""
    return skewness is not None and n <= BY_SKEWNESS * skewness**2


def _wilcoxon(f: Facts, call: str) -> Candidate:
    source = "Yeh 2000, section 3.2; Smucker et al. 2007"
    verdict: Soundness = "sound, but asks something else"
    if f.binary == f.unit:
        verdict = "sound"
        reason = f"each {noun(f.unit)} is right or wrong: it is the sign test"
    else:
        reason = f"whether {counted(f.n, f.unit)} differ symmetrically around zero, by rank"
        if f.skewness is not None and abs(f.skewness) > 1:
            reason += (
                f"; the differences are skewed ({f.skewness:+.1f}), so their ranks and their mean "
                "may disagree"
            )
    return Candidate(
        Advice(test="Wilcoxon test", unit=f.unit, call=call, source=source, verdict=verdict,
               reason=reason),
        lambda drawing: paired.wilcoxon_test(
            f.comparison, f.metric, alternative=drawing.alternative
        ),
        "rank sum of A",
    )  # fmt: skip


def _t(f: Facts, call: str) -> Candidate:
    def run(drawing: Drawing) -> Any:
        return paired.paired_t_test(f.comparison, f.metric, alternative=drawing.alternative)

    source = "Yeh 2000, section 2.1; Sugden et al. 2000"
    refused = refusal(lambda: paired.paired_t_test(f.comparison, f.metric))
    if refused is not None:
        return nothing([("paired t test", call)], refused, source)[0]
    verdict: Soundness = "approximate"
    reason = f"the mean difference of {counted(f.n, f.unit)} is nearly normal"
    if f.n < FEW and not skewed(f.n, f.skewness):
        reason = f"right only if the differences of {counted(f.n, f.unit)} are normally distributed"
    elif too_few(f.n, f.skewness):
        reason = _of_skewed(f)
    return Candidate(
        Advice(test="paired t test", unit=f.unit, call=call, source=source, verdict=verdict,
               reason=reason),
        run, "t",
    )  # fmt: skip


# ---- McNemar ------------------------------------------------------------------------------------


def mcnemar_level(n: int, alpha: float = ALPHA) -> float:
    """How often McNemar's test by chi-square rejects at alpha, of n discordant pairs.

    >>> round(mcnemar_level(8), 4), round(mcnemar_level(20), 4)
    (0.0703, 0.0414)
    """
    from scipy.special import chdtri

    limit = math.sqrt(float(chdtri(1, alpha)) * n)
    least = math.floor((n + limit) / 2) + 1  # 2 k - n > limit
    while 2 * (least - 1) - n >= limit:
        least -= 1
    return min(1.0, 2 * at_least(least, n, 0.5)) if n > 0 and least <= n else 0.0


def _mcnemar(f: Facts) -> list[Candidate]:
    source = "Fagerland et al. 2013"
    unit = f.binary
    titles = {"exact": "McNemar, exact", "mid-p": "McNemar, mid-p",
              "asymptotic": "McNemar, chi-square"}  # fmt: skip
    where = f.at(unit or f.unit)
    calls = {
        "exact": f"csig.mcnemar_test({where}, {f.named})",
        "mid-p": f'csig.mcnemar_test({where}, {f.named}, method="mid-p")',
        "asymptotic": f'csig.mcnemar_test({where}, {f.named}, method="asymptotic")',
    }
    tests = [(titles[m], calls[m]) for m in calls]
    if f.own is None:
        return nothing(tests, f"{f.title} is no share of items that are right or wrong", source)
    if unit is None:
        reason = f"{f.title} takes other values than right and wrong in some of {f.units}"
        return nothing(tests, reason, source)
    n = sum(f.discordant)
    pairs = f"{counted(n, unit)} that only one system has right"
    level = mcnemar_level(n)
    said: dict[str, tuple[Soundness, str]] = {
        "exact": ("sound", "the same p as the randomization test: each "
                  f"{noun(unit)} is right or wrong"),
        "mid-p": ("approximate", f"less conservative with {pairs}; its level is not guaranteed, "
                  "but was kept in all 9,595 settings of its authors"),
        "asymptotic": (
            "unsound" if level > LIBERAL * ALPHA else "approximate",
            f"of {pairs} it rejects {100 * level:.1f}% at 0.05 under the null",
        ),
    }  # fmt: skip
    at = f.comparison.at(unit)

    def run(method: Any) -> Callable[[Drawing], Any]:
        return lambda drawing: paired.mcnemar_test(
            at, f.metric, method=method, alternative=drawing.alternative
        )

    found = []
    for method, (verdict, reason) in said.items():
        if unit != f.unit and unit in f.finer:
            verdict, reason = "unsound", f.within(unit)
        advice = Advice(test=titles[method], verdict=verdict, reason=reason, unit=unit,
                        source=source, call=calls[method])  # fmt: skip
        found.append(
            Candidate(advice, run(method), "chi-square" if method == "asymptotic" else "wins of A")
        )
    return found


# ---- tests of independent samples ----------------------------------------------------------------


def _independence(f: Facts) -> tuple[Soundness, str]:
    """What assuming independent systems does to these data."""
    if f.r12 is None or f.cost is None:
        n = f.n_units
        return "unsound", f"both systems ran on the same {counted(n, f.unit)}, not on two samples"
    r12 = f"r12 = {f.r12:.2f}"
    if not f.r12_is_of_metric and abs(f.cost - 1) > NEAR:
        return "unsound", (
            f"the systems' results are correlated (r12 = {f.r12:.2f} on {f.item_metric}), and the "
            "test takes the counts of both for independent"
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
    given, name = f.at(f.unit), f.metric.name
    comparison = f.comparison
    verdict, reason = _independence(f)
    finest = comparison.levels[0]
    if f.finer and f.item_metric is not None:
        verdict, reason = "unsound", f"{reason}; and {f.within(finest)}"
    source = "Yeh 2000, section 2"

    def made(
        test: str, call: str, run: Callable[[Drawing], Any], statistic: str, why_not: str | None
    ) -> Candidate:
        refused = why_not or refusal(lambda: run(Drawing(seed=None)))  # type: ignore[arg-type]
        if refused is not None:
            return nothing([(test, call)], refused, source)[0]
        advice = Advice(test=test, verdict=verdict, reason=reason, source=source, call=call,
                        unit=finest)  # fmt: skip
        return Candidate(advice, run, statistic)

    of_items = None
    if f.item_metric is None:
        of_items = f"the results on single items are not known; {_ITEMS}"
    elif not f.r12_is_of_metric:
        of_items = f"{f.title} is no mean over single items, as {f.item_metric} is"
    share = name in independent.PROPORTIONS
    of_shares = None if share else f"{f.title} is no proportion of items or responses"
    found = [
        made(test, f"csig.independent_t_test({given}{more})", run, "t", of_items)
        for test, more, run in _of_items(comparison)
    ]
    return found + [
        made(test, call.format(given, f.named), run, statistic, of_shares)
        for test, call, run, statistic in _of_shares(comparison, name)
    ]


def _of_items(comparison: Comparison) -> list[tuple[str, str, Callable[[Drawing], Any]]]:
    """Tests of the mean over items, with what their calls say beside the comparison."""
    return [
        (
            "independent t test", "",
            lambda d: independent.independent_t_test(comparison, alternative=d.alternative),
        ),
        (
            "Welch's t test", ", equal_variances=False",
            lambda d: independent.independent_t_test(
                comparison, equal_variances=False, alternative=d.alternative
            ),
        ),
    ]  # fmt: skip


def _of_shares(
    comparison: Comparison, name: str
) -> list[tuple[str, str, Callable[[Drawing], Any], str]]:
    """Tests of proportions, with their calls."""
    return [
        (
            "independent proportions, pooled", "csig.proportions_test({}, {})",
            lambda d: independent.proportions_test(comparison, name, alternative=d.alternative),
            "z",
        ),
        (
            "independent proportions, unpooled", "csig.proportions_test({}, {}, pooled=False)",
            lambda d: independent.proportions_test(
                comparison, name, pooled=False, alternative=d.alternative
            ),
            "z",
        ),
        (
            "chi-square test (two-sided)", "csig.chi_square_test({}, {})",
            lambda d: independent.chi_square_test(comparison, name), "chi-square",
        ),
        (
            "chi-square with Yates (two-sided)", "csig.chi_square_test({}, {}, continuity=True)",
            lambda d: independent.chi_square_test(comparison, name, continuity=True), "chi-square",
        ),
    ]  # fmt: skip


# ---- all --------------------------------------------------------------------------------------


def candidates(f: Facts, zero_division: int = 0) -> list[Candidate]:
    """Every test for two systems, the recommended one first.

    Parameters
    ----------
    f : Facts
        What the data are.
    zero_division : {0, 1}
        The score where the denominator is zero.
    """
    items = counted(f.n_units, f.unit)
    return [
        *_randomization(f),
        *_bootstrap(f, zero_division),
        *_interval(f),
        *_by_unit(f),
        *_mcnemar(f),
        *_independent(f),
        *nothing(FOLDS, f"{items} of one test set are no folds", "Dietterich 1998"),
        *nothing(SYSTEMS, "there are two systems, and one pair", "Holm 1979"),
        *nothing(DATA_SETS, f"{items} are one data set", "Demšar 2006, section 3"),
    ]
