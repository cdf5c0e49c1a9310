"""The audit: right numbers in every check, the right check failing where something is wrong."""

from __future__ import annotations

import itertools
import math
import os
from collections import defaultdict

import numpy as np
import pytest
from brute import PAPER
from doctored import (
    Biased,
    Copies,
    Opposites,
    ShortPeriod,
    StuckBit,
    repeating,
)
from numpy.random import SFC64
from scipy.stats import binomtest, fisher_exact, kstest

import csig
from csig import Comparison, InputError, Metric, audit, replay
from csig.audits import repeats
from csig.audits import runs as audit_runs
from csig.audits.audit import audit_of_edition
from csig.metrics import recall
from csig.readers import read_tag_columns
from csig.report.audits import outcome
from csig.streams import NAMED

YEH = Comparison.from_counts(**PAPER)
METRICS = ["recall", "precision", "f1"]
N = 2**17

#: Recall's and f1's weights over (tp, predicted, gold), written out once more.
WEIGHTS = {
    "recall": ({"tp": 1}, {"gold": 1}),
    "precision": ({"tp": 1}, {"predicted": 1}),
    "f1": ({"tp": 2}, {"predicted": 1, "gold": 1}),
}


def by_name(found):
    checks = {check.name: check for check in found.checks}
    assert len(checks) == len(found.checks)
    return checks


def kinds(found):
    """The outcomes of every kind of check."""
    outcomes = defaultdict(set)
    for check in found.checks:
        outcomes[check.kind].add(check.passed)
    return dict(outcomes)


@pytest.fixture(scope="module")
def paper():
    return audit(YEH, METRICS, n_resamples=N, rng=1)


@pytest.fixture(scope="module")
def labels():
    rng = np.random.default_rng(0)
    gold = rng.integers(0, 3, 60)
    a, b = (np.where(rng.random(60) < p, gold, rng.integers(0, 3, 60)) for p in (0.7, 0.6))
    return gold, a, b


# ---- the paper's example ---------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMED)
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
        "resolution": {True},
    }  # fmt: skip


def test_hits_are_the_replays(paper):
    for run in paper.runs:
        for name, (numerator, denominator) in WEIGHTS.items():
            expected = replay.class_hits(
                PAPER, numerator, denominator, N, entropy=1, run=run.number,
                bit_generator=run.source.factory,
            )  # fmt: skip
            assert run.hits[name, "two-sided"] == expected
        rows = list(run.chunk_hits.values())
        assert list(run.chunk_hits) == [0, 1]
        assert [sum(column) for column in zip(*rows, strict=True)] == list(run.hits.values())
    own = csig.randomization_test(YEH, METRICS, method="approximate", n_resamples=N, rng=1)
    for name, result in paper.results.items():
        assert result.n_hits == paper.runs[0].hits[name, "two-sided"] == own[name].n_hits
        assert result.pvalue == own[name].pvalue
        assert result.pvalue_interval == own[name].pvalue_interval


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


def twice(hits, n, p):
    return min(1, 2 * min(binomtest(hits, n, p, alternative=s).pvalue for s in ("less", "greater")))


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
    swapped = Comparison.from_counts(
        gold=103, both_correct=19, only_a_correct=6, only_b_correct=28, both_spurious=5,
        only_a_spurious=9, only_b_spurious=43,
    )  # fmt: skip
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
    from dataclasses import replace

    from csig.audits.agreement import check_symmetry
    from csig.audits.context import make_context
    from csig.engines.tasks import make_task
    from csig.metrics import get_all

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


def test_the_limit_is_shared_out(paper):
    tests = [check for check in paper.checks if check.pvalue is not None]
    # 9 of runs, 2 sign tests, 3 exact, 3 of symmetry, 9 of the generator.
    assert len(tests) == 26
    assert {check.limit for check in tests} == {1e-6 / 26}
    assert all(check.passed is (check.pvalue >= check.limit) for check in tests)
    assert all(check.limit is None for check in paper.checks if check.pvalue is None)
    for check in paper.checks:
        assert check.what
        assert check.sentence.endswith(".")


def test_independence_is_priced_as_in_the_paper(paper):
    """Yeh 2000, section 2.1: r12 = 0.345, and 1.2322 by the general formula."""
    check = by_name(paper)["independence"]
    assert check.passed is None
    assert "r12 = 0.3452" in check.observed
    tp_a, tp_b, n = 47, 25, 103
    var = [tp * (n - tp) for tp in (tp_a, tp_b)]
    r12 = (n * 19 - tp_a * tp_b) / math.sqrt(var[0] * var[1])
    assert check.statistic == pytest.approx(r12, rel=1e-12)
    factor = math.sqrt(sum(var) / (sum(var) - 2 * r12 * math.sqrt(var[0] * var[1])))
    assert f"factor {factor:.4f}" in check.observed
    assert "tests that assume independence: two-sample t p = " in check.observed


def test_alternatives_and_options(paper):
    for alternative, tail in (("greater", "upper"), ("less", None)):
        found = audit(YEH, "f1", n_resamples=N, rng=1, alternative=alternative, threads=2)
        run = found.runs[0]
        own = csig.randomization_test(
            YEH, "f1", n_resamples=N, rng=1, alternative=alternative, method="approximate"
        )
        assert found.results["f1"].n_hits == own.n_hits == run.hits["f1", alternative]
        assert run.hits["f1", "two-sided"] == paper.runs[0].hits["f1", "two-sided"]
        if tail is not None:
            assert run.hits["f1", tail] == run.hits["f1", alternative]
        assert found.passed
        assert found.options["alternative"] == alternative


def test_threads_do_not_change_an_audit(paper):
    one = audit(YEH, METRICS, n_resamples=N, rng=1, threads=1)
    assert one.checks == paper.checks
    assert [run.chunk_hits for run in one.runs] == [run.chunk_hits for run in paper.runs]


def test_progress_is_told():
    told = []
    audit(YEH, "f1", n_resamples=N, rng=1, progress=lambda *done: told.append(done))
    assert told[-1] == (3 * N, 3 * N)
    assert [done for done, _ in told] == sorted(done for done, _ in told)


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
    assert checks["sign test"].sentence == "Not applicable: recall is not known of these data."
    assert checks["dependence"].observed == "not applicable"


def test_a_metric_that_is_a_function(labels):
    comparison = Comparison.from_labels(*labels)
    found = audit(comparison, ["mcc", "accuracy"], n_resamples=2**13, rng=1)
    assert found.passed
    assert kinds(found)["determinism"] == {True}
    run = found.runs[0]
    upper, lower = run.hits["mcc", "upper"], run.hits["mcc", "lower"]
    assert upper + lower == run.hits["mcc", "two-sided"]
    assert by_name(found)["symmetry: mcc"].pvalue == binomtest(upper, upper + lower).pvalue


def test_a_function_of_ones_own(labels):
    comparison = Comparison.from_labels(*labels, positive=1)

    def spread(sums):
        tp, fp, fn, tn = sums.T.astype(float)
        return (tp * tn - fp * fn) / (tp + fp + fn + tn) ** 2

    own = Metric("spread", ("tp", "fp", "fn", "tn"), function=spread)
    found = audit(comparison, own, n_resamples=2**12, rng=3)
    assert found.passed
    assert kinds(found)["determinism"] == {True}


def test_clusters_and_what_hangs_together(labels):
    comparison = Comparison.from_labels(*labels, clusters=np.arange(60) // 4)
    found = audit(comparison, ["accuracy"], n_resamples=2**13, rng=1)
    assert found.passed
    gold, a, b = labels
    d = (a == gold).astype(int) - (b == gold).astype(int)
    sums = d.reshape(-1, 4).sum(axis=1)
    check = by_name(found)["dependence: cluster"]
    ratio = (sums**2).sum() / (d**2).sum()
    assert f"null variance {ratio:.3f} times as large" in check.observed
    for unit, name in (("unit", "item"), ("cluster", "cluster")):
        p = csig.randomization_test(comparison.at(unit), "accuracy").pvalue
        assert f"p = {p:.4g} by {name}" in check.observed
    assert check.passed is None


def test_units_take_the_lattice_instead_of_the_sign_test():
    rng = np.random.default_rng(5)
    gold = rng.integers(1, 6, 40)
    a, b = (np.stack([rng.integers(0, gold + 1), gold + 1, gold], axis=1) for _ in range(2))
    comparison = Comparison.from_statistics(a, b, ["tp", "predicted", "gold"])
    found = audit(comparison, "f1", n_resamples=2**14, rng=1)
    assert found.passed
    checks = by_name(found)
    assert "items are exchanged" in checks["sign test"].sentence
    assert "exact: recall" in checks  # it takes the sign test's place
    assert "takes its place" in checks["sign test"].sentence
    assert "not applicable" in checks["independence"].observed
    expected = replay.unit_hits(a, b, (2, 0, 0), (0, 1, 1), 2**14, entropy=1, run=1)
    assert found.runs[1].hits["f1", "two-sided"] == expected


def documents():
    """Twelve documents with responses of both systems: gold, A and B."""
    rng = np.random.default_rng(3)
    keys = [f"d{i}" for i in range(12)]
    gold = {key: set(range(10)) for key in keys}
    a, b = ({key: {j for j in range(14) if rng.random() < p} for key in keys} for p in (0.7, 0.5))
    return gold, a, b


LARGER = {
    "document": lambda: Comparison.from_responses(*documents(), key_name="document"),
    "story": lambda: Comparison.from_responses(
        *documents(), clusters={f"d{i}": i % 5 for i in range(12)}, cluster_name="story"
    ),
    "conflict": lambda: Comparison.from_responses(
        *documents(), unit="conflict", conflict=lambda response: response // 3
    ),
}


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
        assert "It says nothing of the unit" in check.sentence
    # The runs of the unit are what they are without it.
    own = csig.randomization_test(
        comparison, "f1", method="approximate", n_resamples=n, rng=5, alternative=alternative
    )
    assert found.results["f1"].n_hits == own.n_hits


@pytest.mark.parametrize("unit", sorted(LARGER))
def test_the_run_of_single_responses_is_repeated_from_the_record(unit):
    comparison = LARGER[unit]()
    record = audit(comparison, "f1", n_resamples=2**12 + 100, rng=5).record
    assert [run["run"] for run in record["runs"]] == [0, 1, 2, 3]
    assert csig.verify(record).ok
    assert csig.verify(record, independent=True).ok
    assert csig.verify(record, comparison=comparison, independent=True).ok
    hits = record["runs"][3]["hits"][0]
    for number in (hits["hits"] + 1, hits["hits"] + 100):
        changed = {**record, "runs": [*record["runs"][:3], dict(record["runs"][3])]}
        changed["runs"][3]["hits"] = [{**hits, "hits": number}, *record["runs"][3]["hits"][1:]]
        found = csig.verify(changed, independent=True)
        assert any("run 3, recall (two-sided)" in line for line in found.differences)
        assert any(line.startswith("runs[3]") for line in found.differences)
    without = {**record, "runs": record["runs"][:3]}
    assert not csig.verify(without).ok


def test_an_audit_of_the_first_edition_has_neither_that_run_nor_the_later_checks():
    options = {
        "alternative": "two-sided", "n_resamples": 2**10, "rng": 5, "bit_generator": None,
        "threads": 1, "zero_division": 0, "confidence_level": 0.99, "exact_budget": 2**20,
        "alpha": 0.05, "allow_bad_generator": False,
    }  # fmt: skip
    one, two = (audit_of_edition(i, LARGER["document"](), "f1", **options) for i in (1, 2))
    assert (len(one.runs), len(two.runs)) == (3, 4)
    names = set(by_name(two)) - set(by_name(one))
    assert names == {
        "sign test: recall, two-sided", "sign test: recall, greater",
        "generator: neighbouring groups", "generator: copied words",
    }  # fmt: skip
    assert "responses; recall's exact p-value, under 'exact'" in by_name(one)["sign test"].sentence
    assert [run.hits for run in one.runs] == [run.hits for run in two.runs[:3]]


def test_a_metric_of_ones_own_called_recall_has_no_sign_test_at_larger_units():
    mine = Metric("recall", ("tp", "predicted"), numerator=(1, 0), denominator=(0, 1))
    found = audit(LARGER["document"](), [mine], n_resamples=2**10, rng=1)
    assert by_name(found)["sign test"].passed is None
    assert len(found.runs) == 3


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
        assert check.what.startswith("In no item do the systems differ by more than one correct")
    assert csig.verify(found.record, independent=True).ok
    clustered = Comparison.from_labels(gold, a, b, positive=1, clusters=np.arange(60) // 20)
    check = by_name(audit(clustered, "f1", n_resamples=2**10, rng=4))["sign test"]
    assert "clusters are exchanged" in check.sentence
    none = by_name(audit(Comparison.from_labels(*labels), "accuracy", n_resamples=64, rng=4))
    assert none["sign test"].sentence == "Not applicable: recall is not known of these data."


def test_progress_of_four_runs():
    told = []
    audit(
        LARGER["document"](), "f1", n_resamples=N, rng=1, progress=lambda *done: told.append(done)
    )
    assert told[-1] == (4 * N, 4 * N)


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
    tags = read_tag_columns(path, "gold", "elmo", "flair")
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


@pytest.mark.parametrize("n", [1, 63, 65, 1000])
def test_few_trials(n):
    found = audit(YEH, "f1", n_resamples=n, rng=1)
    assert found.passed
    assert found.results["f1"].n_resamples == n


# ---- what must fail ------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
def test_randu_fails(seed):
    found = audit(
        YEH, METRICS, n_resamples=2**16, rng=seed, bit_generator="randu", allow_bad_generator=True
    )
    failed = {check.name for check in found.failed}
    assert {"generator: single bits", "generator: RANDU's relation", "generator: period"} <= failed
    single = by_name(found)["generator: single bits"]
    assert single.observed.startswith("bit 0 of every 31-bit state is always 1")
    assert "generator: counts of the shuffles" in failed


@pytest.mark.parametrize("seed", range(3))
def test_the_top_bits_of_randu_are_found_by_the_raw_output(seed):
    found = audit(
        YEH, METRICS, n_resamples=2**16, rng=seed, bit_generator="randu-top",
        allow_bad_generator=True,
    )  # fmt: skip
    assert {check.name for check in found.failed} == {
        "generator: RANDU's relation",
        "generator: period",
    }


@pytest.mark.parametrize("name", ["randu", "randu-top"])
def test_randu_is_refused(name):
    with pytest.raises(InputError, match="allow_bad_generator"):
        audit(YEH, "f1", n_resamples=64, bit_generator=name)


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        (StuckBit, "single bits"),
        (Biased, "single bits"),
        (ShortPeriod, "repeated words"),
        (Copies, "copied words"),
        (Opposites, "neighbouring groups"),
        (repeating(86 * 800), "copied words"),
    ],
)
def test_broken_generators_fail(kind, name):
    found = audit(YEH, "f1", n_resamples=2**16, rng=3, bit_generator=kind, threads=1)
    assert f"generator: {name}" in {check.name for check in found.failed}
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


def test_a_verdict_that_is_not_decided():
    comparison = Comparison.from_scores(*np.random.default_rng(8).random((2, 2000)))
    result = csig.randomization_test(comparison, "mean", n_resamples=2**14, rng=1)
    close, far = round(result.pvalue, 3), result.pvalue / 2
    found = audit(comparison, "mean", n_resamples=2**10, rng=1, alpha=close, exact_budget=10)
    check = by_name(found)["resolution: mean"]
    assert check.passed is None  # nothing is wrong
    assert found.passed
    assert "do not decide on which side" in check.sentence
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


def test_a_loop_that_counts_wrongly_is_found_by_the_replay(monkeypatch):
    """Words of another stream: the compiled loop and the replay part ways."""
    original = replay.chunk_words

    def other(n, **options):
        return original(n, **{**options, "run": options["run"] + 5})

    monkeypatch.setattr(replay, "chunk_words", other)
    found = audit(YEH, "f1", n_resamples=2**16, rng=1)
    assert {check.name for check in found.failed} == {
        "determinism: replay",
        "generator: same words",
    }
    assert "in numpy" in by_name(found)["determinism: replay"].observed


@pytest.mark.parametrize("tail", ["two-sided", "upper", "lower"])
def test_one_hit_too_many_is_found_by_the_replay(monkeypatch, tail):
    original = repeats.replayed

    def other(*arguments):
        judge = original(*arguments)
        return lambda plan: {**judge(plan), tail: judge(plan)[tail] + 1}

    monkeypatch.setattr(repeats, "replayed", other)
    found = audit(YEH, "f1", n_resamples=2**16, rng=1)
    assert [check.name for check in found.failed] == ["determinism: replay"]
    assert f"f1 ({tail}), chunk 0" in by_name(found)["determinism: replay"].observed


@pytest.mark.parametrize(
    ("wrong", "what"),
    [
        (lambda run: run.n_threads == 7, "chunk 0 with 7 threads"),
        (lambda run: run.isa_asked == "base", "chunk 0 with the plainest instructions"),
    ],
)
def test_one_hit_too_many_with_other_threads_or_instructions(monkeypatch, wrong, what):
    class Wrong(audit_runs.Run):
        def __init__(self, source, number, plans, n, threads, notify, isa, **options):
            super().__init__(source, number, plans, n, threads, notify, isa, **options)
            self.n_threads, self.isa_asked = threads, isa

        def __call__(self):
            hits = super().__call__()
            if wrong(self):
                first = min(self.chunk_hits)
                own = list(self.chunk_hits[first])
                self.chunk_hits[first] = [own[0] + 1, *own[1:]]
            return hits

    monkeypatch.setattr(audit_runs, "Run", Wrong)
    found = audit(YEH, "f1", n_resamples=N, rng=1, threads=2)
    assert [check.name for check in found.failed] == ["determinism: threads"]
    assert what in by_name(found)["determinism: threads"].observed


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ((3, "f1"), {}, "comparison must be a csig.Comparison, found int"),
        ((YEH, "f1"), {"alpha": 0}, "alpha must lie between 0 and 1, found 0"),
        ((YEH, "f1"), {"alpha": 1.0}, "alpha must lie between 0 and 1, found 1.0"),
        ((YEH, "mean"), {}, "mean"),
        ((YEH, []), {}, "metric"),
        ((YEH, "f1"), {"n_resamples": 0}, "n_resamples"),
        ((YEH, "f1"), {"bit_generator": "rand"}, "bit_generator"),
        ((YEH, "f1"), {"alternative": "more"}, "alternative"),
    ],
)
def test_what_is_refused(arguments, options, message):
    with pytest.raises(InputError, match=message):
        audit(*arguments, **{"n_resamples": 64, **options})


# ---- the p-values -------------------------------------------------------------------------------


def test_pvalues_are_not_smaller_than_uniform():
    """One-sided and exact (Smirnov): p-values of discrete tests may be larger.

    CSIG_SEEDS=300 takes a minute or two.
    """
    seeds = int(os.environ.get("CSIG_SEEDS", "60"))
    pvalues = defaultdict(list)
    for seed in range(seeds):
        found = audit(YEH, METRICS, n_resamples=2**16, rng=seed)
        assert found.passed
        for check in found.checks:
            if check.pvalue is not None:
                pvalues[check.name].append(check.pvalue)
    assert len(pvalues) == 26
    for name, values in pvalues.items():
        assert len(values) == seeds
        smaller = kstest(values, "uniform", alternative="greater", method="exact").pvalue
        assert smaller > 1e-9, name


def test_the_variance_is_that_of_the_difference():
    """To first order: of exchanges of every unit, by hand."""
    rng = np.random.default_rng(2)
    gold = rng.integers(1, 9, 60)
    tp = np.minimum(gold, rng.integers(0, 9, (2, 60)))
    predicted = tp + rng.integers(0, 5, (2, 60))
    tables = [np.stack([t, p, gold], axis=1) for t, p in zip(tp, predicted, strict=True)]
    clusters = [f"c{i % 12}" for i in range(60)]
    comparison = Comparison.from_statistics(
        *tables, columns=("tp", "predicted", "gold"), clusters=clusters
    )
    check = by_name(audit(comparison, "f1", n_resamples=2**10, rng=1))["dependence: cluster"]
    a, b = (table.sum(axis=0) for table in tables)
    score = 2 * (a + b)[0] / ((a + b)[1] + (a + b)[2])
    moved = (tables[0] - tables[1]) @ np.array([2, -score, -score])
    grouped = np.array([moved[i::12].sum() for i in range(12)])
    ratio = (grouped**2).sum() / (moved**2).sum()
    assert f"null variance {ratio:.3f} times as large" in check.observed


def test_a_metric_of_ones_own_called_recall():
    mine = Metric("recall", ("tp", "predicted"), numerator=(1, 0), denominator=(0, 1))
    found = audit(YEH, [mine], n_resamples=2**14, rng=1)
    assert found.passed
    assert by_name(found)["sign test"].passed is None
    assert "recall, two-sided" in " ".join(by_name(audit(YEH, [recall], n_resamples=64, rng=1)))


@pytest.mark.parametrize("alpha", ["x", None, float("nan")])
def test_alpha_is_a_number(alpha):
    with pytest.raises(InputError, match="alpha must lie between 0 and 1"):
        audit(YEH, "f1", n_resamples=64, alpha=alpha)
