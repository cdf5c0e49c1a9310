"""Everything about one ``csig compare``, before it is printed or written."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from csig.comparison import Comparison
from csig.report import parts, text, verdict
from csig.results import RandomizationResult

if TYPE_CHECKING:
    from csig.breakdowns import Breakdown

__all__ = ["Columns", "Input", "Options", "Summary", "TableInput"]


@dataclass(frozen=True)
class Columns:
    """Which columns of a file with tags were read; `sentence` is None if not asked for."""

    gold: str
    a: str
    b: str
    sentence: str | None = None


@dataclass(frozen=True)
class TableInput:
    """What a table of units holds: its files, systems, and the columns that are none."""

    files: tuple[str, ...]
    systems: tuple[str, ...]
    n_units: int
    n_clusters: int | None = None
    id_column: str | None = None
    cluster_column: str | None = None
    gold_column: str | None = None


@dataclass(frozen=True)
class Input:
    """What was read, and as what.

    Attributes
    ----------
    format : str
        "counts", "responses", "tags", "spans" or "statistics"; of tables "scores", "counts",
        "labels" or "lm-eval".
    files : mapping {role: path}
        The roles are "counts"; "gold", "a" and "b"; "columns", the file that has all; or
        "statistics". Of tables none.
    systems : tuple of str
        The systems' files, or their file as often as there are systems; of statistics their
        names there; of counts and tables none.
    columns : Columns or None
        For one file with columns.
    documents : bool
        Whether the first field of a response is a document id.
    n_sentences, n_tokens, n_documents : int or None
        For tags; documents for responses and spans as well, where they are known.
    rules, scheme : str or None
        By which entities are found, for tags.
    table : TableInput or None
        For tables of units.
    notes, cautions : tuple of str
        What reading the files brought to light.
    """

    format: str
    files: Mapping[str, str]
    columns: Columns | None = None
    systems: tuple[str, ...] = ()
    documents: bool = False
    n_sentences: int | None = None
    n_tokens: int | None = None
    n_documents: int | None = None
    rules: str | None = None
    scheme: str | None = None
    table: TableInput | None = None
    notes: tuple[str, ...] = ()
    cautions: tuple[str, ...] = ()


@dataclass(frozen=True)
class Options:
    """What was asked for: the parameters of :func:`csig.randomization_test`, alpha, the unit.

    With a `risk` shuffles are drawn until alpha is decided, at most `n_resamples` of them.
    """

    metrics: tuple[str, ...]
    alternative: str
    method: str
    n_resamples: int
    seed: int | None
    bit_generator: str | None
    threads: int | None
    zero_division: int
    confidence_level: float
    alpha: float
    unit: str | None = None
    by: str | None = None
    sensitivity: bool = False
    lower_is_better: bool = False
    risk: float | None = None


@dataclass(frozen=True)
class Summary:
    """A comparison, its results and what they mean.

    `sensitivity` has the results with every unit that is known, {unit: {metric: result}}; it is
    empty where there is one only, or where nobody asked. `breakdown` has those of the parts.
    Where every metric has scores of its own, `comparisons` has one for each; `comparison` is the
    first of them.
    """

    version: str
    input: Input
    comparison: Comparison
    options: Options
    results: Mapping[str, RandomizationResult] = field(default_factory=dict)
    sensitivity: Mapping[str, Mapping[str, RandomizationResult]] = field(default_factory=dict)
    breakdown: Breakdown | None = None
    comparisons: Mapping[str, Comparison] = field(default_factory=dict)

    def _said(
        self, say: Callable[[Comparison, Sequence[RandomizationResult]], list[str]]
    ) -> list[str]:
        """What is to be said of the comparison, or of every metric's, with its name."""
        if not self.comparisons:
            return say(self.comparison, list(self.results.values()))
        found: dict[str, list[str]] = {}
        for name, own in self.comparisons.items():
            for line in say(own, [self.results[name]]):
                found.setdefault(line, []).append(name)
        return [
            line
            if len(names) == len(self.comparisons) or any(text.clean(n) in line for n in names)
            else f"{', '.join(map(text.metric_title, names))}: {line}"
            for line, names in found.items()
        ]

    @property
    def trust(self) -> str | None:
        """Which of the units in the table of sensitivity to trust, and why."""
        if not self.sensitivity:
            return None
        known = [own for own in self.comparisons.values() if own.n_units]
        return verdict.trust((*known, self.comparison)[0], self.sensitivity, self.options.alpha)

    @property
    def sentences(self) -> list[str]:
        """One a metric."""
        alpha, names = self.options.alpha, self.comparison.names
        found = [verdict.sentence(result, alpha, names) for result in self.results.values()]
        if self.breakdown is not None:
            found += parts.sentences(self.breakdown, names, self.options)
        return found

    @property
    def notes(self) -> list[str]:
        """What is special about these data."""
        results = list(self.results.values())
        found = [*self.input.notes, *self._said(verdict.notes)]
        if self.comparisons:
            found.append(verdict.ONE_BY_ONE)
        if self.options.method == "yeh2000" and results[0].method == "exact":
            found.append(f"yeh2000: {results[0].reason}, so that there is nothing to check.")
        return found

    @property
    def cautions(self) -> list[str]:
        """What to know before believing the p-values."""
        own = self._said(lambda c, found: verdict.cautions(c, found, self.options.alpha))
        if self.breakdown is not None:
            own += parts.cautions(self.breakdown, self.options)
        return [*self.input.cautions, *own]

    @property
    def signature(self) -> str:
        """One line for a paper."""
        return verdict.signature(self.results.values(), self.version)
