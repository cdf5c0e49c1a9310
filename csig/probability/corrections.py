"""Adjusted p-values of several tests: what may be compared with alpha, however many there are.

:func:`holm` corrects a handful of results and says what became of each; :func:`adjusted` takes
arrays, :func:`bergmann_hommel` all pairs of systems, :func:`over_families` tests in families.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import TYPE_CHECKING, Generic, Literal, TypeAlias, TypeVar, get_args

import numpy as np

from csig.base.errors import InputError
from csig.base.shown import Shown, ShownTuple
from csig.base.validation import between, public
from csig.base.wording import pvalue
from csig.probability.alike import log

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from csig.results.randomization import RandomizationResult

#: The corrections of p-values that are there already.
Correction: TypeAlias = Literal["holm", "bonferroni", "shaffer", "bh", "by"]
CORRECTIONS: tuple[Correction, ...] = get_args(Correction)

#: More systems would make Shaffer's factors take minutes; ten have 115,975 partitions for Bergmann
#: and Hommel, and every further one six times as many or more.
MOST_SYSTEMS, MOST_PARTED = 500, 9


def shaffer_factors(n_systems: int) -> list[int]:
    """What Shaffer's method multiplies the p-values of all pairs with, the smallest first."""
    # After some pairs were found to differ, not every number of the others can be equal: of three
    # systems, if one pair differs at most one other pair is equal. The factor is the largest number
    # of equal pairs that is still possible (Shaffer 1986, procedure 1).
    if n_systems > MOST_SYSTEMS:
        raise InputError(
            f"correction 'shaffer' is for at most {MOST_SYSTEMS} systems, found {n_systems:,}; "
            "'holm' has no limit"
        )
    # Bit t of possible[k]: k systems can have exactly t equal pairs.
    possible = [1]
    for k in range(1, n_systems + 1):
        numbers = 0
        for group in range(1, k + 1):
            numbers |= possible[k - group] << math.comb(group, 2)
        possible.append(numbers)
    counts = possible[n_systems]
    m = math.comb(n_systems, 2)
    return [(counts & ((1 << (m - i + 1)) - 1)).bit_length() - 1 for i in range(m)]


def adjusted(
    pvalues: NDArray[np.float64],
    log_pvalues: NDArray[np.float64],
    correction: Correction,
    *,
    total: int | None = None,
    n_systems: int | None = None,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Adjusted p-values, and their logarithms."""
    # "holm" (1979) and "bonferroni" bound the probability of any false rejection, however the tests
    # depend on each other; so does "shaffer" (1986), for all pairs of `n_systems` whose equality is
    # transitive. "bh" (Benjamini and Hochberg 1995) bounds the expected share of false rejections
    # among all, if the tests are independent or positively dependent, which tests of all pairs need
    # not be; "by" (Benjamini and Yekutieli 2001) however they depend. `total` is the size of the
    # family for the first two, where it has further tests with larger p-values.
    n = len(pvalues)
    m = n if total is None else total
    ranks = np.arange(n)
    if correction == "bonferroni":
        factors = np.full(n, float(m))
    elif correction == "holm":
        factors = (m - ranks).astype(np.float64)
    elif correction == "shaffer":
        if n_systems is None or n != math.comb(n_systems, 2):
            raise InputError("correction 'shaffer' is for all pairs of systems")
        factors = np.array(shaffer_factors(n_systems), dtype=np.float64)
    else:
        harmonic = math.fsum(1 / i for i in range(1, n + 1)) if correction == "by" else 1.0
        factors = n * harmonic / (ranks + 1.0)
    # Doubles have no p-values below 1e-308: the logarithms order them.
    order = np.argsort(log_pvalues, kind="stable")
    products = pvalues[order] * factors
    logs = log_pvalues[order] + np.log(factors)
    stepped = np.stack([products, logs])
    if correction in ("bh", "by"):
        stepped = np.minimum.accumulate(stepped[:, ::-1], axis=1)[:, ::-1]
    else:
        stepped = np.maximum.accumulate(stepped, axis=1)
    back = np.empty(n, dtype=np.intp)
    back[order] = ranks
    return np.minimum(1.0, stepped[0])[back], np.minimum(0.0, stepped[1])[back]


@lru_cache(maxsize=2)
def exhaustive_sets(n_systems: int) -> NDArray[np.bool_]:
    """The sets of pairs that can be equal at once, without the empty one: (sets, pairs)."""
    if n_systems > MOST_PARTED:
        raise InputError(
            f"correction 'bergmann-hommel' is for at most {MOST_PARTED} systems, found "
            f"{n_systems:,}; 'holm' has no limit"
        )
    groups = np.zeros((1, 1), dtype=np.int8)  # of every partition, the group of each system
    for _ in range(1, n_systems):
        choices = groups.max(axis=1) + 2
        last = np.concatenate([np.arange(n, dtype=np.int8) for n in choices.tolist()])
        groups = np.column_stack([np.repeat(groups, choices, axis=0), last])
    j, k = np.triu_indices(n_systems, 1)  # the order of the pairs
    equal: NDArray[np.bool_] = groups[:, j] == groups[:, k]
    equal = equal[equal.any(axis=1)]
    equal.setflags(write=False)
    return equal


def bergmann_hommel(pvalues: NDArray[np.float64], n_systems: int) -> NDArray[np.float64]:
    """Adjusted p-values of all pairs, in the order of ``numpy.triu_indices(n_systems, 1)``."""
    # Bergmann and Hommel (1988): a set of pairs is exhaustive if exactly these can be equal at
    # once, that is if the systems fall into groups of equals and these are the pairs within groups.
    # Of every exhaustive set the smallest p-value times the number of its pairs is a test; a pair
    # differs if all sets with it are rejected. Garcia and Herrera (2008) list the sets by an
    # algorithm of their own; they are the partitions of the systems.
    if len(pvalues) != math.comb(n_systems, 2):
        raise InputError("correction 'bergmann-hommel' is for all pairs of systems")
    sets = exhaustive_sets(n_systems)
    tests = np.where(sets, pvalues, np.inf).min(axis=1) * sets.sum(axis=1)
    largest: NDArray[np.float64] = np.where(sets, tests[:, None], 0.0).max(axis=0)
    return np.minimum(largest, 1.0)


def over_families(pvalues: NDArray[np.float64]) -> NDArray[np.float64]:
    """Adjust p-values, (families, tests), for the number of families as well."""
    # They are adjusted within each family: with a probability of at most u no true null hypothesis
    # of the family has one of u or less, for every u. Then with a probability of at most alpha a
    # true null hypothesis of any family has one of alpha or less, however the families depend on
    # each other.
    #
    # Begin with all m families, and reject every hypothesis with m p <= alpha. A family of which
    # *all* hypotheses are rejected is done; as long as one more is, go on with the k that are not
    # done, and reject what has k p <= alpha.
    #
    # *Why the error rate holds.* Let m0 families have a true null hypothesis or more. Up to the
    # first false rejection none of these is done, so k >= m0, and that rejection takes a true null
    # hypothesis with p <= alpha / m0. The probability of one is at most alpha / m0 in each of the
    # m0 families, and at most alpha in any.
    #
    # *Why not Holm's factor as soon as a family has its first rejection.* It would hold for claims
    # such as "there is a difference somewhere in this family". But the difference that earns a
    # family its place may be real, and leave the family's true null hypotheses as they were: with m
    # families of one false and one true null hypothesis each, the factors m, m - 1, ..., 1 give the
    # m true ones the levels alpha / m, ..., alpha / 2, alpha, which is alpha in no sense.
    #
    # With one test in each family this is Holm's (1979) correction, with one family it changes
    # nothing. An adjusted p-value is the smallest alpha at which the hypothesis is rejected. With
    # the families sorted by their largest p-values M_0 <= M_1 <= ..., that of a p-value of family i
    # is the least, over s <= i, of max((m - s) p, max over r < s of (m - r) M_r).
    m = len(pvalues)
    largest = pvalues.max(axis=1)
    order = np.argsort(largest, kind="stable")
    result = np.empty(pvalues.shape)
    best: NDArray[np.float64] = np.zeros(0)  # what it takes for the first s families to be done
    for i, family in enumerate(order.tolist()):
        done = float((m - i + 1) * largest[order[i - 1]]) if i else 0.0
        best = np.append(best, max(done, *best[-1:].tolist(), 0.0))
        factors = m - np.arange(i + 1)
        levels = np.maximum(factors[:, None] * pvalues[family], best[:, None])
        result[family] = levels.min(axis=0)
    return np.minimum(result, 1.0)


T = TypeVar("T", bound="float | RandomizationResult")


@dataclass(frozen=True, repr=False)
class Corrected(Shown, Generic[T], report="csig.comparing.report"):
    """One of several tests, corrected for their number."""

    name: Hashable  #: What was tested: a system, a part of the data.
    result: T  #: The single test, as it was given.
    #: pvalue, log_pvalue: its p-value, and the logarithm, which is finite where the p-value
    #: underflows.
    pvalue: float
    log_pvalue: float
    #: adjusted_pvalue, log_adjusted_pvalue: the p-value that may be compared with alpha, however
    #: many tests there are.
    adjusted_pvalue: float
    log_adjusted_pvalue: float
    #: "significant", "not significant", or "undecided" where alpha is within the interval around an
    #: approximate p-value, corrected like the p-value. A ratio that rests on too few counts
    #: (`RandomizationResult.sparse`) is never significant.
    verdict: str

    def _line(self) -> str:
        text = pvalue(self.adjusted_pvalue, self.log_adjusted_pvalue)
        return f"{self.name}: p = {text} after Holm's correction, {self.verdict}"

    @property
    def significant(self) -> bool:
        """Whether the verdict is "significant"."""
        return self.verdict == "significant"


@public("csig.classical")
def holm(
    tests: Mapping[Hashable, T] | Sequence[T], alpha: float = 0.05
) -> ShownTuple[Corrected[T]]:
    """Correct several tests for their number by Holm's (1979) method.

    The smallest p-value is multiplied by their number, the next by one less, and so on, and none
    is then less than one before it. The probability that any true null hypothesis is rejected is
    at most alpha, however the tests depend on each other.

    Parameters
    ----------
    tests : mapping {name: RandomizationResult or float}, or sequence of these
        The tests, or their p-values. Without names they are numbered from 0.
    alpha : float
        The significance level for all of them together.

    Returns
    -------
    tuple of Corrected
        In the order of the tests; it shows itself as their rows.

    Raises
    ------
    InputError
        If a p-value is not from 0 to 1, or alpha is not between them.

    References
    ----------
    Holm, S. (1979). A simple sequentially rejective multiple test procedure. Scandinavian
    Journal of Statistics 6.

    Examples
    --------
    >>> for row in holm({"PER": 0.01, "LOC": 0.04, "ORG": 0.03}):
    ...     print(row.name, row.adjusted_pvalue, row.verdict)
    PER 0.03 significant
    LOC 0.06 not significant
    ORG 0.06 not significant
    """
    alpha = between("alpha", alpha)
    if not isinstance(tests, Iterable) or getattr(tests, "ndim", 1) == 0:
        raise InputError(f"tests: expected several tests, found {tests!r}")
    named = tests if isinstance(tests, Mapping) else dict(enumerate(tests))
    numbers = [_numbers(name, test) for name, test in named.items()]
    pvalues, logs, lows, highs = np.array(numbers, dtype=np.float64).reshape(-1, 4).T
    ps, log_ps = (column.tolist() for column in adjusted(pvalues, logs, "holm"))
    # The correction never falls when a p-value rises.
    low, high = (
        adjusted(ends, np.array([log(p) for p in ends]), "holm")[0].tolist()
        for ends in (lows, highs)
    )
    rows = []
    for i, (name, test) in enumerate(named.items()):
        verdict = "significant" if ps[i] <= alpha else "not significant"
        # If no unit differs, there is nothing to test, and p is 1.
        if low[i] <= alpha < high[i] and getattr(test, "n_units", True):
            verdict = "undecided"
        if getattr(test, "sparse", False):
            verdict = "not significant"
        rows.append(Corrected(name, test, *numbers[i][:2], ps[i], log_ps[i], verdict))
    return ShownTuple(rows)


def _numbers(
    name: Hashable, test: float | Decimal | RandomizationResult
) -> tuple[float, float, float, float]:
    """The p-value, its logarithm and its interval, which is a point if nothing was drawn."""
    if isinstance(test, Decimal):
        test = float(test)
    if isinstance(test, (float, numbers.Real)):
        pvalue = float(test) if 0 <= test <= 1 else math.nan  # an integer may be beyond all floats
        if math.isnan(pvalue):
            raise InputError(f"tests[{name!r}]: expected a p-value from 0 to 1, found {test!r}")
        return pvalue, log(pvalue), pvalue, pvalue
    if hasattr(test, "pvalue_interval"):
        return test.pvalue, test.log_pvalue, *test.pvalue_interval
    if not isinstance(getattr(test, "pvalue", None), float):
        raise InputError(f"tests[{name!r}]: expected a result or its p-value, found {test!r}")
    return _numbers(name, test.pvalue)  # of a classical test
