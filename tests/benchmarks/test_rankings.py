"""The simulation of docs/ranking.md: its pieces, and that the page has its numbers."""

from __future__ import annotations

import itertools

import pytest
from places import DOCS
from scipy import stats
from simulated import simulation

rankings = simulation("rankings")


def test_the_band_holds_and_single_intervals_do_not():
    for name in rankings.MODELS:
        band, pointwise, each = rankings.coverage(name, 40, 300)
        assert band > 0.9
        assert pointwise < 0.95
        assert each > 0.9


def test_error_rates_are_those_of_all_choices_of_the_true_ones():
    fisher, _ = rankings.error_rates(4, 6, 1, 1, 5, alpha=0.2)
    choices = list(itertools.combinations(range(10), 5))
    found = 0
    for own in choices:
        right = sum(i < 4 for i in own)
        found += stats.fisher_exact([[right, 4 - right], [5 - right, 1 + right]]).pvalue <= 0.2
    assert fisher == pytest.approx(found / len(choices), rel=1e-12)


@pytest.mark.parametrize("place", [0, 1, 3, 5])
def test_the_page_has_the_error_rates(place):
    table = rankings.TABLES[place]
    rates = " | ".join(f"{100 * own:.2f}%" for own in rankings.error_rates(*table))
    page = (DOCS / "ranking.md").read_text(encoding="utf-8")
    assert f"| {' | '.join(map(str, table))} | {rates} |" in page


def test_methods_of_the_same_kind_seldom_differ():
    assert rankings.claims(0.4, 0, 50, 40) <= 0.2
    assert rankings.many_claims(*rankings.MANY[2], 15) <= 0.2


def test_samples_get_the_right_verdict_at_the_right_rate():
    found = rankings.verdicts(40, "100", 0.3, 1, 60)
    assert max(found[:5]) <= 0.17  # 5%: more than 10 of 60 with probability 0.0002
    assert min(found[5:]) >= 0.83
    for sizes in ("100", "20, 300"):  # corrections hold for unequal sizes too
        found = rankings.verdicts(40, sizes, 0.3, 2, 60)
        assert found[0] == 1 or "," in sizes
        assert found[3] > 0.17 >= found[4]
        assert found[6] < 0.83 <= found[7]


def test_only_tests_of_whole_samples_hold_where_candidates_lie_together():
    found = rankings.pairs(20, 10, 0, {"threshold": (1, 1)}, 40)
    fisher, corrected, swapped, _, interval = found
    assert fisher > max(corrected, swapped)
    assert max(corrected, swapped) <= 0.175  # 5%: more than 7 of 40 with probability 0.0007
    assert interval >= 0.825
