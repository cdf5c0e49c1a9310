"""The exact p-values of the tests that a text prints, if the counts are known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from csig.claims.attainable import CELLS, World
from csig.claims.model import PrintedTest
from csig.comparison import Comparison
from csig.engines.exact import engines
from csig.engines.questions import make_question
from csig.errors import InputError
from csig.metrics import Metric
from csig.randomization import randomization_test
from csig.validation import Alternative

__all__ = ["Answer", "ExactAnswers"]

#: A p-value and its logarithm, or the reason why they are unknown.
Answer = tuple[float, float] | str

#: Maximum total number of steps for all exact p-values of a file: a second or two.
BUDGET = 2**26


class ExactAnswers:
    """The exact p-values for all counts that a text leaves possible, each computed on demand."""

    def __init__(self, worlds: Sequence[World]) -> None:
        self.worlds = worlds
        self.steps = BUDGET
        self.known: dict[tuple[object, ...], Answer] = {}

    def of(self, said: PrintedTest) -> list[tuple[str, Answer]]:
        """One answer for each set of counts, with a text that tells these apart."""
        metric = said.metric
        if "predicted" in metric.columns:
            cells = [c for c in CELLS if c != "gold" or "gold" in metric.columns]
        else:  # neither what both found nor the size of the gold changes p
            cells = ["only_a_correct", "only_b_correct"]
        found: dict[tuple[int, ...], tuple[str, Answer]] = {}
        uncertain = [c for c in cells if len({world.get(c) for world in self.worlds}) > 1]
        for world in self.worlds:
            if any(cell not in world for cell in cells):
                continue
            key = tuple(world[cell] for cell in cells)
            if key not in found:
                given = ", ".join(f"{c} {world[c]:,}" for c in uncertain)
                counts: dict[str, int] = dict.fromkeys(CELLS, 0) | {c: world[c] for c in cells}
                if "gold" not in cells:
                    counts["gold"] = sum(n for c, n in counts.items() if c.endswith("_correct"))
                found[key] = given, self._answer(counts, metric, said.alternative)
        if not found:
            return [("", "not all counts it needs are known")]
        return list(found.values())

    def _answer(self, counts: dict[str, int], metric: Metric, alternative: Alternative) -> Answer:
        key = (*counts.values(), metric, alternative)
        if key not in self.known:
            self.known[key] = self._computed(counts, metric, alternative)
        return self.known[key]

    def _computed(self, counts: dict[str, int], metric: Metric, alternative: Alternative) -> Answer:
        given: dict[str, Any] = counts
        try:
            comparison = Comparison.from_counts(**given)
            cost = engines(comparison, make_question(comparison, metric, alternative, 0))[0].cost
            if cost > self.steps:
                return "it would take too long for counts this large"
            self.steps -= cost
            result = randomization_test(
                comparison, metric, alternative=alternative, method="exact", threads=1
            )
        except InputError as error:
            return f"it cannot be computed for these counts ({error})"
        return result.pvalue, result.log_pvalue
