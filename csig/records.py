"""The record of an audit: one JSON file from which anybody can repeat it.

What a record holds is fixed by the JSON Schema that is shipped beside this module
(``audit.schema.json``) and described in ``docs/audit.md``. A record is in canonical form: keys in
order, one space of indentation, ASCII, numbers as Python writes them; whole numbers that may
pass 2^53 are decimal strings. So its own SHA-256 can be published; and the field ``sha256``
holds that of everything else in it.

Verifying reads numbers and strings from a record, nothing else: no name in it is imported, no
path in it is opened, no text in it is run.
"""

from __future__ import annotations

import datetime
import hashlib
import json
import math
import platform
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from importlib import resources
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.random import SeedSequence

from csig import metrics as metrics_module
from csig._version import __version__
from csig.audits.repeats import replayed
from csig.audits.runs import AuditRun, ask
from csig.comparison import Comparison
from csig.errors import InputError, first_few
from csig.metrics import Metric
from csig.randomization import make_task
from csig.streams import CHUNK, MOST_DIGITS
from csig.units import Units

if TYPE_CHECKING:
    from csig.auditing import Audit

__all__ = [
    "SCHEMA",
    "SCHEMA_VERSION",
    "Verification",
    "canonical",
    "check_record",
    "comparison_digest",
    "file_digest",
    "make_record",
    "parse_record",
    "read_bytes",
    "schema",
    "verify",
]

SCHEMA = "csig.audit"
SCHEMA_VERSION = 1

#: Trials that a verification will draw, about an hour's work for a large comparison.
MOST_TRIALS = 2**34

#: Random words that it will draw: 2^20 shuffles of 2^24 units in three runs are fewer.
MOST_WORDS = 2**40

#: Responses of one system only whose counts a record may hold: those of the largest real data
#: are thousands, and a replay in numpy needs some bytes for each.
MOST_RESPONSES = 2**24

#: Effort that a verification will spend on an exact p-value, 64 times the default of an audit.
MOST_BUDGET = 2**32

#: Doubles computed on another machine may differ in their last digits.
CLOSE = 1e-9

#: Bytes of a record that are read.
MOST_BYTES = 2**30


# ---- the canonical form ------------------------------------------------------------------------


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
    """The SHA-256 of a record's file, which can be published: of its canonical form."""
    return hashlib.sha256(canonical(record).encode()).hexdigest()


def _digest(record: Mapping[str, Any]) -> str:
    rest = {key: value for key, value in record.items() if key != "sha256"}
    return hashlib.sha256(canonical(rest).encode()).hexdigest()


def comparison_digest(comparison: Comparison) -> str:
    """The SHA-256 of all that a comparison's tests depend on.

    It is that of the columns, the sums, the scales and tau as text, and of the counts of the two
    classes, or of the differences of the units in the order of their random words, as
    little-endian 64-bit integers row by row.
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


def _ids_digest(comparison: Comparison) -> str | None:
    """The SHA-256 of the ids of the units that differ, in their order."""
    if comparison.units is None or comparison.units.ids is None:
        return None
    from csig.units import text

    lines = "".join(f"{text(key)}\n" for key in comparison.units.ids)
    return hashlib.sha256(lines.encode("utf-8", "surrogatepass")).hexdigest()


def _chunks_digest(run: AuditRun) -> str:
    """The SHA-256 over the hits of every chunk: a line each, the chunk and its hits."""
    lines = (f"{chunk} {' '.join(map(str, hits))}\n" for chunk, hits in run.chunk_hits.items())
    return hashlib.sha256("".join(lines).encode()).hexdigest()


# ---- making ------------------------------------------------------------------------------------


def _comparison(comparison: Comparison, table: bool) -> dict[str, Any]:
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
        "ids_digest": _ids_digest(comparison),
        "classes": None,
        "differences": None,
    }
    if units is None:
        found["classes"] = [[group.only_a, group.only_b] for group in comparison.responses]
    elif table:
        found["differences"] = [" ".join(map(str, row)) for row in units.differences.tolist()]
    return found


def _metric(metric: Metric) -> dict[str, Any]:
    weights = metric.linear_fractional
    return {
        "name": metric.name,
        "columns": list(metric.columns),
        "numerator": [str(w) for w in metric.numerator] if weights else None,
        "denominator": [str(w) for w in metric.denominator] if weights else None,
        "greater_is_better": metric.greater_is_better,
    }


def _run(run: AuditRun) -> dict[str, Any]:
    entropy = run.source.entropy
    parts = (entropy,) if isinstance(entropy, int) else entropy
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
        "chunks_sha256": _chunks_digest(run),
    }


def _results(audit: Audit) -> list[dict[str, Any]]:
    found = []
    for name, result in audit.results.items():
        exact = audit.exact.get(name)
        found.append(
            {
                "metric": name,
                "score_a": result.score_a,
                "score_b": result.score_b,
                "statistic": result.statistic,
                "n_hits": result.n_hits,
                "n_resamples": result.n_resamples,
                "pvalue": result.pvalue,
                "pvalue_interval": list(result.pvalue_interval),
                "exact_pvalue": None if exact is None else exact.pvalue,
                "exact_log_pvalue": None if exact is None else exact.log_pvalue,
                "engine": None if exact is None else exact.engine,
            }
        )
    return found


def _finite(value: float | None) -> float | None:
    return None if value is None or not math.isfinite(value) else value


def _checks(audit: Audit) -> list[dict[str, Any]]:
    return [
        {
            "name": check.name,
            "what": check.what,
            "observed": check.observed,
            "expected": check.expected,
            "pvalue": _finite(check.pvalue),
            "limit": check.limit,
            "passed": check.passed,
            "statistic": _finite(check.statistic),
            "sentence": check.sentence,
        }
        for check in audit.checks
    ]


def _environment() -> dict[str, str]:
    import scipy

    from csig_ext import dispatch

    return {
        "csig": __version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "scipy": scipy.__version__,
        "platform": platform.platform(),
        "instruction_set": dispatch.chosen,
    }


def make_record(
    audit: Audit,
    *,
    inputs: Sequence[Mapping[str, Any]] = (),
    command: Sequence[str] = (),
    request: Mapping[str, Any] | None = None,
    table: bool = True,
) -> dict[str, Any]:
    """The record of an audit.

    Parameters
    ----------
    audit : Audit
        An audit that has run.
    inputs : sequence of mapping, optional
        Of every file: ``path``, ``bytes`` and ``sha256``.
    command : sequence of str, optional
        The command line.
    request : mapping, optional
        What it asked to read.
    table : bool
        Whether to keep the statistics of the units that differ; else only their digest, and a
        verification needs the inputs.
    """
    options = audit.options
    record: dict[str, Any] = {
        "schema": SCHEMA,
        "schema_version": SCHEMA_VERSION,
        "date": datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "environment": _environment(),
        "command": list(command),
        "request": None if request is None else dict(request),
        "inputs": [dict(file) for file in inputs],
        "comparison": _comparison(audit.comparison, table),
        "metrics": [_metric(metric) for metric in options["metrics"]],
        "options": {
            "alternative": options["alternative"],
            "n_resamples": options["n_resamples"],
            "zero_division": options["zero_division"],
            "confidence_level": options["confidence_level"],
            "exact_budget": options["exact_budget"],
            "alpha": audit.alpha,
            "allow_bad_generator": options["allow_bad_generator"],
        },
        "runs": [_run(run) for run in audit.runs],
        "results": _results(audit),
        "checks": _checks(audit),
        "passed": audit.passed,
    }
    record["sha256"] = _digest(record)
    return record


# ---- reading -----------------------------------------------------------------------------------


def schema() -> dict[str, Any]:
    """The JSON Schema of records, as it is shipped."""
    text = resources.files("csig").joinpath("audit.schema.json").read_text(encoding="utf-8")
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


def _mistakes(value: Any, rule: Mapping[str, Any], where: str) -> Iterator[str]:
    """Where a value is not as the schema wants it: the keywords that the schema uses."""
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
            yield f"{where}: found {len(value)} characters, expected {rule['maxLength']} at most"
        elif "pattern" in rule and not re.search(rule["pattern"], value):
            yield f"{where}: found {value[:40]!r}, expected the form {rule['pattern']}"
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        low, high = rule.get("minimum", -math.inf), rule.get("maximum", math.inf)
        if not low <= value <= high:
            yield f"{where}: found {value!r}, expected {low} to {high}"
    if isinstance(value, list):
        if not rule.get("minItems", 0) <= len(value) <= rule.get("maxItems", math.inf):
            yield f"{where}: found {len(value)} items"
        for i, item in enumerate(value):
            yield from _mistakes(item, rule.get("items", {}), f"{where}[{i}]")
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
                yield from _mistakes(item, known[name], f"{where}.{name}" if where else name)
            elif isinstance(others, dict):
                yield from _mistakes(item, others, f"{where}.{first_few([name], 1)}")


def _no_constant(text: str) -> Any:
    raise ValueError(f"found {text}, which is no JSON")


def _number(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):  # 1e999 is written like a number
        raise ValueError(f"found {text[:40]}, which no double holds")
    return value


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a field is there twice")
    return found


def parse_record(data: bytes, where: str) -> dict[str, Any]:
    """The record that these bytes are.

    Parameters
    ----------
    data : bytes
        A file.
    where : str
        Its name, for messages.

    Raises
    ------
    InputError
        In one line, if they are no record of this schema, or one that cannot be verified.
    """
    if len(data) > MOST_BYTES:
        raise InputError(f"{where}: found {len(data):,} bytes, expected a record of 1 GB at most")
    try:
        record = json.loads(
            data.decode("utf-8"), object_pairs_hook=_pairs, parse_constant=_no_constant,
            parse_float=_number,
        )  # fmt: skip
    except UnicodeDecodeError as error:
        raise InputError(f"{where}: byte offset {error.start} is not UTF-8") from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"{where}: found no JSON ({str(error)[:80]})") from None
    return check_record(record, where)


def check_record(record: object, where: str = "record") -> dict[str, Any]:
    """A record, checked against the schema and for what a schema cannot say.

    Raises
    ------
    InputError
        In one line.
    """
    if not isinstance(record, dict) or record.get("schema") != SCHEMA:
        kind = record.get("schema") if isinstance(record, dict) else None
        found = f"the schema {str(kind)[:40]!r}" if kind is not None else "no schema"
        raise InputError(f"{where}: found {found}, expected {SCHEMA!r}, the record of an audit")
    if record.get("schema_version") != SCHEMA_VERSION:
        raise InputError(
            f"{where}: found schema version {str(record.get('schema_version'))[:40]}, this csig "
            f"({__version__}) knows version {SCHEMA_VERSION}"
        )
    mistake = next(_mistakes(record, schema(), ""), None)
    if mistake is not None:
        raise InputError(f"{where}: {mistake}")
    comparison = record["comparison"]
    k = len(comparison["columns"])
    for name in ("sums_a", "sums_b", "scale"):
        if len(comparison[name]) != k:
            raise InputError(
                f"{where}: comparison.{name}: found {len(comparison[name])} numbers for {k} columns"
            )
    if sum(map(sum, comparison["classes"] or [])) > MOST_RESPONSES:
        raise InputError(
            f"{where}: comparison.classes: found more than {MOST_RESPONSES:,} responses"
        )
    digits = max(sum(map(len, run["entropy"])) for run in record["runs"])
    if digits > MOST_DIGITS:
        raise InputError(
            f"{where}: runs[].entropy: found a seed of {digits:,} digits, expected at most "
            f"{MOST_DIGITS:,}"
        )
    options = record["options"]
    if options["exact_budget"] > MOST_BUDGET:
        raise InputError(
            f"{where}: options.exact_budget: found {options['exact_budget']:,}, expected "
            f"{MOST_BUDGET:,} at most"
        )
    trials = max(3 * options["n_resamples"], sum(run["n_resamples"] for run in record["runs"]))
    if trials > MOST_TRIALS:
        raise InputError(
            f"{where}: found {trials:,} trials, expected {MOST_TRIALS:,} at most; nobody "
            f"would wait for more"
        )
    units = max(sum(map(sum, comparison["classes"] or [])), len(comparison["differences"] or []))
    words = -(-trials // 64) * units
    if words > MOST_WORDS:
        raise InputError(
            f"{where}: found {trials:,} trials of {units:,} units, which take {words:,} random "
            f"words, expected {MOST_WORDS:,} at most"
        )
    return record


# ---- making the comparison again ---------------------------------------------------------------


def _rebuilt(record: Mapping[str, Any], where: str) -> Comparison | None:
    """The comparison of a record; None where it has only the digest."""
    data = record["comparison"]
    names = (data["names"][0], data["names"][1])
    sums_a, sums_b = ([int(s) for s in data[name]] for name in ("sums_a", "sums_b"))
    if data["classes"] is not None:
        if data["columns"] != ["tp", "predicted", "gold"] or data["unit"] != "response":
            raise InputError(f"{where}: comparison.classes are of responses")
        (correct_a, correct_b), (spurious_a, spurious_b) = data["classes"]
        both = sums_a[0] - correct_a
        comparison = Comparison.from_counts(
            gold=sums_a[2],
            both_correct=both,
            only_a_correct=correct_a,
            only_b_correct=correct_b,
            both_spurious=sums_a[1] - sums_a[0] - spurious_a,
            only_a_spurious=spurious_a,
            only_b_spurious=spurious_b,
            names=names,
        )
        if list(comparison.sums_a) != sums_a or list(comparison.sums_b) != sums_b:
            raise InputError(
                f"{where}: comparison.classes and comparison.sums contradict each other"
            )
        return comparison
    if data["differences"] is None:
        return None
    rows = [row.split(" ") for row in data["differences"]]
    if any(len(row) != len(sums_a) for row in rows):
        raise InputError(f"{where}: comparison.differences: expected {len(sums_a)} numbers a unit")
    table = np.array([[int(cell) for cell in row] for row in rows], dtype=np.int64)
    table = table.reshape(len(rows), len(sums_a))
    if not table.any(axis=1).all():
        raise InputError(f"{where}: comparison.differences: found a unit that does not differ")
    if data["n_total"] is None or data["n_total"] < len(rows):
        raise InputError(f"{where}: comparison.n_total is less than the units that differ")
    total = table.sum(axis=0).tolist()
    if [a - b for a, b in zip(sums_a, sums_b, strict=True)] != total:
        raise InputError(
            f"{where}: comparison.differences and comparison.sums contradict each other"
        )
    return Comparison(
        tuple(data["columns"]),
        data["unit"],
        tuple(sums_a),
        tuple(sums_b),
        (),
        names,
        units=Units(table, data["n_total"]),
        scale=tuple(Fraction(value) for value in data["scale"]),
        tau=int(data["tau"]),
    )


def _metrics(record: Mapping[str, Any], where: str) -> list[Metric]:
    found = []
    columns = record["comparison"]["columns"]
    for own in record["metrics"]:
        name = own["name"]
        if own["numerator"] is None or own["denominator"] is None:
            try:
                metric = metrics_module.get(name, columns)
            except InputError:
                raise InputError(
                    f"{where}: metric {name!r} is a function that csig does not know; a record "
                    f"holds no functions"
                ) from None
            if metric.linear_fractional or list(metric.columns) != own["columns"]:
                raise InputError(f"{where}: metric {name!r} is not the one that csig knows")
            found.append(metric)
            continue
        weights = [[Fraction(w) for w in own[part]] for part in ("numerator", "denominator")]
        found.append(
            Metric(
                name, own["columns"], numerator=weights[0], denominator=weights[1],
                greater_is_better=own["greater_is_better"],
            )
        )  # fmt: skip
    return found


def _seed(run: Mapping[str, Any]) -> SeedSequence:
    parts = [int(part) for part in run["entropy"]]
    entropy: Any = parts[0] if len(parts) == 1 else parts
    return SeedSequence(entropy, spawn_key=tuple(run["spawn_key"]))


# ---- verifying ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Verification:
    """Whether everything in a record came out again.

    Attributes
    ----------
    differences : tuple of str
        Every number that is another one, and every sign of tampering; empty if there is none.
    compared : int
        Numbers and words that were compared.
    independent : bool
        Whether the hits were also counted in pure numpy.
    record_sha256 : str
        The SHA-256 of the record in its canonical form.
    unverified : tuple of str
        What was taken on trust: it says when, where and of what the audit was made.
    """

    differences: tuple[str, ...]
    compared: int
    independent: bool
    record_sha256: str
    unverified: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Nothing differs."""
        return not self.differences


#: What says when and where an audit ran, and cannot come out again.
_CIRCUMSTANCES = {"date", "environment", "command", "request", "inputs", "sha256"}


def _compare(mine: Any, theirs: Any, where: str) -> Iterator[tuple[str, bool]]:
    """Every number and text of both, and whether they agree."""
    if isinstance(mine, dict) and isinstance(theirs, dict):
        for name in sorted({*mine, *theirs}):
            inner = f"{where}.{name}" if where else name
            if (name in mine) != (name in theirs):
                yield f"{inner}: there in one of both only", False
            else:
                yield from _compare(mine[name], theirs[name], inner)
    elif isinstance(mine, list) and isinstance(theirs, list):
        if len(mine) != len(theirs):
            yield f"{where}: {len(theirs)} in the record, {len(mine)} now", False
            return
        for i, (own, other) in enumerate(zip(mine, theirs, strict=True)):
            label = other.get("name", other.get("metric")) if isinstance(other, dict) else None
            yield from _compare(own, other, f"{where}[{label or i}]")
    else:
        floats = isinstance(mine, float) and isinstance(theirs, (int, float))
        same = mine == theirs or (
            floats and not isinstance(theirs, bool) and math.isclose(mine, theirs, rel_tol=CLOSE)
        )
        yield f"{where}: {theirs!r} in the record, {mine!r} now", same


#: Checks about more of the data than a record keeps: the inputs are needed for them.
_OF_THE_DATA = {"dependence", "independence"}


def _of_the_data(check: Mapping[str, Any]) -> bool:
    return check["name"].partition(":")[0] in _OF_THE_DATA


def _repeatable(record: Mapping[str, Any], known: bool, words: bool) -> dict[str, Any]:
    """What must come out again: without the words where another version wrote them."""
    rest = {key: value for key, value in record.items() if key not in _CIRCUMSTANCES}
    kept = {"what", "observed", "expected", "sentence"} if not words else set()
    rest["checks"] = [
        {key: value for key, value in check.items() if key not in kept}
        for check in record["checks"]
        if known or not _of_the_data(check)
    ]
    return rest


def verify(
    record: Mapping[str, Any] | str,
    *,
    comparison: Comparison | None = None,
    independent: bool = False,
    threads: int | None = None,
) -> Verification:
    """Repeat an audit from its record, and compare every number.

    Parameters
    ----------
    record : mapping or path
        A record, or the file that holds one.
    comparison : Comparison, optional
        The data read anew; needed where the record keeps only their digest. Otherwise they
        are compared with those in the record.
    independent : bool
        Also count all hits by :mod:`csig.replay`, in pure numpy: slow, but none of the compiled
        code has a part in it.
    threads : int, optional
        Default: all processors.

    Returns
    -------
    Verification

    Raises
    ------
    InputError
        If this is no record, or one that cannot be repeated.

    Examples
    --------
    >>> import csig
    >>> comparison = csig.Comparison.from_counts(gold=10, only_a_correct=6, only_b_correct=1)
    >>> record = csig.audit(comparison, "recall", n_resamples=4096, rng=1).record
    >>> csig.verify(record).ok
    True
    >>> csig.verify({**record, "passed": False}).differences[0]
    'sha256: the record was changed after it was written'
    """
    from csig.auditing import audit

    where = "record"
    if isinstance(record, Mapping):
        try:
            plain = json.loads(canonical(record))
        except (TypeError, ValueError, RecursionError) as error:
            raise InputError(f"record: found what JSON cannot hold ({str(error)[:80]})") from None
        checked = check_record(plain)
    else:
        where = str(record)
        checked = parse_record(read_bytes(where), where)
    rebuilt = _rebuilt(checked, where)
    differences = []
    if _digest(checked) != checked["sha256"]:
        differences.append("sha256: the record was changed after it was written")
    if rebuilt is None and comparison is None:
        raise InputError(f"{where}: holds only the digest of the data; give its inputs")
    known = False  # whether larger and smaller units are
    if comparison is not None:
        known = comparison_digest(comparison) == checked["comparison"]["digest"]
        if not known:
            differences.append(
                "inputs: the data read from them are not those of the record (another digest)"
            )
        if known or rebuilt is None:
            rebuilt = comparison
    assert rebuilt is not None
    options, run = checked["options"], checked["runs"][0]
    wanted = _metrics(checked, where)
    again = audit(
        rebuilt,
        wanted,
        alternative=options["alternative"],
        n_resamples=options["n_resamples"],
        rng=_seed(run),
        bit_generator=run["bit_generator"],
        threads=threads,
        zero_division=options["zero_division"],
        confidence_level=options["confidence_level"],
        alpha=options["alpha"],
        exact_budget=options["exact_budget"],
        allow_bad_generator=options["allow_bad_generator"],
    )
    mine = json.loads(
        canonical(make_record(again, table=checked["comparison"]["differences"] is not None))
    )
    mine["comparison"]["names"] = checked["comparison"]["names"]  # of files that may have moved
    if not known:  # of the data as they were read: the record alone cannot tell
        mine["comparison"]["ids_digest"] = checked["comparison"]["ids_digest"]
    words = checked["environment"]["csig"] == __version__
    compared = 0
    now, then = (_repeatable(own, known, words) for own in (mine, checked))
    for line, same in _compare(now, then, ""):
        compared += 1
        if not same:
            differences.append(line)
    if independent:
        differences += _independently(rebuilt, checked, wanted)
        compared += sum(len(own["hits"]) for own in checked["runs"])
    unverified = [name for name in sorted(_CIRCUMSTANCES) if name not in ("sha256", "inputs")]
    unverified.append("comparison.names")
    if not known:
        unverified += ["comparison.ids_digest", "inputs"]
        unverified += [f"check {check['name']!r}" for check in checked["checks"]
                       if _of_the_data(check)]  # fmt: skip
    if not words:
        unverified.append("the words of checks, which another version wrote")
    return Verification(
        tuple(differences), compared, independent, file_digest(checked), tuple(unverified)
    )


def _independently(
    comparison: Comparison, record: Mapping[str, Any], metrics: Sequence[Metric]
) -> list[str]:
    """The hits of all runs by pure numpy."""
    options = record["options"]
    found = []
    for run in record["runs"]:
        task = make_task(
            comparison, alternative=options["alternative"], method="approximate",
            n_resamples=run["n_resamples"], rng=_seed(run), bit_generator=run["bit_generator"],
            threads=1, zero_division=options["zero_division"],
            confidence_level=options["confidence_level"], exact_budget=options["exact_budget"],
            allow_bad_generator=options["allow_bad_generator"],
        )  # fmt: skip
        made = AuditRun(run["run"], task.source, run["n_resamples"], {}, {})
        asked = {m.name: m for m in metrics}
        if any(own["metric"] == "recall" for own in run["hits"]):
            asked.setdefault("recall", metrics_module.recall)
        plans = ask(task, list(asked.values()))
        hits = dict.fromkeys(plans, 0)
        for start in range(0, run["n_resamples"], CHUNK):
            n = min(CHUNK, run["n_resamples"] - start)
            chunk = replayed(comparison, made, start // CHUNK, n)
            for name in asked:
                slow = chunk(plans[name, "two-sided"])
                for key in hits:
                    if key[0] == name:
                        hits[key] += slow[key[1]]
        for own in run["hits"]:
            number = hits.get((own["metric"], own["tail"]))
            if number != own["hits"]:
                found.append(
                    f"run {run['run']}, {own['metric']} ({own['tail']}): {own['hits']} hits in the "
                    f"record, {number} in pure numpy"
                )
    return found


def read_bytes(path: str) -> bytes:
    """What a file holds, or so much of it that it is too much for a record."""
    try:
        with open(path, "rb") as file:
            return file.read(MOST_BYTES + 1)
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from None
    except ValueError as error:  # a NUL inside the path itself
        raise InputError(f"{path!r}: not a path ({error})") from None
