"""Which candidates of many samples a ranking method accepts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from csig.data.candidates import Candidates, Ranking, reached
from csig.errors import InputError
from csig.validation import positive
from csig.wording import count, counted

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Rule"]


def _limits(threshold: Any, rankings: Sequence[Ranking]) -> list[Any]:
    """A threshold for every method."""
    given: Any = threshold.item() if getattr(threshold, "shape", None) == () else threshold
    if isinstance(threshold, Mapping):
        for own in rankings:
            if own.name not in threshold:
                raise InputError(f"threshold: none for {own.name!r}")
        return [threshold[own.name] for own in rankings]
    if not hasattr(given, "__len__") or isinstance(given, str):
        return [given] * len(rankings)
    if len(given) != len(rankings):
        raise InputError(
            f"threshold must be one number or one per method, found {count(len(given))} for "
            f"{counted(len(rankings), 'method')}"
        )
    return list(given)


def _of_all(ranking: Ranking, size: int, ties: str) -> tuple[NDArray[np.bool_], int]:
    """Which candidates are among the best of the whole table, and the cuts within a tie: 0 or 1."""
    end = int(ranking.ends[size - 1])
    found = np.zeros(len(ranking.order), dtype=bool)
    found[ranking.order[: end if ties == "all" else size]] = True
    return found, int(end > size)


def _of_each(
    ranking: Ranking, codes: NDArray[np.int64], n: int, ties: str
) -> tuple[NDArray[np.bool_], int]:
    """Which candidates are among the best of their sample, and how many cuts are within a tie."""
    own = codes[ranking.order]
    by_sample = ranking.order[np.argsort(own, kind="stable")]  # and the best first
    sizes = np.bincount(codes)
    starts = np.cumsum(sizes) - sizes
    last = ranking.scores[by_sample[starts + n - 1]]
    after = np.minimum(starts + n, len(codes) - 1)
    cut = (sizes > n) & (ranking.scores[by_sample[after]] == last)
    found = np.zeros(len(codes), dtype=bool)
    found[by_sample] = np.arange(len(codes)) - np.repeat(starts, sizes) < n
    if ties == "all":
        found |= ranking.scores == last[codes]
    return found, int(cut.sum())


class Rule:
    """Which candidates are accepted.

    Parameters
    ----------
    n : int or None
        The n best of every sample.
    threshold : float, sequence of float, mapping {method: float}, or None
        Those with this score or a better one.
    total : int or None
        The best of the whole table. One of the three is given.
    found : Candidates
        With samples.
    lower : sequence of str
        The methods whose small scores are the best.

    Attributes
    ----------
    n, total : int or None
        Checked.
    thresholds : tuple of float or None
        One per method.
    """

    def __init__(self, n: Any, threshold: Any, total: Any, found: Candidates, lower: Any) -> None:
        if (n is None) + (threshold is None) + (total is None) != 2:
            raise InputError(
                "give one of n (the best of every sample), threshold (the scores from which "
                "candidates are accepted) and total (the best of the whole table)"
            )
        names = [lower] if isinstance(lower, str) else list(lower)
        lowers = [own.name in names for own in found.rankings]
        self.n = None if n is None else positive("n", n)
        self.total = None if total is None else positive("total", total)
        self.thresholds: tuple[float, ...] | None = None
        if threshold is not None:
            limits = _limits(threshold, found.rankings)
            self._reached = [
                reached(value, own, down)
                for value, own, down in zip(limits, found.rankings, lowers, strict=True)
            ]
            self.thresholds = tuple(float(own) for own in limits)
        if self.n is not None:
            sizes = np.bincount(found.codes)
            least = int(np.argmin(sizes))
            if sizes[least] < self.n:
                raise InputError(
                    f"n = {count(self.n)}, but sample {found.samples[least]!r} has "
                    f"{counted(int(sizes[least]), 'candidate')}; give a smaller n, or threshold or "
                    "total"
                )
        if self.total is not None and self.total > len(found.true):
            raise InputError(
                f"total = {count(self.total)}, but the table has "
                f"{counted(len(found.true), 'candidate')}"
            )

    def accepted(self, i: int, found: Candidates, ties: str) -> tuple[NDArray[np.bool_], int]:
        """Those of a method, and how many cuts are within a tie.

        Parameters
        ----------
        i : int
            The method's place.
        found : Candidates
            As at the beginning.
        ties : {"all", "first"}
            What becomes of ties at the cut; with a threshold there are none.
        """
        own = found.rankings[i]
        if self.n is not None:
            return _of_each(own, found.codes, self.n, ties)
        if self.total is not None:
            return _of_all(own, self.total, ties)
        return _of_all(own, self._reached[i], "all")
