"""The range and Dunnett's maximum beside closed forms, scipy, and published tables."""

import json
import math

import numpy as np
import pytest
from places import REFERENCE
from scipy import special, stats

from csig.probability.student import (
    dunnett_quantile,
    dunnett_tail,
    range_quantile,
    range_tail,
)


def test_two_means_are_a_t_test():
    """The range of two is sqrt(2) |t|, down to tails that scipy's range gives as 0."""
    q = np.array([0.1, 1.0, 4.0, 10.0, 40.0])
    expected = 2 * special.ndtr(-q / math.sqrt(2))
    assert range_tail(q, 2).tolist() == pytest.approx(expected.tolist(), rel=1e-12)
    for df in (1, 2.5, 7, 300):
        expected = 2 * special.stdtr(df, -q / math.sqrt(2))
        assert range_tail(q, 2, df).tolist() == pytest.approx(expected.tolist(), rel=1e-10)
        d = q / math.sqrt(2)
        assert dunnett_tail(d, 1, df).tolist() == pytest.approx(expected.tolist(), rel=1e-10)
    assert stats.studentized_range.sf(40.0, 2, np.inf) == 0.0


@pytest.mark.parametrize("df", [1, 2, 10, 199, 201, 1e5, 1e9])
def test_far_tails_and_many_degrees_of_freedom(df):
    t = np.array([1e-3, 0.5, 3.0, 30.0, 1e4, 1e8])
    expected = 2 * special.stdtr(df, -t)
    t, expected = t[expected > 1e-290], expected[expected > 1e-290]
    assert range_tail(math.sqrt(2) * t, 2, df).tolist() == pytest.approx(expected, rel=1e-10, abs=0)
    assert dunnett_tail(t, 1, df).tolist() == pytest.approx(expected, rel=1e-10, abs=0)


def test_tails_as_scipy_has_them():
    """studentized_range.sf of scipy 1.17, in reference/datasets_peers.json."""
    peers = json.loads((REFERENCE / "datasets_peers.json").read_text(encoding="utf-8"))
    for table in peers["tables"]:
        for q, k, df, expected in table["ranges"]:
            assert range_tail([q], k, float(df))[0] == pytest.approx(expected, rel=1e-10, abs=1e-12)


def test_tables_of_demsar():
    """Table 5 of Demsar (2006): (a) Nemenyi, (b) Bonferroni-Dunn, which needs no integral."""
    tables = {
        0.05: [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164],
        0.10: [1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920],
    }
    for alpha, printed in tables.items():
        found = [range_quantile(alpha, k) / math.sqrt(2) for k in range(2, 11)]
        # Tables of the range have two or three decimals: the last digit of some is off by one.
        assert found == pytest.approx(printed, abs=7.1e-4)


def test_quantiles_are_where_the_tails_are():
    for k, df in ((3, math.inf), (7, 12.0), (4, 4.0)):
        assert range_tail([range_quantile(0.05, k, df)], k, df)[0] == pytest.approx(0.05, rel=1e-11)
        d = dunnett_quantile(1e-6, k, df)
        assert dunnett_tail([d], k, df)[0] == pytest.approx(1e-6, rel=1e-10)


def test_dunnett_by_scipys_multivariate_t():
    """Two and three groups beside a control, by the distribution function of scipy."""
    for k, d, df in ((2, 2.2, 12), (3, 2.5, 20)):
        matrix = np.full((k, k), 0.5) + np.eye(k) / 2
        inside = stats.multivariate_t(shape=matrix, df=df).cdf(
            [d] * k, lower_limit=[-d] * k, maxpts=200_000, random_state=1
        )
        assert dunnett_tail([d], k, df)[0] == pytest.approx(1 - inside, abs=2e-4)


def test_dunnett_by_its_published_table():
    """Dunnett (1964), two-sided 5%: k = 2, 3, 5 with 10, 20 and infinitely many df."""
    printed = {10: (2.57, 2.76, 2.99), 20: (2.38, 2.54, 2.73), math.inf: (2.21, 2.35, 2.51)}
    for df, row in printed.items():
        for k, d in zip((2, 3, 5), row, strict=True):
            above, below = dunnett_tail([d - 0.006, d + 0.006], k, df)
            assert above > 0.05 > below


def test_edges():
    assert range_tail([0.0, -1.0, 1e9], 5).tolist() == [1.0, 1.0, 0.0]
    assert dunnett_tail([0.0, 1e9], 5, 3).tolist()[0] == 1.0
    assert math.isnan(range_tail([math.nan], 3)[0])
    assert range_tail([3.0], 200, 500)[0] == pytest.approx(1.0, abs=1e-6)
    far = range_tail([45.0], 4)[0]  # at most the sum over six pairs, and nearly that
    assert far == pytest.approx(6 * 2 * special.ndtr(-45 / math.sqrt(2)), rel=1e-6)
