"""Critical-difference diagrams on axes: nothing overlaps, and marks are those of the layout."""

from __future__ import annotations

from itertools import combinations

import pytest
from drawings import said
from written import refusal

from csig.pictures import bytes_of, short
from csig.report.plots.critical import critical_difference, distinct, width_of
from csig.report.plots.diagrams import arranged

pytest.importorskip("matplotlib")

DEMSAR = {"C4.5": 3.143, "C4.5+m": 2.000, "C4.5+cf": 2.893, "C4.5+m+cf": 1.964}


def spread(n, name="system {}"):
    """Average ranks of many systems, some tied."""
    ranks = [1 + (n - 1) * (0.2 + 0.6 * (i // 2 * 2) / max(1, n - 1)) for i in range(n)]
    middle = (n + 1) / 2 - sum(ranks) / n
    return {name.format(i): rank + middle for i, rank in enumerate(ranks)}


def boxes(axes):
    """Where every text stands, in pixels."""
    axes.figure.draw_without_rendering()
    return {own.get_text(): own.get_window_extent() for own in axes.texts}


def level(axes, wide):
    """The ends of the level lines of at least this width, in ranks from 0 to 1, and their depth."""
    return [
        (*map(float, own.get_xdata()), float(own.get_ydata()[0]))
        for own in axes.lines
        if len(own.get_xdata()) == 2
        and own.get_ydata()[0] == own.get_ydata()[1]
        and own.get_linewidth() >= wide
    ]


CASES = {
    "published": (DEMSAR, {"cd": 1.25}),
    "at the right": (DEMSAR, {"cd": 1.12, "best": "right"}),
    "a baseline": (DEMSAR, {"cd": 1.17, "baseline": "C4.5"}),
    "two": ({"a": 1.2, "b": 1.8}, {"cd": 0.9}),
    "all tied": (dict.fromkeys("abcd", 2.5), {"cd": 2.0}),
    "no groups": ({"a": 1, "b": 2, "c": 3}, {"cd": 0.5}),
    "a difference beyond the axis": ({"a": 1.5, "b": 1.5, "c": 3}, {"cd": 7}),
    "thirty": (spread(30), {"cd": 9.5}),
    "long names": (spread(12, "a/very/long/path/to/the/run/of/{}/with/the/same/end"), {"cd": 4.8}),
    "capitals": (spread(7, "WWWWWWWWWWWWWWW WWWWWWWWWWWW {}"), {"cd": 3.0}),
    "a column": (spread(9), {"cd": 4.0, "width": 3.3}),
}


@pytest.mark.parametrize("case", CASES)
def test_texts_are_apart_and_within_the_figure(case):
    ranks, options = CASES[case]
    axes = critical_difference(ranks, **options)
    found = boxes(axes)
    whole = axes.figure.bbox
    assert len(found) > len(ranks)  # with the numbers of the axis and the key; none are the same
    for box in found.values():
        assert whole.x0 <= box.x0
        assert box.x1 <= whole.x1
        assert whole.y0 <= box.y0
        assert box.y1 <= whole.y1
    for (text, one), (other, two) in combinations(found.items(), 2):
        assert not one.overlaps(two), (text, other)


def test_names_stand_beside_the_end_of_their_line():
    axes = critical_difference(CASES["thirty"][0], cd=9.5)
    ends = [(own.get_xdata()[-1], own.get_ydata()[-1]) for own in axes.lines
            if len(own.get_xdata()) == 3]  # fmt: skip
    names = [own for own in axes.texts if own.get_text().startswith("system")]
    assert len(ends) == len(names) == 30
    pixels = axes.transData.transform
    for (x, y), text in zip(ends, names, strict=True):
        box = text.get_window_extent()
        near = box.x1 if text.get_ha() == "right" else box.x0
        at = pixels((x, y))
        assert abs(near - at[0]) < 12
        assert box.y0 < at[1] < box.y1


@pytest.mark.parametrize("best", ["left", "right"])
def test_bars_are_those_of_the_layout(best):
    axes = critical_difference(DEMSAR, cd=1.12, best=best)
    diagram = arranged(DEMSAR, critical=1.12, best=best)
    (start, end, _), *_ = [own for own in level(axes, 1.0) if own[2] == 0]
    found = [own for own in level(axes, 3.0) if own[2] > 0]
    assert len(found) == len(diagram.bars) == 2
    for bar, (low, high, depth) in zip(diagram.bars, found, strict=True):
        for at, rank in ((low, bar.low), (high, bar.high)):
            assert (at - start) / (end - start) == pytest.approx(diagram.place(rank))
        assert depth == bar.depth
    (length,) = [own for own in level(axes, 1.1) if own[2] < 0]
    assert abs(length[1] - length[0]) / (end - start) == pytest.approx(1.12 / 3)


def test_a_baseline_is_bold_and_has_a_band():
    axes = critical_difference(DEMSAR, cd=1.17, baseline="C4.5")
    bold = [own.get_text() for own in axes.texts if own.get_fontweight() == "bold"]
    assert bold == ["C4.5 (3.14)"]
    (band,) = [own for own in level(axes, 4.0) if own[2] == 0]
    (start, end, _), *_ = [own for own in level(axes, 1.0) if own[2] == 0]
    assert (band[0] - start) / (end - start) == pytest.approx((3.143 - 1.17 - 1) / 3)
    assert band[1] == pytest.approx(end)  # the axis ends there
    assert any("differ from C4.5's by less than CD = 1.17" in text for text in said(axes))


def test_on_axes_of_any_size_letters_shrink():
    from matplotlib.figure import Figure

    small, large = Figure(figsize=(6, 2)).add_subplot(), Figure(figsize=(6, 9)).add_subplot()
    sizes = []
    for axes in (small, large):
        assert critical_difference(spread(24), axes, cd=7.0) is axes
        found = boxes(axes)
        names = [box for text, box in found.items() if text.startswith("system")]
        assert not any(one.overlaps(two) for one, two in combinations(names, 2))
        sizes.append(axes.texts[0].get_fontsize())
    assert sizes[0] < sizes[1]


def test_groups_need_no_critical_difference():
    axes = critical_difference({"a": 1, "b": 2.4, "c": 2.6}, groups=[("b", "c")])
    assert not any("CD" in text for text in said(axes))
    assert any("Bars connect systems without" in text for text in said(axes))


def test_names_that_are_cut_stay_different():
    names = [f"{'same' * 9}{i}{'same' * 9}" for i in range(11)]
    assert len({short(name, 20) for name in names}) == 1
    found = distinct(names, 20)
    assert len(set(found)) == 11
    assert max(map(len, found)) <= 20
    assert distinct(["a", "b"], 20) == ["a", "b"]


@pytest.mark.parametrize("text", ["WWWW", "iiii", "system-12 (3.45)", "C4.5+m+cf", "average rank"])
def test_the_width_of_letters_is_not_too_small(text):
    axes = critical_difference({text: 1, "b": 2}, cd=0.5)
    box = next(own for name, own in boxes(axes).items() if name.startswith(text))
    assert box.width * 72 / axes.figure.dpi <= width_of(f"{text} (1.00)", 8.0) + 1


def test_the_same_bytes_twice():
    first, second = (bytes_of(critical_difference(DEMSAR, cd=1.25).figure, "svg") for _ in "12")
    assert first == second
    assert first.startswith(b"<svg")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "give cd=, the critical difference, or groups="),
        ({"cd": 1.0, "groups": []}, "groups= does not go with cd= and baseline="),
        ({"cd": -1.0}, "cd: found -1.0"),
        ({"cd": 1.0, "by": "nemenyi"}, "by= chooses a test of a result"),
    ],
)
def test_refused(options, message):
    assert message in refusal(critical_difference, DEMSAR, **options)
    assert "ranks: expected what csig.compare_over_datasets gives" in refusal(
        critical_difference, [1, 2], cd=1.0
    )
