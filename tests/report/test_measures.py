"""Classical tests, correlations, effects and runs as documents."""

import pytest

import csig
from csig.report.shown import document_of

RUNS = csig.Comparison.from_scores(
    [[1, 0, 1, 1, 1, 0], [1, 1, 1, 1, 0, 1], [0, 0, 1, 1, 1, 1]],
    [[0, 0, 1, 0, 1, 0], [1, 0, 1, 0, 0, 0], [0, 0, 1, 1, 1, 0]],
    names=("new", "base"),
)
RIGHT = csig.Comparison.from_scores([1, 1, 1, 0, 0], [1, 0, 0, 1, 0], names=("new", "base"))


def rows(result):
    (table,) = document_of(result).tables
    return {row[0].text: row[1].text for row in table.rows}


def test_effects_and_flips():
    found = csig.effects.effect(RIGHT, "mean")
    assert repr(found) == "<Effect mean: new is better on 2 of 5 items, base on 1>"
    assert rows(found) == {
        "new better": "2 (40.0%)",
        "base better": "1 (20.0%)",
        "neither": "2",
        "both right": "1",
        "only new right": "2",
        "only base right": "1",
        "neither right": "1",
    }
    assert found.to_frame("pandas")["a_better"].tolist() == [2]


def test_tests_of_independent_samples_say_what_they_assume():
    found = csig.classical.independent_t_test(RIGHT)
    assert repr(found).startswith("<TestResult mean: t = ")
    assert found.assumes in " ".join(str(found).split())
    same = csig.classical.independent_t_test(csig.Comparison.from_scores([1, 1], [1, 1]))
    assert "p = undefined" in repr(same)
    assert rows(same)["t"] == "undefined"
    assert same.to_dict()["results"][0]["pvalue"] is None


def test_what_r12_says_stands_beside_the_test():
    found = csig.classical.independent_t_test(RIGHT)
    assert rows(found)["r12"] == "-0.1667"
    assert rows(found)["degrees of freedom"] == "8"
    assert found.dependence in " ".join(str(found).split())
    welch = csig.classical.independent_t_test(
        csig.Comparison.from_scores([1, 2, 9], [1, 1, 2]), equal_variances=False
    )
    assert rows(welch)["degrees of freedom"] == "2.07"
    assert document_of(welch).title == "Mean: Welch's t test of independent samples"
    assert repr(welch).endswith("(t test, Welch)>")
    labels = csig.Comparison.from_labels(*map(list, ("xxy", "xxx", "xyy")))
    yates = csig.classical.chi_square_test(labels, "accuracy", continuity=True)
    assert "Corrected for continuity (Yates)." in str(yates)
    assert yates.to_dict()["results"][0]["r12_interval"] is None
    unpooled = csig.classical.proportions_test(labels, "accuracy", pooled=False)
    assert "unpooled proportions test" in document_of(unpooled).title


def test_the_interval_of_a_correlation():
    found = csig.classical.correlation_interval(RIGHT)
    assert rows(found)["r12"] == "-0.1667"
    assert rows(found)["95% interval"] == f"{found.low:.4g} to {found.high:.4g}"
    assert "half an item added" in str(found)
    constant = csig.classical.correlation_interval(
        csig.Comparison.from_scores([1] * 5, [1, 2, 3, 4, 5])
    )
    assert rows(constant) == {"r12": "undefined", "95% interval": "-1 to 1"}
    assert constant.to_dict()["results"][0]["estimate"] is None


def test_runs():
    found = csig.intervals.run_variance(RUNS, "mean")
    assert repr(found).startswith("<RunVariance mean: standard error 0.1217, 0% of the variance")
    assert rows(found)["new: between runs"] == "0.09623"
    assert "6 items, 3 runs of each system." in str(found)
    one = csig.Comparison.from_scores([[1, 0, 1]], [[0, 0, 1]], ids=[1, 2, 3])
    assert "A: between runs" not in rows(csig.intervals.run_variance(one, "mean"))


def test_corrected_tests():
    (row, _) = csig.classical.holm({"x": 0.01, "y": 0.4})
    assert repr(row) == "<Corrected x: p = 0.0200 after Holm's correction, significant>"
    assert rows(row)["p after Holm's correction"] == "0.0200"


@pytest.mark.parametrize("format", ["text", "markdown", "latex", "csv", "json", "html"])
def test_every_format_of_every_kind(format):
    for result in (
        csig.effects.effect(RIGHT, "mean"),
        csig.classical.independent_t_test(RIGHT),
        csig.classical.correlation_interval(RIGHT),
        csig.intervals.run_variance(RUNS, "mean"),
    ):
        assert result.summary(format).endswith("\n")


# ---- pairs and folds -----------------------------------------------------------------------------


SCORES = csig.Comparison.from_scores([3, 1, 4, 1, 5], [2, 1, 1, 3, 0], names=("new", "base"))
FIVE = [[0.02, 0.01], [0.03, 0.00], [0.01, 0.02], [0.04, 0.02], [0.01, 0.01]]
ALL = [
    csig.classical.sign_test(RIGHT),
    csig.classical.paired_t_test(SCORES),
    csig.classical.wilcoxon_test(SCORES),
    csig.classical.wilcoxon_test(SCORES, zero_method="pratt", method="asymptotic", continuity=True),
    csig.classical.mcnemar_test(RIGHT),
    csig.classical.mcnemar_test(RIGHT, method="asymptotic"),
    csig.classical.kfold_t_test([0.3, 0.1, 0.2]),
    csig.classical.resampled_t_test([0.3, 0.1, 0.2], n_train=9, n_test=1),
    csig.classical.cv52_t_test(FIVE),
    csig.classical.cv52_f_test(FIVE),
]


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
