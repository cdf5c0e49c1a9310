"""Cells and columns: the units are in the headers, or in every cell."""

import pytest

from csig.report.cells import (
    Numbers,
    difference_column,
    score_column,
    verdict_cell,
    verdict_column,
)
from csig.report.document import Cell


@pytest.mark.parametrize(
    ("shares", "header", "cells"),
    [
        ([True, True], ("\n%", "\npoints"), ("45.63", "+21.36", "45.63")),
        ([True, False], ("", ""), ("45.63%", "+21.36 points", "0.4563")),
        ([False], ("", ""), ("45.63%", "+21.36 points", "0.4563")),
    ],
)
def test_percent_and_points_are_told_apart(shares, header, cells):
    numbers = Numbers.of(shares)
    assert (numbers.of_scores, numbers.of_differences) == header
    if any(shares):
        assert [own.text for own in numbers.scores([0.4563], True)] == [cells[0]]
        assert numbers.difference(0.2136, True).text == cells[1]
    assert [own.text for own in numbers.scores([0.4563], shares[-1])] == [cells[2]]


def test_scores_side_by_side_have_as_many_decimals():
    texts = [own.text for own in Numbers.of([False]).scores([59.788, 60.39876, 61], False)]
    assert texts == ["59.7880", "60.3988", "61.0000"]
    tiny = [own.text for own in Numbers.of([False]).scores([1e-9, 3], False)]
    assert tiny == ["1e-09", "3"]


def test_an_interval_that_cannot_be_given():
    numbers = Numbers.of([True])
    assert numbers.interval("only 1 item counts", True) == Cell("no interval", "text")
    assert numbers.interval(None, True).text == ""


def test_columns_name_what_is_subtracted_from_what():
    numbers = Numbers.of([True])
    column = difference_column(("logistic-regression", "base"), ("logistic", "base"), numbers)
    assert column.header == "logistic-regression - base\npoints"
    assert column.short == "logistic\n- base\npoints"
    assert score_column("a\nb", "a", numbers).header == "a\\nb\n%"
    assert verdict_column(0.01).header == "at 0.01"


def test_colour_is_direction_and_a_star_significance():
    names = ("new", "base")
    better, worse = (verdict_cell(own, names, ("n", "b")) for own in ("better", "worse"))
    assert (better.text, better.short, better.tone) == ("* new better", "* n", "better")
    assert (worse.text, worse.short, worse.tone) == ("* base better", "* b", "worse")
    assert verdict_column(0.05, named=True).short == "better\nat 0.05"
    assert verdict_cell("worse").text == "* worse"
    quiet = [verdict_cell(own, names, names) for own in ("none", "same", "undecided")]
    assert [cell.text for cell in quiet] == ["no evidence", "same score", "undecided"]
    assert [cell.tone for cell in quiet] == ["plain", "plain", "doubt"]
