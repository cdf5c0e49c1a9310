"""Training distributions: from matrices and tables to the tables of the paper."""

from __future__ import annotations

import csv
import io
import json
import math
import statistics

import numpy as np
import pytest
from drawn import examples
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from written import refusal, text_file

from csig.training.distribution import (
    TrainingDistribution,
    TrainingFailure,
    correlation,
    mean,
    sd,
    spreads_pvalue,
)


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def distribution(method="bootstrap", n=40, **options):
    rng = np.random.default_rng(3)
    shared = rng.normal(0, 0.01, (n, 1, 2))
    scores = 0.9 + shared + rng.normal(0, 0.004, (n, 3, 2)) + [[[0.0]], [[0.01]], [[0.0]]][0]
    return TrainingDistribution(scores, ("one", "two", "three"), ("clean", "noisy"), method,
                                **options)  # fmt: skip


def test_numbers_are_those_of_numpy():
    found = distribution()
    scores = found.scores
    own = found.score("two", "noisy")
    assert own.mean == pytest.approx(scores[:, 1, 1].mean(), rel=1e-14)
    assert own.sd == pytest.approx(scores[:, 1, 1].std(ddof=1), rel=1e-12)
    assert (own.lowest, own.highest) == (scores[:, 1, 1].min(), scores[:, 1, 1].max())
    pair = found.difference("two", "one", "clean")
    assert pair.probability == np.mean(scores[:, 1, 0] > scores[:, 0, 0])
    assert pair.correlation == pytest.approx(np.corrcoef(scores[:, 1, 0], scores[:, 0, 0])[0, 1])
    across = found.across("three", "clean", "noisy")
    assert across.correlation == pytest.approx(np.corrcoef(scores[:, 2, 0], scores[:, 2, 1])[0, 1])
    assert across.sd_second == pytest.approx(scores[:, 2, 1].std(ddof=1))


def test_a_line_says_what_there_is():
    line = "<TrainingDistribution 40 samples of 3 systems on 2 test sets>"
    assert repr(distribution()) == line


def test_scores_cannot_be_changed():
    found = distribution()
    with pytest.raises(ValueError, match="read-only"):
        found.scores[0, 0, 0] = 1.0


@pytest.mark.parametrize(
    ("method", "given", "independent"),
    [("bootstrap", None, True), ("kfold", None, False), ("subsample", None, None),
     ("subsample", True, True), (None, None, None), ("bootstrap", False, False)],
)  # fmt: skip
def test_intervals_are_for_independent_samples(method, given, independent):
    found = distribution(method, independent=given)
    assert found.independent is independent
    interval = found.difference("one", "two", "clean").interval
    assert (interval is None) == (independent is False)


def test_pairs_are_with_the_baseline():
    found = distribution()
    assert found.pairs() == [("two", "one"), ("three", "one")]
    assert found.pairs(baseline="two") == [("one", "two"), ("three", "two")]
    assert found.pairs("one", "three") == [("one", "three")]
    assert "found a without b; give both" in refusal(found.pairs, "one")
    assert "found b without a; give both" in refusal(found.pairs, b="one")
    assert "a and b are both 'one'" in refusal(found.pairs, "one", "one")
    assert "two systems are given already" in refusal(found.pairs, "one", "two", "three")
    assert "there is no system 'four'" in refusal(found.pairs, baseline="four")
    assert "there is no test set 'web'" in refusal(found.difference, "one", "two", "web")
    assert "confidence_level" in refusal(
        lambda: found.difference("one", "two", "clean", confidence_level=1.0)
    )


@pytest.mark.parametrize("format", ["text", "markdown", "latex", "html"])
def test_every_format_has_every_number(format):
    found = distribution(failures=(TrainingFailure(sample=7, error="no luck"),))
    text = found.table(format, a="two", b="one")
    for words in ("40 bootstrap samples", "1 of 41 samples failed", "sample 7: no luck"):
        assert words in text
    pair = found.difference("two", "one", "noisy")
    assert f"{pair.correlation:.3f}" in text
    assert f"{100 * found.score('two', 'noisy').mean:.2f}" in text
    assert "three - one" not in text
    assert "format must be one of 'text', 'markdown', 'latex', 'csv'" in refusal(found.table, "pdf")
    assert "width" in refusal(lambda: found.table(width=0))
    assert f"{found}\n" == found.table()
    assert found._repr_html_().startswith('<div class="csig">')


def test_csv_and_json_have_all_digits():
    found = distribution()
    pair = found.difference("two", "one", "noisy")
    rows = list(csv.DictReader(io.StringIO(found.table("csv", a="two", b="one"))))
    (row,) = (r for r in rows if (r["what"], r["test_set"]) == ("difference", "noisy"))
    assert (row["system"], row["minus"]) == ("two", "one")
    assert float(row["sd"]) == pair.sd
    assert {r["what"] for r in rows} == {"score", "difference", "across"}
    own = json.loads(found.table("json", a="two", b="one"))
    assert own["differences"][1]["sd"] == pair.sd
    assert {name: own[name] for name in found.as_dict()} == found.as_dict(a="two", b="one")


def test_the_document_is_json():
    found = distribution()
    document = json.loads(json.dumps(found.as_dict(), allow_nan=False))
    assert document["schema"] == "csig.train"
    assert len(document["scores"]) == 6
    assert len(document["differences"]) == 4
    assert len(document["across"]) == 3
    own = document["differences"][2]
    assert (own["system"], own["baseline"], own["test_set"]) == ("two", "one", "noisy")
    assert own["interval"] == list(found.difference("two", "one", "noisy").interval)


def test_one_system_has_no_pairs():
    found = TrainingDistribution(np.ones((3, 1, 1)), ["a"], ["t"])
    assert found.pairs() == []
    assert "Differences" not in found.table()
    assert "<svg" in found.svg()


def test_the_matrix_comes_back_from_csv():
    found = TrainingDistribution(
        np.random.default_rng(1).random((3, 2, 2)), ('a, "b"', "c; d\te"), ("x y", "z'"), "kfold"
    )
    text_file(found.to_csv())
    again = TrainingDistribution.from_table("t.csv", method="kfold")
    assert (again.scores == found.scores).all()
    assert again.table() == found.table()
    assert again.as_dict() == found.as_dict()
    assert len(list(csv.reader(io.StringIO(found.to_csv())))) == 13


def test_one_replicate_is_too_few():
    text_file("run,system,score\n1,a,0.5\n1,b,0.5\n")
    message = refusal(TrainingDistribution.from_table, "t.csv")
    assert message == "t.csv: found one replicate, '1', expected at least two"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"scores": np.ones((3, 2))}, "shape (samples, systems, test sets), found (3, 2)"),
        ({"scores": np.ones((1, 2, 1))}, "found one training sample, expected at least two"),
        ({"scores": np.ones((0, 2, 1))}, "found (0, 2, 1)"),
        ({"scores": [[["a"]]]}, "scores must be numbers"),
        ({"scores": np.full((2, 2, 1), np.nan)}, "scores[0, 0, 0] is nan, expected a finite"),
        ({"systems": ("a", "a")}, "systems: found a name twice"),
        ({"systems": "ab"}, "systems must be a sequence of names, found 'ab'"),
        ({"systems": ("a",)}, "systems: found 1 names for 2"),
        ({"test_sets": (" ",)}, "test_sets must be names"),
        ({"method": "jackknife"}, "method must be one of 'bootstrap', 'kfold', 'subsample'"),
        ({"samples": ("1",)}, "samples: found 1 names for 3 samples"),
    ],
)
def test_mistakes_are_one_line(options, words):
    given = {"scores": np.ones((3, 2, 1)), "systems": ("a", "b"), "test_sets": ("t",), **options}
    assert words in refusal(TrainingDistribution, **given)


def two_systems(a, b, independent=True):
    """Systems a and b on test set t, and the same scores on test set u the other way round."""
    scores = np.array([[a, b], [b, a]]).transpose(2, 1, 0)
    return TrainingDistribution(scores, ("a", "b"), ("t", "u"), independent=independent)


SCORES = st.lists(st.tuples(st.integers(0, 1000), st.integers(0, 1000)), min_size=3, max_size=40)


@given(scores=SCORES)
@examples(200)
def test_the_deviation_of_a_difference_is_that_of_the_paper(scores):
    a, b = ([x / 1000 for x in own] for own in zip(*scores, strict=True))
    both = two_systems(a, b)
    found = both.difference("a", "b", "t")
    s1, s3 = (both.score(own, "t").sd for own in "ab")
    expected = s1**2 + s3**2 - 2 * s1 * s3 * (found.correlation or 0.0)
    assert math.isclose(found.sd**2, expected, rel_tol=1e-9, abs_tol=1e-15)
    assert found.n_ahead + found.n_ties + found.n_behind == len(a)
    other = both.difference("b", "a", "t")
    assert (other.n_ahead, other.n_ties, other.n_behind) == (
        found.n_behind, found.n_ties, found.n_ahead
    )  # fmt: skip
    assert other.mean == -found.mean


def test_normal_scores_have_the_probability_of_their_moments():
    """100,000 pairs: the share is within 5 of its standard errors of Phi(mean / sd)."""
    rng = np.random.default_rng(7)
    cov = [[4.0, 1.8], [1.8, 1.0]]
    x, y = rng.multivariate_normal([93.0, 92.0], cov, 100_000).T
    found = two_systems(x, y).difference("a", "b", "t")
    p = stats.norm.cdf(1 / math.sqrt(4 + 1 - 2 * 1.8))
    assert abs(found.probability - p) < 5 * math.sqrt(p * (1 - p) / 1e5)
    assert found.interval == pytest.approx(
        tuple(stats.binomtest(found.n_ahead, 100_000).proportion_ci(0.95, "exact"))
    )


def test_ties_are_apart():
    both = two_systems([1.0, 1.0, 2.0, 0.0], [1.0, 0.0, 1.0, 1.0])
    found = both.difference("a", "b", "t", confidence_level=0.9)
    assert (found.n_ahead, found.n_ties, found.n_behind, found.probability) == (2, 1, 1, 0.5)
    assert found.interval == pytest.approx(tuple(stats.binomtest(2, 4).proportion_ci(0.9, "exact")))


def test_nothing_is_taken_as_independent_that_is_not():
    x, y = [1.0, 2.0, 4.0, 3.0], [2.0, 1.0, 3.0, 9.0]
    assert two_systems(x, y, False).difference("a", "b", "t").interval is None
    assert two_systems(x, y, False).across("a", "t", "u").pvalue is None
    assert two_systems(x, y).across("a", "t", "u").pvalue is not None


FLOATS = st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=30)


@given(values=FLOATS, order=st.randoms())
@examples(100)
def test_no_order_of_the_samples_changes_a_digit(values, order):
    shuffled = order.sample(values, len(values))
    assert mean(values) == mean(shuffled)
    assert sd(values) == sd(shuffled)
    assert math.isclose(sd(values), statistics.stdev(values), rel_tol=1e-9, abs_tol=1e-9)


def test_against_numpy_and_scipy():
    rng = np.random.default_rng(1)
    x = rng.normal(0.9, 0.01, 200)
    y = 0.5 * x + rng.normal(0, 0.01, 200)
    assert math.isclose(mean(x.tolist()), x.mean(), rel_tol=1e-14)
    assert math.isclose(sd(x.tolist()), x.std(ddof=1), rel_tol=1e-12)
    found = correlation(x.tolist(), y.tolist())
    assert found is not None
    assert math.isclose(found, stats.pearsonr(x, y).statistic, rel_tol=1e-12)
    # Equal variances of pairs: sums and differences are not correlated.
    expected = stats.pearsonr(x + y, x - y).pvalue
    assert math.isclose(spreads_pvalue(x.tolist(), y.tolist()), expected, rel_tol=1e-9)


@pytest.mark.parametrize("scale", [1e-300, 1e300])
def test_correlations_of_any_scale(scale):
    x = [1.0 * scale, 2.0 * scale, 4.0 * scale]
    assert correlation(x, [1.0, 3.0, 2.0]) == pytest.approx(stats.pearsonr([1, 2, 4], [1, 3, 2])[0])


def test_what_does_not_vary():
    assert sd([0.1] * 7) == 0.0
    assert correlation([0.1] * 3, [1.0, 2.0, 3.0]) is None
    assert spreads_pvalue([1.0, 2.0], [2.0, 1.0]) is None
    assert spreads_pvalue([0.0] * 5, [0.0] * 5) is None
    assert spreads_pvalue([1.0, 2.0, 3.0], [2.0, 4.0, 6.0]) == 0.0
