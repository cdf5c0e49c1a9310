"""The form of records that can be run again: canonical JSON, and digests of it."""

from __future__ import annotations

import datetime
import hashlib
import json
from collections.abc import Mapping
from typing import Any

from csig.base.config import config
from csig.data.metrics import Metric


def canonical(record: Mapping[str, Any]) -> str:
    r"""The text of a record, ending in a newline."""
    return json.dumps(record, sort_keys=True, indent=1, ensure_ascii=True, allow_nan=False) + "\n"


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def file_digest(record: Mapping[str, Any]) -> str:
    """The SHA-256 of a record's file in canonical form, which can be published."""
    return sha256(canonical(record))


def record_digest(record: Mapping[str, Any]) -> str:
    """The SHA-256 inside a record: that of all its other fields."""
    return file_digest({key: value for key, value in record.items() if key != "sha256"})


def both_digests(record: Mapping[str, Any]) -> tuple[str, str]:
    """`record_digest` and `file_digest` from one text, in which the SHA-256 is the last field."""
    text = canonical(record)
    last = f',\n "sha256": {json.dumps(record["sha256"])}\n}}\n'
    if not text.endswith(last):
        return record_digest(record), file_digest(record)
    return sha256(text.removesuffix(last) + "\n}\n"), sha256(text)


def when_and_where() -> dict[str, Any]:
    """The date, and what a record was made with."""
    found = config()
    names = ("csig", "python", "numpy", "scipy", "platform")
    return {
        "date": datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "environment": {name: found[name] for name in names}
        | {"instruction_set": found["instruction set used"]},
    }


def metric_record(metric: Metric, version: int) -> dict[str, Any]:
    """A metric with the columns that it reads; version 1 also lists columns without a weight."""
    found: dict[str, Any] = {
        "name": metric.name,
        "columns": list(metric.columns),
        "numerator": None,
        "denominator": None,
        "greater_is_better": metric.greater_is_better,
    }
    if metric.linear_fractional:
        rows = zip(metric.columns, metric.numerator, metric.denominator, strict=True)
        read = [row for row in rows if row[1] or row[2] or version == 1]
        found["columns"] = [column for column, _, _ in read]
        found["numerator"] = [str(weight) for _, weight, _ in read]
        found["denominator"] = [str(weight) for _, _, weight in read]
    return found
