"""Records of every form of input: a later csig reads their files with the roles of then.

Each was made by a csig of its time, by the command that the index has, and is never made again:
version 1 at commit 57279d8 (early ones at b33b5ef), 2 at 13fa55e (da3bcf0), 3 at 851fd2e,
5 at c6535db.
"""

import gzip
import json
import math
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from commands import run
from places import REFERENCE

from csig import verify
from csig.audits.records import parse_record
from csig.report.records import both_digests, canonical

FOLDER = REFERENCE / "records"

INDEX: list[dict[str, Any]] = json.loads((FOLDER / "index.json").read_text(encoding="utf-8"))

PARQUET = find_spec("pyarrow") is not None

#: What is said where an old csig read a file otherwise, and none since has read it so.
OTHERWISE = "inputs: the data read from them are not those of the record (different digest); the"


def plain(path: Path, folder: Path) -> Path:
    """A record as csig reads it; some are packed."""
    if path.suffix != ".gz":
        return path
    found = folder / path.stem
    found.write_bytes(gzip.decompress(path.read_bytes()))
    return found


@pytest.mark.parametrize("version", sorted({own["version"] for own in INDEX}))
def test_old_records_are_verified_from_their_files(version, tmp_path, monkeypatch):
    monkeypatch.chdir(FOLDER / "inputs")
    for known in INDEX:
        files = known["inputs"]
        if known["version"] != version:
            continue
        if not PARQUET and any(name.endswith(".parquet") for name in files):
            continue
        record = plain(FOLDER / known["record"], tmp_path)
        assert json.loads(record.read_text(encoding="utf-8"))["schema_version"] == version
        given = [word for name in files for word in ("--inputs", name)]
        as_then = known["expected"] == 0
        found = json.loads(run("verify", record, *given, "--json", status=0 if as_then else None))
        if as_then:
            assert found["differences"] == [], known["name"]
            assert "inputs.*" not in found["unverified"], known["name"]  # they were read
        elif not found["ok"]:  # nothing forbids to read them as then some day
            assert version == 1
            assert found["differences"][0].startswith(OTHERWISE), known["name"]


def test_the_first_record_of_version_4_verifies_from_its_file(monkeypatch):
    """What was declared then is all that is needed to read its file."""
    path = REFERENCE / "audit-4.json"
    record = parse_record(path.read_bytes(), "audit-4.json")
    assert (record["request"]["cluster"], record["request"]["system"]) == ("task", ["base", "new"])
    assert record["comparison"]["levels"] == ["unit", "task"]
    monkeypatch.chdir(FOLDER / "inputs")
    for given in ((), ("--inputs", "scores/task.csv")):
        found = json.loads(run("verify", str(path), *given, "--json"))
        assert found["differences"] == []
        assert ("inputs.*" in found["unverified"]) == (not given)


@pytest.mark.parametrize("version", range(1, 7))
def test_the_first_record_of_each_version_verifies_for_ever(version):
    """Whatever a csig to come finds otherwise: the hits, and for 3 that its bounds hold the p."""
    path = REFERENCE / f"audit-{version}.json"
    record = parse_record(path.read_bytes(), path.name)
    assert canonical(record).encode() == path.read_bytes()
    assert (record["schema_version"], record["passed"]) == (version, True)
    found = verify(str(path), independent=True)
    assert found.ok, found.differences
    hits = {(r["metric"], r["tail"]): r["hits"] for r in record["runs"][0]["hits"]}
    itself = {c["name"]: c["statistic"] for c in record["checks"] if c["name"][:6] == "metric"}
    if version == 1:  # of the paper's counts, 2^17 trials, seed 1
        assert record["environment"]["csig"] == "0.1.0.dev0"  # the words of checks may change
        assert hits["f1", "two-sided"] == 3874
    elif version == 2:  # a run of single responses, because sentences are swapped
        assert len(record["runs"]) == 4
    elif version == 3:  # of real scores of 150 items
        assert (record["results"][0]["engine"], record["results"][0]["n_hits"]) == ("fourier", 259)
        assert found.bounds
    elif version == 6:  # of 300 real scores: bounds where there were shuffles
        assert (record["results"][0]["engine"], record["results"][0]["n_hits"]) == ("fourier", 0)
        assert record["results"][0]["certificate"]["width"] > 1e-3
        assert found.bounds
    elif version == 5:  # the difference in precision has p = .0400, precision itself .0580
        assert itself == {
            "metric itself: precision": pytest.approx(0.05801056494469097, rel=1e-12),
            "metric itself: f1": pytest.approx(0.029551194851529534, rel=1e-12),
        }


def test_bounds_that_say_less_than_shuffles_are_no_certificate():
    """Another csig may have searched otherwise, but would have drawn shuffles."""
    record = json.loads((REFERENCE / "audit-6.json").read_text(encoding="utf-8"))
    record["environment"]["csig"] = "0.2.0.other"
    result = record["results"][0]
    low, high = result["certificate"]["low"], 0.9
    logs = {"log_low": math.log(low), "log_high": math.log(high)}
    width = math.expm1(min(logs["log_high"] - logs["log_low"], 700.0))
    result["certificate"] |= {"low": low, "high": high, "width": width, **logs}
    result |= {"exact_pvalue": high, "exact_log_pvalue": math.log(high)}
    record["sha256"] = both_digests(record)[0]
    assert verify(record).differences == (
        "results[mean].certificate: its bounds say less than shuffles would",
    )
