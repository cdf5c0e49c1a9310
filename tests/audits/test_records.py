"""Records of audits: canonical, as the schema says, repeatable, and not to be tampered with."""

from __future__ import annotations

import json
import re

from forged import made
from places import DOCS

import csig
from csig import verify
from csig.audits.digests import canonical


def test_the_same_audit_gives_the_same_record():
    one, two = (made("counts", threads=n).record for n in (1, 3))
    for record in (one, two):
        del record["date"], record["sha256"]
    assert canonical(one) == canonical(two)


def test_seeds_are_kept_as_text():
    seed = (2**200 + 1, 5)
    record = made("counts", rng=seed).record
    assert record["runs"][0]["entropy"] == [str(part) for part in seed]
    assert verify(record).ok
    fresh = made("counts", rng=None).record
    assert int(fresh["runs"][0]["entropy"][0]) > 2**64
    assert verify(json.loads(canonical(fresh))).ok


def test_the_python_of_the_docs_runs():
    text = (DOCS / "audit.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert len(blocks) == 1
    namespace = {"csig": csig}
    exec(blocks[0], namespace)
    assert namespace["audit"].passed
