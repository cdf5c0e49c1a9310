"""Exact power of the test of right/wrong items: a sign test on those that differ.

Of n items each differs with probability `discordance`, and then in favour of the new system with
probability (1 + difference / discordance) / 2. Given the number m that differ, the exact
randomization test, the sign test and McNemar's exact test are one test, of which the critical
value and the power are tails of binomial distributions; m is binomial itself.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import bdtr, bdtrc, gammaln, ndtr, ndtri, xlog1py, xlogy

from csig.base.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Integers = NDArray[np.int64]

#: More items are not planned for: their powers are those of the normal formula.
MOST_ITEMS = 10**6

#: Standard deviations around a binomial mean beyond which less than 1e-16 lies, and some counts.
WIDTH, ROOM = 9, 40

#: A p-value is at most alpha if it is larger by so little: p and alpha are rounded.
SAME = 1 + 1e-12

#: Numbers of items, each of whose distributions is made from the one before.
STEPS = 256


def critical(m: Integers, alpha: float) -> Integers:
    """The fewest of m in one direction that are significant, two-sided; m + 1 where none is."""
    near = np.ceil(m / 2 - ndtri(alpha / 2) * np.sqrt(m) / 2).astype(np.int64)
    least = np.minimum(np.maximum(near, m // 2 + 1), m + 1)

    def significant(count: Integers) -> NDArray[np.bool_]:
        within = (2 * count > m) & (count <= m)
        return within & (2 * bdtrc(np.maximum(count - 1.0, 0), m, 0.5) <= alpha * SAME)

    while (fewer := significant(least - 1)).any():
        least = least - fewer
    while (more := ~significant(least) & (least <= m)).any():
        least = least + more
    return least


def shares(m: Integers, n: int, discordance: float) -> Floats:
    """The binomial probabilities that m of n items differ; m holds all that are likely."""
    logs = xlogy(m, discordance) + xlog1py(n - m, -discordance)
    logs += gammaln(n + 1.0) - gammaln(m + 1.0) - gammaln(n - m + 1.0)
    found = np.exp(logs)
    return np.asarray(found / found.sum())


def powers_given(m: Integers, share: float, alpha: float) -> Floats:
    """The power where m items differ, each in favour of the new system with this probability."""
    least = critical(m, alpha)
    upper = bdtrc(least - 1.0, m, share)
    lower = np.where(least > m, 0.0, bdtr((m - least).astype(float), m, share))
    return np.where(least > m, 0.0, upper + lower)


def _ends(n: int, discordance: float) -> tuple[int, int]:
    """Between which numbers of items that differ nearly all of the distribution lies."""
    mean = n * discordance
    width = WIDTH * math.sqrt(mean * (1 - discordance)) + ROOM
    return max(0, math.floor(mean - width)), min(n, math.ceil(mean + width))


def power(n: int, discordance: float, difference: float, alpha: float) -> float:
    """How often the test of n items is significant."""
    low, high = _ends(n, discordance)
    m = np.arange(low, high + 1)
    given = powers_given(m, (1 + difference / discordance) / 2, alpha)
    return min(1.0, float(shares(m, n, discordance) @ given))


def normal_power(n: float, discordance: float, difference: float, alpha: float) -> float:
    """The same by the formula that takes the mean difference for normal (Miller 2024)."""
    spread = math.sqrt(discordance - difference**2)
    far = math.sqrt(n) * difference / spread if spread else math.inf
    return float(ndtr(far + ndtri(alpha / 2)) + ndtr(ndtri(alpha / 2) - far))


def normal_items(discordance: float, difference: float, target: float, alpha: float) -> int:
    """The number of items by that formula."""
    z = ndtri(target) - ndtri(alpha / 2)
    return max(1, math.ceil(z**2 * (discordance / difference**2 - 1)))


def items(discordance: float, difference: float, target: float, alpha: float) -> int:
    """The fewest items from which on the power is never below the target again.

    The power given m falls where the critical value moves. Its least value at m or beyond does not,
    and neither does what that gives over the distribution of m: a lower bound of the power at n and
    at every larger n. From where the bound reaches the target the search goes down.
    """
    start = normal_items(discordance, difference, target, alpha)
    if start > MOST_ITEMS:
        raise InputError(
            f"a difference of {100 * difference:g} points would need about {start:,} items, "
            f"more than {MOST_ITEMS:,}; give a larger difference, or fewer items that differ"
        )
    most = start + start // 5 + 400
    m = np.arange(_ends(most, discordance)[1] + 1)
    given = powers_given(m, (1 + difference / discordance) / 2, alpha)
    least = np.minimum.accumulate(given[::-1])[::-1]

    def expected(n: int, own: Floats) -> float:
        low, high = _ends(n, discordance)
        return float(shares(m[low : high + 1], n, discordance) @ own[low : high + 1])

    low, high = 0, most  # the bound is below the target at low, and not at high
    while high - low > 1:
        middle = (low + high) // 2
        below = expected(middle, least) < target
        low, high = (middle, high) if below else (low, middle)
    if discordance == 1:
        return int(np.flatnonzero(given[:high] < target)[-1] + 1)
    while True:
        first, last = _ends(max(0, high - STEPS), discordance)[0], _ends(high, discordance)[1]
        own, weights = m[first : last + 1], shares(m[first : last + 1], high, discordance)
        for n in range(high, max(0, high - STEPS), -1):  # the power is known at n, now at n - 1
            weights *= (n - own) / (n * (1 - discordance))
            if weights @ given[first : last + 1] < target:
                return n
        high -= STEPS


def difference(n: int, discordance: float, target: float, alpha: float) -> float | None:
    """The smallest difference that n items detect with this power; None where none is.

    The power rises with the difference, since that of every number of items that differ does.
    """
    low, high = _ends(n, discordance)
    m = np.arange(low, high + 1)
    weights, least = shares(m, n, discordance), critical(m, alpha)

    def reached(share: float) -> bool:
        upper = bdtrc(least - 1.0, m, share)
        lower = bdtr(np.maximum(m - least, 0).astype(float), m, share)
        return bool(weights @ np.where(least > m, 0.0, upper + lower) >= target)

    below, above = 0.5, 1.0
    if not reached(above):
        return None
    while above - below > 1e-9:
        middle = (below + above) / 2
        below, above = (below, middle) if reached(middle) else (middle, above)
    return (2 * above - 1) * discordance
