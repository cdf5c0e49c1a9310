"""Metrics by their names, and metrics of one's own.

A function that takes a metric takes its name, one of these, or a `Metric`. `f_beta` and `ratio`
make further ones; `spans` makes of a sentence's tags what responses are compared by.
"""

from csig.data.metrics import (
    Metric,
    accuracy,
    balanced_accuracy,
    error_rate,
    f1,
    f_beta,
    get,
    jaccard,
    kappa,
    macro_f1,
    mcc,
    mean,
    precision,
    ratio,
    recall,
    specificity,
    weighted_f1,
    wer,
)
from csig.data.responses import Span, spans
from csig.engines.tasks import SlowMetricWarning

__all__ = [
    "Metric",
    "SlowMetricWarning",
    "Span",
    "accuracy",
    "balanced_accuracy",
    "error_rate",
    "f1",
    "f_beta",
    "get",
    "jaccard",
    "kappa",
    "macro_f1",
    "mcc",
    "mean",
    "precision",
    "ratio",
    "recall",
    "spans",
    "specificity",
    "weighted_f1",
    "wer",
]


def __dir__() -> list[str]:
    return __all__
