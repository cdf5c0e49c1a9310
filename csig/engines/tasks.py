"""What a randomization test is asked, checked, and which engine answers it."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import takewhile
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from csig import streams
from csig.comparison import Comparison
from csig.defaults import YEH_RESAMPLES
from csig.engines import certified
from csig.engines.base import COUNT_LIMIT, Block, Counts, Engine, Found, Unfit
from csig.engines.exact import Instead, engines
from csig.engines.pool import Progress, default_threads
from csig.engines.questions import (
    OF_USER,
    Question,
    StudentizedQuestion,
    WeightsQuestion,
    make_question,
)
from csig.engines.shuffle import Hits, Joint, Run, Shuffles, decide, swapped_of
from csig.errors import InputError
from csig.metrics import Metric
from csig.probability.sequential import Rule
from csig.validation import (
    METHODS,
    STATISTICS,
    Alternative,
    Method,
    Statistic,
    between,
    check_alternative,
    check_executor,
    check_zero_division,
    one_of,
    positive,
)
from csig.wording import noun

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from csig.engines.resample import Replicates

#: The rule of today: proven bounds since the third one, and since the fourth, which is none of
#: records yet, bounds that count as exact in the place of a lattice's frequencies.
EDITION = 4

#: Steps that the default budget gives an exact engine: about a second's worth.
EXACT_BUDGET = 2**26

#: Random words of shuffles, drawn and judged in about 2 ns each, that take as long as a step: some
#: 15 ns for the staircase, up to 3 ns for the lattice, 30 ns for meeting in the middle, 1 to 4 ns
#: for a factor of the characteristic function, measured on one thread. An engine that is not here
#: has no such factor.
WORDS = {"staircase": 8, "lattice": 1, "meet in the middle": 16, "fourier": 2}

#: Where memory runs out.
NO_ROOM = "the lattice of an exact test does not fit its memory"

#: Steps of an exact engine, counted beforehand, that would take too long.
HOPELESS = 2**38

#: Bits of a number that Python does not turn into text by itself: 4,300 digits.
DIGITS = 14_280

#: Seconds of a user's function, total and per trial, beyond which it is reported as slow.
SLOW, SLOW_TRIAL = 10.0, 1e-6


class SlowMetricWarning(UserWarning):
    """A metric's function will take long."""


@dataclass(frozen=True, kw_only=True)
class Task:
    """The checked arguments of a test."""

    comparison: Comparison
    alternative: Alternative
    method: Method
    exact_budget: int
    n_resamples: int
    threads: int
    source: streams.Source
    zero_division: int
    confidence_level: float
    keep_null: bool = False
    notify: Progress | None = None
    rule: Rule | None = None
    executor: Executor | None = None
    #: Of every batch that a worker of the executor draws.
    worker_threads: int = 1
    #: Of the rule which engine comes first; records keep that of theirs.
    edition: int = EDITION
    statistic: Statistic = "difference"

    def question(self, metric: Metric) -> Question:
        """The test of a metric."""
        return make_question(
            self.comparison, metric, self.alternative, self.zero_division, self.statistic
        )

    def draw(
        self,
        number: int,
        questions: Sequence[Question],
        notify: Progress | None = None,
        *,
        n_resamples: int | None = None,
        joint: Joint | None = None,
        by_chunk: bool = False,
        first_chunk: int = 0,
        isa: str | None = None,
    ) -> Hits:
        """Draw the trials of a run from the start of a chunk on: of the comparison, or of several
        together.
        """
        comparison = joint or self.comparison
        n_resamples = n_resamples or self.n_resamples
        if self.executor is None:
            run = Run(
                self.source, number, questions, n_resamples, self.threads, notify, isa,
                comparison=comparison, keep=self.keep_null, by_chunk=by_chunk,
                first_chunk=first_chunk,
            )  # fmt: skip
            run()
            return run
        from csig.engines.remote import WORD, Job, draw_on  # for those who have one

        swapped = swapped_of(comparison, questions)
        n = len(swapped.table) if isinstance(swapped, Joint) else sum(swapped)
        found = Hits(questions, n_resamples)

        def add(drawn: tuple[Any, ...], block: Block) -> None:
            *counts, chunks = drawn
            found.add(*counts)
            found.chunks |= chunks

        draw_on(
            self.executor,
            Job(
                "shuffles", Shuffles, (self.source, [*map(_light, questions)], swapped),
                [question.metric for question in questions],
            ),
            Block(
                number, first_chunk, -(-n_resamples // streams.CHUNK) - first_chunk, n_resamples
            ),
            add,
            seconds=max(1, n) * streams.CHUNK / 64 * WORD
            + streams.CHUNK * sum(question.seconds_a_trial for question in questions),
            threads=self.worker_threads,
            by_chunk=by_chunk,
            notify=notify,
        )  # fmt: skip
        return found

    def count_until_decided(
        self, questions: Sequence[Question], rule: Rule
    ) -> dict[Question, Counts]:
        """Count shuffles until all verdicts are decided."""
        threads = self.threads
        if self.executor is not None:
            from csig.engines.remote import workers

            threads = workers(self.executor)

        def wave(first: int, end: int, notify: Progress | None) -> Hits:
            return self.draw(
                0, questions, notify,
                n_resamples=end * streams.CHUNK, by_chunk=True, first_chunk=first,
            )  # fmt: skip

        return decide(wave, questions, rule, threads, self.notify)


def _light(question: Question) -> Question:
    """As it counts; the table of what is swapped has the units."""
    if isinstance(question, StudentizedQuestion):
        return replace(question, plain=replace(question.plain, steps=None), columns=None)
    return replace(question, steps=None) if isinstance(question, WeightsQuestion) else question


def make_task(
    comparison: Comparison,
    *,
    alternative: Alternative = "two-sided",
    method: Method = "auto",
    n_resamples: int | None = None,
    rng: streams.Seed = None,
    bit_generator: str | streams.Factory | None = None,
    threads: int | None = None,
    zero_division: int = 0,
    confidence_level: float = 0.99,
    exact_budget: int = EXACT_BUDGET,
    keep_null: bool = False,
    allow_bad_generator: bool = False,
    rule: Rule | None = None,
    executor: object = None,
    edition: int = EDITION,
    statistic: Statistic = "difference",
) -> Task:
    """The options of a randomization test, checked."""
    check_alternative(alternative)
    one_of("statistic", statistic, STATISTICS)
    one_of("method", method, METHODS)
    check_zero_division(zero_division)
    confidence_level = between("confidence_level", confidence_level)
    if threads is not None:
        threads = positive("threads", threads, 1024)
    if executor is not None and keep_null:
        raise InputError("keep_null does not go with executor: every difference would be sent")
    return Task(
        comparison=comparison,
        alternative=alternative,
        method=method,
        exact_budget=positive("exact_budget", exact_budget),
        n_resamples=YEH_RESAMPLES
        if n_resamples is None
        else positive("n_resamples", n_resamples, 2**48),
        threads=default_threads() if threads is None else threads,
        source=streams.make_source(rng, bit_generator, allow_bad=allow_bad_generator),
        zero_division=zero_division,
        confidence_level=confidence_level,
        keep_null=bool(keep_null),
        rule=rule,
        executor=check_executor(executor),
        worker_threads=1 if threads is None else threads,
        edition=edition,
        statistic=statistic,
    )


class Answer(NamedTuple):
    """An exact engine's; without `found` shuffles are drawn."""

    found: Found | None
    engine: str
    reason: str


def _choose(task: Task, question: Question) -> tuple[list[Engine], str]:
    """The exact engines that may run, the cheapest first, and why; none for shuffles."""
    method = task.method
    if method == "approximate":
        return [], "asked for"
    if method == "auto":
        return _by_itself(task, question)
    if method == "certified":
        return _certified(task, question), "asked for"
    found = engines(task.comparison, question, task.edition)
    n = task.comparison.n_units
    if method == "yeh2000":
        if n <= 20:
            return found, f"{n} unique responses: all 2^{n} shuffles are counted"
        return [], f"{n} unique responses: more than the 20 that are enumerated"
    cost = found[0].cost
    if cost > HOPELESS:
        other = ""
        if isinstance(question, StudentizedQuestion):
            other = ", or statistic 'difference'"
        raise InputError(
            f"metric {question.metric.name!r}: the exact test would take {_rounded(cost)} steps; "
            f"use method 'approximate'{other}"
        )
    return [engine for engine in found if engine.cost <= HOPELESS], "asked for"


def _by_itself(
    task: Task, question: Question, *, at_once: bool = True, bounded: bool = True
) -> tuple[list[Engine], str]:
    """What "auto" chooses, with bounds or without."""
    budget = task.exact_budget
    few = _instead(task, question) if at_once and bounded and task.edition > 2 else None
    if few is not None:
        few = few._replace(closes=True)
        found = engines(task.comparison, question, task.edition, few)
        within = [engine for engine in found if engine.cost <= budget]
        # Where a lattice of few cells is nobody asks what bounds take.
        if any(engine.name == "lattice" for engine in within):
            return within, f"{_counted(within[0])}, within the budget of {budget}"
    # With a rule n_resamples is a limit: most verdicts need far fewer.
    n_resamples = task.n_resamples if task.rule is None else min(task.n_resamples, YEH_RESAMPLES)
    words = task.comparison.n_units * n_resamples // 64
    bounds = certified.by_itself(question) if bounded and task.edition > 2 else None
    instead = None
    if bounds is not None and _affordable(task, bounds.engine, words):
        most = max(budget, words_of(bounds.engine))
        closes = bounds.closes and task.edition > 3
        instead = Instead(bounds.values, bounds.s, most, closes)
    if instead is None or few is None or instead[2:] != few[2:]:  # else that is what was found
        found = engines(task.comparison, question, task.edition, instead)
    affordable = [engine for engine in found if _affordable(task, engine, words)]
    if bounds is not None and instead is not None:
        if not (affordable and affordable[0].cost <= budget):
            affordable = sorted([bounds.engine, *affordable], key=words_of)
        elif task.edition > 3:  # where memory runs out
            affordable = [*affordable, bounds.engine]
    if not affordable:
        also = ""
        if bounds is not None:
            also = f"; proven bounds {_counted(bounds.engine)}"
        steps = _counted(found[0])
        if isinstance(question, StudentizedQuestion):
            steps = f"{_rounded(found[0].cost)} steps"
        return [], f"exact would take {steps}, budget {budget}{also}"
    cost, what = affordable[0].cost, _counted(affordable[0])
    if cost <= budget:
        return affordable, f"{what}, within the budget of {budget}"
    return affordable, f"{what}, fewer than the {words} random words of the shuffles"


def _instead(task: Task, question: Question) -> Instead | None:
    """The question, if it is one about a sum that some shuffles do not reach."""
    whole = question.weighted
    if whole is None or whole.steps is None or whole.line is None:
        return None
    tail = certified.tail_of(whole.line)
    if tail is None:
        return None
    values = np.ascontiguousarray(whole.steps[:, 0])
    return Instead(values, tail.s, task.exact_budget, closes=False)


def _counted(engine: Engine) -> str:
    number = str(engine.cost) if engine.cost.bit_length() < DIGITS else _rounded(engine.cost)
    return f"{number} {noun('factor' if engine.name == 'fourier' else 'step', engine.cost)}"


def _rounded(cost: int) -> str:
    """A count of any size; beyond what a double holds only its power of ten."""
    return f"{cost:.1e}" if cost.bit_length() < 1024 else f"10^{math.floor(math.log10(cost))}"


def words_of(engine: Engine) -> int:
    """Random words that take as long."""
    return engine.cost * WORDS.get(engine.name, max(WORDS.values()))


def _certified(task: Task, question: Question) -> list[Engine]:
    """Bounds; where they do not close exact engines within the budget, and wide bounds if there is
    none.
    """
    widest = certified.offer(question, task.exact_budget)
    if widest is None:
        raise InputError(
            f"metric {question.metric.name!r}: method 'certified' is for sums over units; "
            f"{certified.unfit(question)}; use method 'auto'"
        )
    exact = engines(task.comparison, question, task.edition, _instead(task, question))
    within = [engine for engine in exact if engine.cost <= task.exact_budget]
    close = certified.offer(question, task.exact_budget, widest=certified.CLOSE)
    return [close, *within, widest] if within and close is not None else [widest]


def planned(task: Task, metric: Metric) -> tuple[bool, str]:
    """Whether the p-value of a metric is to be exact, and why or why not; nothing is computed."""
    chosen, reason = _choose(task, task.question(metric))
    return bool(chosen), reason


def _affordable(task: Task, engine: Engine, words: int) -> bool:
    """Whether "auto" takes an exact engine: within the budget, or where shuffles, which draw so
    many words, take longer. The first edition of records knew the latter of the staircase only.
    """
    if engine.cost <= task.exact_budget:
        return True
    if engine.name not in WORDS or (task.edition == 1 and engine.name != "staircase"):
        return False
    return engine.cost * (1 if task.edition == 1 else WORDS[engine.name]) <= min(words, HOPELESS)


def exactly(task: Task, question: Question) -> Answer:
    """By the first engine that can; "auto" falls back on shuffles."""
    candidates, reason = _choose(task, question)
    if not candidates:
        return Answer(None, "shuffle", reason)
    if question.foregone:
        n = task.comparison.n_units
        counter = partial(int, 1 << n) if n <= COUNT_LIMIT else None
        return Answer(Found(1.0, 0, 0.0, counter), candidates[0].name, reason)
    warn_of_slow([question], candidates[0].cost // OF_USER)
    last: MemoryError | None = None
    spare: Answer | None = None
    left, known = list(candidates), {engine.name for engine in candidates}
    while left:
        engine = left.pop(0)
        try:
            found = engine.run(task.threads, task.notify)
        except MemoryError as error:  # the same data end here on every machine
            last = error
            if task.method == "auto":  # others may not have been offered
                others, _ = _by_itself(
                    task, question, at_once=False, bounded=engine.name != "fourier"
                )
                left += [other for other in others if other.name not in known]
                known |= {other.name for other in others}
            continue
        if engine is not candidates[0] and (isinstance(last, Unfit) or engine.name == "fourier"):
            reason = f"{_counted(engine)}, where {last if isinstance(last, Unfit) else NO_ROOM}"
        answer = Answer(found, engine.name, reason + (f"; {found.note}" if found.note else ""))
        if found.apart and task.edition > 3:  # no period kept them together: as it was before
            earlier, _ = _by_itself(replace(task, edition=3), question)
            exact = takewhile(lambda own: own.name != "fourier", earlier)
            left = [own for own in exact if own.name not in known]
            last = Unfit(certified.in_words(found.error_bound or 0.0))
            spare = answer
            continue
        return answer
    if spare is not None:
        return spare
    if task.method == "auto":
        return Answer(None, "shuffle", str(last) if isinstance(last, Unfit) else NO_ROOM)
    kind = "certified" if task.method == "certified" else "exact"
    raise InputError(
        f"metric {question.metric.name!r}: no {kind} test ({last}); use method 'approximate'"
    )


def words_of_exact(
    comparison: Comparison, metric: Metric, n_resamples: int, zero_division: int
) -> float | None:
    """What the exact test takes that "auto" chooses, in random words that take as long; None where
    it draws shuffles.
    """
    task = make_task(
        comparison, n_resamples=n_resamples, rng=0, threads=1, zero_division=zero_division,
        edition=2,
    )  # fmt: skip
    candidates, _ = _choose(task, task.question(metric))
    if not candidates:
        return None
    return float(words_of(candidates[0]))


def chosen(task: Task, question: Question) -> Engine | None:
    """The engine that is to answer; None for shuffles."""
    candidates, _ = _choose(task, question)
    return candidates[0] if candidates else None


def bounds_of(question: Question) -> Engine | None:
    """The engine that bounds a sum within `certified.CLOSE`, whatever that costs."""
    bounds = certified.by_itself(question)
    return None if bounds is None else bounds.engine


def warn_of_slow(questions: Iterable[Question | Replicates], n_resamples: int) -> None:
    """Warn before the run how long a function will take."""
    for question in questions:
        each = question.seconds_a_trial
        if each > SLOW_TRIAL and each * n_resamples > SLOW:
            warnings.warn(
                f"metric {question.metric.name!r}: its function takes {each * 1e6:.3g} us per "
                f"trial, about {each * n_resamples:.0f} s for {n_resamples} trials; a function "
                f"that works on whole columns of its array would be faster",
                SlowMetricWarning,
                stacklevel=4,
            )
