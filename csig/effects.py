"""How large a difference is, and where it comes from.

`effect`: on how many units each system is better. `unit_contributions`: which units make the
difference. `breakdown`: the difference in parts of the data; `heterogeneity`: whether it is the
same in all of them. `sensitivity`: how p depends on what is swapped.
"""

from csig.comparing.breakdowns import Breakdown as Breakdown
from csig.comparing.breakdowns import Sensitivity as Sensitivity
from csig.comparing.breakdowns import breakdown as breakdown
from csig.comparing.breakdowns import heterogeneity as heterogeneity
from csig.comparing.breakdowns import sensitivity as sensitivity
from csig.comparing.effects import Effect as Effect
from csig.comparing.effects import UnitContributions as UnitContributions
from csig.comparing.effects import effect as effect
from csig.comparing.effects import unit_contributions as unit_contributions

__all__ = sorted(name for name in globals() if not name.startswith("_"))


def __dir__() -> list[str]:
    return __all__
