"""Classical tests and correlations as documents: a table of what and how much."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, NamedTuple

import numpy as np

from csig.base import wording
from csig.base.errors import InputError
from csig.classical.contingency import AgreementTable, ConfusionTable
from csig.classical.independent import CorrelationInterval
from csig.classical.paired import TestResult
from csig.classical.unpaired import UnpairedTest, UnpairedTests, unpaired_systems
from csig.readers.reading import baseline_of
from csig.readers.request import Request
from csig.readers.timings import read_runs
from csig.report.document import (
    Document,
    Row,
    Table,
    Text,
    Tone,
    flat,
    head,
    of_one,
    picked,
    plain,
    record,
    record_of_doubts,
    table,
)
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


#: What is compared, and what it is divided by its standard error for.
_COMPARED = {
    "mean": ("Means", "Welch's t"),
    "median": ("Medians", "the difference of medians, divided by its bootstrap standard error,"),
    "trimmed_mean": ("Means of the middle three fifths", "Yuen's t"),
}

#: What corrections make of p.
_CORRECTED = {
    "holm": "Holm-adjusted", "bonferroni": "Bonferroni-adjusted", "bh": "BH-adjusted",
    "by": "BY-adjusted",
}  # fmt: skip

#: Units of time, in seconds; and times so much longer than others have a unit of their own.
_UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))
_LONGER = 1000


def _scales(tests: UnpairedTests, times: bool) -> list[tuple[float, str]]:
    """What the numbers of each test are divided by, and what they are then."""
    if not times:
        return [(1.0, "")] * len(tests.tests)
    largest = [max(abs(own.score_a), abs(own.score_b)) for own in tests.tests]
    middle = sorted(largest)
    if middle[-1] <= _LONGER * middle[0]:
        largest = [middle[len(middle) // 2]] * len(largest)
    return [next((own for own in _UNITS if time >= own[0]), _UNITS[-1]) for time in largest]


def _verdict(test: UnpairedTest, alpha: float, times: bool) -> tuple[str, Tone]:
    if test.adjusted_pvalue > alpha:
        return "no evidence", "quiet"
    less, more = ("faster", "slower") if times else ("lower", "higher")
    tone: Tone = "plain" if not times else "better" if test.difference < 0 else "worse"
    return f"* {less if test.difference < 0 else more}", tone


def _answer(tests: UnpairedTests, times: bool) -> str:
    """How many are significantly faster and slower."""
    words = [_verdict(own, tests.alpha, times)[0] for own in tests.tests]
    level = f"({_CORRECTED[tests.correction]}, {wording.decimal(tests.alpha)})"
    if len(words) == 1:
        level = f"(p = {wording.pvalue(tests.tests[0].pvalue, alpha=tests.alpha)})"
    counts = {word[2:]: words.count(word) for word in dict.fromkeys(words) if word[0] == "*"}
    if len(tests.names) > 2:
        return (
            f"{sum(counts.values())} of {wording.counted(len(words), 'comparison')} of "
            f"{len(tests.names)} systems are significant {level}."
        )
    a, b = map(wording.clean, (tests.tests[0].system, tests.tests[0].baseline))
    if not counts:
        return f"No evidence of a difference between {a} and {b} {level}."
    if len(words) == 1:
        (own,) = tests.tests
        percent = f"{abs(100 * own.ratio - 100):.1f}"
        by = "" if percent in ("nan", "0.0") else f" by {percent}%"
        return f"{a} is significantly {next(iter(counts))} than {b}{by} {level}."
    several = wording.listed([f"{word} on {n}" for word, n in counts.items()])
    return f"{a} is significantly {several} of {len(words)} benchmarks than {b} {level}."


def _counts(tests: UnpairedTests, times: bool) -> Table:
    """From how many others each of several systems differs, over all benchmarks."""
    less, more = ("faster", "slower") if times else ("lower", "higher")
    rows: list[list[Text]] = []
    for name in tests.names:
        signs = [
            (own.difference < 0) == (own.system == name) if own.adjusted_pvalue <= tests.alpha
            else None
            for own in tests.tests if name in (own.system, own.baseline)
        ]  # fmt: skip
        rows.append([wording.clean(name), *(str(signs.count(own)) for own in (True, None, False))])
    heads = ("System", f"Significantly {less}", "no evidence", f"significantly {more}")
    return table("systems", "n###", heads, rows)


def _results(tests: UnpairedTests, times: bool) -> Table:
    """A row for each test."""
    level = f"{wording.decimal(100 * tests.confidence_level)}% interval"
    scales = _scales(tests, times)
    units, pair = len(set(scales)) > 1, len(tests.names) == 2
    rows: list[list[Text]] = []
    for own, (scale, unit) in zip(tests.tests, scales, strict=True):
        ends = own.interval and [end / scale for end in own.interval]
        b, a, difference = (v / scale for v in (own.score_b, own.score_a, own.difference))
        error = difference / own.statistic if own.statistic else None
        figures = wording.figures([b, a], errors=[error])
        interval = " to ".join(figures.score(end, sign=True) for end in ends) if ends else "-"
        rows.append([
            own.name, *([unit] * units), *([own.baseline, own.system] * (not pair)),
            figures.score(b), figures.score(a),
            "-" if math.isnan(own.ratio) else f"{own.ratio:.3f}",
            figures.difference(difference, sign=True), interval,
            wording.pvalue(own.adjusted_pvalue, alpha=tests.alpha),
            _verdict(own, tests.alpha, times),
        ])  # fmt: skip
    first = tests.tests[0]
    scores = map(wording.clean, (first.baseline, first.system)) if pair else ("from", "to")
    heads = (
        "Benchmark", *(["Unit"] * units), *(["Baseline", "System"] * (not pair)), *scores,
        "Ratio", "Difference", level, "p" if len(rows) == 1 else "adjusted p", "verdict",
    )  # fmt: skip
    return table("results", f"n{'t' * units}{'nn' * (not pair)}#####pv", heads, rows)


def _row(test: UnpairedTest) -> Row:
    """A test for programs."""
    low, high = test.interval or (None, None)
    row = flat({**asdict(test), "ratio": test.ratio})
    return {name: own for name, own in row.items() if name != "interval"} | {
        "low": low, "high": high
    }  # fmt: skip


@document_of.register
def document_of_unpaired(
    tests: UnpairedTests,
    *,
    times: bool = False,
    files: tuple[str, ...] = (),
    form: str = "",
    notes: tuple[str, ...] = (),
    doubts: tuple[str, ...] = (),
) -> Document:
    """The tests, with what was read for them."""
    compared, statistic = _COMPARED[tests.metric]
    drawn = max(own.n_resamples or 0 for own in tests.tests)
    lines = [f"Read as {form}."] * bool(form)
    units = {unit for _, unit in _scales(tests, times)}
    where = f" in {units.pop()}" if times and len(units) == 1 else ""
    lines += [f"{compared}{where}."] * bool(where or tests.metric != "mean")
    if drawn:
        seed = tests.seed.entropy
        lines.append(f"{wording.count(drawn)} divisions drawn, with the seed {seed}.")
    everything = [*tests.doubts, *doubts]
    meaning = (
        "p: over all divisions of both samples into two of these sizes (drawn, where they are too "
        f"many), how often {statistic} is as large; {_CORRECTED[tests.correction]} over all tests. "
        "The interval holds the shifts that the same test does not reject, each on its own."
    )

    def record() -> Mapping[str, Any]:
        return {
            **head("csig.unpaired"),
            "files": list(files),
            "format": form or None,
            "systems": list(tests.names),
            **picked(tests, "metric alternative correction alpha confidence_level"),
            "seed": asdict(tests.seed)
            | {
                "entropy": [
                    str(own) for own in np.atleast_1d(np.array(tests.seed.entropy, object))
                ],
                "spawn_key": list(tests.seed.spawn_key),
            },
            "tests": [plain({**asdict(own), "ratio": own.ratio}) for own in tests.tests],
            "doubts": record_of_doubts(everything),
        }

    return Document(
        title="Independent runs",
        doubts=everything,
        verdict=[_answer(tests, times)],
        tables=[_counts(tests, times)] * (len(tests.names) > 2) + [_results(tests, times)],
        notes=[*lines, *notes],
        explanation=[meaning],
        rows=[_row(own) for own in tests.tests],
        record=record,
    )


def document_of_files(
    request: Request, baseline: str | None = None, *, all_pairs: bool = False, **how: Any
) -> Document:
    """Runs of two systems or more; beside the first one, a named one, or in all pairs."""
    read = read_runs(request)
    names = list(read.systems)
    if baseline is not None:
        baseline = names[baseline_of(names, baseline)]
    elif not all_pairs:
        baseline = names[0]
    tests = unpaired_systems(read.systems, baseline=baseline, **how)
    return document_of_unpaired(
        tests, times=read.times, files=request.files, form=read.form, notes=tuple(read.notes),
        doubts=tuple(read.cautions),
    )  # fmt: skip
