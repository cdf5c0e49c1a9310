"""Makes the first record of version 4, ``audit-4.json``: ``python audit_4.py FILE``.

What its table is read as is declared: systems, ids and clusters. The file is never made again: it
must verify for ever, with its input too. Its environment names no machine.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from csig.audits.records import canonical, record_digest

INPUTS = Path(__file__).parent / "records" / "inputs"

COMMAND = (
    "audit", "scores/task.csv", "--id", "id", "--cluster", "task", "--system", "base",
    "--system", "new", "--unit", "unit", "--seed", "4", "--resamples", "4096",
)  # fmt: skip


def main() -> None:
    """Write the record."""
    path = Path(sys.argv[1]).resolve()
    command = [sys.executable, "-m", "csig.cli", *COMMAND, "--record", os.fspath(path)]
    subprocess.run(command, cwd=INPUTS, check=False, stdout=subprocess.DEVNULL)
    record = json.loads(path.read_text(encoding="utf-8"))
    record["environment"]["platform"] = "Linux-x86_64"
    record["command"] = ["csig", *COMMAND, "--record", "audit-4.json"]
    record["sha256"] = record_digest(record)
    path.write_text(canonical(record), encoding="utf-8")


if __name__ == "__main__":
    main()
