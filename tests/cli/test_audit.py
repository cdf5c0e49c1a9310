"""csig audit on the command line."""

from __future__ import annotations

import builtins
import csv
import hashlib
import io
import json
import re
from pathlib import Path

import pytest
from commands import both, refused, run, words, write
from evidence import FEW, KINDS, YEH, inputs
from places import ROOT

CLAIMS = ROOT / "examples" / "yeh2000-claims.toml"


# ---- what is written ---------------------------------------------------------------------------


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
    page = run("audit", *arguments, *FEW, "--markdown", "-")
    assert page.startswith("## Audit of ")
    assert "generator 11/11 passed" in page


def test_the_verdict_comes_first():
    arguments, _ = inputs("counts")
    out = run("audit", *arguments, *FEW)
    assert out.startswith("The audit passed: all 36 checks.\n")
    for line in (
        "runs           9/9 passed",
        "generator      11/11 passed",
        "independence   informs",
    ):
        assert f"\n{line}" in out
    assert "single bits" not in out
    assert out.count("\n") < 33
    every = run("audit", *arguments, *FEW, "--verbose")
    for name in ("recall, two-sided", "single bits", "f1, second and third"):
        assert f"\n{name} " in every


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


def test_how_to_cite_it():
    arguments, _ = inputs("counts")
    assert "@inproceedings{yeh2000," in run("audit", *arguments, *FEW, "--cite")
    for format in ("json", "html"):
        message = refused("audit", *arguments, *FEW, "--cite", "-f", format)
        assert f"--cite does nothing with -f {format}" in message


def test_claims_in_every_format():
    for format in FORMATS:
        out = run("audit", "--claims", CLAIMS, "-f", format, status=1)
        assert out.count("contradicted") >= 3


def test_a_failed_audit():
    arguments, _ = inputs("counts")
    out = words("audit", *arguments, "--resamples", "65536", "--seed", "1", "--bit-generator",
                "randu", "--allow-bad-generator", "--record", "r.json", "--html", "p.html",
                status=1)  # fmt: skip
    assert out.startswith("The audit FAILED: ")
    assert "FAILED generator: single bits (p = " in out
    assert re.search(r"generator \d+/\d+ FAILED", out)
    assert "Bit 0 of every 31-bit state is always 1" in out
    assert "<details open><summary>generator " in Path("p.html").read_text()
    found = words("verify", "r.json")  # what failed fails again
    assert "recomputed values match the record" in found


@pytest.mark.parametrize("unit", ["response", "conflict", "sentence"])
def test_every_unit(unit):
    arguments, files = inputs("tags")
    run("audit", *arguments, *FEW, "--unit", unit, "--record", "r.json")
    assert json.loads(Path("r.json").read_text())["comparison"]["unit"] == unit
    assert "recomputed values match the record" in words("verify", "r.json", "--inputs", files[0])


# ---- what is refused ---------------------------------------------------------------------------


def test_inputs_are_not_overwritten():
    arguments, files = inputs("table")
    before = Path(files[0]).read_bytes()
    for option in ("--record", "--html", "--markdown"):
        assert files[0] in refused("audit", *arguments, *FEW, option, files[0])
    assert Path(files[0]).read_bytes() == before


def test_three_systems_are_refused():
    write("s.csv", "id,one,two,three", *(f"q{i},{i % 5},{i % 3},{i % 2}" for i in range(9)))
    every = ("--system", "one", "--system", "two", "--system", "three")
    message = refused("audit", "s.csv", *FEW, *every)
    assert "an audit is of two systems, found 3; choose them with --system" in message
    run("audit", "s.csv", *FEW, "--system", "one", "--system", "three")


def test_randu_is_refused():
    arguments, _ = inputs("counts")
    assert "bad" in refused("audit", *arguments, *FEW, "--bit-generator", "randu")


def test_pictures_need_matplotlib(monkeypatch):
    original = builtins.__import__

    def without(name, *rest, **more):
        if name.partition(".")[0] == "matplotlib":
            raise ImportError(name)
        return original(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    arguments, _ = inputs("counts")
    message = refused("audit", *arguments, *FEW, "--html", "p.html")
    assert message == "csig: pictures need matplotlib: pip install 'csig-stats[plot]'\n"
    assert not Path("p.html").exists()
    run("audit", *arguments, *FEW, "--markdown", "p.md")


# ---- claims ------------------------------------------------------------------------------------


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


def test_files_do_nothing_with_claims():
    message = refused("audit", "--claims", CLAIMS, "gold.tsv")
    assert (
        "--claims goes with --record and -f only; [GOLD A B | FILE...] does nothing here" in message
    )


def test_claims_of_the_paper():
    out = words("audit", "--claims", CLAIMS, "--record", "c.json", status=1)
    assert "Only 103 fits all printed scores; 104 cannot be right." in out
    for word in ("confirmed", "contradicted", "inconsistent"):
        assert word in out
    assert json.loads(Path("c.json").read_text()) == json.loads(
        run("audit", "--claims", CLAIMS, "--record", "-", status=1)
    )
    for other in (("--counts", YEH), ("--html", "p.html"), ("--seed", "1"), ("--metric", "f1")):
        said = words("audit", "--claims", CLAIMS, *other, status=2)
        assert "--claims goes with --record and -f only" in said
    assert not Path("p.html").exists()


# ---- real data ---------------------------------------------------------------------------------


def test_published_taggers(shared_data):
    path = shared_data("conll03_ner_tags") / "conll03_test_tags.tsv"
    columns = ("--gold-column", "gold", "--system", "elmo", "--system", "flair")
    out = words("audit", path, *columns, "--resamples", 2**16, "--seed", 1, "--record", "r.json")
    assert "The audit passed" in out
    assert "dependence informs" in out
    record = json.loads(Path("r.json").read_text())
    names = {check["name"] for check in record["checks"]}
    assert {"dependence: conflict", "dependence: sentence"} <= names
    assert "recomputed values match the record" in words("verify", "r.json", "--inputs", path)


def test_submissions_of_a_shared_task(shared_data):
    folder = shared_data("wnut17_ner")
    files = [
        folder / name
        for name in ("gold.emerging.test.annotated.conll", "spinningbytes.conll", "uh_ritual.conll")
    ]
    out = words("audit", *files, "--resamples", 2**16, "--seed", 1, "--record", "r.json")
    assert "The audit passed" in out
    assert "recomputed values match the record" in words("verify", "r.json")
