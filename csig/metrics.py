"""Metrics by their names, and metrics of one's own.

A function that takes a metric takes its name, one of these, or a `Metric`. `f_beta` and `ratio`
make further ones; `spans` makes of a sentence's tags what responses are compared by.
"""

from csig.data.metrics import Metric as Metric
from csig.data.metrics import accuracy as accuracy
from csig.data.metrics import balanced_accuracy as balanced_accuracy
from csig.data.metrics import error_rate as error_rate
from csig.data.metrics import f1 as f1
from csig.data.metrics import f_beta as f_beta
from csig.data.metrics import get as get
from csig.data.metrics import jaccard as jaccard
from csig.data.metrics import kappa as kappa
from csig.data.metrics import macro_f1 as macro_f1
from csig.data.metrics import mcc as mcc
from csig.data.metrics import mean as mean
from csig.data.metrics import precision as precision
from csig.data.metrics import ratio as ratio
from csig.data.metrics import recall as recall
from csig.data.metrics import specificity as specificity
from csig.data.metrics import weighted_f1 as weighted_f1
from csig.data.metrics import wer as wer
from csig.data.responses import Span as Span
from csig.data.responses import spans as spans
from csig.engines.tasks import SlowMetricWarning as SlowMetricWarning

__all__ = sorted(name for name in globals() if not name.startswith("_"))


def __dir__() -> list[str]:
    return __all__
