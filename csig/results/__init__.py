"""What tests give, and the null distribution."""

from csig.results.randomization import (
    BootstrapResult,
    Interval,
    NullDistribution,
    RandomizationResult,
    Results,
)

__all__ = [
    "BootstrapResult",
    "Interval",
    "NullDistribution",
    "RandomizationResult",
    "Results",
]
