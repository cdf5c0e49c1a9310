"""What a randomization test is asked, checked, and the shuffles that are drawn for it."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from csig import streams
from csig.base import progress
from csig.base.defaults import YEH_RESAMPLES
from csig.base.errors import InputError, warn
from csig.base.validation import (
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
from csig.base.wording import counted, powered
from csig.data.comparison import Comparison
from csig.data.metrics import Metric
from csig.engines.base import EDITION, Block, Counts
from csig.engines.pool import Progress, default_threads
from csig.engines.questions import Question, StudentizedQuestion, WeightsQuestion, make_question
from csig.engines.shuffle import Hits, Joint, Run, draw_shuffles, swapped_of
from csig.probability.binomial import Rule, evidence, trials_needed
from csig.results.randomization import Decision

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from csig.engines.resample import Replicates

#: Steps that the default budget gives an exact engine: about a second's worth.
EXACT_BUDGET = 2**26

#: Seconds of a user's function, total and per trial, beyond which it is reported as slow.
SLOW, SLOW_TRIAL = 10.0, 1e-6

#: Seconds of the shuffles by which a run is estimated, at most some four times as many; and what
#: one trial takes of a question at least.
SAMPLED, TRIAL = 0.5, 1e-9

#: A wave of chunks is as many as there are threads, then this part of what was drawn before:
#: few chunks are wasted, and few waves are needed.
GROWTH = 4


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
        return make_question(
            self.comparison, metric, self.alternative, self.zero_division, self.statistic
        )

    def announce(
        self, questions: Sequence[Question], *, runs: int = 1, by_chunk: bool = False
    ) -> None:
        """Say in a command what all runs will take, if that is long: by the time of some trials."""
        if not progress.announces():
            return
        from csig.engines.remote import WORD, workers

        n, trials = self.comparison.n_units, runs * self.n_resamples
        threads = self.threads if self.executor is None else workers(self.executor)
        if not all(question.thread_safe for question in questions):
            threads = 1
        each = n / 64 * WORD + sum(TRIAL + question.seconds_a_trial for question in questions)
        about = trials * each / threads
        if about < progress.LONG / 32:
            return
        sample, seconds, enough = 64, 0.0, False
        while not enough:
            sample = min(4 * sample, trials)
            run = Run(
                self.source, 0, questions, sample, self.threads, comparison=self.comparison,
                by_chunk=by_chunk,
            )  # fmt: skip
            start = time.monotonic()
            run()
            seconds = time.monotonic() - start
            enough = sample == trials or seconds >= min(SAMPLED, about / 64)
        what = f"{powered(self.n_resamples)} shuffles of {counted(n, self.comparison.unit)}"
        what = f"{runs} runs of {what}" if runs > 1 else what
        progress.announce(what, seconds / sample * trials * run.pool.threads / threads)

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

        light: list[Question] = []  # as they count; the table of what is swapped has the units
        for question in questions:
            if isinstance(question, StudentizedQuestion):
                plain = replace(question.plain, steps=None)
                question = replace(question, plain=plain, columns=None)
            elif isinstance(question, WeightsQuestion):
                question = replace(question, steps=None)
            light.append(question)
        swapped = swapped_of(comparison, questions)
        n = len(swapped.table) if isinstance(swapped, Joint) else sum(swapped)
        hits = Hits(questions, n_resamples)

        def add(drawn: tuple[Any, ...], block: Block) -> None:
            *counts, chunks = drawn
            hits.add(*counts)
            hits.chunks |= chunks

        draw_on(
            self.executor,
            Job(
                "shuffles", draw_shuffles, (self.source, light, swapped),
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
        return hits

    def count_until_decided(
        self, questions: Sequence[Question], rule: Rule
    ) -> dict[Question, Counts]:
        """Count shuffles until all verdicts are decided: until the hits prove, up to a risk chosen
        beforehand, on which side of alpha the p-value of infinitely many shuffles lies.
        """
        # Chunks are drawn in waves and looked at in their order; those beyond the stop are not
        # counted, so that nothing but time depends on the number of threads.
        threads, notify = self.threads, self.notify
        if self.executor is not None:
            from csig.engines.remote import workers

            threads = workers(self.executor)
        hits = Hits(questions, 0)
        decisions = [Decision(rule.alpha, rule.risk, "undecided", None) for _ in questions]
        left = [*range(len(questions))]  # the metrics that are undecided
        done = 0
        while left and done < rule.chunks:
            end = min(rule.chunks, done + max(threads, done // GROWTH))
            told = notify
            if notify is not None:
                expected = streams.CHUNK
                if done:  # from the shares of hits so far
                    needed = [trials_needed(hits.hits[i], hits.n_resamples, rule) for i in left]
                    expected = max(rule.chunks * streams.CHUNK if n is None else n for n in needed)
                told = partial(_tell, notify, expected)
            wave = self.draw(
                0, questions, told,
                n_resamples=end * streams.CHUNK, by_chunk=True, first_chunk=done,
            )  # fmt: skip
            for chunk in range(done, end):
                hits.n_resamples += streams.CHUNK
                hits.add(*wave.chunks[chunk])
                for i in left:
                    verdict, log_evidence = evidence(hits.hits[i], hits.n_resamples, rule.alpha)
                    if log_evidence >= rule.enough:
                        decisions[i] = Decision(rule.alpha, rule.risk, verdict, hits.n_resamples)
                left = [i for i in left if decisions[i].n_resamples is None]
                if not left:
                    break
            done = end
        if notify is not None:
            notify(hits.n_resamples, hits.n_resamples)
        counts = zip(hits.counts.items(), decisions, strict=True)
        return {question: replace(own, decision=decision) for (question, own), decision in counts}


def _tell(notify: Progress, expected: int, done: int, end: int) -> None:
    notify(done, max(end, expected))


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
    pvalue_confidence: float = 0.99,
    exact_budget: int = EXACT_BUDGET,
    keep_null: bool = False,
    allow_bad_generator: bool = False,
    rule: Rule | None = None,
    executor: object = None,
    edition: int = EDITION,
    statistic: Statistic = "difference",
) -> Task:
    check_alternative(alternative)
    one_of("statistic", statistic, STATISTICS)
    one_of("method", method, METHODS)
    check_zero_division(zero_division)
    pvalue_confidence = between("pvalue_confidence", pvalue_confidence)
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
        confidence_level=pvalue_confidence,
        keep_null=bool(keep_null),
        rule=rule,
        executor=check_executor(executor),
        worker_threads=1 if threads is None else threads,
        edition=edition,
        statistic=statistic,
    )


def warn_of_slow(questions: Iterable[Question | Replicates], n_resamples: int) -> None:
    """Warn before the run how long a function will take."""
    for question in questions:
        each = question.seconds_a_trial
        if each > SLOW_TRIAL and each * n_resamples > SLOW:
            warn(
                f"metric {question.metric.name!r}: its function takes {each * 1e6:.3g} us per "
                f"trial, about {each * n_resamples:.0f} s for {n_resamples} trials; a function "
                f"that works on whole columns of its array would be faster",
                SlowMetricWarning,
            )
