"""Randomization tests: Yeh (2000), section 3.3, exact and by shuffles.

Null hypothesis: it makes no difference which system a response that only one of them
produced belongs to. So each unique response is given to A or B by a fair coin; the
p-value is the probability of a difference at least as extreme as the observed one.

Exactly, that is a double sum over two binomials, walked along a staircase, that costs as
much as the sum of the numbers of unique correct and spurious responses
(``csig_ext/src/staircase.h``). Approximately, random shuffles are counted
(:mod:`csig.shuffling`). Ties count as extreme and are decided in integers
(:mod:`csig.plans`).
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import partial
from typing import overload

import numpy as np
from numpy.typing import NDArray

from csig import metrics as metrics_module
from csig import streams
from csig.comparison import Comparison
from csig.errors import InputError, as_integer, first_few
from csig.metrics import Metric
from csig.paired import at_least, at_most, sign_test_pvalue
from csig.plans import ALTERNATIVES, Plan, Terms, make_plan
from csig.results import RandomizationResult, SecondRun, Seed, SignCheck, Yeh2000Checks
from csig.shuffling import Progress, Run, default_threads
from csig_ext import staircase

__all__ = ["METHODS", "YEH_RESAMPLES", "randomization_test"]

METHODS = ("auto", "exact", "approximate", "yeh2000")

#: Yeh (2000): at most this many shuffles are enumerated, else this many are drawn.
YEH_RESAMPLES = 2**20

#: Steps of the exact engine, counted beforehand, that nobody would wait for.
HOPELESS = 2**38

#: A relative error bound of the lattice beyond which it is not called exact.
LATTICE_ERROR = 1e-10

#: What a sum of probabilities that is 1 may miss of it.
ROUNDING = 1e-13

#: Unique responses up to which the exact count is given as an integer.
COUNT_LIMIT = 10_000


# ---- validation -------------------------------------------------------------------------


def _metrics(metric: object) -> list[Metric]:
    if isinstance(metric, (str, Metric)):
        return [metrics_module.get(metric)]
    if not isinstance(metric, Iterable):
        raise InputError(f"metric must be a name, a Metric or several of them, found {metric!r}")
    found = [metrics_module.get(m) for m in metric]
    names = [m.name for m in found]
    doubled = sorted({name for name in names if names.count(name) > 1})
    if doubled:
        raise InputError(f"metric: given more than once: {first_few(doubled)}")
    if not found:
        raise InputError("metric: an empty list asks nothing")
    return found


def _check_options(
    comparison: object, alternative: str, method: str, zero_division: int, confidence_level: float
) -> None:
    if not isinstance(comparison, Comparison):
        raise InputError(f"comparison must be a csig.Comparison, found {type(comparison).__name__}")
    if not isinstance(alternative, str) or alternative not in ALTERNATIVES:
        raise InputError(
            f"alternative must be 'two-sided', 'less' or 'greater', found {alternative!r}"
        )
    if not isinstance(method, str) or method not in METHODS:
        raise InputError(f"method must be one of {', '.join(METHODS)}, found {method!r}")
    if as_integer(zero_division) not in (0, 1):
        raise InputError(f"zero_division must be 0 or 1, found {zero_division!r}")
    if not isinstance(confidence_level, numbers.Real) or not 0 < confidence_level < 1:
        raise InputError(f"confidence_level must lie between 0 and 1, found {confidence_level!r}")


def _positive(name: str, value: object, limit: int = 2**62) -> int:
    number = as_integer(value)
    if number is None or not 1 <= number <= limit:
        raise InputError(f"{name} must be an integer from 1 to {limit}, found {value!r}")
    return number


def _choose(plan: Plan, method: str, exact_budget: int, n_resamples: int) -> tuple[str, str]:
    """The method for one metric, and why."""
    if method == "approximate":
        return "approximate", "asked for"
    if method == "yeh2000":
        n = sum(plan.sizes)
        if n <= 20:
            return "exact", f"{n} unique responses: all 2^{n} shuffles are counted"
        return "approximate", f"{n} unique responses: more than the 20 that are enumerated"
    cost = plan.cost
    if plan.steps is not None:
        from csig import lattice  # for units only: comparisons of responses do not wait for it

        cost = lattice.cost(plan.steps)
    if method == "exact":
        if cost > HOPELESS:
            raise InputError(
                f"metric {plan.metric.name!r}: the exact test would take {cost:.1e} steps; "
                f"use method 'approximate'"
            )
        return "exact", "asked for"
    if cost <= exact_budget:
        return "exact", f"{cost} steps, within the budget of {exact_budget}"
    words = sum(plan.sizes) * n_resamples // 64
    if plan.steps is None and cost <= min(words, HOPELESS):  # a step costs about four words
        return "exact", f"{cost} steps, fewer than the {words} random words of the shuffles"
    return "approximate", f"exact would take {cost} steps, budget {exact_budget}"


# ---- p-values ----------------------------------------------------------------------------


def _exact(plan: Plan) -> tuple[float, float]:
    """The p-value and its logarithm."""
    if plan.alternative == "two-sided" and plan.observed[0] == 0:
        return 1.0, 0.0
    if plan.steps is None:
        value, exponent = staircase.tail(plan.terms, *plan.turns, plan.monotone)
    else:
        from csig import lattice

        (n_a, _, _, n), (m_a, _, _, m), zero_division, _, u, v = plan.terms
        found = lattice.tail(
            plan.steps,
            (n_a, m_a, n - n_a, m - m_a),
            Fraction(u, v),
            zero_division=zero_division,
        )
        if found.error_bound > LATTICE_ERROR:
            raise MemoryError("the error of the lattice cannot be bounded")
        value, exponent = found.mantissa, found.exponent
    if plan.alternative == "two-sided":  # the null is symmetric, and the tails are apart
        exponent += 1
    log_pvalue = math.log(value) + exponent * math.log(2)
    if log_pvalue > -ROUNDING:  # certain, but for the rounding of the sum
        return 1.0, 0.0
    return min(1.0, math.ldexp(value, max(exponent, -2000))), log_pvalue


def _exact_count(terms: Terms, turns: tuple[bool, bool], two_sided: bool) -> int:
    """Shuffles at least as extreme, as an integer, from the heights of the staircase."""
    n_first, n_second = terms[3]
    if two_sided and terms[4] == 0:
        return 1 << (n_first + n_second)
    heights = np.empty(n_first + 1, dtype=np.int64)
    staircase.tail(terms, *turns, True, heights)
    count, below, column, row, last = 0, 0, 1, 1, -1
    for x, height in enumerate(heights.tolist()):
        while last < height:
            last += 1
            below += column
            column = column * (n_second - last) // (last + 1)
        count += row * below
        row = row * (n_first - x) // (x + 1)
    return 2 * count if two_sided else count


def _try_exact(plan: Plan, method: str) -> tuple[float, float] | None:
    """The exact p-value; None if "auto" must fall back on shuffles."""
    try:
        return _exact(plan)
    except MemoryError as error:  # the same data end here on every machine
        if method == "auto":
            return None
        raise InputError(
            f"metric {plan.metric.name!r}: no exact test ({error}); use method 'approximate'"
        ) from None


def _counter(plan: Plan) -> Callable[[], int] | None:
    """What counts the extreme shuffles as an integer, when somebody asks."""
    if not plan.monotone or plan.steps is not None or sum(plan.sizes) > COUNT_LIMIT:
        return None
    return partial(_exact_count, plan.terms, plan.turns, plan.alternative == "two-sided")


def _approximate(hits: int, n_resamples: int) -> tuple[float, float]:
    """Noreen (1989): the observed arrangement is one of the shuffles."""
    pvalue = (hits + 1) / (n_resamples + 1)
    return pvalue, math.log(pvalue)


# ---- the paper's checks -------------------------------------------------------------------


def _same_rate_pvalue(hits: int, other: int, trials: int) -> float:
    """Two-sided exact test that two runs of ``trials`` have the same hit probability.

    Given both runs' hits together, the first run's are hypergeometric (Fisher's exact
    test); with equal trials that distribution is symmetric.

    >>> round(_same_rate_pvalue(3, 9, 20), 6)  # as scipy.stats.fisher_exact has it
    0.082359
    """
    from scipy.special import gammaln

    low, total = min(hits, other), hits + other
    if hits == other:
        return 1.0
    # Terms further out than 60 standard deviations do not show in a double.
    spread = math.sqrt(total * (2 * trials - total) / (4.0 * (2 * trials - 1)))
    k = np.arange(max(0, total - trials, low - int(60 * spread) - 60), low + 1, dtype=np.float64)

    def choose(n: float, of: NDArray[np.float64] | float) -> NDArray[np.float64]:
        return np.asarray(gammaln(n + 1) - gammaln(of + 1.0) - gammaln(n - of + 1.0))

    logs = choose(trials, k) + choose(trials, total - k) - choose(2 * trials, float(total))
    return min(1.0, 2 * float(np.exp(logs).sum()))


def _rate_pvalue(hits: int, trials: int, probability: float) -> float:
    """Two-sided exact binomial test (twice the smaller tail) of hits against a rate."""
    if probability >= 1:
        return 1.0 if hits == trials else 0.0
    if probability <= 0:
        return 1.0 if hits == 0 else 0.0
    below, above = (tail(hits, trials, probability) for tail in (at_most, at_least))
    return min(1.0, 2 * min(below, above))


def _by_name(plans: Sequence[Plan], hits: Sequence[int]) -> dict[str, int]:
    return {plan.metric.name: h for plan, h in zip(plans, hits, strict=True)}


def _yeh2000(
    comparison: Comparison,
    plans: Sequence[Plan],
    zero_division: int,
    run: Callable[[int, Sequence[Plan], Progress | None], list[int]],
    progress: Progress | None,
) -> tuple[dict[str, int], dict[str, Yeh2000Checks]]:
    """Two runs, each metric's hits compared, and recall's against the sign test."""
    alternative = plans[0].alternative
    recall = make_plan(comparison, metrics_module.recall, alternative, zero_division)
    questions = [*plans, recall]

    def notify(run_number: int) -> Progress | None:
        if progress is None:
            return None
        return lambda done, total: progress(run_number * total + done, 2 * total)

    first, second = (run(number, questions, notify(number)) for number in (0, 1))
    correct = comparison.responses[0]
    sign = sign_test_pvalue(correct.only_a, correct.only_b, alternative)
    sign_check = SignCheck(
        n_hits=first[-1],
        pvalue=_approximate(first[-1], YEH_RESAMPLES)[0],
        sign_pvalue=sign,
        agreement_pvalue=_rate_pvalue(first[-1], YEH_RESAMPLES, sign),
    )
    checks = {
        plan.metric.name: Yeh2000Checks(
            SecondRun(
                n_hits=other,
                pvalue=_approximate(other, YEH_RESAMPLES)[0],
                agreement_pvalue=_same_rate_pvalue(hits, other, YEH_RESAMPLES),
            ),
            sign_check,
        )
        for plan, hits, other in zip(plans, first, second, strict=False)
    }
    return _by_name(plans, first[:-1]), checks


# ---- the public function ---------------------------------------------------------------


@overload
def randomization_test(  # type: ignore[overload-overlap]
    comparison: Comparison,
    metric: str | Metric,
    *,
    alternative: str = ...,
    method: str = ...,
    n_resamples: int = ...,
    rng: streams.Seed = ...,
    bit_generator: str | streams.Factory | None = ...,
    threads: int | None = ...,
    zero_division: int = ...,
    confidence_level: float = ...,
    exact_budget: int = ...,
    progress: Progress | None = ...,
) -> RandomizationResult: ...


@overload
def randomization_test(
    comparison: Comparison,
    metric: Iterable[str | Metric],
    *,
    alternative: str = ...,
    method: str = ...,
    n_resamples: int = ...,
    rng: streams.Seed = ...,
    bit_generator: str | streams.Factory | None = ...,
    threads: int | None = ...,
    zero_division: int = ...,
    confidence_level: float = ...,
    exact_budget: int = ...,
    progress: Progress | None = ...,
) -> dict[str, RandomizationResult]: ...


def randomization_test(
    comparison: Comparison,
    metric: str | Metric | Iterable[str | Metric],
    *,
    alternative: str = "two-sided",
    method: str = "auto",
    n_resamples: int = YEH_RESAMPLES,
    rng: streams.Seed = None,
    bit_generator: str | streams.Factory | None = None,
    threads: int | None = None,
    zero_division: int = 0,
    confidence_level: float = 0.99,
    exact_budget: int = 2**26,
    progress: Progress | None = None,
) -> RandomizationResult | dict[str, RandomizationResult]:
    """Test whether two systems differ in a metric: Yeh (2000), section 3.3.

    Parameters
    ----------
    comparison : Comparison
        Both systems on the same test data.
    metric : str, Metric, or several of them
        ``"recall"``, ``"precision"``, ``"f1"``, ``"jaccard"``, ``"f0.5"``, ... or your own
        :class:`csig.Metric`. Several are tested on the same shuffles.
    alternative : {"two-sided", "less", "greater"}
        What counts as extreme: A differs from B, is less, is greater.
    method : {"auto", "exact", "approximate", "yeh2000"}
        "auto" is exact within ``exact_budget``, and wherever shuffles would take longer, and
        approximate beyond. "yeh2000" is the
        paper's procedure whole: exact for at most 20 unique responses, else
        1,048,576 shuffles with a second independent run and the sign test on recall
        as checks.
    n_resamples : int
        Shuffles of an approximate test. The default, 2^20, is the paper's.
    rng : None, int, sequence of int, SeedSequence, BitGenerator or Generator
        The seed (SPEC 7). With None fresh entropy is drawn; it is in the result.
    bit_generator : str, class or callable, optional
        "PCG64DXSM" (default), "PCG64", "Philox", "SFC64", "MT19937", or anything that
        makes a numpy BitGenerator from a SeedSequence.
    threads : int, optional
        Default: all processors. The hits do not depend on it.
    zero_division : {0, 1}
        The score where the denominator is zero, observed and in shuffles alike. The
        default 0 is scikit-learn's.
    confidence_level : float
        Of the interval around an approximate p-value. 0.99, because verdicts hang on it.
    exact_budget : int
        Steps that "auto" allows the exact engine; counted beforehand, never timed, so
        the same data take the same engine everywhere. The default is about a second.
    progress : callable, optional
        Called as ``progress(done, total)`` while shuffles are drawn.

    Returns
    -------
    RandomizationResult, or {metric name: RandomizationResult} for several metrics.

    Raises
    ------
    InputError
        For anything that cannot be used.

    Notes
    -----
    The null hypothesis is that every unique response is as likely to be either
    system's, independently of the others. The approximate p-value is
    (hits + 1) / (shuffles + 1) (Noreen 1989); ties count as hits and are decided in
    integers. Exact p-values carry no + 1.

    References
    ----------
    Yeh, A. (2000). More accurate tests for the statistical significance of result
    differences. COLING.

    Examples
    --------
    >>> import csig
    >>> c = csig.Comparison.from_counts(gold=103, both_correct=19, only_a_correct=28,
    ...     only_b_correct=6, both_spurious=5, only_a_spurious=43, only_b_spurious=9)
    >>> result = csig.randomization_test(c, "f1")
    >>> result.method, round(result.pvalue, 9)
    ('exact', 0.029551372)
    >>> shuffled = csig.randomization_test(c, "f1", method="approximate", rng=1)
    >>> shuffled.n_hits, round(shuffled.pvalue, 6)
    (31078, 0.029639)
    """
    wanted = _metrics(metric)
    _check_options(comparison, alternative, method, zero_division, confidence_level)
    n_resamples = _positive("n_resamples", n_resamples, 2**48)
    exact_budget = _positive("exact_budget", exact_budget)
    n_threads = default_threads() if threads is None else _positive("threads", threads, 1024)
    if method == "yeh2000" and n_resamples != YEH_RESAMPLES:
        raise InputError(f"n_resamples: method 'yeh2000' draws {YEH_RESAMPLES} shuffles")
    differences = None if comparison.units is None else comparison.units.differences
    if method == "yeh2000" and differences is not None:
        raise InputError("method 'yeh2000' is the paper's, for responses; use 'auto'")
    if progress is not None and not callable(progress):
        raise InputError(f"progress must be a function (done, total), found {progress!r}")
    source = streams.make_source(rng, bit_generator)
    plans = [make_plan(comparison, m, alternative, zero_division) for m in wanted]
    engines = [_choose(plan, method, exact_budget, n_resamples) for plan in plans]
    found: dict[str, tuple[float, float]] = {}
    shuffled = []
    for i, plan in enumerate(plans):
        pvalues = _try_exact(plan, method) if engines[i][0] == "exact" else None
        if pvalues is not None:
            found[plan.metric.name] = pvalues
            continue
        if engines[i][0] == "exact":
            engines[i] = ("approximate", "the lattice of an exact test does not fit its memory")
        shuffled.append(plan)

    def run(number: int, questions: Sequence[Plan], notify: Progress | None) -> list[int]:
        return Run(
            source, number, questions, n_resamples, n_threads, notify, differences=differences
        )()

    hits: dict[str, int] = {}
    checks: dict[str, Yeh2000Checks] = {}
    if shuffled and method == "yeh2000":
        hits, checks = _yeh2000(comparison, shuffled, zero_division, run, progress)
    elif shuffled:
        hits = _by_name(shuffled, run(0, shuffled, progress))
    results = {}
    for plan, (how, reason) in zip(plans, engines, strict=True):
        name = plan.metric.name
        exact = how == "exact"
        pvalue, log_pvalue = found[name] if exact else _approximate(hits[name], n_resamples)
        results[name] = RandomizationResult(
            metric=name,
            statistic=plan.observed[0] / plan.observed[1],
            score_a=plan.score_a[0] / plan.score_a[1],
            score_b=plan.score_b[0] / plan.score_b[1],
            pvalue=pvalue,
            log_pvalue=log_pvalue,
            alternative=alternative,
            method=how,
            reason=reason,
            unit=comparison.unit,
            greater_is_better=plan.metric.greater_is_better,
            n_units=comparison.n_units,
            n_correct=None if plan.steps is not None else plan.sizes[0],
            n_spurious=None if plan.steps is not None else plan.sizes[1],
            n_resamples=None if exact else n_resamples,
            n_hits=None if exact else hits[name],
            confidence_level=float(confidence_level),
            zero_division=zero_division,
            zero_denominator=plan.zero_denominator,
            seed=None if exact else Seed(source.name, source.entropy, source.spawn_key, 0),
            checks=checks.get(name),
            _count=_counter(plan) if exact else None,
        )
    return results[wanted[0].name] if isinstance(metric, (str, Metric)) else results
