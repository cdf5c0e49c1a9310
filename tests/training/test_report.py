"""Scores over training samples as documents."""

import numpy as np
import pytest

from csig.report.rendering import render
from csig.report.shown import document_of
from csig.training.distribution import TrainingDistribution, TrainingFailure
from csig.training.report import LIMITS, document_of_training

X, Y = [0.5, 0.75, 1.0], [0.5, 0.5, 0.5]
SCORES = np.array([X, Y, Y, X]).reshape(2, 2, 3).transpose(2, 0, 1)


@pytest.fixture
def found() -> TrainingDistribution:
    """Of x and y the one varies on t, the other on u."""
    return TrainingDistribution(SCORES, ("y", "x"), ("t", "u"), "bootstrap", notes=("My own.",))


def cells(table):
    return [tuple(cell.text for cell in row) for row in table.rows]


def test_every_number_stands_where_it_belongs(found):
    scores, differences, across = document_of_training(found).tables
    assert cells(scores)[0] == ("t", "y", "75.00", "25.00", "50.00", "100.00")
    assert cells(differences)[0] == (
        "t", "x - y", "-25.00", "25.00", "-", "0.000", "0.000 to 0.708", "1",
    )  # fmt: skip
    assert cells(across)[0] == ("y", "t, u", "-", "0.00", "0")
    assert scores.title == "Scores in percent over 3 bootstrap samples"
    assert differences.title.startswith("Differences in points over 3 bootstrap samples; a is")
    text = render(document_of_training(found), "text")
    assert text.startswith("On t, y is ahead of x on 2 of 3 bootstrap samples, and they tie on 1.")
    assert text.index("On u, x is ahead of y") < text.index("Caution: 3 training samples are few")
    assert text.index("Highest") < text.index("My own.")


@pytest.mark.parametrize(("shift", "answer"), [
    (
        0.0,
        "Which of b and a is better depends on the training sample in {less} of 40 cases: "
        "{more}",
    ),
    (2.0, "a is ahead of b on all 40 k-fold samples."),
    (-2.0, "b is ahead of a on all 40 k-fold samples."),
])  # fmt: skip
def test_the_answer_counts_samples(shift, answer):
    rng = np.random.default_rng(5)
    a, b = rng.random((2, 40)).round(2)
    a += shift
    scores = np.array([a, b]).reshape(2, 1, 40).transpose(2, 0, 1)
    found = document_of_training(TrainingDistribution(scores, ("a", "b"), ("t",), "kfold"))
    ahead, behind, ties = ((a > b).sum(), (a < b).sum(), (a == b).sum())
    ordered = sorted([(ahead, "a"), (behind, "b")])
    more = (
        f"{ordered[1][1]} is ahead on {ordered[1][0]} of the k-fold samples, {ordered[0][1]} on "
        f"{ordered[0][0]}" + f", and they tie on {ties}" * bool(ties) + "."
    )
    assert found.verdict == [answer.format(less=ordered[0][0], more=more)]


def test_the_answer_for_one_system_for_ties_and_for_many():
    def said(scores, *systems):
        return document_of_training(TrainingDistribution(scores, systems, ("t",))).verdict

    assert said([[[0.25]], [[0.5]]], "x") == ["x scores 25.00 to 50.00% over 2 training samples."]
    assert said([[[0.5], [0.5]]] * 2, "x", "y") == ["y and x tie on all 2 training samples."]
    ordered = [[k / 9] for k in range(8)]
    many = [ordered, [ordered[1], ordered[0], *ordered[2:]]]
    assert said(many, *"abcdefgh") == [
        "Which of two systems is better depends on the training sample for 1 of 7 pairs."
    ]


def test_scores_that_are_no_shares():
    found = TrainingDistribution([[[30.0]], [[31.5]]], ("x",), ("t",))
    (table,) = document_of_training(found).tables
    assert table.title == "Scores over 2 training samples"
    assert cells(table)[0][2:] == ("30.8", "1.1", "30.0", "31.5")


def test_rows_and_record_have_all_digits(found):
    document = document_of_training(found, table="m.csv", confidence_level=0.9)
    assert len({tuple(row) for row in document.rows}) == 1
    assert [row["what"] for row in document.rows] == [
        *["score"] * 4, *["difference"] * 2, *["across"] * 2,
    ]  # fmt: skip
    difference = found.difference("x", "y", "t", confidence_level=0.9)
    row = document.rows[4]
    assert (row["low"], row["high"]) == difference.interval
    record = document.record()
    assert record["table"] == "m.csv"
    assert list(record)[:2] == ["schema", "schema_version"]
    assert record["differences"][0]["interval"] == list(difference.interval or ())
    assert "table" not in document_of_training(found).record()


def said_of(n, method, independent, failed=0):
    """Of x and y the one varies on t, the other on u, and they have some scores in common."""
    x, y = np.resize([0.5, 0.75, 1.0], n), np.full(n, 0.5)
    failures = tuple(TrainingFailure(sample=i, error="ValueError: no data") for i in range(failed))
    scores = np.stack([[y, x], [x, y]], axis=2).transpose(1, 0, 2)
    return document_of(
        TrainingDistribution(scores, ("y", "x"), ("t", "u"), method, independent, failures=failures)
    )


@pytest.mark.parametrize(("n", "method", "independent", "samples", "words"), [
    (10, "bootstrap", True, "10 bootstrap samples", None),
    (1200, None, None, "1,200 training samples", "not known"),
    (10, "kfold", False, "10 k-fold samples", "share most of their sentences"),
    (10, "subsample", False, "10 subsamples", "without a common sentence"),
    (10, None, False, "10 training samples", "said to depend on each other"),
])  # fmt: skip
def test_dependence_is_said(n, method, independent, samples, words):
    document = said_of(n, method, independent)
    assert document.tables[0].title.endswith(f" over {samples}")
    notes = document.notes
    assert notes[0] == LIMITS
    every = [*document.doubts, *notes]
    said = [note for note in every if words is not None and words in note]
    assert len(said) == (words is not None)
    assert any("without ties" in note for note in notes)
    assert any("no correlation" in note for note in notes)
    assert any("sets of equal size" in note for note in notes)


def test_failures_are_said():
    (doubt,) = said_of(95, "bootstrap", True, 5).doubts
    assert doubt.startswith("5 of 100 samples failed and are left out")
    assert "sample 2: ValueError: no data; and 2 more." in doubt


def test_few_samples_are_said():
    """The standard error of a normal sample's deviation is s / sqrt(2 (n - 1)), about."""
    assert said_of(10, "kfold", False).doubts == []
    note, _ = said_of(5, "kfold", False, 5).doubts
    assert note.startswith("5 training samples are few")
    assert "off by about 35%" in note
    deviations = np.random.default_rng(1).normal(size=(20_000, 5)).std(axis=1, ddof=1)
    assert deviations.std() == pytest.approx(0.35, abs=0.02)
