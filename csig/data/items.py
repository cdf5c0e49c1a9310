"""Results on single items: what correlations and tests for independent samples speak of.

An item is one thing a system gets right or wrong, or is given one score for: an element of the
gold, a question, a sentence with its BLEU. Counts over several items, like the correct
responses of a document, do not say how the items go together.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from operator import mul
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from csig.data.responses import RecordedResponses, UniqueResponses
from csig.errors import InputError
from csig.wording import first_few

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from csig.comparison import Comparison
    from csig.data.units import Units

__all__ = ["ItemSums", "Results", "Tables", "item_sums", "results_of"]

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
    """What a comparison of tables keeps of them.

    Attributes
    ----------
    levels : mapping {level: Units}
        The units that differ, by unit of exchange, finest first.
    results : Results or None
        None where a unit holds several items.
    """

    levels: Mapping[str, Units]
    results: Results | None


def results_of(
    columns: tuple[str, ...], a: NDArray[np.int64], b: NDArray[np.int64]
) -> Results | None:
    """Both systems' results on single items, if that is what the tables hold.

    Elements of the gold, found or not, where a unit holds at most one; else the score of a
    unit, or whether it is correct.

    >>> results_of(("tp", "gold"), np.array([[1, 1], [0, 0]]), np.array([[0, 1], [0, 0]]))
    Results(metric='recall', a=array([1]), b=array([0]))
    """

    def column(name: str, table: NDArray[np.int64]) -> NDArray[np.int64]:
        return table[:, columns.index(name)]

    for result, items, metric in _RESULTS:
        if result in columns and items in columns:
            if bool((column(items, a) == 1).all() and (column(items, b) == 1).all()):
                return Results(metric, column(result, a).copy(), column(result, b).copy())
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


class ItemSums(NamedTuple):
    """Over all items, exactly: their number, both systems' results, squares and products.

    >>> ItemSums("recall", n=4, a=2, b=1, aa=2, bb=1, ab=1).covariance
    2
    """

    metric: str  # what the mean of the results is
    n: int
    a: int
    b: int
    aa: int
    bb: int
    ab: int

    @property
    def variances(self) -> tuple[int, int]:
        """Of A's and B's results, times n squared."""
        return self.n * self.aa - self.a**2, self.n * self.bb - self.b**2

    @property
    def covariance(self) -> int:
        """Times n squared."""
        return self.n * self.ab - self.a * self.b


def item_sums(comparison: Comparison) -> ItemSums:
    """The sums over a comparison's items, whatever units are exchanged."""
    source = comparison._source
    if isinstance(source, Tables):
        if source.results is None:
            raise InputError(
                f"comparison: needs the result on every single item (responses, labels, scores, "
                f"or counts with at most one gold element or one item a unit); its units have "
                f"{first_few(comparison.columns)}"
            )
        metric, *results = source.results
        a, b = (of_system.tolist() for of_system in results)
        products = [sum(map(mul, x, y)) for x, y in ((a, a), (b, b), (a, b))]
        return ItemSums(metric, len(a), sum(a), sum(b), *products)
    if isinstance(source, (UniqueResponses, RecordedResponses)):
        only_a = source.counts["only_a_correct"]
    else:
        only_a = comparison.responses[0].only_a
    found_a, found_b, gold = comparison.sums_a[0], comparison.sums_b[0], comparison.sums_a[2]
    return ItemSums("recall", gold, found_a, found_b, found_a, found_b, found_a - only_a)
