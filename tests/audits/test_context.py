"""What the checks of an audit look at."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from audited import LARGER, METRICS, YEH, by_name

import csig
from csig import Comparison, Metric, audit
from csig.audits.audit import CHECKS, audit_of_edition
from csig.audits.context import exact_result, make_context
from csig.engines.tasks import make_task
from csig.metrics import get_all, recall


def test_a_metric_of_ones_own_called_recall_has_no_sign_test_at_larger_units():
    mine = Metric("recall", ("tp", "predicted"), numerator=(1, 0), denominator=(0, 1))
    found = audit(LARGER["document"](), [mine], n_resamples=2**10, rng=1)
    assert by_name(found)["sign test"].passed is None
    assert len(found.runs) == 3


def test_a_metric_of_ones_own_called_recall():
    mine = Metric("recall", ("tp", "predicted"), numerator=(1, 0), denominator=(0, 1))
    found = audit(YEH, [mine], n_resamples=2**14, rng=1)
    assert found.passed
    assert by_name(found)["sign test"].passed is None
    assert "recall, two-sided" in " ".join(by_name(audit(YEH, [recall], n_resamples=64, rng=1)))


OPTIONS = {
    "alternative": "less", "method": "approximate", "n_resamples": 2**10, "rng": 3,
    "bit_generator": None, "threads": 1, "zero_division": 0, "confidence_level": 0.99,
    "exact_budget": 2**26,
}  # fmt: skip


def test_the_context_has_what_was_asked_for_and_recall():
    task = make_task(YEH, **OPTIONS)
    context = make_context(task, get_all(["f1"], YEH.columns), alpha=0.1, edition=2)
    assert context.comparison is YEH
    assert [metric.name for metric in context.metrics] == ["f1"]
    assert context.recall is recall
    assert context.responses is None  # they are swapped in all runs
    tails = {"two-sided", "upper", "lower", "less"}
    assert set(context.questions) == {(name, tail) for name in ("f1", "recall") for tail in tails}
    assert all(set(run.hits) == set(context.questions) for run in context.runs)
    test = {"alternative": "less", "n_resamples": 2**10, "rng": 3}
    by_shuffles = csig.randomization_test(YEH, ["f1"], method="approximate", **test)["f1"]
    assert context.results["f1"].n_hits == by_shuffles.n_hits
    assert list(context.results) == ["f1"]
    exact = csig.randomization_test(YEH, ["f1", "recall"], method="exact", **test)
    assert {name: own.pvalue for name, own in context.exact.items()} == {
        name: own.pvalue for name, own in exact.items()
    }
    with pytest.raises(FrozenInstanceError):
        context.alpha = 0.05


def test_exact_answers_beyond_the_budget_are_not_there():
    scores = Comparison.from_scores(*np.random.default_rng(1).random((2, 25)))
    for budget, known in ((1, False), (2**26, True)):
        task = make_task(scores, **{**OPTIONS, "exact_budget": budget})
        (metric,) = get_all("mean", scores.columns)
        assert (exact_result(task, task.question(metric)) is not None) is known


def test_every_check_takes_the_context_alone():
    """In the order of the list their names are those of the audit."""
    task = make_task(YEH, **OPTIONS, edition=5)
    context = make_context(task, get_all(METRICS, YEH.columns), alpha=0.05, edition=5)
    found = [[check.name for check in look(context)] for look in CHECKS]
    assert all(found)
    own = audit(YEH, METRICS, alternative="less", n_resamples=2**10, rng=3)
    assert [name for names in found for name in names] == [check.name for check in own.checks]


@pytest.mark.parametrize(("edition", "known"), [(1, []), (2, ["f1"])])
def test_records_of_the_first_version_keep_its_choice_of_engines(edition, known):
    """Some 30 sentences take some thousand steps, and 2^15 shuffles of them draw 15,000 words; the
    first version drew shuffles all the same.
    """
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
