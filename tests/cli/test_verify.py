"""csig verify on the command line: what comes out again, and what is said of what does not."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner
from commands import refused, run, words, write
from evidence import FEW, KINDS, SCORES, YEH, audited, forged, inputs, version_of_records

from csig.cli.app import program


def test_json_of_a_verification():
    arguments, _ = inputs("counts")
    run("audit", *arguments, *FEW, "--record", "r.json")
    found = json.loads(run("verify", "r.json", "--json"))
    text = Path("r.json").read_bytes()
    assert found["schema"] == "csig.verify"
    assert (found["ok"], found["differences"], found["independent"]) == (True, [], False)
    assert found["record_sha256"] == hashlib.sha256(text).hexdigest()
    assert found["compared"] > 100
    record = json.loads(text)
    record["runs"][0]["hits"][0]["hits"] += 1
    Path("r.json").write_text(json.dumps(record))
    found = json.loads(run("verify", "r.json", "--json", "--independent", status=1))
    assert not found["ok"]
    assert found["independent"]
    assert [line.partition(":")[0] for line in found["differences"]] == [
        "sha256",
        "runs[0].hits[recall].hits",
        "run 0, recall (two-sided)",
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_a_changed_byte_of_an_input_is_named(kind):
    arguments, files = inputs(kind)
    run("audit", *arguments, *FEW, "--record", "r.json")
    given = [option for name in files for option in ("--inputs", name)]
    path = Path(files[-1])
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)
    out = words("verify", "r.json", *given, status=1)
    assert f"inputs: {path} is not {path} of the record (SHA-256)" in out


@pytest.mark.parametrize("kind", ["tags", "files", "table"])
def test_a_record_with_only_the_digest(kind):
    arguments, files = inputs(kind)
    run("audit", *arguments, *FEW, "--record", "r.json", "--no-table")
    assert json.loads(Path("r.json").read_text())["comparison"]["differences"] is None
    assert "has only the digest of the data; give its inputs" in refused("verify", "r.json")
    given = [option for name in files for option in ("--inputs", name)]
    assert "recomputed values match the record" in words("verify", "r.json", *given)
    Path("elsewhere").mkdir()
    for name in files:
        shutil.move(name, f"elsewhere/{name}")
    given = [option for name in files for option in ("--inputs", f"elsewhere/{name}")]
    assert "recomputed values match the record" in words("verify", "r.json", *given)
    shutil.move(f"elsewhere/{files[0]}", "moved")  # what it is called may be a system's name
    given[1] = "moved"
    out = words("verify", "r.json", *given, status=1)
    assert f"inputs[0].path: {files[0]!r} in the record, 'moved' now" in out


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "r.json: not JSON"),
        ("{}", "r.json: found no schema, expected 'csig.audit'"),
        ('{"schema": "csig.compare"}', "found the schema 'csig.compare'"),
        ("[" * 10**5, "not JSON"),
    ],
)
def test_records_that_are_none(text, message):
    write("r.json", text)
    assert message in refused("verify", "r.json")


def test_no_record_there():
    assert "none.json: cannot be read (No such file or directory)" in refused("verify", "none.json")


def test_the_wrong_number_of_inputs():
    arguments, files = inputs("files")
    run("audit", *arguments, *FEW, "--record", "r.json")
    assert "--inputs: found 1 files, r.json names 3" in refused(
        "verify", "r.json", "--inputs", files[0]
    )


@pytest.mark.parametrize(
    ("name", "value"),
    [("files", ["/etc/passwd"]), ("files", ["../t.conll"]), ("document_file", "/etc/passwd")],
)
def test_a_record_opens_no_path_of_its_own(name, value):
    """Only files that the command line names are read."""
    arguments, files = inputs("tags")
    run("audit", *arguments, *FEW, "--record", "r.json")
    record = json.loads(Path("r.json").read_text())
    record["request"][name] = value
    Path("r.json").write_text(json.dumps(record))
    message = refused("verify", "r.json", "--inputs", files[0])
    path = value if isinstance(value, str) else value[0]
    assert f"request names {path!r}, which is not among its inputs" in message
    assert "sha256: the record was changed" in words("verify", "r.json", status=1)


def test_a_metric_and_its_systems_renamed():
    """A mean that A has the greater of would be the accuracy of B."""
    text = json.dumps(audited("table", version=4)[0])
    text = text.replace('"mean"', '"accuracy"').replace(": mean", ": accuracy")
    record = json.loads(text)
    record["comparison"]["names"] = ["one", "two"]
    before = audited("table", version=1)[0]
    before = json.loads(json.dumps(before).replace('"mean"', '"accuracy"'))
    alone = json.loads(run("verify", forged(record), "--json"))
    assert {"comparison.names[]", "metrics[accuracy].name"} <= set(alone["unverified"])
    rows = list(csv.DictReader(io.StringIO(run("verify", "f.json", "-f", "csv"))))
    (said,) = [row["what"] for row in rows if row["fields"] == "metrics[accuracy].name"]
    assert said.startswith("names of csig's own metrics on other columns")
    found = json.loads(run("verify", "f.json", "--inputs", "s.csv", "--json", status=1))
    lines = found["differences"]
    assert "comparison.names[0]: 'one' in the record, 'two' now" in lines
    assert "metrics[accuracy].name: 'accuracy' in the record, 'mean' now" in lines
    found = run("verify", forged(before), "--inputs", "s.csv", "--json", status=1)
    assert "metrics: these inputs give no 'accuracy'" in json.loads(found)["differences"]


@pytest.mark.parametrize("version", [1, 2, 4])
@pytest.mark.parametrize(
    ("path", "value", "line"),
    [
        (("comparison", "names", 1), "two", "comparison.names[1]: 'two' in the record, 'one' now"),
        (("comparison", "n_total"), 300, "comparison.n_total: 300 in the record, 30 now"),
        (("comparison", "scale", 0), "1/2", "comparison.scale[0]: '1/2' in the record, '1/4' now"),
        (("comparison", "ids_digest"), "0" * 64, "comparison.ids_digest: '0000"),
        (("inputs", 0, "bytes"), 7, "inputs[0].bytes: 7 in the record, "),
        (("inputs", 0, "sha256"), "0" * 64, "inputs: s.csv is not s.csv of the record (SHA-256)"),
        (("metrics", 0, "greater_is_better"), False, "metrics[mean].greater_is_better: False in"),
    ],
)
def test_what_the_inputs_tell(version, path, value, line):
    record, given = audited("table", version=version)
    place = record
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    alone = run("verify", forged(record), "--json", status=1 if path[-1] == 0 else 0)
    found = json.loads(run("verify", "f.json", *given, "--json", status=None))
    if version < 4 and path[-1] == "greater_is_better":  # which no option of its request says
        assert found["ok"]
        assert "metrics[mean].greater_is_better" in found["unverified"]
    else:
        assert [own for own in found["differences"] if own.startswith(line)]
    assert json.loads(alone)["ok"] == (path[-1] != 0)


def test_less_is_better_as_it_was_asked_for():
    record, given = audited("table", "--lower-is-better", version=4)
    assert record["request"]["lower_is_better"] is True
    assert "recomputed values match the record" in words("verify", forged(record), *given)
    for said in (False, None):
        record["request"]["lower_is_better"] = said
        out = words("verify", forged(record), *given, status=1)
        assert "metrics[mean].greater_is_better: False in the record, True now" in out
    record, given = audited("table", version=2)
    record["request"]["lower_is_better"] = True
    out = words("verify", forged(record), *given, status=1)
    assert "metrics[mean].greater_is_better: True in the record, False now" in out


@pytest.mark.parametrize("kind", KINDS)
def test_records_of_version_1_with_their_inputs(kind):
    """As 0.1.0 wrote them."""
    record, given = audited(kind, version=1)
    assert "levels" not in record["comparison"]
    assert "recomputed values match the record" in words("verify", forged(record), *given)


def few_clusters(version):
    """A record of a table whose clusters are three, that says nothing of their column."""
    write(
        "s.csv", "id,task,one,two", *(f"q{i},t{i % 3},{i % 5 / 4},{i % 7 / 8}" for i in range(30))
    )
    with version_of_records(version):
        run("audit", "s.csv", "--cluster", "task", *FEW, "--record", "r.json")
    record = json.loads(Path("r.json").read_text())
    record["request"]["cluster"] = None
    if version == 1:
        del record["request"]["metric"], record["request"]["lower_is_better"]
    return forged(record)


def test_clusters_that_were_taken_because_of_their_name():
    for version in (1, 2):
        assert "recomputed values match the record" in words(
            "verify", few_clusters(version), "--inputs", "s.csv"
        )
    message = refused("verify", few_clusters(4), "--inputs", "s.csv")
    assert "column 'task' has the name of clusters, but only 3 values" in message
    assert message.count("\n") == 1  # csig verify has no option for it


def test_files_that_0_1_0_read_in_another_way():
    record, given = audited("table", version=1)
    Path("s.csv").write_text("\n\n".join(SCORES) + "\n")
    data = Path("s.csv").read_bytes()
    record["inputs"][0] |= {"sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data)}
    record["comparison"]["digest"] = "0" * 64
    said = words("verify", forged(record), *given, status=1)
    assert "different digest); the csig that wrote the record read some files differently" in said
    Path("s.csv").write_text("".join(f"{line}{',7' * (i > 3)}\n" for i, line in enumerate(SCORES)))
    data = Path("s.csv").read_bytes()
    record["inputs"][0] |= {"sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data)}
    assert "CHANGELOG, Results that change" in refused("verify", forged(record), *given)


def test_the_file_is_named():
    arguments, files = inputs("files")
    run("audit", *arguments, *FEW, "--record", "r.json", "--no-table")
    message = refused("verify", "r.json")
    assert message == (
        f"csig: r.json: has only the digest of the data; give its inputs: --inputs once for each "
        f"of {', '.join(map(repr, files))}\n"
    )


def test_another_file_than_that_of_the_record():
    """Nothing can be repeated then without a table, but what differs is said, with status 1."""
    record, given = audited("table", "--no-table")
    forged({**record, "inputs": [{**record["inputs"][0], "sha256": "0" * 64}]})
    found = json.loads(run("verify", "f.json", *given, "--json", status=1))
    assert found["differences"] == ["inputs: s.csv is not s.csv of the record (SHA-256)"]


def test_names_that_somebody_gave(monkeypatch):
    """No file has them: if someone swaps them and their option, csig trusts it and says so."""
    record, given = audited("table")
    assert (
        "request.name_a" not in json.loads(run("verify", "r.json", *given, "--json"))["unverified"]
    )
    record["comparison"]["names"] = ["one", "two"]
    record["request"] |= {"name_a": "two", "name_b": "one"}
    found = json.loads(run("verify", forged(record), *given, "--json"))
    assert {"request.name_a", "request.name_b"} <= set(found["unverified"])
    monkeypatch.setenv("COLUMNS", "300")  # every row on a line
    said = "request.name_a, .name_b what the user said about the systems and the scores, which no"
    assert said in words("verify", "f.json", *given)


def test_statuses(monkeypatch):
    """1 is for what differs and for checks that fail, and for nothing else."""
    arguments, _ = inputs("counts")
    run("audit", *arguments, *FEW, "--record", "r.json")
    run("verify", "r.json", status=0)
    record = json.loads(Path("r.json").read_text())
    run("verify", forged({**record, "passed": False}), status=1)
    run("verify", forged({**record, "passed": 0}), status=2)
    run("verify", "none.json", status=2)
    run("verify", "r.json", "--inputs", "none.toml", status=2)
    run("verify", status=2)
    run("verify", "r.json", "--threads", "0", status=2)
    run("audit", *arguments, *FEW, "--record", "none/r.json", status=2)

    def broken(*arguments, **options):
        raise broken.error

    monkeypatch.setattr("csig.cli.audits.verify_checked", broken)
    for error, status in ((KeyError("x"), 2), (KeyboardInterrupt(), 130), (MemoryError(), 2)):
        broken.error = error
        done = CliRunner().invoke(program, ["verify", "r.json"])
        assert done.exit_code == status
        assert done.output.splitlines()[-1].startswith("csig: ")


def test_what_is_taken_on_trust_is_said(monkeypatch):
    monkeypatch.setenv("COLUMNS", "300")
    run("audit", "--counts", YEH, *FEW, "--record", "r.json")
    out = words("verify", "r.json")
    assert (
        "Taken on trust, because this verification cannot recompute it: "
        "Fields What they are date, environment.* when and where the audit ran"
    ) in out
    assert "comparison.names[] what the systems are called" in out
    record = json.loads(Path("r.json").read_text())
    record["checks"][0]["sentence"] = "Certified."
    out = words("verify", forged(record), status=1)
    assert "'Certified.' in the record, 'Another run of the same test" in out


@pytest.mark.parametrize("format", ["markdown", "latex", "csv", "json", "html"])
def test_every_format_says_whether_it_is_verified(format):
    run("audit", "--counts", YEH, *FEW, "--record", "r.json")
    out = run("verify", "r.json", "-f", format)
    n = json.loads(run("verify", "r.json", "-f", "json"))["compared"]
    said = f'"compared": {n}' if format == "json" else f"Verified: all {n} recomputed values match"
    assert said in out
    assert run("verify", "r.json", "--json") == run("verify", "r.json", "-f", "json")


def test_a_ledger_of_shuffles_is_named():
    write("run.jsonl", '{"schema": "csig.ledger", "schema_version": 1, "question": {}}')
    assert "run.jsonl: a ledger of shuffles, which this csig (" in refused("verify", "run.jsonl")
    write("run.jsonl", '{"schema": "csig.training.ledger", "schema_version": 1, "question": {}}')
    assert "shuffles" not in refused("verify", "run.jsonl")  # which is kept
