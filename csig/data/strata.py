"""The mean over strata, each counted alike: of tasks with different numbers of documents.

With T strata of n_t units it is the sum over units of score / (T n_t): a mean whose weights sum
to the same in every stratum. It is linear in the units, so the test that swaps units is that of
any mean, from the same swaps: unit i moves the difference by w_i d_i, where w_i is 1 / n_t up to a
factor.

Scores that are rational get whole weights, L / n_t with L the least common multiple of the n_t:
sums are exact, and so are ties. Where these do not fit, and for scores known to an ulp only,
w = N / (T n_t) is a double (N units: the weights have the mean 1) and w s goes to fixed point like
any real score. Ties are then within tau, which has to cover the product: for s known to 1 ulp(s),
w ulp(s) < 2 ulp(ws), and rounding w and ws adds at most 2^-53 |ws| <= ulp(ws) each. That is less
than 4 ulp(ws), where tau allows one for a score: four times tau is enough, and p is never too
small.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from csig.data.fixed_point import to_integers
from csig.data.units import LARGEST_SUM

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: What tau is multiplied by where weights are rounded.
ROUNDED = 4

#: Of 1, in the column of rounded weights: of them only the width of an interval knows.
PARTS = 2**20


class Weighted(NamedTuple):
    """Scores and weights of both systems in integers, (units, 2), with what a
    :class:`csig.Comparison` knows of such columns.
    """

    a: NDArray[np.int64]
    b: NDArray[np.int64]
    scale: tuple[Fraction, Fraction]
    tau: int


def weighted(a: NDArray[Any], b: NDArray[Any], strata: Sequence[Hashable]) -> Weighted:
    """Two systems' scores, weighted so that every stratum counts alike."""
    names = list(dict.fromkeys(strata))
    number = {name: i for i, name in enumerate(names)}
    places = np.array([number[name] for name in strata], dtype=np.intp)
    sizes = np.bincount(places)
    multiple = math.lcm(*sizes.tolist())
    value, tau = Fraction(1), 0
    one, other = a, b
    if a.dtype.kind == "f" or b.dtype.kind == "f":
        one, other, value, tau = to_integers(a, b)
    total = sum(int(np.abs(own).sum(dtype=np.float64)) for own in (one, other)) + len(places)
    if not tau and multiple * total < LARGEST_SUM * int(sizes.min()):
        weights = (multiple // sizes)[places]
        rows = [np.stack([own * weights, weights], axis=-1) for own in (one, other)]
        return Weighted(rows[0], rows[1], (value, Fraction(1)), 0)
    shares = (len(places) / (len(names) * sizes))[places]
    one, other, value, tau = to_integers(a * shares, b * shares)
    parts = np.rint(shares * PARTS).astype(np.int64)
    rows = [np.stack([own, parts], axis=-1) for own in (one, other)]
    # The sum of weights is the number of units, not what it is rounded to.
    scale = (value, Fraction(len(places), int(parts.sum())))
    return Weighted(rows[0], rows[1], scale, ROUNDED * tau)
