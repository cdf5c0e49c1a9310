"""A metric's question about the swapped units: what the engines are asked.

There are two kinds: a metric with weights asks in integers (:mod:`csig.engines.weights`), one
that is a function for its scores of blocks of sums (:mod:`csig.engines.functions`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol, Self

import numpy as np

from csig.comparison import Comparison
from csig.data.classes import Classes
from csig.engines.functions import function_question
from csig.engines.judges import Judge, Shared
from csig.engines.studentized import CannotStudentize, studentized_question
from csig.engines.weights import WeightsQuestion, weights_question
from csig.metrics import Metric
from csig.validation import Alternative, Statistic

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Question", "make_question"]


class Question(Protocol):
    """What a metric asks: in which trials is the difference at least as extreme as observed?"""

    @property
    def metric(self) -> Metric:
        """Whose scores are compared."""

    @property
    def alternative(self) -> Alternative:
        """What counts as extreme."""

    @property
    def scores(self) -> tuple[float, float]:
        """Both systems' scores."""

    @property
    def statistic(self) -> float:
        """Their difference."""

    @property
    def band(self) -> float:
        """Differences that are closer than this count as ties."""

    @property
    def zero_denominator(self) -> bool:
        """Whether a score is undefined, observed or, as far as it is known, in any trial."""

    @property
    def certain(self) -> bool:
        """Every trial is a hit: nothing, or less than the band, is observed."""

    @property
    def foregone(self) -> bool:
        """Every trial is a hit, and nothing else needs to be determined."""

    @property
    def weighted(self) -> WeightsQuestion | None:
        """The question in integers, for engines that know no other; None for a function."""

    @property
    def dtype(self) -> type[np.int64 | np.float64]:
        """Of the differences that a judge keeps."""

    @property
    def thread_safe(self) -> bool:
        """Whether several threads may ask at once."""

    @property
    def seconds_a_trial(self) -> float:
        """About how long a user's function takes; 0 for everything else."""

    @property
    def outcome_cost(self) -> int:
        """Steps that an enumerated outcome counts for."""

    def n_moving(self, comparison: Comparison) -> int:
        """The units whose swap changes what the metric reads."""

    def by_class(self, comparison: Comparison) -> tuple[Classes, Self]:
        """The units by class of what the metric reads, and the question about sums of just this."""

    def differences(
        self, sums: NDArray[np.int64], stopped: Callable[[], bool] | None = None
    ) -> tuple[NDArray[np.float64], bool]:
        """score_A - score_B of the trials of a block; ties with the observed one are exact."""

    def extreme(self, found: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Which of these differences are at least as extreme as the observed one."""

    def one_tail(self, upper: bool) -> Self:
        """Of a two-sided question: differences of at least the observed one's size, or at most
        its negative."""

    def judge(self, keep: NDArray[Any] | None, shared: Shared) -> Judge:
        """A counter of hits for one thread."""


def make_question(
    comparison: Comparison,
    metric: Metric,
    alternative: Alternative,
    zero_division: int,
    statistic: Statistic = "difference",
) -> Question:
    """The test of any metric; only that of a ratio can be studentised, "auto" where it can be."""
    if not metric.linear_fractional:
        return function_question(comparison, metric, alternative, zero_division)
    plain = weights_question(comparison, metric, alternative, zero_division)
    if statistic == "difference":
        return plain
    try:
        return studentized_question(comparison, plain)
    except CannotStudentize as error:
        if statistic == "auto":
            return replace(plain, not_studentized=error.reason)
        raise
