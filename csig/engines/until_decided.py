"""Shuffling until a verdict is decided: a p-value below or above alpha, whatever the seed.

Chunks of shuffles are added until their hits prove, up to a risk chosen beforehand, on which
side of alpha the p-value of infinitely many shuffles lies (:mod:`csig.probability.sequential`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from csig.engines.base import Counts
from csig.engines.pool import Progress
from csig.engines.questions import Question
from csig.engines.shuffle import Hits
from csig.probability.sequential import Rule, evidence, trials_needed
from csig.results import Decision
from csig.streams import CHUNK

__all__ = ["decide"]

#: A wave of chunks is as many as there are threads, then this part of what was drawn before:
#: few chunks are wasted, and few waves are needed.
GROWTH = 4


def decide(
    draw: Callable[[int, int, Progress | None], Hits],
    questions: Sequence[Question],
    rule: Rule,
    threads: int,
    notify: Progress | None,
) -> dict[Question, Counts]:
    """Draw chunks in waves until all verdicts are decided.

    `draw` gives the chunks from the first to the one before the end, each counted by itself. They
    are looked at in their order, and those beyond the stop are not counted, so that nothing but
    time depends on the number of threads.
    """
    found = Hits(questions, 0)
    decisions = [Decision(rule.alpha, rule.risk, "undecided", None) for _ in questions]
    left = [*range(len(questions))]  # the metrics that are undecided
    done = 0
    while left and done < rule.chunks:
        end = min(rule.chunks, done + max(threads, done // GROWTH))
        expected = CHUNK
        if done and notify is not None:  # from the shares of hits so far
            needed = [trials_needed(found.hits[i], found.n_resamples, rule) for i in left]
            expected = max(rule.chunks * CHUNK if n is None else n for n in needed)
        wave = draw(done, end, _told(notify, expected))
        for chunk in range(done, end):
            found.n_resamples += CHUNK
            found.add(*wave.chunks[chunk])
            for i in left:
                verdict, log_evidence = evidence(found.hits[i], found.n_resamples, rule.alpha)
                if log_evidence >= rule.enough:
                    decisions[i] = Decision(rule.alpha, rule.risk, verdict, found.n_resamples)
            left = [i for i in left if decisions[i].n_resamples is None]
            if not left:
                break
        done = end
    if notify is not None:
        notify(found.n_resamples, found.n_resamples)
    counts = zip(found.counts.items(), decisions, strict=True)
    return {question: replace(own, decision=decision) for (question, own), decision in counts}


def _told(notify: Progress | None, expected: int) -> Progress | None:
    if notify is None:
        return None
    return lambda done, end: notify(done, max(end, expected))
