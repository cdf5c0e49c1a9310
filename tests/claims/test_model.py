"""Claims and findings: what the verdicts come to, and what JSON has of them."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import pytest

from csig.claims.model import (
    VERDICTS,
    ClaimsReport,
)


def test_as_dict(report):
    text = json.dumps(report.as_dict(), allow_nan=False)
    found = json.loads(text)
    assert (found["schema"], found["schema_version"]) == ("csig.claims", 1)
    assert found["counts"]["gold"] == ["103", "104"]
    assert len(found["findings"]) == len(report.findings)
    assert found["findings"][0]["candidates"] == ["103"]
    for finding in found["findings"]:
        assert finding["verdict"] in VERDICTS
        assert finding.keys() == found["findings"][0].keys()


@pytest.mark.parametrize("verdict", VERDICTS)
def test_what_passes(report, verdict):
    """Nothing is wrong with what is doubtful, or not known."""
    finding = replace(report.findings[0], verdict=verdict)
    found = ClaimsReport(report.claims, (finding, finding))
    assert found.summary == {verdict: 2}
    assert found.passed is (verdict not in {"contradicted", "inconsistent", "impossible"})


def test_the_summary_has_the_best_verdict_first(report):
    findings = tuple(replace(report.findings[0], verdict=v) for v in reversed(VERDICTS))
    assert list(ClaimsReport(report.claims, findings).summary) == list(VERDICTS)


def test_json_has_neither_infinity_nor_large_numbers(report):
    finding = replace(
        report.findings[0], log_pvalue=-math.inf, z=math.nan, trials=2**60,
        solutions=((2**60, None, 1),), n_solutions=2**70, interval=(0.0, 1.0),
    )  # fmt: skip
    (found,) = ClaimsReport(report.claims, (finding,)).as_dict()["findings"]
    assert (found["log_pvalue"], found["z"]) == (None, None)
    assert (found["trials"], found["n_solutions"]) == (str(2**60), str(2**70))
    assert found["solutions"] == [[str(2**60), None, "1"]]
    assert found["interval"] == [0.0, 1.0]
    json.dumps(found, allow_nan=False)
