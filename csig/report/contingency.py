"""Tables of counts, and Cochran's test on many of them, as documents."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from csig import wording
from csig._version import __version__
from csig.cochran import CochranResult
from csig.contingency import AgreementTable, ConfusionTable
from csig.report.document import Cell, Column, Document, Scalar, Table
from csig.report.shown import document_of
from csig.report.single import plain

__all__ = ["FREQUENT", "WIDE"]

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
    rows = [
        [
            Cell(names.get(name) or _TITLES.get(name, name.replace("_", " ")), "name"),
            Cell(_number(value), "number"),
        ]
        for name, value in measures.items()
    ]
    return Table(name="measures", columns=[Column("Measure", "left"), Column("")], rows=rows)


def _finite(measures: Mapping[str, float]) -> dict[str, float | None]:
    """As JSON and data frames can hold them."""
    return {name: own if math.isfinite(own) else None for name, own in measures.items()}


def _record(kind: str, **own: Any) -> Mapping[str, Any]:
    return {
        "schema": "csig.results",
        "schema_version": 1,
        "csig_version": __version__,
        "results": [{"kind": kind, **plain(own)}],
    }


def _text(label: object) -> str:
    return str(label)


def _binary(result: ConfusionTable) -> Table:
    tp, fp, fn, tn = result.cells
    wanted = _text(result.positive)
    others = [_text(label) for label in result.labels if label != result.positive]
    rest = others[0] if len(others) == 1 else "any other"
    return Table(
        name="counts",
        columns=[
            Column("gold", "left"),
            Column(f"{result.name}: {wanted}", short=wanted),
            Column(f"{result.name}: {rest}", short=rest),
        ],
        rows=[
            [
                Cell(name, "name"),
                Cell(f"{first} {wording.count(x)}", "number"),
                Cell(f"{second} {wording.count(y)}", "number"),
            ]
            for name, (first, x), (second, y) in (
                (wanted, ("TP", tp), ("FN", fn)),
                (rest, ("FP", fp), ("TN", tn)),
            )
        ],
    )


def _matrix(result: ConfusionTable) -> Table:
    labels = [_text(label) for label in result.labels]
    if len(labels) <= WIDE:
        return Table(
            name="counts",
            title=f"Items by the gold's label (rows) and by that of {result.name} (columns)",
            columns=[Column("gold", "left"), *map(Column, labels)],
            rows=[
                [Cell(label, "name"), *(Cell(wording.count(n), "number") for n in row)]
                for label, row in zip(labels, result.counts.tolist(), strict=True)
            ],
        )
    found = [
        (n, i, k)
        for i, row in enumerate(result.counts.tolist())
        for k, n in enumerate(row)
        if n and i != k
    ]
    found.sort(key=lambda own: -own[0])
    return Table(
        name="confusions",
        title="The most frequent confusions",
        columns=[Column("gold", "left"), Column(result.name, "left"), Column("items")],
        rows=[
            [Cell(labels[i], "name"), Cell(labels[k], "name"), Cell(wording.count(n), "number")]
            for n, i, k in found[:FREQUENT]
        ],
    )


def _by_label(result: ConfusionTable) -> Table:
    own = sorted(result.by_label, key=lambda label: -label.gold)[:FREQUENT]
    columns = ("gold", result.name, "correct", "recall", "precision", "F1")
    return Table(
        name="labels",
        columns=[Column("Label", "left"), *map(Column, columns)],
        rows=[
            [
                Cell(_text(label.label), "name"),
                *(
                    Cell(wording.count(n), "number")
                    for n in (label.gold, label.predicted, label.correct)
                ),
                *(Cell(_number(x), "number") for x in (label.recall, label.precision, label.f1)),
            ]
            for label in own
        ],
    )


@document_of.register
def _(result: ConfusionTable) -> Document:
    measures = result.measures
    items = wording.counted(result.n, "unit")
    rows: list[dict[str, Scalar]]
    if result.positive is None:
        tables = [_matrix(result), _by_label(result), _measures(measures, {})]
        title = f"{result.name}: {wording.counted(len(result.labels), 'label')}, {items}"
        rows = [
            {"gold": _text(one), "predicted": _text(other), "n": n}
            for one, row in zip(result.labels, result.counts.tolist(), strict=True)
            for other, n in zip(result.labels, row, strict=True)
        ]
        own: dict[str, Any] = {}
    else:
        tables = [_binary(result), _measures(measures, {})]
        title = f"{result.name}: {_text(result.positive)}, {items}"
        cells = dict(zip(("tp", "fp", "fn", "tn"), result.cells, strict=True))
        own = {"positive": _text(result.positive), **cells}
        rows = [own | _finite(measures)]
    shown = min(len(result.labels), FREQUENT)
    left_out = result.positive is None and len(result.labels) > shown
    return Document(
        title=title,
        tables=tables,
        notes=[f"The {shown} most frequent of {len(result.labels):,} labels."] if left_out else [],
        rows=rows,
        record=lambda: _record(
            "ConfusionTable",
            name=result.name,
            labels=[_text(label) for label in result.labels],
            counts=result.counts.tolist(),
            **own,
            measures=_finite(measures),
        ),
    )


@document_of.register
def _(result: AgreementTable) -> Document:
    a, b = result.names
    counts = {
        "both": result.both,
        "only_a": result.only_a,
        "only_b": result.only_b,
        "neither": result.neither,
    }
    table = Table(
        name="counts",
        columns=[Column("", "left"), Column(f"{b} right"), Column(f"{b} wrong")],
        rows=[
            [Cell(name, "name"), *(Cell(wording.count(n), "number") for n in row)]
            for name, row in zip((f"{a} right", f"{a} wrong"), result.counts.tolist(), strict=True)
        ],
    )
    names = {"accuracy_a": f"accuracy of {a}", "accuracy_b": f"accuracy of {b}",
             "difference": f"{a} - {b}", "odds_ratio": f"only {a} / only {b}"}  # fmt: skip
    measures = result.measures
    return Document(
        title=f"{a} and {b}: {wording.counted(result.n, 'unit')}",
        tables=[table, _measures(measures, names)],
        rows=[{"a": a, "b": b, **counts, **_finite(measures)}],
        record=lambda: _record(
            "AgreementTable", names=result.names, **counts, measures=_finite(measures)
        ),
    )


#: Systems whose right items are printed.
SYSTEMS = 45


@document_of.register
def _(result: CochranResult) -> Document:
    rows = [
        ("Q", f"{result.statistic:.4g}"),
        ("degrees of freedom", wording.count(result.df)),
        ("informative items", wording.count(result.n_informative)),
        *([("p (exact)", wording.pvalue(result.exact_pvalue))]
          if result.exact_pvalue is not None else []),
        ("p (chi-square)", wording.pvalue(result.asymptotic_pvalue)),
    ]  # fmt: skip
    test = Table(
        name="result",
        columns=[Column("Cochran's Q test", "left"), Column("")],
        rows=[[Cell(what, "name"), Cell(number, "number")] for what, number in rows],
    )
    own = sorted(zip(result.names, result.right, strict=True), key=lambda row: -row[1])
    systems = Table(
        name="systems",
        columns=[Column("System", "left"), Column("right"), Column("%")],
        rows=[
            [
                Cell(name, "name"),
                Cell(wording.count(right), "number"),
                Cell(wording.percent(right / result.n_units), "number"),
            ]
            for name, right in own[:SYSTEMS]
        ],
    )
    fields = {
        "n_systems": len(result.names),
        "n_units": result.n_units,
        "n_informative": result.n_informative,
        "statistic": result.statistic,
        "df": result.df,
        "pvalue": result.pvalue,
        "method": result.method,
        "exact_pvalue": result.exact_pvalue,
        "asymptotic_pvalue": result.asymptotic_pvalue,
    }
    notes = [
        "A small p-value says that some systems differ, and not which: csig.compare_systems does.",
        result.assumes,
    ]
    many = wording.counted(len(result.names), "system")
    return Document(
        title=f"{many}, {wording.counted(result.n_units, 'unit')}",
        tables=[test, systems],
        notes=notes,
        rows=[fields],
        record=lambda: _record(
            "CochranResult", **fields, names=result.names, right=result.right,
            assumes=result.assumes,
        ),
    )  # fmt: skip
