"""The intervals of ``csig interval`` as a document."""

from __future__ import annotations

from csig.answers.records import estimates_as_dict
from csig.base import wording
from csig.comparing import sizes
from csig.comparing.described import source_line
from csig.comparing.estimates import Estimates, Row
from csig.comparing.signature import Methods
from csig.report.document import Cell, Document, Scalar, Table
from csig.report.forms import Text, table

#: What a row for programs has of an interval.
_OF_INTERVAL = (
    "low", "high", "standard_error", "method", "n_units", "n_runs", "n_resamples", "instead",
)  # fmt: skip


def _table(found: Estimates, metric: str) -> Table:
    """A metric's systems and differences, of shares in percent and points."""
    rows = found.rows[metric]
    scores = [row.estimate for row in rows if len(row.systems) == 1]
    share = all(wording.in_percent(score, score, metric) for score in scores)
    cells: list[list[Text]] = []
    for row in rows:
        difference, interval = len(row.systems) == 2, row.interval
        name = row.title + " (points)" * (difference and share)
        estimate = wording.score(row.estimate, share)
        if difference:
            estimate = wording.score_difference(row.estimate, share, sign=True)
        cells.append([(name, "strong"), estimate])
        if isinstance(interval, str):
            cells[-1] += [Cell("no interval", "text", "quiet"), Cell(""), Cell("")]
            continue
        error = interval.standard_error
        cells[-1] += [
            sizes.ends(interval, share, sign=difference),
            "" if error is None else wording.score_difference(error, share),
            wording.count(interval.n_units),
        ]
    title, said = wording.metric_title(metric), sizes.direction(metric, rows[0].greater_is_better)
    headers = [
        (f"{title}, {said}", f"{title}\n{said}") if said else title,
        "%" if share else "score",
        f"{sizes.level(found.options)} interval",
        "standard error",
        "units",
    ]
    return table(f"intervals-{metric}", "n#i##", headers, cells)


def _row(metric: str, row: Row, found: Estimates) -> dict[str, Scalar]:
    interval = row.interval
    return {
        "metric": metric,
        "what": "score" if len(row.systems) == 1 else "difference",
        "system": row.systems[0],
        "minus": row.systems[1] if len(row.systems) == 2 else None,
        "estimate": row.estimate,
        "confidence_level": found.options.confidence_level,
        "unit": found.unit,
        **{name: getattr(interval, name, None) for name in _OF_INTERVAL},
        "reason": interval if isinstance(interval, str) else None,
    }


def document_of_estimates(found: Estimates) -> Document:
    """The intervals of all scores and differences."""
    methods, level = Methods(), found.options.confidence_level
    methods.intervals((row.interval for rows in found.rows.values() for row in rows), level)
    return Document(
        title=f"{sizes.level(found.options)} intervals of scores and differences",
        doubts=found.cautions,
        tables=[_table(found, metric) for metric in found.rows],
        notes=[f"Read as {source_line(found.input)}.", *found.notes],
        signature=found.signature,
        citation=methods.end(),
        rows=[_row(metric, row, found) for metric, rows in found.rows.items() for row in rows],
        record=lambda: estimates_as_dict(found),
    )
