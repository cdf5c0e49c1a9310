"""Everything about one ``csig compare``, before it is printed or written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from csig.comparison import Comparison
from csig.report import verdict
from csig.results import RandomizationResult

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
        "counts", "responses" or "tags"; of tables "scores", "counts", "labels" or "lm-eval".
    files : mapping {role: path}
        The roles are "counts"; "gold", "a" and "b"; or "columns", the file that has all. Of
        tables none.
    columns : Columns or None
        For one file with columns.
    documents : bool
        Whether the first field of a response is a document id.
    n_sentences, n_tokens : int or None
        For tags.
    table : TableInput or None
        For tables of units.
    notes, cautions : tuple of str
        What reading the files brought to light.
    """

    format: str
    files: Mapping[str, str]
    columns: Columns | None = None
    documents: bool = False
    n_sentences: int | None = None
    n_tokens: int | None = None
    table: TableInput | None = None
    notes: tuple[str, ...] = ()
    cautions: tuple[str, ...] = ()


@dataclass(frozen=True)
class Options:
    """What was asked for: the parameters of :func:`csig.randomization_test`, alpha, the unit."""

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
    unit: str = "response"


@dataclass(frozen=True)
class Summary:
    """A comparison, its results and what they mean."""

    version: str
    input: Input
    comparison: Comparison
    options: Options
    results: Mapping[str, RandomizationResult] = field(default_factory=dict)

    @property
    def sentences(self) -> list[str]:
        """One a metric."""
        alpha, names = self.options.alpha, self.comparison.names
        return [verdict.sentence(result, alpha, names) for result in self.results.values()]

    @property
    def notes(self) -> list[str]:
        """What is special about these data."""
        results = list(self.results.values())
        found = [*self.input.notes, *verdict.notes(self.comparison, results)]
        if self.options.method == "yeh2000" and results[0].method == "exact":
            found.append(f"yeh2000: {results[0].reason}, so that there is nothing to check.")
        return found

    @property
    def cautions(self) -> list[str]:
        """What to know before believing the p-values."""
        own = verdict.cautions(self.comparison, self.results.values(), self.options.alpha)
        return [*self.input.cautions, *own]

    @property
    def signature(self) -> str:
        """One line for a paper."""
        return verdict.signature(self.results.values(), self.version)
