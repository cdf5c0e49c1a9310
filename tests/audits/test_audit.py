"""The audit: right numbers in every check, the right check failing where something is wrong."""

import itertools
from collections import defaultdict

import numpy as np
import pandas
import pytest
from audited import LARGER, METRICS, YEH, N, by_name, kinds, twice
from doctored import StuckBit
from drawn import several
from numpy.random import SFC64
from scipy.stats import binomtest, kstest

import csig
from csig import Comparison, InputError, Metric, audit
from csig.base.defaults import GENERATORS

SCORES = {"base": [0.2, 0.5, 0.5, 0.2, 0.5, 0.7], "new": [0.4, 0.7, 0.5, 0.4, 0.7, 0.6]}
FEW = {"n_resamples": 2**10, "rng": 1}

# ---- the paper's example ---------------------------------------------------------------------


@pytest.mark.parametrize("name", GENERATORS)
def test_the_paper_passes_with_every_good_generator(name):
    found = audit(YEH, METRICS, n_resamples=N, rng=1, bit_generator=name)
    assert found.passed
    assert found.failed == ()
    other = "PCG64DXSM" if name == "Philox" else "Philox"
    assert [run.bit_generator for run in found.runs] == [name, name, other]
    assert [run.number for run in found.runs] == [0, 1, 2]
    assert kinds(found) == {
        "runs": {True}, "sign test": {True}, "exact": {True}, "symmetry": {True},
        "generator": {True}, "determinism": {True}, "independence": {None}, "dependence": {None},
        "resolution": {True}, "metric itself": {None},
    }  # fmt: skip


# ---- other data --------------------------------------------------------------------------------


def test_scores_in_fixed_point():
    a, b = np.random.default_rng(0).random((2, 12)) * np.pi
    comparison = Comparison.from_scores(a, b)
    assert comparison.tau > 0
    found = audit(comparison, "mean", n_resamples=2**14, rng=1)
    assert found.passed
    signs = np.array(list(itertools.product((1, -1), repeat=12)))
    sums = np.abs(signs @ (a - b))
    p = np.count_nonzero(sums >= abs((a - b).sum()) - 1e-9) / 2**12
    assert found.exact["mean"].pvalue == p
    hits = found.runs[0].hits["mean", "two-sided"]
    checks = by_name(found)
    assert checks["exact: mean"].pvalue == pytest.approx(twice(hits, 2**14, p), rel=1e-9)
    assert checks["sign test"].sentence == "Not applicable: these data have no recall."
    assert checks["dependence"].observed == "not applicable"


def test_metrics_that_are_functions(labels):
    def spread(sums):
        tp, fp, fn, tn = sums.T.astype(float)
        return (tp * tn - fp * fn) / (tp + fp + fn + tn) ** 2

    own = Metric("spread", ("tp", "fp", "fn", "tn"), function=spread)
    for positive, metrics in ((None, ["mcc", "accuracy"]), (1, own)):
        found = audit(Comparison.from_labels(*labels, positive=positive), metrics, **FEW)
        assert found.passed
        assert kinds(found)["determinism"] == {True}
        name, hits = next(iter(found.results)), found.runs[0].hits
        upper, lower, both = (hits[name, tail] for tail in ("upper", "lower", "two-sided"))
        assert upper + lower == both
        expected = pytest.approx(binomtest(upper, both).pvalue, rel=1e-12)
        assert by_name(found)[f"symmetry: {name}"].pvalue == expected


@pytest.mark.parametrize(
    "counts",
    [
        {"only_a_correct": 0, "only_b_correct": 0},
        {"only_a_correct": 2, "only_b_correct": 2, "only_a_spurious": 1, "only_b_spurious": 1},
    ],
)
def test_no_difference(counts):
    """Identical systems, and such as score the same by chance."""
    comparison = Comparison.from_counts(gold=10, both_correct=3, **counts)
    found = audit(comparison, METRICS, n_resamples=2**12, rng=1)
    assert found.passed
    checks = by_name(found)
    assert all(result.n_hits == 2**12 for result in found.results.values())
    for metric in METRICS:
        assert checks[f"symmetry: {metric}"].passed is None
        assert "both systems score the same" in checks[f"symmetry: {metric}"].sentence
        assert f"symmetry: {metric}, sum" not in checks
    assert [name for name in checks if name.startswith("sign test")] == [
        "sign test: recall, two-sided"
    ]
    independence = checks["independence"]
    same = not counts["only_a_correct"]
    assert independence.sentence.startswith("Not applicable: both systems get the same") is same
    assert "nan" not in independence.observed
    assert "inf" not in independence.sentence


@pytest.mark.parametrize("n", [1, 65])
def test_few_trials(n):
    found = audit(YEH, "f1", n_resamples=n, rng=1)
    assert found.passed
    assert found.results["f1"].n_resamples == n


# ---- what must fail ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        (StuckBit, {"single bits"}),
        ("randu", {"single bits", "RANDU's relation", "period", "counts of the shuffles"}),
        ("randu-top", {"RANDU's relation", "period"}),
    ],
)
def test_broken_generators_fail(kind, names):
    """RANDU's top bits are found by the raw output alone."""
    found = audit(
        YEH, METRICS, n_resamples=2**16, rng=3, bit_generator=kind, threads=1,
        allow_bad_generator=True,
    )  # fmt: skip
    failed = {check.name.removeprefix("generator: ") for check in found.failed}
    assert failed == names if kind == "randu-top" else failed >= names
    assert not found.passed


class Own(SFC64):
    """A third party's generator: good, and not known by name."""


def test_a_generator_of_ones_own():
    found = audit(YEH, "f1", n_resamples=2**15, rng=1, bit_generator=Own)
    assert found.passed
    assert [run.bit_generator for run in found.runs] == [*2 * [f"{__name__}.Own"], "Philox"]
    plain = audit(YEH, "f1", n_resamples=2**15, rng=1, bit_generator="SFC64")
    assert found.results["f1"].n_hits == plain.results["f1"].n_hits
    assert by_name(found)["generator: known answers"].passed is None
    with pytest.raises(InputError, match=r"runs\[0\]\.bit_generator: found '.*Own', expected"):
        csig.verify(found.record)


def test_what_is_no_argument():
    with pytest.raises(TypeError, match=r"csig.audit\(\) has no argument 'seed' \(did you mean"):
        audit(SCORES, seed=1)


def test_pvalues_are_not_smaller_than_uniform():
    """One-sided and exact (Smirnov): p-values of discrete tests may be larger."""
    seeds = several(12, 60)
    pvalues = defaultdict(list)
    for seed in range(seeds):
        found = audit(YEH, METRICS, n_resamples=2**13, rng=seed)
        assert found.passed
        for check in found.checks:
            if check.pvalue is not None:
                pvalues[check.name].append(check.pvalue)
    assert len(pvalues) == 26
    for name, values in pvalues.items():
        assert len(values) == seeds
        smaller = kstest(values, "uniform", alternative="greater", method="exact").pvalue
        assert smaller > 1e-9, name


def test_several_runs_have_no_record():
    scores = np.eye(6)[:3]
    assert audit(Comparison.from_scores(scores[:1], 1 - scores[:1]), "mean", **FEW).passed
    with pytest.raises(InputError, match=r"a record .* holds no runs, found 3 of each"):
        audit(Comparison.from_scores(scores, 1 - scores), "mean", **FEW)


# ---- whatever csig.compare takes ----------------------------------------------------------------


def same(one, other):
    """Whether two audits are of the same comparison and drew the same shuffles."""
    shared = ("comparison", "metrics", "runs", "results", "checks", "options")
    return all(one.record[name] == other.record[name] for name in shared)


def test_a_comparison_is_followed_by_the_metric_or_has_it_by_its_name():
    one = audit(YEH, "recall", **FEW)
    assert same(one, audit(YEH, metric="recall", **FEW))
    assert same(one, audit(YEH, metric=("recall",), **FEW))
    assert list(audit(YEH, **FEW).results) == ["recall", "precision", "f1"]
    words = LARGER["document"]()
    assert audit(words, "f1", unit="response", **FEW).comparison.unit == "response"
    with pytest.raises(TypeError, match="two values"):
        audit(YEH, "recall", metric="f1", **FEW)


def test_scores_of_two_systems_whose_first_is_the_baseline(tmp_path):
    comparison = Comparison.from_scores(SCORES["new"], SCORES["base"], names=("new", "base"))
    expected = audit(comparison, "mean", **FEW)
    assert expected.results["mean"].statistic > 0
    table = tmp_path / "scores.csv"
    rows = zip(*SCORES.values(), strict=True)
    table.write_text("\n".join(["base,new", *(f"{a},{b}" for a, b in rows)]) + "\n")
    frame = pandas.DataFrame(SCORES)
    for given in ((SCORES,), (frame,), (str(table),), (table,)):
        found = audit(*given, metric="mean", **FEW)
        assert found.comparison.names == ("new", "base")
        assert same(found, expected)
    assert csig.verify(found.record).ok
    assert same(audit(*SCORES.values(), systems=("base", "new"), **FEW), expected)
    other = audit(SCORES, baseline="new", **FEW)
    assert other.results["mean"].statistic == -expected.results["mean"].statistic


def test_what_looks_wrong_in_files_is_warned_of(tmp_path):
    table = tmp_path / "scores.csv"
    rows = [f"q{i},.{i % 3 + 2},.{i % 4 + 3}" for i in range(9)]
    table.write_text("\n".join(["id,base,new", *rows, "q9,.1,\n"]))
    with pytest.warns(csig.DataWarning, match="left out|without"):
        found = audit(table, allow_missing=True, **FEW)
    assert found.comparison.units.n_total == 9
    files = [tmp_path / name for name in ("gold", "copy", "other")]
    for path, lines in zip(files, ("abcdefghijkl", "abcdefghijkl", "ab"), strict=True):
        path.write_text("\n".join(f"d\t{line}" for line in lines) + "\n")
    for function in (csig.compare, audit):
        with pytest.warns(csig.DataWarning) as warned:
            function(*files, format="responses", **FEW)
        said = [str(own.message) for own in warned]
        assert any("The responses of copy are exactly the gold" in line for line in said)
