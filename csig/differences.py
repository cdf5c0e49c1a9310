"""The difference of two systems' results in every unit, for the tests on matched pairs.

A metric whose denominator is the same for both systems in every unit (recall, accuracy, an error
rate, a mean) is a sum over units, and its difference is the sum of the units' own: integers, times
the value of 1. Precision and F have no such differences.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from csig import metrics
from csig.comparison import Comparison
from csig.engines.weights import integer_weights, weights_question
from csig.errors import InputError, NoInterval
from csig.metrics import Metric
from csig.validation import instance
from csig.wording import first_few

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Differences", "check_binary", "differences_if_any", "differences_of", "moments"]

#: The default metric of a test on pairs: the first of these that the comparison has columns for.
_DEFAULTS = {"tp": "recall", "correct": "accuracy", "score": "mean"}


@dataclass(frozen=True, eq=False)
class Differences:
    """What every unit adds to the difference of the scores, A's minus B's."""

    metric: Metric  #: What was compared.
    unit: str  #: What the units are.
    n: int  #: All units, those without a difference too.
    values: NDArray[np.int64]  #: The differences that are not zero, as multiples of `value`.
    sizes: NDArray[np.int64]  #: The units that have each of them.
    value: Fraction  #: What 1 adds to the difference of the scores.
    tau: int  #: Differences that lie this close are equal, as far as their rounding shows.
    names: tuple[str, str]  #: The systems' names.

    @property
    def named(self) -> dict[str, Any]:
        """What every result of a test on pairs says of them."""
        return {"metric": self.metric.name, "unit": self.unit}

    @property
    def signs(self) -> tuple[int, int]:
        """Units in which A's score is greater, and in which B's is."""
        above = int(self.sizes[self.values > 0].sum())
        return above, int(self.sizes.sum()) - above


def moments(values: NDArray[np.int64], sizes: NDArray[np.int64]) -> tuple[int, int]:
    """The sums of all values and of their squares, where so many have each; exact."""
    largest = float(np.abs(values).max(initial=0))
    if largest * largest * float(sizes.sum()) < 2.0**62:
        return int((values * sizes).sum()), int((values * values * sizes).sum())
    own = list(zip(values.tolist(), sizes.tolist(), strict=True))
    return sum(v * m for v, m in own), sum(v * v * m for v, m in own)


def differences_of(
    comparison: Comparison, metric: str | Metric | None, test: str = "sign test"
) -> Differences:
    """The differences of a comparison by a metric; by default recall, accuracy or the mean."""
    instance("comparison", comparison, Comparison)
    columns = comparison.columns
    if metric is None:
        metric = next((name for own, name in _DEFAULTS.items() if own in columns), None)
        if metric is None:
            raise InputError(f"metric: there is no default for {first_few(columns)}; name one")
    wanted = metrics.get(metric, columns)
    if not wanted.linear_fractional:
        raise InputError(f"metric {wanted.name!r} is a function; a {test} needs weights")
    found = differences_if_any(comparison, wanted)
    if found is None:
        raise InputError(
            f"metric {wanted.name!r}: its denominator differs between the systems, so its "
            f"difference has no sign in every {comparison.unit}; use a metric with a fixed one, "
            f"like recall, or give the units' own scores to Comparison.from_scores"
        )
    return found


def differences_if_any(comparison: Comparison, metric: Metric) -> Differences | None:
    """The differences by a metric; None where units have none of their own.

    >>> c = Comparison.from_counts(gold=9, only_a_correct=2, only_b_correct=1)
    >>> differences_if_any(c, metrics.recall).signs, differences_if_any(c, metrics.precision)
    ((2, 1), None)
    """
    if not metric.linear_fractional:
        return None
    question = weights_question(comparison, metric, "two-sided", 0)
    if question.steps is not None:
        line, units = question.line, comparison.units
        if line is None or units is None:
            return None
        values = question.steps[:, 0]
        values = values[values != 0]
        sizes, n, value, tau = np.ones_like(values), units.n_total, line.value, line.tau
    else:  # of responses
        numerator, denominator = question.ratio.numerator, question.ratio.denominator
        if denominator[1:3] != (0, 0):
            return None
        correct, spurious = comparison.responses
        classes = [
            (sign * step, number)
            for group, step in zip((correct, spurious), numerator[1:3], strict=True)
            for sign, number in ((1, group.only_a), (-1, group.only_b))
            if step and number
        ]
        values, sizes = np.array(classes, dtype=np.int64).reshape(-1, 2).T
        tp, predicted, n = comparison.sums_a
        if numerator[2]:  # spurious responses are units, too
            n += predicted - tp - spurious.only_a + spurious.size
        value, tau = Fraction(1, denominator[0] or 1), 0
    return Differences(
        question.metric, comparison.unit, n, values, sizes, value, tau, comparison.names
    )


def check_binary(comparison: Comparison, differences: Differences) -> int:
    """The number of items, if every one is right or wrong: its score is 0 or 1."""
    metric = differences.metric
    if comparison.units is None:  # responses of the gold, found or not
        if differences.n > comparison.sums_a[2]:
            raise InputError(
                f"metric {metric.name!r}: a McNemar test takes what is right or wrong, like the "
                f"responses of the gold (recall); use csig.sign_test for other weights"
            )
        return differences.n
    try:
        tables = comparison.rows()
    except NoInterval:
        raise InputError(
            "only the units that differ are known, so they may be more than right or wrong; use "
            "csig.sign_test, which gives the same p-value, or give the data themselves"
        ) from None
    weights = integer_weights(comparison, metric)
    largest = max(int(np.abs(table).max(initial=1)) for table in (tables.a, tables.b))
    small = sum(abs(w) for row in weights for w in row) * largest < 2**62
    above, below = (np.array(row, dtype=np.int64 if small else object) for row in weights)
    wholes = tables.a @ below
    finer = [own for own in comparison.levels if own != comparison.unit]
    way = f"compare at a smaller unit ({first_few(finer)}), or " if finer else ""
    way += "use csig.wilcoxon_test or csig.randomization_test"
    if len(np.unique(wholes[wholes != 0])) > 1:
        raise InputError(
            f"metric {metric.name!r}: a McNemar test needs one item in every {comparison.unit}, "
            f"found different numbers of them; {way}"
        )
    for name, table in zip(comparison.names, (tables.a, tables.b), strict=True):
        parts = table @ above
        odd = np.flatnonzero((parts != 0) & (parts != wholes))
        if len(odd):
            score = Fraction(int(parts[odd[0]]), int(wholes[odd[0]]) or 1)
            raise InputError(
                f"metric {metric.name!r}: a McNemar test needs 0 or 1 in every {comparison.unit}, "
                f"found {float(score):.4g} ({name}); {way}"
            )
    return int(np.count_nonzero(wholes))
