"""Classical tests and correlations as documents: a table of what and how much."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

from csig.base import wording
from csig.base.errors import InputError
from csig.classical.contingency import AgreementTable, ConfusionTable
from csig.classical.independent import CorrelationInterval
from csig.classical.paired import TestResult
from csig.report.document import Document, Table
from csig.report.forms import flat, of_one, picked, record, table
from csig.report.shown import document_of

#: What became of units without a difference.
_ZEROS = {
    "wilcox": "Units without a difference are left out.",
    "pratt": "Units without a difference are ranked, and their ranks are left out.",
    "zsplit": "Units without a difference are ranked, and each system has half of their ranks.",
}

#: Systems whose right items are printed.
_SYSTEMS = 45


class _Test(NamedTuple):
    """How the result of a test is shown; in titles and rows are fields, and words of `_words`."""

    kind: str  # of its record
    fields: str  # of its record, as `picked` takes them
    title: str
    rows: tuple[tuple[str, str], ...]  # what, and the field; one that is None has no row
    heading: str = ""  # of its table, where it is not the title


_P = ("p ({alternative})", "pvalue")
_DEGREES = ("degrees of freedom", "degrees_of_freedom")
_OF_T = (
    "difference standard_error statistic df=degrees_of_freedom pvalue interval confidence_level "
    "alternative assumes names"
)
_ROWS_OF_T = (
    ("standard error", "standard_error"), ("{level}% interval", "interval"),
    ("{letter}", "statistic"), _DEGREES, _P,
)  # fmt: skip
_FOLDS = _Test(
    "FoldTestResult", f"test n_folds {_OF_T}", "{Name} test: {folds}",
    (("mean of {a} - {b}", "difference"), *_ROWS_OF_T),
)  # fmt: skip
_INDEPENDENT = _Test(
    "IndependentTestResult",
    "test metric statistic pvalue df=degrees_of_freedom alternative assumes variant r12 "
    "r12_interval cost dependence",
    "{metric}: {form} test of independent samples",
    (("{letter}", "statistic"), _DEGREES, _P, ("r12", "r12")),
)

#: Every test by the name that its results have.
TESTS: Mapping[str, _Test] = {
    "sign": _Test(
        "SignTestResult", "metric unit n_a n_b pvalue alternative names", "Sign test of {metric}",
        (("{units} in which {a} is better", "n_a"), ("{units} in which {b} is better", "n_b"), _P),
    ),
    "paired t": _Test(
        "PairedTTestResult", f"metric unit n_units {_OF_T}", "Paired t test of {metric}: {counted}",
        (("{a} - {b}", "difference"), *_ROWS_OF_T),
    ),
    "Wilcoxon": _Test(
        "WilcoxonResult",
        "metric unit n_units n_zero rank_sum_a rank_sum_b z pvalue log_pvalue method zero_method "
        "alternative ties correction=continuity assumes names",
        "Wilcoxon test of {metric}: {counted}",
        (("rank sum, {a} greater", "rank_sum_a"), ("rank sum, {b} greater", "rank_sum_b"),
         ("{units} without a difference", "n_zero"), ("z", "z"), _P),
    ),
    "McNemar": _Test(
        "McNemarResult",
        "metric unit n_units n_a n_b statistic pvalue method correction=continuity alternative "
        "assumes names",
        "McNemar test of {metric}: {counted}",
        (("only {a}", "n_a"), ("only {b}", "n_b"), ("chi-square", "asymptotic"), _P),
    ),
    "Cochran's Q": _Test(
        "CochranResult",
        "n_units n_informative statistic df=degrees_of_freedom pvalue method exact_pvalue "
        "asymptotic_pvalue names right assumes",
        "{systems}, {counted}",
        (("Q", "statistic"), _DEGREES, ("informative items", "n_informative"),
         ("p (chi-square)", "asymptotic_pvalue")),
        "Cochran's Q test",
    ),
    **dict.fromkeys(("corrected resampled t", "k-fold t", "5x2cv t", "5x2cv F"), _FOLDS),
    **dict.fromkeys(("t", "proportions", "chi-square"), _INDEPENDENT),
}  # fmt: skip


def _number(value: float) -> str:
    return "undefined" if math.isnan(value) else f"{value:.4g}"


def _shown(field: str, value: Any, log: float | None) -> str:
    if "pvalue" in field:
        return "undefined" if math.isnan(value) else wording.pvalue(value, log)
    if field == "difference":
        return f"{value:+.4g}"
    if field == "interval":
        return f"{value[0]:.4g} to {value[1]:.4g}"
    if field.startswith("rank_sum"):
        return f"{value:.12g}"
    if field == "degrees_of_freedom":
        several = value if isinstance(value, tuple) else (value,)
        return wording.listed(
            [f"{own:,}" if isinstance(own, int) else f"{own:.2f}" for own in several]
        )
    return wording.count(value) if isinstance(value, int) else _number(value)


def _words(result: TestResult, own: Mapping[str, Any]) -> dict[str, str]:
    """What titles and rows of a test may name."""
    variants = {"Welch": "Welch's t", "unpooled": "unpooled proportions"}
    name, unit = result.test, own.get("unit", "unit")
    return {
        **dict(zip("ab", result.names, strict=False)),
        "Name": name[:1].upper() + name[1:],
        "letter": {"proportions": "z", "chi-square": name}.get(name, name[-1]),
        "form": variants.get(own.get("variant", ""), name),
        "metric": wording.metric_title(own.get("metric", "")),
        "units": wording.noun(unit, 2),
        "counted": wording.counted(own.get("n_units", 0), unit),
        "folds": wording.counted(own.get("n_folds", 0), "fold"),
        "systems": wording.counted(len(result.names), "system"),
        "level": wording.decimal(100 * (own.get("confidence_level") or 0)),
        "alternative": result.alternative,
    }


def _notes(result: TestResult) -> list[str]:
    """How p was found, what it assumes, and what to know beside."""
    corrected = ", corrected for continuity" if result.details.get("continuity") else ""
    if result.test == "sign":
        return ["Exact; ties do not count.", result.assumes]
    if result.test == "McNemar":
        how = {"exact": "Exact.", "mid-p": "Mid-p."}
        return [how.get(result.method, f"From chi-square{corrected}."), result.assumes]
    if result.test == "Wilcoxon":
        ties = ", given the ranks, ties included" if result.ties else ""
        how = {"exact": f"Exact{ties}.", "mid-p": f"Mid-p, exact{ties}."}
        zeros = [_ZEROS[result.zero_method]] if result.n_zero else []
        said = how.get(result.method, f"From the normal distribution{corrected}.")
        return [said, *zeros, result.assumes]
    if result.test == "Cochran's Q":
        which = "A small p-value says that some systems differ, and not which"
        return [wording.Line(f"{which}: csig.compare_systems does.", f"{which}."), result.assumes]
    yates = result.details.get("variant") == "Yates"
    independent = [result.dependence] if "dependence" in result.details else []
    return [*["Corrected for continuity (Yates)."] * yates, result.assumes, *independent]


@document_of.register
def _(result: TestResult) -> Document:
    if result.test not in TESTS:
        raise InputError(
            f"there is no report of a {result.test} test; csig.classical.report.TESTS says how "
            f"each is shown"
        )
    test = TESTS[result.test]
    own = {**vars(result), **result.details}
    if own.get("method") == "asymptotic":
        own["asymptotic"] = result.statistic
    words = _words(result, own)
    title = test.title.format_map(words)
    rows = [
        (what.format_map(words), _shown(field, own[field], own.get("log_pvalue")))
        for what, field in test.rows
        if own.get(field) is not None
    ]
    fields = picked(result, test.fields)
    if test is _FOLDS and not isinstance(fields["df"], tuple):
        fields["df"] = (fields["df"],)
    in_rows, beside = fields, []
    if result.test == "Cochran's Q":
        if result.exact_pvalue is not None:
            rows.insert(-1, ("p (exact)", wording.pvalue(result.exact_pvalue)))
        fields = {"n_systems": len(result.names)} | fields
        in_rows = {name: value for name, value in fields.items() if name != "assumes"}
        most = sorted(zip(result.names, result.right, strict=True), key=lambda row: -row[1])
        right = [
            (name, wording.count(n), wording.percent(n / result.n_units))
            for name, n in most[:_SYSTEMS]
        ]
        beside = [table("systems", "n##", ("System", "right", "%"), right)]
    return Document(
        title=title,
        tables=[table("result", "n#", (test.heading or title, ""), rows), *beside],
        notes=_notes(result),
        rows=[flat(in_rows)],
        record=lambda: record(test.kind, **fields),
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
