"""Many systems over the same units."""

from csig.systems.ranking import SystemPair, SystemRank, SystemsResult, compare_systems

__all__ = [
    "SystemPair",
    "SystemRank",
    "SystemsResult",
    "compare_systems",
]


def __dir__() -> list[str]:
    return __all__
