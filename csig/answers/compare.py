"""``csig.compare``: from anything that holds scores to the results of all systems and metrics."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, Unpack, get_args

from csig import streams
from csig.answers.compared import Compared
from csig.answers.gathering import gather
from csig.base import defaults
from csig.base.errors import DataWarning, InputError, in_python
from csig.base.progress import shown
from csig.base.validation import (
    METHODS,
    STATISTICS,
    Alternative,
    Method,
    Statistic,
    between,
    check_alternative,
    check_executor,
    check_zero_division,
    one_of,
    positive,
)
from csig.comparing.options import Options
from csig.data.comparison import Comparison
from csig.data.metrics import Metric
from csig.readers.data import Data
from csig.readers.objects import of_comparisons, of_scores
from csig.readers.reading import ReadOptions, no_argument, read
from csig.readers.request import OptionError
from csig.readers.tables.sheets import is_frame

if TYPE_CHECKING:
    from concurrent.futures import Executor

#: How the intervals of the differences are made.
IntervalMethod: TypeAlias = Literal[
    "auto", "inverted", "linearized", "bca", "percentile", "basic", "studentized", "none"
]


def _several(name: str, value: object, kinds: tuple[type, ...], expected: str) -> tuple[Any, ...]:
    """One or several objects of some kinds."""
    one = isinstance(value, kinds) or not isinstance(value, Iterable)
    found = (value,) if one else tuple(value)  # type: ignore[arg-type]
    if not all(isinstance(own, kinds) for own in found):
        raise InputError(f"{name}: found {value!r}, expected {expected}")
    return found


def _seed(rng: streams.Seed, bit_generator: str | None) -> tuple[int | None, str | None]:
    """A seed that the command line could have, and the generator."""
    if rng is None or (isinstance(rng, int) and not isinstance(rng, bool) and rng >= 0):
        return rng, bit_generator
    source = streams.make_source(rng, bit_generator)
    if source.spawn_key or not isinstance(source.entropy, int):
        raise InputError("rng: csig.compare needs one integer, which is printed as the seed")
    return source.entropy, source.name


def _data(
    inputs: Sequence[object],
    metric: Sequence[str | Metric],
    given: Mapping[str, Any],
    reading: ReadOptions,
) -> Data:
    """What was given, as data."""
    if not inputs and not (reading.get("counts") or reading.get("statistics")):
        raise InputError("nothing to compare: give files, a data frame, scores or comparisons")
    systems = _several("systems", given["systems"], (str,), "names")
    columns = {name: given[name] for name in ("id", "cluster", "gold")}
    paths = all(isinstance(own, (str, os.PathLike)) for own in inputs)
    if paths or any(map(is_frame, inputs)):
        for name, value in columns.items():
            if value is not None and not isinstance(value, str):
                raise InputError(
                    f"{name}: found {type(value).__name__}, expected the name of a column; labels "
                    "per unit go with arrays and mappings"
                )
        return read(
            *inputs,
            system=systems,
            metric=[name for name in metric if isinstance(name, str)],
            id=columns["id"],
            cluster=columns["cluster"],
            gold_column=columns["gold"],
            positive=given["positive"],
            by=given["by"],
            **reading,
        ).data
    odd = [name for name in reading if name != "allow_missing" and reading.get(name)]
    if odd:
        raise OptionError(f"{odd[0]}: is for files, found {type(inputs[0]).__name__}")
    if any(isinstance(own, Comparison) for own in inputs):
        others = {**columns, "systems": systems or None}
        named = [name for name, value in others.items() if value is not None]
        if named:
            raise InputError(f"{named[0]}: a csig.Comparison has its own already")
        return of_comparisons(list(inputs))  # type: ignore[arg-type]
    return of_scores(
        inputs,
        systems,
        ids=columns["id"],
        clusters=columns["cluster"],
        gold=columns["gold"],
        positive=given["positive"],
        allow_missing=bool(reading.get("allow_missing")),
    )


def compare(
    *inputs: object,
    systems: str | Sequence[str] = (),
    metric: str | Metric | Iterable[str | Metric] = (),
    baseline: str | None = None,
    id: object = None,
    cluster: object = None,
    gold: object = None,
    positive: str | None = None,
    unit: str | None = None,
    by: str | None = None,
    lower_is_better: bool | None = None,
    alternative: Alternative = "two-sided",
    method: Method = "auto",
    statistic: Statistic = "auto",
    n_resamples: int | None = None,
    decide: bool = False,
    risk: float | None = None,
    rng: streams.Seed = None,
    bit_generator: str | None = None,
    threads: int | None = None,
    zero_division: Literal[0, 1] = 0,
    alpha: float = 0.05,
    pvalue_confidence: float = 0.99,
    interval: IntervalMethod = "auto",
    confidence_level: float = 0.95,
    paired_runs: bool = False,
    sensitivity: bool = True,
    executor: Executor | None = None,
    progress: Callable[[int, int], object] | bool | None = None,
    **reading: Unpack[ReadOptions],
) -> Compared:
    """Compare systems: every one with the first, by all metrics, with all that is to be said.

    Parameters
    ----------
    *inputs
        What holds the scores, one of:

        - files, as ``csig compare`` takes them: the gold and the systems, one table, or one file
          per system;
        - a data frame (pandas, polars, pyarrow and others) with one row per unit;
        - scores: a mapping {name: scores} or {name: {id: score}}, or the scores of each system;
        - comparisons (:class:`csig.Comparison`) of several systems, A of each, with the same
          baseline, B of each.
    systems : str or sequence of str
        The columns, or systems, to take, in this order; of scores without names their names. By
        default all.
    metric : str, Metric, or several of them
        By default those that suit the data.
    baseline : str, optional
        The system that the others are compared with; by default the first.
    id, cluster, gold : str or sequence, optional
        Of a table or frame the columns with the ids of the units, with the clusters that are
        swapped whole, and with the gold labels; of scores one label per unit, or for clusters and
        gold {id: label}.
    positive : str, optional
        The positive class, for labels.
    unit : str, optional
        The unit to swap; by default the largest known.
    by : str, optional
        A label, field or column that divides the data into parts: see `Compared.breakdown`.
    lower_is_better : bool, optional
        Which scores are better; by default lower where a name says so (wer, loss, ...).
    alternative : {"two-sided", "greater", "less"}
        "greater" asks whether the others are better than the baseline, "less" whether they are
        worse.
    method, n_resamples, threads, zero_division, pvalue_confidence, executor, progress
        As for :func:`csig.randomization_test`.
    statistic : {"auto", "difference", "studentized"}
        Whether the metric itself differs, or whether the systems are interchangeable, as the paper
        asks: see :func:`csig.randomization_test`. "auto" asks for the metric itself, but with
        method "yeh2000"; `ComparedResult.test.studentized.plain`
        is the other test.
    decide : bool
        Whether to draw shuffles until it is settled on which side of `alpha` p lies; `n_resamples`
        is then the most.
    risk : float, optional
        With `decide`: the probability of a wrong verdict, by default 1e-6.
    rng : None, int, SeedSequence, BitGenerator or Generator
        The seed, of one integer; with None a new one, which the result names.
    bit_generator : str, optional
        "PCG64DXSM" (default), "PCG64", "Philox", "SFC64", "MT19937".
    alpha : float
        The significance level of the verdicts.
    interval : {"auto", "inverted", "linearized", "bca", "percentile", "basic", "studentized", \
"none"}
        The intervals of the differences. "auto" takes the inverted one for means of scores that
        are not all 0 or 1, which excludes 0 exactly where the two-sided p-value is at most 1 -
        `confidence_level`, and the linearized one for everything else; where the first cannot be
        given the linearized one stands in its place, and `Interval.instead` says why.
    confidence_level : float
        The share of test sets whose interval should hold the true difference.
    paired_runs : bool
        Whether runs of the same name belong together.
    sensitivity : bool
        Whether to test with every unit that is known, to show how much depends on it.
    **reading
        How files are read: the other keywords of :func:`csig.read`.

    Returns
    -------
    Compared
        A mapping {metric: result} of two systems, {(system, metric): result} of more. In every
        result the difference is the system's score minus the baseline's.

    Warns
    -----
    DataWarning
        Once for every doubt about the data, which `Compared.doubts` has as well.

    Raises
    ------
    InputError
        For anything that cannot be used, in one line with the way out.

    Notes
    -----
    The numbers are those of ``csig compare`` with the same files, options and seed. With several
    systems p-values are adjusted for their number by Holm's method, separately for each metric.

    References
    ----------
    Yeh, A. (2000). More accurate tests for the statistical significance of result
    differences. COLING.

    Examples
    --------
    >>> import csig
    >>> scores = {
    ...     "base": {"q1": 0.2, "q2": 0.5, "q3": 0.5, "q4": 0.2, "q5": 0.5, "q6": 0.7, "q7": 0.5},
    ...     "new": {"q1": 0.4, "q2": 0.7, "q3": 0.7, "q4": 0.4, "q5": 0.7, "q6": 0.9, "q7": 0.7},
    ... }
    >>> found = csig.compare(scores)
    >>> found
    <Compared new - base, mean: p = 0.0156>
    >>> result = found["mean"]
    >>> round(result.difference, 9), result.pvalue, result.better
    (0.2, 0.015625, 'new')
    >>> print(found.summary().splitlines()[0])
    new beats base on the mean.
    """
    given = {**locals()}  # every parameter
    for name in reading:
        if name not in ReadOptions.__annotations__:
            meant = {"seed": "rng", "resamples": "n_resamples", "gold_column": "gold"}
            known = [*given, *ReadOptions.__annotations__]
            raise no_argument("csig.compare", name, known, {**meant, "system": "systems"})
    if reading.pop("higher_is_better", False):
        given["lower_is_better"] = False
    with in_python():
        options = _options(given)
        report = gather(
            _data(inputs, options.metrics, given, reading),
            options,
            executor=check_executor(executor),
            watch=lambda: shown(progress),
        )
    found = Compared(report)
    for doubt in dict.fromkeys(found.doubts):
        warnings.warn(doubt, DataWarning, stacklevel=2)
    return found


def _options(given: Mapping[str, Any]) -> Options:
    """The options of the test, checked."""
    check_alternative(given["alternative"])
    check_zero_division(given["zero_division"])
    one_of("method", given["method"], METHODS)
    one_of("statistic", given["statistic"], STATISTICS)
    one_of("interval", given["interval"], get_args(IntervalMethod))
    for name in ("alpha", "pvalue_confidence", "confidence_level"):
        between(name, given[name])
    decide, risk, n_resamples = given["decide"], given["risk"], given["n_resamples"]
    if risk is not None and not decide:
        raise InputError("risk goes with decide=True")
    papers = given["method"] == "yeh2000"
    if papers and (decide or n_resamples not in (None, defaults.YEH_RESAMPLES)):
        raise InputError(f"method 'yeh2000' always draws {defaults.YEH_RESAMPLES} shuffles")
    if papers and given["unit"] not in (None, "response"):
        raise InputError("unit: method 'yeh2000' is the paper's, for responses")
    if n_resamples is None:
        n_resamples = defaults.MOST_RESAMPLES if decide else defaults.YEH_RESAMPLES
    seed, generator = _seed(given["rng"], given["bit_generator"])
    risk = defaults.RISK if risk is None else between("risk", risk, 0, 0.5)
    own = {
        "metrics": _several("metric", given["metric"], (str, Metric), "names or csig.Metrics"),
        "n_resamples": positive("n_resamples", n_resamples, 2**48),
        "seed": seed,
        "bit_generator": generator,
        "risk": risk if decide else None,
        "sensitivity": bool(given["sensitivity"]) and not papers,
    }
    same = {own.name: given[own.name] for own in fields(Options) if own.name in given}
    return Options(**same | own)
