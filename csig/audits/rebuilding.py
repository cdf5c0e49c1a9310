"""A comparison, its metrics and its seed, rebuilt from a record."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.random import SeedSequence

from csig import metrics as metrics_module
from csig.comparison import COLUMNS, Comparison
from csig.data.responses import RecordedResponses
from csig.data.units import LARGEST_SUM, Units
from csig.errors import InputError
from csig.metrics import Metric
from csig.wording import first_few

__all__ = [
    "is_bound",
    "known_metric",
    "misnamed",
    "rebuilt",
    "recorded_metrics",
    "same_function",
    "seed_of",
]


# ---- the data --------------------------------------------------------------------------------


def rebuilt(record: Mapping[str, Any], where: str) -> Comparison | None:
    """The comparison of a record; None where it has only the digest."""
    data = record["comparison"]
    found = None
    if data["classes"] is not None:
        found = _of_classes(data, where)
    elif data["differences"] is not None:
        found = _of_units(data, where)
    _check_levels(data, where)
    _check_responses(data, where)
    responses = data.get("responses")
    if found is None or found.units is None or responses is None:
        return found
    return replace(found, _source=RecordedResponses(_by_name(responses)))


def _by_name(responses: Sequence[Sequence[int]]) -> dict[str, int]:
    """Unique responses by what :meth:`csig.Comparison.from_counts` calls them."""
    kinds = ("correct", "spurious")
    return {
        f"only_{system}_{kind}": number
        for kind, pair in zip(kinds, responses, strict=True)
        for system, number in zip("ab", pair, strict=True)
    }


def _check_levels(data: Mapping[str, Any], where: str) -> None:
    levels = data.get("levels")
    if levels is not None and (data["unit"] not in levels or len(set(levels)) < len(levels)):
        raise InputError(
            f"{where}: comparison.levels: found {first_few(levels)}, expected distinct units, "
            f"including {data['unit'][:40]!r}"
        )


def _check_responses(data: Mapping[str, Any], where: str) -> None:
    """The unique responses explain the sums, and equal the classes where these are swapped."""
    if "responses" not in data:  # an older record
        return
    responses = data["responses"]
    if data["classes"] is not None and responses != data["classes"]:
        raise InputError(
            f"{where}: comparison.responses and comparison.classes contradict each other"
        )
    if responses is None:
        return
    if data["columns"] != list(COLUMNS):
        raise InputError(f"{where}: comparison.responses need the columns {', '.join(COLUMNS)}")
    (correct_a, correct_b), (spurious_a, spurious_b) = responses
    a, b = ([int(s) for s in data[name]] for name in ("sums_a", "sums_b"))
    wrong_a, wrong_b = a[1] - a[0], b[1] - b[0]
    both = (a[0] - correct_a, wrong_a - spurious_a)
    if both != (b[0] - correct_b, wrong_b - spurious_b) or min(both) < 0:
        raise InputError(f"{where}: comparison.responses and comparison.sums contradict each other")


def _of_classes(data: Mapping[str, Any], where: str) -> Comparison:
    if data["columns"] != list(COLUMNS) or data["unit"] != "response":
        raise InputError(f"{where}: comparison.classes need the unit 'response' and its columns")
    sums_a, sums_b = ([int(s) for s in data[name]] for name in ("sums_a", "sums_b"))
    counts: dict[str, Any] = dict(_by_name(data["classes"]))
    try:
        comparison = Comparison.from_counts(
            gold=sums_a[2],
            both_correct=sums_a[0] - counts["only_a_correct"],
            both_spurious=sums_a[1] - sums_a[0] - counts["only_a_spurious"],
            **counts,
            names=(data["names"][0], data["names"][1]),
        )
    except InputError as error:
        raise InputError(f"{where}: comparison: {error}") from None
    if list(comparison.sums_a) != sums_a or list(comparison.sums_b) != sums_b:
        raise InputError(f"{where}: comparison.classes and comparison.sums contradict each other")
    return comparison


def _of_units(data: Mapping[str, Any], where: str) -> Comparison:
    sums_a, sums_b = ([int(s) for s in data[name]] for name in ("sums_a", "sums_b"))
    rows = data["differences"]
    if any(row.count(" ") != len(sums_a) - 1 for row in rows):
        raise InputError(
            f"{where}: comparison.differences: expected {len(sums_a)} numbers per unit"
        )
    table = np.fromstring(" ".join(rows), dtype=np.int64, sep=" ").reshape(len(rows), len(sums_a))
    if np.abs(table.astype(np.float64)).sum(axis=0).max(initial=0) >= 2 * LARGEST_SUM:
        raise InputError(f"{where}: comparison.differences: found sums of 2^62 and more")
    if not table.any(axis=1).all():
        raise InputError(f"{where}: comparison.differences: found a unit that does not differ")
    if data["n_total"] is None or data["n_total"] < len(rows):
        raise InputError(f"{where}: comparison.n_total is less than the number of differing units")
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
        (data["names"][0], data["names"][1]),
        units=Units(table, data["n_total"]),
        scale=tuple(Fraction(value) for value in data["scale"]),
        tau=int(data["tau"]),
    )


# ---- metrics ---------------------------------------------------------------------------------


def recorded_metrics(record: Mapping[str, Any], where: str) -> list[Metric]:
    """The metrics of a record."""
    columns = record["comparison"]["columns"]
    return [
        _with_weights(own, where)
        if own["numerator"] is not None and own["denominator"] is not None
        else _function(own, columns, where)
        for own in record["metrics"]
    ]


def _with_weights(own: Mapping[str, Any], where: str) -> Metric:
    weights = [[Fraction(w) for w in own[part]] for part in ("numerator", "denominator")]
    try:
        return Metric(
            own["name"], own["columns"], numerator=weights[0], denominator=weights[1],
            greater_is_better=own["greater_is_better"],
        )  # fmt: skip
    except InputError as error:
        raise InputError(f"{where}: {error}") from None


def _function(own: Mapping[str, Any], columns: Sequence[str], where: str) -> Metric:
    name = own["name"]
    metric = known_metric(name, columns)
    if metric is None:
        raise InputError(
            f"{where}: metric {name[:60]!r} is a function unknown to csig; records do not hold "
            f"functions"
        )
    if metric.linear_fractional or list(metric.columns) != own["columns"]:
        raise InputError(f"{where}: metric {name[:60]!r} differs from csig's own")
    return metric


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


def is_bound(metric: Metric, columns: Sequence[str]) -> bool:
    """Whether the name determines the metric."""
    return known_metric(metric.name, columns) is not None


def misnamed(metrics: Sequence[Metric], columns: Sequence[str]) -> Iterator[str]:
    """Metrics with the name of one of csig's own, but other weights or another direction.

    For means, the user says whether greater or less is better.
    """
    for metric in metrics:
        known = known_metric(metric.name, columns)
        if known is None:
            continue
        label = f"metrics[{metric.name[:60]}]"
        if not same_function(metric, known):
            yield f"{label}: its weights are not those of csig's own {known.name}"
        elif known.name != "mean" and metric.greater_is_better != known.greater_is_better:
            yield (
                f"{label}.greater_is_better: {metric.greater_is_better} in the record, "
                f"{known.greater_is_better} for csig's own {known.name}"
            )


# ---- the seed --------------------------------------------------------------------------------


def seed_of(run: Mapping[str, Any]) -> SeedSequence:
    """The seed of a run of a record."""
    parts = [int(part) for part in run["entropy"]]
    entropy: Any = parts[0] if len(parts) == 1 else parts
    return SeedSequence(entropy, spawn_key=tuple(run["spawn_key"]))
