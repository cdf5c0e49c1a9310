"""The simulation of docs/ranking.md: its pieces, and that the page has its numbers."""

import itertools

import pytest
from places import DOCS
from scipy import stats
from simulated import simulation

rankings = simulation("rankings")


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
