r"""Analysis of variance for repeated measures: every data set has one score of every system.

With :math:`e_{ij}` the scores minus the means of their data set and system plus the mean of all,
F is the mean square of the systems over that of the :math:`e_{ij}`. It assumes that all
differences of two systems have the same variance (sphericity). Where they do not, both degrees of
freedom are multiplied by epsilon, between 1 / (k - 1) and 1: that of Greenhouse and Geisser (1959)
is estimated from the covariances, that of Huynh and Feldt (1976) is a correction of it upwards.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["RepeatedAnova", "near_one", "repeated_anova"]


@dataclass(frozen=True)
class RepeatedAnova:
    """One score of every system on every data set."""

    statistic: float  #: F.
    df: tuple[int, int]  #: Its degrees of freedom.
    #: Of what neither systems nor data sets explain: the variance that Tukey and Dunnett take.
    mean_square: float
    epsilons: tuple[float, float]  #: Of Greenhouse and Geisser, and of Huynh and Feldt.

    def corrected(self, epsilon: float = 1.0) -> tuple[tuple[float, float], float]:
        """Degrees of freedom times epsilon, and the p-value with these."""
        from scipy.special import fdtrc

        df = (self.df[0] * epsilon, self.df[1] * epsilon)
        return df, float(fdtrc(*df, self.statistic))


def near_one(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """The scores divided by a power of two, which no F notices: their squares stay finite.

    >>> near_one(np.array([[3e200, 4e200], [0.0, -2e200]])).max() < 1
    np.True_
    """
    exponent = int(np.frexp(np.abs(scores).max())[1])
    found: NDArray[np.float64] = np.ldexp(scores, -exponent)
    return found


def repeated_anova(scores: NDArray[np.float64]) -> RepeatedAnova | None:
    """The analysis of variance of a table.

    Parameters
    ----------
    scores : array of float, (data sets, systems)
        Two of each at least.

    Returns
    -------
    RepeatedAnova or None
        None if systems differ by the same on every data set, but for rounding: nothing is left
        that they could be compared with.

    Examples
    --------
    >>> found = repeated_anova(np.array([[1.0, 2.0, 4.0], [2.0, 3.0, 4.0], [3.0, 3.0, 6.0]]))
    >>> round(found.statistic, 6), found.df
    (20.8, (2, 4))
    """
    n, k = scores.shape
    df = (k - 1, (k - 1) * (n - 1))
    own = scores - scores.mean()
    rows, columns = own.mean(axis=1, keepdims=True), own.mean(axis=0, keepdims=True)
    rest = own - rows - columns
    reach = 8 * np.finfo(float).eps * float(np.abs(scores).max())
    if float(np.abs(rest).max()) <= reach:
        if float(np.abs(columns).max()) <= reach:
            return RepeatedAnova(0.0, df, 0.0, (1.0, 1.0))
        return None
    square = float((rest**2).sum()) / df[1]
    statistic = n * float((columns**2).sum()) / df[0] / square
    return RepeatedAnova(statistic, df, square, _epsilons(rest, n, k))


def _epsilons(rest: NDArray[np.float64], n: int, k: int) -> tuple[float, float]:
    """From the covariances of scores that are centred by row and column."""
    covariance = rest.T @ rest / (n - 1)
    geisser = float(np.trace(covariance)) ** 2 / ((k - 1) * float((covariance**2).sum()))
    above = n * (k - 1) * geisser - 2
    below = (k - 1) * (n - 1 - (k - 1) * geisser)
    feldt = 1.0 if below <= 0 else min(1.0, above / below)
    return min(1.0, geisser), max(feldt, min(1.0, geisser))
