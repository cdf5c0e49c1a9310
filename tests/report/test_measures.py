"""Classical tests, tables of counts, correlations, effects and runs as documents."""

from __future__ import annotations

import csv
import io
import json
import math

import pytest

import csig
from csig import classical
from csig.classical.report import FREQUENT, WIDE
from csig.report.shown import document_of

NAMES = ("new", "base")
RUNS = csig.Comparison.from_scores(
    [[1, 0, 1, 1, 1, 0], [1, 1, 1, 1, 0, 1], [0, 0, 1, 1, 1, 1]],
    [[0, 0, 1, 0, 1, 0], [1, 0, 1, 0, 0, 0], [0, 0, 1, 1, 1, 0]],
    names=NAMES,
)
RIGHT = csig.Comparison.from_scores([1, 1, 1, 0, 0], [1, 0, 0, 1, 0], names=NAMES)
SCORES = csig.Comparison.from_scores([3, 1, 4, 1, 5], [2, 1, 1, 3, 0], names=NAMES)
LABELS = csig.Comparison.from_labels(*map(list, ("xxy", "xxx", "xyy")))
FIVE = [[0.02, 0.01], [0.03, 0.00], [0.01, 0.02], [0.04, 0.02], [0.01, 0.01]]
SAME = csig.Comparison.from_scores([1, 1], [1, 1])

GOLD, SAID = list("TFFTFFTTTF"), list("TTTFFFTTTT")
WORDS = classical.confusion_table(GOLD, SAID, positive="T", name="new & old")
SEVERAL = classical.confusion_table(list("xxyyz"), list("xyyyx"), name="new")
PAIR = classical.agreement_table(GOLD, SAID, list("TFFTFTTTTF"), names=NAMES)
Q = classical.cochran_q_test({"a": [1, 1, 0, 1], "b": [0, 1, 0, 0], "c": [0, 1, 1, 1]})

INDEPENDENT = classical.independent_t_test(RIGHT)
SIGN = classical.sign_test(RIGHT)
T = classical.paired_t_test(SCORES)
WILCOXON = classical.wilcoxon_test(SCORES)
PRATT = classical.wilcoxon_test(SCORES, zero_method="pratt", method="asymptotic", continuity=True)
MCNEMAR = classical.mcnemar_test(RIGHT)
FOLDS = classical.resampled_t_test([0.3, 0.1, 0.2], n_train=9, n_test=1)
CV52 = classical.cv52_f_test(FIVE)
ROUGH = classical.mcnemar_test(RIGHT, method="asymptotic")
KFOLD = classical.kfold_t_test([0.3, 0.1, 0.2])
TESTS = [SIGN, T, WILCOXON, PRATT, MCNEMAR, ROUGH, KFOLD, FOLDS, classical.cv52_t_test(FIVE), CV52]
EFFECT = csig.effects.effect(RIGHT, "mean")
CORRELATION = classical.correlation_interval(RIGHT)
VARIANCE = csig.intervals.run_variance(RUNS, "mean")
HOLM, _ = classical.holm({"x": 0.01, "y": 0.4})
WELCH = classical.independent_t_test(
    csig.Comparison.from_scores([1, 2, 9], [1, 1, 2]), equal_variances=False
)


def cells(table):
    return [[cell.text for cell in row] for row in table.rows]


def shown(result, table=0):
    """What the rows of a table say of what."""
    return {row[0]: row[1] for row in cells(document_of(result).tables[table])}


@pytest.mark.parametrize(("result", "line", "rows"), [
    (INDEPENDENT, "mean: t = ", {"r12": "-0.1667", "degrees of freedom": "8"}),
    (classical.independent_t_test(SAME), None, {"t": "undefined"}),
    (WELCH, None, {"degrees of freedom": "2.07"}),
    (CORRELATION, None, {"r12": "-0.1667",
                         "95% interval": f"{CORRELATION.low:.4g} to {CORRELATION.high:.4g}"}),
    (VARIANCE, "mean: standard error 0.1217, 0% of the variance",
     {"new: between runs": "0.09623"}),
    (HOLM, "x: p = 0.0200 after Holm's correction, significant>",
     {"p after Holm's correction": "0.0200"}),
    (SIGN, "mean: new is better on 2 items, base on 1, p = 1>",
     {"items in which new is better": "2"}),
    (T, "mean: new - base = +1.4, t = 1.159, p = 0.311 (5 items)>",
     {"95% interval": "-1.955 to 4.755", "degrees of freedom": "4"}),
    (MCNEMAR, None, {"only new": "2", "only base": "1", "p (two-sided)": "1"}),
    (ROUGH, None, {"chi-square": "0.3333"}),
    (KFOLD, None, {"mean of A - B": "+0.2"}),
    (CV52, "5x2cv F test: A - B = +0.017, F = 2.733, p = ", {"degrees of freedom": "10 and 5"}),
    (Q, "3 systems, 4 items: Q = 2.667, p = 0.444 (exact)>",
     {"Q": "2.667", "degrees of freedom": "2", "informative items": "3", "p (exact)": "0.444"}),
])  # fmt: skip
def test_the_line_and_the_rows(result, line, rows):
    kind = type(result).__name__
    assert line is None or repr(result).startswith(f"<{kind} {line}")
    assert shown(result).items() >= rows.items()


def test_all_rows():
    assert shown(EFFECT) == {
        "new better": "2 (40.0%)", "base better": "1 (20.0%)", "neither": "2", "both right": "1",
        "only new right": "2", "only base right": "1", "neither right": "1",
    }  # fmt: skip
    assert shown(WILCOXON) == {
        "rank sum, new greater": "8", "rank sum, base greater": "2",
        "items without a difference": "1", "z": "1.095", "p (two-sided)": "0.375",
    }  # fmt: skip
    constant = classical.correlation_interval(csig.Comparison.from_scores([1] * 5, [1, 2, 3, 4, 5]))
    assert shown(constant) == {"r12": "undefined", "95% interval": "-1 to 1"}
    assert constant.to_dict()["results"][0]["estimate"] is None
    assert repr(EFFECT) == "<Effect mean: new is better on 2 of 5 items, base on 1>"
    assert EFFECT.to_frame("pandas")["a_better"].tolist() == [2]
    assert repr(WELCH).endswith("(t test, Welch)>")
    one = csig.Comparison.from_scores([[1, 0, 1]], [[0, 0, 1]], id=[1, 2, 3])
    assert "A: between runs" not in shown(csig.intervals.run_variance(one, "mean"))
    rough = classical.cochran_q_test({"a": [1, 0], "b": [0, 1]}, method="asymptotic")
    assert "p (exact)" not in shown(rough)


@pytest.mark.parametrize(("result", "said"), [
    (INDEPENDENT, INDEPENDENT.assumes),
    (INDEPENDENT, INDEPENDENT.dependence),
    (classical.chi_square_test(LABELS, "accuracy", continuity=True),
     "Corrected for continuity (Yates)."),
    (CORRELATION, "half an item added"),
    (VARIANCE, "6 items, 3 runs of each system."),
    (SIGN, "Exact; ties do not count."),
    (WILCOXON, "Exact. Units without a difference are left out."),
    (PRATT, "From the normal distribution, corrected for continuity."),
    (PRATT, "their ranks are left out"),
    (Q, "and not which"),
    *((own, own.assumes) for own in TESTS),
])  # fmt: skip
def test_what_is_said_of_them(result, said):
    assert said in " ".join(str(result).split())


UNPOOLED = classical.proportions_test(LABELS, "accuracy", pooled=False)


@pytest.mark.parametrize(("result", "title"), [
    (WELCH, "Mean: Welch's t test of independent samples"),
    (T, "Paired t test of Mean: 5 items"),
    (FOLDS, "Corrected resampled t test: 3 folds"),
    (UNPOOLED, "Accuracy: unpooled proportions test of independent samples"),
])  # fmt: skip
def test_titles(result, title):
    assert document_of(result).title == title


def test_records_and_frames():
    """What is undefined is null."""
    assert SIGN.to_dict()["results"] == [
        {"kind": "SignTestResult", "metric": "mean", "unit": "unit", "n_a": 2, "n_b": 1}
        | {"pvalue": 1.0, "alternative": "two-sided", "names": ["new", "base"]}
    ]
    assert [*document_of(SIGN).rows[0]] == ["metric", "unit", "n_a", "n_b", "pvalue", "alternative"]
    same = classical.independent_t_test(SAME)
    assert "p = undefined" in repr(same)
    undefined = same.to_dict()["results"][0]
    yates = classical.chi_square_test(LABELS, "accuracy", continuity=True).to_dict()["results"][0]
    assert undefined["pvalue"] is yates["r12_interval"] is None
    for result in TESTS:
        assert result.assumes.endswith(".")
        assert result.to_frame("pandas")["pvalue"].tolist() == [result.pvalue]
        assert result.to_dict()["results"][0]["pvalue"] == result.pvalue
        assert len(repr(result)) <= 100


def test_every_format_of_every_kind():
    kinds = [EFFECT, INDEPENDENT, CORRELATION, VARIANCE, *TESTS, WORDS, SEVERAL, PAIR, Q]
    escaped = {"html": "&amp; old", "latex": r"\& old"}
    for form in ("text", "markdown", "latex", "csv", "json", "html"):
        for result in kinds:
            assert result.summary(form).endswith("\n")
        assert escaped.get(form, "") in WORDS.summary(form)


# ---- tables of counts ----------------------------------------------------------------------------


def test_true_and_false_positives_and_negatives():
    counts, _ = document_of(WORDS).tables
    assert [column.header for column in counts.columns] == ["gold", "new & old: T", "new & old: F"]
    assert cells(counts) == [["T", "TP 4", "FN 1"], ["F", "FP 3", "TN 2"]]
    expected = {"F1": "0.6667", "MCC": "0.2182", "negative predictive value": "0.6667"}
    assert shown(WORDS, 1).items() >= expected.items()
    assert repr(WORDS) == "<ConfusionTable T: TP 4, FP 3, FN 1, TN 2>"
    (record,) = WORDS.to_dict()["results"]
    assert [record[name] for name in ("tp", "fp", "fn", "tn")] == [4, 3, 1, 2]
    assert record["counts"] == [[2, 3], [1, 4]]
    assert WORDS.to_frame("pandas")["tp"].tolist() == [4]
    rest = document_of(SEVERAL.of("x")).tables[0]
    assert cells(rest) == [["x", "TP 1", "FN 1"], ["any other", "FP 1", "TN 2"]]


def test_what_is_not_defined_is_said():
    never = classical.confusion_table(["T", "T"], ["F", "F"], positive="T")
    assert shown(never, 1).items() >= {"precision": "undefined", "recall": "0.0000"}.items()
    right = classical.confusion_table(["T", "F"], ["T", "F"], positive="T")
    assert right.measures["odds_ratio"] == math.inf
    assert shown(right, 1)["odds ratio"] == "infinite"
    for own, name in ((never, "precision"), (right, "odds_ratio")):
        assert json.loads(own.summary("json"))["results"][0]["measures"][name] is None


def test_a_matrix():
    counts, by_label, _ = document_of(SEVERAL).tables
    assert cells(counts) == [["x", "1", "1", "0"], ["y", "0", "2", "0"], ["z", "1", "0", "0"]]
    assert ["y", "2", "3", "2", "1.0000", "0.6667", "0.8000"] in cells(by_label)
    assert ["z", "1", "0", "0", "0.0000", "undefined", "0.0000"] in cells(by_label)
    assert shown(SEVERAL, 2)["macro F1"] == "0.4333"
    assert repr(SEVERAL) == "<ConfusionTable 3 labels: 3 of 5 items right>"
    rows = list(csv.DictReader(io.StringIO(SEVERAL.summary("csv"))))
    assert len(rows) == 9
    assert {"gold": "z", "predicted": "x", "n": "1"} in rows


def test_many_labels_have_their_most_frequent_confusions():
    n = max(WIDE, FREQUENT) + 3
    gold = [*range(n), *[7] * 5, *[8] * 3]
    said = [*range(n), *[9] * 5, *[1] * 3]
    document = document_of(classical.confusion_table(gold, said))
    assert cells(document.tables[0]) == [["7", "9", "5"], ["8", "1", "3"]]
    assert len(document.tables[1].rows) == FREQUENT
    assert document.notes == [f"The {FREQUENT} most frequent of {n} labels."]


def test_two_systems_and_several():
    counts, _ = document_of(PAIR).tables
    assert cells(counts) == [["new right", "5", "1"], ["new wrong", "4", "0"]]
    assert shown(PAIR, 1)["only new / only base"] == "0.2500"
    assert repr(PAIR) == "<AgreementTable both right 5, only new 1, only base 4, neither 0>"
    (record,) = PAIR.to_dict()["results"]
    assert (record["kind"], record["names"]) == ("AgreementTable", ["new", "base"])
    assert cells(document_of(Q).tables[1])[0] == ["a", "3", "75.00"]
    assert Q.to_dict()["results"][0]["names"] == ["a", "b", "c"]
