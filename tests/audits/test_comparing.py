"""Records compared field by field."""

from __future__ import annotations

import pytest
from drawn import several
from forged import (
    signed,
)

from csig import verify
from csig.audits.comparing import compared
from csig.audits.trust import Trusted


@pytest.mark.usefixtures("repeated")
@pytest.mark.parametrize("kind", ["counts", "keys", "clusters", "labels", "scores"])
def test_checks_left_out_or_added_are_missed(kept, kind):
    """Those that inform only, too."""
    record = kept[kind]
    checks = record["checks"]
    for i, check in list(enumerate(checks))[:: several(7, 1)]:
        lines = verify(signed({**record, "checks": checks[:i] + checks[i + 1 :]})).differences
        assert lines[0] == f"checks[{check['name']}]: not in the record"
    more = [*checks, {**checks[-2], "name": "dependence: paragraph"}]
    lines = verify(signed({**record, "checks": more})).differences
    assert lines == ("checks[dependence: paragraph]: only in the record",)
    doubled = verify(signed({**record, "checks": [*checks, checks[-1]]})).differences
    moved = verify(signed({**record, "checks": [*checks[1:], checks[0]]})).differences
    for lines in (doubled, moved):
        assert [line for line in lines if line.startswith("checks: ")]


def lines(mine, theirs, *trust):
    return compared(mine, theirs, trust)


def test_types_and_signs_of_zero_count():
    assert lines({"a": 1, "b": [0.0]}, {"a": 1, "b": [0.0]}) == ([], 2)
    assert lines({"a": 1}, {"a": 1.0}) == (["a: 1.0 in the record, 1 now"], 1)
    assert lines({"a": 0.0}, {"a": -0.0}) == (["a: -0.0 in the record, 0.0 now"], 1)
    assert lines({"a": True}, {"a": 1}) == (["a: 1 in the record, True now"], 1)


def test_fields_that_only_one_has_and_lists_of_other_lengths():
    found, count = lines({"a": {"b": 1}, "c": [1]}, {"a": {"d": 1}, "c": [1, 2]})
    assert found == ["a.b: only now", "a.d: only in the record", "c: 2 in the record, 1 now"]
    assert count == 0


def test_items_are_called_by_their_names():
    mine = {"metrics": [{"name": "f1", "x": 1}], "results": [{"metric": "f1", "x": 1}], "r": [1]}
    theirs = {"metrics": [{"name": "f1", "x": 2}], "results": [{"metric": "f1", "x": 2}], "r": [2]}
    assert lines(mine, theirs)[0] == [
        "metrics[f1].x: 2 in the record, 1 now",
        "r[0]: 2 in the record, 1 now",
        "results[f1].x: 2 in the record, 1 now",
    ]


def test_checks_are_told_apart_by_name_and_have_an_order():
    one, two = {"name": "one", "passed": True}, {"name": "two", "passed": True}
    assert lines({"checks": [one, two]}, {"checks": [one, two]}) == ([], 4)
    assert lines({"checks": [one, two]}, {"checks": [two, one]})[0] == [
        "checks: 2 in the record, 2 now, or in another order"
    ]
    assert lines({"checks": [one]}, {"checks": [two]})[0] == [
        "checks[one]: not in the record",
        "checks[two]: only in the record",
    ]


def test_what_is_taken_on_trust_is_neither_counted_nor_compared():
    trust = Trusted(("date", "inputs.*"), "when, and of what")
    mine = {"date": "now", "inputs": [{"path": "a"}], "passed": True}
    theirs = {"date": "then", "inputs": [{"path": "b"}], "passed": True}
    assert lines(mine, theirs, trust) == ([], 1)
    close = Trusted(("p",), "digits", overlooks=lambda one, other: abs(one - other) < 1e-9)
    assert lines({"p": 0.5}, {"p": 0.5 + 1e-12}, close) == ([], 1)
    assert len(lines({"p": 0.5}, {"p": 0.6}, close)[0]) == 1


def test_long_values_are_cut():
    (line,), _ = lines({"a": "x" * 500}, {"a": "y"})
    assert line == f"a: 'y' in the record, '{'x' * 99}... now"
