"""Everything about one ``csig interval``: every system's score and the differences."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from numpy.random import SeedSequence

from csig import metrics, wording
from csig._version import __version__
from csig.comparison import Comparison
from csig.intervals import What
from csig.metrics import Metric
from csig.readers.forms import read
from csig.readers.reading import Reading
from csig.readers.request import Request
from csig.readers.source import Input
from csig.report import estimates, signature, sizes
from csig.report.options import Options
from csig.results import Interval

__all__ = ["Estimates", "Row", "estimated"]


@dataclass(frozen=True)
class Row:
    """A system's score, or the difference of two, by one metric."""

    #: One name, or two: the system and the baseline, whose score is subtracted.
    systems: tuple[str, ...]
    estimate: float  #: What was observed.
    interval: Interval | str  #: Or the reason why there is none.
    n_differ: int | None = None  #: Units that differ, of differences.
    greater_is_better: bool = True  #: Whether higher scores are better.

    @property
    def title(self) -> str:
        """The names as they are printed."""
        return " - ".join(map(wording.clean, self.systems))

    @property
    def few(self) -> str | None:
        """What makes the level doubtful."""
        if isinstance(self.interval, str):
            return None
        return sizes.few(self.interval, self.n_differ)


@dataclass(frozen=True)
class Estimates:
    """Rows by metric: the systems in their order, then the differences.

    `tests` has every pair of systems with the names of its metrics.
    """

    version: str
    input: Input
    options: Options
    unit: str
    rows: Mapping[str, Sequence[Row]]
    tests: Sequence[tuple[tuple[str, ...], Comparison]] = ()

    @property
    def notes(self) -> list[str]:
        """How the intervals were made, and what is special about them."""
        which = f"{sizes.level(self.options)} intervals"
        missing = self._said(
            lambda row: (
                f"an interval cannot be given: {row.interval}."
                if isinstance(row.interval, str)
                else None
            )
        )
        return [*self.input.notes, *(f"{which}{of}: {how}." for how, of in self._made), *missing]

    @property
    def _made(self) -> list[tuple[str, str]]:
        """How the intervals were made; where in several ways, which."""
        made: dict[str, dict[tuple[str, str], None]] = {}
        every = set()
        for name, own in self.rows.items():
            for row in own:
                if isinstance(row.interval, Interval):
                    one = (name, "scores" if len(row.systems) == 1 else "differences")
                    every.add(one)
                    made.setdefault(sizes.made(row.interval), {})[one] = None
        found = []
        for how, rows in made.items():
            kinds, names = ({one[place] for one in rows} for place in (1, 0))
            of = f" of {' and '.join(sorted(kinds, reverse=True))}" if len(made) > 1 else ""
            if {one for one in every if one[1] in kinds} != set(rows):
                titles = wording.listed([wording.metric_title(n) for n in self.rows if n in names])
                of += f" in {titles}"
            found.append((how, of))
        return found

    @property
    def cautions(self) -> tuple[str, ...]:
        """What looks wrong in what was read, and which intervals rest on too little."""
        few = self._said(
            lambda row: (
                None
                if row.few is None
                else f"the interval rests on few data ({row.few}); such intervals may hold the "
                f"true value in less than 90% of test sets."
            )
        )
        return (*self.input.cautions, *wording.coded("few-data", few))

    def _said(self, say: Callable[[Row], str | None]) -> list[str]:
        """What is to be said of rows: once, with the metrics and systems of which it is true."""
        said: dict[str, list[str]] = {}
        for name, own in self.rows.items():
            for row in own:
                line = say(row)
                if line is not None:
                    title = f"{wording.metric_title(name)} of {row.title}"
                    said.setdefault(line, []).append(title)
        return [f"{', '.join(titles)}: {line}" for line, titles in said.items()]

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of the data."""
        return signature.digest_of_estimates(self)

    @cached_property
    def signature(self) -> str:
        """One line for a paper: the same for results that must be the same."""
        return signature.of_estimates(self, self.digest)


def estimated(request: Request, options: Options, n_resamples: int | None = None) -> Estimates:
    """Read, and make the intervals of every system's score and of the differences.

    Parameters
    ----------
    request : Request
        What to read.
    options : Options
        What to ask of it; `interval` is the method.
    n_resamples : int, optional
        How many to draw, if any.

    Raises
    ------
    InputError
        If the data cannot be read, or do not have what was asked for.
    """
    data = read(request, [metric for metric in options.metrics if isinstance(metric, str)])
    estimates.check_method(data, options, n_resamples)
    reading = Reading(
        data,
        options.unit,
        options.metrics,
        options.lower_is_better,
        baseline=options.baseline,
    )
    if options.seed is None:
        entropy = SeedSequence().entropy
        assert isinstance(entropy, int)
        options = replace(options, seed=entropy)
    systems: dict[str, dict[int, Row]] = {}
    differences: dict[str, list[Row]] = {}
    baselines = set()
    for one, other in reading.pairs:
        for place, wanted, comparison in (
            (place, *test) for place, test in enumerate(reading.tests(one, other))
        ):
            sides: list[tuple[int, What]] = [(one, "a")]
            if (place, other) not in baselines:
                sides.append((other, "b"))
                baselines.add((place, other))
            for system, what in sides:
                for name, row in _rows(comparison, wanted, what, options, n_resamples).items():
                    systems.setdefault(name, {})[system] = row
            found = _rows(comparison, wanted, "difference", options, n_resamples)
            for name, row in found.items():
                differences.setdefault(name, []).append(row)
    unit = reading.tests(*reading.pairs[0])[0][1].unit
    every = {
        name: [*(own[place] for place in sorted(own)), *differences[name]]
        for name, own in systems.items()
    }
    options = replace(options, metrics=tuple(every), unit=unit)
    tests = [
        (tuple(metrics.get(metric, comparison.columns).name for metric in wanted), comparison)
        for pair in reading.pairs
        for wanted, comparison in reading.tests(*pair)
    ]
    return Estimates(__version__, data.source, options, unit, every, tests)


def _rows(
    comparison: Comparison,
    wanted: Sequence[str | Metric],
    what: What,
    options: Options,
    n_resamples: int | None,
) -> dict[str, Row]:
    assert options.seed is not None
    found = estimates.intervals(comparison, wanted, what, options, options.seed, n_resamples)
    rows = {}
    for metric in wanted:
        own = metrics.get(metric, comparison.columns)
        a, b = comparison.scores(own, zero_division=options.zero_division)
        estimate = {"difference": a - b, "a": a, "b": b}[what]
        names = comparison.names if what == "difference" else (comparison.names["ab".index(what)],)
        differ = estimates.n_moving(comparison, own, options) if what == "difference" else None
        interval = found[own.name]
        if isinstance(interval, Interval):
            estimate = interval.estimate
        rows[own.name] = Row(names, estimate, interval, differ, own.greater_is_better)
    return rows
