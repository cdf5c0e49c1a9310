"""Several tests at once: Holm's correction."""

from __future__ import annotations

import math
import numbers
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from csig.errors import InputError
from csig.shown import Shown
from csig.validation import between
from csig.wording import pvalue

__all__ = ["Corrected", "Tested", "holm"]


class Tested(Protocol):
    """What a result says about its p-value."""

    @property
    def pvalue(self) -> float: ...
    @property
    def log_pvalue(self) -> float: ...
    @property
    def pvalue_interval(self) -> tuple[float, float]: ...
    @property
    def n_units(self) -> int: ...


T = TypeVar("T", bound=float | Tested)


@dataclass(frozen=True, repr=False)
class Corrected(Shown, Generic[T]):
    """One of several tests, corrected for their number."""

    name: Hashable  #: What was tested: a system, a part of the data.
    result: T  #: The single test, as it was given.
    #: pvalue, log_pvalue: its p-value, and the logarithm, which is finite where the p-value
    #: underflows.
    pvalue: float
    log_pvalue: float
    #: adjusted, log_adjusted: the p-value that may be compared with alpha, however many tests there
    #: are.
    adjusted: float
    log_adjusted: float
    #: "significant", "not significant", or "undecided" where alpha is within the interval around an
    #: approximate p-value, corrected like the p-value. A ratio that rests on too few counts
    #: (`RandomizationResult.sparse`) is never significant.
    verdict: str

    def _line(self) -> str:
        adjusted = pvalue(self.adjusted, self.log_adjusted)
        return f"{self.name}: p = {adjusted} after Holm's correction, {self.verdict}"

    @property
    def significant(self) -> bool:
        """Whether the verdict is "significant"."""
        return self.verdict == "significant"


def holm(tests: Mapping[Hashable, T] | Sequence[T], alpha: float = 0.05) -> list[Corrected[T]]:
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
    list of Corrected
        In the order of the tests.

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
    ...     print(row.name, row.adjusted, row.verdict)
    PER 0.03 significant
    LOC 0.06 not significant
    ORG 0.06 not significant
    """
    alpha = between("alpha", alpha)
    named = tests if isinstance(tests, Mapping) else dict(enumerate(tests))
    found = [_numbers(name, test) for name, test in named.items()]
    adjusted = _adjusted([(p, log) for p, log, _, _ in found])
    # The correction never falls when a p-value rises.
    lows, highs = (
        [p for p, _ in _adjusted([(own[end], _log(own[end])) for own in found])] for end in (2, 3)
    )
    rows = []
    for i, (name, test) in enumerate(named.items()):
        verdict = "significant" if adjusted[i][0] <= alpha else "not significant"
        # If no unit differs, there is nothing to test, and p is 1.
        if lows[i] <= alpha < highs[i] and getattr(test, "n_units", True):
            verdict = "undecided"
        if getattr(test, "sparse", False):
            verdict = "not significant"
        rows.append(Corrected(name, test, *found[i][:2], *adjusted[i], verdict))
    return rows


def _log(pvalue: float) -> float:
    return math.log(pvalue) if pvalue else -math.inf


def _numbers(name: Hashable, test: float | Tested) -> tuple[float, float, float, float]:
    """The p-value, its logarithm and its interval, which is a point if nothing was drawn."""
    if isinstance(test, (float, numbers.Real)):
        pvalue = float(test)
        if not 0 <= pvalue <= 1:
            raise InputError(f"tests[{name!r}]: expected a p-value from 0 to 1, found {test!r}")
        return pvalue, _log(pvalue), pvalue, pvalue
    if not hasattr(test, "pvalue_interval"):
        raise InputError(f"tests[{name!r}]: expected a result or its p-value, found {test!r}")
    return test.pvalue, test.log_pvalue, *test.pvalue_interval


def _adjusted(pvalues: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """The adjusted p-values and their logarithms, of p-values and theirs.

    They are ordered by the logarithms, because doubles have no p-values below 1e-308.
    """
    n = len(pvalues)
    found = [(1.0, 0.0)] * n
    best = -math.inf, 0.0
    for rank, i in enumerate(sorted(range(n), key=lambda i: pvalues[i][1])):
        own, log = pvalues[i]
        product = log + math.log(n - rank), (n - rank) * own
        if rank == 0 or product[0] > best[0]:
            best = product
        found[i] = min(1.0, best[1]), min(0.0, best[0])
    return found
