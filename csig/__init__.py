"""Is the difference between two systems real?

csig tests differences in recall, precision, F and other metrics by randomization
(Yeh 2000): exactly where that can be computed, by reproducible shuffles otherwise.
"""

from csig import metrics
from csig._config import show_config
from csig._version import __version__
from csig.comparison import Comparison
from csig.errors import InputError
from csig.metrics import Metric
from csig.randomization import randomization_test
from csig.results import RandomizationResult
from csig.spans import Span

__all__ = [
    "Comparison",
    "InputError",
    "Metric",
    "RandomizationResult",
    "Span",
    "__version__",
    "metrics",
    "randomization_test",
    "show_config",
]
