"""Questions, and what is swapped, as plain data that another process makes them from again.

Integers, weights, thresholds, names: no object of csig is pickled, so that a worker can say that
its csig is another one. The exception are functions of the user's own, metrics or generators,
which travel as they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.random import SeedSequence

from csig import metrics as metrics_module
from csig import streams
from csig.engines.functions import FunctionQuestion
from csig.engines.questions import Question
from csig.engines.shuffle import Joint, Swapped
from csig.engines.studentized import StudentizedQuestion
from csig.engines.weights import Line, WeightsQuestion
from csig.errors import InputError
from csig.metrics import Metric
from csig_ext.linfrac import Ratio

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "array_of",
    "metric_of",
    "packed_array",
    "packed_metric",
    "packed_question",
    "packed_source",
    "packed_swapped",
    "question_of",
    "source_of",
    "swapped_from",
]

#: Integers that a table may be sent as, the narrowest first.
WIDTHS = ("<i1", "<i2", "<i4", "<i8")


# ---- arrays ----------------------------------------------------------------------------------


def packed_array(table: NDArray[Any]) -> tuple[str, tuple[int, ...], bytes]:
    """An array of integers in the narrowest type that holds them; of doubles as it is."""
    kind = "<f8"
    if table.dtype.kind == "i":
        ends = (int(table.min(initial=0)), int(table.max(initial=0)))
        kind = next(
            one
            for one in WIDTHS
            if all(np.iinfo(one).min <= end <= np.iinfo(one).max for end in ends)
        )
    return kind, table.shape, np.ascontiguousarray(table, dtype=kind).tobytes()


def array_of(packed: tuple[str, tuple[int, ...], bytes]) -> NDArray[Any]:
    """The same again, in 64 bits."""
    kind, shape, data = packed
    wide = np.float64 if kind == "<f8" else np.int64
    return np.frombuffer(data, dtype=kind).reshape(shape).astype(wide)


# ---- what is swapped -------------------------------------------------------------------------


def packed_swapped(swapped: Swapped) -> dict[str, Any]:
    """The sizes of the two classes of responses, or the table of the units.

    >>> packed_swapped((34, 52))
    {'sizes': (34, 52)}
    """
    if not isinstance(swapped, Joint):
        return {"sizes": swapped}
    return {
        "table": packed_array(swapped.table),
        "views": [[*view] for view in swapped.views],
        "alone": [*swapped.alone],
    }


def swapped_from(packed: Mapping[str, Any]) -> Swapped:
    """The same again."""
    if "sizes" in packed:
        correct, spurious = packed["sizes"]
        return correct, spurious
    return Joint(array_of(packed["table"]), packed["views"], packed["alone"])


# ---- the seed --------------------------------------------------------------------------------


def packed_source(source: streams.Source) -> dict[str, Any]:
    """A seeded generator: numpy's and csig's own by their names, others with their factory."""
    named = source.name in (*streams.NAMED, *streams.BAD)
    return {
        "name": source.name,
        "factory": None if named else source.factory,
        "entropy": source.entropy,
        "spawn_key": source.spawn_key,
    }


def source_of(packed: Mapping[str, Any]) -> streams.Source:
    """The same again."""
    seed = SeedSequence(packed["entropy"], spawn_key=packed["spawn_key"])
    return streams.make_source(seed, packed["factory"] or packed["name"], allow_bad=True)


# ---- questions -------------------------------------------------------------------------------


def packed_question(question: Question) -> dict[str, Any]:
    """What a judge counts by."""
    if isinstance(question, WeightsQuestion):
        return _packed_weights(question)
    if isinstance(question, StudentizedQuestion):
        plain = _packed_weights(question.plain)
        return plain | {"kind": "studentized", "numbers": question.numbers}
    assert isinstance(question, FunctionQuestion)
    return _packed_function(question)


def question_of(packed: Mapping[str, Any]) -> Question:
    """A question that judges the same trials to be hits, and knows nothing else."""
    if packed["kind"] == "studentized":
        return StudentizedQuestion(_weights(packed), **packed["numbers"])
    return _weights(packed) if packed["kind"] == "weights" else _function(packed)


def _fraction(value: Fraction | int) -> tuple[int, int]:
    return value.numerator, value.denominator


def _packed_weights(question: WeightsQuestion) -> dict[str, Any]:
    ratio, line, metric = question.ratio, question.line, question.metric
    return {
        "kind": "weights",
        "name": metric.name,
        "columns": metric.columns,
        "numerator": [_fraction(w) for w in metric.numerator],
        "denominator": [_fraction(w) for w in metric.denominator],
        "scores": (question.score_a, question.score_b),
        "ratio": (
            ratio.numerator, ratio.denominator, ratio.zero_division, ratio.sizes,
            _fraction(ratio.threshold), ratio.alternative,
        ),
        "undefined": question.zero_denominator,
        "weights": [own.tolist() for own in question.weights],
        "line": None
        if line is None
        else (line.total, line.tau, line.low, line.high, _fraction(line.value)),
    }  # fmt: skip


def _weights(packed: Mapping[str, Any]) -> WeightsQuestion:
    above, below, zero_division, sizes, threshold, alternative = packed["ratio"]
    line = packed["line"]
    if line is not None:
        total, tau, low, high, value = line
        line = Line(total, tau, low, high, Fraction(*value))
    score_a, score_b = packed["scores"]
    x, y = (np.array(own, dtype=np.int64) for own in packed["weights"])
    numerator, denominator = (
        [Fraction(*weight) for weight in packed[row]] for row in ("numerator", "denominator")
    )
    return WeightsQuestion(
        Metric(packed["name"], packed["columns"], numerator=numerator, denominator=denominator),
        score_a,
        score_b,
        Ratio(above, below, zero_division, sizes, Fraction(*threshold), alternative),
        packed["undefined"],
        weights=(x, y),
        line=line,
    )


def _is_own(metric: Metric) -> bool:
    """Whether its name and its columns determine a metric that is a function."""
    try:
        known = metrics_module.get(metric.name, metric.columns)
    except InputError:
        return False
    return (
        metric.exact is not None and known.exact == metric.exact and known.columns == metric.columns
    )


def packed_metric(metric: Metric) -> dict[str, Any]:
    """A metric that is a function: csig's own by its name, others with the function."""
    return {
        "name": metric.name,
        "columns": metric.columns,
        "function": None if _is_own(metric) else metric.function,
        "of_metric": metric.tolerance,
    }


def metric_of(packed: Mapping[str, Any]) -> Metric:
    """The same again."""
    name, columns, function = packed["name"], packed["columns"], packed["function"]
    if function is None:
        return metrics_module.get(name, columns)
    return Metric(name, columns, function=function, tolerance=packed["of_metric"])


def _packed_function(question: FunctionQuestion) -> dict[str, Any]:
    sums = question.sums
    return packed_metric(question.metric) | {
        "kind": "function",
        "tolerance": question.tolerance,
        "alternative": question.alternative,
        "zero_division": question.zero_division,
        "scores": question.scores,
        "statistic": question.statistic,
        "undefined": question.zero_denominator,
        "band": question.band,
        "reach": question.reach,
        "arrays": [
            packed_array(one)
            for one in (
                question.base, question.total, question.scale, question.places, question.rows
            )
        ],
        "sums": None if sums is None else [packed_array(one) for one in sums],
    }  # fmt: skip


def _function(packed: Mapping[str, Any]) -> FunctionQuestion:
    metric = metric_of(packed)
    base, total, scale, places, rows = map(array_of, packed["arrays"])
    sums = packed["sums"]
    return FunctionQuestion(
        metric,
        packed["alternative"],
        packed["zero_division"],
        packed["scores"],
        packed["statistic"],
        packed["undefined"],
        packed["band"],
        base,
        total,
        scale,
        packed["reach"],
        places.astype(np.intp),
        rows.astype(np.intp),
        packed["tolerance"],
        None if sums is None else (array_of(sums[0]), array_of(sums[1])),
    )
