"""The JSON record of a comparison: ``docs/json.md`` lists every field.

Whole numbers that can pass 2^53, where many readers of JSON lose digits, are decimal
strings: seeds and the counts of shuffles of an exact test. NaN and infinities, which
are no JSON, never occur.
"""

from __future__ import annotations

import json
from typing import Any

from csig import wording
from csig.comparison import Comparison
from csig.report import parts, verdict
from csig.report.options import Options
from csig.report.summary import Summary
from csig.report.systems import Systems
from csig.results import Decision, RandomizationResult, Seed, Yeh2000Checks

__all__ = [
    "SCHEMA",
    "SCHEMA_VERSION",
    "SYSTEMS_SCHEMA",
    "as_dict",
    "as_json",
    "systems_as_dict",
    "systems_as_json",
]

SCHEMA = "csig.compare"

#: More than two systems: a list of comparisons with the baseline.
SYSTEMS_SCHEMA = "csig.compare.systems"

#: Raised when a field is removed or changes its meaning; a new field does not raise it.
SCHEMA_VERSION = 1


def _text(number: int | None) -> str | None:
    return None if number is None else str(number)


def _counts(comparison: Comparison) -> dict[str, int] | None:
    """What carries the whole test where responses are exchanged one by one."""
    if comparison.units is not None:
        return None
    correct, spurious = comparison.responses
    sums = comparison.sums("a")
    return {
        "gold": sums["gold"],
        "both_correct": sums["tp"] - correct.only_a,
        "only_a_correct": correct.only_a,
        "only_b_correct": correct.only_b,
        "both_spurious": sums["predicted"] - sums["tp"] - spurious.only_a,
        "only_a_spurious": spurious.only_a,
        "only_b_spurious": spurious.only_b,
    }


def _comparison(comparison: Comparison) -> dict[str, Any]:
    exclusions, units = comparison.exclusions, comparison.units
    return {
        "unit": comparison.unit,
        "name_a": comparison.names[0],
        "name_b": comparison.names[1],
        "columns": list(comparison.columns),
        "sums_a": [str(total) for total in comparison.sums("a").values()],
        "sums_b": [str(total) for total in comparison.sums("b").values()],
        "scale": [str(value) for value in comparison.scale],
        "tau": str(comparison.tau),
        "counts": _counts(comparison),
        "n_units": comparison.n_units,
        "n_total": None if units is None else units.n_total,
        "identical": comparison.identical,
        "exclusions": None
        if exclusions is None
        else {"pairs": exclusions.pairs, "responses": exclusions.responses},
    }


def _options(options: Options) -> dict[str, Any]:
    return {
        "metrics": list(options.metrics),
        "alternative": options.alternative,
        "method": options.method,
        "n_resamples": options.n_resamples,
        "seed": _text(options.seed),
        "bit_generator": options.bit_generator,
        "threads": options.threads,
        "zero_division": options.zero_division,
        "confidence_level": options.confidence_level,
        "alpha": options.alpha,
        "unit": options.unit,
        "by": options.by,
        "sensitivity": options.sensitivity,
        "lower_is_better": options.lower_is_better,
        "risk": options.risk,
    }


def _seed(seed: Seed | None) -> dict[str, Any] | None:
    if seed is None:
        return None
    parts = (seed.entropy,) if isinstance(seed.entropy, int) else seed.entropy
    return {
        "bit_generator": seed.bit_generator,
        "entropy": [str(part) for part in parts],
        "spawn_key": list(seed.spawn_key),
        "run": seed.run,
    }


def _checks(checks: Yeh2000Checks | None) -> dict[str, Any] | None:
    if checks is None:
        return None
    second, sign = checks.second_run, checks.sign_test
    return {
        "second_run": {
            "n_hits": second.n_hits,
            "pvalue": second.pvalue,
            "agreement_pvalue": second.agreement_pvalue,
        },
        "sign_test": {
            "n_hits": sign.n_hits,
            "pvalue": sign.pvalue,
            "sign_pvalue": sign.sign_pvalue,
            "agreement_pvalue": sign.agreement_pvalue,
        },
    }


def _decision(decision: Decision | None) -> dict[str, Any] | None:
    if decision is None:
        return None
    return {
        "alpha": decision.alpha,
        "risk": decision.risk,
        "verdict": decision.verdict,
        "n_resamples": decision.n_resamples,
        "guarantee": decision.guarantee,
    }


def _result(result: RandomizationResult, summary: Summary) -> dict[str, Any]:
    alpha = summary.options.alpha
    return {
        "metric": result.metric,
        "score_a": result.score_a,
        "score_b": result.score_b,
        "statistic": result.statistic,
        "pvalue": result.pvalue,
        "log_pvalue": result.log_pvalue,
        "pvalue_text": verdict.pvalue_text(result, alpha),
        "pvalue_interval": list(result.pvalue_interval),
        "confidence_level": result.confidence_level,
        "alternative": result.alternative,
        "method": result.method,
        "engine": result.engine,
        "reason": result.reason,
        "error_bound": result.error_bound,
        "unit": result.unit,
        "greater_is_better": result.greater_is_better,
        "n_units": result.n_units,
        "n_moving": result.n_moving,
        "n_correct": result.n_correct,
        "n_spurious": result.n_spurious,
        "n_resamples": result.n_resamples,
        "n_hits": result.n_hits,
        "tau": result.tau,
        "n_within_tau": result.n_within_tau,
        "exact_count": _text(result.exact_count),
        "total_count": _text(result.total_count),
        "zero_division": result.zero_division,
        "zero_denominator": result.zero_denominator,
        "seed": _seed(result.seed),
        "checks": _checks(result.checks),
        "decision": _decision(result.decision),
        "verdict": verdict.verdict(result, alpha),
        "shuffles_to_decide": verdict.shuffles_to_decide(result, alpha),
        "sentence": verdict.sentence(result, alpha, summary.comparison.names),
    }


def _sensitivity(summary: Summary) -> dict[str, Any] | None:
    if not summary.sensitivity:
        return None
    alpha = summary.options.alpha
    units = []
    for unit, results in summary.sensitivity.items():
        at = summary.comparison.at(unit)
        units.append(
            {
                "unit": unit,
                "n_units": max(result.n_units for result in results.values())
                if summary.comparisons
                else at.n_units,
                "n_total": None if at.units is None else at.units.n_total,
                "results": [
                    {
                        "metric": result.metric,
                        "pvalue": result.pvalue,
                        "log_pvalue": result.log_pvalue,
                        "pvalue_text": verdict.pvalue_text(result, alpha),
                        "method": result.method,
                        "n_resamples": result.n_resamples,
                        "n_hits": result.n_hits,
                        "verdict": verdict.verdict(result, alpha),
                    }
                    for result in results.values()
                ],
            }
        )
    return {"units": units, "trust": summary.trust}


def as_dict(summary: Summary) -> dict[str, Any]:
    """The record as Python objects that JSON knows.

    Parameters
    ----------
    summary : Summary
        A comparison and its results.

    Returns
    -------
    dict
        All fields are there in every record, None where they mean nothing.
    """
    return {
        "schema": SCHEMA,
        "schema_version": SCHEMA_VERSION,
        "csig_version": summary.version,
        "input": summary.input.as_dict(),
        "comparison": _comparison(summary.comparison),
        "comparisons": None
        if not summary.comparisons
        else [{"metric": n, **_comparison(own)} for n, own in summary.comparisons.items()],
        "options": _options(summary.options),
        "results": [_result(result, summary) for result in summary.results.values()],
        "sensitivity": _sensitivity(summary),
        "breakdown": None
        if summary.breakdown is None
        else parts.as_dict(summary.breakdown, summary.options),
        "notes": summary.notes,
        "cautions": summary.cautions,
        "signature": summary.signature,
    }


def as_json(summary: Summary) -> str:
    """The record as JSON text, ending in a newline."""
    return _dumps(as_dict(summary))


def systems_as_dict(systems: Systems) -> dict[str, Any]:
    """The record of several systems and their baseline; ``docs/json.md`` lists the fields."""
    alpha = systems.options.alpha
    return {
        "schema": SYSTEMS_SCHEMA,
        "schema_version": SCHEMA_VERSION,
        "csig_version": systems.summaries[0].version,
        "baseline": systems.baseline,
        "correction": "holm",
        "results": [
            {
                "metric": metric,
                "system": row.name,
                "score": row.result.score_a,
                "baseline_score": row.result.score_b,
                "statistic": row.result.statistic,
                "pvalue": row.result.pvalue,
                "adjusted_pvalue": row.adjusted,
                "adjusted_pvalue_text": wording.pvalue(row.adjusted, row.log_adjusted, alpha),
                "verdict": row.verdict,
            }
            for metric in systems.metrics
            for row in systems.rows(metric)
        ],
        "comparisons": [as_dict(summary) for summary in systems.summaries],
        "sentences": systems.sentences,
        "notes": systems.notes,
        "cautions": systems.cautions,
        "signature": systems.signature,
    }


def systems_as_json(systems: Systems) -> str:
    """The same as JSON text, ending in a newline."""
    return _dumps(systems_as_dict(systems))


def _dumps(record: dict[str, Any]) -> str:
    return json.dumps(record, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
