"""csig audit and csig verify on the command line."""

from __future__ import annotations

import builtins
import hashlib
import json
import shutil
from dataclasses import fields
from pathlib import Path
from typing import get_type_hints

import pytest
from click.testing import CliRunner
from commands import refused, run, words, write
from places import ROOT

from csig.cli.app import program
from csig.cli.recorded import KINDS as TYPES
from csig.cli.recorded import kinds_of
from csig.readers.request import Request

YEH = ROOT / "examples" / "yeh2000.toml"
CLAIMS = ROOT / "examples" / "yeh2000-claims.toml"
FEW = ("--resamples", "4096", "--seed", "1")

TAGS = [
    "a B-X B-X O", "b O O B-Y", "", "c B-X I-X O", "", "d B-Z B-Z B-Y", "e B-X O O", "",
    "f B-X B-X O", "", "g B-Y B-Y B-Y", "",
]  # fmt: skip
COLUMNS = ("--gold-column", "2", "--a-column", "3", "--b-column", "4")
SCORES = ["id,one,two", *(f"q{i},{i % 5 / 4},{i % 3 / 2}" for i in range(30))]


def inputs(kind):
    """The arguments of an audit, and the files among them."""
    if kind == "counts":
        shutil.copy(YEH, "yeh.toml")
        return ("--counts", "yeh.toml"), ["yeh.toml"]
    if kind == "tags":
        return (write("t.conll", *TAGS), *COLUMNS), ["t.conll"]
    if kind == "files":
        names = [
            write(f"{name}.conll", *(" ".join(line.split()[:: i + 1][:2]) for line in TAGS))
            for i, name in enumerate(("gold", "one", "two"))
        ]
        return tuple(names), names
    return (write("s.csv", *SCORES),), ["s.csv"]


KINDS = ["counts", "tags", "files", "table"]


# ---- what is written ---------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_an_audit_and_its_verification(kind):
    arguments, files = inputs(kind)
    out = words("audit", *arguments, *FEW, "--record", "r.json", "--html", "p.html",
                "--markdown", "p.md")  # fmt: skip
    assert "The audit passed: all " in out
    assert "determinism: replay passed the same hits" in out
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
    assert f"SHA-256 of the record {published}" in out
    assert published in words("verify", "r.json")
    assert "The audit passed" in Path("p.md").read_text()
    given = [option for name in files for option in ("--inputs", name)]
    for more in ((), ("--independent",), given, (*given, "--threads", "1")):
        assert "all came out again" in words("verify", "r.json", *more)


def test_a_record_to_standard_output():
    arguments, _ = inputs("counts")
    out = run("audit", *arguments, *FEW, "--record", "-")
    record = json.loads(out)
    assert out == json.dumps(record, sort_keys=True, indent=1) + "\n"
    page = run("audit", *arguments, *FEW, "--markdown", "-")
    assert page.startswith("# method I against method II\n")


def test_the_verdict_comes_first():
    arguments, _ = inputs("counts")
    out = run("audit", *arguments, *FEW)
    assert out.startswith("The audit passed: all 36 checks.\n")
    for name in ("sign test: recall, two-sided", "generator: single bits", "resolution: f1"):
        assert f"\n{name} " in out


def test_a_failed_audit():
    arguments, _ = inputs("counts")
    out = words("audit", *arguments, "--resamples", "65536", "--seed", "1", "--bit-generator",
                "randu", "--allow-bad-generator", "--record", "r.json", "--html", "p.html",
                status=1)  # fmt: skip
    assert out.startswith("The audit FAILED: ")
    assert "bit 0 of every 31-bit state is always 1" in out
    assert '<span class="failed">' in Path("p.html").read_text()
    found = words("verify", "r.json")  # what failed fails again
    assert "all came out again" in found


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
    assert "holds only the digest of the data; give its inputs" in refused("verify", "r.json")
    given = [option for name in files for option in ("--inputs", name)]
    assert "all came out again" in words("verify", "r.json", *given)
    Path("elsewhere").mkdir()
    for name in files:
        shutil.move(name, f"elsewhere/{name}")
    given = [option for name in files for option in ("--inputs", f"elsewhere/{name}")]
    assert "all came out again" in words("verify", "r.json", *given)
    shutil.move(f"elsewhere/{files[0]}", "moved")  # what it is called may be a system's name
    given[1] = "moved"
    out = words("verify", "r.json", *given, status=1)
    assert f"inputs[0].path: {files[0]!r} in the record, 'moved' now" in out


@pytest.mark.parametrize("unit", ["response", "conflict", "sentence"])
def test_every_unit(unit):
    arguments, files = inputs("tags")
    run("audit", *arguments, *FEW, "--unit", unit, "--record", "r.json")
    assert json.loads(Path("r.json").read_text())["comparison"]["unit"] == unit
    assert "all came out again" in words("verify", "r.json", "--inputs", files[0])


# ---- what is refused ---------------------------------------------------------------------------


def test_inputs_are_not_overwritten():
    arguments, files = inputs("table")
    before = Path(files[0]).read_bytes()
    for option in ("--record", "--html", "--markdown"):
        assert files[0] in refused("audit", *arguments, *FEW, option, files[0])
    assert Path(files[0]).read_bytes() == before


def test_three_systems_are_refused():
    write("s.csv", "id,one,two,three", *(f"q{i},{i % 5},{i % 3},{i % 2}" for i in range(9)))
    message = refused("audit", "s.csv", *FEW)
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


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "r.json: found no JSON"),
        ("{}", "r.json: found no schema, expected 'csig.audit'"),
        ('{"schema": "csig.compare"}', "found the schema 'csig.compare'"),
        ("[" * 10**5, "found no JSON"),
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


# ---- what a record says of its inputs -----------------------------------------------------------


def forged(record, name="f.json"):
    """A record with a SHA-256 that is right, as a forger would write it."""
    rest = {key: value for key, value in record.items() if key != "sha256"}
    text = json.dumps(rest, sort_keys=True, indent=1) + "\n"
    record = {**rest, "sha256": hashlib.sha256(text.encode()).hexdigest()}
    Path(name).write_text(json.dumps(record, sort_keys=True, indent=1) + "\n")
    return name


def audited(kind, *options, version=2):
    """A record of a kind, and the options with which it is verified."""
    arguments, files = inputs(kind)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("csig.audits.audit.EDITION", version)
        patch.setattr("csig.audits.records.SCHEMA_VERSION", version)
        run("audit", *arguments, *FEW, *options, "--record", "r.json")
    record = json.loads(Path("r.json").read_text())
    if version == 1:  # which knew what to read, and not what to ask of it
        del record["request"]["metric"], record["request"]["lower_is_better"]
    assert record["schema_version"] == version
    return record, [option for name in files for option in ("--inputs", name)]


def test_a_metric_and_its_systems_renamed():
    """A mean that A has the greater of would be the accuracy of B."""
    text = json.dumps(audited("table")[0])
    text = text.replace('"mean"', '"accuracy"').replace(": mean", ": accuracy")
    record = json.loads(text)
    record["comparison"]["names"] = ["two", "one"]
    before = audited("table", version=1)[0]
    before = json.loads(json.dumps(before).replace('"mean"', '"accuracy"'))
    alone = json.loads(run("verify", forged(record), "--json"))
    assert {"comparison.names[]", "metrics[accuracy].name"} <= set(alone["unverified"])
    out = words("verify", "f.json")
    assert "- metrics[accuracy].name: names that csig knows, but of other columns than these" in out
    found = json.loads(run("verify", "f.json", "--inputs", "s.csv", "--json", status=1))
    lines = found["differences"]
    assert "comparison.names[0]: 'two' in the record, 'one' now" in lines
    assert "metrics[accuracy].name: 'accuracy' in the record, 'mean' now" in lines
    found = run("verify", forged(before), "--inputs", "s.csv", "--json", status=1)
    assert "metrics: these inputs give no 'accuracy'" in json.loads(found)["differences"]


@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize(
    ("path", "value", "line"),
    [
        (("comparison", "names", 1), "one", "comparison.names[1]: 'one' in the record, 'two' now"),
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
    if version == 1 and path[-1] == "greater_is_better":  # which no option of its request says
        assert found["ok"]
        assert "metrics[mean].greater_is_better" in found["unverified"]
    else:
        assert [own for own in found["differences"] if own.startswith(line)]
    assert json.loads(alone)["ok"] == (path[-1] != 0)


def test_less_is_better_as_it_was_asked_for():
    record, given = audited("table", "--lower-is-better")
    assert record["request"]["lower_is_better"] is True
    assert "all came out again" in words("verify", forged(record), *given)
    record["request"]["lower_is_better"] = False
    out = words("verify", forged(record), *given, status=1)
    assert "metrics[mean].greater_is_better: False in the record, True now" in out


@pytest.mark.parametrize("kind", KINDS)
def test_records_of_version_1_with_their_inputs(kind):
    """As 0.1.0 wrote them."""
    record, given = audited(kind, version=1)
    assert "levels" not in record["comparison"]
    assert "all came out again" in words("verify", forged(record), *given)


def few_clusters(version):
    """A record of a table whose clusters are three, that says nothing of their column."""
    write(
        "s.csv", "id,task,one,two", *(f"q{i},t{i % 3},{i % 5 / 4},{i % 7 / 8}" for i in range(30))
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("csig.audits.audit.EDITION", version)
        patch.setattr("csig.audits.records.SCHEMA_VERSION", version)
        run("audit", "s.csv", "--cluster", "task", *FEW, "--record", "r.json")
    record = json.loads(Path("r.json").read_text())
    record["request"]["cluster"] = None
    if version == 1:
        del record["request"]["metric"], record["request"]["lower_is_better"]
    return forged(record)


def test_clusters_that_0_1_0_took_because_of_their_name():
    assert "all came out again" in words("verify", few_clusters(1), "--inputs", "s.csv")
    message = refused("verify", few_clusters(2), "--inputs", "s.csv")
    assert "--unit task is not possible here" in message


def test_files_that_0_1_0_read_in_another_way():
    record, given = audited("table", version=1)
    Path("s.csv").write_text("\n\n".join(SCORES) + "\n")
    data = Path("s.csv").read_bytes()
    record["inputs"][0] |= {"sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data)}
    record["comparison"]["digest"] = "0" * 64
    said = words("verify", forged(record), *given, status=1)
    assert "another digest); the csig that wrote the record read some files in another way" in said
    Path("s.csv").write_text("".join(f"{line}{',7' * (i > 3)}\n" for i, line in enumerate(SCORES)))
    data = Path("s.csv").read_bytes()
    record["inputs"][0] |= {"sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data)}
    assert "CHANGELOG, Results that change" in refused("verify", forged(record), *given)


def test_every_option_of_the_request():
    """Another value is refused, gives other data, or is on the list; never a traceback."""
    record, given = audited("tags")
    options = {f.name for f in fields(Request)} | {"unit", "metric", "lower_is_better"}
    assert set(record["request"]) == options
    odd = [None, True, False, 7, "", "x", "t.conll", "t.conll\0", [], ["x"], ["t.conll"], "auto"]
    for i, name in enumerate((*sorted(options), "more")):
        for value in odd[i % 3 :: 3]:
            request = {**record["request"], name: value}
            forged({**record, "request": request})
            out = run("verify", "f.json", *given, status=None)
            assert out.startswith(("csig: f.json: ", "csig: ", "Verified: ", "NOT verified: "))
            assert not out.startswith("csig: ") or out.count("\n") == 1
        rest = {key: value for key, value in record["request"].items() if key != name}
        run("verify", forged({**record, "request": rest}), *given, status=None)


def test_every_kind_of_option_is_known():
    """A new option of what to read has a type that a record can hold."""
    kinds = {own for kind in get_type_hints(Request).values() for own in kinds_of(kind)}
    assert kinds <= set(TYPES)


def test_the_file_is_named():
    arguments, files = inputs("files")
    run("audit", *arguments, *FEW, "--record", "r.json", "--no-table")
    message = refused("verify", "r.json")
    assert message == (
        f"csig: r.json: holds only the digest of the data; give its inputs, with --inputs for each "
        f"of {', '.join(map(repr, files))}\n"
    )


def test_another_file_than_that_of_the_record():
    """Nothing can be repeated then without a table, but what differs is said, with status 1."""
    record, given = audited("table", "--no-table")
    forged({**record, "inputs": [{**record["inputs"][0], "sha256": "0" * 64}]})
    found = json.loads(run("verify", "f.json", *given, "--json", status=1))
    assert found["differences"] == ["inputs: s.csv is not s.csv of the record (SHA-256)"]


def test_names_that_somebody_gave():
    """No file has them: whoever exchanges them and their option is trusted, and that is said."""
    record, given = audited("table")
    assert (
        "request.name_a" not in json.loads(run("verify", "r.json", *given, "--json"))["unverified"]
    )
    record["comparison"]["names"] = ["two", "one"]
    record["request"] |= {"name_a": "two", "name_b": "one"}
    found = json.loads(run("verify", forged(record), *given, "--json"))
    assert {"request.name_a", "request.name_b"} <= set(found["unverified"])
    said = (
        "- request.name_a, .name_b: what somebody said of the systems and the scores, and no file"
    )
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

    monkeypatch.setattr("csig.cli.verify.verify_checked", broken)
    for error, status in ((KeyError("x"), 2), (KeyboardInterrupt(), 130), (MemoryError(), 2)):
        broken.error = error
        done = CliRunner().invoke(program, ["verify", "r.json"])
        assert done.exit_code == status
        assert done.output.splitlines()[-1].startswith("csig: ")


# ---- claims ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "option",
    [
        "--lower-is-better", "--alternative less", "--alpha 0.05", "--confidence 0.99",
        "--zero-division 0", "--table", "--no-table", "--allow-bad-generator", "--resamples 9",
        "--seed 1", "--threads 1", "--bit-generator Philox", "--html p.html", "--markdown p.md",
        "--unit response", "--metric f1", "--counts x", "--format auto", "--strict",
    ],
)  # fmt: skip
def test_options_that_do_nothing_with_claims(option):
    """Given as they are by default, too."""
    message = refused("audit", "--claims", CLAIMS, *option.split())
    assert "--claims goes with --record only; " in message
    assert option.split()[0] in message


def test_files_do_nothing_with_claims():
    message = refused("audit", "--claims", CLAIMS, "gold.tsv")
    assert "--claims goes with --record only; [GOLD A B | FILE...] does nothing here" in message


def test_claims_of_the_paper():
    out = words("audit", "--claims", CLAIMS, "--record", "c.json", status=1)
    assert "Only 103 fits all that is printed; 104 cannot be." in out
    for word in ("confirmed", "contradicted", "inconsistent"):
        assert word in out
    assert json.loads(Path("c.json").read_text()) == json.loads(
        run("audit", "--claims", CLAIMS, "--record", "-", status=1)
    )
    for other in (("--counts", YEH), ("--html", "p.html"), ("--seed", "1"), ("--metric", "f1")):
        said = words("audit", "--claims", CLAIMS, *other, status=2)
        assert "--claims goes with --record only" in said
    assert not Path("p.html").exists()


def test_standard_input_and_folders_have_digests():
    data = b"id,x,y\n" + b"".join(b"%d,%d,%d\n" % (i, i % 3, i % 5) for i in range(30))
    found = json.loads(run("audit", "-", *FEW, "--record", "-", stdin=data))
    assert found["inputs"] == [
        {"path": "-", "bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
    ]
    digests = set()
    for first, second in (("xy", "z"), ("x", "yz")):
        for name in ("gold", "a", "b"):
            Path(name).mkdir(exist_ok=True)
            for file, label in (("d1", first), ("d2", second)):
                Path(name, f"{file}.ann").write_text(f"T1\t{label} 0 2\n")
            Path(name, "more").mkdir(exist_ok=True)
        found = json.loads(run("audit", "gold", "a", "b", *FEW, "--record", "-"))
        digests.add(found["inputs"][0]["sha256"])
    assert len(digests) == 2


def test_what_is_taken_on_trust_is_said():
    run("audit", "--counts", YEH, *FEW, "--record", "r.json")
    out = words("verify", "r.json")
    assert "Taken on trust, as this verification cannot compute it: - date, environment.*: " in out
    assert "- comparison.names[]: what the systems are called" in out
    record = json.loads(Path("r.json").read_text())
    record["checks"][0]["sentence"] = "Certified."
    rest = {key: value for key, value in record.items() if key != "sha256"}
    text = json.dumps(rest, sort_keys=True, indent=1) + "\n"
    record["sha256"] = hashlib.sha256(text.encode()).hexdigest()
    Path("r.json").write_text(json.dumps(record))
    out = words("verify", "r.json", status=1)
    assert "'Certified.' in the record, 'Another run of the same test" in out


# ---- real data ---------------------------------------------------------------------------------


def test_published_taggers(shared_data):
    path = shared_data("conll03_ner_tags") / "conll03_test_tags.tsv"
    columns = ("--gold-column", "gold", "--a-column", "elmo", "--b-column", "flair")
    out = words("audit", path, *columns, "--resamples", 2**20, "--seed", 1, "--record", "r.json")
    assert "The audit passed" in out
    assert "dependence: conflict" in out
    assert "dependence: sentence" in out
    assert "all came out again" in words("verify", "r.json", "--inputs", path)


def test_submissions_of_a_shared_task(shared_data):
    folder = shared_data("wnut17_ner")
    files = [
        folder / name
        for name in ("gold.emerging.test.annotated.conll", "spinningbytes.conll", "uh_ritual.conll")
    ]
    out = words("audit", *files, "--resamples", 2**20, "--seed", 1, "--record", "r.json")
    assert "The audit passed" in out
    assert "all came out again" in words("verify", "r.json")
