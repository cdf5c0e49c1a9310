"""The record of an audit: one JSON file from which anybody can recompute it.

The shipped JSON Schema, ``csig/audit.schema.json``, fixes the content of a record, and
``docs/audit.md`` describes it. A record is in canonical form: keys in order, one space of
indentation, ASCII, numbers as Python writes them; whole numbers that may exceed 2^53 are decimal
strings. So the SHA-256 of its file can be published; and the field ``sha256`` holds that of
everything else in it.
"""

from __future__ import annotations

import datetime
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from csig._config import config
from csig.audits.digests import chunks_digest, comparison_digest, ids_digest, record_digest
from csig.audits.forms import SCHEMA, SCHEMA_VERSION, schema
from csig.audits.outcome import Audit
from csig.audits.rebuilding import misnamed
from csig.audits.runs import AuditRun
from csig.comparison import Comparison
from csig.errors import InputError
from csig.metrics import Metric
from csig.streams import BAD

__all__ = ["OPTIONS", "check_names", "make_record", "record_of", "schema"]


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


def _metric(metric: Metric, version: int) -> dict[str, Any]:
    """A metric with the columns that it reads; version 1 also lists columns without a weight."""
    if not metric.linear_fractional:
        columns, weights = list(metric.columns), None
    else:
        read = [
            (column, str(above), str(below))
            for column, above, below in zip(
                metric.columns, metric.numerator, metric.denominator, strict=True
            )
            if above or below or version == 1
        ]
        columns, *weights = map(list, zip(*read, strict=True))
    return {
        "name": metric.name,
        "columns": columns,
        "numerator": weights and weights[0],
        "denominator": weights and weights[1],
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
        "chunks_sha256": chunks_digest(run),
    }


#: Fields of results that have the names of their attributes.
_OF_RESULTS = ("score_a", "score_b", "statistic", "n_hits", "n_resamples", "pvalue")

#: Options that an audit shares with its task.
OPTIONS = ("alternative", "n_resamples", "zero_division", "confidence_level", "exact_budget")


def _results(audit: Audit, version: int) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for name, result in audit.results.items():
        exact = audit.exact.get(name)
        found.append(
            {
                "metric": name,
                **{own: getattr(result, own) for own in _OF_RESULTS},
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


def _finite(value: float | None) -> float | None:
    return None if value is None or not math.isfinite(value) else value


def _checks(audit: Audit) -> list[dict[str, Any]]:
    return [
        {name: value for name, value in vars(check).items() if name not in ("since", "until")}
        | {"pvalue": _finite(check.pvalue), "statistic": _finite(check.statistic)}
        for check in audit.checks
    ]


def _environment() -> dict[str, str]:
    found = config()
    names = ("csig", "python", "numpy", "scipy", "platform")
    return {name: found[name] for name in names} | {
        "instruction_set": found["instruction set used"]
    }


def make_record(
    audit: Audit,
    *,
    inputs: Sequence[Mapping[str, Any]] = (),
    command: Sequence[str] = (),
    request: Mapping[str, Any] | None = None,
    cautions: Sequence[str] = (),
    table: bool = True,
) -> dict[str, Any]:
    """The record of an audit.

    Parameters
    ----------
    audit : Audit
        An audit that has run.
    inputs : sequence of mapping, optional
        For every file: ``path``, ``bytes`` and ``sha256``.
    command : sequence of str, optional
        The command line.
    request : mapping, optional
        The options that say what to read.
    cautions : sequence of str
        What looks wrong in what was read; without any the record does not have the field.
    table : bool
        Whether to keep the statistics of the units that differ. Otherwise the record has only
        their digest, and a verification needs the inputs.
    """
    check_names(audit.options["metrics"], audit.comparison.columns)
    record = record_of(audit, SCHEMA_VERSION, inputs, command, request, table)
    if cautions:
        record["cautions"] = list(cautions)
    record["sha256"] = record_digest(record)
    return record


def check_names(metrics: Sequence[Metric], columns: Sequence[str]) -> None:
    """Refuse metrics that misuse a name of csig's own: their record could not be verified."""
    wrong = next(misnamed(metrics, columns), None)
    if wrong is not None:
        raise InputError(f"{wrong}; give the metric another name, so its record can be verified")


def _options(audit: Audit, version: int) -> dict[str, Any]:
    bad = audit.options["allow_bad_generator"]
    if version > 1:  # permission that was not needed is not kept
        bad = bad and audit.runs[0].bit_generator in BAD
    found = {name: audit.options[name] for name in OPTIONS}
    return found | {"alpha": audit.alpha, "allow_bad_generator": bad}


def record_of(
    audit: Audit,
    version: int,
    inputs: Sequence[Mapping[str, Any]] = (),
    command: Sequence[str] = (),
    request: Mapping[str, Any] | None = None,
    table: bool = True,
) -> dict[str, Any]:
    """All fields except the SHA-256."""
    return {
        "schema": SCHEMA,
        "schema_version": version,
        "date": datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "environment": _environment(),
        "command": list(command),
        "request": None if request is None else dict(request),
        "inputs": [dict(file) for file in inputs],
        "comparison": _comparison(audit.comparison, table, version),
        "metrics": [_metric(metric, version) for metric in audit.options["metrics"]],
        "options": _options(audit, version),
        "runs": [_run(run) for run in audit.runs],
        "results": _results(audit, version),
        "checks": _checks(audit),
        "passed": audit.passed,
    }
