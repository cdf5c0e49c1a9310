"""What is said beside the tables of a training distribution."""

from __future__ import annotations

import numpy as np
import pytest

from csig.training.summaries import TrainingFailure, across, difference, summary
from csig.training.words import LIMITS, notes_of, samples_text, tables_of

X, Y = [0.5, 0.75, 1.0], [0.5, 0.5, 0.5]


def pieces(independent=True):
    return [difference(("x", "y"), "t", X, Y, 0.95, independent)], [
        across("x", ("t", "u"), X, Y, independent)
    ]


@pytest.mark.parametrize(
    ("method", "independent", "words"),
    [
        ("bootstrap", True, None),
        (None, None, "not known"),
        ("kfold", False, "share most of their sentences"),
        ("subsample", False, "without a common sentence"),
        (None, False, "said to depend on each other"),
    ],
)
def test_dependence_is_said(method, independent, words):
    differences, found = pieces(independent is not False)
    notes = notes_of(method, independent, differences, found, [], 10)
    assert notes[0] == LIMITS
    said = [note for note in notes if words is not None and words in note]
    assert len(said) == (words is not None)
    assert any("ties are not among them" in note for note in notes)
    assert any("no correlation" in note for note in notes)
    assert any("sets of equal size" in note for note in notes)


def test_failures_are_said():
    failures = [TrainingFailure(sample=i, error="ValueError: no data") for i in range(5)]
    note = notes_of("bootstrap", True, [], [], failures, 100)[-1]
    assert note.startswith("5 of 100 samples failed and are left out")
    assert "sample 2: ValueError: no data; and 2 more." in note


def test_empty_tables_are_left_out():
    scores = [summary("x", "t", X)]
    assert len(tables_of("3 training samples", scores, [], [])) == 1
    differences, found = pieces()
    first, second, third = tables_of("3 samples", scores, differences, found)
    assert first.rows[0] == ("t", "x", "75.00", "25.00", "50.00", "100.00")
    assert second.rows[0] == (
        "t", "x - y", "+25.00", "25.00", "-", "0.667", "0.094 to 0.992", "1"
    )  # fmt: skip
    assert third.rows[0] == ("x", "t, u", "-", "0.00", "0")


def test_scores_that_are_no_shares():
    table = tables_of("2 samples", [summary("x", "t", [30.0, 31.5])], [], [])[0]
    assert table.title == "Scores over 2 samples"
    assert table.rows[0][2:] == ("30.75", "1.061", "30", "31.5")


def test_samples():
    assert samples_text(2, "subsample") == "2 subsamples"


def test_few_samples_are_said():
    """The standard error of a normal sample's deviation is s / sqrt(2 (n - 1)), about."""
    assert not [note for note in notes_of("kfold", False, [], [], [], 10) if "few" in note]
    failures = [TrainingFailure(sample=1, error="x")] * 5
    (note,) = (n for n in notes_of("kfold", False, [], [], failures, 10) if "few" in n)
    assert note.startswith("5 training samples are few")
    assert "off by about 35%" in note
    deviations = np.random.default_rng(1).normal(size=(20_000, 5)).std(axis=1, ddof=1)
    assert deviations.std() == pytest.approx(0.35, abs=0.02)
