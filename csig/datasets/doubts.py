"""What to know before believing a comparison over data sets, and which test to trust."""

from __future__ import annotations

import math
from collections.abc import Sequence

from csig.base import wording
from csig.base.wording import counted
from csig.data.several import DatasetTable
from csig.datasets.corrections import DatasetsCorrection
from csig.datasets.pairs import DatasetTest

#: Friedman's chi-square needs more data sets than this, and more systems (Demsar 2006).
FEW_DATASETS, FEW_SYSTEMS = 10, 5

#: With as many data sets its rate at 0.05 is 0.045 to 0.055, however few systems there are.
MANY_DATASETS = 30


def is_rough(n_datasets: int, n_systems: int) -> bool:
    """Whether Friedman's chi-square is a rough approximation with so many."""
    few = n_systems <= FEW_SYSTEMS and n_datasets <= MANY_DATASETS
    return n_systems > 2 and (n_datasets <= FEW_DATASETS or few)


def doubts(
    table: DatasetTable,
    test: DatasetTest,
    correction: DatasetsCorrection,
    alpha: float,
    *,
    n_pairs: int,
    n_shuffled: int,
    n_against: int = 0,
) -> tuple[str, ...]:
    """What to know before believing the verdicts.

    `n_against` is the number of significant pairs whose better system has the worse mean score.
    """
    n = len(table.scores)
    least = 2.0 ** (1 - n)  # the smallest p-value that signs of so many data sets can have
    found = {}
    if table.units is not None:
        found["repeated-names"] = units_in(table.sizes.tolist())
    if bool((table.scores == table.scores[:, :1]).all()):
        found["same-scores"] = "All systems have the same scores: nothing can differ."
    harmonic = math.fsum(1 / i for i in range(1, n_pairs + 1))
    factor = {"bh": 1.0, "by": harmonic}.get(correction, n_pairs)
    if test in ("wilcoxon", "sign", "randomization") and least * factor > alpha:
        of_pairs = f"none of {counted(n_pairs, 'pair')} can be significant at {alpha:g} after the "
        found["too-few-datasets"] = (
            f"With {counted(n, 'data set')} no p-value of a pair can be below {least:.3g}: "
            + (f"{of_pairs}correction {correction}" if n_pairs > 1 else f"it is above {alpha:g}")
            + ", whatever the scores. More data sets are needed."
        )
    if n_against and test in ("wilcoxon", "sign", "ranks"):
        found["against-the-mean"] = (
            f"The better system of {counted(n_against, 'significant pair')} has the worse mean: "
            "large differences on a few data sets contradict the others, and tests on signs and "
            "ranks are not about means."
        )
    if test == "ranks":
        found["average-ranks"] = (
            "Average ranks among all systems: whether two of them differ depends on which others "
            "are in the table (Benavoli, Corani and Mangili 2016)."
        )
    if correction in ("shaffer", "bergmann-hommel") and test not in ("ranks", "t", "anova"):
        found["transitive-equality"] = (
            f"The correction {correction} takes from 'j equals k, and k equals l' that j equals l. "
            "That follows if equal systems are interchangeable, not if their differences are only "
            "symmetric; the correction holm needs neither."
        )
    if n_shuffled and test in ("randomization", "within"):
        found["drawn"] = f"{counted(n_shuffled, 'p-value')} of pairs are from shuffles, not exact."
    return tuple(wording.doubts(found))


def units_in(sizes: Sequence[int]) -> str:
    """That names of data sets repeat, which makes the scores those of units."""
    low, high = min(sizes), max(sizes)
    span = f"{low:,}" if low == high else f"{low:,} to {high:,}"
    return (
        f"Names of data sets repeat: {counted(sum(sizes), 'unit')} in "
        f"{counted(len(sizes), 'data set')} of {span} each; the score of a data set is their mean."
    )


def overall_doubts(n_systems: int, n_datasets: int) -> tuple[str, ...]:
    """What to know of the tests of all systems at once; no verdict on a pair rests on them."""
    if not is_rough(n_datasets, n_systems):
        return ()
    said = (
        f"With {counted(n_datasets, 'data set')} and {counted(n_systems, 'system')} Friedman's "
        f"chi-square is a rough approximation; as a rule it takes more than {FEW_DATASETS} data "
        f"sets and more than {FEW_SYSTEMS} systems (Demsar 2006). The F of Iman and "
        "Davenport is closer."
    )
    return tuple(wording.coded("rough-chi-square", [said]))


def advice_on(n_systems: int, n_datasets: int, has_units: bool) -> tuple[str, ...]:
    """Which test to trust, in short sentences with their sources."""
    found = [
        "Wilcoxon's signed-rank test on the scores of two systems, with Holm's correction, is the "
        "default: it weighs differences by their order only, so that no single data set decides "
        "(Demsar 2006), and a pair's verdict does not depend on other systems (Benavoli, Corani "
        "and Mangili 2016).",
        "It assumes that the differences of equal systems are symmetric around zero, and so does "
        "swapping data sets. Skewed differences can make Wilcoxon's test significant although "
        "their mean is zero.",
        "Do not average scores over data sets that are not comparable: one with large differences "
        "outweighs all others. Average ranks have no such trouble (Demsar 2006).",
        "t tests and analysis of variance need differences that are nearly normal, and the second "
        "equal variances of all differences; over data sets neither is likely (Demsar 2006).",
        "The sign test needs nothing but independent data sets, and finds much less than "
        "Wilcoxon's (Demsar 2006). It asks which system is better more often, not by how much.",
    ]
    if n_systems > 2:
        found += [
            "Friedman's test asks whether any systems differ; take the F of Iman and Davenport, "
            "because the chi-square is too cautious (Demsar 2006). Pairs need no such test before "
            "them: the correction is enough.",
            "Nemenyi's test, and all tests on average ranks, can tell two systems apart or not "
            "depending on which others are in the table: use them for the diagram, not for "
            "verdicts (Benavoli, Corani and Mangili 2016).",
            "T on ranks after Friedman's test (Conover 1999) has p-values that are too small where "
            "other systems differ clearly, and no correction makes up for that.",
            "Shaffer and Bergmann-Hommel find more than Holm, and Holm more than Nemenyi "
            "(Garcia and Herrera 2008); both need equality to be transitive.",
        ]
    if has_units:
        found.append(
            "Swapping data sets asks whether a difference would hold on other data sets like "
            "these; swapping units within them, whether it would hold on other units of these "
            "data sets. The second has a smaller p-value as a rule, and says nothing of other "
            "data sets."
        )
    return tuple(found)
