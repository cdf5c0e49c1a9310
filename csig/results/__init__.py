"""What tests give, and the null distribution."""

from csig.results.null import NullDistribution
from csig.results.randomization import BootstrapResult, Interval, RandomizationResult, Results

__all__ = [
    "BootstrapResult",
    "Interval",
    "NullDistribution",
    "RandomizationResult",
    "Results",
]


def __dir__() -> list[str]:
    return __all__
