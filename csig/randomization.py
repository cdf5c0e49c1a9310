"""Randomization tests: Yeh (2000), section 3.3, exact and by shuffles.

Null hypothesis: the two systems are interchangeable in every unit, which is a response that only
one of them produced, or everything in a sentence, document or cluster. So a fair coin swaps each
unit; the p-value is the probability of a difference at least as extreme as the observed one.

For an exact test, an engine of :mod:`csig.engines.exact` sums over all shuffles; for an approximate
one, random shuffles are counted (:mod:`csig.engines.shuffle`). Ties count as extreme and are
decided in integers (:mod:`csig.engines.questions`).
"""

from __future__ import annotations

import numbers
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypedDict, Unpack, overload

from csig import metrics as metrics_module
from csig import streams
from csig.comparison import Comparison
from csig.defaults import MOST_RESAMPLES, RISK, YEH_RESAMPLES
from csig.engines.answers import approximate, results_of, with_plain
from csig.engines.base import Counts
from csig.engines.exact import exactly
from csig.engines.pool import Progress
from csig.engines.questions import Question, make_question
from csig.engines.tasks import (
    EXACT_BUDGET,
    SlowMetricWarning,
    Task,
    make_task,
    warn_of_slow,
)
from csig.errors import InputError
from csig.metrics import Metric, get_all
from csig.paired import sign_test_pvalue
from csig.probability.binomial import rate_pvalue, same_rate_pvalue
from csig.probability.sequential import Rule
from csig.progress import shown
from csig.results import RandomizationResult, Results, SecondRun, SignCheck, Yeh2000Checks
from csig.validation import (
    METHODS,
    Alternative,
    Method,
    Statistic,
    between,
    instance,
    positive,
)

if TYPE_CHECKING:
    from concurrent.futures import Executor

__all__ = [
    "EXACT_BUDGET",
    "METHODS",
    "YEH_RESAMPLES",
    "RandomizationOptions",
    "SlowMetricWarning",
    "randomization_test",
]

#: The smallest level that can be decided: 2^48 shuffles cannot settle others.
LEAST_LEVEL = 1e-12


def _rule(
    decide_at: float | None,
    risk: float,
    max_resamples: int,
    *,
    method: Method,
    n_resamples: int | None,
    keep_null: bool,
) -> Rule | None:
    """When to stop, if the hits decide that."""
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
        raise InputError(
            "n_resamples: with decide_at the hits decide when to stop; use max_resamples"
        )
    if method == "yeh2000":
        raise InputError(f"decide_at: method 'yeh2000' always draws {YEH_RESAMPLES} shuffles")
    if keep_null:
        raise InputError(
            "keep_null does not go with decide_at, where the number of differences is not known "
            "in advance; test again with the n_resamples and the seed of the result"
        )
    return Rule(float(decide_at), risk, -(-most // streams.CHUNK))


def _yeh2000(
    task: Task, questions: Sequence[Question]
) -> tuple[dict[Question, Counts], dict[Question, Yeh2000Checks]]:
    """Compare each metric's hits in two runs, and recall's with the sign test."""
    recall = _recall(task, questions)
    asked = [*questions, recall]

    def notify(number: int) -> Progress | None:
        progress = task.notify
        if progress is None:
            return None
        return lambda done, total: progress(number * total + done, 2 * total)

    first, second = (task.draw(number, asked, notify(number)).counts for number in (0, 1))
    correct = task.comparison.responses[0]
    sign = sign_test_pvalue(correct.only_a, correct.only_b, recall.alternative)
    hits = first[recall].hits
    sign_check = SignCheck(
        n_hits=hits,
        pvalue=approximate(hits, YEH_RESAMPLES)[0],
        sign_pvalue=sign,
        agreement_pvalue=rate_pvalue(hits, YEH_RESAMPLES, sign),
    )
    checks = {
        question: Yeh2000Checks(
            _second_run(first[question].hits, second[question].hits), sign_check
        )
        for question in questions
    }
    return first, checks


def _recall(task: Task, questions: Sequence[Question]) -> Question:
    """Of the sign test."""
    alternative = questions[0].alternative
    return make_question(task.comparison, metrics_module.recall, alternative, task.zero_division)


def _second_run(hits: int, others: int) -> SecondRun:
    return SecondRun(
        n_hits=others,
        pvalue=approximate(others, YEH_RESAMPLES)[0],
        agreement_pvalue=same_rate_pvalue(hits, others, YEH_RESAMPLES),
    )


def _shuffle(
    task: Task, questions: Sequence[Question]
) -> tuple[dict[Question, Counts], dict[Question, Yeh2000Checks]]:
    """All questions from the same shuffles."""
    if task.rule is not None:
        warn_of_slow(questions, streams.CHUNK)  # at least
        return task.count_until_decided(questions, task.rule), {}
    warn_of_slow(questions, task.n_resamples)
    if task.method == "yeh2000":
        return _yeh2000(task, questions)
    return task.draw(0, questions, task.notify).counts, {}


# ---- the public function ---------------------------------------------------------------


class RandomizationOptions(TypedDict, total=False):
    """The options of :func:`randomization_test`, besides a comparison and metrics."""

    alternative: Alternative
    method: Method
    statistic: Statistic
    n_resamples: int | None
    rng: streams.Seed
    bit_generator: str | streams.Factory | None
    threads: int | None
    zero_division: int
    confidence_level: float
    exact_budget: int
    keep_null: bool
    allow_bad_generator: bool
    decide_at: float | None
    risk: float
    max_resamples: int
    executor: Executor | None
    progress: Progress | bool | None


@overload
def randomization_test(  # type: ignore[overload-overlap]
    comparison: Comparison, metric: str | Metric, **options: Unpack[RandomizationOptions]
) -> RandomizationResult: ...


@overload
def randomization_test(
    comparison: Comparison, metric: Iterable[str | Metric], **options: Unpack[RandomizationOptions]
) -> Results[RandomizationResult]: ...


def randomization_test(
    comparison: Comparison,
    metric: str | Metric | Iterable[str | Metric],
    *,
    alternative: Alternative = "two-sided",
    method: Method = "auto",
    statistic: Statistic = "difference",
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
    executor: Executor | None = None,
    progress: Progress | bool | None = None,
) -> RandomizationResult | Results[RandomizationResult]:
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
    method : {"auto", "exact", "certified", "approximate", "yeh2000"}
        "auto" is exact within ``exact_budget``, and wherever shuffles would take longer; else
        certified to within 1e-4, by the same rule; otherwise it is approximate. "certified" is for
        means and other sums over units, of any numbers: the p-value lies between two proven
        bounds, and the result's is the upper one; no shuffles, so no seed. Bounds within a
        relative 1e-9 count as exact. "yeh2000" is the paper's whole procedure: exact for at most
        20 unique responses, else 1,048,576 shuffles with a second independent run and the sign
        test on recall as checks.
    statistic : {"difference", "studentized", "auto"}
        What is compared with that of the shuffles. "difference", the paper's, asks whether the
        systems are interchangeable; they are not where they return different numbers of
        responses, however equal their precision. "studentized" divides the difference of a ratio
        by its standard error in every shuffle, and asks about the metric itself. Where both
        systems have the same denominator in every unit (recall, accuracy, means) both give the
        same p-value; a metric that is a function keeps the difference. "auto" takes the
        studentised one where it can be computed: not without all units of the data, nor with
        counts whose squares reach 2^61.
    n_resamples : int, optional
        Shuffles of an approximate test. The default, 2^20, is the paper's. Not with
        ``decide_at``.
    rng : None, int, sequence of int, SeedSequence, BitGenerator or Generator
        The seed. With None fresh entropy is drawn; the result records it. Nothing is drawn, and
        ``result.seed`` is None, where the test is exact or certified.
    bit_generator : str, class or callable, optional
        "PCG64DXSM" (default), "PCG64", "Philox", "SFC64", "MT19937", or anything that
        makes a numpy BitGenerator from a SeedSequence.
    threads : int, optional
        Default: all processors; with an executor one for each of its workers, as it has one for
        every processor. The hits do not depend on it.
    zero_division : {0, 1}
        The score where the denominator is zero, observed and in shuffles alike. The
        default 0 is scikit-learn's.
    confidence_level : float
        Of the interval around an approximate p-value. 0.99, because verdicts depend on it.
    exact_budget : int
        Steps that "auto" allows an exact engine, and factors of the characteristic function that
        it allows bounds; counted in advance, never timed, so the same data use the same engine
        everywhere. The default, 2^26, is about a second.
    keep_null : bool
        Keep the difference of every shuffle, 8 bytes each per metric, for ``result.null``.
    allow_bad_generator : bool
        Also accept ``bit_generator="randu"`` and ``"randu-top"``, RANDU in two forms: bad on
        purpose, for audits and teaching.
    decide_at : float, optional
        A level such as 0.05. Shuffles are then drawn in whole chunks of 2^16 until the hits settle,
        for every metric that is not exact, whether the p-value is below it; the result's
        ``decision`` has the verdict. All metrics use all shuffles up to the common stop.
    risk : float
        With ``decide_at``: the maximum probability of a wrong verdict for each metric, so that
        another seed gives another verdict with probability at most 2 risk.
    max_resamples : int
        With ``decide_at``: the maximum number of shuffles, rounded up to whole chunks. A metric
        that they do not settle is "undecided".
    executor : concurrent.futures.Executor, optional
        Draws the shuffles: a process pool, dask's ``Client.get_executor()``, mpi4py.futures,
        loky, on one machine or many; exact tests stay here. The hits are those of one thread.
        A metric that is a function of your own is sent along, so it must be picklable.
        Not with ``keep_null``.
    progress : callable or True, optional
        Called as ``progress(done, total)`` while shuffles are drawn or enumerated; with True a
        bar on the terminal shows how long it will take. With ``decide_at`` the total is an
        estimate from the hits so far.

    Returns
    -------
    RandomizationResult
        For several metrics :class:`csig.Results`, which is a dict {metric name: result}.

    Raises
    ------
    InputError
        For anything that cannot be used.

    Notes
    -----
    The null hypothesis is that every unique response is equally likely to be either system's,
    independently of the others. The approximate p-value is (hits + 1) / (shuffles + 1)
    (Noreen 1989); ties count as hits and are decided in integers. Exact p-values have no + 1.

    Certified bounds come from the characteristic function of the sum, evaluated at few
    frequencies and bounded at all others, with every rounding counted against them. Where units
    have few different values, so that bounds do not close, the sums are counted, or an exact
    engine answers within ``exact_budget``; where neither can, the test is refused.

    With ``decide_at`` the stop is that of a sequential test (:mod:`csig.probability.sequential`),
    whose risk holds however often it looks. It looks after every chunk and nowhere else, so that
    the stop and the hits do not depend on the threads. The closer the p-value is to the level, the
    longer it takes: at 0.05 a p of 0.045 takes one or two chunks, 0.049 about 24, 0.0499 about
    2,600.

    References
    ----------
    Yeh, A. (2000). More accurate tests for the statistical significance of result
    differences. COLING.
    Konietschke, F. and Pauly, M. (2014). Bootstrapping and permuting paired t-test type statistics.
    Statistics and Computing 24. (Studentised statistics.)
    Graham, S. W. and Vaaler, J. D. (1981). A class of extremal functions for the Fourier
    transform. Transactions of the American Mathematical Society 265. (Certified bounds.)

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
        allow_bad_generator=allow_bad_generator, rule=rule, executor=executor,
        statistic="difference" if method == "yeh2000" and statistic == "auto" else statistic,
    )  # fmt: skip
    if method == "yeh2000" and statistic == "studentized":
        raise InputError("method 'yeh2000' is the paper's, with statistic 'difference'")
    if method == "yeh2000" and task.n_resamples != YEH_RESAMPLES:
        raise InputError(f"n_resamples: method 'yeh2000' draws {YEH_RESAMPLES} shuffles")
    if method == "yeh2000" and comparison.units is not None:
        raise InputError("method 'yeh2000' is the paper's, for responses; use 'auto'")
    asked = [task.question(m) for m in wanted]
    questions = with_plain(asked)
    if keep_null and len(questions) > len(asked):
        raise InputError("keep_null goes with statistic 'difference' only")
    with shown(progress) as notify:
        task = replace(task, notify=notify)
        answers = {question: exactly(task, question) for question in questions}
        shuffled = [question for question, answer in answers.items() if answer.found is None]
        counts, checks = _shuffle(task, shuffled) if shuffled else ({}, {})
    results = Results(results_of(task, answers, counts, checks))
    return results[wanted[0].name] if isinstance(metric, (str, Metric)) else results
