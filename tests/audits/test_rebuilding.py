"""Comparisons made again from records."""

from __future__ import annotations

import json
import runpy

import pytest
from forged import COMPARISONS, KINDS, SECOND, put, refused

from csig import verify
from csig.audits import rebuilding
from csig.audits.digests import canonical, record_digest


def test_the_data_of_the_record_of_version_2():
    """The program that made it makes the same data, and two more hits are no longer its."""
    made = runpy.run_path(str(SECOND.with_name("audit_2.py")))["comparison"]()
    record = json.loads(SECOND.read_text(encoding="utf-8"))
    assert verify(record, comparison=made).ok
    record["runs"][3]["hits"][0]["hits"] += 2
    record["sha256"] = record_digest(record)
    assert not verify(record, comparison=made).ok


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


def test_too_few_weights(paper_record):
    weights = paper_record["metrics"][0]["numerator"]
    assert "recall" in refused(
        canonical(put(paper_record, ("metrics", 0, "numerator"), weights[:1]))
    )


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("comparison", "differences", 0), "1", "expected 3 numbers per unit"),
        (("comparison", "differences", 0), "0 0 0", "found a unit that does not differ"),
        (("comparison", "differences", 0), "1 2 x", "expected the form"),
        (("comparison", "differences"), [], "contradict each other"),
        (("comparison", "n_total"), 1, "n_total is less than the number of differing units"),
        (("comparison", "n_total"), None, "n_total is less than the number of differing units"),
        (("comparison", "columns"), ["tp", "gold"], "sums_a: found 3 numbers for 2 columns"),
    ],
)
def test_units_that_are_refused(kept, path, value, message):
    assert message in refused(canonical(put(kept["units"], path, value)))
