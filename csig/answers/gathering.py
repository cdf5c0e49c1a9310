"""Read, test, gather: everything about ``csig compare`` but its options and its output."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

from csig._version import __version__
from csig.base.defaults import YEH_RESAMPLES
from csig.base.errors import argument
from csig.base.progress import ProgressBar
from csig.base.shown import ShownTuple
from csig.comparing import estimates
from csig.comparing.options import Options, directions
from csig.comparing.randomization import randomization_test
from csig.comparing.summary import OverTasks, Summary, Systems
from csig.data.comparison import Comparison
from csig.data.metrics import Metric, get
from csig.readers.data import Data, TableData
from csig.readers.forms import read
from csig.readers.reading import Reading, check_two
from csig.readers.request import OptionError, Request
from csig.results.randomization import RandomizationResult

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from csig.advice.base import Recommendation
    from csig.comparing.breakdowns import Breakdown

#: What is called as (done, total).
Progress: TypeAlias = Callable[[int, int], object]

#: Makes a context of a test, with what is called with its progress.
Watch: TypeAlias = Callable[[], "AbstractContextManager[Progress | None]"]

#: Random words that a test of another unit may draw: a few seconds' worth.
BESIDE_WORDS = 2**31


def gathered(
    request: Request, options: Options, *, executor: Executor | None = None
) -> Summary | Systems:
    """Read, test and gather what is to be reported: of two systems, or of more."""
    names = [metric for metric in options.metrics if isinstance(metric, str)]
    return gather(read(request, names), options, executor=executor)


@contextmanager
def on_terminal() -> Iterator[ProgressBar | None]:
    """A bar on standard error, if that is a terminal."""
    with ProgressBar() as bar:
        yield bar if bar.wanted else None


def gather(
    data: Data, options: Options, *, executor: Executor | None = None, watch: Watch = on_terminal
) -> Summary | Systems:
    """Test and gather what is to be reported of data that are read already."""
    unit = "response" if options.method == "yeh2000" else options.unit
    _check_options(data, options)
    reading = Reading(
        data, unit, options.metrics, options.lower_is_better, options.by, options.baseline
    )
    pairs = reading.pairs
    compared = [reading.tests(a, b) for a, b in pairs]
    metrics = reading.metrics
    seed = estimates.seed_of(options)
    options = replace(options, metrics=tuple(map(_name, metrics)), unit=compared[0][0][1].unit)
    run = _Run(options, seed, executor, watch)
    parts = reading.parts_of(*pairs[0])  # refused before the work, if they have to be
    notes = dict.fromkeys(note for _, part in reading.groups for note in part.source.notes)
    source = replace(data.source, notes=tuple(notes))
    summaries = []
    for pair, tests in zip(pairs, compared, strict=True):
        found: defaultdict[str, dict[str, Any]] = defaultdict(dict)
        for (own, comparison), (_, part) in zip(tests, reading.groups, strict=True):
            if options.worst is not None:  # refused before the work, if need be
                from csig.comparing.effects import unit_contributions  # for those who ask

                for metric in own:
                    zero = options.zero_division
                    units = unit_contributions(comparison, metric, zero_division=zero)
                    found["units"][units.metric] = units
            results = run.tests(comparison, own)
            found["results"] |= results
            if options.sensitivity and len(comparison.levels) > 1:
                for unit in comparison.levels:  # the results with every unit that is known
                    whole = unit == comparison.unit
                    at_unit = results if whole else run.beside(comparison.at(unit), own)
                    found["sensitivity"].setdefault(unit, {}).update(at_unit)
            found["intervals"] |= estimates.intervals(
                comparison, own, "difference", options, seed, tests=results
            )
            found["effects"] |= estimates.effects(comparison, own, options)
            found["runs"] |= estimates.variances(comparison, own, options)
            found["answers"] |= estimates.answer_variances(part, pair, comparison, own)
            found["tests"] |= run.all_tests(comparison, own)
            found["over_tasks"] |= run.over_tasks(part, pair, comparison, own)
        summaries.append(
            Summary(
                __version__,
                source,
                tests[0][1],
                options,
                breakdown=run.breakdown(parts, metrics) if parts else None,
                comparisons={_name(own[0]): each for own, each in tests} if tests[1:] else {},
                metrics=metrics,
                parts=parts,
                **found,
            )
        )
    return summaries[0] if len(data.names) == 2 else Systems(summaries)


def _check_options(data: Data, options: Options) -> None:
    """Refuse what cannot be done with these data, or with so many systems."""
    papers, by, n = argument("method", "yeh2000"), argument("by"), len(data.names)
    if options.method == "yeh2000" and isinstance(data, TableData):
        raise OptionError(f"{papers} is the paper's, for responses, not for tables")
    check_two(data)
    estimates.check_method(data, options)
    if options.risk is not None and (n > 2 or options.by is not None):
        raise OptionError(
            f"{argument('decide')} is for one comparison of two systems: Holm's correction of "
            f"several tests has other levels than {argument('alpha')}"
        )
    choose = f"found {n}; give two, or choose them with {argument('system')}"
    if options.all_tests and n > 2:
        raise OptionError(
            f"{argument('all_tests')} is for two systems, {choose}; csig recommend has the tests "
            "of many systems"
        )
    if options.by is not None and n > 2:
        raise OptionError(f"{by} is for two systems, {choose}")
    if options.by is not None and options.method == "yeh2000":
        raise OptionError(f"{by} does not go with {papers}")


def _name(metric: str | Metric) -> str:
    return metric if isinstance(metric, str) else metric.name


def _in_order(
    found: Mapping[str, Any], comparison: Comparison, wanted: Sequence[str | Metric]
) -> dict[str, Any]:
    """Results by metric, in the order of the metrics."""
    names = [get(metric, comparison.columns).name for metric in wanted]
    return {name: found[name] for name in names}


@dataclass(frozen=True)
class _Run:
    """Tests as they were asked for, all with the same seed."""

    options: Options
    seed: int
    executor: Executor | None
    watch: Watch

    def _keywords(self, notify: Progress | None) -> dict[str, Any]:
        """Those of every test but its alternative."""
        options = self.options
        drawn: dict[str, Any] = {"n_resamples": options.n_resamples}
        if options.risk is not None:
            drawn = {"decide_at": options.alpha, "max_resamples": options.n_resamples}
            drawn["risk"] = options.risk
        return {
            **drawn,
            "method": options.method,
            "rng": self.seed,
            "bit_generator": options.bit_generator,
            "threads": options.threads,
            "zero_division": options.zero_division,
            "statistic": options.statistic,
            "pvalue_confidence": options.pvalue_confidence,
            "executor": self.executor,
            "progress": notify,
        }

    def tests(
        self, comparison: Comparison, metrics: Sequence[str | Metric]
    ) -> dict[str, RandomizationResult]:
        """The results by all metrics."""
        found: dict[str, RandomizationResult] = {}
        with self.watch() as notify:
            keywords = self._keywords(notify)
            directed = directions(comparison, metrics, self.options.alternative)
            for alternative, own in directed.items():
                found |= randomization_test(comparison, own, alternative=alternative, **keywords)
        return _in_order(found, comparison, metrics)

    def beside(
        self, comparison: Comparison, metrics: Sequence[str | Metric]
    ) -> dict[str, RandomizationResult]:
        """What is only shown beside the results need not be exact, nor take longer than they do."""
        options = self.options
        enough = max(YEH_RESAMPLES // 16, BESIDE_WORDS * 64 // max(1, comparison.n_units))
        own = replace(
            options,
            method="auto" if options.method in ("exact", "certified") else options.method,
            n_resamples=min(options.n_resamples, enough),
        )
        return replace(self, options=own).tests(comparison, metrics)

    def all_tests(
        self, comparison: Comparison, metrics: Sequence[str | Metric]
    ) -> dict[str, Recommendation]:
        """All tests that apply, by metric, where somebody asked."""
        options = self.options
        if not options.all_tests:
            return {}
        from csig.advice.advising import all_tests_of  # for those who asked

        most = YEH_RESAMPLES if options.risk is not None else options.n_resamples
        found = {}
        with self.watch() as notify:
            for alternative, own in directions(comparison, metrics, options.alternative).items():
                for metric in own:
                    made = all_tests_of(
                        comparison, metric, alternative=alternative, n_resamples=most,
                        rng=self.seed, bit_generator=options.bit_generator,
                        threads=options.threads, zero_division=options.zero_division,
                        executor=self.executor, notify=notify,
                    )  # fmt: skip
                    found[made.metric] = made
        return _in_order(found, comparison, metrics)

    def over_tasks(
        self, data: Data, pair: tuple[int, int], whole: Comparison, metrics: Sequence[str | Metric]
    ) -> dict[str, OverTasks]:
        """The means over tasks by metric, where there are tasks; their shuffles are the same."""
        found = {}
        for own in metrics:
            known = data.over_tasks(*pair, whole.unit, get(own, whole.columns))
            if known is None:
                continue
            n, metric, comparison = known
            results = self.beside(comparison, [metric])
            intervals = estimates.intervals(
                comparison, [metric], "difference", self.options, self.seed, tests=results
            )
            interval = intervals.get(metric.name)
            found[_name(own)] = OverTasks(n, comparison, results[metric.name], interval)
        return found

    def breakdown(
        self, parts: Mapping[Hashable, Comparison], metrics: Sequence[str | Metric]
    ) -> Breakdown:
        """The results on all parts of the data."""
        from csig.comparing.breakdowns import Breakdown, breakdown

        found = []
        one = next(iter(parts.values()))
        with self.watch() as notify:
            keywords = self._keywords(notify)
            for alternative, own in directions(one, metrics, self.options.alternative).items():
                found.append(breakdown(parts, own, alternative=alternative, **keywords).parts)
        merged = []
        for same in zip(*found, strict=True):
            results = {name: result for part in same for name, result in part.results.items()}
            merged.append(replace(same[0], results=_in_order(results, one, metrics)))
        return Breakdown(ShownTuple(merged))
