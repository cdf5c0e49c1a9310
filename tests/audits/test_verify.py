"""Verifying records."""

import copy
import json
import math
from functools import cache

import numpy as np
import pytest
from brute import PAPER
from children import MAIN, python
from forged import (
    COLUMNS,
    COMPARISONS,
    KINDS,
    changed,
    made,
    put,
    signed,
)
from places import EXAMPLES

from csig import Comparison, InputError, Metric, audit, verify
from csig.audits.records import make_record
from csig.audits.verify import bounded, certificate_of
from csig.data.metrics import mean
from csig.engines.questions import make_question
from csig.probability.binomial import rate_pvalue
from csig.report.records import canonical


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_verifies(kept, kind):
    """From what it holds, in pure numpy, and with the data read anew."""
    plain, found = verify(kept[kind], threads=1), verify(kept[kind], independent=True)
    assert (plain.differences, plain.ok, plain.independent) == ((), True, False)
    assert plain.compared > 100
    assert (found.ok, found.independent) == (True, True)
    hits = sum(len(run["hits"]) for run in kept[kind]["runs"])
    assert found.compared == plain.compared + hits
    comparison, _ = COMPARISONS[kind]()
    assert verify(kept[kind], comparison=comparison).ok
    other = Comparison.from_counts(**{**PAPER, "only_a_correct": 27})
    assert verify(kept[kind], comparison=other).differences == (
        "inputs: the data read from them are not those of the record (different digest)",
    )


@pytest.mark.parametrize(
    ("kind", "options", "passed"),
    [
        ("counts", {"alternative": "greater"}, True),
        ("scores", {"alternative": "less"}, True),
        ("labels", {"alternative": "greater"}, True),
        *(("counts", {"bit_generator": name}, True) for name in ("PCG64", "MT19937")),
        *(("counts", {"bit_generator": name}, False) for name in ("randu", "randu-top")),
        ("counts", {"rng": [10**39 + i for i in range(1000)]}, True),  # the longest seed
    ],
)  # fmt: skip
def test_audits_by_other_options_verify_those_that_fail_too(kind, options, passed):
    record = made(kind, allow_bad_generator=True, **options).record
    assert record["passed"] is passed
    assert verify(record, independent="rng" not in options).ok


def test_metrics_with_weights_of_ones_own_verify_and_functions_do_not():
    own = Metric("mine", COLUMNS, numerator=(2, "-1/3", 0), denominator=(0, 0, 3))
    record = audit(COMPARISONS["units"]()[0], own, n_resamples=256, rng=1).record
    assert record["metrics"][0]["numerator"] == ["2", "-1/3", "0"]
    assert verify(record, independent=True).ok
    comparison, _ = COMPARISONS["labels"]()
    own = Metric("mine", comparison.columns[:2], function=lambda sums: sums[:, 0] / sums[:, 1])
    record = audit(comparison, own, n_resamples=256, rng=1).record
    with pytest.raises(InputError, match="'mine' is a function unknown to csig"):
        verify(record)


def run(*arguments, **environment):
    return python(MAIN, *arguments, env=environment)


def test_with_one_thread_and_the_plainest_instructions(tmp_path):
    """Records made with several threads and the best instructions of this processor."""
    (tmp_path / "bounds.json").write_text(canonical(record()))
    for kind in ("counts", "units", "scores", "labels"):  # one of every kernel
        n = 2**16 + 100 if kind in ("counts", "units") else 2**10
        (tmp_path / f"{kind}.json").write_text(canonical(made(kind, n=n, threads=3).record))
    code = (
        "import sys, csig\nfor path in sys.argv[1:]:\n    print(csig.verify(path, threads=1).ok)\n"
    )
    paths = sorted(tmp_path.iterdir())
    done = python(code, *paths, env={"CSIG_ISA": "base"})
    assert done.stdout.split() == ["True"] * len(paths), done.stdout + done.stderr


def test_the_instruction_set_of_the_record(tmp_path):
    """The one that was used, not the best there is."""
    counts = EXAMPLES / "yeh2000.toml"
    options = ("--counts", counts, "--resamples", "640", "--seed", "1", "--record", "-")
    done = run("audit", *options, CSIG_ISA="base")
    assert json.loads(done.stdout)["environment"]["instruction_set"] == "base"


def outcome(record):
    """What verification says: differences, or the message of its refusal."""
    try:
        return list(verify(record, threads=1).differences)
    except InputError as error:
        return [str(error)]


@pytest.mark.usefixtures("repeated")
def test_hits_and_seeds_that_were_forged_are_named(paper_record):
    """Of other fields `test_every_field` in test_trust.py; without a right sum it is that."""
    run = paper_record["runs"][1]
    for j, own in enumerate(run["hits"]):
        path, hits, name = ("runs", 1, "hits", j, "hits"), own["hits"], own["metric"]
        found = verify(signed(put(paper_record, path, hits + 1)), independent=True).differences
        assert found == (
            f"runs[1].hits[{name}].hits: {hits + 1} in the record, {hits} now",
            f"run 1, {name} ({own['tail']}): {hits + 1} hits in the record, {hits} in pure numpy",
        )
    for path, value in (
        (("entropy", 0), run["entropy"][0]),
        (("chunks_sha256",), run["chunks_sha256"]),
    ):
        lines = outcome(signed(put(paper_record, ("runs", 1, *path), changed(value))))
        assert any(line.startswith("runs[1]") for line in lines), lines
    for path, value in (("date", "2021-01-01T00:00:00Z"), ("command", ["x"])):
        assert outcome(put(paper_record, (path,), value)) == [
            "sha256: the record was changed after it was written"
        ]


@pytest.mark.usefixtures("repeated")
@pytest.mark.parametrize("kind", ["units", "scores"])
def test_forged_units_are_found(kept, kind):
    record = kept[kind]
    rows = record["comparison"]["differences"]
    numbers = [int(cell) for cell in rows[0].split(" ")]
    numbers[0] += 1
    with pytest.raises(InputError, match=r"differences and comparison\.sums contradict"):
        verify(signed(put(record, ("comparison", "differences", 0), " ".join(map(str, numbers)))))
    sums = put(record, ("comparison", "differences", 0), " ".join(map(str, numbers)))
    total = int(record["comparison"]["sums_a"][0]) + 1
    lines = outcome(signed(put(sums, ("comparison", "sums_a", 0), str(total))))
    assert any(line.startswith("comparison.digest: ") for line in lines)
    swapped = put(record, ("comparison", "differences"), [*rows[1:], rows[0]])
    lines = outcome(signed(swapped))
    assert any(line.startswith("comparison.digest: ") for line in lines)


def test_the_independence_check_is_repeated_from_the_inputs(paper_record, kept):
    """And without them where the record has the counts of responses."""
    for record in (paper_record, kept["responses"], kept["keys"]):
        i = next(i for i, check in enumerate(record["checks"]) if check["name"] == "independence")
        right = record["checks"][i]["statistic"]
        wrong = right * (1 + 1e-7)  # no last digit
        lines = verify(signed(put(record, ("checks", i, "statistic"), wrong))).differences
        assert lines == (f"checks[independence].statistic: {wrong!r} in the record, {right!r} now",)
    i = next(i for i, c in enumerate(kept["scores"]["checks"]) if c["name"] == "independence")
    forged = signed(put(kept["scores"], ("checks", i, "statistic"), 0.1))
    found = verify(forged)
    assert found.ok
    assert "checks[independence].statistic" in found.unverified
    lines = verify(forged, comparison=COMPARISONS["scores"]()[0]).differences
    assert len(lines) == 1
    assert lines[0].startswith("checks[independence].statistic: 0.1 in the record, ")


@pytest.mark.parametrize("kind", ["units", "scores", "keys"])
def test_a_record_with_only_the_digest(kind):
    found = made(kind)
    record = make_record(found, table=False)
    assert record["comparison"]["differences"] is None
    with pytest.raises(InputError, match="has only the digest of the data; give its inputs"):
        verify(record)
    comparison, _ = COMPARISONS[kind]()
    found = verify(record, comparison=comparison, independent=True)
    assert found.ok
    assert "comparison.differences" in found.unverified


@pytest.mark.parametrize(
    "value",
    [float("nan"), {1}, 10**5000],
    ids=["nan", "set", "huge"],
)
def test_mappings_that_json_cannot_hold(paper_record, value):
    with pytest.raises(InputError, match="record: cannot be written as JSON"):
        verify(put(paper_record, ("results", 0, "score_a"), value))


# ---- certified p-values in records ------


def scores(n: int = 400, shift: float = 0.08) -> Comparison:
    rng = np.random.default_rng(n)
    a = rng.normal(size=n)
    return Comparison.from_scores(a + rng.normal(shift, 0.5, size=n), a)


@cache
def record():
    return audit(scores(), "mean", n_resamples=2**12, rng=1, threads=1).record


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


def test_the_record_verifies_and_says_so_in_words():
    """In pure numpy, too."""
    found = verify(record(), threads=1)
    assert found.ok, found.differences
    (said,) = found.bounds
    assert said.startswith("mean: the bounds of the record, between ")
    assert said.endswith(", were computed again to the last bit.")
    assert found.to_dict()["bounds"] == [said]
    found = verify(record(), threads=1, independent=True)
    assert found.ok, found.differences
    assert found.bounds[1].startswith("mean: bounds in pure numpy, ")


def test_a_record_of_a_p_that_is_no_double_verifies():
    """2 / 2^1200: a logarithm of that size is rounded by more than the bounds are apart."""
    rng = np.random.default_rng(1)
    b = rng.random(1200)
    comparison = Comparison.from_scores(b + rng.random(1200) + 0.01, b)
    made = audit(comparison, "mean", n_resamples=64, rng=1, threads=1).record
    proof = made["results"][0]["certificate"]
    assert (proof["low"], proof["high"], proof["width"]) == (0.0, 5e-324, 0.0)
    assert proof["log_high"] == pytest.approx(-1199 * math.log(2), rel=1e-14)
    assert verify(made, threads=1, independent=True).differences == ()


@pytest.mark.usefixtures("repeated")
@pytest.mark.parametrize("factor", [0.9998, 1.0002])
def test_bounds_of_another_p_do_not_verify(factor):
    found = verify(forged(**moved(factor)), threads=1)
    assert any(
        line.startswith("results[mean].certificate: the bounds of the record, between ")
        and line.endswith(" hold no common p")
        for line in found.differences
    )
    assert found.bounds == ()


def test_a_certificate_of_less_than_one_shuffle_is_refused_without_work():
    logs = {"log_low": -1e308, "log_high": -1e308}
    made = forged(low=0.0, high=0.0, width=0.0, **logs)
    lines = verify(made, threads=1, independent=True).differences
    assert any(line.endswith(" hold no common p") for line in lines)
    assert lines[-1].endswith(" is less than the share of one shuffle")


@pytest.mark.usefixtures("repeated")
@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"low": 0.9}, "its lower bound is above the upper one"),
        ({"width": 2e-9}, "its width is not that of its bounds"),
        ({"log_low": -9.0}, "its width is not that of its bounds"),
        ({"width": 10.0, "log_low": -9.0}, "its bounds say less than shuffles would"),
        ({"width": 0.0}, "its width is not that of its bounds"),
        ({"low": 1e-3}, "its bounds are not those of their logarithms"),
        ({"low": 0}, "its bounds are not those of their logarithms"),
        ({}, "its upper bound is not the exact_pvalue"),
    ],
)
def test_a_certificate_that_contradicts_itself_does_not_verify(changes, reason):
    made = forged(**changes)
    if not changes:
        made["results"][0]["exact_pvalue"] *= 1 + 1e-7
    assert f"results[mean].certificate: {reason}" in verify(signed(made), threads=1).differences


def of_another_version(made: dict) -> dict:
    return signed(put(made, ("environment", "csig"), "0.0.9"))


@pytest.mark.usefixtures("repeated")
def test_bounds_that_another_machine_or_version_rounded_otherwise_verify():
    """The p-value of the check follows those of another version."""
    for factor, other in ((1 + 1e-11, False), (1 + 1e-11, True), (1 + 1e-6, True)):
        made = forged(**moved(factor))
        high = made["results"][0]["certificate"]["high"]
        i = next(i for i, own in enumerate(made["checks"]) if own["name"] == "exact: mean")
        hits, n = (made["results"][0][name] for name in ("n_hits", "n_resamples"))
        assert hits / n > high
        made["checks"][i]["pvalue"] = rate_pvalue(hits, n, high)
        found = verify(of_another_version(made) if other else signed(made), threads=1)
        assert found.ok, found.differences
        assert found.bounds[0].endswith("hold the same p.")
        assert ("results[mean].certificate.low" in found.unverified) == other
    made["checks"][i]["pvalue"] *= 1 + 1e-7
    lines = verify(of_another_version(made), threads=1).differences
    assert len(lines) == 1
    assert lines[0].startswith("checks[exact: mean].pvalue: ")
    assert verify(signed(made), threads=1).differences[0].startswith("checks[exact: mean].pval")


#: What a forger writes into a certificate, and what an audit of another version does not give away.
FORGED_PROOFS = {
    "theta": lambda proof: {"theta": proof["theta"] * (1 + 1e-8)},
    "no theta": lambda proof: {"theta": 0.0},
    "step": lambda proof: {"step": proof["step"] * (1 + 1e-8)},
    "nodes": lambda proof: {"nodes": proof["nodes"] + 1},
    "evaluated": lambda proof: {"evaluated": proof["evaluated"] - 1},
    "factors": lambda proof: {"factors": 2 * proof["factors"]},
    "lattice": lambda proof: {"lattice": not proof["lattice"]},
    "only the lower bound": lambda proof: enclosure(proof["low"], proof["low"]),
    "only the upper bound": lambda proof: enclosure(proof["high"], proof["high"]),
    "one in the middle": lambda proof: enclosure(*[(proof["low"] + proof["high"]) / 2] * 2),
    "half": lambda proof: enclosure((proof["low"] + proof["high"]) / 2, proof["high"]),
    "a little narrower": lambda proof: enclosure(proof["low"] * (1 + 1e-8), proof["high"]),
    "wider": lambda proof: enclosure(proof["low"] * (1 - 1e-6), proof["high"]),
}


def enclosure(low: float, high: float) -> dict:
    """Bounds in line with each other."""
    logs = {"log_low": math.log(low), "log_high": math.log(high)}
    return {"low": low, "high": high, "width": (high - low) / low, **logs}


@pytest.mark.usefixtures("repeated")
@pytest.mark.parametrize("change", FORGED_PROOFS.values(), ids=FORGED_PROOFS)
def test_what_is_forged_of_a_certificate_is_found_or_on_the_list(change):
    """Of another version the bounds may be others, and then the check's p-value follows them."""
    changes = change(record()["results"][0]["certificate"])
    made = forged(**changes)
    lines = verify(made, threads=1).differences
    assert {line.partition(".certificate.")[2].partition(":")[0] for line in lines} & {*changes}
    found = verify(of_another_version(made), threads=1)
    assert all(line.startswith("checks[exact: mean].pvalue: ") for line in found.differences)
    assert {f"results[mean].certificate.{name}" for name in changes} <= {*found.unverified}


@pytest.mark.parametrize(
    ("alternative", "factor"),
    [("two-sided", 1.0), ("two-sided", 0.5), ("greater", 2.0), ("less", 1.0), ("less", 2.0)],
)
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
    differences, said = bounded(results, questions)
    assert (len(differences), len(said)) == ((0, 1) if factor == 1 else (1, 0))
    assert certificate_of(results[0]).low == proof["low"]
