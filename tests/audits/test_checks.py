"""The checks of an audit but those of its generator, by independent arithmetic."""

import itertools
import math
from dataclasses import replace
from typing import ClassVar

import numpy as np
import pytest
from audited import LARGER, METRICS, WEIGHTS, YEH, N, by_name, documents, twice
from brute import PAPER, SCORES, extreme_shuffles
from scipy.stats import binomtest, fisher_exact

import csig
from csig import Comparison, Metric, audit, replay
from csig.audits import checks
from csig.audits.audit import audit_of_edition
from csig.audits.checks import check_symmetry, make_context
from csig.audits.outcome import RISK, Check, decided
from csig.audits.report import outcome
from csig.data.metrics import get_all, recall
from csig.engines import tasks
from csig.engines.tasks import make_task

# ---- one check, its constructors, and the limit that is shared out ------------------------------


WORDS = {"what": "One did this.", "observed": "1", "expected": "2", "sentence": "So it is."}


def test_a_check_with_a_pvalue_is_decided_by_the_limit_that_all_share():
    """RISK / 2 each: what is exactly at the limit passes."""
    pvalues = {"at": RISK / 2, "below": RISK / 2 * (1 - 1e-12)}
    checks = [Check(name, pvalue=p, **WORDS) for name, p in pvalues.items()]
    assert [check.passed for check in checks] == [None, None]
    others = [
        Check("sum: f1", passed=False, **WORDS),
        Check("resolution", **WORDS),
        Check("independence", statistic=0.5, **WORDS),
        Check.not_applicable("sign test", "One did this.", "there is no recall"),
    ]
    found = decided([*checks, *others])
    assert [check.passed for check in found] == [True, False, False, None, None, None]
    assert [check.limit for check in found] == [RISK / 2] * 2 + [None] * 4
    assert list(found[2:]) == others


def test_an_edition_has_the_checks_of_its_time():
    """A check that came later does not count for the limit either."""
    old = replace(Check("old", pvalue=0.5, **WORDS), until=1)
    new = replace(Check("new", pvalue=1e-9, **WORDS), since=2)
    both = Check("both", pvalue=6e-7, **WORDS)
    for edition, names in ((1, ["old", "both"]), (2, ["new", "both"])):
        found = decided([old, new, both], edition)
        assert [check.name for check in found] == names
        assert {check.limit for check in found} == {RISK / 2}
    assert [check.name for check in decided([old, new, both])] == ["new", "both"]
    assert decided([both, new], 1)[0].passed is False
    assert decided([both, new])[0].passed is True


def test_a_metric_of_ones_own_called_recall_has_no_sign_test():
    mine = Metric("recall", ("tp", "predicted"), numerator=(1, 0), denominator=(0, 1))
    for comparison in (YEH, LARGER["document"]()):
        found = audit(comparison, [mine], n_resamples=2**10, rng=1)
        assert found.passed
        assert by_name(found)["sign test"].passed is None
        assert len(found.runs) == 3
    assert "recall, two-sided" in " ".join(by_name(audit(YEH, [recall], n_resamples=64, rng=1)))


OPTIONS = {
    "alternative": "less", "method": "approximate", "n_resamples": 2**10, "rng": 3,
    "bit_generator": None, "threads": 1, "zero_division": 0, "pvalue_confidence": 0.99,
    "exact_budget": 2**26,
}  # fmt: skip


@pytest.mark.parametrize(("edition", "known"), [(1, []), (2, ["f1"])])
def test_records_of_the_first_version_keep_its_choice_of_engines(edition, known):
    """15,000 words for 2^15 shuffles: the first version drew them, where some thousand steps do."""
    rng = np.random.default_rng(1)
    gold = rng.integers(1, 4, 40)
    units = []
    for _ in "ab":
        tp = rng.binomial(gold, 0.6)
        units.append(np.stack([tp, tp + rng.poisson(0.3, 40), gold], axis=1))
    comparison = Comparison.from_statistics(*units, ("tp", "predicted", "gold"))
    options = {name: OPTIONS[name] for name in OPTIONS if name not in {"method", "n_resamples"}}
    found = audit_of_edition(
        edition, comparison, "f1", alpha=0.05, allow_bad_generator=False,
        **(options | {"exact_budget": 1, "n_resamples": 2**15}),
    )  # fmt: skip
    assert list(found.exact) == known
    assert any(check.name == "exact: f1" for check in found.checks) is bool(known)


def test_progress_is_told():
    told, n = [], 2**16
    audit(LARGER["document"](), "f1", n_resamples=n, rng=1, progress=lambda *d: told.append(d))
    assert told[-1] == (4 * n, 4 * n)
    assert told == sorted(told)


# ---- runs, the sign test, exact p-values and symmetry ----------


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


def test_exact_pvalues_against_enumeration(paper):
    """Every split of 34 and 52 unique responses, in integers."""
    checks = by_name(paper)
    counts = [PAPER[f"only_{name}_{kind}"] for kind in ("correct", "spurious") for name in "ab"]
    assert counts == [28, 6, 43, 9]
    for metric in METRICS:
        p = extreme_shuffles(PAPER, SCORES[metric], "two-sided") / 2**86
        assert paper.exact[metric].pvalue == pytest.approx(p, rel=1e-12)
        hits = paper.runs[0].hits[metric, "two-sided"]
        assert checks[f"exact: {metric}"].pvalue == pytest.approx(twice(hits, N, p), rel=1e-9)
        assert paper.best[metric] is paper.exact[metric]


def test_symmetry_against_the_binomial(paper):
    checks = by_name(paper)
    x, _ = replay.class_counts(34, 52, N, entropy=1)
    for metric in METRICS:
        upper, lower = (paper.runs[0].hits[metric, tail] for tail in ("upper", "lower"))
        expected = binomtest(upper, upper + lower, 0.5).pvalue
        assert checks[f"symmetry: {metric}"].pvalue == pytest.approx(expected, rel=1e-9)
        assert checks[f"symmetry: {metric}, sum"].observed == f"{upper + lower:,}"
        assert upper + lower == paper.runs[0].hits[metric, "two-sided"]
    # On recall the difference is that of the correct responses alone: 22 of 34 or more.
    assert paper.runs[0].hits["recall", "upper"] == np.count_nonzero(2 * x - 34 >= 22)
    assert paper.runs[0].hits["recall", "lower"] == np.count_nonzero(2 * x - 34 <= -22)


def test_a_sum_that_is_not_right_fails():
    metrics = get_all("f1", YEH.columns)
    task = make_task(YEH, **(OPTIONS | {"alternative": "two-sided"}))
    context = make_context(task, metrics, alpha=0.05, edition=2)
    hits = dict(context.runs[0].hits)
    hits["f1", "upper"] += 1
    one = replace(context.runs[0], hits=hits)
    found = check_symmetry(replace(context, runs=(one, *context.runs[1:])))
    assert [check.passed for check in found if check.name.endswith("sum")] == [False]


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


@pytest.mark.parametrize(
    ("unit", "alternative"),
    [("document", "two-sided"), ("story", "less"), ("conflict", "two-sided")],
)
def test_the_sign_test_is_made_with_single_responses_where_larger_units_are_swapped(
    unit, alternative
):
    comparison, n = LARGER[unit](), 2**13 + 100
    found = audit(comparison, "f1", n_resamples=n, rng=5, alternative=alternative)
    assert found.passed
    assert csig.verify(found.record, comparison=comparison, independent=True).ok
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
    clustered = Comparison.from_labels(gold, a, b, positive=1, cluster=np.arange(60) // 20)
    check = by_name(audit(clustered, "f1", n_resamples=2**10, rng=4))["sign test"]
    assert "swaps clusters" in check.sentence
    none = by_name(audit(Comparison.from_labels(*labels), "accuracy", n_resamples=64, rng=4))
    assert none["sign test"].sentence == "Not applicable: these data have no recall."


def test_a_sign_test_at_documents_that_do_not_differ():
    gold, a, _ = documents()
    found = audit(Comparison.from_responses(gold, a, a), "f1", n_resamples=2**16 + 1, rng=1)
    assert found.passed
    assert by_name(found)["sign test: recall, two-sided"].statistic == 2**16 + 1


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
    # On the edge the exact p-value decides.
    exact = csig.randomization_test(YEH, "f1").pvalue
    found = audit(YEH, "f1", n_resamples=2**10, rng=1, alpha=exact)
    assert by_name(found)["resolution: f1"].passed is True


# ---- what the independence of systems and of units would cost, against the formulas -------------


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


def test_the_variance_is_that_of_the_difference():
    """To first order: of exchanges of every unit, by hand."""
    rng = np.random.default_rng(2)
    gold = rng.integers(1, 9, 60)
    tp = np.minimum(gold, rng.integers(0, 9, (2, 60)))
    predicted = tp + rng.integers(0, 5, (2, 60))
    tables = [np.stack([t, p, gold], axis=1) for t, p in zip(tp, predicted, strict=True)]
    clusters = [f"c{i % 12}" for i in range(60)]
    comparison = Comparison.from_statistics(
        *tables, columns=("tp", "predicted", "gold"), cluster=clusters
    )
    found = audit(comparison, "f1", n_resamples=2**10, rng=1)
    check = by_name(found)["dependence: cluster"]
    assert (found.passed, check.passed) == (True, None)
    a, b = (table.sum(axis=0) for table in tables)
    score = 2 * (a + b)[0] / ((a + b)[1] + (a + b)[2])
    moved = (tables[0] - tables[1]) @ np.array([2, -score, -score])
    grouped = np.array([moved[i::12].sum() for i in range(12)])
    ratio = (grouped**2).sum() / (moved**2).sum()
    assert f"null variance {ratio:.3f} times as large" in check.observed
    for unit, name in (("unit", "item"), ("cluster", "cluster")):
        p = csig.randomization_test(comparison.at(unit), "f1").pvalue
        assert f"p = {p:.4g} by {name}" in check.observed


# ---- the replay in numpy, other threads and instructions -----


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


class Miscounting(tasks.Run):
    """One hit too many with 7 threads, or with the plainest instructions."""

    wrong: ClassVar[dict[str, object]] = {}

    def __init__(self, source, number, questions, n, threads, notify, isa, **options):
        super().__init__(source, number, questions, n, threads, notify, isa, **options)
        self.asked = {"n_threads": threads, "isa_asked": isa}

    def __call__(self):
        hits = super().__call__()
        if self.wrong.items() <= self.asked.items():
            first, *_ = self.chunks[min(self.chunks)]
            first[0] += 1
        return hits


def other_words(n, **options):
    return replay_words(n, **{**options, "run": options["run"] + 5})


def one_more_hit(*arguments):
    judge = replayed(*arguments)
    return lambda question: {**judge(question), "upper": judge(question)["upper"] + 1}


replay_words, replayed = replay.chunk_words, checks.replayed
REPLAY, THREADS = "determinism: replay", "determinism: threads"


@pytest.mark.parametrize(
    ("module", "name", "other", "wrong", "failing", "what"),
    [
        (replay, "chunk_words", other_words, {}, [REPLAY, "generator: same words"], "in numpy"),
        (checks, "replayed", one_more_hit, {}, [REPLAY], "f1 (upper), chunk 0"),
        (tasks, "Run", Miscounting, {"n_threads": 7}, [THREADS], "chunk 0 with 7 threads"),
        (tasks, "Run", Miscounting, {"isa_asked": "base"}, [THREADS],
         "chunk 0 with the plainest instructions"),
    ],
)  # fmt: skip
def test_one_hit_too_many_is_found(monkeypatch, module, name, other, wrong, failing, what):
    monkeypatch.setattr(Miscounting, "wrong", wrong)
    monkeypatch.setattr(module, name, other)
    found = audit(YEH, "f1", n_resamples=N, rng=1, threads=2)
    assert sorted(check.name for check in found.failed) == failing
    assert what in by_name(found)[failing[0]].observed
