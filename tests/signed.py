"""Ledgers that somebody changed, and signed anew by what docs/many-machines.md says."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any


def signed(path: str, change: Callable[[dict[str, Any], list[dict[str, Any]]], object]) -> str:
    """The path of a ledger whose question and blocks were changed in place."""
    head, *blocks = map(json.loads, Path(path).read_text("utf-8").splitlines())
    change(head["question"], blocks)
    question = json.dumps(head["question"], sort_keys=True)
    head["sha256"] = hashlib.sha256(question.encode()).hexdigest()
    lines = [json.dumps(head)]
    for block in blocks:
        block.pop("check", None)
        block["question"] = head["sha256"][:16]
        text = json.dumps(block)
        check = hashlib.sha256(f"{head['sha256']} {text}".encode()).hexdigest()[:8]
        lines.append(json.dumps({**block, "check": check}))
    Path("signed.jsonl").write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return "signed.jsonl"
