"""What a record says of files and options: written by csig audit, read by csig verify."""

from __future__ import annotations

import hashlib
import json
from dataclasses import fields
from pathlib import Path
from typing import get_type_hints

from commands import run
from drawn import several
from evidence import FEW, audited, forged

from csig.cli.audits import KINDS as TYPES
from csig.cli.audits import kinds_of
from csig.readers.request import Request


def test_every_option_of_the_request():
    """Another value is refused, gives other data, or is on the list; never a traceback."""
    record, given = audited("tags")
    options = {f.name for f in fields(Request)} | {"unit", "metric", "lower_is_better"}
    assert set(record["request"]) == options
    odd = [None, True, False, 7, "", "x", "t.conll", "t.conll\0", [], ["x"], ["t.conll"], "auto"]
    for i, name in enumerate((*sorted(options), "more")):
        step = several(12, 3)
        for value in odd[i % step :: step]:
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
