"""csig audit on the command line."""

import csv
import hashlib
import io
import json
from pathlib import Path

import pytest
from commands import both, run, words
from evidence import FEW, KINDS, YEH, inputs
from places import ROOT

CLAIMS = ROOT / "examples" / "yeh2000-claims.toml"


def sha256(name: str) -> str:
    return hashlib.sha256(Path(name).read_bytes()).hexdigest()


@pytest.mark.parametrize("kind", KINDS)
def test_an_audit_and_its_verification(kind):
    arguments, files = inputs(kind)
    out = words("audit", *arguments, *FEW, "--record", "r.json", "--markdown", "p.md")
    assert "The audit passed: all " in out
    assert "determinism 2/2 passed" in out
    assert "The audit passed" in Path("p.md").read_text()
    record = json.loads(Path("r.json").read_text())
    assert record["inputs"] == [
        {"path": name, "bytes": Path(name).stat().st_size, "sha256": sha256(name)} for name in files
    ]
    assert (record["command"][0], record["options"]["n_resamples"]) == ("csig", 4096)
    assert f"The SHA-256 of the record is {sha256('r.json')}." in out
    given = [option for name in files for option in ("--inputs", name)]
    for more in (["--independent"] * (kind == "counts"), [*given, "--threads", "1"]):
        said = words("verify", "r.json", *more)
        assert "recomputed values match the record" in said
        assert sha256("r.json") in said


def test_the_docs_show_what_is_printed():
    text = (ROOT / "docs" / "audit.md").read_text(encoding="utf-8")
    block = text.partition("two systems at a time:\n\n")[2].partition("\n    ...")[0]
    shown = [line.removeprefix("    ") for line in block.splitlines()]
    out = run("audit", "--counts", YEH, *FEW).splitlines()
    assert len(shown) > 12
    assert out[: len(shown)] == shown


def test_every_format_says_the_same():
    pytest.importorskip("matplotlib")
    given = ("audit", *inputs("counts")[0], *FEW)
    found = {f: both(*given, "-f", f)[0] for f in ("csv", "json")}
    more = ("--record", "r.json", "--markdown", "p.md", "--html", "p.html")
    found["latex"] = both(*given, "-f", "latex", *more)[0]
    found |= {f: Path(f"p.{f}").read_text("utf-8") for f in ("md", "html")}
    for text in (found["json"], Path("r.json").read_text("utf-8")):
        record = json.loads(text)
        assert text == json.dumps(record, sort_keys=True, indent=1) + "\n"
    for format in ("md", "latex", "html"):
        assert "The audit passed: all 36 checks." in found[format]
        assert "11/11 passed" in found[format]
    rows = list(csv.DictReader(io.StringIO(found["csv"])))
    assert [row["check"] for row in rows] == [check["name"] for check in record["checks"]]
    assert found["html"].startswith("<!DOCTYPE html>")
    assert found["html"].count("<details") == 10


def test_claims_are_shown_and_their_record_is_written_or_printed():
    for form in ("markdown", "csv", "html"):
        assert run("audit", "--claims", CLAIMS, "-f", form, status=1).count("contradicted") >= 3
    run("audit", "--claims", CLAIMS, "--record", "c.json", status=1)
    for printed in (("--record", "-"), ("-f", "json")):
        again = run("audit", "--claims", CLAIMS, *printed, status=1)
        assert json.loads(Path("c.json").read_text()) == json.loads(again)
