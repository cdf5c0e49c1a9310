"""What the tests assume: that units are independent; and that systems differ in nothing else."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from csig import independent
from csig.audits.checks import Check
from csig.audits.context import Context, exact_result
from csig.comparison import Comparison
from csig.engines.answers import result_of
from csig.engines.exact import Answer
from csig.engines.questions import StudentizedQuestion
from csig.errors import InputError
from csig.metrics import Metric
from csig.results import LEAST_COUNT
from csig.wording import noun

__all__ = ["ALIKE", "check_dependence", "check_independence", "check_metric_itself"]

#: Where the difference and the metric itself are judged alike.
ALIKE = "Both p-values lead to the same verdict."


def check_independence(context: Context) -> list[Check]:
    """What tests that assume independent systems would have said."""
    what = "The correlation of what the two systems get right, and the cost of ignoring it."
    try:
        r12 = independent.correlation(context.comparison)
    except InputError as error:
        return [Check.not_applicable("independence", what, str(error))]
    if math.isnan(r12):
        observed = "not defined: one of the systems gets everything or nothing right"
        sentence = "Not applicable: a correlation needs variation."
    else:
        factor = independent.independence_cost(context.comparison)
        others = []
        for name, test in (
            ("two-sample t", independent.independent_t_test),
            ("two proportions", independent.proportions_test),
            ("chi-square on precision", independent.chi_square_test),
        ):
            try:
                pvalue = test(context.comparison).pvalue
            except InputError:
                continue
            if not math.isnan(pvalue):
                others.append(f"{name} p = {pvalue:.4g}")
        observed = f"r12 = {r12:.4f}; factor {factor:.4f}"
        if others:
            observed += f"; tests that assume independence: {', '.join(others)}"
        sentence = (
            f"Tests that assume the systems are independent would misjudge the standard deviation "
            f"of the difference by a factor of {factor:.2f}; their p-values are shown only for "
            f"comparison and should not be used."
            if math.isfinite(factor)
            else "Not applicable: both systems get the same things right, so their difference "
            "leaves nothing to chance."
        )
    return [
        Check.informs(
            "independence",
            what=what,
            observed=observed,
            expected="0 for systems whose errors are independent",
            sentence=sentence,
            statistic=None if math.isnan(r12) else r12,
        )
    ]


def check_dependence(context: Context) -> list[Check]:
    """Compare the test with larger units with that with the smallest."""
    comparison = context.comparison
    name = "dependence"
    levels = comparison.levels
    finest = levels[0]
    if len(levels) < 2:
        why = (
            "no larger units (documents, clusters) are known, so correlated outputs cannot be "
            "detected"
        )
        what = "The smallest unit was compared with larger ones."
        return [Check.not_applicable(name, what, why)]
    found = []
    for level in levels[1:]:
        parts = []
        for metric in context.metrics:
            if not metric.linear_fractional:
                continue
            tests = []
            spreads = []
            for unit in (finest, level):
                at = replace(context.task, comparison=comparison.at(unit))
                exact = exact_result(at, at.question(metric))
                tests.append(
                    "too large for an exact test" if exact is None else f"p = {exact.pvalue:.4g}"
                )
                spreads.append(_spread(at.comparison, metric))
            ratio = spreads[1] / spreads[0] if spreads[0] else math.nan
            parts.append(
                f"{metric.name}: {tests[0]} by {noun(finest)}, {tests[1]} by {noun(level)}"
                + ("" if math.isnan(ratio) else f", null variance {ratio:.3f} times as large")
            )
        if parts:
            found.append(
                Check.informs(
                    f"{name}: {level}",
                    what=f"The test was repeated swapping {noun(finest, 2)}, and swapping "
                    f"{noun(level, 2)}.",
                    observed="; ".join(parts),
                    expected="about the same if outputs are uncorrelated and the systems are equal",
                    sentence=f"Shows how much the answer depends on the unit. One data set seldom "
                    f"tells whether outputs in the same {noun(level)} are correlated, so report "
                    f"the p-value of the larger unit.",
                )
            )
    return found


def _spread(comparison: Comparison, metric: Metric) -> float:
    """The null variance of the metric's difference, to first order and up to a factor.

    With the score s of both systems together, swapping a unit moves the difference by about
    p.d - s q.d, divided by the denominator.
    """
    scale = np.array(comparison.scale, dtype=np.float64)
    weights = [
        np.array(row, dtype=np.float64) * scale for row in metric.weights_of(comparison.columns)
    ]
    total = np.array(comparison.sums_a, dtype=np.float64) + np.array(comparison.sums_b)
    above, below = (float(row @ total) for row in weights)
    row = weights[0] - (above / below if below else 0.0) * weights[1]
    if comparison.units is None:
        steps = np.array([group.step for group in comparison.responses], dtype=np.float64)
        sizes = np.array([group.size for group in comparison.responses], dtype=np.float64)
        return float((sizes * (steps @ row) ** 2).sum())
    return float(((comparison.units.differences.astype(np.float64) @ row) ** 2).sum())


def check_metric_itself(context: Context) -> list[Check]:
    """Test every ratio itself, whose denominator is the system's own, beside the difference."""
    if context.task.edition < 5:
        return []
    task = replace(context.task, statistic="studentized")
    what = (
        "Where a metric's denominator is the system's own, its difference was divided by its "
        "standard error in every shuffle."
    )
    checks = []
    for metric in context.metrics:
        name = f"metric itself: {metric.name}"
        try:
            question = task.question(metric)
        except InputError as error:  # a record has the units that differ, and no others
            why = str(error).removeprefix("statistic 'studentized' ")
            checks.append(Check.not_applicable(name, what, why))
            continue
        if not isinstance(question, StudentizedQuestion):
            continue
        itself = exact_result(task, question)
        if itself is None:
            counts = task.draw(0, [question]).counts[question]
            itself = result_of(task, question, Answer(None, "shuffle", "asked for"), counts)
        plain = context.exact.get(metric.name, context.results[metric.name])
        sparse = question.grounds is not None and question.grounds.sparse
        low = [result.pvalue <= context.alpha for result in (plain, itself)]
        significant = [low[0], low[1] and not sparse]
        meaning = ALIKE
        if significant == [True, False]:
            meaning = f"The systems can be told apart, but not in {metric.name} itself."
        elif significant == [False, True]:
            meaning = (
                f"The systems differ in {metric.name}, though swapping cannot tell them apart."
            )
        how = itself.method
        if sparse:
            how += f"; fewer than {LEAST_COUNT} counts are expected"
        checks.append(
            Check.informs(
                name,
                what=what,
                observed=f"p = {itself.pvalue:.4g} for {metric.name} itself ({how}), "
                f"{plain.pvalue:.4g} for the difference",
                expected=f"both on the same side of {context.alpha:g}",
                sentence=meaning,
                statistic=itself.pvalue,
            )
        )
    if not checks:
        why = "no metric here has a denominator that is the system's own"
        checks = [Check.not_applicable("metric itself", what, why)]
    return [replace(check, since=5) for check in checks]
