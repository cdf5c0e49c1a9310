"""Linearized and inverted intervals: beside fractions, regressions, formulas and all subsets."""

import functools
import itertools
import math
import operator
import tracemalloc
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from brute import MAIZE, PAPER
from drawn import examples
from hypothesis import assume, example, given
from hypothesis import strategies as st
from scipy import stats

import csig
from csig import Comparison, Metric
from csig.comparing import intervals
from csig.intervals import NoInterval, inverted_interval, linearized_interval
from csig.probability.binomial import clopper_pearson

of_scores = Comparison.from_scores
RESPONSES = ("tp", "predicted", "gold")
#: One unit: (tp, predicted, gold) of A and of B.
unit = st.tuples(*[st.integers(0, 4)] * 5).map(
    lambda v: ((v[0], v[0] + v[1], v[0] + v[3] + v[4]), (v[3], v[3] + v[2], v[0] + v[3] + v[4]))
)


def of_units(units: Sequence[Any], **more: Any) -> Comparison:
    return Comparison.from_statistics(
        [a for a, _ in units], [b for _, b in units], RESPONSES, **more
    )


def brute(comparison: Comparison, metric: Metric, what: str) -> tuple[Fraction, Fraction, int]:
    """The estimate, the squared standard error and the number of units, in fractions."""
    above, below = metric.weights_of(comparison.columns)
    values = []
    for table in comparison.rows():
        rows = [
            [Fraction(v) * s for v, s in zip(row, comparison.scale, strict=True)]
            for row in table.tolist()
        ]
        x, y = (
            [sum(w * v for w, v in zip(weights, row, strict=True)) for row in rows]
            for weights in (above, below)
        )
        values.append((x, y))
    used = values if what == "difference" else [values["ab".index(what)]]
    n = sum(any(x[i] or y[i] for x, y in used) for i in range(len(used[0][0])))
    scores = [sum(x) / sum(y) for x, y in used]
    u = [
        [(nx - r * ny) / sum(y) for nx, ny in zip(x, y, strict=True)]
        for (x, y), r in zip(used, scores, strict=True)
    ]
    total = [sum(parts) for parts in zip(u[0], [-v for v in u[-1]], strict=True)]
    total = total if what == "difference" else u[0]
    assert sum(total) == 0
    estimate = scores[0] - scores[1] if what == "difference" else scores[0]
    return estimate, Fraction(n, n - 1) * sum(v * v for v in total), n


def if_any(comparison: Comparison, metric: Any, what: Any = "difference") -> Any:
    try:
        return linearized_interval(comparison, metric, what)
    except NoInterval:
        return None


@examples(200)
@given(
    st.lists(unit, min_size=2, max_size=12),
    st.sampled_from(["recall", "precision", "f1", "f0.5", "jaccard"]),
    st.sampled_from(["difference", "a", "b"]),
)
def test_the_error_is_that_of_fractions_and_trading_the_systems_negates(units, name, what):
    comparison, metric = of_units(units), csig.metrics.get(name)
    found = if_any(comparison, metric, what)
    other = {"a": "b", "b": "a"}.get(what, what)
    traded = if_any(of_units([(b, a) for a, b in units]), metric, other)
    if found is None:
        assert traded is None
        return
    if what != other:
        assert replace(traded, what=what) == found
    else:
        assert (traded.low, traded.high) == pytest.approx((-found.high, -found.low), abs=1e-12)
    estimate, square, n = brute(comparison, metric, what)
    assert found.estimate == float(estimate)
    assert (found.n_units, found.what, found.metric, found.unit) == (n, what, name, "unit")
    if found.method == "clopper-pearson":
        assert (square, found.standard_error) == (0, None)
        return
    assert found.method == "linearized"
    assert found.standard_error == pytest.approx(math.sqrt(square), rel=1e-14)
    assert found.low <= found.estimate <= found.high
    reach = stats.t.ppf(0.975, n - 1) * math.sqrt(square)
    least, most = (-1, 1) if what == "difference" else (0, 1)
    ends = max(least, float(estimate) - reach), min(most, float(estimate) + reach)
    assert (found.low, found.high) == pytest.approx(ends, rel=1e-9, abs=1e-12)


@examples(50)
@given(st.lists(st.tuples(unit, st.integers(0, 4)), min_size=2, max_size=8))
def test_clusters_are_units_of_their_sums(drawn):
    units, labels = zip(*drawn, strict=True)
    sums = [
        np.sum([u for u, own in drawn if own == label], axis=0) for label in sorted(set(labels))
    ]
    for clusters, other in ((labels, sums), (range(len(units)), units)):
        found = if_any(of_units(units, cluster=list(clusters)), "f1")
        expected = if_any(of_units(other), "f1")
        if found is None:
            assert expected is None
            continue
        assert found.unit == "cluster"
        assert (found.low, found.high) == pytest.approx((expected.low, expected.high), rel=1e-12)


@examples(100)
@given(
    st.lists(st.tuples(st.integers(-50, 50), st.integers(-50, 50)), min_size=2, max_size=9),
    st.sampled_from([1, 10, 7919, 2**40]),
)
def test_the_mean_of_scores_has_the_t_interval(pairs: list[Any], times: int):
    """Of paired differences, and of one system's scores: scipy's; scaling scales."""
    a, b = (np.array([pair[i] for pair in pairs]) for i in (0, 1))
    comparison = of_scores(a * times, b * times)
    for what, values in (("difference", a - b), ("a", a), ("b", b)):
        assume(len(set(values.tolist())) > 1)
        assume(not set(a.tolist()) | set(b.tolist()) <= {0, 1})
        found = linearized_interval(comparison, "mean", what, confidence_level=0.9)
        expected = stats.ttest_1samp(values, 0).confidence_interval(0.9)
        assert (found.low, found.high) == pytest.approx(
            (expected.low * times, expected.high * times), rel=1e-9, abs=1e-9 * times
        )


def test_no_digits_are_lost_in_fixed_point():
    """Integers near 2^52 that differ in the last bits: doubles would keep none of a variance."""
    rng = np.random.default_rng(5)
    a, b = (2**52 + rng.integers(0, 1000, 30) for _ in range(2))
    comparison = of_scores(a, b)
    for what in ("difference", "a"):
        estimate, square, _ = brute(comparison, csig.metrics.mean, what)
        found = linearized_interval(comparison, "mean", what)
        assert found.estimate == float(estimate)
        assert found.standard_error == pytest.approx(math.sqrt(square), rel=1e-13)


#: What statsmodels 0.15.0 gives for these data (tests/reference/statsmodels_clusters.py):
#: the coefficient and its cluster-robust standard error, of OLS on a constant of the differences
#: and of A's scores, and of WLS of A's errors on words, through the origin, with weights 1/words.
STATSMODELS = {
    "difference": (0.13749999999999998, 0.1377367227838704),
    "a": (1.2750000000000001, 0.25200452165622994),
    "wer": (0.2161874334398296, 0.01121031144470035),
}


def regression_data() -> dict[str, Any]:
    """Scores in quarters of 60 units in 13 clusters, and errors in words."""
    rng = np.random.default_rng(2026)
    groups = rng.integers(0, 13, 60)
    own = rng.integers(-4, 5, 13)[groups]
    a, b = (own + rng.integers(0, 9, 60)) / 4, (own + rng.integers(0, 8, 60)) / 4
    words = rng.integers(1, 30, 60)
    return {"groups": groups, "a": a, "b": b, "words": words, "errors": rng.binomial(words, 0.2)}


def test_errors_agree_with_cluster_robust_regression():
    groups, a, b, words, errors = regression_data().values()
    scores = of_scores(a, b, cluster=groups.tolist())
    rows = [np.stack([own, words], axis=1) for own in (errors, errors * 0)]
    wer = Comparison.from_statistics(*rows, ("errors", "words"), cluster=groups.tolist())
    for name, found in (
        ("difference", linearized_interval(scores, "mean")),
        ("a", linearized_interval(scores, "mean", "a")),
        ("wer", linearized_interval(wer, "wer", "a")),
    ):
        own = (found.estimate, found.standard_error)
        assert own == pytest.approx(STATSMODELS[name], rel=1e-10)
        assert found.n_units == 13


def test_single_responses_are_units_of_their_own():
    """Counts alone give what all responses, one by one, give."""
    comparison = Comparison.from_counts(**PAPER)
    rows = comparison.rows()
    one_by_one = Comparison.from_statistics(rows.a, rows.b, RESPONSES)
    for metric, what in itertools.product(("recall", "precision", "f1"), ("difference", "a", "b")):
        found, other = (linearized_interval(c, metric, what) for c in (comparison, one_by_one))
        assert (found.low, found.high) == pytest.approx((other.low, other.high), rel=1e-12)
        assert found.n_units == other.n_units
    recall, p = linearized_interval(comparison, "recall", "a"), 47 / 103
    assert recall.standard_error == pytest.approx(math.sqrt(p * (1 - p) / 102))
    b, c, n = 2**30, 2**29, 2**40
    large = Comparison.from_counts(gold=n, both_correct=2**39, only_a_correct=b, only_b_correct=c)
    expected = math.sqrt((b + c - Fraction((b - c) ** 2, n)) / Fraction(n * (n - 1)))
    assert linearized_interval(large, "recall").standard_error == pytest.approx(expected, rel=1e-13)


def test_units_of_which_the_metric_counts_nothing_do_not_matter():
    units = [((1, 2, 2), (0, 1, 2)), ((2, 2, 4), (1, 3, 4)), ((0, 1, 1), (1, 1, 1))]
    less, more = of_units(units), of_units([*units, *[((0, 1, 0), (0, 3, 0))] * 5])
    assert linearized_interval(more, "recall") == linearized_interval(less, "recall")
    assert linearized_interval(more, "f1").n_units == 8


# ---- no spread -----------------------------------------------------------------------------------


def reach(n: float, level: float = 0.95) -> float:
    return 1 - ((1 - level) / 2) ** (1 / n)


def test_without_spread_there_is_the_exact_bound_of_as_many_units_as_weigh():
    """P(no unit of n differs) is at most alpha/2 wherever the true share is outside; Kish's n."""
    alike = [1, 0, 1, 1, 0, 1]
    twice = Comparison.from_counts(gold=50, both_correct=40, only_a_correct=0, only_b_correct=0)
    heavy = of_units([((10, 10, 10), (0, 0, 10)), *[((1, 1, 1), (0, 0, 1))] * 10])
    f1_counts_it_twice = (40 * 2 + 10) ** 2 / (40 * 4 + 10)
    perfect = of_scores([1] * 30, [0] * 30)
    for comparison, metric, what, level, n, ends in (
        (perfect, "mean", "a", 0.5, 30, clopper_pearson(30, 30, 0.5)),
        (perfect, "mean", "b", 0.999, 30, clopper_pearson(0, 30, 0.999)),
        (perfect, "mean", "difference", 0.95, 30, (1 - 2 * reach(30), 1)),
        (of_scores(alike, alike), "mean", "difference", 0.95, 6, (-reach(6), reach(6))),
        (twice, "f1", "difference", 0.9, 50,
         (-reach(f1_counts_it_twice, 0.9), reach(f1_counts_it_twice, 0.9))),
        (heavy, "recall", "a", 0.95, 11, (1 - reach(400 / 110), 1)),
    ):  # fmt: skip
        found = linearized_interval(comparison, metric, what, confidence_level=level)
        assert (found.low, found.high) == pytest.approx(ends)
        assert (found.method, found.standard_error, found.n_units) == ("clopper-pearson", None, n)


def test_right_answers_that_are_all_alike_need_their_counts():
    """Scores that are all 1 may be anything, ratings too; answers that are counted are shares."""
    for scores in ([1] * 30, [0] * 30, [[1] * 30] * 3):
        comparison = of_scores(scores, scores)
        for what in ("a", "difference"):
            with pytest.raises(NoInterval, match=r"columns 'correct' and 'items', whose accuracy"):
                linearized_interval(comparison, "mean", what)
    with pytest.raises(NoInterval, match=r"other items may be from it$"):
        linearized_interval(of_scores([5] * 30, [5] * 30), "mean")
    for shape in ((30,), (3, 30)):  # runs do not make it more certain
        counted = np.ones((*shape, 2), dtype=int)
        comparison = Comparison.from_statistics(counted, counted, ("correct", "items"))
        found = linearized_interval(comparison, "accuracy", "a")
        assert (found.low, found.high) == (pytest.approx(0.025 ** (1 / 30)), 1)


def test_counts_that_happen_to_be_0_or_1_are_no_shares_under_their_own_name():
    """Errors per sentence: more than one each is possible, in a single one too."""
    a, b = [1, 1, 1, 0, 1, 1], [0, 1, 0, 0, 1, 0]
    assert linearized_interval(of_scores(a, b), "mean", "a").high == 1
    tables = [[[own, 1] for own in scores] for scores in (a, b)]
    comparison = Comparison.from_statistics(*tables, ("errors", "sentences"))
    own = Metric("errors per sentence", ("errors", "sentences"), numerator=(1, 0),
                 denominator=(0, 1), greater_is_better=False)  # fmt: skip
    found = linearized_interval(comparison, own, "a")
    expected = stats.t.interval(0.95, 5, np.mean(a), stats.sem(a))
    assert (found.low, found.high) == pytest.approx(expected)
    assert found.high > 1


def test_ends_stay_within_what_is_possible():
    comparison = of_scores([1] * 29 + [0], [0] * 29 + [1])
    a = linearized_interval(comparison, "mean", "a")
    assert a.high == 1
    assert a.low == pytest.approx(29 / 30 - stats.t.ppf(0.975, 29) / 30)
    assert linearized_interval(comparison, "mean").high == 1
    wer = Comparison.from_statistics([[0, 9], [30, 9], [0, 9]], [[1, 9], [2, 9], [3, 9]],
                                     ("errors", "words"))  # fmt: skip
    found = linearized_interval(wer, "wer", "a")
    assert found.low == 0
    assert found.high > 1
    assert linearized_interval(wer, "wer").low < -1
    assert linearized_interval(of_scores([0, 1, 2], [0, 0, 0]), "mean", "a").low < 0
    fdr = Metric("fdr", ("tp", "predicted"), numerator=(-1, 1), denominator=(0, 1))
    nearly = of_units([((9, 9, 9), (0, 9, 9)), ((8, 9, 9), (9, 9, 9))])
    assert linearized_interval(nearly, fdr, "a").low == 0
    odd = Metric("odd", ("tp", "predicted"), numerator=(3, -1), denominator=(0, 1))
    half = of_units([((9, 9, 9), (0, 9, 9)), ((4, 9, 9), (9, 9, 9))])
    assert linearized_interval(half, odd, "a").high > 2


# ---- functions -----------------------------------------------------------------------------------


def test_functions_have_the_jackknife():
    """Of macro-F1 every unit left out; of a mean it is the t interval."""
    rng = np.random.default_rng(3)
    gold = rng.integers(0, 3, 80).tolist()
    a, b = ([g if rng.random() < 0.8 else int(rng.integers(0, 3)) for g in gold] for _ in range(2))
    comparison = Comparison.from_labels(gold, a, b)
    found = linearized_interval(comparison, "macro_f1")
    left_out = []
    for i in range(80):
        rest = [j for j in range(80) if j != i]
        part = Comparison.from_labels(*([labels[j] for j in rest] for labels in (gold, a, b)))
        left_out.append(np.subtract(*part.scores("macro_f1")))
    error = math.sqrt(79 / 80 * np.square(left_out - np.mean(left_out)).sum())
    assert found.standard_error == pytest.approx(error, rel=1e-9)
    assert (found.method, found.n_units) == ("jackknife", 80)
    half = stats.t.ppf(0.975, 79) * error
    assert (found.low, found.high) == pytest.approx((found.estimate - half, found.estimate + half))
    mean = Metric("as function", ("correct", "items"), function=lambda s: s[:, 0] / s[:, 1])
    one, other = (linearized_interval(comparison, m, "a") for m in (mean, "accuracy"))
    assert (one.low, one.high) == pytest.approx((other.low, other.high), rel=1e-9)


def correlation(gold: Any, own: Any) -> float:
    """Gorodkin's, of integers: Matthews' for several classes."""
    n, right = len(gold), sum(map(operator.eq, gold, own))
    said, is_so = Counter(own), Counter(gold)
    above = n * right - sum(said[c] * is_so[c] for c in said)
    spread = [n * n - sum(m * m for m in counts.values()) for counts in (said, is_so)]
    return above / math.sqrt(spread[0] * spread[1])


def test_the_jackknife_of_hundreds_of_classes_copies_no_table():
    rng = np.random.default_rng(11)
    gold = rng.integers(0, 200, 6000)
    labels = [
        gold,
        *(np.where(rng.random(6000) < 0.8, gold, rng.integers(0, 200, 6000)) for _ in "ab"),
    ]
    small = [own[:120].tolist() for own in labels]
    left_out = []
    for i in range(120):
        truth, a, b = (own[:i] + own[i + 1 :] for own in small)
        left_out.append(correlation(truth, a) - correlation(truth, b))
    error = math.sqrt(119 / 120 * np.square(left_out - np.mean(left_out)).sum())
    found = linearized_interval(Comparison.from_labels(*small), "mcc")
    assert found.standard_error == pytest.approx(error, rel=1e-11)
    comparison = Comparison.from_labels(*(own.tolist() for own in labels))
    size = comparison.rows().a.nbytes
    tracemalloc.start()
    linearized_interval(comparison, "mcc")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < size / 2


def test_the_jackknife_of_many_units_goes_by_kinds():
    """A hundred thousand units have a few kinds, and what these give is what all give."""
    rng = np.random.default_rng(3)
    n = 2**17 + 5
    gold = rng.random(n) < 0.4
    a, b = (np.where(rng.random(n) < 0.85, gold, ~gold) for _ in range(2))
    comparison = Comparison.from_labels(gold, a, b, positive=True)
    calls = []

    def f1(sums: Any) -> Any:
        calls.append(len(sums))
        return 2 * sums[:, 0] / (2 * sums[:, 0] + sums[:, 1] + sums[:, 2])

    as_function = Metric("f", ("tp", "fp", "fn"), function=f1)
    one, other = (linearized_interval(comparison, m) for m in (as_function, "f1"))
    assert sum(calls) < 20
    assert one.standard_error == pytest.approx(other.standard_error, rel=1e-4)
    assert one.n_units == other.n_units < n


# ---- inverted intervals: the shifts that the test does not reject, and only these ----------------


def means_of_subsets(differences: Any, sizes: Any) -> Counter[float]:
    """How many of all subsets have a mean; the empty one has none."""
    subsets = Counter({(0, 0): 1})  # how many have so much and such a sum
    for d, size in zip(differences, sizes, strict=True):
        for (w, s), n in [*subsets.items()]:
            subsets[w + size, s + d] += n
    ratios: Counter[float] = Counter()
    for (w, s), n in subsets.items():
        if w:
            ratios[s / w] += n
    return ratios


def by_subsets(ratios: Counter[float], n: int, alpha: float) -> tuple[float, float]:
    """The same by all subsets: a shift is rejected where too few subsets have a mean beyond it."""
    ends = []
    for order in (sorted(ratios), sorted(ratios, reverse=True)):
        reached = itertools.accumulate((ratios[own] for own in order), initial=1)  # the empty one
        most = Fraction(str(round(alpha, 12))) * 2**n
        ends.append(next(x for x, k in zip(order, [*reached][1:], strict=True) if 2 * k > most))
    return ends[0], ends[1]


def shifted() -> dict[str, tuple[Comparison, Any, Any, str]]:
    """Comparisons, the units' differences and sizes, and the metric."""
    rng = np.random.default_rng(3)
    d = {
        "maize": np.array(MAIZE, dtype=float),
        "zeros": np.array([0.0, 0.0, 0.0, *rng.normal(0.5, 1, size=9)]),
    }
    d |= {"few": rng.normal(0.3, 1, 11)}
    for n in (20, 48):  # whole numbers
        d |= {f"{n} marks": rng.integers(-4, 5, n), f"{n} signs": rng.integers(-1, 2, n)}
        d[f"{n} ties"] = np.where(rng.random(n) < 0.7, 0, rng.integers(-4, 6, n))
    # The fewest that can reject: the range of their differences.
    d |= {"fewest": rng.normal(0.3, 1, size=6)}
    cases = {
        name: (of_scores(own, np.zeros(len(own))), own, np.ones(len(own)), "mean")
        for name, own in d.items()
    }
    clusters = rng.permutation(np.repeat(np.arange(10), [1, 2, 3, 4, 5, 1, 2, 3, 4, 5]))
    own = rng.normal(0.4, 1, size=len(clusters))
    clustered = of_scores(own, np.zeros(len(own)), cluster=clusters)
    sums = np.bincount(clusters, weights=own), np.bincount(clusters).astype(float)
    gold = rng.integers(1, 5, size=12)
    rows = [np.stack([rng.integers(0, gold + 1), gold + 2, gold], axis=1) for _ in "ab"]
    found = (rows[0][:, 0] - rows[1][:, 0]).astype(float)
    documents = Comparison.from_statistics(*rows, RESPONSES)
    return cases | {
        "clusters": (clustered, *sums, "mean"),
        "recall": (documents, found, gold.astype(float), "recall"),
    }


SHIFTED = shifted()


@pytest.mark.parametrize("name", SHIFTED)
def test_few_units_have_the_interval_of_all_subsets(name: str):
    comparison, d, sizes, metric = SHIFTED[name]
    means = means_of_subsets(d.tolist(), sizes.tolist())
    for level in (0.95,) if name == "fewest" else (0.5, 0.95):
        found = inverted_interval(comparison, metric, confidence_level=level)
        ends = by_subsets(means, len(d), 1 - level)
        assert (found.low, found.high) == pytest.approx(ends, abs=1e-5 * np.std(d / sizes))
        assert found.estimate == pytest.approx(d.sum() / sizes.sum(), rel=1e-12)
        assert (found.method, found.n_units) == ("inverted", len(d))
        if sizes.max() == 1:
            assert found.standard_error == pytest.approx(d.std(ddof=1) / len(d) ** 0.5)


@pytest.mark.parametrize("n", [30, 3000])
@pytest.mark.parametrize("factor", [1 - 1e-6, 1, 1 + 1e-6])
def test_it_excludes_0_exactly_where_the_test_rejects(n, factor):
    rng = np.random.default_rng(n)
    a = rng.normal(size=n)
    comparison = of_scores(a + rng.normal(1 / n**0.5, 0.5, size=n), a)
    p = csig.randomization_test(comparison, "mean").pvalue
    alpha = round(p * factor, 12)
    found = inverted_interval(comparison, "mean", confidence_level=1 - alpha)
    assert (found.low > 0) == (p <= round(1 - (1 - alpha), 12))
    assert found.low < found.estimate < found.high


@pytest.mark.parametrize("level", [1 - 2**-52, 0.95, 1e-9])
def test_it_is_near_the_linearized_interval(level: float):
    """At levels next to one and to zero, too."""
    rng = np.random.default_rng(6)
    clusters = np.sort(rng.integers(0, 5_000, 20_000))
    comparison = of_scores(*rng.random((2, 20_000)), cluster=clusters)
    found, other = (
        interval(comparison, "mean", confidence_level=level)
        for interval in (inverted_interval, linearized_interval)
    )
    assert found.low <= found.estimate <= found.high
    near = 0.005 * (other.high - other.low) + 2e-7
    assert (found.low, found.high) == pytest.approx((other.low, other.high), abs=near)
    assert found.standard_error == pytest.approx(other.standard_error)


@pytest.mark.parametrize("score", [1e5 + 0.5, 1e-3, 0.0])
def test_where_no_unit_differs(score: float):
    found = inverted_interval(of_scores([score] * 20, [score] * 20), "mean")
    assert (found.low, found.estimate, found.high) == (0, 0, 0)


#: Few values, so that sums tie; one outlier; clusters of several sizes.
TIED = st.lists(st.integers(-3, 4), min_size=6, max_size=12)


@examples(400)
@given(TIED, st.sampled_from([0, 50]), st.integers(1, 3), st.sampled_from([0.8, 0.9, 0.9375, 0.95]))
@example([1, 1, 1, 1, 1], 0, 1, 0.9375)  # p is 1/16 = alpha
@example([0, 0, 0, 0, 0, 1, 1], 0, 1, 0.5)
def test_it_excludes_0_exactly_where_p_is_at_most_alpha(d, outlier, size, level):
    d = [d[0] + outlier, *d[1:]] if outlier else d
    alpha = round(1 - level, 12)
    comparison = of_scores(
        d, [0] * len(d), cluster=[i // size for i in range(len(d))] if size > 1 else None
    )
    p = csig.randomization_test(comparison, "mean").pvalue
    try:
        found = inverted_interval(comparison, "mean", confidence_level=level)
    except NoInterval:
        assert p > alpha
        return
    assert (found.low > 0 or found.high < 0) == (p <= alpha)
    assert found.low <= found.estimate <= found.high


def test_an_interval_takes_few_pvalues(monkeypatch):
    rng = np.random.default_rng(7)
    seen, whole = [], intervals.tail_bounds

    def counting(*given_):
        seen.append(given_)
        return whole(*given_)

    monkeypatch.setattr(intervals, "tail_bounds", counting)
    for d, most in (
        (rng.normal(0.02, 1, 2000), 15), (rng.lognormal(0, 1, 2000) - 1.5, 15),
        (np.where(rng.random(2000) < 0.7, 0, rng.random(2000)), 15),
        (rng.normal(0.01, 1, 20_000), 7), (rng.integers(-4, 5, 12), 100),
    ):  # fmt: skip
        seen.clear()
        inverted_interval(of_scores(d, np.zeros(len(d))), "mean")
        assert 0 < len(seen) <= most, d[:3]


def test_whose_mean_a_shift_could_move():
    """Others are in report/test_estimates.py."""
    own = Metric("own", ("score", "n"), function=lambda s: s[:, 0] / s[:, 1])
    half = Metric("half", ("score", "n"), numerator=(1, 0), denominator=(0, 2))
    odd = Metric("odd", ("score", "n"), numerator=(1, 1), denominator=(0, 1))
    shares = of_scores([0.5, 1, 0], [0, 1, 1])
    clusters = of_scores([1, 5, 3], [2, 2, 4], cluster=["x", "x", "y"])
    for comparison, metric, expected in (
        (shares, half, True), (shares, own, False), (shares, odd, False),
        (clusters, csig.metrics.mean, True),
    ):  # fmt: skip
        assert intervals.is_mean_of_scores(comparison, metric) == expected


# ---- counts: equal units by their number ---------------------------------------------------------


@functools.cache
def subsets_upto(n: int) -> list[int]:
    """How many subsets of n have at most 0, 1, ... n members."""
    ways = itertools.accumulate(range(n), lambda w, j: w * (n - j) // (j + 1), initial=1)
    return list(itertools.accumulate(ways))


def by_counts(only_a: int, only_b: int, rest: int, shift: Fraction) -> Fraction:
    """P(the shifted difference is at least as far from 0), of all swaps of single responses."""
    n = only_a + only_b + rest
    observed = only_a - only_b - shift * n
    upto, hits = subsets_upto(rest), 0
    for i, k in itertools.product(range(only_a + 1), range(only_b + 1)):
        moved = observed - 2 * (i - k) + 2 * shift * (i + k)  # and 2 shift for each of the rest
        ways = math.comb(only_a, i) * math.comb(only_b, k)
        for sign in (1, -1):
            # sign * (moved + 2 shift j) >= |observed|
            edge = (abs(observed) - sign * moved) / (2 * shift * sign)
            least, most = (math.ceil(edge), rest) if shift * sign > 0 else (0, math.floor(edge))
            least, most = max(least, 0), min(most, rest)
            if least <= most:
                hits += ways * (upto[most] - (upto[least - 1] if least else 0))
    return Fraction(hits, 2**n)


@pytest.mark.parametrize(
    ("only_a", "only_b", "gold"),
    [(28, 13, 103), (9, 1, 3000), (20, 6, 4000), (0, 30, 2500), (40, 40, 2048)],
)
def test_counts_have_the_ends_of_all_swaps(only_a, only_b, gold):
    """Within 1e-3 of the standard error, and never inside."""
    comparison = Comparison.from_counts(
        gold=gold, both_correct=gold // 3, only_a_correct=only_a, only_b_correct=only_b,
        only_a_spurious=7, only_b_spurious=11, both_spurious=5,
    )  # fmt: skip
    found = inverted_interval(comparison, "recall")
    assert (found.estimate, found.n_units) == ((only_a - only_b) / gold, gold)
    other = linearized_interval(comparison, "recall")
    assert found.standard_error == pytest.approx(other.standard_error, rel=1e-12)
    for end, side in ((found.low, -1), (found.high, 1)):
        for by, rejected in ((1e-9, True), (-1e-3, False)):
            shift = Fraction(end + side * by * found.standard_error)
            p = by_counts(only_a, only_b, gold - only_a - only_b, shift)
            assert (p <= Fraction(1, 20)) == rejected, (end, by, float(p))


NET = Metric("net", RESPONSES, numerator=(2, -1, 0), denominator=(0, 0, 1))


@pytest.mark.parametrize("gold", [200, 5000])
@pytest.mark.parametrize("metric", ["recall", NET])
def test_counts_and_responses_one_by_one_have_one_interval(gold, metric):
    counts = Comparison.from_counts(
        gold=gold, both_correct=90, only_a_correct=25, only_b_correct=14, only_a_spurious=8,
        only_b_spurious=12, both_spurious=3,
    )  # fmt: skip
    rows = counts.rows()
    listed = Comparison.from_statistics(rows.a, rows.b, RESPONSES)
    one, other = (inverted_interval(c, metric) for c in (counts, listed))
    near = 1e-9 * other.standard_error
    assert (one.low, one.high) == pytest.approx((other.low, other.high), abs=near)
    assert (one.estimate, one.n_units) == (other.estimate, other.n_units)


@pytest.mark.parametrize(
    ("only_a", "only_b", "steps", "gold"),
    [(2**30, 2**29, 1e-3, 2**40), (2**20, 2**20, 0.01, 2**60 - 1), (9, 2, 2, 2**40)],
)
def test_counts_of_any_size_have_an_inverted_interval(gold, only_a, only_b, steps):
    """Near the linearized one: nearer than a swap makes steps."""
    comparison = Comparison.from_counts(
        gold=gold, both_correct=gold // 2, only_a_correct=only_a, only_b_correct=only_b
    )
    for level in (0.95, 0.5):
        found, other = (
            interval(comparison, "recall", confidence_level=level)
            for interval in (inverted_interval, linearized_interval)
        )
        assert found.standard_error == pytest.approx(other.standard_error, rel=1e-12)
        near = steps * other.standard_error
        assert (found.low, found.high) == pytest.approx((other.low, other.high), abs=near)
        assert found.low <= found.estimate <= found.high
