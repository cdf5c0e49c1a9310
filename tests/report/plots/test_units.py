"""Scores of units: every point, how many units lie on it, and which ones are named."""

from itertools import combinations

import numpy as np
import pytest
from drawings import said
from written import refusal

import csig
from csig.comparing.pictures import units

pytest.importorskip("matplotlib")


def points(axes):
    """Every mark: B's score, A's, and the sign of its triangle."""
    found = {}
    for sign, marks in zip((1, -1, 0), axes.collections, strict=True):
        for x, y in marks.get_offsets():
            found[float(x), float(y)] = sign
    return found


def test_points_are_the_scores(documents):
    rows = documents.rows()
    f1 = [
        tuple(200 * tp / (predicted + gold) for tp, predicted, gold in (b, a))
        for a, b in zip(rows.a, rows.b, strict=True)
        if a[1] + a[2] and b[1] + b[2]
    ]
    axes = units(documents, "f1")
    rounded = {(round(x, 6), round(y, 6)): sign for (x, y), sign in points(axes).items()}
    assert rounded == {(round(x, 6), round(y, 6)): np.sign(round(y - x, 6)) for x, y in f1}
    assert (
        f"{30 - len(f1)} without a score are not shown" in axes.figure.get_supxlabel()
        or len(f1) == 30
    )
    assert axes.get_ylabel() == "new: F1 in %"
    own = csig.effects.unit_contributions(documents, "f1")
    assert points(units(own)) == points(axes)
    assert said(units(own)) == said(axes)


def test_units_on_one_point_are_counted():
    c = csig.Comparison.from_scores([1] * 9 + [0, 0], [0] * 9 + [1, 0])
    axes = units(c)
    assert points(axes) == {(0.0, 100.0): 1, (100.0, 0.0): -1, (0.0, 0.0): 0}
    sizes = [float(marks.get_sizes()[0]) for marks in axes.collections]
    assert sizes[0] > sizes[1] == sizes[2]
    assert "at most 9 on a mark" in axes.figure.get_supxlabel()
    assert "unit 0 and 8 more" in said(axes)


def test_the_units_that_differ_most_are_named():
    a = {"q1": 9, "q2": 1, "$x$": 7, "q4": 3, "q5": 2}
    b = {"q1": 1, "q2": 8, "$x$": 1, "q4": 3, "q5": 1}
    c = csig.Comparison.from_scores(a, b)
    assert [text.get_text() for text in units(c, name=3).texts] == ["q1", "q2", "$x$"]
    assert not units(c, name=3).texts[2].get_parse_math()
    assert [text.get_text() for text in units(c, name=9).texts] == ["q1", "q2", "$x$", "q5"]
    assert units(c, name=0).texts[:] == []


def test_names_of_units_that_lie_close_do_not_overlap():
    from matplotlib.text import Text

    a = {f"document {i}": 5 + i / 20 for i in range(9)} | {"x": 0, "y": 10}
    b = {f"document {i}": 1 + i * 4 % 9 / 20 for i in range(9)} | {"x": 10, "y": 0}
    axes = units(csig.Comparison.from_scores(a, b), name=6)
    axes.figure.draw_without_rendering()
    boxes = [Text.get_window_extent(text) for text in axes.texts]
    assert len(boxes) == 6
    assert not [pair for pair in combinations(boxes, 2) if pair[0].overlaps(pair[1])]


def test_very_many_units_are_an_image():
    c = csig.Comparison.from_scores(*np.random.default_rng(2).random((2, 3_000)))
    axes = units(c, name=2)
    assert len(axes.collections) == 0
    assert np.ma.sum(axes.images[0].get_array()) == 3_000
    assert len(axes.texts) == 2


def test_mistakes_are_named(documents, yeh):
    assert "counts have no single units" in refusal(units, yeh, "recall")
    assert "csig.read or csig.effects.unit_contributions" in refusal(units, 5)
    assert "zero_division" in refusal(units, documents, "f1", zero_division=2)
    assert "choose one" in refusal(units, documents)
    assert "name must be" in refusal(units, documents, "f1", name=-1)
    empty = csig.Comparison.from_statistics([[0, 0]], [[0, 0]], ("correct", "items"))
    assert "no item has a score" in refusal(units, empty, "accuracy")
