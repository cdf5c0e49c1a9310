"""Independent runs: the studentised permutation test, its interval, and the order of the runs."""

import json
import math
from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise, product

import numpy as np
import pytest
from commands import record, refused, run, words, write
from drawn import several
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.random import default_rng
from scipy import stats
from written import refusal

from csig.classical import unpaired, unpaired_systems, unpaired_tests


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def welch(x, y, axis=-1):
    return stats.ttest_ind(x, y, axis=axis, equal_var=False).statistic


def squared(part: list[int], rest: list[int]) -> tuple[Fraction, Fraction]:
    """The difference squared, with its sign, and its squared standard error."""

    def error(values: list[int]) -> Fraction:
        n = len(values)
        return Fraction(n * sum(v * v for v in values) - sum(values) ** 2, n * n * (n - 1))

    difference = Fraction(sum(part), len(part)) - Fraction(sum(rest), len(rest))
    return difference * abs(difference), error(part) + error(rest)


def brute(x: list[int], y: list[int], alternative: str) -> Fraction:
    """Over all divisions of the positions, in fractions."""
    every = [*x, *y]
    d, v = squared(every[: len(x)], every[len(x) :])
    sign = {"two-sided": 0, "greater": 1, "less": -1}[alternative]
    hits = total = 0
    for chosen in combinations(range(len(every)), len(x)):
        part = [every[i] for i in chosen]
        rest = [own for i, own in enumerate(every) if i not in chosen]
        d_, v_ = squared(part, rest)
        own, found = (abs(d), abs(d_)) if sign == 0 else (sign * d, sign * d_)
        # found / v_ >= own / v, where a variance may be 0; 0 / 0 is 0, as equal means are
        if v_ == 0 or v == 0:
            key = [math.copysign(math.inf, one) if one and w == 0 else one / w if w else 0
                   for one, w in ((found, v_), (own, v))]  # fmt: skip
            hits += key[0] >= key[1]
        else:
            hits += found * v >= own * v_
        total += 1
    return Fraction(hits, total)


@given(
    st.lists(st.integers(0, 6), min_size=2, max_size=6),
    st.lists(st.integers(0, 6), min_size=2, max_size=6),
    st.sampled_from(["two-sided", "less", "greater"]),
)
@settings(max_examples=several(12, 40), deadline=None)
def test_p_is_that_of_fractions(x, y, alternative):
    found = unpaired_tests(x, y, alternative=alternative).tests[0]
    assert found.n_resamples is None
    assert found.pvalue == pytest.approx(float(brute(x, y, alternative)), rel=1e-12)


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
@pytest.mark.parametrize(("n", "m"), [(5, 5), (4, 7), (8, 3)])
def test_p_is_that_of_scipy(n, m, alternative):
    rng = default_rng(n)
    x, y = rng.lognormal(size=n), rng.lognormal(0.5, size=m)
    own = unpaired_tests(x, y, alternative=alternative).tests[0]
    theirs = stats.permutation_test((x, y), welch, n_resamples=np.inf, alternative=alternative)
    assert own.statistic == pytest.approx(theirs.statistic, rel=1e-12)
    if n == m or alternative != "two-sided":  # scipy doubles the smaller tail
        assert own.pvalue == pytest.approx(theirs.pvalue, rel=1e-12)
    else:
        extreme = np.abs(theirs.null_distribution) >= abs(own.statistic) * (1 - 1e-10)
        assert own.pvalue == pytest.approx(extreme.mean(), rel=1e-12)


def test_many_equal_values_are_counted_exactly():
    """Forty-five million billion divisions; two values make it Fisher's exact test."""
    x, y = [1] * 20 + [0] * 10, [1] * 12 + [0] * 18
    found = unpaired_tests(x, y).tests[0]
    assert found.n_resamples is None
    assert found.pvalue == pytest.approx(stats.fisher_exact([[20, 10], [12, 18]]).pvalue, rel=1e-11)


def test_drawn_divisions_are_near_the_exact_ones_and_repeat():
    rng = default_rng(4)
    x, y = rng.normal(size=9), rng.normal(0.8, size=9)
    exact = unpaired_tests(x, y).tests[0]
    with pytest.MonkeyPatch.context() as patch:
        limits = unpaired.OF_MEANS._replace(divisions=1)
        patch.setattr(unpaired, "OF_MEANS", limits)
        one, again, other = (unpaired_tests(x, y, rng=seed).tests[0] for seed in (1, 1, 2))
    assert one == again
    assert one.pvalue != other.pvalue
    assert one.n_resamples == 99_999
    error = math.sqrt(exact.pvalue / 99_999)
    assert abs(one.pvalue - exact.pvalue) < 9 * error
    assert one.interval == pytest.approx(exact.interval, abs=0.03)


@pytest.mark.parametrize(
    ("metric", "near"), [("mean", 1e-4), ("median", 1e-3), ("trimmed_mean", 1e-3)]
)
def test_the_interval_holds_what_the_test_does_not_reject(metric, near):
    rng = default_rng(9)
    x, y = rng.gamma(2, size=7), rng.gamma(2, size=8) + 1
    (low, high) = unpaired_tests(x, y, metric).tests[0].interval
    for end, side in ((low, -1), (high, 1)):
        inside, outside = (
            unpaired_tests(x - (end - side * by), y, metric).tests[0].pvalue for by in (near, -near)
        )
        assert outside <= 0.05 < inside
    normal = rng.normal(size=(2, 60))
    options = {"n_resamples": 9_999} if metric == "mean" else {}
    drawn = unpaired_tests(*normal, metric, rng=1, **options).tests[0]
    assert drawn.interval[0] < drawn.difference < drawn.interval[1]
    assert drawn.n_resamples == 9_999
    if metric == "mean":
        scaled = unpaired_tests(x * 1e-9 + 5, y * 1e-9 + 5).tests[0]
        assert scaled.interval == pytest.approx((low * 1e-9, high * 1e-9), rel=1e-4)
        theirs = stats.ttest_ind(*normal, equal_var=False).confidence_interval()
        assert drawn.interval == pytest.approx(tuple(theirs), abs=0.03)


@pytest.mark.parametrize("metric", ["mean", "median", "trimmed_mean"])
def test_0_is_in_the_interval_just_if_it_is_not_rejected(metric):
    rng = default_rng(1)
    pairs = [([5.0, 4, 6, 4, 6], [0.0, 4, 3, 4, 0, 3])]  # p crosses 0.05 three times
    pairs += [(rng.integers(0, 6, 6) + 1, rng.integers(0, 5, 5)) for _ in range(20)]
    for x, y in pairs:
        (own,) = unpaired_tests(x, y, metric).tests
        if own.interval is not None:
            assert (own.interval[0] < -1e-9 and own.interval[1] > 1e-9) == (own.pvalue > 0.05)


def test_few_values_have_no_interval():
    assert unpaired_tests([1.0, 2.0], [3.0, 4.0]).tests[0].interval is None  # the least p is 1/3
    same = unpaired_tests([1.0, 1.0, 1.0], [1.0, 1.0, 1.0]).tests[0]
    assert (same.pvalue, same.interval, same.statistic) == (1.0, None, 0.0)
    apart = unpaired_tests([1.0] * 5, [2.0] * 5).tests[0]
    assert apart.pvalue == pytest.approx(2 / 252)


def test_bartelss_test_of_order():
    """Gibbons and Chakraborti (2003), example 5.1: tourists to the United States, 1970 to 1982."""
    tourists = [12362, 12739, 13057, 13955, 14123, 15698, 17523, 18610, 19842, 20310, 22500, 23080,
                21916]  # fmt: skip
    _, p = unpaired.autocorrelation(np.array(tourists, dtype=float))
    assert p == pytest.approx(stats.norm.cdf(-3.6453), rel=1e-3)
    shuffled = [unpaired.autocorrelation(default_rng(i).random(30))[1] for i in range(400)]
    assert abs(np.mean(np.array(shuffled) <= 0.05) - 0.05) < 0.04
    assert unpaired.autocorrelation(np.ones(5)) == (0.0, 1.0)
    small = default_rng(1).random(30)
    for scale in (2.0**-1000, 2.0**900):  # whose squares are 0, and infinite
        assert unpaired.autocorrelation(small * scale) == pytest.approx(
            unpaired.autocorrelation(small), rel=1e-9
        )


def test_successive_runs_that_are_alike_are_doubted():
    rng = default_rng(7)
    drift = np.cumsum(rng.normal(size=60))
    found = unpaired_tests({"x": drift, "y": rng.normal(size=9)},
                           {"x": rng.normal(size=50), "y": rng.normal(size=9)}, rng=1,
                           names=("new", "base"))  # fmt: skip
    (doubt,) = found.doubts
    assert doubt.code == "successive-runs"
    assert doubt.startswith("Successive runs are alike in 1 sample: new, x (r = 0.")
    assert found.tests[0].autocorrelations[0] == pytest.approx(
        np.corrcoef(drift[:-1], drift[1:])[0, 1], abs=0.1
    )


def test_several_benchmarks_are_corrected():
    rng = default_rng(8)
    a = {f"b{i}": 9 + rng.normal(size=8) - (i == 2) * 4 for i in range(4)}
    b = {name: 9 + rng.normal(size=8) for name in a}
    found = unpaired_tests(a, b)
    least = min(found.tests, key=lambda own: own.pvalue)
    assert (least.name, least.adjusted_pvalue) == ("b2", pytest.approx(4 * least.pvalue))
    assert least.ratio == least.score_a / least.score_b
    assert "A is significantly lower on 1 of 4 benchmarks than B" in str(found)


@pytest.mark.parametrize(("a", "b", "message"), [
    ([1.0], [1.0, 2.0], "expected two finite numbers or more"),
    ([1.0, 1e308], [1.0, 2.0], "expected two finite numbers or more"),
    ([1.0, math.nan], [1.0, 2.0], "expected two finite numbers or more"),
    ({"x": [1, 2]}, {"y": [1, 2]}, "expected the same names"),
    ({"x": [1, 2]}, [1, 2], "expected two mappings, or two sequences"),
    ("ab", "cd", "expected two finite numbers or more, found 'ab'"),
    ([1, "x"], [1, 2], "expected two finite numbers or more, found [1, 'x']"),
    ([[1, 2], [3]], [1, 2], "expected two finite numbers or more"),
])  # fmt: skip
def test_what_is_refused(a, b, message):
    assert message in refusal(unpaired_tests, a, b)
    for names in (("new",), ("new", "new"), ("a", "b", "c"), ("new", 1)):
        said = refusal(unpaired_tests, [1, 2], [2, 3], names=names)
        assert "names: expected two different texts" in said


# ---- medians and trimmed means -------------------------------------------------------------------


def trimmed(values: list[Fraction]) -> tuple[Fraction, Fraction]:
    """Yuen's (1974): the mean of the middle three fifths, and its squared standard error."""
    n, cut = len(values), len(values) // 5
    kept = sorted(values)[cut : n - cut]
    winsorized = [kept[0]] * cut + kept + [kept[-1]] * cut
    mean = sum(winsorized) / n
    square = sum((v - mean) ** 2 for v in winsorized)
    return sum(kept) / len(kept), square / (len(kept) * (len(kept) - 1))


@cache
def upto(n: int) -> list[Fraction]:
    """In which share of bootstrap samples the median is among the i lowest: by binomials where the
    number is odd, else by the beta distribution.
    """
    half = Fraction(n + 1, 2)
    if n % 2 == 0:
        shape = float(half)
        return [Fraction(float(stats.beta.cdf(i / n, shape, shape))) for i in range(n + 1)]
    return [
        sum((Fraction(i**j * (n - i) ** (n - j) * math.comb(n, j), n**n)
             for j in range(int(half), n + 1)), Fraction(0))
        for i in range(n + 1)
    ]  # fmt: skip


def median(values: list[Fraction]) -> tuple[Fraction, Fraction]:
    """With its variance over all bootstrap samples."""
    n, own = len(values), sorted(values)
    weights = [b - a for a, b in pairwise(upto(n))]
    mean = sum(w * v for w, v in zip(weights, own, strict=True))
    square = sum(w * v * v for w, v in zip(weights, own, strict=True)) - mean**2
    return (own[(n - 1) // 2] + own[n // 2]) / 2, square


ORDERED = {"median": median, "trimmed_mean": trimmed}


def studentized(metric: str, part: list[Fraction], rest: list[Fraction]) -> float:
    (one, square), (two, other) = ORDERED[metric](part), ORDERED[metric](rest)
    difference, variance = float(one - two), float(square + other)
    if variance < 1e-15:
        return math.copysign(math.inf, difference) if difference else 0.0
    return difference / math.sqrt(variance)


def test_a_medians_variance_is_that_over_all_bootstrap_samples():
    values = [Fraction(v) for v in (1, 2, 4, 8, 9)]
    medians = [sorted(own)[2] for own in product(values, repeat=5)]
    mean = sum(medians) / len(medians)
    assert median(values)[1] == sum((v - mean) ** 2 for v in medians) / len(medians)


@pytest.mark.parametrize(("x", "y"), [
    ([1, 2, 4, 8, 9, 9.5], [3, 5, 6, 7, 11, 12, 13]),
    ([3, 1, 4, 1, 5], [9, 2, 6, 5, 3]),
    ([2.5, 2.5, 2.5, 3], [2.5, 4, 4, 4, 5, 2.5]),
])  # fmt: skip
@pytest.mark.parametrize("metric", ORDERED)
def test_what_needs_the_order_is_that_of_fractions(x, y, metric):
    every = [Fraction(v) for v in (*x, *y)]
    chosen = list(combinations(range(len(every)), len(x)))
    found = np.array([
        studentized(metric, [every[i] for i in own],
                    [v for i, v in enumerate(every) if i not in own])
        for own in chosen
    ])  # fmt: skip
    for alternative, sign in (("two-sided", None), ("greater", 1), ("less", -1)):
        values = np.abs(found) if sign is None else sign * found
        test = unpaired_tests(x, y, metric, alternative=alternative).tests[0]
        assert test.statistic == pytest.approx(found[0], rel=1e-9)
        one, two = (ORDERED[metric](own)[0] for own in (every[: len(x)], every[len(x) :]))
        assert test.difference == pytest.approx(float(one - two), rel=1e-12, abs=1e-12)
        expected = np.mean(values >= values[0] - 1e-9 * (1 + abs(values[0])))
        assert test.pvalue == pytest.approx(expected, rel=1e-12)
        assert test.n_resamples is None


def test_trimmed_means_are_yuens():
    rng = default_rng(3)
    for n, m in ((5, 7), (12, 9), (4, 30)):
        x, y = rng.lognormal(size=n), rng.lognormal(size=m)
        theirs = stats.ttest_ind(x, y, equal_var=False, trim=0.2)
        own = unpaired_tests(x, y, "trimmed_mean", n_resamples=99, rng=1).tests[0]
        assert own.statistic == pytest.approx(theirs.statistic, rel=1e-9)
        assert own.score_a == pytest.approx(stats.trim_mean(x, 0.2), rel=1e-12)


def test_many_runs_with_few_different_values_are_drawn_by_their_numbers():
    rng = default_rng(1)
    x, y = rng.poisson(9, 5_000), rng.poisson(9.2, 4_000)
    for metric, statistic in (
        ("mean", stats.ttest_ind(x, y, equal_var=False)),
        ("trimmed_mean", stats.ttest_ind(x, y, equal_var=False, trim=0.2)),
    ):
        own = unpaired_tests(x, y, metric, rng=1).tests[0]
        assert own.statistic == pytest.approx(statistic.statistic, rel=1e-9)
        error = math.sqrt(statistic.pvalue / 9_999)
        assert abs(own.pvalue - statistic.pvalue) < 9 * error
        assert own.interval == pytest.approx(tuple(statistic.confidence_interval()), abs=0.01)


def test_few_runs_of_one_and_many_of_the_other_are_counted():
    """Of 3 and 60 there are 39,711 divisions, but 2^60 parts of the larger sample."""
    rng = default_rng(1)
    x, y = rng.normal(size=60), rng.normal(size=3)
    own = unpaired_tests(x, y).tests[0]
    every, out = np.append(x, y), np.array(list(combinations(range(63), 3)))
    three, total = every[out], every @ every
    rest = (every.sum() - three.sum(axis=1)) / 60
    square = (total - (three**2).sum(axis=1) - 60 * rest**2) / (59 * 60)
    found = (rest - three.mean(axis=1)) / np.sqrt(square + three.var(axis=1, ddof=1) / 3)
    assert own.n_resamples is None
    extreme = np.abs(found) >= abs(own.statistic) * (1 - 1e-10)
    assert own.pvalue == pytest.approx(extreme.mean(), rel=1e-9)


# ---- several systems -----------------------------------------------------------------------------


def test_all_pairs_of_systems_are_adjusted_together():
    rng = default_rng(8)
    systems = {who: {name: rng.normal(9 - (who == "c"), size=6) for name in ("x", "y")}
               for who in "abc"}  # fmt: skip
    found = unpaired_systems(systems)
    assert [(own.name, own.system, own.baseline) for own in found.tests] == [
        (name, *pair) for name in ("x", "y") for pair in (("b", "a"), ("c", "a"), ("c", "b"))
    ]
    pvalues = [own.pvalue for own in found.tests]
    for own in found.tests:
        alone = unpaired_tests(systems[own.system], systems[own.baseline]).tests
        (same,) = (two for two in alone if two.name == own.name)
        assert (own.pvalue, own.interval) == (same.pvalue, same.interval)
    for correction in ("holm", "bonferroni", "bh", "by"):
        tests = unpaired_systems(systems, correction=correction).tests
        if correction in ("bh", "by"):
            expected = stats.false_discovery_control(pvalues, method=correction)
        elif correction == "bonferroni":
            expected = np.minimum(1, 6 * np.array(pvalues))
        else:
            order = np.argsort(pvalues)
            expected = np.empty(6)
            expected[order] = np.maximum.accumulate(np.sort(pvalues) * np.arange(6, 0, -1)).clip(
                max=1
            )
        assert [own.adjusted_pvalue for own in tests] == pytest.approx(list(expected))
    beside = unpaired_systems(systems, baseline="b").tests
    assert [(own.system, own.baseline) for own in beside[:2]] == [("a", "b"), ("c", "b")]


@pytest.mark.parametrize(("systems", "options", "message"), [
    ({"a": {"x": [1, 2]}}, {}, "expected two or more by their names, found {'a'"),
    ({"a": {"x": [1, 2]}, "b": {"y": [1, 2]}}, {}, "expected the same names"),
    ({"a": [1, 2], "b": [1, 2]}, {}, "systems: expected a mapping {name: values} for 'a'"),
    ({"a": {"x": [1, 2]}, "b": {"x": [1, 2]}}, {"baseline": "c"},
     "baseline must be one of 'a', 'b', found 'c'"),
    ({"a": {"x": [1, 2]}, "b": {"x": [1, 2]}}, {"correction": "shaffer"},
     "correction must be one of 'holm'"),
    ({"a": {"x": [1, 2]}, "b": {"x": [1, 2]}}, {"metric": "mode"},
     "metric must be one of 'mean', 'median'"),
])  # fmt: skip
def test_systems_that_are_refused(systems, options, message):
    assert message in refusal(unpaired_systems, systems, **options)


def test_the_ends_of_what_there_is():
    """No spread, a mean that is rounded; a p of just alpha; more ways than doubles hold."""
    (found,) = unpaired_tests([0.02] * 10, [0.01] * 10).tests
    assert found.autocorrelations == (0, 0)
    assert found.pvalue == 2 / math.comb(20, 10)
    # The least p of three and three is 0.1: where no division is more extreme, they do not overlap.
    (found,) = unpaired_tests([1, 2, 3], [4, 5, 6], confidence_level=0.9).tests
    assert found.interval == pytest.approx((-5, -1), abs=1e-4)
    (found,) = unpaired_tests([1] * 600, [1] * 300 + [2] * 300, n_resamples=999, rng=1).tests
    assert found.pvalue == 1 / 1000


def test_numbers_below_zero_have_no_ratio():
    write("base.txt", "-3", "-4", "-5", "-3.5", "-3.4")
    write("new.txt", "3", "4", "5", "4", "4.5")
    for files in (("base.txt", "new.txt"), ("new.txt", "base.txt")):
        said = words("compare", "--unpaired", *files)
        assert "% (p" not in said
        assert record("compare", "--unpaired", *files)["tests"][0]["ratio"] is None


# ---- files ---------------------------------------------------------------------------------------


def pytest_benchmark(**values):
    own = [{"name": n, "fullname": f"t.py::{n}", "stats": {"mean": 1, "data": v}}
           for n, v in values.items()]  # fmt: skip
    return {"machine_info": {}, "benchmarks": own, "version": "5.1.0"}


def hyperfine(**values):
    return {"results": [{"command": n, "mean": 1, "times": v} for n, v in values.items()]}


def pyperf(**values):
    """Two values of each process, whose mean is one value; the first process calibrates."""
    return {
        "version": "1.0",
        "metadata": {"unit": "second"},
        "benchmarks": [
            {
                "metadata": {"name": n},
                "runs": [{"warmups": [[1, 0.5]]}]
                + [{"values": [own - 0.25, own + 0.25]} for own in v],
            }
            for n, v in values.items()
        ],
    }


def asv(**values):
    columns = ["result", "params", "version", "samples"]
    results = {n: [[1.0], [], "v", [v]] for n, v in values.items()}
    return {"result_columns": columns, "results": results}


def google(**values):
    rows = [
        {"name": n, "run_name": n, "run_type": "iteration", "real_time": own * 1000,
         "time_unit": "ms"} for n, v in values.items() for own in v
    ]  # fmt: skip
    rows.append({"name": "mean", "run_type": "aggregate", "real_time": 1})
    return {"context": {}, "benchmarks": rows}


WRITERS = {
    "pytest-benchmark": pytest_benchmark, "hyperfine": hyperfine, "pyperf": pyperf, "asv": asv,
    "google/benchmark": google,
}  # fmt: skip
BASE = {"parse": [1.0, 1.25, 1.5, 1.125, 1.375], "load": [2.0, 2.5, 2.25, 2.75, 2.125]}
NEW = {"parse": [0.5, 0.75, 0.625, 0.875, 0.6875], "load": [2.0, 2.5, 2.25, 2.75, 2.125]}


def write_json(name, what):
    write(name, json.dumps(what))


@pytest.mark.parametrize("form", WRITERS)
def test_what_benchmarks_write(form):
    write_json("base.json", WRITERS[form](**BASE))
    write_json("new.json", WRITERS[form](**NEW))
    found = record("compare", "--unpaired", "base.json", "new.json")
    assert (found["format"], found["systems"], found["metric"]) == (form, ["base", "new"], "mean")
    expected = unpaired_tests(NEW, BASE).tests
    for own, test in zip(found["tests"], expected, strict=True):
        assert own["name"].endswith(test.name)
        assert (own["system"], own["baseline"]) == ("new", "base")
        assert own["pvalue"] == test.pvalue
        assert own["difference"] == pytest.approx(test.difference)
    said = words("compare", "--unpaired", "base.json", "new.json")
    assert said.startswith("new is significantly faster on 1 of 2 benchmarks than base")
    assert "csig compare base.json new.json --unpaired" in refused(
        "compare", "base.json", "new.json"
    )


def test_asv_has_parameters():
    table = asv(parse=BASE["parse"])
    table["results"]["parse"] = [[1, 2], [["1", "2"], ["x"]], "v", [BASE["parse"], NEW["parse"]]]
    write_json("base.json", table)
    write_json("new.json", table)
    found = record("compare", "--unpaired", "base.json", "new.json")
    assert [own["name"] for own in found["tests"]] == ["parse(1, x)", "parse(2, x)"]


def test_benchmarks_without_values_are_left_out_with_a_word():
    table = asv(parse=BASE["parse"], track=None)
    table["results"]["track"][3] = None
    table["results"]["load"] = [[1, None], [["1", "2"]], "v", [BASE["load"], None]]
    write_json("base.json", table)
    said = words("compare", "--unpaired", "base.json", "base.json")
    assert "base.json: runs without a value are left out: 'track', 'load(2)'." in said
    table = google(parse=BASE["parse"])
    for own in table["benchmarks"][:2]:
        own |= {"error_occurred": True, "real_time": 0.0}
    write_json("base.json", table)
    write_json("new.json", google(parse=NEW["parse"]))
    asked = "compare", "--unpaired", "base.json", "new.json"
    assert record(*asked)["tests"][0]["n_b"] == 3
    assert "base.json: runs without a value are left out: 'parse'." in words(*asked)


def test_two_commands_of_one_file_and_two_files_of_one_command_are_paired():
    write_json("both.json", hyperfine(old=BASE["parse"], new=NEW["parse"]))
    assert words("compare", "--unpaired", "both.json").startswith(
        "new is significantly faster than old by 45.0% (p = 0.00794)."
    )
    write_json("a.json", hyperfine(**{"./old": BASE["parse"]}))
    write_json("b.json", hyperfine(**{"./new": NEW["parse"]}))
    assert "./new / ./old" in words("compare", "--unpaired", "a.json", "b.json")


def test_two_benchmarks_of_one_name_are_refused():
    """google/benchmark: of an error's, repetitions have one index, other benchmarks others."""
    table = google(parse=BASE["parse"])
    for i, own in enumerate(table["benchmarks"]):
        own |= {"family_index": i // 3, "per_family_instance_index": 0}
    write_json("base.json", table)
    assert "found 'parse' twice" in refused("compare", "--unpaired", "base.json", "base.json")


def test_units_of_time_may_differ_between_files():
    table = google(parse=BASE["parse"])
    write_json("base.json", table)
    for own in table["benchmarks"][:-1]:
        own |= {"real_time": own["real_time"] * 1e6, "time_unit": "ns"}
    write_json("new.json", table)
    (test,) = record("compare", "--unpaired", "base.json", "new.json")["tests"]
    assert test["difference"] == pytest.approx(0, abs=1e-12)


def test_much_longer_benchmarks_have_a_unit_of_their_own():
    fast = [own * 1e-6 for own in BASE["parse"]]
    write_json("base.json", hyperfine(fast=fast, slow=BASE["load"]))
    said = words("compare", "--unpaired", "base.json", "base.json", "-f", "csv")
    assert "Means" not in said
    said = words("compare", "--unpaired", "base.json", "base.json")
    assert "fast µs 1.25" in said
    assert "slow s 2.325" in said


def test_commands_that_fail_are_doubted():
    table = hyperfine(old=BASE["parse"], new=NEW["parse"])
    table["results"][0]["exit_codes"] = [0, 0, 1, 0, None]
    write_json("both.json", table)
    (doubt,) = record("compare", "--unpaired", "both.json")["doubts"]
    assert doubt["code"] == "failed-runs"
    assert "which may have ended early: 'old'." in words("compare", "--unpaired", "both.json")


def test_asvs_files_are_called_by_their_commits():
    for name, values, commit in (("base", BASE, "0123456789ab"), ("new", NEW, "ba9876543210")):
        write_json(f"{name}.json", asv(**values) | {"commit_hash": commit})
    found = record("compare", "--unpaired", "base.json", "new.json")
    assert found["systems"] == ["01234567", "ba987654"]
    found = record("compare", "--unpaired", "base.json", "base.json")
    assert found["systems"] == ["base (1)", "base (2)"]


def test_several_files_beside_the_first_and_in_all_pairs():
    for name, values in (("base", BASE), ("new", NEW), ("newer", NEW)):
        write_json(f"{name}.json", hyperfine(**values))
    files = "base.json", "new.json", "newer.json"
    found = record("compare", "--unpaired", *files, "-m", "median")
    expected = unpaired_systems({"base": BASE, "new": NEW, "newer": NEW}, "median", baseline="base")
    assert [(own["name"], own["system"], own["adjusted_pvalue"]) for own in found["tests"]] == [
        (own.name, own.system, own.adjusted_pvalue) for own in expected.tests
    ]
    found = record("systems", "--unpaired", *files, "--correction", "bh")
    assert [(own["system"], own["baseline"]) for own in found["tests"][:3]] == [
        ("new", "base"), ("newer", "base"), ("newer", "new")
    ]  # fmt: skip
    said = words("systems", "--unpaired", *files)
    assert said.startswith("2 of 6 comparisons of 3 systems are significant (Holm-adjusted, 0.05)")
    assert "new 1 3 0" in said
    assert "base 0 2 2" in said
    beside = record("systems", "--unpaired", *files, "--baseline", "new")
    assert {own["baseline"] for own in beside["tests"]} == {"new"}
    assert "csig systems base.json new.json newer.json --unpaired" in refused("systems", *files)
    assert "no system 'x'" in refused("compare", "--unpaired", *files, "--baseline", "x")


def test_several_commands_of_one_file_are_systems():
    write_json("all.json", hyperfine(one=BASE["parse"], two=NEW["parse"], three=NEW["load"]))
    found = record("compare", "--unpaired", "all.json")
    assert found["systems"] == ["one", "two", "three"]
    write_json("all.json", pyperf(one=BASE["parse"], two=NEW["parse"], three=NEW["load"]))
    assert "has 3 benchmarks; give a second file" in refused("compare", "--unpaired", "all.json")


def test_numbers_one_per_line_are_lower_or_higher():
    write("base.txt", *map(str, BASE["parse"]))
    write("new.txt", *map(str, NEW["parse"]))
    said = words("compare", "--unpaired", "base.txt", "new.txt")
    assert said.startswith("new is significantly lower than base by 45.0%")
    assert (
        run("compare", "--unpaired", "base.txt", "new.txt", "-f", "csv").count("\n") == 3
    )  # and a note


@pytest.mark.parametrize(("files", "message"), [
    ({"base.json": hyperfine(x=[1, 2]), "new.json": hyperfine(x=[1, 2], y=[3, 4])},
     "new.json has 'y', which others lack"),
    ({"base.json": hyperfine(x=[1, 2]), "new.json": asv(x=[1, 2])}, "files of one kind"),
    ({"base.json": hyperfine(x=[1]), "new.json": hyperfine(x=[1, 2])},
     "base.json, x: found 1 run; expected two or more; run it with --runs 20; no benchmark is"),
    ({"base.json": hyperfine(x=[1], y=[2, 3]), "new.json": hyperfine(x=[1, 2], y=[2, 3])},
     "csig compare --unpaired base.json new.json --allow-missing intersection"),
    ({"base.json": {"results": 2 * hyperfine(x=[1, 2])["results"]}, "new.json": {}},
     "found 'x' twice; tell them apart with --command-name"),
    ({"base.json": pytest_benchmark(x=[1, math.nan]), "new.json": {}}, "value 2 is nan"),
    ({"base.json": {"context": {}, "benchmarks": google()["benchmarks"]}, "new.json": {}},
     "only aggregates; run without --benchmark_report_aggregates_only"),
    ({"base.json": hyperfine(x=[1, "z"]), "new.json": hyperfine(x=[1, 2])}, "value 2 is 'z'"),
    ({"base.json": {"results": [{"command": "x"}]}, "new.json": {}}, "no single timings"),
    ({"base.json": {"results": [{"command": "x", "times": 3}]}, "new.json": {}},
     "has another structure"),
    ({"base.json": {"a": 1}, "new.json": {}}, "expected that of pytest-benchmark"),
    ({"base.json": {"machine_info": {}, "benchmarks": [{"name": "x", "stats": {}}]},
      "new.json": {}}, "run pytest with --benchmark-save-data"),
    ({"base.json": {"result_columns": ["samples", "params"], "results": {"x": [None, []]}},
      "new.json": {}}, "run asv with --record-samples"),
    ({"base.json": pyperf(x=[1, 2]) | {"metadata": {"unit": "byte"}}, "new.json": {}},
     "x: values are in bytes, expected seconds"),
    ({"base.json": hyperfine(x=[1, -2]), "new.json": {}}, "found times below 0: 'x'"),
    ({"base.json": hyperfine(x=[1, 2])}, "has 1 benchmark; give a second file"),
])  # fmt: skip
def test_files_that_are_refused(files, message):
    for name, what in files.items():
        write_json(name, what)
    assert message in refused("compare", "--unpaired", *files)


def test_what_only_one_file_has_is_said():
    write_json("base.json", hyperfine(x=BASE["parse"], z=[1, 2]))
    write_json("new.json", hyperfine(x=NEW["parse"], y=[3, 4]))
    asked = "compare", "--unpaired", "base.json", "new.json"
    assert "--allow-missing intersection" in refused(*asked)
    said = words(*asked, "--allow-missing", "intersection")
    assert "base.json has 'z', which others lack; new.json has 'y', which others lack." in said
    twice = *asked[:2], "base.json", "base.json"
    assert "metric must be one of 'mean'" in refused(*twice, "--metric", "f1")
    assert "--unit does not go with --unpaired" in refused(*asked, "--unit", "document")
