"""Tests on pairs and on folds as documents."""

import pytest

import csig
from csig.report.shown import document_of

RIGHT = csig.Comparison.from_scores([1, 1, 1, 0, 0], [1, 0, 0, 1, 0], names=("new", "base"))
SCORES = csig.Comparison.from_scores([3, 1, 4, 1, 5], [2, 1, 1, 3, 0], names=("new", "base"))
FIVE = [[0.02, 0.01], [0.03, 0.00], [0.01, 0.02], [0.04, 0.02], [0.01, 0.01]]
ALL = [
    csig.sign_test(RIGHT),
    csig.paired_t_test(SCORES),
    csig.wilcoxon_test(SCORES),
    csig.wilcoxon_test(SCORES, zero_method="pratt", method="asymptotic", continuity=True),
    csig.mcnemar_test(RIGHT),
    csig.mcnemar_test(RIGHT, method="asymptotic"),
    csig.kfold_t_test([0.3, 0.1, 0.2]),
    csig.resampled_t_test([0.3, 0.1, 0.2], n_train=9, n_test=1),
    csig.cv52_t_test(FIVE),
    csig.cv52_f_test(FIVE),
]


def rows(result):
    (table,) = document_of(result).tables
    return {row[0].text: row[1].text for row in table.rows}


def test_the_sign_test():
    found = ALL[0]
    assert repr(found) == "<TestResult mean: new is better on 2 items, base on 1, p = 1>"
    assert rows(found)["items in which new is better"] == "2"
    assert "Exact; ties do not count." in str(found)
    assert found.to_dict()["results"] == [
        {"kind": "SignTestResult", "metric": "mean", "unit": "unit", "n_a": 2, "n_b": 1}
        | {"pvalue": 1.0, "alternative": "two-sided", "names": ["new", "base"]}
    ]


def test_the_t_test():
    assert repr(ALL[1]) == "<TestResult mean: new - base = +1.4, t = 1.159, p = 0.311 (5 items)>"
    shown = rows(ALL[1])
    assert shown["95% interval"] == "-1.955 to 4.755"
    assert shown["degrees of freedom"] == "4"
    assert document_of(ALL[1]).title == "Paired t test of Mean: 5 items"


def test_the_wilcoxon_test():
    assert rows(ALL[2]) == {
        "rank sum, new greater": "8",
        "rank sum, base greater": "2",
        "items without a difference": "1",
        "z": "1.095",
        "p (two-sided)": "0.375",
    }
    text = " ".join(str(ALL[2]).split())
    assert "Exact. Units without a difference are left out." in text
    text = " ".join(str(ALL[3]).split())
    assert "From the normal distribution, corrected for continuity." in text
    assert "their ranks are left out" in text


def test_mcnemars_test():
    assert rows(ALL[4]) == {"only new": "2", "only base": "1", "p (two-sided)": "1"}
    assert rows(ALL[5])["chi-square"] == "0.3333"


def test_folds():
    assert rows(ALL[6])["mean of A - B"] == "+0.2"
    assert repr(ALL[9]).startswith("<TestResult 5x2cv F test: A - B = +0.017, F = 2.733, p = ")
    assert rows(ALL[9])["degrees of freedom"] == "10 and 5"
    assert document_of(ALL[7]).title == "Corrected resampled t test: 3 folds"


@pytest.mark.parametrize("format", ["text", "markdown", "latex", "csv", "json", "html"])
def test_every_format(format):
    for result in ALL:
        assert result.summary(format).endswith("\n")


def test_what_is_assumed_is_one_sentence_and_shown():
    for result in ALL:
        assert result.assumes in " ".join(str(result).split())
        assert result.assumes.endswith(".")
        frame = result.to_frame("pandas")
        assert frame["pvalue"].tolist() == [result.pvalue]
        assert result.to_dict()["results"][0]["pvalue"] == result.pvalue
        assert len(repr(result)) <= 100
