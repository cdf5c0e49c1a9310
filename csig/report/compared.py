"""What was read and what the test swaps, in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction

from csig import wording
from csig.comparison import Comparison
from csig.readers.source import Input, TableInput
from csig.report.summary import Summary

__all__ = [
    "SHOWN_COLUMNS",
    "SHOWN_FILES",
    "of_each",
    "read_as",
    "source_line",
    "sums_of",
    "swapped",
]


#: Columns of statistics whose sums are shown, where they are not those of responses.
SHOWN_COLUMNS = 6

#: Files of a table that are named; --json has them all.
SHOWN_FILES = 3


def source_line(source: Input, unit: str = "unit") -> str:
    """The format, the size and the files; of a table its rows are called as is said."""
    if source.table is not None:
        return _table_source(source.format, source.table, unit)
    files = _few_files(source.files.values())
    if "b" not in source.files and source.systems:
        files = _few_files(dict.fromkeys([*source.files.values(), *source.systems]))
    if source.format == "counts":
        return f"counts ({files})"
    sizes = [
        wording.counted(n, noun)
        for noun, n in (
            ("document", source.n_documents),
            ("sentence", source.n_sentences),
            ("token", source.n_tokens),
        )
        if n is not None
    ]
    what = {
        "labels": "labels of tokens",
        "responses": "responses, one per line",
        "spans": "spans",
        "statistics": "a statistics table, one row per response",
        "tags": "tags",
    }.get(source.format, source.format)
    if source.documents:
        what += ", the first field a document id"
    if source.format == "tags":
        what += (
            " read by strict rules" if source.rules == "strict" else " read by conlleval's rules"
        )
        what += "" if source.scheme is None else f" ({wording.clean(source.scheme)})"
    if source.columns is not None:
        names = (source.columns.gold, source.columns.a, source.columns.b)
        files = f"columns {', '.join(map(wording.clean, names))} of {files}"
    return f"{', '.join([what, *sizes])} ({files})"


def _few_files(paths: Iterable[str]) -> str:
    return wording.few([wording.clean(path) for path in paths], SHOWN_FILES, "file")


_FORMAT_TITLES = {
    "counts": "a table of counts",
    "labels": "a table of labels",
    "lm-eval": "samples of lm-evaluation-harness",
    "scores": "a table of scores",
}


def _table_source(format_: str, table: TableInput, unit: str) -> str:
    """A table's format, size and files."""
    size = wording.counted(table.n_units, unit)
    if table.n_clusters is not None:
        size += f" in {wording.counted(table.n_clusters, 'cluster')}"
        if table.cluster_column is not None:
            size += f" by {wording.clean(table.cluster_column)}"
    if table.n_runs is not None:
        size += f", {wording.counted(table.n_runs, 'run')} of each system"
    files = _few_files(table.files)
    title = _FORMAT_TITLES.get(format_, format_)
    if format_ == "labels" and table.gold_column is None:  # the gold has a file of its own
        title = "labels, one per line"
    return f"{title}, {size} ({files})"


def read_as(source: Input) -> str:
    """What files were taken for; nothing where they were named as that.

    >>> read_as(Input("tags", {"gold": "g", "a": "a", "b": "b"}))
    'Read as tags.'
    """
    if source.table is None:
        named = source.format in ("counts", "statistics") or not source.files
        return "" if named else f"Read as {source.format}."
    if not source.table.files:
        return ""
    return f"Read as {_FORMAT_TITLES.get(source.format, source.format)}."


def of_each(summary: Summary, say: Callable[[Comparison], str]) -> str:
    """What is to be said of the comparison, or of every metric's, with its name."""
    if not summary.comparisons:
        return say(summary.comparison)
    found = {name: say(own) for name, own in summary.comparisons.items()}
    if len(set(found.values())) == 1:
        return next(iter(found.values()))
    return "; ".join(f"{wording.metric_title(name)}: {line}" for name, line in found.items())


def sums_of(comparison: Comparison, system: str) -> str:
    sums = comparison.sums(system)
    n_runs = 1 if comparison.runs is None else comparison.runs.n
    within = f", in {n_runs} runs" if n_runs > 1 else ""
    if {"tp", "predicted", "gold"} <= set(sums):
        return _responses(sums) + within
    if list(sums) == ["score", "n"] and n_runs > 1:  # n counts a unit once per run
        units = wording.counted(int(sums["n"]) // n_runs, "unit")
        return f"{units} in {n_runs} runs, total score {wording.amount(sums['score'])}"
    if {"correct", "items"} <= set(sums) and within:
        right, items = (wording.amount(sums[name]) for name in ("correct", "items"))
        return f"{right} of {items} correct{within}"
    return _sums(sums) + within


def _responses(sums: Mapping[str, int]) -> str:
    spurious = sums["predicted"] - sums["tp"]
    responses = wording.counted(sums["predicted"], "response")
    return f"{responses}, {wording.count(sums['tp'])} correct, {wording.count(spurious)} spurious"


def _sums(sums: Mapping[str, int | Fraction]) -> str:
    """Other statistics: the first few columns and their sums."""
    if {"correct", "items"} <= set(sums):
        items = sums["items"]
        noun = wording.noun("unit", int(items))
        return f"{wording.amount(sums['correct'])} of {wording.amount(items)} {noun} correct"
    if list(sums) == ["score", "n"]:
        noun = wording.noun("unit", int(sums["n"]))
        total = wording.amount(sums["score"])
        return f"{wording.amount(sums['n'])} {noun}, total score {total}"
    shown = [f"{wording.clean(column)} {wording.amount(total)}" for column, total in sums.items()]
    return wording.few(shown, SHOWN_COLUMNS, "column")


def swapped(comparison: Comparison) -> tuple[str, str]:
    """What the test swaps, and how much of it there is."""
    n = comparison.n_units
    if comparison.units is None:
        if n == 0:
            return "Unique", "none, the systems are identical"
        correct, spurious = comparison.responses
        return "Unique", (
            f"{wording.counted(n, 'response')} {'comes' if n == 1 else 'come'} from only one "
            f"system ({wording.count(correct.size)} correct, {wording.count(spurious.size)} "
            f"spurious); the test swaps {'it' if n == 1 else 'these'}"
        )
    total = comparison.units.n_total
    if total == 0:
        return "Units", f"there are no {wording.noun(comparison.unit, 0)}"
    counted = f"of {wording.counted(total, comparison.unit)}"
    if n == 0:
        return "Units", f"none {counted} differs"
    differ = "differs; the test swaps this one" if n == 1 else "differ; the test swaps these"
    return "Units", f"{wording.count(n)} {counted} {differ}"
