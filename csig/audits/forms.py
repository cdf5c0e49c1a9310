"""The form of a record: its schema, and rules that a schema cannot express."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from importlib import resources
from typing import Any

from csig._version import __version__
from csig.data.units import LARGEST_SUM
from csig.engines.base import EDITION
from csig.errors import InputError
from csig.streams import MOST_DIGITS
from csig.wording import first_few

__all__ = [
    "MOST_BYTES",
    "SCHEMA",
    "SCHEMA_VERSION",
    "check_data",
    "check_record",
    "mistakes",
    "parse_record",
    "read_bytes",
    "schema",
]

SCHEMA = "csig.audit"
SCHEMA_VERSION = EDITION

#: Maximum number of trials of a verification, about an hour's work for a large comparison.
MOST_TRIALS = 2**34

#: Maximum number of random words: 2^20 shuffles of 2^24 units in three runs need fewer.
MOST_WORDS = 2**40

#: Maximum number of responses of one system only in a record: the largest real data have
#: thousands, and a replay in numpy needs some bytes for each.
MOST_RESPONSES = 2**24

#: Maximum effort of a verification for an exact p-value, 64 times the default of an audit.
MOST_BUDGET = 2**32

#: The value of 1 in a column of scores: scores stay below 1e300.
LARGEST_SCALE = 10**300

#: Maximum size of a record in bytes.
MOST_BYTES = 2**30


def schema(version: int = SCHEMA_VERSION) -> dict[str, Any]:
    """The JSON Schema of a version of records, as shipped."""
    name = "audit.schema.json" if version == SCHEMA_VERSION else f"audit-{version}.schema.json"
    text = resources.files("csig").joinpath(name).read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


_TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,), "array": (list,), "string": (str,), "integer": (int,),
    "number": (int, float), "boolean": (bool,), "null": (type(None),),
}  # fmt: skip


def _is(value: Any, kind: str) -> bool:
    if isinstance(value, bool):
        return kind == "boolean"
    return isinstance(value, _TYPES[kind])


def mistakes(value: Any, rule: Mapping[str, Any], where: str) -> Iterator[str]:
    """Where a value breaks the schema, for the keywords that the schema uses."""
    kinds = rule.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if kinds and not any(_is(value, kind) for kind in kinds):
        shown = "null" if value is None else type(value).__name__
        yield f"{where or 'record'}: found {shown}, expected {' or '.join(kinds)}"
        return
    if "const" in rule and value != rule["const"]:
        yield f"{where}: found {str(value)[:40]!r}, expected {rule['const']!r}"
    if "enum" in rule and value not in rule["enum"]:
        yield f"{where}: found {str(value)[:40]!r}, expected one of {first_few(rule['enum'], 9)}"
    if isinstance(value, str):
        if len(value) > rule.get("maxLength", math.inf):
            yield f"{where}: found {len(value)} characters, expected at most {rule['maxLength']}"
        elif "pattern" in rule and not re.search(rule["pattern"], value):
            yield f"{where}: found {value[:40]!r}, expected the form {rule['pattern']}"
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        low, high = rule.get("minimum", -math.inf), rule.get("maximum", math.inf)
        if not low <= value <= high:
            yield f"{where}: found {value!r}, expected {low} to {high}"
    if isinstance(value, list):
        if not rule.get("minItems", 0) <= len(value) <= rule.get("maxItems", math.inf):
            yield f"{where}: found {len(value)} items"
        if not _are_texts(value, rule.get("items", {})):
            for i, item in enumerate(value):
                yield from mistakes(item, rule.get("items", {}), f"{where}[{i}]")
    if isinstance(value, dict):
        known = rule.get("properties", {})
        for name in rule.get("required", []):
            if name not in value:
                yield f"{where or 'record'}: no field {name!r}"
        others = rule.get("additionalProperties", True)
        if others is False:
            unknown = [name for name in value if name not in known]
            if unknown:
                yield f"{where or 'record'}: unknown fields {first_few(unknown, 3)}"
        for name, item in value.items():
            if name in known:
                yield from mistakes(item, known[name], f"{where}.{name}" if where else name)
            elif isinstance(others, dict):
                yield from mistakes(item, others, f"{where}.{first_few([name], 1)}")


def _are_texts(items: list[Any], rule: Mapping[str, Any]) -> bool:
    """Whether a list has only texts that obey a plain rule: fast, as there may be a million."""
    return (
        rule.keys() == {"type", "pattern", "maxLength"}
        and set(map(type, items)) == {str}
        and max(map(len, items)) <= rule["maxLength"]
        and all(map(re.compile(rule["pattern"]).search, items))
    )


def _no_constant(text: str) -> Any:
    raise ValueError(f"found {text}, which is not JSON")


def _number(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):  # 1e999 is written like a number
        raise ValueError(f"found {text[:40]}, which does not fit a double")
    return value


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("found the same field twice")
    return found


def parse_record(data: bytes, where: str) -> dict[str, Any]:
    """Parse the bytes of a record.

    Parameters
    ----------
    data : bytes
        A file.
    where : str
        Its name, for messages.

    Raises
    ------
    InputError
        In one line, if they are not a record of this schema, or one that cannot be verified.
    """
    if data.startswith(b'{"schema": "csig.ledger"'):
        raise InputError(
            f"{where}: a ledger of shuffles, which this csig ({__version__}) neither keeps nor "
            "verifies; compare the systems again with the same seed"
        )
    if len(data) > MOST_BYTES:
        raise InputError(f"{where}: found {len(data):,} bytes, expected a record of at most 1 GB")
    try:
        record = json.loads(
            data.decode("utf-8"), object_pairs_hook=_pairs, parse_constant=_no_constant,
            parse_float=_number,
        )  # fmt: skip
    except UnicodeDecodeError as error:
        raise InputError(f"{where}: byte offset {error.start} is not UTF-8") from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"{where}: not JSON ({str(error)[:80]})") from None
    return check_record(record, where)


def check_record(record: object, where: str = "record") -> dict[str, Any]:
    """Check a record against the schema of its version and the rules beyond it.

    Raises
    ------
    InputError
        In one line.
    """
    if not isinstance(record, dict) or record.get("schema") != SCHEMA:
        kind = record.get("schema") if isinstance(record, dict) else None
        found = f"the schema {str(kind)[:40]!r}" if kind is not None else "no schema"
        raise InputError(f"{where}: found {found}, expected {SCHEMA!r}, the record of an audit")
    version = record.get("schema_version")
    if isinstance(version, (bool, float)):
        raise InputError(
            f"{where}: schema_version: found {type(version).__name__}, expected integer"
        )
    if not isinstance(version, int) or not 1 <= version <= SCHEMA_VERSION:
        raise InputError(
            f"{where}: found schema version {str(version)[:40]}, but this csig ({__version__}) "
            f"knows only versions 1 to {SCHEMA_VERSION}"
        )
    mistake = next(mistakes(record, schema(version), ""), None)
    if mistake is None:
        mistake = next((line for look in (_sizes, _effort) for line in look(record)), None)
    if mistake is not None:
        raise InputError(f"{where}: {mistake}")
    return record


def check_data(data: Mapping[str, Any], where: str) -> None:
    """The same of a comparison and metrics alone, which are in another file than a record.

    Parameters
    ----------
    data : mapping
        With ``comparison`` and ``metrics``.
    where : str
        What it is of, for messages.
    """
    known = schema()["properties"]
    for part in ("comparison", "metrics"):
        mistake = next(mistakes(data[part], known[part], part), None)
        if mistake is not None:
            raise InputError(f"{where}: {mistake}")
    mistake = next(_sizes(data), None)
    if mistake is not None:
        raise InputError(f"{where}: {mistake}")


def _unique(comparison: Mapping[str, Any]) -> int:
    """Responses of one system only."""
    known = (comparison["classes"], comparison.get("responses"))
    return max(sum(map(sum, counts or [])) for counts in known)


def _sizes(record: Mapping[str, Any]) -> Iterator[str]:
    """What exceeds the sizes of real data."""
    comparison = record["comparison"]
    k = len(comparison["columns"])
    for name in ("sums_a", "sums_b", "scale"):
        if len(comparison[name]) != k:
            yield f"comparison.{name}: found {len(comparison[name])} numbers for {k} columns"
    for name in ("sums_a", "sums_b"):
        for i, total in enumerate(comparison[name]):
            if comparison["classes"] is None and abs(int(total)) > LARGEST_SUM:
                yield f"comparison.{name}[{i}]: found {total}, expected at most 2^61"
    for i, (column, text) in enumerate(
        zip(comparison["columns"], comparison["scale"], strict=False)
    ):
        if column != "score" and text != "1":
            yield f"comparison.scale[{i}]: found {text[:40]}, expected 1 for a column of counts"
        if not 0 < Fraction(text) <= LARGEST_SCALE:
            yield f"comparison.scale[{i}]: found {text[:40]}, expected more than 0, up to 1e300"
    if not 0 <= int(comparison["tau"]) <= LARGEST_SUM:
        yield f"comparison.tau: found {comparison['tau']}, expected 0 to 2^61"
    if _unique(comparison) > MOST_RESPONSES:
        yield f"comparison.classes: found more than {MOST_RESPONSES:,} responses"


def _effort(record: Mapping[str, Any]) -> Iterator[str]:
    """What would take too long to recompute."""
    digits = max(sum(map(len, run["entropy"])) for run in record["runs"])
    if digits > MOST_DIGITS:
        yield (
            f"runs[].entropy: found a seed of {digits:,} digits, expected at most {MOST_DIGITS:,}"
        )
    options = record["options"]
    if options["exact_budget"] > MOST_BUDGET:
        yield (
            f"options.exact_budget: found {options['exact_budget']:,}, expected at most "
            f"{MOST_BUDGET:,}"
        )
    trials = max(4 * options["n_resamples"], sum(run["n_resamples"] for run in record["runs"]))
    if trials > MOST_TRIALS:
        yield (
            f"found {trials:,} trials, expected at most {MOST_TRIALS:,}; more would take too long"
        )
    comparison = record["comparison"]
    units = max(_unique(comparison), len(comparison["differences"] or []))
    words = -(-trials // 64) * units
    if words > MOST_WORDS:
        yield (
            f"found {trials:,} trials of {units:,} units, which need {words:,} random words, "
            f"expected at most {MOST_WORDS:,}"
        )


def read_bytes(path: str) -> bytes:
    """The content of a file, cut off just beyond the maximum size of a record."""
    try:
        with open(path, "rb") as file:
            return file.read(MOST_BYTES + 1)
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from None
    except ValueError as error:  # a NUL inside the path itself
        raise InputError(f"{path!r}: not a path ({error})") from None
