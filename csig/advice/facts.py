"""What two systems' data are, as far as it decides which test is sound."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, TypeAlias

from csig.base.errors import InputError
from csig.base.validation import instance
from csig.base.wording import count, counted, metric_name, noun
from csig.classical.independent import item_sums
from csig.classical.paired import (
    Differences,
    check_binary,
    default_metric,
    differences_if_any,
)
from csig.data import metrics
from csig.data.comparison import Comparison
from csig.data.metrics import Metric
from csig.engines.exact import route
from csig.engines.questions import StudentizedQuestion
from csig.engines.tasks import Task, make_task
from csig.results.randomization import Grounds

#: What a metric is: a sum over units whose denominator is fixed; a ratio whose denominator is
#: the system's own; any other function of the summed statistics.
Kind: TypeAlias = Literal["sum", "ratio", "function"]

#: The metric that suits a comparison: the first whose column it has.
DEFAULTS = {"tp": "f1", "correct": "accuracy", "score": "mean"}


@dataclass(frozen=True, kw_only=True, eq=False)
class Facts:
    """What the rules look at; all at the largest unit that is known."""

    comparison: Comparison  #: Swapping the largest unit.
    asked: str  #: What it swapped when it was given.
    metric: Metric  #: What is compared.
    by_name: bool  #: Whether its name says so.
    kind: Kind  #: What the metric is.
    n: int  #: n, n_differ: all units, and those by whose swap the metric can change.
    n_differ: int
    finer: tuple[str, ...]  #: Smaller units that are known and more numerous, finest first.
    own: Differences | None  #: The units' differences, of a sum.
    binary: str | None  #: The unit of which every result is right or wrong, where there is one.
    discordant: tuple[int, int]  #: Of that unit, those that only A, and only B, has right.
    #: What the mean of the results on single items is; None where they are not known.
    item_metric: str | None
    n_items: int  #: Single items, where they are known.
    #: r12, cost: the correlation of the systems' results on single items, and the factor by which
    #: assuming independence inflates the difference's standard deviation; None where they are not
    #: known.
    r12: float | None
    cost: float | None
    #: Of the differences of all units; None where there are none or they do not vary.
    skewness: float | None
    grounds: Grounds | None  #: What the test of a ratio rests on.
    #: The exact engine that the randomization test takes first; None where it takes shuffles.
    engine: str | None
    n_runs: int  #: Runs of each system.
    zero_division: int = 0  #: The score where the denominator is zero.

    @property
    def unit(self) -> str:
        """The largest unit that is known."""
        return self.comparison.unit

    @property
    def title(self) -> str:
        """The metric within a sentence."""
        return metric_name(self.metric.name)

    @property
    def units(self) -> str:
        """How many there are, in words; of single responses those that one system has alone."""
        if self.comparison.units is None:
            return f"{count(self.comparison.n_units)} responses of one system only"
        return counted(self.n, self.unit)

    def within(self, finer: str) -> str:
        """Why smaller units are not independent."""
        n = total_units(self.comparison.at(finer))
        which = " that only one system has" if finer == "response" else ""
        return (
            f"{noun(finer, 2)} in the same {noun(self.unit)} are not independent, and "
            f"{counted(n, finer)}{which} are in {counted(self.n_units, self.unit)}"
        )

    @property
    def r12_is_of_metric(self) -> bool:
        """Whether the metric is the mean of the results that r12 is of."""
        names = {self.item_metric, self.metric.name}
        return len(names) == 1 or (self.item_metric == "mean" and self.kind == "sum")

    @property
    def n_units(self) -> int:
        """All units of the largest kind."""
        return total_units(self.comparison)

    def at(self, unit: str) -> str:
        """The comparison that swaps a unit, as Python writes it."""
        return "comparison" if unit == self.asked else f'comparison.at("{unit}")'

    @property
    def named(self) -> str:
        """The metric as Python writes it."""
        return f'"{self.metric.name}"' if self.by_name else "metric"


def total_units(comparison: Comparison) -> int:
    """All units; of single responses those that only one system has."""
    return comparison.n_units if comparison.units is None else comparison.units.n_total


def _grounds(task: Task, metric: Metric) -> Grounds | None:
    """What the test of a ratio rests on."""
    question = task.question(metric)
    return question.grounds if isinstance(question, StudentizedQuestion) else None


def facts_of(
    comparison: Comparison, metric: str | Metric | None = None, zero_division: int = 0
) -> Facts:
    """What the data are, by a metric: F1, accuracy or the mean by default."""
    instance("comparison", comparison, Comparison)
    wanted = default_metric(comparison.columns, DEFAULTS) if metric is None else metric
    used = metrics.get(wanted, comparison.columns)
    used.check_columns(comparison.columns)
    whole = comparison.at(comparison.levels[-1])
    own = differences_if_any(whole, used)
    kind: Kind = "function"
    if used.linear_fractional:
        kind = "ratio" if own is None else "sum"
    binary, discordant = None, (0, 0)  # of the largest unit all whose results are right or wrong
    for unit in reversed(comparison.levels):
        at = comparison.at(unit)
        found = differences_if_any(at, used)
        if found is None:
            break
        try:
            check_binary(at, found)
        except InputError:
            continue
        binary, discordant = unit, found.signs
        break
    try:
        items = item_sums(comparison)
    except InputError:
        items = None
    known = items if items is not None and not math.isnan(items.r12) else None
    task = make_task(whole, rng=0, threads=1, zero_division=zero_division, statistic="auto")
    engines = route(task, task.question(used))[0]
    finer = []
    for unit in comparison.levels[:-1]:
        at = comparison.at(unit)
        # Whether some larger unit holds several of the smaller.
        more = "response" in at.levels or total_units(at) > total_units(whole)
        if whole.units is not None and more:
            finer.append(unit)
    return Facts(
        comparison=whole,
        asked=comparison.unit,
        metric=used,
        by_name=isinstance(wanted, str) or metrics.BUILTIN.get(used.name) == used,
        kind=kind,
        n=total_units(whole) if own is None else own.n,
        n_differ=whole.n_units if own is None else int(own.sizes.sum()),
        finer=tuple(finer),
        own=own,
        binary=binary,
        discordant=discordant,
        item_metric=None if items is None else items.metric,
        n_items=0 if items is None else items.n,
        r12=None if known is None else known.r12,
        cost=None if known is None else known.cost,
        skewness=None if own is None else own.skewness,
        grounds=_grounds(task, used) if whole.n_units else None,
        engine=engines[0].name if engines else None,
        n_runs=1 if comparison.runs is None else comparison.runs.n,
        zero_division=zero_division,
    )
