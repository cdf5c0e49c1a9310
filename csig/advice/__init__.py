"""Which test is sound on what data."""

from csig.advice.base import Advice, Recommendation
from csig.advice.advising import all_tests, recommend

__all__ = [
    "Advice",
    "Recommendation",
    "all_tests",
    "recommend",
]


def __dir__() -> list[str]:
    return __all__
