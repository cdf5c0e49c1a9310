"""Metrics that are functions, and enumeration: against all exchanges, one by one."""

import itertools
import math
import os
import signal
import sys
import threading
from fractions import Fraction

import numpy as np
import pytest
from drawn import examples
from hypothesis import given
from hypothesis import strategies as st

from csig import Comparison, InputError, Metric, randomization_test, replay
from csig.data import metrics
from csig.engines.tasks import SlowMetricWarning

ALTERNATIVES = ("two-sided", "greater", "less")
CELLS = ("tp", "fp", "fn", "tn")
COLUMNS = ("tp", "predicted", "gold")


def extreme(found, observed, alternative, band=0):
    return {
        "two-sided": abs(found) >= abs(observed) - band,
        "greater": found >= observed - band,
        "less": found <= observed + band,
    }[alternative]


def all_differences(a, b, score):
    """Of every exchange, in the order of itertools.product."""
    found = []
    for exchanged in itertools.product((0, 1), repeat=len(a)):
        z = np.array(exchanged, dtype=np.int64)[:, None]
        sums = ((a * (1 - z) + b * z).sum(axis=0), (b * (1 - z) + a * z).sum(axis=0))
        found.append(score(sums[0]) - score(sums[1]))
    return found


def geometric(sums):
    """A user's metric: not linear-fractional, with 0/0 where nothing is predicted."""
    return sums[:, 0] / np.sqrt(sums[:, 1] * sums[:, 2])


@st.composite
def confusions(draw, most=6):
    """Both systems' cells on a few units with several items each."""
    n = draw(st.integers(1, most))
    cell = st.integers(0, 3)
    return [np.array([[draw(cell) for _ in CELLS] for _ in range(n)]) for _ in "ab"]


@examples(300)
@given(
    confusions(),
    st.sampled_from(["mcc", "kappa", "macro_f1", "weighted_f1", "balanced_accuracy"]),
    st.sampled_from(ALTERNATIVES),
    st.integers(0, 1),
)
def test_exact_is_every_exchange(tables, name, alternative, zero):
    a, b = tables
    metric = metrics.get(name)
    result = randomization_test(
        Comparison.from_statistics(a, b, CELLS), name, alternative=alternative, zero_division=zero
    )

    def score(sums):
        return metric.score(dict(zip(CELLS, sums.tolist(), strict=True)), zero_division=zero)

    found = all_differences(a, b, score)
    hits = sum(extreme(d, found[0], alternative, 1e-9) for d in found)
    assert result.method == "exact"
    assert result.engine == "enumeration"
    assert result.pvalue == pytest.approx(hits / len(found), rel=1e-12)
    if result.exact_count is not None:
        assert Fraction(result.exact_count, result.total_count) == Fraction(hits, len(found))
    null = result.null
    for other in ALTERNATIVES:
        hits = sum(extreme(d, found[0], other, 1e-9) for d in found)
        ties = sum(extreme(d, found[0], other, -1e-9) for d in found)
        assert null.pvalue(other) == pytest.approx(hits / len(found), rel=1e-12)
        if other != "two-sided" or abs(found[0]) > 1e-9:
            expected = (hits + ties) / 2 / len(found)
            assert null.midp(other) == pytest.approx(expected, rel=1e-12)


@examples(200)
@given(confusions(5), st.sampled_from(["f1", "f2", "precision", "accuracy", "specificity"]))
def test_enumeration_and_lattice_agree(tables, name):
    """The same metric by weights, by a function, and by every exchange in fractions."""
    a, b = tables
    comparison = Comparison.from_statistics(a, b, CELLS)
    metric = metrics.get(name, CELLS)
    weights = metric.numerator, metric.denominator

    def function(sums):
        above, below = (sums @ np.array([float(w) for w in row]) for row in weights)
        return above / below

    by_weights = randomization_test(comparison, name)
    by_function = randomization_test(comparison, Metric("mine", metric.columns, function=function))

    def score(sums):
        return metric.score(dict(zip(CELLS, sums.tolist(), strict=True)))

    found = all_differences(a, b, score)
    expected = sum(extreme(d, found[0], "two-sided") for d in found) / len(found)
    assert by_weights.pvalue == pytest.approx(expected, rel=1e-12)
    assert by_function.pvalue == pytest.approx(expected, rel=1e-12)
    for alternative in ALTERNATIVES:
        assert by_weights.null.pvalue(alternative) == pytest.approx(
            sum(extreme(d, found[0], alternative) for d in found) / len(found), rel=1e-12
        )


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_responses(alternative):
    """At response level all cells of (x, y) are gone through; both engines must agree."""
    counts = {
        "gold": 40, "both_correct": 5, "only_a_correct": 12, "only_b_correct": 6,
        "both_spurious": 2, "only_a_spurious": 7, "only_b_spurious": 9,
    }  # fmt: skip
    comparison = Comparison.from_counts(**counts)
    f1 = Metric("mine", COLUMNS, function=lambda s: 2 * s[:, 0] / (s[:, 1] + s[:, 2]))
    exact = randomization_test(comparison, [f1, "f1"], alternative=alternative)
    assert exact["mine"].engine == "enumeration"
    assert exact["f1"].engine == "staircase"
    assert exact["mine"].pvalue == pytest.approx(exact["f1"].pvalue, rel=1e-12)
    options = {"alternative": alternative, "method": "approximate", "rng": 3, "n_resamples": 70_000}
    drawn = randomization_test(comparison, [f1, "f1"], **options)
    kept = randomization_test(comparison, [f1, "f1"], keep_null=True, **options)
    assert drawn["mine"].n_hits == drawn["f1"].n_hits == kept["mine"].n_hits == kept["f1"].n_hits
    for name in ("mine", "f1"):
        assert kept[name].null.pvalue() == drawn[name].pvalue
        assert kept[name].null.n_resamples == 70_000


def test_many_items_of_few_classes():
    """2,000 items of a binary task are two classes: exact, and near what shuffles say."""
    rng = np.random.default_rng(0)
    gold = rng.integers(0, 2, 2000)

    def cells(error):
        said = np.where(rng.random(2000) < error, 1 - gold, gold)
        return np.stack(
            [said & gold, said & (1 - gold), (1 - said) & gold, (1 - said) & (1 - gold)], 1
        )

    comparison = Comparison.from_statistics(cells(0.15), cells(0.17), CELLS)
    exact = randomization_test(comparison, "mcc")
    drawn = randomization_test(comparison, "mcc", method="approximate", rng=1)
    assert exact.method == "exact"
    low, high = drawn.pvalue_interval
    assert low < exact.pvalue < high
    # Accuracy moves by one count whatever the class: the sign test.
    from scipy.stats import binomtest

    accuracy = randomization_test(comparison, "accuracy")
    d = comparison.units.differences[:, [0, 3]].sum(axis=1)
    expected = binomtest(int((d > 0).sum()), int((d != 0).sum())).pvalue
    assert accuracy.pvalue == pytest.approx(expected, rel=1e-12)


def test_hits_are_the_replays():
    rng = np.random.default_rng(1)
    a, b = (rng.integers(0, 5, (50, 4)) for _ in "ab")
    comparison = Comparison.from_statistics(a, b, CELLS)
    n = 2**16 + 500
    differing = (a - b)[(a - b).any(axis=1)]
    moved = replay.unit_sums(differing, n, entropy=4)
    for name in ("mcc", "macro_f1"):
        metric = metrics.get(name)
        scores = [
            metric.values(sums.astype(float))[0]
            for sums in (a.sum(axis=0) - moved, b.sum(axis=0) + moved)
        ]
        found = scores[0] - scores[1]
        observed = np.subtract(
            *(metric.values(t.sum(axis=0)[None].astype(float))[0] for t in (a, b))
        )
        for threads in (1, 3):
            result = randomization_test(
                comparison, name, method="approximate", n_resamples=n, rng=4, threads=threads,
                keep_null=True,
            )  # fmt: skip
            assert result.n_hits == np.count_nonzero(np.abs(found) >= abs(observed) - 1e-12)
            assert result.n_within_tau == np.count_nonzero(
                np.abs(np.abs(found) - abs(observed)) <= 1e-12
            )
            assert result.null.pvalue() == result.pvalue


def test_huge_sums_that_cancel():
    """Sums beyond 2^53 are taken in integers, and differences of them are not lost."""
    a = np.array([[2**58, 3], [2**58, 4], [5, 6], [1, 1]])
    b = np.array([[-(2**58), 3], [-(2**58), 9], [7, 2], [2, 4]])
    comparison = Comparison.from_statistics(a, b, ("x", "y"))
    total = Metric("sum", ("x", "y"), function=lambda s: np.sign(s[:, 0]) * s[:, 1])
    result = randomization_test(comparison, total)
    found = all_differences(a, b, lambda s: int(np.sign(s[0])) * int(s[1]))
    assert result.statistic == found[0]
    assert result.null.support.tolist() == sorted(set(found))
    assert result.pvalue == sum(extreme(d, found[0], "two-sided") for d in found) / len(found)


def test_many_columns_take_little_memory():
    """300 columns, judged in pieces; the same hits as one column alone."""
    rng = np.random.default_rng(2)
    a, b = (rng.integers(0, 3, (60, 300)) for _ in "ab")
    names = [f"c{i}" for i in range(300)]
    comparison = Comparison.from_statistics(a, b, names)
    first = Metric("first", ["c0"], function=lambda s: s[:, 0] ** 3)
    cubes = Metric("all", names, function=lambda s: (s**3).sum(axis=1))
    options = {"method": "approximate", "n_resamples": 9000, "rng": 1, "threads": 1}
    together = randomization_test(comparison, [first, cubes], **options)
    moved = replay.unit_sums(a - b, 9000, entropy=1)
    for name, columns in (("first", slice(0, 1)), ("all", slice(None))):
        own, other = (
            ((side.sum(axis=0) + sign * moved)[:, columns].astype(float) ** 3).sum(axis=1)
            for side, sign in ((a, -1), (b, 1))
        )
        observed = (a.sum(axis=0)[columns].astype(float) ** 3).sum() - (
            b.sum(axis=0)[columns].astype(float) ** 3
        ).sum()
        hits = np.count_nonzero(np.abs(own - other) >= abs(observed))
        assert together[name].n_hits == hits


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("name", ["f1", "recall"])
def test_kept_differences(name, alternative):
    """All of them from the replay; ties with the observed one are exact."""
    rng = np.random.default_rng(6)
    gold = rng.integers(1, 4, 12)
    a, b = (
        np.stack([np.minimum(rng.integers(0, 4, 12), gold), rng.integers(3, 6, 12), gold], axis=1)
        for _ in "ab"
    )
    comparison = Comparison.from_statistics(a, b, COLUMNS)
    n = 3000
    result = randomization_test(
        comparison, name, method="approximate", n_resamples=n, rng=2, keep_null=True,
        alternative=alternative,
    )  # fmt: skip
    differing = (a - b)[(a - b).any(axis=1)]
    metric = metrics.get(name)
    observed = Fraction(0)
    found = []
    for moved in [np.zeros(3, int), *replay.unit_sums(differing, n, entropy=2)]:
        scores = [
            metric.score(dict(zip(COLUMNS, map(int, sums), strict=True)))
            for sums in (a.sum(axis=0) - moved, b.sum(axis=0) + moved)
        ]
        found.append(scores[0] - scores[1])
    observed, found = found[0], found[1:]
    null = result.null
    for other in ALTERNATIVES:
        hits = sum(extreme(d, observed, other) for d in found)
        assert null.pvalue(other) == (hits + 1) / (n + 1)
    assert null.std == pytest.approx(float(np.std([float(d) for d in found])), rel=1e-9)


def test_the_null_of_many_units_by_tails():
    """Too many differences to list: quantiles and critical differences from tails alone."""
    rng = np.random.default_rng(7)
    gold = rng.integers(5, 15, 60)
    found = [rng.binomial(gold, 0.6) for _ in "ab"]
    a, b = (np.stack([tp, tp + rng.integers(0, 6, 60), gold], axis=1) for tp in found)
    result = randomization_test(Comparison.from_statistics(a, b, COLUMNS), "f1")
    assert result.engine == "lattice"
    null = result.null
    assert null.exact
    assert null.pvalue() == pytest.approx(result.pvalue, rel=1e-12)
    assert null.pvalue("greater") + null.pvalue("less") > 1  # ties count on both sides
    assert null.midp("greater") + null.midp("less") == pytest.approx(1, abs=1e-12)
    critical = null.critical_difference(0.05)
    assert 2 * null.sf(critical) <= 0.05 < 2 * null.sf(critical * 0.98)
    kept = randomization_test(
        Comparison.from_statistics(a, b, COLUMNS), "f1", method="approximate", rng=1, keep_null=True
    ).null
    assert kept.quantile(0.975) == pytest.approx(null.quantile(0.975), rel=0.02)
    with pytest.raises(InputError, match="too large"):
        null.support  # noqa: B018 - the property raises


def test_the_null_of_scores_by_tails():
    """Meet in the middle, with a band of ties."""
    rng = np.random.default_rng(8)
    a, b = rng.random((2, 26))
    result = randomization_test(Comparison.from_scores(a, b), "mean")
    assert (result.engine, result.error_bound) == ("meet in the middle", 0.0)
    assert Fraction(result.pvalue) == Fraction(result.exact_count, 2**26)
    null = result.null
    assert null.pvalue() == result.pvalue
    assert null.std == pytest.approx(math.sqrt(((a - b) ** 2).sum()) / 26, rel=1e-12)
    # Only the observed exchange itself is a tie.
    assert null.midp("greater") == null.pvalue("greater") - 2.0**-27


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


def test_no_null_without_differences():
    comparison = Comparison.from_statistics([[1, 2, 3], [1, 1, 1]], [[0, 2, 3], [0, 1, 1]], COLUMNS)
    result = randomization_test(comparison, "f1", method="approximate", n_resamples=10, rng=1)
    with pytest.raises(InputError, match="use keep_null=True"):
        result.null  # noqa: B018 - the property raises


# ---- a user's function ------------------------------------------------------------------


def test_a_slow_function_is_reported(monkeypatch):
    """It works, it is said to be slow, and progress is told while it runs."""

    def slow(sums):
        return sums[:, 0] / sums[:, 1]

    rng = np.random.default_rng(9)
    a, b = (rng.integers(1, 9, (40, 2)) for _ in "ab")
    comparison = Comparison.from_statistics(a, b, ("x", "y"))
    metric = Metric("slow", ("x", "y"), function=slow)
    monkeypatch.setattr("csig.engines.tasks.SLOW", 0)
    monkeypatch.setattr("csig.engines.tasks.SLOW_TRIAL", 0)
    seen = []
    with pytest.warns(
        SlowMetricWarning, match=r"metric 'slow': its function takes .* us per trial"
    ):
        result = randomization_test(
            comparison, metric, method="approximate", n_resamples=6000, rng=1, threads=2,
            progress=lambda done, total: seen.append((done, total)),
        )  # fmt: skip
    fast = Metric("fast", ("x", "y"), numerator=(1, 0), denominator=(0, 1))
    expected = randomization_test(comparison, fast, method="approximate", n_resamples=6000, rng=1)
    assert result.n_hits == expected.n_hits
    assert seen[-1] == (6000, 6000)


@pytest.fixture
def _restless():
    """Threads take turns as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("_restless")
def test_one_thread_at_a_time_in_a_users_function():
    inside = threading.Lock()

    def careful(sums):
        assert inside.acquire(blocking=False)
        for row in sums.tolist():
            assert len(row) == 2
        inside.release()
        return sums[:, 0] / sums[:, 1]

    rng = np.random.default_rng(9)
    a, b = (rng.integers(1, 9, (30, 2)) for _ in "ab")
    randomization_test(
        Comparison.from_statistics(a, b, ("x", "y")),
        Metric("careful", ("x", "y"), function=careful),
        method="approximate", n_resamples=2**17, rng=1, threads=4,
    )  # fmt: skip


def test_rare_classes_keep_their_digits():
    """Kappa and Matthews' correlation in fractions, with one positive item of a million."""
    rng = np.random.default_rng(5)
    rare = {"tp": 3, "fp": 5, "fn": 4, "tn": 10**9}
    tp, fp, fn, tn = (Fraction(v) for v in rare.values())
    kappa = 2 * (tp * tn - fp * fn) / ((tp + fp) * (fp + tn) + (tp + fn) * (fn + tn))
    assert metrics.kappa().score(rare) == pytest.approx(float(kappa), rel=1e-14)
    square = (tp * tn - fp * fn) ** 2 / ((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))
    assert metrics.mcc().score(rare) ** 2 == pytest.approx(float(square), rel=1e-14)
    for _ in range(30):
        a, b = (rng.integers([0, 0, 0, 10**8], [4, 4, 4, 10**8 + 4], (6, 4)) for _ in "ab")

        def score(sums):
            tp, fp, fn, tn = (Fraction(int(v)) for v in sums)
            below = (tp + fp) * (fp + tn) + (tp + fn) * (fn + tn)
            return 2 * (tp * tn - fp * fn) / below if below else Fraction(0)

        found = all_differences(a, b, score)
        result = randomization_test(Comparison.from_statistics(a, b, CELLS), "kappa")
        hits = sum(extreme(d, found[0], "two-sided", Fraction(0)) for d in found)
        assert result.pvalue == hits / len(found)


def test_scores_of_any_size_are_judged_alike():
    rng = np.random.default_rng(7)
    a, b = rng.integers(1, 50, (2, 9, 2))
    comparison = Comparison.from_statistics(a, b, ("x", "y"))
    large, tiny = (
        Metric(name, ("x", "y"), function=lambda s, f=factor: f * s[:, 0] / s[:, 1])
        for name, factor in (("large", 1e20), ("tiny", 1e-280))
    )
    found = randomization_test(comparison, [large, tiny])
    assert found["large"].pvalue == found["tiny"].pvalue < 1


def test_masked_scores_are_undefined():
    comparison = Comparison.from_statistics([[1], [12]], [[3], [2]], ("x",))
    metric = Metric("m", ("x",), function=lambda s: np.ma.masked_where(s[:, 0] > 9, s[:, 0]))
    result = randomization_test(comparison, metric)
    assert (result.score_a, result.score_b, result.zero_denominator) == (0.0, 5.0, True)


def test_ctrl_c_stops_an_enumeration_of_a_slow_function():
    """Long before its end; and its thread ends."""
    calls = []
    pressed = threading.Event()

    def slow(sums):
        calls.append(threading.current_thread())
        if calls[-1] is not threading.main_thread():
            assert pressed.wait(100)
        return sums[:, 0] * sums[:, 1]

    def press(done, total):
        os.kill(os.getpid(), signal.SIGINT)

    def pressing(*_):
        pressed.set()
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, pressing)
    rng = np.random.default_rng(9)
    comparison = Comparison.from_statistics(*rng.integers(1, 99, (2, 20, 2)), ("x", "y"))
    metric = Metric("slow", ("x", "y"), function=slow)
    try:
        with pytest.raises(KeyboardInterrupt):
            randomization_test(comparison, metric, method="exact", progress=press)
    finally:
        signal.signal(signal.SIGINT, before)
    stopped = len(calls)
    assert calls[-1] is not threading.main_thread()
    assert not calls[-1].is_alive()
    randomization_test(comparison, metric, method="exact")
    assert stopped < (len(calls) - stopped) / 2


def test_undefined_scores_are_said():
    a, b = np.array([[1, 1, 2], [0, 0, 1]]), np.array([[0, 0, 2], [0, 2, 1]])
    comparison = Comparison.from_statistics(a, b, COLUMNS)
    metric = Metric("fm", COLUMNS, function=geometric)
    # A observed: 1 of 1, 3 gold. Exchanging the first unit leaves A nothing: 0/0.
    result = randomization_test(comparison, metric, method="approximate", n_resamples=99, rng=1)
    assert result.zero_denominator
    assert result.zero_division == 0


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda s: s, r"one number per trial, shape \(2,\), found float64 of shape \(2, 2\)"),
        (lambda s: 1.0, r"found float64 of shape \(\)"),
        (lambda s: np.array(["x"] * len(s)), "found <U1"),
        (lambda s: s[:, 0] / 0, r"its function gives inf for {'x': 3.0, 'y': 7.0}"),
        (lambda s: [[1.0], [1.0, 2.0]], "found object of shape"),
        (lambda s: s[:, 0] - s[:, 0].mean(), "must score every row by itself"),
    ],
)
def test_functions_that_are_refused(function, message):
    comparison = Comparison.from_statistics([[1, 2], [2, 5]], [[2, 2], [2, 2]], ("x", "y"))
    with pytest.raises(InputError, match=message):
        randomization_test(comparison, Metric("mine", ("x", "y"), function=function))


def test_an_error_in_a_function_is_the_users():
    """Also in another thread, and it ends the run."""
    calls = []

    def fails(sums):
        calls.append(len(sums))
        if len(calls) > 20:
            raise ZeroDivisionError("mine")
        return sums[:, 0]

    rng = np.random.default_rng(3)
    comparison = Comparison.from_statistics(*rng.integers(0, 5, (2, 40, 1)), ("x",))
    with pytest.raises(ZeroDivisionError, match="mine"):
        randomization_test(
            comparison, Metric("fails", ("x",), function=fails), method="approximate", rng=1
        )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "give numerator and denominator weights, or a function"),
        ({"function": len, "numerator": (1,)}, "weights or a function, not both"),
        ({"function": 3}, "3 is not a function"),
        ({"function": len, "tolerance": -1}, "tolerance must be at least 0 and below 1"),
    ],
)
def test_metrics_that_are_refused(arguments, message):
    with pytest.raises(InputError, match=message):
        Metric("m", ("x",), **arguments)


@pytest.mark.parametrize(
    ("name", "columns", "message"),
    [
        (None, ("x",), "a metric's name must be a string, found None"),
        (["x"], ("x",), r"a metric's name must be a string, found \['x'\]"),
        ("m", [["a"]], r"metric 'm': a column must be a name, found \['a'\]"),
    ],
)
def test_names_that_are_refused(name, columns, message):
    with pytest.raises(InputError, match=message):
        Metric(name, columns, function=len)


def test_exact_counts_of_units_that_a_metric_does_not_see():
    """They are exchanged as well; so are all where nothing is observed."""
    a, b = [[1, 0], [2, 5], [3, 3], [7, 2]], [[0, 0], [2, 1], [1, 3], [7, 9]]
    comparison = Comparison.from_statistics(a, b, ("x", "y"))
    square = Metric("square", ("x",), function=lambda s: s[:, 0] ** 2)
    result = randomization_test(comparison, square, alternative="greater")
    assert (result.exact_count, result.total_count) == (4, 16)
    nothing = Metric("z", ("x", "y"), numerator=(0, 0), denominator=(0, 1))
    assert randomization_test(comparison, nothing).exact_count == 16


@pytest.mark.parametrize("method", ["exact", "approximate"])
def test_a_progress_bar(method, monkeypatch):
    """progress=True shows it after a moment of patience."""
    from csig.base import progress

    drawn = []
    monkeypatch.setattr(progress.ProgressBar, "PATIENCE", -1.0)
    monkeypatch.setattr(progress.ProgressBar, "EVERY", -1.0)
    monkeypatch.setattr(progress.ProgressBar, "show", lambda self, *done: drawn.append(done))
    rng = np.random.default_rng(9)
    comparison = Comparison.from_statistics(*rng.integers(0, 99, (2, 15, 1)), ("x",))
    metric = Metric("cube", ("x",), function=lambda s: s[:, 0] ** 3)
    randomization_test(comparison, metric, method=method, n_resamples=1000, rng=1, progress=True)
    done, total = drawn[-1]
    assert done == total
    assert total == 1000 or method == "exact"
