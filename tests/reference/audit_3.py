"""Makes the first record of version 3, ``audit-3.json``: ``python audit_3.py FILE``.

Real scores of 150 items, drawn anew from Python's own generator, so that the p-value of the mean is
certified. The file is never made again: it must verify for ever, whatever bounds a later csig
finds. Its environment names no machine.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

import csig
from csig.audits.records import canonical, make_record, record_digest


def comparison() -> csig.Comparison:
    """The scores, as two systems have them."""
    rng = random.Random(3000)
    base = [rng.betavariate(2, 3) for _ in range(150)]
    better = [score + rng.gauss(0.03, 0.2) for score in base]
    return csig.Comparison.from_scores(better, base, names=("new", "base"))


def main() -> None:
    """Write the record."""
    record = make_record(csig.audit(comparison(), "mean", n_resamples=2**14, rng=1))
    record["environment"]["platform"] = "Linux-x86_64"
    record["sha256"] = record_digest(record)
    Path(sys.argv[1]).write_text(canonical(record), encoding="utf-8")


if __name__ == "__main__":
    main()
