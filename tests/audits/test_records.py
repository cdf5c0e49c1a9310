"""Records of audits: canonical, as the schema says, repeatable, and not to be tampered with."""

from __future__ import annotations

import copy
import hashlib
import json
import os
import random
import re
import runpy
import subprocess
import sys

import pytest
from brute import PAPER
from forged import (
    COLUMNS,
    COMPARISONS,
    GOLDEN,
    KINDS,
    SECOND,
    changed,
    made,
    put,
    signed,
    statistics,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from places import DOCS, EXAMPLES

import csig
from csig import Comparison, InputError, Metric, audit, verify
from csig.audits import forms, rebuilding, records
from csig.audits.checks import RISK, Check, decided
from csig.audits.digests import both_digests, canonical, comparison_digest, record_digest
from csig.audits.forms import check_record, parse_record
from csig.audits.records import make_record


@pytest.fixture(scope="module")
def kept():
    """A record of every kind."""
    return {kind: made(kind).record for kind in KINDS}


@pytest.fixture(scope="module")
def paper():
    return audit(Comparison.from_counts(**PAPER), ["recall", "f1"], n_resamples=2**10, rng=1).record


def leaves(value, path=()):
    """Every path to what is no list and no object, with the value there."""
    if isinstance(value, (dict, list)):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, inner in items:
            yield from leaves(inner, (*path, key))
    else:
        yield path, value


# ---- the canonical form ------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_canonical_form(kept, kind):
    record = kept[kind]
    text = canonical(record)
    assert text.isascii()
    assert text.endswith("}\n")
    assert canonical(json.loads(text)) == text
    backwards = dict(reversed(list(record.items())))
    assert canonical(backwards) == text
    assert signed(record)["sha256"] == record["sha256"]
    found = verify(record)
    assert found.record_sha256 == hashlib.sha256(text.encode()).hexdigest()
    expected = (record["sha256"], found.record_sha256)
    assert both_digests(record) == both_digests(backwards) == expected


def test_the_same_audit_gives_the_same_record():
    one, two = (made("counts", threads=n).record for n in (1, 3))
    for record in (one, two):
        del record["date"], record["sha256"]
    assert canonical(one) == canonical(two)


def test_seeds_are_kept_as_text():
    seed = (2**200 + 1, 5)
    record = made("counts", rng=seed).record
    assert record["runs"][0]["entropy"] == [str(part) for part in seed]
    assert verify(record).ok
    fresh = made("counts", rng=None).record
    assert int(fresh["runs"][0]["entropy"][0]) > 2**64
    assert verify(json.loads(canonical(fresh))).ok


def test_chunks_are_digested_as_documented():
    found = made("counts", n=2**16 + 5)
    run = found.runs[0]
    assert list(run.chunk_hits) == [0, 1]
    lines = [f"{chunk} {' '.join(map(str, hits))}\n" for chunk, hits in run.chunk_hits.items()]
    expected = hashlib.sha256("".join(lines).encode()).hexdigest()
    assert found.record["runs"][0]["chunks_sha256"] == expected


def test_data_are_digested_as_documented():
    a, b = statistics(30)
    ids = [f"u{i:02}" for i in range(30)]
    comparison = Comparison.from_statistics(a, b, COLUMNS, ids=ids)
    d = a - b
    moving = d.any(axis=1)
    head = ["unit", COLUMNS, *([str(v) for v in x.sum(axis=0)] for x in (a, b)), ["1"] * 3, "0"]
    head[0] = comparison.unit
    expected = json.dumps(head).encode() + d[moving].astype("<i8").tobytes()
    assert comparison_digest(comparison) == hashlib.sha256(expected).hexdigest()
    record = audit(comparison, "f1", n_resamples=64, rng=1).record
    lines = "".join(f"{key}\n" for key, moves in zip(ids, moving, strict=True) if moves)
    assert record["comparison"]["ids_digest"] == hashlib.sha256(lines.encode()).hexdigest()
    counts = Comparison.from_counts(**PAPER)
    head = [
        "response", COLUMNS, ["47", "95", "103"], ["25", "39", "103"], ["1"] * 3, "0",
        [28, 6], [43, 9],
    ]  # fmt: skip
    assert comparison_digest(counts) == hashlib.sha256(json.dumps(head).encode()).hexdigest()


# ---- the schema --------------------------------------------------------------------------------

SCHEMA = records.schema()
VALIDATOR = Draft202012Validator(SCHEMA)


def test_the_schema_is_one():
    Draft202012Validator.check_schema(SCHEMA)


def test_the_schema_uses_only_what_our_own_validator_knows():
    known = {
        "type", "const", "enum", "maxLength", "pattern", "minimum", "maximum", "minItems",
        "maxItems", "items", "properties", "required", "additionalProperties",
    }  # fmt: skip

    def rules(rule):
        yield rule
        for inner in rule.get("properties", {}).values():
            yield from rules(inner)
        for name in ("items", "additionalProperties"):
            if isinstance(rule.get(name), dict):
                yield from rules(rule[name])

    used = {name for rule in rules(SCHEMA) for name in rule}
    assert used - known == {"$schema", "title", "description"}


@pytest.mark.parametrize("kind", KINDS)
def test_records_fit_the_schema(kept, kind):
    assert list(VALIDATOR.iter_errors(kept[kind])) == []
    assert check_record(kept[kind]) == kept[kind]


SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(-(2**70), 2**70), st.just(10**30),
    st.floats(allow_nan=False, allow_infinity=False).filter(lambda x: not x.is_integer()),
    st.sampled_from(["", "1", "-7", "1/3", "1/0", "x", "0" * 64, "two-sided", "PCG64", "9" * 41]),
    st.text(max_size=5),
)  # fmt: skip
VALUES = st.one_of(SCALARS, st.lists(SCALARS, max_size=3), st.dictionaries(st.text(), SCALARS))


@settings(max_examples=400)
@given(data=st.data())
def test_both_validators_agree(kept, data):
    """A field deleted, another value, a field more: both accept it or both refuse."""
    record = copy.deepcopy(kept[data.draw(st.sampled_from(KINDS))])
    for _ in range(data.draw(st.integers(1, 2))):
        place, key = record, data.draw(st.sampled_from(sorted(record)))
        while isinstance(place[key], (dict, list)) and place[key] and data.draw(st.booleans()):
            place = place[key]
            keys = sorted(place) if isinstance(place, dict) else range(len(place))
            key = data.draw(st.sampled_from(keys))
        change = data.draw(st.sampled_from(["delete", "replace", "replace", "add"]))
        if change == "delete":
            del place[key]
        elif change == "replace" or isinstance(place, list):
            place[key] = data.draw(VALUES)
        else:
            place[data.draw(st.text(min_size=1, max_size=3))] = data.draw(VALUES)
        if not record:
            break
    ours = next(forms.mistakes(record, SCHEMA, ""), None)
    assert (ours is None) == VALIDATOR.is_valid(record), ours


def test_whole_numbers_are_written_as_such(paper):
    """Stricter than the schema, for which 1.0 is an integer too: the canonical form has 1."""
    changed = put(paper, ("schema_version",), 2.0)
    assert VALIDATOR.is_valid(changed)
    with pytest.raises(InputError, match="schema_version: found float, expected integer"):
        check_record(changed)


# ---- verification ------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_verifies(kept, kind):
    found = verify(kept[kind], threads=1)
    assert found.differences == ()
    assert found.ok
    assert found.compared > 100
    assert not found.independent


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_verifies_in_pure_numpy(kept, kind):
    plain, found = verify(kept[kind]), verify(kept[kind], independent=True)
    assert found.ok
    assert found.independent
    hits = sum(len(run["hits"]) for run in kept[kind]["runs"])
    assert found.compared == plain.compared + hits


@pytest.mark.parametrize("kind", KINDS)
def test_the_data_read_anew(kept, kind):
    comparison, _ = COMPARISONS[kind]()
    assert verify(kept[kind], comparison=comparison).ok
    other = Comparison.from_counts(**{**PAPER, "only_a_correct": 27})
    found = verify(kept[kind], comparison=other)
    assert found.differences == (
        "inputs: the data read from them are not those of the record (another digest)",
    )


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_alternatives_verify(alternative):
    for kind in ("counts", "scores", "labels"):
        assert verify(made(kind, alternative=alternative).record, independent=True).ok


@pytest.mark.parametrize("name", ["randu", "randu-top", "PCG64", "MT19937"])
def test_audits_that_fail_verify_too(name):
    record = made("counts", bit_generator=name, allow_bad_generator=True).record
    assert record["passed"] is (name not in ("randu", "randu-top"))
    assert verify(record, independent=True).ok


def test_metrics_with_weights_of_ones_own_verify():
    own = Metric("mine", COLUMNS, numerator=(2, "-1/3", 0), denominator=(0, 0, 3))
    comparison, _ = COMPARISONS["units"]()
    record = audit(comparison, own, n_resamples=256, rng=1).record
    assert record["metrics"][0]["numerator"] == ["2", "-1/3", "0"]
    assert verify(record, independent=True).ok


def test_functions_of_ones_own_do_not():
    comparison, _ = COMPARISONS["labels"]()
    columns = comparison.columns[:2]
    own = Metric("mine", columns, function=lambda sums: sums[:, 0] / sums[:, 1])
    record = audit(comparison, own, n_resamples=256, rng=1).record
    with pytest.raises(InputError, match="'mine' is a function that csig does not know"):
        verify(record)


def run(*arguments, **environment):
    return subprocess.run(
        [sys.executable, "-P", "-m", "csig.cli", *map(str, arguments)],
        env=os.environ | environment, capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_with_one_thread_and_the_plainest_instructions(tmp_path, kind):
    """A record made with several threads and the best instructions of this processor."""
    path = tmp_path / "record.json"
    n = 2**13 if kind in ("scores", "labels") else 2**16 + 100
    path.write_text(canonical(made(kind, n=n, threads=3).record))
    done = run("verify", path, "--threads", "1", CSIG_ISA="base")
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_instruction_set_of_the_record(tmp_path):
    """The one that was used, not the best there is."""
    counts = EXAMPLES / "yeh2000.toml"
    options = ("--counts", counts, "--resamples", "640", "--seed", "1", "--record", "-")
    done = run("audit", *options, CSIG_ISA="base")
    assert json.loads(done.stdout)["environment"]["instruction_set"] == "base"


def test_an_old_record_verifies():
    """Made by the first version that wrote records: it must verify for ever.

    It is csig.audit of the paper's counts, ["recall", "precision", "f1"], 2^17 trials, seed 1.
    """
    record = parse_record(GOLDEN.read_bytes(), "audit-1.json")
    assert canonical(record).encode() == GOLDEN.read_bytes()
    assert record["environment"]["csig"] == "0.1.0.dev0"  # the words of checks may change
    hits = {(r["metric"], r["tail"]): r["hits"] for r in record["runs"][0]["hits"]}
    assert (hits["f1", "two-sided"], record["passed"]) == (3874, True)
    assert verify(str(GOLDEN), independent=True).ok


def test_the_first_record_of_version_2_verifies():
    """It has a run of single responses, because sentences are swapped."""
    record = parse_record(SECOND.read_bytes(), "audit-2.json")
    assert canonical(record).encode() == SECOND.read_bytes()
    assert (record["schema_version"], len(record["runs"]), record["passed"]) == (2, 4, True)
    assert verify(str(SECOND), independent=True).ok


def test_the_data_of_the_record_of_version_2():
    """The program that made it makes the same data, and two more hits are no longer its."""
    made = runpy.run_path(str(SECOND.with_name("audit_2.py")))["comparison"]()
    record = json.loads(SECOND.read_text(encoding="utf-8"))
    assert verify(record, comparison=made).ok
    record["runs"][3]["hits"][0]["hits"] += 2
    record["sha256"] = record_digest(record)
    assert not verify(record, comparison=made).ok


def test_an_old_record_has_the_checks_of_its_time():
    """A check that came later is not asked of it, and does not count for the limit either."""
    checks = [
        Check(
            name=name, what="", observed="", expected="", pvalue=0.5, passed=None, sentence="",
            since=since, until=until,
        )
        for name, since, until in (("always", 1, 9), ("new", 2, 9), ("gone", 1, 1))
    ]  # fmt: skip
    for edition, names in ((1, ["always", "gone"]), (2, ["always", "new"])):
        found = decided(checks, edition)
        assert [check.name for check in found] == names
        assert {check.limit for check in found} == {RISK / 2}


@pytest.mark.parametrize("kind", KINDS)
def test_responses_are_known_at_every_unit(kept, kind):
    comparison, _ = COMPARISONS[kind]()
    again = rebuilding.rebuilt(kept[kind], "record")
    for own in (comparison, again):
        single = own.by_response()
        assert (single is None) == (kind not in ("counts", "responses", "keys"))
        if single is not None:
            expected = comparison.at("response").classes
            assert (single.unit, single.classes, single.units) == ("response", expected, None)
            assert single.sums_a == comparison.sums_a


# ---- tampering ---------------------------------------------------------------------------------


#: What nothing can be recomputed of, but the whole record's SHA-256 covers it.
CIRCUMSTANCES = {"date", "environment", "command", "request", "inputs"}
WORDS = {"what", "observed", "expected", "sentence"}

#: Changes to these may alter no number: the result is the record of another audit, and is right.
OTHER_AUDITS = {
    ("options", "alpha"), ("options", "exact_budget"), ("options", "allow_bad_generator"),
    ("options", "zero_division"), ("comparison", "names", 0), ("comparison", "names", 1),
    ("metrics", 0, "greater_is_better"), ("metrics", 1, "greater_is_better"),
}  # fmt: skip


def outcome(record):
    """What verification says: differences, or the message of its refusal."""
    try:
        return list(verify(record, threads=1).differences)
    except InputError as error:
        return [str(error)]


def test_any_field_that_changes_is_found(paper):
    """By the SHA-256 alone, whatever it is; nothing else needs to be wrong."""
    paths = [
        (path, value) for path, value in leaves(paper)
        if value is not None and (path[0] not in ("runs", "checks") or path[1] in (0, 2, 25))
    ]  # fmt: skip
    assert len(paths) > 100
    for path, value in paths:
        if path == ("date",):
            value = "2020-01-01T00:00:00Z"
        other = "2021-01-01T00:00:00Z" if path == ("date",) else changed(value)
        assert outcome(put(paper, path, other)), path


def test_a_forger_with_a_right_sum_is_found(paper):
    """The numbers do not come out: each is named, or the record contradicts itself."""
    unseen = set()
    for path, value in leaves(paper):
        if value is None or path[0] in CIRCUMSTANCES | {"sha256"} or path[-1] in WORDS:
            continue
        if path[0] == "checks" and path[1] % 4:  # one in four, for the time it takes
            continue
        lines = outcome(signed(put(paper, path, changed(value))))
        if not lines:
            unseen.add(path)
        elif path[0] in ("runs", "results", "checks", "passed"):
            assert any(line.startswith(path[0]) for line in lines), (path, lines)
        if path[-1] == "hits":
            what = paper["runs"][path[1]]["hits"][path[3]]
            line = (
                f"runs[{path[1]}].hits[{what['metric']}].hits: {value + 1} in the record, "
                f"{value} now"
            )
            assert lines == [line]
        elif path[-1] in ("entropy", "chunks_sha256") or "entropy" in path:
            assert any(line.startswith("runs[") for line in lines), lines
    independence = next(
        i for i, check in enumerate(paper["checks"]) if check["name"] == "independence"
    )
    assert unseen <= OTHER_AUDITS | {("checks", independence, "statistic")}


@pytest.mark.parametrize("kind", ["units", "scores", "labels", "clusters"])
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


def test_the_independence_check_is_repeated_from_the_inputs(paper, kept):
    """And without them where the record has the counts of responses."""
    for record in (paper, kept["responses"], kept["keys"]):
        i = next(i for i, check in enumerate(record["checks"]) if check["name"] == "independence")
        right = record["checks"][i]["statistic"]
        lines = verify(signed(put(record, ("checks", i, "statistic"), 0.1))).differences
        assert lines == (f"checks[independence].statistic: 0.1 in the record, {right!r} now",)
    i = next(i for i, c in enumerate(kept["scores"]["checks"]) if c["name"] == "independence")
    forged = signed(put(kept["scores"], ("checks", i, "statistic"), 0.1))
    found = verify(forged)
    assert found.ok
    assert "checks[independence].statistic" in found.unverified
    lines = verify(forged, comparison=COMPARISONS["scores"]()[0]).differences
    assert len(lines) == 1
    assert lines[0].startswith("checks[independence].statistic: 0.1 in the record, ")


def test_a_number_that_pure_numpy_does_not_get(paper):
    hits = paper["runs"][1]["hits"][0]["hits"]
    forged = signed(put(paper, ("runs", 1, "hits", 0, "hits"), hits - 1))
    lines = verify(forged, independent=True).differences
    assert lines[-1] == (
        f"run 1, recall (two-sided): {hits - 1} hits in the record, {hits} in pure numpy"
    )


@pytest.mark.parametrize("kind", ["counts", "keys", "clusters", "labels", "scores"])
def test_checks_left_out_or_added_are_missed(kept, kind):
    """Those that inform only, too."""
    record = kept[kind]
    checks = record["checks"]
    for i, check in enumerate(checks):
        lines = verify(signed({**record, "checks": checks[:i] + checks[i + 1 :]})).differences
        assert lines[0] == f"checks[{check['name']}]: not in the record"
    more = [*checks, {**checks[-2], "name": "dependence: paragraph"}]
    lines = verify(signed({**record, "checks": more})).differences
    assert lines == ("checks[dependence: paragraph]: only in the record",)
    doubled = verify(signed({**record, "checks": [*checks, checks[-1]]})).differences
    moved = verify(signed({**record, "checks": [*checks[1:], checks[0]]})).differences
    for lines in (doubled, moved):
        assert [line for line in lines if line.startswith("checks: ")]


# ---- records without the data ------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["units", "scores", "labels", "clusters", "keys"])
def test_a_record_with_only_the_digest(kind):
    found = made(kind)
    record = make_record(found, table=False)
    assert record["comparison"]["differences"] is None
    with pytest.raises(InputError, match="holds only the digest of the data; give its inputs"):
        verify(record)
    comparison, _ = COMPARISONS[kind]()
    assert verify(record, comparison=comparison, independent=True).ok


def test_other_data_are_found():
    a, b = statistics(30)
    record = make_record(
        audit(Comparison.from_statistics(a, b, COLUMNS), "f1", n_resamples=256, rng=1), table=False
    )
    a[4, 0], a[5, 0] = a[4, 0] + 1, a[5, 0] - 1  # the sums are the same
    lines = verify(record, comparison=Comparison.from_statistics(a, b, COLUMNS)).differences
    assert lines[0].startswith("inputs: the data read from them are not those of the record")
    assert any(line.startswith("comparison.digest: ") for line in lines)


# ---- broken records ----------------------------------------------------------------------------


def refused(data):
    """The one line with which something is refused."""
    with pytest.raises(InputError) as caught:
        verify(parse_record(data if isinstance(data, bytes) else data.encode(), "r.json"))
    message = str(caught.value)
    assert "\n" not in message
    assert len(message) < 500
    return message


def test_truncated(paper):
    data = canonical(paper).encode()
    for i in range(50):
        refused(data[: len(data) * i // 50])
    refused(data[:-2])


def replaced(record, path, text):
    """The record's text with something else at a path, which may be no JSON."""
    mark = "\x01\x02"
    return canonical(put(record, path, mark)).replace(json.dumps(mark), text)


@pytest.mark.parametrize(
    ("path", "text", "message"),
    [
        (("schema",), '"csig.compare"', "found the schema 'csig.compare', expected 'csig.audit'"),
        (("schema",), "null", "found no schema, expected 'csig.audit'"),
        (("schema_version",), "3", "schema version 3, this csig ("),
        (("schema_version",), "1", "comparison: unknown fields 'levels', 'responses'"),
        (("schema_version",), "[]", "found schema version []"),
        (("schema_version",), "true", "schema_version: found bool, expected integer"),
        (("options", "n_resamples"), "1" + "0" * 18, "options.n_resamples: found 1000000000000000"),
        (("options", "n_resamples"), str(2**48), "trials, expected 17,179,869,184 at most"),
        (("runs", 1, "n_resamples"), str(2**34), "trials, expected 17,179,869,184 at most"),
        (("options", "exact_budget"), str(2**61), "exact_budget: found 2,305,843"),
        (("comparison", "classes", 0, 0), str(2**31), "classes: found more than 16,777,216"),
        (("runs", 0, "n_resamples"), '"1024"', "runs[0].n_resamples: found str, expected integer"),
        (("runs", 0, "n_resamples"), "0", "runs[0].n_resamples: found 0, expected 1 to"),
        (("runs", 0, "hits"), "{}", "runs[0].hits: found dict, expected array"),
        (("runs",), "[]", "runs: found 0 items"),
        (("runs", 0, "entropy", 0), '"-1"', "runs[0].entropy[0]: found '-1', expected the form"),
        (("runs", 0, "entropy", 0), f'"{"9" * 4001}"', "found 4001 characters, expected 4000"),
        (("runs", 0, "bit_generator"), '"os.system"', "found 'os.system', expected one of"),
        (("results", 0, "pvalue"), "NaN", "found no JSON (found NaN, which is no JSON)"),
        (("results", 0, "pvalue"), "-Infinity", "found no JSON (found -Infinity, which is"),
        (("results", 0, "score_a"), "1e999", "found no JSON (found 1e999, which no double holds)"),
        (("results", 0, "score_a"), "9" * 5000, "found no JSON (Exceeds the limit"),
        (("results", 0, "pvalue"), "1.5", "results[0].pvalue: found 1.5, expected 0 to 1"),
        (("passed",), '1, "passed": true', "found no JSON (a field is there twice)"),
        (("passed",), "1", "passed: found int, expected boolean"),
        (("passed",), 'true, "extra": 1', "record: unknown fields 'extra'"),
        (("request",), "[" * 10**5, "found no JSON"),
        (("request",), '{"a": ' + "[" * 50 + "]" * 50 + "}", "request.'a'[0]: found list"),
        (("metrics", 0, "denominator", 0), '"1/0"', "found '1/0', expected the form"),
        (("metrics", 0, "numerator"), "null", "metric 'recall' is not the one that csig knows"),
        (("metrics", 0, "columns", 0), '"tn"', "metric 'recall' reads 'tn'"),
        (("comparison", "classes"), "null", "holds only the digest of the data"),
        (("comparison", "classes", 0), "[1]", "comparison.classes[0]: found 1 items"),
        (("comparison", "sums_a", 0), '"48"', "classes and comparison.sums contradict each"),
        (("comparison", "sums_a"), '["1"]', "comparison.sums_a: found 1 numbers for 3 columns"),
        (("comparison", "unit"), '"word"', "comparison.classes are of responses"),
        (("options", "alpha"), "0", "alpha must lie between 0 and 1"),
    ],
)  # fmt: skip
def test_what_is_refused(paper, path, text, message):
    assert message in refused(replaced(paper, path, text))


def test_too_few_weights(paper):
    weights = paper["metrics"][0]["numerator"]
    assert "recall" in refused(canonical(put(paper, ("metrics", 0, "numerator"), weights[:1])))


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("comparison", "differences", 0), "1", "expected 3 numbers a unit"),
        (("comparison", "differences", 0), "0 0 0", "found a unit that does not differ"),
        (("comparison", "differences", 0), "1 2 x", "expected the form"),
        (("comparison", "differences"), [], "contradict each other"),
        (("comparison", "n_total"), 1, "n_total is less than the units that differ"),
        (("comparison", "n_total"), None, "n_total is less than the units that differ"),
        (("comparison", "columns"), ["tp", "gold"], "sums_a: found 3 numbers for 2 columns"),
    ],
)
def test_units_that_are_refused(kept, path, value, message):
    assert message in refused(canonical(put(kept["units"], path, value)))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "found no JSON"),
        (b"[]", "found no schema"),
        (b"\xff\xfe", "byte offset 0 is not UTF-8"),
        (b"3", "found no schema"),
        (b'{"schema": "csig.audit"}', "found schema version None"),
        (b'{"schema": "csig.audit", "schema_version": 1}', "record: no field 'checks'"),
        (b"{} {}", "found no JSON (Extra data"),
    ],
)
def test_what_is_no_record(data, message):
    assert message in refused(data)


def test_too_much_to_draw(paper):
    record = put(paper, ("comparison", "classes", 0, 0), 2**23)
    record = put(record, ("runs", 0, "n_resamples"), 2**33)
    assert "random words, expected 1,099,511,627,776 at most" in refused(canonical(record))


def test_a_seed_that_is_too_long(paper):
    """Every chunk mixes all of it: a thousand numbers of 4,000 digits took 20 seconds."""
    record = put(paper, ("runs", 2, "entropy"), ["9" * 4000] * 10)
    assert check_record(record) == record
    record = put(paper, ("runs", 2, "entropy"), [*["9" * 4000] * 10, "1"])
    message = refused(canonical(record))
    assert message == (
        "r.json: runs[].entropy: found a seed of 40,001 digits, expected at most 40,000"
    )


def test_a_record_of_the_longest_seed_verifies():
    assert verify(made("counts", rng=[10**39 + i for i in range(1000)]).record).ok


def test_a_record_that_is_too_large(monkeypatch, paper):
    monkeypatch.setattr(forms, "MOST_BYTES", 1000)
    assert "expected a record of 1 GB at most" in refused(canonical(paper))


def test_surrogates_are_only_text(paper):
    data = replaced(paper, ("command",), '["\\ud800"]')
    found = verify(parse_record(data.encode(), "r.json"))
    assert found.differences == ("sha256: the record was changed after it was written",)


@pytest.mark.parametrize(
    "value",
    [float("nan"), float("inf"), object(), {1}, 10**5000],
    ids=["nan", "inf", "object", "set", "huge"],
)
def test_mappings_that_json_cannot_hold(paper, value):
    with pytest.raises(InputError, match="record: found what JSON cannot hold"):
        verify(put(paper, ("results", 0, "score_a"), value))


def test_paths_that_cannot_be_read(tmp_path):
    with pytest.raises(InputError, match="cannot be read"):
        verify(str(tmp_path / "none.json"))
    with pytest.raises(InputError, match="cannot be read"):
        verify(str(tmp_path))
    with pytest.raises(InputError, match="not a path"):
        verify("a\0b")


# ---- fuzzing -----------------------------------------------------------------------------------

ODD = [
    None, True, 0, 1, -1, 63, 65, 10**6, 10**18, 2**62, 2**64, 0.5, -0.0, 1e308, 5e-324, "", "0",
    "1", "-1", "1/3", "9" * 18, "9" * 40, "x", "less", "mean", "f1", "mcc", "tp", "response",
    "randu", "MT19937", "\ud800", "\u00e9\n", [], {}, [1], ["1"], [[1, 2], [3, 4]], ["1 2", "0 1"],
]  # fmt: skip


def places(value):
    """Every list and object with each of its keys."""
    if isinstance(value, (dict, list)):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield value, key
            yield from places(value[key])


def near(value, rng):
    """A value of the same type, close by, so that more than the schema is reached."""
    if type(value) is int:
        return value + rng.choice([-1, 1, 2, -value, 1000])
    if type(value) is float:
        return value * rng.choice([-1, 0.5, 2, 1 + 1e-7])
    if isinstance(value, str) and value[-1:].isdigit():
        return value[:-1] + str(rng.randrange(10))
    return rng.choice(ODD)


def mutated(record, rng):
    record = copy.deepcopy(record)
    for _ in range(rng.choice([1, 1, 1, 2, 4])):
        place, key = rng.choice(list(places(record)))
        change = rng.random()
        if change < 0.05:
            del place[key]
        elif change < 0.1 and isinstance(place, list):
            place.append(place[key])
        elif change < 0.15 and isinstance(place, dict):
            place["more"] = rng.choice(ODD)
        else:
            place[key] = near(place[key], rng) if change < 0.7 else rng.choice(ODD)
    return json.dumps(record).encode()


def garbled(data, rng):
    data = bytearray(data)
    for _ in range(rng.choice([1, 1, 3])):
        i, change = rng.randrange(len(data)), rng.random()
        if change < 0.4:
            data[i] = rng.randrange(256)
        elif change < 0.7:
            data[i] = rng.choice(b'0123456789-eE."[]{},:')
        elif change < 0.85:
            del data[i : i + rng.choice([1, 5, 100])]
        else:
            data[i:i] = data[rng.randrange(len(data)) :][: rng.choice([1, 10, 50])]
    return bytes(data)


def test_fuzzed_records_are_verified_or_refused():
    """Nothing but InputError. CSIG_FUZZED_RECORDS=10000 takes some minutes."""
    rng = random.Random(20001030)
    found = [made(kind, n=64).record for kind in ("counts", "scores", "labels", "units")]
    verified = differing = 0
    for _ in range(int(os.environ.get("CSIG_FUZZED_RECORDS", "1000"))):
        record = rng.choice(found)
        fields = rng.random() < 0.75
        data = mutated(record, rng) if fields else garbled(canonical(record).encode(), rng)
        try:
            outcome = verify(parse_record(data, "r.json"), threads=1)
        except InputError as error:
            assert "\n" not in str(error)  # noqa: PT017
        else:
            verified += 1
            differing += not outcome.ok
    assert verified > 100
    assert differing > 100


def test_every_field_is_in_the_docs():
    """By its whole name; and the docs name no field that is none."""

    def names(rule, path):
        if path:
            yield path
        for name, inner in rule.get("properties", {}).items():
            yield from names(inner, f"{path}.{name}" if path else name)
        if "items" in rule:
            yield from names(rule["items"], f"{path}[]")

    text = (DOCS / "audit.md").read_text(encoding="utf-8")
    rows = re.findall("^[|] `.*$", text, re.MULTILINE)
    documented = {name for row in rows for name in re.findall("`([^`]+)`", row)}
    fields = set(names(SCHEMA, ""))
    inner = {f for f in fields if not any(g.startswith((f"{f}.", f"{f}[")) for g in fields)}
    assert len(inner) > 50
    assert inner <= documented
    assert {name for name in documented if "[]" in name or "." in name} - fields <= {"csig.audit"}


def test_the_python_of_the_docs_runs():
    text = (DOCS / "audit.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert len(blocks) == 1
    namespace = {"csig": csig}
    exec(blocks[0], namespace)
    assert namespace["audit"].passed
