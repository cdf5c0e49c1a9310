"""More than two systems: each is compared with the first, with Holm's correction."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from csig.base import wording
from csig.base.errors import argument
from csig.comparing import signature, sizes, verdict
from csig.comparing.options import Options
from csig.comparing.summary import Summary
from csig.probability.corrections import Corrected, holm
from csig.readers.request import Input
from csig.results.randomization import RandomizationResult

#: One system's result by one metric: A is the system, B the baseline.
Row = Corrected[RandomizationResult]


@dataclass(frozen=True)
class Systems:
    """Comparisons of several systems with the same baseline, over the same units."""

    summaries: Sequence[Summary]

    @property
    def baseline(self) -> str:
        """The first system."""
        return self.summaries[0].comparison.names[1]

    @property
    def input(self) -> Input:
        """What was read; the same for all."""
        return self.summaries[0].input

    @property
    def options(self) -> Options:
        """What was asked for; the same for all."""
        return self.summaries[0].options

    @property
    def draws(self) -> bool:
        """Whether anything was drawn."""
        return any(own.draws for own in self.summaries)

    @property
    def metrics(self) -> list[str]:
        """The metrics, by name."""
        return list(self.summaries[0].results)

    def rows(self, metric: str, unit: str | None = None) -> list[Row]:
        """Every system's result, perhaps with another unit, corrected for their number."""
        found = [
            s.every[metric] if unit is None else s.sensitivity[unit][metric] for s in self.summaries
        ]
        names = (s.comparison.names[0] for s in self.summaries)  # two may have the same
        rows = zip(holm(found, self.options.alpha), names, strict=True)
        return [replace(row, name=name) for row, name in rows]

    @property
    def verdicts(self) -> set[str]:
        """All that occur."""
        return {row.verdict for metric in self.metrics for row in self.rows(metric)}

    @property
    def sentences(self) -> list[str]:
        """One a metric and verdict."""
        found = []
        at, base = wording.decimal(self.options.alpha), wording.clean(self.baseline)
        one_sided = "" if self.options.alternative == "two-sided" else "one-sided, "
        at += f" ({one_sided}Holm-adjusted)"
        for metric in self.metrics:
            title = wording.metric_title(metric)
            names: dict[str, list[str]] = {}
            for row in self.rows(metric):
                kind = row.verdict
                if kind == "significant":
                    up = (row.result.statistic > 0) == row.result.greater_is_better
                    kind = "better" if up else "worse"
                names.setdefault(kind, []).append(wording.clean(str(row.name)))
            for kind in ("better", "worse", "not significant", "undecided"):
                if kind not in names:
                    continue
                own = wording.listed(names[kind], "or" if kind == "not significant" else "and")
                verb = "is" if len(names[kind]) == 1 else "are"
                said = f"{own} {verb} significantly {kind} than {base} at {at}."
                if kind == "not significant":
                    said = f"no significant difference at {at} between {base} and {own}."
                elif kind == "undecided":
                    exact = argument("method", "exact")
                    settled = f"more shuffles ({argument('resamples')}) or {exact} would settle it"
                    said = f"undecided at {at} for {own}; {settled}."
                found.append(f"{title}: {said}")
        return found

    def _said(self, say: Callable[[Summary], Iterable[str]]) -> list[str]:
        """What is said of all once; what is said of some with their names."""
        systems: dict[str, list[str]] = {}
        for summary in self.summaries:
            for line in say(summary):
                systems.setdefault(line, []).append(wording.clean(summary.comparison.names[0]))
        return [
            line if len(names) == len(self.summaries) else f"{', '.join(names)}: {line}"
            for line, names in systems.items()
        ]

    @property
    def notes(self) -> list[str]:
        """What is special about these data."""
        n = len(self.summaries)
        own = (
            f"Each of {n} systems is compared with {wording.clean(self.baseline)}, the first; "
            f"Holm-adjusted p-values correct for {n} comparisons, separately for each metric."
        )
        known = verdict.LIMITS.values()
        said = self._said(lambda summary: [line for line in summary.notes if line not in known])
        return [*said, *verdict.limits(self.verdicts, self.options.interval != "none"), own]

    @property
    def gaps(self) -> list[str]:
        """Where intervals are missing, rest on few data, or do not agree with the tests."""
        return self._said(lambda own: sizes.gaps(own.intervals, own.results, own.options))

    @property
    def cautions(self) -> list[str]:
        """What to know before believing the p-values."""
        return self._said(lambda summary: summary.cautions)

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of the data."""
        return signature.digest_of_systems(self.summaries)

    @cached_property
    def signature(self) -> str:
        """One line for a paper: the same for results that must be the same."""
        return signature.of_systems(self.summaries, self.digest)
