"""The uncertainty of aggregates of every-eval-ever: the numbers, the shape, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from commands import refused, run, words, write
from scipy import stats

import csig
from csig.base.errors import InputError, NoInterval

SCORES = [0.5, 0.75, 0.25, 1.0, 0.5, 0.0]
RIGHT = [1, 1, 0, 1, 1, 0, 1, 1]


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def result(name, score, result_id=None, **config):
    own = {} if result_id is None else {"evaluation_result_id": result_id}
    return own | {
        "evaluation_name": name,
        "source_data": {"dataset_name": name, "source_type": "other"},
        "metric_config": {"lower_is_better": False, **config},
        "score_details": {"score": score},
    }


def aggregate(*results, model="org/m"):
    details = {"deployment_type": "unknown", "model_availability": "unknown"}
    whole = {
        "schema_version": "0.3.0", "evaluation_id": f"b/{model}/1", "retrieved_timestamp": "1",
        "source_metadata": {"source_type": "evaluation_run", "source_organization_name": "o",
                            "evaluator_relationship": "first_party"},
        "eval_library": {"name": "x", "version": "1"},
        "model_info": {"name": "m", "id": model, "additional_details": details},
        "evaluation_results": list(results),
    }  # fmt: skip
    return write("m.json", json.dumps(whole))


def samples(*evaluations, model="org/m"):
    """Lines of the samples of (evaluation, scores, result or None)."""
    rows = [
        {"model_id": model, "evaluation_name": name, "sample_id": str(i),
         "evaluation": {"score": score, "is_correct": score > 0.5},
         **({} if result_id is None else {"evaluation_result_id": result_id})}
        for name, scores, result_id in evaluations
        for i, score in enumerate(scores)
    ]  # fmt: skip
    return write("m_samples.jsonl", *map(json.dumps, rows))


def test_means_have_the_interval_of_t():
    path = aggregate(result("a", 0.5), result("b", 75, max_score=100))
    filled = csig.intervals.fill_uncertainty(
        path, samples(("a", SCORES, None), ("b", RIGHT, None)), confidence_level=0.9
    )
    for own, scores, times in zip(
        filled["evaluation_results"], (SCORES, RIGHT), (1, 100), strict=True
    ):
        block = own["score_details"]["uncertainty"]
        error = times * stats.sem(scores)
        mean = times * np.mean(scores)
        low, high = stats.t.interval(0.9, len(scores) - 1, mean, error)
        interval = block["confidence_interval"]
        assert interval["lower"] == pytest.approx(max(low, 0))
        assert interval["upper"] == pytest.approx(min(high, times))
        assert interval["confidence_level"] == 0.9
        assert interval["method"] == f"linearized (csig {csig.__version__})"
        assert block["standard_error"] == {"value": pytest.approx(error), "method": "analytic"}
        assert block["num_samples"] == len(scores)
    assert (
        "uncertainty"
        not in json.loads(Path(path).read_text())["evaluation_results"][0]["score_details"]
    )


def test_all_right_has_no_standard_error():
    path = aggregate(result("a", 1))
    filled = csig.intervals.fill_uncertainty(path, samples(("a", [1] * 9, None)))
    block = filled["evaluation_results"][0]["score_details"]["uncertainty"]
    assert "standard_error" not in block
    low = stats.binomtest(9, 9).proportion_ci(0.95, "exact").low
    assert block["confidence_interval"]["lower"] == pytest.approx(low)


def test_results_of_one_evaluation_go_by_their_ids():
    path = aggregate(result("a", 0.5, "r1"), result("a", 0.75, "r2"))
    own = samples(("a", SCORES, "r1"), ("a", RIGHT, "r2"))
    filled = csig.intervals.fill_uncertainty(path, own)
    found = [r["score_details"]["uncertainty"]["num_samples"] for r in filled["evaluation_results"]]
    assert found == [6, 8]
    aggregate(result("a", 0.5, "r3"))
    with pytest.raises(InputError, match="no samples of the result 'r3'; there are 'r1', 'r2'"):
        csig.intervals.fill_uncertainty(path, own)


def test_what_the_command_prints_and_writes():
    path = aggregate(result("a", 0.5))
    own = samples(("a", SCORES, None))
    printed = words("interval", own, "--fill", path)
    assert "a: 0.5, 95% interval 0.129 to 0.871 (6 samples)." in printed
    run("interval", own, "--fill", path, "--json", "filled.json")
    written = json.loads(Path("filled.json").read_text())
    assert written == csig.intervals.fill_uncertainty(path, own)
    assert run("interval", ".", "--fill", path, "-f", "csv").startswith("evaluation,score,lower,")
    assert "overwrite an input" in refused("interval", own, "--fill", path, "--json", path)
    for options in (("--method", "bca"), ("--plot", "x.png")):
        said = run("interval", own, "--fill", path, *options, status=2)
        assert "--fill takes linearized intervals" in " ".join(said.split())
    assert "give the aggregate's samples" in run("interval", "--fill", path, status=2)


@pytest.mark.parametrize(("scores", "score", "said"), [
    (SCORES, 0.6, "m.json: result 1: the score of 'a' is 0.6, but the mean of 6 samples in m_samp"),
    (SCORES, float("nan"), "m.json: result 1: expected 'evaluation_name' and 'score_details' with"),
    (SCORES, 50, "is 50, but the mean of 6 samples in m_samples.jsonl is 0.5"),
    ([0.5, None], 0.5, "score is None, expected a finite number for every sample"),
    ([0.5], 0.5, "m.json: result 1: an interval of 'a' cannot be given: "),
])  # fmt: skip
def test_what_does_not_fit(scores, score, said):
    rows = [{"model_id": "org/m", "evaluation_name": "a", "sample_id": str(i),
             "evaluation": {"score": own, "is_correct": False}}
            for i, own in enumerate(scores)]  # fmt: skip
    own = write("m_samples.jsonl", *map(json.dumps, rows))
    with pytest.raises((InputError, NoInterval)) as caught:
        csig.intervals.fill_uncertainty(aggregate(result("a", score)), own)
    assert said in str(caught.value)


def test_epochs_are_no_independent_samples():
    rows = [{"schema_version": "0.3.0", "model_id": "org/m", "evaluation_name": "a",
             "sample_id": str(i), "evaluation": {"score": own}, "metadata": {"epoch": str(e)}}
            for e in (1, 2) for i, own in enumerate(RIGHT)]  # fmt: skip
    write("m_samples.jsonl", *map(json.dumps, rows))
    aggregate(result("a", 0.75))
    with pytest.raises(InputError, match="found several epochs of 'a', whose samples are not ind"):
        csig.intervals.fill_uncertainty("m.json", "m_samples.jsonl")


def test_samples_twice_and_options_that_do_nothing():
    path, own = aggregate(result("a", 0.5)), samples(("a", SCORES, None))
    Path("other_samples.jsonl").write_text(Path(own).read_text())
    assert "m_samples.jsonl and other_samples.jsonl have samples of 'a'; give one" in refused(
        "interval", own, "other_samples.jsonl", "--fill", path
    )
    for more in (("--metric", "is_correct"), ("--baseline", "x"), ("--unit", "document")):
        said = refused("interval", own, "--fill", path, *more)
        assert f"{more[0]} does not go with --fill" in said
    assert "a: 0.5" in run("interval", own, "--fill", path, "-f", "markdown", "--json", "f.json")
    assert refused("interval", own, "--fill", "no.json") == "csig: no.json: no such file\n"


@pytest.mark.parametrize(("text", "said"), [
    ("[", "m.json: not JSON"), ("[]", "m.json: expected an aggregate of every-eval-ever"),
    ('{"model_info": {"id": "x"}}', "m.json: result 1: expected 'evaluation_name' and "),
    (json.dumps({"model_info": {"id": "x"}, "evaluation_results": [result("a", 1)]}),
     "no samples of 'a' of 'x'; there are those of 'a of org/m'"),
])  # fmt: skip
def test_what_is_no_aggregate(text, said):
    write("m.json", text)
    with pytest.raises(InputError, match=r"m\.json") as caught:
        csig.intervals.fill_uncertainty("m.json", samples(("a", SCORES, None)))
    assert said in str(caught.value)


def test_the_published_schema(shared_data):
    """Where it can be had: it is no part of the project."""
    jsonschema = pytest.importorskip("jsonschema")
    path = shared_data("every_eval_ever") / "eval.schema.json"
    own = samples(("a", SCORES, None), ("b", [1] * 4, None))
    filled = csig.intervals.fill_uncertainty(aggregate(result("a", 0.5), result("b", 1)), own)
    jsonschema.validate(filled, json.loads(path.read_text(encoding="utf-8")))
    filled["evaluation_results"][0]["score_details"]["uncertainty"]["num_samples"] = "6"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(filled, json.loads(path.read_text(encoding="utf-8")))
