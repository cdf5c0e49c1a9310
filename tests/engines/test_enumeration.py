"""Metrics that are functions, and enumeration: against all exchanges, one by one."""

import math
import signal
import threading
from fractions import Fraction

import numpy as np
import pytest
from brute import exchanges
from drawn import examples
from hypothesis import given
from hypothesis import strategies as st

from csig import Comparison, Metric, randomization_test, replay
from csig.data import metrics
from csig.engines import enumeration
from csig.engines.tasks import SlowMetricWarning

ALTERNATIVES = ("two-sided", "greater", "less")
CELLS = ("tp", "fp", "fn", "tn")
COLUMNS = ("tp", "predicted", "gold")


def share(found, alternative, band=0):
    """Of all differences, of which the first is the observed one."""
    observed = found[0]
    extreme = {
        "two-sided": lambda d: abs(d) >= abs(observed) - band,
        "greater": lambda d: d >= observed - band,
        "less": lambda d: d <= observed + band,
    }[alternative]
    return Fraction(sum(map(extreme, found)), len(found))


def units(seed, shape, low=1, high=9):
    """Two systems' columns x and y, or as many as there are."""
    rows = np.random.default_rng(seed).integers(low, high, (2, *shape))
    return Comparison.from_statistics(*rows, ("x", "y", "z")[: shape[1]])


def metric_of(function, name="mine", columns=("x", "y")):
    return Metric(name, columns, function=function)


def all_differences(a, b, score):
    """Of every exchange."""
    return [score(one) - score(other) for one, other in exchanges(a.tolist(), b.tolist())]


def score_of(metric, columns=CELLS, **options):
    """A metric's exact score of sums."""
    return lambda sums: metric.score(dict(zip(columns, map(int, sums), strict=True)), **options)


@st.composite
def confusions(draw, most=6):
    """Both systems' cells on a few units with several items each."""
    n = draw(st.integers(1, most))
    cell = st.integers(0, 3)
    return [np.array([[draw(cell) for _ in CELLS] for _ in range(n)]) for _ in "ab"]


RATIOS = ["recall", "precision", "f1", "f0.5", "jaccard", "accuracy", "specificity"]


@examples(500)
@given(
    confusions(),
    st.sampled_from(["mcc", "kappa", "macro_f1", "weighted_f1", "balanced_accuracy", *RATIOS]),
    st.sampled_from(ALTERNATIVES),
    st.integers(0, 1),
)
def test_exact_is_every_exchange(tables, name, alternative, zero):
    result = randomization_test(
        Comparison.from_statistics(*tables, CELLS), name, alternative=alternative,
        zero_division=zero,
    )  # fmt: skip
    found = all_differences(*tables, score_of(metrics.get(name, CELLS), zero_division=zero))
    assert (result.method, result.unit) == ("exact", "unit")
    assert name in RATIOS or result.engine == "enumeration"
    assert result.pvalue == pytest.approx(float(share(found, alternative, 1e-9)), rel=1e-12)
    if result.exact_count is not None:
        hits = Fraction(result.exact_count, result.total_count)
        assert hits == share(found, alternative, 1e-9)
    for other in ALTERNATIVES:
        hits, beyond = share(found, other, 1e-9), share(found, other, -1e-9)
        assert result.null.pvalue(other) == pytest.approx(float(hits), rel=1e-12)
        if other != "two-sided" or abs(found[0]) > 1e-9:
            expected = float(hits + beyond) / 2
            assert result.null.midp(other) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_responses(alternative):
    """At response level all cells of (x, y) are gone through; both engines must agree."""
    counts = {
        "gold": 40, "both_correct": 5, "only_a_correct": 12, "only_b_correct": 6,
        "both_spurious": 2, "only_a_spurious": 7, "only_b_spurious": 9,
    }  # fmt: skip
    comparison = Comparison.from_counts(**counts)
    asked = [metric_of(lambda s: 2 * s[:, 0] / (s[:, 1] + s[:, 2]), columns=COLUMNS), "f1"]
    exact = randomization_test(comparison, asked, alternative=alternative)
    assert [result.engine for result in exact.values()] == ["enumeration", "staircase"]
    assert exact["mine"].pvalue == pytest.approx(exact["f1"].pvalue, rel=1e-12)
    options = {"alternative": alternative, "method": "approximate", "rng": 3, "n_resamples": 70_000}
    drawn = randomization_test(comparison, asked, **options)
    kept = randomization_test(comparison, asked, keep_null=True, **options)
    assert len({own.n_hits for found in (drawn, kept) for own in found.values()}) == 1
    for name, result in kept.items():
        assert result.null.pvalue() == drawn[name].pvalue
        assert result.null.n_resamples == 70_000


@pytest.mark.parametrize("name", ["mcc", "macro_f1", "f1", "recall"])
def test_hits_and_kept_differences_are_the_replays(name):
    rng = np.random.default_rng(1)
    a, b = (rng.integers(0, 5, (50, 4)) for _ in "ab")
    n, metric = 2**16 + 500, metrics.get(name, CELLS)
    moved = replay.unit_sums((a - b)[(a - b).any(axis=1)], n, entropy=4)

    def scores(sums):
        columns = sums[:, [CELLS.index(c) for c in metric.columns]].astype(float)
        if name not in RATIOS:
            return metric.values(columns)[0]
        return np.divide(
            *(columns @ np.array(w, float) for w in (metric.numerator, metric.denominator))
        )

    def difference(one, other):
        return scores(one) - scores(other)

    found = difference(a.sum(axis=0) - moved, b.sum(axis=0) + moved)
    (observed,) = difference(a.sum(axis=0)[None], b.sum(axis=0)[None])
    for threads in (1, 3):
        result = randomization_test(
            Comparison.from_statistics(a, b, CELLS), name, method="approximate", n_resamples=n,
            rng=4, threads=threads, keep_null=True,
        )  # fmt: skip
        assert result.n_hits == np.count_nonzero(abs(found) >= abs(observed) - 1e-12)
        assert result.null.pvalue() == result.pvalue
        upper = np.count_nonzero(found >= observed - 1e-12)
        assert result.null.pvalue("greater") == (upper + 1) / (n + 1)
        assert result.null.std == pytest.approx(found.std(), rel=1e-9)
        ties = np.count_nonzero(abs(abs(found) - abs(observed)) <= 1e-12)
        assert result.n_within_tau in (None, ties)
        assert (result.n_within_tau is None) == (name in RATIOS)


def test_huge_sums_that_cancel():
    """Sums beyond 2^53 are taken in integers, and differences of them are not lost."""
    a = np.array([[2**58, 3], [2**58, 4], [5, 6], [1, 1]])
    b = np.array([[-(2**58), 3], [-(2**58), 9], [7, 2], [2, 4]])
    total = metric_of(lambda s: np.sign(s[:, 0]) * s[:, 1])
    result = randomization_test(Comparison.from_statistics(a, b, ("x", "y")), total)
    found = all_differences(a, b, lambda s: int(np.sign(s[0])) * int(s[1]))
    assert result.statistic == found[0]
    assert result.null.support.tolist() == sorted(set(found))
    assert result.pvalue == share(found, "two-sided")


@pytest.mark.parametrize("n", [1500, 40_000])
def test_the_null_where_p_underflows(n):
    """All of 1,500 items in A's favour are a list, 40,000 are known by their tails."""
    counts = {"gold": n, "only_a_correct": n, "only_b_correct": 0}
    counts |= {"only_a_spurious": 0, "only_b_spurious": 0}
    result = randomization_test(Comparison.from_counts(**counts), "recall")
    assert result.pvalue == 0
    assert result.log_pvalue == pytest.approx((1 - n) * math.log(2), rel=1e-12)
    assert result.null.pvalue() < 1e-320
    expected = 1.959963984540054 / math.sqrt(n)
    assert result.null.critical_difference(0.05) == pytest.approx(expected, rel=0.03)


def test_a_slow_function_is_reported(monkeypatch):
    """It works, it is said to be slow, and progress is told while it runs."""
    monkeypatch.setattr("csig.engines.tasks.SLOW", 0)
    monkeypatch.setattr("csig.engines.tasks.SLOW_TRIAL", 0)
    comparison, seen = units(9, (40, 2)), []
    options = {"method": "approximate", "n_resamples": 6000, "rng": 1}
    with pytest.warns(
        SlowMetricWarning, match=r"metric 'mine': its function takes .* us per trial"
    ):
        result = randomization_test(
            comparison, metric_of(lambda s: s[:, 0] / s[:, 1]), threads=2,
            progress=lambda done, total: seen.append((done, total)), **options,
        )  # fmt: skip
    fast = randomization_test(comparison, metrics.ratio("fast", "x", "y"), **options)
    assert result.n_hits == fast.n_hits
    assert seen[-1] == (6000, 6000)


def test_rare_classes_keep_their_digits():
    """Kappa and Matthews' correlation in fractions, with one positive item of a million."""

    def kappa(sums):
        tp, fp, fn, tn = (Fraction(int(v)) for v in sums)
        below = (tp + fp) * (fp + tn) + (tp + fn) * (fn + tn)
        return 2 * (tp * tn - fp * fn) / below if below else Fraction(0)

    tp, fp, fn, tn = rare = (3, 5, 4, 10**9)
    named = dict(zip(CELLS, rare, strict=True))
    assert metrics.kappa().score(named) == pytest.approx(float(kappa(rare)), rel=1e-14)
    square = Fraction((tp * tn - fp * fn) ** 2, (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))
    assert metrics.mcc().score(named) ** 2 == pytest.approx(float(square), rel=1e-14)
    rng = np.random.default_rng(5)
    for _ in range(12):
        a, b = (rng.integers([0, 0, 0, 10**8], [4, 4, 4, 10**8 + 4], (6, 4)) for _ in "ab")
        result = randomization_test(Comparison.from_statistics(a, b, CELLS), "kappa")
        assert result.pvalue == share(all_differences(a, b, kappa), "two-sided", Fraction(0))


def test_scores_of_any_size_are_judged_alike():
    large, tiny = (
        metric_of(lambda s, f=factor: f * s[:, 0] / s[:, 1], str(factor))
        for factor in (1e20, 1e-280)
    )
    told = []
    one, other = randomization_test(
        units(7, (9, 2), 1, 50), [large, tiny], progress=lambda *both: told.append(both)
    ).values()
    assert told[-1][0] == told[-1][1]
    assert one.pvalue == other.pvalue < 1


def test_ctrl_c_stops_an_enumeration_of_a_slow_function(press):
    """Long before its end; and its thread ends."""
    calls = []
    pressed = threading.Event()

    def slow(sums):
        calls.append(threading.current_thread())
        if calls[-1] is not threading.main_thread():
            assert pressed.wait(100)
        return sums[:, 0] * sums[:, 1]

    def pressing(*_):
        pressed.set()
        raise KeyboardInterrupt

    signal.signal(signal.SIGINT, pressing)
    asked = units(9, (20, 2), 1, 99), metric_of(slow)
    with pytest.raises(KeyboardInterrupt):
        randomization_test(*asked, method="exact", progress=press)
    stopped = len(calls)
    assert calls[-1] is not threading.main_thread()
    assert not calls[-1].is_alive()
    randomization_test(*asked, method="exact")
    assert stopped < (len(calls) - stopped) / 2


def test_undefined_scores_are_said():
    """0/0 where an exchange leaves A nothing, and scores that are masked."""
    a, b = [[1, 1, 2], [0, 0, 1]], [[0, 0, 2], [0, 2, 1]]
    means = metric_of(lambda s: s[:, 0] / np.sqrt(s[:, 1] * s[:, 2]), columns=COLUMNS)
    result = randomization_test(
        Comparison.from_statistics(a, b, COLUMNS), means, method="approximate", n_resamples=99,
        rng=1,
    )  # fmt: skip
    assert result.zero_denominator
    assert result.zero_division == 0
    masked = metric_of(lambda s: np.ma.masked_where(s[:, 0] > 9, s[:, 0]), columns=("x",))
    comparison = Comparison.from_statistics([[1], [12]], [[3], [2]], ("x",))
    result = randomization_test(comparison, masked)
    assert (result.score_a, result.score_b, result.zero_denominator) == (0.0, 5.0, True)


def test_a_class_that_fits_no_block_leaves_room_for_the_others():
    rows = np.repeat([[1, 0], [0, 1], [2, 1]], [3, 2**14, 2], axis=0)
    classes = enumeration.classes_of_rows(rows)
    assert classes.sizes.tolist() == [2**14, 2, 3]
    assert enumeration.cost(classes) == (2**14 + 1) * 2**13
