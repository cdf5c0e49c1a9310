"""What commands audit: files of every kind, and records of them."""

import json
import shutil
from contextlib import contextmanager
from pathlib import Path

import pytest
from commands import run, write
from forged import signed
from places import ROOT

YEH = ROOT / "examples" / "yeh2000.toml"
FEW = ("--resamples", "4096", "--seed", "1")
TAGS = [
    "a B-X B-X O", "b O O B-Y", "", "c B-X I-X O", "", "d B-Z B-Z B-Y", "e B-X O O", "",
    "f B-X B-X O", "", "g B-Y B-Y B-Y", "",
]  # fmt: skip
COLUMNS = ("--gold-column", "2", "--system", "3", "--system", "4")
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


def forged(record, name="f.json"):
    """A record with a SHA-256 that is right, as a forger would write it."""
    Path(name).write_text(json.dumps(signed(record), sort_keys=True, indent=1) + "\n")
    return name


@contextmanager
def version_of_records(version):
    """Audits and records as a csig of that time made them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("csig.audits.audit.EDITION", version)
        patch.setattr("csig.audits.records.EDITION", version)
        # The command's; last, when all that takes it as a default has been imported.
        patch.setattr("csig.engines.base.EDITION", version)
        yield


def audited(kind, *options, version=2):
    """A record of a kind, and the options with which it is verified."""
    arguments, files = inputs(kind)
    with version_of_records(version):
        run("audit", *arguments, *FEW, *options, "--record", "r.json")
    record = json.loads(Path("r.json").read_text())
    if version == 1:  # which knew what to read, and not what to ask of it
        del record["request"]["metric"], record["request"]["lower_is_better"]
    assert record["schema_version"] == version
    return record, [option for name in files for option in ("--inputs", name)]
