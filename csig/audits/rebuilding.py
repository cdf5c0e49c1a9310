"""A comparison, its metrics and its seed, made again from a record."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.random import SeedSequence

from csig import metrics as metrics_module
from csig.comparison import Comparison
from csig.errors import InputError
from csig.metrics import Metric
from csig.units import Units

__all__ = ["rebuilt", "recorded_metrics", "seed_of"]


def rebuilt(record: Mapping[str, Any], where: str) -> Comparison | None:
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


def recorded_metrics(record: Mapping[str, Any], where: str) -> list[Metric]:
    """The metrics of a record."""
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


def seed_of(run: Mapping[str, Any]) -> SeedSequence:
    """What a run of a record was seeded with."""
    parts = [int(part) for part in run["entropy"]]
    entropy: Any = parts[0] if len(parts) == 1 else parts
    return SeedSequence(entropy, spawn_key=tuple(run["spawn_key"]))
