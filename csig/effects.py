"""How large a difference is, and where it comes from.

`effect`: on how many units each system is better. `unit_contributions`: which units make the
difference. `breakdown`: the difference in parts of the data; `heterogeneity`: whether it is the
same in all of them. `sensitivity`: how p depends on what is swapped.
"""

from csig.comparing.breakdowns import (
    Breakdown,
    Sensitivity,
    breakdown,
    heterogeneity,
    sensitivity,
)
from csig.comparing.effects import Effect, UnitContributions, effect, unit_contributions

__all__ = [
    "Breakdown",
    "Effect",
    "Sensitivity",
    "UnitContributions",
    "breakdown",
    "effect",
    "heterogeneity",
    "sensitivity",
    "unit_contributions",
]


def __dir__() -> list[str]:
    return __all__
