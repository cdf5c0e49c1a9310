"""Tests of all systems over many data sets at once."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from csig.data.several import DatasetTable
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


@dataclass(frozen=True)
class OverallTest:
    """A test of all systems at once, or of two."""

    #: Of all systems "friedman", "friedman-ties", "iman-davenport", "iman-davenport-ties", "quade",
    #: "quade-chi2", "aligned-ranks", "anova", "anova-greenhouse-geisser", "anova-huynh-feldt". Of
    #: two "wilcoxon", "sign", "t", "randomization", "within".
    name: str
    statistic: float  #: The test's own.
    #: One degree of freedom for chi-square and t, two for F, none for exact tests.
    df: tuple[float, ...]
    pvalue: float  #: Two-sided, where there are sides.
    note: str = ""  #: What else there is to know of it.


_ALIKE = "every data set orders the systems alike: p is the probability of that"


def _f(name: str, chi2: RankTest, ranks: NDArray[np.float64], note: str) -> OverallTest:
    n, k = ranks.shape
    sizes = np.unique(ranks[0], return_counts=True)[1]
    orders = math.factorial(k) // math.prod(map(math.factorial, sizes.tolist()))
    found = f_form(chi2.statistic, n, k, orders)
    return OverallTest(name, *found, note if np.isfinite(found.statistic) else _ALIKE)


def overall_tests(table: DatasetTable, ranks: NDArray[np.float64]) -> list[OverallTest]:
    """Friedman's test and what is like it, for two systems or more, by midranks in data sets."""
    centred = ranks - (ranks.shape[1] + 1) / 2
    plain, tied = rank_chi2(centred, ties=False), rank_chi2(centred)
    quade = rank_chi2(quade_scores(ranks, table.ranges))
    found = [
        OverallTest("friedman", *plain, "chi-square, as if no ranks were tied (Demsar 2006)"),
        OverallTest(
            "friedman-ties", *tied, "chi-square with the variance of the ranks as they are"
        ),
        _f("iman-davenport", plain, ranks, "F of the first chi-square (Iman and Davenport 1980)"),
        _f("iman-davenport-ties", tied, ranks, "F of the chi-square with ties"),
        _f("quade", quade, ranks, "data sets weighted by the rank of their range (Quade 1979)"),
        OverallTest("quade-chi2", *quade, "the same as chi-square"),
        OverallTest(
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
            OverallTest(name, anova.statistic, *anova.corrected(share), note)
            for name, share, note in forms
        ]
    return found
