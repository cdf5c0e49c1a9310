"""What is said beside the tables of a training distribution."""

from __future__ import annotations

import numpy as np
import pytest

from csig.report.shown import document_of
from csig.training.distribution import TrainingDistribution, TrainingFailure
from csig.training.report import LIMITS


def said_of(n, method, independent, failed=0):
    """Of x and y the one varies on t, the other on u, and they have some scores in common."""
    x, y = np.resize([0.5, 0.75, 1.0], n), np.full(n, 0.5)
    failures = tuple(TrainingFailure(sample=i, error="ValueError: no data") for i in range(failed))
    scores = np.stack([[y, x], [x, y]], axis=2).transpose(1, 0, 2)
    return document_of(
        TrainingDistribution(scores, ("y", "x"), ("t", "u"), method, independent, failures=failures)
    )


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
    document = said_of(10, method, independent)
    notes = document.notes
    assert notes[0] == LIMITS
    every = [*document.doubts, *notes]
    said = [note for note in every if words is not None and words in note]
    assert len(said) == (words is not None)
    assert any("ties are not among them" in note for note in notes)
    assert any("no correlation" in note for note in notes)
    assert any("sets of equal size" in note for note in notes)


def test_failures_are_said():
    (doubt,) = said_of(95, "bootstrap", True, 5).doubts
    assert doubt.startswith("5 of 100 samples failed and are left out")
    assert "sample 2: ValueError: no data; and 2 more." in doubt


def test_samples():
    assert said_of(10, "subsample", None).tables[0].title.endswith("over 10 subsamples")
    assert said_of(1200, None, None).tables[0].title.endswith("over 1,200 training samples")


def test_few_samples_are_said():
    """The standard error of a normal sample's deviation is s / sqrt(2 (n - 1)), about."""
    assert said_of(10, "kfold", False).doubts == []
    note, _ = said_of(5, "kfold", False, 5).doubts
    assert note.startswith("5 training samples are few")
    assert "off by about 35%" in note
    deviations = np.random.default_rng(1).normal(size=(20_000, 5)).std(axis=1, ddof=1)
    assert deviations.std() == pytest.approx(0.35, abs=0.02)
