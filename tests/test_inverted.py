"""Inverted intervals: the shifts that the randomization test does not reject, and only these."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import csig
from csig import Comparison, InputError, Metric
from csig.comparing import intervals
from csig.comparing.intervals import all_units
from csig.data import metrics
from csig.intervals import NoInterval, inverted_interval

#: Darwin's maize (Fisher 1935).
DARWIN = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]


def by_subsets(differences: np.ndarray, sizes: np.ndarray, alpha: float) -> tuple[float, float]:
    """The same by all subsets: a shift is rejected where too few subsets have a mean beyond it.

    Swapping a subset changes the shifted difference to one that is no smaller where the subset's
    ratio is at most the shift (below the difference), or at least (above it).
    """
    n = len(differences)
    swaps = np.array(list(itertools.product((0, 1), repeat=n))[1:], dtype=float)
    ratios = np.sort((swaps @ differences) / (swaps @ sizes))
    # With the empty one, k + 1 subsets reach the observed difference; p = 2 (k + 1) / 2^n.
    k = int(np.floor(alpha * 2**n / 2 + 1e-9))
    return float(ratios[k - 1]), float(ratios[-k])


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.99])
@pytest.mark.parametrize("seed", range(6))
def test_few_units_have_the_interval_of_all_subsets(level, seed):
    rng = np.random.default_rng(seed)
    d = np.array(DARWIN, dtype=float) if seed == 0 else rng.normal(0.3, 1, size=11)
    found = inverted_interval(
        Comparison.from_scores(d, np.zeros(len(d))), "mean", confidence_level=level
    )
    low, high = by_subsets(d, np.ones(len(d)), 1 - level)
    slack = 1e-5 * np.std(d)
    assert (found.low, found.high) == pytest.approx((low, high), abs=slack)
    assert found.estimate == pytest.approx(d.mean(), rel=1e-12)
    assert (found.method, found.n_units) == ("inverted", len(d))
    assert found.standard_error == pytest.approx(d.std(ddof=1) / len(d) ** 0.5)


def test_clusters_are_shifted_by_their_size():
    rng = np.random.default_rng(3)
    clusters = rng.permutation(np.repeat(np.arange(10), [1, 2, 3, 4, 5, 1, 2, 3, 4, 5]))
    d = rng.normal(0.4, 1, size=len(clusters))
    comparison = Comparison.from_scores(d, np.zeros(len(d)), clusters=clusters)
    found = inverted_interval(comparison, "mean", confidence_level=0.9)
    sums = np.bincount(clusters, weights=d)
    low, high = by_subsets(sums, np.bincount(clusters).astype(float), 0.1)
    assert (found.low, found.high) == pytest.approx((low, high), abs=1e-5)
    assert found.n_units == 10


def test_units_without_a_difference_are_shifted_too():
    d = np.array([0.0, 0.0, 0.0, *np.random.default_rng(5).normal(0.5, 1, size=9)])
    found = inverted_interval(Comparison.from_scores(d, np.zeros(12)), "mean")
    low, high = by_subsets(d, np.ones(12), 0.05)
    assert (found.low, found.high) == pytest.approx((low, high), abs=1e-5)
    assert found.n_units == 12


@pytest.mark.parametrize("n", [30, 400, 3000])
@pytest.mark.parametrize("factor", [0.99, 1 - 1e-6, 1, 1 + 1e-6, 1.01])
def test_it_excludes_0_exactly_where_the_test_rejects(n, factor):
    rng = np.random.default_rng(n)
    a = rng.normal(size=n)
    comparison = Comparison.from_scores(a + rng.normal(1 / n**0.5, 0.5, size=n), a)
    p = csig.randomization_test(comparison, "mean").pvalue
    alpha = round(p * factor, 12)
    found = inverted_interval(comparison, "mean", confidence_level=1 - alpha)
    assert (found.low > 0) == (p <= round(1 - (1 - alpha), 12))
    assert found.low < found.estimate < found.high


def test_many_units_have_about_the_linearized_interval():
    rng = np.random.default_rng(1)
    comparison = Comparison.from_scores(rng.random(5000), rng.random(5000))
    found = inverted_interval(comparison, "mean")
    other = csig.intervals.linearized_interval(comparison, "mean")
    assert (found.low, found.high) == pytest.approx((other.low, other.high), abs=0.02 * found.high)


def test_turned_round_it_is_turned_round():
    rng = np.random.default_rng(2)
    a, b = rng.normal(size=(2, 200))
    one, other = (
        inverted_interval(Comparison.from_scores(*own), "mean") for own in ((a, b), (b, a))
    )
    assert (one.low, one.high) == pytest.approx((-other.high, -other.low), abs=1e-6)


def test_recall_of_documents_is_a_sum_over_gold():
    rng = np.random.default_rng(4)
    gold = rng.integers(1, 5, size=12)
    rows = [np.stack([rng.integers(0, gold + 1), gold + 2, gold], axis=1) for _ in "ab"]
    comparison = Comparison.from_statistics(*rows, ("tp", "predicted", "gold"))
    found = inverted_interval(comparison, "recall", confidence_level=0.9)
    d = (rows[0][:, 0] - rows[1][:, 0]).astype(float)
    low, high = by_subsets(d, gold.astype(float), 0.1)
    assert (found.low, found.high) == pytest.approx((low, high), abs=1e-5)


@pytest.mark.parametrize("level", [1 - 1e-13, 1 - 2**-52, 1e-9])
def test_levels_next_to_one_and_to_zero(level: float) -> None:
    rng = np.random.default_rng(7)
    comparison = Comparison.from_scores(*rng.normal(size=(2, 80)))
    found = inverted_interval(comparison, "mean", confidence_level=level)
    linearized = csig.intervals.linearized_interval(comparison, "mean", confidence_level=level)
    assert found.low <= found.estimate <= found.high
    assert found.high - found.low <= 1.2 * (linearized.high - linearized.low) + 1e-3


@pytest.mark.parametrize("seed", range(4))
def test_the_fewest_units_that_can_reject_have_the_range_of_their_differences(seed: int) -> None:
    d = np.random.default_rng(seed).normal(0.3, 1, size=6)
    found = inverted_interval(Comparison.from_scores(d, np.zeros(6)), "mean")
    assert found.low == pytest.approx(d.min(), abs=1e-4)
    assert found.high == pytest.approx(d.max(), abs=1e-4)


def test_where_there_is_none():
    two = Comparison.from_scores([1.0, 2.0, 4.0], [0.5, 0.1, 0.2])
    with pytest.raises(NoInterval, match=r"'mean': 3 items cannot reject any shift at 0\.05"):
        inverted_interval(two, "mean")
    rows = [[1, 2, 3], [2, 4, 5], [3, 6, 6]], [[0, 3, 3], [2, 3, 5], [4, 6, 6]]
    documents = Comparison.from_statistics(*rows, ("tp", "predicted", "gold"))
    with pytest.raises(NoInterval, match="'precision': the systems have different denominators"):
        inverted_interval(documents, "precision")
    empty = [[5, 0]] * 8 + [[1, 1]], [[0, 0]] * 8 + [[0, 1]]
    most = Comparison.from_statistics(*empty, ("x", "n"))
    share = Metric("share", ("x", "n"), numerator=(1, 0), denominator=(0, 1))
    with pytest.raises(NoInterval, match="no shift, however large, is rejected"):
        inverted_interval(most, share, confidence_level=0.995)
    own = Metric("own", ("score",), function=lambda s: s[:, 0] ** 2)
    with pytest.raises(NoInterval, match="'own': a function has no shift by unit"):
        inverted_interval(two, own)
    with pytest.raises(InputError, match="confidence_level must lie between 0 and 1"):
        inverted_interval(two, "mean", confidence_level=1)


@pytest.mark.parametrize("score", [1.5, 1e5 + 0.5, 1e-3, 0.0])
def test_where_no_unit_differs_the_interval_is_a_point(score: float) -> None:
    found = inverted_interval(Comparison.from_scores([score] * 20, [score] * 20), "mean")
    assert (found.low, found.estimate, found.high) == (0, 0, 0)


def exact_pvalue(differences: list[int]) -> Fraction:
    """Two-sided, by all changes of signs."""
    observed = abs(sum(differences))
    sums = [0]
    for d in differences:
        sums = [total + sign * d for total in sums for sign in (1, -1)]
    return Fraction(sum(abs(total) >= observed for total in sums), len(sums))


@pytest.mark.parametrize(
    "d",
    [
        [3, -1, 4, 1, 5, -2, 6, 2],
        [0, 0, 0, 1, 1, 2, 2, -1],
        [1, 1, 1, 1, 1, 2, 2, 2],
        [40, 1, -1, 2, 1, -2, 3, 1],
    ],
)
def test_a_grid_of_shifts_is_rejected_outside_and_nowhere_else(d: list[int]) -> None:
    found = inverted_interval(Comparison.from_scores(d, [0] * 8), "mean", confidence_level=0.9)
    for shift in range(-8_000 + 1, 45_000, 125):  # thousandths; on no atom, where an end lies
        kept = exact_pvalue([1000 * x - shift for x in d]) > Fraction(1, 10)
        assert kept == (found.low <= shift / 1000 <= found.high), shift


#: Few values, so that sums tie; one outlier; clusters of several sizes.
TIED = st.lists(st.integers(-3, 4), min_size=6, max_size=12)


@settings(max_examples=60, deadline=None)
@given(TIED, st.sampled_from([0, 50]), st.integers(1, 3), st.sampled_from([0.8, 0.9, 0.9375, 0.95]))
@example([1, 1, 1, 1, 1], 0, 1, 0.9375)  # p is 1/16 = alpha
@example([0, 0, 0, 0, 0, 1, 1], 0, 1, 0.5)
def test_it_excludes_0_exactly_where_p_is_at_most_alpha(d, outlier, size, level):
    d = [d[0] + outlier, *d[1:]] if outlier else d
    alpha = round(1 - level, 12)
    comparison = Comparison.from_scores(
        d, [0] * len(d), clusters=[i // size for i in range(len(d))] if size > 1 else None
    )
    p = csig.randomization_test(comparison, "mean").pvalue
    try:
        found = inverted_interval(comparison, "mean", confidence_level=level)
    except NoInterval:
        assert p > alpha
        return
    assert (found.low > 0 or found.high < 0) == (p <= alpha)
    assert found.low <= found.estimate <= found.high


@pytest.mark.parametrize("kind", ["real", "integers"])
def test_it_moves_and_grows_with_the_scores(kind: str) -> None:
    rng = np.random.default_rng(8)
    d = rng.normal(0.2, 1, 60) if kind == "real" else rng.integers(-3, 5, 60).astype(float)
    one, moved, grown = (
        inverted_interval(Comparison.from_scores(own, np.zeros(60)), "mean")
        for own in (d, d + 2.5, 8 * d)
    )
    near = 1e-4 * d.std() / 60**0.5
    assert (moved.low, moved.high) == pytest.approx((one.low + 2.5, one.high + 2.5), abs=near)
    assert (grown.low, grown.high) == pytest.approx((8 * one.low, 8 * one.high), abs=8 * near)


def test_large_samples_have_the_linearized_interval() -> None:
    rng = np.random.default_rng(6)
    clusters = np.sort(rng.integers(0, 5_000, 20_000))
    comparison = Comparison.from_scores(rng.random(20_000), rng.random(20_000), clusters=clusters)
    found = inverted_interval(comparison, "mean")
    other = csig.intervals.linearized_interval(comparison, "mean")
    near = 0.005 * (other.high - other.low)
    assert (found.low, found.high) == pytest.approx((other.low, other.high), abs=near)
    assert found.standard_error == pytest.approx(other.standard_error)


def counted(monkeypatch: pytest.MonkeyPatch, comparison: Comparison) -> int:
    """The p-values that the interval takes."""
    seen = []
    whole = intervals.tail_bounds

    def counting(*given):
        seen.append(given)
        return whole(*given)

    with monkeypatch.context() as patch:
        patch.setattr(intervals, "tail_bounds", counting)
        inverted_interval(comparison, "mean")
    return len(seen)


def test_an_interval_takes_few_pvalues(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(7)
    zero = np.zeros(2000)
    for d in (
        rng.normal(0.02, 1, 2000), rng.normal(0.2, 1, 2000), rng.lognormal(0, 1, 2000) - 1.5,
        rng.integers(-4, 5, 2000), np.where(rng.random(2000) < 0.7, 0, rng.random(2000)),
    ):  # fmt: skip
        assert counted(monkeypatch, Comparison.from_scores(d, zero)) <= 15, d[:3]
    large = Comparison.from_scores(rng.normal(0.01, 1, 50_000), np.zeros(50_000))
    assert counted(monkeypatch, large) <= 7
    few = Comparison.from_scores(rng.integers(-4, 5, 12), np.zeros(12))
    assert counted(monkeypatch, few) <= 100


@pytest.mark.parametrize("rejected", [True, False])
def test_the_result_of_the_test_is_taken(rejected: bool) -> None:
    rng = np.random.default_rng(9)
    comparison = Comparison.from_scores(rng.normal(0.3, 1, 40), np.zeros(40))
    mean = metrics.get("mean", comparison.columns)
    p = csig.randomization_test(comparison, "mean").pvalue
    found = intervals.inverted_of(all_units(comparison), comparison, mean, 1 - p, rejected)
    assert (found.low > 0) == rejected
    assert abs(found.low) < 1e-4


def test_whose_mean_a_shift_could_move() -> None:
    def of(comparison: Comparison, metric: str | Metric = "mean") -> bool:
        return intervals.is_mean_of_scores(comparison, metrics.get(metric, comparison.columns))

    shares = Comparison.from_scores([0.5, 1, 0], [0, 1, 1])
    assert of(shares)
    assert of(shares, Metric("half", ("score", "n"), numerator=(1, 0), denominator=(0, 2)))
    assert not of(shares, Metric("own", ("score", "n"), function=lambda s: s[:, 0] / s[:, 1]))
    assert not of(shares, Metric("odd", ("score", "n"), numerator=(1, 1), denominator=(0, 1)))
    assert of(Comparison.from_scores([1, 5, 3], [2, 2, 4], clusters=["x", "x", "y"]))
    assert not of(Comparison.from_scores([1, 0, 1], [1, 1, 0]))
    assert not of(Comparison.from_scores([[1, 2, 4], [2, 3, 3]], [[1, 1, 1], [2, 1, 2]]))
    documents = Comparison.from_statistics([[1, 2], [1, 1]], [[0, 2], [1, 1]], ("tp", "gold"))
    assert not of(documents, "recall")


def test_units_of_which_too_few_differ() -> None:
    def check(d: list[float]) -> None:
        comparison = Comparison.from_scores(d, [0] * len(d))
        mean = metrics.get("mean", comparison.columns)
        intervals.check_differing(comparison, mean, all_units(comparison), 0.95)

    with pytest.raises(NoInterval, match=r"the test of 1 item that differs cannot reject at 0\.05"):
        check([0.5] + [0] * 30)
    with pytest.raises(NoInterval, match="the test of 5 items that differ cannot reject"):
        check([0.5, 1, 2, 3, 4] + [0] * 30)
    check([0.5, 1, 2, 3, 4, 5] + [0] * 30)


def test_sums_that_leave_no_room_have_none() -> None:
    d = np.random.default_rng(1).normal(size=2000)
    d[0] = 1e12
    with pytest.raises(NoInterval, match="the scores differ too much in size"):
        inverted_interval(Comparison.from_scores(d, np.zeros(2000)), "mean")


def by_counts(differences: list[int], alpha: Fraction) -> tuple[float, float]:
    """The ends by the exact number of subsets of every size and sum; as `by_subsets`, for more."""
    n, least = len(differences), sum(min(0, x) for x in differences)
    table = np.zeros((n + 1, sum(map(abs, differences)) + 1), dtype=object)
    table[0, -least] = 1
    for x in differences:
        with_it = np.roll(table, (1, x), axis=(0, 1))
        table = table + with_it
    ratios: dict[Fraction, int] = {}
    for size, place in zip(*np.nonzero(table), strict=True):
        if size:
            ratio = Fraction(int(place) + least, int(size))
            ratios[ratio] = ratios.get(ratio, 0) + table[size, place]
    ends = []
    for order in (sorted(ratios), sorted(ratios, reverse=True)):
        reached = 1  # by the empty one
        for ratio in order:
            reached += ratios[ratio]
            if 2 * reached > alpha * 2**n:
                ends.append(float(ratio))
                break
    return ends[0], ends[1]


@pytest.mark.parametrize("n", [20, 48, 90])
@pytest.mark.parametrize("kind", ["marks", "signs", "ties"])
def test_integers_have_the_interval_of_exact_counts(n: int, kind: str) -> None:
    rng = np.random.default_rng(n)
    d = {
        "marks": rng.integers(-4, 5, n),
        "signs": rng.integers(-1, 2, n),
        "ties": np.where(rng.random(n) < 0.7, 0, rng.integers(-4, 6, n)),
    }[kind].tolist()
    low, high = by_counts(d, Fraction(1, 20))
    found = inverted_interval(Comparison.from_scores(d, [0] * n), "mean")
    assert found.standard_error is not None
    near = 1e-3 * found.standard_error
    assert low - near <= found.low <= low + 1e-12  # never inside
    assert high - 1e-12 <= found.high <= high + near
