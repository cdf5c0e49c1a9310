"""Printed correlations and chi-squares: recomputed from the counts."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

from csig.claims.attainable import World
from csig.claims.known import Known
from csig.claims.model import Finding, PrintedChiSquare
from csig.claims.printed import Printed
from csig.claims.words import numbers
from csig.comparison import Comparison
from csig.errors import InputError
from csig.independent import chi_square_test, correlation

__all__ = ["check_chi_squares", "check_correlation"]


def check_chi_squares(known: Known) -> list[Finding]:
    """The chi-squares and their p-values."""
    return [f for said in known.claims.chi_squares for f in _chi_square(known, said)]


def check_correlation(known: Known) -> list[Finding]:
    """The correlation of the recalls."""
    printed = known.claims.correlation
    if printed is None:
        return []
    cells = ("gold", "both_correct", "only_a_correct", "only_b_correct")

    def compute(world: World) -> float:
        given: dict[str, Any] = {cell: world[cell] for cell in cells}
        return correlation(Comparison.from_counts(**given))

    claim = f"correlation of the recalls: {printed.text}"
    return [_recomputed(known, "correlation", claim, "recall", printed, cells, compute)]


def _chi_square(known: Known, said: PrintedChiSquare) -> list[Finding]:
    columns = ("correct", "predicted") if said.metric == "precision" else ("correct",)
    cells = [f"{c}_{s}" for c in columns for s in "ab"]
    if said.metric != "precision":
        cells.append("gold")

    def table(world: World) -> Comparison:
        # Only the sums matter here, so all may be treated as responses of one system only.
        correct = [world[f"correct_{s}"] for s in "ab"]
        wrong = [world.get(f"predicted_{s}", k) - k for s, k in zip("ab", correct, strict=True)]
        if said.metric == "precision":
            return Comparison.from_counts(
                gold=sum(correct), only_a_correct=correct[0], only_b_correct=correct[1],
                only_a_spurious=wrong[0], only_b_spurious=wrong[1],
            )  # fmt: skip
        both = max(0, sum(correct) - world["gold"])
        return Comparison.from_counts(
            gold=world["gold"], both_correct=both, only_a_correct=correct[0] - both,
            only_b_correct=correct[1] - both,
        )  # fmt: skip

    found = []
    for name, title in (("statistic", ""), ("pvalue", "p ")):
        printed = getattr(said, name)
        if printed is None:
            continue

        def compute(world: World, name: str = name) -> float:
            return float(getattr(chi_square_test(table(world), said.metric), name))

        claim = f"chi-square on {said.metric}: {title}{printed.text}"
        found.append(_recomputed(known, "chi-square", claim, said.metric, printed, cells, compute))
    return found


def _recomputed(
    known: Known,
    check: str,
    claim: str,
    metric: str,
    printed: Printed,
    cells: Iterable[str],
    compute: Callable[[World], float],
) -> Finding:
    """Compare a printed number with the same one computed from the counts."""
    common: dict[str, Any] = {
        "check": check, "claim": claim, "metric": metric, **numbers(printed),
    }  # fmt: skip
    complete = [w for w in known.considered if all(cell in w for cell in cells)]
    values = []
    for world in complete:
        try:
            value = compute(world)
        except InputError:
            continue
        if math.isfinite(value):
            values.append(value)
    if not values:
        return Finding(
            **common, verdict="unknown",
            sentence="The counts it needs are not known, or do not define it.",
        )  # fmt: skip
    fits = [printed.interval.near(Fraction(value)) for value in values]
    best = values[fits.index(True)] if any(fits) else values[0]
    sentence = f"The counts give {best:.6g}, "
    sentence += f"in agreement with {printed.text}." if any(fits) else f"not {printed.text}."
    if any(fits) and not all(fits):
        sentence += " Not all candidates for the counts do."
    verdict = "contradicted" if not any(fits) else "confirmed" if all(fits) else "possible"
    return Finding(**common, verdict=verdict, sentence=sentence, expected=best)
