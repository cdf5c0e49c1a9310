"""csig audit on the command line."""

from __future__ import annotations

import csv
import hashlib
import io
import json
from pathlib import Path

import pytest
from commands import both, refused, run, words
from evidence import FEW, KINDS, YEH, inputs
from places import ROOT

CLAIMS = ROOT / "examples" / "yeh2000-claims.toml"


@pytest.mark.parametrize("kind", KINDS)
def test_an_audit_and_its_verification(kind):
    arguments, files = inputs(kind)
    out = words("audit", *arguments, *FEW, "--record", "r.json", "--html", "p.html",
                "--markdown", "p.md")  # fmt: skip
    assert "The audit passed: all " in out
    assert "determinism 2/2 passed" in out
    record = json.loads(Path("r.json").read_text())
    assert record["inputs"] == [
        {
            "path": name,
            "bytes": Path(name).stat().st_size,
            "sha256": hashlib.sha256(Path(name).read_bytes()).hexdigest(),
        }
        for name in files
    ]
    assert record["command"][0] == "csig"
    published = hashlib.sha256(Path("r.json").read_bytes()).hexdigest()
    assert f"The SHA-256 of the record is {published}." in out
    assert published in words("verify", "r.json")
    assert "The audit passed" in Path("p.md").read_text()
    given = [option for name in files for option in ("--inputs", name)]
    for more in ((), ("--independent",), given, (*given, "--threads", "1")):
        assert "recomputed values match the record" in words("verify", "r.json", *more)


def test_a_record_to_standard_output():
    arguments, _ = inputs("counts")
    out = run("audit", *arguments, *FEW, "--record", "-")
    record = json.loads(out)
    assert out == json.dumps(record, sort_keys=True, indent=1) + "\n"


def test_the_docs_show_what_is_printed():
    text = (ROOT / "docs" / "audit.md").read_text(encoding="utf-8")
    block = text.partition("What it prints:\n\n")[2].partition("\n    ...")[0]
    shown = [line.removeprefix("    ") for line in block.splitlines()]
    out = run("audit", "--counts", YEH, *FEW).splitlines()
    assert len(shown) > 12
    assert out[: len(shown)] == shown


FORMATS = ("text", "markdown", "latex", "csv", "json", "html")


def test_every_format_says_the_same(tmp_path):
    pytest.importorskip("matplotlib")
    arguments, _ = inputs("counts")
    found = {f: both("audit", *arguments, *FEW, "-f", f)[0] for f in FORMATS}
    record = json.loads(found["json"])
    assert found["json"] == json.dumps(record, sort_keys=True, indent=1) + "\n"
    for format in ("text", "markdown", "latex", "html"):
        assert "The audit passed: all 36 checks." in found[format]
        assert "11/11 passed" in found[format]
    rows = list(csv.DictReader(io.StringIO(found["csv"])))
    assert [row["check"] for row in rows] == [check["name"] for check in record["checks"]]
    assert found["html"].startswith("<!DOCTYPE html>")
    assert found["html"].count("<details") == 10


@pytest.mark.parametrize(
    "option",
    [
        "--lower-is-better", "--alternative less", "--alpha 0.05", "--pvalue-confidence 0.99",
        "--zero-division 0", "--table", "--no-table", "--allow-bad-generator", "--resamples 9",
        "--seed 1", "--threads 1", "--bit-generator Philox", "--html p.html", "--markdown p.md",
        "--unit response", "--metric f1", "--counts x", "--format auto", "--strict",
    ],
)  # fmt: skip
def test_options_that_do_nothing_with_claims(option):
    """Given as they are by default, too."""
    message = refused("audit", "--claims", CLAIMS, *option.split())
    assert "--claims goes with --record and -f only; " in message
    assert option.split()[0] in message
    assert not Path("p.html").exists()


def test_claims_in_every_format():
    for format in FORMATS:
        out = run("audit", "--claims", CLAIMS, "-f", format, status=1)
        assert out.count("contradicted") >= 3


def test_a_record_of_claims_is_written_or_printed():
    run("audit", "--claims", CLAIMS, "--record", "c.json", status=1)
    assert json.loads(Path("c.json").read_text()) == json.loads(
        run("audit", "--claims", CLAIMS, "--record", "-", status=1)
    )
