from __future__ import annotations

import json
import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from brute import PAPER

import csig
from csig.answers.records import as_dict
from csig.comparing import estimates
from csig.comparing.options import Options
from csig.comparing.summary import OverTasks, Summary
from csig.data.comparison import Comparison, Exclusions
from csig.readers.request import Columns, Input, TableInput
from csig.report.forms import dumps
from csig.report.schemas import json_schema


def summary(method: str = "auto", source: Input | None = None, seed: int | None = 1) -> Summary:
    comparison = Comparison.from_counts(**PAPER, exclusions=Exclusions(3, 5))
    metrics = ("recall", "f1")
    results = csig.randomization_test(
        comparison, metrics, method=method, rng=seed, statistic="auto"
    )
    options = Options(metrics, "two-sided", method, 2**20, seed, None, None, 0, 0.99, 0.05)
    source = source or Input("counts", {"counts": "yeh.toml"})
    return Summary(
        "1.2.3",
        source,
        comparison,
        options,
        results,
        intervals=estimates.intervals(comparison, metrics, "difference", options, 1, 200),
        effects=estimates.effects(comparison, metrics, options),
    )


def with_units() -> Summary:
    """A comparison of sentences, and which of them make the differences."""
    c = Comparison.from_responses({"d": ["x"], "e": []}, {"d": ["x"], "e": []}, {"d": [], "e": [1]})
    options = Options(("f1",), "two-sided", "auto", 99, 1, None, None, 0, 0.99, 0.05, worst=1,
                      all_tests=True)  # fmt: skip
    results = {"f1": csig.randomization_test(c, "f1")}
    units = {"f1": csig.effects.unit_contributions(c, "f1")}
    tests = {"f1": csig.advice.all_tests(c, "f1", rng=1, n_resamples=99, bootstrap_resamples=99)}
    return Summary("1.2.3", Input("responses", {}), c, options, results, units=units, tests=tests)


def resampled() -> Summary:
    """The same with intervals by the bootstrap."""
    made = summary()
    options = replace(made.options, interval="percentile")
    metrics = made.options.metrics
    intervals = estimates.intervals(made.comparison, metrics, "difference", options, 1, 200)
    return replace(made, options=options, intervals=intervals)


def with_runs() -> Summary:
    """Scores of three runs of each system."""
    scores = np.random.default_rng(1).random((2, 3, 20)).round(2)
    comparison = Comparison.from_scores(*scores)
    options = Options(("mean",), "two-sided", "auto", 99, 1, None, None, 0, 0.99, 0.05)
    results = {"mean": csig.randomization_test(comparison, "mean")}
    return Summary(
        "1.2.3",
        Input("scores", {}),
        comparison,
        options,
        results,
        intervals=estimates.intervals(comparison, ["mean"], "difference", options, 1),
        runs=estimates.variances(comparison, ["mean"], options),
    )


def with_tasks() -> Summary:
    """The same by the mean over tasks."""
    made = resampled()
    result, interval = made.results["recall"], made.intervals["recall"]
    own = OverTasks(2, made.comparison, result, interval)
    return replace(made, over_tasks={"recall": own})


def decided() -> Summary:
    made = summary()
    results = csig.randomization_test(
        made.comparison, made.options.metrics, method="approximate", rng=1, decide_at=0.05
    )
    options = replace(made.options, n_resamples=2**32, risk=1e-6)
    return replace(made, options=options, results=results)


def certified() -> Summary:
    scores = [0.1, 0.25, 0.7, 0.9], [0.2, 0.3, 0.5, 0.4]
    comparison = Comparison.from_scores(*scores)
    results = csig.randomization_test(comparison, ["mean"], method="certified")
    options = Options(("mean",), "two-sided", "certified", 99, 1, None, None, 0, 0.99, 0.05)
    return Summary("1.2.3", Input("scores", {}), comparison, options, results, {}, None)


def paths(value: Any, prefix: str = "") -> set[str]:
    found = set()
    if isinstance(value, dict):
        for key, inner in value.items():
            path = f"{prefix}.{key}" if prefix else key
            found |= {path} | paths(inner, path)
    elif isinstance(value, list):
        for inner in value:
            found |= paths(inner, f"{prefix}[]")
    return found


@pytest.fixture(scope="module")
def records() -> list[dict[str, Any]]:
    tags = Input("tags", {"columns": "t.tsv"}, Columns("g", "a", "b"), n_sentences=1, n_tokens=2)
    table = Input("scores", {}, table=TableInput(("s.csv",), ("x", "y"), 10, 3, "id", "task"))
    by_key = Comparison.from_responses({"d": ["x"]}, {"d": ["x"]}, {"d": ["y"]})
    results = csig.effects.sensitivity(by_key, ["recall", "f1"])
    options = Options(("recall", "f1"), "two-sided", "auto", 99, 1, None, None, 0, 0.99, 0.05)
    source = Input("responses", {}, documents=True)
    rows = csig.effects.breakdown({"x": by_key}, ["recall", "f1"])
    units = Summary("1.2.3", source, by_key, options, results["key"], results, rows)
    made = (summary(), summary("approximate"), summary("yeh2000", tags), summary(source=table))
    more = (units, decided(), certified(), resampled(), with_runs(), with_units(), with_tasks())
    return [as_dict(s) for s in (*made, *more)]


def test_every_field_is_documented_and_every_documented_field_is_there(
    records: list[dict[str, Any]],
) -> None:
    def documented(schema: dict[str, Any], prefix: str = "") -> set[str]:
        found = set()
        for name, own in schema.get("properties", {}).items():
            found |= {f"{prefix}{name}"} | documented(own, f"{prefix}{name}.")
            found |= documented(own.get("items", {}), f"{prefix}{name}[].")
        return {path for path in found if path[:14] != "comparisons[]."}

    known = set().union(*(paths(record) for record in records))
    cited = {"citation", "citation.methods", "citation.references"}
    cited |= {f"citation.references[].{name}" for name in ("text", "bibtex")}
    assert documented(json_schema("csig.compare")) == known | cited


def test_all_records_have_the_same_fields(records: list[dict[str, Any]]) -> None:
    assert len({tuple(record) for record in records}) == 1
    assert len({tuple(record["results"][0]) for record in records}) == 1


def test_intervals_and_effects() -> None:
    made = summary()
    recall = as_dict(made)["results"][0]
    interval = csig.intervals.linearized_interval(made.comparison, "recall")
    for field in ("low", "high", "standard_error", "confidence_level", "method", "n_units"):
        assert recall["interval"][field] == getattr(interval, field)
    assert (recall["interval"]["instead"], recall["interval"]["few"]) == (False, False)
    assert recall["effect"]["flips"] == {
        "both": 19, "only_system": 28, "only_baseline": 6, "neither": 50,
    }  # fmt: skip
    assert recall["effect"]["share_system_better"] == 28 / 103
    drawn = as_dict(resampled())["results"][0]["interval"]
    assert (drawn["n_resamples"], drawn["seed"]["entropy"]) == (200, ["1"])
    missing = as_dict(replace(made, intervals={"recall": "one unit"}))["results"]
    assert missing[0]["interval"] is missing[1]["interval"] is None


def test_a_decision() -> None:
    found = as_dict(decided())
    assert found["options"]["risk"] == 1e-6
    for result in found["results"]:
        assert result["verdict"] == "significant"
        assert result["decision"] == {
            "alpha": 0.05,
            "risk": 1e-6,
            "verdict": "below",
            "n_resamples": 65536,
        }


@pytest.mark.parametrize("method", ["exact", "approximate", "yeh2000"])
def test_numbers_survive_json(method: str) -> None:
    made = summary(method)
    read = json.loads(dumps(as_dict(made)))
    for found, result in zip(read["results"], made.results.values(), strict=True):
        for field in ("pvalue", "log_pvalue", "n_hits"):
            assert found[field] == getattr(result, field)
        scores = (found["score"], found["baseline_score"], found["difference"])
        assert scores == (result.score_a, result.score_b, result.statistic)
        assert tuple(found["pvalue_interval"]) == result.pvalue_interval
        if result.exact_count is None:
            assert found["exact_count"] is None
        else:
            assert int(found["exact_count"]) == result.exact_count
            assert int(found["total_count"]) == 2**86
        if result.checks is not None:
            check = result.checks.second_run
            assert found["checks"]["second_run"]["n_hits"] == check.n_hits
            assert found["checks"]["second_run"]["agreement_pvalue"] == check.agreement_pvalue


def test_the_counts_repeat_the_comparison() -> None:
    made = summary()
    counts = as_dict(made)["comparison"]["counts"]
    names = {"system": "a", "baseline": "b"}  # A is the system
    again = {
        "_".join(names.get(word, word) for word in key.split("_")): n for key, n in counts.items()
    }
    assert again == PAPER


@pytest.mark.parametrize(
    "comparison",
    [
        Comparison.from_responses({"d": ["x"]}, {"d": ["x"]}, {"d": ["y"]}, unit="key"),
        Comparison.from_responses(["x"], ["x"], ["y"], unit="conflict", conflict=len),
        Comparison.from_scores([0.5, 2], [0.25, 3]),
    ],
)
def test_other_units_have_the_same_fields(
    comparison: Comparison, records: list[dict[str, Any]]
) -> None:
    columns = comparison.columns
    metric = csig.Metric("m", columns[:2], numerator=(1, 0), denominator=(0, 1))
    results = csig.randomization_test(comparison, [metric])
    options = Options(("m",), "two-sided", "auto", 99, None, None, None, 0, 0.99, 0.05, "key")
    found = json.loads(
        dumps(as_dict(Summary("1", Input("responses", {}), comparison, options, results)))
    )
    assert found["comparison"].keys() == records[0]["comparison"].keys()
    assert found["results"][0].keys() == records[0]["results"][0].keys()
    assert found["comparison"]["counts"] is None
    assert found["comparison"]["n_total"] == comparison.units.n_total
    assert found["comparison"]["columns"] == list(columns)
    for system, field in (("a", "sums"), ("b", "baseline_sums")):
        sums = [Fraction(total) for total in found["comparison"][field]]
        assert sums == list(comparison.sums(system).values())
    assert [Fraction(value) for value in found["comparison"]["scale"]] == list(comparison.scale)
    assert found["options"]["unit"] == "key"
    assert found["results"][0]["n_correct"] is None
    assert found["results"][0]["n_units"] == comparison.n_units


def test_seeds_are_decimal_strings() -> None:
    seed = 2**200 + 1
    record = json.loads(dumps(as_dict(summary("approximate", seed=seed))))
    assert record["options"]["seed"] == str(seed)
    assert record["results"][0]["seed"]["entropy"] == [str(seed)]


def test_nothing_is_nan_or_infinite() -> None:
    # The smallest p-values: a double is 0, its logarithm is not.
    comparison = Comparison.from_counts(gold=5000, only_a_correct=4500, only_b_correct=0)
    results = csig.randomization_test(comparison, ["recall"])
    options = Options(("recall",), "two-sided", "auto", 2**20, None, None, None, 0, 0.99, 0.05)
    made = Summary("1", Input("counts", {}), comparison, options, results)
    (found,) = json.loads(dumps(as_dict(made)))["results"]
    assert found["pvalue"] == 0
    assert math.isclose(found["log_pvalue"], -4499 * math.log(2))


def test_no_character_of_json_steers_a_terminal():
    names = "\x7f\x9b\u202e日\ud800😀\U000e0001\xa0"
    text = dumps({"names": names})
    assert "日" in text
    assert text.replace("\n", "").isprintable()
    assert json.loads(text) == {"names": names}
