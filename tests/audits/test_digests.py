"""Digests: the canonical form, and what is digested, as documented."""

from __future__ import annotations

import hashlib
import json

import pytest
from brute import PAPER
from forged import COLUMNS, KINDS, made, signed, statistics

from csig import Comparison, audit, verify
from csig.audits.digests import both_digests, canonical, comparison_digest


@pytest.mark.parametrize("kind", KINDS)
def test_canonical_form(kept, kind):
    record = kept[kind]
    text = canonical(record)
    assert text.isascii()
    assert text.endswith("}\n")
    assert canonical(json.loads(text)) == text
    backwards = dict(reversed(list(record.items())))
    assert canonical(backwards) == text
    assert signed(record)["sha256"] == record["sha256"]
    found = verify(record)
    assert found.record_sha256 == hashlib.sha256(text.encode()).hexdigest()
    expected = (record["sha256"], found.record_sha256)
    assert both_digests(record) == both_digests(backwards) == expected


def test_chunks_are_digested_as_documented():
    found = made("counts", n=2**16 + 5)
    run = found.runs[0]
    assert list(run.chunk_hits) == [0, 1]
    lines = [f"{chunk} {' '.join(map(str, hits))}\n" for chunk, hits in run.chunk_hits.items()]
    expected = hashlib.sha256("".join(lines).encode()).hexdigest()
    assert found.record["runs"][0]["chunks_sha256"] == expected


def test_data_are_digested_as_documented():
    a, b = statistics(30)
    ids = [f"u{i:02}" for i in range(30)]
    comparison = Comparison.from_statistics(a, b, COLUMNS, ids=ids)
    d = a - b
    moving = d.any(axis=1)
    head = ["unit", COLUMNS, *([str(v) for v in x.sum(axis=0)] for x in (a, b)), ["1"] * 3, "0"]
    head[0] = comparison.unit
    expected = json.dumps(head).encode() + d[moving].astype("<i8").tobytes()
    assert comparison_digest(comparison) == hashlib.sha256(expected).hexdigest()
    record = audit(comparison, "f1", n_resamples=64, rng=1).record
    lines = "".join(f"{key}\n" for key, moves in zip(ids, moving, strict=True) if moves)
    assert record["comparison"]["ids_digest"] == hashlib.sha256(lines.encode()).hexdigest()
    counts = Comparison.from_counts(**PAPER)
    head = [
        "response", COLUMNS, ["47", "95", "103"], ["25", "39", "103"], ["1"] * 3, "0",
        [28, 6], [43, 9],
    ]  # fmt: skip
    assert comparison_digest(counts) == hashlib.sha256(json.dumps(head).encode()).hexdigest()
