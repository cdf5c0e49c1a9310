"""Adjusted p-values of pairs over data sets, by every procedure that goes with a test."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

import numpy as np

from csig.base.errors import InputError
from csig.datasets.pairs import DatasetTest, PairTable
from csig.probability import corrections
from csig.probability.corrections import MOST_PARTED, bergmann_hommel, exhaustive_sets
from csig.probability.student import dunnett_quantile, dunnett_tail, range_quantile, range_tail

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: How p-values are adjusted for the number of pairs.
DatasetsCorrection: TypeAlias = Literal[
    "holm", "bonferroni", "shaffer", "bergmann-hommel", "bh", "by", "nemenyi", "tukey", "dunnett"
]
ALL_CORRECTIONS: tuple[DatasetsCorrection, ...] = get_args(DatasetsCorrection)

#: Of more systems the distributions of Tukey and Dunnett take seconds: only where asked for.
MANY_SYSTEMS = 50

#: Corrections of one test only, and whether it is for all pairs.
OF_ONE_TEST = {"nemenyi": ("ranks", True), "tukey": ("anova", True), "dunnett": ("anova", False)}


def check_correction(
    correction: DatasetsCorrection, test: DatasetTest, n_systems: int, baseline: str | None
) -> None:
    """Refuse corrections that do not go with the test, or with a baseline."""
    if correction in OF_ONE_TEST:
        needed, all_pairs = OF_ONE_TEST[correction]
        if test != needed:
            raise InputError(
                f"correction {correction!r} goes with pairs tested by {needed!r}, found {test!r}; "
                "'holm' goes with every test"
            )
        if all_pairs != (baseline is None):
            other = "'dunnett'" if correction == "tukey" else "'holm'"
            way = f"{other} compares with a baseline" if all_pairs else "give one, or use 'tukey'"
            raise InputError(
                f"correction {correction!r} is for "
                f"{'all pairs' if all_pairs else 'comparisons with a baseline'}; {way}"
            )
    if correction in ("shaffer", "bergmann-hommel") and baseline is not None:
        raise InputError(
            f"correction {correction!r} is for all pairs: beside a baseline any set of systems may "
            "be equal to it; use 'holm'"
        )
    if correction == "bergmann-hommel":
        exhaustive_sets(n_systems)


def _adjusted(
    pvalues: NDArray[np.float64], logs: NDArray[np.float64], correction: str, n_systems: int
) -> NDArray[np.float64]:
    if correction == "bergmann-hommel":
        return bergmann_hommel(pvalues, n_systems)
    own: corrections.Correction = correction  # type: ignore[assignment]
    return corrections.adjusted(pvalues, logs, own, n_systems=n_systems)[0]


def adjusted_by(
    pairs: PairTable, correction: DatasetsCorrection, n_systems: int, n_datasets: int, *,
    all_pairs: bool,
) -> dict[str, NDArray[np.float64]]:  # fmt: skip
    """Adjusted p-values by procedure; see `DatasetPair.adjusted_by` for their names."""
    general = "holm" if correction in OF_ONE_TEST else correction
    found = {
        test: _adjusted(own, pairs.logs[test], general, n_systems)
        for test, own in pairs.pvalues.items()
    }
    own, logs = pairs.pvalues["ranks"], pairs.logs["ranks"]
    found["ranks-holm"] = _adjusted(own, logs, "holm", n_systems)
    if all_pairs:
        for test, name in (("ranks", "nemenyi"), ("ranks-ties", "nemenyi-ties")):
            z = np.abs(pairs.ahead[test])
            found[name] = range_tail(math.sqrt(2) * z, n_systems)
        if n_systems <= corrections.MOST_SYSTEMS:
            found["ranks-shaffer"] = _adjusted(own, logs, "shaffer", n_systems)
        if n_systems <= MOST_PARTED:
            found["ranks-bergmann-hommel"] = _adjusted(own, logs, "bergmann-hommel", n_systems)
    else:
        found["bonferroni-dunn"] = np.minimum(1.0, own * len(own))
    name = "tukey" if all_pairs else "dunnett"
    if "anova" in pairs.ahead and (n_systems <= MANY_SYSTEMS or correction == name):
        t, df = np.abs(pairs.ahead["anova"]), (n_systems - 1) * (n_datasets - 1)
        if all_pairs:
            found[name] = range_tail(math.sqrt(2) * t, n_systems, df)
        else:
            found[name] = dunnett_tail(t, n_systems - 1, df)
    return found


def critical_difference(procedure: str, alpha: float, n_systems: int, n_datasets: int) -> float:
    """The least difference of two average ranks that is significant.

    "nemenyi" is of all pairs, the others of all systems beside one: by Bonferroni's inequality, or
    by the joint distribution of ranks that have one system in common.

    >>> round(critical_difference("nemenyi", 0.05, 4, 14), 2)
    1.25
    >>> round(critical_difference("bonferroni-dunn", 0.10, 4, 14), 2)
    1.04
    """
    from scipy.special import ndtri

    error = math.sqrt(n_systems * (n_systems + 1) / (6 * n_datasets))
    if procedure == "nemenyi":
        return range_quantile(alpha, n_systems) / math.sqrt(2) * error
    if procedure == "dunnett":
        return dunnett_quantile(alpha, n_systems - 1) * error
    return -float(ndtri(alpha / (2 * (n_systems - 1)))) * error
