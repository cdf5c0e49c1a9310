"""The page that ``--plot`` writes: every row is a result, every picture is there."""

from dataclasses import replace

import numpy as np
import pytest
from commands import write
from drawings import hollow, lines, marks, rows, said
from places import EXAMPLES

from csig import Comparison
from csig.answers.gathering import gathered
from csig.comparing.estimates import estimated
from csig.comparing.pictures import bars
from csig.comparing.pictures_pages import page, page_of_estimates, panels_of
from csig.intervals import inverted_interval
from csig.readers.request import Request

pytest.importorskip("matplotlib")

DIGITS = tuple(
    str(EXAMPLES / "digits" / name)
    for name in ("gold.tsv", "logistic-regression.tsv", "nearest-centroid.tsv")
)


def test_a_row_and_a_distribution_for_every_metric(options):
    summary = gathered(Request(files=DIGITS), options)
    forest, *nulls = page(summary).axes
    assert rows(forest) == ["Recall", "Precision", "F1"]
    results = list(summary.results.values())
    assert [mark.get_xdata()[0] for mark in marks(forest)] == pytest.approx(
        [100 * own.statistic for own in results]
    )
    ends = [[100 * own.low, 100 * own.high] for own in summary.intervals.values()]
    np.testing.assert_allclose(lines(forest), ends)
    assert [hollow(mark) for mark in marks(forest)] == [own.pvalue > 0.05 for own in results]
    for axes, result in zip(nulls, results, strict=True):
        own = result if result.studentized is None else result.studentized.plain
        np.testing.assert_allclose(axes.patches[1].get_data().values, bars(own.null).tails)
    same = gathered(Request(files=(DIGITS[0], DIGITS[1], DIGITS[1])), options)
    (axes,) = page(same).axes
    assert [mark.get_xdata()[0] for mark in marks(axes)] == [0, 0, 0]


def test_shuffles_are_drawn_once_more(options):
    own = replace(options, method="approximate", n_resamples=5000, seed=7)
    summary = gathered(Request(files=DIGITS), own)
    axes = page(summary).axes[1]
    tails = axes.patches[1].get_data().values
    assert tails.sum() * 5000 == pytest.approx(summary.results["recall"].n_hits)
    assert axes.get_ylabel() == "probability"


def test_systems_have_a_row_each(systems):
    (axes,) = page(systems).axes
    assert rows(axes) == ["x", "y"]
    assert "p (Holm)" in said(axes)


def test_intervals_have_pages_of_differences_and_of_scores(options, tmp_path):
    def ends(found, names, metric):
        for row in found.rows[metric]:
            if row.systems == names:
                scale = 100 if found.figures(metric).percents else 1
                return [scale * row.interval.low, scale * row.interval.high]
        raise KeyError(names)

    found = estimated(Request(files=DIGITS), options)
    _, b = names = found.rows["f1"][-1].systems
    (axes,) = page_of_estimates(found).axes
    assert axes.get_xlabel() == f"{names[0]} - {b} (points)"
    assert lines(axes) == [pytest.approx(ends(found, names, own)) for own in found.rows]
    for axes, metric in zip(page_of_estimates(found, "scores").axes, found.rows, strict=True):
        drawn = dict(zip([b, names[0]], lines(axes), strict=True))
        assert drawn == {own: pytest.approx(ends(found, (own,), metric)) for own in (b, names[0])}
    cells = [f"q{i},{30.5 + i % 7},{20.5 + i % 5},{i % 4 + 20.5}" for i in range(20)]
    path = write(f"{tmp_path}/t.csv", "id,base,new,old", *cells)
    found = estimated(Request(files=(path,), id="id"), options)
    figure = page_of_estimates(found)
    assert figure.get_suptitle() == "95% intervals (not adjusted)"
    assert rows(figure.axes[0]) == ["new", "old"]
    assert lines(figure.axes[0]) == [
        pytest.approx(ends(found, (own, "base"), "mean")) for own in ("new", "old")
    ]
    figure = page_of_estimates(found, "scores")
    assert rows(figure.axes[0]) == ["base", "new", "old"]
    assert "overlap" in figure.get_suptitle().lower()


def test_scores_of_other_kinds_have_panels_of_their_own(options, tmp_path):
    files = []
    for name, add in (("a.csv", 0.0), ("b.csv", 0.2)):
        own = [f"q{i},{30.5 + i % 7 + add},{20.5 + i % 5 + add}" for i in range(20)]
        files.append(write(f"{tmp_path}/{name}", "id,bleu,ter", *own))
    summary = gathered(Request(files=tuple(files)), options)
    assert [own.scale for block in panels_of(summary) for own in block] == [1.0, 1.0]
    assert len(page(summary).axes) == 4


def test_parts_are_side_by_side_with_their_inverted_intervals(options, tmp_path):
    rng = np.random.default_rng(4)
    base = rng.random(60)
    new = base + rng.normal(0.04, 0.2, 60)
    cells = [f"q{i},{'xy'[i % 2]},{a},{b}" for i, (a, b) in enumerate(zip(base, new, strict=True))]
    path = write(f"{tmp_path}/t.csv", "id,kind,base,new", *cells)
    request = Request(files=(path,), by="kind", system=("base", "new"))
    summary = gathered(request, replace(options, by="kind"))
    (whole,), (panel,) = panels_of(summary)
    kept = (slice(None), slice(0, None, 2), slice(1, None, 2))
    levels = (0.95, 0.975, 0.975)  # Bonferroni's, of two parts
    for row, own, level in zip((*whole.rows, *panel.rows), kept, levels, strict=True):
        one = Comparison.from_scores(new[own], base[own])
        interval = inverted_interval(one, "mean", confidence_level=level)
        assert row.ends == pytest.approx((interval.low, interval.high), abs=1e-6)
    assert panel.holm
    assert "of all parts simultaneous" in page(summary).get_suptitle()
    assert [row.label for row in panel.rows] == rows(page(summary).axes[1]) == ["x", "y"]
