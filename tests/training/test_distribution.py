"""Training distributions: from matrices and tables to the tables of the paper."""

import csv
import io
import json
import math

import numpy as np
import pytest
from drawn import examples
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from written import refusal, text_file

from csig.training.distribution import TrainingDistribution, TrainingFailure


def distribution(method="bootstrap", n=40, **options):
    rng = np.random.default_rng(3)
    shared = rng.normal(0, 0.01, (n, 1, 2))
    scores = 0.9 + shared + rng.normal(0, 0.004, (n, 3, 2)) + [[0.0], [0.01], [0.0]]
    return TrainingDistribution(scores, ("one", "two", "three"), ("clean", "noisy"), method,
                                **options)  # fmt: skip


def two_systems(a, b, independent=True):
    """Systems a and b on test set t, and the same scores on test set u the other way round."""
    scores = np.array([[a, b], [b, a]]).transpose(2, 1, 0)
    return TrainingDistribution(scores, ("a", "b"), ("t", "u"), independent=independent)


def test_numbers_are_those_of_numpy_and_scipy():
    found = distribution()
    scores = found.scores
    own = found.score("two", "noisy")
    assert own.mean == pytest.approx(scores[:, 1, 1].mean(), rel=1e-14)
    assert own.sd == pytest.approx(scores[:, 1, 1].std(ddof=1), rel=1e-12)
    assert (own.lowest, own.highest) == (scores[:, 1, 1].min(), scores[:, 1, 1].max())
    pair = found.difference("two", "one", "clean")
    assert pair.probability == np.mean(scores[:, 1, 0] > scores[:, 0, 0])
    expected = stats.pearsonr(scores[:, 1, 0], scores[:, 0, 0]).statistic
    assert pair.correlation == pytest.approx(expected, rel=1e-12)
    across, (x, y) = found.across("three", "clean", "noisy"), scores[:, 2].T
    assert across.correlation == pytest.approx(stats.pearsonr(x, y).statistic, rel=1e-12)
    assert across.sd_second == pytest.approx(y.std(ddof=1), rel=1e-12)
    # Equal variances of pairs: sums and differences are not correlated.
    assert across.pvalue == pytest.approx(stats.pearsonr(x + y, x - y).pvalue, rel=1e-9)
    assert repr(found) == "<TrainingDistribution 40 samples of 3 systems on 2 test sets>"
    with pytest.raises(ValueError, match="read-only"):
        scores[0, 0, 0] = 1.0


@pytest.mark.parametrize(("a", "b", "sd", "r", "pvalue"), [
    ([0.1] * 7, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0], 0.0, None, 0.0),
    ([1.0, 2.0], [2.0, 1.0], math.sqrt(0.5), -1.0, None), ([0.0] * 5, [0.0] * 5, 0.0, None, None),
    ([1.0, 2.0, 3.0], [2.0, 4.0, 6.0], 1.0, 1.0, 0.0),
    ([1e-300, 2e-300, 4e-300], [1.0, 3.0, 2.0], math.sqrt(7 / 3) * 1e-300, 0.3273268, 0.0),
    ([1e300, 2e300, 4e300], [1.0, 3.0, 2.0], math.sqrt(7 / 3) * 1e300, 0.3273268, 0.0),
])  # fmt: skip
def test_what_does_not_vary_and_what_is_of_any_scale(a, b, sd, r, pvalue):
    found = two_systems(a, b)
    assert found.score("a", "t").sd == pytest.approx(sd, rel=1e-12, abs=0)
    for own in (found.difference("a", "b", "t"), found.across("a", "t", "u")):
        assert own.correlation == (None if r is None else pytest.approx(r, abs=1e-7))
    assert found.across("a", "t", "u").pvalue == (
        None if pvalue is None else pytest.approx(pvalue, abs=1e-12)
    )


@pytest.mark.parametrize(
    ("method", "given", "independent"),
    [("bootstrap", None, True), ("kfold", None, False), ("subsample", None, None),
     ("subsample", True, True), (None, None, None), ("bootstrap", False, False)],
)  # fmt: skip
def test_intervals_and_pvalues_are_for_independent_samples(method, given, independent):
    found = distribution(method, independent=given)
    assert found.independent is independent
    assert (found.difference("one", "two", "clean").interval is None) == (independent is False)
    assert (found.across("one", "clean", "noisy").pvalue is None) == (independent is False)


def test_pairs_are_with_the_baseline():
    found = distribution()
    assert found.pairs() == [("two", "one"), ("three", "one")]
    assert found.pairs(baseline="two") == [("one", "two"), ("three", "two")]
    assert found.pairs("one", "three") == [("one", "three")]
    for asked, words in (
        ({"a": "one"}, "found a without b; give both"),
        ({"b": "one"}, "found b without a; give both"),
        ({"a": "one", "b": "one"}, "a and b are both 'one'"),
        ({"a": "one", "b": "two", "baseline": "three"}, "two systems are given already"),
        ({"baseline": "four"}, "there is no system 'four'"),
    ):
        assert words in refusal(found.pairs, **asked)
    assert "there is no test set 'web'" in refusal(found.difference, "one", "two", "web")
    assert "confidence_level" in refusal(
        found.difference, "one", "two", "clean", confidence_level=1.0
    )


def test_every_format_has_every_number():
    found = distribution(failures=(TrainingFailure(sample=7, error="no luck"),))
    pair = found.difference("two", "one", "noisy")
    for format in ("text", "markdown", "latex", "html"):
        text = found.table(format, a="two", b="one")
        for words in (
            "40 bootstrap samples", "1 of 41 samples failed", "sample 7: no luck",
            f"{pair.correlation:.3f}", f"{100 * found.score('two', 'noisy').mean:.2f}",
        ):  # fmt: skip
            assert words in text
        assert "three - one" not in text
    assert "format must be one of 'text', 'markdown', 'latex', 'csv'" in refusal(found.table, "pdf")
    assert "width" in refusal(lambda: found.table(width=0))
    assert f"{found}\n" == found.table()
    assert found._repr_html_().startswith('<div class="csig">')
    rows = list(csv.DictReader(io.StringIO(found.table("csv", a="two", b="one"))))
    (row,) = (r for r in rows if (r["what"], r["test_set"]) == ("difference", "noisy"))
    assert (row["system"], row["minus"], float(row["sd"])) == ("two", "one", pair.sd)
    assert {r["what"] for r in rows} == {"score", "difference", "across"}
    own = json.loads(found.table("json", a="two", b="one"))
    assert own["differences"][1]["sd"] == pair.sd
    assert {(pair["system"], pair["baseline"]) for pair in own["differences"]} == {("two", "one")}
    document = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert document["schema"] == "csig.train"
    assert [len(document[name]) for name in ("scores", "differences", "across")] == [6, 4, 3]
    own = document["differences"][2]
    assert (own["system"], own["baseline"], own["test_set"]) == ("two", "one", "noisy")
    assert own["interval"] == list(pair.interval)


def test_one_system_has_no_pairs():
    found = TrainingDistribution(np.ones((3, 1, 1)), ["a"], ["t"])
    assert found.pairs() == []
    assert "Differences" not in found.table()


def test_the_matrix_comes_back_from_csv():
    found = TrainingDistribution(
        np.random.default_rng(1).random((3, 2, 2)), ('a, "b"', "c; d\te"), ("x y", "z'"), "kfold"
    )
    text_file(found.to_csv())
    again = TrainingDistribution.from_table("t.csv", method="kfold")
    assert (again.scores == found.scores).all()
    assert (again.table(), again.to_dict()) == (found.table(), found.to_dict())
    text_file("run,system,score\n1,a,0.5\n1,b,0.5\n")
    message = refusal(TrainingDistribution.from_table, "t.csv")
    assert message == "t.csv: found one replicate, '1', expected at least two"


SCORES = st.lists(st.tuples(st.integers(0, 1000), st.integers(0, 1000)), min_size=3, max_size=40)


@given(scores=SCORES, order=st.randoms())
@examples(200)
def test_the_deviation_of_a_difference_is_that_of_the_paper_in_any_order(scores, order):
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
    rows = order.sample(range(len(a)), len(a))
    shuffled = two_systems([a[i] for i in rows], [b[i] for i in rows])
    assert shuffled.difference("a", "b", "t") == found
    assert shuffled.score("a", "t") == both.score("a", "t")


def test_ties_are_apart():
    both = two_systems([1.0, 1.0, 2.0, 0.0], [1.0, 0.0, 1.0, 1.0])
    found = both.difference("a", "b", "t", confidence_level=0.9)
    assert (found.n_ahead, found.n_ties, found.n_behind, found.probability) == (2, 1, 1, 0.5)
    assert found.interval == pytest.approx(tuple(stats.binomtest(2, 4).proportion_ci(0.9, "exact")))
