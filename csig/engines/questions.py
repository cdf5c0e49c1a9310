"""A metric's question about the exchanged units, ready for the engines."""

from __future__ import annotations

from csig.comparison import Comparison
from csig.engines.functions import FunctionQuestion, function_question
from csig.engines.weights import WeightsQuestion, weights_question
from csig.metrics import Metric
from csig.validation import Alternative

__all__ = ["FunctionQuestion", "Question", "WeightsQuestion", "make_question"]

#: What the engines are asked.
Question = WeightsQuestion | FunctionQuestion


def make_question(
    comparison: Comparison, metric: Metric, alternative: Alternative, zero_division: int
) -> Question:
    """The test of any metric."""
    if metric.linear_fractional:
        return weights_question(comparison, metric, alternative, zero_division)
    return function_question(comparison, metric, alternative, zero_division)
