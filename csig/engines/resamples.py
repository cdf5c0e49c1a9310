"""Resamples as a worker draws them: what metrics make of them, from plain data.

The worker gives the scores of every resample, or their differences, 8 bytes each; what is made of
them, an interval or a count of hits, is the caller's.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from csig import streams
from csig.engines.packing import (
    array_of,
    metric_of,
    packed_array,
    packed_metric,
    packed_source,
    source_of,
)
from csig.engines.replicates import Columns, Computed, Replicates, Side, Weighted
from csig.engines.resample import Resampler
from csig.engines.studentizing import StandardErrors
from csig.metrics import Metric

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from csig.engines.base import Block

__all__ = ["Resamples", "packed_resamples"]


def packed_resamples(
    columns: Columns,
    source: streams.Source,
    asked: Sequence[tuple[Replicates, Sequence[float], StandardErrors | None]],
) -> dict[str, Any]:
    """The job: what is drawn, and what every metric makes of it, with its ties."""
    return {
        "engine": "resample",
        "source": packed_source(source),
        "table": packed_array(columns.table()),
        "questions": [_packed(*own) for own in asked],
    }


def _packed(
    replicates: Replicates, ties: Sequence[float], errors: StandardErrors | None
) -> dict[str, Any]:
    metric = replicates.metric
    found = {"name": metric.name} if metric.linear_fractional else packed_metric(metric)
    return found | {
        "sides": {name: _packed_side(side) for name, side in replicates.sides.items()},
        "tolerance": replicates.tolerance,
        "slack": replicates.slack,
        "ties": [float(tie) for tie in ties],
        "errors": None if errors is None else errors.packed(),
    }


def _packed_side(side: Side) -> dict[str, Any]:
    if isinstance(side, Weighted):
        return {
            "weights": [own.tolist() for own in side.weights],
            "zero_division": side.zero_division,
            "score": side.score,
            "unit": side.unit,
        }
    assert isinstance(side, Computed)
    return {
        "total": packed_array(side.rows.sum(axis=0)),
        "scale": side.scale.tolist(),
        "places": side.places.tolist(),
        "zero_division": side.zero_division,
        "score": side.score,
    }


class Resamples:
    """A job that a worker keeps."""

    def __init__(self, job: Mapping[str, Any]) -> None:
        self.source = source_of(job["source"])
        self.table = array_of(job["table"])
        lock = threading.Lock()
        self.asked = [_made(own, lock) for own in job["questions"]]
        for replicates, _, _ in self.asked:  # before other threads call their functions
            _ = replicates.seconds_a_trial

    def draw(self, block: Block, by_chunk: bool, threads: int) -> dict[str, Any]:
        """Scores, how many were undefined, and standard errors, for every metric."""
        run = Resampler(
            self.source, block.run, self.table, block.end, threads,
            first_chunk=block.first, chunks=block.chunks,
        )  # fmt: skip
        values = [np.empty(block.trials) for _ in self.asked]
        errors = [None if own is None else np.empty(block.trials) for _, _, own in self.asked]
        undefined: list[list[int]] = [[] for _ in self.asked]

        def take(start: int, sums: NDArray[np.int64]) -> None:
            here = slice(start - block.start, start - block.start + sums.shape[1])
            for i, (replicates, ties, standard_errors) in enumerate(self.asked):
                values[i][here], some = replicates.of(sums, run.stop, ties)
                undefined[i].append(some)
                own = errors[i]
                if standard_errors is not None and own is not None:
                    own[here] = standard_errors(sums)

        run(take)
        return {"values": values, "undefined": [sum(own) for own in undefined], "errors": errors}


def _made(
    packed: Mapping[str, Any], lock: threading.Lock
) -> tuple[Replicates, list[float], StandardErrors | None]:
    sides: dict[str, Side] = {}
    if "columns" in packed:
        metric = metric_of(packed)
        for name, own in packed["sides"].items():
            sides[name] = Computed(
                metric.name,
                own["score"],
                metric,
                array_of(own["total"])[None],
                np.array(own["scale"]),
                np.array(own["places"], dtype=np.intp),
                own["zero_division"],
                None if metric.thread_safe else lock,
            )
        return Replicates(metric, sides, packed["tolerance"], packed["slack"]), packed["ties"], None
    nothing = np.zeros(0, dtype=np.int64)  # its units are not needed for resamples
    weighted = {}
    for name, own in packed["sides"].items():
        above, below = (np.array(row, dtype=np.int64) for row in own["weights"])
        weighted[name] = Weighted(
            packed["name"], own["score"], nothing, nothing, (above, below), own["zero_division"],
            own["unit"],
        )  # fmt: skip
    sides.update(weighted)
    metric = Metric(packed["name"], ("x",), numerator=(1,), denominator=(1,))  # nor its weights
    errors = packed["errors"]
    return (
        Replicates(metric, sides, packed["tolerance"], packed["slack"]),
        packed["ties"],
        None if errors is None else StandardErrors.of(errors, list(weighted.values())),
    )
