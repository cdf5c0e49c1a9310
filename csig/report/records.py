"""The JSON record of a comparison: ``docs/json.md`` lists every field.

Every difference is the score of a system minus that of the baseline, which is the first system or
was asked for; in a comparison the system is A, the baseline B. Fields that have one value for each
are called after what they hold, the baseline's with ``baseline_`` before it.

Whole numbers that can pass 2^53, where many readers of JSON lose digits, are decimal
strings: seeds and the counts of shuffles of an exact test. NaN and infinities, which
are no JSON, never occur.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import asdict
from importlib import resources
from typing import TYPE_CHECKING, Any

from csig import wording
from csig.comparison import Comparison
from csig.effects import Effect
from csig.errors import InputError
from csig.report import sizes, verdict
from csig.report.estimates import Estimates
from csig.report.options import Options
from csig.report.seeds import record_of_seed
from csig.report.summary import OverTasks, Summary
from csig.report.systems import Row, Systems
from csig.results import Decision, Interval, RandomizationResult
from csig.wording import first_few, perhaps

if TYPE_CHECKING:
    from csig.breakdowns import Breakdown
    from csig.runs import RunVariance

__all__ = [
    "INTERVALS_SCHEMA",
    "SCHEMA",
    "SCHEMA_VERSION",
    "SYSTEMS_SCHEMA",
    "as_dict",
    "as_json",
    "dumps",
    "estimates_as_dict",
    "json_schema",
    "systems_as_dict",
]

SCHEMA = "csig.compare"

#: More than two systems: a list of comparisons with the baseline.
SYSTEMS_SCHEMA = "csig.compare.systems"

#: Intervals of scores and differences.
INTERVALS_SCHEMA = "csig.interval"

#: Raised when a field is removed or changes its meaning; a new field does not raise it.
SCHEMA_VERSION = 2


#: Which differences count as extreme, by the alternative of the system minus the baseline.
TAILS = {"two-sided": "both", "greater": "upper", "less": "lower"}


#: What `json` leaves as it is, although some of it steers terminals: C1, marks of direction, ...
_BEYOND = re.compile(r"[^\x00-\x7e]")


def _fields(source: object, names: str) -> dict[str, Any]:
    """Some attributes, under their own names."""
    return {name: getattr(source, name) for name in names.split()}


def _text(number: int | None) -> str | None:
    return None if number is None else str(number)


def _counts(comparison: Comparison) -> dict[str, int] | None:
    """What carries the whole test where responses are swapped one by one; A is the system."""
    if comparison.units is not None:
        return None
    correct, spurious = comparison.responses
    sums = comparison.sums("a")
    return {
        "gold": sums["gold"],
        "both_correct": sums["tp"] - correct.only_a,
        "only_baseline_correct": correct.only_b,
        "only_system_correct": correct.only_a,
        "both_spurious": sums["predicted"] - sums["tp"] - spurious.only_a,
        "only_baseline_spurious": spurious.only_b,
        "only_system_spurious": spurious.only_a,
    }


def _comparison(comparison: Comparison) -> dict[str, Any]:
    exclusions, units = comparison.exclusions, comparison.units
    return {
        "unit": comparison.unit,
        "baseline": comparison.names[1],
        "system": comparison.names[0],
        "columns": list(comparison.columns),
        "baseline_sums": [str(total) for total in comparison.sums("b").values()],
        "sums": [str(total) for total in comparison.sums("a").values()],
        "scale": [str(value) for value in comparison.scale],
        "tau": str(comparison.tau),
        "counts": _counts(comparison),
        "n_units": comparison.n_units,
        "n_total": None if units is None else units.n_total,
        "identical": comparison.identical,
        "exclusions": None if exclusions is None else asdict(exclusions),
    }


def _options(options: Options) -> dict[str, Any]:
    own = {"metrics": list(options.metrics), "seed": _text(options.seed)}
    return asdict(options) | own


def _decision(decision: Decision | None) -> dict[str, Any] | None:
    return None if decision is None else {**asdict(decision), "guarantee": decision.guarantee}


def _interval(
    interval: Interval | str | None, n_differ: int | None = None
) -> dict[str, Any] | None:
    """An interval, or the reason why it cannot be given."""
    if interval is None:
        return None
    names = "low high standard_error confidence_level method unit n_units n_runs "
    names += "n_resamples instead"
    if isinstance(interval, str):
        return {**dict.fromkeys(names.split()), "seed": None, "few": None, "reason": interval}
    return {
        **_fields(interval, names),
        "seed": record_of_seed(interval.seed),
        "few": sizes.few(interval, n_differ),
        "reason": None,
    }


def _effect(effect: Effect | None) -> dict[str, Any] | None:
    """On how many units each system is better."""
    if effect is None:
        return None
    flips = effect.flips
    return {
        **_fields(effect, "unit n_units"),
        "system_better": effect.a_better,
        "baseline_better": effect.b_better,
        "ties": effect.ties,
        "share_system_better": effect.share_a_better,
        "share_baseline_better": effect.share_b_better,
        "flips": None
        if flips is None
        else {
            "both": flips.both,
            "only_system": flips.only_a,
            "only_baseline": flips.only_b,
            "neither": flips.neither,
        },
    }


def _runs(found: RunVariance | None) -> dict[str, Any] | None:
    """How much runs differ."""
    if found is None:
        return None
    between, units = found.between_runs, found.between_units
    return {
        **_fields(found, "n_units n_runs paired"),
        "scores": list(found.scores_a),
        "baseline_scores": list(found.scores_b),
        "between_runs": None if between is None else between[0],
        "baseline_between_runs": None if between is None else between[1],
        "between_units": units[0],
        "baseline_between_units": units[1],
        **_fields(found, "error_units error_runs standard_error degrees_of_freedom share_of_runs"),
    }


def _scores(result: RandomizationResult) -> dict[str, float]:
    """Of both systems, and the difference."""
    return {
        "score": result.score_a,
        "baseline_score": result.score_b,
        "difference": result.statistic,
    }


def _result(result: RandomizationResult, summary: Summary) -> dict[str, Any]:
    alpha = summary.options.alpha
    return {
        "metric": result.metric,
        **_scores(result),
        **_fields(result, "pvalue log_pvalue"),
        "pvalue_text": verdict.pvalue_text(result, alpha),
        "pvalue_interval": list(result.pvalue_interval),
        "confidence_level": result.confidence_level,
        "tail": TAILS[result.alternative],
        **_fields(
            result,
            "method engine reason error_bound unit greater_is_better "
            "n_units n_moving n_correct n_spurious n_resamples n_hits tau n_within_tau",
        ),
        "exact_count": _text(result.exact_count),
        "total_count": _text(result.total_count),
        **_fields(result, "zero_division zero_denominator"),
        "seed": record_of_seed(result.seed),
        "checks": None if result.checks is None else asdict(result.checks),
        "decision": _decision(result.decision),
        "certificate": None if result.certificate is None else asdict(result.certificate),
        "studentized": _studentized(result, alpha),
        "verdict": verdict.verdict(result, alpha),
        "shuffles_to_decide": verdict.shuffles_to_decide(result, alpha),
        "sentence": verdict.sentence(result, alpha, summary.comparison.names),
        "interval": _interval(summary.intervals.get(result.metric), result.n_moving),
        "effect": _effect(summary.effects.get(result.metric)),
        "runs": _runs(summary.runs.get(result.metric)),
        "over_tasks": _over_tasks(summary.over_tasks.get(result.metric), alpha),
    }


def _studentized(result: RandomizationResult, alpha: float) -> dict[str, Any] | None:
    """What the test of a ratio rests on, and that of the difference itself."""
    about = result.studentized
    if about is None:
        return None
    plain = about.plain
    return {
        "expected_count": about.expected_count if math.isfinite(about.expected_count) else None,
        "effective_units": about.effective_units,
        "volumes": about.volumes if math.isfinite(about.volumes) else None,
        "apart": about.apart,
        "plain": {
            **_fields(plain, "pvalue log_pvalue"),
            "pvalue_text": verdict.pvalue_text(plain, alpha),
            "pvalue_interval": list(plain.pvalue_interval),
            **_fields(plain, "method engine reason n_resamples n_hits tau n_within_tau"),
            "exact_count": _text(plain.exact_count),
            "total_count": _text(plain.total_count),
            "verdict": verdict.verdict(plain, alpha),
        },
    }


def _over_tasks(found: OverTasks | None, alpha: float) -> dict[str, Any] | None:
    """The mean over tasks, each counted alike."""
    if found is None:
        return None
    result = found.result
    return {
        "n_tasks": found.n_tasks,
        **_scores(result),
        **_fields(result, "pvalue log_pvalue"),
        "pvalue_text": verdict.pvalue_text(result, alpha),
        "pvalue_interval": list(result.pvalue_interval),
        **_fields(result, "method engine n_resamples n_hits tau n_within_tau"),
        "exact_count": _text(result.exact_count),
        "total_count": _text(result.total_count),
        "verdict": verdict.verdict(result, alpha),
        "interval": _interval(found.interval, result.n_moving),
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
                        **_fields(result, "metric pvalue log_pvalue"),
                        "pvalue_text": verdict.pvalue_text(result, alpha),
                        **_fields(result, "method n_resamples n_hits"),
                        "verdict": verdict.verdict(result, alpha),
                    }
                    for result in results.values()
                ],
            }
        )
    return {"units": units, "trust": summary.trust}


def _known(value: float) -> float | None:
    """JSON has no NaN."""
    return None if math.isnan(value) else value


def _breakdown(breakdown: Breakdown | None, options: Options) -> dict[str, Any] | None:
    if breakdown is None:
        return None
    alpha = options.alpha
    rows = [breakdown.corrected(metric, alpha) for metric in breakdown.metrics]
    return {
        "by": options.by,
        "correction": "holm",
        "median_r12": _known(breakdown.median_r12),
        "parts": [
            {
                "label": str(part.label),
                **_fields(part, "n_units n_total"),
                "r12": _known(part.r12),
                "results": [
                    {
                        "metric": row.result.metric,
                        **_scores(row.result),
                        **_fields(row.result, "pvalue log_pvalue"),
                        "pvalue_text": verdict.pvalue_text(row.result),
                        **_adjusted(row, alpha),
                        **_fields(row.result, "method n_resamples n_hits"),
                        "verdict": row.verdict,
                    }
                    for row in own
                ],
            }
            for part, *own in zip(breakdown.parts, *rows, strict=True)
        ],
    }


def _adjusted(row: Row, alpha: float) -> dict[str, Any]:
    shown = wording.pvalue(row.adjusted, row.log_adjusted, alpha)
    return {"adjusted_pvalue": row.adjusted, "adjusted_pvalue_text": shown}


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
        "baseline": summary.comparison.names[1],
        "system": summary.comparison.names[0],
        "comparison": _comparison(summary.comparison),
        "comparisons": None
        if not summary.comparisons
        else [{"metric": n, **_comparison(own)} for n, own in summary.comparisons.items()],
        "options": _options(summary.options),
        "results": [_result(result, summary) for result in summary.results.values()],
        "sensitivity": _sensitivity(summary),
        "breakdown": _breakdown(summary.breakdown, summary.options),
        "units": _units(summary),
        "tests": _tests(summary),
        **_fields(summary, "notes cautions signature digest"),
    }


def _units(summary: Summary) -> list[dict[str, Any]] | None:
    """The units that make the differences, where somebody asked for them."""
    if summary.options.worst is None:
        return None
    from csig.report.units import record

    return [record(own, summary.options.worst) for own in summary.units.values()]


def _tests(summary: Summary) -> list[dict[str, Any]] | None:
    """All tests of every metric, where somebody asked for them."""
    if not summary.options.all_tests:
        return None
    from csig.report.advised import records_of_tests

    return [
        {
            "metric": metric,
            "recommended": own.test.test,
            "seed": record_of_seed(own.seed),
            "tests": records_of_tests(own),
        }
        for metric, own in summary.tests.items()
    ]


def as_json(found: Summary | Systems) -> str:
    """The record of two or more systems as JSON text."""
    return dumps(systems_as_dict(found) if isinstance(found, Systems) else as_dict(found))


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
                **_scores(row.result),
                "pvalue": row.result.pvalue,
                **_adjusted(row, alpha),
                "verdict": row.verdict,
                "interval": _interval(summary.intervals.get(metric), row.result.n_moving),
                "effect": _effect(summary.effects.get(metric)),
            }
            for metric in systems.metrics
            for row, summary in zip(systems.rows(metric), systems.summaries, strict=True)
        ],
        "comparisons": [as_dict(summary) for summary in systems.summaries],
        **_fields(systems, "sentences notes cautions signature digest"),
    }


def estimates_as_dict(found: Estimates) -> dict[str, Any]:
    """The record of ``csig interval``; ``docs/json.md`` lists the fields."""
    return {
        "schema": INTERVALS_SCHEMA,
        "schema_version": SCHEMA_VERSION,
        "csig_version": found.version,
        "input": found.input.as_dict(),
        "unit": found.unit,
        "method": found.options.interval,
        "confidence_level": found.options.interval_level,
        "zero_division": found.options.zero_division,
        "results": [
            {
                "metric": metric,
                "what": "score" if len(row.systems) == 1 else "difference",
                "system": row.systems[0],
                "baseline": row.systems[1] if len(row.systems) > 1 else None,
                "estimate": row.estimate,
                "interval": _interval(row.interval, row.n_differ),
            }
            for metric, rows in found.rows.items()
            for row in rows
        ],
        "notes": found.notes,
        "cautions": list(found.cautions),
        **_fields(found, "signature digest"),
    }


def json_schema(name: str) -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of a record.

    Parameters
    ----------
    name : str
        What the record has as its `schema`: "csig.compare", "csig.compare.systems",
        "csig.interval", "csig.recommend", "csig.systems", "csig.datasets", "csig.train",
        "csig.describe",
        "csig.verify", "csig.claims". That of audits is
        :func:`csig.audits.records.schema`.

    Raises
    ------
    InputError
        If there is none.

    Examples
    --------
    >>> json_schema("csig.interval")["properties"]["schema_version"]["const"]
    2
    """
    folder = resources.files("csig.report").joinpath("schemas")
    known = sorted(file.name.removesuffix(".json") for file in folder.iterdir())
    if name not in known:
        raise InputError(
            f"no schema {name!r}{perhaps(name, known)}; there are {first_few(known, 12)}"
        )
    found = json.loads(folder.joinpath(f"{name}.json").read_text(encoding="utf-8"))
    assert isinstance(found, dict)
    return found


def dumps(record: Mapping[str, Any]) -> str:
    """JSON for people and programs, ending in a newline; no character of it moves a cursor."""
    text = json.dumps(record, indent=2, ensure_ascii=False, allow_nan=False)
    return _BEYOND.sub(lambda found: _visible(found[0]), text) + "\n"


def _visible(character: str) -> str:
    r"""A character that is not printed, as JSON spells it: ``\u202e``."""
    return character if character.isprintable() else json.dumps(character)[1:-1]
