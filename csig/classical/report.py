"""Classical tests and correlations as documents: a table of what and how much."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from csig.base import wording
from csig.classical.contingency import AgreementTable, ConfusionTable
from csig.classical.independent import CorrelationInterval
from csig.classical.paired import TestResult
from csig.probability.corrections import Corrected
from csig.report.document import Document, Table
from csig.report.forms import flat, of_one, picked, record, table
from csig.report.shown import document_of

Rows = list[tuple[str, str]]

#: What became of units without a difference.
_ZEROS = {
    "wilcox": "Units without a difference are left out.",
    "pratt": "Units without a difference are ranked, and their ranks are left out.",
    "zsplit": "Units without a difference are ranked, and each system has half of their ranks.",
}

#: Tests on folds of a cross-validation, and tests of independent samples.
_FOLDS = ("corrected resampled t", "k-fold t", "5x2cv t", "5x2cv F")
_INDEPENDENT = ("t", "proportions", "chi-square")

#: Systems whose right items are printed.
_SYSTEMS = 45

_OF_T = (
    "difference standard_error statistic df=degrees_of_freedom pvalue interval confidence_level "
    "alternative assumes names"
)
_OF_INDEPENDENT = (
    "IndependentTestResult",
    "test metric statistic pvalue df=degrees_of_freedom alternative assumes variant r12 "
    "r12_interval cost dependence",
)

#: The kind of every test's record, and its fields.
_RECORDS = {
    "sign": ("SignTestResult", "metric unit n_a n_b pvalue alternative names"),
    "paired t": ("PairedTTestResult", f"metric unit n_units {_OF_T}"),
    "Wilcoxon": (
        "WilcoxonResult",
        "metric unit n_units n_zero rank_sum_a rank_sum_b z pvalue log_pvalue method zero_method "
        "alternative ties correction=continuity assumes names",
    ),
    "McNemar": (
        "McNemarResult",
        "metric unit n_units n_a n_b statistic pvalue method correction=continuity alternative "
        "assumes names",
    ),
    "Cochran's Q": (
        "CochranResult",
        "n_units n_informative statistic df=degrees_of_freedom pvalue method exact_pvalue "
        "asymptotic_pvalue names right assumes",
    ),
    **dict.fromkeys(_FOLDS, ("FoldTestResult", f"test n_folds {_OF_T}")),
    **dict.fromkeys(_INDEPENDENT, _OF_INDEPENDENT),
}

#: The rows of every test before p: what, and the field. Of them {a} and {b} are the systems' names,
#: {units} is what units are called, {letter} that of the statistic; what is None has no row.
_ROWS: Mapping[str, Sequence[tuple[str, str]]] = {
    "sign": (("{units} in which {a} is better", "n_a"), ("{units} in which {b} is better", "n_b")),
    "Wilcoxon": (
        ("rank sum, {a} greater", "rank_sum_a"),
        ("rank sum, {b} greater", "rank_sum_b"),
        ("{units} without a difference", "n_zero"),
        ("z", "z"),
    ),
    "McNemar": (("only {a}", "n_a"), ("only {b}", "n_b"), ("chi-square", "asymptotic")),
    **dict.fromkeys(
        ("paired t", *_FOLDS),
        (
            ("{mean}{a} - {b}", "difference"),
            ("standard error", "standard_error"),
            ("{level} interval", "interval"),
            ("{letter}", "statistic"),
            ("degrees of freedom", "degrees_of_freedom"),
        ),
    ),
}


def _number(value: float) -> str:
    return "undefined" if value != value else f"{value:.4g}"


def _shown(field: str, value: Any) -> str:
    if field == "difference":
        return f"{value:+.4g}"
    if field == "interval":
        return f"{value[0]:.4g} to {value[1]:.4g}"
    if field.startswith("rank_sum"):
        return f"{value:.12g}"
    if isinstance(value, tuple):
        return wording.listed([wording.count(n) for n in value])
    return wording.count(value) if isinstance(value, int) else f"{value:.4g}"


def _of_test(result: TestResult, title: str, rows: Rows, notes: list[str]) -> Document:
    kind, names = _RECORDS[result.test]
    own = picked(result, names)
    if result.test in _FOLDS and not isinstance(own["df"], tuple):
        own["df"] = (own["df"],)
    return Document(
        title=title,
        tables=[table("result", "n#", (title, ""), rows)],
        notes=notes,
        rows=[flat(own)],
        record=lambda: record(kind, **own),
    )


@document_of.register
def _(result: TestResult) -> Document:
    if result.test == "Cochran's Q":
        return _of_cochran(result)
    if result.test in _INDEPENDENT:
        return _of_independent(result)
    own = {"interval": None, **vars(result), **result.details}
    if own.get("method") == "asymptotic":
        own["asymptotic"] = result.statistic
    words = {
        **dict(zip("ab", result.names, strict=True)),
        "letter": result.test[-1],
        "mean": "mean of " if result.test in _FOLDS else "",
        "units": wording.noun(own.get("unit", ""), 2),
        "level": f"{wording.decimal(100 * (own.get('confidence_level') or 0))}%",
    }
    rows = [
        (what.format(**words), _shown(field, own[field]))
        for what, field in _ROWS[result.test]
        if own.get(field) is not None
    ]
    p = wording.pvalue(result.pvalue, own.get("log_pvalue"))
    rows.append((f"p ({result.alternative})", p))

    notes = []
    corrected = ", corrected for continuity" if own.get("continuity") else ""
    if result.test == "sign":
        notes = ["Exact; ties do not count."]
    elif result.test == "McNemar":
        how = {"exact": "Exact.", "mid-p": "Mid-p."}
        notes = [how.get(result.method, f"From chi-square{corrected}.")]
    elif result.test == "Wilcoxon":
        ties = ", given the ranks, ties included" if result.ties else ""
        how = {"exact": f"Exact{ties}.", "mid-p": f"Mid-p, exact{ties}."}
        notes = [how.get(result.method, f"From the normal distribution{corrected}.")]
        notes += [_ZEROS[result.zero_method]] if result.n_zero else []

    title = f"{result.test[:1].upper()}{result.test[1:]} test"
    if result.test in _FOLDS:
        title += f": {wording.counted(result.n_folds, 'fold')}"
    else:
        title += f" of {wording.metric_title(result.metric)}"
        if result.test != "sign":
            title += f": {wording.counted(result.n_units, result.unit)}"
    return _of_test(result, title, rows, [*notes, result.assumes])


def _of_independent(result: TestResult) -> Document:
    df, defined = result.degrees_of_freedom, result.pvalue == result.pvalue
    name = "z" if result.test == "proportions" else result.test
    rows = [(name, f"{result.statistic:.4g}" if defined else "undefined")]
    if df is not None:
        rows.append(("degrees of freedom", f"{df:,}" if isinstance(df, int) else f"{df:.2f}"))
    p = wording.pvalue(result.pvalue) if defined else "undefined"
    rows.append((f"p ({result.alternative})", p))
    if result.r12 is not None:
        rows.append(("r12", _number(result.r12)))
    form = {"Welch": "Welch's t", "unpooled": "unpooled proportions"}
    title = (
        f"{wording.metric_title(result.metric)}: {form.get(result.variant, result.test)} test of "
        f"independent samples"
    )
    corrected = ["Corrected for continuity (Yates)."] if result.variant == "Yates" else []
    return _of_test(result, title, rows, [*corrected, result.assumes, result.dependence])


def _of_cochran(result: TestResult) -> Document:
    rows = [
        ("Q", f"{result.statistic:.4g}"),
        ("degrees of freedom", _shown("", result.degrees_of_freedom)),
        ("informative items", wording.count(result.n_informative)),
        ("p (chi-square)", wording.pvalue(result.asymptotic_pvalue)),
    ]
    if result.exact_pvalue is not None:
        rows.insert(3, ("p (exact)", wording.pvalue(result.exact_pvalue)))
    own = sorted(zip(result.names, result.right, strict=True), key=lambda row: -row[1])[:_SYSTEMS]
    right = [(name, wording.count(n), wording.percent(n / result.n_units)) for name, n in own]
    many = wording.counted(len(result.names), "system")
    found = {"n_systems": len(result.names)} | picked(result, _RECORDS[result.test][1])
    return Document(
        title=f"{many}, {wording.counted(result.n_units, 'unit')}",
        tables=[
            table("result", "n#", ("Cochran's Q test", ""), rows),
            table("systems", "n##", ("System", "right", "%"), right),
        ],
        notes=[
            "A small p-value says that some systems differ, and not which: csig.compare_systems "
            "does.",
            result.assumes,
        ],
        rows=[flat({name: own for name, own in found.items() if name != "assumes"})],
        record=lambda: record(_RECORDS[result.test][0], **found),
    )


#: How an interval for r12 was made.
_CORRELATIONS = {
    "phi": "Fisher's z with the spread of the 2 x 2 table, half an item added to every cell.",
    "fisher": "Fisher's z with the spread of the items' own results.",
    "none": "The items say nothing about r12: a system has the same result on all of them, or "
    "there are fewer than four.",
}


@document_of.register
def _(result: CorrelationInterval) -> Document:
    level = f"{wording.decimal(100 * result.confidence_level)}% interval"
    ends = f"{result.low:.4g} to {result.high:.4g}"
    items = wording.counted(result.n_items, "item")
    title = f"Correlation of the results ({wording.metric_name(result.metric)}): {items}"
    rows = [("r12", _number(result.estimate)), (level, ends)]
    return of_one(result, title, rows, [_CORRELATIONS[result.method]])


@document_of.register
def _(row: Corrected) -> Document:  # type: ignore[type-arg]
    rows = [
        ("p", wording.pvalue(row.pvalue, row.log_pvalue)),
        ("p after Holm's correction", wording.pvalue(row.adjusted_pvalue, row.log_adjusted_pvalue)),
        ("verdict", row.verdict),
    ]
    return of_one(row, str(row.name), rows)


#: Labels whose matrix is printed; of more the most frequent confusions are.
WIDE = 12

#: Confusions that are listed, and labels.
FREQUENT = 20

#: Abbreviations among the measures; the rest are words.
_TITLES = {"f1": "F1", "macro_f1": "macro F1", "weighted_f1": "weighted F1", "mcc": "MCC"}


def _decimals(value: float) -> str:
    if math.isnan(value):
        return "undefined"
    return "infinite" if math.isinf(value) else f"{value:.4f}"


def _measures(measures: Mapping[str, float], names: Mapping[str, str]) -> Table:
    titles = {**_TITLES, **names}
    rows = [
        (titles.get(name, name.replace("_", " ")), _decimals(x)) for name, x in measures.items()
    ]
    return table("measures", "n#", ("Measure", ""), rows)


def _finite(measures: Mapping[str, float]) -> dict[str, float | None]:
    """As JSON and data frames can hold them."""
    return {name: own if math.isfinite(own) else None for name, own in measures.items()}


@document_of.register
def _(result: ConfusionTable) -> Document:
    labels, counts = list(map(str, result.labels)), result.counts.tolist()
    items, measures = wording.counted(result.n, "unit"), _finite(result.measures)
    measured = _measures(result.measures, {})
    if result.positive is not None:
        tp, fp, fn, tn = map(wording.count, result.cells)
        wanted = str(result.positive)
        others = [label for label in labels if label != wanted]
        rest = others[0] if len(others) == 1 else "any other"
        headers = [("gold", ""), *((f"{result.name}: {label}", label) for label in (wanted, rest))]
        cells = [(wanted, f"TP {tp}", f"FN {fn}"), (rest, f"FP {fp}", f"TN {tn}")]
        own = {"positive": wanted} | picked(result, "tp fp fn tn")
        return Document(
            title=f"{result.name}: {wanted}, {items}",
            tables=[table("counts", "n##", headers, cells), measured],
            rows=[own | measures],
            record=lambda: record(
                "ConfusionTable", name=result.name, labels=labels, counts=counts, **own,
                measures=measures,
            ),
        )  # fmt: skip
    if len(labels) <= WIDE:
        title = f"Items by the gold's label (rows) and by that of {result.name} (columns)"
        matrix = [
            (label, *map(wording.count, row)) for label, row in zip(labels, counts, strict=True)
        ]
        first = table("counts", "n" + "#" * len(labels), ("gold", *labels), matrix, title)
    else:
        found = [
            (n, i, k) for i, row in enumerate(counts) for k, n in enumerate(row) if n and i != k
        ]
        found.sort(key=lambda own: -own[0])
        shown = [(labels[i], labels[k], wording.count(n)) for n, i, k in found[:FREQUENT]]
        title = "The most frequent confusions"
        first = table("confusions", "nn#", ("gold", result.name, "items"), shown, title)
    by_label = [
        (
            str(own.label),
            *map(wording.count, (own.gold, own.predicted, own.correct)),
            *map(_decimals, (own.recall, own.precision, own.f1)),
        )
        for own in sorted(result.by_label, key=lambda label: -label.gold)[:FREQUENT]
    ]
    heads = ("Label", "gold", result.name, "correct", "recall", "precision", "F1")
    left_out = len(labels) > FREQUENT
    return Document(
        title=f"{result.name}: {wording.counted(len(labels), 'label')}, {items}",
        tables=[first, table("labels", "n######", heads, by_label), measured],
        notes=[f"The {FREQUENT} most frequent of {len(labels):,} labels."] if left_out else [],
        rows=[
            {"gold": one, "predicted": other, "n": n}
            for one, row in zip(labels, counts, strict=True)
            for other, n in zip(labels, row, strict=True)
        ],
        record=lambda: record(
            "ConfusionTable", name=result.name, labels=labels, counts=counts, measures=measures
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
