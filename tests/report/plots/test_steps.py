"""What units have to do with a difference, against csig.unit_contributions and real swaps."""

from __future__ import annotations

import numpy as np
import pytest
from written import refusal

import csig
from csig.report.plots.steps import metric_of, points_of

COLUMNS = ("tp", "predicted", "gold")


def assert_same(found, own):
    np.testing.assert_allclose(found.values, own.values, atol=1e-14)
    np.testing.assert_allclose(found.a, own.scores_a)
    np.testing.assert_allclose(found.b, own.scores_b)
    assert found.additive == own.additive
    assert found.whole == (own.score_a, own.score_b)
    assert np.array_equal(found.places, np.flatnonzero(own.differs))


@pytest.mark.parametrize("metric", ["recall", "precision", "f1", "f0.5"])
def test_points_are_the_contributions(documents, metric):
    own = csig.unit_contributions(documents, metric)
    found = points_of(documents, metric, 0)
    assert_same(found, own)
    assert list(found.ids) == [own.ids[i] for i in found.places]
    assert found.values.sum() == pytest.approx(own.difference)
    again = points_of(own, None, 0)
    assert_same(again, own)
    assert list(again.ids) == list(found.ids)


def test_scores_that_are_not_integers_and_functions_too():
    c = csig.Comparison.from_scores([0.5, 1.25, 3, 2], [0.25, 1.25, 1, 3])
    assert_same(points_of(c, None, 0), csig.unit_contributions(c, "mean"))
    labels = csig.Comparison.from_labels(list("aabbccab"), list("aabbccba"), list("abbaccab"))
    found = points_of(labels, "macro_f1", 0)
    assert not found.additive
    np.testing.assert_allclose(found.values, csig.unit_contributions(labels, "macro_f1").values)


def test_a_denominator_of_zero():
    c = csig.Comparison.from_statistics([[0, 0, 3], [0, 0, 2]], [[1, 2, 3], [1, 1, 2]], COLUMNS)
    assert_same(points_of(c, "precision", 0), csig.unit_contributions(c, "precision"))


def test_units_without_ids_are_named_by_their_places():
    c = csig.Comparison.from_scores([1, 2, 3], [0, 2, 1], unit_name="topic")
    assert list(points_of(c, None, 0).ids) == ["topic 0", "topic 2"]
    counts = csig.Comparison.from_counts(gold=9, only_a_correct=3, only_b_correct=1)
    assert points_of(counts, "recall", 0).ids is None


def test_mistakes_are_named(documents):
    assert "choose one" in refusal(metric_of, documents, None)
    assert "comparison must be" in refusal(metric_of, 5, "f1")
    assert "zero_division" in refusal(points_of, documents, "f1", 2)
