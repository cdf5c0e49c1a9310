"""Randomization tests: Yeh (2000), section 3.3, exact and by shuffles.

Null hypothesis: it makes no difference which system a unit's output came from: a response
that only one of them produced, or whatever a sentence, document or cluster holds. So each
unit is exchanged by a fair coin; the p-value is the probability of a difference at least as
extreme as the observed one.

Exactly, an engine of :mod:`csig.engines.exact` sums over all exchanges. Approximately, random
shuffles are counted (:mod:`csig.engines.shuffle`). Ties count as extreme and are decided in
integers (:mod:`csig.engines.questions`).
"""

from __future__ import annotations

import math
import numbers
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from csig import metrics as metrics_module
from csig import streams
from csig.comparison import Comparison
from csig.engines.exact import OF_USER, Engine, Found, Unfit, engines, exact_count
from csig.engines.pool import Progress, default_threads
from csig.engines.questions import FunctionPlan, Plan, Question, make_plan, make_question
from csig.engines.shuffle import Joint, Run
from csig.engines.until_decided import Decided, decide
from csig.errors import InputError
from csig.metrics import Metric, get_all
from csig.paired import sign_test_pvalue
from csig.probability.binomial import rate_pvalue, same_rate_pvalue
from csig.probability.sequential import Rule
from csig.progress import shown
from csig.results import Decision, RandomizationResult, SecondRun, Seed, SignCheck, Yeh2000Checks
from csig.validation import METHODS, as_integer, between, check_alternative, instance, positive

if TYPE_CHECKING:
    from csig.null import NullDistribution

__all__ = [
    "EXACT_BUDGET",
    "METHODS",
    "YEH_RESAMPLES",
    "SlowMetricWarning",
    "Task",
    "exactly",
    "make_task",
    "randomization_test",
    "result_of",
    "warn_of_slow",
]


#: Yeh (2000): at most this many shuffles are enumerated, else this many are drawn.
YEH_RESAMPLES = 2**20

#: Steps that the default budget gives an exact engine: about a second's worth.
EXACT_BUDGET = 2**26

#: Steps of an exact engine, counted beforehand, that nobody would wait for.
HOPELESS = 2**38

#: The probability of a wrong verdict that ``decide_at`` allows by default, and its most shuffles.
RISK, MOST_RESAMPLES = 1e-6, 2**32

#: Levels that can be decided: others lie beyond what 2^48 shuffles can tell.
LEAST_LEVEL = 1e-12

#: What a sum of probabilities that is 1 may miss of it.
ROUNDING = 1e-13

#: Unique responses up to which the exact count is given as an integer.
COUNT_LIMIT = 10_000

#: Seconds of a user's function, in all and for a trial, beyond which it is reported as slow.
SLOW, SLOW_TRIAL = 10.0, 1e-6


class SlowMetricWarning(UserWarning):
    """A metric's function will take long."""


# ---- p-values ----------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Task:
    """What was asked for, checked."""

    comparison: Comparison
    alternative: str
    method: str
    exact_budget: int
    n_resamples: int
    threads: int
    source: streams.Source
    zero_division: int
    confidence_level: float
    keep_null: bool = False
    notify: Progress | None = None
    rule: Rule | None = None

    def question(self, metric: Metric) -> Question:
        """The test of a metric."""
        return make_question(self.comparison, metric, self.alternative, self.zero_division)

    def run(
        self,
        number: int,
        plans: Sequence[Question],
        notify: Progress | None,
        joint: Joint | None = None,
    ) -> Run:
        """A run of shuffles: of the comparison, or of several together."""
        made = Run(
            self.source, number, plans, self.n_resamples, self.threads, notify,
            comparison=joint or self.comparison, keep=self.keep_null,
        )  # fmt: skip
        made()
        return made

    def decided(self, plans: Sequence[Question], rule: Rule) -> Decided:
        """Shuffles until all verdicts are decided."""

        def wave(first: int, end: int, notify: Progress | None) -> Run:
            made = Run(
                self.source, 0, plans, end * streams.CHUNK, self.threads, notify,
                comparison=self.comparison, by_chunk=True, first_chunk=first,
            )  # fmt: skip
            made()
            return made

        return decide(wave, plans, rule, self.threads, self.notify)


def make_task(
    comparison: Comparison,
    *,
    alternative: str,
    method: str,
    n_resamples: int | None,
    rng: streams.Seed,
    bit_generator: str | streams.Factory | None,
    threads: int | None,
    zero_division: int,
    confidence_level: float,
    exact_budget: int,
    keep_null: bool = False,
    allow_bad_generator: bool = False,
    rule: Rule | None = None,
) -> Task:
    """The options of a randomization test, checked."""
    check_alternative(alternative)
    if not isinstance(method, str) or method not in METHODS:
        raise InputError(f"method must be one of {', '.join(METHODS)}, found {method!r}")
    if as_integer(zero_division) not in (0, 1):
        raise InputError(f"zero_division must be 0 or 1, found {zero_division!r}")
    confidence_level = between("confidence_level", confidence_level)
    return Task(
        comparison=comparison,
        alternative=alternative,
        method=method,
        exact_budget=positive("exact_budget", exact_budget),
        n_resamples=YEH_RESAMPLES
        if n_resamples is None
        else positive("n_resamples", n_resamples, 2**48),
        threads=default_threads() if threads is None else positive("threads", threads, 1024),
        source=streams.make_source(rng, bit_generator, allow_bad=allow_bad_generator),
        zero_division=zero_division,
        confidence_level=confidence_level,
        keep_null=bool(keep_null),
        rule=rule,
    )


def _rule(
    decide_at: float | None,
    risk: float,
    max_resamples: int,
    *,
    method: str,
    n_resamples: int | None,
    keep_null: bool,
) -> Rule | None:
    """When to stop, if the hits are to say it."""
    if decide_at is None:
        if risk != RISK or max_resamples != MOST_RESAMPLES:
            raise InputError("risk and max_resamples go with decide_at only")
        return None
    least = LEAST_LEVEL
    if not isinstance(decide_at, numbers.Real) or not least <= decide_at <= 1 - least:
        raise InputError(f"decide_at must lie between {least} and 1 - {least}, found {decide_at!r}")
    risk = between("risk", risk, 0, 0.5)
    most = positive("max_resamples", max_resamples, 2**48)
    if n_resamples is not None:
        raise InputError("n_resamples: with decide_at the hits say when to stop; use max_resamples")
    if method == "yeh2000":
        raise InputError(f"decide_at: method 'yeh2000' always draws {YEH_RESAMPLES} shuffles")
    if keep_null:
        raise InputError(
            "keep_null does not go with decide_at, which cannot say beforehand how many "
            "differences there will be; test again with the n_resamples and the seed of the result"
        )
    return Rule(float(decide_at), risk, -(-most // streams.CHUNK))


class Answer(NamedTuple):
    """An exact engine's; without `found` shuffles are drawn."""

    found: Found | None
    engine: str
    reason: str


def _choose(task: Task, plan: Question) -> tuple[list[Engine], str]:
    """The exact engines that may run, the cheapest first, and why; none for shuffles."""
    method, exact_budget = task.method, task.exact_budget
    if method == "approximate":
        return [], "asked for"
    n = task.comparison.n_units
    found = engines(task.comparison, plan)
    if method == "yeh2000":
        if n <= 20:
            return found, f"{n} unique responses: all 2^{n} shuffles are counted"
        return [], f"{n} unique responses: more than the 20 that are enumerated"
    cost = found[0].cost
    if method == "exact":
        if cost > HOPELESS:
            raise InputError(
                f"metric {plan.metric.name!r}: the exact test would take {cost:.1e} steps; "
                f"use method 'approximate'"
            )
        return [engine for engine in found if engine.cost <= HOPELESS], "asked for"
    if cost <= exact_budget:
        affordable = [engine for engine in found if engine.cost <= exact_budget]
        return affordable, f"{cost} steps, within the budget of {exact_budget}"
    words = n * task.n_resamples // 64
    if found[0].name == "staircase" and cost <= min(words, HOPELESS):  # a step costs four words
        return found, f"{cost} steps, fewer than the {words} random words of the shuffles"
    return [], f"exact would take {cost} steps, budget {exact_budget}"


def exactly(task: Task, plan: Question) -> Answer:
    """By the first engine that can; "auto" falls back on shuffles."""
    candidates, reason = _choose(task, plan)
    if not candidates:
        return Answer(None, "shuffle", reason)
    if isinstance(plan, Plan) and plan.certain:
        n = task.comparison.n_units
        every = 1 << n if n <= COUNT_LIMIT else None
        return Answer(Found(1.0, 0, 0.0, every), candidates[0].name, reason)
    if isinstance(plan, FunctionPlan):
        warn_of_slow([plan], candidates[0].cost // OF_USER)
    last: MemoryError | None = None
    for engine in candidates:
        try:
            return Answer(engine.run(task.threads, task.notify), engine.name, reason)
        except MemoryError as error:  # the same data end here on every machine
            last = error
    if task.method == "auto":
        reason = "the lattice of an exact test does not fit its memory"
        return Answer(None, "shuffle", str(last) if isinstance(last, Unfit) else reason)
    raise InputError(
        f"metric {plan.metric.name!r}: no exact test ({last}); use method 'approximate'"
    )


def _pvalues(found: Found) -> tuple[float, float]:
    """The p-value and its logarithm."""
    if found.value == 0:
        raise InputError(
            "not even the observed arrangement reaches the observed difference: the metric's "
            "function gives other scores for the same sums"
        )
    log_pvalue = math.log(found.value) + found.exponent * math.log(2)
    if log_pvalue > -ROUNDING:  # certain, but for the rounding of the sum
        return 1.0, 0.0
    return min(1.0, math.ldexp(found.value, max(found.exponent, -2000))), log_pvalue


def _counter(comparison: Comparison, plan: Question, found: Found) -> Callable[[], int] | None:
    """What counts the extreme shuffles as an integer, when somebody asks."""
    if found.n_extreme is not None:
        count = found.n_extreme
        return lambda: count
    if not isinstance(plan, Plan) or plan.steps is not None or not plan.monotone:
        return None
    return None if comparison.n_units > COUNT_LIMIT else partial(exact_count, plan)


def _approximate(hits: int, n_resamples: int) -> tuple[float, float]:
    """Noreen (1989): the observed arrangement is one of the shuffles."""
    pvalue = (hits + 1) / (n_resamples + 1)
    return pvalue, math.log(pvalue)


# ---- the paper's checks -------------------------------------------------------------------


def _yeh2000(task: Task, plans: Sequence[Question]) -> tuple[Run, dict[str, Yeh2000Checks]]:
    """Two runs, each metric's hits compared, and recall's against the sign test."""
    comparison, alternative = task.comparison, plans[0].alternative
    recall = make_plan(comparison, metrics_module.recall, alternative, task.zero_division)
    questions = [*plans, recall]

    def notify(number: int) -> Progress | None:
        progress = task.notify
        if progress is None:
            return None
        return lambda done, total: progress(number * total + done, 2 * total)

    first, second = (task.run(number, questions, notify(number)) for number in (0, 1))
    correct = comparison.responses[0]
    sign = sign_test_pvalue(correct.only_a, correct.only_b, alternative)
    sign_check = SignCheck(
        n_hits=first.hits[-1],
        pvalue=_approximate(first.hits[-1], YEH_RESAMPLES)[0],
        sign_pvalue=sign,
        agreement_pvalue=rate_pvalue(first.hits[-1], YEH_RESAMPLES, sign),
    )
    checks = {
        plan.metric.name: Yeh2000Checks(
            SecondRun(
                n_hits=other,
                pvalue=_approximate(other, YEH_RESAMPLES)[0],
                agreement_pvalue=same_rate_pvalue(hits, other, YEH_RESAMPLES),
            ),
            sign_check,
        )
        for plan, hits, other in zip(plans, first.hits, second.hits, strict=False)
    }
    return first, checks


def _sampled_null(plan: Question, differences: NDArray[Any]) -> NullDistribution:
    from csig.engines.exact_null import sampled  # for those who ask

    return sampled(plan, differences)


def _exact_null(comparison: Comparison, plan: Question) -> NullDistribution:
    from csig.engines.exact_null import null

    return null(comparison, plan)


def warn_of_slow(plans: Iterable[Question], n_resamples: int) -> None:
    """Say before the run how long a function will take."""
    for plan in plans:
        if isinstance(plan, FunctionPlan) and not plan.metric.thread_safe:
            each = plan.seconds_a_trial
            if each > SLOW_TRIAL and each * n_resamples > SLOW:
                warnings.warn(
                    f"metric {plan.metric.name!r}: its function takes {each * 1e6:.3g} us a trial, "
                    f"about {each * n_resamples:.0f} s for {n_resamples} trials; a function that "
                    f"works on whole columns of its array would be faster",
                    SlowMetricWarning,
                    stacklevel=4,
                )


def _shuffle(
    task: Task, plans: Sequence[Question]
) -> tuple[Run | Decided, dict[str, Yeh2000Checks]]:
    """All questions from the same shuffles."""
    if task.rule is not None:
        warn_of_slow(plans, streams.CHUNK)  # at least
        return task.decided(plans, task.rule), {}
    warn_of_slow(plans, task.n_resamples)
    if task.method == "yeh2000":
        return _yeh2000(task, plans)
    return task.run(0, plans, task.notify), {}


def _moving(comparison: Comparison, plan: Question) -> int:
    """The units whose exchange changes what the metric reads."""
    if isinstance(plan, FunctionPlan):
        if comparison.units is None:
            return comparison.n_units
        where = [comparison.columns.index(column) for column in plan.metric.columns]
        return int(np.count_nonzero(comparison.units.differences[:, where].any(axis=1)))
    if plan.steps is not None:
        return int(np.count_nonzero(plan.steps.any(axis=1)))
    numerator, denominator = plan.terms[:2]
    return sum(size for c, size in enumerate(plan.sizes, start=1) if numerator[c] or denominator[c])


def result_of(
    task: Task,
    plan: Question,
    answer: Answer,
    run: Run | Decided | None,
    checks: Mapping[str, Yeh2000Checks],
) -> RandomizationResult:
    comparison = task.comparison
    common: dict[str, Any] = {
        "metric": plan.metric.name,
        "statistic": plan.statistic,
        "score_a": plan.scores[0],
        "score_b": plan.scores[1],
        "alternative": plan.alternative,
        "engine": answer.engine,
        "reason": answer.reason,
        "unit": comparison.unit,
        "greater_is_better": plan.metric.greater_is_better,
        "n_units": comparison.n_units,
        "n_moving": _moving(comparison, plan),
        "n_correct": None if comparison.units is not None else comparison.responses[0].size,
        "n_spurious": None if comparison.units is not None else comparison.responses[1].size,
        "confidence_level": task.confidence_level,
        "zero_division": task.zero_division,
        "tau": plan.band,
    }
    if answer.found is not None:
        pvalue, log_pvalue = _pvalues(answer.found)
        decision = None
        if task.rule is not None:
            alpha = task.rule.alpha
            decision = Decision(alpha, 0.0, "below" if pvalue <= alpha else "above", None)
        return RandomizationResult(
            **common,
            pvalue=pvalue,
            log_pvalue=log_pvalue,
            method="exact",
            n_resamples=None,
            n_hits=None,
            zero_denominator=plan.zero_denominator or answer.found.undefined,
            error_bound=answer.found.error_bound,
            decision=decision,
            _count=_counter(comparison, plan, answer.found),
            _null=partial(_exact_null, comparison, plan),
        )
    assert run is not None
    i = run.plans.index(plan)
    pvalue, log_pvalue = _approximate(run.hits[i], run.n_resamples)
    kept = run.differences[i]
    source = task.source
    return RandomizationResult(
        **common,
        pvalue=pvalue,
        log_pvalue=log_pvalue,
        method="approximate",
        n_resamples=run.n_resamples,
        n_hits=run.hits[i],
        seed=Seed(source.name, source.entropy, source.spawn_key, 0),
        checks=checks.get(plan.metric.name),
        zero_denominator=plan.zero_denominator or run.undefined[i],
        n_within_tau=run.near[i] if plan.band else None,
        decision=run.decisions[i] if isinstance(run, Decided) else None,
        _null=None if kept is None else partial(_sampled_null, plan, kept),
    )


# ---- the public function ---------------------------------------------------------------


@overload
def randomization_test(  # type: ignore[overload-overlap]
    comparison: Comparison,
    metric: str | Metric,
    *,
    alternative: str = ...,
    method: str = ...,
    n_resamples: int | None = ...,
    rng: streams.Seed = ...,
    bit_generator: str | streams.Factory | None = ...,
    threads: int | None = ...,
    zero_division: int = ...,
    confidence_level: float = ...,
    exact_budget: int = ...,
    keep_null: bool = ...,
    allow_bad_generator: bool = ...,
    decide_at: float | None = ...,
    risk: float = ...,
    max_resamples: int = ...,
    progress: Progress | bool | None = ...,
) -> RandomizationResult: ...


@overload
def randomization_test(
    comparison: Comparison,
    metric: Iterable[str | Metric],
    *,
    alternative: str = ...,
    method: str = ...,
    n_resamples: int | None = ...,
    rng: streams.Seed = ...,
    bit_generator: str | streams.Factory | None = ...,
    threads: int | None = ...,
    zero_division: int = ...,
    confidence_level: float = ...,
    exact_budget: int = ...,
    keep_null: bool = ...,
    allow_bad_generator: bool = ...,
    decide_at: float | None = ...,
    risk: float = ...,
    max_resamples: int = ...,
    progress: Progress | bool | None = ...,
) -> dict[str, RandomizationResult]: ...


def randomization_test(
    comparison: Comparison,
    metric: str | Metric | Iterable[str | Metric],
    *,
    alternative: str = "two-sided",
    method: str = "auto",
    n_resamples: int | None = None,
    rng: streams.Seed = None,
    bit_generator: str | streams.Factory | None = None,
    threads: int | None = None,
    zero_division: int = 0,
    confidence_level: float = 0.99,
    exact_budget: int = EXACT_BUDGET,
    keep_null: bool = False,
    allow_bad_generator: bool = False,
    decide_at: float | None = None,
    risk: float = RISK,
    max_resamples: int = MOST_RESAMPLES,
    progress: Progress | bool | None = None,
) -> RandomizationResult | dict[str, RandomizationResult]:
    """Test whether two systems differ in a metric: Yeh (2000), section 3.3.

    Parameters
    ----------
    comparison : Comparison
        Both systems on the same test data.
    metric : str, Metric, or several of them
        ``"recall"``, ``"f1"``, ``"accuracy"``, ``"mean"``, ``"mcc"``, ... (see
        :func:`csig.metrics.get`) or your own :class:`csig.Metric`. Several are tested on the
        same shuffles.
    alternative : {"two-sided", "less", "greater"}
        What counts as extreme: A differs from B, is less, is greater.
    method : {"auto", "exact", "approximate", "yeh2000"}
        "auto" is exact within ``exact_budget``, and wherever shuffles would take longer, and
        approximate beyond. "yeh2000" is the
        paper's procedure whole: exact for at most 20 unique responses, else
        1,048,576 shuffles with a second independent run and the sign test on recall
        as checks.
    n_resamples : int, optional
        Shuffles of an approximate test. The default, 2^20, is the paper's. Not with
        ``decide_at``.
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
        the same data take the same engine everywhere. The default, 2^26, is about a second.
    keep_null : bool
        Keep the difference of every shuffle, 8 bytes each a metric, for ``result.null``.
    allow_bad_generator : bool
        Take ``bit_generator="randu"`` and ``"randu-top"`` too, RANDU in two forms: bad on
        purpose, for audits and teaching.
    decide_at : float, optional
        A level, say 0.05. Shuffles are then drawn in whole chunks of 2^16 until the hits of every
        metric that is not exact prove on which side of it the p-value lies; the result's
        ``decision`` has the verdict. All metrics have the shuffles up to the common stop.
    risk : float
        With ``decide_at``: the probability of a wrong verdict, for each metric, is at most this, so
        that another seed gives another verdict with a probability of at most 2 risk.
    max_resamples : int
        With ``decide_at``: the most shuffles, rounded up to whole chunks. A metric that they do not
        decide is "undecided".
    progress : callable or True, optional
        Called as ``progress(done, total)`` while shuffles are drawn or exchanges enumerated;
        with True a bar on the terminal says how long it will take. With ``decide_at`` the total is
        what the hits so far let expect.

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

    With ``decide_at`` the stop is that of a sequential test (:mod:`csig.engines.until_decided`),
    whose risk holds however often it looks. It looks after every chunk and nowhere else, so that
    the stop and the hits do not depend on the threads. The closer the p-value is to the level the
    longer it takes: at 0.05 a p of 0.045 takes one chunk or two, 0.049 some 24, 0.0499 about
    2,600.

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
    >>> decided = csig.randomization_test(c, "f1", method="approximate", rng=1, decide_at=0.05)
    >>> decided.n_resamples, decided.decision.verdict
    (65536, 'below')
    >>> decided.decision.guarantee
    'Two seeds give opposite verdicts at 0.05 with a probability of at most 2e-06.'
    """
    instance("comparison", comparison, Comparison)
    wanted = get_all(metric, comparison.columns)
    rule = _rule(
        decide_at, risk, max_resamples, method=method, n_resamples=n_resamples, keep_null=keep_null
    )
    task = make_task(
        comparison, alternative=alternative, method=method, n_resamples=n_resamples, rng=rng,
        bit_generator=bit_generator, threads=threads, zero_division=zero_division,
        confidence_level=confidence_level, exact_budget=exact_budget, keep_null=keep_null,
        allow_bad_generator=allow_bad_generator,
        rule=rule,
    )  # fmt: skip
    if method == "yeh2000" and task.n_resamples != YEH_RESAMPLES:
        raise InputError(f"n_resamples: method 'yeh2000' draws {YEH_RESAMPLES} shuffles")
    if method == "yeh2000" and comparison.units is not None:
        raise InputError("method 'yeh2000' is the paper's, for responses; use 'auto'")
    plans = [task.question(m) for m in wanted]
    with shown(progress) as notify:
        task = replace(task, notify=notify)
        exact = [exactly(task, plan) for plan in plans]
        shuffled = [plan for plan, answer in zip(plans, exact, strict=True) if answer.found is None]
        run, checks = _shuffle(task, shuffled) if shuffled else (None, {})
    results = {
        plan.metric.name: result_of(task, plan, answer, run, checks)
        for plan, answer in zip(plans, exact, strict=True)
    }
    return results[wanted[0].name] if isinstance(metric, (str, Metric)) else results
