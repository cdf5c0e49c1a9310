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
