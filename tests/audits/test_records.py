"""Records of audits: canonical, as the schema says, repeatable, and not to be tampered with."""

from __future__ import annotations

import copy
import hashlib
import json
import re
from dataclasses import FrozenInstanceError, replace

import pytest
from brute import PAPER
from drawn import examples
from forged import (
    COLUMNS,
    KINDS,
    made,
    put,
    refused,
    replaced,
    signed,
    statistics,
)
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from places import DOCS

from csig import Comparison, InputError, audit, verify
from csig.audits import records
from csig.audits.records import (
    both_digests,
    canonical,
    check_record,
    comparison_digest,
    make_record,
    parse_record,
)


def test_seeds_are_kept_as_text():
    seed = (2**200 + 1, 5)
    record = made("counts", rng=seed).record
    assert record["runs"][0]["entropy"] == [str(part) for part in seed]
    assert verify(record).ok
    fresh = made("counts", rng=None).record
    assert int(fresh["runs"][0]["entropy"][0]) > 2**64
    assert verify(json.loads(canonical(fresh))).ok


# ---- the form of a record --------------------------------------


SCHEMA = records.schema()
VALIDATOR = Draft202012Validator(SCHEMA)


SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(-(2**70), 2**70), st.just(10**30),
    st.floats(allow_nan=False, allow_infinity=False).filter(lambda x: not x.is_integer()),
    st.sampled_from(["", "1", "-7", "1/3", "1/0", "x", "0" * 64, "two-sided", "PCG64", "9" * 41]),
    st.text(max_size=5),
)  # fmt: skip
VALUES = st.one_of(SCALARS, st.lists(SCALARS, max_size=3), st.dictionaries(st.text(), SCALARS))


def test_the_schema_uses_only_what_our_own_validator_knows():
    Draft202012Validator.check_schema(SCHEMA)
    known = {
        "type", "const", "enum", "maxLength", "pattern", "minimum", "maximum", "minItems",
        "maxItems", "items", "properties", "required", "additionalProperties",
    }  # fmt: skip

    def rules(rule):
        yield rule
        inner = [*rule.get("properties", {}).values()]
        inner += [rule.get("items"), rule.get("additionalProperties")]
        for own in inner:
            yield from rules(own) if isinstance(own, dict) else ()

    used = {name for rule in rules(SCHEMA) for name in rule}
    assert used - known == {"$schema", "title", "description"}


@examples(400)
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
    ours = next(records.mistakes(record, SCHEMA, ""), None)
    assert (ours is None) == VALIDATOR.is_valid(record), ours


@pytest.mark.parametrize(
    ("path", "text", "message"),
    [
        (("schema",), '"csig.compare"', "found the schema 'csig.compare', expected 'csig.audit'"),
        (("schema",), "null", "found no schema, expected 'csig.audit'"),
        (("schema_version",), "7", "schema version 7, but this csig ("),
        (("schema_version",), "1", "comparison: unknown fields 'levels', 'responses'"),
        (("schema_version",), "[]", "found schema version []"),
        (("options", "n_resamples"), "1" + "0" * 18, "options.n_resamples: found 1000000000000000"),
        (("options", "n_resamples"), str(2**48), "trials, expected at most 17,179,869,184"),
        (("options", "exact_budget"), str(2**61), "exact_budget: found 2,305,843"),
        (("comparison", "classes", 0, 0), str(2**31), "classes: found more than 16,777,216"),
        (("runs", 0, "n_resamples"), '"1024"', "runs[0].n_resamples: found str, expected integer"),
        (("runs", 0, "n_resamples"), "0", "runs[0].n_resamples: found 0, expected 1 to"),
        (("runs",), "[]", "runs: found 0 items"),
        (("runs", 0, "entropy", 0), '"-1"', "runs[0].entropy[0]: found '-1', expected the form"),
        (("runs", 0, "entropy", 0), f'"{"9" * 4001}"', "4001 characters, expected at most 4000"),
        (("runs", 0, "bit_generator"), '"os.system"', "found 'os.system', expected one of"),
        (("results", 0, "pvalue"), "NaN", "not JSON (found NaN, which is not JSON)"),
        (("results", 0, "score_a"), "1e999", "not JSON (found 1e999, which does not fit a double)"),
        (("results", 0, "score_a"), "9" * 5000, "not JSON (Exceeds the limit"),
        (("results", 0, "pvalue"), "1.5", "results[0].pvalue: found 1.5, expected 0 to 1"),
        (("passed",), '1, "passed": true', "not JSON (found the same field twice)"),
        (("passed",), 'true, "extra": 1', "record: unknown fields 'extra'"),
        (("request",), "[" * 10**5, "not JSON"),
        (("request",), '{"a": ' + "[" * 50 + "]" * 50 + "}", "request.'a'[0]: found list"),
        (("metrics", 0, "numerator"), "null", "metric 'recall' differs from csig's own"),
        (("metrics", 0, "columns", 0), '"tn"', "metric 'recall' reads 'tn'"),
        (("comparison", "classes"), "null", "has only the digest of the data"),
        (("comparison", "classes", 0), "[1]", "comparison.classes[0]: found 1 items"),
        (("comparison", "sums_a", 0), '"48"', "classes and comparison.sums contradict each"),
        (("comparison", "sums_a"), '["1"]', "comparison.sums_a: found 1 numbers for 3 columns"),
        (("comparison", "unit"), '"word"', "comparison.classes need the unit 'response'"),
        (("options", "alpha"), "0", "alpha must lie between 0 and 1"),
    ],
)  # fmt: skip
def test_what_is_refused(paper_record, path, text, message):
    assert message in refused(replaced(paper_record, path, text))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "not JSON"),
        (b"\xff\xfe", "byte offset 0 is not UTF-8"),
        (b"3", "found no schema"),
        (b'{"schema": "csig.audit"}', "found schema version None"),
        (b'{"schema": "csig.audit", "schema_version": 1}', "record: no field 'checks'"),
        (b"{} {}", "not JSON (Extra data"),
    ],
)
def test_what_is_no_record(data, message):
    assert message in refused(data)


def test_what_is_cut_or_too_large_is_refused(monkeypatch, paper_record):
    data = canonical(paper_record).encode()
    for i in range(50):
        refused(data[: len(data) * i // 50])
    refused(data[:-2])
    large = put(paper_record, ("comparison", "classes", 0, 0), 2**23)
    large = put(large, ("runs", 0, "n_resamples"), 2**33)
    assert "random words, expected at most 1,099,511,627,776" in refused(canonical(large))
    # Every chunk mixes all of a seed: a thousand numbers of 4,000 digits took 20 seconds.
    long = put(paper_record, ("runs", 2, "entropy"), ["9" * 4000] * 10)
    assert check_record(long) == long
    long = put(paper_record, ("runs", 2, "entropy"), [*["9" * 4000] * 10, "1"])
    assert refused(canonical(long)) == (
        "r.json: runs[].entropy: found a seed of 40,001 digits, expected at most 40,000"
    )
    monkeypatch.setattr(records, "MOST_BYTES", 1000)
    assert "expected a record of at most 1 GB" in refused(data)


def test_other_texts_and_paths(paper_record, tmp_path):
    data = replaced(paper_record, ("command",), '["\\ud800"]')  # surrogates are only text
    found = verify(parse_record(data.encode(), "r.json"))
    assert found.differences == ("sha256: the record was changed after it was written",)
    # Stricter than the schema, for which 1.0 is an integer too: the canonical form has 1.
    changed = put(paper_record, ("schema_version",), 6.0)
    assert VALIDATOR.is_valid(changed)
    with pytest.raises(InputError, match="schema_version: found float, expected integer"):
        check_record(changed)
    for path, message in (
        (tmp_path / "none.json", "cannot be read"), (tmp_path, "cannot be read"),
        ("a\0b", "not a path"),
    ):  # fmt: skip
        with pytest.raises(InputError, match=message):
            verify(str(path))


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
    section = text.partition("## The record")[2].partition("\n## ")[0]
    rows = re.findall(r"^- `.*(?:\n  .*)*", section, re.MULTILINE)
    documented = {name for row in rows for name in re.findall("`([^`]+)`", row)}
    fields = set(names(SCHEMA, ""))
    inner = {f for f in fields if not any(g.startswith((f"{f}.", f"{f}[")) for g in fields)}
    assert len(inner) > 50
    assert inner <= documented
    assert {name for name in documented if "[]" in name or "." in name} - fields <= {"csig.audit"}


# ---- digests ---------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_records_fit_the_schema_and_have_a_canonical_form(kept, kind):
    record = kept[kind]
    assert list(VALIDATOR.iter_errors(record)) == []
    assert check_record(record) == record
    text = canonical(record)
    assert text.isascii()
    assert text.endswith("}\n")
    backwards = dict(reversed(list(record.items())))
    assert canonical(json.loads(text)) == canonical(backwards) == text
    assert signed(record)["sha256"] == record["sha256"]
    found = verify(record)
    assert found.record_sha256 == hashlib.sha256(text.encode()).hexdigest()
    expected = (record["sha256"], found.record_sha256)
    assert both_digests(record) == both_digests(backwards) == expected


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
    comparison = Comparison.from_statistics(a, b, COLUMNS, id=ids)
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


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("comparison", "differences", 0), "1", "expected 3 numbers per unit"),
        (("comparison", "differences", 0), "0 0 0", "found a unit that does not differ"),
        (("comparison", "differences", 0), "1 2 x", "expected the form"),
        (("comparison", "differences"), [], "contradict each other"),
        (("comparison", "n_total"), None, "n_total is less than the number of differing units"),
        (("comparison", "columns"), ["tp", "gold"], "sums_a: found 3 numbers for 2 columns"),
        (("metrics", 0, "numerator"), ["2"], "f1"),  # too few weights
    ],
)
def test_units_that_are_refused(kept, path, value, message):
    assert message in refused(canonical(put(kept["units"], path, value)))


def test_what_an_audit_found(paper):
    """Checks that fail, in their order; the best results; a record, made once; and no changes."""
    assert (paper.passed, paper.failed) == (True, ())
    wrong = {"determinism: threads", "symmetry: f1, sum"}
    checks = tuple(replace(c, passed=False) if c.name in wrong else c for c in paper.checks)
    found = replace(paper, checks=checks)
    assert not found.passed
    assert [check.name for check in found.failed] == ["symmetry: f1, sum", "determinism: threads"]
    found = replace(paper, exact={"f1": paper.exact["f1"]})
    assert list(found.best) == list(paper.results)
    assert found.best["f1"] is paper.exact["f1"]
    assert found.best["recall"] is paper.results["recall"]
    record, again = paper.record, make_record(paper)
    assert record is paper.record
    for own in (record, again):
        assert {name for name in own if own[name] != record[name]} <= {"date", "sha256"}
    assert replace(paper, recorder=lambda audit: {"of": audit.alpha}).record == {"of": paper.alpha}
    with pytest.raises(FrozenInstanceError):
        paper.alpha = 0.1


@pytest.mark.parametrize(("responses", "options", "message"), [
    (2**24, {}, "comparison.classes: found more than 16,777,216 responses"),
    (9, {"n_resamples": 2**32 + 1}, "found 17,179,869,188 trials, expected at most 17,179"),
    (9, {"exact_budget": 2**32 + 1}, "options.exact_budget: found 4,294,967,297, expected at most"),
    (2**20, {"n_resamples": 2**27}, "found 536,870,912 trials of 1,048,577 units, which need"),
])  # fmt: skip
def test_no_record_is_written_that_could_not_be_verified(responses, options, message):
    """The run is refused before it starts, by the limits of the verification."""
    counts = {"only_a_correct": responses, "only_b_correct": 1}
    found = Comparison.from_counts(gold=2 * responses, **counts)
    with pytest.raises(InputError, match=f"^the record of this audit .* verified: {message}"):
        audit(found, "recall", rng=1, **options)


def test_a_field_of_a_record_ends_where_its_form_ends():
    record = audit(
        Comparison.from_scores([1, 2, 3], [2, 2, 1.5]), "mean", rng=1, n_resamples=64
    ).record
    record["comparison"]["sums_a"][0] += "\n"
    with pytest.raises(InputError, match=r"comparison\.sums_a\[0\]: found"):
        verify(record)
