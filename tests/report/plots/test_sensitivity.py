"""p by unit: marks stand at the logarithms of p."""

from __future__ import annotations

import math

import pytest
from drawings import hollow, lines, marks, rows
from written import refusal

import csig
from csig.report.plots.sensitivity import sensitivity

pytest.importorskip("matplotlib")


@pytest.fixture
def clustered():
    return csig.Comparison.from_scores(
        a=[1, 1, 1, 0, 1, 1, 1, 1, 1], b=[0, 0, 0, 0, 1, 1, 0, 0, 0],
        clusters=["x", "x", "x", "y", "y", "y", "z", "z", "z"], cluster_name="story",
    )  # fmt: skip


def test_marks_stand_at_p(clustered):
    found = csig.sensitivity(clustered, "mean")
    axes = sensitivity(found, alpha=0.1)
    assert rows(axes) == ["item (6)", "story (2)"]
    own = [mark.get_xdata()[0] for mark in marks(axes)]
    assert own == pytest.approx([math.log10(result.pvalue) for result in found.values()])
    assert [hollow(mark) for mark in marks(axes)] == [False, True]
    dashed = next(line for line in axes.lines if line.get_linestyle() == "--")
    assert dashed.get_xdata()[0] == pytest.approx(-1)


def test_several_metrics_have_marks_of_their_own(yeh):
    found = csig.sensitivity(yeh, ["recall", "f1"])
    axes = sensitivity(found)
    assert [mark.get_marker() for mark in marks(axes)] == ["o", "s"]
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["Recall", "F1"]


def test_approximate_p_has_its_interval(yeh):
    found = csig.sensitivity(yeh, "f1", method="approximate", n_resamples=500, rng=1)
    low, high = found["response"].pvalue_interval
    assert lines(sensitivity(found)) == [pytest.approx([math.log10(low), math.log10(high)])]


def test_p_that_no_double_holds():
    big = csig.Comparison.from_counts(gold=30000, only_a_correct=9000, only_b_correct=2500)
    own = csig.randomization_test(big, "recall")
    axes = sensitivity({"response": own})
    assert marks(axes)[0].get_xdata()[0] == pytest.approx(own.log_pvalue / math.log(10))
    axes.figure.draw_without_rendering()
    assert any(label.get_text().startswith("10^-") for label in axes.get_xticklabels())


def test_mistakes_are_named():
    assert "found nothing" in refusal(sensitivity, {})
    assert "not a result" in refusal(sensitivity, {"unit": 5})
    assert "found float" in refusal(sensitivity, 0.5)
