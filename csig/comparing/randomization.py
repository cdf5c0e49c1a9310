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
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypedDict, Unpack, overload

import numpy as np

from csig import streams
from csig.base.defaults import MOST_RESAMPLES, RISK, YEH_RESAMPLES
from csig.base.errors import InputError
from csig.base.progress import shown
from csig.base.validation import Alternative, Method, Statistic, between, instance, positive, public
from csig.base.wording import documented
from csig.classical.paired import sign_test_pvalue
from csig.data import metrics as metrics_module
from csig.data.comparison import Comparison
from csig.data.metrics import Metric, get_all
from csig.data.tables import depth
from csig.engines.base import Counts
from csig.engines.exact import approximate, exactly, results_of, with_plain
from csig.engines.pool import Progress
from csig.engines.questions import Question, make_question
from csig.engines.tasks import EXACT_BUDGET, Task, make_task, warn_of_slow
from csig.probability.binomial import Rule, rate_pvalue, same_rate_pvalue
from csig.results.randomization import (
    RandomizationResult,
    Results,
    SecondRun,
    SignCheck,
    Yeh2000Checks,
)

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from numpy.typing import NDArray

#: The smallest level that can be decided: 2^48 shuffles cannot settle others.
LEAST_LEVEL = 1e-12


def _yeh2000(
    task: Task, questions: Sequence[Question]
) -> tuple[dict[Question, Counts], dict[Question, Yeh2000Checks]]:
    """Compare each metric's hits in two runs, and recall's with the sign test."""
    alternative = questions[0].alternative
    recall = make_question(task.comparison, metrics_module.recall, alternative, task.zero_division)

    def notify(number: int) -> Progress | None:
        progress = task.notify
        if progress is None:
            return None
        return lambda done, total: progress(number * total + done, 2 * total)

    first, second = (
        task.draw(number, [*questions, recall], notify(number)).counts for number in (0, 1)
    )
    correct = task.comparison.responses[0]
    sign = sign_test_pvalue(correct.only_a, correct.only_b, alternative)
    hits = first[recall].hits
    sign_check = SignCheck(
        n_hits=hits,
        pvalue=approximate(hits, YEH_RESAMPLES)[0],
        sign_pvalue=sign,
        agreement_pvalue=rate_pvalue(hits, YEH_RESAMPLES, sign),
    )
    checks = {}
    for question in questions:
        hits, others = first[question].hits, second[question].hits
        second_run = SecondRun(
            n_hits=others,
            pvalue=approximate(others, YEH_RESAMPLES)[0],
            agreement_pvalue=same_rate_pvalue(hits, others, YEH_RESAMPLES),
        )
        checks[question] = Yeh2000Checks(second_run, sign_check)
    return first, checks


class _Series(Protocol):
    """Of pandas, polars or pyarrow."""

    def to_numpy(self) -> Any: ...
    def __len__(self) -> int: ...


#: One score per unit.
Scores: TypeAlias = "Sequence[float] | NDArray[Any] | _Series"


def _of_arrays(a: Any, b: Any, names: tuple[str, str]) -> Comparison:
    """Two systems' scores of the same units."""
    if isinstance(b, (str, Metric)):
        instance("comparison", a, Comparison)
    for system, scores in (("a", a), ("b", b)):
        axes = depth(scores) if isinstance(scores, (list, tuple)) else np.ndim(scores)
        if axes != 1:
            found = f"{axes} axes" if axes else type(scores).__name__
            raise InputError(
                f"{system}: expected one score per unit (a list, an array or a Series), found "
                f"{found}; for anything else make a csig.Comparison"
            )
        if not len(scores):
            raise InputError(f"{system}: found no scores, expected one per unit")
    comparison = Comparison.from_scores(a, b, names=names)
    one, other = comparison.names
    if one == other:
        raise InputError(f"names: found {one!r} twice, expected two different names")
    return comparison


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
    pvalue_confidence: float
    exact_budget: int
    keep_null: bool
    allow_bad_generator: bool
    decide_at: float | None
    risk: float | None
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


@overload
def randomization_test(
    comparison: Scores,
    metric: Scores,
    *,
    names: tuple[str, str] = ...,
    **options: Unpack[RandomizationOptions],
) -> RandomizationResult: ...


@public("csig")
@documented
def randomization_test(
    comparison: Comparison | Scores,
    metric: str | Metric | Iterable[str | Metric] | Scores,
    *,
    names: tuple[str, str] | None = None,
    alternative: Alternative = "two-sided",
    method: Method = "auto",
    statistic: Statistic = "difference",
    n_resamples: int | None = None,
    rng: streams.Seed = None,
    bit_generator: str | streams.Factory | None = None,
    threads: int | None = None,
    zero_division: int = 0,
    pvalue_confidence: float = 0.99,
    exact_budget: int = EXACT_BUDGET,
    keep_null: bool = False,
    allow_bad_generator: bool = False,
    decide_at: float | None = None,
    risk: float | None = None,
    max_resamples: int = MOST_RESAMPLES,
    executor: Executor | None = None,
    progress: Progress | bool | None = None,
) -> RandomizationResult | Results[RandomizationResult]:
    """Test whether two systems differ in a metric: Yeh (2000), section 3.3.

    Takes a comparison and a metric; or two arrays ``a, b``, the system's scores of the units and
    the baseline's of the same units, whose means are compared.

    Parameters
    ----------
    comparison : Comparison, or sequence of numbers
        Both systems on the same test data; or the scores of A: a list, an array or a Series of
        one number per unit, or 0 and 1 for wrong and right.
    metric : str, Metric, or several of them; or sequence of numbers
        ``"recall"``, ``"f1"``, ``"accuracy"``, ``"mean"``, ``"mcc"``, ... (see
        :func:`csig.metrics.get`) or your own :class:`csig.Metric`. Several are tested on the
        same shuffles. Beside the scores of A those of B.
    names : pair of str, optional
        The systems' names in reports, of arrays; a comparison has its own.
    %(alternative)s
    method : {"auto", "exact", "certified", "approximate", "yeh2000"}
        "auto" is exact within ``exact_budget``, and wherever shuffles would take longer; else
        certified to within 1e-4, by the same rule; otherwise approximate, by shuffles.
        "certified" is for means and other sums over units, of any numbers: the p-value lies
        between two proven bounds, and the result's is the upper one (bounds within a relative
        1e-9 count as exact). "yeh2000" is the paper's whole procedure: exact for at most 20 unique
        responses, else 1,048,576 shuffles, with a second run and the sign test on recall as checks.
    statistic : {"difference", "studentized", "auto"}
        What is compared with that of the shuffles. "difference", the paper's, asks whether the
        systems are interchangeable; they are not where they return different numbers of
        responses, however equal their precision. "studentized" divides the difference of a ratio
        by its standard error in every shuffle, and asks about the metric itself. Both are the same
        where both systems have the same denominator in every unit (recall, accuracy, means), and
        for metrics that are functions. "auto" is studentised where that can be computed: not
        without all units of the data, nor with counts whose squares reach 2^61.
    n_resamples : int, optional
        Shuffles of an approximate test; by default the paper's 2^20. Not with ``decide_at``.
    rng : None, int, sequence of int, SeedSequence, BitGenerator or Generator
        The seed; with None fresh entropy, which ``result.seed`` records where anything is drawn.
    bit_generator : str, class or callable, optional
        "PCG64DXSM" (default), "PCG64", "Philox", "SFC64", "MT19937", or anything that
        makes a numpy BitGenerator from a SeedSequence.
    threads : int, optional
        By default one for every processor, with an executor one for each of its workers. The hits
        do not depend on it.
    zero_division : {0, 1}
        The score where the denominator is zero, observed and in shuffles alike. The
        default 0 is scikit-learn's.
    pvalue_confidence : float
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
        A level such as 0.05. Shuffles are then drawn in chunks of 2^16 until the hits settle, for
        every metric that is not exact, whether its p-value is below it; ``result.decision`` has
        the verdict. All metrics use all shuffles up to the common stop.
    risk : float, optional
        With ``decide_at``: the maximum probability of a wrong verdict for each metric, by default
        1e-6; two seeds give opposite ones with at most twice that.
    max_resamples : int
        With ``decide_at``: the maximum number of shuffles, rounded up to whole chunks. A metric
        that they do not settle is "undecided".
    executor : concurrent.futures.Executor, optional
        Draws the shuffles: a process pool, dask's ``Client.get_executor()``, mpi4py.futures, loky.
        Exact tests stay here. The hits are those of one thread. A function of your own must be
        picklable. Not with ``keep_null``.
    progress : callable or True, optional
        Called as ``progress(done, total)`` while shuffles are drawn or enumerated; True shows a
        bar on the terminal. With ``decide_at`` the total is an estimate.

    Returns
    -------
    RandomizationResult
        It can be unpacked: ``statistic, pvalue = randomization_test(...)``. For several metrics
        :class:`csig.results.Results`, which is a dict {metric name: result}.

    Notes
    -----
    The null hypothesis is that every unique response is equally likely to be either system's,
    independently of the others. The approximate p-value is (hits + 1) / (shuffles + 1)
    (Noreen 1989); ties count as hits and are decided in integers. Exact p-values have no + 1.
    docs/method.md says which engine finds them, and what certified bounds are made of.

    With ``decide_at`` the stop is that of a sequential test, whose risk holds however often it
    looks. The closer p is to the level the longer it takes: at 0.05 a p of 0.045 takes one or two
    chunks, 0.049 about 24, 0.0499 about 2,600.

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

    Right and wrong answers of a system and a baseline to the same questions:

    >>> statistic, pvalue = csig.randomization_test([1, 1, 1, 1, 1, 0, 1], [1, 0, 0, 0, 1, 0, 0])
    >>> round(statistic, 4), pvalue
    (0.5714, 0.125)
    """
    if not isinstance(comparison, Comparison):
        comparison = _of_arrays(comparison, metric, ("A", "B") if names is None else names)
        metric = "mean"
    elif names is not None:
        raise InputError("names: go with two arrays; a comparison has its own")
    wanted = get_all(metric, comparison.columns)
    rule = None
    if decide_at is None:
        if risk is not None or max_resamples != MOST_RESAMPLES:
            raise InputError("risk and max_resamples go with decide_at only")
    else:
        low, high = LEAST_LEVEL, 1 - LEAST_LEVEL
        if not isinstance(decide_at, numbers.Real) or not low <= decide_at <= high:
            raise InputError(f"decide_at must lie between {low} and 1 - {low}, found {decide_at!r}")
        risk = RISK if risk is None else between("risk", risk, 0, 0.5)
        most = positive("max_resamples", max_resamples, 2**48)
        if n_resamples is not None:
            raise InputError(
                "n_resamples: with decide_at the hits decide when to stop; use max_resamples"
            )
        if method == "yeh2000":
            raise InputError(f"decide_at: method 'yeh2000' always draws {YEH_RESAMPLES} shuffles")
        if keep_null:
            raise InputError(
                "keep_null does not go with decide_at, where the number of differences is not "
                "known in advance; test again with the n_resamples and the seed of the result"
            )
        rule = Rule(float(decide_at), risk, -(-most // streams.CHUNK))
    task = make_task(
        comparison, alternative=alternative, method=method, n_resamples=n_resamples, rng=rng,
        bit_generator=bit_generator, threads=threads, zero_division=zero_division,
        pvalue_confidence=pvalue_confidence, exact_budget=exact_budget, keep_null=keep_null,
        allow_bad_generator=allow_bad_generator, rule=rule, executor=executor,
        statistic="difference" if method == "yeh2000" and statistic == "auto" else statistic,
    )  # fmt: skip
    if method == "yeh2000":
        if statistic == "studentized":
            raise InputError("method 'yeh2000' is the paper's, with statistic 'difference'")
        if task.n_resamples != YEH_RESAMPLES:
            raise InputError(f"n_resamples: method 'yeh2000' draws {YEH_RESAMPLES} shuffles")
        if comparison.units is not None:
            raise InputError("method 'yeh2000' is the paper's, for responses; use 'auto'")
    asked = [task.question(m) for m in wanted]
    questions = with_plain(asked)
    if keep_null and len(questions) > len(asked):
        raise InputError("keep_null goes with statistic 'difference' only")
    with shown(progress) as notify:
        task = replace(task, notify=notify)
        answers = {question: exactly(task, question) for question in questions}
        shuffled = [question for question, answer in answers.items() if answer.found is None]
        counts: dict[Question, Counts] = {}
        checks: dict[Question, Yeh2000Checks] = {}
        if shuffled:
            warn_of_slow(shuffled, task.n_resamples if rule is None else streams.CHUNK)  # at least
            if rule is None:
                task.announce(shuffled, runs=2 if method == "yeh2000" else 1)
            if rule is not None:
                counts = task.count_until_decided(shuffled, rule)
            elif method == "yeh2000":
                counts, checks = _yeh2000(task, shuffled)
            else:
                counts = task.draw(0, shuffled, task.notify).counts
    results = Results(results_of(task, answers, counts, checks))
    return results[wanted[0].name] if isinstance(metric, (str, Metric)) else results
