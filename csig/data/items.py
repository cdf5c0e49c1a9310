"""Results on single items, for correlations and for tests of independent samples.

An item is one thing a system gets right or wrong, or is given one score for: an element of the
gold, a question, a sentence with its BLEU. Counts over several items, like the correct
responses of a document, do not say how the items go together.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from csig.data.rows import Rows
from csig.data.runs import Runs
from csig.data.strings import Texts
from csig.data.units import numbered, summed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from csig.data.units import Units

#: Columns that hold one result an item where the second is 1 in every unit, and their mean.
_RESULTS = (
    ("score", "n", "mean"),
    ("correct", "items", "accuracy"),
    ("errors", "items", "error_rate"),
)


class Results(NamedTuple):
    """Both systems' results on all items, those without a difference too."""

    metric: str  # what their mean is
    a: NDArray[np.int64]
    b: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Tables:
    """What a comparison of tables keeps of them."""

    #: The units that differ, by the unit that is swapped, finest first.
    levels: Mapping[str, Units]
    results: Results | None  #: None where a unit holds several items.
    whole: Rows  #: All units of the finest level.
    clusters: Sequence[Hashable] | None  #: The cluster of each.
    runs: Runs | None = None  #: What each run has of `whole`, if runs were given.
    ids: Sequence[Hashable] | None = None  #: What identifies the units of `whole`.
    #: The number of each one's cluster, in the order in which clusters take random words.
    numbers: NDArray[np.intp] | None = None

    @property
    def level_names(self) -> dict[str, str]:
        """Names of the units that can be swapped, by their general names."""
        return dict(zip(("unit", "cluster"), self.levels, strict=False))

    def units(self, level: str) -> Units:
        """Those of a level, by its general name."""
        return self.levels[self.level_names[level]]

    def rows(self, level: str) -> Rows:
        """What both systems have in every unit of a level, by its general name."""
        if level == "unit" or self.numbers is None:
            return self.whole
        n = int(self.numbers.max(initial=-1)) + 1
        return Rows(*(summed(table, self.numbers, n) for table in self.whole))

    def labels(self, level: str) -> tuple[Sequence[Hashable] | None, Sequence[Hashable] | None]:
        """What identifies the units of a level, and the clusters of those that are in some."""
        if level == "unit" or self.clusters is None:
            return self.ids, self.clusters
        if isinstance(self.clusters, Texts):  # which stay in their buffer
            return self.clusters.codes()[1], None
        return numbered(self.clusters)[1], None

    def runs_at(self, level: str) -> Runs | None:
        """What every run has in every unit of a level, by its general name."""
        if level == "unit" or self.numbers is None or self.runs is None:
            return self.runs
        return self.runs.clustered(self.numbers)


def results_of(
    columns: tuple[str, ...], a: NDArray[np.int64], b: NDArray[np.int64]
) -> Results | None:
    """Both systems' results on single items, if that is what the tables hold: elements of the
    gold, where a unit holds at most one; else the score of a unit, or whether it is correct.
    """

    def column(name: str, table: NDArray[np.int64]) -> NDArray[np.int64]:
        return table[:, columns.index(name)]

    for result, items, metric in _RESULTS:
        if result in columns and items in columns:
            if bool((column(items, a) == 1).all() and (column(items, b) == 1).all()):
                return Results(metric, column(result, a), column(result, b))
            return None
    if "tp" not in columns or not {"gold", "fn"}.intersection(columns):
        return None
    if "gold" in columns:
        gold = column("gold", a)  # the same for both systems
    else:
        gold = column("tp", a) + column("fn", a)
        if not np.array_equal(gold, column("tp", b) + column("fn", b)):
            return None
    if gold.max(initial=0) > 1:
        return None
    there = gold == 1
    return Results("recall", column("tp", a)[there], column("tp", b)[there])
