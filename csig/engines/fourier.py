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
from typing import TYPE_CHECKING

from csig.engines.fourier_data import Signed, checked, signed
from csig.engines.fourier_far import MOST_PEAKS
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

__all__ = ["BUDGET", "Enclosure", "Settings", "cost", "enclose"]

#: Factors that a run may take: some two seconds' where most are those of peaks, else less.
BUDGET = 2**28

#: Everything is chosen.
BY_ITSELF = Settings()


@dataclass(frozen=True)
class Enclosure:
    """Bounds on a probability: low * 2^exponent <= P(S >= s) <= high * 2^exponent.

    Attributes
    ----------
    lattice : bool
        Whether the period of the integers was treated exactly.
    theta, step : float
        The tilt and the distance of frequencies, in units of the integers; 0 if the sums were
        counted.
    nodes : int
        Frequencies that are evaluated or bounded.
    evaluated : int
        Those that were evaluated.
    factors : int
        Numbers times frequencies evaluated, and numbers times cells.
    reason : str
        Why the tolerance was not reached, in words; empty if it was.
    """

    low: float
    high: float
    exponent: int
    lattice: bool
    theta: float
    step: float
    nodes: int
    evaluated: int
    factors: int
    reason: str = ""

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
    """Enclose the probability that a sum of numbers with fair signs reaches s.

    Parameters
    ----------
    values : (n,) array of int64
        The numbers; their signs do not matter, and zeros count for nothing. The sum of their
        absolute values is below 2^62.
    s : int
        The threshold, at least 1.
    tolerance : float
        The relative width to reach, 1e-4 by default; 0 for what doubles or the budget allow.
    budget : int
        Factors that may be taken: numbers times frequencies evaluated or cells bounded. The default
        of 2^28 takes two seconds at most. Where it ends bounds are valid, only wider.
    threads : int
        For the passes over all numbers; the result does not depend on it.
    notify : callable, optional
        Called as ``notify(done, total)`` with the frequencies that are settled.
    settings : Settings
        Choices that are made by themselves otherwise.

    Returns
    -------
    Enclosure
        With `reason` where the tolerance was not reached.

    Raises
    ------
    InputError
        For a threshold below 1, for sums of 2^62, and for a tolerance that is no number from 0.

    Notes
    -----
    Where few sums count (few numbers, few different ones, or a threshold near the largest sum) they
    are counted by meeting in the middle. Integers with a short period are a lattice: no gap is
    left but that of rounding, some 1e-10. Otherwise the gap falls like one over the number of
    frequencies, and a sum that is equal to s with a probability of its own keeps it open.

    References
    ----------
    Graham, S. W. and Vaaler, J. D. (1981). A class of extremal functions for the Fourier transform.
    Transactions of the American Mathematical Society 265(1), 283-302.

    Examples
    --------
    >>> import numpy as np
    >>> scores = (np.sin(np.arange(1, 1001) ** 2) * 1e12).astype(np.int64)
    >>> found = enclose(scores, 50 * 10**12)
    >>> f"{found.low * 2.0**found.exponent:.6f} {found.high * 2.0**found.exponent:.6f}"
    '0.012823 0.012824'
    """
    tolerance = checked(tolerance)
    data = signed(values, s)
    job = _Job(tolerance, budget, settings, threads, notify)
    if settings.form is not None and data.s <= data.total:
        return job.enclose(data)
    constant, questions = parts(data)
    if constant == 0 and [part.weight for part in questions] == [1]:
        return job.enclose(questions[0].data)
    return _together(job, constant, questions)


@dataclass(frozen=True)
class _Job:
    """What is asked of every part of a question."""

    tolerance: float
    budget: int
    settings: Settings
    threads: int
    notify: Progress | None

    def enclose(self, data: Signed) -> Enclosure:
        """Of one question, none of whose numbers may be dropped."""
        settings = self.settings
        if settings.form in (None, "count"):
            found = counted(data, self.budget, forced=settings.form == "count")
            if found is not None:
                low, high, exponent, steps = found
                return Enclosure(low, high, exponent, False, 0.0, 0.0, 0, 0, steps)
        run = Run(data, self.tolerance, self.budget, settings, self.threads, self.notify)
        made = run.bounds()
        unit = data.unit / data.divisor
        enclosure = Enclosure(
            made.low, made.high, made.exponent, made.lattice, run.theta * unit, made.step * unit,
            made.nodes, run.evaluated, run.factors,
        )  # fmt: skip
        return replace(enclosure, reason=_reason(enclosure, made, self.tolerance, self.budget))


def _together(job: _Job, constant: Fraction, questions: list[Part]) -> Enclosure:
    """Bounds of a sum of weighted probabilities. What is certain to be too small is not asked."""
    # A complement is at least half its weight, as P(S >= s) <= 1/2 for s > 0.
    low = high = constant
    sure = constant - sum((abs(part.weight) / 2 for part in questions if part.weight < 0), low * 0)
    made: list[Enclosure] = []
    left = job.budget
    for part, most in sorted(((q, at_most(q.data)) for q in questions), key=lambda pair: -pair[1]):
        weight = part.weight
        if abs(weight) * most <= sure * Fraction(job.tolerance) / (200 * len(questions)):
            ends = Fraction(0), most
        else:
            one = replace(job, budget=max(left, 1)).enclose(part.data)
            made.append(one)
            left -= one.factors
            unit = Fraction(2) ** one.exponent
            ends = Fraction(one.low) * unit, Fraction(one.high) * unit
        ends = (ends[0], ends[1]) if weight > 0 else (ends[1], ends[0])
        low, high = low + weight * ends[0], high + weight * ends[1]
        sure = sure + weight * ends[0] if weight > 0 else sure
    high = min(high, Fraction(1, 2))
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
    return found if found.width <= job.tolerance else replace(found, reason=main.reason)


def _reason(found: Enclosure, made: Bounds, tolerance: float, budget: int) -> str:
    """Why the tolerance was not reached."""
    if found.width <= tolerance:
        return ""
    if made.lattice:
        return f"rounding, and frequencies that are bounded only, leave {found.width:.2g} of p"
    if made.nodes < made.wanted:
        return (
            f"frequency {made.nodes} of {made.wanted} is the last within {budget} "
            f"{noun('factor', budget)} and {MOST_PEAKS} peaks: too few units, or too few different "
            "differences"
        )
    return (
        f"sums equal to the threshold, or next to it, have a share of about {found.width:.2g} of p"
    )


def cost(values: NDArray[np.int64], s: int, tolerance: float = 1e-4) -> int:
    """Estimate the factors that :func:`enclose` takes, from the numbers alone.

    Parameters
    ----------
    values, s, tolerance
        As for :func:`enclose`.

    Returns
    -------
    int
        At least 1, at most 2^62; the same for every number of threads.

    Examples
    --------
    >>> import numpy as np
    >>> cost(np.arange(1, 2001) ** 4, 10**15) < 2**21
    True
    """
    tolerance = checked(tolerance)
    _, questions = parts(signed(values, s))
    return max(1, min(sum(_cost(part.data, tolerance) for part in questions), 2**62))


def _cost(data: Signed, tolerance: float) -> int:
    steps = steps_to_count(data)
    if steps <= COUNTED:
        return steps
    return int(min(Run(data, tolerance, 1, BY_ITSELF).estimate_of_choice(), 2.0**62))
