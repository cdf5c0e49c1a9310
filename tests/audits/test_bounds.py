"""Certified p-values in records: computed again, bounded once more in numpy, and forged."""

from __future__ import annotations

import copy
import json
import math
from functools import cache

import numpy as np
import pytest
from children import python
from forged import signed
from places import REFERENCE

from csig import Comparison, audit, verify
from csig.audits.audit import audit_of_edition
from csig.audits.bounds import certificate_of, independently, settled
from csig.audits.digests import canonical
from csig.audits.forms import parse_record
from csig.engines.questions import make_question
from csig.metrics import mean


def scores(n: int = 400, shift: float = 0.05) -> Comparison:
    rng = np.random.default_rng(n)
    a = rng.normal(size=n)
    return Comparison.from_scores(a + rng.normal(shift, 0.5, size=n), a)


@cache
def record():
    return audit(scores(), "mean", n_resamples=2**14, rng=1, threads=1).record


def forged(**changes):
    """The record with another certificate, its p-value and its SHA-256 in line with it."""
    made = copy.deepcopy(record())
    own = made["results"][0]
    own["certificate"] |= changes
    own["exact_pvalue"] = own["certificate"]["high"]
    own["exact_log_pvalue"] = own["certificate"]["log_high"]
    return signed(made)


def moved(factor: float) -> dict:
    """Both bounds times a factor: in line with each other, and of another p."""
    proof = record()["results"][0]["certificate"]
    low, high = proof["low"] * factor, proof["high"] * factor
    return {"low": low, "high": high, "log_low": math.log(low), "log_high": math.log(high)}


def test_an_audit_of_real_scores_has_bounds_and_its_hits_agree_with_them():
    made = record()
    (own,) = made["results"]
    proof = own["certificate"]
    assert (own["engine"], own["exact_pvalue"]) == ("fourier", proof["high"])
    assert 0 < proof["width"] <= 1e-4
    (check,) = (c for c in made["checks"] if c["name"] == "exact: mean")
    assert check["passed"]
    assert "the certified p-value (fourier)" in check["what"]


def test_an_audit_of_the_second_edition_knows_no_bounds():
    options = {
        "alternative": "two-sided", "n_resamples": 2**12, "rng": 1, "bit_generator": None,
        "threads": 1, "zero_division": 0, "confidence_level": 0.99, "alpha": 0.05,
        "exact_budget": 2**26, "allow_bad_generator": False,
    }  # fmt: skip
    two, three = (audit_of_edition(i, scores(), "mean", **options) for i in (2, 3))
    assert (list(two.exact), list(three.exact)) == ([], ["mean"])
    assert two.results == three.results


def test_the_record_verifies_and_says_so_in_words():
    found = verify(record(), threads=1)
    assert found.ok, found.differences
    (said,) = found.bounds
    assert said.startswith("mean: the bounds of the record, between ")
    assert said.endswith(", were computed again to the last bit.")
    assert found.as_dict()["bounds"] == [said]


def test_it_verifies_in_pure_numpy():
    found = verify(record(), threads=1, independent=True)
    assert found.ok, found.differences
    assert found.bounds[1].startswith("mean: bounds in pure numpy, ")


def test_it_verifies_by_another_instruction_set(tmp_path):
    path = tmp_path / "r.json"
    path.write_text(canonical(record()))
    code = "import sys, csig\nfound = csig.verify(sys.argv[1], threads=1)\n"
    done = python(code + "print(found.ok, *found.bounds)", path, env={"CSIG_ISA": "base"})
    assert done.stdout.startswith("True mean: the bounds of the record, between"), done.stderr


@pytest.mark.parametrize("factor", [0.999, 0.9998, 1.0002, 1.001])
def test_bounds_of_another_p_do_not_verify(factor):
    found = verify(forged(**moved(factor)), threads=1)
    assert any(
        line.startswith("results[mean].certificate: the bounds of the record, between ")
        and line.endswith(" hold no common p")
        for line in found.differences
    )
    assert found.bounds == ()


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"low": 0.9}, "its lower bound is above the upper one"),
        ({"width": 2e-9}, "its width is not that of its bounds"),
        ({"log_low": -9.0}, "its width is not that of its bounds"),
        ({"width": 10.0, "log_low": -9.0}, "its width is not that of its bounds"),
        ({"low": 1e-3}, "its bounds are not those of their logarithms"),
    ],
)
def test_a_certificate_that_contradicts_itself_does_not_verify(changes, reason):
    found = verify(forged(**changes), threads=1)
    assert f"results[mean].certificate: {reason}" in found.differences


def test_a_p_value_that_is_not_the_upper_bound_does_not_verify():
    made = copy.deepcopy(record())
    made["results"][0]["exact_pvalue"] *= 1 + 1e-7
    found = verify(signed(made), threads=1)
    assert "results[mean].certificate: its upper bound is not the exact_pvalue" in found.differences


def test_bounds_that_another_machine_rounded_otherwise_verify():
    made = forged(**moved(1 + 1e-6))
    results, differences, said = settled(record()["results"], made["results"])
    assert differences == []
    assert results[0]["certificate"] == made["results"][0]["certificate"]
    assert said[0].endswith("hold the same p.")
    found = verify(made, threads=1)
    assert found.ok, found.differences
    assert found.bounds == tuple(said)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("factor", [0.5, 1.0, 2.0])
def test_numpy_finds_bounds_that_hold_no_p(alternative, factor):
    made = audit(scores(), "mean", alternative=alternative, n_resamples=2**10, rng=1, threads=1)
    results = json.loads(json.dumps(made.record["results"]))
    proof = results[0]["certificate"]
    if proof["high"] * factor > 1:
        factor = 1 / factor
    for end in ("low", "high"):
        proof[end] *= factor
        proof[f"log_{end}"] += math.log(factor)
    questions = {"mean": make_question(scores(), mean, alternative, 0)}
    differences, said = independently(results, questions)
    assert (len(differences), len(said)) == ((0, 1) if factor == 1 else (1, 0))
    assert certificate_of(results[0]).low == proof["low"]


def test_the_first_record_of_version_3_verifies():
    """Its bounds may be found otherwise one day; they must hold the same p for ever."""
    path = REFERENCE / "audit-3.json"
    made = parse_record(path.read_bytes(), "audit-3.json")
    assert canonical(made).encode() == path.read_bytes()
    assert (made["schema_version"], made["results"][0]["engine"]) == (3, "fourier")
    assert made["results"][0]["n_hits"] == 259
    found = verify(str(path))
    assert found.ok, found.differences
    assert found.bounds
