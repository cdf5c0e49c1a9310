"""Records of audits: canonical, as the schema says, repeatable, and not to be tampered with."""

import copy
import hashlib
import json
import re
from dataclasses import FrozenInstanceError, replace
from functools import cache
from pathlib import Path

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
from printed import expected, printed, rewrite

from csig import Comparison, InputError, audit, verify
from csig.audits import records
from csig.audits.records import check_record, comparison_digest, make_record, parse_record
from csig.report.records import both_digests, canonical

# ---- the form of a record --------------------------------------


PRINTED = Path(__file__).with_name("records.txt")
as_json, SCHEMA = json.dumps, records.schema()
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


@cache
def record_of(kind):
    if kind == "counts":
        comparison = Comparison.from_counts(**PAPER)
        return audit(comparison, ["recall", "f1"], n_resamples=2**10, rng=1).record
    return made(kind).record


def said(data):
    """Why it is no record, without what Python says of JSON."""
    return re.sub(r"(?<=not JSON \()(?!found ).*", "...", refused(data))


def of(kind, path, text):
    """Why a record is refused with this text at a path."""
    return said(replaced(record_of(kind), path, text))


def audited(responses, **options):
    """An audit that is refused before it runs, by the limits of the verification."""
    counts = {"only_a_correct": responses, "only_b_correct": 1}
    return audit(Comparison.from_counts(gold=2 * responses, **counts), "recall", rng=1, **options)


@pytest.mark.parametrize(("expression", "text"), expected(PRINTED))
def test_what_is_refused(expression, text):
    assert printed(expression, globals()) == text


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


def test_a_field_of_a_record_ends_where_its_form_ends():
    record = audit(
        Comparison.from_scores([1, 2, 3], [2, 2, 1.5]), "mean", rng=1, n_resamples=64
    ).record
    record["comparison"]["sums_a"][0] += "\n"
    with pytest.raises(InputError, match=r"comparison\.sums_a\[0\]: found"):
        verify(record)


if __name__ == "__main__":
    rewrite(PRINTED, globals())
