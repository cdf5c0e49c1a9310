"""The runs of an audit: their numbers, their progress, and the one of single responses."""

from __future__ import annotations

import pytest
from audited import LARGER, METRICS, YEH, N

import csig
from csig import audit


def test_threads_do_not_change_an_audit(paper):
    one = audit(YEH, METRICS, n_resamples=N, rng=1, threads=1)
    assert one.checks == paper.checks
    assert [run.chunk_hits for run in one.runs] == [run.chunk_hits for run in paper.runs]


def test_progress_is_told():
    told = []
    audit(YEH, "f1", n_resamples=N, rng=1, progress=lambda *done: told.append(done))
    assert told[-1] == (3 * N, 3 * N)
    assert [done for done, _ in told] == sorted(done for done, _ in told)


@pytest.mark.parametrize("unit", sorted(LARGER))
def test_the_run_of_single_responses_is_repeated_from_the_record(unit):
    comparison = LARGER[unit]()
    record = audit(comparison, "f1", n_resamples=2**12 + 100, rng=5).record
    assert [run["run"] for run in record["runs"]] == [0, 1, 2, 3]
    assert csig.verify(record).ok
    assert csig.verify(record, independent=True).ok
    assert csig.verify(record, comparison=comparison, independent=True).ok
    hits = record["runs"][3]["hits"][0]
    for number in (hits["hits"] + 1, hits["hits"] + 100):
        changed = {**record, "runs": [*record["runs"][:3], dict(record["runs"][3])]}
        changed["runs"][3]["hits"] = [{**hits, "hits": number}, *record["runs"][3]["hits"][1:]]
        found = csig.verify(changed, independent=True)
        assert any("run 3, recall (two-sided)" in line for line in found.differences)
        assert any(line.startswith("runs[3]") for line in found.differences)
    without = {**record, "runs": record["runs"][:3]}
    assert not csig.verify(without).ok


def test_progress_of_four_runs():
    told = []
    audit(
        LARGER["document"](), "f1", n_resamples=N, rng=1, progress=lambda *done: told.append(done)
    )
    assert told[-1] == (4 * N, 4 * N)
