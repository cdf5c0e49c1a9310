"""What is said beside the tables of a training distribution."""

from __future__ import annotations

import numpy as np
import pytest

from csig.training.summaries import TrainingFailure, across, difference
from csig.training.words import LIMITS, doubts_of, notes_of, samples_text

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
    notes = notes_of(method, independent, differences, found)
    assert notes[0] == LIMITS
    every = [*doubts_of(independent, [], 10), *notes]
    said = [note for note in every if words is not None and words in note]
    assert len(said) == (words is not None)
    assert any("ties are not among them" in note for note in notes)
    assert any("no correlation" in note for note in notes)
    assert any("sets of equal size" in note for note in notes)


def test_failures_are_said():
    failures = [TrainingFailure(sample=i, error="ValueError: no data") for i in range(5)]
    (doubt,) = doubts_of(True, failures, 100)
    assert doubt.startswith("5 of 100 samples failed and are left out")
    assert "sample 2: ValueError: no data; and 2 more." in doubt


def test_samples():
    assert samples_text(2, "subsample") == "2 subsamples"


def test_few_samples_are_said():
    """The standard error of a normal sample's deviation is s / sqrt(2 (n - 1)), about."""
    assert doubts_of(False, [], 10) == []
    failures = [TrainingFailure(sample=1, error="x")] * 5
    note, _ = doubts_of(False, failures, 10)
    assert note.startswith("5 training samples are few")
    assert "off by about 35%" in note
    deviations = np.random.default_rng(1).normal(size=(20_000, 5)).std(axis=1, ddof=1)
    assert deviations.std() == pytest.approx(0.35, abs=0.02)
