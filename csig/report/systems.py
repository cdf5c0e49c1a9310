"""More than two systems: each is compared with the first, with Holm's correction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from csig import wording
from csig.probability.corrections import Corrected, holm
from csig.readers.source import Input
from csig.report import signature, sizes, verdict
from csig.report.options import Options
from csig.report.summary import Summary
from csig.results import RandomizationResult

__all__ = ["Row", "Systems"]


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

    def rows(self, metric: str) -> list[Row]:
        """Every system's result by a metric, corrected for their number."""
        rows = holm([s.every[metric] for s in self.summaries], self.options.alpha)
        names = (s.comparison.names[0] for s in self.summaries)  # two may have the same
        return [replace(row, name=name) for row, name in zip(rows, names, strict=True)]

    @property
    def sentences(self) -> list[str]:
        """One a metric and verdict."""
        found = []
        at, base = wording.decimal(self.options.alpha), wording.clean(self.baseline)
        one_sided = "" if self.options.alternative == "two-sided" else "one-sided, "
        at += f" ({one_sided}Holm-adjusted)"
        for metric in self.metrics:
            title = wording.metric_title(metric)
            better: list[Row] = []
            worse: list[Row] = []
            same: list[Row] = []
            unsure: list[Row] = []
            for row in self.rows(metric):
                up = (row.result.statistic > 0) == row.result.greater_is_better
                if row.verdict == "significant":
                    (better if up else worse).append(row)
                else:
                    (unsure if row.verdict == "undecided" else same).append(row)
            for rows, word in ((better, "better"), (worse, "worse")):
                if rows:
                    found.append(
                        f"{title}: {_names(rows)} {'is' if len(rows) == 1 else 'are'} "
                        f"significantly {word} than {base} at {at}."
                    )
            if same:
                found.append(
                    f"{title}: no significant difference at {at} between {base} and "
                    f"{_names(same, 'or')}."
                )
            if unsure:
                found.append(
                    f"{title}: undecided at {at} for {_names(unsure)}; more shuffles "
                    f"(--resamples) or --method exact would settle it."
                )
        return found

    @property
    def notes(self) -> list[str]:
        """What is special about these data."""
        n = len(self.summaries)
        own = (
            f"Each of {n} systems is compared with {wording.clean(self.baseline)}, the first; "
            f"Holm-adjusted p-values correct for {n} comparisons, separately for each metric."
        )
        known = verdict.LIMITS.values()
        said = [(_name(s), [line for line in s.notes if line not in known]) for s in self.summaries]
        verdicts = {row.verdict for metric in self.metrics for row in self.rows(metric)}
        limits = verdict.limits(verdicts, self.options.interval != "none")
        return [*_gathered(said), *limits, own]

    @property
    def gaps(self) -> list[str]:
        """Where intervals are missing, rest on few data, or do not agree with the tests."""
        return _gathered(
            [(_name(s), sizes.gaps(s.intervals, s.results, s.options)) for s in self.summaries]
        )

    @property
    def cautions(self) -> list[str]:
        """What to know before believing the p-values."""
        return _gathered([(_name(s), s.cautions) for s in self.summaries])

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of the data."""
        return signature.digest_of_systems(self.summaries)

    @cached_property
    def signature(self) -> str:
        """One line for a paper: the same for results that must be the same."""
        return signature.of_systems(self.summaries, self.digest)


def _name(summary: Summary) -> str:
    return wording.clean(summary.comparison.names[0])


def _names(rows: Sequence[Row], word: str = "and") -> str:
    return wording.listed([wording.clean(str(row.name)) for row in rows], word)


def _gathered(found: Sequence[tuple[str, Sequence[str]]]) -> list[str]:
    """What is said of all once; what is said of some with their names."""
    systems: dict[str, list[str]] = {}
    for name, lines in found:
        for line in lines:
            systems.setdefault(line, []).append(name)
    return [
        line if len(names) == len(found) else f"{', '.join(names)}: {line}"
        for line, names in systems.items()
    ]
