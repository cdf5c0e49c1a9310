"""Makes the first record of version 2, ``audit-2.json``: ``python audit_2.py FILE``.

Labelled spans of 40 sentences, drawn anew from Python's own generator; sentences are swapped, so
that the record has a run of single responses as well. The file is never made again: it must
verify for ever. Its environment names no machine.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

import csig
from csig.audits.records import canonical, make_record, record_digest
from csig.metrics import Span

Spans = dict[str, list[Span]]


def data() -> tuple[Spans, Spans, Spans]:
    """The gold and two systems, of which the second finds less and invents more."""
    rng = random.Random(2000)
    gold: Spans = {}
    for i in range(40):
        places = range(rng.randrange(1, 6))
        gold[f"s{i:02}"] = [Span("", 3 * p, 3 * p + 2, rng.choice("XY")) for p in places]
    systems: list[Spans] = []
    for right, wrong in ((0.8, 0.1), (0.6, 0.2)):
        own: Spans = {}
        for key, places in gold.items():
            chances = [rng.random() for _ in places]
            own[key] = [
                span if chance < right else span._replace(label="Z")
                for span, chance in zip(places, chances, strict=True)
                if chance < right + wrong
            ]
        systems.append(own)
    return gold, systems[0], systems[1]


def comparison() -> csig.Comparison:
    """The data by sentence."""
    return csig.Comparison.from_responses(
        *data(), conflict=csig.metrics.spans, key_name="sentence", names=("one", "two")
    )


def main() -> None:
    """Write the record."""
    found = csig.audit(comparison(), ["recall", "precision", "f1"], n_resamples=2**14, rng=1)
    record = make_record(found)
    record["environment"]["platform"] = "Linux-x86_64"
    record["sha256"] = record_digest(record)
    Path(sys.argv[1]).write_text(canonical(record), encoding="utf-8")


if __name__ == "__main__":
    main()
