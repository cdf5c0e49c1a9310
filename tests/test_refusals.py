"""Why calls are refused, in a line each: the expressions of refusals.txt, and what they say."""

import math
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import polars
import pytest
from brute import PAPER
from printed import otherwise, rewrite, sections

import csig
from csig import Comparison, Metric, streams
from csig.audits.generator import check_generator
from csig.base import validation
from csig.comparing import signature
from csig.data import metrics
from csig.engines import flips, fourier, resample
from csig.probability import corrections, tables
from csig.probability import resampled as replicates
from csig.results.randomization import NullDistribution

PRINTED = Path(__file__).with_name("refusals.txt")

scores, from_statistics = Comparison.from_scores, Comparison.from_statistics
COUNTS, CELLS = ("tp", "predicted", "gold"), ("tp", "fp", "fn", "tn")
EXAMPLE = Comparison.from_counts(**PAPER)
TWO, WHOLE = scores([1, 2], [1, 1]), scores([1, 2], [2, 3], id=["1", "2"])
COUNTED = {"a": [[1, 2, 2], [0, 1, 1]], "b": [[1, 1, 2], [1, 1, 1]]}
FIVE = [[0.02, 0.01], [0.03, 0.00], [0.01, 0.02], [0.04, 0.02], [0.01, 0.01]]
NAN, INFINITE = math.nan, math.inf
array, masked, zeros, ratio = np.array, np.ma.array, np.zeros, Fraction
parse, listed = signature.parse, NullDistribution.from_support
sampled, by_tail = NullDistribution.from_sample, NullDistribution.from_tail


def told(call: Callable[..., Any], *given: Any, **options: Any) -> str:
    """Why one of several calls is refused."""
    with pytest.raises(csig.InputError) as caught:
        call(*given, **options)
    return f"{call.__name__}: {caught.value}"


# ---- classical tests -----------------------------------------------------------------------------

ONE_ROW = from_statistics([[1, 2, 3]], [[1, 1, 3]], COUNTS)
#: What is right counts 1 and what is wrong -1.
NET = Metric("net", COUNTS, numerator=(2, -1, 0), denominator=(0, 0, 1))
CLUSTERED = scores([1, 1, 0, 1], [0, 0, 1, 1], cluster=["x", "x", "y", "y"])
UNEVEN = scores([1, 1, 0], [0, 0, 1], cluster=["x", "x", "y"])
#: Errors without words.
ODD = from_statistics([[3, 0], [1, 1]], [[0, 0], [1, 1]], ("errors", "words"))
NO_PREDICTION = Comparison.from_counts(gold=3, only_a_correct=2, only_b_correct=0)
NEGATIVE = from_statistics([[-3, 2]], [[1, 2]], ("errors", "items"))
#: Several items a unit, or another gold for either system.
NO_ITEMS = [
    from_statistics([row, [1] * len(row)], [row, [1] * len(row)], columns)
    for columns, row in (
        (COUNTS, [2, 3, 4]), (("correct", "items"), [1, 3]), (("errors", "words"), [1, 9]),
        (CELLS, [1, 0, 2, 0]), (("score",), [3]),
    )
] + [from_statistics([[1, 0, 0, 0]], [[0, 0, 0, 1]], CELLS)]  # fmt: skip


def folds(*given: Any) -> list[str]:
    """Both tests of folds that any number of splits has, and both of five replications."""
    c = csig.classical
    several = [told(c.resampled_t_test, *given, n_train=9, n_test=1)]
    several += [told(test, *given) for test in (c.kfold_t_test, c.cv52_t_test, c.cv52_f_test)]
    return (
        [several[0].partition(": ")[2]]
        if len({s.partition(": ")[2] for s in several}) == 1
        else several
    )


# ---- runs, randomization -------------------------------------------------------------------------

RUNS = scores(*np.random.default_rng(1).random((2, 3, 5)).round(2))
TOTAL = Metric("sum", ["score"], function=lambda s: s[:, 0])


def weighted(columns: Any, numerator: Any, denominator: Any) -> Metric:
    return Metric("m", columns, numerator=numerator, denominator=denominator)


#: What units have in such intervals, of both systems or of two runs; one cell of 60 differs.
FIRST_ALONE, NEEDED, GOLD_ONLY = zeros((2, 6, 2), int), zeros((2, 6, 2), int), zeros((2, 6, 3), int)
FIRST_ALONE[0, 0] = NEEDED[:, :, 1] = NEEDED[0, 0, 0] = GOLD_ONLY[:, :, 2] = 1
SHARE = Metric("share", ("tp", "gold"), function=lambda s: s[:, 0] / s[:, 1])
INVERSE = Metric("inverse", ("tp", "gold"), function=lambda s: s[:, 0] / s[:, 0])
ENDLESS = Metric("inf", COUNTS, function=lambda s: np.full(len(s), np.inf))
FOUND = Metric("own", COUNTS, function=lambda s: s[:, 0])
SAME_ALWAYS = Metric("one", ("tp",), function=lambda s: np.ones(len(s)))
HEAVY = Metric("heavy", ("x", "y"), numerator=(2**15, 1), denominator=(0, 1))
LARGE = from_statistics([[2**50, 2**52], [0, 2**52]], [[0, 2**52], [1, 2**52]], ("x", "y"))
#: A record has no units but those that differ.
DIFFERING = Comparison(COUNTS, "unit", (3, 4, 6), (1, 4, 6), (), units=TWO.units)
DRAWN = np.random.default_rng(0).random(1000)
AGAINST = from_statistics([[0, 0, 2], [0, 0, 1]], [[1, 2, 2], [1, 1, 1]], COUNTS)
ALONE = from_statistics([[1, 2, 2], [0, 0, 0]], [[2, 2, 2], [0, 0, 0]], COUNTS)
DOCUMENTS = from_statistics([[1, 2, 3], [2, 4, 5], [3, 6, 6]], [[0, 3, 3], [2, 3, 5], [4, 6, 6]],
                            COUNTS)  # fmt: skip
MOST = from_statistics([[5, 0]] * 8 + [[1, 1]], [[0, 0]] * 8 + [[0, 1]], ("x", "n"))
EMPTY = Comparison.from_counts(
    gold=0, only_a_correct=0, only_b_correct=0, only_a_spurious=3, only_b_spurious=9
)
HUGE = Comparison.from_counts(
    gold=2_000_000, only_a_correct=1_000_000, only_b_correct=1_000_000,
    only_a_spurious=2_000_000, only_b_spurious=2_000_000,
)  # fmt: skip

# ---- parts ---------------------------------------------------------------------------------------

NO_IDS = scores([1, 2], [2, 2])
BY_ID = scores([1, 2], [2, 2], id=["x", "y"])
NAMED = Comparison.from_counts(**PAPER, names=("C", "D"))
NUMBERED = scores([1, 2], [2, 3], id=[1, 2])
GROUPS = Comparison.from_responses(
    {"k": []}, {"k": ["1"]}, {"k": [1]}, conflict=type, unit="conflict"
)
CORRECT = Comparison.from_responses({"r"}, {"r"}, set())
WRONG = Comparison.from_responses(set(), {"r"}, set())
Unprintable = type("Odd", (), {"__str__": lambda self: "odd", "__repr__": lambda self: "Odd()"})
ALIKE = Comparison.from_responses({"r"}, {"r", Unprintable(), Unprintable()}, set())

# ---- csig.compare --------------------------------------------------------------------------------

FRAME = pandas.DataFrame({
    "qid": [f"q{i}" for i in range(24)], "topic": [f"t{i % 12}" for i in range(24)],
    "base": [i % 4 / 4 for i in range(24)], "new": [i % 5 / 4 for i in range(24)],
})  # fmt: skip
DIGITS = [
    f"examples/digits/{name}.tsv" for name in ("gold", "logistic-regression", "nearest-centroid")
]
FALSE_DISCOVERY = Metric("fdr", ("tp", "predicted"), numerator=(-1, 1), denominator=(0, 1))
OLD, NEW = [0.25, 0.5, 0.5, 0.75, 0.25, 0.5], [0.5, 0.75, 0.5, 1.0, 0.5, 0.75]
found: Any = csig.compare({"base": OLD, "new": NEW}, alpha=0.1)
three: Any = csig.compare({"base": OLD, "new": NEW, "bad": [0.0] * 6}, alpha=0.1)

# ---- many systems, audits, training --------------------------------------------------------------

RATED = {"a": [1, 1, 0, 1], "b": [0, 1, 0, 0], "c": [0, 1, 1, 1]}
SIX = {"base": [0.2, 0.5, 0.5, 0.2, 0.5, 0.7], "new": [0.4, 0.7, 0.5, 0.4, 0.7, 0.6]}
ones = np.ones


def resampled(**options: Any) -> Any:
    return csig.training.resample_training(**{"units": 5, "rng": 1, **options})


def generated(*units: Any, **options: Any) -> Any:
    return check_generator(streams.make_source(1), *units, **options)


def distribution(**given: Any) -> Any:
    named = {"scores": ones((3, 2, 1)), "systems": ("a", "b"), "test_sets": ("t",), **given}
    return csig.training.TrainingDistribution(**named)


# ---- streams, functions, probability, rankings ---------------------------------------------------

make_source, SeedSequence = streams.make_source, np.random.SeedSequence
validate_binomial = csig.rankings.validate_binomial
TWO_ROWS = [[1, 2, 3], [0, 1, 3]]
EIGHT = {"base": [0, 1, 0, 0, 1, 0, 0, 1], "new": [1, 1, 1, 0, 1, 1, 0, 1]}
FIVE_LISTED = {"true": [1, 0, 1, 0, 0], "x": [3, 5, 5, 1, 3], "y": [0.5, 0.25, 0.125, 1, 0]}
SIX_RANKED = {"true": [1, 0, 1, 0, 0, 1], "good": [6, 2, 5, 1, 3, 4], "fair": [3, 4, 6, 2, 1, 5]}


def of_function(function: Any) -> Any:
    pair = from_statistics([[1, 2], [2, 5]], [[2, 2], [2, 2]], ("x", "y"))
    return csig.randomization_test(pair, Metric("mine", ("x", "y"), function=function))


def enclosed(values: Any, s: int) -> list[str]:
    return [told(ask, array(values), s) for ask in (fourier.signed, fourier.enclose)]


def nested(lengths: int, size: int) -> Any:
    own = np.broadcast_to(np.int64(size), (lengths,))
    lists = flips.Lists(own, own, own, np.zeros((0, 4), dtype=np.int64), 0)
    return flips.nested_hits(lists, make_source(1), 9)


def bca(values: Any, changes: Any) -> Any:
    return replicates.bca(array(values), 1.0, array(changes), 0.99)


def without_errors(number: int) -> Any:
    errors = ones(1000)
    errors[slice(number) if number > 0 else slice(number, None)] = 0
    return replicates.studentized(np.linspace(0, 1, 1000), errors, 0.5, 1, 0.95)


def nbest(change: Any, methods: Any = "x", **options: Any) -> Any:
    table = FIVE_LISTED | change if isinstance(change, dict) else change
    return csig.rankings.nbest_precision(table, methods, **options)


FOUR = {name: [i * k % 7 for i in range(15)] for k, name in enumerate("abcd", 2)}


def datasets(**options: Any) -> Any:
    return csig.compare_datasets(FOUR, **options)


def framed(columns: Any, **options: Any) -> Any:
    frame = pandas.DataFrame({**columns, "a": [0.5, 1], "b": [0.25, 0.75]})
    return csig.compare_datasets(frame, **options)


def ranked(methods: Any = ("good", "fair"), **options: Any) -> Any:
    return csig.rank_methods(SIX_RANKED, methods, **options)


def parted(change: Any = (), **options: Any) -> Any:
    table = {"part": list("aabb"), "true": [1, 0, 0, 1], "x": [4, 3, 2, 1], **dict(change)}
    return csig.rankings.sample_precision(table, "x", **{"sample": "part", "n": 1, **options})


# ---- arguments, null distributions ---------------------------------------------------------------


class Client:
    """As dask's: it has `submit`, and is no executor."""

    def submit(self) -> None:
        """Like an executor's."""

    def get_executor(self) -> None:
        """Gives one."""


def quarter(t: Any) -> tuple[float, int]:
    return math.frexp(sum(k >= t for k in (-1, 1)) / 2)


NULLS = (listed(1.0, "less", [-1, 1], [0.5, 0.5]), by_tail(1.0, "less", quarter, 1.0))
TABLES = {
    **vars(validation),
    **vars(csig.classical),
    **vars(csig.intervals),
    **vars(csig.effects),
    **globals(),
    "metrics": metrics,
    "corrections": corrections,
    "tables": tables,
    "polars": polars,
    "resample": resample,
}


@pytest.mark.parametrize("cases", sections(PRINTED))
def test_what_is_refused(cases: list[tuple[str, str]]) -> None:
    assert otherwise(cases, TABLES) == []
    assert [text for _, text in cases if "--" in text] == []  # options are of the command line


if __name__ == "__main__":
    rewrite(PRINTED, TABLES)
