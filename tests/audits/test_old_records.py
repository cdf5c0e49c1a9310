"""Records of every form of input: a later csig reads their files with the roles of then.

Each was made by a csig of its time, by the command that the index has, and is never made again:
version 1 at commit 57279d8 (early ones at b33b5ef), 2 at 13fa55e (da3bcf0), 3 at 851fd2e.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from commands import run
from places import REFERENCE

from csig.audits.records import canonical, parse_record

FOLDER = REFERENCE / "records"

INDEX: list[dict[str, Any]] = json.loads((FOLDER / "index.json").read_text(encoding="utf-8"))

#: What is said where an old csig read a file otherwise, and none since has read it so.
OTHERWISE = "inputs: the data read from them are not those of the record (different digest); the"


def plain(path: Path, folder: Path) -> Path:
    """A record as csig reads it; some are packed."""
    if path.suffix != ".gz":
        return path
    found = folder / path.stem
    found.write_bytes(gzip.decompress(path.read_bytes()))
    return found


@pytest.mark.parametrize("known", INDEX, ids=[f"{own['version']}-{own['name']}" for own in INDEX])
def test_an_old_record_is_verified_from_its_files(known, tmp_path, monkeypatch):
    if any(name.endswith(".parquet") for name in known["inputs"]):
        pytest.importorskip("pyarrow")
    record = plain(FOLDER / known["record"], tmp_path)
    assert json.loads(record.read_text(encoding="utf-8"))["schema_version"] == known["version"]
    given = [word for name in known["inputs"] for word in ("--inputs", name)]
    monkeypatch.chdir(FOLDER / "inputs")
    as_then = known["expected"] == 0
    found = json.loads(run("verify", record, *given, "--json", status=0 if as_then else None))
    if as_then:
        assert found["differences"] == []
        assert "inputs.*" not in found["unverified"]  # they were read
    elif not found["ok"]:  # nothing forbids to read them as then some day
        assert known["version"] == 1
        assert found["differences"][0].startswith(OTHERWISE)


def test_all_records_are_in_the_index():
    there = {path.relative_to(FOLDER).as_posix() for path in (FOLDER / "records").rglob("*.json*")}
    assert there == {own["record"] for own in INDEX}
    assert {own["version"] for own in INDEX} == {1, 2, 3}


def test_the_first_record_of_version_4_verifies(monkeypatch):
    """What was declared then is all that is needed to read its file."""
    path = REFERENCE / "audit-4.json"
    made = parse_record(path.read_bytes(), "audit-4.json")
    assert canonical(made).encode() == path.read_bytes()
    assert made["schema_version"] == 4
    assert (made["request"]["cluster"], made["request"]["system"]) == ("task", ["base", "new"])
    assert made["comparison"]["levels"] == ["unit", "task"]
    monkeypatch.chdir(FOLDER / "inputs")
    for given in ((), ("--inputs", "scores/task.csv")):
        found = json.loads(run("verify", str(path), *given, "--json"))
        assert found["differences"] == []
        assert ("inputs.*" in found["unverified"]) == (not given)


def test_the_first_record_of_version_5_verifies():
    """The paper's example: the difference in precision has p = .0400, precision itself .0580."""
    path = REFERENCE / "audit-5.json"
    made = parse_record(path.read_bytes(), "audit-5.json")
    assert canonical(made).encode() == path.read_bytes()
    itself = {c["name"]: c["statistic"] for c in made["checks"] if c["name"].startswith("metric")}
    assert itself == {
        "metric itself: precision": pytest.approx(0.05801056494469097, rel=1e-12),
        "metric itself: f1": pytest.approx(0.029551194851529534, rel=1e-12),
    }
    found = json.loads(run("verify", str(path), "--json"))
    assert (made["schema_version"], found["ok"], found["differences"]) == (5, True, [])
