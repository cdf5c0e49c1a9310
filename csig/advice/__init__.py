"""Which test is sound on what data."""

from csig.advice.advising import all_tests, recommend
from csig.advice.base import Advice, Recommendation

__all__ = ["Advice", "Recommendation", "all_tests", "recommend"]


def __dir__() -> list[str]:
    return __all__
