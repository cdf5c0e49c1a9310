"""Shuffling until a verdict is decided: a p-value below or above alpha, whatever the seed.

Chunks of shuffles are added until their hits prove, up to a risk chosen beforehand, on which
side of alpha the p-value of infinitely many shuffles lies (:mod:`csig.probability.sequential`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from csig.engines.base import Counts
from csig.engines.questions import Question
from csig.probability.sequential import Rule, evidence, trials_needed
from csig.results import Decision
from csig.streams import CHUNK

if TYPE_CHECKING:
    from csig.engines.pool import Progress
    from csig.engines.shuffle import Hits

__all__ = ["decide"]

#: A wave of chunks is as many as there are threads, then this part of what was drawn before:
#: few chunks are wasted, and few waves are needed.
GROWTH = 4


@dataclass
class _Gathered:
    """What was counted up to the stop, question by question."""

    hits: list[int]
    near: list[int]
    undefined: list[bool]
    decisions: list[Decision]
    n_resamples: int = 0

    def add(self, wave: Hits, chunk: int, rule: Rule) -> None:
        """One chunk more; metrics that it decides stay decided."""
        self.n_resamples += CHUNK
        hits, near, undefined = wave.chunks[chunk]
        for i, decision in enumerate(self.decisions):
            self.hits[i] += hits[i]
            self.near[i] += near[i]
            self.undefined[i] |= undefined[i]
            if decision.n_resamples is None:
                said, log_evidence = evidence(self.hits[i], self.n_resamples, rule.alpha)
                if log_evidence >= rule.enough:
                    self.decisions[i] = Decision(rule.alpha, rule.risk, said, self.n_resamples)

    @property
    def undecided(self) -> list[int]:
        """The metrics that still are."""
        return [i for i, d in enumerate(self.decisions) if d.n_resamples is None]

    def expected(self, rule: Rule) -> int:
        """How many trials to expect from the shares of hits so far."""
        if not self.n_resamples:
            return CHUNK
        most = rule.chunks * CHUNK
        needed = [trials_needed(self.hits[i], self.n_resamples, rule) for i in self.undecided]
        return max([most if n is None else n for n in needed], default=self.n_resamples)

    def counts(self, i: int) -> Counts:
        """What was counted of a question."""
        return Counts(
            hits=self.hits[i],
            n_resamples=self.n_resamples,
            near=self.near[i],
            undefined=self.undefined[i],
            decision=self.decisions[i],
        )


def decide(
    wave: Callable[[int, int, Progress | None], Hits],
    questions: Sequence[Question],
    rule: Rule,
    threads: int,
    notify: Progress | None,
) -> dict[Question, Counts]:
    """Draw chunks in waves until all verdicts are decided.

    Parameters
    ----------
    wave : callable (first chunk, end, progress)
        Draws the chunks from the first to the one before the end, and counts each by itself.
    questions : sequence of Question
        What the shuffles are asked.
    rule : Rule
        When to stop.
    threads : int
        Chunks in the first waves. Chunks are looked at in their order, and those beyond the
        stop are not counted, so that nothing but time depends on it.
    notify : callable, optional
        Called with the number of trials done, and how many there may be.
    """
    n = len(questions)
    undecided = Decision(rule.alpha, rule.risk, "undecided", None)
    found = _Gathered([0] * n, [0] * n, [False] * n, [undecided] * n)
    done = 0
    while found.undecided and done < rule.chunks:
        end = min(rule.chunks, done + max(threads, done // GROWTH))
        drawn = wave(done, end, _told(notify, found.expected(rule) if notify else 0))
        for chunk in range(done, end):
            found.add(drawn, chunk, rule)
            if not found.undecided:
                break
        done = end
    if notify is not None:
        notify(found.n_resamples, found.n_resamples)
    return {question: found.counts(i) for i, question in enumerate(questions)}


def _told(notify: Progress | None, expected: int) -> Progress | None:
    if notify is None:
        return None
    return lambda done, end: notify(done, max(end, expected))
