"""The record of a board: all numbers of all systems, from which anybody can compare them again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from csig.base.defaults import FLIPS, YEH_RESAMPLES
from csig.base.errors import InputError
from csig.base.wording import counted
from csig.data.metrics import Metric
from csig.data.several import Several, has_gaps, several
from csig.data.units import numbered
from csig.engines.base import EDITION
from csig.report.records import metric_record, record_digest, when_and_where
from csig.systems.boards import with_gaps
from csig.systems.ranking import SCORES, SystemsResult, board_of, rank_systems
from csig.systems.report import as_record

SCHEMA = "csig.board"

#: Random words, and looks of flips at differences, that a verification may take: about an hour.
MOST_WORDS, MOST_LOOKS = 2**40, 2**42

#: Fields of the result that are computed from the rest; sentences are not.
_RESULT = (
    "n_units statistic method n_certified n_shuffled n_resamples possibly_best systems pairs digest"
)


def make_record(
    found: SystemsResult,
    inputs: Sequence[Mapping[str, Any]] = (),
    command: Sequence[str] = (),
) -> dict[str, Any]:
    """The record of what :func:`csig.compare_systems` found."""
    # `inputs` has path, bytes and sha256 of every file.
    table, asked = found._table, found._asked
    if table is None or table.known is not None:
        raise InputError(
            "record: the comparisons that were given have no common numbers; give the scores"
        )
    data, metric = table.asked
    check_size(data, asked)
    rows = zip(data.names, data.rows, strict=True)
    record = {
        "schema": SCHEMA,
        "schema_version": 1,
        **when_and_where(),
        "command": list(command),
        "inputs": [dict(file) for file in inputs],
        "unit": table.unit,
        "columns": None if data.columns is None else list(data.columns),
        "clusters": None if data.clusters is None else numbered(data.clusters)[0].tolist(),
        "systems": [
            {"name": name, "type": str(own.dtype), "numbers": _listed(own)} for name, own in rows
        ],
        "metric": metric_record(metric, EDITION),
        "options": dict(asked),
        "result": result_of(found),
    }
    record["sha256"] = record_digest(record)
    return record


def _listed(numbers: np.ndarray[Any, Any]) -> list[Any]:
    """Numbers as JSON has them: null where a system lacks a unit."""
    if numbers.dtype.kind != "f":
        return list(numbers.tolist())
    return [None if number != number else number for number in numbers.astype(np.float64).tolist()]


def data_of(record: Mapping[str, Any]) -> Several:
    """The numbers of a record that was checked by its schema."""
    systems = record["systems"]
    names = tuple(own["name"] for own in systems)
    if len(set(names)) < len(names):
        raise InputError("systems: two of them have the same name")
    columns = record["columns"]
    rows: dict[str, Any] = {}
    for own in systems:
        try:
            numbers = np.array(own["numbers"], dtype=np.float64 if None in own["numbers"] else None)
            if numbers.dtype.kind in "if":
                with np.errstate(over="ignore"):
                    numbers = numbers.astype(own["type"], casting="same_kind")
        except (ValueError, TypeError, OverflowError):
            numbers = np.array("")
        if numbers.dtype.kind not in "if":
            raise InputError(f"systems: the numbers of {own['name'][:60]!r} are no table")
        rows[own["name"]] = numbers
    gaps = columns is None and has_gaps(rows.values())
    clusters = record["clusters"]
    if clusters is not None:  # whose order is that of texts
        clusters = [f"{number:09}" for number in clusters]
    return with_gaps(rows, None, clusters) if gaps else several(rows, columns, None, clusters)


def check_size(data: Several, options: Mapping[str, Any]) -> int:
    """How many pairs there are; refuses what no verification would take."""
    n, n_units = len(data.names), len(data.rows[0])
    n_pairs = n * (n - 1) // 2 if options["baseline"] is None else n - 1
    flips = options["correction"] == "flips"
    # Shuffles of scores that nobody asked for limit themselves.
    default = FLIPS if flips else 0 if data.columns is None else YEH_RESAMPLES
    trials = options["n_resamples"] or default
    work, most = -(-trials // 64) * n_units * n_pairs, MOST_WORDS
    if flips:
        work, most = trials * (n_pairs + n_units * n // SCORES), MOST_LOOKS
    if work > most:
        raise InputError(
            f"record: {trials:,} trials of {counted(n_pairs, 'pair')} of systems would take too "
            "long to verify"
        )
    return n_pairs


def ranked_again(
    record: Mapping[str, Any], metric: Metric, rng: Any, threads: int | None
) -> SystemsResult:
    """What comes of a record's numbers and options now."""
    options = dict(record["options"])
    seed = options.pop("seed")
    rank_by = options.pop("rank_by")
    data = data_of(record)
    n_pairs, pairs = check_size(data, options), record["result"].get("pairs")
    if not isinstance(pairs, list) or len(pairs) != n_pairs:  # so that a short one is no long work
        raise InputError(f"result.pairs: expected {counted(n_pairs, 'pair')} of systems")
    table = board_of(
        data, metric, rank_by, unit=record["unit"],
        zero_division=options["zero_division"],
    )  # fmt: skip
    return rank_systems(
        table, **options, rng=rng, bit_generator=seed["bit_generator"], threads=threads
    )


def result_of(found: SystemsResult) -> dict[str, Any]:
    """The fields of a record that are computed."""
    result = as_record(found)
    return {name: result[name] for name in _RESULT.split()}
