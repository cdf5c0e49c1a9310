"""``csig compare`` on tables of units: scores, counts, labels, samples of a harness."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import click
import numpy as np

from csig import readers
from csig.cli.inputs import Request, shown
from csig.comparison import Comparison
from csig.errors import InputError, first_few
from csig.metrics import Metric, ratio
from csig.readers import NotATableError, Table, looks_like_samples, looks_like_tag_column
from csig.report.summary import Input, TableInput

__all__ = ["FORMATS", "TableComparisons", "is_table", "read_tables"]

#: What --format calls tables.
FORMATS = ("scores", "counts", "labels", "lm-eval")

#: Metrics of lm-evaluation-harness for which less is better.
_LESS = {
    "perplexity", "word_perplexity", "byte_perplexity", "bits_per_byte", "ter", "wer",
    "brier_score", "mae", "mse",
}  # fmt: skip


@dataclass(frozen=True)
class TableComparisons:
    """What a table gives: one comparison, or each system with the first, the baseline."""

    comparisons: Sequence[Comparison]
    source: Input
    metrics: Sequence[str | Metric]


def is_table(request: Request) -> bool:
    """Whether the files are tables of units, rather than counts, responses or tags.

    Raises
    ------
    InputError
        If a file that has to be looked at cannot be read.
    """
    if request.counts is not None or not request.files:
        return False
    if request.format != "auto":
        return request.format in FORMATS
    if request.of_responses or request.sentence_column is not None:
        return False
    if request.of_tables:
        return True
    gold = request.gold_column
    if gold is not None and None not in (request.a_column, request.b_column):
        of_tables = request.unit in (None, "unit", "cluster") and len(request.files) == 1
        return of_tables and not looks_like_tag_column(request.files[0], gold)
    if len(request.files) == 1:
        return gold is None or not looks_like_tag_column(request.files[0], gold)
    return len(request.files) != 3 or looks_like_samples(request.files[0])


def _systems(request: Request) -> tuple[str, ...]:
    """The systems that were asked for by name."""
    pair = (request.a_column, request.b_column)
    if pair == (None, None):
        found = request.systems
    elif request.systems:
        raise click.UsageError("--system does not go with --a-column and --b-column")
    elif None in pair:
        raise click.UsageError("--a-column and --b-column go together")
    else:
        found = tuple(name for name in pair if name is not None)
    if len(found) == 1:
        raise click.UsageError("--system: give it for two systems or more; the first is baseline")
    if len(set(found)) < len(found) and request.systems:
        raise click.UsageError("--system: every system once")
    return found


def _read(request: Request, systems: tuple[str, ...], metrics: Sequence[str]) -> Table:
    samples = request.format == "lm-eval"
    if request.format == "auto":
        samples = looks_like_samples(request.files[0])
    if not samples and request.filter is not None:
        raise click.UsageError("--filter is for samples of lm-evaluation-harness")
    names = tuple(dict.fromkeys(systems))
    if samples:
        for option, value in (
            ("--id", request.id_column),
            ("--cluster", request.cluster),
            ("--gold-column", request.gold_column),
        ):
            if value is not None:
                raise click.UsageError(f"{option} does not go with samples of a harness")
        if len(metrics) > 1:
            raise click.UsageError("--metric: one at a time for samples of a harness")
        return readers.read_samples(
            request.files,
            metric=metrics[0] if metrics else None,
            filter=request.filter,
            systems=names,
            allow_missing=request.allow_missing,
        )
    options: dict[str, Any] = {
        "format": None if request.format == "auto" else request.format,
        "id": request.id_column,
        "cluster": request.cluster,
        "gold": request.gold_column,
        "systems": names,
        "allow_missing": request.allow_missing,
    }
    if len(request.files) == 1:
        table = readers.read_table(request.files[0], **options)
        gold = table.gold_column
        if request.format == "auto" and request.gold_column is None and gold is not None:
            _refuse_tags(request.files[0], gold)
        return table
    return readers.read_tables(request.files, **options)


def _refuse_tags(path: str, gold: str) -> None:
    """The accuracy of single tokens is not what is wanted of tags."""
    if looks_like_tag_column(path, gold):
        raise InputError(
            f"{path}: column {gold!r} looks like tags of tokens; name the columns with "
            f"--gold-column, --a-column and --b-column, or say --format labels"
        )


def _is_binary(table: Table) -> bool:
    return table.format in ("scores", "lm-eval") and all(
        isinstance(scores, np.ndarray)
        and scores.dtype.kind == "i"
        and bool(((scores == 0) | (scores == 1)).all())
        for scores in table.systems.values()
    )


def _metrics(table: Table, wanted: Sequence[str], binary: bool) -> list[str | Metric]:
    """The metrics that were asked for, or those that the format suggests."""
    above, below = ("correct", "items") if binary else ("score", "n")
    if table.format == "lm-eval":
        name = table.columns[0]
        return [ratio(name, above, below, greater_is_better=name not in _LESS)]
    if not wanted:
        if table.format == "labels":
            return ["accuracy", "macro_f1", "mcc", "kappa"]
        if table.format == "counts" and "tp" in table.columns:
            return ["recall", "precision", "f1"]
        return ["accuracy" if binary or table.format == "counts" else "mean"]
    if binary:  # the mean of 0 and 1 is the accuracy, by another name
        return [ratio("mean", above, below) if name == "mean" else name for name in wanted]
    return list(wanted)


def _comparison(table: Table, a: str, b: str, names: tuple[str, str], binary: bool) -> Comparison:
    one, other = table.systems[a], table.systems[b]
    units: dict[str, Any] = {"ids": table.ids, "clusters": table.clusters, "names": names}
    if table.format == "labels":
        return Comparison.from_labels(table.gold, one, other, **units)
    if table.format == "counts":
        return Comparison.from_statistics(one, other, table.columns, **units)
    if not binary:
        return Comparison.from_scores(one, other, **units)
    items = np.ones(len(one), dtype=np.int64)
    rows_a, rows_b = (np.stack([np.asarray(own), items], axis=1) for own in (one, other))
    return Comparison.from_statistics(rows_a, rows_b, ("correct", "items"), **units)


def _different_items(table: Table) -> tuple[str, ...]:
    """Counts that say the systems were asked different things; another gold is refused."""
    if table.format != "counts" or "items" not in table.columns:
        return ()
    column = table.columns.index("items")
    (first, base), *others = (
        (name, np.asarray(own)[:, column]) for name, own in table.systems.items()
    )
    return tuple(
        f"{shown(name)} and {shown(first)} differ in items in {count} of "
        f"{table.n_units} units. Is it the same test data?"
        for name, own in others
        if (count := int(np.count_nonzero(own != base)))
    )


def _same_inputs(request: Request) -> list[str]:
    files = request.files
    for i, path in enumerate(files):
        for other in files[:i]:
            if path == other or (
                os.path.exists(path) and os.path.exists(other) and os.path.samefile(path, other)
            ):
                return [f"{shown(other)} and {shown(path)} are the same file."]
    return []


def _names(request: Request, systems: Sequence[str]) -> list[str]:
    """What the systems are called in the output."""
    given = (request.name_a, request.name_b)
    if len(systems) > 2 and given != (None, None):
        raise click.UsageError("--name-a and --name-b are for two systems")
    for option, name in zip(("--name-a", "--name-b"), given, strict=True):
        if name is not None and not name.strip():
            raise click.UsageError(f"{option} must not be empty")
    names = [shown(name) for name in systems]
    if len(names) == 2:
        names = [shown(new or name) for new, name in zip(given, names, strict=True)]
    if len(names) == 2 and names[0] == names[1]:
        return [f"A ({names[0]})", f"B ({names[1]})"]
    return names


def read_tables(request: Request, wanted: Sequence[str]) -> TableComparisons:
    """The comparisons that a table gives.

    Parameters
    ----------
    request : Request
        What to read.
    wanted : sequence of str
        Metrics; empty for those that the format suggests.

    Raises
    ------
    click.UsageError
        If the arguments do not go together.
    InputError
        If a file cannot be used.
    """
    if request.unit not in (None, "unit", "cluster"):
        raise click.UsageError(
            f"--unit {request.unit} is not possible with tables, only unit and cluster"
        )
    chosen = _systems(request)
    try:
        table = _read(request, chosen, wanted)
    except NotATableError as error:
        if request.format != "auto":
            raise
        raise InputError(
            f"{error}; responses and tags need three files, GOLD A B, or one with --gold-column, "
            f"--a-column and --b-column"
        ) from None
    files = tuple(map(shown, request.files))
    systems = list(chosen or table.systems)
    if len(systems) == 1:
        more = f"; no systems are {first_few(table.others)}" if table.others else ""
        raise InputError(
            f"{first_few(files)}: found one system only, {systems[0]!r}, expected two or more{more}"
        )
    if request.unit == "cluster" and table.clusters is None:
        raise InputError(
            f"{first_few(files)}: --unit cluster: no clusters are known; name their column with "
            f"--cluster"
        )
    binary = _is_binary(table)
    names = _names(request, systems)
    notes = [*_same_inputs(request), *table.notes]
    if systems[0] == systems[1]:
        notes.append("A and B are the same column.")
    if table.others and not chosen:
        notes.append(f"Columns that were not used: {', '.join(map(repr, table.others))}.")
    pairs = [(0, 1)] if len(systems) == 2 else [(i, 0) for i in range(1, len(systems))]
    if table.clusters is not None and request.unit is None and request.cluster is None:
        notes.append(
            f"What is in a cluster ({table.cluster_column}) may hang together, so clusters are "
            f"exchanged whole; --unit unit exchanges single items."
        )
    comparisons = [
        _comparison(table, systems[a], systems[b], (names[a], names[b]), binary) for a, b in pairs
    ]
    if request.unit is not None:
        comparisons = [comparison.at(request.unit) for comparison in comparisons]
    source = Input(
        table.format,
        {},
        table=TableInput(
            files,
            tuple(map(shown, systems)),
            table.n_units,
            None if table.clusters is None else len(set(table.clusters)),
            table.id_column,
            table.cluster_column,
            table.gold_column,
        ),
        notes=tuple(notes),
        cautions=_different_items(table),
    )
    return TableComparisons(comparisons, source, _metrics(table, wanted, binary))
