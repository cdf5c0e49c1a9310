"""Makes the first record of version 5, ``audit-5.json``: ``python audit_5.py FILE``.

The paper's example, whose precision has another p-value than its difference. The file is never made
again: it must verify for ever. Its environment names no machine.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from csig.audits.records import canonical, record_digest

ROOT = Path(__file__).parents[2]

COMMAND = ("audit", "--counts", "examples/yeh2000.toml", "--seed", "5", "--resamples", "4096")


def main() -> None:
    """Write the record."""
    path = Path(sys.argv[1]).resolve()
    command = [sys.executable, "-m", "csig.cli", *COMMAND, "--record", os.fspath(path)]
    subprocess.run(command, cwd=ROOT, check=False, stdout=subprocess.DEVNULL)
    record = json.loads(path.read_text(encoding="utf-8"))
    record["environment"]["platform"] = "Linux-x86_64"
    record["command"] = ["csig", *COMMAND, "--record", "audit-5.json"]
    record["sha256"] = record_digest(record)
    path.write_text(canonical(record), encoding="utf-8")


if __name__ == "__main__":
    main()
