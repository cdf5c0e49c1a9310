"""Records of units."""

from __future__ import annotations

import csig
from csig.report.units import record


def test_a_record_has_both_systems_statistics() -> None:
    c = csig.Comparison.from_scores({"q1": 1, "q2": 0.5}, {"q1": 0, "q2": 0.5}, names=("x", "y"))
    found = record(csig.unit_contributions(c, "mean"))
    assert (found["system"], found["baseline"], found["columns"]) == ("x", "y", ["score", "n"])
    assert found["units"] == [
        {
            "id": "q1", "cluster": None, "statistics": [1, 1], "baseline_statistics": [0, 1],
            "score": 1, "baseline_score": 0, "contribution": 0.5, "differs": True,
        },
        {
            "id": "q2", "cluster": None, "statistics": [0.5, 1], "baseline_statistics": [0.5, 1],
            "score": 0.5, "baseline_score": 0.5, "contribution": 0, "differs": False,
        },
    ]  # fmt: skip
    assert len(record(csig.unit_contributions(c, "mean"), 1)["units"]) == 1
