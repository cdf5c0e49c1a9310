"""The exact test at a margin against enumeration: every outcome, in fractions."""

from __future__ import annotations

import math
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from drawn import several
from hypothesis import given, settings
from hypothesis import strategies as st

from csig.probability.margins import TOLERANCE, Margin, largest_margin, score


def order(x: int, y: int, n: int, margin: Fraction) -> Decimal:
    """Tango's statistic in 60 digits, from the likelihood equation of the larger proportion."""
    with localcontext() as context:
        context.prec = 60
        d = Decimal(margin.numerator) / Decimal(margin.denominator)
        above = x - y + n * d
        if abs(above) < Decimal("1e-50"):
            return Decimal(0)
        half = (x + y + d * (y - x) + 2 * n * d) / (4 * n)
        root = max(half * half - y * d * (1 + d) / (2 * n), Decimal(0))
        b = half + root.sqrt()
        return above / (n * (2 * b - d - d * d)).sqrt()


def likely(x: int, y: int, n: int, a: Any, b: Any) -> Any:
    ways = math.comb(n, x) * math.comb(n - x, y)
    return ways * a**x * b**y * (1 - a - b) ** (n - x - y)


def outcomes(n: int) -> list[tuple[int, int]]:
    return [(x, y) for x in range(n + 1) for y in range(n + 1 - x)]


@pytest.mark.parametrize(("n", "margin"), [
    (1, "1/100"), (2, "1/10"), (3, "0"), (3, "1/3"), (5, "-1/20"), (5, "1/10"), (8, "1/3"),
    (8, "0"), (11, "-1/20"), (13, "1/100"),
])  # fmt: skip
def test_p_is_the_largest_tail_over_all_shares_that_differ(n: int, margin: str) -> None:
    d = Fraction(margin)
    known = {own: order(*own, n, d) for own in outcomes(n)}
    shares = [abs(d) + (1 - abs(d)) * Fraction(i, 12) ** 2 for i in range(13)]
    fine = float(abs(d)) + (1 - float(abs(d))) * np.linspace(0, 1, 2001) ** 2
    a, b = (fine - float(d)) / 2, (fine + float(d)) / 2
    mass = {
        s: {own: likely(*own, n, (s - d) / 2, (s + d) / 2) for own in known} for s in shares
    }  # fmt: skip
    exact = Margin(n, float(d))
    for x, y in list(known)[:: max(1, len(known) // 20)]:
        tail = [own for own, t in known.items() if t >= known[x, y] - Decimal("1e-20")]
        largest = max(float(sum(mass[s][own] for own in tail)) for s in shares)
        found = exact.pvalue(x, y)
        assert found >= largest
        nearly = sum(likely(*own, n, a, b) for own in tail).max()
        assert found <= nearly * (1 + TOLERANCE + 1e-4) + 1e-11
        region = exact.region(float(known[x, y]))
        inside = {(i, j) for j, c in enumerate(region.c) for i in range(c, n + 1 - j)}
        assert inside == set(tail)


def test_probabilities_of_regions_are_sums_of_fractions() -> None:
    n, d = 9, Fraction(1, 10)
    region = Margin(n, 0.1).region(0.8)
    for a, b in [(0, "1/10"), ("1/9", "2/9"), ("1/2", "1/2"), ("3/4", "1/8"), (0, 0), (1, 0)]:
        a, b = Fraction(a), Fraction(b)
        own = [(x, y) for x, y in outcomes(n) if order(x, y, n, d) >= Decimal("0.8")]
        expected = float(sum(likely(*one, n, a, b) for one in own))
        found = region.probability(np.array([float(a)]), np.array([float(b)]))
        assert found[0] == pytest.approx(expected, abs=1e-12)


@settings(max_examples=several(20, 40), deadline=None)
@given(st.data())
def test_p_is_no_less_than_the_tail_at_any_share(data: st.DataObject) -> None:
    n = data.draw(st.integers(5, 900))
    y = data.draw(st.integers(0, n // 2))
    x = data.draw(st.integers(0, n // 2))
    margin = data.draw(st.floats(0.002, 0.3))
    share = margin + (1 - margin) * data.draw(st.floats(0, 1))
    exact = Margin(n, margin)
    region = exact.region(float(score(np.float64(x), np.float64(y), n, margin)))
    assert (np.diff(region.c) >= 0).all()
    found = exact.pvalue(x, y)
    at = float(region.probability(*exact.along(np.array([share])))[0])
    assert at <= found * (1 + 1e-9) + 1e-11
    # The difference may be below the margin as well: that is no worse.
    a, b = exact.along(np.array([share]))
    at = float(region.probability(a / 2, b)[0])
    assert at <= found * (1 + 1e-9) + 1e-11
    for alpha in (0.01, 0.05):
        if abs(found - alpha) > TOLERANCE * alpha:
            assert exact.rejects(x, y, alpha) == (found <= alpha)


def test_mirrored_pairs_ask_the_mirrored_question() -> None:
    # The lower limit of x - y is the upper one of y - x, mirrored; a - b <= 0 is the usual test.
    assert Margin(40, 0.0).pvalue(10, 1) < 0.01 < Margin(40, 0.0).pvalue(8, 3)
    low = -largest_margin(10, 1, 40, 0.025)
    high = largest_margin(1, 10, 40, 0.025)
    assert low < 9 / 40 < high


def test_the_limit_is_the_hull_of_what_is_not_rejected() -> None:
    # p crosses 0.10 three times near a margin of 0.105.
    margins = np.arange(0.09, 0.13, 0.0005)
    found = [Margin(60, d).pvalue(3, 5) > 0.10 for d in margins]
    assert np.count_nonzero(np.diff(found)) == 3
    last = margins[np.flatnonzero(found)[-1]]
    assert last <= largest_margin(3, 5, 60, 0.10) <= last + 0.0006


# Exactly enumerated over all outcomes: size at the margin, and power where both are equal, in
# percent at 5%; the share of pairs that differ is that of the null hypothesis' boundary.
SIZES = [
    (30, 0.03, 0.05, 1.1, 8.4), (30, 0.10, 0.10, 4.2, 38.4), (100, 0.03, 0.05, 3.9, 30.0),
    (100, 0.10, 0.10, 2.4, 88.5), (200, 0.05, 0.05, 2.6, 88.0), (200, 0.03, 0.10, 4.2, 34.1),
    (200, 0.10, 0.10, 3.2, 99.4), (400, 0.03, 0.05, 4.5, 80.8), (400, 0.05, 0.20, 4.8, 71.2),
    (400, 0.01, 0.20, 4.9, 11.4),
]  # fmt: skip


@pytest.mark.parametrize(("n", "margin", "share", "size", "power"), SIZES)
def test_sizes_and_powers_are_those_of_an_enumeration(
    n: int, margin: float, share: float, size: float, power: float
) -> None:
    exact = Margin(n, margin)
    region = exact.critical(0.05)
    assert exact.largest(region, 0.05) <= 0.05
    null = region.probability(*exact.along(np.array([share])))[0]
    equal = region.probability(np.array([share / 2]), np.array([share / 2]))[0]
    assert 100 * null == pytest.approx(size, abs=0.06)
    assert 100 * equal == pytest.approx(power, abs=0.06)


def test_many_pairs_are_compared_with_the_normal_distribution() -> None:
    exact, many = Margin(20_000, 0.01), Margin(20_001, 0.01)
    assert many.pvalue(1000, 1100) == pytest.approx(exact.pvalue(1000, 1100), rel=0.05)
    assert many.rejects(1000, 1100, 0.05) == exact.rejects(1000, 1100, 0.05)


@pytest.mark.parametrize("n", [5, 20, 60])
@pytest.mark.parametrize("margin", [-0.6, -0.3, 0.05, 0.3, 0.6])
def test_the_share_that_is_tried_first_decides_nothing(n: int, margin: float) -> None:
    m = Margin(n, margin)
    for x, y in outcomes(n)[:: max(1, n * n // 20)]:
        region = m.region(float(score(x, y, n, margin)))
        wanted = m.largest(region) <= 0.05
        for first in (None, 0.01, 0.2, 0.9 * abs(margin)):
            assert (m.likelier(region, 0.05, first) is None) == wanted, (x, y, first)
