"""Tests of all systems over many data sets at once."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from csig.data.dataset_table import DatasetTable
from csig.probability.tables import (
    RankTest,
    aligned_scores,
    f_form,
    near_one,
    quade_scores,
    rank_chi2,
    repeated_anova,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Overall", "overall_tests"]


class Overall(NamedTuple):
    """One test of all systems."""

    name: str
    statistic: float
    df: tuple[float, ...]
    pvalue: float
    note: str = ""


_ALIKE = "every data set orders the systems alike: p is the probability of that"


def _f(name: str, chi2: RankTest, ranks: NDArray[np.float64], note: str) -> Overall:
    n, k = ranks.shape
    sizes = np.unique(ranks[0], return_counts=True)[1]
    orders = math.factorial(k) // math.prod(map(math.factorial, sizes.tolist()))
    found = f_form(chi2.statistic, n, k, orders)
    return Overall(name, *found, note if np.isfinite(found.statistic) else _ALIKE)


def overall_tests(table: DatasetTable, ranks: NDArray[np.float64]) -> list[Overall]:
    """Friedman's test and what is like it, for two systems or more.

    Parameters
    ----------
    table : DatasetTable
        All systems.
    ranks : array of float, (data sets, systems)
        Midranks within the data sets.
    """
    centred = ranks - (ranks.shape[1] + 1) / 2
    plain, tied = rank_chi2(centred, ties=False), rank_chi2(centred)
    quade = rank_chi2(quade_scores(ranks, table.ranges))
    found = [
        Overall("friedman", *plain, "chi-square, as if no ranks were tied (Demsar 2006)"),
        Overall("friedman-ties", *tied, "chi-square with the variance of the ranks as they are"),
        _f("iman-davenport", plain, ranks, "F of the first chi-square (Iman and Davenport 1980)"),
        _f("iman-davenport-ties", tied, ranks, "F of the chi-square with ties"),
        _f("quade", quade, ranks, "data sets weighted by the rank of their range (Quade 1979)"),
        Overall("quade-chi2", *quade, "the same as chi-square"),
        Overall(
            "aligned-ranks", *rank_chi2(aligned_scores(table.steps)),
            "ranks among all scores minus their data set's mean (Hodges and Lehmann 1962)",
        ),
    ]  # fmt: skip
    anova = repeated_anova(near_one(table.scores))
    if anova is not None:
        notes = (
            "repeated measures; normal scores whose differences have equal variances",
            f"its degrees of freedom times epsilon = {anova.epsilons[0]:.3f}",
            f"its degrees of freedom times epsilon = {anova.epsilons[1]:.3f}",
        )
        names = ("anova", "anova-greenhouse-geisser", "anova-huynh-feldt")
        forms = zip(names, (1.0, *anova.epsilons), notes, strict=True)
        found += [
            Overall(name, anova.statistic, *anova.corrected(share), note)
            for name, share, note in forms
        ]
    return found
