"""The record of an audit: one JSON file from which anybody can recompute it.

A JSON Schema (:func:`schema`) fixes the content of a record, and ``docs/audit.md`` describes it. A
record is in canonical form: keys in order, one space of indentation, ASCII, numbers as Python
writes them; whole numbers that may exceed 2^53 are decimal strings. So the SHA-256 of its file can
be published; and the field ``sha256`` holds that of everything else in it.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from fractions import Fraction
from importlib import resources
from typing import Any

import numpy as np
from numpy.random import SeedSequence

from csig._version import __version__
from csig.audits.outcome import Audit, AuditRun
from csig.base.errors import InputError
from csig.base.wording import first_few
from csig.data import metrics as metrics_module
from csig.data.comparison import COLUMNS, Comparison
from csig.data.metrics import Metric
from csig.data.responses import RecordedResponses
from csig.data.units import LARGEST_SUM, Units
from csig.data.units import text as id_text
from csig.engines.base import EDITION
from csig.margins.gate import SCHEMA as GATE
from csig.report.document import picked, plain
from csig.report.records import (
    metric_record,
    record_digest,
    sha256,
    when_and_where,
)
from csig.streams import BAD, MOST_DIGITS
from csig.systems.report import SCHEMA as BOARD

SCHEMA = "csig.audit"

#: Other records that can be verified, and the schemas of their only version.
OTHERS = {BOARD: "board-1", GATE: "gate-1"}

#: The version whose schema those after it have, too, but for their own number.
LAST_SCHEMA = 4

#: Options that an audit shares with its task.
OPTIONS = ("alternative", "n_resamples", "zero_division", "confidence_level", "exact_budget")

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


# ---- digests -----------------------------------------------------------------------------------


def comparison_digest(comparison: Comparison) -> str:
    """The SHA-256 of everything that a comparison's tests depend on."""
    # Units in the order of their random words, as little-endian 64-bit integers row by row.
    found = hashlib.sha256()
    head: list[Any] = [
        comparison.unit, list(comparison.columns), [str(s) for s in comparison.sums_a],
        [str(s) for s in comparison.sums_b], [str(s) for s in comparison.scale],
        str(comparison.tau),
    ]  # fmt: skip
    if comparison.units is None:
        head += _responses(comparison)
    found.update(json.dumps(head, ensure_ascii=True).encode())
    if comparison.units is not None:
        found.update(np.ascontiguousarray(comparison.units.differences, dtype="<i8").tobytes())
    return found.hexdigest()


def ids_digest(comparison: Comparison) -> str | None:
    """The SHA-256 of the ids of the units that differ, in their order."""
    if comparison.units is None or comparison.units.ids is None:
        return None
    return sha256("".join(f"{id_text(key)}\n" for key in comparison.units.ids))


# ---- an audit's record -------------------------------------------------------------------------


def make_record(
    audit: Audit,
    *,
    inputs: Sequence[Mapping[str, Any]] = (),
    command: Sequence[str] = (),
    request: Mapping[str, Any] | None = None,
    cautions: Sequence[str] = (),
    table: bool = True,
) -> dict[str, Any]:
    """The record of an audit."""
    # `inputs` has path, bytes and sha256 of every file. Without `table` the record has only the
    # digest of the statistics of the units that differ, and a verification needs the inputs.
    check_names(audit.options["metrics"], audit.comparison.columns)
    record = record_of(audit, EDITION, inputs, command, request, table)
    if cautions:
        record["cautions"] = list(cautions)
    record["sha256"] = record_digest(record)
    return record


def check_names(metrics: Sequence[Metric], columns: Sequence[str]) -> None:
    """Refuse metrics that misuse a name of csig's own: their record could not be verified."""
    wrong = next(misnamed(metrics, columns), None)
    if wrong is not None:
        raise InputError(f"{wrong}; give the metric another name, so its record can be verified")


def record_of(
    audit: Audit,
    version: int,
    inputs: Sequence[Mapping[str, Any]] = (),
    command: Sequence[str] = (),
    request: Mapping[str, Any] | None = None,
    table: bool = True,
) -> dict[str, Any]:
    """All fields except the SHA-256."""
    bad = audit.options["allow_bad_generator"]
    if version > 1:  # permission that was not needed is not kept
        bad = bad and audit.runs[0].bit_generator in BAD
    options = {name: audit.options[name] for name in OPTIONS}
    of_check = "name what observed expected sentence pvalue passed limit statistic"
    return {
        "schema": SCHEMA,
        "schema_version": version,
        **when_and_where(),
        "command": list(command),
        "request": None if request is None else dict(request),
        "inputs": [dict(file) for file in inputs],
        "comparison": _comparison(audit.comparison, table, version),
        "metrics": [metric_record(metric, version) for metric in audit.options["metrics"]],
        "options": options | {"alpha": audit.alpha, "allow_bad_generator": bad},
        "runs": [_run(run) for run in audit.runs],
        "results": _results(audit, version),
        "checks": [plain(picked(check, of_check)) for check in audit.checks],
        "passed": audit.passed,
    }


def _comparison(comparison: Comparison, table: bool, version: int) -> dict[str, Any]:
    units = comparison.units
    found: dict[str, Any] = {
        "unit": comparison.unit,
        "names": list(comparison.names),
        "columns": list(comparison.columns),
        "sums_a": [str(total) for total in comparison.sums_a],
        "sums_b": [str(total) for total in comparison.sums_b],
        "scale": [str(value) for value in comparison.scale],
        "tau": str(comparison.tau),
        "n_units": comparison.n_units,
        "n_total": None if units is None else units.n_total,
        "digest": comparison_digest(comparison),
        "ids_digest": ids_digest(comparison),
        "classes": _responses(comparison) if units is None else None,
        "differences": None,
    }
    if units is not None and table:
        found["differences"] = [" ".join(map(str, row)) for row in units.differences.tolist()]
    if version > 1:
        single = comparison.by_response()
        found["levels"] = list(comparison.levels)
        found["responses"] = None if single is None else _responses(single)
    return found


def _responses(comparison: Comparison) -> list[list[int]]:
    return [[group.only_a, group.only_b] for group in comparison.responses]


def _run(run: AuditRun) -> dict[str, Any]:
    entropy = run.source.entropy
    parts = (entropy,) if isinstance(entropy, int) else entropy
    # One line per chunk, with its number and its hits.
    lines = (f"{chunk} {' '.join(map(str, hits))}\n" for chunk, hits in run.chunk_hits.items())
    return {
        "run": run.number,
        "bit_generator": run.bit_generator,
        "entropy": [str(part) for part in parts],
        "spawn_key": list(run.source.spawn_key),
        "n_resamples": run.n_resamples,
        "hits": [
            {"metric": metric, "tail": tail, "hits": hits}
            for (metric, tail), hits in run.hits.items()
        ],
        "chunks_sha256": sha256("".join(lines)),
    }


def _results(audit: Audit, version: int) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for name, result in audit.results.items():
        exact = audit.exact.get(name)
        found.append(
            {
                "metric": name,
                **picked(result, "score_a score_b statistic n_hits n_resamples pvalue"),
                "pvalue_interval": list(result.pvalue_interval),
                "exact_pvalue": None if exact is None else exact.pvalue,
                "exact_log_pvalue": None if exact is None else exact.log_pvalue,
                "engine": None if exact is None else exact.engine,
            }
        )
        if version > 2:
            proof = None if exact is None else exact.certificate
            found[-1]["certificate"] = None if proof is None else asdict(proof)
    return found


# ---- the form of a record ----------------------------------------------------------------------


def schema(version: int = EDITION) -> dict[str, Any]:
    """The JSON Schema of a version of records."""
    found = _schema(f"audit-{min(version, LAST_SCHEMA)}")
    found["properties"]["schema_version"]["const"] = version
    return found


def _schema(name: str) -> dict[str, Any]:
    path = resources.files("csig.audits").joinpath(f"schemas/{name}.schema.json")
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


_TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,), "array": (list,), "string": (str,), "integer": (int,),
    "number": (int, float), "boolean": (bool,), "null": (type(None),),
}  # fmt: skip


def mistakes(value: Any, rule: Mapping[str, Any], where: str) -> Iterator[str]:
    """Where a value breaks the schema, for the keywords that the schema uses."""
    kinds = rule.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    truth = isinstance(value, bool)  # is no number here
    if kinds and not any(
        kind == "boolean" if truth else isinstance(value, _TYPES[kind]) for kind in kinds
    ):
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
        elif "pattern" in rule and not re.fullmatch(rule["pattern"], value):
            yield f"{where}: found {value[:40]!r}, expected the form {rule['pattern']}"
    elif isinstance(value, (int, float)) and not truth:
        low, high = rule.get("minimum", -math.inf), rule.get("maximum", math.inf)
        if not low <= value <= high:
            yield f"{where}: found {str(value)[:40]}, expected {low} to {high}"
    elif isinstance(value, list):
        if not rule.get("minItems", 0) <= len(value) <= rule.get("maxItems", math.inf):
            yield f"{where}: found {len(value)} items"
        if not _are_texts(value, rule.get("items", {})):
            for i, item in enumerate(value):
                yield from mistakes(item, rule.get("items", {}), f"{where}[{i}]")
    elif isinstance(value, dict):
        known = rule.get("properties", {})
        for name in rule.get("required", []):
            if name not in value:
                yield f"{where or 'record'}: no field {name!r}"
        others = rule.get("additionalProperties", True)
        unknown = [name for name in value if name not in known]
        if others is False and unknown:
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
        and all(map(re.compile(rule["pattern"]).fullmatch, items))
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


def parse_record(data: bytes, where: str) -> dict[str, Any]:
    """Parse the bytes of a record; `where` is the name of its file, for messages."""
    if data.startswith(b'{"schema": "csig.ledger"'):
        raise InputError(
            f"{where}: a ledger of shuffles, which this csig ({__version__}) neither keeps nor "
            "verifies; compare the systems again with the same seed"
        )
    if len(data) > MOST_BYTES:
        raise InputError(f"{where}: found {len(data):,} bytes, expected a record of at most 1 GB")

    def pairs(own: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(own)
        if len(found) < len(own):
            raise ValueError("found the same field twice")
        return found

    def constant(text: str) -> Any:
        raise ValueError(f"found {text}, which is not JSON")

    def number(text: str) -> float:
        value = float(text)
        if not math.isfinite(value):  # 1e999 is written like a number
            raise ValueError(f"found {text[:40]}, which does not fit a double")
        return value

    try:
        record = json.loads(
            data.decode("utf-8"), object_pairs_hook=pairs, parse_constant=constant,
            parse_float=number,
        )  # fmt: skip
    except UnicodeDecodeError as error:
        raise InputError(f"{where}: byte offset {error.start} is not UTF-8") from None
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"{where}: not JSON ({str(error)[:80]}); expected a record of csig audit --record"
        ) from None
    return check_record(record, where)


def check_record(record: object, where: str = "record") -> dict[str, Any]:
    """Check a record against the schema of its version and the rules beyond it."""
    kind = record.get("schema") if isinstance(record, dict) else None
    other = OTHERS.get(kind) if isinstance(kind, str) else None
    if not isinstance(record, dict) or (kind != SCHEMA and other is None):
        found = f"the schema {str(kind)[:40]!r}" if kind is not None else "no schema"
        ways = "that csig audit, csig gate or csig systems writes with --record"
        raise InputError(f"{where}: found {found}, expected {SCHEMA!r} or another {ways}")
    version = record.get("schema_version")
    if isinstance(version, (bool, float)):
        raise InputError(
            f"{where}: schema_version: found {type(version).__name__}, expected integer"
        )
    if other is not None and version == 1:
        if (mistake := next(mistakes(record, _schema(other), ""), None)) is not None:
            raise InputError(f"{where}: {mistake}")
        return record
    if other is not None or not isinstance(version, int) or not 1 <= version <= EDITION:
        raise InputError(
            f"{where}: found schema version {str(version)[:40]}, but this csig ({__version__}) "
            f"knows only versions 1 to {EDITION if other is None else 1}"
        )
    mistake = next(mistakes(record, schema(version), ""), None) or next(_too_much(record), None)
    if mistake is not None:
        raise InputError(f"{where}: {mistake}")
    return record


def _too_much(record: Mapping[str, Any]) -> Iterator[str]:
    """What exceeds the sizes of real data, or would take too long to recompute."""
    comparison, options, runs = record["comparison"], record["options"], record["runs"]
    k = len(comparison["columns"])
    for name in ("sums_a", "sums_b", "scale"):
        if len(comparison[name]) != k:
            yield f"comparison.{name}: found {len(comparison[name])} numbers for {k} columns"
    for name in ("sums_a", "sums_b"):
        for i, total in enumerate(comparison[name]):
            if comparison["classes"] is None and abs(int(total)) > LARGEST_SUM:
                yield f"comparison.{name}[{i}]: found {total}, expected at most 2^61"
    scales = zip(comparison["columns"], comparison["scale"], strict=True)
    for i, (column, text) in enumerate(scales):
        if column != "score" and text != "1":
            yield f"comparison.scale[{i}]: found {text[:40]}, expected 1 for a column of counts"
        if not 0 < Fraction(text) <= LARGEST_SCALE:
            yield f"comparison.scale[{i}]: found {text[:40]}, expected more than 0, up to 1e300"
    if not 0 <= int(comparison["tau"]) <= LARGEST_SUM:
        yield f"comparison.tau: found {comparison['tau']}, expected 0 to 2^61"
    digits = max(sum(map(len, run["entropy"])) for run in runs)
    if digits > MOST_DIGITS:
        yield (
            f"runs[].entropy: found a seed of {digits:,} digits, expected at most {MOST_DIGITS:,}"
        )
    counts = (comparison["classes"], comparison.get("responses"))
    trials = max(4 * options["n_resamples"], sum(run["n_resamples"] for run in runs))
    n = len(comparison["differences"] or [])
    yield from _too_long(counts, n, options["exact_budget"], trials)


def _too_long(
    counts: Iterable[list[list[int]] | None], n_units: int, exact_budget: int, trials: int
) -> Iterator[str]:
    """What would take too long; of the counts of responses those of the level with the most."""
    responses = max(sum(map(sum, own or [])) for own in counts)
    if responses > MOST_RESPONSES:
        yield f"comparison.classes: found more than {MOST_RESPONSES:,} responses"
    if exact_budget > MOST_BUDGET:
        yield f"options.exact_budget: found {exact_budget:,}, expected at most {MOST_BUDGET:,}"
    if trials > MOST_TRIALS:
        yield (
            f"found {trials:,} trials, expected at most {MOST_TRIALS:,}; more would take too long"
        )
    units = max(responses, n_units)
    words = -(-trials // 64) * units
    if words > MOST_WORDS:
        yield (
            f"found {trials:,} trials of {units:,} units, which need {words:,} random words, "
            f"expected at most {MOST_WORDS:,}"
        )


def check_size(comparison: Comparison, n_resamples: int, exact_budget: int) -> None:
    """Refuse beforehand what no verification would take, by the limits of :func:`check_record`."""
    single, units = comparison.by_response(), comparison.units
    of_responses = (single, None if units is not None else comparison)
    counts = [None if own is None else _responses(own) for own in of_responses]
    n = 0 if units is None else len(units.differences)
    mistake = next(_too_long(counts, n, exact_budget, 4 * n_resamples), None)
    if mistake is not None:
        raise InputError(f"the record of this audit could not be verified: {mistake}")


# ---- the data of a record ----------------------------------------------------------------------


def rebuilt(record: Mapping[str, Any], where: str) -> Comparison | None:
    """The comparison of a record; None where it has only the digest."""
    data = record["comparison"]
    found = None
    if data["classes"] is not None:
        found = _of_classes(data, where)
    elif data["differences"] is not None:
        found = _of_units(data, where)
    levels, responses = data.get("levels"), data.get("responses")
    if levels is not None and (data["unit"] not in levels or len(set(levels)) < len(levels)):
        raise InputError(
            f"{where}: comparison.levels: found {first_few(levels)}, expected distinct units, "
            f"including {data['unit'][:40]!r}"
        )
    if "responses" in data and data["classes"] is not None and responses != data["classes"]:
        raise InputError(
            f"{where}: comparison.responses and comparison.classes contradict each other"
        )
    if responses is None:
        return found
    if data["columns"] != list(COLUMNS):
        raise InputError(f"{where}: comparison.responses need the columns {', '.join(COLUMNS)}")
    # The unique responses explain the sums: what both systems have is the same number.
    (correct_a, correct_b), (spurious_a, spurious_b) = responses
    a, b = _sums(data)
    both = (a[0] - correct_a, a[1] - a[0] - spurious_a)
    if both != (b[0] - correct_b, b[1] - b[0] - spurious_b) or min(both) < 0:
        raise InputError(f"{where}: comparison.responses and comparison.sums contradict each other")
    if found is None or found.units is None:
        return found
    return replace(found, _source=RecordedResponses(_by_name(responses)))


def _sums(data: Mapping[str, Any]) -> tuple[list[int], list[int]]:
    return list(map(int, data["sums_a"])), list(map(int, data["sums_b"]))


def _by_name(responses: Sequence[Sequence[int]]) -> dict[str, int]:
    """Unique responses by what :meth:`csig.Comparison.from_counts` calls them."""
    return {
        f"only_{system}_{kind}": number
        for kind, pair in zip(("correct", "spurious"), responses, strict=True)
        for system, number in zip("ab", pair, strict=True)
    }


def _of_classes(data: Mapping[str, Any], where: str) -> Comparison:
    if data["columns"] != list(COLUMNS) or data["unit"] != "response":
        raise InputError(f"{where}: comparison.classes need the unit 'response' and its columns")
    a, b = _sums(data)
    counts: dict[str, Any] = dict(_by_name(data["classes"]))
    try:
        comparison = Comparison.from_counts(
            gold=a[2],
            both_correct=a[0] - counts["only_a_correct"],
            both_spurious=a[1] - a[0] - counts["only_a_spurious"],
            **counts,
            names=tuple(data["names"]),
        )
    except InputError as error:
        raise InputError(f"{where}: comparison: {error}") from None
    if list(comparison.sums_a) != a or list(comparison.sums_b) != b:
        raise InputError(f"{where}: comparison.classes and comparison.sums contradict each other")
    return comparison


def _of_units(data: Mapping[str, Any], where: str) -> Comparison:
    rows, (a, b) = data["differences"], _sums(data)
    where = f"{where}: comparison"
    if any(row.count(" ") != len(a) - 1 for row in rows):
        raise InputError(f"{where}.differences: expected {len(a)} numbers per unit")
    table = np.fromstring(" ".join(rows), dtype=np.int64, sep=" ").reshape(len(rows), len(a))
    if np.abs(table.astype(np.float64)).sum(axis=0).max(initial=0) >= 2 * LARGEST_SUM:
        raise InputError(f"{where}.differences: found sums of 2^62 and more")
    if not table.any(axis=1).all():
        raise InputError(f"{where}.differences: found a unit that does not differ")
    if data["n_total"] is None or data["n_total"] < len(rows):
        raise InputError(f"{where}.n_total is less than the number of differing units")
    if [one - other for one, other in zip(a, b, strict=True)] != table.sum(axis=0).tolist():
        raise InputError(f"{where}.differences and comparison.sums contradict each other")
    return Comparison(
        tuple(data["columns"]),
        data["unit"],
        tuple(a),
        tuple(b),
        (),
        tuple(data["names"]),
        units=Units(table, data["n_total"]),
        scale=tuple(Fraction(value) for value in data["scale"]),
        tau=int(data["tau"]),
    )


def seed_of(run: Mapping[str, Any]) -> SeedSequence:
    """The seed of a run of a record."""
    parts = [int(part) for part in run["entropy"]]
    entropy: Any = parts[0] if len(parts) == 1 else parts
    return SeedSequence(entropy, spawn_key=tuple(run["spawn_key"]))


# ---- its metrics -------------------------------------------------------------------------------


def recorded_metrics(record: Mapping[str, Any], where: str) -> list[Metric]:
    """The metrics of a record."""
    columns = record["comparison"]["columns"]
    found = []
    for own in record["metrics"]:
        name = own["name"]
        if own["numerator"] is not None and own["denominator"] is not None:
            try:
                metric = Metric(
                    name, own["columns"], greater_is_better=own["greater_is_better"],
                    numerator=list(map(Fraction, own["numerator"])),
                    denominator=list(map(Fraction, own["denominator"])),
                )  # fmt: skip
            except InputError as error:
                raise InputError(f"{where}: {error}") from None
            found.append(metric)
            continue
        known = known_metric(name, columns)
        if known is None:
            raise InputError(
                f"{where}: metric {name[:60]!r} is a function unknown to csig; records do not hold "
                f"functions"
            )
        if known.linear_fractional or list(known.columns) != own["columns"]:
            raise InputError(f"{where}: metric {name[:60]!r} differs from csig's own")
        found.append(known)
    return found


def known_metric(name: str, columns: Sequence[str]) -> Metric | None:
    """The metric of csig's own with this name, if it can be computed from these columns."""
    try:
        found = metrics_module.get(name, columns)
    except InputError:
        return None
    return found if set(found.columns) <= set(columns) else None


def same_function(metric: Metric, other: Metric) -> bool:
    """Whether two metrics give the same score of the same sums, whatever they are called."""
    if not (metric.linear_fractional and other.linear_fractional):
        return metric.linear_fractional == other.linear_fractional and (
            (metric.function is other.function or metric.name == other.name)
            and metric.columns == other.columns
        )
    one, two = (
        [{c: w for c, w in row.items() if w} for row in own.integer_weights]
        for own in (metric, other)
    )
    return one == two


def misnamed(metrics: Sequence[Metric], columns: Sequence[str]) -> Iterator[str]:
    """Metrics with the name of one of csig's own, but other weights or another direction."""
    for metric in metrics:
        known = known_metric(metric.name, columns)
        if known is None:
            continue
        label = f"metrics[{metric.name[:60]}]"
        if not same_function(metric, known):
            yield f"{label}: its weights are not those of csig's own {known.name}"
        # Of means, the user says whether greater or less is better.
        elif known.name != "mean" and metric.greater_is_better != known.greater_is_better:
            yield (
                f"{label}.greater_is_better: {metric.greater_is_better} in the record, "
                f"{known.greater_is_better} for csig's own {known.name}"
            )
