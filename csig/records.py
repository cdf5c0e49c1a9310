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
import json
import math
import platform
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from csig import metrics as metrics_module
from csig._version import __version__
from csig.audits.digests import (
    canonical,
    chunks_digest,
    comparison_digest,
    file_digest,
    ids_digest,
    record_digest,
)
from csig.audits.forms import (
    SCHEMA,
    SCHEMA_VERSION,
    check_record,
    parse_record,
    read_bytes,
    schema,
)
from csig.audits.rebuilding import rebuilt, recorded_metrics, seed_of
from csig.audits.repeats import replayed
from csig.audits.runs import AuditRun, ask
from csig.comparison import Comparison
from csig.errors import InputError
from csig.metrics import Metric
from csig.randomization import make_task
from csig.streams import CHUNK

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

#: Doubles computed on another machine may differ in their last digits.
CLOSE = 1e-9

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
        "ids_digest": ids_digest(comparison),
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
        "chunks_sha256": chunks_digest(run),
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
    record["sha256"] = record_digest(record)
    return record


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
    found = rebuilt(checked, where)
    differences = []
    if record_digest(checked) != checked["sha256"]:
        differences.append("sha256: the record was changed after it was written")
    if found is None and comparison is None:
        raise InputError(f"{where}: holds only the digest of the data; give its inputs")
    known = False  # whether larger and smaller units are
    if comparison is not None:
        known = comparison_digest(comparison) == checked["comparison"]["digest"]
        if not known:
            differences.append(
                "inputs: the data read from them are not those of the record (another digest)"
            )
        if known or found is None:
            found = comparison
    assert found is not None
    options, run = checked["options"], checked["runs"][0]
    wanted = recorded_metrics(checked, where)
    again = audit(
        found,
        wanted,
        alternative=options["alternative"],
        n_resamples=options["n_resamples"],
        rng=seed_of(run),
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
        differences += _independently(found, checked, wanted)
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
            n_resamples=run["n_resamples"], rng=seed_of(run), bit_generator=run["bit_generator"],
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
