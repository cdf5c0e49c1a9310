"""Independent runs: the studentised permutation test, its interval, and the order of the runs."""

import math
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from commands import record, refused, run, words, write
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.random import default_rng
from scipy import stats
from written import refusal

from csig.classical import unpaired, unpaired_tests


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def welch(x, y, axis=-1):
    return stats.ttest_ind(x, y, axis=axis, equal_var=False).statistic


def squared(part: list[Fraction], rest: list[Fraction]) -> tuple[Fraction, Fraction]:
    """The difference squared, with its sign, and its squared standard error."""

    def error(values: list[Fraction]) -> Fraction:
        mean = sum(values) / len(values)
        return sum((v - mean) ** 2 for v in values) / ((len(values) - 1) * len(values))

    difference = sum(part) / len(part) - sum(rest) / len(rest)
    return difference * abs(difference), error(part) + error(rest)


def brute(x: list[int], y: list[int], alternative: str) -> Fraction:
    """Over all divisions of the positions, in fractions."""
    every = [Fraction(v) for v in (*x, *y)]
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
@settings(max_examples=40, deadline=None)
def test_p_is_that_of_fractions(x, y, alternative):
    found = unpaired_tests(x, y, alternative=alternative).tests[0]
    assert found.n_resamples is None
    assert found.pvalue == pytest.approx(float(brute(x, y, alternative)), rel=1e-12)


@pytest.mark.parametrize(("x", "y"), [
    ([1, 2, 2, 3, 5, 8, 8, 9], [2, 2, 4, 6, 7, 9, 9, 9]),
    ([10, 12, 11, 19, 15], [13, 17, 20, 16, 18, 14, 21, 22, 25, 11, 12]),
])  # fmt: skip
def test_sixteen_values(x, y):
    assert unpaired_tests(x, y).tests[0].pvalue == pytest.approx(
        float(brute(x, y, "two-sided")), rel=1e-12
    )


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
        patch.setattr(unpaired, "MOST_DIVISIONS", 1)
        one, again, other = (unpaired_tests(x, y, rng=seed).tests[0] for seed in (1, 1, 2))
    assert one == again
    assert one.pvalue != other.pvalue
    assert one.n_resamples == 99_999
    error = math.sqrt(exact.pvalue / 99_999)
    assert abs(one.pvalue - exact.pvalue) < 9 * error
    assert one.interval == pytest.approx(exact.interval, abs=0.03)


def test_the_interval_holds_what_the_test_does_not_reject():
    rng = default_rng(5)
    x, y = rng.gamma(2, size=8), rng.gamma(2, size=9) + 1
    (low, high) = unpaired_tests(x, y).tests[0].interval
    for end, side in ((low, -1), (high, 1)):
        inside, outside = (
            unpaired_tests(x - (end - side * by), y).tests[0].pvalue for by in (1e-4, -1e-4)
        )
        assert outside <= 0.05 < inside
    scaled = unpaired_tests(x * 1e-9 + 5, y * 1e-9 + 5).tests[0]
    assert scaled.interval == pytest.approx((low * 1e-9, high * 1e-9), rel=1e-4)
    normal = rng.normal(size=(2, 60))
    mine = unpaired_tests(*normal, rng=1).tests[0].interval
    theirs = stats.ttest_ind(*normal, equal_var=False).confidence_interval()
    assert mine == pytest.approx(tuple(theirs), abs=0.03)


def test_few_values_have_no_interval():
    assert unpaired_tests([1.0, 2.0], [3.0, 4.0]).tests[0].interval is None  # the least p is 1/3
    same = unpaired_tests([1.0, 1.0, 1.0], [1.0, 1.0, 1.0]).tests[0]
    assert (same.pvalue, same.interval, same.statistic) == (1.0, None, 0.0)
    apart = unpaired_tests([1.0] * 5, [2.0] * 5).tests[0]
    assert apart.pvalue == pytest.approx(2 / 252)


def test_unequal_variances_nearly_keep_the_level():
    """7.8% of 2,000; a test of the plain difference has 16%: the small sample varies most."""
    rng, n = default_rng(6), 300
    hits = 0
    for _ in range(n):
        x, y = rng.normal(0, 3, 10), rng.normal(0, 1, 30)
        hits += (
            unpaired_tests(x, y, rng=rng, alternative="less", n_resamples=199).tests[0].pvalue
            <= 0.05
        )
    assert hits / n < 0.05 + 4 * math.sqrt(0.05 * 0.95 / n)


def test_bartelss_test_of_order():
    """Gibbons and Chakraborti (2003), example 5.1: tourists to the United States, 1970 to 1982."""
    tourists = [12362, 12739, 13057, 13955, 14123, 15698, 17523, 18610, 19842, 20310, 22500, 23080,
                21916]  # fmt: skip
    _, p = unpaired.autocorrelation(np.array(tourists, dtype=float))
    assert p == pytest.approx(stats.norm.cdf(-3.6453), rel=1e-3)
    shuffled = [unpaired.autocorrelation(default_rng(i).random(30))[1] for i in range(400)]
    assert abs(np.mean(np.array(shuffled) <= 0.05) - 0.05) < 0.04
    assert unpaired.autocorrelation(np.ones(5)) == (0.0, 1.0)


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
    assert least.ratio == least.mean_a / least.mean_b
    assert "A is significantly lower on 1 of 4 benchmarks than B" in str(found)


@pytest.mark.parametrize(("a", "b", "message"), [
    ([1.0], [1.0, 2.0], "expected two finite numbers or more"),
    ([1.0, 1e308], [1.0, 2.0], "expected two finite numbers or more"),
    ([1.0, math.nan], [1.0, 2.0], "expected two finite numbers or more"),
    ({"x": [1, 2]}, {"y": [1, 2]}, "expected the same names"),
    ({"x": [1, 2]}, [1, 2], "expected two mappings, or two sequences"),
])  # fmt: skip
def test_what_is_refused(a, b, message):
    assert message in refusal(unpaired_tests, a, b)


def test_runs_without_a_spread_whose_mean_is_rounded():
    (found,) = unpaired_tests([0.02] * 10, [0.01] * 10).tests
    assert found.autocorrelations == (0, 0)
    assert found.pvalue == 2 / math.comb(20, 10)


def test_a_p_of_just_alpha_is_rejected_whatever_the_level():
    # The least p of three and three is 0.1: where no division is more extreme, they do not overlap.
    (found,) = unpaired_tests([1, 2, 3], [4, 5, 6], confidence_level=0.9).tests
    assert found.interval == pytest.approx((-5, -1), abs=1e-4)


def test_numbers_below_zero_have_no_ratio():
    write("base.txt", "-3", "-4", "-5", "-3.5", "-3.4")
    write("new.txt", "3", "4", "5", "4", "4.5")
    for files in (("base.txt", "new.txt"), ("new.txt", "base.txt")):
        said = words("compare", "--unpaired", *files)
        assert "% (p" not in said
        assert record("compare", "--unpaired", *files)["tests"][0]["ratio"] is None


def test_more_ways_than_doubles_hold():
    (found,) = unpaired_tests([1] * 600, [1] * 300 + [2] * 300, n_resamples=999, rng=1).tests
    assert found.pvalue == 1 / 1000


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
    import json

    write(name, json.dumps(what))


@pytest.mark.parametrize("form", WRITERS)
def test_what_benchmarks_write(form):
    write_json("base.json", WRITERS[form](**BASE))
    write_json("new.json", WRITERS[form](**NEW))
    found = record("compare", "--unpaired", "base.json", "new.json")
    assert (found["format"], found["system"], found["baseline"]) == (form, "new", "base")
    expected = unpaired_tests(NEW, BASE).tests
    for own, test in zip(found["tests"], expected, strict=True):
        assert own["name"].endswith(test.name)
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
    table["benchmarks"][0] |= {"error_occurred": True, "real_time": 0.0}
    write_json("base.json", table)
    write_json("new.json", google(parse=NEW["parse"]))
    asked = "compare", "--unpaired", "base.json", "new.json"
    assert record(*asked)["tests"][0]["n_b"] == 4
    assert "base.json: runs without a value are left out: 'parse'." in words(*asked)


def test_two_commands_of_one_file_and_two_files_of_one_command_are_paired():
    write_json("both.json", hyperfine(old=BASE["parse"], new=NEW["parse"]))
    assert words("compare", "--unpaired", "both.json").startswith(
        "new is significantly faster than old by 45.0% (p = 0.00794)."
    )
    write_json("a.json", hyperfine(**{"./old": BASE["parse"]}))
    write_json("b.json", hyperfine(**{"./new": NEW["parse"]}))
    assert "./new / ./old" in words("compare", "--unpaired", "a.json", "b.json")


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
     "new.json alone has 'y'"),
    ({"base.json": hyperfine(x=[1, 2]), "new.json": asv(x=[1, 2])}, "files of one kind"),
    ({"base.json": hyperfine(x=[1]), "new.json": hyperfine(x=[1, 2])}, "expected two or more"),
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
    assert "Left out: base.json alone has 'z'; new.json alone has 'y'." in said
    assert "--metric does not go with --unpaired" in refused(*asked, "--metric", "f1")
