"""What was read: in a line of every report, and as the document of ``csig describe``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from csig._version import __version__
from csig.base import wording
from csig.comparing import verdict
from csig.readers.forms import FORMS
from csig.readers.reading import Reading
from csig.readers.request import Input
from csig.report.document import Document, Scalar, Table, Text, table
from csig.report.shown import document_of

if TYPE_CHECKING:
    from csig.readers.data import Data
    from csig.readers.describe import ColumnRow, Description

#: Files and labels that are listed (the record has them all), characters of an example's cell.
SHOWN_FILES, SHOWN_LABELS, SHOWN_CELL = 3, 40, 24

_FORMAT_TITLES = {
    **{name: form.name for name, form in FORMS.items()},
    "counts": "a table of counts",
    "labels": "a table of labels",
    "scores": "a table of scores",
}


def _few_files(paths: Iterable[str]) -> str:
    return wording.few([wording.clean(path) for path in paths], SHOWN_FILES, "file")


def source_line(source: Input, unit: str | None = None) -> str:
    """The format, the size and the files; `unit` is what the rows of a table are called."""
    if source.table is not None:
        given = source.table
        own, cluster = given.called
        size = wording.counted(given.n_units, unit or own)
        if given.n_clusters is not None:
            size += f" in {wording.counted(given.n_clusters, cluster)}"
            if cluster == "cluster" and given.cluster_column is not None:
                size += f" by {wording.clean(given.cluster_column)}"
        if given.n_runs is not None:
            size += f", {wording.counted(given.n_runs, 'run')} of each system"
        title = _FORMAT_TITLES.get(source.format, source.format)
        if source.format == "labels" and given.gold_column is None:  # the gold has its own file
            title = "labels, one per line"
        return f"{title}, {size} ({_few_files(given.files)})"
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


def read_as(source: Input) -> str:
    """What files were taken for; nothing where they were named as that, or the test names them.

    >>> read_as(Input("tags", {"gold": "g", "a": "a", "b": "b"}))
    'Read as tags.'
    """
    if source.table is None:
        alone = source.format == "responses" and not source.documents
        named = source.format in ("counts", "statistics") or alone or not source.files
        return "" if named else f"Read as {source.format}."
    title = _FORMAT_TITLES.get(source.format, source.format)
    return f"Read as {title}." if source.table.files else ""


def columns_table(columns: Sequence[ColumnRow]) -> Table:
    """One row per column of the table: its cells, its role, its first values."""
    rows: list[list[Text]] = [
        [
            (row.column or "(no name)", "strong"),
            row.kind,
            row.role,
            ", ".join(value[:SHOWN_CELL] for value in row.values),
        ]
        for row in columns
    ]
    return table("columns", "nttt", ("Column", "Cells", "Read as", "Values"), rows)


def _systems(found: Description) -> Table:
    """Every system's sums and scores."""
    counts, scores = list(found.systems[0].counts), list(found.systems[0].scores)
    known = all(row.shares is not False for row in found.systems)
    figures = {}
    for name in scores:
        values = [row.scores[name] for row in found.systems]
        errors = [row.errors.get(name) for row in found.systems]
        figures[name] = wording.figures(values, wording.in_percent(values, name, known), errors)
    headers = [wording.clean(name.capitalize()) for name in counts]
    headers += [wording.metric_title(name) + "\n%" * own.percents for name, own in figures.items()]
    rows: list[list[Text]] = [
        [
            (row.system, "strong"),
            *(wording.count(row.counts[name]) for name in counts),
            *(own.score(row.scores[name]) for name, own in figures.items()),
        ]
        for row in found.systems
    ]
    return table("systems", "n" + "#" * len(headers), ["System", *headers], rows)


def _labels(found: Description) -> Table:
    """How often each label is in the gold, what each system makes of it, and its F1."""
    names = [row.system for row in found.systems]
    headers = ["Label", "Gold"]
    for name in map(wording.clean, names):
        # A system's name stands over what was found and over F1; R and P are between these.
        whole = [f"{name}\nfound", "\nR", "\nP", f"{name}\nF1"]
        headers += whole if len(names) <= 2 else whole[3:]
    rows: list[list[Text]] = []
    for row in found.labels[:SHOWN_LABELS]:
        rows.append([(row.label, "strong"), wording.count(row.gold)])
        for name in names:
            right, said = row.correct[name], row.predicted[name]
            shares = [
                wording.percent(right / below) if below else "-"
                for below in (row.gold, said, (row.gold + said) / 2)
            ]
            rows[-1] += [wording.count(said), *shares] if len(names) <= 2 else shares[2:]
    title = "Labels; recall R, precision P and F1 in percent"
    return table("labels", "n" + "#" * (len(headers) - 1), headers, rows, title)


def _rows(found: Description) -> list[dict[str, Scalar]]:
    """One row per system, and per label and system."""
    sums = dict.fromkeys([*found.systems[0].counts, *found.systems[0].scores])
    of_label = dict.fromkeys(("label_gold", "label_found", "label_correct"))
    rows: list[dict[str, Scalar]] = [
        {"system": own.system, "label": None, **sums, **own.counts, **own.scores, **of_label}
        for own in found.systems
    ]
    for label in found.labels:
        for own in found.systems:
            rows.append({
                "system": own.system,
                "label": label.label,
                **sums,
                "label_gold": label.gold,
                "label_found": label.predicted[own.system],
                "label_correct": label.correct[own.system],
            })  # fmt: skip
    return rows


def doubts_of_pairs(data: Data, lower_is_better: bool | None = None) -> list[str]:
    """What csig compare doubts in the data, before any metric is looked at."""
    reading = Reading(data, lower_is_better=lower_is_better)
    pairs = reading.pairs if len(data.names) > 1 else ()
    found = verdict.gathered(
        (line, wording.clean(data.names[one]))
        for one, other in pairs
        for wanted, comparison in reading.tests(one, other)
        for line in verdict.of_data(
            comparison,
            {own if isinstance(own, str) else own.name: comparison.n_units for own in wanted},
        )
    )
    return [
        line
        if len(names) == len(pairs) or getattr(line, "code", "") == "roles"
        else wording.about([*dict.fromkeys(names)], line)
        for line, names in found.items()
    ]


@document_of.register
def _(reading: Reading) -> Document:
    return document_of_description(reading.describe())


def document_of_description(found: Description, command: str = "") -> Document:
    """What was read, before anything is tested; `command` reads the same."""
    source = source_line(found.input)
    units = [wording.counted(n, unit) for unit, n in found.units.items()]
    said = [text for text in units if text not in source]
    if found.gold is not None:
        said.append(f"{wording.count(found.gold)} in the gold")

    def record() -> dict[str, Any]:
        from csig.readers.describe import as_dict  # for those who want one

        return as_dict(found, __version__)

    more = len(found.labels) - SHOWN_LABELS
    there = f"{wording.count(more)} more labels are in the record"
    rest = [wording.Line(f"{there} (--json).", f"{there}.")] if more > 0 else []
    return Document(
        title="What was read",
        doubts=found.suspicious,
        verdict=[f"Read as {source}{': ' * bool(said)}{', '.join(said)}."],
        tables=[
            *([columns_table(found.columns)] if found.columns else []),
            _systems(found),
            *([_labels(found)] if found.labels else []),
        ],
        notes=[
            *rest,
            *found.notes,
            *([wording.Line("The command below reads the same.")] if command else []),
        ],
        signature=command,
        rows=_rows(found),
        record=record,
    )
