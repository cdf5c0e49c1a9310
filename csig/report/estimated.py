"""The intervals of ``csig interval`` as a document."""

from __future__ import annotations

from csig import wording
from csig.report import citation, sizes
from csig.report.cells import direction
from csig.report.compared import source_line
from csig.report.document import Cell, Column, Document, Scalar, Table
from csig.report.intervals import Estimates, Row
from csig.report.records import estimates_as_dict

__all__ = ["document_of_estimates"]


def _cells(row: Row, share: bool) -> list[Cell]:
    """A score in percent, or a difference in points; numbers that are no shares as they are."""
    difference, interval = len(row.systems) == 2, row.interval
    title = f"{row.title} (points)" if difference and share else row.title
    if difference:
        estimate = wording.score_difference(row.estimate, share, sign=True)
    else:
        estimate = wording.score(row.estimate, share)
    found = [Cell(title, "name", "strong"), Cell(estimate, "number")]
    if isinstance(interval, str):
        return [*found, Cell("no interval", "text", "quiet"), Cell(""), Cell("")]
    error = interval.standard_error
    return [
        *found,
        Cell(sizes.ends(interval, share, sign=difference), "interval"),
        Cell("" if error is None else wording.score_difference(error, share), "number"),
        Cell(wording.count(interval.n_units), "number"),
    ]


def _table(found: Estimates, metric: str) -> Table:
    """A metric's systems and differences."""
    rows = found.rows[metric]
    scores = [row.estimate for row in rows if len(row.systems) == 1]
    share = all(wording.in_percent(score, score, metric) for score in scores)
    title, said = wording.metric_title(metric), direction(metric, rows[0].greater_is_better)
    headers = (f"{sizes.level(found.options)} interval", "standard error", "units")
    return Table(
        name=f"intervals-{metric}",
        columns=[
            Column(f"{title}, {said}", "left", short=f"{title}\n{said}")
            if said
            else Column(title, "left"),
            Column("%" if share else "score"),
            *map(Column, headers),
        ],
        rows=[_cells(row, share) for row in rows],
    )


#: What a row for programs has of an interval.
_OF_INTERVAL = (
    "low",
    "high",
    "standard_error",
    "method",
    "n_units",
    "n_runs",
    "n_resamples",
    "instead",
)


def _row(metric: str, row: Row, found: Estimates) -> dict[str, Scalar]:
    interval = row.interval
    return {
        "metric": metric,
        "what": "score" if len(row.systems) == 1 else "difference",
        "system": row.systems[0],
        "minus": row.systems[1] if len(row.systems) == 2 else None,
        "estimate": row.estimate,
        "confidence_level": found.options.interval_level,
        "unit": found.unit,
        **{name: getattr(interval, name, None) for name in _OF_INTERVAL},
        "reason": interval if isinstance(interval, str) else None,
    }


def document_of_estimates(found: Estimates) -> Document:
    """The intervals of all scores and differences.

    Parameters
    ----------
    found : Estimates
        What `csig.report.intervals.estimated` made.
    """
    return Document(
        title=f"{sizes.level(found.options)} intervals of scores and differences",
        doubts=found.cautions,
        tables=[_table(found, metric) for metric in found.rows],
        notes=[f"Read as {source_line(found.input)}.", *found.notes],
        signature=found.signature,
        citation=citation.of_estimates(found),
        rows=[_row(metric, row, found) for metric, rows in found.rows.items() for row in rows],
        record=lambda: estimates_as_dict(found),
    )
