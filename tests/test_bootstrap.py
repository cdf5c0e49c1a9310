"""Intervals and tests by the bootstrap: against scipy, R, and the resamples one by one."""

from types import SimpleNamespace

import bleu
import numpy as np
import pytest
import scipy.stats
from drawn import several

from csig import Comparison, Metric, randomization_test
from csig.comparing.bootstrap import INTERVAL_METHODS, TEST_METHODS
from csig.intervals import (
    NoInterval,
    bootstrap_interval,
    bootstrap_test,
    crossed_interval,
    run_variance,
)
from csig.metrics import SlowMetricWarning
from csig.probability.binomial import clopper_pearson
from csig.replay import resample_indices

COLUMNS = ("tp", "predicted", "gold")
#: scipy's tests print them (test_bootstrap_against_R): R's boot, a million resamples of a mean.
BOOT_DATA = [10, 12, 12.5, 12.5, 13.9, 15, 21, 22, 23, 34, 50, 81, 89, 121, 134, 213]
BOOT = {"basic": (23.77, 79.12), "percentile": (28.86, 84.21), "bca": (32.31, 91.43)}


@pytest.fixture(name="documents", scope="module")
def documents_fixture():
    rng = np.random.default_rng(3)
    gold = rng.integers(1, 6, 200)
    tables = []
    for chance, noise in ((0.7, 1), (0.6, 0.8)):
        tp = rng.binomial(gold, chance)
        tables.append(np.stack([tp, tp + rng.poisson(noise, 200), gold], axis=1))
    return Comparison.from_statistics(*tables, COLUMNS)


def f1(tp, predicted, gold, *other, axis=-1):
    """For scipy: of A, or A's less B's."""
    found = 2 * tp.sum(axis) / (predicted.sum(axis) + gold.sum(axis))
    return found - f1(other[0], other[1], gold, axis=axis) if other else found


# ---- intervals --------------------------------------------------------------------------


@pytest.mark.parametrize("method", sorted(BOOT))
def test_r_boot_s_intervals_of_a_mean(method):
    comparison = Comparison.from_scores(BOOT_DATA, np.zeros(16, dtype=int))
    found = bootstrap_interval(
        comparison, "mean", what="a", method=method, n_resamples=several(300_000, 1_000_000), rng=1
    )
    assert (found.low, found.high) == pytest.approx(BOOT[method], rel=0.005)
    assert found.estimate == pytest.approx(np.mean(BOOT_DATA))


@pytest.mark.parametrize(("what", "level"), [("difference", 0.95), ("a", 0.8)])
@pytest.mark.parametrize("method", ["bca", "percentile", "basic"])
def test_scipy_s_interval_from_the_same_resamples(documents, method, what, level):
    """The replay's indices give scipy the very resamples; its jackknife is its own."""
    rows = documents.rows()
    data = (*rows.a.T, *rows.b.T[:2]) if what == "difference" else tuple(rows.a.T)
    units = next(resample_indices(200, 2000, entropy=9))
    known = SimpleNamespace(bootstrap_distribution=f1(*(column[units] for column in data)))
    one = scipy.stats.bootstrap(
        data, f1, paired=True, vectorized=True, method="BCa" if method == "bca" else method,
        n_resamples=0, bootstrap_result=known, confidence_level=level,
    )  # fmt: skip
    own = bootstrap_interval(
        documents, "f1", what=what, method=method, n_resamples=2000, rng=9, confidence_level=level
    )
    ends = one.confidence_interval
    assert (own.low, own.high) == pytest.approx((ends.low, ends.high), abs=1e-12)
    assert own.standard_error == pytest.approx(one.standard_error, abs=1e-12)
    assert own.estimate == pytest.approx(f1(*data), abs=1e-15)


def test_the_law_schools_correlation():
    """A function of six sums; Efron and Tibshirani (1993, table 3.1) have 0.776 for it."""
    x = np.array(
        [576, 635, 558, 578, 666, 580, 555, 661, 651, 605, 653, 575, 545, 572, 594]
    )  # LSAT
    y = np.array([339, 330, 281, 303, 344, 307, 300, 343, 336, 313, 312, 274, 276, 288, 296])  # GPA
    table = np.stack([np.ones_like(x), x, y, x * x, y * y, x * y], axis=1)

    def correlation(sums):
        n, x, y, xx, yy, xy = sums.T
        return (n * xy - x * y) / np.sqrt((n * xx - x * x) * (n * yy - y * y))

    columns = ["n", "x", "y", "xx", "yy", "xy"]
    comparison = Comparison.from_statistics(table, table, columns)
    metric = Metric("correlation", columns, function=correlation)
    found = bootstrap_interval(comparison, metric, "a", method="percentile", rng=1)
    assert found.estimate == pytest.approx(0.776, abs=0.0005)


def test_studentized_intervals_of_a_mean_by_hand():
    rng = np.random.default_rng(7)
    x = rng.integers(0, 100, 25)
    comparison = Comparison.from_scores(x, np.zeros(25, dtype=int))
    own = bootstrap_interval(
        comparison, "mean", what="a", method="studentized", n_resamples=5000, rng=4,
        confidence_level=0.9,
    )  # fmt: skip
    drawn = x[next(resample_indices(25, 5000, entropy=4))]
    t = (drawn.mean(axis=1) - x.mean()) / (drawn.std(axis=1, ddof=1) / 5)
    error = x.std(ddof=1) / 5
    low, high = x.mean() - np.quantile(t, [0.95, 0.05]) * error
    assert (own.low, own.high) == pytest.approx((low, high))
    assert own.standard_error == pytest.approx(error)


@pytest.mark.parametrize("method", INTERVAL_METHODS)
def test_the_other_system_mirrors_it(documents, method):
    rows = documents.rows()
    other = Comparison.from_statistics(rows.b, rows.a, COLUMNS)
    options = {"method": method, "n_resamples": 2001, "rng": 2}
    one, two = (bootstrap_interval(c, "f1", **options) for c in (documents, other))
    assert (one.low, one.high) == pytest.approx((-two.high, -two.low), abs=1e-9)
    swapped = bootstrap_interval(other, "f1", what="b", **options)
    found = bootstrap_interval(documents, "f1", what="a", **options)
    assert (found.low, found.high) == pytest.approx((swapped.low, swapped.high))


@pytest.mark.parametrize("method", INTERVAL_METHODS)
@pytest.mark.parametrize("size", [1e-200, 1e9])
def test_scores_of_any_size(method, size):
    """Tiny ones are integers times a tiny number, which no integer weights can hold."""
    a, b = np.random.default_rng(2).normal(size=(2, 40))
    one, other = (
        bootstrap_interval(
            Comparison.from_scores(a * s, b * s), "mean", method=method, n_resamples=500, rng=1
        )
        for s in (1, size)
    )
    found = [v / size for v in (other.low, other.high, other.estimate, other.standard_error)]
    assert found == pytest.approx([one.low, one.high, one.estimate, one.standard_error], rel=1e-9)


DRAWN = np.random.default_rng(0).normal(size=50)


@pytest.mark.parametrize("method", INTERVAL_METHODS)
def test_no_interval_where_units_are_alike(method):
    """Also where a constant difference is rounded."""
    for a, b, what, message in (
        ([1], [0], "difference", "1 item only"),
        ([1, 1, 1], [1, 1, 1], "a", "all 3 items have the same score, 1,"),
        ([1, 0, 1], [1, 0, 1], "difference", "no item differs between the systems"),
        ([3, 4, 6], [1, 2, 4], "difference", "all 3 items have the same score, 2,"),
        ([0.3, 0.2, 0.1], [0.2, 0.1, 0.0], "difference", "have the same score, 0.1,"),
        (DRAWN, DRAWN - np.pi, "difference", "same"),
        (DRAWN * 1e-9, (DRAWN - np.pi / 1000) * 1e-9, "difference", "same"),
        (DRAWN * 1e9, (DRAWN - 1e5 * np.e) * 1e9, "difference", "same"),
    ):
        with pytest.raises(NoInterval, match=message):
            bootstrap_interval(
                Comparison.from_scores(a, b), "mean", what=what, method=method, n_resamples=200
            )


ONE = Comparison.from_scores([1] * 9 + [0], [0] * 10)
FEW = Comparison.from_scores([1] * 9 + [0], [1] * 10)
SELDOM = Comparison.from_statistics([[1, 1], [1, 0]], [[0, 1], [0, 0]], ["e", "n"])
SOME = Comparison.from_statistics(
    [[1, 1, 1], [0, 1, 0], [1, 1, 1]], [[0, 2, 1], [0, 0, 0], [1, 1, 1]], COLUMNS
)
TOP = Metric("top", ["score"], function=lambda s: np.minimum(s[:, 0], 1.0))
RARELY = Metric("rarely", ["score"], function=lambda s: (s[:, 0] > 4).astype(float))
RATE = Metric("rate", ["e", "n"], numerator=(1, 0), denominator=(0, 1))


@pytest.mark.parametrize(
    ("comparison", "metric", "what", "options", "message"),
    [
        (ONE, "mean", "a", {"method": "studentized"},
         r"metric 'mean': 34.* standard error of 0, more than the 2.5"),
        (ONE, TOP, "a", {"method": "percentile", "n_resamples": 50},
         "metric 'top': it is the same in all resamples"),
        (FEW, RARELY, "a", {"method": "percentile"}, "metric 'rarely': both ends would be equal"),
        (FEW, RARELY, "a", {}, "changes with the units left out"),
        (SELDOM, RATE, "difference", {"n_resamples": 100, "confidence_level": 0.1},
         "BCa needs the score without any one"),
        (SOME, "recall", "difference", {"method": "percentile"},
         r"a denominator is 0 in 3.\d+% of the resamples"),
    ],
)  # fmt: skip
def test_no_interval_where_a_method_breaks_down(comparison, metric, what, options, message):
    with pytest.raises(NoInterval, match=message):
        bootstrap_interval(comparison, metric, what, rng=1, **options)


def test_undefined_resamples_decide_no_end():
    found = bootstrap_interval(SOME, "recall", method="percentile", rng=1, confidence_level=0.9)
    assert (found.low, found.high) == (0, 1)


def test_a_slow_function_is_announced(documents):
    def by_row(sums):
        return np.array([sum(range(1000)) * 0 + row[0] / row[2] for row in sums])

    def interrupt(done, total):
        raise KeyboardInterrupt

    slow = Metric("slow", COLUMNS, function=by_row)
    with (
        pytest.warns(SlowMetricWarning, match="metric 'slow': its function takes"),
        pytest.raises(KeyboardInterrupt),
    ):
        bootstrap_test(documents, slow, n_resamples=2**30, threads=2, progress=interrupt)


# ---- tests ------------------------------------------------------------------------------


def hits(method, alternative, d, found):
    """As the papers have them, in integers."""
    if alternative == "less":
        return hits(method, "greater", -d, -found)
    shifted = found - d
    if method == "shift":
        return shifted >= d if alternative == "greater" else abs(shifted) >= abs(d)
    if method == "berg-kirkpatrick":
        return found > 2 * d if alternative == "greater" else abs(shifted) > abs(d)
    if alternative == "greater":
        return found <= 0
    return found <= 0 if d > 0 else found >= 0


@pytest.mark.parametrize("method", TEST_METHODS)
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("sign", [1, -1])
def test_the_hits_of_every_test(method, alternative, sign):
    """Ties abound: the differences are -1, 0 or 1."""
    difference = sign * np.array([1, 1, 0, 1, -1, 0, 0, 1, -1, 1])
    comparison = Comparison.from_scores(0.1 * difference, 0.0 * difference)
    result = bootstrap_test(
        comparison, "mean", method=method, alternative=alternative, n_resamples=3000, rng=8
    )
    sums = difference[next(resample_indices(10, 3000, entropy=8))].sum(axis=1)
    expected = int(hits(method, alternative, difference.sum(), sums).sum())
    assert result.n_hits == expected
    assert result.doubled == (method == "koehn" and alternative == "two-sided")
    factor = 2 if result.doubled else 1
    assert result.pvalue == min(1, factor * (expected + 1) / 3001)
    low, high = clopper_pearson(expected, 3000, 0.99)
    assert result.pvalue_interval == (min(1, factor * low), min(1, factor * high))
    assert result.statistic == pytest.approx(sign * 0.03 * 10 / 10)
    assert result.score_a - result.score_b == pytest.approx(result.statistic)
    # MultEval prints p = 0.00 for systems that are alike: it counts strictly greater differences.
    alike = Comparison.from_scores([1, 0, 1, 1], [1, 0, 1, 1])
    assert bootstrap_test(alike, "mean", method=method, alternative=alternative).pvalue == 1


def test_one_sentence_of_a_thousand():
    """The closed form: how often the only one that differs is drawn is binomial.

    For the test by shifting 0.26 is the answer of the quiz on Riezler and Maxwell (2005) in the
    reading group of UFAL, Prague (wiki.ufal.ms.mff.cuni.cz, courses:rg:2012).
    """
    a = np.ones(1000, dtype=int)
    b = a.copy()
    b[17] = 0
    comparison = Comparison.from_scores(a, b)
    drawn = scipy.stats.binom(1000, 1 / 1000)
    exact = {"shift": drawn.sf(1), "berg-kirkpatrick": drawn.sf(2), "koehn": drawn.cdf(0)}
    assert round(exact["shift"], 2) == 0.26
    for method, p in exact.items():
        found = bootstrap_test(
            comparison, "mean", method=method, alternative="greater", n_resamples=20_000, rng=1,
            pvalue_confidence=1 - 1e-9,
        )  # fmt: skip
        low, high = found.pvalue_interval
        assert low < p < high
    assert randomization_test(comparison, "mean").pvalue == 1


@pytest.fixture(name="multeval", scope="module")
def multeval_fixture(shared_data):
    """The counts of every run of the baseline and of the system, (runs, segments, columns)."""
    folder = shared_data("mt_multeval_example")
    reference = bleu.sentences(folder / "refs.test2010.lc.tok.en.0.xz")
    return [
        np.array([
            bleu.counts(bleu.sentences(folder / f"hyps.lc.tok.en.{system}.opt{i}.xz"), reference)
            for i in range(3)
        ])
        for system in ("baseline", "sys1")
    ]  # fmt: skip


def test_multeval_s_example(multeval):
    """Its table, to the digits printed: the deviations over resampled sentences (s_sel), averaged
    over three runs of the optimizer; BLEU 18.5 and 18.8, p = 0.00; length p = 0.09.

    MultEval draws 10,000 shuffles of the sentences of every run, and counts strictly greater ones.
    """
    metrics = [bleu.bleu, bleu.length]
    deviations = []
    for tables in zip(*multeval, strict=True):
        comparison = Comparison.from_statistics(*tables, bleu.COLUMNS)
        found = [
            bootstrap_interval(comparison, metrics, w, rng=1, method="percentile", n_resamples=1000)
            for w in ("a", "b")
        ]
        deviations.append([[f[m.name].standard_error for f in found] for m in metrics])
    assert np.round(np.mean(deviations, axis=0), 1).tolist() == [[0.3, 0.3], [0.4, 0.3]]
    together = Comparison.from_statistics(*map(np.concatenate, multeval), bleu.COLUMNS)
    found = bootstrap_test(together, metrics, n_resamples=3000, rng=1)
    assert found["bleu"].pvalue < 0.005
    assert np.round(together.scores(bleu.bleu), 1).tolist() == [18.5, 18.8]
    assert np.round(together.scores(bleu.length), 1).tolist() == [107.5, 107.7]
    exact = randomization_test(together, bleu.length, method="exact").pvalue
    # 0.09 is 850 to 949 hits of 10,000; a tie is no hit there.
    assert scipy.stats.binom(10_000, exact).cdf(949) > 0.01
    assert found["length"].pvalue == pytest.approx(exact, abs=0.02)


def test_multeval_s_runs(multeval):
    """Its README prints s_sel .3 and s_opt .1 and .3 for BLEU, .4 and .3, .1 and .7 for length."""
    comparison = Comparison.from_statistics(*multeval[::-1], bleu.COLUMNS)
    found = run_variance(comparison, bleu.bleu)
    assert np.mean(found.scores_a) == pytest.approx(18.813, abs=5e-4)
    assert np.mean(found.scores_b) == pytest.approx(18.527, abs=5e-4)
    assert [round(sd, 1) for sd in found.between_units] == [0.3, 0.3]
    assert [round(sd, 3) for sd in found.between_runs] == [0.294, 0.057]
    interval = crossed_interval(comparison, bleu.bleu)
    assert interval.low < 0 < interval.high
    found = run_variance(comparison, bleu.length)
    assert [round(sd, 1) for sd in found.between_units] == [0.3, 0.4]
    assert [round(sd, 1) for sd in found.between_runs] == [0.7, 0.1]
    # These models differ in BLEU, and the data do not show that the methods do.
    p = randomization_test(comparison, bleu.bleu, n_resamples=2**12, rng=1).pvalue
    assert 0.005 < p < 0.02


@pytest.fixture(name="few_predictions", scope="module")
def few_predictions_fixture():
    """Of 100 units four have A's predictions, and four others B's."""
    a = np.zeros((100, 3), dtype=int)
    b = a.copy()
    a[:, 2] = b[:, 2] = 1
    a[:4, 1] = a[:3, 0] = b[10:14, 1] = b[10:12, 0] = 1
    return Comparison.from_statistics(a, b, COLUMNS)


def test_resamples_count_where_either_system_is_undefined(few_predictions):
    units = np.concatenate(list(resample_indices(100, 20_000, entropy=1)))
    a, b = (~((units >= low) & (units < low + 4)).any(axis=1) for low in (0, 10))
    either = int((a | b).sum())
    assert either == pytest.approx(20_000 * (2 * 0.96**100 - 0.92**100), abs=110)
    for asked in (["precision"], ["precision", "recall", "f1"]):
        found = bootstrap_test(few_predictions, asked, n_resamples=20_000, rng=1)
        assert found["precision"].n_undefined == either


@pytest.mark.parametrize("method", INTERVAL_METHODS)
def test_more_undefined_resamples_than_beyond_an_end_allow_no_interval(few_predictions, method):
    """Of A 1.7% are undefined, of B as many, and of the difference 3.4%: more than 2.5%."""
    options = {"method": method, "n_resamples": 20_000, "rng": 1}
    with pytest.raises(NoInterval, match=r"a denominator is 0 in 3\.\d\d% of the resamples"):
        bootstrap_interval(few_predictions, "precision", **options)
    if method != "studentized":  # whose standard error of 0 is more frequent
        assert bootstrap_interval(few_predictions, "precision", "a", **options).n_units == 100


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("method", TEST_METHODS)
def test_a_score_without_denominator_is_zero_division(method, alternative):
    """A has 1 in all resamples; B has 0, but 1 where neither of two documents is drawn."""
    none, half, gold = np.array([[0, 0, 0, 0], [1, 1, 0, 0], [0, 0, 1, 1]])
    tables = (np.stack([none, predicted, gold], axis=1) for predicted in (none, half))
    own = Metric("own", COLUMNS, function=lambda s: s[:, 0] / s[:, 1])
    found = bootstrap_test(
        Comparison.from_statistics(*tables, COLUMNS), ["precision", own], method=method,
        alternative=alternative, n_resamples=500, rng=6, zero_division=1,
    )  # fmt: skip
    units = np.concatenate(list(resample_indices(4, 500, entropy=6)))
    d = np.where((units < 2).any(axis=1), 1, 0)
    hits = {
        "shift": {"two-sided": abs(d - 1) >= 1, "greater": d - 1 >= 1, "less": d - 1 <= 1},
        "berg-kirkpatrick": {"two-sided": abs(d - 1) > 1, "greater": d > 2, "less": d < 2},
        "koehn": {"two-sided": d <= 0, "greater": d <= 0, "less": d >= 0},
    }[method][alternative]
    for result in found.values():
        assert (result.score_a, result.score_b, result.statistic) == (1, 0, 1)
        assert (result.n_hits, result.n_undefined) == (hits.sum(), 500)


@pytest.mark.parametrize("metric", ["precision", "recall", "f1"])
def test_no_interval_has_a_score_without_denominator(metric):
    b = [[0, 1, 0], [0, 0, 0], [0, 2, 0]]
    nothing = Comparison.from_statistics([[0, 0, 0]] * 3, b, COLUMNS)
    scores = randomization_test(nothing, metric, zero_division=1, rng=1)
    found = bootstrap_test(nothing, metric, zero_division=1, n_resamples=99, rng=1)
    assert (found.score_a, found.score_b) == (scores.score_a, scores.score_b)
    with pytest.raises(NoInterval, match="the score is not defined"):
        bootstrap_interval(nothing, metric, zero_division=1, n_resamples=99, rng=1)
