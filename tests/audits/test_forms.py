"""The form of a record: the schema, and what is refused."""

from __future__ import annotations

import copy
import re

import pytest
from drawn import examples
from forged import (
    KINDS,
    put,
    refused,
    replaced,
)
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from places import DOCS

from csig import InputError, verify
from csig.audits import forms, records
from csig.audits.digests import canonical
from csig.audits.forms import check_record, parse_record

SCHEMA = records.schema()
VALIDATOR = Draft202012Validator(SCHEMA)


SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(-(2**70), 2**70), st.just(10**30),
    st.floats(allow_nan=False, allow_infinity=False).filter(lambda x: not x.is_integer()),
    st.sampled_from(["", "1", "-7", "1/3", "1/0", "x", "0" * 64, "two-sided", "PCG64", "9" * 41]),
    st.text(max_size=5),
)  # fmt: skip
VALUES = st.one_of(SCALARS, st.lists(SCALARS, max_size=3), st.dictionaries(st.text(), SCALARS))


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
    ours = next(forms.mistakes(record, SCHEMA, ""), None)
    assert (ours is None) == VALIDATOR.is_valid(record), ours


def test_truncated(paper_record):
    data = canonical(paper_record).encode()
    for i in range(50):
        refused(data[: len(data) * i // 50])
    refused(data[:-2])


@pytest.mark.parametrize(
    ("path", "text", "message"),
    [
        (("schema",), '"csig.compare"', "found the schema 'csig.compare', expected 'csig.audit'"),
        (("schema",), "null", "found no schema, expected 'csig.audit'"),
        (("schema_version",), "6", "schema version 6, but this csig ("),
        (("schema_version",), "1", "comparison: unknown fields 'levels', 'responses'"),
        (("schema_version",), "[]", "found schema version []"),
        (("schema_version",), "true", "schema_version: found bool, expected integer"),
        (("options", "n_resamples"), "1" + "0" * 18, "options.n_resamples: found 1000000000000000"),
        (("options", "n_resamples"), str(2**48), "trials, expected at most 17,179,869,184"),
        (("runs", 1, "n_resamples"), str(2**34), "trials, expected at most 17,179,869,184"),
        (("options", "exact_budget"), str(2**61), "exact_budget: found 2,305,843"),
        (("comparison", "classes", 0, 0), str(2**31), "classes: found more than 16,777,216"),
        (("runs", 0, "n_resamples"), '"1024"', "runs[0].n_resamples: found str, expected integer"),
        (("runs", 0, "n_resamples"), "0", "runs[0].n_resamples: found 0, expected 1 to"),
        (("runs", 0, "hits"), "{}", "runs[0].hits: found dict, expected array"),
        (("runs",), "[]", "runs: found 0 items"),
        (("runs", 0, "entropy", 0), '"-1"', "runs[0].entropy[0]: found '-1', expected the form"),
        (("runs", 0, "entropy", 0), f'"{"9" * 4001}"', "4001 characters, expected at most 4000"),
        (("runs", 0, "bit_generator"), '"os.system"', "found 'os.system', expected one of"),
        (("results", 0, "pvalue"), "NaN", "not JSON (found NaN, which is not JSON)"),
        (("results", 0, "pvalue"), "-Infinity", "not JSON (found -Infinity, which is"),
        (("results", 0, "score_a"), "1e999", "not JSON (found 1e999, which does not fit a double)"),
        (("results", 0, "score_a"), "9" * 5000, "not JSON (Exceeds the limit"),
        (("results", 0, "pvalue"), "1.5", "results[0].pvalue: found 1.5, expected 0 to 1"),
        (("passed",), '1, "passed": true', "not JSON (found the same field twice)"),
        (("passed",), "1", "passed: found int, expected boolean"),
        (("passed",), 'true, "extra": 1', "record: unknown fields 'extra'"),
        (("request",), "[" * 10**5, "not JSON"),
        (("request",), '{"a": ' + "[" * 50 + "]" * 50 + "}", "request.'a'[0]: found list"),
        (("metrics", 0, "denominator", 0), '"1/0"', "found '1/0', expected the form"),
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
        (b"[]", "found no schema"),
        (b"\xff\xfe", "byte offset 0 is not UTF-8"),
        (b"3", "found no schema"),
        (b'{"schema": "csig.audit"}', "found schema version None"),
        (b'{"schema": "csig.audit", "schema_version": 1}', "record: no field 'checks'"),
        (b"{} {}", "not JSON (Extra data"),
    ],
)
def test_what_is_no_record(data, message):
    assert message in refused(data)


def test_too_much_to_draw(paper_record):
    record = put(paper_record, ("comparison", "classes", 0, 0), 2**23)
    record = put(record, ("runs", 0, "n_resamples"), 2**33)
    assert "random words, expected at most 1,099,511,627,776" in refused(canonical(record))


def test_a_seed_that_is_too_long(paper_record):
    """Every chunk mixes all of it: a thousand numbers of 4,000 digits took 20 seconds."""
    record = put(paper_record, ("runs", 2, "entropy"), ["9" * 4000] * 10)
    assert check_record(record) == record
    record = put(paper_record, ("runs", 2, "entropy"), [*["9" * 4000] * 10, "1"])
    message = refused(canonical(record))
    assert message == (
        "r.json: runs[].entropy: found a seed of 40,001 digits, expected at most 40,000"
    )


def test_a_record_that_is_too_large(monkeypatch, paper_record):
    monkeypatch.setattr(forms, "MOST_BYTES", 1000)
    assert "expected a record of at most 1 GB" in refused(canonical(paper_record))


def test_surrogates_are_only_text(paper_record):
    data = replaced(paper_record, ("command",), '["\\ud800"]')
    found = verify(parse_record(data.encode(), "r.json"))
    assert found.differences == ("sha256: the record was changed after it was written",)


def test_paths_that_cannot_be_read(tmp_path):
    with pytest.raises(InputError, match="cannot be read"):
        verify(str(tmp_path / "none.json"))
    with pytest.raises(InputError, match="cannot be read"):
        verify(str(tmp_path))
    with pytest.raises(InputError, match="not a path"):
        verify("a\0b")


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


def test_whole_numbers_are_written_as_such(paper_record):
    """Stricter than the schema, for which 1.0 is an integer too: the canonical form has 1."""
    changed = put(paper_record, ("schema_version",), 5.0)
    assert VALIDATOR.is_valid(changed)
    with pytest.raises(InputError, match="schema_version: found float, expected integer"):
        check_record(changed)
