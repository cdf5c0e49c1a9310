"""Certified tails of a sum of signed integers: bounds from a few frequencies.

S is the sum of v_i, each with a fair sign. :func:`enclose` proves low <= P(S >= s) <= high,
with a small relative gap whatever the size of the probability. The characteristic function of the
tilted sum is evaluated at some frequencies near zero and bounded at all others; two
functions that lie above and below the tail's indicator do the rest (Graham and Vaaler 1981).
Integers of few digits have a period that is treated exactly, so that there is no gap.
``docs/theory.md``, "Certified bounds", has the proofs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from csig.engines.fourier_data import Signed, checked, signed
from csig.engines.fourier_remedies import (
    COUNTED,
    Part,
    at_most,
    bits,
    counted,
    parts,
    steps_to_count,
)
from csig.engines.fourier_run import Bounds, Run, Settings
from csig.wording import noun

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from csig.engines.pool import Progress

__all__ = ["BUDGET", "Enclosure", "Prepared", "Settings", "cost", "enclose"]

#: Factors that a run may take: some two seconds' where most are those of peaks, else less.
BUDGET = 2**28

#: Everything is chosen.
BY_ITSELF = Settings()


@dataclass(frozen=True)
class Enclosure:
    """Bounds on a probability: low * 2^exponent <= P(S >= s) <= high * 2^exponent."""

    low: float
    high: float
    exponent: int
    lattice: bool  #: Whether the period of the integers was treated exactly.
    #: theta, step: the tilt and the distance of frequencies, in units of the integers; 0 if the
    #: sums were counted.
    theta: float
    step: float
    nodes: int  #: Frequencies that are evaluated or bounded.
    evaluated: int  #: Those that were evaluated.
    factors: int  #: Numbers times frequencies evaluated, and numbers times cells.
    reason: str = ""  #: Why the tolerance was not reached, in words; empty if it was.

    @property
    def width(self) -> float:
        """(high - low) / low, infinite where the lower bound is zero."""
        if self.low == self.high:
            return 0.0
        return (self.high - self.low) / self.low if self.low > 0 else math.inf


def enclose(
    values: NDArray[np.int64],
    s: int,
    *,
    tolerance: float = 1e-4,
    budget: int = BUDGET,
    threads: int = 1,
    notify: Progress | None = None,
    settings: Settings = BY_ITSELF,
) -> Enclosure:
    """Enclose the probability that a sum of numbers with fair signs reaches s."""
    own = Prepared(values, s, tolerance, settings)
    return own.enclose(budget, threads=threads, notify=notify)


class Prepared:
    """A question whose cost is estimated before it is answered."""

    def __init__(
        self,
        values: NDArray[np.int64],
        s: int,
        tolerance: float = 1e-4,
        settings: Settings = BY_ITSELF,
    ) -> None:
        data = signed(values, s)
        self._tolerance = tolerance = checked(tolerance)
        self._settings = settings
        self._constant, self._parts = Fraction(0), [Part(Fraction(1), data)]
        if settings.form is None or data.s > data.total:
            self._constant, self._parts = parts(data)
        self._questions = [_Question(part.data, tolerance, settings) for part in self._parts]

    @property
    def cost(self) -> int:
        """About the factors that an answer takes: at least 1, at most 2^62."""
        return max(1, min(sum(question.cost for question in self._questions), 2**62))

    @property
    def closes(self) -> bool:
        """Whether nothing keeps the bounds apart but roundings."""
        return all(question.closes for question in self._questions)

    def enclose(
        self, budget: int = BUDGET, *, threads: int = 1, notify: Progress | None = None
    ) -> Enclosure:
        """The bounds, as :func:`enclose` gives them; once."""
        if self._constant == 0 and [part.weight for part in self._parts] == [1]:
            return self._questions[0].enclose(budget, threads, notify)
        return self._together(budget, threads, notify)

    def _together(self, budget: int, threads: int, notify: Progress | None) -> Enclosure:
        """Bounds of a sum of weighted probabilities. What is certain to be too small is not asked."""
        asked = list(zip(self._parts, self._questions, strict=True))
        low = high = self._constant
        sure = low - sum((abs(part.weight) / 2 for part in self._parts if part.weight < 0), low * 0)
        made: list[Enclosure] = []
        left = budget
        ordered = sorted(
            ((*pair, at_most(pair[0].data)) for pair in asked), key=lambda one: -one[2]
        )
        for part, question, most in ordered:
            weight = part.weight
            if abs(weight) * most <= sure * Fraction(self._tolerance) / (200 * len(asked)):
                ends = Fraction(0), most
            else:
                one = question.enclose(max(left, 1), threads, notify)
                made.append(one)
                left -= one.factors
                unit = Fraction(2) ** one.exponent
                ends = Fraction(one.low) * unit, Fraction(one.high) * unit
            ends = (ends[0], ends[1]) if weight > 0 else (ends[1], ends[0])
            low, high = low + weight * ends[0], high + weight * ends[1]
            sure = sure + weight * ends[0] if weight > 0 else sure
        return _summed(low, min(high, Fraction(1, 2)), made, self._tolerance)


class _Question:
    """One question, none of whose numbers may be dropped."""

    def __init__(self, data: Signed, tolerance: float, settings: Settings) -> None:
        self._data, self._tolerance, self._settings = data, tolerance, settings

    @cached_property
    def _steps(self) -> int:
        return steps_to_count(self._data)

    @cached_property
    def _run(self) -> Run:
        return Run(self._data, self._tolerance, 1, self._settings)

    @property
    def cost(self) -> int:
        """About the factors, or the steps of a count."""
        if self._steps <= COUNTED:
            return self._steps
        return int(min(self._run.choice[1], 2.0**62))

    @property
    def closes(self) -> bool:
        """Whether sums are counted, or a period is treated exactly."""
        return self._steps <= COUNTED or self._run.choice[0] == "lattice"

    def enclose(self, budget: int, threads: int, notify: Progress | None) -> Enclosure:
        """Its bounds."""
        settings = self._settings
        if settings.form in (None, "count"):
            found = counted(self._data, budget, forced=settings.form == "count")
            if found is not None:
                low, high, exponent, steps = found
                return Enclosure(low, high, exponent, False, 0.0, 0.0, 0, 0, steps)
        run = self._run.ready(budget, threads, notify)
        made = run.bounds()
        unit = self._data.unit / self._data.divisor
        enclosure = Enclosure(
            made.low, made.high, made.exponent, made.lattice, run.theta * unit, made.step * unit,
            made.nodes, run.evaluated, run.factors,
        )  # fmt: skip
        return replace(enclosure, reason=_reason(enclosure, made, self._tolerance, budget))


def _summed(low: Fraction, high: Fraction, made: list[Enclosure], tolerance: float) -> Enclosure:
    """Bounds of a sum, of which these were made."""
    bottom, other = bits(low, up=False)
    top, exponent = bits(high, up=True)
    # In one exponent; what is too small for that is rounded down to 0.
    bottom = math.ldexp(bottom, other - exponent) if other - exponent > -1000 else 0.0
    main = max(made, key=lambda one: one.factors, default=Enclosure(0, 0, 0, False, 0, 0, 0, 0, 0))
    found = Enclosure(
        bottom, top, exponent, any(one.lattice for one in made), main.theta, main.step,
        sum(one.nodes for one in made), sum(one.evaluated for one in made),
        sum(one.factors for one in made),
    )  # fmt: skip
    return found if found.width <= tolerance else replace(found, reason=main.reason)


def _reason(found: Enclosure, made: Bounds, tolerance: float, budget: int) -> str:
    """Why the tolerance was not reached."""
    if found.width <= tolerance:
        return ""
    if made.lattice:
        return f"rounding, and frequencies that are bounded only, leave {found.width:.2g} of p"
    if made.nodes < made.wanted:
        return (
            f"of {made.wanted:,} frequencies that are needed {made.nodes:,} were reached within "
            f"{budget:,} {noun('factor', budget)}: too few units, or too few different differences"
        )
    return (
        f"sums equal to the threshold, or next to it, have a share of about {found.width:.2g} of p"
    )


def cost(values: NDArray[np.int64], s: int, tolerance: float = 1e-4) -> int:
    """Estimate the factors that :func:`enclose` takes, from the numbers alone."""
    return Prepared(values, s, tolerance).cost
