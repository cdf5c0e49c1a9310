"""The same test on every part of the data: one row per label, topic or relation type.

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
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from csig import streams
from csig.comparison import Comparison
from csig.data.responses import UniqueResponses, typed
from csig.data.units import labels_of, ordered, text
from csig.defaults import YEH_RESAMPLES
from csig.dependence import correlation
from csig.engines.answers import results_of, with_plain
from csig.engines.base import Counts
from csig.engines.exact import exactly
from csig.engines.pool import Progress
from csig.engines.questions import GIVEN, Question, StudentizedQuestion, moving
from csig.engines.shuffle import Joint
from csig.engines.tasks import EXACT_BUDGET, Task, make_task, warn_of_slow
from csig.errors import InputError
from csig.metrics import Metric, get_all
from csig.probability.holm import Corrected, holm
from csig.progress import shown
from csig.results import RandomizationResult
from csig.shown import Shown
from csig.validation import Alternative, Method, Statistic, instance
from csig.wording import first_few

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from numpy.typing import NDArray

__all__ = ["Breakdown", "Part", "breakdown", "joint_places"]

#: Parts of one breakdown.
PARTS = 200

#: Cells of the joint table of differences, 1 GB.
CELLS = 2**27


# ---- results -------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Part:
    """One part of the data."""

    label: Hashable  #: Its key in ``parts``.
    n_units: int  #: Units that differ and were swapped.
    n_total: int  #: Units with and without a difference; for responses, those that any system gave.
    #: The correlation of the systems' results in this part (:func:`csig.correlation`); NaN if it is
    #: not defined or the results on single items are unknown.
    r12: float
    #: With the scores, the p-value, and whether anything was divided by zero, as in a part without
    #: gold.
    results: dict[str, RandomizationResult]
    #: adjusted, log_adjusted: the p-value after Holm's correction over the parts, and its
    #: logarithm, which is finite where the p-value underflows.
    adjusted: dict[str, float]
    log_adjusted: dict[str, float]

    @property
    def score_a(self) -> dict[str, float]:
        """A's score by every metric."""
        return {name: result.score_a for name, result in self.results.items()}

    @property
    def score_b(self) -> dict[str, float]:
        """B's score by every metric."""
        return {name: result.score_b for name, result in self.results.items()}

    @property
    def zero_denominator(self) -> bool:
        """Whether a score, observed or in any possible shuffle, divides by zero."""
        return any(result.zero_denominator for result in self.results.values())


@dataclass(frozen=True, repr=False)
class Breakdown(Shown, Mapping[Hashable, Part]):
    """The results of all parts: a mapping {label: Part} in the order in which they were given."""

    parts: tuple[Part, ...]

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

    def corrected(self, metric: str, alpha: float = 0.05) -> list[Corrected[RandomizationResult]]:
        """Every part's result by a metric, Holm-corrected (:func:`csig.holm`)."""
        return holm({part.label: part.results[metric] for part in self.parts}, alpha)

    @property
    def median_r12(self) -> float:
        """The median of the parts' correlations that are defined; NaN if none is."""
        known = [part.r12 for part in self.parts if not math.isnan(part.r12)]
        return statistics.median(known) if known else math.nan


# ---- validation ----------------------------------------------------------------------------


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
                f"several parts; give ids="
            )
    return dict(parts)


# ---- units of all parts --------------------------------------------------------------------


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
        return [
            response if source.of_key is None else (source.of_key[i], response)
            for i, response in enumerate(source.responses)
        ]
    return [_Unnamed(label, i) for i in range(part.n_units)]  # counts name no responses


@dataclass(frozen=True)
class _Unnamed:
    """A response that is only counted: it is assumed to be in no other part."""

    label: Hashable
    number: int


def _correct(part: Comparison) -> NDArray[np.bool_]:
    """Which of a part's unique responses are correct, in the order of their ids."""
    if isinstance(part._source, UniqueResponses):
        return part._source.correct
    return np.arange(part.n_units) < part.responses[0].size


def _in_order(ids: Mapping[Hashable, list[Hashable]]) -> list[Hashable]:
    """The units of all parts, each once, in the order in which they take random words."""
    found = list(dict.fromkeys(itertools.chain.from_iterable(ids.values())))
    return [found[i] for i in ordered(found, "parts: units")]


def _responses_in_order(
    ids: Mapping[Hashable, list[Hashable]], parts: Mapping[Hashable, Comparison]
) -> list[Hashable]:
    """The same for responses: the correct ones first, by their texts."""
    correct: dict[Hashable, bool] = {}
    for label, own in ids.items():
        for response, right in zip(own, _correct(parts[label]).tolist(), strict=True):
            if correct.setdefault(response, right) != right:
                raise InputError(
                    f"parts[{label!r}]: response {response!r} is "
                    f"{'correct' if right else 'spurious'}, but not in another part; all parts "
                    f"must have the same gold"
                )

    def key(response: Hashable) -> tuple[bool, bool, str, str]:
        if isinstance(response, _Unnamed):  # those of a part are all alike
            return not correct[response], False, text(response.label), ""
        return not correct[response], True, text(response), typed(response)

    keys = {response: key(response) for response in correct}
    order = sorted(correct, key=keys.__getitem__)
    for one, other in itertools.pairwise(order):
        if keys[one] == keys[other] and not isinstance(one, _Unnamed):
            raise InputError(
                f"parts: responses {one!r} and {other!r} have the same text, by which they are "
                f"ordered"
            )
    return order


def joint_places(parts: Mapping[Hashable, Comparison]) -> dict[Hashable, NDArray[np.intp]]:
    """Where every part's units that differ stand among those of all parts.

    Parameters
    ----------
    parts : mapping {label: Comparison}
        As for :func:`breakdown`.

    Returns
    -------
    mapping {label: array of int}
        In the order in which units take random words; a unit of several parts has one place.
    """
    ids = {label: _ids(label, part) for label, part in parts.items()}
    by_response = next(iter(parts.values())).units is None
    units = _responses_in_order(ids, parts) if by_response else _in_order(ids)
    place = {unit: i for i, unit in enumerate(units)}
    return {
        label: np.array([place[unit] for unit in own], dtype=np.intp) for label, own in ids.items()
    }


def _joint(
    parts: Mapping[Hashable, Comparison], asked: Sequence[tuple[Hashable, Question]]
) -> Joint:
    """The units of all parts, and what the questions read of them."""
    places = joint_places(parts)
    pieces: list[tuple[NDArray[np.intp], NDArray[np.int64]]] = []
    width = 0

    def numbered(label: Hashable, taken: NDArray[np.int64]) -> list[int]:
        """The columns that a part's units get in the table."""
        nonlocal width
        pieces.append((places[label], taken))
        width += taken.shape[1]
        return [*range(width - taken.shape[1], width)]

    own = {
        label: numbered(label, _taken(parts[label]))
        for label in dict.fromkeys(label for label, _ in asked)
    }
    views: list[list[int]] = []
    alone: list[int] = []
    for label, question in asked:
        more = question.columns if isinstance(question, StudentizedQuestion) else None
        beside = [] if more is None else numbered(label, more)
        views.append(own[label] + beside)
        alone += beside
    n = 1 + max((int(place.max(initial=-1)) for place in places.values()), default=-1)
    if n * width > CELLS:
        raise InputError(
            f"parts: {n} units that differ and {width} columns of all parts make a table "
            f"of more than {CELLS} cells; test fewer parts at once"
        )
    table = np.zeros((n, width), dtype=np.int64)
    start = 0
    for place, taken in pieces:
        table[place, start : start + taken.shape[1]] = taken
        start += taken.shape[1]
    return Joint(table, views, alone)


def _taken(part: Comparison) -> NDArray[np.int64]:
    """What a part's units take from the block of sums."""
    if part.units is None:
        return GIVEN[np.where(_correct(part), 0, 1)]
    return part.units.differences[:, moving(part.units)]


# ---- the public function -------------------------------------------------------------------


def breakdown(
    parts: Mapping[Hashable, Comparison],
    metric: str | Metric | Iterable[str | Metric],
    *,
    alternative: Alternative = "two-sided",
    method: Method = "auto",
    statistic: Statistic = "difference",
    n_resamples: int = YEH_RESAMPLES,
    rng: streams.Seed = None,
    bit_generator: str | streams.Factory | None = None,
    threads: int | None = None,
    zero_division: int = 0,
    confidence_level: float = 0.99,
    exact_budget: int = EXACT_BUDGET,
    executor: Executor | None = None,
    progress: Progress | bool | None = None,
) -> Breakdown:
    """Test two systems on every part of the data, all from the same shuffles.

    Parameters
    ----------
    parts : mapping {label: Comparison}
        At most 200 parts, by the label of each: the responses of every entity type, the
        questions of every topic. All must compare the same systems by the same unit. Units
        with the same id are the same unit: a sentence that has responses of two types is
        swapped in both parts at once.
    metric : str, Metric, or several of them
        What to test in each.
    alternative, statistic, n_resamples, bit_generator, threads, confidence_level, executor, \
progress
        As in :func:`csig.randomization_test`.
    method : {"auto", "exact", "approximate"}
        "auto" is exact wherever that fits ``exact_budget``, part by part and metric by metric.
    rng : None, int, sequence of int, SeedSequence, BitGenerator or Generator
        The seed. To reproduce an approximate result, all parts are needed again.
    zero_division : {0, 1}
        The score where the denominator is zero, as in a part without gold.
    exact_budget : int
        Steps that "auto" allows the exact engine, for each part and metric.

    Returns
    -------
    Breakdown
        A mapping {label: Part}. No number depends on the order of the parts.

    Raises
    ------
    InputError
        For anything that cannot be used: units without ids (nothing would identify the same unit
        in two parts), parts by different units, more than 200 parts, or parts and units that make
        a table of more than 2^27 cells if shuffles are needed.

    Notes
    -----
    An exact p-value of a part is that of :func:`csig.randomization_test` on it, because units
    without a difference there do not matter. Shuffles are drawn once: the units that take
    random words are those that differ in any part, in the order of their ids, so that the
    hits of one part agree with those of ``randomization_test`` on it only if all these units
    differ in it, too. Every part keeps its own scale for scores that are not integers, and its own
    band of ties.

    If single responses are swapped, those that are unique to one system take the words, the
    correct ones first, then by their texts; a response that is in several parts is one unit. Those
    of ``Comparison.from_counts`` have no names and count as different in every part. Each part has
    its own conflict groups: responses of different parts that exclude each other are not swapped
    together, as they would be in the complete data.

    The adjusted p-values are Holm's over all parts, including those without a difference
    (p = 1), separately for each metric. They hold however the parts depend on each other.

    References
    ----------
    Yeh, A. (2000). More accurate tests for the statistical significance of result
    differences. COLING.

    Holm, S. (1979). A simple sequentially rejective multiple test procedure. Scandinavian
    Journal of Statistics 6.

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
    >>> found = csig.breakdown({"PER": part(lambda r: r not in places),
    ...                         "LOC": part(lambda r: r in places)}, "recall")
    >>> for label, part in found.items():
    ...     result = part.results["recall"]
    ...     print(label, part.n_units, round(result.statistic, 3), result.pvalue,
    ...           part.adjusted["recall"])
    PER 1 0.667 1.0 1.0
    LOC 2 0.0 1.0 1.0
    """
    found = _checked_parts(parts)
    if method == "yeh2000":
        raise InputError(
            "method 'yeh2000', with its second run and sign test, is for one comparison; use "
            "'auto', or csig.randomization_test on each part"
        )
    if not isinstance(metric, (str, Metric)) and isinstance(metric, Iterable):
        metric = list(metric)  # it is iterated once per part
    task = make_task(
        next(iter(found.values())), alternative=alternative, method=method,
        n_resamples=n_resamples, rng=rng, bit_generator=bit_generator, threads=threads,
        zero_division=zero_division, confidence_level=confidence_level,
        exact_budget=exact_budget, executor=executor, statistic=statistic,
    )  # fmt: skip
    with shown(progress) as notify:
        tests = [_Test(label, replace(task, comparison=part, notify=notify), metric)
                 for label, part in found.items()]  # fmt: skip
        asked = [(test.label, question) for test in tests for question in test.shuffled]
        counts = _shuffle(replace(task, notify=notify), found, asked) if asked else {}
    return Breakdown(_corrected([test.row(counts) for test in tests]))


class _Test:
    """One part's questions, and the exact answers to some of them."""

    def __init__(
        self, label: Hashable, task: Task, metric: str | Metric | Iterable[str | Metric]
    ) -> None:
        self.label = label
        self.task = task
        try:
            wanted = get_all(metric, task.comparison.columns)
            questions = with_plain([task.question(m) for m in wanted])
            self.answers = {question: exactly(task, question) for question in questions}
        except InputError as error:
            raise InputError(f"parts[{label!r}]: {error}") from None

    @property
    def shuffled(self) -> list[Question]:
        """The questions that only shuffles can answer."""
        return [question for question, answer in self.answers.items() if answer.found is None]

    def row(self, counts: Mapping[Question, Counts]) -> Part:
        """The part's results, not yet corrected."""
        comparison = self.task.comparison
        return Part(
            label=self.label,
            n_units=comparison.n_units,
            n_total=_total(comparison),
            r12=_correlation(comparison),
            results=results_of(self.task, self.answers, counts),
            adjusted={},
            log_adjusted={},
        )


def _shuffle(
    task: Task, parts: Mapping[Hashable, Comparison], asked: Sequence[tuple[Hashable, Question]]
) -> dict[Question, Counts]:
    questions = [question for _, question in asked]
    warn_of_slow(questions, task.n_resamples)
    return task.draw(0, questions, task.notify, joint=_joint(parts, asked)).counts


def _total(comparison: Comparison) -> int:
    if comparison.units is not None:
        return comparison.units.n_total
    predicted = comparison.columns.index("predicted")
    only_a = sum(group.only_a for group in comparison.responses)
    return comparison.sums_a[predicted] - only_a + comparison.n_units


def _correlation(comparison: Comparison) -> float:
    try:
        return correlation(comparison)
    except InputError:  # the results on single items are not known
        return math.nan


def _corrected(rows: Sequence[Part]) -> tuple[Part, ...]:
    """Holm's correction over the parts, separately for each metric."""
    found = {m: holm({row.label: row.results[m] for row in rows}) for m in rows[0].results}
    return tuple(
        replace(
            row,
            adjusted={metric: own[i].adjusted for metric, own in found.items()},
            log_adjusted={metric: own[i].log_adjusted for metric, own in found.items()},
        )
        for i, row in enumerate(rows)
    )
