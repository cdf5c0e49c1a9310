"""Tables of counts as documents."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from csig.base import wording
from csig.classical.contingency import AgreementTable, ConfusionTable
from csig.report.document import Document, Scalar, Table
from csig.report.forms import picked, record, table
from csig.report.shown import document_of

#: Labels whose matrix is printed; of more the most frequent confusions are.
WIDE = 12

#: Confusions that are listed, and labels.
FREQUENT = 20

#: Abbreviations among the measures; the rest are words.
_TITLES = {"f1": "F1", "macro_f1": "macro F1", "weighted_f1": "weighted F1", "mcc": "MCC"}


def _number(value: float) -> str:
    if math.isnan(value):
        return "undefined"
    return "infinite" if math.isinf(value) else f"{value:.4f}"


def _measures(measures: Mapping[str, float], names: Mapping[str, str]) -> Table:
    titles = {**_TITLES, **names}
    rows = [(titles.get(name, name.replace("_", " ")), _number(x)) for name, x in measures.items()]
    return table("measures", "n#", ("Measure", ""), rows)


def _finite(measures: Mapping[str, float]) -> dict[str, float | None]:
    """As JSON and data frames can hold them."""
    return {name: own if math.isfinite(own) else None for name, own in measures.items()}


def _binary(result: ConfusionTable) -> Table:
    tp, fp, fn, tn = map(wording.count, result.cells)
    wanted = str(result.positive)
    others = [str(label) for label in result.labels if label != result.positive]
    rest = others[0] if len(others) == 1 else "any other"
    headers = [("gold", ""), *((f"{result.name}: {label}", label) for label in (wanted, rest))]
    rows = [(wanted, f"TP {tp}", f"FN {fn}"), (rest, f"FP {fp}", f"TN {tn}")]
    return table("counts", "n##", headers, rows)


def _matrix(result: ConfusionTable) -> Table:
    labels, counts = list(map(str, result.labels)), result.counts.tolist()
    if len(labels) <= WIDE:
        title = f"Items by the gold's label (rows) and by that of {result.name} (columns)"
        rows = [
            (label, *map(wording.count, row)) for label, row in zip(labels, counts, strict=True)
        ]
        return table("counts", "n" + "#" * len(labels), ("gold", *labels), rows, title)
    found = [(n, i, k) for i, row in enumerate(counts) for k, n in enumerate(row) if n and i != k]
    found.sort(key=lambda own: -own[0])
    shown = [(labels[i], labels[k], wording.count(n)) for n, i, k in found[:FREQUENT]]
    title = "The most frequent confusions"
    return table("confusions", "nn#", ("gold", result.name, "items"), shown, title)


def _by_label(result: ConfusionTable) -> Table:
    rows = [
        (
            str(own.label),
            *map(wording.count, (own.gold, own.predicted, own.correct)),
            *map(_number, (own.recall, own.precision, own.f1)),
        )
        for own in sorted(result.by_label, key=lambda label: -label.gold)[:FREQUENT]
    ]
    headers = ("Label", "gold", result.name, "correct", "recall", "precision", "F1")
    return table("labels", "n######", headers, rows)


@document_of.register
def _(result: ConfusionTable) -> Document:
    items = wording.counted(result.n, "unit")
    labels, counts = list(map(str, result.labels)), result.counts.tolist()
    measures = _finite(result.measures)
    own: dict[str, Any] = {}
    rows: list[dict[str, Scalar]]
    if result.positive is None:
        tables = [_matrix(result), _by_label(result)]
        title = f"{result.name}: {wording.counted(len(labels), 'label')}, {items}"
        rows = [
            {"gold": one, "predicted": other, "n": n}
            for one, row in zip(labels, counts, strict=True)
            for other, n in zip(labels, row, strict=True)
        ]
    else:
        tables = [_binary(result)]
        title = f"{result.name}: {result.positive}, {items}"
        own = {"positive": str(result.positive)} | picked(result, "tp fp fn tn")
        rows = [own | measures]
    left_out = result.positive is None and len(labels) > FREQUENT
    return Document(
        title=title,
        tables=[*tables, _measures(result.measures, {})],
        notes=[f"The {FREQUENT} most frequent of {len(labels):,} labels."] if left_out else [],
        rows=rows,
        record=lambda: record(
            "ConfusionTable",
            name=result.name,
            labels=labels,
            counts=counts,
            **own,
            measures=measures,
        ),
    )


@document_of.register
def _(result: AgreementTable) -> Document:
    a, b = result.names
    counts, measures = picked(result, "both only_a only_b neither"), _finite(result.measures)
    cells = zip((f"{a} right", f"{a} wrong"), result.counts.tolist(), strict=True)
    rows = [(name, *map(wording.count, row)) for name, row in cells]
    names = {
        "accuracy_a": f"accuracy of {a}",
        "accuracy_b": f"accuracy of {b}",
        "difference": f"{a} - {b}",
        "odds_ratio": f"only {a} / only {b}",
    }
    return Document(
        title=f"{a} and {b}: {wording.counted(result.n, 'unit')}",
        tables=[
            table("counts", "n##", ("", f"{b} right", f"{b} wrong"), rows),
            _measures(result.measures, names),
        ],
        rows=[{"a": a, "b": b, **counts, **measures}],
        record=lambda: record("AgreementTable", names=result.names, **counts, measures=measures),
    )
