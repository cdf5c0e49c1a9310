"""Critical-difference diagrams: bars say what they should, and nothing overlaps."""

from itertools import combinations, pairwise

import numpy as np
import pytest
from drawings import said
from hypothesis import given
from hypothesis import strategies as st

import csig
from csig.datasets.pictures import arranged, critical_difference, diagram_of, runs_of

pytest.importorskip("matplotlib")

#: The average ranks that Demsar (2006, section 3.2.4) prints.
DEMSAR = {"C4.5": 3.143, "C4.5+m": 2.000, "C4.5+cf": 2.893, "C4.5+m+cf": 1.964}


def linked(diagram):
    """The pairs under a bar."""
    return {frozenset(own) for bar in diagram.bars for own in combinations(bar.members, 2)}


# ---- the layout --------------------------------------------------------------------------------


@st.composite
def ranked(draw):
    """Average ranks of 2 to 9 systems over 1 to 5 data sets, many of them tied."""
    n, sets = draw(st.integers(2, 9)), draw(st.integers(1, 5))
    scores = st.lists(st.integers(0, 4), min_size=n, max_size=n)
    total = np.zeros(n)
    for row in draw(st.lists(scores, min_size=sets, max_size=sets)):
        total += [sum(x < y for x in row) + (1 + sum(x == y for x in row)) / 2 for y in row]
    return {f"s{i}": float(rank) / sets for i, rank in enumerate(total)}


@st.composite
def with_pairs(draw):
    """Average ranks, and any pairs without a significant difference."""
    ranks = draw(ranked())
    pairs = [frozenset(own) for own in combinations(ranks, 2)]
    return ranks, draw(st.sets(st.sampled_from(pairs)))


def brute(ranks, same):
    """The maximal sets of two or more, closed under what lies between, of which no two differ."""
    found = []
    for size in range(2, len(ranks) + 1):
        for own in combinations(ranks, size):
            low, high = min(map(ranks.get, own)), max(map(ranks.get, own))
            closed = all(name in own for name in ranks if low <= ranks[name] <= high)
            if closed and all(frozenset(pair) in same for pair in combinations(own, 2)):
                found.append(set(own))
    return [own for own in found if not any(own < other for other in found)]


def test_the_published_groups():
    """Nemenyi's bars of Demsar's figure 1(a), at 0.10, and of the text, at 0.05."""
    wide, narrow = (arranged(DEMSAR, critical=cd) for cd in (1.25, 1.12))
    assert [set(bar.members) for bar in wide.bars] == [set(DEMSAR)]
    # "C4.5+m vs C4.5" and "C4.5+m+cf vs C4.5" differ at 0.10, and no other pair.
    assert [set(bar.members) for bar in narrow.bars] == [
        {"C4.5+m+cf", "C4.5+m", "C4.5+cf"}, {"C4.5+cf", "C4.5"},
    ]  # fmt: skip
    assert narrow.bars[0].depth != narrow.bars[1].depth
    assert narrow.unlinked == ()


@given(with_pairs())
def test_bars_are_the_maximal_runs_and_span_exactly_their_members(case):
    ranks, same = case
    assert sorted(map(sorted, runs_of(ranks, same))) == sorted(map(sorted, brute(ranks, same)))
    diagram = arranged(ranks, same=same)
    for bar in diagram.bars:
        assert {name for name in ranks if bar.low <= ranks[name] <= bar.high} == set(bar.members)
    for one, other in combinations(diagram.bars, 2):
        assert one.depth != other.depth or one.high < other.low or other.high < one.low
    assert linked(diagram) <= same
    assert {frozenset(own) for own in diagram.unlinked} == same - linked(diagram)


@given(ranked(), st.floats(0.05, 9))
def test_with_a_critical_difference_every_pair_is_under_a_bar(ranks, critical):
    near = [own for own in combinations(ranks, 2) if abs(ranks[own[0]] - ranks[own[1]]) < critical]
    diagram = arranged(ranks, critical=critical)
    assert linked(diagram) == set(map(frozenset, near))
    assert diagram.unlinked == ()


@given(ranked(), st.sampled_from(["left", "right"]))
def test_no_line_crosses_another_and_the_best_are_at_their_side(ranks, best):
    diagram = arranged(ranks, critical=1.0, best=best)
    labels, n = diagram.labels, len(ranks)
    assert len({(own.side, own.depth) for own in labels}) == n
    depths = sorted({own.depth for own in labels})
    assert all(later - earlier > 0.99 for earlier, later in pairwise(depths))
    assert all(bar.depth < depths[0] - 0.5 for bar in diagram.bars)
    for side, end in (("left", 0.0), ("right", 1.0)):  # deeper lines turn further inside
        own = sorted((own.depth, own.rank) for own in labels if own.side == side)
        ways = [abs(diagram.place(rank) - end) for _, rank in own]
        assert ways == sorted(ways)
    assert (diagram.place(1), diagram.place(n)) == ((0, 1) if best == "left" else (1, 0))
    assert labels[0].side == best
    assert labels[0].rank == min(ranks.values())
    left, right = (
        [diagram.place(own.rank) for own in labels if own.side == side]
        for side in ("left", "right")
    )
    assert max(left) <= min(right)


def test_groups_beside_each_other_have_bars_of_one_depth():
    groups = arranged(DEMSAR, groups=[["C4.5", "C4.5+cf"], ["C4.5+m", "C4.5+m+cf"]])
    assert [bar.members for bar in groups.bars] == [("C4.5+m+cf", "C4.5+m"), ("C4.5+cf", "C4.5")]
    assert groups.bars[0].depth == groups.bars[1].depth
    beside = arranged(DEMSAR, critical=1.17, control="C4.5", marked=["C4.5+m"])
    assert (beside.bars, beside.control, beside.marked) == ((), "C4.5", {"C4.5+m"})


# ---- of results --------------------------------------------------------------------------------


def drawn(seed, systems=6, sets=14):
    """Scores of systems that differ somewhat, with some ties."""
    rng = np.random.default_rng(seed)
    own = rng.normal(size=(sets, systems)) + np.linspace(0, 1.6, systems)
    return {f"s{i}": np.round(own[:, i], 1).tolist() for i in range(systems)}


@pytest.mark.parametrize(("seed", "by"), [
    (0, None), (1, "wilcoxon"), (2, "sign"), (3, "tukey"), (0, "ranks-holm"), (1, "nemenyi"),
    (2, "nemenyi"), (3, None),
])  # fmt: skip
def test_bars_and_words_hold_all_pairs_without_a_difference(seed, by):
    found = csig.compare_datasets(drawn(seed))
    diagram, key = diagram_of(found, by=by)
    test = by or "wilcoxon"
    open_ = [own for own in found.pairs if own.adjusted_by[test] > 0.05]
    same = {frozenset((own.system, own.other)) for own in open_}
    unlinked = {frozenset(own) for own in diagram.unlinked}
    assert linked(diagram) | unlinked == same
    assert not linked(diagram) & unlinked
    critical = found.critical_differences["nemenyi"]
    assert diagram.critical == (critical if by == "nemenyi" else None)
    assert ("No significant difference either" in key) == bool(unlinked)
    assert all(f"{a} - {b}" in key for a, b in diagram.unlinked[:6])
    assert key.startswith("Average ranks, 1 is the best. Bars connect systems without a signific")
    assert by is not None or "at 0.05 (Wilcoxon signed-rank test, Holm-adjusted)" in key
    assert by != "nemenyi" or (key.endswith("at 0.05 (Nemenyi).") and not unlinked)


@pytest.mark.parametrize("seed", [0, 3])
def test_beside_a_baseline(seed):
    found = csig.compare_datasets(drawn(seed), baseline="s2")
    diagram, key = diagram_of(found)
    assert diagram.marked == {own.system for own in found.pairs if own.better is not None}
    assert (diagram.bars, diagram.interval) == ((), None)
    assert "* differs significantly from s2 at 0.05" in key
    band, key = diagram_of(found, by="bonferroni-dunn")
    low, high = band.interval
    outside = {own.name for own in band.labels if not low < own.rank < high}
    differing = {own.system for own in found.pairs if own.adjusted_by["bonferroni-dunn"] <= 0.05}
    assert outside == differing
    assert band.marked == frozenset()
    assert "from systems outside the band" in key


# ---- the picture -------------------------------------------------------------------------------


def spread(n, name="system {}"):
    """Average ranks of many systems, some tied."""
    ranks = [1 + (n - 1) * (0.2 + 0.6 * (i // 2 * 2) / max(1, n - 1)) for i in range(n)]
    middle = (n + 1) / 2 - sum(ranks) / n
    return {name.format(i): rank + middle for i, rank in enumerate(ranks)}


def boxes(axes):
    """Where every text stands, in pixels."""
    axes.figure.draw_without_rendering()
    return {own.get_text(): own.get_window_extent() for own in axes.texts}


def overlapping(found):
    """The texts that meet another one."""
    low, high = (np.array([getattr(own, end) for own in found.values()]) for end in ("min", "max"))
    meet = (low[:, None] <= high).all(2) & (low <= high[:, None]).all(2)
    np.fill_diagonal(meet, False)
    return [text for text, own in zip(found, meet, strict=True) if own.any()]


def level(axes, wide):
    """The ends of the level lines of at least this width, and their depth."""
    thick = [own.get_xydata() for own in axes.lines if own.get_linewidth() >= wide]
    return [
        (float(own[0, 0]), float(own[1, 0]), float(own[0, 1]))
        for own in thick if len(own) == 2 and own[0, 1] == own[1, 1]
    ]  # fmt: skip


CASES = {
    "published": (DEMSAR, {"cd": 1.25}),
    "at the right": (DEMSAR, {"cd": 1.12, "best": "right"}),
    "a baseline": (DEMSAR, {"cd": 1.17, "baseline": "C4.5"}),
    "two": ({"a": 1.2, "b": 1.8}, {"cd": 0.9}),
    "all tied": (dict.fromkeys("abcd", 2.5), {"cd": 2.0}),
    "a difference beyond the axis": ({"a": 1.5, "b": 1.5, "c": 3}, {"cd": 7}),
    "thirty": (spread(30), {"cd": 9.5}),
    "a hundred": (spread(100), {"cd": 14}),
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
        assert whole.x0 <= box.x0 <= box.x1 <= whole.x1
        assert whole.y0 <= box.y0 <= box.y1 <= whole.y1
    assert overlapping(found) == []
    # Names stand beside the end of their line.
    ends = [own.get_xydata()[-1] for own in axes.lines if len(own.get_xdata()) == 3]
    names = [own for own in axes.texts if own.get_text().startswith("system")]
    for end, text in zip(ends, names, strict=True) if case == "thirty" else ():
        box, at = text.get_window_extent(), axes.transData.transform(end)
        near = box.x1 if text.get_ha() == "right" else box.x0
        assert abs(near - at[0]) < 12
        assert box.y0 < at[1] < box.y1


@pytest.mark.parametrize("best", ["left", "right"])
def test_bars_are_those_of_the_layout(best):
    axes = critical_difference(DEMSAR, cd=1.12, best=best)
    diagram = arranged(DEMSAR, critical=1.12, best=best)
    ends = sorted(next(own for own in level(axes, 1.0) if own[2] == 0)[:2])
    found = [own for own in level(axes, 3.0) if own[2] > 0]
    assert len(found) == len(diagram.bars) == 2
    for bar, (low, high, depth) in zip(diagram.bars, found, strict=True):
        places = np.interp((low, high), ends, (0, 1))
        assert places == pytest.approx([diagram.place(bar.low), diagram.place(bar.high)])
        assert depth == bar.depth
    (length,) = [own for own in level(axes, 1.1) if own[2] < 0]
    assert abs(length[1] - length[0]) / (ends[1] - ends[0]) == pytest.approx(1.12 / 3)
    for ranks, cd, stops in [(DEMSAR, 1.12, 2), ({"a": 1.5, "b": 1.5, "c": 3}, 7, 1)]:
        above = [own.get_ydata() for own in critical_difference(ranks, cd=cd, best=best).lines]
        assert sum(min(y) < -2 for y in above) == stops  # of what is too long for the axis one


def test_a_baseline_is_bold_and_has_a_band():
    axes = critical_difference(DEMSAR, cd=1.17, baseline="C4.5")
    bold = [own.get_text() for own in axes.texts if own.get_fontweight() == "bold"]
    assert bold == ["C4.5 (3.14)"]
    (band,) = [own for own in level(axes, 4.0) if own[2] == 0]
    (start, end, _), *_ = [own for own in level(axes, 1.0) if own[2] == 0]
    assert (band[0] - start) / (end - start) == pytest.approx((3.143 - 1.17 - 1) / 3)
    assert band[1] == pytest.approx(end)  # the axis ends there
    assert any("differ from C4.5's by less than CD = 1.17" in text for text in said(axes))
    groups = critical_difference({"a": 1, "b": 2.4, "c": 2.6}, groups=[("b", "c")])
    assert not any("CD" in text for text in said(groups))
    assert any("Bars connect systems without" in text for text in said(groups))
