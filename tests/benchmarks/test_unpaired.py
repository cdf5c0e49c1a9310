"""The simulation of independent runs: where their distributions are the same both tests keep 5%."""

import pytest
from places import DOCS
from scipy.stats import binom
from simulated import simulation

unpaired = simulation("unpaired")


@pytest.mark.parametrize("metric", ["mean", "median", "trimmed_mean"])
def test_levels_of_equal_distributions_and_of_unequal_ones(metric, monkeypatch):
    n = 90
    apart = unpaired.row(metric, "two-sided", n)
    assert apart[1] > 0.12 > apart[0]
    monkeypatch.setattr(unpaired, "SPREADS", (1.0, 1.0))
    assert max(unpaired.row(metric, "two-sided", n)) <= binom.isf(1e-4, n, 0.05) / n


def test_the_page_has_a_row_for_each():
    page = (DOCS / "timings.md").read_text(encoding="utf-8")
    assert "| p at most 0.05 | two-sided | undivided | one-sided | undivided |" in page
    for metric in ("mean", "median", "trimmed_mean"):
        assert page.count(f"| `{metric}`") == 2
