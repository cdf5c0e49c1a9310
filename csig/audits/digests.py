"""Digests of records and of their parts."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from csig.audits.runs import AuditRun
from csig.comparison import Comparison
from csig.data.units import text

__all__ = [
    "both_digests",
    "canonical",
    "chunks_digest",
    "comparison_digest",
    "file_digest",
    "ids_digest",
    "record_digest",
]


def canonical(record: Mapping[str, Any]) -> str:
    """The text of a record, ending in a newline.

    >>> print(canonical({"b": [1, 0.5], "a": "x"}), end="")
    {
     "a": "x",
     "b": [
      1,
      0.5
     ]
    }
    """
    return json.dumps(record, sort_keys=True, indent=1, ensure_ascii=True, allow_nan=False) + "\n"


def file_digest(record: Mapping[str, Any]) -> str:
    """The SHA-256 of a record's file in canonical form, which can be published."""
    return hashlib.sha256(canonical(record).encode()).hexdigest()


def record_digest(record: Mapping[str, Any]) -> str:
    """The SHA-256 inside a record: that of all its other fields."""
    rest = {key: value for key, value in record.items() if key != "sha256"}
    return hashlib.sha256(canonical(rest).encode()).hexdigest()


def both_digests(record: Mapping[str, Any]) -> tuple[str, str]:
    """`record_digest` and `file_digest` from one text, in which the SHA-256 is the last field."""
    text = canonical(record)
    last = f',\n "sha256": {json.dumps(record["sha256"])}\n}}\n'
    if not text.endswith(last):
        return record_digest(record), file_digest(record)
    rest = text.removesuffix(last) + "\n}\n"
    return hashlib.sha256(rest.encode()).hexdigest(), hashlib.sha256(text.encode()).hexdigest()


def comparison_digest(comparison: Comparison) -> str:
    """The SHA-256 of everything that a comparison's tests depend on.

    It covers the columns, the sums, the scales and tau as text, and the counts of the two classes,
    or the differences of the units in the order of their random words, as little-endian 64-bit
    integers row by row.
    """
    found = hashlib.sha256()
    head: list[Any] = [
        comparison.unit, list(comparison.columns), [str(s) for s in comparison.sums_a],
        [str(s) for s in comparison.sums_b], [str(s) for s in comparison.scale],
        str(comparison.tau),
    ]  # fmt: skip
    if comparison.units is None:
        head += [[group.only_a, group.only_b] for group in comparison.responses]
    found.update(json.dumps(head, ensure_ascii=True).encode())
    if comparison.units is not None:
        found.update(np.ascontiguousarray(comparison.units.differences, dtype="<i8").tobytes())
    return found.hexdigest()


def ids_digest(comparison: Comparison) -> str | None:
    """The SHA-256 of the ids of the units that differ, in their order."""
    if comparison.units is None or comparison.units.ids is None:
        return None
    lines = "".join(f"{text(key)}\n" for key in comparison.units.ids)
    return hashlib.sha256(lines.encode("utf-8", "surrogatepass")).hexdigest()


def chunks_digest(run: AuditRun) -> str:
    """The SHA-256 of the hits of every chunk: one line per chunk, with its number and its hits."""
    lines = (f"{chunk} {' '.join(map(str, hits))}\n" for chunk, hits in run.chunk_hits.items())
    return hashlib.sha256("".join(lines).encode()).hexdigest()
