"""What diagrams show of a result: its verdicts, or one of the procedures beside them."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from written import refusal

import csig
from csig.report.plots.ranked import diagram_of


def drawn(seed, systems=6, sets=14):
    """Scores of systems that differ somewhat, with some ties."""
    rng = np.random.default_rng(seed)
    own = rng.normal(size=(sets, systems)) + np.linspace(0, 1.6, systems)
    return {f"s{i}": np.round(own[:, i], 1).tolist() for i in range(systems)}


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("by", [None, "wilcoxon", "sign", "tukey", "ranks-holm"])
def test_bars_and_words_hold_all_pairs_without_a_difference(seed, by):
    found = csig.compare_over_datasets(drawn(seed))
    diagram, key = diagram_of(found, by=by)
    same = {
        frozenset((own.system, own.other))
        for own in found.pairs
        if own.adjusted_by["wilcoxon" if by is None else by] > 0.05
    }
    linked = {frozenset(own) for bar in diagram.bars for own in combinations(bar.members, 2)}
    unlinked = {frozenset(own) for own in diagram.unlinked}
    assert linked | unlinked == same
    assert not linked & unlinked
    assert diagram.critical is None
    assert ("No significant difference either" in key) == bool(unlinked)
    for a, b in diagram.unlinked[:6]:
        assert f"{a} - {b}" in key
    assert key.startswith("Average ranks, 1 is the best. Bars connect systems without a signific")


def test_a_pair_that_no_bar_connects():
    """The three of a table in which the first and the last are alike, and the middle differs."""
    n = 12
    a = [10.0 + i for i in range(n)]
    b = [own - 0.1 for own in a]  # below a, everywhere
    c = [own + (2.0 if i < 3 else -0.2) for i, own in enumerate(a)]  # now and then far above
    diagram, key = diagram_of(csig.compare_over_datasets({"a": a, "b": b, "c": c}))
    assert ("a", "c") in diagram.unlinked or ("a", "c") in {
        pair for bar in diagram.bars for pair in combinations(sorted(bar.members), 2)
    }
    assert ("a", "b") not in diagram.unlinked
    assert "at 0.05 (Wilcoxon signed-rank test, Holm-adjusted)" in key


@pytest.mark.parametrize("seed", range(4))
def test_nemenyis_bars_are_those_of_the_critical_difference(seed):
    found = csig.compare_over_datasets(drawn(seed))
    diagram, key = diagram_of(found, by="nemenyi")
    assert diagram.critical == found.critical_differences["nemenyi"]
    assert diagram.unlinked == ()
    linked = {frozenset(own) for bar in diagram.bars for own in combinations(bar.members, 2)}
    assert linked == {
        frozenset((own.system, own.other))
        for own in found.pairs
        if own.adjusted_by["nemenyi"] > 0.05
    }
    assert key.endswith("at 0.05 (Nemenyi).")


@pytest.mark.parametrize("seed", range(4))
def test_beside_a_baseline(seed):
    found = csig.compare_over_datasets(drawn(seed), baseline="s2")
    diagram, key = diagram_of(found)
    assert diagram.marked == {own.system for own in found.pairs if own.better is not None}
    assert diagram.bars == ()
    assert diagram.interval is None
    assert "* differs significantly from s2 at 0.05" in key
    band, words = diagram_of(found, by="bonferroni-dunn")
    low, high = band.interval
    outside = {own.name for own in band.labels if not low < own.rank < high}
    differing = {own.system for own in found.pairs if own.adjusted_by["bonferroni-dunn"] <= 0.05}
    assert outside == differing
    assert band.marked == frozenset()
    assert "from systems outside the band" in words


def test_refused():
    found = csig.compare_over_datasets(drawn(0))
    assert "expected one of 'wilcoxon'" in refusal(diagram_of, found, by="nemeny")
    assert "did you mean 'nemenyi'" in refusal(diagram_of, found, by="nemeny")
    assert "cd=, groups= and baseline= are for average ranks" in refusal(diagram_of, found, cd=1.0)
    assert "ranks: expected what" in refusal(diagram_of, "x")
