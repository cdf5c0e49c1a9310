"""Runs, the sign test, exact p-values and symmetry: each check against the binomial."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from audited import LARGER, METRICS, WEIGHTS, YEH, N, by_name, documents, twice
from brute import PAPER
from scipy.stats import binomtest, fisher_exact

import csig
from csig import Comparison, audit, replay
from csig.audits.agreement import check_symmetry
from csig.audits.context import make_context
from csig.engines.tasks import make_task
from csig.metrics import get_all
from csig.readers import read_tags
from csig.report.audits import outcome


def test_runs_are_compared_by_fishers_test(paper):
    checks = by_name(paper)
    words = ["first", "second", "third"]
    for metric in METRICS:
        for i, j in itertools.combinations(range(3), 2):
            one, two = (paper.runs[k].hits[metric, "two-sided"] for k in (i, j))
            check = checks[f"runs: {metric}, {words[i]} and {words[j]}"]
            expected = fisher_exact([[one, N - one], [two, N - two]]).pvalue
            assert check.pvalue == pytest.approx(expected, rel=1e-6)
            assert check.observed == f"{one:,} and {two:,} hits"
            assert check.statistic == one - two


def test_sign_test_against_the_binomial(paper):
    """28 against 6 unique correct responses: 34 tosses of a coin."""
    checks = by_name(paper)
    for name, tail in (("two-sided", "two-sided"), ("greater", "upper")):
        p = binomtest(28, 34, 0.5, alternative=name).pvalue
        hits = paper.runs[0].hits["recall", tail]
        check = checks[f"sign test: recall, {name}"]
        assert check.pvalue == pytest.approx(twice(hits, N, p), rel=1e-9)
        assert f"(the sign test's p is {p:.6g})" in check.expected
        assert check.statistic == hits


def test_sign_test_where_b_is_better_and_recall_was_not_asked_for():
    other = {"only_a": "only_b", "only_b": "only_a"}
    turned = {other.get(cell[:6], cell[:6]) + cell[6:]: n for cell, n in PAPER.items()}
    swapped = Comparison.from_counts(**turned)
    found = audit(swapped, "precision", n_resamples=2**14, rng=1)
    checks = by_name(found)
    hits = found.runs[0].hits["recall", "lower"]
    p = binomtest(6, 34, 0.5, alternative="less").pvalue
    assert checks["sign test: recall, less"].pvalue == pytest.approx(
        twice(hits, 2**14, p), rel=1e-9
    )
    assert set(found.results) == {"precision"}
    assert {"exact: recall", "exact: precision"} <= set(checks)
    assert "runs: recall, first and second" not in checks


def test_exact_pvalues_against_enumeration(paper):
    """Every split of 34 and 52 unique responses, in integers."""
    checks = by_name(paper)
    for metric in METRICS:
        numerator, denominator = WEIGHTS[metric]

        def score(tp, wrong, top=numerator, bottom=denominator):
            sums = {"tp": tp, "predicted": tp + wrong, "gold": 103}
            return (
                sum(w * sums[c] for c, w in top.items()),
                sum(w * sums[c] for c, w in bottom.items()),
            )

        def cross(x, y, score=score):
            (a, m), (b, n) = score(19 + x, 5 + y), score(53 - x, 57 - y)
            return abs(a * n - b * m), m * n

        d, below = cross(28, 43)
        ways = 0
        for x in range(35):
            for y in range(53):
                top, bottom = cross(x, y)
                ways += math.comb(34, x) * math.comb(52, y) * (top * below >= d * bottom)
        p = ways / 2**86
        assert paper.exact[metric].pvalue == pytest.approx(p, rel=1e-12)
        hits = paper.runs[0].hits[metric, "two-sided"]
        assert checks[f"exact: {metric}"].pvalue == pytest.approx(twice(hits, N, p), rel=1e-9)
        assert paper.best[metric] is paper.exact[metric]


def test_symmetry_against_the_binomial(paper):
    checks = by_name(paper)
    x, y = replay.class_counts(34, 52, N, entropy=1)
    for metric in METRICS:
        upper, lower = (paper.runs[0].hits[metric, tail] for tail in ("upper", "lower"))
        expected = binomtest(upper, upper + lower, 0.5).pvalue
        assert checks[f"symmetry: {metric}"].pvalue == pytest.approx(expected, rel=1e-9)
        assert checks[f"symmetry: {metric}, sum"].observed == f"{upper + lower:,}"
        assert upper + lower == paper.runs[0].hits[metric, "two-sided"]
    # On recall the difference is that of the correct responses alone: 22 of 34 or more.
    assert paper.runs[0].hits["recall", "upper"] == np.count_nonzero(2 * x - 34 >= 22)
    assert paper.runs[0].hits["recall", "lower"] == np.count_nonzero(2 * x - 34 <= -22)
    assert len(y) == N


def test_a_sum_that_is_not_right_fails():
    metrics = get_all("f1", YEH.columns)
    context = make_context(make_task(YEH, rng=1, **TASK), metrics, alpha=0.05, edition=2)
    hits = dict(context.runs[0].hits)
    hits["f1", "upper"] += 1
    one = replace(context.runs[0], hits=hits)
    found = check_symmetry(replace(context, runs=(one, *context.runs[1:])))
    assert [check.passed for check in found if check.name.endswith("sum")] == [False]


TASK = {
    "alternative": "two-sided", "method": "approximate", "n_resamples": N, "bit_generator": None,
    "threads": 1, "zero_division": 0, "confidence_level": 0.99, "exact_budget": 2**20,
    "allow_bad_generator": False,
}  # fmt: skip


def test_units_take_the_lattice_instead_of_the_sign_test():
    rng = np.random.default_rng(5)
    gold = rng.integers(1, 6, 40)
    a, b = (np.stack([rng.integers(0, gold + 1), gold + 1, gold], axis=1) for _ in range(2))
    comparison = Comparison.from_statistics(a, b, ["tp", "predicted", "gold"])
    found = audit(comparison, "f1", n_resamples=2**14, rng=1)
    assert found.passed
    checks = by_name(found)
    assert "swaps items" in checks["sign test"].sentence
    assert "exact: recall" in checks  # it takes the sign test's place
    assert "takes its place" in checks["sign test"].sentence
    assert "not applicable" in checks["independence"].observed
    expected = replay.unit_hits(a, b, (2, 0, 0), (0, 1, 1), 2**14, entropy=1, run=1)
    assert found.runs[1].hits["f1", "two-sided"] == expected


@pytest.mark.parametrize("alternative", ["two-sided", "less"])
@pytest.mark.parametrize("unit", sorted(LARGER))
def test_the_sign_test_is_made_with_single_responses_where_larger_units_are_swapped(
    unit, alternative
):
    comparison = LARGER[unit]()
    assert comparison.unit == unit
    n = 2**16 + 100
    found = audit(comparison, "f1", n_resamples=n, rng=5, alternative=alternative)
    assert found.passed
    gold, a, b = documents()
    one, other = ([(k, r) for k in x for r in x[k] - y[k]] for x, y in ((a, b), (b, a)))
    counts = {"gold": sum(map(len, gold.values()))}
    for name, responses in (("a", one), ("b", other)):
        right = sum(r in gold[key] for key, r in responses)
        counts[f"only_{name}_correct"] = right
        counts[f"only_{name}_spurious"] = len(responses) - right
    checks = by_name(found)
    assert "sign test" not in checks
    assert [run.number for run in found.runs] == [0, 1, 2, 3]
    single = found.runs[3]
    assert single.bit_generator == found.runs[0].bit_generator
    assert set(single.hits) == {("recall", tail) for tail in ("two-sided", "upper", "lower")}
    right = [counts[f"only_{name}_correct"] for name in "ab"]
    for name in ("two-sided", "greater"):
        hits = replay.class_hits(
            counts, {"tp": 1}, {"gold": 1}, n, alternative=name, entropy=5, run=3
        )
        tail = "upper" if name == "greater" else name
        assert single.hits["recall", tail] == hits
        check = checks[f"sign test: recall, {name}"]
        p = binomtest(right[0], sum(right), 0.5, alternative=name).pvalue
        assert 0 < p < 0.2
        assert check.statistic == hits
        assert check.pvalue == pytest.approx(twice(hits, n, p), rel=1e-9)
        assert f"(the sign test's p is {p:.6g})" in check.expected
        assert "(run 3)" in check.what
        assert "This says nothing about the unit" in check.sentence
    # The runs of the unit are what they are without it.
    own = csig.randomization_test(
        comparison, "f1", method="approximate", n_resamples=n, rng=5, alternative=alternative
    )
    assert found.results["f1"].n_hits == own.n_hits


def test_the_sign_test_of_items_with_one_label_that_is_looked_for(labels):
    """Recall from (tp, fn); the differing items of the label are the coins."""
    gold, a, b = labels
    comparison = Comparison.from_labels(gold, a, b, positive=1, unit_name="item")
    found = audit(comparison, "f1", n_resamples=N, rng=4)
    assert found.passed
    assert len(found.runs) == 3
    only_a, only_b = (
        np.count_nonzero((gold == 1) & (x == 1) & (y != 1)) for x, y in ((a, b), (b, a))
    )
    assert only_a > only_b + 2
    checks = by_name(found)
    for name, tail in (("two-sided", "two-sided"), ("greater", "upper")):
        p = binomtest(only_a, only_a + only_b, 0.5, alternative=name).pvalue
        check = checks[f"sign test: recall, {name}"]
        assert check.statistic == found.runs[0].hits["recall", tail]
        assert check.pvalue == pytest.approx(twice(int(check.statistic), N, p), rel=1e-9)
        assert check.what.startswith("The systems never differ by more than one correct response")
    assert csig.verify(found.record, independent=True).ok
    clustered = Comparison.from_labels(gold, a, b, positive=1, clusters=np.arange(60) // 20)
    check = by_name(audit(clustered, "f1", n_resamples=2**10, rng=4))["sign test"]
    assert "swaps clusters" in check.sentence
    none = by_name(audit(Comparison.from_labels(*labels), "accuracy", n_resamples=64, rng=4))
    assert none["sign test"].sentence == "Not applicable: these data have no recall."


@pytest.mark.parametrize("n", [1, 64, 2**16 + 1])
def test_a_sign_test_at_documents_that_do_not_differ(n):
    gold, a, _ = documents()
    found = audit(Comparison.from_responses(gold, a, a), "f1", n_resamples=n, rng=1)
    assert found.passed
    check = by_name(found)["sign test: recall, two-sided"]
    assert check.statistic == n


def test_the_sign_test_of_published_taggers(shared_data):
    """At every unit, on real data: elmo and flair, sentence by sentence."""
    path = shared_data("conll03_ner_tags") / "conll03_test_tags.tsv"
    tags = read_tags((path, "gold"), (path, "elmo"), (path, "flair"))
    by_sentence = []
    for spans in (tags.gold, tags.a, tags.b):
        by_sentence.append({f"{n:05d}": [] for n in range(tags.n_sentences)})
        for span in spans:
            by_sentence[-1][f"{span.document:05d}"].append(span)
    comparison = Comparison.from_responses(*by_sentence, key_name="sentence")
    assert comparison.levels == ("response", "conflict", "sentence")
    expected = set()
    for unit in comparison.levels:
        found = audit(comparison.at(unit), "recall", n_resamples=2**14, rng=1)
        assert found.passed
        expected.add(by_name(found)["sign test: recall, less"].expected)
    assert csig.verify(found.record).ok
    gold, elmo, flair = set(tags.gold), set(tags.a), set(tags.b)
    only = [len(gold & one - other) for one, other in ((elmo, flair), (flair, elmo))]
    p = binomtest(only[0], sum(only), 0.5, alternative="less").pvalue
    assert expected == {f"{p * 2**14:,.1f} hits (the sign test's p is {p:.6g})"}


def test_a_verdict_that_is_not_decided():
    comparison = Comparison.from_scores(*np.random.default_rng(8).random((2, 2000)))
    result = csig.randomization_test(comparison, "mean", n_resamples=2**14, rng=1)
    close, far = round(result.pvalue, 3), result.pvalue / 2
    found = audit(comparison, "mean", n_resamples=2**10, rng=1, alpha=close, exact_budget=10)
    check = by_name(found)["resolution: mean"]
    assert check.passed is None  # nothing is wrong
    assert found.passed
    assert "cannot settle whether p is below 0.64" in check.sentence
    low, high = binomtest(found.results["mean"].n_hits, 2**10).proportion_ci(1 - 2e-6)
    assert low <= close <= high
    assert f"between {low:.6g} and {high:.6g}: undecided" in check.observed
    assert outcome(found).endswith(f"Not decided at {close:g}: mean.")
    assert by_name(found)["exact"].passed is None
    found = audit(comparison, "mean", n_resamples=2**12, rng=1, alpha=far, exact_budget=10)
    assert by_name(found)["resolution: mean"].passed is True


def test_a_verdict_on_the_edge_is_decided_by_the_exact_pvalue():
    exact = csig.randomization_test(YEH, "f1").pvalue
    found = audit(YEH, "f1", n_resamples=2**10, rng=1, alpha=exact)
    assert by_name(found)["resolution: f1"].passed is True
