"""Linearized intervals against fractions, regressions, closed formulas and every kind of data."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from drawn import examples
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

import csig
from csig import Comparison, Metric
from csig.intervals import NoInterval, linearized_interval
from csig.probability.binomial import clopper_pearson

RESPONSES = ("tp", "predicted", "gold")
YEH = {"gold": 103, "both_correct": 19, "only_a_correct": 28, "only_b_correct": 6,
       "both_spurious": 5, "only_a_spurious": 43, "only_b_spurious": 9}  # fmt: skip

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


@examples(200)
@given(
    st.lists(unit, min_size=2, max_size=12),
    st.sampled_from(["recall", "precision", "f1", "f0.5", "jaccard"]),
    st.sampled_from(["difference", "a", "b"]),
)
def test_the_error_is_that_of_fractions(units: list[Any], name: str, what: Any) -> None:
    comparison = of_units(units)
    metric = csig.metrics.get(name)
    try:
        found = linearized_interval(comparison, metric, what)
    except NoInterval:
        return
    estimate, square, n = brute(comparison, metric, what)
    assert found.estimate == float(estimate)
    assert (found.n_units, found.what, found.metric, found.unit) == (n, what, name, "unit")
    if found.method == "clopper-pearson":
        assert square == 0
        assert found.standard_error is None
        return
    assert found.method == "linearized"
    assert found.standard_error == pytest.approx(math.sqrt(square), rel=1e-14)
    assert found.low <= found.estimate <= found.high
    reach = stats.t.ppf(0.975, n - 1) * math.sqrt(square)
    least, most = (-1, 1) if what == "difference" else (0, 1)
    assert found.low == pytest.approx(max(least, float(estimate) - reach), rel=1e-9, abs=1e-12)
    assert found.high == pytest.approx(min(most, float(estimate) + reach), rel=1e-9, abs=1e-12)


@examples(100)
@given(st.lists(unit, min_size=2, max_size=12), st.sampled_from(["recall", "precision", "f1"]))
def test_trading_the_systems_negates(units: list[Any], name: str) -> None:
    comparison, traded = of_units(units), of_units([(b, a) for a, b in units])
    try:
        found = linearized_interval(comparison, name)
    except NoInterval:
        with pytest.raises(NoInterval):
            linearized_interval(traded, name)
        return
    other = linearized_interval(traded, name)
    assert (other.low, other.high) == pytest.approx((-found.high, -found.low), abs=1e-12)
    try:
        alone = linearized_interval(comparison, name, "a")
    except NoInterval:  # a difference may have one where a system alone has none
        with pytest.raises(NoInterval):
            linearized_interval(traded, name, "b")
        return
    assert linearized_interval(traded, name, "b") == replace(alone, what="b")


@examples(50)
@given(st.lists(unit, min_size=2, max_size=8), st.data())
def test_clusters_are_units_of_their_sums(units: list[Any], data: st.DataObject) -> None:
    labels = data.draw(st.lists(st.integers(0, 4), min_size=len(units), max_size=len(units)))
    comparison = of_units(units, clusters=labels)
    sums = [
        tuple(
            tuple(np.sum([u[s] for u, own in zip(units, labels, strict=True) if own == label], 0))
            for s in (0, 1)
        )
        for label in sorted(set(labels))
    ]
    alone = of_units(units, clusters=list(range(len(units))))
    for one, other in ((comparison, of_units(sums)), (alone, of_units(units))):
        try:
            found = linearized_interval(one, "f1")
        except NoInterval:
            with pytest.raises(NoInterval):
                linearized_interval(other, "f1")
            continue
        assert found.unit == "cluster"
        expected = linearized_interval(other, "f1")
        assert (found.low, found.high) == pytest.approx((expected.low, expected.high), rel=1e-12)


@examples(100)
@given(
    st.lists(st.tuples(st.integers(-50, 50), st.integers(-50, 50)), min_size=2, max_size=9),
    st.sampled_from([1, 10, 7919, 2**40]),
)
def test_the_mean_of_scores_has_the_t_interval(scores: list[Any], times: int) -> None:
    """Of paired differences, and of one system's scores: scipy's; scaling scales."""
    a, b = (np.array([pair[i] for pair in scores]) for i in (0, 1))
    comparison = Comparison.from_scores(a * times, b * times)
    for what, values in (("difference", a - b), ("a", a), ("b", b)):
        assume(len(set(values.tolist())) > 1)
        assume(not set(a.tolist()) | set(b.tolist()) <= {0, 1})
        found = linearized_interval(comparison, "mean", what, confidence_level=0.9)  # type: ignore[arg-type]
        expected = stats.ttest_1samp(values, 0).confidence_interval(0.9)
        assert (found.low, found.high) == pytest.approx(
            (expected.low * times, expected.high * times), rel=1e-9, abs=1e-9 * times
        )


def test_no_digits_are_lost_in_fixed_point() -> None:
    """Integers near 2^52 that differ in the last bits: doubles would keep none of a variance."""
    rng = np.random.default_rng(5)
    a, b = (2**52 + rng.integers(0, 1000, 200) for _ in range(2))
    comparison = Comparison.from_scores(a, b)
    for what in ("difference", "a"):
        estimate, square, _ = brute(comparison, csig.metrics.mean, what)
        found = linearized_interval(comparison, "mean", what)  # type: ignore[arg-type]
        assert found.estimate == float(estimate)
        assert found.standard_error == pytest.approx(math.sqrt(square), rel=1e-13)


def sandwich(y: Any, x: Any, groups: Any) -> tuple[float, float]:
    """Regression through the origin with weights 1/x, and its cluster-robust standard error:

    the sandwich of Liang and Zeger (1986) with the factor G/(G - 1), written out in numpy.
    """
    coefficient = y.sum() / x.sum()
    residuals = y - coefficient * x
    inside = sum(residuals[groups == g].sum() ** 2 for g in np.unique(groups))
    n = len(np.unique(groups))
    return coefficient, math.sqrt(n / (n - 1) * inside) / x.sum()


#: What statsmodels 0.15.0 gives for `regression_data` (tests/reference/statsmodels_clusters.py):
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
    errors = rng.binomial(words, 0.2)
    return {"groups": groups, "a": a, "b": b, "words": words, "errors": errors}


def test_errors_agree_with_cluster_robust_regression() -> None:
    data = regression_data()
    groups = data["groups"]
    scores = Comparison.from_scores(data["a"], data["b"], clusters=groups.tolist())
    wer = Comparison.from_statistics(
        np.stack([data["errors"], data["words"]], axis=1),
        np.stack([data["errors"] * 0, data["words"]], axis=1),
        ("errors", "words"),
        clusters=groups.tolist(),
    )
    ones = np.ones(60)
    for name, found, y, x in (
        ("difference", linearized_interval(scores, "mean"), data["a"] - data["b"], ones),
        ("a", linearized_interval(scores, "mean", "a"), data["a"], ones),
        ("wer", linearized_interval(wer, "wer", "a"), data["errors"], data["words"]),
    ):
        own = (found.estimate, found.standard_error)
        assert own == pytest.approx(sandwich(y, x, groups), rel=1e-12)
        assert own == pytest.approx(STATSMODELS[name], rel=1e-10)
        assert found.n_units == 13


def test_single_responses_are_units_of_their_own() -> None:
    """Counts alone give what all responses, one by one, give."""
    comparison = Comparison.from_counts(**YEH)
    rows = comparison.rows()
    one_by_one = Comparison.from_statistics(rows.a, rows.b, RESPONSES)
    for metric in ("recall", "precision", "f1"):
        for what in ("difference", "a", "b"):
            found = linearized_interval(comparison, metric, what)  # type: ignore[arg-type]
            other = linearized_interval(one_by_one, metric, what)  # type: ignore[arg-type]
            assert (found.low, found.high, found.n_units) == pytest.approx(
                (other.low, other.high, other.n_units), rel=1e-12
            )
    recall = linearized_interval(comparison, "recall", "a")
    p = 47 / 103
    assert recall.standard_error == pytest.approx(math.sqrt(p * (1 - p) / 102))
    large = Comparison.from_counts(
        gold=2**40, both_correct=2**39, only_a_correct=2**30, only_b_correct=2**29
    )
    b, c, n = 2**30, 2**29, 2**40
    expected = math.sqrt((b + c - Fraction((b - c) ** 2, n)) / Fraction(n * (n - 1)))
    assert linearized_interval(large, "recall").standard_error == pytest.approx(expected, rel=1e-13)


def test_units_of_which_the_metric_counts_nothing_do_not_matter() -> None:
    units = [((1, 2, 2), (0, 1, 2)), ((2, 2, 4), (1, 3, 4)), ((0, 1, 1), (1, 1, 1))]
    more = [*units, *[((0, 1, 0), (0, 3, 0))] * 5]
    assert linearized_interval(of_units(more), "recall") == linearized_interval(
        of_units(units), "recall"
    )
    assert linearized_interval(of_units(more), "f1").n_units == 8


# ---- no spread -----------------------------------------------------------------------------------


def reach(n: float, level: float = 0.95) -> float:
    return 1 - ((1 - level) / 2) ** (1 / n)


@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
def test_a_perfect_score_has_the_exact_bound(level: float) -> None:
    right, wrong = [1] * 30, [0] * 30
    comparison = Comparison.from_scores(right, wrong)
    a, b, difference = (
        linearized_interval(comparison, "mean", what, confidence_level=level)  # type: ignore[arg-type]
        for what in ("a", "b", "difference")
    )
    assert (a.low, a.high) == pytest.approx(clopper_pearson(30, 30, level))
    assert (b.low, b.high) == pytest.approx(clopper_pearson(0, 30, level))
    assert (difference.low, difference.high) == pytest.approx((1 - 2 * reach(30, level), 1))
    for found in (a, b, difference):
        assert (found.method, found.standard_error, found.n_units) == ("clopper-pearson", None, 30)


def test_identical_systems_have_an_interval_around_nothing() -> None:
    scores = [1, 0, 1, 1, 0, 1]
    found = linearized_interval(Comparison.from_scores(scores, scores), "mean")
    assert (found.low, found.high) == pytest.approx((-reach(6), reach(6)))
    assert found.estimate == 0
    counts = Comparison.from_counts(gold=50, both_correct=40, only_a_correct=0, only_b_correct=0)
    found = linearized_interval(counts, "f1")
    effective = (40 * 2 + 10) ** 2 / (40 * 4 + 10)  # F1 counts what is found twice
    assert (found.low, found.high) == pytest.approx((-reach(effective), reach(effective)))


def test_right_answers_that_are_all_alike_need_their_counts() -> None:
    """Scores that are all 1 may be anything, ratings too; answers that are counted are shares."""
    for scores in ([1] * 30, [0] * 30, [[1] * 30] * 3):
        comparison = Comparison.from_scores(scores, scores)
        for what in ("a", "difference"):
            with pytest.raises(NoInterval, match=r"columns 'correct' and 'items', whose accuracy"):
                linearized_interval(comparison, "mean", what)
    with pytest.raises(NoInterval, match=r"other items may be from it$"):
        linearized_interval(Comparison.from_scores([5] * 30, [5] * 30), "mean")
    for shape in ((30,), (3, 30)):  # runs do not make it more certain
        counted = np.ones((*shape, 2), dtype=int)
        comparison = Comparison.from_statistics(counted, counted, ("correct", "items"))
        found = linearized_interval(comparison, "accuracy", "a")
        assert (found.low, found.high) == (pytest.approx(0.025 ** (1 / 30)), 1)


def test_counts_that_happen_to_be_0_or_1_are_no_shares_under_their_own_name() -> None:
    """Errors per sentence: more than one each is possible, in a single one too."""
    a, b = [1, 1, 1, 0, 1, 1], [0, 1, 0, 0, 1, 0]
    assert linearized_interval(Comparison.from_scores(a, b), "mean", "a").high == 1
    tables = [[[own, 1] for own in scores] for scores in (a, b)]
    comparison = Comparison.from_statistics(*tables, ("errors", "sentences"))
    own = Metric("errors per sentence", ("errors", "sentences"), numerator=(1, 0),
                 denominator=(0, 1), greater_is_better=False)  # fmt: skip
    found = linearized_interval(comparison, own, "a")
    expected = stats.t.interval(0.95, 5, np.mean(a), stats.sem(a))
    assert (found.low, found.high) == pytest.approx(expected)
    assert found.high > 1


def test_weights_of_units_make_fewer_of_them() -> None:
    """One document with half of the gold: Kish's effective number."""
    units = [((10, 10, 10), (0, 0, 10)), *[((1, 1, 1), (0, 0, 1))] * 10]
    found = linearized_interval(of_units(units), "recall", "a")
    assert (found.low, found.high) == pytest.approx((1 - reach(400 / 110), 1))
    assert found.n_units == 11


def test_the_bound_holds_for_identical_systems() -> None:
    """P(no unit of n differs) is at most alpha/2 wherever the true share is outside."""
    n = 25
    found = linearized_interval(
        Comparison.from_scores([1, 0] * 12 + [1], [1, 0] * 12 + [1]), "mean"
    )
    assert (1 - found.high) ** n == pytest.approx(0.025)


@pytest.mark.parametrize(
    ("a", "b", "what", "reason"),
    [
        (
            [1.5, 2.5, 4.0],
            [0.5, 1.5, 3.0],
            "difference",
            "the difference is the same in every item",
        ),
        ([1.5, 1.5, 1.5], [0.5, 1.5, 3.0], "a", "the score is the same in every item"),
        ([0.5, 1.5, 3.0], [0.5, 1.5, 3.0], "difference", "the difference is the same"),
        (
            [0.1 + 0.2, 0.7 + 0.1],
            [0.2 + 0.2, 0.8 + 0.1],
            "difference",
            "the difference is the same",
        ),
        ([1], [0], "difference", "only 1 item counts for mean"),
        ([], [], "difference", "the denominator of mean is zero for A"),
        ([1, 1], [1, 1], "a", "the score is the same"),
    ],
)
def test_what_has_no_interval_says_why(a: Any, b: Any, what: Any, reason: str) -> None:
    with pytest.raises(NoInterval, match=reason):
        linearized_interval(Comparison.from_scores(a, b), "mean", what)


def test_rounding_is_no_spread() -> None:
    """Differences of a tenth that only differ in what doubles lose."""
    a = np.random.default_rng(0).random(1000)
    with pytest.raises(NoInterval, match="the same in every item"):
        linearized_interval(Comparison.from_scores(a + 0.1, a), "mean")


def test_denominators_that_are_zero() -> None:
    comparison = of_units([((0, 0, 2), (1, 2, 2)), ((0, 0, 1), (1, 1, 1))])
    for what in ("difference", "a"):
        with pytest.raises(NoInterval, match="denominator of precision is zero for A"):
            linearized_interval(comparison, "precision", what)  # type: ignore[arg-type]
    assert linearized_interval(comparison, "precision", "b").n_units == 2
    alone = of_units([((1, 2, 2), (2, 2, 2)), ((0, 0, 0), (0, 0, 0))])
    with pytest.raises(NoInterval, match="only 1 item counts for precision"):
        linearized_interval(alone, "precision")


def test_ends_stay_within_what_is_possible() -> None:
    comparison = Comparison.from_scores([1] * 29 + [0], [0] * 29 + [1])
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
    ratings = Comparison.from_scores([0, 1, 2], [0, 0, 0])
    assert linearized_interval(ratings, "mean", "a").low < 0
    fdr = Metric("fdr", ("tp", "predicted"), numerator=(-1, 1), denominator=(0, 1))
    found = linearized_interval(
        of_units([((9, 9, 9), (0, 9, 9)), ((8, 9, 9), (9, 9, 9))]), fdr, "a"
    )
    assert found.low == 0
    odd = Metric("odd", ("tp", "predicted"), numerator=(3, -1), denominator=(0, 1))
    found = linearized_interval(
        of_units([((9, 9, 9), (0, 9, 9)), ((4, 9, 9), (9, 9, 9))]), odd, "a"
    )
    assert found.high > 2


# ---- functions -----------------------------------------------------------------------------------


def test_functions_have_the_jackknife() -> None:
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


def test_the_jackknife_of_many_units_goes_by_kinds() -> None:
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


def test_functions_without_an_interval() -> None:
    comparison = Comparison.from_labels([0, 1, 1], [0, 1, 1], [0, 1, 0], positive=1)
    with pytest.raises(
        NoInterval, match=r"mcc is not defined .* csig.intervals.bootstrap_interval with .* resampl"
    ):
        linearized_interval(comparison, "mcc", "a")
    same = Comparison.from_labels([0, 1, 1], [0, 1, 0], [0, 1, 0], positive=1)
    with pytest.raises(NoInterval, match="the systems are the same in every item"):
        linearized_interval(same, "mcc")
    constant = Metric("one", ("tp",), function=lambda s: np.ones(len(s)))
    with pytest.raises(NoInterval, match="whichever item is left out"):
        linearized_interval(comparison, constant)


# ---- arguments -----------------------------------------------------------------------------------


def test_bad_arguments_are_one_line() -> None:
    comparison = Comparison.from_counts(**YEH)
    for arguments, found in (
        ({"what": "c"}, "what must be one of 'difference', 'a', 'b', found 'c'"),
        ({"confidence_level": 1.0}, "confidence_level must lie between 0 and 1, found 1.0"),
        (
            {"confidence_level": float("nan")},
            "confidence_level must lie between 0 and 1, found nan",
        ),
        ({"zero_division": 2}, "zero_division must be 0 or 1, found 2"),
        ({"metric": "wer"}, "metric 'wer' reads 'errors', 'words'"),
        ({"comparison": 3}, "comparison must be a csig.Comparison, found int"),
    ):
        with pytest.raises(csig.InputError) as refused:
            linearized_interval(**{"comparison": comparison, "metric": "f1", **arguments})
        assert found in str(refused.value)
    large = Comparison.from_statistics([[2**50, 2**52], [0, 2**52]], [[0, 2**52], [1, 2**52]],
                                       ("x", "y"))  # fmt: skip
    heavy = Metric("heavy", ("x", "y"), numerator=(2**15, 1), denominator=(0, 1))
    with pytest.raises(csig.InputError, match="weighted sums reach 2\\^61"):
        linearized_interval(large, heavy)


def test_a_record_has_no_units() -> None:
    comparison = of_units([((1, 2, 2), (0, 1, 2)), ((2, 2, 4), (1, 3, 4))])
    alone = Comparison(
        comparison.columns, comparison.unit, comparison.sums_a, comparison.sums_b, (),
        units=comparison.units,
    )  # fmt: skip
    with pytest.raises(csig.InputError, match="only the units that differ are known"):
        linearized_interval(alone, "f1")
