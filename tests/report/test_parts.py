"""What is said of the rows of a breakdown."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

import csig
from csig.report import parts
from csig.report.options import Options


def broken_down(sizes: dict[str, int]) -> csig.Breakdown:
    """Parts with so many units, on each of which A is better."""
    own = {
        name: csig.Comparison.from_scores(
            np.ones(n), np.zeros(n), ids=[f"{name}{i}" for i in range(n)]
        )
        for name, n in sizes.items()
    }
    return csig.breakdown(own, "mean", rng=1)


def test_parts_that_are_too_small_are_said(options: Options) -> None:
    """Five units give 2^-4 at best, two-sided, and six 2^-5."""
    asked = replace(options, by="size")
    assert parts.cautions(broken_down({"p6": 6, "q7": 7}), asked) == []
    (caution,) = parts.cautions(broken_down({"p5": 5, "q7": 7}), asked)
    assert "p5" in caution
    assert "q7" not in caution
    (caution,) = parts.cautions(broken_down({"p5": 5, "q2": 2}), asked)
    assert "every part" in caution or "all" in caution
    assert parts.cautions(broken_down({"p5": 5}), replace(asked, alternative="greater")) == []


def test_another_question_than_that_of_the_metric_is_said(options: Options) -> None:
    """Both systems' responses together are 2^61 or more in one part, and few in the other."""
    large = np.array([[2**57, 2**58, 2**58]] * 4)
    few = np.array([[1, 3, 4], [2, 2, 3], [0, 5, 2]])
    columns = ("tp", "predicted", "gold")
    pairs = {
        label: csig.Comparison.from_statistics(one, other, columns, ids=range(len(one)))
        for label, one, other in (
            ("large", large, large - [[1, 5, 0], [2, 1, 0], [0, 9, 0], [5, 5, 0]]),
            ("few", few, few + np.array([[1, 1, 0], [0, 3, 0], [1, 1, 0]])),
        )
    }
    found = csig.breakdown(pairs, "precision", statistic="auto", rng=1)
    assert found["few"].results["precision"].not_studentized is None
    said = parts.cautions(found, replace(options, by="size"))
    assert any(line.startswith("By size: for precision the difference is not") for line in said)
