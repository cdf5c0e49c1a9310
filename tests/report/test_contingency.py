"""Tables of counts and Cochran's test as documents."""

import csv
import io
import json
import math

import pytest

import csig
from csig.classical.report import FREQUENT, WIDE
from csig.report.shown import document_of

GOLD, SAID = list("TFFTFFTTTF"), list("TTTFFFTTTT")
WORDS = csig.classical.confusion_table(GOLD, SAID, positive="T", name="new & old")
SEVERAL = csig.classical.confusion_table(list("xxyyz"), list("xyyyx"), name="new")
PAIR = csig.classical.agreement_table(GOLD, SAID, list("TFFTFTTTTF"), names=("new", "base"))
Q = csig.classical.cochran_q_test({"a": [1, 1, 0, 1], "b": [0, 1, 0, 0], "c": [0, 1, 1, 1]})


def cells(table):
    return [[cell.text for cell in row] for row in table.rows]


def test_true_and_false_positives_and_negatives():
    counts, measures = document_of(WORDS).tables
    assert [column.header for column in counts.columns] == ["gold", "new & old: T", "new & old: F"]
    assert cells(counts) == [["T", "TP 4", "FN 1"], ["F", "FP 3", "TN 2"]]
    shown = dict(cells(measures))
    assert (shown["F1"], shown["MCC"]) == ("0.6667", "0.2182")
    assert shown["negative predictive value"] == "0.6667"
    assert repr(WORDS) == "<ConfusionTable T: TP 4, FP 3, FN 1, TN 2>"
    (record,) = WORDS.to_dict()["results"]
    assert (record["tp"], record["fp"], record["fn"], record["tn"]) == (4, 3, 1, 2)
    assert record["counts"] == [[2, 3], [1, 4]]
    assert WORDS.to_frame("pandas")["tp"].tolist() == [4]
    rest = document_of(SEVERAL.of("x")).tables[0]
    assert cells(rest) == [["x", "TP 1", "FN 1"], ["any other", "FP 1", "TN 2"]]


def test_what_is_not_defined_is_said():
    never = csig.classical.confusion_table(["T", "T"], ["F", "F"], positive="T")
    shown = dict(cells(document_of(never).tables[1]))
    assert (shown["precision"], shown["recall"]) == ("undefined", "0.0000")
    (record,) = json.loads(never.summary("json"))["results"]
    assert record["measures"]["precision"] is None
    all_right = csig.classical.confusion_table(["T", "F"], ["T", "F"], positive="T")
    assert all_right.measures["odds_ratio"] == math.inf
    assert dict(cells(document_of(all_right).tables[1]))["odds ratio"] == "infinite"
    assert json.loads(all_right.summary("json"))["results"][0]["measures"]["odds_ratio"] is None


def test_a_matrix():
    counts, by_label, measures = document_of(SEVERAL).tables
    assert cells(counts) == [["x", "1", "1", "0"], ["y", "0", "2", "0"], ["z", "1", "0", "0"]]
    assert ["y", "2", "3", "2", "1.0000", "0.6667", "0.8000"] in cells(by_label)
    assert ["z", "1", "0", "0", "0.0000", "undefined", "0.0000"] in cells(by_label)
    assert dict(cells(measures))["macro F1"] == "0.4333"
    assert repr(SEVERAL) == "<ConfusionTable 3 labels: 3 of 5 items right>"
    rows = list(csv.DictReader(io.StringIO(SEVERAL.summary("csv"))))
    assert len(rows) == 9
    assert {"gold": "z", "predicted": "x", "n": "1"} in rows


def test_many_labels_have_their_most_frequent_confusions():
    n = max(WIDE, FREQUENT) + 3
    gold = [*range(n), *[7] * 5, *[8] * 3]
    said = [*range(n), *[9] * 5, *[1] * 3]
    document = document_of(csig.classical.confusion_table(gold, said))
    assert cells(document.tables[0]) == [["7", "9", "5"], ["8", "1", "3"]]
    assert len(document.tables[1].rows) == FREQUENT
    assert document.notes == [f"The {FREQUENT} most frequent of {n} labels."]


def test_two_systems():
    counts, measures = document_of(PAIR).tables
    assert cells(counts) == [["new right", "5", "1"], ["new wrong", "4", "0"]]
    assert dict(cells(measures))["only new / only base"] == "0.2500"
    assert repr(PAIR) == "<AgreementTable both right 5, only new 1, only base 4, neither 0>"
    (record,) = PAIR.to_dict()["results"]
    assert (record["kind"], record["names"]) == ("AgreementTable", ["new", "base"])


def test_cochrans_test():
    test, systems = document_of(Q).tables
    shown = dict(cells(test))
    assert (shown["Q"], shown["degrees of freedom"], shown["informative items"]) == (
        "2.667",
        "2",
        "3",
    )
    assert shown["p (exact)"] == "0.444"
    assert cells(systems)[0] == ["a", "3", "75.00"]
    assert repr(Q) == "<TestResult 3 systems, 4 items: Q = 2.667, p = 0.444 (exact)>"
    assert "and not which" in str(Q)
    assert Q.to_dict()["results"][0]["names"] == ["a", "b", "c"]
    rough = csig.classical.cochran_q_test({"a": [1, 0], "b": [0, 1]}, method="asymptotic")
    assert "p (exact)" not in dict(cells(document_of(rough).tables[0]))


@pytest.mark.parametrize("format", ["text", "markdown", "latex", "csv", "json", "html"])
def test_every_format(format):
    for result in (WORDS, SEVERAL, PAIR, Q):
        text = result.summary(format)
        assert text.endswith("\n")
        if result is WORDS and format in ("html", "latex"):
            assert ("&amp; old" if format == "html" else r"\& old") in text
