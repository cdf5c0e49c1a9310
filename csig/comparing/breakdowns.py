"""The same test on every part of the data, and with every unit that can be swapped.

Yeh (2000, section 3.3) compares two systems on ten types of relations. The parts are tested
on the same shuffles: a sentence with persons and places is one unit, swapped in both parts
at once. Holm's correction then allows for the number of parts.
"""

from __future__ import annotations

import itertools
import math
import statistics
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar, Unpack, overload

import numpy as np
from numpy.random import SeedSequence

from csig import streams
from csig.base.errors import InputError, NoInterval
from csig.base.progress import shown
from csig.base.shown import Shown, ShownRows, ShownTuple
from csig.base.validation import Alternative, Method, Statistic, instance, no_argument, public
from csig.base.wording import documented, first_few, noun, pvalue
from csig.classical.independent import correlation
from csig.classical.paired import TestResult
from csig.comparing.intervals import linearized_interval
from csig.comparing.randomization import RandomizationOptions, randomization_test
from csig.data.comparison import Comparison
from csig.data.metrics import Metric, get_all
from csig.data.responses import UniqueResponses, typed
from csig.data.units import labels_of, ordered, text
from csig.engines.base import Counts
from csig.engines.exact import exactly, results_of, with_plain
from csig.engines.pool import Progress
from csig.engines.questions import GIVEN, Question, StudentizedQuestion, moving
from csig.engines.shuffle import Joint
from csig.engines.tasks import EXACT_BUDGET, make_task, warn_of_slow
from csig.probability.alike import alike
from csig.probability.corrections import Corrected, holm
from csig.results.randomization import RandomizationResult, Results

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from numpy.typing import NDArray

#: Parts of one breakdown.
PARTS = 200

#: Cells of the joint table of differences, 1 GB.
CELLS = 2**27


@dataclass(frozen=True, kw_only=True)
class Part(ShownRows, report="csig.comparing.report"):
    """One part of the data."""

    label: Hashable  #: Its key in ``parts``.
    n_units: int  #: Units that differ and were swapped.
    n_total: int  #: Units with and without a difference; for responses, those that any system gave.
    #: The correlation of the systems' results in this part (:func:`csig.classical.correlation`);
    #: NaN if it is not defined or the results on single items are unknown.
    r12: float
    #: With the scores, the p-value, and whether anything was divided by zero, as in a part without
    #: gold.
    results: dict[str, RandomizationResult]
    #: adjusted_pvalues, log_adjusted_pvalues: the p-value after Holm's correction over the parts,
    #: and its logarithm, which is finite where the p-value underflows.
    adjusted_pvalues: dict[str, float]
    log_adjusted_pvalues: dict[str, float]

    def _rows(self) -> list[dict[str, Any]]:
        own = {name: getattr(self, name) for name in ("label", "n_units", "n_total", "r12")}
        return [
            {
                **own, "metric": metric, "score_a": result.score_a, "score_b": result.score_b,
                "difference": result.statistic, "pvalue": result.pvalue,
                "adjusted_pvalue": self.adjusted_pvalues[metric],
            }
            for metric, result in self.results.items()
        ]  # fmt: skip


@dataclass(frozen=True, repr=False)
class Breakdown(Shown, Mapping[Hashable, Part], report="csig.comparing.report"):
    """The results of all parts: a mapping {label: Part} in the order in which they were given."""

    parts: ShownTuple[Part]

    def _line(self) -> str:
        found = [
            f"{metric}: {sum(row.significant for row in self.corrected(metric))} of "
            f"{len(self)} parts significant"
            for metric in self.metrics
        ]
        return ", ".join(found)

    def __getitem__(self, label: Hashable) -> Part:
        for part in self.parts:
            if part.label == label:
                return part
        raise KeyError(label)

    def __iter__(self) -> Iterator[Hashable]:
        return (part.label for part in self.parts)

    def __len__(self) -> int:
        return len(self.parts)

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics' names."""
        return tuple(self.parts[0].results)

    def corrected(
        self, metric: str, alpha: float = 0.05
    ) -> ShownTuple[Corrected[RandomizationResult]]:
        """Every part's result by a metric, Holm-corrected (:func:`csig.classical.holm`)."""
        return holm({part.label: part.results[metric] for part in self.parts}, alpha)

    @property
    def median_r12(self) -> float:
        """The median of the parts' correlations that are defined; NaN if none is."""
        known = [part.r12 for part in self.parts if not math.isnan(part.r12)]
        return statistics.median(known) if known else math.nan


@dataclass(frozen=True)
class _Unnamed:
    """A response that is only counted: it is assumed to be in no other part."""

    label: Hashable
    number: int


def _ids(label: Hashable, part: Comparison) -> list[Hashable]:
    """What tells a part's units from those of other parts, in the part's own order."""
    if part.units is not None:
        ids = list(part.units.ids or ())
        if len(set(ids)) < len(ids):  # conflict groups with the same least text
            doubled = [unit for unit, times in Counter(ids).items() if times > 1]
            raise InputError(f"parts[{label!r}]: several units have the id {first_few(doubled)}")
        return ids
    source = part._source
    if isinstance(source, UniqueResponses):
        keys = source.of_key
        return list(source.responses if keys is None else zip(keys, source.responses, strict=True))
    return [_Unnamed(label, i) for i in range(part.n_units)]  # counts name no responses


def _correct(part: Comparison) -> NDArray[np.bool_]:
    """Which of a part's unique responses are correct, in the order of their ids."""
    if isinstance(part._source, UniqueResponses):
        return part._source.correct
    return np.arange(part.n_units) < part.responses[0].size


def _responses_in_order(
    ids: Mapping[Hashable, list[Hashable]], parts: Mapping[Hashable, Comparison]
) -> list[Hashable]:
    """The responses of all parts, each once: the correct ones first, by their texts."""
    correct: dict[Hashable, bool] = {}
    for label, own in ids.items():
        for response, right in zip(own, _correct(parts[label]).tolist(), strict=True):
            if correct.setdefault(response, right) != right:
                raise InputError(
                    f"parts[{label!r}]: response {response!r} is "
                    f"{'correct' if right else 'spurious'}, but not in another part; all parts "
                    f"must have the same gold"
                )
    keys: dict[Hashable, tuple[bool, bool, str, str]] = {}
    for response, right in correct.items():
        if isinstance(response, _Unnamed):  # those of a part are all alike
            keys[response] = (not right, False, text(response.label), "")
        else:
            keys[response] = (not right, True, text(response), typed(response))
    order = sorted(correct, key=keys.__getitem__)
    for one, other in itertools.pairwise(order):
        if keys[one] == keys[other] and not isinstance(one, _Unnamed):
            raise InputError(
                f"parts: responses {one!r} and {other!r} have the same text, by which they are "
                f"ordered"
            )
    return order


def joint_places(parts: Mapping[Hashable, Comparison]) -> dict[Hashable, NDArray[np.intp]]:
    """Where every part's units that differ stand among those of all parts, in the order in which
    units take random words; a unit of several parts has one place.
    """
    ids = {label: _ids(label, part) for label, part in parts.items()}
    if next(iter(parts.values())).units is None:
        units = _responses_in_order(ids, parts)
    else:
        found = list(dict.fromkeys(itertools.chain.from_iterable(ids.values())))
        units = [found[i] for i in ordered(found, "parts: units")]
    place = {unit: i for i, unit in enumerate(units)}
    return {
        label: np.array([place[unit] for unit in own], dtype=np.intp) for label, own in ids.items()
    }


def _joint(
    parts: Mapping[Hashable, Comparison], asked: Sequence[tuple[Hashable, Question]]
) -> Joint:
    """The units of all parts, and what the questions read of them."""
    places = joint_places(parts)
    # Those of the table, and whose units they have.
    columns: list[tuple[Hashable, NDArray[np.int64]]] = []

    def added(label: Hashable, table: NDArray[np.int64]) -> list[int]:
        """The places of further columns."""
        columns.extend((label, column) for column in table.T)
        return [*range(len(columns) - table.shape[1], len(columns))]

    own = {}
    for label in dict.fromkeys(label for label, _ in asked):
        units = parts[label].units
        if units is None:
            own[label] = added(label, GIVEN[np.where(_correct(parts[label]), 0, 1)])
        else:
            own[label] = added(label, units.differences[:, moving(units)])
    views: list[list[int]] = []
    alone: list[int] = []
    for label, question in asked:
        more = question.columns if isinstance(question, StudentizedQuestion) else None
        beside = [] if more is None else added(label, more)
        views.append(own[label] + beside)
        alone += beside
    n = 1 + max((int(place.max(initial=-1)) for place in places.values()), default=-1)
    if n * len(columns) > CELLS:
        raise InputError(
            f"parts: {n} units that differ and {len(columns)} columns of all parts make a table "
            f"of more than {CELLS} cells; test fewer parts at once"
        )
    table = np.zeros((n, len(columns)), dtype=np.int64)
    for i, (label, column) in enumerate(columns):
        table[places[label], i] = column
    return Joint(table, views, alone)


def _checked_parts(parts: object) -> dict[Hashable, Comparison]:
    """Comparisons of the same systems by the same unit, by label."""
    if not isinstance(parts, Mapping):
        raise InputError(f"parts must be {{label: Comparison}}, found {type(parts).__name__}")
    if not parts:
        raise InputError("parts: an empty mapping has nothing to test")
    if len(parts) > PARTS:
        raise InputError(f"parts: at most {PARTS} are possible, found {len(parts)}")
    labels = labels_of("parts", list(parts), len(parts))
    ordered(labels, "parts")  # refuses labels that look the same
    first = labels[0]
    for label, part in parts.items():
        instance(f"parts[{label!r}]", part, Comparison)
        for what in ("unit", "names"):
            own, expected = getattr(part, what), getattr(parts[first], what)
            if own != expected:
                raise InputError(
                    f"parts[{label!r}] has the {what} {own!r}, but parts[{first!r}] has "
                    f"{expected!r}; all must have the same"
                )
        if part.units is not None and part.units.ids is None and part.n_units:
            raise InputError(
                f"parts[{label!r}]: its units have no ids, which identify the same unit in "
                f"several parts; give id="
            )
    return dict(parts)


@public("csig.effects")
@documented
def breakdown(
    parts: Mapping[Hashable, Comparison],
    metric: str | Metric | Iterable[str | Metric],
    *,
    alternative: Alternative = "two-sided",
    method: Method = "auto",
    statistic: Statistic = "difference",
    n_resamples: int | None = None,
    rng: streams.Seed = None,
    bit_generator: str | streams.Factory | None = None,
    threads: int | None = None,
    zero_division: int = 0,
    pvalue_confidence: float = 0.99,
    exact_budget: int = EXACT_BUDGET,
    executor: Executor | None = None,
    progress: Progress | bool | None = None,
) -> Breakdown:
    """Test two systems on every part of the data, all from the same shuffles.

    Parameters
    ----------
    parts : mapping {label: Comparison}
        At most 200 parts, by the label of each: the responses of every entity type, the
        questions of every topic. All must compare the same systems by the same unit, which needs
        ids. Units with the same id are the same unit: a sentence that has responses of two types
        is swapped in both parts at once.
    metric : str, Metric, or several of them
        What to test in each.
    alternative, statistic, n_resamples, rng, bit_generator, threads, pvalue_confidence, executor, \
progress
        As in :func:`csig.randomization_test`. To reproduce an approximate result, all parts are
        needed again.
    method : {"auto", "exact", "approximate"}
        "auto" is exact wherever that fits ``exact_budget``, part by part and metric by metric.
    zero_division : {0, 1}
        The score where the denominator is zero, as in a part without gold.
    exact_budget : int
        Steps that "auto" allows the exact engine, for each part and metric.

    Returns
    -------
    Breakdown
        A mapping {label: Part}. No number depends on the order of the parts.

    Notes
    -----
    An exact p-value of a part is that of :func:`csig.randomization_test` on it, because units
    without a difference there do not matter. Shuffles are drawn once: the units that take random
    words are those that differ in any part (docs/streams.md), so that hits agree with those of
    ``randomization_test`` on the part only if all of them differ in it. A response that is in
    several parts is one unit; those of ``Comparison.from_counts`` have no names and count as
    different in every part.

    The adjusted p-values are Holm's over all parts, including those without a difference
    (p = 1), separately for each metric. They hold however the parts depend on each other
    (docs/theory.md).

    Examples
    --------
    >>> import csig
    >>> gold = {"s1": ["Ann", "Rome"], "s2": ["Bob", "Kim"], "s3": ["Oslo"]}
    >>> a = {"s1": ["Ann", "Rome"], "s2": ["Bob", "Kim"], "s3": []}
    >>> b = {"s1": ["Ann"], "s2": ["Bo"], "s3": ["Oslo"]}
    >>> places = {"Rome", "Oslo"}
    >>> def part(wanted):
    ...     return csig.Comparison.from_responses(*({key: [r for r in found if wanted(r)]
    ...         for key, found in side.items()} for side in (gold, a, b)), unit="key")
    >>> found = csig.effects.breakdown({"PER": part(lambda r: r not in places),
    ...                         "LOC": part(lambda r: r in places)}, "recall")
    >>> for label, part in found.items():
    ...     result = part.results["recall"]
    ...     print(label, part.n_units, round(result.statistic, 3), result.pvalue,
    ...           part.adjusted_pvalues["recall"])
    PER 1 0.667 1.0 1.0
    LOC 2 0.0 1.0 1.0
    """
    checked = _checked_parts(parts)
    if method == "yeh2000":
        raise InputError(
            "method 'yeh2000', with its second run and sign test, is for one comparison; use "
            "'auto', or csig.randomization_test on each part"
        )
    if not isinstance(metric, (str, Metric)) and isinstance(metric, Iterable):
        metric = list(metric)  # it is iterated once per part
    task = make_task(
        next(iter(checked.values())), alternative=alternative, method=method,
        n_resamples=n_resamples, rng=rng, bit_generator=bit_generator, threads=threads,
        zero_division=zero_division, pvalue_confidence=pvalue_confidence,
        exact_budget=exact_budget, executor=executor, statistic=statistic,
    )  # fmt: skip
    with shown(progress) as notify:
        tasks = {
            own: replace(task, comparison=part, notify=notify) for own, part in checked.items()
        }
        answers, asked = {}, []
        for label, own_task in tasks.items():
            try:
                wanted = get_all(metric, own_task.comparison.columns)
                questions = with_plain([own_task.question(m) for m in wanted])
                answers[label] = {question: exactly(own_task, question) for question in questions}
            except InputError as error:
                raise InputError(f"parts[{label!r}]: {error}") from None
            shuffled = [own for own, answer in answers[label].items() if answer.found is None]
            asked += [(label, question) for question in shuffled]
        counts: Mapping[Question, Counts] = {}
        if asked:
            questions = [question for _, question in asked]
            warn_of_slow(questions, task.n_resamples)
            counts = task.draw(0, questions, notify, joint=_joint(checked, asked)).counts
    results = {label: results_of(own, answers[label], counts) for label, own in tasks.items()}
    names = results[next(iter(results))]
    corrected = {m: holm({label: own[m] for label, own in results.items()}) for m in names}
    rows = []
    for i, (label, comparison) in enumerate(checked.items()):
        r12 = math.nan
        with suppress(InputError):  # the results on single items are not known
            r12 = correlation(comparison)
        if comparison.units is not None:
            total = comparison.units.n_total
        else:
            only_a = sum(group.only_a for group in comparison.responses)
            total = comparison.sums("a")["predicted"] - only_a + comparison.n_units
        rows.append(
            Part(
                label=label,
                n_units=comparison.n_units,
                n_total=total,
                r12=r12,
                results=results[label],
                adjusted_pvalues={m: own[i].adjusted_pvalue for m, own in corrected.items()},
                log_adjusted_pvalues={
                    m: own[i].log_adjusted_pvalue for m, own in corrected.items()
                },
            )
        )
    return Breakdown(ShownTuple(rows))


@public("csig.effects")
@documented
def heterogeneity(
    parts: Mapping[Hashable, Comparison], metric: str | Metric, *, zero_division: int = 0
) -> TestResult:
    """Test whether the difference of two systems is the same on every part of the data.

    Parameters
    ----------
    parts : mapping {label: Comparison}
        As for :func:`breakdown`, two at least, with no unit in more than one of them.
    %(metric)s
    %(zero_division)s

    Returns
    -------
    TestResult
        Welch's F, its p-value and degrees of freedom; `difference` is the mean of the parts'
        differences, each weighted by its precision, and `parts` has these, by label.

    Raises
    ------
    NoInterval
        A part has fewer than two units, or its units show no spread.

    Notes
    -----
    Cochran's Q (1954), the sum of w_t (d_t - d)^2 with w_t = 1 / SE_t^2 and d the mean of d_t so
    weighted, in Welch's form (1951, *Biometrika* 38:330), which allows for standard errors that are
    estimated from few units. Those are of :func:`csig.intervals.linearized_interval`. A p-value
    above a level does not show that the differences are the same.

    Examples
    --------
    >>> import csig
    >>> def part(name, a, b):
    ...     return csig.Comparison.from_scores(a, b, id=[f"{name}{i}" for i in range(len(a))])
    >>> found = heterogeneity({"arc": part("arc", [3, 4, 4, 6], [2, 4, 3, 5]),
    ...                        "gsm": part("gsm", [5, 9, 8, 7, 9], [1, 4, 5, 3, 3])}, "mean")
    >>> round(found.statistic, 2), round(found.pvalue, 4)
    (41.31, 0.0008)
    """
    from scipy.special import fdtrc

    checked = _checked_parts(parts)
    places = [own for label, part in checked.items() for own in _ids(label, part)]
    if len(checked) < 2:
        raise InputError("parts: found one part, expected two or more")
    if len(set(places)) < len(places):
        raise InputError("parts: some units are in several parts, which are then not independent")
    found = {}
    for label, part in checked.items():
        try:
            own = linearized_interval(part, metric, zero_division=zero_division)
        except NoInterval as error:
            raise NoInterval(f"part {label!r}: {error.why}") from None
        if not own.standard_error:
            raise NoInterval(f"part {label!r}: its {part.unit} units show no spread")
        found[label] = own
    d = np.array([own.estimate for own in found.values()])
    errors = np.array([own.standard_error for own in found.values()], dtype=np.float64)
    freedom = np.array([own.n_units - 1 for own in found.values()])
    weights, k = 1 / errors**2, len(found)
    mean = float(weights @ d / weights.sum())
    unsure = float(((1 - weights / weights.sum()) ** 2 / freedom).sum())
    q = float(weights @ (d - mean) ** 2)
    statistic = q / (k - 1) / (1 + 2 * (k - 2) / (k * k - 1) * unsure)
    df = k - 1, (k * k - 1) / (3 * unsure)
    p = alike(float(fdtrc(*df, statistic)))
    one = next(iter(checked.values()))
    return TestResult(
        test="Welch's F",
        statistic=statistic,
        pvalue=p,
        alternative="two-sided",
        assumes=f"That {noun(one.unit, 2)} of the parts are independent.",
        degrees_of_freedom=df,
        difference=mean,
        details={"parts": {label: own.estimate for label, own in found.items()}},
        names=one.names,
        line=f"differences of {k} parts: F({df[0]}, {df[1]:.1f}) = {statistic:.3g}, "
        f"p = {pvalue(p)}",
    )


T = TypeVar("T")


class Sensitivity(Shown, dict[str, T], report="csig.comparing.report"):
    """The results with every unit: a dictionary ``{unit: result}`` that shows itself."""

    __slots__ = ()

    def _line(self) -> str:
        def short(result: object) -> str:
            if isinstance(result, Mapping):
                return "/".join(short(own) for own in result.values())
            assert isinstance(result, RandomizationResult)
            return pvalue(result.pvalue, result.log_pvalue)

        return "p by unit: " + ", ".join(f"{unit} {short(own)}" for unit, own in self.items())


@overload
def sensitivity(  # type: ignore[overload-overlap]
    comparison: Comparison, metric: str | Metric, **options: Unpack[RandomizationOptions]
) -> Sensitivity[RandomizationResult]: ...


@overload
def sensitivity(
    comparison: Comparison, metric: Iterable[str | Metric], **options: Unpack[RandomizationOptions]
) -> Sensitivity[Results[RandomizationResult]]: ...


@documented
def sensitivity(
    comparison: Comparison,
    metric: str | Metric | Iterable[str | Metric],
    **options: Unpack[RandomizationOptions],
) -> Sensitivity[RandomizationResult] | Sensitivity[Results[RandomizationResult]]:
    """Test a comparison once for every unit that can be swapped.

    Parameters
    ----------
    %(comparison)s
    %(metrics)s
    **options
        Everything else that :func:`csig.randomization_test` takes; the seed is the same for
        every unit. Method "yeh2000" is for responses only and is refused.

    Returns
    -------
    Sensitivity
        A dict ``{unit: result}``, or for several metrics ``{unit: {metric name: result}}``, in the
        order of ``comparison.levels``, finest first.

    Notes
    -----
    Report the last one, that of the largest unit, even if you like another better: outputs that
    are correlated within a unit are then swapped together. Choosing the unit by its p-value means
    testing several times and reporting once. With few large units little can be significant; that
    is all that the data can show, and not a reason to swap smaller units.

    Examples
    --------
    >>> import csig
    >>> comparison = csig.Comparison.from_scores(
    ...     a=[1, 1, 1, 0, 1, 1, 1, 1], b=[0, 0, 0, 0, 1, 1, 0, 0],
    ...     cluster=["x", "x", "x", "y", "y", "y", "z", "z"], cluster_name="story")
    >>> found = csig.effects.sensitivity(comparison, "mean")
    >>> {unit: (result.n_units, result.pvalue) for unit, result in found.items()}
    {'unit': (5, 0.0625), 'story': (2, 0.5)}
    """
    instance("comparison", comparison, Comparison)
    known = RandomizationOptions.__annotations__
    for name in options:
        if name not in known:
            raise no_argument("csig.effects.sensitivity", name, known)
    if options.get("method") == "yeh2000":
        raise InputError("method 'yeh2000' is the paper's, for responses; use 'auto'")
    if not isinstance(metric, (str, Metric)):
        metric = list(metric)  # an iterator is read once
    # One seed for all: a generator would give other words each time, and None new entropy.
    source = streams.make_source(
        options.pop("rng", None),
        options.pop("bit_generator", None),
        allow_bad=options.get("allow_bad_generator", False),
    )
    options["rng"] = SeedSequence(source.entropy, spawn_key=source.spawn_key)
    options["bit_generator"] = source.factory
    found: Sensitivity[Any] = Sensitivity()
    for unit in comparison.levels:
        found[unit] = randomization_test(comparison.at(unit), metric, **options)
    return found
