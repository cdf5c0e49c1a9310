"""What is doubted about many systems, and how large the first factor is."""

from typing import Any

import numpy as np
import pytest

from csig.data.several import several
from csig.engines.flips import Flips
from csig.systems.ranking import FEW_UNITS, PairPvalues, doubts_of, largest_factor, scored


def table(n: int) -> Any:
    rng = np.random.default_rng(n)
    return scored(several({name: rng.random(n) for name in "abc"}), None)


def drawn(n_shuffled: int, n_resamples: int, flips: bool) -> PairPvalues:
    return PairPvalues(np.full(3, 0.5), np.log(np.full(3, 0.5)), n_shuffled, n_resamples, flips)


def test_nothing_is_doubted_that_is_exact_or_certified() -> None:
    p = PairPvalues(np.full(3, 0.5), np.log(np.full(3, 0.5)), n_certified=2)
    assert doubts_of(table(50), "holm", p, 0.05, True) == []


def test_flips_name_the_smallest_pvalue() -> None:
    (doubt,) = doubts_of(table(50), "holm", drawn(3, 1999, True), 0.05, True)
    assert doubt == (
        "All 3 p-values of pairs are from one set of sign flips, not exact, and none of them can "
        "be below 0.0005: exact tests of these pairs would take too long, and proven bounds too, "
        "or they do not close."
    )
    (doubt,) = doubts_of(table(50), "holm", drawn(2, 1999, True), 0.05, True)
    assert doubt.startswith("2 of 3 p-values of pairs are")


def test_shuffles_of_some_pairs() -> None:
    one, two = (doubts_of(table(50), "holm", drawn(n, 999, False), 0.05, True) for n in (1, 2))
    assert one == ["1 p-value of pairs is from shuffles, not exact."]
    assert two == ["2 p-values of pairs are from shuffles, not exact."]


def test_too_few_trials_and_too_few_units() -> None:
    few = doubts_of(table(50), "holm", drawn(3, 19, True), 0.05, True)
    assert few[1].startswith(
        "With 19 flips none of these adjusted p-values can be as small as 0.05"
    )
    p = PairPvalues(np.full(3, 0.5), np.log(np.full(3, 0.5)))
    (units,) = doubts_of(table(5), "bonferroni", p, 0.05, True)
    assert units.startswith("With 5 items no p-value of a pair can be below 0.0625")


@pytest.mark.parametrize("n", [FEW_UNITS - 1, FEW_UNITS])
def test_flips_of_few_units(n: int) -> None:
    p = Flips(np.ones(3, dtype=int), np.ones(3, dtype=int), np.full(3, 0.5), 999)
    assert len(doubts_of(table(n), "flips", p, 0.05, True)) == (n < FEW_UNITS)


def test_the_first_factor() -> None:
    assert [largest_factor(own, 4) for own in ("holm", "bonferroni", "bh")] == [4, 4, 4]
    assert largest_factor("by", 4) == pytest.approx(4 * (1 + 1 / 2 + 1 / 3 + 1 / 4))
