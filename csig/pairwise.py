"""The p-values of pairs of systems: exact wherever that can be computed.

Of binary scores all pairs are tested at once: only the units that one of two systems has right
count, and these are heads or tails. Of very few units all flips of whole rows are looked at. All
other pairs are tested one by one, by :func:`csig.randomization_test`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from csig import metrics
from csig.comparison import Comparison
from csig.data.several import Several
from csig.data.units import LARGEST_SUM
from csig.engines.weights import integer_weights
from csig.errors import InputError
from csig.metrics import Metric
from csig.probability.binomial import sign_tails
from csig.randomization import randomization_test
from csig.wording import first_few

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Pairs = tuple[NDArray[np.intp], NDArray[np.intp]]

__all__ = ["PairPvalues", "Scored", "pair_pvalues", "scored"]

#: Rows whose flips are all looked at, where pairs are many.
FEW_ROWS, MANY_PAIRS = 12, 100

#: Numbers in a block of these.
CELLS = 2**21

#: Integers that flips can sum in doubles.
BITS = 50


@dataclass(frozen=True, eq=False)
class Scored:
    """Systems and the metric that compares them.

    Attributes
    ----------
    given : Several
        The systems' numbers.
    metric : Metric
        What is compared.
    values : array of int64, (units, systems), or None
        What each unit adds to each system's score, if it is a sum over units; clusters are units.
    exact : bool
        Whether `values` are the scores, not scores on a grid.
    binary : bool
        Whether `values` are all 0 or 1.
    scores : tuple of float
        One per system.
    unit : str
        What is swapped.
    """

    given: Several
    metric: Metric
    values: NDArray[np.int64] | None
    exact: bool
    binary: bool
    scores: tuple[float, ...]
    unit: str

    @property
    def n_units(self) -> int:
        """Units, or clusters."""
        given = self.given
        return len(given.rows[0]) if given.clusters is None else len(set(given.clusters))

    def comparison(self, j: int, k: int) -> Comparison:
        """Two of the systems, the first minus the second."""
        return compared(self.given, j, k)


@dataclass(frozen=True, eq=False)
class PairPvalues:
    """Two-sided p-values, one entry for each pair, and how many are of shuffles."""

    pvalues: NDArray[np.float64]
    logs: NDArray[np.float64]
    n_shuffled: int = 0


def compared(given: Several, j: int, k: int) -> Comparison:
    """Two of the systems."""
    rows: Any = given.rows[j], given.rows[k]
    names = given.names[j], given.names[k]
    if given.columns is None:
        return Comparison.from_scores(*rows, ids=given.ids, clusters=given.clusters, names=names)
    return Comparison.from_statistics(
        rows[0], rows[1], given.columns, ids=given.ids, clusters=given.clusters, names=names
    )


def _of_scores(
    given: Several, metric: str | Metric | None, lower_is_better: bool
) -> tuple[Metric, NDArray[np.int64], bool, bool]:
    """Of scores: the metric, the integers, whether these are exact, and binary."""
    whole = all(own.dtype.kind == "i" for own in given.rows)
    table, exact = np.stack(given.rows, axis=1), True
    binary = whole and bool(((table == 0) | (table == 1)).all())
    if not whole:
        table, exact = _on_grid(table)
    name = ("accuracy" if binary else "mean") if metric is None else metric
    if not isinstance(name, Metric):
        if name not in ("mean", "accuracy", "error_rate"):
            raise InputError(
                f"metric: found {name!r}; scores have their mean. Other metrics need statistics: "
                "give rows of counts, and columns= with their names"
            )
        less = lower_is_better or name == "error_rate"
        found = metrics.ratio(str(name), "score", "n", greater_is_better=not less)
    else:
        found = name
    return found, given.whole(table), exact, binary and given.clusters is None


def _on_grid(table: NDArray[Any]) -> tuple[NDArray[np.int64], bool]:
    """Scores as integers, all in the same steps."""
    from csig.data.fixed_point import to_integers  # integers do not wait for it

    flat = np.ascontiguousarray(table).reshape(-1)
    scaled = to_integers(flat, flat)
    found = scaled[0].reshape(table.shape)
    size = np.abs(found.astype(np.float64)).sum(axis=0).max(initial=0)
    shift = max(0, int(np.frexp(size)[1]) - BITS)
    if shift:
        found = (found + (1 << (shift - 1))) >> shift
    return found, scaled[3] == 0 and not shift


def _of_statistics(given: Several, metric: Metric) -> NDArray[np.int64] | None:
    """The numerators, if no system changes a denominator."""
    if not metric.linear_fractional:
        return None
    above, below = integer_weights(compared(given, 0, 1), metric)
    weights = np.array([above, below], dtype=np.int64)
    tables = [given.whole(own) for own in given.rows]
    reach = max(float(np.abs(own).astype(np.float64).sum()) for own in tables)
    if reach * float(np.abs(weights).max()) * 2 >= LARGEST_SUM:
        return None
    found = [own @ weights.T for own in tables]
    if any((own[:, 1] != found[0][:, 1]).any() for own in found):
        return None
    return np.stack([own[:, 0] for own in found], axis=1)


def scored(
    given: Several,
    metric: str | Metric | None,
    *,
    lower_is_better: bool = False,
    zero_division: int = 0,
    unit: str = "unit",
) -> Scored:
    """The systems with their scores by a metric."""
    if given.columns is None:
        found, values, exact, binary = _of_scores(given, metric, lower_is_better)
        total: NDArray[np.int64] | None = values
    else:
        if metric is None:
            raise InputError(
                f"metric: there is no default for {first_few(given.columns)}; name one"
            )
        if lower_is_better:
            raise InputError("lower_is_better is for scores; a metric says it itself")
        found = metrics.get(metric, given.columns)
        found.check_columns(given.columns)
        total, exact, binary = _of_statistics(given, found), True, False
    scores = []
    for own in given.rows:
        if given.columns is None:
            sums: dict[str, Any] = {
                "score": Fraction(*float(own.mean(dtype=np.float64)).as_integer_ratio()) * len(own)
                if own.dtype.kind == "f"
                else int(own.sum()),
                "n": len(own),
            }
        else:
            sums = dict(zip(given.columns, own.sum(axis=0).tolist(), strict=True))
        scores.append(float(found.score(sums, zero_division=zero_division)))
    return Scored(given, found, total, exact, binary, tuple(scores), unit)


def _of_few_rows(values: NDArray[np.int64], pairs: Pairs) -> PairPvalues:
    """All flips of a few rows; half of them, as the others have the same differences negated."""
    n = len(values)
    signs = 1 - 2 * (np.arange(2 ** max(0, n - 1))[:, None] >> np.arange(n) & 1)
    sums = signs @ (values - values[:, :1])
    found = np.empty(len(pairs[0]))
    step = max(1, CELLS // len(signs))
    for start in range(0, len(found), step):
        j, k = (own[start : start + step] for own in pairs)
        size = np.abs(sums[:, j] - sums[:, k])
        found[start : start + step] = (size >= size[0]).mean(axis=0)
    return PairPvalues(found, np.log(found))


def pair_pvalues(
    table: Scored,
    pairs: Pairs,
    notify: Callable[[int, int], object] | None = None,
    **options: Any,
) -> PairPvalues:
    """The two-sided p-value of every pair.

    Parameters
    ----------
    table : Scored
        The systems.
    pairs : pair of arrays of int
        The first and the second system of every pair.
    notify : callable, optional
        Called as (done, total).
    **options
        Of :func:`csig.randomization_test`, for pairs that are tested one by one.
    """
    values = table.values
    if table.binary and values is not None:
        own = values.astype(np.float64)
        both, right = own.T @ own, own.sum(axis=0)
        j, k = pairs
        ahead, behind = (np.rint(right[one] - both[j, k]).astype(np.int64) for one in (j, k))
        return PairPvalues(*sign_tails(ahead, behind))
    if values is not None and table.exact and len(pairs[0]) > MANY_PAIRS:
        differing = values[(values != values[:, :1]).any(axis=1)]
        if len(differing) <= FEW_ROWS:
            return _of_few_rows(differing, pairs)
    n, shuffled = len(pairs[0]), 0
    found, logs = np.empty((2, n))
    for i, (j, k) in enumerate(zip(*(own.tolist() for own in pairs), strict=True)):
        result = randomization_test(table.comparison(j, k), table.metric, **options)
        found[i], logs[i] = result.pvalue, result.log_pvalue
        shuffled += result.method != "exact"
        if notify is not None:
            notify(i + 1, n)
    return PairPvalues(found, logs, shuffled)
