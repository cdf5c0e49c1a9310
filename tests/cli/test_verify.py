"""csig verify on the command line: what comes out again, and what is said of what does not."""

import csv
import hashlib
import io
import json
import shutil
from dataclasses import fields
from pathlib import Path
from typing import get_type_hints

import pytest
from click.testing import CliRunner
from commands import both, refused, run, words, write
from drawn import several
from evidence import FEW, KINDS, SCORES, audited, forged, inputs, version_of_records
from forged import put, remembering

import csig
from csig import InputError
from csig.cli.app import program
from csig.cli.audits import KINDS as TYPES
from csig.cli.audits import kinds_of
from csig.readers.request import Request


@pytest.fixture(scope="module", autouse=True)
def _repeated():
    """The same audit is not run again for every record of it."""
    with remembering({}):
        yield


MATCH = "recomputed values match the record"


def made(kind, *options):
    """A record of a kind, its files, and the options that name them."""
    arguments, files = inputs(kind)
    run("audit", *arguments, *FEW, *options, "--record", "r.json")
    record = json.loads(Path("r.json").read_text())
    return record, files, [option for name in files for option in ("--inputs", name)]


def verified(*arguments, status=0):
    return json.loads(run("verify", *arguments, "--json", status=status))


def digest(path):
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def test_json_of_a_verification():
    record, *_ = made("counts")
    found = verified("r.json")
    assert found["schema"] == "csig.verify"
    assert (found["ok"], found["differences"], found["independent"]) == (True, [], False)
    assert found["record_sha256"] == digest("r.json")
    assert found["compared"] > 100
    assert run("verify", "r.json", "--json") == run("verify", "r.json", "-f", "json")
    for form in ("markdown", "csv"):
        said = f"Verified: all {found['compared']} recomputed values match"
        assert said in run("verify", "r.json", "-f", form)
    record["runs"][0]["hits"][0]["hits"] += 1
    Path("r.json").write_text(json.dumps(record))
    found = verified("r.json", "--independent", status=1)
    assert not found["ok"]
    assert found["independent"]
    assert [line.partition(":")[0] for line in found["differences"]] == [
        "sha256",
        "runs[0].hits[recall].hits",
        "run 0, recall (two-sided)",
    ]


def test_several_records_have_a_row_each():
    """Whatever is wrong with one: in every format, also of a file that is given twice."""
    record, *_ = made("counts")
    path = forged(put(record, ("runs", 0, "hits", 0, "hits"), 1))
    Path("n.json").write_text("{}")
    given = ["r.json", path, "n.json", "gone.json", "r.json"]
    out, err = both("verify", *given, status=1)
    assert (out.startswith("2 of 5 records verified.\n"), err) == (True, "")
    for said in ("n.json     found no schema, expected", "gone.json  cannot be read (No such file"):
        assert said in out
    rows = list(csv.DictReader(io.StringIO(run("verify", *given, "-f", "csv", status=1))))
    kinds = ["verified", "not verified", "cannot be used"]
    known = [(row["record"], row["outcome"]) for row in rows if row["outcome"] in kinds]
    expected = [kinds[0], kinds[1], kinds[2], kinds[2], kinds[0]]
    assert known == list(zip(given, expected, strict=True))
    found = verified(*given, status=1)
    assert (found["schema"], found["ok"]) == ("csig.verify.records", False)
    assert [own["path"] for own in found["records"]] == given
    alone = verified(path, status=1)
    assert found["records"][1] == {"path": path, "refusal": None, "verification": alone}
    assert found["records"][2]["verification"] is None
    assert found["records"][2]["refusal"].startswith("found no schema")
    assert verified("r.json", "r.json")["ok"]
    assert not verified("r.json", "n.json", status=2)["ok"]
    for form in ("markdown", "latex", "html"):
        assert run("verify", *given, "-f", form, status=1).count("CANNOT BE USED") == 2


def test_a_changed_byte_of_an_input_is_named():
    _, files, given = made("files")
    path = Path(files[-1])
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)
    out = words("verify", "r.json", *given, status=1)
    assert f"inputs: {path} is not {path} of the record (SHA-256)" in out


@pytest.mark.parametrize("kind", ["files", "table"])
def test_a_record_with_only_the_digest(kind):
    record, files, given = made(kind, "--no-table")
    assert record["comparison"]["differences"] is None
    message = refused("verify", "r.json")
    assert message.startswith("csig: r.json: has only the digest of the data; give its inputs: ")
    with pytest.raises(InputError, match=r"give its inputs: comparison=csig\.read\(\.\.\.\) of '"):
        csig.verify("r.json")
    if len(files) > 1:
        said = refused("verify", "r.json", "--inputs", files[0])
        assert "--inputs: found 1 files, r.json names 3" in said
        assert message.endswith(f"--inputs once for each of {', '.join(map(repr, files))}\n")
    assert MATCH in words("verify", "r.json", *given)
    Path("elsewhere").mkdir()
    for name in files:
        shutil.move(name, f"elsewhere/{name}")
    given = [option for name in files for option in ("--inputs", f"elsewhere/{name}")]
    assert MATCH in words("verify", "r.json", *given)
    shutil.move(f"elsewhere/{files[0]}", "moved")  # what it is called may be a system's name
    given[1] = "moved"
    out = words("verify", "r.json", *given, status=1)
    assert f"inputs[0].path: {files[0]!r} in the record, 'moved' now" in out
    if kind == "table":  # another file: nothing can be repeated, but what differs is said
        found = verified(forged(put(record, ("inputs", 0, "sha256"), "0" * 64)), *given, status=1)
        assert found["differences"] == ["inputs: moved is not s.csv of the record (SHA-256)"]


@pytest.mark.parametrize(
    ("name", "value"), [("files", ["../t.conll"]), ("document_file", "/etc/passwd")]
)
def test_a_record_opens_no_path_of_its_own(name, value):
    """Only files that the command line names are read."""
    record, _, given = made("tags")
    record["request"][name] = value
    Path("r.json").write_text(json.dumps(record))
    path = value if isinstance(value, str) else value[0]
    said = f"request names {path!r}, which is not among its inputs"
    assert said in refused("verify", "r.json", *given)
    assert "sha256: the record was changed" in words("verify", "r.json", status=1)


def test_a_metric_and_its_systems_renamed():
    """A mean that A has the greater of would be the accuracy of B."""
    text = json.dumps(audited("table", version=4)[0])
    record = json.loads(text.replace('"mean"', '"accuracy"').replace(": mean", ": accuracy"))
    record["comparison"]["names"] = ["one", "two"]
    before = json.dumps(audited("table", version=1)[0])
    before = json.loads(before.replace('"mean"', '"accuracy"'))
    alone = verified(forged(record))
    assert {"comparison.names[]", "metrics[accuracy].name"} <= set(alone["unverified"])
    rows = list(csv.DictReader(io.StringIO(run("verify", "f.json", "-f", "csv"))))
    (said,) = [row["what"] for row in rows if row["fields"] == "metrics[accuracy].name"]
    assert said.startswith("names of csig's own metrics on other columns")
    lines = verified("f.json", "--inputs", "s.csv", status=1)["differences"]
    assert "comparison.names[0]: 'one' in the record, 'two' now" in lines
    assert "metrics[accuracy].name: 'accuracy' in the record, 'mean' now" in lines
    lines = verified(forged(before), "--inputs", "s.csv", status=1)["differences"]
    assert "metrics: these inputs give no 'accuracy'" in lines


GREATER = "metrics 0 greater_is_better"
TOTAL = ("comparison n_total", 300, "comparison.n_total: 300 in the record, 30 now")
CHANGES = {
    4: [
        ("comparison names 1", "two", "comparison.names[1]: 'two' in the record, 'one' now"),
        TOTAL,
        ("comparison scale 0", "1/2", "comparison.scale[0]: '1/2' in the record, '1/4' now"),
        ("comparison ids_digest", "0" * 64, "comparison.ids_digest: '0000"),
        ("inputs 0 bytes", 7, "inputs[0].bytes: 7 in the record, "),
        ("inputs 0 sha256", "0" * 64, "inputs: s.csv is not s.csv of the record (SHA-256)"),
        (GREATER, False, "metrics[mean].greater_is_better: False in"),
    ],
    2: [(GREATER, False, None)],  # which no option of their requests says
    1: [(GREATER, False, None), TOTAL],
}


@pytest.mark.parametrize("version", CHANGES)
def test_what_the_inputs_tell(version):
    record, given = audited("table", version=version)
    for path, value, said in CHANGES[version]:
        place = [int(key) if key.isdigit() else key for key in path.split()]
        ok = place[-1] != 0
        alone = verified(forged(put(record, place, value)), status=int(not ok))
        assert alone["ok"] == ok
        found = verified("f.json", *given, status=None)
        if said is None:
            assert found["ok"]
            assert "metrics[mean].greater_is_better" in found["unverified"]
        else:
            assert [own for own in found["differences"] if own.startswith(said)]


def test_less_is_better_as_it_was_asked_for():
    record, given = audited("table", "--lower-is-better", version=4)
    assert record["request"]["lower_is_better"] is True
    assert MATCH in words("verify", forged(record), *given)
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
    assert MATCH in words("verify", forged(record), *given)


@pytest.mark.parametrize("version", [1, 2, 4])
def test_clusters_that_were_taken_because_of_their_name(version):
    """A record of a table whose clusters are three, that says nothing of their column."""
    rows = (f"q{i},t{i % 3},{i % 5 / 4},{i % 7 / 8}" for i in range(30))
    write("s.csv", "id,task,one,two", *rows)
    with version_of_records(version):
        run("audit", "s.csv", "--cluster", "task", *FEW, "--record", "r.json")
    record = json.loads(Path("r.json").read_text())
    record["request"]["cluster"] = None
    if version == 1:
        del record["request"]["metric"], record["request"]["lower_is_better"]
    command = ("verify", forged(record), "--inputs", "s.csv")
    if version < 4:
        assert MATCH in words(*command)
    else:
        message = refused(*command)
        assert "column 'task' has the name of clusters, but only 3 values" in message
        assert message.count("\n") == 1  # csig verify has no option for it


def test_files_that_0_1_0_read_in_another_way():
    record, given = audited("table", version=1)
    record["comparison"]["digest"] = "0" * 64

    def changed(lines):
        Path("s.csv").write_text("\n".join(lines) + "\n")
        record["inputs"][0] |= {"sha256": digest("s.csv"), "bytes": Path("s.csv").stat().st_size}
        return forged(record)

    blank = [line for own in SCORES for line in (own, "")][:-1]
    said = words("verify", changed(blank), *given, status=1)
    assert "different digest); the csig that wrote the record read some files differently" in said
    longer = [f"{line}{',7' * (i > 3)}" for i, line in enumerate(SCORES)]
    assert "CHANGELOG, Results that change" in refused("verify", changed(longer), *given)


def test_names_that_somebody_gave(monkeypatch):
    """No file has them: if someone swaps them and their option, csig trusts it and says so."""
    record, given = audited("table")
    assert "request.name_a" not in verified("r.json", *given)["unverified"]
    record["comparison"]["names"] = ["one", "two"]
    record["request"] |= {"name_a": "two", "name_b": "one"}
    found = verified(forged(record), *given)
    assert {"request.name_a", "request.name_b"} <= set(found["unverified"])
    monkeypatch.setenv("COLUMNS", "300")  # every row on a line
    said = "request.name_a, .name_b what the user said about the systems and the scores, which no"
    assert said in words("verify", "f.json", *given)


def test_statuses(monkeypatch):
    """1 is for what differs and for checks that fail, and for nothing else."""
    record, *_ = made("counts")
    run("verify", forged({**record, "passed": False}), status=1)
    run("verify", forged({**record, "passed": 0}), status=2)
    run("verify", "r.json", "--inputs", "none.toml", status=2)
    run("verify", status=2)
    run("verify", "r.json", "--threads", "0", status=2)
    run("audit", "--counts", "yeh.toml", *FEW, "--record", "none/r.json", status=2)

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
    record, *_ = made("counts")
    out = words("verify", "r.json")
    assert (
        "Taken on trust, because this verification cannot recompute it: "
        "Fields What they are date, environment.* when and where the audit ran"
    ) in out
    assert "comparison.names[] what the systems are called" in out
    record["checks"][0]["sentence"] = "Certified."
    out = words("verify", forged(record), status=1)
    assert "'Certified.' in the record, 'Another run of the same test" in out


def test_every_option_of_the_request():
    """Another value is refused, gives other data, or is on the list; never a traceback."""
    record, given = audited("tags", "--metric", "f1")
    options = {f.name for f in fields(Request)} | {"unit", "metric", "lower_is_better"}
    assert set(record["request"]) == options
    odd = [None, True, False, 7, "", "x", "t.conll", "t.conll\0", [], ["x"], ["t.conll"], "auto"]
    for i, name in enumerate((*sorted(options), "more")):
        step = several(12, 3)
        for value in odd[i % step :: step]:
            forged({**record, "request": {**record["request"], name: value}})
            out = run("verify", "f.json", *given, status=None)
            assert out.startswith(("csig: f.json: ", "csig: ", "Verified: ", "NOT verified: "))
            assert not out.startswith("csig: ") or out.count("\n") == 1
        if i % several(3, 1) == 0:
            rest = {key: value for key, value in record["request"].items() if key != name}
            run("verify", forged({**record, "request": rest}), *given, status=None)


def test_every_kind_of_option_is_known():
    """A new option of what to read has a type that a record can hold."""
    kinds = {own for kind in get_type_hints(Request).values() for own in kinds_of(kind)}
    assert kinds <= set(TYPES)


def test_standard_input_and_folders_have_digests():
    data = b"id,x,y\n" + b"".join(b"%d,%d,%d\n" % (i, i % 3, i % 5) for i in range(30))
    found = json.loads(run("audit", "-", *FEW, "--record", "-", stdin=data))
    assert found["inputs"] == [
        {"path": "-", "bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
    ]
    digests = set()
    for first, second in (("xy", "z"), ("x", "yz")):
        for name in ("gold", "a", "b"):
            for file, label in (("d1", first), ("d2", second)):
                write(f"{name}/{file}.ann", f"T1\t{label} 0 2")
            Path(name, "more").mkdir(exist_ok=True)
        found = json.loads(run("audit", "gold", "a", "b", *FEW, "--record", "-"))
        digests.add(found["inputs"][0]["sha256"])
    assert len(digests) == 2
