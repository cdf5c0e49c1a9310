"""The checks of an audit, but those of its generator.

Do the shuffles agree with each other, with what needs no shuffles, and with other programs? A
second run and a third; the sign test on recall; the exact p-value; the symmetry of the null
distribution; whether this many shuffles settle the verdict; a replay in numpy, and other threads
and instructions.

What do the tests assume? That units are independent, and that systems differ in nothing else.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.random import SeedSequence

from csig import replay, streams
from csig.audits.outcome import RISK, AuditRun, Check
from csig.base.errors import InputError
from csig.base.progress import shown
from csig.base.validation import Alternative
from csig.base.wording import noun
from csig.classical import independent
from csig.classical.paired import sign_test_pvalue
from csig.data import metrics as metrics_module
from csig.data.comparison import Comparison
from csig.data.metrics import Metric
from csig.data.units import Units
from csig.engines.base import Counts
from csig.engines.exact import Answer, exactly, result_of
from csig.engines.pool import Progress
from csig.engines.questions import (
    Question,
    StudentizedQuestion,
    WeightsQuestion,
    make_question,
)
from csig.engines.tasks import Task
from csig.probability.binomial import clopper_pearson, rate_pvalue, same_rate_pvalue
from csig.results.randomization import LEAST_COUNT, RandomizationResult

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: The number of the run that swaps single responses where larger units are swapped in the others.
SINGLE = 3

#: What the shuffles are asked, by metric and tail.
Questions = Mapping[tuple[str, str], Question]


# ---- runs --------------------------------------------------------------------------------------


def ask(task: Task, metrics: Sequence[Metric]) -> dict[tuple[str, str], Question]:
    """What the shuffles are asked, for every metric: the test, and both tails."""
    found: dict[tuple[str, str], Question] = {}
    for metric in metrics:
        both = make_question(task.comparison, metric, "two-sided", task.zero_division)
        found[metric.name, "two-sided"] = both
        found[metric.name, "upper"] = both.one_tail(upper=True)
        found[metric.name, "lower"] = both.one_tail(upper=False)
        if task.alternative != "two-sided":
            found[metric.name, task.alternative] = task.question(metric)
    return found


def of_single(task: Task, responses: Comparison) -> tuple[Task, Questions]:
    """The task and questions of run `SINGLE`: recall, with single responses swapped."""
    single = replace(task, comparison=responses, alternative="two-sided")
    return single, ask(single, [metrics_module.recall])


def run_chunks(
    task: Task,
    number: int,
    questions: Questions,
    *,
    first: int = 0,
    n_resamples: int | None = None,
    threads: int | None = None,
    isa: str | None = None,
    source: streams.Source | None = None,
    notify: Progress | None = None,
) -> AuditRun:
    """Draw the shuffles of some chunks, all by default."""
    n = task.n_resamples if n_resamples is None else n_resamples
    own = replace(task, source=source or task.source)
    if isa is not None or threads is not None:
        own = replace(own, executor=None, threads=threads or task.threads)
    found = own.draw(
        number, list(questions.values()), notify, n_resamples=n, by_chunk=True, first_chunk=first,
        isa=isa,
    )  # fmt: skip
    hits = dict(zip(questions, found.hits, strict=True))
    by_chunk = {chunk: tuple(found.chunks[chunk][0]) for chunk in sorted(found.chunks)}
    return AuditRun(number, own.source, n, hits, by_chunk)


def _all_runs(
    task: Task, questions: Questions, notify: Progress | None, responses: Comparison | None
) -> tuple[AuditRun, ...]:
    """The run, a second one, a third one with a generator of the other family; and a fourth that
    swaps single responses, if these are given.
    """
    seed = SeedSequence(task.source.entropy, spawn_key=task.source.spawn_key)
    other = "PCG64DXSM" if task.source.name == "Philox" else "Philox"
    sources = [task.source, task.source, streams.make_source(seed, other)]
    wanted = [(task, questions, source) for source in sources]
    if responses is not None:
        wanted.append((*of_single(task, responses), task.source))
    task.announce(list(questions.values()), runs=len(wanted), by_chunk=True)
    runs = []
    for number, (own, asked, source) in enumerate(wanted):

        def tell(done: int, total: int, number: int = number) -> None:
            assert notify is not None
            notify(number * total + done, len(wanted) * total)

        runs.append(run_chunks(own, number, asked, source=source, notify=tell if notify else None))
    return tuple(runs)


# ---- all ---------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Context:
    """What a check may look at."""

    task: Task  #: The options of the runs, and the comparison.
    metrics: tuple[Metric, ...]  #: The requested metrics.
    #: Recall, if these data have it; the runs count its hits even if it was not requested.
    recall: Metric | None
    #: The same data with single responses swapped, where the last run swaps them.
    responses: Comparison | None
    questions: Questions  #: What the runs were asked.
    runs: tuple[AuditRun, ...]
    results: dict[str, RandomizationResult]  #: Of the first run, for the requested metrics.
    #: For these and recall, as far as an exact engine can compute them within its budget.
    exact: dict[str, RandomizationResult]
    alpha: float  #: The significance level of the verdicts.

    @property
    def comparison(self) -> Comparison:
        """What was tested."""
        return self.task.comparison


def make_context(
    task: Task,
    metrics: Sequence[Metric],
    *,
    alpha: float,
    edition: int,
    progress: Progress | bool | None = None,
) -> Context:
    """Draw the shuffles of all runs, and answer by shuffles and exactly."""
    comparison = task.comparison
    recall = _recall(comparison.columns, metrics, edition)
    more = [] if recall is None or recall.name in {m.name for m in metrics} else [recall]
    questions = ask(task, [*metrics, *more])
    responses = None
    if recall is not None and comparison.units is not None and edition > 1:
        responses = comparison.by_response()
    with shown(progress) as notify:
        runs = _all_runs(task, questions, notify, responses)
    asked = {name: own for (name, tail), own in questions.items() if tail == task.alternative}
    exact = {name: exact_result(task, question) for name, question in asked.items()}
    first = runs[0]
    results = {}
    for metric in metrics:
        hits = first.hits[metric.name, task.alternative]
        counts = Counts(hits=hits, n_resamples=first.n_resamples)
        results[metric.name] = drawn_result(task, asked[metric.name], counts)
    return Context(
        task=task,
        metrics=tuple(metrics),
        recall=recall,
        responses=responses,
        questions=questions,
        runs=runs,
        results=results,
        exact={name: result for name, result in exact.items() if result is not None},
        alpha=alpha,
    )


def exact_result(task: Task, question: Question) -> RandomizationResult | None:
    """The exact answer, if an engine can compute it within its budget."""
    answer = exactly(replace(task, method="auto", notify=None), question)
    return None if answer.found is None else result_of(task, question, answer)


def drawn_result(task: Task, question: Question, counts: Counts) -> RandomizationResult:
    """The answer by shuffles."""
    return result_of(task, question, Answer(None, "shuffle", "asked for"), counts)


def _recall(columns: Sequence[str], wanted: Sequence[Metric], edition: int) -> Metric | None:
    """Recall, if the data have it and no user-defined metric has its name."""
    # The first edition knew it by (tp, gold) only, and not for labels.
    known = metrics_module.recall if edition == 1 else metrics_module.get("recall", columns)
    if not set(known.columns) <= set(columns):
        return None

    def weights(metric: Metric) -> list[dict[str, object]]:
        parts = (metric.numerator, metric.denominator)
        return [dict(zip(metric.columns, part, strict=True)) for part in parts]

    for metric in wanted:
        if metric.name == known.name:
            same = metric.linear_fractional and weights(metric) == weights(known)
            return known if same else None
    return known


#: Maximum number of random words that the replay in numpy draws for one chunk.
REPLAYED_WORDS = 2**21

#: Where the difference and the metric itself are judged alike.
ALIKE = "Both p-values lead to the same verdict."


def check_runs(context: Context) -> list[Check]:
    """Compare the three runs with each other."""
    found = []
    pairs = [(0, 1, "first and second"), (0, 2, "first and third"), (1, 2, "second and third")]
    for metric in context.metrics:
        for i, j, name in pairs:
            one, other = context.runs[i], context.runs[j]
            hits = [run.hits[metric.name, context.task.alternative] for run in (one, other)]
            generators = f"{one.bit_generator} and {other.bit_generator}"
            if one.bit_generator == other.bit_generator:
                generators = f"{one.bit_generator} both"
            found.append(
                Check(
                    f"runs: {metric.name}, {name}",
                    pvalue=same_rate_pvalue(hits[0], hits[1], one.n_resamples),
                    statistic=float(hits[0] - hits[1]),
                    what=f"Run {one.number} and run {other.number} ({generators}), "
                    f"{one.n_resamples:,} shuffles each, were compared by an exact test of two "
                    f"binomial counts.",
                    observed=f"{hits[0]:,} and {hits[1]:,} hits",
                    expected=f"{sum(hits) / 2:,.1f} hits each, within chance",
                    sentence="Another run of the same test must give the same answer, within "
                    "chance; this check finds a lucky draw or a bad generator.",
                )
            )
    return found


# ---- the sign test -----------------------------------------------------------------------------

_SIGN_TEST = (
    "Recall's p-value from the same shuffles was compared with the exact sign test on recall."
)

_OF_RESPONSES = (
    "On recall, the shuffles must agree with a test that needs none. It is blind to wrong "
    "responses; the checks below are not."
)


def check_sign_test(context: Context) -> list[Check]:
    """Recall's hits against the sign test's p-value, which are the same number for responses."""
    comparison = context.comparison
    if context.recall is None:
        return [Check.not_applicable("sign test", _SIGN_TEST, "these data have no recall")]
    if comparison.units is None:
        correct = comparison.responses[0]
        counts = correct.only_a, correct.only_b
        return _sign_tests(counts, context.runs[0], _SIGN_TEST, _OF_RESPONSES)
    of = f"the test swaps {noun(comparison.unit, 2)}, and the sign test is about single responses"
    place = "recall's exact p-value, under 'exact', takes its place"
    # The first version of records had no run that swaps single responses, and no sign test where
    # units differ by one response at most.
    first = Check.not_applicable("sign test", _SIGN_TEST, f"{of}; {place}")
    found = _sign_tests_of_units(context, context.recall, comparison.units)
    if not found:
        why = f"{of}, which this comparison does not have; {place}"
        found = [Check.not_applicable("sign test", _SIGN_TEST, why)]
    return [replace(first, until=1), *(replace(check, since=2) for check in found)]


def _sign_tests_of_units(context: Context, recall: Metric, units: Units) -> list[Check]:
    """Where larger units are swapped: of a run that swaps single responses, or of units that differ
    by one response at most; none where neither is known.
    """
    one, many = (noun(context.comparison.unit, number) for number in (1, 2))
    if context.responses is not None:
        run, correct = context.runs[SINGLE], context.responses.responses[0]
        what = (
            f"Single responses were swapped in a separate run (run {run.number}), as in the paper, "
            f"and recall's p-value was compared with the exact sign test on recall."
        )
        sentence = (
            f"On recall, shuffles of single responses must agree with a test that needs no "
            f"shuffles. This says nothing about the unit: the p-values of this audit are those "
            f"for swapped {many}."
        )
        return _sign_tests((correct.only_a, correct.only_b), run, what, sentence)
    rows = recall.weights_of(context.comparison.columns)
    above, below = (np.array(row, dtype=np.int64) for row in rows)
    more = units.differences @ above  # of A's correct responses in each unit
    if (units.differences @ below).any() or np.abs(more).max(initial=0) > 1:
        return []  # the difference in recall does not depend on two counts of units alone
    what = (
        f"The systems never differ by more than one correct response in any {one}, so each counts "
        f"as one response. {_SIGN_TEST}"
    )
    counts = int(np.count_nonzero(more > 0)), int(np.count_nonzero(more < 0))
    return _sign_tests(counts, context.runs[0], what, _OF_RESPONSES)


def _sign_tests(counts: tuple[int, int], run: AuditRun, what: str, sentence: str) -> list[Check]:
    """Test the correct responses that only A or only B has: two-sided, and as observed."""
    only_a, only_b = counts
    tails: list[tuple[str, Alternative]] = [("two-sided", "two-sided")]
    if only_a != only_b:
        tails.append(("upper", "greater") if only_a > only_b else ("lower", "less"))
    found = []
    for tail, alternative in tails:
        sign = sign_test_pvalue(only_a, only_b, alternative)
        hits = run.hits["recall", tail]
        found.append(
            Check(
                f"sign test: recall, {alternative}",
                pvalue=rate_pvalue(hits, run.n_resamples, sign),
                statistic=float(hits),
                what=what,
                observed=f"{hits:,} hits of {run.n_resamples:,}",
                expected=f"{sign * run.n_resamples:,.1f} hits (the sign test's p is {sign:.6g})",
                sentence=sentence,
            )
        )
    return found


# ---- exact p-values, symmetry, resolution ------------------------------------------------------


def between_pvalue(hits: int, n_resamples: int, low: float, high: float) -> float:
    """The p-value of hits whose rate lies between two bounds: of what is nearest to them."""
    return rate_pvalue(hits, n_resamples, min(max(hits / n_resamples, low), high))


def check_exact(context: Context) -> list[Check]:
    """Compare the first run with exact p-values."""
    found = []
    run = context.runs[0]
    for name, result in context.exact.items():
        hits = run.hits[name, context.task.alternative]
        proof = result.certificate
        ends = (result.pvalue, result.pvalue) if proof is None else (proof.low, proof.high)
        found.append(
            Check(
                f"exact: {name}",
                pvalue=between_pvalue(hits, run.n_resamples, *ends),
                statistic=float(hits),
                what=f"The hits were compared with the {result.method} p-value "
                f"({result.engine}), which needs no random numbers.",
                observed=f"{hits:,} hits of {run.n_resamples:,}",
                expected=f"{result.pvalue * run.n_resamples:,.1f} hits (p is {result.pvalue:.6g})",
                sentence="The shuffles must agree, within chance, with exact arithmetic over all "
                "possible shuffles.",
            )
        )
    if found:
        return found
    what = "No exact engine can compute any of the metrics within its budget."
    return [Check.not_applicable("exact", what, "an exact answer would take too long")]


def check_symmetry(context: Context) -> list[Check]:
    """Compare large differences in favour of A with those in favour of B."""
    found = []
    run = context.runs[0]
    for metric in context.metrics:
        name = f"symmetry: {metric.name}"
        what = (
            "Shuffles that favour A at least as much as observed were compared with those that "
            "favour B."
        )
        if context.questions[metric.name, "two-sided"].certain:
            why = "both systems score the same, every shuffle is a hit"
            found.append(Check.not_applicable(name, what, why))
            continue
        upper, lower, both = (run.hits[metric.name, t] for t in ("upper", "lower", "two-sided"))
        found += [
            Check(
                name,
                pvalue=rate_pvalue(upper, upper + lower, 0.5),
                statistic=float(upper - lower),
                what=what,
                observed=f"{upper:,} hits for A and {lower:,} for B",
                expected=f"{both / 2:,.1f} hits each, within chance",
                sentence="If the two systems are interchangeable, large differences must be "
                "equally frequent in both directions, within chance.",
            ),
            Check(
                f"{name}, sum",
                passed=upper + lower == both,
                what="The hits of both directions were added.",
                observed=f"{upper + lower:,}",
                expected=f"{both:,}, the two-sided hits",
                sentence="Every two-sided hit must be a hit in exactly one of the two directions.",
            ),
        ]
    return found


def check_resolution(context: Context) -> list[Check]:
    """Whether this many shuffles settle the verdict."""
    found = []
    alpha = context.alpha
    for name, result in context.results.items():
        # At the audit's own risk, whatever level the user's intervals have.
        hits, trials = result.n_hits or 0, result.n_resamples or 1
        low, high = clopper_pearson(hits, trials, 1 - 2 * RISK)
        known = context.exact.get(name)
        passed: bool | None = True
        observed = f"p = {result.pvalue:.6g}, between {low:.6g} and {high:.6g}"
        if known is not None and not known.pvalue_interval[0] <= alpha < known.pvalue:
            observed = f"{known.method} p = {known.pvalue:.6g}"
            sentence = (
                f"The verdict at {alpha:g} needs no shuffles: the {known.method} p-value is known."
            )
        elif low <= alpha <= high:
            passed = None  # nothing is wrong where more would tell
            observed += ": undecided"
            sentence = (
                f"This many shuffles cannot settle whether p is below {alpha:g}; use more "
                f"(--resamples, or csig compare --decide)."
            )
        else:
            sentence = (
                f"This many shuffles settle whether p is below {alpha:g}; the probability "
                f"that they are wrong is at most {RISK:g}."
            )
        found.append(
            Check(
                f"resolution: {name}",
                passed=passed,
                what=f"The p-value's uncertainty was compared with its distance from {alpha:g}.",
                observed=observed,
                expected=f"both ends on one side of {alpha:g}",
                sentence=sentence,
            )
        )
    return found


# ---- a replay in numpy -------------------------------------------------------------------------


def replayed(
    comparison: Comparison, run: AuditRun, chunk: int, n_trials: int
) -> Callable[[Question], dict[str, int]]:
    """Replay the first trials of a chunk with :mod:`csig.replay`: a question's hits by tail."""
    seed: dict[str, Any] = {
        "entropy": run.source.entropy,
        "spawn_key": run.source.spawn_key,
        "bit_generator": run.source.factory,
        "run": run.number,
        "first_chunk": chunk,
    }
    if comparison.units is None:
        correct, spurious = comparison.responses
        x, y = replay.class_counts(correct.size, spurious.size, n_trials, **seed)
        sums = np.stack([-x, -(x + y)], axis=1)
        base = np.array(comparison.sums_a)[:2] - [correct.only_a, correct.only_a + spurious.only_a]
    else:
        sums = replay.unit_sums(comparison.units.differences, n_trials, **seed)
        base = np.array(comparison.sums_a)
    rows, times = _distinct(sums)

    def judged(question: Question) -> dict[str, int]:
        above: NDArray[Any]
        below: Any
        observed: Any
        band: Any
        if question.weighted is None:  # by the metric's function
            padded = (rows if comparison.units is None else rows[:, comparison.units.moving]).T
            above, below = question.differences(np.ascontiguousarray(padded))[0], 1
            observed, band = question.statistic, 0
        else:
            above, below, observed, band = _fractions(comparison, question.weighted, base, rows)

        def reach(sign: int, limit: Any) -> NDArray[np.bool_]:
            """Which trials reach a limit upwards or, with a sign of -1, downwards."""
            top, bottom = (limit, 1) if question.weighted is None else limit.as_integer_ratio()
            return np.asarray(sign * above * bottom >= sign * top * below)

        size = abs(observed) - band
        upper, lower = reach(1, size), reach(-1, -size)
        hits = {
            "two-sided": upper | lower, "greater": reach(1, observed - band),
            "less": reach(-1, observed + band), "upper": upper, "lower": lower,
        }  # fmt: skip
        return {tail: int(times[own].sum()) for tail, own in hits.items()}

    return judged


def _distinct(sums: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Every row that occurs, and how often."""
    # Rows that fit into one number, digit by digit, are sorted as numbers: ten times as fast.
    low, high = sums.min(axis=0), sums.max(axis=0)
    spans = [int(b) - int(a) + 1 for a, b in zip(low, high, strict=True)]
    if math.prod(spans) >= 2**62:
        return np.unique(sums, axis=0, return_counts=True)
    places = [math.prod(spans[i + 1 :]) for i in range(len(spans))]
    found, times = np.unique((sums - low) @ np.array(places), return_counts=True)
    digits = [found // place % span for place, span in zip(places, spans, strict=True)]
    return np.stack(digits, axis=1) + low, times


def _fractions(
    comparison: Comparison,
    question: WeightsQuestion,
    base: NDArray[np.int64],
    rows: NDArray[np.int64],
) -> tuple[NDArray[Any], NDArray[Any], Fraction, Fraction]:
    """The differences of trials as numerators and denominators, which no question has below 0, in
    Python's whole numbers; the observed one, and the band of ties.
    """
    weights = [
        [weight * one for weight, one in zip(row, comparison.scale, strict=True)]
        for row in question.metric.weights_of(comparison.columns)
    ]
    multiple = math.lcm(*(weight.denominator for row in weights for weight in row))
    numerator, denominator = (
        np.array([int(weight * multiple) for weight in row], dtype=object) for row in weights
    )
    zero = Fraction(question.ratio.zero_division)

    def scores(sums: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        above, below = sums @ numerator, sums @ denominator
        nothing = below == 0
        return (
            np.where(nothing, zero.numerator, above), np.where(nothing, zero.denominator, below)
        )  # fmt: skip

    def differences(a: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        (one, below_one), (other, below_other) = scores(a), scores(sums_a + sums_b - a)
        return one * below_other - other * below_one, below_one * below_other

    sums_a, sums_b = (
        np.array([int(v) for v in sums], dtype=object)
        for sums in (comparison.sums_a, comparison.sums_b)
    )
    trials = np.tile(sums_a, (len(rows), 1))
    trials[:, : rows.shape[1]] = base.astype(object) - rows.astype(object)
    observed = Fraction(*(own[0] for own in differences(sums_a[None])))
    band = Fraction(0)
    if question.line is not None and comparison.tau:
        band = 2 * question.line.tau * question.line.value
    return *differences(trials), observed, band


def check_replay(context: Context) -> list[Check]:
    """Replay a sample of the first run's chunks in numpy."""
    task, run, questions = context.task, context.runs[0], context.questions
    chunks = sorted(run.chunk_hits)
    sample = sorted({chunks[0], chunks[len(chunks) // 2], chunks[-1]})
    n = max(1, task.comparison.n_units)
    trials = max(64, min(streams.CHUNK, REPLAYED_WORDS // n * 64) // 64 * 64)
    differing: list[str] = []
    compared = 0
    for chunk in sample:
        here = min(trials, run.n_resamples - chunk * streams.CHUNK)
        made = run_chunks(
            task, run.number, questions, first=chunk, threads=1, isa="base",
            n_resamples=chunk * streams.CHUNK + here,
        )  # fmt: skip
        compared += here
        again = replayed(task.comparison, run, chunk, here)
        for name in dict.fromkeys(name for name, _ in made.hits):
            slow = again(questions[name, "two-sided"])
            differing += [
                f"{name} ({tail}), chunk {chunk}: {made.hits[name, tail]} compiled, {number} "
                f"in numpy"
                for tail, number in slow.items()
                if made.hits.get((name, tail), number) != number
            ]
    return [
        Check(
            "determinism: replay",
            passed=not differing,
            what=f"{compared:,} shuffles of {len(sample)} chunks were replayed in pure numpy, "
            f"following the written contract.",
            observed="; ".join(differing[:3]) if differing else "the same hits",
            expected="the same hits",
            sentence="An independent program that follows the written rules must get the same "
            "counts, so that others can, too.",
        )
    ]


def check_threads(context: Context) -> list[Check]:
    """Repeat the first run's first chunks with one thread and several, and in the plainest C."""
    task, run, questions = context.task, context.runs[0], context.questions
    differing = []
    few = min(4, len(run.chunk_hits))
    n = min(task.n_resamples, few * streams.CHUNK)
    for number, isa in ((1, None), (7, None), (1, "base")):
        repeated = run_chunks(
            task, run.number, questions, n_resamples=n, threads=number, isa=isa
        )  # fmt: skip
        for chunk, own in repeated.chunk_hits.items():
            if own != run.chunk_hits[chunk]:
                what = "the plainest instructions" if isa else f"{number} threads"
                differing.append(f"chunk {chunk} with {what}")
    return [
        Check(
            "determinism: threads",
            passed=not differing,
            what=f"The first {few} chunks were repeated with 1 and 7 threads, and with the "
            f"plainest instructions of the processor.",
            observed=f"other hits in {'; '.join(differing[:3])}" if differing else "the same hits",
            expected="the same hits",
            sentence="The counts must not depend on the machine's threads or instructions.",
        )
    ]


# ---- what tests assume ------------------------------------------------------------------------


def check_independence(context: Context) -> list[Check]:
    """What tests that assume independent systems would have said."""
    comparison = context.comparison
    what = "The correlation of what the two systems get right, and the cost of ignoring it."
    try:
        r12 = independent.correlation(comparison)
    except InputError as error:
        return [Check.not_applicable("independence", what, str(error))]
    observed = "not defined: one of the systems gets everything or nothing right"
    sentence = "Not applicable: a correlation needs variation."
    if not math.isnan(r12):
        factor = independent.independence_cost(comparison)
        observed = f"r12 = {r12:.4f}; factor {factor:.4f}"
        others = []
        for name, test in (
            ("two-sample t", independent.independent_t_test),
            ("two proportions", independent.proportions_test),
            ("chi-square on precision", independent.chi_square_test),
        ):
            try:
                pvalue = test(comparison).pvalue
            except InputError:
                continue
            if not math.isnan(pvalue):
                others.append(f"{name} p = {pvalue:.4g}")
        if others:
            observed += f"; tests that assume independence: {', '.join(others)}"
        sentence = (
            f"Tests that assume the systems are independent would misjudge the standard deviation "
            f"of the difference by a factor of {factor:.2f}; their p-values are shown only for "
            f"comparison and should not be used."
        )
        if not math.isfinite(factor):
            sentence = (
                "Not applicable: both systems get the same things right, so their difference "
                "leaves nothing to chance."
            )
    return [
        Check(
            "independence",
            what=what,
            observed=observed,
            expected="0 for systems whose errors are independent",
            sentence=sentence,
            statistic=None if math.isnan(r12) else r12,
        )
    ]


def check_dependence(context: Context) -> list[Check]:
    """Compare the test with larger units with that with the smallest."""
    comparison = context.comparison
    finest, *larger = comparison.levels
    if not larger:
        why = (
            "no larger units (documents, clusters) are known, so correlated outputs cannot be "
            "detected"
        )
        what = "The smallest unit was compared with larger ones."
        return [Check.not_applicable("dependence", what, why)]
    found = []
    for level in larger:
        parts = []
        for metric in context.metrics:
            if not metric.linear_fractional:
                continue
            tests, spreads = [], []
            for unit in (finest, level):
                at = replace(context.task, comparison=comparison.at(unit))
                exact = exact_result(at, at.question(metric))
                p = "too large for an exact test" if exact is None else f"p = {exact.pvalue:.4g}"
                tests.append(f"{p} by {noun(unit)}")
                spreads.append(_spread(at.comparison, metric))
            parts.append(f"{metric.name}: {', '.join(tests)}")
            if spreads[0]:
                parts[-1] += f", null variance {spreads[1] / spreads[0]:.3f} times as large"
        if parts:
            found.append(
                Check(
                    f"dependence: {level}",
                    what=f"The test was repeated swapping {noun(finest, 2)}, and swapping "
                    f"{noun(level, 2)}.",
                    observed="; ".join(parts),
                    expected="about the same if outputs are uncorrelated and the systems are equal",
                    sentence=f"Shows how much the answer depends on the unit. One data set seldom "
                    f"tells whether outputs in the same {noun(level)} are correlated, so report "
                    f"the p-value of the larger unit.",
                )
            )
    return found


def _spread(comparison: Comparison, metric: Metric) -> float:
    """The null variance of the metric's difference, to first order and up to a factor."""
    # With the score s of both systems together, swapping a unit moves the difference by about
    # p.d - s q.d, divided by the denominator.
    scale = np.array(comparison.scale, dtype=np.float64)
    weights = [
        np.array(row, dtype=np.float64) * scale for row in metric.weights_of(comparison.columns)
    ]
    total = np.array(comparison.sums_a, dtype=np.float64) + np.array(comparison.sums_b)
    above, below = (float(row @ total) for row in weights)
    row = weights[0] - (above / below if below else 0.0) * weights[1]
    if comparison.units is None:
        steps = np.array([group.step for group in comparison.responses], dtype=np.float64)
        sizes = np.array([group.size for group in comparison.responses], dtype=np.float64)
        return float((sizes * (steps @ row) ** 2).sum())
    return float(((comparison.units.differences.astype(np.float64) @ row) ** 2).sum())


def check_metric_itself(context: Context) -> list[Check]:
    """Test every ratio itself, whose denominator is the system's own, beside the difference."""
    if context.task.edition < 5:
        return []
    task = replace(context.task, statistic="studentized")
    what = (
        "Where a metric's denominator is the system's own, its difference was divided by its "
        "standard error in every shuffle."
    )
    checks = []
    for metric in context.metrics:
        name = f"metric itself: {metric.name}"
        try:
            question = task.question(metric)
        except InputError as error:  # a record has the units that differ, and no others
            why = str(error).removeprefix("statistic 'studentized' ")
            checks.append(Check.not_applicable(name, what, why))
            continue
        if not isinstance(question, StudentizedQuestion):
            continue
        itself = exact_result(task, question)
        if itself is None:
            itself = drawn_result(task, question, task.draw(0, [question]).counts[question])
        plain = context.exact.get(metric.name, context.results[metric.name])
        sparse = question.grounds is not None and question.grounds.sparse
        significant = plain.pvalue <= context.alpha
        itself_significant = itself.pvalue <= context.alpha and not sparse
        meaning = ALIKE
        if significant and not itself_significant:
            meaning = f"The systems can be told apart, but not in {metric.name} itself."
        elif itself_significant and not significant:
            meaning = (
                f"The systems differ in {metric.name}, though swapping cannot tell them apart."
            )
        how = itself.method
        if sparse:
            how += f"; fewer than {LEAST_COUNT} counts are expected"
        checks.append(
            Check(
                name,
                what=what,
                observed=f"p = {itself.pvalue:.4g} for {metric.name} itself ({how}), "
                f"{plain.pvalue:.4g} for the difference",
                expected=f"both on the same side of {context.alpha:g}",
                sentence=meaning,
                statistic=itself.pvalue,
            )
        )
    if not checks:
        why = "no metric here has a denominator that is the system's own"
        checks = [Check.not_applicable("metric itself", what, why)]
    return [replace(check, since=5) for check in checks]
