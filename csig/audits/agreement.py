"""Do the shuffles agree with each other, and with what needs no shuffles?

A second run and a third; the sign test on recall; the exact p-value; the symmetry of the null
distribution; and whether this many shuffles settle the verdict.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from csig.audits.checks import RISK, Check
from csig.audits.context import Context
from csig.audits.runs import SINGLE, AuditRun
from csig.data.units import Units
from csig.metrics import Metric
from csig.paired import sign_test_pvalue
from csig.probability.binomial import clopper_pearson, rate_pvalue, same_rate_pvalue
from csig.results import RandomizationResult
from csig.validation import Alternative
from csig.wording import noun

__all__ = [
    "check_exact",
    "check_resolution",
    "check_runs",
    "check_sign_test",
    "check_symmetry",
]


def check_runs(context: Context) -> list[Check]:
    """Compare the three runs with each other."""
    found = []
    pairs = [(0, 1, "first and second"), (0, 2, "first and third"), (1, 2, "second and third")]
    for metric in context.metrics:
        for i, j, name in pairs:
            one, other = context.runs[i], context.runs[j]
            hits = [run.hits[metric.name, context.task.alternative] for run in (one, other)]
            pvalue = same_rate_pvalue(hits[0], hits[1], one.n_resamples)
            generators = (
                f"{one.bit_generator} both"
                if one.bit_generator == other.bit_generator
                else f"{one.bit_generator} and {other.bit_generator}"
            )
            found.append(
                Check.of_pvalue(
                    f"runs: {metric.name}, {name}",
                    pvalue,
                    what=f"Run {one.number} and run {other.number} ({generators}), "
                    f"{one.n_resamples:,} shuffles each, were compared by an exact test of two "
                    f"binomial counts.",
                    observed=f"{hits[0]:,} and {hits[1]:,} hits",
                    expected=f"{sum(hits) / 2:,.1f} hits each, within chance",
                    sentence="Another run of the same test must give the same answer, within "
                    "chance; this check finds a lucky draw or a bad generator.",
                    statistic=float(hits[0] - hits[1]),
                )
            )
    return found


def check_sign_test(context: Context) -> list[Check]:
    """Recall's hits against the sign test's p-value, which are the same number for responses.

    Where larger units are swapped, the hits come from a separate run that swaps single responses,
    if these are known. The first version of records had no such run, and no sign test where units
    differ by one response at most.
    """
    comparison, runs = context.comparison, context.runs
    recall, responses = context.recall, context.responses
    if recall is None:
        return [_no_sign_test("these data have no recall")]
    if comparison.units is None:
        correct = comparison.responses[0]
        return _sign_tests((correct.only_a, correct.only_b), runs[0], _SIGN_TEST, _OF_RESPONSES)
    of = f"the test swaps {noun(comparison.unit, 2)}, and the sign test is about single responses"
    place = "recall's exact p-value, under 'exact', takes its place"
    found = [replace(_no_sign_test(f"{of}; {place}"), until=1)]
    counts = _counts_of_units(comparison.units, comparison.columns, recall)
    if responses is None and counts is None:
        why = f"{of}, which this comparison does not have; {place}"
        return [*found, replace(_no_sign_test(why), since=2)]
    if responses is None and counts is not None:
        what = (
            f"The systems never differ by more than one correct response in any "
            f"{noun(comparison.unit)}, so each counts as one response. {_SIGN_TEST}"
        )
        single = _sign_tests(counts, runs[0], what, _OF_RESPONSES)
        return found + [replace(check, since=2) for check in single]
    assert responses is not None
    what = (
        f"Single responses were swapped in a separate run (run {runs[SINGLE].number}), as in "
        f"the paper, and recall's p-value was compared with the exact sign test on recall."
    )
    sentence = (
        f"On recall, shuffles of single responses must agree with a test that needs no shuffles. "
        f"This says nothing about the unit: the p-values of this audit are those for swapped "
        f"{noun(comparison.unit, 2)}."
    )
    correct = responses.responses[0]
    single = _sign_tests((correct.only_a, correct.only_b), runs[SINGLE], what, sentence)
    return found + [replace(check, since=2) for check in single]


_SIGN_TEST = (
    "Recall's p-value from the same shuffles was compared with the exact sign test on recall."
)

_OF_RESPONSES = (
    "On recall, the shuffles must agree with a test that needs none. It is blind to wrong "
    "responses; the checks below are not."
)


def _no_sign_test(reason: str) -> Check:
    return Check.not_applicable("sign test", _SIGN_TEST, reason)


def _counts_of_units(
    units: Units, columns: Sequence[str], recall: Metric
) -> tuple[int, int] | None:
    """Count the units in which A has one correct response more, and those in which B has.

    None if a unit has more than that, or the systems were to find different numbers of things:
    otherwise the difference in recall depends on these counts alone.
    """
    above, below = (np.array(row, dtype=np.int64) for row in recall.weights_of(columns))
    correct = units.differences @ above
    if (units.differences @ below).any() or np.abs(correct).max(initial=0) > 1:
        return None
    return int(np.count_nonzero(correct > 0)), int(np.count_nonzero(correct < 0))


def _sign_tests(counts: tuple[int, int], run: AuditRun, what: str, sentence: str) -> list[Check]:
    """Test the correct responses that only A or only B has: two-sided, and as observed."""
    only_a, only_b = counts
    found = []
    tails: list[tuple[str, Alternative]] = [("two-sided", "two-sided")]
    if only_a != only_b:
        direction: Alternative = "greater" if only_a > only_b else "less"
        tails.append(("upper" if direction == "greater" else "lower", direction))
    for tail, alternative in tails:
        sign = sign_test_pvalue(only_a, only_b, alternative)
        hits = run.hits["recall", tail]
        found.append(
            Check.of_pvalue(
                f"sign test: recall, {alternative}",
                rate_pvalue(hits, run.n_resamples, sign),
                what=what,
                observed=f"{hits:,} hits of {run.n_resamples:,}",
                expected=f"{sign * run.n_resamples:,.1f} hits (the sign test's p is {sign:.6g})",
                sentence=sentence,
                statistic=float(hits),
            )
        )
    return found


def _nearest(rate: float, result: RandomizationResult) -> float:
    """The exact p-value, or of two bounds what lies between them and nearest to the hits."""
    if result.certificate is None:
        return result.pvalue
    return min(max(rate, result.certificate.low), result.certificate.high)


def check_exact(context: Context) -> list[Check]:
    """Compare the first run with exact p-values."""
    found = []
    run = context.runs[0]
    for name, result in context.exact.items():
        hits = run.hits[name, context.task.alternative]
        found.append(
            Check.of_pvalue(
                f"exact: {name}",
                rate_pvalue(hits, run.n_resamples, _nearest(hits / run.n_resamples, result)),
                what=f"The hits were compared with the {result.method} p-value "
                f"({result.engine}), which needs no random numbers.",
                observed=f"{hits:,} hits of {run.n_resamples:,}",
                expected=f"{result.pvalue * run.n_resamples:,.1f} hits (p is {result.pvalue:.6g})",
                sentence="The shuffles must agree, within chance, with exact arithmetic over all "
                "possible shuffles.",
                statistic=float(hits),
            )
        )
    if found:
        return found
    what = "No exact engine can compute any of the metrics within its budget."
    return [Check.not_applicable("exact", what, "an exact answer would take too long")]


def check_symmetry(context: Context) -> list[Check]:
    """Compare large differences in favour of A with those in favour of B."""
    found = []
    run = context.runs[0]
    for metric in context.metrics:
        question = context.questions[metric.name, "two-sided"]
        what = (
            "Shuffles that favour A at least as much as observed were compared with those that "
            "favour B."
        )
        if question.certain:
            why = "both systems score the same, every shuffle is a hit"
            found.append(Check.not_applicable(f"symmetry: {metric.name}", what, why))
            continue
        upper, lower, both = (run.hits[metric.name, t] for t in ("upper", "lower", "two-sided"))
        found.append(
            Check.of_pvalue(
                f"symmetry: {metric.name}",
                rate_pvalue(upper, upper + lower, 0.5),
                what=what,
                observed=f"{upper:,} hits for A and {lower:,} for B",
                expected=f"{both / 2:,.1f} hits each, within chance",
                sentence="If the two systems are interchangeable, large differences must be "
                "equally frequent in both directions, within chance.",
                statistic=float(upper - lower),
            )
        )
        found.append(
            Check.yes_no(
                f"symmetry: {metric.name}, sum",
                upper + lower == both,
                what="The hits of both directions were added.",
                observed=f"{upper + lower:,}",
                expected=f"{both:,}, the two-sided hits",
                sentence="Every two-sided hit must be a hit in exactly one of the two directions.",
            )
        )
    return found


def check_resolution(context: Context) -> list[Check]:
    """Whether this many shuffles settle the verdict."""
    found = []
    alpha, exact = context.alpha, context.exact
    for name, result in context.results.items():
        # At the audit's own risk, whatever level the user's intervals have.
        hits, trials = result.n_hits or 0, result.n_resamples or 1
        low, high = clopper_pearson(hits, trials, 1 - 2 * RISK)
        straddles = low <= alpha <= high
        known = exact.get(name)
        if known is not None and not known.pvalue_interval[0] <= alpha < known.pvalue:
            observed = f"{known.method} p = {known.pvalue:.6g}"
            passed: bool | None = True
            sentence = (
                f"The verdict at {alpha:g} needs no shuffles: the {known.method} p-value is known."
            )
        else:
            observed = f"p = {result.pvalue:.6g}, between {low:.6g} and {high:.6g}"
            observed += ": undecided" if straddles else ""
            passed = None if straddles else True  # nothing is wrong where more would tell
            sentence = (
                f"This many shuffles cannot settle whether p is below {alpha:g}; use more "
                f"(--resamples, or csig compare --decide)."
                if straddles
                else f"This many shuffles settle whether p is below {alpha:g}; the probability "
                f"that they are wrong is at most {RISK:g}."
            )
        found.append(
            Check.yes_no(
                f"resolution: {name}",
                passed,
                what=f"The p-value's uncertainty was compared with its distance from {alpha:g}.",
                observed=observed,
                expected=f"both ends on one side of {alpha:g}",
                sentence=sentence,
            )
        )
    return found
