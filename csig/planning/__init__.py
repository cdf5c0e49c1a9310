"""How many items an evaluation needs, or what it can detect: `plan`."""

from csig.planning.model import Plan, PlannedTest, Repeats, plan

__all__ = [
    "Plan",
    "PlannedTest",
    "Repeats",
    "plan",
]


def __dir__() -> list[str]:
    return __all__
